/**
 * The mesh keeps the agent's radius from walls, and no more. The oracle is the distance to walls on the mesh without
 * inset.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/base/data/random.ts';
import { findNearest } from '../../../../src/query/nearest/nearest.ts';
import { findRandomPoint } from '../../../../src/query/random/random-point.ts';
import { findDistanceToWall } from '../../../../src/query/walk/wall.ts';
import { seeded } from '../../meshes.ts';
import { buildValid, floors, isReached, soup, wall } from './levels.ts';

describe('inset', () => {
  it('shrinks a square by the radius', () => {
    const { navMesh } = buildValid(soup(floors([0, 0, 4, 4, 1])), { agent: { radius: 0.5 } });
    expect(navMesh.polyCount).toBe(1);
    const xs = Array.from({ length: 4 }, (_, v) => navMesh.vertices[3 * v]).sort();
    expect(xs).toEqual([0.5, 0.5, 3.5, 3.5]);
  });

  it('closes passages that are too narrow, and leaves other storeys unchanged', () => {
    const pair = floors([0, 0, 4, 4, 0], [4, 0, 8, 4, 0]);
    for (const [radius, isOpen] of [
      [0.49, true],
      [0.51, false],
    ] as const) {
      const build = buildValid(soup(pair, wall(4, 0, 4, 3, 0, 3)), { agent: { radius } });
      expect(isReached(build, [1, 0, 1], [7, 0, 1])).toBe(isOpen);
    }
    const storeys = buildValid(soup(floors([0, 0, 8, 8, 0], [3, 3, 5, 5, 3])), { agent: { radius: 0.5 } });
    expect(storeys.report.counts).toMatchObject({ islands: 2, polygons: 2 });
    expect(buildValid(soup(pair), { agent: { radius: 2.1 } }).report.warnings.map(({ code }) => code)).toEqual([
      'empty-result',
    ]);
  });

  it('keeps ramps above the line where the floor below ends for lack of headroom', () => {
    const sheet = [floors([-5, -5, 12, 15, 0]), floors([0, 0, 6, 10, 0, 4.2])];
    const sides = [wall(0, 0, 6, 0, 0, 0.1), wall(6, 0, 6, 10, 0, 4.2)];
    for (const parts of [sheet, [...sheet, ...sides]]) {
      for (const radius of [0.3, 0.4]) {
        const build = buildValid(soup(...parts), { agent: { radius, height: 1.7, maxClimb: 0.35 } });
        expect(isReached(build, [-2, 0, 5], [5.2, 3.64, 5])).toBe(true);
        // Under the high end of the ramp, there is room again.
        expect(isReached(build, [-2, 0, 5], [9, 0, 5])).toBe(true);
      }
    }
  });

  it.each([1, 2, 3])('keeps the radius, and no more, among walls and platforms, seed %i', (seed) => {
    const next = seeded(seed);
    const walls = Array.from({ length: 5 }, () => {
      const [x, z] = [1 + 8 * next(), 1 + 8 * next()];
      return wall(x, z, x + 3 * next() - 1.5, z + 3 * next() - 1.5, 0, 3);
    });
    const platforms = Array.from({ length: 2 }, () => {
      const [x, z] = [1 + 6 * next(), 1 + 6 * next()];
      return floors([x, z, x + 0.8, z + 1.5, 1]);
    });
    const level = soup(floors([0, 0, 5, 10, 0], [5, 0, 10, 10, 0.3]), ...walls, ...platforms);
    const radius = 0.3;
    const whole = buildValid(level).navMesh;
    const inset = buildValid(level, { agent: { radius } }).navMesh;
    const random = createRandom(seed);
    let kept = 0;
    for (let i = 0; i < 400; i++) {
      const at = findRandomPoint(inset, random).point;
      expect(findDistanceToWall(whole, at, 1).distance, at.join(', ')).toBeGreaterThan(radius - 0.01);
      const other = findRandomPoint(whole, random).point;
      if (findDistanceToWall(whole, other, 1).distance < 1.03 * radius + 0.01) continue;
      expect(findNearest(inset, other, { halfExtents: [1e-3, 0.05, 1e-3] }).found, other.join(', ')).toBe(true);
      kept++;
    }
    expect(kept).toBeGreaterThan(100);
  });
});
