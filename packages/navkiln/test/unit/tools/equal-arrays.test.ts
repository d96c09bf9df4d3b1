/** The comparison of arrays that test/setup.ts adds to `expect`. */
import { expect, it } from 'vitest';

it.each([
  ['numbers', Float64Array.of(1, NaN, -0), Float64Array.of(1, NaN, -0), true],
  ['a part of a buffer', Uint8Array.of(9, 1, 2).subarray(1), Uint8Array.of(1, 2), true],
  ['NaN of other bits', new Float64Array(Uint32Array.of(1, 0x7ff80000).buffer), Float64Array.of(NaN), true],
  ['plain arrays', [1, 'a', true], [1, 'a', true], true],
  ['records in arrays', [{ a: Int8Array.of(1) }], [{ a: Int8Array.of(1) }], true],
  ['zeros of other signs', Float64Array.of(0), Float64Array.of(-0), false],
  ['zeros of other signs in a plain array', [0], [-0], false],
  ['other numbers', Int32Array.of(1, 2), Int32Array.of(1, 3), false],
  ['other lengths', Int32Array.of(1), Int32Array.of(1, 0), false],
  ['other types', Int8Array.of(1), Uint8Array.of(1), false],
  ['a number and its text', [1], ['1'], false],
])('%s', (_, a, b, isEqual) => {
  if (isEqual) expect(a).toEqual(b);
  else expect(a).not.toEqual(b);
});

it('leaves gaps of arrays to toStrictEqual', () => {
  const withGap: number[] = [1];
  withGap.length = 2;
  expect(withGap).not.toStrictEqual([1, undefined]);
});
