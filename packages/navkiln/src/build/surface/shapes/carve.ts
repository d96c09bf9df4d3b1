/**
 * Cuts a convex shape by many others, seen from above.
 *
 * Each piece has a box, and cuts elsewhere cost one comparison: a prop of a thousand triangles on a floor cuts the floor
 * into a thousand pieces, few of which the next triangle touches.
 *
 * In: a shape, and what is cut out of it or along.
 * Out: convex pieces.
 * Cost: linear in cuts times pieces, with a small factor, and in those that overlap.
 * Based on: own.
 */
import type { MemoryBudget } from '../../../base/data/memory-budget.ts';
import { spendSteps } from './budget.ts';
import { cutAlong, subtractShape } from './convex.ts';
import type { Shape } from './convex.ts';

/** A shape that is subtracted, or an upright one that is cut along. */
export interface Cut {
  shape: Shape;
  isWall: boolean;
}

/** Cutting a further piece takes the time of this many steps, and a look at one that is elsewhere of so many. */
const CUT_STEPS = 192;
const LOOK_STEPS = 0.5;

/** A convex piece and its box. */
interface Piece {
  shape: Shape;
  x0: number;
  z0: number;
  x1: number;
  z1: number;
}

/** In place of a piece of which nothing is left. */
const GONE: Piece = { shape: [], x0: 0, z0: 0, x1: 0, z1: 0 };

function pieceOf(shape: Shape): Piece {
  const piece = { shape, x0: Infinity, z0: Infinity, x1: -Infinity, z1: -Infinity };
  for (const [x, z] of shape) {
    if (x < piece.x0) piece.x0 = x;
    if (x > piece.x1) piece.x1 = x;
    if (z < piece.z0) piece.z0 = z;
    if (z > piece.z1) piece.z1 = z;
  }
  return piece;
}

/** Returns what is left of a shape, or undefined when nothing cuts it. */
export function carve(
  whole: Shape,
  cuts: readonly Cut[],
  tolerance: number,
  budget: MemoryBudget,
): Shape[] | undefined {
  let pieces = [pieceOf(whole)];
  let isChanged = false;
  for (const { shape, isWall } of cuts) {
    const { x0, z0, x1, z1 } = pieceOf(shape);
    const count = pieces.length;
    let steps = LOOK_STEPS * (count - 1);
    let hasGone = false;
    for (let i = 0; i < count; i++) {
      const piece = pieces[i];
      if (piece.x0 >= x1 || piece.x1 <= x0 || piece.z0 >= z1 || piece.z1 <= z0) continue;
      if (count > 1) steps += CUT_STEPS;
      const parts = isWall ? cutAlong(piece.shape, shape, tolerance) : subtractShape(piece.shape, shape, tolerance);
      if (parts === undefined) continue;
      isChanged = true;
      if (parts.length === 0) hasGone = true;
      pieces[i] = parts.length === 0 ? GONE : pieceOf(parts[0]);
      for (let k = 1; k < parts.length; k++) pieces.push(pieceOf(parts[k]));
    }
    spendSteps(budget, steps);
    if (hasGone) pieces = pieces.filter((piece) => piece !== GONE);
    if (pieces.length === 0) return [];
  }
  return isChanged ? pieces.map(({ shape }) => shape) : undefined;
}
