/** The map editor: drawn with mouse, keyboard and finger, edited, undone, saved in three formats, walked on and linked. */
import { buildFromPolygons, findPath2d, parseGeoJson, parsePolygonMap } from 'navkiln/polygon';
import type { PolygonMap } from 'navkiln/polygon';
import { validateNavMesh } from 'navkiln/debug';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mapGeoJson, mapJson, mapSvg } from '../src/files/map-text.ts';
import {
  ringAt,
  ringsOf,
  withCorner,
  withCornerAfter,
  withNewRing,
  withRing,
  withoutCorner,
  withoutRing,
} from '../src/state/map-shapes.ts';
import type { Point2 } from '../src/state/map-point.ts';
import { drop, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

let studio: Studio;
beforeAll(async () => (studio = await startStudio({ draws: true })));
afterAll(() => studio?.close());
afterEach(() => studio.check());

interface Drawn {
  map: PolygonMap;
  mode: string;
  draft: Point2[];
  selected?: { corner: number };
  text: string;
  grid: number;
}
const drawn = (page: Page): Promise<Drawn> => page.evaluate(() => globalThis.studio!.tool() as Drawn);
const clickAt = async (page: Page, [x, y]: Point2): Promise<void> => {
  const [px, py] = (await page.evaluate(([a, b]) => globalThis.studio!.project([a, 0, -b]), [x, y] as const))!;
  await page.mouse.click(px, py);
};
const dragTo = async (page: Page, from: Point2, to: Point2, isHeld = false): Promise<void> => {
  const at = (point: Point2): Promise<[number, number]> =>
    page.evaluate(([a, b]) => globalThis.studio!.project([a, 0, -b])!, [...point] as const);
  await page.mouse.move(...(await at(from)));
  await page.mouse.down();
  await page.mouse.move(...(await at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2])));
  await page.mouse.move(...(await at(to)));
  if (!isHeld) await page.mouse.up();
};
const polygonsOf = (page: Page): Promise<number> =>
  page.evaluate(() => globalThis.studio!.state().mesh?.navMesh.polyCount ?? 0);
const saved = async (page: Page, title: string): Promise<{ name: string; text: string }> => {
  await page.click('[data-menu=save]');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: title }).first().click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString() };
};

const OUTLINE: Point2[] = [
  [-8, -6],
  [8, -6],
  [8, 6],
  [-8, 6],
];
const OBSTACLE: Point2[] = [
  [-1, -4],
  [1, -4],
  [1, 4],
  [-1, 4],
];

