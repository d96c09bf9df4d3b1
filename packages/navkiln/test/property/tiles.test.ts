/**
 * Tiles are added, removed and replaced in random order. After each step the mesh is valid, and its answers
 * equal those of a mesh built from the same tiles. The portals between tiles equal those of brute force over
 * all pairs of edges.
 */
import { describe, expect, it } from 'vitest';
import { areOnOneIsland, refreshIslands } from '../../src/mesh/islands.ts';
import { addLink } from '../../src/mesh/change/links.ts';
import type { LinkOptions } from '../../src/mesh/change/links.ts';
import { loadNavMesh } from '../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../src/mesh/file/save.ts';
import { findTile } from '../../src/mesh/tiles/tile-grid.ts';
import { addTile, removeTile } from '../../src/mesh/change/tiles.ts';
import { LINK_ENABLED } from '../../src/mesh/types.ts';
import type { NavMesh, TileData } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { seeded } from '../unit/meshes.ts';
import { TILE, polyName, portalText, portalsOf, squaresTile, tiledMesh } from '../unit/mesh/tiled-meshes.ts';

const SIZE = 4;
const STEPS = Number(process.env.NAVKILN_TILE_STEPS ?? 30);
const FAR = [100_000, 30, -100_000];

/**
 * Returns a tile of a rolling world with two storeys. Squares have any size, so vertices differ on the two
 * sides of a border.
 */
function randomTile(random: () => number, offset: number[]): TileData {
  const below = (n: number): number => Math.floor(random() * n);
  const layer = below(2);
  const n = [1, 2, 3, 4, 6][below(5)];
  const step = random() < 0.2 ? random() * 2 : 0;
  const open = random() < 0.5 ? 1 : 0.75;
  return squaresTile(
    below(SIZE),
    below(SIZE),
    layer,
    n,
    () => random() < open,
    (x, z) => 0.1 * x - 0.05 * z + 2.5 * layer + step,
    offset,
  );
}

function randomLink(random: () => number, offset: number[]): LinkOptions {
  const end = (): [number, number, number] => {
    const [x, z] = [random() * SIZE * TILE, random() * SIZE * TILE];
    return [offset[0] + x, offset[1] + 0.1 * x - 0.05 * z + (random() < 0.5 ? 2.5 : 0), offset[2] + z];
  };
  return { start: end(), end: end(), bothWays: random() < 0.5, enabled: random() < 0.8 };
}

describe.each([
  ['at the origin', [0, 0, 0]],
  ['100 km away', FAR],
])('tiles %s', (_, offset) => {
  it.each([1, 2, 3, 4, 5, 6])('change in any order, seed %i', (seed) => {
    const random = seeded(seed);
    let portalCount = 0;
    const mesh = tiledMesh(offset);
    const links = Array.from({ length: 6 }, () => randomLink(random, offset));
    for (const link of links) addLink(mesh, link);
    const tiles = new Map<string, TileData>();
    for (let step = 0; step < STEPS; step++) {
      const tile = randomTile(random, offset);
      const key = `${tile.x},${tile.z},${tile.layer}`;
      const what = `seed ${seed}, step ${step}`;
      if (tiles.has(key)) {
        removeTile(mesh, findTile(mesh, tile.x, tile.z, tile.layer));
        tiles.delete(key);
        expect(validateNavMesh(mesh), what).toEqual([]);
      }
      if (random() < 0.8) {
        addTile(mesh, tile);
        tiles.set(key, tile);
      }
      expect(validateNavMesh(mesh), what).toEqual([]);
      if (step % 5 < 4) continue;
      expectIslands(mesh, what);
      if (random() < 0.5) refreshIslands(mesh);
      expectIslands(mesh, what);
      const fresh = tiledMesh(offset);
      const before = random() < 0.5;
      if (before) for (const link of links) addLink(fresh, link);
      for (const one of shuffled([...tiles.values()], random)) addTile(fresh, one);
      if (!before) for (const link of links) addLink(fresh, link);
      const found = bruteForce(mesh);
      portalCount += found.length;
      expect(portalText(mesh).sort(), what).toEqual(found.sort());
      expectSame(mesh, fresh, random, offset, what);
      expectSame(mesh, loadNavMesh(saveNavMesh(mesh)), random, offset, what);
    }
    expect(portalCount).toBeGreaterThan(50);
    // When everything is removed, nothing remains.
    for (let slot = 0; slot < mesh.tileSlotCount; slot++) if (mesh.tileState[slot] === 1) removeTile(mesh, slot);
    expect(mesh.portalPoly.subarray(0, mesh.portalCount).every((poly) => poly === -1)).toBe(true);
    expect(validateNavMesh(mesh)).toEqual([]);
  });
});

