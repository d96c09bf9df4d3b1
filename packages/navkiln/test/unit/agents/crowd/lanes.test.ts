/** Lanes in narrow passages, standing in line, and the limit of overlaps in a crush. */
import { describe, expect, it } from 'vitest';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import type { AgentId } from '../../../../src/agents/crowd/state/types.ts';
import { deepest, eventsOf, hall, info, put, run, startRun } from './traffic-run.ts';
import type { Run } from './traffic-run.ts';

/** A corridor of 12 x 1 between two halls. */
const corridor = (): Run['crowd']['mesh'] => hall(28, 7, (x, z) => x < 8 || x > 19 || z === 3);

function people(target: Run, count: number, from: number, to: number): AgentId[] {
  return Array.from({ length: count }, (_, i) => {
    const z = 1 + 1.2 * (i % 4);
    const id = put(target, [from + 1.2 * Math.floor(i / 4), 0, z]);
    moveAgentTo(target.crowd, id, [to + 1.2 * Math.floor(i / 4), 0, z]);
    return id;
  });
}

/** Returns the mean z of each agent over all its ticks in the corridor, and the deepest overlap. */
function lanesOf(target: Run, ids: readonly AgentId[], seconds: number): { z: number[]; deep: number } {
  const sums = ids.map(() => [0, 0]);
  let deep = 0;
  run(target, seconds, () => {
    ids.forEach((id, i) => {
      const {
        position: [x, , z],
      } = info(target, id);
      if (x > 10 && x < 18) sums[i] = [sums[i][0] + z, sums[i][1] + 1];
    });
    if (target.crowd.tick % 5 === 0) deep = Math.max(deep, deepest(target, ids));
    return ids.every((id) => info(target, id).status === 'arrived');
  });
  return { z: sums.map(([sum, count]) => sum! / count!), deep };
}

describe('a corridor with two opposite streams', () => {
  it.each([
    ['right', 1],
    ['left', -1],
  ] as const)('is shared: all agents keep to the %s', (passingSide, sign) => {
    const target = startRun(corridor(), { passingSide });
    const east = people(target, 8, 2, 22);
    const west = people(target, 8, 22, 2);
    const { z, deep } = lanesOf(target, [...east, ...west], 90);
    for (const id of [...east, ...west]) expect(info(target, id).status).toBe('arrived');
    const mean = (list: number[]): number => list.reduce((a, b) => a + b, 0) / list.length;
    // Seen from above with z down the page, the right of an agent that goes east is at higher z.
    expect(sign * (mean(z.slice(0, 8)) - mean(z.slice(8)))).toBeGreaterThan(0.3);
    expect(deep).toBeLessThan(0.05);
  });

  it('is used in its whole width when nobody comes the other way', () => {
    const target = startRun(corridor());
    const ids = people(target, 12, 2, 22);
    const { z, deep } = lanesOf(target, ids, 60);
    for (const id of ids) expect(info(target, id).status).toBe('arrived');
    expect(Math.max(...z) - Math.min(...z)).toBeGreaterThan(0.3);
    expect(deep).toBeLessThan(0.05);
  });
});

it('an agent stands in line behind a slow one and does not give up', () => {
  const target = startRun(hall(20, 1));
  const slow = put(target, [4, 0, 0.5], { maxSpeed: 0.15, radius: 0.45 });
  const ids = [put(target, [3, 0, 0.5], { radius: 0.45 }), put(target, [2, 0, 0.5], { radius: 0.45 })];
  for (const [i, id] of [slow, ...ids].entries()) moveAgentTo(target.crowd, id, [12 - 1.5 * i, 0, 0.5]);
  run(target, 70);
  for (const id of [slow, ...ids]) expect(eventsOf(target, id)).toEqual(['arrived']);
});

it('no step presses one agent into another, even when all enter a door at once', () => {
  const target = startRun(hall(12, 8, (x, z) => x !== 6 || z === 4));
  const ids: AgentId[] = [];
  for (let i = 0; i < 30; i++) ids.push(put(target, [0.5 + 0.9 * (i % 6), 0, 1 + 1.2 * Math.floor(i / 6)]));
  ids.forEach((id, i) => moveAgentTo(target.crowd, id, [11.5 - 0.9 * (i % 5), 0, 1 + 1.2 * Math.floor(i / 5)]));
  let deep = 0;
  run(target, 60, () => {
    deep = Math.max(deep, deepest(target, ids));
    return ids.every((id) => info(target, id).status === 'arrived');
  });
  for (const id of ids) expect(['arrived', 'settled']).toContain(info(target, id).status);
  expect(deep).toBeLessThan(0.05);
});
