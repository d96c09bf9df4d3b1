/** The query tools in Chromium: the panels and the scene show the results of the library. */
import {
  continuePathSearch,
  createFilter,
  createRandom,
  explainPath,
  findDistanceToWall,
  findIslands,
  findNearest,
  findOptimalPath,
  findPath,
  findPolysInCircle,
  findRandomPointInCircle,
  findReachable,
  findSmoothPath,
  getHeight,
  loadNavMesh,
  moveAlongSurface,
  pathTo,
  raycast,
  saveNavMesh,
  setArea,
  setFlags,
  startPathSearch,
} from 'navkiln';
import * as navkiln from 'navkiln';
import type { NavMesh, PolyRef } from 'navkiln';
import { findLevelScene } from 'navkiln-scenes';
import { buildNavMesh } from 'navkiln/build';
import { recordOptimalSearch } from 'navkiln/debug';
import { refOf } from 'navkiln/kernel';
import { polyIndexOf } from 'navkiln/kernel';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { drop, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

type Point = [number, number, number];

let studio: Studio;
let navMesh: NavMesh;
const dungeon = findLevelScene('dungeon');
const { from, to } = dungeon.path as unknown as { from: Point; to: Point };

beforeAll(async () => {
  studio = await startStudio();
  navMesh = buildNavMesh(dungeon.create(), dungeon.options).navMesh;
});
afterAll(() => studio?.close());
afterEach(() => studio.check());

/** Rows of the card: name -> value. */
const rowsOf = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('.card .row')].map((one) => [
        one.querySelector('.row-name')!.textContent,
        one.querySelector('.row-value')!.textContent,
      ]),
    ),
  );
const counts = (page: Page) => page.evaluate(() => globalThis.studio!.toolCounts());
const lengthOf = (page: Page, way: string): Promise<string> => page.locator(`[data-length=${way}]`).innerText();
/** Returns why there is no path. */
const message = (page: Page): Promise<string> => page.locator('.query-message').innerText();
const pointOf = async (page: Page, id: string): Promise<Point> =>
  (await page.locator(`[data-point=${id}]`).inputValue()).split(', ').map(Number) as Point;
const project = async (page: Page, point: readonly number[]): Promise<[number, number]> =>
  (await page.evaluate((p) => globalThis.studio!.project(p), point as Point))!;
let shared: Page | undefined;
/**
 * Opens most tests in one page without the level, because software rendering and shader compilation are slow.
 */
async function open(tool: string, state: object = {}, scene = 'dungeon'): Promise<Page> {
  const hash = `#scene=${scene}&tool=${tool}&layers=-level,-seams&tool.${tool}=${encodeURIComponent(JSON.stringify(state))}`;
  if (shared === undefined) return (shared = await studio.show(hash));
  const before = await shared.evaluate(() => globalThis.studio!.state().mesh?.id);
  await shared.evaluate((next) => void (location.hash = next), hash);
  await shared.waitForFunction((id) => ![id, undefined].includes(globalThis.studio!.state().mesh?.id), before);
  await idle(shared);
  return shared;
}
const meters = (length: number): string => `${length.toFixed(2)} m`;
const trianglesOf = (mesh: NavMesh, refs: readonly PolyRef[]): number =>
  refs.reduce((sum, ref) => {
    const poly = polyIndexOf(mesh, ref);
    return sum + (mesh.polyDetailTriCount[poly] || mesh.polyVertexCount[poly] - 2);
  }, 0);

/** Runs the code on the card and returns one of its results. */
async function runCode(page: Page, mesh: NavMesh, result: string): Promise<unknown> {
  const code = (await page.locator('[data-part=code]').textContent())!.replace(
    /^import \{ (.*) \} from 'navkiln';/,
    '',
  );
  // eslint-disable-next-line no-new-func
  return new Function(
    'navkiln',
    'navMesh',
    `const { ${Object.keys(navkiln).join(', ')} } = navkiln;\n${code}\nreturn ${result};`,
  )(navkiln, mesh);
}

