/** Agents with `avoidance: 'none'` go through all others, are never pushed, and are avoided by others. */
import { expect, it } from 'vitest';
import { addAgent, getAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { setLinkTraffic } from '../../../../src/agents/crowd/links/link-traffic.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import type { AvoidanceKind } from '../../../../src/agents/crowd/state/options.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { AGENT_ASLEEP } from '../../../../src/agents/crowd/state/types.ts';
import type { AgentId, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { agentSlotOf } from '../../../../src/agents/crowd/state/ids.ts';
import { addLink } from '../../../../src/mesh/change/links.ts';
import { gridTile, meshOf, tileOf } from '../../meshes.ts';

const CENTER = 20;

/** A crowd on one square polygon, on which all paths are straight. */
const plain = (): Crowd => {
  const square = tileOf(
    [
      [0, 0, 0],
      [0, 0, 40],
      [40, 0, 40],
      [40, 0, 0],
    ],
    [{ corners: [0, 1, 2, 3] }],
  );
  return createCrowd(meshOf(square), { maxAgents: 64 });
};

const step = (crowd: Crowd, ticks: number): void => {
  for (let i = 0; i < ticks; i++) stepCrowd(crowd);
};

/** Sends `count` agents from positions on a circle to the opposite positions. */
function circle(crowd: Crowd, count: number, avoidance: (i: number) => AvoidanceKind): AgentId[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    const at = (sign: number) => [CENTER + sign * 8 * Math.cos(angle), 0, CENTER + sign * 8 * Math.sin(angle)];
    const id = addAgent(crowd, at(1), { radius: 0.4, maxSpeed: 1.4, avoidance: avoidance(i) });
    moveAgentTo(crowd, id, at(-1));
    return id;
  });
}

it('20 agents on a circle walk straight through each other and arrive at once', () => {
  const crowd = plain();
  const ids = circle(crowd, 20, () => 'none');
  const start = ids.map((id) => getAgent(crowd, id)!.position);
  let sideways = 0;
  // 16 m at 1.4 m/s, and a second for acceleration and braking.
  for (let tick = 0; tick < 60 * (16 / 1.4 + 1); tick++) {
    stepCrowd(crowd);
    ids.forEach((id, i) => {
      const { position } = getAgent(crowd, id)!;
      const ux = (CENTER - start[i][0]) / 8;
      const uz = (CENTER - start[i][2]) / 8;
      sideways = Math.max(sideways, Math.abs(ux * (position[2] - start[i][2]) - uz * (position[0] - start[i][0])));
    });
  }
  expect(ids.map((id) => getAgent(crowd, id)!.status)).toEqual(ids.map(() => 'arrived'));
  expect(sideways).toBeLessThan(1e-9);
});

it('agents with the same goal all arrive at it, stand in each other, and sleep', () => {
  const crowd = plain();
  const ids = Array.from({ length: 10 }, (_, i) => {
    const id = addAgent(crowd, [10 + i, 0, 12], { radius: 0.4, avoidance: 'none' });
    moveAgentTo(crowd, id, [CENTER, 0, CENTER]);
    return id;
  });
  step(crowd, 1200);
  for (const id of ids) {
    expect(getAgent(crowd, id)!.status).toBe('arrived');
    expect((crowd.agents.flags[agentSlotOf(crowd, id)] & AGENT_ASLEEP) !== 0).toBe(true);
  }
});

it('others make way for it and are not walked over', () => {
  const crowd = plain();
  const ids = circle(crowd, 20, (i) => (i === 0 ? 'none' : 'orca'));
  const [ghost] = ids;
  const { position: from } = getAgent(crowd, ghost)!;
  let deepest = 0;
  for (let tick = 0; tick < 60 * (16 / 1.4 + 1); tick++) {
    stepCrowd(crowd);
    const { position } = getAgent(crowd, ghost)!;
    expect(Math.abs(position[2] - from[2])).toBeLessThan(1e-9);
    for (const id of ids.slice(1)) {
      const { position: other } = getAgent(crowd, id)!;
      deepest = Math.max(deepest, 0.8 - Math.hypot(other[0] - position[0], other[2] - position[2]));
    }
  }
  expect(getAgent(crowd, ghost)!.status).toBe('arrived');
  expect(deepest).toBeLessThan(0.05 * 0.4);
  step(crowd, 1800);
  for (const id of ids) expect(getAgent(crowd, id)!.status).toBe('arrived');
});

it('it goes through agents that stand in a corridor and cannot make way', () => {
  const crowd = createCrowd(meshOf(gridTile(12, 1)), { maxAgents: 16 });
  const standing = [4, 5, 6, 7].map((x) => addAgent(crowd, [x, 0, 0.5], { radius: 0.49 }));
  const ghost = addAgent(crowd, [1, 0, 0.5], { radius: 0.49, avoidance: 'none' });
  moveAgentTo(crowd, ghost, [11, 0, 0.5]);
  step(crowd, 600);
  expect(getAgent(crowd, ghost)!.status).toBe('arrived');
  for (const id of standing) expect(getAgent(crowd, id)!.place).toBe('ground');
});

it('it leaves a link although others stand at its end, and still waits for its turn', () => {
  const mesh = meshOf(gridTile(20, 8, (x) => x < 8 || x > 11));
  const link = addLink(mesh, { start: [7.5, 0, 4], end: [12.5, 0, 4] });
  const crowd = createCrowd(mesh, { maxAgents: 8 });
  setLinkTraffic(crowd, link, { capacity: 1, seconds: 2 });
  addAgent(crowd, [12.5, 0, 4], { radius: 0.4 });
  const ids = [5, 6].map((x) => {
    const id = addAgent(crowd, [x, 0, 4], { radius: 0.4, avoidance: 'none' });
    moveAgentTo(crowd, id, [18, 0, 4]);
    return id;
  });
  let both = 0;
  let ticks = 0;
  for (let i = 0; i < 1200; i++) {
    stepCrowd(crowd);
    const on = ids.filter((id) => getAgent(crowd, id)!.place === 'link').length;
    both = Math.max(both, on);
    if (on > 0) ticks++;
  }
  expect(both).toBe(1);
  expect(ticks).toBeGreaterThanOrEqual(2 * 119);
  expect(ticks).toBeLessThanOrEqual(2 * 122);
  for (const id of ids) expect(getAgent(crowd, id)!.status).toBe('arrived');
});
