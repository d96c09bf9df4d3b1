/**
 * Inserts segments into a triangulation: afterwards each segment runs along edges, and all other edges are
 * Delaunay.
 *
 * Each segment has a weight: how much larger the winding number is on its left. Segments may share points,
 * lie on each other, pass through vertices and cross. Where two cross between grid points, both are bent
 * through the nearest grid point and their pieces are inserted again. Rings stay closed, so winding numbers
 * stay valid. The order of segments does not affect the result.
 *
 * A bend can make a segment cross others, which are handled when its pieces are inserted. This nearly always
 * ends soon, but two segments can bend each other forever through two neighboring points. The function then
 * gives up, and the caller starts over with another rounding of crossings.
 *
 * What touches but for rounding is joined afterwards, if the caller asks for it: see join-near.ts.
 *
 * In: a `Triangulation` and weighted segments between its vertices.
 * Out: the same record; edges along segments are `fixed`, and weights add up.
 * Cost: linear in the edges that segments cross, which are few where points are dense.
 * Based on: Scott Sloan, A fast algorithm for generating constrained Delaunay triangulations, 1993 (flips of
 * crossed edges, those in no convex quadrilateral later); bending at grid points: Daniel Greene and Frances
 * Yao, Finite-resolution computational geometry, 1986.
 */
import { signOfProducts } from '../math/predicates.ts';
import { spendCrossing, spendFlips } from './budget.ts';
import type { PolygonBudget } from './budget.ts';
import { BOX_CORNERS, connectVertex } from './delaunay.ts';
import { CIRCLE_ERROR } from './grid-predicates.ts';
import { findNear, isNearSegment, isReplaced } from './join-near.ts';
import type { JoinRun } from './join-near.ts';
import type { Triangulation } from './types.ts';

/** Segments between vertices, with weights. */
export interface Segments {
  from: Int32Array;
  to: Int32Array;
  weight: Int32Array;
}

/** Segments of one vertex that are sorted by insertion at most. */
const FEW_SEGMENTS = 16;

/** Flips per segment that are not charged to the budget. A power of two. */
const FREE_FLIPS = 64;

/** Pending pieces: from, to, weight. */
let pending: number[] = [];
let crossed: number[] = [];
let changed: number[] = [];
const factors = new Float64Array(6);

/** How segments are inserted. */
export interface InsertRule {
  /** Crossings are rounded down after adding this many cells. 0.5: to the nearest. */
  shift: number;
  /** Joins what touches but for rounding. Absent: nothing. */
  join?: JoinRun;
  /** With `join`: lower bound of the squares of distances of vertices; default 0. */
  leastSq?: number;
  budget?: PolygonBudget;
}

/** Passes over all segments in search of vertices next to them. Each pass bends a segment once. */
const MAX_JOIN_PASSES = 64;

/**
 * Inserts segments; segment k runs from vertex from[k] to to[k]. Returns whether it finished; if not, the triangulation is
 * unusable. Throws when crossings take more than the budget.
 */
export function insertSegments(mesh: Triangulation, { from, to, weight }: Segments, rule: InsertRule): boolean {
  const givenCount = mesh.vertexCount;
  const order = sortSegments(givenCount, from, to);
  const limit = 1000 + 10 * from.length;
  pending = [];
  changed = [];
  for (let k = 0; k < order.length; k++) {
    const i = order[k];
    const isForward = from[i] < to[i];
    if (isForward) pending.push(from[i], to[i], weight[i]);
    else pending.push(to[i], from[i], -weight[i]);
    if (!insertPending(mesh, rule, limit)) return false;
  }
  if (mesh.splitCount > 0) restoreAll(mesh);
  if (rule.join !== undefined && !joinSegments(mesh, rule, rule.join, { limit, givenCount })) return false;
  pending = [];
  crossed = [];
  changed = [];
  return true;
}

/** Inserts the pending pieces. Returns false when they bend each other without end. */
function insertPending(mesh: Triangulation, rule: InsertRule, limit: number): boolean {
  let bends = 0;
  while (pending.length > 0) {
    const w = pending.pop()!;
    const b = pending.pop()!;
    let a = pending.pop()!;
    while (a !== b) {
      const reached = advance(mesh, a, b, w, rule);
      if (reached < 0) {
        if (rule.budget !== undefined) spendCrossing(rule.budget);
        if (++bends > limit) return false;
        break;
      }
      a = reached;
    }
  }
  mesh.splitCount += bends;
  return true;
}

