/**
 * Measures how well a crowd moves, for any library: arrival, overlaps, positions off the mesh, jams, detours,
 * residual movement.
 *
 * Everything except arrival is measured from positions alone: speeds are the walked distances, the surface is
 * looked up again, and remaining paths are searched by `findPath`. So any two libraries can be compared.
 *
 * In: a `CrowdFrame` per tick. Out: a `CrowdReport`.
 * Cost: about one tick of navkiln's own crowd. Allocates; meant for tests, benchmarks and reports.
 * Based on: own; the measures are usual in studies of crowds.
 */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { hashWords } from '../../base/data/hash.ts';
import {
  checkFunction,
  checkHandle,
  checkKeys,
  checkMutable,
  checkObject,
  checkRecord,
} from '../../base/data/refuse.ts';
import { isOverPoly } from '../../mesh/ground.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { DEFAULT_FILTER, checkFilter } from '../../query/filter.ts';
import type { QueryFilter } from '../../query/filter.ts';
import { createPathBuffer, findPathInto } from '../../query/path/find-path.ts';
import type { PathBuffer } from '../../query/path/find-path.ts';
import { createNearestHit, agentHalfExtents, findNearestInto } from '../../query/nearest/nearest.ts';
import type { NearestHit } from '../../query/nearest/nearest.ts';
import { createSearchState } from '../../query/search-state.ts';
import type { SearchState } from '../../query/search-state.ts';
import { createCrowdOverlap, recordOverlaps } from './overlap.ts';
import type { CrowdOverlap } from './overlap.ts';

// CrowdFrame.state
/** Moving, or idle without a goal. */
export const BODY_MOVING = 0;
/** Waits in a queue. */
export const BODY_QUEUEING = 1;
/** At its goal. */
export const BODY_ARRIVED = 2;
/** As close to its goal as other agents allow. */
export const BODY_SETTLED = 3;
/** It stands and no longer tries to reach its goal. */
export const BODY_GAVE_UP = 4;
/** On a link, without a body on the mesh. */
export const BODY_ON_LINK = 5;
/** Removed, or never added. */
export const BODY_GONE = 6;
/** Stands without an order. */
export const BODY_IDLE = 7;

/** All agents after a tick, by index. */
export interface CrowdFrame {
  /** xyz. */
  position: Float64Array;
  /** BODY_… */
  state: Uint8Array;
  /** xyz; for followers the position of the followed agent. */
  goal: Float64Array;
}

/** The properties of agents that `createCrowdMetrics` needs. */
export interface CrowdMetricsOptions {
  /** World units, one per agent; 0: no body, so that it overlaps with no agent. */
  radius: Float64Array;
  /** World units, one per agent. */
  height: Float64Array;
  /** The filter of each agent's paths. Default: the default filter. */
  filters?: readonly QueryFilter[];
  /** Seconds per tick. */
  stepSeconds: number;
  /** Agents pass the gate when they cross this plane to its positive side: normal . point = offset. Absent: no passages are counted. */
  gate?: { normal: readonly number[]; offset: number };
  /** Returns an agent's horizontal distance from its surface. Default: the distance from the mesh. */
  distanceToGround?: (agent: number) => number;
}

