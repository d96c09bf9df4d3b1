/**
 * The floors of a level: the points where a column cuts a triangle that an agent may stand on, each joined with the
 * nearest floor of the four columns beside it.
 *
 * A floor below another one within a step is no place to stand: a body stands on the upper one. The step between two
 * floors is measured from the plane of either triangle, so that a ramp has none.
 *
 * In: triangles, their cuts. Out: `Floors`.
 * Cost: linear in the cuts.
 * Based on: own.
 */
import type { Cuts, Grid } from './shapes/grid.ts';
import { ENTERS, GENTLE, LEAVES, LOOSE, UP } from './level.ts';
import type { Triangles } from './level.ts';
import type { Setup } from './setup.ts';

/** Bits of `Floors.state`: of a gentle triangle; free up to the agent's height; inside a solid; something low lies on it. */
export const IS_GENTLE = 1;
export const HAS_ROOM = 2;
export const IS_INSIDE = 4;
export const IS_MESSY = 8;
/** Set by later stages: an agent surely stands here; an agent may stand here. */
export const IS_SURE = 16;
export const IS_LOOSE = 32;

/** Sides: +u, +v, -u, -v. The opposite of side d is d ^ 2. */
export const SIDE_U: readonly number[] = [1, 0, -1, 0];
export const SIDE_V: readonly number[] = [0, 1, 0, -1];

/** Floors in the order of columns, from the bottom up. */
export interface Floors {
  count: number;
  /** First floor of each column; width * depth + 1 entries. */
  start: Int32Array;
  column: Int32Array;
  y: Float64Array;
  /** Rise of the triangle per column in u and v. */
  riseU: Float32Array;
  riseV: Float32Array;
  state: Uint8Array;
  /** Four per floor: the floor on each side that is nearest in height, within a loose step; -1: none. */
  beside: Int32Array;
  /** Bit d: the way to side d is surely cut by a triangle. Bit d + 4: the step to that side is a sure one. */
  ways: Uint8Array;
}

/** Finds the floors, and their neighbors. */
export function findFloors(grid: Grid, triangles: Triangles, cuts: Cuts, setup: Setup): Floors {
  const columns = grid.width * grid.depth;
  const { start, item } = cuts;
  let most = 0;
  for (let k = 0; k < item.length; k++) if ((triangles.kind[item[k]] & LOOSE) !== 0) most++;
  const floors: Floors = {
    count: 0,
    start: new Int32Array(columns + 1),
    column: new Int32Array(most),
    y: new Float64Array(most),
    riseU: new Float32Array(most),
    riseV: new Float32Array(most),
    state: new Uint8Array(most),
    beside: new Int32Array(4 * most).fill(-1),
    ways: new Uint8Array(most),
  };
  for (let c = 0; c < columns; c++) {
    floors.start[c] = floors.count;
    for (let k = start[c]; k < start[c + 1]; k++) {
      if ((triangles.kind[item[k]] & LOOSE) === 0) continue;
      const state = stateOf(triangles, cuts, k, start[c + 1], setup);
      if (state >= 0) addFloor(floors, triangles, cuts, k, c, state);
    }
  }
  floors.start[columns] = floors.count;
  joinFloors(floors, grid, setup);
  return floors;
}

/** Returns the state of the floor at cut k, or -1 when a floor above covers it. */
function stateOf({ kind, bottom }: Triangles, { y, item }: Cuts, k: number, end: number, setup: Setup): number {
  const { agent, cellHeight, margins } = setup;
  const base = y[k];
  const same = cellHeight / 100;
  const body = base + Math.max(agent.maxClimb / 2, same);
  let state = (kind[item[k]] & GENTLE) !== 0 ? IS_GENTLE : 0;
  let room = Infinity;
  let winding = 0;
  for (let m = k + 1; m < end; m++) {
    const bits = kind[item[m]];
    const rise = y[m] - base;
    if ((bits & LOOSE) !== 0 && rise <= Math.max(agent.maxClimb, same)) return -1;
    if (rise > same && rise <= agent.maxClimb) state |= IS_MESSY;
    if (rise > Math.max(agent.maxClimb, same) && rise < room) room = rise;
    if (y[m] > body && bottom[item[m]] <= body) winding += (bits & LEAVES) !== 0 ? 1 : (bits & ENTERS) !== 0 ? -1 : 0;
    if ((bits & UP) === 0 && rise <= same) continue;
  }
  if (room >= agent.height - margins.height) state |= HAS_ROOM;
  if (winding > 0) state |= IS_INSIDE;
  return state;
}

function addFloor(floors: Floors, { corners }: Triangles, cuts: Cuts, k: number, column: number, state: number): void {
  const o = 9 * cuts.item[k];
  const bu = corners[o + 3] - corners[o];
  const by = corners[o + 4] - corners[o + 1];
  const bv = corners[o + 5] - corners[o + 2];
  const cu = corners[o + 6] - corners[o];
  const cy = corners[o + 7] - corners[o + 1];
  const cv = corners[o + 8] - corners[o + 2];
  const det = bu * cv - cu * bv;
  const n = floors.count++;
  floors.column[n] = column;
  floors.y[n] = cuts.y[k];
  floors.riseU[n] = (by * cv - cy * bv) / det;
  floors.riseV[n] = (bu * cy - cu * by) / det;
  floors.state[n] = state;
}

/** Returns the step from floor p to floor q on side d. */
export function stepOf({ y, riseU, riseV }: Floors, p: number, q: number, d: number): number {
  const rise = y[q] - y[p];
  const ahead = riseU[p] * SIDE_U[d] + riseV[p] * SIDE_V[d];
  const behind = riseU[q] * SIDE_U[d] + riseV[q] * SIDE_V[d];
  return Math.min(Math.abs(rise), Math.abs(rise - ahead), Math.abs(rise - behind));
}

/** Joins each floor with the nearest one on each side; one that a body can stand on comes before one inside of a solid. */
function joinFloors(floors: Floors, { width, depth }: Grid, setup: Setup): void {
  const { start, column, beside, ways, state } = floors;
  for (let p = 0; p < floors.count; p++) {
    const i = column[p] % width;
    const j = (column[p] - i) / width;
    for (let d = 0; d < 4; d++) {
      const iq = i + SIDE_U[d];
      const jq = j + SIDE_V[d];
      if (iq < 0 || jq < 0 || iq >= width || jq >= depth) continue;
      const c = iq + jq * width;
      let best = Infinity;
      for (let q = start[c]; q < start[c + 1]; q++) {
        const step = stepOf(floors, p, q, d);
        const isFree = (state[q] & (HAS_ROOM | IS_INSIDE)) === HAS_ROOM;
        const order = isFree ? step : step + setup.looseStep;
        if (step > setup.looseStep || order > best) continue;
        best = order;
        beside[4 * p + d] = q;
      }
    }
  }
  // A sure step is one between two gentle floors that are each other's nearest.
  for (let p = 0; p < floors.count; p++) {
    if ((state[p] & IS_GENTLE) === 0) continue;
    for (let d = 0; d < 4; d++) {
      const q = beside[4 * p + d];
      if (q < 0 || (state[q] & IS_GENTLE) === 0 || beside[4 * q + (d ^ 2)] !== p) continue;
      if (stepOf(floors, p, q, d) <= setup.sureStep + 1e-9) ways[p] |= 16 << d;
    }
  }
}
