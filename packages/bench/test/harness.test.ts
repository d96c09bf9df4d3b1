import { describe, expect, it } from 'vitest';
import { createRandom, formatTable, geometricMean, measureInterleaved, ratioOf, spreadOf } from '../src/harness.ts';

describe('measureInterleaved', () => {
  it('runs each contender once per round in rotating order, and times only the measured rounds', () => {
    const order: string[] = [];
    const released: unknown[] = [];
    const contenders = ['a', 'b', 'c'].map((name) => ({
      name,
      run: () => {
        order.push(name);
        return name;
      },
      release: (result: unknown) => {
        released.push(result);
      },
    }));
    const times = measureInterleaved(contenders, { rounds: 2, warmups: 1 });
    expect(order.join('')).toBe('abcbcacab');
    expect(released).toEqual(order);
    expect(times.map((row) => row.length)).toEqual([2, 2, 2]);
    expect(times.every((row) => row.every((ms) => ms >= 0))).toBe(true);
  });
});

describe('statistics', () => {
  it('interpolates quartiles between values', () => {
    expect(spreadOf([4, 1, 3, 2])).toEqual({ q1: 1.75, median: 2.5, q3: 3.25 });
    expect(spreadOf([7])).toEqual({ q1: 7, median: 7, q3: 7 });
  });

  it('takes ratios round by round, not of the medians', () => {
    expect(ratioOf([1, 20, 3], [2, 10, 6]).median).toBe(0.5);
    expect(geometricMean([0.5, 2])).toBeCloseTo(1, 12);
  });

  it('pads tables, and repeats random numbers for a seed', () => {
    expect(
      formatTable([
        ['a', '1'],
        ['bcd', '23'],
      ]),
    ).toBe('a     1\nbcd  23');
    const [one, other] = [createRandom(3), createRandom(3)];
    for (let k = 0; k < 100; k++) {
      const value = one();
      expect(value).toBe(other());
      expect(value >= 0 && value < 1).toBe(true);
    }
    expect(createRandom(4)()).not.toBe(createRandom(3)());
  });
});
