/**
 * Fixtures for the cases where navkiln is right and Recast is not: one for each entry of "Bake, against
 * Recast" in docs/deviations.md. Where Recast survives the fixture, the test shows that its answer is wrong.
 * When a Recast release fixes a case, its test fails, and the entry can be removed.
 */
import { layersPartition } from '../../src/build/voxel/regions/layers.ts';
import { monotonePartition } from '../../src/build/voxel/regions/monotone.ts';
import { optionsFromSettings } from '../../src/build/voxel/settings.ts';
import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseObj } from '../../src/formats/levels/obj.ts';
import { loadNavMesh } from '../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../src/mesh/file/save.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findPolysInBox } from '../../src/query/nearest/polys-in-box.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { crossProperly } from '../../src/build/voxel/contours/integer-geometry.ts';
import type { BuildOptions, TriangleInput } from '../../src/build/voxel/options.ts';
import { splitConcavePolys } from '../../src/build/voxel/polymesh/split-concave.ts';
import type { CompactField, ContourSet, PolyMesh } from '../../src/build/voxel/types.ts';
import { spanBottom, spanTop } from '../../src/build/voxel/types.ts';
import { validateCompactField } from '../../src/build/voxel/validate/compact-field.ts';
import { validateContourSet } from '../../src/build/voxel/validate/contour-set.ts';
import { validateDetailMesh } from '../../src/build/voxel/validate/detail-mesh.ts';
import { validatePolyMesh } from '../../src/build/voxel/validate/poly-mesh.ts';
import { runNavkiln } from '../golden/stages.ts';
import { compareStages } from '../oracle/compare.ts';
import { longestRow } from '../oracle/limits.ts';
import { initOracle, renewOracle, runRecast } from '../oracle/recast.ts';
import type { OracleResult } from '../oracle/recast.ts';
import type { StageRecords } from '../oracle/records.ts';
import { floor, join, TILE_OPTIONS, tiles } from '../unit/build/voxel/levels.ts';

beforeAll(() => renewOracle());
beforeEach(() => initOracle());

interface BakePair {
  ours: StageRecords;
  theirs: OracleResult;
}

function bakeBoth(input: TriangleInput, options: BuildOptions): BakePair {
  // In float32, so that both bake the same numbers: doubles would be moved near the origin.
  const level = { ...input, positions: Float32Array.from(input.positions) };
  const { config, records } = runNavkiln(level, { ...options, recast: true });
  return { ours: records, theirs: runRecast(level, config) };
}

/** Expects that the validators find nothing in the compact field, the contours and both meshes. */
function expectSound(r: StageRecords): void {
  const field: CompactField = { ...r.compact!, area: r.markedArea!, region: r.region!, regionCount: r.regionCount! };
  expect(validateCompactField(field)).toEqual([]);
  expect(validateContourSet(r.contours!)).toEqual([]);
  expect(validatePolyMesh(r.polyMesh!)).toEqual([]);
  expect(validateDetailMesh(r.detail!, r.polyMesh!)).toEqual([]);
}

/** Returns `count` floors of 3 x 3, one above the other, `gap` apart. */
function storeys(count: number, gap: number): ReturnType<typeof join> {
  return join(...Array.from({ length: count }, (_, k) => floor(0, 0, 3, 3, k * gap)));
}

