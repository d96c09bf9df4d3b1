/**
 * Explains why agents cannot walk from one position of a level to another: finds the limit of the bake that closes the route. It bakes the
 * level several times with other limits.
 *
 *     door 0.7 wide              radius 0.4 -> 0.2
 *     beam 1.5 above the floor   height 1.8 -> 1.4
 *     step of 0.6                maxClimb 0.4 -> 0.6
 *     ramp of 52 degrees         maxSlopeDegrees 45 -> 52
 *     door 0.9 wide              cellSize 0.2 -> 0.1, since erosion rounds up to whole cells
 *
 * Each limit is relaxed alone first. If no single limit suffices, all are relaxed, and the limits that are not needed are restored. For
 * each limit, bisection finds the value nearest to the agent's with which there is a path.
 *
 * In: a level, the options of its bake, two positions. Out: limits with the values they need, and the positions of the passages.
 * Cost: 5 to 30 bakes of the level without detail. For tools and logs.
 * Based on: own.
 */
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import type { AgentShape, NavMesh } from '../../mesh/types.ts';
import type { GapExplanation } from '../../query/explain/explanation.ts';
import { findNearest } from '../../query/nearest/nearest.ts';
import { findPath } from '../../query/path/find-path.ts';
import type { LocatedPath } from '../../query/path/result.ts';
import { buildNavMesh, resolveBakeFor } from '../../build/voxel/build.ts';
import type { BuildOptions, TriangleInput } from '../../build/voxel/options.ts';

/** Options of a bake that may close a route. */
export type LimitOption = keyof AgentShape | 'cellSize';

/** A limit of a bake that closes a route. */
export interface AgentLimit {
  option: LimitOption;
  /** The value of the bake, world units or degrees. */
  value: number;
  /** The nearest value with which there is a path, within two cells or one degree. A smaller radius may also need smaller cells. */
  needed: number;
  /** The middle of the passage, where the path with the needed value leaves the mesh. World units. */
  at: [number, number, number];
}

/** Result of `explainAgentLimits`. */
export interface AgentLimitsExplanation {
  /**
   * The limits, sorted by the size of the change, smallest first. Empty if there is already a path. Also empty if even an agent of a
   * quarter of the size, which climbs three quarters of its height and slopes to 80 degrees, has no path.
   */
  limits: AgentLimit[];
  /** True if all of `limits` must change together; false if one of them suffices. */
  areAllNeeded: boolean;
  /** The explanation in English. */
  message: string;
}

const OPTIONS = ['cellSize', 'radius', 'height', 'maxClimb', 'maxSlopeDegrees'] as const;
/** Smallest share to which radius and height are reduced, and largest share of the height to which the climb is raised. */
const LEAST_SIZE = 1 / 4;
const MOST_CLIMB = 3 / 4;
const STEEPEST = 80;
/** Larger levels are cut to this many cells per side, around the middle between both positions. */
const MOST_CELLS = 512;
/** Most values of one limit. */
const MOST_VALUES = 4096;
const NO_LIMIT = 'There is a path.';
const ANOTHER_LEVEL =
  'A new bake of this level as one tile connects them: the mesh was baked with other options or from another level, or was changed since.';
const TOO_FAR = 'The positions are too far apart for trial bakes.';

const from = new Float64Array(3);
const to = new Float64Array(3);

/** Values of one limit: `values[0]` is the agent's, each further one allows more. */
interface Ladder {
  option: LimitOption;
  values: number[];
}

/** Values that replace those of the bake. */
type Change = Partial<Record<LimitOption, number>>;

/** The trial bakes of one call. */
interface Trials {
  level: TriangleInput;
  options: BuildOptions;
  agent: AgentShape;
  cellSize: number;
  start: PointLike;
  end: PointLike;
}

/**
 * Explains which limit of the agent closes the route between two positions of a level: its radius, height, climb or slope. It bakes
 * the level with other limits, up to 30 times, so it is for tools and logs. If a level has more than 512 cells per side, it bakes only the
 * part around both positions.
 *
 * @param level the triangles of the bake, world units
 * @param options the options of the bake. With `sizes`, the function explains the limits of the smallest size
 * @param start, end positions on the mesh, world units
 * @throws what `buildNavMesh` and `findPath` throw
 */
