/**
 * Links (off-mesh connections): jumps, ladders, doors and teleporters between any two positions, however far
 * apart.
 *
 * Links are added, removed, enabled and disabled at run time, in time that does not depend on the size of the
 * mesh. An end is a point or a segment. A path leaves the surface anywhere along the start segment and arrives
 * anywhere along the end segment; on a straight link, it arrives opposite to where it left (straight-links.ts). Each
 * end is attached to the polygon nearest to the middle of its segment (attach-links.ts) and follows the surface when
 * tiles change. A link with an unattached end stays in the mesh and is attached when a tile is added there. Links do
 * not open walls: only paths use them.
 *
 * Cost: adding and removing is independent of the size of the mesh.
 * Based on: own; the properties are those of Detour's off-mesh connections (Mikko Mononen), plus a cost.
 */
import { checkMutableMesh, checkMutableStates, checkNavMesh } from '../check-mesh.ts';
import { AREA_COUNT, AREA_GROUND, FLAG_WALK, MAX_COORDINATE } from '../../base/constants.ts';
import { checkHandle, checkKeys, checkName, checkObject, refuse } from '../../base/data/refuse.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
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
} from '../tiles/attach-links.ts';
import { growPool } from '../tiles/grow-pool.ts';
import { markIslandsStale, uniteIslands } from '../islands.ts';
import { ensureGroup, groupOfLink } from '../named.ts';
import { noteLocalChange } from './local-changes.ts';
import { KIND_SHIFT, kindOfLink, numberOf } from '../link-kinds.ts';
import type { LinkKind } from '../link-kinds.ts';
import { isWideAt, placesOfWide } from '../link-places.ts';
import { MAX_LINKS, linkIndexOf, linkRefOf } from '../link-ref.ts';
import { MAX_GENERATION, NULL_REF, refOf } from '../ref.ts';
import { namesOfSizes } from '../sizes.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED, LINK_STRAIGHT, LINK_USED } from '../types.ts';
import type { LinkRef, NavMesh, PolyRef } from '../types.ts';

/** An end of a link: a point, or the two ends of a segment. World units. */
export type LinkEnd = PointLike | readonly [PointLike, PointLike];

/** How agents cross a link with segments as ends; see `LinkOptions`. */
export type LinkCrossing = 'any' | 'straight';

/** Options of `addLink`. */
export interface LinkOptions {
  /** Start of the link, world units. */
  start: LinkEnd;
  /** End of the link, world units. */
  end: LinkEnd;
  /** Whether the link also leads from end to start. Default false. */
  bothWays?: boolean;
  /**
   * Largest horizontal distance between an end and its polygon, world units. Default: the agent's radius, or
   * the cell size if that is larger.
   */
  radius?: number;
  /** Area id, 1 .. 63. Default `AREA_GROUND`. */
  area?: number;
  /**
   * Cost of the link as a length, >= 0. Searches multiply it by the cost of the link's area. Default: the distance
   * between the ends.
   */
  cost?: number;
  /** Flags, 16 bits. Default `FLAG_WALK`. */
  flags?: number;
  /** An id that the caller chooses, any finite number. Paths return it. Default 0. */
  userId?: number;
  /** Whether paths may use the link. Default true. */
  enabled?: boolean;
  /**
   * Name of the link, not empty. `setEnabled` switches all areas and links with the same name. The link is disabled
   * while its name is disabled. For a new name, `enabled` sets the state of the name. Default: none.
   */
  name?: string;
  /** On a mesh with sizes: names of the sizes that can use the link. Default: all. */
  sizes?: readonly string[];
  /** Kind of movement on the link; filters and agent types can close kinds. Default `'other'`. */
  kind?: LinkKind;
  /**
   * How paths cross a link with segments as ends. `'any'`: from any point of one end to any point of the other.
   * `'straight'`: to the opposite point, at the same share of both ends. The ends must then be parallel, of equal length
   * and in the same direction. Default `'any'`.
   */
  crossing?: LinkCrossing;
}

const LINK_OPTION_KEYS = [
  'start',
  'end',
  'bothWays',
  'radius',
  'area',
  'cost',
  'flags',
  'userId',
  'enabled',
  'name',
  'sizes',
  'kind',
  'crossing',
] as const satisfies readonly (keyof LinkOptions)[];

/** Result of `getLink`: the options and the attachment of a link. */
export interface LinkInfo {
  /** Both segments as passed to `addLink`. */
  start: [[number, number, number], [number, number, number]];
  end: [[number, number, number], [number, number, number]];
  bothWays: boolean;
  radius: number;
  area: number;
  /** Cost as a length; -1 stands for the distance between the ends. */
  cost: number;
  flags: number;
  userId: number;
  kind: LinkKind;
  enabled: boolean;
  /** Name of the link; '' if it has none. */
  name: string;
  /** Names of the sizes that can use the link; empty on a mesh without sizes. */
  sizes: string[];
  crossing: LinkCrossing;
  /** The polygons that the ends are attached to; `NULL_REF` when no polygon is within reach. */
  startPoly: PolyRef;
  endPoly: PolyRef;
}

