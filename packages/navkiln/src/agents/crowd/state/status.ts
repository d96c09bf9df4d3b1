/**
 * Every change of an agent's status, in one table, and the one function that makes it.
 *
 * A status says what an agent does about its order: it waits for a path, walks, waits, makes way, or rests. Each line
 * of the table is a cause, the statuses in which it acts, and the status that follows.
 *
 * In: a change. Out: `status`; `progress*` when it starts again.
 * Cost: one memory access.
 * Based on: own.
 */
import {
  PASSAGE_WAITS,
  STATUS_ARRIVED,
  STATUS_BLOCKED,
  STATUS_GAVE_UP,
  STATUS_IDLE,
  STATUS_MOVING,
  STATUS_QUEUEING,
  STATUS_SEARCHING,
  STATUS_SETTLED,
  STATUS_YIELDING,
} from './types.ts';
import type { Crowd } from './types.ts';

// Changes. The last hexadecimal digit is the status that follows, the digits before it number the causes.
// Orders:
/** A new order replaces the old one, which may have been finished. */
export const CHANGE_ORDERED = 0x010;
/** The order ended without another one. */
export const CHANGE_STOPPED = 0x020;
/** The agent that it follows was removed. */
export const CHANGE_TARGET_REMOVED = 0x030;
/** No polygon is near the next point of its route. */
export const CHANGE_POINT_OFF_MESH = 0x040;
/** It moves at a velocity that the caller has set. */
export const CHANGE_VELOCITY_SET = 0x052;
// Paths:
/** It waits for its first path. */
export const CHANGE_PATH_AWAITED = 0x061;
/** It has no path to the goal that moved. */
export const CHANGE_PATH_LOST = 0x071;
/** The path that it has leads to its goal, or nearly. */
export const CHANGE_PATH_KEPT = 0x082;
/** Its search was answered. */
export const CHANGE_PATH_FOUND = 0x092;
/** No polygon is near its goal. */
export const CHANGE_GOAL_OFF_MESH = 0x0a7;
/** The goal that it had reached moved on. */
export const CHANGE_GOAL_MOVED = 0x0b2;
// Waiting:
/** It stands in front of a narrow passage that oncoming agents use. */
export const CHANGE_PASSAGE_BUSY = 0x0c3;
/** It may check again whether the passage is free. */
export const CHANGE_PASSAGE_CHECKED = 0x0d2;
/** It stands in the queue of a link with limited capacity. */
export const CHANGE_LINK_BUSY = 0x0e3;
/** It is the next one at the link. */
export const CHANGE_LINK_FREE = 0x0f2;
/** It has entered a link. */
export const CHANGE_LINK_ENTERED = 0x102;
/** An agent with the same direction stands ahead of it. */
export const CHANGE_IN_LINE = 0x113;
/** No agent stands ahead of it any longer, or it makes progress. */
export const CHANGE_LINE_MOVED = 0x122;
/** It has to make way for an agent that is wedged against it. */
export const CHANGE_ASKED_ASIDE = 0x134;
/** The time for which it makes way is over. */
export const CHANGE_ASIDE_OVER = 0x142;
// Rest:
/** It is at its goal. */
export const CHANGE_REACHED = 0x155;
/** Other agents rest at its goal, or on the way to it. */
export const CHANGE_GOAL_TAKEN = 0x166;
/** It is at the end of a path that does not lead to its goal, or behind agents that rest there. */
export const CHANGE_PATH_ENDED = 0x177;
/** It has made no progress for a long time. */
export const CHANGE_NO_PROGRESS = 0x188;
/** It was pushed off its goal, as often as it may go back. */
export const CHANGE_PUSHED_OFF = 0x196;
/** The agent that kept it away from its goal has left, or it was pushed off its goal. */
export const CHANGE_GOAL_FREE = 0x1a2;

/** Makes a change (`CHANGE_*`): sets the status of an agent. No other function does. */
export function changeStatus(crowd: Crowd, slot: number, change: number): void {
  crowd.agents.status[slot] = change & 15;
}

/** Returns whether an agent waits at a link for its turn. */
export function isWaitingForLink({ agents }: Crowd, slot: number): boolean {
  return agents.queueLinkEnd[slot] >= 0 && agents.status[slot] === STATUS_QUEUEING;
}

