/**
 * Explains what an agent does, above all why it does not move: a reason for code, a sentence for people, and numbers.
 *
 * In: a crowd and an `AgentId`.
 * Out: an `AgentExplanation`.
 * Cost: constant; for a blocked agent, the cost of `explainPath`. Allocates.
 * Based on: own. The idea that an agent names one of a few precise states comes from landmass (Liam Snow and
 * others, 2023).
 */
import { linkOf } from '../../mesh/crossing.ts';
import { CORNER_LINK } from '../corridor/types.ts';
import { explainPath } from '../../query/explain/explain.ts';
import type { PathExplanation } from '../../query/explain/explanation.ts';
import { findAgentAhead } from './traffic/in-line.ts';
import { shareOfPace } from './orders/group-pace.ts';
import { bodyOf } from './state/filters.ts';
import { agentIdOf, readAgentSlot } from './state/ids.ts';
import { isRestStatus } from './state/rest.ts';
import { WIDER } from './orders/warnings.ts';
import {
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  AGENT_USER_OWNED,
  GOAL_AGENT,
  GOAL_NONE,
  GOAL_VELOCITY,
  MODE_MANUAL_LINKS,
  MODE_PAUSED,
  MODE_STOPS,
  ROUTE_ONCE,
  MAX_NEIGHBORS,
  PASSAGE_WAITS,
  STATE_AIR,
  STATE_LINK,
  STATE_LOST,
  STATUS_ARRIVED,
  STATUS_BLOCKED,
  STATUS_GAVE_UP,
  STATUS_IDLE,
  STATUS_QUEUEING,
  STATUS_SEARCHING,
  STATUS_SETTLED,
} from './state/types.ts';
import type { AgentId, Crowd, PatrolRoute } from './state/types.ts';
import { checkCrowd } from './state/check-crowd.ts';

/** Why an agent does what it does, as one word. */
export type AgentReason =
  /** The id names no agent. */
  | 'no-agent'
  /** Other agents avoid it; it takes no orders. */
  | 'avoid-only'
  | 'no-order'
  /** No polygon is near the agent. */
  | 'no-ground'
  /** No polygon is near its goal. */
  | 'no-ground-at-goal'
  | 'waiting-for-path'
  | 'on-link'
  /** It waits for its turn at a link. */
  | 'link-queue'
  /** It waits in front of a narrow passage for its turn. */
  | 'passage-queue'
  /** It queues behind agents with the same direction. */
  | 'in-line'
  | 'arrived'
  /** It waits at a point of its patrol. */
  | 'patrol-wait'
  | 'settled'
  | 'unreachable'
  | 'gave-up'
  | 'yielding'
  /** It goes around standing bodies that block it. */
  | 'going-around'
  /** It has made no progress for more than a second. */
  | 'held-up'
  /** `pauseAgent` has paused it. */
  | 'paused'
  /** Its maximum speed is 0. */
  | 'no-speed'
  /** The caller moves it. */
  | 'user-owned'
  /** It waits for its group (`moveGroupTo`). */
  | 'keeps-pace'
  | 'in-the-air'
  | 'moving';

/** Result of `explainAgent`. */
export interface AgentExplanation {
  reason: AgentReason;
  /** One or two English sentences without line breaks. */
  message: string;
  /** World units per second, in the last tick. */
  speed: number;
  /** Seconds since the agent last came nearer to its goal; 0 without a goal. */
  secondsWithoutProgress: number;
  /** Agents that touch it, or are nearly in contact, nearest first. */
  touching: AgentId[];
  /** Why there is no path, for 'unreachable'; else null. */
  path: PathExplanation | null;
}

/** Two agents touch when their distance is below this multiple of the sum of their radii. */
const TOUCH_RADII = 1.25;
/** An agent of a group walks slowly below this share of its speed. */
const SLOW_SHARE = 0.8;

