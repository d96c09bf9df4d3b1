/**
 * The polygons of one tile, checked: ranges side by side, indices in range, numbers finite, shapes convex and
 * counter-clockwise, neighbours mutual. Part of check.ts.
 */
import type { Report } from './check.ts';
import type { NavMesh } from './types.ts';

/** How far a corner may be dented, relative to its coordinates: the rounding of positions that once were float32. */
const DENT = 2 ** -22;

export function checkPolys(mesh: NavMesh, slot: number, report: Report): void {
  let isSound = true;
  const note: Report = (code, field, index) => {
    isSound = false;
    report(code, field, index);
  };
  checkPoints(mesh, slot, 'vertices', mesh.tileVertexStart[slot], mesh.tileVertexCount[slot], note);
  checkPoints(mesh, slot, 'detailVertices', mesh.tileDetailVertexStart[slot], mesh.tileDetailVertexCount[slot], note);
  checkPolyRanges(mesh, slot, note);
  if (!isSound) return;
  const first = mesh.tilePolyStart[slot];
  const end = first + mesh.tilePolyCount[slot];
  for (let poly = first; poly < end; poly++) {
    const area = mesh.polyArea[poly];
    if (area < 1 || area > 63) note('poly-area', 'polyArea', poly);
    checkEdges(mesh, slot, poly, note);
    checkDetail(mesh, poly, note);
  }
  if (!isSound) return;
  for (let poly = first; poly < end; poly++) {
    checkShape(mesh, poly, note);
    checkNeighbors(mesh, poly, note);
  }
}

function checkPoints(
  mesh: NavMesh, slot: number, name: 'vertices' | 'detailVertices', start: number, count: number, report: Report,
): void {
  const points = mesh[name];
  const { tileBounds } = mesh;
  for (let i = 3 * start; i < 3 * (start + count); i++) {
    const value = points[i];
    const k = 6 * slot + (i % 3);
    if (!Number.isFinite(value)) report('not-finite', name, i);
    else if (!(value >= tileBounds[k] && value <= tileBounds[k + 3])) {
      report('tile-bounds', name, i);
    }
  }
}

/** The polygons' ranges of edges, detail vertices and triangles follow each other and fill the tile's. */
function checkPolyRanges(mesh: NavMesh, slot: number, report: Report): void {
  const first = mesh.tilePolyStart[slot];
  const end = first + mesh.tilePolyCount[slot];
  let edge = mesh.tileEdgeStart[slot];
  let vertex = mesh.tileDetailVertexStart[slot];
  let tri = mesh.tileDetailTriStart[slot];
  for (let poly = first; poly < end; poly++) {
    if (mesh.polyTile[poly] !== slot) report('poly-tile', 'polyTile', poly);
    if (mesh.polyVertexCount[poly] < 3) report('poly-range', 'polyVertexCount', poly);
    if (mesh.polyEdgeStart[poly] !== edge) {
      report('poly-range', 'polyEdgeStart', poly);
    }
    if (mesh.polyDetailVertexStart[poly] !== vertex) {
      report('poly-range', 'polyDetailVertexStart', poly);
    }
    if (mesh.polyDetailTriStart[poly] !== tri) {
      report('poly-range', 'polyDetailTriStart', poly);
    }
    edge += mesh.polyVertexCount[poly];
    vertex += mesh.polyDetailVertexCount[poly];
    tri += mesh.polyDetailTriCount[poly];
  }
  if (edge !== mesh.tileEdgeStart[slot] + mesh.tileEdgeCount[slot]) {
    report('poly-range', 'polyVertexCount', end - 1);
  }
  if (vertex !== mesh.tileDetailVertexStart[slot] + mesh.tileDetailVertexCount[slot]) {
    report('poly-range', 'polyDetailVertexCount', end - 1);
  }
  if (tri !== mesh.tileDetailTriStart[slot] + mesh.tileDetailTriCount[slot]) {
    report('poly-range', 'polyDetailTriCount', end - 1);
  }
}

