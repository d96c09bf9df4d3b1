/** Decodes Base64, which `atob` also accepts without its padding. */

/** Returns the bytes, or undefined when a character is not Base64 or the text is truncated. White space is skipped. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const letters = text.replace(/[\t-\r ]/g, '');
  if (letters.length % 4 !== 0) return undefined;
  try {
    return Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
