/**
 * Keeps memory that one bake leaves to the next: named buffers that only grow.
 *
 * Fresh memory costs as much as a stage's own work, because it is cleared and its pages are mapped one fault
 * at a time. A second bake with the same workspace is faster and allocates almost nothing. Arrays taken from
 * a workspace hold whatever the last user left in them. The voxel bake names its buffers in one table
 * (build/voxel/memory.ts).
 *
 * In: the name of a buffer and a length. Out: a typed array over that buffer.
 * Cost: a new view per call, and a new buffer when the old one is too small.
 * Based on: own.
 */
import { refuse } from './refuse.ts';

/** Memory that bakes reuse. Only one bake may run on it at a time. Made by `createWorkspace`. */
export interface Workspace {
  /** Buffers by name. They never shrink: drop the workspace to free them. */
  buffers: Record<string, ArrayBuffer>;
  /** Whether a bake is running on this memory; another one is refused until it ends. */
  isInUse: boolean;
  /** Checks which slot holds which memory, for tests (build/voxel/memory-guard.ts). Undefined: no checks. */
  guard?: WorkspaceGuard;
}

/** Hooks that see every use of a workspace's memory by the voxel bake. */
export interface WorkspaceGuard {
  /** A stage begins. '' at the end of a bake: all slots are released. */
  beginStage: (stage: string) => void;
  /** A slot is taken; returns the array that its owner gets. */
  take: <T extends ArrayBufferView>(slot: string, array: T) => T;
}

/** Creates an empty workspace. Pass it as `workspace` to bakes that run one after another. */
export function createWorkspace(): Workspace {
  return { buffers: {}, isInUse: false };
}

/** Returns the bytes that a workspace holds. */
export function workspaceBytes(workspace: Workspace): number {
  checkWorkspace('workspaceBytes', workspace ?? null, 'workspace');
  let bytes = 0;
  for (const buffer of Object.values(workspace.buffers)) bytes += buffer.byteLength;
  return bytes;
}

/** Throws a RangeError unless `workspace` is undefined or was made by `createWorkspace`. */
export function checkWorkspace(caller: string, workspace: unknown, path: string = 'options.workspace'): void {
  if (workspace === undefined || typeof (workspace as Workspace | null)?.buffers === 'object') return;
  refuse(caller, path, workspace, 'made by createWorkspace()');
}

/** Marks a workspace as in use until `releaseWorkspace`. Throws a RangeError when a running bake uses it. */
export function claimWorkspace(caller: string, workspace: Workspace): void {
  checkWorkspace(caller, workspace);
  if (workspace.isInUse) {
    throw new RangeError(`${caller}: options.workspace is in use; must be one that no running bake uses`);
  }
  workspace.isInUse = true;
}

/** Ends a bake's use of a workspace. Call it on success, on an error and when the bake is aborted. */
export function releaseWorkspace(workspace: Workspace): void {
  workspace.isInUse = false;
  workspace.guard?.beginStage('');
}

/**
 * Returns the buffer of this name with at least `bytes` bytes. A new buffer starts with `keep` bytes of the
 * old one.
 */
function bufferOf(workspace: Workspace, name: string, bytes: number, keep: number): ArrayBuffer {
  const known = workspace.buffers[name];
  if (known !== undefined && known.byteLength >= bytes) return known;
  // Whole pages, with a quarter of spare room for small buffers and at most 64 KiB for large ones.
  const buffer = new ArrayBuffer(Math.ceil((bytes + Math.min(bytes / 4, 1 << 16)) / 4096) * 4096);
  if (known !== undefined && keep > 0) {
    new Uint8Array(buffer).set(new Uint8Array(known, 0, Math.min(keep, known.byteLength)));
  }
  workspace.buffers[name] = buffer;
  return buffer;
}

/**
 * Takes an Int32Array of `length` elements, not cleared. The first `keep` elements stay as they were when it
 * grows.
 */
export function takeInt32(
  workspace: Workspace,
  name: string,
  length: number,
  keep: number = 0,
): Int32Array<ArrayBuffer> {
  return new Int32Array(bufferOf(workspace, name, length * 4, keep * 4), 0, length);
}

/** Takes a Uint32Array; see `takeInt32`. */
export function takeUint32(
  workspace: Workspace,
  name: string,
  length: number,
  keep: number = 0,
): Uint32Array<ArrayBuffer> {
  return new Uint32Array(bufferOf(workspace, name, length * 4, keep * 4), 0, length);
}

/** Takes a Uint16Array; see `takeInt32`. */
export function takeUint16(
  workspace: Workspace,
  name: string,
  length: number,
  keep: number = 0,
): Uint16Array<ArrayBuffer> {
  return new Uint16Array(bufferOf(workspace, name, length * 2, keep * 2), 0, length);
}

/** Takes a Uint8Array; see `takeInt32`. */
export function takeUint8(
  workspace: Workspace,
  name: string,
  length: number,
  keep: number = 0,
): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bufferOf(workspace, name, length, keep), 0, length);
}

/** Takes a Float64Array; see `takeInt32`. */
export function takeFloat64(
  workspace: Workspace,
  name: string,
  length: number,
  keep: number = 0,
): Float64Array<ArrayBuffer> {
  return new Float64Array(bufferOf(workspace, name, length * 8, keep * 8), 0, length);
}
