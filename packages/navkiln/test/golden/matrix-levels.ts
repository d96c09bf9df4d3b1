/**
 * Small seeded levels of kinds that are difficult to bake, for the matrix of partitionings, options and
 * symmetries. A level is given by its kind and a seed.
 */
import {
  addBox,
  addColumn,
  addFloor,
  addFrame,
  addHeightGrid,
  addPrism,
  addRamp,
  addSector,
  addStairs,
  addTriangle,
  addTrianglePoints,
  addVertex,
  createBuilder,
  finishMesh,
} from '../../../scenes/src/builder.ts';
import type { Direction, MeshBuilder } from '../../../scenes/src/builder.ts';
import { createRandom, fractalNoise, nextFloat, nextInt, nextRange } from '../../../scenes/src/random.ts';
import type { Random } from '../../../scenes/src/random.ts';
import type { BuildOptions } from '../../src/build/voxel/options.ts';
import type { GoldenLevel } from './levels.ts';

/** Side of most levels, in meters. */
const SIDE = 14;

type Kind = (builder: MeshBuilder, random: Random, seed: number) => Partial<BuildOptions> | void;

/** Nested rings with gaps between them, around a middle that may be solid. Some rings are cut open. */
function nestedHoles(builder: MeshBuilder, random: Random): void {
  const at = SIDE / 2;
  let outer = at - 0.2;
  const width = nextRange(random, 0.5, 1.1);
  while (outer > width + 0.3) {
    addFrame(builder, [at, at], outer, outer - width, [-0.5, nextRange(random, 0, 0.1)]);
    if (nextFloat(random) < 0.3) addBox(builder, [at - outer, -0.4, at], [at - outer + 2 * width, 1.5, at + 0.4]);
    outer -= width + nextRange(random, 0.3, 0.8);
  }
  if (nextFloat(random) < 0.5)
    addBox(builder, [at - outer / 2, -0.5, at - outer / 2], [at + outer / 2, 0, at + outer / 2]);
}

function spiral(builder: MeshBuilder, random: Random): void {
  const turns = nextInt(random, 1, 3);
  const sectors = nextInt(random, 10, 24);
  const rise = nextRange(random, 2.1, 3.2);
  const inner = nextRange(random, 0.3, 2);
  const stepped = nextFloat(random) < 0.5;
  for (let k = 0; k < turns * sectors; k++) {
    const [y0, y1] = [(k * rise) / sectors, ((k + 1) * rise) / sectors];
    const low = stepped ? y1 : y0;
    addSector(
      builder,
      [6, 6],
      { inner, outer: inner + 2.5 },
      { angle: k / sectors, bottom: low - 0.3, top: low },
      { angle: (k + 1) / sectors, bottom: y1 - 0.3, top: y1 },
    );
  }
  addFloor(builder, [0, 0, 12, 12], 0, 2, 2);
}

/** A disc of needles that meet in one point, and needles far thinner than a voxel across it. */
function slivers(builder: MeshBuilder, random: Random): void {
  const middle = addVertex(builder, 6, nextRange(random, 0, 1), 6);
  const needles = nextInt(random, 60, 400);
  let last = -1;
  for (let k = 0; k <= needles; k++) {
    const t = (8 * k) / needles;
    const side = Math.floor(t) & 7;
    const u = t - Math.floor(t);
    // Eight half sides around a square, counter-clockwise seen from above.
    const [x, z] = [
      [6 + 6 * u, 0],
      [12, 6 * u],
      [12, 6 + 6 * u],
      [12 - 6 * u, 12],
      [6 - 6 * u, 12],
      [0, 12 - 6 * u],
      [0, 6 - 6 * u],
      [6 * u, 0],
    ][side];
    const vertex = addVertex(builder, x!, nextRange(random, 0, 0.05), z!);
    if (last >= 0) addTriangle(builder, middle, vertex, last);
    last = vertex;
  }
  for (let k = 0; k < 80; k++) {
    const [x, y, z] = [nextRange(random, 0, 12), nextRange(random, 0, 3), nextRange(random, 0, 12)];
    const [x1, z1] = [nextRange(random, 0, 12), nextRange(random, 0, 12)];
    addTrianglePoints(builder, [x, y, z, x1, y, z1, x1 + 1e-5, y, z1 + 1e-5]);
  }
}

