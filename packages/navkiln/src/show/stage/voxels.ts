/**
 * Draws voxels as debug geometry of limited size: boxes of solid spans, squares of walkable floors. Equal
 * neighbors are merged.
 *
 * A flat hall of 100,000 columns takes a few hundred boxes. When there are more boxes than the limit, those nearest to
 * the center are drawn. Sides are darker than tops.
 *
 * In: a record of a bake, a limit, a center. Out: triangles, and the number of spans that they show.
 * Cost: a pass over the spans.
 * Based on: own; boxes grow along x, then along z if the previous row is equal (greedy meshing, as in voxel games).
 */
import { checkOptions } from '../check-options.ts';
import { checkFunction, checkKeys, checkRecord } from '../../base/data/refuse.ts';
import { spanArea, spanBottom, spanTop } from '../../build/voxel/types.ts';
import type { CompactField, Heightfield } from '../../build/voxel/types.ts';
import { checkColor, putColor } from '../draw/geometry.ts';
import type { DebugGeometry, Rgba } from '../draw/geometry.ts';

/** Options of `voxelBoxes` and `voxelFloors`. */
export interface VoxelOptions {
  /** Position of the records, world units: `report.config.offset`. Default [0, 0, 0]. */
  offset?: readonly number[];
  /** Largest number of boxes or squares to draw. Default 40,000. */
  limit?: number;
  /** World position x, y, z near which voxels are drawn. Default: the center of the field. */
  center?: readonly number[];
}

/** Drawn voxels. */
export interface VoxelList {
  list: DebugGeometry;
  /** Numbers of drawn spans, and of all spans. */
  shownCount: number;
  totalCount: number;
}

/** Merged spans: columns x0 .. x1 - 1, rows z0 .. z1 - 1, voxels from bottom to top, and a color. */
interface Pieces {
  count: number;
  x0: Int32Array;
  x1: Int32Array;
  z0: Int32Array;
  z1: Int32Array;
  bottom: Int32Array;
  top: Int32Array;
  color: Uint32Array;
  spans: Int32Array;
}

interface Grid {
  width: number;
  depth: number;
  columnStart: Int32Array;
  spanCount: number;
  boundsMin: readonly number[];
  cellSize: number;
  cellHeight: number;
}

const LIMIT = 40_000;
const KEYS: readonly (keyof VoxelOptions)[] = ['offset', 'limit', 'center'];

/**
 * Draws solid spans as boxes without bottoms.
 *
 * @param color returns the color of a span from its area, 0xrrggbbaa
 * @throws RangeError, TypeError for unknown options
 */
export function voxelBoxes(field: Heightfield, color: (area: number) => Rgba, options: VoxelOptions = {}): VoxelList {
  checkRecord('voxelBoxes', 'field', field, 'spans', 'a Heightfield');
  checkFunction('voxelBoxes', 'color', color);
  checkKeys('voxelBoxes', options, KEYS);
  checkOptions('voxelBoxes', options);
  const { spans } = field;
  const pieces = join(
    field,
    (i) => spanBottom(spans[i]),
    (i) => spanTop(spans[i]),
    (i) => color(spanArea(spans[i])),
  );
  return draw(field, pieces, true, options);
}

/**
 * Draws floors of a compact field as squares.
 *
 * @param color returns the color of a span from its index, 0xrrggbbaa
 * @throws RangeError, TypeError for unknown options
 */
export function voxelFloors(field: CompactField, color: (span: number) => Rgba, options: VoxelOptions = {}): VoxelList {
  checkRecord('voxelFloors', 'field', field, 'neighbor', 'a CompactField');
  checkFunction('voxelFloors', 'color', color);
  checkKeys('voxelFloors', options, KEYS);
  checkOptions('voxelFloors', options);
  const heightOf = (span: number): number => field.y[span];
  return draw(field, join(field, heightOf, heightOf, color), false, options);
}

/** Merges equal spans of neighboring columns. */

function join(
  { width, depth, columnStart, spanCount }: Grid,
  bottomOf: (span: number) => number,
  topOf: (span: number) => number,
  colorOf: (span: number) => Rgba,
): Pieces {
  const numbers = (): Int32Array => new Int32Array(spanCount);
  const out: Pieces = {
    count: 0,
    x0: numbers(),
    x1: numbers(),
    z0: numbers(),
    z1: numbers(),
    bottom: numbers(),
    top: numbers(),
    color: new Uint32Array(spanCount),
    spans: numbers(),
  };
  const isLike = (a: number, b: number): boolean =>
    out.bottom[a] === out.bottom[b] && out.top[a] === out.top[b] && out.color[a] === out.color[b];
  let before = 0;
  // Pieces that reach into the previous row.
  let open: number[] = [];
  for (let z = 0; z < depth; z++) {
    before = out.count;
    let last: number[] = [];
    for (let x = 0; x < width; x++) {
      const c = x + z * width;
      const own: number[] = [];
      for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
        const n = out.count;
        out.bottom[n] = bottomOf(i);
        out.top[n] = topOf(i);
        const color = colorOf(i);
        checkColor(color);
        out.color[n] = color;
        const same = last.find((piece) => isLike(piece, n));
        if (same === undefined) {
          out.x0[n] = x;
          out.x1[n] = x + 1;
          out.z0[n] = z;
          out.z1[n] = z + 1;
          out.spans[n] = 1;
          own.push(n);
          out.count++;
        } else {
          out.x1[same] = x + 1;
          out.spans[same]++;
          own.push(same);
        }
      }
      last = own;
    }
    open = joinRows(out, before, open, isLike);
  }
  return out;
}

