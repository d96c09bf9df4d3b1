/**
 * Names of temporary files: `.NAME.PID-N.tmp`, next to the file NAME that they become. A process that was killed
 * leaves them behind, and the next one that writes into the folder removes them.
 */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../errors.ts';

/** Maximum number of attempts to find a free name. */
export const MAX_ATTEMPTS = 100;
/** The largest process id of Linux; other systems have smaller ones. */
const MAX_PID = 4_194_304;
/** How much the clocks of files and processes may differ. */
const CLOCK_MS = 2000;
/** Files that only navkiln writes, so their temporary files are its own, whichever of them is written now. */
const OWN_NAMES = /(\.(navmesh(\.key)?|navindex|navtile|navroutes|chunk)|^(\d{8}|[0-9a-f]{32}|world|current)\.json)$/;

export function temporaryPath(target: string, attempt: number, pid: number = process.pid): string {
  return join(dirname(target), `.${basename(target)}.${pid}-${attempt}.tmp`);
}

/** Returns whether the file system refuses the name of the file, or of its temporary file, as too long. */
export function isTooLong(target: string): boolean {
  return [target, temporaryPath(target, MAX_ATTEMPTS, MAX_PID)].some((path) => {
    try {
      lstatSync(path);
      return false;
    } catch (error) {
      return codeOf(error) === 'ENAMETOOLONG';
    }
  });
}

/**
 * Removes the temporary files of dead processes next to `target`: those of `target` itself and of meshes. A file
 * with any other name stays, and so does that of a process that may be alive.
 */
export function removeStale(target: string): void {
  const folder = dirname(target);
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that can be written but not listed.
    return;
  }
  for (const entry of entries) {
    const [, name, pid] = /^\.(.+)\.([1-9]\d{0,6})-(?:0|[1-9]\d?|100)\.tmp$/s.exec(entry.name) ?? [];
    if (name === undefined || !entry.isFile() || !(name === basename(target) || OWN_NAMES.test(name))) continue;
    const path = join(folder, entry.name);
    try {
      if (Number(pid) <= MAX_PID && isLeft(path, Number(pid))) rmSync(path, { force: true });
    } catch {
      // Another user's file, perhaps. It does not hinder the new one.
    }
  }
}

/** Returns whether the process that wrote the file is dead. In containers, the next one often has its id. */
function isLeft(path: string, pid: number): boolean {
  return pid === process.pid ? lstatSync(path).mtimeMs < performance.timeOrigin - CLOCK_MS : !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is alive and belongs to another user.
    return codeOf(error) !== 'ESRCH';
  }
}