describe('sizes', () => {
  it('connects all storeys when there are more than 63', () => {
    const { ours, theirs } = bakeBoth(storeys(100, 4), TILE_OPTIONS);
    expectSound(ours);
    expect(ours.polyMesh!.polyCount).toBe(100);
    expect(ours.regionCount).toBe(100);
    // Recast's spans above the 63rd have no neighbors: each cell is a region of its own, without an outline.
    expect(theirs.log.join()).toMatch(/too many layers/i);
    expect(theirs.polyMesh!.polyCount).toBe(63);
  });

  it('keeps every span of a column with more than 255', () => {
    const { ours } = { ours: runNavkiln(storeys(400, 4), TILE_OPTIONS).records };
    expectSound(ours);
    expect(ours.compact!.spanCount).toBe(9 * 400);
    expect(ours.polyMesh!.polyCount).toBe(400);
  });

  it('erodes the full radius when it is more than 127 cells', () => {
    const options = { ...TILE_OPTIONS, agent: { ...TILE_OPTIONS.agent, radius: 130 } };
    const { ours, theirs } = bakeBoth(floor(0, 0, 300, 300), options);
    const count = (area: Uint8Array): number => area.filter((id) => id !== 0).length;
    expect(count(ours.erodedArea!)).toBe(40 * 40);
    // 2 * 130 in a byte is 4, which erodes two cells.
    expect(count(theirs.erodedArea!)).toBe(296 * 296);
    expect(ours.polyMesh!.polyCount).toBe(1);
  });

  it('bakes a row with more runs than the level has columns', () => {
    // Two unconnected columns of 30 storeys make 60 runs in a row of 2 cells.
    const level = join(
      ...Array.from({ length: 30 }, (_, k) => floor(0, 0, 1, 2, 8 * k)),
      ...Array.from({ length: 30 }, (_, k) => floor(1, 0, 2, 2, 8 * k + 4)),
    );
    for (const partition of ['monotone', 'layers'] as const) {
      const { records, config } = runNavkiln(level, { ...TILE_OPTIONS, ...optionsFromSettings({ partition }) });
      expectSound(records);
      expect(records.regionCount).toBe(60);
      expect(records.polyMesh!.polyCount).toBe(60);
      // Recast's array holds 2. It does not run here, because it would overwrite the heap of the following
      // tests.
      expect(longestRow({ ...records, markedArea: records.markedArea! } as OracleResult, 0)).toBe(60);
      expect(Math.max(config.widthCells, config.depthCells)).toBe(2);
    }
  });

  // `npm run soak` sets NAVKILN_FULL.
  it.runIf(process.env['NAVKILN_FULL'] !== undefined)('bakes more than 32,767 regions', { timeout: 60_000 }, () => {
    // 36,100 separate pairs of cells.
    const positions: number[] = [],
      indices: number[] = [];
    for (let z = 0; z < 190; z++) {
      for (let x = 0; x < 190; x++) {
        const base = positions.length / 3;
        positions.push(...floor(3 * x, 2 * z, 3 * x + 2, 2 * z + 1).positions);
        indices.push(base, base + 1, base + 2, base, base + 2, base + 3);
      }
    }
    const level = { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
    const { records: ours, config } = runNavkiln(level, { ...TILE_OPTIONS, partition: monotonePartition });
    expect(ours.regionCount).toBe(36_100);
    expect(validateContourSet(ours.contours!)).toEqual([]);
    expect(validatePolyMesh(ours.polyMesh!)).toEqual([]);
    expect(ours.polyMesh!.polyCount).toBe(36_100);
    const theirs = runRecast(level, config);
    expect(theirs.polyMesh?.polyCount ?? 0).toBeLessThan(32_768);
  });

  it('follows an outline of more than 40,000 steps to its end', () => {
    // A comb of 128 teeth, each 160 long.
    const rows = Array.from({ length: 161 }, (_, z) => (z === 0 ? '1'.repeat(255) : '1 '.repeat(127) + '1'));
    const level = join(
      floor(0, 0, 255, 1),
      ...Array.from({ length: 128 }, (_, k) => floor(2 * k, 1, 2 * k + 1, rows.length)),
    );
    const { ours, theirs } = bakeBoth(level, TILE_OPTIONS);
    expect(ours.contours!.count).toBe(1);
    // The outline goes around the comb (2 x 255) and down and up each tooth.
    expect(ours.contours!.raw.length / 4).toBe(2 * 255 + 128 * 2 * 160 + 2);
    expect(validateContourSet(ours.contours!)).toEqual([]);
    // Recast stops at the limit and begins again with the rest.
    expect(
      Math.max(
        ...Array.from(
          { length: theirs.contours!.count },
          (_, c) => theirs.contours!.rawStart[c + 1] - theirs.contours!.rawStart[c],
        ),
      ),
    ).toBeLessThan(40_001);
    expect(validateContourSet(theirs.contours!).length).toBeGreaterThan(0);
  });
});

describe('tiles', () => {
  it('keeps a tip of one cell on the border of a tile', () => {
    // The fourth tile has a single cell.
    const level = floor(0, 0, 9, 9);
    const countAt = (x: number, z: number, recast: boolean): number => {
      const { navMesh } = buildNavMesh(level, { ...TILE_OPTIONS, tileSize: 8, recast });
      return findPolysInBox(navMesh, [x, 0, z], [0.4, 2, 0.4]).length;
    };
    expect(countAt(7.5, 7.5, true)).toBe(1);
    expect(countAt(8.5, 8.5, true)).toBe(0);
    expect(countAt(8.5, 8.5, false)).toBe(1);
  });
});

describe('hole merge', () => {
  // Found by search: the hole's line leads to a vertex behind a notch whose sides Recast does not test.
  const fixtures: [maxEdgeError: number, rows: string[]][] = [
    [
      1,
      [
        '1 111111111 1111111',
        '1 1   11111 1111111',
        '1 1   11111 1111111',
        '1 111111111 1111111',
        '1 1111111   1111111',
        '1  111111   11   11',
        '1  111      1111111',
        '1  111   11 111  11',
        '1 1111   11 111  11',
        '1 111111111 111  11',
        '1 111111111 1111111',
        '11111111111 11  111',
        '1111111111111111111',
        '1111111111111111111',
        '1111111111111111111',
      ],
    ],
    [
      1,
      [
        '11111 11111111111',
        '11111 111   11111',
        '11111 1111   1111',
        '11111 1111   1111',
        '11111 11111111111',
        '11111 11111111111',
        '11111 11111111111',
        '11111 11 11111111',
        '1  11 11 11111111',
        '1   1 11 11111111',
        '1   1 11  11 1111',
        '11111111  11    1',
        '11111111  11    1',
        '11111111  1111111',
        '11 11111  1111111',
        '11 11111  1111111',
        '11 11111  1111111',
        '11 11111  1111111',
      ],
    ],
    [
      1.3,
      [
        ' 11111111 11111  ',
        ' 11111111 11111  ',
        ' 1  11111 11111  ',
        ' 1  11    111111 ',
        '111  1   11111111',
        '111  1   11111 11',
        '1111   1111111 11',
        '1 111111111111 11',
        '1 111111111111 11',
        '111   11 11111 1 ',
        '111   11 11111 1 ',
        '111   11 11  1 1 ',
        '1 111  1 1   1 1 ',
        '11111  1 1   1 1 ',
        '11111111 11111 1 ',
        '11111111 11111 1 ',
      ],
    ],
  ];
  /** Counts the crossings between edges of the largest ring. */
  function countCrossings(set: ContourSet): number {
    const c = [...set.region.keys()].reduce((a, b) =>
      set.start[b + 1] - set.start[b] > set.start[a + 1] - set.start[a] ? b : a,
    );
    const begin = set.start[c],
      n = set.start[c + 1] - begin;
    const at = (k: number): number => 4 * (begin + (k % n));
    let count = 0;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < i; j++) if (crossProperly(set.vertices, at(i), at(i + 1), at(j), at(j + 1))) count++;
    return count;
  }
  it.each(fixtures)('joins a hole by a line that crosses no outline (error %d)', (maxEdgeError, rows) => {
    const { ours, theirs } = bakeBoth(tiles(rows), { ...TILE_OPTIONS, maxEdgeError });
    // Both sides agree up to the contours.
    const difference = compareStages(ours, theirs, { until: 'contours' });
    expect(difference?.stage).toBe('contours');
    expect(ours.contours!.start).toEqual(theirs.contours!.start);
    expect(countCrossings(theirs.contours!)).toBeGreaterThan(countCrossings(ours.contours!));
    expect(countCrossings(ours.contours!)).toBe(0);
    expectSound(ours);
  });
});

