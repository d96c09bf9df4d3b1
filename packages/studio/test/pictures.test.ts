/**
 * Screenshots of the studio's parts, compared with reference pictures.
 *
 * NAVKILN_NEW_PICTURES=1 replaces the pictures in test/pictures; look at each one before you commit it. They
 * contain no times. NAVKILN_PICTURES=folder writes the screenshots as PNG.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findLevelScene } from 'navkiln-scenes';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CrowdProbe } from './crowd-probe.ts';
import { createIo, makeScene } from './levels.ts';
import { drop, goTo as openLink, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';
import { comparePictures } from './picture-compare.ts';
import type { PictureDifference } from './picture-compare.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio({ draws: true });
  page = await studio.open('', { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 0.5 });
});
afterAll(() => studio?.close());
afterEach(() => studio.check());

const isMaking = process.env['NAVKILN_NEW_PICTURES'] !== undefined;
const seenFolder = process.env['NAVKILN_PICTURES'];
const fileOf = (name: string): string => fileURLToPath(new URL(`pictures/${name}.jpg`, import.meta.url));

/**
 * Share of blocks that may differ. It is 0 between runs, and 0.03 to 0.19 % with other font hinting and
 * another color profile. A panel that is 8 px wider gives 0.42 to 2.2 %, missing agents 1.1 %, missing walls
 * 0.56 %, another surface color 4.4 %.
 */
const LIMIT = 0.003;

/** Hides everything that changes by itself: times, the pointer, messages. */
async function shot(): Promise<Buffer> {
  await page.mouse.move(1, 1);
  await idle(page);
  await page.evaluate(() => {
    // The focus ring depends on keys that were pressed before.
    if (document.querySelector('dialog[open]') === null) (document.activeElement as HTMLElement | null)?.blur();
    for (const element of document.querySelectorAll<HTMLElement>('span, output, p, td, dd, strong')) {
      const isTime = element.children.length === 0 && /\d\s*(ms|µs)\b/.test(element.textContent);
      element.style.visibility = isTime || element.matches('.status-stages') ? 'hidden' : '';
    }
  });
  return page.screenshot({ type: 'jpeg', quality: 60, animations: 'disabled', caret: 'hide' });
}

/** Compares a screenshot with the picture of that name, or writes it. */
async function compare(name: string): Promise<PictureDifference> {
  const bytes = await shot();
  if (seenFolder !== undefined) {
    mkdirSync(seenFolder, { recursive: true });
    await page.screenshot({
      path: `${seenFolder}/${name.replaceAll(' ', '-')}.png`,
      animations: 'disabled',
      caret: 'hide',
    });
  }
  if (isMaking && !name.startsWith('not-')) writeFileSync(fileOf(name), bytes);
  const file = fileOf(name.replace(/^not-(.*)--.*/, '$1'));
  expect(existsSync(file), `${file} is missing: NAVKILN_NEW_PICTURES=1 makes it`).toBe(true);
  return comparePictures(page, readFileSync(file), bytes);
}

async function looksAs(name: string): Promise<void> {
  const { share, box, sizes } = await compare(name);
  console.log(`${name}: ${(100 * share).toFixed(3)} %`);
  expect(readFileSync(fileOf(name)).length).toBeLessThan(30 * 1024);
  const where = sizes ?? `${(100 * share).toFixed(2)} % of it, within ${box.join(', ')}`;
  expect(share, `${name} differs: ${where}; NAVKILN_PICTURES=folder writes it`).toBeLessThan(LIMIT);
}

/** Checks that a change is noticed. */
async function looksUnlike(name: string, what: string): Promise<void> {
  const { share } = await compare(`not-${name}--${what}`);
  console.log(`${name}, ${what}: ${(100 * share).toFixed(2)} %`);
  expect(share, `${name}: ${what} is not noticed`).toBeGreaterThan(1.5 * LIMIT);
}

async function goTo(hash: string): Promise<void> {
  await page.evaluate(() => {
    document.querySelectorAll<HTMLElement>('.message button').forEach((button) => button.click());
  });
  await openLink(page, hash);
}

