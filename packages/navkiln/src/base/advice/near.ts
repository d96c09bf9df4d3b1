/**
 * Finds the key that a caller probably means: by a table of names in other libraries, by spelling, and by shared words.
 *
 * In: an unknown key and the known keys. Out: the key that is meant.
 * Cost: the product of the lengths of the names; only errors call it.
 * Based on: Vladimir Levenshtein, distance of words (1966), with swaps; the table is own.
 */
import { FOREIGN } from './names.ts';

/** Longer keys and longer lists have no typing errors. */
const MAX_KEY = 64;

/** Returns the known key that `key` probably means, or undefined. With a dot: a field of a known record. */
export function nearKey(key: string, known: readonly string[]): string | undefined {
  if (key.length > MAX_KEY) return undefined;
  const plain = fold(key);
  const same = known.find((name) => fold(name) === plain);
  if (same !== undefined) return same;
  const foreign = Object.hasOwn(FOREIGN, plain) ? FOREIGN[plain] : [];
  return foreign.find((name) => known.includes(name.split('.')[0])) ?? misspelled(plain, known) ?? sharing(key, known);
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}

/** Returns the nearest key with at most one wrong letter in three. */
function misspelled(plain: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(plain.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(plain, fold(name));
    if (distance < least && distance < name.length) [best, least] = [name, distance];
  }
  return best;
}

/** Returns the shortest key that has all words of this one, or whose words are all in it: `speed` and `maxSpeed`. */
function sharing(key: string, known: readonly string[]): string | undefined {
  const words = wordsOf(key);
  const has = (one: readonly string[], other: readonly string[]): boolean => other.every((word) => one.includes(word));
  const near = known.filter((name) => has(wordsOf(name), words) || has(words, wordsOf(name)));
  return near.sort((a, b) => a.length - b.length)[0];
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[-_\s]+/);
}

/** Returns how many letters must be inserted, removed, replaced or swapped with the next one. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}
