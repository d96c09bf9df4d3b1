/**
 * Lists every array that the voxel bake takes from its workspace: element type, lifetime, and the slot whose memory
 * it takes over.
 *
 * A slot lives from the stage that takes it to the last stage that uses it. A slot that starts later than another one
 * ends may take over its memory. Only this table decides that, and `SlotName` makes a wrong name or element type a
 * compile error. Lifetimes are checked in tests by a guard (memory-guard.ts); a bake pays nothing for it.
 *
 * In: the workspace, a slot and a length. Out: a typed array that holds whatever its last user left.
 * Cost: a view per array taken. Without shared memory a bake would hold 1.6 times as much. A slot that outgrows the
 *   memory it takes over leaves that memory to the garbage collector, which frees it late. So only arrays of the same
 *   length share memory.
 * Based on: own.
 */
import { takeFloat64, takeInt32, takeUint16, takeUint32, takeUint8 } from '../../base/data/workspace.ts';
import type { Workspace } from '../../base/data/workspace.ts';
import type { Stage } from './options.ts';

interface Elements {
  int32: Int32Array<ArrayBuffer>;
  uint32: Uint32Array<ArrayBuffer>;
  uint16: Uint16Array<ArrayBuffer>;
  uint8: Uint8Array<ArrayBuffer>;
  float64: Float64Array<ArrayBuffer>;
}

/**
 * Element type, stage that takes the slot, last stage that uses it, and the slot whose memory it takes over. Without
 * the last, it has memory of its own.
 */
export type SlotRow = readonly [elements: keyof Elements, from: Stage, until: Stage, memory?: string];

/** All slots, in the order in which a bake takes them. */
export const SLOTS = {
  'tile.indices': ['int32', 'rasterize', 'rasterize'],
  'tile.areas': ['uint8', 'rasterize', 'rasterize'],
  'raster.rowEnd': ['float64', 'rasterize', 'rasterize'],
  'raster.columnEnd': ['float64', 'rasterize', 'rasterize'],
  'raster.last': ['int32', 'rasterize', 'rasterize'],
  'raster.listColumn': ['int32', 'rasterize', 'rasterize'],
  'raster.listSpan': ['uint32', 'rasterize', 'rasterize'],
  'solid.columnStart': ['int32', 'rasterize', 'compact'],
  'solid.spans': ['uint32', 'rasterize', 'compact'],
  'field.columnStart': ['int32', 'compact', 'detail', 'raster.last'],
  'field.y': ['uint16', 'compact', 'detail'],
  'field.height': ['uint8', 'compact', 'detail'],
  'field.area': ['uint8', 'compact', 'detail'],
  'field.neighbor': ['int32', 'compact', 'detail', 'raster.listSpan'],
  'sweep.distance': ['uint16', 'erode', 'distance'],
  'sweep.runs': ['int32', 'erode', 'distance', 'solid.spans'],
  'field.distance': ['uint16', 'distance', 'regions'],
  'field.region': ['int32', 'regions', 'detail', 'solid.spans'],
  'watershed.link': ['int32', 'regions', 'regions'],
  'watershed.ordered': ['int32', 'regions', 'regions', 'solid.columnStart'],
  'watershed.orderedLink': ['int32', 'regions', 'regions', 'raster.listColumn'],
  'watershed.reach': ['uint16', 'regions', 'regions', 'sweep.distance'],
  'watershed.taken': ['int32', 'regions', 'regions'],
  'watershed.source': ['int32', 'regions', 'regions'],
  'watershed.stack': ['int32', 'regions', 'regions'],
  'contours.sides': ['uint8', 'contours', 'contours', 'sweep.distance'],
  'contours.edges': ['int32', 'contours', 'contours', 'solid.columnStart'],
  'contours.raw': ['int32', 'contours', 'polymesh', 'raster.listColumn'],
  'contours.link': ['int32', 'contours', 'contours'],
  'contours.corners': ['int32', 'contours', 'contours'],
  'contours.nextCorner': ['int32', 'contours', 'contours'],
  'contours.vertices': ['int32', 'contours', 'polymesh'],
  'polymesh.vertices': ['int32', 'polymesh', 'polymesh'],
  'polymesh.firstVertex': ['int32', 'polymesh', 'polymesh'],
  'polymesh.nextVertex': ['int32', 'polymesh', 'polymesh'],
  'polymesh.polys': ['int32', 'polymesh', 'polymesh'],
  'polymesh.counts': ['uint8', 'polymesh', 'polymesh'],
  'polymesh.region': ['int32', 'polymesh', 'polymesh'],
  'polymesh.area': ['uint8', 'polymesh', 'polymesh'],
  'polymesh.firstEdge': ['int32', 'polymesh', 'polymesh'],
  'polymesh.nextEdge': ['int32', 'polymesh', 'polymesh'],
  'detail.edgeStart': ['int32', 'detail', 'detail'],
  'detail.tris': ['uint8', 'detail', 'detail'],
  'detail.queueIndex': ['uint16', 'detail', 'detail', 'sweep.distance'],
} as const;

export type SlotName = keyof typeof SLOTS;
export type SlotArray<N extends SlotName> = Elements[(typeof SLOTS)[N][0]];

const TAKE = { int32: takeInt32, uint32: takeUint32, uint16: takeUint16, uint8: takeUint8, float64: takeFloat64 };

/**
 * Takes the array of a slot, not cleared. Its owner may take it again: the first `keep` elements stay, and
 * the array taken before is then invalid.
 */
export function takeSlot<N extends SlotName>(
  workspace: Workspace,
  slot: N,
  length: number,
  keep: number = 0,
): SlotArray<N> {
  const row: SlotRow = SLOTS[slot];
  const array = TAKE[row[0]](workspace, memoryOf(slot), length, keep);
  return (workspace.guard === undefined ? array : workspace.guard.take(slot, array)) as SlotArray<N>;
}

/** Returns the name of the buffer that a slot lies in. */
export function memoryOf(slot: SlotName): string {
  const row: SlotRow = SLOTS[slot];
  return row[3] ?? slot;
}
