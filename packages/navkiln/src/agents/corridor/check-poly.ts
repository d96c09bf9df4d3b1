/** Checks the dense polygon indices that callers pass to corridor functions. Based on: own. */
import { refuse } from '../../base/data/refuse.ts';
import type { NavMesh } from '../../mesh/types.ts';

/** Throws a RangeError unless `poly` is the dense index of a polygon. */
export function checkPoly(caller: string, mesh: NavMesh, poly: number): void {
  if (!Number.isInteger(poly) || poly < 0 || poly >= mesh.polyCount) {
    refuse(caller, 'poly', poly, `a dense polygon index below ${mesh.polyCount}`);
  }
}
