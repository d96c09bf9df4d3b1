/**
 * Adds corners where a path crosses from polygon to polygon: everywhere, where the area changes, or only
 * where a link joins two segments. They lie on straight stretches of the line, so its shape stays the same.
 *
 * In: a line, and the corridor it was pulled through.
 * Out: the line with the added corners. Each lies on the crossed edge, portal or anchor, at its height.
 * Cost: linear in the corridor.
 * Based on: own; the choice of corners is that of Detour's findStraightPath (Mikko Mononen).
 */
import { linkEndOf, isLinkCrossing, setCrossingEnds } from '../../mesh/crossing.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { Corridor } from './corridor.ts';
import type { PathLine } from './path-line.ts';

/** A corner is left out if it is nearer to an end of its stretch than this share of the stretch's length. */
const TOLERANCE = 1e-9;

/** A copy of the line before the corners are added. */
const old: PathLine = { count: 0, points: new Float64Array(0), places: new Int32Array(0), linkEnds: new Int32Array(0) };
const ends = new Float64Array(6);

/** Adds corners only at links. */
export const CROSSINGS_AT_LINKS = 0;
/** Adds corners at links and where the area changes. */
export const CROSSINGS_AT_AREAS = 1;
/** Adds a corner wherever the path enters a polygon. */
export const CROSSINGS_EVERYWHERE = 2;

/**
 * Kernel: adds the corners that `crossings` (CROSSINGS_*) selects. The arrays of `out` must be large enough:
 * they are not grown.
 * @internal
 */
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
    if (!isLink && !isSelected(mesh, polys[i], polys[i + 1], crossings)) continue;
    // A link has two places: one where the path enters it and one where the path leaves it.
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

/** Returns true when `crossings` selects the crossing between two polygons. */
function isSelected(mesh: NavMesh, from: number, to: number, crossings: number): boolean {
  if (crossings === CROSSINGS_AT_AREAS) return mesh.polyArea[from] !== mesh.polyArea[to];
  return crossings === CROSSINGS_EVERYWHERE;
}

/** Appends the point at which the stretch that leads to corner `next` of the old line crosses `ends`. */
function insertCorner(out: PathLine, next: number, place: number, linkEnd: number): void {
  const { points } = old;
  const { points: line } = out;
  const a = 3 * next - 3;
  const b = 3 * next;
  const dx = points[b] - points[a];
  const dz = points[b + 2] - points[a + 2];
  const right = (ends[2] - points[a + 2]) * dx - (ends[0] - points[a]) * dz;
  const left = (ends[5] - points[a + 2]) * dx - (ends[3] - points[a]) * dz;
  const t = right === left ? 0 : Math.min(Math.max(right / (right - left), 0), 1);
  const at = 3 * out.count;
  // Where the path passes a vertex, several crossings are one point, up to a rounding error.
  let isSame = linkEnd < 0 && out.places[out.count - 1] > old.places[next - 1];
  for (let k = 0; k < 3; k++) {
    const value = (line[at + k] = t === 1 ? ends[3 + k] : ends[k] + t * (ends[3 + k] - ends[k]));
    isSame &&= Math.abs(value - line[at + k - 3]) <= TOLERANCE * (Math.abs(dx) + Math.abs(dz));
  }
  const along = (line[at] - points[a]) * dx + (line[at + 2] - points[a + 2]) * dz;
  const share = along / (dx * dx + dz * dz);
  if (linkEnd < 0 && !(Math.abs(share - 0.5) < 0.5 - TOLERANCE)) return;
  // It is the last of them, as in Detour: the first may lie beside the border of the last polygon.
  if (isSame) {
    line.copyWithin(at - 3, at, at + 3);
    linkEnd = out.linkEnds[--out.count];
  }
  out.places[out.count] = place;
  out.linkEnds[out.count++] = linkEnd;
}

function copyCorner(to: PathLine, from: PathLine, corner: number): void {
  for (let k = 0; k < 3; k++) to.points[3 * to.count + k] = from.points[3 * corner + k];
  to.places[to.count] = from.places[corner];
  to.linkEnds[to.count++] = from.linkEnds[corner];
}
