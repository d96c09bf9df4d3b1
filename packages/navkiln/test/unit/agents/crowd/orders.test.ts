/**
 * Orders: at awkward times (on a link, around a teleport, for a target that jumps), and the results of failing calls.
 */
import { describe, expect, it } from 'vitest';
import {
  addAgent,
  getAgent,
  hasAgent,
  removeAgent,
  setAgentOptions,
  teleportAgent,
} from '../../../../src/agents/crowd/orders/agents.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import {
  followAgent,
  moveAgentTo,
  setAgentPosition,
  setAgentVelocity,
  stopAgent,
} from '../../../../src/agents/crowd/orders/orders.ts';
import { hashCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { NULL_AGENT } from '../../../../src/agents/crowd/state/types.ts';
import type { AgentId, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { addLink } from '../../../../src/mesh/change/links.ts';
import { gridTile, meshOf } from '../../meshes.ts';

const step = (crowd: Crowd, ticks: number): void => {
  for (let i = 0; i < ticks; i++) stepCrowd(crowd);
};

const near = (crowd: Crowd, id: AgentId, [x, , z]: readonly number[], reach: number): boolean => {
  const { position } = getAgent(crowd, id)!;
  return Math.hypot(position[0] - x!, position[2] - z!) <= reach;
};

it('continues to its goal after a teleport, before and after it has arrived', () => {
  const crowd = createCrowd(meshOf(gridTile(20, 20)), { maxAgents: 4 });
  const id = addAgent(crowd, [2, 0, 2]);
  moveAgentTo(crowd, id, [10, 0, 10]);
  step(crowd, 30);
  for (let i = 0; i < 2; i++) {
    expect(teleportAgent(crowd, id, [18, 0, 18])).toBe('accepted');
    step(crowd, 800);
    expect(getAgent(crowd, id)!.status).toBe('arrived');
    expect(near(crowd, id, [10, 0, 10], 0.2)).toBe(true);
  }
});

it('has not arrived when the order to an unreachable goal is repeated', () => {
  const crowd = createCrowd(meshOf(gridTile(20, 8, (x) => x < 8 || x > 11)), { maxAgents: 4 });
  const id = addAgent(crowd, [6, 0, 4]);
  for (let i = 0; i < 20; i++) {
    expect(moveAgentTo(crowd, id, [16, 0, 4])).toBe('accepted');
    step(crowd, 30);
    expect(getAgent(crowd, id)).toMatchObject({ isPartial: true, status: i < 4 ? expect.any(String) : 'blocked' });
  }
});

it('accepts an order on a link', () => {
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

it('follows an agent that jumps away and then rests, although the next search was not due', () => {
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

describe('addAgent', () => {
  it('reports why it added no agent, and neither saves nor hashes it', () => {
    const crowd = createCrowd(meshOf(gridTile(4, 4)), { maxAgents: 1 });
    expect(crowd.addFailure).toBe('none');
    expect(addAgent(crowd, [50, 0, 50])).toBe(NULL_AGENT);
    expect(crowd.addFailure).toBe('off-mesh');
    const before = hashCrowd(crowd);
    const id = addAgent(crowd, [1, 0, 1]);
    expect(crowd.addFailure).toBe('none');
    expect(addAgent(crowd, [2, 0, 2])).toBe(NULL_AGENT);
    expect(crowd.addFailure).toBe('full');
    removeAgent(crowd, id);
    expect(hashCrowd(createCrowd(crowd.mesh, { maxAgents: 1 }))).toBe(before);
  });

  it('takes an agent that cannot move', () => {
    const crowd = createCrowd(meshOf(gridTile(4, 4)), { maxAgents: 1 });
    expect(getAgent(crowd, addAgent(crowd, [1, 0, 1], { maxSpeed: 0 }))!.maxSpeed).toBe(0);
  });

  it('refuses unknown options and bad values by name', () => {
    const crowd = createCrowd(meshOf(gridTile(4, 4)), { maxAgents: 1 });
    const add = (options: object) => () => addAgent(crowd, [1, 0, 1], options);
    expect(add({ maxspeed: 1 })).toThrow('addAgent: options.maxspeed is unknown; known keys: radius');
    expect(add({ radius: -1 })).toThrow('addAgent: options.radius is -1; must be finite and > 0');
    expect(add({ mask: 0x10000 })).toThrow('addAgent: options.mask is 65536; must be a whole number, 0 .. 0xffff');
    expect(add({ filter: 1 })).toThrow(
      "addAgent: options.filter is 1; must be the index of one of the crowd's 1 filters",
    );
    expect(add({ avoidance: 'toString' })).toThrow('addAgent: options.avoidance is "toString"; must be');
    expect(() => createCrowd(crowd.mesh, { maxAgents: 0 })).toThrow('createCrowd: options.maxAgents is 0; must be');
  });
});

describe('orders', () => {
  const start = (): { crowd: Crowd; id: AgentId; pillar: AgentId; gone: AgentId } => {
    const crowd = createCrowd(meshOf(gridTile(8, 8)), { maxAgents: 4 });
    const id = addAgent(crowd, [1, 0, 1]);
    const pillar = addAgent(crowd, [4, 0, 4], { avoidOnly: true });
    const gone = addAgent(crowd, [6, 0, 6]);
    removeAgent(crowd, gone);
    return { crowd, id, pillar, gone };
  };

  it('answer no-agent for a removed agent, for NULL_AGENT and for a number that was never an id', () => {
    const { crowd, id, gone } = start();
    for (const stale of [gone, NULL_AGENT, NaN as AgentId, -1 as AgentId, (2 ** 53) as AgentId]) {
      expect(moveAgentTo(crowd, stale, [1, 0, 1])).toBe('no-agent');
      expect(followAgent(crowd, stale, id)).toBe('no-agent');
      expect(followAgent(crowd, id, stale)).toBe('no-agent');
      expect(setAgentVelocity(crowd, stale, [1, 0, 0])).toBe('no-agent');
      expect(stopAgent(crowd, stale)).toBe('no-agent');
      expect(teleportAgent(crowd, stale, [1, 0, 1])).toBe('no-agent');
      expect(setAgentPosition(crowd, stale, [1, 0, 1])).toBe('no-agent');
      expect(setAgentOptions(crowd, stale, {})).toBe(false);
      expect(removeAgent(crowd, stale)).toBe(false);
      expect(hasAgent(crowd, stale)).toBe(false);
      expect(getAgent(crowd, stale)).toBe(null);
    }
  });

  it('throw a TypeError for what is no id at all', () => {
    const { crowd } = start();
    const nothing = undefined as unknown as AgentId;
    expect(() => stopAgent(crowd, nothing)).toThrow('stopAgent: id is undefined; must be an AgentId');
    expect(() => getAgent(crowd, nothing)).toThrow(TypeError);
    expect(() => removeAgent(crowd, 'a' as unknown as AgentId)).toThrow('removeAgent: id is "a"; must be an AgentId');
  });

  it('answer avoid-only for an agent that is only avoided, which setAgentPosition moves', () => {
    const { crowd, id, pillar } = start();
    expect(moveAgentTo(crowd, pillar, [1, 0, 1])).toBe('avoid-only');
    expect(followAgent(crowd, pillar, id)).toBe('avoid-only');
    expect(setAgentVelocity(crowd, pillar, [1, 0, 0])).toBe('avoid-only');
    expect(stopAgent(crowd, pillar)).toBe('avoid-only');
    expect(setAgentPosition(crowd, pillar, [100, 5, 100])).toBe('accepted');
    expect(getAgent(crowd, pillar)!.position).toEqual([100, 5, 100]);
    expect(followAgent(crowd, id, pillar)).toBe('accepted');
  });

  it('answer off-mesh far from the mesh, and the previous order holds', () => {
    const { crowd, id } = start();
    moveAgentTo(crowd, id, [6, 0, 1]);
    expect(moveAgentTo(crowd, id, [50, 0, 50])).toBe('off-mesh');
    expect(teleportAgent(crowd, id, [50, 0, 50])).toBe('off-mesh');
    expect(setAgentPosition(crowd, id, [2, 0, 2])).toBe('crowd-owned');
    expect(getAgent(crowd, id)!.goal).toEqual([6, 0, 1]);
    step(crowd, 600);
    expect(getAgent(crowd, id)!.status).toBe('arrived');
  });

  it('refuse an agent that is to follow itself, and bad options, in the name of the function', () => {
    const { crowd, id, pillar } = start();
    expect(() => followAgent(crowd, id, id)).toThrow(/^followAgent: target is \d+; must be the id of another agent$/);
    expect(() => followAgent(crowd, id, pillar, { distance: -1 })).toThrow(
      'followAgent: options.distance is -1; must be',
    );
    expect(() => followAgent(crowd, id, pillar, { near: 1 } as object)).toThrow('followAgent: options.near is unknown');
    expect(() => moveAgentTo(crowd, id, [NaN, 0, 0])).toThrow(/^moveAgentTo: point is/);
    expect(() => setAgentVelocity(crowd, id, [0, 0, Infinity])).toThrow(/^setAgentVelocity: velocity is/);
    expect(() => teleportAgent(crowd, id, 5 as never)).toThrow(/^teleportAgent: point is/);
  });
});

it('keeps options that are absent or undefined', () => {
  const crowd = createCrowd(meshOf(gridTile(8, 8)), { maxAgents: 4 });
  const id = addAgent(crowd, [1, 0, 1], { radius: 0.25, maxSpeed: 2 });
  expect(setAgentOptions(crowd, id, { radius: undefined, priority: 0.9 })).toBe(true);
  expect(getAgent(crowd, id)).toMatchObject({ radius: 0.25, maxSpeed: 2 });
  expect(() => setAgentOptions(crowd, id, { speed: 1 } as object)).toThrow('setAgentOptions: options.speed is unknown');
});
