/** Positions between two ticks, at which agents are drawn. */
import { expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import {
  addAgent,
  getAgent,
  listAgents,
  removeAgent,
  teleportAgent,
} from '../../../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { agentSlotOf } from '../../../../src/agents/crowd/state/ids.ts';
import { NULL_AGENT } from '../../../../src/agents/crowd/state/types.ts';
import { advanceCrowd, interpolateAgentInto, stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { gridTile, meshOf } from '../../meshes.ts';

const angleOf = (x: number, z: number): number => (Math.atan2(x, z) * 180) / Math.PI;

it('are between the last two ticks, with the heading along the shorter way', () => {
  const crowd = createCrowd(meshOf(gridTile(20, 20)));
  const id = addAgent(crowd, [10, 0, 10], { maxTurnDegrees: 120 });
  moveAgentTo(crowd, id, [2, 0, 3]);
  const out = new Float64Array(5);
  let before = getAgent(crowd, id)!;
  for (let i = 0; i < 200; i++) {
    stepCrowd(crowd);
    const now = getAgent(crowd, id)!;
    const turn = angleOf(...now.heading) - angleOf(...before.heading);
    for (const alpha of [0, 0.25, 1]) {
      expect(interpolateAgentInto(out, crowd, id, alpha)).toBe(true);
      for (let k = 0; k < 3; k++) {
        const wanted = before.position[k]! + alpha * (now.position[k]! - before.position[k]!);
        expect(out[k]).toBeCloseTo(wanted, 12);
      }
      expect(Math.hypot(out[3]!, out[4]!)).toBeCloseTo(1, 12);
      expect(angleOf(out[3]!, out[4]!)).toBeCloseTo(angleOf(...before.heading) + alpha * turn, 2);
    }
    before = now;
  }
  // Opposite headings have no way between them that is shorter.
  const slot = agentSlotOf(crowd, id);
  crowd.previousHeading.set([-before.heading[0], -before.heading[1]], 2 * slot);
  interpolateAgentInto(out, crowd, id, 0.5);
  expect([...out.subarray(3)]).toEqual(before.heading);
});

it('are none for stale ids, and a new agent in a freed slot does not begin with the old heading', () => {
  const crowd = createCrowd(meshOf(gridTile(20, 20)));
  const [first, second] = [addAgent(crowd, [3, 0, 3]), addAgent(crowd, [9, 0, 9])];
  moveAgentTo(crowd, first, [9, 0, 3]);
  for (let i = 0; i < 60; i++) stepCrowd(crowd);
  removeAgent(crowd, first);
  const out = Float64Array.of(7, 7, 7, 7, 7);
  for (const stale of [first, NULL_AGENT, -1 as typeof first, NaN as typeof first]) {
    expect(interpolateAgentInto(out, crowd, stale, 0.5)).toBe(false);
  }
  expect([...out]).toEqual([7, 7, 7, 7, 7]);
  expect(listAgents(crowd)).toEqual([second]);
  const third = addAgent(crowd, [12, 0, 12]);
  expect(agentSlotOf(crowd, third)).toBe(0);
  expect(interpolateAgentInto(out, crowd, first, 0.5)).toBe(false);
  interpolateAgentInto(out, crowd, third, 0);
  expect([...out]).toEqual([12, 0, 12, 0, 1]);
  const short = new Float64Array(3);
  expect(interpolateAgentInto(short, crowd, third, 0)).toBe(true);
  expect([...short]).toEqual([12, 0, 12]);
});

it('do not slide to where agents are teleported or restored', () => {
  const crowd = createCrowd(meshOf(gridTile(20, 20)));
  const id = addAgent(crowd, [3, 0, 3]);
  moveAgentTo(crowd, id, [9, 0, 3]);
  advanceCrowd(crowd, 0.05);
  const hash = hashCrowd(crowd);
  const bytes = saveCrowd(crowd);
  const heading = getAgent(crowd, id)!.heading;
  teleportAgent(crowd, id, [15, 0, 15]);
  const out = new Float64Array(5);
  interpolateAgentInto(out, crowd, id, 0);
  expect([...out]).toEqual([15, 0, 15, ...heading]);
  restoreCrowd(crowd, bytes);
  expect(hashCrowd(crowd)).toBe(hash);
  interpolateAgentInto(out, crowd, id, 0);
  expect([...out.subarray(3)]).toEqual(heading);
});