/** Merges the pieces of this row, from index `from` on, with equal pieces of the previous row over the same columns. */
function joinRows(
  out: Pieces,
  from: number,
  open: readonly number[],
  isLike: (a: number, b: number) => boolean,
): number[] {
  const starts = new Map<number, number[]>();
  for (const piece of open) {
    const list = starts.get(out.x0[piece]);
    if (list === undefined) starts.set(out.x0[piece], [piece]);
    else list.push(piece);
  }
  const next: number[] = [];
  let at = from;
  for (let n = from; n < out.count; n++) {
    const same = starts.get(out.x0[n])?.find((piece) => out.x1[piece] === out.x1[n] && isLike(piece, n));
    if (same !== undefined) {
      out.z1[same]++;
      out.spans[same] += out.spans[n];
      next.push(same);
      continue;
    }
    for (const field of [out.x0, out.x1, out.z0, out.z1, out.bottom, out.top, out.color, out.spans])
      field[at] = field[n];
    next.push(at++);
  }
  out.count = at;
  return next;
}

/** Returns the pieces to draw: all, or those nearest to the center. */
function choose(pieces: Pieces, { width, depth, boundsMin, cellSize }: Grid, options: VoxelOptions): Int32Array {
  const { limit = LIMIT, offset = [0, 0, 0], center } = options;
  const all = Int32Array.from({ length: pieces.count }, (_, n) => n);
  if (pieces.count <= limit) return all;
  const cell = (axis: number, count: number): number =>
    center === undefined ? count / 2 : (center[axis] - offset[axis] - boundsMin[axis]) / cellSize;
  const x = cell(0, width);
  const z = cell(2, depth);
  const distanceSq = Float64Array.from(all, (n) => {
    const dx = Math.max(pieces.x0[n] - x, 0, x - pieces.x1[n]);
    const dz = Math.max(pieces.z0[n] - z, 0, z - pieces.z1[n]);
    return dx * dx + dz * dz;
  });
  return all.sort((a, b) => distanceSq[a] - distanceSq[b] || a - b).slice(0, limit);
}

/**
 * Corners of a box's top and sides, with their brightness. Bits 0, 1, 2 are x, y, z; counter-clockwise from
 * outside.
 */
const FACES: readonly { corners: readonly number[]; light: number }[] = [
  { corners: [2, 6, 7, 3], light: 1 },
  { corners: [0, 4, 6, 2], light: 0.72 },
  { corners: [4, 5, 7, 6], light: 0.82 },
  { corners: [5, 1, 3, 7], light: 0.72 },
  { corners: [1, 0, 2, 3], light: 0.82 },
];

const GRAY = 150;

function draw(grid: Grid, pieces: Pieces, isBox: boolean, options: VoxelOptions): VoxelList {
  const { boundsMin, cellSize, cellHeight, spanCount } = grid;
  const { offset = [0, 0, 0] } = options;
  const chosen = choose(pieces, grid, options);
  const faces = isBox ? FACES : FACES.slice(0, 1);
  const vertexCount = 4 * faces.length * chosen.length;
  const positions = new Float32Array(3 * vertexCount);
  const colors = new Uint8Array(4 * vertexCount);
  const indices = new Uint32Array(1.5 * vertexCount);
  let vertex = 0;
  let index = 0;
  let shownCount = 0;
  for (const n of chosen) {
    shownCount += pieces.spans[n];
    const xs = [pieces.x0[n], pieces.x1[n]];
    const ys = [pieces.bottom[n], pieces.top[n]];
    const zs = [pieces.z0[n], pieces.z1[n]];
    for (const { corners, light } of faces) {
      for (let k = 0; k < 4; k++) {
        const corner = corners[k];
        positions[3 * (vertex + k)] = boundsMin[0] + xs[corner & 1] * cellSize;
        positions[3 * (vertex + k) + 1] = boundsMin[1] + ys[(corner >> 1) & 1] * cellHeight;
        positions[3 * (vertex + k) + 2] = boundsMin[2] + zs[corner >> 2] * cellSize;
        putColor(colors, vertex + k, pieces.color[n]);
        // Sides are mostly gray, because only tops are walkable.
        for (let c = 0; c < 3 && light < 1; c++) {
          const at = 4 * (vertex + k) + c;
          colors[at] = light * (0.3 * colors[at] + 0.7 * GRAY);
        }
      }
      indices.set([vertex, vertex + 1, vertex + 2, vertex, vertex + 2, vertex + 3], index);
      vertex += 4;
      index += 6;
    }
  }
  const origin: [number, number, number] = [offset[0], offset[1], offset[2]];
  return { list: { kind: 'triangles', positions, colors, indices, origin }, shownCount, totalCount: spanCount };
}
