/**
 * Erode: ground closer to a border than the agent's radius loses its area. In place; three passes over the spans.
 *
 * A border is a span without four walkable neighbours. Distances saturate just above the radius, for only the comparison
 * matters; bytes serve up to a radius of 126 cells, words beyond (Recast's bytes wrap at 128 and erode nothing).
 *
 * Based on: Mikko Mononen, Recast (2009), rcErodeWalkableArea.
 */
import { AREA_NONE } from '../constants.ts';
import { createWorkspace, takeUint16, takeUint8 } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import { sweepDistance } from './chamfer.ts';
import type { CompactField } from './types.ts';

export function erodeArea(field: CompactField, radiusCells: number, workspace: Workspace = createWorkspace()): void {
  if (radiusCells <= 0) return;
  const { spanCount, area, neighbor } = field;
  const threshold = radiusCells * 2;
  const limit = threshold < 0xff ? 0xff : 0xffff;
  const distance = limit === 0xff
    ? takeUint8(workspace, 'distance.raw', spanCount) : takeUint16(workspace, 'distance.raw', spanCount);
  for (let i = 0; i < spanCount; i++) {
    const a = neighbor[4 * i]!, b = neighbor[4 * i + 1]!, c = neighbor[4 * i + 2]!, d = neighbor[4 * i + 3]!;
    const inner = area[i] !== AREA_NONE
      && a !== -1 && area[a] !== AREA_NONE && b !== -1 && area[b] !== AREA_NONE
      && c !== -1 && area[c] !== AREA_NONE && d !== -1 && area[d] !== AREA_NONE;
    distance[i] = inner ? limit : 0;
  }
  sweepDistance(field, distance, limit);
  for (let i = 0; i < spanCount; i++) if (distance[i]! < threshold) area[i] = AREA_NONE;
}
