/**
 * The sentences of explainPath.
 */
import { kindOfLink, kindsOf } from '../../mesh/link-kinds.ts';
import { linkRefOf } from '../../mesh/link-ref.ts';
import { getLink } from '../../mesh/change/links.ts';
import { meshToMap } from '../../mesh/map-plane.ts';
import { groupOfLink, groupOfPoly } from '../../mesh/named.ts';
import { polyIndexOf } from '../../mesh/ref.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { fitsOn } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import type { BlockExplanation, EndExplanation, GapExplanation, PassageExplanation } from './explanation.ts';

/** Distances below this, world units, are not mentioned. */
export const NEGLIGIBLE = 1e-9;

/** Returns the sentence for a start or end off the mesh. */
export function describeEnd(mesh: NavMesh, end: EndExplanation, name: 'start' | 'end', filter: QueryFilter): string {
  if (end.nearest === null) return 'The mesh is empty.';
  if (end.isFiltered) {
    const group = groupOfPoly(mesh, polyIndexOf(mesh, end.ref));
    if (group?.isEnabled === false) return `The ${name} is on ${JSON.stringify(group.name)}, which is disabled.`;
    if (isClosedArea(filter, end.area)) return `The ${name} is in area ${end.area}, ${verdict(filter, end)}.`;
    return `The polygon at the ${name} has flags ${hex(end.flags)} (area ${end.area}); the filter does not pass it.`;
  }
  const parts = [];
  if (end.across > NEGLIGIBLE) parts.push(`${round(end.across)} away towards ${axisOf(mesh, end.direction)}`);
  if (Math.abs(end.up) > NEGLIGIBLE) parts.push(`${round(Math.abs(end.up))} ${end.up > 0 ? 'higher' : 'lower'}`);
  return (
    `The ${name} is off the mesh: the nearest point of the mesh, ${showOn(mesh, end.nearest)}, is ${parts.join(' and ')}. ` +
    'Larger halfExtents would include it.'
  );
}

/** Returns the sentences about the gap between two islands, without a remedy. */
export function describeGap(mesh: NavMesh, { from, to, across, up, maxClimb, radius }: GapExplanation): string {
  const height = round(Math.abs(up));
  const level = height === '0' ? 'at the same height' : `the second ${height} ${up > 0 ? 'higher' : 'lower'}`;
  const start = 'Start and end are on islands that nothing connects. The islands';
  if (across <= NEGLIGIBLE && Math.abs(up) <= maxClimb) {
    return `${start} touch at ${showOn(mesh, from)} in a point, or along edges that are not joined, which no agent passes.`;
  }
  // Points that look equal in three digits would hide the gap.
  const apart = round(across) === '0' && across > 0 ? String(Number(across.toPrecision(3))) : round(across);
  const where = `${start} come closest between ${showOn(mesh, from)} and ${showOn(mesh, to)}: ${apart} apart`;
  if (mesh.mapYSign !== 0) {
    const closed = `passages narrower than twice the radius of ${round(radius)} are closed`;
    return `${where}.${radius > 0 ? ` The agent keeps away from walls: ${closed}.` : ''}`;
  }
  return (
    `${where} seen from above, ${level}. ` +
    `The agent climbs ${round(maxClimb)} and keeps ${round(radius)} away from walls and edges.`
  );
}

/** Returns the remedy for a gap of which nothing more is known. */
export function describeGapRemedy(mesh: NavMesh, { across, up, radius }: GapExplanation): string {
  const crack = across - 2 * radius;
  if (mesh.mapYSign !== 0) {
    const isTouching = across <= NEGLIGIBLE;
    const isCrack = crack > 0 && crack <= CRACK_SHARE * Math.max(radius, mesh.agent.height);
    if (isTouching || !isCrack) return 'A link could connect them there.';
    // With a radius, the gap is larger by a few steps of the grid.
    const needed = Number((2 * crack).toPrecision(2));
    return `Their outlines are ${Number(crack.toPrecision(3))} apart there. If they should meet, give the map precision: ${needed}, or move their corners together.`;
  }
  return isNearMiss(mesh, across, up) ? NEAR_MISS_REMEDY : 'A link could connect them there.';
}

/** The same for outlines of a 2D map, in agent sizes. */
const CRACK_SHARE = 0.001;
/** Maximum width of a gap that counts as a mistake in the model, in agent heights. */
const NEAR_MISS_HEIGHTS = 0.01;
const NEAR_MISS_REMEDY = 'That is a near miss: move their edges together, or build with a larger maxGap.';

/** Returns whether the edges of a surface mesh would meet, except for a crack that a larger maxGap closes. */
function isNearMiss({ agent, cellSize }: NavMesh, across: number, up: number): boolean {
  const { radius, height, maxClimb } = agent;
  const crack = across - 2 * radius;
  return cellSize === 0 && crack > 0 && crack <= NEAR_MISS_HEIGHTS * height && Math.abs(up) <= maxClimb;
}

/** Returns the sentence for a disabled link between two islands. */
export function describeDisabledLink(mesh: NavMesh, link: number): string {
  const group = groupOfLink(mesh, linkRefOf(mesh, link));
  const which = group === undefined ? `with user id ${mesh.linkUserId[link]}` : JSON.stringify(group.name);
  return `The link ${which} would connect them, but is disabled.`;
}

