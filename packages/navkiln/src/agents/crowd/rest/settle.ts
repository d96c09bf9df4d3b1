/**
 * Settling: an agent stops near a goal that it cannot reach because other agents stand there.
 *
 * An agent settles when it touches an agent at rest ahead that either stands on the goal, or has settled or arrived at
 * the same goal. So a cluster of settled agents grows outwards from the goal, and no agent keeps pushing. The radius of
 * the cluster follows from its agents and `CLUSTER_DENSITY`. Farther out, an agent goes around it and settles later
 * (`isLoose`). review.ts decides what happens when agents leave.
 *
 * In: positions, goals and statuses of neighbors; for a cluster, those of all agents.
 * Out: whether an agent should settle, and beside which agent.
 * Cost: linear in the neighbors; one pass over all agents for each goal and tick, for at most `MAX_CLUSTERS` goals. No
 * allocation.
 * Based on: own, and a rule of Lukas Chodosevicius, Agents Navigation, 2023: an agent that touches an agent at rest
 * with the same goal has arrived, too.
 */
import { CORNER_GOAL } from '../../corridor/types.ts';
import { ahead, findAhead } from './ahead.ts';
import { measureGround } from './ground-around.ts';
import { isRestStatus } from '../state/rest.ts';
import {
  AGENT_PARTIAL,
  AVOID_NONE,
  GOAL_AGENT,
  GOAL_POINT,
  STATUS_ARRIVED,
  STATUS_BLOCKED,
  STATUS_GAVE_UP,
  STATUS_SETTLED,
} from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** Minimum share of the ground around a goal that its settled agents fill. A smaller share makes wider clusters. */
const CLUSTER_DENSITY = 0.5;
/** Distance from a goal beyond which an agent is clearly outside, in radii of the cluster. */
const OUTSIDE_SHARE = 1.1;
/** Goals whose clusters are measured in one tick. Agents of further goals wait for the next tick. */
const MAX_CLUSTERS = 8;
/** Longest chain of settled agents that is followed. A longer chain counts as one without a cycle. */
const MAX_CHAIN = 256;
/** Distance at which two agents count as touching, as a share of the sum of radii. */
const TOUCH_SHARE = 1.2;
/** Largest part of the arrive distance that reduces the distance at which a goal counts as taken, in radii. */
const TAKEN_RADII = 0.5;

/**
 * Per measured cluster: the slot of an agent with that goal, and the sum of squared radii of the agents
 * settled there.
 */
const clusters = new Int32Array(MAX_CLUSTERS);
const clusterSizes = new Float64Array(MAX_CLUSTERS);
/** Per measured cluster: the longest distance from its goal known to be within it, and the shortest known to be outside. */
const clusterReach = new Float64Array(2 * MAX_CLUSTERS);
let clusterCount = 0;
/** xyz: the points at which two agents want to be. */
const aim = new Float64Array(3);
const otherAim = new Float64Array(3);

/** Forgets the clusters of the last tick. Call once per tick before `findSettleReason`. */
export function resetClusters(): void {
  clusterCount = 0;
}

/**
 * Returns the slot of the agent beside which an agent without progress should settle where it stands, or -1. `isLoose`: also
 * outside the radius that the cluster explains.
 */
export function findSettleReason(crowd: Crowd, slot: number, isLoose: boolean): number {
  const { agents } = crowd;
  // An agent without avoidance walks through all others.
  if (agents.avoidance[slot] === AVOID_NONE) return -1;
  ahead[0] = agents.corners[6 * slot] - agents.position[3 * slot];
  ahead[1] = agents.corners[6 * slot + 2] - agents.position[3 * slot + 2];
  return findAhead(crowd, slot, TOUCH_SHARE, isLoose ? isLooseReason : isReason);
}

/** Returns whether `other`, which an agent touches ahead, is a reason for it to settle. */
function isReason(crowd: Crowd, slot: number, other: number): boolean {
  if (!isResting(crowd, other)) return false;
  if (isAtGoalAhead(crowd, slot, other)) return true;
  return isBesideGoal(crowd, slot, other) && isWithinCluster(crowd, slot);
}

/**
 * Returns the same as `isReason`, but also accepts positions outside the cluster at its goal, and an agent on the goal
 * that was asked to step aside but cannot.
 */
