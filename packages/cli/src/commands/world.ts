/** navkiln world publish | inspect | gc: worlds that are stored as a manifest and a file per tile. */
import type { Command } from 'commander';
import { collectWorld, openWorld, publishWorld } from 'navkiln/world';
import type { BlobStore, Publication, StreamedWorld } from 'navkiln/world';
import { InputError, OutputError, blameInput, codeOf, explainSystemError, messageOf } from '../errors.ts';
import { PLACEMENT_HELP } from '../loaders/placement.ts';
import { print } from '../output/print.ts';
import { createProgress } from '../output/progress.ts';
import { formatBytes, formatNumber, formatTable, jsonLine, plural } from '../output/text.ts';
import { EXIT_OK } from './exit.ts';
import { explainLackOfMemory } from './level-input.ts';
import { addPublicationFlags, loadPublication, readPublication } from './publication.ts';
import type { PublicationFlags } from './publication.ts';
import { openPlace, openWritable } from './world-place.ts';

interface PublishFlags extends PublicationFlags {
  world?: string;
  json?: boolean;
}

export function addWorldCommand(program: Command, finish: (status: number) => void): void {
  const world = program
    .command('world')
    .description(
      'Publish a level as a world of tiles that games load piece by piece, report it, and remove what is old.',
    );
  const publish = world
    .command('publish')
    .description(
      'Bake the tiles of a level that changed since its last publication into a folder, with a new manifest.',
    )
    .argument('[levels...]', 'level files, each with an optional placement (see below)')
    .option('--world <folder>', 'the folder of the world; it is created when it does not exist');
  addPublicationFlags(publish)
    .option('--json', 'print one JSON object on standard output')
    .addHelpText('after', `\n${PLACEMENT_HELP}`)
    .action(async (levels: string[], flags: PublishFlags) => finish(await runPublish(levels, flags)));
  world
    .command('inspect')
    .description('Report the manifest of a world.')
    .argument('<world>', 'a folder, or the address of a server (http://…)')
    .option('--json', 'print one JSON object on standard output')
    .action(async (place: string, flags: { json?: boolean }) => finish(await runInspect(place, flags.json === true)));
  world
    .command('gc')
    .description(
      'Remove all but the newest manifests of a world, and the tiles that none of these lists. Do not run it while the world is being published.',
    )
    .argument('<folder>', 'the folder of the world')
    .option('--keep <count>', 'manifests to keep, the newest first (default: 1)')
    .option('--json', 'print one JSON object on standard output')
    .action(async (folder: string, flags: { keep?: string; json?: boolean }) =>
      finish(await runCollect(folder, flags)),
    );
}

async function runPublish(files: readonly string[], flags: PublishFlags): Promise<number> {
  const { options, levels } = await readPublication(files, flags);
  if (flags.world === undefined) throw new InputError('no world given; pass --world FOLDER');
  const store = await openWritable(flags.world);
  const progress = createProgress('publish', process.stderr);
  try {
    const { input, bakeOptions } = await loadPublication({ options, levels }, flags, progress);
    const onProgress = ({ done, total }: { done: number; total: number }): void => {
      // A terminal shows each tile, a log each tenth of them.
      const tenths = (count: number): number => Math.floor((10 * count) / total);
      if (process.stderr.isTTY || tenths(done) > tenths(done - 1)) progress.stage('tiles', done - 1, total);
    };
    const publication = await publishWorld(store, input, bakeOptions, {
      onProgress,
      routes: flags.routes === true,
    });
    for (const { message } of publication.warnings) progress.note(`warning: ${message}`);
    progress.end();
    const summary = summarize(flags.world, publication);
    await print(flags.json === true ? jsonLine(summary) : describePublication(summary));
    return EXIT_OK;
  } catch (error) {
    explainLackOfMemory(error);
    if (codeOf(error) !== '') throw new OutputError(`${flags.world}: ${explainSystemError(error)}`, { cause: error });
    throw blameInput(error, 'publishWorld');
  } finally {
    progress.end();
  }
}

interface PublishSummary {
  world: string;
  sequence: number;
  tiles: number;
  polygons: number;
  bytes: number;
  bakedTiles: number;
  reusedTiles: number;
  writtenBytes: number;
  warnings: { code: string; stage: string; count: number }[];
}

