/**
 * Stage 4: converts convex pieces on the grid to a tile of a NavMesh. x stays x, y becomes z or -z (see
 * map-plane.ts), and the surface is at y = 0.
 *
 * Pieces are counter-clockwise with y up. Where z = y their corners are reversed: seen from above, with z down
 * the page, they are counter-clockwise again. Coordinates are exact: integers times a power of two.
 *
 * Cost: one pass.
 * Based on: own.
 */
import { checkFinite, checkObject, checkRecord } from '../../base/data/refuse.ts';
import { AREA_GROUND, FLAG_WALK } from '../../base/constants.ts';
import { MAX_POLYS_PER_TILE } from '../../mesh/ref.ts';
import type { TileData } from '../../mesh/types.ts';
import type { YAxis } from './options.ts';
import type { ConvexPieces, GridFrame } from '../../base/plane/types.ts';

/** The square of a tile: its position, counted in tiles along x and y of the map, and its side in grid cells. */
export interface MapSquare {
  x: number;
  y: number;
  side: number;
}

/**
 * Creates the data of a tile from convex pieces.
 *
 * @param yAxis direction of y on a screen
 * @param square the tile that the pieces lie in; default: the mesh has one tile
 * @throws RangeError when there are more pieces than a tile may have polygons
 */
export function tileFromPieces(
  pieces: ConvexPieces,
  frame: GridFrame,
  yAxis: YAxis = 'up',
  square?: MapSquare,
): TileData {
  checkObject('tileFromPieces', 'frame', frame);
  for (const key of ['gridSize', 'originX', 'originY'] as const)
    checkFinite('tileFromPieces', `frame.${key}`, frame[key]);
  checkRecord('tileFromPieces', 'pieces', pieces, 'corner', 'ConvexPieces');
  const { pieceCount: polyCount, start, corner, neighbor, vertexCount, x, y } = pieces;
  if (polyCount > MAX_POLYS_PER_TILE) {
    throw new RangeError(
      `buildFromPolygons: a tile has ${polyCount} convex pieces, at most ${MAX_POLYS_PER_TILE} are allowed; ` +
        `use a ${square === undefined ? 'tileSize above 0' : 'smaller tileSize'} or leave it out`,
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
  if (square !== undefined) markBorders({ edgeVertex, edgeNeighbor, polyEdgeStart: start }, pieces, square, isUp);
  return {
    x: square?.x ?? 0,
    z: square === undefined ? 0 : isUp ? -1 - square.y : square.y,
    layer: 0,
    vertexCount,
    polyCount,
    vertices,
    polyEdgeStart: start.slice(),
    polyArea: pieces.area?.slice() ?? new Uint8Array(polyCount).fill(AREA_GROUND),
    polyFlags: new Uint16Array(polyCount).fill(FLAG_WALK),
    edgeVertex,
    edgeNeighbor,
    polyDetailVertexStart: new Int32Array(polyCount + 1),
    polyDetailTriStart: new Int32Array(polyCount + 1),
    detailVertices: new Float64Array(0),
    detailTris: new Uint8Array(0),
  };
}

/** Marks the edges on the sides of the square: 0 = -x, 1 = +z, 2 = +x, 3 = -z. */
function markBorders(
  { edgeVertex, edgeNeighbor, polyEdgeStart }: Pick<TileData, 'edgeVertex' | 'edgeNeighbor' | 'polyEdgeStart'>,
  { x, y, pieceCount }: ConvexPieces,
  square: MapSquare,
  isUp: boolean,
): void {
  const x0 = square.x * square.side;
  const y0 = square.y * square.side;
  const x1 = x0 + square.side;
  const y1 = y0 + square.side;
  for (let p = 0; p < pieceCount; p++) {
    const first = polyEdgeStart[p];
    const end = polyEdgeStart[p + 1];
    for (let e = first; e < end; e++) {
      if (edgeNeighbor[e] >= 0) continue;
      const a = edgeVertex[e];
      const b = edgeVertex[e + 1 < end ? e + 1 : first];
      let side = -1;
      if (x[a] === x[b]) side = x[a] === x0 ? 0 : x[a] === x1 ? 2 : -1;
      else if (y[a] === y[b]) side = y[a] === y0 ? (isUp ? 1 : 3) : y[a] === y1 ? (isUp ? 3 : 1) : -1;
      if (side >= 0) edgeNeighbor[e] = -2 - side;
    }
  }
}