/** Measurements of the movement of a crowd. */
export interface CrowdReport {
  agents: number;
  /** Simulated time. */
  seconds: number;
  stepSeconds: number;
  /** Numbers of agents by their state at the end. */
  arrived: number;
  settled: number;
  gaveUp: number;
  /** Number of agents that stand without an order. */
  idle: number;
  /**
   * Number of agents that are not at rest and came closer to their goal by less than a tenth of a meter in the last
   * three seconds.
   */
  stuck: number;
  /**
   * Number of agents at rest whose distance from the goal is within the radius of a packed circle of all agents with
   * the same goal.
   */
  atGoal: number;
  /**
   * Number of ticks, summed over agents, at which an agent was off the mesh by more than a centimeter, seen from above;
   * and the largest distance.
   */
  offMesh: number;
  offMeshWorst: number;
  /** Deepest overlap, in radii of the smaller body. */
  maxOverlap: number;
  /** Longest time in seconds that a pair overlapped by more than a twentieth of a radius, and the pair. */
  longestOverlap: number;
  longestOverlapPair: [number, number];
  /** Collisions per agent and minute. */
  collisions: number;
  /** Share of agents, at all ticks, that overlap with another one by more than a twentieth of a radius. */
  overlapShare: number;
  /** Quantiles of the times at which agents last came to rest; NaN without any. */
  arrivalP50: number;
  arrivalP95: number;
  /** Time at which the last agent came to rest; NaN when not all did. */
  settlingTime: number;
  /** Highest speed within the last second of agents that were at rest through all of it. */
  residualSpeed: number;
  /** Number of times that an agent, neither at rest nor in a queue, made no progress for three seconds. */
  stalls: number;
  /**
   * Number of agents that passed the gate, and their rate per second between the first and the last one; NaN without a
   * gate.
   */
  passed: number;
  throughput: number;
  /**
   * Walked distance plus the remaining straight line, divided by the path's length; mean over paths above two
   * meters.
   */
  pathOverhead: number;
  /** Radians turned per meter walked. */
  jitter: number;
  /** Hash of all positions at all ticks. */
  hash: string;
}

/** Measurements in progress. */
export interface CrowdMetrics {
  mesh: NavMesh;
  options: CrowdMetricsOptions;
  agentCount: number;
  ticks: number;
  overlap: CrowdOverlap;
  previous: Float64Array;
  isBody: Uint8Array;
  isResting: Uint8Array;
  /**
   * Per agent: tick at which it last came to rest, and tick at which it first came to rest since its last order; -1:
   * none.
   */
  restTick: Int32Array;
  /** Highest speeds of agents at rest, one array per tick of the last second. */
  restSpeed: Float64Array[];
  offMesh: number;
  offMeshWorst: number;
  /** Polygon last found under each agent, and the height of the surface there. */
  poly: Int32Array;
  groundY: Float64Array;
  meshRevision: number;
  /** Per agent: shortest remaining path since the order, its tick, and its goal. */
  bestLeft: Float64Array;
  bestTick: Int32Array;
  isStalled: Uint8Array;
  stalls: number;
  progressGoal: Float64Array;
  /** Walked distance since the last order. */
  walked: Float64Array;
  shortest: Float64Array;
  overheadSum: number;
  overheadCount: number;
  turned: number;
  turnedOver: number;
  /** Per agent: unit vector of its last step above walking speed; 0, 0: none. */
  direction: Float64Array;
  gateSide: Int8Array;
  passed: number;
  firstPass: number;
  lastPass: number;
  hash: number;
  path: PathBuffer;
  search: SearchState;
  hit: NearestHit;
  scratch: { start: Float64Array; end: Float64Array; extents: Float64Array };
}

/** Speed below which directions of movement are noise. */
const WALKING_SPEED = 0.15;
/** Time without progress after which an agent is stuck. */
const STALL_SECONDS = 3;
/** Longest overlap by more than a twentieth of a radius that does not break the promise of no overlaps. */
const MAX_OVERLAP_SECONDS = 0.1;

const KEYS: readonly (keyof CrowdMetricsOptions)[] = [
  'radius',
  'height',
  'filters',
  'stepSeconds',
  'gate',
  'distanceToGround',
];

/**
 * Starts measurements.
 *
 * @param frame the agents at the start
 * @throws RangeError, TypeError for unknown options
 */
