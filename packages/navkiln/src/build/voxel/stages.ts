/**
 * The stage functions of a bake as callers meet them: each checks the kinds of its arguments before it changes anything. The bake
 * itself calls the stages directly, so that these checks are not in its bundle.
 *
 * Cost: a few property reads per call. Based on: own.
 */
import {
  checkFinite,
  checkMutable,
  checkNumbers,
  checkObject,
  checkRecord,
  checkString,
} from '../../base/data/refuse.ts';
import { checkWorkspace, createWorkspace } from '../../base/data/workspace.ts';
import type { Workspace } from '../../base/data/workspace.ts';
import type { TileData } from '../../mesh/types.ts';
import { markVolume as runMarkVolume, medianFilterAreas as runMedianFilterAreas } from './field/areas.ts';
import { checkConfig, checkCount } from './check-config.ts';
import {
  checkContours,
  checkDetail,
  checkField,
  checkPolyMesh,
  checkPrepared,
  checkRegions,
  checkSolid,
  checkWithin,
} from './check-records.ts';
import { buildCompactField as runBuildCompactField } from './field/compact.ts';
import { resolveConfig as runResolveConfig } from './config.ts';
import { buildContours as runBuildContours } from './contours/contours.ts';
import type { ContourProblems } from './contours/contours.ts';
import { buildDetailMesh as runBuildDetailMesh } from './detail/detail.ts';
import type { DetailProblems } from './detail/detail.ts';
import { buildDistanceField as runBuildDistanceField } from './field/distance.ts';
import { erodeArea as runErodeArea } from './field/erode.ts';
import {
  countWalkableSpans as runCountWalkableSpans,
  filterLedges as runFilterLedges,
  filterLowCeilings as runFilterLowCeilings,
  filterLowHangingObstacles as runFilterLowHangingObstacles,
  filterSpans as runFilterSpans,
} from './field/filter.ts';
import { markBySlope as runMarkBySlope } from './input.ts';
import type { PreparedInput } from './input.ts';
import type { AreaVolume, BuildOptions } from './options.ts';
import { checkVolume } from './volumes.ts';
import type { BakeConfig } from './bake-config.ts';
import { buildPolyMesh as runBuildPolyMesh } from './polymesh/polymesh.ts';
import type { PolyMeshProblems } from './polymesh/polymesh-merge.ts';
import { rasterize as runRasterize } from './rasterize/rasterize.ts';
import { buildRegionsLayers as runBuildRegionsLayers } from './regions/layers.ts';
import { buildRegionsMonotone as runBuildRegionsMonotone } from './regions/monotone.ts';
import { buildRegionsWatershed as runBuildRegionsWatershed } from './regions/watershed.ts';
import { splitConcavePolys as runSplitConcavePolys } from './polymesh/split-concave.ts';
import type { ConvexProblems } from './polymesh/split-concave.ts';
import { createTileData as runCreateTileData } from './tile.ts';
import type { CompactField, ContourSet, DetailMesh, Heightfield, PolyMesh } from './types.ts';

function checkFieldAnd(caller: string, field: CompactField, workspace: Workspace): void {
  checkWorkspace(caller, workspace, 'workspace');
  checkField(caller, field);
}

/** Builds the compact field of a filtered heightfield. Without a workspace it gets memory of its own. */
export function buildCompactField(
  solid: Heightfield,
  config: BakeConfig,
  workspace: Workspace = createWorkspace(),
): CompactField {
  checkWorkspace('buildCompactField', workspace, 'workspace');
  checkSolid('buildCompactField', 'solid', solid);
  checkConfig('buildCompactField', config);
  return runBuildCompactField(solid, config, workspace);
}

/** Builds the contours of all regions. Without a workspace they get memory of their own. */
export function buildContours(
  field: CompactField,
  config: BakeConfig,
  problems: ContourProblems = { holesNotMerged: 0 },
  workspace: Workspace = createWorkspace(),
): ContourSet {
  if (problems !== undefined) checkCount('buildContours', 'holesNotMerged', problems);
  checkFieldAnd('buildContours', field, workspace);
  checkRegions('buildContours', field);
  checkConfig('buildContours', config);
  return runBuildContours(field, config, problems, workspace);
}

/** Builds the detail of all polygons. The result shares no memory with a workspace. */
export function buildDetailMesh(
  mesh: PolyMesh,
  field: CompactField,
  config: BakeConfig,
  problems: DetailProblems = { polygonsLimited: 0 },
  workspace: Workspace = createWorkspace(),
): DetailMesh {
  if (problems !== undefined) checkCount('buildDetailMesh', 'polygonsLimited', problems);
  checkWorkspace('buildDetailMesh', workspace, 'workspace');
  checkPolyMesh('buildDetailMesh', mesh);
  checkField('buildDetailMesh', field);
  checkWithin('buildDetailMesh', mesh, field);
  checkConfig('buildDetailMesh', config);
  return runBuildDetailMesh(mesh, field, config, problems, workspace);
}

