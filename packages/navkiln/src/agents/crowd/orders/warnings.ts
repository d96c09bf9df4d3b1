/**
 * Warnings about a crowd, computed on request.
 *
 * Cost: linear in the slots. Allocates. Based on: own.
 */
import { plural } from '../../../base/data/plural.ts';
import { bodyOf } from '../state/filters.ts';
import { agentIdOf } from '../state/ids.ts';
import { AGENT_AVOID_ONLY, STATE_FREE } from '../state/types.ts';
import type { AgentId, Crowd } from '../state/types.ts';
import { checkCrowd } from '../state/check-crowd.ts';

/**
 * An agent is too large when it exceeds the agent of the mesh by this factor, which is above rounding errors of sizes.
 */
export const WIDER = 1.001;

/** A property of agents that makes them get stuck. */
export interface CrowdWarning {
  /**
   * 'wider-than-mesh', 'taller-than-mesh': the mesh was built for a smaller agent, so paths lead through passages and under ceilings where
   * these agents do not fit.
   */
  code: 'wider-than-mesh' | 'taller-than-mesh';
  /** Ordered by slot. */
  agents: AgentId[];
  /** One or two English sentences, with the remedy. */
  message: string;
}

/** Returns warnings about the agents of a crowd, one for each code. Agents that are only avoided do not count. */
export function listCrowdWarnings(crowd: Crowd): CrowdWarning[] {
  checkCrowd('listCrowdWarnings', crowd);
  const { agents } = crowd;
  const out: CrowdWarning[] = [];
  for (const [code, key] of [
    ['wider-than-mesh', 'radius'],
    ['taller-than-mesh', 'height'],
  ] as const) {
    const ids: AgentId[] = [];
    let largest = 0;
    let limit = Infinity;
    for (let slot = 0; slot < crowd.slotCount; slot++) {
      const isOnPaths = agents.state[slot] !== STATE_FREE && (agents.flags[slot] & AGENT_AVOID_ONLY) === 0;
      const own = bodyOf(crowd, slot)[key];
      if (!isOnPaths || !(agents[key][slot] > WIDER * own)) continue;
      limit = Math.min(limit, own);
      ids.push(agentIdOf(crowd, slot));
      largest = Math.max(largest, agents[key][slot]);
    }
    if (ids.length === 0) continue;
    const who = `${plural(ids.length, 'agent')} with a ${key} up to ${largest}`;
    const message = `${who} on a mesh for a ${key} of ${limit}; build a mesh for them, or make them smaller`;
    out.push({ code, agents: ids, message });
  }
  return out;
}
