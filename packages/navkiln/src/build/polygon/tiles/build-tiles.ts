/**
 * Builds a 2D map as a mesh of square tiles, one tile after the other.
 *
 * Most maps are clean, which the triangulated tiles show; then only tiles are triangulated. Otherwise the map is cleaned
 * as a whole first.
 *
 * In: rings, the side of a tile in grid cells.
 * Out: a mesh with portals between its tiles, whose surface is that of a mesh of one tile up to half a cell where walls cross the lines of
 * tiles; the area and its pieces of all tiles together.
 * Cost: linear. Besides the result and portals, the memory of the largest tile.
 * Based on: own.
 */
import { createWorkspace, takeInt32 } from '../../../base/data/workspace.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import { AREA_GROUND } from '../../../base/constants.ts';
import { createNavMesh } from '../../../mesh/create.ts';
import { insertTile } from '../../../mesh/tiles/insert-tile.ts';
import { keyOfTile } from '../../../mesh/tiles/tile-grid.ts';
import { MAX_POLYS_PER_TILE } from '../../../mesh/ref.ts';
import type { AgentShape, NavMesh } from '../../../mesh/types.ts';
import { spendPoints } from '../../../base/plane/budget.ts';
import type { PolygonBudget } from '../../../base/plane/budget.ts';
import { isSimple } from '../clean.ts';
import { BOX_EDGES, areSimple, haveJunctions, listRings } from '../clean-simple.ts';
import { BOX_CORNERS } from '../../../base/plane/delaunay.ts';
import { addAreaNames, withNames } from '../area-names.ts';
import { labelAreas } from '../label-areas.ts';
import type { AreaOverlay } from '../label-areas.ts';
import { mergeTriangles } from '../merge.ts';
import { growWalls } from '../offset.ts';
import type { CutByDiagonals, NamedArea, PolygonConfig, PolygonStage } from '../options.ts';
import { TAKEN, borderRings, joinRings, ringsOf } from '../../../base/plane/overlay.ts';
import type { GridMap } from '../rings.ts';
import { tileFromPieces } from '../tile.ts';
import type { ConvexPieces, GridFrame, Rings } from '../../../base/plane/types.ts';
import { selectTriangles, triangulateTile } from './cut-tile.ts';
import type { Selection, TileTriangles } from './cut-tile.ts';
import { joinSegments, segmentsOf, splitIntoTiles } from './segments.ts';
import type { TileSegments } from './segments.ts';

/** The walkable area of a map and its tiles. */
export interface TiledGround {
  rings: Rings;
  tiles: TileSegments[];
  /** 'simple': not verified yet. */
  selection: Selection;
  /** With 'simple': returns whether no ring crosses itself. */
  areRingsSimple?: () => boolean;
}

/**
 * Returns the tiles of a map and its rings, with outlines counter-clockwise and all others clockwise. Undefined when
 * holes may lie in another outline than their own, or a ring has no winding.
 */
export function readTiles(map: GridMap, side: number, budget: PolygonBudget): TiledGround | undefined {
  const all = listRings(map);
  if (all === undefined) return undefined;
  const { paths, weights, polygons } = all;
  if (polygons.length > 1 && polygons.some(({ holes }) => holes.length > 0)) return undefined;
  // Weights are negated for clockwise rings: outlines count 1, holes -1, obstacles more.
  const oriented = paths.map((path, r) =>
    (Math.abs(weights[r]) === TAKEN ? weights[r] < 0 : weights[r] > 0) ? path : path.slice().reverse(),
  );
  const kinds = weights.map((weight, r) => (oriented[r] === paths[r] ? weight : -weight));
  const rings = ringsOf(oriented);
  spendPoints(budget, rings.x.length);
  let areSimpleRings: boolean | undefined;
  return {
    rings,
    tiles: splitIntoTiles(segmentsOf(rings, kinds, map.joinCells), side),
    selection: 'simple',
    areRingsSimple: () => (areSimpleRings ??= paths.length === 1 || paths.every(isSimple)),
  };
}

/**
 * Returns whether the rings are the border of the walkable area as they are, seen tile by tile: none of them cross, touch, or lie
 * elsewhere. Returns false, too, where a corner lies on the line between tiles.
 */
export function areRingsBorder(
  { tiles }: TiledGround,
  side: number,
  joinCells: number,
  budget: PolygonBudget,
): boolean {
  const workspace = createWorkspace();
  // Crossings are counted again when the tiles are built.
  const spent = { ...budget };
  return tiles.every((tile) => {
    const made = triangulateTile(tile, { side, joinCells }, workspace, spent);
    return made.triangulation.joinCount === 0 && areSimple(made.winding) && isBorder(made, tile, side, workspace);
  });
}

