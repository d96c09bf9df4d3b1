/** Points as callers pass them: [x, y, z], any typed array, or { x, y, z } such as a three.js vector. */

export type PointLike = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number };

/**
 * Reads a point into `out`. Throws a TypeError unless it has three finite numbers; `caller` and `name` begin
 * the message.
 */
export function readPoint(out: Float64Array, point: PointLike, caller: string, name: string): void {
  if (typeof point === 'object' && point !== null) {
    if ('x' in point) {
      out[0] = point.x;
      out[1] = point.y;
      out[2] = point.z;
    } else {
      out[0] = point[0];
      out[1] = point[1];
      out[2] = point[2];
    }
    // The difference is NaN when any of the three is not finite.
    if (out[0] - out[0] + (out[1] - out[1]) + (out[2] - out[2]) === 0) return;
  }
  const isObject = typeof point === 'object' && point !== null;
  const text = isObject
    ? `[${Array.from('x' in point ? [point.x, point.y, point.z] : point).join(', ')}]`
    : String(point);
  throw new TypeError(`${caller}: ${name} is ${text}; must be [x, y, z] or { x, y, z }, all finite`);
}
