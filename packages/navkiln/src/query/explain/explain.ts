/**
 * Why is there no path, or why does it end early? The reason in words and in data.
 *
 * Asks, in this order: is there ground near the ends at all (and how far away is it); does the filter take it away; are the
 * ends connected by ground or links, whatever the filter (and if not, where do the two pieces come closest, and is it a gap or
 * a step); is there a way that the filter closes (and which polygon or link of it does it close first); is there a way only
 * against the direction of links; did the search run out of its budget.
 *
 * Cost: some path searches, and for unconnected ground a comparison of both pieces: milliseconds. For tools and logs, not for
 * every frame.
 *
 * Based on: own.
 */
import { linkEndOf, isLinkCrossing } from '../../navmesh/crossing.ts';
import { areOnOneIsland, islandNode, refreshIslands, rootOfIsland } from '../../navmesh/islands.ts';
import { linkRefOf } from '../../navmesh/links.ts';
import { NULL_REF, refOf } from '../../navmesh/ref.ts';
import { LINK_BOTH_WAYS, LINK_USED } from '../../navmesh/types.ts';
import type { LinkRef, NavMesh, PolyRef } from '../../navmesh/types.ts';
import { findCorridor } from '../path/a-star.ts';
import { createCorridor } from '../path/corridor.ts';
import { DEFAULT_FILTER, createFilter, passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { findPath } from '../path/find-path.ts';
import type { PathOptions } from '../path/find-path.ts';
import type { LocatedPath } from '../path/result.ts';
import { createIslandGap, findIslandGap } from './island-gap.ts';
import { createNearestHit, findNearestInto, readHalfExtents } from '../nearest/nearest.ts';
import type { NearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { createSearchState } from '../search-state.ts';

type Point = [number, number, number];

/** One end of the path. */
export interface EndExplanation {
  /** There is ground for it within the box looked in. */
  isOnMesh: boolean;
  /** The nearest ground, however far and whatever the filter; null: the mesh has none. */
  nearest: Point | null;
  ref: PolyRef;
  /** To `nearest`: seen from above, and in height (above 0: the ground is higher). World units. */
  across: number;
  up: number;
  /** Towards `nearest` seen from above: '+x', '-x', '+z', '-z' or '' when it is straight above or below. */
  direction: string;
  /** Area and flags of the nearest ground; 0 without any. */
  area: number;
  flags: number;
  /** The filter takes ground away that would have been near enough. */
  isFiltered: boolean;
  /** Number of the connected piece of ground, the same for ends that are connected; -1: none. */
  island: number;
}

/** Where two pieces of ground come closest. */
export interface GapExplanation {
  from: Point;
  to: Point;
  /** Seen from above, and in height (above 0: the other side is higher). World units. */
  across: number;
  up: number;
  /** What the agent can do: climb so high; ground ends so far from walls, so that two sides are twice this apart. */
  maxClimb: number;
  radius: number;
}

/** The first thing on the way that the filter closes. */
export interface BlockExplanation {
  /** `NULL_REF`: it is a link. */
  ref: PolyRef;
  /** 0: it is a polygon. */
  link: LinkRef;
  area: number;
  flags: number;
  /** Where the way would have passed it. */
  point: Point;
}

export interface PathExplanation {
  /** Sentences. */
  message: string;
  /** One word for it. */
  cause:
    | 'none'
    | 'empty-mesh'
    | 'start-off-mesh'
    | 'end-off-mesh'
    | 'start-filtered'
    | 'end-filtered'
    | 'gap'
    | 'filter'
    | 'one-way-link'
    | 'budget';
  path: LocatedPath;
  start: EndExplanation;
  end: EndExplanation;
  /** When no ground and no link connects the ends. */
  gap: GapExplanation | null;
  /** When the filter closes the way. */
  block: BlockExplanation | null;
  /** From where the path ends to the end; 0 when it is complete, Infinity when there is none. */
  missing: number;
}

/** Lets everything pass that is there. */
const OPEN_FILTER: QueryFilter = createFilter({ passes: () => true });
const everywhere = Float64Array.of(Infinity, Infinity, Infinity);
const startPoint = new Float64Array(3);
const endPoint = new Float64Array(3);
const extents = new Float64Array(3);

/** Explains the answer of `findPath` to the same question. Throws as it does. */
export function explainPath(
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: PathOptions = {},
): PathExplanation {
  const path = findPath(mesh, start, end, options);
  const filter = options.filter ?? DEFAULT_FILTER;
  readPoint(startPoint, start, 'explainPath', 'start');
  readPoint(endPoint, end, 'explainPath', 'end');
  readHalfExtents(extents, mesh, options.halfExtents, 'explainPath');
  if (mesh.islandsStale === 1) refreshIslands(mesh);
  const startHit = createNearestHit();
  const endHit = createNearestHit();
  const out: PathExplanation = {
    message: '',
    cause: 'none',
    path,
    gap: null,
    block: null,
    missing: Infinity,
    start: explainEnd(startHit, mesh, startPoint, filter),
    end: explainEnd(endHit, mesh, endPoint, filter),
  };
  const last = path.points[path.points.length - 1];
  if (last !== undefined) {
    out.missing = path.status === 'complete' ? 0 : distance(last, endHit.poly >= 0 ? endHit.point : endPoint);
  }
  explain(out, mesh, filter, startHit, endHit, options);
  if (path.status === 'partial') {
    out.message += ` The path ends at ${show(last)}, ${round(out.missing)} from the end.`;
  }
  return out;
}

function explain(
  out: PathExplanation,
  mesh: NavMesh,
  filter: QueryFilter,
  startHit: NearestHit,
  endHit: NearestHit,
  options: PathOptions,
): void {
  const { path } = out;
  if (path.status === 'complete') {
    out.message = `The path is complete: ${round(path.length)} long.`;
    return;
  }
  for (const name of ['start', 'end'] as const) {
    const one = out[name];
    if (one.isOnMesh) continue;
    out.cause = one.nearest === null ? 'empty-mesh' : one.isFiltered ? `${name}-filtered` : `${name}-off-mesh`;
    out.message = messageOfEnd(one, name);
    return;
  }
  const { outcome } = searchOpen(mesh, startHit, endHit, OPEN_FILTER);
  if (areOnOneIsland(mesh, startHit.poly, endHit.poly) === 0) {
    explainGap(out, mesh, startHit.poly, endHit.poly);
  } else if (outcome !== 'complete') {
    out.cause = 'one-way-link';
    out.message = 'Only links that lead the other way connect the start with the end.';
  } else if (path.reason === 'budget') {
    out.cause = 'budget';
    out.message = `The search may look at ${options.maxNodes} polygons (maxNodes), which is not enough to reach the end.`;
  } else {
    explainBlock(out, mesh, filter);
  }
}

/** Finds the nearest ground under the filter in its box, and the nearest at all. The hit is the one that paths begin from. */
function explainEnd(hit: NearestHit, mesh: NavMesh, point: Float64Array, filter: QueryFilter): EndExplanation {
  findNearestInto(hit, mesh, point, extents, filter);
  const isOnMesh = hit.poly >= 0;
  const open = createNearestHit();
  let isFiltered = false;
  if (!isOnMesh) {
    findNearestInto(open, mesh, point, extents, OPEN_FILTER);
    isFiltered = open.poly >= 0;
    if (!isFiltered) findNearestInto(open, mesh, point, everywhere, OPEN_FILTER);
  }
  const { poly, point: at } = isOnMesh ? hit : open;
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
  const dx = at[0] - point[0];
  const dz = at[2] - point[2];
  const across = Math.sqrt(dx * dx + dz * dz);
  const axis = Math.abs(dx) >= Math.abs(dz) ? (dx < 0 ? '-x' : '+x') : dz < 0 ? '-z' : '+z';
  return {
    isOnMesh,
    nearest: [at[0], at[1], at[2]],
    ref: refOf(mesh, poly),
    across,
    up: at[1] - point[1],
    direction: across > 1e-9 ? axis : '',
    area: mesh.polyArea[poly],
    flags: mesh.polyFlags[poly],
    isFiltered,
    island: rootOfIsland(mesh, islandNode(mesh, poly)),
  };
}

function messageOfEnd(end: EndExplanation, name: string): string {
  if (end.nearest === null) return 'The mesh has no ground at all.';
  if (end.isFiltered) {
    return `The ground at the ${name} has flags ${hex(end.flags)} (area ${end.area}), which the filter does not let pass.`;
  }
  const parts = [];
  if (end.across > 1e-9) parts.push(`${round(end.across)} away towards ${end.direction}`);
  if (Math.abs(end.up) > 1e-9) parts.push(`${round(Math.abs(end.up))} ${end.up > 0 ? 'higher' : 'lower'}`);
  return (
    `The ${name} is off the mesh: the nearest ground, at ${show(end.nearest)}, is ${parts.join(' and ')}; a larger ` +
    'halfExtents would reach it.'
  );
}

const gap = createIslandGap();

function explainGap(out: PathExplanation, mesh: NavMesh, a: number, b: number): void {
  out.cause = 'gap';
  const { maxClimb, radius } = mesh.agent;
  findIslandGap(gap, mesh, a, b);
  const { from, to } = gap;
  const dx = to[0] - from[0];
  const dz = to[2] - from[2];
  const across = Math.sqrt(dx * dx + dz * dz);
  const up = to[1] - from[1];
  out.gap = { from: [from[0], from[1], from[2]], to: [to[0], to[1], to[2]], across, up, maxClimb, radius };
  const height = round(Math.abs(up));
  const climbs =
    `${round(across)} apart seen from above, ` +
    (height === '0' ? 'at the same height' : `the second ${height} ${up > 0 ? 'higher' : 'lower'}`);
  out.message =
    'Start and end are on ground that nothing connects. The two pieces come closest between ' +
    `${show(from)} and ${show(to)}: ${climbs}. The agent climbs ${round(maxClimb)} and keeps ${round(radius)} away from ` +
    'walls and edges. A link could join them there.';
  const open = closedLink(mesh, a, b);
  if (open !== '') out.message += ` ${open}`;
}

/** A link between the two islands that is there, but closed or without ground. */
function closedLink(mesh: NavMesh, a: number, b: number): string {
  const here = rootOfIsland(mesh, islandNode(mesh, a));
  const there = rootOfIsland(mesh, islandNode(mesh, b));
  for (let link = 0; link < mesh.linkCount; link++) {
    if ((mesh.linkState[link] & LINK_USED) === 0) continue;
    const ends = [0, 1].map((side) => mesh.linkPoly[2 * link + side]);
    const roots = ends.map((poly) => (poly < 0 ? -1 : rootOfIsland(mesh, islandNode(mesh, poly))));
    const both = (mesh.linkState[link] & LINK_BOTH_WAYS) !== 0;
    if ((roots[0] === here && roots[1] === there) || (both && roots[0] === there && roots[1] === here)) {
      return `The link with the user id ${mesh.linkUserId[link]} would join them, but is disabled.`;
    }
    const other = roots[0] === here || roots[0] === there ? 1 : 0;
    if (ends[other] < 0 && (roots[1 - other] === here || roots[1 - other] === there)) {
      const end = other === 0 ? 'start' : 'end';
      return `The link with the user id ${mesh.linkUserId[link]} has no ground within its radius at its ${end}.`;
    }
  }
  return '';
}

const state = createSearchState();
const corridor = createCorridor();

/** The corridor that an agent would take that may go where this filter lets it. */
function searchOpen(mesh: NavMesh, startHit: NearestHit, endHit: NearestHit, filter: QueryFilter): typeof corridor {
  findCorridor(corridor, state, mesh, filter, startHit.poly, startHit.point, endHit.poly, endHit.point, Infinity);
  return corridor;
}

/** Along the way that an open filter finds: what the user's closes first. */
function explainBlock(out: PathExplanation, mesh: NavMesh, filter: QueryFilter): void {
  out.cause = 'filter';
  for (let i = 0; i < corridor.count; i++) {
    const poly = corridor.polys[i];
    if (!passesFilter(filter, mesh, poly)) {
      const at = middleOf(mesh, poly);
      const area = mesh.polyArea[poly];
      const flags = mesh.polyFlags[poly];
      out.block = { ref: refOf(mesh, poly), link: 0 as LinkRef, area, flags, point: at };
      out.message =
        `The way leads over ground of area ${area} with flags ${hex(flags)} at ${show(at)}, which the filter ` +
        `${reasonOf(filter, flags)}.`;
      return;
    }
    const crossing = i + 1 < corridor.count ? corridor.crossings[i] : 0;
    if (!isLinkCrossing(crossing)) continue;
    const link = linkEndOf(crossing) >> 1;
    const flags = mesh.linkFlags[link];
    if ((flags & filter.includeFlags) !== 0 && (flags & filter.excludeFlags) === 0) continue;
    const at = 6 * linkEndOf(crossing);
    const point: Point = [mesh.linkAnchors[at], mesh.linkAnchors[at + 1], mesh.linkAnchors[at + 2]];
    out.block = { ref: NULL_REF, link: linkRefOf(mesh, link), area: mesh.linkArea[link], flags, point };
    out.message =
      `The way leads over the link with the user id ${mesh.linkUserId[link]} at ${show(point)}, whose flags ` +
      `${hex(flags)} the filter ${reasonOf(filter, flags)}.`;
    return;
  }
  out.message = 'The filter closes the way.';
}

function reasonOf(filter: QueryFilter, flags: number): string {
  if (filter.passes !== undefined) return 'does not let pass (its own function says so)';
  if ((flags & filter.excludeFlags) !== 0) return `excludes (excludeFlags ${hex(filter.excludeFlags)})`;
  return `does not include (includeFlags ${hex(filter.includeFlags)})`;
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
  const x = a[0] - b[0];
  const y = a[1] - b[1];
  const z = a[2] - b[2];
  return Math.sqrt(x * x + y * y + z * z);
}

function hex(flags: number): string {
  return `0x${flags.toString(16)}`;
}

/** Three digits behind the point at most. */
function round(value: number): string {
  return String(Number(value.toFixed(3)));
}

function show(point: ArrayLike<number>): string {
  return `[${Array.from(point).map(round).join(', ')}]`;
}
