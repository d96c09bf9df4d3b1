/** The input or the command line is at fault: the message is for its author, and the exit status is 2. */
export class InputError extends Error {
  override name = 'InputError';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What a function of the library refuses, as a fault of the input, in its words without its own name; other errors as they are. */
export function blameInput(error: unknown, name: string, prefix = ''): unknown {
  const message = messageOf(error);
  if (!message.startsWith(`${name}: `)) return error;
  return new InputError(prefix + message.slice(name.length + 2).replace(/^options\./, ''));
}

/** "ENOENT" and its like of errors of the operating system; '' for others. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** What an error of the operating system means to the person at the terminal. */
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
    case 'EMFILE':
      return 'too many open files';
    default:
      return messageOf(error);
  }
}

/** The candidate a mistyped word most likely meant, or undefined. Edit distance with swaps, at most a third of the word. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
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
