/** The rules of the surface builder, one by one, on levels of a few triangles. */
import { describe, expect, it } from 'vitest';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { buildFromSurface } from '../../../../src/build/surface/build.ts';
import { SURFACE_STAGES } from '../../../../src/build/surface/options.ts';
import { findNearest } from '../../../../src/query/nearest/nearest.ts';
import { buildFromSurface as exported } from '../../../../src/entries/build.ts';
import { buildValid, floors, isReached, isStopped, soup, wall } from './levels.ts';

describe('floors side by side', () => {
  it('merges two squares that are not welded into one polygon', () => {
    const build = buildValid(soup(floors([0, 0, 4, 4, 0], [4, 0, 8, 4, 0])));
    expect(build.report.counts).toMatchObject({
      triangles: 4,
      groundTriangles: 4,
      islands: 1,
      polygons: 1,
      detailTriangles: 0,
    });
    expect(build.navMesh.polyVertexCount[0]).toBe(4);
    expect(build.report.warnings).toEqual([]);
  });

  it('joins floors over a gap within the tolerance, but not over a wider one', () => {
    expect(isReached(buildValid(soup(floors([0, 0, 4, 4, 0], [4.001, 0, 8, 4, 0]))), [1, 0, 1], [7, 0, 1])).toBe(true);
    expect(isReached(buildValid(soup(floors([0, 0, 4, 4, 0], [4.01, 0, 8, 4, 0]))), [1, 0, 1], [7, 0, 1])).toBe(false);
    const wide = { weldTolerance: 0.02 };
    expect(isReached(buildValid(soup(floors([0, 0, 4, 4, 0], [4.01, 0, 8, 4, 0])), wide), [1, 0, 1], [7, 0, 1])).toBe(
      true,
    );
  });

  it('joins partly overlapping edges along their overlap', () => {
    const build = buildValid(soup(floors([0, 0, 4, 4, 0], [4, 3, 8, 7, 0])));
    expect(isReached(build, [1, 0, 1], [7, 0, 6])).toBe(true);
    const { navMesh } = build;
    expect(isStopped(navMesh, [3, 0, 3.5], [5, 0, 3.5])).toBe(false);
    expect(isStopped(navMesh, [3, 0, 2.5], [5, 0, 2.5])).toBe(true);
    expect(isStopped(navMesh, [5, 0, 4.5], [3, 0, 4.5])).toBe(true);
  });

  it('joins one long edge to two short ones', () => {
    const build = buildValid(soup(floors([0, 0, 4, 4, 0], [4, 0, 8, 1.7, 0], [4, 1.7, 8, 4, 0])));
    expect(build.report.counts.islands).toBe(1);
    expect(build.report.counts.polygons).toBe(1);
  });

  it('does not join floors that only meet at a corner or lie on the same side', () => {
    expect(buildValid(soup(floors([0, 0, 4, 4, 0], [4, 4, 8, 8, 0]))).report.counts.islands).toBe(2);
    expect(
      buildValid(soup(floors([0, 0, 4, 4, 0], [2, 0, 4, 2, 0.2])), { clearance: false }).report.counts.islands,
    ).toBe(2);
  });
});

