/** The bake as a whole: warnings, strictness, progress, abortion, and that nothing but the input decides. */
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { layersPartition } from '../../../../src/build/voxel/regions/layers.ts';
import { monotonePartition } from '../../../../src/build/voxel/regions/monotone.ts';
import { describe, expect, it } from 'vitest';
import { createWorkspace } from '../../../../src/base/data/workspace.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { BUILD_STAGES } from '../../../../src/build/voxel/options.ts';
import { bakeNavMesh, buildNavMesh, buildTile, prepareTiles, resolveBake } from '../../../../src/build/voxel/build.ts';
import type { BuildOptions, BuildProgress, TriangleInput } from '../../../../src/build/voxel/options.ts';
import type { BuildWarning } from '../../../../src/build/voxel/report.ts';
import { sceneLevel } from '../../../golden/levels.ts';
import { smallLevel } from '../../../oracle/small-level.ts';
import { flipped, floor, join, TILE_OPTIONS, tiles } from './levels.ts';

const room = floor(0, 0, 8, 6);
const coarse: BuildOptions = { cellSize: 0.25, cellHeight: 0.2 };

/** Compared without printing megabytes when they differ. */
function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function sameMesh(a: NavMesh, b: NavMesh): boolean {
  return sameBytes(new Uint8Array(saveNavMesh(a)), new Uint8Array(saveNavMesh(b)));
}

function warningsOf(input: TriangleInput, options: BuildOptions = coarse): BuildWarning[] {
  const { navMesh, report } = buildNavMesh(input, options);
  expect(validateNavMesh(navMesh)).toEqual([]);
  return report.warnings;
}

/** The one warning of this code. */
function warningOf(code: BuildWarning['code'], input: TriangleInput, options: BuildOptions = coarse): BuildWarning {
  const found = warningsOf(input, options).filter((one) => one.code === code);
  expect(found.length).toBe(1);
  // With `strict`, the warning is an error.
  expect(() => buildNavMesh(input, { ...options, strict: true })).toThrow(/^buildNavMesh: .*\([a-z-]+, \d+\)$/);
  return found[0];
}

