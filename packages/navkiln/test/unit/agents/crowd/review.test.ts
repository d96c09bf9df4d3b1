/** Agents at rest that go on: the agent beside which they settled has left, or they were moved away from their goal. */
import { describe, expect, it } from 'vitest';
import {
  addAgent,
  getAgent,
  removeAgent,
  setAgentOptions,
  teleportAgent,
} from '../../../../src/agents/crowd/orders/agents.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { explainAgent } from '../../../../src/agents/crowd/explain.ts';
import {
  followAgent,
  moveAgentTo,
  setAgentPosition,
  setAgentVelocity,
} from '../../../../src/agents/crowd/orders/orders.ts';
import { listEvents } from '../../../../src/agents/crowd/state/events.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { AGENT_ASLEEP } from '../../../../src/agents/crowd/state/types.ts';
import type { AgentId, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { agentSlotOf } from '../../../../src/agents/crowd/state/ids.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { gridTile, meshOf } from '../../meshes.ts';

const GOAL = [20, 0, 20] as const;

const step = (crowd: Crowd, ticks: number): void => {
  for (let i = 0; i < ticks; i++) stepCrowd(crowd);
};

const awayFrom = (crowd: Crowd, id: AgentId, [x, , z]: readonly number[] = GOAL): number => {
  const { position } = getAgent(crowd, id)!;
  return Math.hypot(position[0] - x, position[2] - z);
};

const isAsleep = (crowd: Crowd, id: AgentId): boolean =>
  (crowd.agents.flags[agentSlotOf(crowd, id)] & AGENT_ASLEEP) !== 0;

/** Returns a crowd with one agent on the goal and another that has settled beside it. Both sleep. */
function settledPair(options = {}): { crowd: Crowd; first: AgentId; second: AgentId } {
  const crowd = createCrowd(meshOf(gridTile(40, 40)), { maxAgents: 16 });
  const first = addAgent(crowd, [18, 0, 20], { radius: 0.3, ...options });
  moveAgentTo(crowd, first, GOAL);
  step(crowd, 200);
  const second = addAgent(crowd, [15, 0, 20], { radius: 0.3 });
  moveAgentTo(crowd, second, GOAL);
  step(crowd, 600);
  expect(getAgent(crowd, second)!.status).toBe('settled');
  expect(isAsleep(crowd, second)).toBe(true);
  return { crowd, first, second };
}

describe('a settled agent goes on to its goal', () => {
  it.each([
    ['walks away', (crowd: Crowd, id: AgentId) => moveAgentTo(crowd, id, [30, 0, 30])],
    [
      'runs away',
      (crowd: Crowd, id: AgentId) => {
        setAgentOptions(crowd, id, { maxSpeed: 20, maxAcceleration: 1000 });
        moveAgentTo(crowd, id, [30, 0, 30]);
      },
    ],
    ['is removed', (crowd: Crowd, id: AgentId) => removeAgent(crowd, id)],
    [
      'is teleported',
      (crowd: Crowd, id: AgentId) => {
        moveAgentTo(crowd, id, [30, 0, 30]);
        teleportAgent(crowd, id, [30, 0, 30]);
      },
    ],
  ])('when the one at the goal %s', (_, leave) => {
    const { crowd, first, second } = settledPair();
    leave(crowd, first);
    step(crowd, 300);
    expect(getAgent(crowd, second)!.status).toBe('arrived');
    expect(awayFrom(crowd, second)).toBeLessThan(0.15);
    expect(isAsleep(crowd, second)).toBe(true);
  });

  it('when a body that users move is gone from one tick to the next', () => {
    const crowd = createCrowd(meshOf(gridTile(40, 40)), { maxAgents: 16 });
    const body = addAgent(crowd, GOAL, { radius: 0.5, avoidOnly: true });
    const id = addAgent(crowd, [15, 0, 20], { radius: 0.3 });
    moveAgentTo(crowd, id, GOAL);
    step(crowd, 600);
    expect(getAgent(crowd, id)!.status).toBe('settled');
    setAgentPosition(crowd, body, [35, 0, 5]);
    step(crowd, 300);
    expect(getAgent(crowd, id)!.status).toBe('arrived');
  });

  it('after it was pushed away from the others', () => {
    const { crowd, second } = settledPair();
    const near = awayFrom(crowd, second);
    // A car pushes it off.
    const car = addAgent(crowd, [19.2, 0, 15], { radius: 0.6, avoidOnly: true });
    for (let z = 15; z < 25; z += 0.05) {
      setAgentPosition(crowd, car, [19.2, 0, z]);
      stepCrowd(crowd);
    }
    removeAgent(crowd, car);
    step(crowd, 600);
    expect(['settled', 'arrived']).toContain(getAgent(crowd, second)!.status);
    expect(awayFrom(crowd, second)).toBeLessThan(near + 0.3);
  });

  it('and reports once more that it rests', () => {
    const { crowd, first, second } = settledPair();
    setAgentVelocity(crowd, first, [1, 0, 0]);
    const kinds: string[] = [];
    for (let i = 0; i < 300; i++) {
      stepCrowd(crowd);
      kinds.push(...listEvents(crowd).flatMap(({ kind, agent }) => (agent === second ? [kind] : [])));
    }
    expect(kinds).toEqual(['arrived']);
  });
});

it('a settled agent stays while the one at the goal stays, and nothing moves', () => {
  const { crowd, first, second } = settledPair();
  const before = [...getAgent(crowd, first)!.position, ...getAgent(crowd, second)!.position];
  for (let i = 0; i < 3000; i++) {
    stepCrowd(crowd);
    expect(crowd.events.count).toBe(0);
  }
  expect([...getAgent(crowd, first)!.position, ...getAgent(crowd, second)!.position]).toEqual(before);
});

it('a cluster closes up when its middle leaves, and comes to rest', () => {
  const crowd = createCrowd(meshOf(gridTile(40, 40)), { maxAgents: 32 });
  const ids = Array.from({ length: 24 }, (_, i) => {
    const id = addAgent(crowd, [10 + (i % 6), 0, 10 + Math.floor(i / 6)], { radius: 0.3 });
    moveAgentTo(crowd, id, GOAL);
    return id;
  });
  step(crowd, 2400);
  const byDistance = ids.toSorted((a, b) => awayFrom(crowd, a) - awayFrom(crowd, b));
  for (const id of byDistance.slice(0, 8)) moveAgentTo(crowd, id, [35, 0, 35]);
  const rest = byDistance.slice(8);
  step(crowd, 2400);
  const nearest = Math.min(...rest.map((id) => awayFrom(crowd, id)));
  expect(nearest).toBeLessThan(0.45);
  for (const id of rest) {
    expect(['arrived', 'settled']).toContain(getAgent(crowd, id)!.status);
    expect(awayFrom(crowd, id)).toBeLessThan(2.5);
    expect(isAsleep(crowd, id)).toBe(true);
  }
});

it('an agent that arrived and lost its position to another one ends beside its goal', () => {
  const crowd = createCrowd(meshOf(gridTile(40, 40)), { maxAgents: 16 });
  const id = addAgent(crowd, [18, 0, 20], { radius: 0.3 });
  moveAgentTo(crowd, id, GOAL);
  step(crowd, 200);
  expect(getAgent(crowd, id)!.status).toBe('arrived');
  // A car pushes it far off and stays where it was.
  const car = addAgent(crowd, [15, 0, 20], { radius: 0.6, avoidOnly: true });
  for (let x = 15; x < 24; x += 0.05) {
    setAgentPosition(crowd, car, [x, 0, 20]);
    stepCrowd(crowd);
  }
  setAgentPosition(crowd, car, [20, 0, 20]);
  step(crowd, 1500);
  expect(awayFrom(crowd, id)).toBeLessThan(1.2);
  expect(['arrived', 'settled']).toContain(getAgent(crowd, id)!.status);
});

it('followers that settled come nearer when those beside the leader have left', () => {
  const crowd = createCrowd(meshOf(gridTile(40, 40)), { maxAgents: 16 });
  const leader = addAgent(crowd, GOAL, { radius: 0.3 });
  // More than there is room for around the leader.
  const followers = Array.from({ length: 13 }, (_, i) => {
    const id = addAgent(crowd, [17 - i, 0, 20], { radius: 0.3 });
    followAgent(crowd, id, leader, { distance: 0.7 });
    return id;
  });
  step(crowd, 1500);
  const settled = followers.filter((id) => getAgent(crowd, id)!.status === 'settled');
  expect(settled.length).toBeGreaterThan(2);
  for (const id of settled) expect(awayFrom(crowd, id)).toBeGreaterThan(0.8);
  for (const id of followers.filter((follower) => !settled.includes(follower))) removeAgent(crowd, id);
  step(crowd, 1500);
  expect(Math.min(...settled.map((id) => awayFrom(crowd, id)))).toBeLessThan(0.76);
  for (const id of settled) expect(['arrived', 'settled']).toContain(getAgent(crowd, id)!.status);
});

it('an agent that was carried away for half a minute does not give up, and arrives when it is let go', () => {
  const crowd = createCrowd(meshOf(gridTile(40, 1)), { maxAgents: 4 });
  const id = addAgent(crowd, [3, 0, 0.5], { radius: 0.4 });
  moveAgentTo(crowd, id, [1, 0, 0.5]);
  const car = addAgent(crowd, [2, 0, 0.5], { radius: 0.5, avoidOnly: true });
  for (let i = 0; i < 2400; i++) {
    setAgentPosition(crowd, car, [2 + i / 100, 0, 0.5]);
    stepCrowd(crowd);
    expect(getAgent(crowd, id)!.status).not.toBe('gave-up');
  }
  removeAgent(crowd, car);
  step(crowd, 2400);
  expect(getAgent(crowd, id)!.status).toBe('arrived');
});

it('an agent in the middle of a cluster gets out, because those that make room ask those behind them', () => {
  const crowd = createCrowd(meshOf(gridTile(40, 40)), { maxAgents: 64 });
  const ids = Array.from({ length: 60 }, (_, i) => {
    const [angle, distance] = [2.399963 * i, 6 + 0.75 * Math.sqrt(i + 1)];
    const point = [20 + distance * Math.cos(angle), 0, 20 + distance * Math.sin(angle)];
    const id = addAgent(crowd, point, { radius: 0.3, maxSpeed: 1.05 });
    moveAgentTo(crowd, id, GOAL);
    return id;
  });
  step(crowd, 2400);
  const middle = ids.toSorted((a, b) => awayFrom(crowd, a) - awayFrom(crowd, b))[0];
  moveAgentTo(crowd, middle, [34, 0, 34]);
  // 20 m at 1.05 m/s, and as much again.
  step(crowd, 60 * 40);
  expect(getAgent(crowd, middle)!.status).toBe('arrived');
  step(crowd, 1200);
  for (const id of ids) {
    expect(['arrived', 'settled']).toContain(getAgent(crowd, id)!.status);
    if (id !== middle) expect(awayFrom(crowd, id)).toBeLessThan(4.2);
  }
});

it('two agents without orders whose positions overlap come to rest beside each other', () => {
  const crowd = createCrowd(meshOf(gridTile(20, 20)), { maxAgents: 4 });
  const ids = [5, 5.2].map((z) => addAgent(crowd, [10, 0, z], { radius: 0.35 }));
  step(crowd, 300);
  const before = ids.map((id) => getAgent(crowd, id)!.position);
  step(crowd, 600);
  expect(ids.map((id) => getAgent(crowd, id)!.position)).toEqual(before);
  for (const id of ids) expect(isAsleep(crowd, id)).toBe(true);
});

it('two agents whose positions overlap do not push each other for ever', () => {
  const crowd = createCrowd(meshOf(gridTile(40, 40)), { maxAgents: 64 });
  // A cluster, and an agent that arrives where the outermost ones have settled.
  const ids = Array.from({ length: 30 }, (_, i) => {
    const id = addAgent(crowd, [8 + (i % 6), 0, 8 + Math.floor(i / 6)], { radius: 0.3 });
    moveAgentTo(crowd, id, GOAL);
    return id;
  });
  step(crowd, 2400);
  const places = ids.toSorted((a, b) => awayFrom(crowd, b) - awayFrom(crowd, a)).slice(0, 6);
  for (const id of places) {
    const [x, y, z] = getAgent(crowd, id)!.position;
    const guest = addAgent(crowd, [35, 0, 35], { radius: 0.3 });
    moveAgentTo(crowd, guest, [x + 0.2, y, z]);
    ids.push(guest);
  }
  step(crowd, 9000);
  for (let i = 0; i < 600; i++) {
    stepCrowd(crowd);
    expect(crowd.events.count).toBe(0);
  }
  for (const id of ids) expect(isAsleep(crowd, id)).toBe(true);
});

describe('agents whose goals lie behind a closed wall', () => {
  /** 24 agents with goals behind the wall, and four with goals in front of it. */
  const pile = () => {
    const crowd = createCrowd(meshOf(gridTile(31, 16, (x) => x < 14 || x >= 15)), { maxAgents: 64 });
    const options = { radius: 0.4, maxSpeed: 3 };
    const behind = Array.from({ length: 24 }, (_, i) => {
      const id = addAgent(crowd, [2 + (i % 6), 0, 6 + Math.floor(i / 6)], options);
      moveAgentTo(crowd, id, [16, 0, 7 + (i % 5) / 2]);
      return id;
    });
    const front = Array.from({ length: 4 }, (_, i) => {
      const id = addAgent(crowd, [2 + i, 0, 2], options);
      moveAgentTo(crowd, id, [13.5 - i / 2, 0, 7 + i / 2]);
      return id;
    });
    return { crowd, behind, front };
  };

  it('come to rest, and so do those with goals among them', () => {
    const { crowd, behind, front } = pile();
    const named = new Set<string>();
    for (let i = 0; i < 6000; i++) {
      stepCrowd(crowd);
      if (i % 30 > 0) continue;
      for (const id of front) {
        const { reason, message: text } = explainAgent(crowd, id);
        if (reason === 'in-line') named.add(text);
      }
    }
    for (const id of behind) expect(getAgent(crowd, id)!.status).toBe('blocked');
    for (const id of front) expect(['arrived', 'settled']).toContain(getAgent(crowd, id)!.status);
    const ids = [...behind, ...front];
    const before = ids.map((id) => getAgent(crowd, id)!.position);
    step(crowd, 600);
    expect(ids.map((id) => getAgent(crowd, id)!.position)).toEqual(before);
    for (const text of named) expect(text).toMatch(/^It queues behind agent \d+, which goes the same way\.$/);
    expect(named.size).toBeGreaterThan(0);
  });

  it('go on when the wall opens', () => {
    const { crowd, behind } = pile();
    step(crowd, 3600);
    const { mesh } = crowd;
    removeTile(mesh, 0);
    addTile(mesh, gridTile(31, 16));
    expect(validateNavMesh(mesh)).toEqual([]);
    step(crowd, 3600);
    for (const id of behind) expect(['arrived', 'settled']).toContain(getAgent(crowd, id)!.status);
  });
});
