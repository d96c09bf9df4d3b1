/** Agent types: a size, costs of areas, closed areas and links; in queries, corridors, crowds, characters and explanations. */
import { createLinks } from '../../../src/build/voxel/link-list.ts';
import { createVolumes } from '../../../src/build/voxel/volumes.ts';
import { describe, expect, it } from 'vitest';
import { followPath } from '../../../src/agents/corridor/follow.ts';
import { createCrowd } from '../../../src/agents/crowd/create.ts';
import { addAgent, getAgent, setAgentOptions } from '../../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../../src/agents/crowd/orders/orders.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../../src/agents/crowd/save/save.ts';
import { agentSlotOf } from '../../../src/agents/crowd/state/ids.ts';
import { agentOptionsOf } from '../../../src/agents/crowd/state/options.ts';
import { stepCrowd } from '../../../src/agents/crowd/step.ts';
import { loadNavMesh } from '../../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../../src/mesh/file/save.ts';
import { createAgentTypes, typeFilter } from '../../../src/query/agent-types.ts';
import { explainPath } from '../../../src/query/explain/explain.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { buildNavMesh } from '../../../src/build/voxel/build.ts';
import { createAgentSizes } from '../../../src/build/voxel/sizes/create.ts';
import { addCharacter, createCharacters, setCharacterOptions } from '../../../src/agents/characters/body/characters.ts';
import { TWO_ROOMS, floor, join } from '../build/voxel/levels.ts';

const WATER = 5;
const JUMP = 6;
const WEST = [4, 0, 2] as const;
const EAST = [14, 0, 2] as const;
const ISLAND = [23, 0, 4] as const;

/** Two rooms; a passage of 2 between them, half of it water; a way around of 4; and an island that only a link reaches. */
const level = join(TWO_ROOMS, floor(20, 0, 26, 8));
const sizes = createAgentSizes([
  { name: 'human', radius: 0.5, height: 1.8 },
  { name: 'clean', radius: 0.5, height: 1.8, areaCosts: { [WATER]: 50 } },
  { name: 'cat', radius: 0.5, height: 1.8, closedAreas: [WATER, JUMP] },
  { name: 'guard', radius: 0.5, height: 1.8, excludeFlags: 4 },
  { name: 'ogre', radius: 1.25, height: 3, closedLinks: ['jump'] },
]);
const { navMesh: mesh } = buildNavMesh(level, {
  cellSize: 0.25,
  cellHeight: 0.2,
  sizes,
  volumes: createVolumes([{ type: 'box', min: [8.5, -1, 0], max: [9.5, 1, 4], area: WATER }]),
  links: createLinks([
    { start: [17, 0, 4], end: [21.5, 0, 4], area: JUMP, flags: 4, kind: 'jump', bothWays: true, radius: 1 },
  ]),
});
const types = createAgentTypes(mesh);
const lengthOf = (name: string): number => findPath(mesh, WEST, EAST, { filter: typeFilter(types, name) }).length;