describe('steps', () => {
  it('joins steps up to maxClimb and keeps both heights', () => {
    const level = soup(floors([0, 0, 4, 4, 0], [4, 0, 8, 4, 0.4]));
    const build = buildValid(level);
    expect(build.report.counts).toMatchObject({ islands: 1, steps: 1, polygons: 2 });
    expect(isReached(build, [1, 0, 1], [7, 0.4, 1])).toBe(true);
    expect(findNearest(build.navMesh, [3.999, 0, 2])!.point[1]).toBe(0);
    expect(findNearest(build.navMesh, [4.001, 0.4, 2])!.point[1]).toBe(0.4);
    expect(buildValid(level, { agent: { maxClimb: 0.39 } }).report.counts.islands).toBe(2);
  });

  it('joins a flight of stairs of different widths, step by step', () => {
    const steps = Array.from({ length: 10 }, (_, i) => [4 + 0.3 * i, 1 + 0.05 * i, 4.3 + 0.3 * i, 3, 0.2 * (i + 1)]);
    const build = buildValid(soup(floors([0, 0, 4, 4, 0], ...steps, [7, 0, 12, 4, 2])));
    expect(isReached(build, [1, 0, 1], [11, 2, 3])).toBe(true);
    expect(build.report.counts.steps).toBe(10);
  });

  it('opens the side of a ramp up to the height of a step', () => {
    // A ramp next to a floor rises from 0 at x = 0 to 2 at x = 4. It is within a step up to x = 0.8.
    const { navMesh } = buildValid(soup(floors([0, 0, 4, 2, 0, 2], [0, 2, 4, 6, 0])));
    const hits = (x: number): boolean => isStopped(navMesh, [x, 0, 3], [x, x / 2, 1.5]);
    expect([0.1, 0.5, 0.79].map(hits)).toEqual([false, false, false]);
    expect([0.82, 1.5, 3.9].map(hits)).toEqual([true, true, true]);
  });

  it('joins the wedges of a spiral around one point', () => {
    const corners = [
      [1, 0],
      [0.7, -0.7],
      [0, -1],
      [-0.7, -0.7],
      [-1, 0],
      [-0.7, 0.7],
      [0, 1],
      [0.7, 0.7],
      [1, 0],
    ];
    const wedges = Array.from({ length: 24 }, (_, i) => {
      const [a, b, y] = [corners[i % 8], corners[(i % 8) + 1], 0.3 * i];
      return [0, y, 0, 3 * a[0], y, 3 * a[1], 3 * b[0], y, 3 * b[1]];
    });
    const build = buildValid(soup(...wedges));
    expect(build.report.counts).toMatchObject({ islands: 1, steps: 23 });
    expect(isReached(build, [1.5, 0, -0.5], [1, 0.3 * 23, 1.7])).toBe(false);
    const up = findNearest(build.navMesh, [1.6, 0.3 * 23, 0.5], { halfExtents: [0.1, 0.1, 0.1] })!;
    expect(up.point[1]).toBeCloseTo(6.9, 9);
    expect(isReached(build, [1.6, 0, -0.5], [1.6, 6.9, 0.5])).toBe(true);
    for (let v = 0; v < build.navMesh.vertexCount; v++) {
      const turns = build.navMesh.vertices[3 * v + 1] / 0.3;
      expect(turns).toBeCloseTo(Math.round(turns), 6);
    }
  });
});

describe('walls', () => {
  const pair = floors([0, 0, 4, 4, 0], [4, 0, 8, 4, 0]);

  it('close an edge along their length', () => {
    const { navMesh, report } = buildValid(soup(pair, wall(4, 1, 4, 2.5, 0, 3)));
    expect(report.counts.islands).toBe(1);
    for (const [z, isClosed] of [
      [0.5, false],
      [1.1, true],
      [2.4, true],
      [2.6, false],
    ] as const) {
      expect(isStopped(navMesh, [3, 0, z], [5, 0, z])).toBe(isClosed);
    }
    expect(buildValid(soup(pair, wall(4, -1, 4, 5, 0, 3))).report.counts.islands).toBe(2);
  });

  it('do not block when they are low enough to step over, or overhead', () => {
    expect(buildValid(soup(pair, wall(4, 0, 4, 4, 0, 0.4))).report.counts.islands).toBe(1);
    expect(buildValid(soup(pair, wall(4, 0, 4, 4, 0, 0.5))).report.counts.islands).toBe(2);
    expect(buildValid(soup(pair, wall(4, 0, 4, 4, 1.8, 3))).report.counts.islands).toBe(1);
    expect(buildValid(soup(pair, wall(4, 0, 4, 4, 1.7, 3))).report.counts.islands).toBe(2);
    expect(buildValid(soup(pair, wall(4, 0, 4, 4, -2, 0))).report.counts.islands).toBe(1);
  });

  it('do not block as the riser between a step and the floor', () => {
    expect(
      buildValid(soup(floors([0, 0, 4, 4, 0], [4, 0, 8, 4, 0.4]), wall(4, 0, 4, 4, 0, 0.4))).report.counts.islands,
    ).toBe(1);
  });
});

