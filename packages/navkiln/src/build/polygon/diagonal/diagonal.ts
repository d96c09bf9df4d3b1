/**
 * Cuts a polygon map by the classic method: bridges to holes, cuts at concave corners, and removal of lines that are
 * not needed.
 *
 * No vertex is added: every line runs from corner to corner. Each stage is a file; all share the half-edges
 * of faces.ts. It takes longer than triangulating and merging and gives up to a sixth fewer pieces (`npm run
 * bench -- --only polygons`).
 *
 * In: clean `Rings`: outlines counter-clockwise, holes clockwise, touching at most.
 * Out: `ConvexPieces` that meet corner to corner and fill exactly the inside, and the lines of each stage for
 * pictures.
 * Cost: near-linear on usual maps; quadratic where many corners see many others, up to the budget.
 * Based on: the polygon-map pipeline of game tutorials (bridges to holes, cuts at concave corners, lines
 * removed longest first, at most ten corners per piece).
 */
import { checkFinite, checkObject, checkRecord, refuse } from '../../../base/data/refuse.ts';
import { createPolygonBudget } from '../../../base/plane/budget.ts';
import type { PolygonBudget } from '../../../base/plane/budget.ts';
import { bridgeHoles } from './bridge.ts';
import { cutConcaveCorners, cutLargeFaces } from './cut.ts';
import { createFaces } from './faces.ts';
import { dropStraightCorners, piecesOf, removeLines } from './join.ts';
import { untangleRings } from './untangle.ts';
import type { LineWeights } from './seek.ts';
import type { ConvexPieces, Rings } from '../../../base/plane/types.ts';

/** Weights that rank lines by length alone, as the classic does; for comparison. */
export const PLAIN_WEIGHTS: LineWeights = { stillConcave: 1, curesBoth: 1, sharpest: 1, sharpSine: 1 };
/** The default weights of the mode 'diagonal'. */
export const DIAGONAL_WEIGHTS: LineWeights = { stillConcave: 2, curesBoth: 0.7, sharpest: 4, sharpSine: 0.4 };
export const DIAGONAL_MAX_VERTICES = 10;

/** Result of `cutByDiagonals`. */
export interface DiagonalCuts {
  pieces: ConvexPieces;
  /** Four numbers per line, x and y of its ends: first the bridges, then the cuts. */
  lines: Int32Array;
  bridgeCount: number;
  /** For each line: 1 when it was removed. */
  isGone: Uint8Array;
  /**
   * Why the rings had to be untangled first: one sentence with a position in grid cells. '': they were clean.
   */
  problem: string;
}

/**
 * Cuts rings to convex pieces. Throws a RangeError when `maxVertices` is below 3. Rings that cross are
 * untangled first.
 *
 * @param budget charged for the search for lines; default: without a limit
 */
export function cutByDiagonals(
  rings: Rings,
  maxVertices: number = DIAGONAL_MAX_VERTICES,
  weights: LineWeights = DIAGONAL_WEIGHTS,
  budget: PolygonBudget = createPolygonBudget(Infinity),
): DiagonalCuts {
  checkFinite('cutByDiagonals', 'maxVertices', maxVertices);
  if (!(maxVertices >= 3)) refuse('cutByDiagonals', 'maxVertices', maxVertices, '3 or more');
  checkObject('cutByDiagonals', 'weights', weights);
  for (const key of Object.keys(DIAGONAL_WEIGHTS) as (keyof LineWeights)[])
    checkFinite('cutByDiagonals', `weights.${key}`, weights[key]);
  checkRecord('cutByDiagonals', 'rings', rings, 'start', 'Rings');
  let made = createFaces(rings, budget);
  const problem = made.problem;
  if (problem !== '') {
    made = createFaces(untangleRings(rings, budget), budget);
    if (made.problem !== '')
      throw new Error(`cutByDiagonals: untangled rings: ${made.problem}; this is a bug in navkiln`);
  }
  const { faces, grid } = made;
  const bridgeCount = bridgeHoles(faces, grid, weights);
  cutConcaveCorners(faces, grid, weights);
  dropStraightCorners(faces);
  cutLargeFaces(faces, maxVertices);
  const { wallCount, halfEdgeCount, origin, xs, ys } = faces;
  const lines = new Int32Array(2 * (halfEdgeCount - wallCount));
  for (let h = wallCount; h < halfEdgeCount; h++) {
    lines[2 * (h - wallCount)] = xs[origin[h]];
    lines[2 * (h - wallCount) + 1] = ys[origin[h]];
  }
  const isGone = removeLines(faces, maxVertices);
  return { pieces: piecesOf(faces), lines, bridgeCount, isGone, problem };
}
