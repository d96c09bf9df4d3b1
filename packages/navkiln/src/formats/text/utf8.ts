/** Converts UTF-8 to text. Bad sequences become U+FFFD, and a mark of the byte order stays. */

const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}
