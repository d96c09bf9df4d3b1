/**
 * The oracle runs npm recast-navigation (Recast's C++ as wasm) on one of our configurations, stage by stage,
 * and returns every intermediate result as our records. Nothing stays allocated in the wasm heap, except an
 * optional Detour mesh until its `destroy` is called.
 */
import {
  NavMesh,
  NavMeshCreateParams,
  NavMeshQuery,
  Raw,
  Recast,
  RecastBuildContext,
  TriangleAreasArray,
  TrianglesArray,
  VerticesArray,
  allocCompactHeightfield,
  allocContourSet,
  allocHeightfield,
  allocPolyMesh,
  allocPolyMeshDetail,
  buildCompactHeightfield,
  buildContours,
  buildDistanceField,
  buildLayerRegions,
  buildPolyMesh,
  buildPolyMeshDetail,
  buildRegions,
  buildRegionsMonotone,
  createHeightfield,
  createNavMeshData,
  erodeWalkableArea,
  filterLedgeSpans,
  filterLowHangingWalkableObstacles,
  filterWalkableLowHeightSpans,
  freeCompactHeightfield,
  freeContourSet,
  freeHeightfield,
  freePolyMesh,
  freePolyMeshDetail,
  init,
  markBoxArea,
  markConvexPolyArea,
  markCylinderArea,
  markWalkableTriangles,
  medianFilterWalkableArea,
  rasterizeTriangles,
} from 'recast-navigation';
import type { RecastCompactHeightfield } from 'recast-navigation';
import type { AreaVolume, TriangleInput } from '../../src/build/voxel/options.ts';
import type { BakeConfig } from '../../src/build/voxel/bake-config.ts';
import * as heap from './heap.ts';
import { writesBeyondRow } from './limits.ts';
import type { StageRecords } from './records.ts';

export interface OracleOptions {
  volumes?: readonly AreaVolume[];
  /**
   * Whether to read the intermediate records. Default true; false: only the timings, and the mesh if
   * requested.
   */
  records?: boolean;
  /**
   * Whether to make a Detour mesh of the polygon mesh, with a query. Needs maxVerticesPerPoly <= 6. Default
   * false.
   */
  navMesh?: boolean;
  /**
   * Skips the detail mesh. Always skipped when detailSampleDistance is 0, because Recast then triangulates an
   * outline without points, reads uninitialized memory and may not terminate. Default false.
   */
  skipDetail?: boolean;
  /** Stops after the areas, where later stages would corrupt the heap or never end. Default false. */
  untilAreas?: boolean;
  /** Number of nodes of the query. Default 65535. */
  maxNodes?: number;
  /**
   * The content of uninitialized memory while contours are built (a byte), or null to leave it unchanged.
   * Default 0xff.
   */
  poison?: number | null;
}

export interface OracleNavMesh {
  navMesh: NavMesh;
  query: NavMeshQuery;
  /** Returns the number in the polygon mesh of the polygon that a Detour ref names. */
  polyIndexOf(ref: number): number;
  refOf(polyIndex: number): number;
  destroy(): void;
}

export interface OracleResult extends StageRecords {
  /** False when a stage reported failure. `failedStage` names it, and the records end before it. */
  ok: boolean;
  failedStage: string;
  stages: { name: string; ms: number }[];
  totalMs: number;
  /**
   * The wasm trap message, or ''. Recast accessed memory out of bounds. Call `initOracle` before the next
   * bake.
   */
  crash: string;
  /** The warnings and errors that Recast logged. */
  log: string[];
  detour?: OracleNavMesh;
}

let context: RecastBuildContext | undefined;

/**
 * Prepares the oracle. Call it before any `runRecast`, preferably before each. It does nothing unless the
 * module has crashed, or Recast wrote beyond its own memory (oracle/limits.ts). Then a new module replaces
 * the broken one.
 */
export async function initOracle(): Promise<void> {
  if (!context || crashed || mayBeCorrupt) await renewOracle();
}

/** Replaces the module: what Recast does beyond its limits depends on what earlier bakes left in its memory. */
export async function renewOracle(): Promise<void> {
  // `init` does nothing while a module exists.
  (Raw as { Module: unknown }).Module = undefined;
  await init();
  context = new RecastBuildContext(true);
  context.raw.enableTimer(false);
  crashed = false;
  mayBeCorrupt = false;
}

/** Whether the heap may be corrupt, although no call has failed yet. */
let mayBeCorrupt = false;
let crashed = false;

