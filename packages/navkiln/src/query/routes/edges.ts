/**
 * Edges of the route graph: lists of the gates in other cells to which each gate leads.
 */
import { grown } from './arrays.ts';
import type { RouteGraph } from './types.ts';

/** Adds an edge in both directions, and returns both. */
// oxlint-disable-next-line max-params -- an edge is two gates and three properties
export function addEdgePair(
  graph: RouteGraph,
  a: number,
  b: number,
  cost: number,
  linkEnd: number,
  isMajor: boolean,
): [number, number] {
  return [
    addEdge(graph, a, b, cost, linkEnd, isMajor),
    addEdge(graph, b, a, cost, linkEnd < 0 ? -1 : linkEnd ^ 1, isMajor),
  ];
}

// oxlint-disable-next-line max-params -- an edge is two gates and three properties
function addEdge(graph: RouteGraph, from: number, to: number, cost: number, link: number, isMajor: boolean): number {
  let edge = graph.edgeFree;
  if (edge >= 0) {
    graph.edgeFree = graph.edgeNext[edge];
  } else {
    edge = graph.edgeCount++;
    for (const name of ['edgeTo', 'edgeNext', 'edgeLink'] as const) graph[name] = grown(graph[name], edge + 1);
    graph.edgeCost = grown(graph.edgeCost, edge + 1);
    graph.edgeMajor = grown(graph.edgeMajor, edge + 1);
  }
  graph.edgeTo[edge] = to;
  graph.edgeCost[edge] = cost;
  graph.edgeLink[edge] = link;
  graph.edgeMajor[edge] = isMajor ? 1 : 0;
  graph.edgeNext[edge] = graph.gateEdge[from];
  graph.gateEdge[from] = edge;
  return edge;
}

/** Removes an edge from a gate, and the reverse edge. */
export function removeEdge(graph: RouteGraph, gate: number, edge: number): void {
  const other = graph.edgeTo[edge];
  const back = findEdge(graph, other, gate, graph.edgeLink[edge] ^ (graph.edgeLink[edge] < 0 ? 0 : 1));
  unlink(graph, gate, edge);
  if (back >= 0) unlink(graph, other, back);
}

function findEdge(
  { gateEdge, edgeTo, edgeNext, edgeLink }: RouteGraph,
  from: number,
  to: number,
  link: number,
): number {
  let edge = gateEdge[from];
  while (edge >= 0 && (edgeTo[edge] !== to || edgeLink[edge] !== link)) edge = edgeNext[edge];
  return edge;
}

function unlink(graph: RouteGraph, gate: number, edge: number): void {
  const { gateEdge, edgeNext } = graph;
  if (gateEdge[gate] === edge) {
    gateEdge[gate] = edgeNext[edge];
  } else {
    let before = gateEdge[gate];
    while (edgeNext[before] !== edge) before = edgeNext[before];
    edgeNext[before] = edgeNext[edge];
  }
  edgeNext[edge] = graph.edgeFree;
  graph.edgeFree = edge;
}
