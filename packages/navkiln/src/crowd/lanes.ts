/**
 * Step: keeping to one's side where it is narrow and others come the other way.
 *
 * Who meets somebody coming towards it knows that there is counterflow, and so does who goes the same way behind it: word goes
 * from neighbour to neighbour, one a tick, and is forgotten after some seconds. Whoever knows keeps, between two walls near
 * each other, to its side of what is free, and enters a narrow opening on its side; so lanes are there before those at the
 * front meet. Where nobody comes the other way the whole width is used.
 *
 * In: `desired`, neighbours, walls, corridors. Out: `desired`. Cost: a look at the neighbours; walls and three crossings for
 * those who know. No allocation.
 * Based on: own; that lanes form by themselves when all pass on one side is known from Dirk Helbing, Peter Molnar, Social Force
 * Model for Pedestrian Dynamics, 1995.
 */
import { isLinkCrossing, setCrossingEnds } from '../navmesh/crossing.ts';
import { CROSSINGS_AHEAD, NARROW_RADII, claimOpenings, dropClaims, isContested } from './narrow.ts';
import { isRestStatus } from './state/rest.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  MAX_NEIGHBORS,
  MAX_WALLS,
  NARROW_AHEAD,
  STATE_GROUND,
  STATUS_YIELDING,
} from './state/types.ts';
import type { Crowd } from './state/types.ts';

/** Seconds for which counterflow is remembered, and ticks that word loses on its way to the next one. */
const MEMORY_SECONDS = 2;
const WORD_TICKS = 3;
/** A narrow opening ahead is aimed at from so many radii off. */
const AHEAD_RADII = 14;

/** What each knew in the tick before. */
let known = new Int32Array(0);
const ends = new Float64Array(6);
/** How far the walls to the left and right are. */
const free = new Float64Array(2);
/** xz, unit: towards the side of the one at hand. Handed over here, as numbers might be allocated. */
const aside = new Float64Array(2);

/** Step: `desired` of those who know of counterflow keeps to their side. */
export function keepLanes(crowd: Crowd): void {
  const { agents, active, activeCount, thinking, thinkingCount, tick, passingSide } = crowd;
  const { flags, state, status, desired, counterTick } = agents;
  if (passingSide === 0) return;
  if (known.length < crowd.maxAgents) known = new Int32Array(crowd.maxAgents);
  for (let i = 0; i < activeCount; i++) known[active[i]] = counterTick[active[i]];
  claimOpenings(crowd);
  for (let i = 0; i < thinkingCount; i++) {
    const slot = thinking[i];
    if (state[slot] !== STATE_GROUND || (flags[slot] & (AGENT_ASLEEP | AGENT_AVOID_ONLY)) !== 0) continue;
    if (isRestStatus(status[slot])) continue;
    if (desired[2 * slot] === 0 && desired[2 * slot + 1] === 0) continue;
    if (isContested(crowd, slot)) counterTick[slot] = tick;
    else listen(crowd, slot);
    if (knowsOfCounterflow(crowd, slot)) keepSide(crowd, slot);
  }
  dropClaims(crowd);
}

/** Does an agent know that others come the other way? */
export function knowsOfCounterflow(crowd: Crowd, slot: number): boolean {
  const last = crowd.agents.counterTick[slot];
  return last > 0 && (crowd.tick - last) * crowd.stepSeconds < MEMORY_SECONDS;
}

/** Does somebody come towards it, or does one ahead of it know of somebody? */
function listen(crowd: Crowd, slot: number): void {
  const { agents, tick } = crowd;
  const { position, desired, neighbors, neighborCount, status, counterTick, maxSpeed, narrow } = agents;
  const opening = narrow[NARROW_AHEAD * slot];
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const dx = desired[2 * slot];
  const dz = desired[2 * slot + 1];
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    if (isRestStatus(status[other]) || status[other] === STATUS_YIELDING) continue;
    // At an opening those come together who go the same way.
    const isSameWay = opening > 0 && opening === narrow[NARROW_AHEAD * other];
    const along = isSameWay ? maxSpeed[slot] * maxSpeed[other] : desired[2 * other] * dx + desired[2 * other + 1] * dz;
    const isAhead = (position[3 * other] - x) * dx + (position[3 * other + 2] - z) * dz > 0;
    if (!isAhead) continue;
    const scale = maxSpeed[slot] * maxSpeed[other];
    if (along < -0.4 * scale) counterTick[slot] = tick;
    else if (along > 0.4 * scale && known[other] - WORD_TICKS > counterTick[slot])
      counterTick[slot] = known[other] - WORD_TICKS;
  }
}

