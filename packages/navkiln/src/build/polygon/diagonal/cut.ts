/**
 * Cuts faces into convex ones: a line from each concave corner, the cheapest line of all first.
 *
 * The best line of each concave corner (`seekLine`) waits in a heap. When its turn comes and other lines are
 * in the way by then, the corner searches again. Convex faces with too many corners are halved by the
 * shortest line between opposite corners.
 *
 * In: `Faces` with one loop each.
 * Out: the same with lines until no corner is wider than 180 degrees and no face has more than `maxVertices`
 * corners.
 * Cost: near-linear where corners see others nearby; quadratic where many corners see many others.
 * Based on: Mark Bayazit, Decomposing polygons into convex regions (web page, 2009): the shortest cut first,
 * into the opposite cone. Cuts there may end in new vertices; here they never do, so pieces meet corner to
 * corner.
 */
import { createMinHeap, popItem, pushItem } from '../../../base/data/min-heap.ts';
import { addLine, isConcave, isWithinCorner } from './faces.ts';
import type { Faces } from './types.ts';
import { isWayFree, putEdge } from './grid.ts';
import type { FaceGrid } from './types.ts';
import { factorOf, seekLine } from './seek.ts';
import type { LineWeights, Seek } from './seek.ts';

/** Adds the cuts and returns their number. */
export function cutConcaveCorners(faces: Faces, grid: FaceGrid, weights: LineWeights): number {
  const { origin, xs, ys } = faces;
  const heap = createMinHeap();
  const costs = new Float64Array(origin.length);
  const targets = new Int32Array(origin.length);
  const seek: Seek = { cost: 0, from: -1, to: -1 };
  const queue = (h: number): void => {
    if (!isConcave(faces, h)) return;
    seek.cost = Infinity;
    seek.from = seek.to = -1;
    seekLine(seek, faces, grid, h, weights);
    if (seek.to < 0) throw new Error('cutConcaveCorners: a concave corner sees nothing; this is a bug in navkiln');
    costs[h] = seek.cost;
    targets[h] = seek.to;
    pushItem(heap, h, costs);
  };
  const firstCount = faces.halfEdgeCount;
  for (let h = 0; h < firstCount; h++) queue(h);
  while (heap.count > 0) {
    const h = popItem(heap);
    const k = targets[h];
    if (!isConcave(faces, h)) continue;
    const v = origin[h];
    const w = origin[k];
    const dx = xs[w] - xs[v];
    const dy = ys[w] - ys[v];
    const isStill =
      isWithinCorner(faces, h, w) &&
      isWithinCorner(faces, k, v) &&
      Math.sqrt(dx * dx + dy * dy) * factorOf(faces, h, k, weights, false) <= costs[h] &&
      isWayFree(grid, faces, v, w);
    if (!isStill) {
      queue(h);
      continue;
    }
    const e = addLine(faces, h, k);
    putEdge(grid, faces, e);
    queue(h);
    queue(e);
    queue(k);
    queue(e + 1);
  }
  return (faces.halfEdgeCount - firstCount) >> 1;
}

/** Halves convex faces of more than `maxVertices` corners. Returns the number of lines. */
export function cutLargeFaces(faces: Faces, maxVertices: number): number {
  const { next } = faces;
  const seen = new Uint8Array(faces.origin.length);
  const firstCount = faces.halfEdgeCount;
  for (let first = 0; first < firstCount; first++) {
    if (seen[first] === 1 || next[first] < 0) continue;
    const large = [first];
    while (large.length > 0) {
      const start = large.pop()!;
      const corners: number[] = [];
      let h = start;
      do {
        seen[h] = 1;
        corners.push(h);
        h = next[h];
      } while (h !== start);
      if (corners.length > maxVertices) {
        const e = halve(faces, corners);
        large.push(e, e + 1);
      }
    }
  }
  return (faces.halfEdgeCount - firstCount) >> 1;
}

/** Returns the shortest line to the opposite corner that does not run along a side. */
function halve(faces: Faces, corners: number[]): number {
  const { origin, xs, ys } = faces;
  const count = corners.length;
  const half = count >> 1;
  let best = -1;
  let bestSq = Infinity;
  let bestLow = -1;
  for (let i = 0; i < count; i++) {
    const h = corners[i];
    const k = corners[(i + half) % count];
    const v = origin[h];
    const w = origin[k];
    if (!isWithinCorner(faces, h, w) || !isWithinCorner(faces, k, v)) continue;
    const dx = xs[w] - xs[v];
    const dy = ys[w] - ys[v];
    const lengthSq = dx * dx + dy * dy;
    const low = Math.min(v, w);
    if (lengthSq > bestSq || (lengthSq === bestSq && low >= bestLow)) continue;
    best = i;
    bestSq = lengthSq;
    bestLow = low;
  }
  if (best < 0) throw new Error('cutLargeFaces: a convex face has no line across; this is a bug in navkiln');
  return addLine(faces, corners[best], corners[(best + half) % count]);
}
