/**
 * Cuts obstacles out of a 2D map, tile by tile: the map is cleaned and shrunk by the radius once, and each
 * obstacle is grown by it.
 *
 * A point is near the union of walls and obstacles if it is near one of them. So an obstacle changes only the
 * tiles that its grown outline touches, and a tile depends only on the map and on the obstacles that touch it, in
 * their order. When layers of the map are switched, its ground is rebuilt, and tiles whose segments are the same
 * stay. Segments of a tile are sorted, so that rings elsewhere cannot change their order.
 *
 * In: a map; convex obstacles.
 * Out: convex pieces of one tile.
 * Cost: the build of the map's ground once, and the triangulation of each tile.
 * Based on: own.
 */
import type { Workspace } from '../../base/data/workspace.ts';
import { keyOfTile, tileOfKey } from '../../mesh/tiles/tile-grid.ts';
import { createPolygonBudget } from '../../base/plane/budget.ts';
import { cleanRings } from './clean.ts';
import { ROUNDING_DISTANCE } from '../../base/plane/join-near.ts';
import { overlayOf } from './label-areas.ts';
import { NARROW_TOLERANCE, growWalls, insetGround } from './offset.ts';
import type { CutByDiagonals, NamedArea, PolygonConfig, PolygonMap } from './options.ts';
import { TAKEN, ringsOf } from '../../base/plane/overlay.ts';
import { gridOfLayers, readMapLayers } from './rings.ts';
import type { GridArea, NamedPolygon, ReadLayer, ReadMap, Warn } from './rings.ts';
import { firstSide } from './tile-side.ts';
import { cutTile } from './tiles/build-tiles.ts';
import { SEGMENT, joinSegments, segmentsOf, splitIntoTiles } from './tiles/segments.ts';
import type { SegmentList } from './tiles/segments.ts';
import type { ConvexPieces, GridFrame, GridPoint, Rings } from '../../base/plane/types.ts';

/** The ground and the areas of the layers that are on, by the keys of tiles (x and y). */
interface MapGround {
  /** As in `GridMap`. */
  joinCells: number;
  /** Segments of the ground. Tiles without any have no ground. */
  ground: Map<number, SegmentList>;
  areas: readonly GridArea[];
  /** Outlines of the areas. */
  areaSegments: Map<number, SegmentList>;
}

/** The ground of a map on the grid, by tiles. */
export interface CarvableMap extends MapGround {
  config: PolygonConfig;
  /** Given in mode 'diagonal'. */
  cutByDiagonals: CutByDiagonals | undefined;
  frame: GridFrame;
  /** Side of a tile in grid cells. */
  side: number;
  radiusCells: number;
  /** Box around the polygons of all layers in map units: min x, min y, max x, max y. */
  box: [number, number, number, number];
  /** All layers, and which of them are on. */
  layers: readonly ReadLayer[];
  /** The names of areas. */
  named: NamedArea[];
  /** As in `PolygonMap`; 0: not given. */
  precision: number;
}

/** The outline of an obstacle on the grid, grown by the radius unless it is an area. */
export interface GridObstacle {
  /** 0: a hole. */
  area: number;
  outline: GridPoint[];
  /** Its segments by the key of the tile. */
  segments: Map<number, SegmentList>;
  /** As in `GridMap`. */
  joinCells: number;
}

/** Reads a map, and builds its ground. Throws as `buildFromPolygons`. */
export function readCarvableMap(
  map: PolygonMap,
  config: PolygonConfig,
  warn: Warn,
  caller: string,
  cutByDiagonals?: CutByDiagonals,
): CarvableMap {
  const read = readMapLayers(map, config, caller);
  const { frame, layers, named, precision } = read;
  const all = { ...read, layers: layers.map((layer) => ({ ...layer, isOn: true })) };
  const side = firstSide(
    gridOfLayers(all, () => undefined),
    config,
  );
  const settings = { config, frame, side, radiusCells: config.radii[0] / frame.gridSize };
  return {
    ...settings,
    cutByDiagonals,
    box: boxOf(layers.flatMap(({ polygons }) => polygons)),
    layers,
    named,
    precision,
    ...groundOf(read, settings, warn),
  };
}

/**
 * Switches layers of a map by name, and builds its walkable area again. Returns the keys of the tiles that
 * have changed. The map is then as if it had been read with these layers. Errors that `warn` throws leave it
 * as it was.
 */
export function switchLayers(map: CarvableMap, isOn: Readonly<Record<string, boolean>>, warn: Warn): number[] {
  const layers = map.layers.map((layer) =>
    Object.hasOwn(isOn, layer.name) ? { ...layer, isOn: isOn[layer.name] } : layer,
  );
  const switched = layers.filter((layer, k) => layer.isOn !== map.layers[k].isOn);
  if (switched.length === 0) return [];
  const made = groundOf({ ...map, layers }, map, warn);
  const keys = new Set(changedTiles(map.ground, made.ground));
  const { gridSize, originX, originY } = map.frame;
  const toTile = (value: number, origin: number): number =>
    Math.floor(Math.round((value - origin) / gridSize) / map.side);
  // An area may cover a tile that has no segment of its outline.
  for (const area of switched.flatMap(({ areas }) => areas)) {
    const box = boxOf([area]);
    const [x0, x1] = [toTile(box[0], originX), toTile(box[2], originX)];
    const [y0, y1] = [toTile(box[1], originY), toTile(box[3], originY)];
    for (const key of made.ground.keys()) {
      const [x, y] = tileOfKey(key);
      if (x >= x0 && x <= x1 && y >= y0 && y <= y1) keys.add(key);
    }
  }
  Object.assign(map, made, { layers });
  return [...keys];
}

