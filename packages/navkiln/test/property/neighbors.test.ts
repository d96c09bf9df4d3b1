/**
 * Neighbors and sleepers compared with brute force over all pairs, on random crowds of many kinds. Seeded; a
 * failure names the seed. NAVKILN_SEED takes another sequence, NAVKILN_SOAK more crowds.
 */
import { describe, expect, it } from 'vitest';
import { findNeighbors } from '../../src/agents/crowd/nearby/neighbors.ts';
import { LEAST_REACH, MOST_REACH } from '../../src/agents/crowd/nearby/reach.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_USER_OWNED,
  AVOID_NONE,
  AVOID_ORCA,
  MAX_NEIGHBORS,
  STATE_GROUND,
  STATE_LINK,
  STATUS_SETTLED,
} from '../../src/agents/crowd/state/types.ts';
import type { Crowd } from '../../src/agents/crowd/state/types.ts';
import { crowdOf, setActive } from '../unit/agents/crowd/scatter.ts';
import type { Body } from '../unit/agents/crowd/scatter.ts';
import { AGENT, seeded } from '../unit/meshes.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 61);
const ROUNDS = process.env.NAVKILN_SOAK === undefined ? 5 : 200;

type Kind = (random: () => number, spread: number) => Body;

const KINDS: Record<string, Kind> = {
  even: (random, spread) => ({ x: random() * spread, z: random() * spread }),
  far: (random, spread) => ({ x: 100_000 + random() * spread, z: -100_000 - random() * spread }),
  clusters: (random, spread) => {
    const which = Math.floor(random() * 5);
    return {
      x: which * 30_000 * (which % 2 ? 1 : -1) + (random() * spread) / 3,
      z: which * 777 + (random() * spread) / 3,
    };
  },
  road: (random, spread) => ({ x: random() * spread * 30, z: random() * 3 }),
  'mixed sizes': (random, spread) => ({
    x: random() * spread,
    z: random() * spread,
    radius: random() < 0.1 ? 1 + 4 * random() : 0.1 + 0.5 * random(),
    maxSpeed: 8 * random(),
    horizon: 0.2 + 3 * random(),
    height: 0.5 + 2 * random(),
  }),
  storeys: (random, spread) => ({
    x: random() * spread,
    z: random() * spread,
    y: random() < 0.5 ? 0 : 3 + 0.2 * random(),
  }),
  ledges: (random, spread) => {
    const x = random() * spread;
    return { x, z: random() * spread, y: Math.floor(x / 2) * 0.7 * random() };
  },
  layers: (random, spread) => ({
    x: random() * spread,
    z: random() * spread,
    layers: 1 << Math.floor(random() * 3),
    mask: Math.floor(random() * 8),
    state: random() < 0.1 ? STATE_LINK : STATE_GROUND,
  }),
  /** Equal distances, and points on the edges of cells. */
  lattice: (random, spread) => ({ x: Math.floor(random() * spread), z: Math.floor(random() * spread), maxSpeed: 1.5 }),
  'one spot': (random) => ({ x: 5 + (random() < 0.1 ? random() : 0), z: 5 }),
};

/** Returns whether `me` senses `other`, written from the documentation alone. */
function senses(crowd: Crowd, me: number, other: number, mostReach: number = MOST_REACH): boolean {
  const { agents } = crowd;
  if (me === other || agents.state[me] !== STATE_GROUND || agents.state[other] !== STATE_GROUND) return false;
  if ((agents.mask[me] & agents.layers[other]) === 0) return false;
  const [ax, ay, az] = agents.position.subarray(3 * me, 3 * me + 3) as unknown as [number, number, number];
  const [bx, by, bz] = agents.position.subarray(3 * other, 3 * other + 3) as unknown as [number, number, number];
  const distance = Math.hypot(ax - bx, az - bz);
  const r = agents.radius[me];
  const reach = Math.max(LEAST_REACH * r, Math.min(mostReach * r, agents.maxSpeed[me] * agents.horizon[me]));
  if (distance > reach + r + agents.radius[other]) return false;
  const lower = ay < by ? me : other;
  if (ay !== by && Math.abs(ay - by) >= agents.height[lower]) return false;
  const { maxSlopeDegrees, maxClimb } = crowd.mesh.agent;
  return Math.abs(ay - by) <= distance * Math.tan((maxSlopeDegrees * Math.PI) / 180) + maxClimb;
}

function distanceSq(crowd: Crowd, a: number, b: number): number {
  const { position } = crowd.agents;
  return (position[3 * a] - position[3 * b]) ** 2 + (position[3 * a + 2] - position[3 * b + 2]) ** 2;
}

function expectedNeighbors(crowd: Crowd, me: number): number[] {
  if ((crowd.agents.flags[me] & AGENT_ASLEEP) !== 0) return [];
  return Array.from(crowd.active.subarray(0, crowd.activeCount))
    .filter((other) => senses(crowd, me, other))
    .sort((a, b) => distanceSq(crowd, me, a) - distanceSq(crowd, me, b) || a - b)
    .slice(0, MAX_NEIGHBORS);
}

function neighborsOf(crowd: Crowd, me: number): number[] {
  const base = MAX_NEIGHBORS * me;
  return Array.from(crowd.agents.neighbors.subarray(base, base + crowd.agents.neighborCount[me]));
}

function check(crowd: Crowd, note: string): void {
  const found: [number, number[], number[]][] = [];
  const expected: typeof found = [];
  for (const me of crowd.active.subarray(0, crowd.activeCount)) {
    const others = expectedNeighbors(crowd, me);
    expected.push([me, others, others.map((other) => distanceSq(crowd, me, other))]);
    const base = MAX_NEIGHBORS * me;
    found.push([
      me,
      neighborsOf(crowd, me),
      Array.from(crowd.agents.neighborDistanceSq.subarray(base, base + others.length)),
    ]);
  }
  expect(found, note).toEqual(expected);
}

