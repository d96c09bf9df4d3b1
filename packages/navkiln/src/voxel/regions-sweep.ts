/**
 * Row sweep: cuts the ground into strips, row by row; a run of connected spans joins the strip of the row before when it
 * meets that strip alone and the strip meets this run alone. The first half of monotone and layer partitioning.
 *
 * Input: CompactField with areas. Output: a strip id a span, from 1; returns the first free id. Cost: two passes over the
 * spans. Recast wipes an array of all ids in every row and has room for as many runs as a row has columns, which stacked
 * floors can exceed; here runs are counted as they come and the ids of the row before are reset one by one.
 *
 * Based on: Mikko Mononen, Recast (2009), rcBuildRegionsMonotone.
 */
import { AREA_NONE } from '../constants.ts';
import { paintBorder } from './regions-border.ts';
import { BORDER_REGION } from './types.ts';
import type { CompactField } from './types.ts';

/** A run met several strips of the row before. */
const SEVERAL = -1;

export function sweepRows(field: CompactField, region: Int32Array): number {
  const { width, depth, borderCells, columnStart, area, neighbor } = field;
  let nextId = 1 + paintBorder(field, region);
  let runStrip = new Int32Array(256);
  let runMeetings = new Int32Array(256);
  let runId = new Int32Array(256);
  // meetings[id]: spans of this row above strip id.
  let meetings = new Int32Array(1024);
  const met: number[] = [];
  for (let z = borderCells; z < depth - borderCells; z++) {
    let runs = 1;
    for (const id of met) meetings[id] = 0;
    met.length = 0;
    const begin = columnStart[borderCells + z * width]!;
    const end = columnStart[width - borderCells + z * width]!;
    for (let i = begin; i < end; i++) {
      const own = area[i]!;
      if (own === AREA_NONE) continue;
      const west = neighbor[4 * i]!;
      let run = 0;
      if (west !== -1 && area[west] === own && region[west]! < BORDER_REGION) run = region[west]!;
      if (run === 0) {
        run = runs++;
        if (run >= runStrip.length) {
          runStrip = grown(runStrip);
          runMeetings = grown(runMeetings);
          runId = grown(runId);
        }
        runStrip[run] = 0;
        runMeetings[run] = 0;
      }
      const north = neighbor[4 * i + 3]!;
      if (north !== -1 && area[north] === own) {
        const strip = region[north]!;
        if (strip !== 0 && strip < BORDER_REGION) {
          if (runStrip[run] === 0 || runStrip[run] === strip) {
            runStrip[run] = strip;
            runMeetings[run]!++;
            while (strip >= meetings.length) meetings = grown(meetings);
            if (meetings[strip]!++ === 0) met.push(strip);
          } else {
            runStrip[run] = SEVERAL;
          }
        }
      }
      region[i] = run;
    }
    for (let run = 1; run < runs; run++) {
      const strip = runStrip[run]!;
      runId[run] = strip > 0 && meetings[strip] === runMeetings[run] ? strip : nextId++;
    }
    for (let i = begin; i < end; i++) {
      const run = region[i]!;
      if (run > 0 && run < BORDER_REGION) region[i] = runId[run]!;
    }
  }
  return nextId;
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
