/**
 * Finds the shell of a building: outer walls and roofs that hide rooms. They are drawn transparent. Loaded with the first level that has rooms.
 *
 * A room is surface of the largest island below something and between walls. A wall belongs to the shell when there
 * is a room behind it, and the open sky in front of it. Roofs and attics above the highest rooms belong to it, too.
 *
 * In: triangles of a level, their hierarchy, the triangles of the mesh.
 * Out: a mark for each triangle and each polygon of the shell; undefined when there is none.
 * Cost: a ray for each of about 4,000 positions on the mesh, and up to eight for each triangle of the level; in slices of a few milliseconds.
 * Based on: own.
 */
import { findIslands } from 'navkiln';
import { navMeshTriangles } from 'navkiln/debug';
import { DoubleSide, Ray, Vector3 } from 'three';
import type { LevelData, MeshData, Shell, Vec3 } from '../state/state.ts';
import type { Tree } from './picking.ts';

/** Positions on the mesh that are tested. */
const SAMPLES = 4000;
/** Share of them that must be in rooms. */
const ROOM_SHARE = 0.01;
/** Directions in which walls are looked for, how far, in heights of the agent, and how many there must be. */
const AROUND = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const;
const WALL_REACH = 8;
const WALLS = 6;
/** Faces steeper than this are walls: y of the unit normal. */
const STEEP = 0.6;
/** Distances behind a wall and in front of it, in heights of the agent. */
const BEHIND = [0.15, 0.35, 0.6, 0.9];
const IN_FRONT = [0.4, 1.1];
/** How far the floor of a room may lie below a position on its wall, and above it, in heights of the agent. */
const STOREY = 2.2;
const ABOVE = 0.4;
/** How far roofs lie above the floor of a room at least, in heights of the agent. */
const OVER_FLOOR = 0.95;
/** Roofs, floors of attics and their undersides above each other. */
const LAYERS = 4;
/** Time between two pauses, ms. */
const SLICE_MS = 6;

/** Places within a triangle, as weights of its corners. */
const PLACES = [
  [1 / 3, 1 / 3, 1 / 3],
  [2 / 3, 1 / 6, 1 / 6],
  [1 / 6, 2 / 3, 1 / 6],
  [1 / 6, 1 / 6, 2 / 3],
] as const;

interface Floor {
  y: number;
  isRoom: boolean;
}

/** Surface of the largest island in cells. */
interface Floors {
  cell: number;
  heights: Map<string, Floor[]>;
  roomCount: number;
  count: number;
}

type Pause = () => Promise<void>;