describe('warnings', () => {
  it('reports none for a valid level, strict or not', () => {
    const { navMesh, report } = buildNavMesh(room, { ...coarse, strict: true });
    expect(report.warnings).toEqual([]);
    expect(navMesh.polyCount).toBe(1);
  });

  it('no-walkable-triangles: the winding is reversed', () => {
    expect(warningOf('no-walkable-triangles', flipped(room))).toMatchObject({ stage: 'slope', count: 2 });
    expect(warningOf('no-walkable-triangles', flipped(room)).message).toContain('winding');
    expect(warningsOf(flipped(room)).map((one) => one.code)).toEqual(['no-walkable-triangles', 'empty-result']);
  });

  it('flipped-winding: most flat area faces down', () => {
    const mostlyDown = join(flipped(floor(0, 0, 8, 6)), floor(10, 0, 14, 3));
    const warning = warningOf('flipped-winding', mostlyDown);
    expect(warning).toMatchObject({ stage: 'slope', count: 2 });
    expect(warning.message).toMatch(/^2 flat triangles face down \(48\.0 square units, 12\.0 face up\): .*--two-sided/);
    expect(warningsOf(flipped(room))[0].message).toMatch(
      /^none of 2 triangles is walkable: 2 flat triangles face down .*--two-sided/,
    );
    // A ceiling over the whole floor is usual.
    expect(warningsOf(join(room, flipped(floor(0, 0, 8, 6, 3))))).toEqual([]);
  });

  it('two-sided triangles are walkable from above, whichever side they face', () => {
    const plain = buildNavMesh(room, coarse).navMesh;
    for (const twoSided of [true, [1, 1], Uint8Array.of(1, 1)]) {
      const { navMesh, report } = buildNavMesh({ ...flipped(room), twoSided }, { ...coarse, strict: true });
      expect(report.counts.walkableTriangles).toBe(2);
      expect(saveNavMesh(navMesh)).toEqual(saveNavMesh(plain));
    }
    expect(saveNavMesh(buildNavMesh({ ...room, twoSided: true }, coarse).navMesh)).toEqual(saveNavMesh(plain));
    expect(warningsOf({ ...flipped(room), twoSided: false })[0].code).toBe('no-walkable-triangles');
    const tile = buildTile({ ...flipped(room), twoSided: true }, { ...coarse, tileSize: 8 }, 0, 0);
    expect(tile).toEqual(buildTile(room, { ...coarse, tileSize: 8 }, 0, 0));
    expect(() => buildNavMesh({ ...room, twoSided: [1] })).toThrow(
      /^buildNavMesh: input\.twoSided is \[1\]; must be true, false or 2 values, one per triangle$/,
    );
  });

  it('cell-larger-than-agent', () => {
    expect(warningOf('cell-larger-than-agent', room, { cellSize: 0.5 }).message).toContain('the cellSize of 0.5');
    const flat = warningOf('cell-larger-than-agent', room, { ...coarse, cellHeight: 2 });
    expect(flat).toMatchObject({ stage: 'input', count: 1 });
    expect(flat.message).toContain('the cellHeight of 2');
    expect(warningsOf(room, { ...coarse, agent: { radius: 0 } })).toEqual([]);
  });

  it('invalid-positions: names the first triangle', () => {
    const input = join(room, floor(1, 1, NaN, 2), floor(2, 2, Infinity, 3));
    expect(warningOf('invalid-positions', input)).toMatchObject({ stage: 'input', count: 4, where: { triangle: 2 } });
    expect(buildNavMesh(input, coarse).navMesh.polyCount).toBe(1);
  });

  it('degenerate-triangles: names the first', () => {
    const input = { ...room, indices: [0, 1, 2, 1, 1, 3, 0, 2, 3, 2, 2, 2] };
    expect(warningOf('degenerate-triangles', input)).toMatchObject({
      stage: 'slope',
      count: 2,
      where: { triangle: 1 },
    });
  });

  it('height-clamped: a cellHeight that would do is named', () => {
    const tall = join(room, floor(0, 0, 8, 6, 3000));
    const warning = warningOf('height-clamped', tall);
    expect(warning).toMatchObject({ stage: 'input' });
    const named = Number(/cellHeight of ([\d.]+)/.exec(warning.message)![1]);
    expect(warningsOf(tall, { ...coarse, cellHeight: named * 1.001 }).map((one) => one.code)).not.toContain(
      'height-clamped',
    );
  });

  // Each cause of an empty mesh, and the stage that the warning names.
  const empty: [stage: string, why: string, input: TriangleInput, options: BuildOptions][] = [
    ['slope', 'no triangles', { positions: [] }, coarse],
    ['slope', 'only walls', { positions: [0, 0, 0, 0, 5, 0, 5, 0, 0] }, coarse],
    ['rasterize', 'bounds beside the level', room, { ...coarse, bounds: { min: [20, -1, 20], max: [30, 1, 30] } }],
    ['filter', 'a floor of one cell, all ledge', floor(0, 0, 0.25, 0.25), { ...coarse, agent: { radius: 0 } }],
    [
      'filter',
      'a ceiling too low',
      join(room, flipped(floor(-1, -1, 9, 7, 1))),
      { ...coarse, bounds: { min: [1, -1, 1], max: [7, 2, 5] } },
    ],
    ['erode', 'a beam narrower than the body', floor(0, 0, 8, 1), coarse],
    [
      'areas',
      'volumes cut it all',
      room,
      { ...coarse, volumes: createVolumes([{ type: 'box', area: 0, min: [-1, -1, -1], max: [9, 9, 9] }]) },
    ],
    ['regions', 'smaller than the smallest region', room, { ...coarse, regionMinArea: 1000 }],
    ['contours', 'one cell', tiles(['1']), TILE_OPTIONS],
    ['contours', 'an error larger than the level', room, { ...coarse, maxEdgeError: 100 }],
  ];
  it.each(empty)('empty-result: after stage %s: %s', (stage, _, input, options) => {
    const warning = warningOf('empty-result', input, options);
    expect(warning.message).toContain(`after stage ${stage}:`);
    expect(warning.count).toBe(1);
    const { navMesh } = buildNavMesh(input, options);
    expect([navMesh.polyCount, navMesh.tileSlotCount]).toEqual([0, 0]);
    expect(saveNavMesh(navMesh).byteLength).toBeGreaterThan(0);
  });
  it('hole-not-merged: a hole that no line reaches', () => {
    const rows = [
      '11 111111 1',
      '11111111111',
      '1 111111111',
      '111111 111 ',
      '111 11 1 11',
      '1111 1 1111',
      '11 11111111',
    ];
    expect(
      buildNavMesh(tiles(rows), TILE_OPTIONS).report.warnings.find((one) => one.code === 'hole-not-merged'),
    ).toMatchObject({ stage: 'contours', count: 1 });
    expect(() => buildNavMesh(tiles(rows), { ...TILE_OPTIONS, strict: true })).toThrow(/\(hole-not-merged, 1\)$/);
  });

  it('polygon-not-triangulated: a hole of one cell, which has no area for Recast either', () => {
    const warning = warningOf(
      'polygon-not-triangulated',
      tiles(['11111', '11111', '11 11', '11111', '11111']),
      TILE_OPTIONS,
    );
    expect(warning).toMatchObject({ stage: 'polymesh', count: 1 });
  });

  it('detail-limited: a surface too rough for the vertices of a polygon', () => {
    const heightAt = (x: number, z: number): number => 1 + ((x * 5 + z * 3) % 7);
    const rows = Array.from({ length: 60 }, (_, z) =>
      Array.from({ length: 60 }, (_unused, x) => heightAt(x, z)).join(''),
    );
    const agent = { ...TILE_OPTIONS.agent, maxClimb: 9 };
    const options = { ...TILE_OPTIONS, agent, detailSampleDistance: 1, detailMaxError: 0, maxEdgeError: 3 };
    const warning = warningOf('detail-limited', tiles(rows), options);
    expect(warning.stage).toBe('detail');
    expect(warning.message).toContain('detailMaxError');
  });
});

