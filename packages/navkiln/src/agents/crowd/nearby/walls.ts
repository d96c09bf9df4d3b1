/**
 * Step: finds the nearest walls of each agent. Avoidance must not drive agents into them.
 *
 * The search walks from the agent's polygon over open edges within reach, so that a wall of another floor
 * never counts. An agent keeps its walls until it has moved by a quarter of its reach or the mesh has
 * changed.
 *
 * In: positions and polygons of awake agents, the mesh.
 * Out: `walls`, at most `MAX_WALLS` segments with the walkable side to the left, nearest first; `wallCount`,
 * `wallCenter`, `wallPoly`.
 * Cost: one to three polygons about every tenth tick; nothing for an agent that stands. No allocation.
 * Based on: own; Detour has the idea of a local boundary (Mikko Mononen).
 */
import { passesFilter } from '../../../query/filter.ts';
import type { QueryFilter } from '../../../query/filter.ts';
import { nextGap } from '../../../query/walk/open-edges.ts';
import { AGENT_ASLEEP, AGENT_AVOID_ONLY, AVOID_NONE, MAX_WALLS, STATE_GROUND } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** Maximum number of searched polygons. On meshes of tiny polygons, farther walls are missed. */
const MAX_POLYS = 24;
/** Reach: the distance that an agent walks in `WALL_SECONDS` at full speed, but at least `WALL_RADII` radii. */
const WALL_SECONDS = 0.75;
const WALL_RADII = 2;
/** Distance that an agent moves before its walls are found again, as a share of its reach. */
const MOVED_SHARE = 0.25;
/** Numbers per wall: x1, z1, x2, z2. */
const STRIDE = 4;

/** Polygons found so far, in the order of the search. */
const polys = new Int32Array(MAX_POLYS);
let polyCount = 0;
/** Where a gap between portals starts and ends on its edge, 0 .. 1. */
const gap = new Float64Array(2);
/** Start (x, z) and direction (x, z) of the current edge. */
const edgeLine = new Float64Array(4);
/** The current wall (x1, z1, x2, z2), and its squared distance. */
const segment = new Float64Array(STRIDE);
const segmentDistanceSq = new Float64Array(1);
/** Squared distances of the walls found so far. */
const distances = new Float64Array(MAX_WALLS);
let wallCount = 0;
/** Position (x, z) of the current agent, and its squared reach. */
const around = new Float64Array(3);

/** Returns the distance within which an agent finds walls. */
export function reachOfWalls({ agents }: Crowd, slot: number): number {
  return Math.max(WALL_SECONDS * agents.maxSpeed[slot], WALL_RADII * agents.radius[slot]);
}

/** Step: finds the walls of the agents whose turn it is, if they have moved enough. */
export function findWalls(crowd: Crowd): void {
  const { agents, thinking, thinkingCount } = crowd;
  const { position, wallCenter, wallPoly, flags, state, avoidance } = agents;
  for (let i = 0; i < thinkingCount; i++) {
    const slot = thinking[i];
    if (state[slot] !== STATE_GROUND || (flags[slot] & AGENT_AVOID_ONLY) !== 0) continue;
    // An agent at rest has to know its walls when its surface is removed.
    if ((flags[slot] & AGENT_ASLEEP) !== 0 && wallPoly[slot] >= 0) continue;
    if (avoidance[slot] === AVOID_NONE) continue;
    const x = position[3 * slot];
    const z = position[3 * slot + 2];
    const reach = reachOfWalls(crowd, slot);
    if (wallPoly[slot] >= 0) {
      const dx = x - wallCenter[2 * slot];
      const dz = z - wallCenter[2 * slot + 1];
      if (dx * dx + dz * dz <= reach * reach * (MOVED_SHARE * MOVED_SHARE)) continue;
    }
    around[0] = x;
    around[1] = z;
    // The agent may move towards a wall before the next search.
    around[2] = reach * reach * ((1 + MOVED_SHARE) * (1 + MOVED_SHARE));
    collectWalls(crowd, slot, crowd.filters[agents.filter[slot]]);
    wallCenter[2 * slot] = x;
    wallCenter[2 * slot + 1] = z;
    wallPoly[slot] = agents.poly[slot];
  }
}

