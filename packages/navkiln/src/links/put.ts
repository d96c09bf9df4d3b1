/**
 * Puts automatic links into a mesh, and replaces those whose shape has changed.
 *
 * In: links and the refs of those that are in the mesh. Out: refs.
 * Cost: constant per link.
 * Based on: own.
 */
import { addLink, getLink, removeLink } from '../navmesh/links.ts';
import type { LinkRef, NavMesh } from '../navmesh/types.ts';
import type { Found } from './sizes.ts';

/** Returns the ref of a link that is in the mesh as `known`, if at all. A link of another shape or cost is replaced, and stays disabled. */
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
