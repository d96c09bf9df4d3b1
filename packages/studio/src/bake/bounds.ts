/** Bounds of points and of the tiles of a mesh. Without any, both corners are the origin. */
import type { NavMesh } from 'navkiln';
import type { Bounds } from '../state/state.ts';

export function boundsOfPoints(positions: ArrayLike<number>): Bounds {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    const axis = (i % 3) as 0 | 1 | 2;
    const value = positions[i];
    if (value < min[axis]) min[axis] = value;
    if (value > max[axis]) max[axis] = value;
  }
  return min[0] <= max[0] ? { min, max } : { min: [0, 0, 0], max: [0, 0, 0] };
}

export function boundsOfMesh(mesh: NavMesh): Bounds {
  const numbers: number[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] === 1) numbers.push(...mesh.tileBounds.subarray(6 * slot, 6 * slot + 6));
  }
  return boundsOfPoints(numbers);
}
