/**
 * Attaches link ends to the nearest polygons.
 *
 * A link end is attached to the polygon nearest to the middle of its segment. That polygon must lie within
 * the link's radius seen from above and within the agent's climb in height. If the middle is above or below a
 * polygon, a height difference up to the climb counts as distance 0. Ties go to the tile that comes first by
 * grid position and layer, then to the polygon that comes first in it, so the order in which tiles were added
 * does not matter. On a mesh with sizes, one of the link's sizes must fit on the polygon. The anchor is the
 * part of the segment over the polygon, moved onto its surface. On a straight link, the anchors are only the shares of
 * the segments that are over the polygons of both ends, so that both anchors stay opposite to each other.
 *
 * When a tile is added or removed, the link ends whose middle lies in its square, or within the largest link
 * radius of it, are attached again. A spatial hash finds them, so the cost depends only on the number of links there.
 *
 * In: a link end, or a tile that was added or removed.
 * Out: `linkPoly`, `linkNext`, `polyLink`, `linkAnchors` and the islands are up to date.
 * Cost: per link end, a query of the trees of the tiles near it.
 * Based on: own; the definition of the nearest polygon is Detour's (Mikko Mononen).
 */
import { linkOf, otherEnd } from '../crossing.ts';
import { mixNumbers } from '../../base/data/hash.ts';
import { closestPointOnPoly, isOverPoly } from '../ground.ts';
import { markIslandsStale, uniteIslands } from '../islands.ts';
import { isStraightLink } from '../link-kinds.ts';
import { findTilesNear, tilesNear } from './tile-grid.ts';
import { LINK_ENABLED } from '../types.ts';
import type { NavMesh } from '../types.ts';

const middle = new Float64Array(3);
const place = new Float64Array(3);
const reach = new Float64Array(3);

/**
 * Returns whether the link is enabled and attached at both ends, so that agents can take it in at least one
 * direction.
 */
export function isLinkOpen(mesh: NavMesh, link: number): boolean {
  return (
    (mesh.linkState[link] & LINK_ENABLED) !== 0 && mesh.linkPoly[2 * link] >= 0 && mesh.linkPoly[2 * link + 1] >= 0
  );
}

/** Attaches one link end to the polygon nearest to it, or detaches it when none is near. */
export function attachLinkEnd(mesh: NavMesh, linkEnd: number): void {
  const wasOpen = isLinkOpen(mesh, linkOf(linkEnd));
  detachLinkEnd(mesh, linkEnd);
  setMiddle(mesh, linkEnd);
  sizes = mesh.linkSizes[linkOf(linkEnd)];
  const poly = nearestPoly(mesh, mesh.linkRadius[linkOf(linkEnd)]);
  if (poly >= 0) {
    hang(mesh, linkEnd, poly);
    setAnchors(mesh, linkEnd);
  }
  if (isLinkOpen(mesh, linkOf(linkEnd))) uniteIslands(mesh, mesh.linkPoly[linkEnd], mesh.linkPoly[otherEnd(linkEnd)]);
  if (wasOpen) markIslandsStale(mesh);
}

/** Detaches a link end from its polygon. */
export function detachLinkEnd(mesh: NavMesh, linkEnd: number): void {
  const { linkPoly, linkNext, polyLink } = mesh;
  const poly = linkPoly[linkEnd];
  if (poly < 0) return;
  let before = -1;
  for (let at = polyLink[poly]; at !== linkEnd; at = linkNext[at]) before = at;
  if (before < 0) polyLink[poly] = linkNext[linkEnd];
  else linkNext[before] = linkNext[linkEnd];
  linkPoly[linkEnd] = linkNext[linkEnd] = -1;
  setAnchors(mesh, otherEnd(linkEnd));
}

/** Detaches all link ends from the polygons of a tile that is about to be removed. */
export function detachTileLinks(mesh: NavMesh, slot: number): void {
  const { polyLink, linkNext, linkPoly } = mesh;
  const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
  for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) {
    for (let linkEnd = polyLink[poly]; linkEnd >= 0;) {
      if (isLinkOpen(mesh, linkOf(linkEnd))) markIslandsStale(mesh);
      const next = linkNext[linkEnd];
      linkPoly[linkEnd] = linkNext[linkEnd] = -1;
      setAnchors(mesh, otherEnd(linkEnd));
      linkEnd = next;
    }
    polyLink[poly] = -1;
  }
}