describe('agent types', () => {
  it('are the sizes of a mesh with their rules', () => {
    expect(types.map(({ name, filter }) => [name, filter.size, filter.areaCosts[WATER], filter.excludeFlags])).toEqual([
      ['human', 0, 1, 0],
      ['clean', 1, 50, 0],
      ['cat', 2, Infinity, 0],
      ['guard', 3, 1, 4],
      ['ogre', 4, 1, 0],
    ]);
    expect(types.map(({ filter }) => filter.closedLinks)).toEqual([0, 0, 0, 0, 16]);
    const loaded = loadNavMesh(saveNavMesh(mesh));
    expect(loaded.sizes).toEqual(mesh.sizes);
    expect(createAgentTypes(loaded)).toEqual(types);
    expect(createAgentTypes(buildNavMesh(level, {}).navMesh)).toEqual([]);
  });

  it('take their own paths', () => {
    expect(lengthOf('human')).toBeCloseTo(10, 1);
    for (const name of ['clean', 'cat', 'ogre']) expect(lengthOf(name), name).toBeGreaterThan(25);
    const island = ['human', 'clean', 'cat', 'guard', 'ogre'].map(
      (name) => findPath(mesh, WEST, ISLAND, { filter: typeFilter(types, name) }).status,
    );
    expect(island).toEqual(['complete', 'complete', 'partial', 'partial', 'partial']);
    expect(findPath(mesh, WEST, EAST, { filter: typeFilter(types, 'ogre') }).size).toBe('ogre');
    const follower = followPath(mesh, WEST, EAST, { filter: typeFilter(types, 'cat') });
    expect(follower).not.toBeNull();
  });

  it('may be given for a mesh, also for one without sizes', () => {
    const own = createAgentTypes(mesh, [
      { name: 'troll', size: 'ogre' },
      { name: 'wolf', size: { radius: 0.6, height: 1 } },
      { name: 'cat', areaCosts: { [WATER]: 2 } },
      { name: 'ghost' },
    ]);
    expect(own.map(({ filter }) => [filter.size, filter.areaCosts[WATER]])).toEqual([
      [4, 1],
      [4, 1],
      [2, 2],
      [0, 1],
    ]);
    const plain = buildNavMesh(level, { agent: { radius: 0.5 } }).navMesh;
    const [dry] = createAgentTypes(plain, [{ name: 'dry', closedAreas: [63] }]);
    expect(findPath(plain, WEST, EAST, { filter: dry.filter }).reason).toBe('start-off-mesh');
  });

  it('are refused with the known ones', () => {
    expect(() => typeFilter(types, 'ogr')).toThrow(
      'typeFilter: name is "ogr"; must be a type: "human", "clean", "cat", "guard", "ogre"',
    );
    expect(() => typeFilter([], 'ogre')).toThrow(/a type: there are none/);
    const make =
      (...list: unknown[]) =>
      () =>
        createAgentTypes(mesh, list as never);
    expect(make({ name: '' })).toThrow(/types\[0\]\.name is ""/);
    expect(make({ name: 'a' }, { name: 'a' })).toThrow(/types\[1\]\.name is "a"; must be a name of its own/);
    expect(make({ name: 'a', size: 'rat' })).toThrow(/createAgentTypes: types\[0\]\.size is "rat"; must be or fit/);
    expect(make({ name: 'a', closedArea: [1] })).toThrow(/types\[0\]\.closedArea is unknown/);
    expect(make({ name: 'a', closedAreas: [0] })).toThrow(/types\[0\]\.closedAreas\[0\] is 0; must be an area id/);
    expect(make({ name: 'a', areaCosts: { 5: Infinity } })).toThrow(/closedAreas closes an area/);
    expect(make({ name: 'a', closedLinks: ['jmp'] })).toThrow(
      'types[0].closedLinks[0] is "jmp"; must be one of other, drop, climb, vault, jump',
    );
    expect(make({ name: 'a', closedLinks: 'jump' })).toThrow(TypeError);
    expect(make(null)).toThrow(TypeError);
    const damaged = structuredClone(mesh);
    damaged.sizes[1].rules = [0xffff, 0, 99, 3];
    const wrongKinds = structuredClone(mesh);
    wrongKinds.sizes[1].rules = [0xffff, 0, 0, 32];
    expect(() => createAgentTypes(wrongKinds)).toThrow(/navMesh\.sizes\[1\]\.closedLinks\[0\] is 32/);
    expect(() => createAgentTypes(damaged)).toThrow(/a key of navMesh\.sizes\[1\]\.areaCosts is "99"/);
  });
});

