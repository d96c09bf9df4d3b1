/**
 * Refines the path in a corridor, and leads it around the other side of vertices while that is cheaper.
 *
 * In: a state with a finished search, and its corridor.
 * Out: the corridor and strip of the cheapest path nearby.
 * Cost: a refinement, and one more for each vertex at which the path turns and the other side is open.
 * Based on: own.
 */
import { isLinkCrossing } from '../../mesh/crossing.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { QueryFilter } from '../filter.ts';
import { createCorridor } from '../path/corridor.ts';
import type { Corridor } from '../path/corridor.ts';
import type { PathBuffer } from '../path/find-path.ts';
import { endAt, flipAround } from './flip.ts';
import type { Turn } from './flip.ts';
import { corners, pull, refine, refined } from './refine.ts';
import { INT_STRIDE, NO_WINDOW, NUM_STRIDE, PARENT, ROOT_X, ROOT_Z } from './state.ts';
import type { CheapestState } from './state.ts';
import { END_STRIDE, createStrip, setStrip } from './strip.ts';
import type { Strip } from './strip.ts';

/** Most vertices around which one path is led. */
const MOST_FLIPS = 16;
/** A path is led around a vertex if that saves at least this share of its cost. */
const SAVED = 1e-9;

/** The strip of the path, and one to try. */
const strips = { best: /* @__PURE__ */ createStrip(), tried: /* @__PURE__ */ createStrip() };
let spare: Corridor = /* @__PURE__ */ createCorridor();
const turn: Turn = { first: 0, last: 0, x: 0, z: 0 };
let turns = new Int32Array(64);

/** Refines the path of a search. Returns its strip; `refined` has its cost. May replace `out.corridor`. */
export function settlePath(out: PathBuffer, state: CheapestState, mesh: NavMesh, filter: QueryFilter): Strip {
  const strip = strips.best;
  setStrip(strip, mesh, filter, out.corridor);
  strip.start.set(out.start.point);
  strip.end.set(out.end.point);
  setFirstShares(strip, state);
  refine(strip);
  let isRefined = true;
  for (let k = 0; k < MOST_FLIPS; k++) {
    const best = refined.cost;
    const count = collectTurns(strips.best);
    let isFlipped = false;
    for (let i = 0; i < count && !isFlipped; i++) {
      isFlipped = tryFlip(out, mesh, filter, turns[i], best);
      isRefined = isFlipped;
    }
    if (!isFlipped) {
      refined.cost = best;
      break;
    }
  }
  // The last corridor that was tried has overwritten what `refined` says of the best one.
  if (!isRefined) refine(strips.best);
  return strips.best;
}

/** Sets the share of each joint to where the search turned there. */
function setFirstShares(strip: Strip, state: CheapestState): void {
  const { int, num, targetRoot } = state;
  const isBackward = state.guide !== null;
  const isFound = state.targetWindow !== NO_WINDOW;
  let window = isFound ? state.targetWindow : state.nearest;
  let x = isFound ? targetRoot[0] : strip.end[0];
  let z = isFound ? targetRoot[1] : strip.end[2];
  for (let k = strip.count - 1; k >= 0; k--) {
    const i = isBackward ? strip.count - 1 - k : k;
    if (strip.joint[i] !== 2) {
      const at = END_STRIDE * i + (isBackward ? 0 : 6);
      const dx = strip.ends[at + 3] - strip.ends[at];
      const dz = strip.ends[at + 5] - strip.ends[at + 2];
      const t = ((x - strip.ends[at]) * dx + (z - strip.ends[at + 2]) * dz) / (dx * dx + dz * dz);
      strip.share[i] = t > 0 ? Math.min(t, 1) : 0;
    }
    x = num[NUM_STRIDE * window + ROOT_X];
    z = num[NUM_STRIDE * window + ROOT_Z];
    window = int[INT_STRIDE * window + PARENT];
  }
}

/** Collects the ends of crossings at which the line turns: 2i right, 2i + 1 left. Returns their number. */
function collectTurns(strip: Strip): number {
  const { joint, share } = strip;
  if (turns.length < 2 * strip.count) turns = new Int32Array(4 * strip.count);
  let count = 0;
  for (let from = -1; from < strip.count;) {
    let to = from + 1;
    while (to < strip.count && joint[to] === 0) to++;
    pull(strip, from, to);
    for (let c = 1; c < corners.count - 1; c++) turns[count++] = corners.end[c];
    if (to < strip.count && joint[to] === 1 && (share[to] === 0 || share[to] === 1))
      turns[count++] = 2 * to + share[to];
    from = to;
  }
  return count;
}

/** Leads the corridor around the end of a crossing if that is cheaper than `best`. */
function tryFlip(out: PathBuffer, mesh: NavMesh, filter: QueryFilter, end: number, best: number): boolean {
  const { corridor } = out;
  const { best: strip, tried } = strips;
  const i = end >> 1;
  if (isLinkCrossing(corridor.crossings[i])) return false;
  const at = END_STRIDE * i + 3 * (end & 1);
  turn.x = strip.ends[at];
  turn.z = strip.ends[at + 2];
  turn.first = turn.last = i;
  while (turn.first > 0 && isTurn(mesh, corridor, turn.first - 1)) turn.first--;
  while (turn.last + 1 < strip.count && isTurn(mesh, corridor, turn.last + 1)) turn.last++;
  const steps = flipAround(spare, mesh, filter, corridor, turn);
  if (steps < 0) return false;
  setStrip(tried, mesh, filter, spare);
  tried.start.set(strip.start);
  tried.end.set(strip.end);
  const shift = turn.last - turn.first + 1 - steps;
  for (let k = 0; k < tried.count; k++) {
    if (k < turn.first) tried.share[k] = strip.share[k];
    else if (k >= turn.first + steps) tried.share[k] = strip.share[k + shift];
    else tried.share[k] = endAt(mesh, spare.polys[k], spare.crossings[k], turn) === 1 ? 0 : 1;
  }
  refine(tried);
  if (!(refined.cost < best * (1 - SAVED))) return false;
  strips.best = tried;
  strips.tried = strip;
  out.corridor = spare;
  spare = corridor;
  return true;
}

/** Returns whether the path passes a crossing at the vertex of `turn`. */
function isTurn(mesh: NavMesh, corridor: Corridor, i: number): boolean {
  if (isLinkCrossing(corridor.crossings[i])) return false;
  const end = endAt(mesh, corridor.polys[i], corridor.crossings[i], turn);
  if (end === 0) return false;
  return strips.best.joint[i] === 0 || strips.best.share[i] === end - 1;
}
