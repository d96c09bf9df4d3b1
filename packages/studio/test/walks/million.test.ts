/**
 * Walks with a level of a million triangles and a 2D map of a million corners: opened from a file, baked, pointed at, and asked for a
 * path. The page is never blocked for long. Without WebGL, because drawing a million triangles in software blocks for seconds a frame.
 *
 * Runs in `npm run soak`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Document } from '@gltf-transform/core';
import { findLevelScene } from 'navkiln-scenes';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { traced } from '../../../navkiln/test/browser/trace.ts';
import { createIo } from '../levels.ts';
import { idle, startStudio } from '../page.ts';

const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;
/** Longest task of the page, ms. */
const LONGEST_MS = 50;

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

/** Opens a file that is written into a folder of its own, without WebGL. */
async function withFile(
  name: string,
  write: (file: string) => Promise<void>,
  walk: (page: Page, open: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-million-'));
  const studio = await startStudio({ draws: true, withoutWebGl: true });
  try {
    const file = join(folder, name);
    await write(file);
    const page = await studio.open();
    await walk(page, async () => {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('[data-action=open]')]);
      await chooser.setFiles(file);
      await page.waitForFunction(() => globalThis.studio!.state().mesh !== undefined);
      await idle(page);
    });
    studio.check();
  } finally {
    await studio.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function setRadius(page: Page, value: string): Promise<void> {
  const radius = page.locator('[data-setting="agent.radius"] input');
  await radius.fill(value);
  await radius.press('Enter');
  await idle(page);
}

it.runIf(IS_FULL)('a million triangles, from a file to a path', () =>
  withFile(
    'terrain.glb',
    async (file) => expect(await writeLevel(file)).toBeGreaterThan(1_000_000),
    async (page, open) => {
      const tasks = await traced(page, async (begin) => {
        await begin('open');
        await open();
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
        await setRadius(page, '0.6');
      });
      expect(tasks).toHaveLength(4);
      expect(Math.max(...tasks)).toBeLessThanOrEqual(LONGEST_MS);
    },
  ),
);

/** Outlines of the large map, and how many lie in a row. */
const OUTLINES = 184_801;
const ROW = 430;

it.runIf(IS_FULL)('a 2D map of 184,801 outlines, from a file to the draw tool', () =>
  withFile(
    'map.json',
    (file) => {
      const polygons = Array.from({ length: OUTLINES }, (_, i) => {
        const [x, y] = [3 * (i % ROW), 3 * Math.floor(i / ROW)];
        const shift = (i % 5) / 10;
        return {
          outline: [
            [x + shift, y],
            [x + 2, y + shift],
            [x + 2.2, y + 2],
            [x + 1, y + 2.5],
            [x, y + 2],
          ],
        };
      });
      writeFileSync(file, JSON.stringify({ polygons }));
      return Promise.resolve();
    },
    async (page, open) => {
      const tasks = await traced(page, async (begin) => {
        await begin('open');
        await open();
        for (const tool of ['path', 'draw', 'walk']) {
          await begin(tool);
          await page.click(`[data-tool=${tool}]`);
          await idle(page);
        }
        await begin('radius');
        await setRadius(page, '0.1');
      });
      const lines = await page.evaluate(
        () => globalThis.studio!.layers().find(({ id }) => id === 'map-outline')!.lines,
      );
      expect([tasks.length, lines]).toEqual([5, 5 * OUTLINES]);
      expect(Math.max(...tasks)).toBeLessThanOrEqual(LONGEST_MS);
    },
  ),
);
