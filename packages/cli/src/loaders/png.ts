/**
 * Decodes PNG files to pixels. The size is checked before anything is decompressed. The decoder sets no limit for interlaced files, so these
 * are decompressed here first, up to the size that their header says.
 *
 * In: bytes.
 * Out: pixels, row by row: red, green, blue, alpha with 8 or 16 bits.
 * Cost: linear in pixels.
 * Based on: pngjs; the header as in PNG (Third Edition), W3C.
 */
import type { MaskPixels } from 'navkiln/polygon';
import { inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { InputError } from '../errors.ts';
import { formatBytes } from '../output/text.ts';

/** The signature, and the length and type of the header that follows it. */
const START = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
/** Bytes of signature and header. */
const HEADER_BYTES = 33;
/** Bytes of memory that a pixel takes in the decoder and in the readers that follow. */
const PIXEL_BYTES = 32;

/** First column and row of each pass of an interlaced picture (Adam7), and the distance to the next ones. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
/** Samples of a pixel, by color type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

export function decodePng(file: string, bytes: Uint8Array, memoryLimitBytes: number): MaskPixels {
  const bad = (what: string): never => {
    throw new InputError(`${file}: ${what}`);
  };
  if (START.some((value, i) => bytes[i] !== value)) bad('is not a PNG picture; export it again');
  if (bytes.length < HEADER_BYTES) bad('is cut off; copy it again');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width === 0 || height === 0) bad(`is ${width} x ${height} pixels large`);
  const needed = width * height * PIXEL_BYTES;
  if (needed > memoryLimitBytes) {
    const limit = formatBytes(memoryLimitBytes);
    bad(
      `has ${width} x ${height} pixels, which take ${formatBytes(needed)}, more than the limit of ${limit}; make it smaller, or raise --memory-limit`,
    );
  }
  try {
    if (view.getUint8(28) !== 0) checkInterlaced(bytes, view);
    // With 16 bits, `skipRescale` keeps them.
    const { data } = PNG.sync.read(Buffer.from(bytes), { skipRescale: view.getUint8(24) === 16 });
    return { width, height, data };
  } catch {
    return bad('has damaged data, or other data than its header says; export it again');
  }
}

/** Throws an Error for an interlaced file whose data are more than its rows. */
function checkInterlaced(bytes: Uint8Array, view: DataView): void {
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const bits = view.getUint8(24) * (CHANNELS[view.getUint8(25)] ?? 0);
  let most = 0;
  for (const [x, y, stepX, stepY] of PASSES) {
    const [columns, rows] = [Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)];
    if (columns > 0 && rows > 0) most += rows * (1 + Math.ceil((columns * bits) / 8));
  }
  const packed: Uint8Array[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + view.getUint32(at);
    // "IDAT"
    if (view.getUint32(at + 4) === 0x49444154) packed.push(bytes.subarray(at + 8, end));
    at = end + 4;
  }
  inflateSync(Buffer.concat(packed), { maxOutputLength: most });
}
