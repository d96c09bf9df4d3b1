/** Smooth paths on small meshes: positions and details of points, refusals, allocations. */
import { expectNoAllocation } from '../../allocation.ts';
import { describe, expect, it } from 'vitest';
import { addLink } from '../../../src/mesh/change/links.ts';
import { refOf } from '../../../src/mesh/ref.ts';
import { addTile } from '../../../src/mesh/change/tiles.ts';
import { createPathBuffer, findPath, findPathInto } from '../../../src/query/path/find-path.ts';
import { PATH_CORNER_FLAGS } from '../../../src/query/path/details.ts';
import { DEFAULT_FILTER } from '../../../src/query/filter.ts';
import { createSearchState } from '../../../src/query/search-state.ts';
import { createSmoothLine, findSmoothPath, smoothLineInto } from '../../../src/query/path/smooth.ts';
import { bumpTile, lShapeMesh, meshOf, rampMesh, seeded, tileOf } from '../meshes.ts';
import { squaresTile, tiledMesh } from '../mesh/tiled-meshes.ts';

describe('a smooth path', () => {
  it('has points at equal distances between corners', () => {
    const mesh = meshOf(
      tileOf(
        [
          [0, 1, 0],
          [0, 1, 4],
          [4, 1, 4],
          [4, 1, 0],
        ],
        [{ corners: [0, 1, 2, 3] }],
      ),
    );
    const walk = findSmoothPath(mesh, [0.5, 1, 1], [3.5, 1, 1], { step: 0.8 });
    expect(walk.points).toEqual([
      [0.5, 1, 1],
      [1.25, 1, 1],
      [2, 1, 1],
      [2.75, 1, 1],
      [3.5, 1, 1],
    ]);
    expect(walk.corners.map(({ flags }) => flags)).toEqual([PATH_CORNER_FLAGS.start, 0, 0, 0, PATH_CORNER_FLAGS.end]);
    expect(new Set(walk.corners.map(({ poly }) => poly))).toEqual(new Set([refOf(mesh, 0)]));
    expect([walk.length, walk.status, walk.reason]).toEqual([3, 'complete', '']);
    // A step that divides the length exactly needs no extra point.
    expect(findSmoothPath(mesh, [0.5, 1, 1], [3.5, 1, 1], { step: 0.75 }).points.length).toBe(5);
    expect(findSmoothPath(mesh, [0.5, 1, 1], [3.5, 1, 1], { step: Infinity }).points.length).toBe(2);
    // The default is the agent's radius, 0.4.
    expect(findSmoothPath(mesh, [0.5, 1, 1], [3.5, 1, 1]).points.length).toBe(9);
    mesh.agent.radius = 0;
    expect(findSmoothPath(mesh, [0.5, 1, 1], [3.5, 1, 1]).points.length).toBe(7);
    const still = findSmoothPath(mesh, [2, 1, 2], [2, 1, 2]);
    expect([still.points, still.length]).toEqual([findPath(mesh, [2, 1, 2], [2, 1, 2]).points, 0]);
  });

  it('follows the surface of ramps and detail triangles', () => {
    const ramp = rampMesh();
    const high = [...ramp.vertices.subarray(0, 3 * ramp.vertexCount)].filter((_, k) => k % 3 === 1);
    expect(Math.max(...high)).toBeGreaterThan(Math.min(...high));
    const bump = meshOf(bumpTile());
    for (const mesh of [ramp, bump]) {
      const [x0, , z0, x1, , z1] = mesh.tileBounds;
      const extents = { halfExtents: Infinity, step: 0.1 };
      const walk = findSmoothPath(mesh, [x0 + 0.1, 0, (z0 + z1) / 2], [x1 - 0.1, 0, (z0 + z1) / 2], extents);
      expect(walk.length).toBeGreaterThan(walk.points[walk.points.length - 1][0] - walk.points[0][0] + 1e-3);
    }
  });

  it('turns where the straightened path turns', () => {
    const mesh = lShapeMesh();
    const [x0, , z0, x1, , z1] = mesh.tileBounds;
    for (const [from, to] of [
      [
        [x0, 0, z0],
        [x1, 0, z1],
      ],
      [
        [x0, 0, z1],
        [x1, 0, z0],
      ],
    ]) {
      const string = findPath(mesh, from, to, { halfExtents: Infinity });
      const walk = findSmoothPath(mesh, from, to, { halfExtents: Infinity, step: 0.3 });
      for (const point of string.points) expect(walk.points).toContainEqual(point);
      expect(walk.length).toBeCloseTo(string.length, 9);
    }
  });

  it('takes a link in one step and reports it', () => {
    const mesh = meshOf(
      tileOf(
        [
          [0, 0, 0],
          [0, 0, 4],
          [4, 0, 4],
          [4, 0, 0],
          [7, 2, 0],
          [7, 2, 4],
          [11, 2, 4],
          [11, 2, 0],
        ],
        [{ corners: [0, 1, 2, 3] }, { corners: [4, 5, 6, 7] }],
      ),
    );
    const link = addLink(mesh, { start: [3.5, 0, 2], end: [7.5, 2, 2] });
    const walk = findSmoothPath(mesh, [2.5, 0, 2], [8, 2, 2], { step: 0.5 });
    expect(walk.points).toEqual([
      [2.5, 0, 2],
      [3, 0, 2],
      [3.5, 0, 2],
      [7.5, 2, 2],
      [8, 2, 2],
    ]);
    expect(walk.corners.map(({ flags }) => flags)).toEqual([
      PATH_CORNER_FLAGS.start,
      0,
      PATH_CORNER_FLAGS.link,
      PATH_CORNER_FLAGS.link,
      PATH_CORNER_FLAGS.end,
    ]);
    expect(walk.corners.map((corner) => corner.link)).toEqual([0, 0, link, link, 0]);
    expect(walk.corners.map(({ poly }) => poly)).toEqual([0, 0, 0, 1, 1].map((poly) => refOf(mesh, poly)));
    // In the other direction it stops at the edge.
    const back = findSmoothPath(mesh, [8, 2, 2], [2.5, 0, 2]);
    expect([back.status, back.reason]).toEqual(['partial', 'unreachable']);
    expect(back.points[back.points.length - 1]).toEqual(findPath(mesh, [8, 2, 2], [2.5, 0, 2]).points.pop());
  });

  it('reports what findPath reports when there is no path', () => {
    const mesh = lShapeMesh();
    const walk = findSmoothPath(mesh, [500, 0, 0], [0, 0, 0]);
    expect([walk.status, walk.reason, walk.points, walk.corners, walk.length]).toEqual([
      'none',
      'start-off-mesh',
      [],
      [],
      0,
    ]);
  });

  it('refuses bad steps', () => {
    const mesh = lShapeMesh();
    const [x0, , z0, x1] = mesh.tileBounds;
    const walk = (step: number): unknown =>
      findSmoothPath(mesh, [x0, 0, z0], [x1, 0, z0], { step, halfExtents: Infinity });
    for (const step of [0, -1, NaN, '1' as never, null as never]) {
      if (step === ('1' as never)) continue;
      expect(() => walk(step), String(step)).toThrow(/findSmoothPath: options.step is/);
    }
    expect(() => walk(1e-300)).toThrow(/options.step is 1e-300; must be longer; this path would have \S+ points/);
    expect(() => findSmoothPath(mesh, [NaN, 0, 0], [0, 0, 0])).toThrow(TypeError);
    expect(() => findSmoothPath(mesh, [0, 0, 0], [0, 0, 0], { crossings: 'some' as never })).toThrow(RangeError);
  });

  it('allocates nothing after warm-up', () => {
    const random = seeded(5);
    const mesh = tiledMesh();
    for (let i = 0; i < 9; i++) {
      addTile(
        mesh,
        squaresTile(
          i % 3,
          Math.floor(i / 3),
          0,
          6,
          () => random() < 0.9,
          (x, z) => 0.1 * x - 0.05 * z,
        ),
      );
    }
    const ends = Array.from({ length: 32 }, () => Float64Array.of(random() * 36, 0, random() * 36));
    for (const end of ends) end[1] = 0.1 * end[0] - 0.05 * end[2];
    const found = ends.map((end, i) => {
      const buffer = createPathBuffer();
      findPathInto(buffer, createSearchState(), mesh, {
        start: end,
        end: ends[(i + 7) % 32],
        halfExtents: Float64Array.of(3, 3, 3),
        filter: DEFAULT_FILTER,
        maxNodes: Infinity,
      });
      return buffer;
    });
    const out = createSmoothLine();
    out.step = 0.37;
    let points = 0;
    const run = (rounds: number): void => {
      for (let i = 0; i < rounds; i++) {
        smoothLineInto(out, mesh, found[i % 32].corridor, found[i % 32].line);
        points += out.count;
      }
    };
    expectNoAllocation(run, 2000, 64);
    expect(points).toBeGreaterThan(10_000);
  });
});
