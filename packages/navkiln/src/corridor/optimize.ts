/**
 * Shorter ways for a corridor that has strayed: straight on to what can be seen, and another way around for the first part of it.
 *
 *   visibility   corridor A B C D, seen   A X D    ->  A X D      a ray to a corner; no search
 *   topology     corridor A B C D, found  A X C    ->  A X C D    a search of so many nodes towards the target
 *
 * In: a corridor. Out: the same, changed only for the better: after a ray the string through it is never longer, and nowhere on
 * ground that costs more; after a search the cost is less by the measure that searches go by, or, where all ground costs the
 * same, the target was reached and no link is involved, the string is shorter. With enough nodes a corridor is as good as one
 * that is searched for afresh.
 *
 * Kept corridors of walkers that are pushed about while their targets wander (dungeon, terrain, city; string seen from above,
 * mean of many): as they are 1.005 to 1.007 of a fresh one, with rays 1.005 to 1.007, and with a search of 64 nodes every 16
 * steps 0.999 to 1.003. Searching a quarter as many polygons ahead as there are nodes: 1.000 to 1.006; always for the target: the
 * same where the nodes suffice, but on open ground they all go straight on, and none gets around.
 *
 * Cost: a ray and the corridor up to the corner; a search of `maxNodes` and a few passes over the corridor. No allocation after
 * warm-up.
 *
 * Based on: what Detour's path corridor does (Mikko Mononen). Other than there: a ray goes to what was asked for and no further
 * (there it is stretched or cut to a length, so that a wall behind the corner hides it), expensive ground is no shortcut, and
 * what a search finds is compared with what there is (there it is taken).
 */
import { sideOfPoints } from '../math/predicates.ts';
import { linkEndOf, isLinkCrossing, setCrossingEnds } from '../navmesh/crossing.ts';
import { isOverPoly } from '../navmesh/ground.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { beginCorridor, runCorridor, writeCorridor } from '../query/path/a-star.ts';
import { createCorridor } from '../query/path/corridor.ts';
import type { Corridor } from '../query/path/corridor.ts';
import { costOf } from '../query/filter.ts';
import type { QueryFilter } from '../query/filter.ts';
import { pullString } from '../query/path/funnel.ts';
import { createPathLine } from '../query/path/path-line.ts';
import type { RayHit } from '../query/ray/hit.ts';
import { raycastInto } from '../query/ray/raycast.ts';
import type { SearchState } from '../query/search-state.ts';
import { NO_CROSSING, findCrossing } from '../query/path/corridor.ts';
import type { PathCorridor } from './types.ts';
import { finishHead, openHead, setExit } from './splice.ts';

/** Share of a cost by which another way must be less: more than roundings are. */
const LESS = 1 - 1e-9;
/** How many ways out of a search that did not reach the target are looked at. */
const TRIES = 4;
/** How far along the corridor is searched for, polygons a node; and at least so many. */
const REACH = 1 / 2;
const MIN_REACH = 4;

/**
 * Goes straight for `next`, a corner of the string (the one after the next; before that it is straight already), when it is
 * within `range` (world units, seen from above) and in sight. True: the corridor has changed.
 */
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
  if (count < 3 || !(dx * dx + dz * dz <= range * range)) return false;
  raycastInto(hit, mesh, polys[0], position, next, filter, false);
  if (hit.status !== 'reached') return false;
  // The last polygon around the corner, before any link: from there on a way from the corner is no longer than it was.
  let to = -1;
  for (let i = 0; i < count; i++) {
    if (isOverPoly(mesh, polys[i], next)) to = i;
    if (i < count - 1 && isLinkCrossing(crossings[i])) break;
  }
  if (to < 2) return false;
  let head = hit.count - 1;
  while (head >= 0 && hit.polys[head] !== polys[to]) head--;
  const isBeside = head < 0;
  if (isBeside) head = hit.count;
  if (!setStraightHead(mesh, hit, head, polys[to], position, next)) return false;
  if (isBeside && !isEnd(next)) return false;
  if ((head === to && isHead(corridor, hit, head)) || !isNoDearer(filter, mesh, corridor, to, hit)) return false;
  openHead(c, head, to);
  for (let i = 0; i < head; i++) {
    corridor.polys[i] = hit.polys[i];
    corridor.crossings[i] = straight[i];
  }
  finishHead(c, mesh, head);
  return true;
}

