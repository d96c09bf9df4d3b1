/**
 * Delaunay triangulation of points on the grid: each point is located, connected, and edges around it are
 * flipped.
 *
 * Points are inserted along a Hilbert curve, so the walk to the next point takes two or three steps: first every
 * 16th, then every fourth, then the others, so that the triangles around a new point are small. This takes 40 %
 * (coast-map) to 90 % (comb-map) fewer flips than one round. Vertices are numbered along the curve, so memory is read
 * in order. All decisions are exact (grid-predicates.ts). A half-edge keeps its number when its edge is flipped, so
 * lists of half-edges stay valid.
 *
 * In: points of rings.
 * Out: a `Triangulation` of the points and of the corners of a box around them, without segments.
 * Cost: about linear.
 * Based on: Charles Lawson, Software for C1 surface interpolation, 1977 (flips); Olivier Devillers, Sylvain
 * Pion and Monique Teillaud, Walking in a triangulation, 2002 (the visibility walk, which ends in a Delaunay
 * triangulation).
 * Tried: a first round with every 64th point takes 5 % fewer flips and the same time; with twice the points per
 *   round, comb-map has 3 % more pieces.
 */
import { createWorkspace, takeInt32, takeUint8 } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import { signOfProducts } from '../math/predicates.ts';
import { spendFlips } from './budget.ts';
import type { PolygonBudget } from './budget.ts';
import { CIRCLE_ERROR } from './grid-predicates.ts';
import { orderSpatially } from './spatial-order.ts';
import type { Triangulation } from './types.ts';

/** Vertices 0 .. 3 are the corners of the box. */
export const BOX_CORNERS = 4;

let stack = new Int32Array(1024);
/** Edges that were flipped around new points, in all triangulations. */
let flips = 0;

/** Flips per point that are not charged to the budget. Usual are six, and a hundred on large ellipses. */
const FREE_FLIPS = 256;
/** Points between those of the first round, and how many times more points each further round has: see the header. */
const FIRST_STEP = 16;
const STEP_RATIO = 4;
/** Points between looks at the budget. */
const STRIDE = 256;

/**
 * Returns the Delaunay triangulation of points and of the corners of a box around them.
 *
 * @param budget charged for flips beyond the usual number: points on two lines may take n² of them
 * @param workspace memory that the result lives in until the next one; default: its own
 */
export function triangulatePoints(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  budget?: PolygonBudget,
  workspace: Workspace = createWorkspace(),
): Triangulation {
  const { count, rankOf, xs, ys } = orderSpatially(x, y, BOX_CORNERS, workspace);
  const vertexCount = BOX_CORNERS + count;
  const room = 2 * (3 * vertexCount + 8);
  const mesh: Triangulation = {
    vertexCount: BOX_CORNERS,
    xs,
    ys,
    edgeCount: 0,
    origin: takeInt32(workspace, 'origin', room),
    next: takeInt32(workspace, 'next', room).fill(-1),
    vertexEdge: takeInt32(workspace, 'vertexEdge', xs.length),
    fixed: takeUint8(workspace, 'fixed', room / 2).fill(0),
    weight: takeInt32(workspace, 'weight', room / 2).fill(0),
    splitCount: 0,
    joinCount: 0,
    vertexOf: rankOf,
  };
  makeBox(mesh, vertexCount);
  let near = 0;
  let free = flips + FREE_FLIPS * vertexCount;
  for (let step = FIRST_STEP; step >= 1; step /= STEP_RATIO) {
    const mask = STEP_RATIO * step - 1;
    for (let v = BOX_CORNERS + ((step - (BOX_CORNERS % step)) % step); v < vertexCount; v += step) {
      if (step < FIRST_STEP && (v & mask) === 0) continue;
      near = insertVertex(mesh, v, near);
      if (v % STRIDE !== 0 || budget === undefined) continue;
      if (flips <= free) continue;
      spendFlips(budget, flips - free);
      free = flips;
    }
  }
  mesh.vertexCount = vertexCount;
  return mesh;
}

