/**
 * Step: sends agents on patrol to their next point when they have waited long enough at the current one.
 *
 * An agent waits from the tick at which it comes to rest: it has arrived, settled or given up, or is blocked. After the
 * last point it goes to the first one, or back along the route, or its order ends. It passes the points of
 * `moveAgentAlong` without a stop. The next point is found on the mesh again, because tiles may have changed. A point
 * without a polygon near it counts as blocked.
 *
 * In: `patrol*`, `Crowd.patrols`, `status`.
 * Out: `patrol*`; goals, as `moveAgentTo` sets them.
 * Cost: a comparison per agent; a search for the nearest polygon when an agent leaves a point. No allocation.
 * Based on: own.
 */
import { createNearestHit, findNearInto } from '../../../query/nearest/nearest.ts';
import { aimAtPoint } from './orders.ts';
import { endPatrol } from './patrol-state.ts';
import { RETRY_SECONDS } from '../search/aim.ts';
import { ticksOf } from '../state/clock.ts';
import { isRestStatus } from '../state/rest.ts';
import { CHANGE_POINT_OFF_MESH, changeStatus } from '../state/status.ts';
import {
  AGENT_AVOID_ONLY,
  MODE_PASSING,
  MODE_PAUSED,
  MODE_STOPS,
  ROUTE_LOOP,
  ROUTE_ONCE,
  STATE_GROUND,
  STATUS_ARRIVED,
  STATUS_SETTLED,
} from '../state/types.ts';
import type { Behavior, Crowd, PatrolRoute } from '../state/types.ts';

const point = new Float64Array(3);
const hit = createNearestHit();

/** The behavior of patrols and routes, which `patrolAgent` and the like add. */
export const patrols: Behavior = { continuePatrols };

/** Step: continues the patrols. */
function continuePatrols(crowd: Crowd): void {
  const { agents, active, activeCount, tick } = crowd;
  const { patrolPoint, patrolTick, status, state, flags, modes } = agents;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    if (patrolPoint[slot] === 0 || state[slot] !== STATE_GROUND || (flags[slot] & AGENT_AVOID_ONLY) !== 0) continue;
    const route = crowd.patrols[slot]!;
    if ((modes[slot] & (MODE_PAUSED | MODE_PASSING)) !== 0) {
      if ((modes[slot] & MODE_PAUSED) !== 0) continue;
      if (!isRestStatus(status[slot])) {
        if (isPassed(crowd, slot)) goOn(crowd, slot, route);
        continue;
      }
    }
    // The wait continues while a blocked agent retries.
    if (patrolTick[slot] === 0) {
      if (!isRestStatus(status[slot])) continue;
      patrolTick[slot] = tick + waitTicks(crowd, slot, route);
    }
    if (tick >= patrolTick[slot]) goOn(crowd, slot, route);
  }
}

/** Returns how many ticks an agent at rest waits at its point, at least 0. */
function waitTicks(crowd: Crowd, slot: number, route: PatrolRoute): number {
  const { status, patrolPoint } = crowd.agents;
  const isThere = status[slot] === STATUS_ARRIVED || status[slot] === STATUS_SETTLED;
  const wait = route.waits[patrolPoint[slot] - 1];
  return ticksOf(isThere ? Math.max(wait, 0) : Math.max(wait, RETRY_SECONDS), crowd.stepSeconds);
}

/** Returns whether an agent is at a point that it passes without a stop. */
function isPassed({ agents, stepSeconds }: Crowd, slot: number): boolean {
  const { position, goal, height } = agents;
  const at = 3 * slot;
  const dx = goal[at] - position[at];
  const dy = goal[at + 1] - position[at + 1];
  const dz = goal[at + 2] - position[at + 2];
  // The distance is large enough that the agent does not arrive at the point within the tick.
  const reach = Math.max(agents.arriveDistance[slot], agents.radius[slot]) + agents.maxSpeed[slot] * stepSeconds;
  return dx * dx + dz * dz <= reach * reach && dy * dy < height[slot] * height[slot];
}

/** Sends an agent to the next point of its route. */
function goOn(crowd: Crowd, slot: number, route: PatrolRoute): void {
  const { agents, mesh } = crowd;
  const { patrolPoint, patrolBack } = agents;
  const count = route.waits.length;
  if (route.mode === ROUTE_ONCE) {
    if (patrolPoint[slot] === count) return endPatrol(crowd, slot);
    // The settings of the order applied to its first point only.
    agents.arriveDistance[slot] = agents.ownArriveDistance[slot];
    agents.modes[slot] &= ~(MODE_STOPS | MODE_PASSING);
    agents.group[slot] = 0;
    patrolPoint[slot]++;
    if (route.waits[patrolPoint[slot] - 1] < 0) agents.modes[slot] |= MODE_PASSING;
  } else if (route.mode === ROUTE_LOOP) patrolPoint[slot] = (patrolPoint[slot] % count) + 1;
  else {
    if (patrolPoint[slot] === count) patrolBack[slot] = 1;
    else if (patrolPoint[slot] === 1) patrolBack[slot] = 0;
    patrolPoint[slot] += patrolBack[slot] === 1 ? -1 : 1;
  }
  agents.patrolTick[slot] = 0;
  const at = 3 * (patrolPoint[slot] - 1);
  for (let k = 0; k < 3; k++) point[k] = route.points[at + k];
  findNearInto(hit, mesh, point, crowd.filters[agents.filter[slot]]);
  // Without a polygon, the agent rests where it is until the wait for this point is over.
  if (hit.poly < 0) changeStatus(crowd, slot, CHANGE_POINT_OFF_MESH);
  else aimAtPoint(crowd, slot, hit.poly, hit.point);
}
