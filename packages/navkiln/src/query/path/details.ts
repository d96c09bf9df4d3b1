/**
 * A path with what is entered at each of its corners, and, if asked for, with corners where it crosses into another polygon or
 * another area.
 *
 * In: as findPath. Out: its answer and more. Cost: that of findPath, and linear in the path.
 *
 * Based on: own; what is told is what Detour's findStraightPath tells (Mikko Mononen). Apart from findPath, so that who needs
 * points only need not load it.
 */
import { refuse } from '../../data/refuse.ts';
import type { PointLike } from '../../math/point.ts';
import { linkRefOf } from '../../navmesh/links.ts';
import { NULL_REF } from '../../navmesh/ref.ts';
import type { LinkRef, NavMesh, PolyRef } from '../../navmesh/types.ts';
import { addCrossings } from './crossings.ts';
import { DEFAULT_FILTER } from '../filter.ts';
import { createPathBuffer, findPathInto, pathOf, readPathOptions } from './find-path.ts';
import type { PathBuffer, PathOptions } from './find-path.ts';
import { setLength } from './result.ts';
import type { LocatedPath } from './result.ts';
import { createSearchState } from '../search-state.ts';

/** Bits of `PathCorner.flags`. */
export const CORNER_IS_START = 1;
export const CORNER_IS_END = 2;
/** The corner is where a link is left for, or where it arrives; the two follow each other. */
export const CORNER_IS_LINK = 4;

export interface PathCorner {
  flags: number;
  /** The polygon that is entered at the corner. */
  poly: PolyRef;
  /** 0: none. */
  link: LinkRef;
}

export interface DetailedPathOptions extends PathOptions {
  /** Corners also where the area changes, or wherever a polygon ends. Default 'none'. */
  crossings?: 'none' | 'area' | 'all';
}

export interface DetailedPath extends LocatedPath {
  /** One a point. */
  corners: PathCorner[];
}

const startPoint = new Float64Array(3);
const endPoint = new Float64Array(3);
const extents = new Float64Array(3);
const sharedState = createSearchState();
const sharedBuffer = createPathBuffer();

/**
 * The path from start to end, as `findPath` finds it, with what is at its corners. Throws a TypeError for what is no point, a
 * RangeError for options out of range.
 */
export function findDetailedPath(
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: DetailedPathOptions = {},
): DetailedPath {
  const { filter = DEFAULT_FILTER, maxNodes = Infinity } = options;
  const crossings = readCrossings(options);
  readPathOptions(startPoint, endPoint, extents, mesh, start, end, options);
  findPathInto(sharedBuffer, sharedState, mesh, startPoint, endPoint, extents, filter, maxNodes);
  addPathCrossings(sharedBuffer, mesh, crossings);
  return detailedPathOf(mesh, sharedBuffer);
}

/** The option `crossings` as a number. @internal */
export function readCrossings({ crossings = 'none' }: DetailedPathOptions): number {
  const mode = ['none', 'area', 'all'].indexOf(crossings);
  return mode < 0 ? refuse('findPath', 'crossings', crossings, "'none', 'area' or 'all'") : mode;
}

/** Adds corners to what was found: 1 where the area changes, 2 wherever a polygon ends. @internal */
export function addPathCrossings(found: PathBuffer, mesh: NavMesh, crossings: number): void {
  if (crossings === 0 || found.line.count === 0) return;
  addCrossings(found.line, mesh, found.corridor, crossings);
  setLength(found, found.line);
}

/** A fresh record of what was found. @internal */
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

/** Bits of corner i of `count`, which is at this link end or (-1) at none. @internal */
export function cornerFlags(i: number, count: number, linkEnd: number): number {
  return (i === 0 ? CORNER_IS_START : 0) | (i === count - 1 ? CORNER_IS_END : 0) | (linkEnd < 0 ? 0 : CORNER_IS_LINK);
}

/** The link of a link end, or (-1) of none. @internal */
export function cornerLink(mesh: NavMesh, linkEnd: number): LinkRef {
  return linkEnd < 0 ? (NULL_REF as number as LinkRef) : linkRefOf(mesh, linkEnd >> 1);
}
