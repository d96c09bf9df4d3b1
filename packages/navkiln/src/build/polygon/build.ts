/**
 * Builds a NavMesh from a 2D map, stage by stage, with times, counts and warnings.
 *
 * The mesh seen from above looks like the map on a screen: y becomes -z where it points up, z where it points
 * down (screens, Tiled).
 *
 * In: outlines with holes, obstacles, options.
 * Out: one mesh per radius, each with its report and the records of its stages.
 * Cost: that of the stages.
 * Based on: own.
 */
import { plural } from '../../base/data/plural.ts';
import { refuse } from '../../base/data/refuse.ts';
import { createNavMesh } from '../../mesh/create.ts';
import { insertTile } from '../../mesh/tiles/insert-tile.ts';
import { MAX_POLYS_PER_TILE } from '../../mesh/ref.ts';
import { createPolygonBudget } from '../../base/plane/budget.ts';
import type { PolygonBudget } from '../../base/plane/budget.ts';
import { cleanMap, cleanRings } from './clean.ts';
import type { CleanGround } from './clean-simple.ts';
import { labelAreas, overlayOf } from './label-areas.ts';
import type { AreaOverlay } from './label-areas.ts';
import { mergeTriangles } from './merge.ts';
import { insetGround } from './offset.ts';
import { joinRings } from '../../base/plane/overlay.ts';
import { POLYGON_STAGES, resolvePolygonOptions } from './options.ts';
import { readPolygonMap } from './rings.ts';
import { addAreaNames, withNames } from './area-names.ts';
import { chooseSide, firstSide } from './tile-side.ts';
import { tileFromPieces } from './tile.ts';
import { areRingsBorder, buildTiles, readTiles, tilesOfRings } from './tiles/build-tiles.ts';
import type { TiledGround } from './tiles/build-tiles.ts';
import { findWindings, triangulateRings } from '../../base/plane/triangulate.ts';
import type {
  CutByDiagonals,
  PolygonBuild,
  PolygonConfig,
  PolygonMap,
  PolygonMesh,
  PolygonOptions,
  PolygonReport,
  PolygonStage,
  PolygonStageRecords,
  PolygonWarning,
} from './options.ts';
import type { GridMap, Warn } from './rings.ts';
import type { Rings } from '../../base/plane/types.ts';

/**
 * Builds a navigation mesh of a 2D map: everything inside a polygon and outside its holes and all obstacles.
 * Rings may have either winding, touch, overlap, cross and stick out; the result is one valid mesh of convex
 * polygons in any case.
 *
 * @param map outlines with holes, and obstacles, as [x, y] or { x, y } in world units
 * @param options world units; see `PolygonOptions` for defaults
 * @throws TypeError, RangeError on NaN, rings of fewer than three points, a map without polygons (each with
 * ring and point),
 *   unusable options, more convex pieces than a tile may have; Error on the first warning when `strict`
 */
export function buildFromPolygons(map: PolygonMap, options: PolygonOptions = {}): PolygonBuild {
  const given = (map as PolygonMap | undefined)?.yAxis;
  if (given !== undefined && given !== 'up' && given !== 'down') {
    refuse('buildFromPolygons', 'map.yAxis', given, "'up' or 'down'");
  }
  const config = resolvePolygonOptions(options, 'buildFromPolygons');
  if (options.yAxis === undefined && given !== undefined) config.yAxis = given;
  const clock = createClock();
  const warnings: PolygonWarning[] = [];
  /** Warnings of rings, by code: the message of the first one, and how many more there are. */
  const alike = new Map<PolygonWarning, { message: string; more: number }>();
  const warn: Warn = (warning) => {
    const { code, message, count = 1 } = warning;
    if (config.strict) throw new Error(`buildFromPolygons: ${message} (${code}, ${count})`);
    const known = warnings.find((one) => one.code === code && one.where?.ring !== undefined);
    if (known === undefined || warning.where?.ring === undefined) {
      warnings.push({ ...warning, stage: clock.stage, count });
      return;
    }
    const first = alike.get(known) ?? { message: known.message, more: 0 };
    alike.set(known, first);
    first.more++;
    known.count += count;
    known.message = `${first.message}; ${plural(first.more, 'more ring')} alike`;
  };
  const budget = createPolygonBudget(config.memoryLimitBytes);
  const grid = clock.run('input', () => readPolygonMap(map, config, warn, 'buildFromPolygons'));
  if (config.mode === 'diagonal' && grid.areas.length > 0) {
    refuse('buildFromPolygons', 'options.mode', config.mode, "'delaunay' for a map with areas");
  }
  const { findNearMisses } = options;
  const nearMiss = findNearMisses && clock.run('input', () => findNearMisses(grid, config));
  if (nearMiss !== undefined) warn(nearMiss);
  const { cutByDiagonals, findClosedPassages } = options;
  const source = createSource(grid, { config, clock, warn, budget });
  const shared = { ...clock.times };
  const meshes = config.radii.map((radius) => {
    clock.times = { ...shared };
    const count = warnings.length;
    const { triangles, tileSize, ...made } = buildForRadius(source, {
      radius,
      config,
      clock,
      warn,
      budget,
      cutByDiagonals,
      findClosedPassages,
    });
    const report: PolygonReport = {
      stages: POLYGON_STAGES.filter((name) => name in clock.times).map((name) => ({ name, ms: clock.times[name]! })),
      totalMs: Object.values(clock.times).reduce((sum, ms) => sum + ms, 0),
      counts: countAll(grid, made.stages, triangles),
      warnings: warnings.slice(),
      config: { ...config, agent: { ...config.agent, radius }, tileSize },
      frame: grid.frame,
    };
    warnings.length = count;
    options.keepReachable?.update('buildFromPolygons', { navMesh: made.navMesh, report }, config);
    return { ...made, report };
  });
  const areas = grid.named;
  return { ...meshes[0], meshes, areas, areaCosts: Object.fromEntries(areas.map(({ id, cost }) => [id, cost])) };
}