/** Explains what an agent does. For an id that names no agent the reason is 'no-agent'. */
export function explainAgent(crowd: Crowd, id: AgentId): AgentExplanation {
  checkCrowd('explainAgent', crowd);
  const slot = readAgentSlot(crowd, id, 'explainAgent');
  const out: AgentExplanation = {
    reason: 'no-agent',
    message: 'No agent has this id.',
    speed: 0,
    secondsWithoutProgress: 0,
    touching: [],
    path: null,
  };
  if (slot < 0) return out;
  const { agents, tick, stepSeconds } = crowd;
  const { velocity, status, goalKind } = agents;
  out.speed = Math.sqrt(velocity[2 * slot] * velocity[2 * slot] + velocity[2 * slot + 1] * velocity[2 * slot + 1]);
  const hasGoal = goalKind[slot] !== GOAL_NONE && goalKind[slot] !== GOAL_VELOCITY;
  if (hasGoal && !isRestStatus(status[slot])) {
    out.secondsWithoutProgress = Math.max(0, (tick - agents.progressTick[slot]) * stepSeconds);
  }
  out.touching = touchingOf(crowd, slot);
  const [reason, message] =
    explainState(crowd, slot, hasGoal) ??
    explainPatrol(crowd, slot) ??
    explainStatus(crowd, slot) ??
    explainMovement(crowd, slot, out);
  out.reason = reason;
  out.message = message;
  if (reason === 'unreachable') {
    const { position, goal } = agents;
    const point = (of: Float64Array): [number, number, number] => [of[3 * slot], of[3 * slot + 1], of[3 * slot + 2]];
    out.path = explainPath(crowd.mesh, point(position), point(goal), { filter: crowd.filters[agents.filter[slot]] });
  }
  return out;
}

type Verdict = [reason: AgentReason, message: string];

/** Returns the reason if it does not depend on the status of the agent's order; else null. */
function explainState({ agents, tick, stepSeconds }: Crowd, slot: number, hasGoal: boolean): Verdict | null {
  const { flags, state, goalKind } = agents;
  if ((flags[slot] & AGENT_AVOID_ONLY) !== 0) {
    return ['avoid-only', 'Other agents avoid it; the caller moves it with setAgentPosition.'];
  }
  if (state[slot] === STATE_LOST) {
    const wait = Math.max(0, (agents.retryTick[slot] - tick) * stepSeconds);
    return ['no-ground', `No polygon of the mesh is near it. It searches again in ${wait.toFixed(1)} s.`];
  }
  if (state[slot] === STATE_LINK) {
    const left = Math.max(0, agents.linkDuration[slot] - agents.linkTime[slot]);
    if (left > 0 && (agents.modes[slot] & MODE_MANUAL_LINKS) !== 0)
      return ['on-link', 'It is on a link and waits there for completeLink.'];
    if (left > 0) return ['on-link', `It is on a link for another ${left.toFixed(1)} s.`];
    return ['on-link', 'It is on a link and waits for free space at the far end.'];
  }
  if (state[slot] === STATE_AIR) return ['in-the-air', 'It jumps or falls, and continues when it has landed.'];
  if ((agents.modes[slot] & MODE_PAUSED) !== 0) return ['paused', 'It is paused; resumeAgent lets it go on.'];
  if (goalKind[slot] === GOAL_NONE) {
    return ['no-order', 'It has no order: use moveAgentTo, followAgent or setAgentVelocity.'];
  }
  if (agents.maxSpeed[slot] === 0) return ['no-speed', 'Its maximum speed is 0.'];
  if (hasGoal && agents.goalPoly[slot] < 0) {
    return ['no-ground-at-goal', 'No polygon of the mesh is near its goal. It retries every two seconds.'];
  }
  return null;
}

/** Returns the reason of an agent that waits at a point of its patrol; else null. */
function explainPatrol({ agents, patrols, tick, stepSeconds }: Crowd, slot: number): Verdict | null {
  if (agents.patrolPoint[slot] === 0 || agents.patrolTick[slot] === 0) return null;
  const left = Math.max(0, (agents.patrolTick[slot] - tick) * stepSeconds);
  const count = patrols[slot]!.waits.length;
  const near = agents.status[slot] === STATUS_ARRIVED ? 'at' : 'near';
  return [
    'patrol-wait',
    `It waits ${near} point ${agents.patrolPoint[slot]} of ${count} of its ${routeName(patrols[slot]!)}, for another ${left.toFixed(1)} s.`,
  ];
}

/** Returns why an agent with an order stands; null for an agent that moves or yields. */
function explainStatus(crowd: Crowd, slot: number): Verdict | null {
  const { agents } = crowd;
  switch (agents.status[slot]) {
    case STATUS_ARRIVED: {
      const isChase = agents.goalKind[slot] === GOAL_AGENT;
      const isShort = (agents.modes[slot] & MODE_STOPS) !== 0;
      if (isShort) return ['arrived', 'It is within the stopping distance of its goal.'];
      return ['arrived', isChase ? 'It is within its distance of the agent it follows.' : 'It is at its goal.'];
    }
    case STATUS_SETTLED:
      return ['settled', 'Other agents stand at its goal; it is as near as they allow.'];
    case STATUS_BLOCKED: {
      const near = agents.settledBy[slot] > 0 ? 'as near as other agents there allow' : 'as near as possible';
      return ['unreachable', `No path leads to its goal. It is ${near} and retries every two seconds.`];
    }
    case STATUS_GAVE_UP:
      return ['gave-up', 'It made no progress for half a minute and gave up. A new order restarts it.'];
    case STATUS_SEARCHING:
      return ['waiting-for-path', 'It waits for its path; all agents share the search budget of a tick.'];
    case STATUS_QUEUEING:
      if (agents.queueLinkEnd[slot] >= 0) return ['link-queue', 'It waits for its turn at a link.'];
      if (agents.passage[slot] === PASSAGE_WAITS)
        return ['passage-queue', 'It waits in front of a narrow passage until oncoming agents have left it.'];
      return ['in-line', explainLine(crowd, slot)];
    case STATUS_IDLE:
      return ['no-order', 'It stands and has no order that makes it move.'];
    default:
      return null;
  }
}

