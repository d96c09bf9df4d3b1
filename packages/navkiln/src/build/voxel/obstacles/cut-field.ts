/**
 * Cuts holes out of a compact field that was built without them. Later stages give exactly the same numbers as for a
 * field whose holes were cut out of the solid spans before erosion.
 *
 * A hole only removes spans. Where an agent is taller than its climb, a connection depends only on its two spans
 * (compact.ts), so all other connections stay. Up to a radius of two cells, erosion only looks at the eight spans
 * around a border. So the field is kept eroded, and only the neighbors of removed spans are new borders.
 *
 * Removed spans stay in their columns without connections and area, and with the height `REMOVED_Y`: no stage reaches or counts them. The
 * kept field itself is changed, and put back before the next cut.
 *
 * In: a field without holes, and the spans to remove. Out: a field without them.
 * Cost: a copy of the areas; the spans around the removed ones.
 * Based on: own.
 * Tried: copying the field without the removed spans took a quarter of a change (bench `obstacles`).
 */
import { AREA_NONE, REMOVED_Y } from '../../../base/constants.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import { erodeArea } from '../field/erode.ts';
import { takeSlot } from '../memory.ts';
import type { BakeConfig } from '../bake-config.ts';
import { createRecord } from '../records.ts';
import type { CompactField } from '../types.ts';

/** The largest radius at which erosion around removed spans is local, cells. */
const LOCAL_RADIUS = 2;

/** The field of a tile without holes. It owns its arrays. */
export interface OpenField {
  field: CompactField;
  radiusCells: number;
  /** Whether `field` is eroded. */
  isEroded: boolean;
  /** The removed spans. For each, `before` has its `y` and its four neighbors before the cut. */
  cut: Int32Array;
  before: Int32Array;
}

/** Returns whether fields of this configuration can be cut. */
export function canCutField({ walkableClimbCells, walkableHeightCells, sizes }: BakeConfig): boolean {
  return walkableClimbCells < walkableHeightCells && sizes === undefined;
}

/** Keeps a copy of a compact field before erosion. */
export function keepField(field: CompactField, radiusCells: number, workspace: Workspace): OpenField {
  const { columnStart, y, height, area, neighbor } = field;
  const isEroded = radiusCells <= LOCAL_RADIUS;
  if (isEroded) erodeArea(field, radiusCells, workspace);
  const own = createRecord((): CompactField => ({
    ...field,
    columnStart: columnStart.slice(),
    y: y.slice(),
    height: height.slice(),
    area: area.slice(),
    neighbor: neighbor.slice(),
  }));
  return { field: own, radiusCells, isEroded, cut: new Int32Array(0), before: new Int32Array(0) };
}

/** Returns the bytes of a kept field. */
export function bytesOfField({ field }: OpenField): number {
  const { columnStart, y, height, area, neighbor } = field;
  return [columnStart, y, height, area, neighbor].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/**
 * Returns an eroded field without the spans of a list, which must not contain a span twice. Its arrays are those of
 * the kept field and of the workspace; `restoreField` must be called before the kept field is read again.
 *
 * @param isCut 1 for the spans of the list, by span
 */
export function cutField(open: OpenField, list: Int32Array, isCut: Uint8Array, workspace: Workspace): CompactField {
  const { field, radiusCells, isEroded } = open;
  const { spanCount } = field;
  const area = takeSlot(workspace, 'field.area', spanCount);
  area.set(field.area);
  if (isEroded && radiusCells > 0) erodeAround(field, list, isCut, area, radiusCells === LOCAL_RADIUS);
  disconnect(open, list, area);
  const out = createRecord((): CompactField => ({ ...field, area }));
  if (!isEroded) erodeArea(out, radiusCells, workspace);
  return out;
}

/** Takes spans out of their connections. */
function disconnect(open: OpenField, list: Int32Array, area: Uint8Array): void {
  const { y, neighbor } = open.field;
  if (open.before.length < 5 * list.length) open.before = new Int32Array(10 * list.length);
  const { before } = open;
  open.cut = list;
  for (let k = 0; k < list.length; k++) {
    const i = list[k];
    before[5 * k] = y[i];
    y[i] = REMOVED_Y;
    area[i] = AREA_NONE;
    for (let dir = 0; dir < 4; dir++) {
      const next = neighbor[4 * i + dir];
      before[5 * k + 1 + dir] = next;
      if (next === -1) continue;
      neighbor[4 * i + dir] = -1;
      neighbor[4 * next + ((dir + 2) & 3)] = -1;
    }
  }
}

/** Puts back what `cutField` has cut out of a kept field. */
export function restoreField(open: OpenField): void {
  const { field, cut, before } = open;
  const { y, neighbor } = field;
  // Backwards: a span that was cut later has lost its connections to earlier ones.
  for (let k = cut.length - 1; k >= 0; k--) {
    const i = cut[k];
    y[i] = before[5 * k];
    for (let dir = 0; dir < 4; dir++) {
      const next = before[5 * k + 1 + dir];
      neighbor[4 * i + dir] = next;
      if (next !== -1) neighbor[4 * next + ((dir + 2) & 3)] = i;
    }
  }
  open.cut = cut.subarray(0, 0);
}

/** Removes the area of spans that are too close to the spans of a list. */
function erodeAround(
  { neighbor }: CompactField,
  list: Int32Array,
  isCut: Uint8Array,
  area: Uint8Array,
  isWide: boolean,
): void {
  for (let k = 0; k < 4 * list.length; k++) {
    const border = neighbor[4 * list[k >> 2] + (k & 3)];
    if (border === -1) continue;
    area[border] = AREA_NONE;
    // Around a removed span, the spans that are not removed are borders themselves.
    if (!isWide || isCut[border] === 1) continue;
    for (let dir = 0; dir < 4; dir++) {
      const side = neighbor[4 * border + dir];
      if (side === -1) continue;
      area[side] = AREA_NONE;
      const corner = neighbor[4 * side + ((dir + 1) & 3)];
      if (corner !== -1) area[corner] = AREA_NONE;
    }
  }
}
