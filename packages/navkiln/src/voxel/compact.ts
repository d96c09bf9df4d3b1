/**
 * Compact field: solid spans -> the open space above each walkable span, connected with its four neighbours.
 *
 * Input: filtered Heightfield. Output: CompactField with y, height, area and direct neighbour indices. Two spans are
 * connected when the floors differ by no more than the climb and the common open space fits the agent; of several that do,
 * the lowest. Cost: one pass to fill, one to connect; columns are sorted, so a lower pointer moves up with the spans.
 *
 * Unlike Recast, which keeps six bits a direction, a span knows its neighbour by index: every later stage reads one number
 * instead of decoding one and adding a column's start, and there is no limit of 63 layers.
 *
 * Based on: Mikko Mononen, Recast (2009), rcBuildCompactHeightfield.
 */
import type { BakeConfig } from './options.ts';
import { countWalkableSpans } from './filter.ts';
import type { CompactField, Heightfield } from './types.ts';

/** Height of the open sky, voxels. */
const SKY = 0xffff;

export function buildCompactField(solid: Heightfield, config: BakeConfig): CompactField {
  const { width, depth, columnStart: solidStart, spans } = solid;
  const { walkableHeightCells: heightCells, walkableClimbCells: climbCells } = config;
  const columnCount = width * depth;
  const spanCount = countWalkableSpans(solid);
  const columnStart = new Int32Array(columnCount + 1);
  const y = new Uint16Array(spanCount);
  const height = new Uint8Array(spanCount);
  const area = new Uint8Array(spanCount);
  let at = 0;
  for (let c = 0; c < columnCount; c++) {
    columnStart[c] = at;
    const end = solidStart[c + 1]!;
    for (let i = solidStart[c]!; i < end; i++) {
      const span = spans[i]!;
      if (span >>> 26 === 0) continue;
      const floor = (span >>> 13) & 0x1fff;
      const open = (i + 1 < end ? spans[i + 1]! & 0x1fff : SKY) - floor;
      y[at] = floor;
      height[at] = open > 255 ? 255 : open;
      area[at] = span >>> 26;
      at++;
    }
  }
  columnStart[columnCount] = at;

  const neighbor = new Int32Array(spanCount * 4);
  neighbor.fill(-1);
  for (let z = 0; z < depth; z++) {
    for (let x = 0; x < width; x++) {
      const c = x + z * width;
      const begin = columnStart[c]!, end = columnStart[c + 1]!;
      if (begin === end) continue;
      for (let dir = 0; dir < 4; dir++) {
        let other: number;
        if (dir === 0) {
          if (x === 0) continue;
          other = c - 1;
        } else if (dir === 1) {
          if (z === depth - 1) continue;
          other = c + width;
        } else if (dir === 2) {
          if (x === width - 1) continue;
          other = c + 1;
        } else {
          if (z === 0) continue;
          other = c - width;
        }
        let low = columnStart[other]!;
        const otherEnd = columnStart[other + 1]!;
        for (let i = begin; i < end; i++) {
          const floor = y[i]!, ceiling = floor + height[i]!;
          while (low < otherEnd && y[low]! + height[low]! < floor + heightCells) low++;
          for (let k = low; k < otherEnd; k++) {
            const otherFloor = y[k]!;
            if (otherFloor > floor + climbCells) break;
            const otherCeiling = otherFloor + height[k]!;
            const open = (ceiling < otherCeiling ? ceiling : otherCeiling) - (floor > otherFloor ? floor : otherFloor);
            if (open >= heightCells && floor - otherFloor <= climbCells) {
              neighbor[4 * i + dir] = k;
              break;
            }
          }
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
    columnStart, spanCount, y, height, area, neighbor,
    distance: new Uint16Array(0), maxDistance: 0, region: new Int32Array(0), regionCount: 0,
  };
}
