/**
 * Measures the distance of each span to the nearest border, in two sweeps over a compact field.
 *
 * A step along an axis counts 2, a step across a corner 3. A border is a span without four neighbors of its
 * own area. Distances saturate at 0xffff.
 *
 * Open surfaces are runs of spans: each span follows the last one in its row, and so do its neighbors in the rows
 * before and after. A first pass finds the runs. Along a run, no index is looked up, three of eight neighbors are new
 * at each step, and the minimum and the border test are branch-free.
 *
 * In: CompactField and an area per span. Out: distances and runs.
 * Cost: two passes over the spans, and one to find the runs.
 * Based on: Gunilla Borgefors, Distance transformations in digital images (1986); Mikko Mononen, Recast
 *   (2009). Runs are own.
 * Tried: sweeps without runs take 1.25 to 1.4 times as long on terrain and city, and branches along runs 1.25 times
 *   as long (`npm run bench -- --only bake --stages`). See docs/notes/voxel.md.
 */
import type { Workspace } from '../../../base/data/workspace.ts';
import { BATCH } from '../batch.ts';
import { takeSlot } from '../memory.ts';
import { createRecord } from '../records.ts';
import type { CompactField } from '../types.ts';

/** Result of `sweepDistance`. */
export interface Sweep {
  /** The distance of span i at i + 1; slot 0 is that of a missing neighbor. */
  distance: Uint16Array;
  runCount: number;
  /**
   * Four per run: first span, end, and the offsets to the neighbors at -z and +z. All eight neighbors exist.
   */
  runs: Int32Array;
}

/** Shorter runs cost more than they save. */
const SHORTEST_RUN = 8;
const FARTHEST = 0xffff;

/**
 * Measures the distances of all spans.
 *
 * @param area one per span; it only matters whether it differs from a neighbor's
 */
export function sweepDistance(field: CompactField, area: Uint8Array, workspace: Workspace): Sweep {
  const { spanCount } = field;
  const distance = takeSlot(workspace, 'sweep.distance', spanCount + 1);
  distance[0] = FARTHEST;
  const runs = takeSlot(workspace, 'sweep.runs', spanCount);
  const sweep = createRecord((): Sweep => ({ distance, runCount: 0, runs }));
  // Connections must hold both ways (compact.ts), and distances along a row must stay below FARTHEST.
  if (field.walkableClimbCells < field.walkableHeightCells && field.width <= FARTHEST >> 1) {
    for (let i = 0; i < spanCount;) i = findRuns(field, sweep, i, Math.min(i + BATCH, spanCount));
  }
  const { runCount } = sweep;
  let done = 0;
  for (let r = 0; r < 4 * runCount; r += 4) {
    const begin = runs[r];
    const end = runs[r + 1];
    sweepForward(field, area, distance, done, begin);
    sweepRunForward(area, distance, begin, end, runs[r + 2], runs[r + 3]);
    done = end;
  }
  sweepForward(field, area, distance, done, spanCount);
  done = spanCount;
  for (let r = 4 * (runCount - 1); r >= 0; r -= 4) {
    const begin = runs[r];
    const end = runs[r + 1];
    sweepBack(field, distance, end, done);
    sweepRunBack(distance, begin, end, runs[r + 3]);
    done = begin;
  }
  sweepBack(field, distance, 0, done);
  return sweep;
}

