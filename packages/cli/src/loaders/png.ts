/**
 * Decodes PNG files to pixels: gray, palette, RGB, with and without alpha, 1 to 16 bits. Interlaced files are refused. The size is
 * checked before anything is decompressed, and no more than that is.
 *
 * In: bytes.
 * Out: pixels, row by row.
 * Cost: linear in pixels.
 * Based on: PNG (Third Edition), W3C; own code over Node's inflate.
 */
import { inflateSync } from 'node:zlib';
import type { MaskPixels } from 'navkiln/polygon';
import { InputError } from '../errors.ts';
import { formatBytes } from '../output/text.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10];
/** Numbers of a pixel, by color type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Bytes of memory that a pixel takes in the readers that follow. */
const PIXEL_BYTES = 16;

export function decodePng(file: string, bytes: Uint8Array, memoryLimitBytes: number): MaskPixels {
  const bad = (what: string): never => {
    throw new InputError(`${file}: ${what}`);
  };
  if (SIGNATURE.some((value, i) => bytes[i] !== value)) bad('is not a PNG picture; export it again');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let head: DataView | undefined;
  let palette = new Uint8Array(0);
  let alphas = new Uint8Array(0);
  for (let at = 8, isDone = false; !isDone;) {
    if (at + 12 > bytes.length) bad('is cut off; copy it again');
    const length = view.getUint32(at);
    const type = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1');
    if (at + 12 + length > bytes.length) bad('is cut off; copy it again');
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (head === undefined && (type !== 'IHDR' || length !== 13)) bad('has no header of a PNG picture');
    if (type === 'IHDR') head = new DataView(content.buffer, content.byteOffset, 13);
    else if (type === 'PLTE') palette = content.slice();
    else if (type === 'tRNS') alphas = content.slice();
    else if (type === 'IDAT') parts.push(content);
    isDone = type === 'IEND';
    at += 12 + length;
  }
  const [width, height] = [head!.getUint32(0), head!.getUint32(4)];
  const [depth, color] = [head!.getUint8(8), head!.getUint8(9)];
  const channels = CHANNELS[color];
  if (width === 0 || height === 0) bad(`is ${width} x ${height} pixels large`);
  if (channels === undefined || ![1, 2, 4, 8, 16].includes(depth) || (depth < 8 && channels > 1))
    bad(`has color type ${color} with ${depth} bits, which PNG does not have`);
  if (head!.getUint8(12) !== 0) bad('is interlaced; save it without interlacing');
  const needed = width * height * (PIXEL_BYTES + (channels * depth) / 8);
  if (!(needed <= memoryLimitBytes)) {
    const limit = formatBytes(memoryLimitBytes);
    bad(
      `has ${width} x ${height} pixels, which take ${formatBytes(needed)}, more than the limit of ${limit}; make it smaller, or raise --memory-limit`,
    );
  }
  const rowBytes = Math.ceil((width * channels * depth) / 8);
  let rows: Uint8Array;
  try {
    rows = inflateSync(Buffer.concat(parts), { maxOutputLength: height * (rowBytes + 1) });
  } catch {
    return bad('has damaged data, or more than its size says; export it again');
  }
  if (rows.length < height * (rowBytes + 1)) bad('has fewer rows than its size says; export it again');
  const plain = unfilter(rows, height, rowBytes, Math.max(1, (channels * depth) >> 3), bad);
  return toPixels({ width, height, depth, color, channels, rowBytes }, plain, palette, alphas);
}

/** Undoes the filter of each row. */
function unfilter(
  rows: Uint8Array,
  height: number,
  rowBytes: number,
  step: number,
  bad: (what: string) => never,
): Uint8Array {
  const out = new Uint8Array(height * rowBytes);
  for (let j = 0; j < height; j++) {
    const kind = rows[j * (rowBytes + 1)];
    if (kind > 4) bad(`has the unknown filter ${kind} in row ${j}`);
    const from = j * (rowBytes + 1) + 1;
    const to = j * rowBytes;
    for (let k = 0; k < rowBytes; k++) {
      const left = k < step ? 0 : out[to + k - step];
      const up = j === 0 ? 0 : out[to + k - rowBytes];
      const corner = j === 0 || k < step ? 0 : out[to + k - rowBytes - step];
      const guess =
        kind === 1 ? left : kind === 2 ? up : kind === 3 ? (left + up) >> 1 : kind === 4 ? paeth(left, up, corner) : 0;
      out[to + k] = rows[from + k] + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

interface Layout {
  width: number;
  height: number;
  depth: number;
  color: number;
  channels: number;
  rowBytes: number;
}

/** Returns pixels with 8 or 16 bits. Palettes become RGBA; a transparent color of others is ignored. */
function toPixels(
  { width, height, depth, color, channels, rowBytes }: Layout,
  plain: Uint8Array,
  palette: Uint8Array,
  alphas: Uint8Array,
): MaskPixels {
  if (depth === 16) {
    const data = new Uint16Array(plain.length / 2);
    for (let i = 0; i < data.length; i++) data[i] = (plain[2 * i] << 8) | plain[2 * i + 1];
    return { width, height, data };
  }
  const samples = depth === 8 ? plain : new Uint8Array(width * height * channels);
  if (depth < 8) {
    const most = (1 << depth) - 1;
    for (let j = 0; j < height; j++) {
      for (let i = 0; i < width; i++) {
        const bit = i * depth;
        const value = (plain[j * rowBytes + (bit >> 3)] >> (8 - depth - (bit & 7))) & most;
        samples[j * width + i] = color === 3 ? value : (value * 255) / most;
      }
    }
  }
  if (color !== 3) return { width, height, data: samples };
  const data = new Uint8Array(4 * width * height);
  for (let i = 0; i < samples.length; i++) {
    const at = 3 * samples[i];
    for (let k = 0; k < 3; k++) data[4 * i + k] = palette[at + k] ?? 0;
    data[4 * i + 3] = alphas[samples[i]] ?? 255;
  }
  return { width, height, data };
}
