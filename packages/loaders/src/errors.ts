/** The error of files that cannot be read, and texts that messages share. */

/**
 * An error in the input or the command line, not in the program. Its message names the file, the position and the
 * remedy. On the command line, the exit status is 2.
 */
export class InputError extends Error {
  override name = 'InputError';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = -1;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)} ${units[unit]}`;
}