function isLooseReason(crowd: Crowd, slot: number, other: number): boolean {
  if (!isResting(crowd, other)) return false;
  const { cornerKind, yieldTo } = crowd.agents;
  if (
    cornerKind[slot] === CORNER_GOAL &&
    coversGoalOf(crowd, slot, other) &&
    (yieldTo[other] < 0 || yieldTo[other] === slot)
  )
    return true;
  return isBesideGoal(crowd, slot, other);
}

function isResting({ agents: { status } }: Crowd, other: number): boolean {
  return isRestStatus(status[other]) && status[other] !== STATUS_GAVE_UP;
}

function isBesideGoal(crowd: Crowd, slot: number, other: number): boolean {
  // Two agents that rest because of each other would stay when the goal is free.
  return isSettledAtGoal(crowd, slot, other) && isNearer(crowd, slot, other) && !restsBecauseOf(crowd, other, slot);
}

function isAtGoalAhead(crowd: Crowd, slot: number, other: number): boolean {
  return crowd.agents.cornerKind[slot] === CORNER_GOAL && isOnGoalOf(crowd, slot, other);
}

/** Returns whether `other` stays so near to the goal of `slot` that `slot` cannot arrive beside it. */
export function isOnGoalOf(crowd: Crowd, slot: number, other: number): boolean {
  // An agent that yields stands there for a moment only.
  return coversGoalOf(crowd, slot, other) && crowd.agents.yieldTo[other] < 0;
}

function coversGoalOf(crowd: Crowd, slot: number, other: number): boolean {
  const { position, radius } = crowd.agents;
  const { target } = crowd.corridors[slot];
  const taken = radius[slot] + radius[other] - slackOf(crowd, slot);
  const dx = position[3 * other] - target[0];
  const dz = position[3 * other + 2] - target[2];
  return dx * dx + dz * dz <= taken * taken;
}

/**
 * Returns whether `other`, which has the same goal, is nearer to the goal of `slot` than that agent itself, or has a
 * shorter way to it. Around a bend, only its way may be shorter. The lengths of ways are estimates.
 */
export function isNearer(crowd: Crowd, slot: number, other: number): boolean {
  const { cornerKind, position } = crowd.agents;
  const { target } = crowd.corridors[slot];
  const x = target[0] - position[3 * slot];
  const z = target[2] - position[3 * slot + 2];
  const ox = target[0] - position[3 * other];
  const oz = target[2] - position[3 * other + 2];
  if (ox * ox + oz * oz < x * x + z * z) return true;
  if (cornerKind[slot] === CORNER_GOAL && cornerKind[other] === CORNER_GOAL) return false;
  return lengthLeft(crowd, other) < lengthLeft(crowd, slot);
}

/** Returns the length of the remaining path of an agent. */
export function lengthLeft({ agents: { corners, pathLeft, position } }: Crowd, slot: number): number {
  const dx = corners[6 * slot] - position[3 * slot];
  const dz = corners[6 * slot + 2] - position[3 * slot + 2];
  return Math.sqrt(dx * dx + dz * dz) + pathLeft[slot];
}

/** Returns whether `other` has arrived or settled at the goal of `slot`. */
export function isSettledAtGoal(crowd: Crowd, slot: number, other: number): boolean {
  const { status } = crowd.agents;
  return status[other] >= STATUS_ARRIVED && status[other] !== STATUS_GAVE_UP && hasSameGoal(crowd, slot, other);
}

/**
 * Returns whether `other` settled beside `slot`, directly or through a chain of agents. Agents on the goal of `slot`
 * end the chain, so that three agents that touch each other around a goal may all stay.
 */
export function restsBecauseOf(crowd: Crowd, other: number, slot: number): boolean {
  const { status, settledBy } = crowd.agents;
  let at = other;
  for (let k = 0; k < MAX_CHAIN && at >= 0 && (status[at] === STATUS_SETTLED || status[at] === STATUS_BLOCKED); k++) {
    if (isOnGoalOf(crowd, slot, at)) return false;
    const next = settledBy[at] - 1;
    if (next === slot) return true;
    if (next === at) return false;
    at = next;
  }
  return false;
}

/** Returns whether an agent is within the radius of the cluster at its goal. */
export function isWithinCluster(crowd: Crowd, slot: number): boolean {
  const cluster = clusterOf(crowd, slot);
  return cluster >= 0 && isWithin(crowd, slot, cluster, 1);
}

