/** The S3 store on an S3 server: files, pages of names, published worlds, and faults with their remedies. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryCache } from 'navkiln/worker';
import { openWorld, publishWorld } from 'navkiln/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createS3Store } from '../src/cache/s3.ts';
import type { S3StoreOptions } from '../src/cache/s3.ts';
import { run } from './cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'navkiln-s3-'));
let server: ChildProcess;
let endpoint = '';
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const open = (more: Partial<S3StoreOptions> = {}) =>
  createS3Store({ bucket: 'worlds', endpoint, credentials, ...more });

beforeAll(async () => {
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';
  const script = join(import.meta.dirname, 's3-server.mjs');
  server = spawn(process.execPath, ['--openssl-legacy-provider', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = (await once(server.stdout!, 'data')) as [Buffer];
  endpoint = `http://127.0.0.1:${text.toString().trim()}`;
});
afterAll(() => {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
});

describe('createS3Store', () => {
  it('keeps, lists in pages and deletes files under its prefix', async () => {
    const store = open({ prefix: 'a/town', pageSize: 3 });
    const names = Array.from({ length: 8 }, (_, i) => `tiles/${i}.navtile`);
    expect(await store.keys()).toEqual([]);
    for (const [i, name] of names.entries()) await store.set(name, Uint8Array.of(i, 7));
    await store.set(names[2]!, new Uint8Array(0));
    await open().set('b/other', Uint8Array.of(1));
    expect((await store.keys()).sort()).toEqual(names);
    expect(await store.get(names[5]!)).toEqual(Uint8Array.of(5, 7));
    expect(await store.get(names[2]!)).toEqual(new Uint8Array(0));
    expect(await store.get('tiles/9.navtile')).toBe(undefined);
    await store.delete(names[5]!);
    await store.delete(names[5]!);
    expect(await store.get(names[5]!)).toBe(undefined);
    expect(await store.keys()).toHaveLength(7);
    await expect(store.get(names[1]!, AbortSignal.abort(new Error('not wanted')))).rejects.toThrow('not wanted');
  });

  it('holds a world that equals one in memory, also by the command line', async () => {
    const level = { positions: [0, 0, 0, 0, 0, 40, 40, 0, 40, 40, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
    const [memory, store] = [createMemoryCache(), open({ prefix: 'town' })];
    await publishWorld(memory, level, { tileSize: 16 });
    await publishWorld(store, level, { tileSize: 16 });
    const names = (await memory.keys()).sort();
    expect((await store.keys()).sort()).toEqual(names);
    for (const name of names) expect(Buffer.compare((await store.get(name))!, (await memory.get(name))!)).toBe(0);
    expect((await openWorld(store)).manifest.sequence).toBe(1);
    writeFileSync(join(folder, 'level.obj'), 'v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3\nf 1 3 4\n');
    const before = { ...process.env };
    Object.assign(process.env, {
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    });
    try {
      const flags = ['level.obj', '--world', 's3://worlds/city', '--tile-size', '16', '--json'];
      const published = await run(['farm', 'plan', ...flags, '--threads', '0'], folder);
      expect(published).toMatchObject({ status: 0 });
      const report = await run(['world', 'inspect', 's3://worlds/city', '--json'], folder);
      expect(JSON.parse(report.stdout)).toMatchObject({ sequence: 1, tiles: names.length - 2 });
      const none = await run(['world', 'inspect', 's3://worlds/nowhere'], folder);
      expect(none).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('s3://worlds/nowhere: the store has no world.json'),
      });
      const absent = await run(['world', 'inspect', 's3://absent/city'], folder);
      expect(absent.stderr).toContain('there is no such bucket; create it, or check the name');
      const bad = await run(['world', 'inspect', 's3://B/city'], folder);
      expect(bad.stderr).toContain('error: s3://B/city: bucket is not a name of a bucket');
    } finally {
      for (const name of ['AWS_ENDPOINT_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });

  it('names the bucket and the remedy, and shows no secret', async () => {
    const secret = 'do-not-print';
    const failures = {
      bucket: open({ bucket: 'absent' }),
      key: open({ credentials: { accessKeyId: 'nobody', secretAccessKey: secret } }),
      host: open({ endpoint: 'http://127.0.0.1:1' }),
    };
    const messages = await Promise.all(
      Object.values(failures).map((store) => store.get('world.json').catch((error: Error) => error.message)),
    );
    expect(messages).toEqual([
      `s3://absent at ${new URL(endpoint).host}: there is no such bucket; create it, or check the name`,
      expect.stringContaining('the server refuses the credentials, or their rights (InvalidAccessKeyId)'),
      's3://worlds at 127.0.0.1:1: no server listens there; start it, or check host and port of the endpoint',
    ]);
    expect(messages.join()).not.toContain(secret);
    expect(() => open({ endpoint: 'worlds' })).toThrow(
      'createS3Store: options.endpoint is not an address; must begin with https:// or http://',
    );
    expect(() => open({ bucket: '' })).toThrow('createS3Store: options.bucket is not a name of a bucket');
    expect(() => open({ prefix: '../a' })).toThrow('createS3Store: options.prefix is "../a"; must be parts of letters');
    expect(() => open({ pageSize: 0 })).toThrow(
      'createS3Store: options.pageSize is 0; must be a whole number 1 .. 1000',
    );
    expect(() => open({ buckett: 'x' } as object)).toThrow('createS3Store: options.buckett is unknown');
    await expect(open().set('../x', new Uint8Array(1))).rejects.toThrow(
      'createS3Store: name is "../x"; must be parts of letters',
    );
  });

  it('tries again when the server fails, and says so when it goes on failing', async () => {
    let failures = 2;
    const shaky = createServer((_, response) => {
      if (failures-- > 0) response.writeHead(500).end();
      else response.writeHead(200).end('abc');
    });
    shaky.listen(0, '127.0.0.1');
    await once(shaky, 'listening');
    const { port } = shaky.address() as AddressInfo;
    const store = open({ endpoint: `http://127.0.0.1:${port}` });
    expect(await store.get('x')).toEqual(new TextEncoder().encode('abc'));
    failures = Infinity;
    await expect(store.get('x')).rejects.toThrow(
      /s3:\/\/worlds at 127\.0\.0\.1:\d+: the server failed with status 500/,
    );
    shaky.close();
    shaky.closeAllConnections();
  });

  it('gives up servers that stall, before and within an answer', async () => {
    let hasHead = false;
    let requests = 0;
    const stalling = createServer((_, response) => {
      requests++;
      if (hasHead) response.writeHead(200, { 'content-length': 100 }).write('abc');
    });
    stalling.listen(0, '127.0.0.1');
    await once(stalling, 'listening');
    const { port } = stalling.address() as AddressInfo;
    const store = open({ endpoint: `http://127.0.0.1:${port}`, timeoutMs: 50 });
    const text = `s3://worlds at 127.0.0.1:${port}: no answer within 0.05 seconds, 4 times; check the server and the network`;
    await expect(store.get('x')).rejects.toThrow(text);
    expect(requests).toBe(4);
    await expect(store.keys()).rejects.toThrow(text);
    hasHead = true;
    await expect(store.get('x')).rejects.toThrow(text);
    expect(() => open({ timeoutMs: 0 })).toThrow('createS3Store: options.timeoutMs is 0; must be 1 or more');
    stalling.close();
    stalling.closeAllConnections();
  });
});
