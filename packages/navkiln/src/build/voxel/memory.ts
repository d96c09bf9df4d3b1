/**
 * Lists every array that the voxel bake takes from its workspace: element type, and the slot whose memory it takes over.
 *
 * A slot lives from the stage that takes it to the last stage that uses it. A slot that starts later than another one
 * ends may take over its memory. Only this table decides that, and `SlotName` makes a wrong name or element type a
 * compile error. A guard (memory-guard.ts) has the table of lifetimes and checks them in tests; a bake pays nothing for it.
 *
 * In: the workspace, a slot and a length. Out: a typed array that holds whatever its last user left.
 * Cost: a view per array taken. Without shared memory a bake would hold 1.6 times as much. A slot that outgrows the
 *   memory it takes over leaves that memory to the garbage collector, which frees it late. So only arrays of the same
 *   length share memory.
 * Based on: own.
 */
import { takeFloat64, takeInt32, takeUint16, takeUint32, takeUint8 } from '../../base/data/workspace.ts';
import type { Workspace } from '../../base/data/workspace.ts';

interface Elements {
  int32: Int32Array<ArrayBuffer>;
  uint32: Uint32Array<ArrayBuffer>;
  uint16: Uint16Array<ArrayBuffer>;
  uint8: Uint8Array<ArrayBuffer>;
  float64: Float64Array<ArrayBuffer>;
}

/** Slots of 32-bit integers with memory of their own. The bundles of pages do not contain their table. */
type PlainSlot =
  | 'tile.indices'
  | 'raster.last'
  | 'raster.listColumn'
  | 'solid.columnStart'
  | 'watershed.link'
  | 'watershed.taken'
  | 'watershed.source'
  | 'watershed.stack'
  | 'contours.link'
  | 'contours.corners'
  | 'contours.nextCorner'
  | 'contours.vertices'
  | 'polymesh.vertices'
  | 'polymesh.firstVertex'
  | 'polymesh.nextVertex'
  | 'polymesh.polys'
  | 'polymesh.region'
  | 'polymesh.firstEdge'
  | 'polymesh.nextEdge'
  | 'detail.edgeStart';

/** All other slots: element type, and the slot whose memory it takes over. Without the latter, it has memory of its own. */
export const SLOTS = {
  'tile.areas': ['uint8'],
  'raster.rowEnd': ['float64'],
  'raster.columnEnd': ['float64'],
  'raster.listSpan': ['uint32'],
  'solid.spans': ['uint32'],
  'field.columnStart': ['int32', 'raster.last'],
  'field.y': ['uint16'],
  'field.height': ['uint8'],
  'field.area': ['uint8'],
  'field.neighbor': ['int32', 'raster.listSpan'],
  'sweep.distance': ['uint16'],
  'sweep.runs': ['int32', 'solid.spans'],
  'field.distance': ['uint16'],
  'field.region': ['int32', 'solid.spans'],
  'watershed.ordered': ['int32', 'solid.columnStart'],
  'watershed.orderedLink': ['int32', 'raster.listColumn'],
  'watershed.reach': ['uint16', 'sweep.distance'],
  'contours.sides': ['uint8', 'sweep.distance'],
  'contours.edges': ['int32', 'solid.columnStart'],
  'contours.raw': ['int32', 'raster.listColumn'],
  'polymesh.counts': ['uint8'],
  'polymesh.area': ['uint8'],
  'detail.tris': ['uint8'],
  'detail.queueIndex': ['uint16', 'sweep.distance'],
} as const;

type SlotRow = readonly [elements: keyof Elements, memory?: string];
/** Undefined for a plain slot. */
const ROWS: Readonly<Record<string, SlotRow | undefined>> = SLOTS;

export type SlotName = keyof typeof SLOTS | PlainSlot;
export type SlotArray<N extends SlotName> = Elements[N extends keyof typeof SLOTS ? (typeof SLOTS)[N][0] : 'int32'];

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
  const array = TAKE[ROWS[slot]?.[0] ?? 'int32'](workspace, memoryOf(slot), length, keep);
  return (workspace.guard === undefined ? array : workspace.guard.take(slot, array)) as SlotArray<N>;
}

/** Returns the name of the buffer that a slot lies in. */
export function memoryOf(slot: SlotName): string {
  return ROWS[slot]?.[1] ?? slot;
}
