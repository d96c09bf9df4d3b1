/**
 * An example as a project of its own: `npm run example -- NAME --to FOLDER`. The folder has the files of the example, a package.json with
 * scripts and dependencies, and Vite's configuration; it does not need the repository any more.
 *
 * In: the name of an example that is a folder. Out: files. Cost: milliseconds.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './files.mjs';

const EXAMPLES = join(ROOT, 'examples');
const IS_CODE = /\.(?:[jt]sx?|mjs|html)$/;
/** Packages of this repository that code imports: `navkiln` of `navkiln/build`. */
const OWN = /from '(navkiln[\w-]*)/g;

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Returns the code of a template: without files of the repository outside of it. */
function codeOf(text) {
  return text.replaceAll(`'../shared/`, `'./shared/`).replace(/^ *<script type="importmap">[\s\S]*?<\/script>\n/m, '');
}

/** Files of an example: path in the template -> path in the repository. */
function filesOf(name) {
  const files = new Map();
  const add = (path, at) => {
    for (const entry of readdirSync(path)) {
      const full = join(path, entry);
      if (entry === 'node_modules' || entry === 'package.json') continue;
      if (statSync(full).isDirectory()) add(full, join(at, entry));
      else files.set(join(at, entry), full);
    }
  };
  add(join(EXAMPLES, name), '');
  const usesShared = [...files.values()].some(
    (path) => IS_CODE.test(path) && readFileSync(path, 'utf8').includes(`'../shared/`),
  );
  if (usesShared) add(join(EXAMPLES, 'shared'), 'shared');
  return files;
}

/**
 * Writes the template of an example into a folder. `own` has the version, or the tarball, of each package of this repository, `headers` are
 * those of the development server. Returns the command that runs it.
 */
export function writeTemplate(name, folder, own, { headers } = {}) {
  const files = filesOf(name);
  const used = new Set();
  mkdirSync(folder, { recursive: true });
  for (const [at, path] of files) {
    mkdirSync(join(folder, at, '..'), { recursive: true });
    if (!IS_CODE.test(path)) {
      cpSync(path, join(folder, at));
      continue;
    }
    const code = codeOf(readFileSync(path, 'utf8'));
    for (const [, each] of code.matchAll(OWN)) used.add(each);
    writeFileSync(join(folder, at), code);
  }
  const isPage = files.has('index.html');
  const manifest = join(EXAMPLES, name, 'package.json');
  const vite = read(join(ROOT, 'packages/studio/package.json')).devDependencies.vite;
  const packageJson = {
    name: basename(folder)
      .toLowerCase()
      .replace(/[^\w.-]+/g, '-'),
    private: true,
    type: 'module',
    scripts: isPage ? { start: 'vite --open', dev: 'vite', build: 'vite build' } : { start: 'node main.mjs' },
    dependencies: {
      ...Object.fromEntries([...used].sort().map((each) => [each, own[each]])),
      ...(existsSync(manifest) ? read(manifest).dependencies : {}),
    },
    ...(isPage ? { devDependencies: { vite } } : {}),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`);
  if (isPage) {
    const server = headers === undefined ? '' : `  server: { headers: ${JSON.stringify(headers)} },\n`;
    const config = `export default {\n  base: './',\n${server}  worker: { format: 'es' },\n  optimizeDeps: { exclude: ['navkiln'] },\n};\n`;
    writeFileSync(join(folder, 'vite.config.js'), config);
  }
  return isPage ? 'npm run dev' : 'npm start';
}
