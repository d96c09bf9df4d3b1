/** Points as callers pass them: [x, y, z], any typed array, or { x, y, z } such as a three.js vector. */

import { advice } from './advice.ts';

/**
 * A list of numbers whose length is not part of its type: a typed array or a `number[]`. No tuple is one, so that `[x, y]` does not
 * compile where a point of three numbers is asked for.
 */
export type NumberList = (ArrayBufferView & ArrayLike<number>) | (readonly number[] & { readonly 0?: never });

/** A position: `[x, y, z]`, a typed array, or a record such as a vector of three.js. y is the height. */
export type PointLike =
  | readonly [x: number, y: number, z: number]
  | { readonly x: number; readonly y: number; readonly z: number }
  | NumberList;

/** What messages demand of a point. */
const POINT = '[x, y, z] or { x, y, z }, all finite';

/**
 * Reads a point into `out`. Throws a TypeError unless it has three finite numbers; `caller` and `name` begin
 * the message.
 */
export function readPoint(out: Float64Array, point: PointLike, caller: string, name: string): void {
  let text = '';
  if (typeof point === 'object' && point !== null) {
    // Most are arrays, and looking for a name in one takes longer.
    const isRecord = !Array.isArray(point) && 'x' in point;
    const x = isRecord ? point.x : point[0];
    const y = isRecord ? point.y : point[1];
    const z = isRecord ? point.z : point[2];
    if (Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z)) {
      out[0] = x;
      out[1] = y;
      out[2] = z;
      return;
    }
    text = `[${[x, y, z].map(showScalar).join(', ')}]`;
  }
  throw new TypeError(
    `${caller}: ${name} is ${text || showScalar(point)}; must be ${POINT}${advice.of(name, point, POINT)}`,
  );
}

/** Returns a part of a wrong point for messages. Converting an object may throw. */
export function showScalar(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'an object' : String(value).slice(0, 60);
}
