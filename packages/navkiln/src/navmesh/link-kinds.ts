/**
 * Kinds of links: what an agent does on them. Filters close kinds by a mask with a bit for each; a link has the number of its kind in the
 * three highest bits of `linkState`.
 *
 * In: names of kinds. Out: masks, and back. Cost: constant. Based on: own.
 */
import { checkArray, refuse } from '../data/refuse.ts';
import { LINK_USED } from './types.ts';
import type { NavMesh } from './types.ts';

/** Kinds in the order of their numbers. */
export const LINK_KINDS = ['other', 'drop', 'climb', 'vault', 'jump'] as const;

/** What an agent does on a link; `'other'` for links that were added without a kind. */
export type LinkKind = (typeof LINK_KINDS)[number];

/** `linkState >> KIND_SHIFT` is the number of the kind. */
export const KIND_SHIFT = 5;
/** Written out, so that bundles that only load need not hold the names. */
const KIND_COUNT: (typeof LINK_KINDS)['length'] = 5;
/** Bits of `linkState` below the kind that have no meaning. */
const UNUSED = 0x10;

/** Returns whether `linkState` may have this value for a link that is used. */
export function isLinkState(state: number): boolean {
  return (state & LINK_USED) !== 0 && (state & UNUSED) === 0 && state >> KIND_SHIFT < KIND_COUNT;
}

/** Returns the kind of a link. */
export function kindOfLink({ linkState }: NavMesh, link: number): LinkKind {
  return LINK_KINDS[linkState[link] >> KIND_SHIFT];
}

/** Returns the mask of kinds with these names. Throws for others. */
export function readKinds(caller: string, kinds: readonly LinkKind[], path: string): number {
  checkArray(caller, path, kinds);
  return kinds.reduce((mask, kind, i) => mask | (1 << numberOf(caller, kind, `${path}[${i}]`)), 0);
}

/** Returns the number of a kind. Throws for a name that is none. */
export function numberOf(caller: string, kind: LinkKind, path: string): number {
  const number = LINK_KINDS.indexOf(kind);
  return number < 0 ? refuse(caller, path, kind, `one of ${LINK_KINDS.join(', ')}`) : number;
}

/** Returns the names of the kinds in a mask. */
export function kindsOf(mask: number): LinkKind[] {
  return LINK_KINDS.filter((_, k) => ((mask >> k) & 1) === 1);
}
