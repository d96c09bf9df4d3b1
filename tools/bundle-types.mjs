/**
 * Bundles the declarations of a package: a file for each entry, and in `types` a file for each room, with the declarations that entries
 * need and no others. Editors read some twenty files in place of some hundred, and the package has a third of the bytes.
 *
 * Opaque interfaces show the members that their tag names (opaque.mjs). Declarations keep their names. A module whose names are taken in the file of its room starts another file.
 *
 * In: the declarations that `tsc -b` wrote, a file for each module. Out: texts by file name.
 * Cost: a second. Based on: own.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { narrow } from './opaque.mjs';

const WORD = /[A-Za-z_$][\w$]*/g;

const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ' ');

/** Returns the declaration file that a module names, or the name of another package. */
function targetOf(file, name) {
  return name.startsWith('.') ? join(dirname(file), name.replace(/\.[jt]s$/, '.d.ts')) : name;
}

function namesOf(declaration) {
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.map(({ id }) => id.name);
  return [declaration.id.name];
}

/** A comment's pointer to a source file, which the package does not have. */
const POINTERS = / \((?:see )?[\w/.-]+\.ts\)|[:;,] see [\w/.-]+\.ts| See [\w/.-]+\.ts\./g;

/** Returns declarations whose comments name no file that is not shipped. */
function withoutFiles(file, text) {
  return text.replace(/\/\*\*[\s\S]*?\*\//g, (comment) => {
    const short = comment.replace(POINTERS, '');
    const name = /[\w/.-]+\.ts\b|\bdocs\/[\w.-]+/.exec(short)?.[0];
    if (name !== undefined)
      throw new Error(`${file}: users read this comment, and ${name} is not in the package: ${short}`);
    return short;
  });
}

/** Returns declarations with tabs, and with comments whose paragraphs are lines. */
function compact(text) {
  return text
    .replace(/\/\*\*[\s\S]*?\*\//g, (comment) =>
      comment.replace(/([\w,;`')])\n\s*\* (?=[a-z(`'])/g, '$1 ').replace(/^\/\*\*\n\s*\* (.*)\n\s*\*\/$/, '/** $1 */'),
    )
    .replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));
}

/** Returns the text of a statement with its own comment, the last one before it. */
function textOf(text, statement, after) {
  const comment = /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*)?$/.exec(text.slice(after, statement.start))[0];
  return `${comment.trimStart()}${text.slice(statement.start, statement.end)}`;
}

/** Reads a declaration file: its imports, its declarations, its lists of exports, and its first comment. */
function readModule(file, parseSync) {
  const text = narrow(readFileSync(file, 'utf8'));
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const module = { file, imports: new Map(), declared: new Map(), lists: [], opening: '' };
  module.opening = /^\s*(\/\*\*[\s\S]*?\*\/)/.exec(text)?.[1] ?? '';
  let after = 0;
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      const from = targetOf(file, statement.source.value);
      for (const { local, imported, type } of statement.specifiers)
        module.imports.set(local.name, { from, name: type === 'ImportNamespaceSpecifier' ? '*' : imported.name });
    } else if (statement.source) {
      const from = targetOf(file, statement.source.value);
      const all = statement.exported?.name;
      const isType = statement.exportKind === 'type';
      if (all !== undefined) module.lists.push({ from, all });
      else module.lists.push({ from, isType, names: statement.specifiers.map(({ exported }) => exported.name) });
    } else {
      const declaration = statement.declaration ?? statement;
      // `export {}` marks a module.
      if (declaration.type !== 'ExportNamedDeclaration') {
        const code = textOf(text, statement, after);
        const isExported = statement.type === 'ExportNamedDeclaration';
        const whole = isExported ? code : code.replace(/^(\/\*\*[\s\S]*?\*\/\s*)?/, '$&export ');
        const part = {
          text: compact(whole),
          words: new Set(withoutComments(code).match(WORD)),
        };
        for (const name of namesOf(declaration)) {
          if (!module.declared.has(name)) module.declared.set(name, []);
          module.declared.get(name).push(part);
        }
      }
    }
    after = statement.end;
  }
  return module;
}

/** Finds the declarations that names need, in all modules: module -> names. */
function findNeeded(roots, moduleOf) {
  const needed = new Map();
  const stack = [...roots];
  while (stack.length > 0) {
    const { from, name } = stack.pop();
    if (!from.endsWith('.d.ts')) continue;
    if (!needed.has(from)) needed.set(from, new Set());
    if (needed.get(from).has(name)) continue;
    needed.get(from).add(name);
    const module = moduleOf(from);
    const parts = module.declared.get(name);
    if (parts === undefined) throw new Error(`${from} declares no ${name}`);
    for (const part of parts) {
      for (const word of part.words) {
        if (module.imports.has(word)) stack.push(module.imports.get(word));
        else if (word !== name && module.declared.has(word)) stack.push({ from, name: word });
      }
    }
  }
  return needed;
}

