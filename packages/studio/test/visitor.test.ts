/**
 * The studio as a visitor meets it: the focus after an example, arrow keys, clicks on nothing, an own crowd, an obstacle in a scene, the
 * words of the panel, and those for fingers. NAVKILN_PICTURES=folder writes screenshots.
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { inPanelWords } from '../src/state/settings.ts';
import { flagsText } from '../src/state/areas.ts';
import { idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';
import { pictures } from './walks/walk.ts';

it('messages of the library have the words of the panel', () => {
  const words = [
    ['a step of 0.6; agent.maxClimb 0.6 joins it', 'a step of 0.6; step height 0.6 joins it'],
    ['neighbors differ by 0.5 > climb 0.4', 'neighbors differ by 0.5 > step height 0.4'],
    ['cellHeight 0.3 rounds the climb of 0.4 down', 'cell height 0.3 rounds the step height of 0.4 down'],
    ['regionMinArea removes 2 m²; --map-levels and parseGeoJson stay', 'min region area removes 2 m²; --map-levels and parseGeoJson stay'],
    ['2 triangles have no area; the first is triangle 7', '2 triangles have no area, and no effect; the first is triangle 7'],
  ] as const; // oxfmt-ignore
  for (const [text, own] of words) expect(inPanelWords(text)).toBe(own);
  expect([0, 1, 0b101, 0x8000].map(flagsText)).toEqual(['none', '1', '1, 3', '16']);
});

let studio: Studio;
beforeAll(async () => (studio = await startStudio()));
afterAll(() => studio?.close());
afterEach(() => studio.check());

const said = (page: Page): Promise<string> =>
  page.evaluate(() => globalThis.studio!.messages().map(({ text }) => text).join('\n')); // oxfmt-ignore
const endOf = (page: Page): Promise<string> => page.inputValue('[data-point=to]');
const pressed = (page: Page): Promise<string | null> =>
  page.getAttribute('.crowd-line [aria-pressed=true]', 'data-crowd');

it('after an example is chosen by keys, keys are for the view; arrows move the end of a path; clicks on nothing are answered', async () => {
  const page = await studio.open('', { viewport: { width: 1440, height: 900 } });
  await page.focus('[data-action=open-islands]');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => globalThis.studio!.state().source !== undefined);
  await idle(page);
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('view-canvas');
  await page.click('[data-tool=path]');
  await idle(page);
  const before = await endOf(page);
  await page.keyboard.press('Shift+ArrowLeft');
  expect(await endOf(page)).not.toBe(before);
  // The card is beside the view, not over it; without the panel, it is over the view.
  const isOver = (): Promise<boolean> =>
    page.evaluate(() => document.querySelector('.stage')!.contains(document.querySelector('.card')));
  expect(await isOver()).toBe(false);
  await page.keyboard.press('q');
  await page.waitForFunction(() => document.querySelector('.stage .card') !== null);
  await page.keyboard.press('q');
  await page.waitForFunction(() => document.querySelector('.side > .card') !== null);
  const [x, y] = await page.evaluate(() => {
    const { left, top, right, bottom } = document.querySelector('.view-canvas')!.getBoundingClientRect();
    const isNothing = (px: number, py: number): boolean =>
      document.elementFromPoint(px, py)?.className === 'view-canvas' && globalThis.studio!.pick(px, py) === undefined;
    for (let py = top + 5; py < bottom; py += 20)
      for (let px = left + 5; px < right; px += 20) if (isNothing(px, py)) return [px, py] as const;
    throw new Error('the level covers the view');
  });
  await page.mouse.click(x, y);
  expect(await said(page)).toContain('There is nothing at this position.');

  // The words of the panel.
  expect(await page.innerText('.side .tabs')).toMatch(/Report.*Crowd/s);
  await page.click('[data-tool=crowd]');
  await idle(page);
  // There is nobody to send yet.
  expect(await pressed(page)).toBe('add');
  await page.evaluate(() => (globalThis.studio!.tool() as { play: (on: boolean) => void }).play(true));
  expect(await page.innerText('.side')).toContain('shown while paused');
  await pictures(page, 'own-crowd');
  await page.context().close();
});

it('an obstacle in a crowd scene leaves the scene and its time', async () => {
  const page = await studio.show('#scene=crossroads&agents=40&tool=crowd&tool.crowd={"play":false}');
  await page.waitForFunction(() => (globalThis.studio!.tool() as object | undefined) !== undefined);
  expect(await pressed(page)).toBe('send');
  await page.evaluate(() => (globalThis.studio!.tool() as { step: (ticks: number) => void }).step(60));
  await page.click('[data-crowd=obstacle]');
  const place = await page.evaluate(() => {
    const { left, top, right, bottom } = document.querySelector('.view-canvas')!.getBoundingClientRect();
    const isFree = (x: number, y: number): boolean =>
      document.elementFromPoint(x, y)?.className === 'view-canvas' && globalThis.studio!.pick(x, y)?.on === 'ground';
    for (let y = (top + bottom) / 2; y < bottom; y += 9)
      for (let x = (left + right) / 2; x < right; x += 9) if (isFree(x, y)) return [x, y] as const;
    throw new Error('no surface is seen');
  });
  await page.mouse.click(...place);
  await page.waitForFunction(() => ((globalThis.studio!.tool() as { live?: { obstacles: unknown[] } }).live?.obstacles.length ?? 0) > 0); // oxfmt-ignore
  await idle(page);
  expect(await page.inputValue('[data-crowd=scene]')).toBe('crossroads');
  const { tick, agents } = await page.evaluate(() => {
    const { crowd } = globalThis.studio!.tool() as { crowd: { tick: number; agentCount: number } };
    return { tick: crowd.tick, agents: crowd.agentCount };
  });
  expect(tick).toBeGreaterThanOrEqual(60);
  expect(agents).toBeGreaterThan(30);
  expect(await said(page)).toContain('the scene goes on');
});

it('where there are fingers and no mouse, hints are for fingers', async () => {
  const page = await studio.open('#scene=rectangle&tool=path', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  // All tools have names, and take less than a fifth of the page.
  const bar = (await page.locator('.tools').boundingBox())!;
  expect(bar.height).toBeLessThan(150);
  const names = await page.$$eval('.tool-button:not([hidden]) span', (all) =>
    all.map((one) => [one.textContent, (one as HTMLElement).offsetWidth, one.parentElement!.offsetWidth] as const),
  );
  for (const [name, width, room] of names)
    expect(width > 15 && width <= room, `${name}: ${width} of ${room}`).toBe(true);
  const hints: string[] = [];
  for (const tool of ['path', 'look', 'draw']) {
    await page.click(`[data-tool=${tool}]`);
    await idle(page);
    hints.push(await page.innerText('.card .hint'));
  }
  expect(hints.join('\n')).not.toMatch(/click|right-drag|wheel/i);
  expect(hints[0]).toBe('Drag the two ends. Tap to set the end.');
  expect(await page.innerText('[data-setting="map.mode"]').catch(() => '')).not.toContain('delaunay');
  await pictures(page, 'touch');
  await page.context().close();
});
