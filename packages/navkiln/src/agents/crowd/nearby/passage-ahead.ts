/**
 * Finds the next passage on an agent's path that is too narrow for two agents side by side: a run of portals between
 * walls and of polygons.
 *
 * A passage begins at a portal narrower than two agents. It continues over polygons that are as narrow, however their
 * portals cross them, and over small polygons where passages meet. It ends where an agent can wait, at a link, and at
 * the goal.
 *
 * In: a corridor. Out: `way`.
 * Cost: a few multiplications for each polygon and portal up to its end. No allocation.
 * Based on: own.
 */
import { isLinkCrossing, setCrossingEnds } from '../../../mesh/crossing.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { PASSAGE_ADMITTED } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { SINGLE_RADII, portalNumberOf } from './narrow-portals.ts';
import { isBetweenWalls } from './portal-ends.ts';

/** Width of portals inside a passage, where passages meet, in radii. */
const INNER_RADII = 2.8;
/** Area up to which a wider polygon has no space to wait, in squared radii. */
const SMALL_AREA = 12;
/** Maximum number of portals of a path up to the end of its next passage. */
const MAX_PORTALS = 24;
/** Minimum length of a passage, in radii. At shorter ones, such as doors, agents step back (yielding.ts). */
const LONG_RADII = 6;

/** A passage on an agent's path. */
export interface WayThrough {
  /** Number of portals; 0: there is no passage. */
  count: number;
  /** The numbers of its portals, in the direction of the agent. */
  portals: Int32Array;
  /** The polygons behind these portals. Their numbers follow those of all portals (`firstRoomOf`). */
  rooms: Int32Array;
  /** xz: the middle of the first portal. */
  entry: Float64Array;
  /** Whether the agent already is on a polygon of the passage. */
  isInside: boolean;
}

/** The last result of `findPassage`. */
export const way: WayThrough = {
  count: 0,
  portals: new Int32Array(MAX_PORTALS),
  rooms: new Int32Array(MAX_PORTALS),
  entry: new Float64Array(2),
  isInside: false,
};
/** xyz of the two ends of a portal. */
const ends = new Float64Array(6);

/** Returns the number of the first polygon. Numbers of polygons follow those of all portals. */
export function firstRoomOf({ edgeCount, portalCount }: NavMesh): number {
  return 2 * (edgeCount + portalCount);
}

/**
 * Sets `way` to the next passage on the path of an agent. `way.count` is 0 when there is none, or when it is short or
 * far.
 */
export function findPassage(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  const { corridor, target } = crowd.corridors[slot];
  const { polys, crossings } = corridor;
  const r = agents.radius[slot];
  const last = Math.min(MAX_PORTALS, corridor.count - 1);
  way.count = 0;
  way.isInside = false;
  let length = 0;
  let x = agents.position[3 * slot];
  let z = agents.position[3 * slot + 2];
  let i = 0;
  // An agent in the passage may be where passages meet.
  let isBegun = agents.passage[slot] >= PASSAGE_ADMITTED;
  let isNarrow = widthOf(mesh, polys[0]) < SINGLE_RADII * r;
  for (; i < last && !isLinkCrossing(crossings[i]); i++) {
    const wasNarrow = isNarrow || (isBegun && areaOf(mesh, polys[i]) < SMALL_AREA * r * r);
    if (way.count > 0 && !wasNarrow) break;
    const isNextNarrow = widthOf(mesh, polys[i + 1]) < SINGLE_RADII * r;
    const radii = isNarrow && isNextNarrow ? Infinity : isBegun && wasNarrow ? INNER_RADII : SINGLE_RADII;
    isNarrow = isNextNarrow;
    if (!isBetween(mesh, polys[i], crossings[i], r, radii)) {
      if (way.count > 0) break;
      isBegun = false;
      continue;
    }
    isBegun = true;
    const mx = (ends[0] + ends[3]) / 2;
    const mz = (ends[2] + ends[5]) / 2;
    if (way.count === 0) {
      way.entry[0] = mx;
      way.entry[1] = mz;
      way.isInside = i === 0 && wasNarrow;
    }
    if (way.count > 0 || way.isInside) length += Math.sqrt((mx - x) * (mx - x) + (mz - z) * (mz - z));
    x = mx;
    z = mz;
    way.portals[way.count] = portalNumberOf(mesh, polys[i], polys[i + 1], crossings[i]);
    way.rooms[way.count++] = firstRoomOf(mesh) + polys[i + 1];
  }
  // The goal is in the passage.
  if (way.count > 0 && i === corridor.count - 1 && isNarrow)
    length += Math.sqrt((target[0] - x) * (target[0] - x) + (target[2] - z) * (target[2] - z));
  if (!way.isInside && length < LONG_RADII * r) way.count = 0;
}

/** Returns whether a portal lies between walls whose distance is below `radii` radii. Sets `ends`. */
function isBetween(mesh: NavMesh, poly: number, crossing: number, radius: number, radii: number): boolean {
  setCrossingEnds(ends, mesh, poly, crossing);
  const dx = ends[3] - ends[0];
  const dz = ends[5] - ends[2];
  return dx * dx + dz * dz < radii * radii * radius * radius && isBetweenWalls(mesh, poly, crossing);
}

/** Returns the area of a polygon, seen from above. */
function areaOf(mesh: NavMesh, poly: number): number {
  const { edgeVertex, polyEdgeStart, polyVertexCount, vertices } = mesh;
  const first = polyEdgeStart[poly];
  const count = polyVertexCount[poly];
  let twice = 0;
  for (let e = 0; e < count; e++) {
    const a = 3 * edgeVertex[first + e];
    const b = 3 * edgeVertex[first + ((e + 1) % count)];
    twice += vertices[b] * vertices[a + 2] - vertices[a] * vertices[b + 2];
  }
  return Math.abs(twice) / 2;
}

/** Returns the width of a polygon: the smallest distance between two parallel lines that enclose it. */
function widthOf(mesh: NavMesh, poly: number): number {
  const { edgeVertex, polyEdgeStart, polyVertexCount, vertices } = mesh;
  const first = polyEdgeStart[poly];
  const count = polyVertexCount[poly];
  let least = Infinity;
  for (let e = 0; e < count; e++) {
    const a = 3 * edgeVertex[first + e];
    const b = 3 * edgeVertex[first + ((e + 1) % count)];
    const ux = vertices[b] - vertices[a];
    const uz = vertices[b + 2] - vertices[a + 2];
    const scale = 1 / Math.sqrt(ux * ux + uz * uz);
    let most = 0;
    for (let k = 0; k < count; k++) {
      const v = 3 * edgeVertex[first + k];
      most = Math.max(
        most,
        Math.abs(ux * (vertices[v + 2] - vertices[a + 2]) - uz * (vertices[v] - vertices[a])) * scale,
      );
    }
    least = Math.min(least, most);
  }
  return least;
}
