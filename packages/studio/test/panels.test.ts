/**
 * Panels with content: axe finds nothing in either theme, and Tab goes through all their controls in order with visible focus. Import with
 * objects, the legend while it is edited, the tools Scene, Draw, Walk, Crowd and Path with what they offer, on one page.
 *
 * Runs in `npm run soak`.
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults, loadAxe, tabFaults } from './axe.ts';
import { OBJECTS_OBJ } from './levels.ts';
import { drop, goTo, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';
import { chooseTool, clickAt, fillField, press } from './walks/walk.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

let studio: Studio;
let page: Page;
beforeAll(async () => {
  if (!IS_FULL) return;
  studio = await startStudio();
  page = await studio.open('', { viewport: { width: 1440, height: 900 } });
  await loadAxe(page);
});
afterAll(() => studio?.close());
afterEach(() => studio?.check());

/** Checks a part of the page. Returns the number of its controls. */
async function check(where: string): Promise<number> {
  await idle(page);
  expect(await axeFaults(page, where), where).toEqual([]);
  const { faults, count } = await tabFaults(page, where);
  expect(faults, where).toEqual([]);
  return count;
}

const openDetails = (where: string): Promise<void> =>
  page.evaluate(
    (part) => document.querySelectorAll<HTMLDetailsElement>(`${part} details`).forEach((one) => (one.open = true)),
    where,
  );

describe.runIf(IS_FULL)('axe and Tab', () => {
  it('in the import panel with objects, and in the legend', async () => {
    await drop(page, [{ name: 'yard.obj', bytes: new TextEncoder().encode(OBJECTS_OBJ) }]);
    expect(await check('.import')).toBeGreaterThan(9);
    await page.evaluate(() => (document.querySelector<HTMLDetailsElement>('.import-list')!.open = true));
    await page.locator('.import-objects select').nth(1).selectOption('2');
    await idle(page);
    await page.waitForSelector('.legend');
    await page.click('.legend .icon-button');
    expect(await check('.legend')).toBe(5);
  });

  it('in the scene tool with a target, an agent, a group and levels', async () => {
    await goTo(page, '#scene=slope-limits&tool=scene');
    await openDetails('.card');
    expect(await check('.card')).toBeGreaterThan(8);
    await press(page, 'Route');
    await clickAt(page, [6, 0, 2]);
    await clickAt(page, [13, 0, 2]);
    await press(page, 'Agent');
    await clickAt(page, [3, 0, 3]);
    await openDetails('.card');
    expect(await check('.card'), 'agent').toBeGreaterThan(12);
    await press(page, 'Select');
    await clickAt(page, [6, 0, 2]);
    await openDetails('.card');
    expect(await check('.card'), 'target').toBeGreaterThan(12);
  });

  it('in the crowd tool with a selected agent, parameters, drawing and code', async () => {
    await press(page, 'Run');
    await page.waitForFunction(() => globalThis.studio!.tool() !== undefined);
    await page.keyboard.press('Escape');
    await openDetails('.card');
    expect(await check('.card')).toBeGreaterThan(20);
    expect(await check('.side')).toBeGreaterThan(1);
  });

  it('in the map editor with a selected area, and in the walk tool', async () => {
    await goTo(page, '#new=map&tool=draw');
    const corners = (size: number): [number, number, number][] => [
      [-size, 0, size],
      [size, 0, size],
      [size, 0, -size],
      [-size, 0, -size],
    ];
    for (const [mode, size] of [
      ['Outline', 8],
      ['Area', 3],
    ] as const) {
      await press(page, mode);
      for (const corner of corners(size)) await clickAt(page, corner);
      await press(page, 'Close shape');
    }
    await fillField(page, 'area name', 'pond');
    await openDetails('.card');
    expect(await check('.card')).toBeGreaterThan(12);
    expect(await check('.legend')).toBeGreaterThan(0);
    await chooseTool(page, 'walk');
    await openDetails('.card');
    expect(await check('.card')).toBeGreaterThan(3);
  });

  it('in the path tool with both searches, the filter and the code', async () => {
    await goTo(page, '#scene=courtyard&tool=path');
    await openDetails('.card');
    await page.selectOption('[aria-label="Search to show"]', 'Shortest path');
    expect(await check('.card')).toBeGreaterThan(20);
  });

  it('in the message, the result card and the settings', async () => {
    await goTo(page, '#scene=one-cell');
    await page.waitForSelector('.result:not([hidden])');
    expect(await check('.result')).toBeGreaterThan(1);
    await page.click('.settings-level .button:has-text("Advanced")');
    expect(await check('.side')).toBeGreaterThan(25);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.waitForSelector('.message');
    expect(await axeFaults(page, '.messages')).toEqual([]);
  });
});
