/**
 * Adds the costs of standing bodies to the searches of an agent that they hold up. A path segment that leads through a
 * body costs as much more as a detour of `DETOUR_RADII`.
 *
 * Only agents that have recently looked for a detour around standing bodies (go-around.ts) search with these costs. All
 * other searches, and shared fields, ignore bodies.
 *
 * In: standing bodies. Out: a filter for one search.
 * Cost: a pass over all agents for each tick of such a search; a comparison for each segment and body near the agent.
 * Based on: own.
 */
import type { NavMesh } from '../../../mesh/types.ts';
import { DEFAULT_FILTER } from '../../../query/filter.ts';
import { enableFilterMethods } from '../../../query/filter-methods.ts';
import type { PathSegment, QueryFilter } from '../../../query/filter.ts';
import { isStanding } from '../state/standing.ts';
import type { Crowd } from '../state/types.ts';

/** Distance from the agent up to which bodies count, in radii. */
const REACH_RADII = 80;
/** Length of the detour that is as expensive as a path through a body, in radii of the agent. */
const DETOUR_RADII = 40;

/** Per body: x, y, z, and the distance at which the agent overlaps with it. */
let bodies = new Float64Array(256);
let count = 0;
let detour = 0;
let height = 0;
let base: QueryFilter | undefined;

/**
 * Returns the filter for a search of an agent: its own filter, or one that adds the costs of bodies that hold it up.
 */
export function weighBodies(crowd: Crowd, slot: number, filter: QueryFilter): QueryFilter {
  listBodies(crowd, slot);
  if (count === 0) return filter;
  enableFilterMethods();
  base = filter;
  return { ...DEFAULT_FILTER, ...filter, cost: costWithBodies };
}

function listBodies(crowd: Crowd, slot: number): void {
  const { agents, active, activeCount } = crowd;
  const { position, radius, layers, mask } = agents;
  const reach = REACH_RADII * radius[slot];
  if (bodies.length < 4 * crowd.maxAgents) bodies = new Float64Array(4 * crowd.maxAgents);
  count = 0;
  detour = DETOUR_RADII * radius[slot];
  height = agents.height[slot];
  for (let i = 0; i < activeCount; i++) {
    const other = active[i];
    const dx = position[3 * other] - position[3 * slot];
    const dz = position[3 * other + 2] - position[3 * slot + 2];
    if (dx * dx + dz * dz > reach * reach || other === slot || (mask[slot] & layers[other]) === 0) continue;
    if (!isStanding(crowd, other)) continue;
    for (let k = 0; k < 3; k++) bodies[4 * count + k] = position[3 * other + k];
    bodies[4 * count + 3] = radius[slot] + radius[other];
    count++;
  }
}

function costWithBodies(mesh: NavMesh, segment: PathSegment): number {
  const { from, to, length, poly } = segment;
  const own = base!.cost === undefined ? base!.areaCosts[mesh.polyArea[poly]] * length : base!.cost(mesh, segment);
  const ux = to[0] - from[0];
  const uz = to[2] - from[2];
  const lengthSq = ux * ux + uz * uz;
  let hits = 0;
  for (let i = 0; i < 4 * count; i += 4) {
    const dx = bodies[i] - from[0];
    const dz = bodies[i + 2] - from[2];
    const along = lengthSq > 0 ? (dx * ux + dz * uz) / lengthSq : 0;
    // A body at the end of the segment counts for the next one.
    if (along < 0 || along >= 1) continue;
    const ox = dx - along * ux;
    const oz = dz - along * uz;
    if (ox * ox + oz * oz >= bodies[i + 3] * bodies[i + 3]) continue;
    const dy = bodies[i + 1] - from[1] - along * (to[1] - from[1]);
    if (dy < height && -dy < height) hits++;
  }
  return own + hits * detour;
}
