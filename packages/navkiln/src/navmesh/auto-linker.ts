/** What bakes and worlds know of automatic links: types, so that those without such links have none of their code. */

import type { LinkKind } from './link-kinds.ts';

/** What an agent does on an automatic link. */
export type AutoLinkKind = Exclude<LinkKind, 'other'>;

/** Counts of a search. */
export interface AutoLinkReport {
  /** Length of all walls of the mesh, world units. */
  borderLength: number;
  /** Pairs of ends that were tried. */
  tried: number;
  /** Links that are clear, before similar and useless ones are left out. */
  clear: number;
  /** Left out because another link is similar. */
  similar: number;
  /** Links, and runs of lanes that were not tried, left out because a walk is about as short. */
  walkable: number;
  /** Left out because of `except`. */
  excepted: number;
  /** Links found, by kind. */
  links: Record<AutoLinkKind, number>;
}

/** Triangles of a level as `findLinkCandidates` takes them. */
export interface SolidInput {
  /** x, y, z of each vertex, world units of the mesh. Triangles with an infinite or NaN corner are left out. */
  positions: ArrayLike<number>;
  /** Three vertex numbers per triangle. Default: 0, 1, 2, 3, … */
  indices?: ArrayLike<number> | undefined;
}
