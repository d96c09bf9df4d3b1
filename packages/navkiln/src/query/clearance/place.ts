/**
 * Moves an end of a path to the nearest point where an agent fits.
 *
 * In: a point, a radius.
 * Out: a point in cells, its triangle, and the distance from the given point.
 * Cost: one flood around the point if the agent fits there; otherwise that of nearest-room.ts.
 * Based on: own.
 */
import { nearestRoom, roomAt } from './nearest-room.ts';
import type { RoomyPoint } from './nearest-room.ts';
import type { Clearance } from './types.ts';

/** An end where the agent fits. Its triangle is -1 if there is no such point within reach. */
export interface PlacedEnd extends RoomyPoint {
  /** Distance by which the end was moved, units of the map. */
  distance: number;
}

export function placeEnd(
  clearance: Clearance,
  [px, py]: readonly [number, number],
  radius: number,
  maxMove: number,
): PlacedEnd {
  const { gridSize, originX, originV, mapYSign } = clearance;
  const cells = radius / gridSize;
  const x = (px - originX) / gridSize;
  const v = (-mapYSign * py - originV) / gridSize;
  const at = roomAt(clearance, x, v, cells);
  if (at !== undefined) return { triangle: at.triangle, x: at.x, v: at.v, room: at.room, distance: 0 };
  const none = { triangle: -1, x, v, distance: Infinity, room: 0 };
  const moved = maxMove > 0 ? nearestRoom(clearance, x, v, cells, maxMove / gridSize) : undefined;
  return moved === undefined ? none : { ...moved, distance: moved.distance * gridSize };
}
