/**
 * Why does this agent not move (or where is it going)? In a word for programs, in a sentence for people, with the numbers.
 *
 * Cost: that of a look at its neighbours; for one whose way is barred that of `explainPath`. Allocates.
 * Based on: own; that an agent can say in which of a few precise states it is comes from landmass (Liam Snow and others, 2023).
 */
import { explainPath } from '../query/explain/explain.ts';
import type { PathExplanation } from '../query/explain/explain.ts';
import { agentIdOf, agentSlotOf } from './state/ids.ts';
import { isRestStatus } from './state/rest.ts';
import {
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  AGENT_USER_OWNED,
  GOAL_AGENT,
  GOAL_NONE,
  GOAL_VELOCITY,
  MAX_NEIGHBORS,
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
import type { AgentId, Crowd } from './state/types.ts';

export type AgentReason =
  | 'no-agent'
  | 'avoid-only'
  | 'no-order'
  | 'no-ground'
  | 'no-ground-at-goal'
  | 'waiting-for-path'
  | 'on-link'
  | 'link-queue'
  | 'in-line'
  | 'arrived'
  | 'settled'
  | 'unreachable'
  | 'gave-up'
  | 'yielding'
  | 'held-up'
  | 'no-speed'
  | 'user-owned'
  | 'in-the-air'
  | 'moving';

export interface AgentExplanation {
  reason: AgentReason;
  /** A sentence or two, English, no line breaks. */
  text: string;
  /** World units a second, in the last tick. */
  speed: number;
  /** Seconds since it last came nearer to its goal; 0 for one without. */
  secondsWithoutProgress: number;
  /** Agents that touch it or nearly do, nearest first. */
  touching: AgentId[];
  /** Of one whose way is barred: why there is no path. */
  path: PathExplanation | null;
}

/** Says why an agent does what it does, above all why it does not move. Of an id that names no agent, that. */
export function explainAgent(crowd: Crowd, id: AgentId): AgentExplanation {
  const slot = agentSlotOf(crowd, id);
  const out: AgentExplanation = {
    reason: 'no-agent',
    text: 'There is no such agent (any more).',
    speed: 0,
    secondsWithoutProgress: 0,
    touching: [],
    path: null,
  };
  if (slot < 0) return out;
  const { agents, tick, stepSeconds } = crowd;
  const { velocity, status, flags, goalKind, state } = agents;
  out.speed = Math.sqrt(velocity[2 * slot] * velocity[2 * slot] + velocity[2 * slot + 1] * velocity[2 * slot + 1]);
  const hasGoal = goalKind[slot] !== GOAL_NONE && goalKind[slot] !== GOAL_VELOCITY;
  if (hasGoal && !isRestStatus(status[slot])) {
    out.secondsWithoutProgress = Math.max(0, (tick - agents.progressTick[slot]) * stepSeconds);
  }
  out.touching = touchingOf(crowd, slot);
  const say = (reason: AgentReason, text: string): AgentExplanation => Object.assign(out, { reason, text });

  if ((flags[slot] & AGENT_AVOID_ONLY) !== 0) {
    return say('avoid-only', 'It is only avoided by others; its user moves it with setAgentPosition.');
  }
  if (state[slot] === STATE_LOST) {
    const wait = Math.max(0, (agents.retryTick[slot] - tick) * stepSeconds);
    return say('no-ground', `There is no ground near it (any more). It looks again in ${wait.toFixed(1)} s.`);
  }
  if (state[slot] === STATE_LINK) {
    const left = Math.max(0, agents.linkDuration[slot] - agents.linkTime[slot]);
    if (left > 0) return say('on-link', `It is on a link, for ${left.toFixed(1)} s more.`);
    return say('on-link', 'It is on a link and waits for its landing to clear.');
  }
  if (state[slot] === STATE_AIR) return say('in-the-air', 'It jumps or falls, and goes on when it has landed.');
  if (goalKind[slot] === GOAL_NONE) return say('no-order', 'It was told nothing: use moveTo, follow or moveVelocity.');
  if (agents.maxSpeed[slot] === 0) return say('no-speed', 'Its maximum speed is 0.');
  if (hasGoal && agents.goalPoly[slot] < 0) {
    return say('no-ground-at-goal', 'There is no ground at its goal (any more). It looks again every two seconds.');
  }
  switch (status[slot]) {
    case STATUS_ARRIVED: {
      const isChase = goalKind[slot] === GOAL_AGENT;
      return say(
        'arrived',
        isChase ? 'It is as near to the one it follows as it was told to come.' : 'It is at its goal.',
      );
    }
    case STATUS_SETTLED:
      return say('settled', 'Others stand at its goal: it is as near as they let it.');
    case STATUS_BLOCKED: {
      const { position, goal } = agents;
      const point = (of: Float64Array): [number, number, number] => [of[3 * slot], of[3 * slot + 1], of[3 * slot + 2]];
      out.path = explainPath(crowd.mesh, point(position), point(goal), { filter: crowd.filters[agents.filter[slot]] });
      return say('unreachable', `No way leads to its goal; it is as near as it gets and asks again every two seconds.`);
    }
    case STATUS_GAVE_UP:
      return say('gave-up', 'It came no nearer for half a minute and gave up. A new order sets it going again.');
    case STATUS_SEARCHING:
      return say('waiting-for-path', 'It waits for its path: the budget of searches a tick is shared by all.');
    case STATUS_QUEUEING:
      if (agents.queueLinkEnd[slot] < 0) return say('in-line', 'It stands in line behind others who go the same way.');
      return say('link-queue', 'It waits for its turn at a link.');
    case STATUS_IDLE:
      return say('no-order', 'It stands, and was told nothing that makes it move.');
    default:
  }
  if (tick < agents.yieldUntil[slot]) return say('yielding', 'It makes room for another.');
  if ((flags[slot] & AGENT_USER_OWNED) !== 0) {
    return say('user-owned', 'Its user moves it: its wish is what the crowd would have it do.');
  }
  if (out.secondsWithoutProgress > 1) {
    const by = out.touching.length === 0 ? 'walls' : `${out.touching.length} others`;
    const more = (flags[slot] & AGENT_AWAITS_PATH) !== 0 ? ' It has asked for another path.' : '';
    return say('held-up', `It came no nearer for ${out.secondsWithoutProgress.toFixed(1)} s, held up by ${by}.${more}`);
  }
  const toward = (flags[slot] & AGENT_PARTIAL) !== 0 ? 'as near to its goal as there is a way' : 'to its goal';
  return say('moving', `It is on its way ${toward}.`);
}

function touchingOf(crowd: Crowd, slot: number): AgentId[] {
  const { neighbors, neighborCount, neighborDistanceSq, radius } = crowd.agents;
  const list: AgentId[] = [];
  for (let n = MAX_NEIGHBORS * slot; n < MAX_NEIGHBORS * slot + neighborCount[slot]; n++) {
    const reach = 1.25 * (radius[slot] + radius[neighbors[n]]);
    if (neighborDistanceSq[n] <= reach * reach) list.push(agentIdOf(crowd, neighbors[n]));
  }
  return list;
}
