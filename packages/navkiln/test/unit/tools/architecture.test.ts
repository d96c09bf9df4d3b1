/** The generated tables of ARCHITECTURE.md, and the check that compares them with the tree. */
import { describe, expect, it } from 'vitest';
import { architectureText, checkArchitecture, firstSentence } from '../../../../../tools/architecture.mjs';

const LIB = 'packages/navkiln/src/';
const EMPTY = ['folders', 'files build/voxel', 'files query']
  .map((name) => `<!-- generated: ${name} -->\n<!-- end -->\n`)
  .join('\n');
const SOURCES: [string, string][] = [
  [`${LIB}build/voxel/erode.ts`, '/** Erodes the surface. More follows. */\n'],
  [
    `${LIB}build/voxel/rasterize.ts`,
    '/**\n * Turns triangles into spans,\n * column by column.\n *\n * In: triangles\n */\n',
  ],
  [`${LIB}query/height.ts`, '// Returns a | b.\n'],
];
const FOLDERS = { 'build/voxel': 'the bake', query: 'queries' };
const filesWith = (page: string): Map<string, string> => new Map([...SOURCES, ['ARCHITECTURE.md', page]]);
type Folders = Parameters<typeof checkArchitecture>[1];
const check = (page: string, folders: Record<string, string> = FOLDERS): string[] =>
  checkArchitecture(filesWith(page), folders as Folders);

describe('generated tables', () => {
  const page = architectureText(EMPTY, filesWith(EMPTY));

  it('list files with the first sentence of their headers, with stages in pipeline order', () => {
    expect(page).toContain(
      '| `build/voxel/rasterize.ts` | Turns triangles into spans, column by column. |\n| `build/voxel/erode.ts` | Erodes the surface. |\n',
    );
    expect(page).toContain('| `query/height.ts` | Returns a \\| b. |');
  });

  it('list the folders that exist', () => {
    expect(page).toMatch(/^\| `build\/voxel\/` \| .+ \|$/m);
    expect(page).not.toContain('`agents/crowd/`');
  });

  it('pass the check as generated', () => {
    expect(check(page)).toEqual([]);
    expect(architectureText(page, filesWith(page))).toBe(page);
  });

  it('fail the check when they are missing, changed or stale', () => {
    expect(checkArchitecture(new Map(SOURCES), FOLDERS as Folders)).toEqual(['ARCHITECTURE.md is missing']);
    expect(check(page.replace('generated: folders', 'generated: files formats'))[0]).toContain(
      "no generated table 'folders'",
    );
    expect(check(page.replace('Erodes', 'Shrinks'))).toEqual([
      'ARCHITECTURE.md is out of date; run: npm run architecture',
    ]);
    expect(check(`${page}| \`build/voxel/gone.ts\` | x |\n`)).toEqual([
      'ARCHITECTURE.md has a row for build/voxel/gone.ts, which does not exist',
    ]);
    expect(check(`${page}<!-- generated: nothing -->\n<!-- end -->\n`)).toHaveLength(1);
  });

  it('fail the check for a folder without a description, or a description without a folder', () => {
    expect(check(page, { 'build/voxel': 'the bake' })).toEqual([
      `${LIB}query/ has no description in tools/architecture.mjs`,
    ]);
    expect(check(page, { ...FOLDERS, gone: 'x' })).toEqual([
      'tools/architecture.mjs describes gone/, which does not exist',
    ]);
  });
});

describe('the first sentence', () => {
  it('ends at a full stop before a capital letter, not inside a name', () => {
    expect(firstSentence('/** Reads a.ts and b. Then more. */')).toBe('Reads a.ts and b.');
    expect(firstSentence('/** Costs 1.5 steps, e.g. few. */')).toBe('Costs 1.5 steps, e.g. few.');
    expect(firstSentence('/**\n * No full stop\n *\n * Next.\n */')).toBe('No full stop');
    expect(firstSentence('// Two\n// lines.\n')).toBe('Two lines.');
    expect(firstSentence('')).toBe('');
  });
});
