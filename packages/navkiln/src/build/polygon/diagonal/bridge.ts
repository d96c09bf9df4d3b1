/**
 * Connects each hole to its surroundings by a bridge: a line that crosses nothing and lies strictly inside a
 * corner at both ends.
 *
 * Holes are processed from left to right. Each takes the cheapest line (`seekLine`: short, and not along a
 * wall) from any of its corners to an outline or to an earlier hole. There is always one: a ray to the left
 * from the hole's leftmost corner hits an edge, and in the triangle up to that edge's left end all corners
 * belong to outlines or earlier holes.
 *
 * In: `Faces` of walls.
 * Out: the same with one line for each hole that touches no outline, so that each face has a single loop
 * around it.
 * Cost: near-linear on usual maps; at worst quadratic in the points of a hole that lies far from everything.
 * Based on: David Eberly, Triangulation by ear clipping, 2002 (holes in that order, from their extreme
 * vertices only).
 */
import { addLine } from './faces.ts';
import type { Faces } from './types.ts';
import { putEdge } from './grid.ts';
import type { FaceGrid } from './types.ts';
import { seekLine } from './seek.ts';
import type { LineWeights, Seek } from './seek.ts';

/** Adds the bridges and returns their number. */
export function bridgeHoles(faces: Faces, grid: FaceGrid, weights: LineWeights): number {
  const { wallCount, isOuter, next, origin } = faces;
  const isTied = new Uint8Array(origin.length);
  const hasTied = new Uint8Array(faces.vertexCount);
  const tie = (first: number): void => {
    for (let h = first; isTied[h] === 0; h = next[h]) {
      isTied[h] = 1;
      hasTied[origin[h]] = 1;
    }
  };
  for (let h = 0; h < wallCount; h++) if (isOuter[faces.loopOf[h]] === 1 && isTied[h] === 0) tie(h);
  const seek: Seek = { cost: 0, from: -1, to: -1 };
  const holes = leftmostEdges(faces);
  for (const first of holes) {
    seek.cost = Infinity;
    seek.from = seek.to = -1;
    let h = first;
    do {
      seekLine(seek, faces, grid, h, weights, { isTied, hasTied });
      h = next[h];
    } while (h !== first);
    if (seek.to < 0) throw new Error('bridgeHoles: a hole sees nothing; this is a bug in navkiln');
    const e = addLine(faces, seek.from, seek.to);
    putEdge(grid, faces, e);
    isTied[e] = 1;
    tie(e + 1);
  }
  return holes.length;
}

/** Returns the edge that starts at each hole's leftmost point (the lowest of equals), from left to right. */
function leftmostEdges({ wallCount, loopCount, loopOf, isOuter, origin, xs, ys }: Faces): number[] {
  const isBefore = (g: number, h: number): boolean =>
    xs[origin[g]] < xs[origin[h]] || (xs[origin[g]] === xs[origin[h]] && ys[origin[g]] < ys[origin[h]]);
  const least = new Int32Array(loopCount).fill(-1);
  for (let h = 0; h < wallCount; h++) {
    const best = least[loopOf[h]];
    if (isOuter[loopOf[h]] === 0 && (best < 0 || isBefore(h, best))) least[loopOf[h]] = h;
  }
  return Array.from(least)
    .filter((h) => h >= 0)
    .sort((g, h) => (isBefore(g, h) ? -1 : isBefore(h, g) ? 1 : g - h));
}