describe('neighbors are those that brute force finds', () => {
  for (const [name, kind] of Object.entries(KINDS)) {
    it(name, () => {
      for (let round = 0; round < ROUNDS; round++) {
        const seed = SEED + round;
        const random = seeded(seed);
        const count = round === 0 ? 1 : 2 + Math.floor(random() ** 2 * 400);
        const spread = Math.sqrt(count) * 10 ** (2.5 * random() - 0.7);
        const bodies = Array.from({ length: count }, () => kind(random, spread));
        const shape = { ...AGENT, maxSlopeDegrees: [0, 30, 45, 60, 89][Math.floor(random() * 5)] };
        const crowd = crowdOf(bodies, undefined, shape);
        const note = `seed ${seed}, ${count} agents over ${spread}`;
        findNeighbors(crowd);
        check(crowd, note);
        // Small moves as in a tick, teleports, and removals: earlier neighbors must not affect the result.
        for (const share of [0.05, 0.05, 0.05, 0.3, 0.3, 20]) {
          for (let k = 0; k < 3 * count; k++) if (k % 3 !== 1) crowd.agents.position[k] += share * (random() - 0.5);
          findNeighbors(crowd);
          check(crowd, `${note}, moved by ${share}`);
        }
        setActive(
          crowd,
          crowd.active.filter((slot) => slot % 3 === 0),
        );
        findNeighbors(crowd);
        check(crowd, `${note}, a third of them`);
      }
    });
  }

  it('in any slots', () => {
    for (let round = 0; round < ROUNDS; round++) {
      const seed = SEED + 100 + round;
      const random = seeded(seed);
      const bodies = Array.from({ length: 200 }, () => KINDS['mixed sizes'](random, 15));
      const slots = bodies.map((_, k) => k);
      for (let k = slots.length - 1; k > 0; k--) {
        const other = Math.floor(random() * (k + 1));
        [slots[k], slots[other]] = [slots[other], slots[k]];
      }
      const one = crowdOf(bodies);
      const two = crowdOf(
        bodies,
        slots.map((slot) => 3 * slot + 1),
      );
      findNeighbors(one);
      findNeighbors(two);
      bodies.forEach((_, k) => {
        expect(neighborsOf(two, 3 * slots[k] + 1), `seed ${seed}`).toEqual(
          neighborsOf(one, k).map((n) => 3 * slots[n] + 1),
        );
      });
    }
  });
});

describe('sleepers', () => {
  const REST = [0, 5, 6, 8];

  it('are agents at rest with no awake agent within the least reach, and overlap with nobody', () => {
    let asleep = 0;
    for (let round = 0; round < 5 * ROUNDS; round++) {
      const seed = SEED + 200 + round;
      const random = seeded(seed);
      const count = 2 + Math.floor(random() * 150);
      const spread = Math.sqrt(count) * (0.6 + 8 * random());
      const restless = random() ** 3;
      const kinds = Object.values(KINDS);
      const kind = kinds[round % kinds.length];
      const bodies = Array.from({ length: count }, (): Body => {
        const moves = random() < restless;
        return {
          ...kind(random, spread),
          status: moves && random() < 0.5 ? 2 : REST[Math.floor(random() * 4)],
          velocity: moves ? [random(), random()] : [0, 0],
          flags: random() < 0.1 ? AGENT_AVOID_ONLY | AGENT_USER_OWNED : random() < 0.1 ? AGENT_USER_OWNED : 0,
          avoidance: random() < 0.1 ? AVOID_NONE : AVOID_ORCA,
        };
      });
      const crowd = crowdOf(bodies);
      const { agents } = crowd;
      // Half of the settled agents have lost the agent beside which they settled. The others stand for it themselves.
      const isLeft = bodies.map(({ status }, k) => {
        const hasLeft = status === STATUS_SETTLED && random() < 0.5;
        agents.settledBy[k] = hasLeft ? 0 : k + 1;
        return hasLeft;
      });
      const rests = bodies.map(
        (body) => REST.includes(body.status!) && body.velocity![0] === 0 && (body.state ?? 1) === STATE_GROUND,
      );
      const fixed = (k: number): boolean =>
        (agents.flags[k] & (AGENT_AVOID_ONLY | AGENT_USER_OWNED)) !== 0 || agents.avoidance[k] === AVOID_NONE;
      const overlaps = (a: number, b: number): boolean =>
        senses(crowd, a, b) &&
        !(fixed(a) && fixed(b)) &&
        Math.sqrt(distanceSq(crowd, a, b)) <
          agents.radius[a] + agents.radius[b] - 0.03 * Math.min(agents.radius[a], agents.radius[b]);
      const expected = bodies.map(
        (_, a) =>
          rests[a] &&
          !isLeft[a] &&
          !bodies.some((_, b) => (rests[b] ? overlaps(a, b) : senses(crowd, a, b, LEAST_REACH))),
      );
      findNeighbors(crowd);
      const flagged = (): boolean[] => bodies.map((_, k) => (agents.flags[k] & AGENT_ASLEEP) !== 0);
      expect(flagged(), `seed ${seed}`).toEqual(expected);
      asleep += expected.filter(Boolean).length;
      findNeighbors(crowd);
      expect(flagged(), `seed ${seed}, again`).toEqual(expected);
      check(crowd, `seed ${seed}, awake ones`);
    }
    expect(asleep).toBeGreaterThan(100);
  });
});
