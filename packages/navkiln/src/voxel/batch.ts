/**
 * How the loops of the bake are cut into calls.
 *
 * An engine that compiles a long loop while it runs has not seen the branches behind it, and deoptimizes when it gets there. In a first
 * bake, that costs more than the work itself. So a loop over spans or columns is a function that is called for a row or for `BATCH` items
 * and ends with its loop: it is compiled between two calls, with everything that the calls before have seen. Later bakes take the same
 * time as with one loop (`npm run compare -- REF --only bake`).
 */

/** Spans, columns or triangles per call. */
export const BATCH = 256;

/** How many rows are processed before the others. */
const EARLY_ROWS = 16;

/**
 * Returns the distance between the rows that a stage processes first, at least 2. These rows have most of the branches of the level;
 * its edge has few.
 */
export function earlyRowStep(rowCount: number): number {
  return Math.max(2, Math.ceil(rowCount / EARLY_ROWS));
}
