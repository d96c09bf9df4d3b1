/** Creates crowds. */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { DEFAULT_FILTER } from '../../query/filter.ts';
import { filtersBySize } from './state/filters.ts';
import { createAgentArrays } from './state/layout.ts';
import { checkMeshReach } from './state/limits.ts';
import { checkCrowdOptions } from './state/options.ts';
import type { CrowdOptions } from './state/options.ts';
import { createSearches } from './search/record.ts';
import type { Crowd } from './state/types.ts';

/** Space for events of one tick (or one `advanceCrowd`), per slot. */
const EVENTS_PER_SLOT = 3;

/**
 * Creates a crowd without agents on a mesh.
 *
 * Allocates the memory of all `maxAgents` agents. After that only corridors grow, up to the longest path.
 * Throws a RangeError for options that are unknown or out of range, and for a mesh farther than 1e12 from the origin.
 */
export function createCrowd(mesh: NavMesh, options: CrowdOptions = {}): Crowd {
  checkNavMesh('createCrowd', mesh);
  checkCrowdOptions(mesh, options);
  checkMeshReach('createCrowd', mesh);
  const { maxAgents = 1024, stepSeconds = 1 / 60, searchBudget = 4000, passingSide = 'right' } = options;
  const { filters = [DEFAULT_FILTER], types = [] } = options;
  return {
    mesh,
    filters: [...filtersBySize(mesh, filters, types), ...types.map(({ filter }) => filter)],
    types,
    pathIndex: options.pathIndex,
    stepSeconds,
    tick: 0,
    time: new Float64Array(1),
    maxAgents,
    slotCount: 0,
    agentCount: 0,
    freeSlot: -1,
    addFailure: 'none',
    agents: createAgentArrays(maxAgents),
    previousHeading: new Float64Array(2 * maxAgents),
    corridors: [],
    sampledParams: [],
    patrols: [],
    hasGroups: false,
    searches: createSearches(maxAgents),
    searchBudget,
    passingSide: passingSide === 'right' ? -1 : passingSide === 'left' ? 1 : 0,
    meshRevision: mesh.revision,
    linkTraffic: [],
    events: {
      count: 0,
      kind: new Uint8Array(EVENTS_PER_SLOT * maxAgents),
      slot: new Int32Array(EVENTS_PER_SLOT * maxAgents),
    },
    active: new Int32Array(maxAgents),
    activeCount: 0,
    thinking: new Int32Array(maxAgents),
    thinkingCount: 0,
    searchCount: 0,
  };
}