it.each([31, 32, 33])('answer 100 km away as at the origin, seed %i', (seed) => {
  const [near, far] = [[0, 0, 0], FAR].map((offset) => {
    const random = seeded(seed);
    const mesh = tiledMesh(offset);
    for (let i = 0; i < 40; i++) {
      const tile = randomTile(random, offset);
      if (findTile(mesh, tile.x, tile.z, tile.layer) < 0) addTile(mesh, tile);
    }
    return mesh;
  });
  const [here, there] = [portalText(near), portalText(far)].map((lines) => lines.map((line) => line.split(' ')));
  expect(there.length).toBe(here.length);
  here.forEach((words, i) => {
    words.forEach((word, k) => {
      if (k === 2 || k === 3) expect(Number(there[i][k])).toBeCloseTo(Number(word), 8);
      else expect(there[i][k]).toBe(word);
    });
  });
  const random = seeded(seed + 1);
  let complete = 0;
  for (let i = 0; i < 60; i++) {
    const randomPoint = (): number[] => [random() * SIZE * TILE, random() * 5, random() * SIZE * TILE];
    const ends = [randomPoint(), randomPoint()];
    const [a, b] = [near, far].map((mesh) => {
      const at = ends.map((point) => point.map((value, k) => value + mesh.origin[k]));
      return { path: findPath(mesh, at[0], at[1], { halfExtents: [3, 3, 3] }), origin: mesh.origin };
    });
    const what = `seed ${seed}, ${i}: ${ends.join(' to ')}: ${a.path.points.join(' ')}, not ${b.path.points.join(' ')}`;
    expect(b.path.status, what).toBe(a.path.status);
    // The route may differ, because many corridors in a grid cost the same.
    const [last, farLast] = [a, b].map(({ path }) => path.points[path.points.length - 1] ?? [0, 0, 0]);
    last.forEach((value, axis) => {
      if (a.path.status !== 'none') expect(Math.abs(farLast[axis] - FAR[axis] - value), what).toBeLessThan(1e-3);
    });
    if (a.path.status === 'complete' && a.path.polys.length > 4) complete++;
  }
  expect(complete).toBeGreaterThan(0);
});

function shuffled<T>(items: T[], random: () => number): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const k = Math.floor(random() * (i + 1));
    [items[i], items[k]] = [items[k], items[i]];
  }
  return items;
}

function expectSame(mesh: NavMesh, other: NavMesh, random: () => number, offset: number[], what: string): void {
  expect(portalText(other), what).toEqual(portalText(mesh));
  const randomPoint = (): number[] => [
    offset[0] + random() * SIZE * TILE,
    offset[1] + random() * 6,
    offset[2] + random() * SIZE * TILE,
  ];
  const halfExtents = [3, 3, 3];
  for (let i = 0; i < 10; i++) {
    const [a, b] = [randomPoint(), randomPoint()];
    const nearest = findNearest(mesh, a, { halfExtents });
    const same = findNearest(other, a, { halfExtents });
    expect([same.point, same.distance], what).toEqual([nearest.point, nearest.distance]);
    const name = (path: ReturnType<typeof findPath>): unknown => ({ ...path, polys: path.polys.length });
    const expected = name(findPath(mesh, a, b, { halfExtents }));
    expect(name(findPath(other, a, b, { halfExtents })), `${what}: ${a} to ${b}`).toEqual(expected);
  }
}

