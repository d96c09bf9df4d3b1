/**
 * Explains why a path does not reach its end, in a sentence and as data.
 *
 * The checks run in this order; the first that applies is the cause:
 *
 *   1. an end has no polygon near it, or the filter does not pass that polygon;
 *   2. every route crosses a polygon or link whose name is disabled: reports the first such name;
 *   3. no edge, portal or link connects the ends, with any filter: reports where the islands come closest, a gap or a
 *     step;
 *   4. links connect the ends only in the other direction;
 *   5. the search ran out of its budget;
 *   6. the filter blocks the route: reports the first polygon or link that it blocks.
 *
 * In: the arguments of findPath.
 * Out: a PathExplanation.
 * Cost: two path searches, and a comparison of both islands for unconnected ends: milliseconds. For tools and
 *   logs.
 * Based on: own.
 */
import { checkFunction, checkKeys } from '../../base/data/refuse.ts';
import { isLinkCrossing, linkEndOf, linkOf, otherEnd } from '../../mesh/crossing.ts';
import { islandRelation, islandOf, refreshIslands } from '../../mesh/islands.ts';
import { linkRefOf } from '../../mesh/link-ref.ts';
import { groupOfLink, groupOfPoly, isClosedPoly } from '../../mesh/named.ts';
import { NULL_REF, polyIndexOf, refOf } from '../../mesh/ref.ts';
import { LINK_BOTH_WAYS, LINK_USED } from '../../mesh/types.ts';
import type { LinkRef, NavMesh } from '../../mesh/types.ts';
import { findCorridor } from '../path/a-star.ts';
import { createCorridor } from '../path/corridor.ts';
import type { CorridorOutcome } from '../path/corridor.ts';
import { createFilter } from '../create-filter.ts';
import { fitsOn, passEverything, passesFilter, passesLinkFlags } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import {
  PATH_KEYS,
  createPathBuffer,
  createPathQuery,
  findPathInto,
  pathOf,
  readPathQuery,
} from '../path/find-path.ts';
import type { PathOptions, PathQuery } from '../path/find-path.ts';
import { createIslandGap, findIslandGap } from './island-gap.ts';
import {
  NEGLIGIBLE,
  describeBlockedLink,
  describeBlockedPoly,
  describePassage,
  describeClosed,
  describeDisabledLink,
  describeEnd,
  describeGap,
  describeGapRemedy,
  describeLooseLink,
  describeSizedLink,
  round,
  showOn,
} from './messages.ts';
import { DETOUR, findPassage, findSizedLink, measurePlace } from './passage.ts';
import type { BlockExplanation, EndExplanation, GapExplanation, PathExplanation, Point } from './explanation.ts';
import { createNearestHit, findNearestInto } from '../nearest/nearest.ts';
import type { NearestHit } from '../nearest/nearest.ts';
import type { PointLike } from '../../base/math/point.ts';
import { createSearchState } from '../search-state.ts';

/** Options of `explainPath`. */
export interface ExplainOptions extends PathOptions {
  /**
   * Returns a sentence about a gap, which replaces the remedy in the message unless it is empty. `createGapExplainer` of `navkiln/links` returns such
   * a function: it names the automatic link that would lead over the gap, and the limit that it exceeds. Default: none.
   */
  explainGap?: (mesh: NavMesh, gap: GapExplanation) => string;
}

/** Passes every polygon. */
const OPEN_FILTER: QueryFilter = createFilter({ passes: passEverything });
const EVERYWHERE = Float64Array.of(Infinity, Infinity, Infinity);

const query = createPathQuery();
const buffer = createPathBuffer();
const state = createSearchState();
/** The corridor that an agent would take without the caller's filter. */
const openCorridor = createCorridor();

/**
 * Explains the result of `findPath` for the same arguments: why the path is partial or missing, and the remedy.
 *
 * Throws a TypeError if the value is not a position, a RangeError for options out of range and unknown keys.
 */
