/**
 * Shortens a corridor that is no longer the shortest: straight to a visible corner, or by another route for its first part.
 *
 *   visibility   corridor A B C D, seen   A X D    ->  A X D     a ray to a corner; no search
 *   topology     corridor A B C D, found  A X C    ->  A X C D   a search with a small budget
 *
 * A corridor only changes if it improves. After a ray, its string is never longer and crosses no more expensive polygons.
 * After a search, its cost is lower. If all polygons cost the same and no link is involved, its string is shorter.
 *
 * In: a corridor.
 * Out: the same corridor, and whether it has changed.
 * Cost: a ray and a pass over the corridor up to the corner; a search of `maxNodes` and a few passes over the corridor.
 * No allocation after warm-up.
 * Based on: Detour's path corridor (Mikko Mononen). Here a ray ends at the corner (Detour stretches it, so a
 * wall behind the corner hides the corner), an expensive polygon is no shortcut, and a found path is compared
 * with the old one.
 * Tried: see docs/notes/corridor.md.
 */
import { sideOfPoints } from '../../base/math/predicates.ts';
import { isLinkCrossing, linkEndOf, linkOf, setCrossingEnds } from '../../mesh/crossing.ts';
import { isOverPoly } from '../../mesh/ground.ts';
import { FAR, NEAR, placeBetween } from '../../mesh/link-places.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { beginCorridor, runCorridor, writeCorridor } from '../../query/path/a-star.ts';
import { createCorridor, lastIndexOf, reservePolys } from '../../query/path/corridor.ts';
import type { Corridor } from '../../query/path/corridor.ts';
import { costBetween } from '../../query/filter.ts';
import type { QueryFilter } from '../../query/filter.ts';
import { pullString } from '../../query/path/funnel.ts';
import { lineCost, setLineCost } from '../../query/path/line-cost.ts';
import { createPathLine } from '../../query/path/path-line.ts';
import type { RayHit } from '../../query/ray/hit.ts';
import { raycastInto } from '../../query/ray/raycast.ts';
import type { SearchState } from '../../query/search-state.ts';
import { NO_CROSSING, findCrossing } from '../../query/path/corridor.ts';
import type { PathCorridor } from './types.ts';
import { finishHead, openHead, setExit } from './splice.ts';

/** A new path must cost less than this share of the old one, so that rounding errors do not count as a gain. */
const GAIN = 1 - 1e-9;
/** Largest number of paths to try from a search that did not reach the target. */
const MAX_TRIES = 4;
/** Position of a search's target along the corridor: polygons per node of the budget. */
const POLYGONS_PER_NODE = 1 / 2;
/** Smallest number of polygons from the start to a search's target. */
const MIN_POLYGONS = 4;

/** Leads a corridor straight to a visible point `next` (xyz). Unchecked: see checked.ts. */
export function optimizeCorridorVisibility(
  c: PathCorridor,
  mesh: NavMesh,
  hit: RayHit,
  next: Float64Array,
  range: number,
  filter: QueryFilter,
): boolean {
  const { corridor, position } = c;
  const { polys, crossings, count } = corridor;
  const dx = next[0] - position[0];
  const dz = next[2] - position[2];
  if (count < 3 || c.revision !== mesh.revision || !(dx * dx + dz * dz <= range * range)) return false;
  raycastInto(hit, mesh, polys[0], position, next, filter, false);
  if (hit.status !== 'reached') return false;
  // Finds the last polygon at the corner, before any link, which the ray crosses or is beside. Behind it, the length of
  // the path does not change.
  let to = -1;
  let head = -1;
  for (let i = 0; i < count; i++) {
    if (isOverPoly(mesh, polys[i], next)) {
      const at = lastIndexOf(hit.polys, hit.count, polys[i]);
      if (at >= 0 || findCrossing(mesh, hit.polys[hit.count - 1], polys[i]) !== NO_CROSSING) {
        to = i;
        head = at;
      }
    }
    if (i < count - 1 && isLinkCrossing(crossings[i])) break;
  }
  if (to < 2) return false;
  // The ray may end in a neighbor of that polygon, at their common corner.
  const isBeside = head < 0;
  if (isBeside) head = hit.count;
  if (!setStraightHead(mesh, hit, head, polys[to], position, next)) return false;
  if (isBeside && !isEnd(next)) return false;
  if (head === to && isHead(corridor, hit, head)) return false;
  if (filter.cost === undefined) {
    if (!isNoMoreExpensive(filter, mesh, corridor, to, hit)) return false;
  } else if (!isStraightCheaper(c, mesh, filter, head, to, hit, next)) {
    return false;
  }
  openHead(c, head, to);
  for (let i = 0; i < head; i++) {
    corridor.polys[i] = hit.polys[i];
    corridor.crossings[i] = straight[i];
  }
  finishHead(c, mesh, head);
  return true;
}

