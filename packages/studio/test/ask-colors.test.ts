/** The colors of query results, compared by lightness alone. */
import { describe, expect, it } from 'vitest';
import { RAMP, rampColor } from '../src/tools/query/ramp.ts';
import { colorsOf } from '../src/view/marks.ts';
import { DARK, LIGHT, bytesOf } from '../src/view/palette.ts';

/** CIE L*. */
function lightness(color: string): number {
  const [red, green, blue] = bytesOf(color).map((byte) => {
    const value = byte / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const y = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return y > 0.008856 ? 116 * y ** (1 / 3) - 16 : 903.3 * y;
}

describe('the colors of query results', () => {
  it('higher costs are visibly lighter', () => {
    const values = RAMP.map(lightness);
    for (let i = 1; i < values.length; i++) expect(values[i] - values[i - 1]).toBeGreaterThan(8);
    const fine = Array.from({ length: 101 }, (_, i) => lightness(rampColor(i / 100)));
    for (let i = 1; i < fine.length; i++) expect(fine[i]).toBeGreaterThan(fine[i - 1]);
    expect([rampColor(-1), rampColor(2)]).toEqual([rampColor(0), rampColor(1)]);
  });

  it('lines contrast with their halo, and obstructions with paths', () => {
    for (const palette of [LIGHT, DARK]) {
      const { halo, main, second, third, trouble, faint } = colorsOf(palette);
      for (const color of [main, second, third, trouble, faint]) {
        expect(Math.abs(lightness(color) - lightness(halo))).toBeGreaterThan(40);
      }
      expect(Math.abs(lightness(main) - lightness(third))).toBeGreaterThan(6);
      expect(Math.abs(lightness(main) - lightness(trouble))).toBeGreaterThan(6);
    }
  });
});
