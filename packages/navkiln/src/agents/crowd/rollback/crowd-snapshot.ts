/**
 * Snapshots of a crowd in memory, for games that go back some ticks and simulate them again.
 *
 * A snapshot contains everything that `saveCrowd` writes, the events of the last tick, and the mesh (mesh/rollback/). It
 * belongs to its crowd: dense indices are copied as they are, nothing is checked or hashed, and a second capture into
 * it reuses its memory. Fields of the crowd's records are copied by walking the records (base/data/state-tape.ts), so a
 * new column is part of snapshots without being listed. Corridors, searches and goal fields, whose arrays are longer than what they
 * contain, are copied by code of their own.
 *
 * In: a crowd between two ticks, or a snapshot of it.
 * Out: the snapshot, or the crowd as it was, bit for bit.
 * Cost: about 1 KB per agent and 24 bytes per polygon of its corridor, at the speed of memory. No allocation when warm.
 * Based on: own.
 */
import { refuse, refuseType } from '../../../base/data/refuse.ts';
import { copyFromTape, copyToTape, createStateTape } from '../../../base/data/state-tape.ts';
import type { StateRules, StateTape } from '../../../base/data/state-tape.ts';
import { captureMesh, rewindMesh } from '../../../mesh/rollback/mesh-snapshot.ts';
import type { MeshSnapshot } from '../../../mesh/rollback/mesh-snapshot.ts';
import { changesOf, takePending } from '../touched.ts';
import type { Pending } from '../touched.ts';
import { checkCrowd, checkMutableCrowd } from '../state/check-crowd.ts';
import type { Crowd, EventList } from '../state/types.ts';
import { copyCorridors, createCorridorCopies, restoreCorridors } from './corridor-copies.ts';
import type { CorridorCopies } from './corridor-copies.ts';
import { copyFields, restoreFields } from './field-copies.ts';
import type { FieldCopy } from './field-copies.ts';
import { copySearch, createSearchCopy, restoreSearch } from './search-copy.ts';
import type { SearchCopy } from './search-copy.ts';

/** The state of a crowd and of its mesh at one tick. Only `rewindCrowd` of the same crowd takes it. */
export interface CrowdSnapshot {
  crowd: Crowd;
  /** The tick of the crowd at the capture. */
  tick: number;
  mesh: MeshSnapshot;
  /** `mesh.revision` at the capture. @internal */
  revision: number;
  /** The revision that the crowd had followed. @internal */
  followed: number;
  /** Changes of the mesh that the crowd had not followed (touched.ts); null: none. @internal */
  pending: Pending['polys'] | null;
  /** @internal */
  tape: StateTape;
  /** @internal */
  corridors: CorridorCopies;
  /** @internal */
  search: SearchCopy;
  /** @internal */
  fields: FieldCopy[];
  /** @internal */
  events: EventList;
}

/** How the fields of a crowd are copied. */
const RULES: StateRules = {
  skipped: /* @__PURE__ */ new Set([
    // Never replaced after `createCrowd`.
    'mesh',
    'types',
    // Copied by other files.
    'corridors',
    'events',
    'fields',
    'nodeStamp',
    'node',
    'nodeCost',
    'nodeParent',
    'nodeCrossing',
    'nodeHeapIndex',
    'heapNode',
    'heapKey',
    // Memory of searches, and counts that are 0 between ticks.
    'capacity',
    'stamp',
    'goalCount',
  ]),
  references: /* @__PURE__ */ new Set(['behaviors', 'pathIndex']),
  lists: /* @__PURE__ */ new Set(['filters', 'patrols', 'sampledParams']),
};

/**
 * Captures a crowd and its mesh between two ticks: agents, paths, searches, patrols, events, and doors, links and tiles
 * of the mesh. `rewindCrowd` continues from there exactly as the crowd would have.
 *
 * Filters and a path index are captured as references. A filter that changes in place is not part of the snapshot; pass
 * another one to `setCrowdFilter`. Captures of a crowd are made for the same program; `saveCrowd` makes bytes for files and other machines.
 *
 * @param snapshot an earlier snapshot of the crowd, which is overwritten; without it, a new one is created. With it, nothing is
 *   allocated when warm, unless the mesh has changed
 * @returns the snapshot
 * @throws TypeError for a snapshot of another crowd
 */
