/**
 * Step: which walls are near. What agents may not be driven into when they make room.
 *
 * In: agents that are awake. Out: for each the nearest walls within reach, at most eight, as segments with the ground to their
 * left; found by walking from the agent's polygon over openings within reach, so that a wall of another floor never counts. They
 * are kept until the agent has moved by a quarter of the reach or the mesh has changed.
 *
 * Cost: about a polygon or three every tenth tick; nothing for one that stands. No allocation.
 * Based on: own; the idea of a local boundary is Detour's (Mikko Mononen), which takes 16 polygons and 8 segments by 3D distance.
 */
import { passesFilter } from '../../query/filter.ts';
import type { QueryFilter } from '../../query/filter.ts';
import { nextGap } from '../../query/walk/open-edges.ts';
import { AGENT_ASLEEP, AGENT_AVOID_ONLY, AVOID_NONE, MAX_WALLS, STATE_GROUND } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** Polygons that are looked at. */
const MAX_POLYS = 24;
/** Seconds of walking within which a wall counts, and radii at least. */
const WALL_SECONDS = 0.75;
const WALL_RADII = 2;

const polys = new Int32Array(MAX_POLYS);
let polyCount = 0;
const gap = new Float64Array(2);
/** x1, z1, x2, z2 of the wall at hand, and its squared distance. */
const segment = new Float64Array(4);
const distance = new Float64Array(1);
/** Squared distances of the walls at hand; centre x, z and squared reach. */
const distances = new Float64Array(MAX_WALLS);
const around = new Float64Array(3);
let wallCount = 0;

/** Step: walls near each agent that is awake. */
export function findWalls(crowd: Crowd): void {
  const { agents, thinking, thinkingCount } = crowd;
  const { position, wallCenter, wallPoly, flags, state, avoidance } = agents;
  for (let i = 0; i < thinkingCount; i++) {
    const slot = thinking[i];
    if (state[slot] !== STATE_GROUND || (flags[slot] & (AGENT_ASLEEP | AGENT_AVOID_ONLY)) !== 0) continue;
    if (avoidance[slot] === AVOID_NONE) continue;
    const x = position[3 * slot];
    const z = position[3 * slot + 2];
    const reach = Math.max(WALL_SECONDS * agents.maxSpeed[slot], WALL_RADII * agents.radius[slot]);
    if (wallPoly[slot] >= 0) {
      const dx = x - wallCenter[2 * slot];
      const dz = z - wallCenter[2 * slot + 1];
      if (dx * dx + dz * dz <= reach * reach * 0.0625) continue;
    }
    around[0] = x;
    around[1] = z;
    around[2] = reach * reach * 1.5625;
    collect(crowd, slot, crowd.filters[agents.filter[slot]]);
    wallCenter[2 * slot] = x;
    wallCenter[2 * slot + 1] = z;
    wallPoly[slot] = agents.poly[slot];
  }
}

function collect(crowd: Crowd, slot: number, filter: QueryFilter): void {
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
      const x1 = vertices[a];
      const z1 = vertices[a + 2];
      const ux = vertices[b] - x1;
      const uz = vertices[b + 2] - z1;
      setWall(x1, z1, x1 + ux, z1 + uz);
      measureWall();
      if (distance[0] > around[2]) continue;
      const neighbor = edgeNeighbor[e];
      if (neighbor >= 0 && passesFilter(filter, mesh, neighbor)) {
        visit(neighbor);
      } else if (neighbor >= -1) {
        addWall(crowd, slot);
      } else {
        visitBorder(crowd, slot, poly, e, filter, x1, z1, ux, uz);
      }
    }
  }
  agents.wallCount[slot] = wallCount;
}

/** An edge on a tile's border: what is open leads on, the gaps are walls. */
function visitBorder(
  crowd: Crowd,
  slot: number,
  poly: number,
  edge: number,
  filter: QueryFilter,
  x1: number,
  z1: number,
  ux: number,
  uz: number,
): void {
  const { mesh } = crowd;
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (mesh.portalEdge[l] === edge && passesFilter(filter, mesh, mesh.portalPoly[l])) visit(mesh.portalPoly[l]);
  }
  gap[1] = 0;
  while (nextGap(gap, mesh, poly, edge, filter)) {
    setWall(x1 + gap[0] * ux, z1 + gap[0] * uz, x1 + gap[1] * ux, z1 + gap[1] * uz);
    measureWall();
    if (distance[0] <= around[2]) addWall(crowd, slot);
  }
}

function visit(poly: number): void {
  if (polyCount === MAX_POLYS) return;
  for (let i = 0; i < polyCount; i++) if (polys[i] === poly) return;
  polys[polyCount++] = poly;
}

/** Short enough to be inlined: numbers handed over else might be allocated. */
function setWall(x1: number, z1: number, x2: number, z2: number): void {
  segment[0] = x1;
  segment[1] = z1;
  segment[2] = x2;
  segment[3] = z2;
}

/** Sets the squared distance of `segment` from the agent, seen from above. */
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
  distance[0] = qx * qx + qz * qz;
}

/** Takes `segment`, measured, into the agent's list, which is in the order of distances. */
function addWall(crowd: Crowd, slot: number): void {
  const distanceSq = distance[0];
  let at = wallCount;
  if (at === MAX_WALLS) {
    if (distanceSq >= distances[at - 1]) return;
    at--;
  } else {
    wallCount++;
  }
  const { walls } = crowd.agents;
  const base = 4 * MAX_WALLS * slot;
  while (at > 0 && distances[at - 1] > distanceSq) {
    distances[at] = distances[at - 1];
    for (let k = base + 4 * at; k < base + 4 * at + 4; k++) walls[k] = walls[k - 4];
    at--;
  }
  distances[at] = distanceSq;
  const to = base + 4 * at;
  for (let k = 0; k < 4; k++) walls[to + k] = segment[k];
}