export function explainAgentLimits(
  level: TriangleInput,
  options: BuildOptions,
  start: PointLike,
  end: PointLike,
): AgentLimitsExplanation {
  const caller = 'explainAgentLimits';
  readPoint(from, start, caller, 'start');
  readPoint(to, end, caller, 'end');
  const { agent, cellSize, cellHeight, widthCells, depthCells, boundsMin, boundsMax, offset } = resolveBakeFor(
    caller,
    level,
    options,
  );
  const {
    sizes: _sizes,
    autoLinks: _autoLinks,
    keepReachable: _keepReachable,
    onProgress: _onProgress,
    ...rest
  } = options;
  // One tile, since portals would have no detail to compare.
  const fixed = {
    ...rest,
    cellSize,
    cellHeight,
    strict: false,
    dynamic: undefined,
    detailSampleDistance: 0,
    tileSize: 0,
  };
  if (Math.max(widthCells, depthCells) > MOST_CELLS) {
    const reach = (MOST_CELLS * cellSize) / 2;
    const [min, max] = [[...boundsMin], [...boundsMax]];
    for (const axis of [0, 1, 2]) {
      const middle = (from[axis] + to[axis]) / 2;
      const most = axis === 1 ? Infinity : reach;
      if (Math.abs(from[axis] - to[axis]) > most) return { limits: [], areAllNeeded: false, message: TOO_FAR };
      min[axis] = Math.max(min[axis] + offset[axis], middle - most);
      max[axis] = Math.min(max[axis] + offset[axis], middle + most);
    }
    fixed.bounds = { min, max };
  }
  const trials: Trials = { level, options: fixed, agent, cellSize, start, end };
  const mesh = bakeWith(trials, {});
  if (isComplete(trials, mesh)) return { limits: [], areAllNeeded: false, message: NO_LIMIT };
  const ladders = OPTIONS.map((option) => ladderOf(option, agent, cellSize, cellHeight));
  const alone = ladders.filter((ladder) => isComplete(trials, bakeWith(trials, loosest([ladder]))));
  const areAllNeeded = alone.length === 0;
  const needed = areAllNeeded ? neededTogether(trials, ladders) : alone;
  const limits = needed.map((ladder) =>
    limitOf(trials, mesh, ladder, areAllNeeded ? needed.filter((other) => other !== ladder) : []),
  );
  limits.sort((a, b) => changeOf(a) - changeOf(b));
  return { limits, areAllNeeded: areAllNeeded && limits.length > 0, message: messageOf(limits, areAllNeeded, ladders) };
}

/**
 * Returns the option `explainGap` of `explainPath`: a sentence such as "There would be a path with radius 0.2 instead of 0.4, past
 * [10.1, 0, 5]." If the level has no limit that closes the route, the sentence says that the mesh differs from the level. See `explainAgentLimits`.
 *
 * @param level the triangles that the mesh was baked from, world units
 * @param options the options of the bake
 * @throws what `buildNavMesh` throws for its arguments
 */
export function createLimitExplainer(
  level: TriangleInput,
  options: BuildOptions = {},
): (mesh: NavMesh, gap: GapExplanation) => string {
  resolveBakeFor('createLimitExplainer', level, options);
  return (mesh, gap) => {
    const size = mesh.sizes.find(({ name }) => name === gap.size);
    const { radius, height, maxClimb, maxSlopeDegrees } = size ?? mesh.agent;
    // The mesh rounds its cells to float32, as a bake does.
    const { cellSize, cellHeight } = mesh;
    const agent = { radius, height, maxClimb, maxSlopeDegrees };
    const { sizes: _sizes, ...rest } = options;
    const { message } = explainAgentLimits(level, { ...rest, agent, cellSize, cellHeight }, gap.from, gap.to);
    return message === NO_LIMIT ? ANOTHER_LEVEL : message;
  };
}

function ladderOf(option: LimitOption, agent: AgentShape, cellSize: number, cellHeight: number): Ladder {
  const value = option === 'cellSize' ? cellSize : agent[option];
  const values = [value];
  const add = (first: number, last: number, step: number, unit: number): void => {
    const stride = step * Math.max(1, Math.ceil(Math.abs(last - first) / MOST_VALUES));
    for (let k = first; step * (last - k) >= 0; k += stride) values.push(Number((k * unit).toPrecision(6)));
  };
  const cells = (length: number, unit: number): number => Math.ceil(length / unit - 1e-3);
  const half = cellSize / 2;
  if (option === 'cellSize') values.push(half);
  else if (option === 'radius') add(cells(value, half) - 1, Math.max(1, cells(value * LEAST_SIZE, half)), -1, half);
  else if (option === 'height')
    add(cells(value, cellHeight) - 1, cells(value * LEAST_SIZE, cellHeight), -1, cellHeight);
  else if (option === 'maxSlopeDegrees') add(Math.floor(value) + 1, STEEPEST, 1, 1);
  else
    add(Math.floor(value / cellHeight + 1e-3) + 1, Math.floor((agent.height * MOST_CLIMB) / cellHeight), 1, cellHeight);
  return { option, values };
}

