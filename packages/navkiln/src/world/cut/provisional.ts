/**
 * Tiles with obstacles at once: outlines are cut out of the tile without holes, and its rebuild follows when the obstacles stand still.
 *
 * A tile without holes comes from the mesh before the first obstacle touches the tile, or from a build of its own before the tile's next
 * rebuild. Tiles whose levels, areas or added surfaces change are rebuilt as without this option, and so are tiles with obstacles whose
 * footprint is not convex.
 *
 * In: the marked tiles of a world. Out: cut tiles in its mesh, which are rebuilt later.
 * Cost: the polygons of a tile, and the cuts of its obstacles. Memory: a copy of each tile that obstacles touch.
 * Based on: own.
 */
import { checkKeys, checkObject, refuse } from '../../base/data/refuse.ts';
import { isSameList } from '../../base/data/same-list.ts';
import { copySwapRooms, createSwapRooms, swapTile } from '../../mesh/tiles/swap-tile.ts';
import type { SwapRooms } from '../../mesh/tiles/swap-tile.ts';
import { findTile, tileOfKey } from '../../mesh/tiles/tile-grid.ts';
import { cellsUp } from '../../build/voxel/config.ts';
import { ownTileArrays } from '../../build/voxel/tile-jobs.ts';
import type { PlacedObstacle } from '../../build/voxel/options.ts';
import type { BuiltTile, TileCarving } from '../levels/builder.ts';
import type { ProvisionalTiles, World } from '../levels/types.ts';
import { replaceTile } from '../levels/update.ts';
import { copyTile, prepareClean } from './clean.ts';
import type { CleanTile } from './clean.ts';
import { createEmitter, emitTile } from './emit.ts';
import type { Emitter } from './emit.ts';
import { growOutline, isUpright } from './outline.ts';
import type { Growth, Outline } from './outline.ts';
import { createPieces, cutOutline, loadClean } from './pieces.ts';
import type { Pieces } from './pieces.ts';

/** Options of `createProvisionalTiles`. */
export interface ProvisionalOptions {
  /**
   * Updates for which the obstacles of a tile must stay as they are before the tile is rebuilt, a whole number from 0. 0: it is rebuilt in the rest of the
   * update that cuts it. Default 1.
   */
  settleUpdates?: number;
}

/** A tile without holes, and the other obstacles that it was built with. */
interface Kept {
  /** null: nothing is walkable. */
  clean: CleanTile | null;
  others: readonly PlacedObstacle[];
}

/** What is known of the tiles of one world. */
interface State {
  growth: Growth;
  snap: number;
  pieces: Pieces;
  emitter: Emitter;
  /** Number of updates. */
  now: number;
  kept: Map<number, Kept>;
  /** Tiles that had obstacles at their last change. */
  carved: Set<number>;
  /** Tiles that are not cut yet, the longest waiting first. */
  uncut: Set<number>;
  /** The update in which each tile that is not queued has changed last. */
  since: Map<number, number>;
  /** Tiles that were cut, and not rebuilt before the last look. */
  cut: Set<number>;
  /** Outlines of obstacles; null: the obstacle cannot be cut. */
  outlines: WeakMap<PlacedObstacle, Outline | null>;
  /** Expected milliseconds of a cut tile; 0: none was cut. */
  cutMs: number;
  /** The ranges of cut tiles in the pools of the mesh. */
  rooms: SwapRooms;
}

/** Most growth of the expected duration of a cut, so that pauses of the program hardly count: a cut is short, and one too many does no harm. */
const CUT_GROWTH = 1.05;

/** Distance within which corners count as on a line, in cells. */
const SNAP = 0.02;

/**
 * Returns the option `provisional` of `createWorld`. With it, an update with a budget first cuts the outlines of changed obstacles, grown by
 * the agent's radius, out of the polygons of their tiles, and rebuilds a tile when its obstacles have stood still. Until then the tile is
 * *provisional*: the border of its holes is within two cells of that of the rebuilt tile.
 *
 * @throws TypeError, RangeError for unknown and invalid options
 */
