/**
 * Adds the automatic links of a mesh, and brings them up to date after a change of its tiles.
 *
 * In: a mesh, its triangles, limits. Out: refs and a report.
 * Cost: that of `findLinkCandidates`, and a list of the mesh's links.
 * Based on: own.
 */
import type { AutoLinkReport, SolidInput } from '../../mesh/auto-linker.ts';
import { checkMutableMesh } from '../../mesh/check-mesh.ts';
import { getLink, listLinks, removeLink } from '../../mesh/change/links.ts';
import type { LinkRef, NavMesh } from '../../mesh/types.ts';
import { findLinks } from './find.ts';
import { autoLinkKind } from './ids.ts';
import type { MeshScale } from './options.ts';
import { putLink } from './put.ts';
import type { AutoLink, AutoLinkOptions } from './types.ts';

/** Result of `addAutoLinks`. */
export interface AddedAutoLinks {
  /** All automatic links of the mesh, including those from earlier calls. */
  links: AutoLink[];
  /** Refs of `links`, in their order. */
  refs: LinkRef[];
  /** Number of new links. */
  added: number;
  /** Number of automatic links that were removed, because the surface or the limits have changed. */
  removed: number;
  report: AutoLinkReport;
}

/**
 * Finds links (`findLinkCandidates`) and adds them to the mesh. Each has its id as `userId`. Call it again
 * after a change of the mesh: it removes automatic links that are no longer found, adds new ones, and keeps
 * the others, including disabled ones. A link whose heights, directions or sizes have changed gets another ref.
 * Links whose ids are in `options.except` are removed and not added again. Links of other origin are not
 * changed.
 *
 * @throws as `findLinkCandidates`; the mesh is then unchanged
 */
export function addAutoLinks(mesh: NavMesh, level: SolidInput, options: AutoLinkOptions): AddedAutoLinks {
  return addFound('addAutoLinks', mesh, [level], options);
}

/** Does what `addAutoLinks` does; `caller` begins the messages, `scale` stands in for the sizes of the mesh. */
// oxlint-disable-next-line max-params -- the arguments of addAutoLinks, and its caller
export function addFound(
  caller: string,
  mesh: NavMesh,
  parts: readonly SolidInput[],
  options: AutoLinkOptions,
  scale: MeshScale = mesh,
): AddedAutoLinks {
  checkMutableMesh(caller, mesh);
  const { chosen, report } = findLinks(caller, mesh, parts, options, scale);
  const wanted = new Set(chosen.map(({ id }) => id));
  const there = new Map<number, LinkRef>();
  let removed = 0;
  for (const ref of listLinks(mesh)) {
    const { userId } = getLink(mesh, ref)!;
    if (autoLinkKind(userId) === null) continue;
    if (wanted.has(userId) && !there.has(userId)) {
      there.set(userId, ref);
      continue;
    }
    removeLink(mesh, ref);
    removed++;
  }
  let added = 0;
  const refs = chosen.map((one) => {
    const known = there.get(one.id);
    if (known === undefined) added++;
    return putLink(mesh, one, known);
  });
  return { links: chosen.map(({ link }) => link), refs, added, removed, report };
}
