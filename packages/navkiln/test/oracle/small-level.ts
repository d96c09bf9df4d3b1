/** A level and a configuration for the oracle's own tests: small, with work for each stage. */
import type { BakeConfig } from '../../src/build/voxel/bake-config.ts';
import type { TriangleInput } from '../../src/build/voxel/options.ts';

/** Returns rolling terrain with a slope, a hole and a wall. */
export function smallLevel(): TriangleInput {
  const n = 24;
  const positions: number[] = [];
  const indices: number[] = [];
  for (let z = 0; z <= n; z++) {
    for (let x = 0; x <= n; x++) {
      positions.push(x * 0.5, ((x * 7 + z * 3) % 5) * 0.06 + (x > 16 ? (x - 16) * 0.2 : 0), z * 0.5);
    }
  }
  for (let z = 0; z < n; z++) {
    for (let x = 0; x < n; x++) {
      if (x > 8 && x < 12 && z > 8 && z < 13) continue;
      const a = z * (n + 1) + x;
      indices.push(a, a + n + 1, a + 1, a + 1, a + n + 1, a + n + 2);
    }
  }
  const wall = positions.length / 3;
  for (const [x, z] of [
    [3, 3],
    [3.3, 3],
    [3.3, 9],
    [3, 9],
  ])
    positions.push(x!, -1, z!, x!, 2.5, z!);
  for (let k = 0; k < 4; k++) {
    const [a, b] = [wall + k * 2, wall + ((k + 1) % 4) * 2];
    indices.push(a, a + 1, b, b, a + 1, b + 1);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

export function smallConfig(change: Partial<BakeConfig> = {}): BakeConfig {
  return {
    agent: { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 },
    cellSize: 0.2,
    cellHeight: 0.1,
    boundsMin: [0, -1, 0],
    boundsMax: [12, 2.5, 12],
    offset: [0, 0, 0],
    widthCells: 60,
    depthCells: 60,
    maxSlopeDegrees: 45,
    walkableHeightCells: 18,
    walkableClimbCells: 4,
    walkableRadiusCells: 2,
    borderCells: 0,
    tileCells: 0,
    tileCountX: 1,
    tileCountZ: 1,
    partition: 'watershed',
    maxEdgeLengthCells: 40,
    maxEdgeErrorCells: 1.3,
    regionMinAreaCells: 64,
    regionMergeAreaCells: 400,
    maxVerticesPerPoly: 6,
    detailSampleDistance: 1.2,
    detailMaxError: 0.1,
    filterLowHangingObstacles: true,
    filterLedges: true,
    filterLowCeilings: true,
    medianAreas: false,
    tessellateWallEdges: true,
    tessellateAreaEdges: false,
    recast: false,
    ...change,
  };
}