/**
 * Adds a link and returns its ref. Throws a RangeError for numbers out of range and a TypeError for invalid points;
 * the mesh is then unchanged.
 */
export function addLink(mesh: NavMesh, options: LinkOptions): LinkRef {
  checkMutableMesh('addLink', mesh);
  checkObject('addLink', 'options', options);
  checkKeys('addLink', options, LINK_OPTION_KEYS);
  const { area = AREA_GROUND, flags = FLAG_WALK, userId = 0, bothWays = false, enabled = true } = options;
  const { cost = -1, radius = Math.max(mesh.agent.radius, mesh.cellSize), kind = 'other' } = options;
  const points = new Float64Array(12);
  readEnd(points, 0, options.start, 'options.start');
  readEnd(points, 6, options.end, 'options.end');
  for (const [key, value] of Object.entries({ radius, cost, area, flags }))
    checkHandle('addLink', `options.${key}`, value);
  // Squares of lengths could overflow beyond this limit, and `loadNavMesh` refuses such numbers.
  points.forEach((x, i) => check(i < 6 ? 'start' : 'end', x, Math.abs(x) < MAX_COORDINATE, 'below 1e100'));
  check('radius', radius, radius >= 0 && radius < MAX_COORDINATE, '>= 0, below 1e100');
  check('cost', cost, (cost >= 0 && cost < MAX_COORDINATE) || options.cost === undefined, '>= 0, below 1e100');
  check('area', area, area >= 1 && area < AREA_COUNT && area % 1 === 0, `an integer, 1 .. ${AREA_COUNT - 1}`);
  check('flags', flags, flags >= 0 && flags <= 0xffff && flags % 1 === 0, 'an integer, 0 .. 65535');
  check('userId', userId, Number.isFinite(userId), 'a finite number');
  check('bothWays', bothWays, typeof bothWays === 'boolean', 'true or false');
  check('enabled', enabled, typeof enabled === 'boolean', 'true or false');
  const kindBits = numberOf('addLink', kind, 'options.kind') << KIND_SHIFT;
  const { name, crossing = 'any' } = options;
  check('crossing', crossing, crossing === 'any' || crossing === 'straight', "'any' or 'straight'");
  if (isWideAt(points, 0) && !placesOfWide('addLink').areEndsEqual(points, 0) && crossing === 'straight')
    refuse('addLink', 'options.end', options.end, "parallel to options.start and as long, or options.crossing 'any'");
  if (name !== undefined) checkName('addLink', 'options.name', name);
  const sizes = options.sizes === undefined ? (1 << mesh.sizes.length) - 1 : readSizes(mesh, options.sizes);

  mesh.revision++;
  ensureLinkHash(mesh);
  const link = takeLink(mesh);
  const group = name === undefined ? undefined : ensureGroup(mesh, name, enabled);
  const isOn = enabled && group?.isEnabled !== false;
  const bits = kindBits | (crossing === 'straight' ? LINK_STRAIGHT : 0);
  mesh.linkState[link] = LINK_USED | (isOn ? LINK_ENABLED : 0) | (bothWays ? LINK_BOTH_WAYS : 0) | bits;
  mesh.linkGeneration[link]++;
  mesh.linkPoints.set(points, 12 * link);
  mesh.linkRadius[link] = radius;
  mesh.linkCost[link] = cost;
  mesh.linkArea[link] = area;
  mesh.linkFlags[link] = flags;
  mesh.linkSizes[link] = sizes;
  mesh.linkUserId[link] = userId;
  mesh.linkPoly.fill(-1, 2 * link, 2 * link + 2);
  mesh.linkNext.fill(-1, 2 * link, 2 * link + 2);
  hashLink(mesh, link);
  noteLink(mesh, link);
  attachLinkEnd(mesh, 2 * link);
  attachLinkEnd(mesh, 2 * link + 1);
  group?.links.add(linkRefOf(mesh, link));
  return linkRefOf(mesh, link);
}

