/**
 * Measures one change of an obstacle, per tile: `updateWorld` that cuts the obstacle out of the mesh (`createProvisionalTiles`), the
 * update that rebuilds the tile, a fresh bake of the same tile, and the TileCache of npm recast-navigation, in turns. navkiln erodes around
 * the obstacle in both phases and builds a detail mesh; TileCache does neither. TileCache moves an obstacle by removing and adding it.
 * Throws when tiles of the world and of the fresh bake differ in their number of polygons, and when an update cuts no tile.
 */
import { generateTileCache } from 'recast-navigation/generators';
import { findNearest } from 'navkiln';
import {
  buildNavMesh,
  buildPreparedTile,
  createObstacles,
  createWorkspace,
  optionsFromSettings,
  prepareTiles,
} from 'navkiln/build';
import type { BuildOptions, Partition } from 'navkiln/build';
import { findTile } from 'navkiln/kernel';
import {
  addLevel,
  addObstacle,
  createProvisionalTiles,
  createWorld,
  moveObstacle,
  removeObstacle,
  updateWorld,
} from 'navkiln/world';
import type { World } from 'navkiln/world';
import { ratioOf, spreadOf } from './harness.ts';
import type { Spread } from './harness.ts';
import type { BenchLevel } from './levels.ts';

export interface ObstacleRow {
  level: string;
  partition: string;
  /** 'add': an obstacle in a tile that may not have changed for long; 'move': one that moves within its tile. */
  change: Change;
  /** Milliseconds of a cut tile, and of a rebuilt one. */
  cutMs: number;
  ms: number;
  /** Time of the cut over that of TileCache's update of the tile. */
  cut: Spread;
  /** Time of the rebuild over that of a fresh bake of the tile. */
  fresh: Spread;
  /** Time of the rebuild over that of TileCache's update of the tile. */
  tileCache: Spread;
  /** Packed spans, bytes per tile. */
  layerBytes: number;
}

type Change = 'add' | 'move' | 'remove';
const CHANGES: readonly Change[] = ['add', 'move', 'remove'];

/** Side of a tile, cells. */
const TILE_CELLS = 64;
const WARMUPS = 20;

/** Measures a level with both partitions that suit tiles. */
export function benchObstacles(level: BenchLevel, rounds: number): ObstacleRow[] {
  return (['layers', 'watershed'] as const).flatMap((partition) =>
    benchPartition(level, partition, Math.max(rounds, 60)),
  );
}