export function createCrowdMetrics(mesh: NavMesh, frame: CrowdFrame, options: CrowdMetricsOptions): CrowdMetrics {
  checkNavMesh('createCrowdMetrics', mesh);
  checkRecord('createCrowdMetrics', 'frame', frame, 'state', 'a CrowdFrame');
  checkRecord('createCrowdMetrics', 'options', options, 'radius', 'CrowdMetricsOptions');
  checkKeys('createCrowdMetrics', options, KEYS);
  const n = options.radius.length;
  options.filters?.forEach((filter, i) => checkFilter('createCrowdMetrics', filter, `options.filters[${i}]`));
  const extents = new Float64Array(3);
  agentHalfExtents(extents, mesh);
  const metrics: CrowdMetrics = {
    mesh,
    options,
    agentCount: n,
    ticks: 0,
    overlap: createCrowdOverlap(n),
    previous: frame.position.slice(),
    isBody: new Uint8Array(n),
    isResting: new Uint8Array(n),
    restTick: new Int32Array(n).fill(-1),
    restSpeed: [],
    offMesh: 0,
    offMeshWorst: 0,
    poly: new Int32Array(n).fill(-1),
    groundY: new Float64Array(n),
    meshRevision: mesh.revision,
    bestLeft: new Float64Array(n).fill(Infinity),
    bestTick: new Int32Array(n),
    isStalled: new Uint8Array(n),
    stalls: 0,
    progressGoal: new Float64Array(3 * n),
    walked: new Float64Array(n),
    shortest: new Float64Array(n).fill(NaN),
    overheadSum: 0,
    overheadCount: 0,
    turned: 0,
    turnedOver: 0,
    direction: new Float64Array(2 * n),
    gateSide: new Int8Array(n),
    passed: 0,
    firstPass: NaN,
    lastPass: NaN,
    hash: 0,
    path: createPathBuffer(),
    search: createSearchState(),
    hit: createNearestHit(),
    scratch: { start: new Float64Array(3), end: new Float64Array(3), extents },
  };
  for (let i = 0; i < n; i++) metrics.gateSide[i] = gateSideOf(metrics, frame.position, i);
  return metrics;
}

/** Restarts an agent's path measurements after a new order. Call it when the frame has the new goal. */
export function noteCrowdOrder(metrics: CrowdMetrics, frame: CrowdFrame, agent: number): void {
  checkRecord('noteCrowdOrder', 'metrics', metrics, 'isBody', 'the CrowdMetrics of createCrowdMetrics');
  checkRecord('noteCrowdOrder', 'frame', frame, 'state', 'a CrowdFrame');
  checkHandle('noteCrowdOrder', 'agent', agent);
  metrics.walked[agent] = 0;
  metrics.shortest[agent] = remainingPath(metrics, frame, agent);
  restartProgress(metrics, frame, agent, metrics.shortest[agent]);
}

/** Records a tick. */
export function recordCrowdTick(metrics: CrowdMetrics, frame: CrowdFrame): void {
  checkRecord('recordCrowdTick', 'metrics', metrics, 'isBody', 'the CrowdMetrics of createCrowdMetrics');
  checkMutable('recordCrowdTick', 'metrics', metrics);
  checkRecord('recordCrowdTick', 'frame', frame, 'state', 'a CrowdFrame');
  const { agentCount: n, previous, isBody } = metrics;
  const { position, state } = frame;
  metrics.ticks++;
  for (let i = 0; i < n; i++) {
    isBody[i] = state[i] === BODY_ON_LINK || state[i] === BODY_GONE || !(metrics.options.radius[i] > 0) ? 0 : 1;
  }
  recordOverlaps(metrics.overlap, position, metrics.options.radius, metrics.options.height, isBody);
  const speeds =
    metrics.restSpeed.length < secondsToTicks(metrics, 1) ? new Float64Array(n) : metrics.restSpeed.shift()!;
  metrics.restSpeed.push(speeds);
  if (metrics.meshRevision !== metrics.mesh.revision) {
    metrics.meshRevision = metrics.mesh.revision;
    metrics.poly.fill(-1);
  }
  const period = secondsToTicks(metrics, 1);
  for (let i = 0; i < n; i++) {
    if (state[i] === BODY_GONE) continue;
    recordStep(metrics, frame, i, speeds);
    if (state[i] !== BODY_ON_LINK) recordGround(metrics, position, i);
    recordGate(metrics, position, i);
    if ((metrics.ticks + i) % period === 0) recordProgress(metrics, frame, i);
  }
  previous.set(position);
  const words = new Uint32Array(position.buffer, position.byteOffset, 6 * n);
  metrics.hash = hashWords(words, 0, words.length, metrics.hash);
}

