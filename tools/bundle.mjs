/**
 * Bundles the published packages: the JavaScript in `dist` of the library, the readers of levels, the farm and the command line. `tsc -b` writes the types next to
 * it. Run as a program, it bundles the packages even if they are up to date.
 *
 * An entry of a package is a file of `dist`. The code that entries share is in `dist/chunks`: in the library one chunk for `base` and `mesh`
 * (`core`) and one for each layer above them (`voxel`, `query`, `crowd`), so that an import loads a few files, not some hundred. The library
 * is compact, so that it installs in 3 MB: no comments, no spaces, about a statement a line, and names, so that stack traces can be read and
 * debuggers stop where one asks them to. Its declarations are bundled, too (bundle-types.mjs). The script of the workers is minified.
 *
 * In: the sources of the packages. Out: `dist/*.js`, `dist/chunks/*.js`. Cost: half a second.
 * Based on: rolldown.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleTypes } from './bundle-types.mjs';
import { dracoInside } from './draco.mjs';
import { ROOT } from './files.mjs';
import { buildOnce } from './lock.mjs';

const SOURCE_CONDITION = 'navkiln-source';

/** Rooms of the library that almost every program needs, and those that are one chunk each. */
const CORE = ['base', 'mesh'];
const WHOLE = ['formats', 'show'];
/** Folders that are in the chunk of another one. */
const JOINED = { cut: 'levels' };
/** Folders of `query` that are chunks of their own. */
const QUERIES = ['index', 'routes', 'clearance'];

/** Drawings that a first page needs are a chunk without the rest of `show`. */
const DRAWN =
  /^(show[\\/](draw[\\/](connections|geometry|level|marks|mesh)|check-options|format|palette|report)|formats[\\/]levels[\\/]ground-triangles)\.ts$/;

/** Returns the chunk of a module of the library: the layer that it is in. undefined: the entry that uses it. */
function libraryChunk(id) {
  const path = relative(join(ROOT, 'packages', 'navkiln', 'src'), id);
  const [room, folder] = path.split(sep);
  if (DRAWN.test(path)) return 'draw';
  if (room === 'base' && ['plane', 'advice'].includes(folder)) return folder;
  if (CORE.includes(room)) return 'core';
  if (folder === 'path-worker.ts') return undefined;
  // Adapters of engines are small, and each is one entry.
  if (room === 'entries' || room === '..' || (room === 'engines' && folder !== 'shared')) return undefined;
  if (WHOLE.includes(room) || (room === 'query' && !QUERIES.includes(folder))) return room;
  return room === 'query' ? `path-${folder}` : (JOINED[folder] ?? folder);
}

/** Returns the file of a declaration of the library: that of its room, or of its layer in large rooms. */
function libraryRoom(file) {
  const [room, folder] = relative(declarationsOf('navkiln'), file).split(sep);
  return ['build', 'agents', 'world', 'engines'].includes(room) ? (JOINED[folder] ?? folder) : room;
}

/** Replaces the list of flags by its value, so that a command starts without the schema that the list is read from. */
const FLAG_LIST = join(ROOT, 'packages', 'cli', 'src', 'config', 'flag-list.ts');
const flagList = {
  name: 'flag-list',
  async load(id) {
    if (id !== FLAG_LIST) return null;
    const { FLAGS } = await importSource(FLAG_LIST);
    return `export const FLAGS = ${JSON.stringify(FLAGS)};`;
  },
};

let imported = 0;

/**
 * Runs a source file of a package and returns its exports: for tools that need what no entry exports.
 *
 * @param folder where the bundle is written, so that its dependencies are found. Default: a folder of the repository
 */
export async function importSource(input, folder = join(ROOT, 'out')) {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input,
    platform: 'node',
    external: /^[^./]/,
    resolve: { conditionNames: [SOURCE_CONDITION, 'import', 'default'] },
    logLevel: 'silent',
  });
  const file = join(folder, `source-${process.pid}-${imported++}.mjs`);
  await build.write({ file, format: 'esm' });
  await build.close();
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * The bundled packages: entries and sources. `extra` are entries that are not exports. `alone` are entries that become one script without
 * imports: a page can start it as a worker from anywhere. `room` returns the room of a declaration file where declarations are bundled.
 */
