/** The studio for keyboards and screen readers: axe on each panel in both themes, the order of Tab, shortcuts, number fields. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readNumber } from '../src/dom/number-input.ts';
import { axeFaults, loadAxe } from './axe.ts';
import { idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.show('#scene=courtyard', { width: 1280, height: 800 });
  await loadAxe(page);
});
afterAll(() => studio?.close());
afterEach(() => studio.check());

const faults = (where: string): Promise<string[]> => axeFaults(page, where);

/** Clicks without waiting for the element to be steady. */
const click = (selector: string): Promise<void> =>
  page.evaluate((of) => document.querySelector<HTMLElement>(of)!.click(), selector);

/** Where the parts of the page are, and how far it is scrolled. */
const layout = (): Promise<number[][]> =>
  page.evaluate(() => {
    const parts = ['html', 'body', '#studio', '.top', '.tools', '.stage', '.side', '.status'].map((part) => {
      const one = document.querySelector(part)!;
      const { x, y, width, height } = one.getBoundingClientRect();
      return [x, y, width, height, one.scrollLeft, part === '.tools' ? 0 : one.scrollTop];
    });
    return [...parts, [scrollX, scrollY]];
  });

describe('axe finds nothing in both themes', () => {
  it('on the page, its menus, tabs and tools', async () => {
    expect(await faults('html'), 'page').toEqual([]);
    for (const tab of ['layers', 'report', 'crowd', 'settings']) {
      await click(`#tab-${tab}`);
      expect(await faults('.side'), tab).toEqual([]);
    }
    for (const menu of ['scenes', 'save', 'theme']) {
      await click(`[data-menu=${menu}]`);
      expect(await faults('.top'), menu).toEqual([]);
      await page.keyboard.press('Escape');
    }
    const tools = await page.$$eval('[data-tool]:not([hidden])', (buttons) =>
      buttons.map((one) => one.getAttribute('data-tool')!),
    );
    expect(tools.length).toBeGreaterThan(10);
    const places = await layout();
    // In the soak all; otherwise every eighth.
    for (const tool of tools.filter((_, i) => IS_FULL || i % 8 === 0)) {
      await click(`[data-tool=${tool}]`);
      await idle(page);
      await page.evaluate(() =>
        document.querySelectorAll('.card details').forEach((one) => ((one as HTMLDetailsElement).open = true)),
      );
      expect(await faults('.card'), tool).toEqual([]);
      // The page does not move when a tool opens, nor when its last control has the focus.
      await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.card :is(button, input, summary)')].at(-1)?.focus(),
      );
      expect(await layout(), tool).toEqual(places);
    }
    await click('#tab-crowd');
    expect(await faults('.side'), 'crowd with agents').toEqual([]);
    await click('#tab-settings');
    await click('[data-tool=look]');
    await page.evaluate(() => document.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true })));
    await page.waitForSelector('dialog[open]');
    expect(await faults('dialog'), 'shortcuts').toEqual([]);
    await page.keyboard.press('Escape');
  });
});

it('Tab and Shift+Tab go through everything in order and leave the page', async () => {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const wanted = await page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('button, input, select, summary, [tabindex], a[href]')];
    const isReached = (one: HTMLElement): boolean =>
      one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility({ visibilityProperty: true });
    const reached = all.filter(isReached);
    reached.forEach((one, i) => (one.dataset['order'] = String(i)));
    return reached.length;
  });
  expect(wanted).toBeGreaterThan(40);
  const walk = async (key: string): Promise<number[]> => {
    const seen: number[] = [];
    for (let i = 0; i <= wanted + 2; i++) {
      await page.keyboard.press(key);
      const at = await page.evaluate(() => {
        const { activeElement } = document;
        if (activeElement === document.body || activeElement === null) return -1;
        const { outlineStyle, outlineWidth } = getComputedStyle(activeElement);
        if (outlineStyle === 'none' || outlineWidth === '0px') return -2;
        return Number((activeElement as HTMLElement).dataset['order'] ?? -3);
      });
      if (at === -1) break;
      seen.push(at);
    }
    return seen;
  };
  // Leave the page first: Tab continues where the focus was last.
  await walk('Tab');
  const order = Array.from({ length: wanted }, (_, i) => i);
  expect(await walk('Tab')).toEqual(order);
  expect(await walk('Shift+Tab')).toEqual(order.reverse());
});

