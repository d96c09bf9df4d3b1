/**
 * The rules of `npm run check` that read text. Each takes a Map of path -> text (paths relative to the
 * repository root, with '/') and returns violations, one line each. They access no files, so tests can pass
 * them samples.
 */
import { posix } from 'node:path';
import { codeOnly, importsOf, lineOf, openingComment } from './source-text.mjs';

const LIBRARY = 'packages/navkiln/src/';
const MAX_LINES = 800;
const WARN_LINES = 600;
/** This many files of one folder whose names start with the same word must become a folder. */
const FOLDER_FROM = 5;

/**
 * Folders of the library, lowest layer first; folders of one entry are siblings. A file belongs to the longest folder that contains it. A
 * folder imports from itself and lower layers.
 */
const LAYERS = [
  ['base/math'],
  ['base/data'],
  ['base/plane'],
  ['base/advice'],
  ['mesh'],
  ['build/voxel', 'build/surface', 'build/polygon', 'query'],
  ['query/index', 'query/routes', 'query/clearance', 'build/links', 'agents/corridor'],
  ['agents/crowd'],
  ['agents/characters', 'agents/record'],
  ['world/levels', 'world/share'],
  ['world/paths'],
  ['world/cut'],
  ['world/worker'],
  ['world/streaming'],
  ['world'],
  ['formats'],
  ['show'],
  ['engines/shared'],
  ['engines/three', 'engines/babylon', 'engines/playcanvas', 'engines/phaser'],
];

/** The folder of the entries, which import from every folder, and the file that every folder may import. */
const ENTRIES = 'entries';
/** Lists of exports like entries, each of which is one name of an entry: `export * as bakeStages`. */
const GROUPS = `${LIBRARY}${ENTRIES}/groups/`;
const CONSTANTS = 'base/constants.ts';

/** Folder -> the folders it may import from. */
const READS = Object.fromEntries(
  LAYERS.flatMap((layer, i) => layer.map((folder) => [folder, [...LAYERS.slice(0, i).flat(), folder]])),
);

/** Engines whose adapters name what they use by interfaces of their own, so that the types need no engine. */
const ENGINES = /^(@babylonjs\/|playcanvas$|phaser$)/;

/** How `world/worker/` names the scripts that its workers run. */
const WORKER_SCRIPTS = ['../bake-worker.js', '../path-worker.js'];

function sources(files) {
  return [...files].filter(([path]) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path));
}

function librarySources(files) {
  return sources(files).filter(([path]) => path.startsWith(LIBRARY));
}

/** Returns the folder of `LAYERS` that contains a file, or else the folder that the file is in; '' for a file directly in src. */
function folderOf(path) {
  const folder = posix.dirname(path.slice(LIBRARY.length));
  for (let at = folder; at !== '.'; at = posix.dirname(at)) if (at in READS) return at;
  return folder === '.' ? '' : folder;
}

export function checkImports(files, libraryDependencies = []) {
  const wrong = [];
  for (const [path, text] of sources(files)) {
    const inLibrary = path.startsWith(LIBRARY);
    const folder = inLibrary ? folderOf(path) : '';
    for (const { line, name } of importsOf(text)) {
      const at = `${path}:${line}`;
      // The scripts of the workers are found in the bundle.
      if (folder === 'world/worker' && WORKER_SCRIPTS.includes(name)) continue;
      if (name.startsWith('.')) {
        const target = posix.normalize(posix.join(posix.dirname(path), name));
        const isStyle = name.endsWith('.css') && path.startsWith('packages/studio/');
        if (!name.endsWith('.ts') && !name.endsWith('.json') && !isStyle)
          wrong.push(`${at} names '${name}' without .ts`);
        if (!target.startsWith(path.slice(0, path.indexOf('/src/') + 5)) && !target.endsWith('package.json')) {
          wrong.push(`${at} leaves its package: '${name}'; import the package by name`);
        } else if (target.endsWith('/index.ts')) {
          wrong.push(`${at} imports a barrel: '${name}'; name the file`);
        } else if (inLibrary) {
          checkLayer(wrong, at, folder, target);
        }
      } else if (name.startsWith('node:')) {
        const allowed = !inLibrary && !/^packages\/(loaders|scenes|studio)\//.test(path);
        if (!allowed && !/^world\/worker\/.*node[^/]*\.ts$/.test(path.slice(LIBRARY.length))) {
          wrong.push(`${at} imports '${name}'; only the command line and the Node half of world/worker/ may`);
        }
      } else if (name === 'three' || name.startsWith('three/')) {
        if (inLibrary && folder !== 'engines/three') wrong.push(`${at} imports three; only engines/three/ may`);
      } else if (inLibrary && ENGINES.test(name)) {
        wrong.push(
          `${at} imports '${name}'; adapters take classes of engines as arguments, and import no types of them`,
        );
      } else if (inLibrary && !libraryDependencies.some((known) => name === known || name.startsWith(`${known}/`))) {
        wrong.push(`${at} imports '${name}', which is no dependency of navkiln`);
      } else if (path.startsWith('packages/scenes/') && !/^navkiln(\/|$)/.test(name)) {
        wrong.push(`${at} imports '${name}'; scenes depend on navkiln alone`);
      }
    }
  }
  return wrong;
}

