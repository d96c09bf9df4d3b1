/** navkiln studio: which files its server provides, and what the command refuses. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { nameFiles, serveStudio } from '../src/studio/serve.ts';
import { ROOT, run } from './cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'navkiln-studio-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const page = join(folder, 'page');
mkdirSync(join(page, 'assets'), { recursive: true });
writeFileSync(join(page, 'index.html'), '<p>studio</p>');
writeFileSync(join(page, 'assets', 'a.js'), 'export {};');
writeFileSync(join(folder, 'secret.txt'), 'secret');
writeFileSync(join(folder, 'hall ü.obj'), 'v 0 0 0\n');

/** As it is written: `fetch` would tidy the path. */
function get(url: string, path: string, method = 'GET'): Promise<{ status: number; type: string; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path, method }, (answer) => {
      let body = '';
      answer
        .on('data', (data) => (body += data))
        .on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            type: answer.headers['content-type'] ?? '',
            body,
          }),
        );
    })
      .on('error', reject)
      .end();
  });
}

it('serves the page and the given files, and nothing else', async () => {
  const server = await serveStudio(page, { files: [join(folder, 'hall ü.obj')], headers: { 'x-test': '1' } });
  try {
    expect(await get(server.url, '/')).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
      body: '<p>studio</p>',
    });
    expect(await get(server.url, '/assets/a.js?x')).toMatchObject({
      status: 200,
      type: 'text/javascript; charset=utf-8',
    });
    expect(await get(server.url, `/open/${encodeURIComponent('hall ü.obj')}`)).toMatchObject({
      status: 200,
      body: 'v 0 0 0\n',
    });
    expect(await get(server.url, '/', 'HEAD')).toMatchObject({ status: 200, body: '' });
    expect((await get(server.url, '/', 'POST')).status).toBe(405);
    for (const path of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/assets/../../secret.txt',
      '/..%5csecret.txt',
      '/open/../secret.txt',
      '/open/secret.txt',
      '/assets',
      '/%',
      '/a%00b',
      '/none.js',
    ])
      expect(await get(server.url, path), path).toMatchObject({ status: 404 });
    const elsewhere = await new Promise((resolve) => {
      request(server.url, { headers: { host: 'evil.example' } }, ({ statusCode }) => resolve(statusCode)).end();
    });
    expect(elsewhere).toBe(403);
    expect((await fetch(server.url)).headers.get('x-test')).toBe('1');
  } finally {
    await server.close();
  }
});

it('forbids scripts of others, frames and guessed types, also with errors', async () => {
  const server = await serveStudio(page, { files: [join(folder, 'secret.txt')] });
  try {
    const security = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').replaceAll(/\s+/g, ' ');
    for (const [path, host] of [
      ['', 'localhost'],
      ['assets/a.js', 'localhost'],
      ['open/secret.txt', 'localhost'],
      ['gone', 'localhost'],
      ['', 'evil.example'],
    ]) {
      const headers = await new Promise<NodeJS.Dict<string | string[]>>((resolve) => {
        request(server.url + path, { headers: { host } }, (answer) => resolve(answer.resume().headers)).end();
      });
      const policy = String(headers['content-security-policy'])
        .split('; ')
        .map((line) => line.split(' '));
      const sources = (name: string): string[] => policy.find(([own]) => own === name)?.slice(1) ?? [];
      expect(sources('default-src')).toEqual(["'none'"]);
      expect(sources('script-src')).toEqual(["'self'", "'wasm-unsafe-eval'"]);
      expect(sources('frame-ancestors')).toEqual(["'none'"]);
      expect(sources('base-uri')).toEqual(["'none'"]);
      // SECURITY.md quotes the policy.
      expect(security).toContain(String(headers['content-security-policy']));
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  } finally {
    await server.close();
  }
});

it('a file of the user is data, whatever its name and the way its address is written', async () => {
  writeFileSync(join(folder, 'page.html'), '<script>1</script>');
  const server = await serveStudio(page, { files: [join(folder, 'page.html')] });
  try {
    for (const path of ['/open/page.html', '/%6fpen/page.html', '/open%2Fpage.html', '/open/page%2ehtml'])
      expect(await get(server.url, path), path).toMatchObject({ status: 200, type: 'application/octet-stream' });
  } finally {
    await server.close();
  }
});

it('files of one name are served under the parts of their paths that differ', async () => {
  const paths = ['A/level.obj', 'B/level.obj', 'B/hall.obj', 'C/B/hall.obj'].map((name) => join(folder, name));
  for (const path of paths) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, path);
  }
  const names = nameFiles([...paths, paths[0], join(folder, 'A', '.', 'level.obj')]);
  const own = `${basename(folder)}/B/hall.obj`;
  expect([...names]).toEqual([
    ['A/level.obj', paths[0]],
    ['B/level.obj', paths[1]],
    [own, paths[2]],
    ['C/B/hall.obj', paths[3]],
  ]);
  const server = await serveStudio(page, { files: paths });
  try {
    for (const [name, path] of names)
      expect(await get(server.url, `/open/${encodeURIComponent(name)}`)).toMatchObject({ status: 200, body: path });
    expect((await get(server.url, '/open/level.obj')).status).toBe(404);
  } finally {
    await server.close();
  }
});

it('refuses missing files and invalid ports', async () => {
  const gone = await run(['studio', join(folder, 'gone.glb')], folder);
  expect([gone.status, gone.stderr]).toEqual([2, expect.stringMatching(/gone\.glb: no such file/)]);
  const port = await run(['studio', '--port', '70000'], folder);
  expect([port.status, port.stderr]).toEqual([2, expect.stringMatching(/--port: must be a whole number/)]);
});