describe('degenerate and invalid input', () => {
  it('builds two-sided triangles from above, whichever side they face', () => {
    const up = { positions: [0, 0, 0, 0, 0, 4, 4, 0, 4, 4, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
    const down = { ...up, indices: [0, 2, 1, 0, 3, 2] };
    const plain = saveNavMesh(buildFromSurface(up).navMesh);
    for (const twoSided of [true, [1, 1]]) {
      const { navMesh, report } = buildFromSurface({ ...down, twoSided });
      expect(report.warnings).toEqual([]);
      expect(saveNavMesh(navMesh)).toEqual(plain);
    }
    expect(buildFromSurface([{ ...down, twoSided: [1, 0] }]).report.counts.groundTriangles).toBe(1);
    const soup = Float64Array.from(down.indices.flatMap((i) => down.positions.slice(3 * i, 3 * i + 3)));
    expect(buildFromSurface({ positions: soup, twoSided: true }).navMesh.polyCount).toBe(1);
    expect(() => buildFromSurface([{ ...down, twoSided: [1] }, up])).toThrow(
      /^buildFromSurface: levels\[0\]\.twoSided is \[1\]; must be true, false or 2 values, one per triangle$/,
    );
  });

  it('reports flipped winding', () => {
    const level = soup(floors([0, 0, 4, 4, 0]));
    const positions = Array.from(
      { length: 18 },
      (_, i) => level.positions[(i < 9 ? 0 : 9) + [0, 1, 2, 6, 7, 8, 3, 4, 5][i % 9]],
    );
    const { report, navMesh } = buildFromSurface({ positions });
    expect(report.warnings.map(({ code, count }) => [code, count])).toEqual([
      ['flipped-winding', 2],
      ['empty-result', 1],
    ]);
    expect(report.warnings[0].message).toContain('counter-clockwise');
    expect(navMesh.polyCount).toBe(0);
  });

  it('counts duplicate, two-sided and zero-width triangles once', () => {
    const one = floors([0, 0, 4, 4, 0]);
    const under = [0, 0, 0, 4, 0, 4, 0, 0, 4, 0, 0, 0, 4, 0, 0, 4, 0, 4];
    const build = buildValid(soup(one, under, one, [0, 0, 0, 4, 0, 0.0001, 4, 0, 0], [1, 0, 1, 1, 0, 1, 2, 0, 2]));
    expect(build.report.counts.polygons).toBe(1);
    expect(build.report.warnings.map(({ code, count }) => [code, count])).toEqual([
      ['degenerate-triangles', 2],
      ['duplicate-triangles', 2],
    ]);
  });

  it('reports levels without walkable surface, and corners that are not finite', () => {
    expect(buildFromSurface({ positions: [] }).report.warnings[0]).toMatchObject({
      code: 'no-ground',
      message: 'there are no triangles',
    });
    const { warnings } = buildFromSurface(soup(wall(0, 0, 4, 0, 0, 3))).report;
    expect(warnings[0]).toMatchObject({ code: 'no-ground', stage: 'input' });
    const level = soup(floors([0, 0, 4, 4, 0]), [NaN, 0, 0, 0, 0, 4, 4, 0, 4]);
    expect(buildValid([level, level]).report.warnings[0]).toMatchObject({
      code: 'invalid-positions',
      count: 2,
      where: { level: 0, triangle: 2 },
    });
    expect(() => buildFromSurface(level, { strict: true })).toThrow(/NaN/);
  });

  it('is refused with name and value', () => {
    const level = soup(floors([0, 0, 4, 4, 0]));
    const positions = level.positions;
    expect(() => buildFromSurface(undefined as never)).toThrow(/level is undefined/);
    expect(() => buildFromSurface([level, {} as never])).toThrow(/levels\[1\]/);
    expect(() => buildFromSurface({ positions: [1, 2] })).toThrow(/positions\.length is 2; must be/);
    expect(() => buildFromSurface({ positions, indices: [0, 1, 6] })).toThrow(/0, 1, 6; must be integers below 6/);
    expect(() => buildFromSurface({ positions, indices: [0, 1, 1.5] })).toThrow(/1\.5/);
    expect(() => buildFromSurface({ positions, areas: [1] })).toThrow(/areas\.length is 1/);
    expect(() => buildFromSurface({ positions, areas: [1, 64] })).toThrow(/areas\[1\] is 64/);
    expect(() => buildFromSurface(level, { agent: { radius: -1 } })).toThrow(/agent\.radius is -1/);
    expect(() => buildFromSurface(level, { cellSize: 1 } as never)).toThrow(/options\.cellSize is unknown/);
    expect(() => buildFromSurface(level, { weldTolerance: 0 })).toThrow(/weldTolerance is 0/);
    expect(() => buildFromSurface(level, { tileSize: 0.01 })).toThrow(/tileSize is 0\.01/);
    expect(() => buildFromSurface(level, { maxVerticesPerPoly: 2 })).toThrow(/maxVerticesPerPoly is 2/);
  });
});

describe('options', () => {
  it('keeps triangles by slope', () => {
    const ramp = soup(floors([0, 0, 4, 4, 0, 4]));
    expect(buildFromSurface(ramp, { agent: { maxSlopeDegrees: 45.1 } }).report.counts.groundTriangles).toBe(2);
    expect(buildFromSurface(ramp, { agent: { maxSlopeDegrees: 44.9 } }).report.counts.groundTriangles).toBe(0);
  });

  it('separates polygons by area, and leaves a hole for area 0', () => {
    const level = soup(floors([0, 0, 4, 4, 0], [4, 0, 8, 4, 0], [8, 0, 12, 4, 0]));
    const { navMesh, report } = buildValid({ ...level, areas: [5, 5, 6, 6, 0, 0] });
    expect(Array.from(navMesh.polyArea.subarray(0, 2)).sort()).toEqual([5, 6]);
    expect(report.counts).toMatchObject({ polygons: 2, islands: 1 });
  });

  it('drops small islands and reports them', () => {
    const level = soup(floors([0, 0, 1, 1, 5], [0, 0, 4, 4, 0], [4, 0, 8, 4, 0]));
    const { report } = buildValid(level, { islandMinArea: 2 });
    expect(report.counts).toMatchObject({ islands: 1, droppedIslands: 1 });
    expect(report.warnings[0]).toMatchObject({ code: 'small-islands', count: 1, where: { level: 0, triangle: 0 } });
  });

  it('drops small islands that span several tiles, and nothing else', () => {
    const quads = [
      [0, 0, 12, 12, 0],
      [3.5, 13, 4.5, 14, 2],
      [13, 3, 15, 5, 0, 1],
      [20, 0, 21, 1, 0],
      [7, 1, 9, 3, 3, 3.3],
    ];
    const level = soup(floors(...quads));
    const build = (options: object): ReturnType<typeof buildValid> =>
      buildValid(level, { clearance: false, tileSize: 4, ...options });
    const all = build({});
    const most = build({ islandMinArea: 3 });
    expect(all.report.counts).toMatchObject({ islands: 5, droppedIslands: 0 });
    expect(most.report.counts).toMatchObject({ islands: 3, droppedIslands: 2, steps: all.report.counts.steps });
    expect(most.report.warnings[0]).toMatchObject({
      code: 'small-islands',
      count: 2,
      where: { level: 0, triangle: 2 },
    });
    expect(most.navMesh.tileSlotCount).toBeLessThan(all.navMesh.tileSlotCount);
    const at = (x: number, y: number, z: number): boolean =>
      findNearest(most.navMesh, [x, y, z], { halfExtents: [0.1, 0.1, 0.1] }).found;
    expect([at(6, 0, 6), at(14.9, 0.95, 4.9), at(8.9, 3.285, 2.9), at(4.2, 2, 13.5), at(20.5, 0, 0.5)]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('reports progress tile by tile', () => {
    const seen: { stage: string; done: number; total: number }[] = [];
    buildValid(soup(floors([0, 0, 8, 4, 0])), { tileSize: 4, onProgress: (progress) => seen.push(progress) });
    for (let i = 1; i < seen.length; i++) expect(seen[i].done).toBeGreaterThan(seen[i - 1].done);
    expect(seen.at(-1)).toMatchObject({ stage: '', done: seen.at(-1)!.total });
    expect(seen.filter(({ stage }) => stage === 'merge').length).toBe(2);
  });

  it('reports each of its stages', () => {
    const seen: string[] = [];
    const { report } = buildValid(soup(floors([0, 0, 4, 4, 0])), { onProgress: ({ stage }) => seen.push(stage) });
    expect(seen).toEqual([...report.stages.map(({ name }) => name), '']);
    for (const { name } of report.stages) expect(SURFACE_STAGES).toContain(name);
    expect(exported).toBe(buildFromSurface);
  });

  it('gives a tiled mesh with the same answers as an untiled one', () => {
    const quads = Array.from({ length: 36 }, (_, i) => [
      2 * (i % 6),
      2 * ((i / 6) | 0),
      2 * (i % 6) + 2,
      2 * ((i / 6) | 0) + 2,
      0.3 * (i % 3),
    ]);
    const level = soup(floors(...quads), wall(6, 0, 6, 11, 0, 3));
    const whole = buildValid(level);
    const tiled = buildValid(level, { tileSize: 5 });
    expect(tiled.report.counts.tiles).toBe(9);
    for (let i = 0; i < 36; i++) {
      const [x0, z0, x1, z1, y] = quads[i];
      const to = [(x0! + x1!) / 2, y!, (z0! + z1!) / 2];
      expect(isReached(tiled, [1, 0, 1], to)).toBe(isReached(whole, [1, 0, 1], to));
    }
  });
});

describe('clearance', () => {
  /** Returns the triangles of a closed box. */
  const box = (x0: number, z0: number, x1: number, z1: number, low: number, high: number): number[] => [
    ...floors([x0, z0, x1, z1, high]),
    ...wall(x0, z0, x1, z0, low, high),
    ...wall(x1, z0, x1, z1, low, high),
    ...wall(x1, z1, x0, z1, low, high),
    ...wall(x0, z1, x0, z0, low, high),
  ];
  const floor = floors([0, 0, 10, 10, 0]);

  it('treats a low box as a step, a higher one as an obstacle, and a tall one as a space of its own', () => {
    const step = buildValid(soup(floor, box(4, 4, 6, 6, 0, 0.4)));
    expect(step.report.counts.islands).toBe(1);
    expect(isReached(step, [1, 0, 1], [5, 0.4, 5])).toBe(true);
    expect(findNearest(step.navMesh, [5, 0, 5], { halfExtents: [0.1, 0.1, 0.1] }).found).toBe(false);
    const table = buildValid(soup(floor, box(4, 4, 6, 6, 0, 1)));
    expect(table.report.counts.islands).toBe(2);
    expect(isStopped(table.navMesh, [1, 0, 5], [9, 0, 5])).toBe(true);
    expect(buildValid(soup(floor, box(4, 4, 6, 6, 0, 3))).report.counts.islands).toBe(3);
  });

  it('joins stairs and ramps to the floor that they stand on', () => {
    const stairs = Array.from({ length: 5 }, (_, i) => box(4 + 0.4 * i, 4, 4.4 + 0.4 * i, 6, 0, 0.3 * (i + 1))).flat();
    const up = buildValid(soup(floor, stairs, floors([6, 4, 8, 6, 1.5])));
    expect(isReached(up, [1, 0, 5], [7, 1.5, 5])).toBe(true);
    expect(isStopped(up.navMesh, [5.5, 0, 1], [5.5, 0, 5])).toBe(true);
    const ramp = buildValid(soup(floor, floors([4, 4, 7, 6, 0, 2]), floors([7, 4, 8, 6, 2])), { clearance: true });
    expect(isReached(ramp, [1, 0, 5], [7.5, 2, 5])).toBe(true);
    const sunk = buildValid(soup(floor, floors([4, 4, 7, 6, -0.3, 2]), floors([7, 4, 8, 6, 2])), { clearance: true });
    expect(isReached(sunk, [1, 0, 5], [7.5, 2, 5])).toBe(true);
  });

  it('divides a floor at a wall and under a low ceiling, but not under a high one', () => {
    expect(buildValid(soup(floor, wall(3.3, -1, 6.7, 11, 0, 3))).report.counts.islands).toBe(2);
    expect(buildValid(soup(floor, wall(3.3, -1, 6.7, 9, 0, 3))).report.counts.islands).toBe(1);
    const ceiling = (y: number): number[] => [2, y, -1, 4, y, 11, 2, y, 11, 2, y, -1, 4, y, -1, 4, y, 11];
    expect(buildValid(soup(floor, ceiling(1.5))).report.counts.islands).toBe(2);
    expect(buildValid(soup(floor, ceiling(1.8))).report.counts.islands).toBe(1);
    expect(buildValid(soup(floor, ceiling(1.5)), { clearance: false }).report.counts.islands).toBe(1);
  });
});
