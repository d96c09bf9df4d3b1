/**
 * Links (off-mesh connections): ways that are not ground, between any two places, however far apart: jumps, ladders,
 * doors, teleporters. They come, go, open and close at run time, in time that does not depend on the mesh's size.
 *
 * An end is a point, or a segment: then a path may leave the ground anywhere along it, and arrives anywhere along the other.
 * Each end is put on the polygon nearest to the middle of its segment (attach-links.ts) and follows the ground when tiles
 * come and go; of a segment the part on that polygon counts. A link one of whose ends has no ground stays, and waits.
 * A link never opens a wall: only paths take it.
 *
 * Based on: own; what a link can say of itself is what Detour's off-mesh connections say (Mikko Mononen), plus a cost.
 */
import { AREA_COUNT, AREA_GROUND, FLAG_WALK } from '../constants.ts';
import { refuse } from '../data/refuse.ts';
import { readPoint } from '../math/point.ts';
import type { PointLike } from '../math/point.ts';
import {
  attachLinkEnd,
  detachLinkEnd,
  ensureLinkHash,
  hashLink,
  isLinkOpen,
  linkScaleOf,
  noteLink,
  rehashLinks,
  unhashLink,
} from './attach-links.ts';
import { growPool } from './grow-pool.ts';
import { markIslandsStale, uniteIslands } from './islands.ts';
import { MAX_GENERATION, NULL_REF, refOf } from './ref.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED, LINK_USED } from './types.ts';
import type { LinkRef, NavMesh, PolyRef } from './types.ts';

/** Link slots a mesh may have. */
export const MAX_LINKS = 0x1000000;

/** An end of a link: a point, or the two ends of a segment. World units. */
export type LinkEnd = PointLike | readonly [PointLike, PointLike];

export interface LinkOptions {
  start: LinkEnd;
  end: LinkEnd;
  /** Default false: from start to end only. */
  bothWays?: boolean;
  /** How far, seen from above, an end may be from its ground. Default: the agent's radius, or a cell if that is larger. */
  radius?: number;
  /** 1 .. 63. Default `AREA_GROUND`. */
  area?: number;
  /** The length it counts as, which the area's cost multiplies; 0 or more. Default: the distance between its ends. */
  cost?: number;
  /** 16 bits, default `FLAG_WALK`. */
  flags?: number;
  /** Any finite number; comes back with paths. Default 0. */
  userId?: number;
  /** Default true. */
  enabled?: boolean;
}

/** What is known of a link. */
export interface LinkInfo {
  /** As given. */
  start: [[number, number, number], [number, number, number]];
  end: [[number, number, number], [number, number, number]];
  bothWays: boolean;
  radius: number;
  area: number;
  /** -1: the distance between its ends. */
  cost: number;
  flags: number;
  userId: number;
  enabled: boolean;
  /** The polygons its ends are on; `NULL_REF`: none within reach. */
  startPoly: PolyRef;
  endPoly: PolyRef;
}

/** Adds a link. Throws on numbers that are none, an area or flags out of range. */
export function addLink(mesh: NavMesh, options: LinkOptions): LinkRef {
  const { area = AREA_GROUND, flags = FLAG_WALK, userId = 0, bothWays = false, enabled = true } = options;
  const { cost = -1, radius = Math.max(mesh.agent.radius, mesh.cellSize) } = options;
  const points = new Float64Array(12);
  readEnd(points, 0, options.start, 'start');
  readEnd(points, 6, options.end, 'end');
  check('radius', radius, radius >= 0 && radius < Infinity, 'a finite length from 0 on');
  check('cost', cost, (cost >= 0 && cost < Infinity) || options.cost === undefined, 'a finite length from 0 on');
  check('area', area, area >= 1 && area < AREA_COUNT && area % 1 === 0, `a whole number, 1 .. ${AREA_COUNT - 1}`);
  check('flags', flags, flags >= 0 && flags <= 0xffff && flags % 1 === 0, '16 bits');
  check('userId', userId, Number.isFinite(userId), 'a finite number');

  mesh.revision++;
  ensureLinkHash(mesh);
  const link = takeLink(mesh);
  mesh.linkState[link] = LINK_USED | (enabled ? LINK_ENABLED : 0) | (bothWays ? LINK_BOTH_WAYS : 0);
  mesh.linkGeneration[link]++;
  mesh.linkPoints.set(points, 12 * link);
  mesh.linkRadius[link] = radius;
  mesh.linkCost[link] = cost;
  mesh.linkArea[link] = area;
  mesh.linkFlags[link] = flags;
  mesh.linkUserId[link] = userId;
  mesh.linkPoly.fill(-1, 2 * link, 2 * link + 2);
  mesh.linkNext.fill(-1, 2 * link, 2 * link + 2);
  hashLink(mesh, link);
  noteLink(mesh, link);
  attachLinkEnd(mesh, 2 * link);
  attachLinkEnd(mesh, 2 * link + 1);
  return linkRefOf(mesh, link);
}

