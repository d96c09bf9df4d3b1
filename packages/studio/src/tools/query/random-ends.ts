/** Chooses two random points that are connected, for the path tool. Loaded on demand. */
import { createRandom, findRandomPoint } from 'navkiln';
import type { NavMesh } from 'navkiln';
import type { Vec3 } from '../../state/state.ts';

/** Returns the points, or undefined when the mesh has no walkable surface. */
export async function findRandomEnds(mesh: NavMesh, seed: number): Promise<{ from: Vec3; to: Vec3 } | undefined> {
  const source = createRandom(seed);
  // In large meshes each of them takes long: the page has its turn in between.
  const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));
  const from = findRandomPoint(mesh, source);
  await pause();
  const to = findRandomPoint(mesh, source, { from: from.point });
  await pause();
  return from.found && to.found ? { from: from.point, to: to.point } : undefined;
}
