/**
 * The filters of a crowd: on a mesh with sizes each filter of the caller for each size, one size after the other; then those of agent
 * types. An agent's column `filter` has the place of its own, so that no step of a tick looks at sizes and types.
 *
 * In: filters of the caller. Out: filters by size. Cost: linear in both. Based on: own.
 */
import { refuse } from '../../data/refuse.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import type { AgentType } from '../../query/agent-types.ts';
import { sizedFilter } from '../../query/filter.ts';
import type { QueryFilter } from '../../query/filter.ts';
import type { Crowd } from './types.ts';

/** Filters of a crowd, at most: a column of bytes numbers them. */
const MAX_FILTERS = 256;

/** Returns the filters of a crowd except those of types. The caller's filters serve the first size. */
export function filtersBySize(
  { sizes }: NavMesh,
  filters: readonly QueryFilter[],
  types: readonly AgentType[] = [],
): QueryFilter[] {
  const count = filters.length * Math.max(1, sizes.length);
  if (count + types.length > MAX_FILTERS)
    refuse(
      'createCrowd',
      'options.filters.length',
      filters.length,
      `at most ${MAX_FILTERS} over the sizes of the mesh, with options.types`,
    );
  return Array.from({ length: count }, (_, i) => {
    const size = Math.floor(i / filters.length);
    const filter = filters[i % filters.length];
    return sizes.length === 0 || (filter.size ?? 0) === size ? filter : sizedFilter(filter, size);
  });
}

/** Returns how many filters the caller has given. */
export function filterCount({ mesh, filters, types }: Crowd): number {
  return (filters.length - types.length) / Math.max(1, mesh.sizes.length);
}

/** Returns the name of the type with the filter at a place, or undefined. */
export function typeOf({ filters, types }: Crowd, filter: number): string | undefined {
  return types[filter - filters.length + types.length]?.name;
}

/** Returns the body that the polygons of an agent were made for: its size, or the agent of the mesh. */
export function bodyOf(crowd: Crowd, slot: number): { radius: number; height: number } {
  const { mesh, agents, filters } = crowd;
  return mesh.sizes[filters[agents.filter[slot]].size ?? 0] ?? mesh.agent;
}
