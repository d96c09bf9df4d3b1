/**
 * Finds where a text stops being JSON. Engines word their errors differently and quote the text; this reports a position alone, so
 * that messages are the same everywhere and reveal nothing of a file.
 *
 * In: text.
 * Out: line, column and a description of the fault.
 * Cost: one pass; one byte per open bracket.
 * Based on: RFC 8259; own code.
 */

import { checkString } from '../../base/data/refuse.ts';
export interface JsonFault {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 code units. */
  column: number;
  what: string;
}

const OPEN_ARRAY = 1;
const OPEN_OBJECT = 2;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS = /true|false|null/y;

/** Returns the first fault of a text that should be JSON, or null when it is JSON. */
export function findJsonFault(text: string): JsonFault | null {
  checkString('findJsonFault', 'text', text);
  let open = new Uint8Array(64);
  let depth = 0;
  /**
   * The token that must come next. 'first': a value or the end of an array; 'name': a name or, after '{', the end of
   * an object.
   */
  let wanted: 'value' | 'first' | 'name' | 'first name' | 'colon' | 'comma' = 'value';
  let at = 0;
  for (;;) {
    while (at < text.length && isBlank(text.charCodeAt(at))) at++;
    if (at >= text.length) break;
    const letter = text[at];
    if (wanted === 'comma') {
      if (depth === 0) return faultAt(text, at, 'there is more after the end of the value');
      const isArray = open[depth - 1] === OPEN_ARRAY;
      if (letter === ',') wanted = isArray ? 'value' : 'name';
      else if (letter === (isArray ? ']' : '}')) depth--;
      else return faultAt(text, at, `"," or "${isArray ? ']' : '}'}" is missing`);
      at++;
    } else if (wanted === 'colon') {
      if (letter !== ':') return faultAt(text, at, '":" is missing');
      wanted = 'value';
      at++;
    } else if (letter === '}' && wanted === 'first name') {
      depth--;
      wanted = 'comma';
      at++;
    } else if (wanted === 'name' || wanted === 'first name') {
      if (letter !== '"') return faultAt(text, at, 'a name in double quotes is missing');
      const end = endOfString(text, at);
      if (end < 0) return faultAt(text, -end, 'the text of a name is not valid');
      at = end;
      wanted = 'colon';
    } else if (letter === ']' && wanted === 'first') {
      depth--;
      wanted = 'comma';
      at++;
    } else if (letter === '[' || letter === '{') {
      if (depth === open.length) {
        const grown = new Uint8Array(2 * depth);
        grown.set(open);
        open = grown;
      }
      open[depth++] = letter === '[' ? OPEN_ARRAY : OPEN_OBJECT;
      wanted = letter === '[' ? 'first' : 'first name';
      at++;
    } else {
      const end = endOfScalar(text, at);
      if (end < 0) return faultAt(text, -end - 1, letter === '"' ? 'a string is not valid' : 'this is not a value');
      at = end;
      wanted = 'comma';
    }
  }
  return depth === 0 && wanted === 'comma' ? null : faultAt(text, text.length, 'the text ends too early');
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** Returns the end of a text, number or word, or the negative position of a fault, minus 1. */
function endOfScalar(text: string, at: number): number {
  if (text[at] === '"') {
    const end = endOfString(text, at);
    return end < 0 ? end - 1 : end;
  }
  for (const pattern of [NUMBER, WORDS]) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return -at - 1;
}

/** Returns the end of the text in quotes at `at`, or the negative position of a fault. */
function endOfString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) return i + 1;
    if (code < 32) return -i;
    if (code !== 92) continue;
    const next = text[++i];
    if (next === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(i + 1, i + 5))) i += 4;
    else if (next === undefined || !'"\\/bfnrt'.includes(next)) return -i;
  }
  return -text.length;
}

function faultAt(text: string, at: number, what: string): JsonFault {
  let line = 1;
  let start = 0;
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) {
    line++;
    start = i + 1;
  }
  return { line, column: at - start + 1, what };
}
