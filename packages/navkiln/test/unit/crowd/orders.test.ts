/** Orders at awkward times: on a link, right before and after a teleport, for a target that jumps and then stands. */
import { expect, it } from 'vitest';
import { addAgent, getAgent, teleportAgent } from '../../../src/crowd/orders/agents.ts';
import { createCrowd } from '../../../src/crowd/create.ts';
import { followAgent, moveAgentTo } from '../../../src/crowd/orders/orders.ts';
import { stepCrowd } from '../../../src/crowd/step.ts';
import type { AgentId, Crowd } from '../../../src/crowd/state/types.ts';
import { addLink } from '../../../src/navmesh/links.ts';
import { gridTile, meshOf } from '../meshes.ts';

const step = (crowd: Crowd, ticks: number): void => {
  for (let i = 0; i < ticks; i++) stepCrowd(crowd);
};

const near = (crowd: Crowd, id: AgentId, [x, , z]: readonly number[], reach: number): boolean => {
  const { position } = getAgent(crowd, id)!;
  return Math.hypot(position[0] - x!, position[2] - z!) <= reach;
};

it('goes on to its goal after a teleport, before and after it has arrived', () => {
  const crowd = createCrowd(meshOf(gridTile(20, 20)), { maxAgents: 4 });
  const id = addAgent(crowd, [2, 0, 2]);
  moveAgentTo(crowd, id, [10, 0, 10]);
  step(crowd, 30);
  for (let i = 0; i < 2; i++) {
    expect(teleportAgent(crowd, id, [18, 0, 18])).toBe(true);
    step(crowd, 800);
    expect(getAgent(crowd, id)!.status).toBe('arrived');
    expect(near(crowd, id, [10, 0, 10], 0.2)).toBe(true);
  }
});

it('takes an order on a link', () => {
  const mesh = meshOf(gridTile(20, 8, (x) => x < 8 || x > 11));
  addLink(mesh, { start: [7.5, 0, 4], end: [12.5, 0, 4] });
  const crowd = createCrowd(mesh, { maxAgents: 4 });
  const id = addAgent(crowd, [5, 0, 4]);
  moveAgentTo(crowd, id, [18, 0, 4]);
  while (getAgent(crowd, id)!.place !== 'link') step(crowd, 1);
  step(crowd, 30);
  expect(getAgent(crowd, id)!.place).toBe('link');
  moveAgentTo(crowd, id, [18, 0, 7]);
  step(crowd, 1200);
  expect(getAgent(crowd, id)!.status).toBe('arrived');
  expect(near(crowd, id, [18, 0, 7], 0.2)).toBe(true);
});

it('follows one that jumps away and then stands, though it was too soon for another search', () => {
  const crowd = createCrowd(meshOf(gridTile(20, 20)), { maxAgents: 4 });
  const id = addAgent(crowd, [2, 0, 2]);
  const other = addAgent(crowd, [10, 0, 10]);
  followAgent(crowd, id, other);
  step(crowd, 20);
  teleportAgent(crowd, other, [18, 0, 2]);
  step(crowd, 1);
  teleportAgent(crowd, other, [2, 0, 18]);
  step(crowd, 1200);
  expect(getAgent(crowd, id)!.status).toBe('arrived');
  expect(near(crowd, id, [2, 0, 18], 1.1)).toBe(true);
});
