/**
 * The sizes of agents that an index serves. An index is for one size, and contains further indexes for other sizes.
 *
 * In: an index, a mesh, a filter or sizes.
 * Out: the index of a size.
 * Cost: linear in the sizes.
 * Based on: own.
 */
import { checkArray, refuse } from '../../base/data/refuse.ts';
import { readSize } from '../../mesh/sizes.ts';
import type { SizeLike } from '../../mesh/sizes.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { DEFAULT_FILTER, sizedFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { emptyPathIndex } from './types.ts';
import type { PathIndex } from './types.ts';

/** Index for sizes that have none; queries then search the mesh. */
const NONE = emptyPathIndex();

const filters = [DEFAULT_FILTER];

/** Returns the filter of the polygons in an index: the default filter with the size of the index. */
export function filterOf({ size }: Pick<PathIndex, 'size'>): QueryFilter {
  return (filters[size] ??= sizedFilter(DEFAULT_FILTER, size));
}

/** Returns the index for the size of a filter, or an index of tier 'none'. */
export function indexFor(index: PathIndex, { sizes }: NavMesh, filter: QueryFilter): PathIndex {
  const size = sizes.length === 0 ? 0 : (filter.size ?? 0);
  if (index.size === size) return index;
  for (const other of index.others) if (other.size === size) return other;
  return NONE;
}

/** Returns the indices of sizes in `mesh.sizes`, each once, in increasing order. Default: all. */
export function listSizes(caller: string, mesh: NavMesh, sizes: readonly SizeLike[] | undefined): number[] {
  if (sizes === undefined) return [...Array(Math.max(1, mesh.sizes.length)).keys()];
  checkArray(caller, 'options.sizes', sizes);
  if (sizes.length === 0) refuse(caller, 'options.sizes', sizes, 'at least one size, or absent for all');
  const places = sizes.map((size, i) => readSize(caller, mesh, size, `options.sizes[${i}]`));
  return [...new Set(places)].sort((a, b) => a - b);
}
