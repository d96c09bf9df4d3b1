/** Where on the mesh the people of a scene stand: at points, or anywhere in a circle or a box, with room for each. No Node. */
import { findNearest, nextRandom } from '../library.ts';
import type { NavMesh, Random } from '../library.ts';
import type { ScenePoint, SceneRegion } from './types.ts';

/** Tries a person, before there is held to be no room. */
const TRIES = 60;
/** Half of how far down one looks for ground to fall on, world units. */
const DEEP = 5000;
/** Radii between two that are put somewhere by chance. */
const SPACING = 2.2;

export interface Standing {
  point: ScenePoint;
  radius: number;
  height: number;
}

/** The ground at a point, or how far off the nearest is: Infinity when there is none at all. */
export function findGround(mesh: NavMesh, point: ScenePoint): { point: ScenePoint } | { distance: number } {
  const near = findNearest(mesh, point);
  if (near.found) return { point: near.point };
  return { distance: findNearest(mesh, point, { halfExtents: Infinity }).distance };
}

/** Where one is who is put at a point: on ground near; at the point, when it falls from there; or how far off the ground is. */
export function findFoothold(mesh: NavMesh, point: ScenePoint): { point: ScenePoint } | { distance: number } {
  const near = findGround(mesh, point);
  if ('point' in near && Math.abs(near.point[1] - point[1]) <= mesh.agent.maxClimb + mesh.cellHeight) return near;
  const [x, y, z] = point;
  const side = Math.max(mesh.cellSize, mesh.agent.radius / 4) / 4;
  const below = findNearest(mesh, [x, y - DEEP, z], { halfExtents: [side, DEEP, side] });
  return below.found && below.isOver ? { point } : near;
}

/** A place with room, or undefined. */
export function drawPlace(
  mesh: NavMesh,
  random: Random,
  region: SceneRegion,
  radius: number,
  height: number,
  taken: Crowding,
): ScenePoint | undefined {
  const { min, max } = boxOf(region, height);
  const reach = mesh.agent.maxClimb + mesh.cellHeight;
  for (let i = 0; i < TRIES; i++) {
    const x = min[0] + (max[0] - min[0]) * nextRandom(random);
    const y = min[1] + (max[1] - min[1]) * nextRandom(random);
    const z = min[2] + (max[2] - min[2]) * nextRandom(random);
    if (!isInside(region, x, z)) continue;
    // Whatever ground of the region is nearest in height: above and below alike, so that each storey has its share.
    const halfExtents = [radius / 4, max[1] - min[1] + reach, radius / 4];
    const { found, point, isOver } = findNearest(mesh, [x, y, z], { halfExtents });
    const isLevel = point[1] >= min[1] - reach && point[1] <= max[1] + reach;
    if (!found || !isOver || !isLevel || !hasRoom(taken, { point, radius, height })) continue;
    return point;
  }
  return undefined;
}

function boxOf({ center, radius = 0, min, max }: SceneRegion, height: number): { min: ScenePoint; max: ScenePoint } {
  if (center === undefined) return { min: min!, max: max! };
  const [x, y, z] = center;
  return { min: [x - radius, y - height / 2, z - radius], max: [x + radius, y + height / 2, z + radius] };
}

function isInside({ center, radius = 0 }: SceneRegion, x: number, z: number): boolean {
  return center === undefined || (x - center[0]) ** 2 + (z - center[2]) ** 2 <= radius * radius;
}

/** Who stands where, by squares of a side that two of the largest need. */
export interface Crowding {
  side: number;
  cells: Map<string, Standing[]>;
}

export function createCrowding(largestRadius: number): Crowding {
  return { side: SPACING * largestRadius, cells: new Map() };
}

export function takeRoom(crowding: Crowding, standing: Standing): void {
  const key = keyOf(crowding, standing.point, 0, 0);
  const there = crowding.cells.get(key);
  if (there === undefined) crowding.cells.set(key, [standing]);
  else there.push(standing);
}

export function hasRoom(crowding: Crowding, { point, radius, height }: Standing): boolean {
  const [x, y, z] = point;
  for (let dx = -1; dx <= 1; dx++) {
    for (let dz = -1; dz <= 1; dz++) {
      for (const other of crowding.cells.get(keyOf(crowding, point, dx, dz)) ?? []) {
        const apart = (SPACING / 2) * (radius + other.radius);
        const rise = other.point[1] - y;
        const isBeside = rise < height && -rise < other.height;
        if (isBeside && (other.point[0] - x) ** 2 + (other.point[2] - z) ** 2 < apart * apart) return false;
      }
    }
  }
  return true;
}

function keyOf({ side }: Crowding, [x, , z]: ScenePoint, dx: number, dz: number): string {
  return `${Math.floor(x / side) + dx} ${Math.floor(z / side) + dz}`;
}
