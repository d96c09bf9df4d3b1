/**
 * `npm run example -- NAME`: runs an example of examples/. A page is served by Vite and its address is printed; a program runs in Node.
 * Without a name, it lists them. `--to FOLDER` makes a project of the example, with packages that are packed from the repository.
 *
 * An example with packages of its own (package.json) has them installed in its folder first. Pages are isolated, so that they have
 * shared memory.
 *
 * In: the name of an example. Out: text, a server. Cost: the build; for engines, their installation.
 * Based on: Vite.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSource } from './bundle.mjs';
import { ROOT } from './files.mjs';
import { run } from './run.mjs';
import { build, fail, install, requireNode } from './setup.mjs';
import { writeTemplate } from './template.mjs';

const EXAMPLES = join(ROOT, 'examples');

/** Headers with which a page is isolated. */
export const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** Returns the names of all examples: folders, and single programs. */
export function listExamples() {
  return readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => (entry.isDirectory() ? entry.name !== 'shared' : /\.(ts|yaml)$/.test(entry.name)))
    .map(({ name }) => name.replace(/\.ts$/, ''))
    .sort();
}

/** Returns the packages that an example needs besides navkiln. */
export function packagesOf(name) {
  const path = join(EXAMPLES, name, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')).dependencies ?? {}) : {};
}

/**
 * Returns Vite's options for an example.
 *
 * @returns {import('vite').InlineConfig}
 */
export function viteOptions(name) {
  return {
    configFile: false,
    root: join(EXAMPLES, name),
    base: './',
    logLevel: 'warn',
    // Sources and files of other folders, such as the library's worker.
    server: { headers: ISOLATED, fs: { allow: [ROOT] } },
    preview: { headers: ISOLATED },
    worker: { format: 'es' },
    // Workers are found next to the library's own files.
    optimizeDeps: { exclude: ['navkiln'] },
  };
}

/** Makes a project of an example, and installs what it needs. */
async function makeProject(name, folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0) fail(`--to: ${folder} is not empty`);
  const packages = { navkiln: 'navkiln', 'navkiln-loaders': 'loaders' };
  const own = {};
  mkdirSync(join(folder, 'packages'), { recursive: true });
  for (const [each, at] of Object.entries(packages)) {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', join(folder, 'packages')];
    const { status, output } = await run('npm', args, { cwd: join(ROOT, 'packages', at), capture: true });
    if (status !== 0) fail(`npm could not pack ${each}:\n${output}`);
    own[each] = `file:packages/${JSON.parse(output.slice(output.indexOf('[\n')))[0].filename}`;
  }
  const command = writeTemplate(name, folder, own, { headers: ISOLATED });
  const { status } = await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
  if (status !== 0) fail(`npm could not install the packages of ${folder}; see its message above.`);
  console.log(`${folder} is a project of its own:\n  cd ${relative('.', folder) || '.'} && ${command}`);
}

async function main(name, option, folder) {
  if (name === undefined || !listExamples().includes(name) || (option !== undefined && folder === undefined))
    fail(`usage: npm run example -- NAME [--to FOLDER], with one of\n  ${listExamples().join('\n  ')}`);
  if (option !== undefined && option !== '--to') fail(`example: unknown option ${option}; the only one is --to FOLDER`);
  const isProject = option === '--to';
  if (isProject && !statSync(join(EXAMPLES, name), { throwIfNoEntry: false })?.isDirectory())
    fail(`--to: ${name} is a single file, which needs no project; copy it`);
  requireNode();
  await install();
  await build();
  if (isProject) return void (await makeProject(name, resolve(folder)));
  await runExample(name);
}

async function runExample(name) {
  const folder = join(EXAMPLES, name);
  const missing = Object.keys(packagesOf(name)).some((each) => !existsSync(join(folder, 'node_modules', each)));
  if (missing) {
    const { status } = await run(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'],
      { cwd: folder },
    );
    if (status !== 0) fail(`npm could not install the packages of ${name}; see its message above.`);
  }
  if (name.endsWith('.yaml')) process.exit((await run('navkiln', ['crowd', folder])).status);
  if (existsSync(`${folder}.ts`)) return void (await importSource(`${folder}.ts`));
  if (!existsSync(join(folder, 'index.html'))) process.exit((await run('node', [join(folder, 'main.mjs')])).status);
  const { createServer } = await import('vite');
  const server = await createServer(viteOptions(name));
  // A server of the example's own answers on the same port.
  const own = join(folder, 'server.mjs');
  if (existsSync(own)) (await importSource(own, folder)).attach(server.httpServer);
  await server.listen();
  console.log(`${name}: ${server.resolvedUrls.local[0]}${existsSync(own) ? '?room=yard' : ''} (Ctrl-C stops it)`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(...process.argv.slice(2));
