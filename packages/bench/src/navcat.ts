/**
 * Bakes and finds paths with npm navcat, with the same voxel sizes. Watershed only: its generator has no
 * other partition.
 */
import {
  DEFAULT_QUERY_FILTER,
  createFindNearestPolyResult,
  findNearestPoly,
  findPath,
  FindPathResultFlags,
} from 'navcat';
import type { NavMesh } from 'navcat';
import { generateSoloNavMesh } from 'navcat/blocks';
import type { BakeConfig } from 'navkiln/build';

export type NavcatMesh = NavMesh;

export interface NavcatBake {
  navMesh: NavMesh;
  polyCount: number;
}

export function bakeWithNavcat(positions: Float32Array, indices: Uint32Array, config: BakeConfig): NavcatBake {
  const { navMesh, intermediates } = generateSoloNavMesh(
    { positions, indices },
    {
      cellSize: config.cellSize,
      cellHeight: config.cellHeight,
      walkableRadiusVoxels: config.walkableRadiusCells,
      walkableRadiusWorld: config.agent.radius,
      walkableClimbVoxels: config.walkableClimbCells,
      walkableClimbWorld: config.agent.maxClimb,
      walkableHeightVoxels: config.walkableHeightCells,
      walkableHeightWorld: config.agent.height,
      walkableSlopeAngleDegrees: config.maxSlopeDegrees,
      borderSize: config.borderCells,
      minRegionArea: config.regionMinAreaCells,
      mergeRegionArea: config.regionMergeAreaCells,
      maxSimplificationError: config.maxEdgeErrorCells,
      maxEdgeLength: config.maxEdgeLengthCells,
      maxVerticesPerPoly: config.maxVerticesPerPoly,
      detailSampleDistance: config.detailSampleDistance,
      detailSampleMaxError: config.detailMaxError,
    },
  );
  return { navMesh, polyCount: intermediates.polyMesh.nPolys };
}

type Point = [number, number, number];

/** Returns the corners of the path, or null when it does not reach the end. */
export function findPathWithNavcat(
  navMesh: NavMesh,
  start: Point,
  end: Point,
  halfExtents: Point,
): readonly { position: Point }[] | null {
  const result = findPath(navMesh, start, end, halfExtents, DEFAULT_QUERY_FILTER);
  return result.success && (result.flags & FindPathResultFlags.COMPLETE_PATH) !== 0 ? result.path : null;
}

const nearest = createFindNearestPolyResult();

export function findNearestWithNavcat(navMesh: NavMesh, point: Point, halfExtents: Point): boolean {
  return findNearestPoly(nearest, navMesh, point, halfExtents, DEFAULT_QUERY_FILTER).success;
}
