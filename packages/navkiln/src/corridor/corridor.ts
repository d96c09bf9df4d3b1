/**
 * A path corridor: the polygons from where one is to where one goes, kept valid while both ends move and while the mesh changes.
 *
 *        position                                 target        A search gives the corridor, once. Then who walks moves its
 *           x──┐ polys[0]                        ┌──x           position (corridor-move.ts) and asks for the next corners
 *              └─▶ crossings[0] ─▶ … ─▶ polys[count - 1]        (corridor-corners.ts); a goal that moves takes the target with
 *                                                               it. What was walked is spliced in; nothing is searched.
 *
 * Held at all times (`validateCorridor`): the position lies on the first polygon and the target on the last; each polygon leads
 * to the next by the crossing between them; `refs` and `left` say what they say. When the mesh has changed (`revision` differs)
 * only `rebaseCorridor`, `fixCorridorStart`, `trimCorridor`, `resetCorridor`, `isCorridorValid` and `copyCorridor` may be called,
 * until one of the first four has made them agree again: dense indices move when tiles come and go.
 *
 * Cost: `resetCorridor` constant, the others here linear in the corridor. No allocation once a corridor has grown.
 *
 * Based on: Detour's path corridor (Mikko Mononen). Other than there: no limit on polygons, refs beside dense indices, the length
 * of the way left, and what becomes invalid is found out by a count of changes and not by looking each time.
 */
import { closestPointOnPoly } from '../navmesh/ground.ts';
import type { NavMesh } from '../navmesh/types.ts';
import type { Corridor } from '../query/path/corridor.ts';
import { findCrossing, NO_CROSSING } from '../query/path/corridor.ts';
import { beginAt, measureLeft, reserveCorridor, setRefs } from './splice.ts';
import type { PathCorridor } from './types.ts';

/** One polygon (dense index), the point on it is position and target. */
export function resetCorridor(c: PathCorridor, mesh: NavMesh, poly: number, point: Float64Array): void {
  beginAt(c, mesh, poly, point);
}

/**
 * Takes over what a search has found from this corridor's position, which stays; `target` is moved onto the last polygon when it
 * is not on it. Who has moved on since the search began may stand on any polygon of what was found, or beside one. False: it
 * stands elsewhere, or nothing was found, and the corridor is as it was.
 */
export function setCorridor(c: PathCorridor, mesh: NavMesh, found: Corridor, target: Float64Array): boolean {
  const { corridor } = c;
  if (found.count === 0) return false;
  let from = 0;
  let joint = NO_CROSSING;
  const here = corridor.count > 0 && c.revision === mesh.revision ? corridor.polys[0] : -1;
  if (here < 0) {
    // A corridor that is new, or one whose numbers mean nothing any more.
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
  // Also when it is over that polygon: it may be on another storey.
  closestPointOnPoly(c.target, mesh, polys[count - 1], target);
  setRefs(c, mesh, 0, count);
  measureLeft(c, mesh, count - 1);
  c.revision = mesh.revision;
  return true;
}

/** Makes `out` the same as `c`. */
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
