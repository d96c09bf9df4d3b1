/**
 * Tiles, links, areas, a crowd, characters, sliced searches, save and load, in random order (runtime-crowd-run.ts): `validateNavMesh`
 * stays silent. The mesh is checked every 40 operations; a world that fails runs again with a check after each one, which names it.
 *
 * A second test runs a 24th as many operations with watched arrays (watched.ts), which refuse writes to indices that they do not have.
 *
 * NAVKILN_SEED: the first seed. NAVKILN_RUNTIME_OPERATIONS: operations in all worlds together (default 12,000);
 * NAVKILN_RUNTIME_SECONDS: no world begins after that. `npm run soak -- runtime` runs a million.
 */
import { expect, it } from 'vitest';
import { runRuntime } from './runtime-crowd-run.ts';
import { watched } from './watched.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const OPERATIONS = Number(process.env.NAVKILN_RUNTIME_OPERATIONS ?? 12_000);
const SECONDS = Number(process.env.NAVKILN_RUNTIME_SECONDS ?? Infinity);
/** Operations per world, at most. */
const MOST_PER_WORLD = 25_000;
const LEAST_WORLDS = 4;
const EVERY = 40;
const WATCHED = Math.ceil(OPERATIONS / 24);
const WATCHED_WORLDS = 2;

it(`a mesh stays valid under a crowd, ${OPERATIONS} operations, seeds from ${SEED}`, { timeout: 36_000_000 }, () => {
  const worlds = Math.max(LEAST_WORLDS, Math.ceil(OPERATIONS / MOST_PER_WORLD));
  const operations = Math.ceil(OPERATIONS / worlds);
  const end = Date.now() + 1000 * SECONDS;
  const counts = new Map<string, number>();
  const failures: string[] = [];
  let done = 0;
  for (let seed = SEED; seed < SEED + worlds && Date.now() < end; seed++) {
    const result = runRuntime({ seed, operations, every: EVERY });
    done += result.operations;
    for (const [what, count] of result.counts) counts.set(what, (counts.get(what) ?? 0) + count);
    if (result.failure === null) continue;
    const again = runRuntime({ seed, operations: result.operations + 1, every: 1 });
    failures.push(again.failure ?? result.failure);
  }
  console.info(
    `runtime: ${done} operations, ${failures.length} failures, ${JSON.stringify(Object.fromEntries([...counts].sort()))}`,
  );
  expect(failures).toEqual([]);
  // Every kind of operation took place, with its outcomes.
  for (const what of [
    'replace tile',
    'remove link true',
    'area true',
    'search stale none',
    'save and load all',
    'position off-mesh',
  ]) {
    expect([what, (counts.get(what) ?? 0) > 0]).toEqual([what, true]);
  }
});

it(
  `nothing writes to an index that the mesh, the crowd or the characters do not have, ${WATCHED} operations, seeds from ${SEED}`,
  { timeout: 36_000_000 },
  () => {
    expect(() => (watched({ a: new Int32Array(2) }).a[-1] = 1)).toThrow('a write to a[-1], of 2');
    for (let seed = SEED; seed < SEED + WATCHED_WORLDS; seed++) {
      const { failure } = runRuntime({ seed, operations: WATCHED / WATCHED_WORLDS, every: Infinity, isWatched: true });
      expect(failure).toBeNull();
    }
  },
);

it('a path over a link is the same on a loaded mesh, although its polygons have other indices', () => {
  // Saved between a change of the mesh and the tick, the corridor lost its link crossing and took a portal to the same polygon.
  expect(runRuntime({ seed: 32454423, operations: 4810, every: Infinity, hasControl: false }).failure).toBeNull();
});
