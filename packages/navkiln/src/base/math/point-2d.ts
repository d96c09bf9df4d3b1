/** Points of 2D maps as callers pass them: [x, y], any typed array, or { x, y } such as a Phaser vector. */

import { advice } from './advice.ts';
import { showScalar } from './point.ts';
import type { NumberList } from './point.ts';

/** A point of a map: `[x, y]`, a typed array, or a record such as a vector of Phaser. */
export type PointLike2d = readonly [x: number, y: number] | { readonly x: number; readonly y: number } | NumberList;

/** What messages demand of a point. */
export const POINT_2D = '[x, y] or { x, y }, both finite';

/** Returns whether a value is a point of two finite numbers. Further numbers are ignored. */
export function isPoint2d(point: unknown): point is PointLike2d {
  if (typeof point !== 'object' || point === null) return false;
  const x: unknown = xOf(point as PointLike2d);
  const y: unknown = yOf(point as PointLike2d);
  // The difference is NaN when one of them is not finite.
  return typeof x === 'number' && typeof y === 'number' && x - x + (y - y) === 0;
}

export function xOf(point: PointLike2d): number {
  return 'x' in point ? point.x : (point as ArrayLike<number>)[0];
}

export function yOf(point: PointLike2d): number {
  return 'x' in point ? point.y : point[1];
}

/** Returns a point as [x, y]. Throws a TypeError unless it has two finite numbers; `caller` and `name` begin the message. */
export function readPoint2d(point: PointLike2d, caller: string, name: string): [x: number, y: number] {
  if (isPoint2d(point)) return [xOf(point), yOf(point)];
  throw new TypeError(
    `${caller}: ${name} is ${showPoint2d(point)}; must be ${POINT_2D}${advice.of(name, point, POINT_2D)}`,
  );
}

/** Returns what a caller passed as a point, for messages. */
export function showPoint2d(point: unknown): string {
  if (typeof point === 'string') return JSON.stringify(point);
  if (typeof point !== 'object' || point === null) return showScalar(point);
  if ('x' in point) return `{ x: ${showScalar(point.x)}, y: ${showScalar((point as { y?: unknown }).y)} }`;
  const list = point as ArrayLike<unknown>;
  return `[${Array.from({ length: Math.min(list.length, 8) || 0 }, (_, i) => showScalar(list[i])).join(', ')}]`;
}
