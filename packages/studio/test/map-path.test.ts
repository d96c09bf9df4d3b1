/** The path tool on 2D maps: points of the map, the answers of findPath2d, and the passages that the radius closes. */
import { findSmoothPath } from 'navkiln';
import * as navkiln from 'navkiln';
import * as polygon from 'navkiln/polygon';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readPoint, writePoint } from '../src/tools/query/points.ts';
import { drop, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

const { buildFromPolygons, findClosedPassages, findPath2d, mapToMesh } = polygon;

/** Two rooms, a passage of width 1 between them, and a pillar in the first. */
const room = (x0: number, y0: number, x1: number, y1: number): { outline: [number, number][] } => ({
  outline: [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ],
});
const MAP = {
  polygons: [room(0, 0, 10, 10), room(9, 4.5, 13, 5.5), room(12, 0, 22, 10)],
  obstacles: [room(4, 2, 6, 8).outline],
};

let studio: Studio;
beforeAll(async () => {
  studio = await startStudio();
});
afterAll(() => studio?.close());
afterEach(() => studio.check());

const rowsOf = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('.card .row')].map((one) => [
        one.querySelector('.row-name')!.textContent,
        one.querySelector('.row-value')!.textContent,
      ]),
    ),
  );
const lengthOf = (page: Page, way: string): Promise<string> => page.locator(`[data-length=${way}]`).innerText();
const type = async (page: Page, id: string, text: string): Promise<void> => {
  await page.fill(`[data-point=${id}]`, text);
  await page.press(`[data-point=${id}]`, 'Enter');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await idle(page);
};

it.each(process.env['NAVKILN_FULL'] === undefined ? (['down'] as const) : (['up', 'down'] as const))(
  'points and code are those of the map, y %s',
  async (yAxis) => {
    // The tool has shown a level before, which has fewer methods.
    const page = await studio.show('#scene=courtyard&tool=path');
    await drop(page, [{ name: 'rooms.json', bytes: new TextEncoder().encode(JSON.stringify({ ...MAP, yAxis })) }]);
    await page.keyboard.press('p');
    await idle(page);
    for (const id of ['smooth', 'midpoints', 'centers']) await page.check(`[data-method=${id}] input`);
    await type(page, 'from', '1, 2');
    await type(page, 'to', '21, 8');
    expect(await page.inputValue('[data-point=from]')).toBe('1, 2');
    expect(await page.getAttribute('[data-point=to]', 'aria-label')).toBe('End: x, y');
    const { navMesh } = buildFromPolygons({ ...MAP, yAxis });
    const ends = [
      [1, 2],
      [21, 8],
    ] as const;
    const [optimal, funnel] = (['optimal', 'funnel'] as const).map((mode) => findPath2d(navMesh, ...ends, { mode }));
    expect(optimal.status).toBe('complete');
    expect(await lengthOf(page, 'optimal')).toBe(`${optimal.length.toFixed(2)} m`);
    expect(await lengthOf(page, 'funnel')).toBe(`${funnel.length.toFixed(2)} m`);
    // The code gives the same paths.
    const code = (await page.locator('[data-part=code]').textContent())!;
    expect(code).toContain("from 'navkiln/polygon'");
    expect(code).toContain('findPath2d(navMesh, [1, 2], [21, 8])');
    const found = new Function(
      'library',
      'navMesh',
      `const { ${Object.keys({ ...navkiln, ...polygon }).join(', ')} } = library;
    ${code.replaceAll(/^import .*$/gm, '')}
    return [optimal.points, funnel.points, smooth.points, midpoints, centers];`,
    )({ ...navkiln, ...polygon }, navMesh) as unknown;
    const places = ends.map((end) => mapToMesh(navMesh, end));
    const smooth = findSmoothPath(navMesh, places[0], places[1], { halfExtents: Infinity, step: 0.5 });
    const corridor = findPath2d(navMesh, ...ends, { mode: navkiln.findMidpointPath });
    const lines = (['midpoints', 'centers'] as const).map((kind) => navkiln.getCorridorLine(navMesh, corridor, kind)!);
    expect(found).toEqual([optimal.points, funnel.points, smooth.points, ...lines]);
    for (const [i, id] of ['midpoints', 'centers'].entries()) {
      const length = lines[i]
        .slice(1)
        .reduce((sum, [x, y], k) => sum + Math.hypot(x - lines[i][k][0], y - lines[i][k][1]), 0);
      expect(await lengthOf(page, id)).toBe(`${length.toFixed(2)} m`);
      expect(length).toBeGreaterThan(optimal.length);
    }
    // An end in the pillar is moved to the nearest walkable point, as by findPath2d.
    await type(page, 'from', '4.5 5');
    const moved = findPath2d(navMesh, [4.5, 5], ends[1]);
    expect(moved.startDistance).toBeCloseTo(0.5, 2);
    expect(await rowsOf(page)).toMatchObject({ Path: 'complete', 'Start was moved by': '0.50 m' });
    expect(await lengthOf(page, 'optimal')).toBe(`${moved.length.toFixed(2)} m`);
  },
);

it.runIf(IS_FULL)('names and draws the passages that the radius closes', async () => {
  const page = await studio.open();
  await drop(page, [{ name: 'rooms.json', bytes: new TextEncoder().encode(JSON.stringify(MAP)) }]);
  await page.keyboard.press('p');
  await type(page, 'from', '1, 2');
  await type(page, 'to', '21, 8');
  expect((await rowsOf(page))['Path']).toBe('complete');
  const input = page.locator('[data-setting="agent.radius"] input').last();
  await input.fill('0.6');
  await input.press('Enter');
  await idle(page);
  const { navMesh, report } = buildFromPolygons(MAP, { radius: 0.6, findClosedPassages });
  const closed = report.warnings.find(({ code }) => code === 'closed-by-radius')!;
  expect(closed.passages).toHaveLength(1);
  expect(findPath2d(navMesh, [1, 2], [21, 8]).status).toBe('partial');
  expect((await rowsOf(page))['Path']).toBe('partial');
  const message = await page.locator('.query-message').innerText();
  expect(message).toContain('The radius of 0.6 closes 1 passage between parts of the map; the widest, at [');
  const before = (await page.evaluate(() => globalThis.studio!.toolCounts())).lines;
  await input.fill('0.3');
  await input.press('Enter');
  await idle(page);
  expect(await page.locator('.query-message').innerText()).toBe('');
  expect((await page.evaluate(() => globalThis.studio!.toolCounts())).lines).not.toBe(before);
  await page.context().close();
});

describe('points as text', () => {
  const { navMesh } = buildFromPolygons(MAP);
  const down = buildFromPolygons({ ...MAP, yAxis: 'down' }).navMesh;

  it('are [x, y] on maps and [x, y, z] on levels', () => {
    expect(writePoint([1, 0, -2])).toBe('1, 0, -2');
    expect(writePoint([1, 0, -2], navMesh)).toBe('1, 2');
    expect(writePoint([1, 0, 2], down)).toBe('1, 2');
    expect(writePoint(undefined, down)).toBe('');
    expect(readPoint('1, 2', navMesh)).toEqual([1, 0, -2]);
    expect(readPoint('[1 2]', down)).toEqual([1, 0, 2]);
    expect(readPoint('1, 2')).toBeUndefined();
    expect(readPoint('1, Infinity', navMesh)).toBeUndefined();
    expect(readPoint('', navMesh)).toBeUndefined();
    expect(readPoint('1, 0, -2', navMesh)).toEqual([1, 0, -2]);
  });
});
