/** Edges that miss each other by more than the weld tolerance, and slopes exactly at the limit. */
import { describe, expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../../../src/base/data/random.ts';
import { cosDegrees, sinDegrees } from '../../../../src/base/math/degrees.ts';
import { explainPath } from '../../../../src/query/explain/explain.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { buildFromSurface } from '../../../../src/build/surface/build.ts';
import type { SurfaceOptions, SurfaceWarning } from '../../../../src/build/surface/options.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { floors, soup, wall } from './levels.ts';

type Level = Parameters<typeof buildFromSurface>[0];

const misses = (level: Level, options?: SurfaceOptions): SurfaceWarning[] =>
  buildFromSurface(level, { tryGaps: true, ...options }).report.warnings.filter(({ code }) => code === 'near-misses');

describe('a level of a kit, without a radius', () => {
  // Two tiles whose beveled edges are too steep to stand on, and a wall that touches neither.
  const kit = (width: number, turn: number, height: number, ...more: number[][]): Level => {
    const away = wall(1, 1, 1, 3, 0, 3);
    const parts = [floors([0, 0, 4, 4, 0]), floors([4 + width, 0, 8, 4, 1.2 * width]), away, ...more];
    const bevel = floors([4, 0, 4 + width, 4, 0, 1.2 * width]);
    const positions = [...parts.flat(), ...bevel];
    const [c, s] = [cosDegrees(turn), sinDegrees(turn)];
    for (let i = 0; i < positions.length; i += 3) {
      const [x, z] = [positions[i], positions[i + 2]];
      positions[i] = (height / 1.8) * (c * x - s * z);
      positions[i + 1] *= height / 1.8;
      positions[i + 2] = (height / 1.8) * (s * x + c * z);
    }
    return { positions };
  };
  const isOpen = (level: Level, turn: number, height: number): boolean => {
    const { navMesh } = buildFromSurface(level, { agent: { height, maxClimb: height / 4 } });
    const at = (x: number, z: number): number[] => {
      const [c, s] = [cosDegrees(turn), sinDegrees(turn)];
      return [(height / 1.8) * (c * x - s * z), 0, (height / 1.8) * (s * x + c * z)];
    };
    const halfExtents = [0.05 * height, 0.2 * height, 0.05 * height] as const;
    return findPath(navMesh, at(2, 3.5), at(6, 3.5), { halfExtents: [...halfExtents] }).status === 'complete';
  };

  it.each([0, 17, 45, 121])('is joined over slanted edges of a twentieth of the height, turned by %d', (turn) => {
    for (const height of [1.8, 0.18, 180]) {
      for (const width of [0.01, 0.03, 0.085]) expect(isOpen(kit(width, turn, height), turn, height)).toBe(true);
      expect(isOpen(kit(0.095, turn, height), turn, height)).toBe(false);
      // A fence in the gap keeps it closed.
      const fence = wall(4.02, -1, 4.02, 5, 0, 2);
      expect(isOpen(kit(0.04, turn, height, fence), turn, height)).toBe(false);
    }
  });
});

describe('near misses', () => {
  const apart = (gap: number): Level => soup(floors([0, 0, 4, 4, 0], [4 + gap, 0, 8, 4, 0]));

  it('are counted, with the first position, how far, and a maxGap that joins them', () => {
    const { navMesh, report } = buildFromSurface(apart(0.01), { tryGaps: true });
    expect(report.warnings).toHaveLength(1);
    const [warning] = report.warnings;
    expect(warning).toMatchObject({ code: 'near-misses', count: 1, where: { level: 0 } });
    const [x, y, z] = warning.where!.at!;
    expect([x, y, z]).toEqual([expect.closeTo(4.005, 6), 0, expect.closeTo(2, 6)]);
    expect(warning.message).toMatch(
      /^1 edge misses the one next to it by more than the weldTolerance of 0\.0018, the widest by 0\.01; no path crosses there\. The first is triangle \d, at \[4\.005, 0, 2\]\. Move the edges together, or use a maxGap of 0\.011$/,
    );
    expect(warning.gaps).toEqual([{ at: warning.where!.at, width: expect.closeTo(0.01, 6) }]);
    expect(findPath(navMesh, [1, 0, 1], [7, 0, 1]).reason).toBe('unreachable');
    const joined = buildFromSurface(apart(0.01), { maxGap: 0.011 });
    expect(joined.report.warnings).toMatchObject([{ code: 'joined-gaps', count: 1, gaps: [{}] }]);
    expect(findPath(joined.navMesh, [1, 0, 1], [7, 0, 1]).status).toBe('complete');
    const welded = buildFromSurface(apart(0.01), { weldTolerance: 0.011 });
    expect(welded.report.warnings).toEqual([]);
    expect(findPath(welded.navMesh, [1, 0, 1], [7, 0, 1]).status).toBe('complete');
    expect(() => buildFromSurface(apart(0.01), { strict: true })).toThrow(/near-misses, 1/);
  });

  it('are named by explainPath', () => {
    const { navMesh } = buildFromSurface(apart(0.01));
    const near = explainPath(navMesh, [1, 0, 1], [7, 0, 1]);
    expect(near.cause).toBe('gap');
    expect(near.message).toContain('That is a near miss: move their edges together, or build with a larger maxGap.');
    const inset = buildFromSurface(apart(0.01), { agent: { radius: 0.3 } }).navMesh;
    expect(explainPath(inset, [1, 0, 1], [7, 0, 1]).message).toContain('maxGap');
    const wide = buildFromSurface(apart(0.5)).navMesh;
    expect(explainPath(wide, [1, 0, 1], [7, 0, 1]).message).not.toContain('maxGap');
  });

  it('are overlaps, too, and parts of edges; the first in the input counts', () => {
    expect(misses(apart(-0.01))).toMatchObject([{ count: 1 }]);
    const level = soup(floors([0, 0, 4, 4, 0], [4.005, 0, 8, 1.7, 0], [4.01, 1.7, 8, 4, 0.1]));
    const [warning] = misses(level);
    expect(warning.count).toBe(2);
    expect(warning.message).toContain('2 edges miss the ones next to them');
    expect(warning.message).toContain('the widest by 0.01;');
  });

  it('are neither joined edges, wide gaps, high steps, nor cracks with a wall in them', () => {
    expect(misses(apart(0.001))).toEqual([]);
    expect(misses(apart(0.2))).toEqual([]);
    expect(misses(soup(floors([0, 0, 4, 4, 0], [4.01, 0, 8, 4, 1])))).toEqual([]);
    // A wall whose sides are 1 cm apart.
    const walled = [...floors([0, 0, 8, 4, 0]), ...wall(4, 0, 4, 4, 0, 2), ...wall(4.01, 4, 4.01, 0, 0, 2)];
    expect(misses(soup(walled))).toEqual([]);
  });

  it('are wide only between islands', () => {
    expect(misses(apart(0.03))).toMatchObject([{ count: 1 }]);
    // A slit that ends inside the floor.
    const slit = floors([0, 0, 4, 4, 0], [4.03, 0, 8, 4, 0], [0, 4, 8, 6, 0]);
    expect(misses(soup(slit))).toEqual([]);
    const upTo = misses(apart(0.3), { agent: { radius: 0.4 } });
    expect(upTo).toMatchObject([{ count: 1, gaps: [{ width: expect.closeTo(0.3, 6) }] }]);
    expect(upTo[0].message).toContain('use a maxGap of 0.32');
  });

  it('are counted once where tiles end, and not without edges', () => {
    for (const tileSize of [0, 2, 4, 8]) {
      const [warning] = misses(apart(0.01), { tileSize });
      expect(warning.count, `tiles of ${tileSize}`).toBe(tileSize === 2 ? 2 : 1);
    }
    expect(misses(soup(floors([0, 0, 4, 4, 0])))).toEqual([]);
  });
});

describe('a slope at the limit', () => {
  /** A ramp of two triangles over `run`, `rise` high, turned by degrees. */
  function ramp(run: number, rise: number, degrees: number, numbers: 'float32' | 'float64', width = 5): Level {
    const [c, s] = [cosDegrees(degrees), sinDegrees(degrees)];
    const corners = [
      [0, 0, 0],
      [run, rise, 0],
      [run, rise, width],
      [0, 0, width],
    ];
    const positions = corners.flatMap(([x, y, z]) => [c * x - s * z, y, s * x + c * z]);
    const typed = numbers === 'float32' ? Float32Array.from(positions) : Float64Array.from(positions);
    return { positions: typed, indices: [0, 2, 1, 0, 3, 2] };
  }
  const isWalkable = (level: Level, maxSlopeDegrees: number): [voxel: boolean, surface: boolean] => {
    const agent = { radius: 0.2, height: 1.8, maxClimb: 9, maxSlopeDegrees };
    const options = { agent, cellSize: 0.25, cellHeight: 0.2, regionMinArea: 0 };
    const voxel = buildNavMesh(level as Parameters<typeof buildNavMesh>[0], options).report.warnings;
    const surface = buildFromSurface(level, { agent: { ...agent, radius: 0 } }).report.counts;
    return [!voxel.some(({ code }) => code === 'no-walkable-triangles'), surface.groundTriangles > 0];
  };

  it('is too steep, as in Recast, for voxels and for surfaces', () => {
    for (const run of [1, 4, 8]) expect(isWalkable(ramp(run, run, 0, 'float32', run), 45)).toEqual([false, false]);
    expect(isWalkable(ramp(4, 3.9999, 0, 'float32'), 45)).toEqual([true, true]);
    expect(isWalkable(ramp(4, 4.0001, 0, 'float32'), 45)).toEqual([false, false]);
    expect(isWalkable(ramp(4, 0, 0, 'float32'), 0)).toEqual([false, false]);
  });

  it('is the same for both, whatever rounding does to it', () => {
    const seed = 9;
    const random = createRandom(seed);
    let walkable = 0;
    for (let i = 0; i < 150; i++) {
      const limit = [30, 45, 60, 37.5][i % 4];
      const run = 0.5 + 6 * nextRandom(random);
      const rise = (run * sinDegrees(limit)) / cosDegrees(limit);
      const level = ramp(run, rise, 360 * nextRandom(random), i % 3 === 0 ? 'float64' : 'float32');
      const [voxel, surface] = isWalkable(level, limit);
      expect(surface, `seed ${seed}, ${i}: ${limit} degrees over ${run}`).toBe(voxel);
      if (voxel) walkable++;
    }
    // Rounding decides, both ways.
    expect(walkable).toBeGreaterThan(20);
    expect(walkable).toBeLessThan(130);
  });
});
