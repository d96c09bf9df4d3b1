/**
 * A corridor after the mesh has changed: found again, cut where it is broken, or begun anew.
 *
 * In: a corridor whose `revision` is not the mesh's. Polygons are found by their refs, and how each leads to the next is looked
 * up: by the same crossing where there still is one, else by another one over ground, else by a link. What comes after the first
 * polygon that is gone or closed, or that cannot be entered any more, is cut off; then the target is the point of what remains
 * that is nearest to the old one. The filter is not asked about the first polygon: who stands on ground that was closed can walk
 * off it.
 *
 * A link counts as the same when it leads from the one polygon to the other, whatever link it was: a corridor says where to go,
 * and one that was replaced by its like is no reason to search again.
 *
 * Cost: linear in the corridor, 15 ns a polygon; nothing when the mesh is as it was. No allocation.
 *
 * Based on: own. (Detour's corridor looks at ten polygons of each agent each tick, and is thrown away when one is gone; what it
 * has left when its start is gone is an invalid one of three polygons.)
 */
import { linkEndOf, linkEndCrossing, isLinkCrossing, portalOf } from '../navmesh/crossing.ts';
import { closestPointOnPoly } from '../navmesh/ground.ts';
import { polyIndexOf } from '../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../navmesh/types.ts';
import { DEFAULT_FILTER, passesFilter, passesLinkEnd } from '../query/filter.ts';
import type { QueryFilter } from '../query/filter.ts';
import { NO_CROSSING, findCrossing } from '../query/path/corridor.ts';
import type { PathCorridor } from './types.ts';
import { beginAt, measureLeft, openHead, setRefs } from './splice.ts';

/** 'cut': it leads less far than it did; 'start-gone': the polygon of the position is no more. */
export type RebaseOutcome = 'same' | 'cut' | 'start-gone';

/**
 * Makes a corridor and a changed mesh agree. After 'start-gone' the corridor is as it was and of no use, until
 * `fixCorridorStart` or `resetCorridor` says where it begins.
 */
export function rebaseCorridor(c: PathCorridor, mesh: NavMesh, filter: QueryFilter): RebaseOutcome {
  if (c.revision === mesh.revision) return 'same';
  const { corridor } = c;
  if (corridor.count === 0 || polyIndexOf(mesh, c.refs[0] as PolyRef) < 0) return 'start-gone';
  return follow(c, mesh, filter, 0) ? 'same' : 'cut';
}

/**
 * The same, and also where the mesh is as it was but the filter is another: cuts off what comes after the first polygon or
 * crossing that is gone or closed. Returns how many polygons were cut off; all of them when the first one is gone.
 */
export function trimCorridor(c: PathCorridor, mesh: NavMesh, filter: QueryFilter): number {
  const { corridor } = c;
  const { count } = corridor;
  if (count === 0) return 0;
  if (polyIndexOf(mesh, c.refs[0] as PolyRef) < 0) {
    corridor.count = 0;
    return count;
  }
  follow(c, mesh, filter, 0);
  return count - corridor.count;
}

/**
 * May one still walk the first `lookAhead` polygons after the one of the position? True at once when the mesh is as it was;
 * changes nothing.
 */
export function isCorridorValid(c: PathCorridor, mesh: NavMesh, lookAhead: number, filter: QueryFilter): boolean {
  if (c.revision === mesh.revision) return c.corridor.count > 0;
  const { crossings, count } = c.corridor;
  if (count === 0) return false;
  let before = polyIndexOf(mesh, c.refs[0] as PolyRef);
  if (before < 0) return false;
  for (let i = 1; i < count && i <= lookAhead; i++) {
    const poly = polyIndexOf(mesh, c.refs[i] as PolyRef);
    if (poly < 0 || !passesFilter(filter, mesh, poly)) return false;
    if (crossingNow(mesh, before, poly, crossings[i - 1], filter) === NO_CROSSING) return false;
    before = poly;
  }
  return true;
}

/**
 * The position is on another polygon, which no walk led to: it was put there, or the ground it was on has gone. True: the
 * corridor has that polygon, or one beside it, and leads from there to as far as it is whole; false: it is this one polygon now.
 * Works on corridors that were not rebased.
 */
