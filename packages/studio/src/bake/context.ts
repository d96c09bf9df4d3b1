/** The data that a worker keeps between tasks: the last level, and the last bake of it. */
import type { NavMesh } from 'navkiln';
import type { BuildSettings, BuildReport, PreparedTiles } from 'navkiln/build';
import type { LevelEdits } from '../state/state.ts';
import type { LevelToBake, Progress } from './protocol.ts';

export interface HeldLevel {
  id: number;
  positions: Float32Array | Float64Array;
  indices: Uint32Array;
  /** Area id of each triangle; undefined: all are ground. */
  areas?: Uint8Array;
}

/** A finished bake, from which an edit rebuilds only the tiles that it touches. */
export interface HeldBake {
  /** Identifies everything that is not an edit. A different key needs a full bake. */
  key: string;
  options: BuildSettings;
  edits: LevelEdits;
  /** undefined: the level is not tiled. */
  prepared: PreparedTiles | undefined;
  /** The mesh before pruning. */
  navMesh: NavMesh;
  report: BuildReport;
}

export interface TaskContext {
  onProgress: (progress: Progress) => void;
  /** Whether to yield to the event loop between stages, because the task runs on the page. */
  polite: boolean;
  signal?: AbortSignal;
  /** The level of the last bake. The page does not send its triangles again. */
  held: HeldLevel | undefined;
  baked: HeldBake | undefined;
  /** The last mesh that may have islands, for a diagnosis. */
  islands?: NavMesh;
}

/** Returns the level of a task and keeps it for the next one. Throws when its triangles were never sent. */
export function hold({ id, positions, indices, areas }: LevelToBake, context: TaskContext): HeldLevel {
  if (positions !== undefined && indices !== undefined) {
    if (context.held?.id !== id) context.baked = undefined;
    context.held = { id, positions, indices, areas };
  }
  if (context.held?.id !== id) throw new Error('The level is no longer in memory; open it again.');
  return context.held;
}
