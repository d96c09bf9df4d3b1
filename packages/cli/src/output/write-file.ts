/**
 * Writes files completely or not at all: the bytes go to a temporary file in the same folder, which is then
 * renamed. A failure or a signal in between removes the temporary files; those of a killed process are removed by
 * the next one.
 */
import { constants, realpathSync, rmSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { access, open, rename } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { InputError, OutputError, codeOf, explainSystemError } from '../errors.ts';
import { MAX_ATTEMPTS, isTooLong, removeStale, temporaryPath } from './temporary.ts';

export interface OutputFile {
  path: string;
  bytes: Uint8Array | string;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Throws when no file can be created at the path, so that a long bake does not fail at its end. `flag` is the
 * option that named it.
 */
export async function checkOutput(path: string, flag: string): Promise<void> {
  const target = resolve(path);
  const folder = dirname(target);
  const there = statsOf(target);
  if (!isDevice(there) && isTooLong(there === undefined ? target : realPath(target))) {
    throw new InputError(
      `${flag} ${shorten(path)}: the name is too long (${Buffer.byteLength(path)} bytes); choose a shorter one`,
    );
  }
  if (there?.isDirectory() === true) {
    throw new InputError(`${flag} ${path}: is a folder; choose a file, such as ${join(path, 'level.navmesh')}`);
  }
  if (/[/\\]$/.test(path)) throw new InputError(`${flag} ${path}: names a folder; choose a file`);
  const parent = statsOf(folder);
  if (parent === undefined)
    throw new InputError(`${flag} ${path}: the folder ${dirname(path)} does not exist; create it first`);
  if (!parent.isDirectory()) throw new InputError(`${flag} ${path}: ${dirname(path)} is a file, not a folder`);
  try {
    await access(isDevice(there) ? target : folder, constants.W_OK);
  } catch (error) {
    throw new InputError(`${flag} ${path}: cannot write into ${dirname(path)}: ${explainSystemError(error)}`);
  }
}

/** Returns whether a file is a device or a pipe, which is written directly, without a temporary file. */
function isDevice(stats: Stats | undefined): boolean {
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

function shorten(path: string): string {
  return path.length <= 80 ? path : `${path.slice(0, 40)}…${path.slice(-20)}`;
}

/** Returns one name for all paths that lead to the same file. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Returns the file's state, or undefined when it does not exist. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Writes all files, or none unless one of the final renames fails. Rejects with an `OutputError` that names the file.
 */
export async function writeFiles(files: readonly OutputFile[]): Promise<void> {
  const unfinished = new Set<string>();
  const clean = (): void => {
    for (const path of unfinished) rmSync(path, { force: true });
    unfinished.clear();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    clean();
    stop();
    process.kill(process.pid, signal);
  };
  const stop = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  let at = '';
  try {
    const renames: { from: string; to: string }[] = [];
    for (const { path, bytes } of files) {
      at = path;
      const there = statSync(path, { throwIfNoEntry: false });
      if (there !== undefined && !there.isFile()) {
        // A device or a pipe cannot be replaced: write to it directly.
        await writeWhole(await open(path, 'w'), bytes);
        continue;
      }
      // Through a symbolic link, its target is replaced, not the link.
      const target = there === undefined ? resolve(path) : realpathSync(path);
      removeStale(target);
      const { handle, path: temporary } = await openBeside(target, there?.mode, unfinished);
      await writeWhole(handle, bytes);
      renames.push({ from: temporary, to: target });
    }
    for (const { from, to } of renames) {
      at = to;
      await rename(from, to);
      unfinished.delete(from);
    }
  } catch (error) {
    throw new OutputError(`cannot write ${at}: ${explainSystemError(error)}`);
  } finally {
    clean();
    stop();
  }
}

async function openBeside(
  target: string,
  mode: number | undefined,
  unfinished: Set<string>,
): Promise<{ handle: FileHandle; path: string }> {
  for (let attempt = 0; ; attempt++) {
    const path = temporaryPath(target, attempt);
    // Registered before it exists, because a signal may arrive while it is created.
    unfinished.add(path);
    try {
      return { handle: await open(path, 'wx', mode === undefined ? 0o666 : mode & 0o777), path };
    } catch (error) {
      unfinished.delete(path);
      if (codeOf(error) !== 'EEXIST' || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
}

async function writeWhole(handle: FileHandle, bytes: Uint8Array | string): Promise<void> {
  try {
    await handle.writeFile(bytes);
    // Some files, such as pipes, cannot be synced. That is not an error.
    await handle.sync().catch(() => undefined);
  } finally {
    await handle.close();
  }
}
