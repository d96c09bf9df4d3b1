/**
 * The records of a crowd: agents as columns of typed arrays, and the `Crowd` that holds them.
 *
 * An agent lives in a slot. A slot number indexes every column; an `AgentId` (slot and generation) is what
 * callers keep. A column with stride n stores agent `slot` at index n * slot .. n * slot + n - 1; strides are
 * in layout.ts.
 *
 *   columns                                     meaning                     written by
 *   ------------------------------------------  --------------------------  ----------------------------
 *   generation state flags                      identity, whereabouts       orders, goals, use-links, air
 *   radius .. arriveDistance, layers, mask      options                     addAgent, setAgentOptions
 *   modes resumeSpeed                           what the caller has chosen  addAgent, orders
 *   goalKind goal goalPoly goalRef goalAgent    the order                   orders; goals
 *   patrol*                                     the route it walks          orders, patrol
 *   status orderTick progress* retryTick        progress of the order       orders, goals, steer, traffic
 *   searchTick targetDrift                      age of the path             searches, goals
 *   corners cornerKind cornerLinkEnd pathLeft   next corners of the path    steer
 *   neighbors* walls* narrow*                   surroundings                nearby/, steer
 *   desired -> chosen -> velocity -> position   motion, in this order       steer, lanes, avoid, integrate
 *   yield* rest* settled* counterTick           right of way                traffic, steer, lanes
 *   way*                                        detour around standing  go-around
 *   link* queue*                                link traversal, queues      use-links, link-queue
 *   passage*                                    turns in narrow passages    steer, passages
 *
 * A tick (step.ts) runs its steps in a fixed order over these columns. Everything that decides the future of
 * a crowd is in `agents`, `corridors`, `searches` and the scalars of `Crowd`; that is what `saveCrowd` writes
 * and `hashCrowd` hashes. Scratch memory of a step lives in its module and is never read by a later tick.
 *
 * Determinism: a tick reads the positions and velocities of the previous tick, so the order of agents has no
 * effect. Ties go to the lower slot. There is no clock and no random number; budgets count polygons.
 *
 * Units: world units, seconds and degrees; times that are called ticks count ticks. Directions and velocities
 * are two-dimensional, in the plane (x, z). The height of an agent follows from the surface it stands on.
 */
import type { PathCorridor } from '../../corridor/types.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import type { PathIndex } from '../../../query/index/types.ts';
import type { AgentType } from '../../../query/agent-types.ts';
import type { QueryFilter } from '../../../query/filter.ts';
import type { SampledParams } from '../avoidance/sampled.ts';
import type { Behaviors, LinkTraffic } from './behaviors.ts';
import type { Searches } from './search-types.ts';

/**
 * A checked handle of an agent, made of a generation and a slot. Ids are never reused, unless a slot is
 * refilled 65,535 times. `NULL_AGENT` (0) is no agent.
 */
export type AgentId = number & { readonly __brand: 'AgentId' };

/** The id that names no agent. `addAgent` returns it when it fails. */
export const NULL_AGENT: AgentId = 0 as AgentId;

// agents.state: where an agent is.
/** The slot is unused. */
export const STATE_FREE = 0;
/** On a polygon of the mesh. */
export const STATE_GROUND = 1;
/** Between the two ends of a link. */
export const STATE_LINK = 2;
/** Its polygon was removed and no other is near. The agent searches for a polygon every half second. */
export const STATE_LOST = 3;
/** Off the mesh: falling or jumping. The caller moves it (air.ts); goal and path pause until it lands. */
export const STATE_AIR = 4;

// agents.goalKind: the kind of the agent's order.
/** No order. */
export const GOAL_NONE = 0;
/** Go to the point `goal`. */
export const GOAL_POINT = 1;
/** Follow the agent `goalAgent`. */
export const GOAL_AGENT = 2;
/** Move at the velocity (`goal[0]`, `goal[2]`), without a path. */
export const GOAL_VELOCITY = 3;

// agents.status: progress of the order. From STATUS_ARRIVED on, an agent is at rest.
/** No order, or the goal is lost. */
export const STATUS_IDLE = 0;
/** Waits for its first path. */
export const STATUS_SEARCHING = 1;
export const STATUS_MOVING = 2;
/** Slows down or stands behind agents with the same direction, or waits for a link. */
export const STATUS_QUEUEING = 3;
/** Moves out of the path of another agent. */
export const STATUS_YIELDING = 4;
/** At the goal. */
export const STATUS_ARRIVED = 5;
/** As near to the goal as the agents that stand there allow. */
export const STATUS_SETTLED = 6;
/** At the end of a partial path: the goal is unreachable. The agent retries every two seconds. */
export const STATUS_BLOCKED = 7;
/** Made no progress for half a minute. The agent stands until it gets a new order. */
export const STATUS_GAVE_UP = 8;

