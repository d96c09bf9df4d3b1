/**
 * Bakes with npm recast-navigation, and reads the result as a mesh of navkiln, so that one oracle judges both. Tiled bakes go
 * through its generator, which has one partition, watershed.
 */
import { exportNavMesh } from 'recast-navigation';
import { generateTiledNavMesh } from 'recast-navigation/generators';
import type { NavMesh } from 'navkiln';
import { bakeStages } from 'navkiln/build';
import { parseDetourBin } from 'navkiln/io';
import { bakeWithRecast, initRecast } from '../recast.ts';
import { voxelOptions } from './settings.ts';
import type { Setting, TruthLevel } from './settings.ts';

let isReady = false;

/** Bakes a level near the origin. Returns undefined if the library fails. */
export async function bakeWithPeer(level: TruthLevel, setting: Setting): Promise<NavMesh | undefined> {
  if (!isReady) await initRecast();
  isReady = true;
  const positions = Float32Array.from(level.positions);
  const config = bakeStages.resolveConfig(
    bakeStages.prepareInput({ positions, indices: level.indices }),
    voxelOptions(level, setting),
  );
  const read = { maxSlopeDegrees: level.agent.maxSlopeDegrees, cellHeight: config.cellHeight };
  if (setting.tile === 0) {
    try {
      const { navMesh } = bakeWithRecast(positions, level.indices, config, false);
      const parsed = parseDetourBin(exportNavMesh(navMesh), read).navMesh;
      navMesh.destroy();
      return parsed;
    } catch {
      return undefined;
    }
  }
  const made = generateTiledNavMesh(Array.from(positions), Array.from(level.indices), {
    cs: config.cellSize,
    ch: config.cellHeight,
    walkableSlopeAngle: config.maxSlopeDegrees,
    walkableHeight: config.walkableHeightCells,
    walkableClimb: config.walkableClimbCells,
    walkableRadius: config.walkableRadiusCells,
    tileSize: config.tileCells,
    maxEdgeLen: config.maxEdgeLengthCells,
    maxSimplificationError: config.maxEdgeErrorCells,
    minRegionArea: 8,
    mergeRegionArea: 20,
    maxVertsPerPoly: config.maxVerticesPerPoly,
    detailSampleDist: config.detailSampleDistance / config.cellSize,
    detailSampleMaxError: config.detailMaxError / config.cellHeight,
  });
  if (!made.success) return undefined;
  const parsed = parseDetourBin(exportNavMesh(made.navMesh), read).navMesh;
  made.navMesh.destroy();
  return parsed;
}
