/**
 * Named areas that are enabled and disabled at random, on the doors of a house of nine rooms, in one tile and in several, and on random
 * 2D maps.
 *
 * Oracles: which rooms the open doors connect (a union-find over rooms); a filter that passes everything but the closed polygons, on a
 * copy of the mesh with all doors open; and a bake whose volumes cut the closed doors away.
 */
import { layersPartition } from '../../src/build/voxel/regions/layers.ts';
import { monotonePartition } from '../../src/build/voxel/regions/monotone.ts';
import { createVolumes } from '../../src/build/voxel/volumes.ts';
import { describe, expect, it } from 'vitest';
import { isEnabled, listNames, setEnabled } from '../../src/mesh/change/enable.ts';
import { areOnOneIsland, refreshIslands } from '../../src/mesh/islands.ts';
import { loadNavMesh } from '../../src/mesh/file/load.ts';
import { groupOfPoly } from '../../src/mesh/named.ts';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import { saveNavMesh } from '../../src/mesh/file/save.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { buildPathIndex } from '../../src/query/index/build.ts';
import { findIndexedPath } from '../../src/query/index/find.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import type { QueryFilter } from '../../src/query/filter.ts';
import { findReachable } from '../../src/query/flood/reachable.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { createRandom } from '../../src/base/data/random.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { raycast } from '../../src/query/ray/raycast.ts';
import { moveAlongSurface } from '../../src/query/walk/slide.ts';
import { findDistanceToWall } from '../../src/query/walk/wall.ts';
import { explainPath } from '../../src/query/explain/explain.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { createObstacles } from '../../src/build/voxel/obstacles/create-obstacles.ts';
import type { AreaVolume, BuildOptions } from '../../src/build/voxel/options.ts';
import { seeded } from '../unit/meshes.ts';
import { box, union } from '../unit/world/levels/level-cases.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

const FIRST_SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const ROOM = 6;
const ROOMS = 3;
const OPTIONS: BuildOptions = { agent: { radius: 0.4, height: 1.8 }, cellSize: 0.2, cellHeight: 0.1 };

/** A door between rooms a and b, around its middle. */
interface Door {
  name: string;
  rooms: [number, number];
  volume: AreaVolume & { type: 'box' };
}

/** A house of 3 x 3 rooms of 6 x 6, and its twelve doors, 2 wide and 0.8 deep. */
function house(): { input: ReturnType<typeof union>; doors: Door[] } {
  const side = ROOM * ROOMS;
  const pieces = [{ piece: box(side, 0.2, side), placement: { position: [0, -0.2, 0] } }];
  const doors: Door[] = [];
  for (let a = 0; a < ROOMS * ROOMS; a++) {
    const [x, z] = [a % ROOMS, Math.floor(a / ROOMS)];
    for (const axis of [0, 1]) {
      if ((axis === 0 ? x : z) === ROOMS - 1) continue;
      const at = ROOM * ((axis === 0 ? x : z) + 1);
      const along = ROOM * (axis === 0 ? z : x);
      for (const start of [0, ROOM / 2 + 1]) {
        const length = ROOM / 2 - 1;
        const piece = axis === 0 ? box(0.3, 2, length) : box(length, 2, 0.3);
        const position = axis === 0 ? [at - 0.15, 0, along + start] : [along + start, 0, at - 0.15];
        pieces.push({ piece, placement: { position } });
      }
      const [low, high] = [along + ROOM / 2 - 1, along + ROOM / 2 + 1];
      const min = axis === 0 ? [at - 0.4, -1, low] : [low, -1, at - 0.4];
      const max = axis === 0 ? [at + 0.4, 1, high] : [high, 1, at + 0.4];
      const rooms: [number, number] = [a, axis === 0 ? a + 1 : a + ROOMS];
      doors.push({
        name: `door ${rooms.join('-')}`,
        rooms,
        volume: { type: 'box', name: `door ${rooms.join('-')}`, min, max },
      });
    }
  }
  return { input: union(pieces), doors };
}

const middleOf = (room: number): [number, number, number] => [
  ROOM * ((room % ROOMS) + 0.5),
  0,
  ROOM * (Math.floor(room / ROOMS) + 0.5),
];

