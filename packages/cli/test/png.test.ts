/** PNG files: all color types, depths and filters, written by the encoder below; bad files; the bake of a mask. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../navkiln/test/unit/meshes.ts';
import { decodePng } from '../src/loaders/png.ts';
import { run } from './cli.ts';

const LIMIT = 2 ** 30;

function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(content.length);
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, tail]);
}

interface Picture {
  width: number;
  height: number;
  depth: number;
  color: number;
  /** One number a sample. */
  samples: readonly number[];
  filter?: number;
  extra?: Buffer[];
  isInterlaced?: boolean;
}

/** First column and row of each pass of Adam7, and the distance to the next ones. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Encodes a picture with one filter for all rows. */
function encode(picture: Picture): Buffer {
  const { width, height, depth, color, samples, extra = [], isInterlaced = false } = picture;
  const channels = samples.length / (width * height);
  const parts = isInterlaced
    ? PASSES.map(([x0, y0, stepX, stepY]) => {
        const columns = Array.from({ length: width }, (_, x) => x).filter((x) => x >= x0 && (x - x0) % stepX === 0);
        const rows = Array.from({ length: height }, (_, y) => y).filter((y) => y >= y0 && (y - y0) % stepY === 0);
        const own = rows.flatMap((y) =>
          columns.flatMap((x) => samples.slice((y * width + x) * channels, (y * width + x + 1) * channels)),
        );
        return { ...picture, width: columns.length, height: rows.length, samples: own };
      }).filter(({ samples: own }) => own.length > 0)
    : [picture];
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = depth;
  head[9] = color;
  head[12] = isInterlaced ? 1 : 0;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk('IHDR', head),
    ...extra,
    chunk('IDAT', deflateSync(Buffer.concat(parts.flatMap((part) => rowsOf(part, channels))))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns the filtered rows of a picture. */
function rowsOf({ width, height, depth, samples, filter = 0 }: Picture, channels: number): Buffer[] {
  const rowBytes = Math.ceil((width * channels * depth) / 8);
  const plain = Array.from({ length: height }, (_, j) => {
    const row = Buffer.alloc(rowBytes);
    for (let k = 0; k < width * channels; k++) {
      const value = samples[j * width * channels + k]!;
      if (depth === 16) row.writeUInt16BE(value, 2 * k);
      else row[(k * depth) >> 3]! |= value << (8 - depth - ((k * depth) & 7));
    }
    return row;
  });
  const step = Math.max(1, (channels * depth) >> 3);
  return plain.map((row, j) => {
    const out = Buffer.alloc(rowBytes + 1);
    out[0] = filter;
    for (let k = 0; k < rowBytes; k++) {
      const a = k < step ? 0 : row[k - step]!;
      const b = j === 0 ? 0 : plain[j - 1]![k]!;
      const c = j === 0 || k < step ? 0 : plain[j - 1]![k - step]!;
      const p = a + b - c;
      const nearest = [a, b, c].reduce((best, one) => (Math.abs(p - one) < Math.abs(p - best) ? one : best));
      out[k + 1] = row[k]! - [0, a, b, Math.floor((a + b) / 2), nearest][filter]!;
    }
    return out;
  });
}

/** Writes the checksums of all chunks again, so that a decoder reads changed bytes. */
function repair(bytes: Buffer): void {
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) return;
    bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, end)), end);
    at = end + 4;
  }
}

const FORMATS = [
  [0, 1],
  [0, 2],
  [0, 4],
  [0, 8],
  [0, 16],
  [2, 8],
  [2, 16],
  [4, 8],
  [4, 16],
  [6, 8],
  [6, 16],
] as const;

