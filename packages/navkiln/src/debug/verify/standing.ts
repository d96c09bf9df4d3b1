/**
 * Decides where an agent surely stands, and where it may stand.
 *
 * Distances to obstacles and to edges of the floor spread from floor to floor over sure steps, with the nearest
 * obstacle of each floor.
 *
 * In: floors, obstacles. Out: bits in `floors.state`.
 * Cost: linear in the floors near obstacles.
 * Based on: Per-Erik Danielsson, Euclidean Distance Mapping, 1980, for the idea to spread the nearest source.
 */
import { HAS_ROOM, IS_GENTLE, IS_INSIDE, IS_LOOSE, IS_MESSY, IS_SURE } from './floors.ts';
import type { Floors } from './floors.ts';
import type { Grid } from './grid.ts';
import { addObstacle, oppositeFloor } from './obstacles.ts';
import type { Obstacles } from './obstacles.ts';
import type { Setup } from './setup.ts';

/** Sets `IS_SURE` and `IS_LOOSE`. */
export function markStanding(grid: Grid, floors: Floors, obstacles: Obstacles, setup: Setup): void {
  const { state } = floors;
  const radius = setup.sureRadius / grid.spacing;
  const distanceSq = spreadDistances(grid, floors, obstacles, radius);
  for (let p = 0; p < floors.count; p++) {
    const bits = state[p];
    if ((bits & HAS_ROOM) === 0) continue;
    state[p] |= IS_LOOSE;
    const isClear = (bits & (IS_GENTLE | IS_INSIDE | IS_MESSY)) === IS_GENTLE;
    if (isClear && distanceSq[p] > radius * radius) state[p] |= IS_SURE;
  }
}

/** Returns the squared distance of each floor to the nearest obstacle within a radius, in columns; else Infinity. */
function spreadDistances({ width }: Grid, floors: Floors, obstacles: Obstacles, radius: number): Float64Array {
  const { count, column, beside, ways, state } = floors;
  const distanceSq = new Float64Array(count).fill(Infinity);
  const source = new Int32Array(count).fill(-1);
  const isQueued = new Uint8Array(count);
  let queue: number[] = [];
  const offer = (p: number, box: number): void => {
    const i = column[p] % width;
    const j = (column[p] - i) / width;
    const { bounds } = obstacles;
    const du = Math.max(0, bounds[4 * box] - i, i - bounds[4 * box + 2]);
    const dv = Math.max(0, bounds[4 * box + 1] - j, j - bounds[4 * box + 3]);
    const d = du * du + dv * dv;
    if (d >= distanceSq[p] || d > radius * radius) return;
    distanceSq[p] = d;
    source[p] = box;
    if (isQueued[p] === 1) return;
    isQueued[p] = 1;
    queue.push(p);
  };
  for (let p = 0; p < count; p++) {
    if ((state[p] & IS_GENTLE) === 0) continue;
    if (ways[p] >> 4 !== 15) {
      const i = column[p] % width;
      const j = (column[p] - i) / width;
      offer(p, addObstacle(obstacles, i, j, i, j));
    }
    const box = obstacles.box[p];
    if (box < 0) continue;
    for (const q of [p, beside[4 * p], beside[4 * p + 1], oppositeFloor(floors, p)]) offer(q, box);
  }
  while (queue.length > 0) {
    const wave = queue;
    queue = [];
    for (const p of wave) {
      isQueued[p] = 0;
      for (let d = 0; d < 4; d++) if ((ways[p] & (16 << d)) !== 0) offer(beside[4 * p + d], source[p]);
    }
  }
  return distanceSq;
}
