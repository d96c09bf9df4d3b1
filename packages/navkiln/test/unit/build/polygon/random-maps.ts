/** Makes seeded small maps of many kinds, with more degenerate cases than the scenes have. */
import type { PolygonMap } from '../../../../src/build/polygon/options.ts';
import { seeded } from '../../meshes.ts';

type P = [number, number];
export const KINDS = [
  'grid',
  'rotated',
  'overlapping',
  'shared-vertices',
  'coast',
  'spiral',
  'comb',
  'self-crossing',
  'nested',
  'tiny-grid',
] as const;
export type Kind = (typeof KINDS)[number];

export function randomMap(kind: Kind, seed: number): PolygonMap {
  const random = seeded(seed);
  const int = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  const box = (x: number, y: number, w: number, h: number): P[] => [
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
  ];
  const ngon = (x: number, y: number, r: number, n: number, rough = 0): P[] => {
    const turn = 7 * random();
    const ring = Array.from({ length: n }, (_, k): P => {
      const size = r * (1 - rough * random()),
        angle = turn + (2 * Math.PI * k) / n;
      return [x + size * Math.cos(angle), y + size * Math.sin(angle)];
    });
    return random() < 0.5 ? ring.reverse() : ring;
  };
  const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
  switch (kind) {
    case 'grid':
      return {
        polygons: [{ outline: box(0, 0, 16, 16) }],
        obstacles: many(int(1, 30), () => box(int(-1, 15), int(-1, 15), int(1, 4), int(1, 4))),
      };
    case 'rotated':
      return {
        polygons: [{ outline: box(0, 0, 100, 100) }],
        obstacles: many(int(1, 20), () => ngon(100 * random(), 100 * random(), 6, int(3, 8))),
      };
    case 'overlapping':
      return {
        polygons: many(int(1, 4), () => ({ outline: ngon(60 * random(), 60 * random(), 40, int(3, 9), 0.4) })),
        obstacles: many(int(0, 20), () => ngon(80 * random() - 10, 80 * random() - 10, 10, int(3, 8), 0.8)),
      };
    case 'shared-vertices': {
      // Triangles and squares with corners on a lattice, so that many holes meet in points.
      const holes = many(int(2, 14), (): P[] => {
        const x = 2 * int(1, 7),
          y = 2 * int(1, 7);
        return random() < 0.5
          ? [
              [x, y],
              [x + 2, y],
              [x, y + 2],
            ]
          : [
              [x, y],
              [x + 2, y + 2],
              [x, y + 2],
            ];
      });
      return { polygons: [{ outline: box(0, 0, 18, 18), holes }] };
    }
    case 'coast': {
      let ring: P[] = [
        [100, 0],
        [0, 100],
        [-100, 0],
        [0, -100],
      ];
      const size = int(20, 300);
      while (ring.length < size) {
        ring = ring.flatMap((a, i): P[] => {
          const b = ring[(i + 1) % ring.length],
            shift = 0.4 * (random() - 0.5);
          return [a, [(a[0] + b[0]) / 2 + (b[1] - a[1]) * shift, (a[1] + b[1]) / 2 - (b[0] - a[0]) * shift]];
        });
      }
      return {
        polygons: [
          { outline: ring, holes: many(int(0, 4), () => ngon(60 * random() - 30, 60 * random() - 30, 8, int(3, 12))) },
        ],
      };
    }
    case 'spiral': {
      const steps = int(20, 120),
        width = 0.5 + 3 * random();
      const side = (from: number): P[] =>
        Array.from({ length: steps + 1 }, (_, k) => {
          const r = from + k / 6,
            angle = (2 * Math.PI * k) / 24;
          return [r * Math.cos(angle), r * Math.sin(angle)];
        });
      return { polygons: [{ outline: [...side(4 + width), ...side(4).reverse()] }] };
    }
    case 'comb': {
      const teeth = int(2, 30);
      const up = Array.from({ length: teeth }, (_, k): P[] => [
        [3 * k, 50 * random() + 2],
        [3 * k + 1, 50],
        [3 * k + 2, 1],
        [3 * k + 3, 1],
      ]).flat();
      return {
        polygons: [{ outline: [[0, 0], [3 * teeth, 0], ...up.reverse()] }],
        obstacles: many(int(0, 5), () => box(int(0, 60), int(-5, 45), 5, 5)),
      };
    }
    case 'self-crossing':
      return {
        polygons: many(int(1, 2), () => ({ outline: many(int(4, 14), (): P => [int(0, 40), int(0, 40)]) })),
        obstacles: many(int(0, 3), () => many(int(3, 7), (): P => [40 * random(), 40 * random()])),
      };
    case 'nested': {
      const polygons = Array.from({ length: int(1, 5) }, (_, k) => ({
        outline: ngon(0, 0, 100 / (k + 1), int(5, 16)),
        holes: [ngon(0, 0, 75 / (k + 1), int(4, 9))],
      }));
      return { polygons };
    }
    case 'tiny-grid':
      // The worst case: most crossings are off the grid with which these maps are built (a gridSize of 1).
      return { polygons: many(int(1, 3), () => ({ outline: many(int(3, 12), (): P => [int(0, 9), int(0, 9)]) })) };
  }
}