/** Adds the runs that begin at spans first .. last - 1. Returns the span to go on from. Ends with its loop, see batch.ts. */
function findRuns({ neighbor }: CompactField, sweep: Sweep, first: number, last: number): number {
  const { runs } = sweep;
  let count = sweep.runCount;
  let i = first;
  for (; i < last; i++) {
    if (neighbor[4 * i + 2] !== i + 1) continue;
    let end = i;
    let north = neighbor[4 * i + 3];
    let south = neighbor[4 * i + 1];
    if ((north | south) < 0) continue;
    do {
      end++;
      north++;
      south++;
    } while (
      ((neighbor[4 * end + 3] ^ north) |
        (neighbor[4 * end + 1] ^ south) |
        (neighbor[4 * north - 2] ^ north) |
        (neighbor[4 * south - 2] ^ south)) ===
        0 &&
      neighbor[4 * end + 2] === end + 1
    );
    // The first and the last span may lack a corner.
    end--;
    if (end - i > SHORTEST_RUN) {
      runs[4 * count] = i + 1;
      runs[4 * count + 1] = end;
      runs[4 * count + 2] = north - 1 - end;
      runs[4 * count + 3] = south - 1 - end;
      count++;
    }
    i = end;
  }
  sweep.runCount = count;
  return i;
}

function sweepForward(field: CompactField, area: Uint8Array, distance: Uint16Array, begin: number, end: number): void {
  const { neighbor } = field;
  for (let i = begin; i < end; i++) {
    const a = neighbor[4 * i];
    const b = neighbor[4 * i + 1];
    const c = neighbor[4 * i + 2];
    const d = neighbor[4 * i + 3];
    let nearest = 0;
    if ((a | b | c | d) >= 0) {
      const own = area[i];
      if (((area[a] ^ own) | (area[b] ^ own) | (area[c] ^ own) | (area[d] ^ own)) === 0) {
        const west = distance[a + 1];
        const north = distance[d + 1];
        const northWest = distance[neighbor[4 * a + 3] + 1];
        const northEast = distance[neighbor[4 * d + 2] + 1];
        nearest = least(least(northWest, northEast) + 1, least(west, north)) + 2;
        if (nearest > FARTHEST) nearest = FARTHEST;
      }
    }
    distance[i + 1] = nearest;
  }
}

/**
 * Returns the lesser number without a branch: the mask of its sign removes a difference unless it is
 * negative.
 */
function least(a: number, b: number): number {
  const less = a - b;
  return (b + (less & (less >> 31))) | 0;
}

function sweepRunForward(
  area: Uint8Array,
  distance: Uint16Array,
  begin: number,
  end: number,
  toNorth: number,
  toSouth: number,
): void {
  let west = distance[begin];
  let northWest = distance[begin + toNorth];
  let north = distance[begin + toNorth + 1];
  let westArea = area[begin - 1];
  let own = area[begin];
  for (let i = begin; i < end; i++) {
    const northEast = distance[i + toNorth + 2];
    const eastArea = area[i + 1];
    const border = (westArea ^ own) | (eastArea ^ own) | (area[i + toNorth] ^ own) | (area[i + toSouth] ^ own);
    west = (least(west, least(north, least(northWest, northEast) + 1)) + 2) & ((border - 1) >> 31);
    distance[i + 1] = west;
    northWest = north;
    north = northEast;
    westArea = own;
    own = eastArea;
  }
}

function sweepBack(field: CompactField, distance: Uint16Array, begin: number, end: number): void {
  const { neighbor } = field;
  for (let i = end - 1; i >= begin; i--) {
    const own = distance[i + 1];
    if (own === 0) continue;
    const b = neighbor[4 * i + 1];
    const c = neighbor[4 * i + 2];
    const south = distance[b + 1];
    const east = distance[c + 1];
    const southEast = distance[neighbor[4 * c + 1] + 1];
    const southWest = distance[neighbor[4 * b] + 1];
    distance[i + 1] = least(least(least(southWest, southEast) + 1, least(south, east)) + 2, own);
  }
}

function sweepRunBack(distance: Uint16Array, begin: number, end: number, toSouth: number): void {
  let east = distance[end + 1];
  let southEast = distance[end + toSouth + 1];
  let south = distance[end + toSouth];
  for (let i = end - 1; i >= begin; i--) {
    const southWest = distance[i + toSouth];
    east = least(east, least(distance[i + 1] - 2, least(south, least(southWest, southEast) + 1))) + 2;
    distance[i + 1] = east;
    southEast = south;
    south = southWest;
  }
}
