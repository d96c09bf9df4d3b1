/**
 * Measures automatic links of all levels: their time against the bake, in turns; links per 100 m of wall; and how many of them are useless:
 * without such a link, its ends are at most 1.2 times its cost apart, over the surface and all other links.
 *
 * Recall is measured on random levels, by brute force: `npm run soak`, suite `automatic links`.
 */
import { findPath, getLink, setLinkEnabled } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { addAutoLinks, findLinkCandidates } from 'navkiln/links';
import type { AutoLinkOptions, AutoLinkReport } from 'navkiln/links';
import { measureInterleaved, ratioOf } from './harness.ts';
import type { Spread } from './harness.ts';
import type { BenchLevel } from './levels.ts';

export interface AutoLinksRow {
  level: string;
  links: AutoLinkReport['links'];
  /** World units. */
  borderLength: number;
  perHundred: number;
  /** Mean width of links, world units. */
  width: number;
  useless: number;
  /** Time of the search over that of the bake. */
  ratio: Spread;
}

const LIMITS: AutoLinkOptions = { jump: {}, drop: {}, climb: {}, vault: {} };
const USELESS = 1.2;

export function benchAutoLinks({ name, positions, indices, options }: BenchLevel, rounds: number): AutoLinksRow {
  const level = { positions, indices };
  const { navMesh } = buildNavMesh(level, options);
  const [bake, search] = measureInterleaved(
    [
      { name: 'bake', run: () => buildNavMesh(level, options) },
      { name: 'links', run: () => findLinkCandidates(navMesh, level, LIMITS) },
    ],
    { rounds, warmups: 2 },
  );
  const { links, refs, report } = addAutoLinks(navMesh, level, LIMITS);
  let useless = 0;
  for (const ref of refs) {
    const { start, end, cost } = getLink(navMesh, ref)!;
    setLinkEnabled(navMesh, ref, false);
    const middle = ([p, q]: typeof start): number[] => p.map((value, k) => (value + q[k]) / 2);
    const path = findPath(navMesh, middle(start), middle(end));
    if (path.status === 'complete' && path.cost <= USELESS * cost) useless++;
    setLinkEnabled(navMesh, ref, true);
  }
  return {
    level: name,
    links: report.links,
    borderLength: report.borderLength,
    perHundred: (100 * links.length) / report.borderLength,
    width: links.reduce((sum, link) => sum + link.width, 0) / Math.max(1, links.length),
    useless,
    ratio: ratioOf(search, bake),
  };
}

export function autoLinksTable(rows: readonly AutoLinksRow[]): string[][] {
  return [
    ['level', 'drops', 'climbs', 'vaults', 'jumps', 'per 100 m of wall', 'mean width', 'useless', 'links / bake'],
    ...rows.map(({ level, links, perHundred, width, useless, ratio }) => [
      level,
      ...[links.drop, links.climb, links.vault, links.jump].map(String),
      perHundred.toFixed(1),
      width.toFixed(2),
      String(useless),
      `${ratio.median.toFixed(2)} (${ratio.q1.toFixed(2)} .. ${ratio.q3.toFixed(2)})`,
    ]),
  ];
}