function recordStep(
  metrics: CrowdMetrics,
  { position, state, goal }: CrowdFrame,
  i: number,
  speeds: Float64Array,
): void {
  const {
    previous,
    direction,
    options: { stepSeconds },
  } = metrics;
  const dx = position[3 * i] - previous[3 * i];
  const dz = position[3 * i + 2] - previous[3 * i + 2];
  const length = Math.sqrt(dx * dx + dz * dz);
  metrics.walked[i] += length;
  const rests = isAtRest(state[i]);
  speeds[i] = rests ? length / stepSeconds : NaN;
  if (rests && metrics.isResting[i] === 0) {
    metrics.restTick[i] = metrics.ticks;
    if (metrics.shortest[i] > 2) {
      const gx = goal[3 * i] - position[3 * i];
      const gz = goal[3 * i + 2] - position[3 * i + 2];
      metrics.overheadSum += (metrics.walked[i] + Math.sqrt(gx * gx + gz * gz)) / metrics.shortest[i];
      metrics.overheadCount++;
    }
    metrics.shortest[i] = NaN;
  }
  metrics.isResting[i] = rests ? 1 : 0;
  if (state[i] === BODY_ON_LINK || length < WALKING_SPEED * stepSeconds) {
    direction[2 * i] = direction[2 * i + 1] = 0;
    return;
  }
  const ux = dx / length;
  const uz = dz / length;
  if (direction[2 * i] !== 0 || direction[2 * i + 1] !== 0) {
    // The chord between two unit vectors approximates small angles.
    const cx = ux - direction[2 * i];
    const cz = uz - direction[2 * i + 1];
    metrics.turned += Math.sqrt(cx * cx + cz * cz);
    metrics.turnedOver += length;
  }
  direction[2 * i] = ux;
  direction[2 * i + 1] = uz;
}

function recordGround(metrics: CrowdMetrics, position: Float64Array, i: number): void {
  const {
    options: { distanceToGround, filters },
    scratch: { start, extents },
    mesh,
    hit,
    poly,
    groundY,
  } = metrics;
  let distance = 0;
  if (distanceToGround !== undefined) distance = distanceToGround(i);
  else {
    for (let k = 0; k < 3; k++) start[k] = position[3 * i + k];
    const rise = start[1] - groundY[i];
    if (poly[i] >= 0 && rise < 0.3 && rise > -0.3 && isOverPoly(mesh, poly[i], start)) return;
    findNearestInto(hit, mesh, start, extents, filters?.[i] ?? DEFAULT_FILTER);
    const dx = hit.point[0] - start[0];
    const dz = hit.point[2] - start[2];
    distance = hit.poly < 0 ? extents[0] : Math.sqrt(dx * dx + dz * dz);
    poly[i] = hit.poly;
    groundY[i] = hit.point[1];
  }
  if (distance > metrics.offMeshWorst) metrics.offMeshWorst = distance;
  if (distance > 0.01) metrics.offMesh++;
}

function recordGate(metrics: CrowdMetrics, position: Float64Array, i: number): void {
  const side = gateSideOf(metrics, position, i);
  if (side > 0 && metrics.gateSide[i] < 0) {
    const now = metrics.ticks * metrics.options.stepSeconds;
    if (metrics.passed === 0) metrics.firstPass = now;
    metrics.lastPass = now;
    metrics.passed++;
    // Each agent counts once.
    metrics.gateSide[i] = 1;
  }
}