// agents.flags: bits.
/** The caller moves the agent with `setAgentPosition`; the crowd only suggests a velocity (`chosen`). */
export const AGENT_USER_OWNED = 1;
/** Other agents avoid it; the crowd never steers it. Implies AGENT_USER_OWNED. */
export const AGENT_AVOID_ONLY = 2;
/** Its corridor is partial: it does not lead to the goal. */
export const AGENT_PARTIAL = 4;
/** Neighbors, walls and avoidance are skipped, because the agent and all agents near it stand still. */
export const AGENT_ASLEEP = 8;
/** `corners` are out of date; the next `steer` finds them again. */
export const AGENT_STALE_CORNERS = 16;
/** A search was requested and has not been answered. */
export const AGENT_AWAITS_PATH = 32;
/** The event 'blocked' was reported for the current order. */
export const AGENT_REPORTED_BLOCKED = 64;
/** It has passed a portal of its corridor since `narrow` was found; its corners are the same if it sees the next one. */
export const AGENT_PASSED_PORTAL = 128;

// agents.modes: bits of what the caller has chosen.
/** It does not brake before its goal. */
export const MODE_NO_BRAKE = 1;
/** It is paused: its speed is in `resumeSpeed`. */
export const MODE_PAUSED = 2;
/** The caller ends its traverses of links with `completeLink`. */
export const MODE_MANUAL_LINKS = 4;
/** `arriveDistance` is that of its order. */
export const MODE_STOPS = 8;
/** It passes its current goal without a stop. */
export const MODE_PASSING = 16;
/** It decides less often while it is at ease (turns.ts). */
export const MODE_LOW_DETAIL = 32;
/** All bits. */
export const MODES = 63;

// PatrolRoute.mode: what follows the last point.
/** The route backwards. */
export const ROUTE_BACK = 0;
/** The first point. */
export const ROUTE_LOOP = 1;
/** The order ends there. */
export const ROUTE_ONCE = 2;

// agents.avoidance: which avoidance the agent uses.
export const AVOID_NONE = 0;
export const AVOID_ORCA = 1;
export const AVOID_SAMPLED = 2;

// agents.passage: progress of an agent through a passage that is too narrow for two agents side by side (passages.ts).
export const PASSAGE_NONE = 0;
/** Such a passage is ahead. */
export const PASSAGE_AHEAD = 1;
/** It waits in front of the passage for its turn. */
export const PASSAGE_WAITS = 2;
/** It may enter. */
export const PASSAGE_ADMITTED = 3;
export const PASSAGE_INSIDE = 4;

/** Maximum number of neighbors stored for each agent; the nearest are kept. */
export const MAX_NEIGHBORS = 8;
/** Narrow portals ahead stored for each agent. */
export const NARROW_AHEAD = 2;
/** Points of a detour around standing bodies stored for each agent. */
export const WAY_POINTS = 8;
/** Numbers stored for each agent with `avoidance: 'sampled'` (avoidance/sampled.ts). */
export const SAMPLED_NUMBERS = 9;
/** Maximum number of wall segments stored for each agent; the nearest are kept. */
export const MAX_WALLS = 8;

/**
 * The columns of all agents. A row is valid when its slot is below `Crowd.slotCount` and its state is not
 * STATE_FREE. The name and stride of each column are part of the format of saved crowds
 * (save/fingerprint.ts).
 */
export interface AgentArrays {
  // Identity. Written by addAgent and removeAgent; `state` also by goals, use-links and air.
  /** 1 .. 65535: how often the slot was filled; part of the `AgentId`. */
  generation: Uint16Array;
  /** STATE_*. */
  state: Uint8Array;
  /** GOAL_*. */
  goalKind: Uint8Array;
  /** STATUS_*. */
  status: Uint8Array;
  /** AGENT_* bits. */
  flags: Uint8Array;

