/**
 * Arriving, settling, yielding and returning, giving up, following, agents that the caller moves, and invalid
 * orders.
 */
import { describe, expect, it } from 'vitest';
import { addAgent, removeAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import {
  followAgent,
  moveAgentTo,
  setAgentVelocity,
  setAgentPosition,
  stopAgent,
} from '../../../../src/agents/crowd/orders/orders.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import type { AgentId } from '../../../../src/agents/crowd/state/types.ts';
import { deepest, distance, eventsOf, hall, info, put, run, speed, startRun } from './traffic-run.ts';
import type { Vector } from './traffic-run.ts';

describe('arriving', () => {
  it('is reported once, within the arrive distance, and then the agent stands', () => {
    const target = startRun(hall(12, 4));
    const id = put(target, [1, 0, 2], { arriveDistance: 0.1 });
    moveAgentTo(target.crowd, id, [11, 0, 2]);
    run(target, 12);
    expect(eventsOf(target, id)).toEqual(['arrived']);
    expect(distance(target, id, [11, 0, 2])).toBeLessThan(0.12);
    const { position } = info(target, id);
    run(target, 2);
    expect(info(target, id).position).toEqual(position);
    expect(speed(target, id)).toBe(0);
  });

  it('takes as long as the path does', () => {
    const target = startRun(hall(30, 4));
    const id = put(target, [1, 0, 2]);
    moveAgentTo(target.crowd, id, [29, 0, 2]);
    const seconds = run(target, 60, () => info(target, id).status === 'arrived');
    expect(seconds).toBeGreaterThan(27.8 / 1.4);
    expect(seconds).toBeLessThan(28 / 1.4 + 1.5);
  });

  it('ends with a new order', () => {
    const target = startRun(hall(12, 4));
    const id = put(target, [1, 0, 2]);
    moveAgentTo(target.crowd, id, [5, 0, 2]);
    run(target, 8);
    moveAgentTo(target.crowd, id, [11, 0, 2]);
    run(target, 8);
    expect(eventsOf(target, id)).toEqual(['arrived', 'arrived']);
    expect(distance(target, id, [11, 0, 2])).toBeLessThan(0.2);
  });
});

describe('settling', () => {
  it('makes a round cluster at a shared goal, as wide as its agents need, and all stand', () => {
    const target = startRun(hall(24, 24));
    const ids: AgentId[] = [];
    for (let i = 0; i < 36; i++) ids.push(put(target, [2 + (i % 6), 0, 2 + Math.floor(i / 6)]));
    for (const id of ids) moveAgentTo(target.crowd, id, [16, 0, 16]);
    run(target, 40);
    expect(ids.filter((id) => info(target, id).status === 'arrived').length).toBeGreaterThanOrEqual(1);
    for (const id of ids) {
      expect(['arrived', 'settled']).toContain(info(target, id).status);
      expect(speed(target, id)).toBe(0);
      // 36 bodies fill half of a circle of radius 2.5.
      expect(distance(target, id, [16, 0, 16])).toBeLessThan(4.6);
      expect(eventsOf(target, id)).toHaveLength(1);
    }
    expect(deepest(target, ids)).toBeLessThan(0.05);
  });

  it('happens next to an agent that stands on the goal and never leaves it', () => {
    const target = startRun(hall(12, 4));
    const first = put(target, [6, 0, 2], { avoidOnly: true });
    const id = put(target, [1, 0, 2]);
    moveAgentTo(target.crowd, id, [6, 0, 2]);
    run(target, 20);
    expect(eventsOf(target, id)).toEqual(['settled']);
    expect(distance(target, first, [6, 0, 2])).toBe(0);
    expect(distance(target, id, [6, 0, 2])).toBeLessThan(0.75);
  });
});

describe('an agent at rest', () => {
  it('yields to an agent that cannot get past, and returns to its place', () => {
    // A corridor of width 1 with an agent in the middle of it.
    const target = startRun(hall(14, 1));
    const place: Vector = [7, 0, 0.5];
    const idle = put(target, [6, 0, 0.5]);
    moveAgentTo(target.crowd, idle, place);
    run(target, 3);
    expect(info(target, idle).status).toBe('arrived');
    const id = put(target, [1, 0, 0.5]);
    moveAgentTo(target.crowd, id, [13, 0, 0.5]);
    let farthest = 0;
    run(target, 30, () => {
      farthest = Math.max(farthest, distance(target, idle, place));
      expect(deepest(target, [idle, id])).toBeLessThan(0.05);
      return info(target, id).status === 'arrived';
    });
    expect(info(target, id).status).toBe('arrived');
    run(target, 6);
    expect(distance(target, idle, place)).toBeLessThan(0.35);
    expect(speed(target, idle)).toBe(0);
    expect(eventsOf(target, idle)).toEqual(['arrived']);
    expect(farthest).toBeGreaterThan(0.05);
  });

  it('asks others in turn when it finds no space: through a packed hall', () => {
    const target = startRun(hall(9, 9));
    const ids: AgentId[] = [];
    for (let x = 0; x < 9; x++) for (let z = 0; z < 8; z++) ids.push(put(target, [0.5 + x, 0, 1 + z]));
    run(target, 0.5);
    const id = ids[4];
    moveAgentTo(target.crowd, id, [8.5, 0, 8.5]);
    const seconds = run(
      target,
      60,
      () => info(target, id).status === 'arrived' || info(target, id).status === 'settled',
    );
    expect(seconds).toBeLessThan(45);
    run(target, 25);
    expect(ids.filter((other) => speed(target, other) > 0)).toEqual([]);
    expect(deepest(target, ids)).toBeLessThan(0.05);
  });
});

describe('giving up', () => {
  it('comes after half a minute behind an obstacle, and not before', () => {
    // A door that is filled by an obstacle.
    const target = startRun(hall(9, 3, (x, z) => x !== 4 || z === 1));
    put(target, [4.5, 0, 1.5], { avoidOnly: true, radius: 0.6 });
    const id = put(target, [1, 0, 1.5]);
    moveAgentTo(target.crowd, id, [8, 0, 1.5]);
    const seconds = run(target, 60, () => info(target, id).status === 'gave-up');
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThan(45);
    expect(eventsOf(target, id)).toEqual(['gave-up']);
    run(target, 2);
    expect(speed(target, id)).toBe(0);
    moveAgentTo(target.crowd, id, [1, 0, 1.5]);
    run(target, 10);
    expect(info(target, id).status).toBe('arrived');
  });

  it('does not count the remaining path to the last goal as progress while a search runs', () => {
    // The filled door is 36 s away.
    const target = startRun(
      hall(60, 3, (x, z) => x !== 52 || z === 1),
      { searchBudget: 2 },
    );
    put(target, [52.5, 0, 1.5], { avoidOnly: true, radius: 0.6 });
    const id = put(target, [1, 0, 1.5]);
    moveAgentTo(target.crowd, id, [1.5, 0, 1.5]);
    run(target, 3);
    expect(info(target, id).status).toBe('arrived');
    moveAgentTo(target.crowd, id, [54, 0, 1.5]);
    expect(run(target, 60, () => info(target, id).position[0]! > 51)).toBeGreaterThan(34);
    run(target, 20);
    expect(info(target, id).status).not.toBe('gave-up');
    run(target, 20);
    expect(eventsOf(target, id)).toEqual(['arrived', 'gave-up']);
  });

  it('is not for an agent with an unreachable goal: it reports blocked instead', () => {
    const target = startRun(hall(9, 3, (x) => x !== 4));
    const id = put(target, [1, 0, 1.5]);
    moveAgentTo(target.crowd, id, [8, 0, 1.5]);
    run(target, 12);
    expect(eventsOf(target, id)).toEqual(['blocked']);
    expect(info(target, id).status).toBe('blocked');
    expect(info(target, id).position[0]).toBeGreaterThan(3.5);
  });
});

describe('following', () => {
  it('keeps near a walking agent, and stops when that one stops', () => {
    const target = startRun(hall(30, 6));
    const leader = put(target, [3, 0, 3]);
    const ids = [put(target, [1, 0, 2]), put(target, [1, 0, 4])];
    for (const id of ids) followAgent(target.crowd, id, leader, { distance: 1 });
    moveAgentTo(target.crowd, leader, [27, 0, 3]);
    run(target, 35);
    for (const id of ids) {
      expect(['arrived', 'settled']).toContain(info(target, id).status);
      expect(distance(target, id, [27, 0, 3])).toBeLessThan(1.8);
      expect(speed(target, id)).toBe(0);
    }
  });

  it('ends when the followed agent is removed', () => {
    const target = startRun(hall(30, 6));
    const leader = put(target, [20, 0, 3]);
    const id = put(target, [1, 0, 2]);
    followAgent(target.crowd, id, leader);
    run(target, 1);
    removeAgent(target.crowd, leader);
    run(target, 2);
    expect(info(target, id).status).toBe('idle');
    expect(speed(target, id)).toBe(0);
  });
});

describe('other owners', () => {
  it('moves at a velocity along walls and stays on the mesh', () => {
    const target = startRun(hall(8, 4));
    const id = put(target, [2, 0, 2]);
    setAgentVelocity(target.crowd, id, [1, 0, 1]);
    run(target, 4);
    expect(info(target, id).position[2]).toBeCloseTo(4, 5);
    expect(info(target, id).position[0]).toBeGreaterThan(5);
    stopAgent(target.crowd, id);
    run(target, 1);
    expect(speed(target, id)).toBe(0);
  });

  it('does not move an agent that its caller owns, and lets others know its speed', () => {
    const target = startRun(hall(12, 6));
    const mine = put(target, [1, 0, 3], { owner: 'user' });
    moveAgentTo(target.crowd, mine, [11, 0, 3]);
    run(target, 1);
    expect(distance(target, mine, [1, 0, 3])).toBe(0);
    const other = put(target, [11, 0, 3]);
    moveAgentTo(target.crowd, other, [1, 0, 3]);
    let nearest = Infinity;
    for (let tick = 0; tick < 400; tick++) {
      setAgentPosition(target.crowd, mine, [1 + tick * (1.4 / 60), 0, 3]);
      stepCrowd(target.crowd);
      const { position } = info(target, mine);
      nearest = Math.min(nearest, distance(target, other, position as Vector));
    }
    expect(nearest).toBeGreaterThan(2 * 0.3 * 0.97);
  });

  it('does not move an agent that is only avoided, and goes around it', () => {
    const target = startRun(hall(12, 6));
    const pillar = put(target, [6, 0, 3], { avoidOnly: true, radius: 0.8 });
    const id = put(target, [1, 0, 3]);
    moveAgentTo(target.crowd, id, [11, 0, 3]);
    let nearest = Infinity;
    run(target, 15, () => {
      nearest = Math.min(nearest, distance(target, id, [6, 0, 3]));
      return false;
    });
    expect(info(target, id).status).toBe('arrived');
    expect(nearest).toBeGreaterThan(1.1 * 0.97);
    expect(distance(target, pillar, [6, 0, 3])).toBe(0);
    expect(moveAgentTo(target.crowd, pillar, [1, 0, 1])).toBe('avoid-only');
  });
});

describe('invalid orders', () => {
  it('are refused or reported, and the present order goes on', () => {
    const target = startRun(hall(12, 4));
    const id = put(target, [1, 0, 2]);
    moveAgentTo(target.crowd, id, [11, 0, 2]);
    run(target, 1);
    expect(moveAgentTo(target.crowd, id, [500, 0, 500])).toBe('off-mesh');
    expect(() => moveAgentTo(target.crowd, id, [NaN, 0, 0])).toThrow();
    expect(() => setAgentVelocity(target.crowd, id, [0, 0, Infinity])).toThrow();
    expect(() => followAgent(target.crowd, id, id)).toThrow(RangeError);
    expect(setAgentPosition(target.crowd, id, [1, 0, 1])).toBe('crowd-owned');
    expect(() => addAgent(target.crowd, [1, 0, 1], { radius: NaN })).toThrow();
    const gone = put(target, [2, 0, 3]);
    removeAgent(target.crowd, gone);
    expect([
      moveAgentTo(target.crowd, gone, [1, 0, 1]),
      followAgent(target.crowd, id, gone),
      stopAgent(target.crowd, gone),
    ]).toEqual(['no-agent', 'no-agent', 'no-agent']);
    run(target, 12);
    expect(eventsOf(target, id)).toEqual(['arrived']);
  });
});
