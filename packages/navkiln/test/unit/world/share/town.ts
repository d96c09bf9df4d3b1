/** A small town in tiles with doors and links, and random changes of it. */
import { LINK_USED } from '../../../../src/mesh/types.ts';
import type { LinkRef, NavMesh, TileData } from '../../../../src/mesh/types.ts';
import { setEnabled } from '../../../../src/mesh/change/enable.ts';
import { addLink, listLinks, removeLink, setLinkEnabled } from '../../../../src/mesh/change/links.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import { refOf } from '../../../../src/mesh/ref.ts';
import { findTile } from '../../../../src/mesh/tiles/tile-grid.ts';
import { setArea, setFlags } from '../../../../src/query/area.ts';
import { seeded } from '../../meshes.ts';
import { TILE, squaresTile, tiledMesh } from '../../mesh/tiled-meshes.ts';

/** Tiles along a side. */
export const TILES = 3;
/** Side of the town in world units. */
export const SIDE = TILES * TILE;

/** Returns a tile with a wall and a door in it, whose shape depends on `kind`. */
export function townTile(x: number, z: number, kind: number): TileData {
  const n = 6;
  // Walls of tiles above each other meet, so that three closed doors part the town.
  const wall = 1 + (x % 4);
  const gap = kind % n;
  const tile = squaresTile(
    x,
    z,
    0,
    n,
    (i, k) => i !== wall || k === gap,
    () => 0,
  );
  // The door is the square in the gap of the wall: squares are numbered in rows, without the others of the wall.
  const door = gap * (n - 1) + wall;
  return { ...tile, groups: [{ name: `door ${x} ${z}`, polys: [door] }] };
}

export function createTown(): NavMesh {
  const mesh = tiledMesh();
  for (let z = 0; z < TILES; z++) for (let x = 0; x < TILES; x++) addTile(mesh, townTile(x, z, x + 5 * z));
  for (let i = 0; i < 4; i++) addRandomLink(mesh, seeded(i), `link ${i}`);
  return mesh;
}

function addRandomLink(mesh: NavMesh, next: () => number, name?: string): LinkRef {
  const at = (): number[] => [SIDE * next(), 0, SIDE * next()];
  return addLink(mesh, { start: at(), end: at(), bothWays: next() < 0.5, radius: 2, ...(name && { name }) });
}

/** Opens or closes a random door, name, link or polygon. */
export function changeState(mesh: NavMesh, next: () => number): void {
  const pick = next();
  const names = mesh.groups.map(({ name }) => name);
  const links = listLinks(mesh);
  const poly = Math.floor(next() * mesh.polyCount);
  if (pick < 0.3) for (const name of names) setEnabled(mesh, name, next() < 0.2);
  else if (pick < 0.6) setEnabled(mesh, names[Math.floor(next() * names.length)], next() < 0.25);
  else if (pick < 0.8 && links.length > 0) setLinkEnabled(mesh, links[Math.floor(next() * links.length)], next() < 0.5);
  else if (isUsed(mesh, poly)) setFlags(mesh, refOf(mesh, poly), next() < 0.3 ? 0 : 1 + Math.floor(3 * next()));
}

/** Changes a random tile, link or area. */
export function changeShape(mesh: NavMesh, next: () => number): void {
  const pick = next();
  const x = Math.floor(next() * TILES);
  const z = Math.floor(next() * TILES);
  const poly = Math.floor(next() * mesh.polyCount);
  if (pick < 0.6) {
    removeTile(mesh, findTile(mesh, x, z));
    if (next() < 0.9) addTile(mesh, townTile(x, z, Math.floor(24 * next())));
  } else if (pick < 0.75) {
    const used = listLinks(mesh).filter((_, i) => (mesh.linkState[i] & LINK_USED) !== 0);
    if (used.length > 6) removeLink(mesh, used[Math.floor(next() * used.length)]);
    else addRandomLink(mesh, next);
  } else if (isUsed(mesh, poly)) setArea(mesh, refOf(mesh, poly), 1 + Math.floor(4 * next()));
}

function isUsed(mesh: NavMesh, poly: number): boolean {
  const slot = mesh.polyTile[poly];
  return (
    mesh.tileState[slot] === 1 &&
    poly - mesh.tilePolyStart[slot] < mesh.tilePolyCount[slot] &&
    poly >= mesh.tilePolyStart[slot]
  );
}
