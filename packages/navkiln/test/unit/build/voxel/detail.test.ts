import { describe, expect, it } from 'vitest';
import { buildContours } from '../../../../src/build/voxel/contours/contours.ts';
import { buildDetailMesh } from '../../../../src/build/voxel/detail/detail.ts';
import { buildCompactField } from '../../../../src/build/voxel/field/compact.ts';
import { createFloorSearch, floorHeight, startFloors } from '../../../../src/build/voxel/detail/floor-height.ts';
import type { FloorSearch } from '../../../../src/build/voxel/detail/floor-height.ts';
import type { BakeConfig } from '../../../../src/build/voxel/bake-config.ts';
import { buildPolyMesh } from '../../../../src/build/voxel/polymesh/polymesh.ts';
import { buildRegionsLayers } from '../../../../src/build/voxel/regions/layers.ts';
import type { CompactField, DetailMesh, PolyMesh } from '../../../../src/build/voxel/types.ts';
import { validateDetailMesh } from '../../../../src/build/voxel/validate/detail-mesh.ts';
import { fieldOf, ground, solidOf, unitConfig } from './fields.ts';
import type { Span } from './fields.ts';

interface Outcome {
  field: CompactField;
  mesh: PolyMesh;
  detail: DetailMesh;
  limited: number;
}

function detailOf(rows: readonly string[], change: Partial<BakeConfig>): Outcome {
  const config = unitConfig(rows[0].length, rows.length, { walkableClimbCells: 8, ...change });
  const field = fieldOf(rows, { walkableClimbCells: 8 });
  buildRegionsLayers(field, 0);
  const mesh = buildPolyMesh(buildContours(field, config), config);
  const problems = { polygonsLimited: 0 };
  const detail = buildDetailMesh(mesh, field, config, problems);
  expect(validateDetailMesh(detail, mesh)).toEqual([]);
  return { field, mesh, detail, limited: problems.polygonsLimited };
}

const bump = (peak: string): string[] =>
  ground(17, 17).map((row, z) => (Math.abs(z - 8) < 3 ? `111111${peak.repeat(5)}111111` : row));

describe('buildDetailMesh', () => {
  it('gives flat ground no vertex', () => {
    const { detail, mesh } = detailOf(ground(17, 17), { detailSampleDistance: 2, detailMaxError: 0.5 });
    expect(mesh.polyCount).toBe(1);
    expect(detail.vertices.length).toBe(0);
    expect([...detail.triStart]).toEqual([0, 2]);
    // Two triangles with four edges on the outline.
    const flags = [detail.tris[3], detail.tris[7]];
    expect(flags.map((f) => (f & 1) + ((f >> 2) & 1) + ((f >> 4) & 1))).toEqual([2, 2]);
  });

  it('gives a bump vertices at the height of the floor', () => {
    const { detail } = detailOf(bump('4'), { detailSampleDistance: 2, detailMaxError: 0.5 });
    const heights = [...detail.vertices].filter((_, k) => k % 3 === 1);
    expect(heights.length).toBeGreaterThan(3);
    expect(Math.max(...heights)).toBe(4);
    expect(Math.min(...heights)).toBe(1);
  });

  it('gives fewer the more error is allowed, and none beyond the bump', () => {
    const count = (detailMaxError: number): number =>
      detailOf(bump('4'), { detailSampleDistance: 2, detailMaxError }).detail.vertices.length / 3;
    expect(count(1)).toBeLessThanOrEqual(count(0.1));
    expect(count(2.9)).toBeGreaterThan(0);
    expect(count(3)).toBe(0);
  });

  it('takes no samples at a distance of 0: corners only', () => {
    const { detail, mesh } = detailOf(bump('4'), { detailSampleDistance: 0, detailMaxError: 0 });
    expect(detail.vertices.length).toBe(0);
    let triangles = 0;
    for (let slot = 0; slot < mesh.polys.length; slot++) if (mesh.polys[slot] !== -1) triangles++;
    expect(detail.tris.length / 4).toBe(triangles - 2 * mesh.polyCount);
  });

  it('follows an edge that is not straight in height', () => {
    // A ridge across the square, up to its rim: the rim gets vertices.
    const rows = ground(17, 17).map((row) => `${row.slice(0, 6)}34543${row.slice(11)}`);
    const { detail } = detailOf(rows, { detailSampleDistance: 1, detailMaxError: 0.5 });
    const onRim = Array.from({ length: detail.vertices.length / 3 }, (_, k) => detail.vertices[3 * k + 2]).filter(
      (z) => z === 0 || z === 17,
    );
    expect(onRim.length).toBeGreaterThan(1);
  });

  it('reports when a polygon would need more vertices than it may have', () => {
    const rough = Array.from({ length: 80 }, (_, z) =>
      Array.from({ length: 80 }, (_unused, x) => 1 + ((x * 5 + z * 3) % 7)).join(''),
    );
    const { detail, limited } = detailOf(rough, { detailSampleDistance: 1, detailMaxError: 0, maxEdgeErrorCells: 3 });
    expect(limited).toBeGreaterThan(0);
    for (let p = 0; p < detail.polyCount; p++)
      expect(detail.vertexStart[p + 1] - detail.vertexStart[p]).toBeLessThanOrEqual(252);
    // More than Recast's 127.
    expect(detail.vertexStart[1] + 4).toBe(255);
  });

  it('is empty for a mesh without polygons', () => {
    const { detail } = detailOf(['1'], { detailSampleDistance: 1 });
    expect([detail.polyCount, detail.tris.length, detail.vertices.length]).toEqual([0, 0, 0]);
  });
});