/** How what the ray crossed leads from one to the next. */
let straight = new Int32Array(16);
const ends = new Float64Array(6);
const xs = new Float64Array(4);
const zs = new Float64Array(4);

/**
 * Crossings from hit.polys[0 .. head - 1] on to `last`: false when one does not lie on the straight line (a ray that passes a
 * corner lists what lies around it, and of two openings between two polygons the widest is taken).
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

/** Is a corner an end of the crossing at hand? */
function isEnd(next: Float64Array): boolean {
  return (ends[0] === next[0] && ends[2] === next[2]) || (ends[3] === next[0] && ends[5] === next[2]);
}

/** Does the corridor begin with what the ray crossed? */
function isHead(corridor: Corridor, hit: RayHit, head: number): boolean {
  for (let i = 0; i < head; i++) if (corridor.polys[i] !== hit.polys[i]) return false;
  return true;
}

/** Is nothing that the ray crossed dearer than the cheapest of what it leads past? */
function isNoDearer(filter: QueryFilter, mesh: NavMesh, corridor: Corridor, to: number, hit: RayHit): boolean {
  let least = Infinity;
  let most = 0;
  for (let i = 0; i <= to; i++) least = Math.min(least, unitCost(filter, mesh, corridor.polys[i]));
  for (let i = 0; i < hit.count; i++) most = Math.max(most, unitCost(filter, mesh, hit.polys[i]));
  return most <= least;
}

function unitCost(filter: QueryFilter, mesh: NavMesh, poly: number): number {
  return filter.cost === undefined ? filter.areaCosts[mesh.polyArea[poly]] : costOf(filter, mesh, poly, 1);
}

const found = createCorridor();
const line = createPathLine();
const exit = new Float64Array(3);
/** What the corridor costs up to where each polygon is entered. */
let entered = new Float64Array(64);
const sums = new Float64Array(2);

/**
 * Searches anew from the position, looking at no more than `maxNodes` entrances of polygons: for the target, or for where the
 * corridor leads in half as many polygons; and takes what is better: all of it when that was reached, else a way to a polygon
 * less far along. True: the corridor has changed. Infinity searches for the target as a first search would.
 */
export function optimizeCorridorTopology(
  c: PathCorridor,
  mesh: NavMesh,
  state: SearchState,
  filter: QueryFilter,
  maxNodes: number,
): boolean {
  const { corridor, position, target } = c;
  const { polys, count } = corridor;
  const goal = Math.floor(Math.min(count - 1, Math.max(maxNodes * REACH, MIN_REACH)));
  if (goal < 2) return false;
  const isWhole = goal === count - 1;
  setExit(exit, c, mesh, goal);
  beginCorridor(state, mesh, filter, polys[0], position, polys[goal], isWhole ? target : exit);
  runCorridor(state, mesh, filter, maxNodes, Infinity);
  writeCorridor(found, state, mesh);
  const isReached = found.outcome === 'complete';
  if (isReached) {
    if (isWhole ? !isWholeBetter(c, mesh, filter) : !isHeadBetter(c, mesh, filter, goal)) return false;
    takeHead(c, mesh, goal);
    if (isWhole) corridor.cost = found.cost;
    return true;
  }
  measureEntrances(c, mesh, filter);
  for (let k = goal, tries = 0; k > 0 && tries < TRIES; k--) {
    const node = nodeOf(state, mesh, polys[k]);
    if (node < 0 || !(state.nodeCost[node] < entered[k] * LESS)) continue;
    tries++;
    state.nearest = node;
    writeCorridor(found, state, mesh);
    if (!isHeadBetter(c, mesh, filter, k)) continue;
    takeHead(c, mesh, k);
    return true;
  }
  return false;
}

/** Is what was found better than the corridor up to where it leaves polygon k? */
function isHeadBetter(c: PathCorridor, mesh: NavMesh, filter: QueryFilter, k: number): boolean {
  const { corridor, position } = c;
  setExit(exit, c, mesh, k);
  measureCost(sums, 0, mesh, filter, found, found.count, position, exit);
  measureCost(sums, 1, mesh, filter, corridor, k + 1, position, exit);
  return sums[0] < sums[1] * LESS;
}

/** What was found instead of the corridor up to polygon k, the last of both. */
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

