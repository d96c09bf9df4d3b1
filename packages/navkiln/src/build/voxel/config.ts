/**
 * Derives the configuration in cells from options in world units, and refuses options that cannot be baked.
 *
 * Refused are unknown keys, values out of range, and grids that would not fit in memory. That need is
 * computed; nothing is allocated here. Counts of cells are rounded to the safe side: the agent's height and
 * radius up, its climb down. A tolerance keeps 0.6 / 0.2 at 3.
 *
 * In: prepared input and options. Out: the configuration.
 * Cost: constant, and one pass over the triangles when a grid may not fit.
 * Based on: own; the limits are those of Recast's rcConfig.
 */
import { MAX_VERTICES_PER_POLY, SPAN_MAX_HEIGHT } from '../../base/constants.ts';
import { checkFunction, checkKeys, checkObject, refuse, refuseType } from '../../base/data/refuse.ts';
import { checkWorkspace } from '../../base/data/workspace.ts';
import { checkReachKeeper } from '../../mesh/reach-keeper.ts';
import type { AgentShape } from '../../mesh/types.ts';
import type { BuildOptions } from './options.ts';
import type { BakeConfig, Partition } from './bake-config.ts';
import { toLocal } from './rebase.ts';
import type { PreparedInput } from './input.ts';

/** Agent when `options.agent` leaves a field out: a person, world units in meters. */
export const AGENT_DEFAULTS: Readonly<AgentShape> = { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };

/** Relative tolerance when a length becomes a count of cells: 0.6 / 0.2 = 2.9999999999999996 is 3. */
const CELL_ROUNDING = 1e-6;

const GIB = 2 ** 30;

const f = Math.fround;

type Triple = readonly [number, number, number];
type NumberKey = keyof { [K in keyof BuildOptions as BuildOptions[K] extends number | undefined ? K : never]: 0 };
type FlagKey = keyof { [K in keyof BuildOptions as BuildOptions[K] extends boolean | undefined ? K : never]: 0 };

/** Range of allowed numbers. Default: 0 or more. */
interface Range {
  least?: number;
  most?: number;
  /** Whether the value must be greater than `least`, also after rounding to float32. */
  isAbove?: boolean;
  isWhole?: boolean;
}

const POSITIVE: Range = { isAbove: true };
/** Any finite number. @internal */
export const FINITE: Range = { least: -Infinity };

/**
 * Derives the configuration of a bake.
 *
 * @param prepared from `prepareInput`
 * @param caller name of the function that error messages begin with
 * @returns the configuration; its bounds, cell size and cell height are float32 values
 * @throws RangeError, TypeError for unknown keys, values out of range, and grids that need more than
 *   `memoryLimitBytes`
 */
