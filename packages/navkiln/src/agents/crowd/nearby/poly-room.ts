/**
 * How far each agent may move without leaving its polygon, and the height there, kept from tick to tick.
 *
 * A circle around the position at which it was measured reaches to the nearest edge of the polygon. While the agent is
 * in the circle, it is over the polygon. Reading the polygon itself takes several dependent memory reads.
 *
 * In: polygons of agents. Out: `PolyRooms`; results equal those of `isOverPoly`.
 * Cost: two products per agent and tick; linear in the edges of a polygon when an agent leaves its circle. No
 * allocation.
 * Based on: own.
 */
import type { PolyRooms } from '../state/behaviors.ts';
import type { Crowd } from '../state/types.ts';
import { isLevel, levelHeightsOf } from './level-polys.ts';

/** Epsilon for rounding, as a share of the distance to the farthest corner of a polygon. */
const EPSILON = 1e-6;

/**
 * An agent that left its circle has it measured again at this distance from the last measurement, in radii. Agents that walk along an
 * edge would otherwise measure it in every tick.
 */
const NEAR_RADII = 0.5;

// Layout of a row of `rows`.
/** xz of the center, squared radius, and height of the polygon (NaN if it is not level). */
export const ROOM_X = 0;
export const ROOM_Z = 1;
export const ROOM_RADIUS_SQ = 2;
export const ROOM_Y = 3;
export const ROOM_STRIDE = 4;

const known = new WeakMap<Crowd, PolyRooms>();

/** Returns the circles of a crowd. Valid until the mesh changes. */
export function polyRoomsOf(crowd: Crowd): PolyRooms {
  let rooms = known.get(crowd);
  if (rooms === undefined) {
    rooms = {
      rows: new Float64Array(ROOM_STRIDE * crowd.maxAgents),
      poly: new Int32Array(crowd.maxAgents),
      revision: -1,
    };
    known.set(crowd, rooms);
  }
  if (rooms.revision !== crowd.mesh.revision) {
    rooms.revision = crowd.mesh.revision;
    rooms.poly.fill(-1);
  }
  return rooms;
}

/**
 * Measures the circle of an agent around a point (xyz) over its polygon, unless the circle was measured on the same polygon, within a
 * share of the agent's radius.
 */
export function measureRoom(rooms: PolyRooms, { mesh, agents }: Crowd, slot: number, point: Float64Array): void {
  const x = point[0];
  const z = point[2];
  const { rows } = rooms;
  const at = ROOM_STRIDE * slot;
  const poly = agents.poly[slot];
  const dx = x - rows[at + ROOM_X];
  const dz = z - rows[at + ROOM_Z];
  const near = NEAR_RADII * agents.radius[slot];
  if (rooms.poly[slot] === poly && dx * dx + dz * dz <= near * near) return;
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  let a = 3 * edgeVertex[end - 1];
  let ax = vertices[a] - x;
  let az = vertices[a + 2] - z;
  // The squared distance to the nearest line of an edge.
  let leastSq = Infinity;
  let farthestSq = 0;
  for (let e = first; e < end; e++) {
    a = 3 * edgeVertex[e];
    const bx = vertices[a] - x;
    const bz = vertices[a + 2] - z;
    const ux = bx - ax;
    const uz = bz - az;
    const cross = az * bx - ax * bz;
    const distanceSq = (cross * cross) / (ux * ux + uz * uz);
    if (!(distanceSq >= leastSq)) leastSq = distanceSq;
    const cornerSq = bx * bx + bz * bz;
    if (cornerSq > farthestSq) farthestSq = cornerSq;
    ax = bx;
    az = bz;
  }
  const radius = Math.sqrt(leastSq) - EPSILON * Math.sqrt(farthestSq);
  const heights = levelHeightsOf(mesh);
  rows[at + ROOM_X] = x;
  rows[at + ROOM_Z] = z;
  rows[at + ROOM_RADIUS_SQ] = radius > 0 ? radius * radius : -1;
  rows[at + ROOM_Y] = isLevel(heights, mesh, poly) ? heights[poly] : NaN;
  rooms.poly[slot] = poly;
}
