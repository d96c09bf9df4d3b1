/** Rings that neither touch nor cross: the grid gives what the overlay of ring after ring gives, and refuses all others. */
import { describe, expect, it } from 'vitest';
import { listRings } from '../../../../src/build/polygon/clean-simple.ts';
import { overlayAll } from '../../../../src/build/polygon/clean.ts';
import { cleanDisjoint } from '../../../../src/build/polygon/disjoint-rings.ts';
import { resolvePolygonOptions } from '../../../../src/build/polygon/options.ts';
import { readPolygonMap } from '../../../../src/build/polygon/rings.ts';
import type { PolygonMap } from '../../../../src/build/polygon/options.ts';
import type { Rings } from '../../../../src/base/plane/types.ts';
import { seeded } from '../../meshes.ts';
import { textOfRings } from './rings-text.ts';

type Point = [number, number];
type Ring = Point[];

const SEED = Number(process.env['NAVKILN_SEED'] ?? 5);

const read = (map: PolygonMap): ReturnType<typeof readPolygonMap> =>
  readPolygonMap(map, resolvePolygonOptions(), () => undefined);

const disjoint = (map: PolygonMap): Rings | undefined => {
  const all = listRings(read(map));
  return all && cleanDisjoint(all);
};

const side = (a: Point, b: Point, c: Point): number =>
  Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
const isOn = (a: Point, b: Point, c: Point): boolean =>
  side(a, b, c) === 0 && (c[0] - a[0]) * (c[0] - b[0]) <= 0 && (c[1] - a[1]) * (c[1] - b[1]) <= 0;

/** Whether segments share a point, apart from ends in a row: every pair is compared. */
const doTouch = (rings: readonly Ring[]): boolean => {
  const segments = rings.flatMap((ring, r) =>
    ring.map((a, i) => ({ r, i, n: ring.length, a, b: ring[(i + 1) % ring.length]! })),
  );
  return segments.some((one, k) =>
    segments.slice(k + 1).some((two) => {
      const { a, b } = one;
      const { a: c, b: d } = two;
      if (one.r === two.r && (one.i + 1) % one.n === two.i) return isOn(a, b, d) || isOn(c, d, a);
      if (one.r === two.r && (two.i + 1) % one.n === one.i) return isOn(a, b, c) || isOn(c, d, b);
      if (isOn(a, b, c) || isOn(a, b, d) || isOn(c, d, a) || isOn(c, d, b)) return true;
      return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
    }),
  );
};

describe(`random maps, seed ${SEED}`, () => {
  it('have the rings of the overlay when the grid accepts them, which no touching rings are', () => {
    const random = seeded(SEED);
    const upTo = (n: number): number => Math.floor(random() * n);
    const counts = { accepted: 0, touching: 0, nested: 0 };
    for (let k = 0; k < 1500; k++) {
      const size = 20 + upTo(200);
      const star = (cx: number, cy: number, radius: number): Ring => {
        const n = 3 + upTo(8);
        const spins = random() < 0.05 ? 2 : 1;
        const ring = Array.from({ length: n }, (_, i): Point => {
          const angle = (2 * Math.PI * spins * (i + 0.8 * random())) / n;
          const far = radius * (0.5 + 0.5 * random());
          return [Math.round(cx + far * Math.cos(angle)), Math.round(cy + far * Math.sin(angle))];
        });
        return random() < 0.5 ? ring : ring.reverse();
      };
      const inside = (depth: number): Ring[] =>
        Array.from({ length: upTo(depth) }, () =>
          star(size * random(), size * random(), size * (0.05 + 0.15 * random())),
        );
      const polygons = Array.from({ length: 1 + upTo(3) }, (_, p) => ({
        outline: p === 0 ? star(size / 2, size / 2, size) : star(size * random(), size * random(), 0.2 * size),
        holes: inside(4),
      }));
      const obstacles = inside(4);
      const map = { polygons, obstacles };
      const grid = read(map);
      const rings = [...grid.polygons.flatMap(({ outline, holes }) => [outline, ...holes]), ...grid.obstacles].map(
        ({ points }) => points.map(({ x, y }): Point => [x, y]),
      );
      const isTouching = doTouch(rings);
      const found = disjoint(map);
      const label = `seed ${SEED}, map ${k}: ${JSON.stringify(map)}`;
      if (isTouching) {
        counts.touching++;
        expect(found, label).toBeUndefined();
      }
      // Rings on their own are refused for no other reason.
      if (rings.length === 1) expect(found === undefined, label).toBe(isTouching || rings[0]!.length === 0);
      if (found === undefined) continue;
      counts.accepted++;
      if (rings.length > 2) counts.nested++;
      const warnings: string[] = [];
      const expected = overlayAll(grid, 'nonzero', ({ code }) => warnings.push(code));
      if (rings.length > 1) expect(textOfRings(found), label).toEqual(textOfRings(expected));
      expect(
        warnings.filter((code) => code !== 'degenerate-ring'),
        label,
      ).toEqual([]);
    }
    expect(counts.accepted).toBeGreaterThan(150);
    expect(counts.nested).toBeGreaterThan(60);
    expect(counts.touching).toBeGreaterThan(150);
  });
});

