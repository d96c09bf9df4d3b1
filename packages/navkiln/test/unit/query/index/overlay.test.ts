/**
 * The overlay of a path index, on a mesh of two levels of cells and on tiled scenes: its paths are paths, nearly the shortest, and the
 * index survives slices, files and changes of the mesh.
 */
import { describe, expect, it } from 'vitest';
import { buildFromSurface, buildNavMesh } from '../../../../src/entries/build.ts';
import { fileChecksum } from '../../../../src/mesh/file/file-format.ts';
import { addLink, getLink, listLinks, setLinkEnabled } from '../../../../src/mesh/change/links.ts';
import { polyIndexOf, refOf } from '../../../../src/mesh/ref.ts';
import { removeTile } from '../../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { buildPathIndex, continuePathIndex, startPathIndex } from '../../../../src/query/index/build.ts';
import { pathIndexBytes } from '../../../../src/query/index/file/bytes.ts';
import {
  FIRST_COUNT,
  INDEX_CHECKSUM_WORD,
  INDEX_HEADER_BYTES,
  SECTIONS,
} from '../../../../src/query/index/file/file-format.ts';
import {
  createIndexedBuffer,
  createIndexedState,
  findIndexedPath,
  findIndexedPathInto,
} from '../../../../src/query/index/find.ts';
import type { IndexedPath } from '../../../../src/query/index/find.ts';
import { loadPathIndex } from '../../../../src/query/index/file/load.ts';
import { savePathIndex } from '../../../../src/query/index/file/save.ts';
import type { PathIndex } from '../../../../src/query/index/types.ts';
import { updatePathIndex } from '../../../../src/query/index/update.ts';
import { setFlags } from '../../../../src/query/area.ts';
import { findNearest } from '../../../../src/query/nearest/nearest.ts';
import { findOptimalPath } from '../../../../src/query/optimal/optimal.ts';
import { NO_CROSSING, findCrossing } from '../../../../src/query/path/corridor.ts';
import { createPathQuery, readPathQuery } from '../../../../src/query/path/find-path.ts';
import { raycast } from '../../../../src/query/ray/raycast.ts';
import { findLevelScene } from 'navkiln-scenes';
import { expectNoAllocation } from '../../../allocation.ts';
import { gridTile, meshOf, seeded } from '../../meshes.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const SIDE = 150;

type Point = [number, number, number];

/** A field of squares with blocks of several sizes. */
function field(side: number = SIDE): NavMesh {
  const random = seeded(SEED);
  const isClosed = new Uint8Array(side * side);
  for (let i = 0; i < (side * side) / 60; i++) {
    const size = 1 + Math.floor(7 * random() ** 3);
    const [x, z] = [random(), random()].map((v) => Math.floor(v * (side - size)));
    for (let k = 0; k < size * size; k++) isClosed[(z + Math.floor(k / size)) * side + x + (k % size)] = 1;
  }
  return meshOf(gridTile(side, side, (x, z) => isClosed[z * side + x] === 0));
}

/**
 * A triangulated field. Vertices are moved so far sideways (`spread`, units) that some triangles are flipped, and their neighbors overlap.
 * Moved up and down, too (`rise`), these are one above the other.
 */
function folded(side: number, seed: number, spread: number, rise: number, tileSize: number): NavMesh {
  const random = seeded(seed);
  const positions: number[] = [];
  const indices: number[] = [];
  for (let z = 0; z <= side; z++) {
    for (let x = 0; x <= side; x++) {
      positions.push(x + spread * (random() - 0.5), rise * random(), z + spread * (random() - 0.5));
    }
  }
  for (let z = 0; z < side; z++) {
    for (let x = 0; x < side; x++) {
      const a = z * (side + 1) + x;
      if (random() < 0.95) indices.push(a, a + side + 1, a + 1, a + 1, a + side + 1, a + side + 2);
    }
  }
  // Clearance removes surface that coincides.
  return buildFromSurface({ positions, indices }, { agent: { radius: 0 }, clearance: rise > 0, tileSize }).navMesh;
}

