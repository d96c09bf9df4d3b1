/**
 * Records a path search node by node: which node is expanded, which nodes open, and which open nodes get a
 * cheaper path.
 *
 * In: a mesh, two points and path options.
 * Out: events by step; one step is one expansion.
 * Cost: expansions times open nodes, because only nodes in the heap can change in a step and all of them are
 * compared.
 * Based on: own. It runs the library's search in slices of one node.
 */
import { continuePathSearch, getPathSearchResult, startPathSearch } from 'navkiln';
import type { NavMesh, Path, PathOptions, PointLike } from 'navkiln';

/** Maximum number of recorded expansions. */
const MAX_STEPS = 20_000;

export const OPENED = 0;
/** An open node with a cheaper path. */
export const IMPROVED = 1;
export const EXPANDED = 2;

export interface SearchRecord {
  mesh: NavMesh;
  /** Number of expansions. */
  steps: number;
  /** best[s] is the next node after s expansions. The last entry is the end, or -1 when no node was left. */
  best: number[];
  /** The events of step s are [eventEnd[s - 1], eventEnd[s]). Step 0 opens the start. */
  eventEnd: number[];
  eventKind: number[];
  eventNode: number[];
  eventCost: number[];
  eventParent: number[];
  /** By node: the point where it is entered, and its polygon. */
  nodeEntry: Map<number, readonly [number, number, number]>;
  nodePoly: Map<number, number>;
  /** The result of the search. */
  path: Path;
  /** The search was longer than the record. */
  isCut: boolean;
}

/**
 * Returns the polygon (dense index) of a node. Nodes are numbered: first polygons, then portals between
 * tiles, then link ends.
 */
function polyOfNode(mesh: NavMesh, node: number): number {
  if (node < mesh.polyCount) return node;
  const portal = node - mesh.polyCount;
  return portal < mesh.portalCount
    ? mesh.portalPoly[mesh.portalBack[portal]]
    : mesh.linkPoly[portal - mesh.portalCount];
}

/** Records a search, or returns undefined when an end is off the mesh. */
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
  const visit = (node: number): void => {
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
    if (state.best >= 0) visit(state.best);
    finishStep();
  };
  begin();
  while (search.status === 'searching' && record.steps < MAX_STEPS) {
    const expanded = state.best;
    continuePathSearch(search, 1);
    if (state.stamp !== stamp) {
      // The end is on another island: the search has restarted towards the nearest reachable point.
      begin();
      continue;
    }
    if (expanded >= 0) {
      note(EXPANDED, expanded);
      open.delete(expanded);
    }
    record.steps++;
    for (let i = 0; i < state.heapSize; i++) visit(state.heapNode[i]);
    if (state.best >= 0) visit(state.best);
    finishStep();
  }
  record.isCut = search.status === 'searching';
  record.path = getPathSearchResult(search);
  return record;
}
