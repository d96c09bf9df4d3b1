/** Finds the parts of a glTF file that its scene needs: unused accessors, views and buffers are neither read nor decoded. */
import type { GltfSource } from './json.ts';
import { failAt } from './json.ts';
import type { GltfShape } from './shape.ts';

export interface UsedParts {
  meshes: Set<number>;
  accessors: Set<number>;
  views: Set<number>;
  buffers: Set<number>;
}

export function findUsedParts(shape: GltfShape, source: GltfSource): UsedParts {
  const used: UsedParts = { meshes: new Set(), accessors: new Set(), views: new Set(), buffers: new Set() };
  const stack = [...shape.roots];
  while (stack.length > 0) {
    const node = shape.nodes[stack.pop()!];
    for (const child of node.children) stack.push(child);
    if (node.mesh === undefined) continue;
    used.meshes.add(node.mesh);
    for (const index of Object.values(node.instances ?? {})) used.accessors.add(index);
  }
  for (const index of used.meshes) {
    for (const { position, indices, draco } of shape.meshes[index].primitives) {
      if (position === undefined) continue;
      used.accessors.add(position);
      if (indices !== undefined) used.accessors.add(indices);
      if (draco === undefined) continue;
      if (shape.views[draco.view].meshopt !== undefined) {
        failAt(source, `bufferViews[${draco.view}]`, 'is compressed twice, by Draco and by meshopt');
      }
      used.views.add(draco.view);
    }
  }
  for (const index of used.accessors) {
    const { view, sparse } = shape.accessors[index];
    if (view !== undefined) used.views.add(view);
    if (sparse === undefined) continue;
    used.views.add(sparse.indices.view);
    used.views.add(sparse.values.view);
  }
  for (const index of used.views) {
    const view = shape.views[index];
    used.buffers.add((view.meshopt ?? view).buffer);
  }
  return used;
}
