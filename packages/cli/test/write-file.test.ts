/** Files are complete or absent after failures, and after signals while a large file is written. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeFiles } from '../src/output/write-file.ts';
import { ROOT } from './cli.ts';

const built = mkdtempSync(join(tmpdir(), 'navkiln-write-file-'));
const MODULE = join(built, 'write-file.mjs');
let folder = '';
beforeAll(async () => {
  const input = join(ROOT, 'packages/cli/src/output/write-file.ts');
  const build = await rolldown({ input, platform: 'node', logLevel: 'silent' });
  await build.write({ file: MODULE, format: 'esm' });
  await build.close();
});
afterAll(() => rmSync(built, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'navkiln-write-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('writeFiles', () => {
  it('writes all files, and replaces existing ones', async () => {
    writeFileSync(join(folder, 'a'), 'old');
    await writeFiles([
      { path: join(folder, 'a'), bytes: new Uint8Array([1, 2, 3]) },
      { path: join(folder, 'b'), bytes: 'text' },
    ]);
    expect([...readFileSync(join(folder, 'a'))]).toEqual([1, 2, 3]);
    expect(readFileSync(join(folder, 'b'), 'utf8')).toBe('text');
    expect(readdirSync(folder).sort()).toEqual(['a', 'b']);
  });

  it('writes none when one fails, and keeps the old one', async () => {
    writeFileSync(join(folder, 'a'), 'old');
    const missing = join(folder, 'gone', 'b');
    await expect(
      writeFiles([
        { path: join(folder, 'a'), bytes: 'new' },
        { path: missing, bytes: 'x' },
      ]),
    ).rejects.toThrow(`cannot write ${missing}: no such file or folder`);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('avoids an existing temporary file', async () => {
    writeFileSync(join(folder, `.a.${process.pid}-0.tmp`), 'of another');
    await writeFiles([{ path: join(folder, 'a'), bytes: 'new' }]);
    expect(readdirSync(folder).sort()).toEqual([`.a.${process.pid}-0.tmp`, 'a']);
  });

  it('removes the temporary files of dead processes, and no others', async () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const stale = [
      `.a.${dead}-0.tmp`,
      `.a.${dead}-100.tmp`,
      `.b.navmesh.${dead}-1.tmp`,
      `.b.navmesh.key.${dead}-0.tmp`,
      // Files of published worlds and plans, and indexes.
      ...['b.navindex', 'b.navroutes', 'b.chunk', 'world.json', 'current.json', `${'0f'.repeat(16)}.json`].map(
        (name) => `.${name}.${dead}-2.tmp`,
      ),
    ];
    const kept = [
      `.a.${process.pid}-0.tmp`,
      `.a.${process.ppid}-0.tmp`,
      // Not named by `temporaryPath`.
      `.a.0${dead}-0.tmp`,
      `.a.${dead}-00.tmp`,
      `.a.${dead}-101.tmp`,
      `.a.${dead}.tmp`,
      `.a.${dead}-0.tmp.bak`,
      `.a.99999999-0.tmp`,
      `a.${dead}-0.tmp`,
      `..${dead}-0.tmp`,
      // A temporary file of another name, which may belong to another program.
      `.notes.${dead}-0.tmp`,
    ];
    for (const name of [...stale, ...kept]) writeFileSync(join(folder, name), '');
    // A temporary file of a process that had this one's id before.
    const earlier = `.a.${process.pid}-7.tmp`;
    writeFileSync(join(folder, earlier), '');
    utimesSync(join(folder, earlier), 1e9, 1e9);
    mkdirSync(join(folder, `.a.${dead}-3.tmp`));
    mkdirSync(join(folder, 'other'));
    writeFileSync(join(folder, 'other', `.a.${dead}-0.tmp`), '');
    await writeFiles([{ path: join(folder, 'a'), bytes: 'new' }]);
    expect(readdirSync(folder).sort()).toEqual([...kept, `.a.${dead}-3.tmp`, 'a', 'other'].sort());
    expect(readdirSync(join(folder, 'other'))).toEqual([`.a.${dead}-0.tmp`]);
  });

  it('removes what a killed run left behind', async () => {
    const script = join(folder, 'write.mjs');
    mkdirSync(join(folder, 'out'));
    writeFileSync(
      script,
      `import { writeFiles } from ${JSON.stringify(pathToFileURL(MODULE).href)};
      const bytes = new Uint8Array(4e8);
      await writeFiles([{ path: ${JSON.stringify(join(folder, 'out/big'))}, bytes }]);`,
    );
    const child = spawn(process.execPath, [script], { stdio: 'inherit' });
    const ended = new Promise<string | null>((resolve) => child.on('close', (_, by) => resolve(by)));
    const left = (): string[] => readdirSync(join(folder, 'out')).filter((name) => name.endsWith('.tmp'));
    for (let tries = 0; tries < 2000 && left().length === 0; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    expect(left()).toEqual([`.big.${child.pid}-0.tmp`]);
    await writeFiles([{ path: join(folder, 'out/big'), bytes: 'small' }]);
    expect(readdirSync(join(folder, 'out'))).toEqual(['big']);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s while writing leaves the old file and nothing else',
    async (signal) => {
      mkdirSync(join(folder, 'out'));
      writeFileSync(join(folder, 'out/big'), 'old');
      const script = join(folder, 'write.mjs');
      writeFileSync(
        script,
        `import { writeFiles } from ${JSON.stringify(pathToFileURL(MODULE).href)};
      const writing = writeFiles([{ path: ${JSON.stringify(join(folder, 'out/big'))}, bytes: new Uint8Array(4e8) }]);
      process.stdout.write('started\\n');
      await writing;
      process.stdout.write('written\\n');`,
      );
      const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
      let out = '';
      let seen = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
      const ended = new Promise<string | null>((resolve) => child.on('close', (_, by) => resolve(by)));
      for (let tries = 0; tries < 2000 && seen === ''; tries++) {
        seen = readdirSync(join(folder, 'out')).find((name) => name.endsWith('.tmp')) ?? '';
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      child.kill(signal);
      expect(await ended).toBe(signal);
      expect(seen).not.toBe('');
      expect(out).toBe('started\n');
      expect(readdirSync(join(folder, 'out'))).toEqual(['big']);
      expect(readFileSync(join(folder, 'out/big'), 'utf8')).toBe('old');
    },
  );
});
