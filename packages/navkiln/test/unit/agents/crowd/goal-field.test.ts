/** Goal fields, compared with A* and with a plain search. NAVKILN_SEED, NAVKILN_FIELDS (worlds, 20). */
import { describe, expect, it } from 'vitest';
import {
  beginField,
  createGoalField,
  isFieldOf,
  isSettled,
  readField,
  runField,
} from '../../../../src/agents/crowd/search/goal-field.ts';
import { findCorridor } from '../../../../src/query/path/a-star.ts';
import { createCorridor } from '../../../../src/query/path/corridor.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { createSearchState } from '../../../../src/query/search-state.ts';
import { gridTile, meshOf } from '../../meshes.ts';
import { cheapestWays, measureCorridor, searchWorld } from './search-worlds.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const WORLDS = Number(process.env.NAVKILN_FIELDS ?? 20);

describe('a field', () => {
  it('gives every start a cheapest path, never more expensive than A*', () => {
    const field = createGoalField();
    const corridor = createCorridor();
    const twin = createCorridor();
    const state = createSearchState();
    const counts = { reached: 0, unreached: 0, links: 0, cheaper: 0, same: 0 };
    for (let seed = SEED; seed < SEED + WORLDS; seed++) {
      const world = searchWorld(seed);
      const { mesh, filter, spot } = world;
      const goals = Array.from({ length: 6 }, spot);
      const starts = Array.from({ length: 8 }, spot);
      const known = starts.map((start) => cheapestWays(world, start));
      for (const goal of goals) {
        beginField(field, mesh, filter, goal.poly, goal.point);
        starts.forEach((start, i) => {
          if (start.poly === goal.poly) return;
          const what = `seed ${seed}, ${start.poly} to ${goal.poly}`;
          while (!isSettled(field, mesh, filter, start.poly, start.point)) runField(field, mesh, filter, 1 + (i % 3));
          const cost = known[i](goal);
          const isFound = readField(corridor, field, mesh, filter, start.poly, start.point);
          expect(isFound, what).toBe(cost < Infinity);
          findCorridor(twin, state, mesh, filter, start.poly, start.point, goal.poly, goal.point, Infinity);
          expect(twin.outcome === 'complete', what).toBe(isFound);
          if (!isFound) {
            counts.unreached++;
            return;
          }
          counts.reached++;
          const { cost: measured, problem } = measureCorridor(world, corridor, start.point, goal.point);
          expect(problem, what).toBe('');
          expect([corridor.polys[0], corridor.polys[corridor.count - 1]], what).toEqual([start.poly, goal.poly]);
          expect(Math.abs(measured - corridor.cost), what).toBeLessThanOrEqual(1e-9 * cost);
          expect(Math.abs(cost - corridor.cost), `${what}: ${corridor.cost}, not ${cost}`).toBeLessThanOrEqual(
            1e-9 * cost,
          );
          for (let k = 0; k + 1 < corridor.count; k++)
            if (corridor.crossings[k] % 2 !== 0 && corridor.crossings[k] < -2) counts.links++;
          const theirs = measureCorridor(world, twin, start.point, goal.point);
          expect(theirs.problem, what).toBe('');
          expect(corridor.cost, what).toBeLessThanOrEqual(theirs.cost * (1 + 1e-9));
          if (corridor.cost < theirs.cost * (1 - 1e-9)) counts.cheaper++;
          else counts.same++;
        });
      }
    }
    console.log(`Fields beside A*, seed ${SEED}: ${JSON.stringify(counts)}`);
    expect(counts.reached).toBeGreaterThan(10 * WORLDS);
    expect(counts.unreached).toBeGreaterThan(WORLDS);
    expect(counts.links).toBeGreaterThan(WORLDS);
    expect(counts.same).toBeGreaterThan(counts.cheaper / 4);
  });

  it('supports the methods of a filter', () => {
    const world = searchWorld(SEED + 500);
    const { mesh, spot } = world;
    const filter = createFilter({
      passes: (_, poly) => poly % 11 !== 3,
      cost: (_, { poly, length }) => length * (1 + (poly % 5)) + (poly % 3),
    });
    const field = createGoalField();
    const corridor = createCorridor();
    const twin = createCorridor();
    let count = 0;
    for (let i = 0; i < 60; i++) {
      const [start, goal] = [spot(), spot()];
      if (start.poly === goal.poly) continue;
      beginField(field, mesh, filter, goal.poly, goal.point);
      runField(field, mesh, filter, Infinity);
      const isFound = readField(corridor, field, mesh, filter, start.poly, start.point);
      findCorridor(twin, createSearchState(), mesh, filter, start.poly, start.point, goal.poly, goal.point, Infinity);
      expect(twin.outcome === 'complete').toBe(isFound);
      if (!isFound) continue;
      count++;
      const { cost, problem } = measureCorridor({ mesh, filter }, corridor, start.point, goal.point);
      expect(problem).toBe('');
      expect(Math.abs(cost - corridor.cost)).toBeLessThanOrEqual(1e-9 * cost);
      expect(corridor.cost).toBeLessThanOrEqual(
        measureCorridor({ mesh, filter }, twin, start.point, goal.point).cost * (1 + 1e-9),
      );
    }
    expect(count).toBeGreaterThan(10);
  });

  it('knows its goal, its mesh and its filter', () => {
    const mesh = meshOf(gridTile(4, 4));
    const filter = createFilter({ areaCosts: { 5: 2 } });
    const field = createGoalField();
    expect(isFieldOf(field, mesh, filter, 5)).toBe(false);
    beginField(field, mesh, filter, 5, Float64Array.of(1.5, 0, 1.5));
    expect(isFieldOf(field, mesh, filter, 5)).toBe(true);
    expect(isFieldOf(field, mesh, createFilter({ areaCosts: { 5: 2 } }), 5)).toBe(true);
    expect(isFieldOf(field, mesh, createFilter(), 5)).toBe(false);
    expect(isFieldOf(field, mesh, createFilter({ areaCosts: { 5: 2 }, excludeFlags: 2 }), 5)).toBe(false);
    expect(isFieldOf(field, mesh, createFilter({ areaCosts: { 5: 2 }, passes: () => true }), 5)).toBe(false);
    expect(isFieldOf(field, mesh, filter, 6)).toBe(false);
    filter.areaCosts[5] = 3;
    expect(isFieldOf(field, mesh, filter, 5)).toBe(false);
    filter.areaCosts[5] = 2;
    mesh.revision++;
    expect(isFieldOf(field, mesh, filter, 5)).toBe(false);
  });

  it('has no paths when the goal does not pass the filter', () => {
    const mesh = meshOf(gridTile(4, 1));
    mesh.polyFlags[3] = 2;
    const filter = createFilter({ includeFlags: 1 });
    const field = createGoalField();
    beginField(field, mesh, filter, 3, Float64Array.of(3.5, 0, 0.5));
    expect(runField(field, mesh, filter, 100)).toBe(true);
    expect(readField(createCorridor(), field, mesh, filter, 0, Float64Array.of(0.5, 0, 0.5))).toBe(false);
  });
});
