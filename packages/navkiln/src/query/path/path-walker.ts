/**
 * Path walkers: move along the points of a path at a constant speed, in 2D or 3D.
 *
 * A walker keeps the distance traveled together with its rounding error, and derives the position from it on
 * each call. So the position depends only on the total time, not on the lengths of the steps. The walker reaches the
 * last point exactly and does not drift.
 *
 * In: points `[x, y]` or `[x, y, z]`, then time in steps of any length.
 * Out: after each step the position, the direction, and whether the end is reached.
 * Cost: constant per call, plus one step per corner passed. No allocation after createPathWalker.
 * Based on: own; the compensated sum is that of Arnold Neumaier, Rundungsfehleranalyse einiger Verfahren zur
 *   Summation endlicher Summen, 1974.
 */
import { frameSeconds } from '../../base/data/frame-time.ts';
import { checkMutable, checkRecord, refuse, refuseType, showValue } from '../../base/data/refuse.ts';

/** Points of a path, all of two numbers or all of three. */
export type PathWalkerPoints = readonly ArrayLike<number>[];

/** State of a path walker. Callers may change `speed`; all other fields are read-only. The record is plain data and can be cloned. */
export interface PathWalker {
  /** World units per second, 0 or more. May be changed at any time. */
  speed: number;
  /** `[x, y]` or `[x, y, z]`. Updated in place. */
  position: Float64Array;
  /**
   * Unit vector of the current segment. At a corner, it is that of the next segment. Zeros on a path without length.
   * Updated in place.
   */
  direction: Float64Array;
  /** True at the last point. */
  done: boolean;
  /** Distance traveled, world units. */
  distance: number;
  /** Length of the whole path, world units. */
  length: number;
  /** Index of the point that the walker heads for: 1 .. pointCount - 1; 0 on a path of one point. */
  next: number;
  pointCount: number;
  /** 2 or 3. */
  dimensions: number;
  /** `dimensions` numbers per point; the array may be longer. */
  points: Float64Array;
  /** Distance from the first point to each point; the array may be longer. */
  marks: Float64Array;
  /** Rounding error of `distance`. */
  rest: number;
}

/**
 * Returns a walker at the first point of a path, such as `path.points`. `speed` is in world units per second,
 * 0 or more.
 *
 * Throws a TypeError if `points` is not a list of points, a RangeError for a speed out of range or a path whose length
 * overflows.
 */
export function createPathWalker(points: PathWalkerPoints, speed: number): PathWalker {
  const walker: PathWalker = {
    // NaN below, so that the engine stores the fields as doubles from the start.
    speed,
    position: new Float64Array(0),
    direction: new Float64Array(0),
    done: false,
    distance: NaN,
    length: NaN,
    next: 0,
    pointCount: 0,
    dimensions: 0,
    points: new Float64Array(0),
    marks: new Float64Array(0),
    rest: NaN,
  };
  checkSpeed(speed, 'createPathWalker');
  setPoints(walker, points, 'createPathWalker');
  return walker;
}

/**
 * Moves the walker to the first point of another path and keeps its speed. Allocates nothing if the path has
 * no more points than the longest path before. Throws as `createPathWalker` does; the walker is then unchanged.
 */
export function setPathWalkerPoints(walker: PathWalker, points: PathWalkerPoints): void {
  checkRecord('setPathWalkerPoints', 'walker', walker, 'marks', 'a PathWalker');
  checkMutable('setPathWalkerPoints', 'walker', walker);
  setPoints(walker, points, 'setPathWalkerPoints');
}

function setPoints(walker: PathWalker, points: PathWalkerPoints, caller: string): void {
  const dimensions = checkPoints(points, caller);
  const count = points.length;
  if (walker.dimensions !== dimensions) {
    walker.dimensions = dimensions;
    walker.position = new Float64Array(dimensions);
    walker.direction = new Float64Array(dimensions);
  }
  if (walker.marks.length < count || walker.points.length < count * dimensions) {
    walker.points = new Float64Array(count * dimensions);
    walker.marks = new Float64Array(count);
  }
  for (let i = 0; i < count; i++) for (let k = 0; k < dimensions; k++) walker.points[dimensions * i + k] = points[i][k];
  walker.pointCount = count;
  restartPathWalker(walker);
}

/**
 * Throws unless all points have the same 2 or 3 finite numbers and a length that does not overflow. Returns 2
 * or 3.
 */
function checkPoints(points: PathWalkerPoints, caller: string): number {
  const count = points?.length;
  if (!(count >= 1)) {
    refuseType(caller, 'points', points, 'an array of one point or more');
  }
  const dimensions = points[0]?.length;
  if (dimensions !== 2 && dimensions !== 3) refusePoint(points, 0, caller);
  let length = 0;
  for (let i = 0; i < count; i++) {
    const point = points[i];
    if (point?.length !== dimensions) refusePoint(points, i, caller);
    let sum = 0;
    for (let k = 0; k < dimensions; k++) {
      if (typeof point[k] !== 'number' || point[k] - point[k] !== 0) refusePoint(points, i, caller);
      const d = i > 0 ? point[k] - points[i - 1][k] : 0;
      sum += d * d;
    }
    length += Math.sqrt(sum);
  }
  if (length === Infinity) refuse(caller, 'the length of points', length, 'a number that doubles can hold');
  return dimensions;
}

