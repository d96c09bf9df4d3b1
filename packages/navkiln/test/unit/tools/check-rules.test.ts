/** Each rule of `npm run check` catches a bad sample and passes a good one. */
import { describe, expect, it } from 'vitest';
import * as rules from '../../../../../tools/check-rules.mjs';
import { codeOnly, importsOf, openingComment } from '../../../../../tools/source-text.mjs';

const LIB = 'packages/navkiln/src/';
const HEAD = '/** What it does. Based on: own. */\n';

function repository(entries: Record<string, string>): Map<string, string> {
  return new Map(Object.entries(entries));
}

describe('imports', () => {
  const one = (path: string, text: string): string[] =>
    rules.checkImports(repository({ [path]: text }), ['robust-predicates']);

  it.each([
    ['a lower layer', `${LIB}query/path/a-star.ts`, "import { x } from '../../mesh/types.ts';"],
    ['constants', `${LIB}base/math/vector.ts`, "import { x } from '../constants.ts';"],
    ['a dependency', `${LIB}base/math/predicates.ts`, "import { orient2d } from 'robust-predicates';"],
    ['an entry that imports any layer', `${LIB}entries/index.ts`, "export { x } from '../query/a-star.ts';"],
    ['node in the command line', 'packages/cli/src/main.ts', "import { readFileSync } from 'node:fs';"],
    [
      'node in the Node half of worker',
      `${LIB}world/worker/pool-node.ts`,
      "import { Worker } from 'node:worker_threads';",
    ],
    ['show importing formats', `${LIB}show/svg/svg.ts`, "import { x } from '../../formats/obj.ts';"],
    ['a module named in a comment', `${LIB}base/math/vector.ts`, "// import { x } from '../../query/a-star.ts';"],
    ['a module named in a string', `${LIB}base/math/vector.ts`, 'const s = "from \'../query/a-star.ts\'";'],
  ])('passes %s', (_what, path, text) => expect(one(path, text)).toEqual([]));

  it.each([
    [
      'a higher layer',
      `${LIB}mesh/change/tiles.ts`,
      "import { x } from '../../query/a-star.ts';",
      /mesh\/ may not read query\//,
    ],
    [
      'a sibling builder',
      `${LIB}build/voxel/build.ts`,
      "import { x } from '../polygon/clean.ts';",
      /may not read build\/polygon/,
    ],
    [
      'a type from a higher layer',
      `${LIB}base/math/vector.ts`,
      "import type { X } from '../../mesh/types.ts';",
      /may not read/,
    ],
    ['a lazy import', `${LIB}base/math/vector.ts`, "const m = await import('../../mesh/types.ts');", /may not read/],
    ['a re-export', `${LIB}base/data/heap.ts`, "export { x } from '../../build/voxel/build.ts';", /may not read/],
    ['an entry', `${LIB}build/voxel/build.ts`, "import { x } from '../../entries/index.ts';", /barrel/],
    ['another entry', `${LIB}agents/crowd/step.ts`, "import { x } from '../../entries/build.ts';", /entry build.ts/],
    ['a missing extension', `${LIB}build/voxel/build.ts`, "import { x } from './types';", /without \.ts/],
    [
      'another package by path',
      'packages/cli/src/main.ts',
      "import { x } from '../../navkiln/src/index.ts';",
      /leaves its package/,
    ],
    ['node in the library', `${LIB}formats/levels/obj.ts`, "import { readFileSync } from 'node:fs';", /node:fs/],
    ['three outside three/', `${LIB}show/draw.ts`, "import { Mesh } from 'three';", /three/],
    [
      'an engine in its adapter',
      `${LIB}engines/babylon/draw.ts`,
      "import { Mesh } from '@babylonjs/core';",
      /classes of engines/,
    ],
    [
      'types of an engine in its adapter',
      `${LIB}engines/phaser/draw.ts`,
      "import type { Scene } from 'phaser';",
      /no types of them/,
    ],
    [
      'one adapter in another',
      `${LIB}engines/babylon/draw.ts`,
      "import { x } from '../three/draw.ts';",
      /may not read engines\/three/,
    ],
    ['an unknown dependency', `${LIB}base/math/vector.ts`, "import { x } from 'lodash';", /no dependency/],
    [
      'a scene with a dependency',
      'packages/scenes/src/city.ts',
      "import { x } from 'navkiln-cli';",
      /scenes depend on navkiln alone/,
    ],
    [
      'a folder without a layer',
      `${LIB}magic/wand.ts`,
      "import { x } from '../base/math/vector.ts';",
      /no place in the layers/,
    ],
    ['constants that import', `${LIB}base/constants.ts`, "import { x } from './math/vector.ts';", /imports nothing/],
  ])('catches %s', (_what, path, text, message) => expect(one(path, text).join()).toMatch(message));
});

