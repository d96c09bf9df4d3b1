/**
 * Puts walls around rooms, with gaps where their doors are.
 *
 * In: rings of rooms, doors as points with a width or as lines, on the plane of one level.
 * Out: rings of walls, and which doors and rooms found each other.
 * Cost: rings times the doors in their boxes.
 * Based on: own.
 */
import type { ParsedPoint, ParsedPolygon, ParsedRing } from '../../map.ts';
import { boundsOf } from '../../svg/fill.ts';
import { strokeRings } from '../../svg/stroke.ts';
import { initialStyle } from '../../svg/style.ts';

/** How far a door may lie from the outline that it opens. */
const DOOR_REACH = 0.5;

/** A door: its middle and its width, or both ends. */
export interface Door {
  points: ParsedRing;
  width: number;
}

export interface RoomWalls {
  walls: ParsedRing[];
  /** Rooms without a door. */
  closed: number[];
  /** Whether rooms without a door have walls all the same. */
  isComplete: boolean;
  usedDoors: Set<Door>;
}

/** Returns the walls of rooms. Where most rooms have no door, the data lack doors, and those without one stay open. */
export function wallsOf(rooms: readonly ParsedPolygon[], doors: readonly Door[], wallWidth: number): RoomWalls {
  const walls: ParsedRing[] = [];
  const around: ParsedRing[][] = [];
  const closed: number[] = [];
  const usedDoors = new Set<Door>();
  rooms.forEach(({ outline, holes }, i) => {
    let count = 0;
    const own: ParsedRing[] = [];
    for (const ring of [outline, ...holes]) {
      const gaps: [from: number, to: number][] = [];
      const [minX, minY, maxX, maxY] = boundsOf([ring]);
      const lengths = lengthsAlong(ring);
      for (const door of doors) {
        const isNear = door.points.every(
          ([x, y]) =>
            x >= minX - DOOR_REACH && y >= minY - DOOR_REACH && x <= maxX + DOOR_REACH && y <= maxY + DOOR_REACH,
        );
        const gap = isNear ? gapOf(ring, lengths, door) : undefined;
        if (gap === undefined) continue;
        gaps.push(gap);
        usedDoors.add(door);
      }
      count += gaps.length;
      for (const points of withoutGaps(ring, lengths, gaps)) {
        const isClosed = gaps.length === 0;
        const line = { points, corners: new Set(points), isClosed };
        for (const one of strokeRings(line, wallWidth, initialStyle(), wallWidth, () => {})) own.push(one);
      }
    }
    if (count === 0) closed.push(i);
    around.push(own);
  });
  const isComplete = 2 * closed.length <= rooms.length;
  around.forEach((own, i) => {
    if (isComplete || !closed.includes(i)) for (const ring of own) walls.push(ring);
  });
  return { walls, closed, isComplete, usedDoors };
}

/** Returns the length of a ring up to each of its points, and as a whole. */
function lengthsAlong(ring: ParsedRing): number[] {
  const lengths = [0];
  ring.forEach(([x, y], k) => {
    const [u, v] = ring[(k + 1) % ring.length];
    lengths.push(lengths[k] + Math.sqrt((u - x) * (u - x) + (v - y) * (v - y)));
  });
  return lengths;
}

/** Returns where a ring comes nearest to a point: the length up to there, and the distance. */
function nearestOn(
  ring: ParsedRing,
  lengths: readonly number[],
  [x, y]: ParsedPoint,
): [length: number, distance: number] {
  let best: [number, number] = [0, Infinity];
  ring.forEach(([ax, ay], k) => {
    const [bx, by] = ring[(k + 1) % ring.length];
    const [dx, dy] = [bx - ax, by - ay];
    const size = dx * dx + dy * dy;
    const share = size > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / size)) : 0;
    const [ex, ey] = [x - ax - share * dx, y - ay - share * dy];
    const distance = Math.sqrt(ex * ex + ey * ey);
    if (distance < best[1]) best = [lengths[k] + share * (lengths[k + 1] - lengths[k]), distance];
  });
  return best;
}

function gapOf(ring: ParsedRing, lengths: readonly number[], { points, width }: Door): [number, number] | undefined {
  const whole = lengths[ring.length];
  const found = points.map((point) => nearestOn(ring, lengths, point));
  if (found.some(([, distance]) => distance > DOOR_REACH)) return undefined;
  if (found.length === 1) return [found[0][0] - width / 2, found[0][0] + width / 2];
  const [a, b] = [found[0][0], found[found.length - 1][0]].sort((one, other) => one - other);
  return b - a <= whole / 2 ? [a, b] : [b, a + whole];
}

/** Returns the parts of a ring between gaps, as lines. */
function withoutGaps(ring: ParsedRing, lengths: readonly number[], gaps: readonly [number, number][]): ParsedRing[] {
  const whole = lengths[ring.length];
  if (gaps.length === 0) return [ring];
  // Moved so that the first gap begins at 0, and none but it wraps around.
  const sorted = gaps
    .map(([from, to]): [number, number] => {
      const start = ((from % whole) + whole) % whole;
      return [start, start + Math.min(to - from, whole)];
    })
    .sort((one, other) => one[0] - other[0]);
  const lines: ParsedRing[] = [];
  let end = sorted[0][1];
  // A gap that wraps around may reach beyond the beginning of the first.
  for (const [, to] of sorted) end = Math.max(end, to - whole);
  for (const [from, to] of [...sorted.slice(1), [sorted[0][0] + whole, 0] as const]) {
    if (from - end > 1e-6) lines.push(partOf(ring, lengths, end, from));
    end = Math.max(end, to);
  }
  return lines.filter((line) => line.length > 1);
}

/** Returns the part of a ring between two lengths. */
function partOf(ring: ParsedRing, lengths: readonly number[], from: number, to: number): ParsedRing {
  const whole = lengths[ring.length];
  const at = (length: number): ParsedPoint => {
    const along = ((length % whole) + whole) % whole;
    let k = 0;
    while (k + 1 < ring.length && lengths[k + 1] <= along) k++;
    const share = lengths[k + 1] > lengths[k] ? (along - lengths[k]) / (lengths[k + 1] - lengths[k]) : 0;
    const [[ax, ay], [bx, by]] = [ring[k], ring[(k + 1) % ring.length]];
    return [ax + share * (bx - ax), ay + share * (by - ay)];
  };
  const points = [at(from)];
  for (let round = Math.floor(from / whole) * whole; round < to; round += whole) {
    ring.forEach((point, k) => {
      const length = round + lengths[k];
      if (length > from + 1e-9 && length < to - 1e-9) points.push(point);
    });
  }
  points.push(at(to));
  return points.filter(([x, y], k) => k === 0 || x !== points[k - 1][0] || y !== points[k - 1][1]);
}
