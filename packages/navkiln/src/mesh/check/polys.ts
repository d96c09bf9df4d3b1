/**
 * Checks the polygons of one tile: consecutive ranges, indices in range, finite numbers, convex
 * counter-clockwise shapes and mutual neighbors.
 *
 * In: a tile whose counts are sound.
 * Out: reports through `expect`; later checks run only when earlier ones passed.
 * Cost: linear in the tile.
 * Based on: own.
 */
import { AREA_COUNT } from '../../base/constants.ts';
import type { Expect } from './report.ts';
import { dentedEdge, isMutual } from '../shape.ts';
import { isSizeMask } from '../sizes-file.ts';
import type { NavMesh } from '../types.ts';

type Check = (mesh: NavMesh, slot: number, expect: Expect) => void;

/** In this order; each check relies on those before it. */
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
  // The polygons' ranges of edges, detail vertices and triangles must follow each other and fill the tile's.
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
    expect(isSizeMask(mesh, mesh.polySizes[poly]), 'poly-sizes', 'polySizes', poly);
    const corners = polyVertexCount[poly];
    for (let e = polyEdgeStart[poly]; e < polyEdgeStart[poly] + corners; e++) {
      const other = edgeNeighbor[e];
      expect(edgeVertex[e] >= vertexStart && edgeVertex[e] < vertexEnd, 'edge-vertex', 'edgeVertex', e);
      expect(
        other < 0 ? other > -6 : other >= polyStart && other < polyEnd && other !== poly,
        'edge-neighbor',
        'edgeNeighbor',
        e,
      );
    }
    const locals = corners + mesh.polyDetailVertexCount[poly];
    const tri = 4 * polyDetailTriStart[poly];
    for (let i = tri; i < tri + 4 * mesh.polyDetailTriCount[poly]; i++) {
      expect(i % 4 === 3 || detailTris[i] < locals, 'detail-vertex', 'detailTris', i);
    }
  }
}

function checkShapes(mesh: NavMesh, slot: number, expect: Expect): void {
  const { edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const polyEnd = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
  for (let poly = mesh.tilePolyStart[slot]; poly < polyEnd; poly++) {
    const dented = dentedEdge(mesh, poly);
    expect(dented < 0, 'not-convex', 'edgeVertex', dented);
    const end = polyEdgeStart[poly] + polyVertexCount[poly];
    for (let e = polyEdgeStart[poly]; e < end; e++) {
      expect(edgeNeighbor[e] < 0 || isMutual(mesh, poly, e), 'not-reciprocal', 'edgeNeighbor', e);
    }
  }
}
