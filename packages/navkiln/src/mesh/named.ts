/**
 * Named groups: polygons and links that are enabled and disabled together, such as those of a door.
 *
 * A mesh keeps a record for each name, even while no tile has polygons of it, so that a tile that is rebuilt or
 * streamed in takes over the state of its names. Polygons of a disabled group have the flags 0, which no filter
 * passes, and the group keeps their own flags. No search therefore looks at groups.
 *
 * Inside a tile, polygons of a group are islands of their own (bv-tree.ts), and islands.ts unites them with their
 * neighbors while the group is enabled.
 *
 * Cost: a look-up by ref; adding and removing a tile is linear in its named polygons.
 * Based on: own.
 */
import { polyIndexOf, refOf } from './ref.ts';
import type { NamedGroup, NavMesh, PolyRef, TileData } from './types.ts';

/** Returns the group of a polygon (dense index), or undefined. */
export function groupOfPoly(mesh: NavMesh, poly: number): NamedGroup | undefined {
  return mesh.polyGroup.size === 0 ? undefined : mesh.polyGroup.get(refOf(mesh, poly));
}

/** Returns whether a polygon (dense index) belongs to a disabled group. */
export function isClosedPoly(mesh: NavMesh, poly: number): boolean {
  return mesh.polyFlags[poly] === 0 && groupOfPoly(mesh, poly)?.isEnabled === false;
}

/** Returns the group of a link, or undefined. */
export function groupOfLink(mesh: NavMesh, ref: number): NamedGroup | undefined {
  return mesh.groups.find(({ links }) => links.has(ref));
}

/** Returns the group with a name, or undefined. */
export function findGroup(mesh: NavMesh, name: string): NamedGroup | undefined {
  return mesh.groups.find((group) => group.name === name);
}

/** Returns the group with a name. Adds it when there is none. */
export function ensureGroup(mesh: NavMesh, name: string, isEnabled: boolean = true): NamedGroup {
  let group = findGroup(mesh, name);
  if (group === undefined) {
    group = { name, isEnabled, polys: new Map(), links: new Set() };
    mesh.groups.push(group);
  }
  return group;
}

/** Returns the flags of a polygon (dense index): while its group is disabled, those that it gets back. */
export function ownFlags(mesh: NavMesh, poly: number): number {
  return isClosedPoly(mesh, poly) ? groupOfPoly(mesh, poly)!.polys.get(refOf(mesh, poly))! : mesh.polyFlags[poly];
}

/** Sets the flags of a polygon (dense index). While its group is disabled, they wait until it is enabled. */
export function setOwnFlags(mesh: NavMesh, poly: number, flags: number): void {
  if (isClosedPoly(mesh, poly)) groupOfPoly(mesh, poly)!.polys.set(refOf(mesh, poly), flags);
  else mesh.polyFlags[poly] = flags;
}

/** Gives the polygons of a group flags 0 and keeps their own, or the other way round. */
export function applyState(mesh: NavMesh, group: NamedGroup): void {
  const { polyFlags } = mesh;
  const { polys, isEnabled } = group;
  // A new map, because overlays share that of an enabled group with their base.
  group.polys = new Map();
  for (const [ref, flags] of polys) {
    const poly = polyIndexOf(mesh, ref);
    group.polys.set(ref, isEnabled ? 0 : polyFlags[poly]);
    polyFlags[poly] = isEnabled ? flags : 0;
  }
}

/** Adds the named polygons of a tile that was copied to a slot, and returns their refs. */
export function addTileGroups(mesh: NavMesh, slot: number, tile: TileData): PolyRef[] {
  const refs: PolyRef[] = [];
  for (const { name, polys } of tile.groups ?? []) {
    const group = ensureGroup(mesh, name);
    for (let i = 0; i < polys.length; i++) {
      const poly = mesh.tilePolyStart[slot] + polys[i];
      const ref = refOf(mesh, poly);
      mesh.polyGroup.set(ref, group);
      group.polys.set(ref, group.isEnabled ? 0 : mesh.polyFlags[poly]);
      if (!group.isEnabled) mesh.polyFlags[poly] = 0;
      refs.push(ref);
    }
  }
  return refs;
}

/** Removes the polygons of a tile from their groups. The groups stay, with their state. */
export function removeTileGroups(mesh: NavMesh, slot: number): void {
  if (mesh.polyGroup.size === 0) return;
  const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
  for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) {
    const ref = refOf(mesh, poly);
    mesh.polyGroup.get(ref)?.polys.delete(ref);
    mesh.polyGroup.delete(ref);
  }
}

/** Returns whether the tile in a slot has the names of a built tile on the same polygons. */
export function hasSameGroups(mesh: NavMesh, slot: number, tile: TileData): boolean {
  const first = mesh.tilePolyStart[slot];
  let count = 0;
  for (const { name, polys } of tile.groups ?? []) {
    count += polys.length;
    for (let i = 0; i < polys.length; i++) {
      if (groupOfPoly(mesh, first + polys[i])?.name !== name) return false;
    }
  }
  for (let p = 0; p < mesh.tilePolyCount[slot]; p++) if (groupOfPoly(mesh, first + p) !== undefined) count--;
  return count === 0;
}
