/**
 * The records of a crowd's searches: the queue, the search in progress, and the fields that agents with one
 * goal share.
 *
 *   requestPath -> turn, queue -> current -> A* (state) or a shared field (fields) -> the agent's corridor
 *
 * Indices of polygons are dense. A record is valid only while its `revision` equals `mesh.revision`. Points
 * are xyz in world units.
 */
import type { MinHeap } from '../../../base/data/min-heap.ts';
import type { QueryFilter } from '../../../query/filter.ts';
import type { SearchState } from '../../../query/search-state.ts';

/** The search in progress, for one of the agents in the queue. Written by search/searches.ts. */
export interface Search {
  /** The agent's slot; -1: no search is in progress. */
  slot: number;
  /** SEARCH_* (search/record.ts): which algorithm answers it. */
  kind: number;
  /** Index into `Searches.fields` (SEARCH_FIELD). */
  field: number;
  /** Index into `Crowd.filters`. */
  filter: number;
  /** `mesh.revision` when the search began. */
  revision: number;
  /** Polygon and position of the agent when the search began. */
  startPoly: number;
  start: Float64Array;
  /** The agent's goal when the search began. */
  wanted: Float64Array;
  /** Polygon and point the path leads to: `wanted`, or the nearest reachable point to it. */
  goalPoly: number;
  goal: Float64Array;
  /** 0: the path leads to `wanted`. DETOUR_* (search/record.ts): why it leads elsewhere. */
  detour: number;
  /** How often the mesh changed during this search. */
  restarts: number;
}

/** The last result of `findNearestOnIsland` for an unreachable goal. Valid within one tick. */
export interface Landed {
  tick: number;
  /** The root of the agent's island. */
  root: number;
  /** Index into `Crowd.filters`. */
  filter: number;
  /** The unreachable goal. */
  goal: Float64Array;
  /** Polygon and point of the island nearest to `goal`; poly is -1 when there is none. */
  poly: number;
  point: Float64Array;
}

/** A goal that a search could not reach. */
export interface UnreachableGoal {
  /** `mesh.revision` of that search; -1: the record is empty. */
  revision: number;
  /** Index into `Crowd.filters`. */
  filter: number;
  goalPoly: number;
  /** The polygon at which the search came nearest to the goal. */
  poly: number;
}

/** All searches of a crowd. Part of saved crowds (save/search.ts). */
export interface Searches {
  /** queue[0 .. queueCount - 1]: slots that wait, in the order they are answered. */
  queue: Int32Array;
  queueCount: number;
  /** For each slot: TURN_NONE, TURN_ASKED or TURN_QUEUED (search/record.ts). */
  turn: Uint8Array;
  /** The number of slots with TURN_ASKED. */
  askedCount: number;
  current: Search;
  /** The nodes of A*. */
  state: SearchState;
  fields: GoalField[];
  /** For each field: the tick at which it began. */
  fieldBegun: Int32Array;
  /** For each field: the last tick at which it answered a search. */
  fieldUsed: Int32Array;
  /** Remaining budget of this tick, in polygons; may become negative. */
  left: number;
  landed: Landed;
  /** A ring of UNREACHABLE_COUNT records. */
  unreachable: UnreachableGoal[];
  /** Index of the record to overwrite next. */
  nextUnreachable: number;
  /** For each polygon: how many queued agents have their goal on it. All 0 between ticks. */
  goalCount: Int32Array;
}

/**
 * A search backward from one goal that answers any number of starts (search/goal-field.ts).
 *
 * A node is a polygon together with one of its crossings; its cost is that of the path that enters the
 * polygon there. The nodes of a polygon are adjacent: they start at polyNode[poly] and end where nodePoly
 * changes.
 */
export interface GoalField {
  /** The goal's polygon; -1: the field is empty. */
  goalPoly: number;
  goal: Float64Array;
  /** `mesh.revision` when the field began. */
  revision: number;
  /** A copy of the filter when the field began, with all fields. It is replaced and never changed; another filter needs another field. */
  filter: QueryFilter;
  /** The number of nodes expanded so far. */
  expandedCount: number;

  /** The number of this field; polyNode[poly] is valid when polyStamp[poly] equals it. */
  stamp: number;
  polyStamp: Int32Array;
  /** For each polygon: its first node. */
  polyNode: Int32Array;

  nodeCount: number;
  /** The node's polygon. */
  nodePoly: Int32Array;
  /** The crossing, as a path that leaves the polygon takes it; see mesh/crossing.ts. */
  nodeCrossing: Int32Array;
  /** The polygon on the other side of the crossing. */
  nodeOther: Int32Array;
  /** The node of the same crossing in `nodeOther`; -1: not known yet. */
  nodeTwin: Int32Array;
  /** The node by which the best path from here leaves this polygon; -1: the goal is in this polygon. */
  nodeExit: Int32Array;
  /** 0, NODE_SETTLED or NODE_SKIPPED (search/goal-field.ts). */
  nodeDone: Uint8Array;
  /** xyz: the middle of the crossing. */
  nodePoint: Float64Array;
  /** The cost of the path from that point to the goal. */
  nodeCost: Float64Array;
  heap: MinHeap;
}

/** A path before a change of the mesh. */
export interface OldPath {
  count: number;
  /** Its length from the exit of its first polygon, world units. */
  length: number;
  cost: number;
}
