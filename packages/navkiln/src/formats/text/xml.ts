/**
 * Reads XML as elements: tags, attributes and text. Enough for formats that are written by programs: no document
 * types, no entities but those of XML itself, and no namespaces.
 *
 * In: text.
 * Out: the root element.
 * Cost: linear.
 * Based on: Extensible Markup Language 1.0 (W3C); own code.
 */
import { decodeUtf8 } from './utf8.ts';

/** An element. */
export interface XmlElement {
  tag: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** Its own text, without that of its children. */
  text: string;
}

/** Elements in elements at most; deeper files are a mistake or an attack. */
const MAX_DEPTH = 256;
/** Letters in which the root element begins: comments and document types may come first. */
const HEAD = 65536;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Returns whether a text or bytes begin like XML. */
export function startsAsXml(given: unknown): boolean {
  if (typeof given === 'string') return /^\ufeff?\s*</.test(given.slice(0, 64));
  if (!(given instanceof Uint8Array)) return false;
  let at = given[0] === 0xef ? 3 : 0;
  while (at < 64 && (given[at] === 32 || (given[at] >= 9 && given[at] <= 13))) at++;
  return given[at] === 60;
}

/** Returns the name of the root element, '' where the first letters have none. */
export function rootTagOf(given: string | Uint8Array): string {
  const head = typeof given === 'string' ? given.slice(0, HEAD) : decodeUtf8(given, 0, Math.min(given.length, HEAD));
  return /<([^\s/>?!]+)/.exec(head.replace(/<!--[\s\S]*?-->/g, ''))?.[1] ?? '';
}

/** Returns the root element. Calls `fail` with a sentence that names line and column where the text is no XML. */
export function readXml(text: string, fail: (what: string) => never): XmlElement {
  const failAt = (at: number, what: string): never => {
    const lines = text.slice(0, at).split('\n');
    return fail(`is not valid XML (line ${lines.length}, column ${lines[lines.length - 1].length + 1}: ${what})`);
  };
  const root: XmlElement = { tag: '', attributes: {}, children: [], text: '' };
  const open: XmlElement[] = [root];
  /** Where the text of each open element lies. */
  const texts: string[][] = [[]];
  let at = 0;
  const skipPast = (end: string, what: string): void => {
    const found = text.indexOf(end, at);
    if (found < 0) failAt(at, `${what} does not end`);
    at = found + end.length;
  };
  while (at < text.length) {
    const next = text.indexOf('<', at);
    const end = next < 0 ? text.length : next;
    if (end > at) texts[texts.length - 1].push(decode(text.slice(at, end)));
    if (next < 0) break;
    at = next;
    if (text.startsWith('<!--', at)) skipPast('-->', 'a comment');
    else if (text.startsWith('<![CDATA[', at)) {
      const from = at + 9;
      skipPast(']]>', 'a CDATA section');
      texts[texts.length - 1].push(text.slice(from, at - 3));
    } else if (text.startsWith('<?', at)) skipPast('?>', 'an instruction');
    else if (text.startsWith('<!', at)) skipPast('>', 'a declaration');
    else if (text.startsWith('</', at)) {
      const from = at;
      skipPast('>', 'a tag');
      const tag = text.slice(from + 2, at - 1).trim();
      const element = open.pop()!;
      if (open.length === 0 || element.tag !== tag) failAt(from, `</${tag.slice(0, 40)}> ends no element`);
      element.text = texts.pop()!.join('');
    } else {
      const element = readTag();
      open[open.length - 1].children.push(element.element);
      if (element.isClosed) continue;
      open.push(element.element);
      texts.push([]);
      if (open.length > MAX_DEPTH) failAt(at, `elements lie in each other more than ${MAX_DEPTH} deep`);
    }
  }
  if (open.length > 1)
    failAt(text.length, `<${open[open.length - 1].tag.slice(0, 40)}> does not end; is the file truncated`);
  if (root.children.length !== 1) failAt(text.length, `it has ${root.children.length} root elements`);
  return root.children[0];

  function readTag(): { element: XmlElement; isClosed: boolean } {
    const from = at;
    const name = /[^\s/>=<"']+/y;
    name.lastIndex = at + 1;
    const tag = name.exec(text)?.[0] ?? failAt(at, 'a tag has no name');
    at = name.lastIndex;
    const attributes: Record<string, string> = Object.create(null);
    for (;;) {
      while (isSpace(text.charCodeAt(at))) at++;
      if (text[at] === '>' || text.startsWith('/>', at)) break;
      name.lastIndex = at;
      const key = name.exec(text)?.[0] ?? failAt(Math.min(at, text.length), `<${tag.slice(0, 40)}> does not end`);
      at = name.lastIndex;
      while (isSpace(text.charCodeAt(at))) at++;
      if (text[at] !== '=') failAt(at, `the attribute ${key.slice(0, 40)} has no value`);
      at++;
      while (isSpace(text.charCodeAt(at))) at++;
      const quote = text[at];
      const end = quote === '"' || quote === "'" ? text.indexOf(quote, at + 1) : -1;
      if (end < 0) failAt(from, `the attribute ${key.slice(0, 40)} does not end`);
      attributes[key] = decode(text.slice(at + 1, end));
      at = end + 1;
    }
    const isClosed = text[at] === '/';
    at += isClosed ? 2 : 1;
    return { element: { tag, attributes, children: [], text: '' }, isClosed };
  }
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** Replaces entities. Unknown ones stay as they are. */
function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]+);/gi, (whole, name: string) => {
    if (name[0] !== '#') return Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : whole;
    const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
