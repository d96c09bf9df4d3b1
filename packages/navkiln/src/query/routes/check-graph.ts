/** Checks the route graphs that callers pass. */
import { refuseType } from '../../base/data/refuse.ts';
import type { RouteGraph } from './types.ts';

/** Throws a TypeError unless `graph` is a route graph. */
export function checkGraph(caller: string, graph: RouteGraph): void {
  const isGraph =
    typeof graph === 'object' && graph !== null && graph.slots instanceof Map && ArrayBuffer.isView(graph.origin);
  if (!isGraph) refuseType(caller, 'graph', graph, 'a route graph of buildRouteGraph or openRouteGraph');
}
