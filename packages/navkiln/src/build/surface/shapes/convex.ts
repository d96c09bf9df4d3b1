/**
 * Convex shapes seen from above, counter-clockwise: split by lines, and subtracted from each other.
 *
 * A corner is [x, z, and further numbers that are interpolated]. Shapes thinner than the tolerance count as
 * empty.
 *
 * Cost: linear in corners; a subtraction costs the product of both.
 * Based on: own (clipping by a line: Ivan Sutherland, Gary Hodgman, Reentrant Polygon Clipping, 1974).
 */

export type Corner = number[];
export type Shape = Corner[];

/** Returns the part of a shape with sign * (number on this axis) >= bound. */
export function clipShape(shape: Shape, axis: number, sign: number, bound: number): Shape {
  makeRoom(shape);
  for (let k = 0; k < shape.length; k++) distances[k] = sign * shape[k][axis] - bound;
  return keepSide(shape, 1);
}

/** Returns the part of a shape to the left of the line from a to b. */
export function leftOf(shape: Shape, ax: number, az: number, bx: number, bz: number): Shape {
  makeRoom(shape);
  for (let k = 0; k < shape.length; k++) distances[k] = (bz - az) * (shape[k][0] - ax) - (bx - ax) * (shape[k][1] - az);
  return keepSide(shape, 1);
}

/** What the corners of a shape are compared by, such as their distances from a line. */
let distances = new Float64Array(64);

function makeRoom({ length }: Shape): void {
  if (length > distances.length) distances = new Float64Array(2 * length);
}

/** A line through (x, z) along (dx, dz). */
interface Line {
  x: number;
  z: number;
  dx: number;
  dz: number;
  length: number;
}

/** Sets `distances` to how far each corner is to the left of a line; 0 within the slack. Returns the least. */
function measure(shape: Shape, { x, z, dx, dz, length }: Line, slack: number): number {
  makeRoom(shape);
  let least = Infinity;
  for (let k = 0; k < shape.length; k++) {
    const corner = shape[k];
    const side = (dz * (corner[0] - x) - dx * (corner[1] - z)) / length;
    distances[k] = side <= slack && side >= -slack ? 0 : side;
    if (distances[k] < least) least = distances[k];
  }
  return least;
}

/** Returns the part of a shape with sign * `distances` >= 0. */
function keepSide(shape: Shape, sign: number): Shape {
  const out: Shape = [];
  const count = shape.length;
  for (let k = 0; k < count; k++) {
    const m = k + 1 === count ? 0 : k + 1;
    const here = sign * distances[k];
    const there = sign * distances[m];
    if (here >= 0) out.push(shape[k]);
    if (here >= 0 === there >= 0 || here === 0 || there === 0) continue;
    out.push(between(shape[k], shape[m], here / (here - there)));
  }
  return out;
}

function between(from: Corner, to: Corner, t: number): Corner {
  const out = from.slice();
  for (let i = 0; i < out.length; i++) out[i] += t * (to[i] - out[i]);
  return out;
}

/** Returns twice the area of the part of a shape with `distances` <= 0, as `doubleArea` of that part. */
function doubleAreaBehind(shape: Shape): number {
  const count = shape.length;
  let found = 0;
  let ox = 0;
  let oz = 0;
  let ax = 0;
  let az = 0;
  let double = 0;
  for (let k = 0; k < count; k++) {
    const m = k + 1 === count ? 0 : k + 1;
    const here = 0 - distances[k];
    const there = 0 - distances[m];
    const corner = shape[k];
    for (let pass = here >= 0 ? 0 : 1; pass < 2; pass++) {
      let x = corner[0];
      let z = corner[1];
      if (pass === 1) {
        if (here >= 0 === there >= 0 || here === 0 || there === 0) break;
        const t = here / (here - there);
        x += t * (shape[m][0] - x);
        z += t * (shape[m][1] - z);
      }
      if (found === 0) {
        ox = x;
        oz = z;
      } else if (found > 1) double += (az - oz) * (x - ox) - (ax - ox) * (z - oz);
      ax = x;
      az = z;
      found++;
    }
  }
  return double;
}

