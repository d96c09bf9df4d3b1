/** How much a kernel allocates once it is warm, measured so that other work on the machine does not matter. */
import { setFlagsFromString } from 'node:v8';
import { expect } from 'vitest';

/** Batches that the compiler gets at most to finish its work; on a loaded machine it takes many. */
const MAX_BATCHES = 80;

/**
 * Expects what `expectNoAllocation` does, of code in which the compiler inlines nothing. Which functions it inlines depends on the
 * moment at which it compiles them, and numbers that are passed to a function that is not inlined are allocated.
 */
export function expectNoAllocationAtAll(run: (count: number) => void, count: number, limit: number): void {
  setFlagsFromString('--no-turbo-inlining');
  try {
    expectNoAllocation(run, count, limit);
  } finally {
    setFlagsFromString('--turbo-inlining');
  }
}

/**
 * Expects that a call of `run(count)` allocates less than `limit` bytes per count once the code is compiled.
 * Until then numbers are allocated, so batches run until one stays below the limit. A batch with a garbage
 * collection shows a drop and counts for nothing. Afterwards, the limit must hold again in at least one of
 * five batches.
 */
export function expectNoAllocation(run: (count: number) => void, count: number, limit: number): void {
  const measure = (): number => {
    const before = process.memoryUsage().heapUsed;
    run(count);
    return (process.memoryUsage().heapUsed - before) / count;
  };
  const isBelow = (bytes: number): boolean => bytes >= 0 && bytes < limit;
  const warm: number[] = [];
  while (warm.length < MAX_BATCHES && !warm.some(isBelow)) warm.push(measure());
  const later = [0, 1, 2, 3, 4].map(measure);
  expect(later.some(isBelow), `bytes a call while warming up: ${warm}; afterwards: ${later}`).toBe(true);
}
