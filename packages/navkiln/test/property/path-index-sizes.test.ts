/**
 * The path index of a mesh with sizes, compared with the search: on random floors with links, of all sizes and tiers, after changes and after
 * saving. NAVKILN_SIZES sets the number of further seeds from NAVKILN_SEED on.
 */
import { optionsFromSettings } from '../../src/build/voxel/settings.ts';
import { describe, expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../src/base/data/random.ts';
import type { Random } from '../../src/base/data/random.ts';
import { addLink, listLinks, setLinkEnabled } from '../../src/mesh/change/links.ts';
import { polyIndexOf, refOf } from '../../src/mesh/ref.ts';
import { addTile, removeTile } from '../../src/mesh/change/tiles.ts';
import type { NavMesh, TileData } from '../../src/mesh/types.ts';
import { buildPathIndex } from '../../src/query/index/build.ts';
import type { PathIndexOptions } from '../../src/query/index/build.ts';
import { findIndexedPath } from '../../src/query/index/find.ts';
import { matchOf } from '../../src/query/index/identity.ts';
import { loadPathIndex } from '../../src/query/index/file/load.ts';
import { createPathBatch, findDistances, findPaths } from '../../src/query/index/many.ts';
import { savePathIndex } from '../../src/query/index/file/save.ts';
import type { PathIndex } from '../../src/query/index/types.ts';
import { updatePathIndex } from '../../src/query/index/update.ts';
import { setFlags } from '../../src/query/area.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import type { BuildOptions } from '../../src/build/voxel/options.ts';
import { createAgentSizes } from '../../src/build/voxel/sizes/create.ts';
import { tileIn } from '../unit/meshes.ts';
import { randomOf, randomSizes, rooms } from './random-rooms.ts';

const MORE = Number(process.env.NAVKILN_SIZES ?? 0);
const FIRST = Number(process.env.NAVKILN_SEED ?? 1000);
const SEEDS = [7, 8, ...Array.from({ length: MORE }, (_, i) => FIRST + i)];
const PAIRS = MORE > 0 ? 60 : 15;
const EXACT = 1e-9;
const TIERS = [
  ['labels', 'overlay'],
  ['table', 'graph'],
  ['table', 'labels', 'graph', 'overlay'],
] as const;

function meshOfRooms(r: () => number): NavMesh {
  const level = rooms(r);
  const sizes = randomSizes(r);
  const options: BuildOptions = {
    cellSize: 0.1 + r() * 0.08,
    cellHeight: 0.08,
    ...optionsFromSettings({ partition: (['watershed', 'monotone', 'layers'] as const)[Math.floor(r() * 3)] }),
    bounds: { min: [-1, -0.5, -1], max: [level.width + 1, 3.9, level.depth + 1] },
    ...(r() < 0.6 ? { tileSize: 5 + r() * 8 } : {}),
  };
  return buildNavMesh(level, { ...options, agent: { maxClimb: 0.3 }, sizes: createAgentSizes(sizes) }).navMesh;
}

type Point = [number, number, number];

/** Returns a position that a random size may stand on, or that is anywhere on the mesh. */
function placeOn(mesh: NavMesh, random: Random): Point {
  const size = Math.floor(nextRandom(random) * mesh.sizes.length);
  const { point } = findRandomPoint(mesh, random, { filter: createFilter({ size }) });
  return Number.isNaN(point[0]) ? placeOn(mesh, random) : point;
}

/** Compares paths of all sizes with those of the search. Returns how many of each size the index has answered. */
function compare(index: PathIndex, mesh: NavMesh, random: Random, pairs: number, what: string): number[] {
  const answered = mesh.sizes.map(() => 0);
  const noFlag2 = createFilter({ excludeFlags: 2 });
  for (let i = 0; i < pairs; i++) {
    const [a, b] = [placeOn(mesh, random), placeOn(mesh, random)];
    for (const [place, { name, radius, height }] of mesh.sizes.entries()) {
      const size = i % 2 === 0 ? name : { radius: radius - 0.01, height };
      const filter = i % 4 === 3 ? noFlag2 : undefined;
      const options = { size, halfExtents: 0.8, filter };
      const want = findOptimalPath(mesh, a, b, options);
      const path = findIndexedPath(index, mesh, a, b, { ...options, withPolys: i % 3 === 0 });
      const where = `${what}, ${name}, ${JSON.stringify([a, b])}`;
      expect(path.status, where).toBe(want.status);
      expect(path.size, where).toBe(want.size);
      if (path.source === 'index') answered[place]++;
      if (path.exact && want.exact)
        expect(Math.abs(path.cost - want.cost), where).toBeLessThanOrEqual(EXACT * Math.max(1, want.cost));
      else expect(path.cost, where).toBeGreaterThanOrEqual(want.cost * (1 - EXACT) - EXACT);
      for (const ref of path.polys)
        expect((mesh.polySizes[polyIndexOf(mesh, ref)] >> place) & 1, `${where} fits`).toBe(1);
    }
  }
  return answered;
}

function countPolys({ polySizes, polyCount }: NavMesh, size: number): number {
  return polySizes.subarray(0, polyCount).filter((mask) => ((mask >> size) & 1) === 1).length;
}

function addRandomLinks(mesh: NavMesh, random: Random): void {
  for (let i = 0; i < 4; i++) {
    const [start, end] = [placeOn(mesh, random), placeOn(mesh, random)];
    const cost = [undefined, 12 * nextRandom(random), 0.5][i % 3];
    addLink(mesh, { start, end, bothWays: i % 2 === 0, flags: 1 + (i % 3), cost });
  }
}

function changeMesh(mesh: NavMesh, removed: TileData[], random: Random): void {
  const slot = Math.floor(nextRandom(random) * mesh.tileSlotCount);
  const links = listLinks(mesh);
  const kind = nextRandom(random);
  if (kind < 0.25) setLinkEnabled(mesh, links[Math.floor(nextRandom(random) * links.length)], nextRandom(random) < 0.5);
  else if (kind < 0.5 && removed.length > 0) addTile(mesh, removed.pop()!);
  else if (kind < 0.7 && mesh.tileState[slot] === 1 && mesh.tileSlotCount > removed.length + 2) {
    removed.push(tileIn(mesh, slot));
    removeTile(mesh, slot);
  } else {
    for (let i = 0; i < 3; i++)
      setFlags(mesh, refOf(mesh, Math.floor(nextRandom(random) * mesh.polyCount)), nextRandom(random) < 0.6 ? 0 : 1);
  }
}

describe('the path index of a mesh with sizes', () => {
  it.each(SEEDS)('finds the shortest paths of each size, seed %i', (seed) => {
    const r = randomOf(seed);
    const mesh = meshOfRooms(r);
    const random = createRandom(seed);
    if (r() < 0.5) addRandomLinks(mesh, random);
    for (const tier of TIERS[MORE > 0 ? 2 : seed % 2]) {
      const index = buildPathIndex(mesh, { tier });
      expect([index, ...index.others].map(({ size }) => size)).toEqual([...mesh.sizes.keys()]);
      const answered = compare(index, mesh, random, PAIRS, `seed ${seed}, ${tier}`);
      answered.forEach((count, size) => {
        // Polygons without area make the index search.
        const { doubts } = matchOf(size === 0 ? index : index.others[size - 1], mesh);
        if (countPolys(mesh, size) > mesh.polyCount / 4 && doubts.length === 0)
          expect(count, `${tier}, size ${size}`).toBeGreaterThan(0);
      });
      if (tier !== 'graph') continue;
      const loaded = loadPathIndex(savePathIndex(index), mesh);
      expect(savePathIndex(loaded)).toEqual(savePathIndex(index));
      compare(loaded, mesh, random, PAIRS / 5, `seed ${seed}, loaded`);
    }
  });

  it.each(SEEDS.slice(1))('stays right while the mesh changes, seed %i', (seed) => {
    const r = randomOf(seed + 500);
    const mesh = meshOfRooms(r);
    const random = createRandom(seed);
    addRandomLinks(mesh, random);
    const index = buildPathIndex(mesh);
    const removed: TileData[] = [];
    for (let k = 0; k < 4; k++) {
      changeMesh(mesh, removed, random);
      compare(index, mesh, random, PAIRS / 5, `seed ${seed}, change ${k}`);
      let slices = 0;
      while (!updatePathIndex(index, mesh, { maxCorners: 20 })) {
        if (slices++ % 20 === 0) compare(index, mesh, random, 1, `seed ${seed}, change ${k}, slice ${slices}`);
      }
      compare(index, mesh, random, PAIRS / 5, `seed ${seed}, update ${k}`);
      const fresh = buildPathIndex(mesh);
      const [a, b] = [placeOn(mesh, random), placeOn(mesh, random)];
      for (const { name: size } of mesh.sizes)
        expect(findIndexedPath(index, mesh, a, b, { size }).source).toBe(
          findIndexedPath(fresh, mesh, a, b, { size }).source,
        );
    }
  });
});

describe('a bake with sizes', () => {
  it.each([6011, 6022])('leaves no polygons without area, on which an index cannot rely, seed %i', (seed) => {
    const mesh = meshOfRooms(randomOf(seed));
    const index = buildPathIndex(mesh);
    expect(matchOf(index, mesh).doubts).toEqual([]);
    expect(compare(index, mesh, createRandom(seed), 5, `seed ${seed}`)[0]).toBeGreaterThan(0);
  });
});

describe('an index for some of the sizes', () => {
  const mesh = meshOfRooms(randomOf(7));
  const other = meshOfRooms(randomOf(9));
  const random = createRandom(1);
  const { name: last } = mesh.sizes.at(-1)!;
  const sizesOf = (options: PathIndexOptions): number[] => {
    const index = buildPathIndex(mesh, options);
    return [index, ...index.others].map(({ size }) => size);
  };

  it('leaves the others to the search', () => {
    expect(sizesOf({ sizes: [last, { radius: 0.01 }, last] })).toEqual([0, mesh.sizes.length - 1]);
    const index = buildPathIndex(mesh, { sizes: [last] });
    const answered = compare(index, mesh, random, 10, 'the last only');
    expect(answered.slice(0, -1).every((count) => count === 0)).toBe(true);
    expect(answered.at(-1)).toBeGreaterThan(0);
    expect(() => buildPathIndex(mesh, { sizes: ['giant'] })).toThrow('options.sizes[0] is "giant"');
    expect(() => buildPathIndex(mesh, { sizes: [] })).toThrow('options.sizes');
    expect(updatePathIndex(index, mesh)).toBe(true);
    expect(index.others).toEqual([]);
    expect(updatePathIndex(index, mesh, { sizes: mesh.sizes.map(({ name }) => name) })).toBe(true);
    expect(index.others.length).toBe(mesh.sizes.length - 1);
    compare(index, mesh, random, 10, 'sizes were added');
  });

  it('measures many paths as the search does', () => {
    const index = buildPathIndex(mesh);
    const places = Array.from({ length: 8 }, () => placeOn(mesh, random));
    for (const { name: size } of mesh.sizes) {
      const batch = createPathBatch();
      findPaths(
        batch,
        index,
        mesh,
        places.slice(1).flatMap((place) => [...places[0], ...place]),
        { size },
      );
      const { lengths } = findDistances(index, mesh, places[0], places.slice(1), { size });
      places.slice(1).forEach((place, i) => {
        const want = findOptimalPath(mesh, places[0], place, { size });
        expect(batch.status[i]).toBe({ complete: 2, partial: 1, none: 0 }[want.status]);
        expect(batch.planarLength[i]).toBeCloseTo(want.planarLength, 9);
        if (want.status === 'complete') expect(lengths[i]).toBeCloseTo(want.cost, 9);
        else expect(lengths[i]).toBe(Infinity);
      });
    }
  });

  it('of another mesh, or with sizes in another order, never gives a wrong path', () => {
    const index = buildPathIndex(mesh);
    compare(index, other, random, 10, 'another mesh');
    for (const part of [index, ...index.others]) part.size = mesh.sizes.length - 1 - part.size;
    compare(index, mesh, random, 20, 'sizes exchanged');
    expect(() => loadPathIndex(savePathIndex(buildPathIndex(mesh)), other)).toThrow();
    const bytes = savePathIndex(buildPathIndex(mesh));
    const first = new Uint32Array(bytes.buffer)[4] * 8;
    expect(() => loadPathIndex(bytes.slice(0, first), mesh)).toThrow('do not begin with "nkindex"');
    expect(() => loadPathIndex(bytes.slice(0, -8), mesh)).toThrow('cut off');
    expect(() => loadPathIndex(Uint8Array.from([...bytes, ...new Uint8Array(8)]), mesh)).toThrow('added to');
  });
});
