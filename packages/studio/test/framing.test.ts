/** Camera placement: everything is in the window, as near as possible. */
import { describe, expect, it } from 'vitest';
import { frameBesideCard, frameCorners } from '../src/view/framing.ts';
import type { Place } from '../src/view/framing.ts';

const SEED = 20261121;

describe('framing', () => {
  it('shows every corner in the window, and no nearer camera does', () => {
    let state = SEED;
    const random = (low: number, high: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return low + (state / 2 ** 32) * (high - low);
    };
    for (let round = 0; round < 500; round++) {
      const corners = Array.from({ length: 8 }, (): Place => [random(-20, 20), random(-20, 20), random(-10, 10)]);
      const x = [random(-1, 0.2), random(0.4, 1)] as const;
      const y = [random(-1, -0.1), random(0, 0.6)] as const;
      const [a, b, d] = frameCorners(corners, x, y, 0.1);
      const fits = (far: number, u: number, v: number): boolean =>
        corners.every(([cx, cy, cz]) => {
          const [s, t] = [(cx - u) / (far - cz), (cy - v) / (far - cz)];
          return far > cz && s > x[0] - 1e-9 && s < x[1] + 1e-9 && t > y[0] - 1e-9 && t < y[1] + 1e-9;
        });
      expect(fits(d, a, b), `seed ${SEED}, round ${round}`).toBe(true);
      // No other camera position allows a smaller distance.
      for (let i = 0; i < 20; i++) {
        expect(
          fits(0.98 * d, a + random(-1, 1) * d * 0.1, b + random(-1, 1) * d * 0.1),
          `seed ${SEED}, round ${round}`,
        ).toBe(false);
      }
    }
  });

  it('avoids the part that a card covers, unless it covers nearly everything', () => {
    const corners = [-1, 1].flatMap((x) => [-1, 1].map((y): Place => [1.8 * x, y, 0]));
    const view = { width: 1000, height: 500 };
    const at = (card: { width: number; height: number }): Place =>
      frameBesideCard(corners, { view, card, tangents: [2, 1], rim: 0, least: 0.1 });
    const shares = ([a, b, d]: Place): number[] => [
      (1 + (-1.8 - a) / d / 2) / 2,
      (1 + (1.8 - a) / d / 2) / 2,
      (1 - (1 - b) / d) / 2,
    ];
    expect(at({ width: 0, height: 0 })).toEqual([0, 0, 1]);
    // Right of a tall card; below a wide card.
    const beside = at({ width: 300, height: 400 });
    expect(beside[2]).toBeCloseTo(0.9 / 0.7, 9);
    expect(shares(beside)[0]).toBeGreaterThanOrEqual(0.3);
    const below = at({ width: 800, height: 100 });
    expect(below[2]).toBeCloseTo(1.25, 9);
    expect(shares(below)[2]).toBeCloseTo(0.2, 9);
    // Right of a card as tall as the view, which nothing fits below.
    expect(at({ width: 300, height: 495 })).toEqual(beside);
    expect(at({ width: 950, height: 490 })).toEqual([0, 0, 1]);
  });
});