export function createProvisionalTiles(options: ProvisionalOptions = {}): ProvisionalTiles {
  const caller = 'createProvisionalTiles';
  checkObject(caller, 'options', options);
  checkKeys(caller, options, ['settleUpdates']);
  const { settleUpdates = 1 } = options;
  if (!(Number.isInteger(settleUpdates) && settleUpdates >= 0))
    refuse(caller, 'options.settleUpdates', settleUpdates, 'a whole number from 0');
  const states = new WeakMap<World, State>();
  const stateOf = (world: World): State => states.get(world)!;
  return {
    begin: (world) => void states.set(world, createState(world)),
    update(world, cut, isTimeUp) {
      const state = stateOf(world);
      state.now++;
      const canCut = isTimeUp !== undefined && !world.isBaking;
      readMarked(world, state, canCut);
      // In every second update, tiles that wait for their rebuild come first. Otherwise tiles that are cut in each update would hold them up.
      const { queued, partial, stageMs } = world;
      let mayWait = queued.size > 0 && state.now % 2 === 0;
      const reserved = mayWait ? (stageMs.get(partial?.stage ?? '') ?? 0) : 0;
      let now = performance.now();
      for (const key of state.uncut) {
        if (!canCut || (mayWait && isTimeUp(state.cutMs + reserved))) break;
        mayWait = true;
        if (cutTile(world, state, key)) cut.push(tileOfKey(key));
        const then = performance.now();
        state.cutMs = Math.min(then - now, CUT_GROWTH * state.cutMs || Infinity);
        now = then;
      }
      queueSettled(world, state, canCut ? settleUpdates : -1);
    },
    build: (world, key, carving, build) => buildClean(world, stateOf(world), key, carving, build),
    swap: (world, slot, tile) =>
      slot >= 0 && tile !== null && swapTile(world.navMesh, slot, tile, stateOf(world).rooms),
    report(world) {
      const { cut, since, uncut } = stateOf(world);
      const provisionalTiles: [number, number][] = [];
      for (const key of cut) {
        if (uncut.has(key)) continue;
        if (since.has(key) || world.queued.has(key)) provisionalTiles.push(tileOfKey(key));
        else cut.delete(key);
      }
      return { pendingTileCount: world.queued.size + since.size, provisionalTiles };
    },
    capture: (world) => copyState(world, stateOf(world)),
    rewind(world, saved) {
      const state = copyState(world, saved as State);
      state.rooms = { polyTile: world.navMesh.polyTile, bySlot: new Map((saved as State).rooms.bySlot) };
      states.set(world, state);
    },
  };
}

function createState({ builder }: World): State {
  const { agent, cellSize, cellHeight, sizes = [] } = builder.settings;
  if (sizes.length > 0)
    refuse(
      'createProvisionalTiles',
      'the sizes of the world',
      sizes.length,
      'absent, because an outline grows by one radius; create a world for each size, or leave out provisional and pass maxMs to updateWorld',
    );
  // As the bake counts radius and height, in whole cells.
  const cells = cellsUp(agent.radius, cellSize);
  const height = cellsUp(agent.height, cellHeight) * cellHeight;
  return {
    // A cell that an obstacle touches is covered, so the hole of a rebuilt tile is larger by 0 to 1 cells.
    // A floor is rounded up by one voxel, and the surface between samples of its height may be another one too high.
    growth: {
      radius: (cells + 0.25) * cellSize,
      tolerance: cellSize,
      above: height - cellHeight,
      below: 2 * cellHeight,
    },
    snap: SNAP * cellSize,
    pieces: createPieces(),
    emitter: createEmitter(cellSize),
    now: 0,
    kept: new Map(),
    carved: new Set(),
    uncut: new Set(),
    since: new Map(),
    cut: new Set(),
    outlines: new WeakMap(),
    cutMs: 0,
    rooms: createSwapRooms(),
  };
}

/** Copies the collections of a state. Their values are replaced and never changed. */
function copyState({ navMesh }: World, state: State): State {
  return {
    ...state,
    kept: new Map(state.kept),
    carved: new Set(state.carved),
    uncut: new Set(state.uncut),
    since: new Map(state.since),
    cut: new Set(state.cut),
    rooms: copySwapRooms(navMesh, state.rooms),
  };
}

