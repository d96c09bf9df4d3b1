/**
 * One-way tiles with a direction block, and links lead over them. The oracle searches the grid: cells are joined to their neighbors, and
 * cells before one-way tiles to those behind, in one direction. NAVKILN_SEED repeats a run.
 */
import { describe, expect, it } from 'vitest';
import { addLink } from '../../../src/mesh/change/links.ts';
import { mapToMesh } from '../../../src/mesh/map-plane.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import type { ParsedMap } from '../../../src/formats/maps/map.ts';
import { parsePolygonMap } from '../../../src/formats/maps/map-json.ts';
import { parseTiled } from '../../../src/formats/maps/tiled/tiled.ts';
import { findPath2d } from '../../../src/query/map/path-2d.ts';
import { seeded } from '../meshes.ts';
import { TILESET, mapOf, objects, tiles } from './tiled-file.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 37) >>> 0;
const [FLIP_X, FLIP_Y, FLIP_DIAGONALLY] = [0x80000000, 0x40000000, 0x20000000];
const oneWay = (value: unknown, ...more: object[]): object => ({
  properties: [{ name: 'oneWay', type: 'string', value }, ...more],
});
/** Tiles: 1 plain, 2 collides, 6 up, 7 right by a property of its own, 8 left, 9 down. */
const SET = {
  ...TILESET,
  tiles: [
    TILESET.tiles[0],
    { id: 5, ...oneWay('up') },
    { id: 6, ...oneWay(true, { name: 'Direction', type: 'string', value: 'East only' }) },
    { id: 7, ...oneWay('left') },
    { id: 8, ...oneWay('S') },
  ],
};
const read = (data: number[], more: object = {}): ParsedMap =>
  parseTiled(mapOf([tiles(data)], { tilesets: [SET], ...more }));
const build = (map: ParsedMap, radius = 0): ReturnType<typeof buildFromPolygons> => {
  const built = buildFromPolygons(map, { radius });
  const at = (point: readonly [number, number]): [number, number, number] =>
    [...mapToMesh(built.navMesh, point)] as [number, number, number];
  for (const { start, end } of map.links ?? []) addLink(built.navMesh, { start: at(start), end: at(end) });
  return built;
};
const isJoined = ({ navMesh }: ReturnType<typeof build>, from: [number, number], to: [number, number]): boolean =>
  findPath2d(navMesh, from, to).status === 'complete';

describe('one-way tiles', () => {
  it('lead in their direction, with a radius, too', () => {
    const map = read([1, 7, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1]);
    expect(map.links).toEqual([{ start: [8, 8], end: [40, 8] }]);
    expect(map.warnings).toMatchObject([{ code: 'one-way-links', count: 1 }]);
    expect(map.warnings[0].message).toContain('1 one-way tile blocks, and 1 link leads over them; addLink adds each');
    for (const radius of [0, 3, 7.9]) {
      const built = build(map, radius);
      expect(isJoined(built, [8, 40], [56, 40])).toBe(true);
      expect(isJoined(built, [56, 40], [8, 40])).toBe(false);
    }
  });

  it('are kept by a map in JSON, whose links need two points', () => {
    const map = read([1, 7, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1]);
    expect(parsePolygonMap(JSON.stringify(map)).links).toEqual(map.links);
    expect(() => parsePolygonMap({ ...map, links: [{ start: [0, 1] }] })).toThrow('link 0, point 1');
    expect(() => parsePolygonMap({ ...map, links: 7 })).toThrow('links: is 7, must be an array');
  });

  it('in a row are crossed at once, and turn with their tile', () => {
    expect(read([1, 8, 8, 1, 1, 2, 2, 1, 1, 2, 2, 1]).links).toEqual([{ start: [56, 8], end: [8, 8] }]);
    const of = (gid: number): unknown => read([1, 1, 1, 1, 1, gid, 1, 1, 1, 1, 1, 1]).links;
    const [up, down] = [[{ start: [24, 40], end: [24, 8] }], [{ start: [24, 8], end: [24, 40] }]];
    const [left, right] = [[{ start: [40, 24], end: [8, 24] }], [{ start: [8, 24], end: [40, 24] }]];
    expect([6, 7, 8, 9].map(of)).toEqual([up, right, left, down]);
    expect([6 + FLIP_Y, 7 + FLIP_X, 6 + FLIP_X].map(of)).toEqual([down, left, up]);
    // Turned by 90, 180 and 270 degrees, as Tiled writes it.
    expect([FLIP_DIAGONALLY + FLIP_X, FLIP_X + FLIP_Y, FLIP_DIAGONALLY + FLIP_Y].map((turn) => of(6 + turn))).toEqual([
      right,
      down,
      left,
    ]);
  });

  it('without one direction, as objects, and on grids that are not square are a warning, as before', () => {
    const cells = [1, 6, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1];
    const codes = (map: ParsedMap): string[] => map.warnings.map(({ code }) => code);
    for (const value of ['both', 'up down', true, '']) {
      const set = { ...SET, tiles: [TILESET.tiles[0], { id: 5, ...oneWay(value) }] };
      expect(codes(read(cells, { tilesets: [set] }))).toEqual(['one-way-ignored']);
    }
    const turned = read(cells, { orientation: 'isometric' });
    expect([codes(turned), turned.links]).toEqual([['one-way-ignored'], undefined]);
    const ledge = { ...objects({ x: 0, y: 0, width: 9, height: 9, ...oneWay('up') }), name: 'x' };
    const map = parseTiled(mapOf([tiles([2, ...Array<number>(11).fill(1)]), ledge], { tilesets: [SET] }));
    expect(codes(map)).toEqual(['objects-not-walls', 'one-way-ignored']);
  });

  it('join cells as a search of the grid does, on random maps', () => {
    const steps: Record<number, [number, number]> = { 6: [0, -1], 7: [1, 0], 8: [-1, 0], 9: [0, 1] };
    for (let seed = SEED; seed < SEED + 40; seed++) {
      const random = seeded(seed);
      const [width, height] = [5, 5];
      const cells = Array.from({ length: 25 }, () => {
        const value = random();
        return value < 0.3 ? 6 + Math.floor(4 * random()) : value < 0.45 ? 2 : 1;
      });
      cells[0] = 1;
      if (!cells.includes(2)) cells[1] = 2;
      const at = (x: number, y: number): number =>
        x < 0 || y < 0 || x >= width || y >= height ? 2 : cells[y * width + x];
      const reached = new Set([0]);
      for (const cell of reached) {
        const [x, y] = [cell % width, Math.floor(cell / width)];
        for (const [gid, [dx, dy]] of Object.entries(steps)) {
          let [u, v] = [x + dx, y + dy];
          while (at(u, v) === Number(gid)) [u, v] = [u + dx, v + dy];
          if (at(u, v) === 1) reached.add(v * width + u);
        }
      }
      const map = parseTiled(mapOf([tiles(cells, { width, height })], { tilesets: [SET], width, height }));
      const built = build(map);
      for (let cell = 0; cell < 25; cell++) {
        if (cells[cell] !== 1) continue;
        const to: [number, number] = [16 * (cell % width) + 8, 16 * Math.floor(cell / width) + 8];
        expect(isJoined(built, [8, 8], to), `seed ${seed}, cell ${cell}`).toBe(reached.has(cell));
      }
    }
  });
});
