/**
 * Automatic links of a world that changes. Only links near rebuilt tiles are searched again; the result equals a search over the whole mesh.
 *
 *   polygons and triangles that were added or removed --+ dependence --> tiles whose links are checked (`dirty`), one
 *                                                      after the other within the budget; changed polygons are searched
 *                                                    + 2 reaches and the spacing --> tiles whose similar links are
 *                                                      compared again
 *
 * A polygon's links and walks depend on a bounded part of the mesh (`dependenceOf`); kept.ts caches them. The links of each tile are also
 * cached before similar ones are left out.
 *
 * In: a world, the keys of rebuilt tiles. Out: links in its mesh.
 * Cost: a search of the polygons near the change, and one check of each link of the world.
 * Based on: own.
 */
import { refuse } from '../../base/data/refuse.ts';
import { getLink, removeLink } from '../../mesh/change/links.ts';
import { findTile, keyOfTile, tileOfKey } from '../../mesh/tiles/tile-grid.ts';
import type { LinkRef, NavMesh } from '../../mesh/types.ts';
import type { Box } from './changes.ts';
import { dependenceOf } from './find.ts';
import { keepSurface, linksOfTile, markChanged, refreshTile } from './kept.ts';
import type { KeptSurface } from './kept.ts';
import { putLink } from './put.ts';
import { withoutSimilar } from './similar.ts';
import { checkLinkOptions, mergeSizes, readSizedOptions, surfaceOf } from './sizes.ts';
import type { Found, SizedSearch } from './sizes.ts';
import { buildSolid, isPartNear } from './sweep/solid.ts';
import type { Solid } from './sweep/solid.ts';
import type { AutoLinkOptions } from './types.ts';
import { withoutLinks } from './walk.ts';

/** Triangles at their position in a world. */
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

/** Automatic links of a world, and the state to update them. Create the record with `createWorldLinks`. */
export interface WorldLinks {
  /** Ids of links that are not added: ids in `except`, and links that were removed from the mesh later. Save them with the world. */
  readonly removedIds: Set<number>;
  /** Notes that a tile was rebuilt. Worlds call it. @internal */
  mark: (key: number) => void;
  /** Updates links near rebuilt tiles until `isTimeUp` returns true. Returns whether they are complete. Worlds call it. @internal */
  update: (world: LinkedWorld, isTimeUp?: () => boolean) => boolean;
}

/** The cached data of one mesh. */
interface State {
  navMesh: NavMesh;
  /** By size. */
  surfaces: KeptSurface[];
  /** The distances from a wall within which changes affect its links. */
  dependence: number;
  /** Links of each tile's walls, including similar ones. */
  found: Map<number, Found[]>;
  /** Links of each tile's walls that are in the mesh. */
  present: Map<number, Map<number, LinkRef>>;
  solids: Map<Float64Array, Solid>;
  /** Tiles that were rebuilt. */
  marked: Set<number>;
  /** Tiles whose links are to be searched. */
  dirty: Set<number>;
  /** Tiles whose links were searched after similar ones were last left out. */
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
      const { dirty, marked } = state;
      if (dirty.size + marked.size > 0) {
        const surfaces = state.surfaces.map(({ sized }) => surfaceOf(navMesh, sized.size));
        const solids = spread(state, surfaces, world);
        const view = withoutLinks(navMesh);
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
    surfaces: searches.map(keepSurface),
    dependence: searches.reduce((most, { search }) => Math.max(most, dependenceOf(search)), 0),
    found: new Map(),
    present: new Map(),
    solids: new Map(),
    marked: new Set(early),
    dirty: new Set(),
    searched: new Set(),
  };
}

/** Notes links that a caller has removed from the mesh. */
function noteRemoved({ navMesh, present }: State, removedIds: Set<number>): void {
  for (const links of present.values()) {
    for (const [id, ref] of links) {
      if (getLink(navMesh, ref) !== null) continue;
      links.delete(id);
      removedIds.add(id);
    }
  }
}

