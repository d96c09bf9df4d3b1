/**
 * Worlds whose obstacles are cut out of the mesh before their tiles are rebuilt, after random operations: the mesh is valid, no point of it
 * is nearer to an obstacle than the agent allows, its surface is that of the level, and it ends as a fresh bake does.
 * `verifyNavMesh` finds no overreach before, in places that are farther than a cell from where an agent can stand.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { createVolumes } from '../../src/build/voxel/volumes.ts';
import { createObstacles } from '../../src/build/voxel/obstacles/create-obstacles.ts';
import type { BuildOptions, Obstacle } from '../../src/build/voxel/options.ts';
import { isOverPoly, setHeight } from '../../src/mesh/ground.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { verifyNavMesh } from '../../src/show/verify/verify.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findDistanceToWall } from '../../src/query/walk/wall.ts';
import { createProvisionalTiles } from '../../src/world/cut/provisional.ts';
import { createWorld } from '../../src/world/levels/create.ts';
import { addLevel } from '../../src/world/levels/levels.ts';
import {
  addObstacle,
  getObstacle,
  listObstacles,
  moveObstacle,
  removeObstacle,
} from '../../src/world/levels/obstacles.ts';
import type { World, WorldObstacle } from '../../src/world/levels/types.ts';
import { updateWorld } from '../../src/world/levels/update.ts';
import { seeded } from '../unit/meshes.ts';
import { box, fresh, hills, SET_OPTIONS, tilesOf } from '../unit/world/levels/level-cases.ts';
import type { Placed } from '../unit/world/levels/level-cases.ts';

const EDITS = 24;
const SEED_COUNT = Math.ceil(Number(process.env['NAVKILN_PROVISIONAL_OPERATIONS'] ?? 48) / EDITS);
const FIRST_SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const END = performance.now() + 1000 * Number(process.env['NAVKILN_PROVISIONAL_SECONDS'] ?? 600);
const SIZE = 20;
const CELL = 0.25;
const { radius, height } = SET_OPTIONS.agent as { radius: number; height: number };

/** The floor of a seed: flat, or hills; every third one has a second storey. */
function levelsOf(seed: number, random: () => number): Placed[] {
  const floor = { piece: hills(random, 8, SIZE, seed % 2 === 0 ? 0 : 0.9), placement: {} };
  const storey = { piece: box(9, 0.25, 7), placement: { position: [6, 3.2, 4], rotation: 20 } };
  return seed % 3 === 0 ? [floor, storey] : [floor];
}

/** An obstacle at any height. `stands`: its sides are higher than the floor, so that it touches each floor everywhere or nowhere. */
function randomObstacle(random: () => number, stands: boolean): WorldObstacle {
  const size = (): number => 0.2 + 2 * random() * random();
  const y = stands ? [0.2, 0.2, 4][Math.floor(3 * random())]! : 4 * random() * random();
  const tall = stands ? 3 : size();
  const common = {
    position: [SIZE * random(), y, SIZE * random()],
    rotation: random() < 0.3 ? 90 * Math.floor(4 * random()) : 360 * random(),
  };
  const kind = Math.floor(3.3 * random());
  if (kind === 0) return { ...common, type: 'box', size: [size(), tall, size()] };
  if (kind === 1) return { ...common, type: 'cylinder', radius: size() / 2, height: tall };
  if (kind === 2) {
    const outline = Array.from({ length: 3 + Math.floor(5 * random()) }, () => [3 * random(), 3 * random()]);
    return { ...common, type: 'convex', outline, minY: -tall / 2, maxY: tall / 2 };
  }
  return { ...common, type: 'box', size: [2, 2, 2], effect: 'area', area: 7 };
}

/** Changes an obstacle, unless it would be outside of the world. */
function tryTo(change: () => unknown): void {
  try {
    change();
  } catch (error) {
    expect((error as Error).message).toMatch(/Obstacle: the box of/);
  }
}

/** The least distance, seen from above, from a point to the triangles of an obstacle's lower ring and top. */
function distanceTo(
  { positions, indices }: { positions: Float64Array; indices: Uint32Array },
  x: number,
  z: number,
): number {
  let best = Infinity;
  for (let t = 0; t < indices.length; t += 3) {
    let signs = 0;
    for (let k = 0; k < 3; k++) {
      const [a, b] = [3 * indices[t + k]!, 3 * indices[t + ((k + 1) % 3)]!];
      const [dx, dz] = [positions[b]! - positions[a]!, positions[b + 2]! - positions[a + 2]!];
      const [px, pz] = [x - positions[a]!, z - positions[a + 2]!];
      const length = dx * dx + dz * dz;
      const share = length === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + pz * dz) / length));
      best = Math.min(best, Math.hypot(px - share * dx, pz - share * dz));
      signs += Math.sign(dz * px - dx * pz);
    }
    if (Math.abs(signs) === 3) return 0;
  }
  return best;
}