/** Takes tiles that may be cut from the marked ones. */
function readMarked(world: World, state: State, canCut: boolean): void {
  const { marked, queued, layers } = world;
  const { carved, uncut, since, kept } = state;
  for (const key of [...marked].sort((a, b) => a - b)) {
    const isKnown = carved.has(key) || queued.has(key);
    if (world.carvedBy.has(key)) carved.add(key);
    else carved.delete(key);
    if (!layers.has(key)) kept.delete(key);
    else if (canCut && !isKnown && !kept.has(key)) keepTile(world, state, key);
    if (canCut && kept.has(key)) {
      marked.delete(key);
      queued.delete(key);
      if (world.partial?.key === key) world.partial = null;
      uncut.add(key);
      since.set(key, state.now);
    } else {
      // It waits for its rebuild, and until then shows what was before.
      uncut.delete(key);
      since.delete(key);
      state.cut.delete(key);
    }
  }
}

/** Keeps a tile of the mesh that has no obstacles. */
function keepTile(world: World, { kept }: State, key: number): void {
  const { navMesh } = world;
  world.keepReachable?.restore(navMesh);
  const [x, z] = tileOfKey(key);
  const slot = findTile(navMesh, x, z);
  kept.set(key, {
    clean: slot < 0 ? null : prepareClean(copyTile(navMesh, slot), navMesh.cellHeight),
    others: [],
  });
}

/** Returns the outlines of a tile's holes; null if one cannot be cut, or other obstacles have changed. */
function outlinesOf({ carvedBy, obstacles }: World, state: State, key: number): readonly Outline[] | null {
  const { outlines, growth, kept } = state;
  const { others } = kept.get(key)!;
  const out: Outline[] = [];
  let otherCount = 0;
  for (const id of carvedBy.get(key) ?? []) {
    const { placed } = obstacles.get(id)!.carved!;
    if (placed.effect !== 'hole') {
      if (others[otherCount++] !== placed) return null;
      continue;
    }
    let outline = outlines.get(placed);
    if (outline === undefined) outlines.set(placed, (outline = growOutline(placed, growth)));
    if (outline === null) return null;
    out.push(outline);
  }
  return otherCount === others.length ? out : null;
}

/** Cuts the holes of a tile out of its polygons, or queues it for its rebuild. Returns whether it has changed. */
function cutTile(world: World, state: State, key: number): boolean {
  const { pieces, emitter, snap } = state;
  const { clean } = state.kept.get(key)!;
  state.uncut.delete(key);
  const outlines = outlinesOf(world, state, key);
  let tile = null;
  if (clean !== null && outlines !== null) {
    loadClean(pieces, clean);
    for (const outline of outlines) cutOutline(pieces, clean, outline, snap);
    tile = emitTile(emitter, pieces, clean);
  }
  if (outlines === null || (clean !== null && tile === null)) {
    state.since.delete(key);
    state.cut.delete(key);
    world.queued.add(key);
    return false;
  }
  state.cut.add(key);
  if (tile?.polyCount === 0) tile = null;
  return replaceTile(world, key, { tile, warnings: [] });
}

/** Queues tiles whose obstacles have not changed for some updates. */
function queueSettled(world: World, { since, uncut, now, kept, carved }: State, updates: number): void {
  for (const [key, last] of since) {
    if (updates >= 0 && (now - last < updates || uncut.has(key))) continue;
    since.delete(key);
    uncut.delete(key);
    world.queued.add(key);
  }
  // The tile in the mesh has no holes again when it is rebuilt.
  for (const key of kept.keys()) {
    if (!carved.has(key) && !since.has(key) && !world.queued.has(key)) kept.delete(key);
  }
}

/** Builds a tile without holes before the tile, if it has holes that can be cut. */
function buildClean(
  world: World,
  state: State,
  key: number,
  carving: TileCarving,
  build: (carving: TileCarving) => Generator<string, BuiltTile>,
): Generator<string, BuiltTile> {
  const others = carving.obstacles.filter(({ effect }) => effect !== 'hole');
  const { kept } = state;
  const own = kept.get(key);
  const isKept = own !== undefined && isSameList(own.others, others);
  if (
    isKept ||
    others.length === carving.obstacles.length ||
    !carving.obstacles.every((one) => one.effect !== 'hole' || isUpright(one))
  ) {
    return build(carving);
  }
  return (function* () {
    const whole = yield* build({ ...carving, obstacles: others });
    if (whole.tile !== null) ownTileArrays(whole.tile);
    if (world.partial?.isStale !== true) {
      const { cellHeight } = world.navMesh;
      kept.set(key, { clean: whole.tile === null ? null : prepareClean(whole.tile, cellHeight), others });
    }
    const { layers = carving.layers } = whole;
    return yield* build({ ...carving, layers });
  })();
}
