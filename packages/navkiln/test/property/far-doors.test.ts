/**
 * Rooms with doors on tile borders, far from the origin. Coordinates are doubles, so all builders give the same paths as at the
 * origin: the same status, the same length and corners within a millimeter.
 */
import { describe, expect, it } from 'vitest';
import { randomLevel } from '../../../scenes/src/index.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import { explainPath } from '../../src/query/explain/explain.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { buildFromSurface } from '../../src/build/surface/build.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { createWorld } from '../../src/world/levels/create.ts';
import { addLevel } from '../../src/world/levels/levels.ts';
import { updateWorld } from '../../src/world/levels/update.ts';
import { createSurfaceWorld } from '../../src/world/levels/surface.ts';
import { seeded } from '../unit/meshes.ts';

type Point = [number, number, number];

const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const SEED_COUNT = Number(process.env['NAVKILN_FAR'] ?? 1);
const ROOM = 4;
const SIDE = 8 * ROOM;
const TILE_SIZES = [3.2, 8, 16];
const CELL_SIZE = 0.125;
/** Berlin in UTM, London in Web Mercator, Berlin in ECEF, places with negative coordinates, and round numbers. */
const PLACES: Point[] = [
  [391_776.25, 34.5, -5_820_040.5],
  [-13_358.75, 12, -6_711_510.25],
  [3_782_970.5, 902_154.25, 5_038_375.75],
  [-5_200_000.125, -120, -1_700_000.5],
  [1e7, 0, 1e7],
  [-1e7, 1e7, 0],
  [16_777_217, 0, -3],
  [131_072.5, -8192.25, 65_535.75],
];

interface Level {
  positions: number[];
  indices: number[];
  /** Footprints of walls: x0, z0, x1, z1. */
  walls: number[][];
}

/** Rounds to a number that float32 has also within a few kilometers. The voxel bake moves levels to such a distance of the origin. */
function onGrid(value: number): number {
  return Math.round(value * 1024) / 1024;
}

/**
 * Moves a place by five tiles if it lies an odd number of tiles from the origin. Every other tile cuts walls at its sides
 * at the next cell, so that only levels that are an even number apart have the same outlines.
 */
function onEvenTile([x, y, z]: Point, tileSize: number): Point {
  const side = CELL_SIZE * Math.round(tileSize / CELL_SIZE);
  const isOdd = (Math.floor((x + z) / side + 0.3) & 1) !== 0;
  return [isOdd ? x + 5 * side : x, y, z];
}

/** Returns whether all corners of a line lie on another line, within a millimeter. */
function isOnLine(points: readonly (readonly number[])[], line: readonly (readonly number[])[]): boolean {
  return points.every((p) =>
    line.some((a, i) => {
      const b = line[Math.min(i + 1, line.length - 1)];
      const d = b.map((value, k) => value - a[k]);
      const lengthSq = d.reduce((sum, value) => sum + value * value, 0);
      const dot = d.reduce((sum, value, k) => sum + value * (p[k] - a[k]), 0);
      const t = lengthSq > 0 ? Math.min(1, Math.max(0, dot / lengthSq)) : 0;
      return Math.hypot(...d.map((value, k) => a[k] + t * value - p[k])) < 1e-3;
    }),
  );
}

/** Returns a floor with rooms, which are connected by doors of 0.9 to 3 m. */
function rooms(random: () => number, count: number): Level {
  const side = count * ROOM;
  const walls: number[][] = [];
  const wall = (isAcross: boolean, at: number, from: number): void => {
    const door = 0.9 + 2.1 * random();
    const start = from + 0.3 + random() * (ROOM - door - 0.6);
    const line = at + 0.4 * (random() - 0.5);
    const hasDoor = at > 0 && at < side && (isAcross || random() < 0.5 || from === 0);
    for (const [a, b] of hasDoor
      ? [
          [from, start],
          [start + door, from + ROOM],
        ]
      : [[from, from + ROOM]])
      walls.push(isAcross ? [line - 0.07, a, line + 0.07, b] : [a, line - 0.07, b, line + 0.07]);
  };
  for (let i = 1; i < count; i++) {
    for (let k = 0; k < count; k++) {
      wall(true, i * ROOM, k * ROOM);
      wall(false, i * ROOM, k * ROOM);
    }
  }
  const positions = [0, 0, 0, 0, 0, side, side, 0, side, side, 0, 0];
  const indices = [0, 1, 2, 0, 2, 3];
  for (const [x0, z0, x1, z1] of walls) {
    const first = positions.length / 3;
    for (const y of [0, 3]) positions.push(x0, y, z0, x1, y, z0, x1, y, z1, x0, y, z1);
    for (const [a, b, c, d] of [
      [4, 7, 6, 5],
      [0, 4, 5, 1],
      [1, 5, 6, 2],
      [2, 6, 7, 3],
      [3, 7, 4, 0],
    ])
      indices.push(...[a, b, c, a, c, d].map((corner) => first + corner));
  }
  return { positions: positions.map(onGrid), indices, walls: walls.map((wall) => wall.map(onGrid)) };
}

const agent = { radius: 0.25, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };

type Build = (level: Level, place: Point, tileSize: number) => NavMesh;

const moved = ({ positions, indices }: Level, place: Point): { positions: Float64Array; indices: number[] } => ({
  positions: Float64Array.from(positions, (value, k) => value + place[k % 3]),
  indices,
});
const boundsAt = (place: Point): { min: number[]; max: number[] } => ({
  min: place.map((value, k) => value - (k === 1 ? 1 : 0)),
  max: place.map((value, k) => value + (k === 1 ? 5 : SIDE)),
});

