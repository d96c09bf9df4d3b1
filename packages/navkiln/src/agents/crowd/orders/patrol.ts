/**
 * Orders with several points: patrol along a route until the next order, walk along a path once, or visit queued points
 * in turn. patrol-step.ts continues them.
 *
 * In: a crowd, the id of an agent, points, options.
 * Out: `patrol*`, the route in `Crowd.patrols`, the goal of the first leg; an `OrderResult`.
 * Cost: a search for the nearest polygon per point. Allocates the route.
 * Based on: own.
 */
import { checkKeys, refuse } from '../../../base/data/refuse.ts';
import { readPoint } from '../../../base/math/point.ts';
import type { PointLike } from '../../../base/math/point.ts';
import { createNearestHit, findNearInto } from '../../../query/nearest/nearest.ts';
import { readAgentSlot } from '../state/ids.ts';
import { MOST_SECONDS } from '../state/limits.ts';
import { isIdleOrDone } from '../state/rest.ts';
import {
  GOAL_AGENT,
  GOAL_NONE,
  GOAL_VELOCITY,
  MODE_PASSING,
  ROUTE_BACK,
  ROUTE_LOOP,
  ROUTE_ONCE,
} from '../state/types.ts';
import type { AgentId, Crowd, PatrolRoute } from '../state/types.ts';
import { aimAtPoint, refusalOf } from './orders.ts';
import { endPatrol } from './patrol-state.ts';
import { patrols } from './patrol-step.ts';
import type { OrderResult } from './result.ts';
import { addBehavior } from '../state/behaviors.ts';
import { checkCrowd } from '../state/check-crowd.ts';

/**
 * 'loop': after the last point, the agent goes to the first one. 'there-and-back': it goes back along the route, and
 * starts again.
 */
export type PatrolMode = 'loop' | 'there-and-back';

/** Options of `patrolAgent`. */
export interface PatrolOptions {
  /** Default 'loop'. */
  mode?: PatrolMode;
  /** Seconds to wait at each point, or an array with one number for each point; 0 .. 1e9. Default 0. */
  waitSeconds?: number | readonly number[];
}

const PATROL_KEYS: readonly (keyof PatrolOptions)[] = ['mode', 'waitSeconds'];
const MODES: readonly unknown[] = ['loop', 'there-and-back'] satisfies PatrolMode[];
const LEAST_POINTS = 2;
const MOST_POINTS = 1024;
/** Marks a point that the agent passes without a stop, in place of a wait. */
const PASS = -1;

/** The point of the current call. */
const requested = new Float64Array(3);
const hit = createNearestHit();

/**
 * Makes an agent walk from point to point until its next order: first to `points[0]`, then in order.
 *
 * Each point is moved to the nearest one on the mesh, searched within `defaultHalfExtents`. The agent reports 'arrived'
 * (or 'settled', 'blocked', 'gave-up') at each point and continues after its wait. It leaves a point that it cannot
 * reach after two seconds, or after its wait if that is longer. So a patrol never ends by itself; `teleportAgent` does
 * not end it either. `AgentInfo.patrolPoint` is the index of the current point.
 *
 * Returns 'accepted', 'no-agent', 'avoid-only', 'too-many-points', or 'off-mesh' when no polygon is near one of the points. If
 * the order is not accepted, the previous order holds. Throws a RangeError for fewer than two points and for options that are
 * unknown or out of range, and a TypeError for an invalid point.
 */
export function patrolAgent(
  crowd: Crowd,
  id: AgentId,
  points: readonly PointLike[],
  options: PatrolOptions = {},
): OrderResult {
  checkCrowd('patrolAgent', crowd);
  checkKeys('patrolAgent', options, PATROL_KEYS);
  const slot = readAgentSlot(crowd, id, 'patrolAgent');
  if (!Array.isArray(points) || points.length < LEAST_POINTS) {
    refuse('patrolAgent', 'points', points, `an array of at least ${LEAST_POINTS} points`);
  }
  if (points.length > mostPoints(crowd)) return 'too-many-points';
  const { mode = 'loop', waitSeconds = 0 } = options;
  if (!MODES.includes(mode)) refuse('patrolAgent', 'options.mode', mode, "'loop' or 'there-and-back'");
  const waits = readWaits(waitSeconds, points.length);
  for (let i = 0; i < points.length; i++) readPoint(requested, points[i], 'patrolAgent', `points[${i}]`);
  const refusal = refusalOf(crowd, slot);
  if (refusal !== 'accepted') return refusal;
  const route = placeRoute(crowd, slot, points, 'patrolAgent');
  if (route === null) return 'off-mesh';
  endPatrol(crowd, slot);
  aimAtPoint(crowd, slot, hit.poly, hit.point);
  crowd.patrols[slot] = { points: route, waits, mode: mode === 'loop' ? ROUTE_LOOP : ROUTE_BACK };
  crowd.agents.patrolPoint[slot] = 1;
  return 'accepted';
}

