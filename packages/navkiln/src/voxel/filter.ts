/**
 * Filters: take away (or, on kerbs, give) walkability of solid spans, in place. Low-hanging obstacles come first; ledges and low
 * ceilings only take away and do not look at each other's work, so the cheap one may run before the dear one. Each is one
 * pass over the spans; only areas change.
 *
 * Based on: Mikko Mononen, Recast (2009), RecastFilter. Columns are contiguous here, so the neighbours of a span are runs of
 * an array, and nothing is chased through links.
 */
import type { Heightfield } from './types.ts';

/** Height of the open sky, voxels. */
const SKY = 0xffff;

/** Steps up to the climb from a walkable span become walkable: kerbs, stairs, rubble. */
export function filterLowHangingObstacles(field: Heightfield, climbCells: number): void {
  const { columnStart, spans } = field;
  const columnCount = field.width * field.depth;
  for (let c = 0; c < columnCount; c++) {
    const end = columnStart[c + 1]!;
    let belowWalkable = false;
    let belowTop = 0, belowArea = 0;
    for (let i = columnStart[c]!; i < end; i++) {
      const span = spans[i]!;
      const top = (span >>> 13) & 0x1fff;
      const walkable = span >>> 26 !== 0;
      if (!walkable && belowWalkable && top - belowTop <= climbCells) spans[i] = (span & 0x03ffffff) | (belowArea << 26);
      // As it was: a raised span does not raise the next.
      belowWalkable = walkable;
      belowArea = spans[i]! >>> 26;
      belowTop = top;
    }
  }
}

/** Spans beside a drop of more than the climb, or on ground too steep from neighbour to neighbour, are not walkable. */
export function filterLedges(field: Heightfield, heightCells: number, climbCells: number): void {
  const { width, depth, columnStart, spans } = field;
  for (let z = 0; z < depth; z++) {
    for (let x = 0; x < width; x++) {
      const c = x + z * width;
      const end = columnStart[c + 1]!;
      // Beyond the grid is a drop.
      const isRim = x === 0 || z === 0 || x === width - 1 || z === depth - 1;
      for (let i = columnStart[c]!; i < end; i++) {
        const span = spans[i]!;
        if (span >>> 26 === 0) continue;
        if (isRim) {
          spans[i] = span & 0x03ffffff;
          continue;
        }
        const floor = (span >>> 13) & 0x1fff;
        const ceiling = i + 1 < end ? spans[i + 1]! & 0x1fff : SKY;
        let lowest = floor, highest = floor;
        let isLedge = false;
        for (let dir = 0; dir < 4 && !isLedge; dir++) {
          const other = dir === 0 ? c - 1 : dir === 1 ? c + width : dir === 2 ? c + 1 : c - width;
          const otherEnd = columnStart[other + 1]!;
          let k = columnStart[other]!;
          let otherCeiling = k < otherEnd ? spans[k]! & 0x1fff : SKY;
          // Nothing to stand on below the neighbour's first span.
          if ((ceiling < otherCeiling ? ceiling : otherCeiling) - floor >= heightCells) {
            isLedge = true;
            break;
          }
          for (; k < otherEnd; k++) {
            const otherFloor = (spans[k]! >>> 13) & 0x1fff;
            otherCeiling = k + 1 < otherEnd ? spans[k + 1]! & 0x1fff : SKY;
            const top = ceiling < otherCeiling ? ceiling : otherCeiling;
            if (top - (floor > otherFloor ? floor : otherFloor) < heightCells) {
              // Floors above can only be higher.
              if (ceiling - otherFloor < heightCells) break;
              continue;
            }
            if (floor - otherFloor > climbCells) {
              isLedge = true;
              break;
            }
            if (otherFloor - floor <= climbCells) {
              if (otherFloor < lowest) lowest = otherFloor;
              if (otherFloor > highest) highest = otherFloor;
            }
          }
        }
        if (isLedge || highest - lowest > climbCells) spans[i] = span & 0x03ffffff;
      }
    }
  }
}

/** Ground under a ceiling lower than the agent is not walkable. */
export function filterLowCeilings(field: Heightfield, heightCells: number): void {
  const { columnStart, spans } = field;
  const columnCount = field.width * field.depth;
  for (let c = 0; c < columnCount; c++) {
    const end = columnStart[c + 1]!;
    for (let i = columnStart[c]!; i + 1 < end; i++) {
      const floor = (spans[i]! >>> 13) & 0x1fff;
      if ((spans[i + 1]! & 0x1fff) - floor < heightCells) spans[i] = spans[i]! & 0x03ffffff;
    }
  }
}

/** Number of spans somebody can walk on. */
export function countWalkableSpans(field: Heightfield): number {
  const { spans, spanCount } = field;
  let count = 0;
  for (let i = 0; i < spanCount; i++) if (spans[i]! >>> 26 !== 0) count++;
  return count;
}
