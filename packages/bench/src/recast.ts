/**
 * Bakes and finds paths with npm recast-navigation, through its stage functions, with navkiln's cell counts.
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
  markWalkableTriangles,
  rasterizeTriangles,
} from 'recast-navigation';
import type { BakeConfig } from 'navkiln/build';

export interface RecastBake {
  navMesh: NavMesh;
  polyCount: number;
  /** Vertices in cells and voxels, as in the polygon mesh. */
  vertices: Uint16Array;
  /** maxVerticesPerPoly entries per polygon, 0xffff: none. */
  polys: Uint16Array;
  detailTriangles: number;
  stages: { name: string; ms: number }[];
}

let context: RecastBuildContext;

export async function initRecast(): Promise<void> {
  await init();
  context = new RecastBuildContext(false);
}

/** Returns the size of the wasm memory, which never shrinks. */
export function recastHeapBytes(): number {
  return (Raw.Module.HEAPU8 as Uint8Array).byteLength;
}

/**
 * Bakes as `generateSoloNavMesh` does, call by call, and frees memory as soon as possible. `keepAnswer`
 * copies the polygon mesh for the comparison (not in measured runs).
 */
export function bakeWithRecast(
  positions: Float32Array,
  indices: Uint32Array,
  config: BakeConfig,
  keepAnswer: boolean,
): RecastBake {
  const ctx = context;
  const stages: { name: string; ms: number }[] = [];
  let last = performance.now();
  const lap = (name: string): void => {
    const now = performance.now();
    stages.push({ name, ms: now - last });
    last = now;
  };
  const must = (ok: boolean, name: string): void => {
    if (!ok) throw new Error(`bakeWithRecast: ${name} failed`);
    lap(name);
  };
  const triangleCount = indices.length / 3;
  const vertexCount = positions.length / 3;
  const { cellSize, cellHeight, walkableHeightCells, walkableClimbCells, borderCells } = config;

  const vertices = new VerticesArray();
  vertices.copy(positions);
  const triangles = new TrianglesArray();
  triangles.copy(indices as unknown as Int32Array);
  const areas = new TriangleAreasArray();
  areas.resize(triangleCount);
  markWalkableTriangles(ctx, config.maxSlopeDegrees, vertices, vertexCount, triangles, triangleCount, areas);
  lap('input');
  const solid = allocHeightfield();
  const boundsMin: [number, number, number] = [...config.boundsMin];
  const boundsMax: [number, number, number] = [...config.boundsMax];
  must(
    createHeightfield(ctx, solid, config.widthCells, config.depthCells, boundsMin, boundsMax, cellSize, cellHeight) &&
      rasterizeTriangles(ctx, vertices, vertexCount, triangles, areas, triangleCount, solid, walkableClimbCells),
    'rasterize',
  );
  vertices.destroy();
  triangles.destroy();
  areas.destroy();
  if (config.filterLowHangingObstacles) filterLowHangingWalkableObstacles(ctx, walkableClimbCells, solid);
  if (config.filterLedges) filterLedgeSpans(ctx, walkableHeightCells, walkableClimbCells, solid);
  if (config.filterLowCeilings) filterWalkableLowHeightSpans(ctx, walkableHeightCells, solid);
  lap('filter');
  const field = allocCompactHeightfield();
  must(buildCompactHeightfield(ctx, walkableHeightCells, walkableClimbCells, solid, field), 'compact');
  freeHeightfield(solid);
  last = performance.now();
  must(erodeWalkableArea(ctx, config.walkableRadiusCells, field), 'erode');
  if (config.partition === 'watershed') must(buildDistanceField(ctx, field), 'distance');
  must(
    config.partition === 'watershed'
      ? buildRegions(ctx, field, borderCells, config.regionMinAreaCells, config.regionMergeAreaCells)
      : config.partition === 'layers'
        ? buildLayerRegions(ctx, field, borderCells, config.regionMinAreaCells)
        : buildRegionsMonotone(ctx, field, borderCells, config.regionMinAreaCells, config.regionMergeAreaCells),
    'regions',
  );
  const contours = allocContourSet();
  const tessellate =
    (config.tessellateWallEdges ? Recast.RC_CONTOUR_TESS_WALL_EDGES : 0) |
    (config.tessellateAreaEdges ? Recast.RC_CONTOUR_TESS_AREA_EDGES : 0);
  must(
    buildContours(ctx, field, config.maxEdgeErrorCells, config.maxEdgeLengthCells, contours, tessellate),
    'contours',
  );
  const mesh = allocPolyMesh();
  must(buildPolyMesh(ctx, contours, config.maxVerticesPerPoly, mesh), 'polymesh');
  const detail = allocPolyMeshDetail();
  must(buildPolyMeshDetail(ctx, mesh, field, config.detailSampleDistance, config.detailMaxError, detail), 'detail');
  freeCompactHeightfield(field);
  freeContourSet(contours);

  // rcPolyMesh: pointers verts polys regs flags areas, then nverts npolys …
  const struct = Raw.Module.getPointer(mesh.raw) >> 2;
  const heap32 = Raw.Module.HEAPU32;
  const heap16 = Raw.Module.HEAPU16;
  const polyCount = mesh.npolys();
  const flags = heap32[struct + 3] >> 1;
  heap16.fill(1, flags, flags + polyCount);
  const copy = (pointer: number, count: number): Uint16Array => heap16.slice(pointer >> 1, (pointer >> 1) + count);
  const meshVertices = keepAnswer ? copy(heap32[struct], mesh.nverts() * 3) : new Uint16Array(0);
  const nvp = config.maxVerticesPerPoly;
  const withNeighbors = keepAnswer ? copy(heap32[struct + 1], polyCount * nvp * 2) : new Uint16Array(0);
  const polys = withNeighbors.filter((_, k) => k % (nvp * 2) < nvp);

  const params = new NavMeshCreateParams();
  params.setPolyMeshCreateParams(mesh);
  params.setPolyMeshDetailCreateParams(detail);
  params.setWalkableHeight(config.agent.height);
  params.setWalkableRadius(config.agent.radius);
  params.setWalkableClimb(config.agent.maxClimb);
  params.setCellSize(cellSize);
  params.setCellHeight(cellHeight);
  params.setBuildBvTree(true);
  const data = createNavMeshData(params);
  const navMesh = new NavMesh();
  const detailTriangles = detail.ntris();
  const ok = data.success && navMesh.initSolo(data.navMeshData);
  Raw.destroy(params.raw);
  freePolyMesh(mesh);
  freePolyMeshDetail(detail);
  must(ok, 'tile');
  return { navMesh, polyCount, vertices: meshVertices, polys, detailTriangles, stages };
}

export function createRecastQuery(navMesh: NavMesh, halfExtents: readonly number[]): NavMeshQuery {
  const query = new NavMeshQuery(navMesh, { maxNodes: 65535 });
  query.defaultQueryHalfExtents = { x: halfExtents[0], y: halfExtents[1], z: halfExtents[2] };
  return query;
}