function overlappingFloors(builder: MeshBuilder, random: Random): void {
  for (let k = nextInt(random, 12, 40); k > 0; k--) {
    const [x, z] = [nextRange(random, 0, SIDE - 3), nextRange(random, 0, SIDE - 3)];
    const y = nextFloat(random) < 0.5 ? nextInt(random, 0, 4) * 0.1 : nextRange(random, 0, 7);
    addFloor(builder, [x, z, x + nextRange(random, 1, 8), z + nextRange(random, 1, 8)], y, nextInt(random, 1, 4), 1);
  }
}

/**
 * The same few triangles thousands of times: exact copies, flipped copies, and copies with reordered corners.
 */
function duplicates(builder: MeshBuilder, random: Random): void {
  addFloor(builder, [0, 0, 10, 10], 0, 2, 2);
  const first = builder.vertexCount;
  for (let k = 0; k < 6; k++) {
    addVertex(builder, nextRange(random, 0, 10), nextRange(random, 0, 1), nextRange(random, 0, 10));
  }
  for (let k = 0; k < 3000; k++) {
    const a = k % 4,
      turn = nextInt(random, 0, 5);
    const corners = [
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
      [0, 2, 1],
      [2, 1, 0],
      [1, 0, 2],
    ][turn];
    addTriangle(builder, first + a + corners[0], first + a + corners[1], first + a + corners[2]);
  }
}

/** One to six walkable cells, in a row or as a block. */
function fewCells(builder: MeshBuilder, random: Random, seed: number): Partial<BuildOptions> {
  const [nx, nz] = [1 + (seed % 3), 1 + ((seed >> 1) % 2)];
  addFloor(builder, [0, 0, nx * 0.25, nz * 0.25], nextRange(random, 0, 1));
  return { agent: { radius: 0, height: 1, maxClimb: 0.3, maxSlopeDegrees: 45 }, regionMinArea: 0, filterLedges: false };
}

/** Squares that touch only at their corners. */
function checkers(builder: MeshBuilder, random: Random): void {
  const side = [0.25, 0.5, 0.75, 1.1][nextInt(random, 0, 3)];
  const fill = nextRange(random, 0.8, 1);
  for (let z = 0; z * side < SIDE - 2; z++) {
    for (let x = 0; x * side < SIDE - 2; x++) {
      if (((x + z) & 1) === 0 && nextFloat(random) < fill) {
        addFloor(builder, [x * side, z * side, (x + 1) * side, (z + 1) * side], 0);
      }
    }
  }
  if (nextFloat(random) < 0.5) addFloor(builder, [0, 0, SIDE, SIDE], nextRange(random, -3, -1.5), 1, 1);
}

/** A floor of tiles with some missing: holes of all shapes, next to each other and corner to corner. */
function cheese(builder: MeshBuilder, random: Random): void {
  const tile = nextRange(random, 0.4, 1.2);
  const holes = nextRange(random, 0.1, 0.5);
  for (let z = 0; z * tile < SIDE; z++) {
    for (let x = 0; x * tile < SIDE; x++) {
      if (nextFloat(random) < holes) continue;
      addFloor(builder, [x * tile, z * tile, (x + 1) * tile, (z + 1) * tile], nextFloat(random) < 0.1 ? 0.2 : 0);
    }
  }
}

/** The walls of a maze, thin or thick. */
function maze(builder: MeshBuilder, random: Random): void {
  const cell = nextRange(random, 1.2, 2.2);
  const half = nextRange(random, 0.01, 0.2);
  const n = Math.floor(SIDE / cell);
  addFloor(builder, [0, 0, n * cell, n * cell], 0, 2, 3);
  for (let z = 0; z <= n; z++) {
    for (let x = 0; x <= n; x++) {
      const [px, pz] = [x * cell, z * cell];
      if (nextFloat(random) < 0.5 && x < n)
        addBox(builder, [px - half, -0.1, pz - half], [px + cell + half, 2, pz + half]);
      if (nextFloat(random) < 0.5 && z < n)
        addBox(builder, [px - half, -0.1, pz - half], [px + half, 2, pz + cell + half]);
    }
  }
}

/** Crossed planks at heights that an agent can climb, pass under, or neither. */
function planks(builder: MeshBuilder, random: Random): void {
  for (let k = nextInt(random, 8, 24); k > 0; k--) {
    const y = nextRange(random, 0, 5);
    const at = nextRange(random, 0, SIDE - 1);
    const width = nextRange(random, 0.3, 1.6);
    const tilt = nextRange(random, -1.5, 1.5);
    const along = nextFloat(random) < 0.5;
    const tops = along ? [y, y + tilt, y + tilt, y] : [y, y, y + tilt, y + tilt];
    const outline = along
      ? [at, 0, at, SIDE, at + width, SIDE, at + width, 0]
      : [0, at, 0, at + width, SIDE, at + width, SIDE, at];
    addPrism(
      builder,
      outline,
      tops.map((top) => top - 0.2),
      tops,
    );
  }
}

