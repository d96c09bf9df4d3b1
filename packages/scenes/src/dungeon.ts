/**
 * Rooms at different heights on a grid of 2 m tiles, with pillars and rubble, joined by sloping corridors.
 */
import { addBox, addColumn, addHeightGrid, createBuilder, finishMesh } from './builder.ts';
import type { MeshBuilder } from './builder.ts';
import { createRandom, nextInt, nextRange } from './random.ts';
import type { Random } from './random.ts';
import type { LevelMesh, LevelScene, Point } from './scene.ts';

const COLUMNS = 44;
const ROWS = 34;
const TILE = 2;
const WALL_TOP = 4;
const ROCK_BOTTOM = -2;

interface Room {
  x: number;
  z: number;
  width: number;
  depth: number;
  y: number;
}

interface Plan {
  rooms: Room[];
  /** 0 rock, 1 corridor, 2 room. */
  kind: Uint8Array;
  y: Float64Array;
}

function planRooms(random: Random): Room[] {
  const rooms: Room[] = [];
  for (let attempt = 0; attempt < 400 && rooms.length < 16; attempt++) {
    const width = nextInt(random, 4, 9);
    const depth = nextInt(random, 4, 8);
    const x = nextInt(random, 1, COLUMNS - width - 1);
    const z = nextInt(random, 1, ROWS - depth - 1);
    const y = nextInt(random, -2, 2) * 0.5;
    const clear = rooms.every((r) => x > r.x + r.width || r.x > x + width || z > r.z + r.depth || r.z > z + depth);
    if (clear) rooms.push({ x, z, width, depth, y });
  }
  return rooms.sort((a, b) => a.x + a.z - (b.x + b.z) || a.x - b.x);
}

function roomMiddle(room: Room): [x: number, z: number] {
  return [room.x + (room.width >> 1), room.z + (room.depth >> 1)];
}

function plan(random: Random): Plan {
  const rooms = planRooms(random);
  const kind = new Uint8Array(COLUMNS * ROWS);
  const y = new Float64Array(COLUMNS * ROWS);
  for (const room of rooms) {
    for (let z = room.z; z < room.z + room.depth; z++) {
      for (let x = room.x; x < room.x + room.width; x++) {
        kind[z * COLUMNS + x] = 2;
        y[z * COLUMNS + x] = room.y;
      }
    }
  }
  const carve = (a: Room, b: Room): void => {
    let [x, z] = roomMiddle(a);
    const [x1, z1] = roomMiddle(b);
    const alongX = nextInt(random, 0, 1) === 1;
    while (x !== x1 || z !== z1) {
      if (kind[z * COLUMNS + x] === 0) kind[z * COLUMNS + x] = 1;
      if ((alongX && x !== x1) || z === z1) x += x < x1 ? 1 : -1;
      else z += z < z1 ? 1 : -1;
    }
  };
  for (let i = 1; i < rooms.length; i++) carve(rooms[i - 1], rooms[i]);
  for (let i = 3; i < rooms.length; i += 3) carve(rooms[i - 3], rooms[i]);
  levelCorridors(kind, y);
  return { rooms, kind, y };
}

/**
 * Sets each corridor tile to the mean height of its open neighbors, repeatedly, so that slopes spread over
 * whole corridors.
 */
function levelCorridors(kind: Uint8Array, y: Float64Array): void {
  for (let round = 0; round < 200; round++) {
    for (let z = 1; z < ROWS - 1; z++) {
      for (let x = 1; x < COLUMNS - 1; x++) {
        const at = z * COLUMNS + x;
        if (kind[at] !== 1) continue;
        let sum = 0;
        let count = 0;
        for (const next of [at - 1, at + 1, at - COLUMNS, at + COLUMNS]) {
          if (kind[next] === 0) continue;
          sum += y[next];
          count++;
        }
        if (count > 0) y[at] = sum / count;
      }
    }
  }
}

/** Returns the height of a tile corner: the mean of the open tiles around it. */
function cornerHeight(p: Plan, x: number, z: number): number {
  let sum = 0;
  let count = 0;
  for (let dz = -1; dz <= 0; dz++) {
    for (let dx = -1; dx <= 0; dx++) {
      const at = (z + dz) * COLUMNS + x + dx;
      if (x + dx < 0 || z + dz < 0 || x + dx >= COLUMNS || z + dz >= ROWS || p.kind[at] === 0) continue;
      sum += p.y[at];
      count++;
    }
  }
  return count === 0 ? 0 : sum / count;
}