/** Returns whether each segment inside the tile has walkable surface on one side, and ends at another one, or at the tile's side. */
function isBorder(
  { triangulation: { edgeCount, vertexCount, fixed, origin, xs, ys }, winding }: TileTriangles,
  { x, y }: TileSegments,
  side: number,
  workspace: Workspace,
): boolean {
  const ends = takeInt32(workspace, 'tile.ends', vertexCount).fill(0);
  const isOnSide = (v: number): boolean =>
    xs[v] === x * side || xs[v] === (x + 1) * side || ys[v] === y * side || ys[v] === (y + 1) * side;
  for (let e = BOX_EDGES; e < edgeCount; e++) {
    const a = origin[2 * e];
    const b = origin[2 * e + 1];
    if (fixed[e] === 0 || (isOnSide(a) && isOnSide(b))) continue;
    if ((winding[2 * e] === 1) === (winding[2 * e + 1] === 1)) return false;
    ends[a]++;
    ends[b]++;
  }
  for (let v = BOX_CORNERS; v < vertexCount; v++) {
    const wanted = isOnSide(v) ? 1 : 2;
    if (ends[v] !== 0 && ends[v] !== wanted) return false;
  }
  return true;
}

export interface TileRun {
  frame: GridFrame;
  /** Side of a tile in grid cells. */
  side: number;
  /** As in `GridMap`. */
  joinCells: number;
  config: PolygonConfig;
  /** The areas of the map, if it has some. */
  overlay: AreaOverlay | undefined;
  /** Their names. */
  named: readonly NamedArea[];
  budget: PolygonBudget;
  /** Given in mode 'diagonal'. */
  cutByDiagonals: CutByDiagonals | undefined;
  /** Measures a stage. */
  stage: <T>(stage: PolygonStage, work: () => T) => T;
}

/** A mesh of tiles, and the records of all of them together. */
export interface TiledMesh {
  navMesh: NavMesh;
  ground: Rings;
  pieces: ConvexPieces;
  triangleCount: number;
}

/**
 * Builds the mesh of an area. Returns the number of pieces of a tile that has too many, or 0 when the tiles are not simple but
 * should be.
 */
export function buildTiles(run: TileRun, clean: TiledGround, agent: AgentShape): TiledMesh | number {
  const { frame, side, config, stage } = run;
  const { gridSize, originX, originY } = frame;
  const isUp = config.yAxis === 'up';
  const { tiles, selection, areRingsSimple } =
    agent.radius === 0 ? clean : stage('offset', () => insetTiles(run, clean, agent.radius));
  const navMesh = createNavMesh({
    agent,
    tileSize: side * gridSize,
    origin: [originX, 0, (isUp ? -originY : originY) + 0],
  });
  navMesh.mapYSign = isUp ? -1 : 1;
  addAreaNames(navMesh, run.named);
  const workspace = createWorkspace();
  const cuts: TileCut[] = [];
  for (const tile of withAreas(tiles, run)) {
    const cut = cutTile({ ...run, areRingsSimple }, tile, selection, workspace);
    if (cut === undefined) return 0;
    if (cut.pieces.pieceCount > MAX_POLYS_PER_TILE) return cut.pieces.pieceCount;
    cuts.push(cut);
    const { x, y } = tile;
    stage('tile', () => {
      if (cut.pieces.pieceCount > 0) {
        const square = { x, y, side };
        insertTile(navMesh, withNames(tileFromPieces(cut.pieces, frame, config.yAxis, square), run.named));
      }
    });
  }
  return {
    navMesh,
    ground: joinRings(cuts.map(({ ground }) => ground)),
    pieces: joinPieces(cuts.map((cut) => cut.pieces)),
    triangleCount: cuts.reduce((sum, cut) => sum + cut.triangleCount, 0),
  };
}

/** One tile of a map on the grid. */
export interface TileCut {
  ground: Rings;
  pieces: ConvexPieces;
  triangleCount: number;
}

/**
 * Cuts one tile to convex pieces. A tile depends on nothing but its segments and the options, so it can be built again without
 * the others. Returns undefined when its rings are not simple but should be.
 */
export function cutTile(
  {
    config: { mode, maxVertices },
    side,
    joinCells,
    overlay,
    budget,
    cutByDiagonals,
    stage,
    areRingsSimple,
  }: Omit<TileRun, 'frame'> & Pick<TiledGround, 'areRingsSimple'>,
  tile: TileSegments,
  selection: Selection,
  workspace: Workspace,
): TileCut | undefined {
  const triangles = stage('triangulate', () => {
    // Grown walls overlap where walls touch, and passages as wide as the agent stay open by a few cells.
    const isGrown = selection === 'inset' || selection === 'coarse-inset';
    const made = triangulateTile(tile, { side, joinCells: isGrown ? -1 : joinCells }, workspace, budget);
    if (selection === 'simple' && mayCancel(made, tile, side) && areRingsSimple?.() === false) return undefined;
    return selectTriangles(made, selection) ? made : undefined;
  });
  if (triangles === undefined) return undefined;
  const { triangulation, winding } = triangles;
  let triangleCount = 0;
  for (let h = 0; h < winding.length; h++) triangleCount += winding[h];
  return stage(mode === 'diagonal' ? 'diagonal' : 'merge', () => {
    const ground = borderRings(triangulation, winding);
    const pieces =
      mode === 'diagonal'
        ? cutByDiagonals!(ground, maxVertices, undefined, budget).pieces
        : mergeTriangles(triangulation, winding, maxVertices, overlay && labelAreas(triangulation, winding, overlay));
    return { ground, pieces, triangleCount: triangleCount / 3 };
  });
}

