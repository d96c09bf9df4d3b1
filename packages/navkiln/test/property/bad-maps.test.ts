/**
 * Maps with every fault that drawings have: rings that cross themselves, run back over themselves or have no area, rings that are
 * there twice, holes outside of their outline, floors in holes of floors. Rings run along the lines of a lattice, so an even-odd rasterizer
 * knows which cells are walkable, a flood fill what is connected, and a visibility graph how long paths are. Maps are then moved far
 * away, turned and scaled. NAVKILN_BAD_MAPS sets the maps per kind (default 4), NAVKILN_SEED the first seed.
 */
import { describe, expect, it } from 'vitest';
import { parseGeoJson } from '../../src/formats/maps/geojson.ts';
import { parsePolygonMap } from '../../src/formats/maps/map-json.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import type { PolygonOptions } from '../../src/build/polygon/options.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findPath2d } from '../../src/query/map/path-2d.ts';
import { createMapWorld } from '../../src/world/levels/map.ts';
import { updateWorld } from '../../src/world/levels/update.ts';
import { exactLength, exactMotion, randomMotion } from '../unit/build/polygon/touching-maps.ts';
import type { Motion, P } from '../unit/build/polygon/touching-maps.ts';
import { seeded } from '../unit/meshes.ts';

const MAPS = Number(process.env.NAVKILN_BAD_MAPS ?? 4);
const SEED = Number(process.env.NAVKILN_SEED ?? 1);

/** Cells of the lattice in each direction. Corners have even coordinates, so the middle of each cell is odd. */
const CELLS = 9;

interface LatticeMap {
  polygons: { outline: P[]; holes: P[][] }[];
  obstacles: P[][];
}

type Random = () => number;
const below = (random: Random, count: number): number => Math.floor(count * random());
const rectangle = (x: number, y: number, w: number, h: number): P[] =>
  [
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
  ].map(([px, py]): P => [2 * px, 2 * py]);

/** A closed walk along lines of the lattice, which crosses itself and runs back over itself. */
function walk(random: Random, steps: number): P[] {
  const ring: P[] = [];
  let [x, y] = [below(random, CELLS + 1), below(random, CELLS + 1)];
  const first: P = [x, y];
  for (let k = 0; k < steps; k++) {
    ring.push([2 * x, 2 * y]);
    if (k % 2 === 0) x = below(random, CELLS + 1);
    else y = below(random, CELLS + 1);
  }
  ring.push([2 * x, 2 * y], [2 * first[0], 2 * y]);
  return ring;
}

function randomRectangle(random: Random, size: number = CELLS): P[] {
  const [x, y] = [below(random, CELLS), below(random, CELLS)];
  return rectangle(x, y, 1 + below(random, Math.min(size, CELLS - x)), 1 + below(random, Math.min(size, CELLS - y)));
}

/** Goes out along a line and back: no area. */
function flat(random: Random): P[] {
  const [x, y] = [2 * below(random, CELLS), 2 * below(random, CELLS)];
  return random() < 0.5
    ? [
        [x, y],
        [x + 2, y],
        [2 * CELLS, y],
        [x + 2, y],
      ]
    : [
        [x, y],
        [x, 2 * CELLS],
        [x, y],
      ];
}

/** A rectangle with a spike out of a corner, and corners that are there three times. */
function spiked(random: Random): P[] {
  const ring = randomRectangle(random, 5);
  const [x, y] = ring[2];
  return [ring[0], ring[0], ring[1], ring[2], [x, 2 * CELLS], [x, y], [2 * CELLS, y], ring[2], ring[2], ring[3]];
}

const turned = (ring: P[], random: Random): P[] => {
  const by = below(random, ring.length);
  const out = [...ring.slice(by), ...ring.slice(0, by)];
  return random() < 0.5 ? out.reverse() : out;
};

const floor = (): P[] => rectangle(0, 0, CELLS, CELLS);
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

