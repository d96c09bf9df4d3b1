/**
 * Strings over wide links: links with a segment as an end.
 *
 * A wide link ends the string at the middle of its near anchor and starts a new one at the middle of its far anchor.
 * Where both anchors are segments that face each other, and the portals before and after face them too, the string goes
 * straight through both; crossings.ts then adds the two corners at which it crosses them. In a corridor with a straight
 * link, the string is unfolded (unfold.ts).
 *
 * In: the funnel of funnel.ts, at a wide link of a corridor.
 * Out: the funnel behind the link; or a whole string.
 * Cost: constant, except for unfolded strings.
 * Based on: own.
 */
import { isLinkCrossing, linkEndOf, setCrossingEnds } from '../../mesh/crossing.ts';
import { setLinkPlace, wideLinks } from '../../mesh/link-places.ts';
import { WIDE_PLACES } from '../../mesh/straight-links.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { Corridor } from './corridor.ts';
import { CROSSINGS_AT_LINKS, addCrossings } from './crossings.ts';
import { WIDE_BROKEN, WIDE_DONE, WIDE_THROUGH, addLeft, addRight, breakString, wideStrings } from './funnel.ts';
import type { PathLine } from './path-line.ts';
import { breakFeed, feed, setPoint, sideOf } from './portals.ts';
import { isUnfolded, pullUnfolded } from './unfold.ts';

// A link occupies six successive points; these are the offsets from the first. Right and left are seen by an agent
// that takes the link.
const NEAR_RIGHT = 0;
const NEAR_LEFT = 1;
const FAR_RIGHT = 2;
const FAR_LEFT = 3;
const NEAR_MIDDLE = 4;
const FAR_MIDDLE = 5;
const LINK_POINTS = 6;

const ends = new Float64Array(6);
const place = new Float64Array(6);

/**
 * Lets meshes have wide links: links with a segment as an end, as automatic links are. Call it once in each thread that
 * loads, makes or searches such meshes; functions of `navkiln/links` that add links call it themselves. Without it,
 * `addLink` and `loadNavMesh` refuse wide links, and so does a search that meets one on a copied mesh.
 *
 * The code for wide links is optional, since it is a fourth of a page that only finds paths.
 */
export function enableWideLinks(): void {
  wideLinks.places = WIDE_PLACES;
  wideStrings.cross = crossWide;
  wideStrings.finish = finishWide;
}

function finishWide(out: PathLine, mesh: NavMesh, corridor: Corridor): void {
  addCrossings(out, mesh, corridor, CROSSINGS_AT_LINKS);
}

// oxlint-disable-next-line max-params -- kernel: as pullString
function crossWide(
  out: PathLine,
  mesh: NavMesh,
  corridor: Corridor,
  i: number,
  start: Float64Array,
  end: Float64Array,
): number {
  const linkEnd = linkEndOf(corridor.crossings[i]);
  if (isUnfolded(mesh, linkEnd)) {
    pullUnfolded(out, mesh, corridor, start, end);
    return WIDE_DONE;
  }
  const point = feed.next;
  setLinkPlace(place, mesh, linkEnd, 0, 1);
  setLinkPoints(point, mesh, linkEnd, 2 * i + 1);
  feed.next += LINK_POINTS;
  breakFeed();
  if (feed.origin >= 0) feed.left = feed.right = feed.origin;
  setPortalAhead(feed.next, mesh, corridor, i + 1, end);
  if (!isFacing(point)) {
    breakString(out, point + NEAR_MIDDLE, linkEnd);
    return WIDE_BROKEN;
  }
  feed.origin = -1;
  addRight(out, point + NEAR_RIGHT);
  addLeft(out, point + NEAR_LEFT);
  addRight(out, point + FAR_RIGHT);
  addLeft(out, point + FAR_LEFT);
  feed.right = point + FAR_RIGHT;
  feed.left = point + FAR_LEFT;
  return WIDE_THROUGH;
}

/** Sets the six points of a link. `first` is the place of the near anchor in the corridor; the far anchor has the next place. */
function setLinkPoints(point: number, mesh: NavMesh, linkEnd: number, first: number): void {
  const { linkAnchors } = mesh;
  for (let side = 0; side < 2; side++) {
    setPoint(point + NEAR_MIDDLE + side, place, 3 * side);
    feed.place[point + NEAR_MIDDLE + side] = first + side;
  }
  for (let side = 0; side < 2; side++) {
    const at = 6 * (linkEnd ^ side);
    const right = point + (side === 0 ? NEAR_RIGHT : FAR_RIGHT);
    setPoint(right, linkAnchors, at);
    const firstIsLeft = sideOf(point + NEAR_MIDDLE, point + FAR_MIDDLE, right) > 0 ? 3 : 0;
    setPoint(right, linkAnchors, at + firstIsLeft);
    setPoint(right + 1, linkAnchors, at + 3 - firstIsLeft);
    feed.place[right] = feed.place[right + 1] = first + side;
  }
}

/**
 * Sets `point` and the next one to the ends of crossing i of the corridor. After the last crossing, both are set to
 * the end of the path.
 */
function setPortalAhead(point: number, mesh: NavMesh, corridor: Corridor, i: number, end: Float64Array): void {
  if (i + 1 >= corridor.count) {
    setPoint(point, end, 0);
    setPoint(point + 1, end, 0);
    return;
  }
  const crossing = corridor.crossings[i];
  if (isLinkCrossing(crossing)) {
    for (let k = 0; k < 6; k++) ends[k] = mesh.linkAnchors[6 * linkEndOf(crossing) + k];
  } else {
    setCrossingEnds(ends, mesh, corridor.polys[i], crossing);
  }
  setPoint(point, ends, 0);
  setPoint(point + 1, ends, 3);
}

/**
 * Returns true when the string can go straight through both anchors of the link at `point`: the anchors face
 * each other, the near one faces the portal before it, and the far one faces the portal ahead.
 */
function isFacing(point: number): boolean {
  const near = point + NEAR_RIGHT;
  const far = point + FAR_RIGHT;
  const ahead = point + LINK_POINTS;
  return (
    sideOf(near, near + 1, point + FAR_MIDDLE) < 0 &&
    sideOf(far, far + 1, point + NEAR_MIDDLE) > 0 &&
    sideOf(near, near + 1, feed.left) >= 0 &&
    sideOf(near, near + 1, feed.right) >= 0 &&
    sideOf(far, far + 1, ahead) <= 0 &&
    sideOf(far, far + 1, ahead + 1) <= 0
  );
}
