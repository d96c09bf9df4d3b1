/**
 * Sizes of the batches into which the loops of a bake are cut.
 *
 * A JavaScript engine that compiles a long loop while it runs has not yet seen the branches after the loop, and
 * deoptimizes when it reaches them. In a first bake, that costs more than the work itself. So a loop over spans or
 * columns is a function that ends with its loop, and is called for one row or for `BATCH` items. The engine compiles
 * it between two calls and knows all branches that earlier calls took. Later bakes take the same time as with one
 * long loop (`npm run compare -- REF --only bake`).
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
