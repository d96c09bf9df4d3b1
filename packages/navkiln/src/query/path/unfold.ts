/**
 * String pulling over straight links: the shortest path through a corridor with links that agents cross at the same
 * share of both ends.
 *
 *        far    o===x===o  . . . goal        A straight link is a translation. Everything behind it is moved back by it,
 *                   |                        so that the far end lies on the near one and the link is a portal of the
 *        near   o===x===o                    funnel: the string crosses it where the path is shortest.
 *              /
 *     start  x              A path may also land and turn back to the side from which it came. Then everything behind the
 *                           link is also mirrored at it. A crossing next to the link may lie on both sides of its line:
 *                           it is cut to one side, and if the string touches the cut, the other side is tried.
 *
 * Links that are not straight, and links between points, end the string at the middle of the near end and start a new one at the
 * middle of the far end.
 *
 * In: a corridor with straight links, a start on its first polygon and an end on its last one.
 * Out: corners as from funnel.ts. A link has two corners, at the same share of its ends.
 * Cost: linear in the corridor, for each set of sides that is tried. No allocation after warm-up.
 * Based on: own, with the funnel of Lee and Preparata (funnel.ts). The length is a convex function of all points
 * together, so repeated improvements of the sides lead to the shortest path.
 */
import { isLinkCrossing, linkEndOf, linkOf, otherEnd, setCrossingEnds } from '../../mesh/crossing.ts';
import { isStraightLink } from '../../mesh/link-kinds.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { Corridor } from './corridor.ts';
import { addLeft, addRight, apexPoint, beginFunnel, endFunnel, reserveFunnel } from './funnel.ts';
import { createPathLine } from './path-line.ts';
import type { PathLine } from './path-line.ts';
import { feed, reserveFeed, slack } from './portals.ts';

/** Tolerance as a share of the largest coordinate. It exceeds the rounding errors of anchors on the outline. */
const ROUNDING = 5e-13;
/**
 * Distances as shares of a crossing: a crossing is cut at `OFF_LINE` from the line of a link; a string touches the cut if it is nearer than
 * `TOUCH`.
 */
const OFF_LINE = 1e-7;
const TOUCH = 2e-7;
/** Largest number of improvements, and of touched cuts whose sides are tried together. */
const MOST_ROUNDS = 12;
const MOST_TOUCHED = 5;
const touched = new Int32Array(MOST_TOUCHED);

/** Gates: the crossings of a piece of the corridor. `gateEnds`: right xyz, left xyz; for a link, those of the near anchor. */
let gateCount = 0;
let gateEnds = new Float64Array(0);
let gatePlace = new Int32Array(0);
let gateLinkEnd = new Int32Array(0);
/** The part of each gate that the string may cross, as shares of the gate: 0 is its first end, 1 its second. */
let gateFrom = new Float64Array(0);
let gateTo = new Float64Array(0);
/** For each link, the side from which the path comes and the side on which it continues: 1 left of the line of the link end, -1 right. */
let sideIn = new Int8Array(0);
let sideOut = new Int8Array(0);
/**
 * Points of the feed are in the unfolded plane: the start, two per gate, the end; y is their number, so that none are
 * equal. `pointGate` is the last gate that has the point, since successive gates may share an end; `pointShare` is its
 * share of that gate.
 */
let pointGate = new Int32Array(0);
let pointShare = new Float64Array(0);
/** The string; its places are points of the feed. */
const string = createPathLine();
/** Transform from the plane to the unfolded plane: a matrix by rows, then a translation. */
const fold = new Float64Array(6);
/** The ends of the current piece: the start, the end. */
const tips = new Float64Array(6);
const spot = new Float64Array(3);
const moved = new Float64Array(2);
const ends = new Float64Array(6);
/** Result of the last `findShare`, and the length of the last string. */
const share = new Float64Array(1);
const length = new Float64Array(1);
/** Results of `findSide` and `findCut`. They are in arrays because V8 would allocate numbers that are passed or returned. */
const side = new Float64Array(1);
const cut = new Float64Array(1);
const cutSides = new Float64Array(2);

