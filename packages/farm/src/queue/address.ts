/**
 * Addresses of queues: which engine they name, and how messages show them, without user and password.
 *
 * In: a URL. Out: its parts.
 * Based on: own.
 */

/** An address that was read. */
export interface QueueAddress {
  kind: 'redis' | 'postgres';
  /** As it was given, in the scheme that the client knows. It may hold a password. */
  url: string;
  /** Host, port and database, for messages. */
  shown: string;
}

const KINDS: Readonly<Record<string, QueueAddress['kind']>> = {
  'redis:': 'redis',
  'rediss:': 'redis',
  'valkey:': 'redis',
  'valkeys:': 'redis',
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
};
const DEFAULT_PORT = { redis: 6379, postgres: 5432 };

/** Returns the parts of an address. Throws a RangeError that does not repeat it, since it may hold a password. */
export function readAddress(caller: string, queue: string): QueueAddress {
  let url: URL | undefined;
  try {
    url = new URL(queue);
  } catch {
    // Explained below.
  }
  const kind = url === undefined ? undefined : KINDS[url.protocol];
  if (url === undefined || kind === undefined || url.hostname === '') {
    const scheme = /^[a-z][a-z0-9+.-]*:(?=\/\/)/i.exec(queue)?.[0];
    const found = scheme === undefined ? '' : ` (it begins with ${scheme}//)`;
    throw new RangeError(
      `${caller}: the queue's address is not valid${found}; must be redis://HOST:PORT, rediss://…, valkey://… or postgres://HOST:PORT/DATABASE`,
    );
  }
  const database = url.pathname.length > 1 ? url.pathname : '';
  const shown = `${kind === 'redis' ? 'redis' : 'postgres'}://${url.hostname}:${url.port === '' ? DEFAULT_PORT[kind] : url.port}${database}`;
  return { kind, url: queue.replace(/^valkey/, 'redis'), shown };
}

/** Throws a TypeError or a RangeError unless `queue` is the address of a queue. */
export function checkQueue(caller: string, queue: unknown): void {
  if (typeof queue !== 'string')
    throw new TypeError(`${caller}: options.queue is of type ${typeof queue}; must be a string`);
  readAddress(caller, queue);
}