describe('sizes, folders and circles', () => {
  it('catches a file of 801 lines, lists one of 700 and passes one of 300', () => {
    const files = repository({
      [`${LIB}a.ts`]: '\n'.repeat(801),
      [`${LIB}b.ts`]: '\n'.repeat(700),
      [`${LIB}c.ts`]: '\n'.repeat(300),
    });
    expect(rules.checkSizes(files)).toEqual([`${LIB}a.ts has 801 lines; at most 800`]);
    expect(rules.largeFiles(files)).toEqual([`${LIB}b.ts has 700 lines`]);
  });

  it('catches five files with one prefix and passes four', () => {
    const named = (count: number): Map<string, string> =>
      repository(Object.fromEntries(Array.from({ length: count }, (_, i) => [`${LIB}formats/map-${i}.ts`, HEAD])));
    expect(rules.checkFolders(named(5)).join()).toMatch(/5 files are named packages\/navkiln\/src\/formats\/map-\*/);
    expect(rules.checkFolders(named(4))).toEqual([]);
  });

  it.each([
    ['two files', { 'a.ts': "import { b } from './b.ts';", 'b.ts': "import { a } from './a.ts';" }],
    ['types alone', { 'a.ts': "import type { B } from './b.ts';", 'b.ts': "import { a } from './a.ts';" }],
    [
      'three files',
      {
        'a.ts': "import { b } from './b.ts';",
        'b.ts': "export { c } from './c.ts';",
        'c.ts': "import { a } from './a.ts';",
      },
    ],
    [
      'two folders whose files have none',
      {
        'x/a.ts': "import { b } from '../y/b.ts';",
        'x/d.ts': '',
        'y/b.ts': '',
        'y/c.ts': "import { d } from '../x/d.ts';",
      },
    ],
    [
      'a folder and a file next to it',
      {
        'a.ts': "import { b } from './y/b.ts';",
        'y/b.ts': '',
        'y/c.ts': "import { a } from '../a.ts';",
      },
    ],
  ])('catches a circle of %s', (_what, entries) => {
    const files = repository(
      Object.fromEntries(Object.entries(entries).map(([name, text]) => [`${LIB}agents/crowd/${name}`, text])),
    );
    expect(rules.checkCircles(files).join()).toMatch(/has a circle of imports/);
  });

  it('passes imports in one direction', () => {
    const files = repository({
      [`${LIB}agents/crowd/step.ts`]: "import { a } from './search/a.ts';\nimport { t } from './types.ts';",
      [`${LIB}agents/crowd/search/a.ts`]: "import { t } from '../types.ts';\nimport { b } from './b.ts';",
      [`${LIB}agents/crowd/search/b.ts`]: "import { t } from '../types.ts';",
      [`${LIB}agents/crowd/types.ts`]: '',
    });
    expect(rules.checkCircles(files)).toEqual([]);
  });
});

describe('calls', () => {
  const one = (text: string, path: string = `${LIB}build/voxel/x.ts`): string[] =>
    rules.checkCalls(repository({ [path]: text }), ['build/voxel/build.ts']);

  it.each([
    'Math.random()',
    'Math.sin(x)',
    'Math.atan2(y, x)',
    'Math.hypot(x, y)',
    'Math.pow(x, 2)',
    'Math.cbrt(x)',
    'Date.now()',
    'new Date()',
    'console.log(x)',
    'x ** y',
    '2 ** n',
    'x ** 0.5',
    'performance.now()',
    '`${Math.exp(x)}`',
    'x /* a */ ** 3',
  ])('catches %s', (call) => expect(one(`const a = ${call};`)).toHaveLength(1));

  it.each([
    'Math.sqrt(x)',
    'Math.floor(x)',
    '2 ** 20',
    'Math.imul(a, b)',
    "'Math.sin'",
    '/Math.sin/',
    '1; // Math.sin(x)',
    '`Math.sin`',
  ])('passes %s', (call) => expect(one(`const a = ${call};`)).toEqual([]));

  it('allows timing in the bake, and all calls in the command line', () => {
    expect(one('const t = performance.now();', `${LIB}build/voxel/build.ts`)).toEqual([]);
    expect(one('console.log(Date.now());', 'packages/cli/src/main.ts')).toEqual([]);
  });

  it('keeps scenes free of engine-dependent functions', () => {
    expect(one('const a = Math.cos(x);', 'packages/scenes/src/a.ts')).toHaveLength(1);
  });
});

describe('syntax', () => {
  const one = (text: string, path: string = `${LIB}build/voxel/x.ts`): string[] =>
    rules.checkSyntax(repository({ [path]: text }));

  it.each([
    'export class Heap {}',
    'class A {}',
    'export default 3;',
    'enum Kind { A }',
    'const enum Kind { A }',
    'namespace N {}',
    "export * from './a.ts';",
    'let a: any;',
    'const a = b as any;',
    'const m = new Map<string, any>();',
    '// @ts-ignore',
    '// @ts-nocheck',
    'export class BakeError extends Error {}',
  ])('catches %s', (text) => expect(one(text)).toHaveLength(1));

  it.each([
    '// a class of its own',
    "const a = 'class A';",
    'const classes = 3;',
    'const anything: number = 1;',
    'let defaultValue = 1;',
  ])('passes %s', (text) => expect(one(text)).toEqual([]));

  it('allows error types in the command line', () => {
    expect(one('export class InputError extends Error {}', 'packages/cli/src/errors.ts')).toEqual([]);
    expect(one('export class Session {}', 'packages/cli/src/errors.ts')).toHaveLength(1);
  });
});

