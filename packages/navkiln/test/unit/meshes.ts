/** Small meshes made by hand, and functions that random tests share. */
import { AREA_GROUND } from '../../src/base/constants.ts';
import { createNavMesh } from '../../src/mesh/create.ts';
import { addTile, removeTile } from '../../src/mesh/change/tiles.ts';
import type { AgentShape, NavMesh, TileData } from '../../src/mesh/types.ts';

export const AGENT: AgentShape = { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };

/** A seeded stream of numbers in [0, 1). Print the seed in the test's name or message. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export interface PolySpec {
  /** Vertex numbers, counter-clockwise seen from above. */
  corners: number[];
  area?: number;
  flags?: number;
}

/** A tile from vertices [x, y, z] and polygons; neighbours are found by shared edges. */
export function tileOf(
  vertices: number[][],
  polys: PolySpec[],
  at: { x?: number; z?: number; layer?: number } = {},
): TileData {
  const edgeOf = new Map<number, number>();
  const keyOf = (a: number, b: number): number => a * vertices.length + b;
  polys.forEach((poly, p) => {
    poly.corners.forEach((a, k) => edgeOf.set(keyOf(a, poly.corners[(k + 1) % poly.corners.length]), p));
  });
  const polyEdgeStart = [0];
  const edgeVertex: number[] = [];
  const edgeNeighbor: number[] = [];
  for (const { corners } of polys) {
    corners.forEach((a, k) => {
      edgeVertex.push(a);
      edgeNeighbor.push(edgeOf.get(keyOf(corners[(k + 1) % corners.length], a)) ?? -1);
    });
    polyEdgeStart.push(edgeVertex.length);
  }
  return {
    x: at.x ?? 0,
    z: at.z ?? 0,
    layer: at.layer ?? 0,
    vertexCount: vertices.length,
    polyCount: polys.length,
    vertices: Float64Array.from(vertices.flat()),
    polyEdgeStart: Int32Array.from(polyEdgeStart),
    polyArea: Uint8Array.from(polys, (poly) => poly.area ?? AREA_GROUND),
    polyFlags: Uint16Array.from(polys, (poly) => poly.flags ?? 1),
    edgeVertex: Int32Array.from(edgeVertex),
    edgeNeighbor: Int32Array.from(edgeNeighbor),
    polyDetailVertexStart: new Int32Array(polys.length + 1),
    polyDetailTriStart: new Int32Array(polys.length + 1),
    detailVertices: new Float64Array(0),
    detailTris: new Uint8Array(0),
  };
}

/** w x d unit squares from (0, 0, 0), in rows along x; `isOpen` says which are there. */
export function gridTile(
  w: number,
  d: number,
  isOpen: (x: number, z: number) => boolean = () => true,
  height: (x: number, z: number) => number = () => 0,
  areaOf: (x: number, z: number) => number = () => AREA_GROUND,
): TileData {
  const vertices: number[][] = [];
  for (let z = 0; z <= d; z++) for (let x = 0; x <= w; x++) vertices.push([x, height(x, z), z]);
  const polys: PolySpec[] = [];
  for (let z = 0; z < d; z++) {
    for (let x = 0; x < w; x++) {
      const v = z * (w + 1) + x;
      if (isOpen(x, z)) polys.push({ corners: [v, v + w + 1, v + w + 2, v + 1], area: areaOf(x, z) });
    }
  }
  return tileOf(vertices, polys);
}

export function meshOf(...tiles: TileData[]): NavMesh {
  const mesh = createNavMesh({ agent: AGENT, cellSize: 0.2, cellHeight: 0.1 });
  tiles.forEach((tile, layer) => addTile(mesh, { ...tile, layer: tiles.length > 1 ? layer : tile.layer }));
  return mesh;
}

/** Eight squares around a hole in the middle: 3 x 3 units. */
export function ringMesh(): NavMesh {
  return meshOf(gridTile(3, 3, (x, z) => x !== 1 || z !== 1));
}

/** An L: two rectangles, meeting at the inner corner (2, 2). */
export function lShapeMesh(): NavMesh {
  return meshOf(
    tileOf(
      [
        [0, 0, 0],
        [2, 0, 0],
        [4, 0, 0],
        [0, 0, 2],
        [2, 0, 2],
        [4, 0, 2],
        [0, 0, 6],
        [2, 0, 6],
      ],
      [{ corners: [0, 3, 4, 1] }, { corners: [1, 4, 5, 2] }, { corners: [3, 6, 7, 4] }],
    ),
  );
}

/** Two storeys, 4 x 4, one 3 above the other, not connected. */
export function storeysMesh(): NavMesh {
  return meshOf(
    gridTile(4, 4),
    gridTile(4, 4, undefined, () => 3),
  );
}

/** A ramp from height 0 at x = 0 to 4 at x = 8. */
export function rampMesh(): NavMesh {
  return meshOf(gridTile(8, 2, undefined, (x) => x / 2));
}