const project = async (point: readonly number[]): Promise<[number, number]> =>
  (await page.evaluate((p) => globalThis.studio!.project(p), point as [number, number, number]))!;

async function drag(from: readonly number[], to: readonly number[]): Promise<void> {
  const [x, y] = await project(from);
  const [u, v] = await project(to);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(u, v, { steps: 4 });
  await page.mouse.up();
  await idle(page);
}

const setLayer = async (id: string): Promise<void> => {
  await page.locator('#tab-layers').click();
  await page.locator(`[data-layer="${id}"] input`).click();
  await page.locator('#tab-settings').click();
};

describe('screenshots', () => {
  it('the first screen', async () => {
    await looksAs('first-screen');
  });

  it.runIf(IS_FULL)('open: a GLB that is dropped', async () => {
    await drop(page, [{ name: 'hall.glb', bytes: await createIo().writeBinary(makeScene()) }]);
    await looksAs('open');
  });

  it.runIf(IS_FULL)('stages: regions', async () => {
    await goTo('#scene=house&tool=stages&tool.stages={"stage":"regions"}');
    await looksAs('stages');
    await page.keyboard.press(']');
    await looksUnlike('stages', 'the next stage');
  });

  it('ask: a path with a dragged end', async () => {
    await goTo('#scene=house&tool=path');
    const { from, to } = findLevelScene('house').path;
    await drag(
      to,
      to.map((value, axis) => value + 0.1 * (from[axis] - value)),
    );
    await looksAs('ask');
    await setLayer('walls');
    await looksUnlike('ask', 'walls hidden');
  });

  it.runIf(IS_FULL)('edit: a volume, clicked and dragged', async () => {
    await goTo('#scene=slope-limits&tileSize=5&tool=volume&camera=15,26,-12,15,0,7');
    const [x, z] = [11, 1.5];
    const corners = [
      [x, 0, z],
      [x + 3, 0, z],
      [x + 3, 0, z + 3],
      [x, 0, z + 3],
      [x, 0, z],
    ];
    for (const corner of corners) await page.mouse.click(...(await project(corner)));
    await idle(page);
    const {
      middles: [middle],
    } = await page.evaluate(() => globalThis.studio!.tool() as { middles: number[][] });
    await drag(middle!, [middle![0] + 5, middle![1], middle![2]]);
    await looksAs('edit');
    await page.keyboard.press('Control+z');
    await idle(page);
    await looksUnlike('edit', 'where it was');
    await page.keyboard.press('Control+Shift+z');
    await idle(page);
  });

  it('move: a crowd after two seconds', async () => {
    await goTo('#scene=crossroads&scale=0.2&tool=crowd&tool.crowd={"play":false}');
    await page.waitForFunction(() => (globalThis.studio!.tool() as CrowdProbe | undefined)?.crowd.agentCount === 80);
    const step = (ticks: number): Promise<void> =>
      page.evaluate((count) => (globalThis.studio!.tool() as CrowdProbe).step(count), ticks);
    await step(120);
    await looksAs('move');
    await page.evaluate(() => {
      const { bodies, redraw } = globalThis.studio!.tool() as CrowdProbe;
      (bodies.mesh as unknown as { visible: boolean }).visible = false;
      redraw();
    });
    await looksUnlike('move', 'nobody there');
  });

  it.runIf(IS_FULL)('keep: a saved mesh, opened again, in the dark theme', async () => {
    await goTo('#scene=house');
    await page.click('[data-menu=save]');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('.menu-item:has-text("Mesh") >> nth=0'),
    ]);
    await drop(page, [{ name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }]);
    await page.locator('.message button').click();
    await looksAs('keep');
    await page.keyboard.press('d');
    await looksAs('keep-dark');
    await page.evaluate(() => document.documentElement.style.setProperty('--paper', '#2b1b1b'));
    await looksUnlike('keep-dark', 'other paper');
  });

  it.runIf(IS_FULL)('keys: the list of shortcuts', async () => {
    await page.evaluate(() => document.documentElement.style.removeProperty('--paper'));
    await page.keyboard.press('d');
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    await looksAs('keys');
  });
});
