/**
 * Calls the methods of filters: `passes` for a polygon, `cost` for a segment of a path.
 *
 * While a method runs, `filterMethods.isRunning` is set, and queries throw. The error is thrown again after the method, so
 * that a method that catches it cannot hide it.
 *
 * In: a filter with methods. Out: what they return.
 * Cost: that of the methods.
 * Based on: own.
 */
import { refuse } from '../base/data/refuse.ts';
import type { NavMesh } from '../mesh/types.ts';
import { filterMethods, refuseInMethod } from './filter.ts';
import type { FilterMethods, PathSegment, QueryFilter } from './filter.ts';

/** The query that a method of a filter called; '': none. */
let refusedQuery = '';

/** Lets queries call methods of filters. @internal */
export function enableFilterMethods(): void {
  filterMethods.refuse = refuseQuery;
  filterMethods.passes = (filter, mesh, poly) => callMethod(filter, mesh, poly) as boolean;
  filterMethods.cost = costBetween;
}

function refuseQuery(caller: string): never {
  refusedQuery = caller;
  throw new RangeError(`${caller}: the caller is a method of a filter; must be called outside of queries`);
}

/** Calls `passes` for a polygon, or `cost` for `segment` when `poly` is -1. */
function callMethod(filter: QueryFilter, mesh: NavMesh, poly: number): boolean | number {
  refuseInMethod('QueryFilter');
  filterMethods.isRunning = true;
  refusedQuery = '';
  try {
    return poly < 0 ? filter.cost!(mesh, segment) : filter.passes!(mesh, poly);
  } finally {
    filterMethods.isRunning = false;
    if (refusedQuery !== '') refuseQuery(refusedQuery);
  }
}

/**
 * The segment that is passed to every `cost`. It is one shared record. A query fills it and calls `costOf`, which sets
 * the length. @internal
 */
export const segment: PathSegment = {
  poly: -1,
  previous: -1,
  next: -1,
  from: new Float64Array(3),
  to: new Float64Array(3),
  // With NaN, V8 stores the field as a double from the start.
  length: NaN,
};

/** Sets the polygons of `segment`: dense indices, -1 for none. @internal */
export function setSegmentPolys(previous: number, poly: number, next: number): void {
  segment.previous = previous;
  segment.poly = poly;
  segment.next = next;
}

/** Returns the cost of `segment`, whose polygons and points are set. @internal */
export function costOf(filter: QueryFilter, mesh: NavMesh): number {
  const { from, to } = segment;
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const dz = to[2] - from[2];
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (filter.cost === undefined) return filter.areaCosts[mesh.polyArea[segment.poly]] * length;
  segment.length = length;
  const cost = callMethod(filter, mesh, -1) as number;
  if (typeof cost !== 'number' || !(cost >= 0)) refuse('QueryFilter', 'the result of cost()', cost, 'a number >= 0');
  return cost;
}

// oxlint-disable-next-line max-params -- the signature of `costBetween` of filter.ts
const costBetween: FilterMethods['cost'] = (filter, mesh, previous, poly, next, from, fromAt, to, toAt) => {
  setSegmentPolys(previous, poly, next);
  for (let k = 0; k < 3; k++) {
    segment.from[k] = from[fromAt + k];
    segment.to[k] = to[toAt + k];
  }
  return costOf(filter, mesh);
};
