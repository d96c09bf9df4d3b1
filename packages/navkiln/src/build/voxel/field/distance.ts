/**
 * Builds the distance field: how far each span is from the border of its area, in half cells, smoothed.
 *
 * Only watershed partitioning needs it. Spans more than a cell away from the border are smoothed by a 3 x 3
 * box blur; all their eight neighbors exist. Along a run (chamfer.ts) the sums of columns are handed on, so
 * that one of three is new.
 *
 * In: CompactField with final areas. Out: `distance` and `maxDistance`, the largest before smoothing, as in
 *   Recast.
 * Cost: that of the sweeps, and one pass over the spans.
 * Based on: Mikko Mononen, Recast (2009), rcBuildDistanceField.
 */
import { createWorkspace } from '../../../base/data/workspace.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import { sweepDistance } from './chamfer.ts';
import { takeSlot } from '../memory.ts';
import type { CompactField } from '../types.ts';

/** Fills `distance` and `maxDistance` of the field. Without a workspace it gets memory of its own. */
export function buildDistanceField(field: CompactField, workspace: Workspace = createWorkspace()): void {
  const { spanCount } = field;
  const { distance: raw, runCount, runs } = sweepDistance(field, field.area, workspace);
  const out = takeSlot(workspace, 'field.distance', spanCount);
  let done = 0;
  let max = 0;
  for (let r = 0; r < 4 * runCount; r += 4) {
    max = blur(field, raw, out, done, runs[r], max);
    max = blurRun(raw, out, runs, r, max);
    done = runs[r + 1];
  }
  field.maxDistance = blur(field, raw, out, done, spanCount, max);
  field.distance = out;
}

/**
 * Smooths spans begin .. end - 1 by their neighbors. Returns the largest distance before smoothing, at least
 * `max`.
 */
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

/** Smooths the spans of run r, as `blur` does. */
function blurRun(raw: Uint16Array, out: Uint16Array, runs: Int32Array, r: number, max: number): number {
  const begin = runs[r];
  const end = runs[r + 1];
  const toNorth = runs[r + 2];
  const toSouth = runs[r + 3];
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
