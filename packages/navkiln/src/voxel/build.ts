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
import type { CompactField, ContourSet, DetailMesh, Heightfield, PolyMesh } from './types.ts';
import type { NavMesh } from '../navmesh/types.ts';

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

type Stage = (typeof BUILD_STAGES)[number];

/** Stops after each stage. */
function* buildSteps(input: TriangleInput, options: BuildOptions): Generator<void, BuildResult> {
  const workspace = options.workspace ?? lastWorkspace?.deref() ?? createWorkspace();
  // Nobody else may have it while this bake runs.
  if (options.workspace === undefined) lastWorkspace = undefined;
  const begun = performance.now();
  const stages: BuildReport['stages'] = [], warnings: BuildWarning[] = [];
  let stage: Stage, emptied = '';
  const warn = (code: BuildWarningCode, count: number, message: string, triangle?: number): void => {
    if (count === 0) return;
    if (options.strict) throw new Error(`buildNavMesh: ${message} (${code}, ${count})`);
    warnings.push({ code, stage, count, message, ...(triangle === undefined ? {} : { where: { triangle } }) });
  };
  let prepared!: PreparedInput, config!: BakeConfig, slope!: ReturnType<typeof markBySlope>;
  let solid!: Heightfield, field!: CompactField, contours!: ContourSet, polyMesh!: PolyMesh, detail!: DetailMesh;
  let navMesh!: NavMesh;
  // A stage returns 0 (or false) when it leaves no ground.
  const run: Record<Stage, () => unknown> = {
    input() {
      prepared = prepareInput(input, options.bounds);
      config = resolveConfig(prepared, options);
      warnAboutInput(prepared, config, warn);
    },
    slope() {
      slope = markBySlope(prepared, config.maxSlopeDegrees);
      const { degenerateCount, firstDegenerate, triangleCount } = prepared;
      warn(
        'degenerate-triangles', degenerateCount,
        `${degenerateCount} triangles have no area; the first is triangle ${firstDegenerate}`, firstDegenerate,
      );
      warn(
        'no-walkable-triangles', slope.walkableCount > 0 ? 0 : triangleCount,
        `none of ${triangleCount} triangles is walkable: their winding must be counter-clockwise seen from above, y up`,
      );
      return slope.walkableCount;
    },
    rasterize() {
      solid = rasterize(prepared.positions, prepared.indices, slope.areas, config, workspace);
      return solid.spanCount;
    },
    filter() {
      filterSpans(solid, config);
    },
    compact() {
      field = buildCompactField(solid, config, workspace);
      // What is walkable after the filter is what is compact.
      if (field.spanCount === 0) emptied ||= 'filter';
    },
    erode() {
      erodeArea(field, config.walkableRadiusCells, workspace);
      return hasArea(field);
    },
    areas() {
      if (config.medianAreas) medianFilterAreas(field);
      for (const volume of options.volumes ?? []) markVolume(field, rebaseVolume(volume, config.offset));
      return hasArea(field);
    },
    distance() {
      buildDistanceField(field, workspace);
    },
    regions() {
      const { partition, regionMinAreaCells, regionMergeAreaCells } = config;
      if (partition === 'layers') buildRegionsLayers(field, regionMinAreaCells, workspace);
      else {
        const build = partition === 'watershed' ? buildRegionsWatershed : buildRegionsMonotone;
        build(field, regionMinAreaCells, regionMergeAreaCells, workspace);
      }
      return field.regionCount;
    },
    contours() {
      const problems = { holesNotMerged: 0 };
      contours = buildContours(field, config, problems, workspace);
      const { holesNotMerged: count } = problems;
      warn(
        'hole-not-merged', count,
        `${count} holes could not be joined to their outline and are walkable; a smaller maxEdgeError or cellSize helps`,
      );
      return contours.count;
    },
    polymesh() {
      const problems = { contoursNotTriangulated: 0 };
      polyMesh = buildPolyMesh(contours, config, problems, workspace);
      const { contoursNotTriangulated: count } = problems;
      warn(
        'polygon-not-triangulated', count,
        `${count} outlines touch themselves and could not be cut completely; a smaller maxEdgeError helps`,
      );
      if (polyMesh.polyCount > 0) return;
      const { radius, height } = config.agent, since = emptied || stage;
      warn(
        'empty-result', 1,
        `the mesh is empty since the stage ${since}: ${EMPTY_REASONS[since]} (agent radius ${radius}, height ${height})`,
      );
    },
    detail() {
      const problems = { polygonsLimited: 0 };
      detail = buildDetailMesh(polyMesh, field, config, problems, workspace);
      const { polygonsLimited: count } = problems;
      warn(
        'detail-limited', count,
        `${count} polygons need more height samples than they may have; a larger detailMaxError or a smaller maxEdgeLength helps`,
      );
    },
    navmesh() {
      const { agent, cellSize, cellHeight, boundsMin, offset } = config;
      navMesh = createNavMesh({
        agent: { ...agent }, cellSize, cellHeight, origin: boundsMin.map((value, axis) => value + offset[axis]!), tileSize: 0,
      });
      if (polyMesh.polyCount > 0) insertTile(navMesh, createTileData(polyMesh, detail, 0, 0, 0, offset));
    },
  };
  const total = BUILD_STAGES.length;
  for (let done = 0; done < total; done++) {
    stage = BUILD_STAGES[done]!;
    if (stage === 'areas' && !config.medianAreas && !options.volumes?.length) continue;
    if (stage === 'distance' && config.partition !== 'watershed') continue;
    options.onProgress?.({ stage, done, total });
    const from = performance.now(), left = run[stage]();
    stages.push({ name: stage, ms: performance.now() - from });
    if (left === 0 || left === false) emptied ||= stage;
    if (done < total - 1) yield;
  }
  options.onProgress?.({ stage: '', done: total, total });
  if (options.workspace === undefined) lastWorkspace = new WeakRef(workspace);
  return {
    navMesh,
    report: {
      stages, totalMs: performance.now() - begun, workspaceBytes: workspaceBytes(workspace), warnings,
      counts: {
        triangles: prepared.triangleCount, walkableTriangles: slope.walkableCount, columns: config.widthCells * config.depthCells,
        spans: solid.spanCount, walkableSpans: field.spanCount, regions: field.regionCount, contours: contours.count,
        polygons: polyMesh.polyCount, vertices: polyMesh.vertexCount,
        detailVertices: detail.vertices.length / 3, detailTriangles: detail.tris.length / 4,
      },
      config,
    },
  };
}