function markVolumes(ctx: RecastBuildContext, volumes: readonly AreaVolume[], field: RecastCompactHeightfield): void {
  const xyz = (p: readonly number[]): [number, number, number] => [p[0], p[1], p[2]];
  for (const volume of volumes) {
    if (volume.type === 'box') {
      markBoxArea(ctx, xyz(volume.min), xyz(volume.max), volume.area!, field);
    } else if (volume.type === 'cylinder') {
      markCylinderArea(ctx, xyz(volume.center), volume.radius, volume.height, volume.area!, field);
    } else {
      const outline = new VerticesArray();
      outline.copy(volume.outline.flatMap((p) => [p[0], 0, p[1]]));
      markConvexPolyArea(ctx, outline, volume.outline.length, volume.minY, volume.maxY, volume.area!, field);
      outline.destroy();
    }
  }
}

/**
 * Runs one bake. Throws only when the oracle is not initialized. A bake that Recast refuses returns `ok:
 * false`.
 */
export function runRecast(input: TriangleInput, config: BakeConfig, options: OracleOptions = {}): OracleResult {
  if (!context || crashed) {
    throw new Error(`runRecast: ${crashed ? 'wasm has crashed' : 'not ready'}; call \`await initOracle()\` first`);
  }
  const ctx = context;
  ctx.resetLog();
  const result: OracleResult = { ok: false, failedStage: '', stages: [], totalMs: 0, crash: '', log: [] };
  const record = options.records ?? true;
  const cleanup: (() => void)[] = [];
  const own = <T>(value: T, free: (value: T) => void): T => {
    cleanup.push(() => free(value));
    return value;
  };
  const isBeyond = (): boolean =>
    record &&
    !options.untilAreas &&
    config.partition !== 'watershed' &&
    result.markedArea !== undefined &&
    writesBeyondRow(config, result);
  const begin = performance.now();
  let reading = 0;
  const stage = (name: string, run: () => boolean | void): boolean => {
    const t = performance.now();
    let ok = false;
    try {
      ok = run() !== false;
    } catch (error) {
      // A corrupt heap may also call into JavaScript with invalid arguments.
      if (!(error instanceof WebAssembly.RuntimeError) && !isBeyond()) throw error;
      crashed = true;
      result.crash = (error as Error).message;
    }
    result.stages.push({ name, ms: performance.now() - t });
    if (!ok) result.failedStage = name;
    return ok;
  };
  const read = (run: () => void): void => {
    if (!record) return;
    const t = performance.now();
    run();
    reading += performance.now() - t;
  };

  const bake = (): boolean => {
    const triangleCount = (input.indices ? input.indices.length : input.positions.length / 3) / 3;
    const vertexCount = input.positions.length / 3;
    const vertices = own(new VerticesArray(), (a) => a.destroy());
    const triangles = own(new TrianglesArray(), (a) => a.destroy());
    const areas = own(new TriangleAreasArray(), (a) => a.destroy());
    const solid = own(allocHeightfield(), freeHeightfield);
    const { boundsMin, boundsMax, cellSize, cellHeight, walkableHeightCells, walkableClimbCells } = config;

    if (
      !stage('input', () => {
        vertices.copy(Float32Array.from(input.positions));
        triangles.copy(Int32Array.from(input.indices ?? Array.from({ length: triangleCount * 3 }, (_, k) => k)));
        areas.copy(new Uint8Array(triangleCount));
        markWalkableTriangles(ctx, config.maxSlopeDegrees, vertices, vertexCount, triangles, triangleCount, areas);
        // Given areas apply to walkable triangles. (rcClearUnwalkableTriangles would leave degenerate
        // triangles their area.)
        if (input.areas) areas.copy(areas.toTypedArray().map((area, t) => (area === 0 ? 0 : input.areas![t])));
      })
    )
      return false;
    if (
      !stage(
        'rasterize',
        () =>
          createHeightfield(
            ctx,
            solid,
            config.widthCells,
            config.depthCells,
            [...boundsMin],
            [...boundsMax],
            cellSize,
            cellHeight,
          ) &&
          rasterizeTriangles(ctx, vertices, vertexCount, triangles, areas, triangleCount, solid, walkableClimbCells),
      )
    )
      return false;
    read(() => {
      result.rasterized = heap.readHeightfield(solid.raw);
    });

    stage('filter', () => {
      if (config.filterLowHangingObstacles) filterLowHangingWalkableObstacles(ctx, walkableClimbCells, solid);
      if (config.filterLedges) filterLedgeSpans(ctx, walkableHeightCells, walkableClimbCells, solid);
      if (config.filterLowCeilings) filterWalkableLowHeightSpans(ctx, walkableHeightCells, solid);
    });
    read(() => {
      result.filtered = heap.readHeightfield(solid.raw);
    });

    const field = own(allocCompactHeightfield(), freeCompactHeightfield);
    if (!stage('compact', () => buildCompactHeightfield(ctx, walkableHeightCells, walkableClimbCells, solid, field)))
      return false;
    read(() => {
      result.compact = heap.readCompactField(field.raw);
    });
    if (!stage('erode', () => erodeWalkableArea(ctx, config.walkableRadiusCells, field))) return false;
    read(() => {
      result.erodedArea = heap.readAreas(field.raw);
    });
    if (
      !stage('areas', () => {
        if (config.medianAreas && !medianFilterWalkableArea(ctx, field)) return false;
        markVolumes(ctx, options.volumes ?? [], field);
        return true;
      })
    )
      return false;
    read(() => {
      result.markedArea = heap.readAreas(field.raw);
    });

    if (options.untilAreas) return true;
    const { borderCells, regionMinAreaCells, regionMergeAreaCells } = config;
    if (config.partition === 'watershed') {
      if (!stage('distance', () => buildDistanceField(ctx, field))) return false;
      read(() => {
        Object.assign(result, heap.readDistance(field.raw));
      });
    }
    if (
      !stage('regions', () => {
        if (config.partition === 'watershed') {
          return buildRegions(ctx, field, borderCells, regionMinAreaCells, regionMergeAreaCells);
        }
        if (config.partition === 'layers') return buildLayerRegions(ctx, field, borderCells, regionMinAreaCells);
        return buildRegionsMonotone(ctx, field, borderCells, regionMinAreaCells, regionMergeAreaCells);
      })
    )
      return false;
    read(() => {
      Object.assign(result, heap.readRegions(field.raw));
    });

    const contours = own(allocContourSet(), freeContourSet);
    const tessellate =
      (config.tessellateWallEdges ? Recast.RC_CONTOUR_TESS_WALL_EDGES : 0) |
      (config.tessellateAreaEdges ? Recast.RC_CONTOUR_TESS_AREA_EDGES : 0);
    const poison = options.poison === undefined ? 0xff : options.poison;
    if (poison !== null) read(() => heap.poisonFreeMemory(poison));
    if (
      !stage('contours', () =>
        buildContours(ctx, field, config.maxEdgeErrorCells, config.maxEdgeLengthCells, contours, tessellate),
      )
    )
      return false;
    read(() => {
      result.contours = heap.readContourSet(contours.raw);
    });

    const mesh = own(allocPolyMesh(), freePolyMesh);
    if (!stage('polymesh', () => buildPolyMesh(ctx, contours, config.maxVerticesPerPoly, mesh))) return false;
    read(() => {
      result.polyMesh = heap.readPolyMesh(mesh.raw);
    });

    const detail = own(allocPolyMeshDetail(), freePolyMeshDetail);
    const withDetail = !options.skipDetail && config.detailSampleDistance > 0;
    if (withDetail) {
      if (
        !stage('detail', () =>
          buildPolyMeshDetail(ctx, mesh, field, config.detailSampleDistance, config.detailMaxError, detail),
        )
      )
        return false;
      read(() => {
        result.detail = heap.readDetailMesh(detail.raw, result.polyMesh!);
      });
    }
    if (!options.navMesh) return true;
    return stage('tile', () => {
      heap.markAllWalkable(mesh.raw);
      const params = own(new NavMeshCreateParams(), (value) => Raw.destroy(value.raw));
      params.setPolyMeshCreateParams(mesh);
      if (withDetail) params.setPolyMeshDetailCreateParams(detail);
      params.setWalkableHeight(config.agent.height);
      params.setWalkableRadius(config.agent.radius);
      params.setWalkableClimb(config.agent.maxClimb);
      params.setCellSize(cellSize);
      params.setCellHeight(cellHeight);
      params.setBuildBvTree(true);
      const data = createNavMeshData(params);
      if (!data.success) return false;
      const navMesh = new NavMesh();
      if (!navMesh.initSolo(data.navMeshData)) return false;
      const query = new NavMeshQuery(navMesh, { maxNodes: options.maxNodes ?? 65535 });
      const base = navMesh.getPolyRefBase(navMesh.getTile(0));
      result.detour = {
        navMesh,
        query,
        polyIndexOf: (ref) => ref - base,
        refOf: (polyIndex) => base + polyIndex,
        destroy() {
          Raw.destroy(query.defaultFilter.raw);
          query.destroy();
          navMesh.destroy();
        },
      };
      return true;
    });
  };

  try {
    result.ok = bake();
    mayBeCorrupt = isBeyond();
  } catch (error) {
    // Outside of a stage: allocation or deallocation.
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    crashed = true;
    result.crash = error.message;
    result.failedStage ||= 'memory';
  } finally {
    result.totalMs = performance.now() - begin - reading;
    result.log = ctx.logs.filter((line) => line.category !== Recast.RC_LOG_PROGRESS).map((line) => line.msg);
    // After a crash or a write beyond an array the heap is corrupt, and freeing might fail. The whole module
    // is dropped.
    if (!crashed && !mayBeCorrupt) for (const free of cleanup.reverse()) free();
  }
  return result;
}
