/**
 * Cuts a cell out of a mesh, as a separate mesh. Edges to other cells become walls.
 *
 * The cell has no portals. Edges on the borders of tiles are divided where portals end, so that polygons share whole edges.
 *
 * In: a mesh, the vertices of its portal ends, the polygons of a cell.
 * Out: a mesh of one tile.
 * Cost: linear in the cell; linear in the mesh for the first cell.
 * Based on: own.
 */
import { emptyNavMesh } from '../../../../mesh/create.ts';
import { placeTile } from '../../../../mesh/tiles/insert-tile.ts';
import type { NavMesh } from '../../../../mesh/types.ts';
import { rootOf } from './cells.ts';

/** Memory and input for cutting all cells of a mesh. */
export interface Cutter {
  mesh: NavMesh;
  polyCell: Int32Array;
  portalEnds: Int32Array;
  /** Per vertex: the lowest vertex at the same position of a portal. Empty without portals. */
  twin: Int32Array;
  /**
   * Per vertex, and per polygon: its number within the current cell. Valid if that entry of the cell refers back to it.
   */
  vertexPlace: Int32Array;
  polyPlace: Int32Array;
}

export function createCutter(mesh: NavMesh, polyCell: Int32Array, portalEnds: Int32Array): Cutter {
  const twin = Int32Array.from({ length: mesh.portalCount > 0 ? mesh.vertexCount : 0 }, (_, vertex) => vertex);
  for (let portal = 0; portal < mesh.portalCount; portal++) {
    if (mesh.portalPoly[portal] < 0) continue;
    for (let side = 0; side < 2; side++) {
      const a = rootOf(twin, portalEnds[2 * portal + side]);
      const b = rootOf(twin, portalEnds[2 * mesh.portalBack[portal] + 1 - side]);
      twin[Math.max(a, b)] = Math.min(a, b);
    }
  }
  return {
    mesh,
    polyCell,
    portalEnds,
    twin,
    vertexPlace: new Int32Array(mesh.vertexCount).fill(-1),
    polyPlace: new Int32Array(mesh.polyCount).fill(-1),
  };
}

/** Returns a mesh of the polygons of one cell, in their order. */
export function cutCell(cutter: Cutter, polys: Int32Array): NavMesh {
  const { mesh, portalEnds, twin, vertexPlace, polyPlace, polyCell } = cutter;
  const cell = polyCell[polys[0]];
  const vertices: number[] = [];
  const edgeVertex: number[] = [];
  const edgeNeighbor: number[] = [];
  const starts = new Int32Array(polys.length + 1);
  const placeOf = (vertex: number): number => {
    const place = vertexPlace[vertex];
    if (vertices[place] === vertex) return place;
    vertexPlace[vertex] = vertices.length;
    vertices.push(vertex);
    return vertices.length - 1;
  };
  const rootAt = (vertex: number): number => (twin.length > 0 ? rootOf(twin, vertex) : vertex);
  polys.forEach((poly, place) => {
    polyPlace[poly] = place;
  });
  const addEdge = (vertex: number, other: number): void => {
    edgeVertex.push(placeOf(vertex));
    edgeNeighbor.push(other >= 0 && polyCell[other] === cell ? polyPlace[other] : -1);
  };
  polys.forEach((poly, place) => {
    const first = mesh.polyEdgeStart[poly];
    const end = first + mesh.polyVertexCount[poly];
    for (let e = first; e < end; e++) {
      let vertex = rootAt(mesh.edgeVertex[e]);
      if (mesh.edgeNeighbor[e] >= -1) {
        addEdge(vertex, mesh.edgeNeighbor[e]);
        continue;
      }
      const last = rootAt(mesh.edgeVertex[e + 1 === end ? first : e + 1]);
      const portals: number[] = [];
      for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) if (mesh.portalEdge[l] === e) portals.push(l);
      portals.sort((a, b) => mesh.portalSpan[2 * a] - mesh.portalSpan[2 * b]);
      for (const portal of portals) {
        const from = rootAt(portalEnds[2 * portal]);
        if (from !== vertex) addEdge(vertex, -1);
        addEdge(from, mesh.portalPoly[portal]);
        vertex = rootAt(portalEnds[2 * portal + 1]);
      }
      if (vertex !== last) addEdge(vertex, -1);
    }
    starts[place + 1] = edgeVertex.length;
  });
  const out = emptyNavMesh(mesh.agent, mesh.cellSize, mesh.cellHeight, mesh.origin, 0);
  placeTile(out, {
    x: 0,
    z: 0,
    layer: 0,
    vertexCount: vertices.length,
    polyCount: polys.length,
    vertices: Float64Array.from(vertices.flatMap((v) => [...mesh.vertices.subarray(3 * v, 3 * v + 3)])),
    polyEdgeStart: starts,
    polyArea: new Uint8Array(polys.length),
    polyFlags: new Uint16Array(polys.length).fill(1),
    edgeVertex: Int32Array.from(edgeVertex),
    edgeNeighbor: Int32Array.from(edgeNeighbor),
    polyDetailVertexStart: new Int32Array(polys.length + 1),
    polyDetailTriStart: new Int32Array(polys.length + 1),
    detailVertices: new Float64Array(0),
    detailTris: new Uint8Array(0),
  });
  return out;
}
