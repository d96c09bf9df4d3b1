/**
 * Keeps the lists of levels and obstacles by tile, and marks the tiles that a change touches.
 *
 * A tile that is marked while a worker bakes it (bake.ts) will be baked again.
 *
 * Cost: linear in the tiles that a level or an obstacle touches. Based on: own.
 */
import { checkMutable, refuseType } from '../../base/data/refuse.ts';
import type { LevelTiles } from './tiles.ts';
import type { World } from './types.ts';

/** Marks a tile whose input has changed. */
export function markTile(world: World, key: number): void {
  world.marked.add(key);
  world.building.delete(key);
  if (world.partial?.key === key) world.partial.isStale = true;
}

/** Adds an id to the lists of the tiles that it touches, and marks them. */
export function addToTiles(world: World, idsByTile: Map<number, number[]>, { keys }: LevelTiles, id: number): void {
  for (const key of keys) {
    markTile(world, key);
    const ids = idsByTile.get(key);
    if (ids === undefined) idsByTile.set(key, [id]);
    else {
      let index = ids.length;
      while (index > 0 && ids[index - 1] > id) index--;
      ids.splice(index, 0, id);
    }
  }
}

/** Removes an id from the lists of the tiles that it touches, and marks them. */
export function removeFromTiles(
  world: World,
  idsByTile: Map<number, number[]>,
  { keys }: LevelTiles,
  id: number,
): void {
  for (const key of keys) {
    markTile(world, key);
    const ids = idsByTile.get(key)!;
    if (ids.length === 1) idsByTile.delete(key);
    else ids.splice(ids.indexOf(id), 1);
  }
}

/** Throws a TypeError unless `world` is a World. */
export function checkWorld(caller: string, world: World): void {
  const levels: unknown = (world as World | null | undefined)?.levels;
  if (!(levels instanceof Map)) refuseType(caller, 'world', world, 'the World of createWorld');
  checkMutable(caller, 'world', world);
}
