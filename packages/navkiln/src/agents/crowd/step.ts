/**
 * A tick: runs the steps of the crowd in a fixed order. state/types.ts describes the record. The header of each step's
 * file lists what it reads and writes.
 *
 *   followMesh      follow-mesh.ts        changes of the mesh: agents find their polygons again
 *   continuePatrols orders/patrol-step.ts agents on patrol leave for their next point
 *   updateGoals     goals.ts              goals that moved, searches that are due
 *   runSearches     search/searches.ts    path searches, within the budget of polygons
 *   chooseThinking  turns.ts              the agents that decide in this tick
 *   findNeighbors   nearby/neighbors.ts   the nearest agents on the same floor, and the agents that sleep
 *   findWalls       nearby/walls.ts       the nearest walls
 *   measureGroups   orders/group-pace.ts  the paths left of agents that arrive together
 *   steer           steer.ts              corridor -> desired velocity
 *   takeTurns       passages.ts           desired velocity: 0 for agents that wait for a narrow passage
 *   keepLanes       lanes.ts              desired velocity, kept to one side in narrow passages
 *   avoid           avoid.ts              desired -> chosen velocity, free of collisions
 *   integrate       integrate.ts          chosen velocity -> position, on the mesh
 *   useLinks        use-links.ts          entering, crossing and leaving links
 *   updateRest      traffic.ts            arriving, settling, yielding, giving up
 *
 * Steps through `Crowd.behaviors` run in crowds that have them. Neighbors, walls, steering, lanes, avoidance and traffic run for the agents whose turn it is (`thinking`).
 * All other steps run for all agents in each tick.
 *
 * Cost: linear in the agents, plus the searches' budget. No allocation once corridors and lists have grown.
 * Based on: own.
 */
import { frameSeconds } from '../../base/data/frame-time.ts';
import { checkFinite, checkHandle, checkRecord } from '../../base/data/refuse.ts';
import { avoid } from './motion/avoid.ts';
import { updateGoals } from './goals.ts';
import { integrate } from './motion/integrate.ts';
import { findNeighbors } from './nearby/neighbors.ts';
import { findWalls } from './nearby/walls.ts';
import { runSearches } from './search/searches.ts';
import { advanceClock } from './state/clock.ts';
import { agentSlotOf } from './state/ids.ts';
import { STATE_FREE } from './state/types.ts';
import type { AgentId, Crowd } from './state/types.ts';
import { steer } from './steer.ts';
import { chooseThinking } from './motion/turns.ts';
import { checkCrowd, checkMutableCrowd } from './state/check-crowd.ts';

/** Maximum number of ticks in one call of `advanceCrowd`; time beyond them is dropped. */
const MAX_CATCH_UP = 8;
/** Maximum rest after these ticks, in ticks. It is below 1, so that no further tick becomes due. */
const MAX_REMAINDER = 0.999;

/**
 * Advances the crowd by one tick of `crowd.stepSeconds` seconds. The events of earlier ticks are discarded;
 * `listEvents` returns those of this tick. Does not allocate once corridors have grown. Throws an Error only in a crowd of
 * `createCoreCrowd` without `meshChanges` whose mesh has changed.
 *
 * Use `advanceCrowd` instead when frames have a varying length.
 */
export function stepCrowd(crowd: Crowd): void {
  checkMutableCrowd('stepCrowd', crowd);
  crowd.events.count = 0;
  tick(crowd);
}

function tick(crowd: Crowd): void {
  const { behaviors } = crowd;
  advanceClock(crowd);
  listActive(crowd);
  if (crowd.activeCount === 0) return;
  keepHeadings(crowd);
  behaviors.followMesh?.(crowd);
  behaviors.continuePatrols?.(crowd);
  updateGoals(crowd);
  runSearches(crowd);
  chooseThinking(crowd);
  findNeighbors(crowd);
  findWalls(crowd);
  behaviors.measureGroups?.(crowd);
  steer(crowd);
  behaviors.takeTurns?.(crowd);
  behaviors.keepLanes?.(crowd);
  avoid(crowd);
  integrate(crowd);
  behaviors.useLinks?.(crowd);
  behaviors.updateRest?.(crowd);
}

/** Lists the slots of all agents, ascending. */
function listActive(crowd: Crowd): void {
  const { agents, active, slotCount } = crowd;
  let count = 0;
  for (let slot = 0; slot < slotCount; slot++) if (agents.state[slot] !== STATE_FREE) active[count++] = slot;
  crowd.activeCount = count;
}

/** Keeps the headings before the tick, for interpolation. */
function keepHeadings({ agents, previousHeading, slotCount }: Crowd): void {
  const { heading } = agents;
  for (let i = 0; i < 2 * slotCount; i++) previousHeading[i] = heading[i];
}

/**
 * Advances the crowd by `seconds`, the time since the last call. Runs as many ticks as fit, and keeps the rest for the
 * next call. `listEvents` returns the events of all these ticks. At most eight ticks run in one call; time beyond them
 * is dropped, as after a pause of a browser tab.
 *
 * @param seconds 0 or more. A time between -1 and 0 counts as 0: the timestamp of a page's first frame may lie
 *   before the start of a timer.
 * @returns the fraction of the next tick that has passed, 0 .. 1, for `interpolateAgentInto`
 * @throws RangeError when `seconds` is -1 or less, infinite or not a number
 */
export function advanceCrowd(crowd: Crowd, seconds: number): number {
  checkMutableCrowd('advanceCrowd', crowd);
  const passed = frameSeconds('advanceCrowd', 'seconds', seconds);
  const { time, stepSeconds } = crowd;
  time[0] = Math.min(time[0] + passed, (MAX_CATCH_UP + MAX_REMAINDER) * stepSeconds);
  crowd.events.count = 0;
  while (time[0] >= stepSeconds) {
    time[0] -= stepSeconds;
    tick(crowd);
  }
  return time[0] / stepSeconds;
}

/**
 * Writes the interpolated position and heading of an agent between the last two ticks to out[0 .. 4]: x, y, z of the
 * position in world units, and x, z of the heading, a unit vector. At `alpha` 0 they equal those of the tick before the
 * last, at 1 those of the last tick. With an `out` of three elements, the heading is left out. Does not allocate.
 *
 * @param alpha from `advanceCrowd`, 0 .. 1
 * @returns false when the crowd has no such agent; `out` is then unchanged
 */
export function interpolateAgentInto(out: Float64Array, crowd: Crowd, id: AgentId, alpha: number): boolean {
  checkRecord('interpolateAgentInto', 'out', { out }, 'out', 'a Float64Array');
  checkHandle('interpolateAgentInto', 'id', id);
  checkFinite('interpolateAgentInto', 'alpha', alpha);
  checkCrowd('interpolateAgentInto', crowd);
  const slot = agentSlotOf(crowd, id);
  if (slot < 0) return false;
  const { position, previous, heading } = crowd.agents;
  for (let k = 0; k < 3; k++) {
    const from = previous[3 * slot + k];
    out[k] = from + alpha * (position[3 * slot + k] - from);
  }
  if (out.length < 5) return true;
  const at = 2 * slot;
  const { previousHeading } = crowd;
  let x = previousHeading[at] + alpha * (heading[at] - previousHeading[at]);
  let z = previousHeading[at + 1] + alpha * (heading[at + 1] - previousHeading[at + 1]);
  let length = Math.sqrt(x * x + z * z);
  if (length < 1e-6) {
    // There is no direction between opposite directions.
    x = heading[at];
    z = heading[at + 1];
    length = 1;
  }
  out[3] = x / length;
  out[4] = z / length;
  return true;
}
