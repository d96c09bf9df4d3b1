/**
 * Step: keeps agents to one side of narrow passages when there is counterflow.
 *
 * An agent notices counterflow when a narrow portal ahead is claimed from both sides or, without such a portal, when
 * another agent comes towards it. It forgets counterflow after some seconds. In open space the knowledge passes from
 * neighbor to neighbor, one per tick, to agents behind with the same direction, so that streams separate before they
 * meet. An agent that knows of counterflow keeps to its side of the free width between two walls, and enters a narrow
 * portal on its side. So lanes exist before the first agents meet. Without counterflow the whole width is used
 * (fan-out.ts).
 *
 * In: `desired`, neighbors, walls, corridors, narrow portals.
 * Out: `desired`, `counterTick`.
 * Cost: linear in the neighbors; with counterflow also in the walls, and four portals. No allocation.
 * Tried: passing the knowledge through narrow portals, too. Agents then keep to one side without need, and a hall with
 * two doors takes twice the time to empty. Without passing the knowledge on in open space, agents that cross a circle
 * turn four times as much.
 * Based on: own; lanes that form by themselves when all agents pass on one side are known from Dirk Helbing, Peter
 * Molnar, Social Force Model for Pedestrian Dynamics, 1995.
 */
import { isLinkCrossing, setCrossingEnds } from '../../../mesh/crossing.ts';
import { fanOut } from './fan-out.ts';
import { knowsOfCounterflow } from '../nearby/counterflow.ts';
import { NARROW_RADII, PORTALS_AHEAD, claimPortals, dropClaims, isContested } from '../nearby/narrow-portals.ts';
import { isBetweenWalls } from '../nearby/portal-ends.ts';
import { isRestStatus } from '../state/rest.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AVOID_NONE,
  MAX_NEIGHBORS,
  MAX_WALLS,
  NARROW_AHEAD,
  STATE_GROUND,
  STATUS_YIELDING,
} from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** Ticks by which knowledge of counterflow ages when it passes to another agent, so that it fades with distance. */
const RELAY_TICKS = 3;
/** Two agents have the same direction above this cosine, and opposite directions below its negative. */
const SAME_WAY = 0.4;
/** Distance within which an agent aims at its side of a narrow portal, in radii. */
const AHEAD_RADII = 14;
/** Distance below which it no longer aims at the portal, in radii: directions become arbitrary there. */
const AT_PORTAL_RADII = 0.5;
/** Sine of the sharpest angle by which an agent changes to its side. */
const MAX_SIDEWAYS = 0.7;
/** Distance that counts as standing on a wall, world units. */
const WALL_EPSILON = 1e-9;

/** Per slot: `counterTick` before this tick. */
let known = new Int32Array(0);
/** xyz of the two ends of a portal; the first becomes the point to aim at. */
const ends = new Float64Array(6);
/** Free distance on the agent's own side, and on the other one. */
const free = new Float64Array(2);
/**
 * xz, unit: the direction to the agent's own side. An array, because V8 may allocate numbers passed between functions.
 */
const aside = new Float64Array(2);

/** Step: changes `desired` of agents that know of counterflow. */
export function keepLanes(crowd: Crowd): void {
  const { agents, active, activeCount, thinking, thinkingCount, tick, passingSide } = crowd;
  const { flags, state, status, avoidance, desired, counterTick } = agents;
  if (passingSide === 0) return;
  if (known.length < crowd.maxAgents) known = new Int32Array(crowd.maxAgents);
  for (let i = 0; i < activeCount; i++) known[active[i]] = counterTick[active[i]];
  claimPortals(crowd);
  for (let i = 0; i < thinkingCount; i++) {
    const slot = thinking[i];
    if (state[slot] !== STATE_GROUND || (flags[slot] & (AGENT_ASLEEP | AGENT_AVOID_ONLY)) !== 0) continue;
    if (isRestStatus(status[slot]) || avoidance[slot] === AVOID_NONE) continue;
    if (desired[2 * slot] === 0 && desired[2 * slot + 1] === 0) continue;
    if (isContested(crowd, slot)) counterTick[slot] = tick;
    else if (agents.narrow[NARROW_AHEAD * slot] === 0) noticeCounterflow(crowd, slot);
    // The noted portals belong to the path, which an agent on a detour does not follow.
    if (agents.wayCount[slot] > 0) continue;
    if (knowsOfCounterflow(crowd, slot)) keepSide(crowd, slot);
    else fanOut(crowd, slot);
  }
  dropClaims(crowd);
}

/**
 * Sets `counterTick` of an agent without a narrow portal ahead. The reason is a neighbor ahead that comes towards it
 * or, in open space, one with the same direction that knows of counterflow.
 */
