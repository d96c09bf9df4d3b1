/**
 * Filters: take away (or, on kerbs, give) walkability of solid spans, in place. Their order matters: low-hanging obstacles,
 * ledges, low ceilings. Each is one pass over the spans; only areas change.
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
      for (let i = columnStart[c]!; i < end; i++) {
        const span = spans[i]!;
        if (span >>> 26 === 0) continue;
        if (x === 0 || z === 0 || x === width - 1 || z === depth - 1) {
          // Beyond the grid is a drop.
          spans[i] = span & 0x03ffffff;
          continue;
        }
        const floor = (span >>> 13) & 0x1fff;
        const ceiling = i + 1 < end ? spans[i + 1]! & 0x1fff : SKY;
        if (
          isLedge(field, c - 1, floor, ceiling, heightCells, climbCells)
          || isLedge(field, c + width, floor, ceiling, heightCells, climbCells)
          || isLedge(field, c + 1, floor, ceiling, heightCells, climbCells)
          || isLedge(field, c - width, floor, ceiling, heightCells, climbCells)
          || reach.highest - reach.lowest > climbCells
        ) {
          spans[i] = span & 0x03ffffff;
        }
        reach.lowest = SKY;
        reach.highest = 0;
      }
    }
  }
}

/** Lowest and highest neighbouring floor within the climb of the span at hand. */
const reach = { lowest: SKY, highest: 0 };

/** Whether the neighbouring column lets one drop by more than the climb; notes its floors within the climb. */
function isLedge(
  field: Heightfield, column: number, floor: number, ceiling: number, heightCells: number, climbCells: number,
): boolean {
  const { columnStart, spans } = field;
  const end = columnStart[column + 1]!;
  let i = columnStart[column]!;
  if (floor < reach.lowest) reach.lowest = floor;
  if (floor > reach.highest) reach.highest = floor;
  let neighborCeiling = i < end ? spans[i]! & 0x1fff : SKY;
  if ((ceiling < neighborCeiling ? ceiling : neighborCeiling) - floor >= heightCells) return true;
  for (; i < end; i++) {
    const neighborFloor = (spans[i]! >>> 13) & 0x1fff;
    neighborCeiling = i + 1 < end ? spans[i + 1]! & 0x1fff : SKY;
    const top = ceiling < neighborCeiling ? ceiling : neighborCeiling;
    const bottom = floor > neighborFloor ? floor : neighborFloor;
    if (top - bottom < heightCells) continue;
    const difference = neighborFloor - floor;
    if (difference < -climbCells) return true;
    if (difference <= climbCells) {
      if (neighborFloor < reach.lowest) reach.lowest = neighborFloor;
      if (neighborFloor > reach.highest) reach.highest = neighborFloor;
    }
  }
  return false;
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