function placesOn(mesh: NavMesh, count: number): Point[] {
  const random = seeded(SEED + 1);
  return Array.from({ length: count }, () => {
    const poly = Math.floor(random() * mesh.polyCount);
    const first = mesh.polyEdgeStart[poly];
    const weights = Array.from({ length: mesh.polyVertexCount[poly] }, () => random() + 0.01);
    const sum = weights.reduce((a, b) => a + b);
    const point: Point = [0, 0, 0];
    weights.forEach((weight, i) => {
      for (let k = 0; k < 3; k++) point[k] += (weight / sum) * mesh.vertices[3 * mesh.edgeVertex[first + i] + k];
    });
    return point;
  });
}

/** A field that rivers divide, with links over them and elsewhere, some cheap, some one-way. */
function rivers(random: () => number, isMutual: boolean, side: number): NavMesh {
  const linkCount = Math.floor((2 * side) / 3);
  const isWater = (z: number): boolean => z % 23 === 20;
  const mesh = meshOf(gridTile(side, side, (_, z) => !isWater(z) && random() < 0.97));
  for (let i = 0; listLinks(mesh).length < linkCount; i++) {
    const x = Math.floor(side * random()) + 0.5;
    const river = i % 3 === 2 ? -1 : 20 + 23 * Math.floor((random() * side) / 23);
    const start: Point = [x, 0, river < 0 ? side * random() : river - 0.5];
    const end: Point = river < 0 ? [side * random(), 0, side * random()] : [x + 2 * random() - 1, 0, river + 1.5];
    const length = Math.hypot(start[0] - end[0], start[2] - end[2]);
    const cost = [undefined, 0.6 * length, 3 * length][Math.floor(3 * random())];
    const isOneWay = !isMutual && random() < 0.5;
    const isForth = random() < 0.5;
    if (polyAt(mesh, start) < 0 || polyAt(mesh, end) < 0) continue;
    addLink(mesh, { start: isForth ? start : end, end: isForth ? end : start, bothWays: !isOneWay, cost });
  }
  return mesh;
}

function polyAt(mesh: NavMesh, point: Point): number {
  const { ref } = findNearest(mesh, point, { halfExtents: [1e-3, 1, 1e-3] });
  return ref === 0 ? -1 : polyIndexOf(mesh, ref);
}

/** Counts the links in a path. */
function linksOf(mesh: NavMesh, path: IndexedPath): number {
  let count = 0;
  for (let k = 1; k < path.polys.length; k++) {
    const [a, b] = [polyIndexOf(mesh, path.polys[k - 1]), polyIndexOf(mesh, path.polys[k])];
    if (findCrossing(mesh, a, b) === NO_CROSSING) count++;
  }
  return count;
}

/** Asserts that a path leads from polygon to polygon by edges and open links, and that its cost is that of its points and links. */
function expectWalk(mesh: NavMesh, path: IndexedPath, name: string): void {
  const polys = path.polys.map((ref) => polyIndexOf(mesh, ref));
  const tolls: number[] = [];
  for (let k = 1; k < polys.length; k++) {
    if (findCrossing(mesh, polys[k - 1], polys[k]) !== NO_CROSSING) continue;
    const ways = listLinks(mesh)
      .map((ref) => getLink(mesh, ref)!)
      .filter((link) => link.enabled)
      .flatMap(({ start: [start], end: [end], startPoly, endPoly, bothWays, cost }) => {
        const length = cost >= 0 ? cost : Math.hypot(start[0] - end[0], start[2] - end[2]);
        const forth = { from: startPoly, to: endPoly, length };
        return bothWays ? [forth, { from: endPoly, to: startPoly, length }] : [forth];
      })
      .filter(({ from, to }) => from === path.polys[k - 1] && to === path.polys[k]);
    expect(ways.length, `${name}, polygon ${k}`).toBeGreaterThan(0);
    tolls.push(Math.min(...ways.map(({ length }) => length)));
  }
  const toll = tolls.reduce((a, b) => a + b, 0);
  expect(path.cost, name).toBeGreaterThanOrEqual(path.planarLength + toll - 1e-9);
  expect(path.points.length, name).toBeGreaterThan(1);
}

const OPTIONS = { halfExtents: [0.2, 2, 0.2], withPolys: true };

