/**
 * Query filters: which polygons and links a query may pass, and what each area costs.
 *
 * A polygon passes when it has one of the included flags and none of the excluded ones; so does a link. A
 * path costs its length in each polygon times the cost of the polygon's area. The methods `passes` and `cost`
 * replace both, for one call per polygon.
 *
 * Based on: Detour's dtQueryFilter (Mikko Mononen, 2009).
 */
import { linkOf, otherEnd } from '../navmesh/crossing.ts';
import { AREA_COUNT } from '../constants.ts';
import { checkKeys, refuse } from '../data/refuse.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED } from '../navmesh/types.ts';
import type { NavMesh } from '../navmesh/types.ts';

/**
 * What a query may pass and at what cost. Create it with `createFilter`; the fields may be changed between
 * queries.
 */
export interface QueryFilter {
  /** Cost per unit of length by area id, 64 numbers, all above 0 and finite. */
  areaCosts: Float64Array;
  /** 16 bits: a polygon needs one of these flags. */
  includeFlags: number;
  /** 16 bits: a polygon must have none of these flags. */
  excludeFlags: number;
  /**
   * Decides in place of the flags whether a polygon (dense index) may be passed. Called for each polygon that
   * a query visits; slower than flags. A method that throws ends the query. It must not start another query.
   */
  passes?(mesh: NavMesh, poly: number): boolean;
  /**
   * Returns in place of the areas' costs what a stretch of this length (world units) over a polygon (dense
   * index) costs; 0 or more. A path is the cheapest only if no cost is below the length times the smallest of
   * `areaCosts`. Links keep the cost of their area.
   */
  cost?(mesh: NavMesh, poly: number, length: number): number;
}

export interface FilterOptions {
  /** Cost per unit of length by area id (0 .. 63), above 0. Default: 1 for each area. */
  areaCosts?: Readonly<Record<number, number>>;
  /** 16 bits. Default 0xffff: any flag will do. */
  includeFlags?: number;
  /** 16 bits. Default 0. */
  excludeFlags?: number;
  /** See `QueryFilter`. Default: flags decide. */
  passes?: QueryFilter['passes'];
  /** See `QueryFilter`. Default: areas decide. */
  cost?: QueryFilter['cost'];
}

const FILTER_KEYS = ['areaCosts', 'includeFlags', 'excludeFlags', 'passes', 'cost'] as const;

/**
 * Returns a filter. Throws a RangeError for unknown keys, unknown areas, costs that are not above 0, and
 * flags beyond 16 bits.
 */
export function createFilter(options: FilterOptions = {}): QueryFilter {
  checkKeys('createFilter', options, FILTER_KEYS);
  const { areaCosts = {}, includeFlags = 0xffff, excludeFlags = 0, passes, cost } = options;
  const costs = new Float64Array(AREA_COUNT).fill(1);
  for (const key of Object.keys(areaCosts)) {
    const area = Number(key);
    const areaCost = areaCosts[area];
    if (!(Number.isInteger(area) && area >= 0 && area < AREA_COUNT)) {
      refuse('createFilter', 'a key of options.areaCosts', key, `an area id, 0 .. ${AREA_COUNT - 1}`);
    }
    if (!(areaCost > 0 && areaCost < Infinity)) {
      refuse(
        'createFilter',
        `options.areaCosts[${area}]`,
        areaCost,
        'a finite number > 0 (to close an area, exclude its polygons by their flags)',
      );
    }
    costs[area] = areaCost;
  }
  checkFlags(includeFlags, 'createFilter', 'options.includeFlags');
  checkFlags(excludeFlags, 'createFilter', 'options.excludeFlags');
  return { areaCosts: costs, includeFlags, excludeFlags, passes, cost };
}

/** Throws a RangeError unless `flags` fits into 16 bits. @internal */
export function checkFlags(flags: number, caller: string, path: string): void {
  if (!(Number.isInteger(flags) && flags >= 0 && flags <= 0xffff)) refuse(caller, path, flags, '16 bits, 0 .. 0xffff');
}

/**
 * Passes everything that has a flag, at cost 1. Must not be changed. Written out, so that bundles need not
 * hold `createFilter`.
 */
export const DEFAULT_FILTER: QueryFilter = {
  areaCosts: new Float64Array(AREA_COUNT).fill(1),
  includeFlags: 0xffff,
  excludeFlags: 0,
  passes: undefined,
  cost: undefined,
};

/**
 * Returns the smallest cost of any area. Throws when one is not above 0, since a search might not end with
 * it.
 */
export function smallestCost(filter: QueryFilter): number {
  if (filter === DEFAULT_FILTER) return 1;
  const { areaCosts } = filter;
  let smallest = Infinity;
  for (let area = 0; area < AREA_COUNT; area++) {
    const cost = areaCosts[area];
    if (!(cost > 0)) refuse('QueryFilter', `areaCosts[${area}]`, cost, 'a number > 0');
    if (cost < smallest) smallest = cost;
  }
  return smallest;
}

/** Returns whether a polygon (dense index) passes the filter. */
export function passesFilter(filter: QueryFilter, mesh: NavMesh, poly: number): boolean {
  if (filter.passes !== undefined) return filter.passes(mesh, poly);
  const flags = mesh.polyFlags[poly];
  return (flags & filter.includeFlags) !== 0 && (flags & filter.excludeFlags) === 0;
}

/** Returns whether a link's flags pass the filter. `passes` has no say in links. */
export function passesLinkFlags(filter: QueryFilter, mesh: NavMesh, link: number): boolean {
  const flags = mesh.linkFlags[link];
  return (flags & filter.includeFlags) !== 0 && (flags & filter.excludeFlags) === 0;
}

/**
 * Returns whether a link may be entered at a link end: it is enabled, leads that way, is attached to a
 * polygon at its other end, and its flags pass the filter.
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

/** Returns the cost of a stretch of this length (world units) over a polygon (dense index). */
export function costOf(filter: QueryFilter, mesh: NavMesh, poly: number, length: number): number {
  if (filter.cost === undefined) return filter.areaCosts[mesh.polyArea[poly]] * length;
  const cost = filter.cost(mesh, poly, length);
  if (!(cost >= 0)) refuse('QueryFilter', 'the result of cost()', cost, 'a number >= 0');
  return cost;
}
