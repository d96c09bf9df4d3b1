/** Agents of several sizes on one mesh with sizes: crowds, characters, corridors, filters, saved crowds. */
import { describe, expect, it } from 'vitest';
import { followPath } from '../../../../src/agents/corridor/follow.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { addAgent, getAgent, setAgentOptions } from '../../../../src/agents/crowd/orders/agents.ts';
import { setCrowdFilter } from '../../../../src/agents/crowd/orders/filter.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { listCrowdWarnings } from '../../../../src/agents/crowd/orders/warnings.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../../../src/agents/crowd/save/save.ts';
import { agentOptionsOf } from '../../../../src/agents/crowd/state/options.ts';
import type { AgentId, Crowd } from '../../../../src/agents/crowd/state/types.ts';
import { agentSlotOf } from '../../../../src/agents/crowd/state/ids.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { polyIndexOf } from '../../../../src/mesh/ref.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { trackSizeIslands } from '../../../../src/query/track-sizes.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { createAgentSizes } from '../../../../src/build/voxel/sizes/create.ts';
import {
  addCharacter,
  createCharacters,
  setCharacterOptions,
} from '../../../../src/agents/characters/body/characters.ts';
import { TWO_ROOMS, floor, join } from '../../build/voxel/levels.ts';

const sizes = createAgentSizes([
  { name: 'human', radius: 0.5, height: 1.8 },
  { name: 'ogre', radius: 1.25, height: 3 },
]);
const { navMesh: mesh } = buildNavMesh(TWO_ROOMS, { cellSize: 0.25, cellHeight: 0.2, sizes });
const WEST = [4, 0, 2] as const;
const EAST = [14, 0, 2] as const;

/** Returns whether the agent stands on a polygon on which its size fits. */
function isOnOwnGround(crowd: Crowd, id: AgentId, bit: number): boolean {
  const { ref } = getAgent(crowd, id)!;
  return ((crowd.mesh.polySizes[polyIndexOf(crowd.mesh, ref)] >> bit) & 1) === 1;
}

/** Steps until both agents rest. Returns how far south each has come. */
function walk(crowd: Crowd, ids: readonly AgentId[], bits: readonly number[]): number[] {
  const south = ids.map(() => 0);
  for (let tick = 0; tick < 60 * 40; tick++) {
    stepCrowd(crowd);
    ids.forEach((id, i) => {
      expect(isOnOwnGround(crowd, id, bits[i])).toBe(true);
      south[i] = Math.max(south[i], getAgent(crowd, id)!.position[2]);
    });
    if (ids.every((id) => getAgent(crowd, id)!.status === 'arrived')) break;
  }
  return south;
}

