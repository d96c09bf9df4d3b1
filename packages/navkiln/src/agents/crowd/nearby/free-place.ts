/**
 * Finds the nearest free position for an agent whose surface was removed, because an obstacle was put there or a door
 * closed.
 *
 * The mesh no longer has the removed surface, but the agent remembers the walls near it: those within 0.75 seconds at
 * full speed, unless its avoidance is 'none'. A position counts when no such wall lies between it and the agent. Its
 * height must also be within the climb, or within a slope of 45 degrees, so that no agent changes to another storey.
 * The search box doubles until a position is found.
 *
 * In: the agent's position and walls.
 * Out: the polygon and the point; none when no position is near.
 * Cost: linear in the polygons of the box, which doubles up to `DOUBLINGS` times. No allocation after warm-up.
 * Based on: own.
 */
import { closestPointOnPoly } from '../../../mesh/ground.ts';
import type { NearestHit } from '../../../query/nearest/nearest.ts';
import { agentHalfExtents } from '../../../query/nearest/nearest.ts';
import { createPolyList, findPolysInBoxInto } from '../../../query/nearest/polys-in-box.ts';
import { MAX_WALLS } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** How often the box of the search is doubled. */
const DOUBLINGS = 4;
/** Numbers per wall: x1, z1, x2, z2. */
const STRIDE = 4;
/** A position at most this far behind a wall counts as on the wall, in radii. */
const WALL_SLACK = 1e-3;

const list = createPolyList();
const extents = new Float64Array(3);
const start = new Float64Array(3);
const place = new Float64Array(3);

/** Writes the nearest free position for an agent; `out.poly` is -1 when there is none. */
export function findFreePlace(out: NearestHit, crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  const filter = crowd.filters[agents.filter[slot]];
  for (let k = 0; k < 3; k++) start[k] = agents.position[3 * slot + k];
  out.poly = -1;
  out.distanceSq = Infinity;
  agentHalfExtents(extents, mesh, filter);
  let reach = extents[0];
  for (let doubling = 0; doubling <= DOUBLINGS && out.poly < 0; doubling++, reach *= 2) {
    extents[0] = extents[2] = reach;
    extents[1] = mesh.agent.maxClimb + reach;
    findPolysInBoxInto(list, mesh, start, extents, filter);
    for (let i = 0; i < list.count; i++) {
      closestPointOnPoly(place, mesh, list.polys[i], start);
      const dx = place[0] - start[0];
      const dy = place[1] - start[1];
      const dz = place[2] - start[2];
      const acrossSq = dx * dx + dz * dz;
      const distanceSq = acrossSq + dy * dy;
      // Positions in the corners of the box may not be the nearest.
      if (acrossSq > reach * reach || distanceSq >= out.distanceSq) continue;
      if (Math.abs(dy) > mesh.agent.maxClimb + Math.sqrt(acrossSq) || isBehindWall(crowd, slot)) continue;
      out.poly = list.polys[i];
      out.distanceSq = distanceSq;
      out.point.set(place);
    }
  }
}

/** Returns whether a known wall of an agent lies between `start` and `place`. */
function isBehindWall({ agents }: Crowd, slot: number): boolean {
  const { walls, wallCount } = agents;
  const slack = WALL_SLACK * agents.radius[slot];
  const first = STRIDE * MAX_WALLS * slot;
  const mx = place[0] - start[0];
  const mz = place[2] - start[2];
  for (let w = first; w < first + STRIDE * wallCount[slot]; w += STRIDE) {
    const ux = walls[w + 2] - walls[w];
    const uz = walls[w + 3] - walls[w + 1];
    const length = Math.sqrt(ux * ux + uz * uz);
    // On the left of a wall, where the walkable surface is, these are above 0.
    const here = uz * (start[0] - walls[w]) - ux * (start[2] - walls[w + 1]);
    const there = uz * (place[0] - walls[w]) - ux * (place[2] - walls[w + 1]);
    if (there >= -slack * length || here < -slack * length) continue;
    // Where the segment from `start` to `place` crosses the line of the wall, 0 .. 1.
    const t = Math.max(0, Math.min(1, here / (here - there)));
    const along = ((start[0] + t * mx - walls[w]) * ux + (start[2] + t * mz - walls[w + 1]) * uz) / (length * length);
    if (along >= -slack / length && along <= 1 + slack / length) return true;
  }
  return false;
}
