/**
 * Erodes the walkable surface: spans closer to a border than the agent's radius lose their area.
 *
 * A border is a span without four walkable neighbors. Up to a radius of two cells, the usual one, only
 * borders and the eight spans around them are too close. Larger radii take the sweeps of the distance field.
 *
 * In: CompactField. Out: the same with fewer areas.
 * Cost: one pass up to two cells, else that of the sweeps (chamfer.ts).
 * Based on: Mikko Mononen, Recast (2009), rcErodeWalkableArea. Recast's distances are bytes that wrap at a
 *   radius of 128 cells.
 * Tried: two sweeps at every radius take 5 to 6 times as long at two cells (`npm run bench -- --only bake
 *   --stages`), a queue of spans by distance is no faster at ten. See docs/notes/voxel.md.
 */
import { AREA_NONE } from '../../../base/constants.ts';
import { createWorkspace } from '../../../base/data/workspace.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import { BATCH } from '../batch.ts';
import { sweepDistance } from './chamfer.ts';
import type { CompactField } from '../types.ts';

/** Removes the area of spans closer to a border than `radiusCells`, in place. */
export function erodeArea(field: CompactField, radiusCells: number, workspace: Workspace = createWorkspace()): void {
  if (radiusCells <= 0) return;
  const { spanCount } = field;
  if (isNarrow(field, radiusCells)) {
    for (let i = 0; i < spanCount; i += BATCH) {
      erodeFromBorders(field, radiusCells === 2, i, Math.min(i + BATCH, spanCount));
    }
    return;
  }
  erodeByDistance(field, radiusCells, borderDistance(field, workspace));
}

/** Returns whether only borders and the spans around them are too close. @internal */
export function isNarrow(
  { area, walkableClimbCells, walkableHeightCells }: CompactField,
  radiusCells: number,
): boolean {
  // Connections must hold both ways (compact.ts).
  return radiusCells <= 2 && walkableClimbCells < walkableHeightCells && area.indexOf(AREA_NONE) === -1;
}

/** Returns twice the distance of each span from a border, in cells, from index 1 on. It serves any radius. @internal */
export function borderDistance(field: CompactField, workspace: Workspace): Uint16Array {
  const { spanCount, columnStart, width, area } = field;
  const isWhole = area.indexOf(AREA_NONE) === -1;
  // Walkable spans are of one kind. Others differ from all their neighbors, so that each of them is a border.
  const kinds = new Uint8Array(spanCount).fill(2);
  for (let c = 0; !isWhole && c < columnStart.length - 1; c++) {
    for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
      if (area[i] === AREA_NONE) kinds[i] = ((c % width) + ((c / width) | 0)) & 1;
    }
  }
  return sweepDistance(field, kinds, workspace).distance;
}

/** Removes the area of spans closer to a border than `radiusCells`. @internal */
export function erodeByDistance({ spanCount, area }: CompactField, radiusCells: number, distance: Uint16Array): void {
  for (let i = 0; i < spanCount; i++) if (distance[i + 1] < radiusCells * 2) area[i] = AREA_NONE;
}

/** Removes the borders among spans first .. end - 1, and if `isWide` the eight spans around each. */
function erodeFromBorders(field: CompactField, isWide: boolean, first: number, end: number): void {
  const { area, neighbor } = field;
  for (let i = first; i < end; i++) {
    if ((neighbor[4 * i] | neighbor[4 * i + 1] | neighbor[4 * i + 2] | neighbor[4 * i + 3]) >= 0) continue;
    area[i] = AREA_NONE;
    if (!isWide) continue;
    for (let dir = 0; dir < 4; dir++) {
      const side = neighbor[4 * i + dir];
      if (side === -1) continue;
      area[side] = AREA_NONE;
      // Two routes lead to a corner. Walked back from the corner, this is the route along which the sweeps look.
      const corner = neighbor[4 * side + ((dir + 1) & 3)];
      if (corner !== -1) area[corner] = AREA_NONE;
    }
  }
}
