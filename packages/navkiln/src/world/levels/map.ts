/**
 * Worlds over a 2D map. Obstacles are convex outlines in the plane of the map. Only tiles that an obstacle touches, or
 * that a switched layer changes, are triangulated again.
 *
 * In: a map, tile coordinates, obstacles. Out: tiles.
 * Cost: the walkable area of the map is computed once; each tile costs its triangulation.
 * Based on: own; the stages are those of `buildFromPolygons`.
 */
import { checkObject, checkNumbers, refuse, refuseType } from '../../base/data/refuse.ts';
import { createWorkspace } from '../../base/data/workspace.ts';
import { keyOfTile, tileOfKey } from '../../mesh/tiles/tile-grid.ts';
import { addAreaNames, withNames } from '../../build/polygon/area-names.ts';
import { carveTile, gridObstacle, readCarvableMap, switchLayers } from '../../build/polygon/carve-map.ts';
import type { CarvableMap, GridObstacle } from '../../build/polygon/carve-map.ts';
import { circleSides } from '../../build/polygon/offset.ts';
import { resolvePolygonOptions } from '../../build/polygon/options.ts';
import type { PolygonMap, PolygonOptions } from '../../build/polygon/options.ts';
import type { Warn } from '../../build/polygon/rings.ts';
import { tileFromPieces } from '../../build/polygon/tile.ts';
import { cosDegrees, sinDegrees } from '../../base/math/degrees.ts';
import { POINT_2D, isPoint2d, xOf, yOf } from '../../base/math/point-2d.ts';
import type { WorldIndex } from '../../query/index/world-index.ts';
import type { Obstacle, ObstaclePlacement, PlacedObstacle } from '../../build/voxel/options.ts';
import type { LevelBuilder, LevelWarning } from './builder.ts';
import { createWorld } from './create.ts';
import { markTile } from './marks.ts';
import { renameRefusals } from '../../base/data/rename.ts';
import type { MapObstacle, MapPlacement } from './map-obstacle.ts';
import type { World } from './types.ts';

/** Options of `createMapWorld`: those of `buildFromPolygons` for one radius, and a path index. */
export interface MapWorldOptions extends Omit<PolygonOptions, 'radii' | 'findNearMisses' | 'findClosedPassages'> {
  /** A path index that updates of the world keep up to date: `createWorldIndex` of `navkiln/index`. Default: none. */
  pathIndex?: WorldIndex;
}

/** State of a builder of a map's tiles. */
interface MapBuild {
  map: CarvableMap;
  /** -1: z is -y; 1: z is y. */
  ySign: 1 | -1;
  obstacles: WeakMap<PlacedObstacle, GridObstacle>;
  reports: Reports;
}

/**
 * Creates a world over a 2D map. Its tiles equal those of `buildFromPolygons`; `addObstacle` adds obstacles
 * (`MapObstacle`). The first `updateWorld` builds all tiles.
 *
 * @param options as for `buildFromPolygons`; `tileSize` is required. Circles and the arcs around obstacles
 *   differ from the true circle by at most `arcTolerance`; for arcs, at most 0.01 of the radius.
 * @throws the errors of `buildFromPolygons`; RangeError without `tileSize`
 */
export function createMapWorld(map: PolygonMap, options: MapWorldOptions): World {
  const caller = 'createMapWorld';
  checkObject(caller, 'options', options);
  const { pathIndex, ...rest } = options;
  const { radii, findClosedPassages, findNearMisses, provisional } = options as PolygonOptions & {
    provisional?: unknown;
  };
  if (provisional !== undefined)
    refuse(
      caller,
      'options.provisional',
      'set',
      'absent; only tiles of createWorld are cut. updateWorld with maxMs or maxTiles spreads the tiles of a map over several updates',
    );
  if (radii !== undefined) refuse(caller, 'options.radii', radii, 'absent; a world has one radius');
  if (findNearMisses !== undefined)
    refuse(caller, 'options.findNearMisses', findNearMisses, 'absent; only buildFromPolygons finds near misses');
  if (findClosedPassages !== undefined)
    refuse(caller, 'options.findClosedPassages', findClosedPassages, 'absent; only buildFromPolygons finds them');
  const reports = createReports();
  const read = renameRefusals(caller, () => {
    const config = resolvePolygonOptions(rest, caller);
    if (!(config.tileSize > 0)) refuse(caller, 'options.tileSize', options.tileSize, 'the side of a tile in map units');
    const yAxis = (map as PolygonMap | undefined)?.yAxis;
    if (options.yAxis === undefined && yAxis !== undefined) config.yAxis = yAxis;
    if (config.yAxis !== 'up' && config.yAxis !== 'down') refuse(caller, 'map.yAxis', yAxis, "'up' or 'down'");
    return readCarvableMap(map, config, reports.warn(caller, config.strict), caller, options.cutByDiagonals);
  });
  const ySign = read.config.yAxis === 'up' ? -1 : 1;
  const build = createBuilder({ map: read, ySign, obstacles: new WeakMap(), reports });
  const world = renameRefusals(caller, () => createWorld({ build, pathIndex }));
  world.navMesh.mapYSign = ySign;
  addAreaNames(world.navMesh, read.named);
  world.warnings.push(...reports.take());
  for (const key of read.ground.keys()) markTile(world, worldKey(key, ySign));
  return world;
}