/**
 * Returns the points on the mesh, and registers the step of patrols. Returns null when no polygon is near one of the
 * points. `hit` becomes the first point.
 */
function placeRoute(crowd: Crowd, slot: number, points: readonly PointLike[], caller: string): Float64Array | null {
  const route = new Float64Array(3 * points.length);
  // Backwards, so that `hit` is the first point in the end.
  for (let i = points.length - 1; i >= 0; i--) {
    readPoint(requested, points[i], caller, `points[${i}]`);
    findNearInto(hit, crowd.mesh, requested, crowd.filters[crowd.agents.filter[slot]]);
    if (hit.poly < 0) return null;
    route.set(hit.point, 3 * i);
  }
  addBehavior(crowd, patrols);
  return route;
}

/**
 * Makes an agent walk along a path that was found elsewhere, such as the points of `findPath` or of your own planner.
 * It passes each point and stops at the last one. It searches a path on the mesh from point to point, so that it gets
 * around changes. It skips a point that it cannot reach after two seconds.
 *
 * A point counts as passed within `arriveDistance` or the agent's radius. Only the last point reports an event. Returns
 * what `patrolAgent` returns. Throws a TypeError for an invalid point, and a RangeError for no points.
 */
export function moveAgentAlong(crowd: Crowd, id: AgentId, points: readonly PointLike[]): OrderResult {
  checkCrowd('moveAgentAlong', crowd);
  const slot = readAgentSlot(crowd, id, 'moveAgentAlong');
  if (!Array.isArray(points) || points.length === 0) {
    refuse('moveAgentAlong', 'points', points, 'an array of at least 1 point');
  }
  if (points.length > mostPoints(crowd)) return 'too-many-points';
  for (let i = 0; i < points.length; i++) readPoint(requested, points[i], 'moveAgentAlong', `points[${i}]`);
  const refusal = refusalOf(crowd, slot);
  if (refusal !== 'accepted') return refusal;
  const route = placeRoute(crowd, slot, points, 'moveAgentAlong');
  if (route === null) return 'off-mesh';
  const waits = new Float64Array(points.length).fill(PASS);
  waits[points.length - 1] = 0;
  endPatrol(crowd, slot);
  startRoute(crowd, slot, { points: route, waits, mode: ROUTE_ONCE }, 1);
  aimAtPoint(crowd, slot, hit.poly, hit.point);
  return 'accepted';
}

/** Options of `queueAgentMove`. */
export interface QueueOptions {
  /** Seconds to wait at the point before the next one; 0 .. 1e9. Default 0. */
  waitSeconds?: number;
}

/**
 * Queues a point: the agent goes there after all points of `moveAgentTo`, `moveAgentAlong` and earlier calls. An agent
 * without an order, or with a finished one, goes immediately. Each point reports 'arrived', and is skipped after two
 * seconds if the agent cannot reach it. Any other order replaces all of them. `AgentInfo.queuedCount` is the number of
 * points after the current one.
 *
 * Returns 'accepted', 'no-agent', 'avoid-only', 'off-mesh', 'too-many-points', or 'endless' for an agent whose order never ends, because
 * it follows an agent, has a velocity or patrols. Throws a TypeError for an invalid point, and a RangeError for options
 * that are unknown or out of range.
 */