const PACKAGES = [
  {
    name: 'navkiln',
    chunk: libraryChunk,
    sources: ['navkiln'],
    extra: {},
    alone: ['bake-worker'],
    room: libraryRoom,
  },
  { name: 'loaders', chunk: undefined, sources: ['loaders'], extra: {}, alone: [] },
  { name: 'farm', chunk: undefined, sources: ['farm'], extra: {}, alone: [] },
  { name: 'cli', chunk: undefined, sources: ['cli', 'scenes'], extra: { main: './src/main.ts' }, alone: [] },
];

const folderOf = (name) => join(ROOT, 'packages', name);
/** The folder of the declarations before they are bundled. */
const declarationsOf = (name) => join(folderOf(name), 'out', 'types');
const readManifest = (name) => JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'));

/** Returns the entries of a package: name of the file in `dist` -> source file. */
export function entriesOf(name, extra = {}) {
  const sources = { ...extra };
  for (const target of Object.values(readManifest(name).exports)) {
    const source = target[SOURCE_CONDITION];
    if (source !== undefined) sources[/^\.\/dist\/(.+)\.js$/.exec(target.default)[1]] = source;
  }
  return Object.fromEntries(Object.entries(sources).map(([entry, source]) => [entry, join(folderOf(name), source)]));
}

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), 0);
}

/** Returns whether the bundle of a package is newer than its sources. */
function isBundled({ name, sources, extra }) {
  const outputs = Object.keys(entriesOf(name, extra)).map((entry) => join(folderOf(name), 'dist', `${entry}.js`));
  if (!outputs.every((path) => existsSync(path))) return false;
  const built = Math.min(...outputs.map((path) => statSync(path).mtimeMs));
  const inputs = [
    ...['bundle.mjs', 'bundle-types.mjs', 'opaque.mjs', 'draco.mjs'].map((tool) => join(ROOT, 'tools', tool)),
    join(folderOf(name), 'package.json'),
    ...sources.map((source) => join(folderOf(source), 'src')),
  ];
  return inputs.every((path) => newest(path) < built);
}

/**
 * Marks the values that modules compute on loading as free of side effects, which is true in these packages. So other
 * bundlers leave out values that a program does not use.
 */
function markPure(code) {
  return code.replace(/^((?:const|let|var) [\w$]+ = )(?=(?!function\b)(?:new )?[\w$.]+\()/gm, '$1/* @__PURE__ */ ');
}

/** The file whose import adds advice to messages, and how the entries with it are named: `dist/dev/build.js`. */
const ADVICE = join(ROOT, 'packages', 'navkiln', 'src', 'base', 'advice', 'install.ts');
const WITH_ADVICE = '?advice';

/** Reads an entry that is named with `?advice` as the entry with an import of the advice. */
const adviceEntries = {
  name: 'advice-entries',
  resolveId(id, importer) {
    if (id.endsWith(WITH_ADVICE)) return id;
    if (importer?.endsWith(WITH_ADVICE) && id.startsWith('.')) return join(dirname(importer), id);
    return null;
  },
  load(id) {
    if (!id.endsWith(WITH_ADVICE)) return null;
    const entry = `./${basename(id.slice(0, -WITH_ADVICE.length))}`;
    const code = `export * from ${JSON.stringify(entry)};\nimport ${JSON.stringify(ADVICE)};\n`;
    return { code, moduleType: 'ts' };
  },
};

/** Returns the entries for Node and for development, whose messages have advice: those whose exports name one. */
function developmentEntries({ name }, together) {
  const targets = Object.values(readManifest(name).exports).filter((target) => target.development !== undefined);
  return Object.fromEntries(
    targets.map((target) => {
      const entry = /^\.\/dist\/(.+)\.js$/.exec(target.default)[1];
      return [`dev/${entry}`, `${together[entry]}${WITH_ADVICE}`];
    }),
  );
}

/** Returns the options of a bundle of a package. */
function bundleOptions({ name }, input) {
  const { dependencies = {}, peerDependencies = {} } = readManifest(name);
  const packages = [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
  return {
    input,
    platform: 'neutral',
    external: (id) => id.startsWith('node:') || packages.some((known) => id === known || id.startsWith(`${known}/`)),
    resolve: { conditionNames: [SOURCE_CONDITION, 'import', 'default'] },
    plugins: [flagList, dracoInside, adviceEntries],
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`${name}: ${log.message}`);
    },
  };
}

