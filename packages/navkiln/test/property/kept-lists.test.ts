/**
 * Lists that the crowd keeps from tick to tick (pairs that may overlap, cells of bodies, rooms in polygons) must not
 * change any result. Oracles: brute force, and crowds restored from bytes, which have kept nothing. Avoidance must
 * not change an agent that counts as unhindered. Seeded; NAVKILN_SEED takes another sequence.
 */
import { describe, expect, it } from 'vitest';
import { createCrowdDriver, createCrowdWorld, startCrowdRun } from '../../src/entries/groups/crowd-runs.ts';
import { createCrowd } from '../../src/agents/crowd/create.ts';
import { avoidByOrca } from '../../src/agents/crowd/avoidance/orca.ts';
import { createAvoidanceScene } from '../../src/agents/crowd/avoidance/scene.ts';
import { findNeighbors } from '../../src/agents/crowd/nearby/neighbors.ts';
import { MAX_PUSH, listPairs, pairs } from '../../src/agents/crowd/motion/overlap-pairs.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../src/agents/crowd/save/save.ts';
import { MAX_NEIGHBORS, STATE_GROUND, STATE_LINK } from '../../src/agents/crowd/state/types.ts';
import type { Crowd } from '../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../src/agents/crowd/step.ts';
import { isUnhindered } from '../../src/agents/crowd/motion/unhindered.ts';
import { findCrowdScene } from 'navkiln-scenes';
import { crowdOf, placesOf } from '../unit/agents/crowd/scatter.ts';
import { seeded } from '../unit/meshes.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 71);

describe('pairs that may overlap', () => {
  it('are those of brute force in each tick, larger one first, in the order of the slots', () => {
    let found = 0;
    for (let seed = SEED; seed < SEED + 4; seed++) {
      const random = seeded(seed);
      const count = 2 + Math.floor(random() * 120);
      const spread = Math.sqrt(count) * (0.4 + 2 * random());
      const isMixed = seed % 2 === 0;
      const body = (): { x: number; z: number; radius: number } => ({
        x: random() * spread,
        z: random() * spread,
        radius: isMixed ? 0.1 + 0.6 * random() ** 3 : 0.3,
      });
      const crowd = crowdOf(Array.from({ length: count }, body));
      const { radius, state, position, previous } = crowd.agents;
      for (let tick = 0; tick < 60; tick++) {
        const place = placesOf(crowd);
        previous.set(position);
        for (let k = 0; k < place.length; k++) place[k] += 0.05 * (random() - 0.5);
        const some = Math.floor(random() * count);
        if (tick % 10 === 3) state[some] = state[some] === STATE_LINK ? STATE_GROUND : STATE_LINK;
        if (tick % 10 === 5) radius[some] = body().radius;
        if (tick % 10 === 7) place.set([random() * spread, random() * spread], 2 * some);
        listPairs(crowd, place);
        const expected: number[][] = [];
        for (let a = 0; a < count; a++) {
          for (let b = 0; b < count; b++) {
            const isFirst = radius[a] > radius[b] || (radius[a] === radius[b] && a > b);
            if (!isFirst || state[a] !== STATE_GROUND || state[b] !== STATE_GROUND) continue;
            const distance = Math.hypot(place[2 * a] - place[2 * b], place[2 * a + 1] - place[2 * b + 1]);
            if (distance < (1 + MAX_PUSH) * (radius[a] + radius[b])) expected.push([a, b]);
          }
        }
        const listed = Array.from({ length: pairs.count }, (_, p) => [pairs.slots[2 * p], pairs.slots[2 * p + 1]]);
        expect(listed, `seed ${seed}, tick ${tick}`).toEqual(expected);
        found += expected.length;
        for (let k = 0; k < count; k++) position.set([place[2 * k], 0, place[2 * k + 1]], 3 * k);
      }
    }
    expect(found).toBeGreaterThan(600);
  });
});

