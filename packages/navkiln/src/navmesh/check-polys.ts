/**
 * The polygons of one tile, checked: ranges side by side, indices in range, numbers finite, shapes convex and
 * counter-clockwise, neighbours mutual. Part of check.ts. Cost: linear in the tile.
 */
import { AREA_COUNT } from '../constants.ts';
import type { Expect } from './check.ts';
import type { NavMesh } from './types.ts';

/** How far a corner may be dented, relative to its coordinates: the rounding of positions that once were float32. */
const DENT = 2 ** -22;

type Check = (mesh: NavMesh, slot: number, expect: Expect) => void;

/** One after the other, as long as all is well. */
export const checkPolys: readonly Check[] = [checkRanges, checkIndices, checkShapes];

function checkRanges(mesh: NavMesh, slot: number, expect: Expect): void {
  const { tileBounds, polyTile } = mesh;
  for (const [name, start, count] of [
    ['vertices', mesh.tileVertexStart[slot], mesh.tileVertexCount[slot]],
    ['detailVertices', mesh.tileDetailVertexStart[slot], mesh.tileDetailVertexCount[slot]],
  ] as const) {
    const points = mesh[name];
    for (let i = 3 * start; i < 3 * (start + count); i++) {
      const value = points[i];
      const k = 6 * slot + (i % 3);
      if (expect(Number.isFinite(value), 'not-finite', name, i)) {
        expect(value >= tileBounds[k] && value <= tileBounds[k + 3], 'tile-bounds', name, i);
      }
    }
  }
  // The polygons' ranges of edges, detail vertices and triangles follow each other and fill the tile's.
  const first = mesh.tilePolyStart[slot];
  const end = first + mesh.tilePolyCount[slot];
  for (const [start, count, from, size] of [
    ['polyEdgeStart', 'polyVertexCount', mesh.tileEdgeStart, mesh.tileEdgeCount],
    ['polyDetailVertexStart', 'polyDetailVertexCount', mesh.tileDetailVertexStart, mesh.tileDetailVertexCount],
    ['polyDetailTriStart', 'polyDetailTriCount', mesh.tileDetailTriStart, mesh.tileDetailTriCount],
  ] as const) {
    const starts = mesh[start];
    const counts = mesh[count];
    let at = from[slot];
    for (let poly = first; poly < end; poly++) {
      expect(starts[poly] === at, 'poly-range', start, poly);
      at += counts[poly];
    }
    expect(at === from[slot] + size[slot], 'poly-range', count, end - 1);
  }
  for (let poly = first; poly < end; poly++) {
    expect(polyTile[poly] === slot, 'poly-tile', 'polyTile', poly);
    expect(mesh.polyVertexCount[poly] > 2, 'poly-range', 'polyVertexCount', poly);
  }
}

function checkIndices(mesh: NavMesh, slot: number, expect: Expect): void {
  const { polyArea, polyVertexCount, polyEdgeStart, polyDetailTriStart, edgeVertex, edgeNeighbor, detailTris } = mesh;
  const polyStart = mesh.tilePolyStart[slot];
  const polyEnd = polyStart + mesh.tilePolyCount[slot];
  const vertexStart = mesh.tileVertexStart[slot];
  const vertexEnd = vertexStart + mesh.tileVertexCount[slot];
  for (let poly = polyStart; poly < polyEnd; poly++) {
    expect(polyArea[poly] > 0 && polyArea[poly] < AREA_COUNT, 'poly-area', 'polyArea', poly);
    const corners = polyVertexCount[poly];
    for (let e = polyEdgeStart[poly]; e < polyEdgeStart[poly] + corners; e++) {
      const other = edgeNeighbor[e];
      expect(edgeVertex[e] >= vertexStart && edgeVertex[e] < vertexEnd, 'edge-vertex', 'edgeVertex', e);
      expect(
        other < 0 ? other > -6 : other >= polyStart && other < polyEnd && other !== poly, 'edge-neighbor', 'edgeNeighbor', e,
      );
    }
    const locals = corners + mesh.polyDetailVertexCount[poly];
    const tri = 4 * polyDetailTriStart[poly];
    for (let i = tri; i < tri + 4 * mesh.polyDetailTriCount[poly]; i++) {
      expect(i % 4 === 3 || detailTris[i] < locals, 'detail-vertex', 'detailTris', i);
    }
  }
}

/**
 * Convex and wound once: each corner turns the same way or not at all, the fan around the first vertex never turns back, and
 * all of it lies on one side of the first edge. That way is counter-clockwise seen from above, but for what contours give
 * that run back over themselves (in Recast, too): triangles of no area or turned around. Queries can live with them.
 * And a neighbour has the same edge the other way round, and names this polygon there.
 */
function checkShapes(mesh: NavMesh, slot: number, expect: Expect): void {
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const polyEnd = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
  for (let poly = mesh.tilePolyStart[slot]; poly < polyEnd; poly++) {
    const first = polyEdgeStart[poly];
    const count = polyVertexCount[poly];
    let size = 0;
    for (let e = first; e < first + count; e++) {
      const v = 3 * edgeVertex[e];
      size = Math.max(size, Math.abs(vertices[v]), Math.abs(vertices[v + 2]));
    }
    const a = edgeVertex[first];
    const b = edgeVertex[first + 1];
    const way = count === 3 && turn(vertices, a, b, edgeVertex[first + 2], 0, 1) < 0 ? -1 : 1;
    const dent = DENT * size;
    for (let k = 0; k < count; k++) {
      const next = first + ((k + 1) % count);
      const u = edgeVertex[first + k];
      const v = edgeVertex[next];
      const w = edgeVertex[first + ((k + 2) % count)];
      if (!expect(
        turn(vertices, u, v, w, dent, way) >= 0 && turn(vertices, a, u, v, dent, way) >= 0 &&
          turn(vertices, a, b, v, dent, way) >= 0,
        'not-convex', 'edgeVertex', next,
      )) break;
    }
    for (let k = 0; k < count; k++) {
      const other = edgeNeighbor[first + k];
      if (other < 0) continue;
      const otherFirst = polyEdgeStart[other];
      const otherCount = polyVertexCount[other];
      let isMutual = false;
      for (let j = 0; j < otherCount && !isMutual; j++) {
        isMutual = edgeNeighbor[otherFirst + j] === poly &&
          edgeVertex[otherFirst + j] === edgeVertex[first + ((k + 1) % count)] &&
          edgeVertex[otherFirst + ((j + 1) % otherCount)] === edgeVertex[first + k];
      }
      expect(isMutual, 'not-reciprocal', 'edgeNeighbor', first + k);
    }
  }
}

/**
 * Twice the area of the triangle of vertices a, b, c, positive when c is left of a -> b seen from above (or right: way -1);
 * how far c may be on the other side, times the length of a -> b, is added.
 */
function turn(points: Float64Array, a: number, b: number, c: number, dent: number, way: number): number {
  const dx = points[3 * b] - points[3 * a];
  const dz = points[3 * b + 2] - points[3 * a + 2];
  return way * (dz * (points[3 * c] - points[3 * a]) - dx * (points[3 * c + 2] - points[3 * a + 2])) +
    dent * (Math.abs(dx) + Math.abs(dz));
}
