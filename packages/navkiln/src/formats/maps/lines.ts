/**
 * Makes areas of lines that have a width, and of points that have a radius: streets, corridors, walls, posts.
 *
 * Each segment becomes a rectangle, and each corner and end a polygon around a circle, or inside it where it is walkable.
 *
 * In: lines on the plane.
 * Out: rings that overlap.
 * Cost: linear.
 * Based on: own.
 */
import { cosDegrees, sinDegrees } from '../../base/math/degrees.ts';
import type { ParsedPoint, ParsedRing } from './map.ts';

/** Sides of a circle. */
const SIDES = 16;

/** Returns the rings of a line, or of a point. Walkable ones are no wider than the width, others no narrower. */
export function ringsOfLine(points: readonly ParsedPoint[], width: number, isWalkable: boolean): ParsedRing[] {
  const rings: ParsedRing[] = [];
  const reach = width / 2;
  for (let k = 0; k + 1 < points.length; k++) {
    const [ax, ay] = points[k];
    const [bx, by] = points[k + 1];
    const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    if (!(length > 0)) continue;
    const nx = (-(by - ay) / length) * reach;
    const ny = ((bx - ax) / length) * reach;
    rings.push([
      [ax - nx, ay - ny],
      [bx - nx, by - ny],
      [bx + nx, by + ny],
      [ax + nx, ay + ny],
    ]);
  }
  const far = isWalkable ? reach : reach / cosDegrees(180 / SIDES);
  for (const [x, y] of points) {
    rings.push(
      Array.from({ length: SIDES }, (_, k): ParsedPoint => {
        const degrees = ((k + 0.5) * 360) / SIDES;
        return [x + far * cosDegrees(degrees), y + far * sinDegrees(degrees)];
      }),
    );
  }
  return rings;
}

/** Returns a length in meters from a property: a number, or a text such as "3.5" or "3.5 m". Undefined for others. */
export function lengthOf(value: unknown): number | undefined {
  const text = typeof value === 'string' ? /^\s*(\d+(?:\.\d+)?)\s*m?\s*$/.exec(value)?.[1] : undefined;
  const length = text === undefined ? value : Number(text);
  return typeof length === 'number' && length > 0 && length < Infinity ? length : undefined;
}
