/**
 * Puts automatic links into a mesh, and replaces those whose shape has changed.
 *
 * In: links, and the refs of links that are already in the mesh. Out: refs.
 * Cost: constant per link.
 * Based on: own.
 */
import { addLink, getLink, removeLink } from '../../mesh/change/links.ts';
import type { LinkRef, NavMesh } from '../../mesh/types.ts';
import { enableWideLinks } from '../../query/path/wide-links.ts';
import type { Found } from './sizes.ts';

/**
 * Puts a link into the mesh and returns its ref. `known` is the ref of its earlier version, if there is one: if shape or cost differ, the
 * earlier version is replaced. A disabled link stays disabled.
 */
export function putLink(mesh: NavMesh, { link, candidate }: Found, known: LinkRef | undefined): LinkRef {
  const info = known === undefined ? null : getLink(mesh, known);
  if (info !== null) {
    const isSame =
      info.bothWays === link.bothWays &&
      info.cost === link.cost &&
      info.kind === link.kind &&
      info.crossing === 'straight' &&
      info.sizes.join() === link.sizes.join() &&
      [...info.start, ...info.end].join() === [...link.start, ...link.end].join();
    if (isSame) return known!;
    removeLink(mesh, known!);
  }
  const { area, flags, name } = candidate.profile.marks;
  enableWideLinks();
  return addLink(mesh, {
    start: link.start,
    end: link.end,
    bothWays: link.bothWays,
    cost: link.cost,
    userId: link.id,
    kind: link.kind,
    crossing: 'straight',
    enabled: info?.enabled ?? true,
    ...(mesh.sizes.length === 0 ? {} : { sizes: link.sizes }),
    ...(area === undefined ? {} : { area }),
    ...(flags === undefined ? {} : { flags }),
    ...(name === undefined ? {} : { name }),
  });
}
