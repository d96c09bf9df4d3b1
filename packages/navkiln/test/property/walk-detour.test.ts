/**
 * Rays and slides compared with Detour on the same polygons: levels in one tile, and worlds of squares in many.
 * NAVKILN_WALKS sets the number of calls per level (default 300), NAVKILN_SEED the seed. docs/deviations.md lists the
 * allowed differences. Each one is recognized, counted and printed; any other difference fails.
 */
import { levelScenes } from 'navkiln-scenes';
import { Detour, Raw, init } from 'recast-navigation';
import { describe, expect, it } from 'vitest';
import { polyIndexOf, refOf } from '../../src/mesh/ref.ts';
import { addTile } from '../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { raycast } from '../../src/query/ray/raycast.ts';
import { moveAlongSurface } from '../../src/query/walk/slide.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { importToDetour } from '../golden/detour-import.ts';
import type { DetourTwin } from '../golden/detour-import.ts';
import { seeded } from '../unit/meshes.ts';
import { squaresTile, tiledMesh } from '../unit/mesh/tiled-meshes.ts';

const CALLS = Number(process.env.NAVKILN_WALKS ?? 150);
const SEED = Number(process.env.NAVKILN_SEED ?? 31);
const TOLERANCE = 1e-4;

type Point = [number, number, number];
const xyz = (p: readonly number[]): { x: number; y: number; z: number } => ({ x: p[0], y: p[1], z: p[2] });

function levelMesh(name: string): NavMesh {
  const scene = levelScenes.find((one) => one.name === name)!;
  const { navMesh } = buildNavMesh(scene.create(), { ...scene.options, maxVerticesPerPoly: 6 });
  // Detour's coordinates.
  navMesh.vertices.forEach((value, i) => {
    navMesh.vertices[i] = Math.fround(value);
  });
  return navMesh;
}

/** Squares of different sizes in nine tiles. */
function squaresMesh(): NavMesh {
  const random = seeded(5);
  const mesh = tiledMesh();
  for (let i = 0; i < 9; i++) {
    const n = [2, 3, 4, 6, 12][Math.floor(random() * 5)];
    addTile(
      mesh,
      squaresTile(
        i % 3,
        Math.floor(i / 3),
        0,
        n,
        () => random() < 0.85,
        (x, z) => 0.1 * x - 0.05 * z,
      ),
    );
  }
  return mesh;
}

/** Inside of a polygon: on a shared edge it is chance which polygon is meant. */
function spotOn(mesh: NavMesh, poly: number, random: () => number): Point {
  const point: Point = [0, 0, 0];
  let sum = 0;
  for (let k = 0; k < mesh.polyVertexCount[poly]; k++) {
    const weight = random() + 0.05;
    const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + k];
    for (let axis = 0; axis < 3; axis++) point[axis] += weight * mesh.vertices[v + axis];
    sum += weight;
  }
  return point.map((value) => Math.fround(value / sum)) as Point;
}

interface DetourRay {
  t: number;
  normal: Point;
  edge: number;
  polys: number[];
  cost: number;
}

/** Through the raw interface, with room for a path: the wrapper gives none, and so Detour records no polygons. */
function detourRay(twin: DetourTwin, poly: number, start: Point, end: Point): DetourRay {
  const heap = Raw.Module as unknown as { _malloc(n: number): number; _free(p: number): void; HEAPU32: Uint32Array };
  const hit = new Raw.Module.dtRaycastHit();
  const at = Raw.Module.getPointer(hit) >> 2;
  const room = heap._malloc(4 * 1024);
  heap.HEAPU32[at + 5] = room;
  heap.HEAPU32[at + 7] = 1024;
  const status = twin.query.raw.raycast(twin.refOf(poly), start, end, twin.query.defaultFilter.raw, 1, hit, 0);
  expect(status & Detour.DT_FAILURE).toBe(0);
  const polys = Array.from(heap.HEAPU32.subarray(room >> 2, (room >> 2) + hit.pathCount), (ref) =>
    twin.polyIndexOf(ref),
  );
  const normal = [0, 1, 2].map((k) => hit.get_hitNormal(k)) as Point;
  const found = { t: Math.min(hit.t, 1), normal, edge: hit.hitEdgeIndex, polys, cost: hit.pathCost };
  heap._free(room);
  Raw.Module.destroy(hit);
  return found;
}