/** Removes a link. Returns false when the ref is stale. */
export function removeLink(mesh: NavMesh, ref: LinkRef): boolean {
  checkMutableMesh('removeLink', mesh);
  checkHandle('removeLink', 'ref', ref);
  const link = linkIndexOf(mesh, ref);
  if (link < 0) return false;
  mesh.revision++;
  if (isLinkOpen(mesh, link)) markIslandsStale(mesh);
  detachLinkEnd(mesh, 2 * link);
  detachLinkEnd(mesh, 2 * link + 1);
  unhashLink(mesh, link);
  groupOfLink(mesh, ref)?.links.delete(ref);
  const isCheapest = mesh.linkScale < 1 && linkScaleOf(mesh, link) === mesh.linkScale;
  // Free slots contain zeros, so that the same links in the same slots give the same bytes.
  mesh.linkPoints.fill(0, 12 * link, 12 * link + 12);
  mesh.linkAnchors.fill(0, 12 * link, 12 * link + 12);
  mesh.linkState[link] = mesh.linkRadius[link] = mesh.linkCost[link] = mesh.linkArea[link] = 0;
  mesh.linkFlags[link] = mesh.linkSizes[link] = 0;
  mesh.linkUserId[link] = -1;
  if (mesh.linkGeneration[link] < MAX_GENERATION) {
    mesh.linkUserId[link] = mesh.linkFree;
    mesh.linkFree = link;
  }
  if (isCheapest) {
    mesh.linkScale = 1;
    for (let other = 0; other < mesh.linkCount; other++) if (mesh.linkState[other] !== 0) noteLink(mesh, other);
  }
  return true;
}

/**
 * Enables or disables a link for all paths. Agents that are on it finish the traverse. Returns false when the
 * ref is stale.
 */
export function setLinkEnabled(mesh: NavMesh, ref: LinkRef, enabled: boolean): boolean {
  checkMutableStates('setLinkEnabled', mesh);
  checkHandle('setLinkEnabled', 'ref', ref);
  const link = linkIndexOf(mesh, ref);
  if (link < 0) return false;
  const { linkState, linkPoly } = mesh;
  noteLocalChange(mesh, [linkPoly[2 * link], linkPoly[2 * link + 1]]);
  const wasOpen = isLinkOpen(mesh, link);
  linkState[link] = enabled ? linkState[link] | LINK_ENABLED : linkState[link] & ~LINK_ENABLED;
  const isOpen = isLinkOpen(mesh, link);
  if (isOpen && !wasOpen) uniteIslands(mesh, linkPoly[2 * link], linkPoly[2 * link + 1]);
  if (wasOpen && !isOpen) markIslandsStale(mesh);
  return true;
}

/** Returns a description of a link, or null if the ref is stale. */
export function getLink(mesh: NavMesh, ref: LinkRef): LinkInfo | null {
  checkNavMesh('getLink', mesh);
  checkHandle('getLink', 'ref', ref);
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
    kind: kindOfLink(mesh, link),
    enabled: (state & LINK_ENABLED) !== 0,
    name: groupOfLink(mesh, ref)?.name ?? '',
    sizes: namesOfSizes(mesh, mesh.linkSizes[link]),
    crossing: (state & LINK_STRAIGHT) !== 0 ? 'straight' : 'any',
    startPoly: polyRef(2 * link),
    endPoly: polyRef(2 * link + 1),
  };
}

/** Returns the refs of all links, in the order of their slots. */
export function listLinks(mesh: NavMesh): LinkRef[] {
  checkNavMesh('listLinks', mesh);
  const refs: LinkRef[] = [];
  for (let link = 0; link < mesh.linkCount; link++) if (mesh.linkState[link] !== 0) refs.push(linkRefOf(mesh, link));
  return refs;
}

/** Returns the mask of sizes with these names. */
function readSizes({ sizes }: NavMesh, names: readonly string[]): number {
  const known = sizes.map(({ name }) => name);
  const isGood = Array.isArray(names) && names.length > 0 && names.every((name) => known.includes(name));
  check('sizes', names, isGood, `names of mesh.sizes (${known.join(', ') || 'none'}), or absent`);
  return known.reduce((mask, name, k) => (names.includes(name) ? mask | (1 << k) : mask), 0);
}

function takeLink(mesh: NavMesh): number {
  const free = mesh.linkFree;
  if (free >= 0) {
    mesh.linkFree = mesh.linkUserId[free];
    return free;
  }
  if (mesh.linkCount >= MAX_LINKS)
    throw new RangeError(`addLink: all ${MAX_LINKS} link slots are in use; remove some links`);
  const hasGrown = growPool(mesh, 'linkCount', mesh.linkCount + 1);
  if (hasGrown) rehashLinks(mesh);
  return mesh.linkCount++;
}

function readEnd(out: Float64Array, at: number, end: LinkEnd, name: string): void {
  const isSegment = typeof end === 'object' && end !== null && 'length' in end && end.length === 2;
  for (const k of [0, 1] as const) {
    const point = isSegment ? (end as readonly [PointLike, PointLike])[k] : (end as PointLike);
    readPoint(out.subarray(at + 3 * k, at + 3 * k + 3), point, 'addLink', name);
  }
}

function check(name: string, value: unknown, isGood: boolean, remedy: string): void {
  if (!isGood) refuse('addLink', `options.${name}`, value, remedy);
}