export function captureCrowd(crowd: Crowd, snapshot?: CrowdSnapshot): CrowdSnapshot {
  if (snapshot === undefined) checkCrowd('captureCrowd', crowd);
  else checkSnapshot('captureCrowd', crowd, snapshot);
  const out = snapshot ?? createSnapshot(crowd);
  const { mesh, searches, slotCount } = crowd;
  out.mesh = captureMesh(mesh);
  out.revision = mesh.revision;
  out.followed = crowd.meshRevision;
  out.pending = crowd.meshRevision === mesh.revision ? null : changesOf(crowd);
  out.tick = crowd.tick;
  copyToTape(out.tape, crowd, RULES, slotCount);
  copyCorridors(out.corridors, crowd);
  copySearch(out.search, searches, mesh);
  copyFields(out.fields, crowd);
  copyEvents(out.events, crowd.events);
  return out;
}

/**
 * Brings a crowd and its mesh back to a snapshot. Ids of agents, refs, orders and events are those of that time.
 *
 * Ids and refs that were given out after the snapshot may be given out again. A path index that was built after the
 * snapshot must not be used any more. Other crowds on the mesh follow its change at their next tick. Rewind the world of the mesh with
 * `rewindWorld` too, if it has one.
 *
 * @throws TypeError for a snapshot of another crowd; RangeError for one of a crowd with another number of slots
 */
export function rewindCrowd(crowd: Crowd, snapshot: CrowdSnapshot): void {
  checkSnapshot('rewindCrowd', crowd, snapshot);
  checkMutableCrowd('rewindCrowd', crowd);
  const { mesh, searches } = crowd;
  rewindMesh(mesh, snapshot.mesh);
  const { revision, corridors, pending } = snapshot;
  takePending(crowd, pending === null ? undefined : { revision: mesh.revision, polys: pending });
  restoreSearch(searches, mesh, snapshot.search);
  copyFromTape(snapshot.tape, crowd, RULES, crowd.slotCount, revision, mesh.revision);
  restoreCorridors(crowd, corridors, snapshot.followed, revision, mesh.revision);
  restoreFields(crowd, snapshot.fields, revision);
  copyEvents(crowd.events, snapshot.events);
}

function copyEvents(out: EventList, { count, kind, slot }: EventList): void {
  if (out.kind.length < count) {
    out.kind = new Uint8Array(2 * count);
    out.slot = new Int32Array(2 * count);
  }
  out.count = count;
  for (let i = 0; i < count; i++) {
    out.kind[i] = kind[i];
    out.slot[i] = slot[i];
  }
}

function createSnapshot(crowd: Crowd): CrowdSnapshot {
  return {
    crowd,
    tick: 0,
    mesh: captureMesh(crowd.mesh),
    revision: 0,
    followed: 0,
    pending: null,
    tape: createStateTape(crowd.maxAgents),
    corridors: createCorridorCopies(),
    search: createSearchCopy(),
    fields: [],
    events: { count: 0, kind: new Uint8Array(0), slot: new Int32Array(0) },
  };
}

/** Throws a TypeError unless `snapshot` is one of `crowd`. */
function checkSnapshot(caller: string, crowd: Crowd, snapshot: CrowdSnapshot): void {
  checkCrowd(caller, crowd);
  if (!ArrayBuffer.isView(snapshot?.tape?.numbers))
    refuseType(caller, 'snapshot', snapshot, 'a CrowdSnapshot of captureCrowd');
  const { maxRows } = snapshot.tape;
  if (maxRows !== crowd.maxAgents)
    refuse(
      caller,
      'crowd.maxAgents',
      crowd.maxAgents,
      `${maxRows}, as when the snapshot was captured; capture this crowd in a snapshot of its own`,
    );
  if (snapshot.crowd !== crowd)
    refuseType(
      caller,
      'snapshot.crowd',
      'another crowd',
      'the crowd that was captured; move the state of a crowd to another one with saveCrowd and restoreCrowd',
    );
  if (snapshot.mesh.mesh !== crowd.mesh) refuseType(caller, 'crowd.mesh', 'another mesh', 'that of the snapshot');
}
