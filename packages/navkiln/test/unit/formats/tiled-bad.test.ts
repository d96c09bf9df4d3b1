/** Tiled maps that are damaged, hostile or unusual: read, or refused in our words, in bounded time and memory. */
import { describe, expect, it } from 'vitest';
import { readMap } from '../../../src/formats/maps/read-map.ts';
import { parseTiled } from '../../../src/formats/maps/tiled/tiled.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import { COLLIDES, TILESET, mapOf, objects, tiles } from './tiled-file.ts';
import type { Layer } from './tiled-file.ts';

const CELLS = [1, 2, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1];
const head = '<map orientation="orthogonal" width="4" height="3" tilewidth="16" tileheight="16">';
const nested = (depth: number): Layer =>
  Array.from({ length: depth }).reduce<Layer>((inner) => ({ type: 'group', name: 'g', layers: [inner] }), tiles(CELLS));

describe('refused', () => {
  it.each([
    [
      'sizes of 1e9',
      mapOf([], { width: 1e9, height: 1e9 }),
      'width: is 1000000000, must be a whole number from 1 to 1048576',
    ],
    [
      'a million by a million cells',
      mapOf([tiles([], { width: 1e6, height: 1e6 })], { width: 1e6, height: 1e6 }),
      '1000000 x 1000000 tiles',
    ],
    ['negative sizes', mapOf([tiles(CELLS)], { width: -4 }), 'width: is -4, must be a whole number'],
    ['negative sizes of tiles', mapOf([tiles(CELLS)], { tilewidth: -16 }), 'tilewidth: is -16'],
    [
      'a NaN gid',
      mapOf([tiles([NaN, ...CELLS.slice(1)])]),
      'layer "tiles", tile 0: is NaN, must be a whole number from 0',
    ],
    ['a gid over 32 bits', mapOf([tiles([2 ** 32, ...CELLS.slice(1)])]), 'tile 0: is 4294967296'],
    ['a gid that is a text', mapOf([tiles(['1', ...CELLS.slice(1)])]), 'tile 0: is "1"'],
    ['100 groups', mapOf([nested(100)]), 'has groups in groups 64 deep'],
    ['a sparse list', mapOf([tiles(Array(12))]), 'claims to be an array of 12'],
    [
      'tiles of no size',
      mapOf([tiles(CELLS)], { tilesets: [{ ...TILESET, tilewidth: 0 }] }),
      'has tiles of 0 x 16 pixels',
    ],
    ['a text as layers', mapOf([], { layers: 'none' }), 'layers: is "none", must be an array'],
    [
      'far chunks',
      mapOf([{ type: 'tilelayer', name: 'a', chunks: [{ x: 1e9, y: 0, width: 1, height: 1, data: [1] }] }], {
        infinite: true,
      }),
      'x: is 1000000000',
    ],
    [
      'an area that is a number',
      mapOf([objects({ width: 8, height: 8, properties: [{ name: 'area', value: 4 }] })]),
      'has a property "area" that is 4; make it a string',
    ],
  ])('%s', (_, map, message) => {
    expect(() => parseTiled(map)).toThrow(message);
  });

  it('100 groups in XML, with the same words', () => {
    const text = `${head}${'<group name="g">'.repeat(100)}${'</group>'.repeat(100)}</map>`;
    expect(() => parseTiled(text)).toThrow('has groups in groups 64 deep');
  });
});

describe('read', () => {
  const wanted = parseTiled(mapOf([tiles(CELLS)]));

  it('groups 60 deep', () => {
    expect(parseTiled(mapOf([nested(60)])).polygons).toEqual(wanted.polygons);
  });

  it('CSV with spaces, tabs and empty lines', () => {
    const csv = '\n\n 1 ,2,\t1, 1 ,\r\n\n1,2,0,1,\n 1,1,1,1 \n\n';
    const set =
      '<tileset firstgid="1" tilewidth="16" tileheight="16"><tile id="1"><properties><property name="collides" type="bool" value="true"/></properties></tile></tileset>';
    const text = `${head}${set}<layer name="tiles" width="4" height="3"><data encoding="csv">${csv}</data></layer></map>`;
    expect(parseTiled(text).polygons).toEqual(wanted.polygons);
  });

  it('flipped numbers of tiles, and of tiles that no tileset has', () => {
    const flipped = CELLS.map((gid, k) => (gid === 0 ? 0 : gid + [0x80000000, 0x40000000, 0x20000000][k % 3]));
    expect(parseTiled(mapOf([tiles(flipped)])).polygons).toEqual(wanted.polygons);
    const { warnings } = parseTiled(
      mapOf([tiles([2, 0xe0000007, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])], { tilesets: [{ ...TILESET, firstgid: 1 }] }),
    );
    expect(warnings).toEqual([]);
    const unknown = parseTiled(mapOf([tiles([2, ...CELLS.slice(1)])], { tilesets: [{ ...TILESET, firstgid: 2 }] }));
    expect(unknown.warnings[0]).toMatchObject({ code: 'unknown-tile' });
  });

  it('properties of odd types', () => {
    for (const value of [null, {}, [], [[1]], 1e300, -0, '\u0000', 'x'.repeat(1e5)]) {
      for (const name of ['collides', 'cost', 'oneway', 'locked', 'passable', 'kind']) {
        const properties = [{ name, value }, { value }, null, 7];
        const shape = { x: 0, y: 0, width: 8, height: 8, class: 'door', properties };
        const map = mapOf([{ ...tiles(CELLS), properties }, objects(shape)], {
          tilesets: [{ ...TILESET, tiles: [{ id: 0, properties }, TILESET.tiles[0]] }],
        });
        const read = parseTiled(map);
        for (const { message } of read.warnings) expect(message.length).toBeLessThan(600);
        expect(buildFromPolygons(read).navMesh.polyCount).toBeGreaterThan(0);
      }
    }
  });

  it('20,000 doors and 20,000 walls', () => {
    const many = (kind: object): object[] =>
      Array.from({ length: 20_000 }, (_, k) => ({ x: k % 60, y: (k >> 8) % 40, width: 1, height: 1, ...kind }));
    const { obstacles, areas, warnings } = parseTiled(
      mapOf([
        {
          ...objects(...(many({ class: 'door' }) as never[]), ...(many({ properties: COLLIDES }) as never[])),
          name: 'x',
        },
      ]),
    );
    expect([obstacles.length, areas?.length]).toEqual([20_000, 20_000]);
    expect(warnings.map(({ code }) => code)).toContain('names-shared');
  });

  it('maps of Tiled 0.9: types, tile properties by number, one shape a tile', async () => {
    const old =
      '<?xml version="1.0"?><!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">' +
      '<map version="1.0" orientation="orthogonal" width="4" height="3" tilewidth="16" tileheight="16">' +
      '<tileset firstgid="1" name="t" tilewidth="16" tileheight="16"><tile id="1"><properties><property name="collides" value="true"/></properties></tile></tileset>' +
      `<layer name="tiles" width="4" height="3"><data>${CELLS.map((gid) => `<tile gid="${gid}"/>`).join('')}</data></layer>` +
      '<objectgroup name="doors" width="4" height="3"><object name="gate" type="door" x="16" y="32" width="16" height="16"/></objectgroup></map>';
    const { polygons, areas, warnings } = await readMap(old);
    expect([polygons, areas?.[0].name, warnings]).toEqual([wanted.polygons, 'gate', []]);
  });
});