function groundOf(
  read: ReadMap,
  { config, side, radiusCells }: Pick<CarvableMap, 'config' | 'side' | 'radiusCells'>,
  warn: Warn,
): MapGround {
  const grid = gridOfLayers(read, warn);
  const budget = createPolygonBudget(config.memoryLimitBytes);
  const clean = cleanRings(grid, config.fillRule, warn, budget);
  const { rings } = insetGround(clean, radiusCells, config.arcTolerance, budget);
  const overlay = overlayOf(grid.areas, config.fillRule);
  return {
    joinCells: grid.joinCells,
    ground: byTile(rings, 1, side, grid.joinCells),
    areas: grid.areas,
    areaSegments: overlay === undefined ? new Map() : byTile(overlay.rings, 0, side, 0),
  };
}

/** Returns the keys of the tiles whose segments differ. */
function changedTiles(before: Map<number, SegmentList>, after: Map<number, SegmentList>): number[] {
  const keys: number[] = [];
  for (const [key, segments] of after) {
    const old = before.get(key);
    if (old === undefined || !isSame(old, segments)) keys.push(key);
  }
  for (const key of before.keys()) if (!after.has(key)) keys.push(key);
  return keys;
}

function isSame(a: SegmentList, b: SegmentList): boolean {
  if (a.count !== b.count || a.isRounded !== b.isRounded) return false;
  for (let k = 0; k < SEGMENT * a.count; k++) if (a.data[k] !== b.data[k]) return false;
  return true;
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
  // Parts further away than the radius change nothing, and would not fit onto the grid.
  const margin = 2 * radiusCells * gridSize + gridSize;
  const clipped = clipToBox(points, [box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin]);
  const outline: GridPoint[] = [];
  let joinCells = 0;
  for (let k = 0; k < clipped.length; k += 2) {
    const givenX = (clipped[k] - originX) / gridSize;
    const givenY = (clipped[k + 1] - originY) / gridSize;
    const x = Math.round(givenX) + 0;
    const y = Math.round(givenY) + 0;
    if (x !== givenX || y !== givenY) joinCells = ROUNDING_DISTANCE;
    const last = outline.at(-1);
    if (last?.x !== x || last.y !== y) outline.push({ x, y });
  }
  while (outline.length > 1 && outline[0].x === outline.at(-1)!.x && outline[0].y === outline.at(-1)!.y) outline.pop();
  if (outline.length < 3) return { area, outline: [], segments: new Map(), joinCells };
  if (area > 0) return { area, outline, segments: byTile(ringsOf([outline]), 0, side, 0), joinCells };
  const walls =
    radiusCells === 0
      ? ringsOf([outline])
      : growWalls(
          ringsOf([outline.slice().reverse()]),
          radiusCells,
          Math.min(map.config.arcTolerance, NARROW_TOLERANCE),
        ).walls;
  return { area, outline, segments: byTile(walls, TAKEN, side, joinCells), joinCells };
}

/** Cuts a tile to convex pieces. Returns undefined when the map has no ground there. */
export function carveTile(
  map: CarvableMap,
  x: number,
  y: number,
  obstacles: readonly GridObstacle[],
  workspace: Workspace,
): ConvexPieces | undefined {
  const { config, ground, areas, areaSegments, side } = map;
  const key = keyOfTile(x, y);
  let segments = ground.get(key);
  if (segments === undefined) return undefined;
  const labels = areas.slice();
  let { joinCells } = map;
  for (const { area, outline, segments: own, joinCells: wanted } of obstacles) {
    joinCells = Math.max(joinCells, wanted);
    const more = own.get(key);
    if (more !== undefined) segments = joinSegments(segments, more);
    if (area > 0)
      labels.push({ id: area, outline: { name: '', points: outline, given: [], isRounded: false }, holes: [] });
  }
  const outlines = areaSegments.get(key);
  if (outlines !== undefined) segments = joinSegments(segments, outlines);
  const run = {
    config,
    side,
    joinCells,
    overlay: overlayOf(labels, config.fillRule),
    named: map.named,
    cutByDiagonals: map.cutByDiagonals,
    budget: createPolygonBudget(config.memoryLimitBytes),
    stage: <T>(_: string, work: () => T): T => work(),
  };
  return cutTile(run, { x, y, segments }, 'carved', workspace)!.pieces;
}

function byTile(rings: Rings, weight: number, side: number, joinCells: number): Map<number, SegmentList> {
  const tiles = splitIntoTiles(segmentsOf(rings, weight, joinCells), side, weight === TAKEN);
  return new Map(tiles.map(({ x, y, segments }) => [keyOfTile(x, y), sorted(segments)]));
}

/** Returns segments in an order that the order of rings does not affect. */
function sorted({ count, data, isRounded, areShared }: SegmentList): SegmentList {
  const order = Array.from({ length: count }, (_, k) => SEGMENT * k);
  order.sort((a, b) => {
    for (let k = 0; k < SEGMENT; k++) if (data[a + k] !== data[b + k]) return data[a + k] - data[b + k];
    return 0;
  });
  const out = new Int32Array(SEGMENT * count);
  order.forEach((at, k) => out.set(data.subarray(at, at + SEGMENT), SEGMENT * k));
  return { count, data: out, isRounded, areShared };
}

/** Returns the box around the outlines of polygons. */
function boxOf(polygons: readonly NamedPolygon[]): CarvableMap['box'] {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { outline } of polygons) {
    const points = outline[1];
    for (let k = 0; k < points.length; k += 2) {
      minX = Math.min(minX, points[k]);
      minY = Math.min(minY, points[k + 1]);
      maxX = Math.max(maxX, points[k]);
      maxY = Math.max(maxY, points[k + 1]);
    }
  }
  return [minX, minY, maxX, maxY];
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