/** Returns the least room of each room's group, by the open doors. */
function groupRooms(doors: readonly Door[], isOpen: (name: string) => boolean): number[] {
  const group = Array.from({ length: ROOMS * ROOMS }, (_, room) => room);
  for (let pass = 0; pass < group.length; pass++) {
    for (const { name, rooms } of doors) {
      if (!isOpen(name)) continue;
      const least = Math.min(...rooms.map((room) => group[room]!));
      for (const room of rooms) group[room] = least;
    }
  }
  return group;
}

/** A filter for the mesh with all names enabled that passes what `mesh` has open. */
function without(mesh: NavMesh): QueryFilter {
  return createFilter({
    passes: (open, poly) => groupOfPoly(open, poly) === undefined || isEnabled(mesh, groupOfPoly(open, poly)!.name),
  });
}

function toggle(mesh: NavMesh, random: () => number): void {
  const names = listNames(mesh);
  for (let i = 0; i < 3; i++) {
    const name = names[Math.floor(random() * names.length)]!;
    setEnabled(mesh, name, random() < 0.4);
  }
}

/** Compares all queries with those of an open copy under a filter that excludes what is closed. */
function compareQueries(mesh: NavMesh, open: NavMesh, random: () => number, what: string): void {
  const filter = without(mesh);
  const halfExtents = [0.5, 2, 0.5];
  const place = (): [number, number, number] => [18 * random(), 0, 18 * random()];
  const [a, b] = [place(), place()];
  expect(findNearest(mesh, a, { halfExtents }), what).toEqual(findNearest(open, a, { halfExtents, filter }));
  const path = findPath(mesh, a, b, { halfExtents });
  const other = findPath(open, a, b, { halfExtents, filter });
  expect(path.status, what).toBe(other.status);
  if (path.status === 'complete') expect(path, what).toEqual(other);
  const exact = findOptimalPath(mesh, a, b, { halfExtents });
  const otherExact = findOptimalPath(open, a, b, { halfExtents, filter });
  expect(exact.status, what).toBe(otherExact.status);
  if (exact.status === 'complete') expect(exact.length, what).toBeCloseTo(otherExact.length, 9);
  expect(raycast(mesh, a, b), what).toEqual(raycast(open, a, b, { filter }));
  expect(moveAlongSurface(mesh, a, b), what).toEqual(moveAlongSurface(open, a, b, { filter }));
  expect(findDistanceToWall(mesh, a, 5), what).toEqual(findDistanceToWall(open, a, 5, { filter }));
  const reached = findReachable(mesh, a, { maxDistance: 12 });
  const otherReached = findReachable(open, a, { maxDistance: 12, filter });
  expect(reached.polys, what).toEqual(otherReached.polys);
  const seed = Math.floor(1e6 * random());
  expect(findRandomPoint(mesh, createRandom(seed)), what).toEqual(
    findRandomPoint(open, createRandom(seed), { filter }),
  );
}

