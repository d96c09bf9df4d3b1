/**
 * What a crowd can do beyond its core: one field for each place at which a tick calls optional code.
 *
 * A behavior is a record with some of these fields. A crowd merges the behaviors that it was created with into one
 * record, `Crowd.behaviors`, and orders add what they need. A tick does nothing where a field is missing. So programs
 * contain the code of the behaviors that they use, and no step imports another one.
 *
 * In, out, cost: those of each function. Based on: own.
 */
import type { Corridor } from '../../../query/path/corridor.ts';
import type { QueryFilter } from '../../../query/filter.ts';
import type { AvoidanceScene } from '../avoidance/scene.ts';
import type { SampledOptions, SampledParams } from '../avoidance/sampled.ts';
import type { OldPath } from './search-types.ts';

/** The limits of a link. A link without a record carries any number of agents, each at its own speed. */
export interface LinkTraffic {
  /** The `LinkRef`. */
  ref: number;
  /** The number of agents that may be on the link at the same time. */
  capacity: number;
  /** Seconds of a traversal; 0: the length of the link divided by the agent's speed. */
  seconds: number;
}

/** Circles of agents within their polygons: nearby/poly-room.ts. */
export interface PolyRooms {
  /** One row per slot; nearby/poly-room.ts has the offsets. */
  rows: Float64Array;
  /** Per slot: the polygon of its circle; -1: none. */
  poly: Int32Array;
  /** `mesh.revision` at which the circles were measured. */
  revision: number;
}

/** The behaviors of a crowd of type `Crowd`, merged. */
export interface Behaviors<Crowd> {
  /** Continues patrols and routes: orders/patrol-step.ts. */
  continuePatrols?: (crowd: Crowd) => void;
  /** Returns the most points of an agent's route or queue of orders. Default: 1024. Pass it as `{ maxRoutePoints: () => 200 }`. */
  maxRoutePoints?: () => number;
  /** Measures the remaining paths of groups: orders/group-pace.ts. */
  measureGroups?: (crowd: Crowd) => void;
  /** Lets agents into narrow passages in turns: narrow/passages.ts. */
  takeTurns?: (crowd: Crowd) => void;
  /** Keeps agents to one side of narrow passages: narrow/lanes.ts. */
  keepLanes?: (crowd: Crowd) => void;
  /** Lets agents enter, cross and leave links: links/use-links.ts. */
  useLinks?: (crowd: Crowd) => void;
  /** Refuses options of an agent that need another behavior: create-core.ts. */
  checkAgent?: (crowd: Crowd, options: { separationWeight?: number; detail?: 'full' | 'low' }, caller: string) => void;
  /** Follows changes of the mesh: follow-mesh.ts; refuses them: create-core.ts. */
  followMesh?: (crowd: Crowd) => void;
  /** Takes agents at ease out of the list of those that decide in this tick: motion/ease.ts. */
  skipAtEase?: (crowd: Crowd) => void;
  /** Returns whether all agents sleep, so that nothing changes in this tick: nearby/sleepers.ts. */
  areAllAsleep?: (crowd: Crowd) => boolean;
  /** Lets agents at rest sleep, and wakes them. */
  markSleepers?: (crowd: Crowd) => void;
  /** Decides when agents rest: rest/arrive.ts, or traffic/traffic.ts. */
  updateRest?: (crowd: Crowd) => void;