describe('detail mesh', () => {
  const hill = Array.from({ length: 40 }, (_, z) =>
    Array.from(
      { length: 40 },
      (_unused, x) => 1 + Math.max(0, 6 - Math.floor(Math.max(Math.abs(x - 20), Math.abs(z - 20)) / 2)),
    ).join(''),
  );
  const options = {
    ...TILE_OPTIONS,
    agent: { ...TILE_OPTIONS.agent, maxClimb: 3 },
    detailSampleDistance: 2,
    detailMaxError: 0.5,
  };

  it('puts extra vertices on the floor, not a voxel above it', () => {
    const { ours, theirs } = bakeBoth(tiles(hill), options);
    const top = (vertices: Float64Array): number => Math.max(...vertices.filter((_, k) => k % 3 === 1));
    // The summit's floor is 7 voxels above the bounds, which start at height 1.
    expect(Math.max(...ours.compact!.y)).toBe(7);
    expect(top(ours.detail!.vertices)).toBe(8);
    expect(top(theirs.detail!.vertices)).toBe(9);
    expectSound(ours);
  });

  it('uses only the corners at a sample distance of 0, and terminates', () => {
    const { records } = runNavkiln(tiles(hill), { ...options, detailSampleDistance: 0 });
    expect(records.detail!.vertices.length).toBe(0);
    expectSound(records);
    // Recast does not run here: it triangulates an outline without points from uninitialized memory.
  });

  it('gives a polygon up to 255 vertices', () => {
    const rough = Array.from({ length: 60 }, (_, z) =>
      Array.from({ length: 60 }, (_unused, x) => 1 + ((x * 5 + z * 3) % 7)).join(''),
    );
    const agent = { ...TILE_OPTIONS.agent, maxClimb: 9 };
    const { ours, theirs } = bakeBoth(tiles(rough), { ...options, agent, detailSampleDistance: 1, maxEdgeError: 3 });
    const maxVertices = (r: StageRecords): number =>
      Math.max(...Array.from(r.detail!.vertexStart.subarray(1), (end, p) => end - r.detail!.vertexStart[p]));
    expect(maxVertices(ours)).toBeGreaterThan(127);
    expect(maxVertices(theirs)).toBeLessThanOrEqual(127);
    expectSound(ours);
  });

  /**
   * Returns the largest vertical distance between the mesh's rim at z = 0 and the floor below, over the
   * samples along it.
   */
  function errorOfRim(r: StageRecords, floors: readonly number[], lift: number): number {
    const { detail, polyMesh } = r;
    const rim: [x: number, y: number][] = [];
    for (let v = 0; v < polyMesh!.vertexCount; v++) {
      if (polyMesh!.vertices[3 * v + 2] === 0) rim.push([polyMesh!.vertices[3 * v], polyMesh!.vertices[3 * v + 1]]);
    }
    for (let k = 0; k < detail!.vertices.length; k += 3) {
      if (detail!.vertices[k + 2] === 0) rim.push([detail!.vertices[k], detail!.vertices[k + 1] - 1 - lift]);
    }
    rim.sort(([a], [b]) => a - b);
    const steps = 1 + floors.length;
    let maxError = 0;
    for (let k = 1; k < steps; k++) {
      const x = (floors.length * k) / steps;
      const next = rim.findIndex(([px]) => px > x - 1e-6);
      const [ax, ay] = rim[next - 1],
        [bx, by] = rim[next];
      maxError = Math.max(maxError, Math.abs(ay + ((by - ay) * (x - ax)) / (bx - ax) - floors[Math.floor(x + 0.01)]));
    }
    return maxError;
  }

  // Heights of cells along an edge, and the vertical error that Recast leaves there.
  const slopes: [floors: number[], theirError: number][] = [
    [[1, 5, 9, 9, 8, 9, 9, 9, 9, 9], 2.66],
    [[1, 4, 3, 6, 8, 9, 9, 9, 9, 9], 1.49],
    [[1, 1, 3, 6, 5, 6, 9, 9, 9, 9], 1.79],
    [[1, 2, 6, 6, 6, 9, 9, 8, 9, 8], 1.66],
    [[1, 5, 6, 6, 7, 8, 9, 8, 9, 9], 1.99],
    [[1, 2, 2, 2, 4, 5, 9, 9, 9, 8], 1.66],
  ];
  it.each(slopes)('measures the errors of edges vertically: %j', (floors, theirError) => {
    const level = tiles(Array.from({ length: 10 }, () => floors.join('')));
    const agent = { ...TILE_OPTIONS.agent, maxClimb: 9 };
    const { ours, theirs } = bakeBoth(level, { ...options, agent, detailSampleDistance: 1, detailMaxError: 1 });
    expectSound(ours);
    expect(ours.polyMesh!.polyCount).toBe(1);
    expect(errorOfRim(ours, floors, 0)).toBeLessThanOrEqual(1 + 1e-6);
    for (const detailMaxError of [0.3, 0.45, 0.6, 0.8, 1.2, 1.5]) {
      const { records } = runNavkiln(level, { ...options, agent, detailSampleDistance: 1, detailMaxError });
      expect(errorOfRim(records, floors, 0)).toBeLessThanOrEqual(detailMaxError + 1e-6);
    }
    // On a steep edge the perpendicular distance is shorter than the vertical one. Recast's extra vertices
    // are a voxel too high.
    expect(errorOfRim(theirs, floors, 1)).toBeGreaterThan(theirError);
  });
});