function checkLayer(wrong, at, folder, target) {
  if (at.startsWith(`${LIBRARY}${CONSTANTS}:`)) wrong.push(`${at}: constants.ts imports nothing`);
  if (target === `${LIBRARY}${CONSTANTS}`) return;
  const targetFolder = folderOf(target);
  const isEntry = folder === ENTRIES || at.startsWith(GROUPS);
  if (isEntry && target.startsWith(GROUPS)) return;
  if (targetFolder === ENTRIES) {
    wrong.push(`${at} imports the entry ${posix.basename(target)}; name the file it re-exports`);
  } else if (!isEntry && !(folder in READS)) {
    wrong.push(`${at}: folder ${folder}/ has no place in the layers of tools/check-rules.mjs`);
  } else if (!isEntry && !READS[folder].includes(targetFolder)) {
    wrong.push(`${at}: ${folder}/ may not read ${targetFolder}/`);
  }
}

export function checkSizes(files) {
  const wrong = [];
  for (const [path, text] of sources(files)) {
    const lines = text.split('\n').length - 1;
    if (lines > MAX_LINES) wrong.push(`${path} has ${lines} lines; at most ${MAX_LINES}`);
  }
  return wrong;
}

/** Lists files close to the limit. A note, not a violation. */
export function largeFiles(files) {
  return sources(files)
    .map(([path, text]) => [path, text.split('\n').length - 1])
    .filter(([, lines]) => lines > WARN_LINES && lines <= MAX_LINES)
    .map(([path, lines]) => `${path} has ${lines} lines`);
}

/**
 * Finds circles: files and subfolders of a folder that import each other in a loop, including type-only
 * imports. A subfolder counts as one node, so the import graph of every folder has a top and a bottom.
 */
export function checkCircles(files) {
  const wrong = [];
  const edges = [];
  for (const [path, text] of sources(files)) {
    for (const { name } of importsOf(text)) {
      if (!name.startsWith('.')) continue;
      const target = posix.normalize(posix.join(posix.dirname(path), name));
      if (files.has(target) && target.endsWith('.ts')) edges.push([path, target]);
    }
  }
  const folders = new Set();
  for (const [path] of sources(files)) {
    for (let at = posix.dirname(path); at.includes('/src'); at = posix.dirname(at)) folders.add(at);
  }
  for (const folder of [...folders].sort()) {
    const graph = new Map();
    for (const [from, to] of edges) {
      const a = childOf(folder, from);
      const b = childOf(folder, to);
      if (a === '' || b === '' || a === b) continue;
      if (!graph.has(a)) graph.set(a, new Map());
      if (!graph.get(a).has(b))
        graph.get(a).set(b, `${from.slice(folder.length + 1)} -> ${to.slice(folder.length + 1)}`);
    }
    const circle = findCircle(graph);
    if (circle.length > 0) wrong.push(`${folder} has a circle of imports: ${circle.join(', ')}`);
  }
  return wrong;
}

/** Returns the file or subfolder of `folder` that contains `path`; '' when it lies elsewhere. */
function childOf(folder, path) {
  if (!path.startsWith(`${folder}/`)) return '';
  const rest = path.slice(folder.length + 1);
  const end = rest.indexOf('/');
  return end < 0 ? rest : rest.slice(0, end + 1);
}