describe('report', () => {
  it('counts the contents of the mesh', () => {
    const { navMesh, report } = buildNavMesh(smallLevel(), coarse);
    const { counts } = report;
    expect([counts.polygons, counts.vertices]).toEqual([navMesh.polyCount, navMesh.vertexCount]);
    expect([counts.detailVertices, counts.detailTriangles]).toEqual([
      navMesh.detailVertexCount,
      navMesh.detailTriCount,
    ]);
    expect(counts.triangles).toBe(smallLevel().indices!.length / 3);
    expect(counts.walkableTriangles).toBe(counts.triangles - 8);
    expect(counts.columns).toBe(report.config.widthCells * report.config.depthCells);
    expect(counts.spans).toBeGreaterThan(counts.walkableSpans);
    expect(counts.regions).toBeGreaterThan(0);
    expect(counts.contours).toBeGreaterThanOrEqual(counts.regions);
    expect(report.totalMs).toBeGreaterThan(0);
    expect(report.workspaceBytes).toBeGreaterThan(0);
    expect(report.config).toEqual(resolveBake(smallLevel(), coarse));
  });

  const run = (options: BuildOptions): [progress: BuildProgress[], stages: string[]] => {
    const progress: BuildProgress[] = [];
    const { report } = buildNavMesh(room, { ...coarse, ...options, onProgress: (one) => progress.push(one) });
    return [progress, report.stages.map((stage) => stage.name)];
  };
  it('names each stage as it begins, in order, and the end', () => {
    const [progress, stages] = run({ medianAreas: true });
    expect(stages).toEqual([...BUILD_STAGES]);
    expect(progress.map((one) => one.stage)).toEqual([...BUILD_STAGES, '']);
    expect(progress.map((one) => one.done)).toEqual([...BUILD_STAGES.keys(), BUILD_STAGES.length]);
    expect(new Set(progress.map((one) => one.total))).toEqual(new Set([BUILD_STAGES.length]));
  });
  it('leaves out stages that have nothing to do', () => {
    const [progress, stages] = run({ partition: monotonePartition });
    expect(stages).toEqual(BUILD_STAGES.filter((name) => name !== 'areas' && name !== 'distance'));
    expect(progress.map((one) => one.stage)).toEqual([...stages, '']);
    // Still counted up, never back.
    const done = progress.map((one) => one.done);
    // Each number once, up to the total.
    expect(done).toEqual([...done.keys()]);
    expect(new Set(progress.map(({ total }) => total))).toEqual(new Set([done.at(-1)]));
  });
});

