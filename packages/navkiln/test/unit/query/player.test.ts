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

/** Where one is after a way along the points, by walking stretch after stretch. */
function oracle(points: number[][], way: number): number[] {
  let left = way;
  for (let i = 1; i < points.length; i++) {
    const a = points[i - 1],
      b = points[i];
    const length = Math.hypot(...b.map((value, k) => value - a[k]));
    if (left <= length && length > 0) return a.map((value, k) => value + (left / length) * (b[k] - value));
    left -= length;
  }
  return points[points.length - 1];
}

describe('player', () => {
  it('walks at its speed, meets corners exactly, ends exactly', () => {
    const player = createPathWalker(CORNER, 2);
    expect(player).toMatchObject({ length: 10, distance: 0, done: false, next: 1 });
    expect([[...player.position], [...player.direction]]).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(advancePathWalker(player, 1)).toBe(0);
    expect([...player.position]).toEqual([2, 0]);
    advancePathWalker(player, 0.5);
    expect([[...player.position], [...player.direction], player.next]).toEqual([[3, 0], [0, 1], 2]);
    advancePathWalker(player, 2);
    // The stretch without a length is passed over.
    expect([[...player.position], [...player.direction], player.next]).toEqual([[3, 4], [-1, 0], 4]);
    expect(player.done).toBe(false);
    expect(advancePathWalker(player, 2)).toBe(0.5);
    expect(player).toMatchObject({ done: true, distance: 10 });
    expect([[...player.position], [...player.direction]]).toEqual([
      [0, 4],
      [-1, 0],
    ]);
    expect(advancePathWalker(player, 7)).toBe(7);
    restartPathWalker(player);
    expect([[...player.position], player.done, player.distance]).toEqual([[0, 0], false, 0]);
  });

  it('in space; over slices; speed changed on the way', () => {
    const player = createPathWalker(
      [
        [0, 0, 0],
        [2, 3, 6],
      ],
      7,
    );
    advancePathWalker(player, 0.5);
    expect([...player.position]).toEqual([1, 1.5, 3]);
    expect([...player.direction]).toEqual([2 / 7, 3 / 7, 6 / 7]);
    player.speed = 1;
    advancePathWalker(player, 3);
    expect(player.distance).toBe(6.5);
    player.speed = 0;
    expect(advancePathWalker(player, 1e9)).toBe(0);
    expect(advancePathWalker(player, Infinity)).toBe(0);
    expect([player.distance, player.done]).toEqual([6.5, false]);
    player.speed = Number.MAX_VALUE;
    expect(advancePathWalker(player, Number.MAX_VALUE)).toBe(Number.MAX_VALUE);
    expect([[...player.position], player.done]).toEqual([[2, 3, 6], true]);
  });

  it('paths without length, of one point; another path', () => {
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
      const player = createPathWalker(points, 3);
      expect(player).toMatchObject({ done: true, length: 0 });
      expect([[...player.position], [...player.direction]]).toEqual([
        [1, 2],
        [0, 0],
      ]);
      expect(advancePathWalker(player, 2)).toBe(2);
      setPathWalkerPoints(player, [Float64Array.of(0, 0, 0), Float64Array.of(0, 4, 0)]);
      expect(player).toMatchObject({ done: false, length: 4, dimensions: 3 });
      setPathWalkerPoints(player, [
        [5, 5],
        [5, 6],
      ]);
      expect([[...player.position], [...player.direction], player.length]).toEqual([[5, 5], [0, 1], 1]);
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

  it(`however time is cut, the place is the same; seed ${SEED}`, () => {
    const random = seeded(SEED);
    for (let run = 0; run < 300; run++) {
      const dimensions = random() < 0.5 ? 2 : 3,
        scale = [1e-3, 1, 1e5][Math.floor(random() * 3)];
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
        const there = oracle(points, one.distance);
        one.position.forEach((value, k) => expect(Math.abs(value - there[k])).toBeLessThan(1e-12 * scale));
      } else {
        expect([...one.position]).toEqual(points[points.length - 1]);
        expect(left).toBeCloseTo(total - one.length / speed, 9);
      }
      if (one.length > 0) expect(Math.hypot(...one.direction)).toBeCloseTo(1, 14);
      // The same time in slices.
      const many = createPathWalker(points, speed);
      const slices = 1 + Math.floor(random() * (run % 10 === 0 ? 5000 : 50));
      let rest = total,
        after = 0;
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

  it('a million frames drift by nothing', () => {
    const player = createPathWalker(
      [
        [0, 0],
        [1e6, 0],
      ],
      0.1,
    );
    for (let i = 0; i < 1_000_000; i++) advancePathWalker(player, 0.1);
    expect(Math.abs(player.position[0] - 1e6 * (0.1 * 0.1))).toBeLessThan(2e-12);
  });

  it('on a path with length, the way walked never goes back', () => {
    const player = createPathWalker(
      [
        [0, 0],
        [1e16, 0],
        [1e16 + 4, 1],
        [0, 0],
      ],
      1e16 / 3,
    );
    for (let before = -1; !player.done; advancePathWalker(player, 0.01)) {
      expect(player.distance).toBeGreaterThan(before);
      before = player.distance;
    }
    expect([...player.position]).toEqual([0, 0]);
  });

  it.each([
    [() => createPathWalker([], 1), TypeError, 'setPlayerPath: the path has no points'],
    [() => createPathWalker(undefined as never, 1), TypeError, 'setPlayerPath: the path is undefined'],
    [() => createPathWalker([[0]], 1), TypeError, 'setPlayerPath: point 0 is [0]; give [x, y] or [x, y, z]'],
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
      'setPlayerPath: point 1 is [0, 0, 0]',
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
      'setPlayerPath: point 1 is [0, NaN]',
    ],
    [() => createPathWalker([[0, 0], null as never], 1), TypeError, 'setPlayerPath: point 1 is null'],
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
      'setPlayerPath: the path is longer',
    ],
    [
      () => createPathWalker([[0, 0]], -1),
      RangeError,
      'createPlayer: speed is -1; give world units a second, 0 or more',
    ],
    [() => createPathWalker([[0, 0]], Infinity), RangeError, 'createPlayer: speed is Infinity'],
    [
      () => advancePathWalker(createPathWalker(CORNER, 1), -1),
      RangeError,
      'advancePlayer: seconds is -1; give a number, 0 or more',
    ],
    [() => advancePathWalker(createPathWalker(CORNER, 1), NaN), RangeError, 'advancePlayer: seconds is NaN'],
    [
      () => advancePathWalker({ ...createPathWalker(CORNER, 1), speed: NaN }, 1),
      RangeError,
      'advancePlayer: speed is NaN',
    ],
  ])('%# is refused', (call, type, message) => {
    expect(call).toThrow(type);
    expect(call).toThrow(message);
  });
});