/** Compares paths of the index with the shortest ones. Returns their excess lengths in increasing order. */
function excessOf(index: PathIndex, mesh: NavMesh, places: readonly Point[]): number[] {
  const excess: number[] = [];
  for (let i = 0; i + 1 < places.length; i += 2) {
    const name = `seed ${SEED}, pair ${i}`;
    const [a, b] = [places[i], places[i + 1]];
    const want = findOptimalPath(mesh, a, b, { halfExtents: OPTIONS.halfExtents });
    const path = findIndexedPath(index, mesh, a, b, OPTIONS);
    expect(path.status, name).toBe(want.status);
    if (path.source === 'search') continue;
    const polys = path.polys.map((ref) => polyIndexOf(mesh, ref));
    for (let k = 1; k < polys.length; k++)
      expect(findCrossing(mesh, polys[k - 1], polys[k]), name).not.toBe(NO_CROSSING);
    expect(path.points[0], name).toEqual(want.points[0]);
    expect(path.points[path.points.length - 1], name).toEqual(want.points[want.points.length - 1]);
    // Paths to an end that is not reachable lead to a point on a wall, which rays to it hit.
    for (let k = 1; k < path.points.length && path.status === 'complete'; k++) {
      expect(raycast(mesh, path.points[k - 1], path.points[k], OPTIONS_OF_RAY).status, `${name}, point ${k}`).toBe(
        'reached',
      );
    }
    expect(path.planarLength, name).toBeGreaterThanOrEqual(want.planarLength * (1 - 1e-9));
    if (path.exact) expect(path.planarLength, name).toBeCloseTo(want.planarLength, 9);
    excess.push(path.planarLength / Math.max(want.planarLength, 1e-9) - 1);
  }
  return excess.sort((x, y) => x - y);
}

const OPTIONS_OF_RAY = { halfExtents: OPTIONS.halfExtents };

const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

