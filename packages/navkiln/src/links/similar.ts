/**
 * Leaves out links that are much like better ones.
 *
 * A candidate goes when a better one of another run lies within `spacing` at all four corners, leads in all its directions and is for all
 * its sizes. It is compared with candidates, not with those that stay, so the order does not matter and a change has effects near it only.
 *
 * In: candidates with ids. Out: those that stay.
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
  const byX = all.map((_, i) => i).sort((i, j) => middleX(all[i]) - middleX(all[j]) || all[i].id - all[j].id);
  const isOut = new Uint8Array(all.length);
  for (let u = 0; u < byX.length; u++) {
    for (let v = u + 1; v < byX.length && middleX(all[byX[v]]) - middleX(all[byX[u]]) < most; v++) {
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

function middleX({ candidate: { corners } }: Ranked): number {
  return (corners[0] + corners[3] + corners[6] + corners[9]) / 4;
}

function turned(directions: number): number {
  return ((directions & OUT) !== 0 ? BACK : 0) | ((directions & BACK) !== 0 ? OUT : 0);
}

/** Returns whether a is better: two directions beat one, then kinds in their order, then the wider one, the shorter one, the smaller id. */
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

/** Returns 1 when all corners are near, -1 when they are with start and end exchanged, else 0. */
function turnOf({ corners: p }: Candidate, { corners: q }: Candidate, spacing: number): number {
  for (const turn of [1, -1]) {
    for (const flip of [0, 3]) {
      let isNear = true;
      for (let end = 0; end < 2 && isNear; end++) {
        const other = turn === 1 ? end : 1 - end;
        for (let side = 0; side < 2 && isNear; side++) {
          const at = 6 * end + 3 * side;
          const to = 6 * other + (flip === 0 ? 3 * side : 3 - 3 * side);
          const x = p[at] - q[to];
          const y = p[at + 1] - q[to + 1];
          const z = p[at + 2] - q[to + 2];
          isNear = x * x + y * y + z * z < spacing * spacing;
        }
      }
      if (isNear) return turn;
    }
  }
  return 0;
}
