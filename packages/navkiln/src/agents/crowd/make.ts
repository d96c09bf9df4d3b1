/**
 * Creates crowds with the behaviors that are given.
 *
 * In: a mesh, options, behaviors. Out: a crowd without agents.
 * Cost: the memory of all `maxAgents` agents.
 * Based on: own.
 */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { DEFAULT_FILTER } from '../../query/filter.ts';
import { filtersBySize } from './state/filters.ts';
import { createAgentArrays } from './state/layout.ts';
import { checkMeshReach } from './state/limits.ts';
import { checkCrowdOptions } from './state/options.ts';
import type { CrowdOptions } from './state/options.ts';
import { createSearches } from './search/record.ts';
import type { Behavior, Crowd } from './state/types.ts';

/** Space for events of one tick (or one `advanceCrowd`), per slot. */
const EVENTS_PER_SLOT = 3;

/** Returns a crowd with the behaviors `own` and those of its options. Messages begin with `caller`. @internal */
export function makeCrowd(caller: string, mesh: NavMesh, options: CrowdOptions, own: Behavior): Crowd {
  checkNavMesh(caller, mesh);
  checkCrowdOptions(caller, mesh, options);
  checkMeshReach(caller, mesh);
  const { maxAgents = 1024, stepSeconds = 1 / 60, searchBudget = 4000, passingSide = 'right' } = options;
  const { filters = [DEFAULT_FILTER], types = [], behaviors = [] } = options;
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
    // A copy by spreading has fast fields, unlike an object that has grown by many.
    behaviors: { ...Object.assign({}, own, ...behaviors) },
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
