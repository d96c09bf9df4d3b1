/**
 * Builds the bounding volume hierarchy over a level's triangles, for picking. The worker does it for large
 * levels.
 */
import { BufferAttribute, BufferGeometry } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import type { LevelData } from '../state/state.ts';

export function buildLevelTree(display: Float32Array, indices: Uint32Array): LevelData['tree'] {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(display, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  // Indirect, so that the triangles keep the order of the bake.
  const { roots, indirectBuffer } = MeshBVH.serialize(new MeshBVH(geometry, { indirect: true }), {
    cloneBuffers: false,
  });
  return { roots, indirectBuffer };
}