interface Clock {
  stage: PolygonStage;
  times: Partial<Record<PolygonStage, number>>;
  run: <T>(stage: PolygonStage, work: () => T) => T;
}

function createClock(): Clock {
  const clock: Clock = {
    stage: 'input',
    times: {},
    run(stage, work) {
      clock.stage = stage;
      const from = performance.now();
      const result = work();
      clock.times[stage] = (clock.times[stage] ?? 0) + performance.now() - from;
      return result;
    },
  };
  return clock;
}

interface BuildRun {
  config: PolygonConfig;
  clock: Clock;
  warn: Warn;
  budget: PolygonBudget;
}

interface RadiusBuild extends BuildRun {
  radius: number;
  /** Given in mode 'diagonal'. */
  cutByDiagonals: CutByDiagonals | undefined;
  findClosedPassages: PolygonOptions['findClosedPassages'];
}

/**
 * The walkable area of a map before a radius is applied, as a whole or in tiles. Each is computed when it is needed.
 */
interface Source {
  grid: GridMap;
  overlay: AreaOverlay | undefined;
  clean: () => CleanGround;
  tiles: (side: number) => TiledGround;
  /** Cleans the map as a whole, since its tiles are not simple, and returns the tiles of the result. */
  refuseTiles: (side: number) => TiledGround;
}

function createSource(grid: GridMap, { config, clock, warn, budget }: BuildRun): Source {
  let clean: CleanGround | undefined;
  let tiled: { side: number; ground: TiledGround } | undefined;
  // A radius and areas need a triangulation of more than the clean rings.
  const isCutNeeded = config.radii.includes(0) && (config.mode === 'diagonal' || grid.areas.length === 0);
  const read = (): CleanGround =>
    isCutNeeded
      ? cleanMap(grid, config.fillRule, warn, budget)
      : { rings: cleanRings(grid, config.fillRule, warn, budget) };
  const source: Source = {
    grid,
    overlay: overlayOf(grid.areas, config.fillRule),
    clean: () => (clean ??= clock.run('clean', read)),
    tiles(side) {
      if (tiled?.side === side) return tiled.ground;
      const tiles = clean === undefined ? clock.run('clean', () => readTiles(grid, side, budget)) : undefined;
      const ground = tiles ?? tilesOfRings(source.clean().rings, side, grid.joinCells);
      tiled = { side, ground };
      return ground;
    },
    refuseTiles(side) {
      const ground = tilesOfRings(source.clean().rings, side, grid.joinCells);
      tiled = { side, ground };
      return ground;
    },
  };
  // Stages that all radii share are measured once, before the first.
  const side = firstSide(grid, config);
  if (side > 0) source.tiles(side);
  else source.clean();
  return source;
}

type MadeMesh = Omit<PolygonMesh, 'report'> & { triangles: number; tileSize: number };

function buildForRadius(source: Source, build: RadiusBuild): MadeMesh {
  const { grid } = source;
  const { radius, config, clock, warn, findClosedPassages } = build;
  const { frame } = grid;
  let made: MadeMesh | number = 0;
  for (let side = firstSide(grid, config); ;) {
    made = side > 0 ? buildInTiles(source, side, build) : buildInOne(source, build);
    if (typeof made !== 'number') break;
    if (config.tileSize >= 0) {
      throw new RangeError(
        `buildFromPolygons: a tile has ${made} convex pieces, at most ${MAX_POLYS_PER_TILE} are allowed; ` +
          `use a ${side === 0 ? 'tileSize above 0' : `tileSize below ${side * frame.gridSize}`} or leave it out`,
      );
    }
    side = side === 0 ? chooseSide(grid) : side >> 1;
  }
  const { navMesh, stages } = made;
  if (stages.pieces.pieceCount === 0) {
    const why =
      stages.clean.ringCount === 0
        ? 'obstacles and holes cover all of it'
        : `all of it is nearer to a wall than the radius of ${radius}`;
    warn({ code: 'empty-result', message: `the map has no walkable area: ${why}` });
  }
  const closed = radius > 0 ? clock.run('offset', () => findClosedPassages?.(stages.clean, navMesh, frame)) : undefined;
  if (closed !== undefined) warn(closed);
  return made;
}

