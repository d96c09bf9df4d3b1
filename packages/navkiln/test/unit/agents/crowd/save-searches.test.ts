/**
 * The state that searches keep between ticks, saved and restored: it does not depend on other crowds, stale indices
 * or long waits.
 */
import { expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { addAgent, listAgents, setAgentOptions } from '../../../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo, setAgentPosition } from '../../../../src/agents/crowd/orders/orders.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import {
  FIELD_TICKS,
  SEARCH_CORRIDOR,
  SEARCH_FIELD,
  SEARCH_NEAR,
  SEARCH_NONE,
} from '../../../../src/agents/crowd/search/record.ts';
import type { CrowdOptions } from '../../../../src/agents/crowd/state/options.ts';
import { STATE_LOST } from '../../../../src/agents/crowd/state/types.ts';
import type { Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { loadNavMesh } from '../../../../src/mesh/file/load.ts';
import { refOf } from '../../../../src/mesh/ref.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { findTile } from '../../../../src/mesh/tiles/tile-grid.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { setFlags } from '../../../../src/query/area.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { gridTile, meshOf } from '../../meshes.ts';
import { TILE, squaresTile, tiledMesh } from '../../mesh/tiled-meshes.ts';

function trace(crowd: Crowd, ticks: number): number[] {
  return Array.from({ length: ticks }, () => {
    stepCrowd(crowd);
    return hashCrowd(crowd);
  });
}

/** Returns the crowd on its mesh saved and loaded. */
function reloaded(crowd: Crowd): Crowd {
  const { maxAgents, stepSeconds, filters } = crowd;
  const other = createCrowd(loadNavMesh(saveNavMesh(crowd.mesh)), { maxAgents, stepSeconds, filters });
  restoreCrowd(other, saveCrowd(crowd));
  expect(hashCrowd(other)).toBe(hashCrowd(crowd));
  return other;
}

function crowdOn(mesh: NavMesh, count: number, goal: number[], options: CrowdOptions = {}): Crowd {
  const crowd = createCrowd(mesh, { maxAgents: count, ...options });
  for (let i = 0; i < count; i++) addAgent(crowd, [0.5 + i, 0, 0.5], { radius: 0.2 });
  for (const id of listAgents(crowd)) moveAgentTo(crowd, id, goal as [number, number, number]);
  return crowd;
}

it('a path within one polygon does not take its cost from the last search of another crowd', () => {
  const near = (): Crowd => crowdOn(meshOf(gridTile(2, 2)), 1, [0.9, 0, 0.9]);
  const expected = trace(near(), 3);
  trace(crowdOn(meshOf(gridTile(9, 9)), 1, [8.5, 0, 8.5]), 3);
  const crowd = near();
  expect(trace(crowd, 3)).toEqual(expected);
  expect([crowd.corridors[0].corridor.cost, crowd.corridors[0].corridor.visitedCount]).toEqual([0, 1]);
});

it('an unreachable goal does not replace a record of an earlier mesh, whose dense indices name other polygons', () => {
  const mesh = meshOf(gridTile(6, 1));
  // The filter closes a polygon between the agent and its goal.
  setFlags(mesh, refOf(mesh, 3), 2);
  const crowd = crowdOn(mesh, 1, [5.5, 0, 0.5], { filters: [createFilter({ excludeFlags: 2 })] });
  const { unreachable } = crowd.searches;
  Object.assign(unreachable[2], { revision: mesh.revision - 1, filter: 0, goalPoly: 5, poly: 0 });
  const other = reloaded(crowd);
  expect(trace(other, 4)).toEqual(trace(crowd, 4));
  expect(unreachable.map(({ revision }) => revision === mesh.revision)).toEqual([true, false, false, false]);
});

it('a shared search that takes longer than fields are kept continues', () => {
  const crowd = crowdOn(meshOf(gridTile(40, 40)), 6, [39.5, 0, 39.5], { searchBudget: 1 });
  for (let tick = 0; tick < FIELD_TICKS + 20; tick++) stepCrowd(crowd);
  expect([crowd.searches.current.kind, crowd.searches.fields[0].expandedCount]).toEqual([
    SEARCH_FIELD,
    FIELD_TICKS + 20,
  ]);
  const other = reloaded(crowd);
  expect(other.searches.fields[0].expandedCount).toBe(FIELD_TICKS + 20);
  expect(trace(other, 5)).toEqual(trace(crowd, 5));
});

it('restoreCrowd refuses a search in progress that no tick can continue', () => {
  const crowd = crowdOn(meshOf(gridTile(12, 12)), 6, [11.5, 0, 11.5], { searchBudget: 3 });
  for (let tick = 0; tick < 3; tick++) stepCrowd(crowd);
  const { current } = crowd.searches;
  expect(current.kind).toBe(SEARCH_FIELD);
  const bytes = saveCrowd(crowd);
  for (const [changes, message] of [
    [{ kind: SEARCH_NEAR }, `searches.current.kind in the bytes is ${SEARCH_NEAR}`],
    [{ kind: SEARCH_NONE }, `searches.current.kind in the bytes is ${SEARCH_NONE}`],
    [{ field: -1 }, 'searches.current.field in the bytes is -1'],
    [{ field: 3 }, 'searches.current.field in the bytes is 3'],
    [{ goalPoly: 7 }, 'searches.current.field in the bytes is 0'],
  ] as const) {
    const known = { ...current };
    Object.assign(current, changes);
    const bad = saveCrowd(crowd);
    Object.assign(current, known);
    expect(() => restoreCrowd(crowd, bad)).toThrow(message);
  }
  // A* needs no field.
  Object.assign(current, { kind: SEARCH_CORRIDOR, field: -1 });
  crowd.searches.state.expandedCount = 2;
  restoreCrowd(crowd, saveCrowd(crowd));
  stepCrowd(crowd);
  restoreCrowd(crowd, bytes);
});

it('a lost agent forgets its walls with the mesh they belong to', () => {
  const mesh = tiledMesh();
  const tile = (x: number, n: number): Parameters<typeof addTile>[1] =>
    squaresTile(
      x,
      0,
      0,
      n,
      () => true,
      () => 0,
    );
  for (const x of [5, 0, 1]) addTile(mesh, tile(x, 3));
  // Leaves a hole in the pools, which the loaded mesh has not.
  removeTile(mesh, findTile(mesh, 5, 0, 0));
  const crowd = createCrowd(mesh, { maxAgents: 2, stepSeconds: 0.1 });
  const id = addAgent(crowd, [TILE + 2, 0, TILE / 2], { radius: 0.4, maxSpeed: 20, owner: 'user' });
  moveAgentTo(crowd, id, [0.5, 0, 0.5]);
  for (let tick = 0; tick < 3; tick++) stepCrowd(crowd);
  const { agents } = crowd;
  expect(agents.wallPoly[0]).toBeGreaterThanOrEqual(0);
  setAgentPosition(crowd, id, [500, 0, 500]);
  removeTile(mesh, findTile(mesh, 1, 0, 0));
  const other = reloaded(crowd);
  expect(trace(other, 2)).toEqual(trace(crowd, 2));
  expect(agents.state[0]).toBe(STATE_LOST);
  // Nearer to where its walls were found than it moves before they are found again; the border is a wall now.
  const readWalls = (): number[] => [...agents.walls.subarray(0, 4 * agents.wallCount[0])];
  expect(setAgentPosition(crowd, id, [TILE - 1, 0, TILE / 2])).toBe('accepted');
  stepCrowd(crowd);
  const walls = readWalls();
  setAgentOptions(crowd, id, { radius: 0.4 });
  stepCrowd(crowd);
  expect(walls).toEqual(readWalls());
});
