/**
 * Options in world units -> the configuration in cells, in this one place. Refuses what cannot be baked: unknown keys, values
 * out of range (key, value, remedy), and a grid that would not fit in memory (computed, nothing is allocated here).
 *
 * Counts of cells are rounded to the safe side (agent's height and radius up, climb down) after a tolerance that keeps
 * 0.6 / 0.2 at 3. Based on: own; the limits are those of Recast's rcConfig.
 */
import { AREA_COUNT, MAX_VERTICES_PER_POLY, SPAN_MAX_HEIGHT } from '../constants.ts';
import type { AgentShape } from '../navmesh/types.ts';
import type { AreaVolume, BakeConfig, BuildOptions } from './options.ts';
import type { PreparedInput } from './input.ts';

export const AGENT_DEFAULTS: Readonly<AgentShape> = { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };

/** Relative tolerance when a length is turned into a count of cells: 0.6 / 0.2 = 2.9999999999999996 is 3. */
const CELL_ROUNDING = 1e-6;

const f = Math.fround;

const AGENT_KEYS = ['radius', 'height', 'maxClimb', 'maxSlopeDegrees'];
const OPTION_KEYS = [
  'agent', 'cellSize', 'cellHeight', 'partition', 'maxEdgeLength', 'maxEdgeError', 'regionMinArea', 'regionMergeArea',
  'maxVerticesPerPoly', 'detailSampleDistance', 'detailMaxError', 'filterLowHangingObstacles', 'filterLedges',
  'filterLowCeilings', 'medianAreas', 'tessellateWallEdges', 'tessellateAreaEdges', 'volumes', 'bounds', 'strict',
  'memoryLimitBytes', 'onProgress', 'workspace',
];

