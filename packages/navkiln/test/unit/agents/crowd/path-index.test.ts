/** Crowds and characters with a path index: shortest paths, none that is stale, the same future after a restore. */
import { describe, expect, it } from 'vitest';
import { buildNavMesh } from '../../../../src/entries/build.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { addAgent, getAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { agentSlotOf } from '../../../../src/agents/crowd/state/ids.ts';
import type { AgentId, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { createRandom } from '../../../../src/base/data/random.ts';
import { addLink } from '../../../../src/mesh/change/links.ts';
import { removeTile } from '../../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { buildPathIndex } from '../../../../src/query/index/build.ts';
import type { PathIndex } from '../../../../src/query/index/types.ts';
import { updatePathIndex } from '../../../../src/query/index/update.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { indexedCorridor } from '../../../../src/query/path/indexed-corridor.ts';
import { findOptimalPath } from '../../../../src/query/optimal/optimal.ts';
import { pullString } from '../../../../src/query/path/funnel.ts';
import { createPathLine } from '../../../../src/query/path/path-line.ts';
import { findRandomPoint } from '../../../../src/query/random/random-point.ts';
import { createAgentSizes } from '../../../../src/build/voxel/sizes/create.ts';
import { findLevelScene } from 'navkiln-scenes';

const scene = findLevelScene('tower');
const baked = buildNavMesh(scene.create(), { ...scene.options, tileSize: 48 * scene.options.cellSize! }).navMesh;
const line = createPathLine();

/** A crowd whose agents have goals all over the mesh, after one tick, in which all get a path. */
function crowdOn(mesh: NavMesh, pathIndex: PathIndex | undefined): { crowd: Crowd; ids: AgentId[] } {
  const crowd = createCrowd(mesh, { maxAgents: 60, searchBudget: 1e6, pathIndex });
  const random = createRandom(3);
  const place = (): [number, number, number] => findRandomPoint(mesh, random)!.point;
  const ids = Array.from({ length: 60 }, () => addAgent(crowd, place(), { avoidance: 'none' }));
  for (const id of ids) moveAgentTo(crowd, id, place());
  return { crowd, ids };
}

/** Returns the length of an agent's path, seen from above, with the costs of its links. */
function pathLength(crowd: Crowd, id: AgentId): number {
  const { corridor, position, target } = crowd.corridors[agentSlotOf(crowd, id)];
  pullString(line, crowd.mesh, corridor, position, target);
  let length = 0;
  for (let i = 1; i < line.count; i++) {
    const dx = line.points[3 * i] - line.points[3 * i - 3];
    const dz = line.points[3 * i + 2] - line.points[3 * i - 1];
    length += Math.sqrt(dx * dx + dz * dz);
  }
  return length;
}

describe('a crowd with a path index', () => {
  it('gives its agents the shortest paths', () => {
    const mesh = structuredClone(baked);
    const plain = crowdOn(mesh, undefined);
    const indexed = crowdOn(mesh, buildPathIndex(mesh));
    const starts = indexed.ids.map((id) => getAgent(indexed.crowd, id)!.position);
    let shorter = 0;
    stepCrowd(plain.crowd);
    stepCrowd(indexed.crowd);
    indexed.ids.forEach((id, i) => {
      const want = findOptimalPath(mesh, starts[i], getAgent(indexed.crowd, id)!.goal!);
      if (want.status !== 'complete') return;
      const length = pathLength(indexed.crowd, id);
      // The first step has been made.
      expect(length, `agent ${i}`).toBeLessThanOrEqual(want.planarLength + 1e-6);
      expect(length).toBeGreaterThan(want.planarLength - 1);
      if (length < pathLength(plain.crowd, plain.ids[i]) - 0.05) shorter++;
    });
    expect(shorter).toBeGreaterThan(5);
  });

  it('gives agents of every size the shortest paths, on a mesh with sizes', () => {
    const sizes = createAgentSizes([0.4, 0.8].map((radius, i) => ({ name: `size ${i}`, radius, height: 1.8 })));
    const mesh = buildNavMesh(scene.create(), { ...scene.options, cellSize: 0.2, sizes }).navMesh;
    const index = buildPathIndex(mesh);
    const crowd = createCrowd(mesh, { maxAgents: 20, searchBudget: 1e6, pathIndex: index });
    const random = createRandom(4);
    const filter = createFilter({ size: 1 });
    const place = (): [number, number, number] => findRandomPoint(mesh, random, { filter }).point;
    const ids = Array.from({ length: 20 }, (_, i) =>
      addAgent(crowd, place(), { avoidance: 'none', size: `size ${i % 2}` }),
    );
    for (const id of ids) moveAgentTo(crowd, id, place());
    const starts = ids.map((id) => getAgent(crowd, id)!.position);
    const { find } = indexedCorridor;
    const asked = [0, 0];
    indexedCorridor.find = (...query) => {
      const isFound = find!(...query);
      if (isFound) asked[query[3].size!]++;
      return isFound;
    };
    stepCrowd(crowd);
    indexedCorridor.find = find;
    expect(Math.min(...asked)).toBeGreaterThan(2);
    ids.forEach((id, i) => {
      const want = findOptimalPath(mesh, starts[i], getAgent(crowd, id)!.goal!, { size: `size ${i % 2}` });
      if (want.status !== 'complete') return;
      expect(pathLength(crowd, id), `agent ${i}`).toBeLessThanOrEqual(want.planarLength + 1e-6);
    });
  });

  it('refuses an index from another thread before it is updated here', () => {
    const index = structuredClone(buildPathIndex(baked));
    const { find } = indexedCorridor;
    try {
      indexedCorridor.find = undefined;
      expect(() => createCrowd(baked, { pathIndex: index })).toThrow('use updatePathIndex');
      expect(updatePathIndex(index, baked)).toBe(true);
      expect(indexedCorridor.find).toBe(find);
      expect(createCrowd(baked, { pathIndex: index }).pathIndex).toBe(index);
    } finally {
      indexedCorridor.find = find;
    }
  });

  it('takes links, follows changes of the mesh, and never an outdated index', () => {
    const mesh = structuredClone(baked);
    const random = createRandom(5);
    const place = (): [number, number, number] => findRandomPoint(mesh, random)!.point;
    for (let i = 0; i < 4; i++) addLink(mesh, { start: place(), end: place(), bothWays: true, cost: 1 });
    const index = buildPathIndex(mesh);
    for (const isUpdated of [false, true]) {
      removeTile(mesh, mesh.polyTile[0]);
      addLink(mesh, { start: place(), end: place(), bothWays: true, cost: 1 });
      if (isUpdated) updatePathIndex(index, mesh);
      const plain = crowdOn(mesh, undefined);
      const { crowd, ids } = crowdOn(mesh, index);
      stepCrowd(plain.crowd);
      stepCrowd(crowd);
      let same = 0;
      ids.forEach((id, i) => {
        const { corridor } = crowd.corridors[agentSlotOf(crowd, id)];
        const other = plain.crowd.corridors[agentSlotOf(plain.crowd, plain.ids[i])].corridor;
        expect(corridor.polys[corridor.count - 1]).toBe(other.polys[other.count - 1]);
        if (corridor.count === other.count && corridor.polys.every((poly, k) => poly === other.polys[k])) same++;
      });
      // With an outdated index, paths are searched, except for straight lines.
      if (!isUpdated) expect(same).toBe(ids.length);
      else expect(same).toBeLessThan(ids.length);
    }
  });

  it('continues from a save as the saved crowd does, and searches where areas cost', () => {
    const mesh = structuredClone(baked);
    const index = buildPathIndex(mesh);
    const { crowd } = crowdOn(mesh, index);
    crowd.searchBudget = 60;
    for (let t = 0; t < 5; t++) stepCrowd(crowd);
    const bytes = saveCrowd(crowd);
    const other = createCrowd(mesh, { maxAgents: 60, pathIndex: structuredClone(index) });
    restoreCrowd(other, bytes);
    expect(other.pathIndex).toEqual(index);
    for (let t = 0; t < 40; t++) {
      stepCrowd(crowd);
      stepCrowd(other);
    }
    expect(hashCrowd(other)).toBe(hashCrowd(crowd));
    const filters = [createFilter({ areaCosts: { 5: 3 } })];
    const uneven = createCrowd(mesh, { filters, pathIndex: index });
    const id = addAgent(uneven, findRandomPoint(mesh, createRandom(1))!.point);
    moveAgentTo(uneven, id, findRandomPoint(mesh, createRandom(2))!.point);
    stepCrowd(uneven);
    expect(uneven.searchCount).toBe(1);
    expect(() => createCrowd(mesh, { pathIndex: 5 as never })).toThrow('options.pathIndex is 5; must be a PathIndex');
  });
});
