/**
 * Draws the polygons and detail triangles of a tile's stage records as debug geometry.
 *
 * In: stage records. Out: triangles and lines.
 * Cost: linear in the drawn elements.
 * Based on: own.
 */
import { addLine, createLineList, finishLines, numberColor, putColor } from '../draw/geometry.ts';
import type { DebugGeometry, Rgba } from '../draw/geometry.ts';
import type { StageRecords } from './records.ts';

/** Height of triangles above the surface, and of edges above triangles, in voxels. */
const LIFT = 0.5;
const EDGE_LIFT = 0.2;

/** Returns the corners of a polygon as x, y, z in local coordinates. */
function cornersOf({ polyMesh }: StageRecords, poly: number): number[] {
  const { boundsMin, cellSize, cellHeight, maxVerticesPerPoly: size, polys, vertices } = polyMesh;
  const out: number[] = [];
  for (let k = poly * size; k < (poly + 1) * size && polys[k] !== -1; k++) {
    const v = 3 * polys[k];
    out.push(boundsMin[0] + vertices[v] * cellSize);
    out.push(boundsMin[1] + (vertices[v + 1] + LIFT) * cellHeight);
    out.push(boundsMin[2] + vertices[v + 2] * cellSize);
  }
  return out;
}

/** Draws convex polygons as flat triangles in different colors, and their edges. */
export function polyMeshLists(records: StageRecords): [triangles: DebugGeometry, edges: DebugGeometry] {
  const { polyMesh, config } = records;
  const positions: number[] = [];
  const indices: number[] = [];
  const tints: Rgba[] = [];
  const polys: number[] = [];
  const lines = createLineList([0, 0, 0]);
  for (let poly = 0; poly < polyMesh.polyCount; poly++) {
    const base = positions.length / 3;
    const own = cornersOf(records, poly);
    const count = own.length / 3;
    for (const value of own) positions.push(value);
    for (let k = 0; k < count; k++) {
      tints.push(numberColor(poly, 150));
      if (k >= 2) {
        indices.push(base, base + k - 1, base + k);
        polys.push(poly);
      }
      const i = 3 * k;
      const j = 3 * ((k + 1) % count);
      const isWall = polyMesh.neighbors[poly * polyMesh.maxVerticesPerPoly + k] === -1;
      const ends = [own[i], own[i + 1], own[i + 2], own[j], own[j + 1], own[j + 2]];
      addLine(lines, ends, isWall ? WALL : SEAM, poly, EDGE_LIFT * config.cellHeight);
    }
  }
  return [trianglesOf(records, positions, indices, tints, polys), linesOf(records, finishLines(lines, true))];
}

/** Draws the triangles of the detail mesh, and their edges. */
export function detailLists(records: StageRecords): [triangles: DebugGeometry, edges: DebugGeometry] {
  const { polyMesh, detail, config } = records;
  const positions: number[] = [];
  const indices: number[] = [];
  const tints: Rgba[] = [];
  const polys: number[] = [];
  const lines = createLineList([0, 0, 0]);
  const lift = LIFT * config.cellHeight;
  for (let poly = 0; poly < polyMesh.polyCount; poly++) {
    const base = positions.length / 3;
    const own = cornersOf(records, poly);
    const { vertices } = detail;
    for (let i = 3 * detail.vertexStart[poly]; i < 3 * detail.vertexStart[poly + 1]; i++) {
      own.push(vertices[i] + (i % 3 === 1 ? lift : 0));
    }
    for (const value of own) positions.push(value);
    for (let k = 0; k < own.length; k += 3) tints.push(numberColor(poly, 150));
    for (let t = 4 * detail.triStart[poly]; t < 4 * detail.triStart[poly + 1]; t += 4) {
      for (let k = 0; k < 3; k++) {
        const i = 3 * detail.tris[t + k];
        const j = 3 * detail.tris[t + ((k + 1) % 3)];
        indices.push(base + detail.tris[t + k]);
        const isBorder = ((detail.tris[t + 3] >> (2 * k)) & 1) !== 0;
        const ends = [own[i], own[i + 1], own[i + 2], own[j], own[j + 1], own[j + 2]];
        addLine(lines, ends, isBorder ? WALL : SEAM, poly, EDGE_LIFT * config.cellHeight);
      }
      polys.push(poly);
    }
  }
  return [trianglesOf(records, positions, indices, tints, polys), linesOf(records, finishLines(lines, true))];
}

const WALL: Rgba = 0x0b4a75ff;
const SEAM: Rgba = 0x0b4a7590;

function trianglesOf(
  { config }: StageRecords,
  positions: readonly number[],
  indices: readonly number[],
  tints: readonly Rgba[],
  polys: readonly number[],
): DebugGeometry {
  const colors = new Uint8Array(4 * tints.length);
  tints.forEach((tint, i) => putColor(colors, i, tint));
  return {
    kind: 'triangles',
    positions: Float32Array.from(positions),
    colors,
    indices: Uint32Array.from(indices),
    polys: Int32Array.from(polys),
    origin: [...config.offset],
  };
}

function linesOf({ config }: StageRecords, list: DebugGeometry): DebugGeometry {
  return { ...list, origin: [...config.offset] };
}
