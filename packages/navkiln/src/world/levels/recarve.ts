/**
 * Rebuilds a tile when only its obstacles have changed. It keeps the fields of the last rebuilt tiles, without holes,
 * and cuts the holes out of them.
 *
 * Stages up to erosion then run once per tile and not for each change. A field depends on the packed spans of the
 * levels and on the obstacles that add surface; it is rebuilt when either changes. If a change removes the same spans
 * as the previous build, or none, the tile of that build is returned.
 *
 * In: a tile's packed spans and obstacles. Out: the tile of a fresh bake.
 * Cost: the stages from regions on. Memory: see `FIELD_BYTES`.
 * Based on: own.
 */
import { isSameList } from '../../base/data/same-list.ts';
import type { Workspace } from '../../base/data/workspace.ts';
import { spansInHole } from '../../build/voxel/obstacles/carve.ts';
import { bytesOfField, canCutField, cutField, keepField, restoreField } from '../../build/voxel/obstacles/cut-field.ts';
import type { OpenField } from '../../build/voxel/obstacles/cut-field.ts';
import { carvingOf } from '../../build/voxel/obstacles/create-obstacles.ts';
import type { BakeConfig } from '../../build/voxel/bake-config.ts';
import type { PlacedObstacle } from '../../build/voxel/options.ts';
import type { CompactField } from '../../build/voxel/types.ts';
import type { BuiltTile } from './builder.ts';

/** Maximum number of bytes of fields that a world keeps. A field takes about 25 bytes per floor cell. */
const FIELD_BYTES = 1 << 25;

/** A built tile, and the obstacles that it depended on. */
interface Built {
  areas: PlacedObstacle[];
  result: BuiltTile;
}

/** A tile's field, and the tiles that were built from it. */
export interface KeptTile {
  layers: Uint8Array<ArrayBuffer>;
  surfaces: PlacedObstacle[];
  open: OpenField;
  bytes: number;
  /** The spans that a hole removes. */
  spansOf: WeakMap<PlacedObstacle, Int32Array>;
  /** The spans that the last build has removed, and a flag per span: 1 if it was removed. */
  list: Int32Array;
  isCut: Uint8Array;
  last: Built | null;
  /** The tile without holes. */
  whole: Built | null;
}

/** The last rebuilt tiles of a world by x and z, the least recently used first. */
export interface KeptTiles {
  tiles: Map<string, KeptTile>;
  bytes: number;
}

/** Creates an empty memory of tiles. */
export function createKeptTiles(): KeptTiles {
  return { tiles: new Map(), bytes: 0 };
}

/** A tile's position and its input. */
export interface CarvedTile {
  x: number;
  z: number;
  level: BakeConfig;
  /** The packed spans of the levels. */
  layers: Uint8Array<ArrayBuffer>;
  obstacles: readonly PlacedObstacle[];
}

/**
 * Rebuilds a tile. Yields the name of each stage before it runs; nothing else may use the workspace in the meantime.
 *
 * @param makeField returns the field of the levels and added surfaces before erosion, in the workspace
 * @param build builds the tile from an eroded field
 */
export function* recarveTile(
  kept: KeptTiles,
  { x, z, level, layers, obstacles }: CarvedTile,
  workspace: Workspace,
  makeField: () => CompactField,
  build: (field: CompactField) => Generator<string, BuiltTile>,
): Generator<string, BuiltTile> {
  const surfaces = obstacles.filter(({ effect }) => effect === 'surface');
  const areas = obstacles.filter(({ effect }) => effect === 'area');
  const key = `${x},${z}`;
  let tile = kept.tiles.get(key);
  if (tile === undefined || tile.layers !== layers || !isSameList(tile.surfaces, surfaces)) {
    yield 'compact';
    forget(kept, key);
    tile = keepTile(layers, surfaces, keepField(makeField(), level.walkableRadiusCells, workspace));
  }
  yield 'holes';
  remember(kept, key, tile);
  restoreField(tile.open);
  findRemoved(tile, obstacles, level, x, z);
  const { list, isCut } = tile;
  const known = list.length === 0 ? tile.whole : tile.last;
  if (known !== null && isSameList(known.areas, areas)) return known.result;
  const built = { areas, result: yield* build(cutField(tile.open, list, isCut, workspace)) };
  if (list.length === 0) tile.whole = built;
  else tile.last = built;
  return built.result;
}

function keepTile(layers: KeptTile['layers'], surfaces: PlacedObstacle[], open: OpenField): KeptTile {
  const isCut = new Uint8Array(open.field.spanCount);
  return {
    layers,
    surfaces,
    open,
    bytes: bytesOfField(open) + isCut.length,
    spansOf: new WeakMap(),
    list: new Int32Array(0),
    isCut,
    last: null,
    whole: null,
  };
}

/** Marks a tile as the last used one, and forgets other tiles above the memory limit. */
function remember(kept: KeptTiles, key: string, tile: KeptTile): void {
  forget(kept, key);
  kept.tiles.set(key, tile);
  kept.bytes += tile.bytes;
  for (const other of kept.tiles.keys()) {
    if (kept.bytes <= FIELD_BYTES || other === key) return;
    forget(kept, other);
  }
}

function forget(kept: KeptTiles, key: string): void {
  kept.bytes -= kept.tiles.get(key)?.bytes ?? 0;
  kept.tiles.delete(key);
}

/** Finds the spans that the holes remove. If they differ from those of the last build, that build is forgotten. */
function findRemoved(
  tile: KeptTile,
  obstacles: readonly PlacedObstacle[],
  level: BakeConfig,
  x: number,
  z: number,
): void {
  const { spansOf, open, isCut, list: before } = tile;
  const lists: Int32Array[] = [];
  for (const obstacle of obstacles) {
    if (obstacle.effect !== 'hole') continue;
    let spans = spansOf.get(obstacle);
    if (spans === undefined) {
      spans = spansInHole(open.field, obstacle, level, x, z);
      spansOf.set(obstacle, spans);
    }
    lists.push(spans);
  }
  // Spans of the last build have flag 1, current spans flag 2, common spans 3.
  let count = 0;
  let commonCount = 0;
  for (const spans of lists) {
    for (let k = 0; k < spans.length; k++) {
      const flags = isCut[spans[k]];
      if ((flags & 2) !== 0) continue;
      isCut[spans[k]] = flags | 2;
      commonCount += flags;
      count++;
    }
  }
  if (commonCount === before.length && count === commonCount) {
    for (let k = 0; k < count; k++) isCut[before[k]] = 1;
    return;
  }
  for (let k = 0; k < before.length; k++) isCut[before[k]] &= 2;
  const list = new Int32Array(count);
  let end = 0;
  for (const spans of lists) {
    for (let k = 0; k < spans.length; k++) {
      if (isCut[spans[k]] === 1) continue;
      isCut[spans[k]] = 1;
      list[end++] = spans[k];
    }
  }
  tile.list = list;
  tile.last = null;
}

/** The functions that the builder of voxel tiles needs for obstacles. */
export interface VoxelCarver {
  carvingOf: typeof carvingOf;
  canCutField: typeof canCutField;
  createKeptTiles: typeof createKeptTiles;
  recarveTile: typeof recarveTile;
}

/** Carves obstacles out of voxel tiles. */
export const VOXEL_CARVER: VoxelCarver = { carvingOf, canCutField, createKeptTiles, recarveTile };
