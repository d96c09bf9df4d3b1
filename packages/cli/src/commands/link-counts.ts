/** Counts the links of a mesh for `navkiln inspect`. */
import { LINK_KINDS, getLink, listLinks } from 'navkiln';
import type { LinkKind, NavMesh } from 'navkiln';
import { plural } from '../output/text.ts';

/** Numbers of links. A link of kind `'other'` was added without a kind. */
export interface LinkCounts {
  count: number;
  kinds: Partial<Record<LinkKind, number>>;
  /** Links that paths may take in both directions. */
  bothWays: number;
  disabled: number;
  /** Links with an end that is attached to no polygon. */
  unattached: number;
}

export function countLinks(navMesh: NavMesh): LinkCounts {
  const counts: LinkCounts = { count: 0, kinds: {}, bothWays: 0, disabled: 0, unattached: 0 };
  for (const ref of listLinks(navMesh)) {
    const { kind, bothWays, enabled, startPoly, endPoly } = getLink(navMesh, ref)!;
    counts.count++;
    counts.kinds[kind] = (counts.kinds[kind] ?? 0) + 1;
    if (bothWays) counts.bothWays++;
    if (!enabled) counts.disabled++;
    if (startPoly === 0 || endPoly === 0) counts.unattached++;
  }
  return counts;
}

/** Returns the counts as text. */
export function textOfLinks({ count, kinds, bothWays, disabled, unattached }: LinkCounts): string {
  if (count === 0) return 'none';
  const parts = LINK_KINDS.flatMap((kind) => {
    const n = kinds[kind];
    if (n === undefined) return [];
    return [kind === 'other' ? `${n} without a kind` : plural(n, kind)];
  });
  const rest = [
    ...(bothWays > 0 ? [`${bothWays} both ways`] : []),
    ...(disabled > 0 ? [`${disabled} disabled`] : []),
    ...(unattached > 0 ? [`${unattached} with an end on no polygon`] : []),
  ];
  return `${count}: ${parts.join(', ')}${rest.length > 0 ? ` (${rest.join(', ')})` : ''}`;
}
