/** navkiln farm plan | work | status | retry | tile: worlds that several machines bake. The package navkiln-farm does the work. */
import { createServer } from 'node:http';
import type { Command } from 'commander';
import type * as Package from 'navkiln-farm';
import type { FarmEvent, FarmPlan, FarmStatus, FarmWork } from 'navkiln-farm';
import type { BlobStore } from 'navkiln/world';
import { InputError, OutputError, codeOf, explainSystemError, isMissing, messageOf } from '../errors.ts';
import { PLACEMENT_HELP } from '../loaders/placement.ts';
import { print, warn } from '../output/print.ts';
import { createProgress } from '../output/progress.ts';
import { formatBytes, formatTable, jsonLine, plural } from '../output/text.ts';
import { EXIT_NO, EXIT_OK } from './exit.ts';
import { explainLackOfMemory } from './level-input.ts';
import { addPublicationFlags, loadPublication, readPublication } from './publication.ts';
import type { PublicationFlags } from './publication.ts';
import { PLACE_HELP, openWritable } from './world-place.ts';

type Farm = typeof Package;

/** Flags of all commands of the farm. */
interface PlaceFlags {
  world?: string;
  queue?: string;
  json?: boolean;
}

interface PlanFlags extends PublicationFlags, PlaceFlags {
  chunkTiles?: string;
  attempts?: string;
  replace?: boolean;
  threads?: string;
}

interface WorkFlags extends PlaceFlags {
  threads?: string;
  untilDone?: boolean;
  lockSeconds?: string;
}

interface StatusFlags extends PlaceFlags {
  metrics?: boolean;
  serve?: string;
}

const QUEUE_HELP =
  '\nThe queue is a Redis, Valkey or PostgreSQL server: redis://HOST:PORT, rediss://…, valkey://…, postgres://HOST:PORT/DATABASE.\n' +
  'The environment variable NAVKILN_QUEUE gives it without showing a password in the list of processes.';

export function addFarmCommand(program: Command, finish: (status: number) => void): void {
  const farm = program
    .command('farm')
    .description('Bake worlds of tiles on many machines, or on all cores of this one.');
  const plan = addPlace(
    farm
      .command('plan')
      .description(
        'Cut a level into chunks, store them in the world, and queue them for workers. Without a queue, bake them with the cores of this machine.',
      )
      .argument('[levels...]', 'level files, each with an optional placement (see below)'),
  );
  addPublicationFlags(plan)
    .option('--chunk-tiles <count>', 'tiles that a worker bakes at a time (default: 16)')
    .option('--attempts <count>', 'attempts at a chunk before it is listed as failed (default: 5)')
    .option('--replace', 'abandon another plan of this world')
    .option('--threads <count>', 'without a queue: threads that bake (default: the number of processors)')
    .addHelpText('after', `\n${PLACEMENT_HELP}${QUEUE_HELP}`)
    .action(async (levels: string[], flags: PlanFlags) => finish(await runPlan(levels, flags)));
  addPlace(
    farm
      .command('work')
      .description('Bake the chunks of a world until it is stopped (Ctrl-C finishes the chunks in progress).'),
  )
    .option('--threads <count>', 'threads that bake (default: the number of processors)')
    .option('--until-done', 'end when no plan is left (without a queue: always)')
    .option(
      '--lock-seconds <seconds>',
      'seconds after which the chunks of a worker that vanished go to others (default: 30)',
    )
    .addHelpText('after', QUEUE_HELP)
    .action(async (flags: WorkFlags) => finish(await runWork(flags)));
  addPlace(farm.command('status').description('Report progress, rates, failures and the time left.'))
    .option('--metrics', 'print metrics as text for Prometheus')
    .option('--serve <port>', 'serve the metrics at http://HOST:PORT/metrics until it is stopped')
    .addHelpText('after', QUEUE_HELP)
    .action(async (flags: StatusFlags) => finish(await runStatus(flags)));
  addPlace(farm.command('retry').description('Give failed chunks back to the workers.'))
    .addHelpText('after', QUEUE_HELP)
    .action(async (flags: PlaceFlags) => finish(await runRetry(flags)));
  addPlace(
    farm
      .command('tile')
      .description('Bake one tile of the plan alone and store it, to see why it fails.')
      .argument('<x,z>', 'the tile, as in 12,7'),
  ).action(async (tile: string, flags: PlaceFlags) => finish(await runTile(tile, flags)));
}

