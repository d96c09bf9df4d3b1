/**
 * The check of a mesh in public functions: one property of the record. `validateNavMesh` checks all of it.
 *
 * Based on: own.
 */
import { refuseType } from '../base/data/refuse.ts';
import type { NavMesh } from './types.ts';

/** Throws a TypeError unless `mesh` is a NavMesh with its typed arrays, which it is not after a trip through JSON. */
export function checkNavMesh(caller: string, mesh: unknown, path: string = 'mesh'): void {
  // A read by name is faster than by a variable, as in `checkRecord`.
  if (!ArrayBuffer.isView((mesh as NavMesh | null | undefined)?.polyPortal))
    refuseType(caller, path, mesh, 'a NavMesh');
}

/**
 * Throws a TypeError unless tiles, links and areas of a mesh can be changed. JavaScript keeps what is allowed: objects that take no
 * new fields (an overlay and its base, a shared mesh, a frozen mesh) are fixed.
 */
export function checkMutableMesh(caller: string, mesh: unknown, path: string = 'mesh'): void {
  checkNavMesh(caller, mesh, path);
  if (!Object.isExtensible(mesh)) refuseType(caller, path, mesh, 'not frozen or shared');
}

/** Throws a TypeError unless flags and states of links of a mesh can be changed: not if it is sealed or frozen. */
export function checkMutableStates(caller: string, mesh: unknown): void {
  checkNavMesh(caller, mesh);
  if (Object.isSealed(mesh)) refuseType(caller, 'mesh', mesh, 'not frozen or shared');
}
