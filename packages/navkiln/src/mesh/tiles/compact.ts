/**
 * Copies a mesh without the holes that removed tiles left.
 *
 * Tiles' ranges follow each other in the order of their slots, and arrays are exactly as long as needed.
 * Slots, generations and refs stay valid; dense indices change. Saving uses it, so that the same tiles in the
 * same slots give the same bytes. `addTile` uses it when pools are mostly holes.
 *
 * In: a mesh.
 * Out: a compact copy.
 * Cost: linear in the live mesh.
 * Based on: own.
 */
import { refreshIslands } from '../islands.ts';
import { ARRAY_FIELDS, RANGE_FIELDS, makeArray, setArray } from '../layout.ts';
import type { RangeField } from '../layout.ts';
import type { NavMesh } from '../types.ts';
import { rehashTiles } from './tile-grid.ts';

/** Returns how many elements of a pool belong to tiles. */
export function liveCount(mesh: NavMesh, range: RangeField): number {
  const counts = mesh[range.count];
  let sum = 0;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) sum += counts[slot];
  return sum;
}

export function compactMesh(mesh: NavMesh): NavMesh {
  const out: NavMesh = { ...mesh, agent: { ...mesh.agent }, origin: mesh.origin.slice() };
  const { tileSlotCount } = mesh;
  for (const range of RANGE_FIELDS) out[range.pool] = liveCount(mesh, range);
  for (const { name, pool, type, stride } of ARRAY_FIELDS) {
    const array = makeArray(type, out[pool] * stride);
    if (!RANGE_FIELDS.some((range) => range.pool === pool)) array.set(mesh[name].subarray(0, array.length));
    setArray(out, name, array);
  }
  for (const { start, count } of RANGE_FIELDS) {
    let at = 0;
    for (let slot = 0; slot < tileSlotCount; slot++) {
      out[start][slot] = mesh.tileState[slot] === 1 ? at : 0;
      at += mesh[count][slot];
    }
  }
  for (const { name, pool, stride } of ARRAY_FIELDS) {
    const range = RANGE_FIELDS.find((one) => one.pool === pool);
    if (range === undefined) continue;
    const from = mesh[range.start];
    const to = out[range.start];
    for (let slot = 0; slot < tileSlotCount; slot++) {
      const count = mesh[range.count][slot];
      if (count > 0)
        out[name].set(mesh[name].subarray(from[slot] * stride, (from[slot] + count) * stride), to[slot] * stride);
    }
  }
  for (let slot = 0; slot < tileSlotCount; slot++) renumber(out, mesh, slot);
  renumberConnections(out, mesh);
  if (out.islandsStale === 0) refreshIslands(out);
  rehashTiles(out);
  return out;
}

/** Shifts the dense indices stored in tile `slot` of `out` from the old ranges to the new ones. */
function renumber(out: NavMesh, mesh: NavMesh, slot: number): void {
  const edgeShift = out.tileEdgeStart[slot] - mesh.tileEdgeStart[slot];
  const detailVertexShift = out.tileDetailVertexStart[slot] - mesh.tileDetailVertexStart[slot];
  const detailTriShift = out.tileDetailTriStart[slot] - mesh.tileDetailTriStart[slot];
  const vertexShift = out.tileVertexStart[slot] - mesh.tileVertexStart[slot];
  const polyShift = out.tilePolyStart[slot] - mesh.tilePolyStart[slot];
  const polyEnd = out.tilePolyStart[slot] + out.tilePolyCount[slot];
  for (let p = out.tilePolyStart[slot]; p < polyEnd; p++) {
    out.polyEdgeStart[p] += edgeShift;
    out.polyDetailVertexStart[p] += detailVertexShift;
    out.polyDetailTriStart[p] += detailTriShift;
  }
  const edgeEnd = out.tileEdgeStart[slot] + out.tileEdgeCount[slot];
  for (let e = out.tileEdgeStart[slot]; e < edgeEnd; e++) {
    out.edgeVertex[e] += vertexShift;
    const neighbor = out.edgeNeighbor[e];
    if (neighbor < 0) continue;
    const other = mesh.polyTile[neighbor];
    out.edgeNeighbor[e] = neighbor + out.tilePolyStart[other] - mesh.tilePolyStart[other];
  }
  const nodeEnd = out.tileNodeStart[slot] + out.tileNodeCount[slot];
  for (let n = out.tileNodeStart[slot]; n < nodeEnd; n++) {
    if (out.bvItem[n] >= 0) out.bvItem[n] += polyShift;
  }
}

/** Shifts the polygons and edges that portals and links name. Portals and links keep their numbers. */
function renumberConnections(out: NavMesh, mesh: NavMesh): void {
  const { polyTile } = mesh;
  for (let portal = 0; portal < out.portalCount; portal++) {
    const poly = mesh.portalPoly[portal];
    if (poly < 0) continue;
    const to = polyTile[poly];
    const from = polyTile[mesh.portalPoly[mesh.portalBack[portal]]];
    out.portalPoly[portal] += out.tilePolyStart[to] - mesh.tilePolyStart[to];
    out.portalEdge[portal] += out.tileEdgeStart[from] - mesh.tileEdgeStart[from];
  }
  for (let linkEnd = 0; linkEnd < 2 * out.linkCount; linkEnd++) {
    const poly = mesh.linkPoly[linkEnd];
    if (poly >= 0) out.linkPoly[linkEnd] += out.tilePolyStart[polyTile[poly]] - mesh.tilePolyStart[polyTile[poly]];
  }
}
