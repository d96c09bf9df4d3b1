/**
 * Automatic links of a world that changes: only the links near rebuilt tiles are searched again, and the result is that of a search over
 * the whole mesh.
 *
 *   rebuilt tile --+ dependence --> tiles whose links are searched (`dirty`), one after the other within the budget
 *                  + 2 reaches and the spacing --> tiles whose similar links are compared again
 *
 * A tile's links depend on a bounded part of the mesh (`dependenceOf`), walks included. Links found before similar ones are left out are kept by tile.
 *
 * In: a world, the keys of rebuilt tiles. Out: links in its mesh.
 * Cost: a search of the tiles near the change, and one look at each link of the world.
 * Based on: own.
 */
import { refuse } from '../data/refuse.ts';
import { getLink, removeLink } from '../navmesh/links.ts';
import { findTile, keyOfTile, tileOfKey } from '../navmesh/tile-grid.ts';
import type { LinkRef, NavMesh } from '../navmesh/types.ts';
import { dependenceOf, findUseful } from './find.ts';
import { putLink } from './put.ts';
import { withoutSimilar } from './similar.ts';
import { checkLinkOptions, mergeSizes, readSizedOptions, surfaceOf } from './sizes.ts';
import type { Found, SizedSearch } from './sizes.ts';
import { buildSolid, isPartNear } from './solid.ts';
import type { Solid } from './solid.ts';
import type { AutoLinkOptions } from './types.ts';
import { withoutLinks } from './walk.ts';
import { orderedPolys } from './walls.ts';

/** Triangles at their place in a world. */
interface PlacedTriangles {
  positions: Float64Array;
  indices: ArrayLike<number>;
}

/** The parts of a world that links need. @internal */
export interface LinkedWorld {
  navMesh: NavMesh;
  levels: ReadonlyMap<number, { positions: Float64Array; prepared: { indices: ArrayLike<number> } }>;
  obstacles: ReadonlyMap<number, { carved: { placed: PlacedTriangles & { effect: string } } | null }>;
}

/** Automatic links of a world, with what updates them. Create it with `createWorldLinks`. */
export interface WorldLinks {
  /** Ids of links that stay out: those of `except`, and those that were removed from the mesh since. Save them with the world. */
  readonly removedIds: Set<number>;
  /** Notes that a tile was rebuilt. Worlds call it. @internal */
  mark: (key: number) => void;
  /** Updates links near rebuilt tiles until `isTimeUp` returns true. Returns whether they are complete. Worlds call it. @internal */
  update: (world: LinkedWorld, isTimeUp?: () => boolean) => boolean;
}

/** The data that are kept of one mesh. */
interface State {
  navMesh: NavMesh;
  searches: SizedSearch[];
  /** How far from a wall something may lie that its links depend on. */
  dependence: number;
  /** Links of each tile's walls, similar ones as well. */
  found: Map<number, Found[]>;
  /** Links of each tile's walls that are in the mesh. */
  present: Map<number, Map<number, LinkRef>>;
  solids: Map<Float64Array, Solid>;
  /** Tiles that were rebuilt. */
  marked: Set<number>;
  /** Tiles whose links are to be searched. */
  dirty: Set<number>;
  /** Tiles whose links were searched since similar ones were left out. */
  searched: Set<number>;
}

/**
 * Returns automatic links for the option `worldLinks` of a world, which then keeps them up to date. After
 * each `updateWorld` that rebuilds the last waiting tile, the links equal those that `addAutoLinks` finds on
 * the whole mesh. Levels and obstacles are solid, except obstacles that only set areas. A link that a caller
 * removes is not added again. Ids do not change, unless the lowest level moves by hundreds of voxels.
 *
 * @param options limits by kind, at least one; see `AutoLinkOptions`
 * @throws TypeError, RangeError for limits out of range and unknown keys
 */
export function createWorldLinks(options: AutoLinkOptions): WorldLinks {
  const caller = 'createWorldLinks';
  const removedIds = new Set(checkLinkOptions(caller, options));
  const early = new Set<number>();
  let state: State | undefined;
  return {
    removedIds,
    mark: (key) => void (state?.marked ?? early).add(key),
    update(world, isTimeUp) {
      const { navMesh } = world;
      if (state === undefined)
        state = startState(navMesh, readSizedOptions(caller, navMesh, { ...options, except: removedIds }), early);
      else if (state.navMesh !== navMesh)
        refuse(caller, 'the world', 'another one', 'the one that has used these links before');
      noteRemoved(state, removedIds);
      spread(state);
      const { dirty } = state;
      if (dirty.size > 0) {
        const view = withoutLinks(navMesh);
        const surfaces = state.searches.map(({ size }) => surfaceOf(navMesh, size));
        const solids = solidsOf(state, world);
        for (const key of [...dirty].sort((a, b) => a - b)) {
          searchTile(state, view, surfaces, solids, key);
          if (dirty.size > 0 && isTimeUp?.() === true) return false;
        }
      }
      if (state.searched.size > 0) choose(state, removedIds);
      return true;
    },
  };
}

