/**
 * Random damage to the files of published worlds, whose hashes are then computed again: tiles, chunks, records of routes, plans with their
 * parts and rows, manifests. A reader refuses a file in the library's words, or works with it, and takes no memory for claimed numbers.
 */
import { createVolumes } from '../../src/build/voxel/volumes.ts';
import { createLinks } from '../../src/build/voxel/link-list.ts';
import { levelScenes } from 'navkiln-scenes';
import { beforeAll, expect, it } from 'vitest';
import { createNavMesh } from '../../src/mesh/create.ts';
import { addTile } from '../../src/mesh/change/tiles.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { createRouteGraph, putRouteTile } from '../../src/query/routes/graph.ts';
import { CURRENT, readManifest } from '../../src/world/streaming/manifest.ts';
import { createPlanBaker, readPlan, readPlanParts } from '../../src/world/streaming/plan/bake.ts';
import { planPublication } from '../../src/world/streaming/plan/cut.ts';
import { finishPublication } from '../../src/world/streaming/plan/finish.ts';
import {
  CURRENT_PLAN,
  chunkName,
  partKey,
  partName,
  planName,
  rowsName,
  sealPlan,
  toBytes,
  writePlan,
} from '../../src/world/streaming/plan/plan-file.ts';
import type { PlanPart, PublicationPlan } from '../../src/world/streaming/plan/types.ts';
import { createObstacles } from '../../src/build/voxel/obstacles/create-obstacles.ts';
import { createMemoryCache } from '../../src/world/worker/caches/memory.ts';
import { decodeEntry } from '../../src/world/worker/cache-entry.ts';
import { decodeChunk } from '../../src/world/worker/chunks/chunk-file.ts';
import { jobOfChunk, startChunkJobs } from '../../src/world/worker/chunks/chunk-jobs.ts';
import { createWorkspace } from '../../src/base/data/workspace.ts';
import { readFrame, writeFrame } from '../../src/world/worker/frame.ts';
import { readJoinedRoutes, readRoutes } from '../../src/world/worker/route-records.ts';
import { seeded } from '../unit/meshes.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261128);
/** `npm run soak` raises it. */
const ROUNDS = Number(process.env['NAVKILN_FUZZ'] ?? 400);

const scene = levelScenes.find(({ name }) => name === 'courtyard')!;
const level = scene.create();
const options = {
  ...scene.options,
  cellSize: 0.8,
  cellHeight: 0.4,
  tileSize: 32,
  links: createLinks([{ start: [-10, 1, -10], end: [10, 1, 10], name: 'gate' }]),
  volumes: createVolumes([{ type: 'box', min: [0, -1, 0], max: [9, 9, 9], name: 'door' }]),
  obstacles: createObstacles([{ type: 'box', size: [3, 3, 3], position: [0, 1, 0], rotation: 30 }]),
};

let plan: PublicationPlan;
let part: PlanPart;
/** The files before and after the bake. */
let planned: Record<string, Uint8Array>;
let published: Record<string, Uint8Array>;

beforeAll(async () => {
  const store = createMemoryCache();
  const copy = async (): Promise<Record<string, Uint8Array>> =>
    Object.fromEntries(
      await Promise.all((await store.keys()).map(async (name) => [name, (await store.get(name))!] as const)),
    );
  await planPublication(store, level, options, { chunkTiles: 3, routes: true });
  plan = (await readPlan(store))!;
  for await (const one of readPlanParts(store, plan)) part = one;
  const baker = createPlanBaker(store, plan);
  planned = await copy();
  for (const { key } of part.chunks) await baker.bakeChunk(key);
  Object.assign(planned, { [rowsName(part.chunks[0]!.key)]: (await store.get(rowsName(part.chunks[0]!.key)))! });
  await finishPublication(store, plan);
  published = await copy();
});

