/**
 * The columns of a corridor, changed together: room for them, another beginning, another end, refs and the way left.
 *
 * In: a corridor, and where it changes. Out: the same corridor, whose polygons, crossings, refs and lengths go together again.
 * Cost: of another beginning, linear in it, and a move of the columns in memory; of another end, linear in the corridor.
 * Based on: own.
 */
import { linkEndOf, isLinkCrossing, setCrossingEnds } from '../navmesh/crossing.ts';
import { refOf } from '../navmesh/ref.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { findCrossing } from '../query/path/corridor.ts';
import type { PathCorridor } from './types.ts';

/** Polygons there is room for at first. */
const FIRST_ROOM = 16;

/** Room for `count` polygons; what is there is kept. */
export function reserveCorridor(c: PathCorridor, count: number): void {
  const { corridor } = c;
  if (c.left.length >= count && corridor.polys.length >= count) return;
  const capacity = Math.max(count, 2 * c.left.length, FIRST_ROOM);
  const { polys, crossings } = corridor;
  const { refs, left } = c;
  corridor.polys = new Int32Array(capacity);
  corridor.polys.set(polys.subarray(0, capacity));
  corridor.crossings = new Int32Array(capacity);
  corridor.crossings.set(crossings.subarray(0, capacity));
  c.refs = new Float64Array(capacity);
  c.refs.set(refs);
  c.left = new Float64Array(capacity);
  c.left.set(left);
}

/** One polygon, one point. */
export function beginAt(c: PathCorridor, mesh: NavMesh, poly: number, point: Float64Array): void {
  const { corridor, position, target } = c;
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

/** Makes the polygon at `place` the one at `head`, and those after it follow; what comes before is left to be written. */
export function openHead(c: PathCorridor, head: number, place: number): void {
  const { corridor } = c;
  const { count } = corridor;
  const total = count - place + head;
  if (head > place) reserveCorridor(c, total);
  const { refs, left } = c;
  const { polys, crossings } = corridor;
  corridor.count = total;
  const by = place - head;
  if (by > 0) {
    // Written out: four calls of copyWithin take as long as fifty polygons.
    for (let i = place; i < count; i++) {
      polys[i - by] = polys[i];
      crossings[i - by] = crossings[i];
      refs[i - by] = refs[i];
      left[i - by] = left[i];
    }
  } else if (by < 0) {
    for (let i = count - 1; i >= place; i--) {
      polys[i - by] = polys[i];
      crossings[i - by] = crossings[i];
      refs[i - by] = refs[i];
      left[i - by] = left[i];
    }
  }
}

/** Looks up crossings of polygons 0 .. head - 1, their refs and lengths: they have just been written, and lead over ground. */
export function joinHead(c: PathCorridor, mesh: NavMesh, head: number): void {
  const { polys, crossings } = c.corridor;
  for (let i = 0; i < head; i++) crossings[i] = findCrossing(mesh, polys[i], polys[i + 1]);
  finishHead(c, mesh, head);
}

/** The same where crossings have been written, too. */
export function finishHead(c: PathCorridor, mesh: NavMesh, head: number): void {
  setRefs(c, mesh, 0, head);
  if (head > 0) measureLeft(c, mesh, head - 1);
}

/** Refs of polygons `from` .. `to` - 1. */
export function setRefs(c: PathCorridor, mesh: NavMesh, from: number, to: number): void {
  const { polys } = c.corridor;
  for (let i = from; i < to; i++) c.refs[i] = refOf(mesh, polys[i]);
}

/** Where a crossing is left (0 .. 2) and arrived at (3 .. 5), their middles; and how long a link counts as (6). */
const middles = new Float64Array(7);
const ends = new Float64Array(6);

/** Sets out[0 .. 2], where polygon i is left: the middle of what is crossed, of a link the near end. The last one: the target. */
export function setExit(out: Float64Array, c: PathCorridor, mesh: NavMesh, i: number): void {
  const { corridor, target } = c;
  const isLast = i >= corridor.count - 1;
  if (!isLast) setMiddles(mesh, corridor.polys[i], corridor.crossings[i]);
  for (let k = 0; k < 3; k++) out[k] = isLast ? target[k] : middles[k];
}

function setMiddles(mesh: NavMesh, poly: number, crossing: number): void {
  middles[6] = 0;
  if (isLinkCrossing(crossing)) {
    const { linkAnchors } = mesh;
    const linkEnd = linkEndOf(crossing);
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const near = 6 * linkEnd + k;
      const far = 6 * (linkEnd ^ 1) + k;
      middles[k] = (linkAnchors[near] + linkAnchors[near + 3]) / 2;
      middles[k + 3] = (linkAnchors[far] + linkAnchors[far + 3]) / 2;
      const d = middles[k + 3] - middles[k];
      sum += d * d;
    }
    const cost = mesh.linkCost[linkEnd >> 1];
    middles[6] = cost >= 0 ? cost : Math.sqrt(sum);
    return;
  }
  setCrossingEnds(ends, mesh, poly, crossing);
  for (let k = 0; k < 3; k++) middles[k] = middles[k + 3] = (ends[k] + ends[k + 3]) / 2;
}

/** Works out the way left from polygons `last`, `last` - 1 … 0; those after it are right, unless `last` is the last of all. */
export function measureLeft(c: PathCorridor, mesh: NavMesh, last: number): void {
  const { corridor, left, target } = c;
  const { polys, crossings, count } = corridor;
  let i = last;
  if (i >= count - 1) {
    i = count - 1;
    left[i--] = 0;
  }
  if (i < 0) return;
  let x = target[0];
  let y = target[1];
  let z = target[2];
  if (i + 1 < count - 1) {
    setMiddles(mesh, polys[i + 1], crossings[i + 1]);
    x = middles[0];
    y = middles[1];
    z = middles[2];
  }
  for (; i >= 0; i--) {
    setMiddles(mesh, polys[i], crossings[i]);
    const dx = x - middles[3];
    const dy = y - middles[4];
    const dz = z - middles[5];
    left[i] = left[i + 1] + middles[6] + Math.sqrt(dx * dx + dy * dy + dz * dz);
    x = middles[0];
    y = middles[1];
    z = middles[2];
  }
}

/** The target has moved on its polygon: all lengths change by the same. */
export function moveLeftEnd(c: PathCorridor, mesh: NavMesh): void {
  const { corridor, left, target } = c;
  const last = corridor.count - 2;
  if (last < 0) return;
  setMiddles(mesh, corridor.polys[last], corridor.crossings[last]);
  const dx = target[0] - middles[3];
  const dy = target[1] - middles[4];
  const dz = target[2] - middles[5];
  const change = middles[6] + Math.sqrt(dx * dx + dy * dy + dz * dz) - left[last];
  for (let i = 0; i <= last; i++) left[i] += change;
}
