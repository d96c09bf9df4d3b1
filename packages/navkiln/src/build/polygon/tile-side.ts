/**
 * Chooses the side of a map's tiles in grid cells.
 *
 * Cost: one pass. Based on: own.
 */
import { refuse } from '../../base/data/refuse.ts';
import { MAX_GRID_EXTENT } from '../../base/plane/grid-predicates.ts';
import type { PolygonConfig } from './options.ts';
import type { GridMap } from './rings.ts';

/** Up to this number of points, one tile is tried when no tileSize is given. */
const ONE_TILE_POINTS = 100_000;
/** Approximate number of points per tile when there are more. */
const TILE_POINTS = 8_000;
/** Tiles that a map may have. */
const MOST_TILES = 2 ** 20;

/** Returns the side of tiles in grid cells to try first; 0: one tile. */
export function firstSide(grid: GridMap, { tileSize }: PolygonConfig): number {
  const { gridSize } = grid.frame;
  if (tileSize < 0) return grid.pointCount <= ONE_TILE_POINTS ? 0 : chooseSide(grid);
  if (tileSize === 0) return 0;
  const side = Math.max(1, Math.round(tileSize / gridSize));
  const { width, height } = sizeOf(grid);
  const count = (Math.floor(width / side) + 2) * (Math.floor(height / side) + 2);
  if (count > MOST_TILES || side > MAX_GRID_EXTENT) {
    const least = Math.ceil(Math.sqrt((width * height) / MOST_TILES)) * gridSize;
    refuse(
      'buildFromPolygons',
      'options.tileSize',
      tileSize,
      `at least ${Number(Math.max(least, gridSize).toPrecision(3))} and at most twice the map's extent, or 0 for one tile`,
    );
  }
  return side;
}

/** Returns a side that gives tiles of a few thousand points. */
export function chooseSide(grid: GridMap): number {
  const { width, height } = sizeOf(grid);
  return Math.max(1, Math.ceil(Math.sqrt((width * height * TILE_POINTS) / Math.max(TILE_POINTS, grid.pointCount))));
}

/** Returns the extent of a map in grid cells, at least 1. */
function sizeOf({ polygons, obstacles }: GridMap): { width: number; height: number } {
  const rings = [...polygons.flatMap(({ outline, holes }) => [outline, ...holes]), ...obstacles];
  let [minX, minY, maxX, maxY] = [0, 0, 1, 1];
  for (const { points } of rings) {
    for (const { x, y } of points) {
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
  }
  return { width: maxX - minX, height: maxY - minY };
}
