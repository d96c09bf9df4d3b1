/**
 * Scans the bytes of a line-based text format: blanks, line ends, decimal numbers, names. It never makes a
 * string of a whole line; only names and unusual numbers become strings.
 *
 * Line ends are LF, CR LF and a lone CR. A backslash before a line end joins two lines.
 *
 * Numbers of up to 15 digits and a power of ten up to 22 are one exact integer and one exact division or
 * product, so the result is the nearest double. All others go through `Number`.
 *
 * Cost: linear in the bytes.
 * Based on: W. D. Clinger, How to Read Floating Point Numbers Accurately, 1990 (the fast path only).
 */
import { decodeUtf8 } from './utf8.ts';

export interface Scanner {
  bytes: Uint8Array;
  at: number;
  /** Number of the current line, from 1. */
  line: number;
}

const LF = 10;
const CR = 13;
const SPACE = 32;
const HASH = 35;
const BACKSLASH = 92;

const POWERS_OF_TEN: readonly number[] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
];

/** Starts behind a UTF-8 byte order mark, if there is one. */
export function createScanner(bytes: Uint8Array): Scanner {
  const mark = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { bytes, at: mark ? 3 : 0, line: 1 };
}

/** Returns the length of the line end at `at`: 0, 1, or 2 for CR LF. */
function lineEndLength(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === LF) return 1;
  if (byte !== CR) return 0;
  return bytes[at + 1] === LF ? 2 : 1;
}

/** Skips blanks and joined line ends. Returns whether anything but a comment is left on the line. */
export function skipBlanks(scanner: Scanner): boolean {
  const { bytes } = scanner;
  const length = bytes.length;
  let at = scanner.at;
  for (;;) {
    if (at >= length) break;
    const byte = bytes[at];
    if (byte > SPACE) {
      if (byte !== BACKSLASH) break;
      const end = lineEndLength(bytes, at + 1);
      if (end === 0) break;
      at += 1 + end;
      scanner.line++;
    } else if (byte === LF || byte === CR) {
      break;
    } else {
      at++;
    }
  }
  scanner.at = at;
  return at < length && bytes[at] > SPACE && bytes[at] !== HASH;
}

/**
 * Goes to the start of the next line. Returns false at the end of the bytes. A backslash in a comment joins
 * nothing.
 */
export function nextLine(scanner: Scanner): boolean {
  const { bytes } = scanner;
  const length = bytes.length;
  let at = scanner.at;
  let comment = false;
  while (at < length) {
    const byte = bytes[at];
    if (byte === LF || byte === CR) {
      at += lineEndLength(bytes, at);
      scanner.line++;
      scanner.at = at;
      return at < length;
    }
    if (byte === HASH) comment = true;
    if (byte === BACKSLASH && !comment) {
      const end = lineEndLength(bytes, at + 1);
      if (end > 0) scanner.line++;
      at += end;
    }
    at++;
  }
  scanner.at = length;
  return false;
}

/** Returns the end of the run of non-blank bytes at `at`. */
export function tokenEnd(scanner: Scanner): number {
  const { bytes } = scanner;
  let end = scanner.at;
  while (end < bytes.length && bytes[end] > SPACE) {
    if (bytes[end] === BACKSLASH && lineEndLength(bytes, end + 1) > 0) break;
    end++;
  }
  return end;
}

/** Returns the run of non-blank bytes at `at`, at most 32 characters, for messages. Does not move. */
export function peekToken(scanner: Scanner): string {
  const end = tokenEnd(scanner);
  const text = decodeUtf8(scanner.bytes, scanner.at, Math.min(end, scanner.at + 32));
  return end > scanner.at + 32 ? `${text}…` : text;
}

/**
 * Returns the rest of the line without blanks at its ends, since names may contain blanks. Stays on the line.
 */
export function readRest(scanner: Scanner): string {
  if (!skipBlanks(scanner)) return '';
  const { bytes } = scanner;
  const start = scanner.at;
  let end = start;
  while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
  scanner.at = end;
  while (end > start && bytes[end - 1] <= SPACE) end--;
  return decodeUtf8(bytes, start, end);
}

/**
 * Reads the decimal number at `at`, which must be followed by a blank or an end. Returns NaN and does not
 * move when it is no number. Values beyond the range of doubles become infinite.
 */
export function readNumber(scanner: Scanner): number {
  const { bytes } = scanner;
  const start = scanner.at;
  let at = start;
  let byte = bytes[at] ?? 0;
  const negative = byte === 45;
  if (negative || byte === 43) byte = bytes[++at] ?? 0;
  let mantissa = 0;
  let digits = 0;
  let significant = 0;
  let scale = 0;
  for (; byte >= 48 && byte <= 57; byte = bytes[++at] ?? 0) {
    mantissa = mantissa * 10 + (byte - 48);
    digits++;
    if (mantissa > 0) significant++;
  }
  if (byte === 46) {
    byte = bytes[++at] ?? 0;
    for (; byte >= 48 && byte <= 57; byte = bytes[++at] ?? 0) {
      mantissa = mantissa * 10 + (byte - 48);
      digits++;
      scale--;
      if (mantissa > 0) significant++;
    }
  }
  if (digits === 0) return NaN;
  if (byte === 101 || byte === 69) {
    byte = bytes[++at] ?? 0;
    const down = byte === 45;
    if (down || byte === 43) byte = bytes[++at] ?? 0;
    if (!(byte >= 48 && byte <= 57)) return NaN;
    let exponent = 0;
    for (; byte >= 48 && byte <= 57; byte = bytes[++at] ?? 0) exponent = Math.min(exponent * 10 + (byte - 48), 100000);
    scale += down ? -exponent : exponent;
  }
  if (at < bytes.length && byte > SPACE && !(byte === BACKSLASH && lineEndLength(bytes, at + 1) > 0)) return NaN;
  scanner.at = at;
  if (significant > 15 || scale < -22 || scale > 22) return Number(decodeUtf8(bytes, start, at));
  const value = scale < 0 ? mantissa / POWERS_OF_TEN[-scale] : mantissa * POWERS_OF_TEN[scale];
  return negative ? -value : value;
}

/**
 * Reads the integer at `at` and moves behind it. Returns NaN and does not move when there is none. The caller
 * checks what follows. Values beyond 2^53 are not exact.
 */
export function readInteger(scanner: Scanner): number {
  const { bytes } = scanner;
  let at = scanner.at;
  let byte = bytes[at] ?? 0;
  const negative = byte === 45;
  if (negative || byte === 43) byte = bytes[++at] ?? 0;
  if (!(byte >= 48 && byte <= 57)) return NaN;
  let value = 0;
  for (; byte >= 48 && byte <= 57; byte = bytes[++at] ?? 0) value = value * 10 + (byte - 48);
  scanner.at = at;
  return negative ? -value : value;
}
