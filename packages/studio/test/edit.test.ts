/** The edit tools in Chromium. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPath, getLink, listLinks, loadNavMesh } from 'navkiln';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { run } from '../../cli/test/cli.ts';
import type { LevelPart } from '../src/state/state.ts';
import { drop, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

let studio: Studio;
beforeAll(async () => (studio = await startStudio()));
afterAll(() => studio?.close());
afterEach(() => studio.check());

/** In a large window the card covers less of the view. */
const big = { width: 1280, height: 800 };

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['NAVKILN_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}

const project = async (page: Page, point: readonly number[]): Promise<[number, number]> =>
  (await page.evaluate((p) => globalThis.studio!.project(p), point as [number, number, number]))!;
const clickAt = async (page: Page, point: readonly number[], modifiers: 'Shift'[] = []): Promise<void> => {
  const [x, y] = await project(page, point);
  for (const key of modifiers) await page.keyboard.down(key);
  await page.mouse.click(x, y);
  for (const key of modifiers) await page.keyboard.up(key);
  await idle(page);
};
const tool = <T>(page: Page): Promise<T> => page.evaluate(() => globalThis.studio!.tool() as T);
/** Counts polygons by area, and those with flags of 0. */
const areas = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(() => {
    const { navMesh } = globalThis.studio!.state().mesh!;
    const found: Record<string, number> = {};
    for (let slot = 0; slot < navMesh.tileSlotCount; slot++) {
      if (navMesh.tileState[slot] !== 1) continue;
      const first = navMesh.tilePolyStart[slot];
      for (let poly = first; poly < first + navMesh.tilePolyCount[slot]; poly++) {
        const key = navMesh.polyFlags[poly] === 0 ? 'closed' : `${navMesh.polyArea[poly]}`;
        found[key] = (found[key] ?? 0) + 1;
      }
    }
    return found;
  });
const rebuilt = (page: Page): Promise<[number, number][] | undefined> =>
  page.evaluate(() => globalThis.studio!.state().mesh!.rebuilt as [number, number][] | undefined);
const drag = async (page: Page, from: readonly number[], to: readonly number[]): Promise<void> => {
  const [x, y] = await project(page, from);
  const [u, v] = await project(page, to);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let i = 1; i <= 4; i++) await page.mouse.move(x + ((u - x) * i) / 4, y + ((v - y) * i) / 4);
  await page.mouse.up();
  await idle(page);
};
/** A visible point on the floor. */
const [cx, cz] = [11, 1.5];

it('area: clicks add a volume, a drag moves it, undo restores it; only its tiles are rebuilt', async () => {
  const page = await studio.show('#scene=slope-limits&tileSize=5&tool=volume&camera=15,26,-12,15,0,7', big);
  const before = await areas(page);
  const corners = [
    [cx, 0, cz],
    [cx + 3, 0, cz],
    [cx + 3, 0, cz + 3],
    [cx, 0, cz + 3],
  ];
  for (const corner of corners) await clickAt(page, corner);
  expect(await tool<{ draft: number }>(page)).toMatchObject({ draft: 4, volumes: 0 });
  await clickAt(page, corners[0]);
  expect(await tool(page)).toMatchObject({ draft: 0, volumes: 1, selected: 0 });
  const first = await areas(page);
  expect(first['2']).toBeGreaterThan(0);
  expect(before['2']).toBeUndefined();
  expect((await rebuilt(page))!.length).toBeLessThanOrEqual(4);
  await picture(page, 'edit-volume');
  const {
    middles: [middle],
  } = await tool<{ middles: number[][] }>(page);
  // The rebuilt tiles flash, unless the user has asked for less motion.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const flash = page.waitForRequest(/tile-flash/);
  await drag(page, middle!, [middle![0] + 5, middle![1], middle![2]]);
  await flash;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const moved = await page.evaluate(
    () => globalThis.studio!.state().edits.volumes[0] as unknown as { outline: number[][] },
  );
  expect(Math.min(...moved.outline.map(([x]) => x!))).toBeGreaterThan(cx + 1);
  await page.keyboard.press('Control+z');
  await idle(page);
  expect(await areas(page)).toEqual(first);
  await page.keyboard.press('Control+z');
  await idle(page);
  expect(await areas(page)).toEqual(before);
  expect(await page.evaluate(() => globalThis.studio!.state().edits.volumes.length)).toBe(0);
});

