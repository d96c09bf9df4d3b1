/** Seeded pieces of levels, and comparisons for the tests of worlds. */
import { groupOfPoly, ownFlags } from '../../../../src/mesh/named.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import type { BuildOptions } from '../../../../src/build/voxel/options.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { isMirrored, placementMatrix, placePositions } from '../../../../src/base/data/placement.ts';
import type { LevelPlacement } from '../../../../src/base/data/placement.ts';

export interface Piece {
  positions: number[];
  indices: number[];
  areas?: number[];
}

/** Cells of powers of two: then a grid may begin at the corner of any tile without a rounding. */
export const SET_OPTIONS: BuildOptions = {
  agent: { radius: 0.4, height: 1.5, maxClimb: 0.4, maxSlopeDegrees: 45 },
  cellSize: 0.25,
  cellHeight: 0.125,
  tileSize: 4,
  regionMinArea: 0.5,
};

export function box(w: number, h: number, d: number): Piece {
  const positions: number[] = [];
  for (let i = 0; i < 8; i++) positions.push(i & 1 ? w : 0, i & 2 ? h : 0, i & 4 ? d : 0);
  const quads = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return { positions, indices: quads.flatMap(([a, b, c, d]) => [a!, b!, c!, a!, c!, d!]) };
}

/** Hills of n x n quads, facing up. */
export function hills(random: () => number, n: number, size: number, height: number): Piece {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let z = 0; z <= n; z++)
    for (let x = 0; x <= n; x++) positions.push((x / n) * size, height * random(), (z / n) * size);
  for (let z = 0; z < n; z++) {
    for (let x = 0; x < n; x++) {
      const v = z * (n + 1) + x;
      indices.push(v, v + n + 1, v + n + 2, v, v + n + 2, v + 1);
    }
  }
  return { positions, indices };
}

