/** The first page, the tour, and the aids of the view: axes, scale bar, grid, the polygon under the pointer. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildNavMesh } from 'navkiln/build';
import { findLevelScene } from 'navkiln-scenes';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Moment } from '../src/crowd/moment.ts';
import { FEATURED } from '../src/scenes/featured.ts';
import { scenesOf } from '../src/scenes/list.ts';
import { polyFacts } from '../src/tools/inspect/facts.ts';
import type { CrowdProbe } from './crowd-probe.ts';
import { goTo, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio({ draws: true });
  page = await studio.open('', { viewport: { width: 1200, height: 760 } });
});
afterAll(() => studio?.close());
afterEach(() => studio.check());

it('has a picture of each example, and test scenes apart from the others', () => {
  expect(FEATURED).toHaveLength(8);
  for (const { name } of FEATURED)
    expect(existsSync(fileURLToPath(new URL(`../public/scenes/${name}.jpg`, import.meta.url))), name).toBe(true);
  const [levels, maps, tests] = (['levels', 'maps', 'tests'] as const).map((group) =>
    scenesOf(group).map(({ name }) => name),
  );
  expect([levels.length, maps.length, tests.length]).toEqual([10, 10, 7]);
  expect(tests).toContain('soup');
  expect(levels).not.toContain('one-cell');
});

it('the first page draws a baked level that is not open, and its pictures load', async () => {
  expect(await page.textContent('.welcome h1')).toContain('Drop a level here');
  expect(await page.evaluate(() => globalThis.studio!.state().level)).toBeUndefined();
  const sizes = await page.$$eval('.welcome-scene img', (all) =>
    all.map((one) => (one as HTMLImageElement).naturalWidth),
  );
  expect(sizes).toEqual(Array.from({ length: 8 }, () => 400));
  // In the dark theme they are dark.
  await page.emulateMedia({ colorScheme: 'dark' });
  const bytes = [...(await page.locator('.welcome-scene img').first().screenshot())];
  const light = await page.evaluate(async (png) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(png)]));
    const context = Object.assign(document.createElement('canvas'), { width: 40, height: 25 }).getContext('2d')!;
    context.drawImage(image, 0, 0, 40, 25);
    return context.getImageData(0, 0, 40, 25).data.filter((_, i) => i % 4 === 1).reduce((sum, value) => sum + value, 0) / 1000;
  }, bytes); // oxfmt-ignore
  expect(light).toBeLessThan(110);
  await page.emulateMedia({ colorScheme: 'light' });
  // The view is not of one color where the level is.
  const { width, height, x, y } = (await page.locator('.view-canvas').boundingBox())!;
  const clip = { x: x + 0.6 * width, y: y + 0.3 * height, width: 0.3 * width, height: 0.4 * height };
  expect((await page.screenshot({ clip })).length).toBeGreaterThan(4000);
});

it('people walk on the first page: a click sends them, the cart is dragged, and Share lands exactly there', async () => {
  const link = await page.evaluate(async () => {
    const written = new Promise<string>((resolve) =>
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text: string) => resolve(text) } }),
    );
    const press = (type: string, [clientX, clientY]: [number, number]): void => {
      const options = {
        clientX,
        clientY,
        bubbles: true,
        isPrimary: true,
        pointerId: 1,
        button: 0,
        pointerType: 'mouse',
      };
      document.querySelector('.view-canvas')!.dispatchEvent(new PointerEvent(type, options));
    };
    HTMLCanvasElement.prototype.setPointerCapture = () => undefined;
    const { project } = globalThis.studio!;
    for (const [type, x, z] of [
      ['pointerdown', 8.5, 0.4],
      ['pointermove', 7, 1.4],
      ['pointermove', 6, 2.4],
      ['pointerup', 6, 2.4],
      ['pointerdown', -3, 1],
      ['pointerup', -3, 1],
    ] as const)
      press(type, project([x, 0, z])!);
    const { count: before } = globalThis.studio!.frames();
    while (globalThis.studio!.frames().count < before + 2) await new Promise(requestAnimationFrame);
    document.querySelector<HTMLElement>('[title^="Copy"]')!.click();
    return written;
  });
  const query = new URLSearchParams(new URL(link).hash.slice(1));
  expect(query.get('scene')).toBe('village');
  const saved = JSON.parse(query.get('tool.crowd')!) as { at: Moment };
  const { tick, agents, obstacles } = saved.at;
  expect(tick).toBeGreaterThan(240);
  expect(agents).toHaveLength(6 * 48);
  expect(Math.hypot(obstacles[0].position[0] - 6, obstacles[0].position[2] - 2.4)).toBeLessThan(0.1);
  // All of them go where the click was.
  for (let i = 0; i < agents.length; i += 6) expect(Math.hypot(agents[i + 3] + 3, agents[i + 5] - 1)).toBeLessThan(0.1);
  query.set('tool.crowd', JSON.stringify({ ...saved, play: false }));
  const pose = query.get('camera')!.split(',').map(Number);
  const there = await studio.open(`#${query.toString()}`, { viewport: { width: 800, height: 600 } });
  await idle(there);
  const landed = await there.evaluate(() => {
    const { crowd, live } = globalThis.studio!.tool() as CrowdProbe & { live: { obstacles: { position: number[] }[] } };
    const { project, state } = globalThis.studio!;
    const position = [...crowd.agents.position.subarray(0, 3 * 48)];
    const heights = Array.from({ length: 48 }, (_, i) => {
      const [x, y, z] = position.slice(3 * i, 3 * i + 3);
      return project([x, y, z])![1] - project([x, y + 1.8, z])![1];
    });
    return { position, heights, tick: crowd.tick, obstacle: live.obstacles[0].position, camera: state().camera };
  });
  expect(landed.tick).toBe(tick);
  expect(landed.obstacle).toEqual(obstacles[0].position);
  for (let i = 0; i < 48; i++)
    for (const axis of [0, 2])
      expect(Math.abs(landed.position[3 * i + axis] - agents[6 * i + axis])).toBeLessThan(0.011);
  expect(Math.min(...landed.heights)).toBeGreaterThan(14);
  [...landed.camera.position, ...landed.camera.target].forEach((value, i) => expect(value).toBeCloseTo(pose[i], 1));
  await there.context().close();
});

it('the tour goes through its steps, forward and back, and Escape leaves it', async () => {
  await page.click('[data-action=tour]');
  await page.waitForSelector('.tour-card');
  await idle(page);
  expect(await page.evaluate(() => globalThis.studio!.state().source)).toMatchObject({ name: 'dungeon' });
  const title = (): Promise<string | null> => page.textContent('.tour-card h2');
  const seen: (string | null)[] = [];
  for (let step = 0; step < 7; step++) {
    seen.push(await title());
    const { x, y, width, height } = (await page.locator('.tour-card').boundingBox())!;
    expect(x >= 0 && y >= 0 && x + width <= 1200 && y + height <= 760, `step ${step}`).toBe(true);
    if (step < 6) await page.keyboard.press('Enter');
    await idle(page);
  }
  expect(new Set(seen).size).toBe(7);
  await page.click('.tour-card .button:has-text("Back")');
  expect(await title()).toBe(seen[5]);
  await page.keyboard.press('Escape');
  expect(await page.$('.tour')).toBeNull();
});

it('the scale bar is as long as it says, and follows the camera', async () => {
  // The view that this card leaves room for.
  await goTo(page, '#scene=dungeon&tool=look');
  const measure = (): Promise<{ meters: number; pixels: number; shown: number }> =>
    page.evaluate(() => {
      const meters = Number.parseFloat(document.querySelector('.scale')!.textContent);
      const { position, target } = globalThis.studio!.state().camera;
      // A horizontal line across the view at its center.
      const ahead = [target[0] - position[0], target[2] - position[2]];
      const size = Math.hypot(...ahead);
      const side = (sign: number): [number, number] =>
        globalThis.studio!.project([
          target[0] - (sign * 0.5 * meters * ahead[1]) / size,
          target[1],
          target[2] + (sign * 0.5 * meters * ahead[0]) / size,
        ])!;
      const [a, b] = [side(1), side(-1)];
      const shown = document.querySelector('.scale-bar')!.getBoundingClientRect().width;
      return { meters, pixels: Math.hypot(a[0] - b[0], a[1] - b[1]), shown };
    });
  const far = await measure();
  expect(Math.abs(far.pixels / far.shown - 1)).toBeLessThan(0.03);
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, -1500);
  await page.waitForFunction(
    (meters) => !document.querySelector('.scale')!.textContent.includes(`${meters} m`),
    far.meters,
  );
  await page.click('[aria-label^="Reset the view"]');
  await page.waitForFunction(
    (meters) => document.querySelector('.scale')!.textContent.includes(`${meters} m`),
    far.meters,
  );
});

it('the polygon under the pointer is marked with its neighbors', async () => {
  await goTo(page, '#scene=courtyard');
  const spot = await page.evaluate(() => {
    const { left, top, width, height } = document.querySelector('.view-canvas')!.getBoundingClientRect();
    for (let y = top + height / 2; y < top + height; y += 9)
      for (let x = left + width / 2; x < left + width; x += 9) {
        const hit = globalThis.studio!.pick(x, y);
        if (hit?.on === 'ground') return { x, y, poly: hit.poly };
      }
    throw new Error('no surface');
  });
  await page.mouse.move(spot.x - 2, spot.y);
  await page.mouse.move(spot.x, spot.y);
  const label = await page.textContent('.hover-label');
  expect(label).toMatch(new RegExp(`^Polygon ${spot.poly} · Ground · .* m² · \\d+ neighbors?$`));
  await idle(page);
  expect(await page.evaluate(() => globalThis.studio!.toolCounts().triangles)).toBeGreaterThan(0);
  await page.mouse.click(spot.x, spot.y);
  expect(await page.evaluate(() => globalThis.studio!.text('tool'))).toContain('Neighbors');
  await page.mouse.move(5, 5);
  await page.waitForSelector('.hover-label', { state: 'hidden' });
});

it('neighbors are mutual, also across tile borders', () => {
  const { create, options } = findLevelScene('courtyard');
  const { navMesh } = buildNavMesh(create(), { ...options, tileSize: 8 });
  for (let poly = 0; poly < navMesh.polyCount; poly++) {
    const { neighbors, corners, area } = polyFacts(navMesh, poly);
    expect(area).toBeGreaterThan(0);
    expect(neighbors.length).toBeGreaterThanOrEqual(corners.length);
    for (const other of neighbors) {
      if (other.poly < 0) continue;
      const back = polyFacts(navMesh, other.poly).neighbors.filter((one) => one.poly === poly);
      const near = Math.min(...back.map((one) => Math.hypot(one.at[0] - other.at[0], one.at[2] - other.at[2])));
      expect(near, `${poly} and ${other.poly}`).toBeLessThan(0.01);
    }
  }
});
