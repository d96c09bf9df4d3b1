/**
 * Overlays: light meshes that share everything with a base but flags of polygons and states of links. Each room of a
 * server closes its own doors on the same level.
 *
 * An overlay is a NavMesh for all queries, crowds and indexes. Its polygons, tree, portals and links are the arrays of
 * the base; `polyFlags`, `linkState` and the named groups are its own. JavaScript keeps the rest fixed: neither the base
 * nor the overlay takes new fields, which `addTile` and all other structural changes test (`checkMutableMesh`).
 *
 * Islands depend on closed doors, but are a number per node of the tree. All overlays of a base therefore take turns
 * with one array (`setIslandMemory`). An overlay that loses it keeps the parents of island roots, which are few, until its
 * state changes.
 *
 * When the base is a reader of a shared mesh and gets a new version, its overlays follow. Names and links keep the state
 * of the room, and so do flags that the room has set.
 *
 * In: a base. Out: a mesh over it.
 * Cost: 2 bytes a polygon and 1 a link, plus the named polygons. A new version of the base: linear in polygons.
 * Based on: own.
 */
import { refuseType } from '../../base/data/refuse.ts';
import { rootOf } from '../../base/data/union-find.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { islandRelation, setIslandMemory } from '../../mesh/islands.ts';
import { linkRefOf } from '../../mesh/link-ref.ts';
import { ownFlags } from '../../mesh/named.ts';
import { isPolyIndex, polyIndexOf, refOf } from '../../mesh/ref.ts';
import { LINK_ENABLED } from '../../mesh/types.ts';
import type { NamedGroup, NavMesh, PolyRef } from '../../mesh/types.ts';
import { sizeIslands } from '../../query/connected.ts';

/** What the overlays of a base share. */
interface Base {
  mesh: NavMesh;
  /** The array of the base that `islands` was made for. */
  islandParent: Int32Array;
  /** The islands of `owner`. */
  islands: Int32Array;
  /** The nodes that are roots of islands. */
  roots: Int32Array;
  owner: NavMesh | undefined;
  /** The parents of `roots` in the base, at a revision of it. */
  parents: { revision: number; parents: Int32Array } | undefined;
  overlays: Set<WeakRef<NavMesh>>;
}

/** What is known of an overlay. */
interface Overlay {
  base: Base;
  /** The parents of `roots`, at a revision. */
  saved: { revision: number; parents: Int32Array } | undefined;
}

/** State of an overlay that does not depend on positions in arrays. */
interface RoomState {
  names: Map<string, boolean>;
  /** By link ref. */
  links: Map<number, boolean>;
  /** Own flags that differ from those of the base. */
  flags: Map<PolyRef, number>;
}

const bases = new WeakMap<NavMesh, Base>();
const known = new WeakMap<NavMesh, Overlay>();
let isSharing = false;

/**
 * Returns a mesh that shares tiles, links and areas with a base, and has its own flags (`setFlags`, `pruneUnreachable`), enabled names
 * (`setEnabled`) and enabled links (`setLinkEnabled`). They begin with the state of the base; later changes on one side
 * do not affect the other. It takes 2 bytes a polygon and 1 byte a link, and some 150 bytes a named polygon.
 *
 * From then on, tiles, links and areas of the base and of the overlay are fixed: `addTile`, `addLink`, `setArea` and the like throw a
 * TypeError. If they have to change, make overlays of a mesh from `openSharedNavMesh`: they follow its new versions, and
 * keep the states of names and links, and flags that were set.
 *
 * @throws TypeError if `base` is no mesh, is frozen, or is an overlay itself
 */
export function createMeshOverlay(base: NavMesh): NavMesh {
  checkNavMesh('createMeshOverlay', base, 'base');
  if (known.has(base))
    refuseType('createMeshOverlay', 'base', base, 'a mesh that is no overlay: make it of the same base');
  if (Object.isFrozen(base)) refuseType('createMeshOverlay', 'base', base, 'not frozen');
  shareIslands();
  let entry = bases.get(base);
  if (entry === undefined) {
    Object.preventExtensions(base);
    entry = { mesh: base, ...islandsOf(base), owner: undefined, parents: undefined, overlays: new Set() };
    bases.set(base, entry);
  }
  const mesh = { ...base };
  known.set(mesh, { base: entry, saved: undefined });
  // Forgets overlays that were collected.
  overlaysOf(base);
  entry.overlays.add(new WeakRef(mesh));
  applyBase(mesh, { names: new Map(), links: new Map(), flags: new Map() }, base.revision);
  return Object.preventExtensions(mesh);
}

/** Returns whether a mesh is an overlay. @internal */
export function isOverlay(mesh: NavMesh): boolean {
  return known.has(mesh);
}

/** Returns the overlays of a base. @internal */
export function overlaysOf(base: NavMesh): NavMesh[] {
  const overlays = bases.get(base)?.overlays ?? [];
  return [...overlays].flatMap((weak) => {
    const mesh = weak.deref();
    if (mesh === undefined) bases.get(base)!.overlays.delete(weak);
    return mesh ?? [];
  });
}

/**
 * Keeps the states of all overlays of a base before its arrays are replaced. The result puts them over the new arrays.
 * @internal
 */
export function keepOverlays(base: NavMesh): () => void {
  const entry = bases.get(base);
  if (entry === undefined) return () => {};
  const kept = overlaysOf(base).map((mesh): [NavMesh, RoomState] => [mesh, stateOf(mesh, base)]);
  return () => {
    if (entry.islandParent !== base.islandParent) Object.assign(entry, islandsOf(base));
    entry.owner = entry.parents = undefined;
    for (const [mesh, state] of kept) applyBase(mesh, state, mesh.revision + 1);
  };
}