/** Returns a sentence that names the agent ahead in the line. */
function explainLine(crowd: Crowd, slot: number): string {
  const ahead = findAgentAhead(crowd, slot);
  if (ahead < 0) return 'It queues behind agents that go the same way.';
  return `It queues behind agent ${agentIdOf(crowd, ahead)}, which goes the same way.`;
}

/** Returns the reason of an agent that moves. */
function explainMovement(crowd: Crowd, slot: number, known: AgentExplanation): Verdict {
  const { agents, patrols, tick } = crowd;
  const flags = agents.flags[slot];
  const seconds = known.secondsWithoutProgress;
  if (tick < agents.yieldUntil[slot]) return ['yielding', 'It moves out of the path of another agent.'];
  if ((flags & AGENT_USER_OWNED) !== 0) {
    return ['user-owned', 'The caller moves it; its wish is the velocity that the crowd suggests.'];
  }
  if (waitsForFarEnd(crowd, slot))
    return ['link-queue', 'It waits at a link until the agent at the far end has space to leave it.'];
  if (seconds > 1) {
    const count = known.touching.length;
    const by = count === 0 ? 'walls' : count === 1 ? 'another agent' : `${count} other agents`;
    const more = (flags & AGENT_AWAITS_PATH) !== 0 ? ' It has requested another path.' : '';
    const { radius } = bodyOf(crowd, slot);
    const own = agents.radius[slot];
    const wide = own > WIDER * radius ? ` Its radius of ${own} is above ${radius}, for which the mesh was built.` : '';
    return ['held-up', `It has made no progress for ${seconds.toFixed(1)} s, held up by ${by}.${more}${wide}`];
  }
  if (agents.wayCount[slot] > 0) {
    return ['going-around', 'Standing agents or bodies block its path; it goes around them.'];
  }
  if (agents.group[slot] !== 0 && shareOfPace(crowd, slot) < SLOW_SHARE)
    return ['keeps-pace', 'It walks slowly, so that its group arrives together.'];
  const point = agents.patrolPoint[slot];
  const goal =
    point > 0 ? `point ${point} of ${patrols[slot]!.waits.length} of its ${routeName(patrols[slot]!)}` : 'its goal';
  const isPartial = (flags & AGENT_PARTIAL) !== 0;
  return ['moving', isPartial ? `It goes to the reachable point nearest to ${goal}.` : `It is on its way to ${goal}.`];
}

/** Returns whether an agent cannot enter the link ahead, because another one waits to leave it. */
function waitsForFarEnd({ agents, active, activeCount }: Crowd, slot: number): boolean {
  const { state, cornerKind, cornerLinkEnd, linkEnd, linkTime, linkDuration } = agents;
  if (cornerKind[slot] !== CORNER_LINK) return false;
  const link = linkOf(cornerLinkEnd[slot]);
  const waits = (other: number): boolean =>
    state[other] === STATE_LINK && linkOf(linkEnd[other]) === link && linkTime[other] >= linkDuration[other];
  return active.subarray(0, activeCount).some(waits);
}

function routeName({ mode }: PatrolRoute): string {
  return mode === ROUTE_ONCE ? 'route' : 'patrol';
}

/** Returns the neighbors that touch an agent, nearest first. */
function touchingOf(crowd: Crowd, slot: number): AgentId[] {
  const { neighbors, neighborCount, neighborDistanceSq, radius } = crowd.agents;
  const list: AgentId[] = [];
  for (let n = MAX_NEIGHBORS * slot; n < MAX_NEIGHBORS * slot + neighborCount[slot]; n++) {
    const reach = TOUCH_RADII * (radius[slot] + radius[neighbors[n]]);
    if (neighborDistanceSq[n] <= reach * reach) list.push(agentIdOf(crowd, neighbors[n]));
  }
  return list;
}
