/**
 * A walk with a level of a million triangles: opened from a file, baked, pointed at, and asked for a path. The page is never
 * blocked for long. Without WebGL, because drawing a million triangles in software blocks for seconds a frame.
 *
 * Runs in `npm run soak`. NAVKILN_STRICT_TIMES=1 asserts that no task of the page is longer than 50 ms.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Document } from '@gltf-transform/core';
import { findLevelScene } from 'navkiln-scenes';
import { expect, it } from 'vitest';
import { createIo } from '../levels.ts';
import { idle, startStudio } from '../page.ts';

const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;
const IS_STRICT = process.env['NAVKILN_STRICT_TIMES'] !== undefined;

async function writeLevel(file: string): Promise<number> {
  const { positions, indices } = findLevelScene('terrain').create(1, 8);
  const document = new Document();
  const buffer = document.createBuffer();
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', document.createAccessor().setType('VEC3').setArray(positions).setBuffer(buffer))
    .setIndices(document.createAccessor().setType('SCALAR').setArray(indices).setBuffer(buffer));
  const mesh = document.createMesh('terrain').addPrimitive(primitive);
  document.createScene().addChild(document.createNode('terrain').setMesh(mesh));
  writeFileSync(file, await createIo().writeBinary(document));
  return indices.length / 3;
}

it.runIf(IS_FULL)('a million triangles, from a file to a path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-million-'));
  const studio = await startStudio({ withoutWebGl: true });
  try {
    const file = join(folder, 'terrain.glb');
    expect(await writeLevel(file)).toBeGreaterThan(1_000_000);
    const page = await studio.open();
    await page.evaluate(() => {
      const tasks: [phase: string, ms: number][] = [];
      Object.assign(globalThis, { tasks, phase: 'open' });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries())
          tasks.push([(globalThis as unknown as { phase: string }).phase, duration]);
      }).observe({ type: 'longtask' });
    });
    const begin = (phase: string): Promise<unknown> =>
      page.evaluate((next) => Object.assign(globalThis, { phase: next }), phase);
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('[data-action=open]')]);
    await chooser.setFiles(file);
    await page.waitForFunction(() => globalThis.studio!.state().mesh !== undefined);
    await idle(page);
    const { polys, x, y } = await page.evaluate(() => {
      const { left, top, width, height } = document.querySelector('.view-canvas')!.getBoundingClientRect();
      const { polyCount } = globalThis.studio!.state().mesh!.navMesh;
      return { polys: polyCount, x: left + width / 2, y: top + height / 2 };
    });
    expect(polys).toBeGreaterThan(1000);
    await begin('point');
    for (let i = 0; i < 8; i++) await page.mouse.move(x + 6 * i, y);
    await page.waitForSelector('.hover-label:not([hidden])');
    await begin('path');
    await page.click('[data-tool=path]');
    await idle(page);
    await page.click('.card .button:has-text("Random")');
    await idle(page);
    expect(await page.innerText('.card')).toMatch(/Path\s+(complete|partial)/);
    await begin('radius');
    const radius = page.locator('[data-setting="agent.radius"] input');
    await radius.fill('0.6');
    await radius.press('Enter');
    await idle(page);
    const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: [string, number][] }).tasks);
    console.log(
      `tasks above 50 ms: ${tasks.map(([phase, ms]) => `${phase} ${Math.round(ms)} ms`).join(', ') || 'none'}`,
    );
    if (IS_STRICT) expect(Math.max(0, ...tasks.map(([, ms]) => ms))).toBeLessThanOrEqual(50);
    studio.check();
  } finally {
    await studio.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