type Warn = (code: BuildWarningCode, count: number, message: string, triangle?: number) => void;

function warnAboutInput({ invalidCount, firstInvalid }: PreparedInput, config: BakeConfig, warn: Warn): void {
  const { agent: { radius, height }, cellSize, cellHeight, boundsMin, boundsMax } = config;
  warn(
    'invalid-positions', invalidCount,
    `${invalidCount} triangles have an infinite or NaN corner and are left out; the first is triangle ${firstInvalid}`,
    firstInvalid,
  );
  const isWide = radius > 0 && cellSize > radius;
  warn(
    'cell-larger-than-agent', isWide || cellHeight > height ? 1 : 0,
    isWide ? `the cellSize of ${cellSize} is larger than the agent's radius of ${radius}; half a radius is usual`
      : `the cellHeight of ${cellHeight} is larger than the agent's height of ${height}; a quarter radius is usual`,
  );
  const rows = (boundsMax[1] - boundsMin[1]) / cellHeight;
  warn(
    'height-clamped', Math.max(0, Math.ceil(rows - SPAN_MAX_HEIGHT)),
    `the level is ${Math.ceil(rows)} cells high, ${SPAN_MAX_HEIGHT} are kept; `
    + `a cellHeight of ${((rows / SPAN_MAX_HEIGHT) * cellHeight).toPrecision(3)} or more helps`,
  );
}

const EMPTY_REASONS: Record<string, string> = {
  slope: 'no triangle is walkable',
  rasterize: 'no triangle touches the bounds',
  filter: 'all ground is ledge or under too low a ceiling',
  erode: 'all ground is nearer to a border than the agent\'s radius',
  areas: 'volumes cut all ground away',
  regions: 'all pieces of ground are smaller than regionMinArea',
  contours: 'all outlines vanish; a smaller maxEdgeError helps',
  polymesh: 'no outline could be cut into polygons',
};

function hasArea({ area }: CompactField): boolean {
  return area.some((one) => one > 0);
}
