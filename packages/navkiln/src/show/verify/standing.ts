/**
 * Decides where an agent surely stands, and where it may stand.
 *
 * Distances to obstacles spread from floor to floor, with the nearest obstacle of each floor. An agent surely stands
 * where its body with a margin touches nothing, and no edge of the floor is as near. It may stand where its axis is
 * free, unless a triangle surely reaches into a body that is two margins smaller.
 *
 * In: floors, obstacles. Out: bits in `floors.state`.
 * Cost: linear in the floors near obstacles.
 * Based on: Per-Erik Danielsson, Euclidean Distance Mapping, 1980, for the idea to spread the nearest source.
 */
import { HAS_ROOM, IS_GENTLE, IS_INSIDE, IS_LOOSE, IS_MESSY, IS_SURE, SIDE_U, SIDE_V } from './floors.ts';
import type { Floors } from './floors.ts';
import type { Grid } from './shapes/grid.ts';
import { addObstacle, oppositeFloor } from './obstacles.ts';
import type { Obstacles } from './obstacles.ts';
import type { Setup } from './setup.ts';

/** Sets `IS_SURE` and `IS_LOOSE`. */
export function markStanding(grid: Grid, floors: Floors, obstacles: Obstacles, setup: Setup): void {
  const { state } = floors;
  const near = spreadDistances(grid, floors, obstacles, setup.sureRadius / grid.spacing);
  const touched = spreadCuts(grid, floors, setup.looseRadius / grid.spacing);
  for (let p = 0; p < floors.count; p++) {
    const bits = state[p];
    if ((bits & HAS_ROOM) === 0) continue;
    if (touched[p] === Infinity) state[p] |= IS_LOOSE;
    const isClear = (bits & (IS_GENTLE | IS_INSIDE | IS_MESSY)) === IS_GENTLE;
    if (isClear && near[p] === Infinity) state[p] |= IS_SURE;
  }
}

/** Squared distances below a radius that spread over floors; elsewhere Infinity. */
interface Spread {
  distanceSq: Float64Array;
  /** The obstacle at that distance. */
  source: Int32Array;
  isQueued: Uint8Array;
  queue: number[];
}

function startSpread(count: number): Spread {
  return {
    distanceSq: new Float64Array(count).fill(Infinity),
    source: new Int32Array(count).fill(-1),
    isQueued: new Uint8Array(count),
    queue: [],
  };
}

/** Notes an obstacle of a floor when it is the nearest so far. */
function offer({ distanceSq, source, isQueued, queue }: Spread, p: number, obstacle: number, d: number): void {
  if (d >= distanceSq[p]) return;
  distanceSq[p] = d;
  source[p] = obstacle;
  if (isQueued[p] === 1) return;
  isQueued[p] = 1;
  queue.push(p);
}

/** Spreads obstacles over sure steps, or else over all ways that are not cut. */
function flow(
  spread: Spread,
  { beside, ways }: Floors,
  measure: (p: number, obstacle: number) => number,
  sure: boolean,
): void {
  while (spread.queue.length > 0) {
    const wave = spread.queue;
    spread.queue = [];
    for (const p of wave) {
      spread.isQueued[p] = 0;
      for (let d = 0; d < 4; d++) {
        const q = beside[4 * p + d];
        const isOpen = sure ? (ways[p] & (16 << d)) !== 0 : q >= 0 && (ways[p] & (1 << d)) === 0;
        if (isOpen) offer(spread, q, spread.source[p], measure(q, spread.source[p]));
      }
    }
  }
}

/** Returns the squared distances to obstacles and edges of the floor within a radius, in columns. */
function spreadDistances({ width }: Grid, floors: Floors, obstacles: Obstacles, radius: number): Float64Array {
  const { count, column, beside, ways, state } = floors;
  const spread = startSpread(count);
  const measure = (p: number, box: number): number => {
    const i = column[p] % width;
    const j = (column[p] - i) / width;
    const { bounds } = obstacles;
    const du = Math.max(0, bounds[4 * box] - i, i - bounds[4 * box + 2]);
    const dv = Math.max(0, bounds[4 * box + 1] - j, j - bounds[4 * box + 3]);
    const d = du * du + dv * dv;
    return d <= radius * radius ? d : Infinity;
  };
  for (let p = 0; p < count; p++) {
    if ((state[p] & IS_GENTLE) === 0) continue;
    if (ways[p] >> 4 !== 15) {
      const i = column[p] % width;
      const j = (column[p] - i) / width;
      offer(spread, p, addObstacle(obstacles, i, j, i, j), 0);
    }
    const box = obstacles.box[p];
    if (box < 0) continue;
    const right = beside[4 * p];
    const front = beside[4 * p + 1];
    for (const q of [p, right, front, oppositeFloor(floors, p)]) offer(spread, q, box, measure(q, box));
  }
  flow(spread, floors, measure, true);
  return spread.distanceSq;
}

/**
 * Returns the squared distances to the far ends of ways that are surely cut, below a radius in columns: a triangle is
 * nearer than that. Distances are below the radius, or Infinity.
 */
function spreadCuts({ width }: Grid, floors: Floors, radius: number): Float64Array {
  const { count, column, ways } = floors;
  const spread = startSpread(radius > 1 ? count : 0);
  if (radius <= 1) return new Float64Array(count).fill(Infinity);
  const measure = (p: number, cut: number): number => {
    const from = column[cut >> 2];
    const d = cut & 3;
    const du = (column[p] % width) - (from % width);
    const dv = Math.floor(column[p] / width) - Math.floor(from / width);
    const near = du * du + dv * dv;
    const far = (du - SIDE_U[d]) * (du - SIDE_U[d]) + (dv - SIDE_V[d]) * (dv - SIDE_V[d]);
    return Math.max(near, far) < radius * radius ? Math.max(near, far) : Infinity;
  };
  for (let p = 0; p < count; p++) {
    for (let d = 0; d < 4; d++) if ((ways[p] & (1 << d)) !== 0) offer(spread, p, 4 * p + d, measure(p, 4 * p + d));
  }
  flow(spread, floors, measure, false);
  return spread.distanceSq;
}
