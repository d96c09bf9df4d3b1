/**
 * The view of a level: rooms below ceilings, surface that x-ray reveals, and the message for a link with an unknown
 * tool.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drop, goTo, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio({ draws: true });
  page = await studio.open();
});
afterAll(() => studio?.close());

/** A closed box as OBJ, whose faces point inwards (a room) or outwards (a block). */
function box(faces: 'in' | 'out', low: number, high: number, bottom: number, top: number, first = 1): string {
  const corners = Array.from({ length: 8 }, (_, i) => [i & 1 ? high : low, i & 2 ? top : bottom, i & 4 ? high : low]);
  const quads = ['1 2 6 5', '3 7 8 4', '1 3 4 2', '5 6 8 7', '1 5 7 3', '2 4 8 6'].map((quad) => {
    const numbers = quad.split(' ').map((corner) => Number(corner) + first - 1);
    return (faces === 'out' ? numbers : numbers.reverse()).join(' ');
  });
  return [...corners.map((corner) => `v ${corner.join(' ')}`), ...quads.map((quad) => `f ${quad}`), ''].join('\n');
}

/** Returns red, green and blue at a position in the world, as drawn. */
async function colorAt(point: [number, number, number]): Promise<number[]> {
  const [x, y] = (await page.evaluate((p) => globalThis.studio!.project(p), point))!;
  const picture = await page.screenshot({ clip: { x, y, width: 2, height: 2 }, type: 'png' });
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(1, 1).getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
  }, picture.toString('base64'));
}

const isBlue = ([red, , blue]: number[]): boolean => blue > red + 40;
const open = (text: string): Promise<void> => drop(page, [{ name: 'box.obj', bytes: new TextEncoder().encode(text) }]);

it('shows the mesh of a closed room below its ceiling, and picks it', async () => {
  await open(box('in', 0, 20, 0, 4));
  expect(isBlue(await colorAt([11.3, 0.1, 10.2]))).toBe(true);
  const hit = await page.evaluate(() => {
    const [x, y] = globalThis.studio!.project([11.3, 0.1, 10.2])!;
    return globalThis.studio!.pick(x, y);
  });
  expect(hit).toMatchObject({ on: 'ground' });
  expect(hit!.point[1]).toBeLessThan(0.5);
  studio.check();
});

it('x-ray shows what a block hides', async () => {
  // A floor below a block that hangs above it.
  await open(`${box('out', 0, 20, -1, 0)}${box('out', 6, 14, 5, 8, 9)}`);
  const below: [number, number, number] = [11.1, 0.1, 7.3];
  const [hidden, opaque] = [await colorAt(below), await colorAt([9.9, 8.1, 10.2])];
  await page.click('#tab-layers');
  await page.locator('[data-layer=x-ray] input').check();
  await page.locator('[data-layer=ground] input').uncheck();
  await idle(page);
  expect(await colorAt([9.9, 8.1, 10.2])).not.toEqual(opaque);
  await page.locator('[data-layer=x-ray] input').uncheck();
  await page.locator('[data-layer=ground] input').check();
  await idle(page);
  expect(await colorAt(below)).toEqual(hidden);
  studio.check();
});

it('reports a tool that does not exist', async () => {
  await goTo(page, '#scene=one-cell&tool=paths');
  const texts = await page.evaluate(() => globalThis.studio!.messages().map(({ text }) => text));
  expect(texts.join()).toMatch(/There is no tool "paths".*the tools are look, path,/);
  studio.check();
});
