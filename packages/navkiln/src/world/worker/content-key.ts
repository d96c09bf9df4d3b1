/**
 * Content keys of tiles: hashes of everything that a tile depends on. Equal keys mean equal bytes.
 *
 * A key covers the version of the bake, the configuration, whether it is dynamic, the tile's coordinates, the volumes that reach it, and
 * its triangles with their areas, in their order.
 *
 * In: a prepared level and the number of a tile. Out: 32 hexadecimal digits.
 * Cost: linear in the triangles of the tile.
 * Based on: own.
 */
import { addTextToHash, addToHash, createLongHash, hexOfHash } from '../../base/data/hash.ts';
import { createWorkspace } from '../../base/data/workspace.ts';
import type { PreparedTiles } from '../../build/voxel/build-tile.ts';
import { tileConfig, tileInput } from '../../build/voxel/build-tile-grid.ts';
import type { TileInput } from '../../build/voxel/build-tile-grid.ts';
import type { AreaVolume, PlacedObstacle } from '../../build/voxel/options.ts';
import type { BakeConfig } from '../../build/voxel/bake-config.ts';

/**
 * Version of the bake's results. It increases when a bake with the same input and options gives other bytes, so that
 * cached tiles are baked again.
 */
export const BAKE_VERSION = 1;

/** Returns the key of a tile of the level. */
export function contentKey(level: PreparedTiles, tile: number): string {
  const { options, config, prepared, areas, triangles } = level;
  const x = tile % config.tileCountX;
  const z = (tile - x) / config.tileCountX;
  const isWhole = triangles === undefined;
  const own = isWhole ? config : tileConfig(config, x, z, prepared.given !== undefined);
  const volumes = (options.volumes?.list ?? []).filter((volume) => reaches(volume, own));
  const obstacles = level.obstacles.filter(({ effect, bounds }) => effect !== 'surface' && covers(bounds, own));
  const hash = createLongHash();
  addTextToHash(
    hash,
    JSON.stringify([
      BAKE_VERSION,
      config,
      x,
      z,
      isWhole,
      options.bounds !== undefined,
      options.dynamic !== undefined,
      volumes.map(plainVolume),
      obstacles.map(plainObstacle),
    ]),
  );
  const list = isWhole ? undefined : triangles.list.subarray(triangles.start[tile], triangles.start[tile + 1]);
  const input: TileInput | undefined =
    list === undefined ? { ...prepared, areas } : tileInput(prepared, areas, list, own, createWorkspace());
  if (input !== undefined) addTriangles(hash, input);
  return hexOfHash(hash);
}

/** Returns whether a volume touches the tile, its border and one cell more, seen from above. */
function reaches(volume: AreaVolume, tile: BakeConfig): boolean {
  const [minX, minZ, maxX, maxZ] = footprint(volume);
  return covers([minX, 0, minZ, maxX, 0, maxZ], tile);
}

function covers(
  [minX, , minZ, maxX, , maxZ]: Iterable<number>,
  { boundsMin, boundsMax, offset, cellSize }: BakeConfig,
): boolean {
  return !(
    maxX < boundsMin[0] + offset[0] - cellSize ||
    maxZ < boundsMin[2] + offset[2] - cellSize ||
    minX > boundsMax[0] + offset[0] + cellSize ||
    minZ > boundsMax[2] + offset[2] + cellSize
  );
}

/** Returns the smallest and the largest x and z of a volume. */
function footprint(volume: AreaVolume): [minX: number, minZ: number, maxX: number, maxZ: number] {
  if (volume.type === 'box') return [volume.min[0], volume.min[2], volume.max[0], volume.max[2]];
  if (volume.type === 'cylinder') {
    const { center, radius } = volume;
    return [center[0] - radius, center[2] - radius, center[0] + radius, center[2] + radius];
  }
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, z] of volume.outline) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], z);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], z);
  }
  return box;
}

/** Returns the numbers of a volume in a fixed order, so that the order of its fields does not matter. */
function plainVolume(volume: AreaVolume): unknown[] {
  const { type, area, name } = volume;
  if (name !== undefined) return [name, ...plainVolume({ ...volume, name: undefined })];
  if (volume.type === 'box') return [type, area, Array.from(volume.min), Array.from(volume.max)];
  if (volume.type === 'cylinder') return [type, area, Array.from(volume.center), volume.radius, volume.height];
  return [type, area, volume.outline.map((point) => Array.from(point)), volume.minY, volume.maxY];
}

function plainObstacle({ effect, area, positions, indices }: PlacedObstacle): unknown[] {
  return [effect, area, Array.from(positions), Array.from(indices)];
}

function addTriangles(hash: Uint32Array, { positions, indices, areas }: TileInput): void {
  const corners = new Float32Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    for (let k = 0; k < 3; k++) corners[3 * i + k] = positions[3 * indices[i] + k];
  }
  addToHash(hash, new Uint32Array(corners.buffer));
  const words = new Uint32Array(Math.ceil(indices.length / 3 / 4));
  new Uint8Array(words.buffer).set(areas.subarray(0, indices.length / 3));
  addToHash(hash, words);
}
