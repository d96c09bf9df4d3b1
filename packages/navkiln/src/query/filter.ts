/**
 * What a query may walk on, and what each area costs. A polygon passes when it has one of the included flags and none of
 * the excluded ones. The cost of a path is the length in each polygon times the cost of the polygon's area. Methods (`passes`,
 * `cost`) take the place of both, at the price of a call each time.
 *
 * Based on: Detour's dtQueryFilter (Mikko Mononen).
 */
import { AREA_COUNT } from '../constants.ts';
import { refuse } from '../data/refuse.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED } from '../navmesh/types.ts';
import type { NavMesh } from '../navmesh/types.ts';

export interface QueryFilter {
  /** Cost of a unit of length by area id; all above 0 and finite. */
  areaCosts: Float64Array;
  includeFlags: number;
  excludeFlags: number;
  /**
   * Instead of the flags: may this polygon (dense index) be walked on? Called for each polygon a query looks at; slower than
   * flags. It may throw, which ends the query, but must not start another one.
   */
  passes?(mesh: NavMesh, poly: number): boolean;
  /**
   * Instead of the areas' costs: what does a way of this length (world units) over this polygon cost? Never below 0, and a path
   * is the cheapest only if it is never below the length times the least of `areaCosts`. Links keep the cost of their area.
   */
  cost?(mesh: NavMesh, poly: number, length: number): number;
}

export interface FilterOptions {
  /** Area id -> cost; 1 for the others. */
  areaCosts?: Readonly<Record<number, number>>;
  /** 16 bits, default 0xffff. */
  includeFlags?: number;
  /** 16 bits, default 0. */
  excludeFlags?: number;
  /** See `QueryFilter`. */
  passes?: QueryFilter['passes'];
  cost?: QueryFilter['cost'];
}

export function createFilter(options: FilterOptions = {}): QueryFilter {
  const { areaCosts = {}, includeFlags = 0xffff, excludeFlags = 0 } = options;
  const { passes, cost } = options;
  const filter: QueryFilter = {
    areaCosts: new Float64Array(AREA_COUNT).fill(1),
    includeFlags,
    excludeFlags,
    passes,
    cost,
  };
  for (const key of Object.keys(areaCosts)) {
    const area = Number(key);
    const areaCost = areaCosts[area];
    if (!(Number.isInteger(area) && area >= 0 && area < AREA_COUNT)) {
      refuse('createFilter', 'a key of areaCosts', key, `area ids, 0 .. ${AREA_COUNT - 1}`);
    }
    if (!(areaCost > 0 && areaCost < Infinity)) {
      refuse(
        'createFilter',
        `the cost of area ${area}`,
        areaCost,
        'a finite number above 0, or exclude ground by its flags',
      );
    }
    filter.areaCosts[area] = areaCost;
  }
  for (const [name, flags] of [
    ['includeFlags', includeFlags],
    ['excludeFlags', excludeFlags],
  ] as const) {
    if (!(Number.isInteger(flags) && flags >= 0 && flags <= 0xffff)) {
      refuse('createFilter', name, flags, '16 bits, 0 .. 0xffff');
    }
  }
  return filter;
}

/** Everything that has a flag, at cost 1. Not to be changed. (Written out, so that a bundle need not have `createFilter`.) */
export const DEFAULT_FILTER: QueryFilter = {
  areaCosts: new Float64Array(AREA_COUNT).fill(1),
  includeFlags: 0xffff,
  excludeFlags: 0,
  passes: undefined,
  cost: undefined,
};

/** The least cost of any area; throws when one is not above 0, as a search with it might not end. */
export function smallestCost(filter: QueryFilter): number {
  if (filter === DEFAULT_FILTER) return 1;
  const { areaCosts } = filter;
  let smallest = Infinity;
  for (let area = 0; area < AREA_COUNT; area++) {
    const cost = areaCosts[area];
    if (!(cost > 0)) refuse('findPath', `the filter's cost of area ${area}`, cost, 'a number above 0');
    if (cost < smallest) smallest = cost;
  }
  return smallest;
}

/** May this polygon (dense index) be walked on? */
export function passesFilter(filter: QueryFilter, mesh: NavMesh, poly: number): boolean {
  if (filter.passes !== undefined) return filter.passes(mesh, poly);
  const flags = mesh.polyFlags[poly];
  return (flags & filter.includeFlags) !== 0 && (flags & filter.excludeFlags) === 0;
}

/** May the link be entered at this link end? Its other end must have ground. */
export function passesLinkEnd(filter: QueryFilter, mesh: NavMesh, linkEnd: number): boolean {
  const link = linkEnd >> 1;
  const needed = (linkEnd & 1) === 0 ? LINK_ENABLED : LINK_ENABLED | LINK_BOTH_WAYS;
  const flags = mesh.linkFlags[link];
  return (
    (mesh.linkState[link] & needed) === needed &&
    mesh.linkPoly[linkEnd ^ 1] >= 0 &&
    (flags & filter.includeFlags) !== 0 &&
    (flags & filter.excludeFlags) === 0
  );
}

/** What a way of this length over a polygon costs. */
export function costOf(filter: QueryFilter, mesh: NavMesh, poly: number, length: number): number {
  if (filter.cost === undefined) return filter.areaCosts[mesh.polyArea[poly]] * length;
  const cost = filter.cost(mesh, poly, length);
  if (!(cost >= 0)) refuse('findPath', 'the result of filter.cost', cost, 'a number from 0 on');
  return cost;
}