/** Returns the sentence for a link of one of the islands that has no polygon at this side (0: start, 1: end). */
export function describeLooseLink(mesh: NavMesh, link: number, side: number): string {
  const end = side === 0 ? 'start' : 'end';
  return `The link with user id ${mesh.linkUserId[link]} has no polygon within its radius at its ${end}.`;
}

/** Returns the sentence that names the disabled name on the route. */
export function describeClosed(mesh: NavMesh, { name, point }: BlockExplanation): string {
  return `The route crosses ${JSON.stringify(name)} at ${showOn(mesh, point)}, which is disabled; setEnabled enables it.`;
}

/** Returns the sentence about the polygon that the filter blocks. */
export function describeBlockedPoly(
  mesh: NavMesh,
  { ref, area, flags, point }: BlockExplanation,
  filter: QueryFilter,
): string {
  if (isClosedArea(filter, area))
    return `The route crosses area ${area} at ${showOn(mesh, point)}, ${verdict(filter, { area, flags })}.`;
  if (!fitsOn(mesh, filter, mesh.polySizes[polyIndexOf(mesh, ref)]))
    return `The route crosses ${showOn(mesh, point)}, ${forOthers(mesh, filter)}.`;
  return `The route crosses a polygon of area ${area} with flags ${hex(flags)} at ${showOn(mesh, point)}, ${verdict(filter, { area, flags })}.`;
}

/** Returns the sentence about the position where the agent does not fit. */
export function describePassage(
  mesh: NavMesh,
  { size, fits, needs, has, point, isTooLow }: PassageExplanation,
  name: 'start' | 'end' | '' = '',
): string {
  const where = name === '' ? `The route passes ${showOn(mesh, point)}` : `The ${name} is at ${showOn(mesh, point)}`;
  const why = isTooLow
    ? 'it is too tall, or cannot climb a step'
    : `it needs ${round(needs)} and has ${round(has)}${has < needs ? '' : ', which cells round away; a smaller cellSize helps'}`;
  return `${where}, where ${JSON.stringify(fits)} fits but ${JSON.stringify(size)} does not: ${why}.`;
}

/** Returns the sentence about the link that the filter blocks. */
export function describeBlockedLink(
  { area, flags, name, point }: BlockExplanation,
  filter: QueryFilter,
  mesh: NavMesh,
  link: number,
): string {
  const which = name === '' ? `with user id ${mesh.linkUserId[link]}` : JSON.stringify(name);
  const where = `at ${showOn(mesh, point)}`;
  const kind = kindOfLink(mesh, link);
  if (!fitsOn(mesh, filter, mesh.linkSizes[link]))
    return `The route takes the link ${which} ${where}, ${forOthers(mesh, filter)}.`;
  if (!isClosedArea(filter, area) && kindsOf(filter.closedLinks ?? 0).includes(kind)) {
    const what = kind === 'other' ? 'link' : kind;
    return `The route takes the ${what} ${which} ${where}, which is closed to this agent (closedLinks has ${JSON.stringify(kind)}).`;
  }
  const has = isClosedArea(filter, area) ? `of area ${area}` : `with flags ${hex(flags)}`;
  return `The route takes the link ${which} ${has} ${where}, ${verdict(filter, { area, flags }, true)}.`;
}

/** Returns the sentence about a link that only other sizes can use. */
export function describeSizedLink(
  mesh: NavMesh,
  { link, name, point }: BlockExplanation,
  fits: string,
  size: string,
): string {
  const which = name === '' ? `with user id ${getLink(mesh, link)?.userId}` : JSON.stringify(name);
  return `The route takes the link ${which} at ${showOn(mesh, point)}, which ${JSON.stringify(fits)} can use but ${JSON.stringify(size)} cannot.`;
}

function forOthers({ sizes }: NavMesh, { size = 0 }: QueryFilter): string {
  return `which is for other sizes than ${JSON.stringify(sizes[size].name)}`;
}

function isClosedArea({ areaCosts }: QueryFilter, area: number): boolean {
  return areaCosts[area] === Infinity;
}

/** Returns why a filter does not pass a polygon or link. */
function verdict(
  filter: QueryFilter,
  { area, flags }: { area: number; flags: number },
  isLink: boolean = false,
): string {
  if (isClosedArea(filter, area)) return `which is closed to this agent (areaCosts[${area}] is Infinity)`;
  if (filter.passes !== undefined && !isLink) return 'which the passes() of the filter refuses';
  if ((flags & filter.excludeFlags) !== 0)
    return `which the filter excludes (excludeFlags ${hex(filter.excludeFlags)})`;
  return `which the filter does not include (includeFlags ${hex(filter.includeFlags)})`;
}

function hex(flags: number): string {
  return `0x${flags.toString(16)}`;
}

/** Formats a number with at most three decimals. */
export function round(value: number): string {
  return String(Number(value.toFixed(3)));
}

/** Formats a position like `show`; on the mesh of a 2D map, as a point of the map. */
export function showOn(mesh: NavMesh, point: readonly [number, number, number]): string {
  return show(mesh.mapYSign === 0 ? point : meshToMap(mesh, point));
}

/** Returns an axis of the mesh as an axis of its 2D map. */
function axisOf({ mapYSign }: NavMesh, axis: string): string {
  if (mapYSign === 0 || !axis.endsWith('z')) return axis;
  return (axis === '+z') === mapYSign > 0 ? '+y' : '-y';
}

/** Formats a position with at most three decimals per coordinate. */
export function show(point: ArrayLike<number>): string {
  return `[${Array.from(point).map(round).join(', ')}]`;
}