/** Returns whether the string is unfolded at a link: it is straight, and wider than a point seen from above. */
export function isUnfolded(mesh: NavMesh, linkEnd: number): boolean {
  const { linkAnchors } = mesh;
  const at = 6 * linkEnd;
  return (
    isStraightLink(mesh, linkOf(linkEnd)) &&
    (linkAnchors[at] !== linkAnchors[at + 3] || linkAnchors[at + 2] !== linkAnchors[at + 5])
  );
}

/** Kernel: as `pullString`, for a corridor with straight links. The arrays of `out` must be large enough. */
export function pullUnfolded(
  out: PathLine,
  mesh: NavMesh,
  corridor: Corridor,
  start: Float64Array,
  end: Float64Array,
): void {
  const last = corridor.count - 1;
  reserve(last);
  out.count = 0;
  let first = 0;
  let enteredAt = -1;
  for (let k = 0; k < 3; k++) tips[k] = start[k];
  for (let i = 0; i <= last; i++) {
    const isLink = i < last && isLinkCrossing(corridor.crossings[i]);
    const linkEnd = isLink ? linkEndOf(corridor.crossings[i]) : -1;
    if (i < last && (!isLink || isUnfolded(mesh, linkEnd))) continue;
    if (isLink) setMiddle(mesh, linkEnd, 3);
    else for (let k = 0; k < 3; k++) tips[3 + k] = end[k];
    pullPiece(mesh, corridor, first, i);
    emit(out, tips, 0, 2 * first, enteredAt);
    emitPiece(out, mesh);
    emit(out, tips, 3, 2 * i + 1, linkEnd);
    if (!isLink) return;
    enteredAt = otherEnd(linkEnd);
    setMiddle(mesh, enteredAt, 0);
    first = i + 1;
  }
}

/** Sets a tip to the middle of a link end. */
function setMiddle({ linkAnchors }: NavMesh, linkEnd: number, tip: number): void {
  for (let k = 0; k < 3; k++) tips[tip + k] = (linkAnchors[6 * linkEnd + k] + linkAnchors[6 * linkEnd + 3 + k]) / 2;
}

function reserve(count: number): void {
  if (gatePlace.length >= count) return;
  const capacity = 2 * count + 8;
  gateEnds = new Float64Array(6 * capacity);
  gatePlace = new Int32Array(capacity);
  gateLinkEnd = new Int32Array(capacity);
  gateFrom = new Float64Array(capacity);
  gateTo = new Float64Array(capacity);
  sideIn = new Int8Array(capacity);
  sideOut = new Int8Array(capacity);
  pointGate = new Int32Array(2 * capacity + 2);
  pointShare = new Float64Array(2 * capacity + 2);
}

/** Pulls the string from tip to tip through crossings `first` .. `last` - 1. */
function pullPiece(mesh: NavMesh, corridor: Corridor, first: number, last: number): void {
  setGates(mesh, corridor, first, last);
  for (let g = 0; g < gateCount; g++) if (gateLinkEnd[g] >= 0) chooseSides(mesh, g);
  cutGates(mesh);
  solve(mesh);
  for (let round = 0; round < MOST_ROUNDS && improve(mesh); round++);
}

/**
 * Changes the sides of links at cuts that the string touches, if the string gets shorter. Returns whether it does. All
 * combinations of sides are tried, since a string that runs along a link touches two cuts.
 */
function improve(mesh: NavMesh): boolean {
  let count = 0;
  for (let g = 0; g < gateCount && count < MOST_TOUCHED; g++) {
    if (gateLinkEnd[g] < 0) continue;
    if (isTouching(mesh, g, g - 1)) touched[count++] = 2 * g;
    if (isTouching(mesh, g, g + 1) && count < MOST_TOUCHED) touched[count++] = 2 * g + 1;
  }
  const before = length[0];
  for (let set = 1; set < 1 << count; set++) {
    turnSides(set, count);
    if (cutGates(mesh)) {
      solve(mesh);
      if (length[0] < before * (1 - ROUNDING)) return true;
    }
    turnSides(set, count);
  }
  if (count > 0) {
    cutGates(mesh);
    solve(mesh);
  }
  return false;
}

