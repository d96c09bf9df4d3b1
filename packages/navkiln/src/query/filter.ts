/**
 * Query filters: the polygons and links that a query may pass, and the cost of each area.
 *
 * A polygon or link passes when it has one of the included flags and none of the excluded flags. A path costs its
 * length in each polygon times the cost of the polygon's area. The methods `passes` and `cost` replace both, for one
 * call per polygon or segment.
 *
 * Queries share memory, so a query inside of a method would change the one that is running. Every query starts with
 * `refuseInMethod`, which throws while a method runs (filter-methods.ts).
 *
 * Based on: Detour's dtQueryFilter and its getCost (Mikko Mononen, 2009).
 */
import { linkOf, otherEnd } from '../mesh/crossing.ts';
import { AREA_COUNT, HEURISTIC_SCALE } from '../base/constants.ts';
import { refuse, refuseType } from '../base/data/refuse.ts';
import { KIND_SHIFT } from '../mesh/link-kinds.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED } from '../mesh/types.ts';
import { readSize } from '../mesh/sizes.ts';
import type { SizeLike } from '../mesh/sizes.ts';
import type { NavMesh } from '../mesh/types.ts';

/**
 * A segment of a path, from where it enters a polygon to where it leaves the polygon. `QueryFilter.cost` gets one
 * record, which is overwritten by the next call: read it, do not keep or change it. Polygons are dense indices, in the
 * direction of the path, also in searches that run backward.
 */
export interface PathSegment {
  /** The polygon that is crossed. */
  poly: number;
  /** The previous polygon, over an edge, a portal or a link; -1 where the path starts. */
  previous: number;
  /** The next polygon; -1 where the path ends. */
  next: number;
  /** Where the path enters the polygon or starts, xyz, world units. */
  readonly from: Float64Array;
  /** Where the path leaves the polygon or ends, xyz, world units. */
  readonly to: Float64Array;
  /** Distance from `from` to `to` in three dimensions, world units. */
  length: number;
}

/**
 * Selects the polygons and links that a query may use, and sets their costs. Create it with `createFilter`;
 * you may change the fields between queries.
 */
export interface QueryFilter {
  /** Cost per unit of length by area id, 64 numbers above 0. Infinity closes the polygons and links of an area. */
  areaCosts: Float64Array;
  /** 16 bits: a polygon needs one of these flags. */
  includeFlags: number;
  /** 16 bits: a polygon must have none of these flags. */
  excludeFlags: number;
  /**
   * Factor on the estimates of A*, finite and 0 or more. Estimates are straight distances times the smallest of
   * `areaCosts`. 0 searches without estimates (Dijkstra), which is correct for any `cost`. Above 1, the search is
   * faster and paths may be longer.
   */
  heuristicScale: number;
  /**
   * Decides in place of the flags whether a polygon (dense index) may be passed; polygons with flags 0 and of
   * closed areas stay closed. Called for each polygon that a query visits; slower than flags. A method that throws ends the
   * query. Queries inside of it throw.
   */
  passes?(mesh: NavMesh, poly: number): boolean;
  /**
   * Returns the cost of a segment, 0 or more, in place of the costs of areas. Estimates are correct if no cost is below
   * the segment's length times the smallest of `areaCosts`; otherwise set `heuristicScale` to 0. Links keep the cost of
   * their area. A method that throws ends the query. Queries inside of it throw.
   */
  cost?(mesh: NavMesh, segment: PathSegment): number;
  /**
   * On a mesh with sizes: the index of the agent's size in `mesh.sizes`. A polygon on which that size does not fit is
   * closed, even with `passes`. Default 0, the smallest size.
   */
  size?: number;
  /** Kinds of links that are closed, a bit for each: 1 other, 2 drop, 4 climb, 8 vault, 16 jump. Default 0. */
  closedLinks?: number;
}

/** Throws a TypeError unless `filter` is a QueryFilter. One with methods must come from `createFilter`, as their code does. @internal */
export function checkFilter(caller: string, filter: unknown, path: string = 'options.filter'): void {
  const { areaCosts, passes, cost } = (filter ?? {}) as Partial<QueryFilter>;
  if (!ArrayBuffer.isView(areaCosts) || ((passes ?? cost) && !filterMethods.cost))
    refuseType(caller, path, filter, 'a QueryFilter');
}

/** Returns the checked filter of a query's options, or the default filter, with the size of the options. @internal */
export function readFilter(
  caller: string,
  { filter = DEFAULT_FILTER, size }: { filter?: QueryFilter; size?: SizeLike },
  mesh: NavMesh,
): QueryFilter {
  checkFilter(caller, filter);
  return size === undefined ? filter : sizedFilter(filter, readSize(caller, mesh, size));
}

/** Returns a filter for another size. @internal */
export function sizedFilter(filter: QueryFilter, size: number): QueryFilter {
  return { ...filter, size };
}

/** Throws a RangeError unless `flags` fits into 16 bits. @internal */
export function checkFlags(flags: number, caller: string, path: string): void {
  if (!(Number.isInteger(flags) && flags >= 0 && flags <= 0xffff)) refuse(caller, path, flags, '16 bits, 0 .. 0xffff');
}

/**
 * Passes everything that has a flag, at cost 1. Must not be changed. It is written out, so that bundles need not
 * contain `createFilter`.
 */
