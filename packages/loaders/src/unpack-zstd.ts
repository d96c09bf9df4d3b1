/** Decompresses Zstandard in browsers and Node. The decoder is loaded with the first call. */

const MOST_BYTES = 2 ** 30;

/**
 * Decompresses a Zstandard frame to `size` bytes.
 *
 * @throws Error for damaged data, or data that is longer
 */
export async function unpackZstd(bytes: Uint8Array, size: number): Promise<Uint8Array> {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('unpackZstd: bytes is not a Uint8Array; must be one');
  if (!(Number.isInteger(size) && size >= 0 && size <= MOST_BYTES))
    throw new RangeError(`unpackZstd: size is not possible; must be a whole number up to ${MOST_BYTES}`);
  const { decompressZstd } = await import('./zstd.ts');
  return decompressZstd(bytes, size);
}
