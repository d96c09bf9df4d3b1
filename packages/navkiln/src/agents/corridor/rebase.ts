/**
 * Repairs a corridor after the mesh has changed: finds its polygons again, cuts it where it is broken, or
 * restarts it.
 *
 * Polygons are found by their refs. A crossing stays the same if it still exists; otherwise an edge or portal replaces
 * it, otherwise a link. The corridor is cut before the first polygon that is missing, closed or no longer connected.
 * Its target then is the point of the remaining corridor nearest to the old target. The filter does not apply to the
 * first polygon, since an agent on a closed polygon may leave it. Any link between the same two polygons replaces a
 * removed one, so replacing a link costs no search.
 *
 * In: a corridor whose `revision` differs from the mesh's.
 * Out: the corridor with the mesh's revision.
 * Cost: linear in the corridor; constant when the mesh is unchanged. No allocation.
 * Based on: own. Detour checks ten polygons of each agent per tick and drops the path when one is missing; when the
 * start is missing, an invalid path of three polygons remains.
 */
import { isLinkCrossing, linkEndCrossing, linkEndOf, otherEnd, portalOf } from '../../mesh/crossing.ts';
import { closestPointOnPoly } from '../../mesh/ground.ts';
import { polyIndexOf } from '../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { DEFAULT_FILTER, passesFilter, passesLinkEnd } from '../../query/filter.ts';
import type { QueryFilter } from '../../query/filter.ts';
import { NO_CROSSING, findCrossing } from '../../query/path/corridor.ts';
import type { PathCorridor } from './types.ts';
import { beginAt, measureLeft, openHead, setRefs } from './splice.ts';

/**
 * 'same': the corridor is whole. 'cut': its end was cut off. 'start-gone': the polygon of the position no longer
 * exists.
 */
export type RebaseOutcome = 'same' | 'cut' | 'start-gone';

const goal = new Float64Array(3);

/** Updates a corridor after the mesh has changed. Unchecked: see checked.ts. */
export function rebaseCorridor(c: PathCorridor, mesh: NavMesh, filter: QueryFilter): RebaseOutcome {
  if (c.revision === mesh.revision) return 'same';
  const { corridor } = c;
  if (corridor.count === 0 || polyIndexOf(mesh, c.refs[0] as PolyRef) < 0) return 'start-gone';
  return follow(c, mesh, filter) ? 'same' : 'cut';
}

/** Cuts a corridor off before the first polygon or crossing that is missing. Unchecked: see checked.ts. */
export function trimCorridor(c: PathCorridor, mesh: NavMesh, filter: QueryFilter): number {
  const { corridor } = c;
  const { count } = corridor;
  if (count === 0) return 0;
  if (polyIndexOf(mesh, c.refs[0] as PolyRef) < 0) {
    corridor.count = 0;
    return count;
  }
  follow(c, mesh, filter);
  return count - corridor.count;
}

/** Returns true when the next `lookAhead` polygons can still be crossed. Unchecked: see checked.ts. */
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

/** Sets the start of a corridor to a point (xyz) of a polygon (dense index). Unchecked: see checked.ts. */
export function fixCorridorStart(
  c: PathCorridor,
  mesh: NavMesh,
  poly: number,
  point: Float64Array,
  filter: QueryFilter = DEFAULT_FILTER,
): boolean {
  const { corridor, position } = c;
  let kept = -1;
  let head = 0;
  for (let i = corridor.count - 1; i >= 0 && head === 0; i--) {
    const there = polyIndexOf(mesh, c.refs[i] as PolyRef);
    if (there === poly) {
      kept = i;
      break;
    }
  }
  for (let i = corridor.count - 1; i >= 0 && kept < 0; i--) {
    const there = polyIndexOf(mesh, c.refs[i] as PolyRef);
    if (there < 0 || !passesFilter(filter, mesh, there) || findCrossing(mesh, poly, there) === NO_CROSSING) continue;
    kept = i;
    head = 1;
  }
  if (kept < 0) {
    const hasTarget = corridor.count > 0;
    goal.set(c.target);
    beginAt(c, mesh, poly, point);
    if (hasTarget) {
      // The target stays the goal, and is as near as this polygon gets.
      closestPointOnPoly(c.target, mesh, poly, goal);
      corridor.outcome = 'unreachable';
    }
    return false;
  }
  openHead(c, head, kept);
  corridor.polys[0] = poly;
  setRefs(c, mesh, 0, 1);
  if (head === 1) corridor.crossings[0] = NO_CROSSING;
  for (let k = 0; k < 3; k++) position[k] = point[k];
  follow(c, mesh, filter);
  return true;
}

/**
 * Resolves the refs of a corridor and measures the remaining lengths again. Returns false when the corridor was cut.
 *
 * Lengths are measured even if nothing has moved. Crossings cannot tell whether something has changed, because their
 * dense indices depend on the history of the mesh. A crowd on a loaded mesh must continue with exactly the same
 * numbers.
 */
function follow(c: PathCorridor, mesh: NavMesh, filter: QueryFilter): boolean {
  const { corridor, refs } = c;
  const { polys, crossings, count } = corridor;
  polys[0] = polyIndexOf(mesh, refs[0] as PolyRef);
  let i = 1;
  for (; i < count; i++) {
    const poly = polyIndexOf(mesh, refs[i] as PolyRef);
    if (poly < 0 || !passesFilter(filter, mesh, poly)) break;
    const crossing = crossingNow(mesh, polys[i - 1], poly, crossings[i - 1], filter);
    if (crossing === NO_CROSSING) break;
    crossings[i - 1] = crossing;
    polys[i] = poly;
  }
  c.revision = mesh.revision;
  if (i < count) {
    corridor.count = i;
    corridor.outcome = 'unreachable';
    closestPointOnPoly(c.target, mesh, polys[i - 1], c.target);
  }
  measureLeft(c, mesh, corridor.count - 1);
  return i >= count;
}

/**
 * Returns a crossing between two polygons: the old one if it still exists, else an edge or portal, else a
 * link, else NO_CROSSING. @internal
 */
export function crossingNow(mesh: NavMesh, from: number, to: number, old: number, filter: QueryFilter): number {
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
  const direct = findCrossing(mesh, from, to);
  if (direct !== NO_CROSSING) return direct;
  for (let linkEnd = mesh.polyLink[from]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    if (leadsTo(mesh, linkEnd, from, to, filter)) return linkEndCrossing(linkEnd);
  }
  return NO_CROSSING;
}

function leadsTo(mesh: NavMesh, linkEnd: number, from: number, to: number, filter: QueryFilter): boolean {
  return (
    mesh.linkPoly[linkEnd] === from && mesh.linkPoly[otherEnd(linkEnd)] === to && passesLinkEnd(filter, mesh, linkEnd)
  );
}