function addPlace(command: Command): Command {
  return command
    .option('--world <place>', `the world: ${PLACE_HELP}, which all machines reach`)
    .option('--queue <address>', 'the address of the queue (default: none)')
    .option('--json', 'print one JSON object on standard output');
}

async function loadFarm(): Promise<Farm> {
  try {
    return await import('navkiln-farm');
  } catch (error) {
    if (!isMissing(error, 'navkiln-farm')) throw error;
    throw new InputError('this command needs the package navkiln-farm; install it: npm install navkiln-farm', {
      cause: error,
    });
  }
}

/** The world of a command, with its store and the address of its queue. */
interface Place {
  farm: Farm;
  world: string;
  store: BlobStore;
  queue: string | undefined;
}

async function openFarm({ world, queue = process.env['NAVKILN_QUEUE'] }: PlaceFlags): Promise<Place> {
  if (world === undefined) throw new InputError('no world given; pass --world FOLDER');
  return { farm: await loadFarm(), world, store: await openWritable(world), queue: queue === '' ? undefined : queue };
}

/** The functions whose errors are about the input, the world or the queue. */
const CALLERS =
  /^(?:planFarm|runFarmWorker|readFarmStatus|retryFarm|bakeFarmTile|planPublication|finishPublication|readPlan|openWorld|bakeChunk|bakeTile): /;

/** Runs `act` and turns errors of the farm into ones that name the world. */
async function blame<T>(world: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    explainLackOfMemory(error);
    const message = messageOf(error);
    if (CALLERS.test(message)) {
      const text = message
        .replace(CALLERS, '')
        .replace(/^options\./, '')
        .replace('with the option replace', 'with --replace');
      throw new InputError(`${world}: ${text}`, { cause: error });
    }
    if (/^E[A-Z]+$/.test(codeOf(error)))
      throw new OutputError(`${world}: ${explainSystemError(error)}`, { cause: error });
    throw error;
  }
}

function readCount(flag: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? NaN : Number(text);
  if (!(Number.isInteger(value) && value >= least && value <= most))
    throw new InputError(`${flag} ${text}: must be a whole number from ${least} to ${most}`);
  return value;
}

async function runPlan(files: readonly string[], flags: PlanFlags): Promise<number> {
  const settings = await readPublication(files, flags);
  const chunkTiles = readCount('--chunk-tiles', flags.chunkTiles, 1, 4096);
  const attempts = readCount('--attempts', flags.attempts, 1, 100);
  const threads = readCount('--threads', flags.threads, 0, 256);
  const place = await openFarm(flags);
  const { farm, world, store, queue } = place;
  const progress = createProgress('farm', process.stderr);
  try {
    const { input, bakeOptions } = await loadPublication(settings, flags, progress);
    const tell = createTeller(progress, 'tiles');
    const planned = await blame(world, () =>
      farm.planFarm(store, input, bakeOptions, {
        ...(queue === undefined ? {} : { queue }),
        ...(chunkTiles === undefined ? {} : { chunkTiles }),
        ...(attempts === undefined ? {} : { attempts }),
        replace: flags.replace === true,
        routes: flags.routes === true,
        onProgress: ({ done, total }) => tell(done, total),
      }),
    );
    for (const { message } of planned.plan.warnings) progress.note(`warning: ${message}`);
    progress.end();
    if (flags.json !== true) await print(describePlan(world, planned));
    const { plan, plannedTiles, reusedTiles, writtenBytes, addedJobs, queueName } = planned;
    const summary = {
      world,
      plan: plan.key,
      sequence: plan.sequence,
      plannedTiles,
      reusedTiles,
      chunks: plan.chunks,
      writtenBytes,
      addedJobs,
      queueName,
    };
    if (flags.json === true) await print(jsonLine(summary));
    return queue === undefined ? await work(place, { threads, isJson: flags.json === true }) : EXIT_OK;
  } finally {
    progress.end();
  }
}

/** Returns the function that shows each step on a terminal, and each tenth of them in a log. */
function createTeller(
  progress: ReturnType<typeof createProgress>,
  name: string,
): (done: number, total: number) => void {
  let before = 0;
  return (done, total) => {
    const tenths = (count: number): number => Math.floor((10 * count) / total);
    if (process.stderr.isTTY || tenths(done) > tenths(before)) progress.stage(name, before, total);
    before = done;
  };
}

