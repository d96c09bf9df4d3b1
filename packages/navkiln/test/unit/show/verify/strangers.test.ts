/** Kinds of levels and maps in which a mesh does not fit: the cause is named, and the remedy makes it fit. */
import { describe, expect, it } from 'vitest';
import { explainFaults } from '../../../../src/show/verify/causes/explain-faults.ts';
import { explainMapFaults } from '../../../../src/show/verify/causes/explain-map.ts';
import { verifyNavMesh } from '../../../../src/show/verify/verify.ts';
import { cosDegrees, sinDegrees } from '../../../../src/base/math/degrees.ts';
import { createKeepReachable } from '../../../../src/query/keep-reachable.ts';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import type { PolygonMap } from '../../../../src/build/polygon/options.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { block, quad } from './levels.ts';

describe('a bowl below a slab, as a lamp or a dome upside down', () => {
  /** A cone that is open at the top, whose inner side faces up. */
  const bowl = (middle: readonly [number, number], top: number, depth: number, radius: number): number[] => {
    const rim = Array.from({ length: 24 }, (_, k) => [
      middle[0] + radius * cosDegrees(15 * k),
      top,
      middle[1] + radius * sinDegrees(15 * k),
    ]);
    return rim.flatMap((point, k) => [middle[0], top - depth, middle[1], ...rim[(k + 1) % 24], ...point]);
  };
  const level = {
    positions: Float32Array.from([
      ...quad([0, 0, 0], [14, 0, 0], [14, 0, 14], [0, 0, 14]),
      ...block([0, 10, 0], [14, 12, 14]),
      ...bowl([7, 7], 10, 1, 5.5),
    ]),
  };

  it('has mesh in the hollow of the slab, which the remedy leaves out', () => {
    const { navMesh } = buildNavMesh(level);
    const result = verifyNavMesh(level, navMesh);
    expect(result.overreach).toBeGreaterThan(0.01);
    const place = explainFaults(level, navMesh, result).places.find(({ kind }) => kind === 'overreach')!;
    expect(place.cause).toMatch(/^level: nothing leads to this part of the mesh/);
    const points = JSON.parse(place.remedy!.replace('keepReachable: ', '')) as [number, number, number][];
    const kept = buildNavMesh(level, { keepReachable: createKeepReachable(points) }).navMesh;
    expect(verifyNavMesh(level, kept, { keepReachable: points })).toMatchObject({ coverage: 1, overreach: 0, lost: 0 });
  });
});

describe('open ground with more relief than one polygon may have samples', () => {
  const SIDE = 34;
  const heightAt = (i: number, j: number): number => 0.2 * (((i * 7 + j * 3 + ((i * j) % 5)) % 9) - 4);
  const at = (i: number, j: number): number[] => [4 * i, heightAt(i, j), 4 * j];
  const positions: number[] = [];
  for (let i = 0; i < SIDE; i++) {
    for (let j = 0; j < SIDE; j++) positions.push(...quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)));
  }
  const level = { positions: Float32Array.from(positions) };

  it('is baked right with the tiles that the report and the causes name', () => {
    const { navMesh, report } = buildNavMesh(level);
    const warning = report.warnings.find(({ code }) => code === 'detail-limited')!;
    expect(warning.message).toContain('smaller tileSize');
    const result = verifyNavMesh(level, navMesh);
    const [place] = explainFaults(level, navMesh, result, { limit: 1 }).places;
    expect(result.coverage).toBeLessThan(0.99);
    expect(place.cause).toBe('detail: a polygon is so large that its heights are sampled too sparsely.');
    expect(place.remedy).toBe('tileSize: 12.8');
    const tiled = buildNavMesh(level, { tileSize: 12.8 });
    expect(tiled.report.warnings.map(({ code }) => code)).not.toContain('detail-limited');
    const { coverage, overreach } = verifyNavMesh(level, tiled.navMesh);
    expect(coverage).toBeGreaterThan(0.9995);
    expect(overreach).toBeLessThan(0.0005);
  });
});

describe('a map whose walls miss each other', () => {
  /** A room of four walls, each `gap` short of the next. */
  const roomOf = (gap: number): PolygonMap => ({
    polygons: [{ outline: [[0, 0], [400, 0], [400, 300], [0, 300]] }], // prettier-ignore
    obstacles: [
      [[100, 100], [200 - gap, 100], [200 - gap, 110], [100, 110]],
      [[200, 100], [210, 100], [210, 200], [200, 200]],
      [[100, 200], [200, 200 + gap], [200, 210], [100, 210]],
      [[100, 110], [110, 110], [110, 200], [100, 200]],
    ],
  }); // prettier-ignore

  it('is closed by the precision that its places name', () => {
    const map = roomOf(0.04);
    const { navMesh } = buildFromPolygons(map);
    const result = verifyNavMesh(map, navMesh);
    expect(result.invented).toBeGreaterThan(0);
    const explained = explainMapFaults(map, navMesh, result);
    const place = explained.places.find(({ kind }) => kind === 'invented')!;
    expect(place.cause).toMatch(/^map: walls that should touch leave a gap narrower than 0\.1,/);
    expect(place.remedy).toBe('map.precision: 0.1');
    const closed = buildFromPolygons({ ...map, precision: 0.1 }).navMesh;
    expect(verifyNavMesh(map, closed)).toMatchObject({ coverage: 1, overreach: 0, invented: 0, lost: 0 });
  });

  it('leaves a map without such gaps, and other results, as they are', () => {
    const map = roomOf(0);
    const { navMesh } = buildFromPolygons(map);
    const result = verifyNavMesh(map, navMesh);
    expect(result.invented).toBe(0);
    expect(explainMapFaults(map, navMesh, result)).toBe(result);
    expect(() => explainMapFaults(map, navMesh, {} as never)).toThrow('explainMapFaults: result');
  });
});

describe('a map of rooms far apart', () => {
  it('is reported as not judged when no line meets a room', () => {
    const room = (x: number): [number, number][] => [[x, 0], [x + 5, 0], [x + 5, 5], [x, 5]]; // prettier-ignore
    const map: PolygonMap = { polygons: [{ outline: room(0) }, { outline: room(90_000) }, { outline: [[0, 90_000], [5, 90_000], [5, 90_005], [0, 90_005]] }] }; // prettier-ignore
    const { navMesh } = buildFromPolygons(map);
    const { sureArea, warnings } = verifyNavMesh(map, navMesh);
    expect(sureArea).toBe(0);
    expect(warnings.map(({ code }) => code)).toContain('nothing-judged');
  });
});
