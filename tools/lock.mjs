/** Lets several processes ask for one build: the first does it, the others wait until it is done. */
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './files.mjs';

const WAIT_MS = 200;
/** A lock older than any build was left behind by a process that was killed. */
const STALE_MS = 180_000;

/** Runs `build` unless `isDone()`, in one process at a time. `name` names the lock, a folder in node_modules. */
export async function buildOnce(name, isDone, build) {
  const lock = join(ROOT, 'node_modules', `.navkiln-${name}`);
  while (!isDone()) {
    if (!tryLock(lock)) {
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      continue;
    }
    try {
      if (!isDone()) await build();
      return;
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
}

function tryLock(lock) {
  mkdirSync(dirname(lock), { recursive: true });
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const age = existsSync(lock) ? Date.now() - statSync(lock).mtimeMs : 0;
    if (age > STALE_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}
