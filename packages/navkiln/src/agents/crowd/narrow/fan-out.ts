/**
 * Spreads agents that queue in one direction through a door over its width, so that two can pass side by side.
 *
 * Without it, agents take the shortest line through a door, cross each other's lines, and block each other inside. It
 * serves doors in which two agents just fit. An agent in a queue near the door aims at one end of each of the door's
 * portals. This is the end on its own side, or the other end when only its own side has agents nearer to the portal.
 *
 * In: `desired`, neighbors, corridors, narrow portals. Out: `desired`.
 * Cost: a comparison; for agents in a queue near a portal, linear in the neighbors and four portals. No allocation.
 * Based on: own; that people pass a bottleneck in overlapping lanes is known from Serge Hoogendoorn and Winnie Daamen,
 * Pedestrian Behavior at Bottlenecks, 2005.
 * Tried: always taking the end on the own side. One lane then stays empty when all agents come from one side. At
 * narrower doors, or three abreast at wider ones, a bottleneck takes 7 to 18 % longer. Figures are in
 * docs/notes/crowd.md.
 */
import { isLinkCrossing, setCrossingEnds } from '../../../mesh/crossing.ts';
import { NARROW_RADII, PORTALS_AHEAD } from '../nearby/narrow-portals.ts';
import { isBetweenWalls } from '../nearby/portal-ends.ts';
import { isRestStatus } from '../state/rest.ts';
import { MAX_NEIGHBORS, NARROW_AHEAD, STATUS_YIELDING } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** Distance from the middle of the next narrow portal within which an agent spreads, in radii. */
const NEAR_RADII = 4;
/**
 * Agents spread when the narrowest portal ahead is between these widths, in radii. Widths are those for agent centers.
 */
const LEAST_RADII = 1.6;
const WIDEST_RADII = 3.5;
/** An agent spreads when it has not known of counterflow for this time, seconds. */
const ONE_WAY_SECONDS = 10;
/** A narrow portal farther than this belongs to a passage and not to a door, in radii. */
const DOOR_RADII = 8;
/** Distance below which an agent aims at the portal after the next, in radii. */
const AT_PORTAL_RADII = 0.5;
/** Distance at which two agents stand in one queue, as a share of the sum of radii. */
const QUEUE_SHARE = 1.3;

/** xyz of the two ends of a portal. */
const ends = new Float64Array(6);
/** xz: from the agent to the point that it aims at. */
const aim = new Float64Array(2);

/** Turns the desired velocity of an agent that queues before a door, or is in one, to its lane. */
export function fanOut(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  const { position, radius, narrow, narrowAt, desired } = agents;
  if (narrow[NARROW_AHEAD * slot] === 0) return;
  const met = agents.counterTick[slot];
  if (met > 0 && (crowd.tick - met) * crowd.stepSeconds < ONE_WAY_SECONDS) return;
  const dx = narrowAt[2 * slot] - position[3 * slot];
  const dz = narrowAt[2 * slot + 1] - position[3 * slot + 2];
  const near = NEAR_RADII * radius[slot];
  if (dx * dx + dz * dz > near * near || agents.status[slot] === STATUS_YIELDING) return;
  if (agents.queueLinkEnd[slot] >= 0 || !isInQueue(crowd, slot)) return;
  if (!aimAtLane(crowd, slot)) return;
  const at = 2 * slot;
  const wantedSq = desired[at] * desired[at] + desired[at + 1] * desired[at + 1];
  const scale = Math.sqrt(wantedSq / (aim[0] * aim[0] + aim[1] * aim[1]));
  desired[at] = aim[0] * scale;
  desired[at + 1] = aim[1] * scale;
}

/** Sets `aim` to an end of the next narrow portal. Returns false when the passage ahead is too wide or too narrow. */
function aimAtLane(crowd: Crowd, slot: number): boolean {
  const { agents, mesh } = crowd;
  const { corridor } = crowd.corridors[slot];
  const r = agents.radius[slot];
  const last = Math.min(PORTALS_AHEAD, corridor.count - 1);
  let least = Infinity;
  let isAimed = false;
  let count = 0;
  for (let i = 0; i < last && !isLinkCrossing(corridor.crossings[i]); i++) {
    setCrossingEnds(ends, mesh, corridor.polys[i], corridor.crossings[i]);
    const dx = ends[3] - ends[0];
    const dz = ends[5] - ends[2];
    const width = Math.sqrt(dx * dx + dz * dz);
    if (width > NARROW_RADII * r || !isBetweenWalls(mesh, corridor.polys[i], corridor.crossings[i])) continue;
    if (width < least) least = width;
    // In a passage, agents that it does not sense yet may come from the other side.
    if (++count === PORTALS_AHEAD || isFar(crowd, slot)) return false;
    if (isAimed) continue;
    const end = chooseEnd(crowd, slot);
    aim[0] = ends[end] - agents.position[3 * slot];
    aim[1] = ends[end + 2] - agents.position[3 * slot + 2];
    isAimed = aim[0] * aim[0] + aim[1] * aim[1] >= AT_PORTAL_RADII * AT_PORTAL_RADII * r * r;
  }
  return isAimed && least >= LEAST_RADII * r && least <= WIDEST_RADII * r;
}

/** Returns whether the middle of the portal in `ends` is too far for one door. */
function isFar({ agents }: Crowd, slot: number): boolean {
  const dx = (ends[0] + ends[3]) / 2 - agents.position[3 * slot];
  const dz = (ends[2] + ends[5]) / 2 - agents.position[3 * slot + 2];
  const far = DOOR_RADII * agents.radius[slot];
  return dx * dx + dz * dz > far * far;
}

/** Returns the offset in `ends` of the end that an agent takes. */
function chooseEnd(crowd: Crowd, slot: number): number {
  const { position, neighbors, neighborCount, neighborDistanceSq, radius, narrow } = crowd.agents;
  const ux = ends[3] - ends[0];
  const uz = ends[5] - ends[2];
  const mx = (ends[0] + ends[3]) / 2;
  const mz = (ends[2] + ends[5]) / 2;
  const dx = position[3 * slot] - mx;
  const dz = position[3 * slot + 2] - mz;
  const own = dx * ux + dz * uz < 0 ? 0 : 3;
  let isTaken = false;
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    const near = QUEUE_SHARE * (radius[slot] + radius[other]);
    if (neighborDistanceSq[n] > near * near) break;
    if (narrow[NARROW_AHEAD * other] !== narrow[NARROW_AHEAD * slot]) continue;
    const ox = position[3 * other] - mx;
    const oz = position[3 * other + 2] - mz;
    if (ox * ox + oz * oz >= dx * dx + dz * dz) continue;
    if ((ox * ux + oz * uz < 0 ? 0 : 3) !== own) return own;
    isTaken = true;
  }
  return isTaken ? 3 - own : own;
}

/** Returns whether an agent is in a queue before a portal, with no agent at rest around. */
function isInQueue(crowd: Crowd, slot: number): boolean {
  const { neighbors, neighborCount, neighborDistanceSq, radius, narrow, status } = crowd.agents;
  const first = MAX_NEIGHBORS * slot;
  let isBehind = false;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    if (isRestStatus(status[other])) return false;
    const near = QUEUE_SHARE * (radius[slot] + radius[other]);
    if (neighborDistanceSq[n] <= near * near && narrow[NARROW_AHEAD * other] > 0) isBehind = true;
  }
  return isBehind;
}
