/**
 * Checks the numbers of one link; loading and validating share it.
 *
 * Cost: constant.
 * Based on: own.
 */
import { AREA_COUNT } from '../../base/constants.ts';
import { isLinkState, isStraightLink } from '../link-kinds.ts';
import { wideLinks } from '../link-places.ts';
import { isSizeMask } from '../sizes-file.ts';
import type { NavMesh } from '../types.ts';

/** Returns whether a used link has possible values in all fields. All numbers must be finite. */
export function isSoundLink(mesh: NavMesh, link: number): boolean {
  const area = mesh.linkArea[link];
  const cost = mesh.linkCost[link];
  return (
    isLinkState(mesh.linkState[link]) &&
    !(isStraightLink(mesh, link) && wideLinks.places?.areEndsEqual(mesh.linkPoints, 12 * link) === false) &&
    mesh.linkGeneration[link] > 0 &&
    area > 0 &&
    area < AREA_COUNT &&
    mesh.linkRadius[link] >= 0 &&
    (cost >= 0 || cost === -1) &&
    isSizeMask(mesh, mesh.linkSizes[link])
  );
}