  // Options. Written by addAgent and setAgentOptions.
  /** AVOID_*. */
  avoidance: Uint8Array;
  /** Index into `Crowd.filters`. */
  filter: Uint8Array;
  /** 16 bits: what the agent is. */
  layers: Uint16Array;
  /** 16 bits: the agent avoids agents whose `layers` share a bit with it. */
  mask: Uint16Array;
  /** World units. */
  radius: Float64Array;
  /** World units. */
  height: Float64Array;
  /** World units per second. */
  maxSpeed: Float64Array;
  /** World units per second squared. */
  maxAcceleration: Float64Array;
  /** Degrees per second; Infinity turns immediately. */
  maxTurn: Float64Array;
  /** 0 .. 1: of two agents that meet, the one with more priority gives way less. */
  priority: Float64Array;
  /** Seconds: how far ahead collisions are avoided. */
  horizon: Float64Array;
  /** The parameters of AVOID_SAMPLED, in the order of `SAMPLED_KEYS` (avoidance/sampled.ts); 0 without the behavior. */
  sampled: Float64Array;
  /** How strongly it keeps its distance from neighbors (spacing.ts); 0: not at all. */
  separationWeight: Float64Array;
  /** World units: the gap up to which it senses other agents; 0: the default (nearby/reach.ts). */
  queryRange: Float64Array;
  /** World units: how far it looks for a shorter path (search/shorten.ts); 0: not at all. */
  pathOptimizationRange: Float64Array;
  /** World units: the option `arriveDistance`. */
  ownArriveDistance: Float64Array;
  /** World units: an agent this near to its goal has arrived. The distance of the order, or else the option. */
  arriveDistance: Float64Array;
  /** MODE_* bits. Written by orders, too. */
  modes: Uint8Array;
  /** World units per second: the maximum speed of a paused agent. */
  resumeSpeed: Float64Array;

  // Motion. Each step of a tick reads the previous column: desired (steer, lanes), chosen (avoid), velocity
  // and position (integrate).
  /** xyz on the mesh; on a link, a point of the traversal. Also written by separate and use-links. */
  position: Float64Array;
  /** xyz of the previous tick, for interpolation. */
  previous: Float64Array;
  /** xz, world units per second: the movement of the last tick. */
  velocity: Float64Array;
  /** xz, unit length: the direction the agent faces. */
  heading: Float64Array;
  /** xz, world units per second: the velocity along the path, before avoidance. */
  desired: Float64Array;
  /** xz, world units per second: the velocity after avoidance. */
  chosen: Float64Array;
  /** Dense index of the polygon under the agent; -1: none. */
  poly: Int32Array;
  /** The `PolyRef` of `poly`. */
  polyRef: Float64Array;

  // The order. Written by orders; goals.ts moves it along with its target.
  /** xyz: a point on the mesh, or the velocity of GOAL_VELOCITY. */
  goal: Float64Array;
  /** Dense index of the polygon of `goal`; -1: none. In a free slot: the next free slot, or -1. */
  goalPoly: Int32Array;
  /** The `PolyRef` of `goalPoly`. */
  goalRef: Float64Array;
  /** The `AgentId` to follow (GOAL_AGENT). */
  goalAgent: Float64Array;
  /** World units: the distance to keep from `goalAgent`, center to center. */
  followDistance: Float64Array;

  // The next corners of the corridor. Written by steer.
  /** xyz, xyz: the next corner and the one after it; equal when there is only one. */
  corners: Float64Array;
  /** CORNER_* (agents/corridor/types.ts): what the next corner is. */
  cornerKind: Uint8Array;
  /** The link end at the next corner (CORNER_LINK); -1: none. */
  cornerLinkEnd: Int32Array;
  /** World units: path length from the next corner to the end of the corridor. */
  pathLeft: Float64Array;
  /** xz, xz: directions from the next corner between which an agent sees it (nearby/corner-sight.ts). */
  sight: Float64Array;
  /**
   * Number of portals that the agent may pass before it has to find its corners again, plus 1; 0: it has to find them
   * now. Also written by integrate.
   */
  sightPortals: Uint8Array;

  // The patrol. Written by orders/patrol.ts and orders/patrol-step.ts.
  /** The point of its route that it goes to or waits at, numbered from 1; 0: it has no route. */
  patrolPoint: Int32Array;
  /** 1: it goes back along a 'there-and-back' route. */
  patrolBack: Uint8Array;
  /** The tick at which it leaves its point; 0: it has not come to rest there yet. */
  patrolTick: Int32Array;