function startState(navMesh: NavMesh, searches: SizedSearch[], early: Set<number>): State {
  return {
    navMesh,
    searches,
    dependence: searches.reduce((most, { search }) => Math.max(most, dependenceOf(search)), 0),
    found: new Map(),
    present: new Map(),
    solids: new Map(),
    marked: new Set(early),
    dirty: new Set(),
    searched: new Set(),
  };
}

/** Finds links that are gone from the mesh: nobody else removes them. */
function noteRemoved({ navMesh, present }: State, removedIds: Set<number>): void {
  for (const links of present.values()) {
    for (const [id, ref] of links) {
      if (getLink(navMesh, ref) !== null) continue;
      links.delete(id);
      removedIds.add(id);
    }
  }
}

/** Makes the tiles around rebuilt ones dirty. */
function spread(state: State): void {
  const { marked, dirty, dependence } = state;
  if (marked.size === 0) return;
  for (const key of around(state, marked, dependence)) dirty.add(key);
  marked.clear();
}

/** Returns the keys of tiles with walls or links that are within a distance of some tiles. */
function around({ navMesh, found }: State, keys: Iterable<number>, distance: number): Set<number> {
  const rings = Math.ceil(distance / navMesh.tileSize);
  const near = new Set<number>();
  for (const key of keys) {
    const [x, z] = tileOfKey(key);
    for (let dz = -rings; dz <= rings; dz++) {
      for (let dx = -rings; dx <= rings; dx++) {
        if (findTile(navMesh, x + dx, z + dz) < 0 && !found.has(keyOfTile(x + dx, z + dz))) continue;
        near.add(keyOfTile(x + dx, z + dz));
      }
    }
  }
  return near;
}

/** Returns the trees of all triangles; those that are gone are dropped. */
function solidsOf(state: State, { levels, obstacles }: LinkedWorld): Solid[] {
  const kept: State['solids'] = new Map();
  const keep = (positions: Float64Array, indices: ArrayLike<number>): void => {
    kept.set(positions, state.solids.get(positions) ?? buildSolid('updateWorld', [{ positions, indices }]));
  };
  for (const { positions, prepared } of levels.values()) keep(positions, prepared.indices);
  for (const { carved } of obstacles.values()) {
    if (carved !== null && carved.placed.effect !== 'area') keep(carved.placed.positions, carved.placed.indices);
  }
  state.solids = kept;
  return [...kept.values()];
}

const box = new Float64Array(6);

/** Searches the links of a tile's walls. `surfaces`: those of `state.searches`. */
// oxlint-disable-next-line max-params -- kernel
function searchTile(
  state: State,
  view: NavMesh,
  surfaces: readonly NavMesh[],
  solids: readonly Solid[],
  key: number,
): void {
  const { navMesh, searches, found, dirty, searched, dependence: margin } = state;
  const { origin, tileSize } = navMesh;
  const [x, z] = tileOfKey(key);
  dirty.delete(key);
  searched.add(key);
  found.delete(key);
  const slot = findTile(navMesh, x, z);
  if (slot < 0) return;
  box.set([origin[0] + x * tileSize - margin, -Infinity, origin[2] + z * tileSize - margin]);
  box.set([origin[0] + (x + 1) * tileSize + margin, Infinity, origin[2] + (z + 1) * tileSize + margin], 3);
  const near = solids.filter((solid) => isPartNear(solid, box));
  const polys = orderedPolys(navMesh, slot);
  const lists = searches.map((one, i) => findUseful(surfaces[i], view, near, one, polys).found);
  found.set(key, mergeSizes(navMesh, lists));
}

/** Leaves out similar links near the tiles that were searched, and puts the others into the mesh. */
function choose(state: State, removedIds: ReadonlySet<number>): void {
  const { navMesh, searches, found, present, searched } = state;
  // The middles of similar links are nearer than `spacing`, and a link is no longer than what its tile depends on.
  const distance = searches.reduce(
    (most, { search: { profiles, spacing, cell } }) =>
      Math.max(most, 2 * Math.max(...profiles.map(({ maxDistance }) => maxDistance)) + spacing + 4 * cell),
    0,
  );
  const changed = around(state, searched, distance);
  for (const key of searched) changed.add(key);
  const compared = [...around(state, changed, distance)].flatMap((key) => found.get(key) ?? []);
  const chosen = new Set(withoutSimilar(compared));
  for (const key of changed) {
    const before = present.get(key);
    const after = new Map<number, LinkRef>();
    const wanted = (found.get(key) ?? []).filter((one) => chosen.has(one) && !removedIds.has(one.id));
    const ids = new Set(wanted.map(({ id }) => id));
    for (const [id, ref] of before ?? []) if (!ids.has(id)) removeLink(navMesh, ref);
    for (const one of wanted) after.set(one.id, putLink(navMesh, one, before?.get(one.id)));
    if (after.size > 0) present.set(key, after);
    else present.delete(key);
  }
  searched.clear();
}
