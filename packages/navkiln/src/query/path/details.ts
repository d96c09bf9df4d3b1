/**
 * Paths with details: the polygon and the link at each corner and, on request, corners where the path enters
 * another polygon or another area.
 *
 * In: what findPath takes.
 * Out: its result and one `PathCorner` for each point.
 * Cost: that of findPath, and linear in the path.
 * Based on: own; the details are those of Detour's findStraightPath (Mikko Mononen, 2009). The code has its own
 *   file, so that bundles that only need points do not contain it.
 */
import { linkOf } from '../../mesh/crossing.ts';
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import type { PointLike } from '../../base/math/point.ts';
import { linkRefOf } from '../../mesh/link-ref.ts';
import { NULL_REF } from '../../mesh/ref.ts';
import type { LinkRef, NavMesh, PolyRef } from '../../mesh/types.ts';
import { addCrossings } from './crossings.ts';
import { PATH_KEYS, createPathBuffer, createPathQuery, findPathInto, pathOf, readPathQuery } from './find-path.ts';
import type { PathBuffer, PathOptions } from './find-path.ts';
import { setLength } from './result.ts';
import type { LocatedPath } from './result.ts';
import { createSearchState } from '../search-state.ts';

/**
 * Bits of `PathCorner.flags`: `start`, the first corner; `end`, the last corner; `link`, the near or the far end of a link. The two ends are
 * successive corners.
 */
export const PATH_CORNER_FLAGS: Readonly<Record<'start' | 'end' | 'link', number>> = { start: 1, end: 2, link: 4 };

/** A description of a point of a path. */
export interface PathCorner {
  /** Sum of `PATH_CORNER_FLAGS`. */
  flags: number;
  /** The polygon that the path enters at the corner; at the last corner, the last polygon. */
  poly: PolyRef;
  /** The link that has an end at the corner; 0 if there is none. */
  link: LinkRef;
}

/** Options of `findDetailedPath`. */
export interface DetailedPathOptions extends PathOptions {
  /**
   * Adds corners where the area changes (`'area'`) or wherever a polygon ends (`'all'`). Default `'none'`.
   */
  crossings?: 'none' | 'area' | 'all';
}

/** Keys of `DetailedPathOptions`, for `checkKeys`. */
export const DETAILED_PATH_KEYS: readonly string[] = PATH_KEYS.concat('crossings');

/** A path with the polygon and the link at each of its points. */
export interface DetailedPath extends LocatedPath {
  /** One for each of `points`. */
  corners: PathCorner[];
}

/** Values of the option `crossings`; a mode is an index into this list. */
const CROSSING_MODES = ['none', 'area', 'all'] as const;

const sharedQuery = createPathQuery();
const sharedState = createSearchState();
const sharedBuffer = createPathBuffer();

/**
 * Returns the path from start to end, as `findPath` does, with the polygon and the link at each corner.
 *
 * Throws a TypeError if the value is not a position, a RangeError for options out of range and unknown keys.
 */
export function findDetailedPath(
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: DetailedPathOptions = {},
): DetailedPath {
  checkKeys('findDetailedPath', options, DETAILED_PATH_KEYS);
  const crossings = readCrossings(options, 'findDetailedPath');
  readPathQuery(sharedQuery, mesh, start, end, options, 'findDetailedPath');
  findPathInto(sharedBuffer, sharedState, mesh, sharedQuery);
  addPathCrossings(sharedBuffer, mesh, crossings);
  return detailedPathOf(mesh, sharedBuffer);
}

/** Returns the mode of the option `crossings`: 0 `'none'`, 1 `'area'`, 2 `'all'`. @internal */
export function readCrossings({ crossings = 'none' }: DetailedPathOptions, caller: string): number {
  const mode = CROSSING_MODES.indexOf(crossings);
  return mode < 0 ? refuse(caller, 'options.crossings', crossings, "'none', 'area' or 'all'") : mode;
}

/** Adds corners at crossings to a path, in a mode of `readCrossings`. @internal */
export function addPathCrossings(found: PathBuffer, mesh: NavMesh, crossings: number): void {
  if (crossings === 0 || found.line.count === 0) return;
  addCrossings(found.line, mesh, found.corridor, crossings);
  setLength(found, found.line);
}

/** Returns the path in a buffer as a new result that shares no memory with the buffer. @internal */
export function detailedPathOf(mesh: NavMesh, found: PathBuffer): DetailedPath {
  const path = pathOf(mesh, found);
  const { places, linkEnds, count } = found.line;
  const corners = path.points.map((_, i): PathCorner => ({
    flags: cornerFlags(i, count, linkEnds[i]),
    poly: path.polys[Math.min((places[i] + 1) >> 1, path.polys.length - 1)],
    link: cornerLink(mesh, linkEnds[i]),
  }));
  return { ...path, corners };
}

/** Returns the flags of corner i of `count`; `linkEnd` is -1 when the corner is not at a link. @internal */
export function cornerFlags(i: number, count: number, linkEnd: number): number {
  const { start, end, link } = PATH_CORNER_FLAGS;
  return (i === 0 ? start : 0) | (i === count - 1 ? end : 0) | (linkEnd < 0 ? 0 : link);
}

/** Returns the ref of the link that a link end belongs to; 0 for -1. @internal */
export function cornerLink(mesh: NavMesh, linkEnd: number): LinkRef {
  return linkEnd < 0 ? (NULL_REF as number as LinkRef) : linkRefOf(mesh, linkOf(linkEnd));
}
