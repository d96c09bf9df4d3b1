/**
 * Random rollbacks of a game with obstacles, doors, links, characters and targets (test/browser/rollbacks.ts): every tick equals that of
 * the game that never went back, bit for bit.
 *
 * NAVKILN_SEED: the first seed. NAVKILN_ROLLBACKS: how many in all games together (default 100); NAVKILN_ROLLBACK_SECONDS: no game
 * begins after that. `npm run soak -- rollback` runs 10,000.
 */
import { expect, it } from 'vitest';
import { runRollbacks } from '../browser/rollbacks.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const ROLLBACKS = Number(process.env.NAVKILN_ROLLBACKS ?? 50);
const SECONDS = Number(process.env.NAVKILN_ROLLBACK_SECONDS ?? Infinity);
/** Ticks of a game. */
const TICKS = 126;

it(`${ROLLBACKS} rollbacks change nothing, seeds from ${SEED}`, { timeout: 36_000_000 }, () => {
  const end = Date.now() + 1000 * SECONDS;
  const failures: string[] = [];
  let done = 0;
  for (let seed = SEED; done < ROLLBACKS && Date.now() < end; seed++) {
    try {
      const { rollbacks, ...hashes } = runRollbacks(TICKS, seed);
      done += Number.parseInt(rollbacks, 10);
      expect(new Set(Object.values(hashes)).size).toBe(Object.keys(hashes).length);
    } catch (error) {
      failures.push((error as Error).message);
      if (failures.length > 9) break;
    }
  }
  console.info(`rollback: ${done} rollbacks, ${failures.length} failures`);
  expect(failures).toEqual([]);
});