/** How many polygons a slide looks at, those next to its region included, when nothing limits it. Detour has room for 64. */
function slideTouches(mesh: NavMesh, poly: number, start: Point, end: Point): number {
  const middle = [0, 2].map((k) => (start[k] + end[k]) / 2);
  const radius = Math.hypot(end[0] - start[0], end[1] - start[1], end[2] - start[2]) / 2 + 0.001;
  const found = [poly];
  const touched = new Set(found);
  for (const p of found) {
    const first = mesh.polyEdgeStart[p];
    const count = mesh.polyVertexCount[p];
    for (let k = 0; k < count; k++) {
      const [a, b] = [k, (k + 1) % count].map((c) => 3 * mesh.edgeVertex[first + c]);
      const [ux, uz] = [mesh.vertices[b] - mesh.vertices[a], mesh.vertices[b + 2] - mesh.vertices[a + 2]];
      const [px, pz] = [middle[0] - mesh.vertices[a], middle[1] - mesh.vertices[a + 2]];
      const s = Math.min(1, Math.max(0, (px * ux + pz * uz) / (ux * ux + uz * uz)));
      const behind = mesh.edgeNeighbor[first + k] >= 0 ? [mesh.edgeNeighbor[first + k]] : [];
      for (let l = mesh.polyPortal[p]; l >= 0; l = mesh.portalNext[l]) {
        if (mesh.portalEdge[l] === first + k) behind.push(mesh.portalPoly[l]);
      }
      for (const other of behind) touched.add(other);
      if (Math.hypot(px - s * ux, pz - s * uz) > radius) continue;
      for (const other of behind) if (!found.includes(other)) found.push(other);
    }
  }
  return touched.size;
}

