/**
 * Link refs: checked handles of links that callers keep. A ref is the generation of the slot times `MAX_LINKS`, plus the slot. As with
 * polygon refs, 0 is null, and the ref of a removed link is detected.
 *
 * Cost: a few multiplications.
 * Based on: Detour's salted refs (Mikko Mononen).
 */
import type { LinkRef, NavMesh } from './types.ts';

/** Maximum number of link slots of a mesh. */
export const MAX_LINKS = 0x1000000;

/** Returns the ref of the link in a slot. The slot is trusted: take it from a query on the same mesh. */
export function linkRefOf(mesh: NavMesh, link: number): LinkRef {
  return (mesh.linkGeneration[link] * MAX_LINKS + link) as LinkRef;
}

/** Returns the slot of a link, or -1 when the ref is null or stale. */
export function linkIndexOf(mesh: NavMesh, ref: LinkRef): number {
  if (!Number.isSafeInteger(ref) || ref <= 0) return -1;
  const generation = Math.floor(ref / MAX_LINKS);
  const link = ref - generation * MAX_LINKS;
  return link < mesh.linkCount && mesh.linkState[link] !== 0 && mesh.linkGeneration[link] === generation ? link : -1;
}
