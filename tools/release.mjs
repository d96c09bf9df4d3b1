/**
 * `npm run release -- VERSION [--dry-run]`: publishes all packages in one version.
 *
 * It refuses a working tree with changes, a version that is not above the current one, and a changelog without an entry. Then it writes
 * the version into all manifests and the changelog, builds, packs, publishes with provenance, commits and tags. `--dry-run` does the same
 * on copies: it changes no file of the repository, and npm publishes nothing.
 *
 * Provenance needs the identity of a CI job; npm refuses it elsewhere. So a release runs there, on a branch that all tests have passed.
 *
 * In: the repository. Out: packages on the registry, a commit, a tag. Cost: two minutes.
 * Based on: npm publish --provenance.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.mjs';
import { run } from './run.mjs';
import { build, fail, requireNode } from './setup.mjs';

/** Published packages, dependencies first. */
const PUBLISHED = ['navkiln', 'loaders', 'farm', 'cli'];
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

/** Returns the changelog with its unreleased part under a version. Throws when there is none. */
export function closeChangelog(text, version, day) {
  const [, unreleased] = /^## \[Unreleased\]\n([\s\S]*?)(?=^## \[|$(?![\s\S]))/m.exec(text) ?? [];
  if (unreleased === undefined || unreleased.trim() === '')
    throw new Error('CHANGELOG.md has nothing under [Unreleased]');
  return text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${day}\n`);
}

async function must(program, args, cwd = ROOT) {
  const { status } = await run(program, args, { cwd });
  if (status !== 0) fail(`release: ${program} ${args.join(' ')} failed; see its message above.`);
}

async function main(args) {
  requireNode();
  const isDry = args.includes('--dry-run');
  const [version] = args.filter((arg) => !arg.startsWith('--'));
  const manifestOf = (name) => join(ROOT, 'packages', name, 'package.json');
  const current = JSON.parse(readFileSync(manifestOf('navkiln'), 'utf8')).version;
  if (version === undefined || !isAfter(version, current))
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
    await must('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']);
    await build();
    for (const name of PUBLISHED) {
      const flags = ['--provenance', '--access', 'public', '--tag', version.includes('-') ? 'next' : 'latest'];
      await must('npm', ['publish', ...flags, ...(isDry ? ['--dry-run'] : [])], join(ROOT, 'packages', name));
    }
  } finally {
    if (isDry) for (const [path, text] of before) writeFileSync(path, text);
  }
  if (isDry) return console.log(`release: ${version} would be published; nothing was, and no file is changed.`);
  await must('git', ['commit', '-am', `Release ${version}`]);
  await must('git', ['tag', `v${version}`]);
  console.log(`release: ${version} is published. Push the commit and the tag v${version}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
