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
import { plural } from '../data/plural.ts';
import { refuse } from '../data/refuse.ts';
import { createNavMesh } from '../navmesh/create.ts';
import { insertTile } from '../navmesh/insert-tile.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { createPolygonBudget } from './budget.ts';
import type { PolygonBudget } from './budget.ts';
import { cleanMap } from './clean.ts';
import type { CleanGround } from './clean-simple.ts';
import { findClosedPassages } from './closed-passages.ts';
import { cutByDiagonals } from './diagonal/diagonal.ts';
import { mergeTriangles } from './merge.ts';
import { insetWalkable } from './offset.ts';
import { POLYGON_STAGES, resolvePolygonOptions } from './options.ts';
import { readPolygonMap } from './rings.ts';
import { tileFromPieces } from './tile.ts';
import { findWindings, triangulateRings } from './triangulate.ts';
import type {
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
import type { GridFrame, Rings } from './types.ts';

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
  const config = resolvePolygonOptions(options);
  if (options.yAxis === undefined && given !== undefined) config.yAxis = given;
  const clock = createClock();
  const warnings: PolygonWarning[] = [];
  const warn: Warn = (warning) => {
    const { code, message, count = 1 } = warning;
    if (config.strict) throw new Error(`buildFromPolygons: ${message} (${code}, ${count})`);
    warnings.push({ ...warning, stage: clock.stage, count });
  };
  const budget = createPolygonBudget(config.memoryLimitBytes);
  const grid = clock.run('input', () => readPolygonMap(map, config, warn));
  const clean = clock.run('clean', () => cleanMap(grid, config.fillRule, warn, budget));
  const shared = { ...clock.times };
  const meshes = config.radii.map((radius) => {
    clock.times = { ...shared };
    const count = warnings.length;
    const made = buildForRadius(grid, clean, { radius, config, clock, warn, budget });
    const report: PolygonReport = {
      stages: POLYGON_STAGES.filter((name) => name in clock.times).map((name) => ({ name, ms: clock.times[name]! })),
      totalMs: Object.values(clock.times).reduce((sum, ms) => sum + ms, 0),
      counts: countAll(grid, made.stages),
      warnings: warnings.slice(),
      config: { ...config, agent: { ...config.agent, radius } },
      frame: grid.frame,
    };
    warnings.length = count;
    return { ...made, report };
  });
  return { ...meshes[0], meshes };
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

interface RadiusBuild {
  radius: number;
  config: PolygonConfig;
  clock: Clock;
  warn: Warn;
  budget: PolygonBudget;
}

function buildForRadius(
  grid: GridMap,
  { rings: clean, cut: known }: CleanGround,
  { radius, config, clock, warn, budget }: RadiusBuild,
): Omit<PolygonMesh, 'report'> {
  const { frame } = grid;
  const { maxVertices, arcTolerance, agent } = config;
  const ground =
    radius === 0
      ? clean
      : clock.run('offset', () => insetWalkable(clean, radius / frame.gridSize, arcTolerance, budget));
  const cut =
    config.mode === 'diagonal'
      ? cutDiagonally(ground, maxVertices, clock)
      : cutByTriangles(ground, { known: ground === clean ? known : undefined, maxVertices, clock, budget });
  const { pieces } = cut;
  const navMesh = clock.run('tile', () => {
    const mesh = createNavMesh({ agent: { ...agent, radius } });
    mesh.mapYSign = config.yAxis === 'up' ? -1 : 1;
    if (pieces.pieceCount > 0) insertTile(mesh, tileFromPieces(pieces, frame, config.yAxis));
    return mesh;
  });
  if (pieces.pieceCount === 0) {
    const why =
      clean.ringCount === 0
        ? 'obstacles and holes cover all of it'
        : `all of it is nearer to a wall than the radius of ${radius}`;
    warn({ code: 'empty-result', message: `there is no ground: ${why}` });
  }
  if (radius > 0) clock.run('offset', () => warnOfClosed(clean, navMesh, frame, warn));
  return { navMesh, stages: { clean, ground, ...cut } };
}

/** Warns of passages that are too narrow for the agent and connect parts of the map. */
function warnOfClosed(clean: Rings, navMesh: NavMesh, frame: GridFrame, warn: Warn): void {
  const { radius } = navMesh.agent;
  const { gridSize, originX, originY } = frame;
  const passages = findClosedPassages(clean, navMesh, frame).map(({ x, y, width }) => ({
    at: [originX + x * gridSize, originY + y * gridSize] as [number, number],
    width: width * gridSize,
  }));
  if (passages.length === 0) return;
  const [{ at, width }] = passages;
  const [x, y] = at.map((value) => Number(value.toPrecision(6)));
  const what = `the radius of ${radius} closes ${plural(passages.length, 'passage')}`;
  warn({
    code: 'closed-by-radius',
    count: passages.length,
    where: { at },
    passages,
    message: `${what} between parts of the map; the widest, at [${x}, ${y}], is ${Number(width.toPrecision(4))} wide, an agent needs ${2 * radius}`,
  });
}

type CutRecords = Omit<PolygonStageRecords, 'clean' | 'ground'>;

interface TriangleCut {
  known: CleanGround['cut'];
  maxVertices: number;
  clock: Clock;
  budget: PolygonBudget;
}

function cutByTriangles(ground: Rings, { known, maxVertices, clock, budget }: TriangleCut): CutRecords {
  const { triangulation, winding } = clock.run('triangulate', () => {
    if (known !== undefined) return known;
    const made = triangulateRings(ground, undefined, budget);
    return { triangulation: made, winding: findWindings(made) };
  });
  return {
    triangulation,
    winding,
    pieces: clock.run('merge', () => mergeTriangles(triangulation, winding, maxVertices)),
  };
}

function cutDiagonally(ground: Rings, maxVertices: number, clock: Clock): CutRecords {
  const diagonal = clock.run('diagonal', () => cutByDiagonals(ground, maxVertices));
  return { diagonal, pieces: diagonal.pieces };
}

function countAll(grid: GridMap, { ground, pieces, winding }: PolygonStageRecords): PolygonReport['counts'] {
  let corners = 0;
  for (const one of winding ?? []) if (one > 0) corners++;
  return {
    rings: grid.ringCount,
    points: grid.pointCount,
    cleanRings: ground.ringCount,
    cleanPoints: ground.x.length,
    triangles: corners / 3,
    polygons: pieces.pieceCount,
    vertices: pieces.vertexCount,
  };
}
