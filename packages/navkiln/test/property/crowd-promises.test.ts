/**
 * The promises of rest on random levels (crowd-promises-run.ts): all agents come to rest, settled agents have a reason, agents that wait
 * do so for a limited time, and agents do not overlap.
 *
 * Runs few seeds; NAVKILN_FULL runs 400 from NAVKILN_SEED on, and fewer with the shortest and the longest ticks.
 */
import { describe, expect, it } from 'vitest';
import { breakPromises } from './crowd-promises-run.ts';

const IS_FULL = process.env.NAVKILN_FULL !== undefined;
const FIRST = Number(process.env.NAVKILN_SEED ?? 7001);

describe('agents on random levels', () => {
  it(`keep the promises of rest, from seed ${FIRST}`, { timeout: 600_000 }, () => {
    const count = IS_FULL ? 400 : 3;
    for (let seed = FIRST; seed < FIRST + count; seed++) expect(breakPromises({ seed }), `seed ${seed}`).toEqual([]);
  });

  it.runIf(IS_FULL).each([240, 30, 15])('keep them at %i ticks per second', { timeout: 600_000 }, (perSecond) => {
    for (let seed = FIRST; seed < FIRST + 40; seed++)
      expect(breakPromises({ seed, stepSeconds: 1 / perSecond }), `seed ${seed}`).toEqual([]);
  });

  it.each([
    ['an order to an agent that makes room is carried out', 213],
    ['an agent whose goal another one leaves free, within its arrive distance, arrives', 22],
    ['an agent that was pushed off the goal of others does not keep them from it', 53],
    ['two agents do not rest because of each other', 198],
    ['an agent goes on when one without an order leaves its goal free', 136],
    ['agents that wedge each other around a goal rest', 82],
    ['an agent that was pushed away goes on at once, or not at all', 279],
    ['the nearest agent to a goal does not settle because of one that is farther from it', 342],
  ])('%s, seed %i', (_, seed) => {
    expect(breakPromises({ seed })).toEqual([]);
  });
});