export function explainPath(
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: ExplainOptions = {},
): PathExplanation {
  checkKeys('explainPath', options, [...PATH_KEYS, 'explainGap']);
  const { explainGap, ...rest } = options;
  if (explainGap !== undefined) checkFunction('explainPath', 'options.explainGap', explainGap);
  readPathQuery(query, mesh, start, end, rest, 'explainPath');
  findPathInto(buffer, state, mesh, query);
  const path = pathOf(mesh, buffer);
  if (mesh.islandsStale === 1) refreshIslands(mesh);
  const startHit = createNearestHit();
  const endHit = createNearestHit();
  const out: PathExplanation = {
    message: '',
    cause: 'none',
    path,
    gap: null,
    block: null,
    passage: null,
    missing: Infinity,
    start: explainEnd(startHit, mesh, query.start, query),
    end: explainEnd(endHit, mesh, query.end, query),
  };
  if (path.status !== 'none') {
    const last = path.points[path.points.length - 1];
    out.missing = path.status === 'complete' ? 0 : distance(last, endHit.poly >= 0 ? endHit.point : query.end);
  }
  const hasLink = explainCause(out, mesh, query, startHit, endHit);
  if (out.gap !== null) {
    const more = explainGap?.(mesh, out.gap) ?? '';
    if (more !== '') out.message += ` ${more}`;
    else if (out.cause === 'gap' && !hasLink) out.message += ` ${describeGapRemedy(mesh, out.gap)}`;
  }
  if (path.status === 'partial') {
    const last = path.points[path.points.length - 1];
    out.message += ` The path ends at ${showOn(mesh, last)}, ${round(out.missing)} from the end.`;
  }
  return out;
}

/**
 * Writes cause and message, and the gap or the blocking polygon or link. Returns whether the message names a link that would lead over
 * the gap.
 */
function explainCause(
  out: PathExplanation,
  mesh: NavMesh,
  { filter, maxNodes }: PathQuery,
  startHit: NearestHit,
  endHit: NearestHit,
): boolean {
  const { path } = out;
  if (path.status === 'complete') {
    out.message = `The path is complete: ${round(path.length)} long.`;
    return false;
  }
  for (const name of ['start', 'end'] as const) {
    const end = out[name];
    if (end.isOnMesh) continue;
    out.cause = end.nearest === null ? 'empty-mesh' : end.isFiltered ? `${name}-filtered` : `${name}-off-mesh`;
    out.message = describeEnd(mesh, end, name, filter);
    if (end.isFiltered && mesh.sizes.length > 0) {
      out.passage = measurePlace(mesh, filter, { poly: polyIndexOf(mesh, end.ref), point: end.nearest! });
      if (out.passage !== null) out.message = describePassage(mesh, out.passage, name);
    }
    return false;
  }
  const openOutcome = searchOpen(mesh, startHit, endHit);
  const isSplit = islandRelation(mesh, startHit.poly, endHit.poly) === 0;
  if (isSplit && openOutcome === 'complete') {
    explainBlock(out, mesh, filter, true);
  } else if (isSplit) {
    return explainGap(out, mesh, filter, startHit.poly, endHit.poly);
  } else if (openOutcome !== 'complete') {
    out.cause = 'one-way-link';
    out.message = 'Start and end are connected only by links that lead the other way.';
  } else if (path.reason === 'budget') {
    out.cause = 'budget';
    out.message = `The search may visit ${maxNodes} polygons (maxNodes), too few to reach the end.`;
  } else if (!explainSize(out, mesh, filter, startHit, endHit)) {
    searchForced(mesh, filter, startHit, endHit);
    explainBlock(out, mesh, filter);
  }
  return false;
}

/** Explains a passage in which the size of the agent does not fit, or a link that it cannot use. Returns false when there is none. */
function explainSize(
  out: PathExplanation,
  mesh: NavMesh,
  filter: QueryFilter,
  start: NearestHit,
  end: NearestHit,
): boolean {
  if (mesh.sizes.length === 0) return false;
  const link = findSizedLink(mesh, filter, start, end);
  out.passage = link === null ? findPassage(mesh, filter, start, end) : null;
  if (out.passage !== null) out.message = describePassage(mesh, out.passage);
  else if (link === null) return false;
  else {
    out.block = blockOfLink(mesh, link.linkEnd);
    out.gap = gapBetween(mesh, filter, anchorOf(mesh, link.linkEnd), anchorOf(mesh, otherEnd(link.linkEnd)));
    out.message = describeSizedLink(mesh, out.block, link.fits, out.gap.size);
  }
  out.cause = 'size';
  return true;
}

/** Returns the middle of a link end on its polygon. */
function anchorOf({ linkAnchors }: NavMesh, linkEnd: number): Point {
  const middle = (k: number): number => (linkAnchors[6 * linkEnd + k] + linkAnchors[6 * linkEnd + 3 + k]) / 2;
  return [middle(0), middle(1), middle(2)];
}