export function resolveConfig(
  prepared: PreparedInput,
  options: BuildOptions,
  caller: string = 'resolveConfig',
): BakeConfig {
  checkBuildOptions(caller, options);
  checkWorkspace(caller, options.workspace);
  // Each option is known once it has been read.
  const known = [
    'agent',
    'partition',
    'volumes',
    'obstacles',
    'links',
    'dynamic',
    'autoLinks',
    'keepReachable',
    'sizes',
    'bounds',
    'onProgress',
    'workspace',
  ];
  const readNumber = (key: NumberKey, fallback: number, range: Range = {}): number => {
    known.push(key);
    return checkNumber(caller, `options.${key}`, options[key] ?? fallback, range);
  };
  const readFlag = (key: FlagKey, fallback: boolean): boolean => {
    known.push(key);
    const value = options[key] ?? fallback;
    return typeof value === 'boolean' ? value : refuse(caller, `options.${key}`, value, 'true or false');
  };
  const shared = resolveAgent(caller, options.agent ?? {});
  const sized = options.sizes?.resolve(shared);
  const { agent, largest } = sized ?? { agent: shared, largest: shared.radius };
  const { radius, height, maxClimb, maxSlopeDegrees } = agent;
  const cellSize = f(readNumber('cellSize', radius > 0 ? radius / 2 : height / 10, POSITIVE));
  const half = cellSize / 2;
  // A step of exactly the climb must not be rounded to more.
  const perClimb = maxClimb < half / 2 ? half : maxClimb / cellsUp(maxClimb, half);
  const cellHeight = f(readNumber('cellHeight', perClimb, POSITIVE));
  const cellArea = cellSize * cellSize;
  readFlag('strict', false);
  const memoryLimit = readNumber('memoryLimitBytes', 2 ** 32, POSITIVE);

  const { offset } = prepared;
  const { min, max } = options.bounds === undefined ? prepared : localBounds(caller, options.bounds, offset);
  const cellsAlong = (axis: 0 | 2): number => Math.trunc(f(f(f(max[axis] - min[axis]) / cellSize) + 0.5));
  const widthCells = cellsAlong(0);
  const depthCells = cellsAlong(2);
  const walkableRadiusCells = cellsUp(radius, cellSize);
  const border = cellsUp(largest, cellSize) + 3;
  const tileSize = readNumber('tileSize', 0, { most: 1e30 });
  const tileCells = Math.round(tileSize / cellSize);
  const fewest = border + 4;
  if (tileSize > 0 && tileCells < fewest) {
    const least = plain(fewest * cellSize);
    refuse(caller, 'options.tileSize', tileSize, `>= ${least}, which is ${fewest} cells; or 0 for one tile`);
  }
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
    walkableHeightCells: heightInCells(cellsUp(height, cellHeight)),
    walkableClimbCells: heightInCells(cellsDown(maxClimb, cellHeight)),
    walkableRadiusCells,
    borderCells: tileCells > 0 ? border : 0,
    tileCells,
    tileCountX: tileCells > 0 ? Math.ceil(widthCells / tileCells) : 1,
    tileCountZ: tileCells > 0 ? Math.ceil(depthCells / tileCells) : 1,
    partition: nameOf(options.partition),
    maxEdgeLengthCells: cellsDown(readNumber('maxEdgeLength', radius > 0 ? 20 * radius : 40 * cellSize), cellSize),
    maxEdgeErrorCells: f(readNumber('maxEdgeError', 1.3 * cellSize) / cellSize),
    regionMinAreaCells: cellsDown(readNumber('regionMinArea', 64 * cellArea), cellArea),
    regionMergeAreaCells: cellsDown(readNumber('regionMergeArea', 400 * cellArea), cellArea),
    maxVerticesPerPoly: readNumber('maxVerticesPerPoly', 6, { isWhole: true, least: 3, most: MAX_VERTICES_PER_POLY }),
    detailSampleDistance: readNumber('detailSampleDistance', 6 * cellSize),
    detailMaxError: readNumber('detailMaxError', cellHeight),
    filterLowHangingObstacles: readFlag('filterLowHangingObstacles', true),
    filterLedges: readFlag('filterLedges', true),
    filterLowCeilings: readFlag('filterLowCeilings', true),
    medianAreas: readFlag('medianAreas', false),
    tessellateWallEdges: readFlag('tessellateWallEdges', true),
    tessellateAreaEdges: readFlag('tessellateAreaEdges', false),
    recast: readFlag('recast', false),
    ...sized?.settings,
  };
  if (options.dynamic !== undefined) {
    if (!tileCells || options.obstacles?.placed.length || options.keepReachable) {
      refuse(
        caller,
        'options.dynamic',
        options.dynamic,
        'absent, or set a tileSize and leave obstacles and keepReachable to worlds',
      );
    }
  }
  checkKeys(caller, options, known);
  checkMemory(caller, config, tileSize, prepared, memoryLimit);
  options.sizes?.check(caller, config);
  return config;
}

function resolveAgent(caller: string, given: Partial<AgentShape>): AgentShape {
  const agent: AgentShape = { ...AGENT_DEFAULTS };
  const keys = Object.keys(agent) as (keyof AgentShape)[];
  checkObject(caller, 'options.agent', given);
  checkKeys(caller, given, keys, 'options.agent');
  for (const key of keys) {
    const range: Range = key === 'height' ? POSITIVE : key === 'maxSlopeDegrees' ? { most: 90 } : {};
    agent[key] = checkNumber(caller, `options.agent.${key}`, given[key] ?? agent[key], range);
  }
  return agent;
}

/** Functions of each option that carries code, and what makes such an option. */
const MADE = {
  partition: ['build', "'watershed', monotonePartition or layersPartition"],
  volumes: ['mark addNames decode', 'the result of createVolumes'],
  obstacles: ['addSurfaces', 'the result of createObstacles'],
  dynamic: ['write', 'dynamicLayers'],
  links: ['addTo', 'the result of createLinks'],
  sizes: ['resolve', 'the result of createAgentSizes'],
  autoLinks: ['addTo', 'the result of createAutoLinker'],
} as const;

/** Throws a TypeError for options of a wrong type that later stages would find. */
export function checkBuildOptions(caller: string, options: BuildOptions): void {
  checkObject(caller, 'options', options);
  const { onProgress } = options;
  if (onProgress !== undefined) checkFunction(caller, 'options.onProgress', onProgress);
  for (const [key, [parts, maker]] of Object.entries(MADE)) {
    const value = options[key as keyof typeof MADE] as unknown as Record<string, unknown> | undefined;
    if (value === undefined || (value as unknown) === 'watershed') continue;
    if (parts.split(' ').some((part) => typeof value?.[part] !== 'function'))
      refuseType(caller, `options.${key}`, value, maker);
  }
  checkReachKeeper(caller, options.keepReachable);
}

/** Returns the name of the partition that an option gives. @internal */
export function nameOf(partition: BuildOptions['partition'] = 'watershed'): Partition {
  return partition === 'watershed' ? partition : partition.name;
}

