/**
 * Walks through the studio as a user takes them, each with what the page offers alone: with the mouse from an own file of
 * the wrong scale to a path, with the keyboard from the first page to a saved mesh, with a finger on a phone.
 *
 * NAVKILN_PICTURES=folder writes screenshots.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { loadNavMesh } from 'navkiln';
import { validateNavMesh } from 'navkiln/debug';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createIo, makeScene } from '../levels.ts';
import { idle, startStudio } from '../page.ts';
import type { Studio } from '../page.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

const folder = process.env['NAVKILN_PICTURES'];

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio({ draws: true });
  page = await studio.open('', {
    viewport: DESKTOP,
    hasTouch: true,
    deviceScaleFactor: folder === undefined ? 0.5 : 1,
  });
});
afterAll(() => studio?.close());
afterEach(() => studio.check());

async function picture(name: string): Promise<void> {
  await idle(page);
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/walk-${name}.png`, animations: 'disabled' });
}

/** Opens the page again, without files and edits that the browser has kept. */
async function startAgain(viewport: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(viewport);
  await page.goto('about:blank');
  await page.goto(studio.server.url);
  await page.waitForSelector('[data-action=open-islands]');
  await idle(page);
}

/** Returns positions on the page where the mesh is, far from each other. */
const spots = (): Promise<[number, number][]> =>
  page.evaluate(() => {
    const { left, top, width, height } = document.querySelector('.view-canvas')!.getBoundingClientRect();
    const found: [number, number][] = [];
    const isFree = (x: number, y: number): boolean => document.elementFromPoint(x, y)?.className === 'view-canvas';
    for (let y = top + 8; y < top + height; y += 8)
      for (let x = left + 8; x < left + width; x += 8)
        if (isFree(x, y) && globalThis.studio!.pick(x, y)?.on === 'ground') found.push([x, y]);
    if (found.length < 2) throw new Error('no surface is seen');
    return [found[0], found[found.length - 1]];
  });
const card = (): Promise<string> => page.innerText('.card');
const polygons = (): Promise<number> => page.evaluate(() => globalThis.studio!.state().mesh?.navMesh.polyCount ?? 0);

it('an own GLB in centimeters, to a path', async () => {
  const document = makeScene();
  const scene = document.getRoot().getDefaultScene()!;
  const centimeters = document.createNode('centimeters').setScale([100, 100, 100]);
  for (const child of scene.listChildren()) centimeters.addChild(child);
  scene.addChild(centimeters);
  const buffer = Buffer.from(await createIo().writeBinary(document));
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('[data-action=open]')]);
  await chooser.setFiles({ name: 'hall.glb', mimeType: 'model/gltf-binary', buffer });
  await page.waitForSelector('.result:not([hidden])');
  // The card is there before the bake, which would take long.
  if (folder !== undefined) await picture('1-wrong-scale');
  expect(await page.innerText('.result')).toMatch(/1,700 m wide.*another unit/s);
  await page.click('.result button:has-text("Scale × 0.01")');
  await idle(page);
  expect(await polygons()).toBeGreaterThan(3);
  expect(await page.isVisible('.result')).toBe(false);
  await page.click('[data-tool=path]');
  await idle(page);
  const [from, to] = await spots();
  await page.mouse.click(...from);
  await page.mouse.click(...to);
  await idle(page);
  expect(await card()).toMatch(/Path\s+complete/);
  await picture('1-path');
  await page.keyboard.press('d');
  await picture('1-path-dark');
  await page.keyboard.press('d');
});

it('with the keyboard alone: open, bake, path, save', async () => {
  await startAgain(DESKTOP);
  const press = (key: string): Promise<void> => page.keyboard.press(key);
  /** Tabs to an element, which must be marked. */
  const tabTo = async (selector: string): Promise<void> => {
    for (let i = 0; i < 120; i++) {
      await press('Tab');
      const { isThere, outline } = await page.evaluate((of) => {
        const { activeElement } = document;
        return { isThere: activeElement?.matches(of) === true, outline: getComputedStyle(activeElement!).outlineStyle };
      }, selector);
      if (!isThere) continue;
      expect(outline).not.toBe('none');
      return;
    }
    throw new Error(`Tab does not reach ${selector}`);
  };
  await tabTo('[data-action=open-islands]');
  await picture('3-first-page');
  await press('Enter');
  await page.waitForFunction(() => globalThis.studio!.state().source !== undefined);
  await idle(page);
  const before = await polygons();
  await tabTo('[data-setting="agent.radius"] input');
  await press('ArrowUp');
  await press('ArrowUp');
  await idle(page);
  expect(await polygons()).not.toBe(before);
  expect(await page.textContent('[data-part=announcer]')).toMatch(/^Baked \d+ polygons/);
  await tabTo('[data-tool=path]');
  await press('Enter');
  await idle(page);
  expect(await card()).toMatch(/Path\s+complete/);
  const length = (): Promise<string | null> => page.textContent('[data-length=funnel]');
  const first = await length();
  await tabTo('.view-canvas');
  for (let i = 0; i < 2; i++) await press('Shift+ArrowLeft');
  await idle(page);
  expect(await length()).not.toBe(first);
  expect(await card()).toMatch(/Path\s+complete/);
  await picture('3-path');
  if (folder !== undefined) {
    await press('d');
    await picture('3-path-dark');
    await page.setViewportSize(PHONE);
    await picture('3-path-phone-dark');
    await press('d');
    await picture('3-path-phone');
    await page.setViewportSize(DESKTOP);
  }
  await press('Control+s');
  const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
  const mesh = loadNavMesh(readFileSync(await download.path()));
  expect(validateNavMesh(mesh)).toEqual([]);
  expect(mesh.polyCount).toBe(await polygons());
});

it.runIf(IS_FULL)('on a phone: open a scene, change the radius, see the path', async () => {
  await startAgain(PHONE);
  await picture('4-first-page');
  await page.tap('[data-action=open-islands]');
  await page.waitForFunction(() => globalThis.studio!.state().source !== undefined);
  await idle(page);
  await picture('4-scene');
  await page.tap('[aria-label^="Show or hide the panel"]');
  const input = page.locator('[data-setting="agent.radius"] input');
  await input.tap();
  await input.fill('0,3');
  await input.press('Enter');
  await idle(page);
  expect(await page.evaluate(() => globalThis.studio!.state().mesh!.navMesh.agent.radius)).toBe(0.3);
  await picture('4-radius');
  await page.tap('.side-close');
  await page.tap('[data-tool=path]');
  await idle(page);
  expect(await card()).toMatch(/complete/);
  // Both ends are seen: neither the card nor a panel covers them.
  const { from, to } = await page.evaluate(() => {
    const inputs = [...document.querySelectorAll<HTMLInputElement>('[data-point]')];
    const [a, b] = inputs.map(({ value }) => value.split(',').map(Number) as [number, number, number]);
    return { from: globalThis.studio!.project(a)!, to: globalThis.studio!.project(b)! };
  });
  for (const [x, y] of [from, to]) {
    const over = await page.evaluate(([px, py]) => document.elementFromPoint(px, py)?.className, [x, y] as const);
    expect(over, `${x}, ${y}`).toBe('view-canvas');
  }
  await picture('4-path');
  const before = await page.textContent('[data-length=funnel]');
  await page.touchscreen.tap((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
  await idle(page);
  expect(await page.textContent('[data-length=funnel]')).not.toBe(before);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
});
