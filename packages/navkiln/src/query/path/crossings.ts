/**
 * Corners where a path crosses from polygon to polygon: where the area changes, or everywhere; and where it takes a link from one
 * segment to another. They lie on straight stretches of the line, so that its shape stays as it is.
 *
 * In: a line, and the corridor it was pulled through. Out: the line with corners added, each on what is crossed (edge, part of an
 * edge, anchor) and at its height there. Cost: linear in the corridor.
 *
 * Based on: own; the choice of what to add is that of Detour's findStraightPath (Mikko Mononen).
 */
import { linkEndOf, isLinkCrossing, setCrossingEnds } from '../../navmesh/crossing.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import type { Corridor } from './corridor.ts';
import type { PathLine } from './path-line.ts';

/** Corners nearer to the next one than this, as a share of the stretch they are on, are left out. */
const TOLERANCE = 1e-9;

/** The line as it was. */
const old: PathLine = { count: 0, points: new Float64Array(0), places: new Int32Array(0), linkEnds: new Int32Array(0) };
const ends = new Float64Array(6);

/** Kernel. `crossings`: 0 at links only, 1 where the area changes, 2 everywhere. The arrays of `out` must have room. @internal */
export function addCrossings(out: PathLine, mesh: NavMesh, corridor: Corridor, crossings: number): void {
  const { polys } = corridor;
  if (old.places.length < out.count) {
    old.points = new Float64Array(6 * out.count);
    old.places = new Int32Array(2 * out.count);
    old.linkEnds = new Int32Array(2 * out.count);
  }
  old.count = 0;
  for (let corner = 0; corner < out.count; corner++) copyCorner(old, out, corner);
  out.count = 0;
  let next = 0;
  for (let i = 0; i + 1 < corridor.count; i++) {
    const crossing = corridor.crossings[i];
    const isLink = isLinkCrossing(crossing);
    if (!isLink && crossings < 2 && (crossings < 1 || mesh.polyArea[polys[i]] === mesh.polyArea[polys[i + 1]]))
      continue;
    for (let place = 2 * i + (isLink ? 1 : 2); place < 2 * i + 3; place++) {
      while (next < old.count && old.places[next] < place) copyCorner(out, old, next++);
      if (next === old.count) break;
      const linkEnd = isLink ? linkEndOf(crossing) ^ (place - 2 * i - 1) : -1;
      if (old.places[next] === place) {
        if (isLink) old.linkEnds[next] = linkEnd;
        continue;
      }
      if (isLink) for (let k = 0; k < 6; k++) ends[k] = mesh.linkAnchors[6 * linkEnd + k];
      else setCrossingEnds(ends, mesh, polys[i], crossing);
      insertCorner(out, next, place, linkEnd);
    }
  }
  while (next < old.count) copyCorner(out, old, next++);
}

/** Where the stretch of the old line that leads to corner `next` crosses `ends`. */
function insertCorner(out: PathLine, next: number, place: number, linkEnd: number): void {
  const { points } = old;
  const a = 3 * next - 3;
  const b = 3 * next;
  const dx = points[b] - points[a];
  const dz = points[b + 2] - points[a + 2];
  const right = (ends[2] - points[a + 2]) * dx - (ends[0] - points[a]) * dz;
  const left = (ends[5] - points[a + 2]) * dx - (ends[3] - points[a]) * dz;
  const t = right === left ? 0 : Math.min(Math.max(right / (right - left), 0), 1);
  const at = 3 * out.count;
  for (let k = 0; k < 3; k++) out.points[at + k] = t === 1 ? ends[3 + k] : ends[k] + t * (ends[3 + k] - ends[k]);
  const along = (out.points[at] - points[a]) * dx + (out.points[at + 2] - points[a + 2]) * dz;
  const share = along / (dx * dx + dz * dz);
  if (linkEnd < 0 && !(share > TOLERANCE && share < 1 - TOLERANCE)) return;
  out.places[out.count] = place;
  out.linkEnds[out.count++] = linkEnd;
}

function copyCorner(to: PathLine, from: PathLine, corner: number): void {
  for (let k = 0; k < 3; k++) to.points[3 * to.count + k] = from.points[3 * corner + k];
  to.places[to.count] = from.places[corner];
  to.linkEnds[to.count++] = from.linkEnds[corner];
}
