/** The half-edges of a map that is being cut (`Faces`), and the grid over it (`FaceGrid`). */

import type { PolygonBudget } from '../../../base/plane/budget.ts';

export interface Faces {
  vertexCount: number;
  xs: Float64Array;
  ys: Float64Array;
  /** Half-edges 0 .. wallCount - 1 are walls; lines follow, two half-edges each: see `twinOf`. */
  wallCount: number;
  halfEdgeCount: number;
  /**
   * Half-edge h runs from vertex origin[h] to origin[next[h]], its face on the left. Corner h is the face's
   * corner at origin[h].
   */
  origin: Int32Array;
  next: Int32Array;
  prev: Int32Array;
  /** The half-edges that start at a vertex: firstAt[v], then nextAt[h]; -1 ends. */
  firstAt: Int32Array;
  nextAt: Int32Array;
  /** For walls: the loop they belonged to before bridges were added. */
  loopOf: Int32Array;
  loopCount: number;
  /** For each loop: 1 around a face from outside, 0 around a hole. */
  isOuter: Uint8Array;
}

export interface RingFaces {
  faces: Faces;
  grid: FaceGrid;
  /** Why the faces are unusable: one sentence with a position. '': they are usable. */
  problem: string;
}

export interface FaceGrid {
  /** Work that searches in the grid may still do. */
  budget: PolygonBudget;
  columns: number;
  rows: number;
  minX: number;
  minY: number;
  cellSize: number;
  /** Vertices of cell c: vertexAt[vertexStart[c] .. vertexStart[c + 1] - 1]. */
  vertexStart: Int32Array;
  vertexAt: Int32Array;
  /** Edges of cell c: entry edgeFirst[c], then entryNext; -1 ends. Each entry holds the edge's end vertices. */
  edgeFirst: Int32Array;
  entryCount: number;
  entryNext: Int32Array;
  entryFrom: Int32Array;
  entryTo: Int32Array;
}
