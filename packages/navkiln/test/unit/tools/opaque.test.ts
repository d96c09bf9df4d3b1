/** Tests declarations that hide members from users. */
import { describe, expect, it } from 'vitest';
import { narrow } from '../../../../../tools/opaque.mjs';

const TEXT = `/**
 * A mesh.
 * @opaque count, agent
 */
export interface Mesh<T> extends Base {
    /** Of all
     * tiles. */
    count: number;
    agent: {
        radius: number;
    };
    /** Bits; see there. */
    hidden?: Map<string, {
        a: number;
    }>;
    readonly arrays: Int32Array;
}
/** All. @whole */
export type All = Mesh;
/** Stays. */
export interface Other {
    hidden: number;
}
`;

describe('narrow', () => {
  it('shows the members that the tag names, and a brand', () => {
    const [mesh] = narrow(TEXT).split('/** All');
    expect(mesh).toBe(`declare const opaqueMesh: unique symbol;
/**
 * A mesh.
 */
export interface Mesh<T> extends Base {
    /** Of all
     * tiles. */
    count: number;
    agent: {
        radius: number;
    };
    readonly [opaqueMesh]: never;
}
`);
  });

  it('gives the hidden members to the whole type, but not in reports', () => {
    expect(narrow(TEXT)).toMatch(
      /export interface All extends Mesh \{\n {4}\/\*\* Bits; see there\. \*\/\n {4}hidden\?[^}]*\}>;\n {4}readonly arrays: Int32Array;\n\}/,
    );
    expect(narrow(TEXT, { isReport: true })).toContain('/** All. */\nexport interface All extends Mesh {\n}');
  });

  it('leaves other declarations as they are', () => {
    expect(narrow(TEXT)).toContain('/** Stays. */\nexport interface Other {\n    hidden: number;\n}\n');
  });

  it('refuses names that are no member', () => {
    expect(() => narrow(TEXT.replace('count, agent', 'count, agnet'))).toThrow('Mesh has no member agnet to show');
  });
});
