/**
 * Records the search for a shortest path node by node, to draw it. Each node is a part of an edge that is visible from
 * a corner.
 *
 * In: a mesh, two points, path options.
 * Out: the nodes in the order in which they were found, and the order in which they were expanded.
 * Cost: number of expansions times number of open nodes.
 * Based on: own. It runs the library's search in slices of one node.
 */
import { checkKeys, refuse } from '../base/data/refuse.ts';
import type { PointLike } from '../base/math/point.ts';
import { setHeight } from '../mesh/ground.ts';
import type { NavMesh } from '../mesh/types.ts';
import { createOptimalBuffer, defaultMaxNodes, findOptimalPath, startOptimal } from '../query/optimal/optimal.ts';
import type { OptimalPath } from '../query/optimal/optimal.ts';
import { runOptimal } from '../query/optimal/search.ts';
import {
  ESTIMATE,
  FLAGS,
  IS_FAN,
  LEFT,
  LENGTH,
  LINK_STRIDE,
  NODE_STRIDE,
  PARENT,
  POLY,
  RIGHT,
  ROOT,
  createOptimalState,
} from '../query/optimal/state.ts';
import { PATH_KEYS, createPathQuery, readPathQuery } from '../query/path/find-path.ts';
import type { PathOptions } from '../query/path/find-path.ts';

type Place = [x: number, y: number, z: number];

/** A part of an edge that is visible from the last corner of a path. */
export interface OptimalSearchNode {
  /** The polygon that the path enters there, a dense index. */
  poly: number;
  /** The node from which it was found; -1: it is a start. */
  parent: number;
  /** The last corner of the path, and the ends of the visible part. For a start, all three are at the same position. */
  root: Place;
  right: Place;
  left: Place;
  /** Length of the path up to the root, seen from above. */
  length: number;
  /** Lower bound of the length of a path through the node to the end; Infinity: the node was skipped immediately. */
  estimate: number;
  /** Whether it was kept, to be expanded later. All other nodes reach the end, or cannot lead to a shorter path. */
  isKept: boolean;
}

/** The steps of a search for the shortest path. */
export interface OptimalSearchRecord {
  nodes: OptimalSearchNode[];
  /** order[s] is the node that the step s expands. */
  order: number[];
  /** counts[s] is the number of nodes after s steps. */
  counts: number[];
  /** best[s] is the node at which the shortest path after s steps reaches the end; -1: no path has reached it. */
  best: number[];
  path: OptimalPath;
  /** Whether the search was longer than the record. */
  isCut: boolean;
}

/** Default of the maximum number of recorded steps. */
const MOST_STEPS = 20_000;

/**
 * Records the search of `findOptimalPath`. Returns undefined when there is no such search: an end is off the mesh, or
 * area costs differ.
 *
 * @param maxSteps maximum number of recorded expansions; default 20,000
 * @throws RangeError, TypeError for invalid arguments and unknown options, as `findOptimalPath`
 */
export function recordOptimalSearch(
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: PathOptions = {},
  maxSteps: number = MOST_STEPS,
): OptimalSearchRecord | undefined {
  checkKeys('recordOptimalSearch', options, PATH_KEYS);
  const query = createPathQuery();
  readPathQuery(query, mesh, start, end, options, 'recordOptimalSearch');
  if (!(Number.isInteger(maxSteps) && maxSteps > 0)) {
    refuse('recordOptimalSearch', 'maxSteps', maxSteps, 'a whole number above 0');
  }
  const path = findOptimalPath(mesh, start, end, options);
  const ends = createOptimalBuffer();
  const state = createOptimalState();
  if (!startOptimal(ends, state, mesh, query)) return undefined;
  const most = Math.min(maxSteps, options.maxNodes ?? defaultMaxNodes(mesh));
  const record: OptimalSearchRecord = { nodes: [], order: [], counts: [], best: [], path, isCut: false };
  const { nodes } = record;
  const place = new Float64Array(3);
  const placeAt = (offset: number, poly: number): Place => {
    place[0] = state.node[offset];
    place[2] = state.node[offset + 1];
    setHeight(place, mesh, poly);
    return [place[0], place[1], place[2]];
  };
  const note = (isKept: boolean): void => {
    const open = new Set(state.heapNode.subarray(0, state.heapSize));
    while (nodes.length < state.nodeCount) {
      const item = nodes.length;
      const [at, it] = [NODE_STRIDE * item, LINK_STRIDE * item];
      const [poly, parent] = [state.link[it + POLY], state.link[it + PARENT]];
      const isStart = parent < 0;
      const isFan = (state.link[it + FLAGS] & IS_FAN) !== 0;
      const root = isStart ? (Array.from(ends.start.point) as Place) : rootOf(nodes[parent], state.node, at);
      nodes.push({
        poly,
        parent,
        root,
        right: isFan ? root : placeAt(at + RIGHT, poly),
        left: isFan ? root : placeAt(at + LEFT, poly),
        length: state.node[at + LENGTH],
        estimate: state.node[at + ESTIMATE],
        isKept: isKept || open.has(item) || item === state.held,
      });
    }
    record.counts.push(state.nodeCount);
    record.best.push(state.bestNode);
  };
  note(true);
  let next = state.heapSize > 0 && state.heapKey[0] < state.best[0] ? state.heapNode[0] : -1;
  while (next >= 0 && record.order.length < most) {
    record.order.push(next);
    state.isShort = false;
    runOptimal(state, mesh, query.filter, state.visitedCount + 1);
    note(false);
    next = state.isShort ? state.held : -1;
  }
  record.isCut = next >= 0;
  return record;
}

/** Returns the root of a node: the root of its parent, or an end of the parent's interval, where the path turns. */
function rootOf({ root, right, left }: OptimalSearchNode, node: Float64Array, at: number): Place {
  const [x, z] = [node[at + ROOT], node[at + ROOT + 1]];
  const isAt = (place: Place): boolean => place[0] === x && place[2] === z;
  return [root, right, left].find(isAt) ?? [x, right[1], z];
}
