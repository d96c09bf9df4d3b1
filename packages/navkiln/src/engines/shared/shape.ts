/**
 * Reads triangles of a mesh in its own space, without the vertices that no triangle uses.
 *
 * In: vertices and indices, through functions that resolve quantization and interleaving. Out: a shape.
 * Cost: linear in the corners.
 * Based on: own.
 */

/** Triangles in the space of their mesh. */
export interface Shape {
  /** xyz. */
  positions: Float64Array;
  /** Three per triangle: indices of positions. */
  corners: Uint32Array;
  /** Triangles with indices out of range, which are left out. */
  invalidCount: number;
}

/** Vertices that are read one number at a time. */
export interface Vertices {
  count: number;
  getX(vertex: number): number;
  getY(vertex: number): number;
  getZ(vertex: number): number;
}

/** Returns an array of xyz as vertices. */
export function verticesOf(positions: ArrayLike<number>): Vertices {
  return {
    count: Math.floor(positions.length / 3),
    getX: (v) => positions[3 * v],
    getY: (v) => positions[3 * v + 1],
    getZ: (v) => positions[3 * v + 2],
  };
}

/**
 * Reads the triangles of a range of corners.
 *
 * @param index the vertex of a corner; null: vertices are corners
 */
export function readShape(
  vertices: Vertices,
  index: ((corner: number) => number) | null,
  start: number,
  count: number,
): Shape {
  const vertexCount = vertices.count;
  const triangles = Math.floor(count / 3);
  const corners = new Uint32Array(3 * triangles);
  let written = 0;
  let low = vertexCount;
  let high = -1;
  for (let t = 0; t < triangles; t++) {
    let isValid = true;
    for (let k = 0; k < 3; k++) {
      const at = start + 3 * t + k;
      const v = index === null ? at : index(at);
      corners[written + k] = v;
      if (!(v >= 0 && v < vertexCount)) isValid = false;
    }
    if (!isValid) continue;
    for (let k = 0; k < 3; k++) {
      low = Math.min(low, corners[written + k]);
      high = Math.max(high, corners[written + k]);
    }
    written += 3;
  }
  // Renumbers the used vertices from 1; 0 means unused.
  const own = new Uint32Array(Math.max(0, high - low + 1));
  let used = 0;
  for (let i = 0; i < written; i++) {
    const v = corners[i] - low;
    if (own[v] === 0) own[v] = ++used;
    corners[i] = own[v] - 1;
  }
  const positions = new Float64Array(3 * used);
  for (let v = 0; v < own.length; v++) {
    if (own[v] === 0) continue;
    positions.set([vertices.getX(low + v), vertices.getY(low + v), vertices.getZ(low + v)], 3 * own[v] - 3);
  }
  return { positions, corners: corners.subarray(0, written), invalidCount: triangles - written / 3 };
}
