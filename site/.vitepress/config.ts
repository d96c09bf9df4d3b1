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

export default defineConfig({
  title: 'navkiln',
  description: 'Navigation meshes in TypeScript: bake them, find paths on them, move crowds along them.',
  lang: 'en',
  srcDir: './pages',
  outDir: '../out/site',
  cacheDir: '../out/site-cache',
  base: process.env['NAVKILN_SITE_BASE'] ?? '/',
  cleanUrls: false,
  // The studio is copied next to the pages after the build.
  ignoreDeadLinks: [/\/studio\//],
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // TypeDoc's texts are not templates.
  markdown: { attrs: { disable: true } },
  themeConfig: {
    search: { provider: 'local' },
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
