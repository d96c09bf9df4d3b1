/** TODO: header. */
import type { MinHeap } from '../../data/min-heap.ts';
import type { QueryFilter } from '../../query/filter.ts';
import type { SearchState } from '../../query/search-state.ts';

/** The search under way: the answer to the first in the queue. */
export interface Search {
  /** Whose it is, -1: nobody's. */
  slot: number;
  kind: number;
  /** Of `fields`. */
  field: number;
  filter: number;
  /** Of the mesh, when it began. */
  revision: number;
  /** Where the agent was then: dense index, xyz. */
  startPoly: number;
  start: Float64Array;
  /** Its goal then. */
  wanted: Float64Array;
  /** Where the path leads: that goal, or the ground nearest to it. */
  goalPoly: number;
  goal: Float64Array;
  /** 0: the path leads to the goal; DETOUR_*: to what is nearest to it, and why. */
  detour: number;
  /** How often the mesh has changed under this agent's search. */
  restarts: number;
}

/** Where ground was looked for last that takes the place of a goal on another island: holds within a tick. */
export interface Landed {
  tick: number;
  root: number;
  filter: number;
  goal: Float64Array;
  /** -1: there is none. */
  poly: number;
  point: Float64Array;
}

/** A goal that a search could not reach, and where it came nearest to it. */
export interface UnreachableGoal {
  /** Of the mesh then; -1: there is none. */
  revision: number;
  filter: number;
  goalPoly: number;
  poly: number;
}

export interface Searches {
  /** queue[0 .. queueCount - 1]: slots that wait, first come first. */
  queue: Int32Array;
  queueCount: number;
  /** Of each slot: 0, it does not wait; 1, it has asked since the last tick; 2, it is in the queue. */
  turn: Uint8Array;
  askedCount: number;
  current: Search;
  state: SearchState;
  fields: GoalField[];
  /** Of each field: the tick it began, and the last tick it answered. */
  fieldBegun: Int32Array;
  fieldUsed: Int32Array;
  /** Polygons left to be expanded in this tick. */
  left: number;
  landed: Landed;
  unreachable: UnreachableGoal[];
  /** The one to be overwritten next. */
  nextUnreachable: number;
  /** How many in the queue go to each polygon; all 0 between ticks. */
  goalCount: Int32Array;
}

export interface GoalField {
  /** Dense index of the goal's polygon; -1: there is no field. */
  goalPoly: number;
  /** xyz. */
  goal: Float64Array;
  /** Of the mesh, when the search began. */
  revision: number;
  /** As the filter was then. */
  areaCosts: Float64Array;
  includeFlags: number;
  excludeFlags: number;
  passes: QueryFilter['passes'];
  cost: QueryFilter['cost'];
  /** Crossings looked through so far. */
  expandedCount: number;

  /** Of each polygon: the field it was reached in, and the first of its nodes. */
  stamp: number;
  polyStamp: Int32Array;
  polyNode: Int32Array;

  /** A polygon's nodes lie side by side, one for each of its crossings that is not a wall. */
  nodeCount: number;
  nodePoly: Int32Array;
  /** How the polygon is left there (see navmesh/crossing.ts), to which polygon: as a node it is entered from there. */
  nodeCrossing: Int32Array;
  nodeOther: Int32Array;
  /** The same crossing seen from the other side, once it is known; -1. */
  nodeTwin: Int32Array;
  /** Of a way from here to the goal: the node of the same polygon by which it leaves; -1: it ends in this polygon. */
  nodeExit: Int32Array;
  /** NODE_SETTLED: its cost will not change. */
  nodeDone: Uint8Array;
  /** xyz: where the polygon is entered. */
  nodePoint: Float64Array;
  nodeCost: Float64Array;
  heap: MinHeap;
}
