/** Tools print what they do and their options, and refuse a wrong option in one line. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../../../../tools/files.mjs';

const runTool = (name: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'tools', name), ...args], { encoding: 'utf8' });

it.each([
  ['bench.mjs', /^The benchmark: .*--only bake\|path/s],
  ['compare.mjs', /^`npm run compare -- REF .*Exit status/s],
  ['performance.mjs', /^`npm run performance .*--written/s],
])('%s --help', (name, says) => {
  const { status, stdout, stderr } = runTool(name, '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(says);
  expect(stdout).not.toContain(' * ');
});

it.each(['compare.mjs', 'performance.mjs'])('%s refuses an unknown option', (name) => {
  const { status, stderr } = runTool(name, '--nope');
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: "error: Unknown option '--nope'; --help lists the options\n",
  });
});
