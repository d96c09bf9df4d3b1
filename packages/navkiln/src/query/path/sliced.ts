/**
 * A path in slices: a search that looks at so many polygons at a time, so that a long one is spread over several frames.
 *
 * The answer is that of `findDetailedPath`, whatever the slices. The ends are located at once, when the search starts. When a
 * tile or link has come, gone, opened or closed since, the search ends with status 'stale', and has to be started again: polygons
 * may have other numbers now. Changes of areas and flags are not noticed; what was looked at before them stays.
 * Cost: that of `findPath`, memory for nodes of its own (68 bytes a polygon, opening and link end; `reuse` takes that of a search
 * that is over), and a look at all tiles and links a slice, a few ns each.
 *
 * Based on: Detour's sliced path (Mikko Mononen), but for the shortcuts by raycast.
 */
import { refuse } from '../../data/refuse.ts';
import type { PointLike } from '../../math/point.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import { runCorridor } from './a-star.ts';
import { DEFAULT_FILTER } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { beginPath, createPathBuffer, endPath, readPathOptions } from './find-path.ts';
import type { PathBuffer } from './find-path.ts';
import { addPathCrossings, detailedPathOf, readCrossings } from './details.ts';
import type { DetailedPath, DetailedPathOptions } from './details.ts';
import { createSearchState } from '../search-state.ts';
import type { SearchState } from '../search-state.ts';

/** 'searching': go on; 'done': there is a result; 'stale': the mesh has changed. */
export type PathSearchStatus = 'searching' | 'done' | 'stale';

/** A search under way. Made by `startPathSearch`; to be read only. */
export interface PathSearch {
  status: PathSearchStatus;
  mesh: NavMesh;
  filter: QueryFilter;
  maxNodes: number;
  crossings: number;
  /** Of the mesh's tiles and links, when the search began. */
  meshHash: number;
  state: SearchState;
  buffer: PathBuffer;
}

export interface PathSearchOptions extends DetailedPathOptions {
  /** A search that nobody needs any more: its memory is taken over. */
  reuse?: PathSearch;
}

const startPoint = new Float64Array(3);
const endPoint = new Float64Array(3);
const extents = new Float64Array(3);

/** Starts a search for the path from start to end: locates the ends, looks at nothing else. Options as of `findDetailedPath`. */
export function startPathSearch(
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: PathSearchOptions = {},
): PathSearch {
  const { filter = DEFAULT_FILTER, maxNodes = Infinity, reuse } = options;
  const crossings = readCrossings(options);
  readPathOptions(startPoint, endPoint, extents, mesh, start, end, options);
  const state = reuse?.state ?? createSearchState();
  const buffer = reuse?.buffer ?? createPathBuffer();
  if (reuse) reuse.status = 'stale';
  const isOnMesh = beginPath(buffer, state, mesh, startPoint, endPoint, extents, filter);
  return {
    status: isOnMesh ? 'searching' : 'done',
    mesh,
    filter,
    maxNodes,
    crossings,
    meshHash: hashOf(mesh),
    state,
    buffer,
  };
}

/** Goes on with the search over at most `nodes` polygons (each is expanded with all its neighbours). */
export function continuePathSearch(search: PathSearch, nodes: number): PathSearchStatus {
  if (!(nodes >= 1)) refuse('continuePathSearch', 'nodes', nodes, 'a number from 1 on');
  if (search.status !== 'searching') return search.status;
  const { mesh, filter, state, buffer } = search;
  // So that it is over, too, when the filter throws.
  search.status = 'stale';
  if (hashOf(mesh) === search.meshHash) {
    const isFound = runCorridor(state, mesh, filter, search.maxNodes, nodes);
    search.status = isFound && endPath(buffer, state, mesh, filter) ? 'done' : 'searching';
    if (search.status === 'done') addPathCrossings(buffer, mesh, search.crossings);
  }
  return search.status;
}

/**
 * The path as `findDetailedPath` gives it. Of a search that is not done, the way to where it has come nearest to the end, as a
 * partial path with the reason 'budget'; of a stale one none, with the reason 'stale'. The search can go on after that.
 */
export function getPathSearchResult(search: PathSearch): DetailedPath {
  const { mesh, state, buffer } = search;
  if (search.status === 'searching' && hashOf(mesh) !== search.meshHash) search.status = 'stale';
  if (search.status === 'done') return detailedPathOf(mesh, buffer);
  const partial = createPathBuffer();
  if (search.status === 'stale') {
    partial.reason = 'stale';
  } else {
    partial.start = buffer.start;
    partial.end = { ...buffer.end, point: buffer.end.point.slice() };
    endPath(partial, state, mesh, search.filter);
    addPathCrossings(partial, mesh, search.crossings);
    partial.status = 'partial';
    partial.reason = 'budget';
  }
  return detailedPathOf(mesh, partial);
}

/** Of what renumbers or connects polygons: which tiles and links there are, and which links are open. */
function hashOf(mesh: NavMesh): number {
  const { tileState, tileGeneration, linkState, linkGeneration } = mesh;
  let hash = 0;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    hash = Math.imul(hash ^ (2 * tileGeneration[slot] + tileState[slot]), 0x2127599b);
    hash ^= hash >>> 15;
  }
  for (let link = 0; link < mesh.linkCount; link++) {
    hash = Math.imul(hash ^ (8 * linkGeneration[link] + linkState[link]), 0x2127599b);
    hash ^= hash >>> 15;
  }
  return hash;
}
