/**
 * The tarballs of all published packages under publint (strict) and are-the-types-wrong. `NAVKILN_BUNDLERS` is the folder of an npm project
 * with both (`npm run soak -- consumers`).
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, node, npm } from './consumer.ts';

const TOOLS = process.env['NAVKILN_BUNDLERS'];
const PACKAGES = ['navkiln', 'loaders', 'cli', 'farm'];

describe.skipIf(TOOLS === undefined)('tarballs', () => {
  let folder = '';
  const tarballs = new Map<string, string>();

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'navkiln-published-'));
    node([join(ROOT, 'tools', 'build.mjs')], ROOT);
    for (const name of PACKAGES) {
      const packed = npm(
        ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
        join(ROOT, 'packages', name),
      );
      const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
      tarballs.set(name, join(folder, filename));
    }
  }, 120_000);

  afterAll(() => {
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  });

  function run(bin: string, args: string[]): string {
    try {
      return execFileSync(process.execPath, [join(TOOLS!, 'node_modules', bin), ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${stdout}\n${stderr}`, { cause: error });
    }
  }

  it.each(PACKAGES)('%s: publint finds nothing', (name) => {
    expect(run('publint/src/cli.js', ['run', tarballs.get(name)!, '--strict'])).toMatch(/All good/);
  });

  it.each(PACKAGES)('%s: the types are right for ESM and bundlers', { timeout: 120_000 }, (name) => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')) as {
      exports: object;
    };
    expect(Object.keys(exports).length).toBeGreaterThan(0);
    // It ends with a status of its own for problems. Resolutions of CommonJS are not offered, and so not counted.
    const printed = run('@arethetypeswrong/cli/dist/index.js', [
      tarballs.get(name)!,
      '--profile',
      'esm-only',
      '--format',
      'ascii',
    ]);
    expect(
      printed.split('\n').filter((line) => /failed|error|💀|❌/iu.test(line) && !line.includes('ignored')),
    ).toEqual([]);
    expect(printed).toMatch(/node16 \(from ESM\): 🟢/);
  });
});
