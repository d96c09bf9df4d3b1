import { describe, expect, it } from 'vitest';
import { buildContours } from '../../../../src/build/voxel/contours/contours.ts';
import type { BakeConfig } from '../../../../src/build/voxel/bake-config.ts';
import { buildRegionsLayers } from '../../../../src/build/voxel/regions/layers.ts';
import type { ContourSet } from '../../../../src/build/voxel/types.ts';
import { CONTOUR_AREA_BORDER, CONTOUR_BORDER_VERTEX, CONTOUR_REGION_MASK } from '../../../../src/build/voxel/types.ts';
import { validateContourSet } from '../../../../src/build/voxel/validate/contour-set.ts';
import { fieldOf, ground, unitConfig } from './fields.ts';

interface Outcome {
  set: ContourSet;
  /** x,z of each ring's points. */
  rings: string[];
  holesNotMerged: number;
}

function outlines(rows: readonly string[], change: Partial<BakeConfig> = {}, areas?: readonly string[]): Outcome {
  const config = unitConfig(rows[0].length, rows.length, { maxEdgeErrorCells: 0.5, ...change });
  const field = fieldOf(rows, change);
  if (areas !== undefined) {
    const flat = areas.join('');
    let i = 0;
    [...rows.join('')].forEach((c, at) => (c === ' ' ? 0 : (field.area[i++] = Number(flat[at]))));
  }
  buildRegionsLayers(field, 0);
  const problems = { holesNotMerged: 0 };
  const set = buildContours(field, config, problems);
  expect(validateContourSet(set)).toEqual([]);
  return { set, rings: pointsOf(set, set.start, set.vertices), holesNotMerged: problems.holesNotMerged };
}

function pointsOf(set: ContourSet, start: Int32Array, points: Int32Array): string[] {
  return Array.from({ length: set.count }, (_, c) =>
    Array.from(
      { length: start[c + 1] - start[c] },
      (_unused, k) => `${points[4 * (start[c] + k)]},${points[4 * (start[c] + k) + 2]}`,
    ).join(' '),
  );
}