export function fixCorridorStart(
  c: PathCorridor,
  mesh: NavMesh,
  poly: number,
  point: Float64Array,
  filter: QueryFilter = DEFAULT_FILTER,
): boolean {
  const { corridor, position } = c;
  let place = -1;
  let head = 0;
  for (let i = corridor.count - 1; i >= 0 && head === 0; i--) {
    const there = polyIndexOf(mesh, c.refs[i] as PolyRef);
    if (there === poly) {
      place = i;
      break;
    }
  }
  for (let i = corridor.count - 1; i >= 0 && place < 0; i--) {
    const there = polyIndexOf(mesh, c.refs[i] as PolyRef);
    if (there < 0 || !passesFilter(filter, mesh, there) || findCrossing(mesh, poly, there) === NO_CROSSING) continue;
    place = i;
    head = 1;
  }
  if (place < 0) {
    beginAt(c, mesh, poly, point);
    return false;
  }
  openHead(c, head, place);
  corridor.polys[0] = poly;
  setRefs(c, mesh, 0, 1);
  if (head === 1) corridor.crossings[0] = NO_CROSSING;
  for (let k = 0; k < 3; k++) position[k] = point[k];
  follow(c, mesh, filter, head);
  return true;
}

/** From the refs to the polygons: false when it was cut. The first `fresh` crossings are to be measured anew. */
function follow(c: PathCorridor, mesh: NavMesh, filter: QueryFilter, fresh: number): boolean {
  const { corridor, refs } = c;
  const { polys, crossings, count } = corridor;
  polys[0] = polyIndexOf(mesh, refs[0] as PolyRef);
  let isMoved = fresh > 0;
  let i = 1;
  for (; i < count; i++) {
    const poly = polyIndexOf(mesh, refs[i] as PolyRef);
    if (poly < 0 || !passesFilter(filter, mesh, poly)) break;
    const old = crossings[i - 1];
    const crossing = crossingNow(mesh, polys[i - 1], poly, old, filter);
    if (crossing === NO_CROSSING) break;
    // Edges stay where they are; portals and the ends of links may not.
    if (crossing !== old || old < 0) isMoved = true;
    crossings[i - 1] = crossing;
    polys[i] = poly;
  }
  c.revision = mesh.revision;
  if (i < count) {
    corridor.count = i;
    corridor.outcome = 'unreachable';
    closestPointOnPoly(c.target, mesh, polys[i - 1], c.target);
    isMoved = true;
  }
  if (isMoved) measureLeft(c, mesh, corridor.count - 1);
  return i >= count;
}

/** How a polygon leads to another now: as it did, if it can be, else over ground, else by a link; -1: not at all. */
function crossingNow(mesh: NavMesh, from: number, to: number, old: number, filter: QueryFilter): number {
  if (isLinkCrossing(old)) {
    const linkEnd = linkEndOf(old);
    if (linkEnd >= 0 && linkEnd < 2 * mesh.linkCount && leadsTo(mesh, linkEnd, from, to, filter)) return old;
  } else {
    const edge = old >= 0 ? old : portalOf(old) < mesh.portalCount ? mesh.portalEdge[portalOf(old)] : -1;
    const first = mesh.polyEdgeStart[from];
    if (edge >= first && edge < first + mesh.polyVertexCount[from]) {
      if ((old >= 0 ? mesh.edgeNeighbor[edge] : mesh.portalPoly[portalOf(old)]) === to) return old;
    }
  }
  const ground = findCrossing(mesh, from, to);
  if (ground !== NO_CROSSING) return ground;
  for (let linkEnd = mesh.polyLink[from]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    if (leadsTo(mesh, linkEnd, from, to, filter)) return linkEndCrossing(linkEnd);
  }
  return NO_CROSSING;
}

function leadsTo(mesh: NavMesh, linkEnd: number, from: number, to: number, filter: QueryFilter): boolean {
  return mesh.linkPoly[linkEnd] === from && mesh.linkPoly[linkEnd ^ 1] === to && passesLinkEnd(filter, mesh, linkEnd);
}
