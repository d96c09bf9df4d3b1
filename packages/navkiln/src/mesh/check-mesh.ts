/**
 * The check of a mesh in public functions: one property of the record. `validateNavMesh` checks all of it.
 *
 * Based on: own.
 */
import { checkMutable, refuseType } from '../base/data/refuse.ts';
import type { NavMesh } from './types.ts';

/** Throws a TypeError unless `mesh` is a NavMesh with its typed arrays, which it is not after a trip through JSON. */
export function checkNavMesh(caller: string, mesh: unknown, path: string = 'mesh'): void {
  // A read by name is faster than by a variable, as in `checkRecord`.
  if (!ArrayBuffer.isView((mesh as NavMesh | null | undefined)?.polyPortal))
    refuseType(caller, path, mesh, 'a NavMesh');
}

/** Throws a TypeError unless `mesh` is a NavMesh that can be changed. */
export function checkMutableMesh(caller: string, mesh: unknown, path: string = 'mesh'): void {
  checkNavMesh(caller, mesh, path);
  checkMutable(caller, path, mesh);
}
