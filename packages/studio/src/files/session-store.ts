/**
 * Stores the opened files, their settings and edits in the browser, so that a reload can continue. Loaded on demand.
 *
 * In: a session. Out: the last session that was stored whole.
 * Cost: a transaction for each file and each change.
 * Based on: own; the database is that of `createIndexedDbCache`.
 */
import { createIndexedDbCache } from 'navkiln/worker';
import type { FileBytes } from './kinds.ts';
import type { Edits, Settings, ToolState } from '../state/state.ts';

/** The parts of a session besides the bytes of files. */
export interface SessionWork {
  settings: Settings;
  edits: Edits;
  tool: string;
  toolStates: Readonly<Record<string, ToolState>>;
  /** When it was stored, ms since 1970. */
  time: number;
}

/** Files as they were opened; undefined for a new map. */
export interface SessionFiles {
  main: string;
  /** Id of the kind of the main file. */
  kind: string;
  files: readonly FileBytes[];
}

export interface Session {
  /** For the user: the name of the main file, or 'map'. */
  name: string;
  opened: SessionFiles | undefined;
  work: SessionWork;
}

/** The entry 'files': the names and sizes of the entries with their bytes. */
interface FileList {
  name: string;
  main?: string;
  kind?: string;
  files: { name: string; size: number }[];
}

const MAX_BYTES = 256 * 2 ** 20;
const WORK = 'work';
const FILES = 'files';
/** Files are stored in parts of this size: storing one copies it, which must not block the page. */
const PART = 2 * 2 ** 20;
const partKey = (index: number, part: number): string => `file ${index} ${part}`;

const cache = createIndexedDbCache('navkiln-studio');
const write = (key: string, value: object): Promise<void> =>
  Promise.resolve(cache.set(key, new TextEncoder().encode(JSON.stringify(value))));

async function read<T>(key: string): Promise<T | undefined> {
  const bytes = await cache.get(key);
  return bytes === undefined ? undefined : (JSON.parse(new TextDecoder().decode(bytes)) as T);
}

/** Stores files in place of the last ones. Resolves to false when they are too large. */
export async function storeFiles(name: string, opened: SessionFiles | undefined): Promise<boolean> {
  await forgetSession();
  const { main, kind, files = [] } = opened ?? {};
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > MAX_BYTES) return false;
  for (const [index, { bytes }] of files.entries()) {
    for (let start = 0; start < bytes.length; start += PART) {
      await cache.set(partKey(index, start / PART), bytes.slice(start, start + PART));
    }
  }
  // The list is last: a session without it was not stored whole.
  const list: FileList = {
    name,
    main,
    kind,
    files: files.map((file) => ({ name: file.name, size: file.bytes.length })),
  };
  await write(FILES, list);
  return true;
}

export function storeWork(work: SessionWork): Promise<void> {
  return write(WORK, work);
}

/** Returns the stored session, or undefined when there is none or it is damaged. */
export async function readSession(): Promise<Session | undefined> {
  const [list, work] = [await read<FileList>(FILES), await read<SessionWork>(WORK)];
  if (list === undefined || work === undefined) return undefined;
  const files: FileBytes[] = [];
  for (const [index, { name, size }] of list.files.entries()) {
    const bytes = new Uint8Array(size);
    for (let start = 0; start < size; start += PART) {
      const part = await cache.get(partKey(index, start / PART));
      if (part?.length !== Math.min(PART, size - start)) return undefined;
      bytes.set(part, start);
    }
    files.push({ name, bytes });
  }
  const { name, main, kind } = list;
  const opened = main === undefined || kind === undefined ? undefined : { main, kind, files };
  return { name, opened, work };
}

export async function forgetSession(): Promise<void> {
  await cache.delete(FILES);
  for (const key of await cache.keys()) await cache.delete(key);
}