/** Creates two triangles that cover a box one cell larger than the points. */
function makeBox(mesh: Triangulation, end: number): void {
  const { xs, ys, origin, next, vertexEdge, fixed } = mesh;
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let v = BOX_CORNERS; v < end; v++) {
    if (xs[v] < minX) minX = xs[v];
    if (xs[v] > maxX) maxX = xs[v];
    if (ys[v] < minY) minY = ys[v];
    if (ys[v] > maxY) maxY = ys[v];
  }
  if (end === BOX_CORNERS) minX = minY = maxX = maxY = 0;
  xs[0] = xs[3] = minX - 1;
  xs[1] = xs[2] = maxX + 1;
  ys[0] = ys[1] = minY - 1;
  ys[2] = ys[3] = maxY + 1;
  // Edges 0 .. 3 are the sides, counter-clockwise; edge 4 runs from corner 0 to 2.
  for (let e = 0; e < 4; e++) {
    origin[2 * e] = e;
    origin[2 * e + 1] = (e + 1) & 3;
    vertexEdge[e] = 2 * e;
    fixed[e] = 1;
  }
  origin[8] = 0;
  origin[9] = 2;
  next[0] = 2;
  next[2] = 9;
  next[9] = 0;
  next[4] = 6;
  next[6] = 8;
  next[8] = 4;
  mesh.edgeCount = 5;
}

/** Inserts vertex v at a free position, walking from half-edge `near`. Returns a half-edge that starts at v. */
export function insertVertex(mesh: Triangulation, v: number, near: number): number {
  const h = findTriangle(mesh, v, near);
  return connectVertex(mesh, v, h);
}

/**
 * Returns a half-edge of the triangle that contains vertex v or, if v lies on an edge, that edge. For
 * Delaunay triangulations.
 */
function findTriangle(mesh: Triangulation, v: number, near: number): number {
  const { xs, ys, origin, next } = mesh;
  const px = xs[v];
  const py = ys[v];
  let h = near;
  let ax = xs[origin[h]];
  let ay = ys[origin[h]];
  const b = origin[next[h]];
  let bx = xs[b];
  let by = ys[b];
  let first = (bx - ax) * (py - ay) - (by - ay) * (px - ax);
  if (first < 0) {
    h ^= 1;
    let x = ax;
    ax = bx;
    bx = x;
    x = ay;
    ay = by;
    by = x;
    first = -first;
  }
  for (;;) {
    // v is not right of h, a -> b.
    const n = next[h];
    const m = next[n];
    const c = origin[m];
    const cx = xs[c];
    const cy = ys[c];
    const second = (cx - bx) * (py - by) - (cy - by) * (px - bx);
    if (second < 0) {
      h = n ^ 1;
      ax = cx;
      ay = cy;
      first = -second;
      continue;
    }
    const third = (ax - cx) * (py - cy) - (ay - cy) * (px - cx);
    if (third < 0) {
      h = m ^ 1;
      bx = cx;
      by = cy;
      first = -third;
      continue;
    }
    return first === 0 ? h : second === 0 ? n : third === 0 ? m : h;
  }
}

/**
 * Connects vertex v, which lies in the triangle of half-edge h or on h, and restores the Delaunay property.
 * Returns a half-edge that starts at v.
 */
