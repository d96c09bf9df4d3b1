/**
 * `npm run truth [-- --levels N] [--first SEED] [--kinds a,b] [--only random|fixed] [--settings a,b] [--processes N] [--no-peer] [--resume]
 * [--written]`: judges bakes of scenes, levels next to the repository, and N random levels (default 3,100) against their triangles.
 *
 * Two processes take turns over the levels (packages/bench/src/truth/main.ts). Each judged bake is one line of out/truth.jsonl; `--resume`
 * keeps those of the last run and adds what is missing. A run over everything writes docs/truth.md; one with `--kinds`, `--only` or
 * `--settings` only prints bakes that are not right, with the command that repeats each. `--written` judges nothing and writes the page from
 * the lines of the last run. The exit status is 1 if a printed run finds a bake that is not right.
 *
 * In: the built packages. Out: text, out/truth.jsonl, docs/truth.md. Cost: about half an hour of two cores.
 * Based on: own.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.mjs';
import { ROOT } from './files.mjs';
import { build, install, requireNode } from './setup.mjs';

const FILE = join(ROOT, 'out/truth.jsonl');
const PAGE = join(ROOT, 'docs/truth.md');

const OPTIONS = {
  levels: { type: 'string', default: '3100' },
  first: { type: 'string', default: '1' },
  kinds: { type: 'string', default: '' },
  only: { type: 'string', default: '' },
  settings: { type: 'string', default: '' },
  processes: { type: 'string', default: '2' },
  'no-peer': { type: 'boolean', default: false },
  resume: { type: 'boolean', default: false },
  written: { type: 'boolean', default: false },
};

/** Judges in `processes` processes, which append to `file`. */
export async function judge(values, file) {
  const processes = Number(values.processes);
  const args = ['levels', 'first', 'kinds', 'only', 'settings'].map((name) => `--${name}=${values[name]}`);
  if (values['no-peer']) args.push('--no-peer');
  if (values.resume) args.push('--resume');
  const parts = Array.from({ length: processes }, (_, i) => i);
  const statuses = await Promise.all(
    parts.map(
      (part) =>
        new Promise((resolve) => {
          const main = join(ROOT, 'packages/bench/dist/truth/main.js');
          const child = spawn(process.execPath, [main, ...args, `--part=${part}/${processes}`, `--out=${file}`], {
            stdio: 'inherit',
          });
          child.on('close', (code) => resolve(code ?? 1));
        }),
    ),
  );
  return Math.max(...statuses);
}

/** Returns the rows of a run, those of the same bake once. */
export async function readRun(file) {
  const { readRows } = await import('../packages/bench/dist/truth/main.js');
  const rows = new Map(readRows(file).map((row) => [`${row.kind} ${row.name} ${row.setting} ${row.library}`, row]));
  return [...rows.values()];
}

async function main() {
  const { values } = readArguments(fileURLToPath(import.meta.url), { options: OPTIONS });
  requireNode();
  await install();
  await build();
  const isWhole = values.kinds === '' && values.only === '' && values.settings === '';
  const file = isWhole ? FILE : join(ROOT, 'out/truth-part.jsonl');
  mkdirSync(join(ROOT, 'out'), { recursive: true });
  if (!values.resume && !values.written) rmSync(file, { force: true });
  if (!values.written) {
    const status = await judge(values, file);
    if (status !== 0) process.exit(status);
  }
  const rows = await readRun(file);
  const { verdictOf } = await import('../packages/bench/dist/truth/judge.js');
  const ours = rows.filter(({ library }) => library === 'navkiln');
  const wrong = ours.filter((row) => verdictOf(row) !== 'right').length;
  console.log(`${ours.length - wrong} of ${ours.length} bakes are right`);
  if (!isWhole) process.exit(wrong > 0 ? 1 : 0);
  const { truthPage } = await import('../packages/bench/dist/truth/page.js');
  const versionOf = (path) => JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')).version;
  const versions = `Node ${process.version}, navkiln ${versionOf('packages/navkiln')}, recast-navigation ${versionOf('node_modules/recast-navigation')}`;
  writeFileSync(PAGE, truthPage(rows, { versions, first: Number(values.first) }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
