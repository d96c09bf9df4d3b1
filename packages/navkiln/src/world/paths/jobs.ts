/**
 * The part of a path service that runs in its threads: a reader of the shared mesh, an overlay for each room of the
 * thread, and the queries of a batch.
 *
 * In: a setup, jobs. Out: answers.
 * Cost: the queries; before each batch an atomic load, and a new version of the mesh if there is one.
 * Based on: own.
 */
import { listNames, setEnabled } from '../../mesh/change/enable.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { findIndexedPath } from '../../query/index/find.ts';
import type { PathIndex } from '../../query/index/types.ts';
import { findPath } from '../../query/path/find-path.ts';
import { moveAlongSurface } from '../../query/walk/slide.ts';
import { createMeshOverlay } from '../share/overlay.ts';
import { openInSlot, refreshSharedNavMesh } from '../share/share.ts';
import type { SharedNavMesh } from '../share/share.ts';
import { packMoves, packPaths } from './answers.ts';
import type { PackedPaths, ServiceMove, ServicePath } from './answers.ts';

/** What each thread gets first. */
export interface PathSetup {
  shared: SharedNavMesh;
  /** The slot of the thread's reader. A thread that replaces another one takes over its slot. */
  slot: number;
  index: PathIndex | undefined;
  rooms: RoomJob[];
}

/** Queries: pairs of points, 6 numbers each. */
export interface QueryJob {
  kind: 'paths' | 'distances' | 'moves';
  points: Float64Array;
  room: string | undefined;
  maxNodes: number;
}

/** The names that are disabled in a room; undefined: the room ends. */
export interface RoomJob {
  kind: 'room';
  room: string;
  disabled: string[] | undefined;
}

export type PathJob = QueryJob | RoomJob;

/** The answer to a job. */
export interface PathAnswer {
  /** Why the job failed. */
  error?: string;
  paths?: PackedPaths;
  /** Distances, or packed moves. */
  numbers?: Float64Array;
  /** Milliseconds of the thread. */
  ms: number;
}

/** Opens the mesh and returns the function that answers jobs. */
export function startPathJobs({ shared, slot, index, rooms }: PathSetup): (job: PathJob) => PathAnswer {
  const mesh = openInSlot(shared, slot);
  const overlays = new Map<string, NavMesh>();
  for (const room of rooms) setRoom(overlays, mesh, room);
  return (job) => {
    const begun = performance.now();
    let answer: Omit<PathAnswer, 'ms'>;
    try {
      refreshSharedNavMesh(mesh);
      answer = job.kind === 'room' ? setRoom(overlays, mesh, job) : answerQueries(overlays, mesh, index, job);
    } catch (error) {
      answer = { error: error instanceof Error ? error.message : String(error) };
    }
    return { ...answer, ms: performance.now() - begun };
  };
}

function setRoom(overlays: Map<string, NavMesh>, mesh: NavMesh, { room, disabled }: RoomJob): Omit<PathAnswer, 'ms'> {
  if (disabled === undefined) {
    overlays.delete(room);
    return {};
  }
  const names = listNames(mesh);
  const unknown = disabled.find((name) => !names.includes(name));
  if (unknown !== undefined)
    return {
      error: `name is ${JSON.stringify(unknown)}; must be one of ${names.map((name) => JSON.stringify(name)).join(', ')}`,
    };
  let overlay = overlays.get(room);
  if (overlay === undefined) overlays.set(room, (overlay = createMeshOverlay(mesh)));
  for (const name of names) setEnabled(overlay, name, !disabled.includes(name));
  return {};
}

function answerQueries(
  overlays: Map<string, NavMesh>,
  base: NavMesh,
  index: PathIndex | undefined,
  { kind, points, room, maxNodes }: QueryJob,
): Omit<PathAnswer, 'ms'> {
  const mesh = room === undefined ? base : overlays.get(room)!;
  const count = points.length / 6;
  const from = (i: number): Float64Array => points.subarray(6 * i, 6 * i + 3);
  const to = (i: number): Float64Array => points.subarray(6 * i + 3, 6 * i + 6);
  if (kind === 'moves') {
    const moves = Array.from({ length: count }, (_, i): ServiceMove => {
      const { status, point } = moveAlongSurface(mesh, from(i), to(i));
      return { status: status === 'stale-ref' ? 'off-mesh' : status, point };
    });
    return { numbers: packMoves(moves) };
  }
  const paths = Array.from({ length: count }, (_, i): ServicePath => {
    if (index !== undefined) return findIndexedPath(index, mesh, from(i), to(i), { maxNodes });
    return findPath(mesh, from(i), to(i), { maxNodes });
  });
  if (kind === 'paths') return { paths: packPaths(paths) };
  return { numbers: Float64Array.from(paths, ({ status, length }) => (status === 'complete' ? length : Infinity)) };
}