function gateSideOf({ options: { gate } }: CrowdMetrics, position: Float64Array, i: number): number {
  if (gate === undefined) return 0;
  const { normal, offset } = gate;
  return normal[0] * position[3 * i] + normal[1] * position[3 * i + 1] + normal[2] * position[3 * i + 2] > offset
    ? 1
    : -1;
}

/** Checks once per second whether the remaining path has become shorter. */
function recordProgress(metrics: CrowdMetrics, frame: CrowdFrame, i: number): void {
  const { bestLeft, bestTick, isStalled, progressGoal, ticks } = metrics;
  const { goal, state } = frame;
  const moved = Math.abs(goal[3 * i] - progressGoal[3 * i]) + Math.abs(goal[3 * i + 2] - progressGoal[3 * i + 2]);
  if (moved > 0.2 || isAtRest(state[i]) || state[i] === BODY_ON_LINK || state[i] === BODY_QUEUEING) {
    restartProgress(metrics, frame, i, Infinity);
    return;
  }
  const left = remainingPath(metrics, frame, i);
  if (left < bestLeft[i] - 0.1) {
    bestLeft[i] = left;
    bestTick[i] = ticks;
    isStalled[i] = 0;
  } else if (ticks - bestTick[i] >= secondsToTicks(metrics, STALL_SECONDS) && isStalled[i] === 0) {
    isStalled[i] = 1;
    metrics.stalls++;
  }
}

function restartProgress(metrics: CrowdMetrics, { goal }: CrowdFrame, i: number, left: number): void {
  for (let k = 0; k < 3; k++) metrics.progressGoal[3 * i + k] = goal[3 * i + k];
  metrics.bestLeft[i] = left;
  metrics.bestTick[i] = metrics.ticks;
  metrics.isStalled[i] = 0;
}

/** Returns the length of the path to an agent's goal; Infinity without a path. */
function remainingPath(metrics: CrowdMetrics, { position, goal }: CrowdFrame, i: number): number {
  const {
    path,
    search,
    mesh,
    options: { filters },
    scratch: { start, end, extents },
  } = metrics;
  for (let k = 0; k < 3; k++) {
    start[k] = position[3 * i + k];
    end[k] = goal[3 * i + k];
  }
  const filter = filters?.[i] ?? DEFAULT_FILTER;
  findPathInto(path, search, mesh, { start, end, halfExtents: extents, filter, maxNodes: Infinity });
  return path.status === 'complete' ? path.length : Infinity;
}

/**
 * Returns the report of all recorded ticks.
 *
 * @param packed returns how close to its goal an agent can get when all agents with the same goal are there,
 *   too
 */