describe('pixels of PNG files', () => {
  it.each(FORMATS)('color type %i with %i bits, with all filters', (color, depth) => {
    const random = seeded(color * 100 + depth);
    const channels = { 0: 1, 2: 3, 4: 2, 6: 4 }[color];
    const [width, height] = [11, 7];
    const samples = Array.from({ length: width * height * channels }, () => Math.floor(random() * 2 ** depth));
    for (let filter = 0; filter < 10; filter++) {
      const given = { width, height, depth, color, samples, filter: filter % 5, isInterlaced: filter > 4 };
      const read = decodePng('a.png', encode(given), LIMIT);
      const most = 2 ** depth - 1;
      const white = depth === 16 ? most : 255;
      const expected = Array.from({ length: width * height }, (_, i) => {
        const pixel = samples
          .slice(i * channels, (i + 1) * channels)
          .map((value) => Math.round((value * white) / most));
        const light = channels < 3 ? [pixel[0]!, pixel[0]!, pixel[0]!] : pixel.slice(0, 3);
        return [...light, channels % 2 === 0 ? pixel[channels - 1]! : white];
      });
      expect([...read.data]).toEqual(expected.flat());
    }
  });

  it('palettes have colors and transparency', () => {
    const extra = [
      chunk('PLTE', Buffer.from([0, 0, 0, 255, 255, 255, 9, 8, 7])),
      chunk('tRNS', Buffer.from([255, 128])),
    ];
    const picture = encode({ width: 3, height: 1, depth: 2, color: 3, samples: [1, 2, 0], extra });
    expect([...decodePng('a.png', picture, LIMIT).data]).toEqual([255, 255, 255, 128, 9, 8, 7, 255, 0, 0, 0, 255]);
  });
});

describe('interlaced and transparent PNG files', () => {
  it('are read at any size, down to one pixel', () => {
    for (let width = 1; width < 10; width++) {
      for (let height = 1; height < 10; height++) {
        const samples = Array.from({ length: width * height }, (_, i) => (i * 7) % 2);
        const picture = encode({ width, height, depth: 1, color: 0, samples, isInterlaced: true });
        const { data } = decodePng('a.png', picture, LIMIT);
        const light = Array.from(data).filter((_, i) => i % 4 === 0);
        expect(light, `${width} x ${height}`).toEqual(samples.map((value) => 255 * value));
      }
    }
  });

  it('with palettes, too', () => {
    const extra = [chunk('PLTE', Buffer.from([0, 0, 0, 255, 255, 255]))];
    const samples = [0, 1, 1, 0, 1, 0];
    const picture = encode({ width: 3, height: 2, depth: 4, color: 3, samples, extra, isInterlaced: true });
    const { data } = decodePng('a.png', picture, LIMIT);
    expect(Array.from(data).filter((_, i) => i % 4 === 0)).toEqual(samples.map((value) => 255 * value));
  });

  it.each([
    ['gray', 0, 2, [0, 2], [2, 1, 3]],
    ['gray with 16 bits', 0, 16, [0x12, 0x34], [0x1234, 7, 0xffff]],
    ['red, green, blue', 2, 8, [0, 9, 0, 8, 0, 7], [9, 8, 7, 9, 8, 6, 0, 0, 0]],
    ['red, green, blue with 16 bits', 2, 16, [1, 2, 3, 4, 5, 6], [0x102, 0x304, 0x506, 2, 4, 6, 9, 9, 9]],
  ] as const)('one color of %s is transparent', (_, color, depth, key, samples) => {
    for (const isInterlaced of [false, true]) {
      const extra = [chunk('tRNS', Buffer.from(key))];
      const picture = encode({ width: 3, height: 1, depth, color, samples, extra, isInterlaced });
      const { data } = decodePng('a.png', picture, LIMIT);
      const alpha = Array.from(data).filter((__, i) => i % 4 === 3);
      expect(alpha.map((value) => value > 0)).toEqual([false, true, true]);
    }
  });

  it('are refused before they take more memory than their size needs', () => {
    const head = encode({
      width: 8,
      height: 8,
      depth: 8,
      color: 0,
      samples: new Array(64).fill(1),
      isInterlaced: true,
    });
    const bomb = chunk('IDAT', deflateSync(Buffer.alloc(2 ** 26)));
    const bytes = Buffer.concat([head.subarray(0, 33), bomb, chunk('IEND', Buffer.alloc(0))]);
    const before = process.memoryUsage().external;
    expect(() => decodePng('a.png', bytes, LIMIT)).toThrow(
      'a.png: has damaged data, or other data than its header says',
    );
    expect(process.memoryUsage().external - before).toBeLessThan(2 ** 25);
  });
});

