/**
 * Moves the position and the target of a corridor along the mesh, and splices the polygons that they crossed
 * into it.
 *
 *   position moved   corridor A B C D, walked A B X   ->  X B C D   back to what is left of the corridor
 *   target moved     corridor A B C D, walked D C Y   ->  A B C Y
 *   over a link      corridor A B ~ C D               ->  C D       the position is at the link's far end
 *
 * A slide starts on the corridor, so the two always have a polygon in common. The one furthest along the corridor
 * counts, so an agent that walks around a part of the corridor drops that part. The filter does not apply to the first
 * polygon: an agent on a closed polygon may leave it. When it leaves through another edge than that of the corridor,
 * the path is lost: one polygon remains, and the outcome is 'unreachable'.
 *
 * In: a corridor, and the point that its end should move to.
 * Out: the end as near to the point as a slide along walls gets (query/walk/slide.ts), and a valid corridor
 * from or to it.
 * Cost: constant within the first polygon and into the next one; otherwise a slide, and the length of the
 * corridor times the number of walked polygons. A step of the target is linear in the corridor, as all
 * remaining lengths change. No allocation after warm-up.
 * Based on: Detour's path corridor (Mikko Mononen), whose rules of merging these are. Here the step into the
 * next polygon needs no slide (with the same result), the number of visited polygons is not limited, and
 * heights come from the mesh.
 */
import { isLinkCrossing, linkEndOf, otherEnd, portalOf } from '../../mesh/crossing.ts';
import { isOverPoly, setHeight } from '../../mesh/ground.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter } from '../../query/filter.ts';
import type { QueryFilter } from '../../query/filter.ts';
import { setHeightNear } from '../../query/ground-height.ts';
import type { SearchState } from '../../query/search-state.ts';
import { moveAlongSurfaceInto } from '../../query/walk/slide.ts';
import type { Slide } from '../../query/walk/slide.ts';
import { common, findFirstCommon, findLastCommon } from './common.ts';
import { findCrossing } from '../../query/path/corridor.ts';
import type { PathCorridor } from './types.ts';
import { beginAt, joinHead, measureLeft, moveLeftEnd, openHead, reserveCorridor, setRefs } from './splice.ts';

/** Margin added to the radius of a slide, as in query/walk/slide.ts; world units. */
const RADIUS_SLACK = 0.001;

/** Moves the position toward a point (xyz). Unchecked: see checked.ts. */
export function moveCorridorPosition(
  c: PathCorridor,
  mesh: NavMesh,
  slide: Slide,
  state: SearchState,
  point: Float64Array,
  filter: QueryFilter,
): boolean {
  const { corridor, position } = c;
  if (corridor.count === 0 || c.revision !== mesh.revision || !isFiniteInPlan(point)) return false;
  const poly = corridor.polys[0];
  if (isOverPoly(mesh, poly, point)) {
    position[0] = point[0];
    position[2] = point[2];
    setHeight(position, mesh, poly);
    return true;
  }
  if (corridor.count > 1 && isStepIntoNext(c, mesh, point, filter)) {
    position[0] = point[0];
    position[2] = point[2];
    setHeight(position, mesh, corridor.polys[1]);
    openHead(c, 0, 1);
    return true;
  }
  moveAlongSurfaceInto(slide, state, mesh, poly, position, point, filter);
  position[0] = slide.point[0];
  position[1] = slide.point[1];
  position[2] = slide.point[2];
  if (slide.count > 1 && findLastCommon(corridor, slide.polys, slide.count)) {
    const { place, step } = common;
    if (step === 0 && place === 0 && !passesFilter(filter, mesh, poly)) {
      // The position left a closed polygon outside the corridor and cannot return.
      beginAt(c, mesh, slide.polys[slide.count - 1], position);
      corridor.outcome = 'unreachable';
      return slide.status === 'reached';
    }
    // Copy the polygons from the position back to the common polygon.
    const head = slide.count - 1 - step;
    openHead(c, head, place);
    for (let i = 0; i < head; i++) corridor.polys[i] = slide.polys[slide.count - 1 - i];
    joinHead(c, mesh, head);
  }
  return slide.status === 'reached';
}

function isFiniteInPlan(point: Float64Array): boolean {
  // The sum is NaN when one of the two is not finite.
  return point[0] * 0 + point[2] * 0 === 0;
}

/**
 * Returns true when the point is over the next polygon, and the edge to it touches the circle that a slide
 * stays in.
 */
