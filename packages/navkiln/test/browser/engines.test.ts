/**
 * The same bytes without the JIT, and in other versions of Node. `NAVKILN_NODES` names more Node binaries, separated
 * as in PATH.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashAnswers } from './answers.ts';
import { hashBakes } from './bakes.ts';
import { bundle } from './bundle.ts';
import { hashCrowds } from './crowds.ts';

const TICKS = 100;
const NODES = (process.env['NAVKILN_NODES'] ?? '').split(delimiter).filter((path) => path !== '');

const folder = mkdtempSync(join(tmpdir(), 'navkiln-engines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns what a function of a module returns in another process. */
async function runIn(
  node: string,
  flags: readonly string[],
  module: string,
  name: string,
  ...args: number[]
): Promise<unknown> {
  const file = join(folder, `${name}.mjs`);
  const path = fileURLToPath(new URL(module, import.meta.url));
  const code = `import { ${name} } from ${JSON.stringify(path)};\nconsole.log(JSON.stringify(${name}(${args.join(', ')})));\n`;
  writeFileSync(file, await bundle(code));
  const { stdout } = await promisify(execFile)(node, [...flags, file], { maxBuffer: 1 << 24, timeout: 200_000 });
  return JSON.parse(stdout);
}

let here: Record<string, string>;
beforeAll(() => {
  here = hashAnswers(TICKS);
  // Hashes of something.
  expect(Object.keys(here).length).toBeGreaterThan(12);
  expect(new Set(Object.values(here)).size).toBeGreaterThan(12);
}, 60_000);

it('bakes, paths, queries and crowds are the same without the JIT', { timeout: 240_000 }, async () => {
  expect(await runIn(process.execPath, ['--jitless'], 'answers.ts', 'hashAnswers', TICKS)).toEqual(here);
});

describe.skipIf(NODES.length === 0).each(NODES)('the Node binary %s', (node) => {
  it.each([[], ['--jitless']])('gives the same bytes %s', { timeout: 240_000 }, async (...flags) => {
    expect(await runIn(node, flags, 'answers.ts', 'hashAnswers', TICKS)).toEqual(here);
  });

  it(
    'bakes the bundled scenes and runs a crowd over changing tiles to the same bytes',
    { timeout: 240_000 },
    async () => {
      expect(await runIn(node, [], 'bakes.ts', 'hashBakes')).toEqual(hashBakes());
      expect(await runIn(node, [], 'crowds.ts', 'hashCrowds', 800)).toEqual(hashCrowds(800));
    },
  );
});