/** Fills `distance` and `maxDistance` of the field. Without a workspace it gets memory of its own. */
export function buildDistanceField(field: CompactField, workspace: Workspace = createWorkspace()): void {
  checkFieldAnd('buildDistanceField', field, workspace);
  checkMutable('buildDistanceField', 'field', field);
  runBuildDistanceField(field, workspace);
}

/** Builds the polygon mesh of a contour set. The result shares no memory with a workspace. */
export function buildPolyMesh(
  contours: ContourSet,
  config: BakeConfig,
  problems: PolyMeshProblems = { contoursNotTriangulated: 0 },
  workspace: Workspace = createWorkspace(),
): PolyMesh {
  if (problems !== undefined) checkCount('buildPolyMesh', 'contoursNotTriangulated', problems);
  checkWorkspace('buildPolyMesh', workspace, 'workspace');
  checkContours('buildPolyMesh', contours);
  checkConfig('buildPolyMesh', config);
  return runBuildPolyMesh(contours, config, problems, workspace);
}

/**
 * Returns a mesh whose polygons of more than three vertices are all convex.
 *
 * @param contours the contours that the mesh was built from
 */
export function splitConcavePolys(
  mesh: PolyMesh,
  contours: Pick<ContourSet, 'width' | 'depth'>,
  problems: ConvexProblems = { polygonsSplit: 0 },
): PolyMesh {
  if (problems !== undefined) checkCount('splitConcavePolys', 'polygonsSplit', problems);
  checkPolyMesh('splitConcavePolys', mesh);
  checkObject('splitConcavePolys', 'contours', contours);
  checkFinite('splitConcavePolys', 'contours.width', contours.width);
  checkFinite('splitConcavePolys', 'contours.depth', contours.depth);
  return runSplitConcavePolys(mesh, contours, problems);
}

/**
 * Builds the regions of a field by layers.
 *
 * @param minArea connected layers with fewer spans in all are dropped, unless they reach the tile's border
 * @param recast drops each layer with fewer spans, although it may join others
 */
export function buildRegionsLayers(
  field: CompactField,
  minArea: number,
  workspace: Workspace = createWorkspace(),
  recast: boolean = false,
): void {
  checkFieldAnd('buildRegionsLayers', field, workspace);
  checkMutable('buildRegionsLayers', 'field', field);
  checkFinite('buildRegionsLayers', 'minArea', minArea);
  runBuildRegionsLayers(field, minArea, workspace, recast);
}

/**
 * Builds the regions of a field from monotone strips.
 *
 * @param minArea, mergeArea in spans, see `mergeSmallRegions`
 */
export function buildRegionsMonotone(
  field: CompactField,
  minArea: number,
  mergeArea: number,
  workspace: Workspace = createWorkspace(),
): void {
  checkFieldAnd('buildRegionsMonotone', field, workspace);
  checkMutable('buildRegionsMonotone', 'field', field);
  checkFinite('buildRegionsMonotone', 'minArea', minArea);
  checkFinite('buildRegionsMonotone', 'mergeArea', mergeArea);
  runBuildRegionsMonotone(field, minArea, mergeArea, workspace);
}

/**
 * Builds the regions of a field by watershed.
 *
 * @param minArea, mergeArea in spans, see `mergeSmallRegions`
 */
export function buildRegionsWatershed(
  field: CompactField,
  minArea: number,
  mergeArea: number,
  workspace: Workspace = createWorkspace(),
): void {
  checkFieldAnd('buildRegionsWatershed', field, workspace);
  checkMutable('buildRegionsWatershed', 'field', field);
  checkFinite('buildRegionsWatershed', 'minArea', minArea);
  checkFinite('buildRegionsWatershed', 'mergeArea', mergeArea);
  runBuildRegionsWatershed(field, minArea, mergeArea, workspace);
}

/** Returns the number of walkable spans. */
export function countWalkableSpans(field: Heightfield): number {
  checkSolid('countWalkableSpans', 'field', field);
  return runCountWalkableSpans(field);
}

/**
 * Makes spans not walkable that are next to a drop of more than the climb. With `recast`, also those whose neighbors' floors differ by
 * more.
 */
export function filterLedges(
  field: Heightfield,
  heightCells: number,
  climbCells: number,
  recast: boolean = false,
): void {
  checkSolid('filterLedges', 'field', field);
  checkFinite('filterLedges', 'heightCells', heightCells);
  checkFinite('filterLedges', 'climbCells', climbCells);
  runFilterLedges(field, heightCells, climbCells, recast);
}

