/**
 * Walking queries on worlds of squares, cut into tiles whose borders do not match, compared with brute force on unit
 * cells in whole numbers. Many rays pass through corners and along edges. NAVKILN_WALKS sets the number of calls per
 * world (default 100).
 */
import { describe, expect, it } from 'vitest';
import { polyIndexOf, refOf } from '../../src/mesh/ref.ts';
import { addTile } from '../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findLocalNeighborhood } from '../../src/query/walk/neighborhood.ts';
import { raycast } from '../../src/query/ray/raycast.ts';
import { moveAlongSurface } from '../../src/query/walk/slide.ts';
import { getWallSegments } from '../../src/query/walk/wall-segments.ts';
import { findDistanceToWall } from '../../src/query/walk/wall.ts';
import { seeded } from '../unit/meshes.ts';
import { TILE, squaresTile, tiledMesh } from '../unit/mesh/tiled-meshes.ts';

const CALLS = Number(process.env.NAVKILN_WALKS ?? 50);
const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const SIZE = 3;
const CELLS = SIZE * TILE;

interface World {
  mesh: NavMesh;
  offset: number[];
  /** Polygon of each unit cell, or -1. */
  cell: Int32Array;
  /** min x, min z, max x, max z of each polygon. */
  boxes: number[][];
}

function makeWorld(seed: number, offset: number[]): World {
  const random = seeded(seed);
  const mesh = tiledMesh(offset);
  const share = 0.65 + 0.3 * random();
  for (let z = 0; z < SIZE; z++) {
    for (let x = 0; x < SIZE; x++) {
      const n = [2, 3, 4, 6, 12][Math.floor(random() * 5)];
      const tile = squaresTile(
        x,
        z,
        0,
        n,
        () => random() < share,
        (wx, wz) => 0.1 * wx - 0.05 * wz,
        offset,
      );
      if (tile.polyCount > 0) addTile(mesh, tile);
    }
  }
  expect(validateNavMesh(mesh)).toEqual([]);
  const cell = new Int32Array(CELLS * CELLS).fill(-1);
  const boxes: number[][] = [];
  for (let p = 0; p < mesh.polyCount; p++) {
    const corners = Array.from({ length: 4 }, (_, k) => 3 * mesh.edgeVertex[mesh.polyEdgeStart[p] + k]);
    const xs = corners.map((v) => mesh.vertices[v] - offset[0]);
    const zs = corners.map((v) => mesh.vertices[v + 2] - offset[2]);
    boxes.push([Math.min(...xs), Math.min(...zs), Math.max(...xs), Math.max(...zs)]);
    const [x0, z0, x1, z1] = boxes[p];
    for (let z = z0; z < z1; z++) for (let x = x0; x < x1; x++) cell[z * CELLS + x] = p;
  }
  return { mesh, offset, cell, boxes };
}

const at = (w: World, x: number, z: number): number =>
  x < 0 || z < 0 || x >= CELLS || z >= CELLS ? -1 : w.cell[z * CELLS + x];

/** A polygon and a point of it on half units: a corner, on an edge, or inside. */
function spot(w: World, random: () => number): { poly: number; x: number; z: number } {
  const poly = Math.floor(random() * w.mesh.polyCount);
  const [x0, z0, x1, z1] = w.boxes[poly];
  const half = (low: number, high: number): number => low + Math.floor(random() * (2 * (high - low) + 1)) / 2;
  return { poly, x: half(x0, x1), z: half(z0, z1) };
}

/**
 * Returns the fraction of the walk that the ray gets, in whole numbers: positions are in half units, times along the
 * ray in 1 / d.
 */