/** Searches the polygons around an agent and fills its list of walls. */
function collectWalls(crowd: Crowd, slot: number, filter: QueryFilter): void {
  const { mesh, agents } = crowd;
  const { polyEdgeStart, polyVertexCount, edgeNeighbor, edgeVertex, vertices } = mesh;
  wallCount = 0;
  polyCount = 1;
  polys[0] = agents.poly[slot];
  for (let head = 0; head < polyCount; head++) {
    const poly = polys[head];
    const first = polyEdgeStart[poly];
    const end = first + polyVertexCount[poly];
    for (let e = first; e < end; e++) {
      const next = e + 1 === end ? first : e + 1;
      const a = 3 * edgeVertex[e];
      const b = 3 * edgeVertex[next];
      edgeLine[0] = vertices[a];
      edgeLine[1] = vertices[a + 2];
      edgeLine[2] = vertices[b] - edgeLine[0];
      edgeLine[3] = vertices[b + 2] - edgeLine[1];
      segment[0] = edgeLine[0];
      segment[1] = edgeLine[1];
      segment[2] = edgeLine[0] + edgeLine[2];
      segment[3] = edgeLine[1] + edgeLine[3];
      measureWall();
      if (segmentDistanceSq[0] > around[2]) continue;
      const neighbor = edgeNeighbor[e];
      if (neighbor >= 0 && passesFilter(filter, mesh, neighbor)) {
        visit(neighbor);
      } else if (neighbor >= -1) {
        addWall(crowd, slot);
      } else {
        collectBorder(crowd, slot, poly, e, filter);
      }
    }
  }
  agents.wallCount[slot] = wallCount;
}

/** Handles an edge on a tile's border: portals lead to further polygons, the gaps between them are walls. */
function collectBorder(crowd: Crowd, slot: number, poly: number, edge: number, filter: QueryFilter): void {
  const { mesh } = crowd;
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (mesh.portalEdge[l] === edge && passesFilter(filter, mesh, mesh.portalPoly[l])) visit(mesh.portalPoly[l]);
  }
  gap[1] = 0;
  while (nextGap(gap, mesh, poly, edge, filter)) {
    setGapWall();
    measureWall();
    if (segmentDistanceSq[0] <= around[2]) addWall(crowd, slot);
  }
}

/** Adds a polygon to the search, once. */
function visit(poly: number): void {
  if (polyCount === MAX_POLYS) return;
  for (let i = 0; i < polyCount; i++) if (polys[i] === poly) return;
  polys[polyCount++] = poly;
}

/** Sets `segment` to the part `gap` of the current edge. */
function setGapWall(): void {
  segment[0] = edgeLine[0] + gap[0] * edgeLine[2];
  segment[1] = edgeLine[1] + gap[0] * edgeLine[3];
  segment[2] = edgeLine[0] + gap[1] * edgeLine[2];
  segment[3] = edgeLine[1] + gap[1] * edgeLine[3];
}

/** Sets `segmentDistanceSq` to the squared distance of `segment` from the agent, in the plane. */
function measureWall(): void {
  const ux = segment[2] - segment[0];
  const uz = segment[3] - segment[1];
  const dx = around[0] - segment[0];
  const dz = around[1] - segment[1];
  const lengthSq = ux * ux + uz * uz;
  let t = lengthSq > 0 ? (dx * ux + dz * uz) / lengthSq : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const qx = dx - t * ux;
  const qz = dz - t * uz;
  segmentDistanceSq[0] = qx * qx + qz * qz;
}

/** Inserts `segment` into the agent's list, which is sorted by distance, if it is near enough. */
function addWall(crowd: Crowd, slot: number): void {
  const distanceSq = segmentDistanceSq[0];
  let at = wallCount;
  if (at === MAX_WALLS) {
    if (distanceSq >= distances[at - 1]) return;
    at--;
  } else {
    wallCount++;
  }
  const { walls } = crowd.agents;
  const base = STRIDE * MAX_WALLS * slot;
  while (at > 0 && distances[at - 1] > distanceSq) {
    distances[at] = distances[at - 1];
    for (let k = base + STRIDE * at; k < base + STRIDE * (at + 1); k++) walls[k] = walls[k - STRIDE];
    at--;
  }
  distances[at] = distanceSq;
  const to = base + STRIDE * at;
  for (let k = 0; k < STRIDE; k++) walls[to + k] = segment[k];
}