const BUILDERS: [name: string, build: Build][] = [
  [
    'voxel',
    (level, place, tileSize) =>
      buildNavMesh(moved(level, place), {
        agent,
        cellSize: CELL_SIZE,
        cellHeight: 0.125,
        tileSize,
        bounds: boundsAt(place),
      }).navMesh,
  ],
  [
    'world',
    (level, place, tileSize) => {
      const world = createWorld({ agent, cellSize: CELL_SIZE, cellHeight: 0.125, tileSize, bounds: boundsAt(place) });
      addLevel(world, moved(level, place));
      updateWorld(world);
      return world.navMesh;
    },
  ],
  [
    'surface',
    (level, place, tileSize) => buildFromSurface(moved(level, place), { agent, tileSize, weldTolerance: 1e-4 }).navMesh,
  ],
  [
    'surface world',
    (level, place, tileSize) => {
      const world = createSurfaceWorld({ agent, tileSize, weldTolerance: 1e-4 });
      addLevel(world, moved(level, place));
      updateWorld(world);
      return world.navMesh;
    },
  ],
  [
    'map',
    ({ walls }, [x, , z], tileSize) => {
      const ring = (x0: number, z0: number, x1: number, z1: number): [number, number][] => [
        [x + x0, -z - z0],
        [x + x1, -z - z0],
        [x + x1, -z - z1],
        [x + x0, -z - z1],
      ];
      const obstacles = walls.map(([x0, z0, x1, z1]) => ring(x0, z0, x1, z1));
      const map = { polygons: [{ outline: ring(0, 0, SIDE, SIDE) }], obstacles };
      return buildFromPolygons(map, { radius: 0.25, tileSize }).navMesh;
    },
  ],
];

function pairs(random: () => number, count: number): [Point, Point][] {
  const spot = (): Point => {
    const [i, k] = [Math.floor(random() * count), Math.floor(random() * count)];
    return [i * ROOM + 1 + 2 * random(), 0, k * ROOM + 1 + 2 * random()];
  };
  return Array.from({ length: 40 }, () => [spot(), spot()]);
}

describe('doors far from the origin', () => {
  for (let seed = SEED; seed < SEED + SEED_COUNT; seed++) {
    for (const [name, build] of BUILDERS) {
      it(`${name}: the same paths as at the origin, seed ${seed}`, { timeout: 120_000 }, () => {
        const random = seeded(seed);
        // Surfaces take a second for 64 rooms.
        const isSlow = name.includes('surface') && SEED_COUNT === 1;
        const count = isSlow ? 4 : 8;
        const level = rooms(random, count);
        const asked = pairs(random, count);
        // The tiles of surfaces and maps begin at x = z = 0.
        const onTile = (value: number): number => Math.round(value / 16) * 16;
        const by = ([x, y, z]: Point): Point =>
          name.includes('surface') ? [onTile(x), y, onTile(z)] : [x, name === 'map' ? 0 : y, z];
        const faults: string[] = [];
        let complete = 0;
        const share = isSlow ? 6 : 3;
        TILE_SIZES.forEach((tileSize, which) => {
          const near = build(level, [0, 0, 0], tileSize);
          for (const spot of PLACES.filter((_, i) => i % share === which || SEED_COUNT > 1).map(by)) {
            const place = onEvenTile(spot, tileSize);
            const far = build(level, place, tileSize);
            if (validateNavMesh(far).length > 0) faults.push(`invalid at ${place.join()}`);
            for (const [from, to] of asked) {
              const path = findOptimalPath(near, from, to);
              const there = findOptimalPath(far, move(from, place), move(to, place));
              if (path.status === 'complete') complete++;
              const corners = there.points.map((point) => point.map((value, k) => value - place[k]));
              const isSame =
                there.status === path.status &&
                (path.status !== 'complete' ||
                  (Math.abs(there.length - path.length) < 1e-3 &&
                    isOnLine(corners, path.points) &&
                    isOnLine(path.points, corners)));
              if (isSame) continue;
              const why = explainPath(far, move(from, place), move(to, place)).message;
              faults.push(
                `tiles of ${tileSize} at ${place.join()}: ${from.join()} to ${to.join()}: ${path.status} ${path.length}, ` +
                  `${path.points.length}; ${there.status} ${there.length}, ${there.points.length}: ${why}`,
              );
            }
          }
        });
        expect(faults.slice(0, 3)).toEqual([]);
        expect(complete).toBeGreaterThan(100);
      });
    }
  }
});

function move(point: Point, by: Point): Point {
  return [point[0] + by[0], point[1] + by[1], point[2] + by[2]];
}

it('stairs of rooms are open over borders of tiles at 10,000 km', () => {
  // Extra vertices of the detail within a meter of the border once counted as vertices on it: an island was cut off.
  const { positions, indices, offset, agent } = randomLevel('rooms', 2);
  const bake = (far: number): NavMesh => {
    const moved = Float64Array.from(positions, (value, k) => {
      const own = Math.round(64 * Math.fround(value - offset[k % 3])) / 64;
      return k % 3 === 1 ? own : own + far;
    });
    return buildNavMesh({ positions: moved, indices }, { agent, cellSize: 0.1875, tileSize: 7.5 }).navMesh;
  };
  expect(bake(1e7).portalCount).toBe(bake(0).portalCount);
});
