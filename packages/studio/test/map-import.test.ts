/**
 * How files of 2D maps are read, chosen in the studio: levels of indoor GeoJSON and layers of Tiled maps. The meshes and reports equal those
 * of the library and of the command line's functions.
 *
 * NAVKILN_PICTURES=folder writes screenshots.
 */
import { findPath } from 'navkiln';
import { readLevelsMap, reportOfLevels } from 'navkiln-cli/levels';
import { buildFromLevels, buildFromPolygons, cutByDiagonals, parseGeoJsonLevels, readMap } from 'navkiln/polygon';
import { validateNavMesh } from 'navkiln/debug';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bakeLevels, liftAnswer, readLevels } from '../src/bake/bake-levels.ts';
import { settingsText } from '../src/files/settings-text.ts';
import { readEdits } from '../src/files/edits-text.ts';
import { mapOptions } from '../src/state/settings.ts';
import { NO_EDITS, createState } from '../src/state/state.ts';
import { drop, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';
import { pictures } from './walks/walk.ts';

type Properties = Record<string, unknown>;
type Pair = readonly [number, number];

const box = (x: number, y: number, u: number, v: number): object => ({
  type: 'Polygon',
  coordinates: [[[x, y], [u, y], [u, v], [x, v], [x, y]]], // oxfmt-ignore
});
const line = (...coordinates: Pair[]): object => ({ type: 'LineString', coordinates });
const point = (...coordinates: Pair): object => ({ type: 'Point', coordinates });
const feature = (geometry: object, properties: Properties): object => ({ type: 'Feature', properties, geometry });

/** Two rooms and a corridor on each of three levels; stairs at the left, a lift at the right that leaves out the top. */
const STATION = {
  type: 'FeatureCollection',
  projection: 'none',
  features: [
    feature(box(0, 0, 20, 3), { indoor: 'corridor', level: '0;1;2' }),
    feature(box(0, 3, 10, 10), { indoor: 'room', level: 0, repeat_on: '1;2', name: 'A' }),
    feature(box(10, 3, 20, 10), { indoor: 'room', level: 0, repeat_on: '1', name: 'B' }),
    feature(point(5, 3), { door: 'hinged', level: '0-2' }),
    feature(point(15, 3), { door: 'hinged', level: '0' }),
    feature(line([1, 1], [1, 2]), { highway: 'steps', level: '0;1', incline: 'up' }),
    feature(line([3, 1], [3, 2]), { highway: 'steps', level: '1;2', incline: 'up' }),
    feature(point(18, 2), { highway: 'elevator', level: '0-1' }),
    feature(box(2, 4, 3, 5), { indoor: 'wall', level: '1' }),
  ],
};
const bytesOf = (value: object | string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)) as Uint8Array<ArrayBuffer>;
const NAME = 'station.geojson';
const MAP = { precision: 0.01 } as const;

