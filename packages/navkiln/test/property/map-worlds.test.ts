/**
 * Worlds over 2D maps after random operations, compared tile by tile with a new world of the same obstacles; by its area with
 * `buildFromPolygons` over the map with the obstacles' outlines; and point by point with the distance to all walls by brute force.
 */
import { describe, expect, it } from 'vitest';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import type { PolygonMap, PolygonOptions } from '../../src/build/polygon/options.ts';
import { findNearest2d } from '../../src/query/map/nearest-2d.ts';
import { createMapWorld } from '../../src/world/levels/map.ts';
import type { MapObstacle } from '../../src/world/levels/map-obstacle.ts';
import { getMapAreas, listMapLayers, setMapLayers } from '../../src/world/levels/map-layers.ts';
import { addObstacle, listObstacles, moveObstacle, removeObstacle } from '../../src/world/levels/obstacles.ts';
import type { World } from '../../src/world/levels/types.ts';
import { updateWorld } from '../../src/world/levels/update.ts';
import { seeded } from '../unit/meshes.ts';
import { tilesOf } from '../unit/world/levels/level-cases.ts';

const FIRST_SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const EDITS = 50;
const SEED_COUNT = Math.ceil(Number(process.env['NAVKILN_WORLD_OPERATIONS'] ?? 100) / EDITS);

const MAP: PolygonMap = {
  polygons: [
    {
      outline: [
        [0, 0],
        [60, 5],
        [58, 44],
        [20, 50],
        [-4, 30],
      ],
      holes: [
        [
          [20, 20],
          [26, 20],
          [26, 28],
          [20, 28],
        ],
      ],
    },
  ],
  obstacles: [
    [
      [40, 10],
      [50, 12],
      [44, 30],
    ],
  ],
};
const AREAS = [
  {
    name: 'mud',
    outline: [
      [5, 5],
      [30, 5],
      [30, 35],
      [5, 35],
    ] as [number, number][],
  },
];

const OPTION_SETS: PolygonOptions[] = [
  { tileSize: 12 },
  { tileSize: 9.7, radius: 0.8, arcTolerance: 0.01 },
  { tileSize: 15, radius: 2.5, arcTolerance: 0.01, yAxis: 'down' },
];

interface Placed {
  obstacle: MapObstacle;
  /** The outline around its origin. */
  shape: [number, number][];
}

function randomObstacle(random: () => number, sides: number): Placed {
  const size = (): number => 0.1 + 8 * random() * random();
  const place = randomPlace(random);
  const kind = Math.floor(3 * random());
  if (kind === 0) {
    const [w, h] = [size(), size()];
    const corners = [-1, 1].flatMap((a) => [-a, a].map((b): [number, number] => [(a * w) / 2, (b * h) / 2]));
    return { obstacle: { type: 'box', size: [w, h], ...place }, shape: corners };
  }
  if (kind === 1) {
    const radius = size() / 2;
    const far = radius / Math.cos(Math.PI / sides);
    const shape = Array.from({ length: sides }, (_, k): [number, number] => {
      const angle = ((k + 0.5) * 2 * Math.PI) / sides;
      return [far * Math.sin(angle), far * Math.cos(angle)];
    });
    return { obstacle: { type: 'cylinder', radius, ...place }, shape };
  }
  const count = 3 + Math.floor(5 * random());
  const [a, b] = [size(), size()];
  const shape = Array.from({ length: count }, (_, k): [number, number] => {
    const angle = (2 * Math.PI * (k + 0.8 * random())) / count;
    return [a * Math.cos(angle), b * Math.sin(angle)];
  });
  return { obstacle: { type: 'convex', outline: shape, ...place }, shape };
}

function randomPlace(random: () => number): { position: [number, number]; rotation: number } {
  const rotation = random() < 0.3 ? 90 * Math.floor(4 * random()) : 360 * random();
  return { position: [60 * random() - 2, 50 * random()], rotation };
}

/**
 * Returns the outline of a placed obstacle, by the engine's own sine. `down`: y points down, and turns are reversed.
 */
function outlineOf({ obstacle, shape }: Placed, down: boolean): [number, number][] {
  const { position, rotation } = obstacle as unknown as { position: [number, number]; rotation: number };
  const angle = ((down ? -rotation : rotation) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return shape.map(([x, y]) => [position[0] + cos * x - sin * y, position[1] + sin * x + cos * y]);
}

/** Returns the distance from a walkable point to the nearest wall, -1 for a point that is not walkable. */
function clearanceOf(point: [number, number], outline: [number, number][], solids: [number, number][][]): number {
  const [x, y] = point;
  const isIn = (ring: [number, number][]): boolean =>
    ring.reduce((inside, [ax, ay], k) => {
      const [bx, by] = ring[(k + 1) % ring.length]!;
      return ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay) ? !inside : inside;
    }, false);
  if (!isIn(outline) || solids.some(isIn)) return -1;
  let least = Infinity;
  for (const ring of [outline, ...solids]) {
    ring.forEach(([ax, ay], k) => {
      const [bx, by] = ring[(k + 1) % ring.length]!;
      const [dx, dy] = [bx - ax, by - ay];
      const u = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
      least = Math.min(least, Math.hypot(ax + u * dx - x, ay + u * dy - y));
    });
  }
  return least;
}

