import { describe, expect, it } from 'vitest';
import { NULL_REF, refOf } from '../../../src/mesh/ref.ts';
import { addTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import { closestPointOnPoly } from '../../../src/mesh/ground.ts';
import { getHeight } from '../../../src/query/height.ts';
import { findNearestOnIsland } from '../../../src/query/nearest/on-island.ts';
import { createNearestHit, findNearest } from '../../../src/query/nearest/nearest.ts';
import { createNavMesh } from '../../../src/mesh/create.ts';
import {
  AGENT,
  bumpTile,
  gridTile,
  meshOf,
  movedTile,
  rampMesh,
  seeded,
  storeysMesh,
  tileOf,
  wornMesh,
} from '../meshes.ts';

/** Returns the corners of the part of a polygon within a box, seen from above. */
function cornersWithin(mesh: NavMesh, poly: number, point: number[], half: number[]): number[][] {
  const first = mesh.polyEdgeStart[poly];
  let ring: number[][] = [];
  for (let e = first; e < first + mesh.polyVertexCount[poly]; e++) {
    const v = 3 * mesh.edgeVertex[e];
    ring.push([mesh.vertices[v], mesh.vertices[v + 1], mesh.vertices[v + 2]]);
  }
  for (let cut = 0; cut < 4 && ring.length > 0; cut++) {
    const axis = cut & 2;
    const side = cut & 1 ? 1 : -1;
    const kept: number[][] = [];
    let a = ring[ring.length - 1];
    let depth = half[axis] - side * (a[axis] - point[axis]);
    for (const b of ring) {
      const next = half[axis] - side * (b[axis] - point[axis]);
      const share = depth / (depth - next);
      if (depth >= 0 !== next >= 0) kept.push(a.map((value, i) => value + share * (b[i] - value)));
      if (next >= 0) kept.push(b);
      a = b;
      depth = next;
    }
    ring = kept;
  }
  return ring;
}

/** Returns the point of a ring's sides that is closest to a point, seen from above. */
function closestOnRing(ring: number[][], point: number[]): number[] | undefined {
  let best: number[] | undefined;
  let least = Infinity;
  ring.forEach((a, k) => {
    const b = ring[(k + 1) % ring.length];
    const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
    const along = ((point[0] - a[0]) * dx + (point[2] - a[2]) * dz) / (dx * dx + dz * dz);
    const s = Math.min(1, Math.max(0, along || 0));
    const at = a.map((value, i) => value + s * (b[i] - value));
    const distance = Math.hypot(at[0] - point[0], at[2] - point[2]);
    if (distance < least) [least, best] = [distance, at];
  });
  return best;
}

/** Applies the rule of findNearest to all polygons. */
function bruteForce(
  mesh: NavMesh,
  point: number[],
  half: number[],
): { poly: number; score: number; distanceSq: number } {
  const best = { poly: -1, score: Infinity, distanceSq: Infinity };
  const out = new Float64Array(3);
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) {
      const isOver = closestPointOnPoly(out, mesh, poly, Float64Array.from(point));
      if ([0, 2].some((k) => Math.abs(out[k] - point[k]) > half[k])) {
        const at = closestOnRing(cornersWithin(mesh, poly, point, half), point);
        if (at === undefined) continue;
        out.set(at);
      }
      const d = [0, 1, 2].map((k) => Math.abs(out[k] - point[k]));
      if (d[1] > half[1]) continue;
      const distanceSq = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
      const score = isOver ? Math.max(d[1] - mesh.agent.maxClimb, 0) ** 2 : distanceSq;
      if (score < best.score || (score === best.score && distanceSq < best.distanceSq))
        Object.assign(best, { poly, score, distanceSq });
    }
  }
  return best;
}

