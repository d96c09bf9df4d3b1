import { describe, expect, it } from 'vitest';
import { findNeighbors } from '../../../../src/agents/crowd/nearby/neighbors.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_USER_OWNED,
  MAX_NEIGHBORS,
  STATE_LINK,
  STATE_LOST,
  STATUS_ARRIVED,
  STATUS_MOVING,
} from '../../../../src/agents/crowd/state/types.ts';
import type { Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { AGENT } from '../../meshes.ts';
import { crowdOf, placeBody, setActive } from './scatter.ts';
import type { Body } from './scatter.ts';

function neighborsOf(crowd: Crowd, slot: number): number[] {
  const { neighbors, neighborCount } = crowd.agents;
  return Array.from(neighbors.subarray(MAX_NEIGHBORS * slot, MAX_NEIGHBORS * slot + neighborCount[slot]));
}

/** Returns whether the first of two agents senses the second, and the second the first. */
function pair(first: Body, second: Body, shape = AGENT): [boolean, boolean] {
  const crowd = crowdOf([first, second], undefined, shape);
  findNeighbors(crowd);
  return [neighborsOf(crowd, 0).length > 0, neighborsOf(crowd, 1).length > 0];
}

const isAsleep = (crowd: Crowd, slot: number): boolean => (crowd.agents.flags[slot] & AGENT_ASLEEP) !== 0;

describe('neighbors', () => {
  it('are listed nearest first, and equally near ones by slot', () => {
    // Twelve agents around one, all but two at the same distance.
    const around = [
      [3, 0],
      [0, 3],
      [-3, 0],
      [0, -3],
      [0, 2],
      [-3, 0],
      [3, 0],
      [0, 3],
      [0, -3],
      [1, 0],
      [3, 0],
      [0, 3],
    ];
    const crowd = crowdOf([{ x: 0, z: 0, maxSpeed: 3 }, ...around.map(([x, z]) => ({ x: x!, z: z! }))]);
    findNeighbors(crowd);
    expect(neighborsOf(crowd, 0)).toEqual([10, 5, 1, 2, 3, 4, 6, 7]);
    expect(Array.from(crowd.agents.neighborDistanceSq.subarray(0, 8))).toEqual([1, 4, 9, 9, 9, 9, 9, 9]);
  });

  it('are found within the distance of one horizon plus both radii, at least 4 and at most 32 radii', () => {
    const at = (x: number, mine: Partial<Body>, theirs: Partial<Body> = {}): boolean =>
      pair({ x: 0, z: 0, radius: 0.5, ...mine }, { x, z: 0, radius: 0.25, ...theirs })[0];
    expect(at(6.74, { maxSpeed: 3, horizon: 2 })).toBe(true);
    expect(at(6.76, { maxSpeed: 3, horizon: 2 })).toBe(false);
    expect(at(7.4, { maxSpeed: 3, horizon: 2 }, { radius: 1 })).toBe(true);
    expect(at(2.74, { maxSpeed: 0 })).toBe(true);
    expect(at(2.76, { maxSpeed: 0 })).toBe(false);
    expect(at(16.74, { maxSpeed: 1000 })).toBe(true);
    expect(at(16.76, { maxSpeed: 1000 })).toBe(false);
  });

  it('are filtered by layers, in one direction only', () => {
    const near = { x: 1, z: 0 };
    expect(pair({ x: 0, z: 0, layers: 2, mask: 1 }, { ...near, layers: 1, mask: 1 })).toEqual([true, false]);
    expect(pair({ x: 0, z: 0, mask: 0 }, near)).toEqual([false, true]);
    expect(pair({ x: 0, z: 0, layers: 0x8000, mask: 0x8000 }, { ...near, layers: 0x8001, mask: 0x8000 })).toEqual([
      true,
      true,
    ]);
  });

  it('are on the same floor: heads, slopes and ledges', () => {
    const at = (dx: number, dy: number, below: Partial<Body> = {}, degrees = 45): boolean => {
      const [one, other] = pair(
        { x: 0, z: 0, ...below },
        { x: dx, z: 0, y: dy },
        { ...AGENT, maxSlopeDegrees: degrees },
      );
      expect(one).toBe(other);
      return one;
    };
    expect(at(2.5, 1.79)).toBe(true);
    expect(at(2.5, 1.81)).toBe(false);
    expect(at(2.5, 1.81, { height: 2 })).toBe(true);
    expect(at(0.5, 0.89)).toBe(true);
    expect(at(0.5, 0.91)).toBe(false);
    expect(at(0, 0.4)).toBe(true);
    expect(at(0, 0.41)).toBe(false);
    expect(at(0.5, 0.39, {}, 0)).toBe(true);
    expect(at(0.5, 0.41, {}, 0)).toBe(false);
    expect(at(0.01, 1.7, {}, 90)).toBe(true);
    expect(at(2, 0, { height: 0 }, 0)).toBe(true);
  });

  it('exclude agents on links and lost ones, and include sleeping ones', () => {
    const others: Body[] = [
      { x: 1, z: 0, state: STATE_LINK },
      { x: 2, z: 0, state: STATE_LOST },
      { x: 0, z: 1, status: STATUS_ARRIVED, mask: 0 },
      { x: 0, z: 2, flags: AGENT_AVOID_ONLY | AGENT_USER_OWNED },
    ];
    const crowd = crowdOf([{ x: 0, z: 0 }, ...others]);
    crowd.agents.neighborCount.fill(5);
    findNeighbors(crowd);
    expect(Array.from({ length: 5 }, (_, slot) => neighborsOf(crowd, slot))).toEqual([[3, 4], [], [], [], [3, 0]]);
  });

  it('are forgotten when they are gone', () => {
    const crowd = crowdOf([
      { x: 0, z: 0 },
      { x: 1, z: 0 },
      { x: 2, z: 0 },
    ]);
    findNeighbors(crowd);
    expect(neighborsOf(crowd, 0)).toEqual([1, 2]);
    setActive(crowd, [0, 2]);
    findNeighbors(crowd);
    expect(neighborsOf(crowd, 0)).toEqual([2]);
    setActive(crowd, []);
    expect(() => {
      findNeighbors(crowd);
    }).not.toThrow();
  });

  it('are kept by agents whose turn it is not', () => {
    const crowd = crowdOf([
      { x: 0, z: 0 },
      { x: 1, z: 0 },
    ]);
    findNeighbors(crowd);
    crowd.agents.position[3] = 30;
    crowd.thinkingCount = 1;
    findNeighbors(crowd);
    expect([0, 1].map((slot) => neighborsOf(crowd, slot))).toEqual([[], [0]]);
    expect(crowd.agents.neighborDistanceSq[MAX_NEIGHBORS]).toBe(1);
  });

  it('are right for crowds of different sizes in turn', () => {
    const small = crowdOf([
      { x: 0, z: 0 },
      { x: 1, z: 0 },
    ]);
    const large = crowdOf(Array.from({ length: 3000 }, (_, k) => ({ x: (k % 50) * 1.25, z: Math.floor(k / 50) })));
    for (let turn = 0; turn < 2; turn++) {
      findNeighbors(small);
      findNeighbors(large);
      expect(neighborsOf(small, 1)).toEqual([0]);
      expect(neighborsOf(large, 1275)).toEqual([1225, 1325, 1274, 1276, 1224, 1226, 1324, 1326]);
    }
  });
});

describe('sleep', () => {
  const resting: Body = { x: 0, z: 0, status: STATUS_ARRIVED };

  it('starts when an agent rests alone and ends when another comes near', () => {
    const crowd = crowdOf([
      resting,
      { x: 30, z: 0, status: STATUS_MOVING, velocity: [-1, 0] },
      { x: 2, z: 0, status: STATUS_ARRIVED },
    ]);
    findNeighbors(crowd);
    expect([0, 1, 2].map((slot) => isAsleep(crowd, slot))).toEqual([true, false, true]);
    crowd.agents.position[3] = 2.3;
    findNeighbors(crowd);
    expect([0, 1, 2].map((slot) => isAsleep(crowd, slot))).toEqual([false, false, false]);
    placeBody(crowd, 1, { x: 3.5, z: 0, status: STATUS_ARRIVED });
    findNeighbors(crowd);
    expect([0, 1, 2].map((slot) => isAsleep(crowd, slot))).toEqual([true, true, true]);
  });

  it('ends four radii from another body, however small the cells are', () => {
    const walkers = Array.from({ length: 900 }, (_, k): Body => ({ x: (k % 30) * 0.85, z: Math.floor(k / 30) * 0.85 }));
    const speed = 8;
    for (const [x, asleep] of [
      [-13.5, true],
      [-2.5, true],
      [-2.3, false],
    ] as const) {
      const crowd = crowdOf([...walkers, { x, z: 0, status: STATUS_ARRIVED, maxSpeed: speed, horizon: 2 }]);
      findNeighbors(crowd);
      expect(isAsleep(crowd, 900)).toBe(asleep);
    }
  });

  it('ends for agents with an order, moving agents and agents off the mesh', () => {
    for (const changed of [
      { status: STATUS_MOVING },
      { velocity: [0, 1e-9] as [number, number] },
      { state: STATE_LINK },
    ]) {
      const crowd = crowdOf([{ ...resting, ...changed, flags: AGENT_ASLEEP }]);
      findNeighbors(crowd);
      expect(isAsleep(crowd, 0)).toBe(false);
    }
  });

  it('does not start for agents that overlap, unless nobody can part them', () => {
    const at = (gap: number, flags = 0): boolean => {
      const crowd = crowdOf([
        { ...resting, flags },
        { ...resting, x: gap, flags },
      ]);
      findNeighbors(crowd);
      return isAsleep(crowd, 0) && isAsleep(crowd, 1);
    };
    expect(at(0.8)).toBe(true);
    expect(at(0.79)).toBe(true);
    expect(at(0.78)).toBe(false);
    expect(at(0)).toBe(false);
    expect(at(0, AGENT_AVOID_ONLY | AGENT_USER_OWNED)).toBe(true);
  });

  it('ends for agents that an awake one has been pushed into', () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
    ]) {
      const bodies = [
        { ...resting, flags: AGENT_ASLEEP },
        { ...resting, x: 0.5 },
        { ...resting, x: 2, flags: AGENT_ASLEEP },
      ];
      const crowd = crowdOf(bodies, order);
      findNeighbors(crowd);
      expect(order.map((slot) => isAsleep(crowd, slot))).toEqual([false, false, true]);
    }
  });

  it('skips a crowd that sleeps as a whole', () => {
    const crowd = crowdOf([
      { ...resting, flags: AGENT_ASLEEP },
      { ...resting, x: 2, flags: AGENT_ASLEEP },
    ]);
    crowd.agents.neighborCount.fill(3);
    findNeighbors(crowd);
    expect([0, 1].map((slot) => isAsleep(crowd, slot))).toEqual([true, true]);
    expect(neighborsOf(crowd, 0)).toEqual([]);
  });

  it('ignores other floors', () => {
    const crowd = crowdOf([resting, { x: 1, z: 0, y: 3, velocity: [1, 0] }]);
    findNeighbors(crowd);
    expect(isAsleep(crowd, 0)).toBe(true);
    expect(neighborsOf(crowd, 1)).toEqual([]);
  });
});
