/**
 * Three storeys of rooms with doors, stairs through openings in the floors, furniture low and high, and a
 * roof.
 */
import { addBox, addPrism, addStairs, createBuilder, finishMesh } from './builder.ts';
import type { MeshBuilder, Pair } from './builder.ts';
import { createRandom, nextFloat, nextRange } from './random.ts';
import type { Random } from './random.ts';
import type { LevelMesh, LevelScene } from './scene.ts';

const WIDTH = 16;
const DEPTH = 12;
const RISE = 2.8;
const STOREYS = 3;
const SLAB = 0.2;
const WALL = 0.2;
const DOOR = 1;
const DOOR_HEIGHT = 2.1;
/** The stairwell: x range, z range. Flights alternate between its two lanes. */
const WELL = [10, 15, 4.8, 7.2] as const;

/** Adds a wall along x (or z) with doors of width DOOR at the given centers. */
function addWall(
  builder: MeshBuilder,
  alongX: boolean,
  [from, to]: Pair,
  at: number,
  y: number,
  doors: readonly number[],
): void {
  const put = (a: number, b: number, y0: number, y1: number): void => {
    if (b <= a) return;
    if (alongX) addBox(builder, [a, y0, at - WALL / 2], [b, y1, at + WALL / 2]);
    else addBox(builder, [at - WALL / 2, y0, a], [at + WALL / 2, y1, b]);
  };
  const top = y + RISE - SLAB;
  let start = from;
  for (const door of doors) {
    put(start, door - DOOR / 2, y, top);
    put(door - DOOR / 2, door + DOOR / 2, y + DOOR_HEIGHT, top);
    start = door + DOOR / 2;
  }
  put(start, to, y, top);
}

function addSlab(builder: MeshBuilder, y: number, opening: boolean): void {
  const y0 = y - SLAB;
  if (!opening) {
    addBox(builder, [0, y0, 0], [WIDTH, y, DEPTH]);
    return;
  }
  const [x0, x1, z0, z1] = WELL;
  addBox(builder, [0, y0, 0], [WIDTH, y, z0]);
  addBox(builder, [0, y0, z1], [WIDTH, y, DEPTH]);
  addBox(builder, [0, y0, z0], [x0, y, z1]);
  addBox(builder, [x1, y0, z0], [WIDTH, y, z1]);
}

function addTable(builder: MeshBuilder, x: number, z: number, y: number, width: number, depth: number): void {
  addBox(builder, [x, y + 0.7, z], [x + width, y + 0.75, z + depth]);
  for (const lx of [x, x + width - 0.06]) {
    for (const lz of [z, z + depth - 0.06]) addBox(builder, [lx, y, lz], [lx + 0.06, y + 0.7, lz + 0.06]);
  }
  addBox(builder, [x + 0.2, y, z - 0.5], [x + 0.6, y + 0.42, z - 0.1]);
  addBox(builder, [x + 0.2, y + 0.42, z - 0.5], [x + 0.6, y + 0.95, z - 0.45]);
}

function addBed(builder: MeshBuilder, x: number, z: number, y: number): void {
  addBox(builder, [x, y, z], [x + 1.4, y + 0.5, z + 2]);
  addBox(builder, [x, y + 0.5, z], [x + 1.4, y + 0.9, z + 0.1]);
  addBox(builder, [x + 1.6, y, z], [x + 2.1, y + 0.6, z + 0.5]);
}

function addRoomContents(builder: MeshBuilder, random: Random, x: number, z: number, y: number): void {
  if (nextFloat(random) < 0.5) addTable(builder, x + nextRange(random, 0.2, 0.8), z + 0.9, y, 1.6, 0.9);
  else addBed(builder, x + nextRange(random, 0, 0.5), z + 0.3, y);
  addBox(builder, [x + 0.2, y, z + 3], [x + 1.4, y + 1.9, z + 3.4]);
  // A carpet and a pile of books: both lower than the agent's climb.
  addBox(builder, [x + 2, y, z + 1.2], [x + 3.4, y + 0.02, z + 2.6]);
  addBox(builder, [x + 2.6, y, z + 2.9], [x + 2.9, y + nextRange(random, 0.1, 0.3), z + 3.1]);
}

function addStorey(builder: MeshBuilder, random: Random, storey: number): void {
  const y = storey * RISE;
  const last = storey === STOREYS - 1;
  addSlab(builder, y, storey > 0);
  addWall(builder, true, [0, WIDTH], WALL / 2, y, []);
  addWall(builder, true, [0, WIDTH], DEPTH - WALL / 2, y, storey === 0 ? [8] : []);
  addWall(builder, false, [WALL, DEPTH - WALL], WALL / 2, y, storey === 0 ? [6] : []);
  addWall(builder, false, [WALL, DEPTH - WALL], WIDTH - WALL / 2, y, []);
  // A row of rooms on either side of a hall.
  addWall(builder, true, [WALL, WIDTH - WALL], 4.6, y, [2.5, 7, 13.4]);
  addWall(builder, true, [WALL, WIDTH - WALL], 7.4, y, storey === 0 ? [2.5, 8, 13] : [2.5, 7, 13]);
  for (const x of [5, 9]) {
    addWall(builder, false, [WALL, 4.5], x, y, x === 5 ? [2.6] : []);
    if (storey > 0) addWall(builder, false, [7.5, DEPTH - WALL], x, y, x === 9 ? [9.5] : []);
  }
  for (const x of [0.3, 5.2, 10.4]) {
    addRoomContents(builder, random, x, 0.4, y);
    if (storey > 0) addRoomContents(builder, random, x, 8.1, y);
  }
  if (!last) {
    const [x0, x1, z0] = WELL;
    // Even storeys climb towards +x in the near lane, odd ones towards -x in the far lane.
    if (storey % 2 === 0) addStairs(builder, [x0, z0, x1, z0 + 1.1], { bottom: y, low: y, high: y + RISE, up: 2 }, 14);
    else addStairs(builder, [x0, z0 + 1.3, x1, z0 + 2.4], { bottom: y, low: y, high: y + RISE, up: 0 }, 14);
  }
}

function addRoof(builder: MeshBuilder): void {
  const y = STOREYS * RISE;
  const ridge = y + 4.5;
  addBox(builder, [-0.4, y - SLAB, -0.4], [WIDTH + 0.4, y, DEPTH + 0.4]);
  const half = DEPTH / 2;
  const x0 = -0.4;
  const x1 = WIDTH + 0.4;
  addPrism(builder, [x0, -0.4, x0, half, x1, half, x1, -0.4], [y, y, y, y], [y, ridge, ridge, y]);
  addPrism(builder, [x0, half, x0, DEPTH + 0.4, x1, DEPTH + 0.4, x1, half], [y, y, y, y], [ridge, y, y, ridge]);
}

function createHouse(seed: number = 21): LevelMesh {
  const random = createRandom(seed);
  const builder = createBuilder();
  addBox(builder, [-6, -0.5, -6], [WIDTH + 6, -SLAB, DEPTH + 6]);
  for (let storey = 0; storey < STOREYS; storey++) addStorey(builder, random, storey);
  addRoof(builder);
  return finishMesh(builder);
}

export const houseScene: LevelScene = {
  name: 'house',
  kind: 'level',
  title: 'House: storeys, stairs, doors, furniture',
  create: createHouse,
  scalable: false,
  options: {
    agent: { radius: 0.25, height: 1.7, maxClimb: 0.35, maxSlopeDegrees: 40 },
    cellSize: 0.1,
    cellHeight: 0.05,
  },
  path: { from: [8, -0.2, 15], to: [2.5, 2 * RISE, 3.9] },
};
