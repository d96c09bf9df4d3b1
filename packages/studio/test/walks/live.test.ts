/** Walks with agents: a scene made from nothing that the command line runs alike (6), and a door closed under a crowd (5). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { run } from '../../../cli/test/cli.ts';
import type { CrowdProbe } from '../crowd-probe.ts';
import { startStudio } from '../page.ts';
import type { Studio } from '../page.ts';
import { chooseTool, clickAt, dragFrom, fillField, openScene, pictures, press, save } from './walk.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

let studio: Studio;
let page: Page;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'navkiln-walk-'));
  studio = await startStudio({ draws: true });
  page = await studio.open('', {
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: process.env['NAVKILN_PICTURES'] === undefined ? 0.4 : 1,
  });
});
afterAll(async () => {
  await studio?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => studio.check());

/** Runs the scene to its end, and returns its state as the page shows it. */
async function runToEnd(): Promise<string> {
  await page.locator('[data-crowd=speed]').fill('3');
  await page.keyboard.press('Tab');
  if (!(await page.evaluate(() => (globalThis.studio!.tool() as CrowdProbe).isPlaying)))
    await page.click('[data-crowd=play]');
  await page.waitForFunction(() => globalThis.studio!.messages().some(({ text }) => text.startsWith('The scene ends')));
  await page.click('#tab-crowd');
  const row = page.locator('[data-panel=crowd] .row', { hasText: /^State/ });
  return (await row.locator('.row-value').textContent())!;
}

it.runIf(IS_FULL)(
  '(6) a person follows a moving target; the saved scene gives the same state on the command line',
  async () => {
    await openScene(page, 'slope-limits');
    await chooseTool(page, 'scene');
    await press(page, 'Route');
    for (const point of [
      [6, 0, 2],
      [13, 0, 2],
      [13, 0, 4],
    ] as const)
      await clickAt(page, point);
    await press(page, 'Select');
    await fillField(page, 'speed', '1.5');
    await page.locator('.card').getByLabel('Repeats its route').check();
    await press(page, 'Agent');
    await clickAt(page, [3, 0, 3]);
    expect(await page.locator('.card').getByLabel('does', { exact: true }).inputValue()).toBe('follow target 1');
    await pictures(page, 'walk6-agent');
    await page.locator('.view-canvas').focus();
    await page.keyboard.press('Escape');
    await fillField(page, 'runs for', '8');
    await pictures(page, 'walk6-scene');
    const { name, bytes } = await save(page, 'Scene');
    expect(name).toBe('slope-limits-scene.yaml');
    writeFileSync(join(folder, name), bytes);
    const { status, stdout } = await run(['crowd', name, '--json', '--no-cache'], folder);
    const { hash, agents, seconds } = JSON.parse(stdout) as { hash: string; agents: number; seconds: number };
    expect([status, agents, seconds]).toEqual([0, 1, 8]);
    await press(page, 'Run');
    expect(await runToEnd()).toBe(hash);
    await pictures(page, 'walk6-run');
    // The saved file opens again and runs to the same state.
    const text = readFileSync(join(folder, name), 'utf8');
    expect(text).toContain('follows: target 1');
  },
);

