/**
 * Snapshots of a mesh: tiles, links, areas, flags and named groups, exactly as they are in memory.
 *
 * Arrays are kept in pages that never change. A snapshot shares the pages of the last one that are still equal, so a
 * door costs a few pages, a rebuilt tile those that it was written to, and a mesh without changes nothing. Dense indices
 * and refs are the same after a rewind. The revision is not: it counts on, so that everything that was derived from
 * another content is noticed.
 *
 * In: a mesh. Out: a snapshot, or the mesh as it was.
 * Cost: constant while the mesh does not change; a comparison of its arrays after a change; a rewind copies pages that differ.
 * Based on: own; sharing unchanged pages is copy-on-write.
 */
import { checkMutableStates, checkNavMesh } from '../check-mesh.ts';
import { markIslandsStale } from '../islands.ts';
import { checkRecord, refuseType } from '../../base/data/refuse.ts';
import { ARRAY_FIELDS, RANGE_FIELDS } from '../layout.ts';
import type { NamedGroup, NavMesh, PolyRef } from '../types.ts';

type AnyArray = Float64Array | Float32Array | Int32Array | Uint16Array | Uint8Array;
type Words = Int32Array | Uint8Array;

/** Elements of a page. */
const PAGE = 1024;

/** The pages of one array. */
interface SavedArray {
  length: number;
  pages: Words[];
}

/** A named group as it was. */
interface SavedGroup {
  group: NamedGroup;
  isEnabled: boolean;
  /** A ref and flags for each polygon. */
  polys: number[];
  links: number[];
}

/** The state of a mesh at one time. It never changes, and shares memory with other snapshots of the mesh. */
export interface MeshSnapshot {
  mesh: NavMesh;
  /** @internal */
  arrays: Map<string, SavedArray>;
  /** All other fields. @internal */
  values: Map<string, unknown>;
  /** @internal */
  groups: SavedGroup[];
  /** The ref of each named polygon, and the index of its group. @internal */
  named: Float64Array;
}

/** The snapshot that a mesh is equal to while it has this revision. */
interface Known {
  snapshot: MeshSnapshot;
  revision: number;
}

const known = /* @__PURE__ */ new WeakMap<NavMesh, Known>();

/** Arrays that are written when a tile is put in or moved, and not changed afterwards. */
const OF_TILES = /* @__PURE__ */ new Set(
  /* @__PURE__ */ (
    'vertices polyTile polyEdgeStart polyVertexCount polyDetailVertexStart polyDetailVertexCount polyDetailTriStart ' +
    'polyDetailTriCount polyIsland edgeVertex edgeNeighbor detailVertices detailTris bvItem bvBounds'
  ).split(' '),
);

/** Arrays that change only when tiles do. */
const WITH_TILES = /^(tile|portal|polyPortal)/;
const NO_PAGES: ReadonlySet<number> = /* @__PURE__ */ new Set();

/** The array that queries change while the mesh stays the same: they shorten its paths, and renew it when it is stale. */
const LAZY = 'islandParent';

/** The arrays that can change on a mesh whose tiles are fixed, as an overlay is; and those that tell whether its tiles are the same. */
const STATES: ReadonlySet<string> = /* @__PURE__ */ new Set(['polyFlags', 'linkState']);
const IDENTITY: ReadonlySet<string> = /* @__PURE__ */ new Set(['tileGeneration', 'linkGeneration']);

/** Fields that are copied as lists, and the revision. */
const OWN = /* @__PURE__ */ new Set(['groups', 'polyGroup', 'revision']);

/**
 * Captures the tiles, links, areas, flags and named groups of a mesh for `rewindMesh`. Allocates only when the mesh has
 * changed since the last capture. `captureCrowd` and `captureWorld` contain the snapshot of their mesh. Of an overlay
 * (`createMeshOverlay`), only flags, names and states of links are captured.
 */