/**
 * Moves segments from crossings to the vertices next to them, and bends segments through the vertices next to them. Each of
 * these becomes two shorter ones, so this ends.
 */
function joinSegments(
  mesh: Triangulation,
  rule: InsertRule,
  join: JoinRun,
  { limit, givenCount }: { limit: number; givenCount: number },
): boolean {
  for (let pass = 0; pass < MAX_JOIN_PASSES; pass++) {
    const movedCount = join.moved.size;
    for (let e = 0; e < mesh.edgeCount; e++) {
      const a = mesh.origin[2 * e];
      const b = mesh.origin[2 * e + 1];
      const from = a > b ? a : b;
      const to = a > b ? b : a;
      const isOpening = mesh.fixed[e] !== 0 && mesh.weight[e] === 0;
      if ((from < givenCount && !isOpening) || !isReplaced(mesh, join, from, to, isOpening)) continue;
      join.moved.set(from, to);
      moveSegments(mesh, from, to);
      if (!insertPending(mesh, rule, limit)) return false;
    }
    if (join.moved.size > movedCount) {
      restoreAll(mesh);
      continue;
    }
    // Crossings that were added may be next to any vertex.
    const near = findNear(mesh, join, mesh.splitCount > 0 ? 0 : (rule.leastSq ?? 0));
    if (near.length === 0) break;
    for (let k = 0; k < near.length; k += 2) {
      const h = near[k];
      const through = near[k + 1];
      const { fixed, origin } = mesh;
      // Bending another one may have released it.
      if (fixed[h >> 1] === 0) continue;
      passThrough(through, origin[h], origin[h ^ 1], release(mesh, h));
      mesh.joinCount++;
      if (!insertPending(mesh, rule, limit)) return false;
    }
    restoreAll(mesh);
  }
  return true;
}

/** Releases the segments at a crossing; those at another vertex instead are pending. */
function moveSegments(mesh: Triangulation, from: number, to: number): void {
  const { origin, next, vertexEdge, fixed } = mesh;
  let h = vertexEdge[from];
  do {
    // What led to the other vertex has no length, and is left out when it is inserted.
    if (fixed[h >> 1] !== 0) pending.push(to, origin[h ^ 1], release(mesh, h));
    h = next[next[h]] ^ 1;
  } while (h !== vertexEdge[from]);
  mesh.joinCount++;
}

/** Makes all free edges Delaunay: those that bends have released may not be. */
function restoreAll(mesh: Triangulation): void {
  for (let e = 0; e < mesh.edgeCount; e++) if (mesh.fixed[e] === 0) changed.push(2 * e);
  restore(mesh);
}

/**
 * Returns indices sorted by lower vertex, then by higher. Vertices are numbered along the curve, so neighbors
 * follow each other.
 */
function sortSegments(vertexCount: number, from: Int32Array, to: Int32Array): Int32Array {
  const n = from.length;
  const start = new Int32Array(vertexCount + 1);
  const order = new Int32Array(n);
  for (let i = 0; i < n; i++) start[Math.min(from[i], to[i]) + 1]++;
  for (let v = 0; v < vertexCount; v++) start[v + 1] += start[v];
  for (let i = 0; i < n; i++) order[start[Math.min(from[i], to[i])]++] = i;
  // Now `start` holds ends. Few segments have the same lower vertex.
  let first = 0;
  for (let v = 0; v < vertexCount; v++) {
    const end = start[v];
    if (end - first > FEW_SEGMENTS) {
      order.subarray(first, end).sort((i, j) => Math.max(from[i], to[i]) - Math.max(from[j], to[j]) || i - j);
    } else {
      for (let k = first + 1; k < end; k++) {
        const i = order[k];
        const higher = Math.max(from[i], to[i]);
        let at = k;
        for (; at > first && Math.max(from[order[at - 1]], to[order[at - 1]]) > higher; at--) order[at] = order[at - 1];
        order[at] = i;
      }
    }
    first = end;
  }
  return order;
}

/**
 * Moves the first part of the segment a -> b along one edge and returns where that edge ends. Returns -1 when
 * the segment crosses another one; the pieces to insert instead are pending.
 */
