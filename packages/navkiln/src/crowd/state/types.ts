/**
 * The crowd: agents in typed arrays, and what they know of the ground, of their way and of each other.
 *
 * A `Crowd` is a record that a tick changes in place, in a fixed order of steps (step.ts). Agents live in slots; slot numbers are
 * what arrays are indexed by, an `AgentId` (slot and generation) is what users hold. Everything that decides what happens next is
 * in `agents`, in the corridors, in `searches` or in a few numbers here: that is what is saved, restored and hashed (save.ts).
 * Scratch that a tick fills and forgets is in `scratch` records and in modules, and is never read across ticks.
 *
 * Determinism: a tick reads the positions and velocities of the tick before and writes new ones, so agents' order does not show;
 * where a choice falls between equals, the lower slot wins. No clock, no randomness: budgets are counts of polygons.
 *
 * Units: world units, seconds, degrees. Directions and velocities are in the plane (x, z): an agent is on the ground,
 * and the ground says how high it is.
 */
import type { PathCorridor } from '../../corridor/types.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import type { QueryFilter } from '../../query/filter.ts';
import type { Searches } from './search-types.ts';

/** A checked handle of an agent: generation and slot. 0 is null; that of an agent that was removed names none. */
export type AgentId = number & { readonly __brand: 'AgentId' };

// agents.state: where an agent is.
export const STATE_FREE = 0;
/** On a polygon of the mesh. */
export const STATE_GROUND = 1;
/** Between the two ends of a link. */
export const STATE_LINK = 2;
/** Its ground has gone, and there is none near; it looks for ground again every so often. */
export const STATE_LOST = 3;
/** Off the ground: falls, jumps. Its user moves it (air.ts); its goal and its path wait for it. */
export const STATE_AIR = 4;

// agents.goalKind: what it was told.
export const GOAL_NONE = 0;
export const GOAL_POINT = 1;
/** The agent `goalAgent`. */
export const GOAL_AGENT = 2;
/** A velocity, `goal[0]` and `goal[2]`; no path. */
export const GOAL_VELOCITY = 3;

// agents.status: how it fares with it.
export const STATUS_IDLE = 0;
/** Waits for its first path. */
export const STATUS_SEARCHING = 1;
export const STATUS_MOVING = 2;
/** Slows or stands as those in front of it go the same way. */
export const STATUS_QUEUEING = 3;
/** Goes out of another's way. */
export const STATUS_YIELDING = 4;
/** At the goal. */
export const STATUS_ARRIVED = 5;
/** As near to the goal as others who stand there let it. */
export const STATUS_SETTLED = 6;
/** There is no way on: at the end of a partial path. It looks for a way again every so often. */
export const STATUS_BLOCKED = 7;
/** Tried for long, in vain; stands until it is told something new. */
export const STATUS_GAVE_UP = 8;

// agents.flags
/** The user moves it: what the crowd chooses is a wish, `setAgentPosition` says where it is. */
export const AGENT_USER_OWNED = 1;
/** Others go around it; it is never moved or steered by the crowd. */
export const AGENT_AVOID_ONLY = 2;
/** Its corridor is partial: the goal cannot be reached. */
export const AGENT_PARTIAL = 4;
/** Neighbours, walls and avoidance are skipped: it stands, and so do all near it. */
export const AGENT_ASLEEP = 8;
/** Its corners are to be found afresh. */
export const AGENT_STALE_CORNERS = 16;
/** A search was asked for and has not answered yet. */
export const AGENT_AWAITS_PATH = 32;
/** It has been said that its way is barred. */
export const AGENT_REPORTED_BLOCKED = 64;

// agents.avoidance
export const AVOID_NONE = 0;
export const AVOID_ORCA = 1;
export const AVOID_SAMPLED = 2;

/** Neighbours an agent knows, the nearest ones. */
export const MAX_NEIGHBORS = 8;
/** Narrow openings ahead that an agent knows. */
export const NARROW_AHEAD = 2;
/** Wall segments an agent knows, the nearest ones. */
export const MAX_WALLS = 8;

/** One row a slot; strides in layout.ts. Only slots below `slotCount` count, of them those whose state is not free. */
export interface AgentArrays {
  generation: Uint16Array;
  state: Uint8Array;
  goalKind: Uint8Array;
  status: Uint8Array;
  flags: Uint8Array;
  avoidance: Uint8Array;
  /** Which of `filters`. */
  filter: Uint8Array;
  /** Bits: what it is; and bits of those it goes around. */
  layers: Uint16Array;
  mask: Uint16Array;

  radius: Float64Array;
  height: Float64Array;
  maxSpeed: Float64Array;
  maxAcceleration: Float64Array;
  /** Degrees a second; Infinity: at once. */
  maxTurn: Float64Array;
  /** 0 .. 1: of two that meet the one with more makes less room. */
  priority: Float64Array;
  /** How far ahead others are avoided, seconds. */
  horizon: Float64Array;
  /** How near to the goal counts as there. */
  arriveDistance: Float64Array;

  /** xyz, on the ground; on a link: where the traverse is. */
  position: Float64Array;
  /** Of the tick before. */
  previous: Float64Array;
  /** xz, of the last tick: what was really walked in it, per second. */
  velocity: Float64Array;
  /** xz, unit: where it faces. */
  heading: Float64Array;
  /** xz: what its path asks for, before others are avoided. */
  desired: Float64Array;
  /** xz: what it will do. */
  chosen: Float64Array;
  /** Dense index of the polygon it is on, or -1, and its ref. */
  poly: Int32Array;
  polyRef: Float64Array;

