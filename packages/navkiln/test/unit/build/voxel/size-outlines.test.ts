/** What keeps polygons of a mesh with sizes connected as their cells are: regions that lie above themselves are cut, and outlines do not cross. */
import { describe, expect, it } from 'vitest';
import { createWorkspace } from '../../../../src/base/data/workspace.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { buildCompactField } from '../../../../src/build/voxel/field/compact.ts';
import { createAgentSizes } from '../../../../src/build/voxel/sizes/create.ts';
import { keepApart } from '../../../../src/build/voxel/sizes/keep-apart.ts';
import { cutOverlaps } from '../../../../src/build/voxel/regions/overlaps.ts';
import type { Outlines } from '../../../../src/build/voxel/types.ts';
import { sceneLevel } from '../../../golden/levels.ts';
import { solidOf, unitConfig } from './fields.ts';

describe('a region that lies above itself', () => {
  it('is cut into connected parts that do not', () => {
    // Two turns of a helix of four columns, of which the lower end is two columns long.
    const at = (...floors: number[]): [number, number, number][] => floors.map((y) => [y, y + 1, 1]);
    const solid = solidOf(3, 2, [at(0), at(1, 7), at(2, 8), [], at(5, 12), at(3, 10)]);
    const config = unitConfig(3, 2, { walkableHeightCells: 3, walkableClimbCells: 2 });
    const field = buildCompactField(solid, config);
    field.region = new Int32Array(field.spanCount).fill(1);
    field.regionCount = 1;
    cutOverlaps(field);
    const { region, columnStart } = field;
    for (let c = 0; c < 6; c++) {
      const ids = region.subarray(columnStart[c], columnStart[c + 1]);
      expect(new Set(ids).size, `column ${c}`).toBe(ids.length);
    }
    // Between each two floors is a cut, away from both.
    expect(new Set(region.subarray(0, field.spanCount)).size).toBe(3);
  });

  it('is no part of a mesh with sizes', () => {
    const { input, options } = sceneLevel('tower');
    const cellSize = 0.4;
    const sizes = createAgentSizes([
      { name: 'tall', radius: cellSize, height: 2.7 },
      { name: 'low', radius: 2 * cellSize, height: 1.26 },
    ]);
    const codes = buildNavMesh(input, { ...options, cellSize, sizes }).report.warnings.map(({ code }) => code);
    expect(codes.filter((code) => /polygon|hole/.test(code))).toEqual([]);
  });
});

/** Outlines of raw points at a height of 0, of which some are kept. */
function outlinesOf(...rings: { points: [x: number, z: number][]; kept: number[] }[]): Outlines {
  const out: Outlines = {
    points: new Int32Array(0),
    link: new Int32Array(0),
    start: [0],
    head: [],
    span: [],
    width: 9,
    depth: 9,
  };
  const points = rings.flatMap((ring) => ring.points);
  out.points = Int32Array.from(points.flatMap(([x, z]) => [x, 0, z, 0]));
  out.link = new Int32Array(points.length);
  for (const { points: own, kept } of rings) {
    kept.forEach((k, i) => (out.link[out.start.at(-1)! + k] = kept[(i + 1) % kept.length]));
    out.head.push(kept[0]);
    out.start.push(out.start.at(-1)! + own.length);
  }
  return out;
}

function keptOf({ link, start, head }: Outlines, c: number): number[] {
  const kept = [head[c]];
  for (let k = link[start[c] + head[c]]; k !== head[c]; k = link[start[c] + k]) kept.push(k);
  return kept.sort((a, b) => a - b);
}

describe('outlines', () => {
  const field = { walkableHeightCells: 5, walkableClimbCells: 1 } as never;
  // Around an L from its lower left corner, simplified to the triangle of its outer corners.
  const l: [number, number][] = [[0, 0], [0, 1], [0, 2], [1, 2], [1, 1], [2, 1], [2, 0], [1, 0]]; // prettier-ignore

  it('keep the corner before which another outline has a point', () => {
    const outlines = outlinesOf(
      { points: l, kept: [0, 2, 6] },
      {
        points: [
          [3, 1],
          [1, 1],
          [3, 3],
        ],
        kept: [0, 1, 2],
      },
    );
    keepApart(outlines, field, createWorkspace());
    expect(keptOf(outlines, 0)).toEqual([0, 2, 4, 6]);
  });

  it('keep the farthest corner if a point of another outline would change sides', () => {
    const outlines = outlinesOf(
      { points: [[0, 0], [0, 3], [1, 3], [2, 3], [3, 3], [3, 2], [3, 1], [3, 0], [2, 0], [1, 0]], kept: [0, 1, 7] }, // prettier-ignore
      {
        points: [
          [2, 2],
          [2, 1],
          [1, 1],
        ],
        kept: [0, 1, 2],
      },
    );
    keepApart(outlines, field, createWorkspace());
    expect(keptOf(outlines, 0)).toContain(4);
  });

  it('keep a strip of one cell that lies within one region from becoming a line', () => {
    const strip: [number, number][] = [[1, 1], [1, 2], [2, 2], [3, 2], [3, 1], [2, 1]]; // prettier-ignore
    const island = outlinesOf({ points: strip, kept: [0, 3] }, { points: strip.toReversed(), kept: [2, 5] });
    keepApart(island, field, createWorkspace());
    expect(keptOf(island, 0).length).toBeGreaterThan(2);
    const places = (c: number): string[] =>
      keptOf(island, c)
        .map((k) => String((c === 0 ? strip : strip.toReversed())[k]))
        .sort();
    expect(places(1)).toEqual(places(0));
    // Between two regions it may: these then share the line.
    const between = outlinesOf({ points: strip, kept: [0, 3] });
    for (const k of [1, 2, 3]) between.points[4 * k + 3] = 7;
    keepApart(between, field, createWorkspace());
    expect(keptOf(between, 0)).toEqual([0, 3]);
  });

  it('keep nothing more when nothing is near, or it is on another floor', () => {
    const near = outlinesOf(
      { points: l, kept: [0, 2, 6] },
      {
        points: [
          [5, 5],
          [6, 5],
          [6, 6],
        ],
        kept: [0, 1, 2],
      },
    );
    keepApart(near, field, createWorkspace());
    expect(keptOf(near, 0)).toEqual([0, 2, 6]);
    const above = outlinesOf(
      { points: l, kept: [0, 2, 6] },
      {
        points: [
          [3, 1],
          [1, 1],
          [3, 3],
        ],
        kept: [0, 1, 2],
      },
    );
    for (let k = 8; k < 11; k++) above.points[4 * k + 1] = 20;
    keepApart(above, field, createWorkspace());
    expect(keptOf(above, 0)).toEqual([0, 2, 6]);
  });
});