/** Random points on the polygons of a mesh, with the polygon of each. */
function* pointsOf(mesh: NavMesh, random: () => number): Generator<[Float64Array, number]> {
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    const end = mesh.tilePolyStart[slot]! + mesh.tilePolyCount[slot]!;
    for (let poly = mesh.tilePolyStart[slot]!; poly < end; poly++) {
      const corners = mesh.polyVertexCount[poly]!;
      for (let k = 0; k < 3; k++) {
        const point = new Float64Array(3);
        let sum = 0;
        for (let e = 0; e < corners; e++) {
          const weight = random() ** 4;
          const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly]! + e]!;
          for (let axis = 0; axis < 3; axis++) point[axis] += weight * mesh.vertices[v + axis]!;
          sum += weight;
        }
        for (let axis = 0; axis < 3; axis++) point[axis] /= sum;
        if (!isOverPoly(mesh, poly, point)) continue;
        setHeight(point, mesh, poly);
        yield [point, poly];
      }
    }
  }
}

/** The tile of a point, as a key. */
const tileAt = (x: number, z: number): string => `${Math.floor(x / 4)},${Math.floor(z / 4)}`;

/** Checks points of cut tiles against the outlines of the obstacles, and heights against the level without obstacles. */
function checkCut(world: World, whole: NavMesh, cut: Set<string>, random: () => number, what: string): number {
  const mesh = world.navMesh;
  let count = 0;
  const carved = [...world.obstacles.values()].map(({ current }) => current.placed);
  for (const [point, poly] of pointsOf(mesh, random)) {
    const slot = mesh.polyTile[poly]!;
    if (!cut.has(`${mesh.tileX[slot]},${mesh.tileZ[slot]}`)) continue;
    count++;
    const [x, y, z] = point as unknown as [number, number, number];
    for (const placed of carved) {
      if (placed.effect !== 'hole') continue;
      // Body and obstacle overlap by more than the error of heights.
      if (y + height - 0.3 < placed.bounds[1]! || y + 0.3 > placed.bounds[4]!) continue;
      if (!(distanceTo(placed, x, z) > radius - CELL)) throw new Error(`${what}: ${[x, y, z].join()} is too near`);
    }
    // Seen from above, the nearest point of the level without obstacles is the point itself.
    const near = findNearest(whole, [x, y, z], { halfExtents: [0.1, 0.3, 0.1] });
    const aside = Math.abs(near.point[0]! - x) + Math.abs(near.point[2]! - z);
    if (!near.found || !(aside < 1e-3 && Math.abs(near.point[1]! - y) < 0.05))
      throw new Error(`${what}: ${[x, y, z].join()} is not on the level`);
  }
  return count;
}

/**
 * Returns how far points that are on one mesh only are from its walls and from the other mesh, whichever is less, seen from above; the
 * greatest distance. A passage that only one of them has is as far as half of its width.
 */
function farthest(from: NavMesh, to: NavMesh, random: () => number, isIn: (x: number, z: number) => boolean): number {
  let most = 0;
  for (const [[x, y, z]] of pointsOf(from, random) as Iterable<[[number, number, number], number]>) {
    if (!isIn(x, z)) continue;
    const { found, point } = findNearest(to, [x, y, z], { halfExtents: [2, 0.6, 2] });
    const away = found ? Math.hypot(point[0]! - x, point[2]! - z) : 2;
    if (away > most) most = Math.max(most, Math.min(away, findDistanceToWall(from, [x, y, z], 2).distance));
  }
  return most;
}

/** The triangles of all levels and holes of a world. */
function trianglesOf({ levels, obstacles }: World): { positions: number[]; indices: number[] } {
  const positions: number[] = [];
  const indices: number[] = [];
  const add = (own: ArrayLike<number>, corners: ArrayLike<number>): void => {
    const first = positions.length / 3;
    for (const value of Array.from(own)) positions.push(value);
    for (const corner of Array.from(corners)) indices.push(first + corner);
  };
  for (const level of levels.values()) add(level.positions, level.prepared.indices);
  for (const { current } of obstacles.values())
    if (current.placed.effect === 'hole') add(current.placed.positions, current.placed.indices);
  return { positions, indices };
}

/**
 * Returns the shares of a world's mesh where no agent can stand, and inside of obstacles, by `verifyNavMesh`. Places within a cell of where one can
 * stand do not count.
 */
