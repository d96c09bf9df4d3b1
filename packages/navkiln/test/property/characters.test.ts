/**
 * Followers of targets that glide, jump, fly, walk away and stop, over a level with stairs, a ramp, storeys and a
 * bridge, at 30, 60 and 144 frames per second, on a mesh from voxels and on one from the level's triangles. The
 * oracle is the level's plan.
 *
 * Bounds:
 * - A character on the ground is off its floor by at most 0.4 (the error of a voxel mesh), on triangles by 1e-6.
 * - Feet move up or down by at most 0.2 per tick; steps are 0.25 high.
 * - A character turns by at most 120 degrees per meter walked, 60 on average. It swings back by 20 degrees or more at
 *   most 1.2 times per meter, 0.7 on average.
 * - Each follower searches at most once per second.
 * - The results at all three frame rates are equal within 1 cm.
 *
 * Default: a few dozen characters for two minutes. NAVKILN_CHARACTERS=1: 200 followers for ten minutes (`npm run
 * soak`). NAVKILN_SEED: the first seed.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { buildFromSurface } from '../../src/build/surface/build.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { characterLevel } from './character-level.ts';
import { runCharacters } from './character-run.ts';
import type { RunOptions, RunReport } from './character-run.ts';

const FULL = process.env.NAVKILN_CHARACTERS !== undefined;
const seed = Number(process.env.NAVKILN_SEED ?? 1);
const agent = { radius: 0.3, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };
const size: Omit<RunOptions, 'framesPerSecond'> = FULL
  ? { seed, followers: 200, leaders: 8, things: 12, movingSeconds: 450, restSeconds: 150 }
  : { seed, followers: 24, leaders: 2, things: 4, movingSeconds: 15, restSeconds: 85 };

const MESHES: [string, () => NavMesh, number][] = [
  [
    'voxels',
    () => buildNavMesh(characterLevel(), { agent, cellSize: 0.15, cellHeight: 0.1, tileSize: 12 }).navMesh,
    0.4,
  ],
  ['triangles', () => buildFromSurface(characterLevel(), { agent }).navMesh, 1e-6],
];

describe.each(MESHES)(`characters on a mesh of %s, seed ${seed}`, (_name, build, tolerance) => {
  let mesh: NavMesh;
  let report: RunReport;

  beforeAll(() => {
    mesh = build();
    report = runCharacters(mesh, { ...size, framesPerSecond: 60 });
    if (FULL)
      process.stdout.write(
        `${JSON.stringify({ ...report, samples: report.samples.length, events: [...report.events] })}\n`,
      );
  }, 3_600_000);

  it('keeps all characters on floors', () => {
    expect(validateNavMesh(mesh)).toEqual([]);
    expect(report.worstOffFloor).toBeLessThan(tolerance);
    for (const kind of ['fell', 'out-of-world', 'respawned', 'removed', 'world-edge', 'target-lost']) {
      expect([kind, report.events.get(kind) ?? 0]).toEqual([kind, 0]);
    }
    expect(report.metres).toBeGreaterThan(20 * size.followers);
  });

  it('reaches targets that stopped', () => expect(report.notThere).toEqual([]));

  it('steps and turns smoothly', () => {
    expect(report.worstFeetStep).toBeLessThan(0.2);
    expect(report.turnPerMetre.worst).toBeLessThan(120);
    expect(report.turnPerMetre.mean).toBeLessThan(60);
    expect(report.swingsPerMetre.worst).toBeLessThan(1.2);
    expect(report.swingsPerMetre.mean).toBeLessThan(0.7);
  });

  it('searches at most once per second', () => {
    expect(report.worstSearchesPerSecond).toBeLessThanOrEqual(1);
    expect(report.searchesPerSecond).toBeGreaterThan(0);
  });

  it.each([30, 144])('gives the same result at %d frames per second', { timeout: 3_600_000 }, (framesPerSecond) => {
    const other = runCharacters(mesh, { ...size, framesPerSecond, untilSeconds: FULL ? Infinity : 20 });
    expect(other.samples.length).toBe(FULL ? report.samples.length : 2);
    let worst = 0;
    other.samples.forEach((sample, i) =>
      sample.forEach((value, k) => {
        worst = Math.max(worst, Math.abs(value - report.samples[i][k]));
      }),
    );
    expect(worst).toBeLessThan(0.01);
  });
});