const ODD: (() => unknown)[] = [
  ...[0, 1, -1, 2, 0.5, -0.5, 7, 255, 65_535, 65_536, 1e8, 1e9, 2 ** 31, 2 ** 32, 2 ** 53, 1e15, 1e100, -1e300].map(
    (value) => () => value,
  ),
  () => null,
  () => true,
  () => '',
  () => 'a',
  () => [],
  () => ({}),
  () => [null],
  () => ({ length: 1e9 }),
  () => '__proto__',
  () => 'toString',
  () => 'f'.repeat(32),
];

/** Replaces, removes or adds one value somewhere in parsed JSON. Returns the changed value. */
function damaged(value: unknown, random: () => number): unknown {
  const below = (n: number): number => Math.floor(random() * n);
  const isInner = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isInner || random() < 0.08) return ODD[below(ODD.length)]!();
  const inner = value as Record<string, unknown>;
  const keys = Object.keys(inner);
  const key = keys[below(keys.length)]!;
  if (random() < 0.05) delete inner[key];
  else inner[key] = damaged(inner[key], random);
  return inner;
}

/** Messages of JavaScript engines. */
const ENGINE =
  /nvalid (typed )?array|llocation|annot (read|destructure|convert|set|mix)|of (undefined|null)|is not (a function|iterable|an object)|call stack|nexpected|in JSON|DataView|out of (bounds|range|memory)/;

async function outcome(work: () => Promise<unknown> | unknown, words: RegExp, note: string): Promise<string> {
  try {
    await work();
    return 'done';
  } catch (error) {
    const { message } = error as Error;
    expect(message, note).toMatch(words);
    expect(message, note).not.toMatch(ENGINE);
    return message;
  }
}

const namesIn = (files: Record<string, Uint8Array>, folder: string): string[] =>
  Object.keys(files).filter((name) => name.startsWith(folder));

/** Damages the record of a frame, or its arrays, and computes its hash again. */
function damagedFrame(magic: string, bytes: Uint8Array, random: () => number): Uint8Array {
  const frame = readFrame(magic, bytes)!;
  const arrays = frame.bytes.slice(frame.start);
  let record: unknown = structuredClone(frame.record);
  if (random() < 0.7) record = damaged(record, random);
  else {
    const at = Math.floor(random() * arrays.length);
    if (random() < 0.5) arrays[at] = Math.floor(random() * 256);
    else new Int32Array(arrays.buffer)[at >> 2] = [0, -1, 1e9, 2 ** 31 - 1][Math.floor(random() * 4)]!;
  }
  // Routes contain a text of their own.
  const { text } = (record ?? {}) as { text?: unknown };
  if (magic === 'NKROUT01' && typeof text === 'string' && text.startsWith('[') && random() < 0.8)
    (record as { text: string }).text = JSON.stringify(damaged(JSON.parse(text), random));
  return writeFrame(magic, JSON.stringify(record), [random() < 0.1 ? arrays.slice(0, -8) : arrays]);
}