function advance(mesh: Triangulation, a: number, b: number, w: number, rule: InsertRule): number {
  const { xs, ys, origin, next, vertexEdge, fixed } = mesh;
  const ax = xs[a];
  const ay = ys[a];
  const dx = xs[b] - ax;
  const dy = ys[b] - ay;
  // Finds the triangle at a that the segment enters.
  const first = vertexEdge[a];
  let h = first;
  let x = -1;
  let side = dx * (ys[origin[h ^ 1]] - ay) - dy * (xs[origin[h ^ 1]] - ax);
  do {
    const u = origin[h ^ 1];
    const m = next[next[h]];
    const v = origin[m];
    if (u === b || (side === 0 && dx * (xs[u] - ax) + dy * (ys[u] - ay) > 0)) {
      fix(mesh, h, w);
      return u;
    }
    const nextSide = dx * (ys[v] - ay) - dy * (xs[v] - ax);
    if (side < 0 && nextSide > 0) {
      x = next[h];
      break;
    }
    side = nextSide;
    h = m ^ 1;
  } while (h !== first);
  if (x < 0) throw new Error('insertSegments: a vertex has no triangle towards another; this is a bug in navkiln');

  crossed.length = 0;
  let end = -1;
  for (;;) {
    if (fixed[x >> 1] !== 0) {
      // Nothing has changed so far, so the piece up to there is inserted again.
      bend(mesh, { a, b, w }, x, rule);
      return -1;
    }
    crossed.push(x);
    const n = next[x ^ 1];
    const m = next[n];
    const v = origin[m];
    if (v === b) {
      end = b;
      break;
    }
    const sideOfV = dx * (ys[v] - ay) - dy * (xs[v] - ax);
    if (sideOfV === 0) {
      end = v;
      break;
    }
    x = sideOfV > 0 ? n : m;
  }
  fix(mesh, clearSegment(mesh, a, end, rule.budget), w);
  return end;
}

function fix({ fixed, weight }: Triangulation, h: number, w: number): void {
  fixed[h >> 1] = 1;
  weight[h >> 1] += (h & 1) === 0 ? w : -w;
}

/** Releases the edge of a half-edge. Returns its weight in the direction of the half-edge. */
function release({ fixed, weight }: Triangulation, h: number): number {
  const w = (h & 1) === 0 ? weight[h >> 1] : -weight[h >> 1];
  fixed[h >> 1] = 0;
  weight[h >> 1] = 0;
  return w;
}

/**
 * Flips the `crossed` edges until a -> b is an edge, then the new edges that are not Delaunay. Returns a
 * half-edge a -> b. Edges that cannot be flipped yet come again later, so n edges may take n² flips.
 */
function clearSegment(mesh: Triangulation, a: number, b: number, budget: PolygonBudget | undefined): number {
  const { xs, ys, origin, next, fixed } = mesh;
  const ax = xs[a];
  const ay = ys[a];
  const dx = xs[b] - ax;
  const dy = ys[b] - ay;
  changed.length = 0;
  let found = -1;
  for (let k = 0; k < crossed.length; k++) {
    if ((k & (FREE_FLIPS - 1)) === FREE_FLIPS - 1 && budget !== undefined) spendFlips(budget, FREE_FLIPS);
    const h = crossed[k];
    const t = h ^ 1;
    const p = origin[next[next[h]]];
    const q = origin[next[next[t]]];
    const u = origin[h];
    const v = origin[t];
    const qx = xs[q] - xs[p];
    const qy = ys[q] - ys[p];
    const sideOfU = qx * (ys[u] - ys[p]) - qy * (xs[u] - xs[p]);
    const sideOfV = qx * (ys[v] - ys[p]) - qy * (xs[v] - xs[p]);
    if (!((sideOfU < 0 && sideOfV > 0) || (sideOfU > 0 && sideOfV < 0))) {
      crossed.push(h);
      continue;
    }
    flip(mesh, h);
    if (p === a || p === b || q === a || q === b) {
      if ((p === a && q === b) || (p === b && q === a)) found = h;
      else changed.push(h);
      continue;
    }
    const sideOfP = dx * (ys[p] - ay) - dy * (xs[p] - ax);
    const sideOfQ = dx * (ys[q] - ay) - dy * (xs[q] - ax);
    if ((sideOfP > 0 && sideOfQ < 0) || (sideOfP < 0 && sideOfQ > 0)) crossed.push(h);
    else changed.push(h);
  }
  if (found < 0) throw new Error('insertSegments: flipping did not clear the way; this is a bug in navkiln');
  const was = fixed[found >> 1];
  fixed[found >> 1] = 1;
  restore(mesh);
  fixed[found >> 1] = was;
  return origin[found] === a ? found : found ^ 1;
}

