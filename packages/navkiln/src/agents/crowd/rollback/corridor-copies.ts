/**
 * Copies of the corridors of a crowd. Snapshots share the copy of a corridor while its polygons stay the same: an agent that walks
 * changes only its position in most ticks.
 *
 * In: corridors, whose `version` tells that their polygons, crossings or lengths have changed.
 * Out: copies and the numbers that change in each tick, or the corridors as they were.
 * Cost: ten numbers per corridor, and 24 bytes per polygon of those that have changed. No allocation when warm.
 * Based on: own.
 * Tried: copying all corridors in each capture took three times as long as all columns of the agents (bench `rollback`).
 */
import type { CorridorOutcome } from '../../../query/path/corridor.ts';
import { copyCorridor } from '../../corridor/corridor.ts';
import { createPathCorridor } from '../../corridor/types.ts';
import type { PathCorridor } from '../../corridor/types.ts';
import type { Crowd } from '../state/types.ts';

/** A copy of a corridor, and how many snapshots have it. */
interface CorridorCopy {
  copy: PathCorridor;
  /** The corridor's column `left` and its version, while it is equal to the copy. */
  left: Float64Array;
  version: number;
  useCount: number;
}

/** The corridors of a snapshot. */
export interface CorridorCopies {
  /** One per slot. */
  copies: CorridorCopy[];
  /** One row per slot. */
  numbers: Float64Array;
  outcomes: CorridorOutcome[];
}

/** The copies of a crowd. */
interface Pool {
  /** For each slot: its last copy. */
  latest: (CorridorCopy | undefined)[];
  free: CorridorCopy[];
}

const pools = /* @__PURE__ */ new WeakMap<Crowd, Pool>();

// Layout of a row of `numbers`: position and target (xyz each), then:
const TARGET = 3;
const COST = 6;
const COUNT = 7;
const VISITED = 8;
const REVISION = 9;
const STRIDE = 10;

/** Creates copies of no corridors. */
export function createCorridorCopies(): CorridorCopies {
  return { copies: [], numbers: new Float64Array(0), outcomes: [] };
}

/** Copies the corridors of all slots that were ever used. */
export function copyCorridors(out: CorridorCopies, crowd: Crowd): void {
  const pool = poolOf(crowd);
  const { corridors, slotCount } = crowd;
  const { copies, outcomes } = out;
  if (out.numbers.length < STRIDE * slotCount) out.numbers = new Float64Array(2 * STRIDE * slotCount);
  const { numbers } = out;
  for (let slot = 0; slot < slotCount; slot++) {
    const c = corridors[slot];
    const copy = copyOf(pool, c, slot);
    const before = copies[slot];
    if (before !== copy) {
      if (before !== undefined) release(pool, before);
      copy.useCount++;
      copies[slot] = copy;
    }
    const { corridor, position, target } = c;
    const at = STRIDE * slot;
    for (let k = 0; k < 3; k++) {
      numbers[at + k] = position[k];
      numbers[at + TARGET + k] = target[k];
    }
    numbers[at + COST] = corridor.cost;
    numbers[at + COUNT] = corridor.count;
    numbers[at + VISITED] = corridor.visitedCount;
    numbers[at + REVISION] = c.revision;
    outcomes[slot] = corridor.outcome;
  }
  for (let slot = slotCount; slot < copies.length; slot++) release(pool, copies[slot]);
  copies.length = slotCount;
}

/**
 * Restores the corridors of a snapshot. Those of the revision `before` get `now`, those of `last`, which the crowd had followed, the
 * one before it, and all others an older one.
 */
export function restoreCorridors(crowd: Crowd, from: CorridorCopies, last: number, before: number, now: number): void {
  const pool = poolOf(crowd);
  const { corridors } = crowd;
  const { copies, numbers, outcomes } = from;
  for (let slot = 0; slot < copies.length; slot++) {
    const c = (corridors[slot] ??= createPathCorridor());
    const copy = copies[slot];
    if (copy.left !== c.left || copy.version !== c.version) take(pool, c, copy, slot);
    const { corridor, position, target } = c;
    const at = STRIDE * slot;
    for (let k = 0; k < 3; k++) {
      position[k] = numbers[at + k];
      target[k] = numbers[at + TARGET + k];
    }
    corridor.cost = numbers[at + COST];
    corridor.count = numbers[at + COUNT] | 0;
    corridor.visitedCount = numbers[at + VISITED] | 0;
    corridor.outcome = outcomes[slot];
    const revision = numbers[at + REVISION] | 0;
    c.revision = before === now ? revision : revision === before ? now : revision === last ? now - 1 : now - 2;
  }
}

function poolOf(crowd: Crowd): Pool {
  let pool = pools.get(crowd);
  if (pool === undefined) pools.set(crowd, (pool = { latest: [], free: [] }));
  return pool;
}

/** Returns the last copy of a corridor, or a new one if the corridor has changed. */
function copyOf(pool: Pool, c: PathCorridor, slot: number): CorridorCopy {
  const known = pool.latest[slot];
  if (known !== undefined && known.left === c.left && known.version === c.version) return known;
  if (known !== undefined) release(pool, known);
  const copy = pool.free.pop() ?? { copy: createPathCorridor(), left: c.left, version: 0, useCount: 0 };
  copyCorridor(copy.copy, c);
  copy.left = c.left;
  copy.version = c.version;
  copy.useCount = 1;
  pool.latest[slot] = copy;
  return copy;
}

/** Restores a corridor. Its version increases, since another future may have had that of the copy. */
function take(pool: Pool, c: PathCorridor, copy: CorridorCopy, slot: number): void {
  copyCorridor(c, copy.copy);
  copy.left = c.left;
  copy.version = ++c.version;
  const known = pool.latest[slot];
  if (known === copy) return;
  if (known !== undefined) release(pool, known);
  copy.useCount++;
  pool.latest[slot] = copy;
}

function release(pool: Pool, copy: CorridorCopy): void {
  if (--copy.useCount === 0) pool.free.push(copy);
}
