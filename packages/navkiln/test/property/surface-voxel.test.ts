/**
 * Reachability on surface meshes of whole levels, compared with voxel bakes for an agent without a radius.
 *
 * The ends are random points of one mesh that have surface within a step on the other. Voxels differ where
 * the surface is narrower than two or three of them. Next to walls their border is up to a cell off, so the
 * ends keep a cell and a half away from walls. In the house, a strip of a tenth of a meter runs along the
 * stairs, which is the size of its voxels, so they are half as large there, and ledges are kept.
 */
import { describe, expect, it } from 'vitest';
import { findLevelScene } from 'navkiln-scenes';
import { buildFromSurface } from '../../src/build/surface/build.ts';
import { areOnOneIsland, refreshIslands } from '../../src/mesh/islands.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findDistanceToWall } from '../../src/query/walk/wall.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { createRandom } from '../../src/base/data/random.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';

const PAIRS = Number(process.env.NAVKILN_SURFACE_PAIRS ?? 100);
/** The second is the fastest. */
const SCENES = [
  ['tower', 1],
  ['city', 1],
  ['courtyard', 1],
  ['house', 2],
] as const;

describe('whole levels compared with the voxel bake', () => {
  it.each(PAIRS < 1000 ? SCENES.slice(1, 2) : SCENES)('%s', (name, finer) => {
    const { create, options } = findLevelScene(name);
    const { positions, indices } = create();
    const agent = { ...options.agent, radius: 0 };
    const surface = buildFromSurface({ positions, indices }, { agent }).navMesh;
    expect(validateNavMesh(surface)).toEqual([]);
    const voxels = buildNavMesh(
      { positions, indices },
      {
        ...options,
        agent,
        regionMinArea: 0,
        filterLedges: finer === 1,
        cellSize: options.cellSize / finer,
        cellHeight: options.cellHeight / finer,
      },
    ).navMesh;
    refreshIslands(surface);
    const random = createRandom(1);
    let joined = 0;
    const differ: string[] = [];
    const ends = (): { a: number; b: number; at: number[] } => {
      for (;;) {
        const at = findRandomPoint(surface, random).point;
        const b = findNearest(voxels, at, { halfExtents: [1e-3, agent.maxClimb, 1e-3] });
        const a = findNearest(surface, at, { halfExtents: [1e-3, 1e-3, 1e-3] });
        const isClear = findDistanceToWall(surface, at, 2 * options.cellSize).distance >= 1.5 * options.cellSize;
        if (b.found && a.found && isClear) return { a: a.poly, b: b.poly, at };
      }
    };
    for (let i = 0; i < PAIRS; i++) {
      const from = ends(),
        to = ends();
      const ofSurface = areOnOneIsland(surface, from.a, to.a) === 1,
        ofVoxels = areOnOneIsland(voxels, from.b, to.b) === 1;
      if (ofSurface !== ofVoxels)
        differ.push(`${from.at.join(', ')} to ${to.at.join(', ')}: ${ofSurface}, voxels ${ofVoxels}`);
      if (ofSurface) joined++;
    }
    expect(differ).toEqual([]);
    // Both answers are frequent.
    expect(joined).toBeGreaterThan(PAIRS / 4);
  });
});
