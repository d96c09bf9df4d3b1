/** Faults of queues: each message names the server and the remedy, and no password is printed or kept in a job. */
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { Queue } from 'bullmq';
import { createMemoryCache } from 'navkiln/worker';
import type { BlobStore } from 'navkiln/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planFarm } from '../src/plan.ts';
import { bakeFarmTile, retryFarm } from '../src/repair.ts';
import { readFarmStatus } from '../src/status.ts';
import { runFarmWorker } from '../src/work.ts';
import { level, options } from './farm.ts';
import { HAS_POSTGRES, HAS_REDIS, freePort, startPostgres, startRedis } from './servers.ts';
import type { TestServer } from './servers.ts';

const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;
const SECRET = 'never-print-this';

/** Returns the message of the error that each of the functions gives for an address. */
async function messagesOf(queue: string): Promise<string[]> {
  const store = createMemoryCache();
  await planFarm(store, level, { ...options, tileSize: 60 });
  await store.set('farm/id.json', new TextEncoder().encode('{"id":"0123456789abcdef"}'));
  const calls = [
    planFarm(store, level, { ...options, tileSize: 60 }, { queue }),
    runFarmWorker(store, { queue, threads: 0, untilDone: true }),
    readFarmStatus(store, { queue }),
    retryFarm(store, { queue }),
  ];
  return Promise.all(
    calls.map((call) =>
      call.then(
        () => 'no error',
        (error: Error) => error.message,
      ),
    ),
  );
}

async function expectAll(queue: string, text: string): Promise<void> {
  const messages = await messagesOf(queue);
  const callers = ['planFarm', 'runFarmWorker', 'readFarmStatus', 'retryFarm'];
  expect(messages).toEqual(callers.map((caller) => `${caller}: ${text}`));
  expect(messages.join()).not.toContain(SECRET);
}

async function listen(answer: string | undefined): Promise<{ port: number; server: Server }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (answer !== undefined) socket.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, server };
}

describe('an address', () => {
  it.each([
    ['localhost:6379', ''],
    [`user:${SECRET}@host`, ''],
    [`http://user:${SECRET}@host`, ' (it begins with http://)'],
    ['redis://', ' (it begins with redis://)'],
    ['', ''],
  ])('%s is refused, and not repeated', async (queue, found) => {
    const mustBe = 'must be redis://HOST:PORT, rediss://…, valkey://… or postgres://HOST:PORT/DATABASE';
    await expectAll(queue, `the queue's address is not valid${found}; ${mustBe}`);
  });

  it.each(['redis', 'postgres'])('%s: no server listens there', async (kind) => {
    const port = await freePort();
    const start = kind === 'redis' ? 'redis-server or valkey-server' : 'PostgreSQL';
    const database = kind === 'redis' ? '' : '/farm';
    const shown = `${kind}://127.0.0.1:${port}${database}`;
    const text = `queue ${shown}: no server listens there; start ${start}, or check host and port`;
    await expectAll(`${kind}://me:${SECRET}@127.0.0.1:${port}${database}`, text);
  });

  it.runIf(IS_FULL)('of another server is told from one that is silent', async () => {
    const [other, silent] = await Promise.all([listen('HTTP/1.1 400 Bad Request\r\n\r\n'), listen(undefined)]);
    try {
      const store = createMemoryCache();
      const ask = (port: number) => planFarm(store, level, options, { queue: `redis://:${SECRET}@127.0.0.1:${port}` });
      const asked = [ask(other.port), ask(silent.port)].map((call) => call.catch((error: Error) => error.message));
      const [first, second] = await Promise.all(asked);
      expect(first).toContain(
        `planFarm: queue redis://127.0.0.1:${other.port}: the server does not answer as redis-server`,
      );
      expect(second).toBe(
        `planFarm: queue redis://127.0.0.1:${silent.port}: no answer within 5 seconds; check host, port and firewall, and that redis-server or valkey-server runs there`,
      );
    } finally {
      other.server.close();
      silent.server.close();
    }
  });
});