/** Bundles input into a folder and returns the names of the files. */
async function writeBundle(input, output) {
  const { rolldown } = await import('rolldown');
  const build = await rolldown(input);
  try {
    return (await build.write(output)).output.map((file) => file.fileName);
  } finally {
    await build.close();
  }
}

/** Shorter code with all names. */
const COMPACT = { compress: { sequences: false }, mangle: false, codegen: { removeWhitespace: true } };

/** Chunks that programs rarely step through: reports, drawings, readers, indexes and recordings. Their local variables get short names, too. */
const SHORT_NAMES = /^chunks\/(show|formats|links|record|path-[a-z]+)\.js$/;

/** Returns code whose local variables have short names, with the marks of calls that are values of modules. */
async function shortenNames(code) {
  const { Visitor, minifySync, parseSync } = await import('rolldown/utils');
  const { mangle, ...others } = COMPACT;
  const short = minifySync('chunk.js', code, { ...others, module: true, mangle: { toplevel: mangle } }).code;
  const calls = [];
  let depth = 0;
  const enter = () => void depth++;
  const leave = () => void depth--;
  const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
  const note = ({ start }) => {
    if (depth === 0) calls.push(start);
  };
  const visitor = new Visitor({
    ...Object.fromEntries(
      functions.flatMap((name) => [
        [name, enter],
        [`${name}:exit`, leave],
      ]),
    ),
    CallExpression: note,
    NewExpression: note,
  });
  visitor.visit(parseSync('chunk.js', short).program);
  let text = '';
  let at = 0;
  for (const start of [...new Set(calls)].sort((a, b) => a - b)) {
    text += `${short.slice(at, start)}/* @__PURE__ */ `;
    at = start;
  }
  return text + short.slice(at);
}

/** Statements of functions start a new line when the one before them is longer. */
const SHORT_LINE = 48;

/**
 * Returns compact code with about a statement a line, and plain strings where bundlers look for the addresses of workers. Calls in functions
 * lose their marks: only values of modules need them.
 */
