/** Counts agents by status and stuck agents, and measures the deepest overlap. Linear in agents and neighbors. */
import type { Crowd } from 'navkiln/crowd';
import { AGENT_ROWS, AGENT_STATES } from 'navkiln/kernel';
import { LOOKS, LOOK_NONE, isMoving, lookOf } from './looks.ts';

export interface CrowdNumbers {
  agents: number;
  /** Number of agents by look. */
  counts: number[];
  /** Moving agents without progress for three seconds. */
  stuck: number;
  /** Deepest overlap of two neighbors, in radii of the smaller one; 0: none overlap. */
  overlap: number;
}

const STUCK_SECONDS = 3;

export function countCrowd(crowd: Crowd): CrowdNumbers {
  const { agents, slotCount, tick, stepSeconds } = crowd;
  const counts = LOOKS.map(() => 0);
  let stuck = 0;
  let all = 0;
  for (let slot = 0; slot < slotCount; slot++) {
    const look = lookOf(crowd, slot);
    if (look === LOOK_NONE) continue;
    all++;
    counts[look]++;
    if (isMoving(look) && (tick - agents.progressTick[slot]) * stepSeconds > STUCK_SECONDS) stuck++;
  }
  return { agents: all, counts, stuck, overlap: deepestOverlap(crowd) };
}

/** Returns the deepest overlap of two agents of which one is a neighbor of the other. */
function deepestOverlap({ agents, active, activeCount }: Crowd): number {
  const { position, radius, height, neighbors, neighborCount, state } = agents;
  let deepest = 0;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    const first = AGENT_ROWS.neighbors * slot;
    for (let n = first; n < first + neighborCount[slot]; n++) {
      const other = neighbors[n];
      if (state[slot] !== AGENT_STATES.ground || state[other] !== AGENT_STATES.ground) continue;
      const dx = position[3 * slot] - position[3 * other];
      const dz = position[3 * slot + 2] - position[3 * other + 2];
      const reach = radius[slot] + radius[other];
      const distanceSq = dx * dx + dz * dz;
      if (distanceSq >= reach * reach) continue;
      const dy = position[3 * slot + 1] - position[3 * other + 1];
      if (dy >= height[other] || -dy >= height[slot]) continue;
      const depth = (reach - Math.sqrt(distanceSq)) / Math.min(radius[slot], radius[other]);
      if (depth > deepest) deepest = depth;
    }
  }
  return deepest;
}
