/** Explanations: each cause on a scene made for it; gaps compared with sampled points. */
import { describe, expect, it } from 'vitest';
import { addLink, removeLink, setLinkEnabled } from '../../../src/mesh/change/links.ts';
import { polyIndexOf, refOf } from '../../../src/mesh/ref.ts';
import { closestOnSegments } from '../../../src/base/math/segment-distance.ts';
import { explainPath } from '../../../src/query/explain/explain.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import { createIslandGap, findIslandGap } from '../../../src/query/explain/island-gap.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { gridTile, meshOf, seeded, storeysMesh, tileOf } from '../meshes.ts';

/** Returns two islands of 3 x 3, 1.5 apart, the right one `up` higher. */
function twoIslands(up: number): NavMesh {
  const vertices = [
    [0, 0, 0],
    [0, 0, 3],
    [3, 0, 3],
    [3, 0, 0],
    [4.5, up, 0],
    [4.5, up, 3],
    [7.5, up, 3],
    [7.5, up, 0],
  ];
  return meshOf(tileOf(vertices, [{ corners: [0, 1, 2, 3] }, { corners: [4, 5, 6, 7] }]));
}

describe('explainPath', () => {
  it('has nothing to explain when the path is complete', () => {
    const found = explainPath(meshOf(gridTile(3, 3)), [0.5, 0, 0.5], [2.5, 0, 2.5]);
    expect(found).toMatchObject({ cause: 'none', gap: null, block: null, missing: 0 });
    expect(found.message).toBe('The path is complete: 2.828 long.');
  });

  it('reports how far away the mesh is, and where', () => {
    const mesh = meshOf(gridTile(3, 3));
    const found = explainPath(mesh, [0.5, 0, 0.5], [10, 5, 1]);
    expect(found.cause).toBe('end-off-mesh');
    expect(found.end).toMatchObject({
      isOnMesh: false,
      nearest: [3, 0, 1],
      across: 7,
      up: -5,
      direction: '-x',
      isFiltered: false,
    });
    expect(found.message).toContain('the nearest point of the mesh, [3, 0, 1], is 7 away towards -x and 5 lower');
    expect(explainPath(mesh, [-9, 0, -20], [1, 0, 1])).toMatchObject({
      cause: 'start-off-mesh',
      start: { direction: '+z' },
    });
  });

  it('reports an empty mesh', () => {
    expect(explainPath(meshOf(), [0, 0, 0], [1, 0, 1])).toMatchObject({
      cause: 'empty-mesh',
      message: 'The mesh is empty.',
    });
  });

  it('measures the gap between islands', () => {
    const found = explainPath(twoIslands(0.3), [1, 0, 1], [6, 0.3, 2]);
    expect(found.cause).toBe('gap');
    expect(found.gap!.across).toBeCloseTo(1.5, 12);
    expect(found.gap!.up).toBeCloseTo(0.3, 12);
    expect(found.gap).toMatchObject({ maxClimb: 0.4, radius: 0.4 });
    expect(found.start.island).not.toBe(found.end.island);
    expect(found.message).toMatch(
      /1\.5 apart seen from above, the second 0\.3 higher\..*The path ends at \[3, 0, 2\], 3\.015 from the end\.$/,
    );
    const storeys = explainPath(storeysMesh(), [1, 0, 1], [1, 3, 1]);
    expect(storeys.gap).toMatchObject({ across: 0, up: 3 });
  });

  it('says that islands touch in a point, and offers a link there unless the caller knows more', () => {
    const vertices = [
      [0, 0, 0],
      [0, 0, 3],
      [3, 0, 3],
      [3, 0, 0],
      [3, 0, 6],
      [6, 0, 6],
      [6, 0, 3],
    ];
    const mesh = meshOf(tileOf(vertices, [{ corners: [0, 1, 2, 3] }, { corners: [2, 4, 5, 6] }]));
    const ask = (explainGap?: () => string): string => explainPath(mesh, [1, 0, 1], [5, 0, 5], { explainGap }).message;
    expect(ask()).toMatch(/touch at .* in a point, .* A link could connect them there\. The path ends/);
    expect(ask(() => 'Bake again.')).toMatch(/which no agent passes\. Bake again\. The path ends/);
    expect(ask(() => '')).toBe(ask());
  });

  it('mentions links that are disabled or have no polygon at an end', () => {
    const mesh = twoIslands(0);
    const link = addLink(mesh, { start: [2, 0, 1], end: [5, 0, 1], userId: 12 });
    expect(explainPath(mesh, [1, 0, 1], [6, 0, 1]).cause).toBe('none');
    setLinkEnabled(mesh, link, false);
    const closed = explainPath(mesh, [1, 0, 1], [6, 0, 1]);
    expect(closed.cause).toBe('gap');
    expect(closed.message).toContain('The link with user id 12 would connect them, but is disabled.');
    expect(closed.message).not.toContain('A link could connect them');
    removeLink(mesh, link);
    addLink(mesh, { start: [2, 0, 1], end: [3.7, 0, 1], userId: 13, radius: 0.1 });
    expect(explainPath(mesh, [1, 0, 1], [6, 0, 1]).message).toContain(
      'The link with user id 13 has no polygon within its radius at its end.',
    );
  });

  it('reports links that only lead the other way', () => {
    const mesh = twoIslands(0);
    addLink(mesh, { start: [5, 0, 1], end: [2, 0, 1] });
    expect(explainPath(mesh, [1, 0, 1], [6, 0, 1])).toMatchObject({
      cause: 'one-way-link',
      path: { status: 'partial' },
    });
    expect(explainPath(mesh, [6, 0, 1], [1, 0, 1]).cause).toBe('none');
  });

  it('names the polygon that the filter blocks', () => {
    const mesh = meshOf(gridTile(5, 1, undefined, undefined, (x) => (x === 3 ? 7 : 63)));
    mesh.polyFlags[3] = 4;
    const found = explainPath(mesh, [0.5, 0, 0.5], [4.5, 0, 0.5], { filter: createFilter({ excludeFlags: 4 }) });
    expect(found).toMatchObject({
      cause: 'filter',
      block: { area: 7, flags: 4, point: [3.5, 0, 0.5], ref: refOf(mesh, 3) },
    });
    expect(found.message).toContain(
      'area 7 with flags 0x4 at [3.5, 0, 0.5], which the filter excludes (excludeFlags 0x4)',
    );
    mesh.polyFlags[3] = 0;
    expect(explainPath(mesh, [0.5, 0, 0.5], [4.5, 0, 0.5]).message).toContain('does not include (includeFlags 0xffff)');
    const own = createFilter({ passes: (_, poly) => poly !== 2 });
    expect(explainPath(mesh, [0.5, 0, 0.5], [4.5, 0, 0.5], { filter: own })).toMatchObject({
      block: { ref: refOf(mesh, 2) },
    });
    const start = explainPath(mesh, [3.5, 0, 0.5], [4.5, 0, 0.5], { halfExtents: [0.1, 1, 0.1] });
    expect(start).toMatchObject({ cause: 'start-filtered', start: { isFiltered: true, area: 7, flags: 0 } });
  });

  it('names the link that the filter blocks', () => {
    const mesh = twoIslands(0);
    addLink(mesh, { start: [2, 0, 1], end: [5, 0, 1], userId: 9, flags: 2, area: 5 });
    const found = explainPath(mesh, [1, 0, 1], [6, 0, 1], { filter: createFilter({ excludeFlags: 2 }) });
    expect(found).toMatchObject({ cause: 'filter', block: { area: 5, flags: 2, point: [2, 0, 1] } });
    expect(found.message).toContain('the link with user id 9 with flags 0x2 at [2, 0, 1], which the filter excludes');
  });

  it('reports a search that ran out of its budget', () => {
    const found = explainPath(meshOf(gridTile(9, 9)), [0.5, 0, 0.5], [8.5, 0, 8.5], { maxNodes: 5 });
    expect(found.cause).toBe('budget');
    expect(found.message).toContain('5 polygons (maxNodes)');
  });

  it('refuses what findPath refuses, under its own name', () => {
    const mesh = meshOf(gridTile(1, 1));
    expect(() => explainPath(mesh, [NaN, 0, 0], [0, 0, 0])).toThrow(TypeError);
    expect(() => explainPath(mesh, [0, 0, 0], [0, 0, 0], { maxNodes: 0 })).toThrow(
      'explainPath: options.maxNodes is 0',
    );
    expect(() => explainPath(mesh, [0, 0, 0], [0, 0, 0], { maxnodes: 1 } as never)).toThrow(
      'explainPath: options.maxnodes is unknown; known keys: filter, size, halfExtents, maxNodes',
    );
  });
});