describe('bakeNavMesh', () => {
  it('gives the bytes of buildNavMesh, and yields to the event loop', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const { navMesh, report } = await bakeNavMesh(smallLevel(), coarse);
    isDone = true;
    const atOnce = buildNavMesh(smallLevel(), coarse);
    expect(sameMesh(navMesh, atOnce.navMesh)).toBe(true);
    expect(report.counts).toEqual(atOnce.report.counts);
    expect(turns).toBeGreaterThan(2);
  });

  it('does not begin when it is aborted already', async () => {
    const seen: string[] = [];
    const signal = AbortSignal.abort(new Error('no need'));
    await expect(bakeNavMesh(room, { ...coarse, signal, onProgress: (one) => seen.push(one.stage) })).rejects.toThrow(
      'no need',
    );
    expect(seen).toEqual([]);
  });

  it('stops after the stage in which it is aborted, with the reason', async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    const onProgress = (one: BuildProgress): void => {
      seen.push(one.stage);
      if (one.stage === 'distance') controller.abort('enough');
    };
    await expect(bakeNavMesh(room, { ...coarse, signal: controller.signal, onProgress })).rejects.toBe('enough');
    expect(seen.at(-1)).toBe('distance');
    // Unfinished work of an aborted bake does not affect the next one.
    const fresh = buildNavMesh(room, { ...coarse, workspace: createWorkspace() });
    expect(sameMesh(buildNavMesh(room, coarse).navMesh, fresh.navMesh)).toBe(true);
  });

  it('is the only function of the bake that takes a signal', () => {
    const options = { ...coarse, tileSize: 8, signal: AbortSignal.abort() } as BuildOptions;
    const message = /: options\.signal is unknown; known keys: agent/;
    expect(() => buildNavMesh(room, options)).toThrow(/^buildNavMesh: options\.signal is unknown; known keys/);
    for (const call of [buildTile, prepareTiles, resolveBake]) expect(() => call(room, options, 0, 0)).toThrow(message);
  });

  it('rejects with the error that buildNavMesh throws', async () => {
    await expect(bakeNavMesh(room, { cellSize: -1 })).rejects.toThrow(/options\.cellSize is -1/);
    await expect(bakeNavMesh(flipped(room), { strict: true })).rejects.toThrow(/no-walkable-triangles/);
  });
});

