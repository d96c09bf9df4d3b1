/** Makes a crowd: agents, on one mesh. */
import type { NavMesh } from '../navmesh/types.ts';
import { DEFAULT_FILTER } from '../query/filter.ts';
import { createAgentArrays } from './state/layout.ts';
import { checkCrowdOptions } from './state/options.ts';
import type { CrowdOptions } from './state/options.ts';
import { createSearches } from './search/record.ts';
import type { Crowd } from './state/types.ts';

/** Events there is room for, an agent. */
const EVENTS_AN_AGENT = 3;

/**
 * A crowd on a mesh, without agents. All its memory is taken here, but for corridors, which grow with the longest path. Throws a
 * RangeError for options that make no sense.
 */
export function createCrowd(mesh: NavMesh, options: CrowdOptions = {}): Crowd {
  checkCrowdOptions(options);
  const { maxAgents = 1024, stepSeconds = 1 / 60, searchBudget = 4000, passingSide = 'right' } = options;
  const { filters = [DEFAULT_FILTER] } = options;
  return {
    mesh,
    filters: filters.slice(),
    stepSeconds,
    tick: 0,
    time: new Float64Array(1),
    maxAgents,
    slotCount: 0,
    agentCount: 0,
    freeSlot: -1,
    agents: createAgentArrays(maxAgents),
    corridors: [],
    searches: createSearches(maxAgents),
    searchBudget,
    passingSide: passingSide === 'right' ? -1 : passingSide === 'left' ? 1 : 0,
    meshRevision: mesh.revision,
    linkTraffic: [],
    events: {
      count: 0,
      kind: new Uint8Array(EVENTS_AN_AGENT * maxAgents),
      slot: new Int32Array(EVENTS_AN_AGENT * maxAgents),
    },
    active: new Int32Array(maxAgents),
    activeCount: 0,
    thinking: new Int32Array(maxAgents),
    thinkingCount: 0,
    searchCount: 0,
  };
}
