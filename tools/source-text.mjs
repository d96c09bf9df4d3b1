/**
 * Reads TypeScript source as text for the checks: code without comments and strings, imports, the opening
 * comment.
 */

/**
 * Returns the source with comments and string contents blanked. Line numbers stay. `${…}` in templates stays
 * code.
 */
export function codeOnly(source) {
  let out = '';
  let i = 0;
  const templates = []; // depth of braces at each open template
  let depth = 0;
  const blank = (text) => text.replace(/[^\n]/g, ' ');
  const template = () => {
    // i is just after ` or after the } that closes ${…}
    const start = i;
    while (i < source.length) {
      if (source[i] === '\\') i += 2;
      else if (source[i] === '`') {
        out += `${blank(source.slice(start, i))}\``;
        i++;
        return;
      } else if (source.startsWith('${', i)) {
        out += `${blank(source.slice(start, i))}\${`;
        i += 2;
        templates.push(depth);
        depth++;
        return;
      } else i++;
    }
    out += blank(source.slice(start));
  };
  while (i < source.length) {
    const c = source[i];
    if (source.startsWith('//', i)) {
      const end = source.indexOf('\n', i);
      const stop = end < 0 ? source.length : end;
      out += blank(source.slice(i, stop));
      i = stop;
    } else if (source.startsWith('/*', i)) {
      const end = source.indexOf('*/', i + 2);
      const stop = end < 0 ? source.length : end + 2;
      out += blank(source.slice(i, stop));
      i = stop;
    } else if (c === "'" || c === '"' || (c === '/' && startsRegex(out))) {
      const stop = literalEnd(source, i);
      out += c + blank(source.slice(i + 1, stop - 1)) + source[stop - 1];
      i = stop;
    } else if (c === '`') {
      out += c;
      i++;
      template();
    } else {
      if (c === '{') depth++;
      if (c === '}') {
        depth--;
        if (templates.at(-1) === depth) {
          templates.pop();
          out += c;
          i++;
          template();
          continue;
        }
      }
      out += c;
      i++;
    }
  }
  return out;
}

function startsRegex(before) {
  return /(?:[(,=:[!&|?{};+\-*%<>~^]|\breturn|=>|^)\s*$/.test(before.slice(-40));
}

/** Returns the index after a string or regular expression that starts at `from`. */
function literalEnd(source, from) {
  const quote = source[from];
  let inSet = false;
  for (let i = from + 1; i < source.length; i++) {
    const c = source[i];
    if (c === '\\') i++;
    else if (quote === '/' && c === '[') inSet = true;
    else if (quote === '/' && c === ']') inSet = false;
    else if (c === quote && !inSet) return i + 1;
    else if (c === '\n') return i;
  }
  return source.length;
}

/** Lists every module that a source imports: `[{ line, name }]`. */
export function importsOf(source) {
  const code = codeOnly(source);
  const found = [];
  const pattern = /(?:\bfrom\s*|\bimport\s*\(\s*|^\s*import\s+|\bnew URL\(\s*)(['"])/gm;
  for (const match of code.matchAll(pattern)) {
    const start = match.index + match[0].length;
    const name = source.slice(start, source.indexOf(match[1], start));
    // `new URL` imports a module only when it names a script: the entry of a worker.
    if (match[0].startsWith('new URL') && !/\.(ts|m?js)$/.test(name)) continue;
    found.push({ line: lineOf(source, start), name });
  }
  return found;
}

export function lineOf(source, index) {
  return source.slice(0, index).split('\n').length;
}

/** Returns the comment that a file opens with, or ''. */
export function openingComment(source) {
  const match = /^\s*(\/\*[\s\S]*?\*\/|(?:\/\/[^\n]*\n)+)/.exec(source);
  return match === null ? '' : match[1];
}
