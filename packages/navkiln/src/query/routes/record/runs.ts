/**
 * Finds the runs of a tile: the parts of its border that belong to one cell. A run is a line of positions along the
 * border and heights: those of its edges for gates, and those of the surface to compare it with runs of neighbors.
 *
 * In: a tile of a mesh and its cells.
 * Out: runs with their border edges.
 * Cost: linear in the tile's border edges.
 * Based on: own.
 */
import { heightsAlong } from '../../../mesh/tiles/border-heights.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { hairOf } from '../rounding.ts';
import type { TileCells } from './cells.ts';

/** A part of a tile's border. Edge i leads from point i to point i + 1. */
export interface Run {
  side: number;
  cell: number;
  /** Position along the border and height of each point, by increasing position. World units, absolute. */
  at: number[];
  y: number[];
  /** Positions along the border, each followed by the height of the surface there. */
  heights: number[];
  /** Per edge: its polygon (dense index). */
  polys: number[];
}

interface Edge {
  poly: number;
  cell: number;
  /** Vertices at the lower and the higher position. */
  low: number;
  high: number;
}

/** Returns the runs of all sides, ordered by side, then cell, then position. */
export function findRuns(mesh: NavMesh, cells: TileCells): Run[] {
  const edges: Edge[][] = [[], [], [], []];
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const polyStart = mesh.tilePolyStart[cells.slot];
  const polyEnd = polyStart + mesh.tilePolyCount[cells.slot];
  for (let poly = polyStart; poly < polyEnd; poly++) {
    const cell = cells.cellOf[poly - polyStart];
    if (cell < 0) continue;
    const first = polyEdgeStart[poly];
    const end = first + polyVertexCount[poly];
    for (let e = first; e < end; e++) {
      const side = -2 - edgeNeighbor[e];
      if (side < 0) continue;
      const along = (side & 1) === 1 ? 0 : 2;
      const a = edgeVertex[e];
      const b = edgeVertex[e + 1 === end ? first : e + 1];
      const isForward = vertices[3 * a + along] <= vertices[3 * b + along];
      edges[side].push({
        poly,
        cell,
        low: isForward ? a : b,
        high: isForward ? b : a,
      });
    }
  }
  return edges.flatMap((list, side) => chain(mesh, list, side));
}

/** Joins edges that meet in a vertex. */
function chain(mesh: NavMesh, edges: Edge[], side: number): Run[] {
  const { vertices } = mesh;
  const along = (side & 1) === 1 ? 0 : 2;
  const atOf = (vertex: number): number => vertices[3 * vertex + along];
  edges.sort((a, b) => a.cell - b.cell || atOf(a.low) - atOf(b.low) || a.poly - b.poly);
  const runs: Run[] = [];
  // Runs of the current cell, keyed by the vertex where they end.
  const open = new Map<number, Run>();
  let cell = -1;
  for (const edge of edges) {
    if (edge.cell !== cell) {
      open.clear();
      ({ cell } = edge);
    }
    let run = open.get(edge.low);
    open.delete(edge.low);
    if (run === undefined) {
      run = { side, cell, at: [atOf(edge.low)], y: [vertices[3 * edge.low + 1]], heights: [], polys: [] };
      runs.push(run);
    }
    run.at.push(atOf(edge.high));
    run.y.push(vertices[3 * edge.high + 1]);
    run.polys.push(edge.poly);
    const heights = heightsAlong(mesh, edge.poly, 3 * edge.low, 3 * edge.high, along, hairOf(mesh));
    run.heights.push(...heights.slice(run.heights.length === 0 ? 0 : 2));
    open.set(edge.high, run);
  }
  return runs;
}