describe('what needs a plan', () => {
  it('says so', async () => {
    const store = createMemoryCache();
    const none = 'the store has no plan; make one with planFarm (navkiln farm plan)';
    await expect(runFarmWorker(store, { threads: 0 })).rejects.toThrow(`runFarmWorker: ${none}`);
    await expect(bakeFarmTile(store, 0, 0)).rejects.toThrow(`bakeFarmTile: ${none}`);
    await expect(retryFarm(store, { queue: 'redis://127.0.0.1:1' })).rejects.toThrow(`retryFarm: ${none}`);
    expect(await readFarmStatus(store)).toMatchObject({ plan: undefined, published: undefined, failures: [] });
  });

  it('replaces a manifest that cannot be read', async () => {
    const store = createMemoryCache();
    await store.set('world.json', new TextEncoder().encode('{"format": "navkiln'));
    const damaged = 'world.json: the manifest of the world cannot be used: it is not JSON';
    await expect(readFarmStatus(store)).rejects.toThrow(damaged);
    await planFarm(store, level, { ...options, tileSize: 60 });
    const status = await readFarmStatus(store);
    expect(status).toMatchObject({ published: undefined, plan: { sequence: 1 } });
    await runFarmWorker(store, { threads: 0 });
    expect(await readFarmStatus(store)).toMatchObject({ published: { sequence: 1 }, plan: undefined });
  });

  it('refuses wrong arguments', async () => {
    const store = createMemoryCache();
    await expect(runFarmWorker({} as BlobStore)).rejects.toThrow(
      'runFarmWorker: store is not a store; must have the methods',
    );
    await expect(runFarmWorker(store, { threads: 1.5 })).rejects.toThrow(
      'options.threads is 1.5; must be a whole number 0 .. 256',
    );
    await expect(runFarmWorker(store, { lockMs: 1 })).rejects.toThrow(
      'options.lockMs is 1; must be a whole number 1000 .. 3600000',
    );
    await expect(planFarm(store, level, options, { attempts: 0 })).rejects.toThrow('planFarm: options.attempts is 0');
    await expect(planFarm(store, level, options, { queue: 7 as never })).rejects.toThrow(
      'options.queue is of type number',
    );
    await expect(planFarm(store, level, options, { chunks: 7 } as never)).rejects.toThrow('planning.chunks');
  });
});

describe('passwords', () => {
  let redis: TestServer;
  let postgres: TestServer;
  beforeAll(async () => {
    if (HAS_REDIS) redis = await startRedis(['--requirepass', SECRET]);
    if (HAS_POSTGRES && IS_FULL) postgres = await startPostgres();
  });
  afterAll(() => Promise.all([redis?.stop(), postgres?.stop()]));
  const refused = (shown: string): string =>
    `queue ${shown}: the server refuses the user or the password; check those in the queue's address (${shown.slice(0, shown.indexOf(':'))}://USER:PASSWORD@HOST)`;

  it.runIf(HAS_REDIS)('Redis: a wrong one and none are refused, the right one is not in any job', async () => {
    const { port } = redis;
    const shown = `redis://127.0.0.1:${port}`;
    await expectAll(`redis://:wrong-${SECRET}@127.0.0.1:${port}`, refused(shown));
    await expectAll(shown, refused(shown));
    const store = createMemoryCache();
    const queue = `redis://:${SECRET}@127.0.0.1:${port}`;
    const { queueName, plan } = await planFarm(store, level, { ...options, tileSize: 30 }, { queue });
    const open = new Queue(queueName!, { connection: { host: '127.0.0.1', port, password: SECRET } });
    const jobs = await open.getJobs(['waiting', 'waiting-children']);
    await open.close();
    expect(jobs).toHaveLength(plan.chunks + 1);
    for (const { data } of jobs) expect(Object.keys(data).every((key) => key === 'plan' || key === 'chunk')).toBe(true);
    expect(JSON.stringify(jobs.map((job) => job.asJSON()))).not.toContain(SECRET);
    for (const name of await store.keys())
      expect(Buffer.from((await store.get(name))!).toString('latin1')).not.toContain(SECRET);
  });

  it.runIf(HAS_POSTGRES && IS_FULL)(
    'PostgreSQL: a wrong one and a database that is not there are refused',
    async () => {
      const { url, port } = postgres;
      const wrong = url.replace(/:[^:@/]+@/, `:wrong-${SECRET}@`);
      await expectAll(wrong, refused(`postgres://127.0.0.1:${port}/postgres`));
      const shown = `postgres://127.0.0.1:${port}/nowhere`;
      const text = 'the server has no such database; create it (createdb), or check the name in the address';
      await expectAll(url.replace(/postgres$/, 'nowhere'), `queue ${shown}: ${text}`);
    },
  );
});
