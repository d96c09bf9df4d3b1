/**
 * Builds the bounding volume hierarchy over a level's triangles, for picking. The worker does it for large
 * levels.
 */
import type { NavMesh } from 'navkiln';
import { navMeshTriangles } from 'navkiln/debug';
import { BufferAttribute, BufferGeometry } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import type { LevelData } from '../state/state.ts';

export function buildLevelTree(display: Float32Array, indices: Uint32Array): LevelData['tree'] {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(display, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  // Indirect, so that the triangles keep the order of the bake.
  const tree = new MeshBVH(geometry, { indirect: true });
  // Without the version, the page would take the tree for one of an older format. The library's types leave it out.
  const {
    version = 1,
    roots,
    indirectBuffer,
  } = MeshBVH.serialize(tree, { cloneBuffers: false }) as ReturnType<typeof MeshBVH.serialize> & { version?: number };
  return { version, roots, indirectBuffer };
}

/** Builds the hierarchy over the triangles of a mesh as picking draws them (view/picking.ts). */
export function buildMeshTree(navMesh: NavMesh): LevelData['tree'] {
  const { positions, indices } = navMeshTriangles(navMesh, { lift: 0 });
  return buildLevelTree(positions, indices!);
}