function islandsOf({ islandParent, nodeCount }: NavMesh): Pick<Base, 'islandParent' | 'islands' | 'roots'> {
  const islands = islandParent.slice(0, nodeCount);
  const nodes: number[] = [];
  islands.forEach((parent, node) => {
    if (parent >= 0) nodes.push(node);
  });
  return { islandParent, islands, roots: Int32Array.from(nodes) };
}

function stateOf(mesh: NavMesh, base: NavMesh): RoomState {
  const state: RoomState = { names: new Map(), links: new Map(), flags: new Map() };
  for (const { name, isEnabled } of mesh.groups) state.names.set(name, isEnabled);
  for (let link = 0; link < mesh.linkCount; link++) {
    const bits = mesh.linkState[link];
    if (bits !== 0) state.links.set(linkRefOf(mesh, link), (bits & LINK_ENABLED) !== 0);
  }
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    // Without a name on either side, `ownFlags` are `polyFlags`.
    if (mesh.polyFlags[poly] === base.polyFlags[poly] && mesh.polyFlags[poly] !== 0) continue;
    if (!isPolyIndex(mesh, poly)) continue;
    const flags = ownFlags(mesh, poly);
    if (flags !== ownFlags(base, poly)) state.flags.set(refOf(mesh, poly), flags);
  }
  return state;
}

/** Makes the fields of an overlay those of its base, with the states of a room. */
function applyBase(mesh: NavMesh, { names, links, flags }: RoomState, revision: number): void {
  const overlay = known.get(mesh)!;
  const { mesh: base, islands, roots } = overlay.base;
  const polyFlags = base.polyFlags.slice(0, base.polyCount);
  const linkState = base.linkState.slice(0, base.linkCount);
  Object.assign(mesh, base, { polyFlags, linkState, revision, islandParent: islands, islandsStale: 1 });
  for (const { isEnabled, polys } of base.groups)
    if (!isEnabled) for (const [ref, own] of polys) polyFlags[polyIndexOf(base, ref)] = own;
  for (const [ref, own] of flags) {
    const poly = polyIndexOf(base, ref);
    if (poly >= 0) polyFlags[poly] = own;
  }
  const named = new Map<number, boolean>();
  mesh.polyGroup = new Map();
  mesh.groups = base.groups.map((group): NamedGroup => {
    const { name } = group;
    const isEnabled = names.get(name) ?? group.isEnabled;
    // While a group is enabled on both sides, its map has zeros only, and nobody changes it.
    const isSame = isEnabled && group.isEnabled;
    const polys = isSame ? group.polys : new Map<PolyRef, number>();
    const own = { name, isEnabled, polys, links: group.links };
    for (const ref of group.polys.keys()) {
      mesh.polyGroup.set(ref, own);
      if (isSame) continue;
      const poly = polyIndexOf(base, ref);
      polys.set(ref, isEnabled ? 0 : polyFlags[poly]);
      if (!isEnabled) polyFlags[poly] = 0;
    }
    // A new link has the state of its name in this room.
    if (isEnabled !== group.isEnabled) for (const link of group.links) named.set(link, isEnabled);
    return own;
  });
  if (links.size > 0 || named.size > 0) {
    for (let link = 0; link < linkState.length; link++) {
      if (linkState[link] === 0) continue;
      const ref = linkRefOf(base, link);
      const isOpen = links.get(ref) ?? named.get(ref);
      if (isOpen !== undefined) linkState[link] = (linkState[link] & ~LINK_ENABLED) | (isOpen ? LINK_ENABLED : 0);
    }
  }
  const isSame = flags.size === 0 && links.size === 0 && names.size === 0 && base.islandsStale === 0;
  overlay.saved = undefined;
  if (!isSame) return;
  const shared = overlay.base;
  if (shared.parents?.revision !== base.revision)
    shared.parents = { revision: base.revision, parents: parentsOf(base.islandParent, roots) };
  overlay.saved = { revision, parents: shared.parents.parents };
}

function parentsOf(islands: Int32Array, roots: Int32Array): Int32Array {
  return roots.map((node) => rootOf(islands, node));
}

/** Registers the overlays with `refreshIslands`, and with the test for connections. */
function shareIslands(): void {
  if (isSharing) return;
  isSharing = true;
  setIslandMemory(takeIslands);
  const relate = sizeIslands.relate ?? ((mesh, _, a, b) => islandRelation(mesh, a, b));
  // Islands that are known are put back before a search, which would otherwise visit everything to find them.
  sizeIslands.relate = (mesh, filter, a, b) => {
    if (mesh.islandsStale === 1 && known.get(mesh)?.saved?.revision === mesh.revision) takeIslands(mesh);
    return relate(mesh, filter, a, b);
  };
}

/** Gives the array of islands to an overlay. Returns whether its islands are in it. */
function takeIslands(mesh: NavMesh): boolean {
  const overlay = known.get(mesh);
  if (overlay === undefined) return false;
  const { base, saved } = overlay;
  const { owner, islands, roots } = base;
  if (owner === mesh && mesh.islandsStale === 0) return false;
  if (owner !== undefined && owner !== mesh && owner.islandsStale === 0) {
    known.get(owner)!.saved = { revision: owner.revision, parents: parentsOf(islands, roots) };
    owner.islandsStale = 1;
  }
  base.owner = mesh;
  if (saved?.revision !== mesh.revision) return false;
  roots.forEach((node, i) => (islands[node] = saved.parents[i]));
  mesh.islandsStale = 0;
  return true;
}