describe('a map drawn from nothing', () => {
  it('with the mouse: drawn, baked, edited live, undone, walked, saved and linked', async () => {
    const page = await studio.open();
    await page.click('[data-action=new-map]');
    await idle(page);
    expect((await drawn(page)).mode).toBe('outline');
    for (const point of [...OUTLINE, OUTLINE[0]]) await clickAt(page, point);
    await idle(page);
    expect((await drawn(page)).map.polygons).toEqual([{ outline: OUTLINE }]);
    expect(await polygonsOf(page)).toBe(1);
    await page.click('[data-mode=obstacle]');
    for (const point of OBSTACLE) await clickAt(page, point);
    await page.getByRole('button', { name: 'Close shape' }).click();
    await idle(page);
    const two = (await drawn(page)).map;
    expect(two.obstacles).toEqual([OBSTACLE]);
    const { navMesh } = buildFromPolygons(two);
    expect(validateNavMesh(navMesh)).toEqual([]);
    expect(await polygonsOf(page)).toBe(navMesh.polyCount);

    // The stage follows the corner before it is released; the mesh follows after.
    await page.selectOption('select[aria-label="Stage to draw"]', 'merges');
    const before = await page.evaluate(() => globalThis.studio!.toolCounts());
    await dragTo(page, [1, 4], [3, 5], true);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect((await drawn(page)).map.obstacles![0]).toContainEqual([3, 5]);
    expect((await drawn(page)).text).toMatch(/convex pieces remain/);
    expect(await page.evaluate(() => globalThis.studio!.toolCounts())).not.toEqual(before);
    expect(await page.evaluate(() => globalThis.studio!.state().edits.map?.obstacles?.[0])).toEqual(OBSTACLE);
    await page.mouse.up();
    await idle(page);
    // A corner is inserted at the middle of an edge, and deleted.
    await dragTo(page, [2, 0.5], [4, 0]);
    await idle(page);
    const [obstacle] = (await drawn(page)).map.obstacles!;
    expect(obstacle).toEqual([OBSTACLE[0], OBSTACLE[1], [4, 0], [3, 5], OBSTACLE[3]]);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await idle(page);
    expect((await drawn(page)).map.obstacles).toEqual([OBSTACLE]);
    await page.selectOption('select[aria-label="Stage to draw"]', '');

    // Other content asks before the map is lost.
    await page.click('[data-menu=scenes]');
    await page.getByRole('menuitem', { name: 'New map' }).click();
    await page.getByRole('button', { name: 'Stay' }).click();
    expect((await drawn(page)).map.obstacles).toEqual([OBSTACLE]);

    const json = await saved(page, 'Map');
    expect(json.name).toBe('map.json');
    expect(parsePolygonMap(json.text)).toMatchObject({ polygons: [{ outline: OUTLINE }], obstacles: [OBSTACLE] });

    // The player takes the shortest path.
    await page.keyboard.press('z');
    await idle(page);
    await page.fill('[aria-label=speed]', '200');
    await page.press('[aria-label=speed]', 'Enter');
    await clickAt(page, [-6, 0]);
    await page.waitForFunction(() => (globalThis.studio!.tool() as { isDone: boolean }).isDone);
    await clickAt(page, [6, 0]);
    const walk = await page.evaluate(() => globalThis.studio!.tool() as { points: Point2[]; position: Point2 });
    const path = findPath2d(navMesh, walk.points[0], walk.points.at(-1)!);
    expect(walk.points.length).toBe(path.points.length);
    await page.waitForFunction(() => (globalThis.studio!.tool() as { status: string }).status === 'arrived');

    // The link opens the map elsewhere.
    await page.waitForFunction(() => location.hash.includes('edits='));
    const hash = await page.evaluate(() => location.hash);
    const other = await studio.show(hash);
    expect(await other.evaluate(() => globalThis.studio!.state().edits.map?.polygons)).toEqual([
      { outline: OUTLINE, holes: [] },
    ]);
    await idle(other);
    expect(await polygonsOf(other)).toBe(navMesh.polyCount);
    await page.context().close();
  });

  it('with the keyboard only: drawn, a corner moved and deleted', async () => {
    const page = await studio.show('#new=map&tool=draw');
    await page.focus('.view-canvas');
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    // The first arrow key shows the cursor in the middle.
    await press(
      'ArrowRight',
      'Enter',
      'Shift+ArrowRight',
      'Enter',
      'Shift+ArrowUp',
      'Enter',
      'Shift+ArrowLeft',
      'Enter',
    );
    const { draft, grid } = await drawn(page);
    expect(draft).toEqual([
      [0, 0],
      [10 * grid, 0],
      [10 * grid, 10 * grid],
      [0, 10 * grid],
    ]);
    await press('Shift+ArrowDown', 'Enter');
    await idle(page);
    expect((await drawn(page)).map.polygons[0].outline).toEqual(draft);
    await press(']', ']', 'ArrowRight', 'Insert');
    await idle(page);
    const { map } = await drawn(page);
    expect(map.polygons[0].outline).toHaveLength(5);
    expect(map.polygons[0].outline[1]).toEqual([11 * grid, 0]);
    await press('Delete');
    await idle(page);
    expect((await drawn(page)).map.polygons[0].outline).toHaveLength(4);
    expect(await polygonsOf(page)).toBe(1);
  });
});