/** n thin triangles in a row: a zigzag strip along x, 2 deep. */
export function stripMesh(n: number, step: number = 0.05): NavMesh {
  const vertices: number[][] = [];
  for (let i = 0; i < n + 2; i++) vertices.push([i * step, 0, i % 2 === 0 ? 0 : 2]);
  const polys: PolySpec[] = [];
  for (let i = 0; i < n; i++) polys.push({ corners: i % 2 === 0 ? [i, i + 1, i + 2] : [i, i + 2, i + 1] });
  return meshOf(tileOf(vertices, polys));
}

/** A tile with detail triangles: a unit square with a bump in the middle, split into four triangles. */
export function bumpTile(): TileData {
  const tile = tileOf(
    [
      [0, 0, 0],
      [0, 0, 1],
      [1, 0, 1],
      [1, 0, 0],
    ],
    [{ corners: [0, 1, 2, 3] }],
  );
  return {
    ...tile,
    polyDetailVertexStart: Int32Array.of(0, 1),
    polyDetailTriStart: Int32Array.of(0, 4),
    detailVertices: Float64Array.of(0.5, 1, 0.5),
    detailTris: Uint8Array.of(0, 1, 4, 1, 1, 2, 4, 1, 2, 3, 4, 1, 3, 0, 4, 1),
  };
}

/** The tile moved, with its coordinates of place. */
export function movedTile(tile: TileData, x: number, z: number, tileSize: number): TileData {
  const vertices = tile.vertices.map(
    (value, i) => value + (i % 3 === 0 ? x * tileSize : i % 3 === 2 ? z * tileSize : 0),
  );
  const detailVertices = tile.detailVertices.map(
    (value, i) => value + (i % 3 === 0 ? x * tileSize : i % 3 === 2 ? z * tileSize : 0),
  );
  return { ...tile, x, z, vertices, detailVertices };
}

/** Several tiles, some removed again, with detail: what saving and validating has to cope with. */
export function wornMesh(): NavMesh {
  const mesh = createNavMesh({ agent: AGENT, tileSize: 8, cellSize: 0.5, cellHeight: 0.25, origin: [0, 0, 0] });
  for (let i = 0; i < 6; i++) {
    const w = 2 + (i % 4);
    addTile(mesh, movedTile(i % 3 === 2 ? bumpTile() : gridTile(w, 3, (x, z) => x !== 1 || z !== 1), i, -i, 8));
  }
  removeTile(mesh, 1);
  removeTile(mesh, 4);
  removeTile(mesh, 0);
  addTile(mesh, movedTile(bumpTile(), 9, 9, 8));
  return mesh;
}

/** Returns a tile's data as it was before it was added to the mesh. */
export function tileIn(mesh: NavMesh, slot: number): TileData {
  const [polyStart, polyCount] = [mesh.tilePolyStart[slot], mesh.tilePolyCount[slot]];
  const [vertexStart, edgeStart] = [mesh.tileVertexStart[slot], mesh.tileEdgeStart[slot]];
  const [detailStart, triStart] = [mesh.tileDetailVertexStart[slot], mesh.tileDetailTriStart[slot]];
  const vertexEnd = vertexStart + mesh.tileVertexCount[slot];
  const edgeEnd = edgeStart + mesh.tileEdgeCount[slot];
  const starts = (array: ArrayLike<number>, base: number, total: number): Int32Array =>
    Int32Array.from({ length: polyCount + 1 }, (_, i) => (i < polyCount ? array[polyStart + i] - base : total));
  return {
    x: mesh.tileX[slot],
    z: mesh.tileZ[slot],
    layer: mesh.tileLayer[slot],
    vertexCount: vertexEnd - vertexStart,
    polyCount,
    vertices: mesh.vertices.slice(3 * vertexStart, 3 * vertexEnd),
    polyEdgeStart: starts(mesh.polyEdgeStart, edgeStart, edgeEnd - edgeStart),
    polyArea: mesh.polyArea.slice(polyStart, polyStart + polyCount),
    polyFlags: mesh.polyFlags.slice(polyStart, polyStart + polyCount),
    ...(mesh.sizes.length > 0 ? { polySizes: mesh.polySizes.slice(polyStart, polyStart + polyCount) } : {}),
    edgeVertex: mesh.edgeVertex.slice(edgeStart, edgeEnd).map((v) => v - vertexStart),
    edgeNeighbor: mesh.edgeNeighbor.slice(edgeStart, edgeEnd).map((other) => (other >= 0 ? other - polyStart : other)),
    polyDetailVertexStart: starts(mesh.polyDetailVertexStart, detailStart, mesh.tileDetailVertexCount[slot]),
    polyDetailTriStart: starts(mesh.polyDetailTriStart, triStart, mesh.tileDetailTriCount[slot]),
    detailVertices: mesh.detailVertices.slice(3 * detailStart, 3 * (detailStart + mesh.tileDetailVertexCount[slot])),
    detailTris: mesh.detailTris.slice(4 * triStart, 4 * (triStart + mesh.tileDetailTriCount[slot])),
  };
}
