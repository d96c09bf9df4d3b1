import { describe, expect, it } from 'vitest';
import { checkNumbers } from '../../../../src/base/data/refuse.ts';
import { readPoint2d } from '../../../../src/base/math/point-2d.ts';
import { readPoint } from '../../../../src/base/math/point.ts';

/** An object that looks like an array of 2^31 numbers: copying it would take all memory. */
const ENDLESS = { length: 2 ** 31 };

describe('points', () => {
  it('are refused without a copy when they only have a length, whatever it is', () => {
    const out = new Float64Array(3);
    expect(() => readPoint(out, ENDLESS as never, 'f', 'start')).toThrow(
      'f: start is [undefined, undefined, undefined]; must be [x, y, z] or { x, y, z }, all finite',
    );
    expect(() => readPoint2d(ENDLESS as never, 'f', 'start')).toThrow(/^f: start is \[undefined, .*; must be/);
    expect(() => checkNumbers('f', 'input.positions', ENDLESS)).toThrow(
      'f: input.positions[2147483647] is undefined; must be a number',
    );
  });

  it.each([
    null,
    undefined,
    5,
    'x',
    Symbol('s'),
    1n,
    [1, 2],
    [1n, 0, 0],
    [Symbol('s'), 0, 0],
    ['1', '0', '1'],
    { x: 1, y: 2 },
  ])('are refused in one form: %s', (point) => {
    expect(() => readPoint(new Float64Array(3), point as never, 'f', 'end')).toThrow(
      /^f: end is .*; must be \[x, y, z\] or \{ x, y, z \}, all finite$/,
    );
  });
});
