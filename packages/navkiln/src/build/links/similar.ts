/**
 * Leaves out links that are similar to better ones.
 *
 * A candidate is dropped if a better one of another run is nearer than `spacing` to all four of its corners, leads in all its directions
 * and allows all its sizes. So a wide link replaces narrow links anywhere along it. The comparison is with all candidates, including
 * dropped ones. So the order does not matter, and a change affects only links nearby.
 *
 * In: candidates with ids. Out: the remaining candidates.
 * Cost: O(n log n), and linear in the pairs that are near.
 * Based on: own; the comparison by four corners is common, as in isaac-mason/navcat and Unreal.
 */
import { BACK, OUT } from './runs.ts';
import type { Candidate } from './runs.ts';
import { KINDS } from './types.ts';

/** A candidate, its id, and the distance within which better ones replace it. */
export interface Ranked {
  id: number;
  candidate: Candidate;
  spacing: number;
}

/** Returns the candidates that are not similar to better ones, in their order. */
export function withoutSimilar<T extends Ranked>(all: readonly T[]): T[] {
  const most = all.reduce((widest, { spacing }) => Math.max(widest, spacing), 0);
  const from = all.map(({ candidate: { corners } }) => Math.min(corners[0], corners[3], corners[6], corners[9]));
  const to = all.map(({ candidate: { corners } }) => Math.max(corners[0], corners[3], corners[6], corners[9]));
  const byX = all.map((_, i) => i).sort((i, j) => from[i] - from[j] || all[i].id - all[j].id);
  const isOut = new Uint8Array(all.length);
  for (let u = 0; u < byX.length; u++) {
    for (let v = u + 1; v < byX.length && from[byX[v]] - to[byX[u]] < most; v++) {
      const [i, j] = [byX[u], byX[v]];
      const [a, b] = [all[i], all[j]];
      if (
        a.candidate.wall === b.candidate.wall &&
        a.candidate.run === b.candidate.run &&
        a.candidate.kind === b.candidate.kind
      )
        continue;
      const isFirst = isBetter(a, b);
      const [good, bad] = isFirst ? [a, b] : [b, a];
      if ((bad.candidate.sizes & ~good.candidate.sizes) !== 0) continue;
      const turn = turnOf(good.candidate, bad.candidate, bad.spacing);
      if (turn === 0) continue;
      const wanted = turn < 0 ? turned(bad.candidate.directions) : bad.candidate.directions;
      if ((good.candidate.directions & wanted) === wanted) isOut[isFirst ? j : i] = 1;
    }
  }
  return all.filter((_, i) => isOut[i] === 0);
}

function turned(directions: number): number {
  return ((directions & OUT) !== 0 ? BACK : 0) | ((directions & BACK) !== 0 ? OUT : 0);
}

/**
 * Returns whether a is better than b. Two directions are better than one; after that come the kind earlier in `KINDS`, the larger width,
 * the shorter distance, and the smaller id.
 */
export function isBetter(a: Ranked, b: Ranked): boolean {
  const [p, q] = [a.candidate, b.candidate];
  const count = (directions: number): number => (directions === (OUT | BACK) ? 2 : 1);
  return (
    (count(q.directions) - count(p.directions) ||
      KINDS.indexOf(p.kind) - KINDS.indexOf(q.kind) ||
      q.width - p.width ||
      p.distance - q.distance ||
      a.id - b.id) < 0
  );
}

/** Returns 1 if link p is near all corners of q, -1 if it is so with its start and end exchanged, else 0. */
function turnOf({ corners: p }: Candidate, { corners: q }: Candidate, spacing: number): number {
  for (const turn of [1, -1]) {
    const start = turn === 1 ? 0 : 6;
    if (isNear(p, start, q, 0, spacing) && isNear(p, start, q, 3, spacing)) return turn;
  }
  return 0;
}

/**
 * Returns whether q's corners at `side` of both ends are near p, at one share of p's ends. `start` is the offset of the end of p that
 * belongs to q's start.
 */
function isNear(p: Float64Array, start: number, q: Float64Array, side: number, spacing: number): boolean {
  const ux = p[start + 3] - p[start];
  const uz = p[start + 5] - p[start + 2];
  const lengthSq = ux * ux + uz * uz;
  const along = (q[side] - p[start]) * ux + (q[side + 2] - p[start + 2]) * uz;
  const share = lengthSq > 0 ? Math.min(Math.max(along / lengthSq, 0), 1) : 0;
  for (let end = 0; end <= 6; end += 6) {
    const from = end === 0 ? start : 6 - start;
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const d = p[from + k] + share * (p[from + 3 + k] - p[from + k]) - q[end + side + k];
      sum += d * d;
    }
    if (!(sum < spacing * spacing)) return false;
  }
  return true;
}
