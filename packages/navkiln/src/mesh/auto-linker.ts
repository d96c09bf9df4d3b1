/** The types of automatic links that bakes and worlds need. Bundles without such links contain none of their code. */

import type { LinkKind } from './link-kinds.ts';

/** The movement of an agent on an automatic link. */
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
  /** Links left out because a walk is about as short, and runs of lanes that were not tried for that reason. */
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
