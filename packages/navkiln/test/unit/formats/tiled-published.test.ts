/** Kinds of Tiled maps that were found in public repositories, as small maps of our own. */
import { describe, expect, it } from 'vitest';
import { parseTiled } from '../../../src/formats/maps/tiled/tiled.ts';
import { TILESET, mapOf, objects, tiles } from './tiled-file.ts';

const CELLS = [1, 2, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1];
const GROUND = Array<number>(12).fill(1);
const RECT = { x: 16, y: 0, width: 16, height: 16 };
const codesOf = (map: object): string[] => (parseTiled(map).warnings ?? []).map(({ code }) => code);
const messageOf = (map: object, code: string): string | undefined =>
  parseTiled(map).warnings.find((one) => one.code === code)?.message;

describe('tilesets', () => {
  const empty = { firstgid: 9, name: 'new', tilewidth: 0, tileheight: 0, tilecount: 0, columns: 0 };

  it('that are collections without images, whose tiles have no size, do not refuse the map', () => {
    const read = parseTiled(mapOf([tiles(CELLS)], { tilesets: [TILESET, empty] }));
    expect(read).toEqual(parseTiled(mapOf([tiles(CELLS)])));
  });

  it('with tiles still need a size', () => {
    expect(() => parseTiled(mapOf([tiles(CELLS)], { tilesets: [{ ...empty, tilecount: 1 }] }))).toThrow(
      'has tiles of 0 x 0 pixels',
    );
  });
});

describe('names of layers in one word', () => {
  it.each(['collisionobjects', 'CollisionLayer', 'walllayer', 'wallTiles', 'obstacleshapes', 'solidboxes', 'blockmap'])(
    '%s is a layer of walls',
    (name) => {
      const { obstacles, warnings } = parseTiled(mapOf([tiles(GROUND), { ...objects(RECT), name }]));
      expect([obstacles.length, warnings]).toEqual([1, []]);
    },
  );

  it.each(['wallpaper', 'tileobjects', 'heatmap', 'unblockedtiles', 'no collisionobjects'])('%s is not', (name) => {
    const marked = { ...objects({ x: 0, y: 0, width: 4, height: 4 }), name: 'walls' };
    expect(parseTiled(mapOf([tiles(GROUND), marked, { ...objects(RECT), name }])).obstacles.length).toBe(1);
  });

  it.each(['NavMesh', 'nav_mesh', 'walk area', 'navmesh'])('%s holds the floor', (name) => {
    expect(messageOf(mapOf([tiles(CELLS), { ...objects(RECT), name }]), 'objects-not-walls')).toContain(
      'makes them the floor',
    );
  });
});

describe('objects that mark places', () => {
  it.each([
    ['markers', ''],
    ['things', 'end'],
    ['Locations', 'Pier'],
    ['eventi', ''],
  ])('on a layer %s of class "%s" do not block a map without other walls', (name, kind) => {
    const map = mapOf([tiles(GROUND), { ...objects({ ...RECT, type: kind }), name }]);
    expect(parseTiled(map).obstacles).toEqual([]);
    expect(codesOf(map)).toEqual(['objects-not-walls', 'nothing-blocks']);
    expect(messageOf(map, 'nothing-blocks')).toContain('(1 object, ');
  });
});

describe('an infinite map that is mostly empty', () => {
  const chunk = (x: number, data: number[]): object => ({ x, y: 0, width: 4, height: 3, data });
  const layer = (name: string, chunks: object[]): object => ({ type: 'tilelayer', name, chunks });
  const far = chunk(200, [1, ...Array<number>(11).fill(0)]);

  it('has a warning, with the layer that is its floor', () => {
    const map = mapOf(
      [
        layer('ground', [chunk(0, Array<number>(12).fill(1)), far]),
        layer('walls', [chunk(0, [0, 1, ...Array<number>(10).fill(0)])]),
      ] as never,
      { infinite: true },
    );
    expect(messageOf(map, 'cells-without-tiles')).toContain('walkable: ["ground"] (--map-floor ground)');
    const [floor] = parseTiled(map, { walkable: ['ground'] }).polygons;
    expect(Math.max(...floor.outline.map((point) => (point as number[])[0]))).toBeLessThanOrEqual(64);
  });

  it('has none where only walls are drawn', () => {
    const map = mapOf([layer('walls', [chunk(0, [1, 1, ...Array<number>(10).fill(0)]), far])] as never, {
      infinite: true,
    });
    expect(codesOf(map)).toEqual([]);
  });
});