  /** Returns the speed of a member of a group in this tick. */
  paceOf?: (crowd: Crowd, slot: number) => number;
  /** Moves the goal of a follower to the agent that it follows: search/pursue.ts. */
  pursue?: (crowd: Crowd, slot: number) => void;
  /** Returns the settings of a link (index), or undefined when it has none: links/link-queue.ts. */
  linkTrafficOf?: (crowd: Crowd, link: number) => LinkTraffic | undefined;
  /** Lets an agent whose next corner is a link with limited capacity join its queue. */
  queueAtLink?: (crowd: Crowd, slot: number) => void;
  /** Lets waiting agents enter links with limited capacity. */
  serveLinks?: (crowd: Crowd) => void;
  /** Notes the narrow portals ahead of an agent: nearby/narrow-portals.ts. */
  noteNarrow?: (crowd: Crowd, slot: number) => void;
  /** Returns the circles of a crowd's agents within their polygons: nearby/poly-room.ts. */
  polyRoomsOf?: (crowd: Crowd) => PolyRooms;
  /** Measures the circle of an agent around a point, unless it was measured near it. */
  measureRoom?: (rooms: PolyRooms, crowd: Crowd, slot: number, point: Float64Array) => void;
  /** Tests quickly whether avoidance would keep the desired velocity: motion/unhindered.ts. */
  isUnhindered?: (crowd: Crowd, slot: number) => boolean;
  /** Notes from where an agent sees its corner: nearby/corner-sight.ts. */
  noteSight?: (crowd: Crowd, slot: number, nextKind: number) => void;
  /** Returns whether an agent still sees its corner. */
  seesCorner?: (crowd: Crowd, slot: number) => boolean;
  /** Returns whether an agent has noticed counterflow lately: nearby/counterflow.ts. */
  knowsOfCounterflow?: (crowd: Crowd, slot: number) => boolean;
  /** Returns whether an agent before a narrow portal stands rather than take a velocity: motion/stop-and-go.ts. */
  standsStill?: (chosen: Float64Array, crowd: Crowd, slot: number) => boolean;
  /** Turns the desired velocity of an agent with a separation weight: motion/spacing.ts. */
  keepSpacing?: (crowd: Crowd, slot: number) => void;
  /** Steers around agents that stand or move slowly ahead: avoidance/detour.ts. */
  takeDetour?: (out: Float64Array, scene: AvoidanceScene) => void;
  /** Steers between standing bodies. */
  passStanding?: (out: Float64Array, scene: AvoidanceScene) => void;
  /** Chooses a velocity by samples, for agents with `avoidance: 'sampled'`: avoidance/sampled.ts. */
  sample?: (out: Float64Array, scene: AvoidanceScene, params: SampledParams) => void;
  /** Returns the parameters for these options. */
  resolveSampled?: (options: SampledOptions, caller: string, path: string) => SampledParams;
  /** Stores parameters in a column, from the index `at`. */
  storeSampled?: (out: Float64Array, at: number, params: SampledParams) => void;

  /** Steers an agent along its detour around standing bodies: traffic/go-around.ts. False: the detour is over. */
  steerAlongWay?: (crowd: Crowd, slot: number) => boolean;
  /** Steers a yielding agent aside, and an agent at rest back to its resting position: traffic/keep-place.ts. */
  keepPlace?: (crowd: Crowd, slot: number) => void;
  /** Returns whether a blocked agent rests beside others: traffic/review.ts. */
  staysBlocked?: (crowd: Crowd, slot: number) => boolean;
  /** Returns whether a settled agent has a reason to stay: rest/settled-by.ts. */
  staysSettled?: (crowd: Crowd, slot: number) => boolean;
  /** Returns the filter of a search, with the costs of standing bodies: search/body-costs.ts. */
  weighBodies?: (crowd: Crowd, slot: number, filter: QueryFilter) => QueryFilter;

  /** Shortens the path of an agent: search/shorten.ts. Returns whether the path has changed. */
  shortenPath?: (crowd: Crowd, slot: number, ticks: number) => boolean;
  /** Copies the path of an agent before a change of the mesh: search/repair.ts. */
  keepPath?: (out: OldPath, crowd: Crowd, slot: number) => void;
  /** Repairs the path of an agent after a change of the mesh. Returns the number of visited polygons; 0: it failed. */
  repairPath?: (crowd: Crowd, slot: number, old: OldPath, budget: number) => number;
  /** Adds `by` to the count of each goal in the queue of searches: search/fields.ts. */
  countGoals?: (crowd: Crowd, queueCount: number, by: number) => void;
  /** Returns the index of the field that answers the current search; -1: none does. */
  chooseField?: (crowd: Crowd) => number;
  /** Continues the search of a field: FIELD_*. */
  answerByField?: (found: Corridor, crowd: Crowd, slot: number, position: Float64Array) => number;
}

/**
 * Adds a behavior to a crowd that lacks it. The record is replaced, since V8 looks fields up slowly in an object that has
 * grown by many. @internal
 */
export function addBehavior<Crowd>(crowd: { behaviors: Behaviors<Crowd> }, behavior: Behaviors<Crowd>): void {
  for (const key of Object.keys(behavior) as (keyof Behaviors<Crowd>)[]) {
    if (crowd.behaviors[key] === behavior[key]) continue;
    crowd.behaviors = { ...crowd.behaviors, ...behavior };
    return;
  }
}