const box = (x: number, y: number, width: number, height: number): Ring => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

describe('the grid', () => {
  it.each<[string, PolygonMap]>([
    [
      'holes and obstacles',
      { polygons: [{ outline: box(0, 0, 9, 9), holes: [box(1, 1, 2, 2)] }], obstacles: [box(5, 5, 2, 2)] },
    ],
    [
      'islands in holes in islands',
      {
        polygons: [
          { outline: box(0, 0, 30, 30), holes: [box(2, 2, 26, 26)] },
          { outline: box(5, 5, 20, 20), holes: [box(7, 7, 16, 16)] },
        ],
        obstacles: [box(-9, 0, 3, 3), box(10, 10, 2, 2), box(1, 1, 1, 0.5)],
      },
    ],
    [
      'straight corners',
      {
        polygons: [
          {
            outline: [
              [0, 0],
              [4, 0],
              [9, 0],
              [9, 9],
              [0, 9],
              [0, 5],
            ],
          },
          { outline: box(20, 0, 1, 1) },
        ],
      },
    ],
  ])('accepts %s', (_, map) => {
    expect(textOfRings(disjoint(map)!)).toEqual(textOfRings(overlayAll(read(map), 'nonzero', () => undefined)));
  });

  it.each<[string, PolygonMap]>([
    [
      'a spike',
      {
        polygons: [
          {
            outline: [
              [0, 0],
              [9, 0],
              [9, 9],
              [9, 4],
              [5, 9],
            ],
          },
        ],
      },
    ],
    [
      'a corner on another edge',
      {
        polygons: [
          { outline: box(0, 0, 4, 4) },
          {
            outline: [
              [4, 2],
              [8, 0],
              [8, 4],
            ],
          },
        ],
      },
    ],
    [
      'a hole of one outline inside another',
      { polygons: [{ outline: box(0, 0, 4, 4), holes: [box(11, 1, 1, 1)] }, { outline: box(10, 0, 4, 4) }] },
    ],
    [
      'a hole that an island lies around',
      {
        polygons: [
          { outline: box(0, 0, 9, 9), holes: [box(4, 4, 1, 1), box(1, 1, 7, 7)] },
          { outline: box(3, 3, 3, 3) },
        ],
      },
    ],
    [
      'an obstacle in an obstacle',
      { polygons: [{ outline: box(0, 0, 9, 9) }], obstacles: [box(1, 1, 5, 5), box(2, 2, 1, 1)] },
    ],
    ['the same ring twice', { polygons: [{ outline: box(0, 0, 9, 9) }, { outline: box(0, 0, 9, 9) }] }],
  ])('refuses %s', (_, map) => {
    expect(disjoint(map)).toBeUndefined();
  });
});
