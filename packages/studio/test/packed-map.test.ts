/** Maps travel between page and worker as flat arrays: what arrives equals what was sent. */
import { mapScenes } from 'navkiln-scenes';
import type { PolygonMap } from 'navkiln/polygon';
import { expect, it } from 'vitest';
import { atOnce, inSlices, packing, unpacking } from '../src/bake/packed-map.ts';

const SQUARE = [
  [0, 0],
  [4, 0],
  [4, 4],
] as const;
const ODD: PolygonMap = {
  polygons: [{ outline: SQUARE, holes: [] }, { outline: SQUARE, holes: [SQUARE, SQUARE] }, { outline: [] }],
  obstacles: [],
  areas: [{ name: 'mud', cost: 3, outline: SQUARE, holes: [SQUARE] }],
  layers: [
    { name: 'empty' },
    { name: 'off', enabled: false, polygons: [{ outline: SQUARE }], obstacles: [SQUARE], areas: [] },
  ],
  yAxis: 'down',
};

it.each([['odd', ODD], ...mapScenes.map(({ name, create }) => [name, create(7)])] as [string, PolygonMap][])(
  'the map %s arrives as it was sent',
  async (_name, map) => {
    // As a message copies it.
    const packed = structuredClone(atOnce(packing(map)));
    expect(atOnce(unpacking(packed))).toEqual(map);
    expect(await inSlices(unpacking(await inSlices(packing(map))))).toEqual(map);
  },
);

it('points as objects arrive as pairs', () => {
  const map = { polygons: [{ outline: SQUARE.map(([x, y]) => ({ x, y })) }] };
  expect(atOnce(unpacking(atOnce(packing(map))))).toEqual({ polygons: [{ outline: SQUARE }] });
});
