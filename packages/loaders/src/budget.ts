/** The memory that reading a level may take. Readers spend from it before they allocate. */
import { InputError, formatBytes } from './errors.ts';

/** Default of `memoryLimitBytes` for reading levels and maps, bytes: 1 GiB, about 20 million triangles. */
export const READ_LIMIT_BYTES: number = 2 ** 30;

export interface ReadBudget {
  /** Name of the file in messages. */
  file: string;
  limitBytes: number;
  usedBytes: number;
}

export function createReadBudget(file: string, limitBytes: number): ReadBudget {
  return { file, limitBytes, usedBytes: 0 };
}

/** Takes bytes from a budget. Throws an `InputError` with the figure when it is exceeded; `what` takes them. */
export function spend(budget: ReadBudget, bytes: number, what: string): void {
  budget.usedBytes += bytes;
  if (budget.usedBytes <= budget.limitBytes) return;
  const needed = formatBytes(budget.usedBytes);
  throw new InputError(
    `${budget.file}: reading ${what} takes ${needed} or more, beyond the ${formatBytes(budget.limitBytes)} of memoryLimitBytes; ` +
      'split the level, or raise the limit',
  );
}
