/**
 * Compares connections: floors that sure steps join with polygons that are connected, and the reverse.
 *
 * Two floors surely have a way when a chain of sure places joins them. They surely have none when not even places
 * where an agent may stand do, over loose steps and gaps of two columns. A body thinner than a margin passes slits
 * between two lines, so that walls do not separate places for it; steps do.
 *
 * In: floors, the polygon of each. Out: shares of random pairs, and places.
 * Cost: linear in the floors.
 * Based on: own.
 */
import { createRandom, nextRandom } from '../../base/data/random.ts';
import { rootOf, unite } from '../../base/data/union-find.ts';
import { IS_INSIDE, IS_LOOSE, IS_SURE, SIDE_U, SIDE_V } from './floors.ts';
import type { Floors } from './floors.ts';
import type { Grid } from './shapes/grid.ts';
import type { Setup } from './setup.ts';

/** The sets of floors that surely have a way to each other, and of those that may have one. */
export interface Connections {
  /** The first floor of each floor's set. */
  sure: Int32Array;
  loose: Int32Array;
}

/** Finds both kinds of sets. */
export function connectFloors(grid: Grid, floors: Floors, setup: Setup): Connections {
  const { count, state, beside, ways } = floors;
  const sure = new Int32Array(count).map((_, i) => i);
  const loose = new Int32Array(count).map((_, i) => i);
  const walls = setup.agent.radius >= setup.margins.radius ? 15 : 0;
  for (let p = 0; p < count; p++) {
    for (let d = 0; d < 4; d++) {
      const q = beside[4 * p + d];
      if ((ways[p] & (16 << d)) !== 0 && (state[p] & state[q] & IS_SURE) !== 0) unite(sure, p, q);
      if (!isLoose(state[p]) || (ways[p] & walls & (1 << d)) !== 0) continue;
      if (q >= 0 && isLoose(state[q])) unite(loose, p, q);
      else leap(grid, floors, setup, loose, p, d, walls);
    }
  }
  for (let p = 0; p < count; p++) {
    sure[p] = rootOf(sure, p);
    loose[p] = rootOf(loose, p);
  }
  return { sure, loose };
}

function isLoose(state: number): boolean {
  return (state & (IS_LOOSE | IS_INSIDE)) === IS_LOOSE;
}

/** Unites a floor with floors beyond a gap of one or two columns. */
// oxlint-disable-next-line max-params -- a floor, a side, and what unites them
function leap(
  { width, depth }: Grid,
  floors: Floors,
  setup: Setup,
  loose: Int32Array,
  p: number,
  d: number,
  walls: number,
): void {
  const { start, column, y, state, ways } = floors;
  const i = column[p] % width;
  const j = (column[p] - i) / width;
  for (let n = 2; n <= 3; n++) {
    const iq = i + n * SIDE_U[d];
    const jq = j + n * SIDE_V[d];
    if (iq < 0 || jq < 0 || iq >= width || jq >= depth) return;
    const c = iq + jq * width;
    for (let q = start[c]; q < start[c + 1]; q++) {
      const isNear = Math.abs(y[q] - y[p]) <= setup.looseStep + rise(floors, p, d, n);
      if (isNear && isLoose(state[q]) && (ways[q] & walls & (1 << (d ^ 2))) === 0) unite(loose, p, q);
    }
  }
}

function rise({ riseU, riseV }: Floors, p: number, d: number, n: number): number {
  return n * Math.abs(riseU[p] * SIDE_U[d] + riseV[p] * SIDE_V[d]);
}

/** Shares of random pairs of covered sure places. */
export interface PairFindings {
  lost: number;
  invented: number;
  pairs: number;
}

/** Draws random pairs of sure places that have polygons. */
export function drawPairs(
  { sure, loose }: Connections,
  covered: Int32Array,
  partOf: (floor: number) => number,
  pairs: number,
  seed: number,
): PairFindings {
  if (covered.length < 2) return { lost: 0, invented: 0, pairs: 0 };
  const random = createRandom(seed);
  const draw = (): number => covered[Math.floor(nextRandom(random) * covered.length)];
  let lost = 0;
  let invented = 0;
  for (let n = 0; n < pairs; n++) {
    const a = draw();
    const b = draw();
    const isJoined = partOf(a) === partOf(b);
    if (!isJoined && sure[a] === sure[b]) lost++;
    if (isJoined && loose[a] !== loose[b]) invented++;
  }
  return { lost: lost / Math.max(1, pairs), invented: invented / Math.max(1, pairs), pairs };
}
