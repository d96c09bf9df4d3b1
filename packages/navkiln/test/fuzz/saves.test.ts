/**
 * Saved crowds and characters with damaged numbers and repaired checksums: restoring ends, and either throws an Error and changes
 * nothing, or gives a state in which ticks run, are finite, and which can be saved again.
 *
 * NAVKILN_SEED: the first seed. NAVKILN_SAVES: the number of damaged saves (default 300); NAVKILN_SAVES_SECONDS: no round begins after
 * that. `npm run soak -- saves` runs more.
 */
import { expect, it } from 'vitest';
import { hashCrowd, restoreCrowd, saveCrowd } from '../../src/agents/crowd/save/save.ts';
import { AGENT_LAYOUT } from '../../src/agents/crowd/state/layout.ts';
import { STATE_FREE } from '../../src/agents/crowd/state/types.ts';
import type { Crowd } from '../../src/agents/crowd/state/types.ts';
import { stepCrowd } from '../../src/agents/crowd/step.ts';
import { hashWords } from '../../src/base/data/hash.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { stepCharacters } from '../../src/agents/characters/advance.ts';
import {
  CHARACTER_COLUMNS,
  hashCharacters,
  restoreCharacters,
  saveCharacters,
} from '../../src/agents/characters/save.ts';
import type { CharacterSet } from '../../src/agents/characters/types/characters.ts';
import { searchWorld } from '../unit/agents/crowd/search-worlds.ts';
import type { SearchWorld } from '../unit/agents/crowd/search-worlds.ts';
import { HEADER_WORDS, busySet, repair } from '../unit/world/levels/busy-set.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const SAVES = Number(process.env.NAVKILN_SAVES ?? 300);
const SECONDS = Number(process.env.NAVKILN_SAVES_SECONDS ?? Infinity);
const PER_ROUND = 300;
/** Ticks after a restore that was accepted. */
const TICKS = 4;

const ODD_NUMBERS = [
  NaN,
  Infinity,
  -Infinity,
  -1,
  0,
  1,
  2,
  3,
  0.5,
  1e9,
  -1e9,
  1e15,
  1e18,
  1e300,
  1e-300,
  -0,
  2 ** 31,
  2 ** 53,
];

/** Changes a few numbers of a save behind its header: doubles, words or bytes. */
function damage(bytes: Uint8Array, { random, below }: SearchWorld): void {
  const words = new Uint32Array(bytes.buffer);
  const numbers = new Float64Array(bytes.buffer);
  for (let left = 1 + below(3); left > 0; left--) {
    const isEarly = random() < 0.2;
    const at = HEADER_WORDS / 2 + below(isEarly ? Math.min(30, numbers.length - 3) : numbers.length - 3);
    const kind = random();
    if (kind < 0.35) numbers[at] = ODD_NUMBERS[below(ODD_NUMBERS.length)];
    else if (kind < 0.5) numbers[at] = numbers[HEADER_WORDS / 2 + below(numbers.length - 3)];
    else if (kind < 0.65) numbers[at] += [1, -1, 1000, 0.25][below(4)];
    else if (kind < 0.8) words[2 * at + below(2)] = [0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 7][below(6)];
    else words[2 * at + below(2)] ^= 1 << below(32);
  }
}

/** Returns the first number of an agent or character that is NaN, by its name. */
function findNaN(crowd: Crowd, set: CharacterSet): string | undefined {
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (crowd.agents.state[slot] === STATE_FREE) continue;
    for (const [name, , stride] of AGENT_LAYOUT) {
      if (crowd.agents[name].subarray(stride * slot, stride * (slot + 1)).some(Number.isNaN))
        return `agents.${name}[${slot}]`;
    }
    for (const [name, stride] of CHARACTER_COLUMNS) {
      if (set[name].subarray(stride * slot, stride * (slot + 1)).some(Number.isNaN)) return `${name}[${slot}]`;
    }
  }
  return undefined;
}

it(`${SAVES} damaged saves are refused whole, or run, seeds from ${SEED}`, { timeout: 36_000_000 }, () => {
  const counts = { refused: 0, accepted: 0, crowds: 0, slowestMs: 0 };
  const end = Date.now() + 1000 * SECONDS;
  const rounds = Math.ceil(SAVES / PER_ROUND);
  for (let seed = SEED; seed < SEED + rounds && Date.now() < end; seed++) {
    const world = searchWorld(seed, { size: 3, links: 6 });
    const set = busySet(world);
    const { crowd } = set;
    const own = [saveCrowd(crowd), saveCharacters(set)] as const;
    const hash = hashCharacters(set);
    for (let i = 0; i < PER_ROUND; i++) {
      const what = `seed ${seed}, save ${i}`;
      const isCrowd = world.random() < 0.5;
      const bad = own[isCrowd ? 0 : 1].slice();
      if (isCrowd || world.random() < 0.5) {
        damage(bad, world);
      } else {
        // The crowd within: its own checksum is repaired, too.
        const from = bad.length - own[0].length;
        const inner = bad.slice(from);
        damage(inner, world);
        repair(inner);
        bad.set(inner, from);
      }
      repair(bad);
      if (isCrowd) counts.crowds++;
      const start = performance.now();
      let error: unknown;
      try {
        if (isCrowd) restoreCrowd(crowd, bad);
        else restoreCharacters(set, bad);
      } catch (caught) {
        error = caught;
      }
      counts.slowestMs = Math.max(counts.slowestMs, Math.round(performance.now() - start));
      if (error !== undefined) {
        counts.refused++;
        expect(error, what).toBeInstanceOf(Error);
        expect((error as Error).message, what).toMatch(isCrowd ? /^restoreCrowd: / : /^restoreCharacters: /);
        if (i % 10 === 0) expect(hashCharacters(set), `${what}, ${(error as Error).message}`).toBe(hash);
        continue;
      }
      counts.accepted++;
      for (let tick = 0; tick < TICKS; tick++) stepCharacters(set);
      expect(findNaN(crowd, set), what).toBeUndefined();
      expect(validateNavMesh(crowd.mesh), what).toEqual([]);
      const later = saveCharacters(set);
      const before = hashCharacters(set);
      expect(() => restoreCharacters(set, later), what).not.toThrow();
      expect(hashCharacters(set), what).toBe(before);
      restoreCharacters(set, own[1]);
      expect(hashCharacters(set), what).toBe(hash);
    }
    for (let tick = 0; tick < 30; tick++) stepCrowd(crowd);
    restoreCrowd(crowd, own[0]);
    expect(hashCrowd(crowd)).toBe(hashWordsOf(own[0]));
  }
  console.info(`damaged saves, seeds from ${SEED}: ${JSON.stringify(counts)}`);
  expect(counts.refused > 0 && counts.accepted > 0).toBe(true);
});

/** Returns the hash of the crowd that a save holds. */
function hashWordsOf(bytes: Uint8Array): number {
  const numbers = new Float64Array(bytes.slice().buffer);
  // At the end are the hashes of the tiles and their number.
  const end = numbers.length - 1 - Math.ceil(numbers.at(-1)! / 2);
  return hashWords(new Uint32Array(numbers.buffer), HEADER_WORDS, 2 * end, 0);
}