/** Returns whether a ring may touch or cross itself in a tile. */
function mayCancel({ triangulation }: TileTriangles, { x, y }: TileSegments, side: number): boolean {
  const { xs, ys } = triangulation;
  return haveJunctions(
    triangulation,
    (v) => xs[v] === x * side || xs[v] === (x + 1) * side || ys[v] === y * side || ys[v] === (y + 1) * side,
  );
}

/** Returns the tiles of an area without the surface that is nearer to its walls than the radius. */
function insetTiles(
  { frame, side, config }: TileRun,
  { rings }: TiledGround,
  radius: number,
): Omit<TiledGround, 'rings'> {
  const grown = Math.min(radius / frame.gridSize, widthOf(rings) + 2);
  const { walls, isEnough } = growWalls(rings, grown, config.arcTolerance);
  if (isEnough) return { tiles: splitIntoTiles(segmentsOf(walls, 1), side), selection: 'inset' };
  const weights = new Int32Array(rings.ringCount + walls.ringCount).fill(TAKEN).fill(1, 0, rings.ringCount);
  return { tiles: splitIntoTiles(segmentsOf(joinRings([rings, walls]), weights), side), selection: 'coarse-inset' };
}

/** Returns the smaller extent of rings. A radius of half of it closes the whole map; walls grown further only need more tiles. */
function widthOf({ x, y }: Rings): number {
  let [minX, maxX, minY, maxY] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < x.length; i++) {
    minX = Math.min(minX, x[i]);
    maxX = Math.max(maxX, x[i]);
    minY = Math.min(minY, y[i]);
    maxY = Math.max(maxY, y[i]);
  }
  return Math.max(0, Math.min(maxX - minX, maxY - minY));
}

/** Returns the tiles with the outlines of areas, which change no winding number. */
function withAreas(tiles: TileSegments[], { overlay, side }: TileRun): TileSegments[] {
  if (overlay === undefined) return tiles;
  const added = new Map(
    splitIntoTiles(segmentsOf(overlay.rings, 0), side).map((tile) => [keyOfTile(tile.x, tile.y), tile]),
  );
  return tiles.map(({ x, y, segments }) => {
    const more = added.get(keyOfTile(x, y));
    return { x, y, segments: more === undefined ? segments : joinSegments(segments, more.segments) };
  });
}

/** Returns tiles of clean rings. */
export function tilesOfRings(rings: Rings, side: number, joinCells: number): TiledGround {
  return { rings, tiles: splitIntoTiles(segmentsOf(rings, 1, joinCells), side), selection: 'ground' };
}

/** Returns all pieces in one list. Pieces of different tiles are no neighbors in it. */
function joinPieces(parts: readonly ConvexPieces[]): ConvexPieces {
  const sum = (count: (part: ConvexPieces) => number): number => parts.reduce((total, part) => total + count(part), 0);
  const pieceCount = sum((part) => part.pieceCount);
  const vertexCount = sum((part) => part.vertexCount);
  const cornerCount = sum((part) => part.corner.length);
  const start = new Int32Array(pieceCount + 1);
  const corner = new Int32Array(cornerCount);
  const neighbor = new Int32Array(cornerCount);
  const x = new Int32Array(vertexCount);
  const y = new Int32Array(vertexCount);
  let piece = 0;
  let at = 0;
  let vertex = 0;
  for (const part of parts) {
    for (let k = 0; k < part.corner.length; k++) {
      corner[at + k] = vertex + part.corner[k];
      neighbor[at + k] = part.neighbor[k] < 0 ? -1 : piece + part.neighbor[k];
    }
    for (let p = 1; p <= part.pieceCount; p++) start[piece + p] = at + part.start[p];
    x.set(part.x, vertex);
    y.set(part.y, vertex);
    piece += part.pieceCount;
    at += part.corner.length;
    vertex += part.vertexCount;
  }
  const joined = { pieceCount, start, corner, neighbor, vertexCount, x, y };
  if (parts.every(({ area }) => area === undefined)) return joined;
  const area = new Uint8Array(pieceCount).fill(AREA_GROUND);
  let done = 0;
  for (const part of parts) {
    if (part.area !== undefined) area.set(part.area, done);
    done += part.pieceCount;
  }
  return { ...joined, area };
}
