/**
 * The same map in other units: where the corridor is the same, the path must be the same. Scaled by a thousandth,
 * corners in a row are in a row only up to rounding. The named case is a query in which the far end of an opening was
 * once taken before the near one.
 */
import { expect, it } from 'vitest';
import { findPath } from '../../src/query/path/find-path.ts';
import { meshOf, seeded } from '../unit/meshes.ts';
import { PARTS, meshTileOf, randomMap } from '../unit/query/optimal-oracle.ts';

const SHAPE = [2, 1, 0, 1] as const;
const SEED = 8;
const QUERIES = 200;

/** Strings of all queries, in units of the map at scale 1. */
function strings(scale: number): { polys: string; length: number }[] {
  const random = seeded(SEED);
  const below = (n: number): number => Math.floor(random() * n);
  const map = randomMap(random, 3 + below(6), 3 + below(6), 0.5 + 0.4 * random());
  const mesh = meshOf(meshTileOf(map, SHAPE, random, [0, 0.5, 0.9][below(3)], [0, 0.5][below(2)], scale, 0));
  const isOpen = (x: number, z: number): boolean =>
    [x % PARTS ? 0 : -1, 0].some((dx) =>
      [z % PARTS ? 0 : -1, 0].some((dz) => map.isOpen(Math.floor(x / PARTS) + dx, Math.floor(z / PARTS) + dz)),
    );
  const place = (): number[] => {
    const step = [1, PARTS / 2, PARTS][below(3)];
    for (;;) {
      const [x, z] = [below(map.width * PARTS + 1), below(map.depth * PARTS + 1)].map((v) => v - (v % step)) as [
        number,
        number,
      ];
      if (isOpen(x, z))
        return [((SHAPE[0] * x + SHAPE[1] * z) / PARTS) * scale, 0, ((SHAPE[2] * x + SHAPE[3] * z) / PARTS) * scale];
    }
  };
  return Array.from({ length: QUERIES }, () => {
    const path = findPath(mesh, place(), place(), { halfExtents: 1e-6 * scale });
    return { polys: `${path.status} ${path.polys.join()}`, length: path.length / scale };
  });
}

it('a corner in a row with a portal, up to rounding (query 16)', () => {
  const one = strings(1);
  const small = strings(0.001);
  expect(small[16].polys).toBe(one[16].polys);
  expect(small[16].length).toBeCloseTo(one[16].length, 6);
});
