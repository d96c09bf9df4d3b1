/**
 * Filters of `npm test -- FILTER…`: the test files whose path has one of them in it, as Vitest matches them, and names near a filter that
 * matches none.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './files.mjs';

/** Options of Vitest whose value is the next argument. */
const WITH_VALUE =
  /^(-t|-r|-c|--testNamePattern|--root|--config|--project|--reporter|--outputFile|--maxWorkers|--retry|--shard)$/;
/** Most names that a message lists. */
const MOST = 6;

/** Returns the paths of all test files, relative to the repository. */
export function listTests() {
  const packages = readdirSync(join(ROOT, 'packages'));
  return packages.flatMap((name) => {
    const folder = join(ROOT, 'packages', name, 'test');
    try {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      const paths = files.map((file) => `packages/${name}/test/${file.replaceAll('\\', '/')}`);
      return paths.filter((path) => path.endsWith('.test.ts')).sort();
    } catch {
      return [];
    }
  });
}

/** Returns the arguments that are filters: no options, and no values of options. */
export function filtersOf(args) {
  return args.filter((arg, i) => !arg.startsWith('-') && !WITH_VALUE.test(args[i - 1] ?? ''));
}

/**
 * Returns what to tell about filters that no test file matches, one line each. A filter may have a line number behind it (`file.ts:12`).
 * Empty: there is no filter, or one of them matches.
 */
export function explainFilters(filters, tests) {
  const isMatched = (filter) => tests.some((path) => path.toLowerCase().includes(plain(filter)));
  if (filters.length === 0 || filters.some(isMatched)) return [];
  return filters.map((filter) => {
    const near = nearTests(plain(filter), tests);
    const mentioning = testsWith(plain(filter), tests);
    return [
      `no test file has '${filter}' in its path`,
      ...(near.length === 0 ? [] : [`near names: ${near.join(', ')}`]),
      ...(mentioning.length === 0 ? [] : [`files with the word: ${mentioning.join(', ')}`]),
    ].join('; ');
  });
}

function plain(filter) {
  return filter.replaceAll('\\', '/').replace(/^\.\//, '').replace(/:\d+$/, '').toLowerCase();
}

/** Returns names of test files that share a word with a filter or are spelled like it, nearest first. */
function nearTests(filter, tests) {
  const wanted = filter
    .split('/')
    .at(-1)
    .replace(/(\.test)?\.ts$/, '');
  const words = wanted.split(/[^a-z0-9]+/).filter((word) => word.length > 2);
  const scored = tests.map((path) => {
    const name = path.split('/').at(-1).replace('.test.ts', '');
    const shared = words.some((word) => name.includes(word) || path.includes(`/${word}`));
    return [shared ? 0.5 : likeness(wanted, name), name];
  });
  const near = scored.filter(([distance]) => distance <= 0.5).sort(([a], [b]) => a - b);
  return [...new Set(near.map(([, name]) => name))].slice(0, MOST);
}

/** Returns the names of the test files that have a text most often. */
function testsWith(text, tests) {
  if (text.length < 3) return [];
  const counted = tests.map((path) => {
    const count = readFileSync(join(ROOT, path), 'utf8').toLowerCase().split(text).length - 1;
    return [count, path.split('/').at(-1).replace('.test.ts', '')];
  });
  return counted
    .filter(([count]) => count > 0)
    .sort(([a], [b]) => b - a)
    .slice(0, MOST)
    .map(([, name]) => name);
}

/** Returns how different two names are, from 0 to 1: the share of pairs of letters that they do not have in common. */
function likeness(a, b) {
  const pairs = (text) => Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2));
  const rest = pairs(b);
  const all = pairs(a).length + rest.length;
  let common = 0;
  for (const pair of pairs(a)) {
    const at = rest.indexOf(pair);
    if (at < 0) continue;
    common++;
    rest.splice(at, 1);
  }
  return all === 0 ? 1 : 1 - (2 * common) / all;
}