describe('levels', () => {
  const choice = { property: 'level', levelHeight: 4 };
  const options = mapOptions({ agent: { radius: 0.2 } });

  it('are read and built as by the command line, with the same report', () => {
    const read = readLevels({ name: NAME, bytes: bytesOf(STATION) }, MAP, choice);
    expect(read.levels.heights).toEqual([0, 4, 8]);
    const baked = bakeLevels({ ...read, options });
    const own = readLevelsMap(bytesOf(STATION), MAP, { ...choice, name: NAME });
    const plain = parseGeoJsonLevels(STATION, { projection: 'none', ...choice, name: NAME });
    for (const level of plain.levels) level.map.precision = 0.01;
    expect(own).toEqual(plain);
    const build = buildFromLevels(plain, { ...options, cutByDiagonals });
    expect(baked.navMesh).toEqual(build.navMesh);
    expect(validateNavMesh(baked.navMesh)).toEqual([]);
    expect(read.warnings).toEqual(plain.warnings.map(({ message }) => message));
    expect(read.warnings.join()).toContain('room');
    const { warnings, counts } = reportOfLevels(build, plain.levels);
    expect(baked.report!.warnings).toEqual(warnings);
    expect(counts.polygons).toBe(build.navMesh.polyCount);
    const path = findPath(baked.navMesh, [15, 0, -8], [5, 8, -8]);
    expect(path.status).toBe('complete');
  });

  it('are kept by links and settings, which name the flags of the command line', async () => {
    expect(readEdits(JSON.stringify({ mapLevels: choice })).mapLevels).toEqual(choice);
    for (const bad of [5, null, { property: '' }, { levelHeight: 0 }, { levelHeight: 'x' }])
      expect(readEdits(JSON.stringify({ mapLevels: bad }))).toEqual(NO_EDITS);
    const source = { kind: 'files', names: [NAME] } as const;
    const text = await settingsText({ ...createState(), source, edits: { ...NO_EDITS, mapLevels: choice } });
    expect(text).toMatch(/^# navkiln bake --config THIS.yaml --map-levels level --map-level-height 4 -o/);
  });

  it('are drawn at their heights in the stages of one of them', () => {
    const positions = Float32Array.of(1, 0, 2, 3, 0, 4);
    const view = { lists: [{ kind: 'points', positions }], counts: {}, text: '' };
    const lifted = liftAnswer({ kind: 'stage', stages: [], view, box: undefined, tile: undefined } as never, 4);
    expect(lifted).toMatchObject({ view: { lists: [{ positions: Float32Array.of(1, 4, 2, 3, 4, 4) }] } });
  });
});

let studio: Studio;
beforeAll(async () => (studio = await startStudio()));
afterAll(() => studio?.close());
afterEach(() => studio.check());

const choose = async (page: Page, label: string, value: string): Promise<void> => {
  await page.selectOption(`.import select[aria-label="${label}"]`, value);
  await idle(page);
};
const meshOf = (page: Page): Promise<{ polys: number; tiles: number; links: number }> =>
  page.evaluate(() => {
    const { navMesh } = globalThis.studio!.state().mesh!;
    return { polys: navMesh.polyCount, tiles: navMesh.tileSlotCount, links: navMesh.linkCount };
  });
const textOf = (page: Page): Promise<string> => page.innerText('.import:not([hidden])');

const TILED = `<map orientation="orthogonal" width="4" height="3" tilewidth="16" tileheight="16">
<tileset firstgid="1" name="a" tilewidth="16" tileheight="16" tilecount="4" columns="2"/>
<layer name="ground" width="4" height="3"><data encoding="csv">1,1,1,1,1,1,1,1,1,1,1,1</data></layer>
<objectgroup name="walls"><object id="1" x="16" y="0" width="8" height="32"/></objectgroup>
<objectgroup name="zones"><object id="2" class="area" x="40" y="16" width="10" height="32"/></objectgroup></map>`;

it('is chosen: storeys, one level, what layers are, in the panel, undone and redone', async () => {
  const page = await studio.open('', { viewport: { width: 1440, height: 900 } });
  await drop(page, [{ name: NAME, bytes: bytesOf(STATION) }]);
  const flat = await meshOf(page);
  const said = await page.evaluate(() =>
    globalThis
      .studio!.messages()
      .map(({ text }) => text)
      .join('\n'),
  );
  expect(said).toContain('become one floor');
  expect(said).toContain('station.geojson has 3 levels. Import in the panel');
  expect(await page.isVisible('[data-tool=draw]')).toBe(true);
  await choose(page, 'levels', 'storeys');
  const storeys = await meshOf(page);
  expect(storeys).toMatchObject({ tiles: 3 });
  expect(storeys.links).toBeGreaterThan(2);
  expect(await textOf(page)).toContain('3 levels, joined by 2 flights of stairs, 1 lift.');
  expect(await page.innerText('.status')).toContain('3 levels');
  // Tools that work on one plane are not there. The path tool crosses levels, and has points with heights.
  expect(await page.isVisible('[data-tool=draw]')).toBe(false);
  await page.click('[data-tool=path]');
  await idle(page);
  for (const [id, text] of [
    ['from', '15, 0, -8'],
    ['to', '5, 6, -8'],
  ] as const) {
    // oxfmt-ignore
    await page.fill(`[data-point=${id}]`, text);
    await page.press(`[data-point=${id}]`, 'Enter');
  }
  await idle(page);
  expect(await page.innerText('.card')).toMatch(/Path\s+complete/);
  await pictures(page, 'storeys');
  await choose(page, 'show', '1');
  const picked = await page.evaluate(() => {
    const at = (y: number): unknown => {
      const [x, z] = globalThis.studio!.project([15, y, -1.5])!;
      return globalThis.studio!.pick(x, z);
    };
    return [at(0), at(3)];
  });
  expect(picked[1]).toMatchObject({
    on: 'ground',
    point: [expect.closeTo(15), expect.closeTo(3), expect.closeTo(-1.5)],
  });
  await pictures(page, 'storey');
  await page.fill('.import [aria-label="level height"]', '5');
  await page.press('.import [aria-label="level height"]', 'Enter');
  await idle(page);
  expect(await page.evaluate(() => globalThis.studio!.state().map!.levels!.heights)).toEqual([0, 5, 10]);

  await choose(page, 'levels', '2');
  const where = await page.evaluate(() => globalThis.studio!.state().settings.map!.where);
  expect(where).toEqual(['level=2']);
  expect(await page.evaluate(() => globalThis.studio!.state().map!.levels)).toBeUndefined();
  for (const tiles of [3, 3, 1]) {
    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await idle(page);
    expect((await meshOf(page)).tiles).toBe(tiles);
  }
  expect(await meshOf(page)).toEqual(flat);

  // Layers of a Tiled map, with the same mesh as from the library. The choices for the other file are gone.
  await page.getByRole('button', { name: 'Redo (Ctrl+Shift+Z)' }).click();
  await idle(page);
  await drop(page, [{ name: 'town.tmx', bytes: bytesOf(TILED) }]);
  expect(await page.evaluate(() => globalThis.studio!.state().settings.map!.where)).toBeUndefined();
  const built = async (own: object): Promise<number> =>
    buildFromPolygons(await readMap(bytesOf(TILED), { name: 'town.tmx', ...own })).navMesh.polyCount;
  expect(await textOf(page)).toMatch(/zones[^]*nothing blocks/);
  await choose(page, 'What zones is', 'walls');
  expect((await meshOf(page)).polys).toBe(await built({ walls: ['zones'] }));
  await choose(page, 'What walls is', 'ignore');
  expect(await textOf(page)).toContain('left out');
  expect((await meshOf(page)).polys).toBe(await built({ walls: ['zones'], ignore: ['walls'] }));
  await pictures(page, 'layers');
  // Choices of one kind within 700 ms are one step.
  await page.waitForTimeout(800);
  await choose(page, 'What walls is', '');
  await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
  await idle(page);
  expect(await page.evaluate(() => globalThis.studio!.state().settings.map)).toEqual({ walls: ['zones'], ignore: ['walls'] }); // oxfmt-ignore
  await page.context().close();
});