function turnSides(set: number, count: number): void {
  for (let k = 0; k < count; k++) {
    if (((set >> k) & 1) === 0) continue;
    const sides = (touched[k] & 1) === 0 ? sideIn : sideOut;
    sides[touched[k] >> 1] *= -1;
  }
}

/** Lists the gates. Skips gates at the beginning on which the start lies. */
function setGates(mesh: NavMesh, corridor: Corridor, first: number, last: number): void {
  gateCount = 0;
  let size = 0;
  for (let k = 0; k < 6; k++) size = Math.max(size, Math.abs(tips[k]));
  for (let i = first; i < last; i++) {
    const crossing = corridor.crossings[i];
    const isLink = isLinkCrossing(crossing);
    const at = 6 * gateCount;
    if (isLink) for (let k = 0; k < 6; k++) ends[k] = mesh.linkAnchors[6 * linkEndOf(crossing) + k];
    else setCrossingEnds(ends, mesh, corridor.polys[i], crossing);
    for (let k = 0; k < 6; k++) {
      gateEnds[at + k] = ends[k];
      if (k !== 1 && k !== 4) size = Math.max(size, Math.abs(ends[k]));
    }
    slack[0] = ROUNDING * size;
    if (!isLink && gateCount === 0 && isOnGate()) continue;
    gatePlace[gateCount] = isLink ? 2 * i + 1 : 2 * i + 2;
    gateLinkEnd[gateCount++] = isLink ? linkEndOf(crossing) : -1;
  }
}

/** Returns whether the start lies on the portal in `ends`, or beyond it by a rounding error. */
function isOnGate(): boolean {
  const dx = ends[3] - ends[0];
  const dz = ends[5] - ends[2];
  const px = tips[0] - ends[0];
  const pz = tips[2] - ends[2];
  const size = Math.abs(dx) + Math.abs(dz) + Math.abs(px) + Math.abs(pz);
  if (px * dz - pz * dx > slack[0] * size) return false;
  const along = px * dx + pz * dz;
  return along >= 0 && along <= dx * dx + dz * dz;
}

/**
 * Sets `side` to the signed distance of a point, points[at .. at + 2], from the line of a link end, times the length of the end. Positive
 * values are on the left.
 */
function findSide({ linkAnchors }: NavMesh, linkEnd: number, points: Float64Array, at: number): void {
  const a = 6 * linkEnd;
  const dx = linkAnchors[a + 3] - linkAnchors[a];
  const dz = linkAnchors[a + 5] - linkAnchors[a + 2];
  const px = points[at] - linkAnchors[a];
  const pz = points[at + 2] - linkAnchors[a + 2];
  const det = px * dz - pz * dx;
  const doubt = slack[0] * (Math.abs(dx) + Math.abs(dz) + Math.abs(px) + Math.abs(pz));
  side[0] = det > doubt || det < -doubt ? det : 0;
}

/** Sets `ends` to a gate's ends on the side of the neighboring gate g. For a link before g, these are those of the far anchor. */
function setGateEnds(mesh: NavMesh, gate: number, g: number): void {
  const isBefore = gate < g && gateLinkEnd[gate] >= 0;
  const at = isBefore ? 6 * otherEnd(gateLinkEnd[gate]) : 6 * gate;
  const source = isBefore ? mesh.linkAnchors : gateEnds;
  for (let k = 0; k < 6; k++) ends[k] = source[at + k];
}

