/**
 * Serves static files on the loopback address: the studio for `navkiln studio` and `npm start`.
 *
 * The page shows names that come from files of others. Its headers forbid all code but its own, frames, and guesses
 * about the type of a file.
 */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, resolve, sep } from 'node:path';
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

/**
 * Scripts and workers are files of the page. A link may name a level on the web, which the page reads without cookies. Decoders of compressed levels are WebAssembly. Styles may be inline:
 * the settings panel adds its own, with its icons as a font.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self' https:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

export interface ServeOptions {
  /** Files of the user that the page may fetch, under /open/NAME, by the names of `nameFiles`. */
  files?: readonly string[];
  /** Port. Default 0: any free port. */
  port?: number;
  /** Headers of every response, in addition to the policy and the like, or in place of them. */
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

/**
 * Returns a name for each file, in order: the last parts of its path that tell it from the others, with `/` between
 * them. The same file given twice has one name.
 */
export function nameFiles(files: readonly string[]): Map<string, string> {
  const paths = [...new Set(files.map((file) => resolve(file)))].map((path) => path.split(sep));
  const last = (parts: readonly string[], count: number): string => parts.slice(-count).join('/');
  return new Map(
    paths.map((parts) => {
      let count = 1;
      while (paths.some((other) => other !== parts && last(other, count) === last(parts, count))) count++;
      return [last(parts, count), parts.join(sep)];
    }),
  );
}

/** Serves `folder` on the loopback address. Rejects when the port is taken. */
export async function serveStudio(folder: string, options: ServeOptions = {}): Promise<StudioServer> {
  const { files = [], port = 0 } = options;
  const headers = { ...SAFE_HEADERS, ...options.headers };
  const opened = nameFiles(files);
  const server: Server = createServer((request, response) => {
    // DNS rebinding: a page of another origin must not read the user's files.
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) {
      response.writeHead(403, headers).end();
      return;
    }
    const { target, isOfUser } = resolveTarget(folder, opened, request.url ?? '/');
    if (target === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(target === undefined ? 404 : 405, { 'content-type': 'text/plain', ...headers });
      response.end(target === undefined ? 'Not found.' : 'Method not allowed.');
      return;
    }
    // A file of the user is data, never a page or a script.
    const type = (isOfUser ? undefined : TYPES[extname(target).toLowerCase()]) ?? 'application/octet-stream';
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
  await new Promise<void>((done, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', done);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}/`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

interface Target {
  /** Undefined when there is no such file, or it lies outside the folder. */
  target?: string;
  isOfUser: boolean;
}

/** Finds the file for a URL path. */
function resolveTarget(folder: string, opened: ReadonlyMap<string, string>, url: string): Target {
  let path: string;
  try {
    path = decodeURIComponent(url.split(/[?#]/)[0]);
  } catch {
    return { isOfUser: false };
  }
  const isOfUser = path.startsWith('/open/');
  if (path.includes('\0')) return { isOfUser };
  const root = normalize(folder.endsWith(sep) ? folder : folder + sep);
  const target = isOfUser
    ? opened.get(path.slice(6))
    : normalize(join(root, path.endsWith('/') ? `${path}index.html` : path));
  if (target === undefined || (!isOfUser && !target.startsWith(root))) return { isOfUser };
  return existsSync(target) && statSync(target).isFile() ? { target, isOfUser } : { isOfUser };
}