function benchPartition(
  { name, positions, indices, options: given }: BenchLevel,
  partition: Partition,
  rounds: number,
): ObstacleRow[] {
  const { config } = buildNavMesh({ positions, indices }, given).report;
  const { cellSize, boundsMin, boundsMax, offset } = config;
  const bounds = { min: boundsMin.map((v, k) => v + offset[k]), max: boundsMax.map((v, k) => v + offset[k]) };
  const input = { positions: Float64Array.from(positions), indices };
  const options: BuildOptions = {
    ...given,
    ...optionsFromSettings({ partition }),
    bounds,
    tileSize: TILE_CELLS * cellSize,
  };
  const provisional = createProvisionalTiles({ settleUpdates: 2 });
  const world = createWorld({ ...options, workspace: createWorkspace(), provisional });
  addLevel(world, input);
  updateWorld(world);
  const peer = generateTileCache(positions, indices, {
    cs: cellSize,
    ch: config.cellHeight,
    tileSize: TILE_CELLS,
    walkableSlopeAngle: config.maxSlopeDegrees,
    walkableHeight: config.walkableHeightCells,
    walkableClimb: config.walkableClimbCells,
    walkableRadius: config.walkableRadiusCells,
    maxSimplificationError: config.maxEdgeErrorCells,
    maxVertsPerPoly: config.maxVerticesPerPoly,
  });
  if (!peer.success) throw new Error(`${name}: TileCache was not built: ${peer.error}`);
  const { tileCache, navMesh } = peer;
  const settle = (): number => {
    for (let count = 1; ; count++) if (tileCache.update(navMesh).upToDate) return count;
  };
  const places = placesOf(world, bounds);
  const workspace = createWorkspace();
  const times = Object.fromEntries(CHANGES.map((change) => [change, [[], [], [], []] as number[][]]));
  const half = 2 * cellSize;
  type Boxed = ReturnType<typeof tileCache.addBoxObstacle>['obstacle'];
  for (let round = -WARMUPS; round < rounds; round++) {
    const [x, y, z] = places[(round + WARMUPS) % places.length];
    let id = 0;
    let theirBox: Boxed;
    for (const change of CHANGES) {
      const place =
        change === 'add'
          ? { position: [x, y + 1, z], rotation: 30 }
          : { position: [x + half, y + 1, z + half / 2], rotation: 50 };
      const obstacle = { type: 'box', size: [2 * half, 2, 2 * half] as number[], ...place } as const;
      let begin = performance.now();
      if (change === 'add') id = addObstacle(world, obstacle);
      else if (change === 'move') moveObstacle(world, id, place);
      else removeObstacle(world, id);
      const { provisionalTiles } = updateWorld(world, { maxTiles: 1 });
      const cut = (performance.now() - begin) / provisionalTiles.length;
      if (provisionalTiles.length === 0) throw new Error(`${name}: no tile was cut`);
      begin = performance.now();
      const { rebuiltTiles } = updateWorld(world);
      const own = (performance.now() - begin) / rebuiltTiles.length;
      begin = performance.now();
      if (theirBox !== undefined) tileCache.removeObstacle(theirBox);
      if (change !== 'remove') {
        const at = { x: place.position[0], y: y - 0.5, z: place.position[2] };
        theirBox = tileCache.addBoxObstacle(at, { x: half, y: 2, z: half }, (place.rotation * Math.PI) / 180).obstacle;
      }
      const updates = settle();
      const their = (performance.now() - begin) / updates;
      const list = change === 'remove' ? [] : [obstacle];
      const prepared = prepareTiles(input, { ...options, obstacles: createObstacles(list), workspace });
      const [tileX, tileZ] = rebuiltTiles[0];
      begin = performance.now();
      const tile = buildPreparedTile(prepared, tileX, tileZ);
      const baked = performance.now() - begin;
      const polyCount = world.navMesh.tilePolyCount[findTile(world.navMesh, tileX, tileZ)] ?? 0;
      if (polyCount !== (tile?.polyCount ?? 0))
        throw new Error(`${name}: tile ${tileX}, ${tileZ} differs from its bake`);
      if (round >= 0) [cut, own, baked, their].forEach((ms, k) => times[change][k].push(ms));
    }
  }
  let layerBytes = 0;
  for (const packed of world.layers.values()) layerBytes += packed.length / world.layers.size;
  return CHANGES.map((change) => {
    const [cuts, ours, fresh, theirs] = times[change];
    return {
      level: name,
      partition,
      change,
      cutMs: spreadOf(cuts).median,
      ms: spreadOf(ours).median,
      cut: ratioOf(cuts, theirs),
      fresh: ratioOf(ours, fresh),
      tileCache: ratioOf(ours, theirs),
      layerBytes,
    };
  });
}

/** Returns walkable positions near the middle of tiles, so that an obstacle there touches one tile. */
function placesOf({ navMesh, grid }: World, { min, max }: NonNullable<BuildOptions['bounds']>): number[][] {
  const out: number[][] = [];
  const { tileSize } = grid;
  for (let z = min[2] + tileSize / 2; z < max[2]; z += tileSize) {
    for (let x = min[0] + tileSize / 2; x < max[0]; x += tileSize) {
      const middle = [x, (min[1] + max[1]) / 2, z];
      const { found, point } = findNearest(navMesh, middle, {
        halfExtents: [tileSize / 5, max[1] - min[1], tileSize / 5],
      });
      if (found) out.push(point);
    }
  }
  if (out.length === 0) throw new Error('benchObstacles: no tile is walkable in its middle');
  return out;
}

export function obstacleTable(rows: readonly ObstacleRow[]): string[][] {
  const show = ({ q1, median, q3 }: Spread): string =>
    `${median.toPrecision(3)} (${q1.toPrecision(3)}-${q3.toPrecision(3)})`;
  return [
    ['obstacle', 'cut ms', 'rebuilt ms', 'cut / TileCache', 'rebuilt / fresh', 'rebuilt / TileCache', 'layer bytes'],
    ...rows.map(({ level, partition, change, cutMs, ms, cut, fresh, tileCache, layerBytes }) => [
      `${change}, ${level} ${partition}`,
      cutMs.toPrecision(3),
      ms.toPrecision(3),
      show(cut),
      show(fresh),
      show(tileCache),
      layerBytes.toFixed(0),
    ]),
  ];
}
