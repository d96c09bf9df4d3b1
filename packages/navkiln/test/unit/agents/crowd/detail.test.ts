/** Agents that decide less often: at ease, and of low detail. */
import { describe, expect, it } from 'vitest';
import { addAgent, setAgentOptions } from '../../../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { restoreCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { agentOptionsOf } from '../../../../src/agents/crowd/state/options.ts';
import { hall, info, put, run, startRun } from './traffic-run.ts';
import type { Run, Vector } from './traffic-run.ts';

/** Returns how often the agent in slot 0 decided in the last so many ticks. */
function decisionsIn(target: Run, ticks: number): number {
  const { crowd } = target;
  let count = 0;
  run(target, ticks * crowd.stepSeconds, () => {
    if (crowd.tick > 0 && crowd.thinking.subarray(0, crowd.thinkingCount).includes(0)) count++;
    return false;
  });
  return count;
}

describe('how often an agent decides', () => {
  it.each([
    [1 / 60, undefined, 15],
    [1 / 60, 'low', 7.5],
    [1 / 30, undefined, 15],
    [1 / 30, 'low', 7.5],
    [1 / 15, 'low', 7.5],
    [1 / 240, 'low', 7.5],
    [1 / 4, 'low', 4],
  ] as const)('while it walks in the open, at ticks of %d s and detail %s', (stepSeconds, detail, perSecond) => {
    const target = startRun(hall(40, 20), { stepSeconds });
    moveAgentTo(target.crowd, put(target, [2, 0, 10], { detail }), [38, 0, 10]);
    run(target, 2);
    // Each new polygon asks for a decision of its own.
    const count = decisionsIn(target, Math.round(4 / stepSeconds));
    expect(count).toBeGreaterThanOrEqual(4 * perSecond - 1);
    expect(count).toBeLessThanOrEqual(4 * perSecond + 10);
  });

  it('in each turn near its goal and in a narrow passage, also with low detail', () => {
    const target = startRun(hall(40, 7, (x, z) => x < 8 || z === 3));
    moveAgentTo(target.crowd, put(target, [9, 0, 3.5], { detail: 'low' }), [38, 0, 3.5]);
    run(target, 2);
    expect(decisionsIn(target, 60)).toBeGreaterThanOrEqual(29);
  });
});

describe('detail', () => {
  it('is refused unless it is a known word, kept by saves, and changes at any time', () => {
    const target = startRun(hall(10, 10));
    const { crowd } = target;
    expect(() => addAgent(crowd, [5, 0, 5], { detail: 'half' as 'low' })).toThrow(
      `addAgent: options.detail is "half"; must be 'full' or 'low'`,
    );
    const id = put(target, [5, 0, 5], { detail: 'low', autoBrake: false });
    const fresh = startRun(hall(10, 10)).crowd;
    restoreCrowd(fresh, saveCrowd(crowd));
    expect(agentOptionsOf(fresh, 0)).toMatchObject({ detail: 'low', autoBrake: false });
    setAgentOptions(crowd, id, { detail: 'full' });
    expect(agentOptionsOf(crowd, 0)).toMatchObject({ detail: 'full', autoBrake: false });
  });

  it('low lets agents settle around one goal and stand still', () => {
    const target = startRun(hall(20, 20));
    const ids = Array.from({ length: 24 }, (_, k) => {
      const from: Vector = k % 2 === 0 ? [1 + k / 4, 0, 3] : [1 + k / 4, 0, 17];
      const id = put(target, from, { detail: 'low' });
      moveAgentTo(target.crowd, id, [10, 0, 10]);
      return id;
    });
    const seconds = run(target, 40, () => ids.every((id) => ['arrived', 'settled'].includes(info(target, id).status)));
    expect(seconds).toBeLessThan(40);
    run(target, 1);
    for (const id of ids) {
      const { position, velocity } = info(target, id);
      expect(Math.hypot(position[0] - 10, position[2] - 10)).toBeLessThan(3);
      expect(velocity).toEqual([0, 0, 0]);
    }
  });
});
