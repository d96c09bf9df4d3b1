/**
 * Notes changes of a mesh that open, close or mark single polygons and links, so that a crowd follows them only where they
 * are. All other changes, such as those of tiles, increase the revision without a note.
 *
 * In: the polygons that a change touches; for a link, those at its ends. Out: those of all changes since a revision.
 * Cost: linear in the polygons of the changes.
 * Based on: own.
 */
import type { NavMesh } from '../types.ts';

/** Polygons of the latest changes that are kept for crowds that have not followed them yet. More are followed by all agents. */
export const MAX_LOCAL_POLYS = 4096;

interface LocalChange {
  /** `mesh.revision` after the change. */
  revision: number;
  polys: readonly number[];
  /** The number of polygons up to this change. */
  total: number;
}

/** The latest changes of each mesh, oldest first. */
const changes = /* @__PURE__ */ new WeakMap<NavMesh, LocalChange[]>();

/**
 * Increases the revision for a change that touches only these polygons: dense indices, which stay valid until a change
 * without a note, or -1. At least one. @internal
 */
export function noteLocalChange(mesh: NavMesh, polys: readonly number[]): void {
  let list = changes.get(mesh);
  if (list === undefined) changes.set(mesh, (list = []));
  // Changes before one without a note are of no use.
  if (list.at(-1)?.revision !== mesh.revision) list.length = 0;
  list.push({ revision: ++mesh.revision, polys, total: (list.at(-1)?.total ?? 0) + polys.length });
  while (list.length > 0 && list.at(-1)!.total - list[0].total + list[0].polys.length > MAX_LOCAL_POLYS) list.shift();
}

/** Returns the polygons of all changes since a revision; undefined if one was not noted, or if they are too many. @internal */
export function listLocalChanges(mesh: NavMesh, since: number): number[] | undefined {
  const list = (changes.get(mesh) ?? []).filter(({ revision }) => revision > since);
  return list.length === mesh.revision - since ? list.flatMap(({ polys }) => polys) : undefined;
}
