/**
 * Cuts obstacles out of a 2D map, tile by tile: the ground is cleaned and shrunk by the radius once, obstacles are grown by it one by one.
 *
 * What is near a wall or near an obstacle is what is near their union. So an obstacle changes only the tiles that its grown outline
 * touches, and a tile depends only on the map and on the obstacles that touch it, in their order.
 *
 * In: a map; convex obstacles.
 * Out: convex pieces of one tile.
 * Cost: the build of the map's ground once; of each tile its triangulation.
 * Based on: own.
 */
import type { Workspace } from '../data/workspace.ts';
import { keyOfTile } from '../navmesh/tile-grid.ts';
import { createPolygonBudget } from './budget.ts';
import { cleanRings } from './clean.ts';
import { overlayOf } from './label-areas.ts';
import { NARROW_TOLERANCE, growWalls, insetGround } from './offset.ts';
import type { NamedArea, PolygonConfig, PolygonMap } from './options.ts';
import { TAKEN, ringsOf } from './overlay.ts';
import { readPolygonMap } from './rings.ts';
import type { GridArea, GridPoint, Warn } from './rings.ts';
import { firstSide } from './tile-side.ts';
import { cutTile } from './tiles/build-tiles.ts';
import { joinSegments, segmentsOf, splitIntoTiles } from './tiles/segments.ts';
import type { SegmentList } from './tiles/segments.ts';
import type { ConvexPieces, GridFrame, Rings } from './types.ts';

/** The ground of a map on the grid, by tiles. */
export interface CarvableMap {
  config: PolygonConfig;
  frame: GridFrame;
  /** Side of a tile in grid cells. */
  side: number;
  radiusCells: number;
  /** Box around the map in map units: min x, min y, max x, max y. */
  box: [number, number, number, number];
  /** Segments of the ground by the key of the tile, x and y. Tiles without any have no ground. */
  ground: Map<number, SegmentList>;
  areas: readonly GridArea[];
  /** Their names. */
  named: readonly NamedArea[];
  /** Outlines of the map's areas by tile. */
  areaSegments: Map<number, SegmentList>;
}

/** The outline of an obstacle on the grid, grown by the radius unless it is an area. */
export interface GridObstacle {
  /** 0: a hole. */
  area: number;
  outline: GridPoint[];
  /** Its segments by the key of the tile. */
  segments: Map<number, SegmentList>;
}

/** Reads a map, and builds its ground. Throws as `buildFromPolygons`. */
export function readCarvableMap(map: PolygonMap, config: PolygonConfig, warn: Warn, caller: string): CarvableMap {
  const grid = readPolygonMap(map, config, warn, caller);
  const { frame } = grid;
  const side = firstSide(grid, config);
  const radiusCells = config.radii[0] / frame.gridSize;
  const budget = createPolygonBudget(config.memoryLimitBytes);
  const clean = cleanRings(grid, config.fillRule, warn, budget);
  const { rings } = insetGround(clean, radiusCells, config.arcTolerance, budget);
  const overlay = overlayOf(grid.areas, config.fillRule);
  return {
    config,
    frame,
    side,
    radiusCells,
    box: boxOf(clean, frame),
    ground: byTile(rings, 1, side),
    areas: grid.areas,
    named: grid.named,
    areaSegments: overlay === undefined ? new Map() : byTile(overlay.rings, 0, side),
  };
}

/**
 * Puts a convex obstacle onto the grid.
 *
 * @param points x, y in map units, counter-clockwise
 * @param area 0: a hole
 */
