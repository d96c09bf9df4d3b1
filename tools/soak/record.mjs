/**
 * `npm run soak -- record [--flips N] [--damages N] [--ticks N] [--agents N] [--scale N] [--seed SEED]`: recordings of crowds.
 *
 * Ten minutes of 500 agents in a town (36,000 ticks) are recorded, and replayed in Node and in Chromium: the file has at most 2 MB, and all
 * hashes are equal. Then 1,000 games with one bit changed at random: the recording names the first tick, agent and field that differ.
 * Last, 20,000 damaged recordings, half of them with a right checksum.
 *
 * Out: text of the tests; the exit status is 1 when one fails, 2 for wrong arguments.
 * Cost: about ten minutes on an idle machine, most of it ticks.
 * Based on: own.
 */
import { parseArgs } from 'node:util';
import { run } from '../run.mjs';

const OPTIONS = {
  flips: { type: 'string', default: '1000' },
  damages: { type: 'string', default: '10000' },
  ticks: { type: 'string', default: '36000' },
  agents: { type: 'string', default: '500' },
  scale: { type: 'string', default: '6' },
  seed: { type: 'string', default: '7' },
};
const USAGE =
  'usage: npm run soak -- record [--flips N] [--damages N] [--ticks N] [--agents N] [--scale N] [--seed SEED]';

/** Runs the tests. Returns the exit status. */
export async function soak(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: OPTIONS }));
  } catch {
    values = {};
  }
  const isWhole = Object.keys(OPTIONS).every((key) => /^[1-9]\d*$/.test(values[key] ?? ''));
  if (!isWhole) {
    console.error(USAGE);
    return 2;
  }
  const { status } = await run(
    'vitest',
    [
      'run',
      'packages/navkiln/test/unit/agents/record/record.test.ts',
      'packages/navkiln/test/browser/recordings.test.ts',
      '--maxWorkers=1',
      '--silent=false',
    ],
    {
      env: {
        NAVKILN_FLIPS: values.flips,
        NAVKILN_DAMAGES: values.damages,
        NAVKILN_RECORD_TICKS: values.ticks,
        NAVKILN_RECORD_AGENTS: values.agents,
        NAVKILN_RECORD_SCALE: values.scale,
        NAVKILN_SEED: values.seed,
        NAVKILN_PAGE_MS: '3600000',
      },
    },
  );
  return status;
}