export async function findShell(level: LevelData, mesh: MeshData, { bvh, origin }: Tree): Promise<Shell | undefined> {
  const pause = createPause();
  const { navMesh } = mesh;
  const ray = new Ray(new Vector3(), new Vector3(0, 1, 0));
  const down = new Ray(new Vector3(), new Vector3(0, -1, 0));
  const isCovered = (x: number, y: number, z: number): boolean => {
    ray.origin.set(x - origin[0], y - origin[1], z - origin[2]);
    return (bvh.raycastFirst(ray, DoubleSide) ?? undefined) !== undefined;
  };
  const { height } = navMesh.agent;
  const { islandOfPoly } = findIslands(navMesh);
  const isEnclosed = (x: number, y: number, z: number): boolean => {
    let walls = 0;
    ray.origin.set(x - origin[0], y - origin[1], z - origin[2]);
    for (const [dx, dz] of AROUND) {
      ray.direction.set(dx, 0, dz).normalize();
      if ((bvh.raycastFirst(ray, DoubleSide, 0, WALL_REACH * height) ?? undefined) !== undefined) walls++;
    }
    ray.direction.set(0, 1, 0);
    return walls >= WALLS;
  };
  const isRoomAt = (x: number, y: number, z: number): boolean =>
    isCovered(x, y + height / 2, z) && isEnclosed(x, y + height / 2, z);
  const floors = await measureFloors(mesh, islandOfPoly, isRoomAt, pause);
  if (floors.roomCount < ROOM_SHARE * floors.count) return undefined;
  const floorsAt = (x: number, z: number): readonly Floor[] => floors.heights.get(keyOf(floors.cell, x, z)) ?? [];
  /** Returns whether nothing but rooms lies below, by at least this number of heights of the agent. */
  const isAboveRooms = ([x, y, z]: Vec3, heights: number): boolean => {
    let hasRoom = false;
    for (let i = 0; i < 9; i++) {
      const near = floorsAt(x + ((i % 3) - 1) * floors.cell, z + (Math.floor(i / 3) - 1) * floors.cell);
      if (near.some((floor) => y - floor.y <= heights * height)) return false;
      hasRoom ||= near.some(({ isRoom }) => isRoom);
    }
    return hasRoom;
  };
  /** Returns whether only the shell, as far as it is known, is above a position over rooms. */
  const isRoofAt = (place: Vec3): boolean =>
    isAboveRooms(place, OVER_FLOOR) && !isCoveredBySolid(place[0], place[1] + 0.05, place[2]);
  /** Returns whether a wall stands on the shell: in an attic, or on a roof. */
  const isOnRoof = ([x, y, z]: Vec3, [nx, , nz]: Vec3): boolean => {
    down.origin.set(x + 0.1 * nx - origin[0], y - origin[1], z + 0.1 * nz - origin[2]);
    const below = bvh.raycastFirst(down, DoubleSide) ?? undefined;
    return below !== undefined && marks[below.faceIndex!] === 1;
  };
  const isOuterWall = ([x, y, z]: Vec3, [nx, , nz]: Vec3): boolean => {
    const flat = height / Math.sqrt(nx * nx + nz * nz);
    const hasRoom = BEHIND.some((share) =>
      floorsAt(x - nx * flat * share, z - nz * flat * share).some(
        (floor) => floor.isRoom && floor.y > y - STOREY * height && floor.y < y + ABOVE * height,
      ),
    );
    return hasRoom && IN_FRONT.some((share) => !isCovered(x + nx * flat * share, y, z + nz * flat * share));
  };
  const marks = new Uint8Array(level.indices.length / 3);
  const isCoveredBySolid = (x: number, y: number, z: number): boolean => {
    if (!isCovered(x, y, z)) return false;
    return bvh.raycast(ray, DoubleSide).some(({ faceIndex }) => marks[faceIndex!] === 0);
  };
  // Outer walls first. Then roofs and attics, from the outermost face inward.
  for (let i = 0; i < marks.length * (1 + LAYERS); i++) {
    if (i % 16 === 0) await pause();
    const t = i % marks.length;
    const isLater = i >= marks.length;
    if (marks[t] === 1) continue;
    const corners = [0, 1, 2].map((k): Vec3 => pointOf(level, 3 * t + k)) as [Vec3, Vec3, Vec3];
    const normal = normalOf(corners);
    if (normal === undefined || (isRoof(normal[1]) && !isLater)) continue;
    const places = PLACES.map((weights): Vec3 => mix(corners, weights));
    const isOuter = (place: Vec3): boolean =>
      isRoof(normal[1]) ? isRoofAt(place) : isLater ? isOnRoof(place, normal) : isOuterWall(place, normal);
    marks[t] = places.filter(isOuter).length >= (isLater ? 1 : 2) ? 1 : 0;
  }
  if (!marks.includes(1)) return undefined;
  const polys = roofPolys(mesh, islandOfPoly, (place) => isAboveRooms(place, OVER_FLOOR));
  const own = (mark: number): Uint32Array => level.indices.filter((_, i) => marks[Math.floor(i / 3)] === mark);
  return { level: level.id, mesh: mesh.id, triangles: marks, polys, solid: own(0), outer: own(1) };
}

