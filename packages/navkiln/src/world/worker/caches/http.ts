/**
 * A cache of baked tiles on an HTTP server: one address per content key.
 *
 * In: content keys and entries. Out: entries.
 * Cost: one request per entry.
 * Based on: own.
 */
import { READ_LIMIT_BYTES } from '../../../base/constants.ts';
import { checkKeys, checkObject, checkString, refuse, refuseType } from '../../../base/data/refuse.ts';
import type { BakeCache } from '../../../build/voxel/pool-types.ts';

/** Options of `createHttpCache`. */
export interface HttpCacheOptions {
  /** Headers of every request, such as an authorization. Default: none. */
  headers?: Readonly<Record<string, string>>;
  /** Whether entries are only read; `set` and `delete` then do nothing. Default false. */
  readOnly?: boolean;
  /** Milliseconds after which a request without a complete response is aborted, 1 .. 2^31 - 1. Default 30,000. */
  timeoutMs?: number;
  /** Maximum size of an answer in bytes; a longer one is aborted while it is read. Default 2^30. Files of a published world are limited to the size in its manifest. */
  maxBytes?: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** Maximum delay of timers. */
const MOST_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Returns a cache for `bakeNavMesh` on a server: `GET`, `PUT` and `DELETE` of `address/KEY`. Status 404 means that there is no entry. It
 * cannot list its keys.
 *
 * @throws TypeError when `address` is not a string, for unknown options and values of another type; RangeError for a
 *   `timeoutMs` out of range
 */
export function createHttpCache(address: string, options: HttpCacheOptions = {}): BakeCache {
  const caller = 'createHttpCache';
  if (typeof address !== 'string' || address === '')
    refuseType(caller, 'address', address, 'a string that is not empty');
  checkObject(caller, 'options', options);
  checkKeys(caller, options, ['headers', 'readOnly', 'timeoutMs', 'maxBytes']);
  const { headers = {}, readOnly = false, timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = READ_LIMIT_BYTES } = options;
  if (!(typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs <= MOST_TIMEOUT_MS))
    refuse(caller, 'options.timeoutMs', timeoutMs, 'a number 1 .. 2^31 - 1');
  if (!(typeof maxBytes === 'number' && maxBytes >= 1)) refuse(caller, 'options.maxBytes', maxBytes, 'a number >= 1');
  checkObject(caller, 'options.headers', headers);
  for (const [name, text] of Object.entries(headers)) checkString(caller, `options.headers.${name}`, text);
  if (typeof readOnly !== 'boolean') refuseType(caller, 'options.readOnly', readOnly, 'true or false');
  const base = address.replace(/\/+$/, '');
  // Messages must not contain a password.
  const shown = base.replace(/\/\/[^/@]*@/, '//');
  /** Sends a request and reads its response, both within the timeout. */
  const request = async <T>(
    method: string,
    key: string,
    body: Uint8Array<ArrayBuffer> | undefined,
    signal: AbortSignal | undefined,
    read: (response: Response) => Promise<T> | T,
  ): Promise<T> => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const stop = (): void => late.abort(signal!.reason);
    signal?.addEventListener('abort', stop);
    let status = 0;
    try {
      signal?.throwIfAborted();
      const response = await fetch(`${base}/${key}`, { method, headers, body, signal: late.signal });
      ({ status } = response);
      if (!response.ok && response.status !== 404)
        throw new Error(`${method} ${shown}/${key} has status ${status}${remedyOf(status)}`);
      return await read(response);
    } catch (error) {
      signal?.throwIfAborted();
      if (status >= 300) throw error;
      const reason = late.signal.aborted
        ? `had no answer within ${timeoutMs} ms; check the server and the network`
        : `failed: ${reasonOf(error, base, shown)}`;
      throw new Error(`${method} ${shown}/${key} ${reason}`);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  };
  return {
    get: async (key, signal, most = maxBytes) => {
      const limit = Math.min(most, maxBytes);
      const bytes = await request('GET', key, undefined, signal, (response) =>
        response.ok ? readBody(response, limit) : undefined,
      );
      if (bytes === null)
        throw new Error(
          `GET ${shown}/${key} sends more than ${limit} bytes; check that the server has the right files`,
        );
      return bytes;
    },
    set: async (key, entry) => {
      if (readOnly) return;
      const { status, ok } = await request('PUT', key, entry.slice(), undefined, (response) => response);
      if (!ok) throw new Error(`PUT ${shown}/${key} has status ${status}${remedyOf(status)}`);
    },
    delete: async (key) => {
      if (!readOnly) await request('DELETE', key, undefined, undefined, () => undefined);
    },
    keys: () => Promise.reject(new Error(`${caller}: an HTTP cache cannot list its keys`)),
  };
}

/** Returns the body of a response. Returns null, and reads no further, when there are more than `limit` bytes. */
async function readBody(response: Response, limit: number): Promise<Uint8Array | null> {
  const reader = response.body?.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) break;
    length += value.length;
    if (length > limit) {
      await reader!.cancel();
      return null;
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Returns why a request failed, with the remedy. Errors of `fetch` do not contain a reason. */
function reasonOf(error: unknown, base: string, shown: string): string {
  if (shown !== base) return 'the address has a user or a password; give them in options.headers';
  const cause = (error as { cause?: { code?: unknown; message?: unknown } }).cause;
  const code = String(cause?.code ?? '');
  if (code === 'UND_ERR_SOCKET') return 'the answer was cut off; try again, and check the server';
  const detail = code || (cause?.message ?? (error instanceof Error ? error.message : error));
  return `${String(detail)}; check the address, and that a server runs there`;
}

/** Returns the remedy for an HTTP status. */
function remedyOf(status: number): string {
  if (status === 401 || status === 403)
    return '; the server refuses access: check its permissions, or give credentials in options.headers';
  return status >= 500 ? '; the server failed: try again later, or look into its log' : '; check the address';
}