function refusePoint(points: PathWalkerPoints, i: number, caller: string): never {
  const point: unknown = points[i];
  const value = ArrayBuffer.isView(point) ? Array.from(point as Float64Array) : point;
  throw new TypeError(
    `${caller}: points[${i}] is ${showValue(value)}; must be [x, y] or [x, y, z] of finite numbers, the same for all points`,
  );
}

/** Moves the walker back to the first point. */
export function restartPathWalker(walker: PathWalker): void {
  checkRecord('restartPathWalker', 'walker', walker, 'marks', 'a PathWalker');
  checkMutable('restartPathWalker', 'walker', walker);
  const { points, marks, dimensions, pointCount } = walker;
  let distance = 0;
  marks[0] = 0;
  for (let i = 1; i < pointCount; i++) {
    let sum = 0;
    for (let k = 0; k < dimensions; k++) {
      const d = points[dimensions * i + k] - points[dimensions * (i - 1) + k];
      sum += d * d;
    }
    distance += Math.sqrt(sum);
    marks[i] = distance;
  }
  walker.length = distance;
  walker.distance = 0;
  walker.rest = 0;
  walker.next = 0;
  walker.direction.fill(0);
  update(walker);
}

function checkSpeed(speed: number, caller: string, path: string = 'speed'): void {
  if (typeof speed !== 'number' || !(speed >= 0 && speed < Infinity)) {
    refuse(caller, path, speed, 'world units per second, a finite number >= 0');
  }
}

/**
 * Moves the walker along its path for some seconds.
 *
 * @param seconds time since the last call, 0 or more, or `Infinity`; a time between -1 and 0 counts as 0, as in
 *   `advanceCrowd`
 * @returns the seconds left over when the walker has reached the end, otherwise 0
 * @throws RangeError when `seconds` or `walker.speed` is out of range
 */
export function advancePathWalker(walker: PathWalker, seconds: number): number {
  checkRecord('advancePathWalker', 'walker', walker, 'marks', 'a PathWalker');
  checkMutable('advancePathWalker', 'walker', walker);
  const passed = seconds === Infinity ? seconds : frameSeconds('advancePathWalker', 'seconds', seconds);
  checkSpeed(walker.speed, 'advancePathWalker', 'walker.speed');
  if (walker.done) return passed;
  const { length, speed, distance } = walker;
  // At speed 0 the step is 0, even for infinite time, where the product would be NaN.
  const step = speed === 0 ? 0 : speed * passed;
  const sum = distance + step;
  // Adds the rounding error of the sum.
  walker.rest += distance >= step ? distance - sum + step : step - sum + distance;
  const traveled = sum + walker.rest;
  // The negation includes NaN, which an overflow produces.
  if (!(traveled < length)) {
    walker.distance = length;
    walker.rest = 0;
    walker.next = walker.pointCount - 1;
    update(walker);
    const left = (traveled - length) / speed;
    return left === left && left < passed ? left : passed;
  }
  walker.distance = sum;
  update(walker);
  return 0;
}

/** Sets position, direction, `next` and `done` from the distance traveled. */
function update(walker: PathWalker): void {
  const { points, marks, dimensions, pointCount, position } = walker;
  const traveled = walker.distance + walker.rest;
  const last = pointCount - 1;
  walker.done = traveled >= walker.length;
  if (walker.done) {
    for (let k = 0; k < dimensions; k++) position[k] = points[dimensions * last + k];
    // At the end, the direction is that of the last segment that has a length.
    let i = last;
    while (i > 0 && marks[i] === marks[i - 1]) i--;
    if (i > 0) setDirection(walker, i);
    walker.next = last;
    return;
  }
  let next = walker.next > 0 ? walker.next : 1;
  // At a corner, the next segment is the current one. Segments without length are skipped.
  while (next < last && traveled >= marks[next]) next++;
  if (next !== walker.next) {
    walker.next = next;
    setDirection(walker, next);
  }
  const from = dimensions * (next - 1);
  const t = (traveled - marks[next - 1]) / (marks[next] - marks[next - 1]);
  for (let k = 0; k < dimensions; k++) {
    const a = points[from + k];
    position[k] = a + t * (points[from + dimensions + k] - a);
  }
}

/** Sets the direction to that of the segment that ends at point `next`. */
function setDirection({ points, dimensions, direction }: PathWalker, next: number): void {
  const to = dimensions * next;
  let sum = 0;
  for (let k = 0; k < dimensions; k++) {
    const d = points[to + k] - points[to - dimensions + k];
    direction[k] = d;
    sum += d * d;
  }
  const length = Math.sqrt(sum);
  for (let k = 0; k < dimensions; k++) direction[k] /= length;
}
