/**
 * Creates worlds, empty or from the mesh of a dynamic bake.
 *
 * In: options of a bake, or a mesh with layers. Out: a world without levels and obstacles.
 * Cost: constant; opening reads the layers of all tiles. Based on: own.
 */
import { checkFunction, checkKeys, checkObject, refuse, refuseType } from '../../base/data/refuse.ts';
import { emptyNavMesh } from '../../mesh/create.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { checkReachKeeper } from '../../mesh/reach-keeper.ts';
import type { ReachKeeper } from '../../mesh/reach-keeper.ts';
import { copySizes } from '../../mesh/sizes-file.ts';
import { tileOfKey } from '../../mesh/tiles/tile-grid.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { readLayers } from '../../build/voxel/obstacles/baked-layers.ts';
import type { WorldIndex } from '../../query/index/world-index.ts';
import type { BuildOptions } from '../../build/voxel/options.ts';
import { optionsFromSent } from '../../build/voxel/sent-options.ts';
import type { LevelBuilder } from './builder.ts';
import { renameRefusals } from '../../base/data/rename.ts';
import { ALL_TILES } from './tiles.ts';
import type { ProvisionalTiles, World, WorldOptions } from './types.ts';
import { createVoxelBuilder } from './voxel.ts';

/** Options of a bake that are not options of worlds. */
const ONLY_BAKES: readonly ['obstacles' | 'dynamic' | 'autoLinks', string][] = [
  ['obstacles', 'addObstacle adds them'],
  ['dynamic', 'every world keeps its layers'],
  ['autoLinks', 'use worldLinks'],
];

/** Options of `openWorld`. */
export interface OpenOptions {
  /** A path index that updates of the world keep up to date: `createWorldIndex` of `navkiln/index`. Default: none. */
  pathIndex?: WorldIndex;
  /** Leaves out mesh that no point leads to, again after each change: `createKeepReachable`. Default: everything is kept. */
  keepReachable?: ReachKeeper;
  /** Cuts changed obstacles out of the mesh at once, and rebuilds their tiles later: `createProvisionalTiles`. Default: only rebuilds. */
  provisional?: ProvisionalTiles;
}

/**
 * Creates an empty world. Add levels and obstacles, then call `updateWorld`.
 *
 * @param options the options of `buildNavMesh`; `tileSize` is required. With `bounds`, the walkable surface is cut off
 *   at them, and tiles begin at their corner. Without `bounds`, levels may be anywhere.
 * @throws RangeError, TypeError for unknown or invalid options, and without `tileSize`
 */
export function createWorld(options: WorldOptions): World {
  checkObject('createWorld', 'options', options);
  checkFollowers('createWorld', options);
  const { builder, links } = builderOf(options);
  const { agent, cellSize, cellHeight, tileSize, origin, sizes } = builder.settings;
  // The builder has already checked its settings.
  const navMesh = emptyNavMesh({ ...agent }, cellSize, cellHeight, Float64Array.from(origin), tileSize);
  navMesh.sizes = copySizes(sizes);
  links?.addTo('createWorld', navMesh);
  options.volumes?.addNames(navMesh);
  return emptyWorld(navMesh, builder, new Map(), options);
}

/**
 * Opens the mesh of a bake with the option `dynamic` as a world. Obstacles carve it and levels can be added, without
 * the triangles that it was baked from. The world uses the given mesh, which `updateWorld` changes in place.
 *
 * @throws TypeError for a mesh without layers; Error for layers that are damaged or of another mesh; RangeError, TypeError for unknown
 *   or invalid options
 */
