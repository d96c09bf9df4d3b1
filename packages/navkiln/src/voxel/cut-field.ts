/**
 * Cuts holes out of a compact field that was built without them. The result equals, number by number, the field of a bake that cuts them
 * out of the solid spans and then erodes.
 *
 * A hole only removes spans. Where an agent is taller than its climb, a connection depends on its two spans alone (compact.ts), so that
 * the others stay. Up to a radius of two cells, erosion only looks at the eight spans around a border: the field is kept eroded, and only
 * the neighbors of removed spans are new borders.
 *
 * In: a field without holes, and the spans to remove. Out: a field without them.
 * Cost: a copy of the field; erosion of the spans around the removed ones.
 * Based on: own.
 */
import { AREA_NONE } from '../constants.ts';
import type { Workspace } from '../data/workspace.ts';
import { erodeArea } from './erode.ts';
import { takeSlot } from './memory.ts';
import type { BakeConfig } from './options.ts';
import { createRecord } from './records.ts';
import type { CompactField } from './types.ts';

/** The largest radius at which erosion around removed spans is local, cells. */
const LOCAL_RADIUS = 2;

/** The field of a tile without holes. It owns its arrays. */
export interface OpenField {
  field: CompactField;
  radiusCells: number;
  /** Whether `field` is eroded. */
  isEroded: boolean;
}

/** Returns whether fields of this configuration can be cut. */
export function canCutField({ walkableClimbCells, walkableHeightCells }: BakeConfig): boolean {
  return walkableClimbCells < walkableHeightCells;
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
  return { field: own, radiusCells, isEroded };
}

/** Returns the bytes of a kept field. */
export function bytesOfField({ field }: OpenField): number {
  const { columnStart, y, height, area, neighbor } = field;
  return [columnStart, y, height, area, neighbor].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/**
 * Returns an eroded field without the spans of a list, each of which it has once. Its arrays are those of the kept field and of the
 * workspace.
 *
 * @param isCut 1 for the spans of the list, by span
 */
export function cutField(open: OpenField, list: Int32Array, isCut: Uint8Array, workspace: Workspace): CompactField {
  const { field, radiusCells, isEroded } = open;
  const { spanCount } = field;
  const area = takeSlot(workspace, 'field.area', spanCount);
  area.set(field.area);
  const left = spanCount - list.length;
  let out: CompactField;
  if (list.length === 0) out = createRecord((): CompactField => ({ ...field, area }));
  else {
    if (isEroded && radiusCells > 0) erodeAround(field, list, isCut, area, radiusCells === LOCAL_RADIUS);
    const columnStart = takeSlot(workspace, 'field.columnStart', field.columnStart.length);
    const y = takeSlot(workspace, 'field.y', left);
    const height = takeSlot(workspace, 'field.height', left);
    const neighbor = takeSlot(workspace, 'field.neighbor', 4 * left);
    const ownArea = area.subarray(0, left);
    const indexOf = takeSlot(workspace, 'cut.index', spanCount + 1);
    const cut = createRecord((): CompactField => ({
      ...field,
      spanCount: left,
      columnStart,
      y,
      height,
      area: ownArea,
      neighbor,
    }));
    renumber(isCut, indexOf);
    moveSpans(cut, field, area, indexOf);
    moveColumns(columnStart, field.columnStart, indexOf);
    out = cut;
  }
  if (!isEroded) erodeArea(out, radiusCells, workspace);
  return out;
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

/** Fills the new index of span i at i + 1, -1 for a removed one; slot 0 is that of a missing neighbor. */
function renumber(isCut: Uint8Array, indexOf: Int32Array): void {
  let next = 0;
  indexOf[0] = -1;
  for (let i = 0; i < isCut.length; i++) {
    const cut = isCut[i];
    indexOf[i + 1] = next | -cut;
    next += 1 - cut;
  }
}

/** Copies the spans that are left. `area` is moved within its own memory. */
function moveSpans(out: CompactField, from: CompactField, area: Uint8Array, indexOf: Int32Array): void {
  const { y, height, neighbor } = out;
  const { spanCount } = from;
  for (let i = 0; i < spanCount; i++) {
    const to = indexOf[i + 1];
    if (to === -1) continue;
    y[to] = from.y[i];
    height[to] = from.height[i];
    area[to] = area[i];
    neighbor[4 * to] = indexOf[from.neighbor[4 * i] + 1];
    neighbor[4 * to + 1] = indexOf[from.neighbor[4 * i + 1] + 1];
    neighbor[4 * to + 2] = indexOf[from.neighbor[4 * i + 2] + 1];
    neighbor[4 * to + 3] = indexOf[from.neighbor[4 * i + 3] + 1];
  }
}

/** Counts the spans that are left before each column. */
function moveColumns(columnStart: Int32Array, from: Int32Array, indexOf: Int32Array): void {
  let left = 0;
  columnStart[0] = 0;
  for (let c = 1; c < from.length; c++) {
    for (let i = from[c - 1]; i < from[c]; i++) if (indexOf[i + 1] !== -1) left++;
    columnStart[c] = left;
  }
}
