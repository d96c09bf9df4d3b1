/**
 * Finds what touches but for rounding: vertices next to each other, and vertices next to segments.
 *
 * Corners that lie on a slanted side lie up to one and a half cells from it once both are on the grid. A gap
 * of that width separates floors that meet, and opens walls that touch. So such vertices become one, and such
 * segments are bent through the vertex, in the triangulation in which rings are overlaid: there, vertices next
 * to each other share an edge, and a vertex next to a segment is a corner of a triangle at it. Crossings that
 * were rounded are vertices, too; next to another vertex, their segments move to it. No coordinate beyond the
 * grid is needed, and a tile needs nothing from other tiles.
 *
 * In: a triangulation; a distance in cells.
 * Out: the vertex that replaces each vertex; pairs of segments and vertices.
 * Cost: one pass over the edges.
 * Based on: snap rounding (John Hobby, Practical segment intersection with finite precision output, 1999), with
 * distances in place of hot pixels.
 */
import { BOX_CORNERS } from './delaunay.ts';
import type { Triangulation } from './types.ts';

/** How near vertices and segments are joined. */
export interface JoinRule {
  /** Distance in cells. 0: only what touches on the grid. */
  cells: number;
  /** The sides of a tile, which other tiles share: vertices on them stay, and they are not bent. */
  square?: { x: number; y: number; side: number };
}

/** A rule, and what has been joined by it. */
export interface JoinRun extends JoinRule {
  /** For each crossing whose segments were moved to a vertex next to it: that vertex. */
  moved: Map<number, number>;
}

/** Both ends of a segment, or a corner and its side, are off by half a cell in x and in y. */
export const ROUNDING_DISTANCE = 1.5;

/** Vertices on a side of a tile are joined over this times the distance: a corner next to it slides along slanted sides that it cuts. */
const SIDE_REACH = 2;

/** Length of the tips of walls that sides of tiles cut off, cells. */
const TIP = 3;

/** Edges 0 .. 3 of a triangulation are the sides of its box. */
const BOX_EDGES = 4;

/** The points that segments begin and end at. */
interface Ends {
  from: Int32Array;
  to: Int32Array;
}

export interface Twins {
  /** For each vertex the vertex that takes its place: the first of those next to it. Undefined when none are next to each other. */
  twin: Int32Array | undefined;
  /** The square of the least distance of two vertices. */
  leastSq: number;
}

/**
 * Finds vertices that are next to each other. The triangulation must be Delaunay. Vertices that a segment connects come
 * last: they touch anyway, and one that became the other could no longer become a third.
 */
export function findTwins(mesh: Triangulation, { cells, square }: JoinRule, { from: starts, to: ends }: Ends): Twins {
  const { xs, ys, origin, edgeCount, vertexCount, vertexOf } = mesh;
  // The nearest vertices share an edge.
  let leastSq = Infinity;
  for (let h = 0; h < 2 * edgeCount; h += 2) {
    const a = origin[h];
    const b = origin[h + 1];
    const dx = xs[b] - xs[a];
    const dy = ys[b] - ys[a];
    const distanceSq = dx * dx + dy * dy;
    if (distanceSq < leastSq) leastSq = distanceSq;
  }
  if (leastSq > SIDE_REACH * SIDE_REACH * cells * cells) return { twin: undefined, leastSq };
  const compare = (a: number, b: number): number => xs[a] - xs[b] || ys[a] - ys[b];
  /** Pairs, the vertex that stays first, and 1 if a segment connects them; and those on a side of the tile. */
  const pairs: number[][] = [];
  const onSide: number[][] = [];
  for (let h = 0; h < 2 * edgeCount; h += 2) {
    const a = origin[h];
    const b = origin[h + 1];
    const ofA = sidesOf(mesh, a, square);
    const ofB = sidesOf(mesh, b, square);
    const shared = ofA & ofB;
    if (a < BOX_CORNERS || b < BOX_CORNERS || !isWithin(mesh, a, b, shared ? SIDE_REACH * cells : cells)) continue;
    if (shared) onSide.push(isCorner(ofB) || (!isCorner(ofA) && compare(b, a) < 0) ? [b, a] : [a, b]);
    else if (ofA === 0 || ofB === 0) pairs.push(ofB !== 0 || (ofA === 0 && b < a) ? [b, a, 0] : [a, b, 0]);
  }
  if (pairs.length + onSide.length === 0) return { twin: undefined, leastSq };
  const keyOf = (a: number, b: number): number => (a > b ? keyOf(b, a) : a * vertexCount + b);
  const byKey = new Map(pairs.map((pair) => [keyOf(pair[0], pair[1]), pair]));
  for (let k = 0; byKey.size > 1 && k < starts.length; k++) {
    const pair = byKey.get(keyOf(vertexOf[starts[k]], vertexOf[ends[k]]));
    if (pair !== undefined) pair[2] = 1;
  }
  pairs.sort((p, q) => p[2] - q[2] || p[0] - q[0] || p[1] - q[1]);
  // The tile on the other side has the same points there, and makes the same of them.
  onSide.sort((p, q) => compare(p[0], q[0]) || compare(p[1], q[1]));
  const twin = Int32Array.from({ length: vertexCount }, (_, v) => v);
  // Vertices that others have become.
  const taken = new Uint8Array(vertexCount);
  for (const [a, from, reach = SIDE_REACH] of [...onSide, ...pairs]) {
    const to = twin[a];
    const isFree = twin[from] === from && to !== from && taken[from] === 0;
    if (isFree && isWithin(mesh, to, from, Math.max(1, reach) * cells)) {
      twin[from] = to;
      taken[to] = 1;
    }
  }
  return { twin, leastSq };
}

