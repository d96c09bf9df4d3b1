/**
 * Measures automatic links of all levels: their time compared with the bake, in turns, links per 100 m of wall, and
 * the share of useless links. A link is useless when its ends are at most 1.2 times its cost apart without it, over
 * the surface and all other links. `update` is the time of an update of a world after a crate has moved, with links
 * over that without.
 *
 * Recall is measured on random levels, by brute force: `npm run soak`, suite `automatic links`.
 */
import { findPath, getLink, setLinkEnabled } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { addAutoLinks, findLinkCandidates } from 'navkiln/links';
import { createWorldLinks } from 'navkiln/links';
import type { AutoLinkOptions, AutoLinkReport } from 'navkiln/links';
import { addLevel, addObstacle, createWorld, moveObstacle, updateWorld } from 'navkiln/world';
import { measureInterleaved, ratioOf, spreadOf } from './harness.ts';
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
  /** Median milliseconds of an update after a crate has moved, with links and without. */
  updateMs: [number, number];
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
    updateMs: measureUpdates(level, options),
  };
}

/** Cells along a tile, moves of the crate. */
const TILE_CELLS = 64;
const MOVES = 20;

/** Returns the medians of the milliseconds that updates take after a crate has moved across the middle of the level, with links and without. */
function measureUpdates(
  { positions, indices }: Pick<BenchLevel, 'positions' | 'indices'>,
  options: BenchLevel['options'],
): [number, number] {
  // The smallest levels have no room for a crate.
  if (indices.length < 300) return [NaN, NaN];
  const cellSize = options.cellSize ?? (options.agent?.radius ?? 0.4) / 2;
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  positions.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3], value);
    high[i % 3] = Math.max(high[i % 3], value);
  });
  const place = (move: number): number[] =>
    low.map((value, k) => (value + high[k]) / 2 + (k === 0 ? move * cellSize : k === 2 ? -(move * cellSize) / 2 : 0));
  const size = [1, high[1] - low[1] + 1, 1];
  const worlds = [{ worldLinks: createWorldLinks(LIMITS) }, {}].map((links) => {
    const world = createWorld({ ...options, cellSize, tileSize: TILE_CELLS * cellSize, ...links });
    addLevel(world, { positions, indices });
    updateWorld(world);
    const crate = addObstacle(world, { type: 'box', size, position: place(0) });
    updateWorld(world);
    return { world, crate };
  });
  let move = 0;
  const [withLinks, without] = measureInterleaved(
    worlds.map(({ world, crate }, k) => ({
      name: k === 0 ? 'links' : 'none',
      run: () => {
        // Both worlds once per round.
        moveObstacle(world, crate, { position: place(1 + (move++ >> 1)) });
        updateWorld(world);
      },
    })),
    { rounds: MOVES, warmups: 0 },
  );
  return [spreadOf(withLinks).median, spreadOf(without).median];
}

export function autoLinksTable(rows: readonly AutoLinksRow[]): string[][] {
  return [
    [
      'level',
      'drops',
      'climbs',
      'vaults',
      'jumps',
      'per 100 m of wall',
      'mean width',
      'useless',
      'links / bake',
      'update',
    ],
    ...rows.map(({ level, links, perHundred, width, useless, ratio, updateMs }) => [
      level,
      ...[links.drop, links.climb, links.vault, links.jump].map(String),
      perHundred.toFixed(1),
      width.toFixed(2),
      String(useless),
      `${ratio.median.toFixed(2)} (${ratio.q1.toFixed(2)} .. ${ratio.q3.toFixed(2)})`,
      (updateMs[0] / updateMs[1]).toFixed(1),
    ]),
  ];
}
