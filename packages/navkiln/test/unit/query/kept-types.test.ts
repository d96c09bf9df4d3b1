/** Agent types that a mesh of one agent keeps: 2D maps, surface meshes, plain bakes. */
import { describe, expect, it } from 'vitest';
import { createClearance } from '../../../src/query/clearance/create.ts';
import { findClearPath2d } from '../../../src/query/clearance/find.ts';
import { createCrowd } from '../../../src/agents/crowd/create.ts';
import { addAgent, getAgent } from '../../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../../src/agents/crowd/orders/orders.ts';
import { stepCrowd } from '../../../src/agents/crowd/step.ts';
import { addGapLinks } from '../../../src/build/links/gaps.ts';
import { addLink, getLink } from '../../../src/mesh/change/links.ts';
import { loadNavMesh } from '../../../src/mesh/file/load.ts';
import { mapToMesh } from '../../../src/mesh/map-plane.ts';
import { saveNavMesh } from '../../../src/mesh/file/save.ts';
import { addTile, removeTile } from '../../../src/mesh/change/tiles.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import { createAgentTypes, setAgentTypes, typeFilter } from '../../../src/query/agent-types.ts';
import { explainPath } from '../../../src/query/explain/explain.ts';
import { findPath2d } from '../../../src/query/map/path-2d.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { buildFromSurface } from '../../../src/build/surface/build.ts';
import { buildNavMesh } from '../../../src/build/voxel/build.ts';
import { createAgentSizes } from '../../../src/build/voxel/sizes/create.ts';
import { seeded, tileIn } from '../meshes.ts';
import { floor } from '../build/voxel/levels.ts';

type Ring = [number, number][];
const box = (x: number, y: number, w: number, h: number): Ring => [
  [x, y],
  [x + w, y],
  [x + w, y + h],
  [x, y + h],
];

/** Random ponds in a yard, as areas, and as obstacles. */
function yards(seed: number, tileSize: number) {
  const random = seeded(seed);
  const ponds = Array.from({ length: 12 }, () =>
    box(2 + random() * 70, 2 + random() * 40, 3 + random() * 20, 3 + random() * 14),
  );
  const polygons = [{ outline: box(0, 0, 100, 60) }];
  const areas = ponds.map((outline) => ({ name: 'pond', cost: 2, outline }));
  return {
    random,
    ponds,
    withAreas: buildFromPolygons({ polygons, areas }, { tileSize }),
    withObstacles: buildFromPolygons({ polygons, obstacles: ponds }, { tileSize }),
  };
}

