/**
 * Reads files that the user named, and files that those name. The former may be regular files and pipes. The latter must be regular
 * files in the folder of the former, or below it, after links are resolved. Nothing is read beyond a limit, so no device is read for ever.
 *
 * In: paths. Out: bytes.
 * Cost: that of reading; a file of a pipe is copied once.
 * Based on: own.
 */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { InputError, explainSystemError } from '../errors.ts';
import { formatBytes } from '../output/text.ts';
import { MOVE_INSIDE, refusalOfName, refusePointer } from 'navkiln-loaders/files';

/** Largest text of a configuration or a scene file, bytes. */
export const MAX_SETTINGS_BYTES: number = 2 ** 22;
/** Largest text that becomes one string, bytes: the engine's longest string is 2^29 - 24. */
export const MAX_TEXT_BYTES: number = 2 ** 29 - 2 ** 16;

const CHUNK_BYTES = 1 << 16;

/** Reads a file that the user named: a regular file or a pipe. Throws an `InputError` that starts with `label`. */
export function readGiven(file: string, limitBytes: number, label: string = file): Uint8Array<ArrayBuffer> {
  return withSystemErrors(label, () => {
    const kind = statSync(file);
    const isStream = kind.isFIFO() || kind.isSocket();
    const bytes = isStream ? readStream(file, limitBytes, label) : readRegular(file, limitBytes, label);
    refusePointer(bytes, label);
    return bytes;
  });
}

/** Reads a regular file, and nothing else. */
export function readRegularFile(file: string, limitBytes: number): Uint8Array<ArrayBuffer> {
  return withSystemErrors(file, () => readRegular(file, limitBytes, file));
}

/** Reads a text that the user named, as UTF-8. */
export function readGivenText(file: string, limitBytes: number): string {
  return Buffer.from(readGiven(file, Math.min(limitBytes, MAX_TEXT_BYTES)).buffer).toString('utf8');
}

export interface BesideOptions {
  /** Whether files outside of the folder may be read. Default false. */
  allowOutside?: boolean;
  limitBytes: number;
}

/**
 * Reads a file that the file `main` names. `name` is relative to the folder of `main`. Returns undefined when there is none. Throws an
 * `InputError` that starts with `label` when it must not or cannot be read; no message quotes the file's content.
 */
export function readBesideFile(
  main: string,
  name: string,
  label: string,
  { allowOutside = false, limitBytes }: BesideOptions,
): Uint8Array<ArrayBuffer> | undefined {
  const refusal = refusalOfName(name, allowOutside);
  if (refusal !== undefined) throw new InputError(`${label}: ${refusal}`);
  return withSystemErrors(label, () => {
    const folder = realpathSync(dirname(main));
    const path = resolve(folder, name);
    // Checked first, so that a missing file and a broken link give the same result.
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const real = realpathSync(path);
    if (!allowOutside && !real.startsWith(folder.endsWith(sep) ? folder : folder + sep)) {
      throw new InputError(`${label}: is a link that leads out of the folder of the level; ${MOVE_INSIDE}`);
    }
    return readRegular(real, limitBytes, label);
  });
}

/** Reads a regular file, as many bytes as it has when it is opened. */
function readRegular(path: string, limitBytes: number, label: string): Uint8Array<ArrayBuffer> {
  // Checked before the file is opened: opening a pipe without a writer would wait.
  requireRegular(statSync(path), label);
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    requireRegular(stats, label);
    checkSize(stats.size, limitBytes, label);
    const bytes = new Uint8Array(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(handle, bytes, length, Math.min(bytes.length - length, 2 ** 30), null);
      if (count === 0) break;
      length += count;
    }
    return length === bytes.length ? bytes : bytes.slice(0, length);
  } finally {
    closeSync(handle);
  }
}

function readStream(path: string, limitBytes: number, label: string): Uint8Array<ArrayBuffer> {
  const handle = openSync(path, constants.O_RDONLY);
  try {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      const chunk = new Uint8Array(CHUNK_BYTES);
      const count = readSync(handle, chunk, 0, CHUNK_BYTES, null);
      if (count === 0) break;
      length += count;
      checkSize(length, limitBytes, label);
      chunks.push(chunk.subarray(0, count));
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  } finally {
    closeSync(handle);
  }
}

function requireRegular(stats: Stats, label: string): void {
  if (stats.isFile()) return;
  const kind = stats.isDirectory() ? 'a folder, not a file' : 'not a regular file (a device, a pipe or a socket)';
  throw new InputError(`${label}: is ${kind}`);
}

function checkSize(bytes: number, limitBytes: number, label: string): void {
  if (bytes <= limitBytes) return;
  throw new InputError(
    `${label}: has ${formatBytes(bytes)} or more, and at most ${formatBytes(limitBytes)} are read; ` +
      'use a smaller file, or raise memoryLimitBytes where the command has it',
  );
}

function withSystemErrors<T>(label: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(`${label}: ${explainSystemError(error)}`);
  }
}