/** @returns the configuration; its bounds are float32 values. Throws RangeError or TypeError. */
export function resolveConfig(prepared: PreparedInput, options: BuildOptions): BakeConfig {
  knownKeys('options', options, OPTION_KEYS);
  knownKeys('options.agent', options.agent ?? {}, AGENT_KEYS);
  const agent: AgentShape = { ...AGENT_DEFAULTS, ...defined(options.agent ?? {}) };
  number('agent.radius', agent.radius, 0, Infinity);
  positive('agent.height', agent.height);
  number('agent.maxClimb', agent.maxClimb, 0, Infinity);
  number('agent.maxSlopeDegrees', agent.maxSlopeDegrees, 0, 90);
  const cellSize = f(options.cellSize ?? (agent.radius > 0 ? agent.radius / 2 : agent.height / 10));
  positive('cellSize', cellSize);
  const cellHeight = f(options.cellHeight ?? cellSize / 2);
  positive('cellHeight', cellHeight);
  const partition = options.partition ?? 'watershed';
  if (partition !== 'watershed' && partition !== 'monotone' && partition !== 'layers') {
    throw new RangeError(`buildNavMesh: options.partition is ${String(partition)}, must be 'watershed', 'monotone' or 'layers'`);
  }
  const maxEdgeLength = options.maxEdgeLength ?? (agent.radius > 0 ? 20 * agent.radius : 40 * cellSize);
  number('maxEdgeLength', maxEdgeLength, 0, Infinity);
  const maxEdgeError = options.maxEdgeError ?? 1.3 * cellSize;
  number('maxEdgeError', maxEdgeError, 0, Infinity);
  const cellArea = cellSize * cellSize;
  const regionMinArea = options.regionMinArea ?? 64 * cellArea;
  number('regionMinArea', regionMinArea, 0, Infinity);
  const regionMergeArea = options.regionMergeArea ?? 400 * cellArea;
  number('regionMergeArea', regionMergeArea, 0, Infinity);
  const maxVerticesPerPoly = options.maxVerticesPerPoly ?? 6;
  number('maxVerticesPerPoly', maxVerticesPerPoly, 3, MAX_VERTICES_PER_POLY);
  if ((maxVerticesPerPoly | 0) !== maxVerticesPerPoly) {
    throw new RangeError(`buildNavMesh: options.maxVerticesPerPoly is ${maxVerticesPerPoly}, must be a whole number`);
  }
  const detailSampleDistance = options.detailSampleDistance ?? 6 * cellSize;
  number('detailSampleDistance', detailSampleDistance, 0, Infinity);
  const detailMaxError = options.detailMaxError ?? cellHeight;
  number('detailMaxError', detailMaxError, 0, Infinity);
  checkVolumes(options.volumes ?? []);

  const { min, max } = options.bounds === undefined ? boundsOf(prepared) : givenBounds(options.bounds, prepared.offset);
  const widthCells = Math.trunc(f(f(f(max[0] - min[0]) / cellSize) + 0.5));
  const depthCells = Math.trunc(f(f(f(max[2] - min[2]) / cellSize) + 0.5));
  const memoryLimit = options.memoryLimitBytes ?? 2 ** 32;
  positive('memoryLimitBytes', memoryLimit);
  const needed = leastBytes(widthCells, depthCells);
  if (needed > memoryLimit) {
    const side = Math.sqrt(needed / memoryLimit);
    throw new RangeError(
      `buildNavMesh: a cellSize of ${plain(cellSize)} cuts the level into ${widthCells} x ${depthCells} columns, which take at `
      + `least ${gigabytes(needed)}; only ${gigabytes(memoryLimit)} may be used. `
      + `Take a cellSize of ${plain(cellSize * side * 1.05)} or more, or smaller bounds`,
    );
  }

  return {
    agent, cellSize, cellHeight, boundsMin: min, boundsMax: max, offset: prepared.offset, widthCells, depthCells,
    maxSlopeDegrees: agent.maxSlopeDegrees,
    walkableHeightCells: Math.min(cellsUp(agent.height, cellHeight), SPAN_MAX_HEIGHT),
    walkableClimbCells: Math.min(cellsDown(agent.maxClimb, cellHeight), SPAN_MAX_HEIGHT),
    walkableRadiusCells: cellsUp(agent.radius, cellSize),
    borderCells: 0,
    partition,
    maxEdgeLengthCells: cellsDown(maxEdgeLength, cellSize),
    maxEdgeErrorCells: f(maxEdgeError / cellSize),
    regionMinAreaCells: cellsDown(regionMinArea, cellArea),
    regionMergeAreaCells: cellsDown(regionMergeArea, cellArea),
    maxVerticesPerPoly,
    detailSampleDistance, detailMaxError,
    filterLowHangingObstacles: options.filterLowHangingObstacles ?? true,
    filterLedges: options.filterLedges ?? true,
    filterLowCeilings: options.filterLowCeilings ?? true,
    medianAreas: options.medianAreas ?? false,
    tessellateWallEdges: options.tessellateWallEdges ?? true,
    tessellateAreaEdges: options.tessellateAreaEdges ?? false,
  };
}

/** The least a bake of so many columns allocates, in bytes: a level of one floor, the widest moment of the pipeline. */
export function leastBytes(widthCells: number, depthCells: number): number {
  return widthCells * depthCells * 40;
}

type Triple = readonly [number, number, number];

