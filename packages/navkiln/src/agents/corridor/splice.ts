/**
 * Splices a corridor: grows its columns, replaces its beginning or its end, updates refs and remaining
 * lengths.
 *
 * In: a corridor, and the index at which it changes.
 * Out: the same corridor; polygons, crossings, refs and lengths match again.
 * Cost: linear in the corridor; after a change of its beginning, only new polygons are measured.
 * Based on: own.
 */
import { isLinkCrossing, linkEndOf, linkOf, setCrossingEnds } from '../../mesh/crossing.ts';
import { refOf } from '../../mesh/ref.ts';
import { isStraightLink } from '../../mesh/link-kinds.ts';
import { FAR, NEAR, placeOpposite } from '../../mesh/link-places.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { findCrossing } from '../../query/path/corridor.ts';
import type { PathCorridor } from './types.ts';

/** The first capacity of a corridor, in polygons. */
const FIRST_CAPACITY = 16;

/** Grows the columns to hold `count` polygons and keeps their contents. */
export function reserveCorridor(c: PathCorridor, count: number): void {
  const { corridor, refs, left } = c;
  if (left.length >= count) return;
  const capacity = Math.max(count, 2 * left.length, FIRST_CAPACITY);
  const { polys, crossings } = corridor;
  (corridor.polys = new Int32Array(capacity)).set(polys);
  (corridor.crossings = new Int32Array(capacity)).set(crossings);
  (c.refs = new Float64Array(capacity)).set(refs);
  (c.left = new Float64Array(capacity)).set(left);
}

/** Resets a corridor to one polygon; `point` on it becomes position and target. */
export function beginAt(c: PathCorridor, mesh: NavMesh, poly: number, point: Float64Array): void {
  const { corridor, position, target } = c;
  c.version++;
  reserveCorridor(c, 1);
  corridor.count = 1;
  corridor.polys[0] = poly;
  corridor.outcome = 'complete';
  corridor.cost = 0;
  corridor.visitedCount = 1;
  for (let k = 0; k < 3; k++) position[k] = target[k] = point[k];
  c.refs[0] = refOf(mesh, poly);
  c.left[0] = 0;
  c.revision = mesh.revision;
}

/** Moves the polygons that begin at index `from` to index `head`. The caller then writes those before `head`. */
export function openHead(c: PathCorridor, head: number, from: number): void {
  const { corridor } = c;
  const { count } = corridor;
  const total = count - from + head;
  c.version++;
  if (head > from) reserveCorridor(c, total);
  const { refs, left } = c;
  const { polys, crossings } = corridor;
  corridor.count = total;
  const by = from - head;
  if (by > 0) {
    // A loop is faster for short corridors: four calls of copyWithin take as long as moving fifty polygons.
    for (let i = from; i < count; i++) {
      polys[i - by] = polys[i];
      crossings[i - by] = crossings[i];
      refs[i - by] = refs[i];
      left[i - by] = left[i];
    }
  } else if (by < 0) {
    for (let i = count - 1; i >= from; i--) {
      polys[i - by] = polys[i];
      crossings[i - by] = crossings[i];
      refs[i - by] = refs[i];
      left[i - by] = left[i];
    }
  }
}

/**
 * Completes polygons 0 .. head - 1, which the caller has written: crossings (edges or portals), refs and
 * lengths.
 */
export function joinHead(c: PathCorridor, mesh: NavMesh, head: number): void {
  const { polys, crossings } = c.corridor;
  for (let i = 0; i < head; i++) crossings[i] = findCrossing(mesh, polys[i], polys[i + 1]);
  finishHead(c, mesh, head);
}

/** Completes polygons 0 .. head - 1, whose polygons and crossings the caller has written: refs and lengths. */
export function finishHead(c: PathCorridor, mesh: NavMesh, head: number): void {
  setRefs(c, mesh, 0, head);
  if (head > 0) measureLeft(c, mesh, head - 1);
}

/** Writes the refs of polygons `from` .. `to` - 1. */
export function setRefs(c: PathCorridor, mesh: NavMesh, from: number, to: number): void {
  const { polys } = c.corridor;
  for (let i = from; i < to; i++) c.refs[i] = refOf(mesh, polys[i]);
}

