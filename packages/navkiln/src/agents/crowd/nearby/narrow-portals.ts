/**
 * Narrow portals ahead of each agent, and which of them agents approach from both sides.
 *
 * When an agent finds its corners, it notes which of the next portals of its corridor are narrow: those between two
 * walls near each other. In each tick all moving agents claim the portals ahead of them, in their direction. A portal
 * that is claimed from both sides has counterflow, and the agents bound for it know long before they meet. Claims last
 * one tick.
 *
 * A portal is a shared edge, or a part of one between two tiles. Both sides share its number: twice the lower
 * of its two edges (`edgeCount` + the lower of two tile portals), plus 0 or 1 for the side. `agents.narrow`
 * stores this number + 1; 0 means none.
 *
 * In: corridors, `desired`.
 * Out: `narrow`, `narrowAt`; claims, from `claimPortals` to `dropClaims`.
 * Cost: four portals per search for corners; one store and one load per noted portal and tick. No allocation.
 * Based on: own.
 */
import { isLinkCrossing, portalOf, setCrossingEnds } from '../../../mesh/crossing.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { isBetweenWalls } from './portal-ends.ts';
import { NARROW_AHEAD, PASSAGE_AHEAD, PASSAGE_NONE } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** Width of a portal, or of the space between two walls, up to which it is narrow, in radii. */
export const NARROW_RADII = 6.5;
/** Width below which two agents cannot pass side by side, in radii. */
export const SINGLE_RADII = 2;
/** Number of portals of the corridor that are examined. */
export const PORTALS_AHEAD = 4;

/** xyz of the two ends of a portal. */
const ends = new Float64Array(6);
/** Per number of a portal: 1 when it is claimed in this tick. */
let claims = new Uint8Array(0);

/** Notes the narrow portals ahead of an agent. */
export function noteNarrowPortals(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  const { corridor } = crowd.corridors[slot];
  const { narrow, narrowAt } = agents;
  const first = NARROW_AHEAD * slot;
  const limit = NARROW_RADII * agents.radius[slot];
  const single = SINGLE_RADII * agents.radius[slot];
  const last = Math.min(PORTALS_AHEAD, corridor.count - 1);
  let count = 0;
  for (let i = 0; i < last && count < NARROW_AHEAD; i++) {
    const crossing = corridor.crossings[i];
    if (isLinkCrossing(crossing)) break;
    setCrossingEnds(ends, mesh, corridor.polys[i], crossing);
    const dx = ends[3] - ends[0];
    const dz = ends[5] - ends[2];
    if (dx * dx + dz * dz > limit * limit || !isBetweenWalls(mesh, corridor.polys[i], crossing)) continue;
    if (dx * dx + dz * dz < single * single && agents.passage[slot] === PASSAGE_NONE)
      agents.passage[slot] = PASSAGE_AHEAD;
    if (count === 0) {
      narrowAt[2 * slot] = (ends[0] + ends[3]) / 2;
      narrowAt[2 * slot + 1] = (ends[2] + ends[5]) / 2;
    }
    narrow[first + count++] = portalNumberOf(mesh, corridor.polys[i], corridor.polys[i + 1], crossing) + 1;
  }
  for (; count < NARROW_AHEAD; count++) narrow[first + count] = 0;
}

/** Returns the number of a portal, on the side of polygon `from`. */
export function portalNumberOf(mesh: NavMesh, from: number, to: number, crossing: number): number {
  if (crossing < 0) {
    const portal = portalOf(crossing);
    const back = mesh.portalBack[portal];
    return 2 * (mesh.edgeCount + Math.min(portal, back)) + (portal < back ? 0 : 1);
  }
  const first = mesh.polyEdgeStart[to];
  let twin = crossing;
  for (let e = first; e < first + mesh.polyVertexCount[to]; e++) if (mesh.edgeNeighbor[e] === from) twin = e;
  return 2 * Math.min(crossing, twin) + (crossing < twin ? 0 : 1);
}

/** Claims the narrow portals ahead of all moving agents. */
export function claimPortals(crowd: Crowd): void {
  const { mesh, active, activeCount, agents } = crowd;
  const size = 2 * (mesh.edgeCount + mesh.portalCount);
  if (claims.length < size) claims = new Uint8Array(2 * size);
  const { narrow, desired } = agents;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    if (desired[2 * slot] === 0 && desired[2 * slot + 1] === 0) continue;
    for (let n = NARROW_AHEAD * slot; n < NARROW_AHEAD * (slot + 1); n++) {
      if (narrow[n] > 0 && narrow[n] <= size) claims[narrow[n] - 1] = 1;
    }
  }
}

/** Returns whether a portal ahead of an agent is claimed from the other side. */
export function isContested(crowd: Crowd, slot: number): boolean {
  const { narrow } = crowd.agents;
  for (let n = NARROW_AHEAD * slot; n < NARROW_AHEAD * (slot + 1); n++) {
    if (narrow[n] > 0 && narrow[n] <= claims.length && claims[(narrow[n] - 1) ^ 1] === 1) return true;
  }
  return false;
}

/** Clears all claims. */
export function dropClaims(crowd: Crowd): void {
  const { active, activeCount, agents } = crowd;
  const { narrow } = agents;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    for (let n = NARROW_AHEAD * slot; n < NARROW_AHEAD * (slot + 1); n++) {
      if (narrow[n] > 0 && narrow[n] <= claims.length) claims[narrow[n] - 1] = 0;
    }
  }
}