/** Measures the largest island on a grid. */
async function measureFloors(
  { navMesh }: MeshData,
  islandOfPoly: Int32Array,
  isRoomAt: (x: number, y: number, z: number) => boolean,
  pause: Pause,
): Promise<Floors> {
  const { positions, indices, polys, origin } = navMeshTriangles(navMesh, { lift: 0 });
  const corners = (t: number): [Vec3, Vec3, Vec3] =>
    [0, 1, 2].map((k): Vec3 => {
      const at = 3 * indices![3 * t + k];
      return [positions[at] + origin[0]!, positions[at + 1] + origin[1]!, positions[at + 2] + origin[2]!];
    }) as [Vec3, Vec3, Vec3];
  const count = indices!.length / 3;
  let area = 0;
  for (let t = 0; t < count; t++) if (islandOfPoly[polys![t]] === 0) area += Math.abs(doubleArea(corners(t))) / 2;
  const cell = Math.max(0.35 * navMesh.agent.height, Math.sqrt(area / SAMPLES));
  const floors: Floors = { cell, heights: new Map(), roomCount: 0, count: 0 };
  for (let t = 0; t < count; t++) {
    if (islandOfPoly[polys![t]] !== 0) continue;
    const triangle = corners(t);
    const [xs, zs] = [triangle.map(([x]) => x), triangle.map(([, , z]) => z)];
    const steps = (values: number[]): [number, number] => [
      Math.ceil(Math.min(...values) / cell - 0.5),
      Math.floor(Math.max(...values) / cell - 0.5),
    ];
    const [[x0, x1], [z0, z1]] = [steps(xs), steps(zs)];
    for (let i = x0; i <= x1; i++) {
      await pause();
      for (let k = z0; k <= z1; k++) {
        const [x, z] = [(i + 0.5) * cell, (k + 0.5) * cell];
        const y = heightIn(triangle, x, z);
        if (y === undefined) continue;
        const isRoom = isRoomAt(x, y, z);
        const key = keyOf(cell, x, z);
        floors.heights.set(key, [...(floors.heights.get(key) ?? []), { y, isRoom }]);
        floors.count++;
        if (isRoom) floors.roomCount++;
      }
    }
  }
  return floors;
}

/** Marks the polygons of other islands that lie above rooms. */
function roofPolys(
  { navMesh }: MeshData,
  islandOfPoly: Int32Array,
  isAboveRooms: (place: Vec3) => boolean,
): Uint8Array {
  const marks = new Uint8Array(navMesh.polyCount);
  const { positions, indices, polys, origin } = navMeshTriangles(navMesh, { lift: 0 });
  for (let t = 0; t < polys!.length; t++) {
    const poly = polys![t];
    if (marks[poly] === 1 || !(islandOfPoly[poly] > 0)) continue;
    const middle = ([0, 1, 2] as const).map((axis) =>
      [0, 1, 2].reduce((sum, k) => sum + positions[3 * indices![3 * t + k] + axis] / 3, origin[axis]!),
    );
    if (isAboveRooms([middle[0]!, middle[1]!, middle[2]!])) marks[poly] = 1;
  }
  return marks;
}

function createPause(): Pause {
  let start = performance.now();
  return async () => {
    if (performance.now() - start < SLICE_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    start = performance.now();
  };
}

const isRoof = (ny: number): boolean => Math.abs(ny) > STEEP;

const keyOf = (cell: number, x: number, z: number): string => `${Math.floor(x / cell)} ${Math.floor(z / cell)}`;

function pointOf({ display, indices, origin }: LevelData, corner: number): Vec3 {
  const at = 3 * indices[corner];
  return [display[at] + origin[0], display[at + 1] + origin[1], display[at + 2] + origin[2]];
}

function mix(corners: readonly Vec3[], weights: readonly number[]): Vec3 {
  const at = (axis: 0 | 1 | 2): number => corners.reduce((sum, corner, k) => sum + weights[k]! * corner[axis], 0);
  return [at(0), at(1), at(2)];
}

function normalOf([a, b, c]: readonly [Vec3, Vec3, Vec3]): Vec3 | undefined {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.sqrt(x * x + y * y + z * z);
  return length > 0 ? [x / length, y / length, z / length] : undefined;
}

function doubleArea([a, b, c]: readonly [Vec3, Vec3, Vec3]): number {
  return (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]);
}

/** Returns the height of a triangle at a position, or undefined beside it. */
function heightIn(corners: readonly [Vec3, Vec3, Vec3], x: number, z: number): number | undefined {
  const all = doubleArea(corners);
  if (all === 0) return undefined;
  const [a, b, c] = corners;
  const at: Vec3 = [x, 0, z];
  const weights = [doubleArea([at, b, c]) / all, doubleArea([a, at, c]) / all, doubleArea([a, b, at]) / all];
  return weights.every((weight) => weight >= 0) ? mix(corners, weights)[1] : undefined;
}
