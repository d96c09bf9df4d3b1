/** Packed spans: equal after unpacking, and refused when damaged. */
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { expect, it } from 'vitest';
import { readLayers, writeLayers } from '../../../../src/build/voxel/obstacles/baked-layers.ts';
import type { BakeConfig } from '../../../../src/build/voxel/bake-config.ts';
import { packSpans, unpackSpans } from '../../../../src/build/voxel/obstacles/layers.ts';
import type { Heightfield } from '../../../../src/build/voxel/types.ts';
import { seeded } from '../../meshes.ts';

function randomField(random: () => number): Heightfield {
  const [width, depth] = [1 + Math.floor(40 * random()), 1 + Math.floor(40 * random())];
  const columnStart = new Int32Array(width * depth + 1);
  const spans: number[] = [];
  const rough = random() < 0.5 ? 3 : 300;
  const deep = random() < 0.2 ? 400 : 3;
  let before: number[] = [];
  for (let c = 0; c < width * depth; c++) {
    const own: number[] = random() < 0.5 ? before : [];
    let floor = Math.floor(rough * random());
    for (let k = Math.floor(deep * random()); own !== before && k > 0 && floor < 8000; k--) {
      const top = floor + 1 + Math.floor(5 * random());
      own.push((floor | (top << 13) | (Math.floor(64 * random()) << 26)) >>> 0);
      floor = top + 1 + Math.floor(3 * random());
    }
    spans.push(...own);
    columnStart[c + 1] = spans.length;
    before = own;
  }
  const size = { cellSize: 1, cellHeight: 1, boundsMin: [0, 0, 0], boundsMax: [0, 0, 0] } as const;
  return { ...size, width, depth, columnStart, spanCount: spans.length, spans: Uint32Array.from(spans) };
}

const bytesOf = (array: Int32Array | Uint32Array): Buffer =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength);

/** Returns a column whose spans overlap, touch, are empty or not in order from the bottom up; -1: there is none. */
function unsortedColumn(columnStart: Int32Array, spans: Uint32Array): number {
  for (let c = 0; c + 1 < columnStart.length; c++) {
    let floor = 0;
    for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
      const low = spans[i] & 0x1fff;
      const high = (spans[i] >>> 13) & 0x1fff;
      if (low < floor || high <= low) return c;
      floor = high + 1;
    }
  }
  return -1;
}

it('packed spans are equal after unpacking', () => {
  const random = seeded(5);
  for (let i = 0; i < 200; i++) {
    const field = randomField(random);
    const { columnStart, spans } = unpackSpans(packSpans({ solid: field }), new Int32Array(field.columnStart.length));
    expect(Buffer.compare(bytesOf(columnStart), bytesOf(field.columnStart))).toBe(0);
    expect(Buffer.compare(bytesOf(spans), bytesOf(field.spans))).toBe(0);
  }
});

/** Damaged fields. `npm run soak` tries more. */
const DAMAGED = Number(process.env.NAVKILN_CORRUPTIONS ?? 400);

it('damaged bytes are refused or give a field that could be one, with sorted columns', () => {
  const random = seeded(6);
  let refused = 0;
  for (let i = 0; i < DAMAGED; i++) {
    const field = randomField(random);
    let bytes = packSpans({ solid: field });
    if (random() < 0.2) bytes = bytes.slice(0, Math.floor(bytes.length * random()));
    else bytes[Math.floor(bytes.length * random())] = Math.floor(256 * random());
    try {
      const { columnStart, spans } = unpackSpans(bytes, new Int32Array(field.columnStart.length));
      expect(columnStart[columnStart.length - 1]).toBe(spans.length);
      expect(unsortedColumn(columnStart, spans)).toBe(-1);
    } catch (error) {
      expect((error as Error).message).toMatch(/^the layers of a tile are damaged: /);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(DAMAGED / 4);
});

it('reads options of any length', () => {
  const outline = Array.from({ length: 50_000 }, (_, i) => [i, i * i]);
  const volumes = [{ type: 'prism' as const, outline, minY: 0, maxY: 1, area: 1 }];
  const config = { boundsMin: [0, 0, 0], boundsMax: [1, 1, 1], offset: [0, 0, 0] } as unknown as BakeConfig;
  expect(readLayers(writeLayers({ volumes: createVolumes(volumes) }, config, false, []), 'openWorld').options).toEqual({
    volumes,
  });
});
