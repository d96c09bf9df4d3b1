/**
 * Measures a world with many obstacles that all move in each frame: crates on a floor of 100 tiles, updated within a
 * budget. Reports the largest delay of the mesh: the most frames between a move and the rebuild of a tile that it
 * touches.
 *
 * The budget is in milliseconds, so the result depends on the machine. The queue is fair on any machine: all waiting
 * tiles are rebuilt once before one of them is rebuilt for the second time. A tile that is built over several frames
 * has seen the moves before it was begun. In the row 'cut', obstacles are cut out of the mesh (`createProvisionalTiles`), and tiles are
 * behind until they are cut.
 */
import { optionsFromSettings } from 'navkiln/build';
import { addLevel, addObstacle, createProvisionalTiles, createWorld, moveObstacle, updateWorld } from 'navkiln/world';
import type { World } from 'navkiln/world';
import { createRandom } from './harness.ts';

/** Tiles along a side, cells along a tile, crates, frames that are measured, milliseconds a frame. */
const SIDE = 10;
const TILE_CELLS = 64;
const CRATES = 1000;
const FRAMES = 600;
const MAX_MS = 2;
const CELL = 0.25;

export interface CratesRow {
  /** The partition of tiles that are rebuilt, or 'cut'. */
  partition: string;
  /** Most frames from a move to the rebuild, or the cut, of its tiles. */
  framesBehind: number;
  tilesPerFrame: number;
  /** Milliseconds of `updateWorld`: mean, median, 90th and 99th percentile. */
  updateMs: number;
  updateMsP50: number;
  updateMsP90: number;
  updateMsP99: number;
  /** Milliseconds of CPU time of the process: 99th percentile. */
  cpuMsP99: number;
  /** Microseconds of one `moveObstacle`. */
  moveUs: number;
}

interface Crate {
  id: number;
  x: number;
  z: number;
  degrees: number;
  stepX: number;
  stepZ: number;
}

export function benchCrates(): CratesRow[] {
  return (['layers', 'watershed', 'cut'] as const).map(benchPartition);
}

function benchPartition(partition: 'layers' | 'watershed' | 'cut'): CratesRow {
  const random = createRandom(1);
  const size = SIDE * TILE_CELLS * CELL;
  const world = createWorld({
    tileSize: TILE_CELLS * CELL,
    cellSize: CELL,
    cellHeight: 0.2,
    ...optionsFromSettings({ partition: partition === 'cut' ? 'layers' : partition }),
    provisional: partition === 'cut' ? createProvisionalTiles() : undefined,
    agent: { radius: 0.4 },
    bounds: { min: [0, -1, 0], max: [size, 4, size] },
  });
  addLevel(world, bumpyFloor(size, random));
  const crates = Array.from({ length: CRATES }, (): Crate => {
    const [x, z, degrees] = [size * random(), size * random(), 360 * random()];
    const id = addObstacle(world, { type: 'box', size: [1, 1, 1], position: [x, 1, z], rotation: degrees });
    // At most 2 m a second, at 60 frames a second.
    return { id, x, z, degrees, stepX: (2 * random() - 1) / 30, stepZ: (2 * random() - 1) / 30 };
  });
  updateWorld(world);
  // All tiles, row by row.
  const keys = [...world.layers.keys()].sort((a, b) => a - b);
  /** The first frame whose moves a tile has not seen, by the tile's key. */
  const since = new Map<number, number>();
  const [moveMs, updateMs, cpuMs]: number[][] = [[], [], []];
  let [framesBehind, tileCount] = [0, 0];
  let partial: World['partial'] = null;
  let begunAt = 0;
  for (let frame = -FRAMES / 4; frame < FRAMES; frame++) {
    const begin = performance.now();
    for (const crate of crates) step(world, crate, size);
    const moved = performance.now();
    for (const key of world.marked) if (!since.has(key)) since.set(key, frame);
    const cpuFrom = process.cpuUsage();
    const from = performance.now();
    const { rebuiltTiles } = updateWorld(world, { maxMs: MAX_MS });
    const end = performance.now();
    const { user, system } = process.cpuUsage(cpuFrom);
    for (const [x, z] of rebuiltTiles) {
      const key = keys[x + z * SIDE];
      if (frame >= 0) framesBehind = Math.max(framesBehind, frame - (since.get(key) ?? frame));
      since.delete(key);
      // A tile that was built over several frames has not seen the moves since it was begun.
      if (world.queued.has(key)) since.set(key, 1 + begunAt);
    }
    if (world.partial !== null && world.partial !== partial) begunAt = frame;
    partial = world.partial;
    if (frame < 0) continue;
    moveMs.push((1000 * (moved - begin)) / CRATES);
    updateMs.push(end - from);
    cpuMs.push((user + system) / 1000);
    tileCount += rebuiltTiles.length;
  }
  // Tiles that still wait count, too.
  for (const frame of since.values()) framesBehind = Math.max(framesBehind, FRAMES - frame);
  updateMs.sort((a, b) => a - b);
  moveMs.sort((a, b) => a - b);
  cpuMs.sort((a, b) => a - b);
  return {
    partition,
    framesBehind,
    tilesPerFrame: tileCount / FRAMES,
    updateMs: updateMs.reduce((sum, ms) => sum + ms, 0) / FRAMES,
    updateMsP50: updateMs[Math.floor(0.5 * FRAMES)],
    updateMsP90: updateMs[Math.floor(0.9 * FRAMES)],
    updateMsP99: updateMs[Math.floor(0.99 * FRAMES)],
    cpuMsP99: cpuMs[Math.floor(0.99 * FRAMES)],
    moveUs: moveMs[FRAMES >> 1],
  };
}

/** Moves a crate by a frame; it turns around at the sides of the floor. */
function step(world: World, crate: Crate, size: number): void {
  crate.x += crate.stepX;
  crate.z += crate.stepZ;
  crate.degrees += 0.5;
  if (crate.x < 0 || crate.x > size) crate.stepX = -crate.stepX;
  if (crate.z < 0 || crate.z > size) crate.stepZ = -crate.stepZ;
  moveObstacle(world, crate.id, { position: [crate.x, 1, crate.z], rotation: crate.degrees });
}

function bumpyFloor(size: number, random: () => number): { positions: number[]; indices: number[] } {
  const n = 4 * SIDE;
  const positions: number[] = [];
  const indices: number[] = [];
  for (let z = 0; z <= n; z++) for (let x = 0; x <= n; x++) positions.push((x * size) / n, random(), (z * size) / n);
  for (let z = 0; z < n; z++) {
    for (let x = 0; x < n; x++) {
      const v = z * (n + 1) + x;
      indices.push(v, v + n + 1, v + n + 2, v, v + n + 2, v + 1);
    }
  }
  return { positions, indices };
}

export function cratesTable(rows: readonly CratesRow[]): string[][] {
  return [
    [
      `${CRATES} crates, ${MAX_MS} ms`,
      'frames behind',
      'tiles a frame',
      'update ms',
      'p50',
      'p90',
      'p99',
      'p99 of CPU',
      'us a move',
    ],
    ...rows.map((row) => [
      row.partition,
      String(row.framesBehind),
      ...[
        row.tilesPerFrame,
        row.updateMs,
        row.updateMsP50,
        row.updateMsP90,
        row.updateMsP99,
        row.cpuMsP99,
        row.moveUs,
      ].map((value) => value.toPrecision(3)),
    ]),
  ];
}
