/**
 * Tells which agents a local change of the mesh touches: those with a changed polygon or link on their path, and those
 * that may get a path now. All others keep their paths as they are.
 *
 * In: polygons that have changed. Out: whether a change is local, and whether it touches an agent.
 * Cost: one read per polygon of a corridor.
 * Based on: own.
 */
import { MAX_LOCAL_POLYS, listLocalChanges } from '../../mesh/change/local-changes.ts';
import { reachOfWalls } from './nearby/walls.ts';
import { STATE_GROUND, STATUS_BLOCKED } from './state/types.ts';
import type { Crowd } from './state/types.ts';

/** Changes that a restored crowd has not followed yet. */
export interface Pending {
  /** `mesh.revision` when it was restored. */
  revision: number;
  /** Dense indices; undefined: all agents follow. */
  polys: readonly number[] | undefined;
}

/** The changes of crowds that were restored, until they follow them. */
export const pendingChanges: WeakMap<Crowd, Pending> = /* @__PURE__ */ new WeakMap();

/** Sets what a crowd was restored with; undefined: it has followed all changes. */
export function takePending(crowd: Crowd, pending: Pending | undefined): void {
  if (pending === undefined) pendingChanges.delete(crowd);
  else pendingChanges.set(crowd, pending);
}

/** An agent is near a tile within this many times the reach of its walls: they were found before it has moved. */
const NEAR_REACHES = 1.5;

/** Per polygon (dense index): the number of the last local change that touched it. */
let marks = new Int32Array(0);
let stamp = 0;
/** The slots of tiles with changed polygons. */
const tiles = /* @__PURE__ */ new Set<number>();

/**
 * Returns the polygons (dense indices, or -1) that have changed since the last tick; undefined when more than single polygons and
 * links may have changed.
 */
export function changesOf(crowd: Crowd): readonly number[] | undefined {
  const pending = pendingChanges.get(crowd);
  const now = listLocalChanges(crowd.mesh, pending?.revision ?? crowd.meshRevision);
  const polys = pending === undefined ? now : now && pending.polys?.concat(now);
  return polys !== undefined && polys.length <= MAX_LOCAL_POLYS ? polys : undefined;
}

/** Marks what has changed since the last tick. Returns false when all agents follow the change. */
export function markChanges(crowd: Crowd): boolean {
  const { polyCount, polyTile } = crowd.mesh;
  const polys = changesOf(crowd);
  pendingChanges.delete(crowd);
  if (polys === undefined) return false;
  if (marks.length < polyCount) marks = new Int32Array(2 * polyCount);
  stamp = (stamp + 1) | 0;
  tiles.clear();
  for (const poly of polys) {
    if (poly < 0) continue;
    marks[poly] = stamp;
    tiles.add(polyTile[poly]);
  }
  return true;
}

/** Returns whether a local change touches an agent: its path is another one, or may be. */
export function isTouched({ agents, corridors }: Crowd, slot: number): boolean {
  const { count, polys } = corridors[slot].corridor;
  if (agents.state[slot] !== STATE_GROUND || agents.status[slot] === STATUS_BLOCKED) return true;
  for (let i = 0; i < count; i++) if (marks[polys[i]] === stamp) return true;
  return count === 0 || agents.wayCount[slot] > 0;
}

/** Returns whether a tile with a change is so near that an agent may have other walls. */
export function isNearChange(crowd: Crowd, slot: number): boolean {
  const { tileBounds } = crowd.mesh;
  const { position } = crowd.agents;
  const reach = NEAR_REACHES * reachOfWalls(crowd, slot);
  for (const tile of tiles) {
    let awaySq = 0;
    for (let k = 0; k < 3; k += 2) {
      const x = position[3 * slot + k];
      const d = Math.max(tileBounds[6 * tile + k] - x, 0, x - tileBounds[6 * tile + 3 + k]);
      awaySq += d * d;
    }
    if (awaySq <= reach * reach) return true;
  }
  return false;
}
