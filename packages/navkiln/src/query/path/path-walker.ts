/**
 * A player: walks along the points of a path at a speed, in the plane or in space.
 *
 * In: points [x, y] or [x, y, z], then time, in slices of any length. Out, after each slice: where one is, in which direction one
 * walks, whether one has arrived. What counts is the way walked so far, kept with its rounding error, and the place is found anew
 * from it each time: however time is cut, the place after the same time is the same, corners are met exactly, and nothing drifts.
 *
 * Cost: constant a slice, and one step for each corner passed. No allocation after `createPlayer`.
 *
 * Based on: own; the sum of the way is that of Arnold Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher
 * Summen (1974).
 */

/** Points of a path, all with two numbers or all with three. */
export type PathWalkerPoints = readonly ArrayLike<number>[];

export interface PathWalker {
  /** World units a second, 0 or more. May be changed at any time. */
  speed: number;
  /** Where one is: [x, y] or [x, y, z]. Written in place. */
  position: Float64Array;
  /** In which direction one walks, or did last: of length 1, all 0 on a path without length. At a corner: onwards. */
  direction: Float64Array;
  /** One is at the last point. */
  done: boolean;
  /** Way walked so far, and of the whole path; world units. */
  distance: number;
  length: number;
  /** The point that one walks towards: 1 .. pointCount - 1, 0 on a path of one point. */
  next: number;
  pointCount: number;
  /** 2 or 3. */
  dimensions: number;
  /** `dimensions` numbers a point; arrays may be longer. */
  points: Float64Array;
  /** Way from the first point to each. */
  marks: Float64Array;
  /** What rounding has left out of `distance`. */
  rest: number;
}

/** At the first of the points (`path.points`, say). Throws a TypeError for what are no points, a RangeError for no speed. */
export function createPathWalker(points: PathWalkerPoints, speed: number): PathWalker {
  const player: PathWalker = {
    // NaN, so that the fields hold doubles from the start on.
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
  checkSpeed(player, 'createPlayer');
  setPathWalkerPoints(player, points);
  return player;
}

/** Puts the player at the first point of another path; allocates nothing when the path is no longer than those before. */
export function setPathWalkerPoints(player: PathWalker, points: PathWalkerPoints): void {
  const count = points?.length;
  if (!(count >= 1)) {
    const what = count === 0 ? 'has no points' : `is ${String(points)}`;
    throw new TypeError(
      `setPlayerPath: the path ${what}; give an array of [x, y] or [x, y, z], as path.points of a path found`,
    );
  }
  const dimensions = points[0]?.length;
  if (dimensions !== 2 && dimensions !== 3) refusePoint(points, 0);
  // All is checked before anything is changed.
  for (let i = 0; i < count; i++) {
    const point = points[i];
    if (point?.length !== dimensions) refusePoint(points, i);
    for (let k = 0; k < dimensions; k++) {
      if (typeof point[k] !== 'number' || point[k] - point[k] !== 0) refusePoint(points, i);
    }
  }
  if (player.dimensions !== dimensions) {
    player.dimensions = dimensions;
    player.position = new Float64Array(dimensions);
    player.direction = new Float64Array(dimensions);
  }
  if (player.marks.length < count || player.points.length < count * dimensions) {
    player.points = new Float64Array(count * dimensions);
    player.marks = new Float64Array(count);
  }
  for (let i = 0; i < count; i++) for (let k = 0; k < dimensions; k++) player.points[dimensions * i + k] = points[i][k];
  player.pointCount = count;
  restartPathWalker(player);
}

function refusePoint(points: PathWalkerPoints, i: number): never {
  const point: unknown = points[i];
  const isList = typeof point === 'object' && point !== null;
  const what = isList ? `[${Array.from(point as ArrayLike<number>).join(', ')}]` : String(point);
  throw new TypeError(
    `setPlayerPath: point ${i} is ${what}; give [x, y] or [x, y, z] of finite numbers, as many in each point`,
  );
}

/** Back to the first point. */
export function restartPathWalker(player: PathWalker): void {
  const { points, marks, dimensions, pointCount } = player;
  let way = 0;
  marks[0] = 0;
  for (let i = 1; i < pointCount; i++) {
    let sum = 0;
    for (let k = 0; k < dimensions; k++) {
      const d = points[dimensions * i + k] - points[dimensions * (i - 1) + k];
      sum += d * d;
    }
    way += Math.sqrt(sum);
    marks[i] = way;
  }
  if (way === Infinity)
    throw new RangeError('setPlayerPath: the path is longer than numbers can be; give nearer points');
  player.length = way;
  player.distance = 0;
  player.rest = 0;
  player.next = 0;
  player.direction.fill(0);
  place(player);
}

function checkSpeed({ speed }: PathWalker, caller: string): void {
  if (typeof speed !== 'number' || !(speed >= 0 && speed < Infinity)) {
    throw new RangeError(`${caller}: speed is ${String(speed)}; give world units a second, 0 or more`);
  }
}

/**
 * Walks for `seconds` (0 or more). Returns the seconds that were left over when the end was reached, else 0: what is left of a
 * frame can be given to what comes next. Throws a RangeError when speed or seconds are no such numbers.
 */
export function advancePathWalker(player: PathWalker, seconds: number): number {
  if (typeof seconds !== 'number' || !(seconds >= 0)) {
    throw new RangeError(`advancePlayer: seconds is ${String(seconds)}; give a number, 0 or more`);
  }
  if (!(player.speed >= 0 && player.speed < Infinity)) checkSpeed(player, 'advancePlayer');
  if (player.done) return seconds;
  const { length, speed, distance } = player;
  // 0 times Infinity: who does not move does not arrive.
  const step = speed === 0 ? 0 : speed * seconds;
  const sum = distance + step;
  // What the addition has lost.
  player.rest += distance >= step ? distance - sum + step : step - sum + distance;
  const way = sum + player.rest;
  // Also when it is more than doubles hold.
  if (!(way < length)) {
    player.distance = length;
    player.rest = 0;
    player.next = player.pointCount - 1;
    place(player);
    const left = (way - length) / speed;
    return left === left && left < seconds ? left : seconds;
  }
  player.distance = sum;
  place(player);
  return 0;
}

/** Sets position, direction and whether the end is reached, from the way walked. */
function place(player: PathWalker): void {
  const { points, marks, dimensions, pointCount, position } = player;
  const way = player.distance + player.rest;
  const last = pointCount - 1;
  player.done = way >= player.length;
  if (player.done) {
    for (let k = 0; k < dimensions; k++) position[k] = points[dimensions * last + k];
    // The last stretch that has a length.
    let i = last;
    while (i > 0 && marks[i] === marks[i - 1]) i--;
    if (i > 0) setDirection(player, i);
    player.next = last;
    return;
  }
  let next = player.next > 0 ? player.next : 1;
  // At a corner, onwards; stretches without a length are passed over.
  while (next < last && way >= marks[next]) next++;
  if (next !== player.next) {
    player.next = next;
    setDirection(player, next);
  }
  const from = dimensions * (next - 1);
  const t = (way - marks[next - 1]) / (marks[next] - marks[next - 1]);
  for (let k = 0; k < dimensions; k++) {
    const a = points[from + k];
    position[k] = a + t * (points[from + dimensions + k] - a);
  }
}

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
