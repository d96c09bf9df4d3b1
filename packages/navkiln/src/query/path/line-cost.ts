/**
 * The cost of a line through a corridor: the sum of the costs of its segment in each polygon, and of the links.
 *
 * The segment of a polygon lies between its two crossings. If the line only touches a polygon at a corner, the segment
 * has length 0.
 *
 * In: a corridor, and the line that was pulled through it.
 * Out: a cost.
 * Cost: linear in the corridor. No allocation.
 * Based on: own.
 */
import { isLinkCrossing, linkEndOf, linkLength, linkOf, setCrossingEnds } from '../../mesh/crossing.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { costOf, segment, setSegmentPolys } from '../filter-methods.ts';
import type { QueryFilter } from '../filter.ts';
import type { Corridor } from './corridor.ts';
import type { PathLine } from './path-line.ts';

/** The result of `setLineCost`. It is not returned, since V8 would allocate a returned number. */
export const lineCost: Float64Array = new Float64Array(1);

const ends = new Float64Array(6);

/**
 * Sets `lineCost` to the cost of a line through a corridor. `next` is the polygon that the path enters after the
 * corridor, or -1.
 */
export function setLineCost(
  mesh: NavMesh,
  filter: QueryFilter,
  corridor: Corridor,
  line: PathLine,
  next: number,
): void {
  const { polys, crossings, count } = corridor;
  const { points, places } = line;
  const { from, to } = segment;
  let cost = 0;
  /** The first corner that is not before the current crossing. */
  let corner = 0;
  for (let k = 0; k < 3; k++) from[k] = points[k];
  for (let i = 0; i < count; i++) {
    const isLast = i === count - 1;
    const isLink = !isLast && isLinkCrossing(crossings[i]);
    const place = isLast || isLink ? 2 * i + 1 : 2 * i + 2;
    while (corner < line.count - 1 && places[corner] < place) corner++;
    if (places[corner] === place || corner === 0) for (let k = 0; k < 3; k++) to[k] = points[3 * corner + k];
    else crossAt(mesh, polys[i], crossings[i], points, 3 * corner);
    setSegmentPolys(i > 0 ? polys[i - 1] : -1, polys[i], isLast ? next : polys[i + 1]);
    cost += costOf(filter, mesh);
    for (let k = 0; k < 3; k++) from[k] = to[k];
    if (!isLink) continue;
    const linkEnd = linkEndOf(crossings[i]);
    cost += linkLength(mesh, linkEnd) * filter.areaCosts[mesh.linkArea[linkOf(linkEnd)]];
    if (corner < line.count - 1) corner++;
    for (let k = 0; k < 3; k++) from[k] = points[3 * corner + k];
  }
  lineCost[0] = cost;
}

/** Sets the segment's end to the point where the stretch to points[b .. b + 2] passes a crossing. */
function crossAt(mesh: NavMesh, poly: number, crossing: number, points: Float64Array, b: number): void {
  const a = b - 3;
  setCrossingEnds(ends, mesh, poly, crossing);
  const dx = points[b] - points[a];
  const dz = points[b + 2] - points[a + 2];
  const right = (ends[2] - points[a + 2]) * dx - (ends[0] - points[a]) * dz;
  const left = (ends[5] - points[a + 2]) * dx - (ends[3] - points[a]) * dz;
  const t = right === left ? 0 : Math.min(Math.max(right / (right - left), 0), 1);
  for (let k = 0; k < 3; k++) segment.to[k] = t === 1 ? ends[3 + k] : ends[k] + t * (ends[3 + k] - ends[k]);
}
