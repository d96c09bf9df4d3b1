/** Patrols: loops, there and back, waits, points that cannot be reached, other orders, saving. */
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { explainAgent } from '../../../../src/agents/crowd/explain.ts';
import { addAgent, getAgent, removeAgent, teleportAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { followAgent, moveAgentTo, setAgentVelocity, stopAgent } from '../../../../src/agents/crowd/orders/orders.ts';
import { patrolAgent } from '../../../../src/agents/crowd/orders/patrol.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { listEvents } from '../../../../src/agents/crowd/state/events.ts';
import { NULL_AGENT } from '../../../../src/agents/crowd/state/types.ts';
import type { AgentId, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { removeTile } from '../../../../src/mesh/change/tiles.ts';
import { gridTile, meshOf } from '../../meshes.ts';

const ROUTE = [
  [5.5, 0, 5.5],
  [15.5, 0, 5.5],
  [15.5, 0, 12.5],
] as const;

const plain = (maxAgents = 16): Crowd => createCrowd(meshOf(gridTile(20, 20)), { maxAgents });

/** Steps, and returns [point, tick] of each arrival of an agent. */
function arrivals(crowd: Crowd, id: AgentId, ticks: number): [number | null, number][] {
  const list: [number | null, number][] = [];
  for (let i = 0; i < ticks; i++) {
    stepCrowd(crowd);
    for (const { kind, agent } of listEvents(crowd)) {
      if (kind === 'arrived' && agent === id) list.push([getAgent(crowd, id)!.patrolPoint, crowd.tick]);
    }
  }
  return list;
}

describe('an agent on patrol', () => {
  it.each([
    ['loop', [0, 1, 2, 0, 1, 2, 0]],
    ['there-and-back', [0, 1, 2, 1, 0, 1, 2]],
  ] as const)('%s: visits the points in order and reports each', (mode, order) => {
    const crowd = plain();
    const id = addAgent(crowd, [3.5, 0, 3.5], { radius: 0.3 });
    expect(patrolAgent(crowd, id, ROUTE, { mode })).toBe('accepted');
    const list = arrivals(crowd, id, 4500).map(([point]) => point);
    expect(list.slice(0, order.length)).toEqual(order);
  });

  it('waits at each point for the ordered time', () => {
    const crowd = plain();
    const id = addAgent(crowd, [5.5, 0, 5.5], { radius: 0.3 });
    patrolAgent(crowd, id, ROUTE, { waitSeconds: [1, 2.5, 0] });
    const from: number[] = [];
    let last = -1;
    for (let i = 0; i < 3000; i++) {
      stepCrowd(crowd);
      const { patrolPoint, status } = getAgent(crowd, id)!;
      if (status === 'arrived') from[patrolPoint!] = (from[patrolPoint!] ?? 0) + 1;
      if (patrolPoint! < last) break;
      last = patrolPoint!;
    }
    expect(from.map((ticks) => Math.abs(ticks - [60, 150, 1][from.indexOf(ticks)]) <= 2)).toEqual([true, true, true]);
    expect(explainAgent(crowd, id).message).toBe('It is on its way to point 1 of 3 of its patrol.');
  });

  it('reports what it waits for', () => {
    const crowd = plain();
    const id = addAgent(crowd, [5.5, 0, 5.5], { radius: 0.3 });
    patrolAgent(crowd, id, ROUTE, { waitSeconds: 5 });
    for (let i = 0; i < 122; i++) stepCrowd(crowd);
    const { reason, message: text } = explainAgent(crowd, id);
    expect(reason).toBe('patrol-wait');
    expect(text).toMatch(/^It waits at point 1 of 3 of its patrol, for another 3\.\d s\.$/);
  });

  it('passes over a point that it cannot reach, for as long as the patrol lasts', () => {
    // A wall cuts the last point off.
    const crowd = createCrowd(meshOf(gridTile(20, 20, (x) => x !== 12)), { maxAgents: 4 });
    const id = addAgent(crowd, [3.5, 0, 3.5], { radius: 0.3 });
    patrolAgent(crowd, id, [
      [5.5, 0, 5.5],
      [8.5, 0, 5.5],
      [16.5, 0, 5.5],
    ]);
    const list = arrivals(crowd, id, 4500).map(([point]) => point);
    expect(list.slice(0, 6)).toEqual([0, 1, 0, 1, 0, 1]);
  });

  it('goes on when another agent stands on a point', () => {
    const crowd = plain();
    addAgent(crowd, [15.5, 0, 5.5], { radius: 0.5, avoidOnly: true });
    const id = addAgent(crowd, [3.5, 0, 3.5], { radius: 0.3 });
    patrolAgent(crowd, id, ROUTE);
    const list = arrivals(crowd, id, 3000).map(([point]) => point);
    expect(list.slice(0, 4)).toEqual([0, 2, 0, 2]);
  });

  it('goes on when the tile of a point is gone', () => {
    const far = gridTile(10, 10);
    far.x = 1;
    for (let k = 0; k < far.vertices.length; k += 3) far.vertices[k] += 10;
    const mesh = meshOf(gridTile(10, 10), far);
    const crowd = createCrowd(mesh, { maxAgents: 4 });
    const id = addAgent(crowd, [3.5, 0, 3.5], { radius: 0.3 });
    expect(
      patrolAgent(
        crowd,
        id,
        [
          [2.5, 0, 2.5],
          [18.5, 0, 5.5],
        ],
        { mode: 'there-and-back' },
      ),
    ).toBe('accepted');
    removeTile(mesh, 1);
    const list = arrivals(crowd, id, 2000).map(([point]) => point);
    expect(new Set(list)).toEqual(new Set([0]));
    expect(list.length).toBeGreaterThan(3);
  });

  it('two guards on opposite rounds of a corridor pass each other for ten minutes', () => {
    const crowd = createCrowd(meshOf(gridTile(20, 2)), { maxAgents: 4 });
    const ends = [
      [1, 0, 1],
      [19, 0, 1],
    ];
    const ids = ends.map((end) => addAgent(crowd, end, { radius: 0.3 }));
    ids.forEach((id, i) => patrolAgent(crowd, id, i === 0 ? ends : ends.toReversed(), { waitSeconds: 1 }));
    const rounds = [0, 0];
    for (let i = 0; i < 36_000; i++) {
      stepCrowd(crowd);
      for (const { kind, agent } of listEvents(crowd)) {
        expect(kind).not.toBe('gave-up');
        if (kind === 'arrived') rounds[ids.indexOf(agent)]++;
      }
    }
    // 18 m at 1.05 m/s, and a second of waiting.
    for (const count of rounds) expect(count).toBeGreaterThan(0.85 * (600 / (18 / 1.05 + 1)));
  });
});

describe('a patrol ends with', () => {
  it.each([
    ['moveAgentTo', (crowd: Crowd, id: AgentId) => moveAgentTo(crowd, id, [10, 0, 10])],
    ['followAgent', (crowd: Crowd, id: AgentId, other: AgentId) => followAgent(crowd, id, other)],
    ['setAgentVelocity', (crowd: Crowd, id: AgentId) => setAgentVelocity(crowd, id, [0, 0, 1])],
    ['stopAgent', (crowd: Crowd, id: AgentId) => stopAgent(crowd, id)],
  ] as const)('%s', (_, order) => {
    const crowd = plain();
    const other = addAgent(crowd, [10, 0, 3]);
    const id = addAgent(crowd, [3.5, 0, 3.5], { radius: 0.3 });
    patrolAgent(crowd, id, ROUTE);
    for (let i = 0; i < 100; i++) stepCrowd(crowd);
    expect(order(crowd, id, other)).toBe('accepted');
    expect(getAgent(crowd, id)!.patrolPoint).toBe(null);
    expect(crowd.patrols[1]).toBe(null);
    expect(arrivals(crowd, id, 2500).length).toBeLessThanOrEqual(1);
  });

  it('the removal of the agent, and a new agent in its slot has none', () => {
    const crowd = plain();
    const id = addAgent(crowd, [3.5, 0, 3.5], { radius: 0.3 });
    patrolAgent(crowd, id, ROUTE);
    removeAgent(crowd, id);
    const next = addAgent(crowd, [3.5, 0, 3.5], { radius: 0.3 });
    expect(getAgent(crowd, next)!.patrolPoint).toBe(null);
    expect(crowd.patrols[0]).toBe(null);
  });

  it('not a teleport: the agent walks to its point again', () => {
    const crowd = plain();
    const id = addAgent(crowd, [5.5, 0, 5.5], { radius: 0.3 });
    patrolAgent(crowd, id, ROUTE, { waitSeconds: 3 });
    for (let i = 0; i < 60; i++) stepCrowd(crowd);
    teleportAgent(crowd, id, [3.5, 0, 3.5]);
    const [[point, tick], [next, nextTick]] = arrivals(crowd, id, 2000);
    expect([point, next]).toEqual([0, 1]);
    expect(nextTick - tick).toBeGreaterThan(180 + (10 / 1.05) * 60 - 60);
  });
});

describe('patrolAgent', () => {
  it('answers as other orders do, and changes nothing then', () => {
    const crowd = plain();
    const id = addAgent(crowd, [3.5, 0, 3.5]);
    const body = addAgent(crowd, [8, 0, 8], { avoidOnly: true });
    moveAgentTo(crowd, id, [10, 0, 10]);
    const hash = hashCrowd(crowd);
    expect(patrolAgent(crowd, NULL_AGENT, ROUTE)).toBe('no-agent');
    expect(patrolAgent(crowd, body, ROUTE)).toBe('avoid-only');
    expect(patrolAgent(crowd, id, [ROUTE[0], [100, 0, 100]])).toBe('off-mesh');
    expect(hashCrowd(crowd)).toBe(hash);
  });

  it('refuses an invalid route, with a remedy', () => {
    const crowd = plain();
    const id = addAgent(crowd, [3.5, 0, 3.5]);
    const call =
      (points: unknown, options: unknown = {}) =>
      () =>
        patrolAgent(crowd, id, points as never, options as never);
    expect(call([ROUTE[0]])).toThrow('patrolAgent: points is [[5.5, 0, 5.5]]; must be an array of at least 2 points');
    expect(call(undefined)).toThrow('patrolAgent: points is undefined; must be an array of at least 2 points');
    expect(call([ROUTE[0], [1, NaN, 2]])).toThrow(/^patrolAgent: points\[1\]/);
    expect(call(ROUTE, { mode: 'pingpong' })).toThrow(
      "options.mode is \"pingpong\"; must be 'loop' or 'there-and-back'",
    );
    expect(call(ROUTE, { waitSeconds: -1 })).toThrow('options.waitSeconds is -1; must be 0 .. 1000000000 seconds');
    expect(call(ROUTE, { waitSeconds: [1, NaN, 2] })).toThrow('options.waitSeconds[1] is NaN; must be 0 .. 1000000000');
    expect(call(ROUTE, { waitSeconds: [1, 2] })).toThrow(
      'options.waitSeconds.length is 2; must be 3, the number of points',
    );
    expect(call(ROUTE, { wait: 1 })).toThrow('patrolAgent: options.wait is unknown');
  });
});

it('patrols are saved, restored and hashed', () => {
  const crowd = plain();
  const ids = [3.5, 4.5, 5.5, 6.5].map((x) => addAgent(crowd, [x, 0, 3.5], { radius: 0.3 }));
  removeAgent(crowd, ids[0]);
  patrolAgent(crowd, ids[1], ROUTE, { waitSeconds: 1 });
  patrolAgent(crowd, ids[3], ROUTE, { mode: 'there-and-back', waitSeconds: [0, 2, 0] });
  for (let round = 0; round < 6; round++) {
    for (let i = 0; i < 170; i++) stepCrowd(crowd);
    const bytes = saveCrowd(crowd);
    const fresh = plain();
    restoreCrowd(fresh, bytes);
    expect(Buffer.compare(saveCrowd(fresh), bytes)).toBe(0);
    for (let i = 0; i < 400; i++) stepCrowd(fresh);
    restoreCrowd(crowd, bytes);
    for (let i = 0; i < 400; i++) stepCrowd(crowd);
    expect(hashCrowd(fresh)).toBe(hashCrowd(crowd));
  }
  const hash = hashCrowd(crowd);
  crowd.patrols[1]!.waits[2] += 1;
  expect(hashCrowd(crowd)).not.toBe(hash);
});