/** Returns the key of a tile of the map in the world. */
function worldKey(key: number, ySign: 1 | -1): number {
  const [x, y] = tileOfKey(key);
  return keyOfTile(x, ySign < 0 ? -1 - y : y);
}

/** Warnings of a map that have not been reported. */
interface Reports {
  warn: (caller: string, isStrict: boolean) => Warn;
  take: () => LevelWarning[];
}

function createReports(): Reports {
  const known = new Set<string>();
  let warnings: LevelWarning[] = [];
  return {
    warn:
      (caller, isStrict) =>
      ({ code, message, count = 1 }) => {
        if (isStrict) throw new Error(`${caller}: ${message} (${code}, ${count})`);
        if (known.has(message)) return;
        known.add(message);
        warnings.push({ code: code as LevelWarning['code'], stage: 'input', count, message, where: {} });
      },
    take() {
      const taken = warnings;
      warnings = [];
      return taken;
    },
  };
}

function createBuilder(build: MapBuild): LevelBuilder {
  const { map, ySign, reports } = build;
  const { config, frame, side } = map;
  const { gridSize, originX, originY } = frame;
  const [radius] = config.radii;
  const [minX, minY, maxX, maxY] = map.box;
  const workspace = createWorkspace();
  const toTile = (z: number): number => (ySign < 0 ? -1 - z : z);
  return {
    settings: {
      agent: { ...config.agent, radius },
      cellSize: 0,
      cellHeight: 0,
      tileSize: side * gridSize,
      origin: [originX, 0, ySign * originY + 0],
    },
    // Rounded corners may extend beyond the radius by their tolerance.
    reach: radius * (1 + config.arcTolerance) + 4 * gridSize,
    range: rangeOf(map, toTile),
    extent: [minX, Math.min(ySign * minY, ySign * maxY), maxX, Math.max(ySign * minY, ySign * maxY)],
    canCarve: true,
    mapLayers: {
      list: () => map.layers.slice(1).map(({ name, isOn }) => ({ name, enabled: isOn })),
      switch(caller, enabled) {
        const keys = switchLayers(map, enabled, reports.warn(caller, config.strict));
        return { keys: keys.map((key) => worldKey(key, ySign)), warnings: reports.take() };
      },
      areas: map.named,
    },
    solidOf: (caller, obstacle) => solidOf(build, caller, obstacle),
    placementOf: (caller, placement, path) => placementOf(build, caller, placement, path),
    prepareLevel: () => refuseType('addLevel', 'world', 'a world over a 2D map', 'a world of levels'),
    fitHeight: () => ({ isMoved: false, warnings: [] }),
    buildTile(x, z, _, carving) {
      const y = toTile(z);
      const obstacles = carving.obstacles.map((placed) => gridOf(build, placed));
      return renameRefusals('updateWorld', () => {
        const pieces = carveTile(map, x, y, obstacles, workspace);
        const isEmpty = pieces === undefined || pieces.pieceCount === 0;
        const square = { x, y, side };
        const tile = isEmpty ? null : withNames(tileFromPieces(pieces, frame, config.yAxis, square), map.named);
        return { tile, warnings: [] };
      });
    },
  };
}

/** Returns the tiles of the box around the map. */
function rangeOf({ box, frame, side }: CarvableMap, toTile: (y: number) => number): [number, number, number, number] {
  const { gridSize, originX, originY } = frame;
  const tile = (value: number, origin: number): number => Math.floor(Math.round((value - origin) / gridSize) / side);
  const z = [toTile(tile(box[1], originY)), toTile(tile(box[3], originY))];
  return [tile(box[0], originX), tile(box[2], originX), Math.min(...z), Math.max(...z)];
}

