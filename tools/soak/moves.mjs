/**
 * `npm run soak -- moves [--moves N] [--seed S]`: sends N random moves (default 10,000,000) through `validateMove`, with ends up to 1e308
 * and values that are no points, on levels and on maps full of thin walls.
 *
 * Each accepted position must be on the mesh, and its shortest path not longer than allowed; see test/property/moves.test.ts. The exit
 * status is 1 when one is not, 2 for wrong arguments.
 *
 * In: the sources of the library. Out: text. Cost: about six minutes for ten million moves.
 * Based on: own.
 */
import { parseArgs } from 'node:util';
import { run } from '../run.mjs';

const OPTIONS = { moves: { type: 'string', default: '10000000' }, seed: { type: 'string', default: '101' } };

/** Sends the moves. Returns the exit status. */
export async function soak(args) {
  let values = { moves: '', seed: '' };
  try {
    ({ values } = parseArgs({ args, options: OPTIONS }));
  } catch {
    // The check below fails.
  }
  if (!(Number(values.moves) > 0 && /^\d+$/.test(values.seed))) {
    console.error('usage: npm run soak -- moves [--moves N] [--seed S]');
    return 2;
  }
  const { status } = await run(
    'vitest',
    ['run', 'packages/navkiln/test/property/moves.test.ts', '--testTimeout=3600000'],
    {
      env: { NAVKILN_MOVES: values.moves, NAVKILN_SEED: values.seed },
    },
  );
  return status === 0 ? 0 : 1;
}
