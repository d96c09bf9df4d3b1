/**
 * Rings as the border of their inside, in half-edges, to which lines between corners are added: bridges, then
 * cuts.
 *
 * Walls are linked so that a corner lies between two consecutive rays. A hole that touches its outline is one
 * loop with it; rings that touch from outside are two loops. A corner is a half-edge and not a vertex, so
 * copied vertices need no special care. Edges that occur in both directions cancel out. Numbers depend on
 * positions only, not on the order of the input.
 *
 * In: rings with the inside on their left (outlines counter-clockwise, holes clockwise) that do not cross.
 * They may touch each other and themselves, at points of both or in the middle of an edge, which gets a
 * vertex there.
 * Out: `Faces`; edges that cross, holes outside and outlines inside others are reported as `problem` with a
 * position.
 * Cost: near-linear.
 * Based on: D. E. Muller and F. P. Preparata, Finding the intersection of two convex polyhedra, 1978
 * (half-edges).
 */
import { createPolygonBudget, spendSteps } from '../../../base/plane/budget.ts';
import type { PolygonBudget } from '../../../base/plane/budget.ts';
import { orderSpatially } from '../../../base/plane/spatial-order.ts';
import type { Rings } from '../../../base/plane/types.ts';
import type { FaceGrid } from './types.ts';
import { createFaceGrid, isWayFree, putEdge, verticesAlong, windingNumber } from './grid.ts';
import type { Faces, RingFaces } from './types.ts';

/** Steps in the grid that take as much time as the comparison of an edge at a vertex. */
const LINK_STEPS = 4;

/** Returns the other half of a line; -1 for a wall. */
export function twinOf({ wallCount }: Faces, h: number): number {
  return h < wallCount ? -1 : wallCount + ((h - wallCount) ^ 1);
}

/** Returns twice the area of a, b, p: positive when p lies to the left of a -> b. Exact on the grid. */
export function turn({ xs, ys }: Faces, a: number, b: number, p: number): number {
  return (xs[b] - xs[a]) * (ys[p] - ys[a]) - (ys[b] - ys[a]) * (xs[p] - xs[a]);
}

/** Returns whether corner h is wider than 180 degrees. */
export function isConcave(faces: Faces, h: number): boolean {
  const { origin, next, prev } = faces;
  return turn(faces, origin[h], origin[next[h]], origin[prev[h]]) < 0;
}

/** Returns whether the segment from corner h to vertex w starts strictly inside the corner. */
export function isWithinCorner(faces: Faces, h: number, w: number): boolean {
  const { origin, next, prev, xs, ys } = faces;
  const v = origin[h];
  const u = origin[next[h]];
  const t = origin[prev[h]];
  const dx = xs[w] - xs[v];
  const dy = ys[w] - ys[v];
  const ux = xs[u] - xs[v];
  const uy = ys[u] - ys[v];
  const tx = xs[t] - xs[v];
  const ty = ys[t] - ys[v];
  return isBetween(ux * ty - uy * tx, ux * dy - uy * dx, dx * ty - dy * tx);
}

/**
 * Returns whether a direction lies strictly inside a corner. The arguments are cross products: outgoing and
 * incoming edge, outgoing edge and direction, direction and incoming edge.
 */
function isBetween(angle: number, fromOut: number, toIn: number): boolean {
  if (angle > 0) return fromOut > 0 && toIn > 0;
  if (angle === 0) return fromOut > 0;
  // Wider: everything but the closed wedge from the incoming edge to the outgoing one.
  return fromOut > 0 || toIn > 0;
}

/** Returns the corner at vertex w inside which the segment to vertex v starts, or -1. */
export function cornerTowards(faces: Faces, { budget }: FaceGrid, w: number, v: number): number {
  let steps = 0;
  let h = faces.firstAt[w];
  for (; h >= 0 && !isWithinCorner(faces, h, v); h = faces.nextAt[h]) steps++;
  spendSteps(budget, steps);
  return h;
}

/** Adds a line between corners g and h of one face or of two loops. Returns its half-edge that starts at g. */
export function addLine(faces: Faces, g: number, h: number): number {
  const { origin, next, prev, firstAt, nextAt } = faces;
  const e = faces.halfEdgeCount;
  const t = e + 1;
  faces.halfEdgeCount += 2;
  const beforeG = prev[g];
  const beforeH = prev[h];
  origin[e] = origin[g];
  origin[t] = origin[h];
  link(next, prev, beforeG, e);
  link(next, prev, e, h);
  link(next, prev, beforeH, t);
  link(next, prev, t, g);
  for (let k = e; k <= t; k++) {
    nextAt[k] = firstAt[origin[k]];
    firstAt[origin[k]] = k;
  }
  return e;
}

function link(next: Int32Array, prev: Int32Array, a: number, b: number): void {
  next[a] = b;
  prev[b] = a;
}