/** Takes a link away. Its ref is stale from now on. */
export function removeLink(mesh: NavMesh, ref: LinkRef): void {
  const link = knownLink(mesh, ref, 'removeLink');
  mesh.revision++;
  if (isLinkOpen(mesh, link)) markIslandsStale(mesh);
  detachLinkEnd(mesh, 2 * link);
  detachLinkEnd(mesh, 2 * link + 1);
  unhashLink(mesh, link);
  const isCheapest = mesh.linkScale < 1 && linkScaleOf(mesh, link) === mesh.linkScale;
  // Zeros, so that the same links in the same slots are the same bytes.
  mesh.linkPoints.fill(0, 12 * link, 12 * link + 12);
  mesh.linkAnchors.fill(0, 12 * link, 12 * link + 12);
  mesh.linkState[link] = mesh.linkRadius[link] = mesh.linkCost[link] = mesh.linkArea[link] = mesh.linkFlags[link] = 0;
  mesh.linkUserId[link] = -1;
  if (mesh.linkGeneration[link] < MAX_GENERATION) {
    mesh.linkUserId[link] = mesh.linkFree;
    mesh.linkFree = link;
  }
  if (!isCheapest) return;
  mesh.linkScale = 1;
  for (let other = 0; other < mesh.linkCount; other++) if (mesh.linkState[other] !== 0) noteLink(mesh, other);
}

/** Opens or closes a link for everybody; who is on it already is not asked. */
export function setLinkEnabled(mesh: NavMesh, ref: LinkRef, enabled: boolean): void {
  const link = knownLink(mesh, ref, 'setLinkEnabled');
  mesh.revision++;
  const { linkState, linkPoly } = mesh;
  const wasOpen = isLinkOpen(mesh, link);
  linkState[link] = enabled ? linkState[link] | LINK_ENABLED : linkState[link] & ~LINK_ENABLED;
  const isOpen = isLinkOpen(mesh, link);
  if (isOpen && !wasOpen) uniteIslands(mesh, linkPoly[2 * link], linkPoly[2 * link + 1]);
  if (wasOpen && !isOpen) markIslandsStale(mesh);
}

/** What is known of a link, or null when the ref is stale. */
export function getLink(mesh: NavMesh, ref: LinkRef): LinkInfo | null {
  const link = linkIndexOf(mesh, ref);
  if (link < 0) return null;
  const point = (at: number): [number, number, number] => [
    mesh.linkPoints[at],
    mesh.linkPoints[at + 1],
    mesh.linkPoints[at + 2],
  ];
  const polyRef = (linkEnd: number): PolyRef =>
    mesh.linkPoly[linkEnd] < 0 ? NULL_REF : refOf(mesh, mesh.linkPoly[linkEnd]);
  const state = mesh.linkState[link];
  return {
    start: [point(12 * link), point(12 * link + 3)],
    end: [point(12 * link + 6), point(12 * link + 9)],
    bothWays: (state & LINK_BOTH_WAYS) !== 0,
    radius: mesh.linkRadius[link],
    area: mesh.linkArea[link],
    cost: mesh.linkCost[link],
    flags: mesh.linkFlags[link],
    userId: mesh.linkUserId[link],
    enabled: (state & LINK_ENABLED) !== 0,
    startPoly: polyRef(2 * link),
    endPoly: polyRef(2 * link + 1),
  };
}

/** Refs of all links, in the order of their slots. */
export function listLinks(mesh: NavMesh): LinkRef[] {
  const refs: LinkRef[] = [];
  for (let link = 0; link < mesh.linkCount; link++) if (mesh.linkState[link] !== 0) refs.push(linkRefOf(mesh, link));
  return refs;
}

/** The ref of the link in a slot, which is trusted: take it from a query on the same mesh. */
export function linkRefOf(mesh: NavMesh, link: number): LinkRef {
  return (mesh.linkGeneration[link] * MAX_LINKS + link) as LinkRef;
}

/** The slot of a link, or -1 when the ref is null, stale or none at all. */
export function linkIndexOf(mesh: NavMesh, ref: LinkRef): number {
  if (!Number.isSafeInteger(ref) || ref <= 0) return -1;
  const generation = Math.floor(ref / MAX_LINKS);
  const link = ref - generation * MAX_LINKS;
  return link < mesh.linkCount && mesh.linkState[link] !== 0 && mesh.linkGeneration[link] === generation ? link : -1;
}

function knownLink(mesh: NavMesh, ref: LinkRef, caller: string): number {
  const link = linkIndexOf(mesh, ref);
  if (link < 0)
    throw new RangeError(`${caller}: ${String(ref)} is no link of this mesh; give a ref that addLink returned`);
  return link;
}

function takeLink(mesh: NavMesh): number {
  const free = mesh.linkFree;
  if (free >= 0) {
    mesh.linkFree = mesh.linkUserId[free];
    return free;
  }
  if (mesh.linkCount >= MAX_LINKS)
    throw new RangeError(`addLink: all ${MAX_LINKS} slots of links are in use; remove some`);
  const hasGrown = growPool(mesh, 'linkCount', mesh.linkCount + 1);
  if (hasGrown) rehashLinks(mesh);
  return mesh.linkCount++;
}

function readEnd(out: Float64Array, at: number, end: LinkEnd, name: string): void {
  const isSegment = typeof end === 'object' && end !== null && 'length' in end && end.length === 2;
  const point = out.subarray(at, at + 3);
  readPoint(point, isSegment ? (end as readonly [PointLike, PointLike])[0] : (end as PointLike), 'addLink', name);
  readPoint(
    out.subarray(at + 3, at + 6),
    isSegment ? (end as readonly [PointLike, PointLike])[1] : point,
    'addLink',
    name,
  );
}

function check(name: string, value: unknown, isGood: boolean, remedy: string): void {
  if (!isGood) refuse('addLink', name, value, remedy);
}