export function openWorld(navMesh: NavMesh, options: OpenOptions = {}): World {
  checkNavMesh('openWorld', navMesh);
  checkKeys('openWorld', options, ['pathIndex', 'keepReachable', 'provisional']);
  checkFollowers('openWorld', options);
  if (!(navMesh.layers?.length > 0))
    refuseType('openWorld', 'navMesh.layers', 'empty', 'the layers of a bake with the option dynamic');
  const { options: baked, bounds, isMoved, tiles } = readLayers(navMesh.layers, 'openWorld');
  const builder = renameRefusals('openWorld: navMesh.layers', () =>
    createVoxelBuilder({ ...optionsFromSent(baked), bounds }, isMoved),
  );
  const { agent, cellSize, cellHeight, tileSize, origin } = builder.settings;
  const own = [...Object.values(agent), cellSize, cellHeight, tileSize, ...origin];
  const given = [
    ...Object.values(navMesh.agent),
    navMesh.cellSize,
    navMesh.cellHeight,
    navMesh.tileSize,
    ...navMesh.origin,
  ];
  if (own.join() !== given.join())
    throw new Error('openWorld: navMesh.layers are of a mesh with other settings; bake again');
  for (const [key, packed] of tiles) {
    const [x, z] = tileOfKey(key);
    try {
      builder.checkLayers!(packed, x, z);
    } catch (error) {
      throw new Error(`openWorld: tile ${x}, ${z}: ${(error as Error).message}; bake again`, { cause: error });
    }
  }
  return emptyWorld(navMesh, builder, tiles, options);
}

/** The options whose values updates of a world bring up to date. */
type Followers = Pick<WorldOptions, 'pathIndex' | 'worldLinks' | 'keepReachable' | 'provisional' | 'strict'>;

/** Throws a TypeError for followers that cannot be updated. */
function checkFollowers(caller: string, options: Followers): void {
  for (const key of ['pathIndex', 'worldLinks', 'provisional'] as const) {
    if (options[key] !== undefined) checkFunction(caller, `options.${key}.update`, options[key]?.update);
  }
  checkReachKeeper(caller, options.keepReachable);
}

function emptyWorld(
  navMesh: NavMesh,
  builder: LevelBuilder,
  base: World['base'],
  { pathIndex, worldLinks, keepReachable, provisional, strict }: Followers,
): World {
  const {
    settings: { tileSize, origin },
    reach,
    range = ALL_TILES,
  } = builder;
  const world: World = {
    navMesh,
    pathIndex,
    worldLinks,
    keepReachable,
    provisional,
    strict: strict === true,
    areLinksPending: false,
    builder,
    grid: { tileSize, originX: origin[0], originZ: origin[2], reach, range },
    nextId: 1,
    levels: new Map(),
    seenBy: new Map(),
    nextObstacleId: 1,
    obstacles: new Map(),
    carvedBy: new Map(),
    waiting: new Set(),
    layers: new Map(),
    base,
    marked: new Set(),
    queued: new Set(),
    partial: null,
    stageMs: new Map(),
    building: new Map(),
    isBaking: false,
    warnings: [],
  };
  provisional?.begin(world);
  return world;
}

function builderOf(options: WorldOptions): { builder: LevelBuilder; links: BuildOptions['links'] } {
  const { build = 'voxel', pathIndex: _, worldLinks: __, keepReachable: ___, provisional: ____, ...rest } = options;
  for (const [key, remedy] of ONLY_BAKES) {
    const value = (rest as BuildOptions)[key];
    if (value !== undefined) refuse('createWorld', `options.${key}`, value, `absent; ${remedy}`);
  }
  if (build === 'voxel' && !(typeof rest.tileSize === 'number' && rest.tileSize > 0)) {
    refuse('createWorld', 'options.tileSize', rest.tileSize, 'the side of a tile, usually 32 to 128 cells');
  }
  if (build !== 'voxel' && typeof build?.buildTile !== 'function') {
    refuseType('createWorld', 'options.build', build, "'voxel' or a LevelBuilder");
  }
  if (build !== 'voxel') checkObject('createWorld', 'options.build.settings', build.settings);
  const builder = build === 'voxel' ? renameRefusals('createWorld', () => createVoxelBuilder(rest)) : build;
  return { builder, links: rest.links };
}