function gapBetween(mesh: NavMesh, { size = 0 }: QueryFilter, from: Point, to: Point): GapExplanation {
  const { name, radius, maxClimb } = mesh.sizes[size] ?? { name: '', ...mesh.agent };
  const dx = to[0] - from[0];
  const dz = to[2] - from[2];
  return { from, to, across: Math.sqrt(dx * dx + dz * dz), up: to[1] - from[1], maxClimb, radius, size: name };
}

/**
 * Writes the polygon and point that `findPath` would use into `hit`. Returns them as data; without them, the nearest
 * point of the mesh.
 */
function explainEnd(
  hit: NearestHit,
  mesh: NavMesh,
  point: Float64Array,
  { halfExtents, filter }: PathQuery,
): EndExplanation {
  findNearestInto(hit, mesh, point, halfExtents, filter);
  const isOnMesh = hit.poly >= 0;
  const open = createNearestHit();
  let isFiltered = false;
  if (!isOnMesh) {
    findNearestInto(open, mesh, point, halfExtents, OPEN_FILTER);
    isFiltered = open.poly >= 0;
    if (!isFiltered) findNearestInto(open, mesh, point, EVERYWHERE, OPEN_FILTER);
  }
  const { poly, point: nearest } = isOnMesh ? hit : open;
  if (poly < 0) {
    return {
      isOnMesh,
      nearest: null,
      ref: NULL_REF,
      across: Infinity,
      up: 0,
      direction: '',
      area: 0,
      flags: 0,
      isFiltered,
      island: -1,
    };
  }
  const dx = nearest[0] - point[0];
  const dz = nearest[2] - point[2];
  const across = Math.sqrt(dx * dx + dz * dz);
  const axis = Math.abs(dx) >= Math.abs(dz) ? (dx < 0 ? '-x' : '+x') : dz < 0 ? '-z' : '+z';
  return {
    isOnMesh,
    nearest: [nearest[0], nearest[1], nearest[2]],
    ref: refOf(mesh, poly),
    across,
    up: nearest[1] - point[1],
    direction: across > NEGLIGIBLE ? axis : '',
    area: mesh.polyArea[poly],
    flags: mesh.polyFlags[poly],
    isFiltered,
    island: islandOf(mesh, poly),
  };
}

const gap = createIslandGap();

/** Explains ends on two islands, those of polygons a and b. Returns whether a link would connect them. */
function explainGap(out: PathExplanation, mesh: NavMesh, filter: QueryFilter, a: number, b: number): boolean {
  out.cause = 'gap';
  findIslandGap(gap, mesh, a, b);
  const [from, to] = [gap.from, gap.to].map(([x, y, z]): Point => [x, y, z]);
  out.gap = gapBetween(mesh, filter, from, to);
  out.message = describeGap(mesh, out.gap);
  const link = describeUnusableLink(mesh, a, b);
  if (link !== '') out.message += ` ${link}`;
  return link !== '';
}

/**
 * Describes a link that would connect two islands if it were enabled or had polygons at both ends; `''` when
 * there is none.
 */
function describeUnusableLink(mesh: NavMesh, a: number, b: number): string {
  const here = islandOf(mesh, a);
  const there = islandOf(mesh, b);
  for (let link = 0; link < mesh.linkCount; link++) {
    if ((mesh.linkState[link] & LINK_USED) === 0) continue;
    const ends = [0, 1].map((side) => mesh.linkPoly[2 * link + side]);
    const roots = ends.map((poly) => islandOf(mesh, poly));
    const leadsBothWays = (mesh.linkState[link] & LINK_BOTH_WAYS) !== 0;
    if ((roots[0] === here && roots[1] === there) || (leadsBothWays && roots[0] === there && roots[1] === here)) {
      return describeDisabledLink(mesh, link);
    }
    const loose = roots[0] === here || roots[0] === there ? 1 : 0;
    const attached = roots[1 - loose];
    if (ends[loose] < 0 && (attached === here || attached === there)) return describeLooseLink(mesh, link, loose);
  }
  return '';
}

/** Searches `openCorridor` with a filter that passes everything. */
function searchOpen(mesh: NavMesh, start: NearestHit, end: NearestHit): CorridorOutcome {
  findCorridor(openCorridor, state, mesh, OPEN_FILTER, start.poly, start.point, end.poly, end.point, Infinity);
  return openCorridor.outcome;
}

