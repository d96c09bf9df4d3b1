/**
 * What a query may walk on, and what each area costs. A polygon passes when it has one of the included flags and none of
 * the excluded ones. The cost of a path is the length in each polygon times the cost of the polygon's area.
 */
import { AREA_COUNT } from '../constants.ts';

export interface QueryFilter {
  /** Cost of a unit of length by area id; all above 0 and finite. */
  areaCosts: Float64Array;
  includeFlags: number;
  excludeFlags: number;
}

export interface FilterOptions {
  /** Area id -> cost; 1 for the others. */
  areaCosts?: Readonly<Record<number, number>>;
  /** 16 bits, default 0xffff. */
  includeFlags?: number;
  /** 16 bits, default 0. */
  excludeFlags?: number;
}

export function createFilter(options: FilterOptions = {}): QueryFilter {
  const { areaCosts = {}, includeFlags = 0xffff, excludeFlags = 0 } = options;
  const filter: QueryFilter = { areaCosts: new Float64Array(AREA_COUNT).fill(1), includeFlags, excludeFlags };
  for (const key of Object.keys(areaCosts)) {
    const area = Number(key);
    const cost = areaCosts[area];
    if (!(Number.isInteger(area) && area >= 0 && area < AREA_COUNT)) {
      throw new RangeError(`createFilter: areaCosts has the key ${key}; area ids are 0 .. ${AREA_COUNT - 1}`);
    }
    if (!(cost > 0 && cost < Infinity)) {
      throw new RangeError(
        `createFilter: the cost of area ${area} is ${cost}; give a finite number above 0, or exclude ground by its flags`,
      );
    }
    filter.areaCosts[area] = cost;
  }
  for (const [name, flags] of [['includeFlags', includeFlags], ['excludeFlags', excludeFlags]] as const) {
    if (!(Number.isInteger(flags) && flags >= 0 && flags <= 0xffff)) {
      throw new RangeError(`createFilter: ${name} is ${flags}; give 16 bits, 0 .. 0xffff`);
    }
  }
  return filter;
}

/** Everything that has a flag, at cost 1. Not to be changed. */
export const DEFAULT_FILTER: QueryFilter = createFilter();

/** The least cost of any area; throws when one is not above 0, as a search with it might not end. */
export function smallestCost(filter: QueryFilter): number {
  if (filter === DEFAULT_FILTER) return 1;
  const { areaCosts } = filter;
  let smallest = Infinity;
  for (let area = 0; area < AREA_COUNT; area++) {
    const cost = areaCosts[area];
    if (!(cost > 0)) {
      throw new RangeError(`findPath: the filter's cost of area ${area} is ${cost}; give a finite number above 0`);
    }
    if (cost < smallest) smallest = cost;
  }
  return smallest;
}