/** Returns whether the shape is empty or thinner than the tolerance: its area against its longest edge. */
function isThin(shape: Shape, tolerance: number): boolean {
  if (shape.length < 3) return true;
  let longestSq = 0;
  for (let k = 0; k < shape.length; k++) {
    const a = shape[k];
    const b = shape[k + 1 === shape.length ? 0 : k + 1];
    const dx = b[0] - a[0];
    const dz = b[1] - a[1];
    const lengthSq = dx * dx + dz * dz;
    if (lengthSq > longestSq) longestSq = lengthSq;
  }
  return !(Math.abs(doubleArea(shape)) > tolerance * Math.sqrt(longestSq));
}

/** Returns whether the triangle of the first three corners, or of any three, is clockwise seen from above. */
function isTurned(shape: Shape): boolean {
  return doubleArea(shape) < 0;
}

/** Returns twice the area, positive when counter-clockwise. */
function doubleArea(shape: Shape): number {
  let double = 0;
  const [ox, oz] = shape[0];
  for (let k = 1; k + 1 < shape.length; k++) {
    const a = shape[k];
    const b = shape[k + 1];
    double += (a[1] - oz) * (b[0] - ox) - (a[0] - ox) * (b[1] - oz);
  }
  return double;
}

/** Returns a shape without the corners that are close to the one before: the direction of such an edge is arbitrary. */
function withoutShortEdges(shape: Shape, length: number): Shape {
  const isApart = (a: Corner, b: Corner): boolean => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) > length;
  let k = 0;
  while (k < shape.length && isApart(shape[k], shape[k === 0 ? shape.length - 1 : k - 1])) k++;
  if (k === shape.length) return shape;
  const kept: Shape = [];
  for (const corner of shape) if (kept.length === 0 || isApart(corner, kept[kept.length - 1])) kept.push(corner);
  while (kept.length > 1 && !isApart(kept[0], kept[kept.length - 1])) kept.pop();
  return kept;
}

/** The edges of the shape that is subtracted, which is on their left: the first `edgeCount`. */
const edges: Line[] = [];
let edgeCount = 0;

/** Sets the shape of either winding that `subtractShape` subtracts. Returns whether it is wide enough to cut anything. */
export function loadCut(shape: Shape, tolerance: number): boolean {
  const slack = tolerance / 4;
  if (shape.length === 0) return false;
  const ring = withoutShortEdges(isTurned(shape) ? shape.slice().reverse() : shape, slack);
  if (isThin(ring, slack)) return false;
  edgeCount = ring.length;
  while (edges.length < edgeCount) edges.push({ x: 0, z: 0, dx: 0, dz: 0, length: 0 });
  for (let k = 0; k < edgeCount; k++) setLine(edges[k], ring[k], ring[k + 1 === edgeCount ? 0 : k + 1]);
  return true;
}

function setLine(line: Line, from: Corner, to: Corner): void {
  const dx = to[0] - from[0];
  const dz = to[1] - from[1];
  line.x = from[0];
  line.z = from[1];
  line.dx = dx;
  line.dz = dz;
  line.length = Math.sqrt(dx * dx + dz * dz);
}

/** Returns whether all corners lie on the right of one edge, by more than the slack: then nothing of the shape is cut. */
function isBehind(shape: Shape, slack: number): boolean {
  for (let k = 0; k < edgeCount; k++) {
    const { x, z, dx, dz, length } = edges[k];
    const least = -slack * length;
    let i = 0;
    while (i < shape.length && dz * (shape[i][0] - x) - dx * (shape[i][1] - z) < least) i++;
    if (i === shape.length) return true;
  }
  return false;
}

/** The edges that may still cut the rest of the shape. */
let open = new Int32Array(64);