describe('only the input decides', () => {
  const levels: [name: string, input: TriangleInput, options: BuildOptions][] = [
    [
      'courtyard',
      sceneLevel('courtyard').input,
      { ...sceneLevel('courtyard').options, cellSize: 0.4, agent: { radius: 0.4 } },
    ],
    ['house', sceneLevel('house').input, { ...sceneLevel('house').options, cellSize: 0.2 }],
    ['small level', smallLevel(), { ...coarse, partition: monotonePartition, medianAreas: true }],
    ['room', room, coarse],
    ['nothing', { positions: [] }, coarse],
    ['small level, layers', smallLevel(), { ...coarse, partition: layersPartition, medianAreas: true }],
  ];
  const fresh = (k: number): Uint8Array => bytesOf(k, { workspace: createWorkspace() });
  const bytesOf = (k: number, change: BuildOptions = {}): Uint8Array =>
    new Uint8Array(saveNavMesh(buildNavMesh(levels[k][1], { ...levels[k][2], ...change }).navMesh));

  it('a workspace full of garbage, left by larger and smaller levels', () => {
    const expected = levels.map((_, k) => fresh(k));
    const workspace = createWorkspace();
    for (const k of [0, 3, 1, 4, 2, 0, 5, 3, 2, 1, 5]) {
      for (const buffer of Object.values(workspace.buffers)) new Uint8Array(buffer).fill(0xa5);
      expect(sameBytes(bytesOf(k, { workspace }), expected[k]), levels[k][0]).toBe(true);
    }
    expect(Object.keys(workspace.buffers).length).toBeGreaterThan(5);
  });

  it('the same twice, with and without a workspace of its own', () => {
    for (const k of levels.keys()) expect(sameBytes(bytesOf(k), fresh(k)), levels[k][0]).toBe(true);
  });

  it('a mesh stays as it is when the workspace is used again', () => {
    const workspace = createWorkspace();
    const { navMesh } = buildNavMesh(levels[2][1], { ...levels[2][2], workspace });
    const before = Buffer.from(saveNavMesh(navMesh)).toString('hex');
    for (const buffer of Object.values(workspace.buffers)) new Uint8Array(buffer).fill(0xa5);
    buildNavMesh(levels[0][1], { ...levels[0][2], workspace });
    expect(Buffer.from(saveNavMesh(navMesh)).toString('hex') === before).toBe(true);
  });

  it("leaves the caller's arrays and options as they are", () => {
    const { positions, indices } = smallLevel();
    const areas = new Uint8Array(indices!.length / 3).fill(9);
    const input = { positions: positions as Float32Array, indices: indices as Uint32Array, areas };
    const before = structuredClone(input);
    const settings = {
      ...coarse,
      agent: { radius: 0.3 },
      bounds: { min: [1, -1, 1], max: [9, 2, 9] },
      medianAreas: true,
      volumes: [{ type: 'box' as const, area: 3, min: [0, -1, 0], max: [5, 5, 5] }],
    };
    const settingsBefore = structuredClone(settings);
    const options = { ...settings, volumes: createVolumes(settings.volumes) };
    const optionsBefore = { ...options };
    buildNavMesh(input, options);
    expect(input).toEqual(before);
    expect(settings).toEqual(settingsBefore);
    expect(options).toEqual(optionsBefore);
  });

  it('plain arrays and typed arrays are the same', () => {
    const { positions, indices } = smallLevel();
    const count = indices!.length / 3;
    const mark = (_: unknown, t: number): number => 1 + (t % 3);
    const typed = buildNavMesh({ positions, indices, areas: Uint8Array.from({ length: count }, mark) }, coarse);
    const plain = buildNavMesh(
      { positions: Array.from(positions), indices: Array.from(indices!), areas: Array.from({ length: count }, mark) },
      coarse,
    );
    const wide = buildNavMesh(
      {
        positions: Float64Array.from(positions),
        indices: Uint16Array.from(indices!),
        areas: Float32Array.from({ length: count }, mark),
      },
      coarse,
    );
    expect(sameMesh(plain.navMesh, typed.navMesh)).toBe(true);
    expect(sameMesh(wide.navMesh, typed.navMesh)).toBe(true);
    // A soup of the same triangles, without indices.
    const soup = Array.from(indices!).flatMap((index) => [0, 1, 2].map((axis) => positions[3 * index + axis]));
    const areas = Uint8Array.from({ length: count }, mark);
    expect(sameMesh(buildNavMesh({ positions: soup, areas }, coarse).navMesh, typed.navMesh)).toBe(true);
  });
});