export function summarizeCrowd(
  metrics: CrowdMetrics,
  frame: CrowdFrame,
  packed: (agent: number) => number,
): CrowdReport {
  checkRecord('summarizeCrowd', 'metrics', metrics, 'isBody', 'the CrowdMetrics of createCrowdMetrics');
  checkRecord('summarizeCrowd', 'frame', frame, 'state', 'a CrowdFrame');
  checkFunction('summarizeCrowd', 'packed', packed);
  const {
    agentCount: n,
    ticks,
    overlap,
    restTick,
    options: { stepSeconds, gate },
  } = metrics;
  const { position, goal, state } = frame;
  const count = [0, 0, 0, 0, 0, 0, 0, 0];
  const times: number[] = [];
  let atGoal = 0;
  let stuck = 0;
  let residualSpeed = 0;
  let there = 0;
  for (let i = 0; i < n; i++) {
    count[state[i]]++;
    if (state[i] === BODY_GONE) continue;
    there++;
    if (restTick[i] >= 0 && isAtRest(state[i])) times.push(restTick[i] * stepSeconds);
    if (!isAtRest(state[i]) && metrics.isStalled[i] === 1) stuck++;
    const dx = position[3 * i] - goal[3 * i];
    const dz = position[3 * i + 2] - goal[3 * i + 2];
    const dy = position[3 * i + 1] - goal[3 * i + 1];
    const hasGoal = isAtRest(state[i]) && state[i] !== BODY_IDLE;
    if (hasGoal && Math.sqrt(dx * dx + dz * dz) <= packed(i) && dy < 1 && dy > -1) atGoal++;
    let fastest = 0;
    // NaN marks ticks at which the agent was not at rest; it does not count then.
    for (const speeds of metrics.restSpeed)
      fastest = speeds[i] >= 0 && fastest >= 0 ? Math.max(fastest, speeds[i]) : NaN;
    if (fastest > residualSpeed) residualSpeed = fastest;
  }
  times.sort((a, b) => a - b);
  const minutes = (Math.max(1, there) * ticks * stepSeconds) / 60;
  return {
    agents: n,
    seconds: ticks * stepSeconds,
    stepSeconds,
    arrived: count[BODY_ARRIVED],
    settled: count[BODY_SETTLED],
    gaveUp: count[BODY_GAVE_UP],
    idle: count[BODY_IDLE],
    stuck,
    atGoal,
    offMesh: metrics.offMesh,
    offMeshWorst: metrics.offMeshWorst,
    maxOverlap: overlap.maxDepth,
    longestOverlap: overlap.longestTicks * stepSeconds,
    longestOverlapPair: overlap.longestPair,
    collisions: overlap.collisions / minutes,
    overlapShare: overlap.deepSamples / Math.max(1, overlap.samples),
    arrivalP50: quantile(times, 0.5),
    arrivalP95: quantile(times, 0.95),
    settlingTime: times.length === there ? quantile(times, 1) : NaN,
    residualSpeed,
    stalls: metrics.stalls,
    passed: metrics.passed,
    throughput:
      gate === undefined ? NaN : metrics.passed < 2 ? 0 : (metrics.passed - 1) / (metrics.lastPass - metrics.firstPass),
    pathOverhead: metrics.overheadSum / metrics.overheadCount,
    jitter: metrics.turnedOver > 0 ? metrics.turned / metrics.turnedOver : 0,
    hash: metrics.hash.toString(16).padStart(8, '0'),
  };
}

/**
 * Returns a sentence for each promise of a crowd that a run broke. The list is empty if all agents arrived, stayed on
 * the mesh, did not overlap for long, and stand still at rest.
 */
export function listBrokenPromises(report: CrowdReport): string[] {
  checkObject('listBrokenPromises', 'report', report);
  const { agents, arrived, settled, idle, gaveUp, stuck, atGoal, offMesh, residualSpeed, longestOverlap, stepSeconds } =
    report;
  const broken: string[] = [];
  if (arrived + settled + idle < agents) {
    broken.push(`${arrived} arrived and ${settled} settled of ${agents - idle}; ${gaveUp} gave up, ${stuck} are stuck`);
  }
  if (atGoal < arrived + settled) broken.push(`${arrived + settled - atGoal} rest far from their goal`);
  if (offMesh > 0) broken.push(`off the mesh for ${offMesh} agent-ticks, by ${report.offMeshWorst} at worst`);
  if (longestOverlap > MAX_OVERLAP_SECONDS + stepSeconds / 2) {
    const [a, b] = report.longestOverlapPair;
    broken.push(
      `${a} and ${b} overlap for ${longestOverlap} s; the deepest overlap of any two is ${report.maxOverlap} radii`,
    );
  }
  if (residualSpeed > 0) broken.push(`an agent at rest moves at ${residualSpeed} per second`);
  return broken;
}

/** Returns whether a state means that the agent has reached its goal, or stands without a goal. */
export function isAtRest(state: number): boolean {
  return state === BODY_ARRIVED || state === BODY_SETTLED || state === BODY_IDLE;
}

/** Returns the quantile of sorted values; NaN without values. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted.length === 0 ? NaN : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function secondsToTicks({ options: { stepSeconds } }: CrowdMetrics, seconds: number): number {
  return Math.max(1, Math.round(seconds / stepSeconds));
}