/** Returns the convex parts of a shape outside the one that `loadCut` set; undefined when they do not overlap. */
export function subtractShape(shape: Shape, tolerance: number): Shape[] | undefined {
  const slack = tolerance / 4;
  if (isBehind(shape, 2 * slack)) return undefined;
  const outside: Shape[] = [];
  let rest = shape;
  let count = edgeCount;
  if (count > open.length) open = new Int32Array(2 * count);
  for (let k = 0; k < count; k++) open[k] = k;
  while (count > 0) {
    // The edge that separates most of the shape comes first, so that this part stays in one piece.
    let best = -1;
    let bestArea = 0;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const k = open[i];
      if (measure(rest, edges[k], slack) >= 0) continue;
      const area = Math.abs(doubleAreaBehind(rest));
      if (best < 0 || area > bestArea) {
        best = k;
        bestArea = area;
      }
      open[kept++] = k;
    }
    if (best < 0) break;
    count = 0;
    for (let i = 0; i < kept; i++) if (open[i] !== best) open[count++] = open[i];
    measure(rest, edges[best], slack);
    const out = keepSide(rest, -1);
    rest = keepSide(rest, 1);
    if (isThin(rest, tolerance)) return undefined;
    if (!isThin(out, slack)) outside.push(out);
  }
  return outside;
}

const uprightLine: Line = { x: 0, z: 0, dx: 0, dz: 0, length: 0 };

/**
 * Splits a shape along the line that an upright shape is from above. Returns undefined when it does not cross
 * the shape.
 */
export function cutAlong(shape: Shape, upright: Shape, tolerance: number): Shape[] | undefined {
  let from = upright[0];
  let to = upright[0];
  let longestSq = 0;
  for (const a of upright) {
    for (const b of upright) {
      const lengthSq = (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
      if (lengthSq <= longestSq) continue;
      longestSq = lengthSq;
      from = a;
      to = b;
    }
  }
  if (longestSq <= tolerance * tolerance) return undefined;
  setLine(uprightLine, from, to);
  if (measure(shape, uprightLine, tolerance / 4) >= 0) return undefined;
  const left = keepSide(shape, 1);
  if (isThin(left, tolerance)) return undefined;
  const right = keepSide(shape, -1);
  if (isThin(right, tolerance)) return undefined;
  // Tests whether the upright shape reaches the line's part inside the shape.
  const { x, z, dx, dz } = uprightLine;
  let low = Infinity;
  let high = -Infinity;
  for (const corner of left) {
    const across = dz * (corner[0] - x) - dx * (corner[1] - z);
    if (Math.abs(across) > tolerance * Math.sqrt(longestSq)) continue;
    const along = ((corner[0] - x) * dx + (corner[1] - z) * dz) / Math.sqrt(longestSq);
    low = Math.min(low, along);
    high = Math.max(high, along);
  }
  const shared = Math.min(high, Math.sqrt(longestSq)) - Math.max(low, 0);
  return shared > tolerance ? [left, right] : undefined;
}

/** Returns the same shape starting at the corner whose fan has the widest thinnest triangle. */
export function roomiestFan(shape: Shape): Shape {
  const count = shape.length;
  if (count === 3) return shape;
  let best = 0;
  let bestRoom = -Infinity;
  for (let first = 0; first < count; first++) {
    const [ox, oz] = shape[first];
    let room = Infinity;
    for (let k = 1; k + 1 < count && room > bestRoom; k++) {
      const a = shape[first + k < count ? first + k : first + k - count];
      const b = shape[first + k + 1 < count ? first + k + 1 : first + k + 1 - count];
      const ax = a[0] - ox;
      const az = a[1] - oz;
      const bx = b[0] - ox;
      const bz = b[1] - oz;
      const cx = b[0] - a[0];
      const cz = b[1] - a[1];
      const longestSq = Math.max(ax * ax + az * az, bx * bx + bz * bz, cx * cx + cz * cz);
      room = Math.min(room, (az * bx - ax * bz) / Math.sqrt(longestSq));
    }
    if (room <= bestRoom) continue;
    bestRoom = room;
    best = first;
  }
  return best === 0 ? shape : [...shape.slice(best), ...shape.slice(0, best)];
}
