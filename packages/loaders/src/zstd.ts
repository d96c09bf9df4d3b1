/**
 * Decompresses Zstandard frames to a known number of bytes. A frame that would take more, or a larger window, is refused before
 * memory is taken for it.
 *
 * In: bytes. Out: `size` bytes.
 * Cost: linear in the output.
 * Based on: fzstd (Arjun Barrett), which decodes; RFC 8878 for the header.
 */
import { Decompress, decompress } from 'fzstd';

/** Largest window of a frame without a size: what Tiled and the levels of zstd up to 19 need. */
const MAX_WINDOW = 2 ** 23;

/** Why data cannot be decompressed: it is damaged, or longer than it should be. */
export class ZstdError extends Error {
  readonly isTooLong: boolean;
  constructor(isTooLong: boolean) {
    super(
      `unpackZstd: the bytes are ${isTooLong ? 'longer than size says' : 'not a valid frame'}; compress them again`,
    );
    this.isTooLong = isTooLong;
  }
}

export function decompressZstd(bytes: Uint8Array, size: number): Uint8Array {
  const { content, window } = readHeader(bytes);
  if (content !== undefined && content > size) throw new ZstdError(true);
  if (content === undefined && window > Math.max(size, MAX_WINDOW)) throw new ZstdError(true);
  try {
    // With a buffer, nothing is allocated for what the frame claims.
    if (content !== undefined) return decompress(bytes, new Uint8Array(content)).subarray(0, content);
    const out = new Uint8Array(size);
    let length = 0;
    new Decompress((part) => {
      if (length + part.length > size) throw new ZstdError(true);
      out.set(part, length);
      length += part.length;
    }).push(bytes, true);
    return out.subarray(0, length);
  } catch (error) {
    throw error instanceof ZstdError ? error : new ZstdError(false);
  }
}

/** Reads the header of a frame: the size of its content, if it is known, and of its window. */
function readHeader(bytes: Uint8Array): { content: number | undefined; window: number } {
  if (bytes.length < 6 || bytes[0] !== 0x28 || bytes[1] !== 0xb5 || bytes[2] !== 0x2f || bytes[3] !== 0xfd)
    throw new ZstdError(false);
  const flags = bytes[4];
  const isSingle = (flags & 32) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3];
  const sizeBytes = flags >> 6 === 0 ? (isSingle ? 1 : 0) : 1 << (flags >> 6);
  let at = 5;
  let window = 0;
  if (!isSingle) {
    const base = 2 ** (10 + (bytes[at] >> 3));
    window = base + (base / 8) * (bytes[at++] & 7);
  }
  at += dictionaryBytes;
  if (at + sizeBytes > bytes.length) throw new ZstdError(false);
  let content = sizeBytes === 2 ? 256 : 0;
  for (let k = 0; k < sizeBytes; k++) content += bytes[at + k] * 2 ** (8 * k);
  return sizeBytes === 0 ? { content: undefined, window } : { content, window: Math.max(window, content) };
}
