/** Decompresses Zstandard in browsers and Node. The decoder is loaded with the first call. */

/**
 * Decompresses a Zstandard frame to `size` bytes.
 *
 * @throws Error for damaged data, or data that is longer
 */
export async function unpackZstd(bytes: Uint8Array, size: number): Promise<Uint8Array> {
  const { decompressZstd } = await import('./zstd.ts');
  return decompressZstd(bytes, size);
}
