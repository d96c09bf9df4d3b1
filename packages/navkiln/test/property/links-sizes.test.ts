/**
 * Automatic links of meshes with sizes: no body of any size touches the level on a link that the size can use, and each size has the links of
 * a mesh of its own, as far as they lie within a few cells. Seeds are printed. `NAVKILN_LINKS` sets the number of levels, `NAVKILN_SEED` the
 * first seed.
 */
import { describe, expect, it } from 'vitest';
import { addAutoLinks } from '../../src/build/links/add.ts';
import { findLinkCandidates } from '../../src/build/links/find.ts';
import type { AutoLinkOptions } from '../../src/build/links/types.ts';
import { saveNavMesh } from '../../src/mesh/file/save.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { createAgentSizes } from '../../src/build/voxel/sizes/create.ts';
import { seeded } from '../unit/meshes.ts';
import { coverage, mix, penetration, randomLevel } from './links-levels.ts';

const LEVELS = Number(process.env.NAVKILN_LINKS ?? 1);
const FIRST = Number(process.env.NAVKILN_SEED ?? 22);
const CELL = 0.2;
const LIMITS: AutoLinkOptions = { jump: { maxDistance: 3 }, drop: {}, climb: {}, vault: {}, minDetour: 0, spacing: 0 };
/** The second and third differ in height alone. */
const SIZES = [
  { name: 'small', radius: 0.3, height: 1.2 },
  { name: 'human', radius: 0.4, height: 1.8 },
  { name: 'tall', radius: 0.4, height: 2.4 },
  { name: 'ogre', radius: 0.8, height: 2.4 },
];
const BUILD = { cellSize: CELL, cellHeight: 0.1, regionMinArea: 0.2 };

/** Samples of links of separate meshes on all levels, and the covered ones. */
const total = new Map(SIZES.map(({ name }) => [name, { covered: 0, count: 0 }]));

describe.each(Array.from({ length: LEVELS }, (_, i) => FIRST + i))('links for sizes on level %i', (seed) => {
  const level = randomLevel(seed);
  const own = SIZES.filter((_, k) => k !== seed % 2);
  const { navMesh } = buildNavMesh(level, {
    ...BUILD,
    agent: { maxClimb: 0.3 },
    sizes: createAgentSizes(own),
    tileSize: seed % 2 === 0 ? 4 : 0,
  });
  const { links } = findLinkCandidates(navMesh, level, LIMITS);

  it('touch nothing with any of their sizes', () => {
    const next = seeded(seed);
    const { cellSize, cellHeight } = navMesh;
    for (const { name, radius, height } of own) {
      const agent = { ...navMesh.agent, radius, height };
      let worst = -Infinity;
      const usable = links.filter(({ sizes }) => sizes.includes(name));
      for (const link of usable) {
        for (let i = 0; i < 3; i++) {
          const a = mix(link.start[0], link.start[1], next());
          const b = mix(link.end[0], link.end[1], i === 0 ? 1 - next() ** 3 : next());
          const steps = Array.from({ length: 6 }, next);
          worst = Math.max(worst, penetration({ agent, cellSize, cellHeight }, level, link, a, b, steps));
        }
      }
      expect(worst, `seed ${seed}: ${usable.length} links of ${name}`).toBeLessThan(1e-6);
    }
    expect(links.length).toBeGreaterThan(15);
    expect(new Set(links.map(({ id }) => id)).size).toBe(links.length);
    // Human and tall.
    if (seed % 2 === 0) expect(links.some(({ sizes }) => sizes.length > 1)).toBe(true);
  });

  it('cover nearly the links of a mesh for each size', () => {
    for (const { name, ...body } of own) {
      const { navMesh: alone } = buildNavMesh(level, { ...BUILD, agent: { ...body, maxClimb: 0.3 } });
      const expected = findLinkCandidates(alone, level, LIMITS).links;
      const usable = links.filter(({ sizes }) => sizes.includes(name));
      const [covered, count] = coverage(expected, usable, 4 * CELL, CELL);
      process.stdout.write(
        `seed ${seed}: ${name} ${covered} of ${count}, ${usable.length} links, ${expected.length} alone\n`,
      );
      const sum = total.get(name)!;
      sum.covered += covered;
      sum.count += count;
    }
  });

  it('are the same for another order of triangles, and when they are found again', () => {
    const order = Array.from({ length: level.indices.length / 3 }, (_, i) => i).reverse();
    const indices = order.flatMap((t) => [level.indices[3 * t + 1], level.indices[3 * t + 2], level.indices[3 * t]]);
    expect(findLinkCandidates(navMesh, { positions: level.positions, indices }, LIMITS).links).toEqual(links);
    addAutoLinks(navMesh, level, LIMITS);
    const bytes = saveNavMesh(navMesh);
    const again = addAutoLinks(navMesh, level, LIMITS);
    expect([again.added, again.removed]).toEqual([0, 0]);
    expect(Buffer.compare(saveNavMesh(navMesh), bytes)).toBe(0);
  });
});

it('cover nearly the links of meshes for each size on all levels together', () => {
  for (const [name, { covered, count }] of total) {
    if (count === 0) continue;
    expect(covered / count, `${name}: ${covered} of ${count}`).toBeGreaterThanOrEqual(0.97);
  }
});
