/**
 * Restores the state of a recorded search after any number of expansions: forward by events, backward from
 * the start.
 */
import { EXPANDED, OPENED } from './record.ts';
import type { SearchRecord } from './record.ts';

export interface Replay {
  record: SearchRecord;
  step: number;
  open: Set<number>;
  closed: Set<number>;
  /** The cost to reach each node found so far. */
  cost: Map<number, number>;
  /** The predecessor of each node found so far; -1: the start. */
  parent: Map<number, number>;
}

export function createReplay(record: SearchRecord): Replay {
  const replay: Replay = {
    record,
    step: -1,
    open: new Set(),
    closed: new Set(),
    cost: new Map(),
    parent: new Map(),
  };
  seekReplay(replay, 0);
  return replay;
}

/** Goes to a step, clamped to the range of the record. */
export function seekReplay(replay: Replay, wanted: number): void {
  const { record, open, closed, cost, parent } = replay;
  const step = Math.min(record.steps, Math.max(0, Math.round(wanted)));
  if (step < replay.step) {
    for (const collection of [open, closed, cost, parent]) collection.clear();
    replay.step = -1;
  }
  const begin = replay.step < 0 ? 0 : record.eventEnd[replay.step];
  for (let e = begin; e < record.eventEnd[step]; e++) {
    const node = record.eventNode[e];
    const kind = record.eventKind[e];
    if (kind === EXPANDED) {
      open.delete(node);
      closed.add(node);
      continue;
    }
    if (kind === OPENED) {
      closed.delete(node);
      open.add(node);
    }
    cost.set(node, record.eventCost[e]);
    parent.set(node, record.eventParent[e]);
  }
  replay.step = step;
}

/** Returns the nodes from the start to the next node, or nothing when no node is left. */
export function chainOf({ record, step, parent }: Replay): number[] {
  const chain: number[] = [];
  for (let node = record.best[step]; node >= 0 && chain.length <= parent.size; node = parent.get(node) ?? -1) {
    chain.push(node);
  }
  return chain.reverse();
}
