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

type NumberKey = keyof { [K in keyof BuildOptions as BuildOptions[K] extends number | undefined ? K : never]: 0 };
type FlagKey = keyof { [K in keyof BuildOptions as BuildOptions[K] extends boolean | undefined ? K : never]: 0 };

/** @returns the configuration; its bounds are float32 values. Throws RangeError or TypeError. */
export function resolveConfig(prepared: PreparedInput, options: BuildOptions): BakeConfig {
  knownKeys('options', options, OPTION_KEYS);
  knownKeys('options.agent', options.agent ?? {}, AGENT_KEYS);
  const agent: AgentShape = { ...AGENT_DEFAULTS, ...defined(options.agent ?? {}) };
  number('agent.radius', agent.radius, 0, Infinity);
  number('agent.height', agent.height, 0, Infinity, ABOVE);
  number('agent.maxClimb', agent.maxClimb, 0, Infinity);
  number('agent.maxSlopeDegrees', agent.maxSlopeDegrees, 0, 90);
  const take = (key: NumberKey, fallback: number, kind = 0, least = 0, most = Infinity): number => {
    const value = options[key] ?? fallback;
    number(key, value, least, most, kind);
    return value;
  };
  const flag = (key: FlagKey, fallback: boolean): boolean => {
    const value = options[key] ?? fallback;
    if (typeof value !== 'boolean') refuse(key, value, 'true or false');
    return value;
  };
  const { radius } = agent;
  const cellSize = f(take('cellSize', radius > 0 ? radius / 2 : agent.height / 10, ABOVE));
  number('cellSize', cellSize, 0, Infinity, ABOVE);
  const cellHeight = f(take('cellHeight', cellSize / 2, ABOVE));
  number('cellHeight', cellHeight, 0, Infinity, ABOVE);
  const partition = options.partition ?? 'watershed';
  if (!['watershed', 'monotone', 'layers'].includes(partition)) {
    refuse('partition', partition, "'watershed', 'monotone' or 'layers'");
  }
  const cellArea = cellSize * cellSize;
  checkVolumes(options.volumes ?? []);
  flag('strict', false);
  if (typeof (options.onProgress ?? refuse) !== 'function') refuse('onProgress', options.onProgress, 'a function');
  if (typeof (options.workspace ?? { buffers: {} }).buffers !== 'object') {
    refuse('workspace', options.workspace, 'made by createWorkspace()');
  }

  const { min, max } = options.bounds === undefined ? prepared : givenBounds(options.bounds, prepared.offset);
  const widthCells = Math.trunc(f(f(f(max[0] - min[0]) / cellSize) + 0.5));
  const depthCells = Math.trunc(f(f(f(max[2] - min[2]) / cellSize) + 0.5));
  const memoryLimit = take('memoryLimitBytes', 2 ** 32, ABOVE);
  let needed = leastBytes(widthCells, depthCells);
  // Only then is it worth a look at how much floor there is.
  if (needed > memoryLimit) needed = leastBytes(widthCells, depthCells, floorArea(prepared, min, max) / cellArea);
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
    maxEdgeLengthCells: cellsDown(take('maxEdgeLength', radius > 0 ? 20 * radius : 40 * cellSize), cellSize),
    maxEdgeErrorCells: f(take('maxEdgeError', 1.3 * cellSize) / cellSize),
    regionMinAreaCells: cellsDown(take('regionMinArea', 64 * cellArea), cellArea),
    regionMergeAreaCells: cellsDown(take('regionMergeArea', 400 * cellArea), cellArea),
    maxVerticesPerPoly: take('maxVerticesPerPoly', 6, WHOLE, 3, MAX_VERTICES_PER_POLY),
    detailSampleDistance: take('detailSampleDistance', 6 * cellSize),
    detailMaxError: take('detailMaxError', cellHeight),
    filterLowHangingObstacles: flag('filterLowHangingObstacles', true),
    filterLedges: flag('filterLedges', true),
    filterLowCeilings: flag('filterLowCeilings', true),
    medianAreas: flag('medianAreas', false),
    tessellateWallEdges: flag('tessellateWallEdges', true),
    tessellateAreaEdges: flag('tessellateAreaEdges', false),
  };
}

/**
 * The least a bake takes, in bytes, with so many of its columns over a floor: what its workspace holds in the end, without the
 * fifth of it that is room to spare. Measured with that: 34 bytes a column without floors, 105 to 130 with one floor, 150 to 320
 * with two to four.
 */
