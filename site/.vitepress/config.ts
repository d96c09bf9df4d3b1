/**
 * The documentation site. `npm run docs` (tools/docs.mjs) writes its pages into site/pages: those of docs/, the examples and the
 * reference. `groups.json` orders the pages of docs/ in the sidebar.
 */
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import type { DefaultTheme } from 'vitepress';

const read = <T>(path: string): T => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as T;
const groups = read<DefaultTheme.SidebarItem[]>('../pages/sidebar.json');
const reference = read<DefaultTheme.SidebarItem[]>('../pages/reference/sidebar.json');

const BASE = process.env['NAVKILN_SITE_BASE'] ?? '/';

/** Ids of headings as GitHub makes them, so that links to them work in both places. */
const slugify = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/**
 * How much a page counts in the search: guides above the reference, which repeats their words on hundreds of entries. The generator writes
 * the function into the page as text, so it uses nothing from outside.
 */
const boostDocument = (id: string): number => {
  if (id.includes('/reference/')) return /#[^#]*-\d+$/.test(id) ? 0.1 : 0.3;
  return /\/(?:contributing|architecture|changelog|deviations|performance|security|promises)/.test(id) ? 0.4 : 1;
};

export default defineConfig({
  title: 'navkiln',
  description: 'Navigation meshes in TypeScript: bake them, find paths on them, move crowds along them.',
  lang: 'en',
  srcDir: './pages',
  outDir: '../out/site',
  cacheDir: '../out/site-cache',
  base: BASE,
  cleanUrls: false,
  // The studio is copied next to the pages after the build.
  ignoreDeadLinks: [/\/studio\//],
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}icon.svg` }]],
  // TypeDoc's texts are not templates.
  markdown: { attrs: { disable: true }, anchor: { slugify } },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument } } } },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Guides', link: '/guide' },
      { text: 'Examples', link: '/examples/' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Studio', link: '/studio/', target: '_self' },
      { text: 'What is new', link: '/changelog' },
    ],
    sidebar: { '/reference/': reference, '/': groups },
  },
});