function boundsOf(prepared: PreparedInput): { min: Triple; max: Triple } {
  const { positions, indices, triangleCount } = prepared;
  let x0 = Infinity, y0 = Infinity, z0 = Infinity, x1 = -Infinity, y1 = -Infinity, z1 = -Infinity;
  for (let i = 0; i < triangleCount * 3; i++) {
    const v = indices[i]! * 3;
    const x = positions[v]!, y = positions[v + 1]!, z = positions[v + 2]!;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  if (triangleCount === 0) return { min: [0, 0, 0], max: [0, 0, 0] };
  return { min: [x0, y0, z0], max: [x1, y1, z1] };
}

function givenBounds(
  bounds: { min: readonly number[]; max: readonly number[] }, [x, y, z]: Triple,
): { min: Triple; max: Triple } {
  const { min, max } = bounds;
  if (min === undefined || max === undefined || min.length !== 3 || max.length !== 3) {
    throw new TypeError('buildNavMesh: options.bounds must be { min: [x, y, z], max: [x, y, z] }');
  }
  for (let k = 0; k < 3; k++) {
    if (!(Number.isFinite(min[k]) && Number.isFinite(max[k]) && min[k]! <= max[k]!)) {
      throw new RangeError(`buildNavMesh: options.bounds must be finite with min <= max (got ${min[k]} and ${max[k]})`);
    }
  }
  return {
    min: [f(min[0]! - x), f(min[1]! - y), f(min[2]! - z)],
    max: [f(max[0]! - x), f(max[1]! - y), f(max[2]! - z)],
  };
}

function checkVolumes(volumes: readonly AreaVolume[]): void {
  volumes.forEach((volume, i) => {
    const key = `volumes[${i}]`;
    number(`${key}.area`, volume.area, 0, AREA_COUNT - 1);
    const numbers: [string, ArrayLike<number>, number][] = [];
    if (volume.type === 'box') numbers.push(['min', volume.min, 3], ['max', volume.max, 3]);
    else if (volume.type === 'cylinder') {
      numbers.push(['center', volume.center, 3]);
      number(`${key}.radius`, volume.radius, 0, Infinity);
      number(`${key}.height`, volume.height, 0, Infinity);
    } else if (volume.type === 'prism') {
      if (volume.outline.length < 3) {
        throw new RangeError(`buildNavMesh: options.${key}.outline has ${volume.outline.length} points, must have 3 or more`);
      }
      volume.outline.forEach((point, k) => numbers.push([`outline[${k}]`, point, 2]));
      number(`${key}.minY`, volume.minY, -Infinity, Infinity);
      number(`${key}.maxY`, volume.maxY, -Infinity, Infinity);
    } else {
      const { type } = volume as { type: unknown };
      throw new RangeError(`buildNavMesh: options.${key}.type is ${String(type)}, must be 'box', 'cylinder' or 'prism'`);
    }
    for (const [name, list, length] of numbers) {
      if (list.length !== length) throw new RangeError(`buildNavMesh: options.${key}.${name} must have ${length} numbers`);
      for (let k = 0; k < length; k++) number(`${key}.${name}[${k}]`, list[k]!, -Infinity, Infinity);
    }
  });
}

function cellsUp(length: number, cell: number): number {
  const cells = length / cell;
  return Math.max(0, Math.ceil(cells - CELL_ROUNDING * (1 + cells)));
}

function cellsDown(length: number, cell: number): number {
  const cells = length / cell;
  return Math.floor(cells + CELL_ROUNDING * (1 + cells));
}

function knownKeys(what: string, given: object, known: readonly string[]): void {
  if (given === null || typeof given !== 'object') throw new TypeError(`buildNavMesh: ${what} must be an object`);
  for (const key of Object.keys(given)) {
    if (!known.includes(key)) {
      throw new RangeError(`buildNavMesh: ${what} has an unknown key ${key}; known keys are ${known.join(', ')}`);
    }
  }
}

function defined<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function number(key: string, value: number, least: number, most: number): void {
  if (typeof value !== 'number' || !(value >= least && value <= most) || !Number.isFinite(value)) {
    const range = most === Infinity ? (least === -Infinity ? 'a finite number' : `${least} or more`) : `from ${least} to ${most}`;
    throw new RangeError(`buildNavMesh: options.${key} is ${String(value)}, must be ${range}`);
  }
}

function positive(key: string, value: number): void {
  if (typeof value !== 'number' || !(value > 0) || !Number.isFinite(value)) {
    throw new RangeError(`buildNavMesh: options.${key} is ${String(value)}, must be more than 0`);
  }
}

function gigabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

function plain(value: number): string {
  return String(Number(value.toPrecision(4)));
}
