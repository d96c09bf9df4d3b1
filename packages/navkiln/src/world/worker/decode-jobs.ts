/**
 * Checks and decodes files of tiles, in the workers of a pool or on this thread.
 *
 * In: bytes and a content key. Out: the tile, or undefined when the file is damaged, cut off, or of another key.
 * Cost: linear. With a pool, this thread copies the file to the worker, and the tile back if memory is not shared.
 * Based on: own.
 */
import type { TileData } from '../../mesh/types.ts';
import type { BakePool, PoolControl } from '../../build/voxel/pool-types.ts';
import type { TileResult } from '../../build/voxel/tile-jobs.ts';
import { decodeEntry } from './cache-entry.ts';
import { canShare } from '../../base/data/threads.ts';
import { TILE_FIELDS, packTiles, unpackTiles } from './tile-arrays.ts';
import type { PackedTiles } from './tile-arrays.ts';

/** A decoded file. */
export type DecodedTile = Pick<TileResult, 'tile' | 'data'>;

/** Decodes files of tiles. */
export type TileDecoder = (bytes: Uint8Array, key: string) => Promise<DecodedTile | undefined>;

/** The data that all jobs share. */
export interface DecodeSetup {
  kind: 'decode';
}

/** A file to decode. */
export interface DecodeJob {
  bytes: Uint8Array;
  key: string;
}

interface DecodeAnswer {
  tile: number;
  /** The fields of the tile that are not arrays; absent if it has no polygons. */
  fields?: Partial<TileData>;
  packed: PackedTiles;
}

/** Returns whether a setup is for files to decode. */
export function isDecodeSetup(setup: unknown): setup is DecodeSetup {
  return (setup as DecodeSetup | undefined)?.kind === 'decode';
}

/** Decodes a file in a worker. */
export function decodeInWorker({ bytes, key }: DecodeJob): DecodeAnswer | undefined {
  const result = decodeEntry(bytes, key);
  if (result === undefined) return undefined;
  const { tile, data } = result;
  const packed = packTiles([data], canShare());
  if (data === undefined) return { tile, packed };
  return { tile, packed, fields: { ...data, ...Object.fromEntries(TILE_FIELDS.map((field) => [field, undefined])) } };
}

function unpackAnswer({ tile, fields, packed }: DecodeAnswer): DecodedTile {
  const [own] = unpackTiles(packed);
  return { tile, data: own === undefined ? undefined : { ...fields, ...own } };
}

/** Returns a decoder that uses the workers of a pool. When they fail, or the pool is closed, files are decoded on this thread. */
export function createTileDecoder(caller: string, pool: BakePool | undefined): TileDecoder {
  const here: TileDecoder = async (bytes, key) => decodeEntry(bytes, key);
  if (pool === undefined || pool.workers === 0) return here;
  const waiting: DecodeJob[] = [];
  const open = new Map<unknown, (answer: DecodedTile | undefined) => void>();
  let control: PoolControl | undefined;
  let hasFailed = false;
  const settle = (job: unknown, answer: DecodedTile | undefined): void => {
    open.get(job)?.(answer);
    open.delete(job);
  };
  const jobs = {
    setup: { kind: 'decode' } satisfies DecodeSetup,
    hasNext: () => waiting.length > 0,
    next: () => waiting.shift(),
    receive: (job: unknown, answer: unknown) =>
      settle(job, answer === undefined ? undefined : unpackAnswer(answer as DecodeAnswer)),
    giveUp: (job: unknown) => settle(job, undefined),
  };
  const fail = (): void => {
    hasFailed = true;
    for (const [job] of open) settle(job, decodeEntry((job as DecodeJob).bytes, (job as DecodeJob).key));
    waiting.length = 0;
  };
  const start = (given: PoolControl): typeof jobs => {
    control = given;
    return jobs;
  };
  pool.run(caller, start, undefined).then(fail, fail);
  return (bytes, key) => {
    if (hasFailed) return here(bytes, key);
    return new Promise((resolve) => {
      // Sending a view would copy its whole buffer.
      const job = { bytes: bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes), key };
      open.set(job, resolve);
      waiting.push(job);
      control?.feed();
    });
  };
}