describe('floor height', () => {
  const searchOf = (rows: readonly string[], regions: readonly number[]): FloorSearch => {
    const field = fieldOf(rows, { walkableClimbCells: 3 });
    field.region = Int32Array.from(regions);
    const search = createFloorSearch(field, 3);
    search.region = 1;
    return search;
  };

  it("takes the region's own cells, also slightly beyond their border", () => {
    const search = searchOf(['2232'], [1, 1, 1, 1]);
    expect(floorHeight(search, 2.5, 0.5, 3)).toBe(3);
    expect(floorHeight(search, 2.995, 0.5, 3)).toBe(2);
    expect(floorHeight(search, 1.995, 0.5, 3)).toBe(3);
    // Outside: the nearest cell.
    expect(floorHeight(search, -5, 99, 9)).toBe(2);
  });

  it('takes the cell across the border where a region begins below its end', () => {
    const search = searchOf(['2277'], [1, 1, 1, 1]);
    expect([2, 7].map((expected) => floorHeight(search, 2, 0.5, expected))).toEqual([2, 7]);
    // Floors within a climb, and positions inside of cells: the cell itself.
    expect(floorHeight(searchOf(['2244'], [1, 1, 1, 1]), 2, 0.5, 0)).toBe(4);
    expect(floorHeight(search, 2.5, 0.5, 2)).toBe(7);
  });

  it('takes the floor that leads to the region, however many steps away', () => {
    const search = searchOf(['24679'], [1, 0, 2, 0, 0]);
    expect([1, 2, 3, 4].map((x) => floorHeight(search, x, 0, 0))).toEqual([4, 6, 7, 9]);
    // Asked again, of another region: what the line was used for is forgotten.
    search.region = 2;
    expect([4, 3, 1, 0].map((x) => floorHeight(search, x, 0, 0))).toEqual([9, 7, 4, 2]);
  });

  it('searches the cells around when no connection leads to the region, for the height nearest to the expected one', () => {
    const search = searchOf(['4 9 '], [1, 1]);
    expect(floorHeight(search, 3, 0, 7)).toBe(9);
    // Too far away for a floor of the same storey.
    expect(floorHeight(search, 3, 0, 5)).toBe(4);
    expect(floorHeight(search, 1, 0, 5)).toBe(4);
    expect(floorHeight(search, 1, 0, 8)).toBe(9);
    search.region = 7;
    expect(floorHeight(search, 1, 0, 7.5)).toBe(7.5);
  });

  it('stays on a deck where the cells next to it belong to the ground of the same region', () => {
    // A deck at 20 over ground at 1. The last two columns of the deck are not in the region, but the ground is.
    const config = unitConfig(6, 1, { walkableHeightCells: 8, walkableClimbCells: 3 });
    const ground: Span = [0, 1, 1];
    const deck: Span = [18, 20, 1];
    const field = buildCompactField(
      solidOf(6, 1, [[deck], [deck], [deck], [deck], [ground, deck], [ground, deck]]),
      config,
    );
    field.region = Int32Array.from([1, 1, 1, 1, 1, 0, 1, 0]);
    const search = createFloorSearch(field, 3);
    startFloors(search, 1, 1, 20, 0);
    expect(floorHeight(search, 4.5, 0.5, 20)).toBe(20);
    // From the ground, that is the floor.
    startFloors(search, 1, 5, 1, 0);
    expect(floorHeight(search, 4.5, 0.5, 2)).toBe(1);
  });

  it('stays on the roof in a polygon of several regions, where the attic is at the height of the eaves', () => {
    const config = unitConfig(8, 1, { walkableHeightCells: 8, walkableClimbCells: 3 });
    const roof = [20, 23, 26, 29, 32, 32, 29, 26].map((top): Span => [top - 2, top, 1]);
    const attic: Span = [18, 20, 1];
    const field = buildCompactField(
      solidOf(
        8,
        1,
        roof.map((span, x) => (x === 4 || x === 5 ? [attic, span] : [span])),
      ),
      config,
    );
    field.region = Int32Array.from([1, 1, 1, 1, 3, 1, 3, 2, 2, 2]);
    const search = createFloorSearch(field, 3);
    startFloors(search, 0, 1, 20, 0);
    expect(floorHeight(search, 4.5, 0.5, 20)).toBe(32);
  });
});
