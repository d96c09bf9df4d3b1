/**
 * Narrow openings ahead, and from which side they are wanted.
 *
 * Each agent notes, when it finds its corners, which of the next crossings of its corridor are narrow. In each tick all who are
 * on their way claim theirs, in their direction; an opening that is claimed from both sides has counterflow, and whoever is
 * bound for it knows long before it meets anybody. What is claimed is not kept over ticks.
 *
 * An opening is known by a number that both sides share: twice the lower of its two edges (or portals, counted on from the
 * edges), plus which side it is.
 *
 * Cost: three crossings when corners are found; a store and a look an opening and tick. Based on: own.
 */
import { isLinkCrossing, portalOf, setCrossingEnds } from '../navmesh/crossing.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { NARROW_AHEAD } from './state/types.ts';
import type { Crowd } from './state/types.ts';

/** What is free between two walls, or an opening, is narrow up to so many radii. */
export const NARROW_RADII = 5;
/** So many crossings of the corridor are looked at. */
export const CROSSINGS_AHEAD = 4;

const ends = new Float64Array(6);
/** By an opening's number: 1 when it is claimed in this tick. */
let claims = new Uint8Array(0);

/** Notes the narrow openings ahead of an agent. */
export function noteNarrow(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  const { corridor } = crowd.corridors[slot];
  const { narrow, narrowAt } = agents;
  const first = NARROW_AHEAD * slot;
  const limit = NARROW_RADII * agents.radius[slot];
  const last = Math.min(CROSSINGS_AHEAD, corridor.count - 1);
  let count = 0;
  for (let i = 0; i < last && count < NARROW_AHEAD; i++) {
    const crossing = corridor.crossings[i];
    if (isLinkCrossing(crossing)) break;
    setCrossingEnds(ends, mesh, corridor.polys[i], crossing);
    const dx = ends[3] - ends[0];
    const dz = ends[5] - ends[2];
    if (dx * dx + dz * dz > limit * limit) continue;
    if (count === 0) {
      narrowAt[2 * slot] = (ends[0] + ends[3]) / 2;
      narrowAt[2 * slot + 1] = (ends[2] + ends[5]) / 2;
    }
    narrow[first + count++] = openingOf(mesh, corridor.polys[i], corridor.polys[i + 1], crossing) + 1;
  }
  for (; count < NARROW_AHEAD; count++) narrow[first + count] = 0;
}

/** The number of an opening, from the side of polygon `from`. */
function openingOf(mesh: NavMesh, from: number, to: number, crossing: number): number {
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

/** All who move claim what is ahead of them. */
export function claimOpenings(crowd: Crowd): void {
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

/** Is one of the openings ahead of an agent wanted from the other side, too? */
export function isContested(crowd: Crowd, slot: number): boolean {
  const { narrow } = crowd.agents;
  for (let n = NARROW_AHEAD * slot; n < NARROW_AHEAD * (slot + 1); n++) {
    if (narrow[n] > 0 && narrow[n] <= claims.length && claims[(narrow[n] - 1) ^ 1] === 1) return true;
  }
  return false;
}

/** Takes back all claims, so that none is left for another tick. */
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
