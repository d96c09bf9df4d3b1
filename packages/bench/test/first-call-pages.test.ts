/** First calls in pages: the page makes the call that its address names. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';
import { expect, it } from 'vitest';
import { buildNavMesh } from 'navkiln/build';
import { findLevelScene } from 'navkiln-scenes';
import { requireChromium } from '../../../tools/chromium.mjs';
import { openPages } from '../src/first-calls/pages.ts';
import { mergeFirstCalls } from '../src/first-calls/measure.ts';
import type { FirstCallRow } from '../src/first-calls/measure.ts';

it('bakes in a page as in Node, and measures the time', async () => {
  const scene = findLevelScene('soup');
  const { positions, indices } = scene.create();
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-page-'));
  const file = join(folder, 'soup.bin');
  writeFileSync(file, serialize({ positions, indices, options: scene.options }));
  const pages = await openPages(
    requireChromium()!,
    fileURLToPath(new URL('../dist/first-calls/page.js', import.meta.url)),
  );
  try {
    const times = await pages.measure('navkiln', 'bake', file);
    expect(times.answer).toBe(buildNavMesh({ positions, indices }, scene.options).navMesh.polyCount);
    expect(times.importMs).toBeGreaterThan(0);
    expect(times.firstMs).toBeGreaterThan(times.importMs);
    expect(pages.version).toMatch(/\d/);
  } finally {
    pages.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

it('replaces the rows that are measured again, and keeps the others', () => {
  const row = (node: string, level: string, ms: number): FirstCallRow => ({
    node,
    call: 'bake',
    level,
    ms: { navkiln: ms },
    importMs: {},
    secondMs: {},
    ratios: {},
    wallRatios: {},
    secondRatios: {},
  });
  const before = [row('a', 'terrain', 1), row('a', 'city', 2), row('b', 'city', 3)];
  const merged = mergeFirstCalls(before, [row('a', 'city', 4), row('c', 'city', 5)]);
  expect(merged).toEqual([before[0], row('a', 'city', 4), before[2], row('c', 'city', 5)]);
});