it(`tiles, chunks and routes, ${ROUNDS} damaged files each, seed ${SEED}`, () => {
  const random = seeded(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const counts: Record<string, number> = {};
  const note = (what: string): void => void (counts[what] = (counts[what] ?? 0) + 1);
  const settings = readManifest(published[CURRENT]!).settings;
  const work = startChunkJobs(plan.setup, createWorkspace());
  for (let round = 0; round < ROUNDS; round++) {
    const message = `seed ${SEED}, round ${round}`;
    const tile = pick(namesIn(published, 'tiles/'));
    const entry = decodeEntry(damagedFrame('NKTILE01', published[tile]!, random), tile.slice(6, 38));
    note(entry === undefined ? 'tile refused' : 'tile read');
    if (entry?.data !== undefined) {
      const mesh = createNavMesh(settings);
      try {
        addTile(mesh, entry.data);
      } catch (error) {
        expect((error as Error).message, message).toMatch(/^addTile: /);
        note('tile refused by addTile');
      }
      expect(validateNavMesh(mesh), message).toEqual([]);
    }

    const { key } = pick(part.chunks);
    const bytes = damagedFrame('NKCHUNK1', planned[chunkName(key)]!, random);
    let taken = 0;
    const chunk = decodeChunk(bytes, key, (size) => {
      taken += size;
      return new ArrayBuffer(size);
    });
    expect(taken, message).toBeLessThanOrEqual(bytes.length);
    note(chunk === undefined ? 'chunk refused' : 'chunk read');
    if (chunk !== undefined && round % 20 === 0) {
      const { error = '' } = work(jobOfChunk(chunk, 0));
      expect(error, message).not.toMatch(ENGINE);
    }

    const route = pick(namesIn(published, 'routes/'));
    const file = damagedFrame('NKROUT01', published[route]!, random);
    const tiles = readRoutes(file, route.slice(7, 39), settings.tileSize);
    readJoinedRoutes(random() < 0.5 ? file : file.subarray(0, Math.floor(random() * file.length)));
    note(tiles === undefined ? 'routes refused' : 'routes read');
    const graph = createRouteGraph(createNavMesh(settings), 'records', -1);
    for (const one of tiles ?? []) putRouteTile(graph, one, 0);
  }
  for (const what of ['tile read', 'tile refused', 'chunk read', 'chunk refused', 'routes read', 'routes refused'])
    expect(counts[what], JSON.stringify(counts)).toBeGreaterThan(ROUNDS / 50);
});

it(`plans, parts, rows and manifests, ${ROUNDS / 4} damaged files each, seed ${SEED}`, async () => {
  const random = seeded(SEED + 1);
  const parsed = <T>(bytes: Uint8Array): T => JSON.parse(new TextDecoder().decode(bytes)) as T;
  const outcomes = new Map<string, number>();
  const note = (what: string): void => void outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
  for (let round = 0; round < ROUNDS / 4; round++) {
    const message = `seed ${SEED}, round ${round}`;
    const store = createMemoryCache();
    for (const [name, bytes] of Object.entries(planned)) await store.set(name, bytes);
    const { format: _f, version: _v, key: _k, ...rest } = parsed<Record<string, unknown>>(planned[planName(plan.key)]!);
    const changed = sealPlan(damaged(rest, random) as Omit<PublicationPlan, 'key'>);
    await store.set(planName(changed.key), writePlan(changed));
    await store.set(
      CURRENT_PLAN,
      toBytes(
        random() < 0.9 ? { plan: changed.key, sequence: 1 } : damaged({ plan: changed.key, sequence: 1 }, random),
      ),
    );
    let read: PublicationPlan | undefined;
    const answer = await outcome(async () => (read = await readPlan(store)), /^readPlan: /, message);
    note(answer === 'done' ? 'plan read' : 'plan refused');
    if (read !== undefined && round % 5 === 0)
      await outcome(
        async () => {
          await createPlanBaker(store, read!).bakeChunk(part.chunks[1]!.key);
        },
        /^(bakeChunk|createPlanBaker|addTile|buildNavMesh|bake): /,
        message,
      );

    const otherPart = damaged(structuredClone(part), random) as PlanPart;
    const isPart = typeof otherPart === 'object' && otherPart !== null;
    const key = isPart ? partKey(otherPart) : plan.parts[0]!;
    await store.set(partName(key), toBytes(otherPart));
    const rows = parsed<{ rows: unknown }>(planned[rowsName(part.chunks[0]!.key)]!);
    await store.set(rowsName(part.chunks[0]!.key), toBytes(damaged(rows, random)));
    const { key: _key, ...whole } = plan;
    const withPart = sealPlan({ ...whole, parts: [key] });
    await store.set(CURRENT_PLAN, toBytes({ plan: withPart.key, sequence: withPart.sequence }));
    note(await outcome(() => finishPublication(store, withPart), /^finishPublication: /, message));
    const manifest = damaged(parsed(published[CURRENT]!), random);
    const verdict = await outcome(
      () => readManifest(toBytes(manifest)),
      /^the manifest of the world cannot be used: /,
      message,
    );
    note(verdict === 'done' ? 'manifest read' : 'manifest refused');
  }
  for (const what of ['plan read', 'plan refused', 'manifest read', 'manifest refused'])
    expect(outcomes.get(what), JSON.stringify([...outcomes])).toBeGreaterThan(ROUNDS / 200);
});