/** The crossings between the polygons that the ray crossed. */
let straight = new Int32Array(16);
const ends = new Float64Array(6);
const xs = new Float64Array(4);
const zs = new Float64Array(4);

/**
 * Sets `straight` to the crossings from hit.polys[0 .. head - 1] to `last`. Returns false if a crossing is missing or not
 * on the straight line. This happens because a ray through a corner lists the polygons around it, and because only the
 * widest of several portals between two polygons counts.
 */
function setStraightHead(
  mesh: NavMesh,
  hit: RayHit,
  head: number,
  last: number,
  position: Float64Array,
  next: Float64Array,
): boolean {
  if (straight.length < head) straight = new Int32Array(2 * head);
  xs[0] = position[0];
  zs[0] = position[2];
  xs[1] = next[0];
  zs[1] = next[2];
  for (let i = 0; i < head; i++) {
    const crossing = findCrossing(mesh, hit.polys[i], i + 1 < head ? hit.polys[i + 1] : last);
    if (crossing === NO_CROSSING) return false;
    setCrossingEnds(ends, mesh, hit.polys[i], crossing);
    for (let k = 0; k < 2; k++) {
      xs[2 + k] = ends[3 * k];
      zs[2 + k] = ends[3 * k + 2];
    }
    if (sideOfPoints(xs, zs, 0, 1, 2) > 0 || sideOfPoints(xs, zs, 0, 1, 3) < 0) return false;
    straight[i] = crossing;
  }
  return true;
}

/** Returns true when a corner is an end of the crossing in `ends`. */
function isEnd(next: Float64Array): boolean {
  return (ends[0] === next[0] && ends[2] === next[2]) || (ends[3] === next[0] && ends[5] === next[2]);
}

/** Returns true when the corridor begins with the polygons that the ray crossed. */
function isHead(corridor: Corridor, hit: RayHit, head: number): boolean {
  for (let i = 0; i < head; i++) if (corridor.polys[i] !== hit.polys[i]) return false;
  return true;
}

/** Returns true if no polygon that the ray crossed costs more than the cheapest polygon that it bypasses. */
function isNoMoreExpensive(filter: QueryFilter, mesh: NavMesh, corridor: Corridor, to: number, hit: RayHit): boolean {
  let least = Infinity;
  let most = 0;
  for (let i = 0; i <= to; i++) least = Math.min(least, unitCost(filter, mesh, corridor.polys[i]));
  for (let i = 0; i < hit.count; i++) most = Math.max(most, unitCost(filter, mesh, hit.polys[i]));
  return most <= least;
}

function unitCost(filter: QueryFilter, mesh: NavMesh, poly: number): number {
  return filter.areaCosts[mesh.polyArea[poly]];
}

/**
 * Returns true when the line straight to a corner costs no more than the one through the corridor, for a filter
 * with a `cost` method. The straight line crosses the first `head` polygons of the ray, then polygon `to`.
 */
// oxlint-disable-next-line max-params -- the ray, the corridor and where both meet
function isStraightCheaper(
  c: PathCorridor,
  mesh: NavMesh,
  filter: QueryFilter,
  head: number,
  to: number,
  hit: RayHit,
  next: Float64Array,
): boolean {
  const { corridor, position } = c;
  const after = to + 1 < corridor.count ? corridor.polys[to + 1] : -1;
  found.count = 0;
  reservePolys(found, Math.max(head, to) + 1);
  for (let i = 0; i <= to; i++) {
    found.polys[i] = corridor.polys[i];
    found.crossings[i] = corridor.crossings[i];
  }
  found.count = to + 1;
  pullString(line, mesh, found, position, next);
  setLineCost(mesh, filter, found, line, after);
  const bent = lineCost[0];
  for (let i = 0; i < head; i++) {
    found.polys[i] = hit.polys[i];
    found.crossings[i] = straight[i];
  }
  found.polys[head] = corridor.polys[to];
  found.count = head + 1;
  pullString(line, mesh, found, position, next);
  setLineCost(mesh, filter, found, line, after);
  return lineCost[0] <= bent;
}

/** The path of the last search. */
const found = createCorridor();
const line = createPathLine();
const exit = new Float64Array(3);
/** For each polygon of the corridor: the cost of the path up to the point where it enters the polygon. */
let entered = new Float64Array(64);
/** The result of `measureCost` and `measureString`. It is not returned, since V8 would allocate a returned number. */
const measured = new Float64Array(1);

