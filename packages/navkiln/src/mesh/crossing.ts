/**
 * Crossings: how a path gets from one polygon to the next, as one integer. A corridor is two columns of
 * integers.
 *
 *   c >= 0         edge c of the polygon, as a whole
 *   c = -2 - 2l    portal l of the polygon: part of an edge on a tile's border
 *   c = -3 - 2h    link, entered at link end h, left at link end h ^ 1
 *
 * Based on: own.
 */
import type { NavMesh } from './types.ts';

export function portalCrossing(portal: number): number {
  return -2 - 2 * portal;
}

export function linkEndCrossing(linkEnd: number): number {
  return -3 - 2 * linkEnd;
}

/** Returns the link that a link end belongs to. */
export function linkOf(linkEnd: number): number {
  return linkEnd >> 1;
}

/** Returns the other end of a link end's link. */
export function otherEnd(linkEnd: number): number {
  return linkEnd ^ 1;
}

export function isLinkCrossing(crossing: number): boolean {
  return crossing < 0 && (crossing & 1) !== 0;
}

/** Returns the portal of a portal crossing. */
export function portalOf(crossing: number): number {
  return (-2 - crossing) >> 1;
}

/** Returns the link end at which a link crossing enters its link. */
export function linkEndOf(crossing: number): number {
  return (-3 - crossing) >> 1;
}

/**
 * Writes the two ends of an edge or portal of `poly`, as seen by a path that leaves through it: out[0..2]
 * right, out[3..5] left.
 */
export function setCrossingEnds(out: Float64Array, mesh: NavMesh, poly: number, crossing: number): void {
  const { vertices, edgeVertex } = mesh;
  const portal = (-2 - crossing) >> 1;
  const edge = crossing >= 0 ? crossing : mesh.portalEdge[portal];
  const first = mesh.polyEdgeStart[poly];
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[edge + 1 === first + mesh.polyVertexCount[poly] ? first : edge + 1];
  const from = crossing >= 0 ? 0 : mesh.portalSpan[2 * portal];
  const to = crossing >= 0 ? 1 : mesh.portalSpan[2 * portal + 1];
  for (let k = 0; k < 3; k++) {
    const start = vertices[a + k];
    const end = vertices[b + k];
    // Exact at both ends of the edge.
    out[k] = from === 0 ? start : start + from * (end - start);
    out[3 + k] = to === 1 ? end : start + to * (end - start);
  }
}

/**
 * Returns the length that a link counts as: its own cost, or the distance between the middles of its ends.
 */
export function linkLength(mesh: NavMesh, linkEnd: number): number {
  const cost = mesh.linkCost[linkOf(linkEnd)];
  if (cost >= 0) return cost;
  const { linkAnchors } = mesh;
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const a = 6 * linkEnd + k;
    const b = 6 * otherEnd(linkEnd) + k;
    const d = (linkAnchors[a] + linkAnchors[a + 3] - linkAnchors[b] - linkAnchors[b + 3]) / 2;
    sum += d * d;
  }
  return Math.sqrt(sum);
}
