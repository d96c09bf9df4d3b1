/**
 * Build: the whole voxel bake, stage after stage, with times, counts and warnings.
 *
 * Input: triangles and options in world units. Output: a NavMesh of one tile and a report. `buildNavMesh` runs at once,
 * `bakeNavMesh` gives the event loop a turn between stages, so that a page can draw, and can be aborted there. Cost: that of
 * the stages; what a stage no longer needs is let go before the next.
 *
 * Based on: own; the order of stages is Recast's.
 */
import { SPAN_MAX_HEIGHT } from '../constants.ts';
import { createWorkspace, workspaceBytes } from '../data/workspace.ts';
import { createNavMesh } from '../navmesh/create.ts';
import { insertTile } from '../navmesh/insert-tile.ts';
import { markVolume, medianFilterAreas } from './areas.ts';
import { buildCompactField } from './compact.ts';
import { resolveConfig } from './config.ts';
import { buildContours } from './contours.ts';
import { buildDetailMesh } from './detail.ts';
import { buildDistanceField } from './distance.ts';
import { erodeArea } from './erode.ts';
import { filterSpans } from './filter.ts';
import { markBySlope, prepareInput } from './input.ts';
import { buildPolyMesh } from './polymesh.ts';
import { rasterize } from './rasterize.ts';
import { rebaseVolume } from './rebase.ts';
import { buildRegionsLayers } from './regions-layers.ts';
import { buildRegionsMonotone } from './regions-monotone.ts';
import { buildRegionsWatershed } from './regions-watershed.ts';
import { createTileData } from './tile.ts';
import type {
  BakeConfig, BuildOptions, BuildReport, BuildResult, BuildWarning, BuildWarningCode, TriangleInput,
} from './options.ts';
import type { Workspace } from '../data/workspace.ts';
import type { PreparedInput } from './input.ts';
import type { CompactField } from './types.ts';

/** Names of the stages, in the order they run; those an option turns off are left out of a report. */
export const BUILD_STAGES = [
  'input', 'slope', 'rasterize', 'filter', 'compact', 'erode', 'areas', 'distance', 'regions', 'contours', 'polymesh', 'detail',
  'navmesh',
] as const;

/**
 * Bakes a navigation mesh from level triangles.
 *
 * @param input positions (xyz, world units) and triangles, counter-clockwise seen from the walkable side
 * @param options world units; see `BuildOptions` for defaults
 * @throws TypeError, RangeError on unusable options, indices out of range, a grid too large for memory; Error on the first
 *   warning when `strict`
 */