describe('buildContours', () => {
  it('goes around a square from its first corner, counter-clockwise seen from above', () => {
    const { set, rings } = outlines(ground(3, 2));
    expect(rings).toEqual(['0,0 0,2 3,2 3,0']);
    expect(pointsOf(set, set.rawStart, set.raw)).toEqual(['0,1 0,2 1,2 2,2 3,2 3,1 3,0 2,0 1,0 0,0']);
    expect([...set.region]).toEqual([1]);
    expect([...set.area]).toEqual([63]);
    // Walls all around.
    expect([...set.vertices].filter((_, k) => k % 4 === 3)).toEqual([0, 0, 0, 0]);
  });

  it('takes corners to the highest floor that meets there', () => {
    const { set } = outlines(['112', '112']);
    expect([...set.raw].filter((_, k) => k % 4 === 1)).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 1, 1]);
  });

  it('drops a region of one cell', () => {
    expect(outlines(['1']).set.count).toBe(0);
    expect(outlines(['1 11']).rings).toEqual(['2,0 2,1 4,1 4,0']);
  });

  it('puts points back that are farther away than the error', () => {
    const notch = ['11111111', '11111111', '111  111'];
    expect(outlines(notch, { maxEdgeErrorCells: 0.5 }).rings[0].split(' ').length).toBe(8);
    expect(outlines(notch, { maxEdgeErrorCells: 1.5 }).rings[0].split(' ').length).toBe(4);
    // Exactly as far as allowed is near enough.
    expect(outlines(notch, { maxEdgeErrorCells: 1 }).rings[0].split(' ').length).toBe(4);
  });

  it('keeps the ends of a common border of two regions, and names the other side', () => {
    const { set, rings } = outlines(ground(4, 2), {}, ['1122', '1122']);
    // They start where the other side changes. The edge from 2,2 to 2,0 leads to region 2, another area; back to region 1.
    expect(rings).toEqual(['2,2 2,0 0,0 0,2', '2,2 4,2 4,0 2,0']);
    const flags = [...set.vertices].filter((_, k) => k % 4 === 3);
    expect(flags).toEqual([CONTOUR_AREA_BORDER | 2, 0, 0, 0, 0, 0, 0, CONTOUR_AREA_BORDER | 1]);
  });

  it('splits long edges along walls, and between areas when told to', () => {
    const wall = { maxEdgeLengthCells: 2, tessellateWallEdges: true };
    expect(outlines(ground(4, 2), wall).rings).toEqual(['0,0 0,2 2,2 4,2 4,0 2,0']);
    // Odd lengths are split at the same points in both directions, so that neighbors agree.
    expect(outlines(ground(3, 2), wall).rings).toEqual(['0,0 0,2 1,2 3,2 3,0 1,0']);
    expect(outlines(ground(5, 2), wall).rings).toEqual(['0,0 0,2 2,2 3,2 5,2 5,0 3,0 2,0']);
    expect(outlines(ground(4, 2), { ...wall, tessellateWallEdges: false }).rings).toEqual(['0,0 0,2 4,2 4,0']);
    expect(outlines(ground(4, 2), { ...wall, maxEdgeLengthCells: 4 }).rings).toEqual(['0,0 0,2 4,2 4,0']);
    const areas = ['1122', '1122', '1122', '1122'];
    expect(outlines(ground(4, 4), { ...wall, tessellateWallEdges: false }, areas).rings).toEqual([
      '2,4 2,0 0,0 0,4',
      '2,4 4,4 4,0 2,0',
    ]);
    expect(
      outlines(ground(4, 4), { ...wall, tessellateWallEdges: false, tessellateAreaEdges: true }, areas).rings,
    ).toEqual(['2,4 2,2 2,0 0,0 0,4', '2,4 4,4 4,0 2,0 2,2']);
  });

  it('joins a hole to its outline by a line there and back', () => {
    const { set, rings, holesNotMerged } = outlines(['111111', '111111', '11  11', '11  11', '111111', '111111']);
    expect(holesNotMerged).toBe(0);
    expect(set.count).toBe(2);
    expect([...set.start]).toEqual([0, 10, 10]);
    const ring = rings[0].split(' ');
    // The outline's four corners, the hole's four, and the two ends of the line once more.
    expect(ring.toSorted()).toEqual(['0,0', '0,0', '0,6', '2,2', '2,2', '2,4', '4,2', '4,4', '6,0', '6,6']);
    expect(rings[1]).toBe('');
  });

  it('joins many holes, none of them twice', () => {
    const isHole = (x: number): boolean => x % 4 >= 2 && x < 16;
    const rows = Array.from({ length: 18 }, (_, z) =>
      Array.from({ length: 18 }, (_unused, x) => (isHole(x) && isHole(z) ? ' ' : '1')).join(''),
    );
    const { set, holesNotMerged } = outlines(rows);
    expect(holesNotMerged).toBe(0);
    expect(set.count).toBe(17);
    expect(set.start[1]).toBe(4 + 16 * (4 + 2));
    expect(new Set(set.start.subarray(1)).size).toBe(1);
    // Each corner of each hole is still there, and the area is that of the ground.
    let area = 0;
    const n = set.start[1];
    for (let i = 0, j = n - 1; i < n; j = i++) {
      area += set.vertices[4 * i] * set.vertices[4 * j + 2] - set.vertices[4 * j] * set.vertices[4 * i + 2];
    }
    expect(area / 2).toBe(18 * 18 - 4 * 16);
  });

  it('treats a hole of one cell as another outline, as Recast does', () => {
    const { set, rings } = outlines(['11111', '11111', '11 11', '11111', '11111']);
    expect(set.count).toBe(2);
    expect(rings[1]).toBe('2,2 3,2 3,3 2,3');
    // Usual errors are larger, and let such a hole vanish.
    expect(outlines(['11111', '11111', '11 11', '11111', '11111'], { maxEdgeErrorCells: 1.3 }).set.count).toBe(1);
  });

  it('counts from the corner inside the border, and marks vertices on it', () => {
    const { set, rings } = outlines(ground(6, 5), { borderCells: 1 }, [
      '111111',
      '111111',
      '111111',
      '111111',
      '111111',
    ]);
    expect([set.width, set.depth, set.borderCells]).toEqual([4, 3, 1]);
    expect(set.boundsMin).toEqual([1, 0, 1]);
    expect(set.boundsMax[0]).toBe(5);
    expect(rings).toEqual(['0,3 4,3 4,0 0,0']);
    for (let k = 0; k < set.start[1]; k++)
      expect(set.vertices[4 * k + 3] & CONTOUR_REGION_MASK).toBeGreaterThan(0x8000000);
    // Two areas that meet at the border: the vertex between them stays, so it is not marked.
    const two = outlines(ground(6, 5), { borderCells: 1 }, ['111222', '111222', '111222', '111222', '111222']).set;
    const marked = [...two.vertices].filter((flags, k) => k % 4 === 3 && (flags & CONTOUR_BORDER_VERTEX) !== 0);
    expect(marked.length).toBe(0);
  });
});