/** Flips the `changed` edges that are not Delaunay, and those that become so. */
function restore(mesh: Triangulation): void {
  const { xs, ys, origin, next, fixed } = mesh;
  while (changed.length > 0) {
    const h = changed.pop()!;
    const t = h ^ 1;
    if (fixed[h >> 1] !== 0) continue;
    const v = origin[next[next[h]]];
    const d = origin[next[next[t]]];
    const a = origin[h];
    const b = origin[t];
    const px = xs[v];
    const py = ys[v];
    const ax = xs[a] - px;
    const ay = ys[a] - py;
    const bx = xs[b] - px;
    const by = ys[b] - py;
    const dx = xs[d] - px;
    const dy = ys[d] - py;
    const al = ax * ax + ay * ay;
    const bl = bx * bx + by * by;
    const dl = dx * dx + dy * dy;
    const bd = bx * dy - by * dx;
    const da = dx * ay - dy * ax;
    const ab = ax * by - ay * bx;
    const p = al * bd;
    const q = bl * da;
    const r = dl * ab;
    const det = p + q + r;
    const bound = CIRCLE_ERROR * (Math.abs(p) + Math.abs(q) + Math.abs(r));
    if (det > bound) continue;
    if (det >= -bound) {
      factors[0] = al;
      factors[1] = bd;
      factors[2] = bl;
      factors[3] = da;
      factors[4] = dl;
      factors[5] = ab;
      if (signOfProducts(factors) >= 0) continue;
    }
    changed.push(next[h], next[next[h]], next[t], next[next[t]]);
    flip(mesh, h);
  }
}

function flip({ origin, next, vertexEdge }: Triangulation, h: number): void {
  const t = h ^ 1;
  const hn = next[h];
  const hp = next[hn];
  const tn = next[t];
  const tp = next[tn];
  const a = origin[h];
  const b = origin[t];
  origin[h] = origin[tp];
  origin[t] = origin[hp];
  next[h] = hp;
  next[hp] = tn;
  next[tn] = h;
  next[t] = tp;
  next[tp] = hn;
  next[hn] = t;
  if (vertexEdge[a] === h) vertexEdge[a] = tn;
  if (vertexEdge[b] === t) vertexEdge[b] = hn;
}

/**
 * Bends the segment a -> b and the fixed half-edge x, which cross inside both, through a grid point next to the
 * crossing, or through a vertex that is to be joined with it.
 */
function bend(
  mesh: Triangulation,
  { a, b, w }: { a: number; b: number; w: number },
  x: number,
  { shift, join }: InsertRule,
): void {
  const { xs, ys, origin } = mesh;
  const u = origin[x];
  const v = origin[x ^ 1];
  if (join !== undefined) {
    // An end next to the other segment touches it; the crossing beside it is due to rounding.
    for (const end of [u, v]) {
      if (!isNearSegment(mesh, end, a, b, join.cells)) continue;
      passThrough(end, a, b, w);
      return;
    }
    for (const end of [a, b]) {
      if (!isNearSegment(mesh, end, u, v, join.cells)) continue;
      pending.push(a, b, w);
      passThrough(end, u, v, release(mesh, x));
      return;
    }
  }
  const dx = xs[b] - xs[a];
  const dy = ys[b] - ys[a];
  const ex = xs[v] - xs[u];
  const ey = ys[v] - ys[u];
  const share = ((xs[u] - xs[a]) * ey - (ys[u] - ys[a]) * ex) / (dx * ey - dy * ex);
  const px = Math.floor(xs[a] + share * dx + shift);
  const py = Math.floor(ys[a] + share * dy + shift);
  const reachSq = join === undefined ? 0 : join.cells * join.cells;
  const is = (vertex: number): boolean => {
    const awayX = xs[vertex] - px;
    const awayY = ys[vertex] - py;
    return awayX * awayX + awayY * awayY <= reachSq;
  };
  if (is(u) || is(v)) {
    passThrough(is(u) ? u : v, a, b, w);
    return;
  }
  // Releases the edge, so that the point may lie on either side of it.
  const other = release(mesh, x);
  const at = is(a) ? a : is(b) ? b : vertexAt(mesh, px, py, x, is);
  const through = join?.moved.get(at) ?? at;
  passThrough(through, a, b, w);
  passThrough(through, u, v, other);
}

