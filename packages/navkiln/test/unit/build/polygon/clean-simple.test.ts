/** Rings that do not cross: one triangulation gives what the overlay of ring after ring gives. */
import { describe, expect, it } from 'vitest';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import { cleanMap, overlayAll } from '../../../../src/build/polygon/clean.ts';
import { cleanSimple, listRings, triangulateListed } from '../../../../src/build/polygon/clean-simple.ts';
import { resolvePolygonOptions } from '../../../../src/build/polygon/options.ts';
import { readPolygonMap } from '../../../../src/build/polygon/rings.ts';
import { triangulateRings } from '../../../../src/base/plane/triangulate.ts';
import type { PolygonMap } from '../../../../src/build/polygon/options.ts';

import { seeded } from '../../meshes.ts';
import { textOfRings } from './rings-text.ts';

type Ring = [number, number][];

const read = (map: PolygonMap): ReturnType<typeof readPolygonMap> =>
  readPolygonMap(map, resolvePolygonOptions(), () => undefined);

const known = (map: PolygonMap): ReturnType<typeof cleanSimple> => {
  const all = listRings(read(map));
  return all && cleanSimple(triangulateListed(all));
};

const box = (x: number, y: number, width: number, height: number): Ring => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

describe('maps on a lattice, whose rings touch, share edges, contain each other or overlap', () => {
  const SEED = Number(process.env['NAVKILN_SEED'] ?? 11);

  it(`seed ${SEED}: give the same rings either way, and their triangulation`, () => {
    const random = seeded(SEED);
    const upTo = (n: number): number => Math.floor(random() * n);
    const counts = { simple: 0, triangulated: 0 };
    for (let k = 0; k < 1500; k++) {
      const turned = (ring: Ring): Ring => {
        if (random() < 0.5) ring.reverse();
        if (random() < 0.3) ring.splice(upTo(4), 1);
        return ring;
      };
      const polygons = Array.from({ length: 1 + upTo(3) }, () => {
        const [x, y] = [4 * upTo(4), 4 * upTo(3)];
        const hole = (): Ring =>
          random() < 0.8
            ? box(x + 1 + upTo(3), y + 1 + upTo(3), 1 + upTo(2), 1 + upTo(2))
            : box(upTo(18), upTo(12), 1 + upTo(3), 1 + upTo(3));
        return {
          outline: turned(box(x, y, 4 + upTo(3), 4 + upTo(2))),
          holes: Array.from({ length: upTo(3) }, () => turned(hole())),
        };
      });
      const obstacles = Array.from({ length: upTo(3) }, () =>
        turned(box(upTo(20) - 1, upTo(14) - 1, 1 + upTo(3), 1 + upTo(3))),
      );
      const map = { polygons, obstacles };
      const label = `seed ${SEED}, map ${k}: ${JSON.stringify(map)}`;
      const grid = read(map);
      expect(textOfRings(cleanMap(grid, 'nonzero', () => undefined).rings), label).toEqual(
        textOfRings(overlayAll(grid, 'nonzero', () => undefined)),
      );
      const simple = known(map);
      if (simple === undefined) continue;
      counts.simple++;
      if (simple.cut === undefined) continue;
      counts.triangulated++;
      const { triangulation } = simple.cut;
      const again = triangulateRings(simple.rings);
      expect(triangulation.origin.subarray(0, 2 * triangulation.edgeCount), label).toEqual(
        again.origin.subarray(0, 2 * again.edgeCount),
      );
    }
    expect(counts.simple).toBeGreaterThan(100);
    expect(counts.triangulated).toBeGreaterThan(30);
  });
});

describe('one triangulation is enough for', () => {
  it.each<[string, PolygonMap]>([
    ['an outline of any winding', { polygons: [{ outline: box(0, 0, 9, 9).reverse() }] }],
    [
      'holes and obstacles',
      { polygons: [{ outline: box(0, 0, 9, 9), holes: [box(1, 1, 2, 2)] }], obstacles: [box(5, 5, 2, 2)] },
    ],
    [
      'an island in a hole',
      { polygons: [{ outline: box(0, 0, 9, 9), holes: [box(1, 1, 7, 7)] }, { outline: box(3, 3, 3, 3) }] },
    ],
  ])('%s', (_, map) => {
    expect(known(map)?.cut).toBeDefined();
    expect(buildFromPolygons(map).report.warnings).toEqual([]);
  });

  it.each<[string, PolygonMap]>([
    [
      'a ring that crosses itself',
      {
        polygons: [
          {
            outline: [
              [0, 0],
              [9, 9],
              [9, 0],
              [0, 9],
            ],
          },
        ],
      },
    ],
    [
      'a figure of eight whose ring meets itself in a point',
      {
        polygons: [
          {
            outline: [
              [0, 0],
              [4, 4],
              [8, 8],
              [8, 1],
              [4, 4],
              [0, 8],
            ],
          },
        ],
      },
    ],
    ['outlines that share an edge', { polygons: [{ outline: box(0, 0, 4, 4) }, { outline: box(4, 0, 4, 4) }] }],
    [
      'the hole of one outline inside another',
      { polygons: [{ outline: box(0, 0, 4, 4), holes: [box(11, 1, 1, 1)] }, { outline: box(10, 0, 4, 4) }] },
    ],
    ['an obstacle that sticks out', { polygons: [{ outline: box(0, 0, 4, 4) }], obstacles: [box(3, 1, 2, 2)] }],
  ])('but not for %s', (_, map) => {
    expect(known(map)).toBeUndefined();
  });
});