/** Attaches the link ends near square (x, z) again, after a tile there was added or removed. */
export function attachLinksAt(mesh: NavMesh, x: number, z: number): void {
  if (mesh.linkCount === 0) return;
  ensureLinkHash(mesh);
  const { tileSize, linkHashNext, linkHash, linkReach } = mesh;
  if (tileSize === 0) {
    for (let linkEnd = 0; linkEnd < 2 * mesh.linkCount; linkEnd++)
      if (mesh.linkState[linkOf(linkEnd)] !== 0) attachLinkEnd(mesh, linkEnd);
    return;
  }
  const rings = Math.ceil(linkReach / tileSize + 1e-6);
  if ((2 * rings + 1) * (2 * rings + 1) > mesh.linkCount) {
    for (let linkEnd = 0; linkEnd < 2 * mesh.linkCount; linkEnd++) {
      if (mesh.linkState[linkOf(linkEnd)] !== 0 && isNearSquare(mesh, linkEnd, x, z, rings))
        attachLinkEnd(mesh, linkEnd);
    }
    return;
  }
  for (let dz = -rings; dz <= rings; dz++) {
    for (let dx = -rings; dx <= rings; dx++) {
      for (let linkEnd = linkHash[bucketOf(mesh, x + dx, z + dz)]; linkEnd >= 0; linkEnd = linkHashNext[linkEnd]) {
        if (isNearSquare(mesh, linkEnd, x + dx, z + dz, 0)) attachLinkEnd(mesh, linkEnd);
      }
    }
  }
}

/** Updates the values that the mesh stores for all links together, the largest radius and `linkScale`, with a link. */
export function noteLink(mesh: NavMesh, link: number): void {
  mesh.linkReach = Math.max(mesh.linkReach, mesh.linkRadius[link]);
  mesh.linkScale = Math.min(mesh.linkScale, linkScaleOf(mesh, link));
}

/**
 * Returns the smallest possible ratio of a link's cost to the distance between its ends, for any polygons to which the
 * ends may be attached.
 */
export function linkScaleOf(mesh: NavMesh, link: number): number {
  const cost = mesh.linkCost[link];
  if (cost < 0) return 1;
  const { linkPoints } = mesh;
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const at = 12 * link + k;
    const d = (linkPoints[at] - linkPoints[at + 6] + (linkPoints[at + 3] - linkPoints[at + 9])) / 2;
    sum += d * d;
  }
  // Anchors may be shorter than the ends and lie on the surface, so they may be this far from the ends.
  const reach = mesh.linkRadius[link] + mesh.agent.maxClimb;
  let length = Math.sqrt(sum) + 2 * reach;
  // The distance over a straight link is the distance of the middles; over others, it may be larger.
  if (!isStraightLink(mesh, link)) length += segmentLength(mesh, 2 * link) + segmentLength(mesh, 2 * link + 1);
  return length > cost ? cost / length : 1;
}

