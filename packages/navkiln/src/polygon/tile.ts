/**
 * Stage 4: converts convex pieces on the grid to the one tile of a NavMesh. x stays x, y becomes z or -z (see
 * map-plane.ts), and the surface is at y = 0.
 *
 * Pieces are counter-clockwise with y up. Where z = y their corners are reversed: seen from above, with z down
 * the page, they are counter-clockwise again. Coordinates are exact: integers times a power of two.
 *
 * Cost: one pass.
 * Based on: own.
 */
import { checkFinite, checkObject, checkRecord } from '../data/refuse.ts';
import { AREA_GROUND, FLAG_WALK } from '../constants.ts';
import { MAX_POLYS_PER_TILE } from '../navmesh/ref.ts';
import type { TileData } from '../navmesh/types.ts';
import type { YAxis } from './options.ts';
import type { ConvexPieces, GridFrame } from './types.ts';

/**
 * @param yAxis which way y points on a screen
 * @throws RangeError when there are more pieces than a tile may have polygons
 */
export function tileFromPieces(pieces: ConvexPieces, frame: GridFrame, yAxis: YAxis = 'up'): TileData {
  checkObject('tileFromPieces', 'frame', frame);
  for (const key of ['gridSize', 'originX', 'originY'] as const)
    checkFinite('tileFromPieces', `frame.${key}`, frame[key]);
  checkRecord('tileFromPieces', 'pieces', pieces, 'corner', 'ConvexPieces');
  const { pieceCount: polyCount, start, corner, neighbor, vertexCount, x, y } = pieces;
  if (polyCount > MAX_POLYS_PER_TILE) {
    throw new RangeError(
      `buildFromPolygons: the map has ${polyCount} convex pieces, at most ${MAX_POLYS_PER_TILE} fit into a mesh of one tile; ` +
        'build it in parts, simplify its outlines or raise maxVertices',
    );
  }
  const isUp = yAxis === 'up';
  const { gridSize, originX, originY } = frame;
  const vertices = new Float64Array(3 * vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    vertices[3 * v] = originX + x[v] * gridSize;
    const along = originY + y[v] * gridSize;
    // Adding 0 turns -0 into 0.
    vertices[3 * v + 2] = isUp ? -along + 0 : along;
  }
  const edgeVertex = new Int32Array(start[polyCount]);
  const edgeNeighbor = new Int32Array(start[polyCount]);
  for (let p = 0; p < polyCount; p++) {
    const first = start[p];
    const count = start[p + 1] - first;
    for (let k = 0; k < count; k++) {
      edgeVertex[first + k] = corner[first + (isUp ? k : count - 1 - k)];
      edgeNeighbor[first + k] = neighbor[first + (isUp ? k : (2 * count - 2 - k) % count)];
    }
  }
  return {
    x: 0,
    z: 0,
    layer: 0,
    vertexCount,
    polyCount,
    vertices,
    polyEdgeStart: start.slice(),
    polyArea: new Uint8Array(polyCount).fill(AREA_GROUND),
    polyFlags: new Uint16Array(polyCount).fill(FLAG_WALK),
    edgeVertex,
    edgeNeighbor,
    polyDetailVertexStart: new Int32Array(polyCount + 1),
    polyDetailTriStart: new Int32Array(polyCount + 1),
    detailVertices: new Float64Array(0),
    detailTris: new Uint8Array(0),
  };
}
