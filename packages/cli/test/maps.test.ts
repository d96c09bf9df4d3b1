import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { findMapScene } from 'navkiln-scenes';
import { loadNavMesh } from 'navkiln';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOM } from '../../navkiln/test/unit/query/map/room.ts';
import { run } from './cli.ts';
import type { Run } from './cli.ts';

let folder = '';
const navkiln = (...args: string[]): Promise<Run> => run(args, folder);
const save = (name: string, value: unknown): void =>
  writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));

/** The same as cells of 16 pixels, its tileset beside it, its layer compressed. */
function tiledRoom(): object {
  const gids = Uint32Array.from({ length: 60 }, (_, i) => ([4, 5].includes(i % 10) && i < 40 ? 2 : 1));
  return {
    type: 'map',
    orientation: 'orthogonal',
    infinite: false,
    width: 10,
    height: 6,
    tilewidth: 16,
    tileheight: 16,
    tilesets: [{ firstgid: 1, source: 'sets/ground.tsj' }],
    layers: [
      {
        type: 'tilelayer',
        name: 'ground',
        width: 10,
        height: 6,
        encoding: 'base64',
        compression: 'gzip',
        data: gzipSync(Buffer.from(gids.buffer)).toString('base64'),
      },
    ],
  };
}

/** 60 tiles, compressed by `zstd -19`; and a megabyte of zeros. */
const ZSTD_ROOM = 'KLUv/STw1QAAaAEAAAACAAAAAgAAAAEEAAwmMEulAHQHd4lInhKL';
const ZSTD_ZEROS = 'KLUv/aQAABAATAAACAABAPz/ORACAgAQAAIAEAACABAAAgAQAAIAEAACABAAAwAQAPE+FuE=';
const XML_HEAD =
  '<?xml version="1.0" encoding="UTF-8"?><map version="1.10" orientation="orthogonal" width="10" height="6" tilewidth="16" tileheight="16" infinite="0">';
const XML_ROOM =
  `${XML_HEAD}<tileset firstgid="1" source="sets/ground.tsx"/><layer id="1" name="ground" width="10" height="6">` +
  `<data encoding="base64" compression="zstd">${ZSTD_ROOM}</data></layer></map>`;
const XML_TILESET =
  '<tileset name="ground" tilewidth="16" tileheight="16" tilecount="2"><tile id="1"><properties>' +
  '<property name="solid" type="bool" value="true"/></properties></tile></tileset>';
/** Only zones: nothing blocks. */
const XML_ZONES = `${XML_HEAD}<objectgroup name="zones"><object id="1" class="area" x="0" y="0" width="80" height="96"/></objectgroup></map>`;

/** Two levels with a lift. */
const HOUSE = {
  type: 'FeatureCollection',
  features: [
    [
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [9, 0],
            [9, 5],
            [0, 5],
            [0, 0],
          ],
        ],
      },
      { indoor: 'corridor', level: '0;1' },
    ],
    [
      { type: 'Point', coordinates: [8, 2] },
      { highway: 'elevator', level: '0-1' },
    ],
  ].map(([geometry, properties]) => ({ type: 'Feature', geometry, properties })),
};