export function randomPiece(random: () => number): Piece {
  const kind = Math.floor(random() * 4);
  if (kind === 0) return box(2 + 8 * random(), 0.1 + random(), 2 + 8 * random());
  if (kind === 1) return hills(random, 6, 8 + 8 * random(), random());
  if (kind === 2) {
    const n = 12;
    const positions = Array.from({ length: 9 * n }, () => 5 * random());
    return {
      positions,
      indices: positions.slice(0, 3 * n).map((_, i) => i),
      areas: Array.from({ length: n }, () => Math.floor(random() * 64)),
    };
  }
  const w = 6 + 9 * random();
  const d = 6 + 9 * random();
  return { positions: [0, 0, 0, 0, 0, d, w, 2 * random(), d, w, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
}

export function randomPlacement(random: () => number): LevelPlacement {
  const about = (width: number): number => (random() - 0.5) * width;
  const scale = random() < 0.3 ? [0.5 + random(), 0.5 + random(), -0.5 - random()] : 0.5 + random();
  const kind = random();
  const rotation =
    kind < 0.1
      ? [about(1), about(2), about(1), about(2) + 1e-3]
      : kind < 0.6
        ? 360 * random()
        : [about(20), about(360), about(20)];
  return {
    position: [about(36), random() < 0.05 ? about(600) : about(2), about(36)],
    scale,
    rotation,
    swapYZ: random() < 0.05,
  };
}

export interface Placed {
  piece: Piece;
  placement: LevelPlacement;
}

/** All levels as one, in doubles. */
export function union(levels: Iterable<Placed>): { positions: Float64Array; indices: number[]; areas: number[] } {
  const positions: number[] = [];
  const indices: number[] = [];
  const areas: number[] = [];
  for (const { piece, placement } of levels) {
    const base = positions.length / 3;
    const matrix = placementMatrix(placement, 'test');
    positions.push(...placePositions(piece.positions, matrix));
    const order = isMirrored(matrix) ? [0, 2, 1] : [0, 1, 2];
    for (let t = 0; t < piece.indices.length; t += 3) for (const k of order) indices.push(base + piece.indices[t + k]);
    areas.push(...(piece.areas ?? piece.indices.slice(0, piece.indices.length / 3).map(() => 63)));
  }
  return { positions: Float64Array.from(positions), indices, areas };
}

/** The same mesh by one bake whose grid begins at the corner of a tile. */
export function fresh(levels: Iterable<Placed>, options: BuildOptions, like: NavMesh): Map<string, string> {
  const input = union(levels);
  if (input.indices.length === 0) return new Map();
  const size = like.tileSize;
  const [least, most] = [[0, 2].map(() => Infinity), [0, 2].map(() => -Infinity)];
  input.positions.forEach((value, i) => {
    if (i % 3 === 1) return;
    const k = i % 3 === 0 ? 0 : 1;
    least[k] = Math.min(least[k], value);
    most[k] = Math.max(most[k], value);
  });
  // Added surfaces of the tests reach less than twenty tiles beyond the levels.
  const margin = options.obstacles === undefined ? 1 : 20;
  const [x0, z0] = least.map((value) => Math.floor(value / size) - margin) as [number, number];
  const [x1, z1] = most.map((value) => Math.floor(value / size) + margin + 1) as [number, number];
  const y = like.origin[1];
  const bounds = { min: [x0 * size, y, z0 * size], max: [x1 * size, y + 8191 * like.cellHeight, z1 * size] };
  const { navMesh } = buildNavMesh(input, { ...options, bounds });
  return tilesOf(navMesh, x0, z0);
}

/** The contents of a mesh tile by tile, independent of their storage. */
export function tilesOf(mesh: NavMesh, dx = 0, dz = 0): Map<string, string> {
  const out = new Map<string, string>();
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] === 0) continue;
    const from = mesh.tilePolyStart[slot];
    const at = (first: number, count: number, array: ArrayLike<number>): number[] =>
      Array.from({ length: count }, (_, k) => array[first + k]);
    const text: unknown[] = [];
    for (let p = from; p < from + mesh.tilePolyCount[slot]; p++) {
      const portals: number[][] = [];
      for (let l = mesh.polyPortal[p]; l >= 0; l = mesh.portalNext[l]) {
        const other = mesh.portalPoly[l];
        const there = mesh.polyTile[other];
        const place = [mesh.tileX[there] + dx, mesh.tileZ[there] + dz, other - mesh.tilePolyStart[there]];
        portals.push([...place, mesh.portalEdge[l] - mesh.polyEdgeStart[p], ...at(2 * l, 2, mesh.portalSpan)]);
      }
      const edges = mesh.polyEdgeStart[p];
      const count = mesh.polyVertexCount[p];
      text.push(
        mesh.polyArea[p],
        ownFlags(mesh, p),
        groupOfPoly(mesh, p)?.name ?? '',
        at(edges, count, mesh.edgeNeighbor).map((n) => (n >= 0 ? n - from : n)),
        portals,
        at(edges, count, mesh.edgeVertex).map((v) => v - mesh.tileVertexStart[slot]),
        mesh.polyDetailTriCount[p],
        mesh.polyDetailVertexCount[p],
      );
    }
    text.push(at(3 * mesh.tileVertexStart[slot], 3 * mesh.tileVertexCount[slot], mesh.vertices));
    text.push(at(3 * mesh.tileDetailVertexStart[slot], 3 * mesh.tileDetailVertexCount[slot], mesh.detailVertices));
    text.push(at(4 * mesh.tileDetailTriStart[slot], 4 * mesh.tileDetailTriCount[slot], mesh.detailTris));
    out.set(`${mesh.tileX[slot] + dx},${mesh.tileZ[slot] + dz}`, JSON.stringify(text));
  }
  return out;
}

/** Slot and generation by tile coordinates. */
export function slotsOf(mesh: NavMesh): Map<string, string> {
  const out = new Map<string, string>();
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 0)
      out.set(`${mesh.tileX[slot]},${mesh.tileZ[slot]}`, `${slot}:${mesh.tileGeneration[slot]}`);
  }
  return out;
}
