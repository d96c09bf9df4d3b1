import { describe, expect, it } from 'vitest';
import {
  advancePathWalker,
  createPathWalker,
  restartPathWalker,
  setPathWalkerPoints,
} from '../../../src/query/path/path-walker.ts';
import { seeded } from '../meshes.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261121) >>> 0;
const CORNER = [
  [0, 0],
  [3, 0],
  [3, 4],
  [3, 4],
  [0, 4],
];

/** Returns the position at a distance along the points, segment by segment. */
function positionAt(points: number[][], distance: number): number[] {
  let left = distance;
  for (let i = 1; i < points.length; i++) {
    const a = points[i - 1];
    const b = points[i];
    const length = Math.hypot(...b.map((value, k) => value - a[k]));
    if (left <= length && length > 0) return a.map((value, k) => value + (left / length) * (b[k] - value));
    left -= length;
  }
  return points[points.length - 1];
}

describe('path walker', () => {
  it('moves at its speed, meets corners exactly and ends exactly', () => {
    const walker = createPathWalker(CORNER, 2);
    expect(walker).toMatchObject({ length: 10, distance: 0, done: false, next: 1 });
    expect([[...walker.position], [...walker.direction]]).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(advancePathWalker(walker, 1)).toBe(0);
    expect([...walker.position]).toEqual([2, 0]);
    advancePathWalker(walker, 0.5);
    expect([[...walker.position], [...walker.direction], walker.next]).toEqual([[3, 0], [0, 1], 2]);
    advancePathWalker(walker, 2);
    // The segment without length is skipped.
    expect([[...walker.position], [...walker.direction], walker.next]).toEqual([[3, 4], [-1, 0], 4]);
    expect(walker.done).toBe(false);
    expect(advancePathWalker(walker, 2)).toBe(0.5);
    expect(walker).toMatchObject({ done: true, distance: 10 });
    expect([[...walker.position], [...walker.direction]]).toEqual([
      [0, 4],
      [-1, 0],
    ]);
    expect(advancePathWalker(walker, 7)).toBe(7);
    restartPathWalker(walker);
    expect([[...walker.position], walker.done, walker.distance]).toEqual([[0, 0], false, 0]);
  });

  it('moves in 3D, in steps of any length, with a speed that changes', () => {
    const walker = createPathWalker(
      [
        [0, 0, 0],
        [2, 3, 6],
      ],
      7,
    );
    advancePathWalker(walker, 0.5);
    expect([...walker.position]).toEqual([1, 1.5, 3]);
    expect([...walker.direction]).toEqual([2 / 7, 3 / 7, 6 / 7]);
    walker.speed = 1;
    advancePathWalker(walker, 3);
    expect(walker.distance).toBe(6.5);
    walker.speed = 0;
    expect(advancePathWalker(walker, 1e9)).toBe(0);
    expect(advancePathWalker(walker, Infinity)).toBe(0);
    expect([walker.distance, walker.done]).toEqual([6.5, false]);
    walker.speed = Number.MAX_VALUE;
    expect(advancePathWalker(walker, Number.MAX_VALUE)).toBe(Number.MAX_VALUE);
    expect([[...walker.position], walker.done]).toEqual([[2, 3, 6], true]);
  });

  it('takes paths without length and of one point, and can switch paths', () => {
    for (const points of [
      [[1, 2]],
      [
        [1, 2],
        [1, 2],
      ],
      [
        [1, 2],
        [1, 2],
        [1, 2],
      ],
    ]) {
      const walker = createPathWalker(points, 3);
      expect(walker).toMatchObject({ done: true, length: 0 });
      expect([[...walker.position], [...walker.direction]]).toEqual([
        [1, 2],
        [0, 0],
      ]);
      expect(advancePathWalker(walker, 2)).toBe(2);
      setPathWalkerPoints(walker, [Float64Array.of(0, 0, 0), Float64Array.of(0, 4, 0)]);
      expect(walker).toMatchObject({ done: false, length: 4, dimensions: 3 });
      setPathWalkerPoints(walker, [
        [5, 5],
        [5, 6],
      ]);
      expect([[...walker.position], [...walker.direction], walker.length]).toEqual([[5, 5], [0, 1], 1]);
    }
    const begins = createPathWalker(
      [
        [0, 0],
        [0, 0],
        [2, 0],
        [2, 0],
      ],
      1,
    );
    expect([[...begins.direction], begins.done]).toEqual([[1, 0], false]);
    advancePathWalker(begins, 5);
    expect([[...begins.position], [...begins.direction], begins.done]).toEqual([[2, 0], [1, 0], true]);
  });

  it(`has the same position however time is divided; seed ${SEED}`, () => {
    const random = seeded(SEED);
    for (let run = 0; run < 300; run++) {
      const dimensions = random() < 0.5 ? 2 : 3;
      const scale = [1e-3, 1, 1e5][Math.floor(random() * 3)];
      const points: number[][] = [];
      const count = 2 + Math.floor(random() * 20);
      while (points.length < count) {
        const again = points.length > 0 && random() < 0.2;
        points.push(
          again ? [...points[points.length - 1]] : Array.from({ length: dimensions }, () => (random() - 0.5) * scale),
        );
      }
      const speed = scale * (0.01 + random());
      const one = createPathWalker(points, speed);
      const total = (one.length / speed) * (0.2 + random());
      const left = advancePathWalker(one, total);
      expect(one.done).toBe(left > 0 || total >= one.length / speed);
      if (!one.done) {
        expect(one.distance).toBe(speed * total);
        const there = positionAt(points, one.distance);
        one.position.forEach((value, k) => expect(Math.abs(value - there[k])).toBeLessThan(1e-12 * scale));
      } else {
        expect([...one.position]).toEqual(points[points.length - 1]);
        expect(left).toBeCloseTo(total - one.length / speed, 9);
      }
      if (one.length > 0) expect(Math.hypot(...one.direction)).toBeCloseTo(1, 14);
      // The same time in many steps.
      const many = createPathWalker(points, speed);
      const slices = 1 + Math.floor(random() * (run % 10 === 0 ? 5000 : 50));
      let rest = total;
      let after = 0;
      for (let i = slices; i > 0; i--) {
        const slice = i === 1 ? rest : (random() * 2 * rest) / i;
        if (slice > rest) continue;
        after += advancePathWalker(many, slice);
        rest -= slice;
      }
      expect(Math.abs(many.distance - one.distance)).toBeLessThanOrEqual(1e-14 * one.length);
      expect(Math.abs(after - left)).toBeLessThanOrEqual(1e-12 * total);
      many.position.forEach((value, k) => expect(Math.abs(value - one.position[k])).toBeLessThan(1e-12 * scale));
    }
  });

  it('does not drift in a million frames', () => {
    const walker = createPathWalker(
      [
        [0, 0],
        [1e6, 0],
      ],
      0.1,
    );
    for (let i = 0; i < 1_000_000; i++) advancePathWalker(walker, 0.1);
    expect(Math.abs(walker.position[0] - 1e6 * (0.1 * 0.1))).toBeLessThan(2e-12);
  });

  it('never decreases the distance traveled', () => {
    const walker = createPathWalker(
      [
        [0, 0],
        [1e16, 0],
        [1e16 + 4, 1],
        [0, 0],
      ],
      1e16 / 3,
    );
    for (let before = -1; !walker.done; advancePathWalker(walker, 0.01)) {
      expect(walker.distance).toBeGreaterThan(before);
      before = walker.distance;
    }
    expect([...walker.position]).toEqual([0, 0]);
  });

  it.each([
    [() => createPathWalker([], 1), TypeError, 'createPathWalker: points is []; must be an array of one point or more'],
    [() => createPathWalker(undefined as never, 1), TypeError, 'createPathWalker: points is undefined'],
    [() => createPathWalker([[0]], 1), TypeError, 'createPathWalker: points[0] is [0]; must be [x, y] or [x, y, z]'],
    [
      () =>
        createPathWalker(
          [
            [0, 0],
            [0, 0, 0],
          ],
          1,
        ),
      TypeError,
      'createPathWalker: points[1] is [0, 0, 0]',
    ],
    [
      () =>
        createPathWalker(
          [
            [0, 0],
            [0, NaN],
          ],
          1,
        ),
      TypeError,
      'createPathWalker: points[1] is [0, NaN]',
    ],
    [() => createPathWalker([[0, 0], null as never], 1), TypeError, 'createPathWalker: points[1] is null'],
    [
      () =>
        createPathWalker(
          [
            [0, 0],
            [1e200, 0],
          ],
          1,
        ),
      RangeError,
      'createPathWalker: the length of points is Infinity',
    ],
    [() => createPathWalker([[0, 0]], -1), RangeError, 'createPathWalker: speed is -1; must be world units per second'],
    [() => createPathWalker([[0, 0]], Infinity), RangeError, 'createPathWalker: speed is Infinity'],
    [
      () => advancePathWalker(createPathWalker(CORNER, 1), -1),
      RangeError,
      'advancePathWalker: seconds is -1; must be finite and >= 0',
    ],
    [() => advancePathWalker(createPathWalker(CORNER, 1), NaN), RangeError, 'advancePathWalker: seconds is NaN'],
    [
      () => advancePathWalker({ ...createPathWalker(CORNER, 1), speed: NaN }, 1),
      RangeError,
      'advancePathWalker: walker.speed is NaN',
    ],
  ])('refuses bad arguments (%#)', (call, type, message) => {
    expect(call).toThrow(type);
    expect(call).toThrow(message);
  });
});
