/** `navkiln world`: publications, what they bake, their report, and what is removed. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpCache } from 'navkiln/worker';
import { openWorld, streamAround } from 'navkiln/world';
import { createFolderStore } from '../src/cache/folder.ts';
import { run } from './cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'navkiln-world-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The pole keeps the height of the level, which all tiles depend on.
const pole = 'v 30 0 30\nv 30 3 30\nv 30.1 3 30\nf 5 6 7\n';
const floor = `v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3\nf 1 3 4\n${pole}`;
const wall = 'v 3 0 3\nv 3 2 3\nv 6 2 3\nf 8 9 10\nf 10 9 8\n';
const publish = (level: string, ...flags: string[]) =>
  run(['world', 'publish', level, '--world', 'town', '--tile-size', '8', '--json', ...flags], folder);

beforeAll(() => {
  writeFileSync(join(folder, 'level.obj'), floor);
  writeFileSync(join(folder, 'walled.obj'), floor + wall);
});

describe('navkiln world', () => {
  it('publishes, bakes only what changed, reports, and removes what is old', async () => {
    const first = await publish('level.obj');
    expect(first.stderr).toContain('publish: 25/25 tiles');
    expect(JSON.parse(first.stdout)).toMatchObject({
      world: 'town',
      sequence: 1,
      tiles: 25,
      bakedTiles: 25,
      reusedTiles: 0,
    });
    const second = JSON.parse((await publish('walled.obj')).stdout);
    expect(second).toMatchObject({ sequence: 2, tiles: 25 });
    expect(second.bakedTiles).toBeGreaterThan(0);
    expect(second.bakedTiles).toBeLessThan(6);
    const report = JSON.parse((await run(['world', 'inspect', 'town', '--json'], folder)).stdout);
    expect(report).toMatchObject({ sequence: 2, countX: 5, countZ: 5, tiles: 25, polygons: second.polygons, links: 0 });
    expect((await run(['world', 'inspect', 'town'], folder)).stdout).toMatch(/publication +2\n.*side 8\n/s);
    const removed = await run(['world', 'gc', 'town', '--json'], folder);
    expect(JSON.parse(removed.stdout)).toEqual({ world: 'town', manifests: 1, tiles: second.bakedTiles });
    expect(readdirSync(join(folder, 'town')).sort()).toEqual(['manifests', 'tiles', 'world.json']);
    expect(readdirSync(join(folder, 'town/manifests'))).toEqual(['00000002.json']);
    expect(readdirSync(join(folder, 'town/tiles')).length).toBe(25);
  });

  it('is streamed from a folder and from a server', async () => {
    const server = createServer((request, response) => {
      readFile(join(folder, 'town', request.url!)).then(
        (bytes) => response.end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const store of [createFolderStore(join(folder, 'town')), createHttpCache(address)]) {
      const world = await openWorld(store);
      while (streamAround(world, [[20, 0, 20]], { radius: 100 }).missingTiles > 0) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      expect(world.navMesh.tileSlotCount).toBe(25);
    }
    expect((await run(['world', 'inspect', address], folder)).stdout).toContain('25 of 5 × 5');
    server.close();
    server.closeAllConnections();
    const gone = await run(['world', 'inspect', address], folder);
    expect(gone).toMatchObject({ status: 2, stdout: '' });
    // On a busy machine, another server may have taken the port: it does not answer.
    expect(gone.stderr).toMatch(/^error: http:\/\/127\.0\.0\.1:\d+: GET http:.*failed: .*; .*check .*server/m);
  });

  it.each([
    [['publish', 'level.obj', '--world', 'x'], 2, '--tile-size: must be given for a world'],
    [['publish', 'level.obj', '--tile-size', '8'], 2, 'no world given; pass --world FOLDER'],
    [['publish', '--world', 'x', '--tile-size', '8'], 2, 'no level given'],
    [['publish', 'gone.obj', '--world', 'x', '--tile-size', '8'], 2, 'gone.obj: no such file or folder'],
    [
      ['publish', 'level.obj', '--world', 'https://x.example/y', '--tile-size', '8'],
      2,
      'can only be changed in a folder',
    ],
    [['publish', 'level.obj', '--world', 'level.obj', '--tile-size', '8'], 74, 'level.obj: part of the path is a file'],
    [
      ['publish', 'level.obj', '--world', 'x', '--tile-size', '8', '--cell-size', '0.00001'],
      2,
      'tileSize is 8, which makes',
    ],
    [['inspect', 'gone'], 2, 'gone: the store has no world.json; publish the world with navkiln world publish'],
    [['inspect', 'bad'], 2, 'bad: world.json: the manifest of the world cannot be used: it is not JSON, or cut off'],
    [
      ['inspect', 'https://me:never-shown@x.example/town'],
      2,
      'https://x.example/town: the address has a user or a password',
    ],
    [['gc', 'bad'], 2, 'bad: world.json: the manifest of the world cannot be used'],
    [['gc', 'gone'], 2, 'gone: the store has no world.json'],
    [['gc', 'town', '--keep', '0'], 2, '--keep 0: must be a whole number of 1 or more'],
  ])('refuses %j', async (args, status, message) => {
    mkdirSync(join(folder, 'bad'), { recursive: true });
    writeFileSync(join(folder, 'bad/world.json'), '{"format": "navkiln');
    const result = await run(['world', ...args], folder);
    expect(result.stderr).toContain(message);
    expect(result.stderr).not.toContain('never-shown');
    expect(result).toMatchObject({ status, stdout: '' });
    expect(readdirSync(folder)).not.toContain('x');
    expect(readdirSync(folder)).not.toContain('gone');
  });
});