/** Refuses a grid whose columns need more than `limit` bytes, with a cell or tile size that would fit. */
function checkMemory(
  caller: string,
  config: BakeConfig,
  tileSize: number,
  prepared: PreparedInput,
  limit: number,
): void {
  const { cellSize, widthCells, depthCells, tileCells, borderCells, tileCountX, tileCountZ } = config;
  const gib = (bytes: number): string => `${plain(bytes / GIB)} GiB`;
  const refuseGrid = (key: NumberKey, value: number, grid: string, must: string, more = ''): never => {
    throw new RangeError(
      `${caller}: options.${key} is ${plain(value)}, which makes ${grid} columns and takes ${gib(needed)}; ` +
        `must be ${must} for the ${gib(limit)} of memoryLimitBytes${more}`,
    );
  };
  let needed = 0;
  if (tileCells > 0) {
    const side = tileCells + 2 * borderCells;
    const listBytes = 4 * tileCountX * tileCountZ;
    needed = leastBytes(side, side) + listBytes;
    if (needed > limit)
      refuseGrid(
        'tileSize',
        tileSize,
        `${tileCountX} x ${tileCountZ} tiles of ${side} x ${side}`,
        2 * listBytes > needed ? 'larger' : 'smaller',
      );
    return;
  }
  // A grid without columns has rows, too.
  const measure = (floorCells?: number): number =>
    (needed = leastBytes(Math.max(1, widthCells), Math.max(1, depthCells), floorCells));
  // Measures the area of floors only when it matters, because that is a pass over the triangles.
  if (measure() > limit && measure(floorArea(prepared) / (cellSize * cellSize)) > limit) {
    const enough = plain(cellSize * 1.05 * Math.sqrt(needed / limit));
    refuseGrid(
      'cellSize',
      cellSize,
      `${widthCells} x ${depthCells}`,
      `>= ${enough}`,
      ', or set a tileSize; centimeters? scale by 0.01',
    );
  }
}

/**
 * Returns the size of the workspace after a bake in which `floorCells` columns have a floor, in bytes: the least that
 * the bake takes. Levels of several floors take more (`npm run bench -- --growth`), and so do walkable floors up to
 * `ORDERED_LINK_SPANS`.
 */
export function leastBytes(widthCells: number, depthCells: number, floorCells: number = Infinity): number {
  const columns = widthCells * depthCells;
  return 8 * columns + 26 * Math.min(columns, Math.ceil(floorCells));
}

/** Returns the area of the triangles that face up, seen from above. Overlaps count more than once. */
function floorArea({ positions, indices }: PreparedInput): number {
  let sum = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const [ax, az] = [positions[a], positions[a + 2]];
    sum += Math.max(0, (positions[b + 2] - az) * (positions[c] - ax) - (positions[b] - ax) * (positions[c + 2] - az));
  }
  return sum / 2;
}

/** Beyond this, float32 coordinates overflow. */
const MOST_COORDINATE = 1e30;

/** Checks `options.bounds` and returns it in local coordinates. */
function localBounds(
  caller: string,
  bounds: NonNullable<BuildOptions['bounds']>,
  offset: Triple,
): { min: Triple; max: Triple } {
  const { min, max } = bounds ?? {};
  if (min?.length !== 3 || max?.length !== 3) {
    refuse(caller, 'options.bounds', bounds, '{ min: [x, y, z], max: [x, y, z] }');
  }
  for (let axis = 0; axis < 3; axis++) {
    const far = { least: -MOST_COORDINATE, most: MOST_COORDINATE };
    checkNumber(caller, `options.bounds.min[${axis}]`, min[axis], far);
    checkNumber(caller, `options.bounds.max[${axis}]`, max[axis], { ...far, least: min[axis] });
  }
  return { min: toLocal(min, offset), max: toLocal(max, offset) };
}

/** Returns a number if it is in a range, and throws a RangeError if not. @internal */
export function checkNumber(caller: string, path: string, given: unknown, range: Range): number {
  const { least = 0, most = Infinity, isAbove = false, isWhole = false } = range;
  const value = given as number;
  // Before any comparison: comparing a value of another type may throw.
  const isIn =
    Number.isFinite(value) && (isAbove ? f(value) > least && f(value) < most : value >= least && value <= most);
  if (isIn && !(isWhole && value % 1 !== 0)) return value;
  const bounds = most < Infinity ? `from ${least} to ${most}` : least < 0 ? 'a finite number' : `>= ${least}`;
  return refuse(caller, path, value, isAbove ? `> ${least}` : isWhole ? `a whole number ${bounds}` : bounds);
}

/** Returns a number of voxels, at most as many as a column has. @internal */
export function heightInCells(cells: number): number {
  return Math.min(cells, SPAN_MAX_HEIGHT);
}

/** Returns a length in cells, rounded up. @internal */
export function cellsUp(length: number, cell: number): number {
  const cells = length / cell;
  return Math.max(0, Math.ceil(cells - CELL_ROUNDING * (1 + cells)));
}

/** Returns a length in cells, rounded down. @internal */
export function cellsDown(length: number, cell: number): number {
  const cells = length / cell;
  return Math.floor(cells + CELL_ROUNDING * (1 + cells));
}

/** Returns the value with four significant digits, for messages. @internal */
export function plain(value: number): number {
  return Number(value.toPrecision(4));
}