export const DEFAULT_FILTER: QueryFilter = {
  areaCosts: new Float64Array(AREA_COUNT).fill(1),
  includeFlags: 0xffff,
  excludeFlags: 0,
  heuristicScale: HEURISTIC_SCALE,
  passes: undefined,
  cost: undefined,
  size: 0,
  closedLinks: 0,
};

/**
 * Returns the factor of straight distances in a search: the filter's scale times the smallest cost of any area. Throws
 * when a cost is not above 0 or the scale is below 0, because the search might not end.
 */
export function estimateScale(filter: QueryFilter): number {
  if (filter === DEFAULT_FILTER) return HEURISTIC_SCALE;
  const { areaCosts, heuristicScale } = filter;
  if (typeof heuristicScale !== 'number' || !(heuristicScale >= 0))
    refuse('QueryFilter', 'heuristicScale', heuristicScale, 'a number >= 0');
  let smallest = Infinity;
  for (let area = 0; area < AREA_COUNT; area++) {
    const cost = areaCosts[area];
    if (!(cost > 0)) refuse('QueryFilter', `areaCosts[${area}]`, cost, 'a number > 0');
    if (cost < smallest) smallest = cost;
  }
  return heuristicScale * smallest;
}

/** The code that calls methods of filters: filter-methods.ts sets it when a filter is created, so that bundles without filters lack it. */
export interface FilterMethods {
  /** A method of a filter is running. */
  isRunning: boolean;
  /** Throws, since the query `caller` was called by a method. */
  refuse: (caller: string) => never;
  /** Calls `passes` of a filter. */
  passes: (filter: QueryFilter, mesh: NavMesh, poly: number) => boolean;
  /** Does what `costBetween` does, for a filter with `cost`. */
  cost: typeof costBetween;
}

/** Without functions until `createFilter` is called. @internal */
export const filterMethods: FilterMethods = { isRunning: false } as FilterMethods;

/**
 * Returns the cost to cross a polygon between two points (xyz from `fromAt` and `toAt` on). `previous` and `next`: the polygons
 * before and after it, -1 for none. @internal
 */
// oxlint-disable-next-line max-params -- kernel: callers keep points in records of their own
export function costBetween(
  filter: QueryFilter,
  mesh: NavMesh,
  previous: number,
  poly: number,
  next: number,
  from: Float64Array,
  fromAt: number,
  to: Float64Array,
  toAt: number,
): number {
  if (filter.cost !== undefined) return filterMethods.cost(filter, mesh, previous, poly, next, from, fromAt, to, toAt);
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += (to[toAt + k] - from[fromAt + k]) * (to[toAt + k] - from[fromAt + k]);
  return filter.areaCosts[mesh.polyArea[poly]] * Math.sqrt(sum);
}

/** Throws a RangeError when a method of a filter is running. `caller` is the query that starts. @internal */
export function refuseInMethod(caller: string): void {
  if (filterMethods.isRunning) filterMethods.refuse(caller);
}

/** Returns true: the `passes` of a filter that also passes closed polygons. @internal */
export function passEverything(): boolean {
  return true;
}

/**
 * Returns whether a polygon (dense index) passes the filter. A polygon with flags 0, of a closed area, or too narrow
 * for the filter's size, never passes, even with `passes`.
 */
export function passesFilter(filter: QueryFilter, mesh: NavMesh, poly: number): boolean {
  const flags = mesh.polyFlags[poly];
  if (filter.passes === passEverything) return true;
  if (filter.areaCosts[mesh.polyArea[poly]] === Infinity) return false;
  if (!fitsOn(mesh, filter, mesh.polySizes[poly])) return false;
  if (filter.passes !== undefined) return flags !== 0 && filterMethods.passes(filter, mesh, poly);
  return (flags & filter.includeFlags) !== 0 && (flags & filter.excludeFlags) === 0;
}

/** Returns whether a mask of sizes contains the size of the filter. @internal */
export function fitsSize({ size, passes }: QueryFilter, mask: number): boolean {
  return ((mask >> size!) & 1) !== 0 || passes === passEverything;
}

/** Returns whether a polygon or link with a mask of sizes is for the size of a filter. @internal */
export function fitsOn({ sizes }: NavMesh, filter: QueryFilter, mask: number): boolean {
  return sizes.length === 0 || fitsSize(filter, mask);
}

/** Returns whether a link's kind, flags, area and sizes pass the filter. Links are not passed to `passes`. */
export function passesLinkFlags(filter: QueryFilter, mesh: NavMesh, link: number): boolean {
  const flags = mesh.linkFlags[link];
  return (
    fitsOn(mesh, filter, mesh.linkSizes[link]) &&
    (flags & filter.includeFlags) !== 0 &&
    (flags & filter.excludeFlags) === 0 &&
    filter.areaCosts[mesh.linkArea[link]] !== Infinity &&
    ((filter.closedLinks! >> (mesh.linkState[link] >> KIND_SHIFT)) & 1) === 0
  );
}

/**
 * Returns whether a link may be entered at a link end: it is enabled, leads that way, is attached to a
 * polygon at its other end, and passes the filter.
 */
export function passesLinkEnd(filter: QueryFilter, mesh: NavMesh, linkEnd: number): boolean {
  const link = linkOf(linkEnd);
  const needed = (linkEnd & 1) === 0 ? LINK_ENABLED : LINK_ENABLED | LINK_BOTH_WAYS;
  return (
    (mesh.linkState[link] & needed) === needed &&
    mesh.linkPoly[otherEnd(linkEnd)] >= 0 &&
    passesLinkFlags(filter, mesh, link)
  );
}
