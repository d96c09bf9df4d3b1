/**
 * The classic way to cut a polygon map: bridge the holes, cut at concave corners along diagonals, take away lines not needed.
 *
 * in: clean `Rings`: outlines counter-clockwise, holes clockwise, touching at most. out: `ConvexPieces` that meet corner to
 * corner and fill exactly the rings' inside, and the lines of each stage for pictures. No vertex is made: every line runs from
 * corner to corner. Each stage is a file; all share the half-edges of diagonal-faces.ts.
 *
 * Cost on 10,000 points: 20 to 60 ms, 120 ms on a coast, whose corners see far: 1.5 to 14 times as long as triangulating and
 * merging. It gives 0.83 to 1.01 times the pieces.
 *
 * Based on: the polygon-map pipeline of game tutorials (bridges to holes, cuts at concave corners, lines removed longest first,
 * at most ten corners a piece). Tried and lost, on 178 maps: lines by length alone (`PLAIN_TASTE`), 1.05 times the pieces and
 * 1.8 times the corners below 10 degrees in 0.8 of the time; without asking for sharp angles, 1.02 and 1.6 times; without the
 * bonus for curing both ends 1.01 and 1.04 times; angles up to 45 degrees taken for sharp, as many pieces and 1.08 times.
 */
import { bridgeHoles } from './bridge.ts';
import { cutConcaveCorners, cutLargeFaces } from './cut.ts';
import { createFaces } from './faces.ts';
import { dropStraightCorners, piecesOf, removeLines } from './join.ts';
import { untangleRings } from './untangle.ts';
import type { LineWeights } from './seek.ts';
import type { ConvexPieces, Rings } from '../types.ts';

/** Lines by length alone, as the classic has it: to compare with. */
export const PLAIN_TASTE: LineWeights = { stillConcave: 1, curesBoth: 1, sharpest: 1, sharpSine: 1 };
export const DIAGONAL_WEIGHTS: LineWeights = { stillConcave: 2, curesBoth: 0.7, sharpest: 4, sharpSine: 0.4 };
export const DIAGONAL_MAX_VERTICES = 10;

export interface DiagonalCuts {
  pieces: ConvexPieces;
  /** Four numbers a line, x and y of its ends: first the bridges, then the cuts. */
  lines: Int32Array;
  bridgeCount: number;
  /** Of each line: 1 when it was taken away again. */
  isGone: Uint8Array;
  /** Why the rings had to be untangled first: one sentence with a place in grid cells. '': they were fine. */
  problem: string;
}

/** Throws a `RangeError` when `maxVertices` is below 3. Rings that cross are untangled first. */
export function cutByDiagonals(
  rings: Rings,
  maxVertices: number = DIAGONAL_MAX_VERTICES,
  taste: LineWeights = DIAGONAL_WEIGHTS,
): DiagonalCuts {
  if (!(maxVertices >= 3)) {
    throw new RangeError(`cutByDiagonals: maxVertices is ${maxVertices}; give a whole number of at least 3`);
  }
  let made = createFaces(rings);
  const problem = made.problem;
  if (problem !== '') {
    made = createFaces(untangleRings(rings));
    if (made.problem !== '')
      throw new Error(`cutByDiagonals: untangled rings: ${made.problem}; this is a bug of navkiln`);
  }
  const { faces, grid } = made;
  const bridgeCount = bridgeHoles(faces, grid, taste);
  cutConcaveCorners(faces, grid, taste);
  dropStraightCorners(faces);
  cutLargeFaces(faces, grid, maxVertices);
  const { wallCount, halfEdgeCount, origin, xs, ys } = faces;
  const lines = new Int32Array(2 * (halfEdgeCount - wallCount));
  for (let h = wallCount; h < halfEdgeCount; h++) {
    lines[2 * (h - wallCount)] = xs[origin[h]];
    lines[2 * (h - wallCount) + 1] = ys[origin[h]];
  }
  const isGone = removeLines(faces, maxVertices);
  return { pieces: piecesOf(faces), lines, bridgeCount, isGone, problem };
}
