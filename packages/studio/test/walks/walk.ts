/**
 * Shared by the scripted walks. A walk takes only steps that the page offers; `window.studio` tells where things are
 * on it.
 */
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { idle } from '../page.ts';

export type Place = readonly [number, number, number];

/** Clicks a point of the view. */
export async function clickAt(page: Page, point: Place): Promise<void> {
  const [x, y] = await placeOf(page, point);
  await page.mouse.click(x, y);
  await idle(page);
}

export async function dragFrom(page: Page, from: Place, to: Place): Promise<void> {
  await page.mouse.move(...(await placeOf(page, from)));
  await page.mouse.down();
  const [x, y] = await placeOf(page, to);
  await page.mouse.move(x - 5, y, { steps: 4 });
  await page.mouse.move(x, y);
  await page.mouse.up();
  await idle(page);
}

export async function placeOf(page: Page, point: Place): Promise<[number, number]> {
  const place = await page.evaluate((p) => globalThis.studio!.project(p), point);
  if (place === undefined) throw new Error(`${point.join(', ')} is not in the view`);
  return place;
}

/** Opens a bundled scene by the menu. */
export async function openScene(page: Page, name: string): Promise<void> {
  await page.click('[data-menu=scenes]');
  await page
    .locator('.menu-item', { hasText: new RegExp(`^${name}`) })
    .first()
    .click();
  // Edits to what was open would be lost: the page asks.
  const leave = 'dialog[aria-label="Changes are not saved"] .button:last-child';
  await page.waitForFunction(
    ([wanted, selector]) => {
      const { source } = globalThis.studio!.state();
      return document.querySelector(selector!) !== null || (source?.kind === 'scene' && source.name === wanted);
    },
    [name, leave],
  );
  if ((await page.locator(leave).count()) > 0) await page.locator(leave).click();
  await page.waitForFunction((wanted) => {
    const { source, mesh } = globalThis.studio!.state();
    return source?.kind === 'scene' && source.name === wanted && mesh !== undefined;
  }, name);
  await idle(page);
}

/** Chooses a tool by its button. */
export async function chooseTool(page: Page, id: string): Promise<void> {
  await page.click(`[data-tool=${id}]`);
  await idle(page);
}

/** Types a value into a field of the card. */
export async function fillField(page: Page, label: string, value: string): Promise<void> {
  const field = page.locator('.card').getByLabel(label, { exact: true }).locator('visible=true').first();
  await field.fill(value);
  await field.press('Enter');
  await idle(page);
}

export async function press(page: Page, name: string): Promise<void> {
  await page.locator('.card').getByRole('button', { name, exact: true }).locator('visible=true').first().click();
  await idle(page);
}

/** Saves a file by the menu, and returns it. */
export async function save(page: Page, title: string): Promise<{ name: string; bytes: Buffer }> {
  await page.click('[data-menu=save]');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .locator('.menu-item', { hasText: new RegExp(`^${title}`) })
      .first()
      .click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) };
}

/** With NAVKILN_PICTURES, takes pictures of the page: in windows of three sizes, large and dark, and on a phone in both themes. */
export async function pictures(page: Page, name: string): Promise<void> {
  const folder = process.env['NAVKILN_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const before = page.viewportSize()!;
  const theme = await page.evaluate(() => document.documentElement.dataset['theme'] ?? 'light');
  const take = async (look: string, width: number, height: number, isDark: boolean): Promise<void> => {
    await page.setViewportSize({ width, height });
    // On a phone, the panel is closed at first.
    const close = page.getByRole('button', { name: 'Close the panel' });
    if (width < 500 && (await close.isVisible())) await close.click();
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${folder}/${name}-${look}.png` });
  };
  await take('wide', 1920, 1080, false);
  await take('small', 1024, 720, false);
  await take('large', 1440, 900, false);
  await take('dark', 1440, 900, true);
  await take('phone', 390, 844, false);
  await take('phone-dark', 390, 844, true);
  await page.setViewportSize(before);
  await page.keyboard.press('q');
  await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light' });
  await page.waitForTimeout(200);
}