function hills(builder: MeshBuilder, random: Random, seed: number): void {
  const n = nextInt(random, 8, 60);
  const height = nextRange(random, 1, 6);
  const size = nextRange(random, 2, 6);
  const at = (i: number): number => (i * SIDE) / n;
  addHeightGrid(builder, {
    nx: n,
    nz: n,
    xOf: at,
    zOf: at,
    height: (x, z) => height * fractalNoise(seed, at(x) / size, at(z) / size, 4),
    up: true,
  });
}

/** A hilly floor under a hilly ceiling. */
function cave(builder: MeshBuilder, random: Random, seed: number): void {
  const n = nextInt(random, 12, 40);
  const at = (i: number): number => (i * SIDE) / n;
  const floor = (x: number, z: number): number => 2 * fractalNoise(seed, at(x) / 4, at(z) / 4, 3);
  const gap = nextRange(random, 3, 5);
  addHeightGrid(builder, { nx: n, nz: n, xOf: at, zOf: at, height: floor, up: true });
  addHeightGrid(builder, {
    nx: n,
    nz: n,
    xOf: at,
    zOf: at,
    height: (x, z) => floor(x, z) + gap * fractalNoise(seed + 9, at(x) / 3, at(z) / 3, 2),
    up: false,
  });
}

/** Stairs up and down in all directions, each to a landing, over and under each other. */
function flights(builder: MeshBuilder, random: Random): void {
  addFloor(builder, [0, 0, SIDE, SIDE], 0, 1, 1);
  for (let k = nextInt(random, 3, 9); k > 0; k--) {
    const [x, z] = [nextRange(random, 0, SIDE - 4), nextRange(random, 0, SIDE - 4)];
    const top = nextRange(random, 0.5, 3);
    const up = nextInt(random, 0, 3) as Direction;
    const low = nextFloat(random) < 0.7 ? 0 : nextRange(random, 0, 2);
    if (nextFloat(random) < 0.4)
      addRamp(builder, [x, z, x + 3, z + 1.5], { bottom: low - 0.2, low, high: low + top, up });
    else
      addStairs(
        builder,
        [x, z, x + 3, z + 1.5],
        { bottom: low - 0.2, low, high: low + top, up },
        nextInt(random, 2, 12),
      );
  }
}

/** Round and square pillars: thin ones, touching ones, and some too low to block agents. */
function pillars(builder: MeshBuilder, random: Random): void {
  addFloor(builder, [0, 0, SIDE, SIDE], 0, 5, 3);
  for (let k = nextInt(random, 10, 60); k > 0; k--) {
    const [x, z] = [nextRange(random, 0.5, SIDE - 0.5), nextRange(random, 0.5, SIDE - 0.5)];
    const [radius, top, sides] = [nextRange(random, 0.05, 0.8), nextRange(random, 0.1, 2), nextInt(random, 3, 9)];
    addColumn(builder, [x, z], radius, [-0.2, top], sides, nextFloat(random));
  }
}

/** Storeys of floors with openings, close to the agent's height. */
function storeys(builder: MeshBuilder, random: Random): void {
  const rise = nextRange(random, 1.2, 2.6);
  for (let s = nextInt(random, 3, 9); s >= 0; s--) {
    const [x, z, w, d] = [
      nextRange(random, 1, 8),
      nextRange(random, 1, 8),
      nextRange(random, 0.5, 4),
      nextRange(random, 0.5, 4),
    ];
    const y = s * rise;
    addFloor(builder, [0, 0, SIDE, z], y, 3, 1);
    addFloor(builder, [0, z + d, SIDE, SIDE], y);
    addFloor(builder, [0, z, x, z + d], y, 1, 2);
    addFloor(builder, [x + w, z, SIDE, z + d], y);
  }
}

/** Sawtooth roofs with ridges and valleys at the slope limit, and one triangle over all of it. */
function sawteeth(builder: MeshBuilder, random: Random): void {
  const teeth = nextInt(random, 3, 16);
  const rise = (SIDE / teeth) * nextRange(random, 0.2, 1.4);
  addHeightGrid(builder, {
    nx: teeth,
    nz: 3,
    xOf: (i) => (i * SIDE) / teeth,
    zOf: (i) => i * 4,
    height: (ix) => (ix & 1) * rise,
    up: true,
  });
  addTrianglePoints(builder, [-4, 1, -4, -4, 2, 20, 20, 4, 5]);
}