describe.each([
  ['one tile', { ...OPTIONS }],
  ['tiles, with doors across their borders', { ...OPTIONS, tileSize: 4.6 }],
  ['monotone regions', { ...OPTIONS, partition: monotonePartition }],
  ['layers', { ...OPTIONS, partition: layersPartition, tileSize: 9 }],
])('doors of a house, %s', (_, options) => {
  const { input, doors } = house();
  const volumes = doors.map(({ volume }) => volume);
  const { navMesh: open } = buildNavMesh(input, { ...options, volumes: createVolumes(volumes) });

  it('has polygons of its own for each door, which end at the outline', () => {
    expect(validateNavMesh(open)).toEqual([]);
    expect(listNames(open).length).toBe(12);
    const random = seeded(FIRST_SEED);
    // A simplified outline differs from the cells by maxEdgeError, a cell from the volume by half its side.
    const margin = 1.3 * 0.2 + 0.1 + 1e-6;
    let inside = 0;
    for (let i = 0; i < 4000; i++) {
      const {
        rooms,
        volume: { min, max },
      } = doors[i % 12]!;
      const point = [0, 1, 2].map((k) => (k === 1 ? 0 : min[k]! - 1 + random() * (max[k]! - min[k]! + 2)));
      const { ref } = findNearest(open, point, { halfExtents: [0.001, 1, 0.001] });
      const poly = polyIndexOf(open, ref);
      if (poly < 0) continue;
      const depth = Math.min(...[0, 2].flatMap((k) => [point[k]! - min[k]!, max[k]! - point[k]!]));
      const name = groupOfPoly(open, poly)?.name;
      if (depth > margin) expect(name, point.join()).toBe(`door ${rooms.join('-')}`);
      if (depth < -margin) expect(name, point.join()).not.toBe(`door ${rooms.join('-')}`);
      if (depth > margin) inside++;
    }
    expect(inside).toBeGreaterThan(25);
    for (let poly = 0; poly < open.polyCount; poly++) expect(open.polyArea[poly]).toBe(63);
  });

  it.each(Array.from({ length: IS_FULL ? 3 : 1 }, (__, k) => FIRST_SEED + k))(
    'agree with all oracles, seed %i',
    (seed) => {
      const random = seeded(seed);
      let mesh = structuredClone(open);
      const index = buildPathIndex(mesh, { tier: 'graph' } as never);
      const counts = { complete: 0, blocked: 0 };
      for (let round = 0; round < 25; round++) {
        const what = `seed ${seed}, round ${round}`;
        toggle(mesh, random);
        expect(validateNavMesh(mesh), what).toEqual([]);
        const groups = groupRooms(doors, (name) => isEnabled(mesh, name));
        const [from, to] = [0, 1].map(() => Math.floor(random() * ROOMS * ROOMS)) as [number, number];
        const [a, b] = [middleOf(from), middleOf(to)];
        const path = findPath(mesh, a, b);
        const isOpen = groups[from] === groups[to];
        expect(path.status, what).toBe(isOpen ? 'complete' : 'partial');
        const indexed = findIndexedPath(index, mesh, a, b);
        expect(indexed.status, what).toBe(path.status);
        if (isOpen) {
          counts.complete++;
          expect(indexed.length, what).toBeCloseTo(findOptimalPath(mesh, a, b).length, 9);
        } else {
          counts.blocked++;
          const { cause, block } = explainPath(mesh, a, b);
          expect([cause, isEnabled(mesh, block!.name)], what).toEqual(['disabled', false]);
        }
        refreshIslands(mesh);
        const polys = [a, b].map((point) => polyIndexOf(mesh, findNearest(mesh, point).ref));
        expect(areOnOneIsland(mesh, polys[0]!, polys[1]!), what).toBe(isOpen ? 1 : 0);
        for (let i = 0; i < 4; i++) compareQueries(mesh, open, random, what);
        if (round % 8 === 7) {
          const saved = saveNavMesh(mesh);
          const again = loadNavMesh(saved.slice());
          expect(validateNavMesh(again), what).toEqual([]);
          expect(saveNavMesh(again), what).toEqual(saved);
          for (const name of listNames(mesh)) expect(isEnabled(again, name), what).toBe(isEnabled(mesh, name));
          mesh = again;
        }
      }
      expect(Math.min(counts.complete, counts.blocked)).toBeGreaterThan(3);
      for (const name of listNames(mesh)) setEnabled(mesh, name, true);
      expect(saveNavMesh(mesh)).toEqual(saveNavMesh(open));
    },
  );

  it('reach what a bake reaches whose volumes cut the closed doors away', () => {
    const random = seeded(FIRST_SEED);
    const mesh = structuredClone(open);
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 3; i++) toggle(mesh, random);
      const cut = doors.map(({ name, volume }) =>
        isEnabled(mesh, name) ? volume : { ...volume, name: undefined, area: 0 },
      );
      const { navMesh: removed } = buildNavMesh(input, { ...options, volumes: createVolumes(cut) });
      for (let from = 0; from < ROOMS * ROOMS; from++) {
        for (let to = 0; to < from; to++) {
          const ours = findOptimalPath(mesh, middleOf(from), middleOf(to));
          const theirs = findOptimalPath(removed, middleOf(from), middleOf(to));
          expect(ours.status).toBe(theirs.status);
          // Outlines may differ by maxEdgeError at each corner.
          if (ours.status === 'complete') expect(Math.abs(ours.length - theirs.length)).toBeLessThan(1);
        }
      }
    }
  });
});