/** Chooses the sides of a link by the middle points of the gates before and after it. */
function chooseSides(mesh: NavMesh, g: number): void {
  for (let gate = g - 1; gate <= g + 1; gate += 2) {
    const isBefore = gate < g;
    const linkEnd = isBefore ? gateLinkEnd[g] : otherEnd(gateLinkEnd[g]);
    for (let k = 0; k < 3; k++) spot[k] = tips[(isBefore ? 0 : 3) + k];
    if (gate >= 0 && gate < gateCount) {
      setGateEnds(mesh, gate, g);
      for (let k = 0; k < 3; k++) spot[k] = (ends[k] + ends[3 + k]) / 2;
    }
    findSide(mesh, linkEnd, spot, 0);
    let sign = Math.sign(side[0]);
    if (sign === 0 && gate >= 0 && gate < gateCount && gateLinkEnd[gate] < 0) {
      // The gate is an edge on the line of the link: the side of its polygon decides, which is left of the edge.
      const a = 6 * linkEnd;
      const dx = mesh.linkAnchors[a + 3] - mesh.linkAnchors[a];
      const dz = mesh.linkAnchors[a + 5] - mesh.linkAnchors[a + 2];
      sign = Math.sign((ends[3] - ends[0]) * dx + (ends[5] - ends[2]) * dz) * (isBefore ? 1 : -1);
    }
    (isBefore ? sideIn : sideOut)[g] = sign;
  }
  // If both sides are possible, the path goes straight through the link.
  if (sideIn[g] === 0) sideIn[g] = -sideOut[g] || 1;
  if (sideOut[g] === 0) sideOut[g] = -sideIn[g];
}

/** Cuts the gates next to links to the chosen sides. Returns false if no part of a gate is on its side. */
function cutGates(mesh: NavMesh): boolean {
  gateFrom.fill(0, 0, gateCount);
  gateTo.fill(1, 0, gateCount);
  for (let g = 0; g < gateCount; g++) {
    if (gateLinkEnd[g] >= 0 && !(cutGate(mesh, g, g - 1) && cutGate(mesh, g, g + 1))) return false;
  }
  return true;
}

/**
 * Sets `cut` to the share at which the line of link g cuts the gate before or after it, and `cutSides` to the sides of the gate's ends.
 * Returns false if the line does not cut the gate.
 */
function findCut(mesh: NavMesh, g: number, gate: number): boolean {
  const linkEnd = gate < g ? gateLinkEnd[g] : otherEnd(gateLinkEnd[g]);
  setGateEnds(mesh, gate, g);
  for (let k = 0; k < 2; k++) {
    findSide(mesh, linkEnd, ends, 3 * k);
    cutSides[k] = side[0];
  }
  cut[0] = cutSides[0] / (cutSides[0] - cutSides[1]);
  return cutSides[0] * cutSides[1] < 0;
}

function cutGate(mesh: NavMesh, g: number, gate: number): boolean {
  const wanted = gate < g ? sideIn[g] : sideOut[g];
  if (gate < 0 || gate >= gateCount) {
    findSide(mesh, gate < 0 ? gateLinkEnd[g] : otherEnd(gateLinkEnd[g]), tips, gate < 0 ? 0 : 3);
    return wanted * side[0] >= 0;
  }
  if (!findCut(mesh, g, gate)) return wanted * cutSides[0] >= 0 && wanted * cutSides[1] >= 0;
  // The cut is slightly off the line of the link; on the line, the string could turn back on itself.
  if (wanted * cutSides[0] < 0) gateFrom[gate] = Math.max(gateFrom[gate], Math.min(cut[0] + OFF_LINE, 1));
  else gateTo[gate] = Math.min(gateTo[gate], Math.max(cut[0] - OFF_LINE, 0));
  return gateFrom[gate] <= gateTo[gate];
}

/** Returns whether the string touches the cut of a gate next to link g. */
function isTouching(mesh: NavMesh, g: number, gate: number): boolean {
  if (gate < 0 || gate >= gateCount || !findCut(mesh, g, gate)) return false;
  findShare(gate);
  return Math.abs(share[0] - cut[0]) <= TOUCH;
}