describe('agent types of a 2D map', () => {
  it.each([
    [1, 0],
    [2, 0],
    [3, 25],
  ])('that close an area have the paths of a map where it is an obstacle, seed %i, tiles of %i', (seed, tileSize) => {
    const { random, ponds, withAreas, withObstacles } = yards(seed, tileSize);
    const [{ id }] = withAreas.areas;
    setAgentTypes(withAreas.navMesh, [
      { name: 'walker', closedAreas: [id] },
      { name: 'boat', areaCosts: { [id]: 0.5 } },
    ]);
    const mesh = loadNavMesh(saveNavMesh(withAreas.navMesh));
    expect(validateNavMesh(mesh)).toEqual([]);
    const types = createAgentTypes(mesh);
    expect(types.map(({ name, filter }) => [name, filter.areaCosts[id]])).toEqual([
      ['walker', Infinity],
      ['boat', 0.5],
    ]);
    const isDry = ([x, y]: [number, number]): boolean =>
      ponds.every(([[x0, y0], , [x1, y1]]) => x < x0 - 0.01 || x > x1 + 0.01 || y < y0 - 0.01 || y > y1 + 0.01);
    let found = 0;
    for (let i = 0; i < 150; i++) {
      const [a, b] = [0, 1].map((): [number, number] => [random() * 100, random() * 60]);
      if (!isDry(a) || !isDry(b)) continue;
      const path = findPath2d(mesh, a, b, { filter: typeFilter(types, 'walker') });
      const want = findPath2d(withObstacles.navMesh, a, b);
      expect(path.status, JSON.stringify([a, b])).toBe(want.status);
      if (want.status === 'complete') expect(path.length, JSON.stringify([a, b])).toBeCloseTo(want.length, 6);
      found++;
    }
    expect(found).toBeGreaterThan(20);
  });

  it('lead crowds, clearances and links, and are explained', () => {
    const { withAreas, ponds } = yards(1, 0);
    const { navMesh } = withAreas;
    const link = addLink(navMesh, {
      start: mapToMesh(navMesh, [1, 1]),
      end: mapToMesh(navMesh, [99, 59]),
      kind: 'jump',
    });
    setAgentTypes(navMesh, [
      { name: 'walker', closedAreas: [1], closedLinks: ['jump'] },
      { name: 'frog', areaCosts: { 1: 3 } },
    ]);
    expect(getLink(navMesh, link)!.sizes).toEqual(['walker', 'frog']);
    const types = createAgentTypes(navMesh);
    const way = (name: string): number =>
      findPath2d(navMesh, [1, 1], [99, 59], { mode: 'funnel', filter: typeFilter(types, name) }).points.length;
    expect([way('frog'), way('walker') > 2]).toEqual([2, true]);
    const [x, y] = ponds.at(-1)![0];
    const wet = mapToMesh(navMesh, [x + 1, y + 1]);
    const options = { filter: typeFilter(types, 'walker'), halfExtents: 0.1 };
    expect(explainPath(navMesh, wet, mapToMesh(navMesh, [1, 1]), options).message).toContain(
      'is in area 1, which is closed',
    );
    const clearance = createClearance(navMesh, { filter: typeFilter(types, 'walker') });
    const path = findClearPath2d(clearance, [1, 1], [99, 59], 0.5);
    expect(path.status).toBe('complete');
    const crowd = createCrowd(navMesh, { types });
    // Without a type, any radius is accepted, as on a map without types.
    const ids = [
      addAgent(crowd, mapToMesh(navMesh, [1, 30]), { type: 'walker', radius: 0.4, maxSpeed: 8 }),
      addAgent(crowd, mapToMesh(navMesh, [1, 30]), { radius: 0.6 }),
    ];
    expect(ids.every((id) => id !== 0)).toBe(true);
    moveAgentTo(crowd, ids[0], mapToMesh(navMesh, [99, 30]));
    for (let tick = 0; tick < 60 * 25; tick++) {
      stepCrowd(crowd);
      const { position } = getAgent(crowd, ids[0])!;
      const at = [position[0], -position[2]];
      for (const [[x0, y0], , [x1, y1]] of ponds)
        expect(at[0] > x0 + 0.01 && at[0] < x1 - 0.01 && at[1] > y0 + 0.01 && at[1] < y1 - 0.01).toBe(false);
    }
    expect(getAgent(crowd, ids[0])!.position[0]).toBeGreaterThan(98);
  });

  it('stay with tiles that are added again, and with gap links', () => {
    const river = buildFromPolygons(
      { polygons: [{ outline: box(0, 0, 9, 10) }, { outline: box(11, 0, 9, 10) }] },
      { tileSize: 10 },
    );
    const { navMesh } = river;
    setAgentTypes(navMesh, [{ name: 'walker', closedLinks: ['jump'] }, { name: 'frog' }]);
    const { added } = addGapLinks(navMesh, { maxDistance: 2.5 });
    expect(added).toBeGreaterThan(0);
    const status = (): string[] =>
      createAgentTypes(navMesh).map(({ filter }) => findPath2d(navMesh, [2, 5], [18, 5], { filter }).status);
    expect(status()).toEqual(['partial', 'complete']);
    const tile = tileIn(navMesh, 0);
    const { agent, cellSize, cellHeight, tileSize, origin } = navMesh;
    removeTile(navMesh, 0);
    addTile(navMesh, { ...tile, settings: { agent, cellSize, cellHeight, tileSize, origin: [...origin] } });
    expect(status()).toEqual(['partial', 'complete']);
    setAgentTypes(navMesh, []);
    expect([createAgentTypes(navMesh), validateNavMesh(navMesh)]).toEqual([[], []]);
    expect(findPath2d(navMesh, [2, 5], [18, 5]).status).toBe('complete');
  });
});

describe('agent types of other meshes', () => {
  it('are kept by surface meshes and bakes of one agent', () => {
    for (const { navMesh } of [buildFromSurface(floor(0, 0, 10, 10), {}), buildNavMesh(floor(0, 0, 10, 10), {})]) {
      setAgentTypes(navMesh, [{ name: 'a' }, { name: 'b', closedAreas: [63] }]);
      const types = createAgentTypes(loadNavMesh(saveNavMesh(navMesh)));
      const status = types.map(({ filter }) => findPath(navMesh, [2, 0, 2], [8, 0, 8], { filter }).status);
      expect(status).toEqual(['complete', 'none']);
      expect(findPath(navMesh, [2, 0, 2], [8, 0, 8], { size: 'b' }).size).toBe('b');
    }
  });

  it('are refused with the remedy', () => {
    const { navMesh } = buildFromSurface(floor(0, 0, 10, 10), {});
    const set =
      (...types: unknown[]) =>
      () =>
        setAgentTypes(navMesh, types as never);
    expect(set({ name: 'a', radius: 1 })).toThrow(
      'setAgentTypes: types[0].radius is 1; must be absent: types of this mesh have its agent',
    );
    expect(set({ name: 'a' }, { name: 'a' })).toThrow(/types\[1\]\.name is "a"; must be a name of its own/);
    expect(set({ name: 'a', closedAreas: [99] })).toThrow(/types\[0\]\.closedAreas\[0\] is 99/);
    expect(set(...Array.from({ length: 17 }, (_, i) => ({ name: `${i}` })))).toThrow(
      'types.length is 17; must be at most 16',
    );
    expect(navMesh.sizes).toEqual([]);
    const sizes = createAgentSizes([
      { name: 'human', radius: 0.4, height: 1.8 },
      { name: 'ogre', radius: 1, height: 1.8 },
    ]);
    const sized = buildNavMesh(floor(0, 0, 10, 10), { sizes }).navMesh;
    expect(() => setAgentTypes(sized, [{ name: 'a' }])).toThrow(
      /navMesh\.sizes is .*; must be empty; createAgentTypes takes a list/,
    );
  });
});
