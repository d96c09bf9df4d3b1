/**
 * `npm run docs [-- --serve]`: builds the documentation site into out/site, which any static host can serve: the pages of docs/, the
 * examples, the reference and the studio. `--serve` then serves it.
 *
 * The site's generator is installed in site/ only, with a lock file of its own, so that tests and `npm start` do without it.
 *
 * In: docs/, examples/, the sources of the library. Out: site/pages (not committed), out/site. Cost: half a minute.
 * Based on: VitePress, TypeDoc.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.mjs';
import { narrow } from './opaque.mjs';
import { run } from './run.mjs';
import { build, fail, install, requireNode } from './setup.mjs';
import { buildStudio } from './studio.mjs';

const SITE = join(ROOT, 'site');
const PAGES = join(SITE, 'pages');
const OUT = join(ROOT, 'out', 'site');
/** Files of the repository's root that are pages of the site, too. */
const ROOT_PAGES = {
  'ARCHITECTURE.md': 'architecture',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'security',
  'CHANGELOG.md': 'changelog',
};
const FENCES = {
  '.ts': 'ts',
  '.js': 'js',
  '.jsx': 'jsx',
  '.mjs': 'js',
  '.html': 'html',
  '.yaml': 'yaml',
  '.obj': 'text',
  '.json': 'json',
};
/** Files that several examples use. */
const SHARED = 'shared';

/** Returns the first heading of a page. */
export function titleOf(markdown) {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? '';
}

/** Returns the sidebar: groups of pages with their headings. Throws for a page of docs/ that no group names, and the reverse. */
export function sidebarOf(groups, titles) {
  const named = groups.flatMap(({ pages }) => pages);
  const missing = [...titles.keys()].filter((page) => !named.includes(page));
  if (missing.length > 0) throw new Error(`site/groups.json names no group for docs/${missing.join('.md, docs/')}.md`);
  const unknown = named.filter((page) => !titles.has(page));
  if (unknown.length > 0) throw new Error(`site/groups.json names docs/${unknown[0]}.md, which does not exist`);
  return groups.map(({ title, pages }) => ({
    text: title,
    items: pages.map((page) => ({ text: titles.get(page), link: `/${page}` })),
  }));
}

