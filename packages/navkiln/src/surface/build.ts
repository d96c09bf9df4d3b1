/**
 * Build: triangles that are walked on as they are -> a NavMesh, stage after stage, with times, counts and warnings. No voxels.
 *
 * In: one level or several, options in world units. Out: a mesh whose ground is the given one, and a report. Cost: that of the
 * stages, which are linear but for the trees of the tiles.
 *
 * Based on: own.
 */
import { createNavMesh } from '../navmesh/create.ts';
import { insertTile } from '../navmesh/insert-tile.ts';
import { MAX_POLYS_PER_TILE } from '../navmesh/ref.ts';
import type { NavMesh, TileSettings } from '../navmesh/types.ts';
import { clearGround } from './clear.ts';
import { conformGround, stepReach } from './conform.ts';
import { cutGround } from './cut.ts';
import { insetGround } from './inset.ts';
import { readSurfaceInput } from './input.ts';
import type { Warn } from './input.ts';
import { dropIslands, findIslands } from './islands.ts';
import { mergeGround } from './merge.ts';
import { SURFACE_STAGES, resolveSurfaceOptions } from './options.ts';
import type {
  SurfaceBuild, SurfaceConfig, SurfaceLevel, SurfaceOptions, SurfaceReport, SurfaceStage, SurfaceWarning, SurfaceWarningCode,
} from './options.ts';
import { collectParts, createScratch, createSurfaceTile, planTiles } from './tile.ts';
import type { TileParts } from './tile.ts';
import type { SurfaceInput } from './types.ts';
import { easeSteps, groupPoints } from './vertices.ts';
import { weldGround } from './weld.ts';

/** Ground triangles up to which one tile is tried when no tileSize is given. */
const ONE_TILE_TRIANGLES = 30_000;
/** Ground triangles a tile should have, about, when there are more. */
const TILE_TRIANGLES = 4_000;

interface Run {
  config: SurfaceConfig;
  counts: SurfaceReport['counts'];
  warn: Warn;
  stage: <T>(stage: SurfaceStage, work: () => T) => T;
}

/**
 * Builds a navigation mesh of triangles that already are walkable ground: a walk mesh made in an editor, or a level.
 *
 * @param level positions and triangles, counter-clockwise seen from above (y up), or an array of them
 * @param options world units; see `SurfaceOptions` for defaults
 * @throws TypeError, RangeError on unusable options, shapes, indices out of range; Error on the first warning when `strict`
 */
export function buildFromSurface(level: SurfaceLevel | readonly SurfaceLevel[], options: SurfaceOptions = {}): SurfaceBuild {
  const config = resolveSurfaceOptions(options);
  const begun = performance.now();
  const times = new Map<SurfaceStage, number>();
  const warnings = new Map<SurfaceWarningCode, SurfaceWarning>();
  const counts: SurfaceReport['counts'] = {
    levels: Array.isArray(level) ? level.length : 1, triangles: 0, groundTriangles: 0, splitTriangles: 0, steps: 0, islands: 0,
    droppedIslands: 0, polygons: 0, vertices: 0, detailTriangles: 0, tiles: 0,
  };
  let levelStart: number[] = [0];
  let current: SurfaceStage = 'input';
  const run: Run = {
    config, counts,
    warn(code, more, say, triangle) {
      if (more === 0) return;
      const known = warnings.get(code);
      const count = (known?.count ?? 0) + more;
      const message = known === undefined ? say(count) : `${known.message}; and ${say(more)}`;
      if (config.strict) throw new Error(`buildFromSurface: ${message} (${code}, ${count})`);
      const where = known?.where ?? (triangle === undefined ? undefined : placeOf(levelStart, triangle));
      warnings.set(code, { code, stage: current, count, message, ...(where === undefined ? {} : { where }) });
    },
    stage(stage, work) {
      current = stage;
      options.onProgress?.({ stage, done: SURFACE_STAGES.indexOf(stage), total: SURFACE_STAGES.length });
      const from = performance.now();
      const result = work();
      times.set(stage, (times.get(stage) ?? 0) + performance.now() - from);
      return result;
    },
  };
  const input = run.stage('input', () => {
    const read = readSurfaceInput(level, config, (code, count, say, triangle) => {
      levelStart = levelStartsOf(level);
      run.warn(code, count, say, triangle);
    });
    levelStart = read.levelStart;
    return read;
  });
  counts.triangles = levelStart[levelStart.length - 1];
  config.clearance ??= input.wallVertex.length + input.otherVertex.length > 0;
  const before = new Map(warnings);
  let navMesh: NavMesh | undefined;
  for (let tileSize = firstTileSize(config, input); navMesh === undefined;) {
    warnings.clear();
    for (const [code, warning] of before) warnings.set(code, warning);
    const parts = prepare(run, input, tileSize);
    const most = largestTile(parts);
    if (most > MAX_POLYS_PER_TILE) {
      if (config.tileSize >= 0) {
        throw new RangeError(
          `buildFromSurface: a tile has ${most} polygons, at most ${MAX_POLYS_PER_TILE} are allowed; use a ` +
            `${tileSize === 0 ? 'tileSize above 0' : `tileSize below ${tileSize}`} or leave it away`,
        );
      }
      tileSize = tileSize === 0 ? chooseTileSize(input) : tileSize / 2;
      continue;
    }
    config.tileSize = tileSize;
    navMesh = run.stage('tile', () => assemble(run, parts));
  }
  options.onProgress?.({ stage: '', done: SURFACE_STAGES.length, total: SURFACE_STAGES.length });
  const report: SurfaceReport = {
    stages: SURFACE_STAGES.filter((name) => times.has(name)).map((name) => ({ name, ms: times.get(name)! })),
    totalMs: performance.now() - begun, counts, warnings: [...warnings.values()], config,
  };
  return { navMesh, report };
}

