/**
 * Makes one first call in a process of its own, which imports nothing before the clock starts: imports a library, initializes it, and
 * bakes, finds a path, steps a crowd or builds a 2D map. Prints its times as JSON. `measure.ts` starts it.
 *
 * Arguments: the library, the call, and a file with the input, as `v8.serialize` writes it.
 */
import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { LIBRARIES } from './libraries.ts';
import type { FirstCallInput, FirstCallTimes, FirstMapInput } from './libraries.ts';

/** Returns the milliseconds that this thread has waited for a core. */
function waited(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

async function main([library, call, file]: readonly string[]): Promise<void> {
  const input = deserialize(readFileSync(file)) as FirstCallInput & FirstMapInput;
  // Waits are read within the times, so that they are never longer.
  const begin = performance.now();
  const wait = waited();
  const run = await LIBRARIES[library][call](input);
  const imported = performance.now();
  const answer = run();
  const waitMs = waited() - wait;
  const firstMs = performance.now() - begin;
  const again = performance.now();
  const secondWait = waited();
  run();
  const secondWaitMs = waited() - secondWait;
  const secondMs = performance.now() - again;
  const times: FirstCallTimes = { firstMs, importMs: imported - begin, secondMs, waitMs, secondWaitMs, answer };
  console.log(JSON.stringify(times));
}

if (process.argv.length === 5) await main(process.argv.slice(2));