function addTiles(builder: MeshBuilder, p: Plan): void {
  for (let z = 0; z < ROWS; z++) {
    for (let x = 0; x < COLUMNS; x++) {
      if (p.kind[z * COLUMNS + x] === 0) {
        if (touchesOpen(p, x, z))
          addBox(builder, [x * TILE, ROCK_BOTTOM, z * TILE], [(x + 1) * TILE, WALL_TOP, (z + 1) * TILE]);
        continue;
      }
      const a = cornerHeight(p, x, z);
      const b = cornerHeight(p, x, z + 1);
      const c = cornerHeight(p, x + 1, z + 1);
      const d = cornerHeight(p, x + 1, z);
      const height = (ix: number, iz: number): number => {
        const u = ix / 2;
        const v = iz / 2;
        return a * (1 - u) * (1 - v) + b * (1 - u) * v + c * u * v + d * u * (1 - v);
      };
      addHeightGrid(builder, {
        nx: 2,
        nz: 2,
        xOf: (ix) => (x + ix / 2) * TILE,
        zOf: (iz) => (z + iz / 2) * TILE,
        height,
        up: true,
      });
    }
  }
}

function touchesOpen(p: Plan, x: number, z: number): boolean {
  for (let dz = -1; dz <= 1; dz++) {
    for (let dx = -1; dx <= 1; dx++) {
      const nx = x + dx;
      const nz = z + dz;
      if (nx >= 0 && nz >= 0 && nx < COLUMNS && nz < ROWS && p.kind[nz * COLUMNS + nx] !== 0) return true;
    }
  }
  return false;
}

function addFurnishing(builder: MeshBuilder, room: Room, random: Random): void {
  if (room.width >= 6 && room.depth >= 5) {
    for (let z = room.z + 1; z < room.z + room.depth; z += 2) {
      for (let x = room.x + 1; x < room.x + room.width; x += 3) {
        addColumn(builder, [x * TILE, z * TILE], 0.45, [room.y - 0.2, WALL_TOP], 12);
        addColumn(builder, [x * TILE, z * TILE], 0.65, [room.y - 0.2, room.y + 0.25], 8);
      }
    }
  } else {
    const [x, z] = [(room.x + room.width / 2) * TILE, (room.z + room.depth / 2) * TILE];
    addColumn(builder, [x + 1.5, z + 1.5], 0.8, [room.y - 0.2, room.y + 0.9], 16);
  }
  const stones = nextInt(random, 2, 6);
  for (let i = 0; i < stones; i++) {
    const x = nextRange(random, room.x + 0.5, room.x + room.width - 0.5) * TILE;
    const z = nextRange(random, room.z + 0.5, room.z + room.depth - 0.5) * TILE;
    const size = nextRange(random, 0.2, 0.6);
    addColumn(
      builder,
      [x, z],
      size,
      [room.y - 0.2, room.y + size * 1.2],
      nextInt(random, 4, 7),
      nextRange(random, 0, 1),
    );
  }
}

function createDungeon(seed: number = 7): LevelMesh {
  const random = createRandom(seed);
  const p = plan(random);
  const builder = createBuilder();
  addTiles(builder, p);
  for (const room of p.rooms) addFurnishing(builder, room, random);
  return finishMesh(builder);
}

function dungeonPath(seed: number): { from: Point; to: Point } {
  const { rooms } = plan(createRandom(seed));
  const at = (room: Room): Point => [(room.x + 0.5) * TILE, room.y, (room.z + 0.5) * TILE];
  return { from: at(rooms[0]), to: at(rooms[rooms.length - 1]) };
}

export const dungeonScene: LevelScene = {
  name: 'dungeon',
  kind: 'level',
  title: 'Dungeon: rooms, corridors, pillars',
  create: createDungeon,
  scalable: false,
  options: { agent: { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 }, cellSize: 0.2, cellHeight: 0.1 },
  path: dungeonPath(7),
};