function describePlan(
  world: string,
  { plan, plannedTiles, reusedTiles, writtenBytes, addedJobs, queueName }: FarmPlan,
): string {
  const chunks = `${plural(plannedTiles, 'tile')} in ${plural(plan.chunks, 'chunk')} (${formatBytes(writtenBytes)} written), ${reusedTiles} unchanged`;
  const jobs = queueName === undefined ? '' : `${plural(addedJobs, 'job')} added to the queue ${queueName}\n`;
  return `${world}: plan of publication ${plan.sequence}: ${chunks}\n${jobs}`;
}

async function runWork(flags: WorkFlags): Promise<number> {
  const threads = readCount('--threads', flags.threads, 0, 256);
  const lockSeconds = readCount('--lock-seconds', flags.lockSeconds, 1, 3600);
  const untilDone = flags.untilDone === true;
  return work(await openFarm(flags), { threads, lockSeconds, untilDone, isJson: flags.json === true });
}

interface WorkSettings {
  threads?: number | undefined;
  lockSeconds?: number | undefined;
  untilDone?: boolean;
  isJson: boolean;
}

async function work(
  { farm, world, store, queue }: Place,
  { threads, lockSeconds, untilDone = false, isJson }: WorkSettings,
): Promise<number> {
  const progress = createProgress('farm', process.stderr);
  const stop = new AbortController();
  const onSignal = (): void => stop.abort(new InputError('stopped; navkiln farm work continues'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const total = (await blame(world, () => farm.readFarmStatus(store))).plan;
  let done = total?.doneTiles ?? 0;
  const tell = createTeller(progress, 'tiles');
  const onEvent = (event: FarmEvent): void => {
    if (event.type === 'chunk') done += event.tiles;
    for (const line of describeEvent(event, world)) progress.note(line);
    if (event.type === 'chunk' && queue === undefined) tell(Math.min(done, total!.plannedTiles), total!.plannedTiles);
  };
  let result: FarmWork | undefined;
  try {
    result = await blame(world, () =>
      farm.runFarmWorker(store, {
        ...(queue === undefined ? {} : { queue }),
        ...(threads === undefined ? {} : { threads }),
        ...(lockSeconds === undefined ? {} : { lockMs: 1000 * lockSeconds }),
        untilDone,
        signal: stop.signal,
        onEvent,
      }),
    );
  } finally {
    progress.end();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, onSignal);
  }
  const { chunks, bakedTiles, failures } = result;
  const { published } = await blame(world, () => farm.readFarmStatus(store));
  const summary = { world, chunks, bakedTiles, failures, published };
  const text = `${world}: ${plural(chunks, 'chunk')}, ${plural(bakedTiles, 'tile')} baked; publication ${published?.sequence ?? 'none'}\n`;
  await print(isJson ? jsonLine(summary) : text);
  return EXIT_OK;
}

/** Returns the lines of a worker's log: time, level, text. */
function describeEvent(event: FarmEvent, world: string): string[] {
  const [level, ...lines] = linesOf(event, world);
  const time = new Date().toISOString();
  return lines.map((line) => `${time} ${level} ${line}`);
}

/** Returns the level of an event, and its lines. */
function linesOf(event: FarmEvent, world: string): string[] {
  if (event.type === 'waiting') return ['info', `${world}: nothing is planned yet; waiting for navkiln farm plan`];
  if (event.type === 'queue' || event.type === 'store') return ['warn', `${event.type}: ${event.reason}; trying again`];
  if (event.type === 'published') return ['info', `publication ${event.manifest.sequence} is written`];
  if (event.type === 'chunk') return ['warn', ...event.warnings.map(({ message }) => message)];
  const { attempt, tiles, reason } = event;
  const lines = tiles.map(
    ({ x, z, reason: why }) => `tile ${x}, ${z}: ${why}; alone: navkiln farm tile ${x},${z} --world ${world}`,
  );
  return ['error', `attempt ${attempt}: ${reason.replace(CALLERS, '')}`, ...lines];
}

async function runStatus(flags: StatusFlags): Promise<number> {
  const port = readCount('--serve', flags.serve, 0, 65_535);
  const { farm, world, store, queue } = await openFarm(flags);
  const read = (): Promise<FarmStatus> =>
    blame(world, () => farm.readFarmStatus(store, queue === undefined ? {} : { queue }));
  if (port !== undefined) return serveMetrics(port, async () => farm.formatFarmMetrics(await read()));
  const status = await read();
  const text = flags.metrics === true ? farm.formatFarmMetrics(status) : describeStatus(world, status);
  await print(flags.json === true ? jsonLine({ world, ...status }) : text);
  // A place without a world is probably a wrong name.
  const isEmpty = status.published === undefined && status.plan === undefined;
  return isEmpty || status.failures.length > 0 ? EXIT_NO : EXIT_OK;
}

function describeStatus(
  world: string,
  { published, plan, queue, tilesPerSecond, secondsLeft, failures }: FarmStatus,
): string {
  const rows = [
    [
      'published',
      published === undefined ? 'nothing' : `publication ${published.sequence}, ${plural(published.tiles, 'tile')}`,
    ],
  ];
  if (plan === undefined) rows.push(['plan', 'none']);
  else {
    const share = plan.plannedTiles === 0 ? 100 : Math.floor((100 * plan.doneTiles) / plan.plannedTiles);
    rows.push(['plan', `publication ${plan.sequence}, ${plan.key.slice(0, 8)}`]);
    rows.push([
      'tiles',
      `${plan.doneTiles} of ${plan.plannedTiles} (${share} %), ${plan.tiles - plan.plannedTiles} unchanged`,
    ]);
    rows.push(['chunks', `${plan.doneChunks} of ${plan.chunks}`]);
  }
  if (queue !== undefined) {
    const { name, server, waiting, active, delayed, failed, workers } = queue;
    rows.push(['queue', `${name} at ${server}${workers === undefined ? '' : `, ${plural(workers, 'worker')}`}`]);
    rows.push(['jobs', `${waiting} waiting, ${active} active, ${delayed} tried again, ${failed} failed`]);
  }
  if (tilesPerSecond !== undefined) rows.push(['rate', `${tilesPerSecond.toPrecision(3)} tiles per second`]);
  if (secondsLeft !== undefined) rows.push(['left', `${Math.ceil(secondsLeft / 60)} min`]);
  const lines = failures.flatMap(({ chunk, attempts, reason, tiles }) =>
    tiles.length === 0
      ? [
          `failed after ${plural(attempts, 'attempt')}: ${chunk === undefined ? 'manifest' : `chunk ${chunk}`}: ${reason}`,
        ]
      : tiles.map(
          ({ x, z, reason: why }) =>
            `failed after ${plural(attempts, 'attempt')}: tile ${x}, ${z}: ${why}\n  alone: navkiln farm tile ${x},${z} --world ${world}`,
        ),
  );
  const remedy = failures.length === 0 ? '' : 'When the cause is gone: navkiln farm retry\n';
  return `${world}\n${formatTable(rows, '  ')}\n${lines.map((line) => `${line}\n`).join('')}${remedy}`;
}

async function serveMetrics(port: number, read: () => Promise<string>): Promise<number> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end('see /metrics\n');
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      (error: unknown) => response.writeHead(503).end(`${messageOf(error)}\n`),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new InputError(`--serve ${port}: ${explainSystemError(error)}`)));
    server.listen(port, resolve);
  });
  const address = server.address();
  warn(`metrics at http://localhost:${typeof address === 'object' ? address?.port : port}/metrics\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  server.close();
  server.closeAllConnections();
  return EXIT_OK;
}

async function runRetry(flags: PlaceFlags): Promise<number> {
  const { farm, world, store, queue } = await openFarm(flags);
  if (queue === undefined)
    throw new InputError('no queue given; pass --queue ADDRESS, or bake without one: navkiln farm work');
  const count = await blame(world, () => farm.retryFarm(store, { queue }));
  await print(
    flags.json === true ? jsonLine({ world, jobs: count }) : `${world}: ${plural(count, 'job')} given back\n`,
  );
  return EXIT_OK;
}

async function runTile(tile: string, flags: PlaceFlags): Promise<number> {
  const match = /^(\d+),(\d+)$/.exec(tile);
  if (match === null) throw new InputError(`${tile}: must be a tile's x and z, as in 12,7`);
  const [x, z] = [Number(match[1]), Number(match[2])];
  const { farm, world, store } = await openFarm(flags);
  const row = await blame(world, () => farm.bakeFarmTile(store, x, z));
  const text = `${world}: tile ${x}, ${z}: ${plural(row.polys, 'polygon')}, ${formatBytes(row.bytes)}\n`;
  await print(flags.json === true ? jsonLine({ world, x, z, ...row }) : text);
  return EXIT_OK;
}
