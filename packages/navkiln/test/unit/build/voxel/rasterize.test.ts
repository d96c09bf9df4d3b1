import { describe, expect, it, vi } from 'vitest';
import { createWorkspace } from '../../../../src/base/data/workspace.ts';
import { rasterize } from '../../../../src/build/voxel/rasterize/rasterize.ts';
import type { Workspace } from '../../../../src/base/data/workspace.ts';
import type { Heightfield } from '../../../../src/build/voxel/types.ts';
import { seeded } from '../../meshes.ts';
import { columnsOf, unitConfig } from './fields.ts';
import type { Span } from './fields.ts';

/** Spans of a grid of 4 x 2 cells and 10 voxels, after these triangles (nine numbers each). */
function spansOf(
  triangles: readonly (readonly number[])[],
  areas: readonly number[] = [],
  climbCells = 1,
  recast = false,
): Record<string, Span[]> {
  const config = { ...unitConfig(4, 2), boundsMax: [4, 10, 2] as const, walkableClimbCells: climbCells, recast };
  const positions = Float32Array.from(triangles.flat());
  const indices = Uint32Array.from({ length: positions.length / 3 }, (_, k) => k);
  const field = rasterize(
    positions,
    indices,
    Uint8Array.from(triangles, (_, t) => areas[t] ?? 63),
    config,
  );
  const found: Record<string, Span[]> = {};
  columnsOf(field).forEach((spans, c) => {
    if (spans.length > 0) found[`${c % 4},${Math.trunc(c / 4)}`] = spans;
  });
  return found;
}

/** A flat triangle over x0 .. x1 and z0 .. z1. */
const flat = (x0: number, x1: number, z0: number, z1: number, y: number): number[] => [x0, y, z0, x0, y, z1, x1, y, z0];

