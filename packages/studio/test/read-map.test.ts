/** Tiled maps with files beside them, as they are dropped: names without folders, or with those of a dropped folder. */
import type { NavMesh } from 'navkiln';
import { findPath2d } from 'navkiln/polygon';
import { describe, expect, it } from 'vitest';
import { bakeMap, readMapFile } from '../src/bake/bake-map.ts';
import { chooseMain, unknownFile } from '../src/files/kinds.ts';
import type { FileBytes } from '../src/files/kinds.ts';

const file = (name: string, text: string): FileBytes => ({
  name,
  bytes: new TextEncoder().encode(text) as FileBytes['bytes'],
});
const CELLS = [1, 2, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1];
const HEAD = '<map orientation="orthogonal" width="4" height="3" tilewidth="16" tileheight="16">';
const MAP = `${HEAD}<tileset firstgid="1" source="../tilesets/town.tsx"/><layer name="a" width="4" height="3"><data encoding="csv">${CELLS.join()}</data></layer><objectgroup name="walls"><object id="1" template="../objects/post.tx" x="48" y="0"/></objectgroup></map>`;
const SET =
  '<tileset name="town" tilewidth="16" tileheight="16"><tile id="1"><properties><property name="collides" type="bool" value="true"/></properties></tile></tileset>';
const POST = '<template><object width="8" height="8"/></template>';

describe('a dropped map of Tiled', () => {
  it.each([
    ['files', ['town.tmx', 'town.tsx', 'post.tx']],
    ['a folder', ['game/maps/town.tmx', 'game/tilesets/town.tsx', 'game/objects/post.tx']],
  ])('as %s has its tilesets and templates', async (_, [name, set, post]) => {
    const files = [file(set, SET), file(post, POST), file(name, MAP)];
    const heads = files.map(({ name: own, bytes }) => ({ name: own, head: bytes.subarray(0, 64) }));
    expect(chooseMain(heads)).toMatchObject({ index: 2, kind: { id: 'map' } });
    const { polygons, obstacles, warnings } = await readMapFile(files[2], files, {});
    expect([polygons[0].outline.length, obstacles.length, warnings]).toEqual([8, 1, []]);
  });

  it('without them is read, with a warning for each kind', async () => {
    const main = file('town.tmx', MAP);
    const { warnings } = await readMapFile(main, [main], {});
    expect(warnings.map(({ code }) => code)).toEqual(['template-missing', 'tileset-missing', 'nothing-blocks']);
  });

  it('has the options of the settings, and no others', async () => {
    const main = file('town.tmx', MAP);
    const settings = { walls: ['a'], gridSize: 3, mode: 'delaunay', precision: 2 } as const;
    const map = await readMapFile(main, [main], { ...settings, walls: ['a'] });
    expect([map.precision, map.polygons.length > 0]).toEqual([2, true]);
  });

  it('may be compressed with zstd, as long as it is no bomb', async () => {
    const packed = (data: string): FileBytes[] => {
      const head = '<map orientation="orthogonal" width="10" height="6" tilewidth="16" tileheight="16">';
      const set = '<tileset firstgid="1" source="town.tsx"/><layer name="a" width="10" height="6">';
      const text = `${head}${set}<data encoding="base64" compression="zstd">${data}</data></layer></map>`;
      return [file('town.tmx', text), file('town.tsx', SET)];
    };
    // Two columns of walls, packed by `zstd -19`; and a megabyte of zeros.
    const good = packed('KLUv/STw1QAAaAEAAAACAAAAAgAAAAEEAAwmMEulAHQHd4lInhKL');
    expect((await readMapFile(good[0], good, {})).polygons[0].outline).toHaveLength(8);
    const bomb = packed('KLUv/aQAABAATAAACAABAPz/ORACAgAQAAIAEAACABAAAgAQAAIAEAACABAAAwAQAPE+FuE=');
    await expect(readMapFile(bomb[0], bomb, {})).rejects.toThrow('decompresses to more than the 240 bytes');
  });
});

it('outlines of a map that nearly touch are warnings of its bake, by the features of the file', async () => {
  const box = (x: number): number[][] => [[x, 0], [x + 9, 0], [x + 9, 9], [x, 9], [x, 0]]; // oxfmt-ignore
  const features = [0, 9.0005].map((x, id) => {
    return { type: 'Feature', id, geometry: { type: 'Polygon', coordinates: [box(x)] } };
  });
  const main = file('two.geojson', JSON.stringify({ type: 'FeatureCollection', projection: 'none', features }));
  const map = { ...(await readMapFile(main, [main], {})), precision: 0 };
  const { report } = bakeMap({ map, options: {} });
  expect(report!.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining(
      'two.geojson, feature 0 (id 0)) and polygons[1].outline (two.geojson, feature 1 (id 1)) are 0.0005 apart',
    ),
  ]);
});

it('one-way tiles of a map become links of its mesh', async () => {
  const tile = '<tile id="1"><properties><property name="oneWay" value="right"/></properties></tile>';
  const head = '<map orientation="orthogonal" width="3" height="1" tilewidth="16" tileheight="16">';
  const set = `<tileset firstgid="1" tilewidth="16" tileheight="16" tilecount="2">${tile}</tileset>`;
  const layer = '<layer name="a" width="3" height="1"><data encoding="csv">1,2,1</data></layer>';
  const main = file('lane.tmx', `${head}${set}${layer}</map>`);
  const baked = bakeMap({ map: await readMapFile(main, [main], {}), options: {} });
  const { navMesh } = baked as { navMesh: NavMesh };
  expect(findPath2d(navMesh, [8, 8], [40, 8]).status).toBe('complete');
  expect(findPath2d(navMesh, [40, 8], [8, 8]).status).toBe('partial');
});

it('a tileset without its map is explained', () => {
  expect(unknownFile('town.tsx')).toContain('drop it together with the map that names it');
});
