import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseGeoJson } from '../../../src/formats/maps/geojson.ts';
import { parsePolygonMap } from '../../../src/formats/maps/map-json.ts';
import { parseSvg } from '../../../src/formats/maps/svg/svg.ts';
import { pickMapReadOptions, readMap } from '../../../src/formats/maps/read-map.ts';
import { parseTiled } from '../../../src/formats/maps/tiled/tiled.ts';
import { mapOf, objects, tiles } from './tiled-file.ts';

const CELLS = [1, 2, 1, 1, 1, 2, 0, 1, 1, 1, 1, 3];
const bytesOf = (gids: readonly number[]): Buffer => Buffer.from(Uint32Array.from(gids).buffer);
const packed = (data: Buffer, compression: string): ReturnType<typeof tiles> =>
  tiles(data.toString('base64'), { encoding: 'base64', compression });

describe('readMap', () => {
  const ring = [
    [0, 0],
    [9, 0],
    [9, 9],
  ];

  it('decides the format by the content', async () => {
    const geojson = JSON.stringify({ type: 'Polygon', projection: 'none', coordinates: [[...ring, ring[0]]] });
    expect(await readMap(geojson, { walls: ['x'], scale: 3 })).toEqual(parseGeoJson(geojson));
    const rings = JSON.stringify({ polygons: [ring] });
    expect(await readMap(new TextEncoder().encode(`\ufeff${rings}`))).toEqual(parsePolygonMap(rings));
    const tmj = JSON.stringify(mapOf([tiles(CELLS)]));
    const svg = '<!-- <map> -->\n<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>';
    expect(await readMap(svg, { lineWidth: 3, scale: 2 })).toEqual(parseSvg(svg, { scale: 2 }));
    expect(await readMap(tmj, { lineWidth: 3, scale: 2 })).toEqual(parseTiled(tmj, { scale: 2 }));
    await expect(readMap('{"type":3}', { name: 'a.json' })).rejects.toThrow('readMap: a.json: is not a map; must be {');
    await expect(readMap('{', { name: 'a.json' })).rejects.toThrow('readMap: a.json: is not valid JSON (line 1');
    await expect(readMap('<svg/>')).rejects.toThrow('has no closed shape to walk in');
    await expect(readMap(tmj, { wall: [] } as object)).rejects.toThrow('wall');
  });

  it('unpacks gzip and zlib by itself, in layers, groups and chunks', async () => {
    const wanted = parseTiled(mapOf([tiles(CELLS)]));
    for (const [compression, data] of [
      ['gzip', gzipSync(bytesOf(CELLS))],
      ['zlib', deflateSync(bytesOf(CELLS))],
    ] as const) {
      expect(await readMap(JSON.stringify(mapOf([packed(data, compression)])))).toEqual(wanted);
      const group = { type: 'group', name: 'g', layers: [packed(data, compression)] };
      expect(await readMap(JSON.stringify(mapOf([group])))).toEqual(wanted);
      const chunks = [{ x: 0, y: 0, width: 4, height: 3, data: data.toString('base64') }];
      const infinite = { type: 'tilelayer', name: 'tiles', encoding: 'base64', compression, chunks };
      expect(await readMap(JSON.stringify(mapOf([infinite], { infinite: true })))).toEqual(wanted);
    }
    const asked: unknown[] = [];
    const decompress = async (...given: unknown[]): Promise<Uint8Array> => (asked.push(given), bytesOf(CELLS));
    expect(await readMap(JSON.stringify(mapOf([packed(Buffer.of(7), 'zstd')])), { decompress })).toEqual(wanted);
    expect(asked).toEqual([[Uint8Array.of(7), 'zstd', 48]]);
  });

  it('keeps the precision of maps in XML', async () => {
    const xml =
      '<map orientation="orthogonal" width="4" height="3" tilewidth="16" tileheight="16">' +
      '<objectgroup name="walls"><object x="1" y="1" width="4" height="4"/></objectgroup></map>';
    expect((await readMap(xml)).precision).toBe(parseTiled(xml).precision);
    expect((await readMap(xml)).precision).toBeGreaterThan(0);
    expect((await readMap(xml, { precision: 0.5 })).precision).toBe(0.5);
  });

  it('refuses bombs before they are unpacked, and damaged layers', async () => {
    const bomb = gzipSync(Buffer.alloc(64 << 20));
    const most = process.memoryUsage().arrayBuffers + (48 << 20);
    await expect(readMap(JSON.stringify(mapOf([packed(bomb, 'gzip')])), { name: 'a.tmj' })).rejects.toThrow(
      'readMap: a.tmj, layer "tiles": decompresses to more than the 48 bytes that its 4 x 3 tiles need; save the map again',
    );
    expect(process.memoryUsage().arrayBuffers).toBeLessThan(most);
    const large = { ...mapOf([{ ...packed(bomb, 'gzip'), width: 1e5, height: 1e5 }]), width: 1e5, height: 1e5 };
    await expect(readMap(JSON.stringify(large))).rejects.toThrow('100000 x 100000 tiles');
    await expect(readMap(JSON.stringify(mapOf([packed(Buffer.of(1, 2), 'zlib')])))).rejects.toThrow(
      'layer "tiles": is not valid zlib, or is cut off; save the map again',
    );
    await expect(readMap(JSON.stringify(mapOf([packed(Buffer.of(1), 'lzma')])))).rejects.toThrow(
      'is compressed (lzma), which is not supported; choose CSV, Base64, gzip, zlib or zstd',
    );
    await expect(readMap(JSON.stringify(mapOf([packed(Buffer.of(1), 'zstd')])))).rejects.toThrow('compressed (zstd)');
    for (const width of [-1, NaN, 0.5, '4', 1e9]) {
      const layer = { ...packed(gzipSync(bytesOf(CELLS)), 'gzip'), width };
      await expect(readMap(JSON.stringify(mapOf([layer])))).rejects.toThrow('layer "tiles", width: is ');
    }
  });

  it('takes its options from settings that hold others', () => {
    const settings = { walls: ['a'], gridSize: 3, precision: 1, scale: undefined };
    expect(pickMapReadOptions(settings)).toEqual({ walls: ['a'], precision: 1, scale: undefined });
  });

  it('finds tilesets and templates by their names', async () => {
    const map = mapOf([objects({ template: 't/a.tx', x: 1, y: 2 }), tiles(CELLS)], {
      tilesets: [{ firstgid: 1, source: '../sets/ground.tsj' }],
    });
    const asked: string[] = [];
    const file = (name: string): undefined => void asked.push(name);
    const { warnings } = await readMap(JSON.stringify(map), { tileset: file, template: file });
    expect(asked).toEqual(['../sets/ground.tsj', 't/a.tx']);
    expect(warnings.map(({ code }) => code)).toContain('template-missing');
  });
});
