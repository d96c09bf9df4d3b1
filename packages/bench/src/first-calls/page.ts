/**
 * Makes one first call in a page of its own. The clock starts when the page is opened; the time that the level takes to arrive is
 * subtracted. Sends its times to the server that `pages.ts` starts.
 */
import { LIBRARIES } from './libraries.ts';
import type { FirstCallInput, FirstCallTimes, FirstMapInput } from './libraries.ts';

declare const location: { search: string };

const ARRAYS = { Float32Array, Uint32Array, Uint8Array } as const;

/** Returns a value of the input; typed arrays are `{ array, base64 }` (pages.ts). */
function revive(_key: string, value: unknown): unknown {
  const { array, base64 } = (value ?? {}) as { array?: keyof typeof ARRAYS; base64?: string };
  if (array === undefined || base64 === undefined) return value;
  return new ARRAYS[array](Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer);
}

const query = new URLSearchParams(location.search);
const asked = performance.now();
const input = JSON.parse(await (await fetch(`/input?${query.get('level')}`)).text(), revive) as FirstCallInput &
  FirstMapInput;
const inputMs = performance.now() - asked;
const run = await LIBRARIES[query.get('library')!][query.get('call')!](input);
const importMs = performance.now() - inputMs;
const answer = run();
const firstMs = performance.now() - inputMs;
const again = performance.now();
run();
const secondMs = performance.now() - again;
const times: FirstCallTimes = { firstMs, importMs, secondMs, waitMs: 0, secondWaitMs: 0, answer };
await fetch('/times', { method: 'POST', body: JSON.stringify(times) });
