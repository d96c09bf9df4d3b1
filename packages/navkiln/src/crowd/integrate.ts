/**
 * Step: agents move. Velocities change as fast as they may, overlaps are pushed apart, and all end on the ground.
 *
 * A step that would press one deeper into another than a twenty-fifth of a radius is taken back (separate.ts), so that no two
 * ever overlap by more, however they are pushed: 0.95 to 2 s in a bottleneck before.
 *
 * In: `chosen`. Out: positions, velocities, headings, corridors that begin where the agents are now.
 * Cost: a few multiplications and one walk on the surface, mostly within a polygon. No allocation.
 * Based on: own.
 */
import { cosDegrees, sinDegrees } from '../math/degrees.ts';
import { isOverPoly, setHeight } from '../navmesh/ground.ts';
import { createSearchState } from '../query/search-state.ts';
import { createSlide } from '../query/walk/slide.ts';
import { moveCorridorPosition } from '../corridor/move.ts';
import { syncCorridorStart, adoptCorridorPosition } from './state/position.ts';
import { requestPath } from './search/record.ts';
import { holdPressed, separate, separateAgain } from './separate.ts';
import {
  AGENT_ASLEEP,
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  AGENT_USER_OWNED,
  GOAL_AGENT,
  GOAL_POINT,
  STATE_GROUND,
} from './state/types.ts';
import type { Crowd } from './state/types.ts';

/** Rounds of pushing apart in a tick. */
const SEPARATIONS = 4;
/** Of pushing apart and walking, while walls hold somebody. */
const ROUNDS = 3;
/** Below this share of its speed an agent that wants to stand does. */
const STILL = 0.01;
/** Faces where it goes from this share of its speed on. */
const FACING = 0.1;

/** xz a slot: where agents would be if there were no walls. */
let place = new Float64Array(0);
/** A slot: 1 when its step is taken back. */
let held = new Uint8Array(0);
const point = new Float64Array(3);
const slide = createSlide();
const slideState = createSearchState();

/** Step: agents take their velocities and move. */
export function integrate(crowd: Crowd): void {
  const { agents, active, activeCount, stepSeconds } = crowd;
  const { position, previous, velocity, state, flags } = agents;
  if (place.length < 2 * crowd.maxAgents) place = new Float64Array(2 * crowd.maxAgents);
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    const x = position[3 * slot];
    const z = position[3 * slot + 2];
    place[2 * slot] = x;
    place[2 * slot + 1] = z;
    if ((flags[slot] & AGENT_USER_OWNED) !== 0) {
      velocity[2 * slot] = (x - previous[3 * slot]) / stepSeconds;
      velocity[2 * slot + 1] = (z - previous[3 * slot + 2]) / stepSeconds;
    }
    previous[3 * slot] = x;
    previous[3 * slot + 1] = position[3 * slot + 1];
    previous[3 * slot + 2] = z;
    if ((flags[slot] & (AGENT_ASLEEP | AGENT_USER_OWNED)) !== 0 || state[slot] !== STATE_GROUND) continue;
    accelerate(crowd, slot);
    place[2 * slot] = x + velocity[2 * slot] * stepSeconds;
    place[2 * slot + 1] = z + velocity[2 * slot + 1] * stepSeconds;
  }
  // Who is held by a wall cannot give way as was thought: then the others do.
  for (let round = 0; round < ROUNDS; round++) {
    if (round === 0) separate(crowd, place, SEPARATIONS);
    else separateAgain(crowd, place, SEPARATIONS);
    let blockedCount = 0;
    for (let i = 0; i < activeCount; i++) {
      const slot = active[i];
      if ((flags[slot] & AGENT_USER_OWNED) !== 0 || state[slot] !== STATE_GROUND) continue;
      if (place[2 * slot] === position[3 * slot] && place[2 * slot + 1] === position[3 * slot + 2]) continue;
      if (!walk(crowd, slot)) blockedCount++;
      place[2 * slot] = position[3 * slot];
      place[2 * slot + 1] = position[3 * slot + 2];
    }
    if (blockedCount === 0) break;
  }
  if (held.length < crowd.maxAgents) held = new Uint8Array(crowd.maxAgents);
  if (holdPressed(crowd, place, held) === 0) return;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    if (held[slot] === 0) continue;
    held[slot] = 0;
    walk(crowd, slot);
    velocity[2 * slot] = 0;
    velocity[2 * slot + 1] = 0;
  }
}

/** Brings the velocity towards the chosen one, as far as acceleration and turning allow, and turns. */
function accelerate(crowd: Crowd, slot: number): void {
  const { agents, stepSeconds } = crowd;
  const { velocity, chosen, heading } = agents;
  const at = 2 * slot;
  let wantX = chosen[at];
  let wantZ = chosen[at + 1];
  const maxSpeed = agents.maxSpeed[slot];
  const want = Math.sqrt(wantX * wantX + wantZ * wantZ);
  if (want > FACING * maxSpeed) {
    if (agents.maxTurn[slot] === Infinity) {
      heading[at] = wantX / want;
      heading[at + 1] = wantZ / want;
    } else {
      turn(crowd, slot, wantX / want, wantZ / want);
      // Only as fast as it faces where it goes.
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
  if (
    want === 0 &&
    velocity[at] * velocity[at] + velocity[at + 1] * velocity[at + 1] < STILL * STILL * maxSpeed * maxSpeed
  ) {
    velocity[at] = 0;
    velocity[at + 1] = 0;
  }
}

/** Turns towards a direction (unit) by as much as a tick allows. */
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

/** Walks to its place on the surface; a wall takes off what of the velocity leads into it. False: a wall was in the way. */
function walk(crowd: Crowd, slot: number): boolean {
  const { agents, mesh, stepSeconds } = crowd;
  const { position, velocity } = agents;
  point[0] = place[2 * slot];
  point[1] = position[3 * slot + 1];
  point[2] = place[2 * slot + 1];
  const poly = agents.poly[slot];
  if (isOverPoly(mesh, poly, point)) {
    // As within a corridor's first polygon, without a look at the corridor: it hears of it when it is asked next.
    setHeight(point, mesh, poly);
    position[3 * slot] = point[0];
    position[3 * slot + 1] = point[1];
    position[3 * slot + 2] = point[2];
    return true;
  }
  syncCorridorStart(crowd, slot);
  const corridor = crowd.corridors[slot];
  const isReached = moveCorridorPosition(corridor, mesh, slide, slideState, point, crowd.filters[agents.filter[slot]]);
  if (!isReached) {
    // What a wall took off the way it takes off the velocity.
    const blockedX = (point[0] - corridor.position[0]) / stepSeconds;
    const blockedZ = (point[2] - corridor.position[2]) / stepSeconds;
    const lengthSq = blockedX * blockedX + blockedZ * blockedZ;
    const into = velocity[2 * slot] * blockedX + velocity[2 * slot + 1] * blockedZ;
    if (lengthSq > 0 && into > 0) {
      velocity[2 * slot] -= (into / lengthSq) * blockedX;
      velocity[2 * slot + 1] -= (into / lengthSq) * blockedZ;
    }
  }
  adoptCorridorPosition(crowd, slot);
  // It left what has been closed by another way than its path: there is none any more.
  if (corridor.corridor.outcome !== 'complete' && (agents.flags[slot] & (AGENT_PARTIAL | AGENT_AWAITS_PATH)) === 0) {
    if (agents.goalKind[slot] === GOAL_POINT || agents.goalKind[slot] === GOAL_AGENT) requestPath(crowd, slot);
  }
  return isReached;
}