describe('the path tool', () => {
  it('shows the paths of three methods, equal to those of the library, and their code', async () => {
    const page = await open('path', { smooth: true, step: 0.4 });
    const paths = [
      findPath(navMesh, from, to),
      findSmoothPath(navMesh, from, to, { step: 0.4 }),
      findOptimalPath(navMesh, from, to),
    ];
    expect(await Promise.all(['funnel', 'smooth', 'optimal'].map((way) => lengthOf(page, way)))).toEqual(
      paths.map(({ length }) => meters(length)),
    );
    expect(await rowsOf(page)).toMatchObject({
      Path: 'complete',
      Corners: `${paths[0].points.length}, across ${paths[0].polys.length} polygons`,
      'Funnel is longer by': `${(100 * (paths[0].length / paths[2].length - 1)).toFixed(2)} %`,
    });
    // The wide line with its halo and the line on top; dots of the corners with halos, of the smooth path and
    // of both ends.
    const [funnel, smooth] = paths.map(({ points }) => points.length) as Point;
    // Lines lie on the surface.
    const lineOf = (path: (typeof paths)[number]): number => navkiln.getGroundLine(navMesh, path)!.points.length;
    expect(await counts(page)).toEqual({
      triangles: 0,
      lines: 2 * (lineOf(paths[2]) - 1) + lineOf(paths[0]) - 1,
      points: 2 * (funnel - 2) + smooth + 6,
    });
    expect(await runCode(page, navMesh, '[funnel.length, smooth.length, optimal.length]')).toEqual(
      paths.map(({ length }) => length),
    );
    // Times appear after a rest, one method after the other.
    for (const way of ['funnel', 'smooth', 'optimal']) {
      await page.waitForFunction(
        (id) => /^(< )?[\d.]+ (µs|ms)$/.test(document.querySelector(`[data-time=${id}]`)?.textContent ?? ''),
        way,
      );
    }
    await page.click('[data-method=optimal] input');
    await idle(page);
    expect(await lengthOf(page, 'optimal')).toBe('–');
    expect((await counts(page)).lines).toBe(2 * (lineOf(paths[0]) - 1));
    await page.waitForFunction(() => decodeURIComponent(location.hash).includes('"optimal":false'));
  });

  it('answers within the event that moves an end, and draws in the next frame', async () => {
    const page = await open('path');
    const [x, y] = await project(page, to);
    const [x2, y2] = await project(page, findPath(navMesh, from, to).points[4]);
    await page.evaluate(() => {
      const log: unknown[] = [];
      const stop = new AbortController();
      Object.assign(globalThis, { log, stop });
      addEventListener(
        'pointermove',
        () => {
          const { count } = globalThis.studio!.frames();
          const place = document.querySelector<HTMLInputElement>('[data-point=to]')!.value.split(', ').map(Number);
          const lengths = ['funnel', 'optimal'].map(
            (way) => document.querySelector(`[data-length=${way}]`)!.textContent,
          );
          // Requested after the view's own frame, so that the view has drawn before this runs.
          requestAnimationFrame(() =>
            log.push({
              place,
              lengths,
              frames: globalThis.studio!.frames().count - count,
              lines: globalThis.studio!.toolCounts().lines,
              ms: globalThis.studio!.lastDragMs(),
            }),
          );
        },
        { signal: stop.signal },
      );
    });
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= 6; step++) {
      await page.mouse.move(x + ((x2 - x) * step) / 6, y + ((y2 - y) * step) / 6);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    }
    await page.mouse.up();
    interface Entry {
      place: Point;
      lengths: string[];
      frames: number;
      lines: number;
      ms: number;
    }
    const log = (
      await page.evaluate(() => {
        const { log: entries, stop } = globalThis as unknown as { log: Entry[]; stop: AbortController };
        stop.abort();
        return entries;
      })
    ).slice(1);
    expect(log.length).toBe(6);
    for (const { place, lengths, frames, lines } of log) {
      const [funnel, optimal] = [findPath(navMesh, from, place), findOptimalPath(navMesh, from, place)];
      expect(lengths).toEqual(
        [funnel, optimal].map(({ status, length }) => (status === 'none' ? 'none' : meters(length))),
      );
      expect(frames).toBe(1);
      if (funnel.status === 'complete') expect(lines).toBe(funnel.points.length - 1 + 2 * (optimal.points.length - 1));
    }
    const ms = log.map((entry) => entry.ms).sort((a, b) => a - b);
    console.log(
      `a dragged end, from the event to the scene: median ${ms[3].toFixed(1)} ms, longest ${ms[5].toFixed(1)} ms`,
    );
    if (process.env['NAVKILN_STRICT_TIMES'] !== undefined) expect(ms[3]).toBeLessThan(16.7);
  });
});