const KINDS: Record<string, (random: Random) => LatticeMap> = {
  'rings that cross themselves': (random) => ({
    polygons: times(1 + below(random, 3), () => ({ outline: walk(random, 3 + below(random, 12)), holes: [] })),
    obstacles: times(below(random, 3), () => walk(random, 3 + below(random, 6))),
  }),
  'rings without area, spikes and repeated corners': (random) => ({
    polygons: [
      { outline: spiked(random), holes: [flat(random)] },
      { outline: flat(random), holes: [] },
      { outline: spiked(random), holes: [spiked(random)] },
      { outline: randomRectangle(random), holes: [] },
    ],
    obstacles: [flat(random), spiked(random), flat(random), randomRectangle(random, 3)],
  }),
  'rings that are there twice, and touch': (random) => {
    const outlines = times(4, () => randomRectangle(random, 6));
    const obstacles = times(6, () => randomRectangle(random, 3));
    return {
      polygons: [...outlines, ...outlines].map((outline) => ({ outline: turned(outline, random), holes: [] })),
      obstacles: [...obstacles, ...obstacles].map((ring) => turned(ring, random)),
    };
  },
  'holes outside of their outline': (random) => ({
    polygons: times(3, () => ({
      outline: random() < 0.5 ? walk(random, 5) : randomRectangle(random),
      holes: times(3, () => (random() < 0.3 ? walk(random, 5) : randomRectangle(random))),
    })),
    obstacles: times(2, () => randomRectangle(random, 2)),
  }),
  'floors in holes of floors': (random) => ({
    polygons: times(4, () => {
      const ring = randomRectangle(random);
      const [[x, y], , [right, top]] = ring;
      return {
        outline: ring,
        holes:
          right - x > 4 && top - y > 4 ? [rectangle(x / 2 + 1, y / 2 + 1, (right - x) / 2 - 2, (top - y) / 2 - 2)] : [],
      };
    }),
    obstacles: times(3, () => randomRectangle(random, 3)),
  }),
  'all of these': (random) => {
    const any = (): P[] =>
      [walk(random, 3 + below(random, 5)), spiked(random), flat(random), randomRectangle(random, 4), floor()][
        below(random, 5)
      ];
    const polygons = times(2 + below(random, 3), () => ({ outline: any(), holes: times(below(random, 3), any) }));
    const obstacles = times(below(random, 5), () => (random() < 0.5 ? randomRectangle(random, 3) : walk(random, 3)));
    return { polygons: [...polygons, ...polygons.slice(0, 1)], obstacles: [...obstacles, ...obstacles.slice(0, 1)] };
  },
};

/** Returns how often a ring winds around the middle of each cell, by rows. */
function windings(ring: P[]): Int32Array {
  const out = new Int32Array(CELLS * CELLS);
  ring.forEach(([x, y], k) => {
    const [nextX, nextY] = ring[(k + 1) % ring.length];
    // Vertical sides only: each changes the winding of all cells on its right.
    if (x !== nextX) return;
    for (let row = Math.min(y, nextY) / 2; row < Math.max(y, nextY) / 2; row++) {
      for (let column = x / 2; column < CELLS; column++) out[row * CELLS + column] += y < nextY ? -1 : 1;
    }
  });
  return out;
}

/** Returns whether each cell is walkable. */
function rasterize({ polygons, obstacles }: LatticeMap, fillRule: 'nonzero' | 'evenodd'): boolean[] {
  const cells = (ring: P[]): boolean[] =>
    Array.from(windings(ring), (winding) => (fillRule === 'evenodd' ? winding % 2 !== 0 : winding !== 0));
  const ground = Array.from({ length: CELLS * CELLS }, () => false);
  for (const { outline, holes } of polygons) {
    const taken = holes.map(cells);
    cells(outline).forEach((isInside, k) => {
      if (isInside && !taken.some((hole) => hole[k])) ground[k] = true;
    });
  }
  for (const obstacle of obstacles) cells(obstacle).forEach((isInside, k) => (ground[k] &&= !isInside));
  return ground;
}

/** Returns the number of the room of each cell; -1 for walls. Cells that touch in a corner are not connected. */
function flood(ground: boolean[]): number[] {
  const room = ground.map(() => -1);
  ground.forEach((isGround, first) => {
    if (!isGround || room[first] >= 0) return;
    const stack = [first];
    room[first] = first;
    while (stack.length > 0) {
      const cell = stack.pop()!;
      const [x, y] = [cell % CELLS, Math.floor(cell / CELLS)];
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ]) {
        const [nx, ny] = [x + dx, y + dy];
        const next = ny * CELLS + nx;
        if (nx < 0 || ny < 0 || nx >= CELLS || ny >= CELLS || !ground[next] || room[next] >= 0) continue;
        room[next] = first;
        stack.push(next);
      }
    }
  });
  return room;
}

/** Returns the sides of walkable cells next to walls, with the walkable cell on the left. */
function wallsOf(ground: boolean[]): { a: P; b: P }[] {
  const isFree = (x: number, y: number): boolean => x >= 0 && y >= 0 && x < CELLS && y < CELLS && ground[y * CELLS + x];
  return ground.flatMap((free, cell) => {
    if (!free) return [];
    const [x, y] = [cell % CELLS, Math.floor(cell / CELLS)];
    const [a, b, c, d] = rectangle(x, y, 1, 1);
    const sides: [boolean, P, P][] = [
      [isFree(x, y - 1), a, b],
      [isFree(x + 1, y), b, c],
      [isFree(x, y + 1), c, d],
      [isFree(x - 1, y), d, a],
    ];
    return sides.filter(([isOpen]) => !isOpen).map(([, from, to]) => ({ a: from, b: to }));
  });
}

function areaOf(mesh: NavMesh): number {
  let sum = 0;
  const [x0, , z0] = mesh.vertices;
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    const first = mesh.polyEdgeStart[poly];
    const end = first + mesh.polyVertexCount[poly];
    for (let e = first; e < end; e++) {
      const a = 3 * mesh.edgeVertex[e];
      const b = 3 * mesh.edgeVertex[e + 1 < end ? e + 1 : first];
      sum +=
        ((mesh.vertices[a + 2] - z0) * (mesh.vertices[b] - x0) -
          (mesh.vertices[a] - x0) * (mesh.vertices[b + 2] - z0)) /
        2;
    }
  }
  return Math.abs(sum);
}

