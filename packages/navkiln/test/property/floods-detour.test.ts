/**
 * Queries of a circle and a box compared with Detour's on the same polygons: baked levels, and a world cut into
 * tiles. NAVKILN_CALLS sets the number of calls per query (default 250), NAVKILN_SEED the seed.
 *
 * Two differences are allowed. Polygons of equal cost in float32 come in another order, which may lead to other
 * midpoints. Detour's box includes polygons whose bounds, on the grid of its tree, overlap it.
 */
import { levelScenes } from 'navkiln-scenes';
import { describe, expect, it } from 'vitest';
import { addTile } from '../../src/mesh/change/tiles.ts';
import { polyIndexOf, refOf } from '../../src/mesh/ref.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findPolysInBox } from '../../src/query/nearest/polys-in-box.ts';
import { findPolysInCircle } from '../../src/query/flood/polys-in-circle.ts';
import { findRandomPointInCircle } from '../../src/query/random/random-point.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { importToDetour } from '../golden/detour-import.ts';
import { seeded } from '../unit/meshes.ts';
import { squaresTile, tiledMesh } from '../unit/mesh/tiled-meshes.ts';

const CALLS = Number(process.env.NAVKILN_CALLS ?? 125);
const SEED = Number(process.env.NAVKILN_SEED ?? 31);
/** Squares a side by place: on both sides of a border the same, or not. Detour keeps the ends of openings in steps of 1/255, which
 *  these meshes take over: so all that is different is accounted for. */
const TILED: Record<string, number[]> = { 'even tiles': [4], 'uneven tiles': [2, 3, 4, 6] };
const LEVELS = ['dungeon', 'tower', ...(CALLS > 1000 ? ['terrain'] : []), ...Object.keys(TILED)];

function meshOf(name: string, random: () => number): NavMesh {
  const sizes = TILED[name];
  if (sizes === undefined) {
    const scene = levelScenes.find((one) => one.name === name)!;
    return buildNavMesh(scene.create(), scene.options).navMesh;
  }
  const mesh = tiledMesh();
  const height = (x: number, z: number): number => Math.fround(0.1 * x + 0.15 * Math.sin(13.7 * x + 5.1 * z));
  for (let x = 0; x < 6; x++) {
    for (let z = 0; z < 6; z++) {
      addTile(
        mesh,
        squaresTile(x, z, 0, sizes[Math.floor(sizes.length * random())], () => random() < 0.9, height),
      );
    }
  }
  const { portalSpan } = mesh;
  for (let k = 0; k < 2 * mesh.portalCount; k++) portalSpan[k] = Math.round(portalSpan[k] * 255) / 255;
  return mesh;
}

const xyz = (p: ArrayLike<number>): { x: number; y: number; z: number } => ({ x: p[0], y: p[1], z: p[2] });