it('keys of a single letter act neither in a field nor when they are turned off', async () => {
  const tool = (): Promise<string> => page.evaluate(() => globalThis.studio!.state().tool);
  const field = page.locator('[data-setting="agent.radius"] input');
  await field.focus();
  await page.keyboard.press('w');
  expect(await tool()).toBe('look');
  await field.fill('');
  await field.blur();
  const setLetters = async (areOn: boolean): Promise<void> => {
    await click('[aria-label^="Keyboard shortcuts"]');
    await page.locator('.keys-switch input').setChecked(areOn);
    await page.keyboard.press('Escape');
  };
  await setLetters(false);
  await page.keyboard.press('w');
  expect(await tool()).toBe('look');
  await setLetters(true);
  await page.keyboard.press('w');
  expect(await tool()).toBe('wall');
  await click('[data-tool=look]');
});

describe('number fields', () => {
  it('parse numbers with a decimal point or comma, and nothing else', () => {
    const good = {
      '0.125': 0.125,
      '0,125': 0.125,
      ' 12 ': 12,
      '.5': 0.5,
      '5.': 5,
      '-3': -3,
      '\u22123': -3,
      '1e-3': 0.001,
    };
    for (const [text, value] of Object.entries(good)) expect(readNumber(text), text).toBe(value);
    for (const text of ['', ' ', '1,234.5', '1.2.3', '1,2,3', '0x10', 'Infinity', 'NaN', '1 2', 'two', '5m', '1e999']) {
      expect(readNumber(text), text).toBeUndefined();
    }
  });

  it('keep what was typed, and refuse the rest without a bake', async () => {
    const field = page.locator('[data-setting="agent.radius"] input');
    const radius = (): Promise<number | undefined> =>
      page.evaluate(() => globalThis.studio!.state().mesh!.navMesh.agent.radius);
    const type = async (text: string): Promise<string> => {
      await field.fill(text);
      await field.press('Enter');
      await idle(page);
      return field.inputValue();
    };
    expect([await type('0.125'), await radius()]).toEqual(['0.125', 0.125]);
    expect([await type('0,375'), await radius()]).toEqual(['0.375', 0.375]);
    const before = await page.evaluate(() => globalThis.studio!.state().mesh!.id);
    for (const text of ['wide', '1,2,3', '', '-1']) {
      expect(await type(text), text).toBe('0.375');
      const said = await page.evaluate(() => globalThis.studio!.messages().map((message) => message.text));
      expect(said, text).toHaveLength(1);
      expect(said[0], text).toMatch(/^Radius must be (a number|at least 0).*; it stays at 0\.375\.$/);
    }
    expect(await page.evaluate(() => globalThis.studio!.state().mesh!.id)).toBe(before);
    await field.press('ArrowUp');
    await idle(page);
    expect(await radius()).toBe(0.385);
  });
});

it.each([
  [1920, 1080],
  [1280, 720],
  [1000, 640],
  [820, 1180],
  [390, 844],
])('all tools are in a window of %i x %i', async (width, height) => {
  await page.setViewportSize({ width, height });
  const cut = await page.$$eval('[data-tool]:not([hidden])', (buttons) =>
    buttons
      .filter((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        const bar = one.closest('.tools')!.getBoundingClientRect();
        return (
          left < bar.left || right > bar.right + 1 || top < bar.top || bottom > bar.bottom + 1 || right - left < 39
        );
      })
      .map((one) => one.getAttribute('data-tool')),
  );
  expect(cut).toEqual([]);
  const right = await page.$$eval('.top button', (all) =>
    Math.max(...all.map((one) => one.getBoundingClientRect().right)),
  );
  expect(right).toBeLessThanOrEqual(width);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
});