/** Returns a declaration without comments. */
function bare(text) {
  return text.replace(/\s*\/\*\*[\s\S]*?\*\//g, '').trimStart();
}

/** Puts modules into files by room. Returns the file of each module. */
function arrange(needed, roots, moduleOf, roomOf) {
  const listed = new Set(roots.map(({ from, name }) => `${from} ${name}`));
  const bins = [];
  const binOf = new Map();
  for (const file of [...needed.keys()].sort()) {
    const module = moduleOf(file);
    const own = new Map([...needed.get(file)].map((name) => [name, `${file} ${name}`]));
    const parts = [...own.keys()].flatMap((name) => module.declared.get(name));
    const used = [...module.imports].filter(([local]) => parts.some(({ words }) => words.has(local)));
    for (const [local, { from, name }] of used) own.set(local, `${from} ${name}`);
    const room = roomOf(file);
    const fits = (bin) => bin.room === room && [...own].every(([name, what]) => (bin.names.get(name) ?? what) === what);
    let bin = bins.find(fits);
    if (bin === undefined) {
      const count = bins.filter((other) => other.room === room).length;
      bin = {
        room,
        name: count === 0 ? room : `${room}-${count + 1}`,
        names: new Map(),
        imports: new Map(),
        texts: [],
      };
      bins.push(bin);
    }
    for (const [name, what] of own) bin.names.set(name, what);
    for (const [local, where] of used) bin.imports.set(local, where);
    // Users read the comments of names that entries list.
    const shown = [...needed.get(file)].filter((name) => listed.has(`${file} ${name}`));
    const commented = new Set(shown.flatMap((name) => module.declared.get(name)));
    for (const part of new Set(parts)) bin.texts.push(commented.has(part) ? part.text : bare(part.text));
    binOf.set(file, bin);
  }
  return { bins, binOf };
}

/** Writes the imports of a file: of names that are not declared in it. */
function importsOf(bin, binOf) {
  const lists = new Map();
  const lines = [];
  for (const [local, { from, name }] of bin.imports) {
    const target = binOf.get(from);
    if (target === bin && local === name) continue;
    const path = target === undefined ? from : `./${target.name}.js`;
    if (name === '*') lines.push(`import type * as ${local} from '${path}';\n`);
    else lists.set(path, [...(lists.get(path) ?? []), local === name ? name : `${name} as ${local}`]);
  }
  for (const [path, names] of lists) lines.push(`import type { ${names.join(', ')} } from '${path}';\n`);
  return lines.join('');
}

/**
 * Returns the declarations of a package: Map of file name -> text. `entries` is an object of entry -> its declaration file; `roomOf` returns the
 * room of a file.
 */
export async function bundleTypes(entries, roomOf) {
  const { parseSync } = await import('rolldown/utils');
  const modules = new Map();
  const moduleOf = (file) => {
    if (!modules.has(file)) modules.set(file, readModule(file, parseSync));
    return modules.get(file);
  };
  // A group of an entry is a list like an entry.
  const listed = new Set(Object.values(entries));
  for (const file of listed) for (const { from, all } of moduleOf(file).lists) if (all !== undefined) listed.add(from);
  const roots = [...listed].flatMap((file) =>
    moduleOf(file).lists.flatMap(({ from, names = [] }) => names.map((name) => ({ from, name }))),
  );
  const needed = findNeeded(roots, moduleOf);
  const { bins, binOf } = arrange(needed, roots, moduleOf, roomOf);
  const files = new Map();
  for (const bin of bins) {
    const name = `types/${bin.name}.d.ts`;
    files.set(name, withoutFiles(name, `${importsOf(bin, binOf)}${bin.texts.join('\n')}\nexport {};\n`));
  }
  for (const [entry, file] of Object.entries(entries)) {
    const up = relative(dirname(entry), '.').split(sep).join('/') || '.';
    const pathOf = (from) => `'${up}/types/${binOf.get(from).name}.js'`;
    /** A group is a namespace of imported names. */
    const groupOf = (name, { opening, lists }) => {
      const imports = lists.map(({ from, names }) => `import { ${names.join(', ')} } from ${pathOf(from)};`);
      const all = lists.flatMap(({ names }) => names).join(', ');
      return `${imports.join('\n')}\n${opening}\nexport declare namespace ${name} {\n  export { ${all} };\n}`;
    };
    const lines = moduleOf(file).lists.map(({ from, all, names, isType }) =>
      all === undefined
        ? `export ${isType ? 'type ' : ''}{ ${names.join(', ')} } from ${pathOf(from)};`
        : groupOf(all, moduleOf(from)),
    );
    files.set(
      `${entry}.d.ts`,
      withoutFiles(
        `${entry}.d.ts`,
        `${moduleOf(file).opening}\n${lines.join('\n')}\n${lines.length === 0 ? 'export {};\n' : ''}`,
      ),
    );
  }
  return files;
}