describe('a crowd with agent types', () => {
  it('leads agents by their types', () => {
    const crowd = createCrowd(mesh, { types });
    const ids = ['human', 'cat', 'ogre'].map((type) => addAgent(crowd, [4, 0, 4], { type, maxSpeed: 4 }));
    expect(ids.map((id) => getAgent(crowd, id)!.radius)).toEqual([0.5, 0.5, 1.25]);
    for (const id of ids) moveAgentTo(crowd, id, [14, 0, 5]);
    const south = ids.map(() => 0);
    for (let tick = 0; tick < 60 * 30; tick++) {
      stepCrowd(crowd);
      ids.forEach((id, i) => (south[i] = Math.max(south[i], getAgent(crowd, id)!.position[2])));
    }
    expect(south.map((z) => z > 9)).toEqual([false, true, true]);
    expect(ids.map((id) => getAgent(crowd, id)!.position[0] > 11)).toEqual([true, true, true]);
  });

  it('changes and saves types', () => {
    const crowd = createCrowd(mesh, { types });
    const id = addAgent(crowd, WEST, { type: 'cat' });
    const optionsOf = (): unknown[] => {
      const { type, filter, size } = agentOptionsOf(crowd, agentSlotOf(crowd, id));
      return [type, filter, size];
    };
    expect(optionsOf()).toEqual(['cat', undefined, undefined]);
    setAgentOptions(crowd, id, { maxSpeed: 1 });
    expect(optionsOf()).toEqual(['cat', undefined, undefined]);
    setAgentOptions(crowd, id, { type: 'clean' });
    expect(optionsOf()).toEqual(['clean', undefined, undefined]);
    setAgentOptions(crowd, id, { size: 'human' });
    expect(optionsOf()).toEqual([undefined, 0, 'human']);
    setAgentOptions(crowd, id, { type: 'cat' });
    moveAgentTo(crowd, id, EAST);
    for (let tick = 0; tick < 60; tick++) stepCrowd(crowd);
    const again = createCrowd(mesh, { types });
    restoreCrowd(again, saveCrowd(crowd));
    for (const one of [crowd, again]) for (let tick = 0; tick < 200; tick++) stepCrowd(one);
    expect(hashCrowd(again)).toBe(hashCrowd(crowd));
    expect(() => restoreCrowd(createCrowd(mesh), saveCrowd(crowd))).toThrow(/restoreCrowd/);
  });

  it('refuses unknown types, and options that a type has', () => {
    const crowd = createCrowd(mesh, { types });
    const add = (options: object) => () => addAgent(crowd, WEST, options);
    expect(add({ type: 'rat' })).toThrow('addAgent: options.type is "rat"; must be a type: "human", "clean", "cat"');
    expect(add({ type: 'cat', size: 'ogre' })).toThrow(/options\.size is "ogre"; must be absent with a type/);
    expect(add({ type: 'cat', filter: 0 })).toThrow(/options\.filter is 0; must be absent with a type/);
    expect(() => addAgent(createCrowd(mesh), WEST, { type: 'cat' })).toThrow(/a type: there are none/);
    const make = (given: unknown) => () => createCrowd(mesh, { types: given as never });
    expect(make([{ name: 'a' }])).toThrow(/options\.types\[0\]\.filter/);
    expect(make({})).toThrow(/options\.types/);
    const plain = buildNavMesh(level, {}).navMesh;
    expect(() => createCrowd(plain, { types })).toThrow(/options\.types\[1\]\.filter\.size is 1; must be a size of/);
  });

  it('has characters with types', () => {
    const set = createCharacters(createCrowd(mesh, { types }));
    const id = addCharacter(set, [4, 0, 4], { type: 'ogre' });
    const optionsOf = (): unknown[] => {
      const { type, radius, size } = agentOptionsOf(set.crowd, agentSlotOf(set.crowd, id));
      return [type, radius, size];
    };
    expect(optionsOf()).toEqual(['ogre', 1.25, undefined]);
    setCharacterOptions(set, id, { walkSpeed: 1 });
    expect(optionsOf()).toEqual(['ogre', 1.25, undefined]);
    setCharacterOptions(set, id, { type: 'human', radius: 0.5 });
    expect(optionsOf()).toEqual(['human', 0.5, undefined]);
    expect(() => addCharacter(set, WEST, { type: 'rat' })).toThrow(/addCharacter: options\.type is "rat"/);
  });
});

describe('explainPath for a type', () => {
  const explain = (name: string, from: readonly number[], to: readonly number[]): string => {
    const options = { filter: typeFilter(types, name), halfExtents: [0.1, 1, 0.1] as const };
    return explainPath(mesh, from as never, to as never, options).message;
  };
  it('names what is closed to it', () => {
    expect(explain('cat', WEST, ISLAND)).toContain(
      'The route takes the link with user id 0 of area 6 at [17, 0.2, 4], which is closed to this agent (areaCosts[6] is Infinity).',
    );
    const high = [21.5, 0, 1] as const;
    expect(explain('guard', high, ISLAND)).toContain('The path is complete');
    const tall = createAgentTypes(mesh, [{ name: 'cart', size: 'human', closedLinks: ['jump'] }]);
    expect(explainPath(mesh, WEST, ISLAND, { filter: typeFilter(tall, 'cart') }).message).toContain(
      'The route takes the jump with user id 0 at [17, 0.2, 4], which is closed to this agent (closedLinks has "jump").',
    );
    expect(explain('guard', WEST, ISLAND)).toContain('which the filter excludes (excludeFlags 0x4).');
    expect(explain('cat', [9, 0, 2], EAST)).toBe(
      'The start is in area 5, which is closed to this agent (areaCosts[5] is Infinity).',
    );
    const walled = createAgentTypes(mesh, [{ name: 'dry', size: 'human', closedAreas: [WATER, 63] }]);
    expect(explainPath(mesh, WEST, EAST, { filter: typeFilter(walled, 'dry') }).message).toContain('in area 63');
  });

  it('names the size that does not fit before other rules', () => {
    const options = { filter: typeFilter(types, 'ogre'), halfExtents: [0.1, 1, 0.1] as const };
    const { cause, message } = explainPath(mesh, [9, 0, 2], EAST, options);
    expect([cause, message]).toEqual(['start-filtered', expect.stringMatching(/"ogre" does not: it needs 2.5/)]);
  });
});
