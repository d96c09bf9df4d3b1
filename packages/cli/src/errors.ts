/** Errors of the command line, and texts that messages share. */
import { InputError, messageOf } from 'navkiln-loaders/files';

export { InputError, messageOf } from 'navkiln-loaders/files';

/** An output that could not be written: a full disk, a closed pipe. On the command line, the exit status is 74. */
export class OutputError extends Error {
  override name = 'OutputError';
}

/**
 * Turns an error that a library function throws about its arguments into an `InputError`: its message without
 * the function's name. Returns other errors unchanged.
 */
export function blameInput(error: unknown, name: string, prefix = ''): unknown {
  const message = messageOf(error);
  if (!message.startsWith(`${name}: `)) return error;
  return new InputError(
    prefix +
      message
        .slice(name.length + 2)
        .replace(/^options\./, '')
        .replace(/^sizes\.list\[\d+\]\./, 'agentTypes: '),
  );
}

/** Returns the code of an operating system error, such as "ENOENT"; '' for other errors. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Returns whether an import failed because this package, and not one that it needs, is not installed. */
export function isMissing(error: unknown, name: string): boolean {
  return codeOf(error) === 'ERR_MODULE_NOT_FOUND' && messageOf(error).includes(`package '${name}'`);
}

/** Explains an operating system error to the user. */
export function explainSystemError(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOENT':
      return 'no such file or folder';
    case 'EISDIR':
      return 'is a folder, not a file';
    case 'ENOTDIR':
      return 'part of the path is a file, not a folder';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EROFS':
      return 'the file system is read-only';
    case 'ENOSPC':
      return 'no space left on the device';
    case 'EDQUOT':
      return 'disk quota exceeded';
    case 'ENAMETOOLONG':
      return 'the name is too long';
    case 'EIO':
      return 'the device failed';
    case 'EMFILE':
      return 'too many open files';
    default:
      return messageOf(error);
  }
}

/** Limits of `didYouMean`. */
const MAX_WORD = 64;
const MAX_CANDIDATES = 500;

/**
 * Returns the candidate closest to a mistyped word, or undefined: by edit distance with swaps, at most a
 * third of the word. Long words and many candidates, which no typing error explains, are not compared.
 */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > MAX_WORD) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
    if (candidate.length > 2 * MAX_WORD) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(change, last[j] + 1, row[j - 1] + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.length];
}

export function show(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