function noticeCounterflow(crowd: Crowd, slot: number): void {
  const { agents, tick } = crowd;
  const { position, desired, neighbors, neighborCount, status, counterTick, maxSpeed, narrow } = agents;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const dx = desired[2 * slot];
  const dz = desired[2 * slot + 1];
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    if (isRestStatus(status[other]) || status[other] === STATUS_YIELDING) continue;
    const isAhead = (position[3 * other] - x) * dx + (position[3 * other + 2] - z) * dz > 0;
    if (!isAhead) continue;
    const scale = maxSpeed[slot] * maxSpeed[other];
    const along = desired[2 * other] * dx + desired[2 * other + 1] * dz;
    if (along < -SAME_WAY * scale) {
      counterTick[slot] = tick;
      return;
    }
    const isOpen = narrow[NARROW_AHEAD * other] === 0;
    if (isOpen && along > SAME_WAY * scale) counterTick[slot] = Math.max(counterTick[slot], known[other] - RELAY_TICKS);
  }
}

/** Turns the desired velocity to the agent's side of a narrow passage, or of the narrow portal ahead. */
function keepSide(crowd: Crowd, slot: number): void {
  const { agents, passingSide } = crowd;
  const { position, desired, radius } = agents;
  const speed = Math.sqrt(desired[2 * slot] * desired[2 * slot] + desired[2 * slot + 1] * desired[2 * slot + 1]);
  const dx = desired[2 * slot] / speed;
  const dz = desired[2 * slot + 1] / speed;
  const sideX = passingSide * dz;
  const sideZ = -passingSide * dx;
  const r = radius[slot];
  aside[0] = sideX;
  aside[1] = sideZ;
  measureFree(crowd, slot);
  const width = free[0] + free[1];
  if (width <= NARROW_RADII * r) {
    // The agent may use its half of the width, less its radius.
    const shift = free[0] - Math.max(0, width / 2 - r);
    if (shift <= 0) return;
    const sideways = Math.min(1, shift / r) * MAX_SIDEWAYS;
    const forward = Math.sqrt(1 - sideways * sideways);
    desired[2 * slot] = speed * (dx * forward + sideX * sideways);
    desired[2 * slot + 1] = speed * (dz * forward + sideZ * sideways);
    return;
  }
  // Reading the corridor is expensive, and without a narrow portal there is nothing to find.
  if (agents.narrow[NARROW_AHEAD * slot] === 0 || !findEntry(crowd, slot)) return;
  const px = ends[0] - position[3 * slot];
  const pz = ends[2] - position[3 * slot + 2];
  const distance = Math.sqrt(px * px + pz * pz);
  if (distance < AT_PORTAL_RADII * r) return;
  desired[2 * slot] = (px / distance) * speed;
  desired[2 * slot + 1] = (pz / distance) * speed;
}

/**
 * Sets `free` to the distances of walls along `aside` and in the opposite direction, each at most twice a narrow width.
 */
function measureFree(crowd: Crowd, slot: number): void {
  const { position, radius, walls, wallCount } = crowd.agents;
  const sideX = aside[0];
  const sideZ = aside[1];
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  // Large enough that a wall on one side alone never makes the space narrow.
  free[0] = free[1] = 2 * NARROW_RADII * radius[slot];
  const first = 4 * MAX_WALLS * slot;
  for (let w = first; w < first + 4 * wallCount[slot]; w += 4) {
    const ax = walls[w] - x;
    const az = walls[w + 1] - z;
    const ux = walls[w + 2] - walls[w];
    const uz = walls[w + 3] - walls[w + 1];
    // Intersect the line through the agent along `aside` with the wall.
    const cross = sideX * uz - sideZ * ux;
    if (cross === 0) continue;
    const along = (ax * uz - az * ux) / cross;
    const t = (ax * sideZ - az * sideX) / cross;
    if (t < 0 || t > 1) continue;
    if (along >= -WALL_EPSILON && along < free[0]) free[0] = Math.max(0, along);
    if (along <= WALL_EPSILON && -along < free[1]) free[1] = Math.max(0, -along);
  }
}

/**
 * Finds the first narrow portal ahead, and sets ends[0], ends[2] to the point where the agent's lane enters
 * it.
 */
function findEntry(crowd: Crowd, slot: number): boolean {
  const { agents, mesh, passingSide } = crowd;
  const { position, radius } = agents;
  const { corridor } = crowd.corridors[slot];
  const narrow = NARROW_RADII * radius[slot];
  const reach = AHEAD_RADII * radius[slot];
  const last = Math.min(PORTALS_AHEAD, corridor.count - 1);
  for (let i = 0; i < last; i++) {
    if (isLinkCrossing(corridor.crossings[i])) return false;
    // The first end is on the right as seen from inside the polygon.
    setCrossingEnds(ends, mesh, corridor.polys[i], corridor.crossings[i]);
    const ux = ends[3] - ends[0];
    const uz = ends[5] - ends[2];
    const mx = (ends[0] + ends[3]) / 2 - position[3 * slot];
    const mz = (ends[2] + ends[5]) / 2 - position[3 * slot + 2];
    if (mx * mx + mz * mz > reach * reach) return false;
    const width = Math.sqrt(ux * ux + uz * uz);
    if (width > narrow || width === 0 || !isBetweenWalls(mesh, corridor.polys[i], corridor.crossings[i])) continue;
    const inset = Math.max(0, width / 2 - radius[slot]) / width;
    const t = passingSide < 0 ? inset : 1 - inset;
    ends[0] += t * ux;
    ends[2] += t * uz;
    return true;
  }
  return false;
}
