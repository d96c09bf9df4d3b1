/**
 * `npm run release -- [VERSION] [--dry-run]`: publishes all packages in one version. Default: the version of the manifests, if it has no tag yet.
 *
 * It refuses a working tree with changes, a version that is not above the current one, and a changelog without an entry. Then it writes
 * the version into all manifests and the changelog, runs the checks (API reports among them), builds the documentation site, which fails on
 * dead links, packs, tries the tarballs with publint and are-the-types-wrong, publishes with provenance, commits and tags. `--dry-run` does
 * the same and undoes its changes: npm publishes nothing. `--no-site` and `--no-lint` leave out what needs a network.
 *
 * Provenance needs the identity of a CI job; npm refuses it elsewhere. So a release runs there, on a branch that all tests have passed.
 *
 * In: the repository. Out: packages on the registry, a commit, a tag. Cost: five minutes.
 * Based on: npm publish --provenance.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.mjs';
import { run } from './run.mjs';
import { build, fail, requireNode } from './setup.mjs';

/** Published packages, dependencies first. */
const PUBLISHED = ['navkiln', 'loaders', 'farm', 'cli'];
/** Programs that try tarballs. They are not dependencies of the repository. */
const LINTERS = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5'];
const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([\w.]+))?$/;

/** Returns whether a version comes after another: numbers first, and a release after its previews. */
export function isAfter(next, current) {
  const [a, b] = [VERSION.exec(next), VERSION.exec(current)];
  if (a === null || b === null) return false;
  for (let k = 1; k <= 3; k++) if (a[k] !== b[k]) return Number(a[k]) > Number(b[k]);
  return (a[4] ?? '~') > (b[4] ?? '~');
}

/** Returns a manifest in another version, with the packages of this repository that it names. */
export function withVersion(text, version, own) {
  const before = JSON.parse(text).version;
  let changed = text.replace(`"version": "${before}"`, `"version": "${version}"`);
  for (const name of own) changed = changed.replaceAll(`"${name}": "${before}"`, `"${name}": "${version}"`);
  return changed;
}

/** Returns the manifest that is published: without the export conditions of the repository and without its scripts. */
export function publicManifest(text) {
  const { scripts: _scripts, devDependencies: _devDependencies, ...manifest } = JSON.parse(text);
  for (const target of Object.values(manifest.exports)) {
    if (typeof target !== 'object') continue;
    for (const condition of Object.keys(target)) if (condition.startsWith('navkiln-')) delete target[condition];
  }
  if (Array.isArray(manifest.sideEffects))
    manifest.sideEffects = manifest.sideEffects.filter((path) => !path.startsWith('./src/'));
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Returns the changelog with its unreleased part under a version. Throws when there is none. */
export function closeChangelog(text, version, day) {
  const [, unreleased] = /^## \[Unreleased\]\n([\s\S]*?)(?=^## \[|$(?![\s\S]))/m.exec(text) ?? [];
  if (unreleased === undefined || unreleased.trim() === '')
    throw new Error('CHANGELOG.md has nothing under [Unreleased]');
  return text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${day}\n`);
}

async function must(program, args, cwd = ROOT) {
  const { status } = await run(program, args, { cwd });
  // Not `fail`, which would end the process before changes are undone.
  if (status !== 0) throw new Error(`release: ${program} ${args.join(' ')} failed; see its message above.`);
}

/** Returns the version to publish, or undefined when it is not above the last one. */
export function versionOf(wanted, current, isTagged) {
  if (wanted === undefined || wanted === current) return isTagged ? undefined : current;
  return isAfter(wanted, current) ? wanted : undefined;
}

/** Packs the published packages into a folder. Returns the tarballs. */
async function packAll(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of PUBLISHED)
    await must('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], join(ROOT, 'packages', name));
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Tries tarballs with publint and are-the-types-wrong, which are installed next to them. */
async function lintAll(tarballs, folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await must('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...LINTERS], folder);
  for (const tarball of tarballs) {
    const bin = (path, ...args) => must(process.execPath, [join(folder, 'node_modules', path), ...args], folder);
    await bin('publint/src/cli.js', 'run', tarball, '--strict');
    await bin('@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'esm-only', '--format', 'ascii');
  }
}

/** Checks, builds, packs and publishes with the manifests as they are now. */
async function publish(version, manifestOf, { isDry, hasSite, hasLint }) {
  await must('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']);
  await build();
  await must(process.execPath, ['tools/check.mjs']);
  if (hasSite) await must(process.execPath, ['tools/docs.mjs']);
  await must(process.execPath, ['tools/pack.mjs']);
  const inRepository = new Map(PUBLISHED.map((name) => [manifestOf(name), readFileSync(manifestOf(name), 'utf8')]));
  try {
    for (const [path, text] of inRepository) writeFileSync(path, publicManifest(text));
    const tarballs = await packAll(join(ROOT, 'out', 'release'));
    if (hasLint) await lintAll(tarballs, join(ROOT, 'out', 'release-lint'));
    const flags = ['--provenance', '--access', 'public', '--tag', version.includes('-') ? 'next' : 'latest'];
    for (const name of PUBLISHED)
      await must(
        'npm',
        ['publish', '--ignore-scripts', ...flags, ...(isDry ? ['--dry-run'] : [])],
        join(ROOT, 'packages', name),
      );
  } finally {
    for (const [path, text] of inRepository) writeFileSync(path, text);
    await must(process.execPath, ['tools/pack.mjs', '--clean']);
  }
}

async function main(args) {
  requireNode();
  const isDry = args.includes('--dry-run');
  const [wanted] = args.filter((arg) => !arg.startsWith('--'));
  const manifestOf = (name) => join(ROOT, 'packages', name, 'package.json');
  const current = JSON.parse(readFileSync(manifestOf('navkiln'), 'utf8')).version;
  const tags = await run('git', ['tag', '--list', `v${current}`], { capture: true });
  const version = versionOf(wanted, current, tags.output.trim() !== '');
  if (version === undefined)
    fail(`usage: npm run release -- VERSION [--dry-run], with a version above ${current}, as in 0.2.0 or 0.2.0-beta.1`);
  const { output } = await run('git', ['status', '--porcelain'], { capture: true });
  if (output.trim() !== '') fail(`release: commit these changes first:\n${output}`);
  const folders = readdirSync(join(ROOT, 'packages')).filter((name) => existsSync(manifestOf(name)));
  const own = folders.map((name) => JSON.parse(readFileSync(manifestOf(name), 'utf8')).name);
  const changelog = join(ROOT, 'CHANGELOG.md');
  const before = new Map(
    [changelog, join(ROOT, 'package-lock.json'), ...folders.map(manifestOf)].map((path) => [
      path,
      readFileSync(path, 'utf8'),
    ]),
  );
  try {
    writeFileSync(changelog, closeChangelog(before.get(changelog), version, new Date().toISOString().slice(0, 10)));
    for (const name of folders)
      writeFileSync(manifestOf(name), withVersion(before.get(manifestOf(name)), version, own));
    await publish(version, manifestOf, {
      isDry,
      hasSite: !args.includes('--no-site'),
      hasLint: !args.includes('--no-lint'),
    });
  } finally {
    if (isDry) for (const [path, text] of before) writeFileSync(path, text);
  }
  if (isDry) return console.log(`release: ${version} would be published; nothing was, and no file is changed.`);
  await must('git', ['commit', '-am', `Release ${version}`]);
  await must('git', ['tag', `v${version}`]);
  console.log(`release: ${version} is published. Push the commit and the tag v${version}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
