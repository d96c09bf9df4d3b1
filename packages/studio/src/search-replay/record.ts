/**
 * A search for a path, written down node by node: which polygon was expanded when, which came into the list
 * of open ones, which were found again by a cheaper way.
 *
 * In: the question. Out: events by step, one step being one expansion. After each the nodes of the heap are
 * looked through for what is new, as nothing else can have changed.
 * Cost: expansions times open nodes; a few ms on levels of some thousand polygons.
 * Based on: own; the search is the library's, in slices of one node.
 */
import { continuePathSearch, getPathSearchResult, startPathSearch } from 'navkiln';
import type { NavMesh, Path, PathOptions, PointLike } from 'navkiln';

/** More expansions than that are not written down. */
const MAX_STEPS = 20_000;

export const OPENED = 0;
/** Was open, and has a cheaper way now. */
export const IMPROVED = 1;
export const EXPANDED = 2;

export interface SearchRecord {
  mesh: NavMesh;
  /** Expansions. */
  steps: number;
  /** best[s]: the node that is next after s expansions; the last is the end, or -1: no node was left. */
  best: number[];
  /** Events of step s are [eventEnd[s - 1], eventEnd[s]); those of step 0: the start is opened. */
  eventEnd: number[];
  eventKind: number[];
  eventNode: number[];
  eventCost: number[];
  eventParent: number[];
  /** By node: where it is entered, xyz, and its polygon. */
  nodeEntry: Map<number, readonly [number, number, number]>;
  nodePoly: Map<number, number>;
  /** What the search has found. */
  path: Path;
  /** It went on for longer than is written down. */
  isCut: boolean;
}

/** Polygon (dense index) of a node: polygons come first, then entrances over tiles, then ends of links. */
function polyOfNode(mesh: NavMesh, node: number): number {
  if (node < mesh.polyCount) return node;
  const portal = node - mesh.polyCount;
  return portal < mesh.portalCount
    ? mesh.portalPoly[mesh.portalBack[portal]]
    : mesh.linkPoly[portal - mesh.portalCount];
}

/** undefined: an end is not on the mesh, so nothing is searched. */
export function recordSearch(
  mesh: NavMesh,
  from: PointLike,
  to: PointLike,
  options: PathOptions = {},
): SearchRecord | undefined {
  const search = startPathSearch(mesh, from, to, options);
  if (search.status !== 'searching') return undefined;
  const { state } = search;
  const record: SearchRecord = {
    mesh,
    steps: 0,
    best: [],
    eventEnd: [],
    eventKind: [],
    eventNode: [],
    eventCost: [],
    eventParent: [],
    nodeEntry: new Map(),
    nodePoly: new Map(),
    path: getPathSearchResult(search),
    isCut: false,
  };
  let costs = new Map<number, number>();
  let open = new Set<number>();
  let stamp = state.stamp;
  const note = (kind: number, node: number): void => {
    const cost = state.nodeCost[node];
    record.eventKind.push(kind);
    record.eventNode.push(node);
    record.eventCost.push(cost);
    record.eventParent.push(state.nodeParent[node]);
    costs.set(node, cost);
    record.nodeEntry.set(node, [state.node[4 * node], state.node[4 * node + 1], state.node[4 * node + 2]]);
    record.nodePoly.set(node, polyOfNode(mesh, node));
  };
  const look = (node: number): void => {
    if (!open.has(node)) note(OPENED, node);
    else if (state.nodeCost[node] < costs.get(node)!) note(IMPROVED, node);
    open.add(node);
  };
  const finishStep = (): void => {
    record.best.push(state.best);
    record.eventEnd.push(record.eventKind.length);
  };
  const begin = (): void => {
    stamp = state.stamp;
    costs = new Map();
    open = new Set();
    for (const list of [
      record.best,
      record.eventEnd,
      record.eventKind,
      record.eventNode,
      record.eventCost,
      record.eventParent,
    ]) {
      list.length = 0;
    }
    record.steps = 0;
    if (state.best >= 0) look(state.best);
    finishStep();
  };
  begin();
  while (search.status === 'searching' && record.steps < MAX_STEPS) {
    const expanded = state.best;
    continuePathSearch(search, 1);
    if (state.stamp !== stamp) {
      // It has turned out that the end is on another island: a search to where this one comes nearest began.
      begin();
      continue;
    }
    if (expanded >= 0) {
      note(EXPANDED, expanded);
      open.delete(expanded);
    }
    record.steps++;
    for (let i = 0; i < state.heapSize; i++) look(state.heapNode[i]);
    if (state.best >= 0) look(state.best);
    finishStep();
  }
  record.isCut = search.status === 'searching';
  record.path = getPathSearchResult(search);
  return record;
}