describe('an unhindered agent', () => {
  it('keeps its desired velocity, whatever the shares and the passing side', () => {
    const scene = createAvoidanceScene(MAX_NEIGHBORS, 0);
    const out = new Float64Array(2);
    let unhindered = 0;
    let hindered = 0;
    for (let seed = SEED; seed < SEED + 120; seed++) {
      const random = seeded(seed);
      const spread = 3 + 9 * random();
      const maxSpeed = 0.3 + 2 * random();
      const crowd = crowdOf(
        Array.from({ length: 12 }, () => ({
          x: random() * spread,
          z: random() * spread,
          maxSpeed: maxSpeed * (0.8 + 0.4 * random()),
          horizon: [0.1, 0.5, 2, 4][Math.floor(4 * random())]!,
          radius: 0.1 + 0.5 * random(),
        })),
      );
      const { agents } = crowd;
      for (let slot = 0; slot < 12; slot++) {
        const turn = 2 * Math.PI * random();
        const speed = agents.maxSpeed[slot] * (random() < 0.5 ? 1 : random());
        agents.velocity.set([speed * Math.cos(turn), speed * Math.sin(turn)], 2 * slot);
      }
      agents.desired.set(agents.velocity);
      findNeighbors(crowd);
      for (let slot = 0; slot < 12; slot++) {
        if (agents.neighborCount[slot] === 0) continue;
        if (!isUnhindered(crowd, slot)) {
          hindered++;
          continue;
        }
        unhindered++;
        const [vx, vz] = [agents.velocity[2 * slot], agents.velocity[2 * slot + 1]];
        for (const side of [-1, -0.5, 0, 0.5, 1]) {
          scene.self.set([
            vx,
            vz,
            vx,
            vz,
            agents.radius[slot],
            agents.maxSpeed[slot],
            agents.horizon[slot],
            0.3,
            1 / 60,
            side,
          ]);
          scene.neighborCount = agents.neighborCount[slot];
          for (let n = 0; n < scene.neighborCount; n++) {
            const other = agents.neighbors[MAX_NEIGHBORS * slot + n];
            const at = (k: number): number => agents.position[3 * other + k] - agents.position[3 * slot + k];
            const share = [random(), 1, 1e-6][Math.floor(3 * random())]!;
            scene.neighbors.set([at(0), at(2), ...agents.velocity.subarray(2 * other, 2 * other + 2)], 6 * n);
            scene.neighbors.set([agents.radius[other], share], 6 * n + 4);
          }
          expect(avoidByOrca(out, scene), `seed ${seed}`).toBe(true);
          expect([...out], `seed ${seed}, slot ${slot}, side ${side}`).toEqual([vx, vz]);
        }
      }
    }
    expect(unhindered).toBeGreaterThan(60);
    expect(hindered).toBeGreaterThan(60);
  });
});

describe('a crowd that is restored now and then', () => {
  it.each(['town', 'same-goal', 'storeys'])('does the same in %s as one that goes on', (name) => {
    const setup = findCrowdScene(name).create(SEED, 24);
    const world = createCrowdWorld(setup);
    const { driver } = startCrowdRun(setup, { unmeasured: true }, world, createCrowdDriver(world, 1 / 60));
    const { crowd } = driver as ReturnType<typeof createCrowdDriver>;
    const copyOf = (saved: Crowd): Crowd => {
      const copy = createCrowd(world.mesh, { maxAgents: crowd.maxAgents, stepSeconds: crowd.stepSeconds });
      restoreCrowd(copy, saveCrowd(saved));
      return copy;
    };
    let restored = copyOf(crowd);
    for (let tick = 0; tick < 120; tick++) {
      if (tick % 7 === 6) restored = copyOf(restored);
      stepCrowd(crowd);
      stepCrowd(restored);
      expect(hashCrowd(restored), `tick ${tick}`).toBe(hashCrowd(crowd));
    }
  });
});
