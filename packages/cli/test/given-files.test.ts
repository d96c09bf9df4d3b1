/**
 * Which files are read. A marker file beside the folder of a level stands for any file of the user: nothing in a level or a map leads
 * to it, and its text is in no message.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLevelFile } from 'navkiln-loaders';
import { run } from './cli.ts';
import type { Run } from './cli.ts';
import { gltfOf } from './hostile.ts';

const MARKER = 'the-marker-of-this-test-0123456789-abcdefghij';
const POSITIONS = new Uint8Array(new Float32Array([0, 0, 0, 0, 0, 9, 9, 0, 0]).buffer);
let root = '';
let level = '';

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'navkiln-given-'));
  level = join(root, 'level');
  mkdirSync(join(level, 'parts'), { recursive: true });
  writeFileSync(join(root, 'marker.txt'), MARKER);
  writeFileSync(join(root, 'outside.bin'), POSITIONS);
  writeFileSync(join(level, 'inside.bin'), POSITIONS);
  writeFileSync(join(level, 'parts', 'with space.bin'), POSITIONS);
  symlinkSync(join(root, 'outside.bin'), join(level, 'link-out.bin'));
  symlinkSync(root, join(level, 'folder-out'));
  symlinkSync(join(level, 'inside.bin'), join(level, 'link-in.bin'));
  symlinkSync(join(root, 'marker.txt'), join(level, 'marker-link.tsj'));
  symlinkSync('/dev/zero', join(level, 'zero.bin'));
  symlinkSync('loop.bin', join(level, 'loop.bin'));
  execFileSync('mkfifo', [join(level, 'pipe.bin')]);
  writeFileSync(join(level, 'secret.tsj'), `${MARKER}: not JSON`);
  writeFileSync(join(level, 'strange.tsj'), JSON.stringify({ tilewidth: MARKER }));
  writeFileSync(join(level, 'walls.tsj'), JSON.stringify({ tilewidth: 16, tileheight: 16 }));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PLACES: readonly (readonly [what: string, uri: () => string, says: RegExp])[] = [
  ['an absolute path', () => join(root, 'outside.bin'), /is an absolute path/],
  ['..', () => '../outside.bin', /leads out of the folder/],
  ['.. in the middle', () => 'parts/../../outside.bin', /leads out of the folder/],
  ['.. with percent signs', () => '%2e%2e/outside.bin', /leads out of the folder/],
  ['a slash with percent signs', () => '..%2Foutside.bin', /leads out of the folder/],
  ['backslashes', () => '..\\outside.bin', /has a backslash/],
  ['backslashes with percent signs', () => '..%5Coutside.bin', /has a backslash/],
  ['a drive', () => 'C:/outside.bin', /is an absolute path/],
  ['a tab in ..', () => '.%09./outside.bin', /is not the name of a file/],
  ['a zero', () => 'inside.bin%00.txt', /is not the name of a file/],
  ['a link to a file outside', () => 'link-out.bin', /is a link that leads out of the folder/],
  ['a link to a folder outside', () => 'folder-out/outside.bin', /is a link that leads out of the folder/],
  ['a link to itself', () => 'loop.bin', /no such file|symbolic links|ELOOP/],
  ['a device', () => 'zero.bin', /leads out of the folder/],
  ['a pipe', () => 'pipe.bin', /is not a regular file/],
  ['a folder', () => 'parts', /is a folder, not a file/],
  ['the folder itself', () => '.', /is a link that leads out|is a folder/],
  ['a file address', () => `file://${join(root, 'outside.bin')}`, /is not a file; download it/],
  ['a web address', () => 'http://127.0.0.1:9/outside.bin', /is not a file; download it/],
  ['an address without a scheme', () => '//127.0.0.1/outside.bin', /is an absolute path/],
];

function bakeLevel(uri: string, ...flags: string[]): Promise<Run> {
  const json = gltfOf({ buffers: [{ byteLength: POSITIONS.length, uri }], images: [{ uri: '../marker.txt' }] });
  writeFileSync(join(level, 'level.gltf'), JSON.stringify(json));
  return run(['bake', 'level.gltf', '-o', 'out.navmesh', '--allow-empty', ...flags], level);
}

function bakeMap(source: string, ...flags: string[]): Promise<Run> {
  const map = {
    orientation: 'orthogonal',
    width: 2,
    height: 2,
    tilewidth: 16,
    tileheight: 16,
    tilesets: [{ firstgid: 1, source }],
    layers: [
      { type: 'tilelayer', name: 'a', width: 2, height: 2, data: [1, 0, 0, 0] },
      { type: 'imagelayer', name: 'b', image: '../marker.txt' },
    ],
  };
  writeFileSync(join(level, 'map.tmj'), JSON.stringify(map));
  return run(['bake', 'map.tmj', '-o', 'out.navmesh', '--allow-empty', ...flags], level);
}

describe('files that a .gltf names', () => {
  it.each(PLACES)('%s', async (_, uri, says) => {
    const { status, stderr } = await bakeLevel(uri());
    expect(stderr).toMatch(says);
    expect(status).toBe(2);
    expect(existsSync(join(level, 'out.navmesh'))).toBe(false);
  });

  it('in its folder, below it, by links inside, and in data URIs are read', async () => {
    const data = `data:application/octet-stream;base64,${Buffer.from(POSITIONS).toString('base64')}`;
    for (const uri of ['inside.bin', './inside.bin', 'parts/with%20space.bin', 'link-in.bin', data]) {
      const { status, stderr } = await bakeLevel(uri);
      expect(status, `${uri}: ${stderr}`).toBe(0);
      rmSync(join(level, 'out.navmesh'));
    }
  });

  it('elsewhere are read with --allow-outside, when they are regular', async () => {
    for (const uri of ['../outside.bin', join(root, 'outside.bin'), 'link-out.bin', 'folder-out/outside.bin']) {
      const { status, stderr } = await bakeLevel(uri, '--allow-outside');
      expect(status, `${uri}: ${stderr}`).toBe(0);
      rmSync(join(level, 'out.navmesh'));
    }
    expect((await bakeLevel('zero.bin', '--allow-outside')).stderr).toContain('is not a regular file');
    expect((await bakeLevel('pipe.bin', '--allow-outside')).stderr).toContain('is not a regular file');
    expect((await bakeLevel('https://example.com/a.bin', '--allow-outside')).stderr).toContain('is not a file');
  });

  it('reveal nothing of a file that is too short, and of values that are wrong', async () => {
    for (const flags of [[], ['--allow-outside']]) {
      const { status, stdout, stderr } = await bakeLevel('../marker.txt', ...flags);
      expect(stdout + stderr).not.toContain(MARKER.slice(0, 8));
      // The marker as positions is finite: no message may contain its numbers.
      expect([0, 2]).toContain(status);
    }
  });

  it('are checked by readLevelFile before `beside` is called', async () => {
    const asked: string[] = [];
    const beside = (name: string): Uint8Array => {
      asked.push(name);
      return POSITIONS;
    };
    const bytes = (uri: string): Uint8Array =>
      new TextEncoder().encode(JSON.stringify(gltfOf({ buffers: [{ byteLength: 36, uri }] })));
    await expect(readLevelFile(bytes('../a.bin'), 'x.gltf', { beside })).rejects.toThrow(
      /^x\.gltf: buffer "\.\.\/a\.bin" leads out of the folder of the level; move the file/,
    );
    await expect(readLevelFile(bytes('%2E%2e/a.bin'), 'x.gltf', { beside })).rejects.toThrow('leads out');
    expect(asked).toEqual([]);
    await readLevelFile(bytes('../a.bin'), 'x.gltf', { beside, allowOutside: true });
    await readLevelFile(bytes('b%20c.bin'), 'x.gltf', { beside });
    expect(asked).toEqual(['../a.bin', 'b c.bin']);
  });
});

describe('tilesets that a map names', () => {
  it.each(PLACES.map(([what, uri, says]) => [what, () => uri().replaceAll('%2e', '.'), says] as const))(
    '%s',
    async (_, uri, says) => {
      // Names of tilesets are not encoded.
      const name = decodeURIComponent(uri());
      const { status, stderr } = await bakeMap(name);
      expect(`${stderr} no such file`).toMatch(says);
      expect(stderr).not.toContain(MARKER.slice(0, 8));
      if (name !== 'loop.bin') expect(status).toBe(2);
    },
  );

  it('in the folder are read, elsewhere with --allow-outside', async () => {
    expect((await bakeMap('walls.tsj', '--allow-open')).status).toBe(0);
    writeFileSync(join(root, 'walls.tsj'), '{}');
    expect((await bakeMap('../walls.tsj')).status).toBe(2);
    expect((await bakeMap('../walls.tsj', '--allow-outside', '--allow-open')).status).toBe(0);
  });

  it('are not quoted when they are wrong', async () => {
    for (const [name, says] of [
      ['secret.tsj', /secret\.tsj: is not valid JSON \(line 1, column 1: /],
      ['strange.tsj', /strange\.tsj, tileset 0, tilewidth: is a text, must be a finite number/],
      ['marker-link.tsj', /is a link that leads out/],
    ] as const) {
      const { status, stdout, stderr } = await bakeMap(name);
      expect(status).toBe(2);
      expect(stderr).toMatch(says);
      expect(stdout + stderr).not.toContain(MARKER.slice(0, 8));
    }
    const outside = await bakeMap('../marker.txt', '--allow-outside');
    expect(outside.stderr).toMatch(/marker\.txt: is not valid JSON/);
    expect(outside.stderr).not.toContain(MARKER.slice(0, 8));
  });
});

describe('files that the user names', () => {
  it('may be pipes for meshes, never devices', async () => {
    symlinkSync('/dev/zero', join(level, 'endless.obj'));
    symlinkSync('/dev/zero', join(level, 'endless.navmesh'));
    symlinkSync('/dev/zero', join(level, 'endless.json'));
    for (const [command, file] of [
      ['bake', 'endless.obj'],
      ['bake', 'endless.json'],
      ['inspect', 'endless.navmesh'],
      ['crowd', 'endless.json'],
    ] as const) {
      const output = command === 'bake' ? ['-o', 'out.navmesh'] : [];
      const { status, stderr } = await run([command, file, ...output], level);
      expect(stderr).toContain('is not a regular file');
      expect(status).toBe(2);
    }
  });
});