function bruteRay(w: World, poly: number, sx: number, sz: number, ex: number, ez: number): number {
  const [x, z, dx, dz] = [2 * sx, 2 * sz, 2 * (ex - sx), 2 * (ez - sz)];
  const d = 2 * Math.max(Math.abs(dx), 1) * Math.max(Math.abs(dz), 1);
  const times = new Set([0, d]);
  for (let g = -2; g <= 2 * CELLS + 2; g += 2) {
    for (const [from, delta] of [
      [x, dx],
      [z, dz],
    ]) {
      if (delta === 0) continue;
      const n = ((g - from) * d) / delta;
      if (n > 0 && n < d) times.add(n);
    }
  }
  const sorted = [...times].sort((a, b) => a - b);
  // Cells whose closed square holds the point at n / d, as numbers.
  const cellsAt = (n: number): number[] => {
    const [px, pz] = [x * d + dx * n, z * d + dz * n];
    const out: number[] = [];
    const [cx, cz] = [Math.floor(px / (2 * d)), Math.floor(pz / (2 * d))];
    for (let k = cz - 1; k <= cz; k++) {
      for (let i = cx - 1; i <= cx; i++) {
        const isIn = px >= 2 * i * d && px <= 2 * (i + 1) * d && pz >= 2 * k * d && pz <= 2 * (k + 1) * d;
        if (isIn && at(w, i, k) >= 0) out.push(k * CELLS + i);
      }
    }
    return out;
  };
  let state = cellsAt(0).filter((c) => w.cell[c] === poly);
  for (let k = 0; k + 1 < sorted.length; k++) {
    const around = cellsAt(sorted[k]);
    const reached = new Set(state);
    for (const c of reached) {
      for (const o of around) {
        const apart = Math.abs((c % CELLS) - (o % CELLS)) + Math.abs(Math.floor(c / CELLS) - Math.floor(o / CELLS));
        if (apart === 1) reached.add(o);
      }
    }
    state = cellsAt((sorted[k] + sorted[k + 1]) / 2).filter((c) => reached.has(c));
    if (state.length === 0) return sorted[k] / d;
  }
  return 1;
}

interface Side {
  /** Fixed coordinate's axis (0 x, 1 z), its value, and the range along the other axis. */
  axis: number;
  value: number;
  low: number;
  high: number;
  /** Polygons behind with their ranges, and what is left. */
  open: { poly: number; low: number; high: number }[];
  walls: [number, number][];
}

function sidesOf(w: World, poly: number): Side[] {
  const [x0, z0, x1, z1] = w.boxes[poly];
  return [
    [0, x0, z0, z1, -1],
    [0, x1, z0, z1, 0],
    [1, z0, x0, x1, -1],
    [1, z1, x0, x1, 0],
  ].map(([axis, value, low, high, d]) => {
    const side: Side = { axis, value, low, high, open: [], walls: [] };
    for (let k = low; k < high; k++) {
      const other = axis === 0 ? at(w, value + d, k) : at(w, k, value + d);
      const last = side.open[side.open.length - 1];
      const wall = side.walls[side.walls.length - 1];
      if (other < 0 && wall !== undefined && wall[1] === k) wall[1]++;
      else if (other < 0) side.walls.push([k, k + 1]);
      else if (last !== undefined && last.poly === other) last.high++;
      else side.open.push({ poly: other, low: k, high: k + 1 });
    }
    return side;
  });
}

function distance(side: Side, low: number, high: number, x: number, z: number): number {
  const [across, along] = side.axis === 0 ? [x - side.value, z] : [z - side.value, x];
  const d = along < low ? low - along : along > high ? along - high : 0;
  return Math.sqrt(across * across + d * d);
}

/** Polygons reached through sides that are near: `isNear` is asked of a side and the range of the opening. */
function flood(w: World, start: number, isNear: (side: Side, low: number, high: number) => boolean): number[] {
  const found = [start];
  for (const poly of found) {
    for (const side of sidesOf(w, poly)) {
      for (const { poly: other, low, high } of side.open) {
        if (!found.includes(other) && isNear(side, low, high)) found.push(other);
      }
    }
  }
  return found;
}

const touching = (a: number[], b: number[]): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

