/**
 * Automatic links of a level baked whole and in tiles. The polygons differ at borders of tiles, and so do the pieces that links are cut into.
 * Equal is what they cover: where one mesh has a link, the other has one of the same kind in the same directions nearby, at both ends.
 * Seeds are printed. `NAVKILN_LINKS` sets the number of levels, `NAVKILN_SEED` the first seed.
 */
import { describe, expect, it } from 'vitest';
import { findLinkCandidates } from '../../src/build/links/find.ts';
import type { AutoLink, AutoLinkOptions } from '../../src/build/links/types.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { boxLevel, coverage, randomLevel } from './links-levels.ts';
import type { Box } from './links-levels.ts';

const LEVELS = Number(process.env.NAVKILN_LINKS ?? 2);
const FIRST = Number(process.env.NAVKILN_SEED ?? 11);
const CELL = 0.2;
const BUILD = {
  agent: { radius: 0.4, height: 1.8, maxClimb: 0.3 },
  cellSize: CELL,
  cellHeight: 0.1,
  regionMinArea: 0.2,
};
/** Every link that is clear: of similar ones, and of those that a walk replaces, others may stay. */
const ALL: AutoLinkOptions = { jump: {}, drop: {}, climb: {}, minDetour: 0, spacing: 0 };

/**
 * Samples on all levels, covered ones and all: of the whole mesh in the tiled one, and of the tiled one in the whole.
 */
const total = [0, 0, 0, 0];

const linksOf = (level: ReturnType<typeof boxLevel>, tileSize: number, limits = ALL): AutoLink[] =>
  findLinkCandidates(buildNavMesh(level, { ...BUILD, tileSize }).navMesh, level, limits).links;

describe('links of a level baked whole and in tiles', () => {
  it('cover the same along straight walls, in any size of tiles', () => {
    const boxes: Box[] = [
      [0, -1, 0, 6, 0, 12],
      [7, -1, 0, 14, 0.2, 12],
      [1, 0, 2, 4, 1, 10],
    ];
    const whole = linksOf(boxLevel(boxes), 0);
    expect(whole.length).toBeGreaterThan(10);
    for (const tileSize of [2, 3.3, 4, 8]) {
      const tiled = linksOf(boxLevel(boxes), tileSize);
      for (const [one, other] of [
        [whole, tiled],
        [tiled, whole],
      ]) {
        const [covered, count] = coverage(one, other, 2.5 * CELL, CELL);
        expect(covered / count, `tiles of ${tileSize}: ${covered} of ${count}`).toBeGreaterThanOrEqual(0.99);
      }
    }
  });

  it.each(Array.from({ length: LEVELS }, (_, i) => FIRST + i))('cover nearly the same (seed %i)', (seed) => {
    const level = randomLevel(seed);
    const whole = linksOf(level, 0);
    const tiled = linksOf(level, 4);
    const [[a, n], [b, m]] = [coverage(whole, tiled, 4 * CELL, CELL), coverage(tiled, whole, 4 * CELL, CELL)];
    process.stdout.write(`seed ${seed}: whole in tiled ${a} of ${n}, tiled in whole ${b} of ${m}\n`);
    expect(Math.min(a / n, b / m)).toBeGreaterThanOrEqual(0.8);
    for (const [i, value] of [a, n, b, m].entries()) total[i] += value;
  });

  it('cover nearly the same on all levels together', () => {
    expect(total[1]).toBeGreaterThan(0);
    expect(total[0] / total[1], `${total[0]} of ${total[1]}`).toBeGreaterThanOrEqual(0.97);
    expect(total[2] / total[3], `${total[2]} of ${total[3]}`).toBeGreaterThanOrEqual(0.95);
  });
});
