/**
 * The card after a bake without walkable surface: its reason, its buttons, and what they do. The oracle is a bake of the
 * same room with the right scale, axis and winding.
 */
import { parseObj } from 'navkiln/io';
import { buildNavMesh } from 'navkiln/build';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeFaults, loadAxe } from './axe.ts';
import { OBJECTS_OBJ } from './levels.ts';
import { drop, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.show('#scene=one-cell');
});
afterAll(() => studio?.close());

const CORNERS = [
  [0, 0, 0],
  [0, 0, 20],
  [20, 0, 20],
  [20, 0, 0],
  [8, 0, 8],
  [8, 3, 8],
  [12, 3, 8],
  [12, 0, 8],
];

/** A floor with a wall, as OBJ. */
function room({ scale = 1, isZUp = false, isFlipped = false }): Uint8Array {
  const points = CORNERS.map(([x, y, z]) => (isZUp ? [x, -z, y] : [x, y, z]).map((value) => value * scale));
  const faces = ['1 2 3 4', '5 6 7 8'].map((face) => (isFlipped ? face.split(' ').reverse().join(' ') : face));
  const lines = [...points.map((point) => `v ${point.join(' ')}`), ...faces.map((face) => `f ${face}`)];
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

const polygons = (): Promise<number | undefined> =>
  page.evaluate(() => globalThis.studio!.state().mesh?.report?.counts.polygons);
const right = buildNavMesh(parseObj(room({}))).report.counts.polygons;

it.each([
  ['small', { scale: 0.01 }, /0\.2 m wide.*agent is 1\.8 m high/, ['Scale × 100', 'Fit agent to level']],
  ['z up', { isZUp: true }, /m² are walkable, of 400 m²/, ['Z up → Y up', 'Fit agent to level']],
  ['flipped', { isFlipped: true }, /400 m² face down, 0 m² face up/, ['Flip faces', 'Two-sided']],
  ['huge', { scale: 100 }, /2,000 m wide/, ['Scale × 0.01', 'Fit agent to level']],
] as const)('a room that is %s', async (name, change, text, titles) => {
  if (name === 'huge') {
    // Without tiles a level of this size exceeds the memory of a page.
    const yaml = new TextEncoder().encode('cellSize: 0.01\nagent:\n  radius: 0.4\n');
    await drop(page, [{ name: 'fine.yaml', bytes: yaml }]);
  }
  await drop(page, [{ name: `${name}.obj`, bytes: room(change) }]);
  const card = page.locator('.result');
  expect((await card.innerText()).replaceAll('\n', ' ')).toMatch(text);
  expect((await page.textContent('[data-part=announcer]'))!.replaceAll('\n', ' ')).toMatch(text);
  const buttons = await card.locator('.buttons button').allInnerTexts();
  expect(buttons.slice(0, 2)).toEqual(titles);
  if (name === 'small' || name === 'flipped') expect(buttons).toContain('Show what was filtered');
  // One message at most: the card, or a toast.
  expect(await page.evaluate(() => globalThis.studio!.messages().filter(({ kind }) => kind === 'error'))).toEqual([]);
  await card.locator('.primary').click();
  if (name === 'huge') {
    const input = page.locator('[data-setting="cellSize"] input');
    await input.fill('0.2');
    await input.press('Enter');
  }
  await idle(page);
  expect(await polygons()).toBe(right);
  expect(await card.isVisible()).toBe(false);
  expect(await page.textContent('[data-part=announcer]')).toBe(`Baked ${right} polygons.`);
  studio.check();
});

it.runIf(IS_FULL)('can be undone, two-sided, fitted, filtered', async () => {
  await drop(page, [{ name: 'small.obj', bytes: room({ scale: 0.01 }) }]);
  await page.click('.result button:has-text("Fit agent to level")');
  await idle(page);
  expect(await polygons()).toBeGreaterThan(3);
  await page.keyboard.press('Control+z');
  await idle(page);
  expect(await page.isVisible('.result')).toBe(true);
  expect(await page.textContent('#tab-report')).toMatch(/^Report \d$/);
  await page.click('.result button:has-text("Show what was filtered")');
  await idle(page);
  expect(await page.evaluate(() => globalThis.studio!.tool())).toMatchObject({ stage: 'walkable' });
  expect(await page.isVisible('.result')).toBe(false);
  await drop(page, [{ name: 'flipped.obj', bytes: room({ isFlipped: true }) }]);
  await page.click('.result button:has-text("Two-sided")');
  await idle(page);
  expect(await polygons()).toBe(right);
  studio.check();
});

it('the import panel includes objects and gives them areas, which the legend names', async () => {
  await drop(page, [{ name: 'objects.obj', bytes: new TextEncoder().encode(OBJECTS_OBJ) }]);
  const panel = page.locator('.import');
  // The agent is above the file, whose objects are folded.
  const tops = await page.evaluate(() => {
    const groups = [...document.querySelectorAll<HTMLElement>('.settings-group')].filter(({ hidden }) => !hidden);
    return groups.map((group) => group.querySelector('summary')!.textContent);
  });
  expect(tops.indexOf('Agent')).toBeLessThan(tops.indexOf('Import'));
  expect(await panel.getByLabel('Include crate').isVisible()).toBe(false);
  await page.click('.import-list summary');
  expect(await panel.innerText()).toMatch(/20 × 1 × 20 m[^]*3 objects[^]*floor[^]*road[^]*crate/);
  expect(await page.isVisible('.legend')).toBe(false);
  await panel.getByLabel('Area of road').selectOption('2');
  await page.waitForSelector('.legend');
  expect(await page.innerText('.legend')).toMatch(/Ground[^]*Area 2/);
  await page.getByLabel('Edit names and costs of areas').click();
  await page.getByLabel('name of area 2').fill('Road');
  await page.getByLabel('cost of area 2').fill('2,5');
  await page.getByLabel('cost of area 2').press('Enter');
  await page.getByLabel('Edit names and costs of areas').click();
  expect(await page.innerText('.legend')).toMatch(/Road\s*× 2.5/);
  await panel.getByLabel('Include crate').uncheck();
  await idle(page);
  expect(await page.innerText('.status')).toContain('6 triangles');
  expect(await page.getByLabel('Include crate').evaluate((box) => box === document.activeElement)).toBe(true);
  await panel.getByLabel('unit').selectOption('0.01');
  await idle(page);
  expect(await panel.innerText()).toContain('0.2 × 0 × 0.2 m');
  await loadAxe(page);
  expect(await axeFaults(page, '.settings')).toEqual([]);
  await page.keyboard.press('Control+z');
  await page.getByLabel('Edit names and costs of areas').click();
  expect(await axeFaults(page, '.legend')).toEqual([]);
});