describe.each([
  ['at the origin', [0, 0, 0]],
  ['100 km away', [100_000, 30, -100_000]],
])('walking on squares %s', (_, offset) => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7])('world %i', (k) => {
    const seed = SEED * 1000 + k;
    const w = makeWorld(seed, offset);
    const { mesh } = w;
    const random = seeded(seed + 500);
    const point = (x: number, z: number): number[] => [x + offset[0], 0.1 * x - 0.05 * z + offset[1], z + offset[2]];
    const isChain = (polys: number[]): boolean =>
      polys.every(
        (poly, i) => i === 0 || sidesOf(w, poly).some((side) => side.open.some((open) => open.poly === polys[i - 1])),
      );
    for (let i = 0; i < CALLS; i++) {
      const { poly, x, z } = spot(w, random);
      const startRef = refOf(mesh, poly);
      const reach = [1, 4, 40][i % 3];
      const there = spot(w, random);
      const ex = i % 2 === 0 ? there.x : x + Math.round((random() * 2 - 1) * reach * 2) / 2;
      const ez = i % 2 === 0 ? there.z : z + Math.round((random() * 2 - 1) * reach * 2) / 2;
      const what = `seed ${seed}, call ${i}: polygon ${poly}, ${x} ${z} to ${ex} ${ez}`;

      const ray = raycast(mesh, point(x, z), point(ex, ez), { startRef, withCost: true, withPolys: true });
      const t = bruteRay(w, poly, x, z, ex, ez);
      expect(ray.t, what).toBeCloseTo(t, 9);
      expect(ray.status, what).toBe(t === 1 && ray.t === 1 ? 'reached' : 'wall');
      expect(ray.edge >= 0, what).toBe(ray.status === 'wall');
      expect(ray.normal[0] * (ex - x) + ray.normal[2] * (ez - z), what).toBeLessThanOrEqual(1e-12);
      const polys = ray.polys.map((ref) => polyIndexOf(mesh, ref));
      expect(isChain(polys), `${what}: ${polys}`).toBe(true);
      expect(polys[polys.length - 1], what).toBe(polyIndexOf(mesh, ray.ref));
      const hit = point(x + t * (ex - x), z + t * (ez - z));
      hit.forEach((value, axis) => expect(ray.point[axis], what).toBeCloseTo(value, 6));
      const slope = 0.1 * (ex - x) - 0.05 * (ez - z);
      expect(ray.cost, what).toBeCloseTo(t * Math.hypot(ex - x, ez - z, slope), 6);

      const slide = moveAlongSurface(mesh, point(x, z), point(ex, ez), { startRef });
      const radius = Math.hypot(ex - x, ez - z, slope) / 2 + 0.001;
      const region = flood(
        w,
        poly,
        (side) => distance(side, side.low, side.high, (x + ex) / 2, (z + ez) / 2) <= radius,
      );
      const isIn = region.some((p) => touching([ex, ez, ex, ez], w.boxes[p]));
      let best = Math.hypot(ex - x, ez - z);
      const walls = region.flatMap((p) =>
        sidesOf(w, p).flatMap((side) => side.walls.map(([l, h]) => distance(side, l, h, ex, ez))),
      );
      if (walls.length > 0) best = Math.min(...walls);
      const sx = slide.point[0] - offset[0];
      const sz = slide.point[2] - offset[2];
      expect(Math.hypot(sx - ex, sz - ez), what).toBeCloseTo(isIn ? 0 : best, 6);
      expect(slide.status === 'reached', what).toBe(isIn);
      const way = slide.polys.map((ref) => polyIndexOf(mesh, ref));
      expect(way[0], what).toBe(poly);
      expect(isChain(way), what).toBe(true);
      expect(touching([sx - 1e-9, sz - 1e-9, sx + 1e-9, sz + 1e-9], w.boxes[way[way.length - 1]]), what).toBe(true);
      expect(slide.point[1] - offset[1], what).toBeCloseTo(0.1 * sx - 0.05 * sz, 6);

      const most = [0.5, 3, 20][i % 3] + random();
      const wall = findDistanceToWall(mesh, point(x, z), most, { startRef });
      const around = flood(w, poly, (side, low, high) => distance(side, low, high, x, z) <= most);
      const nearest = Math.min(
        Infinity,
        ...around.flatMap((p) =>
          sidesOf(w, p).flatMap((side) => side.walls.map(([l, h]) => distance(side, l, h, x, z))),
        ),
      );
      expect(wall.status, what).toBe(nearest <= most ? 'found' : 'none');
      if (nearest <= most) {
        expect(wall.distance, what).toBeCloseTo(nearest, 9);
        expect(Math.hypot(wall.point[0] - offset[0] - x, wall.point[2] - offset[2] - z), what).toBeCloseTo(nearest, 6);
        expect(Math.hypot(...wall.normal), what).toBeCloseTo(1, 9);
        if (nearest > 0) expect(wall.point[0] - offset[0] + nearest * wall.normal[0], what).toBeCloseTo(x, 6);
      } else {
        expect([wall.distance, wall.normal, wall.ref], what).toEqual([Infinity, [0, 0, 0], 0]);
      }
      const near = findLocalNeighborhood(mesh, point(x, z), most, { startRef });
      expect(
        near.polys.map((ref) => polyIndexOf(mesh, ref)).sort((a, b) => a - b),
        what,
      ).toEqual(around.sort((a, b) => a - b));
      expect(
        near.parents.slice(1).every((ref) => near.polys.includes(ref)),
        what,
      ).toBe(true);
    }
    for (let poly = 0; poly < mesh.polyCount; poly++) {
      const ref = refOf(mesh, poly);
      const text = (axis: number, value: number, low: number, high: number, other: number): string =>
        `${axis} ${value} ${low} ${high} ${other}`;
      const brute = sidesOf(w, poly).flatMap(({ axis, value, walls, open }) => [
        ...walls.map(([low, high]) => text(axis, value, low, high, -1)),
        ...open.map((one) => text(axis, value, one.low, one.high, one.poly)),
      ]);
      const ours = getWallSegments(mesh, ref, { withPortals: true })!.map(({ start, end, ref: behind }) => {
        const [ax, az, bx, bz] = [
          start[0] - offset[0],
          start[2] - offset[2],
          end[0] - offset[0],
          end[2] - offset[2],
        ].map((value) => Math.round(value * 1e6) / 1e6);
        const axis = ax === bx ? 0 : 1;
        const [low, high] = [axis === 0 ? az : ax, axis === 0 ? bz : bx].sort((a, b) => a - b);
        return text(axis, axis === 0 ? ax : az, low, high, polyIndexOf(mesh, behind));
      });
      expect(ours.sort(), `seed ${seed}, polygon ${poly}`).toEqual(brute.sort());
      expect(getWallSegments(mesh, ref)!.every(({ ref: behind }) => behind === 0)).toBe(true);
    }
  });

  it('sees each corner of a path from the one before', () => {
    let legs = 0;
    for (let seed = 50; seed < 54; seed++) {
      const w = makeWorld(seed, offset);
      const random = seeded(seed);
      for (let i = 0; i < 50; i++) {
        const [a, b] = [spot(w, random), spot(w, random)];
        const path = findPath(
          w.mesh,
          [a.x + offset[0], 0.1 * a.x - 0.05 * a.z + offset[1], a.z + offset[2]],
          [b.x + offset[0], 0.1 * b.x - 0.05 * b.z + offset[1], b.z + offset[2]],
          { halfExtents: [0.1, 2, 0.1] },
        );
        for (let k = 0; k + 1 < path.points.length; k++) {
          const [p, q] = [path.points[k], path.points[k + 1]];
          const place = [p[0] - offset[0], p[2] - offset[2]];
          // The corridor may come to the corner twice, from both sides of a pillar that only touches the next one there.
          const rays = path.polys
            .filter((ref) => touching([...place, ...place], w.boxes[polyIndexOf(w.mesh, ref)]))
            .map((startRef) => raycast(w.mesh, p, q, { startRef }));
          expect(
            rays.some((ray) => ray.status === 'reached'),
            `seed ${seed}, path ${i}: ${p} to ${q}`,
          ).toBe(true);
          legs++;
        }
      }
    }
    expect(legs).toBeGreaterThan(300);
  });
});