describe('rasterize', () => {
  it('fills one cell', () => {
    expect(spansOf([flat(0.2, 0.8, 0.2, 0.8, 0.5)])).toEqual({ '0,0': [[0, 1, 63]] });
    expect(spansOf([flat(3.2, 3.8, 1.2, 1.8, 6.5)])).toEqual({ '3,1': [[6, 7, 63]] });
  });

  it('leaves out triangles that are points or lines, within the rounding of coordinates', () => {
    const random = seeded(1);
    const lines = Array.from({ length: 200 }, (_, n) => {
      const from = [4 * random(), 10 * random(), 2 * random()];
      const to = n % 10 === 0 ? from : [4 * random(), 10 * random(), 2 * random()];
      const share = n % 3 === 0 ? 0 : random();
      return [...from, ...to, ...from.map((value, axis) => value + share * (to[axis] - value))];
    });
    for (const line of lines) {
      expect(spansOf([line])).toEqual({});
      expect(Object.keys(spansOf([line], [], 1, true)).length).toBeGreaterThan(0);
    }
  });

  it('fills upright triangles, which are lines seen from above, and thin ones', () => {
    const wall = [0.5, 0, 0.5, 3.5, 0, 1.5, 3.5, 9, 1.5];
    expect(spansOf([wall])).toEqual(spansOf([wall], [], 1, true));
    expect(Object.keys(spansOf([wall])).length).toBe(4);
    const sliver = [0.5, 3, 0.5, 3.5, 3, 1.5, 3.5, 3, 1.5001];
    expect(Object.keys(spansOf([sliver])).length).toBeGreaterThan(3);
  });

  it('fills two cells, three cells, and two rows', () => {
    expect(spansOf([flat(0.5, 1.5, 0.2, 0.8, 1.5)])).toEqual({ '0,0': [[1, 2, 63]], '1,0': [[1, 2, 63]] });
    expect(Object.keys(spansOf([flat(0.5, 2.5, 0.2, 0.8, 1.5)]))).toEqual(['0,0', '1,0', '2,0']);
    expect(Object.keys(spansOf([flat(0.2, 0.8, 0.5, 1.5, 1.5)]))).toEqual(['0,0', '0,1']);
  });

  it("keeps the heights of each cell's piece of a slope", () => {
    // y = x over the triangle x + z <= 2; the cell 1,1 is touched in one point only.
    expect(spansOf([[0, 0, 0, 0, 0, 2, 2, 2, 0]])).toEqual({
      '0,0': [[0, 1, 63]],
      '1,0': [[1, 2, 63]],
      '0,1': [[0, 1, 63]],
    });
    // Twice as steep: two voxels a cell.
    expect(spansOf([[0, 0, 0.2, 0, 0, 0.8, 4, 8, 0.2]])).toEqual({
      '0,0': [[0, 2, 63]],
      '1,0': [[2, 4, 63]],
      '2,0': [[4, 6, 63]],
      '3,0': [[6, 8, 63]],
    });
  });

  it('counts an edge on the border of two cells for the cell that has more of the triangle', () => {
    expect(Object.keys(spansOf([flat(0.5, 1, 0.2, 0.8, 1.5)]))).toEqual(['0,0']);
    expect(Object.keys(spansOf([flat(1, 1.5, 0.2, 0.8, 1.5)]))).toEqual(['1,0']);
    expect(Object.keys(spansOf([flat(0.2, 0.8, 0.5, 1, 1.5)]))).toEqual(['0,0']);
    expect(Object.keys(spansOf([flat(0.2, 0.8, 1, 1.5, 1.5)]))).toEqual(['0,1']);
  });

  it('gives flat ground on the border of two voxels the upper one, and a wall all it touches', () => {
    expect(spansOf([flat(0.2, 0.8, 0.2, 0.8, 1)])).toEqual({ '0,0': [[1, 2, 63]] });
    expect(spansOf([flat(0.2, 0.8, 0.2, 0.8, 0)])).toEqual({ '0,0': [[0, 1, 63]] });
    expect(spansOf([[0.5, 1, 0.5, 0.6, 4, 0.5, 0.7, 1, 0.5]])).toEqual({ '0,0': [[1, 4, 63]] });
    expect(spansOf([[0.5, 1.1, 0.5, 0.6, 4.1, 0.5, 0.7, 1.1, 0.5]])).toEqual({ '0,0': [[1, 5, 63]] });
  });

  it('leaves out triangles outside the bounds and cuts those that stick out', () => {
    expect(spansOf([flat(0.2, 0.8, 0.2, 0.8, -0.5)])).toEqual({});
    expect(spansOf([flat(0.2, 0.8, 0.2, 0.8, 10.5)])).toEqual({});
    expect(spansOf([flat(-3, -0.5, 0.2, 0.8, 1)])).toEqual({});
    expect(spansOf([flat(4.5, 6, 0.2, 0.8, 1)])).toEqual({});
    expect(spansOf([flat(0.2, 0.8, -2, -0.5, 1)])).toEqual({});
    expect(spansOf([flat(0.2, 0.8, 2.5, 3, 1)])).toEqual({});
    expect(spansOf([flat(-5, 0.5, 0.2, 0.8, 1.5)])).toEqual({ '0,0': [[1, 2, 63]] });
    expect(spansOf([[0.2, -5, 0.5, 0.2, -5, 0.6, 0.8, 0.5, 0.5]])).toEqual({ '0,0': [[0, 1, 63]] });
    expect(spansOf([[0.2, 8, 0.5, 0.2, 8, 0.6, 0.8, 99, 0.5]])).toEqual({ '0,0': [[8, 10, 63]] });
    // Exactly as high as the bounds.
    expect(spansOf([flat(0.2, 0.8, 0.2, 0.8, 10)])).toEqual({ '0,0': [[10, 11, 63]] });
  });

  it('leaves triangles with NaN out', () => {
    expect(spansOf([[NaN, 1, 0.2, 0.2, 1, 0.8, 0.8, 1, 0.2].fill(NaN)])).toEqual({});
    expect(spansOf([flat(0.2, 0.8, 0.2, 0.8, NaN)])).toEqual({});
  });

  it('makes one span of those that touch or overlap, and two of those apart', () => {
    const at = (y: number): number[] => flat(0.2, 0.8, 0.2, 0.8, y);
    const wall = [0.5, 0.5, 0.5, 0.6, 6.5, 0.5, 0.7, 0.5, 0.5];
    expect(spansOf([at(0.5), at(1.5)])).toEqual({ '0,0': [[0, 2, 63]] });
    expect(spansOf([at(1.5), at(0.5)])).toEqual({ '0,0': [[0, 2, 63]] });
    expect(spansOf([at(0.5), at(2.5)])).toEqual({
      '0,0': [
        [0, 1, 63],
        [2, 3, 63],
      ],
    });
    expect(spansOf([at(2.5), at(0.5)])).toEqual({
      '0,0': [
        [0, 1, 63],
        [2, 3, 63],
      ],
    });
    expect(spansOf([at(0.5), at(4.5), at(8.5), at(2.5)])).toEqual({
      '0,0': [
        [0, 1, 63],
        [2, 3, 63],
        [4, 5, 63],
        [8, 9, 63],
      ],
    });
    expect(spansOf([at(0.5), at(4.5), at(8.5), wall])).toEqual({
      '0,0': [
        [0, 7, 63],
        [8, 9, 63],
      ],
    });
  });

  it('lets the higher area win where the tops are within the climb, else the later span', () => {
    const at = (y: number): number[] => flat(0.2, 0.8, 0.2, 0.8, y);
    expect(spansOf([at(0.5), at(0.6)], [3, 9])['0,0']).toEqual([[0, 1, 9]]);
    expect(spansOf([at(0.5), at(0.6)], [9, 3])['0,0']).toEqual([[0, 1, 9]]);
    expect(spansOf([at(0.5), at(1.5)], [9, 3], 1)['0,0']).toEqual([[0, 2, 9]]);
    expect(spansOf([at(0.5), at(1.5)], [9, 3], 0)['0,0']).toEqual([[0, 2, 3]]);
    // The upper one is there already and its top is the common one.
    expect(spansOf([at(1.5), at(0.5)], [3, 9], 0)['0,0']).toEqual([[0, 2, 9]]);
    // A higher area replaces area 0; a wall on a floor removes the floor's area when it is higher than the climb.
    expect(spansOf([at(0.5), at(0.5)], [63, 0])['0,0']).toEqual([[0, 1, 63]]);
    expect(spansOf([at(0.5), [0.5, 0.5, 0.5, 0.6, 6.5, 0.5, 0.7, 0.5, 0.5]], [63, 0])['0,0']).toEqual([[0, 7, 0]]);
  });

  it('gives the same spans in a workspace that was used before', () => {
    const config = unitConfig(4, 2);
    const workspace = createWorkspace();
    const bake = (y: number, x1: number, w = workspace): Span[][] =>
      columnsOf(rasterize(Float32Array.from(flat(0.5, x1, 0.2, 1.5, y)), [0, 1, 2], Uint8Array.of(63), config, w));
    bake(2.5, 3.9);
    bake(5.5, 2.9);
    expect(bake(1.5, 1.9)).toEqual(bake(1.5, 1.9, createWorkspace()));
  });

  it('makes an empty field of no triangles, and of no cells', () => {
    expect(spansOf([])).toEqual({});
    const none = rasterize(Float32Array.from(flat(0, 1, 0, 1, 1)), [0, 1, 2], Uint8Array.of(63), unitConfig(0, 0));
    expect(none.spanCount).toBe(0);
    expect([...none.columnStart]).toEqual([0]);
  });
});

