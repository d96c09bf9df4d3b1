/**
 * Decodes Base64 without `atob`, since readers must not depend on a platform.
 *
 * In: text; white space is skipped.
 * Out: bytes.
 * Cost: linear.
 * Based on: RFC 4648, own code.
 */

/** Returns the bytes, or undefined when a character is not Base64 or the text is truncated. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let count = 0;
  let bits = 0;
  let held = 0;
  let letters = 0;
  let padding = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 32 || (code >= 9 && code <= 13)) continue;
    letters++;
    if (code === 61) {
      padding++;
      continue;
    }
    const value = valueOf(code);
    if (value < 0 || padding > 0) return undefined;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[count++] = bits >> held;
    }
  }
  return letters % 4 === 0 && padding <= 2 ? bytes.subarray(0, count) : undefined;
}

function valueOf(code: number): number {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  return code === 43 ? 62 : code === 47 ? 63 : -1;
}
