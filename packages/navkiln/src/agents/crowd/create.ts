/** Creates crowds with all behaviors. */
import type { NavMesh } from '../../mesh/types.ts';
import {
  detours,
  goalFields,
  lanes,
  links,
  passages,
  repairs,
  shortcuts,
  sleeping,
  throttling,
  traffic,
} from './behaviors.ts';
import { makeCrowd } from './make.ts';
import type { CrowdOptions } from './state/options.ts';
import type { Crowd } from './state/types.ts';

/**
 * Creates a crowd without agents on a mesh.
 *
 * Allocates the memory of all `maxAgents` agents. After that only corridors grow, up to the longest path.
 * Throws a RangeError for options that are unknown or out of range, and for a mesh farther than 1e12 from the origin.
 */
export function createCrowd(mesh: NavMesh, options: CrowdOptions = {}): Crowd {
  return makeCrowd('createCrowd', mesh, options, {
    ...traffic,
    ...lanes,
    ...passages,
    ...links,
    ...goalFields,
    ...shortcuts,
    ...repairs,
    ...sleeping,
    ...throttling,
    ...detours,
  });
}