function summarize(
  world: string,
  { manifest, bakedTiles, reusedTiles, writtenBytes, warnings }: Publication,
): PublishSummary {
  const { number, bytes, polys } = manifest.tiles;
  return {
    world,
    sequence: manifest.sequence,
    tiles: number.length,
    polygons: sum(polys),
    bytes: sum(bytes),
    bakedTiles,
    reusedTiles,
    writtenBytes,
    warnings: warnings.map(({ code, stage, count }) => ({ code, stage, count })),
  };
}

function describePublication({
  world,
  sequence,
  tiles,
  polygons,
  bytes,
  bakedTiles,
  reusedTiles,
  writtenBytes,
}: PublishSummary): string {
  return (
    `${world}: publication ${sequence}, ${plural(tiles, 'tile')}, ${plural(polygons, 'polygon')}, ${formatBytes(bytes)}\n` +
    `${plural(bakedTiles, 'tile')} baked (${formatBytes(writtenBytes)} written), ${reusedTiles} unchanged\n`
  );
}

async function runInspect(place: string, isJson: boolean): Promise<number> {
  const store = await openPlace(place);
  const { manifest } = await open(place, store);
  const { sequence, bakeVersion, settings, countX, countZ, links, tiles } = manifest;
  const json = {
    world: place,
    sequence,
    bakeVersion,
    ...settings,
    countX,
    countZ,
    tiles: tiles.number.length,
    polygons: sum(tiles.polys),
    bytes: sum(tiles.bytes),
    largestTileBytes: tiles.bytes.reduce((most, one) => Math.max(most, one), 0),
    links: links.length,
  };
  if (isJson) {
    await print(jsonLine(json));
    return EXIT_OK;
  }
  const { agent, cellSize, cellHeight, tileSize } = settings;
  const rows = [
    ['publication', String(sequence)],
    [
      'agent',
      `radius ${agent.radius}, height ${agent.height}, climb ${agent.maxClimb}, slope ${agent.maxSlopeDegrees}°`,
    ],
    ['cells', `${formatNumber(cellSize)} × ${formatNumber(cellHeight)}`],
    ['tiles', `${json.tiles} of ${countX} × ${countZ}, side ${formatNumber(tileSize)}`],
    ['polygons', String(json.polygons)],
    ['links', String(json.links)],
    ['bytes', `${formatBytes(json.bytes)}, largest tile ${formatBytes(json.largestTileBytes)}`],
  ];
  await print(`${place}\n${formatTable(rows, '  ')}\n`);
  return EXIT_OK;
}

async function runCollect(folder: string, flags: { keep?: string; json?: boolean }): Promise<number> {
  const keep = flags.keep === undefined ? 1 : Number(flags.keep);
  if (!(Number.isInteger(keep) && keep >= 1))
    throw new InputError(`--keep ${flags.keep}: must be a whole number of 1 or more`);
  const store = await openWritable(folder);
  await open(folder, store);
  try {
    const removed = await collectWorld(store, { keep });
    const text = `${folder}: ${plural(removed.manifests, 'manifest')} and ${plural(removed.tiles, 'tile')} removed\n`;
    await print(flags.json === true ? jsonLine({ world: folder, ...removed }) : text);
    return EXIT_OK;
  } catch (error) {
    if (codeOf(error) !== '') throw new OutputError(`${folder}: ${explainSystemError(error)}`, { cause: error });
    throw blameInput(error, 'collectWorld', `${folder}: `);
  }
}

async function open(place: string, store: BlobStore): Promise<StreamedWorld> {
  (await import('navkiln/links')).enableWideLinks();
  try {
    return await openWorld(store);
  } catch (error) {
    const cause = error instanceof Error ? messageOf(error.cause ?? '') : '';
    const text = messageOf(error)
      .replace(/^openWorld: /, '')
      .replace('publishWorld', 'navkiln world publish');
    const message = cause === '' || text.includes(cause) ? text : `${text} (${cause})`;
    throw new InputError(`${place}: ${codeOf(error) === '' ? message : explainSystemError(error)}`, { cause: error });
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