export function gridObstacle(map: CarvableMap, points: readonly number[], area: number): GridObstacle {
  const { frame, side, radiusCells, box } = map;
  const { gridSize, originX, originY } = frame;
  // What lies further away than the radius changes nothing, and would not fit onto the grid.
  const margin = 2 * radiusCells * gridSize + gridSize;
  const clipped = clipToBox(points, [box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin]);
  const outline: GridPoint[] = [];
  for (let k = 0; k < clipped.length; k += 2) {
    const x = Math.round((clipped[k] - originX) / gridSize) + 0;
    const y = Math.round((clipped[k + 1] - originY) / gridSize) + 0;
    const last = outline.at(-1);
    if (last?.x !== x || last.y !== y) outline.push({ x, y });
  }
  while (outline.length > 1 && outline[0].x === outline.at(-1)!.x && outline[0].y === outline.at(-1)!.y) outline.pop();
  if (outline.length < 3) return { area, outline: [], segments: new Map() };
  if (area > 0) return { area, outline, segments: byTile(ringsOf([outline]), 0, side) };
  const walls =
    radiusCells === 0
      ? ringsOf([outline])
      : growWalls(
          ringsOf([outline.slice().reverse()]),
          radiusCells,
          Math.min(map.config.arcTolerance, NARROW_TOLERANCE),
        ).walls;
  return { area, outline, segments: byTile(walls, TAKEN, side) };
}

/** Cuts a tile to convex pieces. Returns undefined when the map has no ground there. */
export function carveTile(
  map: CarvableMap,
  x: number,
  y: number,
  obstacles: readonly GridObstacle[],
  workspace: Workspace,
): ConvexPieces | undefined {
  const { config, ground, areas, areaSegments } = map;
  const key = keyOfTile(x, y);
  let segments = ground.get(key);
  if (segments === undefined) return undefined;
  const labels = areas.slice();
  for (const { area, outline, segments: own } of obstacles) {
    const more = own.get(key);
    if (more !== undefined) segments = joinSegments(segments, more);
    if (area > 0) labels.push({ id: area, outline: { name: '', points: outline, given: [] }, holes: [] });
  }
  const outlines = areaSegments.get(key);
  if (outlines !== undefined) segments = joinSegments(segments, outlines);
  const run = {
    config,
    overlay: overlayOf(labels, config.fillRule),
    named: map.named,
    budget: createPolygonBudget(config.memoryLimitBytes),
    stage: <T>(_: string, work: () => T): T => work(),
  };
  return cutTile(run, { x, y, segments }, 'carved', workspace)!.pieces;
}

function byTile(rings: Rings, weight: number, side: number): Map<number, SegmentList> {
  const tiles = splitIntoTiles(segmentsOf(rings, weight), side);
  return new Map(tiles.map(({ x, y, segments }) => [keyOfTile(x, y), segments]));
}

function boxOf({ x, y }: Rings, { gridSize, originX, originY }: GridFrame): CarvableMap['box'] {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < x.length; i++) {
    minX = Math.min(minX, x[i]);
    minY = Math.min(minY, y[i]);
    maxX = Math.max(maxX, x[i]);
    maxY = Math.max(maxY, y[i]);
  }
  return [originX + minX * gridSize, originY + minY * gridSize, originX + maxX * gridSize, originY + maxY * gridSize];
}

/** Returns the part of a convex polygon inside a box. */
function clipToBox(points: readonly number[], box: CarvableMap['box']): number[] {
  let out = [...points];
  for (let side = 0; side < 4; side++) {
    const axis = side & 1;
    const sign = side < 2 ? 1 : -1;
    const limit = box[side];
    const from = out;
    out = [];
    for (let k = 0; k < from.length; k += 2) {
      const next = k + 2 === from.length ? 0 : k + 2;
      const a = sign * (from[k + axis] - limit);
      const b = sign * (from[next + axis] - limit);
      if (a >= 0) out.push(from[k], from[k + 1]);
      if (a >= 0 !== b >= 0) {
        const u = a / (a - b);
        const across = from[k + 1 - axis] + u * (from[next + 1 - axis] - from[k + 1 - axis]);
        out.push(...(axis === 0 ? [limit, across] : [across, limit]));
      }
    }
  }
  return out;
}