/** Unfolds the gates and pulls the string through them. */
function solve(mesh: NavMesh): void {
  fold.fill(0);
  fold[0] = fold[3] = 1;
  let isMirrored = false;
  reserveFeed(2 * gateCount + 2);
  reserveFunnel(string, 2 * gateCount + 2);
  moved[0] = tips[0];
  moved[1] = tips[2];
  place(0);
  pointGate[0] = -1;
  beginFunnel(string, 0, -1);
  let left = -1;
  let right = -1;
  for (let g = 0; g < gateCount; g++) {
    const linkEnd = gateLinkEnd[g];
    // An edge runs from right to left. The direction of a link depends on the side from which the path comes.
    const isTurned = isMirrored !== (linkEnd >= 0 && sideIn[g] < 0);
    const lastLeft = left;
    const lastRight = right;
    left = setPoint(2 * g + 2, left, g, isTurned ? gateFrom : gateTo);
    right = setPoint(2 * g + 1, right, g, isTurned ? gateTo : gateFrom);
    if (linkEnd >= 0) {
      if (sideIn[g] === sideOut[g]) isMirrored = !isMirrored;
      foldAt(mesh, linkEnd, sideIn[g] === sideOut[g]);
    }
    const isRightFirst = isNearer(right, left);
    if (isRightFirst && right !== lastRight) addRight(string, right);
    if (left !== lastLeft) addLeft(string, left);
    if (!isRightFirst && right !== lastRight) addRight(string, right);
    // No later gate shares the ends of a link.
    if (linkEnd >= 0) left = right = -1;
  }
  const point = 2 * gateCount + 1;
  map(tips, 3);
  place(point);
  pointGate[point] = gateCount;
  endFunnel(string, point, -1);
  const { x, z } = feed;
  const { places } = string;
  length[0] = 0;
  for (let c = 1; c < string.count; c++) {
    const dx = x[places[c]] - x[places[c - 1]];
    const dz = z[places[c]] - z[places[c - 1]];
    length[0] += Math.sqrt(dx * dx + dz * dz);
  }
}

/** Sets a point of the feed to `moved`. */
function place(point: number): void {
  feed.x[point] = moved[0];
  feed.y[point] = point;
  feed.z[point] = moved[1];
}

/** Sets a point to a share of its gate. Returns the point, or `known`, the end of the previous gate, if both are at the same position. */
function setPoint(point: number, known: number, gate: number, shares: Float64Array): number {
  setSpot(gateEnds, 6 * gate, shares, gate);
  map(spot, 0);
  place(point);
  pointShare[point] = shares[gate];
  const used = known >= 0 && feed.x[known] === moved[0] && feed.z[known] === moved[1] ? known : point;
  pointGate[used] = gate;
  return used;
}

/** Sets `spot` to the position at share shares[i] of the segment points[at .. at + 5]. It is exact at the ends. */
function setSpot(points: Float64Array, at: number, shares: Float64Array, i: number): void {
  const t = shares[i];
  for (let k = 0; k < 3; k++) {
    const a = points[at + k];
    const b = points[at + 3 + k];
    spot[k] = t === 0 ? a : t === 1 ? b : a + t * (b - a);
  }
}

/** Sets `moved` to the position of points[at .. at + 2] in the unfolded plane. */
function map(points: Float64Array, at: number): void {
  const x = points[at];
  const z = points[at + 2];
  moved[0] = fold[0] * x + fold[1] * z + fold[4];
  moved[1] = fold[2] * x + fold[3] * z + fold[5];
}

/** Updates `fold` for everything behind a link: moves it by the link and, if `isBack`, mirrors it at the link's near end. */
function foldAt({ linkAnchors }: NavMesh, linkEnd: number, isBack: boolean): void {
  const a = 6 * linkEnd;
  const b = 6 * otherEnd(linkEnd);
  map(linkAnchors, a);
  const x = moved[0];
  const z = moved[1];
  map(linkAnchors, a + 3);
  const ux = moved[0] - x;
  const uz = moved[1] - z;
  for (let k = 0; k < 3; k++) spot[k] = linkAnchors[a + k] - linkAnchors[b + k];
  map(spot, 0);
  fold[4] = moved[0];
  fold[5] = moved[1];
  if (!isBack) return;
  // The mirror image of p around (x, z) is m p = 2 (p · u) u / |u|² - p.
  const lengthSq = ux * ux + uz * uz;
  const m0 = (2 * ux * ux) / lengthSq - 1;
  const m1 = (2 * ux * uz) / lengthSq;
  const m3 = (2 * uz * uz) / lengthSq - 1;
  for (let k = 0; k < 2; k++) {
    const p = fold[k];
    const q = fold[2 + k];
    fold[k] = m0 * p + m1 * q;
    fold[2 + k] = m1 * p + m3 * q;
  }
  const px = fold[4] - x;
  const pz = fold[5] - z;
  fold[4] = x + m0 * px + m1 * pz;
  fold[5] = z + m1 * px + m3 * pz;
}

