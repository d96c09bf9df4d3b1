/**
 * Where a path crosses a link: a point on the near end and a point on the far end.
 *
 * A link between two points has one such place. The code for wide links, which have a segment as an end, is not part of
 * every bundle: `enableWideLinks` (query/path/wide-links.ts) sets it here. Without it, `addLink`, `loadNavMesh` and
 * searches that meet a wide link refuse it.
 *
 * In: a mesh, the link end where the path enters the link.
 * Out: places: xyz on the near end, xyz on the far end.
 * Cost: constant.
 * Based on: own.
 */
import { otherEnd } from './crossing.ts';
import type { NavMesh } from './types.ts';

/** Offsets in a place. */
export const NEAR = 0;
export const FAR = 3;

/** Largest number of shares of a link that a search tries. */
export const MOST_SHARES = 8;

/** The code for wide links; straight-links.ts implements it. */
export interface WidePlaces {
  placeBetween: typeof placeBetween;
  placeOpposite: typeof placeOpposite;
  setLinkPlace: typeof setLinkPlace;
  countShares: (mesh: NavMesh, link: number) => number;
  areEndsEqual: (points: Float64Array, at: number) => boolean;
}

/** `places` is set once and never changed or removed: without it, a call throws; with it, a call has one result. */
export const wideLinks: { places: WidePlaces | undefined } = { places: undefined };

/** Returns whether one of two segments of xyz, from points[at] on, is wider than a point. */
export function isWideAt(points: Float64Array, at: number): boolean {
  for (let k = at; k < at + 3; k++) if (points[k] !== points[k + 3] || points[k + 6] !== points[k + 9]) return true;
  return false;
}

/** Returns whether an anchor of a link end's link is wider than a point. */
export function isWideLink({ linkAnchors }: NavMesh, linkEnd: number): boolean {
  return isWideAt(linkAnchors, 12 * (linkEnd >> 1));
}

/** Returns the code for wide links. Throws an Error if `enableWideLinks` was not called. */
export function placesOfWide(caller: string = 'NavMesh'): WidePlaces {
  if (wideLinks.places === undefined)
    throw new Error(`${caller}: a link is wide; call enableWideLinks() of navkiln/links first`);
  return wideLinks.places;
}

/**
 * Sets `out` to where the shortest path between two points, without regard to walls, crosses a link; the middles of its
 * ends if the link is not straight. Points are xyz from `at` on.
 */
// oxlint-disable-next-line max-params -- kernel: callers keep points in records of their own
export function placeBetween(
  out: Float64Array,
  mesh: NavMesh,
  linkEnd: number,
  from: Float64Array,
  fromAt: number,
  to: Float64Array,
  toAt: number,
): void {
  if (isWideLink(mesh, linkEnd)) placesOfWide().placeBetween(out, mesh, linkEnd, from, fromAt, to, toAt);
  else setPlace(out, mesh, linkEnd);
}

/**
 * Sets `out` to the crossing nearest to a point (xyz from `at` on), which is next to the near end or the far end; the
 * middles of both ends if the link is not straight.
 */
// oxlint-disable-next-line max-params -- kernel: callers keep points in records of their own
export function placeOpposite(
  out: Float64Array,
  mesh: NavMesh,
  linkEnd: number,
  isFar: boolean,
  point: Float64Array,
  at: number,
): void {
  if (isWideLink(mesh, linkEnd)) placesOfWide().placeOpposite(out, mesh, linkEnd, isFar, point, at);
  else setPlace(out, mesh, linkEnd);
}

/** Returns the number of shares of a link that a search tries; 1 if it tries only the middle. */
export function countShares(mesh: NavMesh, link: number): number {
  return isWideLink(mesh, 2 * link) ? placesOfWide().countShares(mesh, link) : 1;
}

/** Divides both ends into `count` equal parts and sets `out` to the middle of part `i`. */
export function setLinkPlace(out: Float64Array, mesh: NavMesh, linkEnd: number, i: number, count: number): void {
  if (isWideLink(mesh, linkEnd)) placesOfWide().setLinkPlace(out, mesh, linkEnd, i, count);
  else setPlace(out, mesh, linkEnd);
}

/** Sets `out` to the place of a link between two points. */
function setPlace(out: Float64Array, { linkAnchors }: NavMesh, linkEnd: number): void {
  for (let k = 0; k < 3; k++) {
    out[NEAR + k] = linkAnchors[6 * linkEnd + k];
    out[FAR + k] = linkAnchors[6 * otherEnd(linkEnd) + k];
  }
}