/** Searches again from the position and takes a better path. Unchecked: see checked.ts. */
export function optimizeCorridorTopology(
  c: PathCorridor,
  mesh: NavMesh,
  state: SearchState,
  filter: QueryFilter,
  maxNodes: number,
): boolean {
  const { corridor, position, target } = c;
  const { polys, count } = corridor;
  const goal = Math.floor(Math.min(count - 1, Math.max(maxNodes * POLYGONS_PER_NODE, MIN_POLYGONS)));
  if (goal < 2 || c.revision !== mesh.revision) return false;
  const isWhole = goal === count - 1;
  setExit(exit, c, mesh, goal);
  beginCorridor(state, mesh, filter, polys[0], position, polys[goal], isWhole ? target : exit);
  runCorridor(state, mesh, filter, maxNodes, Infinity);
  writeCorridor(found, state, mesh);
  const isReached = found.outcome === 'complete';
  if (isReached) {
    if (!isBetter(c, mesh, filter, goal)) return false;
    takeHead(c, mesh, goal);
    if (isWhole) corridor.cost = found.cost;
    return true;
  }
  measureEntrances(c, mesh, filter);
  for (let k = goal, tries = 0; k > 0 && tries < MAX_TRIES; k--) {
    const node = nodeOf(state, mesh, polys[k]);
    if (node < 0 || !(state.nodeCost[node] < entered[k] * GAIN)) continue;
    tries++;
    state.nearest = node;
    writeCorridor(found, state, mesh);
    if (!isBetter(c, mesh, filter, k)) continue;
    takeHead(c, mesh, k);
    return true;
  }
  return false;
}

/**
 * Returns true if the found path, which ends on polygon k, is better than the corridor up to there. If all polygons cost the
 * same and there are no links, the lengths of the strings to the target are compared; otherwise the costs that searches use.
 */
function isBetter(c: PathCorridor, mesh: NavMesh, filter: QueryFilter, k: number): boolean {
  const { corridor, position, target } = c;
  const { polys, crossings, count } = corridor;
  if (isFound(corridor)) return false;
  const head = found.count - 1;
  const cost = unitCost(filter, mesh, polys[0]);
  if (filter.cost === undefined && hasOneCost(filter, mesh, corridor, cost) && hasOneCost(filter, mesh, found, cost)) {
    reservePolys(found, head + count - k);
    for (let i = k; i < count; i++) {
      found.polys[head + i - k] = polys[i];
      found.crossings[head + i - k] = crossings[i];
    }
    found.count = head + count - k;
    measureString(mesh, found, position, target);
    found.count = head + 1;
    const foundLength = measured[0];
    measureString(mesh, corridor, position, target);
    return foundLength < measured[0] * GAIN;
  }
  setExit(exit, c, mesh, k);
  const after = k + 1 < count ? polys[k + 1] : -1;
  measureCost(mesh, filter, found, head + 1, position, exit, after);
  const foundCost = measured[0];
  measureCost(mesh, filter, corridor, k + 1, position, exit, after);
  return foundCost < measured[0] * GAIN;
}

/** Replaces the corridor up to polygon k by the found path, which ends there. */
function takeHead(c: PathCorridor, mesh: NavMesh, k: number): void {
  const { corridor } = c;
  const head = found.count - 1;
  openHead(c, head, k);
  for (let i = 0; i < head; i++) {
    corridor.polys[i] = found.polys[i];
    corridor.crossings[i] = found.crossings[i];
  }
  finishHead(c, mesh, head);
}

/** Returns true if a corridor equals the found path, so that there is nothing to compare. */
function isFound({ polys, crossings, count }: Corridor): boolean {
  if (found.count !== count) return false;
  for (let i = 0; i < count; i++) {
    if (polys[i] !== found.polys[i]) return false;
    // The last polygon has no crossing.
    if (i < count - 1 && crossings[i] !== found.crossings[i]) return false;
  }
  return true;
}

/** Returns true for a corridor without links whose areas all cost `cost`. */
function hasOneCost(filter: QueryFilter, mesh: NavMesh, corridor: Corridor, cost: number): boolean {
  for (let i = 0; i < corridor.count; i++) {
    if (filter.areaCosts[mesh.polyArea[corridor.polys[i]]] !== cost) return false;
    if (i < corridor.count - 1 && isLinkCrossing(corridor.crossings[i])) return false;
  }
  return true;
}

