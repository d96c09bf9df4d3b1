/**
 * Measures the walk that a link saves: a path over all tiles, without links, up to a limit.
 *
 * A walk of at most that length stays within half the limit from the middle of the link. Polygons farther away are not searched, so the
 * result depends only on the surface nearby. A world that has changed elsewhere need not repeat the query.
 *
 * In: a mesh, two positions, a limit. Out: the length of a walk.
 * Cost: one path search of the polygons within half of the limit, at most 4,096.
 * Based on: own.
 */
import { islandRelation, refreshIslands } from '../../mesh/islands.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { createFilter } from '../../query/create-filter.ts';
import type { QueryFilter } from '../../query/filter.ts';
import { findCorridor } from '../../query/path/a-star.ts';
import { createCorridor } from '../../query/path/corridor.ts';
import { pullString } from '../../query/path/funnel.ts';
import { createPathLine } from '../../query/path/path-line.ts';
import { setLength } from '../../query/path/result.ts';
import { createSearchState } from '../../query/search-state.ts';

const MOST_NODES = 4096;

/** Returns a view of the mesh without links. It shares all other data, so the mesh must not change while it is used. */
export function withoutLinks(mesh: NavMesh): NavMesh {
  const view: NavMesh = {
    ...mesh,
    linkCount: 0,
    polyLink: new Int32Array(mesh.polyLink.length).fill(-1),
    islandParent: mesh.islandParent.slice(),
    linkScale: 1,
  };
  refreshIslands(view);
  return view;
}

/** The ball that polygons must overlap: center and radius. */
let middleX = 0;
let middleY = 0;
let middleZ = 0;
let radius = 0;

const NEARBY: QueryFilter = createFilter({ passes: isNearby });

const state = createSearchState();
const corridor = createCorridor();
const line = createPathLine();
const measured = { length: NaN };
const start = new Float64Array(3);
const end = new Float64Array(3);

/**
 * Returns the length of the walk of a size between two positions on polygons (dense indices). Returns Infinity if the search finds no walk
 * that is shorter than the limit.
 */
// oxlint-disable-next-line max-params -- kernel
export function walkLength(
  view: NavMesh,
  size: number,
  fromPoly: number,
  from: readonly number[],
  toPoly: number,
  to: readonly number[],
  limit: number,
): number {
  if (islandRelation(view, fromPoly, toPoly) === 0) return Infinity;
  start.set(from);
  end.set(to);
  middleX = (from[0] + to[0]) / 2;
  middleY = (from[1] + to[1]) / 2;
  middleZ = (from[2] + to[2]) / 2;
  radius = limit / 2;
  NEARBY.size = size;
  findCorridor(corridor, state, view, NEARBY, fromPoly, start, toPoly, end, MOST_NODES);
  if (corridor.outcome !== 'complete') return Infinity;
  pullString(line, view, corridor, start, end);
  setLength(measured, line);
  return measured.length < limit ? measured.length : Infinity;
}

/** Returns whether the box of a polygon overlaps the ball. */
function isNearby({ vertices, edgeVertex, polyEdgeStart, polyVertexCount }: NavMesh, poly: number): boolean {
  let minX = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxZ = -Infinity;
  let minY = Infinity;
  let maxY = -Infinity;
  const first = polyEdgeStart[poly];
  for (let e = first; e < first + polyVertexCount[poly]; e++) {
    const at = 3 * edgeVertex[e];
    const x = vertices[at];
    const y = vertices[at + 1];
    const z = vertices[at + 2];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  const x = Math.max(0, minX - middleX, middleX - maxX);
  const y = Math.max(0, minY - middleY, middleY - maxY);
  const z = Math.max(0, minZ - middleZ, middleZ - maxZ);
  return x * x + y * y + z * z <= radius * radius;
}