function segmentLength({ linkPoints }: NavMesh, linkEnd: number): number {
  const x = linkPoints[6 * linkEnd + 3] - linkPoints[6 * linkEnd];
  const y = linkPoints[6 * linkEnd + 4] - linkPoints[6 * linkEnd + 1];
  const z = linkPoints[6 * linkEnd + 5] - linkPoints[6 * linkEnd + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Adds both ends of a link to the spatial hash. */
export function hashLink(mesh: NavMesh, link: number): void {
  for (let linkEnd = 2 * link; linkEnd < 2 * link + 2; linkEnd++) {
    setMiddle(mesh, linkEnd);
    const bucket = bucketOf(mesh, squareOf(mesh, 0), squareOf(mesh, 2));
    mesh.linkHashNext[linkEnd] = mesh.linkHash[bucket];
    mesh.linkHash[bucket] = linkEnd;
  }
}

export function unhashLink(mesh: NavMesh, link: number): void {
  ensureLinkHash(mesh);
  const { linkHash, linkHashNext } = mesh;
  for (let linkEnd = 2 * link; linkEnd < 2 * link + 2; linkEnd++) {
    setMiddle(mesh, linkEnd);
    const bucket = bucketOf(mesh, squareOf(mesh, 0), squareOf(mesh, 2));
    let before = -1;
    for (let at = linkHash[bucket]; at !== linkEnd; at = linkHashNext[at]) before = at;
    if (before < 0) linkHash[bucket] = linkHashNext[linkEnd];
    else linkHashNext[before] = linkHashNext[linkEnd];
    linkHashNext[linkEnd] = -1;
  }
}

/** Rebuilds the spatial hash, with one bucket per link slot of the arrays. */
export function rehashLinks(mesh: NavMesh): void {
  let buckets = 1;
  while (buckets < mesh.linkState.length) buckets *= 2;
  mesh.linkHash = new Int32Array(buckets).fill(-1);
  for (let link = 0; link < mesh.linkCount; link++) {
    if (mesh.linkState[link] === 0) continue;
    hashLink(mesh, link);
    noteLink(mesh, link);
  }
}

/**
 * Builds the spatial hash of link ends if it does not exist. A freshly loaded mesh has none, since only changes of the
 * mesh need it.
 */
export function ensureLinkHash(mesh: NavMesh): void {
  if (mesh.linkHash.length === 0) rehashLinks(mesh);
}

function bucketOf({ linkHash }: NavMesh, x: number, z: number): number {
  return mixNumbers(x, z) & (linkHash.length - 1);
}

/** Returns the number of the square along one axis that contains the loaded middle. */
function squareOf({ origin, tileSize }: NavMesh, axis: number): number {
  return tileSize > 0 ? Math.floor((middle[axis] - origin[axis]) / tileSize) : 0;
}

function isNearSquare(mesh: NavMesh, linkEnd: number, x: number, z: number, rings: number): boolean {
  setMiddle(mesh, linkEnd);
  return Math.abs(squareOf(mesh, 0) - x) <= rings && Math.abs(squareOf(mesh, 2) - z) <= rings;
}

function setMiddle({ linkPoints }: NavMesh, linkEnd: number): void {
  for (let k = 0; k < 3; k++) middle[k] = (linkPoints[6 * linkEnd + k] + linkPoints[6 * linkEnd + 3 + k]) / 2;
}

/**
 * Inserts a link end into the list of a polygon, by descending number. So the list does not depend on the order of
 * insertion, and new ends usually go to the front.
 */
function hang({ linkPoly, linkNext, polyLink }: NavMesh, linkEnd: number, poly: number): void {
  linkPoly[linkEnd] = poly;
  let before = -1;
  let next = polyLink[poly];
  while (next > linkEnd) {
    before = next;
    next = linkNext[next];
  }
  linkNext[linkEnd] = next;
  if (before < 0) polyLink[poly] = linkEnd;
  else linkNext[before] = linkEnd;
}

let bestPoly = -1;
let bestScore = Infinity;
/** The mask of sizes of the link. */
let sizes = 0;

/** Returns the polygon nearest to the loaded middle, or -1. */
function nearestPoly(mesh: NavMesh, radius: number): number {
  bestPoly = -1;
  bestScore = Infinity;
  reach.fill(radius);
  findTilesNear(mesh, middle, reach);
  for (let i = 0; i < tilesNear.count; i++) lookInto(mesh, tilesNear.slots[i], radius);
  return bestPoly;
}

function lookInto(mesh: NavMesh, slot: number, radius: number): void {
  const { bvBounds, bvItem, tileBounds } = mesh;
  const climb = mesh.agent.maxClimb;
  const x = middle[0] - tileBounds[6 * slot];
  const y = middle[1] - tileBounds[6 * slot + 1];
  const z = middle[2] - tileBounds[6 * slot + 2];
  const end = mesh.tileNodeStart[slot] + mesh.tileNodeCount[slot];
  for (let node = mesh.tileNodeStart[slot]; node < end;) {
    const b = 6 * node;
    const item = bvItem[node];
    const isNear =
      bvBounds[b] <= x + radius &&
      bvBounds[b + 3] >= x - radius &&
      bvBounds[b + 2] <= z + radius &&
      bvBounds[b + 5] >= z - radius &&
      bvBounds[b + 1] <= y + climb &&
      bvBounds[b + 4] >= y - climb;
    if (isNear && item >= 0) offer(mesh, item, radius);
    node += isNear || item >= 0 ? 1 : -item;
  }
}

function offer(mesh: NavMesh, poly: number, radius: number): void {
  if (mesh.sizes.length > 0 && (mesh.polySizes[poly] & sizes) === 0) return;
  const isOver = closestPointOnPoly(place, mesh, poly, middle);
  const dx = place[0] - middle[0];
  const dy = place[1] - middle[1];
  const dz = place[2] - middle[2];
  const flat = dx * dx + dz * dz;
  if (flat > radius * radius || Math.abs(dy) > mesh.agent.maxClimb) return;
  const score = isOver ? 0 : flat + dy * dy;
  if (score < bestScore || (score === bestScore && isBefore(mesh, poly, bestPoly))) {
    bestScore = score;
    bestPoly = poly;
  }
}

/** Returns whether polygon a wins a tie. The order does not depend on where tiles are stored. */
function isBefore(mesh: NavMesh, a: number, b: number): boolean {
  const { polyTile, tileX, tileZ, tileLayer } = mesh;
  const s = polyTile[a];
  const t = polyTile[b];
  if (isOverPoly(mesh, a, middle) && isOverPoly(mesh, b, middle)) {
    const y = middle[1];
    closestPointOnPoly(place, mesh, a, middle);
    const near = Math.abs(place[1] - y);
    closestPointOnPoly(place, mesh, b, middle);
    const far = Math.abs(place[1] - y);
    if (near !== far) return near < far;
  }
  if (s === t) return a < b;
  if (tileX[s] !== tileX[t]) return tileX[s] < tileX[t];
  if (tileZ[s] !== tileZ[t]) return tileZ[s] < tileZ[t];
  return tileLayer[s] < tileLayer[t];
}

/** Largest distance of a segment from an edge along which it lies, as a share of coordinates. */
const OUTLINE = 1e-14;

/** The part of the current segment over its polygon: first and last share. */
let from = 0;
let to = 1;
/** The start of the segment, moved so that its middle is over the polygon. */
let startX = 0;
let startZ = 0;

/**
 * Writes the anchor of an attached link end: the part of the segment over the polygon, on its surface. A segment outside
 * of the polygon is moved onto it. For a straight link, the part is over the polygons of both ends, and the function
 * writes both anchors.
 */
function setAnchors(mesh: NavMesh, linkEnd: number): void {
  const { linkPoly } = mesh;
  if (linkPoly[linkEnd] < 0) return;
  const other = otherEnd(linkEnd);
  const isWithOther = isStraightLink(mesh, linkOf(linkEnd)) && linkPoly[other] >= 0;
  from = 0;
  to = 1;
  if (isWithOther) cutToPoly(mesh, other);
  cutToPoly(mesh, linkEnd);
  writeAnchor(mesh, linkEnd);
  if (!isWithOther) return;
  // This second call cuts nothing more; it sets `startX` and `startZ`.
  cutToPoly(mesh, other);
  writeAnchor(mesh, other);
}

/** Cuts `from` .. `to` to the part over the link end's polygon, and sets `startX` and `startZ`. */
function cutToPoly(mesh: NavMesh, linkEnd: number): void {
  const { linkPoints } = mesh;
  const poly = mesh.linkPoly[linkEnd];
  const at = 6 * linkEnd;
  setMiddle(mesh, linkEnd);
  closestPointOnPoly(place, mesh, poly, middle);
  const moveX = place[0] - middle[0];
  const moveZ = place[2] - middle[2];
  const x = (startX = linkPoints[at] + moveX);
  const z = (startZ = linkPoints[at + 2] + moveZ);
  const dx = linkPoints[at + 3] - linkPoints[at];
  const dz = linkPoints[at + 5] - linkPoints[at + 2];
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  const slack = OUTLINE * (Math.abs(x) + Math.abs(z) + Math.abs(dx) + Math.abs(dz));
  for (let e = first; e < end; e++) {
    const a = 3 * edgeVertex[e];
    const b = 3 * edgeVertex[e + 1 === end ? first : e + 1];
    const ex = vertices[b] - vertices[a];
    const ez = vertices[b + 2] - vertices[a + 2];
    // `inside` is >= 0 inside of the edge (as in isOverPoly) and up to `slack` beyond it. It changes by `slope` along the segment.
    const inside = ez * (x - vertices[a]) - ex * (z - vertices[a + 2]) + slack * (Math.abs(ex) + Math.abs(ez));
    const slope = ez * dx - ex * dz;
    if (slope > 0) from = Math.max(from, -inside / slope);
    else if (slope < 0) to = Math.min(to, -inside / slope);
  }
}

/** Writes the anchor of the link end that was cut last. */
function writeAnchor(mesh: NavMesh, linkEnd: number): void {
  const { linkPoints, linkAnchors } = mesh;
  const at = 6 * linkEnd;
  const dx = linkPoints[at + 3] - linkPoints[at];
  const dz = linkPoints[at + 5] - linkPoints[at + 2];
  // The part is empty if rounding moves a middle off the outline, or if the two ends of a straight link share no part.
  if (from > to) from = to = 0.5;
  for (let i = 0; i < 2; i++) {
    const t = i === 0 ? from : to;
    place[0] = startX + t * dx;
    place[1] = linkPoints[at + 1] + t * (linkPoints[at + 4] - linkPoints[at + 1]);
    place[2] = startZ + t * dz;
    closestPointOnPoly(place, mesh, mesh.linkPoly[linkEnd], place);
    linkAnchors.set(place, at + 3 * i);
  }
}