describe('findIslandGap', () => {
  for (const seed of [11, 12, 13, 14]) {
    it(`finds the nearest points of random islands, seed ${seed}`, () => {
      const random = seeded(seed);
      const heights = Array.from({ length: 200 }, () => random());
      const mesh = meshOf(
        gridTile(
          9,
          9,
          (x, z) => (x + z < 7 || x + z > 9) && random() < 0.9,
          (x, z) => heights[10 * z + x],
        ),
      );
      const gap = createIslandGap();
      const least = new Map<string, number>();
      const names = Array.from(mesh.polyIsland.subarray(0, mesh.polyCount));
      const edges = names.map((_, poly) =>
        Array.from({ length: 4 }, (__, k) =>
          [0, 1].map((i) =>
            mesh.vertices.slice(
              3 * mesh.edgeVertex[4 * poly + ((k + i) & 3)],
              3 * mesh.edgeVertex[4 * poly + ((k + i) & 3)] + 3,
            ),
          ),
        ),
      );
      names.forEach((a, i) =>
        names.forEach((b, j) => {
          if (a === b) return;
          for (const [p0, p1] of edges[i]) {
            for (const [q0, q1] of edges[j]) {
              // Dense samples of one segment against the other's nearest point.
              for (let s = 0; s <= 8; s++) {
                const p = p0.map((v, k) => v + (s / 8) * (p1[k] - v));
                const d = q1.map((v, k) => v - q0[k]);
                const t = Math.min(
                  1,
                  Math.max(
                    0,
                    d.reduce((sum, v, k) => sum + v * (p[k] - q0[k]), 0) / d.reduce((sum, v) => sum + v * v, 0),
                  ),
                );
                const distance = Math.hypot(...p.map((v, k) => v - q0[k] - t * d[k]));
                const key = `${a},${b}`;
                if (distance < (least.get(key) ?? Infinity)) least.set(key, distance);
              }
            }
          }
        }),
      );
      let compared = 0;
      for (const [key, sampled] of least) {
        const [a, b] = key.split(',').map(Number);
        findIslandGap(gap, mesh, names.indexOf(a), names.indexOf(b));
        const distance = Math.sqrt(gap.distanceSq);
        expect(distance).toBeLessThanOrEqual(sampled + 1e-12);
        expect(distance).toBeGreaterThan(sampled - 0.2);
        expect(names[gap.fromPoly]).toBe(a);
        expect(names[gap.toPoly]).toBe(b);
        expect(Math.hypot(...gap.from.map((v, k) => v - gap.to[k]))).toBeCloseTo(distance, 12);
        compared++;
      }
      expect(compared).toBeGreaterThan(1);
    });
  }

  it('finds nothing on a single island', () => {
    const mesh = meshOf(gridTile(2, 2));
    const gap = createIslandGap();
    findIslandGap(gap, mesh, 0, polyIndexOf(mesh, refOf(mesh, 3)));
    expect(gap.fromPoly).toBe(-1);
  });
});

describe('closestOnSegments', () => {
  it('is no farther than samples of both, also for parallel and degenerate segments, seed 5', () => {
    const random = seeded(5);
    const out = new Float64Array(2);
    for (let i = 0; i < 500; i++) {
      const vector = (): Float64Array => Float64Array.from({ length: 3 }, () => Math.round(random() * 6 - 3));
      const [p, d, q] = [vector(), vector(), vector()];
      const e = random() < 0.2 ? d.map((v) => 2 * v) : vector();
      const distanceSq = closestOnSegments(out, p, d, q, e);
      const at = (s: number, t: number): number =>
        [0, 1, 2].reduce((sum, k) => sum + (p[k] + s * d[k] - q[k] - t * e[k]) ** 2, 0);
      expect(distanceSq).toBeCloseTo(at(out[0], out[1]), 10);
      for (let s = 0; s <= 1; s += 0.125)
        for (let t = 0; t <= 1; t += 0.125) expect(distanceSq).toBeLessThanOrEqual(at(s, t) + 1e-10);
    }
  });
});
