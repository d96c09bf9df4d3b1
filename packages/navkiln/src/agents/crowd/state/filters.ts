/**
 * The filters of a crowd. On a mesh with sizes, there is one copy of each of the caller's filters per size, one size
 * after the other. The filters of agent types follow. An agent's column `filter` is an index into this list, so that
 * the steps of a tick need not handle sizes and types.
 *
 * In: filters of the caller. Out: filters by size. Cost: linear in both. Based on: own.
 */
import { refuse } from '../../../base/data/refuse.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import type { AgentType } from '../../../query/agent-types.ts';
import { sizedFilter } from '../../../query/filter.ts';
import type { QueryFilter } from '../../../query/filter.ts';
import type { Crowd } from './types.ts';

/** Maximum number of filters of a crowd, because a column of bytes stores their indices. */
const MAX_FILTERS = 256;

/**
 * Returns the filters of a crowd except those of types. The caller's own record serves the size in its field `size`
 * (default 0); the filters for other sizes are copies.
 */
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

/** Returns the name of the type whose filter has an index, or undefined. */
export function typeOf({ filters, types }: Crowd, filter: number): string | undefined {
  return types[filter - filters.length + types.length]?.name;
}

/** Returns the body that the polygons of an agent were made for: its size, or the agent of the mesh. */
export function bodyOf(crowd: Crowd, slot: number): { radius: number; height: number } {
  const { mesh, agents, filters } = crowd;
  return mesh.sizes[filters[agents.filter[slot]].size ?? 0] ?? mesh.agent;
}
