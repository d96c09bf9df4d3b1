/** Raycast, slide, walls and neighborhood on small meshes. */
import { expectNoAllocation } from '../../allocation.ts';
import type { PolyRef } from '../../../src/mesh/types.ts';
import { describe, expect, it } from 'vitest';
import { NULL_REF, polyIndexOf, refOf } from '../../../src/mesh/ref.ts';
import { addTile, removeTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import {
  createNeighborhood,
  findLocalNeighborhood,
  findLocalNeighborhoodInto,
} from '../../../src/query/walk/neighborhood.ts';
import { createRayHit } from '../../../src/query/ray/hit.ts';
import { raycast, raycastInto } from '../../../src/query/ray/raycast.ts';
import { createSearchState } from '../../../src/query/search-state.ts';
import { createSlide, moveAlongSurface, moveAlongSurfaceInto } from '../../../src/query/walk/slide.ts';
import { addWallSegments, createWallSegments, getWallSegments } from '../../../src/query/walk/wall-segments.ts';
import { createWallHit, findDistanceToWall, findDistanceToWallInto } from '../../../src/query/walk/wall.ts';
import { gridTile, meshOf, rampMesh, ringMesh, seeded, storeysMesh, stripMesh, tileOf } from '../meshes.ts';
import { TILE, squaresTile, tiledMesh } from '../mesh/tiled-meshes.ts';

const polysOf = (mesh: NavMesh, refs: readonly number[]): number[] =>
  refs.map((ref) => polyIndexOf(mesh, ref as never));

/** Two squares that meet in (1, 1) alone. */
const pinchMesh = (): NavMesh => meshOf(gridTile(2, 2, (x, z) => x === z));

/** A ramp of n eighths of a ring, winding up around (0, 0): it lies over itself after eight. */
function spiralMesh(n: number): NavMesh {
  const vertices: number[][] = [];
  for (let i = 0; i <= n; i++) {
    const angle = (i * Math.PI) / 4;
    for (const radius of [1, 2]) vertices.push([radius * Math.cos(angle), 0.4 * i, -radius * Math.sin(angle)]);
  }
  return meshOf(
    tileOf(
      vertices,
      Array.from({ length: n }, (_, i) => ({ corners: [2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2] })),
    ),
  );
}

describe('raycast', () => {
  it('returns distance, position, wall, polygons and cost', () => {
    const mesh = ringMesh();
    const hit = raycast(mesh, [0.5, 0, 1.5], { x: 2.5, y: 0, z: 1.5 }, { withCost: true, withPolys: true });
    expect(hit).toMatchObject({ status: 'wall', t: 0.25, point: [1, 0, 1.5], normal: [-1, 0, 0], cost: 0.5 });
    expect(polysOf(mesh, hit.polys)).toEqual([polyIndexOf(mesh, hit.ref)]);
    const seen = raycast(mesh, Float32Array.of(0.5, 0, 0.5), [2.5, 0, 0.75], { withPolys: true });
    expect(seen).toMatchObject({ status: 'reached', t: 1, point: [2.5, 0, 0.75], normal: [0, 0, 0], edge: -1 });
    expect(seen.polys.length).toBe(3);
    expect(seen.cost).toBeNaN();
    expect(raycast(mesh, [9, 0, 9], [1, 0, 1])).toMatchObject({
      status: 'off-mesh',
      t: 0,
      ref: NULL_REF,
      polys: [],
      point: [9, 0, 9],
    });
  });

  it('does not slip through between two walls that meet in a corner', () => {
    const mesh = pinchMesh();
    for (const [x, z] of [
      [0.5, 0.5],
      [0, 0],
      [0.25, 0.25],
    ]) {
      const hit = raycast(mesh, [x, 0, z], [1.75, 0, 1.75], { startRef: refOf(mesh, 0), withPolys: true });
      expect(hit).toMatchObject({ status: 'wall', point: [1, 0, 1] });
      expect(hit.polys.length).toBe(1);
      expect(hit.edge).toBeGreaterThanOrEqual(0);
    }
    expect(raycast(mesh, [1, 0, 1], [2, 0, 2], { startRef: refOf(mesh, 0) })).toMatchObject({ status: 'wall', t: 0 });
    expect(raycast(mesh, [1, 0, 1], [2, 0, 2], { startRef: refOf(mesh, 1) })).toMatchObject({ status: 'reached' });
  });

  it('touches walls and corners, and runs along edges', () => {
    const mesh = ringMesh();
    const clear = [
      [0, 1, 3, 1],
      [0, 0, 3, 0],
      [3, 3, 0, 3],
      [1, 0, 1, 3],
      [0, 2, 2, 0],
      [0.5, 1.5, 1.5, 0.5],
      [1, 1, 1, 1],
      [2, 2, 2, 1],
      [0, 0, 1, 1],
    ];
    for (const [ax, az, bx, bz] of clear) {
      for (const [from, to] of [
        [
          [ax, 0, az],
          [bx, 0, bz],
        ],
        [
          [bx, 0, bz],
          [ax, 0, az],
        ],
      ]) {
        expect(raycast(mesh, from, to), `${from} to ${to}`).toMatchObject({ status: 'reached', t: 1, point: to });
      }
    }
    expect(raycast(mesh, [0, 0, 0], [3, 0, 3])).toMatchObject({ status: 'wall', point: [1, 0, 1] });
    expect(raycast(mesh, [0, 0, 1], [-1, 0, 1])).toMatchObject({ status: 'wall', t: 0 });
    expect(raycast(mesh, [1, 0, 0], [1, 0, 4])).toMatchObject({ status: 'wall', t: 0.75, point: [1, 0, 3] });
  });

  it('starts at the nearest point when the start is outside its polygon', () => {
    const mesh = ringMesh();
    const ray = raycast(mesh, [-0.3, 0, 0.5], [2.5, 0, 0.5], { startRef: refOf(mesh, 0) });
    expect(ray).toMatchObject({ status: 'reached', point: [2.5, 0, 0.5] });
    // Slightly off a wall: along it, and away from it.
    for (const x of [-1e-17, 1e-17, -1e-13]) {
      const out = createRayHit();
      for (const end of [
        [2, 0.5],
        [1e-15, 2.5],
        [0, 2.5],
        [0.5, 2.5],
      ]) {
        raycastInto(
          out,
          mesh,
          0,
          Float64Array.of(x, 0, 0.5),
          Float64Array.of(end[0], 0, end[1]),
          createFilter(),
          false,
        );
        expect([out.status, out.t], `${x} to ${end}`).toEqual(['reached', 1]);
      }
      raycastInto(out, mesh, 0, Float64Array.of(x, 0, 0.5), Float64Array.of(-1, 0, 0.5), createFilter(), false);
      expect([out.status, out.t], `${x}`).toEqual(['wall', x < 0 ? 0 : expect.closeTo(0, 12)]);
    }
  });

  it('stays on its floor and takes heights from the surface', () => {
    const mesh = storeysMesh();
    expect(raycast(mesh, [0.5, 3, 0.5], [3.5, 0, 3.5]).point[1]).toBe(3);
    const ramp = rampMesh();
    const up = raycast(ramp, [0, 0, 1], [8, 0, 1], { withCost: true });
    expect(up.point).toEqual([8, 4, 1]);
    expect(up.cost).toBeCloseTo(Math.sqrt(80), 9);
  });

  it('crosses a thousand polygons', () => {
    const mesh = stripMesh(2000);
    const ray = raycast(mesh, [0.1, 0, 1], [99, 0, 1], { withPolys: true });
    expect(ray.status).toBe('reached');
    expect(ray.polys.length).toBeGreaterThan(1900);
  });

  it('respects filters, with and without methods', () => {
    const mesh = meshOf(gridTile(3, 1));
    mesh.polyFlags[1] = 2;
    expect(raycast(mesh, [0.5, 0, 0.5], [2.5, 0, 0.5], { filter: createFilter({ excludeFlags: 2 }) }).point[0]).toBe(1);
    const filter = createFilter({
      passes: (_, poly) => poly !== 2,
      cost: (_, { poly, length }) => length * (1 + poly),
    });
    expect(raycast(mesh, [0.5, 0, 0.5], [2.5, 0, 0.5], { filter, withCost: true })).toMatchObject({
      t: 0.75,
      cost: 2.5,
    });
  });
});

describe('moveAlongSurface', () => {
  it('slides along walls on the surface', () => {
    const mesh = ringMesh();
    expect(moveAlongSurface(mesh, [0.5, 0, 0.5], [-1, 0, 2])).toMatchObject({ status: 'blocked', point: [0, 0, 2] });
    const free = moveAlongSurface(mesh, [0.5, 0, 0.5], [2.5, 0, 0.5]);
    expect(free).toMatchObject({ status: 'reached', point: [2.5, 0, 0.5] });
    expect(polysOf(mesh, free.polys)).toEqual([0, 1, 2]);
    expect(free.ref).toBe(free.polys[2]);
    expect(moveAlongSurface(rampMesh(), [1, 0.5, 1], [3, 0, 1]).point).toEqual([3, 1.5, 1]);
    expect(moveAlongSurface(mesh, [9, 0, 9], [0, 0, 0])).toMatchObject({
      status: 'off-mesh',
      polys: [],
      ref: NULL_REF,
      point: [9, 0, 9],
    });
  });

  it('crosses hundreds of polygons', () => {
    const mesh = stripMesh(2000);
    const slide = moveAlongSurface(mesh, [1, 0, 1], [99, 0, 1]);
    expect(slide.status).toBe('reached');
    expect(slide.polys.length).toBeGreaterThan(1900);
  });
});

describe('walls', () => {
  it('are found within a distance', () => {
    const mesh = ringMesh();
    const wall = findDistanceToWall(mesh, [0.5, 0, 1.25], 5);
    expect(wall).toMatchObject({ status: 'found', distance: 0.5 });
    const corner = findDistanceToWall(meshOf(gridTile(4, 4, (x, z) => x < 3 || z < 3)), [2, 0, 2], 1.9);
    expect(corner).toMatchObject({ status: 'found', point: [3, 0, 3] });
    expect(corner.normal[0]).toBeCloseTo(-Math.SQRT1_2, 12);
    expect(findDistanceToWall(mesh, [0, 0, 1.5], 5)).toMatchObject({ distance: 0, normal: [1, 0, 0] });
    expect(findDistanceToWall(meshOf(gridTile(9, 9)), [4.5, 0, 4.5], 2)).toMatchObject({
      status: 'none',
      distance: Infinity,
    });
    expect(findDistanceToWall(mesh, [9, 0, 9], 1)).toMatchObject({ status: 'off-mesh', ref: NULL_REF });
  });

  it('are listed, with the portals between them', () => {
    const mesh = ringMesh();
    expect(getWallSegments(mesh, refOf(mesh, 0))!.map(({ start, end }) => [...start, ...end])).toEqual([
      [0, 0, 0, 0, 0, 1],
      [1, 0, 0, 0, 0, 0],
    ]);
    const all = getWallSegments(mesh, refOf(mesh, 0), { withPortals: true })!;
    expect(all.map(({ ref }) => polyIndexOf(mesh, ref))).toEqual([-1, 3, 1, -1]);
    const filter = createFilter({ passes: (_, poly) => poly !== 1 });
    expect(getWallSegments(mesh, refOf(mesh, 0), { filter })!.length).toBe(3);
  });

  it('are the parts of a border that no layer opens', () => {
    const mesh = tiledMesh();
    addTile(
      mesh,
      squaresTile(
        0,
        0,
        0,
        1,
        () => true,
        () => 0,
      ),
    );
    // Two layers next to it: each opens its part, and the parts overlap.
    addTile(
      mesh,
      squaresTile(
        1,
        0,
        0,
        4,
        (_, z) => z < 2,
        () => 0,
      ),
    );
    const upper = squaresTile(
      1,
      0,
      1,
      4,
      (_, z) => z === 1 || z === 2,
      () => 0.2,
    );
    addTile(mesh, upper);
    const walls = getWallSegments(mesh, refOf(mesh, 0))!;
    expect(
      walls
        .filter(({ start, end }) => start[0] === TILE && end[0] === TILE)
        .map(({ start, end }) => [start[2], end[2]]),
    ).toEqual([[12, 9]]);
    const open = getWallSegments(mesh, refOf(mesh, 0), { withPortals: true })!.filter(({ ref }) => ref !== NULL_REF);
    expect(open.length).toBe(4);
    expect(raycast(mesh, [6, 0, 10], [18, 0, 10])).toMatchObject({
      status: 'wall',
      point: [12, 0, 10],
      normal: [-1, 0, 0],
    });
    expect(moveAlongSurface(mesh, [11, 0, 10], [13, 0, 10])).toMatchObject({ status: 'blocked', point: [12, 0, 10] });
    expect(findDistanceToWall(mesh, [11.5, 0, 10], 3)).toMatchObject({ distance: 0.5 });
    expect(raycast(mesh, [6, 0, 8], [14, 0, 8]).status).toBe('reached');
  });
});

describe('findLocalNeighborhood', () => {
  it('skips polygons that overlap others', () => {
    const mesh = spiralMesh(20);
    for (let poly = 0; poly < 20; poly++) {
      const ref = refOf(mesh, poly);
      const found = polysOf(mesh, findLocalNeighborhood(mesh, [0, 0, 0], 2, { startRef: ref }).polys);
      // Places around the middle: each once.
      expect(found.map((p) => p % 8).sort(), `${poly}: ${found}`).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      expect(found[0]).toBe(poly);
    }
    expect(findLocalNeighborhood(mesh, [9, 9, 9], 1)).toEqual({ status: 'off-mesh', polys: [], parents: [] });
  });

  it('has no limit', () => {
    expect(findLocalNeighborhood(meshOf(gridTile(30, 30)), [15, 0, 15], 50).polys.length).toBe(900);
  });
});

describe('misuse', () => {
  it('reports stale refs and refuses wrong arguments', () => {
    const mesh = tiledMesh();
    addTile(
      mesh,
      squaresTile(
        0,
        0,
        0,
        2,
        () => true,
        () => 0,
      ),
    );
    const stale = refOf(mesh, 0);
    removeTile(mesh, 0);
    addTile(
      mesh,
      squaresTile(
        0,
        0,
        0,
        2,
        () => true,
        () => 0,
      ),
    );
    const p = [1, 0, 1];
    for (const ref of [stale, 0, NaN, -1, 1e300] as PolyRef[]) {
      const options = { startRef: ref };
      expect(raycast(mesh, p, p, options).status, `raycast ${ref}`).toBe('stale-ref');
      expect(moveAlongSurface(mesh, p, p, options).status, `moveAlongSurface ${ref}`).toBe('stale-ref');
      expect(findDistanceToWall(mesh, p, 1, options).status, `findDistanceToWall ${ref}`).toBe('stale-ref');
      expect(findLocalNeighborhood(mesh, p, 1, options).status, `findLocalNeighborhood ${ref}`).toBe('stale-ref');
      expect(getWallSegments(mesh, ref), `getWallSegments ${ref}`).toBeNull();
    }
    const calls: [string, (options: never) => unknown][] = [
      ['raycast', (options) => raycast(mesh, p, p, options)],
      ['moveAlongSurface', (options) => moveAlongSurface(mesh, p, p, options)],
      ['findDistanceToWall', (options) => findDistanceToWall(mesh, p, 1, options)],
      ['findLocalNeighborhood', (options) => findLocalNeighborhood(mesh, p, 1, options)],
    ];
    for (const [name, call] of calls) {
      expect(() => call({ startRef: '7' } as never)).toThrow(TypeError);
      expect(() => call({ startRef: '7' } as never)).toThrow(`${name}: options.startRef is "7"; must be a polygon ref`);
      expect(() => call({ radius: 1 } as never)).toThrow(`${name}: options.radius is unknown`);
    }
    expect(() => getWallSegments(mesh, stale, { portals: true } as never)).toThrow('getWallSegments: options.portals');
    expect(() => getWallSegments(mesh, '7' as never)).toThrow('getWallSegments: ref is "7"; must be a polygon ref');
    const bad = [NaN, 0, 0];
    expect(() => raycast(mesh, bad, p)).toThrow(/raycast: start is \[NaN/);
    expect(() => raycast(mesh, p, bad)).toThrow(TypeError);
    expect(() => moveAlongSurface(mesh, p, [0, Infinity, 0])).toThrow(/moveAlongSurface: end/);
    expect(() => findDistanceToWall(mesh, p, NaN)).toThrow(/maxDistance is NaN/);
    expect(() => findDistanceToWall(mesh, p, 0)).toThrow(RangeError);
    expect(() => findLocalNeighborhood(mesh, p, -1)).toThrow(/radius is -1/);
    expect(() => raycast(mesh, p, p, { halfExtents: [-1, 0, 0] })).toThrow(RangeError);
  });
});

describe('kernels', () => {
  it('allocate nothing after warm-up', () => {
    const mesh = tiledMesh();
    for (let i = 0; i < 4; i++) {
      addTile(
        mesh,
        squaresTile(
          i % 2,
          i >> 1,
          0,
          [6, 4, 12, 3][i],
          (x, z) => (7 * x + 3 * z) % 5 !== 0,
          (x, z) => x / 9 + z / 7,
        ),
      );
    }
    const random = seeded(11);
    const spots = Array.from({ length: 64 }, () => {
      const poly = Math.floor(random() * mesh.polyCount);
      const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly]];
      const point = Float64Array.from(
        mesh.vertices.subarray(v, v + 3),
        (value, k) => value + (k === 0 ? 0.5 : k === 2 ? 0.25 : 0),
      );
      return { poly, point };
    });
    const filter = createFilter();
    const state = createSearchState();
    const [ray, slide, wall, segments, near] = [
      createRayHit(),
      createSlide(),
      createWallHit(),
      createWallSegments(),
      createNeighborhood(),
    ];
    const run = (rounds: number): void => {
      for (let i = 0; i < rounds; i++) {
        const { poly, point } = spots[i % 64];
        const end = spots[(i * 5 + 1) % 64].point;
        raycastInto(ray, mesh, poly, point, end, filter, i % 2 === 0);
        moveAlongSurfaceInto(slide, state, mesh, poly, point, end, filter);
        findDistanceToWallInto(wall, state, mesh, poly, point, 5, filter);
        segments.count = 0;
        addWallSegments(segments, mesh, poly, filter, true);
        findLocalNeighborhoodInto(near, state, mesh, poly, point, 5, filter);
      }
    };
    expectNoAllocation(run, 4000, 16);
  });
});