describe('sample distances', () => {
  it('ends for any sample distance', () => {
    const level = floor(0, 0, 40, 40);
    const least = buildNavMesh(level, { ...TILE_OPTIONS, detailSampleDistance: 0.25 }).navMesh;
    for (const detailSampleDistance of [1e-3, 1e-30, 1e-300, 5e-324]) {
      expect(buildNavMesh(level, { ...TILE_OPTIONS, detailSampleDistance }).navMesh).toEqual(least);
    }
    const wide = floor(0, 0, 1000, 1000);
    const { report } = buildNavMesh(wide, { ...TILE_OPTIONS, detailSampleDistance: 0.25 });
    expect(report.warnings.map(({ code }) => code)).toContain('detail-limited');
  });
});

describe('polygons', () => {
  /** Levels whose simplified outlines touch themselves or each other, and the options that show it. */
  const concave: readonly (readonly [string, BuildOptions])[] = [
    [
      'concave-layers',
      { cellSize: 0.15, maxEdgeError: 0.075, maxVerticesPerPoly: 12, maxEdgeLength: 0, detailMaxError: 0.1 },
    ],
    [
      'concave-tiles',
      { cellSize: 0.1, maxEdgeError: 0.13, maxVerticesPerPoly: 8, maxEdgeLength: 8, detailMaxError: 1, tileSize: 3 },
    ],
  ];

  it.each(concave)('splits polygons that are not convex: %s', (name, options) => {
    const text = readFileSync(new URL(`levels/${name}.obj`, import.meta.url), 'utf8');
    const all: BuildOptions = {
      ...options,
      agent: { radius: 0, height: 0.5, maxClimb: 0.4, maxSlopeDegrees: 80 },
      cellHeight: 0.2,
      partition: layersPartition,
      regionMinArea: 0,
      detailSampleDistance: 0.5,
      recast: true,
    };
    const { navMesh, report } = buildNavMesh(parseObj(text), all);
    expect(report.warnings.filter(({ code }) => code === 'polygon-not-convex')).toMatchObject([
      {
        stage: 'polymesh',
        count: 1,
        message: expect.stringMatching(/^1 polygon not convex .* smaller maxEdgeError/),
      },
    ]);
    expect(validateNavMesh(navMesh)).toEqual([]);
    expect(saveNavMesh(loadNavMesh(saveNavMesh(navMesh)))).toEqual(saveNavMesh(navMesh));
  });

  it('keeps the polygons next to one that is split', () => {
    // Recast keeps the polygon. Its neighbors are the same in both meshes.
    const [name, options] = concave[0];
    const text = readFileSync(new URL(`levels/${name}.obj`, import.meta.url), 'utf8');
    const { ours, theirs } = bakeBoth(parseObj(text), {
      ...options,
      agent: { radius: 0, height: 0.5, maxClimb: 0.4, maxSlopeDegrees: 80 },
      cellHeight: 0.2,
      partition: layersPartition,
      regionMinArea: 0,
      detailSampleDistance: 0.5,
      recast: true,
    });
    expect(compareStages(ours, theirs, { until: 'polymesh' })).toBe(undefined);
    const { polyMesh: mesh } = ours;
    const split = splitConcavePolys(mesh!, ours.contours!);
    expect(splitConcavePolys(split, ours.contours!)).toBe(split);
    const { maxVerticesPerPoly: size } = split;
    const polyOf = ({ polys }: PolyMesh, p: number): string => polys.slice(p * size, p * size + size).join();
    const changed = Array.from({ length: mesh!.polyCount }, (_, p) => p).filter(
      (p) => polyOf(mesh!, p) !== polyOf(split, p),
    );
    expect(changed.length).toBe(1);
    expect(validatePolyMesh(mesh!).some(({ code }) => code === 'not-convex')).toBe(true);
    const last = Array.from(split.polys.subarray(mesh!.polyCount * size));
    for (const p of [changed[0]]) last.push(...split.polys.subarray(p * size, p * size + size));
    // No vertex is new.
    const corners = new Set(mesh!.polys.subarray(changed[0] * size, changed[0] * size + size));
    expect(last.every((vertex) => vertex === -1 || corners.has(vertex))).toBe(true);
  });
});