/** Returns whether an agent waits for its turn, at a link or a narrow passage. */
export function isWaitingForTurn(crowd: Crowd, slot: number): boolean {
  return crowd.agents.passage[slot] === PASSAGE_WAITS || isWaitingForLink(crowd, slot);
}

/** Starts the measurement of an agent's progress again, as for a new path. */
export function restartProgress(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  agents.progressTick[slot] = crowd.tick;
  agents.progressLeft[slot] = Infinity;
}

/** A line of the table of changes. */
export interface StatusChange {
  /** CHANGE_*. */
  change: number;
  /** The statuses in which the cause acts: STATUS_*. */
  from: readonly number[];
  /** The cause, in a few words. */
  cause: string;
}

/** Returns the table of all changes. A function, so that programs that do not print it contain none of it. */
export function listStatusChanges(): readonly StatusChange[] {
  const UNDER_WAY = [STATUS_MOVING, STATUS_QUEUEING, STATUS_YIELDING];
  const DONE = [STATUS_ARRIVED, STATUS_SETTLED, STATUS_GAVE_UP];
  const ANY = [STATUS_IDLE, STATUS_SEARCHING, ...UNDER_WAY, ...DONE, STATUS_BLOCKED];
  return [
    { change: CHANGE_ORDERED, from: ANY, cause: 'new order' },
    { change: CHANGE_STOPPED, from: ANY, cause: 'order dropped' },
    { change: CHANGE_TARGET_REMOVED, from: ANY, cause: 'followed agent removed' },
    { change: CHANGE_POINT_OFF_MESH, from: ANY, cause: 'no polygon near the next point' },
    { change: CHANGE_VELOCITY_SET, from: ANY, cause: 'velocity set' },
    { change: CHANGE_PATH_AWAITED, from: ANY, cause: 'path requested' },
    { change: CHANGE_PATH_LOST, from: ANY, cause: 'path lost' },
    { change: CHANGE_PATH_KEPT, from: ANY, cause: 'old path leads there' },
    { change: CHANGE_PATH_FOUND, from: [STATUS_SEARCHING, STATUS_BLOCKED], cause: 'path found' },
    { change: CHANGE_GOAL_OFF_MESH, from: ANY, cause: 'no polygon near the goal' },
    { change: CHANGE_GOAL_MOVED, from: DONE, cause: 'goal moved on' },
    { change: CHANGE_PASSAGE_BUSY, from: [STATUS_MOVING], cause: 'narrow passage is in use' },
    { change: CHANGE_PASSAGE_CHECKED, from: [STATUS_QUEUEING], cause: 'passage is checked again' },
    { change: CHANGE_LINK_BUSY, from: [STATUS_MOVING, STATUS_QUEUEING], cause: 'link is in use' },
    { change: CHANGE_LINK_FREE, from: [STATUS_QUEUEING, STATUS_YIELDING], cause: 'next at the link' },
    { change: CHANGE_LINK_ENTERED, from: [STATUS_SEARCHING, ...UNDER_WAY], cause: 'link entered' },
    { change: CHANGE_IN_LINE, from: [STATUS_MOVING, STATUS_QUEUEING], cause: 'agent ahead stands' },
    { change: CHANGE_LINE_MOVED, from: [STATUS_MOVING, STATUS_QUEUEING], cause: 'line moves' },
    { change: CHANGE_ASKED_ASIDE, from: [STATUS_SEARCHING, ...UNDER_WAY], cause: 'wedged with another agent' },
    { change: CHANGE_ASIDE_OVER, from: [STATUS_YIELDING], cause: 'made way' },
    { change: CHANGE_REACHED, from: [STATUS_SEARCHING, ...UNDER_WAY], cause: 'at the goal' },
    { change: CHANGE_GOAL_TAKEN, from: [STATUS_SEARCHING, ...UNDER_WAY], cause: 'agents rest at the goal' },
    { change: CHANGE_PATH_ENDED, from: [STATUS_SEARCHING, ...UNDER_WAY], cause: 'end of a partial path' },
    { change: CHANGE_NO_PROGRESS, from: [STATUS_SEARCHING, ...UNDER_WAY], cause: 'no progress' },
    { change: CHANGE_PUSHED_OFF, from: [STATUS_ARRIVED], cause: 'pushed off too often' },
    { change: CHANGE_GOAL_FREE, from: [STATUS_ARRIVED, STATUS_SETTLED], cause: 'goal is free again' },
  ];
}