/** Compares the islands with a flood fill over neighbors and portals. */
function expectIslands(mesh: NavMesh, what: string): void {
  const island = new Map<number, number>();
  const polys: number[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    for (let i = 0; i < mesh.tilePolyCount[slot]; i++) polys.push(mesh.tilePolyStart[slot] + i);
  }
  for (const seed of polys) {
    const queue = island.has(seed) ? [] : [seed];
    for (const poly of queue) {
      if (island.has(poly)) continue;
      island.set(poly, seed);
      const first = mesh.polyEdgeStart[poly];
      queue.push(
        ...mesh.edgeNeighbor.subarray(first, first + mesh.polyVertexCount[poly]).filter((other) => other >= 0),
      );
      queue.push(...portalsOf(mesh, poly).map((portal) => mesh.portalPoly[portal]));
      for (let linkEnd = mesh.polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
        if ((mesh.linkState[linkEnd >> 1] & LINK_ENABLED) !== 0 && mesh.linkPoly[linkEnd ^ 1] >= 0)
          queue.push(mesh.linkPoly[linkEnd ^ 1]);
      }
    }
  }
  for (let i = 0; i < polys.length; i += 3) {
    for (let k = 0; k < polys.length; k += 7) {
      const [a, b] = [polys[i], polys[k]];
      const answer = areOnOneIsland(mesh, a, b);
      const truth = island.get(a) === island.get(b) ? 1 : 0;
      if (answer !== truth) {
        expect([answer, mesh.islandsStale], `${what}: ${polyName(mesh, a)}, ${polyName(mesh, b)}: ${truth}`).toEqual([
          -1, 1,
        ]);
      }
    }
  }
}

interface Side {
  poly: number;
  k: number;
  at: number[];
  start: number[];
  end: number[];
}

/**
 * Finds portals over all pairs of border edges. The ends of the overlap are computed as points in space and
 * compared.
 */
function bruteForce(mesh: NavMesh): string[] {
  const sides: Side[][] = [[], [], [], []];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    for (let i = 0; i < mesh.tilePolyCount[slot]; i++) {
      const poly = mesh.tilePolyStart[slot] + i;
      for (let k = 0; k < mesh.polyVertexCount[poly]; k++) {
        const side = -2 - mesh.edgeNeighbor[mesh.polyEdgeStart[poly] + k];
        if (side < 0) continue;
        const vertex = (j: number): number[] => {
          const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + (j % mesh.polyVertexCount[poly])];
          return [...mesh.vertices.subarray(v, v + 3)];
        };
        sides[side].push({ poly, k, at: [mesh.tileX[slot], mesh.tileZ[slot]], start: vertex(k), end: vertex(k + 1) });
      }
    }
  }
  const out: string[] = [];
  for (const [here, there, stepX, stepZ, axis] of [
    [2, 0, 1, 0, 2],
    [1, 3, 0, 1, 0],
  ]) {
    for (const a of sides[here]) {
      for (const b of sides[there]) {
        if (b.at[0] !== a.at[0] + stepX || b.at[1] !== a.at[1] + stepZ) continue;
        const stops = [a.start, a.end, b.start, b.end].map((point) => point[axis]).sort((u, v) => u - v);
        // The middle two stops bound the overlap, if there is one.
        const [low, high] = [stops[1], stops[2]];
        const within = ({ start, end }: Side): boolean =>
          Math.min(start[axis], end[axis]) <= low && Math.max(start[axis], end[axis]) >= high;
        if (high - low < 0.05 || !within(a) || !within(b)) continue;
        const fractionOf = (one: Side, u: number): number => (u - one.start[axis]) / (one.end[axis] - one.start[axis]);
        const y = (one: Side, u: number): number => one.start[1] + fractionOf(one, u) * (one.end[1] - one.start[1]);
        const [d, e] = [y(a, low) - y(b, low), y(a, high) - y(b, high)];
        const reach = 2 * mesh.agent.maxClimb;
        if (Math.min(Math.abs(d), Math.abs(e)) > reach && d * e > 0) continue;
        for (const [one, other] of [
          [a, b],
          [b, a],
        ]) {
          const span = [fractionOf(one, low), fractionOf(one, high)].sort((u, v) => u - v);
          out.push([polyName(mesh, one.poly), one.k, ...span, polyName(mesh, other.poly), other.k].join(' '));
        }
      }
    }
  }
  return out;
}