/**
 * Searches an `openCorridor` that enters polygons outside the filter only where it must, and takes links outside the
 * filter only if no other route leads to the end. What is for other sizes alone comes last.
 */
function searchForced(mesh: NavMesh, filter: QueryFilter, start: NearestHit, end: NearestHit): void {
  const isOpen = Uint8Array.from({ length: mesh.polyCount }, (_, poly) => Number(passesFilter(filter, mesh, poly)));
  const areaCosts = filter.areaCosts.map((cost) => (cost === Infinity ? cost : 1));
  const linkState = mesh.linkState.map((used, link) => (fitsOn(mesh, filter, mesh.linkSizes[link]) ? used : 0));
  const own: NavMesh = { ...mesh, linkState };
  for (const [view, links] of [
    [own, { ...filter, areaCosts }],
    [own, OPEN_FILTER],
    [mesh, OPEN_FILTER],
  ] as const) {
    const { includeFlags, excludeFlags, closedLinks = 0 } = links;
    const weighed: QueryFilter = {
      ...OPEN_FILTER,
      includeFlags,
      excludeFlags,
      closedLinks,
      areaCosts: links.areaCosts,
      cost: (_, { poly, length }) => {
        if (isOpen[poly] === 1) return length;
        return view === mesh || fitsOn(mesh, filter, mesh.polySizes[poly]) ? DETOUR * length : Infinity;
      },
    };
    findCorridor(openCorridor, state, view, weighed, start.poly, start.point, end.poly, end.point, Infinity);
    if (openCorridor.outcome === 'complete' && openCorridor.cost < Infinity) return;
  }
}

/**
 * Explains a filter or a disabled name: names the first polygon or link of `openCorridor` that the filter does not pass.
 * `isDisabled`: only disabled names count.
 */
function explainBlock(out: PathExplanation, mesh: NavMesh, filter: QueryFilter, isDisabled: boolean = false): void {
  out.cause = 'filter';
  const { polys, crossings, count } = openCorridor;
  for (let i = 0; i < count; i++) {
    const poly = polys[i];
    const isClosed = isClosedPoly(mesh, poly);
    if (isClosed || (!isDisabled && !passesFilter(filter, mesh, poly))) {
      out.block = {
        ref: refOf(mesh, poly),
        link: 0 as LinkRef,
        name: groupOfPoly(mesh, poly)?.name ?? '',
        area: mesh.polyArea[poly],
        flags: mesh.polyFlags[poly],
        point: middleOf(mesh, poly),
      };
      if (isClosed) out.cause = 'disabled';
      out.message = isClosed ? describeClosed(mesh, out.block) : describeBlockedPoly(mesh, out.block, filter);
      return;
    }
    if (isDisabled) continue;
    if (i + 1 === count || !isLinkCrossing(crossings[i])) continue;
    const linkEnd = linkEndOf(crossings[i]);
    const link = linkOf(linkEnd);
    if (passesLinkFlags(filter, mesh, link)) continue;
    out.block = blockOfLink(mesh, linkEnd);
    out.message = describeBlockedLink(out.block, filter, mesh, link);
    return;
  }
  out.message = 'The filter blocks the route.';
}

function blockOfLink(mesh: NavMesh, linkEnd: number): BlockExplanation {
  const link = linkOf(linkEnd);
  const anchor = 6 * linkEnd;
  return {
    ref: NULL_REF,
    link: linkRefOf(mesh, link),
    name: groupOfLink(mesh, linkRefOf(mesh, link))?.name ?? '',
    area: mesh.linkArea[link],
    flags: mesh.linkFlags[link],
    point: [mesh.linkAnchors[anchor], mesh.linkAnchors[anchor + 1], mesh.linkAnchors[anchor + 2]],
  };
}

function middleOf(mesh: NavMesh, poly: number): Point {
  const sum: Point = [0, 0, 0];
  const first = mesh.polyEdgeStart[poly];
  const count = mesh.polyVertexCount[poly];
  for (let e = first; e < first + count; e++) {
    for (let k = 0; k < 3; k++) sum[k] += mesh.vertices[3 * mesh.edgeVertex[e] + k] / count;
  }
  return sum;
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const dx = a[0] - b[0];
  const dy = a[1] - b[1];
  const dz = a[2] - b[2];
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