describe('findNearest', () => {
  it('agrees with a scan of all polygons', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seeded(seed);
      const isTiled = seed % 3 === 0;
      const tile = gridTile(
        8,
        8,
        () => random() < 0.6,
        () => Math.floor(random() * 5) / 2,
      );
      // Turned, squares may reach into a corner of the box while their closest points are outside.
      for (let v = 0; seed % 3 === 1 && v < tile.vertices.length; v += 3) {
        const [x, z] = [tile.vertices[v] - 4, tile.vertices[v + 2] - 4];
        tile.vertices[v] = 4 + 0.8 * x - 0.6 * z;
        tile.vertices[v + 2] = 4 + 0.6 * x + 0.8 * z;
      }
      let mesh = meshOf(
        tile,
        gridTile(
          8,
          8,
          () => random() < 0.4,
          () => 3 + random(),
        ),
      );
      if (isTiled) {
        mesh = createNavMesh({ agent: AGENT, tileSize: 8, cellSize: 0.2 });
        for (let x = -2; x < 3; x++) for (let z = -2; z < 3; z++) addTile(mesh, movedTile(tile, x, z, 8));
      }
      for (let i = 0; i < 60; i++) {
        const point = [random() * 10 - 1, random() * 7 - 1, random() * 10 - 1];
        if (i % 4 === 0) point[0] = Math.round(point[0]);
        if (i % 8 === 0) point[2] = Math.round(point[2]);
        const half = [random() * 3, random() * 4, random() * 3];
        const expected = bruteForce(mesh, point, half);
        const found = findNearest(mesh, point, { halfExtents: half });
        expect([found.poly, found.found], `seed ${seed}, point ${point}`).toEqual([expected.poly, expected.poly >= 0]);
        if (found.found) expect(found.distance ** 2).toBeCloseTo(expected.distanceSq, 9);
      }
    }
  });

  it('finds the same point of flat ground however it is cut', () => {
    // A triangle whose side x + z = -2.5 faces the positions, cut into up to eight triangles at its tip.
    const cutInto = (count: number): NavMesh => {
      const side = Array.from({ length: count + 1 }, (_, k) => [0.5 - (3.5 * k) / count, 0, -3 + (3.5 * k) / count]);
      const polys = Array.from({ length: count }, (_, k) => ({ corners: [k, k + 1, count + 1] }));
      return meshOf(tileOf([...side, [1, 0, 1]], polys));
    };
    const cuts = [1, 2, 5, 8].map(cutInto);
    // The closest point of the side, (-2.25, 0, -0.25), is not in the box, but (-2.3, 0, -0.2) is.
    const found = cuts.map((mesh) => findNearest(mesh, [-3, 0, -1], { halfExtents: [0.7, 1, 1.3] }));
    for (const { point } of found) {
      expect(point[0]).toBeCloseTo(-2.3, 12);
      expect(point[2]).toBeCloseTo(-0.2, 12);
    }
  });

  it('searches everywhere with infinite half extents', () => {
    for (let seed = 1; seed <= 25; seed++) {
      const random = seeded(seed);
      const tile = gridTile(
        8,
        8,
        () => random() < 0.3,
        () => Math.floor(random() * 5) / 2,
      );
      const mesh = createNavMesh({ agent: AGENT, tileSize: 8, cellSize: 0.2 });
      for (let x = -2; x < 3; x++)
        for (let z = -2; z < 3; z++) if (random() < 0.4) addTile(mesh, movedTile(tile, x, z, 8));
      for (let i = 0; i < 20; i++) {
        const size = 10 ** (1 + (i % 5));
        const point = [random() - 0.5, 0.2 * (random() - 0.5), random() - 0.5].map((value) => value * size);
        const expected = bruteForce(mesh, point, [Infinity, Infinity, Infinity]);
        const found = findNearest(mesh, point, { halfExtents: Infinity });
        expect(found.poly, `seed ${seed}, point ${point}`).toBe(expected.poly);
        if (found.found) expect(found.distance / Math.sqrt(expected.distanceSq) || 1).toBeCloseTo(1, 12);
      }
    }
    expect(() => findNearest(createNavMesh({ agent: AGENT }), [0, 0, 0], { halfExtents: -1 })).toThrow(/halfExtents/);
  });

  it('prefers the surface below the point within a step, otherwise the closest one', () => {
    const mesh = storeysMesh();
    expect(findNearest(mesh, [1.5, 0.2, 1.5]).point).toEqual([1.5, 0, 1.5]);
    expect(findNearest(mesh, [1.5, 2.9, 1.5])).toMatchObject({ isOver: true, point: [1.5, 3, 1.5] });
    expect(findNearest(mesh, [-0.5, 0, 1.5])).toMatchObject({ isOver: false, point: [0, 0, 1.5], distance: 0.5 });
    expect(findNearest(mesh, [1.5, 1.4, 1.5], { halfExtents: [1, 1, 1] })).toEqual({
      found: false,
      ref: NULL_REF,
      poly: -1,
      point: [1.5, 1.4, 1.5],
      distance: Infinity,
      isOver: false,
    });
    expect(findNearest(rampMesh(), [4.25, 2.3, 1]).point).toEqual([4.25, 2.125, 1]);
  });

  it('skips polygons that the filter excludes', () => {
    const mesh = meshOf(gridTile(3, 1));
    mesh.polyFlags[1] = 4;
    const found = findNearest(mesh, [1.4, 0, 0.5], { filter: createFilter({ excludeFlags: 4 }) });
    expect(found.point).toEqual([1, 0, 0.5]);
    expect(found.ref).toBe(refOf(mesh, 0));
  });

  it('refuses bad positions', () => {
    const mesh = meshOf(gridTile(1, 1));
    expect(() => findNearest(mesh, undefined as unknown as number[])).toThrow(/findNearest: point is undefined/);
    expect(() => findNearest(mesh, [0, 0, 0], { halfExtents: [1, NaN, 1] })).toThrow(/halfExtents is \[1, NaN, 1\]/);
  });

  it('finds the nearest point of an island, like a scan of all its polygons', () => {
    const hit = createNearestHit();
    const out = new Float64Array(3);
    for (let seed = 1; seed <= 40; seed++) {
      const random = seeded(seed);
      const mesh = meshOf(
        gridTile(
          9,
          9,
          () => random() < 0.55,
          () => random(),
        ),
      );
      for (let i = 0; i < 20; i++) {
        const from = Math.floor(random() * mesh.polyCount);
        const point = Float64Array.of(random() * 12 - 2, random() * 3, random() * 12 - 2);
        findNearestOnIsland(hit, mesh, from, point, createFilter());
        let best = Infinity;
        for (let poly = 0; poly < mesh.polyCount; poly++) {
          if (mesh.polyIsland[poly] !== mesh.polyIsland[from]) continue;
          closestPointOnPoly(out, mesh, poly, Float64Array.from(point));
          best = Math.min(best, (out[0] - point[0]) ** 2 + (out[1] - point[1]) ** 2 + (out[2] - point[2]) ** 2);
        }
        expect(hit.distanceSq, `seed ${seed}, ${i}`).toBeCloseTo(best, 12);
        expect(mesh.polyIsland[hit.poly]).toBe(mesh.polyIsland[from]);
      }
    }
  });
});

