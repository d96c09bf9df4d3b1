/** The process: standard output that is closed or full, and output names that the file system refuses. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, ensureBuilt, roomObj, run } from './cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'navkiln-process-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  await ensureBuilt();
  writeFileSync(join(folder, 'room.obj'), roomObj());
  writeFileSync(join(folder, 'damaged.navmesh'), 'not a mesh');
  expect((await run(['bake', 'room.obj', '-o', 'room.navmesh'], folder)).status).toBe(0);
}, 200_000);

const FULL = '/dev/full';

/** Runs the command line with a standard output or standard error that takes nothing. */
function runInto(
  args: readonly string[],
  broken: { stdout?: 'closed' | 'full'; stderr?: 'closed' | 'full' },
): Promise<{ status: number | null; stderr: string }> {
  const full = Object.values(broken).includes('full') ? openSync(FULL, 'w') : undefined;
  const streamOf = (how: 'closed' | 'full' | undefined): 'pipe' | number => (how === 'full' ? full! : 'pipe');
  const child = spawn(process.execPath, [BINARY, ...args], {
    cwd: folder,
    stdio: ['ignore', streamOf(broken.stdout), streamOf(broken.stderr)],
  });
  // The process starts much later than this: it never has a reader.
  if (broken.stdout === 'closed') child.stdout!.destroy();
  if (broken.stderr === 'closed') child.stderr!.destroy();
  let stderr = '';
  if (broken.stderr === undefined) child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  if (broken.stdout === undefined) child.stdout!.resume();
  return new Promise((resolve) => {
    child.on('close', (status) => {
      if (full !== undefined) closeSync(full);
      resolve({ status, stderr });
    });
  });
}

const COMMANDS: readonly (readonly string[])[] = [
  // A negative result counts only if the caller receives it.
  ['validate', 'damaged.navmesh'],
  ['bake', 'room.obj', '-o', 'again.navmesh', '--json'],
  ['--help'],
];

describe.skipIf(process.platform === 'win32')('standard output', () => {
  it.each(COMMANDS)('closed: %s ends with status 74', async (...args) => {
    const { status, stderr } = await runInto(args, { stdout: 'closed' });
    expect(stderr).toContain('error: cannot write to standard output: its reader closed it before the end\n');
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(status).toBe(74);
  });

  it.skipIf(!existsSync(FULL)).each(COMMANDS)('full: %s ends with status 74', async (...args) => {
    const { status, stderr } = await runInto(args, { stdout: 'full' });
    expect(stderr).toContain('error: cannot write to standard output: no space left on the device\n');
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(status).toBe(74);
  });
});

describe.skipIf(process.platform === 'win32')('standard error', () => {
  it.each(['closed', 'full'] as const)('%s: the answer and the status stay', async (how) => {
    if (how === 'full' && !existsSync(FULL)) return;
    rmSync(join(folder, 'again.navmesh'), { force: true });
    expect((await runInto(['bake', 'room.obj', '-o', 'again.navmesh'], { stderr: how })).status).toBe(0);
    expect(existsSync(join(folder, 'again.navmesh'))).toBe(true);
    expect((await runInto(['inspect', 'gone.navmesh'], { stderr: how })).status).toBe(2);
  });
});

describe('output files', () => {
  it.skipIf(!existsSync(FULL))('on a full device end with status 74', async () => {
    const { status, stderr } = await run(['bake', 'room.obj', '-o', FULL], folder);
    expect(stderr).toContain(`error: cannot write ${FULL}: no space left on the device`);
    expect(status).toBe(74);
  });

  // The temporary file has a longer name than the file.
  it.each([240, 255, 256, 5000])('with a name of %i bytes are refused before the bake', async (length) => {
    const before = readdirSync(folder);
    const name = `é${'n'.repeat(length - 10)}.navmesh`;
    expect(Buffer.byteLength(name)).toBe(length);
    for (const args of [
      ['bake', 'room.obj', '-o', name],
      ['bake', 'room.obj', '-o', 'x.navmesh', '--svg', name.replace(/navmesh$/, 'svg'.padEnd(7, 'g'))],
      ['convert', 'room.navmesh', name],
      ['path', 'room.navmesh', '--from', '0,0,0', '--to', '1,0,0', '--svg', name],
    ]) {
      const { status, stdout, stderr } = await run(args, folder);
      expect(stderr).toMatch(
        /^error: (-o|--svg|output) én.*: the name is too long \(\d+ bytes\); choose a shorter one\n$/,
      );
      expect([status, stdout]).toEqual([2, '']);
    }
    expect(readdirSync(folder)).toEqual(before);
  });

  it('with the longest name that fits are written', async () => {
    const name = `${'n'.repeat(230)}.navmesh`;
    expect((await run(['bake', 'room.obj', '-o', name], folder)).status).toBe(0);
    expect(readdirSync(folder)).toContain(name);
  });
});