export function leastBytes(widthCells: number, depthCells: number, floorCells: number = Infinity): number {
  const columns = widthCells * depthCells;
  return 27 * columns + 55 * Math.min(columns, Math.ceil(floorCells));
}

/** Area that triangles facing up cover within the bounds, seen from above; where they overlap, more than once. */
function floorArea({ positions, indices, triangleCount }: PreparedInput, min: Triple, max: Triple): number {
  let sum = 0;
  for (let t = 0; t < triangleCount; t++) {
    const a = indices[3 * t]! * 3, b = indices[3 * t + 1]! * 3, c = indices[3 * t + 2]! * 3;
    const ax = positions[a]!, az = positions[a + 2]!, bx = positions[b]!, bz = positions[b + 2]!;
    const cx = positions[c]!, cz = positions[c + 2]!;
    const up = ((bz - az) * (cx - ax) - (bx - ax) * (cz - az)) / 2;
    const width = Math.min(max[0], Math.max(ax, bx, cx)) - Math.max(min[0], Math.min(ax, bx, cx));
    const depth = Math.min(max[2], Math.max(az, bz, cz)) - Math.max(min[2], Math.min(az, bz, cz));
    if (up > 0 && width > 0 && depth > 0) sum += Math.min(up, width * depth);
  }
  return sum;
}

type Triple = readonly [number, number, number];

function givenBounds(
  bounds: { min: readonly number[]; max: readonly number[] }, [x, y, z]: Triple,
): { min: Triple; max: Triple } {
  const { min, max } = bounds ?? {};
  if (min?.length !== 3 || max?.length !== 3) refuse('bounds', bounds, '{ min: [x, y, z], max: [x, y, z] }');
  for (let k = 0; k < 3; k++) {
    if (!(Number.isFinite(min![k]) && Number.isFinite(max![k]) && min![k]! <= max![k]!)) {
      refuse('bounds', `${min![k]} to ${max![k]}`, 'finite, with min <= max');
    }
  }
  return {
    min: [f(min![0]! - x), f(min![1]! - y), f(min![2]! - z)],
    max: [f(max![0]! - x), f(max![1]! - y), f(max![2]! - z)],
  };
}

function checkVolumes(volumes: readonly AreaVolume[]): void {
  if (!Array.isArray(volumes)) refuse('volumes', volumes, 'an array');
  volumes.forEach((volume: AreaVolume, i: number) => {
    const key = `volumes[${i}]`;
    const { type } = volume ?? {};
    if (type !== 'box' && type !== 'cylinder' && type !== 'prism') refuse(`${key}.type`, type, "'box', 'cylinder' or 'prism'");
    number(`${key}.area`, volume.area, 0, AREA_COUNT - 1, WHOLE);
    const point = (name: string, list: readonly number[], length: number): void => {
      if (list?.length !== length) refuse(`${key}.${name}`, list, `${length} numbers`);
      for (let k = 0; k < length; k++) number(`${key}.${name}[${k}]`, list[k]!, -Infinity, Infinity);
    };
    if (volume.type === 'box') {
      point('min', volume.min, 3);
      point('max', volume.max, 3);
    } else if (volume.type === 'cylinder') {
      point('center', volume.center, 3);
      number(`${key}.radius`, volume.radius, 0, Infinity);
      number(`${key}.height`, volume.height, 0, Infinity);
    } else {
      const corners = volume.outline?.length;
      if (!(corners >= 3)) refuse(`${key}.outline`, `${corners} points`, '3 or more');
      volume.outline.forEach((corner, k) => point(`outline[${k}]`, corner, 2));
      number(`${key}.minY`, volume.minY, -Infinity, Infinity);
      number(`${key}.maxY`, volume.maxY, -Infinity, Infinity);
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

/** Kinds of numbers: the least itself is out; no fractions. */
const ABOVE = 1, WHOLE = 2;

function number(key: string, value: number, least: number, most: number, kind: number = 0): void {
  const isIn = Number.isFinite(value) && value >= least && value <= most && !(kind === ABOVE && value === least);
  if (isIn && !(kind === WHOLE && value % 1 !== 0)) return;
  const range = most < Infinity ? `from ${least} to ${most}` : least === -Infinity ? 'a finite number' : `${least} or more`;
  refuse(key, value, kind === ABOVE ? `more than ${least}` : kind === WHOLE ? `a whole number ${range}` : range);
}

function refuse(key: string, value: unknown, remedy: string): never {
  throw new RangeError(`buildNavMesh: options.${key} is ${String(value)}, must be ${remedy}`);
}

function gigabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

function plain(value: number): string {
  return String(Number(value.toPrecision(4)));
}
