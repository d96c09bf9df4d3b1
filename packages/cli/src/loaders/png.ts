/**
 * Decodes PNG files to pixels. The size is checked before anything is decompressed. The decoder sets no limit for interlaced files, so these
 * are decompressed here first, up to the largest size that their width and height allow.
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

/** Throws an Error for an interlaced file whose data are more than the largest rows of its size. */
function checkInterlaced(bytes: Uint8Array, view: DataView): void {
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  // A pixel takes at most 8 bytes. The seven passes have fewer than 2 * height + 7 rows, each with a byte for its filter.
  const most = 8 * width * height + 2 * height + 7;
  const packed: Uint8Array[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + view.getUint32(at);
    // "IDAT"
    if (view.getUint32(at + 4) === 0x49444154) packed.push(bytes.subarray(at + 8, end));
    at = end + 4;
  }
  inflateSync(Buffer.concat(packed), { maxOutputLength: most });
}
