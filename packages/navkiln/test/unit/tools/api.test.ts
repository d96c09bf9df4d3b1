/** The report of exported names and signatures. */
import { describe, expect, it } from 'vitest';
import { declarationsOf } from '../../../../../tools/api.mjs';

describe('declarations of a file', () => {
  it('are found by name, without comments, overloads together', () => {
    const found = declarationsOf(
      [
        "import type { A } from './a.js';",
        '/** Says so. */',
        'export declare function find(a: A): number;',
        'export declare function find(a: A, b: {',
        '    x: number;',
        '}): string;',
        'export interface Hit {',
        '    /** Meters. */',
        '    distance: number;',
        '}',
        "export type Kind = 'a' | 'b';",
        'export declare const LIMIT = 3;',
        'export declare class Refusal extends Error {}',
        'declare function hidden(): void;',
      ].join('\n'),
    );
    expect([...found.keys()]).toEqual(['find', 'Hit', 'Kind', 'LIMIT', 'Refusal']);
    expect(found.get('find')).toBe(
      'function find(a: A): number;\nfunction find(a: A, b: {\n    x: number;\n}): string;',
    );
    expect(found.get('Hit')).toBe('interface Hit {\n    distance: number;\n}');
  });
});