describe('a crowd on a mesh with sizes', () => {
  it('leads an agent that does not fit through a passage next to its goal, when islands of sizes are tracked', () => {
    const rooms = join(floor(0, 0, 8, 8), floor(8, 1, 10, 3), floor(10, 0, 18, 8));
    const split = buildNavMesh(rooms, { cellSize: 0.25, cellHeight: 0.2, sizes }).navMesh;
    trackSizeIslands(split);
    const crowd = createCrowd(split);
    const [human, ogre] = ['human', 'ogre'].map((size, i) => addAgent(crowd, [4, 0, 3 + 3 * i], { size }));
    for (const id of [human, ogre]) moveAgentTo(crowd, id, EAST);
    const path = findPath(split, [4, 0, 6], EAST, { size: 'ogre' });
    expect(path).toMatchObject({ status: 'partial', reason: 'unreachable' });
    stepCrowd(crowd);
    // Without a search for the goal, the path is known at once.
    expect(getAgent(crowd, ogre)!.isPartial).toBe(true);
    for (let tick = 0; tick < 600; tick++) stepCrowd(crowd);
    expect(getAgent(crowd, human)!.status).toBe('arrived');
    const { position } = getAgent(crowd, ogre)!;
    expect(Math.hypot(position[0] - path.points.at(-1)![0], position[2] - path.points.at(-1)![2])).toBeLessThan(0.5);
  });

  it('leads each agent where its size fits, past others', () => {
    const crowd = createCrowd(mesh);
    const human = addAgent(crowd, WEST, { size: 'human', maxSpeed: 3 });
    const ogre = addAgent(crowd, [5, 0, 6], { size: 'ogre', maxSpeed: 3 });
    const second = addAgent(crowd, EAST, { radius: 1, height: 2, maxSpeed: 3 });
    expect([human, ogre, second].map((id) => getAgent(crowd, id)!.radius)).toEqual([0.5, 1.25, 1]);
    expect(listCrowdWarnings(crowd)).toEqual([]);
    for (const [id, goal] of [
      [human, EAST],
      [ogre, [14, 0, 6]],
      [second, WEST],
    ] as const) {
      expect(moveAgentTo(crowd, id, goal)).toBe('accepted');
    }
    const south = walk(crowd, [human, ogre, second], [0, 1, 1]);
    expect([human, ogre, second].map((id) => getAgent(crowd, id)!.status)).toEqual(['arrived', 'arrived', 'arrived']);
    expect(south[0]).toBeLessThan(8);
    expect([south[1] > 9, south[2] > 9]).toEqual([true, true]);
  });

  it('takes the size of the body, and refuses one that is too large', () => {
    const crowd = createCrowd(mesh);
    const id = addAgent(crowd, WEST, { radius: 0.5, height: 1.8 });
    const sizeOf = (): unknown => agentOptionsOf(crowd, agentSlotOf(crowd, id)).size;
    expect(sizeOf()).toBe('human');
    setAgentOptions(crowd, id, { radius: 0.7 });
    expect(sizeOf()).toBe('ogre');
    setAgentOptions(crowd, id, { maxSpeed: 1 });
    expect(sizeOf()).toBe('ogre');
    setAgentOptions(crowd, id, { size: 'human' });
    expect([sizeOf(), getAgent(crowd, id)!.radius]).toEqual(['human', 0.7]);
    expect(listCrowdWarnings(crowd).map(({ code }) => code)).toEqual(['wider-than-mesh']);
    expect(() => addAgent(crowd, WEST, { radius: 2 })).toThrow(
      'addAgent: options.radius is 2; must be with height 1.8 within one of mesh.sizes: human (0.5, 1.8), ogre (1.25, 3); or give a size',
    );
    expect(() => addAgent(crowd, WEST, { size: 'rat' })).toThrow(/options\.size is "rat"; must be or fit into/);
    expect(addAgent(crowd, WEST, { radius: 2, avoidOnly: true })).not.toBe(0);
  });

  it('has its filters for each size', () => {
    const careful = createFilter({ areaCosts: { 5: 9 } });
    const crowd = createCrowd(mesh, { filters: [createFilter(), careful] });
    const id = addAgent(crowd, WEST, { size: 'ogre', filter: 1 });
    const { filter } = agentOptionsOf(crowd, agentSlotOf(crowd, id));
    expect(filter).toBe(1);
    expect(crowd.filters.map((one) => [one.areaCosts[5], one.size])).toEqual([
      [1, 0],
      [9, 0],
      [1, 1],
      [9, 1],
    ]);
    setCrowdFilter(crowd, 1, createFilter({ areaCosts: { 5: 3 } }));
    expect(crowd.filters.map((one) => one.areaCosts[5])).toEqual([1, 3, 1, 3]);
    expect(() => setCrowdFilter(crowd, 2, careful)).toThrow(/one of the crowd's 2 filters/);
    expect(() => createCrowd(mesh, { filters: Array.from({ length: 129 }, () => careful) })).toThrow(/at most 256/);
  });

  it('is saved and continues in the same way', () => {
    const crowd = createCrowd(mesh);
    for (const [at, size] of [
      [WEST, 'ogre'],
      [[5, 0, 6], 'human'],
    ] as const) {
      moveAgentTo(crowd, addAgent(crowd, at, { size }), EAST);
    }
    for (let tick = 0; tick < 60; tick++) stepCrowd(crowd);
    const again = createCrowd(mesh);
    restoreCrowd(again, saveCrowd(crowd));
    for (let tick = 0; tick < 60; tick++) for (const one of [crowd, again]) stepCrowd(one);
    expect(hashCrowd(again)).toBe(hashCrowd(crowd));
  });

  it('gives characters their size', () => {
    const set = createCharacters(createCrowd(mesh));
    const [human, ogre] = ['human', 'ogre'].map((size) => addCharacter(set, WEST, { size }));
    setCharacterOptions(set, ogre, { walkSpeed: 2 });
    expect(agentOptionsOf(set.crowd, agentSlotOf(set.crowd, ogre)).size).toBe('ogre');
    const near = [...WEST] as [number, number, number];
    near[0] = 7.3;
    const edge = addCharacter(set, near, { size: 'ogre' });
    expect([human, ogre].map((id) => getAgent(set.crowd, id)!.radius)).toEqual([0.5, 1.25]);
    expect(isOnOwnGround(set.crowd, ogre, 1)).toBe(true);
    expect(getAgent(set.crowd, edge)).not.toBeNull();
  });
});

describe('a corridor on a mesh with sizes', () => {
  it('leads where the size fits', () => {
    const polysOf = (size: string): number[] => {
      const { corridor } = followPath(mesh, WEST, EAST, { size }).corridor;
      return Array.from(corridor.polys.subarray(0, corridor.count));
    };
    expect(polysOf('human').some((poly) => mesh.polySizes[poly] === 1)).toBe(true);
    expect(polysOf('ogre').length).toBeGreaterThan(3);
    expect(polysOf('ogre').every((poly) => mesh.polySizes[poly] === 3)).toBe(true);
  });
});