it.runIf(IS_FULL)(
  '(5) a door closes under a crowd: it waits, finds no path, and goes on when the door opens',
  async () => {
    await page.click('[data-menu=scenes]');
    await page.locator('.menu-item', { hasText: /^bottleneck/ }).click();
    await page.waitForFunction(() => (globalThis.studio!.tool() as CrowdProbe | undefined)?.ids.length === 150);
    await page.locator('[data-crowd=agents]').fill('24');
    await page.locator('[data-crowd=agents]').press('Enter');
    await page.waitForFunction(() => (globalThis.studio!.tool() as CrowdProbe | undefined)?.ids.length === 24);
    await page.click('[data-crowd=play]');
    await chooseTool(page, 'volume');
    await page.locator('.view-canvas').focus();
    await page.keyboard.press('t');
    await page.waitForTimeout(800);
    for (const point of [
      [-0.6, 0, -1],
      [0.9, 0, -1],
      [0.9, 0, 1],
      [-0.6, 0, 1],
    ] as const)
      await clickAt(page, point);
    await press(page, 'Close');
    await fillField(page, 'door', 'gate');
    await pictures(page, 'walk5-door');
    await chooseTool(page, 'crowd');
    const passed = (): Promise<number> =>
      page.evaluate(() => {
        const { crowd } = globalThis.studio!.tool() as CrowdProbe;
        let count = 0;
        for (let slot = 0; slot < crowd.slotCount; slot++) if (crowd.agents.position[3 * slot] > 1) count++;
        return count;
      });
    const count = (look: string): Promise<number> =>
      page.evaluate((id) => Number(document.querySelector(`[data-look=${id}] .note`)!.textContent), look);
    await page.locator('[data-crowd=speed]').fill('2');
    await page.click('[data-crowd=play]');
    await page.waitForFunction(() => {
      const { crowd } = globalThis.studio!.tool() as CrowdProbe;
      return Array.from({ length: crowd.slotCount }).some((_, slot) => crowd.agents.position[3 * slot] > 1);
    });
    const door = page.locator('.card').getByLabel('gate is open');
    await door.uncheck();
    await page.waitForFunction(() => Number(document.querySelector('[data-look=blocked] .note')!.textContent) > 0);
    const before = await passed();
    expect(before).toBeLessThan(24);
    await pictures(page, 'walk5-closed');
    await page.waitForFunction(() => Number(document.querySelector('[data-look=moving] .note')!.textContent) === 0);
    expect(await passed()).toBe(before);
    await door.check();
    await page.waitForFunction(() => Number(document.querySelector('[data-look=arrived] .note')!.textContent) === 24);
    expect([await count('blocked'), await passed()]).toEqual([0, 24]);
  },
);

it.runIf(IS_FULL)(
  'an obstacle is dragged through a walking crowd: only tiles that it touches are rebuilt',
  async () => {
    await openScene(page, 'slope-limits');
    await chooseTool(page, 'crowd');
    await press(page, 'Add');
    await clickAt(page, [4, 0, 2]);
    await press(page, 'Send');
    await clickAt(page, [16, 0, 2]);
    await press(page, 'Block');
    await clickAt(page, [10, 0, 2.2]);
    const live = (): Promise<{ obstacles: { position: number[] }[]; polygons: number; tiles: number }> =>
      page.evaluate(() => {
        const { live: own } = globalThis.studio!.tool() as unknown as { live: { obstacles: { position: number[] }[] } };
        const { navMesh } = globalThis.studio!.state().mesh!;
        const tiles = navMesh.tileState.filter((state) => state === 1).length;
        return { obstacles: own.obstacles, polygons: navMesh.polyCount, tiles };
      });
    await page.waitForFunction(() => (globalThis.studio!.state().mesh!.rebuilt ?? []).length > 0);
    const put = await live();
    expect(put.obstacles).toHaveLength(1);
    expect(put.tiles).toBeGreaterThan(2);
    await pictures(page, 'live-obstacle');
    const [x, , z] = put.obstacles[0].position;
    await dragFrom(page, [x, 0.7, z], [13, 0, 2]);
    await page.waitForFunction(
      () => (globalThis.studio!.tool() as unknown as { live: { pending: number } }).live.pending === 0,
    );
    const moved = await live();
    expect(moved.obstacles[0].position[0]).toBeGreaterThan(x + 1);
    expect(await page.evaluate(() => globalThis.studio!.state().mesh!.rebuilt!.length)).toBeLessThan(moved.tiles);
    // All agents stay on the mesh, also those that the obstacle was dragged over.
    expect(await page.evaluate(() => document.querySelector('[data-look=lost] .note')!.textContent)).toBe('0');
    await page.locator('.card summary', { hasText: 'Code' }).click();
    await page.waitForFunction(() =>
      document.querySelector('.code-card pre')?.textContent.includes('stepCrowd(crowd)'),
    );
    await pictures(page, 'live-code');
  },
);
