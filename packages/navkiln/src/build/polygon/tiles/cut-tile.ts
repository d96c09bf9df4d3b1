/**
 * Cuts one tile of a map: triangulates its segments, selects the walkable triangles by winding number, and merges them to
 * convex pieces.
 *
 * A tile depends on its segments alone, so it can be built again without the others.
 *
 * In: the segments of a tile.
 * Out: convex pieces on the grid.
 * Cost: that of the triangulation.
 * Based on: own.
 */
import { takeInt32 } from '../../../base/data/workspace.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import type { PolygonBudget } from '../../../base/plane/budget.ts';
import { areSimple } from '../clean-simple.ts';
import { ROUNDING_DISTANCE } from '../../../base/plane/join-near.ts';
import { triangulateSegments, windingsIn } from '../../../base/plane/triangulate.ts';
import type { Triangulation } from '../../../base/plane/types.ts';
import { SEGMENT } from './segments.ts';
import type { TileSegments } from './segments.ts';

/** Name of a rule that decides which winding numbers are walkable; see `selectTriangles`. */
export type Selection = 'simple' | 'ground' | 'carved' | 'inset' | 'coarse-inset';

/** A tile's triangles, and by half-edge its windings or 1 for the selected ones. */
export interface TileTriangles {
  triangulation: Triangulation;
  winding: Int32Array;
}

/** Triangulates the segments of a tile, in the memory of a workspace until the next tile. Joins nothing if `joinCells` is below 0. */
export function triangulateTile(
  { x: column, y: row, segments: { count, data, isRounded } }: TileSegments,
  { side, joinCells }: { side: number; joinCells: number },
  workspace: Workspace,
  budget?: PolygonBudget,
): TileTriangles {
  const x = takeInt32(workspace, 'tile.x', 2 * count);
  const y = takeInt32(workspace, 'tile.y', 2 * count);
  const from = takeInt32(workspace, 'tile.from', count);
  const to = takeInt32(workspace, 'tile.to', count);
  const weight = takeInt32(workspace, 'tile.weight', count);
  let points = 0;
  const pointAt = (at: number): number => {
    // Segments of a ring follow each other.
    if (points > 0 && x[points - 1] === data[at] && y[points - 1] === data[at + 1]) return points - 1;
    x[points] = data[at];
    y[points] = data[at + 1];
    return points++;
  };
  for (let k = 0; k < count; k++) {
    from[k] = pointAt(SEGMENT * k);
    to[k] = pointAt(SEGMENT * k + 2);
    weight[k] = data[SEGMENT * k + 4];
  }
  const segments = { from, to, weight };
  // Where the lines of tiles cut slanted sides, what touched exactly may be apart.
  const cells = isRounded && joinCells >= 0 ? Math.max(joinCells, ROUNDING_DISTANCE) : joinCells;
  const join = { cells, square: { x: column, y: row, side } };
  const rule = { budget, join, workspace };
  const triangulation = triangulateSegments(x.subarray(0, points), y.subarray(0, points), segments, rule);
  return { triangulation, winding: windingsIn(triangulation, workspace) };
}

/**
 * Replaces windings by 1 for walkable triangles and 0 for the others. Returns false if they are not simple but should be.
 *
 * simple: see `areSimple`. ground: inside rings that count 1. carved: and in no ring that counts `TAKEN`. inset: grown walls alone, where the area's own ring
 * counts -1. coarse-inset: rings that count 1, and grown walls that count `TAKEN`.
 */
export function selectTriangles({ triangulation, winding }: TileTriangles, selection: Selection): boolean {
  // What touches but for rounding is joined before the map is cut into tiles: at their sides, rings are cut one by one.
  if (selection === 'simple' && (triangulation.joinCount > 0 || !areSimple(winding))) return false;
  for (let h = 0; h < winding.length; h++) {
    const sum = winding[h];
    const low = (sum << 16) >> 16;
    const isWalkable =
      selection === 'simple'
        ? sum === 1
        : selection === 'inset'
          ? sum < 0
          : selection === 'carved'
            ? low > 0 && (sum - low) >> 16 <= 0
            : low > 0 && (selection === 'ground' || (sum - low) >> 16 < 0);
    winding[h] = isWalkable ? 1 : 0;
  }
  return true;
}
