/** Starts real servers for tests, on free ports of this machine and in folders of their own. */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server that runs. */
export interface TestServer {
  url: string;
  port: number;
  /** Kills it and starts it again with its data. */
  restart: () => Promise<void>;
  /** Kills it, without starting it again. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
}

function findProgram(name: string, folders: readonly string[]): string | undefined {
  const places = [...(process.env['PATH'] ?? '').split(':'), ...folders];
  return places.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

const REDIS = findProgram('redis-server', []) ?? findProgram('valkey-server', []);
const DEBIAN = '/usr/lib/postgresql';
const VERSIONS = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
const POSTGRES = findProgram('postgres', VERSIONS);
const INITDB = findProgram('initdb', VERSIONS);

export const HAS_REDIS: boolean = REDIS !== undefined;
/** PostgreSQL refuses to run as root, so it runs as Debian's user. */
const POSTGRES_USER = userInfo().uid === 0 ? idsOf('postgres') : { uid: userInfo().uid, gid: userInfo().gid };
export const HAS_POSTGRES: boolean = POSTGRES !== undefined && INITDB !== undefined && POSTGRES_USER !== undefined;

function idsOf(user: string): { uid: number; gid: number } | undefined {
  const ask = (flag: string): number => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout || NaN);
  const [uid, gid] = [ask('-u'), ask('-g')];
  return Number.isInteger(uid) && uid > 0 ? { uid, gid } : undefined;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function waitForPort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(25);
  }
  throw new Error(`no server listens on port ${port}`);
}

/** Keeps a process running that `start` starts. */
async function keep(
  url: (port: number) => string,
  port: number,
  folder: string,
  start: () => ChildProcess,
): Promise<TestServer> {
  let child = start();
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  };
  await waitForPort(port);
  return {
    url: url(port),
    port,
    kill: () => kill(),
    restart: async () => {
      await kill();
      // Processes that PostgreSQL leaves behind hold its memory for a moment, and it ends at once.
      for (child = start(); ; child = start()) {
        const ended = new Promise<boolean>((resolve) => child.once('exit', () => resolve(true)));
        if ((await Promise.race([ended, waitForPort(port)])) !== true) return;
        await sleep(200);
      }
    },
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a Redis that keeps each write, so that a restart loses nothing. */
export async function startRedis(flags: readonly string[] = []): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-redis-'));
  const port = await freePort();
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
    ...flags,
  ];
  return keep(
    (at) => `redis://127.0.0.1:${at}`,
    port,
    folder,
    () => spawn(REDIS!, args, { stdio: 'ignore' }),
  );
}

export const POSTGRES_PASSWORD = 'secret-of-the-test';

/** Starts a PostgreSQL with the user and database `postgres`. */
export async function startPostgres(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-postgres-'));
  const data = join(folder, 'data');
  const { uid, gid } = POSTGRES_USER!;
  const secret = join(folder, 'password');
  mkdirSync(data);
  writeFileSync(secret, POSTGRES_PASSWORD);
  for (const path of [folder, data, secret]) chownSync(path, uid, gid);
  const run = { uid, gid, cwd: folder, encoding: 'utf8' as const };
  const made = spawnSync(
    INITDB!,
    ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${secret}`, '--no-sync', '--locale=C'],
    run,
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    '-c',
    'shared_buffers=16MB',
  ];
  const url = (at: number): string => `postgres://postgres:${POSTGRES_PASSWORD}@127.0.0.1:${at}/postgres`;
  const server = await keep(url, port, folder, () =>
    spawn(POSTGRES!, args, { uid, gid, cwd: folder, stdio: 'ignore' }),
  );
  return server;
}