function isStepIntoNext(c: PathCorridor, mesh: NavMesh, point: Float64Array, filter: QueryFilter): boolean {
  const { corridor, position } = c;
  const crossing = corridor.crossings[0];
  if (isLinkCrossing(crossing)) return false;
  const next = corridor.polys[1];
  if (!isOverPoly(mesh, next, point) || !passesFilter(filter, mesh, next)) return false;
  const { vertices, edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  const poly = corridor.polys[0];
  const edge = crossing >= 0 ? crossing : mesh.portalEdge[portalOf(crossing)];
  const first = polyEdgeStart[poly];
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[edge + 1 === first + polyVertexCount[poly] ? first : edge + 1];
  const sx = point[0] - position[0];
  const sy = point[1] - position[1];
  const sz = point[2] - position[2];
  const reach = Math.sqrt(sx * sx + sy * sy + sz * sz) / 2 + RADIUS_SLACK;
  const ux = vertices[b] - vertices[a];
  const uz = vertices[b + 2] - vertices[a + 2];
  const mx = vertices[a] - point[0] + sx / 2;
  const mz = vertices[a + 2] - point[2] + sz / 2;
  const lengthSq = ux * ux + uz * uz;
  let t = lengthSq > 0 ? -(mx * ux + mz * uz) / lengthSq : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const qx = mx + t * ux;
  const qz = mz + t * uz;
  return qx * qx + qz * qz <= reach * reach;
}

/** Moves the target toward a point (xyz). Unchecked: see checked.ts. */
export function moveCorridorTarget(
  c: PathCorridor,
  mesh: NavMesh,
  slide: Slide,
  state: SearchState,
  point: Float64Array,
  filter: QueryFilter,
): boolean {
  const { corridor, target } = c;
  if (corridor.count === 0 || c.revision !== mesh.revision || !isFiniteInPlan(point)) return false;
  const last = corridor.polys[corridor.count - 1];
  if (isOverPoly(mesh, last, point)) {
    target[0] = point[0];
    target[2] = point[2];
    setHeight(target, mesh, last);
    moveLeftEnd(c, mesh);
    return true;
  }
  moveAlongSurfaceInto(slide, state, mesh, last, target, point, filter);
  target[0] = slide.point[0];
  target[1] = slide.point[1];
  target[2] = slide.point[2];
  if (slide.count > 1 && findFirstCommon(corridor, slide.polys, slide.count)) {
    const { place, step } = common;
    const total = place + slide.count - step;
    reserveCorridor(c, total);
    const { polys, crossings } = corridor;
    for (let i = place + 1; i < total; i++) {
      polys[i] = slide.polys[step + i - place];
      crossings[i - 1] = findCrossing(mesh, polys[i - 1], polys[i]);
    }
    corridor.count = total;
    setRefs(c, mesh, place + 1, total);
    measureLeft(c, mesh, total - 1);
  } else {
    moveLeftEnd(c, mesh);
  }
  return slide.status === 'reached';
}

/** Moves the position over the next link that is entered at `linkEnd`. Unchecked: see checked.ts. */
export function moveCorridorOverLink(c: PathCorridor, mesh: NavMesh, linkEnd: number, out?: Float64Array): boolean {
  const { crossings, count } = c.corridor;
  if (c.revision !== mesh.revision) return false;
  let at = 0;
  while (at < count - 1 && !(isLinkCrossing(crossings[at]) && linkEndOf(crossings[at]) === linkEnd)) at++;
  if (at >= count - 1) return false;
  setTraverse(mesh, linkEnd, c.position);
  if (out !== undefined) for (let k = 0; k < 6; k++) out[k] = traverse[k];
  openHead(c, 0, at + 1);
  for (let k = 0; k < 3; k++) c.position[k] = traverse[k + 3];
  setHeightNear(c.position, mesh, c.corridor.polys[0]);
  return true;
}

const traverse = new Float64Array(6);

function setTraverse(mesh: NavMesh, linkEnd: number, position: Float64Array): void {
  const { linkAnchors } = mesh;
  const a = 6 * linkEnd;
  const b = 6 * otherEnd(linkEnd);
  const ux = linkAnchors[a + 3] - linkAnchors[a];
  const uz = linkAnchors[a + 5] - linkAnchors[a + 2];
  const vx = linkAnchors[b + 3] - linkAnchors[b];
  const vz = linkAnchors[b + 5] - linkAnchors[b + 2];
  const lengthSq = ux * ux + uz * uz;
  const along = (position[0] - linkAnchors[a]) * ux + (position[2] - linkAnchors[a + 2]) * uz;
  const share = lengthSq > 0 ? Math.min(Math.max(along / lengthSq, 0), 1) : 0.5;
  // Seen along the line between their middles, both segments must point to the same side; otherwise one of them is
  // reversed.
  const dx = linkAnchors[b] + linkAnchors[b + 3] - linkAnchors[a] - linkAnchors[a + 3];
  const dz = linkAnchors[b + 2] + linkAnchors[b + 5] - linkAnchors[a + 2] - linkAnchors[a + 5];
  const isReversed = (dx * uz - dz * ux) * (dx * vz - dz * vx) < 0;
  const farShare = isReversed ? 1 - share : share;
  for (let k = 0; k < 3; k++) {
    traverse[k] = linkAnchors[a + k] + share * (linkAnchors[a + 3 + k] - linkAnchors[a + k]);
    traverse[k + 3] = linkAnchors[b + k] + farShare * (linkAnchors[b + 3 + k] - linkAnchors[b + k]);
  }
}
