/**
 * Picks the positions of a scene's people on the mesh: at points, or anywhere in a circle or a box, with
 * space for each. No Node.
 */
import { findNearest, nextRandom } from 'navkiln';
import type { NavMesh, QueryFilter, Random } from 'navkiln';
import type { ScenePoint, SceneRegion } from './types.ts';

/** Attempts per person before the region counts as full. */
const TRIES = 60;
/** Half the distance searched downward for a surface to fall on, in world units. */
const DEEP = 5000;
/** Distance between two people at random positions, in radii. */
const SPACING = 2.2;

/** The measures of an agent, and the filter of its type. */
export interface Body {
  radius: number;
  height: number;
  filter?: QueryFilter;
}

export interface Standing {
  point: ScenePoint;
  radius: number;
  height: number;
}

/** Returns the point on the mesh, or the distance to the nearest one: Infinity when the mesh is empty. */
export function findGround(
  mesh: NavMesh,
  point: ScenePoint,
  filter?: QueryFilter,
): { point: ScenePoint } | { distance: number } {
  const own = filter === undefined ? {} : { filter };
  const near = findNearest(mesh, point, own);
  if (near.found) return { point: near.point };
  return { distance: findNearest(mesh, point, { ...own, halfExtents: Infinity }).distance };
}

/**
 * Returns the position for a given point: on the surface nearby, or the point itself when the person falls
 * from there.
 */
export function findFoothold(
  mesh: NavMesh,
  point: ScenePoint,
  filter?: QueryFilter,
): { point: ScenePoint } | { distance: number } {
  const near = findGround(mesh, point, filter);
  if ('point' in near && Math.abs(near.point[1] - point[1]) <= mesh.agent.maxClimb + mesh.cellHeight) return near;
  const [x, y, z] = point;
  const side = Math.max(mesh.cellSize, mesh.agent.radius / 4) / 4;
  const halfExtents = [side, DEEP, side] as const;
  const below = findNearest(mesh, [x, y - DEEP, z], { halfExtents, ...(filter === undefined ? {} : { filter }) });
  return below.found && below.isOver ? { point } : near;
}

/** Returns a free position, or undefined. */
export function drawPlace(
  mesh: NavMesh,
  random: Random,
  region: SceneRegion,
  { radius, height, filter }: Body,
  taken: Crowding,
): ScenePoint | undefined {
  const { min, max } = boxOf(region, height);
  const reach = mesh.agent.maxClimb + mesh.cellHeight;
  for (let i = 0; i < TRIES; i++) {
    const x = min[0] + (max[0] - min[0]) * nextRandom(random);
    const y = min[1] + (max[1] - min[1]) * nextRandom(random);
    const z = min[2] + (max[2] - min[2]) * nextRandom(random);
    if (!isInside(region, x, z)) continue;
    // Takes the nearest surface in height, above or below alike, so that each storey of the region gets its
    // share.
    const halfExtents = [radius / 4, max[1] - min[1] + reach, radius / 4];
    const own = filter === undefined ? {} : { filter };
    const { found, point, isOver } = findNearest(mesh, [x, y, z], { halfExtents, ...own });
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

/** The people placed so far, in a grid whose cell size is the space that two of the largest people need. */
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
