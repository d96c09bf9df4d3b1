/**
 * Cuts convex polygons at grid lines, in float32 with Recast's roundings and order of corners.
 *
 * In: a polygon and a border along one axis. Out: the part before the border, and the rest.
 * Cost: linear in the corners.
 * Based on: Ivan Sutherland and Gary Hodgman, Reentrant polygon clipping (1974); Mikko Mononen, Recast
 *   (2009), dividePoly.
 */
const f = Math.fround;

/** A polygon with its corners in the order of the triangle's. */
export interface Polygon {
  n: number;
  x: Float64Array;
  y: Float64Array;
  z: Float64Array;
}

/**
 * Creates an empty polygon. A triangle cut by rows has at most 5 corners, cut by columns too at most 7; 16
 * leaves room.
 */
export function createPolygon(): Polygon {
  return { n: 0, x: new Float64Array(16), y: new Float64Array(16), z: new Float64Array(16) };
}

const spare = createPolygon();

/**
 * Cuts `polygon` at `end` along one axis: what lies before goes to `part`, the rest stays.
 *
 * @param along the polygon's x or z
 */
export function split(polygon: Polygon, along: Float64Array, end: number, part: Polygon): void {
  const { n, x, y, z } = polygon;
  let i = n - 1;
  let bx = x[i];
  let by = y[i];
  let bz = z[i];
  let db = f(end - along[i]);
  part.n = spare.n = 0;
  for (i = 0; i < n; i++) {
    const ax = x[i];
    const ay = y[i];
    const az = z[i];
    const da = f(end - along[i]);
    const isCut = da >= 0 !== db >= 0;
    if (isCut) {
      const s = f(db / f(db - da));
      const cx = f(bx + f(f(ax - bx) * s));
      const cy = f(by + f(f(ay - by) * s));
      const cz = f(bz + f(f(az - bz) * s));
      push(part, cx, cy, cz);
      push(spare, cx, cy, cz);
    }
    if (da !== 0 || !isCut) {
      if (da >= 0) push(part, ax, ay, az);
      if (!(da > 0)) push(spare, ax, ay, az);
    }
    bx = ax;
    by = ay;
    bz = az;
    db = da;
  }
  polygon.n = 0;
  for (i = 0; i < spare.n; i++) push(polygon, spare.x[i], spare.y[i], spare.z[i]);
}

/** Adds a corner. */
export function push(to: Polygon, x: number, y: number, z: number): void {
  to.x[to.n] = x;
  to.y[to.n] = y;
  to.z[to.n++] = z;
}