/** Makes both pieces of a segment pending. One without length is left out when it is inserted. */
function passThrough(through: number, a: number, b: number, w: number): void {
  pending.push(through, b, w, a, through, w);
}

/** Returns the vertex at this position, or a new one if there is none. */
function vertexAt(
  mesh: Triangulation,
  px: number,
  py: number,
  near: number,
  isSame: (vertex: number) => boolean,
): number {
  makeRoom(mesh);
  const { xs, ys, origin } = mesh;
  const v = mesh.vertexCount;
  xs[v] = px;
  ys[v] = py;
  const h = findTriangle(mesh, v, near);
  for (let k = 0, at = h; k < 3; k++, at = mesh.next[at]) {
    if (origin[at] >= BOX_CORNERS && isSame(origin[at])) return origin[at];
  }
  mesh.vertexCount++;
  connectVertex(mesh, v, h);
  return v;
}

/**
 * Returns a half-edge of the triangle that contains vertex v, or the edge that v lies on. The triangulation is not
 * Delaunay everywhere, so a walk could go in circles. It therefore alternates between the two next triangles, and
 * searches all triangles after many steps.
 */
function findTriangle(mesh: Triangulation, v: number, near: number): number {
  const { xs, ys, origin, next, edgeCount } = mesh;
  const px = xs[v];
  const py = ys[v];
  const side = (h: number): number => {
    const a = origin[h];
    const b = origin[h ^ 1];
    return (xs[b] - xs[a]) * (py - ys[a]) - (ys[b] - ys[a]) * (px - xs[a]);
  };
  /** Returns the edge of h's triangle that v lies on, h if v lies inside, -1 if outside. */
  const within = (h: number): number => {
    const n = next[h];
    const m = next[n];
    const one = side(h);
    const two = side(n);
    const three = side(m);
    if (one < 0 || two < 0 || three < 0) return -1;
    return one === 0 ? h : two === 0 ? n : three === 0 ? m : h;
  };
  let h = side(near) < 0 ? near ^ 1 : near;
  let coin = 1;
  for (let steps = 0; steps < 1000; steps++) {
    coin = (Math.imul(coin, 1103515245) + 12345) | 0;
    const isFirst = (coin & 0x10000) !== 0;
    const n = next[h];
    const m = next[n];
    const one = isFirst ? n : m;
    const two = isFirst ? m : n;
    if (side(one) < 0) h = one ^ 1;
    else if (side(two) < 0) h = two ^ 1;
    else return within(h);
  }
  for (let g = 0; g < 2 * edgeCount; g++) {
    const found = next[g] < 0 ? -1 : within(g);
    if (found >= 0) return found;
  }
  throw new Error('insertSegments: a point is in no triangle; this is a bug in navkiln');
}

/** Makes room for one vertex and three edges. */
function makeRoom(mesh: Triangulation): void {
  if (mesh.vertexCount < mesh.xs.length && mesh.edgeCount + 3 <= mesh.fixed.length) return;
  const vertices = 2 * mesh.xs.length + BOX_CORNERS;
  const edges = Math.max(3 * vertices + 8, mesh.fixed.length);
  mesh.xs = grown(mesh.xs, new Float64Array(vertices));
  mesh.ys = grown(mesh.ys, new Float64Array(vertices));
  mesh.vertexEdge = grown(mesh.vertexEdge, new Int32Array(vertices));
  mesh.origin = grown(mesh.origin, new Int32Array(2 * edges));
  mesh.next = grown(mesh.next, new Int32Array(2 * edges).fill(-1));
  mesh.fixed = grown(mesh.fixed, new Uint8Array(edges));
  mesh.weight = grown(mesh.weight, new Int32Array(edges));
}

function grown<T extends Float64Array | Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from as Int32Array);
  return to;
}