/** Is what was found, up to the target, better than what there is? */
function isWholeBetter(c: PathCorridor, mesh: NavMesh, filter: QueryFilter): boolean {
  const { corridor, position, target } = c;
  const cost = unitCost(filter, mesh, corridor.polys[0]);
  if (filter.cost === undefined && isEven(filter, mesh, corridor, cost) && isEven(filter, mesh, found, cost)) {
    measureString(sums, 0, mesh, found, position, target);
    measureString(sums, 1, mesh, corridor, position, target);
  } else {
    measureCost(sums, 0, mesh, filter, found, found.count, position, target);
    measureCost(sums, 1, mesh, filter, corridor, corridor.count, position, target);
  }
  return sums[0] < sums[1] * LESS;
}

/** No links, and all costs the same. */
function isEven(filter: QueryFilter, mesh: NavMesh, corridor: Corridor, cost: number): boolean {
  for (let i = 0; i < corridor.count; i++) {
    if (filter.areaCosts[mesh.polyArea[corridor.polys[i]]] !== cost) return false;
    if (i < corridor.count - 1 && isLinkCrossing(corridor.crossings[i])) return false;
  }
  return true;
}

/** out[at]: how long the string is, seen from above. */
function measureString(
  out: Float64Array,
  at: number,
  mesh: NavMesh,
  corridor: Corridor,
  start: Float64Array,
  end: Float64Array,
): void {
  pullString(line, mesh, corridor, start, end);
  const { points } = line;
  let sum = 0;
  for (let i = 3; i < 3 * line.count; i += 3) {
    const dx = points[i] - points[i - 3];
    const dz = points[i + 2] - points[i - 1];
    sum += Math.sqrt(dx * dx + dz * dz);
  }
  out[at] = sum;
}

/** The node of a polygon that the search has reached at the least cost, or -1. */
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

/** xyz where a way is, and what it has cost. */
const walk = new Float64Array(4);

function measureEntrances(c: PathCorridor, mesh: NavMesh, filter: QueryFilter): void {
  const { corridor, position } = c;
  if (entered.length < corridor.count) entered = new Float64Array(2 * corridor.count);
  for (let k = 0; k < 3; k++) walk[k] = position[k];
  walk[3] = entered[0] = 0;
  for (let i = 0; i < corridor.count - 1; i++) {
    cross(mesh, filter, corridor.polys[i], corridor.crossings[i]);
    entered[i + 1] = walk[3];
  }
}

/** out[at]: what it costs to go from start over the middles of the first crossings to a point on polygon `count` - 1. */
function measureCost(
  out: Float64Array,
  at: number,
  mesh: NavMesh,
  filter: QueryFilter,
  corridor: Corridor,
  count: number,
  start: Float64Array,
  end: Float64Array,
): void {
  for (let k = 0; k < 3; k++) walk[k] = start[k];
  walk[3] = 0;
  for (let i = 0; i < count - 1; i++) cross(mesh, filter, corridor.polys[i], corridor.crossings[i]);
  walkTo(mesh, filter, corridor.polys[count - 1], end, 0, end, 0);
  out[at] = walk[3];
}

/** To the middle of what is crossed, and over it. */
function cross(mesh: NavMesh, filter: QueryFilter, poly: number, crossing: number): void {
  if (!isLinkCrossing(crossing)) {
    setCrossingEnds(ends, mesh, poly, crossing);
    walkTo(mesh, filter, poly, ends, 0, ends, 3);
    return;
  }
  const { linkAnchors } = mesh;
  const linkEnd = linkEndOf(crossing);
  walkTo(mesh, filter, poly, linkAnchors, 6 * linkEnd, linkAnchors, 6 * linkEnd + 3);
  const far = 6 * (linkEnd ^ 1);
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const to = (linkAnchors[far + k] + linkAnchors[far + 3 + k]) / 2;
    sum += (to - walk[k]) * (to - walk[k]);
    walk[k] = to;
  }
  const cost = mesh.linkCost[linkEnd >> 1];
  walk[3] += (cost >= 0 ? cost : Math.sqrt(sum)) * filter.areaCosts[mesh.linkArea[linkEnd >> 1]];
}

/** Over a polygon to the middle of two points. */
function walkTo(
  mesh: NavMesh,
  filter: QueryFilter,
  poly: number,
  a: Float64Array,
  atA: number,
  b: Float64Array,
  atB: number,
): void {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const to = (a[atA + k] + b[atB + k]) / 2;
    sum += (to - walk[k]) * (to - walk[k]);
    walk[k] = to;
  }
  const length = Math.sqrt(sum);
  walk[3] +=
    filter.cost === undefined ? filter.areaCosts[mesh.polyArea[poly]] * length : costOf(filter, mesh, poly, length);
}
