/**
 * Worlds after random operations compared with a fresh bake of the same levels and obstacles, number by number: levels and obstacles of
 * all shapes and effects are added, moved and removed.
 */
import { createVolumes } from '../../src/build/voxel/volumes.ts';
import { dynamicLayers } from '../../src/build/voxel/obstacles/baked-layers.ts';
import { layersPartition } from '../../src/build/voxel/regions/layers.ts';
import { monotonePartition } from '../../src/build/voxel/regions/monotone.ts';
import { describe, expect, it } from 'vitest';
import { isEnabled, listNames, setEnabled } from '../../src/mesh/change/enable.ts';
import { loadNavMesh } from '../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../src/mesh/file/save.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { createObstacles } from '../../src/build/voxel/obstacles/create-obstacles.ts';
import type { BuildOptions, Obstacle } from '../../src/build/voxel/options.ts';
import { createWorld, openWorld } from '../../src/world/levels/create.ts';
import { addLevel, listLevels, moveLevel, removeLevel } from '../../src/world/levels/levels.ts';
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
import {
  box,
  fresh,
  randomPiece,
  randomPlacement,
  SET_OPTIONS,
  tilesOf,
  union,
} from '../unit/world/levels/level-cases.ts';
import type { Placed } from '../unit/world/levels/level-cases.ts';

/** Operations of a seed, and the number of seeds. */
const EDITS = 60;
const SEED_COUNT = Math.ceil(Number(process.env['NAVKILN_WORLD_OPERATIONS'] ?? 240) / EDITS);
const FIRST_SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const END = performance.now() + 1000 * Number(process.env['NAVKILN_WORLD_SECONDS'] ?? 600);
/** Operations between two comparisons, on average. */
const PER_UPDATE = 3;

const OPTION_SETS: BuildOptions[] = [
  SET_OPTIONS,
  {
    ...SET_OPTIONS,
    partition: layersPartition,
    medianAreas: true,
    volumes: createVolumes([
      {
        type: 'prism',
        name: 'door',
        outline: [
          [-6, -6],
          [-2, 8],
          [1, 8],
          [-1, -6],
        ],
        minY: -9,
        maxY: 9,
      },
      { type: 'cylinder', area: 9, name: 'pit', center: [2, -9, 2], radius: 4, height: 18 },
    ]),
  },
  {
    ...SET_OPTIONS,
    partition: monotonePartition,
    agent: { ...SET_OPTIONS.agent, radius: 0.9 },
    volumes: createVolumes([
      { type: 'box', area: 7, min: [-5, -3, -5], max: [3, 3, 3] },
      { type: 'box', name: 'door', min: [-1, -3, -9], max: [1, 3, 9] },
    ]),
  },
  // A span may be connected with several of one column.
  { ...SET_OPTIONS, partition: layersPartition, agent: { ...SET_OPTIONS.agent, radius: 0.2, maxClimb: 1.7 } },
];

function randomObstacle(random: () => number): WorldObstacle {
  const about = (width: number): number => (random() - 0.5) * width;
  const size = (): number => 0.1 + 3 * random() * random();
  const effect = (['hole', 'hole', 'area', 'surface'] as const)[Math.floor(4 * random())];
  const common = {
    position: [about(30), about(3), about(30)],
    rotation:
      random() < 0.3 ? [about(90), about(360), about(90)] : random() < 0.5 ? 90 * Math.floor(4 * random()) : about(360),
    effect,
    ...(effect === 'hole' ? {} : { area: 1 + Math.floor(63 * random()) }),
    ...(random() < 0.2 ? { carveAfterSeconds: random(), carveOnlyStationary: random() < 0.5 } : {}),
  };
  const kind = Math.floor(4 * random());
  if (kind === 0) return { ...common, type: 'box', size: [size(), size(), size()] };
  if (kind === 1) return { ...common, type: 'cylinder', radius: size() / 2, height: size() };
  if (kind === 2) {
    const outline = Array.from({ length: 3 + Math.floor(5 * random()) }, () => [about(4), about(4)]);
    return { ...common, type: 'convex', outline, minY: -size(), maxY: size() };
  }
  const { positions, indices } = random() < 0.5 ? box(size(), size(), size()) : randomPiece(random);
  return { ...common, type: 'mesh', positions, indices };
}

/** Adds, moves or removes an obstacle. An obstacle that the world refuses leaves it as it was. */
function editObstacles(world: World, random: () => number): void {
  const ids = listObstacles(world);
  const id = ids[Math.floor(random() * ids.length)];
  const roll = random();
  if (id === undefined || (roll < 0.45 && ids.length < 20)) {
    try {
      addObstacle(world, randomObstacle(random));
    } catch (error) {
      expect((error as Error).message).toMatch(/^addObstacle: (the box of )?obstacle/);
      expect(listObstacles(world)).toEqual(ids);
    }
  } else if (roll < 0.8) {
    const { position, rotation } = randomObstacle(random);
    try {
      moveObstacle(world, id, { position, rotation });
    } catch (error) {
      expect((error as Error).message).toMatch(/^moveObstacle: the box of placement/);
    }
  } else removeObstacle(world, id);
}