async function breakLines(code) {
  const { Visitor, parseSync } = await import('rolldown/utils');
  const { program, comments } = parseSync('chunk.js', code);
  const cuts = program.body.map(({ start }) => ({ start, end: start, isOuter: true }));
  const note = (list) => {
    for (const { start } of list) cuts.push({ start, end: start, isOuter: false });
  };
  const functions = [];
  const enter = ({ start, end }) => functions.push([start, end]);
  const visitor = new Visitor({
    BlockStatement: ({ body }) => note(body),
    SwitchCase: ({ consequent }) => note(consequent),
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
  });
  visitor.visit(program);
  functions.sort((a, b) => a[0] - b[0]);
  let next = 0;
  let inside = 0;
  for (const { start, end } of comments) {
    for (; next < functions.length && functions[next][0] <= start; next++)
      inside = Math.max(inside, functions[next][1]);
    if (start < inside) cuts.push({ start, end, isOuter: false });
  }
  cuts.sort((a, b) => a.start - b.start);
  let text = '';
  let lineStart = 0;
  let at = 0;
  for (const { start, end, isOuter } of cuts) {
    text += code.slice(at, start);
    at = end;
    if (end > start || text === '' || text.endsWith('\n')) continue;
    if (!isOuter && text.length - lineStart < SHORT_LINE) continue;
    text += '\n';
    lineStart = text.length;
  }
  text += code.slice(at);
  return text.replace(/\bnew URL\(`([^`$\\]*)`/g, "new URL('$1'");
}

/** Writes the declarations of a package next to its code. Returns their names. */
async function writeTypes({ name, room }, folder) {
  const targets = Object.values(readManifest(name).exports).filter((target) => target['navkiln-types'] !== undefined);
  const entries = targets.map((target) => [
    /^\.\/dist\/(.+)\.d\.ts$/.exec(target.types)[1],
    join(folderOf(name), target['navkiln-types']),
  ]);
  const files = await bundleTypes(Object.fromEntries(entries), room);
  for (const [file, text] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return [...files.keys()];
}

async function write(each, folder) {
  const { name, chunk, extra, alone, room } = each;
  const isCompact = room !== undefined;
  const entries = Object.entries(entriesOf(name, extra));
  const together = Object.fromEntries(entries.filter(([entry]) => !alone.includes(entry)));
  const comments = { annotation: true, legal: true, jsdoc: false };
  const files = await writeBundle(
    {
      ...bundleOptions(each, { ...together, ...developmentEntries(each, together) }),
      treeshake: { moduleSideEffects: (id) => id === ADVICE },
      // Chunks hold their modules alone, not what these import.
      preserveEntrySignatures: 'allow-extension',
    },
    {
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name].js',
      comments,
      minifyInternalExports: false,
      minify: isCompact ? COMPACT : false,
      codeSplitting:
        chunk === undefined
          ? true
          : { includeDependenciesRecursively: false, groups: [{ name: chunk, debugName: 'layers' }] },
      plugins: [{ name: 'mark-pure', renderChunk: (code) => markPure(code) }],
    },
  );
  if (isCompact) {
    for (const file of files.filter((file) => file.endsWith('.js'))) {
      const code = readFileSync(join(folder, file), 'utf8');
      writeFileSync(join(folder, file), await breakLines(SHORT_NAMES.test(file) ? await shortenNames(code) : code));
    }
    files.push(...(await writeTypes(each, folder)));
  }
  for (const [entry, source] of entries.filter(([entry]) => alone.includes(entry))) {
    const output = { dir: folder, format: 'iife', entryFileNames: '[name].js', comments, minify: true };
    const treeshake = { moduleSideEffects: () => true };
    files.push(...(await writeBundle({ ...bundleOptions(each, { [entry]: source }), treeshake }, output)));
  }
  return files;
}

/** Removes what is no longer part of a bundle: JavaScript, and declarations where they are bundled. */
function removeOthers(folder, files, ending) {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (ending.test(path) && !files.includes(path.split(sep).join('/'))) rmSync(join(folder, path));
  }
}

async function bundlePackage(each) {
  const start = new Date();
  const dist = join(folderOf(each.name), 'dist');
  // Written to another folder and then moved, so that a bundle that fails leaves the old one.
  const made = join(folderOf(each.name), 'out', 'bundle');
  rmSync(made, { recursive: true, force: true });
  const files = await write(each, made);
  // Chunks before the entries that import them.
  for (const file of [...files].sort((a, b) => b.split('/').length - a.split('/').length)) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    renameSync(join(made, file), join(dist, file));
    // Sources that changed since the start must count as newer.
    utimesSync(join(dist, file), start, start);
  }
  removeOthers(dist, files, each.room === undefined ? /\.js$/ : /\.(js|d\.ts)$/);
  rmSync(made, { recursive: true, force: true });
}

/** Bundles the packages whose sources are newer than their bundle, or all of them. */
export async function bundle({ force = false } = {}) {
  for (const each of PACKAGES) {
    if (!existsSync(folderOf(each.name))) continue;
    if (force) await bundlePackage(each);
    else
      await buildOnce(
        `bundling-${each.name}`,
        () => isBundled(each),
        () => bundlePackage(each),
      );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle({ force: true });