function loosest(ladders: readonly Ladder[]): Change {
  return Object.fromEntries(ladders.map(({ option, values }) => [option, values[values.length - 1]]));
}

function bakeWith({ level, options, agent, cellSize }: Trials, change: Change): NavMesh {
  const { cellSize: cells = change.radius === undefined ? cellSize : cellSize / 2, ...shape } = change;
  return buildNavMesh(level, { ...options, cellSize: cells, agent: { ...agent, ...shape } }).navMesh;
}

function pathOn({ start, end, agent, cellSize }: Trials, mesh: NavMesh): LocatedPath {
  const across = agent.radius + 2 * cellSize;
  return findPath(mesh, start, end, { halfExtents: [across, agent.height, across] });
}

function isComplete(trials: Trials, mesh: NavMesh): boolean {
  return pathOn(trials, mesh).status === 'complete';
}

/** Returns the limits that must be relaxed together; an empty list if that does not suffice. */
function neededTogether(trials: Trials, ladders: readonly Ladder[]): Ladder[] {
  let kept = [...ladders];
  if (!isComplete(trials, bakeWith(trials, loosest(kept)))) return [];
  for (const ladder of ladders) {
    const fewer = kept.filter((other) => other !== ladder);
    if (isComplete(trials, bakeWith(trials, loosest(fewer)))) kept = fewer;
  }
  return kept;
}

/** Returns the needed value of a limit, while `others` are relaxed as far as possible. */
function limitOf(trials: Trials, mesh: NavMesh, { option, values }: Ladder, others: readonly Ladder[]): AgentLimit {
  let closed = 0;
  let open = values.length - 1;
  let relaxed = bakeWith(trials, { ...loosest(others), [option]: values[open] });
  while (open > closed + 1) {
    const middle = (open + closed) >> 1;
    const trial = bakeWith(trials, { ...loosest(others), [option]: values[middle] });
    if (isComplete(trials, trial)) {
      open = middle;
      relaxed = trial;
    } else {
      closed = middle;
    }
  }
  return { option, value: values[0], needed: values[open], at: passageOf(trials, mesh, pathOn(trials, relaxed)) };
}

/** Returns the middle of the longest part of a path that is not on the mesh. */
function passageOf({ cellSize, agent }: Trials, mesh: NavMesh, { points }: LocatedPath): [number, number, number] {
  const halfExtents = [0.75 * cellSize, agent.maxClimb, 0.75 * cellSize] as const;
  const samples: [number, number, number][] = [];
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    const [dx, dy, dz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const count = Math.ceil(Math.sqrt(dx * dx + dz * dz) / (0.5 * cellSize));
    for (let k = 0; k < count; k++) {
      const t = k / count;
      samples.push([a[0] + t * dx, a[1] + t * dy, a[2] + t * dz]);
    }
  }
  let best = [0, samples.length];
  let longest = 0;
  let first = 0;
  for (let i = 0; i <= samples.length; i++) {
    if (i < samples.length && !findNearest(mesh, samples[i], { halfExtents }).found) continue;
    if (i - first > longest) {
      longest = i - first;
      best = [first, i];
    }
    first = i + 1;
  }
  return samples[(best[0] + best[1]) >> 1].map((value) => Number(value.toFixed(3))) as [number, number, number];
}

/** The size of a change as a share of the value, which sorts limits. Smaller cells do not change the agent, so they come first. */
function changeOf({ option, value, needed }: AgentLimit): number {
  if (option === 'cellSize') return 0;
  return Math.abs(needed - value) / (option === 'maxSlopeDegrees' ? 90 : Math.max(value, needed));
}

function messageOf(limits: readonly AgentLimit[], areAllNeeded: boolean, ladders: readonly Ladder[]): string {
  if (limits.length === 0) {
    const most = ladders.map(({ option, values }) => `${option} ${text(values[values.length - 1])}`);
    return `Even with ${listed(most, 'and')} there would be no path: walls or holes separate the positions.`;
  }
  const changes = limits.map(
    ({ option, value, needed, at }) =>
      `${option} ${text(needed)} instead of ${text(value)}, past [${at.map((coordinate) => text(coordinate)).join(', ')}]`,
  );
  return `There would be a path with ${listed(changes, areAllNeeded ? 'and together with' : 'or with')}.`;
}

function text(value: number): string {
  return String(Number(value.toFixed(3)));
}

function listed(parts: readonly string[], word: string): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${word} ${parts[parts.length - 1]}`;
}