/** The obstacles of a world as the bake takes them. */
function bakedObstacles(world: World): Obstacle[] {
  return listObstacles(world).map((id) => {
    const { carveAfterSeconds: _, carveOnlyStationary: __, ...obstacle } = getObstacle(world, id)!;
    return obstacle as Obstacle;
  });
}

describe('random operations give the mesh of a fresh bake', () => {
  it.each(Array.from({ length: SEED_COUNT }, (_, k) => FIRST_SEED + k))('seed %i', (seed) => {
    if (performance.now() > END) return;
    const random = seeded(seed);
    const options = OPTION_SETS[seed % OPTION_SETS.length]!;
    const world = createWorld(options);
    const levels = new Map<number, Placed>();
    const pick = (ids: number[]): number | undefined => ids[Math.floor(random() * ids.length)];
    let compared = 0;
    const closed = new Map<string, boolean>();
    for (let edit = 0; edit < EDITS; edit++) {
      const roll = random();
      const level = pick(listLevels(world));
      if (level === undefined || (roll < 0.06 && levels.size < 8)) {
        const placed = { piece: randomPiece(random), placement: randomPlacement(random) };
        levels.set(addLevel(world, placed.piece, placed.placement), placed);
      } else if (roll < 0.1) {
        levels.get(level)!.placement = randomPlacement(random);
        moveLevel(world, level, levels.get(level)!.placement);
      } else if (roll < 0.12 && levels.size > 1) {
        // The fresh bake takes its bounds from the levels.
        removeLevel(world, level);
        levels.delete(level);
      } else editObstacles(world, random);
      for (const name of listNames(world.navMesh)) {
        if (random() < 0.3) closed.set(name, random() < 0.5);
        if (closed.has(name)) setEnabled(world.navMesh, name, closed.get(name)!);
      }
      if (random() * PER_UPDATE > 1) continue;
      if (random() < 0.5) updateWorld(world, { maxTiles: 1 + Math.floor(9 * random()), seconds: 0.2 });
      const { navMesh, pendingTileCount, waitingObstacleCount } = updateWorld(world, { seconds: 9 });
      const what = `seed ${seed}, edit ${edit}`;
      expect(pendingTileCount + waitingObstacleCount).toBe(0);
      expect(validateNavMesh(navMesh), what).toEqual([]);
      const obstacles = bakedObstacles(world);
      const ours = tilesOf(navMesh);
      const theirs = fresh(
        listLevels(world).map((id) => levels.get(id)!),
        { ...options, obstacles: createObstacles(obstacles) },
        navMesh,
      );
      expect([...ours.keys()].sort(), what).toEqual([...theirs.keys()].sort());
      for (const [place, text] of theirs) expect(ours.get(place) === text, `${what}, tile ${place}`).toBe(true);
      compared += obstacles.length;
      for (const [name, enabled] of closed) expect(isEnabled(navMesh, name), what).toBe(enabled);
    }
    expect(compared).toBeGreaterThan(0);
  });
});

describe('a world that is opened from a saved mesh gives the mesh of a fresh bake', () => {
  it.each([1, 2, 3, 4])('seed %i', (seed) => {
    const random = seeded(100 + seed);
    const options = OPTION_SETS[seed % OPTION_SETS.length]!;
    const levels = Array.from({ length: 6 }, () => ({
      piece: randomPiece(random),
      placement: randomPlacement(random),
    }));
    const doubles = union(levels);
    // Floats stay where they are, doubles are moved near the origin tile by tile.
    const input = seed % 2 === 0 ? doubles : { ...doubles, positions: Float32Array.from(doubles.positions) };
    const { navMesh, report } = buildNavMesh(input, { ...options, dynamic: dynamicLayers });
    const { boundsMin, boundsMax, offset } = report.config;
    const bounds = { min: boundsMin.map((v, k) => v + offset[k]!), max: boundsMax.map((v, k) => v + offset[k]!) };
    const saved = saveNavMesh(navMesh);
    expect(saveNavMesh(loadNavMesh(saved.slice()))).toEqual(saved);
    const world = openWorld(loadNavMesh(saved));
    const later = { piece: randomPiece(random), placement: { position: [1, 0.5, 1] } };
    let hasLater = false;
    for (let edit = 0; edit < 24; edit++) {
      if (edit === 12 && seed % 2 === 0) {
        addLevel(world, later.piece, later.placement);
        hasLater = true;
      } else editObstacles(world, random);
      if (edit % 3 > 0) continue;
      updateWorld(world, { seconds: 9 });
      expect(validateNavMesh(world.navMesh), `edit ${edit}`).toEqual([]);
      const all = hasLater ? union([...levels, later]) : input;
      const theirs = buildNavMesh(all, {
        ...options,
        bounds,
        obstacles: createObstacles(bakedObstacles(world)),
      }).navMesh;
      expect(tilesOf(world.navMesh), `edit ${edit}`).toEqual(tilesOf(theirs));
    }
    expect(listObstacles(world).length).toBeGreaterThan(0);
  });
});