function checkEdges(mesh: NavMesh, slot: number, poly: number, report: Report): void {
  const vertexStart = mesh.tileVertexStart[slot];
  const vertexEnd = vertexStart + mesh.tileVertexCount[slot];
  const polyStart = mesh.tilePolyStart[slot];
  const polyEnd = polyStart + mesh.tilePolyCount[slot];
  const first = mesh.polyEdgeStart[poly];
  for (let e = first; e < first + mesh.polyVertexCount[poly]; e++) {
    const vertex = mesh.edgeVertex[e];
    const neighbor = mesh.edgeNeighbor[e];
    if (vertex < vertexStart || vertex >= vertexEnd) {
      report('edge-vertex', 'edgeVertex', e);
    }
    if (neighbor < -5 || neighbor === poly || (neighbor >= 0 && (neighbor < polyStart || neighbor >= polyEnd))) {
      report('edge-neighbor', 'edgeNeighbor', e);
    }
  }
}

function checkDetail(mesh: NavMesh, poly: number, report: Report): void {
  const locals = mesh.polyVertexCount[poly] + mesh.polyDetailVertexCount[poly];
  const first = 4 * mesh.polyDetailTriStart[poly];
  for (let i = first; i < first + 4 * mesh.polyDetailTriCount[poly]; i++) {
    if (i % 4 !== 3 && mesh.detailTris[i] >= locals) {
      report('detail-vertex', 'detailTris', i);
    }
  }
}

/**
 * Convex and wound once: each corner turns the same way or not at all, the fan around the first vertex never turns back, and
 * all of it lies on one side of the first edge. That way is counter-clockwise seen from above, but for what contours give
 * that run back over themselves (in Recast, too): triangles of no area or turned around. Queries can live with them.
 */
function checkShape(mesh: NavMesh, poly: number, report: Report): void {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const count = mesh.polyVertexCount[poly];
  let size = 0;
  for (let k = 0; k < count; k++) {
    const v = 3 * edgeVertex[first + k];
    size = Math.max(size, Math.abs(vertices[v]), Math.abs(vertices[v + 2]));
  }
  const dent = DENT * size;
  const a = 3 * edgeVertex[first];
  const b = 3 * edgeVertex[first + 1];
  const way = count === 3 && leftOf(vertices, a, b, 3 * edgeVertex[first + 2]) < 0 ? -1 : 1;
  for (let k = 0; k < count; k++) {
    const u = 3 * edgeVertex[first + k];
    const v = 3 * edgeVertex[first + ((k + 1) % count)];
    const w = 3 * edgeVertex[first + ((k + 2) % count)];
    if (
      !(way * leftOf(vertices, u, v, w) >= -dent * spanOf(vertices, u, v)) ||
      !(way * leftOf(vertices, a, u, v) >= -dent * spanOf(vertices, a, u)) ||
      !(way * leftOf(vertices, a, b, v) >= -dent * spanOf(vertices, a, b))
    ) {
      report('not-convex', 'edgeVertex', first + ((k + 1) % count));
      return;
    }
  }
}

/** Twice the area of the triangle of points at a, b, c; positive when c is left of a -> b seen from above. */
function leftOf(points: Float64Array, a: number, b: number, c: number): number {
  return (
    (points[b + 2] - points[a + 2]) * (points[c] - points[a]) - (points[b] - points[a]) * (points[c + 2] - points[a + 2])
  );
}

function spanOf(points: Float64Array, a: number, b: number): number {
  return Math.abs(points[b] - points[a]) + Math.abs(points[b + 2] - points[a + 2]);
}

/** A neighbour has the same edge the other way round, and names this polygon there. */
function checkNeighbors(mesh: NavMesh, poly: number, report: Report): void {
  const { edgeVertex, edgeNeighbor } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const count = mesh.polyVertexCount[poly];
  for (let k = 0; k < count; k++) {
    const other = edgeNeighbor[first + k];
    if (other < 0) continue;
    const from = edgeVertex[first + k];
    const to = edgeVertex[first + ((k + 1) % count)];
    const otherFirst = mesh.polyEdgeStart[other];
    const otherCount = mesh.polyVertexCount[other];
    let isMutual = false;
    for (let j = 0; j < otherCount && !isMutual; j++) {
      isMutual = edgeNeighbor[otherFirst + j] === poly && edgeVertex[otherFirst + j] === to &&
        edgeVertex[otherFirst + ((j + 1) % otherCount)] === from;
    }
    if (!isMutual) {
      report('not-reciprocal', 'edgeNeighbor', first + k);
    }
  }
}
