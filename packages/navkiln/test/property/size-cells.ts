/**
 * The walkable cells of a size as an oracle of paths: which positions are connected over them, and how wide the narrowest place between two
 * is. It runs the stages of a bake for that size alone up to erosion, and uses neither regions nor outlines.
 */
import { nextRandom } from '../../src/base/data/random.ts';
import type { Random } from '../../src/base/data/random.ts';
import { createWorkspace } from '../../src/base/data/workspace.ts';
import { prepareTiles } from '../../src/build/voxel/build.ts';
import { emptyCounts, rasterizeTile } from '../../src/build/voxel/build-tile.ts';
import type { Bake } from '../../src/build/voxel/build-tile.ts';
import { buildCompactField } from '../../src/build/voxel/field/compact.ts';
import { erodeArea } from '../../src/build/voxel/field/erode.ts';
import { filterSpans } from '../../src/build/voxel/field/filter.ts';
import type { BuildOptions, TriangleInput } from '../../src/build/voxel/options.ts';

export type Point = [number, number, number];

export interface SizeCells {
  /** Cells in components that are large enough for the mesh. */
  count: number;
  /** Returns a cell of these: its number, and the middle of its floor. */
  pick: (random: Random) => { cell: number; point: Point };
  isConnected: (a: number, b: number) => boolean;
  /**
   * Returns how many cells wide the narrowest place between two connected cells is, where the way is widest: an odd number, not much above
   * `most`. Both ends may lie at a wall.
   */
  widthBetween: (a: number, b: number, most: number) => number;
}

/** Returns a bake record that measures nothing. */
export function bakeRecord(options: BuildOptions): Bake {
  return {
    options,
    workspace: createWorkspace(),
    stage: 'input',
    counts: emptyCounts(),
    emptyStage: 0,
    warn: () => {},
  };
}

/** Returns the cells of a bake with these options. The level is one tile. */
export function sizeCells(input: TriangleInput, options: BuildOptions): SizeCells {
  const whole = { ...options, tileSize: 0 };
  const tile = rasterizeTile(bakeRecord(whole), prepareTiles(input, whole), 0, 0)!;
  const { config } = tile;
  filterSpans(tile.solid, config);
  const field = buildCompactField(tile.solid, config);
  erodeArea(field, config.walkableRadiusCells);
  const { neighbor, area, columnStart, spanCount, width } = field;
  const isCell = (i: number): boolean => i >= 0 && area[i] !== 0;

  /** Labels what is connected over cells that are allowed. */
  const label = (isAllowed: (i: number) => boolean): { of: Int32Array; sizes: number[] } => {
    const of = new Int32Array(spanCount).fill(-1);
    const sizes: number[] = [];
    for (let i = 0; i < spanCount; i++) {
      if (of[i] !== -1 || !isAllowed(i)) continue;
      const queue = [i];
      of[i] = sizes.length;
      for (const cell of queue) {
        for (let k = 0; k < 4; k++) {
          const next = neighbor[4 * cell + k];
          if (next === -1 || of[next] !== -1 || !isAllowed(next)) continue;
          of[next] = sizes.length;
          queue.push(next);
        }
      }
      sizes.push(queue.length);
    }
    return { of, sizes };
  };
  const parts = label(isCell);
  const columnOf = new Int32Array(spanCount);
  for (let c = 1; c < columnStart.length; c++) columnOf.fill(c - 1, columnStart[c - 1], columnStart[c]);
  const cells: number[] = [];
  for (let i = 0; i < spanCount; i++)
    if (isCell(i) && parts.sizes[parts.of[i]] >= config.regionMinAreaCells) cells.push(i);

  /** Steps to the nearest border of the cells, diagonal ones included; 1: at a border. */
  let steps: Int32Array | undefined;
  const measure = (): Int32Array => {
    const depth = new Int32Array(spanCount);
    let queue: number[] = [];
    const around = (i: number): number[] => {
      const list: number[] = [];
      for (let k = 0; k < 4; k++) {
        const a = neighbor[4 * i + k];
        list.push(a, a === -1 ? -1 : neighbor[4 * a + ((k + 1) & 3)]);
      }
      return list;
    };
    for (const i of cells) if (!around(i).every(isCell)) queue.push(i);
    for (const i of queue) depth[i] = 1;
    for (let d = 2; queue.length > 0; d++) {
      const next: number[] = [];
      for (const i of queue) {
        for (const a of around(i)) {
          if (!isCell(a) || depth[a] !== 0) continue;
          depth[a] = d;
          next.push(a);
        }
      }
      queue = next;
    }
    return depth;
  };
  /** For each depth: the components of the cells that have at least this depth, by cell. */
  const deep: Int32Array[] = [];
  /** Returns a cell that is `d` deep within 2 d steps; -1: none. */
  const climb = (from: number, d: number): number => {
    let queue = [from];
    for (let left = 2 * d; left >= 0; left--) {
      const found = queue.find((cell) => steps![cell] >= d);
      if (found !== undefined) return found;
      queue = [...new Set(queue.flatMap((cell) => [...neighbor.subarray(4 * cell, 4 * cell + 4)].filter(isCell)))];
    }
    return -1;
  };

  return {
    count: cells.length,
    pick: (random) => {
      const cell = cells[Math.floor(nextRandom(random) * cells.length)];
      const c = columnOf[cell];
      const point: Point = [
        field.boundsMin[0] + ((c % width) + 0.5) * field.cellSize,
        field.boundsMin[1] + field.y[cell] * field.cellHeight,
        field.boundsMin[2] + (Math.floor(c / width) + 0.5) * field.cellSize,
      ];
      return { cell, point };
    },
    isConnected: (a, b) => parts.of[a] === parts.of[b],
    widthBetween: (a, b, most) => {
      const depth = (steps ??= measure());
      for (let d = Math.ceil((most + 1) / 2); d > 1; d--) {
        const of = (deep[d] ??= label((i) => depth[i] >= d).of);
        const [p, q] = [climb(a, d), climb(b, d)];
        if (p !== -1 && q !== -1 && of[p] === of[q]) return 2 * d - 1;
      }
      return 1;
    },
  };
}