describe('headers', () => {
  const long = `export function f() { for (;;) {} }\n${'// line\n'.repeat(90)}`;
  const one = (path: string, text: string): string[] => rules.checkHeaders(repository({ [path]: text }));

  it('catches a file without an opening comment', () => {
    expect(one('packages/cli/src/a.ts', 'export const a = 1;')).toHaveLength(1);
  });

  it('catches an algorithm that names no source', () => {
    expect(one(`${LIB}build/voxel/field/erode.ts`, `/** Shrinks. */\n${long}`)).toHaveLength(1);
    expect(one(`${LIB}build/voxel/field/erode.ts`, `/**\n * Shrinks.\n * Based on: own.\n */\n${long}`)).toEqual([]);
  });

  it('requires no source in type files, short files and other folders', () => {
    expect(one(`${LIB}build/voxel/types.ts`, `/** Records. */\n${long}`)).toEqual([]);
    expect(one(`${LIB}build/voxel/field/erode.ts`, '/** Shrinks. */\nexport function f() { for (;;) {} }')).toEqual([]);
    expect(one(`${LIB}formats/levels/obj.ts`, `/** Reads. */\n${long}`)).toEqual([]);
  });
});

describe('links and hosts', () => {
  const one = (text: string): string[] =>
    rules.checkLinks(repository({ 'README.md': text, 'docs/a.md': '# The Title, again\n' }));

  it('passes links with an existing target', () => {
    expect(
      one('[a](docs/a.md) [b](docs/) [c](docs/a.md#the-title-again) [d](https://example.org/x) <img src="docs/a.md">'),
    ).toEqual([]);
  });

  it('passes what code names', () => {
    expect(one('```html\n<script src="main.js"></script>\n```\n')).toEqual([]);
    expect(one('```html\n```\n<img src="docs/b.svg">\n```js\n```\n')).toHaveLength(1);
  });

  it('catches links without a target', () => {
    expect(one('[a](docs/b.md)')).toHaveLength(1);
    expect(one('[a](docs/a.md#elsewhere)')).toHaveLength(1);
    expect(one('<img src="docs/b.svg">')).toHaveLength(1);
  });

  it('catches the name of a package registry', () => {
    const host = ['https://', 'registry', '.example.org/x'].join('');
    expect(rules.checkHosts(repository({ '.npmrc': host }))).toHaveLength(1);
    expect(rules.checkHosts(repository({ 'README.md': 'https://example.org/registry' }))).toEqual([]);
  });
});

describe('source text', () => {
  it('keeps line breaks and code in templates, and blanks comments and strings', () => {
    const text = "a; // b\n/* c\n d */ 'e' `f${g(`h${i}`)}j` /[/'\"]/.test(k);\nl";
    const code = codeOnly(text);
    expect(code.split('\n')).toHaveLength(4);
    expect(code.replace(/[^a-z]+/g, ' ').trim()).toBe('a g i test k l');
  });

  it('finds imports of every kind with their lines', () => {
    const text =
      "import './a.ts';\nimport {\n  b,\n} from './b.ts';\nexport { c } from './c.ts';\nconst d = import('./d.ts');\n";
    expect(importsOf(text)).toEqual([
      { line: 1, name: './a.ts' },
      { line: 4, name: './b.ts' },
      { line: 5, name: './c.ts' },
      { line: 6, name: './d.ts' },
    ]);
    expect(importsOf("new Worker(new URL('./w.ts', import.meta.url)); new URL('..', import.meta.url)")).toEqual([
      { line: 1, name: './w.ts' },
    ]);
  });

  it('finds the opening comment', () => {
    expect(openingComment('/** a */\nb')).toBe('/** a */');
    expect(openingComment('// a\n// b\nc')).toBe('// a\n// b\n');
    expect(openingComment('a /** b */')).toBe('');
  });
});

describe('spreads', () => {
  const one = (text: string, bounded = {}): string[] =>
    rules.checkSpreads(repository({ 'packages/cli/src/a.ts': text }), bounded);

  it.each([
    ['a list in a list', 'list.push([...more]);'],
    ['a spread in an argument', 'list.push(f(...more), { ...one });'],
    ['a list in a new list', 'const all = [...list, ...more];'],
    ['a spread in text', "list.push('...more');"],
  ])('passes %s', (_what, text) => expect(one(text)).toEqual([]));

  it.each([
    ['numbers', 'const most = Math.max(...numbers);'],
    ['a list after others', 'list.push(first, ...more);'],
    ['bytes', 'const text = String.fromCharCode(...bytes);'],
    ['a list at the front', 'run.open\n  .unshift(...more);'],
  ])('refuses %s', (_what, text) => expect(one(text)[0]).toMatch(/spreads lists into calls in line/));

  it('passes as many as are listed, and notices fewer', () => {
    expect(one('list.push(...pair);', { 'cli/src/a.ts': 1 })).toEqual([]);
    expect(one('list.push(pair);', { 'cli/src/a.ts': 1 })[0]).toMatch(/has 0 spreads/);
  });
});