describe('walking, against Detour', () => {
  it.each(['dungeon', 'terrain', 'tower', 'city', 'house', 'squares in tiles'])(`%s, seed ${SEED}`, async (name) => {
    await init();
    const mesh = name === 'squares in tiles' ? squaresMesh() : levelMesh(name);
    const isTiled = mesh.tileSlotCount > 1;
    const twin = await importToDetour(mesh);
    const random = seeded(SEED);
    const counts: Record<string, number> = {};
    const note = (key: string): void => {
      counts[key] = (counts[key] ?? 0) + 1;
    };
    for (let i = 0; i < CALLS; i++) {
      const poly = Math.floor(random() * mesh.polyCount);
      const start = spotOn(mesh, poly, random);
      const startRef = refOf(mesh, poly);
      // Detour is given the ground's height, too, as costs begin there.
      start[1] = Math.fround(findNearest(mesh, start, { halfExtents: [0, 5, 0] }).point[1]);
      const far = [0.5, 2, 8, 40][i % 4];
      const end = start.map((v, k) => Math.fround(k === 1 ? v : v + (random() * 2 - 1) * far)) as Point;
      const length = Math.hypot(end[0] - start[0], end[2] - start[2]);
      const what = `${name}, seed ${SEED}, call ${i}: polygon ${poly}, ${start} to ${end}`;

      const ray = raycast(mesh, start, end, { startRef, withCost: true, withPolys: true });
      const theirs = detourRay(twin, poly, start, end);
      const polys = ray.polys.map((ref) => polyIndexOf(mesh, ref));
      const isSame = Math.abs(ray.t - theirs.t) * length <= TOLERANCE && polys.join() === theirs.polys.join();
      if (isSame) {
        note('ray same');
        expect(Math.hypot(...ray.normal.map((v, k) => v - theirs.normal[k])), what).toBeLessThan(
          ray.t < 1 ? 1e-3 : Infinity,
        );
        if (ray.t < 1) expect(ray.edge, what).toBe(theirs.edge);
        // Detour counts up to the height of the end that was asked for, and of a wall up to its edge's.
        const last = Math.abs(ray.point[1] - start[1]) + 1;
        if (ray.polys.length > 1) expect(Math.abs(ray.cost - theirs.cost), what).toBeLessThan(Math.max(8, last));
      } else {
        // A corner within Detour's rounding of the ray.
        const slack = 1e-3;
        const near = [slack, -slack].map((s) => {
          const side: Point = [
            end[0] + (s * (end[2] - start[2])) / length,
            end[1],
            end[2] - (s * (end[0] - start[0])) / length,
          ];
          const again = raycast(mesh, start, side, { startRef, withPolys: true });
          return `${again.polys.map((ref) => polyIndexOf(mesh, ref))}` === theirs.polys.join();
        });
        const isOnBorder = isTiled && Math.abs(ray.t - theirs.t) * length > TOLERANCE;
        note(near.includes(true) ? 'ray by a corner' : isOnBorder ? 'ray at a border' : 'ray other');
        if (!near.includes(true)) console.info(what, ray.t, theirs.t, polys.join(), theirs.polys.join());
      }

      const slide = moveAlongSurface(mesh, start, end, { startRef });
      const their = twin.query.moveAlongSurface(twin.refOf(poly), xyz(start), xyz(end), { maxVisitedSize: 1024 });
      const { x, z } = their.resultPosition;
      const way = slide.polys.map((ref) => polyIndexOf(mesh, ref)).join();
      const theirWay = their.visited.map((ref) => twin.polyIndexOf(ref)).join();
      if (Math.hypot(x - slide.point[0], z - slide.point[2]) <= TOLERANCE) {
        note(way === theirWay ? 'slide same' : 'slide same, other polygons');
      } else {
        const off = Math.hypot(slide.point[0] - end[0], slide.point[2] - end[2]);
        const theirOff = Math.hypot(x - end[0], z - end[2]);
        const isTie = Math.abs(off - theirOff) <= 1e-5 * (1 + off);
        const kind = isTie
          ? 'slide tie'
          : slideTouches(mesh, poly, start, end) > 64
            ? 'slide beyond 64'
            : isTiled
              ? 'slide at a border'
              : 'slide other';
        note(kind);
        if (kind === 'slide other') console.info(what, slide.point, x, z, way, theirWay);
        // A wall that Detour does not see on a border is nearer, and so is what it does not get to.
        expect(off, what).toBeLessThanOrEqual(theirOff * (1 + 1e-5) + TOLERANCE);
      }
    }
    console.info(`${name}: ${mesh.polyCount} polygons, ${JSON.stringify(counts)}`);
    expect(counts['ray other'] ?? 0).toBe(0);
    expect(counts['slide other'] ?? 0).toBe(0);
    expect(counts['ray same']).toBeGreaterThan(0.98 * CALLS);
    twin.destroy();
  });

  it("has Detour's costs on level surfaces", async () => {
    await init();
    const random = seeded(3);
    const mesh = tiledMesh();
    for (let i = 0; i < 4; i++)
      addTile(
        mesh,
        squaresTile(
          i % 2,
          i >> 1,
          0,
          6,
          () => random() < 0.9,
          () => 0,
        ),
      );
    for (let p = 0; p < mesh.polyCount; p++) mesh.polyArea[p] = 1 + (p % 3);
    const twin = await importToDetour(mesh);
    const costs = { 1: 1, 2: 2.5, 3: 7 };
    for (const [area, cost] of Object.entries(costs)) twin.query.defaultFilter.setAreaCost(Number(area), cost);
    const filter = createFilter({ areaCosts: costs });
    let compared = 0;
    for (let i = 0; i < 200; i++) {
      const poly = Math.floor(random() * mesh.polyCount);
      const start = spotOn(mesh, poly, random);
      const end = start.map((v, k) => Math.fround(k === 1 ? v : v + (random() * 2 - 1) * 10)) as Point;
      const ray = raycast(mesh, start, end, { startRef: refOf(mesh, poly), filter, withCost: true, withPolys: true });
      const theirs = detourRay(twin, poly, start, end);
      if (ray.polys.map((ref) => polyIndexOf(mesh, ref)).join() !== theirs.polys.join()) continue;
      compared++;
      expect(ray.cost, `call ${i}`).toBeCloseTo(theirs.cost, 3);
    }
    expect(compared).toBeGreaterThan(190);
    twin.destroy();
  });
});
