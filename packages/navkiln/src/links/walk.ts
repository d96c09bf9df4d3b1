/**
 * How long the walk is that a link saves: over the whole mesh and over no link.
 *
 * In: a mesh, two positions. Out: the length of a walk.
 * Cost: one path search of at most 4,096 polygons.
 * Based on: own.
 */
import { refreshIslands } from '../navmesh/islands.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { findPath } from '../query/path/find-path.ts';

const MOST_NODES = 4096;

/** Returns a view of the mesh that has no links. It shares everything else, so the mesh must not change meanwhile. */
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

/** Returns the length of the walk between two positions; Infinity when none is found. */
export function walkLength(view: NavMesh, from: readonly number[], to: readonly number[]): number {
  const path = findPath(view, from, to, { maxNodes: MOST_NODES });
  return path.status === 'complete' ? path.length : Infinity;
}
