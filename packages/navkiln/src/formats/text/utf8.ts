/**
 * Converts UTF-8 to text and back without `TextEncoder` and `TextDecoder`, since readers must not depend on a
 * platform. Bad sequences and lone surrogates become U+FFFD.
 *
 * Cost: linear.
 * Based on: RFC 3629; own code.
 */

export function encodeUtf8(text: string): Uint8Array {
  const length = text.length;
  let ascii = 0;
  while (ascii < length && text.charCodeAt(ascii) < 0x80) ascii++;
  const bytes = new Uint8Array(ascii === length ? length : ascii + (length - ascii) * 3);
  for (let i = 0; i < ascii; i++) bytes[i] = text.charCodeAt(i);
  let at = ascii;
  for (let i = ascii; i < length; i++) {
    let code = text.charCodeAt(i);
    if (code >= 0xd800 && code <= 0xdfff) {
      const low = i + 1 < length ? text.charCodeAt(i + 1) : 0;
      if (code < 0xdc00 && low >= 0xdc00 && low <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        i++;
      } else {
        code = 0xfffd;
      }
    }
    if (code < 0x80) {
      bytes[at++] = code;
    } else if (code < 0x800) {
      bytes[at++] = 0xc0 | (code >> 6);
      bytes[at++] = 0x80 | (code & 0x3f);
    } else if (code < 0x10000) {
      bytes[at++] = 0xe0 | (code >> 12);
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[at++] = 0x80 | (code & 0x3f);
    } else {
      bytes[at++] = 0xf0 | (code >> 18);
      bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[at++] = 0x80 | (code & 0x3f);
    }
  }
  return bytes.subarray(0, at);
}

/** Characters that become one string at a time. Strings that grow by single characters take 20 times the memory of their text. */
const PART_LENGTH = 4096;
const part = new Uint16Array(PART_LENGTH);

export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  let length = 0;
  let i = start;
  while (i < end) {
    // A character takes at most two code units.
    if (length > PART_LENGTH - 2) {
      text += String.fromCharCode.apply(null, part.subarray(0, length) as unknown as number[]);
      length = 0;
    }
    const first = bytes[i++];
    if (first < 0x80) {
      part[length++] = first;
      continue;
    }
    const extra =
      first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xc2 && first < 0xe0 ? 1 : 0;
    let code = extra === 3 ? first & 0x07 : extra === 2 ? first & 0x0f : first & 0x1f;
    let read = 0;
    while (read < extra && i < end && (bytes[i] & 0xc0) === 0x80) {
      code = (code << 6) | (bytes[i++] & 0x3f);
      read++;
    }
    const tooShort = extra === 2 ? code < 0x800 : extra === 3 ? code < 0x10000 || code > 0x10ffff : false;
    const bad = extra === 0 || read < extra || tooShort || (code >= 0xd800 && code <= 0xdfff);
    if (bad) code = 0xfffd;
    if (code < 0x10000) {
      part[length++] = code;
    } else {
      part[length++] = 0xd800 | ((code - 0x10000) >> 10);
      part[length++] = 0xdc00 | ((code - 0x10000) & 0x3ff);
    }
  }
  return text + String.fromCharCode.apply(null, part.subarray(0, length) as unknown as number[]);
}
