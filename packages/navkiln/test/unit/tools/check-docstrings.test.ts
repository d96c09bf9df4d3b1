/** The check of docstrings catches what is missing and passes what is there. */
import { expect, it } from 'vitest';
import {
  checkDocstring,
  checkDocstrings,
  exportedStatements,
  membersOf,
} from '../../../../../tools/check-docstrings.mjs';

const check = (text: string, source: string = text): string[] =>
  [...exportedStatements(text)].flatMap(([name, statements]) => checkDocstring('a.ts', name, statements, source));

it('passes documented names, options with defaults, and functions that say what they throw', () => {
  expect(check('/** Returns one. */\nexport declare function one(): number;\n')).toEqual([]);
  expect(
    check(
      '/** Options of `one`. */\nexport interface OneOptions {\n  /** World units. Default 1. */\n  a?: number;\n  /** Required. */\n  b: { c?: number };\n  /** Called. */\n  onTick?: () => void;\n}\n',
    ),
  ).toEqual([]);
  const text =
    '/** Returns one. @throws RangeError for unknown options */\nexport function one(o: object) {\n  checkKeys(o);\n}\n';
  expect(check(text)).toEqual([]);
});

it.each([
  ['a name without a docstring', 'export declare const ONE = 1;\n', /ONE has no docstring/],
  [
    'only the header of the file',
    "/** A file. */\nimport { x } from './x.ts';\nexport declare const ONE = 1;\n",
    /no docstring/,
  ],
  [
    'an option without one',
    '/** O. */\nexport interface OneOptions {\n  a: number;\n}\n',
    /OneOptions\.a has no docstring/,
  ],
  [
    'an option without a default',
    '/** O. */\nexport interface OneOptions {\n  /** World units. */\n  a?: number;\n}\n',
    /OneOptions\.a does not say its default/,
  ],
  [
    'a number without a unit',
    '/** O. */\nexport interface OneOptions {\n  /** How far. Default 1. */\n  a?: number;\n}\n',
    /OneOptions\.a does not say its unit/,
  ],
  ['a silent refusal', '/** One. */\nexport function one(o: object) {\n  checkKeys(o);\n}\n', /one refuses options/],
])('catches %s', (_what, text, message) => expect(check(text).join()).toMatch(message));

it('finds the members of an interface, but not those of its members', () => {
  const members = membersOf(
    'interface A {\n  /** X. */\n  x: number;\n  y?: {\n    z: number;\n  };\n  readonly w: string;\n  f(a: number): void;\n}\n',
  );
  expect(members.map(({ name, isOptional }) => [name, isOptional])).toEqual([
    ['x', false],
    ['y', true],
    ['w', false],
    ['f', false],
  ]);
});

it('counts the names of all entries', () => {
  const counts = { names: 0 };
  expect(checkDocstrings('packages/navkiln', counts)).toEqual([]);
  expect(counts.names).toBeGreaterThan(800);
});
