/** The page that `npm run performance` writes, from invented numbers. */
import { expect, it } from 'vitest';
import { firstCallsSection, performancePage, plotSvg, replaceFirstCalls } from '../../../tools/performance.mjs';
import { indexPlotSvg, replaceShortestPaths, shortestPathsSection } from '../../../tools/performance-index.mjs';
import { table } from '../../../tools/performance-text.mjs';

const spread = (median: number): { q1: number; median: number; q3: number } => ({
  q1: median * 0.9,
  median,
  q3: median * 1.1,
});

const bake = (level: string, ratio: number): Record<string, unknown> => ({
  level,
  partition: 'watershed',
  triangles: 12345,
  cells: 1234567,
  polygons: 99,
  navcatPolygons: 99,
  ms: { navkiln: 10 * ratio, recast: 10, navcat: 40 },
  ratios: { recast: spread(ratio), navcat: spread(ratio / 4) },
  stages: [
    { stage: 'input', ms: 1, recastMs: 0.5, ratio: spread(2) },
    { stage: 'rasterize', ms: 4, recastMs: 8, ratio: spread(0.5) },
    { stage: 'ours alone', ms: 1, recastMs: 0, ratio: spread(NaN) },
  ],
});

const bench = {
  machine: { cpu: 'a processor', cores: 2, memoryBytes: 2 ** 34, node: 'v20' },
  versions: { navkiln: '1', 'recast-navigation': '2', navcat: '3' },
  rounds: 9,
  bakes: [bake('terrain', 0.5), bake('a < b', 0.125)],
  paths: [
    {
      level: 'terrain',
      polygons: 99,
      ratios: { recast: spread(0.5), navcat: spread(0.2) },
      nearestRatios: { recast: spread(0.3), navcat: spread(0.4) },
    },
  ],
};

it('contains ratios, their geometric means and a plot per level', () => {
  const page = performancePage(bench, undefined);
  expect(page).toContain('| 12,345 | 1,234,567 | 99 | 0.5 (0.45–0.55) |');
  expect(page).toContain('| **0.25** | **0.063** |');
  expect(page).toContain('](performance/terrain.svg)');
  expect(page).toMatch(/Only\s+ratios count/);
  expect(page).not.toMatch(/NaN|undefined|Infinity/);
  const growth = {
    level: 'city',
    contender: 'recast',
    columns: 1000,
    triangles: 5,
    secondMs: 0.5,
    heldBytes: 64000,
    error: '',
  };
  expect(performancePage(bench, [growth])).toContain('| city, recast-navigation | 1,000 | 5 | 500 | 64 |');
});

it('draws plots that are well-formed, escaped, and have a background', () => {
  const svg = plotSvg(bench.bakes[1]);
  expect(svg).toContain('a &lt; b');
  expect(svg).toContain('<rect x="1" y="1" width="758"');
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  const opened = svg.match(/<(?!\/)[a-z]+[^>]*[^/]>/g)!.length;
  expect(svg.match(/<\/[a-z]+>/g)!.length).toBe(opened);
  expect(table(['a', 'b'], [['1', '2']])).toBe('| a | b |\n| --- | ---: |\n| 1 | 2 |');
});

it('has first calls before everything else, and replaces them alone', () => {
  const row = (call: string, node: string, level: string): Record<string, unknown> => ({
    node,
    call,
    level,
    ratios: call === 'map' ? { earcut: spread(6) } : { recast: spread(0.9), navcat: spread(0.4) },
    wallRatios: { recast: spread(1) },
    secondRatios: { recast: spread(0.6) },
  });
  const rows = ['Node v20', 'Node v24', 'Chromium 150'].flatMap((node) => [
    row('bake', node, 'terrain'),
    row('bake', node, 'city'),
    row('path', node, 'city'),
    row('map', node, 'coast'),
  ]);
  const page = performancePage(bench, undefined, { rounds: 7, rows });
  expect(page.match(/^## .*$/gm)!.slice(0, 2)).toEqual(['## First calls', '## Bake']);
  expect(page).toContain('| terrain | 0.9 (0.81–0.99) | 1 (0.9–1.1) | 0.6 (0.54–0.66) | 0.4 (0.36–0.44) |');
  expect(page).toContain('The first bake, Node v24:');
  // Without the column of waits, which pages do not measure.
  expect(page).toMatch(/The first bake, Chromium 150:[^]*\| terrain \| 0.9 \(0.81–0.99\) \| 0.6 \(0.54–0.66\) \|/);
  expect(page).not.toMatch(/NaN|undefined|Infinity/);
  const section = firstCallsSection({ rounds: 9, rows });
  for (const before of [page, performancePage(bench, undefined)])
    expect(replaceFirstCalls(before, section)).toBe(performancePage(bench, undefined, { rounds: 9, rows }));
});

it('has shortest paths before growth, with a plot, and replaces them alone', () => {
  const names = ['findPath', 'optimal', 'recast', 'navcat', 'three'];
  const paths = ['terrain', 'city'].map((level, k) => ({
    level,
    polygons: 1234,
    pairs: 100,
    tier: 'table',
    corners: 99,
    indexBytes: 5_000_000,
    indexMs: 900,
    indexed: 98,
    ratios: Object.fromEntries(names.map((name) => [name, spread(k === 0 ? 0.1 : 0.4)])),
    excess: { indexed: 0, findPath: 0.012, recast: 0.013, navcat: 0.02, three: 0.05 },
  }));
  const growth = [2, 4, 6].map((decade) => ({
    scene: 'field',
    polygons: 10 ** decade,
    tier: decade === 6 ? 'overlay' : 'table',
    buildMs: 10 ** decade / 20,
    bytes: 70 * 10 ** decade,
    us: 2 * decade,
    findPath: spread(0.25),
    optimal: 0.02,
    meanExcess: 0.008,
    p95Excess: 0.02,
    findPathExcess: 0.018,
  }));
  const section = shortestPathsSection(paths, growth);
  expect(section).toContain('| terrain | 1,234 | 0.1 (0.09–0.11) |');
  expect(section).toContain('| geometric mean |  | **0.2** |');
  expect(section).toContain('| terrain | 0.00 % | 1.20 % | 1.30 % |');
  expect(section).toContain(
    '| field | 1,000,000 | overlay | 50 | 70 | 12 | 0.25 (0.23–0.28) | 0.02 | 0.80 % | 2.00 % | 1.80 % |',
  );
  expect(section).not.toMatch(/NaN|undefined|Infinity/);
  const growthOfBakes = {
    level: 'city',
    contender: 'recast',
    columns: 9,
    triangles: 5,
    secondMs: 1,
    heldBytes: 9,
    error: '',
  };
  for (const page of [performancePage(bench, undefined), performancePage(bench, [growthOfBakes])]) {
    const whole = replaceShortestPaths(page, section);
    const titles = ['## Bake', '## Paths', '## Shortest paths', '## Growth'];
    expect(whole.match(/^## .*$/gm)).toEqual(titles.slice(0, page.includes('## Growth') ? 4 : 3));
    expect(replaceShortestPaths(whole, section)).toBe(whole);
    expect(replaceShortestPaths(replaceShortestPaths(page, shortestPathsSection(paths)), section)).toBe(whole);
  }
  const svg = indexPlotSvg(growth);
  expect(svg).toContain('>overlay</text>');
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  const opened = svg.match(/<(?!\/)[a-z]+[^>]*[^/]>/g)!.length;
  expect(svg.match(/<\/[a-z]+>/g)!.length).toBe(opened);
});