/** All stages between input and tiles. */
function prepare({ config, counts, warn, stage }: Run, input: SurfaceInput, tileSize: number): TileParts {
  const { agent, weldTolerance, islandMinArea, maxVerticesPerPoly, mergeDegrees } = config;
  const welded = stage('weld', () => weldGround(input, weldTolerance, tileSize, warn));
  const { table } = welded;
  counts.groundTriangles = input.groundSource.length;
  const cleared = config.clearance ? stage('clear', () => clearGround(welded.ground, table, input, agent)) : welded.ground;
  let conforming = stage('conform', () => {
    const cut = conformGround(cutGround(cleared, table), table, input, agent);
    const reach = stepReach(agent, table);
    return easeSteps(cut.ground, table, reach, 2 * reach, cut.steps);
  });
  if (agent.radius > 0) {
    conforming = stage('inset', () => {
      const inset = cutGround(insetGround(conforming.ground, table, agent), table);
      // Walls are farther away than the radius now.
      const cut = conformGround(inset, table, { ...input, wallVertex: new Int32Array(0) }, agent);
      const reach = stepReach(agent, table);
      return easeSteps(cut.ground, table, reach, 2 * reach, cut.steps);
    });
  }
  counts.steps = conforming.steps;
  const ground = stage('islands', () => {
    const islands = findIslands(conforming.ground);
    counts.islands = islands.count;
    const kept = dropIslands(conforming.ground, table, islands, islandMinArea);
    counts.droppedIslands = kept.dropped;
    counts.islands -= kept.dropped;
    warn('small-islands', kept.dropped, (n) => (
      `${n} pieces of ground of less than ${islandMinArea} square units are left out; the first is at ` +
        `triangle ${kept.firstDropped}`
    ), kept.firstDropped);
    const isEmpty = kept.ground.count === 0 && input.groundSource.length > 0;
    warn('empty-result', isEmpty ? 1 : 0, () => (
      `the mesh is empty: all ground is narrower than the weldTolerance of ${weldTolerance}, nearer to a wall than the radius ` +
        `of ${agent.radius}, or smaller than islandMinArea`
    ));
    return kept.ground;
  });
  counts.splitTriangles = ground.count;
  return stage('merge', () => {
    const group = groupPoints(ground, table);
    const plan = planTiles(ground, table);
    const pieces = mergeGround(ground, table, group, plan.tile, maxVerticesPerPoly, mergeDegrees);
    return collectParts(ground, table, group, pieces, plan);
  });
}

function assemble({ config, counts }: Run, parts: TileParts): NavMesh {
  const settings: TileSettings = {
    agent: { ...config.agent }, cellSize: 0, cellHeight: 0, tileSize: config.tileSize, origin: [0, 0, 0],
  };
  const navMesh = createNavMesh(settings);
  const scratch = createScratch(parts.table);
  for (let k = 0; k < parts.plan.x.length; k++) insertTile(navMesh, createSurfaceTile(parts, k, settings, scratch));
  counts.tiles = parts.plan.x.length;
  counts.polygons = navMesh.polyCount;
  counts.vertices = navMesh.vertexCount;
  counts.detailTriangles = navMesh.detailTriCount;
  return navMesh;
}

function largestTile({ tileStart }: TileParts): number {
  let most = 0;
  for (let k = 0; k + 1 < tileStart.length; k++) most = Math.max(most, tileStart[k + 1] - tileStart[k]);
  return most;
}

function firstTileSize(config: SurfaceConfig, input: SurfaceInput): number {
  if (config.tileSize >= 0) return config.tileSize;
  return input.groundSource.length <= ONE_TILE_TRIANGLES ? 0 : chooseTileSize(input);
}

/** A power of two, so that lines of the grid are exact. */
function chooseTileSize({ positions, groundVertex }: SurfaceInput): number {
  let x0 = Infinity;
  let z0 = Infinity;
  let x1 = -Infinity;
  let z1 = -Infinity;
  for (let i = 0; i < groundVertex.length; i++) {
    const x = positions[3 * groundVertex[i]];
    const z = positions[3 * groundVertex[i] + 2];
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  const squares = Math.max(1, groundVertex.length / 3 / TILE_TRIANGLES);
  const side = Math.sqrt(((x1 - x0) * (z1 - z0)) / squares);
  let size = 1;
  while (size > side) size /= 2;
  while (2 * size < side) size *= 2;
  return size;
}

function levelStartsOf(level: SurfaceLevel | readonly SurfaceLevel[]): number[] {
  const starts = [0];
  for (const { positions, indices } of Array.isArray(level) ? (level as readonly SurfaceLevel[]) : [level as SurfaceLevel]) {
    starts.push(starts[starts.length - 1] + (indices === undefined ? positions.length / 9 : indices.length / 3));
  }
  return starts;
}

function placeOf(levelStart: readonly number[], triangle: number): { level: number; triangle: number } {
  let level = 0;
  while (level + 2 < levelStart.length && levelStart[level + 1] <= triangle) level++;
  return { level, triangle: triangle - levelStart[level] };
}
