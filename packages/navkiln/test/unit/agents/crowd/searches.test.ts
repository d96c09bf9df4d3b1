/**
 * Searches of a crowd: turns, budgets, shared goals, unreachable goals, agents and meshes that move meanwhile.
 * Agents stand unless a test moves them: `runSearches` is the only step here. NAVKILN_SEED.
 */
import { describe, expect, it } from 'vitest';
import { addAgent, removeAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { validateCorridor } from '../../../../src/agents/corridor/validate.ts';
import { moveCorridorPosition } from '../../../../src/agents/corridor/move.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { cancelRequest, requestPath } from '../../../../src/agents/crowd/search/record.ts';
import { runSearches } from '../../../../src/agents/crowd/search/searches.ts';
import {
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  STATE_GROUND,
  STATE_LINK,
} from '../../../../src/agents/crowd/state/types.ts';
import type { AgentId, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { addLink } from '../../../../src/mesh/change/links.ts';
import { refOf } from '../../../../src/mesh/ref.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { findCorridor } from '../../../../src/query/path/a-star.ts';
import { createCorridor } from '../../../../src/query/path/corridor.ts';
import { setFlags } from '../../../../src/query/area.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { findRandomPoint } from '../../../../src/query/random/random-point.ts';
import { createSearchState } from '../../../../src/query/search-state.ts';
import { createSlide } from '../../../../src/query/walk/slide.ts';
import { findLevelScene } from '../../../../../scenes/src/index.ts';
import { gridTile, meshOf, seeded } from '../../meshes.ts';
import { measureCorridor, searchWorld } from './search-worlds.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);

function tick(crowd: Crowd): number {
  crowd.tick++;
  runSearches(crowd);
  return crowd.searches.queueCount;
}

const waits = (crowd: Crowd, slot: number): boolean => (crowd.agents.flags[slot] & AGENT_AWAITS_PATH) !== 0;
const isPartial = (crowd: Crowd, slot: number): boolean => (crowd.agents.flags[slot] & AGENT_PARTIAL) !== 0;
const endOf = (crowd: Crowd, slot: number): number => {
  const { polys, count } = crowd.corridors[slot].corridor;
  return polys[count - 1];
};

/** A corridor of squares, agent after agent on it, each with an order to its other end. */
function rowCrowd(length: number, agents: number, searchBudget: number): Crowd {
  const crowd = createCrowd(meshOf(gridTile(length, 1)), { maxAgents: agents, searchBudget });
  for (let i = 0; i < agents; i++) addAgent(crowd, [0.5, 0, 0.5], { radius: 0.1 });
  return crowd;
}

function order(crowd: Crowd, slot: number, x: number, z: number = 0.5): void {
  const id = (crowd.agents.generation[slot] * (1 << 20) + slot) as AgentId;
  expect(moveAgentTo(crowd, id, [x, 0, z])).toBe('accepted');
}

const levels = new Map<string, NavMesh>();

function terrain(tileSize: number): NavMesh {
  const scene = findLevelScene('terrain');
  const key = `${tileSize}`;
  const mesh =
    levels.get(key) ??
    buildNavMesh(scene.create(), { ...scene.options, ...(tileSize > 0 ? { tileSize } : {}) }).navMesh;
  levels.set(key, mesh);
  return mesh;
}

describe.each([0, 24])('2,000 orders at once on terrain, tiles of %d m', (tileSize) => {
  const AGENTS = 2000;

  it.each(tileSize === 0 ? [500] : [4000])('to as many points: in turn, within a budget of %d', (searchBudget) => {
    const mesh = terrain(tileSize);
    const random = seeded(SEED);
    const crowd = createCrowd(mesh, { maxAgents: AGENTS, searchBudget });
    const place = (): [number, number, number] => findRandomPoint(mesh, random)!.point;
    for (let i = 0; i < AGENTS; i++) addAgent(crowd, place(), { radius: 0.2 });
    expect(crowd.agentCount).toBe(AGENTS);
    // In no order of slots.
    for (let i = 0; i < AGENTS; i++) {
      const slot = (i * 997) % AGENTS;
      const [x, y, z] = place();
      const id = (crowd.agents.generation[slot] * (1 << 20) + slot) as AgentId;
      moveAgentTo(crowd, id, [x, y, z]);
    }
    let next = 0;
    let ticks = 0;
    let total = 0;
    for (let left = AGENTS; left > 0; ticks++) {
      left = tick(crowd);
      const spent = searchBudget - crowd.searches.left;
      total += spent;
      // Over the budget only by what the last answer hands out: a fourth of its polygons, and ground on an island.
      expect(spent).toBeLessThanOrEqual(searchBudget + 17 + mesh.polyCount / 4);
      if (left > 0) expect(spent).toBeGreaterThanOrEqual(searchBudget);
      // First come first.
      while (next < AGENTS && !waits(crowd, next)) next++;
      let ahead = next;
      while (ahead < AGENTS && waits(crowd, ahead)) ahead++;
      expect(ahead, `answered before ${next}`).toBe(AGENTS);
    }
    expect(crowd.searchCount).toBe(AGENTS);
    expect(ticks).toBeLessThanOrEqual(total / searchBudget + 1);
    const state = createSearchState();
    const plain = createCorridor();
    const filter = crowd.filters[0];
    let plainTotal = 0;
    const problems: string[] = [];
    let same = 0;
    for (let slot = 0; slot < AGENTS; slot++) {
      const corridor = crowd.corridors[slot];
      const { poly, goalPoly } = crowd.agents;
      problems.push(...validateCorridor(corridor, mesh));
      const goal = crowd.agents.goal.slice(3 * slot, 3 * slot + 3);
      findCorridor(plain, state, mesh, filter, poly[slot], corridor.position, goalPoly[slot], goal, Infinity);
      plainTotal += state.expandedCount;
      if (isPartial(crowd, slot) !== (plain.outcome !== 'complete')) problems.push(`slot ${slot}: ${plain.outcome}`);
      if (plain.outcome !== 'complete') continue;
      if (endOf(crowd, slot) !== goalPoly[slot]) problems.push(`slot ${slot} ends at ${endOf(crowd, slot)}`);
      const ours = measureCorridor({ mesh, filter }, corridor.corridor, corridor.position, corridor.target);
      const theirs = measureCorridor({ mesh, filter }, plain, corridor.position, corridor.target);
      if (ours.problem !== '') problems.push(ours.problem);
      // By a field to another point of the polygon: 5 % at most.
      if (!(ours.cost <= 1.05 * theirs.cost + 1e-9)) problems.push(`slot ${slot}: ${ours.cost} to ${theirs.cost}`);
      if (Math.abs(ours.cost - theirs.cost) <= 1e-9 * theirs.cost) same++;
    }
    console.log(
      `2,000 orders, seed ${SEED}, tiles of ${tileSize}, budget ${searchBudget}: ${ticks} ticks, ${total} spent, ` +
        `A* alone expands ${plainTotal}, ${same} the same as A*`,
    );
    expect(problems).toEqual([]);
    expect(total).toBeLessThan(1.3 * plainTotal + 10 * AGENTS);
    expect(same).toBeGreaterThan(0.7 * AGENTS);
  });

  it('to one point: by one search', () => {
    const mesh = terrain(tileSize);
    const random = seeded(SEED + 1);
    const crowd = createCrowd(mesh, { maxAgents: AGENTS, searchBudget: 500 });
    const filter = crowd.filters[0];
    for (let i = 0; i < AGENTS; i++) addAgent(crowd, findRandomPoint(mesh, random)!.point, { radius: 0.2 });
    const goal = findRandomPoint(mesh, random)!.point;
    for (let slot = 0; slot < AGENTS; slot++)
      moveAgentTo(crowd, (crowd.agents.generation[slot] * (1 << 20) + slot) as AgentId, goal);
    let ticks = 0;
    while (tick(crowd) > 0) ticks++;
    const fields = crowd.searches.fields.reduce((sum, field) => sum + field.expandedCount, 0);
    const state = createSearchState();
    const plain = createCorridor();
    let plainTotal = 0;
    let ratio = 0;
    let count = 0;
    for (let slot = 0; slot < AGENTS; slot++) {
      const { corridor, position, target } = crowd.corridors[slot];
      if (slot % 10 === 0) expect(validateCorridor(crowd.corridors[slot], mesh)).toEqual([]);
      if (isPartial(crowd, slot)) continue;
      findCorridor(
        plain,
        state,
        mesh,
        filter,
        crowd.agents.poly[slot],
        position,
        crowd.agents.goalPoly[slot],
        target,
        Infinity,
      );
      plainTotal += state.expandedCount;
      const ours = measureCorridor({ mesh, filter }, corridor, position, target);
      const theirs = measureCorridor({ mesh, filter }, plain, position, target);
      expect(ours.cost).toBeLessThanOrEqual(theirs.cost * (1 + 1e-9));
      ratio += ours.cost / theirs.cost;
      count++;
    }
    console.log(
      `2,000 orders to one place, seed ${SEED + 1}, tiles of ${tileSize}: ${ticks + 1} ticks, ` +
        `fields expand ${fields}, A* ${plainTotal}; costs ${ratio / count} of A*'s`,
    );
    expect(count).toBeGreaterThan(AGENTS / 2);
    expect(fields).toBeLessThan(plainTotal / 20);
  });
});

describe('turns', () => {
  it('do nothing when no agent waits', () => {
    const crowd = rowCrowd(10, 3, 100);
    tick(crowd);
    expect(crowd.searches.left).toBe(0);
    expect(crowd.searchCount).toBe(0);
  });

  it('an agent that requests again keeps its turn and gets its new goal', () => {
    const crowd = rowCrowd(40, 3, 20);
    order(crowd, 0, 30.5);
    order(crowd, 1, 31.5);
    tick(crowd);
    order(crowd, 2, 20.5);
    order(crowd, 1, 10.5);
    const answered: number[] = [];
    for (let i = 0; i < 20; i++) {
      tick(crowd);
      for (let slot = 0; slot < 3; slot++) if (!waits(crowd, slot) && !answered.includes(slot)) answered.push(slot);
    }
    expect(answered).toEqual([0, 1, 2]);
    expect([0, 1, 2].map((slot) => endOf(crowd, slot))).toEqual([30, 10, 20]);
  });

  it('a target that moves each tick is answered as soon as one that rests', () => {
    const ticksOf = (moves: boolean): number => {
      const crowd = rowCrowd(200, 2, 10);
      order(crowd, 0, 150.5);
      let ticks = 0;
      do {
        if (moves) order(crowd, 0, 150.5 + 0.4 * ticks);
        tick(crowd);
        ticks++;
      } while (waits(crowd, 0) && crowd.searchCount === 0 && ticks < 500);
      expect(crowd.searchCount).toBe(1);
      expect(validateCorridor(crowd.corridors[0], crowd.mesh)).toEqual([]);
      expect(endOf(crowd, 0)).toBe(crowd.agents.goalPoly[0]);
      return ticks;
    };
    expect(ticksOf(true)).toBe(ticksOf(false));
    expect(ticksOf(false)).toBeGreaterThan(10);
  });

  it('an agent that cancels, or is removed, gets no answer', () => {
    const crowd = rowCrowd(40, 4, 10);
    for (let slot = 0; slot < 4; slot++) order(crowd, slot, 30.5 + slot);
    tick(crowd);
    cancelRequest(crowd, 0);
    removeAgent(crowd, (crowd.agents.generation[1] * (1 << 20) + 1) as AgentId);
    for (let i = 0; i < 30; i++) tick(crowd);
    expect(crowd.searchCount).toBe(2);
    expect([waits(crowd, 2), waits(crowd, 3)]).toEqual([false, false]);
    expect(crowd.searches.queueCount).toBe(0);
    expect(crowd.corridors[0].corridor.count).toBe(1);
  });

  it('an agent that cancels and requests again comes last', () => {
    const crowd = rowCrowd(40, 3, 10);
    for (let slot = 0; slot < 3; slot++) order(crowd, slot, 30.5);
    tick(crowd);
    cancelRequest(crowd, 0);
    requestPath(crowd, 0);
    const answered: number[] = [];
    for (let i = 0; i < 30; i++) {
      tick(crowd);
      for (let slot = 0; slot < 3; slot++) if (!waits(crowd, slot) && !answered.includes(slot)) answered.push(slot);
    }
    expect(answered).toEqual([1, 2, 0]);
  });

  it('an agent on a link waits, and others do not wait for it', () => {
    const crowd = rowCrowd(40, 2, 100);
    order(crowd, 0, 30.5);
    order(crowd, 1, 30.5);
    crowd.agents.state[0] = STATE_LINK;
    tick(crowd);
    expect([waits(crowd, 0), waits(crowd, 1)]).toEqual([true, false]);
    crowd.agents.state[0] = STATE_GROUND;
    tick(crowd);
    expect(waits(crowd, 0)).toBe(false);
  });

  it('an unused budget is lost', () => {
    const crowd = rowCrowd(100, 2, 10);
    for (let i = 0; i < 50; i++) tick(crowd);
    order(crowd, 0, 90.5);
    tick(crowd);
    expect(waits(crowd, 0)).toBe(true);
  });
});

describe('goals out of reach', () => {
  it('on another island: the nearest point of the own island', () => {
    const mesh = meshOf(gridTile(20, 3, (x) => x !== 9));
    const crowd = createCrowd(mesh, { maxAgents: 12, searchBudget: 30 });
    for (let i = 0; i < 12; i++) addAgent(crowd, [0.5 + (i % 4), 0, 0.5 + (i % 3)], { radius: 0.1 });
    for (let i = 0; i < 12; i++) order(crowd, i, 15.5, 1.25);
    while (tick(crowd) > 0);
    for (let slot = 0; slot < 12; slot++) {
      const { position, target } = crowd.corridors[slot];
      const path = findPath(mesh, position, [15.5, 0, 1.25]);
      expect(path.status).toBe('partial');
      expect(isPartial(crowd, slot)).toBe(true);
      expect(Array.from(target)).toEqual(path.points.at(-1));
      expect(validateCorridor(crowd.corridors[slot], mesh)).toEqual([]);
    }
  });

  it('behind polygons that the filter blocks: one flood for all, as near as it came', () => {
    const mesh = meshOf(gridTile(40, 20));
    for (let z = 0; z < 20; z++) mesh.polyFlags[z * 40 + 30] = 2;
    const filter = createFilter({ includeFlags: 1 });
    const crowd = createCrowd(mesh, { maxAgents: 60, searchBudget: 300, filters: [filter] });
    const random = seeded(SEED);
    for (let i = 0; i < 60; i++) addAgent(crowd, [29 * random() + 0.1, 0, 19 * random() + 0.1], { radius: 0.1 });
    for (let i = 0; i < 60; i++) order(crowd, i, 35.5, 10.5);
    let total = 0;
    for (let left = 1; left > 0;) {
      left = tick(crowd);
      total += 300 - crowd.searches.left;
    }
    for (let slot = 0; slot < 60; slot++) {
      expect(isPartial(crowd, slot)).toBe(true);
      expect(endOf(crowd, slot)).toBe(10 * 40 + 29);
      expect(crowd.corridors[slot].target[0]).toBeCloseTo(30, 9);
      expect(validateCorridor(crowd.corridors[slot], mesh)).toEqual([]);
    }
    // A flood of the island, a field on either side, and what is handed out.
    expect(total).toBeLessThan(600 + 2 * 1600 + 60 * 12);
    // The passage is opened, so all of this changes.
    for (let z = 0; z < 20; z++) setFlags(mesh, refOf(mesh, z * 40 + 30), 1);
    for (let slot = 0; slot < 60; slot++) requestPath(crowd, slot);
    while (tick(crowd) > 0);
    for (let slot = 0; slot < 60; slot++) {
      expect(isPartial(crowd, slot)).toBe(false);
      expect(endOf(crowd, slot)).toBe(10 * 40 + 35);
    }
  });

  it('what blocks some agents does not block those beyond it', () => {
    const mesh = meshOf(gridTile(60, 1));
    mesh.polyFlags[20] = 2;
    const crowd = createCrowd(mesh, {
      maxAgents: 10,
      searchBudget: 1000,
      filters: [createFilter({ includeFlags: 1 })],
    });
    for (let i = 0; i < 10; i++) addAgent(crowd, [i < 5 ? 5.5 : 55.5, 0, 0.5], { radius: 0.1 });
    for (let i = 0; i < 10; i++) order(crowd, i, 40.5);
    while (tick(crowd) > 0);
    for (let slot = 0; slot < 10; slot++) {
      expect(isPartial(crowd, slot), `${slot}`).toBe(slot < 5);
      expect(endOf(crowd, slot)).toBe(slot < 5 ? 19 : 40);
    }
  });

  it('with one-way links every agent searches for itself', () => {
    // A pit (right) that agents can jump into; the goal is on the left, behind blocked surface.
    const mesh = meshOf(gridTile(20, 1, (x) => x !== 10));
    mesh.polyFlags[4] = 2;
    addLink(mesh, { start: [9.5, 0, 0.5], end: [11.5, 0, 0.5] });
    const crowd = createCrowd(mesh, { maxAgents: 8, searchBudget: 1000, filters: [createFilter({ includeFlags: 1 })] });
    for (let i = 0; i < 4; i++) addAgent(crowd, [14.5, 0, 0.5], { radius: 0.1 });
    for (let i = 0; i < 4; i++) addAgent(crowd, [8.5, 0, 0.5], { radius: 0.1 });
    for (let i = 0; i < 8; i++) order(crowd, i, 1.5);
    while (tick(crowd) > 0);
    for (let slot = 0; slot < 4; slot++) expect(endOf(crowd, slot)).toBe(10);
    for (let slot = 4; slot < 8; slot++) expect(endOf(crowd, slot)).toBe(5);
  });
});

describe('while a search is in progress', () => {
  it('its agent may move on: the path starts where it is', () => {
    const slide = createSlide();
    const slideState = createSearchState();
    let splices = 0;
    for (let seed = SEED; seed < SEED + 6; seed++) {
      const world = searchWorld(seed, { size: 4, links: 0, isPlain: true });
      const { mesh, random, spot } = world;
      const crowd = createCrowd(mesh, { maxAgents: 4, searchBudget: 3 });
      for (let i = 0; i < 4; i++) addAgent(crowd, spot().point, { radius: 0.1 });
      const point = new Float64Array(3);
      for (let round = 0; round < 6; round++) {
        for (let slot = 0; slot < 4; slot++)
          moveAgentTo(crowd, (crowd.agents.generation[slot] * (1 << 20) + slot) as AgentId, spot().point);
        let heading = random() * 6;
        const from = Array.from(crowd.agents.poly.subarray(0, 4));
        while (tick(crowd) > 0) {
          heading += random() - 0.5;
          for (let slot = 0; slot < 4; slot++) {
            const corridor = crowd.corridors[slot];
            const wrong = validateCorridor(corridor, mesh);
            if (wrong.length > 0) expect(wrong, `seed ${seed}`).toEqual([]);
            point.set(corridor.position);
            point[0] += 0.7 * Math.cos(heading + slot);
            point[2] += 0.7 * Math.sin(heading + slot);
            moveCorridorPosition(corridor, mesh, slide, slideState, point, crowd.filters[0]);
            crowd.agents.position.set(corridor.position, 3 * slot);
            crowd.agents.poly[slot] = corridor.corridor.polys[0];
          }
        }
        for (let slot = 0; slot < 4; slot++) {
          expect(validateCorridor(crowd.corridors[slot], mesh), `seed ${seed}`).toEqual([]);
          if (!isPartial(crowd, slot)) expect(endOf(crowd, slot)).toBe(crowd.agents.goalPoly[slot]);
          if (from[slot] !== crowd.agents.poly[slot]) splices++;
        }
      }
    }
    expect(splices).toBeGreaterThan(50);
  });

  it('its agent may be teleported: it requests again, and others continue', () => {
    const mesh = meshOf(gridTile(60, 1, (x) => x !== 50));
    const crowd = createCrowd(mesh, { maxAgents: 2, searchBudget: 5 });
    for (let i = 0; i < 2; i++) addAgent(crowd, [0.5, 0, 0.5], { radius: 0.1 });
    order(crowd, 0, 40.5);
    order(crowd, 1, 30.5);
    tick(crowd);
    crowd.agents.position.set([52.5, 0, 0.5], 0);
    crowd.agents.poly[0] = 51;
    const answered: number[] = [];
    for (let i = 0; i < 40; i++) {
      tick(crowd);
      for (let slot = 0; slot < 2; slot++) if (!waits(crowd, slot) && !answered.includes(slot)) answered.push(slot);
    }
    expect(answered).toEqual([1, 0]);
    expect(isPartial(crowd, 0)).toBe(true);
    expect(Array.from(crowd.corridors[0].target)).toEqual([51, 0, 0.5]);
  });

  it('a mesh that changes each tick still gives the agent a path', () => {
    const crowd = rowCrowd(200, 2, 10);
    order(crowd, 0, 150.5);
    let longest = 1;
    for (let i = 0; i < 60; i++) {
      crowd.mesh.revision++;
      for (const corridor of crowd.corridors) corridor.revision = crowd.mesh.revision;
      tick(crowd);
      longest = Math.max(longest, crowd.corridors[0].corridor.count);
    }
    expect(crowd.searchCount).toBeGreaterThan(10);
    expect(longest).toBeGreaterThan(5);
    while (tick(crowd) > 0);
    expect(endOf(crowd, 0)).toBe(150);
  });
});