describe('floods compared with Detour', () => {
  it.each(LEVELS)('%s', async (name) => {
    const random = seeded(SEED);
    const mesh = meshOf(name, random);
    // Detour's areas are set apart by cost; what is 63 here is 0 there.
    for (let poly = 0; poly < mesh.polyCount; poly++) {
      if (random() < 0.2) mesh.polyArea[poly] = 5;
      if (random() < 0.05) mesh.polyFlags[poly] = 2;
    }
    const twin = await importToDetour(mesh);
    const filter = createFilter({ areaCosts: { 5: 2.5 }, includeFlags: 1 });
    const { query } = twin;
    query.defaultFilter.setAreaCost(5, 2.5);
    query.defaultFilter.includeFlags = 1;
    query.defaultFilter.excludeFlags = 0;
    const b = mesh.tileBounds;
    const low = [0, 1, 2].map((k) => Math.min(...Array.from({ length: mesh.tileSlotCount }, (_, t) => b[6 * t + k])));
    const high = [0, 1, 2].map((k) =>
      Math.max(...Array.from({ length: mesh.tileSlotCount }, (_, t) => b[6 * t + 3 + k])),
    );
    const size = Math.max(high[0] - low[0], high[2] - low[2]);
    const spot = (): { poly: number; point: number[] } => {
      for (;;) {
        const poly = Math.floor(random() * mesh.polyCount);
        if (mesh.polyFlags[poly] !== 1) continue;
        const at = [0, 0, 0];
        let sum = 0;
        for (let k = 0; k < mesh.polyVertexCount[poly]; k++) {
          const weight = random() + 0.01;
          const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + k];
          for (let axis = 0; axis < 3; axis++) at[axis] += weight * mesh.vertices[v + axis];
          sum += weight;
        }
        const point = findNearest(
          mesh,
          at.map((value) => value / sum),
          { halfExtents: [0.1, 20, 0.1] },
        );
        if (point.poly === poly) return { poly, point: point.point.map(Math.fround) };
      }
    };
    const tolerance = 1e-4;
    const counts = { same: 0, order: 0, midpoints: 0, polygons: 0, edge: 0, boxes: 0, wider: 0 };
    const bad: string[] = [];
    for (let i = 0; i < CALLS; i++) {
      const { poly, point } = spot();
      const radius = Math.fround(size * 0.35 * random() * random() + 0.1);
      const ours = findPolysInCircle(mesh, point, radius, { startRef: refOf(mesh, poly), filter });
      const theirs = query.findPolysAroundCircle(twin.refOf(poly), xyz(point), radius, { maxPolys: 4096 });
      const costs = new Map(
        theirs.resultRefs.slice(0, theirs.resultCount).map((ref, k) => [twin.polyIndexOf(ref), theirs.resultCost[k]]),
      );
      const our = ours.polys.map((ref) => polyIndexOf(mesh, ref));
      counts.polygons += our.length;
      const what = `seed ${SEED}, call ${i}: radius ${radius} at ${point}, polygon ${poly}`;
      if (our.length !== costs.size || our.some((one) => !costs.has(one))) {
        // A crossing that the circle touches within rounding: a slightly larger and a smaller circle take and leave it.
        const sizes = [1 - tolerance / 10, 1 + tolerance / 10].map(
          (s) => findPolysInCircle(mesh, point, radius * s, { startRef: refOf(mesh, poly), filter }).polys.length,
        );
        if (sizes[0] < sizes[1]) counts.edge++;
        else bad.push(`${what}: ${our.length} polygons, not ${costs.size}`);
        continue;
      }
      const isSame = our.every(
        (one, k) => Math.abs(ours.costs[k] - costs.get(one)!) <= tolerance * (ours.costs[k] + 0.1),
      );
      if (!isSame) {
        // Which midpoint was found first hung on two costs that are equal in float32.
        const gaps = Array.from(ours.costs, (cost, k) => (k > 0 ? cost - ours.costs[k - 1] : 1) / (cost + 1));
        if (Math.min(...gaps) < tolerance / 10) counts.midpoints++;
        else bad.push(`${what}: costs differ`);
        continue;
      }
      const order = theirs.resultRefs.slice(0, theirs.resultCount).map((ref) => twin.polyIndexOf(ref));
      if (order.every((one, k) => one === our[k])) counts.same++;
      else counts.order++;
      order.forEach((one, k) => {
        if (
          k > 0 &&
          ours.costs[our.indexOf(one)] < ours.costs[our.indexOf(order[k - 1])] - tolerance * (1 + costs.get(one)!)
        ) {
          bad.push(`${what}: order`);
        }
      });
      const inCircle = findRandomPointInCircle(mesh, random, point, radius, { startRef: refOf(mesh, poly), filter });
      if (!inCircle.found || !costs.has(polyIndexOf(mesh, inCircle.ref))) bad.push(`${what}: random point`);
    }
    for (let i = 0; i < CALLS; i++) {
      const center = low.map((value, k) => Math.fround(value + (high[k] - value) * random()));
      const half = [0.2 * size * random(), 3 * random(), 0.2 * size * random()].map(Math.fround);
      const ours = findPolysInBox(mesh, center, half, { filter }).map((ref) => polyIndexOf(mesh, ref));
      const found = query.queryPolygons(xyz(center), xyz(half), { maxPolys: 4096 });
      const theirs = new Set(found.polyRefs.map((ref) => twin.polyIndexOf(ref)));
      const missing = ours.filter((one) => !theirs.has(one));
      if (missing.length > 0) bad.push(`seed ${SEED}, box ${i}: ${center} half ${half}: Detour lacks ${missing}`);
      const mine = new Set(ours);
      for (const one of theirs) {
        if (mine.has(one)) counts.boxes++;
        else if (isApart(mesh, one, center, half)) counts.wider++;
        else bad.push(`seed ${SEED}, box ${i}: ${center} half ${half}: we lack ${one}`);
      }
    }
    console.info(`${name}, ${mesh.polyCount} polygons: ${JSON.stringify(counts)}`);
    expect(bad.slice(0, 5), `${bad.length} wrong`).toEqual([]);
    expect(counts.same + counts.order).toBeGreaterThan(0.99 * CALLS);
    expect(counts.polygons).toBeGreaterThan(3 * CALLS);
    expect(counts.boxes).toBeGreaterThan(CALLS);
    twin.destroy();
  });
});

/** No corner mix of the polygon's outline is in the box: by a fine grid of its triangles, or its heights are outside. */
function isApart(mesh: NavMesh, poly: number, center: number[], half: number[]): boolean {
  const n = mesh.polyVertexCount[poly];
  const corners = Array.from({ length: n }, (_, k) => {
    const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + k];
    return [mesh.vertices[v] - center[0], mesh.vertices[v + 2] - center[2]];
  });
  const extra = Array.from(
    { length: mesh.polyDetailVertexCount[poly] },
    (_, k) => mesh.detailVertices[3 * (mesh.polyDetailVertexStart[poly] + k) + 1],
  );
  const heights = Array.from(
    { length: n },
    (_, k) => mesh.vertices[3 * mesh.edgeVertex[mesh.polyEdgeStart[poly] + k] + 1],
  );
  const ys = [...heights, ...extra];
  if (Math.min(...ys) > center[1] + half[1] || Math.max(...ys) < center[1] - half[1]) return true;
  const STEPS = 24;
  for (let k = 1; k + 1 < n; k++) {
    for (let i = 0; i <= STEPS; i++) {
      for (let j = 0; i + j <= STEPS; j++) {
        const [x, z] = [0, 1].map(
          (axis) =>
            corners[0][axis] +
            (i / STEPS) * (corners[k][axis] - corners[0][axis]) +
            (j / STEPS) * (corners[k + 1][axis] - corners[0][axis]),
        );
        if (Math.abs(x) < half[0] && Math.abs(z) < half[2]) return false;
      }
    }
  }
  return true;
}