it('link: two clicks add it, Shift-click removes it', async () => {
  const page = await studio.show('#scene=slope-limits&tileSize=5&camera=15,26,-12,15,0,7&tool=link', big);
  await clickAt(page, [cx, 0, cz]);
  await clickAt(page, [8.25, 2.31, 12]);
  const mesh = await page.evaluate(() => globalThis.studio!.state().edits.links);
  expect(mesh).toMatchObject([{ bothWays: true, area: 63 }]);
  expect(await rebuilt(page)).toEqual([]);
  const links = (): Promise<number> =>
    page.evaluate(() => globalThis.studio!.layers().find(({ id }) => id === 'links')!.lines);
  expect(await links()).toBe(12);
  await picture(page, 'edit-link');
  await clickAt(page, [cx, 0, cz], ['Shift']);
  expect(await links()).toBe(0);
});

/** Two floors with a gap between them. */
const GAP_OBJ = `v 0 0 0
v 8 0 0
v 8 0 8
v 0 0 8
f 4 3 2 1
v 11 0 0
v 19 0 0
v 19 0 8
v 11 0 8
f 8 7 6 5
`;

it('link: direction, radius, cost and name reach the mesh, and the files that the command line takes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-link-'));
  try {
    const page = await studio.show('#scene=slope-limits&tool=link', big);
    writeFileSync(join(folder, 'gap.obj'), GAP_OBJ);
    await drop(page, [{ name: 'gap.obj', bytes: new TextEncoder().encode(GAP_OBJ) }]);
    await page.click('[data-tool=link]');
    await clickAt(page, [7, 0, 4]);
    await clickAt(page, [12, 0, 4]);
    const fill = async (label: string, value: string): Promise<void> => {
      const field = page.locator('.card').getByLabel(label, { exact: true });
      await field.fill(value);
      await field.press('Enter');
      await idle(page);
    };
    await page.locator('.card').getByLabel('Both ways').uncheck();
    await fill('radius', '0,75');
    await fill('cost', '20');
    await fill('name', 'jump');
    await page.click('.card .button:has-text("Reverse")');
    await idle(page);
    const save = async (title: string): Promise<Buffer> => {
      await page.click('[data-menu=save]');
      const item = page.locator('.menu-item', { hasText: new RegExp(`^${title}`) }).first();
      const [download] = await Promise.all([page.waitForEvent('download'), item.click()]);
      return readFileSync(await download.path());
    };
    const linkOf = (bytes: Uint8Array): object => {
      const mesh = loadNavMesh(bytes);
      const [ref] = listLinks(mesh);
      const { start, end, radius, cost, bothWays, name } = getLink(mesh, ref)!;
      const [there, back] = [findPath(mesh, [18, 0, 4], [1, 0, 4]), findPath(mesh, [1, 0, 4], [18, 0, 4])];
      return { from: start[0][0], to: end[0][0], radius, cost, bothWays, name, status: [there.status, back.status] };
    };
    const wanted = linkOf(await save('Mesh'));
    expect(wanted).toMatchObject({ radius: 0.75, cost: 20, bothWays: false, status: ['complete', 'partial'] });
    expect(wanted).toMatchObject({ name: 'jump', from: expect.closeTo(12, 0), to: expect.closeTo(7, 0) });
    writeFileSync(join(folder, 'gap.yaml'), await save('Settings'));
    const baked = await run(['bake', '--config', 'gap.yaml', '-o', 'gap.navmesh'], folder);
    expect([baked.status, linkOf(readFileSync(join(folder, 'gap.navmesh')))]).toEqual([0, wanted]);
    // In a scene, an agent crosses it in its direction, and another one finds no path against it.
    const choose = async (selector: string): Promise<void> => {
      await page.click(selector);
      await idle(page);
    };
    for (const close of await page.$$('.message button')) await close.click();
    await choose('[data-tool=scene]');
    await choose('.card .button:has-text("Target")');
    await clickAt(page, [6, 0, 6]);
    await choose('.card .button:has-text("Agent")');
    await clickAt(page, [15, 0, 4]);
    const scene = (await save('Scene')).toString();
    for (const field of ['radius: 0.75', 'cost: 20', 'bothWays: false', 'name: jump']) expect(scene).toContain(field);
    writeFileSync(join(folder, 'scene.yaml'), scene);
    const ran = await run(['crowd', 'scene.yaml', '--json', '--no-cache', '--seconds', '25'], folder);
    expect(ran.status, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ agents: 1, arrived: 1 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it.runIf(IS_FULL)('prune removes polygons that cannot be reached', async () => {
  const page = await studio.show('#scene=slope-limits&tileSize=5&camera=15,26,-12,15,0,7&tool=prune', big);
  await clickAt(page, [15, 0, 2]);
  const { lost, kept } = await tool<{ lost: number; kept: number }>(page);
  expect(lost).toBeGreaterThan(0);
  expect(kept).toBeGreaterThan(0);
  expect((await page.evaluate(() => globalThis.studio!.toolCounts())).triangles).toBeGreaterThanOrEqual(lost);
  await picture(page, 'edit-prune');
  await page.click('.card button:has-text("Prune")');
  await idle(page);
  expect((await areas(page))['closed']).toBe(lost);
  await page.keyboard.press('Control+z');
  await idle(page);
  expect((await areas(page))['closed']).toBeUndefined();
});

it.runIf(IS_FULL)('tiles: remove all, bake one, remove one', async () => {
  const page = await studio.show('#scene=slope-limits&camera=15,26,-12,15,0,7&tool=tiles', big);
  await page.click('.card button:has-text("Divide")');
  await idle(page);
  const tiles = (): Promise<number> =>
    page
      .evaluate(() => globalThis.studio!.state().mesh!.report!.counts)
      .then((counts) => (counts as { tiles: number }).tiles);
  const all = await tiles();
  expect(all).toBeGreaterThan(3);
  await clickAt(page, [cx, 0, cz], ['Shift']);
  expect([await tiles(), await rebuilt(page)]).toEqual([all - 1, []]);
  await picture(page, 'edit-tiles');
  await page.keyboard.press('y');
  await idle(page);
  await clickAt(page, [cx, 0, cz]);
  expect(await page.evaluate(() => globalThis.studio!.text('tool'))).toMatch(/tile \d, 0 was removed/);
  await page.keyboard.press('i');
  await idle(page);
  await page.click('.card button:has-text("Remove all")');
  await idle(page);
  expect(await tiles()).toBe(0);
  expect(await areas(page)).toEqual({});
  await clickAt(page, [cx, 0, cz]);
  expect([await tiles(), (await rebuilt(page))!.length]).toEqual([1, 1]);
  await page.click('.card button:has-text("Bake all")');
  await idle(page);
  expect(await tiles()).toBe(all);
});

it.runIf(IS_FULL)('shapes: add, move by the gizmo, delete', async () => {
  const page = await studio.show('#scene=slope-limits&tileSize=5&camera=15,26,-12,15,0,7&tool=parts', big);
  const before = await areas(page);
  await page.click('.card button:has-text("Box")');
  await clickAt(page, [cx + 1, 0, cz + 1]);
  const put = await tool<{ parts: LevelPart[]; selected: number }>(page);
  expect(put).toMatchObject({ selected: 1, parts: [{ shape: 'box', scale: [2, 1, 2] }] });
  expect(await page.evaluate(() => globalThis.studio!.layers().find(({ id }) => id === 'parts')!.triangles)).toBe(10);
  const there = await areas(page);
  expect(there).not.toEqual(before);
  await picture(page, 'edit-parts');
  // The red arrow is on the x axis, a little away from the center.
  const {
    position: [x, y, z],
  } = put.parts[0];
  const at = await project(page, [x, y, z]);
  const on = await project(page, [x + 1, y, z]);
  const length = Math.hypot(on[0] - at[0], on[1] - at[1]);
  const along = (pixels: number): [number, number] => [
    at[0] + ((on[0] - at[0]) * pixels) / length,
    at[1] + ((on[1] - at[1]) * pixels) / length,
  ];
  let start: [number, number] | undefined;
  for (let pixels = 20; pixels < 120 && start === undefined; pixels += 6) {
    await page.mouse.move(...along(pixels));
    if ((await tool<{ axis: string | null }>(page)).axis === 'X') start = along(pixels);
  }
  expect(start).toBeDefined();
  await page.mouse.move(...start!);
  await page.mouse.down();
  await page.mouse.move(start![0] + 2 * (on[0] - at[0]), start![1] + 2 * (on[1] - at[1]), { steps: 4 });
  await page.mouse.up();
  await idle(page);
  const {
    parts: [moved],
  } = await tool<{ parts: LevelPart[] }>(page);
  expect(moved!.position[0]).toBeGreaterThan(x + 1);
  expect([moved!.position[1], moved!.position[2]]).toEqual([expect.closeTo(y, 3), expect.closeTo(z, 3)]);
  expect((await rebuilt(page))!.length).toBeLessThan(8);
  await page.keyboard.press('Control+z');
  await idle(page);
  expect((await tool<{ parts: LevelPart[] }>(page)).parts).toEqual(put.parts);
  await page.click('.card button:has-text("Delete")');
  await idle(page);
  expect((await tool<{ parts: LevelPart[] }>(page)).parts).toEqual([]);
  expect(await areas(page)).toEqual(before);
});
