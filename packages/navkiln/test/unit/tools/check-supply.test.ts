/** The check on dependencies catches each bad sample and passes a good one. */
import { describe, expect, it } from 'vitest';
import { checkSupply } from '../../../../../tools/check-supply.mjs';

interface Sample {
  lock: Record<string, Record<string, unknown>>;
  library: Record<string, unknown>;
  scenes: Record<string, unknown>;
  sources: Record<string, string>;
}

const INTEGRITY = `sha512-${'A'.repeat(86)}==`;

/** Returns the violations of a small repository that is correct except for `change`. */
function check(change: (sample: Sample) => void = () => undefined): string[] {
  const sample: Sample = {
    lock: {
      '': {},
      'packages/library': {},
      'packages/scenes': {},
      'node_modules/library': { resolved: 'packages/library', link: true },
      'node_modules/tool': { version: '1.2.3', integrity: INTEGRITY },
    },
    library: {
      name: 'library',
      version: '1.0.0',
      dependencies: { tool: '1.2.3', scenes: '1.0.0' },
      bundleDependencies: ['scenes'],
      peerDependencies: { three: '>=0.160' },
    },
    scenes: { name: 'scenes', version: '1.0.0', private: true },
    sources: {
      'packages/library/src/a.ts':
        "import 'node:fs'; import './b.ts'; import 'tool/sub'; import 'three'; import 'library/x';",
    },
  };
  change(sample);
  return checkSupply(
    new Map([
      ['package.json', JSON.stringify({ name: 'root', private: true })],
      ['package-lock.json', JSON.stringify({ packages: sample.lock })],
      ['packages/library/package.json', JSON.stringify(sample.library)],
      ['packages/scenes/package.json', JSON.stringify(sample.scenes)],
      ...Object.entries(sample.sources),
    ]),
  );
}

describe('dependencies', () => {
  it('passes a repository without fault', () => expect(check()).toEqual([]));

  it.each<[string, (sample: Sample) => void, RegExp]>([
    [
      'a lock without integrity',
      ({ lock }) => delete lock['node_modules/tool'].integrity,
      /tool has no sha512 integrity/,
    ],
    [
      'a binary of the formatter that is not optional',
      ({ lock }) =>
        (lock['node_modules/@oxfmt/binding-linux-x64-gnu'] = { version: '1.0.0', dev: true, os: ['linux'] }),
      /binding-linux-x64-gnu has no sha512/,
    ],
    [
      'a weak checksum',
      ({ lock }) => (lock['node_modules/tool'].integrity = 'sha1-AAAA'),
      /tool has no sha512 integrity/,
    ],
    [
      'a nested package without integrity',
      ({ lock }) => (lock['node_modules/tool/node_modules/inner'] = { version: '1.0.0', optional: true }),
      /inner has no sha512/,
    ],
    [
      'a package from elsewhere',
      ({ lock }) => (lock['node_modules/tool'].resolved = 'git+ssh://git@example.org/tool.git'),
      /comes from git\+ssh/,
    ],
    ['an install script', ({ lock }) => (lock['node_modules/tool'].hasInstallScript = true), /runs a script/],
    [
      'a link out of the repository',
      ({ lock }) => (lock['node_modules/other'] = { resolved: '../other', link: true }),
      /other is no package of this repository/,
    ],
    ['a private dependency', ({ library }) => delete library['bundleDependencies'], /dependencies\.scenes is private/],
    [
      'a private peer',
      ({ library }) => {
        library['peerDependencies'] = { three: '>=0.160', scenes: '1.0.0' };
        library['dependencies'] = { tool: '1.2.3' };
        library['bundleDependencies'] = [];
      },
      /peerDependencies\.scenes is private/,
    ],
    [
      'a bundled package whose needs are missing',
      ({ scenes }) => (scenes['dependencies'] = { other: '1.0.0' }),
      /bundles scenes, which needs other/,
    ],
    [
      'code in the bundle whose needs are missing',
      ({ library, scenes }) => {
        library['dependencies'] = { tool: '1.2.3' };
        library['devDependencies'] = { scenes: '1.0.0' };
        scenes['dependencies'] = { other: '1.0.0' };
      },
      /its bundle has scenes, which needs other/,
    ],
    [
      'a range',
      ({ library }) => (library['devDependencies'] = { tool: '^1.2.3' }),
      /devDependencies\.tool is \^1\.2\.3; must be an exact version/,
    ],
    ['a folder', ({ library }) => (library['devDependencies'] = { tool: 'file:../tool' }), /must be an exact version/],
    ['another version of an own package', ({ scenes }) => (scenes['version'] = '1.0.1'), /must be 1\.0\.1/],
    ['a script at install', ({ library }) => (library['scripts'] = { postinstall: 'x' }), /scripts\.postinstall/],
    [
      'an import that is not declared',
      ({ sources }) => (sources['packages/library/src/b.ts'] = "import type { X } from '@scope/other/sub';"),
      /b\.ts:1 imports '@scope\/other\/sub', which packages\/library\/package\.json does not declare/,
    ],
  ])('catches %s', (_what, change, message) => {
    const wrong = check(change);
    expect(wrong).toHaveLength(1);
    expect(wrong[0]).toMatch(message);
  });

  it('passes imports of development dependencies in the bundle when their license is named', () => {
    const use = ({ library, sources }: Sample): void => {
      library['devDependencies'] = { decoder: '1.0.0' };
      sources['packages/library/src/b.ts'] = "import decode from 'decoder/run.js';";
    };
    expect(check(use)).toHaveLength(1);
    const named = (sample: Sample): void => {
      use(sample);
      sample.sources['packages/library/THIRD-PARTY.md'] = 'It contains `decoder`.';
    };
    expect(check(named)).toEqual([]);
  });

  it('passes imports of private packages, whose code is in the bundle', () => {
    const wrong = check(({ library, sources }) => {
      library['dependencies'] = { tool: '1.2.3' };
      library['devDependencies'] = { scenes: '1.0.0' };
      sources['packages/library/src/b.ts'] = "import { a } from 'scenes';";
    });
    expect(wrong).toEqual([]);
  });

  it('passes binaries of the formatter for platforms that the registry does not have', () => {
    const entry = { version: '1.0.0', dev: true, optional: true, os: ['darwin'] };
    expect(check(({ lock }) => (lock['node_modules/@oxfmt/binding-darwin-x64'] = entry))).toEqual([]);
  });

  it('needs a lock', () => {
    expect(checkSupply(new Map())).toEqual(['package-lock.json is missing; run npm install']);
  });
});
