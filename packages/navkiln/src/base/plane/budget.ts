/**
 * The memory budget of a build of a 2D map. Points and crossings are charged to it while rings are overlaid. n rings
 * may cross n² times, so a small map can cause any amount of work; crossings are charged for their time, too.
 *
 * Based on: own.
 */
import { READ_LIMIT_BYTES } from '../constants.ts';
import { exceed } from '../data/memory-budget.ts';
import type { MemoryBudget } from '../data/memory-budget.ts';

export interface PolygonBudget extends MemoryBudget {
  /** Crossings so far, for messages. */
  crossings: number;
  /** Crossings that are not charged: one for each point that was triangulated. */
  freeCrossings: number;
}

/** Bytes of a point in a triangulation: with three edges, its ring and the pieces it becomes. */
const POINT_BYTES = 256;
/**
 * Bytes of a crossing: a point, and the pieces that are inserted again. The default limit refuses a map after 262,144
 * crossings, which take a second.
 */
const CROSSING_BYTES = 4096;
/**
 * Bytes that stand for the time of a step in mode 'diagonal': a look at a cell, an edge or a vertex in search of a
 * line.
 */
const STEP_BYTES = 8;
/** Bytes that stand for the time of a flip of an edge that a segment crosses; a flip takes little memory. */
const FLIP_BYTES = 256;

export function createPolygonBudget(limitBytes: number = READ_LIMIT_BYTES): PolygonBudget {
  return { limitBytes, usedBytes: 0, crossings: 0, freeCrossings: 0 };
}

/** Starts a further triangulation: memory of points of earlier ones is free again. Crossings stay, for the time they took. */
export function spendPoints(budget: PolygonBudget, count: number): void {
  budget.freeCrossings += count;
  if (POINT_BYTES * count <= budget.limitBytes) return;
  const needed = exceed({ limitBytes: budget.limitBytes, usedBytes: 0 }, POINT_BYTES * count);
  throw new RangeError(
    `buildFromPolygons: the map has ${count} points and ${needed}; make it smaller or raise the limit`,
  );
}

export function spendCrossing(budget: PolygonBudget): void {
  budget.crossings++;
  if (--budget.freeCrossings >= 0) return;
  spendWork(budget, CROSSING_BYTES);
}

export function spendFlips(budget: PolygonBudget, count: number): void {
  spendWork(budget, FLIP_BYTES * count);
}

/** Takes steps of the search for lines between corners. Called in hot loops with sums. */
export function spendSteps(budget: PolygonBudget, count: number): void {
  budget.usedBytes += STEP_BYTES * count;
  if (budget.usedBytes <= budget.limitBytes) return;
  throw new RangeError(
    `buildFromPolygons: the map ${exceed(budget, 0)}, since many of its corners see many others; build it in parts or with mode 'delaunay', or raise the limit`,
  );
}

function spendWork(budget: PolygonBudget, bytes: number): void {
  const needed = exceed(budget, bytes);
  if (needed === undefined) return;
  const what =
    budget.crossings > 0 ? `its rings cross ${budget.crossings} times or more` : 'its rings pass each other closely';
  throw new RangeError(
    `buildFromPolygons: the map ${needed}, since ${what}; join its obstacles, build it in parts, or raise the limit`,
  );
}