/**
 * Offsets in `middles`: the point where the path enters a crossing, the point where it leaves it, and the cost of a link
 * as a length. Both points are middles, except on a straight link, where they are nearest to the next point of the path.
 */
const ENTERED = NEAR;
const LEFT = FAR;
const LINK_LENGTH = 6;
const middles = new Float64Array(7);
const next = new Float64Array(3);
const ends = new Float64Array(6);

/**
 * Sets out[0 .. 2] to the point where the path leaves polygon i: the middle of its crossing, or of a link's near anchor.
 * For the last polygon, this is the target.
 */
export function setExit(out: Float64Array, c: PathCorridor, mesh: NavMesh, i: number): void {
  const { corridor, target } = c;
  // The point on a straight link depends on the next crossings.
  let last = i;
  while (last < corridor.count - 1 && isStraightCrossing(mesh, corridor.crossings[last])) last++;
  for (let k = 0; k < 3; k++) out[k] = target[k];
  for (let at = last; at >= i; at--) {
    if (at >= corridor.count - 1) continue;
    setMiddles(mesh, corridor.polys[at], corridor.crossings[at], out);
    for (let k = 0; k < 3; k++) out[k] = middles[ENTERED + k];
  }
}

function isStraightCrossing(mesh: NavMesh, crossing: number): boolean {
  return isLinkCrossing(crossing) && isStraightLink(mesh, linkOf(linkEndOf(crossing)));
}

/** Sets `middles` for a crossing of `poly`, from which the path leads to `next`. */
function setMiddles(mesh: NavMesh, poly: number, crossing: number, next: Float64Array): void {
  middles[LINK_LENGTH] = 0;
  if (isLinkCrossing(crossing)) {
    const linkEnd = linkEndOf(crossing);
    placeOpposite(middles, mesh, linkEnd, true, next, 0);
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const d = middles[LEFT + k] - middles[ENTERED + k];
      sum += d * d;
    }
    const cost = mesh.linkCost[linkOf(linkEnd)];
    middles[LINK_LENGTH] = cost >= 0 ? cost : Math.sqrt(sum);
    return;
  }
  setCrossingEnds(ends, mesh, poly, crossing);
  for (let k = 0; k < 3; k++) middles[ENTERED + k] = middles[LEFT + k] = (ends[k] + ends[k + 3]) / 2;
}

/** Computes `left` for polygons `last`, `last` - 1, ... 0. `left` of polygon `last` + 1 must be up to date. */
export function measureLeft(c: PathCorridor, mesh: NavMesh, last: number): void {
  const { corridor, left } = c;
  const { polys, crossings, count } = corridor;
  c.version++;
  let i = last;
  if (i >= count - 1) {
    i = count - 1;
    left[i--] = 0;
  }
  if (i < 0) return;
  setExit(next, c, mesh, i + 1);
  for (; i >= 0; i--) {
    setMiddles(mesh, polys[i], crossings[i], next);
    const dx = next[0] - middles[LEFT];
    const dy = next[1] - middles[LEFT + 1];
    const dz = next[2] - middles[LEFT + 2];
    left[i] = left[i + 1] + middles[LINK_LENGTH] + Math.sqrt(dx * dx + dy * dy + dz * dz);
    for (let k = 0; k < 3; k++) next[k] = middles[ENTERED + k];
  }
}

/**
 * Updates `left` after the target has moved on its polygon. All lengths change by the same amount, except before a straight link at the
 * end of the corridor.
 */
export function moveLeftEnd(c: PathCorridor, mesh: NavMesh): void {
  const { corridor, left, target } = c;
  const last = corridor.count - 2;
  c.version++;
  if (last < 0) return;
  if (isStraightCrossing(mesh, corridor.crossings[last])) {
    measureLeft(c, mesh, last);
    return;
  }
  setMiddles(mesh, corridor.polys[last], corridor.crossings[last], target);
  const dx = target[0] - middles[LEFT];
  const dy = target[1] - middles[LEFT + 1];
  const dz = target[2] - middles[LEFT + 2];
  const change = middles[LINK_LENGTH] + Math.sqrt(dx * dx + dy * dy + dz * dz) - left[last];
  for (let i = 0; i <= last; i++) left[i] += change;
}
