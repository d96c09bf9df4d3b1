/**
 * Cuts the walkable surface into strips, row by row: the first half of monotone and layer partitioning.
 *
 * A run of connected spans joins the strip of the row before when it meets that strip alone, and the strip
 * meets this run alone. Meetings are counted per stretch of spans, not per span.
 *
 * In: CompactField with areas. Out: a strip id per span, from 1.
 * Cost: two passes over the spans.
 * Based on: Mikko Mononen, Recast (2009), rcBuildRegionsMonotone. Recast has room for as many runs as a row
 *   has columns, which stacked floors can exceed; here runs are counted as they come.
 */
import { AREA_NONE } from '../../../base/constants.ts';
import { paintBorder } from './border.ts';
import { BORDER_REGION } from '../types.ts';
import type { CompactField } from '../types.ts';

/** The runs of the current row, numbered from 1, and the strips of the row before that they meet. */
interface Sweep {
  /** The only strip that a run meets; 0: none, -1: several. */
  strips: number[];
  /** Spans of a run that meet this strip. */
  counts: number[];
  /** Spans of this row that meet a strip, by strip. */
  meetings: Int32Array;
  /** Strips with meetings in this row. */
  met: number[];
}

/** Fills the strip of each span. Returns the first free id. */
export function sweepRows(field: CompactField, region: Int32Array): number {
  const { width, depth, borderCells, columnStart, area, neighbor } = field;
  let nextId = 1 + paintBorder(field, region);
  // There are no more strips than spans and border regions. Pages that are never touched take no memory.
  const meetings = new Int32Array(field.spanCount + 5);
  for (let z = borderCells; z < depth - borderCells; z++) {
    const sweep: Sweep = { strips: [0], counts: [0], meetings, met: [] };
    const { strips, counts, met } = sweep;
    const begin = columnStart[borderCells + z * width];
    const end = columnStart[width - borderCells + z * width];
    // Consecutive spans of one run that meet one strip are counted together.
    let lastRun = 0;
    let lastStrip = 0;
    let count = 0;
    for (let i = begin; i < end; i++) {
      const own = area[i];
      if (own === AREA_NONE) continue;
      const west = neighbor[4 * i];
      const north = neighbor[4 * i + 3];
      let run = 0;
      if (west !== -1 && area[west] === own && region[west] < BORDER_REGION) run = region[west];
      if (run === 0) {
        run = strips.push(0) - 1;
        counts.push(0);
      }
      region[i] = run;
      if (north === -1 || area[north] !== own) continue;
      const strip = region[north];
      if (strip === 0 || strip >= BORDER_REGION) continue;
      if (run !== lastRun || strip !== lastStrip) {
        meet(sweep, lastRun, lastStrip, count);
        lastRun = run;
        lastStrip = strip;
        count = 0;
      }
      count++;
    }
    meet(sweep, lastRun, lastStrip, count);
    const ids = strips.map((strip, run) => (strip > 0 && meetings[strip] === counts[run] ? strip : run && nextId++));
    for (const strip of met) meetings[strip] = 0;
    for (let i = begin; i < end; i++) {
      const run = region[i];
      if (run < BORDER_REGION) region[i] = ids[run];
    }
  }
  return nextId;
}

/** Notes that `count` spans of a run meet a strip of the row before. */
function meet(sweep: Sweep, run: number, strip: number, count: number): void {
  if (count === 0) return;
  const { strips, counts, meetings, met } = sweep;
  if (strips[run] !== 0 && strips[run] !== strip) {
    strips[run] = -1;
    return;
  }
  strips[run] = strip;
  counts[run] += count;
  if (meetings[strip] === 0) met.push(strip);
  meetings[strip] += count;
}
