/**
 * Measures, on the triangles of a level, what lies between two points: the highest step and the widest gap without a floor.
 *
 * A line from one point to the other is followed over the floors: triangles that are flat enough, below no ceiling. It goes on with the
 * floor nearest in height.
 *
 * In: triangles near the line, and its ends. Out: the step, the gap, and the points on both of its sides.
 * Cost: linear in the triangles, for each sample of the line.
 * Based on: own.
 */
import { cosDegrees, sinDegrees } from '../../../base/math/degrees.ts';
import type { AgentShape } from '../../../mesh/types.ts';
import { distanceInPlan } from './facing.ts';
import type { Facing } from './facing.ts';

type Point = [number, number, number];

/** What lies between two points. */
export interface MeasuredGap {
  /** Height of the highest step, world units. */
  step: number;
  /** Width of the widest gap; 0: there is a floor everywhere. */
  gap: number;
  /** The middle of the gap, or of the step. */
  position: Point;
  /** The floor on both sides of the gap. */
  rims: readonly [Point, Point];
}

/** What counts as a floor. */
export interface FloorRules {
  agent: AgentShape;
  cellSize: number;
}

const SAMPLES_A_CELL = 8;
const BISECTIONS = 12;
const TURN_DEGREES = 5;
/** Lines do not reach floors that are further up or down than this number of steps. */
const MOST_STEPS = 2.2;

/** Returns what lies between two points that face each other. Undefined: no line over floors leads from one to the other. */
export function measureGap(corners: Float64Array, place: Facing, rules: FloorRules): MeasuredGap | undefined {
  const { agent, cellSize } = rules;
  // Where nothing was eroded, borders may lie over the gap.
  const [from, to] = lengthened(place, 2 * cellSize);
  const [dx, dz] = [to[0] - from[0], to[2] - from[2]];
  const length = Math.sqrt(dx * dx + dz * dz);
  if (!(length > 0)) return undefined;
  const count = Math.max(2, Math.ceil((length / cellSize) * SAMPLES_A_CELL));
  const near = trianglesNear(corners, from, to, 2 * cellSize);
  const floors = createFloors(near, rules);
  const most = MOST_STEPS * agent.maxClimb;
  const nothing: Point = [0, 0, 0];
  const found: MeasuredGap = { step: 0, gap: 0, position: nothing, rims: [nothing, nothing] };
  let last: Point | undefined;
  const between = (t: number, a: Point, b: Point): Point | undefined => {
    const [px, pz] = [a[0] + t * (b[0] - a[0]), a[2] + t * (b[2] - a[2])];
    const py = nearest(floors(px, pz), a[1], most);
    return py === undefined ? undefined : [px, py, pz];
  };
  let height = from[1];
  for (let k = 0; k <= count; k++) {
    const [x, z] = [from[0] + (k / count) * dx, from[2] + (k / count) * dz];
    const y = nearest(floors(x, z), height, most);
    if (y === undefined) continue;
    const here: Point = [x, y, z];
    if (last !== undefined) widen(found, last, here, (1.5 * length) / count, between);
    last = here;
    height = y;
  }
  if (last === undefined || Math.abs(height - to[1]) > agent.maxClimb) return undefined;
  if (found.gap > 0 && isSteep(near, found, agent)) return undefined;
  if (found.gap > 0) narrow(found, (x, z) => nearest(floors(x, z), found.position[1], most), cellSize);
  return found;
}

/** Returns the number of steps of a line over floors that are at least a quarter of the climb, and at most the climb. */
export function countSteps(corners: Float64Array, line: readonly Point[], { agent, cellSize }: FloorRules): number {
  const floors = createFloors(corners, { agent, cellSize });
  let steps = 0;
  let last: number | undefined;
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1], line[i]];
    const count = Math.ceil((distanceInPlan(a, b) / cellSize) * SAMPLES_A_CELL);
    for (let k = 0; k < count; k++) {
      const [x, y, z] = [0, 1, 2].map((axis) => a[axis] + (k / count) * (b[axis] - a[axis]));
      const height = nearest(floors(x, z), last ?? y, agent.maxClimb * 1.01);
      if (height !== undefined && last !== undefined && Math.abs(height - last) > agent.maxClimb / 4) steps++;
      last = height;
    }
  }
  return steps;
}

/** Returns the ends of a line, moved apart. */
function lengthened({ from, to }: Facing, by: number): readonly [readonly number[], readonly number[]] {
  const [dx, dz] = [to[0] - from[0], to[2] - from[2]];
  const share = by / Math.sqrt(dx * dx + dz * dz);
  return [
    [from[0] - share * dx, from[1], from[2] - share * dz],
    [to[0] + share * dx, to[1], to[2] + share * dz],
  ];
}

/** Returns whether a surface that is no floor leads over the middle of a gap. */
function isSteep(corners: Float64Array, { position, rims }: MeasuredGap, { maxClimb }: AgentShape): boolean {
  const [x, , z] = position;
  const low = Math.min(rims[0][1], rims[1][1]) - maxClimb / 2;
  const high = Math.max(rims[0][1], rims[1][1]) + maxClimb / 2;
  for (let o = 0; o < corners.length; o += 9) {
    const y = heightAt(corners, o, x, z);
    if (y !== undefined && y > low && y < high) return true;
  }
  return false;
}

