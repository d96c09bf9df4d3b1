/**
 * Unpacks the compressed layers of a Tiled map before it is read, for decoders that work asynchronously: those of browsers.
 *
 * No layer becomes longer than its size says, and all of them together keep within the memory limit.
 *
 * In: the record of a map. Out: a copy whose layers hold bytes.
 * Cost: that of the decoders.
 * Based on: Tiled's documentation of its map format; own code.
 */
import { decodeBase64 } from '../../text/base64.ts';
import { MAX_NESTING, fail, isRecord, show, spend } from '../json-source.ts';
import type { JsonRecord, JsonSource } from '../json-source.ts';

/** Decompresses data to at most `size` bytes. */
export type Unpack = (bytes: Uint8Array, compression: string, size: number) => Uint8Array | Promise<Uint8Array>;

const KNOWN = 'choose CSV, Base64, gzip, zlib or zstd';

/** Returns the record with unpacked layers. `unpack` is asked for what is neither gzip nor zlib. */
export async function unpackTiled(source: JsonSource, map: JsonRecord, unpack?: Unpack): Promise<JsonRecord> {
  return { ...map, layers: await unpackLayers(source, map['layers'], unpack, 0) };
}

/** Parts that are not as they should be stay as they are: the reader of the map reports them. */
async function unpackLayers(
  source: JsonSource,
  layers: unknown,
  unpack: Unpack | undefined,
  depth: number,
): Promise<unknown> {
  if (!Array.isArray(layers) || depth > MAX_NESTING) return layers;
  const out: unknown[] = [];
  for (let i = 0; i < layers.length; i++) {
    const layer: unknown = layers[i];
    if (!isRecord(layer)) {
      out.push(layer);
      continue;
    }
    const { name, compression } = layer;
    if (layer['layers'] !== undefined) {
      out.push({ ...layer, layers: await unpackLayers(source, layer['layers'], unpack, depth + 1) });
    } else if (layer['type'] === 'tilelayer' && typeof compression === 'string' && compression !== '') {
      const where = typeof name === 'string' && name !== '' ? `layer ${show(name)}` : `layer ${i}`;
      const work = (part: unknown): Promise<unknown> => unpackPart(source, where, part, compression, unpack);
      const { chunks } = layer;
      const own = (await work(layer)) as JsonRecord;
      if (!Array.isArray(chunks)) out.push(own);
      else {
        const unpacked: unknown[] = [];
        for (let k = 0; k < chunks.length; k++) unpacked.push(await work(chunks[k]));
        out.push({ ...own, chunks: unpacked });
      }
    } else out.push(layer);
  }
  return out;
}

/** Returns a layer or a chunk with bytes in place of text. */
async function unpackPart(
  source: JsonSource,
  where: string,
  part: unknown,
  compression: string,
  unpack: Unpack | undefined,
): Promise<unknown> {
  if (!isRecord(part)) return part;
  if (typeof part['data'] !== 'string') return { ...part, compression: '' };
  const { width, height } = part;
  if (!isSize(width) || !isSize(height)) return { ...part, compression: '' };
  const size = 4 * width * height;
  spend(source, where, size, `${width} x ${height} tiles`);
  const bytes = decodeBase64(part['data']);
  if (bytes === undefined) fail(source, where, 'is not Base64, or is cut off');
  const isOwn = compression === 'gzip' || compression === 'zlib';
  if (!isOwn && (compression !== 'zstd' || unpack === undefined)) {
    fail(source, where, `is compressed (${compression.slice(0, 20)}), which is not supported; ${KNOWN}`);
  }
  let data: Uint8Array;
  try {
    data = isOwn ? await inflate(bytes, compression, size) : await unpack!(bytes, compression, size);
  } catch (error) {
    // Decoders say so in their own words; what counts here is whether the data are too long.
    const isTooLong = (error as { isTooLong?: unknown } | null)?.isTooLong === true;
    const what = isTooLong
      ? `decompresses to more than the ${size} bytes that its ${width} x ${height} tiles need`
      : `is not valid ${compression}, or is cut off`;
    fail(source, where, `${what}; save the map again`);
  }
  return { ...part, compression: '', data };
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 2 ** 26 && Math.floor(value) === value;
}

/** Unpacks with the decoder of browsers and Node, and stops at the first byte too many. */
async function inflate(bytes: Uint8Array, compression: 'gzip' | 'zlib', size: number): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  const packed = stream.pipeThrough(new DecompressionStream(compression === 'zlib' ? 'deflate' : compression));
  const reader = packed.getReader();
  const out = new Uint8Array(size);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return out.subarray(0, length);
    if (length + value.length > size) {
      // The rest of the data is not needed, and neither is what becomes of it.
      reader.cancel().catch(() => undefined);
      throw Object.assign(new Error('too long'), { isTooLong: true });
    }
    out.set(value, length);
    length += value.length;
  }
}
