/** Creates crowds of the core alone, for small pages. */
import { refuse } from '../../base/data/refuse.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { makeCrowd } from './make.ts';
import { updateCoreRest } from './rest/core-rest.ts';
import { refuseWithout } from './state/options.ts';
import type { AgentOptions, CrowdOptions } from './state/options.ts';
import type { Crowd } from './state/types.ts';

/**
 * Creates a crowd whose agents follow paths, avoid each other and walls, and arrive, without the other behaviors of
 * `createCrowd`. All functions of a crowd take it. `options.behaviors` adds behaviors, such as `lanes` or `links`;
 * orders that need more (patrols, groups, following) add it themselves.
 *
 * Throws what `createCrowd` throws, and a RangeError for a mesh with links without the behavior `links`.
 */
export function createCoreCrowd(mesh: NavMesh, options: CrowdOptions = {}): Crowd {
  const crowd = makeCrowd('createCoreCrowd', mesh, options, {
    updateRest: updateCoreRest,
    followMesh: refuseChanges,
    checkAgent,
  });
  if (mesh.linkCount > 0 && crowd.behaviors.useLinks === undefined)
    refuse('createCoreCrowd', 'mesh.linkCount', mesh.linkCount, '0, or add links to options.behaviors');
  return crowd;
}

/** Throws an Error when the mesh has changed. `meshChanges` and `repairs` replace it. */
function refuseChanges({ mesh, meshRevision }: Crowd): void {
  if (meshRevision !== mesh.revision)
    throw new Error('createCoreCrowd: the mesh has changed; add meshChanges to options.behaviors');
}

/** Throws a RangeError for options of an agent that need a behavior that the crowd does not have. */
function checkAgent({ behaviors }: Crowd, { separationWeight = 0, detail }: AgentOptions, caller: string): void {
  if (separationWeight > 0 && behaviors.keepSpacing === undefined)
    refuseWithout(caller, 'with a separationWeight', 'spacing');
  if (detail === 'low' && behaviors.skipAtEase === undefined) refuseWithout(caller, "with detail 'low'", 'throttling');
}