function isCorner(sides: number): boolean {
  return (sides & (sides - 1)) !== 0;
}

/**
 * Returns whether the first of two ends of an edge is replaced by the second: a crossing is next to another vertex. Sides that
 * cross at a small angle may have their crossing further away. Bending both through the vertex and the crossing would leave an opening.
 */
export function isReplaced(
  mesh: Triangulation,
  { cells, square, moved }: JoinRun,
  from: number,
  to: number,
  isOpening: boolean,
): boolean {
  return (
    to >= BOX_CORNERS &&
    isWithin(mesh, from, to, isOpening ? 2 * cells : cells) &&
    !moved.has(from) &&
    !moved.has(to) &&
    sidesOf(mesh, from, square) === 0
  );
}

/**
 * Lists segments next to which a vertex lies: half-edge and vertex of each. At most one vertex for each segment.
 *
 * @param leastSq lower bound of the squares of distances of vertices
 */
export function findNear(mesh: Triangulation, run: JoinRun, leastSq: number): number[] {
  const { cells, square } = run;
  const { xs, ys, fixed, origin, next } = mesh;
  const found: number[] = [];
  const end = 2 * mesh.edgeCount;
  for (let h = 2 * BOX_EDGES; h < end; h++) {
    if (fixed[h >> 1] === 0) continue;
    const a = origin[h];
    const b = origin[h ^ 1];
    const c = origin[next[next[h]]];
    const ax = xs[a];
    const ay = ys[a];
    const dx = xs[b] - ax;
    const dy = ys[b] - ay;
    const cx = xs[c] - ax;
    const cy = ys[c] - ay;
    const height = 2 * (dx * cy - dy * cx);
    const along = dx * cx + dy * cy;
    // Only behind a flat side of the triangle may a vertex be nearer than its corner.
    if (height > along && height > dx * dx + dy * dy - along) continue;
    // The circle around the triangle has no vertex inside. Between it and the segment, only points near an end are as near.
    const ex = cx - dx;
    const ey = cy - dy;
    if (20 * cells * cells * (cx * cx + cy * cy) * (ex * ex + ey * ey) <= leastSq * height * height) continue;
    const v = nearSegment(mesh, h, run);
    if (v < 0) continue;
    if ((sidesOf(mesh, a, square) & sidesOf(mesh, b, square)) !== 0) continue;
    // Where a side of the tile cuts the tip of a wall, the tip would vanish, and with it what it touches.
    if (sidesOf(mesh, v, square) !== 0 && (isWithin(mesh, v, a, TIP) || isWithin(mesh, v, b, TIP))) continue;
    found.push(h, v);
    h |= 1;
  }
  return found;
}

/**
 * Returns a vertex on the left of half-edge h, next to the segment and between its ends; -1 when there is none. Looks at the
 * triangle of h, then around both ends.
 */
function nearSegment(mesh: Triangulation, h: number, { cells, moved }: JoinRun): number {
  const { xs, ys, origin, next, fixed } = mesh;
  const a = origin[h];
  const b = origin[h ^ 1];
  const dx = xs[b] - xs[a];
  const dy = ys[b] - ys[a];
  for (let end = 0; end < 2; end++) {
    // The spoke from this end, as the half-edge on the segment's side of it.
    let g = end === 0 ? next[next[h]] : next[h];
    for (;;) {
      const v = end === 0 ? origin[g] : origin[g ^ 1];
      if (isNearSegment(mesh, v, a, b, cells) && !moved.has(v)) return v;
      const vx = xs[v] - xs[a];
      const vy = ys[v] - ys[a];
      const along = dx * vx + dy * vy;
      const fromEnd = end === 0 ? along : dx * dx + dy * dy - along;
      if (fixed[g >> 1] !== 0 || 2 * (dx * vy - dy * vx) >= fromEnd) break;
      g = end === 0 ? next[next[g ^ 1]] : next[g ^ 1];
    }
  }
  return -1;
}

/** Returns whether a vertex is within the distance of the segment from a to b, and sees its ends in opposite directions. */
export function isNearSegment({ xs, ys }: Triangulation, v: number, a: number, b: number, cells: number): boolean {
  const dx = xs[b] - xs[a];
  const dy = ys[b] - ys[a];
  const vx = xs[v] - xs[a];
  const vy = ys[v] - ys[a];
  const height = dx * vy - dy * vx;
  return height * height <= cells * cells * (dx * dx + dy * dy) && vx * vx + vy * vy < dx * vx + dy * vy;
}

function isWithin({ xs, ys }: Triangulation, a: number, b: number, cells: number): boolean {
  const dx = xs[b] - xs[a];
  const dy = ys[b] - ys[a];
  return dx * dx + dy * dy <= cells * cells;
}

/** Returns the sides of a square that a vertex lies on, as bits. */
function sidesOf({ xs, ys }: Triangulation, v: number, square: JoinRule['square']): number {
  if (square === undefined) return 0;
  const { x, y, side } = square;
  return (
    (xs[v] === x * side ? 1 : 0) |
    (xs[v] === (x + 1) * side ? 2 : 0) |
    (ys[v] === y * side ? 4 : 0) |
    (ys[v] === (y + 1) * side ? 8 : 0)
  );
}