it('keeps names under areas that are set later, and areas under names', () => {
  const floor = { positions: [0, 0, 0, 0, 0, 10, 10, 0, 10, 10, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
  const { navMesh } = buildNavMesh(floor, {
    ...OPTIONS,
    volumes: createVolumes([
      { type: 'box', area: 5, min: [0, -1, 0], max: [5, 1, 10] },
      { type: 'box', name: 'gate', min: [4, -1, 4], max: [6, 1, 6] },
      { type: 'box', area: 7, min: [0, -1, 5], max: [10, 1, 10] },
    ]),
    obstacles: createObstacles([
      { type: 'box', effect: 'area', area: 9, size: [0.8, 1, 0.8], position: [5.5, 0, 5.5] },
    ]),
  });
  const at = (x: number, z: number): unknown[] => {
    const poly = polyIndexOf(navMesh, findNearest(navMesh, [x, 0, z]).ref);
    return [navMesh.polyArea[poly], groupOfPoly(navMesh, poly)?.name];
  };
  expect([at(4.4, 4.4), at(5.6, 4.4), at(4.4, 5.6), at(5.5, 5.5)]).toEqual([
    [5, 'gate'],
    [63, 'gate'],
    [7, 'gate'],
    [9, 'gate'],
  ]);
  expect(at(2, 2)).toEqual([5, undefined]);
});

it('counts the pairs of a tile, and refuses more than 192', () => {
  const floor = { positions: [0, 0, 0, 0, 0, 40, 40, 0, 40, 40, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
  const volumes = Array.from({ length: 193 }, (_, i): AreaVolume => {
    const [x, z] = [1 + 2.5 * (i % 15), 1 + 2.5 * Math.floor(i / 15)];
    return { type: 'box', name: `n${i}`, min: [x, -1, z], max: [x + 1, 1, z + 1] };
  });
  expect(() => buildNavMesh(floor, { ...OPTIONS, volumes: createVolumes(volumes) })).toThrow(
    'more than 192 pairs of name and area in one tile',
  );
  const { navMesh } = buildNavMesh(floor, { ...OPTIONS, volumes: createVolumes(volumes), tileSize: 20 });
  expect(new Set(navMesh.polyGroup.values()).size).toBe(193);
  expect(validateNavMesh(navMesh)).toEqual([]);
});

describe('areas of 2D maps', () => {
  it.each(IS_FULL ? [1, 2, 3] : [1])('close at their outlines, in one tile and in several, seed %i', (seed) => {
    const random = seeded(seed);
    const ring = (x: number, y: number, w: number, h: number): [number, number][] => [
      [x, y],
      [x + w, y],
      [x + w, y + h],
      [x, y + h],
    ];
    const areas = Array.from({ length: 6 }, (_, i) => ({
      name: ['mud', 'ice', 'door'][i % 3]!,
      outline: ring(20 * random(), 20 * random(), 1 + 8 * random(), 1 + 8 * random()),
    }));
    const map = { polygons: [{ outline: ring(0, 0, 30, 30) }], areas };
    for (const tileSize of [0, 7]) {
      const { navMesh: open } = buildFromPolygons(map, { tileSize });
      const mesh = structuredClone(open);
      for (let round = 0; round < 8; round++) {
        for (const name of listNames(mesh)) setEnabled(mesh, name, random() < 0.5);
        const what = `seed ${seed}, tileSize ${tileSize}, round ${round}`;
        expect(validateNavMesh(mesh), what).toEqual([]);
        for (let i = 0; i < 20; i++) {
          const [x, y] = [30 * random(), 30 * random()];
          const owner = areas
            .filter(({ outline: [[x0, y0], , [x1, y1]] }) => x > x0 && x < x1 && y > y0 && y < y1)
            .at(-1);
          const { ref } = findNearest(mesh, [x, 0, -y], { halfExtents: [0, 1, 0] });
          expect(ref === 0, `${what}, ${x}, ${y}`).toBe(owner !== undefined && !isEnabled(mesh, owner.name));
        }
        const filter = without(mesh);
        const [a, b] = [0, 1].map(() => [30 * random(), 0, -30 * random()]) as [number[], number[]];
        const ours = findPath(mesh, a, b);
        const theirs = findPath(open, a, b, { filter });
        expect(ours.status, what).toBe(theirs.status);
        if (ours.status === 'complete') expect(ours, what).toEqual(theirs);
      }
    }
  });
});
