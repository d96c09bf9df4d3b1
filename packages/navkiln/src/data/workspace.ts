/**
 * Workspace: memory that one bake leaves to the next. Named buffers that only grow; a stage takes a typed array of the length
 * it needs from its buffer, whatever was left in it.
 *
 * Fresh memory costs as much as a stage's own work (it is cleared, and its pages come one fault at a time), so a second bake
 * with the same workspace is faster and allocates almost nothing. What a stage returns lives in the workspace, too: a
 * heightfield until regions are built, all else until the next bake begins.
 *
 * A stage takes over buffers that earlier ones have done with, by their names: `raster.last` becomes the compact field's
 * columns, `raster.column`, `raster.span` and `solid.*` serve regions and contours, `distance.raw` regions and contours, the
 * regions' memory runs of open ground before there are regions. Kept apart, a bake held 1.6 times as much.
 *
 * Based on: own.
 */
export interface Workspace {
  buffers: Record<string, ArrayBuffer>;
}

export function createWorkspace(): Workspace {
  return { buffers: {} };
}

/** Bytes a workspace holds. */
export function workspaceBytes(workspace: Workspace): number {
  let bytes = 0;
  for (const buffer of Object.values(workspace.buffers)) bytes += buffer.byteLength;
  return bytes;
}

/** The buffer of this name, at least so large; `keep` bytes of what was in it stay. */
function bufferOf(workspace: Workspace, name: string, bytes: number, keep: number): ArrayBuffer {
  const known = workspace.buffers[name];
  if (known !== undefined && known.byteLength >= bytes) return known;
  // In pages, a quarter more than asked for; of large ones only a hair.
  const buffer = new ArrayBuffer(Math.ceil((bytes + Math.min(bytes / 4, 1 << 16)) / 4096) * 4096);
  if (known !== undefined && keep > 0)
    new Uint8Array(buffer).set(new Uint8Array(known, 0, Math.min(keep, known.byteLength)));
  workspace.buffers[name] = buffer;
  return buffer;
}

/** Uncleared array of `length`; the first `keep` elements stay what they were. The same for the others below. */
export function takeInt32(
  workspace: Workspace,
  name: string,
  length: number,
  keep: number = 0,
): Int32Array<ArrayBuffer> {
  return new Int32Array(bufferOf(workspace, name, length * 4, keep * 4), 0, length);
}

export function takeUint32(
  workspace: Workspace,
  name: string,
  length: number,
  keep: number = 0,
): Uint32Array<ArrayBuffer> {
  return new Uint32Array(bufferOf(workspace, name, length * 4, keep * 4), 0, length);
}

export function takeUint16(
  workspace: Workspace,
  name: string,
  length: number,
  keep: number = 0,
): Uint16Array<ArrayBuffer> {
  return new Uint16Array(bufferOf(workspace, name, length * 2, keep * 2), 0, length);
}

export function takeUint8(
  workspace: Workspace,
  name: string,
  length: number,
  keep: number = 0,
): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bufferOf(workspace, name, length, keep), 0, length);
}

export function takeFloat64(
  workspace: Workspace,
  name: string,
  length: number,
  keep: number = 0,
): Float64Array<ArrayBuffer> {
  return new Float64Array(bufferOf(workspace, name, length * 8, keep * 8), 0, length);
}
