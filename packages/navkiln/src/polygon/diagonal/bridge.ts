/**
 * Joins each hole to what is around it by a bridge: a line that crosses nothing and lies strictly within a corner at either end.
 *
 * in: `Faces` of walls. out: the same with a line for each hole that touches no outline, so that each face has one loop around
 * it. Holes come from left to right, and each takes the cheapest line (`seekLine`: short, and not along a wall) from any of its
 * corners to an outline or to a hole that came before. There always is one: a ray to the left from the hole's leftmost corner
 * ends at an edge, and in the triangle up to that edge's left end all corners are of outlines or of holes before. Cost: 2 to
 * 7 ms for 1,000 holes of 10,000 points; at worst the square of a hole's points, when it lies far from everything: 0.8 s for one
 * of 10,000 points whose outline is a square.
 *
 * Based on: David Eberly, Triangulation by ear clipping, 2002 (holes in that order, from their extreme vertices only). Tried and
 * lost: a shortest spanning tree, by the smallest tree's shortest line (Otakar Borůvka, O jistém problému minimálním, 1926):
 * 5 to 15 times the time on maps of 1,000 holes, as joined holes search again.
 */
import { addLine } from './faces.ts';
import type { Faces } from './types.ts';
import type { FaceGrid } from './types.ts';
import { seekLine } from './seek.ts';
import type { LineWeights, Seek } from './seek.ts';

/** Adds the bridges; returns how many. */
export function bridgeHoles(faces: Faces, grid: FaceGrid, taste: LineWeights): number {
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
      seekLine(seek, faces, grid, h, taste, { isTied, hasTied });
      h = next[h];
    } while (h !== first);
    if (seek.to < 0) throw new Error('bridgeHoles: a hole sees nothing; this is a bug of navkiln');
    const e = addLine(faces, grid, seek.from, seek.to);
    isTied[e] = 1;
    tie(e + 1);
  }
  return holes.length;
}

/** The edge that starts at each hole's leftmost point, lowest of equals, from left to right. */
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
