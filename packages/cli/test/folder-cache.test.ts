/** The folder cache of baked tiles, and the flags --workers and --cache. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolderCache } from '../src/cache/folder.ts';
import { build } from '../../../tools/setup.mjs';

const COMMAND = join(import.meta.dirname, '../bin/navkiln.js');
const folder = mkdtempSync(join(tmpdir(), 'navkiln-cache-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const KEY = '0123456789abcdef0123456789abcdef';

describe('createFolderCache', () => {
  it('keeps, lists and deletes entries, and leaves no other files', async () => {
    const cache = createFolderCache(join(folder, 'a/b'));
    expect(await cache.keys()).toEqual([]);
    expect(await cache.get(KEY)).toBeUndefined();
    await cache.set(KEY, Uint8Array.of(1, 2));
    await cache.set(KEY, Uint8Array.of(3));
    expect(new Uint8Array((await cache.get(KEY))!)).toEqual(Uint8Array.of(3));
    expect(await cache.keys()).toEqual([KEY]);
    expect(readdirSync(join(folder, 'a/b'))).toEqual([`${KEY}.navtile`]);
    await cache.delete(KEY);
    await cache.delete(KEY);
    expect(await cache.keys()).toEqual([]);
  });

  it('many writers of one key leave one whole entry', async () => {
    const caches = [createFolderCache(join(folder, 'many')), createFolderCache(join(folder, 'many'))];
    const entries = Array.from({ length: 40 }, (_, i) => new Uint8Array(1e5).fill(i));
    await Promise.allSettled(entries.map((entry, i) => caches[i % 2]!.set(KEY, entry)));
    const entry = await caches[0]!.get(KEY);
    expect(entry).toHaveLength(1e5);
    expect(new Set(entry).size).toBe(1);
    expect(readdirSync(join(folder, 'many'))).toEqual([`${KEY}.navtile`]);
  });

  it('refuses other keys and folders that are not strings', async () => {
    const cache = createFolderCache(join(folder, 'keys'));
    for (const key of ['../../etc/passwd', 'ABC', ''])
      await expect(cache.set(key, Uint8Array.of(1))).rejects.toThrow(/must be 32 hexadecimal digits/);
    expect(() => createFolderCache(1 as never)).toThrow('createFolderCache: folder is 1; must be a path');
    expect(existsSync(join(folder, 'keys'))).toBe(false);
  });

  it('a file in place of the folder is an error of each method', async () => {
    writeFileSync(join(folder, 'file'), '');
    const cache = createFolderCache(join(folder, 'file'));
    await expect(cache.set(KEY, Uint8Array.of(1))).rejects.toThrow();
    await expect(cache.get(KEY)).rejects.toThrow(/ENOTDIR/);
  });
});

describe('navkiln bake --workers --cache', () => {
  const level = join(folder, 'level.obj');
  const bake = (output: string, ...flags: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [COMMAND, 'bake', level, '-o', join(folder, output), '--tile-size', '8', ...flags], {
      encoding: 'utf8',
    });

  beforeAll(async () => {
    await build();
    writeFileSync(level, 'v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3\nf 1 3 4\n');
    expect(bake('alone.navmesh').status).toBe(0);
  });
  const alone = (): Buffer => readFileSync(join(folder, 'alone.navmesh'));

  it('gives the same bytes, and reads unchanged tiles from the folder', () => {
    const tiles = join(folder, 'tiles');
    const first = bake('first.navmesh', '--workers', '2', '--cache', tiles);
    expect(first.stderr).not.toContain('warning');
    expect(first.stdout).toContain('cache: 0 tiles unchanged, 25 baked');
    expect(readFileSync(join(folder, 'first.navmesh'))).toEqual(alone());
    const second = JSON.parse(bake('second.navmesh', '--cache', tiles, '--json').stdout);
    expect(second.cache).toEqual({ hits: 25, misses: 0, damaged: 0, errors: 0 });
    expect(readFileSync(join(folder, 'second.navmesh'))).toEqual(alone());
    // Entries of another version, and files that are not entries.
    for (const name of readdirSync(tiles).slice(0, 5)) writeFileSync(join(tiles, name), 'NKTILE00 of another version');
    const third = JSON.parse(bake('third.navmesh', '--cache', tiles, '--json').stdout);
    expect(third.cache).toEqual({ hits: 20, misses: 5, damaged: 5, errors: 0 });
    expect(readFileSync(join(folder, 'third.navmesh'))).toEqual(alone());
  });

  it('a folder that cannot be written is a warning; the mesh is complete', () => {
    const tiles = join(folder, 'blocked');
    mkdirSync(tiles);
    // Folders in place of the entries: even root cannot write there.
    for (const name of readdirSync(join(folder, 'tiles'))) mkdirSync(join(tiles, name));
    chmodSync(tiles, 0o555);
    const result = bake('blocked.navmesh', '--cache', tiles);
    expect(result.stderr).toMatch(
      /warning: 50 calls of the cache failed \(.+\); tiles that it did not give were baked/,
    );
    expect(readFileSync(join(folder, 'blocked.navmesh'))).toEqual(alone());
    chmodSync(tiles, 0o755);
  });

  it.each([
    [['--workers', '0'], "--workers: '0' is not a whole number from 1 to 256"],
    [['--workers', 'two'], "--workers: 'two' is not a whole number"],
    [['--cache', level], 'is not a folder; choose a folder'],
    [['--cache', ''], '--cache: no folder given'],
    [['--surface', '--workers', '2'], '--workers and --cache: only apply to levels without --surface'],
  ])('refuses %j', (flags, message) => {
    const result = bake('refused.navmesh', ...flags);
    expect(result.status).toBe(2);
    expect(result.stderr).toContain(message);
  });
});
