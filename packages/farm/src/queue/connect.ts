/**
 * Connects with a queue's server. The first connection has a time limit, so that a wrong address, a server that does
 * not run and a refused password are reported at once. Later connections are retried without a limit.
 *
 * In: the address of a queue. Out: what BullMQ needs to use it.
 * Based on: BullMQ's guides on connections and on its PostgreSQL backend.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisOptions } from 'ioredis';
import type { Pool } from 'pg';
import { readAddress } from './address.ts';
import type { QueueAddress } from './address.ts';

/** Milliseconds that a server has for its first answer. */
const FIRST_ANSWER_MS = 5000;
/** Milliseconds between attempts to connect again. */
const RETRY_MS = 250;
const MOST_RETRY_MS = 5000;
/** Attempts to connect with a server that is starting: half a minute. */
const MOST_STARTING = 120;
/** Connections of a pool: one listens for jobs, the others are for queries. */
const MOST_CONNECTIONS = 8;
/** The schema in which BullMQ's functions lie. */
const SCHEMA = 'bullmq';

/** A server that has answered. */
export interface QueueServer extends Pick<QueueAddress, 'kind' | 'shown'> {
  /** BullMQ's option `connection`. */
  connection: RedisOptions | Pool;
  close: () => Promise<void>;
}

/** Connects with a server. Rejects with an Error that names it and the remedy, and never shows a password. */
export async function connectServer(caller: string, queue: string): Promise<QueueServer> {
  const address = readAddress(caller, queue);
  for (let attempt = 1; ; attempt++) {
    try {
      return await (address.kind === 'redis' ? connectRedis(address) : connectPostgres(caller, address));
    } catch (error) {
      if (!isStarting(error) || attempt === MOST_STARTING) throw explain(caller, address, error);
      await sleep(RETRY_MS);
    }
  }
}

/** Returns whether a server answers that it is reading its data. */
function isStarting(error: unknown): boolean {
  const { code, message = '' } = error as { code?: unknown; message?: string };
  return code === '57P03' || message.startsWith('LOADING');
}

async function connectRedis({ kind, url, shown }: QueueAddress): Promise<QueueServer> {
  const { Redis } = await import('ioredis');
  const { hostname, port, username, password, pathname, protocol } = new URL(url);
  const options: RedisOptions = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 6379),
    db: Number(pathname.slice(1) || 0),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
    // Required by BullMQ's workers.
    maxRetriesPerRequest: null,
    connectTimeout: FIRST_ANSWER_MS,
  };
  const probe = new Redis({
    ...options,
    lazyConnect: true,
    enableReadyCheck: false,
    commandTimeout: FIRST_ANSWER_MS,
    retryStrategy: () => null,
  });
  let failure: unknown;
  probe.on('error', (error) => (failure ??= error));
  try {
    await probe.connect();
    await probe.ping();
  } catch (error) {
    throw failure ?? error;
  } finally {
    probe.disconnect();
  }
  const retryStrategy = (times: number): number => Math.min(MOST_RETRY_MS, RETRY_MS * times);
  return { kind, shown, connection: { ...options, retryStrategy }, close: () => Promise.resolve() };
}

async function connectPostgres(caller: string, { kind, url, shown }: QueueAddress): Promise<QueueServer> {
  const [{ runMigrations }, pg] = await Promise.all([import('bullmq'), loadPg(caller)]);
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: FIRST_ANSWER_MS,
    keepAlive: true,
    max: MOST_CONNECTIONS,
    options: `-c search_path=${SCHEMA}`,
  });
  // The pool reconnects by itself after an error.
  pool.on('error', () => {});
  try {
    const client = await pool.connect();
    try {
      await runMigrations(client as Parameters<typeof runMigrations>[0]);
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end();
    throw error;
  }
  return { kind, shown, connection: pool, close: () => pool.end() };
}

async function loadPg(caller: string): Promise<{ Pool: typeof Pool }> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    throw new Error(`${caller}: a queue in PostgreSQL needs the package pg; install it: npm install pg`, {
      cause: error,
    });
  }
}

/**
 * Returns the error of a server that did not answer as it should. The message quotes nothing of the client's error,
 * which may contain a password.
 */
function explain(caller: string, { kind, shown }: QueueAddress, error: unknown): Error {
  const { code = '', message = '' } = error as { code?: unknown; message?: string };
  if (message.startsWith(`${caller}: `)) return error as Error;
  const start = kind === 'redis' ? 'redis-server or valkey-server' : 'PostgreSQL';
  const because = (what: string): Error => new Error(`${caller}: queue ${shown}: ${what}`);
  if (/^(WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password|NOPERM)/.test(message) || code === '28P01' || code === '28000')
    return because(
      `the server refuses the user or the password; check those in the queue's address (${kind}://USER:PASSWORD@HOST)`,
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return because('there is no such host; check the name in the address');
  if (code === 'ECONNREFUSED') return because(`no server listens there; start ${start}, or check host and port`);
  if (isStarting(error)) return because('the server is still starting; try again later');
  if (code === '3D000')
    return because('the server has no such database; create it (createdb), or check the name in the address');
  if (code === '42501') return because(`the user may not create the schema ${SCHEMA}; grant CREATE on the database`);
  if (/^ERR (DB index|invalid DB)/i.test(message))
    return because('the server has no database of this number; check the end of the address');
  if (/time(d )?out/i.test(message) || code === 'ETIMEDOUT')
    return because(
      `no answer within ${FIRST_ANSWER_MS / 1000} seconds; check host, port and firewall, and that ${start} runs there`,
    );
  return because(
    `the server does not answer as ${start} does (${String(code) || 'connection closed'}); check host and port, and whether it needs TLS (rediss://)`,
  );
}
