/**
 * Shortest paths on maps of about 50,000 pieces: never longer than A* with a funnel, and equally long in both
 * directions. NAVKILN_OPTIMAL: number of queries.
 */
import { describe, expect, it } from 'vitest';
import { findMapScene } from 'navkiln-scenes';
import { createRandom } from '../../src/base/data/random.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const QUERIES = Number(process.env.NAVKILN_OPTIMAL ?? 0);
const MAPS: [string, number][] =
  QUERIES > 0
    ? [
        ['coast-map', 12],
        ['rubble-map', 320],
        ['grid-map', 720],
      ]
    : [['coast-map', 12]];

describe('the shortest path on a large map', () => {
  it.each(MAPS)(
    `%s, scale %i, seed ${SEED}`,
    (scene, scale) => {
      const { navMesh } = buildFromPolygons(findMapScene(scene).create(SEED, scale));
      expect(navMesh.polyCount).toBeGreaterThan(40_000);
      const random = createRandom(SEED);
      const place = (): [number, number, number] => {
        const { point } = findRandomPoint(navMesh, random)!;
        return [point[0], point[1], point[2]];
      };
      let shorter = 0;
      const count = Math.max(20, QUERIES / 200);
      for (let i = 0; i < count; i++) {
        const [a, b] = [place(), place()];
        const what = `${scene}, seed ${SEED}, ${i}: ${a} to ${b}`;
        const path = findOptimalPath(navMesh, a, b),
          back = findOptimalPath(navMesh, b, a),
          other = findPath(navMesh, a, b);
        expect([path.status, back.status], what).toEqual([other.status, other.status]);
        if (other.status !== 'complete') continue;
        expect([path.exact, back.exact], what).toEqual([true, true]);
        expect(path.length, what).toBeLessThanOrEqual(other.length * (1 + 1e-9));
        expect(Math.abs(path.length - back.length), what).toBeLessThanOrEqual(1e-9 * path.length);
        if (path.length < other.length * (1 - 1e-6)) shorter++;
      }
      // A coast without islands has no loops: what A* takes is the shortest.
      if (scene !== 'coast-map') expect(shorter).toBeGreaterThan(0);
    },
    600_000,
  );
});
