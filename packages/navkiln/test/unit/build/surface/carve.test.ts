/** Cutting a shape by many others: the same pieces however they are found, and no limit that ordinary clutter reaches. */
import { describe, expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../../../src/base/data/random.ts';
import { carve } from '../../../../src/build/surface/shapes/carve.ts';
import { loadCut, subtractShape } from '../../../../src/build/surface/shapes/convex.ts';
import type { Shape } from '../../../../src/build/surface/shapes/convex.ts';
import { forEachNear } from '../../../../src/build/surface/shapes/near-segments.ts';
import { findNearest } from '../../../../src/query/nearest/nearest.ts';
import { buildValid } from './levels.ts';

const TOLERANCE = 1e-4;
const unlimited = () => ({ limitBytes: Infinity, usedBytes: 0 });

/** Returns how far a point lies inside a counter-clockwise shape seen from above; negative outside. */
function depthIn(shape: Shape, x: number, z: number): number {
  let least = Infinity;
  shape.forEach(([ax, az], k) => {
    const [bx, bz] = shape[(k + 1) % shape.length];
    least = Math.min(least, ((bz - az) * (x - ax) - (bx - ax) * (z - az)) / Math.hypot(bx - ax, bz - az));
  });
  return least;
}

describe('carve', () => {
  it.each([11, 12])('leaves what no cut covers, in one piece each, as a plain list of pieces does, seed %i', (seed) => {
    const random = createRandom(seed);
    const next = (low: number, high: number) => low + (high - low) * nextRandom(random);
    const whole: Shape = [
      [0, 0, 0],
      [0, 10, 0],
      [10, 10, 0],
      [10, 0, 0],
    ];
    const cuts = Array.from({ length: 160 }, (_, k) => {
      const [x, z] = [next(0, 10), next(0, 10)];
      const size = k % 20 === 0 ? 3 : 0.6;
      const shape = Array.from({ length: 3 }, () => [x + next(-size, size), z + next(-size, size), 0]);
      const [a, b, c] = shape;
      const isTurned = (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1]) < 0;
      return { shape: isTurned ? [c, b, a] : shape, isWall: false };
    });
    const pieces = carve(whole, cuts, TOLERANCE, unlimited())!;
    expect(pieces.length).toBeGreaterThan(100);

    let plain = [whole];
    for (const { shape } of cuts) {
      if (!loadCut(shape, TOLERANCE)) continue;
      const added: Shape[] = [];
      plain = plain.flatMap((piece) => {
        const parts = subtractShape(piece, TOLERANCE);
        if (parts === undefined) return [piece];
        added.push(...parts.slice(1));
        return parts.slice(0, 1);
      });
      plain.push(...added);
    }
    expect(pieces).toEqual(plain);

    for (let k = 0; k < 200; k++) {
      const [x, z] = [next(0.01, 9.99), next(0.01, 9.99)];
      const depth = Math.max(...cuts.map(({ shape }) => depthIn(shape, x, z)));
      const depths = pieces.map((piece) => depthIn(piece, x, z));
      if (depth > 0.02) expect(Math.max(...depths)).toBeLessThan(1e-3);
      if (depth < -0.02) {
        expect(depths.filter((inside) => inside > 1e-3).length).toBeLessThanOrEqual(1);
        expect(Math.max(...depths)).toBeGreaterThan(-1e-3);
      }
    }
  });

  it('takes clutter on one floor without a refusal', () => {
    const random = createRandom(3);
    const positions = [0, 0, 0, 0, 0, 16, 16, 0, 16, 16, 0, 0];
    const indices = [0, 1, 2, 0, 2, 3];
    const props: [x: number, z: number, radius: number][] = [];
    for (let k = 0; k < 16; k++) {
      const [x, z] = [2 + 4 * (k % 4), 2 + 4 * Math.floor(k / 4)];
      const radius = 0.4 + 0.5 * nextRandom(random);
      props.push([x, z, radius]);
      addBall(positions, indices, x, z, radius);
    }
    const { navMesh } = buildValid({ positions, indices }, { agent: { radius: 0 }, memoryLimitBytes: 2 ** 22 });
    for (const [x, z, radius] of props) {
      const found = (away: number) =>
        findNearest(navMesh, [x + away * radius, 0, z], { halfExtents: [0.01, 0.1, 0.01] });
      expect(found(0).ref === 0).toBe(true);
      expect(found(0.9).ref === 0).toBe(true);
      expect(found(1.1).ref === 0).toBe(false);
    }
  });
});

/** Adds a ball of 192 triangles that stands on the floor. */
function addBall(positions: number[], indices: number[], x: number, z: number, radius: number): void {
  const base = positions.length / 3;
  for (let v = 0; v <= 8; v++) {
    for (let u = 0; u < 12; u++) {
      const [a, b] = [(Math.PI * v) / 8, (Math.PI * (u + 0.3)) / 6];
      const wide = radius * Math.sin(a);
      positions.push(x + wide * Math.cos(b), 0.9 * radius + radius * Math.cos(a), z + wide * Math.sin(b));
    }
  }
  for (let v = 0; v < 8; v++) {
    for (let u = 0; u < 12; u++) {
      const [a, b] = [base + 12 * v + u, base + 12 * v + ((u + 1) % 12)];
      indices.push(a, b, a + 12, b, b + 12, a + 12);
    }
  }
}

describe('near segments', () => {
  it.each([5, 6])('are found once each, of two kinds or one, seed %i', (seed) => {
    const random = createRandom(seed);
    const count = 300;
    const segments = new Float64Array(4 * count);
    for (let i = 0; i < count; i++) {
      const size = 10 ** (3 * nextRandom(random) - 2);
      for (let c = 0; c < 4; c++)
        segments[4 * i + c] =
          (c < 2 ? 20 * nextRandom(random) - 10 : segments[4 * i + c - 2]) + size * nextRandom(random);
    }
    const reach = 0.2;
    const isNear = (i: number, j: number): boolean =>
      [0, 1].every((axis) => {
        const [a, b, c, d] = [4 * i, 4 * i + 2, 4 * j, 4 * j + 2].map((at) => segments[at + axis]);
        return Math.max(Math.min(a, b), Math.min(c, d)) - Math.min(Math.max(a, b), Math.max(c, d)) <= reach;
      });
    for (const kinds of [undefined, { from: 200, within: true }, { from: 200, within: false }]) {
      const expected: string[] = [];
      for (let i = 0; i < count; i++) {
        for (let j = i + 1; j < count; j++) {
          if (kinds !== undefined && (i >= kinds.from || (!kinds.within && j < kinds.from))) continue;
          if (isNear(i, j)) expected.push(`${i} ${j}`);
        }
      }
      const found: string[] = [];
      forEachNear(segments, reach, unlimited(), (i, j) => found.push(`${Math.min(i, j)} ${Math.max(i, j)}`) > 0, kinds);
      expect(found.sort()).toEqual(expected.sort());
    }
  });
});
