/** Masks as 2D maps: each pixel is inside the map when it is free, with any number of channels; gray, transparent and empty masks. */
import { describe, expect, it } from 'vitest';
import type { ParsedMap, ParsedRing } from '../../../src/formats/maps/map.ts';
import { polygonsFromMask } from '../../../src/formats/maps/mask.ts';
import { seeded } from '../meshes.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261128) >>> 0;

/** Returns whether a point is in a polygon of a map and in none of its holes. */
function isInside({ polygons }: ParsedMap, x: number, y: number): boolean {
  const isIn = (ring: ParsedRing): boolean =>
    ring.reduce((inside, [ax, ay], k) => {
      const [bx, by] = ring[(k + 1) % ring.length]!;
      return ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax) ? !inside : inside;
    }, false);
  return polygons.some(({ outline, holes }) => isIn(outline) && !holes.some(isIn));
}

describe(`masks, seed ${SEED}`, () => {
  it.each([
    ['gray', 1, Uint8Array],
    ['gray and alpha', 2, Uint8Array],
    ['RGB', 3, Uint8ClampedArray],
    ['RGBA', 4, Uint8ClampedArray],
    ['gray of 16 bits', 1, Uint16Array],
    ['RGBA of 16 bits', 4, Uint16Array],
  ] as const)('%s: a pixel is inside where it is bright and opaque', (_, channels, Type) => {
    const random = seeded(SEED + channels);
    const [width, height, scale, threshold] = [13, 9, 0.25, 0.6];
    const white = Type === Uint16Array ? 65535 : 255;
    const data = new Type(width * height * channels);
    for (let i = 0; i < data.length; i++) data[i] = Math.round(white * random());
    for (let i = 0; i < data.length; i += channels) if (random() < 0.5) data.fill(white, i, i + channels);
    const map = polygonsFromMask({ width, height, data }, { threshold, scale, origin: [10, -5] });
    expect(map.yAxis).toBe('down');
    for (let j = 0; j < height; j++) {
      for (let i = 0; i < width; i++) {
        const pixel = Array.from(data.subarray((j * width + i) * channels, (j * width + i + 1) * channels));
        const [r, g, b] = channels < 3 ? [pixel[0]!, pixel[0]!, pixel[0]!] : (pixel as [number, number, number]);
        const isFree =
          0.2126 * r + 0.7152 * g + 0.0722 * b >= threshold * white &&
          (channels % 2 === 1 || pixel.at(-1)! >= white / 2);
        expect(isInside(map, 10 + (i + 0.5) * scale, -5 + (j + 0.5) * scale), `${i}, ${j}`).toBe(isFree);
      }
    }
  });

  it('reports gray and open masks, and refuses those without a free pixel', () => {
    const gray = polygonsFromMask({ width: 4, height: 1, data: Uint8Array.of(0, 120, 140, 255) });
    expect(gray.warnings).toMatchObject([{ code: 'mask-gray', count: 2 }]);
    expect(gray.warnings[0]!.message).toContain('2 pixels (50 %) are neither white nor black');
    expect(gray.warnings[0]!.message).toContain('50 % of all');
    expect(polygonsFromMask({ width: 1, height: 1, data: Uint8Array.of(255) }).warnings).toMatchObject([
      { code: 'nothing-blocks' },
    ]);
    expect(polygonsFromMask({ width: 2, height: 1, data: Uint8Array.of(0, 255) }).warnings).toEqual([]);
    expect(() => polygonsFromMask({ width: 1, height: 1, data: Uint8Array.of(255, 0) }, { name: 'a.png' })).toThrow(
      'polygonsFromMask: a.png: has no free pixel: all 1 block, 1 of them since they are transparent',
    );
  });

  it('refuses sizes that do not fit, and other wrong arguments', () => {
    expect(() => polygonsFromMask({ width: 2, height: 2, data: new Uint8Array(5) })).toThrow(
      /pixels\.data\.length is 5/,
    );
    expect(() => polygonsFromMask({ width: 0, height: 2, data: new Uint8Array(0) })).toThrow(/pixels\.width is 0/);
    expect(() => polygonsFromMask({ width: 1, height: 1, data: [1] as never })).toThrow(/pixels\.data/);
    expect(() => polygonsFromMask({ width: 1, height: 1, data: Uint8Array.of(1) }, { threshold: 200 })).toThrow(
      'polygonsFromMask: options.threshold is 200; must be a share of white, above 0 and at most 1',
    );
  });
});
