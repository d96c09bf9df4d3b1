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
import { rounded } from './rebase.ts';
import type { PreparedInput } from './input.ts';

export const AGENT_DEFAULTS: Readonly<AgentShape> = { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };

/** Relative tolerance when a length is turned into a count of cells: 0.6 / 0.2 = 2.9999999999999996 is 3. */
const CELL_ROUNDING = 1e-6;

const f = Math.fround;

type NumberKey = keyof { [K in keyof BuildOptions as BuildOptions[K] extends number | undefined ? K : never]: 0 };
type FlagKey = keyof { [K in keyof BuildOptions as BuildOptions[K] extends boolean | undefined ? K : never]: 0 };

/** @returns the configuration; its bounds are float32 values. Throws RangeError or TypeError. */
export function resolveConfig(prepared: PreparedInput, options: BuildOptions): BakeConfig {
  // Each option is known once it has been looked at.
  const known = ['agent', 'partition', 'volumes', 'links', 'bounds', 'onProgress', 'workspace'];
  const take = (key: NumberKey, fallback: number, kind?: number, least?: number, most?: number): number => {
    known.push(key);
    return number(key, options[key] ?? fallback, kind, least, most);
  };
  const flag = (key: FlagKey, fallback: boolean): boolean => {
    known.push(key);
    const value = options[key] ?? fallback;
    return typeof value === 'boolean' ? value : refuse(key, value, 'true or false');
  };
  object('options', options);
  const body = options.agent ?? {};
  const partition = options.partition ?? 'watershed';
  const volumes = options.volumes ?? [];
  const { onProgress, workspace, bounds, links = [] } = options;
  object('options.agent', body);
  const agent: AgentShape = { ...AGENT_DEFAULTS };
  const agentKeys = Object.keys(agent) as (keyof AgentShape)[];
  knownKeys('options.agent', body, agentKeys);
  for (const key of agentKeys) {
    const most = key === 'maxSlopeDegrees' ? 90 : Infinity;
    agent[key] = number(`agent.${key}`, body[key] ?? agent[key], key === 'height' ? ABOVE : 0, 0, most);
  }
  const { radius, height, maxClimb, maxSlopeDegrees } = agent;
  const cellSize = f(take('cellSize', radius > 0 ? radius / 2 : height / 10, ABOVE));
  const cellHeight = f(take('cellHeight', cellSize / 2, ABOVE));
  const cellArea = cellSize * cellSize;
  if (!['watershed', 'monotone', 'layers'].includes(partition)) {
    refuse('partition', partition, "'watershed', 'monotone' or 'layers'");
  }
  if (!Array.isArray(volumes)) refuse('volumes', volumes, 'an array');
  volumes.forEach(checkVolume);
  if (!Array.isArray(links)) refuse('links', links, 'an array');
  flag('strict', false);
  if (typeof (onProgress ?? refuse) !== 'function') refuse('onProgress', onProgress, 'a function');
  if (typeof (workspace ?? { buffers: {} }).buffers !== 'object')
    refuse('workspace', workspace, 'made by createWorkspace()');
  const memoryLimit = take('memoryLimitBytes', 2 ** 32, ABOVE);

  const { offset } = prepared;
  const { min, max } = bounds === undefined ? prepared : givenBounds(bounds, offset);
  const cellsAlong = (axis: 0 | 2): number => Math.trunc(f(f(f(max[axis] - min[axis]) / cellSize) + 0.5));
  const widthCells = cellsAlong(0);
  const depthCells = cellsAlong(2);
  const walkableRadiusCells = cellsUp(radius, cellSize);
  const border = walkableRadiusCells + 3;
  const tileSize = take('tileSize', 0);
  const tileCells = Math.round(tileSize / cellSize);
  const least = border + 4;
  if (tileSize > 0 && tileCells < least) {
    refuse('tileSize', tileSize, `${plain(least * cellSize)} or more, which is ${least} cells; or 0: one tile`);
  }
  const tileCountX = tileCells > 0 ? Math.ceil(widthCells / tileCells) : 1;
  const tileCountZ = tileCells > 0 ? Math.ceil(depthCells / tileCells) : 1;
  const config: BakeConfig = {
    agent,
    cellSize,
    cellHeight,
    boundsMin: min,
    boundsMax: max,
    offset,
    widthCells,
    depthCells,
    maxSlopeDegrees,
    walkableHeightCells: Math.min(cellsUp(height, cellHeight), SPAN_MAX_HEIGHT),
    walkableClimbCells: Math.min(cellsDown(maxClimb, cellHeight), SPAN_MAX_HEIGHT),
    walkableRadiusCells,
    borderCells: tileCells > 0 ? border : 0,
    tileCells,
    tileCountX,
    tileCountZ,
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
  knownKeys('options', options, known);

  if (tileCells > 0) {
    const side = tileCells + 2 * border;
    const list = 4 * tileCountX * tileCountZ;
    const bytes = leastBytes(side, side) + list;
    if (bytes <= memoryLimit) return config;
    throw new RangeError(
      `buildNavMesh: a tileSize of ${plain(tileSize)} makes ${tileCountX} x ${tileCountZ} tiles of ${side} x ${side} columns, ` +
        `which take ${plain(bytes / GIB)} GiB; only ${plain(memoryLimit / GIB)} GiB may be used. ` +
        `Take a ${2 * list > bytes ? 'larger' : 'smaller'} tileSize`,
    );
  }
  let needed = leastBytes(widthCells, depthCells);
  // Only then is it worth a look at how much floor there is.
  if (needed > memoryLimit) needed = leastBytes(widthCells, depthCells, floorArea(prepared, min, max) / cellArea);
  if (needed > memoryLimit) {
    throw new RangeError(
      `buildNavMesh: a cellSize of ${plain(cellSize)} cuts the level into ${widthCells} x ${depthCells} columns, which take ` +
        `${plain(needed / GIB)} GiB; only ${plain(memoryLimit / GIB)} GiB may be used. ` +
        `Take a cellSize of ${plain(cellSize * 1.05 * Math.sqrt(needed / memoryLimit))} or more, smaller bounds, or tiles ` +
        '(tileSize)',
    );
  }
  return config;
}

/**
 * The least a bake takes, in bytes, with so many of its columns over a floor: what its workspace holds in the end. Measured: 8
 * bytes a column without floors, 54 to 60 with one floor, 64 to 190 with two to four.
 */
export function leastBytes(widthCells: number, depthCells: number, floorCells: number = Infinity): number {
  const columns = widthCells * depthCells;
  return 8 * columns + 42 * Math.min(columns, Math.ceil(floorCells));
}

/** Area that triangles facing up cover within the bounds, seen from above; where they overlap, more than once. */
function floorArea({ positions, indices, triangleCount }: PreparedInput, min: Triple, max: Triple): number {
  let sum = 0;
  for (let t = 0; t < triangleCount; t++) {
    const a = indices[3 * t] * 3;
    const b = indices[3 * t + 1] * 3;
    const c = indices[3 * t + 2] * 3;
    const ax = positions[a];
    const az = positions[a + 2];
    const bx = positions[b];
    const bz = positions[b + 2];
    const cx = positions[c];
    const cz = positions[c + 2];
    const up = ((bz - az) * (cx - ax) - (bx - ax) * (cz - az)) / 2;
    const width = Math.min(max[0], Math.max(ax, bx, cx)) - Math.max(min[0], Math.min(ax, bx, cx));
    const depth = Math.min(max[2], Math.max(az, bz, cz)) - Math.max(min[2], Math.min(az, bz, cz));
    if (up > 0 && width > 0 && depth > 0) sum += Math.min(up, width * depth);
  }
  return sum;
}

type Triple = readonly [number, number, number];

function givenBounds(bounds: NonNullable<BuildOptions['bounds']>, offset: Triple): { min: Triple; max: Triple } {
  const { min, max } = bounds ?? {};
  if (min?.length !== 3 || max?.length !== 3) refuse('bounds', bounds, '{ min: [x, y, z], max: [x, y, z] }');
  for (let k = 0; k < 3; k++) {
    const a = min[k];
    const b = max[k];
    if (!(Number.isFinite(a) && Number.isFinite(b) && a <= b))
      refuse('bounds', `${a} to ${b}`, 'finite, with min <= max');
  }
  return { min: rounded(min, offset), max: rounded(max, offset) };
}

/** What a volume has beside type and area. 0: a number, not negative; 1: any number; 2: points of two; 3: a point of three. */
const SHAPES: Record<string, Record<string, number>> = {
  box: { min: 3, max: 3 },
  cylinder: { center: 3, radius: 0, height: 0 },
  prism: { outline: 2, minY: 1, maxY: 1 },
};

function checkVolume(volume: AreaVolume, i: number): void {
  const key = `volumes[${i}]`;
  const { type, area } = volume ?? {};
  if (!Object.hasOwn(SHAPES, type)) refuse(`${key}.type`, type, "'box', 'cylinder' or 'prism'");
  number(`${key}.area`, area, WHOLE, 0, AREA_COUNT - 1);
  const point = (name: string, list: readonly number[], length: number): void => {
    if (list?.length !== length) refuse(name, list, `${length} numbers`);
    for (let k = 0; k < length; k++) number(`${name}[${k}]`, list[k], 0, -Infinity);
  };
  for (const [field, kind] of Object.entries(SHAPES[type])) {
    const name = `${key}.${field}`;
    const value = (volume as Record<string, unknown>)[field];
    if (kind === 3) point(name, value as number[], 3);
    else if (kind === 2) {
      const { length = 0 } = (value ?? []) as number[][];
      if (length < 3) refuse(name, `${length} points`, '3 or more');
      for (let k = 0; k < length; k++) point(`${name}[${k}]`, (value as number[][])[k], 2);
    } else number(name, value as number, 0, kind === 1 ? -Infinity : 0);
  }
}

function cellsUp(length: number, cell: number): number {
  const cells = length / cell;
  return Math.max(0, Math.ceil(cells - CELL_ROUNDING * (1 + cells)));
}

function cellsDown(length: number, cell: number): number {
  const cells = length / cell;
  return Math.floor(cells + CELL_ROUNDING * (1 + cells));
}

function object(what: string, given: object): void {
  if (given === null || typeof given !== 'object') throw new TypeError(`buildNavMesh: ${what} must be an object`);
}

function knownKeys(what: string, given: object, known: readonly string[]): void {
  const key = Object.keys(given).find((one) => !known.includes(one));
  if (key !== undefined) {
    throw new RangeError(`buildNavMesh: ${what} has an unknown key ${key}; known keys are ${known.join(', ')}`);
  }
}

/** Kinds of numbers: more than the least, in float32 too; no fractions. */
const ABOVE = 1;
const WHOLE = 2;

function number(key: string, value: number, kind: number = 0, least: number = 0, most: number = Infinity): number {
  const isIn = kind === ABOVE ? f(value) > least && f(value) < most : value >= least && value <= most;
  if (isIn && Number.isFinite(value) && !(kind === WHOLE && value % 1 !== 0)) return value;
  const range = most < Infinity ? `from ${least} to ${most}` : least < 0 ? 'a finite number' : `${least} or more`;
  return refuse(key, value, kind === ABOVE ? `more than ${least}` : kind === WHOLE ? `a whole number ${range}` : range);
}

function refuse(key: string, value: unknown, remedy: string): never {
  throw new RangeError(`buildNavMesh: options.${key} is ${String(value)}, must be ${remedy}`);
}

const GIB = 2 ** 30;

function plain(value: number): number {
  return Number(value.toPrecision(4));
}