/** Sets `measured` to the length of the string through a corridor, seen from above. */
function measureString(mesh: NavMesh, corridor: Corridor, start: Float64Array, end: Float64Array): void {
  pullString(line, mesh, corridor, start, end);
  const { points } = line;
  let sum = 0;
  for (let i = 3; i < 3 * line.count; i += 3) {
    const dx = points[i] - points[i - 3];
    const dz = points[i + 2] - points[i - 1];
    sum += Math.sqrt(dx * dx + dz * dz);
  }
  measured[0] = sum;
}

/** Returns the cheapest node with which the search has reached a polygon, or -1. */
function nodeOf(state: SearchState, mesh: NavMesh, poly: number): number {
  const { nodeStamp, nodeCost, stamp } = state;
  let best = nodeStamp[poly] === stamp ? poly : -1;
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    const node = mesh.polyCount + l;
    if (nodeStamp[node] === stamp && (best < 0 || nodeCost[node] < nodeCost[best])) best = node;
  }
  for (let linkEnd = mesh.polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    const node = mesh.polyCount + mesh.portalCount + linkEnd;
    if (nodeStamp[node] === stamp && (best < 0 || nodeCost[node] < nodeCost[best])) best = node;
  }
  return best;
}

/** Offset after xyz: the cost of the measured path up to its current point. */
const COST = 3;
const walk = new Float64Array(4);
const middle = new Float64Array(3);
const place = new Float64Array(6);

/** Computes `entered` for the polygons of the corridor. */
function measureEntrances(c: PathCorridor, mesh: NavMesh, filter: QueryFilter): void {
  const { corridor, position } = c;
  if (entered.length < corridor.count) entered = new Float64Array(2 * corridor.count);
  for (let k = 0; k < 3; k++) walk[k] = position[k];
  walk[COST] = entered[0] = 0;
  for (let i = 0; i < corridor.count - 1; i++) {
    cross(mesh, filter, corridor, i, c.target);
    entered[i + 1] = walk[COST];
  }
}

/**
 * Sets `measured` to the cost from `start` over the middles of crossings to `end` on polygon `count` - 1. There, the path
 * enters polygon `next`, or ends if `next` is -1.
 */
// oxlint-disable-next-line max-params -- kernel: callers keep points and corridors in records of their own
function measureCost(
  mesh: NavMesh,
  filter: QueryFilter,
  corridor: Corridor,
  count: number,
  start: Float64Array,
  end: Float64Array,
  next: number,
): void {
  for (let k = 0; k < 3; k++) walk[k] = start[k];
  walk[COST] = 0;
  for (let i = 0; i < count - 1; i++) cross(mesh, filter, corridor, i, end);
  for (let k = 0; k < 3; k++) ends[k] = ends[k + 3] = end[k];
  walkToMiddle(mesh, filter, corridor.polys, count - 1, next);
  measured[0] = walk[COST];
}

/**
 * Continues the path to the middle of crossing i, and over a link to its far end. On a straight link, the path crosses where a straight
 * line to `end` does.
 */
function cross(mesh: NavMesh, filter: QueryFilter, corridor: Corridor, i: number, end: Float64Array): void {
  const { polys } = corridor;
  const crossing = corridor.crossings[i];
  if (!isLinkCrossing(crossing)) {
    setCrossingEnds(ends, mesh, polys[i], crossing);
    walkToMiddle(mesh, filter, polys, i, polys[i + 1]);
    return;
  }
  const linkEnd = linkEndOf(crossing);
  placeBetween(place, mesh, linkEnd, walk, 0, end, 0);
  for (let k = 0; k < 3; k++) ends[k] = ends[k + 3] = place[NEAR + k];
  walkToMiddle(mesh, filter, polys, i, polys[i + 1]);
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const to = place[FAR + k];
    sum += (to - walk[k]) * (to - walk[k]);
    walk[k] = to;
  }
  const cost = mesh.linkCost[linkOf(linkEnd)];
  walk[COST] += (cost >= 0 ? cost : Math.sqrt(sum)) * filter.areaCosts[mesh.linkArea[linkOf(linkEnd)]];
}

/** Continues the path across polygon i to the middle of `ends`. `next`: the polygon after it. */
function walkToMiddle(mesh: NavMesh, filter: QueryFilter, polys: Int32Array, i: number, next: number): void {
  for (let k = 0; k < 3; k++) middle[k] = (ends[k] + ends[3 + k]) / 2;
  walk[COST] += costBetween(filter, mesh, i > 0 ? polys[i - 1] : -1, polys[i], next, walk, 0, middle, 0);
  for (let k = 0; k < 3; k++) walk[k] = middle[k];
}
