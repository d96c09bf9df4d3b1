/**
 * Step: moves the agents. Velocities change within the limits of acceleration, overlapping agents are pushed apart, and
 * all agents end on the walkable surface.
 *
 * Separation and walking alternate while walls hold agents back: an agent at a wall cannot move its share, so its
 * neighbors have to. Finally, steps that press one agent deep into another are undone (separate.ts).
 *
 * In: `chosen`; positions that users have set.
 * Out: `position`, `previous`, `velocity`, `heading`, `poly`; corridors of agents that left their polygon.
 * Cost: per agent a few multiplications and one walk on the surface, mostly within a polygon. No allocation.
 * Based on: own.
 */
import { moveCorridorPosition } from '../../corridor/move.ts';
import { cosDegrees, sinDegrees } from '../../../base/math/degrees.ts';
import { isOverPoly, setHeight } from '../../../mesh/ground.ts';
import { createSearchState } from '../../../query/search-state.ts';
import { createSlide } from '../../../query/walk/slide.ts';
import { ROOM_RADIUS_SQ, ROOM_STRIDE, ROOM_X, ROOM_Y, ROOM_Z } from '../nearby/poly-room.ts';
import type { PolyRooms } from '../state/behaviors.ts';
import { requestPath } from '../search/record.ts';
import { separate, separateAgain, undoDeepOverlaps } from './separate.ts';
import { adoptCorridorPosition, syncCorridorStart } from '../state/position.ts';
import {
  AGENT_ASLEEP,
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  AGENT_PASSED_PORTAL,
  AGENT_STALE_CORNERS,
  AGENT_USER_OWNED,
  GOAL_AGENT,
  GOAL_POINT,
  STATE_GROUND,
} from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** Rounds of separation at a time. Fewer leave deeper overlaps in dense crowds. */
const SEPARATION_ROUNDS = 4;
/** Maximum number of alternations of separation and walking in a tick, while walls hold agents back. */
const WALL_ROUNDS = 3;
/** The circles of a crowd that has none. */
const NO_ROOMS: Pick<PolyRooms, 'rows' | 'poly'> = { rows: new Float64Array(0), poly: new Int32Array(0) };
/** Share of its maximum speed below which an agent with a desired speed of 0 stops immediately. */
const STOP_SHARE = 0.01;
/** Share of its maximum speed above which an agent faces the direction it moves in. */
const FACING_SHARE = 0.1;

/** Per slot: xz of the planned position, before walls. */
let planned = new Float64Array(0);
/** Per slot: 1 when the step is undone. All are 0 between calls. */
let held = new Uint8Array(0);
const point = new Float64Array(3);
const slide = createSlide();
const slideState = createSearchState();

/** Step: accelerates, separates and moves all agents on the mesh. */
export function integrate(crowd: Crowd): void {
  if (planned.length < 2 * crowd.maxAgents) planned = new Float64Array(2 * crowd.maxAgents);
  if (held.length < crowd.maxAgents) held = new Uint8Array(crowd.maxAgents);
  const rooms = crowd.behaviors.polyRoomsOf?.(crowd);
  planPositions(crowd);
  for (let round = 0; round < WALL_ROUNDS; round++) {
    if (round === 0) separate(crowd, planned, SEPARATION_ROUNDS);
    // All agents reached their planned positions. Without overlaps, no agent moves again.
    else if (separateAgain(crowd, planned, SEPARATION_ROUNDS) === 0) break;
    if (walkAll(crowd, rooms) === 0) break;
  }
  if (undoDeepOverlaps(crowd, planned, held) > 0) stopHeld(crowd, rooms);
}

/**
 * Accelerates the agents and sets `previous` and `planned`. The velocity of agents that users move follows
 * from their positions.
 */
