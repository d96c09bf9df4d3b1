/**
 * axe on the parts that test/accessible.test.ts does not open: the first page, the tour, dialogs, the map editor,
 * sheets on a phone; and corners of paths.
 */
import { findDetailedPath } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { findLevelScene } from 'navkiln-scenes';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { axeFaults, loadAxe } from './axe.ts';
import { goTo, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open('', { viewport: { width: 1280, height: 800 } });
  await loadAxe(page);
});
afterAll(() => studio?.close());
afterEach(() => studio.check());

const faults = (where: string): Promise<string[]> => axeFaults(page, where);

it('axe finds nothing on the first page, in the tour and in the map editor', async () => {
  expect(await faults('.welcome'), 'first page').toEqual([]);
  await page.click('[data-action=tour]');
  await page.waitForSelector('.tour-card');
  expect(await faults('.tour'), 'tour').toEqual([]);
  await page.keyboard.press('Escape');
  await goTo(page, '#new=map&tool=draw');
  expect(await faults('.card'), 'draw').toEqual([]);
  await goTo(page, '#scene=lakes-map&tool=walk');
  expect(await faults('.card'), 'walk').toEqual([]);
});

it.runIf(IS_FULL)('axe finds nothing on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await goTo(page, '#scene=courtyard&tool=path');
  expect(await faults('html'), 'path').toEqual([]);
  if (!(await page.isVisible('.side'))) await page.click('[aria-label^="Show or hide the panel"]');
  expect(await faults('.side'), 'panel').toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
});

it('corners of a path stand where it turns, at other areas, or at every polygon', async () => {
  await goTo(page, '#scene=courtyard&tool=path');
  const { create, options, path } = findLevelScene('courtyard');
  const { navMesh } = buildNavMesh(create(), options);
  const counts: number[] = [];
  for (const crossings of ['none', 'all'] as const) {
    await page.selectOption('[data-field=corners] select', crossings);
    await idle(page);
    const wanted = findDetailedPath(navMesh, path.from, path.to, { crossings });
    counts.push(wanted.points.length);
    expect(await page.innerText('.card')).toContain(`${wanted.points.length}, across`);
  }
  expect(counts[1]).toBeGreaterThan(counts[0]);
  expect(await page.textContent('[data-part=code]')).toContain("crossings: 'all'");
});
