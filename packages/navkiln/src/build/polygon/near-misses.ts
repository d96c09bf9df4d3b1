/**
 * Finds outlines of a map that nearly touch: a slit between floors that no agent notices separates them, and one between walls lets paths
 * through.
 *
 * Two rings are a near miss when they come nearer than a distance and touch nowhere. What the build joins as touching is no near miss. Rings that
 * touch or cross in one place and nearly touch in another are not reported.
 *
 * In: a map on the grid.
 * Out: a warning with pairs of rings, and where they are nearest.
 * Cost: that of the segments in squares of a grid, about linear where rings are spread evenly. The search ends early where thousands of
 *   rings cross, and says so.
 * Based on: own.
 */
import { plural } from '../../base/data/plural.ts';
import type { NamedPoints, NearMiss } from '../../base/plane/types.ts';
import type { NearMissMap, PolygonConfig, PolygonWarning } from './options.ts';

/** Outlines are a near miss up to this share of the agent's size, and up to so many steps of the grid. */
const SHARE = 0.001;
const CELLS = 3;
/** The search ends after so many comparisons of segments, and so many pairs of rings. */
const MOST_LOOKS = 1e7;
const MOST_PAIRS = 1e5;

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

/** Squares for each segment, about. */
const SQUARES = 2;

/**
 * Returns a warning that names the outlines of a map that come nearer than a thousandth of the agent, or three grid steps, but touch nowhere;
 * undefined when there are none. Pass it to `buildFromPolygons` as the option `findNearMisses`.
 */
export function findNearMisses(
  { polygons, obstacles, frame, joinCells }: NearMissMap,
  { agent, radii }: PolygonConfig,
): Omit<PolygonWarning, 'stage'> | undefined {
  const rings = [...polygons.flatMap(({ outline, holes }) => [outline, ...holes]), ...obstacles];
  const size = radii.reduce((most, radius) => Math.max(most, radius), agent.height);
  const pairs = findNearPairs(rings, Math.max(SHARE * size, CELLS * frame.gridSize) / frame.gridSize, joinCells);
  if (pairs === undefined) {
    return {
      code: 'near-misses-unsearched',
      count: rings.length,
      message: `${plural(rings.length, 'outline')} cross too often to search for outlines that nearly touch; build parts of the map to find them`,
    };
  }
  const nearMisses = pairs.map(({ rings: names, distance, at: [x, y] }) => ({
    rings: names,
    distance: distance * frame.gridSize,
    at: [frame.originX + x * frame.gridSize, frame.originY + y * frame.gridSize] as [number, number],
  }));
  if (nearMisses.length === 0) return undefined;
  const [{ rings: names, distance, at }] = nearMisses;
  // As many digits as tell the two outlines apart.
  const [x, y] = at.map((value) =>
    Number(value.toPrecision(Math.min(16, Math.max(6, String(Math.round(Math.abs(value) / distance)).length + 1)))),
  );
  const most = nearMisses[nearMisses.length - 1].distance;
  return {
    code: 'near-miss',
    count: nearMisses.length,
    where: { ring: names[0], at },
    nearMisses,
    message:
      `${names[0]} and ${names[1]} are ${Number(distance.toPrecision(3))} apart at [${x}, ${y}]` +
      `${nearMisses.length > 1 ? `, and ${plural(nearMisses.length - 1, 'more pair')} of outlines nearly touch` : ''}; ` +
      `if they should meet, give the map precision: ${Number((1.01 * most).toPrecision(3))}`,
  };
}

/**
 * Returns the pairs of rings that come within `reach` but not within `joinCells`, both in cells, the nearest first; undefined when the search
 * ended early. @internal
 */
export function findNearPairs(rings: readonly NamedPoints[], reach: number, joinCells: number): NearMiss[] | undefined {
  if (!(reach > joinCells)) return [];
  const pairs = pairsWithin(rings, reach);
  if (pairs === undefined) return undefined;
  const misses: NearMiss[] = [];
  for (const [key, { distanceSq, x, y }] of pairs) {
    if (distanceSq <= joinCells * joinCells) continue;
    const names: NearMiss['rings'] = [rings[Math.floor(key / rings.length)].name, rings[key % rings.length].name];
    misses.push({ rings: names, distance: Math.sqrt(distanceSq), at: [x, y] });
  }
  return misses.sort((a, b) => a.distance - b.distance);
}

/** Returns the pairs of rings that come within a distance, by the numbers of both rings as one; undefined when the search ended early. */
function pairsWithin(rings: readonly NamedPoints[], reach: number): Map<number, Pair> | undefined {
  const segments = rings.flatMap(({ points }, ring) =>
    points.map((a, k): Segment => {
      const b = points[(k + 1) % points.length];
      return { ring, ax: a.x, ay: a.y, bx: b.x, by: b.y };
    }),
  );
  const squares = squaresOf(segments, reach);
  if (squares === undefined) return undefined;
  const pairs = new Map<number, Pair>();
  let looks = 0;
  for (const square of squares.values()) {
    for (let i = 1; i < square.length; i++) {
      const one = segments[square[i]];
      looks += i;
      if (looks > MOST_LOOKS || pairs.size > MOST_PAIRS) return undefined;
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

/** Returns the segments in each square of a grid that they come near, by number; undefined when they are too many. */
function squaresOf(segments: readonly Segment[], reach: number): Map<number, number[]> | undefined {
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
  let looks = 0;
  for (const [index, { ax, ay, bx, by }] of segments.entries()) {
    if (looks > MOST_LOOKS) return undefined;
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
        looks++;
        const square = squares.get(key);
        if (square === undefined) squares.set(key, [index]);
        else square.push(index);
      }
    }
  }
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
