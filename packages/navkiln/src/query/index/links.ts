/**
 * Reads the links of an index: where they lead, and whether the mesh still has them.
 *
 * In: an index, a mesh.
 * Out: corners and numbers of link ends.
 * Cost: constant, or linear in the links.
 * Based on: own.
 */
import { otherEnd } from '../../mesh/crossing.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter, passesLinkEnd } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import type { PathIndex } from './types.ts';

/**
 * Values of `linkWays`: the link does not lead away from this end, it is not shorter than the straight line, or it is
 * shorter.
 */
export const WAY_NONE = 0;
export const WAY_LONG = 1;
export const WAY_SHORT = 2;

/** Returns the corner to which a link leads from a corner, if it is shorter than the straight line; otherwise -1. */
export function linkFrom(index: PathIndex, corner: number): number {
  const { cornerCount, linkWays } = index;
  const end = corner - cornerCount + linkWays.length;
  return end >= 0 && linkWays[end] === WAY_SHORT ? otherLinkEnd(index, corner) : -1;
}

/** Returns the corner at the other end of a link. The corner must be a link end. */
export function otherLinkEnd({ cornerCount, linkWays }: PathIndex, corner: number): number {
  const first = cornerCount - linkWays.length;
  return first + otherEnd(corner - first);
}

/** Returns the length of the link at a corner, as it counts in paths. The corner must be a link end. */
export function linkLengthAt({ cornerCount, linkLength }: PathIndex, corner: number): number {
  return linkLength[(corner - cornerCount + 2 * linkLength.length) >> 1];
}

/** Returns the link end of the mesh at a corner. The corner must be a link end. */
export function linkEndAt({ cornerCount, linkSlot }: PathIndex, corner: number): number {
  const end = corner - cornerCount + 2 * linkSlot.length;
  return 2 * linkSlot[end >> 1] + (end & 1);
}

/** Returns whether each link of the index leads both ways or not at all, so that distances are the same in both directions. */
export function areLinksMutual({ linkWays }: PathIndex): boolean {
  for (let end = 0; end < linkWays.length; end += 2) {
    if ((linkWays[end] === WAY_SHORT) !== (linkWays[end + 1] === WAY_SHORT)) return false;
  }
  return true;
}

/** Sets `linkScale` from the links of the index. */
export function setLinkScale(out: PathIndex): void {
  const { points, linkLength, linkWays } = out;
  out.linkScale = 1;
  for (let end = 0; end < linkWays.length; end++) {
    if (linkWays[end] !== WAY_SHORT) continue;
    const a = 2 * (out.cornerCount - linkWays.length + end);
    const b = 2 * (out.cornerCount - linkWays.length + otherEnd(end));
    const dx = points[b] - points[a];
    const dz = points[b + 1] - points[a + 1];
    const distance = Math.sqrt(dx * dx + dz * dz);
    const length = linkLength[end >> 1];
    // By default a link counts with its own length, so smaller ratios within rounding are ignored.
    if (length < distance * (1 - ROUNDING)) out.linkScale = Math.min(out.linkScale, length / distance);
  }
}

const ROUNDING = 1e-14;

/** Returns whether a filter allows paths to enter a link of the mesh at a link end. */
export function isWayOpen(mesh: NavMesh, filter: QueryFilter, linkEnd: number): boolean {
  const { linkPoly } = mesh;
  return (
    linkPoly[linkEnd] >= 0 &&
    passesLinkEnd(filter, mesh, linkEnd) &&
    passesFilter(filter, mesh, linkPoly[linkEnd]) &&
    passesFilter(filter, mesh, linkPoly[otherEnd(linkEnd)])
  );
}

/** Returns whether both ends of a mesh's link are points. */
export function hasPointEnds({ linkAnchors }: NavMesh, link: number): boolean {
  for (let k = 0; k < 3; k++) {
    const at = 12 * link + k;
    if (linkAnchors[at] !== linkAnchors[at + 3] || linkAnchors[at + 6] !== linkAnchors[at + 9]) return false;
  }
  return true;
}

/** Sets `linkGate` from `gateLink`. */
export function setLinkGates(out: PathIndex): void {
  const { gateLink, linkPoly } = out;
  out.linkGate = new Int32Array(linkPoly.length);
  for (let gate = 0; gate < gateLink.length; gate++) if (gateLink[gate] >= 0) out.linkGate[gateLink[gate]] = gate;
}
