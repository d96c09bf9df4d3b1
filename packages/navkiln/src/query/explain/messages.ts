/**
 * The sentences of explainPath.
 */
import type { NavMesh } from '../../navmesh/types.ts';
import type { QueryFilter } from '../filter.ts';
import type { BlockExplanation, EndExplanation, GapExplanation } from './explanation.ts';

/** Distances below this, world units, are not mentioned. */
export const NEGLIGIBLE = 1e-9;

/** Says why the start or the end is off the mesh. */
export function describeEnd(end: EndExplanation, name: 'start' | 'end'): string {
  if (end.nearest === null) return 'The mesh is empty.';
  if (end.isFiltered) {
    return `The polygon at the ${name} has flags ${hex(end.flags)} (area ${end.area}); the filter does not pass it.`;
  }
  const parts = [];
  if (end.across > NEGLIGIBLE) parts.push(`${round(end.across)} away towards ${end.direction}`);
  if (Math.abs(end.up) > NEGLIGIBLE) parts.push(`${round(Math.abs(end.up))} ${end.up > 0 ? 'higher' : 'lower'}`);
  return (
    `The ${name} is off the mesh: the nearest point of the mesh, ${show(end.nearest)}, is ${parts.join(' and ')}. ` +
    'Larger halfExtents would include it.'
  );
}

/** Says where two islands come closest. */
export function describeGap({ from, to, across, up, maxClimb, radius }: GapExplanation): string {
  const height = round(Math.abs(up));
  const level = height === '0' ? 'at the same height' : `the second ${height} ${up > 0 ? 'higher' : 'lower'}`;
  return (
    'Start and end are on islands that nothing connects. The islands come closest between ' +
    `${show(from)} and ${show(to)}: ${round(across)} apart seen from above, ${level}. ` +
    `The agent climbs ${round(maxClimb)} and keeps ${round(radius)} away from walls and edges. ` +
    'A link could connect them there.'
  );
}

/** Says that a link between two islands is there, but disabled. */
export function describeDisabledLink(mesh: NavMesh, link: number): string {
  return `The link with user id ${mesh.linkUserId[link]} would connect them, but is disabled.`;
}

/** Says that a link of one of the islands has no polygon at this side (0: start, 1: end). */
export function describeLooseLink(mesh: NavMesh, link: number, side: number): string {
  const end = side === 0 ? 'start' : 'end';
  return `The link with user id ${mesh.linkUserId[link]} has no polygon within its radius at its ${end}.`;
}

/** Says which polygon the filter blocks. */
export function describeBlockedPoly({ area, flags, point }: BlockExplanation, filter: QueryFilter): string {
  return `The route crosses a polygon of area ${area} with flags ${hex(flags)} at ${show(point)}, which ${verdict(filter, flags)}.`;
}

/** Says which link the filter blocks. */
export function describeBlockedLink(
  { flags, point }: BlockExplanation,
  filter: QueryFilter,
  mesh: NavMesh,
  link: number,
): string {
  return (
    `The route takes the link with user id ${mesh.linkUserId[link]} at ${show(point)} with flags ${hex(flags)}, ` +
    `which ${verdict(filter, flags, true)}.`
  );
}

/** Says what a filter has against flags that it does not pass. */
function verdict(filter: QueryFilter, flags: number, isLink: boolean = false): string {
  if (filter.passes !== undefined && !isLink) return 'the passes() of the filter refuses';
  if ((flags & filter.excludeFlags) !== 0) return `the filter excludes (excludeFlags ${hex(filter.excludeFlags)})`;
  return `the filter does not include (includeFlags ${hex(filter.includeFlags)})`;
}

function hex(flags: number): string {
  return `0x${flags.toString(16)}`;
}

/** Formats a number with at most three decimals. */
export function round(value: number): string {
  return String(Number(value.toFixed(3)));
}

/** Formats a position with at most three decimals per coordinate. */
export function show(point: ArrayLike<number>): string {
  return `[${Array.from(point).map(round).join(', ')}]`;
}
