/**
 * Finds where borders of two islands of a mesh face each other at a small distance.
 *
 * In: a mesh and its islands, and the largest distances in plan and in height. Out: pairs of points on borders, the nearest first.
 * Cost: linear in the length of the borders, and in the pairs of samples within the distance.
 * Based on: own.
 */
import type { NavMesh } from '../../../mesh/types.ts';

/** Two points on the borders of two islands. */
export interface Facing {
  /** Indices of the islands, the larger island first. */
  islands: readonly [number, number];
  from: readonly number[];
  to: readonly number[];
  /** Distances in plan and in height, summed. */
  score: number;
}

/** How far apart the points may be, world units. */
export interface FacingLimits {
  /** In plan. */
  reach: number;
  rise: number;
}

/** Longer borders are sampled less densely. */
const MOST_SAMPLES = 1 << 17;
const SAMPLES_A_REACH = 6;

/** Samples of borders, with a hash grid over them. */
interface Samples {
  xyz: number[];
  island: number[];
  cells: Map<number, number[]>;
}

/** Returns the places where borders face each other, the nearest first. Places of the same islands lie at least `reach` apart. */
export function findFacing(mesh: NavMesh, islandOfPoly: Int32Array, { reach, rise }: FacingLimits): Facing[] {
  const { xyz, island, cells } = sampleBorders(mesh, islandOfPoly, reach);
  const best = new Map<string, Facing>();
  for (let j = 0; j < island.length; j++) {
    const [x, y, z] = xyz.slice(3 * j, 3 * j + 3);
    for (const near of cellsAround(cells, x, z, reach)) {
      for (const i of near) {
        if (island[i] >= island[j]) continue;
        const [dx, up, dz] = [xyz[3 * i] - x, Math.abs(xyz[3 * i + 1] - y), xyz[3 * i + 2] - z];
        if (up > rise || dx * dx + dz * dz > reach * reach) continue;
        const score = Math.sqrt(dx * dx + dz * dz) + up;
        const key = `${island[i]},${island[j]},${cellOf(x, z, reach)}`;
        if (score >= (best.get(key)?.score ?? Infinity)) continue;
        const from = xyz.slice(3 * i, 3 * i + 3);
        best.set(key, { islands: [island[i], island[j]], from, to: [x, y, z], score });
      }
    }
  }
  return thinOut([...best.values()], reach);
}

/** Leaves out places near a better one of the same islands. */
function thinOut(places: readonly Facing[], reach: number): Facing[] {
  const kept = new Map<string, Facing[]>();
  return [...places]
    .sort((p, q) => p.score - q.score)
    .filter((place) => {
      const key = place.islands.join();
      const others = kept.get(key) ?? [];
      const isNear = others.some(({ to }) => distanceInPlan(to, place.to) < reach);
      if (!isNear) kept.set(key, [...others, place]);
      return !isNear;
    });
}

function sampleBorders(mesh: NavMesh, islandOfPoly: Int32Array, reach: number): Samples {
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const edges: { ends: number[]; island: number; length: number }[] = [];
  let total = 0;
  for (let poly = 0; poly < islandOfPoly.length; poly++) {
    if (islandOfPoly[poly] < 0) continue;
    const open = new Set<number>();
    for (let p = mesh.polyPortal[poly]; p >= 0; p = mesh.portalNext[p]) open.add(mesh.portalEdge[p]);
    const first = polyEdgeStart[poly];
    const end = first + polyVertexCount[poly];
    for (let e = first; e < end; e++) {
      if (edgeNeighbor[e] >= 0 || open.has(e)) continue;
      const a = 3 * edgeVertex[e];
      const b = 3 * edgeVertex[e + 1 < end ? e + 1 : first];
      const ends = [...vertices.subarray(a, a + 3), ...vertices.subarray(b, b + 3)];
      const length = distanceInPlan(ends, ends.slice(3));
      total += length;
      edges.push({ ends, island: islandOfPoly[poly], length });
    }
  }
  const spacing = Math.max(reach / SAMPLES_A_REACH, total / MOST_SAMPLES);
  const samples: Samples = { xyz: [], island: [], cells: new Map() };
  for (const { ends, island, length } of edges) {
    const count = Math.max(1, Math.ceil(length / spacing));
    for (let k = 0; k < count; k++) {
      const t = (k + 0.5) / count;
      const [x, y, z] = [0, 1, 2].map((axis) => ends[axis] + t * (ends[3 + axis] - ends[axis]));
      const cell = cellOf(x, z, reach);
      const list = samples.cells.get(cell) ?? [];
      if (list.length === 0) samples.cells.set(cell, list);
      list.push(samples.island.length);
      samples.island.push(island);
      samples.xyz.push(x, y, z);
    }
  }
  return samples;
}

function* cellsAround(cells: Samples['cells'], x: number, z: number, side: number): Generator<number[]> {
  for (let dx = -1; dx <= 1; dx++)
    for (let dz = -1; dz <= 1; dz++) {
      const list = cells.get(cellOf(x + dx * side, z + dz * side, side));
      if (list !== undefined) yield list;
    }
}

function cellOf(x: number, z: number, side: number): number {
  return Math.floor(x / side) * 0x4000000 + Math.floor(z / side);
}

export function distanceInPlan(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
  return Math.sqrt(dx * dx + dz * dz);
}
