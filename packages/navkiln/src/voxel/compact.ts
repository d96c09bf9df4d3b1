/**
 * Compact field: solid spans -> the open space above each walkable span, connected with its four neighbours.
 *
 * Input: filtered Heightfield. Output: CompactField with y, height, area and direct neighbour indices. Two spans are
 * connected when the floors differ by no more than the climb and the common open space fits the agent; of several that do,
 * the lowest. Cost: one pass to fill, one to connect; columns are sorted, so a lower pointer moves up with the spans.
 *
 * Unlike Recast, which keeps six bits a direction, a span knows its neighbour by index: every later stage reads one number
 * instead of decoding one and adding a column's start, and there is no limit of 63 layers. A column of one span beside a
 * column of one span, the usual case by far, is decided without loops and for both at once.
 *
 * Based on: Mikko Mononen, Recast (2009), rcBuildCompactHeightfield.
 */
import { createWorkspace, takeInt32, takeUint16, takeUint8 } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import type { BakeConfig } from './options.ts';
import type { CompactField, Heightfield } from './types.ts';

/** Height of the open sky, voxels. */
const SKY = 0xffff;

export function buildCompactField(
  solid: Heightfield, config: BakeConfig, workspace: Workspace = createWorkspace(),
): CompactField {
  const { width, depth, columnStart: solidStart, spans, spanCount: solidCount } = solid;
  const { walkableHeightCells: heightCells, walkableClimbCells: climbCells } = config;
  const columnCount = width * depth;
  const columnStart = takeInt32(workspace, 'field.columnStart', columnCount + 1);
  const y = takeUint16(workspace, 'field.y', solidCount);
  const height = takeUint8(workspace, 'field.height', solidCount);
  const area = takeUint8(workspace, 'field.area', solidCount);
  let spanCount = 0;
  for (let c = 0; c < columnCount; c++) {
    columnStart[c] = spanCount;
    const end = solidStart[c + 1]!;
    for (let i = solidStart[c]!; i < end; i++) {
      const span = spans[i]!;
      if (span >>> 26 === 0) continue;
      const floor = (span >>> 13) & 0x1fff;
      const open = (i + 1 < end ? spans[i + 1]! & 0x1fff : SKY) - floor;
      y[spanCount] = floor;
      height[spanCount] = open > 255 ? 255 : open;
      area[spanCount] = span >>> 26;
      spanCount++;
    }
  }
  columnStart[columnCount] = spanCount;

  const neighbor = takeInt32(workspace, 'field.neighbor', spanCount * 4);
  for (let z = 0; z < depth; z++) {
    for (let x = 0; x < width; x++) {
      const c = x + z * width;
      const begin = columnStart[c]!, end = columnStart[c + 1]!;
      if (x === 0) for (let i = begin; i < end; i++) neighbor[4 * i] = -1;
      if (z === 0) for (let i = begin; i < end; i++) neighbor[4 * i + 3] = -1;
      // East, then south; both columns learn of each other at once.
      if (x === width - 1) {
        for (let i = begin; i < end; i++) neighbor[4 * i + 2] = -1;
      } else {
        const high = columnStart[c + 2]!;
        if (end - begin === 1 && high - end === 1) {
          const floor = y[begin]!, otherFloor = y[end]!;
          const rise = otherFloor - floor;
          const ceiling = floor + height[begin]!, otherCeiling = otherFloor + height[end]!;
          const open = (ceiling < otherCeiling ? ceiling : otherCeiling) - (rise < 0 ? floor : otherFloor);
          const fits = open >= heightCells && rise <= climbCells && -rise <= climbCells;
          neighbor[4 * begin + 2] = fits ? end : -1;
          neighbor[4 * end] = fits ? begin : -1;
        } else {
          connect(y, height, neighbor, begin, end, end, high, 2, heightCells, climbCells);
          connect(y, height, neighbor, end, high, begin, end, 0, heightCells, climbCells);
        }
      }
      if (z === depth - 1) {
        for (let i = begin; i < end; i++) neighbor[4 * i + 1] = -1;
      } else {
        const low = columnStart[c + width]!, high = columnStart[c + width + 1]!;
        if (end - begin === 1 && high - low === 1) {
          const floor = y[begin]!, otherFloor = y[low]!;
          const rise = otherFloor - floor;
          const ceiling = floor + height[begin]!, otherCeiling = otherFloor + height[low]!;
          const open = (ceiling < otherCeiling ? ceiling : otherCeiling) - (rise < 0 ? floor : otherFloor);
          const fits = open >= heightCells && rise <= climbCells && -rise <= climbCells;
          neighbor[4 * begin + 1] = fits ? low : -1;
          neighbor[4 * low + 3] = fits ? begin : -1;
        } else {
          connect(y, height, neighbor, begin, end, low, high, 1, heightCells, climbCells);
          connect(y, height, neighbor, low, high, begin, end, 3, heightCells, climbCells);
        }
      }
    }
  }

  const { boundsMin, boundsMax } = solid;
  const raise = Math.fround(heightCells * solid.cellHeight);
  return {
    width, depth, cellSize: solid.cellSize, cellHeight: solid.cellHeight, boundsMin,
    boundsMax: [boundsMax[0], Math.fround(boundsMax[1] + raise), boundsMax[2]],
    walkableHeightCells: heightCells, walkableClimbCells: climbCells, borderCells: config.borderCells,
    columnStart, spanCount, y: y.subarray(0, spanCount), height: height.subarray(0, spanCount),
    area: area.subarray(0, spanCount), neighbor,
    distance: new Uint16Array(0), maxDistance: 0, region: new Int32Array(0), regionCount: 0,
  };
}

/** Connects spans begin .. end - 1 of a column with spans low .. high - 1 of the next one. */
function connect(
  y: Uint16Array, height: Uint8Array, neighbor: Int32Array, begin: number, end: number, low: number, high: number,
  dir: number, heightCells: number, climbCells: number,
): void {
  for (let i = begin; i < end; i++) {
    const floor = y[i]!, ceiling = floor + height[i]!;
    while (low < high && y[low]! + height[low]! < floor + heightCells) low++;
    let found = -1;
    for (let k = low; k < high; k++) {
      const otherFloor = y[k]!;
      if (otherFloor > floor + climbCells) break;
      const otherCeiling = otherFloor + height[k]!;
      const open = (ceiling < otherCeiling ? ceiling : otherCeiling) - (floor > otherFloor ? floor : otherFloor);
      if (open >= heightCells && floor - otherFloor <= climbCells) {
        found = k;
        break;
      }
    }
    neighbor[4 * i + dir] = found;
  }
}
