/**
 * A cache of baked tiles on an HTTP server: one address per content key.
 *
 * In: content keys and entries. Out: entries.
 * Cost: a request for each entry.
 * Based on: own.
 */
import { checkKeys, checkObject, refuseType } from '../../data/refuse.ts';
import type { BakeCache } from '../../voxel/options.ts';

/** Options of `createHttpCache`. */
export interface HttpCacheOptions {
  /** Headers of every request, such as an authorization. Default: none. */
  headers?: Readonly<Record<string, string>>;
  /** Whether entries are only read; `set` and `delete` then do nothing. Default false. */
  readOnly?: boolean;
}

/**
 * Returns a cache for `bakeNavMesh` on a server: `GET`, `PUT` and `DELETE` of `address/KEY`. Status 404 means that there is no entry. It
 * cannot list its keys.
 *
 * @throws TypeError when `address` is not a text, for unknown options
 */
export function createHttpCache(address: string, options: HttpCacheOptions = {}): BakeCache {
  const caller = 'createHttpCache';
  if (typeof address !== 'string' || address === '') refuseType(caller, 'address', address, 'a text that is not empty');
  checkObject(caller, 'options', options);
  checkKeys(caller, options, ['headers', 'readOnly']);
  const { headers = {}, readOnly = false } = options;
  const base = address.replace(/\/+$/, '');
  const request = async (
    method: string,
    key: string,
    body?: Uint8Array<ArrayBuffer>,
    signal?: AbortSignal,
  ): Promise<Response> => {
    const response = await fetch(`${base}/${key}`, { method, headers, body, signal });
    if (response.ok || response.status === 404) return response;
    throw new Error(`${method} ${base}/${key} has status ${response.status}`);
  };
  return {
    get: async (key, signal) => {
      const response = await request('GET', key, undefined, signal);
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
    },
    set: async (key, entry) => {
      if (readOnly) return;
      const { status, ok } = await request('PUT', key, entry.slice());
      if (!ok) throw new Error(`PUT ${base}/${key} has status ${status}`);
    },
    delete: async (key) => {
      if (!readOnly) await request('DELETE', key);
    },
    keys: () => Promise.reject(new Error(`${caller}: an HTTP cache cannot list its keys`)),
  };
}
