/** Every test that docs/deviations.md names exists, under the title that the page quotes. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../../../', import.meta.url);

/** Returns the tests that the page names: the path from the root, and the quoted title if there is one. */
function namedTests(page: string): { path: string; title: string | undefined }[] {
  const matches = page.replace(/\s+/g, ' ').matchAll(/`((?:test|packages)\/[\w./-]+\.ts)`(?:: "([^"]+)")?/g);
  return Array.from(matches, ([, path, title]) => ({
    path: path!.startsWith('test/') ? `packages/navkiln/${path}` : path!,
    title,
  }));
}

/**
 * Returns the titles in a test file: string literals that are a call's first argument, without a leading
 * `${name}: `.
 */
function titlesOf(source: string): string[] {
  return Array.from(source.matchAll(/\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g), ([, , literal]) =>
    literal!.replaceAll("\\'", "'").replace(/^\$\{\w+\}: /, ''),
  );
}

const named = namedTests(readFileSync(new URL('docs/deviations.md', ROOT), 'utf8'));

it('finds the tests that the page names', () => {
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ title }) => title !== undefined).length).toBeGreaterThan(20);
});

it.each(named)('finds the test "$title" in $path', ({ path, title }) => {
  const titles = titlesOf(readFileSync(new URL(path, ROOT), 'utf8'));
  // A title may go on where the quote ends, with a parameter or a second clause.
  if (title !== undefined) expect(titles.filter((one) => one.startsWith(title))).not.toEqual([]);
});

it('reads titles from calls, not from comments and data', () => {
  const source = "// it says 'a'\nit('b', () => 'c');\nit.each(d)(`${name}: e %d`, f);\nit(\n  \"it's g\",\n);";
  expect(titlesOf(source)).toEqual(['b', 'e %d', "it's g"]);
});