function planPositions(crowd: Crowd): void {
  const { agents, active, activeCount, stepSeconds } = crowd;
  const { position, previous, velocity, state, flags } = agents;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    const x = position[3 * slot];
    const z = position[3 * slot + 2];
    planned[2 * slot] = x;
    planned[2 * slot + 1] = z;
    if ((flags[slot] & AGENT_USER_OWNED) !== 0) {
      velocity[2 * slot] = (x - previous[3 * slot]) / stepSeconds;
      velocity[2 * slot + 1] = (z - previous[3 * slot + 2]) / stepSeconds;
    }
    previous[3 * slot] = x;
    previous[3 * slot + 1] = position[3 * slot + 1];
    previous[3 * slot + 2] = z;
    if ((flags[slot] & (AGENT_ASLEEP | AGENT_USER_OWNED)) !== 0 || state[slot] !== STATE_GROUND) continue;
    accelerate(crowd, slot);
    planned[2 * slot] = x + velocity[2 * slot] * stepSeconds;
    planned[2 * slot + 1] = z + velocity[2 * slot + 1] * stepSeconds;
  }
}

/**
 * Walks all agents to their planned positions, and sets these to where the agents ended. Returns how many agents hit a
 * wall.
 */
function walkAll(crowd: Crowd, rooms: PolyRooms | undefined): number {
  const { agents, active, activeCount } = crowd;
  const { position, state, flags, poly } = agents;
  const { rows, poly: roomPoly } = rooms ?? NO_ROOMS;
  let blockedCount = 0;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    if ((flags[slot] & AGENT_USER_OWNED) !== 0 || state[slot] !== STATE_GROUND) continue;
    const x = planned[2 * slot];
    const z = planned[2 * slot + 1];
    if (x === position[3 * slot] && z === position[3 * slot + 2]) continue;
    const at = ROOM_STRIDE * slot;
    const dx = x - rows[at + ROOM_X];
    const dz = z - rows[at + ROOM_Z];
    if (roomPoly[slot] === poly[slot] && dx * dx + dz * dz <= rows[at + ROOM_RADIUS_SQ]) {
      const y = rows[at + ROOM_Y];
      position[3 * slot] = x;
      position[3 * slot + 2] = z;
      if (y === y) position[3 * slot + 1] = y;
      else setHeightOf(crowd, slot);
      continue;
    }
    if (!walk(crowd, slot, rooms)) blockedCount++;
    planned[2 * slot] = position[3 * slot];
    planned[2 * slot + 1] = position[3 * slot + 2];
  }
  return blockedCount;
}

/** Walks held agents back to where they started, and stops them. */
function stopHeld(crowd: Crowd, rooms: PolyRooms | undefined): void {
  const { velocity } = crowd.agents;
  for (let i = 0; i < crowd.activeCount; i++) {
    const slot = crowd.active[i];
    if (held[slot] === 0) continue;
    held[slot] = 0;
    walk(crowd, slot, rooms);
    velocity[2 * slot] = 0;
    velocity[2 * slot + 1] = 0;
  }
}

/** Changes the velocity towards the chosen one within the limits of acceleration and turning, and turns the heading. */
function accelerate(crowd: Crowd, slot: number): void {
  const { agents, stepSeconds } = crowd;
  const { velocity, chosen, heading } = agents;
  const at = 2 * slot;
  let wantX = chosen[at];
  let wantZ = chosen[at + 1];
  const maxSpeed = agents.maxSpeed[slot];
  const want = Math.sqrt(wantX * wantX + wantZ * wantZ);
  if (want > FACING_SHARE * maxSpeed) {
    if (agents.maxTurn[slot] === Infinity) {
      heading[at] = wantX / want;
      heading[at + 1] = wantZ / want;
    } else {
      turn(crowd, slot, wantX / want, wantZ / want);
      // The agent is slower while it does not face the direction of movement yet.
      const along = Math.max(0, heading[at] * wantX + heading[at + 1] * wantZ);
      wantX = heading[at] * along;
      wantZ = heading[at + 1] * along;
    }
  }
  const dx = wantX - velocity[at];
  const dz = wantZ - velocity[at + 1];
  const change = Math.sqrt(dx * dx + dz * dz);
  const limit = agents.maxAcceleration[slot] * stepSeconds;
  const scale = change > limit ? limit / change : 1;
  velocity[at] += dx * scale;
  velocity[at + 1] += dz * scale;
  const speedSq = velocity[at] * velocity[at] + velocity[at + 1] * velocity[at + 1];
  if (want === 0 && speedSq < STOP_SHARE * STOP_SHARE * maxSpeed * maxSpeed) {
    velocity[at] = 0;
    velocity[at + 1] = 0;
  }
}