describe('the first call in a process, which rehearses', () => {
  it('gives the spans of later calls, with and without spans that come before', async () => {
    const random = seeded(3);
    const triangles = Array.from({ length: 600 }, () => {
      const [x, y, z] = [28 * random(), 50 * random(), 28 * random()];
      return Array.from({ length: 9 }, (_, k) => [x, y, z][k % 3]! + 5 * random() * (random() < 0.2 ? 0 : 1));
    });
    const config = { ...unitConfig(32, 32), boundsMax: [32, 60, 32] as const };
    const run = (fill: typeof rasterize, workspace: Workspace, base?: Heightfield): Heightfield =>
      fill(
        Float32Array.from(triangles.flat()),
        Uint32Array.from({ length: 3 * triangles.length }, (_, k) => k),
        Uint8Array.from(triangles, (_, t) => 1 + (t % 63)),
        config,
        workspace,
        base,
      );
    const base = structuredClone(run(rasterize, createWorkspace()));
    for (const before of [undefined, base]) {
      const expected = structuredClone(run(rasterize, createWorkspace(), before));
      expect(expected.spanCount).toBeGreaterThan(1000);
      vi.resetModules();
      const fresh = await import('../../../../src/build/voxel/rasterize/rasterize.ts');
      const workspace = createWorkspace();
      for (const call of ['first', 'second']) {
        const { columnStart, spans } = run(fresh.rasterize, workspace, before);
        expect(columnStart, call).toEqual(expected.columnStart);
        expect(spans, call).toEqual(expected.spans);
      }
    }
  });
});