export function createFaces(rings: Rings, budget: PolygonBudget = createPolygonBudget(Infinity)): RingFaces {
  const pointCount = rings.start[rings.ringCount];
  const order = orderSpatially(rings.x.subarray(0, pointCount), rings.y.subarray(0, pointCount), 0);
  const vertexCount = order.count;
  const { xs, ys } = order;
  const grid = createFaceGrid(vertexCount, xs, ys, budget);
  const { from, to, twice } = collectWalls(rings, order.rankOf, grid, xs, ys);
  const wallCount = from.length;
  const capacity = wallCount + 2 * (2 * wallCount + 16);
  const faces: Faces = {
    vertexCount,
    xs,
    ys,
    wallCount,
    halfEdgeCount: wallCount,
    origin: new Int32Array(capacity),
    next: new Int32Array(capacity),
    prev: new Int32Array(capacity),
    firstAt: new Int32Array(vertexCount).fill(-1),
    nextAt: new Int32Array(capacity).fill(-1),
    loopOf: new Int32Array(wallCount).fill(-1),
    loopCount: 0,
    isOuter: new Uint8Array(0),
  };
  faces.origin.set(from);
  for (let h = wallCount - 1; h >= 0; h--) {
    faces.nextAt[h] = faces.firstAt[from[h]];
    faces.firstAt[from[h]] = h;
  }
  const problem = twice >= 0 ? `an edge comes twice at ${place(faces, twice)}` : connectWalls(faces, grid, to);
  return { faces, grid, problem };
}

/** Links walls to loops. Returns what is wrong with them, or ''. */
function connectWalls(faces: Faces, grid: FaceGrid, to: Int32Array): string {
  const { wallCount, origin } = faces;
  const tangled = linkWalls(faces, grid, to);
  if (tangled >= 0) return `rings cross or overlap at ${place(faces, tangled)}`;
  for (let h = 0; h < wallCount; h++) {
    if (!isWayFree(grid, faces, origin[h], to[h])) return `edges cross near ${place(faces, origin[h])}`;
    putEdge(grid, faces, h);
  }
  findLoops(faces);
  return checkNesting(faces, grid);
}

function place({ xs, ys }: Faces, v: number): string {
  return `[${xs[v]}, ${ys[v]}] (grid cells)`;
}

/**
 * Collects the rings' edges by origin and end, cut where other points lie on them, without pairs that run
 * both ways.
 */
function collectWalls(
  rings: Rings,
  rankOf: Int32Array,
  grid: FaceGrid,
  xs: Float64Array,
  ys: Float64Array,
): { from: Int32Array; to: Int32Array; twice: number } {
  const from: number[] = [];
  const to: number[] = [];
  for (let r = 0; r < rings.ringCount; r++) {
    for (let i = rings.start[r]; i < rings.start[r + 1]; i++) {
      const a = rankOf[i];
      const b = rankOf[i + 1 < rings.start[r + 1] ? i + 1 : rings.start[r]];
      if (a === b) continue;
      let at = a;
      for (const v of verticesAlong(grid, xs, ys, a, b)) {
        from.push(at);
        to.push(v);
        at = v;
      }
      from.push(at);
      to.push(b);
    }
  }
  const n = xs.length;
  const keys = Float64Array.from(from, (a, i) => Math.min(a, to[i]) * n + Math.max(a, to[i])).sort();
  const balance = new Map<number, number>();
  let hasTwice = false;
  for (let k = 1; k < keys.length; k++) {
    if (keys[k] !== keys[k - 1]) continue;
    balance.set(keys[k], 0);
    hasTwice = true;
  }
  if (hasTwice) {
    for (let i = 0; i < from.length; i++) {
      const key = Math.min(from[i], to[i]) * n + Math.max(from[i], to[i]);
      const sum = balance.get(key);
      if (sum !== undefined) balance.set(key, sum + (from[i] < to[i] ? 1 : -1));
    }
  }
  const kept: number[] = [];
  let twice = -1;
  for (let i = 0; i < from.length; i++) {
    const key = Math.min(from[i], to[i]) * n + Math.max(from[i], to[i]);
    const sum = balance.get(key);
    if (sum === 0) continue;
    if (sum !== undefined) {
      if (sum > 1 || sum < -1) twice = from[i];
      if ((from[i] < to[i] ? 1 : -1) !== sum) continue;
      balance.set(key, 0);
    }
    kept.push(from[i] * n + to[i]);
  }
  const sorted = Float64Array.from(kept).sort();
  return {
    from: Int32Array.from(sorted, (key) => Math.floor(key / n)),
    to: Int32Array.from(sorted, (key) => key % n),
    twice,
  };
}

/**
 * Links each wall to the first one clockwise from it at their common vertex, so that no ray lies in the
 * corner between. Returns a vertex where that is impossible, or -1.
 */