export function queueAgentMove(crowd: Crowd, id: AgentId, point: PointLike, options: QueueOptions = {}): OrderResult {
  checkCrowd('queueAgentMove', crowd);
  checkKeys('queueAgentMove', options, ['waitSeconds'] satisfies (keyof QueueOptions)[]);
  readPoint(requested, point, 'queueAgentMove', 'point');
  const { waitSeconds = 0 } = options;
  if (typeof waitSeconds !== 'number' || !(waitSeconds >= 0 && waitSeconds <= MOST_SECONDS))
    refuse('queueAgentMove', 'options.waitSeconds', waitSeconds, `0 .. ${MOST_SECONDS} seconds`);
  const slot = readAgentSlot(crowd, id, 'queueAgentMove');
  const refusal = refusalOf(crowd, slot);
  if (refusal !== 'accepted') return refusal;
  const { agents, patrols } = crowd;
  const kind = agents.goalKind[slot];
  const known = agents.patrolPoint[slot] > 0 ? patrols[slot]! : null;
  if (kind === GOAL_AGENT || kind === GOAL_VELOCITY || (known !== null && known.mode !== ROUTE_ONCE)) return 'endless';
  const first = Math.max(0, agents.patrolPoint[slot] - 1);
  if (known !== null && known.waits.length - first >= mostPoints(crowd)) return 'too-many-points';
  const next = placeRoute(crowd, slot, [point], 'queueAgentMove');
  if (next === null) return 'off-mesh';
  if (known === null && (kind === GOAL_NONE || isIdleOrDone(agents.status[slot]))) {
    endPatrol(crowd, slot);
    startRoute(crowd, slot, { points: next, waits: Float64Array.of(waitSeconds), mode: ROUTE_ONCE }, 1);
    aimAtPoint(crowd, slot, hit.poly, hit.point);
    return 'accepted';
  }
  const before = known === null ? agents.goal.subarray(3 * slot, 3 * slot + 3) : known.points.subarray(3 * first);
  const waits = known === null ? Float64Array.of(0) : known.waits.subarray(first);
  patrols[slot] = {
    points: append(before, next),
    waits: append(waits, Float64Array.of(waitSeconds)),
    mode: ROUTE_ONCE,
  };
  agents.patrolPoint[slot] = 1;
  return 'accepted';
}

/** How many numbers of a buffer of `append` are in use. */
const used = /* @__PURE__ */ new WeakMap<ArrayBufferLike, number>();

/**
 * Returns a list with more numbers, behind those of the list if its buffer has room there, and otherwise in a buffer twice as long.
 * The list itself keeps its numbers: a route that was rewound is copied, since later numbers are in use.
 */
function append(list: Float64Array, more: Float64Array): Float64Array {
  const { length } = list;
  let from = list.byteOffset / 8;
  let all = new Float64Array(list.buffer);
  if (used.get(all.buffer) !== from + length || from + length + more.length > all.length) {
    from = 0;
    all = new Float64Array(2 * (length + more.length));
    all.set(list);
  }
  all.set(more, from + length);
  used.set(all.buffer, from + length + more.length);
  return all.subarray(from, from + length + more.length);
}

/** Returns the most points that an agent's route may have. */
function mostPoints({ behaviors }: Crowd): number {
  return behaviors.maxRoutePoints?.() ?? MOST_POINTS;
}

/** Gives an agent a route that it walks once. @internal */
function startRoute({ agents, patrols }: Crowd, slot: number, route: PatrolRoute, point: number): void {
  patrols[slot] = route;
  agents.patrolPoint[slot] = point;
  if (route.waits[point - 1] === PASS) agents.modes[slot] |= MODE_PASSING;
}

/** Returns the wait at each of `count` points. */
function readWaits(waitSeconds: number | readonly number[], count: number): Float64Array {
  const isList = Array.isArray(waitSeconds);
  if (isList && waitSeconds.length !== count) {
    refuse('patrolAgent', 'options.waitSeconds.length', waitSeconds.length, `${count}, the number of points`);
  }
  return Float64Array.from({ length: count }, (_, i) => {
    const wait = isList ? waitSeconds[i] : waitSeconds;
    const path = isList ? `options.waitSeconds[${i}]` : 'options.waitSeconds';
    if (typeof wait !== 'number' || !(wait >= 0 && wait <= MOST_SECONDS))
      refuse('patrolAgent', path, wait, `0 .. ${MOST_SECONDS} seconds`);
    return wait;
  });
}
