/**
 * Overlays rings: returns the area that they enclose together as clean rings, outer ones counter-clockwise,
 * holes clockwise.
 *
 * All rings go into one triangulation (constrain.ts cuts them where they cross). Triangles are selected by
 * winding number, and the border of the selection is followed. No case needs special treatment: rings that
 * touch in a point, lie on each other or run back over themselves are handled like the rest. The order of
 * borders does not depend on the order of the input. At most `MAX_DEPTH` rings of a kind may cover one position.
 *
 * In: rings to unite, rings to subtract.
 * Out: clean rings.
 * Cost: that of the triangulation.
 * Based on: own.
 */
import type { PolygonBudget } from './budget.ts';
import { findWindings, triangulateRings } from './triangulate.ts';
import type { GridPoint, Rings, Triangulation } from './types.ts';

export type Paths = GridPoint[][];

/** Weight of subtracted rings: windings of both kinds of rings share one number. */
export const TAKEN = 65536;

/**
 * Returns the area in `ground` and not in `taken`: where the first winds counter-clockwise and the second
 * does not. What comes nearer than `joinCells` touches.
 */
export function subtractPaths(ground: Paths, taken: Paths, budget?: PolygonBudget, joinCells: number = 0): Paths {
  const weights = [...ground.map(() => 1), ...taken.map(() => TAKEN)];
  const mesh = triangulateRings(ringsOf([...ground, ...taken]), weights, budget, joinCells);
  return pathsOf(borderOfGround(mesh, findWindings(mesh)));
}

/** Returns the border of the area that is in the ground and in no subtracted ring, by windings. Overwrites the windings. */
export function borderOfGround(mesh: Triangulation, winding: Int32Array): Rings {
  for (let h = 0; h < winding.length; h++) {
    const low = (winding[h] << 16) >> 16;
    const high = (winding[h] - low) >> 16;
    winding[h] = low > 0 && high <= 0 ? 1 : 0;
  }
  return borderRings(mesh, winding);
}

/** Returns a ring that crosses itself as rings that do not; undefined when it does not cross itself. */
export function untangle(
  points: GridPoint[],
  fillRule: 'nonzero' | 'evenodd',
  budget?: PolygonBudget,
): { paths: Paths; crossing: GridPoint | undefined } | undefined {
  const mesh = triangulateRings(ringsOf([points]), undefined, budget);
  const winding = findWindings(mesh);
  let low = 0;
  let high = 0;
  for (let h = 0; h < winding.length; h++) {
    if (winding[h] < low) low = winding[h];
    if (winding[h] > high) high = winding[h];
  }
  // Three different windings meet where a ring crosses itself; one of them may be lost when the crossing was
  // bent.
  if (high - low <= 1 && mesh.splitCount === 0) return undefined;
  for (let h = 0; h < winding.length; h++) {
    winding[h] = (fillRule === 'evenodd' ? (winding[h] & 1) !== 0 : winding[h] !== 0) ? 1 : 0;
  }
  let last = 0;
  for (let i = 0; i < points.length; i++) last = Math.max(last, mesh.vertexOf[i]);
  const crossing = last + 1 < mesh.vertexCount ? { x: mesh.xs[last + 1], y: mesh.ys[last + 1] } : undefined;
  return { paths: pathsOf(borderRings(mesh, winding)), crossing };
}

/** Follows the border of the triangles with winding 1, which are on its left. Corners on straight lines are left out. */
export function borderRings({ xs, ys, origin, next, edgeCount }: Triangulation, inside: Int32Array): Rings {
  const seen = new Uint8Array(2 * edgeCount);
  let length = 0;
  for (let e = 0; e < edgeCount; e++) if (inside[2 * e] !== inside[2 * e + 1]) length++;
  const x = new Int32Array(length);
  const y = new Int32Array(length);
  const start = [0];
  /** Returns whether points a, b and c are on one line. */
  const isStraight = (a: number, b: number, c: number): boolean =>
    (x[b] - x[a]) * (y[c] - y[a]) === (y[b] - y[a]) * (x[c] - x[a]);
  let count = 0;
  for (let first = 0; first < 2 * edgeCount; first++) {
    if (inside[first] === 0 || inside[first ^ 1] !== 0 || seen[first] !== 0) continue;
    const from = start[start.length - 1];
    for (let h = first; seen[h] === 0;) {
      seen[h] = 1;
      x[count] = xs[origin[h]];
      y[count] = ys[origin[h]];
      if (count - from > 1 && isStraight(count - 2, count - 1, count)) {
        x[count - 1] = x[count];
        y[count - 1] = y[count];
      } else count++;
      // The next border edge around the end of this one, through the inside.
      h = next[h];
      while (inside[h ^ 1] !== 0) h = next[h ^ 1];
    }
    // The ends of the list meet.
    while (count - from > 2 && isStraight(count - 2, count - 1, from)) count--;
    while (count - from > 2 && isStraight(count - 1, from, from + 1)) {
      x.copyWithin(from, from + 1, count);
      y.copyWithin(from, from + 1, count);
      count--;
    }
    start.push(count);
  }
  return { ringCount: start.length - 1, start: Int32Array.from(start), x: x.slice(0, count), y: y.slice(0, count) };
}

/** Returns all rings of several lists. */
export function joinRings(lists: readonly Rings[]): Rings {
  const points = lists.reduce((sum, { x }) => sum + x.length, 0);
  const ringCount = lists.reduce((sum, one) => sum + one.ringCount, 0);
  const start = new Int32Array(ringCount + 1);
  const x = new Int32Array(points);
  const y = new Int32Array(points);
  let n = 0;
  let r = 0;
  for (const one of lists) {
    x.set(one.x, n);
    y.set(one.y, n);
    for (let k = 1; k <= one.ringCount; k++) start[++r] = n + one.start[k];
    n += one.x.length;
  }
  return { ringCount, start, x, y };
}

export function ringsOf(paths: Paths): Rings {
  const start = new Int32Array(paths.length + 1);
  paths.forEach((path, r) => {
    start[r + 1] = start[r] + path.length;
  });
  const x = new Int32Array(start[paths.length]);
  const y = new Int32Array(start[paths.length]);
  let n = 0;
  for (const path of paths) {
    for (const point of path) {
      x[n] = point.x;
      y[n++] = point.y;
    }
  }
  return { ringCount: paths.length, start, x, y };
}

function pathsOf({ ringCount, start, x, y }: Rings): Paths {
  return Array.from({ length: ringCount }, (_, r) =>
    Array.from({ length: start[r + 1] - start[r] }, (__, i) => ({ x: x[start[r] + i], y: y[start[r] + i] })),
  );
}
