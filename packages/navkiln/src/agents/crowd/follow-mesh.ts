/**
 * Step: follows changes of the mesh. Agents and goals find their polygons again. Broken paths are repaired around the
 * gap; where that fails, they are cut and searched again. An agent whose surface was removed or disabled is moved to
 * the nearest free position. A lost agent retries every half second.
 *
 * In: `mesh.revision`, refs of polygons, corridors.
 * Out: `state`, `poly`, `goalPoly`, corridors, requests; `linkTraffic` without removed links. Walls, and numbers of portals in
 *   `narrow`, are forgotten.
 * Cost: nothing while the mesh stays the same, except for lost agents; little for agents that a local change does not touch (touched.ts).
 * Based on: own.
 */
import { rebaseCorridor } from '../corridor/rebase.ts';
import { linkIndexOf } from '../../mesh/link-ref.ts';
import { isClosedPoly } from '../../mesh/named.ts';
import { polyIndexOf } from '../../mesh/ref.ts';
import type { LinkRef, PolyRef } from '../../mesh/types.ts';
import { NO_CROSSING } from '../../query/path/corridor.ts';
import { relocateAgent } from './nearby/place-on-mesh.ts';
import { followGoalPoly } from './search/aim.ts';
import { requestPath } from './search/record.ts';
import { isNearChange, isTouched, markChanges } from './touched.ts';
import type { OldPath } from './state/search-types.ts';
import { syncCorridorStart } from './state/position.ts';
import { isDoneStatus } from './state/rest.ts';
import { CHANGE_GOAL_OFF_MESH, changeStatus } from './state/status.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_STALE_CORNERS,
  NARROW_AHEAD,
  STATE_AIR,
  STATE_GROUND,
  STATE_LINK,
  STATE_LOST,
  STATUS_BLOCKED,
} from './state/types.ts';
import type { Behavior, Crowd } from './state/types.ts';

/** The mesh may change: agents find their polygons again. Paths that a change has cut are searched again. */
export const meshChanges: Behavior = { followMesh };

/** Step: brings agents, goals and paths up to date with the mesh. */
export function followMesh(crowd: Crowd): void {
  const { agents, mesh, corridors, active, activeCount, meshRevision } = crowd;
  const hasChanged = meshRevision !== mesh.revision;
  const isLocal = hasChanged && markChanges(crowd);
  crowd.meshRevision = mesh.revision;
  if (hasChanged) crowd.linkTraffic = crowd.linkTraffic.filter(({ ref }) => linkIndexOf(mesh, ref as LinkRef) >= 0);
  repairBudget = REPAIR_SHARE * crowd.searchBudget;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    const c = corridors[slot];
    const isFar = isLocal && c.revision === meshRevision && !isTouched(crowd, slot);
    if (hasChanged && (!isFar || isNearChange(crowd, slot))) forgetSurroundings(crowd, slot);
    // An agent that is only avoided needs no polygon. An agent on a link or in the air has to land on a polygon.
    const isOnMesh = agents.state[slot] === STATE_GROUND || agents.state[slot] === STATE_LOST;
    if ((agents.flags[slot] & AGENT_AVOID_ONLY) !== 0 && isOnMesh) {
      if (hasChanged) leaveMesh(crowd, slot);
    } else if (agents.state[slot] === STATE_LOST) {
      if (hasChanged) followGoalPoly(crowd, slot);
      if (hasChanged || crowd.tick >= agents.retryTick[slot]) relocateAgent(crowd, slot);
    } else if (isFar) {
      c.revision = mesh.revision;
    } else if (hasChanged) {
      followChange(crowd, slot);
    }
    if (!hasChanged || c.revision === mesh.revision) continue;
    // The path could not follow the change, and numbers of edges and portals may be reused.
    c.corridor.crossings.fill(NO_CROSSING);
    c.version++;
  }
}

/** Forgets the walls around an agent, lost or not, and the narrow portals ahead of it. */
function forgetSurroundings({ agents }: Crowd, slot: number): void {
  agents.wallPoly[slot] = -1;
  agents.narrow.fill(0, NARROW_AHEAD * slot, NARROW_AHEAD * (slot + 1));
}

/** Forgets the polygon of an agent that is only avoided. Its path is not repaired. */
function leaveMesh(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  agents.poly[slot] = -1;
  agents.goalPoly[slot] = polyIndexOf(mesh, agents.goalRef[slot] as PolyRef);
}

/** Polygons that repairs may visit in a tick after a change of the mesh, as a multiple of the search budget. */
const REPAIR_SHARE = 4;

/** The path of an agent before a change, and the number of polygons that repairs may still visit in this tick. */
const old: OldPath = { count: 0, length: NaN, cost: NaN };
let repairBudget = 0;

/** Repairs the path of an agent, within the budget. */
function repair(crowd: Crowd, slot: number): boolean {
  const visited = crowd.behaviors.repairPath?.(crowd, slot, old, repairBudget) ?? 0;
  repairBudget -= visited;
  return visited > 0;
}

function followChange(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  // A blocked agent may get nearer to its goal now.
  if (agents.status[slot] === STATUS_BLOCKED) agents.settledPushes[slot] = 0;
  agents.wayCount[slot] = 0;
  const hasPath = followGoalPoly(crowd, slot);
  const corridor = crowd.corridors[slot];
  const isUnderWay =
    hasPath &&
    agents.state[slot] === STATE_GROUND &&
    !isDoneStatus(agents.status[slot]) &&
    (agents.flags[slot] & AGENT_AWAITS_PATH) === 0;
  crowd.behaviors.keepPath?.(old, crowd, slot);
  agents.flags[slot] = (agents.flags[slot] | AGENT_STALE_CORNERS) & ~AGENT_ASLEEP;
  syncCorridorStart(crowd, slot);
  const outcome = rebaseCorridor(corridor, mesh, crowd.filters[agents.filter[slot]]);
  if (outcome === 'start-gone' || isClosedPoly(mesh, corridor.corridor.polys[0])) {
    if (agents.state[slot] === STATE_LINK || agents.state[slot] === STATE_AIR) {
      // The landing polygon was removed. The agent is put on the nearest polygon when it lands.
      agents.poly[slot] = -1;
      return;
    }
    relocateAgent(crowd, slot);
    if (isUnderWay && agents.state[slot] === STATE_GROUND) repair(crowd, slot);
    return;
  }
  agents.poly[slot] = corridor.corridor.polys[0];
  agents.polyRef[slot] = corridor.refs[0];
  if (outcome !== 'cut' || !hasPath) return;
  if (agents.goalPoly[slot] < 0) changeStatus(crowd, slot, CHANGE_GOAL_OFF_MESH);
  else if (isUnderWay && repair(crowd, slot)) return;
  else if (agents.state[slot] === STATE_GROUND && !isDoneStatus(agents.status[slot])) requestPath(crowd, slot);
}