/** Returns a page with links as they are on the site. Files of the repository that are no pages become plain names. */
export function rewriteLinks(markdown, folder) {
  const linked = markdown.replace(/\[([^\]]*)\]\(([^()\s]+)\)/g, (whole, text, target) => {
    if (/^(?:[a-z]+:|#)/.test(target)) return whole;
    const [path, anchor = ''] = target.split('#');
    const hash = anchor === '' ? '' : `#${anchor}`;
    const file = join(folder, path).replaceAll('\\', '/');
    if (file === 'docs/README.md') return `[${text}](/guide${hash})`;
    if (file === 'README.md') return `[${text}](/)`;
    // The studio is next to the pages and no page of the site. Elsewhere, such links lead to the page about it.
    if (file === 'docs/studio.md' && anchor.includes('='))
      return `<a href="studio/#${anchor.replaceAll('&', '&amp;')}" target="_self">${text}</a>`;
    if (ROOT_PAGES[file] !== undefined) return `[${text}](/${ROOT_PAGES[file]}${hash})`;
    if (/^docs\/[\w-]+\.md$/.test(file)) return `[${text}](/${basename(file, '.md')}${hash})`;
    if (file.startsWith('examples')) return `[${text}](/examples/${file === 'examples/' ? '' : pageOfExample(file)})`;
    if (file.startsWith('docs/')) return `[${text}](/${file.slice('docs/'.length)})`;
    return text.includes('`') ? text : `${text} (\`${file}\`)`;
  });
  // Links around pictures.
  const around = linked.replace(/\]\(\.\.\/examples\/([\w-]+)\/\)/g, '](/examples/$1)');
  // Pictures of a width: the path of a tag is no relative import, as that of a Markdown picture is.
  return around.replace(/(<img src=")(?=[\w-]+\/)/g, '$1./');
}

/** Returns the page of an example: 'examples/door.ts' -> 'door', 'examples/worker-bake/' -> 'worker-bake'. */
function pageOfExample(file) {
  return relative('examples', file)
    .split(/[\\/]/)[0]
    .replace(/\.\w+$/, '');
}

function listExamples() {
  const folder = join(ROOT, 'examples');
  return readdirSync(folder)
    .filter((name) => name !== SHARED)
    .filter((name) => statSync(join(folder, name)).isDirectory() || name.endsWith('.ts') || name.endsWith('.yaml'))
    .sort();
}

/** Returns the page of an example: its files, with the first comment as text. */
function examplePage(name) {
  const path = join(ROOT, 'examples', name);
  const files = statSync(path).isDirectory() ? readdirSync(path).map((file) => join(path, file)) : [path];
  if (files.some((file) => file.endsWith('.ts') && readFileSync(file, 'utf8').includes(`'../${SHARED}/`)))
    files.push(...readdirSync(join(ROOT, 'examples', SHARED)).map((file) => join(ROOT, 'examples', SHARED, file)));
  // The code of an example comes before the files that make its page.
  const rank = (file) => (/\.(html|json)$/.test(file) ? 2 : /[\\/]main\.\w+$/.test(file) ? 0 : 1);
  files.sort((a, b) => rank(a) - rank(b));
  const texts = files
    .filter((file) => FENCES[extname(file)] !== undefined)
    .map((file) => [file, readFileSync(file, 'utf8')]);
  const about = texts.map(([, text]) => /^\/\*\*\s*([\s\S]*?)\*\//.exec(text)?.[1]).find((text) => text !== undefined);
  const intro = (about ?? '').replace(/^ ?\* ?/gm, '').trim();
  const parts = texts.map(
    ([file, text]) =>
      `**${relative(join(ROOT, 'examples'), file)}**\n\n\`\`\`${FENCES[extname(file)]}\n${text.trimEnd()}\n\`\`\``,
  );
  const title = pageOfExample(`examples/${name}`).replaceAll('-', ' ');
  const first = intro.split(/\n\s*\n/)[0].replaceAll('\n', ' ');
  const picture = existsSync(join(ROOT, 'docs/pictures/examples', `${name}.jpg`))
    ? `![${title}](/pictures/examples/${name}.jpg)\n\n\`npm run example -- ${name}\` runs it.\n\n`
    : '';
  return { title, first, text: `# ${title}\n\n${escapeHtml(intro)}\n\n${picture}${parts.join('\n\n')}\n` };
}

const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;');

/** Writes all pages but the reference. */
export function writePages() {
  rmSync(PAGES, { recursive: true, force: true });
  mkdirSync(join(PAGES, 'examples'), { recursive: true });
  const write = (name, text) => writeFileSync(join(PAGES, name), text);
  const titles = new Map();
  const docs = join(ROOT, 'docs');
  for (const name of readdirSync(docs)) {
    const text = name.endsWith('.md') ? readFileSync(join(docs, name), 'utf8') : undefined;
    if (text === undefined) {
      // Pictures. Notes on measurements are for developers.
      if (name !== 'notes') cpSync(join(docs, name), join(PAGES, name), { recursive: true });
    } else if (name === 'README.md') {
      write('guide.md', rewriteLinks(text, 'docs'));
    } else {
      titles.set(basename(name, '.md'), titleOf(text));
      write(name, rewriteLinks(text, 'docs'));
    }
  }
  for (const [file, page] of Object.entries(ROOT_PAGES))
    write(`${page}.md`, rewriteLinks(readFileSync(join(ROOT, file), 'utf8'), '.'));
  const examples = listExamples().map((name) => [pageOfExample(`examples/${name}`), examplePage(name)]);
  for (const [page, { text }] of examples) write(`examples/${page}.md`, text);
  const list = examples.map(([page, { title, first }]) => `- [${title}](/examples/${page}): ${escapeHtml(first)}`);
  write('examples/index.md', `# Examples\n\n${list.join('\n')}\n`);
  write('index.md', readFileSync(join(SITE, 'index.md'), 'utf8'));
  // The first page names its picture by address, which only files of this folder keep.
  cpSync(join(docs, 'pictures', 'dungeon.svg'), join(PAGES, 'public', 'pictures', 'dungeon.svg'));
  cpSync(join(ROOT, 'packages/studio/public/icon.svg'), join(PAGES, 'public', 'icon.svg'));
  const groups = JSON.parse(readFileSync(join(SITE, 'groups.json'), 'utf8'));
  const project = Object.values(ROOT_PAGES).map((page) => ({
    text: page[0].toUpperCase() + page.slice(1),
    link: `/${page}`,
  }));
  const sidebar = [
    ...sidebarOf(groups, titles),
    { text: 'Examples', items: examples.map(([page, { title }]) => ({ text: title, link: `/examples/${page}` })) },
    { text: 'Project', items: project },
  ];
  write('sidebar.json', JSON.stringify(sidebar, null, 2));
}

/**
 * Returns a page of the reference with links that lead to its headings. TypeDoc counts a type and a function whose names differ in case
 * only otherwise than the site does; such links lead to the first of the two, the type.
 */
export function mendAnchors(markdown) {
  const counts = new Map();
  const ids = new Set();
  for (const [, heading] of markdown.matchAll(/^#+ (.+)$/gm)) {
    const id = heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replace(/\s/g, '-');
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    ids.add(count === 0 ? id : `${id}-${count}`);
  }
  return markdown.replace(/\]\(#([\w-]+)-(\d+)\)/g, (whole, id, count) =>
    ids.has(`${id}-${count}`) || !ids.has(id) ? whole : `](#${id})`,
  );
}

/** Copies the declarations of the library, with the members that users see. Returns their folder. */
function copyDeclarations() {
  const from = join(ROOT, 'packages/navkiln/out/types');
  const to = join(ROOT, 'out/reference-types');
  rmSync(to, { recursive: true, force: true });
  for (const path of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.d.ts')) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), narrow(readFileSync(join(from, path), 'utf8'), { isReport: true }));
  }
  return to;
}

/** Writes the reference from the docstrings. */
async function writeReference() {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'packages/navkiln/package.json'), 'utf8'));
  const entries = Object.entries(manifest.exports).filter(([, target]) => target['navkiln-source'] !== undefined);
  const types = copyDeclarations();
  writeFileSync(
    join(types, 'tsconfig.json'),
    JSON.stringify({ extends: '../../packages/navkiln/tsconfig.json', include: ['**/*.d.ts'], references: [] }),
  );
  const options = {
    name: 'Reference',
    tsconfig: join(types, 'tsconfig.json'),
    entryPoints: entries.map(([, target]) => join(types, target['navkiln-types'].replace('./out/types/', ''))),
    plugin: ['typedoc-plugin-markdown'],
    out: join(PAGES, 'reference'),
    readme: 'none',
    excludeInternal: true,
    excludePrivate: true,
    disableSources: true,
    skipErrorChecking: true,
    entryFileName: 'index',
    hideBreadcrumbs: true,
    kindSortOrder: ['Function', 'Interface', 'TypeAlias', 'Variable'],
    sort: ['kind', 'alphabetical'],
    hidePageHeader: true,
    outputFileStrategy: 'modules',
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    validation: { invalidLink: true, notExported: false, notDocumented: false },
  };
  const file = join(ROOT, 'out', 'typedoc.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(options));
  await runHere(['typedoc', '--options', file]);
  for (const name of readdirSync(options.out).filter((file) => file.endsWith('.md'))) {
    const page = join(options.out, name);
    writeFileSync(page, mendAnchors(readFileSync(page, 'utf8')));
  }
  const items = entries.map(([path, target]) => ({
    text: path === '.' ? 'navkiln' : `navkiln/${path.slice(2)}`,
    // TypeDoc's list of all entries is the index.
    link: `/reference/${basename(target['navkiln-source'], '.ts').replace(/^index$/, 'index-1')}`,
  }));
  writeFileSync(join(PAGES, 'reference', 'sidebar.json'), JSON.stringify([{ text: 'Reference', items }], null, 2));
}

/** Runs a program of the site's own packages. */
async function runHere([program, ...args]) {
  const { status } = await run(process.execPath, [join(SITE, 'node_modules', ...PROGRAMS[program]), ...args], {
    cwd: SITE,
  });
  if (status !== 0) fail(`${program} failed; see its message above.`);
}

/** Adds the address of the documentation to the page of the studio, whose top bar then has a link to it. */
function linkStudioToDocs(file) {
  const page = readFileSync(file, 'utf8');
  writeFileSync(file, page.replace('</head>', '  <link rel="help" href="../" />\n  </head>'));
}

const PROGRAMS = {
  typedoc: ['typedoc', 'bin', 'typedoc'],
  vitepress: ['vitepress', 'bin', 'vitepress.js'],
};

async function main() {
  requireNode();
  await install();
  if (!existsSync(join(SITE, 'node_modules', ...PROGRAMS.vitepress))) {
    const { status } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: SITE });
    if (status !== 0) fail('npm could not install the packages of site/; see its message above.');
  }
  await build();
  writePages();
  await writeReference();
  await runHere(['vitepress', 'build', '.']);
  cpSync(await buildStudio(), join(OUT, 'studio'), { recursive: true });
  linkStudioToDocs(join(OUT, 'studio', 'index.html'));
  console.log(`The site is in ${relative(ROOT, OUT)}.`);
  if (process.argv.includes('--serve')) await runHere(['vitepress', 'preview', '.']);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
