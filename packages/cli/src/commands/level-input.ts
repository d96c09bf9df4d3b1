/** Shared by commands that read levels: checks of their files, their warnings, and the memory that they may take. */
import { statSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import type { BakeSettings } from '../config/settings.ts';
import { InputError, explainSystemError } from '../errors.ts';
import { READ_LIMIT_BYTES } from 'navkiln-loaders/files';
import type { Progress } from '../output/progress.ts';
import { withCount } from '../output/text.ts';

/** Throws an InputError for a level file that is not there, or is a folder. */
export function checkLevelFiles(levels: BakeSettings['levels']): void {
  for (const { file } of levels) {
    let stats;
    try {
      stats = statSync(file);
    } catch (error) {
      throw new InputError(`${file}: ${explainSystemError(error)}`);
    }
    if (stats.isDirectory()) throw new InputError(`${file}: is a folder; pass the level files in it`);
  }
}

/** Prints warnings. */
export function noteAll(
  warnings: readonly { count: number; message: string; layers?: unknown }[],
  progress: Progress,
): void {
  // Warnings about layers have their counts in the message.
  for (const warning of warnings)
    progress.note(`warning: ${warning.layers === undefined ? withCount(warning) : warning.message}`);
}

/** Returns how many bytes reading the files may take: the setting or 1 GiB, but no more than the machine has. */
export function readLimit({ options }: Pick<BakeSettings, 'options'>): number {
  return options.memoryLimitBytes ?? Math.min(READ_LIMIT_BYTES, machineMemory());
}

/**
 * Returns how many bytes a bake may take on this machine: free or reclaimable memory, within the limits of
 * the process.
 */
export function machineMemory(): number {
  const allowed = process.constrainedMemory();
  const available = Math.max(freemem(), totalmem() / 2);
  return allowed > 0 ? Math.min(available, allowed) : available;
}

/**
 * Throws an InputError for an error of the engine that means that memory is short. The library's own errors are shown as they are; "Array
 * buffer allocation failed" needs an explanation.
 */
export function explainLackOfMemory(error: unknown): void {
  if (error instanceof RangeError && /allocation|Invalid (typed )?array( buffer)? length/i.test(error.message)) {
    throw new InputError(`not enough memory for this bake (${error.message}); use a larger --cell-size`);
  }
}