  /** The number of its group, 1 .. maxAgents; 0: none. Written by orders. */
  group: Int32Array;

  // Surroundings. Written by nearby/walls.ts and nearby/neighbors.ts.
  /** x1, z1, x2, z2 of each wall, the walkable surface on its left; nearest first. */
  walls: Float64Array;
  wallCount: Uint8Array;
  /** xz: the position at which `walls` were collected. */
  wallCenter: Float64Array;
  /** The polygon on which `walls` were collected; -1: collect them again. */
  wallPoly: Int32Array;
  /** Slots, nearest first. */
  neighbors: Int32Array;
  neighborCount: Uint8Array;
  /** Squared distance in the plane to each neighbor. */
  neighborDistanceSq: Float64Array;

  // Progress. Written by orders, goals, steer and traffic.
  /** The tick of the last progress toward the goal. */
  progressTick: Int32Array;
  /** World units: the shortest remaining path length so far; Infinity: not measured. */
  progressLeft: Float64Array;
  /** World units: the longest remaining path length since then, forgotten slowly. */
  progressFar: Float64Array;
  /** The tick of the last order. */
  orderTick: Int32Array;
  /**
   * The first tick at which the next search (or search for a polygon, STATE_LOST) may run, or at which a settled agent
   * continues.
   */
  retryTick: Int32Array;
  /** The tick at which the last search was answered. Written by searches. */
  searchTick: Int32Array;
  /** World units: how far the target has moved since that search. Written by goals and searches. */
  targetDrift: Float64Array;

  // Right of way. Written by traffic and steer.
  /** The agent yields before this tick. */
  yieldUntil: Int32Array;
  /** The slot it yields to, its own slot while it returns to `restPoint` unasked; -1: neither. */
  yieldTo: Int32Array;
  /** xz: the point that it goes to in order to yield. */
  yieldPoint: Float64Array;
  /** xz: its resting position, to which it returns after yielding. */
  restPoint: Float64Array;
  /** The tick at which it came to rest; -1: it moves, or still slows down. */
  restTick: Int32Array;
  /** The slot of the agent next to which it settled, plus 1; 0: none, or that agent has left. */
  settledBy: Int32Array;
  /** World units: it stays while that agent is within this distance. */
  settledGap: Float64Array;
  /**
   * How often it was pushed away from its reason, or how many agents have continued before it in a chain
   * (settled-by.ts).
   */
  settledPushes: Uint8Array;

  // The detour around standing bodies. Written by go-around.
  /** xz of each point, the next one first. */
  way: Float64Array;
  /** Number of remaining points; 0: it follows its path. */
  wayCount: Uint8Array;
  /** The last tick at which it searched for a detour; 0: never. */
  wayTick: Int32Array;

  // Links. Written by use-links and link-queue.
  /** The link end it entered; -1: it is on no link. */
  linkEnd: Int32Array;
  /** The `LinkRef` of the link it is on. */
  linkRef: Float64Array;
  /** Seconds since it entered the link. */
  linkTime: Float64Array;
  /** Seconds of the whole traversal. */
  linkDuration: Float64Array;
  /** The link end it waits at; -1: none. */
  queueLinkEnd: Int32Array;
  /** The tick at which it began to wait. */
  queueTick: Int32Array;
  /** xyz: where the traversal began. */
  linkFrom: Float64Array;

  // Counterflow. Written by lanes and narrow.
  /** The last tick at which it knew of agents coming toward it; 0: never. */
  counterTick: Int32Array;
  /** Narrow portals ahead, numbered from 1 (nearby/narrow-portals.ts); 0: none. */
  narrow: Int32Array;
  /** xz: the middle of the first narrow portal. */
  narrowAt: Float64Array;
  /** PASSAGE_*. Written by passages. */
  passage: Uint8Array;
  /** The tick at which it began to wait, or at which the turn began in which it was admitted. Written by passages. */
  passageTick: Int32Array;
}

/** Kinds of events. The guide *Crowds* explains each. */
export type AgentEventKind =
  | 'arrived'
  | 'settled'
  | 'blocked'
  | 'gave-up'
  | 'link-entered'
  | 'link-left'
  | 'lost'
  | 'found'
  | 'relocated';

