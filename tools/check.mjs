/**
 * `npm run check [NAME]`: runs all checks, or the named one. Prints a line per check, followed by its
 * violations. Exit status 1 when a check fails.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkApi } from './api.mjs';
import { checkArchitecture } from './architecture.mjs';
import { checkDocstrings } from './check-docstrings.mjs';
import { BOUNDED_SPREADS } from './bounded-spreads.mjs';
import * as rules from './check-rules.mjs';
import { checkSupply } from './check-supply.mjs';
import { readRepository, ROOT } from './files.mjs';
import { run } from './run.mjs';

/** Files of the library that may read the clock: they report durations of stages, or keep the caller's budget of milliseconds. */
const TELL_TIME = [
  'build/links/linker.ts',
  'build/voxel/build.ts',
  'build/voxel/build-many.ts',
  'build/polygon/build.ts',
  'build/surface/build.ts',
  'build/voxel/tile.ts',
  'build/voxel/report.ts',
  'build.ts',
  'show/stage/records.ts',
  'world/levels/bake.ts',
  'world/cut/provisional.ts',
  'world/levels/update.ts',
  'build/voxel/assemble.ts',
  'build/voxel/prepare-parts.ts',
  'build/voxel/tile-jobs.ts',
  'world/streaming/publish.ts',
  'world/streaming/stream.ts',
  'world/paths/jobs.ts',
  'world/worker/bake.ts',
  'world/worker/bake-port.ts',
  'world/worker/server.ts',
];
const MAX_SHOWN = 40;

async function command(program, args) {
  const { status, output } = await run(program, args, { capture: true });
  if (status === 0) return [];
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('npm warn'));
  return lines.length > 0 ? lines : [`${program} ended with status ${status}`];
}

/** Lists the files that the formatter formats. */
function formatted(files) {
  return [...files.keys()].filter((path) => /\.(ts|mjs)$/.test(path));
}

function listChecks() {
  const files = readRepository();
  const library = JSON.parse(readFileSync(join(ROOT, 'packages/navkiln/package.json'), 'utf8'));
  const dependencies = Object.keys(library.dependencies ?? {});
  return [
    ['types', async () => [...(await command('tsc', ['-b'])), ...(await command('tsc', ['-p', 'tsconfig.test.json']))]],
    ['api', async () => checkApi()],
    ['docstrings', async () => checkDocstrings()],
    ['format', () => command('oxfmt', ['--check', ...formatted(files)])],
    ['lint', () => command('oxlint', ['--quiet', '--format=unix'])],
    ['imports', () => rules.checkImports(files, dependencies)],
    ['sizes', () => rules.checkSizes(files), () => rules.largeFiles(files)],
    ['circles', () => rules.checkCircles(files)],
    ['folders', () => rules.checkFolders(files)],
    ['calls', () => rules.checkCalls(files, TELL_TIME)],
    ['syntax', () => rules.checkSyntax(files)],
    ['spreads', () => rules.checkSpreads(files, BOUNDED_SPREADS)],
    ['headers', () => rules.checkHeaders(files)],
    ['architecture', () => checkArchitecture(files)],
    ['links', () => rules.checkLinks(files)],
    ['hosts', () => rules.checkHosts(files)],
    ['supply', () => checkSupply(files)],
  ];
}

/**
 * Runs all checks, or one by name. Returns the numbers of passed and failed checks; undefined when the name
 * is unknown.
 */
export async function runChecks(only) {
  const checks = listChecks();
  const chosen = checks.filter(([name]) => only === undefined || name === only);
  if (chosen.length === 0) {
    console.error(`check: no check '${only}'. Known: ${checks.map(([name]) => name).join(', ')}.`);
    return undefined;
  }
  let broken = 0;
  for (const [name, check, notes] of chosen) {
    const wrong = await check();
    console.log(
      `${wrong.length === 0 ? 'ok    ' : 'FAILED'}  ${name}${wrong.length === 0 ? '' : ` (${wrong.length})`}`,
    );
    for (const line of wrong.slice(0, MAX_SHOWN)) console.log(`        ${line}`);
    if (wrong.length > MAX_SHOWN) console.log(`        and ${wrong.length - MAX_SHOWN} more`);
    for (const line of notes?.() ?? []) console.log(`        note: ${line}`);
    if (wrong.length > 0) broken++;
  }
  console.log(broken === 0 ? `${chosen.length} checks passed` : `${broken} of ${chosen.length} checks failed`);
  return { held: chosen.length - broken, broken };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const result = await runChecks(process.argv[2]);
  process.exitCode = result === undefined ? 2 : result.broken === 0 ? 0 : 1;
}
