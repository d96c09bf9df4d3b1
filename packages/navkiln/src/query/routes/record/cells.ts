/**
 * Divides the polygons of a tile into cells: connected polygons with one area, the same flags and the same name.
 *
 * A filter passes a cell as a whole or not at all, and a path costs the same per unit of length everywhere in a cell.
 *
 * In: a tile of a mesh.
 * Out: the cell of each polygon, numbered by their first polygons.
 * Cost: linear in the tile.
 * Based on: own.
 */
import { groupOfPoly, ownFlags } from '../../../mesh/named.ts';
import type { NavMesh } from '../../../mesh/types.ts';

/** Cells of a tile. The arrays may be longer. */
export interface TileCells {
  slot: number;
  count: number;
  /** Per polygon of the tile: its cell; -2: it is in no cell, because the size does not fit. */
  cellOf: Int32Array;
  /** Per cell: its first polygon, counted from the tile's first. */
  first: Int32Array;
  stack: Int32Array;
}

export function createTileCells(): TileCells {
  return { slot: -1, count: 0, cellOf: new Int32Array(0), first: new Int32Array(0), stack: new Int32Array(0) };
}

/** Writes the cells of the tile in a slot, for the polygons on which a size fits; size -1: for all polygons. */
export function findCells(out: TileCells, mesh: NavMesh, slot: number, size: number): void {
  const { edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const start = mesh.tilePolyStart[slot];
  const count = mesh.tilePolyCount[slot];
  if (out.cellOf.length < count) {
    out.cellOf = new Int32Array(2 * count);
    out.first = new Int32Array(2 * count);
    out.stack = new Int32Array(2 * count);
  }
  const { cellOf, first, stack } = out;
  for (let poly = 0; poly < count; poly++) cellOf[poly] = fitsAt(mesh, start + poly, size) ? -1 : -2;
  out.slot = slot;
  out.count = 0;
  for (let seed = 0; seed < count; seed++) {
    if (cellOf[seed] !== -1) continue;
    const cell = out.count++;
    first[cell] = seed;
    cellOf[seed] = cell;
    stack[0] = seed;
    for (let depth = 1; depth > 0;) {
      const poly = start + stack[--depth];
      const end = polyEdgeStart[poly] + polyVertexCount[poly];
      for (let e = polyEdgeStart[poly]; e < end; e++) {
        const other = edgeNeighbor[e] - start;
        if (other < 0 || cellOf[other] !== -1 || !isSameKind(mesh, poly, start + other)) continue;
        cellOf[other] = cell;
        stack[depth++] = other;
      }
    }
  }
}

/** Returns whether a size fits on a polygon; true for size -1. */
export function fitsAt({ polySizes }: NavMesh, poly: number, size: number): boolean {
  return size < 0 || ((polySizes[poly] >> size) & 1) !== 0;
}

function isSameKind(mesh: NavMesh, a: number, b: number): boolean {
  if (mesh.polyArea[a] !== mesh.polyArea[b]) return false;
  if (mesh.polyGroup.size === 0) return mesh.polyFlags[a] === mesh.polyFlags[b];
  return ownFlags(mesh, a) === ownFlags(mesh, b) && groupOfPoly(mesh, a) === groupOfPoly(mesh, b);
}
