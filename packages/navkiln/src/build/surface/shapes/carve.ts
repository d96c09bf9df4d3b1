/**
 * Cuts a convex shape by many others, seen from above.
 *
 * Each piece has a box. A prop of a thousand triangles on a floor cuts the floor into a thousand pieces, few of which
 * the next triangle touches: they are found by a tree. Pieces are cut in the order they came up, however they are found.
 *
 * In: a shape, and what is cut out of it or along.
 * Out: convex pieces.
 * Cost: linear in cuts and in the pieces that they overlap, times the depth of the tree.
 * Based on: own.
 */
import type { MemoryBudget } from '../../../base/data/memory-budget.ts';
import { spendSteps } from './budget.ts';
import { createBoxTree, dropBox, findBoxes, setBox } from './box-tree.ts';
import type { Box, BoxTree } from './box-tree.ts';
import { cutAlong, loadCut, subtractShape } from './convex.ts';
import type { Shape } from './convex.ts';

/** A shape that is subtracted, or an upright one that is cut along. */
export interface Cut {
  shape: Shape;
  isWall: boolean;
}

/** Cutting a piece takes the time of this many steps, and a look at one that is elsewhere of so many. */
const CUT_STEPS = 192;
const LOOK_STEPS = 0.5;
/** Steps that are free for each cut: eight pieces. Cuts that touch more of them lie above each other. */
const FREE_STEPS = 8 * CUT_STEPS;

/** From this number of pieces on, a tree finds those near a cut. */
const TREE_PIECES = 48;

/** A convex piece and its box. */
interface Piece extends Box {
  shape: Shape;
}

/** In place of a piece of which nothing is left. */
const GONE: Piece = { shape: [], x0: 0, z0: 0, x1: 0, z1: 0 };

function pieceOf(shape: Shape): Piece {
  let x0 = Infinity;
  let z0 = Infinity;
  let x1 = -Infinity;
  let z1 = -Infinity;
  for (let k = 0; k < shape.length; k++) {
    const x = shape[k][0];
    const z = shape[k][1];
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  return { shape, x0, z0, x1, z1 };
}

/** Returns what is left of a shape, or undefined when nothing cuts it. */
export function carve(
  whole: Shape,
  cuts: readonly Cut[],
  tolerance: number,
  budget: MemoryBudget,
): Shape[] | undefined {
  const first = pieceOf(whole);
  const pieces = [first];
  const near: number[] = [];
  let tree: BoxTree | undefined;
  let left = 1;
  let isChanged = false;
  for (const { shape, isWall } of cuts) {
    const box = pieceOf(shape);
    const looks = tree === undefined ? lookAtAll(pieces, box, near) : findBoxes(tree, box, near);
    if (near.length === 0) continue;
    spendSteps(budget, Math.max(0, LOOK_STEPS * looks + CUT_STEPS * near.length - FREE_STEPS));
    if (!isWall && !loadCut(shape, tolerance)) continue;
    for (const i of near) {
      const piece = pieces[i].shape;
      const parts = isWall ? cutAlong(piece, shape, tolerance) : subtractShape(piece, tolerance);
      if (parts === undefined) continue;
      isChanged = true;
      left += parts.length - 1;
      pieces[i] = parts.length === 0 ? GONE : pieceOf(parts[0]);
      if (tree !== undefined) {
        if (parts.length === 0) dropBox(tree, i);
        else setBox(tree, i, pieces[i]);
      }
      for (let k = 1; k < parts.length; k++) {
        const at = pieces.push(pieceOf(parts[k])) - 1;
        if (tree !== undefined) setBox(tree, at, pieces[at]);
      }
    }
    if (left === 0) return [];
    if (tree !== undefined || pieces.length <= TREE_PIECES) continue;
    tree = createBoxTree(first);
    for (let i = 0; i < pieces.length; i++) if (pieces[i] !== GONE) setBox(tree, i, pieces[i]);
  }
  return isChanged ? pieces.filter((piece) => piece !== GONE).map(({ shape }) => shape) : undefined;
}

/** Sets `near` to the numbers of the pieces that overlap a box. Returns the number of pieces. */
function lookAtAll(pieces: readonly Piece[], { x0, z0, x1, z1 }: Box, near: number[]): number {
  near.length = 0;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i];
    if (piece !== GONE && piece.x0 < x1 && piece.x1 > x0 && piece.z0 < z1 && piece.z1 > z0) near.push(i);
  }
  return pieces.length;
}
