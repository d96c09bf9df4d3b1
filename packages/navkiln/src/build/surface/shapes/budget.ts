/**
 * The work that a surface build may take, as a budget of bytes. n triangles above each other have n² / 2 pairs, so a small level can
 * cause any amount of work. The usual work for each edge or triangle is free, so that large levels need no other limit.
 *
 * Based on: own.
 */
import { exceed } from '../../../base/data/memory-budget.ts';
import type { MemoryBudget } from '../../../base/data/memory-budget.ts';

/** Bytes of the budget that one step takes, such as the visit of a neighbor. */
const STEP_BYTES = 8;

/** Takes steps from a budget. Throws a RangeError when it is used up. */
export function spendSteps(budget: MemoryBudget, count: number): void {
  const needed = exceed(budget, STEP_BYTES * count);
  if (needed === undefined) return;
  throw new RangeError(
    `buildFromSurface: the level ${needed}, since many of its triangles lie above each other; remove some, build it in parts, or raise the limit`,
  );
}
