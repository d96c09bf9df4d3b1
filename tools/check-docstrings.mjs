/**
 * The check `docstrings`: everything that a published entry exports says what it is, and options say their default.
 *
 * - An exported function, type or constant has a docstring.
 * - Each member of an exported interface of options has one; that of an optional member says the default, or what its absence means, and
 *   that of a number its unit, its range or what it counts.
 * - A function that checks options says that it throws. (All functions throw for values of another kind; docs/conventions.md says so once.)
 *
 * Declarations are read from the build, where each name is found that an entry exports, and bodies from the source beside it. Text is
 * enough for both: one statement begins at the start of a line.
 *
 * In: declaration files of the build, sources. Out: violations, one line each, and counts.
 * Based on: own.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './files.mjs';

const DOC = /\/\*\*([\s\S]*?)\*\/\s*$/;
/** Words that an optional member may use in place of "Default". */
const DEFAULTS =
  /default|absent|without|omitted|if left out|when left out|only (?:with|for)|optional|not given|undefined/i;
/** Words for the meaning of a number: a unit, a range, a count of something, a part or a multiple. */
const UNITS = new RegExp(
  [
    'world units|units of|seconds?|milliseconds|ms|degrees|radians|pixels|meters|bytes|bits?|ticks?|radii|sizes?|percent',
    'number of|how many|factor|share|ratio|times|cost|flags?|mask|areas?|index|seed|id|priority|opacity|color',
    'polygons|voxels|cells|tiles|nodes|points|steps|samples|agents|workers|processors|requests|keys',
    'whole number|above 0|or more|from \\d',
  ]
    .map((words) => `\\b(?:${words})\\b`)
    .join('|')
    .concat('|\\d \\.\\.|>=? ?\\d'),
  'i',
);
/** Members whose absence needs no explanation: callbacks and signals. */
const IS_CALLBACK = /^on[A-Z]|^signal$/;
const REFUSES = /\b(?:checkKeys|resolve[A-Z]\w*|readPathQuery)\(/;

/** Returns the exported statements of a file: Map of name -> { doc, text }[], one for each overload. */
export function exportedStatements(text) {
  const found = new Map();
  const starts = [...text.matchAll(/^(?:export|import|declare|const|function|let|type|interface)\b/gm)].map(
    ({ index }) => index,
  );
  starts.forEach((start, i) => {
    const statement = text.slice(start, starts[i + 1] ?? text.length);
    const name = /^export (?:declare )?(?:async )?(?:function|const|let|interface|type) (\w+)/.exec(statement)?.[1];
    if (name === undefined) return;
    const doc = DOC.exec(text.slice(starts[i - 1] ?? 0, start))?.[1];
    found.set(name, [...(found.get(name) ?? []), { doc, text: statement }]);
  });
  return found;
}

/** Returns the members of an interface: name, type, whether it is optional, docstring. Members of members are left out. */
export function membersOf(text) {
  const body = text.slice(text.indexOf('{') + 1);
  const members = [];
  let depth = 0;
  let doc;
  for (const token of body.matchAll(/\/\*\*[\s\S]*?\*\/|[{}()]|^\s*(?:readonly )?(\w+)(\?)?[:(<]( \w+(?=;))?/gm)) {
    if (token[0].startsWith('/**')) {
      if (depth === 0) doc = token[0];
    } else if (token[1] !== undefined) {
      if (depth === 0) members.push({ name: token[1], type: token[3]?.trim(), isOptional: token[2] === '?', doc });
      doc = undefined;
      if (token[0].endsWith('(')) depth++;
    } else if ('{('.includes(token[0])) depth++;
    else if (--depth < 0) break;
  }
  return members;
}

/** Checks one exported name. Returns violations. */
export function checkDocstring(at, name, statements, source = '') {
  const wrong = [];
  const docs = statements.map(({ doc }) => doc ?? '').join('\n');
  if (docs.trim() === '') return [`${at}: ${name} has no docstring`];
  const [{ text }] = statements;
  if (/^export (?:declare )?interface \w*Options\b/.test(text)) {
    for (const member of membersOf(text)) {
      if (member.doc === undefined) wrong.push(`${at}: ${name}.${member.name} has no docstring`);
      else if (member.isOptional && !IS_CALLBACK.test(member.name) && !DEFAULTS.test(member.doc))
        wrong.push(`${at}: ${name}.${member.name} does not say its default`);
      else if (member.type === 'number' && !UNITS.test(member.doc))
        wrong.push(`${at}: ${name}.${member.name} does not say its unit`);
    }
  }
  if (/^export (?:declare )?function/.test(text) && REFUSES.test(source) && !/throws?\b|rejects?\b/i.test(docs))
    wrong.push(`${at}: ${name} refuses options, but its docstring does not say that it throws`);
  return wrong;
}

/** Checks all entries of a package. Returns violations; `counts` gets how many names, options and functions there are. */
export function checkDocstrings(folder = 'packages/navkiln', counts = { names: 0 }) {
  const { exports } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const wrong = new Set();
  const read = new Map();
  const statementsOf = (path) => {
    if (!read.has(path)) read.set(path, existsSync(path) ? exportedStatements(readFileSync(path, 'utf8')) : new Map());
    return read.get(path);
  };
  const seen = new Set();
  const entries = Object.values(exports).flatMap((target) => {
    // Before they are bundled: a file for each module.
    const types = target['navkiln-types'] ?? target.types;
    return types === undefined ? [] : [join(ROOT, folder, types)];
  });
  for (const entry of entries) {
    const text = readFileSync(entry, 'utf8');
    // A group of an entry is a list like an entry.
    for (const [, from] of text.matchAll(/export \* as \w+ from '([^']+)'/g))
      entries.push(join(dirname(entry), from.replace(/\.[jt]s$/, '.d.ts')));
    for (const [, names, from] of text.matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)) {
      const declared = join(dirname(entry), from.replace(/\.[jt]s$/, '.d.ts'));
      const source = declared.replace(/([\\/])(?:dist|out[\\/]types)([\\/])/, '$1src$2').replace(/\.d\.ts$/, '.ts');
      for (const name of names.split(',').map((part) => part.trim())) {
        if (name === '' || seen.has(`${declared} ${name}`)) continue;
        seen.add(`${declared} ${name}`);
        counts.names++;
        const body = statementsOf(source)
          .get(name)
          ?.map(({ text }) => text)
          .join('\n');
        const at = relative(ROOT, source).replaceAll('\\', '/');
        for (const line of checkDocstring(at, name, statementsOf(declared).get(name) ?? [{ text: '' }], body))
          wrong.add(line);
      }
    }
  }
  return [...wrong];
}