/** Turns the heading towards the unit direction (x, z), within the limit of one tick. */
function turn(crowd: Crowd, slot: number, x: number, z: number): void {
  const { heading, maxTurn } = crowd.agents;
  const at = 2 * slot;
  const hx = heading[at];
  const hz = heading[at + 1];
  const degrees = maxTurn[slot] * crowd.stepSeconds;
  const cos = degrees >= 180 ? -1 : cosDegrees(degrees);
  if (hx * x + hz * z >= cos) {
    heading[at] = x;
    heading[at + 1] = z;
    return;
  }
  const sin = sinDegrees(degrees);
  const side = hx * z - hz * x >= 0 ? 1 : -1;
  const nx = hx * cos - side * hz * sin;
  const nz = hz * cos + side * hx * sin;
  const length = Math.sqrt(nx * nx + nz * nz);
  heading[at] = nx / length;
  heading[at + 1] = nz / length;
}

/** Moves an agent that is over its polygon onto the surface. */
function setHeightOf({ agents: { position, poly }, mesh }: Crowd, slot: number): void {
  for (let k = 0; k < 3; k++) point[k] = position[3 * slot + k];
  setHeight(point, mesh, poly[slot]);
  position[3 * slot + 1] = point[1];
}

/**
 * Walks an agent to its planned position on the surface. A wall takes the part of the velocity that leads into it.
 * Returns false when a wall stopped it.
 */
function walk(crowd: Crowd, slot: number, rooms: PolyRooms | undefined): boolean {
  const { agents, mesh, stepSeconds } = crowd;
  const { position, velocity } = agents;
  const poly = agents.poly[slot];
  point[0] = planned[2 * slot];
  point[1] = position[3 * slot + 1];
  point[2] = planned[2 * slot + 1];
  if (isOverPoly(mesh, poly, point)) {
    // Within the first polygon of the corridor. The corridor itself follows later, see position.ts.
    if (rooms !== undefined) crowd.behaviors.measureRoom!(rooms, crowd, slot, point);
    const y = rooms === undefined ? NaN : rooms.rows[ROOM_STRIDE * slot + ROOM_Y];
    position[3 * slot] = point[0];
    position[3 * slot + 2] = point[2];
    if (y === y) position[3 * slot + 1] = y;
    else setHeightOf(crowd, slot);
    return true;
  }
  syncCorridorStart(crowd, slot);
  const corridor = crowd.corridors[slot];
  const { count, polys } = corridor.corridor;
  const next = count > 1 ? polys[1] : -1;
  const isReached = moveCorridorPosition(corridor, mesh, slide, slideState, point, crowd.filters[agents.filter[slot]]);
  if (!isReached) {
    const blockedX = (point[0] - corridor.position[0]) / stepSeconds;
    const blockedZ = (point[2] - corridor.position[2]) / stepSeconds;
    const lengthSq = blockedX * blockedX + blockedZ * blockedZ;
    const into = velocity[2 * slot] * blockedX + velocity[2 * slot + 1] * blockedZ;
    if (lengthSq > 0 && into > 0) {
      velocity[2 * slot] -= (into / lengthSq) * blockedX;
      velocity[2 * slot + 1] -= (into / lengthSq) * blockedZ;
    }
  }
  const wasStale = (agents.flags[slot] & AGENT_STALE_CORNERS) !== 0;
  adoptCorridorPosition(crowd, slot);
  const hasPassed = corridor.corridor.count === count - 1 && agents.poly[slot] === next;
  if (hasPassed && !wasStale && agents.sightPortals[slot] > 1) {
    // The agent probably still sees the same corner.
    agents.flags[slot] = (agents.flags[slot] & ~AGENT_STALE_CORNERS) | AGENT_PASSED_PORTAL;
    agents.sightPortals[slot]--;
  }
  // The agent left a polygon that was disabled in the meantime, and not along its path, so its path is lost.
  if (corridor.corridor.outcome !== 'complete' && (agents.flags[slot] & (AGENT_PARTIAL | AGENT_AWAITS_PATH)) === 0) {
    if (agents.goalKind[slot] === GOAL_POINT || agents.goalKind[slot] === GOAL_AGENT) requestPath(crowd, slot);
  }
  return isReached;
}
