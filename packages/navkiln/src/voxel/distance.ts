/**
 * Distance field: how far each span is from the border of its area, in half cells; smoothed. Only watershed needs it.
 *
 * Input: CompactField with final areas. Output: `distance` and `maxDistance` (of the field before it was smoothed, as in
 * Recast). A border is a span without four neighbours of its own area. Cost: that of the sweeps (chamfer.ts) and one pass
 * over the spans to smooth; what is more than a cell away from the border has all its eight neighbours, and along a run the
 * sums of three columns are handed on, so that one in three is new: 0.5 of nine look-ups.
 *
 * Based on: Mikko Mononen, Recast (2009), rcBuildDistanceField.
 */
import { createWorkspace } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import { sweepDistance } from './chamfer.ts';
import { takeSlot } from './memory.ts';
import type { CompactField } from './types.ts';

export function buildDistanceField(field: CompactField, workspace: Workspace = createWorkspace()): void {
  const { spanCount } = field;
  const { distance: raw, runCount, runs } = sweepDistance(field, field.area, workspace);
  const out = takeSlot(workspace, 'field.distance', spanCount);
  let at = 0;
  let max = 0;
  for (let r = 0; r < 4 * runCount; r += 4) {
    const begin = runs[r];
    const end = runs[r + 1];
    max = blur(field, raw, out, at, begin, max);
    max = blurAlong(raw, out, begin, end, runs[r + 2], runs[r + 3], max);
    at = end;
  }
  field.maxDistance = blur(field, raw, out, at, spanCount, max);
  field.distance = out;
}

/** 3 x 3 box blur of what is more than a cell away from the border. Returns the largest of what it reads and of `max`. */
function blur(
  field: CompactField,
  raw: Uint16Array,
  out: Uint16Array,
  begin: number,
  end: number,
  max: number,
): number {
  const { neighbor } = field;
  for (let i = begin; i < end; i++) {
    const own = raw[i + 1];
    if (own > max) max = own;
    if (own <= 2) {
      out[i] = own;
      continue;
    }
    const a = neighbor[4 * i];
    const b = neighbor[4 * i + 1];
    const c = neighbor[4 * i + 2];
    const d = neighbor[4 * i + 3];
    const sum =
      own +
      raw[a + 1] +
      raw[b + 1] +
      raw[c + 1] +
      raw[d + 1] +
      raw[neighbor[4 * a + 1] + 1] +
      raw[neighbor[4 * b + 2] + 1] +
      raw[neighbor[4 * c + 3] + 1] +
      raw[neighbor[4 * d] + 1];
    out[i] = ((sum + 5) / 9) | 0;
  }
  return max;
}

/** The same along a run (see chamfer.ts). */
function blurAlong(
  raw: Uint16Array,
  out: Uint16Array,
  begin: number,
  end: number,
  toNorth: number,
  toSouth: number,
  max: number,
): number {
  let before = raw[begin] + raw[begin + toNorth] + raw[begin + toSouth];
  let own = raw[begin + 1];
  let here = own + raw[begin + toNorth + 1] + raw[begin + toSouth + 1];
  for (let i = begin; i < end; i++) {
    const next = raw[i + 2];
    const after = next + raw[i + toNorth + 2] + raw[i + toSouth + 2];
    if (own > max) max = own;
    out[i] = own <= 2 ? own : ((before + here + after + 5) / 9) | 0;
    own = next;
    before = here;
    here = after;
  }
  return max;
}