describe('a path that is not complete', () => {
  it('explains why there is no path, and shows where', async () => {
    const page = await open('path');
    const { islands } = findIslands(navMesh) as unknown as { islands: { refs: PolyRef[] }[] };
    expect(islands.length).toBeGreaterThan(0);
    // Far off the mesh, to its side and above it.
    const off: Point = [to[0], 30, to[2]];
    await page.fill('[data-point=to]', off.join(', '));
    await page.press('[data-point=to]', 'Enter');
    await idle(page);
    const why = explainPath(navMesh, from, off);
    expect(why.cause).toBe('end-off-mesh');
    expect(await message(page)).toBe(why.message);
    expect((await rowsOf(page))['Path']).toBe('none');
    // The cross at the end and the dashed line to the nearest surface, all with halos.
    expect((await counts(page)).lines).toBe(2 * 2 + 2);
  });

  it.runIf(IS_FULL)('shows the gap between disconnected islands', async () => {
    const scene = findLevelScene('islands');
    const { navMesh: mesh } = buildNavMesh(scene.create(), scene.options);
    const start = findNearest(mesh, scene.path.from).point;
    const random = createRandom(7);
    let end = start;
    for (let i = 0; i < 1000 && findPath(mesh, start, end).status === 'complete'; i++) {
      end = navkiln.findRandomPoint(mesh, random).point.map((value) => Number(value.toFixed(3))) as Point;
    }
    const page = await open('path', { from: start.map((value) => Number(value.toFixed(3))), to: end }, 'islands');
    const why = explainPath(
      mesh,
      start.map((value) => Number(value.toFixed(3))),
      end,
    );
    expect(why.cause).toBe('gap');
    expect(await message(page)).toBe(why.message);
    // After a slow explanation the next one follows with a delay, which counts as work.
    await page.evaluate(() => {
      const now = performance.now.bind(performance);
      let late = 0;
      performance.now = () => now() + (late += 10);
    });
    for (const shift of [0.01, 0]) {
      await page.fill('[data-point=to]', [end[0] + shift, end[1], end[2]].join(', '));
      await page.press('[data-point=to]', 'Enter');
      await idle(page);
      expect(await message(page)).not.toMatch(/^Looking/);
    }
    await page.evaluate(() => void delete (performance as { now?: unknown }).now);
    const [funnel, optimal] = [findPath(mesh, start, end), findOptimalPath(mesh, start, end)];
    // The partial paths, the dashed rest, and the gap with its cross.
    expect((await counts(page)).lines).toBe(funnel.points.length - 1 + 2 * (optimal.points.length - 1) + 1 + 2 + 4);
  });

  it('finds the limit that closes the route', async () => {
    const slabs = [
      [0, 6, 0],
      [6, 12, 0.7],
    ].flatMap(([a, b, y]) => [`v ${a} ${y} 0`, `v ${a} ${y} 6`, `v ${b} ${y} 6`, `v ${b} ${y} 0`]);
    const page = await studio.open();
    await drop(page, [{ name: 'step.obj', bytes: Buffer.from(`${slabs.join('\n')}\nf 1 2 3 4\nf 5 6 7 8\n`) }]);
    await page.keyboard.press('p');
    await idle(page);
    for (const [id, place] of [
      ['from', '2 0 3'],
      ['to', '10 0.7 3'],
    ]) {
      await page.fill(`[data-point=${id}]`, place);
      await page.press(`[data-point=${id}]`, 'Enter');
    }
    await idle(page);
    expect(await message(page)).toMatch(/on islands that nothing connects/);
    const before = (await counts(page)).lines;
    await page.click('.query .button:has-text("Find the limit")');
    await idle(page);
    const answer = await page.locator('.query-limits').innerText();
    expect(answer).toMatch(/^There would be a path with step height 0\.7 instead of 0\.4, past \[6/);
    expect((await counts(page)).lines).toBeGreaterThan(before);
    if (process.env['NAVKILN_SHOT']) await page.screenshot({ path: process.env['NAVKILN_SHOT'] });
    // A path that is complete offers nothing.
    await page.fill('[data-point=to]', '4 0 3');
    await page.press('[data-point=to]', 'Enter');
    await idle(page);
    expect(await page.isVisible('.query .button:has-text("Find the limit")')).toBe(false);
  });

  it.runIf(IS_FULL)('uses the filter (costs, closed areas, flags) and explains what blocks the path', async () => {
    const mesh = loadNavMesh(saveNavMesh(navMesh));
    const { polys } = findPath(mesh, from, to);
    setArea(mesh, polys[20], 5);
    setFlags(mesh, polys[20], 3);
    const page = await studio.open();
    await drop(page, [{ name: 'd.navmesh', bytes: saveNavMesh(mesh) }]);
    await page.keyboard.press('p');
    await idle(page);
    expect(await page.isDisabled('.query .button:has-text("Copy")')).toBe(true);
    for (const [id, place] of [
      ['from', from],
      ['to', to],
    ] as const) {
      await page.fill(`[data-point=${id}]`, place.join(' '));
      await page.press(`[data-point=${id}]`, 'Enter');
    }
    expect(await lengthOf(page, 'funnel')).toBe(meters(findPath(mesh, from, to).length));
    await page.click('[data-part=filter] summary');
    await page.fill('[data-area="5"] .number', '40');
    await page.press('[data-area="5"] .number', 'Enter');
    const costly = createFilter({ areaCosts: { 5: 40 } });
    expect(await lengthOf(page, 'funnel')).toBe(meters(findPath(mesh, from, to, { filter: costly }).length));
    expect(await runCode(page, mesh, 'funnel.length')).toBe(findPath(mesh, from, to, { filter: costly }).length);
    await page.click('[data-area="5"] input[type=checkbox]');
    const passes = (m: NavMesh, poly: number): boolean => m.polyArea[poly] !== 5;
    const closed = createFilter({ areaCosts: { 5: 40 }, passes });
    const around = findPath(mesh, from, to, { filter: closed });
    expect(await lengthOf(page, 'funnel')).toBe(meters(around.length));
    expect(around.polys).not.toContain(polys[20]);
    expect(await runCode(page, mesh, 'funnel.length')).toBe(around.length);
    expect(await page.locator('[data-part=filter] summary .note').innerText()).toBe('without area 5; area 5 × 40');
    // Excluding the flag leaves no walkable polygon.
    await page.selectOption('[aria-label="Flag 0x1"]', 'out');
    const none = createFilter({
      areaCosts: { 5: 40 },
      passes: (m, poly) => passes(m, poly) && (m.polyFlags[poly] & 1) === 0,
    });
    await idle(page);
    expect(await message(page)).toBe(explainPath(mesh, from, to, { filter: none }).message);
    // Other tools use the same filter.
    await page.focus('.view-canvas');
    await page.keyboard.press('r');
    await idle(page);
    expect((await rowsOf(page))['Result']).toBe('the start is off the mesh');
    await page.context().close();
  });
});

describe('the search, node by node', () => {
  it('steps, plays and stops, and draws the polygons found so far', async () => {
    const page = await open('path');
    const search = startPathSearch(navMesh, from, to);
    let steps = 0;
    while (continuePathSearch(search, 1) === 'searching') steps++;
    steps++;
    await page.click('[data-part=search] summary');
    // Its code is loaded when it opens.
    await page.waitForFunction(() => document.querySelector('.query-replay')?.textContent?.includes('Expanded'));
    await idle(page);
    expect((await rowsOf(page))['Expanded']).toBe(`${steps} of ${steps} nodes`);
    const lines = (await counts(page)).lines;
    await page.locator('[aria-label="Step of the search"]').fill('40');
    await idle(page);
    const half = startPathSearch(navMesh, from, to);
    continuePathSearch(half, 40);
    const rows = await rowsOf(page);
    expect([rows['Expanded'], rows['Closed']]).toEqual([`40 of ${steps} nodes`, '40']);
    expect(rows['Open']).toBe(String(half.state.heapSize + 1));
    const { state } = half;
    const found = Array.from({ length: navMesh.polyCount }, (_, poly) => poly).filter(
      (poly) => state.nodeStamp[poly] === state.stamp,
    );
    const refs = found.map((poly) => refOf(navMesh, poly));
    expect((await counts(page)).triangles).toBe(trianglesOf(navMesh, refs));
    expect((await counts(page)).lines).not.toBe(lines);
    await page.click('[aria-label^="Next node"]');
    expect((await rowsOf(page))['Closed']).toBe('41');
    await page.click('[aria-label^="To the start"]');
    expect(await rowsOf(page)).toMatchObject({ Closed: '0', Open: '1' });
    await page.selectOption('[aria-label=Speed]', '250');
    // The view receives keys when it has the focus.
    await page.focus('.view-canvas');
    await page.keyboard.press(' ');
    await page.waitForFunction(() => {
      const texts = [...document.querySelectorAll('.card .row-value')].map((one) => one.textContent);
      return /^([5-9]|\d\d+) of/.test(texts.find((text) => text!.includes(' of ')) ?? '');
    });
    await page.keyboard.press(' ');
    const paused = (await rowsOf(page))['Expanded'];
    await idle(page);
    expect((await rowsOf(page))['Expanded']).toBe(paused);
    await page.selectOption('[aria-label=Speed]', '1000');
    await page.click('[aria-label="Play (Space)"]');
    await page.waitForFunction(
      (last) => document.querySelector('.query-replay')!.textContent!.includes(`Expanded${last} of ${last}`),
      steps,
    );
    // The other search, with the steps of the library's record.
    await page.selectOption('[aria-label="Search to show"]', 'Shortest path');
    await idle(page);
    const { order, nodes } = recordOptimalSearch(navMesh, from, to)!;
    expect((await rowsOf(page))['Expanded']).toBe(`${order.length} of ${order.length} nodes`);
    await page.locator('[aria-label="Step of the search"]').fill('5');
    const next = nodes[order[5]];
    expect(await rowsOf(page)).toMatchObject({
      Expanded: `5 of ${order.length} nodes`,
      Next: `into polygon ${next.poly}, at least ${next.estimate.toFixed(2)} m`,
    });
    await page.selectOption('[aria-label="Search to show"]', 'A* over polygons');
    // The replay follows an end that moves.
    await page.fill('[data-point=to]', from.join(', '));
    await page.press('[data-point=to]', 'Enter');
    expect(Number.parseInt((await rowsOf(page))['Expanded'], 10)).toBeLessThan(3);
  });
});

describe('other query tools', () => {
  it.runIf(IS_FULL)('nearest, raycast, slide, wall and height show the results of the library', async () => {
    const at: Point = [20, -0.3, 6];
    const page = await open('nearest', { at, above: 1 });
    const nearest = findNearest(navMesh, [at[0], at[1] + 1, at[2]]);
    expect(await rowsOf(page)).toMatchObject({
      Nearest: nearest.point.map((value) => value.toFixed(2)).join(', '),
      Distance: `${nearest.distance.toFixed(3)} m`,
    });
    expect((await counts(page)).triangles).toBe(trianglesOf(navMesh, [nearest.ref]));
    expect(await runCode(page, navMesh, 'nearest')).toEqual(nearest);
    const next = async (key: string, ids: Record<string, Point>): Promise<void> => {
      await page.focus('.view-canvas');
      await page.keyboard.press(key);
      await idle(page);
      for (const [id, place] of Object.entries(ids)) {
        await page.fill(`[data-point=${id}]`, place.join(', '));
        await page.press(`[data-point=${id}]`, 'Enter');
      }
      await idle(page);
    };
    await next('r', { from: at, to });
    const hit = raycast(navMesh, at, to, { withCost: true, withPolys: true });
    expect(hit.status).toBe('wall');
    expect(await rowsOf(page)).toMatchObject({
      Result: 'stopped by a wall',
      Cost: hit.cost.toFixed(2),
      'End point': hit.point.map((value) => value.toFixed(2)).join(', '),
      Normal: hit.normal.map((value) => value.toFixed(2)).join(', '),
    });
    expect((await counts(page)).triangles).toBe(trianglesOf(navMesh, hit.polys));
    expect(await runCode(page, navMesh, 'hit')).toEqual(hit);

    await next('s', { from: at, to });
    const slide = moveAlongSurface(navMesh, at, to);
    expect(await rowsOf(page)).toMatchObject({
      Result: slide.status === 'reached' ? 'reached' : 'blocked by walls',
      'End point': slide.point.map((value) => value.toFixed(2)).join(', '),
    });
    expect(await runCode(page, navMesh, 'slide')).toEqual(slide);

    await next('w', { at });
    const wall = findDistanceToWall(navMesh, at, 20);
    expect((await rowsOf(page))['Distance']).toBe(`${wall.distance.toFixed(3)} m`);
    expect((await counts(page)).lines).toBeGreaterThan(2 * 64);
    expect(await runCode(page, navMesh, 'wall')).toEqual(wall);

    await next('h', { at });
    const ground = findNearest(navMesh, at);
    expect((await rowsOf(page))['Height']).toBe(`${getHeight(navMesh, ground.ref, at[0], at[2])!.toFixed(3)} m`);
    expect(await runCode(page, navMesh, 'height')).toBe(getHeight(navMesh, ground.ref, at[0], at[2]));
  });

  it('reach colors polygons by cost with a legend, in all modes, and shows the path to one', async () => {
    const page = await open('reach', { at: from, size: 30 });
    const reached = findReachable(navMesh, from, { maxDistance: 30 });
    const most = reached.costs[reached.costs.length - 1];
    expect(await rowsOf(page)).toMatchObject({
      Reached: `${reached.polys.length} of ${navMesh.polyCount} polygons`,
      Farthest: meters(most),
    });
    expect((await counts(page)).triangles).toBe(trianglesOf(navMesh, reached.polys));
    expect(await page.locator('[data-part=legend] .query-ends span').allInnerTexts()).toEqual(
      [0, 0.25, 0.5, 0.75, 1].map((part) => (part * most).toFixed(0)),
    );
    const target = findNearest(navMesh, reached.points.slice(-3) as never);
    const place = target.point.map((value) => Number(value.toFixed(3))) as Point;
    await page.fill('[data-point=to]', place.join(', '));
    await page.press('[data-point=to]', 'Enter');
    const way = pathTo(navMesh, reached, findNearest(navMesh, place).ref, place);
    expect((await rowsOf(page))['Path']).toBe(`cost ${way.cost.toFixed(2)} to its polygon`);
    expect(((await runCode(page, navMesh, 'path')) as typeof way).cost).toBe(way.cost);
    await page.selectOption('[aria-label=Reach]', 'circle');
    await idle(page);
    const circle = findPolysInCircle(navMesh, from, 30);
    expect((await rowsOf(page))['Reached']).toBe(`${circle.polys.length} of ${navMesh.polyCount} polygons`);
    expect((await counts(page)).triangles).toBe(trianglesOf(navMesh, circle.polys));
    for (const how of ['all', 'cost', 'square', 'near']) {
      await page.selectOption('[aria-label=Reach]', how);
      const list = ((await runCode(page, navMesh, 'reached')) as typeof reached).polys;
      expect((await rowsOf(page))['Reached']).toBe(`${list.length} of ${navMesh.polyCount} polygons`);
    }
  });

  it('random shows the points of its seed', async () => {
    const page = await open('random', { at: from, size: 12, count: 300, seed: 5 });
    const random = createRandom(5);
    const first = findRandomPointInCircle(navMesh, random, from, 12).point;
    expect(await rowsOf(page)).toMatchObject({
      Found: '300',
      First: first.map((value) => value.toFixed(2)).join(', '),
    });
    // The random points with halos, and the marker of the query point: halo and disc.
    expect((await counts(page)).points).toBe(2 * 300 + 2);
    const points = (await runCode(page, navMesh, 'points')) as Point[];
    expect([points.length, points[0]]).toEqual([300, first]);
    await page.click('.query .button:has-text("Next seed")');
    expect((await rowsOf(page))['First']).not.toBe(first.map((value) => value.toFixed(2)).join(', '));
  });
});

describe('points', () => {
  it('move by keys and snap to corners and grids', async () => {
    const page = await open('path');
    await page.focus('.view-canvas');
    const before = await pointOf(page, 'to');
    await page.keyboard.press('ArrowRight');
    const right = await pointOf(page, 'to');
    expect(Math.hypot(right[0] - before[0], right[2] - before[2])).toBeCloseTo(0.1, 6);
    const [sx, sy] = await project(page, before);
    const [rx, ry] = await project(page, right);
    expect(rx).toBeGreaterThan(sx);
    await page.keyboard.press('Shift+ArrowUp');
    const up = await pointOf(page, 'to');
    expect(Math.hypot(up[0] - right[0], up[2] - right[2])).toBeCloseTo(1, 6);
    expect((await project(page, up))[1]).toBeLessThan(ry);
    expect(await lengthOf(page, 'funnel')).toBe(meters(findPath(navMesh, from, up).length));
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowLeft');
    expect(await pointOf(page, 'from')).not.toEqual(from);
    expect(await pointOf(page, 'to')).toEqual(up);
    // A drag with Ctrl snaps to a near vertex of the polygon under the pointer.
    const corner = 3 * navMesh.edgeVertex[navMesh.polyEdgeStart[polyIndexOf(navMesh, findNearest(navMesh, to).ref)]];
    const vertex = [0, 1, 2].map((axis) => navMesh.vertices[corner + axis]) as Point;
    const [x, y] = await project(page, up);
    const [cx, cy] = await project(page, vertex);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.keyboard.down('Control');
    await page.mouse.move(cx + (sx - cx) * 0.2, cy + (sy - cy) * 0.2, { steps: 3 });
    const near = await pointOf(page, 'to');
    const isCorner = Array.from({ length: navMesh.vertices.length / 3 }, (_, i) => i).some((i) =>
      [0, 1, 2].every((axis) => Math.abs(navMesh.vertices[3 * i + axis] - near[axis as 0]) < 0.001),
    );
    expect(isCorner).toBe(true);
    await page.keyboard.up('Control');
    await page.mouse.up();
    await page.click('summary:has-text("Moving points")');
    await page.selectOption('[aria-label="Snap to"]', '0.5');
    const [gx, gy] = await project(page, findPath(navMesh, from, to).points[2] as Point);
    await page.mouse.click(gx, gy);
    expect(await pointOf(page, 'to')).not.toEqual(near);
    const grid = await pointOf(page, 'to');
    expect([grid[0] % 0.5, grid[2] % 0.5]).toEqual([0, 0]);
  });

  it.runIf(IS_FULL)('move by touch', async () => {
    const page = await studio.open('#scene=dungeon&tool=wall&layers=-level', {
      hasTouch: true,
      viewport: { width: 820, height: 1000 },
    });
    const [x, y] = await project(page, from);
    const client = await page.context().newCDPSession(page);
    const touch = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      points: { x: number; y: number }[],
    ): Promise<unknown> => client.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await touch('touchStart', [{ x: x + 15, y: y + 8 }]);
    for (let step = 1; step <= 4; step++) await touch('touchMove', [{ x: x + 6 * step, y: y + 5 * step }]);
    await touch('touchEnd', []);
    await idle(page);
    const place = await pointOf(page, 'at');
    expect(Math.hypot(place[0] - from[0], place[2] - from[2])).toBeGreaterThan(0.2);
    const wall = findDistanceToWall(navMesh, place, 20);
    const rows = await rowsOf(page);
    expect(rows['Distance'] ?? rows['Wall']).toBe(
      wall.status === 'found' ? `${wall.distance.toFixed(3)} m` : 'the point is off the mesh',
    );
    await page.context().close();
  });
});