/** Converts an obstacle to the grid. Its outline is the lower ring of its prism. */
function gridOf({ map, ySign, obstacles }: MapBuild, placed: PlacedObstacle): GridObstacle {
  const known = obstacles.get(placed);
  if (known !== undefined) return known;
  const { positions, area } = placed;
  const count = positions.length / 6;
  const points: number[] = [];
  for (let k = 0; k < count; k++) {
    // Rings of prisms are counter-clockwise where z points down the page, which is where y = -z points up.
    const at = 3 * (ySign < 0 ? k : count - 1 - k);
    points.push(positions[at], ySign * positions[at + 2]);
  }
  const made = gridObstacle(map, points, area);
  obstacles.set(placed, made);
  return made;
}

/** Half the height of the prisms that represent obstacles. */
const HALF = 0.5;

/** Converts an obstacle of the map to a prism. */
function solidOf(build: MapBuild, caller: string, given: MapObstacle): Obstacle {
  const { map, ySign } = build;
  const { type, effect = 'hole' } = given;
  if (effect !== 'hole' && effect !== 'area') refuse(caller, 'obstacle.effect', effect, "'hole' or 'area'");
  if (effect === 'area' && map.config.mode === 'diagonal')
    refuse(caller, 'obstacle.effect', effect, "'hole' in a world with mode 'diagonal'");
  const { position, rotation, ...rest } = given;
  const common = placementOf(build, caller, { position, rotation }, 'obstacle');
  if (type === 'box') {
    checkNumbers(caller, 'obstacle.size', given.size);
    if (given.size.length !== 2) refuse(caller, 'obstacle.size', Array.from(given.size), 'width and height');
    const [width, height] = Array.from(given.size);
    positive(caller, 'obstacle.size[0]', width);
    positive(caller, 'obstacle.size[1]', height);
    return { ...rest, ...common, size: [width, 2 * HALF, height] } as Obstacle;
  }
  if (type === 'cylinder') {
    const { radius, ...others } = rest as { radius: number; type: string };
    positive(caller, 'obstacle.radius', radius);
    return { ...others, ...common, ...prism(circle(radius, map.config.arcTolerance, ySign)) } as Obstacle;
  }
  if (type === 'convex') {
    const { outline } = given;
    if (!Array.isArray(outline)) refuseType(caller, 'obstacle.outline', outline, 'an array of points [x, y]');
    const points = outline.map((point, k): [number, number] => {
      if (!isPoint2d(point)) refuse(caller, `obstacle.outline[${k}]`, point, POINT_2D);
      return [xOf(point), ySign * yOf(point)];
    });
    return { ...rest, ...common, ...prism(points) } as Obstacle;
  }
  return refuse(caller, 'obstacle.type', type, "'box', 'cylinder' or 'convex'");
}

function prism(
  outline: [number, number][],
): Pick<Extract<Obstacle, { type: 'convex' }>, 'type' | 'outline' | 'minY' | 'maxY'> {
  return { type: 'convex', outline, minY: -HALF, maxY: HALF };
}

/** Returns a polygon of tangents around a circle. */
function circle(radius: number, tolerance: number, ySign: number): [number, number][] {
  const count = circleSides(tolerance);
  const far = radius / cosDegrees(180 / count);
  return Array.from({ length: count }, (_, k) => {
    const degrees = ((k + 0.5) * 360) / count;
    return [far * sinDegrees(degrees), ySign * far * cosDegrees(degrees)];
  });
}

function positive(caller: string, path: string, value: unknown): void {
  if (typeof value !== 'number' || !(value > 0 && value < Infinity)) refuse(caller, path, value, 'finite and above 0');
}

function placementOf(
  { ySign }: MapBuild,
  caller: string,
  { position = [0, 0], rotation = 0, ...others }: MapPlacement,
  path: string,
): ObstaclePlacement {
  if (!isPoint2d(position)) refuse(caller, `${path}.position`, position, POINT_2D);
  if (typeof rotation !== 'number' || !Number.isFinite(rotation))
    refuse(caller, `${path}.rotation`, rotation, 'finite degrees');
  return { ...others, position: [xOf(position), 0, ySign * yOf(position) + 0], rotation };
}
