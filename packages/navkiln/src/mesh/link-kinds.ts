/**
 * Kinds of links: how an agent moves on them. Filters close kinds with a mask of one bit per kind. The three highest bits of `linkState`
 * are the number of a link's kind.
 *
 * In: names of kinds. Out: masks, and back. Cost: constant. Based on: own.
 */
import { checkArray, refuse } from '../base/data/refuse.ts';
import { LINK_STRAIGHT, LINK_USED } from './types.ts';
import type { NavMesh } from './types.ts';

/** Kinds in the order of their numbers. */
export const LINK_KINDS = ['other', 'drop', 'climb', 'vault', 'jump'] as const;

/** Kind of movement on a link; `'other'` for links that were added without a kind. */
export type LinkKind = (typeof LINK_KINDS)[number];

/** `linkState >> KIND_SHIFT` is the number of the kind. */
export const KIND_SHIFT = 5;
/** The number of kinds. It does not refer to `LINK_KINDS`, so that bundles that only load meshes do not contain the names. */
const KIND_COUNT: (typeof LINK_KINDS)['length'] = 5;
/** Bits of `linkState` below the kind that have no meaning. */
const UNUSED = 0x10;

/** Returns whether this is a valid `linkState` for a used link slot. */
export function isLinkState(state: number): boolean {
  return (state & (LINK_USED | UNUSED)) === LINK_USED && state >> KIND_SHIFT < KIND_COUNT;
}

/** Returns whether a path lands opposite to where it enters the link. */
export function isStraightLink({ linkState }: NavMesh, link: number): boolean {
  return (linkState[link] & LINK_STRAIGHT) !== 0;
}

/** Returns the kind of a link. */
export function kindOfLink({ linkState }: NavMesh, link: number): LinkKind {
  return LINK_KINDS[linkState[link] >> KIND_SHIFT];
}

/** Returns the mask of kinds with these names. Throws for unknown names. */
export function readKinds(caller: string, kinds: readonly LinkKind[], path: string): number {
  checkArray(caller, path, kinds);
  return kinds.reduce((mask, kind, i) => mask | (1 << numberOf(caller, kind, `${path}[${i}]`)), 0);
}

/** Returns the number of a kind. Throws for an unknown name. */
export function numberOf(caller: string, kind: LinkKind, path: string): number {
  const number = LINK_KINDS.indexOf(kind);
  return number < 0 ? refuse(caller, path, kind, `one of ${LINK_KINDS.join(', ')}`) : number;
}

/** Returns the names of the kinds in a mask. */
export function kindsOf(mask: number): LinkKind[] {
  return LINK_KINDS.filter((_, k) => ((mask >> k) & 1) === 1);
}
