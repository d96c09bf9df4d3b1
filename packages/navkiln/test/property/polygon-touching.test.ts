/**
 * What touches is joined, and what touches blocks: floors that share parts of slanted sides, bricks, walls of blocks,
 * lattices and rectangles, turned by any angle. As one tile, in tiles and as worlds, each path is as long as the exact one on
 * the map before it was turned, or blocked like it. The area is the exact one up to half a grid step along all walls; where no coordinate
 * is rounded, up to 1e-12 of it. A world has the area of the fresh build, and the same tiles as a world
 * that was edited. NAVKILN_TOUCHING sets the maps per kind (default 20), NAVKILN_SEED the first seed, and NAVKILN_SECONDS the time after which each test
 * ends, with the number of its maps.
 */
import { describe, expect, it, vi } from 'vitest';
import { createProjection, unprojectPoint } from '../../src/formats/maps/geojson-projection.ts';
import { parseGeoJson } from '../../src/formats/maps/geojson.ts';
import { parseTiled } from '../../src/formats/maps/tiled/tiled.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import { findPath2d } from '../../src/query/map/path-2d.ts';
import type { PolygonOptions } from '../../src/build/polygon/options.ts';
import { createMapWorld } from '../../src/world/levels/map.ts';
import type { MapWorldOptions } from '../../src/world/levels/map.ts';
import { addObstacle, removeObstacle } from '../../src/world/levels/obstacles.ts';
import { updateWorld } from '../../src/world/levels/update.ts';
import { seeded } from '../unit/meshes.ts';
import { distanceToSegment } from '../unit/build/polygon/map-oracle.ts';
import { tilesOf } from '../unit/world/levels/level-cases.ts';
import {
  TOUCHING_KINDS,
  exactArea,
  exactLength,
  exactMotion,
  movedMap,
  randomMotion,
  touchingMap,
  wallsOf,
} from '../unit/build/polygon/touching-maps.ts';
import type { Motion, MovedMap, P, TouchingKind, TouchingMap } from '../unit/build/polygon/touching-maps.ts';

const MAPS = Number(process.env.NAVKILN_TOUCHING ?? 10);
const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const SECONDS = Number(process.env.NAVKILN_SECONDS ?? Infinity);
/** For ten thousand maps. */
vi.setConfig({ testTimeout: 300_000 + 500 * MAPS });

/** Returns the faults of the maps of many seeds, until the time is up. */
function faultsOfAll(name: string, count: number, faultsOfSeed: (seed: number) => string[]): string[] {
  const end = performance.now() + 1000 * SECONDS;
  const faults: string[] = [];
  let seed = SEED;
  while (seed < SEED + count && performance.now() < end) faults.push(...faultsOfSeed(seed++));
  if (MAPS > 100) console.info(`${name}: ${seed - SEED} maps from seed ${SEED}, ${faults.length} faults`);
  return faults;
}

/** Returns the sum of the areas of all polygons, seen from above. Far from the origin, coordinates have few digits left. */
function areaOf(mesh: NavMesh): number {
  let sum = 0;
  const [x0, , z0] = mesh.vertices;
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    const first = mesh.polyEdgeStart[poly];
    const end = first + mesh.polyVertexCount[poly];
    for (let e = first; e < end; e++) {
      const a = 3 * mesh.edgeVertex[e];
      const b = 3 * mesh.edgeVertex[e + 1 < end ? e + 1 : first];
      const [ax, az] = [mesh.vertices[a] - x0, mesh.vertices[a + 2] - z0];
      const [bx, bz] = [mesh.vertices[b] - x0, mesh.vertices[b + 2] - z0];
      sum += (az * bx - ax * bz) / 2;
    }
  }
  return Math.abs(sum);
}