/** Coordinates of 10,000,000 with details of a thousandth. */
const farAndFine = (random: Random): Motion => {
  const [x0, y0] = [1e7 + random(), -1e7 + random()];
  return { scale: 5e-4, move: ([x, y]) => [x0 + 5e-4 * x, y0 + 5e-4 * y] };
};

/** Tolerances of the area as a whole and in tiles, whose lines round where they cut slanted sides. Far away, coordinates have few digits. */
const MOTIONS: [name: string, make: (random: Random) => Motion, whole: number, inTiles: number][] = [
  ['on integers', () => ({ scale: 1, move: (p) => p }), 1e-12, 1e-12],
  ['turned on integers', exactMotion, 1e-12, 2e-5],
  ['turned', randomMotion, 2e-5, 2e-5],
  ['far and fine', farAndFine, 2e-5, 2e-5],
];

function faultsOf(kind: string, seed: number): string[] {
  const random = seeded(seed * 31 + kind.length);
  const made = KINDS[kind](random);
  const fillRule = random() < 0.5 ? 'evenodd' : 'nonzero';
  const ground = rasterize(made, fillRule);
  const cells = ground.flatMap((isFree, cell) => (isFree ? [cell] : []));
  const [motionName, makeMotion, whole, inTiles] = MOTIONS[seed % MOTIONS.length];
  const { move, scale } = makeMotion(random);
  const moved = {
    polygons: made.polygons.map(({ outline, holes }) => ({
      outline: outline.map(move),
      holes: holes.map((ring) => ring.map(move)),
    })),
    obstacles: made.obstacles.map((ring) => ring.map(move)),
  };
  const name = `${kind}, seed ${seed}, ${motionName}, ${fillRule}`;
  const faults: string[] = [];
  const room = flood(ground);
  const walls = wallsOf(ground);
  const middle = (cell: number): P => [2 * (cell % CELLS) + 1, 2 * Math.floor(cell / CELLS) + 1];
  const queries = times(cells.length > 1 ? 6 : 0, () => [
    cells[below(random, cells.length)],
    cells[below(random, cells.length)],
  ])
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => ({
      from: middle(from),
      to: middle(to),
      isJoined: room[from] === room[to],
      length: exactLength(walls, middle(from), middle(to)),
    }));
  const check = (mesh: NavMesh, at: string, tolerance = whole): void => {
    for (const { message } of validateNavMesh(mesh)) faults.push(`${at}: ${message}`);
    const area = mesh.polyCount === 0 ? 0 : areaOf(mesh);
    const wanted = 4 * cells.length * scale * scale;
    if (!(Math.abs(area - wanted) <= tolerance * (wanted + scale * scale)))
      faults.push(`${at}: area ${area}, exact ${wanted}`);
    for (const { from, to, isJoined, length } of queries) {
      const path = findPath2d(mesh, move(from), move(to));
      const found = path.status === 'complete' ? path.length / scale : Infinity;
      if (isJoined !== length < Infinity) faults.push(`${at}: the oracles differ from ${from.join()} to ${to.join()}`);
      if (found !== length && !(Math.abs(found - length) <= 2e-5 * (length + 10)))
        faults.push(`${at}: from ${from.join()} to ${to.join()}: ${path.status} ${found}, exact ${length}`);
    }
  };
  const build = (options: PolygonOptions): NavMesh => buildFromPolygons(moved, { fillRule, ...options }).navMesh;
  check(build({ tileSize: 0 }), name);
  const tileSize = 4.7 * scale;
  check(build({ tileSize }), `${name}, in tiles`, inTiles);
  const world = createMapWorld(moved, { fillRule, tileSize });
  updateWorld(world);
  check(world.navMesh, `${name}, world`, inTiles);
  // Readers keep what the drawing has.
  check(buildFromPolygons(parsePolygonMap(JSON.stringify(moved)), { fillRule }).navMesh, `${name}, as JSON`);
  const feature = (rings: P[][], properties: object): object => ({
    type: 'Feature',
    properties,
    geometry: { type: 'Polygon', coordinates: rings.map((ring) => [...ring, ring[0]]) },
  });
  const features = [
    ...moved.polygons.map(({ outline, holes }) => feature([outline, ...holes], {})),
    ...moved.obstacles.map((ring) => feature([ring], { obstacle: true })),
  ];
  const text = JSON.stringify({ type: 'FeatureCollection', features });
  check(buildFromPolygons(parseGeoJson(text, { projection: 'none' }), { fillRule }).navMesh, `${name}, as GeoJSON`);
  return faults;
}

describe.each(Object.keys(KINDS))('%s', (kind) => {
  it(`${MAPS} maps from seed ${SEED}`, () => {
    const faults: string[] = [];
    for (let seed = SEED; seed < SEED + MAPS; seed++) faults.push(...faultsOf(kind, seed));
    expect(faults).toEqual([]);
  });
});
