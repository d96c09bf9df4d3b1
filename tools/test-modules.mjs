/**
 * Sources as plain modules for tests: each source file of a package becomes one JavaScript file in the package's `out` folder.
 *
 *   packages/navkiln/src/agents/crowd/step.ts  ->  packages/navkiln/out/crowd/step.js
 *
 * Vitest would transform the sources itself, and replace each use of an import by an access to a property: hot loops then take more than
 * twice as long. Node imports these modules directly. They are renewed when a source is newer, so tests never see a stale build.
 *
 * In: the sources. Out: modules, and a plugin that resolves imports of sources to them. Cost: one to two seconds after a change.
 * Based on: rolldown.
 */
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.mjs';
import { buildOnce } from './lock.mjs';

/** The studio is left to Vitest: tests import few of its files. */
const PACKAGES = ['navkiln', 'loaders', 'cli', 'scenes', 'bench', 'farm'];
const STAMP = join(ROOT, 'out', 'test-modules');

const folderOf = (name) => join(ROOT, 'packages', name);

/** Returns all source files, in the order of their names. */
function listSources() {
  return PACKAGES.filter((name) => existsSync(folderOf(name))).flatMap((name) => {
    const source = join(folderOf(name), 'src');
    return readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
      .sort()
      .map((file) => join(source, file));
  });
}

/** Returns the module of a source file, or undefined for other files. */
export function moduleOf(file) {
  const [packages, name, source, ...rest] = relative(ROOT, file).split(sep);
  if (packages !== 'packages' || !PACKAGES.includes(name) || source !== 'src' || !file.endsWith('.ts'))
    return undefined;
  return join(folderOf(name), 'out', ...rest).replace(/\.ts$/, '.js');
}

/** Writes the modules, unless all are newer than the sources. */
export async function writeTestModules() {
  const files = listSources();
  const inputs = [fileURLToPath(import.meta.url), ...files];
  const isDone = () =>
    existsSync(STAMP) &&
    inputs.every((file) => statSync(file).mtimeMs <= statSync(STAMP).mtimeMs) &&
    files.every((file) => existsSync(moduleOf(file)));
  await buildOnce('test-modules', isDone, async () => {
    const begun = new Date();
    const { rolldown } = await import('rolldown');
    const names = Object.fromEntries(
      files.map((file) => [relative(ROOT, moduleOf(file)).slice(0, -'.js'.length), file]),
    );
    const build = await rolldown({
      input: names,
      platform: 'node',
      // Dependencies stay imports; packages of the repository become their sources.
      external: (id, importer) => importer !== undefined && !/^(?:\.|\/|[A-Za-z]:[\\/]|navkiln)/.test(id),
      resolve: { conditionNames: ['navkiln-source', 'import', 'default'] },
      treeshake: false,
      preserveEntrySignatures: 'strict',
      logLevel: 'silent',
    });
    try {
      await build.write({ dir: ROOT, format: 'esm', preserveModules: true, preserveModulesRoot: ROOT, entryFileNames });
    } finally {
      await build.close();
    }
    writeFileSync(STAMP, '');
    // A source that was changed meanwhile is newer.
    utimesSync(STAMP, begun, begun);
  });
}

/** Returns the place of a module: that of its source, or, for helpers of rolldown, one folder for all. */
function entryFileNames({ name, facadeModuleId }) {
  const file = facadeModuleId === null ? undefined : moduleOf(facadeModuleId);
  return file === undefined ? `out/test-helpers/${name.replaceAll(/[^\w-]/g, '-')}.js` : relative(ROOT, file);
}

/** `expect` of tests, and the files that import it as that of Vitest. */
const EXPECT = join(folderOf('navkiln'), 'test', 'expect.ts');
const IS_TEST = /\/packages\/[a-z]+\/test\/(?!expect\.ts)/;

/** The plugin of Vitest's configuration. */
export const testModules = {
  name: 'test-modules',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (source === 'vitest') return importer !== undefined && IS_TEST.test(importer) ? EXPECT : null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found === null ? null : (moduleOf(found.id) ?? found);
  },
};

/** Matches the modules: Node imports them as they are. */
export const TEST_MODULES = /\/packages\/[a-z]+\/out\/.*\.js$/;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeTestModules();
  console.log(dirname(STAMP));
}