// oxlint-disable-next-line max-params -- a helper of one test
function faultsOf(
  mesh: NavMesh,
  made: TouchingMap,
  lengths: number[],
  { move, scale }: Motion,
  name: string,
  tolerance = 1e-5,
): string[] {
  const faults: string[] = [];
  made.queries.forEach(([from, to], k) => {
    const { status, length } = findPath2d(mesh, move(from), move(to));
    const wanted = lengths[k] * scale;
    const got = status === 'complete' ? length : Infinity;
    if (wanted === got || Math.abs(wanted - got) <= tolerance * (wanted + 10 * scale)) return;
    faults.push(`${name}: from ${from.join(',')} to ${to.join(',')}: ${status} ${length / scale}, exact ${lengths[k]}`);
  });
  return faults;
}

function faultsOfMap(kind: TouchingKind, seed: number): string[] {
  const made = touchingMap(kind, seed);
  const walls = wallsOf(made);
  const lengths = made.queries.map(([from, to]) => exactLength(walls, from, to));
  const random = seeded(seed + 5);
  const isExact = seed % 4 === 3;
  const scale = 0.5 + random();
  const motion: Motion = isExact
    ? exactMotion(random)
    : seed % 8 === 1
      ? { scale, move: ([x, y]) => [scale * x, scale * y] }
      : randomMotion(random);
  const moved = movedMap(made, motion);
  // Each ring has its own rounding errors, as if its corners had been computed.
  const map = seed % 4 === 1 ? shaken(moved, 1e-9 * extentOf(moved), random) : moved;
  const name = `${kind}, seed ${seed}`;
  const faults: string[] = [];
  const wanted = exactArea(walls) * motion.scale ** 2;
  const perimeter = motion.scale * walls.reduce((sum, { a, b }) => sum + Math.hypot(b[0] - a[0], b[1] - a[1]), 0);
  const expectArea = (area: number, of: number, at: string, slack: number): void => {
    if (!(Math.abs(area - of) <= slack + 1e-12 * of)) faults.push(`${at}: area ${area}, exact ${of}`);
  };
  const tileSize = extentOf(map) / 3.7;
  let fresh = 0;
  let gridSize = 0;
  for (const size of [0, tileSize]) {
    const { navMesh, report } = buildFromPolygons(map, { tileSize: size });
    ({ gridSize } = report.frame);
    const at = `${name}, tiles of ${size}`;
    for (const { message } of validateNavMesh(navMesh)) faults.push(`${at}: ${message}`);
    faults.push(...faultsOf(navMesh, made, lengths, motion, at));
    fresh = areaOf(navMesh);
    // Sides of tiles cut walls, which rounds them once more.
    expectArea(fresh, wanted, at, (size > 0 ? 1 : isExact ? 0 : 0.5) * gridSize * perimeter);
  }
  const world = worldOf(map, { tileSize });
  faults.push(...faultsOf(world, made, lengths, motion, `${name}, world`));
  expectArea(areaOf(world), fresh, `${name}, world`, gridSize * perimeter);
  if (seed % 4 !== 2) return faults;
  const edited = tilesOf(worldOf(map, { tileSize }, 'edited'));
  for (const [tile, text] of tilesOf(worldOf(map, { tileSize }, 'reversed'))) {
    if (edited.get(tile) !== text) faults.push(`${name}, world: tile ${tile} depends on edits`);
  }
  return faults;
}

/** Returns the map with each corner of each ring moved by up to a distance. */
function shaken({ polygons, obstacles }: MovedMap, by: number, random: () => number): MovedMap {
  const shake = (ring: P[]): P[] => ring.map(([x, y]) => [x + by * (random() - 0.5), y + by * (random() - 0.5)]);
  return { polygons: polygons.map(({ outline }) => ({ outline: shake(outline) })), obstacles: obstacles.map(shake) };
}

/** Returns the larger side of the box around the floors. */
function extentOf({ polygons }: MovedMap): number {
  const { low, high } = boxOf(polygons.flatMap(({ outline }) => outline));
  return Math.max(high[0] - low[0], high[1] - low[1]);
}

