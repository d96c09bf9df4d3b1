/**
 * Row sweep: cuts the ground into strips, row by row; a run of connected spans joins the strip of the row before when it
 * meets that strip alone and the strip meets this run alone. The first half of monotone and layer partitioning.
 *
 * Input: CompactField with areas. Output: a strip id a span, from 1; returns the first free id. Cost: two passes over the
 * spans. Recast wipes an array of all ids in every row and has room for as many runs as a row has columns, which stacked
 * floors can exceed; here runs are counted as they come and the ids of the row before are reset one by one.
 * Meetings are counted by stretches: with a look-up for each span the stage took up to 1.2 times as long.
 *
 * Based on: Mikko Mononen, Recast (2009), rcBuildRegionsMonotone.
 */
import { AREA_NONE } from '../constants.ts';
import { paintBorder } from './regions-border.ts';
import { BORDER_REGION } from './types.ts';
import type { CompactField } from './types.ts';

/** A run met several strips of the row before. */
const SEVERAL = -1;

/** Runs of the row at hand, by number from 1; and what they meet. */
interface Sweep {
  /** The one strip of the row before that a run meets; 0 none, or SEVERAL. */
  runStrip: Int32Array;
  runMeetings: Int32Array;
  runId: Int32Array;
  /** Spans of this row above a strip; strips that have some. */
  meetings: Int32Array;
  met: number[];
}

export function sweepRows(field: CompactField, region: Int32Array): number {
  const { width, depth, borderCells, columnStart, area, neighbor } = field;
  let nextId = 1 + paintBorder(field, region);
  const sweep: Sweep = {
    runStrip: new Int32Array(256), runMeetings: new Int32Array(256), runId: new Int32Array(256),
    meetings: new Int32Array(1024), met: [],
  };
  for (let z = borderCells; z < depth - borderCells; z++) {
    let runs = 1;
    for (const id of sweep.met) sweep.meetings[id] = 0;
    sweep.met.length = 0;
    const begin = columnStart[borderCells + z * width]!;
    const end = columnStart[width - borderCells + z * width]!;
    // Spans of one run beside one strip follow each other; they are counted together.
    let lastRun = 0, lastStrip = 0, count = 0;
    for (let i = begin; i < end; i++) {
      const own = area[i]!;
      if (own === AREA_NONE) continue;
      const west = neighbor[4 * i]!, north = neighbor[4 * i + 3]!;
      let run = 0;
      if (west !== -1 && area[west] === own && region[west]! < BORDER_REGION) run = region[west]!;
      if (run === 0) run = openRun(sweep, runs++);
      region[i] = run;
      if (north === -1 || area[north] !== own) continue;
      const strip = region[north]!;
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
    const { runStrip, runMeetings, runId, meetings } = sweep;
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

function openRun(sweep: Sweep, run: number): number {
  if (run >= sweep.runStrip.length) {
    sweep.runStrip = grown(sweep.runStrip);
    sweep.runMeetings = grown(sweep.runMeetings);
    sweep.runId = grown(sweep.runId);
  }
  sweep.runStrip[run] = 0;
  sweep.runMeetings[run] = 0;
  return run;
}

/** Notes that `count` spans of a run are beside a strip of the row before. */
function meet(sweep: Sweep, run: number, strip: number, count: number): void {
  if (count === 0) return;
  const { runStrip, runMeetings } = sweep;
  if (runStrip[run] !== 0 && runStrip[run] !== strip) {
    runStrip[run] = SEVERAL;
    return;
  }
  runStrip[run] = strip;
  runMeetings[run]! += count;
  while (strip >= sweep.meetings.length) sweep.meetings = grown(sweep.meetings);
  if (sweep.meetings[strip] === 0) sweep.met.push(strip);
  sweep.meetings[strip]! += count;
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
