/**
 * The order to patrol: to walk along the points of a route until the next order. patrol.ts continues it.
 *
 * In: a crowd, the id of an agent, points, options.
 * Out: `patrol*`, the route in `Crowd.patrols`, the goal of the first leg; an `OrderResult`.
 * Cost: a search for the nearest polygon per point. Allocates the route.
 * Based on: own.
 */
import { checkKeys, checkRecord, refuse } from '../../data/refuse.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { createNearestHit, defaultHalfExtents, findNearestInto } from '../../query/nearest/nearest.ts';
import { readAgentSlot } from '../state/ids.ts';
import { MOST_SECONDS } from '../state/limits.ts';
import type { AgentId, Crowd } from '../state/types.ts';
import { aimAtPoint, refusalOf } from './orders.ts';
import { endPatrol } from './patrol-state.ts';
import type { OrderResult } from './result.ts';

/** 'loop': from the last point to the first one. 'there-and-back': back along the route, and again. */
export type PatrolMode = 'loop' | 'there-and-back';

export interface PatrolOptions {
  /** Default 'loop'. */
  mode?: PatrolMode;
  /** Seconds to wait at each point, or an array with one number for each point; 0 .. 1e9. Default 0. */
  waitSeconds?: number | readonly number[];
}

const PATROL_KEYS: readonly (keyof PatrolOptions)[] = ['mode', 'waitSeconds'];
const MODES: readonly unknown[] = ['loop', 'there-and-back'] satisfies PatrolMode[];
const LEAST_POINTS = 2;

/** The point of the current call. */
const requested = new Float64Array(3);
const extents = new Float64Array(3);
const hit = createNearestHit();

/**
 * Makes an agent walk from point to point until its next order: first to `points[0]`, then in order.
 *
 * Each point is moved to the nearest one on the mesh, searched within `defaultHalfExtents`. The agent reports
 * 'arrived' (or 'settled', 'blocked', 'gave-up') at each point and goes on after its wait. A point that it
 * cannot reach is left after two seconds, or after its wait if that is longer. So a patrol never ends by
 * itself; `teleportAgent` does not end it either. `AgentInfo.patrolPoint` is the index of the present point.
 *
 * Returns 'accepted', 'no-agent', 'avoid-only', or 'off-mesh' when no polygon is near one of the points; the
 * previous order then holds. Throws a RangeError for fewer than two points and for options that are unknown
 * or out of range, and a TypeError for an invalid point.
 */
export function patrolAgent(
  crowd: Crowd,
  id: AgentId,
  points: readonly PointLike[],
  options: PatrolOptions = {},
): OrderResult {
  checkRecord('patrolAgent', 'crowd', crowd, 'previousHeading', 'a Crowd');
  checkKeys('patrolAgent', options, PATROL_KEYS);
  const slot = readAgentSlot(crowd, id, 'patrolAgent');
  if (!Array.isArray(points) || points.length < LEAST_POINTS) {
    refuse('patrolAgent', 'points', points, `an array of at least ${LEAST_POINTS} points`);
  }
  const { mode = 'loop', waitSeconds = 0 } = options;
  if (!MODES.includes(mode)) refuse('patrolAgent', 'options.mode', mode, "'loop' or 'there-and-back'");
  const waits = readWaits(waitSeconds, points.length);
  for (let i = 0; i < points.length; i++) readPoint(requested, points[i], 'patrolAgent', `points[${i}]`);
  const refusal = refusalOf(crowd, slot);
  if (refusal !== 'accepted') return refusal;
  const route = new Float64Array(3 * points.length);
  defaultHalfExtents(extents, crowd.mesh);
  // Backwards, so that `hit` is the first point in the end.
  for (let i = points.length - 1; i >= 0; i--) {
    readPoint(requested, points[i], 'patrolAgent', `points[${i}]`);
    findNearestInto(hit, crowd.mesh, requested, extents, crowd.filters[crowd.agents.filter[slot]]);
    if (hit.poly < 0) return 'off-mesh';
    route.set(hit.point, 3 * i);
  }
  endPatrol(crowd, slot);
  aimAtPoint(crowd, slot, hit.poly, hit.point);
  crowd.patrols[slot] = { points: route, waits, isLoop: mode === 'loop' };
  crowd.agents.patrolPoint[slot] = 1;
  return 'accepted';
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