export function captureMesh(mesh: NavMesh): MeshSnapshot {
  checkNavMesh('captureMesh', mesh);
  const last = known.get(mesh);
  if (last?.revision === mesh.revision) return last.snapshot;
  const snapshot: MeshSnapshot = {
    mesh,
    arrays: new Map(),
    values: new Map(),
    groups: [],
    named: new Float64Array(2 * mesh.polyGroup.size),
  };
  const before = last?.snapshot.arrays;
  const isWhole = Object.isExtensible(mesh);
  const slots = before === undefined || !isWhole ? undefined : changedSlots(mesh, before);
  for (const [key, value] of Object.entries(mesh)) {
    if (OWN.has(key) || !(isWhole || STATES.has(key) || IDENTITY.has(key))) continue;
    // `layers` are replaced and never changed.
    if (!ArrayBuffer.isView(value) || key === 'layers') {
      snapshot.values.set(key, value);
      continue;
    }
    const pages = slots && pagesOfSlots(mesh, key, slots);
    snapshot.arrays.set(key, savePages(value as AnyArray, before?.get(key), pages));
  }
  for (const group of mesh.groups) {
    const { isEnabled, polys, links } = group;
    snapshot.groups.push({ group, isEnabled, polys: [...polys].flat(), links: [...links] });
  }
  let at = 0;
  for (const [ref, group] of mesh.polyGroup) {
    snapshot.named[at++] = ref;
    snapshot.named[at++] = mesh.groups.indexOf(group);
  }
  known.set(mesh, { snapshot, revision: mesh.revision });
  return snapshot;
}

/**
 * Brings a mesh back to a snapshot. Refs of that time name the same polygons and links again, and refs of later tiles may
 * name other ones from now on. The revision of the mesh increases if anything changes. Throws a TypeError for a snapshot
 * of another mesh.
 */
export function rewindMesh(mesh: NavMesh, snapshot: MeshSnapshot): void {
  checkMeshSnapshot('rewindMesh', mesh, snapshot);
  const last = known.get(mesh);
  const isKnown = last?.revision === mesh.revision;
  if (isKnown && last.snapshot === snapshot) return;
  checkMutableStates('rewindMesh', mesh);
  const isWhole = Object.isExtensible(mesh);
  if (!isWhole) checkSameTiles(mesh, snapshot);
  for (const [key, saved] of snapshot.arrays) {
    if (!isWhole && !STATES.has(key)) continue;
    const same = isKnown && key !== LAZY ? last.snapshot.arrays.get(key) : undefined;
    restorePages(mesh, key as keyof NavMesh, saved, same);
  }
  if (!isWhole) markIslandsStale(mesh);
  else for (const [key, value] of snapshot.values) (mesh as unknown as Record<string, unknown>)[key] = value;
  restoreGroups(mesh, snapshot);
  mesh.revision++;
  known.set(mesh, { snapshot, revision: mesh.revision });
}

/** Throws an Error when the tiles or links of a mesh that is fixed are not those of the snapshot. */
function checkSameTiles(mesh: NavMesh, { arrays }: MeshSnapshot): void {
  for (const key of IDENTITY) {
    const saved = arrays.get(key);
    if (
      saved !== undefined &&
      savePages(mesh[key as 'tileGeneration'], saved).pages.every((page, i) => page === saved.pages[i])
    )
      continue;
    throw new Error(
      'rewindMesh: tiles or links of the base of an overlay have changed since the snapshot; capture it again',
    );
  }
}

/** Throws a TypeError unless `snapshot` is one of `mesh`. @internal */
function checkMeshSnapshot(caller: string, mesh: NavMesh, snapshot: MeshSnapshot): void {
  checkNavMesh(caller, mesh);
  checkRecord(caller, 'snapshot', snapshot, 'named', 'a MeshSnapshot of captureMesh');
  if (snapshot.mesh !== mesh)
    refuseType(caller, 'snapshot.mesh', 'another mesh', 'the mesh that is rewound; load or bake that mesh instead');
}

