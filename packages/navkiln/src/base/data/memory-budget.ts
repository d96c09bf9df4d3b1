/**
 * A budget of bytes for work whose size a file decides. Readers spend from it before they allocate, so a
 * small file that requires much memory is refused with the figure.
 *
 * Based on: own.
 */

export interface MemoryBudget {
  limitBytes: number;
  usedBytes: number;
}

/**
 * Takes bytes from a budget. Returns undefined when they are within it, and otherwise a text for messages: the bytes
 * needed, the limit and its option.
 */
export function exceed(budget: MemoryBudget, bytes: number): string | undefined {
  budget.usedBytes += bytes;
  if (budget.usedBytes <= budget.limitBytes) return undefined;
  const [used, limit] = [showBytes(budget.usedBytes), showBytes(budget.limitBytes)];
  return used === limit
    ? `takes more than the ${limit} of memoryLimitBytes`
    : `takes ${used}, more than the ${limit} of memoryLimitBytes`;
}

/** Returns bytes in the largest fitting unit, as in '1.5 GiB'. */
export function showBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value >= 1e6 ? value.toExponential(2) : Number(value.toPrecision(4))} ${units[unit]}`;
}
