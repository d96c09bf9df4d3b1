/** A second bake runs the code that was compiled for the first. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Bakes a level twice. V8 reports between the marks the code that the second bake invalidates. */
const SCRIPT = `
import { writeSync } from 'node:fs';
import { buildNavMesh } from 'navkiln/build';
import { findLevelScene } from 'navkiln-scenes';
const scene = findLevelScene('dungeon');
const level = scene.create();
buildNavMesh(level, scene.options);
writeSync(1, '=== second');
buildNavMesh(level, scene.options);
writeSync(1, '=== end');
`;

it('does not drop compiled code when a process bakes for the second time', () => {
  const { stdout, status } = spawnSync(process.execPath, ['--trace-deopt', '--input-type=module', '--eval', SCRIPT], {
    encoding: 'utf8',
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  });
  expect(status).toBe(0);
  const second = /=== second([^]*)=== end/.exec(stdout)![1];
  const dropped = [...second.matchAll(/marking dependent code .*SharedFunctionInfo (\w+)/g)].map((match) => match[1]);
  // About 30 when the hot functions' records change what the engine knows of their fields.
  expect(dropped.length, dropped.join(', ')).toBeLessThan(8);
});
