/**
 * Path searches with a budget: a search expands a limited number of nodes per call, so that a long one
 * spreads over frames.
 *
 * The result equals that of findDetailedPath and does not depend on the number of calls. `startPathSearch` locates the
 * ends. If a tile or link is later added, removed, enabled or disabled, dense indices may change. The search then
 * becomes `'stale'` and must be started again. Changes of areas and flags do not interrupt a search; visited nodes keep
 * their cost.
 *
 * In: the arguments of findDetailedPath, then a number of nodes per call.
 * Out: a status per call, and a path at the end.
 * Cost: that of findPath, and one pass over all tiles and links per call. Memory: 68 bytes per polygon, portal and link
 *   end; `reuse` takes it over from a finished search.
 * Based on: Detour's sliced path queries (Mikko Mononen, 2009), without their shortcuts by raycast.
 */
import { checkKeys, checkMutable, checkRecord, refuse } from '../../base/data/refuse.ts';
import type { PointLike } from '../../base/math/point.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { runCorridor } from './a-star.ts';
import { refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { beginPath, clearPathBuffer, createPathBuffer, createPathQuery, endPath, readPathQuery } from './find-path.ts';
import type { PathBuffer } from './find-path.ts';
import { DETAILED_PATH_KEYS, addPathCrossings, detailedPathOf, readCrossings } from './details.ts';
import type { DetailedPath, DetailedPathOptions } from './details.ts';
import { createSearchState } from '../search-state.ts';
import type { SearchState } from '../search-state.ts';

/**
 * `'searching'`: call `continuePathSearch` again. `'done'`: the result is ready. `'stale'`: tiles or links
 * have changed.
 */
export type PathSearchStatus = 'searching' | 'done' | 'stale';

/**
 * A search in progress, created by `startPathSearch`. Callers may only read `status`; functions do everything
 * else.
 */
export interface PathSearch {
  status: PathSearchStatus;
  mesh: NavMesh;
  filter: QueryFilter;
  maxNodes: number;
  /** Mode of `readCrossings`. */
  crossings: number;
  /** Hash of the mesh's tiles and links when the search began. */
  meshHash: number;
  state: SearchState;
  buffer: PathBuffer;
}

/** Options of `startPathSearch`. */
export interface PathSearchOptions extends DetailedPathOptions {
  /** A search that is no longer needed. The new one takes over its memory; the old one becomes `'stale'`. Default: none. */
  reuse?: PathSearch;
}

const SEARCH_KEYS: readonly string[] = DETAILED_PATH_KEYS.concat('reuse');

const sharedQuery = createPathQuery();

/**
 * Starts a search for the path from start to end. The function only locates the ends; `continuePathSearch` does the
 * rest.
 *
 * Throws a TypeError if the value is not a position, a RangeError for options out of range and unknown keys.
 */
export function startPathSearch(
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: PathSearchOptions = {},
): PathSearch {
  checkKeys('startPathSearch', options, SEARCH_KEYS);
  const { reuse } = options;
  if (reuse !== undefined)
    checkRecord('startPathSearch', 'options.reuse.state', reuse?.state, 'nodeStamp', 'that of a PathSearch');
  if (reuse !== undefined) checkMutable('startPathSearch', 'options.reuse', reuse);
  const crossings = readCrossings(options, 'startPathSearch');
  readPathQuery(sharedQuery, mesh, start, end, options, 'startPathSearch');
  const state = reuse?.state ?? createSearchState();
  const buffer = reuse?.buffer ?? createPathBuffer();
  if (reuse) reuse.status = 'stale';
  const isOnMesh = beginPath(buffer, state, mesh, sharedQuery);
  return {
    status: isOnMesh ? 'searching' : 'done',
    mesh,
    filter: sharedQuery.filter,
    maxNodes: sharedQuery.maxNodes,
    crossings,
    meshHash: hashOf(mesh),
    state,
    buffer,
  };
}

/**
 * Continues a search for at most `nodes` nodes (a number >= 1) and returns its status. Expanding a node
 * visits all neighbors of its polygon. A search that is done or stale does not change.
 */
export function continuePathSearch(search: PathSearch, nodes: number): PathSearchStatus {
  checkRecord('continuePathSearch', 'search.state', search?.state, 'nodeStamp', 'that of a PathSearch');
  checkMutable('continuePathSearch', 'search', search);
  refuseInMethod('continuePathSearch');
  if (typeof nodes !== 'number' || !(nodes >= 1)) refuse('continuePathSearch', 'nodes', nodes, 'a number >= 1');
  if (search.status !== 'searching') return search.status;
  const { mesh, filter, state, buffer } = search;
  // The status is set first, because a filter that throws also ends the search.
  search.status = 'stale';
  if (hashOf(mesh) === search.meshHash) {
    const isFound = runCorridor(state, mesh, filter, search.maxNodes, nodes);
    search.status = isFound && endPath(buffer, state, mesh, filter) ? 'done' : 'searching';
    if (search.status === 'done') addPathCrossings(buffer, mesh, search.crossings);
  }
  return search.status;
}

/**
 * Returns the path of a search. While the search is running, the path leads to the visited node nearest to the end, with
 * status `'partial'` and reason `'budget'`; the search can continue afterwards. A stale search has no path: its status is
 * `'none'`, its reason `'stale'`.
 */
export function getPathSearchResult(search: PathSearch): DetailedPath {
  checkRecord('getPathSearchResult', 'search.state', search?.state, 'nodeStamp', 'that of a PathSearch');
  refuseInMethod('getPathSearchResult');
  const { mesh, state, buffer } = search;
  if (search.status === 'searching' && hashOf(mesh) !== search.meshHash) search.status = 'stale';
  if (search.status === 'done') return detailedPathOf(mesh, buffer);
  const partial = createPathBuffer();
  clearPathBuffer(partial);
  if (search.status === 'stale') {
    partial.reason = 'stale';
  } else {
    partial.start = buffer.start;
    partial.size = buffer.size;
    // The end is copied, because endPath changes it.
    partial.end = { ...buffer.end, point: buffer.end.point.slice() };
    endPath(partial, state, mesh, search.filter);
    addPathCrossings(partial, mesh, search.crossings);
    partial.status = 'partial';
    partial.reason = 'budget';
  }
  return detailedPathOf(mesh, partial);
}

/** Returns a hash of the data that decide numbers and connections of polygons: tiles, links, and which links are enabled. */
function hashOf(mesh: NavMesh): number {
  const { tileState, tileGeneration, linkState, linkGeneration } = mesh;
  let hash = 0;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    hash = mix(hash ^ (2 * tileGeneration[slot] + tileState[slot]));
  }
  for (let link = 0; link < mesh.linkCount; link++) {
    hash = mix(hash ^ (256 * linkGeneration[link] + linkState[link]));
  }
  return hash;
}

function mix(hash: number): number {
  const product = Math.imul(hash, 0x2127599b);
  return product ^ (product >>> 15);
}
