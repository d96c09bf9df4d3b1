/** TODO: header. */

export interface Faces {
  vertexCount: number;
  xs: Float64Array;
  ys: Float64Array;
  /** Half-edges 0 .. wallCount - 1 are walls; then come lines, two half-edges each: see `twinOf`. */
  wallCount: number;
  halfEdgeCount: number;
  /** Half-edge h runs from vertex origin[h] to origin[next[h]], its face on the left; "corner h" is the face's at its origin. */
  origin: Int32Array;
  next: Int32Array;
  prev: Int32Array;
  /** The half-edges that start at a vertex: firstAt[v], then nextAt[h]; -1 ends. */
  firstAt: Int32Array;
  nextAt: Int32Array;
  /** Of walls: the loop they were part of before bridges came. */
  loopOf: Int32Array;
  loopCount: number;
  /** Of each loop: 1 around a face from outside, 0 around a hole. */
  isOuter: Uint8Array;
}

export interface RingFaces {
  faces: Faces;
  grid: FaceGrid;
  /** Why the faces are of no use: one sentence with a place. '': they are. */
  problem: string;
}

export interface FaceGrid {
  columns: number;
  rows: number;
  minX: number;
  minY: number;
  cellSize: number;
  /** Vertices of cell c: vertexAt[vertexStart[c] .. vertexStart[c + 1] - 1]. */
  vertexStart: Int32Array;
  vertexAt: Int32Array;
  /** Edges of cell c: entry edgeFirst[c], then entryNext; -1 ends. Ends of the edge as vertices. */
  edgeFirst: Int32Array;
  entryCount: number;
  entryNext: Int32Array;
  entryFrom: Int32Array;
  entryTo: Int32Array;
}
