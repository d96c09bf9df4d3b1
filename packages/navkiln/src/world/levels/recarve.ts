/**
 * Rebuilds a tile of which only obstacles have changed: keeps the fields of the tiles that were rebuilt last, without holes, and cuts the
 * holes out of them.
 *
 * Stages up to erosion then run once for a tile and not for each change. A field belongs to the packed spans of the levels and to the
 * obstacles that add surface; when either changes, it is made again. A change that removes the same spans as the last one, or none,
 * gives the tile that was built then.
 *
 * In: a tile's packed spans and obstacles. Out: the tile of a fresh bake.
 * Cost: the stages from regions on. Memory: see `FIELD_BYTES`.
 * Based on: own.
 */
import { isSameList } from '../../data/same-list.ts';
import type { Workspace } from '../../data/workspace.ts';
import { spansInHole } from '../../voxel/carve.ts';
import { bytesOfField, cutField, keepField, restoreField } from '../../voxel/cut-field.ts';
import type { OpenField } from '../../voxel/cut-field.ts';
import type { BakeConfig, PlacedObstacle } from '../../voxel/options.ts';
import type { CompactField } from '../../voxel/types.ts';
import type { BuiltTile } from './builder.ts';

/** Most bytes of fields that a world keeps. A field has some 25 bytes per floor cell. */
const FIELD_BYTES = 1 << 25;

/** A tile that was built, and what it depended on. */
interface Built {
  areas: PlacedObstacle[];
  result: BuiltTile;
}

/** A tile's field, and what was built from it. */
export interface KeptTile {
  layers: Uint8Array<ArrayBuffer>;
  surfaces: PlacedObstacle[];
  open: OpenField;
  bytes: number;
  /** The spans that a hole removes. */
  spansOf: WeakMap<PlacedObstacle, Int32Array>;
  /** The spans that the last build has removed, and 1 for each of them by span. */
  list: Int32Array;
  isCut: Uint8Array;
  last: Built | null;
  /** The tile without holes. */
  whole: Built | null;
}

/** The tiles of a world that were rebuilt last, by x and z, the longest unused first. */
export interface KeptTiles {
  tiles: Map<string, KeptTile>;
  bytes: number;
}

/** Creates an empty memory of tiles. */
export function createKeptTiles(): KeptTiles {
  return { tiles: new Map(), bytes: 0 };
}

/** Where a tile is, and what it depends on. */
export interface CarvedTile {
  x: number;
  z: number;
  level: BakeConfig;
  /** The packed spans of the levels. */
  layers: Uint8Array<ArrayBuffer>;
  obstacles: readonly PlacedObstacle[];
}

/**
 * Rebuilds a tile. Yields the name of each stage before it runs; nothing else may use the workspace meanwhile.
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

/** Makes a tile the one that was used last, and forgets others that are too much. */
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

/** Finds the spans that the holes remove. When they are others than before, the last build no longer counts. */
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
  // Spans of before have 1, spans of now 2, spans of both 3.
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
