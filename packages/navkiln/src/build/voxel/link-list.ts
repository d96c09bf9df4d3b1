/**
 * Creates the option `links` of bakes: off-mesh links that are added to the finished mesh.
 *
 * The option carries functions, as `obstacles` does, so that bundles of a bake without links contain none of their code.
 *
 * In: links. Out: the option. Cost: linear in the links. Based on: own.
 */
import { checkArray } from '../../base/data/refuse.ts';
import { addLink } from '../../mesh/change/links.ts';
import type { LinkOptions } from '../../mesh/change/links.ts';
import type { BakeLinks } from './options.ts';

/**
 * Returns the option `links` of bakes and worlds. Each link is checked when a bake begins.
 *
 * @param links options of `addLink`
 * @throws TypeError for a value that is no array
 */
export function createLinks(links: readonly LinkOptions[]): BakeLinks {
  checkArray('createLinks', 'links', links);
  const list = [...links];
  return {
    list,
    addTo(caller, mesh) {
      list.forEach((link, i) => {
        try {
          addLink(mesh, link);
        } catch (error) {
          const path = `${caller}: options.links[${i}]`;
          (error as Error).message = (error as Error).message.replace(/^addLink: (options|link)/, path);
          throw error;
        }
      });
    },
  };
}