function linkWalls(faces: Faces, { budget }: FaceGrid, to: Int32Array): number {
  const { wallCount, origin, next, prev, firstAt, nextAt, xs, ys } = faces;
  for (let h = 0; h < wallCount; h++) {
    const v = to[h];
    let best = firstAt[v];
    if (best >= 0 && nextAt[best] >= 0) {
      const rx = xs[origin[h]] - xs[v];
      const ry = ys[origin[h]] - ys[v];
      let steps = 0;
      for (let k = nextAt[best]; k >= 0; k = nextAt[k]) {
        const kx = xs[to[k]] - xs[v];
        const ky = ys[to[k]] - ys[v];
        const bx = xs[to[best]] - xs[v];
        const by = ys[to[best]] - ys[v];
        if (comesFirstClockwise(rx, ry, kx, ky, bx, by)) best = k;
        steps += LINK_STEPS;
      }
      spendSteps(budget, steps);
    }
    if (best < 0 || prev[best] > 0) return v;
    next[h] = best;
    prev[best] = h + 1;
  }
  for (let h = 0; h < wallCount; h++) prev[h]--;
  return -1;
}

/** Returns whether, turning clockwise from ray r, ray k comes before ray b. */
function comesFirstClockwise(rx: number, ry: number, kx: number, ky: number, bx: number, by: number): boolean {
  const kSide = rx * ky - ry * kx;
  const bSide = rx * by - ry * bx;
  // First the half turn to the right of r; then straight back, then to the left of r.
  const kHalf = kSide < 0 ? 0 : kSide === 0 ? 1 : 2;
  const bHalf = bSide < 0 ? 0 : bSide === 0 ? 1 : 2;
  if (kHalf !== bHalf) return kHalf < bHalf;
  return kx * by - ky * bx < 0;
}

function findLoops(faces: Faces): void {
  const { wallCount, next, origin, loopOf, xs, ys } = faces;
  const isOuter: number[] = [];
  for (let first = 0; first < wallCount; first++) {
    if (loopOf[first] >= 0) continue;
    // Twice the area may exceed 2^53: summed in two halves, each of which stays exact.
    let high = 0;
    let low = 0;
    const ox = xs[origin[first]];
    const oy = ys[origin[first]];
    for (let h = first; loopOf[h] < 0; h = next[h]) {
      loopOf[h] = faces.loopCount;
      const a = origin[h];
      const b = origin[next[h]];
      const term = (xs[a] - ox) * (ys[b] - oy) - (ys[a] - oy) * (xs[b] - ox);
      const part = Math.floor(term / 134217728);
      high += part;
      low += term - part * 134217728;
    }
    const carry = Math.floor(low / 134217728);
    high += carry;
    low -= carry * 134217728;
    isOuter.push(high >= 0 && (high > 0 || low > 0) ? 1 : 0);
    faces.loopCount++;
  }
  faces.isOuter = Uint8Array.from(isOuter);
}

/**
 * Checks that the winding number is 1 to the left of walls and 0 to the right. Each loop is tested at its
 * leftmost vertex, since insides and outsides alternate around a vertex. Returns what is wrong, or ''.
 */
function checkNesting(faces: Faces, grid: FaceGrid): string {
  const { wallCount, loopCount, loopOf, isOuter, origin, xs, ys } = faces;
  const least = new Int32Array(loopCount).fill(-1);
  for (let h = 0; h < wallCount; h++) {
    const v = origin[h];
    const best = least[loopOf[h]];
    if (best < 0 || xs[v] < xs[best] || (xs[v] === xs[best] && ys[v] < ys[best])) least[loopOf[h]] = v;
  }
  for (let loop = 0; loop < loopCount; loop++) {
    const v = least[loop];
    const winding = windingNumber(grid, faces, v);
    if (winding === (isInsideLeft(faces, v) ? 1 : 0)) continue;
    if (isOuter[loop] === 0) return `the hole at ${place(faces, v)} lies outside of every outline`;
    return `the outline at ${place(faces, v)} lies within another`;
  }
  return '';
}

/** Returns whether the position just left of vertex v and slightly above it is inside. */
function isInsideLeft({ firstAt, nextAt, next, prev, origin, xs, ys }: Faces, v: number): boolean {
  for (let h = firstAt[v]; h >= 0; h = nextAt[h]) {
    const u = origin[next[h]];
    const t = origin[prev[h]];
    const ux = xs[u] - xs[v];
    const uy = ys[u] - ys[v];
    const tx = xs[t] - xs[v];
    const ty = ys[t] - ys[v];
    if (isBetween(ux * ty - uy * tx, uy !== 0 ? uy : ux, ty !== 0 ? -ty : -tx)) return true;
  }
  return false;
}