function boxOf(points: P[]): { low: P; high: P } {
  const along = (pick: (...values: number[]) => number): P => [
    pick(...points.map((p) => p[0])),
    pick(...points.map((p) => p[1])),
  ];
  return { low: along(Math.min), high: along(Math.max) };
}

/**
 * Returns the mesh of a world over the floors of a map, to which its obstacles are added: in their order, in reverse order, or edited
 * until it has them in reverse order.
 */
function worldOf(map: MovedMap, options: PolygonOptions, order: 'given' | 'reversed' | 'edited' = 'given'): NavMesh {
  const box = boxOf(map.polygons.flatMap(({ outline }) => outline));
  const [width, height] = [0, 1].map((axis) => box.high[axis] - box.low[axis]);
  // Obstacles of a world are convex, and not larger than it.
  const fixed = map.obstacles.filter((ring) => {
    const { low, high } = boxOf(ring);
    return !isConvex(ring) || (high[0] - low[0] > width && high[1] - low[1] > height);
  });
  const world = createMapWorld({ polygons: map.polygons, obstacles: fixed }, options as MapWorldOptions);
  const add = (outline: P[]): number => addObstacle(world, { type: 'convex', outline, position: [0, 0] } as never);
  const obstacles = map.obstacles.filter((outline) => {
    // Obstacles outside of the map are refused.
    const { low, high } = boxOf(outline);
    const isFar = [0, 1].some((axis) => {
      const margin = 1e-6 * (box.high[axis] - box.low[axis]);
      return low[axis] > box.high[axis] - margin || high[axis] < box.low[axis] + margin;
    });
    return !isFar && !fixed.includes(outline);
  });
  if (order !== 'given') obstacles.reverse();
  const early = order === 'edited' && obstacles.length > 0 ? add(obstacles.at(-1)!) : -1;
  for (const outline of early < 0 ? obstacles : obstacles.slice(0, -1)) {
    add(outline);
    if (order === 'edited') updateWorld(world);
  }
  if (early >= 0) {
    removeObstacle(world, early as never);
    updateWorld(world);
    add(obstacles.at(-1)!);
  }
  updateWorld(world);
  return world.navMesh;
}

/** Returns whether a ring turns to one side at all corners. */
function isConvex(ring: P[]): boolean {
  const turns = ring.map(([x, y], k) => {
    const [[ax, ay], [bx, by]] = [ring[(k + 1) % ring.length], ring[(k + 2) % ring.length]];
    return Math.sign((ax - x) * (by - ay) - (ay - y) * (bx - ax));
  });
  return new Set(turns).size === 1;
}

const distanceTo = (walls: { a: P; b: P }[], p: P): number =>
  Math.min(...walls.map(({ a, b }) => distanceToSegment(p, a, b)));

/** With a radius, the answers are those on the map before it was turned. */
function faultsOfRadius(kind: TouchingKind, seed: number): string[] {
  const made = touchingMap(kind, seed);
  const walls = wallsOf(made);
  const random = seeded(seed + 5);
  const motion = randomMotion(random);
  const radius = 0.05 + 0.9 * random();
  const still: Motion = { move: (p) => p, scale: 1 };
  const away = made.queries.filter((query) => query.every((p) => distanceTo(walls, p) > 1.2 * radius));
  const kept = { ...made, queries: away };
  const exact = buildFromPolygons(movedMap(made, still), { radius, arcTolerance: 0.01 }).navMesh;
  const lengths = away.map(([from, to]) => {
    const { status, length } = findPath2d(exact, from, to);
    return status === 'complete' ? length : Infinity;
  });
  const map = movedMap(made, motion);
  const options = { radius: radius * motion.scale, arcTolerance: 0.01 };
  const tileSize = Math.min(15.3 * motion.scale, extentOf(map));
  const name = `${kind}, seed ${seed}, radius ${radius}`;
  const build = (more: PolygonOptions): NavMesh => buildFromPolygons(map, { ...options, ...more }).navMesh;
  return [
    ...faultsOf(build({ tileSize: 0 }), kept, lengths, motion, name),
    ...faultsOf(build({ tileSize }), kept, lengths, motion, `${name}, in tiles`),
    // A world has arcs around hidden corners.
    ...faultsOf(worldOf(map, { ...options, tileSize }), kept, lengths, motion, `${name}, world`, 0.02),
  ];
}

