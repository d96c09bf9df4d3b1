/** Levels of many tiles: the studio's worker bakes them in a pool of workers, to the bytes of one thread, and they can be canceled. */
import { readFileSync } from 'node:fs';
import { saveNavMesh } from 'navkiln';
import { findLevelScene } from 'navkiln-scenes';
import { buildNavMesh } from 'navkiln/build';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { goTo, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

let studio: Studio;
beforeAll(async () => (studio = await startStudio()));
afterAll(() => studio?.close());
afterEach(() => studio.check());

const scene = findLevelScene('terrain');

async function savedBytes(page: Page): Promise<Uint8Array> {
  await page.click('[data-menu=save]');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('.menu-item:has-text("Mesh")')]);
  return readFileSync(await download.path());
}

// `npm run soak` sets NAVKILN_FULL.
it.runIf(process.env['NAVKILN_FULL'] !== undefined)(
  'bakes in several workers to the bytes of one thread; a cancel stops them, and the next bake starts others',
  async () => {
    const page = await studio.open('#scene=courtyard');
    // All states that tiles have had, as the key shows their numbers.
    await page.evaluate(() => {
      const seen = new Set<string>();
      Object.assign(globalThis, { seen });
      const look = (): void => {
        for (const row of document.querySelectorAll<HTMLElement>('.tile-progress:not([hidden]) li'))
          if (row.querySelector('.tile-count')!.textContent !== '0') seen.add(row.dataset['tiles']!);
      };
      new MutationObserver(look).observe(document.querySelector('.stage')!, { subtree: true, childList: true });
    });
    await goTo(page, '#scene=terrain&tileSize=8');
    const seen = await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen]);
    expect(seen.toSorted()).toEqual(['baking', 'done', 'queued']);
    expect(await page.isHidden('.tile-progress')).toBe(true);
    const scripts = page.workers().map((worker) => new URL(worker.url()).pathname);
    expect(scripts.filter((path) => path.includes('/bake-worker-')).length).toBeGreaterThan(1);
    const { navMesh, report } = buildNavMesh(scene.create(), { ...scene.options, tileSize: 8 });
    expect(report.counts.tiles).toBeGreaterThan(16);
    expect(Buffer.compare(await savedBytes(page), saveNavMesh(navMesh))).toBe(0);

    await page.evaluate(() => (location.hash = '#scene=terrain&scale=4&tileSize=4&cellSize=0.03'));
    await page.waitForFunction(() => {
      const { job } = globalThis.studio!.state();
      return job.status === 'running' && job.title === 'Baking';
    });
    await page.click('.status button');
    await page.waitForFunction(() => globalThis.studio!.state().job.status === 'canceled');
    await expect.poll(() => page.workers().length, { timeout: 60_000 }).toBe(0);
    expect(await page.isHidden('.tile-progress')).toBe(true);
    await goTo(page, '#scene=terrain&tileSize=7.5');
    await idle(page);
    const other = buildNavMesh(scene.create(), { ...scene.options, tileSize: 7.5 });
    expect(Buffer.compare(await savedBytes(page), saveNavMesh(other.navMesh))).toBe(0);
    await page.context().close();
  },
);