/** Returns the area of a mesh, or of its polygons with an area id. */
function areaOf(mesh: NavMesh, id?: number): number {
  let sum = 0;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const first = mesh.tilePolyStart[slot];
    for (let p = first; p < first + mesh.tilePolyCount[slot]; p++) {
      if (id !== undefined && mesh.polyArea[p] !== id) continue;
      const edges = mesh.polyEdgeStart[p];
      for (let k = 0; k < mesh.polyVertexCount[p]; k++) {
        const a = 3 * mesh.edgeVertex[edges + k];
        const b = 3 * mesh.edgeVertex[edges + ((k + 1) % mesh.polyVertexCount[p])];
        sum += (mesh.vertices[a + 2] * mesh.vertices[b] - mesh.vertices[a] * mesh.vertices[b + 2]) / 2;
      }
    }
  }
  return sum;
}

function fill(world: World, obstacles: Iterable<Placed>): World {
  for (const { obstacle } of obstacles) addObstacle(world, obstacle);
  return world;
}

describe('random operations on a world over a map', () => {
  it.each(Array.from({ length: SEED_COUNT }, (_, k) => FIRST_SEED + k))(
    'give the mesh of the same state, seed %i',
    (seed) => {
      const random = seeded(seed);
      const options = OPTION_SETS[seed % OPTION_SETS.length]!;
      const hasAreas = seed % 2 === 0;
      const map = hasAreas ? { ...MAP, areas: AREAS } : MAP;
      const world = createMapWorld(map, { ...options });
      // Tangents that meet 0.1 or 0.01 of the radius outside of the circle.
      const sides = options.arcTolerance === undefined ? 8 : 23;
      // A corner inside a wall is hidden from the build, and its tangents may look out by 0.01 of the radius.
      const { radius = 0 } = options;
      const obstacles = new Map<number, Placed>();
      let compared = 0;
      let kept = 0;
      for (let edit = 0; edit < EDITS; edit++) {
        const ids = listObstacles(world);
        const id = ids[Math.floor(random() * ids.length)];
        const roll = random();
        try {
          if (id === undefined || (roll < 0.5 && ids.length < 15)) {
            const placed = randomObstacle(random, sides);
            if (hasAreas && random() < 0.3)
              Object.assign(placed.obstacle, { effect: 'area', area: 2 + Math.floor(60 * random()) });
            obstacles.set(addObstacle(world, placed.obstacle), placed);
          } else if (roll < 0.8) {
            const place = randomPlace(random);
            moveObstacle(world, id, place);
            Object.assign(obstacles.get(id)!.obstacle, place);
          } else {
            removeObstacle(world, id);
            obstacles.delete(id);
          }
        } catch (error) {
          expect((error as Error).message).toMatch(/^(add|move)Obstacle: the box of (obstacle|placement)/);
        }
        if (random() < 0.5) continue;
        const what = `seed ${seed}, edit ${edit}`;
        if (random() < 0.3) updateWorld(world, { maxTiles: 1 + Math.floor(4 * random()) });
        const { navMesh, pendingTileCount, rebuiltTiles } = updateWorld(world);
        expect(pendingTileCount).toBe(0);
        expect(validateNavMesh(navMesh), what).toEqual([]);
        const like = fill(createMapWorld(map, { ...options }), obstacles.values());
        updateWorld(like);
        const ours = tilesOf(navMesh);
        const theirs = tilesOf(like.navMesh);
        expect([...ours.keys()].sort(), what).toEqual([...theirs.keys()].sort());
        for (const [place, text] of theirs) expect(ours.get(place) === text, `${what}, tile ${place}`).toBe(true);
        if (compared > 0 && rebuiltTiles.length < theirs.size) kept++;

        const holes = [...obstacles.values()].filter(({ obstacle }) => obstacle.effect !== 'area');
        const outlines = holes.map((placed) => outlineOf(placed, options.yAxis === 'down'));
        const built = buildFromPolygons({ ...map, obstacles: [...MAP.obstacles!, ...outlines] }, { ...options });
        // Lines of tiles cut outlines at rounded points, so the error grows with their number.
        const most = 1e-4 + 1e-5 * holes.length + 0.05 * radius;
        expect(Math.abs(areaOf(navMesh) - areaOf(built.navMesh)), what).toBeLessThan(most);
        const solids = [...MAP.polygons[0]!.holes!, ...MAP.obstacles!, ...outlines] as [number, number][][];
        for (let k = 0; k < 200; k++) {
          const point: [number, number] = [66 * random() - 5, 52 * random()];
          const clearance = clearanceOf(point, MAP.polygons[0]!.outline as [number, number][], solids);
          const { isInside } = findNearest2d(navMesh, point);
          if (clearance > 1.0101 * radius + 1e-6) expect(isInside, `${what}, point ${point}`).toBe(true);
          else if (clearance < radius - 1e-6) expect(isInside, `${what}, point ${point}`).toBe(false);
        }
        compared++;
      }
      expect(compared).toBeGreaterThan(5);
      expect(kept).toBeGreaterThan(0);
    },
  );
});