/** A map as GeoJSON with some digits, at 0.1 to 10 meters for a unit. */
function faultsOfDigits(kind: TouchingKind, seed: number, digits: number): string[] {
  const made = touchingMap(kind, seed);
  const walls = wallsOf(made);
  const lengths = made.queries.map(([from, to]) => exactLength(walls, from, to));
  const random = seeded(seed + 9);
  const angle = 2 * Math.PI * random();
  const scale = digits < 9 ? 1 + 9 * random() : 0.1 + random();
  const [cos, sin] = [scale * Math.cos(angle), scale * Math.sin(angle)];
  const projection = createProjection([13 + random(), 52 * random()]);
  const move = ([x, y]: P): P => [cos * x - sin * y, sin * x + cos * y];
  const write = (p: P): number[] => unprojectPoint(projection, move(p)).map((value) => Number(value.toFixed(digits)));
  const feature = (ring: P[], properties: object): object => {
    const coordinates = [[...ring, ring[0]].map(write)];
    return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates } };
  };
  const features = [
    ...made.floors.map((ring) => feature(ring, {})),
    ...made.obstacles.map((ring) => feature(ring, { obstacle: true })),
  ];
  const map = parseGeoJson({ type: 'FeatureCollection', features }, { projection });
  const { navMesh } = buildFromPolygons(map);
  return faultsOf(navMesh, made, lengths, { move, scale }, `${kind}, seed ${seed}, ${digits} digits`, 2e-3);
}

/** Rectangles as objects of a map of Tiled in XML, with six digits. */
function faultsOfObjects(seed: number): string[] {
  const made = touchingMap('rectangles', seed);
  const walls = wallsOf(made);
  const lengths = made.queries.map(([from, to]) => exactLength(walls, from, to));
  const random = seeded(seed + 9);
  const degrees = 360 * random();
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const scale = 4 + 8 * random();
  const move = ([x, y]: P): P => [400 + scale * (cos * x - sin * y), 400 + scale * (sin * x + cos * y)];
  const six = (value: number): string => String(Number(value.toPrecision(6)));
  const objectsOf = (rings: P[][]): string =>
    rings
      .map((ring) => {
        const low: P = [Math.min(...ring.map((p) => p[0])), Math.min(...ring.map((p) => p[1]))];
        const [x, y] = move(low);
        const [w, h] = [0, 1].map((axis) => scale * (Math.max(...ring.map((p) => p[axis])) - low[axis]));
        return `<object x="${six(x)}" y="${six(y)}" width="${six(w)}" height="${six(h)}" rotation="${six(degrees)}"/>`;
      })
      .join('');
  const map = parseTiled(
    `<map orientation="orthogonal" width="50" height="50" tilewidth="16" tileheight="16" infinite="0">` +
      `<objectgroup name="rooms">${objectsOf(made.floors)}</objectgroup>` +
      `<objectgroup name="walls">${objectsOf(made.obstacles)}</objectgroup></map>`,
    { walkable: ['rooms'] },
  );
  return faultsOf(buildFromPolygons(map).navMesh, made, lengths, { move, scale }, `objects, seed ${seed}`, 1e-3);
}

describe('what touches in files with few digits', () => {
  it.each(
    TOUCHING_KINDS.filter((kind) => kind !== 'mixed').flatMap((kind) =>
      [7, 9, 15].map((digits) => [kind, digits] as const),
    ),
  )('GeoJSON: %s with %i digits', (kind, digits) => {
    const faults = faultsOfAll(`${kind}, ${digits} digits`, MAPS / 2, (seed) => faultsOfDigits(kind, seed, digits));
    expect(faults).toEqual([]);
  });

  it('next to a crossing that ends a side, corners are joined with it', () => {
    expect(faultsOfDigits('rectangles', 3040121, 7)).toEqual([]);
  });

  it('rectangles of a Tiled map in XML', () => {
    expect(faultsOfAll('objects of Tiled', MAPS, faultsOfObjects)).toEqual([]);
  });
});

