/**
 * Surface bakes of random levels: spirals, rooms, bridges and others, judged against the triangles by `verifyNavMesh` and against walks
 * that are known by construction.
 *
 * Cuts leave slivers and cracks about as wide as the weld tolerance. One that stays open is a wall, and the inset makes it as wide as the
 * agent: a stair ended there, or a ray was stopped on an open floor.
 */
import { describe, expect, it } from 'vitest';
import { randomLevel } from 'navkiln-scenes';
import type { RandomLevelKind } from 'navkiln-scenes';
import { verifyNavMesh } from '../../src/entries/debug.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { buildValid } from '../unit/build/surface/levels.ts';

const SEEDS = Number(process.env.NAVKILN_SURFACE_LEVEL_SEEDS ?? 1);
const KINDS: RandomLevelKind[] = ['spirals', 'rooms', 'stairs', 'bridges', 'mixed'];
const RANDOM = Array.from(
  { length: SEEDS },
  (_, k) => [KINDS[k % KINDS.length], 1e6 + k, k % 2 === 0 ? 0 : 20] as const,
);

/** Kind, seed, and side of a tile in radii. */
const FIXED = [
  // A sliver was joined in place of its neighbor. It dissolved only after more rounds of cuts than there were.
  ['spirals', 2279, 0],
  ['spirals', 2096, 0],
  // Cuts of a sliver gave slivers in other places, without end.
  ['stairs', 1219, 20],
  ['rooms', 797, 20],
  // Two cuts undid each other in each round.
  ['bridges', 3095, 0],
  // Corners that were moved, onto the line between tiles or by two cuts, were farther apart than the tolerance.
  ['spirals', 1165, 20],
  ['spirals', 792, 0],
  ['mixed', 2015, 0],
] as const;

describe('surface bakes of random levels', () => {
  it.each([...FIXED, ...RANDOM])('are right: %s, seed %i, tiles of %i radii', (kind, seed, tile) => {
    const { agent, positions, indices, walks } = randomLevel(kind, seed);
    const { navMesh } = buildValid({ positions, indices }, { agent, tileSize: tile * agent.radius });
    for (const { from, to, expect: expected } of walks) {
      const { status } = findPath(navMesh, from, to, { halfExtents: [agent.radius, agent.maxClimb, agent.radius] });
      expect(status === 'complete', `${from} to ${to}`).toBe(expected === 'complete');
    }
    const found = verifyNavMesh({ positions, indices }, navMesh, { seed: 1, pairs: 100, agent });
    const { lost, invented, falseDoors, invisibleWalls } = found;
    expect({ lost, invented, falseDoors, invisibleWalls }).toEqual({
      lost: 0,
      invented: 0,
      falseDoors: 0,
      invisibleWalls: 0,
    });
    expect(found.coverage).toBeGreaterThanOrEqual(0.995);
    expect(found.overreach).toBeLessThanOrEqual(0.001);
  });
});