function overreachOf(world: World): number[] {
  const { overreach, insideSolids } = verifyNavMesh(trianglesOf(world), world.navMesh, { pairs: 1 });
  return [overreach, insideSolids];
}

const OPTIONS: BuildOptions[] = [
  { ...SET_OPTIONS, regionMinArea: 0 },
  {
    ...SET_OPTIONS,
    regionMinArea: 0,
    volumes: createVolumes([
      { type: 'box', name: 'door', min: [8, -3, 0], max: [9, 9, 20] },
      { type: 'box', area: 9, min: [2, -3, 2], max: [7, 9, 7] },
    ]),
  },
];

/** Most cells between the holes of cut and rebuilt tiles. */
const MOST_CELLS = 1;

describe('cut tiles are valid, keep their distance, and end as a fresh bake', () => {
  let verifiedCount = 0;
  afterAll(() => expect(verifiedCount).toBeGreaterThan(0));
  // On seed 120, a cut tile waits for its rebuild while more obstacles change. On seed 9, a hole reaches from one polygon up a slope into
  // another one that the obstacle does not touch. On seed 149, the surface above an obstacle is more than a voxel higher than its floor.
  it.each([120, 9, 149, ...Array.from({ length: SEED_COUNT }, (_, k) => FIRST_SEED + k)])('seed %i', (seed) => {
    if (performance.now() > END) return;
    const random = seeded(seed);
    const options = OPTIONS[seed % 2]!;
    const stands = seed % 4 > 1;
    const levels = levelsOf(seed, random);
    const world = createWorld({ ...options, provisional: createProvisionalTiles({ settleUpdates: 3 }) });
    for (const { piece, placement } of levels) addLevel(world, piece, placement);
    const start = Math.floor(4 * random());
    // Obstacles that are there before the first update, too.
    for (let k = 0; k < start; k++) tryTo(() => addObstacle(world, randomObstacle(random, stands)));
    updateWorld(world);
    const clean = createWorld(options);
    for (const { piece, placement } of levels) addLevel(clean, piece, placement);
    const whole = updateWorld(clean).navMesh;
    let cutPoints = 0;
    for (let edit = 0; edit < EDITS; edit++) {
      const what = `seed ${seed}, edit ${edit}`;
      const ids = listObstacles(world);
      const id = ids[Math.floor(random() * ids.length)];
      const roll = random();
      if (id === undefined || (roll < 0.4 && ids.length < 12)) {
        tryTo(() => addObstacle(world, randomObstacle(random, stands)));
      } else if (roll < 0.85) {
        const { position, rotation } = randomObstacle(random, stands);
        tryTo(() => moveObstacle(world, id, { position, rotation }));
      } else removeObstacle(world, id);
      const { provisionalTiles, pendingTileCount } = updateWorld(world, { maxTiles: 1 + Math.floor(3 * random()) });
      expect(provisionalTiles.length).toBeLessThanOrEqual(pendingTileCount);
      expect(validateNavMesh(world.navMesh), what).toEqual([]);
      const hasAreas = [...world.obstacles.values()].some(({ obstacle }) => obstacle.effect === 'area');
      const cut = new Set(provisionalTiles.map(String));
      cutPoints += checkCut(world, hasAreas ? world.navMesh : whole, cut, random, what);
      if (edit % 12 !== 11) continue;
      const before = structuredClone({ ...world.navMesh });
      const isCut = (x: number, z: number): boolean => cut.has(tileAt(x, z));
      // Tiles that wait for a rebuild and are not cut show what was before.
      if (pendingTileCount === provisionalTiles.length) {
        verifiedCount++;
        expect(overreachOf(world), what).toEqual([0, 0]);
      }
      const settled = updateWorld(world);
      expect(settled.pendingTileCount + settled.provisionalTiles.length).toBe(0);
      expect(validateNavMesh(world.navMesh), what).toEqual([]);
      expect(farthest(before, world.navMesh, random, isCut), what).toBeLessThan(MOST_CELLS * CELL);
      // A cut does not tell floors within the outline that the obstacle does not touch.
      if (stands) expect(farthest(world.navMesh, before, random, isCut), what).toBeLessThan(MOST_CELLS * CELL);
      const obstacles = listObstacles(world).map((one) => getObstacle(world, one) as Obstacle);
      const theirs = fresh(levels, { ...options, obstacles: createObstacles(obstacles) }, world.navMesh);
      const ours = tilesOf(world.navMesh);
      expect([...ours.keys()].sort(), what).toEqual([...theirs.keys()].sort());
      for (const [place, text] of theirs) expect(ours.get(place) === text, `${what}, tile ${place}`).toBe(true);
    }
    expect(cutPoints).toBeGreaterThan(0);
  });
});