  /** xyz: on the mesh for a point, a velocity for GOAL_VELOCITY. */
  goal: Float64Array;
  goalPoly: Int32Array;
  goalRef: Float64Array;
  /** Of GOAL_AGENT. */
  goalAgent: Float64Array;
  /** How near to follow, centre to centre. */
  followDistance: Float64Array;

  /** xyz twice: the next corner, the one after it (the same when there is none). */
  corners: Float64Array;
  cornerKind: Uint8Array;
  cornerLinkEnd: Int32Array;
  /** Length of the way from the next corner to the end of the corridor. */
  pathLeft: Float64Array;

  /** x1, z1, x2, z2 of walls near it, the ground to their left; nearest first. */
  walls: Float64Array;
  wallCount: Uint8Array;
  /** xz: where it was when they were found, and the polygon it was on; -1: to be found. */
  wallCenter: Float64Array;
  wallPoly: Int32Array;

  /** Slots, nearest first, and squared distances in the plane. */
  neighbors: Int32Array;
  neighborCount: Uint8Array;
  neighborDistanceSq: Float64Array;

  /** The tick it last came nearer, how near that was (length of way left), and the tick of its last order. */
  progressTick: Int32Array;
  progressLeft: Float64Array;
  orderTick: Int32Array;
  /** Not before this tick: the next search, the next look for ground. */
  retryTick: Int32Array;
  /** The tick the last search answered, and how far its target has moved since. */
  searchTick: Int32Array;
  targetDrift: Float64Array;
  /** Of yielding: until when, from whom (slot), and xz where to. */
  yieldUntil: Int32Array;
  yieldTo: Int32Array;
  yieldPoint: Float64Array;
  /** xz: where it stood when it arrived or settled. */
  restPoint: Float64Array;
  /** The tick it came to rest; -1: it is on its way, or still slowing down. */
  restTick: Int32Array;

  /**
   * On a link: the link end it entered by and the link's ref, seconds done and seconds in all. In its queue: the link end, since when.
   */
  linkEnd: Int32Array;
  linkRef: Float64Array;
  linkTime: Float64Array;
  linkDuration: Float64Array;
  queueLinkEnd: Int32Array;
  queueTick: Int32Array;
  /** xyz: where the traverse of a link began. */
  linkFrom: Float64Array;
  /** The tick it last knew of somebody coming the other way; 0: never. */
  counterTick: Int32Array;
  /** Narrow openings ahead, see narrow.ts: numbers from 1 on, 0: none. */
  narrow: Int32Array;
  /** xz: the middle of the first one. */
  narrowAt: Float64Array;
}

/** What happened in a tick, in the order of slots within each step. */
export type AgentEventKind =
  | 'arrived'
  | 'settled'
  | 'blocked'
  | 'gave-up'
  | 'link-entered'
  | 'link-left'
  | 'lost'
  | 'found';

/** Numbers of the kinds, as they are stored. */
export const EVENT_KINDS: readonly AgentEventKind[] = [
  'arrived',
  'settled',
  'blocked',
  'gave-up',
  'link-entered',
  'link-left',
  'lost',
  'found',
];
export const EVENT_ARRIVED = 0;
export const EVENT_SETTLED = 1;
export const EVENT_BLOCKED = 2;
export const EVENT_GAVE_UP = 3;
export const EVENT_LINK_ENTERED = 4;
export const EVENT_LINK_LEFT = 5;
export const EVENT_LOST = 6;
export const EVENT_FOUND = 7;

/** Of the last `stepCrowd` or `advanceCrowd`; overwritten by the next. */
export interface EventList {
  count: number;
  kind: Uint8Array;
  slot: Int32Array;
}

/** How a link is used by agents; without one of its own a link has no limit on agents, and is walked at the agent's speed. */
export interface LinkTraffic {
  ref: number;
  /** Agents on it at a time. */
  capacity: number;
  /** Seconds a traverse takes; 0: its length at the agent's speed. */
  seconds: number;
}

export interface Crowd {
  mesh: NavMesh;
  /** Chosen among by `agents.filter`. */
  filters: QueryFilter[];
  /** Seconds a tick. */
  stepSeconds: number;
  /** Ticks done. */
  tick: number;
  /** 0: seconds not yet stepped (advanceCrowd). */
  time: Float64Array;
  /** Slots there are. */
  maxAgents: number;
  /** Slots that were ever used; those above are free. */
  slotCount: number;
  agentCount: number;
  /** First free slot below slotCount, or -1; `goalPoly` leads to the next. */
  freeSlot: number;
  agents: AgentArrays;
  /** One a slot that was ever used. */
  corridors: PathCorridor[];
  searches: Searches;
  /** Polygons that searches may expand in a tick. */
  searchBudget: number;
  /** -1 right: those who meet pass on the right of each other; 0: none; 1 left. */
  passingSide: number;
  /** What the mesh's revision was when agents last looked. */
  meshRevision: number;
  linkTraffic: LinkTraffic[];
  events: EventList;
  /** Slots of agents, ascending; made anew each tick. */
  active: Int32Array;
  activeCount: number;
  /** Of those the ones whose turn it is to decide; made anew each tick. */
  thinking: Int32Array;
  thinkingCount: number;
  /** Searches answered since the crowd was made. */
  searchCount: number;
}
