import { describe, expect, it } from 'vitest';
import { checkTwoSided, orientTwoSided } from '../../../../src/base/data/two-sided.ts';

/** Facing up, facing down, upright, without area, with a corner that is no number. */
const positions = [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, NaN, 0, 0];
const indices = [0, 1, 2, 0, 2, 1, 0, 3, 2, 0, 1, 1, 0, 4, 1];

describe('orientTwoSided', () => {
  it('reverses two-sided triangles that face down, and no others', () => {
    const up = [0, 1, 2, 0, 1, 2, 0, 3, 2, 0, 1, 1, 0, 4, 1];
    expect([...orientTwoSided(positions, indices, true)]).toEqual(up);
    expect([...orientTwoSided(positions, indices, [1, 1, 1, 1, 1])]).toEqual(up);
    expect([...orientTwoSided(positions, indices, [1, 0, 1, 1, 1])]).toEqual(indices);
  });

  it('returns what it was given when nothing is two-sided, and copies otherwise', () => {
    expect(orientTwoSided(positions, indices, undefined)).toBe(indices);
    expect(orientTwoSided(positions, indices, false)).toBe(indices);
    expect(orientTwoSided(positions, undefined, undefined)).toBe(undefined);
    const before = [...indices];
    orientTwoSided(positions, indices, true);
    expect(indices).toEqual(before);
  });

  it('takes triangles without indices', () => {
    expect([...orientTwoSided([0, 0, 0, 1, 0, 0, 0, 0, 1], undefined, true)!]).toEqual([0, 2, 1]);
  });
});

it('checkTwoSided accepts booleans and one value per triangle', () => {
  for (const good of [undefined, true, false, [1, 0], Uint8Array.of(0, 1)]) {
    expect(() => checkTwoSided('f', 'input', good, 2)).not.toThrow();
  }
  for (const bad of [null, 1, 'ab', [1], [1, 2, 3], {}]) {
    expect(() => checkTwoSided('f', 'input', bad, 2)).toThrow(
      /^f: input\.twoSided is .*; must be true, false or 2 values, one per triangle$/,
    );
  }
});

it('refuses fractional indices, which a copy would cut off', () => {
  expect(() => orientTwoSided([0, 0, 0, 0, 0, 1, 1, 0, 0], [0, 1.5, 2], true)).toThrow(
    /orientTwoSided: indices\[1\] is 1.5; must be a whole number/,
  );
});