describe('input', () => {
  it('clamps levels of more than 8,191 voxels to the last voxel and reports it', () => {
    const level = join(floor(0, 0, 4, 4), floor(0, 0, 4, 4, 9000));
    const { ours, theirs } = bakeBoth(level, TILE_OPTIONS);
    expect([...ours.rasterized!.spans].map((span) => [spanBottom(span), spanTop(span)]).slice(0, 2)).toEqual([
      [0, 1],
      [8190, 8191],
    ]);
    // Recast clamps both ends, which leaves a span without height.
    expect([...theirs.rasterized!.spans].map((span) => [spanBottom(span), spanTop(span)]).slice(0, 2)).toEqual([
      [0, 1],
      [8191, 8191],
    ]);
    expectSound(ours);
    expect(theirs.log).toEqual([]);
    expect(buildNavMesh(level, TILE_OPTIONS).report.warnings.map((one) => one.code)).toContain('height-clamped');
  });

  it('leaves out triangles with NaN or infinity and reports them', () => {
    const sound = floor(0, 0, 8, 8);
    for (const bad of [NaN, Infinity, -Infinity]) {
      const spoiled = join(sound, { positions: [1, 1, 1, 1, bad, 2, 2, 1, 1], indices: [0, 1, 2] });
      const { navMesh, report } = buildNavMesh(spoiled, TILE_OPTIONS);
      expect(report.warnings.map((one) => [one.code, one.where?.triangle])).toEqual([['invalid-positions', 2]]);
      expect(navMesh).toEqual(buildNavMesh(sound, TILE_OPTIONS).navMesh);
    }
    // Recast does not run here: comparisons with NaN make its bounds arbitrary, and casts of NaN its cells.
  });
});
