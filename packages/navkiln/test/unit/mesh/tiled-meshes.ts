/** Worlds cut into tiles, and descriptions of them that do not depend on where tiles are stored. */
import { createNavMesh } from '../../../src/mesh/create.ts';
import type { NavMesh, TileData } from '../../../src/mesh/types.ts';
import { AGENT, gridTile } from '../meshes.ts';

/** Width of a tile in world units. */
export const TILE = 12;

export function tiledMesh(offset: number[] = [0, 0, 0], cellSize: number = 0.25): NavMesh {
  return createNavMesh({ agent: AGENT, cellSize, cellHeight: 0.1, tileSize: TILE, origin: offset });
}

/** Returns a tile of n x n squares at its position, with borders marked. Heights are in world units. */
export function squaresTile(
  x: number,
  z: number,
  layer: number,
  n: number,
  isOpen: (i: number, k: number) => boolean,
  height: (x: number, z: number) => number,
  offset: number[] = [0, 0, 0],
): TileData {
  const step = TILE / n;
  const tile = gridTile(n, n, isOpen);
  const { vertices } = tile;
  for (let v = 0; v < vertices.length; v += 3) {
    const wx = x * TILE + vertices[v] * step;
    const wz = z * TILE + vertices[v + 2] * step;
    vertices[v] = offset[0] + wx;
    vertices[v + 1] = offset[1] + height(wx, wz);
    vertices[v + 2] = offset[2] + wz;
  }
  markBorders(tile, offset[0] + x * TILE, offset[2] + z * TILE, TILE);
  return { ...tile, x, z, layer };
}

/** Turns walls on the sides of the tile's square into borders. */
export function markBorders(tile: TileData, x: number, z: number, size: number): void {
  const { vertices, polyEdgeStart, edgeVertex, edgeNeighbor } = tile;
  const sides: [number, number][] = [
    [0, x],
    [2, z + size],
    [0, x + size],
    [2, z],
  ];
  for (let p = 0; p < tile.polyCount; p++) {
    const first = polyEdgeStart[p];
    const end = polyEdgeStart[p + 1];
    for (let e = first; e < end; e++) {
      if (edgeNeighbor[e] !== -1) continue;
      const a = 3 * edgeVertex[e];
      const b = 3 * edgeVertex[e + 1 === end ? first : e + 1];
      sides.forEach(([axis, value], side) => {
        const isOn = (v: number): boolean => Math.abs(vertices[v + axis] - value) < 1e-6;
        if (isOn(a) && isOn(b)) edgeNeighbor[e] = -2 - side;
      });
    }
  }
}

/** Returns the tile's position and layer, and the polygon's number in the tile. */
export function polyName(mesh: NavMesh, poly: number): string {
  const slot = mesh.polyTile[poly];
  return `${mesh.tileX[slot]},${mesh.tileZ[slot]},${mesh.tileLayer[slot]}:${poly - mesh.tilePolyStart[slot]}`;
}

export function portalsOf(mesh: NavMesh, poly: number): number[] {
  const out: number[] = [];
  for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = mesh.portalNext[portal]) out.push(portal);
  return out;
}

/** Describes every portal of the mesh, sorted by tile position and polygon, with each list in its order. */
export function portalText(mesh: NavMesh): string[] {
  const out: string[] = [];
  const slots = [...mesh.tileState.subarray(0, mesh.tileSlotCount).keys()].filter((slot) => mesh.tileState[slot] === 1);
  slots.sort(
    (a, b) => mesh.tileX[a] - mesh.tileX[b] || mesh.tileZ[a] - mesh.tileZ[b] || mesh.tileLayer[a] - mesh.tileLayer[b],
  );
  for (const slot of slots) {
    const start = mesh.tilePolyStart[slot];
    for (let poly = start; poly < start + mesh.tilePolyCount[slot]; poly++) {
      for (const portal of portalsOf(mesh, poly)) {
        const { portalEdge, portalPoly, portalBack, portalSpan } = mesh;
        const other = portalPoly[portal];
        out.push(
          [
            polyName(mesh, poly),
            portalEdge[portal] - mesh.polyEdgeStart[poly],
            portalSpan[2 * portal],
            portalSpan[2 * portal + 1],
            polyName(mesh, other),
            portalEdge[portalBack[portal]] - mesh.polyEdgeStart[other],
          ].join(' '),
        );
      }
    }
  }
  return out;
}
