/**
 * Shortens the path of an agent that other agents have pushed aside.
 *
 *   straight   cuts straight to the corner after the next, if the agent sees it
 *   another    an agent without progress searches the first part of its path again: a dense crowd may push
 *              it to the other side of a pillar, and its path would lead back around it, against the crowd
 *
 * In: corridors, corners, `progressTick`. Out: the corridor.
 * Cost: one ray; for agents without progress, a search of `MAX_NODES` polygons about once a second. No allocation.
 * Based on: own; Detour's crowd does both, too (Mikko Mononen).
 */
import { optimizeCorridorTopology, optimizeCorridorVisibility } from '../../corridor/optimize.ts';
import { createRayHit } from '../../../query/ray/hit.ts';
import { createSearchState } from '../../../query/search-state.ts';
import type { Crowd } from '../state/types.ts';
import { isHeldUp } from '../state/standing.ts';

/** Time without progress after which an agent searches again, seconds. It is less than for agents in a line. */
const HELD_UP_SECONDS = 0.4;
/** Polygons that such a search may visit. */
const MAX_NODES = 64;
/** An agent without progress searches in one of this many calls. */
const SEARCH_CALLS = 2;

const ray = createRayHit();
const sight = new Float64Array(3);
const state = createSearchState();

/** Shortens the path of an agent, within its `pathOptimizationRange`. Call it every `ticks` ticks. Returns whether the path has changed. */
export function shortenPath(crowd: Crowd, slot: number, ticks: number): boolean {
  const { agents, mesh, tick, stepSeconds } = crowd;
  const range = agents.pathOptimizationRange[slot];
  if (range === 0) return false;
  const corridor = crowd.corridors[slot];
  const filter = crowd.filters[agents.filter[slot]];
  for (let k = 0; k < 3; k++) sight[k] = agents.corners[6 * slot + 3 + k];
  if (optimizeCorridorVisibility(corridor, mesh, ray, sight, range, filter)) return true;
  if ((tick + slot) % (ticks * SEARCH_CALLS) !== 0) return false;
  // Standing bodies may have been the reason for its path.
  if ((tick - agents.progressTick[slot]) * stepSeconds < HELD_UP_SECONDS || isHeldUp(crowd, slot)) return false;
  return optimizeCorridorTopology(corridor, mesh, state, filter, MAX_NODES);
}
