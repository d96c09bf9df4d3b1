/** Chooses two random points that are connected, for the path tool. Loaded on demand. */
import { createRandom, findRandomPoint } from 'navkiln';
import type { NavMesh } from 'navkiln';
import type { Vec3 } from '../../state/state.ts';

/** Returns the points, or undefined when the mesh has no walkable surface. */
export function findRandomEnds(mesh: NavMesh, seed: number): { from: Vec3; to: Vec3 } | undefined {
  const source = createRandom(seed);
  const from = findRandomPoint(mesh, source);
  const to = findRandomPoint(mesh, source, { from: from.point });
  return from.found && to.found ? { from: from.point, to: to.point } : undefined;
}