/** Makes spans under a ceiling lower than the agent not walkable. */
export function filterLowCeilings(field: Heightfield, heightCells: number): void {
  checkSolid('filterLowCeilings', 'field', field);
  checkFinite('filterLowCeilings', 'heightCells', heightCells);
  runFilterLowCeilings(field, heightCells);
}

/** Makes spans walkable that are at most the climb above a walkable span: curbs, stairs, rubble. */
export function filterLowHangingObstacles(field: Heightfield, climbCells: number): void {
  checkSolid('filterLowHangingObstacles', 'field', field);
  checkFinite('filterLowHangingObstacles', 'climbCells', climbCells);
  runFilterLowHangingObstacles(field, climbCells);
}

/** Runs the filters that `config` turns on, in one pass. */
export function filterSpans(field: Heightfield, config: BakeConfig): void {
  checkSolid('filterSpans', 'field', field);
  checkConfig('filterSpans', config);
  runFilterSpans(field, config);
}

/** Creates the data of tile (x, z). The result shares no memory with a workspace. */
export function createTileData(
  mesh: PolyMesh,
  detail: DetailMesh,
  config: BakeConfig,
  x: number = 0,
  z: number = 0,
): TileData {
  checkPolyMesh('createTileData', mesh);
  checkDetail('createTileData', detail);
  checkConfig('createTileData', config);
  checkFinite('createTileData', 'x', x);
  checkFinite('createTileData', 'z', z);
  return runCreateTileData(mesh, detail, config, x, z);
}

/** Removes the area of spans closer to a border than `radiusCells`, in place. */
export function erodeArea(field: CompactField, radiusCells: number, workspace: Workspace = createWorkspace()): void {
  checkFieldAnd('erodeArea', field, workspace);
  checkFinite('erodeArea', 'radiusCells', radiusCells);
  runErodeArea(field, radiusCells, workspace);
}

/**
 * Returns the area id of each triangle after the slope test, 0 for those that are too steep. Counts walkable
 * triangles, and those without area in `prepared`. `flat` compares the sides that flat triangles face.
 *
 * @param maxSlopeDegrees steepest walkable slope, 0 .. 90
 * @param caller name of the function that error messages begin with
 * @throws RangeError when the area of a walkable triangle is not a whole number from 0 to 63
 */
export function markBySlope(
  prepared: PreparedInput,
  maxSlopeDegrees: number,
  caller: string = 'markBySlope',
): ReturnType<typeof runMarkBySlope> {
  checkString('markBySlope', 'caller', caller);
  checkFinite(caller, 'maxSlopeDegrees', maxSlopeDegrees);
  checkPrepared(caller, prepared);
  return runMarkBySlope(prepared, maxSlopeDegrees, caller);
}

/**
 * Derives the configuration of a bake.
 *
 * @param prepared from `prepareInput`
 * @param caller name of the function that error messages begin with
 * @returns the configuration; its bounds, cell size and cell height are float32 values
 * @throws RangeError, TypeError for unknown keys, values out of range, and grids that need more than
 *   `memoryLimitBytes`
 */
export function resolveConfig(
  prepared: PreparedInput,
  options: BuildOptions,
  caller: string = 'resolveConfig',
): BakeConfig {
  checkString('resolveConfig', 'caller', caller);
  checkPrepared(caller, prepared);
  return runResolveConfig(prepared, options, caller);
}

/**
 * Sets the area of the walkable spans in a volume. Later volumes overwrite earlier ones, but a hole stays a
 * hole.
 */
export function markVolume(field: CompactField, volume: AreaVolume): void {
  checkVolume('markVolume', volume, 'volume');
  checkField('markVolume', field);
  runMarkVolume(field, volume);
}

/**
 * Gives each walkable span the median area of itself and its eight neighbors. Missing neighbors count as the
 * span itself.
 */
export function medianFilterAreas(field: CompactField): void {
  checkField('medianFilterAreas', field);
  runMedianFilterAreas(field);
}

/**
 * Rasterizes triangles onto the grid of the configuration. Without a workspace the result has memory of its
 * own.
 *
 * @param positions x, y, z of each vertex, local coordinates
 * @param indices three vertex numbers per triangle
 * @param areas area id per triangle, 0 .. 63
 */
export function rasterize(
  positions: Float32Array,
  indices: ArrayLike<number>,
  areas: Uint8Array,
  config: BakeConfig,
  workspace: Workspace = createWorkspace(),
): Heightfield {
  checkNumbers('rasterize', 'indices', indices);
  checkWorkspace('rasterize', workspace, 'workspace');
  checkRecord('rasterize', 'positions', { positions }, 'positions', 'a Float32Array');
  checkRecord('rasterize', 'areas', { areas }, 'areas', 'a Uint8Array');
  checkConfig('rasterize', config);
  return runRasterize(positions, indices, areas, config, workspace);
}
