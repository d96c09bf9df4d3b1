/**
 * Automatic links as an option of bakes: `buildNavMesh(level, { autoLinks: createAutoLinker({ jump: {} }) })`.
 *
 * In: options. Out: an `AutoLinker`, which the bake calls after it has built all tiles.
 * Cost: that of `addAutoLinks`, on the calling thread.
 * Based on: own. The caller passes the code for links to the bake, as it passes a worker pool, so bundles without links do not contain it.
 */
import type { AutoLinker } from '../voxel/options.ts';
import { addFound } from './add.ts';
import { checkLinkOptions } from './sizes.ts';
import type { AutoLinkOptions } from './types.ts';

/**
 * Returns a value for the option `autoLinks` of `buildNavMesh` and `bakeNavMesh`. With it, a bake adds automatic links after all tiles, as
 * `addAutoLinks` does. Triangles of the level and of its obstacles are solid, except obstacles that only set areas.
 *
 * @param options limits by kind, at least one; see `AutoLinkOptions`. They are read again for each mesh, and must not change.
 * @throws TypeError, RangeError for limits out of range and unknown keys
 */
export function createAutoLinker(options: AutoLinkOptions): AutoLinker {
  checkLinkOptions('createAutoLinker', options);
  return {
    addTo(caller, input, { obstacles }, { navMesh, report }) {
      const begun = performance.now();
      const solid = (obstacles?.placed ?? []).filter(({ effect }) => effect !== 'area');
      report.autoLinks = addFound(caller, navMesh, [input, ...solid], options).report;
      const ms = performance.now() - begun;
      report.stages.push({ name: 'links', ms });
      report.totalMs += ms;
    },
  };
}