/** The room, drawn: its pillar is a line with a name that no word marks. */
const SVG_ROOM =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 6"><rect id="room" width="10" height="6"/>' +
  '<path id="pillar" d="M5-1V4" stroke="#000" stroke-width="2"/></svg>';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'navkiln-maps-'));
  mkdirSync(join(folder, 'sets'));
  save('room.json', ROOM);
  save('room.geojson', {
    type: 'FeatureCollection',
    features: [
      [ROOM.polygons[0].outline, {}],
      [ROOM.obstacles[0], { obstacle: true }],
    ].map(([ring, properties]) => ({
      type: 'Feature',
      properties,
      geometry: { type: 'Polygon', coordinates: [[...(ring as number[][]), (ring as number[][])[0]]] },
    })),
  });
  save('room.tmj', tiledRoom());
  save('sets/ground.tsj', {
    tilewidth: 16,
    tileheight: 16,
    tiles: [{ id: 1, properties: [{ name: 'collides', type: 'bool', value: true }] }],
  });
  save(
    'room.yaml',
    'levels: [room.tmj]\nagent: { radius: 0 }\nmap: { scale: 0.0625, maxVertices: 5, walkable: [ground] }\n',
  );
  save('cut.json', '{"polygons": [');
  save('list.json', [1, 2]);
  save('thin.json', {
    polygons: [
      [
        [0, 0],
        [1, 1],
      ],
    ],
  });
  save('far.geojson', {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1000, 0],
        [0, 1],
        [0, 0],
      ],
    ],
  });
  save('hex.tmj', { ...tiledRoom(), orientation: 'hexagonal' });
  const staggered = { staggeraxis: 'x', staggerindex: 'odd', hexsidelength: 8 };
  save('hexagons.tmj', { ...tiledRoom(), orientation: 'hexagonal', ...staggered });
  save('zstd.tmj', JSON.stringify(tiledRoom()).replace('gzip', 'zstd'));
  save('room.tmx', XML_ROOM);
  save('sets/ground.tsx', XML_TILESET);
  save('cut.tmx', XML_ROOM.slice(0, 300));
  save('bomb.tmx', XML_ROOM.replace(/KLUv[^<]*/, ZSTD_ZEROS));
  save('zones.tmx', XML_ZONES);
  save('room.svg', SVG_ROOM);
  save('house.geojson', HOUSE);
  save('room.obj', 'v 0 0 0\nv 0 0 9\nv 9 0 0\nf 1 2 3\n');
}, 200_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.concurrent('bake of levels', () => {
  it('makes one mesh of indoor data, with paths by the lift', async () => {
    const flags = ['--map-projection', 'none', '--map-levels', '--map-level-height', '4'];
    const baked = await navkiln(
      'bake',
      'house.geojson',
      '-o',
      'house.navmesh',
      ...flags,
      '--svg',
      'house.svg',
      '--json',
    );
    expect(baked.status, baked.stderr).toBe(0);
    expect(JSON.parse(baked.stdout)).toMatchObject({
      tiles: 2,
      warnings: [],
      mapLevels: {
        levels: [
          { name: '0', height: 0 },
          { name: '1', height: 4 },
        ],
        connections: 1,
        unattached: 0,
      },
    });
    const path = await navkiln('path', 'house.navmesh', '--from', '1,0,-2', '--to', '1,4,-2', '--json');
    expect(JSON.parse(path.stdout)).toMatchObject({ status: 'complete' });
    expect(
      (await navkiln('bake', 'house.geojson', '-o', 'a.navmesh', '--map-projection', 'none', '--json')).stdout,
    ).toContain('levels-merged');
  });

  it.each([
    [['house.geojson', '--map-level-height', '4'], '--map-level-height: only applies with --map-levels'],
    [['house.geojson', '--map-levels', 'storey'], 'no feature has the property "storey"'],
    [['house.geojson', '--map-levels', '--verify'], '--verify: not with --map-levels'],
    [['room.svg', '--map-levels'], 'room.svg: --map-levels reads GeoJSON'],
    [['room.obj', '--map-levels'], '--map-levels: only applies to GeoJSON'],
  ])('%j is refused', async (args, message) => {
    const { status, stderr } = await navkiln('bake', ...args, '-o', 'refused.navmesh');
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
});

describe.concurrent('bake of 2D maps', () => {
  it.each([
    ['JSON rings', ['room.json'], 1],
    ['GeoJSON', ['room.geojson', '--map-projection', 'none'], 1],
    ['Tiled, with a tileset beside it', ['room.tmj', '--map-scale', '0.0625'], 1],
    ['Tiled in XML, with zstd', ['room.tmx', '--map-scale', '0.0625'], 1],
    ['a picture', ['room.svg', '--map-walls', 'pillar'], 1],
    ['the other way to cut', ['room.json', '--map-mode', 'diagonal'], 1],
    ['a configuration', ['--config', 'room.yaml'], 1],
  ])('%s', async (name, args) => {
    const mesh = `${name.slice(-9)}.navmesh`,
      svg = `${name.slice(-9)}.svg`;
    const { status, stdout, stderr } = await navkiln('bake', ...args, '-o', mesh, '--svg', svg, '--json');
    expect(status, stderr).toBe(0);
    const summary = JSON.parse(stdout) as Record<string, any>;
    expect(Object.keys(summary).filter((key) => key !== 'map')).toEqual([
      'output',
      'tiles',
      'polygons',
      'vertices',
      'detailTriangles',
      'bytes',
      'totalMs',
      'stages',
      'warnings',
    ]);
    expect(summary).toMatchObject({ output: mesh, tiles: 1, detailTriangles: 0, warnings: [] });
    expect(summary['polygons']).toBeGreaterThan(2);
    expect(readFileSync(join(folder, svg), 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\s*$/);
    for (const title of ['Outline and holes', 'Merged pieces', 'Portals']) {
      expect(readFileSync(join(folder, svg), 'utf8')).toContain(title);
    }
    const path = await navkiln('path', mesh, '--from', '1,1', '--to', '9,1', '--json');
    expect(path.status, path.stderr).toBe(0);
    expect(JSON.parse(path.stdout)).toMatchObject({
      status: 'complete',
      points: [
        [1, 1],
        [4, 4],
        [6, 4],
        [9, 1],
      ],
    });
  });

  it('a Tiled map in which nothing blocks is not written, unless it may be open', async () => {
    const refused = await navkiln('bake', 'zones.tmx', '-o', 'zones.navmesh');
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain(
      'layer "zones": 1 object of class "area" is not a wall (50 % of the map); ignore: ["zones"]',
    );
    expect(refused.stderr).toContain('--map-walls zones');
    expect(refused.stderr).toContain('error: nothing blocks, so zones.navmesh is not written (--allow-open writes it)');
    expect((await navkiln('bake', 'zones.tmx', '-o', 'zones.navmesh', '--allow-open')).status).toBe(0);
    const walls = await navkiln('bake', 'zones.tmx', '-o', 'walls.navmesh', '--map-walls', 'zones', '--json');
    expect(walls.status, walls.stderr).toBe(0);
    expect(JSON.parse(walls.stdout)).toMatchObject({ warnings: [], polygons: 1 });
    expect(
      (await navkiln('bake', 'zones.tmx', '-o', 'a.navmesh', '--map-ignore', 'zones', '--allow-open')).status,
    ).toBe(0);
    const floor = await navkiln('bake', 'zones.tmx', '-o', 'floor.navmesh', '--map-floor', 'zones', '--json');
    expect(JSON.parse(floor.stdout)).toMatchObject({ warnings: [], polygons: 1 });
    const report = { layer: 'zones', kind: 'objects', mark: 'zones', blocking: 0, free: 1, freeShare: 0.5 };
    const open = await navkiln('bake', 'zones.tmx', '-o', 'a.navmesh', '--json');
    expect(JSON.parse(open.stdout)).toMatchObject({
      output: null,
      warnings: [
        { code: 'objects-not-walls', stage: 'load', count: 1, layers: [report] },
        { code: 'nothing-blocks', stage: 'load', count: 1, layers: [report] },
      ],
      map: { layers: [report] },
    });
  });

  it('adds links over one-way tiles, and counts those that end in walls', async () => {
    const oneWay = XML_TILESET.replace('name="solid" type="bool" value="true"', 'name="oneWay" value="right"');
    const cells = (letters: string): string => letters.repeat(6).split('').join(',');
    const map = (letters: string): string =>
      `${XML_HEAD}${oneWay.replace('<tileset', '<tileset firstgid="1"')}<layer id="1" name="ground" width="10" height="6">` +
      `<data encoding="csv">${cells(letters)}</data></layer></map>`;
    save('lane.tmx', map('1111211111'));
    const { stdout, stderr } = await navkiln('bake', 'lane.tmx', '-o', 'lane.navmesh');
    expect([stderr, stdout]).toEqual([
      'bake: read lane.tmx\n',
      expect.stringContaining('\n6 links over one-way tiles\n'),
    ]);
    const there = await navkiln('path', 'lane.navmesh', '--from', '8,8', '--to', '150,8');
    const back = await navkiln('path', 'lane.navmesh', '--from', '150,8', '--to', '8,8');
    expect([there.status, back.status]).toEqual([0, 1]);
    save('border.tmx', map('2111111111'));
    expect((await navkiln('bake', 'border.tmx', '-o', 'border.navmesh')).stderr).toContain(
      'warning: 6 of 6 links over one-way tiles have an end in a wall, such as the one at [-8, 8], and are not used',
    );
  });

  it('reports walls, costs and doors of a Tiled map', async () => {
    const door =
      '<objectgroup name="things"><object id="3" name="gate" type="door" x="64" y="64" width="32" height="16">';
    const locked = '<properties><property name="locked" type="bool" value="true"/></properties></object></objectgroup>';
    const mud = '<objectgroup name="mud"><properties><property name="cost" type="float" value="3"/></properties>';
    const deco = `<layer name="deco" width="10" height="6"><data encoding="csv">1${',0'.repeat(59)}</data></layer>`;
    const rest = `${deco}${mud}<object id="4" x="0" y="0" width="16" height="16"/></objectgroup>${door}${locked}</map>`;
    save('yard.tmx', XML_ROOM.replace('</map>', rest));
    const { status, stdout, stderr } = await navkiln('bake', 'yard.tmx', '-o', 'yard.navmesh');
    expect([status, stderr]).toEqual([0, 'bake: read yard.tmx\n']);
    expect(stdout).toContain('walls of layer "ground": 8 tiles and shapes, 13.3 % of the map\n');
    expect(stdout).toContain('not walls: layer "deco" (1 tile); --map-walls NAME makes a layer walls\n');
    expect(stdout).toContain('area "mud": id 1, cost 3\narea "gate": id 2, cost 1, closed\n');
    const json = JSON.parse((await navkiln('bake', 'yard.tmx', '-o', 'yard.navmesh', '--json')).stdout);
    expect(json.map.areas).toEqual([
      { name: 'mud', id: 1, cost: 3 },
      { name: 'gate', id: 2, cost: 1, enabled: false },
    ]);
    // The passage below the wall is 32 pixels high; the closed door covers half of it.
    const path = await navkiln('path', 'yard.navmesh', '--from', '24,72', '--to', '136,72', '--json');
    expect(JSON.parse(path.stdout).length).toBeGreaterThan(112);
  });

  it('takes obstacles from files of their own', async () => {
    const feature = (x: number, w: number, properties: object = {}): object => {
      const ring = [
        [x, 0],
        [x + w, 0],
        [x + w, 8],
        [x, 8],
        [x, 0],
      ];
      return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [ring] } };
    };
    const collection = (...features: object[]): object => ({ type: 'FeatureCollection', projection: 'none', features });
    save('floor.geojson', collection(feature(0, 20)));
    save('marked.geojson', collection(feature(4, 1, { obstacle: true })));
    save('plain.geojson', collection(feature(14, 1)));
    const files = ['floor.geojson', 'marked.geojson', '--map-obstacle-files', 'plain.geojson'];
    const baked = await navkiln('bake', ...files, '-o', 'parts.navmesh', '--json');
    expect(baked.status, baked.stderr).toBe(0);
    for (const [from, to, isOpen] of [
      ['1,4', '9,4', false],
      ['6,4', '13,4', true],
      ['9,4', '18,4', false],
    ] as const) {
      const path = await navkiln('path', 'parts.navmesh', '--from', from, '--to', to, '--json');
      expect(JSON.parse(path.stdout).status === 'complete', `${from} to ${to}`).toBe(isOpen);
    }
    const alone = await navkiln('bake', 'marked.geojson', '-o', 'none.navmesh');
    expect([alone.status, alone.stderr]).toEqual([2, expect.stringContaining('has only 1 obstacle')]);
    const both = await navkiln('bake', 'marked.geojson', '--map-obstacle-files', 'plain.geojson', '-o', 'none.navmesh');
    expect([both.status, both.stderr]).toEqual([2, expect.stringContaining('none of the files has a floor')]);
    save('rings.json', { polygons: [{ outline: [[0, 0], [1, 0], [0, 1]] }] }); // oxfmt-ignore
    const rings = await navkiln('bake', 'floor.geojson', '--map-obstacle-files', 'rings.json', '-o', 'none.navmesh');
    expect([rings.status, rings.stderr]).toEqual([2, expect.stringContaining('takes GeoJSON only')]);
  });

  it('selects features of GeoJSON', async () => {
    const feature = (x: number, properties: object): object => {
      const coordinates = [
        [
          [x, 0],
          [x + 4, 0],
          [x + 4, 4],
          [x, 4],
          [x, 0],
        ],
      ];
      return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates } };
    };
    const features = [feature(0, { level: 0 }), feature(4, { level: 1 }), feature(2, { level: 0, building: 'yes' })];
    save('storeys.geojson', { type: 'FeatureCollection', projection: 'none', features });
    const all = await navkiln('bake', 'storeys.geojson', '-o', 'all.navmesh');
    expect(all.stderr).toContain('2 levels become one floor, by the property level');
    expect(all.stderr).toContain('1 building is walkable');
    const one = ['--map-where', 'level=0', '--map-obstacles', 'building=*', '--json'];
    const ground = await navkiln('bake', 'storeys.geojson', '-o', 'ground.navmesh', ...one);
    expect(JSON.parse(ground.stdout)).toMatchObject({ warnings: [], polygons: 1, vertices: 4 });
  });

  it('paths are the shortest without a mode, as those of findPath2d', async () => {
    save('tutorial.json', findMapScene('twenty-five-corners').create());
    expect((await navkiln('bake', 'tutorial.json', '-o', 't.navmesh')).status).toBe(0);
    const ends = ['--from', '368,417', '--to', '333,505', '--json'];
    const lengthOf = async (...mode: string[]): Promise<number> =>
      JSON.parse((await navkiln('path', 't.navmesh', ...ends, ...mode)).stdout).length;
    // Around the hole at the left, or along it: A* and a funnel take the long way.
    expect(await lengthOf('--mode', 'funnel')).toBeCloseTo(323.001, 3);
    expect(await lengthOf('--mode', 'optimal')).toBeCloseTo(97.1162, 3);
    expect(await lengthOf()).toBeCloseTo(97.1162, 3);
  });

  it('reads hexagonal maps', async () => {
    expect(await navkiln('bake', 'hexagons.tmj', '-o', 'hexagons.navmesh')).toMatchObject({ status: 0 });
    // Columns are 12 pixels apart; the wall of two columns leaves two rows free.
    const path = await navkiln('path', 'hexagons.navmesh', '--from', '8,8', '--to', '116,8', '--json');
    expect(JSON.parse(path.stdout)).toMatchObject({ status: 'complete', startDistance: 0 });
    expect(JSON.parse(path.stdout).length).toBeGreaterThan(140);
  });

  it('an end outside walkable space moves to the nearest point, with a note', async () => {
    expect((await navkiln('bake', 'room.json', '-o', 'snap.navmesh')).status).toBe(0);
    const path = await navkiln('path', 'snap.navmesh', '--from', '1,1', '--to', '10.5,1');
    expect(path).toMatchObject({
      status: 0,
      stderr: 'note: the end is not walkable; moved 0.5 to the nearest point\n',
    });
    expect(path.stdout.trimEnd().split('\n').at(-1)).toBe('10 1');
    expect(
      JSON.parse((await navkiln('path', 'snap.navmesh', '--from', '1,1', '--to', '10.5,1', '--json')).stdout),
    ).toMatchObject({ status: 'complete', startDistance: 0, endDistance: 0.5 });
  });

  it('which way y points: up, down for Tiled, or as the option has it', async () => {
    const zs = async (...args: string[]): Promise<number[]> => {
      expect(await navkiln('bake', ...args, '-o', 'y.navmesh', '--svg', 'y.svg')).toMatchObject({ status: 0 });
      const { vertices, vertexCount } = loadNavMesh(readFileSync(join(folder, 'y.navmesh')));
      const own = [...vertices.subarray(0, 3 * vertexCount)].filter((_, i) => i % 3 === 2);
      return [Math.min(...own), Math.max(...own)];
    };
    expect(await zs('room.json')).toEqual([-6, 0]);
    const up = readFileSync(join(folder, 'y.svg'), 'utf8');
    expect(await zs('room.json', '--map-y-axis', 'down')).toEqual([0, 6]);
    expect(readFileSync(join(folder, 'y.svg'), 'utf8')).not.toBe(up);
    expect(await zs('room.tmj')).toEqual([0, 96]);
    save('down.json', { ...ROOM, yAxis: 'down' });
    expect(await zs('down.json')).toEqual([0, 6]);
    expect((await navkiln('bake', 'room.json', 'room.tmj', '-o', 'y.navmesh')).stderr).toContain(
      'error: room.tmj: y points down, but up in room.json; bake them into separate meshes, or give --map-y-axis',
    );
    // The same point of the map, whichever way its y points.
    for (const axis of ['up', 'down']) {
      await zs('room.json', '--map-y-axis', axis);
      const { stdout } = await navkiln('path', 'y.navmesh', '--from', '1,1', '--to', '9,1');
      expect(stdout.trimEnd().split('\n').slice(1)).toEqual(['1 1', '4 4', '6 4', '9 1']);
    }
  });

  it('paths are printed with two coordinates when they are given so', async () => {
    expect((await navkiln('bake', 'room.json', '-o', 'r.navmesh', '--agent-radius', '0.5')).status).toBe(0);
    expect((await navkiln('validate', 'r.navmesh')).status).toBe(0);
    const { stdout } = await navkiln('path', 'r.navmesh', '--from', '1,1', '--to', '9,1', '--mode', 'optimal');
    const [head, first, ...rest] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^complete: \d+ points, length 1\d\.\d+, \d+ polygons$/);
    expect(first).toBe('1 1');
    expect(rest.at(-1)).toBe('9 1');
    expect((await navkiln('path', 'r.navmesh', '--from', '1,0,-1', '--to', '9,0,-1')).stdout).toMatch(
      /\n1 0 -1\n[\s\S]*\n9 0 -1\n$/,
    );
    expect((await navkiln('path', 'r.navmesh', '--from', '1,1', '--to', '9,0,1')).stderr).toBe(
      'error: --to: must be two numbers "x,y", like the other end (got "9,0,1")\n',
    );
  });

  it('converts degrees to meters, joins files and reports warnings', async () => {
    save('east.geojson', {
      type: 'Polygon',
      coordinates: [
        [
          [13.41, 52.5],
          [13.42, 52.5],
          [13.42, 52.51],
          [13.41, 52.51],
        ],
      ],
    });
    save('west.geojson', {
      type: 'GeometryCollection',
      geometries: [
        { type: 'Point', coordinates: [13.4, 52.5] },
        {
          type: 'Polygon',
          coordinates: [
            [
              [13.4, 52.5],
              [13.41, 52.5],
              [13.41, 52.51],
              [13.4, 52.51],
              [13.4, 52.5],
            ],
          ],
        },
      ],
    });
    const { status, stdout, stderr } = await navkiln(
      'bake',
      'west.geojson',
      'east.geojson',
      '-o',
      'city.navmesh',
      '--json',
    );
    expect(status, stderr).toBe(0);
    expect(stderr).toContain(
      'warning: west.geojson, geometry 0: a Point has no area; left out (the property radius gives points an area; width, or the option lineWidth, gives lines one)\n',
    );
    expect((JSON.parse(stdout) as { warnings: object[] }).warnings).toEqual([
      { code: 'not-an-area', stage: 'load', count: 1 },
      { code: 'ring-not-closed', stage: 'load', count: 1 },
    ]);
    const { groundArea } = JSON.parse((await navkiln('inspect', 'city.navmesh', '--json')).stdout) as {
      groundArea: number;
    };
    expect(groundArea / (0.02 * 0.01 * 111195.08 ** 2 * Math.cos((52.505 * Math.PI) / 180))).toBeCloseTo(1, 6);
  });

  it.each([
    [['room.json', 'room.obj'], 'error: room.json is a 2D map and room.obj a level; bake them into separate meshes'],
    [['room.json::position=1,2,3'], 'error: room.json: a 2D map cannot be placed; remove "::…"'],
    [['room.json', '--cell-size', '1'], 'error: cellSize: only applies to levels; 2D maps are not baked from voxels'],
    [['room.obj', '--map-scale', '2'], 'error: map: only applies to 2D maps (.geojson, .tmj, .tmx, .svg, .png, .json)'],
    [['room.json', '--map-mode', 'best'], 'error: --map-mode: '],
    [['cut.json'], 'error: cut.json: is not valid JSON ('],
    [['list.json'], 'error: list.json: holds [1, 2], not an object'],
    [['thin.json'], 'error: thin.json, polygon 0, outline: has 2 point(s), must have at least 3'],
    [['far.geojson'], 'error: far.geojson: holds [1000, 0], which is no longitude and latitude'],
    [['hex.tmj'], 'error: hex.tmj, staggeraxis: is missing, must be "x" or "y"'],
    [['zstd.tmj'], 'error: zstd.tmj, layer "ground": is not valid zstd, or is cut off; save the map again'],
    [
      ['bomb.tmx'],
      'error: bomb.tmx, layer "ground": decompresses to more than the 240 bytes that its 10 x 6 tiles need',
    ],
    [['cut.tmx'], 'error: cut.tmx: is not valid XML (line 1, column'],
    [['room.tmx', '--map-walls', 'nothing'], 'error: room.tmx: has no layer "nothing", which the option walls names'],
    [['gone.tmj'], 'error: gone.tmj: no such file or folder'],
  ])('%j', async (args, message) => {
    const { status, stderr } = await navkiln('bake', ...args, '-o', 'out.navmesh');
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/defect|\n\s+at /);
  });

  it('switches layers by a configuration', async () => {
    const wall = [
      [4, 3],
      [6, 3],
      [6, 7],
      [4, 7],
    ];
    save('layered.json', { ...ROOM, layers: [{ name: 'wall', enabled: false, obstacles: [wall] }] });
    const statuses: (number | null)[] = [];
    for (const layers of [undefined, '{ wall: true }']) {
      save(
        'layered.yaml',
        layers === undefined ? 'levels: [layered.json]\n' : `levels: [layered.json]\nmap: { layers: ${layers} }\n`,
      );
      expect((await navkiln('bake', '--config', 'layered.yaml', '-o', 'layered.navmesh')).status).toBe(0);
      const path = await navkiln('path', 'layered.navmesh', '--from', '1,1', '--to', '9,1', '--json');
      statuses.push(path.status);
    }
    expect(statuses[0]).toBe(0);
    expect(statuses[1]).not.toBe(0);
    for (const [value, message] of [
      ['{ door: true }', /a key of options\.layers is "door"; must be the name of a layer of the map/],
      ['{ wall: 1 }', /map\.layers\.wall: must be true or false/],
      ['[wall]', /map\.layers: must be a map of keys and values/],
    ] as const) {
      save('layered.yaml', `levels: [layered.json]\nmap: { layers: ${value} }\n`);
      const refused = await navkiln('bake', '--config', 'layered.yaml', '-o', 'layered.navmesh');
      expect(refused.status).not.toBe(0);
      expect(refused.stderr).toMatch(message);
    }
  });

  it('refuses a map in place of a mesh', async () => {
    for (const command of [
      ['path', 'room.tmj', '--from', '1,1', '--to', '2,2'],
      ['inspect', 'room.tmj'],
    ]) {
      expect((await navkiln(...command)).stderr).toBe(
        'error: room.tmj: is a 2D map, not a navigation mesh; bake it first: navkiln bake room.tmj -o room.navmesh\n',
      );
    }
  });
});