function keepSide(crowd: Crowd, slot: number): void {
  const { agents, passingSide } = crowd;
  const { position, desired, radius } = agents;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const speed = Math.sqrt(desired[2 * slot] * desired[2 * slot] + desired[2 * slot + 1] * desired[2 * slot + 1]);
  const dx = desired[2 * slot] / speed;
  const dz = desired[2 * slot + 1] / speed;
  // Towards its side, seen from above.
  const sideX = passingSide * dz;
  const sideZ = -passingSide * dx;
  const r = radius[slot];
  const narrow = NARROW_RADII * r;
  aside[0] = sideX;
  aside[1] = sideZ;
  castWalls(crowd, slot);
  const width = free[0] + free[1];
  let shift = 0;
  if (width <= narrow) {
    // Its half, less what its body takes of the other one.
    shift = free[0] - Math.max(0, width / 2 - r);
    if (shift <= 0) return;
    const sideways = Math.min(1, shift / r) * 0.7;
    const forward = Math.sqrt(1 - sideways * sideways);
    desired[2 * slot] = speed * (dx * forward + sideX * sideways);
    desired[2 * slot + 1] = speed * (dz * forward + sideZ * sideways);
    return;
  }
  // None of the next crossings is narrow (narrow.ts): no need to look at the corridor.
  if (agents.narrow[NARROW_AHEAD * slot] === 0 || !findOpening(crowd, slot)) return;
  const px = ends[0] - x;
  const pz = ends[2] - z;
  const distance = Math.sqrt(px * px + pz * pz);
  if (distance < 0.5 * r) return;
  desired[2 * slot] = (px / distance) * speed;
  desired[2 * slot + 1] = (pz / distance) * speed;
}

/** How much is free on its side, `aside`, and on the other one, up to what is narrow each. */
function castWalls(crowd: Crowd, slot: number): void {
  const { position, radius, walls, wallCount } = crowd.agents;
  const sideX = aside[0];
  const sideZ = aside[1];
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  free[0] = free[1] = NARROW_RADII * radius[slot];
  const first = 4 * MAX_WALLS * slot;
  for (let w = first; w < first + 4 * wallCount[slot]; w += 4) {
    const ax = walls[w] - x;
    const az = walls[w + 1] - z;
    const ux = walls[w + 2] - walls[w];
    const uz = walls[w + 3] - walls[w + 1];
    // Where the line of the side meets that of the wall.
    const cross = sideX * uz - sideZ * ux;
    if (cross === 0) continue;
    const along = (ax * uz - az * ux) / cross;
    const t = (ax * sideZ - az * sideX) / cross;
    if (t < 0 || t > 1) continue;
    if (along >= -1e-9 && along < free[0]) free[0] = Math.max(0, along);
    if (along <= 1e-9 && -along < free[1]) free[1] = Math.max(0, -along);
  }
}

/** The first narrow crossing ahead: sets ends[0], ends[2] to where its lane enters it. */
function findOpening(crowd: Crowd, slot: number): boolean {
  const { agents, mesh, passingSide } = crowd;
  const { position, radius } = agents;
  const { corridor } = crowd.corridors[slot];
  const narrow = NARROW_RADII * radius[slot];
  const reach = AHEAD_RADII * radius[slot];
  const last = Math.min(CROSSINGS_AHEAD, corridor.count - 1);
  for (let i = 0; i < last; i++) {
    if (isLinkCrossing(corridor.crossings[i])) return false;
    // As seen from inside the polygon, from right to left.
    setCrossingEnds(ends, mesh, corridor.polys[i], corridor.crossings[i]);
    const ux = ends[3] - ends[0];
    const uz = ends[5] - ends[2];
    const mx = (ends[0] + ends[3]) / 2 - position[3 * slot];
    const mz = (ends[2] + ends[5]) / 2 - position[3 * slot + 2];
    if (mx * mx + mz * mz > reach * reach) return false;
    const width = Math.sqrt(ux * ux + uz * uz);
    if (width > narrow || width === 0) continue;
    const inset = Math.max(0, width / 2 - radius[slot]) / width;
    const t = passingSide < 0 ? inset : 1 - inset;
    ends[0] += t * ux;
    ends[2] += t * uz;
    return true;
  }
  return false;
}
