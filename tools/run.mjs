/** Runs a program of node_modules/.bin or PATH and passes the terminal through. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './files.mjs';

/**
 * Resolves with { status, output }. `cwd` is the folder, the root by default. With `capture`, the output is collected and not shown. Ctrl-C reaches the
 * child, which is in the same process group; this process waits for it and ends in the same way.
 */
export function run(program, args, { capture = false, env = {}, cwd = ROOT } = {}) {
  return new Promise((resolve, reject) => {
    const path = `${join(ROOT, 'node_modules', '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}`;
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env, PATH: path },
      stdio: capture ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      shell: process.platform === 'win32',
    });
    let output = '';
    child.stdout?.on('data', (data) => (output += data));
    child.stderr?.on('data', (data) => (output += data));
    const wait = () => {};
    process.on('SIGINT', wait);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('SIGINT', wait);
      if (signal === 'SIGINT') process.exit(130);
      resolve({ status: code ?? 1, output });
    });
  });
}
