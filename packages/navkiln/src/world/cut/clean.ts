/**
 * A tile without holes, from which outlines of obstacles are cut, and which polygon lies behind each of its sides.
 *
 * In: the data of a tile, or a tile of a mesh. Out: the tile with its sides, boxes and flat polygons.
 * Cost: linear in the tile.
 * Based on: own.
 */
import { ownFlags, groupOfPoly } from '../../mesh/named.ts';
import type { NavMesh, TileData } from '../../mesh/types.ts';

/** A tile without holes. */
export interface CleanTile {
  tile: TileData;
  /** Per side: the same side of the polygon behind it, -1 for a wall, <= -2 on the border, as in `edgeNeighbor`. */
  twin: Int32Array;
  /** 6 per polygon, with its detail: min xyz, max xyz. */
  boxes: Float64Array;
  /** 1 per polygon whose surface is a plane. */
  isFlat: Uint8Array;
  /** 1 per polygon without area, or wound the other way. */
  isEmpty: Uint8Array;
  /** The surface of polygons that are not flat: first triangle of each, three local vertices and min x, min z, max x, max z per triangle. */
  triStart: Int32Array;
  tris: Uint8Array;
  triBoxes: Float64Array;
  /** The name of each polygon; '' without one. Absent: no polygon has a name. */
  names: string[] | undefined;
}

/** A polygon is flat if its detail is this near to its plane, in voxels. */
const FLAT = 0.02;

/** Prepares a tile for cuts. The tile must not share arrays with a workspace. */
export function prepareClean(tile: TileData, cellHeight: number): CleanTile {
  const { polyCount, polyEdgeStart, edgeVertex, edgeNeighbor, vertices, detailVertices, polyDetailVertexStart } = tile;
  const sideCount = polyEdgeStart[polyCount];
  const twin = edgeNeighbor.slice(0, sideCount);
  const boxes = new Float64Array(6 * polyCount);
  const isFlat = new Uint8Array(polyCount);
  const isEmpty = new Uint8Array(polyCount);
  for (let p = 0; p < polyCount; p++) {
    const first = polyEdgeStart[p];
    const end = polyEdgeStart[p + 1];
    const box = boxes
      .subarray(6 * p, 6 * p + 6)
      .fill(Infinity, 0, 3)
      .fill(-Infinity, 3);
    // The plane through the polygon by the sum of its fan (Newell).
    let [nx, ny, nz] = [0, 0, 0];
    for (let e = first; e < end; e++) {
      const v = 3 * edgeVertex[e];
      const w = 3 * edgeVertex[e + 1 === end ? first : e + 1];
      grow(box, vertices, v);
      nx += (vertices[v + 1] - vertices[w + 1]) * (vertices[v + 2] + vertices[w + 2]);
      ny += (vertices[v + 2] - vertices[w + 2]) * (vertices[v] + vertices[w]);
      nz += (vertices[v] - vertices[w]) * (vertices[v + 1] + vertices[w + 1]);
      if (edgeNeighbor[e] >= 0) twin[e] = twinOf(tile, p, e, v / 3, w / 3);
    }
    for (let d = polyDetailVertexStart[p]; d < polyDetailVertexStart[p + 1]; d++) grow(box, detailVertices, 3 * d);
    isEmpty[p] = Number(!(ny > 0));
    if (isEmpty[p] === 1) continue;
    const at = 3 * edgeVertex[first];
    const most = FLAT * cellHeight;
    const isOn = (points: Float64Array, v: number): boolean =>
      Math.abs(
        points[v + 1] -
          vertices[at + 1] +
          (nx * (points[v] - vertices[at]) + nz * (points[v + 2] - vertices[at + 2])) / ny,
      ) <= most;
    isFlat[p] = 1;
    for (let e = first; e < end; e++) isFlat[p] &= Number(isOn(vertices, 3 * edgeVertex[e]));
    for (let d = polyDetailVertexStart[p]; d < polyDetailVertexStart[p + 1]; d++)
      isFlat[p] &= Number(isOn(detailVertices, 3 * d));
  }
  return { tile, twin, boxes, isFlat, isEmpty, ...surfaceOf(tile, isFlat), names: namesOf(tile) };
}

/** Returns the number of triangles of a polygon's surface. */
export function triangleCount(tile: TileData, p: number): number {
  const count = tile.polyDetailTriStart[p + 1] - tile.polyDetailTriStart[p];
  return count > 0 ? count : tile.polyEdgeStart[p + 1] - tile.polyEdgeStart[p] - 2;
}

