/**
 * Places on wide links, which `enableWideLinks` brings (link-places.ts). On a straight link, an agent lands opposite to
 * its take-off point.
 *
 *     far    o=====x=====o       Both ends are parallel and equally long, so every crossing is the same translation,
 *                  |             and one number, the share of both ends, describes a crossing.
 *     near   o=====x=====o
 *
 * A search that needs points takes the best share for a path between two points (`placeBetween`), the share opposite to
 * a point (`placeOpposite`), or one of a few fixed shares (`setLinkPlace`). For links that are not straight, all three
 * give the middles of both ends. String pulling later moves the crossing to where the path is shortest.
 *
 * In: a mesh, the link end where the path enters the link.
 * Out: crossings ("places"): xyz on the near end, xyz on the far end.
 * Cost: constant.
 * Based on: own.
 */
import { linkOf, otherEnd } from './crossing.ts';
import { FAR, MOST_SHARES, NEAR } from './link-places.ts';
import type { WidePlaces } from './link-places.ts';
import { isStraightLink } from './link-kinds.ts';
import type { NavMesh } from './types.ts';

/** Largest difference of both ends, as a share of their length and of their coordinates. */
const SAME_LENGTH = 1e-6;
const SAME_PLACE = 1e-12;
/** The distance of the shares of a link that a search tries, in agent radii. */
const SHARE_RADII = 3;

/** Returns whether two segments of xyz, from points[at] on, are parallel and equally long seen from above. */
function areEndsEqual(points: Float64Array, at: number): boolean {
  const p = points.subarray(at, at + 12);
  const size = Math.max(...p.map(Math.abs));
  const ux = p[3] - p[0];
  const uz = p[5] - p[2];
  const dx = p[9] - p[6] - ux;
  const dz = p[11] - p[8] - uz;
  return Math.sqrt(dx * dx + dz * dz) <= SAME_LENGTH * Math.sqrt(ux * ux + uz * uz) + SAME_PLACE * size;
}

function countShares(mesh: NavMesh, link: number): number {
  if (!isStraightLink(mesh, link)) return 1;
  const { linkAnchors } = mesh;
  const a = 12 * link;
  const dx = linkAnchors[a + 3] - linkAnchors[a];
  const dz = linkAnchors[a + 5] - linkAnchors[a + 2];
  const ox = linkAnchors[a + 6] - linkAnchors[a];
  const oz = linkAnchors[a + 8] - linkAnchors[a + 2];
  // On a mesh without an agent radius, the spacing is the length of the link.
  const spacing = SHARE_RADII * mesh.agent.radius || Math.sqrt(ox * ox + oz * oz);
  const width = Math.sqrt(dx * dx + dz * dz);
  return width > spacing ? Math.min(MOST_SHARES, Math.ceil(width / spacing)) : 1;
}

/** Divides both ends into `count` equal parts and sets `out` to the middle of part `i`. */
function setLinkPlace(out: Float64Array, mesh: NavMesh, linkEnd: number, i: number, count: number): void {
  setShare(out, mesh, linkEnd, (i + 0.5) / count);
}

/** Sets `out` to where the shortest path between two points, without regard to walls, crosses a link. Points are xyz from `at` on. */
// oxlint-disable-next-line max-params -- kernel: callers keep points in records of their own
function placeBetween(
  out: Float64Array,
  mesh: NavMesh,
  linkEnd: number,
  from: Float64Array,
  fromAt: number,
  to: Float64Array,
  toAt: number,
): void {
  let share = 0.5;
  if (isStraightLink(mesh, linkOf(linkEnd))) {
    const { linkAnchors } = mesh;
    const a = 6 * linkEnd;
    const b = 6 * otherEnd(linkEnd);
    const ux = linkAnchors[a + 3] - linkAnchors[a];
    const uz = linkAnchors[a + 5] - linkAnchors[a + 2];
    const px = from[fromAt] - linkAnchors[a];
    const pz = from[fromAt + 2] - linkAnchors[a + 2];
    const qx = to[toAt] - linkAnchors[b];
    const qz = to[toAt + 2] - linkAnchors[b + 2];
    const lengthSq = ux * ux + uz * uz;
    if (lengthSq > 0) {
      const s = (px * ux + pz * uz) / lengthSq;
      const t = (qx * ux + qz * uz) / lengthSq;
      // Absolute distances: a path that turns back to the same side is reflected at the link.
      const p = Math.abs(px * uz - pz * ux);
      const q = Math.abs(qx * uz - qz * ux);
      share = p + q > 0 ? s + (p / (p + q)) * (t - s) : s;
    }
  }
  setShare(out, mesh, linkEnd, share);
}

/** Sets `out` to the crossing nearest to a point (xyz from `at` on), which is next to the near end or the far end. */
// oxlint-disable-next-line max-params -- kernel: callers keep points in records of their own
function placeOpposite(
  out: Float64Array,
  mesh: NavMesh,
  linkEnd: number,
  isFar: boolean,
  point: Float64Array,
  at: number,
): void {
  let share = 0.5;
  if (isStraightLink(mesh, linkOf(linkEnd))) {
    const { linkAnchors } = mesh;
    const a = 6 * (isFar ? otherEnd(linkEnd) : linkEnd);
    const ux = linkAnchors[a + 3] - linkAnchors[a];
    const uz = linkAnchors[a + 5] - linkAnchors[a + 2];
    const lengthSq = ux * ux + uz * uz;
    const along = (point[at] - linkAnchors[a]) * ux + (point[at + 2] - linkAnchors[a + 2]) * uz;
    if (lengthSq > 0) share = along / lengthSq;
  }
  setShare(out, mesh, linkEnd, share);
}

/** Sets `out` to a share of both ends, 0 .. 1. At share 0.5, the result has the same bits as the middle that searches use for other links. */
function setShare(out: Float64Array, { linkAnchors }: NavMesh, linkEnd: number, share: number): void {
  const a = 6 * linkEnd;
  const b = 6 * otherEnd(linkEnd);
  if (share === 0.5) {
    for (let k = 0; k < 3; k++) {
      out[NEAR + k] = (linkAnchors[a + k] + linkAnchors[a + 3 + k]) * 0.5;
      out[FAR + k] = (linkAnchors[b + k] + linkAnchors[b + 3 + k]) * 0.5;
    }
    return;
  }
  const t = share > 0 ? (share < 1 ? share : 1) : 0;
  for (let k = 0; k < 3; k++) {
    out[NEAR + k] =
      t === 1 ? linkAnchors[a + 3 + k] : linkAnchors[a + k] + t * (linkAnchors[a + 3 + k] - linkAnchors[a + k]);
    out[FAR + k] =
      t === 1 ? linkAnchors[b + 3 + k] : linkAnchors[b + k] + t * (linkAnchors[b + 3 + k] - linkAnchors[b + k]);
  }
}

/** The code for wide links. */
export const WIDE_PLACES: WidePlaces = { placeBetween, placeOpposite, setLinkPlace, countShares, areEndsEqual };
