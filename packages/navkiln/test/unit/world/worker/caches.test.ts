/** Caches of baked tiles: over HTTP against a server, and the misuse of all of them. */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpCache } from '../../../../src/world/worker/caches/http.ts';
import { createIndexedDbCache } from '../../../../src/world/worker/caches/indexed-db.ts';

const stored = new Map<string, Uint8Array>();
const seen: string[] = [];
let server: Server;
let address = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['authorization'] ?? ''}`.trim());
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const name = request.url!;
      if (name.includes('broken')) response.writeHead(500).end();
      else if (request.method === 'PUT') response.writeHead(stored.set(name, Buffer.concat(chunks)) ? 204 : 500).end();
      else if (request.method === 'DELETE') response.writeHead(stored.delete(name) ? 204 : 404).end();
      else if (stored.has(name)) response.end(stored.get(name));
      else response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

it('HTTP: puts, gets and deletes entries, with the headers given', async () => {
  const cache = createHttpCache(`${address}/tiles/`, { headers: { authorization: 'secret' } });
  expect(await cache.get('k')).toBeUndefined();
  await cache.set('k', Uint8Array.of(1, 2, 3).subarray(1));
  expect(await cache.get('k')).toEqual(Uint8Array.of(2, 3));
  await cache.delete('k');
  await cache.delete('k');
  expect(await cache.get('k')).toBeUndefined();
  expect(seen[0]).toBe('GET /tiles/k secret');
  await expect(cache.keys()).rejects.toThrow('createHttpCache: an HTTP cache cannot list its keys');
});

it('HTTP: read only, it writes nothing', async () => {
  const cache = createHttpCache(address, { readOnly: true });
  const count = seen.length;
  await cache.set('k', Uint8Array.of(1));
  await cache.delete('k');
  expect(seen.length).toBe(count);
});

it('HTTP: a server that fails, or is not there, is an error', async () => {
  const cache = createHttpCache(`${address}/broken`);
  for (const run of [() => cache.get('k'), () => cache.set('k', Uint8Array.of(1)), () => cache.delete('k')]) {
    await expect(run()).rejects.toThrow(
      /^(GET|PUT|DELETE) http:.+ has status 500; the server failed: try again later, or look into its log$/,
    );
  }
  await expect(createHttpCache('http://127.0.0.1:1').get('k')).rejects.toThrow(
    'GET http://127.0.0.1:1/k failed: bad port; check the address, and that a server runs there',
  );
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  await expect(createHttpCache(`http://127.0.0.1:${port}`).get('k')).rejects.toThrow(
    `GET http://127.0.0.1:${port}/k failed: ECONNREFUSED; check the address`,
  );
  await expect(createHttpCache('http://me:hush@127.0.0.1/tiles').get('k')).rejects.toThrow(
    /^GET http:\/\/127\.0\.0\.1\/tiles\/k failed: the address has a user or a password; give them in options\.headers$/,
  );
});

it('HTTP: a server that stalls, before or within its answer, is given up; so is an aborted request', async () => {
  const stalling = createServer((request, response) => {
    if (request.url!.endsWith('half')) response.writeHead(200, { 'content-length': 10 }).write('abc');
  });
  await new Promise<void>((resolve) => stalling.listen(0, '127.0.0.1', resolve));
  const place = `http://127.0.0.1:${(stalling.address() as AddressInfo).port}`;
  const cache = createHttpCache(place, { timeoutMs: 40 });
  for (const name of ['none', 'half'])
    await expect(cache.get(name)).rejects.toThrow(
      `GET ${place}/${name} had no answer within 40 ms; check the server and the network`,
    );
  const control = new AbortController();
  const waiting = createHttpCache(place).get('none', control.signal);
  control.abort(new Error('not needed'));
  await expect(waiting).rejects.toThrow('not needed');
  stalling.close();
  stalling.closeAllConnections();
  expect(() => createHttpCache('x', { timeoutMs: 0 })).toThrow('createHttpCache: options.timeoutMs is 0');
});

it('HTTP: an answer longer than the limit is given up while it is read', async () => {
  let sent = 0;
  const endless = createServer((_, response) => {
    let isOpen = true;
    response.on('close', () => (isOpen = false));
    const write = (): void => {
      while (isOpen && sent < 2 ** 28) {
        sent += 65_536;
        if (!response.write(new Uint8Array(65_536))) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const place = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
  for (const [options, limit] of [
    [{}, 1000],
    [{ maxBytes: 70_000 }, undefined],
    [{ maxBytes: 5000 }, 1e9],
  ] as const) {
    sent = 0;
    await expect(createHttpCache(place, options).get('k', undefined, limit)).rejects.toThrow(
      /^GET http:\S+\/k sends more than (1000|70000|5000) bytes; check that the server has the right files$/,
    );
    expect(sent).toBeLessThan(2 ** 26);
  }
  endless.close();
  endless.closeAllConnections();
  const cache = createHttpCache(address);
  await cache.set('sized', Uint8Array.of(1, 2, 3));
  expect(await cache.get('sized', undefined, 3)).toEqual(Uint8Array.of(1, 2, 3));
  await expect(cache.get('sized', undefined, 2)).rejects.toThrow('sends more than 2 bytes');
  expect(() => createHttpCache('x', { maxBytes: 0 })).toThrow('createHttpCache: options.maxBytes is 0; must be');
});

it('refuses wrong arguments, and IndexedDB where there is none', () => {
  expect(() => createHttpCache('')).toThrow('createHttpCache: address is ""; must be a string that is not empty');
  expect(() => createHttpCache('x', { header: {} } as never)).toThrow(/header/);
  expect(() => createIndexedDbCache(1 as never)).toThrow('createIndexedDbCache: name is 1; must be a string');
  expect(() => createIndexedDbCache('tiles')).toThrow('createIndexedDbCache: there is no indexedDB here');
});