export function buildNavMesh(input: TriangleInput, options: BuildOptions = {}): BuildResult {
  const steps = buildSteps(input, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * The same, giving way to the event loop between stages.
 *
 * @throws what `buildNavMesh` throws, and the signal's reason when it is aborted
 */
export async function bakeNavMesh(
  input: TriangleInput, options: BuildOptions & { signal?: AbortSignal } = {},
): Promise<BuildResult> {
  const { signal, ...rest } = options;
  const steps = buildSteps(input, rest);
  for (;;) {
    signal?.throwIfAborted();
    const step = steps.next();
    if (step.done === true) return step.value;
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
  }
}

/** What `buildNavMesh` would bake this input with. Throws as it does. */
export function resolveBake(input: TriangleInput, options: BuildOptions = {}): BakeConfig {
  return resolveConfig(prepareInput(input, options.bounds), options);
}

/** What the last bake without a workspace of its own used: taken again if the collector has left it. */
let lastWorkspace: WeakRef<Workspace> | undefined;

/** Stops after each stage. */
function* buildSteps(input: TriangleInput, options: BuildOptions): Generator<string, BuildResult> {
  const workspace = options.workspace ?? lastWorkspace?.deref() ?? createWorkspace();
  // Nobody else may have it while this bake runs.
  if (options.workspace === undefined) lastWorkspace = undefined;
  const report = createReport();
  const { counts } = report;
  const begun = performance.now();
  let stage = '', stageBegun = begun;
  const total = BUILD_STAGES.length;
  const enter = (name: (typeof BUILD_STAGES)[number] | ''): string => {
    const now = performance.now();
    if (stage !== '') report.stages.push({ name: stage, ms: now - stageBegun });
    stage = name;
    options.onProgress?.({ stage: name, done: name === '' ? total : BUILD_STAGES.indexOf(name), total });
    stageBegun = performance.now();
    return name;
  };
  const warn = (code: BuildWarningCode, count: number, message: string, where?: BuildWarning['where']): void => {
    if (options.strict === true) throw new Error(`buildNavMesh: ${message} (${code}, ${count})`);
    report.warnings.push({ code, stage, count, message, ...(where === undefined ? {} : { where }) });
  };

  enter('input');
  const prepared = prepareInput(input, options.bounds);
  const config = resolveConfig(prepared, options);
  report.config = config;
  counts.triangles = prepared.triangleCount;
  counts.columns = config.widthCells * config.depthCells;
  warnAboutInput(prepared, config, warn);
  yield stage;

  enter('slope');
  const { areas, walkableCount } = markBySlope(prepared, config.maxSlopeDegrees);
  counts.walkableTriangles = walkableCount;
  if (prepared.degenerateCount > 0) {
    warn(
      'degenerate-triangles', prepared.degenerateCount,
      `${prepared.degenerateCount} triangles have no area; the first is triangle ${prepared.firstDegenerate}`,
      { triangle: prepared.firstDegenerate },
    );
  }
  if (walkableCount === 0 && prepared.triangleCount > 0) {
    warn(
      'no-walkable-triangles', prepared.triangleCount,
      `none of ${prepared.triangleCount} triangles is walkable: is the winding turned around, or is another axis up? `
      + 'Triangles must be counter-clockwise seen from above, y up',
    );
  }
  yield stage;

  enter('rasterize');
  const solid = rasterize(prepared.positions, prepared.indices, areas, config, workspace);
  counts.spans = solid.spanCount;
  yield stage;

  enter('filter');
  filterSpans(solid, config);
  yield stage;

  enter('compact');
  const field = buildCompactField(solid, config, workspace);
  counts.walkableSpans = field.spanCount;
  const emptied = { stage: '' };
  if (counts.walkableTriangles > 0 && field.spanCount === 0) emptied.stage = solid.spanCount === 0 ? 'rasterize' : 'filter';
  yield stage;

  enter('erode');
  erodeArea(field, config.walkableRadiusCells, workspace);
  if (emptied.stage === '' && field.spanCount > 0 && !hasArea(field)) emptied.stage = 'erode';
  yield stage;

  if (config.medianAreas || (options.volumes?.length ?? 0) > 0) {
    enter('areas');
    if (config.medianAreas) medianFilterAreas(field);
    for (const volume of options.volumes ?? []) markVolume(field, rebaseVolume(volume, config.offset));
    if (emptied.stage === '' && field.spanCount > 0 && !hasArea(field)) emptied.stage = 'areas';
    yield stage;
  }

  if (config.partition === 'watershed') {
    enter('distance');
    buildDistanceField(field, workspace);
    yield stage;
  }

  enter('regions');
  if (config.partition === 'watershed') {
    buildRegionsWatershed(field, config.regionMinAreaCells, config.regionMergeAreaCells, workspace);
  } else if (config.partition === 'monotone') {
    buildRegionsMonotone(field, config.regionMinAreaCells, config.regionMergeAreaCells, workspace);
  } else {
    buildRegionsLayers(field, config.regionMinAreaCells, workspace);
  }
  counts.regions = field.regionCount;
  if (emptied.stage === '' && field.spanCount > 0 && field.regionCount === 0) emptied.stage = 'regions';
  yield stage;

  enter('contours');
  const contourProblems = { holesNotMerged: 0 };
  const contours = buildContours(field, config, contourProblems, workspace);
  counts.contours = contours.count;
  if (contourProblems.holesNotMerged > 0) {
    warn(
      'hole-not-merged', contourProblems.holesNotMerged,
      `${contourProblems.holesNotMerged} holes could not be joined to their region's outline and are walkable now; `
      + 'a smaller maxEdgeError or cellSize helps',
    );
  }
  if (emptied.stage === '' && field.regionCount > 0 && contours.count === 0) emptied.stage = 'contours';
  yield stage;

  enter('polymesh');
  const polyProblems = { contoursNotTriangulated: 0 };
  const polyMesh = buildPolyMesh(contours, config, polyProblems, workspace);
  counts.polygons = polyMesh.polyCount;
  counts.vertices = polyMesh.vertexCount;
  if (polyProblems.contoursNotTriangulated > 0) {
    warn(
      'polygon-not-triangulated', polyProblems.contoursNotTriangulated,
      `${polyProblems.contoursNotTriangulated} outlines touch themselves and could not be cut completely; `
      + 'a smaller maxEdgeError helps',
    );
  }
  if (emptied.stage === '' && contours.count > 0 && polyMesh.polyCount === 0) emptied.stage = 'polymesh';
  if (polyMesh.polyCount === 0) warnAboutNothing(emptied.stage, config, warn);
  yield stage;

  enter('detail');
  const detailProblems = { polygonsLimited: 0 };
  const detail = buildDetailMesh(polyMesh, field, config, detailProblems, workspace);
  counts.detailVertices = detail.vertices.length / 3;
  counts.detailTriangles = detail.tris.length / 4;
  if (detailProblems.polygonsLimited > 0) {
    warn(
      'detail-limited', detailProblems.polygonsLimited,
      `${detailProblems.polygonsLimited} polygons need more height samples than they may have; `
      + 'a larger detailMaxError or a smaller maxEdgeLength helps',
    );
  }
  yield stage;

  enter('navmesh');
  const navMesh = createNavMesh({
    agent: { ...config.agent }, cellSize: config.cellSize, cellHeight: config.cellHeight,
    origin: config.boundsMin.map((value, axis) => value + config.offset[axis]!), tileSize: 0,
  });
  if (polyMesh.polyCount > 0) insertTile(navMesh, createTileData(polyMesh, detail, 0, 0, 0, config.offset));
  enter('');
  report.totalMs = performance.now() - begun;
  report.workspaceBytes = workspaceBytes(workspace);
  if (options.workspace === undefined) lastWorkspace = new WeakRef(workspace);
  return { navMesh, report };
}

type Warn = (code: BuildWarningCode, count: number, message: string, where?: BuildWarning['where']) => void;

function warnAboutInput(prepared: PreparedInput, config: BakeConfig, warn: Warn): void {
  const { agent, cellSize, cellHeight } = config;
  if (prepared.invalidCount > 0) {
    warn(
      'invalid-positions', prepared.invalidCount,
      `${prepared.invalidCount} triangles have an infinite or NaN corner and are left out; `
      + `the first is triangle ${prepared.firstInvalid}`,
      { triangle: prepared.firstInvalid },
    );
  }
  if ((agent.radius > 0 && cellSize > agent.radius) || cellHeight > agent.height) {
    const across = agent.radius > 0 && cellSize > agent.radius;
    warn(
      'cell-larger-than-agent', 1,
      across
        ? `the cellSize of ${cellSize} is larger than the agent's radius of ${agent.radius}; half a radius is usual`
        : `the cellHeight of ${cellHeight} is larger than the agent's height of ${agent.height}; a quarter radius is usual`,
    );
  }
  const rows = (config.boundsMax[1] - config.boundsMin[1]) / cellHeight;
  if (rows > SPAN_MAX_HEIGHT) {
    warn(
      'height-clamped', Math.ceil(rows - SPAN_MAX_HEIGHT),
      `the level is ${Math.ceil(rows)} cells high, ${SPAN_MAX_HEIGHT} are kept; take a cellHeight of `
      + `${((rows / SPAN_MAX_HEIGHT) * cellHeight).toPrecision(3)} or more`,
    );
  }
}

const EMPTY_REASONS: Record<string, string> = {
  '': 'there is no walkable triangle',
  rasterize: 'no triangle touches the bounds',
  filter: 'all ground is a ledge, too steep, or under too low a ceiling',
  erode: 'all ground is nearer to a border than the agent\'s radius',
  areas: 'volumes cut all ground away',
  regions: 'all pieces of ground are smaller than regionMinArea',
  contours: 'all outlines vanish when they are simplified; take a smaller maxEdgeError',
  polymesh: 'no outline could be cut into polygons',
};

function warnAboutNothing(stage: string, config: BakeConfig, warn: Warn): void {
  const { radius, height } = config.agent;
  const where = stage === '' ? 'slope' : stage;
  warn(
    'empty-result', 1,
    `the mesh is empty since the stage ${where}: ${EMPTY_REASONS[stage] ?? ''} (agent radius ${radius}, height ${height})`,
  );
}

function hasArea(field: CompactField): boolean {
  return field.area.some((area) => area !== 0);
}

function createReport(): BuildReport {
  return {
    stages: [], totalMs: 0, workspaceBytes: 0, warnings: [],
    counts: {
      triangles: 0, walkableTriangles: 0, columns: 0, spans: 0, walkableSpans: 0, regions: 0, contours: 0, polygons: 0,
      vertices: 0, detailVertices: 0, detailTriangles: 0,
    },
    // Set by the first stage, before anybody sees the report.
    config: undefined as unknown as BakeConfig,
  };
}