/** Marks tiles as dirty whose links may have changed. Returns the trees of all triangles. */
function spread(state: State, surfaces: readonly NavMesh[], world: LinkedWorld): Solid[] {
  const { navMesh, marked, dirty } = state;
  const [solids, moved] = solidsOf(state, world);
  // Portals at the border of a rebuilt tile belong to its neighbors, too.
  const rebuilt = around(state, marked, 0.5 * navMesh.tileSize);
  for (const key of marked) rebuilt.add(key);
  marked.clear();
  for (const [i, kept] of state.surfaces.entries()) {
    const ground: Box[] = [];
    for (const key of rebuilt) {
      const [x, z] = tileOfKey(key);
      const changed = refreshTile(kept, navMesh, surfaces[i], x, z);
      if (changed.length > 0) dirty.add(key);
      for (const box of changed) ground.push(box);
    }
    const near = new Map<number, NearBoxes>();
    for (const box of ground) for (const key of tilesNear(state, kept, box)) boxesOf(near, key).ground.push(box);
    for (const box of moved) for (const key of tilesNear(state, kept, box)) boxesOf(near, key).moved.push(box);
    for (const [key, boxes] of near)
      if (markChanged(kept, key, [...boxes.ground, ...boxes.moved], boxes.ground)) dirty.add(key);
  }
  return solids;
}

/** Boxes of changes on which the links of a tile may depend. */
interface NearBoxes {
  ground: Box[];
  /** Boxes of added or removed triangles. */
  moved: Box[];
}

function boxesOf(near: Map<number, NearBoxes>, key: number): NearBoxes {
  let boxes = near.get(key);
  if (boxes === undefined) {
    boxes = { ground: [], moved: [] };
    near.set(key, boxes);
  }
  return boxes;
}

/** Returns the keys of tiles of a surface whose links may depend on changes in a box. */
function tilesNear(
  { navMesh, dependence }: State,
  { tiles }: KeptSurface,
  [minX, , minZ, maxX, , maxZ]: Box,
): Iterable<number> {
  const { origin, tileSize } = navMesh;
  const square = (value: number, axis: number): number => Math.floor((value - origin[axis]) / tileSize);
  const [x0, x1] = [square(minX - dependence, 0), square(maxX + dependence, 0)];
  const [z0, z1] = [square(minZ - dependence, 2), square(maxZ + dependence, 2)];
  // Triangles may reach far beyond the mesh.
  if (!((x1 - x0 + 1) * (z1 - z0 + 1) <= tiles.size)) return tiles.keys();
  const near: number[] = [];
  for (let z = z0; z <= z1; z++) {
    for (let x = x0; x <= x1; x++) if (tiles.has(keyOfTile(x, z))) near.push(keyOfTile(x, z));
  }
  return near;
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

/** Returns the trees of all triangles, and the boxes of triangles that were added or removed. */
function solidsOf(state: State, { levels, obstacles }: LinkedWorld): [Solid[], Box[]] {
  const before = state.solids;
  const kept: State['solids'] = new Map();
  const keep = (positions: Float64Array, indices: ArrayLike<number>): void => {
    kept.set(positions, before.get(positions) ?? buildSolid('updateWorld', [{ positions, indices }]));
  };
  for (const { positions, prepared } of levels.values()) keep(positions, prepared.indices);
  for (const { carved } of obstacles.values()) {
    if (carved !== null && carved.placed.effect !== 'area') keep(carved.placed.positions, carved.placed.indices);
  }
  const moved = [...kept, ...before].filter(([positions]) => kept.has(positions) !== before.has(positions));
  state.solids = kept;
  return [
    [...kept.values()],
    moved.map(([, { boxes }]) => [boxes[0], boxes[1], boxes[2], boxes[3], boxes[4], boxes[5]]),
  ];
}

const box = new Float64Array(6);

/** Searches the links of a tile's walls. `surfaces` are the meshes of `state.surfaces`. */
// oxlint-disable-next-line max-params -- kernel
function searchTile(
  state: State,
  view: NavMesh,
  surfaces: readonly NavMesh[],
  solids: readonly Solid[],
  key: number,
): void {
  const { navMesh, found, dirty, searched, dependence: margin } = state;
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
  const lists = state.surfaces.map((kept, i) => linksOfTile(kept, surfaces[i], view, near, key));
  found.set(key, mergeSizes(navMesh, lists));
}

/** Leaves out similar links near the searched tiles, and puts the remaining links into the mesh. */
function choose(state: State, removedIds: ReadonlySet<number>): void {
  const { navMesh, surfaces, found, present, searched } = state;
  // Middles of similar links are nearer than `spacing`, and each link reaches at most `maxDistance` from its tile.
  const distance = surfaces.reduce(
    (
      most,
      {
        sized: {
          search: { profiles, spacing, cell },
        },
      },
    ) => Math.max(most, 2 * Math.max(...profiles.map(({ maxDistance }) => maxDistance)) + spacing + 4 * cell),
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
