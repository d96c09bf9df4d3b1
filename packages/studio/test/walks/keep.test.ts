/** Walks with work that is kept: a map drawn from nothing (2), a shared link (7), a reload (8), and a page without a network (9). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { run } from '../../../cli/test/cli.ts';
import { idle, startStudio } from '../page.ts';
import type { Studio } from '../page.ts';
import { chooseTool, clickAt, fillField, openScene, pictures, press, save } from './walk.ts';
import type { Place } from './walk.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;
const LARGE: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  deviceScaleFactor: process.env['NAVKILN_PICTURES'] === undefined ? 0.4 : 1,
};
const PHONE: BrowserContextOptions = {
  ...LARGE,
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

let studio: Studio;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'navkiln-walk-'));
  studio = await startStudio({
    draws: true,
    headers: { 'content-security-policy': '' },
    ignore: /404|ERR_INTERNET_DISCONNECTED/,
  });
});
afterAll(async () => {
  await studio?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => studio.check());

const stateOf = (page: Page): Promise<object> =>
  page.evaluate(() => {
    const { settings, edits, mesh, tool } = globalThis.studio!.state();
    return { settings, edits, polygons: mesh?.navMesh.polyCount, tool };
  });

/** Draws a yard with a pillar, with the mouse or with a finger. */
async function drawMap(page: Page, tap: (point: Place) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Draw a 2D map' }).first().click();
  await idle(page);
  const outline = [
    [-8, 0, 6],
    [8, 0, 6],
    [8, 0, -6],
    [-8, 0, -6],
  ] as const;
  for (const point of outline) await tap(point);
  await press(page, 'Close shape');
  await press(page, 'Obstacle');
  for (const point of [
    [-1, 0, 4],
    [1, 0, 4],
    [1, 0, -4],
    [-1, 0, -4],
  ] as const)
    await tap(point);
  await press(page, 'Close shape');
}

const walkThere = async (page: Page, tap: (point: Place) => Promise<void>): Promise<void> => {
  await chooseTool(page, 'walk');
  await fillField(page, 'speed', '40');
  await tap([-6, 0, 0]);
  await page.waitForFunction(() => (globalThis.studio!.tool() as { isDone: boolean }).isDone);
  await tap([6, 0, 0]);
  await page.waitForFunction(() => (globalThis.studio!.tool() as { status: string }).status === 'arrived');
};

/** The saved map is baked by the command line to the polygons of the page. */
async function bakeSaved(page: Page): Promise<void> {
  const { name, bytes } = await save(page, 'Map');
  writeFileSync(join(folder, name), bytes);
  const { status, stdout } = await run(['bake', name, '-o', 'map.navmesh', '--json'], folder);
  const { polygons } = JSON.parse(stdout) as { polygons: number };
  expect([status, polygons]).toEqual([
    0,
    await page.evaluate(() => globalThis.studio!.state().mesh!.navMesh.polyCount),
  ]);
}

it.runIf(IS_FULL)(
  '(2) a map is drawn from nothing, a player walks on it, and the command line bakes the saved file',
  async () => {
    const page = await studio.open('', LARGE);
    const tap = (point: Place): Promise<void> => clickAt(page, point);
    await drawMap(page, tap);
    await pictures(page, 'walk2-draw');
    await walkThere(page, tap);
    await pictures(page, 'walk2-walk');
    await bakeSaved(page);
    await page.context().close();
  },
);

it.runIf(IS_FULL)('(2) on a phone, with a finger', async () => {
  const page = await studio.open('', PHONE);
  const tap = async (point: Place): Promise<void> => {
    const [x, y] = (await page.evaluate((p) => globalThis.studio!.project(p), point))!;
    const isFree = await page.evaluate(([px, py]) => document.elementFromPoint(px, py)?.tagName === 'CANVAS', [x, y]);
    expect(isFree, `${point.join(', ')} is covered`).toBe(true);
    await page.touchscreen.tap(x, y);
    await idle(page);
  };
  await shot(page, 'phone-start');
  await drawMap(page, tap);
  await shot(page, 'phone-draw');
  await walkThere(page, tap);
  await shot(page, 'phone-walk');
  await bakeSaved(page);
  await page.context().close();
});

it.runIf(IS_FULL)('(7) a shared link opens the same work elsewhere', async () => {
  const page = await studio.open('', LARGE);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openScene(page, 'slope-limits');
  await chooseTool(page, 'scene');
  await press(page, 'Target');
  await clickAt(page, [13, 0, 2]);
  await press(page, 'Agent');
  await clickAt(page, [3, 0, 3]);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.waitForFunction(() => globalThis.studio!.messages().some(({ text }) => text.startsWith('Copied a link')));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await studio.open(new URL(link).hash, LARGE);
  expect(await stateOf(other)).toEqual(await stateOf(page));
  await pictures(other, 'walk7-elsewhere');
  await Promise.all([page, other].map((one) => one.context().close()));
});

it.runIf(IS_FULL)('(8) a reload loses nothing', async () => {
  const page = await studio.open('', LARGE);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.locator('.top .button', { hasText: 'Open' }).click(),
  ]);
  const floor = 'v 0 0 0\nv 20 0 0\nv 20 0 10\nv 0 0 10\nf 4 3 2 1\n';
  await chooser.setFiles({ name: 'yard.obj', mimeType: 'text/plain', buffer: Buffer.from(floor) });
  await page.waitForFunction(() => globalThis.studio!.state().mesh !== undefined);
  await idle(page);
  await page.locator('[data-setting="agent.radius"] input').last().fill('0.5');
  await page.keyboard.press('Enter');
  await idle(page);
  await chooseTool(page, 'scene');
  await press(page, 'Target');
  await clickAt(page, [16, 0, 5]);
  await press(page, 'Group');
  await clickAt(page, [8, 0, 5]);
  const before = await stateOf(page);
  // The work is stored a moment after the last change.
  await page.waitForTimeout(1500);
  await page.reload();
  await page.waitForSelector('[data-action=resume]');
  await pictures(page, 'walk8-question');
  await page.click('[data-action=resume]');
  await page.waitForFunction(() => globalThis.studio!.state().mesh !== undefined);
  await idle(page);
  expect(await stateOf(page)).toEqual(before);
  await page.context().close();
});

it.runIf(IS_FULL)('(9) without a network, a level opens, bakes and gives a path', async () => {
  const page = await studio.open('?offline', LARGE);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForFunction(
    async () => (await caches.keys()).length === 1 && navigator.serviceWorker.controller !== null,
  );
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForFunction(() => globalThis.studio !== undefined);
  await openScene(page, 'house');
  await chooseTool(page, 'path');
  expect(await page.evaluate(() => globalThis.studio!.text('tool'))).toMatch(/complete|partial/);
  await pictures(page, 'walk9-offline');
  await chooseTool(page, 'scene');
  await chooseTool(page, 'crowd');
  await page.waitForFunction(() => globalThis.studio!.tool() !== undefined);
  await page.context().close();
});

async function shot(page: Page, name: string): Promise<void> {
  const pictureFolder = process.env['NAVKILN_PICTURES'];
  if (pictureFolder !== undefined) await page.screenshot({ path: `${pictureFolder}/walk2-${name}.png` });
}