/** Names of the event kinds, indexed by EVENT_*. */
export const EVENT_KINDS: readonly AgentEventKind[] = [
  'arrived',
  'settled',
  'blocked',
  'gave-up',
  'link-entered',
  'link-left',
  'lost',
  'found',
  'relocated',
];
// The first four are those of STATUS_ARRIVED .. STATUS_GAVE_UP, in their order (rest/arrive.ts).
export const EVENT_ARRIVED = 0;
export const EVENT_SETTLED = 1;
export const EVENT_BLOCKED = 2;
export const EVENT_GAVE_UP = 3;
export const EVENT_LINK_ENTERED = 4;
export const EVENT_LINK_LEFT = 5;
export const EVENT_LOST = 6;
export const EVENT_FOUND = 7;
export const EVENT_RELOCATED = 8;

/** Events of the last `stepCrowd` or `advanceCrowd`, in columns; the next call overwrites them. */
export interface EventList {
  count: number;
  /** EVENT_*. */
  kind: Uint8Array;
  slot: Int32Array;
}

/** The route of a patrol. */
export interface PatrolRoute {
  /** xyz of each point. */
  points: Float64Array;
  /** Seconds to wait at each point; -1: the agent passes it without a stop. */
  waits: Float64Array;
  /** The behavior after the last point: ROUTE_*. */
  mode: number;
}

/** Why the last `addAgent` added no agent. 'none': it succeeded. */
export type AddFailure = 'none' | 'full' | 'off-mesh';

/**
 * A crowd on one mesh. It is a plain record: read any field, but change it only through the functions of
 * `navkiln/crowd`.
 * @opaque mesh, filters, types, pathIndex, stepSeconds, tick, maxAgents, slotCount, agentCount, addFailure, agents, behaviors, searchBudget,
 *   passingSide, active, activeCount, searchCount
 */
export interface Crowd {
  mesh: NavMesh;
  /** Selected by `agents.filter`. */
  filters: QueryFilter[];
  /** Agent types, whose filters are the last of `filters`, in this order. */
  types: readonly AgentType[];
  /**
   * Index that finds paths where it matches the mesh. May be set to another index between ticks. Not part of a saved
   * crowd.
   */
  pathIndex: PathIndex | undefined;
  /** Seconds per tick. */
  stepSeconds: number;
  /** Number of ticks since the crowd was created (see clock.ts). */
  tick: number;
  /** [0]: seconds that `advanceCrowd` has not yet stepped. */
  time: Float64Array;
  /** The number of slots. */
  maxAgents: number;
  /** The number of slots that were ever used; all others are free. */
  slotCount: number;
  agentCount: number;
  /** The first free slot below `slotCount`, or -1. Free slots form a list through `goalPoly`. */
  freeSlot: number;
  /** Why the last `addAgent` returned `NULL_AGENT`; 'none' after a success. Neither saved nor hashed. */
  addFailure: AddFailure;
  agents: AgentArrays;
  /** xz of each slot's heading before the last tick, for interpolation. Neither saved nor hashed. */
  previousHeading: Float64Array;
  /** The corridor of each slot that was ever used. */
  corridors: PathCorridor[];
  /** The parameters of each slot with AVOID_SAMPLED, created from the column `sampled`; undefined for other slots. */
  sampledParams: (SampledParams | undefined)[];
  /**
   * The route of each slot that patrols or has queued points (`agents.patrolPoint` above 0); null or absent for all
   * others.
   */
  patrols: (PatrolRoute | null)[];
  /** False: no agent is in a group. */
  hasGroups: boolean;
  searches: Searches;
  /** What the crowd can do beyond its core. Functions, so a crowd moves to another thread by `saveCrowd` only. */
  behaviors: Behaviors<Crowd>;
  /** The number of polygons that searches may expand in a tick. */
  searchBudget: number;
  /** The side on which agents pass each other: -1 right, 0 none, 1 left. */
  passingSide: number;
  /** `mesh.revision` at the last tick; the agents find their polygons again when it differs. */
  meshRevision: number;
  linkTraffic: LinkTraffic[];
  events: EventList;
  /** Slots of all agents, ascending. Rebuilt every tick. */
  active: Int32Array;
  activeCount: number;
  /** Slots of the agents that decide in this tick (turns.ts), ascending. Rebuilt every tick. */
  thinking: Int32Array;
  thinkingCount: number;
  /** The number of searches answered since the crowd was created. */
  searchCount: number;
}

/** Something that a crowd can do beyond its core, for `createCoreCrowd`: code for some places of a tick. */
export type Behavior = Readonly<Behaviors<Crowd>>;
