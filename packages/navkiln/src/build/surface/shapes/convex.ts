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
  return keep(
    shape,
    shape.map((corner) => sign * corner[axis] - bound),
  );
}

/** Returns the corners with values >= 0, and the points on edges with value 0. */
function keep(shape: Shape, values: readonly number[]): Shape {
  const out: Shape = [];
  for (let k = 0; k < shape.length; k++) {
    const m = k + 1 === shape.length ? 0 : k + 1;
    if (values[k] >= 0) out.push(shape[k]);
    if (values[k] >= 0 === values[m] >= 0 || values[k] === 0 || values[m] === 0) continue;
    const t = values[k] / (values[k] - values[m]);
    out.push(shape[k].map((value, i) => value + t * (shape[m][i] - value)));
  }
  return out;
}

/** Returns the part of a shape to the left of the line from a to b. */
export function leftOf(shape: Shape, ax: number, az: number, bx: number, bz: number): Shape {
  return keep(
    shape,
    shape.map(([x, z]) => (bz - az) * (x - ax) - (bx - ax) * (z - az)),
  );
}

/** Returns how far each corner is to the left of the line from a to b; 0 within the tolerance. */
function sides(shape: Shape, a: Corner, b: Corner, slack: number): number[] {
  const dx = b[0] - a[0];
  const dz = b[1] - a[1];
  const length = Math.sqrt(dx * dx + dz * dz);
  return shape.map((corner) => {
    const side = (dz * (corner[0] - a[0]) - dx * (corner[1] - a[1])) / length;
    return side <= slack && side >= -slack ? 0 : side;
  });
}

const opposite = (value: number): number => 0 - value;

/** Returns whether the shape is empty or thinner than the tolerance: its area against its longest edge. */
function isThin(shape: Shape, tolerance: number): boolean {
  let longestSq = 0;
  for (let k = 0; k < shape.length; k++) {
    const a = shape[k];
    const b = shape[k + 1 === shape.length ? 0 : k + 1];
    const dx = b[0] - a[0];
    const dz = b[1] - a[1];
    longestSq = Math.max(longestSq, dx * dx + dz * dz);
  }
  return !(shape.length > 2 && Math.abs(doubleArea(shape)) > tolerance * Math.sqrt(longestSq));
}

/** Returns whether the triangle of the first three corners, or of any three, is clockwise seen from above. */
function isTurned(shape: Shape): boolean {
  return doubleArea(shape) < 0;
}

/** Returns twice the area, positive when counter-clockwise. */
function doubleArea(shape: Shape): number {
  let double = 0;
  for (let k = 1; k + 1 < shape.length; k++) {
    const [o, a, b] = [shape[0], shape[k], shape[k + 1]];
    double += (a[1] - o[1]) * (b[0] - o[0]) - (a[0] - o[0]) * (b[1] - o[1]);
  }
  return double;
}

/** Returns a shape without the corners that are close to the one before: the direction of such an edge is arbitrary. */
function withoutShortEdges(shape: Shape, length: number): Shape {
  const isApart = (a: Corner, b: Corner): boolean => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) > length;
  if (shape.every((corner, k) => isApart(corner, shape[k === 0 ? shape.length - 1 : k - 1]))) return shape;
  const kept: Shape = [];
  for (const corner of shape) if (kept.length === 0 || isApart(corner, kept[kept.length - 1])) kept.push(corner);
  while (kept.length > 1 && !isApart(kept[0], kept[kept.length - 1])) kept.pop();
  return kept;
}

/**
 * Returns the convex parts of a shape outside another one of either winding; undefined when they do not
 * overlap.
 */
export function subtractShape(shape: Shape, other: Shape, tolerance: number): Shape[] | undefined {
  const slack = tolerance / 4;
  const ring = withoutShortEdges(isTurned(other) ? other.slice().reverse() : other, slack);
  if (isThin(ring, slack)) return undefined;
  const outside: Shape[] = [];
  let rest = shape;
  let edges = ring.map((_, k) => k);
  while (edges.length > 0) {
    // The edge that separates most of the shape comes first, so that this part stays in one piece.
    let best = -1;
    let bestArea = 0;
    let bestSides: number[] = [];
    edges = edges.filter((k) => {
      const left = sides(rest, ring[k], ring[(k + 1) % ring.length], slack);
      if (left.every((side) => side >= 0)) return false;
      const area = Math.abs(doubleArea(keep(rest, left.map(opposite))));
      if (best < 0 || area > bestArea) {
        best = k;
        bestArea = area;
        bestSides = left;
      }
      return true;
    });
    if (best < 0) break;
    edges = edges.filter((k) => k !== best);
    const out = keep(rest, bestSides.map(opposite));
    rest = keep(rest, bestSides);
    if (isThin(rest, tolerance)) return undefined;
    if (!isThin(out, slack)) outside.push(out);
  }
  return outside;
}

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
  const side = sides(shape, from, to, tolerance / 4);
  const left = keep(shape, side);
  const right = keep(shape, side.map(opposite));
  if (isThin(left, tolerance) || isThin(right, tolerance)) return undefined;
  // Tests whether the upright shape reaches the line's part inside the shape.
  const dx = to[0] - from[0];
  const dz = to[1] - from[1];
  let low = Infinity;
  let high = -Infinity;
  left.forEach((corner) => {
    const across = dz * (corner[0] - from[0]) - dx * (corner[1] - from[1]);
    if (Math.abs(across) > tolerance * Math.sqrt(longestSq)) return;
    const along = ((corner[0] - from[0]) * dx + (corner[1] - from[1]) * dz) / Math.sqrt(longestSq);
    low = Math.min(low, along);
    high = Math.max(high, along);
  });
  const shared = Math.min(high, Math.sqrt(longestSq)) - Math.max(low, 0);
  return shared > tolerance ? [left, right] : undefined;
}

/** Returns the same shape starting at the corner whose fan has the widest thinnest triangle. */
export function roomiestFan(shape: Shape): Shape {
  if (shape.length === 3) return shape;
  let best = 0;
  let bestRoom = -Infinity;
  for (let first = 0; first < shape.length; first++) {
    let room = Infinity;
    for (let k = 1; k + 1 < shape.length; k++) {
      const o = shape[first];
      const a = shape[(first + k) % shape.length];
      const b = shape[(first + k + 1) % shape.length];
      const double = (a[1] - o[1]) * (b[0] - o[0]) - (a[0] - o[0]) * (b[1] - o[1]);
      const longestSq = Math.max(
        square(a[0] - o[0]) + square(a[1] - o[1]),
        square(b[0] - o[0]) + square(b[1] - o[1]),
        square(b[0] - a[0]) + square(b[1] - a[1]),
      );
      room = Math.min(room, double / Math.sqrt(longestSq));
    }
    if (room <= bestRoom) continue;
    bestRoom = room;
    best = first;
  }
  return [...shape.slice(best), ...shape.slice(0, best)];
}

function square(value: number): number {
  return value * value;
}