describe('getHeight', () => {
  it('follows the detail triangles', () => {
    const mesh = meshOf(bumpTile());
    const ref = refOf(mesh, 0);
    expect(getHeight(mesh, ref, 0.5, 0.5)).toBe(1);
    expect(getHeight(mesh, ref, 0.25, 0.5)).toBe(0.5);
    expect(getHeight(mesh, ref, 0, 0.3)).toBe(0);
    expect(getHeight(mesh, ref, 1, 1)).toBe(0);
    expect(getHeight(mesh, ref, 1.01, 0.5)).toBeNull();
    expect(getHeight(mesh, NULL_REF, 0.5, 0.5)).toBeNull();
  });

  it('is continuous over each polygon, at any distance from the origin', () => {
    for (const at of [0, 1e5]) {
      const mesh = meshOf(movedTile(bumpTile(), at, -at, 1));
      const ref = refOf(mesh, 0);
      for (let i = 0; i <= 20; i++) {
        for (let k = 0; k <= 20; k++) {
          const [x, z] = [i / 20, k / 20];
          const expected = 2 * Math.min(x, z, 1 - x, 1 - z);
          expect(getHeight(mesh, ref, x + at, z - at)).toBeCloseTo(expected, 9);
        }
      }
    }
  });

  it('agrees with findNearest wherever a point is over a polygon', () => {
    const mesh = wornMesh();
    const random = seeded(5);
    for (let i = 0; i < 200; i++) {
      const found = findNearest(mesh, [random() * 50, random() - 0.5, random() * -50]);
      if (found.isOver) expect(getHeight(mesh, found.ref, found.point[0], found.point[2])).toBe(found.point[1]);
    }
  });
});
