/** Creates filters from options, and refuses options that no search could use. */
import { AREA_COUNT, HEURISTIC_SCALE, MAX_SIZES } from '../base/constants.ts';
import { checkFunction, checkKeys, checkObject, refuse } from '../base/data/refuse.ts';
import { readKinds } from '../mesh/link-kinds.ts';
import type { LinkKind } from '../mesh/link-kinds.ts';
import { checkFlags } from './filter.ts';
import type { QueryFilter } from './filter.ts';
import { enableFilterMethods } from './filter-methods.ts';

/** Options of `createFilter`. */
export interface FilterOptions {
  /** Cost per unit of length by area id (0 .. 63), above 0; Infinity closes an area. Default: 1 for each area. */
  areaCosts?: Readonly<Record<number, number>>;
  /** 16 bits. Default 0xffff: polygons with any flag. */
  includeFlags?: number;
  /** 16 bits. Default 0. */
  excludeFlags?: number;
  /** See `QueryFilter`. 0 or more. Default 0.999, which is just below 1 to allow for rounding. */
  heuristicScale?: number;
  /** See `QueryFilter`. Default: flags decide. */
  passes?: QueryFilter['passes'];
  /** See `QueryFilter`. Default: areas decide. */
  cost?: QueryFilter['cost'];
  /** See `QueryFilter`; queries also take a `size` by name or radius. A whole number 0 .. 15. Default 0. */
  size?: number;
  /** Kinds of links that are closed; see `kind` of `addLink`. Default: none. */
  closedLinks?: readonly LinkKind[];
}

const FILTER_KEYS = [
  'areaCosts',
  'includeFlags',
  'excludeFlags',
  'heuristicScale',
  'passes',
  'cost',
  'size',
  'closedLinks',
] as const satisfies readonly (keyof FilterOptions)[];

/**
 * Returns a filter. Throws a RangeError for unknown keys, unknown areas, costs that are not above 0, flags
 * beyond 16 bits, a heuristic scale below 0, and a `cost` that takes more than (mesh, segment).
 */
export function createFilter(options: FilterOptions = {}): QueryFilter {
  checkKeys('createFilter', options, FILTER_KEYS);
  const { areaCosts = {}, includeFlags = 0xffff, excludeFlags = 0, passes, cost, size = 0, closedLinks = [] } = options;
  const { heuristicScale = HEURISTIC_SCALE } = options;
  checkObject('createFilter', 'options.areaCosts', areaCosts);
  if (passes !== undefined) checkFunction('createFilter', 'options.passes', passes);
  if (cost !== undefined) checkFunction('createFilter', 'options.cost', cost);
  const costs = new Float64Array(AREA_COUNT).fill(1);
  for (const key of Object.keys(areaCosts)) {
    const area = Number(key);
    const areaCost = areaCosts[area];
    if (!(Number.isInteger(area) && area >= 0 && area < AREA_COUNT)) {
      refuse('createFilter', 'a key of options.areaCosts', key, `an area id, 0 .. ${AREA_COUNT - 1}`);
    }
    if (typeof areaCost !== 'number' || !(areaCost > 0))
      refuse('createFilter', `options.areaCosts[${area}]`, areaCost, 'a number > 0; Infinity closes the area');
    costs[area] = areaCost;
  }
  checkFlags(includeFlags, 'createFilter', 'options.includeFlags');
  checkFlags(excludeFlags, 'createFilter', 'options.excludeFlags');
  if (typeof heuristicScale !== 'number' || !(heuristicScale >= 0 && heuristicScale < Infinity)) {
    refuse('createFilter', 'options.heuristicScale', heuristicScale, 'a finite number >= 0');
  }
  if (cost !== undefined && cost.length > 2) {
    refuse('createFilter', 'the number of parameters of options.cost', cost.length, '2: cost(mesh, segment)');
  }
  if (!(Number.isInteger(size) && size >= 0 && size < MAX_SIZES))
    refuse('createFilter', 'options.size', size, `a whole number 0 .. ${MAX_SIZES - 1}: the index in mesh.sizes`);
  const kinds = readKinds('createFilter', closedLinks, 'options.closedLinks');
  // Methods may also be set later.
  enableFilterMethods();
  return { areaCosts: costs, includeFlags, excludeFlags, heuristicScale, passes, cost, size, closedLinks: kinds };
}
