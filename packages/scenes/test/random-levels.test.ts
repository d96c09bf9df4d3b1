import { describe, expect, it } from 'vitest';
import { RANDOM_LEVEL_KINDS, randomLevel } from '../src/index.ts';
import type { RandomLevel, RandomLevelKind } from '../src/index.ts';
import { isImpossible, isSure } from '../src/random-levels/walks.ts';

const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);

/** Returns the FNV-1a hash of the positions, indices and walks. */
function hash(level: RandomLevel): string {
  let h = 0x811c9dc5;
  const walks = level.walks.flatMap(({ from, to, leastLength }) => [...from, ...to, leastLength]);
  for (const array of [level.positions, level.indices, new Float64Array(walks)]) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) h = Math.imul(h ^ bytes[i], 0x01000193);
  }
  return (h >>> 0).toString(16).padStart(8, '0');
}

/** Counts directed edges between positions that no edge of the opposite direction meets. */
function openEdges({ positions, indices }: RandomLevel): number {
  const edges = new Map<string, number>();
  const corner = (i: number): string => positions.slice(3 * indices[i], 3 * indices[i] + 3).join();
  for (let t = 0; t < indices.length; t += 3) {
    for (const [i, j] of [
      [t, t + 1],
      [t + 1, t + 2],
      [t + 2, t],
    ]) {
      const [a, b] = [corner(i), corner(j)];
      if (a === b) continue;
      const [key, sign] = a < b ? [`${a} ${b}`, 1] : [`${b} ${a}`, -1];
      edges.set(key, (edges.get(key) ?? 0) + sign);
    }
  }
  return [...edges.values()].filter((sum) => sum !== 0).length;
}

describe.each(RANDOM_LEVEL_KINDS.map((kind) => [kind]))('random level %s', (kind: RandomLevelKind) => {
  const levels = SEEDS.map((seed) => randomLevel(kind, seed));

  it('is the same in every run, equal to the snapshot', () => {
    expect(hash(randomLevel(kind, 1))).toBe(hash(levels[0]));
    expect(levels.map(hash)).toMatchSnapshot();
    expect(new Set(levels.map(hash)).size).toBe(levels.length);
  });

  it('has finite positions, indices in range, and walks between finite points', () => {
    for (const { positions, indices, walks } of levels) {
      expect(positions.every(Number.isFinite)).toBe(true);
      expect(indices.every((index) => index < positions.length / 3)).toBe(true);
      for (const { from, to } of walks) expect([...from, ...to].every(Number.isFinite)).toBe(true);
    }
    const expected = levels.flatMap(({ walks }) => walks.map((walk) => walk.expect));
    expect(expected).toContain('complete');
  });

  // Hills are a sheet, and loose triangles lie between the features of a mix.
  const isClosed = kind !== 'terrain' && kind !== 'mixed';
  it(`consists of ${isClosed ? 'closed solids' : 'parts that are not all closed'}`, () => {
    if (!isClosed) expect(levels.some((level) => openEdges(level) > 0)).toBe(true);
    else for (const level of levels) expect(openEdges(level)).toBe(0);
  });
});

describe('the walks of random levels', () => {
  const agent = { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };

  it('are sure a cell from each limit, impossible a cell beyond it, and left out between', () => {
    const limits = [
      { sure: { width: 1.61 }, unsure: { width: 1 }, impossible: { width: 0.39 } },
      { sure: { step: 0.29 }, unsure: { step: 0.4 }, impossible: { step: 0.61 } },
      { sure: { headroom: 2.11 }, unsure: { headroom: 1.9 }, impossible: { headroom: 1.69 } },
      { sure: { slopeDegrees: 43.9 }, unsure: { slopeDegrees: 45 }, impossible: { slopeDegrees: 46.1 } },
      { sure: { step: 0.14, tread: 0.15 }, unsure: { step: 0.2, tread: 0.15 }, impossible: { step: 0.7, tread: 0.15 } },
    ];
    for (const { sure, unsure, impossible } of limits) {
      expect([isSure(sure, agent), isImpossible(sure, agent)]).toEqual([true, false]);
      expect([isSure(unsure, agent), isImpossible(unsure, agent)]).toEqual([false, false]);
      expect([isSure(impossible, agent), isImpossible(impossible, agent)]).toEqual([false, true]);
    }
  });

  it('are possible and impossible ones, in most kinds', () => {
    const kinds = RANDOM_LEVEL_KINDS.filter((kind) => {
      const expected = SEEDS.flatMap((seed) => randomLevel(kind, seed).walks.map((walk) => walk.expect));
      return expected.includes('complete') && expected.includes('none');
    });
    expect(kinds.length).toBeGreaterThanOrEqual(8);
  });
});
