/**
 * The path corridor: the polygons from a position to a target, kept valid while both ends move and while the
 * mesh changes.
 *
 *      position                               target
 *         x--+ polys[0]                      +--x
 *            +-> crossings[0] -> ... -> polys[count - 1]
 *
 * A search fills the corridor once. The position then moves (move.ts), and the next corners are found
 * (corners.ts). A moving goal takes the target with it. Walked polygons are spliced in, without another
 * search.
 *
 * Invariants (`validateCorridor`): the position lies on the first polygon and the target on the last one; each crossing
 * leads from its polygon to the next; `refs` and `left` match the polygons. When the mesh has changed (`revision`
 * differs), dense indices may have moved. Until `rebaseCorridor`, `fixCorridorStart`, `trimCorridor` or `resetCorridor`
 * has repaired the corridor, only these functions, `isCorridorValid` and `copyCorridor` may be called.
 *
 * In: a corridor, a mesh, and for `setCorridor` the result of a search.
 * Out: the changed corridor.
 * Cost: `resetCorridor` is constant, the other functions are linear in the corridor. No allocation once a corridor has
 * grown.
 * Based on: Detour's path corridor (Mikko Mononen). Here the number of polygons is not limited, refs are stored in
 * addition to dense indices, the remaining length is known, and a revision number tells when the corridor may be
 * invalid.
 */
import { closestPointOnPoly } from '../../mesh/ground.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { Corridor } from '../../query/path/corridor.ts';
import { findCrossing, NO_CROSSING } from '../../query/path/corridor.ts';
import { beginAt, measureLeft, reserveCorridor, setRefs } from './splice.ts';
import type { PathCorridor } from './types.ts';

/** Resets a corridor to one polygon (dense index). Unchecked: see checked.ts. */
export function resetCorridor(c: PathCorridor, mesh: NavMesh, poly: number, point: Float64Array): void {
  beginAt(c, mesh, poly, point);
}

/** Replaces the polygons of a corridor by the result of a search. Unchecked: see checked.ts. */
export function setCorridor(c: PathCorridor, mesh: NavMesh, found: Corridor, target: Float64Array): boolean {
  const { corridor } = c;
  if (found.count === 0) return false;
  let from = 0;
  let joint = NO_CROSSING;
  const here = corridor.count > 0 && c.revision === mesh.revision ? corridor.polys[0] : -1;
  if (here < 0) {
    // The corridor is new, or its dense indices are out of date.
    closestPointOnPoly(c.position, mesh, found.polys[0], c.position);
  } else if (found.polys[0] !== here) {
    for (from = found.count - 1; from >= 0 && found.polys[from] !== here; from--);
    if (from < 0) {
      for (from = found.count - 1; from >= 0; from--) {
        joint = findCrossing(mesh, here, found.polys[from]);
        if (joint !== NO_CROSSING) break;
      }
      if (from < 0) return false;
    }
  }
  const head = joint === NO_CROSSING ? 0 : 1;
  const count = found.count - from + head;
  reserveCorridor(c, count);
  const { polys, crossings } = corridor;
  if (head === 1) {
    polys[0] = here;
    crossings[0] = joint;
  }
  for (let i = from; i < found.count; i++) {
    polys[i - from + head] = found.polys[i];
    crossings[i - from + head] = found.crossings[i];
  }
  corridor.count = count;
  corridor.outcome = found.outcome;
  corridor.cost = found.cost;
  corridor.visitedCount = found.visitedCount;
  // A target above or below the polygon is moved, too, because it may be on another floor.
  closestPointOnPoly(c.target, mesh, polys[count - 1], target);
  setRefs(c, mesh, 0, count);
  measureLeft(c, mesh, count - 1);
  c.revision = mesh.revision;
  return true;
}

/** Copies corridor `c` to `out`. Unchecked: see checked.ts. */
export function copyCorridor(out: PathCorridor, c: PathCorridor): void {
  const from = c.corridor;
  const to = out.corridor;
  reserveCorridor(out, from.count);
  for (let i = 0; i < from.count; i++) {
    to.polys[i] = from.polys[i];
    to.crossings[i] = from.crossings[i];
    out.refs[i] = c.refs[i];
    out.left[i] = c.left[i];
  }
  to.count = from.count;
  to.outcome = from.outcome;
  to.cost = from.cost;
  to.visitedCount = from.visitedCount;
  for (let k = 0; k < 3; k++) {
    out.position[k] = c.position[k];
    out.target[k] = c.target[k];
  }
  out.revision = c.revision;
}
