/**
 * `npm run soak -- truth [--levels N] [--first SEED] [--kinds a,b] [--settings a,b]`: judges bakes of N random levels (default 300) against their
 * triangles and against walks that are known by construction, as `npm run truth` does, on other seeds.
 *
 * Without `--first` the seeds begin at a random one, which is printed. Bakes that are not right are printed with the command that repeats
 * each. The exit status is 1 if there are any.
 *
 * In: the built packages. Out: text. Cost: about half a second per level and core.
 * Based on: own.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../files.mjs';
import { judge, readRun } from '../truth.mjs';

const OPTIONS = {
  levels: { type: 'string', default: '300' },
  first: { type: 'string', default: '' },
  kinds: { type: 'string', default: '' },
  settings: { type: 'string', default: '' },
};
const USAGE = 'usage: npm run soak -- truth [--levels N] [--first SEED] [--kinds a,b] [--settings a,b]';

/** Judges the levels. Returns the exit status. */
export async function soak(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: OPTIONS }));
  } catch {
    console.error(USAGE);
    return 2;
  }
  const first = values.first === '' ? String(Math.floor(Math.random() * 1e9)) : values.first;
  console.log(`${values.levels} random levels from seed ${first}`);
  const file = join(ROOT, 'out/truth-soak.jsonl');
  mkdirSync(join(ROOT, 'out'), { recursive: true });
  rmSync(file, { force: true });
  const status = await judge({ ...values, first, only: 'random', processes: '2', 'no-peer': true }, file);
  if (status !== 0) return status;
  const rows = await readRun(file);
  const { verdictOf } = await import('../../packages/bench/dist/truth/judge.js');
  const wrong = rows.filter((row) => verdictOf(row) !== 'right').length;
  console.log(`${rows.length - wrong} of ${rows.length} bakes are right`);
  return wrong > 0 ? 1 : 0;
}
