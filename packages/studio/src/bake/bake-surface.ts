/** Builds the mesh of the triangles as they are, level by level as the command line does. Loaded on demand. */
import { addLink } from 'navkiln';
import { buildFromSurface } from 'navkiln/build';
import { boundsOfMesh } from './bounds.ts';
import { hold } from './context.ts';
import type { TaskContext } from './context.ts';
import type { Baked, SurfaceBake, Task } from './protocol.ts';
import { keepTypes } from './with-sizes.ts';

export async function bakeSurface(
  { level, options: { links = [] }, edits }: Extract<Task, { type: 'bake-level' }>,
  { options, starts }: SurfaceBake,
  context: TaskContext,
): Promise<Baked> {
  const { positions, indices, areas } = hold(level, context);
  context.baked = undefined;
  const levels = starts.map((start, i) => ({
    positions,
    indices: indices.subarray(start, starts[i + 1]),
    areas: areas?.subarray(start / 3, (starts[i + 1] ?? indices.length) / 3),
  }));
  const { navMesh, report } = buildFromSurface(levels, { ...options, onProgress: context.onProgress });
  if (navMesh.polyCount === 0) (await import('./explain-empty.ts')).explainSurface(report, levels, options);
  for (const link of links) addLink(navMesh, link);
  keepTypes(navMesh, edits.agentTypes);
  return { kind: 'baked', navMesh, report, bounds: boundsOfMesh(navMesh) };
}
