import { describe, expect, it } from 'vitest';
import { createRandom, drawInto, nextRandom, nextUint32 } from '../../../../src/base/data/random.ts';

describe('random', () => {
  it('matches a second implementation of sfc32', () => {
    for (const seed of [0, 1, 42, 2 ** 40 + 7, -5]) {
      let [a, b, c, d] = [
        0n,
        BigInt.asUintN(32, BigInt(seed)),
        BigInt.asUintN(32, BigInt(Math.floor(seed / 2 ** 32))),
        1n,
      ];
      const word = (x: bigint): bigint => BigInt.asUintN(32, x);
      const next = (): number => {
        const t = word(a + b + d);
        d = word(d + 1n);
        a = b ^ (b >> 9n);
        b = word(c + (c << 3n));
        c = word(((c << 21n) | (c >> 11n)) + t);
        return Number(t);
      };
      for (let i = 0; i < 12; i++) next();
      const random = createRandom(seed);
      for (let i = 0; i < 100; i++) expect(nextUint32(random), `seed ${seed}`).toBe(next());
    }
  });

  it('repeats its numbers for the same seed, differs for another seed, and can be copied at any point', () => {
    const a = createRandom(7);
    const b = createRandom(7);
    const c = createRandom(8);
    let same = 0;
    for (let i = 0; i < 100; i++) {
      const value = nextRandom(a);
      expect(nextRandom(b)).toBe(value);
      if (nextRandom(c) === value) same++;
    }
    expect(same).toBe(0);
    const copy = structuredClone(a);
    expect(nextRandom(copy)).toBe(nextRandom(a));
  });

  it('is uniform: mean, variance, 64 bins and pairs (chi-square)', () => {
    const random = createRandom(1);
    const n = 200_000;
    const bins = new Float64Array(64);
    const pairs = new Float64Array(256);
    let sum = 0;
    let squares = 0;
    let last = 0;
    let outside = 0;
    for (let i = 0; i < n; i++) {
      const value = nextRandom(random);
      if (!(value >= 0 && value < 1)) outside++;
      bins[Math.floor(value * 64)]++;
      if (i > 0) pairs[16 * Math.floor(last * 16) + Math.floor(value * 16)]++;
      last = value;
      sum += value;
      squares += value * value;
    }
    const chi = (counts: Float64Array, total: number): number =>
      counts.reduce((x, count) => x + (count - total / counts.length) ** 2 / (total / counts.length), 0);
    expect(outside).toBe(0);
    expect(Math.abs(sum / n - 0.5)).toBeLessThan(0.003);
    expect(Math.abs(squares / n - 1 / 3)).toBeLessThan(0.003);
    expect(chi(bins, n)).toBeLessThan(107);
    expect(chi(pairs, n - 1)).toBeLessThan(331);
  });

  it('accepts functions, and refuses values outside of [0, 1) and seeds that are not integers', () => {
    const out = new Float64Array(3);
    drawInto(out, () => 0.25, 2);
    expect([...out]).toEqual([0.25, 0.25, 0]);
    for (const bad of [1, -0.1, NaN]) expect(() => drawInto(out, () => bad, 1)).toThrow(/\[0, 1\)/);
    for (const bad of [0.5, NaN, Infinity, 2 ** 60]) expect(() => createRandom(bad)).toThrow(/createRandom: seed/);
  });
});
