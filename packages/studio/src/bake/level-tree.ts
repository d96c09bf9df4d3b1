/** The tree of boxes over a level's triangles, which picking descends; made in the worker where a level is large. */
import { BufferAttribute, BufferGeometry } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import type { LevelData } from '../app/state.ts';

export function buildLevelTree(display: Float32Array, indices: Uint32Array): LevelData['tree'] {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(display, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  // Indirect: the order of the triangles is the bake's, and stays.
  const { roots, indirectBuffer } = MeshBVH.serialize(new MeshBVH(geometry, { indirect: true }), {
    cloneBuffers: false,
  });
  return { roots, indirectBuffer };
}
