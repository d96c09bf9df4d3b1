/** The release: which versions follow each other, and what it writes into manifests and the changelog. */
import { expect, it } from 'vitest';
import { closeChangelog, isAfter, publicManifest, versionOf, withVersion } from '../../../../../tools/release.mjs';

it.each([
  ['0.2.0', '0.1.0', true],
  ['0.10.0', '0.9.9', true],
  ['1.0.0-beta.1', '0.9.0', true],
  ['1.0.0', '1.0.0-beta.1', true],
  ['1.0.0-beta.1', '1.0.0', false],
  ['0.1.0', '0.1.0', false],
  ['0.0.9', '0.1.0', false],
  ['v0.2.0', '0.1.0', false],
])('%s after %s: %s', (next, current, wanted) => expect(isAfter(next, current)).toBe(wanted));

it('changes the version of a package and of those of the repository that it needs, and no other', () => {
  const text = '{ "name": "b", "version": "0.1.0", "dependencies": { "navkiln": "0.1.0", "other": "0.1.0" } }';
  expect(JSON.parse(withVersion(text, '0.2.0', ['navkiln', 'b']))).toEqual({
    name: 'b',
    version: '0.2.0',
    dependencies: { navkiln: '0.2.0', other: '0.1.0' },
  });
});

it('puts what is unreleased under the version, and refuses an empty entry', () => {
  const text = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n## [0.1.0] - 2026-01-01\n\n- B.\n';
  expect(closeChangelog(text, '0.2.0', '2026-02-01')).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-01\n\n### Added\n\n- A.\n\n## [0.1.0] - 2026-01-01\n\n- B.\n',
  );
  expect(closeChangelog('## [Unreleased]\n\n- A.\n', '0.2.0', '2026-02-01')).toContain(
    '## [0.2.0] - 2026-02-01\n\n- A.',
  );
  expect(() => closeChangelog('## [Unreleased]\n\n## [0.1.0]\n\n- B.\n', '0.2.0', '2026-02-01')).toThrow(
    /nothing under/,
  );
});

it('publishes the version of the manifests once, and later ones', () => {
  expect(versionOf(undefined, '0.1.0', false)).toBe('0.1.0');
  expect(versionOf('0.1.0', '0.1.0', false)).toBe('0.1.0');
  expect(versionOf(undefined, '0.1.0', true)).toBeUndefined();
  expect(versionOf('0.1.0', '0.1.0', true)).toBeUndefined();
  expect(versionOf('0.2.0', '0.1.0', true)).toBe('0.2.0');
  expect(versionOf('0.0.9', '0.1.0', false)).toBeUndefined();
});

it('publishes no condition, no script and no development dependency of the repository', () => {
  const conditions = {
    'navkiln-types': './out/a.d.ts',
    types: './a.d.ts',
    'navkiln-source': './src/a.ts',
    default: './a.js',
  };
  const manifest = {
    name: 'a',
    sideEffects: ['./dist/worker.js', './src/worker.ts'],
    exports: { '.': conditions, './package.json': './package.json' },
    scripts: { prepack: 'x' },
    devDependencies: { b: '1.0.0' },
  };
  expect(JSON.parse(publicManifest(JSON.stringify(manifest)))).toEqual({
    name: 'a',
    sideEffects: ['./dist/worker.js'],
    exports: { '.': { types: './a.d.ts', default: './a.js' }, './package.json': './package.json' },
  });
});