it.runIf(IS_FULL)('SVG of others opens as a map; what is saved opens as the same map', async () => {
  const page = await studio.open();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60"><defs><rect width="9" height="9"/></defs>
    <g transform="translate(10 5)"><path fill-rule="evenodd" d="M0 0h80v50h-80z M10 10h10v10h-10z"/>
    <g class="obstacles"><circle cx="50" cy="25" r="8"/><rect x="60" y="5" width="6" height="6"/></g></g>
    <line x1="0" y1="0" x2="9" y2="9"/></svg>`;
  await drop(page, [{ name: 'floor.svg', bytes: new TextEncoder().encode(svg) }]);
  const map = await page.evaluate(() => globalThis.studio!.state().map!.map);
  expect(map.yAxis).toBe('down');
  expect(map.polygons).toHaveLength(1);
  expect(map.polygons[0].outline).toEqual([
    [10, 5],
    [90, 5],
    [90, 55],
    [10, 55],
  ]);
  expect(map.polygons[0].holes).toEqual([
    expect.arrayContaining([
      [20, 15],
      [30, 15],
      [30, 25],
      [20, 25],
    ]),
  ]);
  expect(map.obstacles).toHaveLength(2);
  for (const [x, y] of map.obstacles![0] as Point2[]) expect(Math.hypot(x - 60, y - 30)).toBeCloseTo(8, 1);
  expect(await polygonsOf(page)).toBeGreaterThan(3);
  // Edit tools for triangles are not there, and their keys do nothing.
  expect(await page.isVisible('[data-tool=parts]')).toBe(false);
  await page.keyboard.press('m');
  expect(await page.evaluate(() => globalThis.studio!.state().tool)).not.toBe('parts');

  await page.keyboard.press('j');
  await idle(page);
  const again = await saved(page, 'Map as SVG');
  expect(again.name).toBe('floor.svg');
  await drop(page, [{ name: again.name, bytes: new TextEncoder().encode(again.text) }]);
  const { yAxis, polygons, obstacles } = await page.evaluate(() => globalThis.studio!.state().map!.map);
  expect({ yAxis, polygons, obstacles }).toEqual({
    yAxis: map.yAxis,
    polygons: map.polygons,
    obstacles: map.obstacles,
  });
  // A picture that is not SVG, and one without shapes, are refused by name.
  for (const text of ['<svg><g></svg>', '<svg xmlns="http://www.w3.org/2000/svg"><line x1="1"/></svg>']) {
    await drop(page, [{ name: 'bad.svg', bytes: new TextEncoder().encode(text) }]);
    expect(await page.evaluate(() => globalThis.studio!.messages().at(-1)!.text)).toMatch(/bad\.svg: (is not|has no)/);
  }
  await page.context().close();
});

describe('maps as text and as shapes', () => {
  const map: PolygonMap = {
    polygons: [
      {
        outline: OUTLINE,
        holes: [
          [
            [2, 2],
            [2, 3],
            [3, 3],
          ],
        ],
      },
    ],
    obstacles: [OBSTACLE],
    areas: [
      {
        name: 'mud [1, 2]',
        cost: 3,
        outline: [
          [-7, -5],
          [-5, -5],
          [-5, 5],
        ],
      },
    ],
    layers: [
      {
        name: 'door "a" & <b>',
        enabled: false,
        obstacles: [
          [
            [4, -6],
            [5, -6],
            [5, 6],
          ],
        ],
      },
    ],
  };

  it('JSON and GeoJSON read back as the same map', () => {
    const { warnings: _json, ...fromJson } = parsePolygonMap(mapJson(map));
    expect(fromJson).toMatchObject({
      ...map,
      areas: [{ ...map.areas![0] }],
      layers: [{ name: 'door "a" & <b>', enabled: false, obstacles: map.layers![0].obstacles }],
    });
    expect(mapJson(map).split('\n').length).toBeLessThan(60);
    const marked = { ...map, precision: 0.01, links: [{ start: [0, 1] as const, end: [2, 1] as const }] };
    expect(parsePolygonMap(mapJson(marked as never))).toMatchObject({ precision: 0.01, links: marked.links });
    const read = parseGeoJson(mapGeoJson(map));
    const area = (one: PolygonMap): number => buildFromPolygons(one, { radius: 0.1 }).report.counts.polygons;
    expect(read.projection).toBeUndefined();
    expect(read.obstacles).toEqual([OBSTACLE]);
    expect(read.areas).toMatchObject([{ name: 'mud [1, 2]', cost: 3 }]);
    expect(read.layers).toMatchObject([{ name: 'door "a" & <b>', enabled: false }]);
    expect(area(read)).toBe(area(map));
    // A map of longitudes and latitudes is written as such.
    const degrees = mapGeoJson(map).replace('"projection":"none",', '');
    const twice = JSON.parse(mapGeoJson(parseGeoJson(degrees))) as {
      features: { geometry: { coordinates: number[][][] } }[];
    };
    const first = JSON.parse(degrees) as typeof twice;
    twice.features.forEach(({ geometry }, i) =>
      geometry.coordinates.flat(2).forEach((value, k) => {
        expect(value).toBeCloseTo(first.features[i].geometry.coordinates.flat(2)[k], 9);
      }),
    );
    expect(mapSvg(map, 'up')).toContain('data-layer="door &quot;a&quot; &amp; &lt;b>" display="none"');
  });

  it('every ring can be changed and removed; the given map stays', () => {
    const copy = structuredClone(map);
    for (const { at, points } of ringsOf(map)) {
      const changed = withRing(map, at, withCorner(points, 0, [100, 100]));
      expect(
        ringsOf(changed)
          .flatMap((ring) => ring.points)
          .filter(([x]) => x === 100),
      ).toHaveLength(1);
      const longer = withRing(map, at, withCornerAfter(points, points.length - 1, [50, 50]));
      expect(ringAt(longer, at)!.at(-1)).toEqual([50, 50]);
      expect(withoutCorner(points, 1)?.length).toBe(points.length === 3 ? undefined : points.length - 1);
      const fewer = ringsOf(withoutRing(map, at));
      // The hole goes with its outline.
      expect(ringsOf(map).length - fewer.length).toBe(at.kind === 'outline' ? 2 : 1);
    }
    const hole = withNewRing(map, 'hole', [
      [-7, 0],
      [-6, 0],
      [-6, 1],
    ])!;
    expect(hole.at).toMatchObject({ kind: 'hole', index: 0, hole: 1 });
    expect(
      withNewRing(map, 'hole', [
        [70, 0],
        [76, 0],
        [76, 1],
      ]),
    ).toBeUndefined();
    expect(withNewRing(map, 'area', OBSTACLE)!.map.areas).toHaveLength(2);
    expect(map).toEqual(copy);
  });
});

it.runIf(IS_FULL)('a mask in PNG opens as a map: white is free', async () => {
  const page = await studio.open();
  const bytes = Uint8Array.from(
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAAAAACRn/EaAAAAEklEQVR4nGP4DwQM/xmACEQDAEjGCPjddP8JAAAAAElFTkSuQmCC',
      'base64',
    ),
  );
  await drop(page, [{ name: 'cave.png', bytes }]);
  const map = await page.evaluate(() => globalThis.studio!.state().map!.map);
  expect(map.yAxis).toBe('down');
  // Black are the cells (1, 1), (2, 1) and (2, 2).
  expect(map.polygons).toMatchObject([{ holes: [] }]);
  expect(map.polygons[0].outline).toHaveLength(10);
  await drop(page, [{ name: 'bad.png', bytes: bytes.slice(0, 45) }]);
  expect(await page.evaluate(() => globalThis.studio!.messages().at(-1)!.text)).toContain('bad.png: is damaged');
  await page.context().close();
});
