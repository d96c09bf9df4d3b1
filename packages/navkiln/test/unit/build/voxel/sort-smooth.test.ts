import { describe, expect, it } from 'vitest';
import { smoothSort } from '../../../../src/build/voxel/regions/sort-smooth.ts';

interface Item {
  key: number;
  at: number;
}

/** Keys, and the numbers of the elements after the C library that WebAssembly's builds use has sorted them by key. */
const RECORDED: [keys: number[], order: number[]][] = [
  [
    [1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  ],
  [
    [5, 5, 5, 5, 0, 0, 0, 0],
    [4, 7, 5, 6, 3, 1, 0, 2],
  ],
  [
    [2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1],
    [9, 1, 11, 3, 5, 7, 0, 6, 2, 4, 8, 10],
  ],
  [
    [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4],
    [3, 1, 16, 6, 0, 9, 15, 17, 19, 2, 8, 4, 10, 7, 13, 11, 18, 12, 5, 14],
  ],
  [
    [0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3],
    [0, 4, 8, 24, 16, 12, 20, 28, 7, 19, 3, 11, 27, 15, 23, 10, 6, 14, 2, 26, 18, 22, 21, 17, 9, 13, 5, 1, 25, 29],
  ],
];

const SEED = 20_260_721;

function sorted(keys: readonly number[]): Item[] {
  const list = keys.map((key, at) => ({ key, at }));
  smoothSort(list, (a, b) => a.key - b.key);
  return list;
}

describe('smoothSort', () => {
  it(`sorts lists of each length (seed ${SEED})`, () => {
    let state = SEED;
    const next = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
    for (let n = 0; n < 200; n++) {
      const keys = Array.from({ length: n }, () => next() % (n % 3 === 0 ? 5 : 1000));
      const result = sorted(keys);
      expect(result.map((item) => item.key)).toEqual(keys.toSorted((a, b) => a - b));
      expect(new Set(result.map((item) => item.at)).size).toBe(n);
    }
  });
  it('sorts lists that are sorted already, and reversed ones', () => {
    const up = Array.from({ length: 100 }, (_, k) => k);
    expect(sorted(up).map((item) => item.at)).toEqual(up);
    expect(sorted(up.toReversed()).map((item) => item.key)).toEqual(up);
  });
  it('orders equal keys as the C library does', () => {
    for (const [keys, order] of RECORDED) expect(sorted(keys).map((item) => item.at)).toEqual(order);
  });
});