/** Triangles without area, distant corners, tiny triangles, and a floor below them. */
function rubbish(builder: MeshBuilder, random: Random): void {
  addFloor(builder, [0, 0, SIDE, SIDE], 0, 3, 3);
  for (let k = 0; k < 150; k++) {
    const [x, y, z] = [nextRange(random, 0, SIDE), nextRange(random, -1, 3), nextRange(random, 0, SIDE)];
    const size = [0, 1e-6, 0.01, 0.3, 2][nextInt(random, 0, 4)];
    const points: number[] = [];
    for (let c = 0; c < 3; c++) {
      points.push(
        x + nextRange(random, -size, size),
        y + nextRange(random, -size, size) / 3,
        z + nextRange(random, -size, size),
      );
    }
    addTrianglePoints(builder, points);
  }
}

/** Surfaces exactly on the lines between cells and between voxels. */
function onTheGrid(builder: MeshBuilder, random: Random): void {
  for (let k = 0; k < 40; k++) {
    const at = (range: number, step: number): number => nextInt(random, 0, range) * step;
    const [x, y, z] = [at(44, 0.25), at(30, 0.125), at(44, 0.25)];
    addBox(builder, [x, y - 0.125, z], [x + at(8, 0.25) + 0.25, y, z + at(8, 0.25) + 0.25]);
  }
}

/** Rooms joined by doors as wide as the agent, plus or minus a cell. */
function doors(builder: MeshBuilder, random: Random): void {
  addFloor(builder, [0, 0, SIDE, SIDE], 0);
  for (let x = 3; x < SIDE; x += 3.3) {
    let z = 0;
    while (z < SIDE) {
      const length = nextRange(random, 1, 3);
      addBox(builder, [x, -0.1, z], [x + 0.3, 2.5, z + length]);
      z += length + nextRange(random, 0.5, 1.6);
    }
  }
}

const PIECES: readonly Kind[] = [
  nestedHoles,
  spiral,
  slivers,
  overlappingFloors,
  duplicates,
  checkers,
  cheese,
  maze,
  planks,
  hills,
  cave,
  flights,
  pillars,
  storeys,
  sawteeth,
  rubbish,
  onTheGrid,
  doors,
];

/** Two to four of the other kinds, each moved and lifted. */
function composition(builder: MeshBuilder, random: Random, seed: number): void {
  for (let k = nextInt(random, 2, 4); k > 0; k--) {
    const first = builder.vertexCount;
    PIECES[nextInt(random, 0, PIECES.length - 1)](builder, random, seed + k);
    const shift = [nextRange(random, -9, 9), nextRange(random, -3, 6), nextRange(random, -9, 9)];
    for (let v = 3 * first; v < 3 * builder.vertexCount; v++) builder.positions[v] += shift[v % 3];
  }
}

/** One of the other kinds, 10 km away in a random direction, where float32 has steps of a millimeter. */
function farAway(builder: MeshBuilder, random: Random, seed: number): void {
  [hills, cheese, storeys, onTheGrid][seed % 4](builder, random, seed);
  const shift = [nextRange(random, -1e4, 1e4), nextRange(random, -300, 300), nextFloat(random) < 0.5 ? 1e4 : -1e4];
  for (let v = 0; v < 3 * builder.vertexCount; v++) builder.positions[v] += shift[v % 3];
}

const KINDS: readonly [Kind, seeds: number][] = [
  ...PIECES.map((kind): [Kind, number] => [kind, 2]),
  [fewCells, 4],
  [farAway, 4],
  [composition, 8],
];

function matrixLevel(kind: Kind, seed: number): GoldenLevel {
  const builder = createBuilder();
  const change = kind(builder, createRandom(seed), seed) ?? {};
  return {
    name: `${kind.name} ${seed}`,
    input: finishMesh(builder),
    options: {
      agent: { radius: 0.3, height: 1.6, maxClimb: 0.35, maxSlopeDegrees: 45 },
      cellSize: 0.25,
      cellHeight: 0.125,
      regionMinArea: 0.5,
      regionMergeArea: 12,
      ...change,
    },
  };
}

/** Returns all kinds, each with seeds that count from `seed`. */
export function matrixLevels(seed: number): (() => GoldenLevel)[] {
  return KINDS.flatMap(([kind, seeds]) => Array.from({ length: seeds }, (_, k) => () => matrixLevel(kind, seed + k)));
}