describe('what touches', () => {
  it.each(TOUCHING_KINDS)('%s: is joined or blocks', (kind) => {
    expect(faultsOfAll(kind, MAPS, (seed) => faultsOfMap(kind, seed))).toEqual([]);
  });

  it('in corners on a line of tiles blocks', () => expect(faultsOfMap('walls', 1001945)).toEqual([]));

  it('in corners of obstacles of a world, one of which ends on a line of tiles, blocks', () => {
    expect(faultsOfMap('walls', 3000329)).toEqual([]);
  });

  it('next to a line of tiles, paths turn at corners a step from the end of a portal', () => {
    expect(faultsOfMap('walls', 3022381)).toEqual([]);
    // Lines of tiles run through most corners.
    for (const [kind, seed] of [
      ['lattice', 8],
      ['walls', 20],
      ['walls', 34],
      // The tip of a wall ends next to the corner of a tile.
      ['walls', 152],
      // The tip of a wall ends a cell behind a line, next to its own crossing and to a corner on the line.
      ['walls', 354],
    ] as const) {
      const made = touchingMap(kind, seed);
      const random = seeded(seed + 5);
      const scale = 0.5 + random();
      const off = 100 * (random() - 0.5);
      const motion: Motion = { scale, move: ([x, y]) => [off + scale * x, -off + scale * y] };
      const moved = movedMap(made, motion);
      const map = shaken(moved, 3e-9 * extentOf(moved), random);
      const lengths = made.queries.map(([from, to]) => exactLength(wallsOf(made), from, to));
      const tileSize = scale * [2, 3, 4, 6][seed % 4];
      const name = `${kind}, seed ${seed}, lines through corners`;
      expect(faultsOf(buildFromPolygons(map, { tileSize }).navMesh, made, lengths, motion, name)).toEqual([]);
      expect(faultsOf(worldOf(map, { tileSize }), made, lengths, motion, `${name}, world`)).toEqual([]);
    }
  });

  it('at a small angle in a corner is no opening', () => {
    const made = touchingMap('floors', 5349);
    const walls = wallsOf(made);
    const lengths = made.queries.map(([from, to]) => exactLength(walls, from, to));
    for (let seed = 0; seed < 60; seed++) {
      const motion = randomMotion(seeded(seed));
      const { navMesh } = buildFromPolygons(movedMap(made, motion));
      expect(faultsOf(navMesh, made, lengths, motion, `motion ${seed}`)).toEqual([]);
    }
  });

  it('in a corner at which sides of two floors cross blocks', () => {
    const made: TouchingMap = {
      floors: [
        [
          [45, -6],
          [51, -18],
          [63, 0],
          [57, 12],
        ],
        [
          [21, 0],
          [36, -30],
          [66, 15],
          [51, 45],
        ],
      ],
      obstacles: [
        [
          [43, -2],
          [48, -12],
          [50, -9],
          [45, 1],
        ],
      ],
      queries: [
        [
          [59, 1],
          [36, -20],
        ],
      ],
    };
    const lengths = [exactLength(wallsOf(made), ...made.queries[0])];
    for (let seed = 0; seed < 60; seed++) {
      const motion = randomMotion(seeded(seed));
      const { navMesh } = buildFromPolygons(movedMap(made, motion));
      expect(faultsOf(navMesh, made, lengths, motion, `motion ${seed}`)).toEqual([]);
    }
  });

  it.each(TOUCHING_KINDS)('%s: with a radius, a turned map has the same answers', (kind) => {
    expect(faultsOfAll(`${kind}, radius`, MAPS, (seed) => faultsOfRadius(kind, seed))).toEqual([]);
  });
});
