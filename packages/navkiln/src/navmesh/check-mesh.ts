/**
 * The check of a mesh that functions for callers begin with: one property of the record. `validateNavMesh` checks all of it.
 *
 * Based on: own.
 */
import { checkRecord } from '../data/refuse.ts';

/** Throws a TypeError unless `mesh` is a NavMesh with its typed arrays, which it is not after a trip through JSON. */
export function checkNavMesh(caller: string, mesh: unknown, path: string = 'mesh'): void {
  checkRecord(caller, path, mesh, 'polyPortal', 'a NavMesh');
}