/**
 * Returns whether an agent is clearly outside the cluster at its goal. Returns false when the cluster is not measured
 * in this tick.
 */
export function isOutsideCluster(crowd: Crowd, slot: number): boolean {
  const cluster = clusterOf(crowd, slot);
  return cluster >= 0 && !isWithin(crowd, slot, cluster, OUTSIDE_SHARE);
}

/**
 * Returns whether an agent is so near to its goal that the agents of a cluster, which fill at least `CLUSTER_DENSITY` of
 * the ground around the goal, may reach to it. `share` widens the cluster.
 */
function isWithin(crowd: Crowd, slot: number, cluster: number, share: number): boolean {
  const { agents, mesh } = crowd;
  const { target } = crowd.corridors[slot];
  const around = agents.goalKind[slot] === GOAL_AGENT ? agents.followDistance[slot] : agents.arriveDistance[slot];
  const reach = lengthLeft(crowd, slot) / share - around - agents.radius[slot];
  const at = 2 * cluster;
  if (reach <= clusterReach[at] || reach >= clusterReach[at + 1]) return reach <= clusterReach[at];
  const area = (Math.PI * clusterSizes[cluster]) / CLUSTER_DENSITY;
  const { polys, count } = crowd.corridors[slot].corridor;
  const filter = crowd.filters[agents.filter[slot]];
  const isInside =
    reach * reach * Math.PI <= area || measureGround(mesh, filter, polys[count - 1], target, reach) <= area;
  clusterReach[isInside ? at : at + 1] = reach;
  return isInside;
}

/**
 * Returns the index of the cluster at the goal of an agent, measured once per tick, or -1 when too many clusters have
 * been measured.
 */
function clusterOf(crowd: Crowd, slot: number): number {
  const { active, activeCount } = crowd;
  const { radius } = crowd.agents;
  let cluster = 0;
  while (cluster < clusterCount && clusters[cluster] !== slot && !hasSameGoal(crowd, slot, clusters[cluster]))
    cluster++;
  if (cluster < clusterCount) return cluster;
  if (cluster === MAX_CLUSTERS) return -1;
  clusterCount++;
  clusters[cluster] = slot;
  clusterSizes[cluster] = 0;
  clusterReach[2 * cluster] = 0;
  clusterReach[2 * cluster + 1] = Infinity;
  for (let i = 0; i < activeCount; i++) {
    const other = active[i];
    if (isSettledAtGoal(crowd, slot, other)) clusterSizes[cluster] += radius[other] * radius[other];
  }
  return cluster;
}

/** Returns whether two agents follow the same agent, or want to be at points that their bodies cannot both take. */
function hasSameGoal(crowd: Crowd, slot: number, other: number): boolean {
  const { goalKind, goalAgent, height, radius } = crowd.agents;
  if (goalKind[slot] === GOAL_AGENT) return goalKind[other] === GOAL_AGENT && goalAgent[other] === goalAgent[slot];
  if (goalKind[slot] !== GOAL_POINT || goalKind[other] !== GOAL_POINT) return false;
  const slack = Math.min(slackOf(crowd, slot), slackOf(crowd, other));
  const reach = radius[slot] + radius[other] - slack;
  setAim(aim, crowd, slot);
  setAim(otherAim, crowd, other);
  const dx = otherAim[0] - aim[0];
  const dy = otherAim[1] - aim[1];
  const dz = otherAim[2] - aim[2];
  return dx * dx + dz * dz <= reach * reach && dy < height[slot] && -dy < height[slot];
}

/** Returns the distance by which an agent may miss its goal, for the test whether the goal is taken. */
function slackOf({ agents }: Crowd, slot: number): number {
  return Math.min(agents.arriveDistance[slot], TAKEN_RADII * agents.radius[slot]);
}

/** Writes the point at which an agent wants to be: its goal, or the end of a path that does not lead there. */
function setAim(out: Float64Array, { agents, corridors }: Crowd, slot: number): void {
  const isPartial = (agents.flags[slot] & AGENT_PARTIAL) !== 0;
  const { target } = corridors[slot];
  for (let k = 0; k < 3; k++) out[k] = isPartial ? target[k] : agents.goal[3 * slot + k];
}