export function connectVertex(mesh: Triangulation, v: number, h: number): number {
  const { xs, ys, origin, next, vertexEdge } = mesh;
  const a = origin[h];
  const n = next[h];
  const b = origin[n];
  const m = next[n];
  const c = origin[m];
  const e = 2 * mesh.edgeCount;
  const isOn = (xs[b] - xs[a]) * (ys[v] - ys[a]) - (ys[b] - ys[a]) * (xs[v] - xs[a]) === 0;
  let top = 0;
  if (!isOn) {
    mesh.edgeCount += 3;
    // v -> a, v -> b, v -> c
    origin[e] = origin[e + 2] = origin[e + 4] = v;
    origin[e + 1] = a;
    origin[e + 3] = b;
    origin[e + 5] = c;
    next[h] = e + 3;
    next[e + 3] = e;
    next[e] = h;
    next[n] = e + 5;
    next[e + 5] = e + 2;
    next[e + 2] = n;
    next[m] = e + 1;
    next[e + 1] = e + 4;
    next[e + 4] = m;
  } else {
    // h becomes a -> v; new: v -> b (with what h is), v -> c, v -> d.
    const t = h ^ 1;
    const s = next[t];
    const r = next[s];
    const d = origin[r];
    mesh.edgeCount += 3;
    origin[t] = v;
    origin[e] = origin[e + 2] = origin[e + 4] = v;
    origin[e + 1] = b;
    origin[e + 3] = c;
    origin[e + 5] = d;
    mesh.fixed[e >> 1] = mesh.fixed[h >> 1];
    mesh.weight[e >> 1] = (h & 1) === 0 ? mesh.weight[h >> 1] : -mesh.weight[h >> 1];
    // a -> v -> c
    next[h] = e + 2;
    next[e + 2] = m;
    next[m] = h;
    // v -> b -> c
    next[e] = n;
    next[n] = e + 3;
    next[e + 3] = e;
    // v -> a -> d
    next[t] = s;
    next[s] = e + 5;
    next[e + 5] = t;
    // b -> v -> d
    next[e + 1] = e + 4;
    next[e + 4] = r;
    next[r] = e + 1;
    vertexEdge[b] = e + 1;
    stack[top++] = s;
    stack[top++] = r;
  }
  vertexEdge[v] = e;
  if (isOn) {
    stack[top++] = n;
    stack[top++] = m;
  } else {
    stack[top++] = h;
    stack[top++] = n;
    stack[top++] = m;
  }
  flipAround(mesh, v, top);
  return vertexEdge[v];
}

/** Flips the half-edges on the stack, which are opposite v, whose circle contains v, and continues behind them. */
function flipAround(mesh: Triangulation, v: number, top: number): void {
  const { xs, ys, origin, next, vertexEdge, fixed } = mesh;
  const px = xs[v];
  const py = ys[v];
  while (top > 0) {
    const h = stack[--top];
    if (fixed[h >> 1] !== 0) continue;
    const t = h ^ 1;
    const tn = next[t];
    const tp = next[tn];
    const a = origin[h];
    const b = origin[t];
    const d = origin[tp];
    const ax = xs[a] - px;
    const ay = ys[a] - py;
    const bx = xs[b] - px;
    const by = ys[b] - py;
    const dx = xs[d] - px;
    const dy = ys[d] - py;
    // Inside the circle of a, b, v: seen from v, (a, d, b) is counter-clockwise.
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
    const bound = CIRCLE_ERROR * ((p < 0 ? -p : p) + (q < 0 ? -q : q) + (r < 0 ? -r : r));
    if (det >= -bound) {
      if (det > bound) continue;
      factors[0] = al;
      factors[1] = bd;
      factors[2] = bl;
      factors[3] = da;
      factors[4] = dl;
      factors[5] = ab;
      if (signOfProducts(factors) >= 0) continue;
    }
    flips++;
    const hn = next[h];
    const hp = next[hn];
    // h: d -> v, t: v -> d
    origin[h] = d;
    origin[t] = v;
    next[h] = hp;
    next[hp] = tn;
    next[tn] = h;
    next[t] = tp;
    next[tp] = hn;
    next[hn] = t;
    if (vertexEdge[a] === h) vertexEdge[a] = tn;
    if (vertexEdge[b] === t) vertexEdge[b] = hn;
    if (top + 2 > stack.length) growStack();
    stack[top++] = tn;
    stack[top++] = tp;
  }
}

const factors = new Float64Array(6);

function growStack(): void {
  const larger = new Int32Array(2 * stack.length);
  larger.set(stack);
  stack = larger;
}
