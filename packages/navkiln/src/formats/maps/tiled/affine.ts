/**
 * Affine maps of the plane, as Tiled's coordinates need them.
 *
 * Cost: constant; `transform` is linear in the ring.
 * Based on: own.
 */
import { cosDegrees, sinDegrees } from '../../../base/math/degrees.ts';
import type { ParsedPoint, ParsedRing } from '../map.ts';
import type { Affine } from './types.ts';

export const IDENTITY: Affine = [1, 0, 0, 1, 0, 0];

/** Returns the map that applies `inner` first, then `outer`. */
export function compose(outer: Affine, inner: Affine): Affine {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export function translation(x: number, y: number): Affine {
  return [1, 0, 0, 1, x, y];
}

/** Returns a rotation, clockwise as seen on a screen with y down. */
export function rotation(degrees: number): Affine {
  const c = cosDegrees(degrees);
  const s = sinDegrees(degrees);
  return [c, s, -s, c, 0, 0];
}

export function inverse([a, b, c, d, e, f]: Affine): Affine {
  const det = a * d - b * c;
  return [d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det];
}

export function transform(ring: ParsedRing, [a, b, c, d, e, f]: Affine): ParsedRing {
  return ring.map(([x, y]): ParsedPoint => [a * x + c * y + e, b * x + d * y + f]);
}