describe('bad PNG files', () => {
  const good = encode({ width: 2, height: 2, depth: 8, color: 0, samples: [0, 255, 255, 255] });
  const changed = (at: number, value: number): Buffer => {
    const bytes = Buffer.from(good);
    bytes[at] = value;
    return bytes;
  };

  it.each<[string, Buffer, RegExp]>([
    ['no PNG', Buffer.from('GIF89a'), /a\.png: is not a PNG picture/],
    ['cut off in its header', good.subarray(0, 30), /is cut off/],
    ['cut off', good.subarray(0, 50), /has damaged data/],
    ['rows in another order than the header says', changed(28, 1), /has damaged data/],
    ['an unknown color type', changed(25, 5), /has damaged data/],
    ['a size beyond the limit', changed(16, 0x7f), /pixels, which take .* more than the limit/],
    ['more rows than data', changed(23, 9), /has damaged data/],
    ['more data than rows', changed(23, 1), /has damaged data/],
  ])('%s', (_, bytes, message) => expect(() => decodePng('a.png', bytes, LIMIT)).toThrow(message));

  it('random changes give pixels or a message', () => {
    const random = seeded(5);
    let read = 0;
    for (let trial = 0; trial < 2000; trial++) {
      const bytes = Buffer.from(good);
      for (let k = 1 + Math.floor(random() * 3); k > 0; k--)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      if (trial % 4 > 0) repair(bytes);
      try {
        const { width, height, data } = decodePng(
          'a.png',
          bytes.subarray(0, random() < 0.1 ? 50 : bytes.length),
          2 ** 20,
        );
        expect([1, 2, 3, 4]).toContain(data.length / (width * height));
        read++;
      } catch (error) {
        expect((error as Error).message).toMatch(/^a\.png: (?:is|has) /);
      }
    }
    expect(read).toBeGreaterThan(100);
  });
});

describe('bake of a mask', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'navkiln-png-'));
    // A wall of gray from the top, with a gap at the bottom.
    const samples = Array.from({ length: 60 }, (_, i) => (i % 10 === 5 && i < 50 ? 140 : 255));
    writeFileSync(join(folder, 'room.png'), encode({ width: 10, height: 6, depth: 8, color: 0, samples }));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('goes around what is darker than the threshold; y points down', async () => {
    const flags = ['--map-threshold', '0.8', '--map-scale', '0.5', '--json'];
    const baked = await run(['bake', 'room.png', '-o', 'room.navmesh', ...flags], folder);
    expect(baked.status, baked.stderr).toBe(0);
    expect(JSON.parse(baked.stdout)).toMatchObject({ warnings: [{ code: 'mask-gray', count: 5 }] });
    const path = await run(['path', 'room.navmesh', '--from', '0.5,0.5', '--to', '4.5,0.5', '--json'], folder);
    expect(JSON.parse(path.stdout)).toMatchObject({
      status: 'complete',
      points: [
        [0.5, 0.5],
        [2.5, 2.5],
        [3, 2.5],
        [4.5, 0.5],
      ],
    });
    const open = await run(['bake', 'room.png', '-o', 'open.navmesh'], folder);
    expect(open.status).toBe(1);
    expect(open.stderr).toContain('nothing blocks');
    const wrong = await run(['bake', 'room.png', '-o', 'a.navmesh', '--map-threshold', '9'], folder);
    expect(wrong.stderr).toContain('--map-threshold 9: must be a number above 0 and at most 1');
    expect(wrong.status).toBe(2);
  });
});
