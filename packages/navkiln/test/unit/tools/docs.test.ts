/** The pages of the documentation site: the sidebar has all, and links lead to pages. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { mendAnchors, rewriteLinks, sidebarOf, titleOf } from '../../../../../tools/docs.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const PAGES = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
const EXAMPLES = readdirSync(join(ROOT, 'examples')).map((name) => name.replace(/\.\w+$/, ''));
const OTHERS = ['guide', 'architecture', 'contributing', 'security', 'changelog', 'examples/', ''];

it('the first page needs two imports of navkiln for a path, and one more for a crowd, a world or workers', () => {
  const blocks = [...read('docs/first-page.md').matchAll(/^```js\n([^]*?)^```$/gm)].map((match) => match[1]!);
  const counts = blocks
    .map((code) => new Set(code.match(/from 'navkiln[\w/]*'/g) ?? []).size)
    .filter((count) => count > 0);
  expect(counts[0]).toBe(2);
  expect(Math.max(...counts)).toBe(3);
});

describe('the sidebar', () => {
  const titles = new Map(
    PAGES.filter((name) => name !== 'README.md').map((name) => [name.slice(0, -3), titleOf(read(`docs/${name}`))]),
  );
  const groups = JSON.parse(read('site/groups.json')) as { title: string; pages: string[] }[];

  it('has each page of docs/ once, with its heading', () => {
    const sidebar = sidebarOf(groups, titles) as { items: { text: string; link: string }[] }[];
    const items = sidebar.flatMap((group) => group.items);
    expect(items.map(({ link }) => link).sort()).toEqual([...titles.keys()].map((page) => `/${page}`).sort());
    for (const { text } of items) expect(text).toMatch(/\w/);
  });

  it('names a page that is missing in it, and one that does not exist', () => {
    expect(() => sidebarOf(groups, new Map([...titles, ['new', 'New']]))).toThrow('no group for docs/new.md');
    expect(() => sidebarOf([...groups, { title: 'x', pages: ['gone'] }], titles)).toThrow(
      'docs/gone.md, which does not',
    );
  });
});

describe('links', () => {
  it('of the reference lead to the type where a function has its name in another case', () => {
    const page = (first: string, second: string): string =>
      `[a](#${first}) [b](#${second})\n\n### Kind\n\n### kind()\n\n### other()\n`;
    expect(mendAnchors(page('kind-3', 'other'))).toBe(page('kind', 'other'));
    expect(mendAnchors(page('kind-1', 'gone-2'))).toBe(page('kind-1', 'gone-2'));
  });

  it('of all pages lead to pages and anchors that exist', () => {
    const known = new Set([
      ...PAGES.map((name) => name.slice(0, -3)),
      ...OTHERS,
      ...EXAMPLES.map((name) => `examples/${name}`),
    ]);
    const slug = (heading: string): string =>
      heading
        .toLowerCase()
        .replaceAll(/[`*]|\[|\]\([^)]*\)/g, '')
        .replaceAll(/[^\w]+/g, '-')
        .replaceAll(/^-|-$/g, '');
    const anchors = (page: string): string[] =>
      [...read(`docs/${page}.md`).matchAll(/^##+ (.+)$/gm)].map((match) => slug(match[1]!));
    let count = 0;
    for (const name of PAGES) {
      const text = rewriteLinks(read(`docs/${name}`), 'docs');
      for (const [, target] of text.matchAll(/(?<!!)\[[^\]]*\]\((\/[^)]*)\)/g)) {
        const [page, anchor] = target!.slice(1).split('#');
        count++;
        if (/\.\w+$/.test(page!)) expect(existsSync(join(ROOT, 'docs', page!)), `${name}: ${target}`).toBe(true);
        else expect(known, `${name}: ${target}`).toContain(page);
        if (anchor !== undefined && PAGES.includes(`${page}.md`))
          expect(anchors(page!), `${name}: ${target}`).toContain(anchor);
      }
      expect(text, name).not.toMatch(/\]\(\.\.?\//);
      expect(text, name).not.toMatch(/<img src="(?!\.\/|\/|https:)/);
    }
    expect(count).toBeGreaterThan(100);
  });

  it('to files that are no pages become their names', () => {
    expect(rewriteLinks('see [the test](../packages/a.test.ts), [paths](paths.md#areas)', 'docs')).toBe(
      'see the test (`packages/a.test.ts`), [paths](/paths#areas)',
    );
    expect(rewriteLinks('[open](studio.md#scene=house&tool=path), [save](studio.md#save-and-share)', 'docs')).toBe(
      '<a href="studio/#scene=house&amp;tool=path" target="_self">open</a>, [save](/studio#save-and-share)',
    );
    expect(rewriteLinks('[docs](docs/paths.md) ![](docs/a.png) [x](https://x.org)', '.')).toBe(
      '[docs](/paths) ![](/a.png) [x](https://x.org)',
    );
  });
});