/** Lists the triangles of the polygons that are not flat. */
function surfaceOf(tile: TileData, isFlat: Uint8Array): Pick<CleanTile, 'triStart' | 'tris' | 'triBoxes'> {
  const { polyCount, polyEdgeStart, polyDetailTriStart, polyDetailVertexStart, edgeVertex, detailTris } = tile;
  const triStart = new Int32Array(polyCount + 1);
  for (let p = 0; p < polyCount; p++) triStart[p + 1] = triStart[p] + (isFlat[p] === 1 ? 0 : triangleCount(tile, p));
  const tris = new Uint8Array(3 * triStart[polyCount]);
  const triBoxes = new Float64Array(4 * triStart[polyCount]);
  for (let p = 0; p < polyCount; p++) {
    const corners = polyEdgeStart[p + 1] - polyEdgeStart[p];
    const first = 4 * polyDetailTriStart[p];
    const hasDetail = polyDetailTriStart[p + 1] > polyDetailTriStart[p];
    for (let t = triStart[p]; t < triStart[p + 1]; t++) {
      const own = t - triStart[p];
      const box = triBoxes
        .subarray(4 * t, 4 * t + 4)
        .fill(Infinity, 0, 2)
        .fill(-Infinity, 2);
      for (let k = 0; k < 3; k++) {
        const local = hasDetail ? detailTris[first + 4 * own + k] : k === 0 ? 0 : own + k;
        tris[3 * t + k] = local;
        const source = local < corners ? tile.vertices : tile.detailVertices;
        const v =
          3 * (local < corners ? edgeVertex[polyEdgeStart[p] + local] : polyDetailVertexStart[p] + local - corners);
        box[0] = Math.min(box[0], source[v]);
        box[1] = Math.min(box[1], source[v + 2]);
        box[2] = Math.max(box[2], source[v]);
        box[3] = Math.max(box[3], source[v + 2]);
      }
    }
  }
  return { triStart, tris, triBoxes };
}

/** Returns the side of the polygon behind side e of polygon p, which runs from vertex a to b. */
function twinOf(
  { polyEdgeStart, edgeVertex, edgeNeighbor }: TileData,
  p: number,
  e: number,
  a: number,
  b: number,
): number {
  const other = edgeNeighbor[e];
  const first = polyEdgeStart[other];
  const end = polyEdgeStart[other + 1];
  for (let t = first; t < end; t++) {
    if (edgeNeighbor[t] === p && edgeVertex[t] === b && edgeVertex[t + 1 === end ? first : t + 1] === a) return t;
  }
  return -1;
}

function grow(box: Float64Array, points: Float64Array, v: number): void {
  for (let k = 0; k < 3; k++) {
    if (points[v + k] < box[k]) box[k] = points[v + k];
    if (points[v + k] > box[3 + k]) box[3 + k] = points[v + k];
  }
}

function namesOf({ groups = [], polyCount }: TileData): string[] | undefined {
  if (groups.length === 0) return undefined;
  const names: string[] = Array.from({ length: polyCount }, () => '');
  for (const { name, polys } of groups) for (const p of polys) names[p] = name;
  return names;
}

/** Copies the tile in a slot of a mesh. */
export function copyTile(mesh: NavMesh, slot: number): TileData {
  const polyStart = mesh.tilePolyStart[slot];
  const polyCount = mesh.tilePolyCount[slot];
  const vertexStart = mesh.tileVertexStart[slot];
  const edgeStart = mesh.tileEdgeStart[slot];
  const edgeEnd = edgeStart + mesh.tileEdgeCount[slot];
  const detailStart = mesh.tileDetailVertexStart[slot];
  const triStart = mesh.tileDetailTriStart[slot];
  const polyEnd = polyStart + polyCount;
  const starts = (all: Int32Array, first: number, count: number): Int32Array => {
    const out = new Int32Array(polyCount + 1);
    for (let p = 0; p < polyCount; p++) out[p] = all[polyStart + p] - first;
    out[polyCount] = count;
    return out;
  };
  const vertexCount = mesh.tileVertexCount[slot];
  const byName = new Map<string, number[]>();
  for (let p = 0; p < polyCount; p++) {
    const name = groupOfPoly(mesh, polyStart + p)?.name;
    if (name === undefined) continue;
    const polys = byName.get(name);
    if (polys === undefined) byName.set(name, [p]);
    else polys.push(p);
  }
  return {
    x: mesh.tileX[slot],
    z: mesh.tileZ[slot],
    layer: mesh.tileLayer[slot],
    vertexCount,
    polyCount,
    vertices: mesh.vertices.slice(3 * vertexStart, 3 * (vertexStart + vertexCount)),
    polyEdgeStart: starts(mesh.polyEdgeStart, edgeStart, edgeEnd - edgeStart),
    polyArea: mesh.polyArea.slice(polyStart, polyEnd),
    polyFlags: Uint16Array.from({ length: polyCount }, (_, p) => ownFlags(mesh, polyStart + p)),
    edgeVertex: mesh.edgeVertex.slice(edgeStart, edgeEnd).map((v) => v - vertexStart),
    edgeNeighbor: mesh.edgeNeighbor.slice(edgeStart, edgeEnd).map((other) => (other < 0 ? other : other - polyStart)),
    polyDetailVertexStart: starts(mesh.polyDetailVertexStart, detailStart, mesh.tileDetailVertexCount[slot]),
    polyDetailTriStart: starts(mesh.polyDetailTriStart, triStart, mesh.tileDetailTriCount[slot]),
    detailVertices: mesh.detailVertices.slice(3 * detailStart, 3 * (detailStart + mesh.tileDetailVertexCount[slot])),
    detailTris: mesh.detailTris.slice(4 * triStart, 4 * (triStart + mesh.tileDetailTriCount[slot])),
    groups: [...byName].map(([name, polys]) => ({ name, polys })),
  };
}
