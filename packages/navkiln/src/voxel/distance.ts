/**
 * Distance field: how far each span is from the border of its area, in half cells; smoothed. Only watershed needs it.
 *
 * Input: CompactField with final areas. Output: `distance` and `maxDistance` (of the field before it was smoothed, as in
 * Recast). A border is a span without four neighbours of its own area. Cost: four passes over the spans.
 *
 * Based on: Mikko Mononen, Recast (2009), rcBuildDistanceField.
 */
import { createWorkspace, takeUint16 } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import { sweepDistance } from './chamfer.ts';
import type { CompactField } from './types.ts';

export function buildDistanceField(field: CompactField, workspace: Workspace = createWorkspace()): void {
  const { spanCount, area, neighbor } = field;
  const raw = takeUint16(workspace, 'distance.raw', spanCount);
  for (let i = 0; i < spanCount; i++) {
    const own = area[i]!;
    const a = neighbor[4 * i]!, b = neighbor[4 * i + 1]!, c = neighbor[4 * i + 2]!, d = neighbor[4 * i + 3]!;
    const inner = a !== -1 && area[a] === own && b !== -1 && area[b] === own
      && c !== -1 && area[c] === own && d !== -1 && area[d] === own;
    raw[i] = inner ? 0xffff : 0;
  }
  sweepDistance(field, raw, 0xffff);
  let max = 0;
  for (let i = 0; i < spanCount; i++) if (raw[i]! > max) max = raw[i]!;
  field.maxDistance = max;
  field.distance = blur(field, raw, takeUint16(workspace, 'field.distance', spanCount));
}

/** 3 x 3 box blur of what is more than a cell away from the border; a missing neighbour counts as the span itself. */
function blur(field: CompactField, raw: Uint16Array, out: Uint16Array): Uint16Array {
  const { spanCount, neighbor } = field;
  for (let i = 0; i < spanCount; i++) {
    const own = raw[i]!;
    if (own <= 2) {
      out[i] = own;
      continue;
    }
    let sum = own;
    for (let dir = 0; dir < 4; dir++) {
      const a = neighbor[4 * i + dir]!;
      if (a === -1) {
        sum += own * 2;
        continue;
      }
      const b = neighbor[4 * a + ((dir + 1) & 3)]!;
      sum += raw[a]! + (b === -1 ? own : raw[b]!);
    }
    out[i] = ((sum + 5) / 9) | 0;
  }
  return out;
}
