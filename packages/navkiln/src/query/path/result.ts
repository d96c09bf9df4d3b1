/**
 * The result of every path function: one base record, whose fields have the same meaning for all functions.
 */
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import type { PathLine } from './path-line.ts';

/**
 * `'complete'`: the path leads to the end. `'partial'`: the path leads as near to the end as possible. `'none'`: there
 * is no path.
 */
export type PathStatus = 'complete' | 'partial' | 'none';

/**
 * Why a path is not complete:
 *
 * - `''`: the path is complete.
 * - `'start-off-mesh'`, `'end-off-mesh'`: no polygon that passes the filter is within `halfExtents` of that
 *   end. Status `'none'`.
 * - `'unreachable'`: no route leads to the end. The path ends as near to it as possible; `findNearestOf` and
 *   `pathTo` return none.
 * - `'budget'`: the search stopped at `maxNodes`, or is still running (`getPathSearchResult`). The path leads
 *   to the visited node nearest to the end; `findNearestOf` returns none.
 * - `'stale'`: tiles or links have changed since the search or flood started. Status `'none'`.
 */
export type PathReason = '' | 'start-off-mesh' | 'end-off-mesh' | 'unreachable' | 'budget' | 'stale';

/** Result of every path function. `Point` is `[x, y, z]`, or `[x, y]` on 2D maps. */
export interface Path<Point = [number, number, number]> {
  status: PathStatus;
  reason: PathReason;
  /** Corners from start to end, both on the mesh. Empty when the status is `'none'`. World units. */
  points: Point[];
  /** Polygons of the corridor, from start to end. Empty when the status is `'none'`. */
  polys: PolyRef[];
  /** Length of the line through `points`, world units. 0 when the status is `'none'`. */
  length: number;
  /**
   * The cost that the search minimized: lengths times area costs, plus the costs of links. A* measures lengths over
   * midpoints of edges. The exact search measures them along the line, seen from above. 0 if the status is `'none'`.
   */
  cost: number;
}

/** A path between two positions that the query has moved onto the mesh. */
export interface LocatedPath<Point = [number, number, number]> extends Path<Point> {
  /** How far the start was moved onto the mesh, world units; Infinity when it is off the mesh. */
  startDistance: number;
  /** How far the end was moved onto the mesh, world units; Infinity when it is off the mesh. */
  endDistance: number;
  /** On a mesh with sizes: the name of the size used. An agent between two sizes uses the next larger one. */
  size?: string;
}

/** Returns the first `count` positions of a flat array as records for a result. @internal */
export function pointsOf(positions: Float64Array, count: number): [number, number, number][] {
  const points: [number, number, number][] = [];
  for (let i = 0; i < 3 * count; i += 3) points.push([positions[i], positions[i + 1], positions[i + 2]]);
  return points;
}

/** Writes the length of a line into a record, since V8 may allocate a returned double. @internal */
export function setLength(out: { length: number }, line: PathLine): void {
  const { points } = line;
  let length = 0;
  for (let i = 3; i < 3 * line.count; i += 3) {
    const dx = points[i] - points[i - 3];
    const dy = points[i + 1] - points[i - 2];
    const dz = points[i + 2] - points[i - 1];
    length += Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
  out.length = length;
}

/** Writes the name of the size that a path is for, on a mesh with sizes. @internal */
export function setSize(path: LocatedPath, { sizes }: NavMesh, { size }: { size: number }): void {
  if (sizes.length > 0) path.size = sizes[size]?.name;
}
