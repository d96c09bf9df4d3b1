/**
 * Pairs of agents that may overlap within the next ticks, kept from tick to tick.
 *
 * A pair is listed when the two agents could touch after both have moved by half of `slack`. The list is rebuilt when
 * an agent has moved farther than that, has another radius, or is new on the mesh. The slack covers some ticks of the
 * fastest agent, so that most ticks only read the list. It includes agents on different floors and agents that do not
 * give way to each other.
 *
 * In: planned positions, radii and states of agents on the mesh.
 * Out: `NearPairs`. The pairs that a tick finds do not depend on when the list was built. They are in the order of
 * slots.
 * Cost: a comparison per agent; in some ticks a grid of all agents. No allocation once the list has grown.
 * Based on: own; lists with a slack are known from molecular dynamics (Loup Verlet, Computer "Experiments" on Classical
 * Fluids, 1967).
 */
import {
  blockRuns,
  cellOf,
  cellsWithin,
  createPointGrid,
  indexPoints,
  limitCells,
  reserveGrid,
  runsEnd,
} from '../nearby/grid.ts';
import type { PointGrid } from '../nearby/grid.ts';
import type { Crowd } from '../state/types.ts';

/** Ticks of the fastest agent that the slack covers. A higher value makes longer lists. */
const SLACK_TICKS = 6;
/** Smallest and largest slack, in mean radii. */
const LEAST_SLACK = 0.1;
const MOST_SLACK = 1.5;

/** The list of a crowd. */
export interface NearPairs {
  /** Per slot: index in `others` of its first pair. The next entry is where its pairs end. */
  start: Int32Array;
  /**
   * The other slots of pairs, ascending for each slot. They have a smaller radius, or the same radius and a lower slot.
   */
  others: Int32Array;
  /** For each of `others`: the sum of both radii. */
  apart: Float64Array;
  /** xz per slot: position of the agent when the list was built; NaN: it was not on the mesh. */
  madeAt: Float64Array;
  /** Per slot: radius of the agent when the list was built. */
  madeRadius: Float64Array;
  /** Squared distance that an agent may move before the list is rebuilt, at index 0; -1: there is no list. */
  movedSq: Float64Array;
}

const known = new WeakMap<Crowd, NearPairs>();

/**
 * The slack, and the reach that the caller gives, while a list is built. An array, because V8 may allocate numbers
 * passed between functions.
 */
const limits = new Float64Array(2);
/** Scratch that is shared by all crowds. */
const grid: PointGrid = createPointGrid();

/** Returns the list of a crowd, which may be out of date. */
export function nearPairsOf(crowd: Crowd): NearPairs {
  const near = known.get(crowd);
  if (near !== undefined && near.madeRadius.length >= crowd.maxAgents) return near;
  const made: NearPairs = {
    start: new Int32Array(crowd.maxAgents + 1),
    others: new Int32Array(4 * crowd.maxAgents),
    apart: new Float64Array(4 * crowd.maxAgents),
    madeAt: new Float64Array(2 * crowd.maxAgents).fill(NaN),
    madeRadius: new Float64Array(crowd.maxAgents),
    movedSq: Float64Array.of(-1),
  };
  known.set(crowd, made);
  return made;
}

/**
 * Builds the list of a crowd. The first `count` of `slots` are the agents on the mesh, ascending; `planned` has xz per
 * slot. Two agents are a pair in a tick when they are nearer than `reach` times the sum of their radii.
 */
export function makeNearPairs(
  crowd: Crowd,
  slots: Int32Array,
  count: number,
  planned: Float64Array,
  reach: number,
): void {
  const near = nearPairsOf(crowd);
  const { radius, previous } = crowd.agents;
  const { slotCount } = crowd;
  reserveGrid(grid, crowd.maxAgents);
  let smallest = Infinity;
  let sum = 0;
  let farthestSq = 0;
  for (let k = 0; k < count; k++) {
    const slot = slots[k];
    grid.slots[k] = slot;
    sum += radius[slot];
    if (radius[slot] < smallest) smallest = radius[slot];
    const dx = planned[2 * slot] - previous[3 * slot];
    const dz = planned[2 * slot + 1] - previous[3 * slot + 2];
    const movedSq = dx * dx + dz * dz;
    if (movedSq > farthestSq) farthestSq = movedSq;
  }
  const mean = sum / count;
  const slack = Math.min(Math.max(2 * SLACK_TICKS * Math.sqrt(farthestSq), LEAST_SLACK * mean), MOST_SLACK * mean);
  near.movedSq[0] = (slack * slack) / 4;
  limits[0] = slack;
  limits[1] = reach;
  limitCells(grid, smallest, 4 * mean);
  indexPoints(grid, planned, 2, count);
  near.madeAt.fill(NaN);
  const { start, madeAt, madeRadius } = near;
  let total = 0;
  let next = 0;
  for (let k = 0; k < count; k++) {
    const slot = slots[k];
    madeAt[2 * slot] = planned[2 * slot];
    madeAt[2 * slot + 1] = planned[2 * slot + 1];
    madeRadius[slot] = radius[slot];
    // Slots that are not on the mesh have no pairs.
    while (next <= slot) start[next++] = total;
    total = listAround(near, radius, slot, total);
  }
  while (next <= slotCount) start[next++] = total;
}

/** Appends the pairs of a slot to a list of `from` pairs. Returns the new number of pairs. */
function listAround(near: NearPairs, radius: Float64Array, slot: number, from: number): number {
  const { slot: slotOf, xz, runs } = grid;
  const mine = radius[slot];
  const slack = limits[0];
  const reach = limits[1];
  const far = 2 * mine * reach + slack;
  const x = near.madeAt[2 * slot];
  const z = near.madeAt[2 * slot + 1];
  let end = from;
  const last = runsEnd(blockRuns(runs, grid, cellOf(grid, x), cellOf(grid, z), -1, cellsWithin(grid, far)));
  for (let n = 0; n < last; n += 2) {
    const to = runs[n + 1];
    for (let j = runs[n]; j < to; j++) {
      const dx = xz[2 * j] - x;
      const dz = xz[2 * j + 1] - z;
      const distanceSq = dx * dx + dz * dz;
      if (distanceSq >= far * far) continue;
      const other = slotOf[j];
      const theirs = radius[other];
      if (theirs > mine || (theirs === mine && other >= slot) || other === slot) continue;
      const close = (mine + theirs) * reach;
      if (distanceSq >= (close + slack) * (close + slack)) continue;
      if (end === near.others.length) grow(near);
      const { others, apart } = near;
      let at = end;
      while (at > from && others[at - 1] > other) at--;
      // A block may list an entry twice.
      if (at > from && others[at - 1] === other) continue;
      for (let m = end; m > at; m--) {
        others[m] = others[m - 1];
        apart[m] = apart[m - 1];
      }
      others[at] = other;
      apart[at] = mine + theirs;
      end++;
    }
  }
  return end;
}

function grow(near: NearPairs): void {
  const others = new Int32Array(2 * near.others.length);
  others.set(near.others);
  near.others = others;
  const apart = new Float64Array(2 * near.apart.length);
  apart.set(near.apart);
  near.apart = apart;
}
