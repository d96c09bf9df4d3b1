import { describe, expect, it } from 'vitest';
import { findNeighbors } from '../../../../src/agents/crowd/nearby/neighbors.ts';
import { MAX_PUSH } from '../../../../src/agents/crowd/motion/overlap-pairs.ts';
import { ALLOWED_OVERLAP, PILE_PASSES, separate } from '../../../../src/agents/crowd/motion/separate.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_USER_OWNED,
  STATE_LINK,
  STATUS_ARRIVED,
  STATUS_MOVING,
} from '../../../../src/agents/crowd/state/types.ts';
import type { Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { seeded } from '../../meshes.ts';
import { crowdOf, placesOf } from './scatter.ts';
import type { Body } from './scatter.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 17);

/** Returns the positions after one tick in which nobody walks. */
function parted(bodies: Body[], iterations = 4, slots?: number[]): Float64Array {
  const crowd = crowdOf(bodies, slots);
  const place = placesOf(crowd);
  findNeighbors(crowd);
  // Agents marked asleep stay asleep, although finding neighbors woke them.
  bodies.forEach((body, k) => {
    crowd.agents.flags[slots?.[k] ?? k] = body.flags ?? 0;
  });
  separate(crowd, place, iterations);
  return place;
}

function tick(crowd: Crowd, iterations: number): void {
  const place = placesOf(crowd);
  findNeighbors(crowd);
  separate(crowd, place, iterations);
  for (let k = 0; k < crowd.maxAgents; k++) {
    crowd.agents.position[3 * k] = place[2 * k];
    crowd.agents.position[3 * k + 2] = place[2 * k + 1];
  }
}

/**
 * Returns the deepest overlap, in radii of the smaller agent, and the sum of all, over pairs at the same
 * height.
 */
function overlapOf(crowd: Crowd): { deepest: number; sum: number } {
  const { radius, position } = crowd.agents;
  let deepest = 0;
  let sum = 0;
  for (let a = 0; a < crowd.maxAgents; a++) {
    for (let b = 0; b < a; b++) {
      if (Math.abs(position[3 * a + 1] - position[3 * b + 1]) > 0.4) continue;
      const distance = Math.hypot(position[3 * a] - position[3 * b], position[3 * a + 2] - position[3 * b + 2]);
      const depth = Math.max(0, radius[a] + radius[b] - distance);
      sum += depth;
      deepest = Math.max(deepest, depth / Math.min(radius[a], radius[b]));
    }
  }
  return { deepest, sum };
}

function shuffledSlots(count: number, random: () => number): number[] {
  const slots = Array.from({ length: count }, (_, k) => k);
  for (let k = count - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [slots[k], slots[other]] = [slots[other], slots[k]];
  }
  return slots;
}

describe('two agents', () => {
  const left: Body = { x: -0.35, z: 0, status: STATUS_MOVING };
  const right: Body = { x: 0.35, z: 0, status: STATUS_MOVING };

  it('part by half each, and then stay', () => {
    const place = parted([left, right]);
    expect(place[0]).toBeCloseTo(-0.4, 9);
    expect(place[2]).toBe(-place[0]);
    expect(
      parted([
        { ...left, x: place[0] },
        { ...right, x: place[2] },
      ]),
    ).toEqual(place);
  });

  it('are left alone when they overlap by less than is allowed', () => {
    const gap = 0.8 - 0.9 * ALLOWED_OVERLAP * 0.4;
    expect(
      Array.from(
        parted([
          { x: 0, z: 0 },
          { x: gap, z: 0 },
        ]),
      ),
    ).toEqual([0, 0, gap, 0]);
  });

  it('make room by status and priority', () => {
    const share = (mine: Partial<Body>, theirs: Partial<Body>): number => {
      const place = parted([
        { ...left, ...mine },
        { ...right, ...theirs },
      ]);
      expect(place[2] - place[0]).toBeCloseTo(0.8, 6);
      return (-0.35 - place[0]) / 0.1;
    };
    expect(share({}, {})).toBeCloseTo(0.5, 6);
    expect(share({ status: STATUS_ARRIVED }, {})).toBeCloseTo(0.3 / 1.3, 6);
    expect(share({ status: STATUS_ARRIVED }, { status: STATUS_ARRIVED })).toBeCloseTo(0.5, 6);
    expect(share({ priority: 1 }, { priority: 0 })).toBeCloseTo(0.1 / 1.1, 6);
    expect(share({ priority: 1 }, { priority: 1 })).toBeCloseTo(0.5, 6);
    for (const flags of [AGENT_USER_OWNED, AGENT_AVOID_ONLY, AGENT_ASLEEP]) {
      expect(share({ flags }, {})).toBe(0);
      expect(share({}, { flags })).toBeCloseTo(1, 6);
    }
    // The first does not sense the second, which has to make all the room.
    expect(share({ mask: 2 }, {})).toBe(0);
  });

  it('do not part when neither may be moved, across floors, or on links', () => {
    const same = (mine: Partial<Body>, theirs: Partial<Body>): void => {
      expect(
        Array.from(
          parted([
            { ...left, ...mine },
            { ...right, ...theirs },
          ]),
        ),
      ).toEqual([-0.35, 0, 0.35, 0]);
    };
    same({ flags: AGENT_USER_OWNED }, { flags: AGENT_AVOID_ONLY });
    same({ mask: 2 }, { mask: 2 });
    same({ y: 3 }, {});
    same({ y: 1.2 }, {});
    same({ state: STATE_LINK }, {});
  });

  it('part from the same point within some ticks, the same way each time', () => {
    const bodies = [
      { x: 7, z: 7 },
      { x: 7, z: 7 },
    ];
    const crowd = crowdOf(bodies);
    for (let k = 0; k < 3; k++) tick(crowd, 4);
    expect(overlapOf(crowd).deepest).toBeLessThan(ALLOWED_OVERLAP);
    expect(parted(bodies)).toEqual(parted(bodies));
    const place = parted(bodies);
    expect(Math.hypot(place[0] - 7, place[1] - 7)).toBeCloseTo(MAX_PUSH * 0.4, 9);
  });

  it('are pushed at their planned positions', () => {
    const crowd = crowdOf([
      { x: 0, z: 0 },
      { x: 1, z: 0 },
    ]);
    findNeighbors(crowd);
    const place = Float64Array.of(0.15, 0, 0.85, 0);
    separate(crowd, place, 4);
    expect(place[2] - place[0]).toBeCloseTo(0.8, 9);
    expect(place[0] + place[2]).toBeCloseTo(1, 9);
  });

  it('are pushed after they have moved, by neighbors found before', () => {
    const crowd = crowdOf([
      { x: 0, z: 0 },
      { x: 1, z: 0 },
    ]);
    findNeighbors(crowd);
    crowd.agents.position.set([0.2, 0, 0, 0.9, 0, 0]);
    const place = placesOf(crowd);
    separate(crowd, place, 4);
    expect(place[2] - place[0]).toBeCloseTo(0.8, 9);
  });
});

describe('many agents', () => {
  const scatter = (
    count: number,
    side: number,
    more: (random: () => number, k: number) => Partial<Body> = () => ({}),
  ): Body[] => {
    const random = seeded(SEED);
    return Array.from({ length: count }, (_, k) => ({ x: random() * side, z: random() * side, ...more(random, k) }));
  };
  const scenes: Record<string, Body[]> = {
    'half the ground taken': scatter(300, 17),
    'a pile': scatter(30, 0.3),
    'one point': scatter(25, 0),
    sizes: scatter(200, 20, (random, k) => ({ radius: k < 4 ? 2 : 0.2 + 0.3 * random() })),
    'two floors': scatter(300, 13, (_, k) => ({ y: k % 2 === 0 ? 0 : 3 })),
    'far from the origin': scatter(200, 14, () => ({})).map((body) => ({ ...body, x: body.x + 1e5, z: body.z - 1e5 })),
  };

  for (const [name, bodies] of Object.entries(scenes)) {
    it(`${name}: part where there is room, and then stay (seed ${SEED})`, () => {
      const crowd = crowdOf(bodies);
      const before = overlapOf(crowd);
      tick(crowd, 4);
      expect(overlapOf(crowd).sum).toBeLessThan(before.sum);
      for (let k = 0; k < 80; k++) tick(crowd, 4);
      expect(overlapOf(crowd).deepest).toBeLessThanOrEqual(ALLOWED_OVERLAP * 1.0001);
      const rest = Float64Array.from(crowd.agents.position);
      tick(crowd, 4);
      expect(crowd.agents.position).toEqual(rest);
    });
  }

  it('a hundred at one point are apart after half a second', () => {
    const crowd = crowdOf(scatter(100, 0));
    for (let k = 0; k < 30; k++) tick(crowd, 4);
    expect(overlapOf(crowd).deepest).toBeLessThan(0.2);
  });

  it('packed agents that step into each other are apart after the tick', () => {
    const random = seeded(SEED);
    const crowd = crowdOf(
      Array.from({ length: 400 }, (_, k) => ({
        x: (k % 20) * 0.82 + (Math.floor(k / 20) & 1) * 0.41,
        z: Math.floor(k / 20) * 0.82 * 0.87,
      })),
    );
    findNeighbors(crowd);
    const place = placesOf(crowd).map((value) => value + 0.05 * (2 * random() - 1));
    separate(crowd, place, 4);
    for (let k = 0; k < 400; k++) crowd.agents.position.set([place[2 * k], 0, place[2 * k + 1]], 3 * k);
    expect(overlapOf(crowd).deepest).toBeLessThan(0.03);
  });

  it('do not depend on slots, to the last bit', () => {
    for (let round = 0; round < 20; round++) {
      const random = seeded(SEED + round);
      const isMixed = round % 2 === 1;
      const bodies = Array.from({ length: 150 }, (): Body => ({
        x: random() * 9,
        z: random() * 9,
        radius: isMixed ? 0.2 + random() ** 3 : 0.4,
        priority: random(),
        mask: round % 4 === 3 ? Math.floor(random() * 4) : 0xffff,
        layers: 1 + Math.floor(random() * 2),
        flags: random() < 0.1 ? AGENT_USER_OWNED : 0,
        status: random() < 0.3 ? STATUS_ARRIVED : STATUS_MOVING,
      }));
      const slots = shuffledSlots(150, random);
      const one = parted(bodies);
      const two = parted(bodies, 4, slots);
      bodies.forEach((body, k) => {
        expect([two[2 * slots[k]], two[2 * slots[k] + 1]], `seed ${SEED + round}`).toEqual([
          one[2 * k],
          one[2 * k + 1],
        ]);
        if (body.flags === AGENT_USER_OWNED) expect([one[2 * k], one[2 * k + 1]]).toEqual([body.x, body.z]);
        const moved = Math.hypot(one[2 * k] - body.x, one[2 * k + 1] - body.z);
        expect(moved).toBeLessThanOrEqual(PILE_PASSES * MAX_PUSH * body.radius! * 1.000001);
      });
    }
  });

  it('part mirrored when the crowd is mirrored', () => {
    const random = seeded(SEED);
    const half = Array.from({ length: 60 }, () => ({ x: 0.1 + random() * 5, z: random() * 5 }));
    const place = parted([...half, ...half.map(({ x, z }) => ({ x: -x, z }))]);
    half.forEach((_, k) => {
      expect([place[2 * (k + 60)], place[2 * (k + 60) + 1]]).toEqual([-place[2 * k], place[2 * k + 1]]);
    });
  });

  it('of equal weights keep their common center', () => {
    const random = seeded(SEED);
    const bodies = Array.from({ length: 2 }, () => ({ x: random() * 0.5, z: random() * 0.5 }));
    const place = parted(bodies, 1);
    expect(place[0] + place[2]).toBeCloseTo(bodies[0].x + bodies[1].x, 9);
    expect(place[1] + place[3]).toBeCloseTo(bodies[0].z + bodies[1].z, 9);
  });

  it('come to a standstill where there is no room', () => {
    const random = seeded(SEED);
    const fence = Array.from({ length: 70 }, (_, k): Body => {
      const angle = (k / 70) * 2 * Math.PI;
      return { x: 4 * Math.cos(angle), z: 4 * Math.sin(angle), flags: AGENT_AVOID_ONLY | AGENT_USER_OWNED };
    });
    const inside = Array.from({ length: 91 }, (): Body => {
      const angle = 7 * random();
      const out = 3.2 * Math.sqrt(random());
      return { x: out * Math.cos(angle), z: out * Math.sin(angle) };
    });
    const crowd = crowdOf([...fence, ...inside]);
    for (let k = 0; k < 80; k++) tick(crowd, 4);
    const before = Float64Array.from(crowd.agents.position);
    tick(crowd, 4);
    const moved = before.map((value, k) => Math.abs(value - crowd.agents.position[k]));
    expect(Math.max(...moved)).toBeLessThan(0.1 * 0.4);
  });

  it('count each pair once, whoever is larger', () => {
    for (let round = 0; round < 60; round++) {
      const random = seeded(SEED + round);
      const far = 50 * random();
      const turn = random();
      // Five agents around one, which overlap with it by 0.05 and not with each other. Small agents elsewhere
      // make the cells small.
      const around = Array.from({ length: 5 }, (_, k): Body => {
        const angle = ((k + turn) / 5) * 2 * Math.PI;
        return { x: far + 1.95 * Math.cos(angle), z: 1.95 * Math.sin(angle), radius: 1 };
      });
      const small = Array.from({ length: 34 }, (_, k): Body => ({ x: 100 + 3 * k, z: 0, radius: 0.1 }));
      const place = parted([{ x: far, z: 0, radius: 1, flags: AGENT_USER_OWNED }, ...around, ...small], 1);
      for (let k = 1; k <= 5; k++) {
        expect(Math.hypot(place[2 * k] - far, place[2 * k + 1]), `seed ${SEED + round}`).toBeCloseTo(2, 7);
      }
      const two = parted(
        [
          { x: 0, z: 0, radius: 0.3 },
          { x: 0.6, z: 0, radius: 0.4 },
          { x: 40 + far, z: 0, radius: 9 },
        ],
        1,
      );
      expect([two[0], two[2]].map((x) => Math.round(x! * 1e6) / 1e6)).toEqual([-0.05, 0.65]);
    }
  });

  it('are all pushed out from under a large one', () => {
    const random = seeded(SEED);
    const small = Array.from({ length: 120 }, () => ({ x: 10 * random() - 5, z: 10 * random() - 5, radius: 0.2 }));
    const crowd = crowdOf([{ x: 0, z: 0, radius: 2, flags: AGENT_AVOID_ONLY | AGENT_USER_OWNED }, ...small]);
    for (let k = 0; k < 80; k++) tick(crowd, 4);
    expect(overlapOf(crowd).deepest).toBeLessThanOrEqual(ALLOWED_OVERLAP * 1.0001);
    expect(Array.from(crowd.agents.position.subarray(0, 3))).toEqual([0, 0, 0]);
  });
});