/** Returns the triangles whose boxes, seen from above, are near a line. */
function trianglesNear(c: Float64Array, from: readonly number[], to: readonly number[], margin: number): Float64Array {
  const [x0, x1] = [Math.min(from[0], to[0]) - margin, Math.max(from[0], to[0]) + margin];
  const [z0, z1] = [Math.min(from[2], to[2]) - margin, Math.max(from[2], to[2]) + margin];
  const near: number[] = [];
  for (let o = 0; o < c.length; o += 9) {
    if (Math.max(c[o], c[o + 3], c[o + 6]) < x0 || Math.min(c[o], c[o + 3], c[o + 6]) > x1) continue;
    if (Math.max(c[o + 2], c[o + 5], c[o + 8]) < z0 || Math.min(c[o + 2], c[o + 5], c[o + 8]) > z1) continue;
    for (let k = o; k < o + 9; k++) near.push(c[k]);
  }
  return Float64Array.from(near);
}

/** Notes the step between two samples, and the gap if samples were left out between them. */
function widen(
  found: MeasuredGap,
  last: Point,
  here: Point,
  most: number,
  between: (t: number, a: Point, b: Point) => Point | undefined,
): void {
  const gap = distanceInPlan(last, here);
  const isGap = gap > most && gap > found.gap;
  if (isGap) Object.assign(found, { gap, rims: [last, here] });
  let [a, b] = [last, here];
  if (!(isGap || Math.abs(b[1] - a[1]) > found.step)) return;
  // The floor may slope next to a step.
  for (let n = 0; n < BISECTIONS && gap <= most; n++) {
    const middle = between(0.5, a, b);
    if (middle === undefined) break;
    if (Math.abs(middle[1] - a[1]) > Math.abs(middle[1] - b[1])) b = middle;
    else a = middle;
  }
  const step = Math.abs(b[1] - a[1]);
  if (isGap || (found.gap === 0 && step > found.step))
    found.position = [0, 1, 2].map((axis) => (a[axis] + b[axis]) / 2) as Point;
  found.step = Math.max(found.step, step);
}

/** Turns the line over a gap to where the gap is narrowest. */
function narrow(found: MeasuredGap, floor: (x: number, z: number) => number | undefined, cellSize: number): void {
  const [mx, , mz] = found.position;
  const delta = cellSize / SAMPLES_A_CELL / 4;
  const most = Math.ceil(found.gap / delta);
  const at = (distance: number, ux: number, uz: number): Point | undefined => {
    const [x, z] = [mx + distance * ux, mz + distance * uz];
    const y = floor(x, z);
    return y === undefined ? undefined : [x, y, z];
  };
  const reachOf = (ux: number, uz: number): Point | undefined => {
    for (let k = 0; k <= most; k++) {
      let rim = at(k * delta, ux, uz);
      if (rim === undefined) continue;
      let [outside, inside] = [(k - 1) * delta, k * delta];
      for (let n = 0; n < BISECTIONS; n++) {
        const middle = (outside + inside) / 2;
        const nearer = at(middle, ux, uz);
        if (nearer === undefined) outside = middle;
        else [inside, rim] = [middle, nearer];
      }
      return rim;
    }
    return undefined;
  };
  for (let degrees = 0; degrees < 180; degrees += TURN_DEGREES) {
    const [ux, uz] = [cosDegrees(degrees), sinDegrees(degrees)];
    const [p, q] = [reachOf(ux, uz), reachOf(-ux, -uz)];
    if (p === undefined || q === undefined) continue;
    const gap = distanceInPlan(p, q);
    if (gap < found.gap) Object.assign(found, { gap, rims: [p, q] });
  }
}

function nearest(heights: readonly number[], height: number, most: number): number | undefined {
  let best: number | undefined;
  for (const y of heights)
    if (Math.abs(y - height) <= most && (best === undefined || Math.abs(y - height) < Math.abs(best - height)))
      best = y;
  return best;
}

/** Returns a function: the heights of the floors at x, z. */
function createFloors(c: Float64Array, { agent }: FloorRules): (x: number, z: number) => number[] {
  const leastUp = cosDegrees(agent.maxSlopeDegrees) - 1e-6;
  const count = c.length / 9;
  const up = new Float64Array(count);
  for (let t = 0, o = 0; t < count; t++, o += 9) {
    const [ux, uy, uz] = [c[o + 3] - c[o], c[o + 4] - c[o + 1], c[o + 5] - c[o + 2]];
    const [vx, vy, vz] = [c[o + 6] - c[o], c[o + 7] - c[o + 1], c[o + 8] - c[o + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    up[t] = ny / Math.sqrt(nx * nx + ny * ny + nz * nz);
  }
  // Surfaces that coincide are no ceilings.
  const least = 0.01 * agent.height;
  return (x, z) => {
    const floors: number[] = [];
    const all: number[] = [];
    for (let t = 0, o = 0; t < count; t++, o += 9) {
      const y = heightAt(c, o, x, z);
      if (y === undefined) continue;
      all.push(y);
      if (up[t] >= leastUp) floors.push(y);
    }
    return floors.filter((y) => !all.some((other) => other > y + least && other < y + 0.95 * agent.height));
  };
}

/** Returns the height of a triangle at x, z; undefined: it does not lie there. */
function heightAt(c: Float64Array, o: number, x: number, z: number): number | undefined {
  const ab = (c[o + 3] - c[o]) * (z - c[o + 2]) - (c[o + 5] - c[o + 2]) * (x - c[o]);
  const bc = (c[o + 6] - c[o + 3]) * (z - c[o + 5]) - (c[o + 8] - c[o + 5]) * (x - c[o + 3]);
  const ca = (c[o] - c[o + 6]) * (z - c[o + 8]) - (c[o + 2] - c[o + 8]) * (x - c[o + 6]);
  const sum = ab + bc + ca;
  if (sum === 0 || !((ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0))) return undefined;
  return (c[o + 1] * bc + c[o + 4] * ca + c[o + 7] * ab) / sum;
}
