/**
 * Finds outlines of a map that nearly touch: a slit between floors that no agent notices separates them, and one between walls lets paths
 * through.
 *
 * Two rings are a near miss when they come nearer than a distance and touch nowhere. What the build joins as touching is no near miss. Rings that
 * touch or cross in one place and nearly touch in another are not reported.
 *
 * In: a map on the grid.
 * Out: pairs of rings, and where they are nearest.
 * Cost: that of the segments in squares of a grid, about linear where rings are spread evenly.
 * Based on: own.
 */
import type { GridFrame, NamedPoints, NearMiss } from '../../base/plane/types.ts';

/** A pair of rings: the square of the least distance known, cells, and where. */
interface Pair {
  distanceSq: number;
  x: number;
  y: number;
}

/** A segment: its ring, and both ends, in cells. */
interface Segment {
  ring: number;
  ax: number;
  ay: number;
  bx: number;
  by: number;
}

/** Maps of more sides are not searched: where all rings cross, time and memory grow with the square of the sides. */
const MOST_SEGMENTS = 20_000;
/** Squares for each segment, about. */
const SQUARES = 2;

/**
 * Returns the pairs of rings of a map that come nearer than a distance but touch nowhere, the nearest first; none for maps of more than 20,000
 * sides. Pass it to
 * `buildFromPolygons` as the option `findNearMisses`.
 *
 * @param rings on the grid
 * @param within map units
 * @param joinCells distance at which the build joins rings, in cells
 */
export function findNearMisses(
  rings: readonly NamedPoints[],
  { gridSize, originX, originY }: GridFrame,
  within: number,
  joinCells: number,
): NearMiss[] {
  const reach = within / gridSize;
  if (rings.reduce((sum, { points }) => sum + points.length, 0) > MOST_SEGMENTS) return [];
  if (!(reach > joinCells)) return [];
  const misses: NearMiss[] = [];
  for (const [key, { distanceSq, x, y }] of pairsWithin(rings, reach)) {
    if (distanceSq <= joinCells * joinCells) continue;
    misses.push({
      rings: [rings[Math.floor(key / rings.length)].name, rings[key % rings.length].name],
      distance: Math.sqrt(distanceSq) * gridSize,
      at: [originX + x * gridSize, originY + y * gridSize],
    });
  }
  return misses.sort((a, b) => a.distance - b.distance);
}

/** Returns the pairs of rings that come within a distance, by the numbers of both rings as one. */
function pairsWithin(rings: readonly NamedPoints[], reach: number): Map<number, Pair> {
  const segments = rings.flatMap(({ points }, ring) =>
    points.map((a, k): Segment => {
      const b = points[(k + 1) % points.length];
      return { ring, ax: a.x, ay: a.y, bx: b.x, by: b.y };
    }),
  );
  const pairs = new Map<number, Pair>();
  for (const square of squaresOf(segments, reach).values()) {
    for (let i = 1; i < square.length; i++) {
      const one = segments[square[i]];
      for (let j = 0; j < i; j++) {
        const other = segments[square[j]];
        if (other.ring === one.ring || !isNear(one, other, reach)) continue;
        const key = Math.min(one.ring, other.ring) * rings.length + Math.max(one.ring, other.ring);
        let pair = pairs.get(key);
        if (pair?.distanceSq === 0) continue;
        pairs.set(key, (pair ??= { distanceSq: Infinity, x: 0, y: 0 }));
        measure(pair, one, other);
        measure(pair, other, one);
        if (doCross(one, other)) pair.distanceSq = 0;
        if (pair.distanceSq > reach * reach) pairs.delete(key);
      }
    }
  }
  return pairs;
}

/** Returns the segments in each square of a grid that they come near, by number. */
function squaresOf(segments: readonly Segment[], reach: number): Map<number, number[]> {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { ax, ay } of segments) {
    minX = Math.min(minX, ax);
    maxX = Math.max(maxX, ax);
    minY = Math.min(minY, ay);
    maxY = Math.max(maxY, ay);
  }
  const area = (maxX - minX + 1) * (maxY - minY + 1);
  const side = Math.max(Math.sqrt(area / (SQUARES * segments.length + 1)), 2 * reach, 1);
  const columns = Math.floor((maxX - minX + 2 * reach) / side) + 1;
  const squares = new Map<number, number[]>();
  segments.forEach(({ ax, ay, bx, by }, index) => {
    const columnOf = (x: number): number => Math.floor((x - minX + reach) / side);
    const [low, high] = [columnOf(Math.min(ax, bx) - reach), columnOf(Math.max(ax, bx) + reach)];
    for (let column = low; column <= high; column++) {
      // The part of the segment in this column, and as much as the distance beyond it.
      const [from, to] = [minX - reach + column * side - reach, minX + column * side + side];
      const yAt = (x: number): number =>
        ax === bx
          ? ay
          : ay + ((by - ay) * (Math.min(Math.max(x, Math.min(ax, bx)), Math.max(ax, bx)) - ax)) / (bx - ax);
      const [one, other] = ax === bx ? [ay, by] : [yAt(from), yAt(to)];
      const rowOf = (y: number): number => Math.floor((y - minY + reach) / side);
      const top = rowOf(Math.max(one, other) + reach);
      for (let row = rowOf(Math.min(one, other) - reach); row <= top; row++) {
        const key = row * columns + column;
        const square = squares.get(key);
        if (square === undefined) squares.set(key, [index]);
        else square.push(index);
      }
    }
  });
  return squares;
}

/** Returns whether the boxes of two segments come within a distance. */
function isNear(a: Segment, b: Segment, reach: number): boolean {
  return (
    Math.min(a.ax, a.bx) - reach <= Math.max(b.ax, b.bx) &&
    Math.min(b.ax, b.bx) - reach <= Math.max(a.ax, a.bx) &&
    Math.min(a.ay, a.by) - reach <= Math.max(b.ay, b.by) &&
    Math.min(b.ay, b.by) - reach <= Math.max(a.ay, a.by)
  );
}

/** Lowers the distance of a pair to that of the first end of a segment to another segment. */
function measure(pair: Pair, { ax: px, ay: py }: Segment, { ax, ay, bx, by }: Segment): void {
  const [dx, dy] = [bx - ax, by - ay];
  const share = Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy)));
  const [ex, ey] = [ax + share * dx - px, ay + share * dy - py];
  const distanceSq = ex * ex + ey * ey;
  if (distanceSq >= pair.distanceSq) return;
  pair.distanceSq = distanceSq;
  pair.x = px;
  pair.y = py;
}

function doCross(a: Segment, b: Segment): boolean {
  return sideOf(a, b.ax, b.ay) * sideOf(a, b.bx, b.by) < 0 && sideOf(b, a.ax, a.ay) * sideOf(b, a.bx, a.by) < 0;
}

function sideOf({ ax, ay, bx, by }: Segment, x: number, y: number): number {
  return Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
}
