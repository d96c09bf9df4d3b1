/**
 * Tolerances of a route graph.
 *
 * Based on: own.
 */
import type { NavMesh } from '../../mesh/types.ts';
import type { RouteGraph } from './types.ts';

/** Returns the smallest length that counts on a mesh, world units. */
export function hairOf({ tileSize, cellSize }: Pick<NavMesh, 'tileSize' | 'cellSize'>): number {
  return cellSize > 0 ? cellSize / 20 : tileSize / 4096;
}

/** Returns the minimum overlap of borders that counts. In files, positions are whole steps. */
export function roundingOf(mesh: NavMesh, source: RouteGraph['source']): number {
  return Math.max(hairOf(mesh) / 256, mesh.tileSize * (source === 'mesh' ? 2 ** -20 : 2 ** -15));
}
