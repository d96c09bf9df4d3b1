/** Serves static files on the loopback address: the studio for `navkiln studio` and `npm start`. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
};

export interface ServeOptions {
  /** Files of the user that the page may fetch, under /open/NAME. */
  files?: readonly string[];
  /** Port. Default 0: any free port. */
  port?: number;
  /** Headers of every response. */
  headers?: Readonly<Record<string, string>>;
}

export interface StudioServer {
  /** http://127.0.0.1:PORT/ */
  url: string;
  close: () => Promise<void>;
}

/**
 * Returns the folder of the built studio, from the published package or the repository. Returns undefined
 * when it is not built.
 */
export function findStudio(): string | undefined {
  const places = ['../../studio', '../../../studio/dist'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return places.find((path) => existsSync(join(path, 'index.html')));
}

/** Serves `folder` on the loopback address. Rejects when the port is taken. */
export async function serveStudio(folder: string, options: ServeOptions = {}): Promise<StudioServer> {
  const { files = [], port = 0, headers = {} } = options;
  const opened = new Map(files.map((file) => [basename(file), file]));
  const server: Server = createServer((request, response) => {
    // DNS rebinding: a page of another origin must not read the user's files.
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) {
      response.writeHead(403).end();
      return;
    }
    const target = resolveTarget(folder, opened, request.url ?? '/');
    if (target === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(target === undefined ? 404 : 405, { 'content-type': 'text/plain', ...headers });
      response.end(target === undefined ? 'Not found.' : 'Method not allowed.');
      return;
    }
    const type = TYPES[extname(target).toLowerCase()] ?? 'application/octet-stream';
    const length = statSync(target).size;
    response.writeHead(200, {
      'content-type': type,
      'content-length': length,
      'cache-control': 'no-cache',
      ...headers,
    });
    if (request.method === 'HEAD') response.end();
    else
      createReadStream(target)
        .on('error', () => response.destroy())
        .pipe(response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the file for a URL path, or undefined when it does not exist or lies outside the folder. */
function resolveTarget(folder: string, opened: ReadonlyMap<string, string>, url: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(url.split(/[?#]/)[0]);
  } catch {
    return undefined;
  }
  if (path.includes('\0')) return undefined;
  const isOpened = path.startsWith('/open/');
  const root = normalize(folder.endsWith(sep) ? folder : folder + sep);
  const target = isOpened
    ? opened.get(path.slice(6))
    : normalize(join(root, path.endsWith('/') ? `${path}index.html` : path));
  if (target === undefined || (!isOpened && !target.startsWith(root))) return undefined;
  return existsSync(target) && statSync(target).isFile() ? target : undefined;
}