function wordsOf(array: AnyArray): Words {
  const { buffer, byteOffset, byteLength } = array;
  return (byteOffset | byteLength) % 4 === 0
    ? new Int32Array(buffer, byteOffset, byteLength / 4)
    : new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * Returns the pages of an array. Those that are equal to pages of `before` are the same. With `changed`, only these pages
 * may differ.
 */
function savePages(array: AnyArray, before: SavedArray | undefined, changed?: ReadonlySet<number>): SavedArray {
  const isAlike = before?.length === array.length;
  if (isAlike && changed?.size === 0) return before;
  const words = wordsOf(array);
  const pages: Words[] = [];
  for (let at = 0, i = 0; at < words.length; at += PAGE, i++) {
    const page = isAlike ? before.pages[i] : undefined;
    const isSame = page !== undefined && (changed?.has(i) === false || isEqual(words, at, page));
    pages.push(isSame ? page : words.slice(at, at + PAGE));
  }
  return { length: array.length, pages };
}

/** Returns the slots whose tile was put in, removed or moved since a snapshot. */
function changedSlots(mesh: NavMesh, before: ReadonlyMap<string, SavedArray>): Set<number> {
  const slots = new Set<number>();
  for (const { name } of ARRAY_FIELDS) {
    if (!/^tile.*(State|Generation|Start|Count)$/.test(name)) continue;
    const words = wordsOf(mesh[name]);
    const slotsPerWord = mesh[name].length / words.length;
    const { pages } = before.get(name)!;
    for (let at = 0, i = 0; at < words.length; at += PAGE, i++) {
      const page = pages[i];
      if (page !== undefined && isEqual(words, at, page)) continue;
      for (let w = at; w < Math.min(at + PAGE, words.length); w++) {
        if (page?.[w - at] === words[w]) continue;
        for (let k = 0; k < slotsPerWord; k++) slots.add(Math.floor(w * slotsPerWord) + k);
      }
    }
  }
  return slots;
}

/** Returns the pages of an array that contain tiles of some slots; undefined when others may have changed, too. */
function pagesOfSlots(mesh: NavMesh, key: string, slots: ReadonlySet<number>): ReadonlySet<number> | undefined {
  if (!OF_TILES.has(key)) return slots.size === 0 && WITH_TILES.test(key) ? NO_PAGES : undefined;
  const pages = new Set<number>();
  const { name, pool, stride } = ARRAY_FIELDS.find((field) => field.name === key)!;
  const range = RANGE_FIELDS.find((field) => field.pool === pool)!;
  const [start, count, array] = [mesh[range.start], mesh[range.count], mesh[name]];
  const perItem = stride * (wordsOf(array).length / array.length);
  for (const slot of slots) {
    const end = (start[slot] + count[slot]) * perItem;
    for (let page = Math.floor((start[slot] * perItem) / PAGE); page * PAGE < end; page++) pages.add(page);
  }
  return pages;
}

function isEqual(words: Words, at: number, page: Words): boolean {
  if (words.length - at < page.length || (page.length < PAGE && words.length - at !== page.length)) return false;
  for (let i = 0; i < page.length; i++) if (words[at + i] !== page[i]) return false;
  return true;
}

function restorePages(mesh: NavMesh, key: keyof NavMesh, saved: SavedArray, now: SavedArray | undefined): void {
  let array = mesh[key] as AnyArray;
  let same = now?.pages;
  if (array.length !== saved.length) {
    array = new (array.constructor as new (length: number) => AnyArray)(saved.length);
    (mesh as unknown as Record<string, unknown>)[key] = array;
    same = undefined;
  }
  const { pages } = saved;
  let words: Words | undefined;
  for (let i = 0; i < pages.length; i++) {
    if (same?.[i] === pages[i]) continue;
    words ??= wordsOf(array);
    words.set(pages[i], PAGE * i);
  }
}

function restoreGroups(mesh: NavMesh, { groups, named }: MeshSnapshot): void {
  mesh.groups.length = 0;
  for (const { group, isEnabled, polys, links } of groups) {
    mesh.groups.push(group);
    group.isEnabled = isEnabled;
    group.polys.clear();
    group.links.clear();
    for (let i = 0; i < polys.length; i += 2) group.polys.set(polys[i] as PolyRef, polys[i + 1]);
    for (const link of links) group.links.add(link);
  }
  mesh.polyGroup.clear();
  for (let i = 0; i < named.length; i += 2) mesh.polyGroup.set(named[i] as PolyRef, groups[named[i + 1]].group);
}
