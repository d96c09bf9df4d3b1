/**
 * Position and target of a corridor move over the ground, and what they walked is spliced into it.
 *
 *   position moved   corridor A B C D, walked A B X   ->  X B C D     the way back to what is left of it
 *   target moved     corridor A B C D, walked D C Y   ->  A B C Y
 *   over a link      corridor A B ~ C D               ->  C D         the position is at the link's far end
 *
 * In: a corridor and where its end is wished. Out: the end as near to there as a slide along walls gets (query/walk/slide.ts), on the
 * ground, and the corridor from and to it, always a valid one: a slide begins on the corridor, so that the two have a polygon in
 * common. Of several the one furthest along counts, so that who goes around the corridor and meets it again has a shorter one.
 * Only who leaves a first polygon that is closed (the filter is not asked about it) by another way than the corridor's has lost
 * the way: one polygon is left then, and the corridor's outcome is 'unreachable'.
 *
 * Cost of a step: within the first polygon its outline and ground, into the next one the same twice and a move of the columns in
 * memory; else a slide, and the corridor's length times that of what was walked, in comparisons of integers. A step of the target
 * is linear in the corridor, as all lengths of the way left change. No allocation after warm-up.
 * Of 1,000 walkers, one after another, on dungeon / terrain / city (3, 22, 3 triangles a polygon; 26, 20, 20 polygons a
 * corridor): within the polygon 64 / 120 / 76 ns, of which its ground 45 / 90 / 50; on into the next one 120 / 150 / 120, which
 * is 0.7 of the slide that it spares; off the corridor 500 / 550 / 480.
 *
 * Based on: Detour's path corridor (Mikko Mononen), whose rules of merging these are. Other than there: the step into the next
 * polygon without a slide (which agrees with it), no end of what is visited, heights from the ground.
 */
import { isLinkCrossing, linkEndOf, portalOf } from '../navmesh/crossing.ts';
import { isOverPoly, setHeight } from '../navmesh/ground.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { passesFilter } from '../query/filter.ts';
import type { QueryFilter } from '../query/filter.ts';
import { setHeightNear } from '../query/ground-height.ts';
import type { SearchState } from '../query/search-state.ts';
import { moveAlongSurfaceInto } from '../query/walk/slide.ts';
import type { Slide } from '../query/walk/slide.ts';
import { common, findFirstCommon, findLastCommon } from './merge.ts';
import { findCrossing } from '../query/path/corridor.ts';
import type { PathCorridor } from './types.ts';
import { beginAt, joinHead, measureLeft, moveLeftEnd, openHead, reserveCorridor, setRefs } from './splice.ts';

/** Added to a slide's radius, as in query/walk/slide.ts. */
const RADIUS_SLACK = 0.001;

/**
 * Moves the position towards a point (its y matters little: the ground says how high the position is), sliding along walls. True:
 * it got there; false: walls are in between, or the point has no finite x and z, which moves nothing. The corridor leads on from
 * wherever it got to.
 */
export function moveCorridorPosition(
  c: PathCorridor,
  mesh: NavMesh,
  slide: Slide,
  state: SearchState,
  point: Float64Array,
  filter: QueryFilter,
): boolean {
  const { corridor, position } = c;
  if (corridor.count === 0 || !isFinitePlace(point)) return false;
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
      // Off ground that was closed under it, and not along the corridor: there is no way back.
      beginAt(c, mesh, slide.polys[slide.count - 1], position);
      corridor.outcome = 'unreachable';
      return slide.status === 'reached';
    }
    // Where the position is, back to the common polygon.
    const head = slide.count - 1 - step;
    openHead(c, head, place);
    for (let i = 0; i < head; i++) corridor.polys[i] = slide.polys[slide.count - 1 - i];
    joinHead(c, mesh, head);
  }
  return slide.status === 'reached';
}

function isFinitePlace(point: Float64Array): boolean {
  // NaN when either is not finite.
  return point[0] * 0 + point[2] * 0 === 0;
}

/** Is the point over the next polygon, and does the edge to it touch the circle that a slide would stay in? */
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

/**
 * Moves the target towards a point, as `moveCorridorPosition` moves the position: true when it got there. A slide does not go
 * around walls: a target that has jumped is to be searched for, and until then this brings it as near as it may.
 */
export function moveCorridorTarget(
  c: PathCorridor,
  mesh: NavMesh,
  slide: Slide,
  state: SearchState,
  point: Float64Array,
  filter: QueryFilter,
): boolean {
  const { corridor, target } = c;
  if (corridor.count === 0 || !isFinitePlace(point)) return false;
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

/**
 * Takes the next link that is entered at this link end: the position goes to its far end and what comes before is dropped. Of an end
 * that is a segment, the place that lies along it as the position did along the other. `out` (6 numbers), when given: where the
 * way off the ground begins and ends. False, and nothing else: the corridor takes no such link.
 */
export function moveCorridorOverLink(c: PathCorridor, mesh: NavMesh, linkEnd: number, out?: Float64Array): boolean {
  const { crossings, count } = c.corridor;
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
  const b = 6 * (linkEnd ^ 1);
  const ux = linkAnchors[a + 3] - linkAnchors[a];
  const uz = linkAnchors[a + 5] - linkAnchors[a + 2];
  const vx = linkAnchors[b + 3] - linkAnchors[b];
  const vz = linkAnchors[b + 5] - linkAnchors[b + 2];
  const lengthSq = ux * ux + uz * uz;
  const along = (position[0] - linkAnchors[a]) * ux + (position[2] - linkAnchors[a + 2]) * uz;
  const share = lengthSq > 0 ? Math.min(Math.max(along / lengthSq, 0), 1) : 0.5;
  // From middle to middle, both ends have the same side on the left: or else one of them runs the other way.
  const dx = linkAnchors[b] + linkAnchors[b + 3] - linkAnchors[a] - linkAnchors[a + 3];
  const dz = linkAnchors[b + 2] + linkAnchors[b + 5] - linkAnchors[a + 2] - linkAnchors[a + 5];
  const isTurned = (dx * uz - dz * ux) * (dx * vz - dz * vx) < 0;
  const farShare = isTurned ? 1 - share : share;
  for (let k = 0; k < 3; k++) {
    traverse[k] = linkAnchors[a + k] + share * (linkAnchors[a + 3 + k] - linkAnchors[a + k]);
    traverse[k + 3] = linkAnchors[b + k] + farShare * (linkAnchors[b + 3 + k] - linkAnchors[b + k]);
  }
}