/** Builds a mesh of one tile. Returns the number of pieces when there are too many. */
function buildInOne(
  { grid: { frame, named, joinCells }, clean: read, overlay }: Source,
  { radius, config, clock, budget, cutByDiagonals }: RadiusBuild,
): MadeMesh | number {
  const { maxVertices, arcTolerance, agent } = config;
  const cleaned = read();
  const clean = cleaned.rings;
  const { rings: ground, cut: known } =
    radius === 0
      ? cleaned
      : clock.run('offset', () => insetGround(clean, radius / frame.gridSize, arcTolerance, budget));
  const cut =
    config.mode === 'diagonal'
      ? cutDiagonally(cutByDiagonals!, ground, maxVertices, clock, budget)
      : cutByTriangles(ground, { known, overlay, joinCells, maxVertices, clock, budget });
  const { pieces, winding } = cut;
  if (pieces.pieceCount > MAX_POLYS_PER_TILE) return pieces.pieceCount;
  const navMesh = clock.run('tile', () => {
    const mesh = createNavMesh({ agent: { ...agent, radius } });
    mesh.mapYSign = config.yAxis === 'up' ? -1 : 1;
    addAreaNames(mesh, named);
    if (pieces.pieceCount > 0) insertTile(mesh, withNames(tileFromPieces(pieces, frame, config.yAxis), named));
    return mesh;
  });
  let corners = 0;
  const length = winding?.length ?? 0;
  for (let h = 0; h < length; h++) corners += -winding![h] >>> 31;
  return { navMesh, stages: { clean, ground, ...cut }, triangles: corners / 3, tileSize: 0 };
}

/** Builds a mesh of tiles. Returns the number of pieces of a tile that has too many. */
function buildInTiles(
  source: Source,
  side: number,
  { radius, config, clock, budget, cutByDiagonals }: RadiusBuild,
): MadeMesh | number {
  const { frame, named, joinCells } = source.grid;
  const run = {
    frame,
    side,
    joinCells,
    config,
    overlay: source.overlay,
    named,
    budget,
    stage: clock.run,
    cutByDiagonals,
  };
  const agent = { ...config.agent, radius };
  let clean = source.tiles(side);
  // Only the border of the area is grown by a radius. Without a radius, rings may touch and lie outside.
  if (
    clean.selection === 'simple' &&
    radius > 0 &&
    !clock.run('clean', () => areRingsBorder(clean, side, joinCells, budget))
  ) {
    clean = source.refuseTiles(side);
  }
  let made = buildTiles(run, clean, agent);
  if (made === 0) {
    clean = source.refuseTiles(side);
    made = buildTiles(run, clean, agent);
  }
  if (typeof made === 'number') return made;
  const { navMesh, ground, pieces, triangleCount } = made;
  const stages = { clean: clean.rings, ground, pieces };
  return { navMesh, stages, triangles: triangleCount, tileSize: side * frame.gridSize };
}

type CutRecords = Omit<PolygonStageRecords, 'clean' | 'ground'>;

interface TriangleCut {
  known: CleanGround['cut'];
  overlay: AreaOverlay | undefined;
  joinCells: number;
  maxVertices: number;
  clock: Clock;
  budget: PolygonBudget;
}

function cutByTriangles(
  ground: Rings,
  { known, overlay, joinCells, maxVertices, clock, budget }: TriangleCut,
): CutRecords {
  const { triangulation, winding, area } = clock.run('triangulate', () => {
    if (overlay === undefined && known !== undefined) return { ...known, area: undefined };
    // Outlines of areas change no winding number.
    const rings = overlay === undefined ? ground : joinRings([ground, overlay.rings]);
    const weights = new Int32Array(rings.ringCount).fill(1, 0, ground.ringCount);
    const made = triangulateRings(rings, weights, budget, overlay === undefined ? 0 : joinCells);
    const windings = findWindings(made);
    return { triangulation: made, winding: windings, area: overlay && labelAreas(made, windings, overlay) };
  });
  return {
    triangulation,
    winding,
    pieces: clock.run('merge', () => mergeTriangles(triangulation, winding, maxVertices, area)),
  };
}

function cutDiagonally(
  cutByDiagonals: CutByDiagonals,
  ground: Rings,
  maxVertices: number,
  clock: Clock,
  budget: PolygonBudget,
): CutRecords {
  const diagonal = clock.run('diagonal', () => cutByDiagonals(ground, maxVertices, undefined, budget));
  return { diagonal, pieces: diagonal.pieces };
}

function countAll(grid: GridMap, { ground, pieces }: PolygonStageRecords, triangles: number): PolygonReport['counts'] {
  return {
    rings: grid.ringCount,
    points: grid.pointCount,
    cleanRings: ground.ringCount,
    cleanPoints: ground.x.length,
    triangles,
    polygons: pieces.pieceCount,
    vertices: pieces.vertexCount,
  };
}
