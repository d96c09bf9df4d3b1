/**
 * Walks with a level of a million triangles and a 2D map of a million corners: opened from a file, baked, pointed at, and asked for a
 * path. The page is never blocked for long. Without WebGL, because drawing a million triangles in software blocks for seconds a frame.
 *
 * The browser's trace has the time that each task of the page took on its thread, without the time that other processes took it
 * from the processor. So the limit also holds on a busy machine.
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
import { createIo } from '../levels.ts';
import { idle, startStudio } from '../page.ts';

const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;
/** Longest task of the page, ms. */
const LONGEST_MS = 50;

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  /** Time on the thread, microseconds. */
  tdur?: number;
}

/** Returns the phases with their longest task, ms. A phase begins at a mark of the page. */
function longestTasks(trace: Buffer): Record<string, number> {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const marks = traceEvents.filter(({ name }) => name.startsWith('phase: ')).toSorted((a, b) => a.ts - b.ts);
  const longest: Record<string, number> = {};
  for (const { name, ph, pid, tid, ts, tdur } of traceEvents) {
    const isTask = name.endsWith('RunTask') && ph === 'X' && pid === marks[0].pid && tid === marks[0].tid;
    const phase = isTask ? marks.findLast((mark) => mark.ts <= ts)?.name : undefined;
    // The last task is cut off by the end of the trace.
    if (phase !== undefined && tdur !== undefined) longest[phase] = Math.max(longest[phase] ?? 0, tdur / 1000);
  }
  return longest;
}

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

/** Traces phases of the page. Prints and returns the longest task of each, ms. */
async function traced(
  page: Page,
  walk: (begin: (phase: string) => Promise<unknown>) => Promise<void>,
): Promise<number[]> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  await walk((phase) => page.evaluate((next) => void performance.mark(`phase: ${next}`), phase));
  const tasks = Object.entries(longestTasks(await browser.stopTracing()));
  console.log(tasks.map(([phase, ms]) => `${phase} ${ms.toFixed(0)} ms`).join(', '));
  return tasks.map(([, ms]) => ms);
}

/** Opens a file that is written into a folder of its own, without WebGL. */
async function withFile(
  name: string,
  write: (file: string) => Promise<void>,
  walk: (page: Page, open: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-million-'));
  const studio = await startStudio({ withoutWebGl: true });
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
