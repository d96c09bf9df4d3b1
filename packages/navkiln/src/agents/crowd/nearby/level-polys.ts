/**
 * Heights of level polygons, whose vertices all have the same height, as on most floors of buildings. Reading the
 * height replaces the search for the triangle below an agent, with exactly the same result.
 *
 * In: a mesh. Out: one number per polygon.
 * Cost: linear in the vertices of a polygon at its first query after a change of the mesh. No allocation once grown.
 * Based on: own.
 */
import type { NavMesh } from '../../../mesh/types.ts';

/** Marks heights that are not known yet; no surface is that high. */
const UNKNOWN = Infinity;

interface LevelHeights {
  revision: number;
  /** Per polygon: its height. NaN if it is not level; Infinity if not known yet. */
  heights: Float64Array;
}

const known = new WeakMap<NavMesh, LevelHeights>();

/** Returns the heights of the level polygons of a mesh, for `isLevel`. Valid until the mesh changes. */
export function levelHeightsOf(mesh: NavMesh): Float64Array {
  let entry = known.get(mesh);
  if (entry === undefined) known.set(mesh, (entry = { revision: -1, heights: new Float64Array(0) }));
  if (entry.revision !== mesh.revision) {
    entry.revision = mesh.revision;
    if (entry.heights.length < mesh.polyCount) entry.heights = new Float64Array(2 * mesh.polyCount);
    entry.heights.fill(UNKNOWN);
  }
  return entry.heights;
}

/** Returns whether a polygon is level; its height is then heights[poly]. */
export function isLevel(heights: Float64Array, mesh: NavMesh, poly: number): boolean {
  if (heights[poly] === UNKNOWN) heights[poly] = measure(mesh, poly);
  return heights[poly] === heights[poly];
}

function measure(mesh: NavMesh, poly: number): number {
  const { vertices, edgeVertex, detailVertices, polyVertexCount, polyDetailVertexStart, polyDetailVertexCount } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const y = vertices[3 * edgeVertex[first] + 1];
  for (let e = first; e < first + polyVertexCount[poly]; e++) if (vertices[3 * edgeVertex[e] + 1] !== y) return NaN;
  const start = polyDetailVertexStart[poly];
  for (let v = start; v < start + polyDetailVertexCount[poly]; v++) if (detailVertices[3 * v + 1] !== y) return NaN;
  return y;
}