/** Returns whether the first of two points is nearer to the apex. */
function isNearer(a: number, b: number): boolean {
  const { x, z } = feed;
  const p = apexPoint();
  const dx = x[a] - x[b];
  const dz = z[a] - z[b];
  return (x[a] + x[b] - 2 * x[p]) * dx + (z[a] + z[b] - 2 * z[p]) * dz < 0;
}

/** Sets `share` to the share of a gate at which the string crosses it. */
function findShare(gate: number): void {
  const { x: xs, z: zs } = feed;
  const corners = string.places;
  let c = 1;
  while (pointGate[corners[c]] < gate) c++;
  const b = corners[c];
  const a = corners[c - 1];
  const p = 2 * gate + 1;
  const q = p + 1;
  if (b <= q) {
    share[0] = pointShare[xs[b] === xs[p] && zs[b] === zs[p] ? p : q];
    return;
  }
  const dx = xs[b] - xs[a];
  const dz = zs[b] - zs[a];
  const atP = (zs[p] - zs[a]) * dx - (xs[p] - xs[a]) * dz;
  const atQ = (zs[q] - zs[a]) * dx - (xs[q] - xs[a]) * dz;
  let t = 0.5;
  if (atP !== atQ) {
    t = atP / (atP - atQ);
  } else {
    // The string runs along the gate: it crosses at the point nearest to the previous corner.
    const ux = xs[q] - xs[p];
    const uz = zs[q] - zs[p];
    const lengthSq = ux * ux + uz * uz;
    if (lengthSq > 0) t = ((xs[a] - xs[p]) * ux + (zs[a] - zs[p]) * uz) / lengthSq;
  }
  t = t > 0 ? (t < 1 ? t : 1) : 0;
  share[0] = pointShare[p] + t * (pointShare[q] - pointShare[p]);
}

/** Appends the corners between the tips, two of them for each link. */
function emitPiece(out: PathLine, { linkAnchors }: NavMesh): void {
  let c = 1;
  for (let g = 0; g <= gateCount; g++) {
    if (g < gateCount && gateLinkEnd[g] < 0) continue;
    for (; c < string.count - 1 && pointGate[string.places[c]] < g; c++) {
      const point = string.places[c];
      setSpot(gateEnds, 6 * ((point - 1) >> 1), pointShare, point);
      emit(out, spot, 0, gatePlace[pointGate[point]], -1);
    }
    if (g === gateCount) return;
    findShare(g);
    const linkEnd = gateLinkEnd[g];
    setSpot(linkAnchors, 6 * linkEnd, share, 0);
    emit(out, spot, 0, gatePlace[g], linkEnd);
    setSpot(linkAnchors, 6 * otherEnd(linkEnd), share, 0);
    emit(out, spot, 0, gatePlace[g] + 1, otherEnd(linkEnd));
    while (c < string.count - 1 && pointGate[string.places[c]] === g) c++;
  }
}

/** Appends the corner source[at .. at + 2], unless it equals the last one. If one of two equal corners is at a link end, it remains. */
function emit(out: PathLine, source: Float64Array, at: number, place: number, linkEnd: number): void {
  const { points, linkEnds, places } = out;
  let corner = out.count;
  const to = 3 * corner;
  const isSame =
    corner > 0 &&
    points[to - 3] === source[at] &&
    points[to - 2] === source[at + 1] &&
    points[to - 1] === source[at + 2];
  if (isSame && (linkEnd < 0 || linkEnds[corner - 1] < 0)) {
    corner--;
    if (linkEnd < 0) linkEnd = linkEnds[corner];
  } else {
    for (let k = 0; k < 3; k++) points[to + k] = source[at + k];
    out.count++;
  }
  places[corner] = place;
  linkEnds[corner] = linkEnd;
}
