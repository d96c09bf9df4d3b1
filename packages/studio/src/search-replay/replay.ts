/**
 * Where a search that was written down stood after so many expansions. Forward by events, backward from the
 * start.
 */
import { EXPANDED, OPENED } from './record.ts';
import type { SearchRecord } from './record.ts';

export interface Replay {
  record: SearchRecord;
  step: number;
  open: Set<number>;
  closed: Set<number>;
  /** By node, as far as it was found: what it costs to get there, and where from (-1: the start). */
  cost: Map<number, number>;
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

/** Steps out of range are the nearest within. */
export function seekReplay(replay: Replay, wanted: number): void {
  const { record, open, closed, cost, parent } = replay;
  const step = Math.min(record.steps, Math.max(0, Math.round(wanted)));
  if (step < replay.step) {
    for (const one of [open, closed, cost, parent]) one.clear();
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

/** From the start to the node that is next, or (when none is left) nothing. */
export function chainOf({ record, step, parent }: Replay): number[] {
  const chain: number[] = [];
  for (let node = record.best[step]; node >= 0 && chain.length <= parent.size; node = parent.get(node) ?? -1)
    chain.push(node);
  return chain.reverse();
}
