/** `keepReachable` as an option of bakes and worlds: a closed room beside an open one. */
import { dynamicLayers } from '../../../src/build/voxel/obstacles/baked-layers.ts';
import { describe, expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../../src/base/data/random.ts';
import { createAutoLinker } from '../../../src/build/links/linker.ts';
import { createWorldLinks } from '../../../src/build/links/world-links.ts';
import { listLinks } from '../../../src/mesh/change/links.ts';
import { saveNavMesh } from '../../../src/mesh/file/save.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { addTile, removeTile } from '../../../src/mesh/change/tiles.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import { createKeepReachable } from '../../../src/query/keep-reachable.ts';
import { findPath2d } from '../../../src/query/map/path-2d.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { checkPublication } from '../../../src/world/streaming/rows.ts';
import { buildFromSurface } from '../../../src/build/surface/build.ts';
import { bakeNavMesh, buildNavMesh, buildTile, prepareTiles } from '../../../src/build/voxel/build.ts';
import { buildNavMeshes } from '../../../src/build/voxel/build-many.ts';
import { createObstacles } from '../../../src/build/voxel/obstacles/create-obstacles.ts';
import type { BuildOptions, Obstacle } from '../../../src/build/voxel/options.ts';
import { closeBakePool, createBakePool } from '../../../src/world/worker/pool.ts';
import { bakeWorld } from '../../../src/world/levels/bake.ts';
import { createWorld, openWorld } from '../../../src/world/levels/create.ts';
import { addLevel } from '../../../src/world/levels/levels.ts';
import { addObstacle, removeObstacle } from '../../../src/world/levels/obstacles.ts';
import { createSurfaceWorld } from '../../../src/world/levels/surface.ts';
import { updateWorld } from '../../../src/world/levels/update.ts';
import { joinParts, slab } from '../base/data/parts.ts';

const OPEN: [number, number, number] = [5, 0, 5];
const CLOSED: [number, number, number] = [25, 0, 5];
const OPTIONS: BuildOptions = { agent: { radius: 0.3 } };
/** Two rooms of 10 by 10 units, 10 units apart. */
const rooms = joinParts([slab([0, -1, 0], [10, 0, 10]), slab([20, -1, 0], [30, 0, 10])]);
const hall = joinParts([slab([0, -1, 0], [24, 0, 24])]);

const listTileSlots = (mesh: NavMesh): number[] =>
  [...mesh.tileState.keys()].filter((slot) => slot < mesh.tileSlotCount && mesh.tileState[slot] === 1);

function standsAt(mesh: NavMesh, point: [number, number, number]): boolean {
  return findPath(mesh, point, point).status === 'complete';
}

describe('bakes with keepReachable', () => {
  it.each([0, 6])('leave out a closed room, here and with a pool, tile size %d', async (tileSize) => {
    const plain = { ...OPTIONS, tileSize };
    const options = { ...plain, keepReachable: createKeepReachable([OPEN]) };
    const expected = buildNavMesh(rooms, plain).navMesh;
    const polygons = expected.polyCount;
    createKeepReachable([OPEN]).prune(expected);
    const pool = createBakePool({ workers: 1 });
    for (const { navMesh, report } of [
      buildNavMesh(rooms, options),
      await bakeNavMesh(rooms, options),
      await bakeNavMesh(rooms, { ...options, pool }),
      ...buildNavMeshes(rooms, options, [{ name: 'one', radius: 0.3, height: 1.8 }]),
    ]) {
      expect(saveNavMesh(navMesh)).toEqual(saveNavMesh(expected));
      expect(standsAt(navMesh, OPEN)).toBe(true);
      expect(standsAt(navMesh, CLOSED)).toBe(false);
      const [note, ...others] = report.warnings;
      expect(others).toEqual([]);
      expect(note).toMatchObject({ code: 'unreachable-left-out', stage: 'reach' });
      expect(note!.count).toBeGreaterThan(0);
      expect(note!.count).toBeLessThan(polygons);
      expect(note!.area).toBeGreaterThan(80);
      expect(note!.area).toBeLessThan(100);
      expect(note!.message).toMatch(/polygons? of \d+(\.\d)? square units left out/);
    }
    closeBakePool(pool);
  });

  it('keep everything that a point leads to, silently and with strict', () => {
    const { navMesh, report } = buildNavMesh(rooms, {
      ...OPTIONS,
      strict: true,
      keepReachable: createKeepReachable([OPEN, CLOSED]),
    });
    expect(report.warnings).toEqual([]);
    expect(saveNavMesh(navMesh)).toEqual(saveNavMesh(buildNavMesh(rooms, OPTIONS).navMesh));
    const strict = { ...OPTIONS, strict: true, keepReachable: createKeepReachable([OPEN]) };
    expect(buildNavMesh(rooms, strict).report.warnings.map(({ code }) => code)).toEqual(['unreachable-left-out']);
  });

  it('leave out after automatic links, which lead to a room', () => {
    const near = joinParts([slab([0, -1, 0], [10, 0, 10]), slab([11, -1, 0], [20, 0, 10])]);
    const { navMesh, report } = buildNavMesh(near, {
      ...OPTIONS,
      autoLinks: createAutoLinker({ jump: {} }),
      keepReachable: createKeepReachable([OPEN]),
    });
    expect(report.warnings).toEqual([]);
    expect(findPath(navMesh, OPEN, [15, 0, 5]).status).toBe('complete');
  });

  it('report points off the mesh', () => {
    const bake = (points: [number, number, number][], strict: boolean = false) =>
      buildNavMesh(rooms, { ...OPTIONS, strict, keepReachable: createKeepReachable(points) }).report.warnings;
    const [one, note] = bake([OPEN, [15, 0, 5]]);
    expect(one).toMatchObject({ code: 'points-off-mesh', count: 1 });
    expect(one!.message).toContain(
      '1 point ([15, 0, 5]), and the others decide what is left out; move it onto the mesh',
    );
    expect(note!.code).toBe('unreachable-left-out');
    const [all, ...none] = bake([[15, 0, 5]]);
    expect(all!.message).toContain('and nothing is left out');
    expect(none).toEqual([]);
    expect(() => bake([[15, 0, 5]], true)).toThrow(/^buildNavMesh: keepReachable: no mesh .*\(points-off-mesh, 1\)/);
  });

  it('leave out surface', () => {
    const keepReachable = createKeepReachable([OPEN]);
    for (const tileSize of [0, 8]) {
      const { navMesh, report } = buildFromSurface(rooms, { tileSize, keepReachable });
      expect(standsAt(navMesh, OPEN)).toBe(true);
      expect(standsAt(navMesh, CLOSED)).toBe(false);
      expect(report.warnings.find(({ code }) => code === 'unreachable-left-out')!.area).toBeCloseTo(100, 3);
    }
  });

  it.each(['up', 'down'] as const)('leave out rooms of 2D maps, by points of the map, y %s', (yAxis) => {
    const room = (x: number): [number, number][] => [
      [x, 2],
      [x + 10, 2],
      [x + 10, 12],
      [x, 12],
    ];
    const map = { polygons: [{ outline: room(0) }, { outline: room(20) }], yAxis };
    for (const point of [[5, 7] as const, { x: 5, y: 7 }])
      for (const tileSize of [0, 8]) {
        const { meshes } = buildFromPolygons(map, {
          radii: [0, 0.5],
          tileSize,
          strict: true,
          keepReachable: createKeepReachable([point]),
        });
        for (const [k, { navMesh, report }] of meshes.entries()) {
          expect(findPath2d(navMesh, [1, 4], [9, 11]).status).toBe('complete');
          expect(findPath2d(navMesh, [21, 4], [29, 11], { halfExtents: 1 }).status).toBe('none');
          expect(report.warnings).toMatchObject([{ code: 'unreachable-left-out', stage: 'reach' }]);
          expect(report.warnings[0]!.area).toBeCloseTo(k === 0 ? 100 : 81, 3);
        }
      }
    const off = buildFromPolygons(map, { keepReachable: createKeepReachable([[15, 7]]) });
    expect(off.report.warnings[0]).toMatchObject({ code: 'points-off-mesh', count: 1 });
    expect(off.report.warnings[0]!.message).toContain('([15, 7])');
    expect(() => buildFromPolygons(map, { keepReachable: [[5, 7]] as never })).toThrow(/createKeepReachable/);
  });

  it('are no options of a single tile, which has no way in', () => {
    const keepReachable = createKeepReachable([OPEN]);
    const options = { ...OPTIONS, tileSize: 6 };
    expect(() => buildTile(rooms, { ...options, keepReachable }, 0, 0)).toThrow(
      /^buildTile: options\.keepReachable is .*; must be absent, .* restore\(mesh\) before tiles change, and its prune\(mesh\) after/,
    );
    expect(() => prepareTiles(rooms, { ...options, keepReachable })).toThrow(/^prepareTiles: options\.keepReachable/);
    // The remedy.
    const { navMesh } = buildNavMesh(rooms, { ...options, keepReachable });
    const expected = saveNavMesh(navMesh);
    keepReachable.restore(navMesh);
    for (const slot of listTileSlots(navMesh)) {
      const [x, z] = [navMesh.tileX[slot]!, navMesh.tileZ[slot]!];
      removeTile(navMesh, slot);
      addTile(navMesh, buildTile(rooms, options, x, z)!);
    }
    keepReachable.prune(navMesh);
    expect(standsAt(navMesh, OPEN)).toBe(true);
    expect(standsAt(navMesh, CLOSED)).toBe(false);
    expect(saveNavMesh(navMesh).length).toBe(expected.length);
  });

  it('refuse points without createKeepReachable, and dynamic meshes', () => {
    const keepReachable = [OPEN] as never;
    const remedy = /options\.keepReachable is .*; must be createKeepReachable\(\[\[x, y, z\]\]\)/;
    expect(() => buildNavMesh(rooms, { ...OPTIONS, keepReachable })).toThrow(remedy);
    expect(() => buildFromSurface(rooms, { keepReachable })).toThrow(remedy);
    expect(() => createWorld({ ...OPTIONS, tileSize: 6, keepReachable })).toThrow(remedy);
    expect(() => createSurfaceWorld({ tileSize: 6, keepReachable })).toThrow(remedy);
    const kept = createKeepReachable([OPEN]);
    expect(() => buildNavMesh(rooms, { ...OPTIONS, tileSize: 6, dynamic: dynamicLayers, keepReachable: kept })).toThrow(
      'options.dynamic is an object; must be absent, or set a tileSize and leave obstacles and keepReachable to worlds',
    );
    const store = { get: standsAt, set: standsAt, delete: standsAt, keys: standsAt } as never;
    expect(() => checkPublication('publishWorld', store, { tileSize: 6, keepReachable: kept })).toThrow(
      'options.keepReachable',
    );
    expect(() => createKeepReachable([])).toThrow('createKeepReachable: points.length is 0');
    expect(() => createKeepReachable([[0, NaN, 0]])).toThrow('createKeepReachable: points[0]');
  });
});

/** Refs depend on the order of changes, so meshes are compared by what they say about places. */
function flagsByPlace(mesh: NavMesh): string[] {
  const rows: string[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const start = mesh.tilePolyStart[slot];
    for (let poly = start; poly < start + mesh.tilePolyCount[slot]; poly++) {
      const edge = mesh.polyEdgeStart[poly]!;
      const corners = Array.from(mesh.edgeVertex.slice(edge, edge + 3));
      const place = corners.flatMap((v) => Array.from(mesh.vertices.slice(3 * v, 3 * v + 3)));
      rows.push(`${place.map((value) => value.toFixed(4)).join(' ')}: ${mesh.polyFlags[poly]}`);
    }
  }
  return rows.sort();
}

describe('worlds with keepReachable', () => {
  it.each([1, 2, 3, 4])('equal a fresh bake after random walls, seed %i', async (seed) => {
    const random = createRandom(seed);
    const between = (min: number, max: number): number => min + (max - min) * nextRandom(random);
    const bounds = { min: [0, -1, 0], max: [24, 3, 24] };
    const settings = { ...OPTIONS, tileSize: 6, bounds };
    const world = createWorld({ ...settings, keepReachable: createKeepReachable([[2, 0, 2]]) });
    addLevel(world, hall);
    const walls = new Map<number, Obstacle>();
    const pool = createBakePool({ workers: 1 });
    for (let step = 0; step < 8; step++) {
      if (walls.size > 2 && nextRandom(random) < 0.5) {
        const [id] = walls.keys();
        removeObstacle(world, id!);
        walls.delete(id!);
      } else {
        const size = nextRandom(random) < 0.5 ? [0.6, 3, 24] : [24, 3, 0.6];
        const at = between(4, 20);
        const wall: Obstacle = { type: 'box', size, position: size[0]! < 1 ? [at, 1, 12] : [12, 1, at] };
        walls.set(addObstacle(world, wall), wall);
      }
      if (step % 3 === 0) await bakeWorld(world, step % 2 === 0 ? { pool } : {});
      else if (step % 3 === 1) while (updateWorld(world, { maxTiles: 2 }).pendingTileCount > 0);
      else updateWorld(world);
      const fresh = buildNavMesh(hall, {
        ...settings,
        obstacles: createObstacles([...walls.values()]),
        keepReachable: createKeepReachable([[2, 0, 2]]),
      }).navMesh;
      expect(flagsByPlace(world.navMesh)).toEqual(flagsByPlace(fresh));
    }
    closeBakePool(pool);
  });

  it('report what is left out when it changes, and leave a mesh alone that has not changed', () => {
    const world = createWorld({ ...OPTIONS, tileSize: 6, keepReachable: createKeepReachable([OPEN]) });
    expect(updateWorld(world).warnings).toEqual([]);
    addLevel(world, rooms);
    const { warnings } = updateWorld(world);
    expect(warnings.map(({ code }) => code)).toEqual(['unreachable-left-out']);
    const { revision } = world.navMesh;
    expect(updateWorld(world).warnings).toEqual([]);
    expect(world.navMesh.revision).toBe(revision);
    const crate = addObstacle(world, { type: 'box', size: [1, 1, 1], position: [8, 0.5, 8] });
    expect(updateWorld(world).warnings).toEqual([]);
    removeObstacle(world, crate);
    expect(updateWorld(world).warnings).toEqual([]);
    expect(standsAt(world.navMesh, CLOSED)).toBe(false);
  });

  it('throw for points off the mesh when strict', () => {
    const keepReachable = createKeepReachable([[15, 0, 5]]);
    const world = createWorld({ ...OPTIONS, tileSize: 6, strict: true, keepReachable });
    addLevel(world, rooms);
    expect(() => updateWorld(world)).toThrow('updateWorld: keepReachable: no mesh is within two radii of 1 point');
  });

  it('keep what automatic links lead to, also in slices', async () => {
    const near = joinParts([slab([0, -1, 0], [10, 0, 10]), slab([11, -1, 0], [20, 0, 10])]);
    for (const way of ['whole', 'slices', 'bake'] as const) {
      const world = createWorld({
        ...OPTIONS,
        tileSize: 6,
        keepReachable: createKeepReachable([OPEN]),
        worldLinks: createWorldLinks({ jump: {} }),
      });
      addLevel(world, near);
      if (way === 'whole') updateWorld(world);
      else if (way === 'bake') await bakeWorld(world);
      else {
        let calls = 0;
        while (!updateWorld(world, { isTimeUp: () => calls++ % 2 === 1 }).areLinksCurrent);
        expect(calls).toBeGreaterThan(4);
      }
      expect(listLinks(world.navMesh).length).toBeGreaterThan(0);
      expect(findPath(world.navMesh, OPEN, [15, 0, 5]).status).toBe('complete');
    }
  });

  it('work for surface worlds and opened meshes', () => {
    const surface = createSurfaceWorld({ tileSize: 8, keepReachable: createKeepReachable([OPEN]) });
    addLevel(surface, rooms);
    const { navMesh } = buildNavMesh(rooms, { ...OPTIONS, tileSize: 6, dynamic: dynamicLayers });
    const opened = openWorld(navMesh, { keepReachable: createKeepReachable([OPEN]) });
    for (const world of [surface, opened]) {
      updateWorld(world);
      expect(standsAt(world.navMesh, OPEN)).toBe(true);
      expect(standsAt(world.navMesh, CLOSED)).toBe(false);
    }
    const wall = addObstacle(opened, { type: 'box', size: [1, 4, 12], position: [7, 1, 5] });
    updateWorld(opened);
    expect(standsAt(opened.navMesh, [9, 0, 5])).toBe(false);
    removeObstacle(opened, wall);
    updateWorld(opened);
    expect(standsAt(opened.navMesh, [9, 0, 5])).toBe(true);
    expect(standsAt(opened.navMesh, CLOSED)).toBe(false);
  });
});
