/** Tiled's files in XML: equal to the same map in JSON, with all encodings, external tilesets, templates, and old versions. */
import { describe, expect, it } from 'vitest';
import { parseTiled } from '../../../src/formats/maps/tiled/tiled.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import { findPath2d } from '../../../src/query/map/path-2d.ts';
import { COLLIDES, TILESET, mapOf, objects, tiles } from './tiled-file.ts';

const TSX = `<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="ground" tilewidth="16" tileheight="16" tilecount="8" columns="8">
 <image source="a.png" width="128" height="16"/>
 <tile id="1" type="wall">
  <properties><property name="kind" value="wall"/><property name="collides" type="bool" value="true"/></properties>
 </tile>
 <tile id="2"><objectgroup draworder="index" id="2"><object id="1" x="0" y="0"><polygon points="0,0 0,16 16,16"/></object></objectgroup></tile>
 <tile id="3"><objectgroup><object id="1" x="0" y="0" width="16" height="16"/></objectgroup></tile>
</tileset>`;

const head = (more = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<map version="1.10" tiledversion="1.10.2" orientation="orthogonal" ` +
  `renderorder="right-down" width="4" height="3" tilewidth="16" tileheight="16" infinite="0" nextlayerid="3"${more}>\n`;
const tileset = '<tileset firstgid="1" source="ground.tsx"/>';
const options = { tileset: (): string => TSX };
const CELLS = [1, 2, 1, 1, 1, 3, 0, 1, 4, 1, 1, 1];
const CSV = `\n${CELLS.join(',').replaceAll('1,1,3', '1,\n1,3')}\n`;

/** Returns tile numbers as Base64. */
function base64Of(cells: readonly number[]): string {
  const bytes = new Uint8Array(Uint32Array.from(cells).buffer);
  return Buffer.from(bytes).toString('base64');
}

describe('maps in XML', () => {
  // In XML, coordinates have six digits.
  const wanted = { ...parseTiled(mapOf([tiles(CELLS)])), precision: expect.closeTo(4e-4, 9) };

  it.each([
    ['CSV', `<data encoding="csv">${CSV}</data>`],
    ['Base64', `<data encoding="base64">\n   ${base64Of(CELLS)}\n  </data>`],
    ['elements', `<data>${CELLS.map((gid) => (gid === 0 ? '<tile/>' : `<tile gid="${gid}"/>`)).join('\n')}</data>`],
  ])('equal the same map in JSON: %s', (_, data) => {
    const layer = `<layer id="1" name="tiles" width="4" height="3">${data}</layer>`;
    expect(parseTiled(`${head()}${tileset}${layer}</map>`, options)).toEqual(wanted);
    const embedded = TSX.replace(/<\?xml.*?\?>/, '').replace('<tileset ', '<tileset firstgid="1" ');
    expect(parseTiled(new TextEncoder().encode(`\ufeff${head()}${embedded}${layer}</map>`))).toEqual(wanted);
  });

  it('hand compressed data to the option', () => {
    const layer = `<layer name="tiles" width="4" height="3"><data encoding="base64" compression="zstd">AAAA</data></layer>`;
    const asked: unknown[] = [];
    const decompress = (bytes: Uint8Array, compression: string, size: number): Uint8Array => {
      asked.push([...bytes], compression, size);
      return new Uint8Array(Uint32Array.from(CELLS).buffer);
    };
    expect(parseTiled(`${head()}${tileset}${layer}</map>`, { ...options, decompress })).toEqual(wanted);
    expect(asked).toEqual([[0, 0, 0], 'zstd', 48]);
  });

  it('read infinite maps, groups, offsets and objects', () => {
    const chunk = `<chunk x="-4" y="0" width="4" height="3">${CSV}</chunk>`;
    const infinite = head().replace('infinite="0"', 'infinite="1"');
    const map = `${infinite}${tileset}<layer name="tiles" width="4" height="3"><data encoding="csv">${chunk}</data></layer></map>`;
    const chunks = [{ x: -4, y: 0, width: 4, height: 3, data: CELLS }];
    expect(parseTiled(map, options)).toMatchObject(
      parseTiled(mapOf([{ type: 'tilelayer', name: 'tiles', chunks }], { infinite: true })),
    );
    const group =
      `<group name="outer" offsetx="3"><objectgroup name="walls" offsety="2.5">` +
      `<object id="1" name="a &amp; b" x="1" y="2" width="4" height="5" rotation="90"/>` +
      `<object id="2" x="8" y="8"><ellipse/></object><object id="3" x="1" y="1"><point/></object>` +
      `<object id="4" x="8" y="8"><polyline points="0,0 1,1"/></object>` +
      `<object id="5" x="8" y="8"><polygon points="0,0 4.5,0 0,4"/></object></objectgroup></group>`;
    const inner = {
      ...objects(
        { name: 'a & b', x: 1, y: 2, width: 4, height: 5, rotation: 90 },
        { x: 8, y: 8, ellipse: true },
        { x: 1, y: 1, point: true },
        {
          x: 8,
          y: 8,
          polyline: [
            { x: 0, y: 0 },
            { x: 1, y: 1 },
          ],
        },
        {
          x: 8,
          y: 8,
          polygon: [
            { x: 0, y: 0 },
            { x: 4.5, y: 0 },
            { x: 0, y: 4 },
          ],
        },
      ),
      offsety: 2.5,
    };
    expect(parseTiled(`${head()}${group}</map>`)).toMatchObject(
      parseTiled(mapOf([{ type: 'group', name: 'outer', offsetx: 3, layers: [inner] }])),
    );
  });

  it.each([
    ['<map', 'line 1, column 5: <map> does not end'],
    ['<map></mapp>', 'line 1, column 6: </mapp> ends no element'],
    ['<map>\n<layer>', '<layer> does not end; is the file truncated'],
    ['<map a=1/>', 'the attribute a does not end'],
    ['<map a/>', 'the attribute a has no value'],
    ['<!-- ', 'a comment does not end'],
    ['<!DOCTYPE map [<!ENTITY a "b">', '0 root elements'],
    ['<html/>', 'has the root element <html>, must be a map of Tiled'],
    ['<a>'.repeat(300), 'elements lie in each other more than 256 deep'],
    [`${head()}<objectgroup name="x"><object x="a"/></objectgroup></map>`, 'x: is "a", must be a finite number'],
  ])('%# are refused with the position of the fault', (text, message) => {
    expect(() => parseTiled(text)).toThrow(message);
  });

  it('leave entities of documents alone', () => {
    const map = `<!DOCTYPE map>${head()}<objectgroup name="&lol;&#65;&#x42;&lt;"/></map>`;
    expect(parseTiled(map).warnings[0].message).toContain('layer "&lol;AB<"');
  });
});

describe('templates', () => {
  const TX = `<template><tileset firstgid="1" source="../ground.tsx"/><object name="post" gid="2147483651" width="16" height="16"/></template>`;
  const files: Record<string, string> = {
    'ground.tsx': TSX,
    't/post.tx': TX,
    't/box.tx': '<template><object class="wall" width="5" height="6"/></template>',
  };
  const read = (name: string): string | undefined => files[name];
  const layer = `<objectgroup name="things"><object id="1" template="t/post.tx" x="16" y="32"/><object id="2" template="t/box.tx" x="1" y="2" width="3"/></objectgroup>`;

  it('give objects their tile, class and size', () => {
    const flipped = objects(
      { gid: 2147483651, x: 16, y: 32, width: 16, height: 16 },
      { x: 1, y: 2, width: 3, height: 6 },
    );
    const wanted = parseTiled(mapOf([flipped]));
    const firstOf = (list: string): ReturnType<typeof parseTiled> =>
      parseTiled(`${head()}${list}${layer}</map>`, { tileset: read, template: read });
    expect(firstOf(tileset).obstacles).toEqual(wanted.obstacles);
    // A tileset that only the template names.
    expect(firstOf('').obstacles).toEqual(wanted.obstacles);
  });

  it('are a warning when they are missing, and other objects are read', () => {
    delete files['t/post.tx'];
    const { obstacles, warnings } = parseTiled(`${head()}${tileset}${layer}</map>`, { tileset: read });
    expect(obstacles).toHaveLength(1);
    expect(warnings).toMatchObject([{ code: 'template-missing', count: 1 }]);
  });
});

describe('what blocks', () => {
  const zones = {
    ...objects(
      { x: 0, y: 0, width: 64, height: 24, class: 'area' },
      { x: 8, y: 8, width: 8, height: 8, class: 'spawn' },
    ),
    name: 'zones',
  };
  const things = { ...objects({ x: 0, y: 0, width: 16, height: 24 }), name: 'Object Layer 1' };
  const plain = (name: string, more: object = {}): ReturnType<typeof tiles> =>
    tiles([0, 5, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0], { name, ...more });
  const whole = {
    outline: [
      [0, 0],
      [64, 0],
      [64, 48],
      [0, 48],
    ],
    holes: [],
  };

  it.each([
    ['a layer named collision', plain('Collision_1')],
    ['a layer of the class solid', plain('tiles', { class: 'Solid' })],
    ['a layer with the property blocked', plain('tiles', { properties: [{ name: 'is-blocked', value: true }] })],
    ['a layer with the text solid', plain('tiles', { properties: [{ name: 'solid', value: 'true' }] })],
  ])('%s: all of its tiles', (_, layer) => {
    const free = { ...TILESET, tiles: [] };
    const map = mapOf([plain('ground'), layer, zones], { tilesets: [free] });
    const { polygons, warnings } = parseTiled(map);
    expect(polygons).toHaveLength(2);
    expect(warnings).toMatchObject([
      {
        code: 'objects-not-walls',
        count: 2,
        layers: [
          { layer: 'zones', kind: 'objects', mark: 'zones', free: 2, freeShare: 0.5208, classes: ['area', 'spawn'] },
        ],
      },
    ]);
    expect(warnings[0].message).toBe(
      'Tiled map: layer "zones": 2 objects of class "area", "spawn" are not walls (52.1 % of the map); ' +
        'ignore: ["zones"] (--map-ignore zones) leaves them out without this warning, ' +
        'walls: ["zones"] (--map-walls zones) makes them walls',
    );
  });

  it('tiles by a property with another name', () => {
    const solid = { ...TILESET, tiles: [{ id: 4, properties: [{ name: 'Solid', type: 'bool', value: true }] }] };
    expect(parseTiled(mapOf([plain('ground')], { tilesets: [solid] })).polygons).toHaveLength(2);
    const open = { ...TILESET, tiles: [{ id: 4, properties: [{ name: 'passable', type: 'bool', value: false }] }] };
    expect(parseTiled(mapOf([plain('ground')], { tilesets: [open] })).polygons).toHaveLength(2);
    expect(
      parseTiled(mapOf([plain('ground')], { tilesets: [solid] }), { collisionProperty: 'other' }).polygons,
    ).toEqual([whole]);
  });

  it('the layers of the option, and no layer of the option ignore', () => {
    expect(parseTiled(mapOf([zones]), { walls: ['zones'] }).obstacles).toHaveLength(2);
    const named = plain('walls', {});
    const map = mapOf([named], { tilesets: [{ ...TILESET, tiles: [] }] });
    expect(parseTiled(map).polygons).toHaveLength(2);
    expect(parseTiled(map, { ignore: ['walls'] }).polygons).toEqual([whole]);
    expect(() => parseTiled(map, { walls: ['wals'] })).toThrow('has no layer "wals", which the option walls names');
  });

  it('shapes on other layers only where nothing else does, with a warning', () => {
    const alone = parseTiled(mapOf([things]));
    expect(alone.obstacles).toHaveLength(1);
    expect(alone.warnings).toMatchObject([{ code: 'walls-guessed' }]);
    expect(alone.warnings[0].message).toContain('layer "Object Layer 1": 1 object (12.5 % of the map)');
    const beside = parseTiled(mapOf([things, objects({ x: 32, y: 0, width: 8, height: 8 })]));
    expect(beside.obstacles).toHaveLength(1);
    expect(beside.warnings).toMatchObject([{ code: 'objects-not-walls' }]);
  });

  it('polylines on layers of walls, a pixel wide', () => {
    const wall = objects({
      x: 32,
      y: 0,
      polyline: [
        { x: 0, y: 0 },
        { x: 0, y: 24 },
        { x: 4, y: 48 },
      ],
    });
    const { obstacles, warnings } = parseTiled(mapOf([wall]));
    expect(warnings).toEqual([]);
    expect(obstacles[0].map(([x]) => x)).toEqual([32.5, 32.5, 31.5, 31.5]);
    const { navMesh } = buildFromPolygons({ polygons: [{ outline: whole.outline as never }], obstacles });
    expect(findPath2d(navMesh, [8, 8], [56, 8]).status).toBe('partial');
  });

  it('nothing: a warning lists the layers', () => {
    const { polygons, obstacles, warnings } = parseTiled(
      mapOf([plain('ground'), zones], { tilesets: [{ ...TILESET, tiles: [] }] }),
    );
    expect([polygons, obstacles]).toEqual([[whole], []]);
    expect(warnings.map(({ code }) => code)).toEqual(['objects-not-walls', 'nothing-blocks']);
    expect(warnings[1].message).toContain(
      'layer "ground" (3 tiles, 25 % of the map), layer "zones" (2 objects, 52.1 % of the map)',
    );
  });

  it('no layers that are only drawn', () => {
    for (const name of ['walls above', 'no-collision', 'WallShadows', 'wallpaper']) {
      const map = mapOf([plain(name)], { tilesets: [{ ...TILESET, tiles: [] }] });
      expect(parseTiled(map).polygons, name).toEqual([whole]);
    }
  });
});

describe('large maps', () => {
  it('of 130,000 objects are read', () => {
    const list = Array.from(
      { length: 130_000 },
      (_, k) => `<object id="${k}" x="${k % 60}" y="1" width="1" height="1"/>`,
    );
    const { obstacles } = parseTiled(`${head()}<objectgroup name="things">${list.join('')}</objectgroup></map>`);
    expect(obstacles).toHaveLength(130_000);
  });
});

describe('maps of old versions', () => {
  it('have properties and tiles by number', () => {
    const old = {
      ...TILESET,
      tiles: { 3: { objectgroup: { objects: [{ id: 1, x: 0, y: 0, width: 16, height: 16 }] } } },
      tileproperties: { 1: { collides: true } },
      tilepropertytypes: { 1: { collides: 'bool' } },
    };
    const now = { ...TILESET, tiles: [{ id: 1, properties: COLLIDES }, TILESET.tiles[2]] };
    const cells = [1, 2, 1, 1, 1, 4, 0, 1, 1, 1, 1, 1];
    expect(parseTiled(mapOf([tiles(cells)], { tilesets: [old] }))).toEqual(
      parseTiled(mapOf([tiles(cells)], { tilesets: [now] })),
    );
  });
});