describe('the overlay', () => {
  const mesh = field();
  const index = buildPathIndex(mesh, { tier: 'overlay' });

  it(`finds paths 1 % longer than the shortest on average, 3 % in nearly all cases, seed ${SEED}`, () => {
    expect(index).toMatchObject({ tier: 'overlay', reason: '', cornerCount: 0 });
    const lowest = index.viaStart.length - 1;
    expect(lowest).toBeGreaterThan(50);
    expect(index.cellParent.length).toBeGreaterThan(lowest);
    const excess = excessOf(index, mesh, placesOn(mesh, 80));
    expect(excess.length).toBeGreaterThan(30);
    expect(meanOf(excess)).toBeLessThan(0.01);
    expect(excess[Math.floor(0.95 * excess.length)]).toBeLessThan(0.03);
    expect(pathIndexBytes(index) / mesh.polyCount).toBeLessThan(120);
  });

  it('finds paths on scenes with tiles, storeys and islands', () => {
    for (const name of ['tower', 'islands']) {
      const scene = findLevelScene(name);
      const options = { ...scene.options, tileSize: 48 * scene.options.cellSize! };
      const { navMesh } = buildNavMesh(scene.create(), options);
      const own = buildPathIndex(navMesh, { tier: 'overlay' });
      expect(own.tier).toBe('overlay');
      const excess = excessOf(own, navMesh, placesOn(navMesh, 60));
      expect(excess.length, name).toBeGreaterThan(3);
      expect(meanOf(excess), name).toBeLessThan(0.03);
    }
  });

  it.each([
    [2, 0.7, 0, 4, 'overlap'],
    [6, 0.7, 0, 4, 'overlap'],
    [1, 1.4, 0.2, 0, 'degenerate'],
  ])('is built by default where ground is folded: map %d, spread %d, rise %d, tiles of %d, no graph: %s', (...row) => {
    const [map, spread, rise, tileSize, reason] = row;
    const overlapping = folded(60, map, spread, rise, tileSize);
    expect(buildPathIndex(overlapping, { tier: 'graph' })).toMatchObject({ tier: 'none', reason });
    const own = buildPathIndex(overlapping);
    expect(own).toMatchObject({ tier: 'overlay', reason: '' });
    const places = placesOn(overlapping, 80);
    const excess: number[] = [];
    for (let i = 0; i < places.length; i += 2) {
      const [a, b] = [places[i], places[i + 1]];
      const want = findOptimalPath(overlapping, a, b, { halfExtents: OPTIONS.halfExtents });
      const path = findIndexedPath(own, overlapping, a, b, OPTIONS);
      expect(path.status, `seed ${SEED}, pair ${i}`).toBe(want.status);
      if (path.source === 'search' || want.planarLength < 1) continue;
      expectWalk(overlapping, path, `seed ${SEED}, pair ${i}`);
      expect(path.planarLength).toBeGreaterThanOrEqual(want.planarLength * (1 - 1e-9));
      excess.push(path.planarLength / want.planarLength - 1);
    }
    expect(excess.length).toBeGreaterThan(10);
    expect(meanOf(excess)).toBeLessThan(0.03);
  });

  it('finds a path where only a link leads to the end, and promises nothing where a link may be shorter', () => {
    for (const isAddedLater of [false, true]) {
      const halves = meshOf(gridTile(40, 40, (x) => x !== 20));
      const open = meshOf(gridTile(40, 40));
      const bridge = { start: [19.5, 0, 10.5], end: [21.5, 0, 10.5], bothWays: true } as const;
      const shortcut = { start: [2, 0, 2], end: [38, 0, 38], bothWays: true, cost: 0.1 } as const;
      const link = (): void => {
        addLink(halves, bridge);
        addLink(open, shortcut);
      };
      if (!isAddedLater) link();
      const [overHalves, overOpen] = [halves, open].map((each) => buildPathIndex(each, { tier: 'overlay' }));
      if (isAddedLater) link();
      for (const end of [
        [38.5, 0, 38.5],
        [30.5, 0, 1.5],
        [21.7, 0, 10.7],
      ] as const) {
        const want = findOptimalPath(halves, [1.5, 0, 30.5], [...end]);
        const path = findIndexedPath(overHalves, halves, [1.5, 0, 30.5], [...end], OPTIONS);
        expect(want.status).toBe('complete');
        expect(path).toMatchObject({ status: 'complete', source: isAddedLater ? 'search' : 'index' });
        if (path.exact) expect(path.cost).toBeCloseTo(want.cost, 9);
        expect(path.cost / want.cost).toBeLessThan(1.03);
        expect(path.exact || !isAddedLater).toBe(true);
      }
      const straight = findIndexedPath(overOpen, open, [1.5, 0, 1.5], [38.5, 0, 38.5], OPTIONS);
      expect(straight.status).toBe('complete');
      if (isAddedLater && straight.source === 'index') expect(straight.exact).toBe(false);
      if (!isAddedLater) expect(straight.cost).toBeLessThan(2);
      expect(findOptimalPath(open, [1.5, 0, 1.5], [38.5, 0, 38.5]).cost).toBeLessThan(2);
    }
  });

  it(`finds paths over links nearly as short, on fields that rivers divide, seed ${SEED}`, () => {
    // The larger one has two levels of cells.
    const sizes = [
      [true, 60],
      [false, 138],
    ] as const;
    // `npm run soak` sets NAVKILN_FULL.
    for (const [isMutual, side] of sizes.slice(0, process.env['NAVKILN_FULL'] === undefined ? 1 : 2)) {
      const random = seeded(SEED + (isMutual ? 10 : 20));
      const own = rivers(random, isMutual, side);
      const overlay = buildPathIndex(own, { tier: 'overlay' });
      // Searches take seconds among links that are cheaper than their lengths.
      const exact = buildPathIndex(own, { tier: 'graph', maxBytes: 1e9 });
      expect(overlay.linkSlot.length).toBe((2 * side) / 3);
      expect(overlay.linkGate.length).toBe((4 * side) / 3);
      expect(overlay.cellParent.length > overlay.viaStart.length - 1).toBe(!isMutual);
      const loaded = loadPathIndex(savePathIndex(overlay), own);
      expect(Buffer.compare(savePathIndex(loaded), savePathIndex(overlay))).toBe(0);
      expect([loaded.linkGate, loaded.gateLink]).toEqual([overlay.linkGate, overlay.gateLink]);
      const excess: number[] = [];
      let linkCount = 0;
      const places = placesOn(own, 110);
      for (let i = 0; i < places.length; i += 2) {
        const name = `seed ${SEED}, links both ways: ${isMutual}, pair ${i}`;
        const [a, b] = [places[i], places[i + 1]];
        const want = findIndexedPath(exact, own, a, b, OPTIONS);
        const path = findIndexedPath(i % 4 === 0 ? overlay : loaded, own, a, b, OPTIONS);
        expect(path.status, name).toBe(want.status);
        if (want.status !== 'complete') continue;
        expect(want, name).toMatchObject({ source: 'index', exact: true });
        expect(path.source, name).toBe('index');
        expectWalk(own, path, name);
        expect(path.cost, name).toBeGreaterThanOrEqual(want.cost * (1 - 1e-9));
        if (path.exact) expect(path.cost, name).toBeCloseTo(want.cost, 9);
        excess.push(path.cost / Math.max(want.cost, 1e-9) - 1);
        if (linksOf(own, path) > 0) linkCount++;
      }
      excess.sort((x, y) => x - y);
      expect(excess.length).toBeGreaterThan(50);
      expect(linkCount).toBeGreaterThan(excess.length / 2);
      expect(meanOf(excess)).toBeLessThan(0.01);
      expect(excess[Math.floor(0.95 * excess.length)]).toBeLessThan(0.03);
    }
  });

  it('leads around links that were switched off, and is built again with links that were added', () => {
    const own = rivers(seeded(SEED), true, 46);
    const overlay = buildPathIndex(own, { tier: 'overlay' });
    const exact = buildPathIndex(own, { tier: 'graph', maxBytes: 1e9 });
    const places = placesOn(own, 20);
    const compare = (most: number): void => {
      updatePathIndex(exact, own, { tier: 'graph' });
      let worst = 0;
      for (let i = 0; i < places.length; i += 2) {
        const want = findIndexedPath(exact, own, places[i], places[i + 1], OPTIONS);
        const path = findIndexedPath(overlay, own, places[i], places[i + 1], OPTIONS);
        expect(path.status).toBe(want.status);
        if (want.status !== 'complete') continue;
        expectWalk(own, path, `pair ${i}`);
        if (path.exact) expect(path.cost).toBeCloseTo(want.cost, 9);
        worst = Math.max(worst, path.cost / Math.max(want.cost, 1e-9) - 1);
      }
      expect(worst).toBeLessThan(most);
    };
    const links = listLinks(own);
    for (let i = 0; i < links.length; i += 3) setLinkEnabled(own, links[i], false);
    compare(Infinity);
    expect(updatePathIndex(overlay, own, { tier: 'overlay' })).toBe(true);
    expect(overlay.linkSlot).toHaveLength(links.length - Math.ceil(links.length / 3));
    compare(0.2);
    for (const link of links) setLinkEnabled(own, link, true);
    compare(Infinity);
  });

  it('is built where no graph fits, and not where it does not fit itself', () => {
    const bytes = pathIndexBytes(index);
    expect(buildPathIndex(mesh, { maxBytes: 2 * bytes })).toMatchObject({ tier: 'overlay', reason: '' });
    expect(buildPathIndex(mesh, { maxBytes: bytes / 2, tier: 'overlay' })).toMatchObject({
      tier: 'none',
      reason: 'max-bytes',
    });
  });

  it.runIf(IS_FULL)(
    'is not built on an open field of 5,000 polygons, whose cones were once counted before they are joined',
    () => {
      const open = field(75);
      const exact = buildPathIndex(open, { maxBytes: 32 * 2 ** 20 });
      expect(open.polyCount).toBeGreaterThan(4500);
      expect(exact.tier).toBe('table');
    },
  );

  it('is the same in slices; a build that is left changes nothing, and an unfinished index is not used', () => {
    const build = startPathIndex(mesh, { tier: 'overlay' });
    const places = placesOn(mesh, 2);
    let slices = 0;
    let progress = 0;
    while (!continuePathIndex(build, 500)) {
      expect(build.progress).toBeGreaterThanOrEqual(progress);
      progress = build.progress;
      if (slices++ % 20 === 0) expect(findIndexedPath(build.index, mesh, places[0], places[1]).source).toBe('search');
      expect(build.index.tier).toBe('none');
    }
    expect(slices).toBeGreaterThan(20);
    expect(Buffer.compare(savePathIndex(build.index), savePathIndex(index))).toBe(0);
    expect(findIndexedPath(build.index, mesh, places[0], places[1]).source).toBe('index');
  });

  it('is the same after it was saved and loaded, and after a structured clone', () => {
    const bytes = savePathIndex(index);
    const loaded = loadPathIndex(bytes, mesh);
    expect(Buffer.compare(savePathIndex(loaded), bytes)).toBe(0);
    const clone = structuredClone(index);
    const places = placesOn(mesh, 20);
    for (let i = 0; i < 20; i += 2) {
      const want = findIndexedPath(index, mesh, places[i], places[i + 1], OPTIONS);
      expect(findIndexedPath(loaded, mesh, places[i], places[i + 1], OPTIONS)).toEqual(want);
      expect(findIndexedPath(clone, mesh, places[i], places[i + 1], OPTIONS)).toEqual(want);
    }
  });

  it(`is refused, or answers, when its bytes were changed and signed again, seed ${SEED}`, () => {
    const small = field(32);
    const bytes = savePathIndex(buildPathIndex(small, { tier: 'overlay' }));
    const random = seeded(SEED);
    const begin = INDEX_HEADER_BYTES + 8 * (FIRST_COUNT + SECTIONS.length);
    const places = placesOn(small, 8);
    const outcomes = { refused: 0, loaded: 0 };
    for (let i = 0; i < 160; i++) {
      const damaged = bytes.slice();
      const words = new Uint32Array(damaged.buffer);
      const at = i % 3 === 0 ? INDEX_HEADER_BYTES : begin;
      const word = (at >> 2) + Math.floor(random() * (words.length - (at >> 2)));
      words[word] = [0, 0xffffffff, words[word] + 1, words[word] ^ (1 << Math.floor(32 * random()))][i % 4];
      words[INDEX_CHECKSUM_WORD] = fileChecksum(words);
      let changed: PathIndex;
      try {
        changed = loadPathIndex(damaged, small);
      } catch (error) {
        expect((error as Error).message).toMatch(/^loadPathIndex: /);
        outcomes.refused++;
        continue;
      }
      outcomes.loaded++;
      for (let k = 0; k < places.length; k += 2) findIndexedPath(changed, small, places[k], places[k + 1], OPTIONS);
    }
    expect(outcomes.refused).toBeGreaterThan(30);
    expect(outcomes.loaded).toBeGreaterThan(30);
  });

  it('leads around polygons that were closed, and around tiles that were removed', () => {
    const own = field();
    const clone = structuredClone(index);
    const random = seeded(SEED + 2);
    for (let i = 0; i < 400; i++) setFlags(own, refOf(own, Math.floor(random() * own.polyCount)), 0);
    const places = placesOn(own, 40);
    const excess = excessOf(clone, own, places);
    expect(excess.length).toBeGreaterThan(5);
    const scene = findLevelScene('dungeon');
    const tiled = buildNavMesh(scene.create(), { ...scene.options, tileSize: 48 * scene.options.cellSize! }).navMesh;
    const before = buildPathIndex(tiled, { tier: 'overlay' });
    const ends = placesOn(tiled, 60);
    removeTile(tiled, tiled.polyTile[Math.floor(tiled.polyCount / 2)]);
    expect(excessOf(before, tiled, ends).length).toBeGreaterThan(3);
  });

  it('allocates at most a few numbers in the kernel', () => {
    const out = createIndexedBuffer();
    const state = createIndexedState();
    const places = placesOn(mesh, 40);
    const queries = places.map((place, i) => {
      const query = createPathQuery();
      readPathQuery(query, mesh, place, places[(i + 1) % places.length], {}, 'test');
      return query;
    });
    const run = (count: number): void => {
      for (let i = 0; i < count; i++) findIndexedPathInto(out, state, index, mesh, queries[i % queries.length]);
    };
    expectNoAllocation(run, 200, 256);
  });
});
