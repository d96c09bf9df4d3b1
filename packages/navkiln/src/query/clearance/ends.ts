/**
 * Keeps the first and the last line of a path away from corners that the search does not test.
 *
 * Between two turns, a tight path is never too near to walls behind the triangles that it crosses: to come near such a wall, it would have to
 * bend towards it. This does not hold next to the ends, which may be anywhere. There, a corner behind an edge may be nearer than the radius;
 * the path then also turns around that corner.
 *
 * In: the ends of a path, and the corners around which it turns.
 * Out: the path with more corners; its lines and its length.
 * Cost: linear in the triangles within the radius of the first and the last line.
 * Based on: own; Marcelo Kallmann, 2014, tests both ends for blocking corners and rejects their edges.
 */
import { triangleAt } from './locate.ts';
import { cornerNear } from './near.ts';
import type { Line } from './near.ts';
import type { SearchEnds } from './search-memory.ts';
import { distanceOf, setTangent, turnBetween } from './tangent.ts';
import type { Clearance } from './types.ts';

/** A path around corners: line i leads from turn i - 1 to turn i, the first from the start, the last to the goal. */
export interface ClearLine {
  corner: number[];
  /** Direction of each turn: 1 left around the corner, -1 right. */
  side: number[];
  /** For each line: its start, its end, and its direction. Stride 6. */
  lines: number[];
  /** Angle of each turn, radians. */
  turns: number[];
  /** Length of the path, in cells. */
  length: number;
}

/** Largest number of corners to add. */
const MAX_ADDED = 24;
/** Turns below this angle, in radians, are left out. */
const LEAST_TURN = 1e-9;
/** Corners with larger turns, in radians, are on the wrong side of the path: around no corner does a shortest path turn by more than pi. */
const MOST_TURN = 3.141593;
/** A path may come nearer to a corner by this share of the radius. */
export const NEAR_SLACK = 1e-10;

const direction = new Float64Array(2);

/** Computes the lines and turns of a path. */
export function layLine(clearance: Clearance, ends: SearchEnds, corner: number[], side: number[]): ClearLine {
  const { xs, vs } = clearance;
  const { radius } = ends;
  const lines: number[] = [];
  const turns: number[] = [];
  let length = 0;
  let ax = ends.startX;
  let av = ends.startV;
  let am = 0;
  let worst = -1;
  for (let i = 0; i <= corner.length; i++) {
    const isLast = i === corner.length;
    const bx = isLast ? ends.goalX : xs[corner[i]];
    const bv = isLast ? ends.goalV : vs[corner[i]];
    const bm = isLast ? 0 : side[i] * radius;
    setTangent(direction, ax, av, am, bx, bv, bm);
    const dx = direction[0];
    const dv = direction[1];
    if (i > 0) {
      const turn = turnBetween(lines[6 * i - 2], lines[6 * i - 1], dx, dv, side[i - 1]);
      if (turn < LEAST_TURN) return layLine(clearance, ends, without(corner, i - 1), without(side, i - 1));
      if (turn > MOST_TURN && (worst < 0 || turn > turns[worst])) worst = i - 1;
      turns.push(turn);
      length += turn * radius;
    }
    const x0 = ax + am * dv;
    const v0 = av - am * dx;
    const x1 = bx + bm * dv;
    const v1 = bv - bm * dx;
    lines.push(x0, v0, x1, v1, dx, dv);
    length += distanceOf(x0, v0, x1, v1);
    ax = bx;
    av = bv;
    am = bm;
  }
  // If the path passes two corners in the wrong order, both turns are too large.
  if (worst >= 0) return layLine(clearance, ends, without(corner, worst), without(side, worst));
  return { corner, side, lines, turns, length };
}

function without(list: number[], at: number): number[] {
  return [...list.slice(0, at), ...list.slice(at + 1)];
}

/** Adds turns around corners that block the first or the last line of a path. Returns undefined if more than `MAX_ADDED` are needed. */
export function clearEnds(clearance: Clearance, ends: SearchEnds, path: ClearLine): ClearLine | undefined {
  const { xs, vs } = clearance;
  const reach = ends.radius * (1 - NEAR_SLACK);
  let { corner, side } = path;
  let made = path;
  /** Number of lines to check, from each end of the path. */
  let head = 1;
  let tail = 1;
  for (let added = 0; ; added++) {
    const count = corner.length + 1;
    let at = -1;
    let near = -1;
    for (let i = 0; i < count && near === -1; i++) {
      if (i >= head && i < count - tail) continue;
      const k = 6 * i;
      const line: Line = [made.lines[k], made.lines[k + 1], made.lines[k + 2], made.lines[k + 3]];
      // The flood starts at the end of the line whose triangle is known.
      const isLast = i === count - 1;
      const from: Line = isLast ? [line[2], line[3], line[0], line[1]] : line;
      const triangle =
        i === 0 ? ends.startTriangle : isLast ? ends.goalTriangle : triangleAt(clearance, line[0], line[1]);
      if (triangle < 0) return undefined;
      near = cornerNear(clearance, triangle, i === 0 ? line : from, reach, [corner[i - 1] ?? -1, corner[i] ?? -1]);
      at = i;
    }
    if (near === -1) return made;
    if (near === -2 || added === MAX_ADDED) return undefined;
    const k = 6 * at;
    const left = made.lines[k + 4] * (vs[near] - made.lines[k + 1]) - made.lines[k + 5] * (xs[near] - made.lines[k]);
    corner = [...corner.slice(0, at), near, ...corner.slice(at)];
    side = [...side.slice(0, at), left > 0 ? 1 : -1, ...side.slice(at)];
    if (at < head) head++;
    if (at >= count - tail) tail++;
    made = layLine(clearance, ends, corner, side);
    if (made.corner.length < corner.length) {
      ({ corner, side } = made);
      head = tail = corner.length + 1;
    }
  }
}