/** Returns the imports of one circle in a graph of name -> name -> import; [] when there is none. */
function findCircle(graph) {
  const done = new Set();
  for (const start of graph.keys()) {
    const path = [];
    const visit = (node) => {
      const at = path.findIndex(([name]) => name === node);
      if (at >= 0) return path.slice(at).map(([, by]) => by);
      if (done.has(node)) return [];
      for (const [next, by] of graph.get(node) ?? []) {
        path.push([node, by]);
        const found = visit(next);
        path.pop();
        if (found.length > 0) return found;
      }
      done.add(node);
      return [];
    };
    const found = visit(start);
    if (found.length > 0) return found;
  }
  return [];
}

/** Requires files with a common prefix to be in a folder. */
export function checkFolders(files) {
  const counts = new Map();
  for (const [path] of sources(files)) {
    const key = `${posix.dirname(path)}/${posix.basename(path, '.ts').split('-')[0]}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count >= FOLDER_FROM)
    .map(([key, count]) => `${count} files are named ${key}-*; make a folder of them`);
}

const FORBIDDEN = [
  [
    /\bMath\.(random|a?(?:sin|cos|tan)h?|atan2|pow|exp|expm1|log|log2|log10|log1p|hypot|cbrt)\b/g,
    'differs between engines',
  ],
  [/\bDate\b/g, 'is not a function of the input'],
  [/\bperformance\.now\b/g, 'outside the report of a bake is not a function of the input'],
  [/\bconsole\b/g, 'prints'],
  [/\beval\s*\(/g, 'evaluates text'],
];

/**
 * Forbids calls whose results differ between engines or runs, and calls that print. `performance.now` is for
 * reports only.
 */
export function checkCalls(files, mayTellTime = []) {
  const wrong = [];
  for (const [path, text] of librarySources(files)) {
    const code = codeOnly(text);
    for (const [pattern, why] of FORBIDDEN) {
      for (const match of code.matchAll(pattern)) {
        if (match[0] === 'performance.now' && mayTellTime.includes(path.slice(LIBRARY.length))) continue;
        wrong.push(`${path}:${lineOf(code, match.index)} uses ${match[0]}, which ${why}`);
      }
    }
    for (const match of code.matchAll(/([\w)\].]+)\s*\*\*=?\s*([\w(.]+)/g)) {
      if (/^\d+$/.test(match[1]) && /^\d+$/.test(match[2])) continue;
      wrong.push(`${path}:${lineOf(code, match.index)} uses ${match[0]}; write products, or powers of whole literals`);
    }
  }
  for (const [path, text] of sources(files).filter(([path]) => path.startsWith('packages/scenes/'))) {
    for (const match of codeOnly(text).matchAll(FORBIDDEN[0][0])) {
      wrong.push(`${path}:${lineOf(text, match.index)} uses ${match[0]}, which ${FORBIDDEN[0][1]}`);
    }
  }
  return wrong;
}

/** Folders whose files are algorithms and must name their source. */
const ALGORITHM_FOLDERS = ['base', 'mesh', 'build', 'query', 'agents', 'world'];
/** Shorter files, files without a loop, and files of these names only connect others and need no source. */
const ALGORITHM_LINES = 80;
const GLUE_NAMES =
  'types|options|config|input|build|tiles?|load|save|create|layout|ref|point|find-path|search-state|validate|check[\\w-]*';
const GLUE = new RegExp(`/(${GLUE_NAMES})\\.ts$`);

export function checkHeaders(files) {
  const wrong = [];
  for (const [path, text] of sources(files)) {
    const opening = openingComment(text);
    if (opening === '') {
      wrong.push(`${path} opens without a comment that says what it does`);
      continue;
    }
    if (!path.startsWith(LIBRARY) || !ALGORITHM_FOLDERS.includes(path.slice(LIBRARY.length).split('/')[0])) continue;
    const code = codeOnly(text);
    const loops = /\b(for|while)\s*\(/.test(code);
    if (loops && !GLUE.test(path) && text.split('\n').length > ALGORITHM_LINES && !/based on/i.test(opening)) {
      wrong.push(`${path} is an algorithm, but its opening comment has no "Based on:" (own work says "Based on: own")`);
    }
  }
  return wrong;
}

const SYNTAX = [
  [/(^|[\s;])(?:abstract\s+)?class\s+\w/gm, 'a class; data are records, algorithms are functions'],
  [/\bexport\s+default\b/g, 'a default export; name it'],
  [/(^|\s)(?:const\s+)?enum\s+\w+\s*\{/gm, 'an enum; use a union of literals'],
  [/\bnamespace\s+\w+\s*\{/g, 'a namespace'],
  [/\bexport\s+\*(?!\s+as\b)/g, 'export *; list the names'],
  [/(:|\bas|<|,)\s*any\b/g, 'any'],
  [/@ts-(ignore|nocheck)\b/g, 'a disabled type check'],
];
/** Error types are the only classes: `instanceof` tells them apart. */
const ERROR_CLASS = /class\s+\w*Error\s+extends\s+\w*Error\b/;

export function checkSyntax(files) {
  const wrong = [];
  for (const [path, text] of sources(files)) {
    if (path.endsWith('.d.ts')) continue;
    const code = codeOnly(text);
    for (const [pattern, what] of SYNTAX) {
      const where = pattern.source.startsWith('@ts') ? text : code;
      for (const match of where.matchAll(pattern)) {
        const isError = what.startsWith('a class') && ERROR_CLASS.test(where.slice(match.index, match.index + 90));
        if (isError && !path.startsWith(LIBRARY)) continue;
        wrong.push(`${path}:${lineOf(where, match.index + match[0].search(/\S/))} has ${what}`);
      }
    }
  }
  return wrong;
}

/** Packages whose lists may be as long as a user's level. */
const LONG_LISTS = /^packages\/(navkiln|loaders|cli|farm|studio)\/src\//;
const LISTING_CALL = /(?:\bMath\.(?:max|min|hypot)|\bfromCharCode|\.(?:push|unshift))\(/g;

/**
 * Forbids lists that are spread into the arguments of a call: engines take about 120,000 of them. `bounded` has the number of spreads in
 * each file whose lists are short whatever the input is.
 */
export function checkSpreads(files, bounded = {}) {
  const wrong = [];
  for (const [path, text] of sources(files)) {
    if (!LONG_LISTS.test(path)) continue;
    const code = codeOnly(text);
    const found = [...code.matchAll(LISTING_CALL)].filter((match) => hasSpread(code, match.index + match[0].length));
    const most = bounded[path.slice('packages/'.length)] ?? 0;
    const lines = found.map((match) => lineOf(code, match.index)).join(', ');
    if (found.length > most)
      wrong.push(
        `${path} spreads lists into calls in line ${lines}; write a loop, or list it in tools/check.mjs if they are short`,
      );
    if (found.length < most)
      wrong.push(`${path} has ${found.length} spreads into calls; correct its number in tools/check.mjs`);
  }
  return wrong;
}

/** Returns whether an argument of a call is a spread; its arguments begin at `start`. */
function hasSpread(text, start) {
  let depth = 0;
  for (let i = start; i < text.length && depth >= 0; i++) {
    if ('([{'.includes(text[i])) depth++;
    else if (')]}'.includes(text[i])) depth--;
    else if (depth === 0 && text.startsWith('...', i)) return true;
  }
  return false;
}

/** Checks links between documents of the repository. External links are not followed. */
export function checkLinks(files) {
  const wrong = [];
  for (const [path, text] of files) {
    if (!path.endsWith('.md')) continue;
    // Code names files of the reader.
    const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? match[2]);
    for (const link of links) {
      if (/^[a-z]+:/.test(link)) continue;
      const [target, anchor] = link.split('#');
      const full = target === '' ? path : posix.normalize(posix.join(posix.dirname(path), target));
      const isFolder = [...files.keys()].some((name) => name.startsWith(full.endsWith('/') ? full : `${full}/`));
      if (!files.has(full) && !isFolder) wrong.push(`${path} links to ${link}, which does not exist`);
      // Links with parameters open the studio (tools/docs.mjs).
      else if (full === 'docs/studio.md' && anchor?.includes('=')) continue;
      else if (anchor && files.has(full) && !headings(files.get(full)).includes(anchor)) {
        wrong.push(`${path} links to ${link}, but ${full} has no such heading`);
      }
    }
  }
  return wrong;
}

function headings(text) {
  return [...text.matchAll(/^#+ +(.+)$/gm)].map((match) =>
    match[1]
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .trim()
      .replace(/ /g, '-'),
  );
}

/** Forbids addresses of package registries: npm's configuration decides where packages come from. */
export function checkHosts(files) {
  const wrong = [];
  for (const [path, text] of files) {
    for (const match of text.matchAll(/https?:\/\/[\w.-]*(?:registry|artifactory|verdaccio|nexus)[\w.-]*/gi)) {
      wrong.push(`${path}:${lineOf(text, match.index)} names the package registry ${match[0]}`);
    }
  }
  return wrong;
}