/** Returns a ring of random corners around a random position. */
function randomRing(random: () => number, size: number): [number, number][] {
  const [x, y] = randomPlace(random).position;
  const count = 3 + Math.floor(5 * random());
  return Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * (k + 0.8 * random())) / count;
    const far = size * (0.3 + random());
    return [x + far * Math.cos(angle), y + far * Math.sin(angle)];
  });
}

describe('random switches of layers, with obstacles', () => {
  it.each(Array.from({ length: Math.ceil(SEED_COUNT / 2) }, (_, k) => FIRST_SEED + k))(
    'give the mesh of the same state, seed %i',
    (seed) => {
      const random = seeded(1000 + seed);
      const options = OPTION_SETS[seed % OPTION_SETS.length]!;
      const { radius = 0 } = options;
      const layers = Array.from({ length: 6 }, (_, k) => ({
        name: `layer ${k}`,
        enabled: random() < 0.5,
        ...(k % 3 === 0 ? { polygons: [{ outline: randomRing(random, 12) }] } : {}),
        ...(k % 3 !== 2 ? { obstacles: [randomRing(random, 5), randomRing(random, 3)] } : {}),
        // One of them covers whole tiles.
        ...(k % 3 !== 0
          ? { areas: [{ name: k < 3 ? 'mud' : 'sand', cost: k, outline: randomRing(random, k < 3 ? 4 : 22) }] }
          : {}),
      }));
      for (const { areas } of layers) for (const area of areas ?? []) area.cost = area.name === 'mud' ? 3 : 2;
      const map: PolygonMap = { ...MAP, layers };
      const world = createMapWorld(map, { ...options });
      const obstacles = new Map<number, Placed>();
      const state: Record<string, boolean> = Object.fromEntries(layers.map(({ name, enabled }) => [name, enabled]));
      let kept = 0;
      for (let edit = 0; edit < 25; edit++) {
        const what = `seed ${seed}, edit ${edit}`;
        if (edit > 12 && random() < 0.5) {
          const placed = randomObstacle(random, 8);
          try {
            obstacles.set(addObstacle(world, placed.obstacle), placed);
          } catch (error) {
            expect((error as Error).message).toMatch(/^addObstacle: the box of obstacle/);
          }
        }
        const change: Record<string, boolean> = {};
        for (const name of Object.keys(state)) if (random() < 0.3) change[name] = random() < 0.5;
        Object.assign(state, change);
        setMapLayers(world, change);
        if (random() < 0.3) continue;
        const { navMesh, rebuiltTiles } = updateWorld(world);
        expect(validateNavMesh(navMesh), what).toEqual([]);
        expect(listMapLayers(world)).toEqual(Object.entries(state).map(([name, enabled]) => ({ name, enabled })));
        const like = fill(createMapWorld(map, { ...options, layers: state }), obstacles.values());
        updateWorld(like);
        expect(tilesOf(navMesh), what).toEqual(tilesOf(like.navMesh));
        if (edit > 0 && rebuiltTiles.length < tilesOf(navMesh).size) kept++;
        if (obstacles.size > 0) continue;
        const built = buildFromPolygons(map, { ...options, layers: state });
        expect(getMapAreas(world)).toEqual({ areas: built.areas, areaCosts: built.areaCosts });
        for (const id of [undefined, 63, ...built.areas.map((area) => area.id)]) {
          expect(Math.abs(areaOf(navMesh, id) - areaOf(built.navMesh, id)), `${what}, area ${id}`).toBeLessThan(
            1e-4 + 0.001 * radius,
          );
        }
      }
      expect(kept).toBeGreaterThan(3);
    },
  );
});
