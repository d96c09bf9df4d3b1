/**
 * Saves and restores the narrow portals ahead of agents (nearby/narrow-portals.ts) independently of dense indices. Each
 * is saved as the ref of its polygon and its crossing, counted within the polygon.
 *
 * In: the column `narrow`; a tape.
 * Out: two numbers per portal on the tape; the column.
 * Cost: per portal a look-up in the agent's own tile; in all tiles for a portal of another tile.
 * Based on: own.
 */
import { isLinkCrossing, portalCrossing, portalOf } from '../../../mesh/crossing.ts';
import { polyIndexOf, refOf } from '../../../mesh/ref.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { portalNumberOf } from '../nearby/narrow-portals.ts';
import { NARROW_AHEAD, STATE_FREE } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { savedRefOf } from './content.ts';
import { crossingAt, localCrossingOf, neighborOver } from './crossing.ts';
import { failTape, get, put, refFrom, reserve } from './tape.ts';
import type { Tape } from './tape.ts';

/**
 * Writes the narrow portals of all agents to the shared tape. When the mesh has changed since the last tick, no portals
 * are written, because the next tick forgets them.
 */
export function writeNarrow({ mesh, agents, slotCount }: Crowd, isInStep: boolean): void {
  reserve(2 * NARROW_AHEAD * slotCount);
  for (let slot = 0; slot < slotCount; slot++) {
    const isUsed = isInStep && agents.state[slot] !== STATE_FREE;
    for (let n = NARROW_AHEAD * slot; n < NARROW_AHEAD * (slot + 1); n++) {
      const crossing = isUsed && agents.narrow[n] > 0 ? crossingOfNumber(mesh, agents.narrow[n] - 1) : -1;
      const edge = crossing >= 0 ? crossing : crossing < -1 ? mesh.portalEdge[portalOf(crossing)] : -1;
      const poly = edge < 0 ? -1 : polyOfEdge(mesh, edge, agents.poly[slot]);
      put(poly < 0 ? -1 : savedRefOf(mesh, refOf(mesh, poly)));
      put(poly < 0 ? 0 : localCrossingOf(mesh, poly, crossing));
    }
  }
}

/** Reads the narrow portals from `writeNarrow`. */
export function readNarrow({ mesh, agents, slotCount }: Crowd, tape: Tape): void {
  for (let n = 0; n < NARROW_AHEAD * slotCount; n++) {
    const ref = get(tape);
    const local = get(tape);
    agents.narrow[n] = 0;
    if (ref === -1) continue;
    const poly = polyIndexOf(mesh, refFrom(tape, mesh, ref));
    const crossing = poly < 0 ? -1 : crossingAt(mesh, poly, local);
    // A link is not a portal.
    const other = isLinkCrossing(crossing) ? -1 : neighborOver(mesh, crossing);
    if (other < 0) failTape(tape, `agents.narrow[${n}]`, ref, 'a portal of the mesh');
    agents.narrow[n] = portalNumberOf(mesh, poly, other, crossing) + 1;
  }
}

/** Returns the crossing with this number, on the side that the number names; -1 when it no longer exists. */
function crossingOfNumber(mesh: NavMesh, number: number): number {
  const isBack = (number & 1) === 1;
  const lower = number >> 1;
  if (lower >= mesh.edgeCount) {
    const portal = lower - mesh.edgeCount;
    if (portal >= mesh.portalCount || mesh.portalPoly[portal] < 0) return -1;
    return portalCrossing(isBack ? mesh.portalBack[portal] : portal);
  }
  if (!isBack) return lower;
  // The lower edge is the other polygon's; this side is the edge that leads back over it.
  const from = mesh.edgeNeighbor[lower];
  if (from < 0) return -1;
  const other = polyOfEdge(mesh, lower, from);
  const first = mesh.polyEdgeStart[from];
  for (let e = first; e < first + mesh.polyVertexCount[from]; e++) {
    if (mesh.edgeNeighbor[e] === other && e > lower) return e;
  }
  return -1;
}

/** Returns the polygon that an edge belongs to, or -1. The search begins in the tile of `near`. */
function polyOfEdge(mesh: NavMesh, edge: number, near: number): number {
  const own = near < 0 ? 0 : mesh.polyTile[near];
  if (isEdgeOfTile(mesh, own, edge)) return polyOfEdgeIn(mesh, own, edge);
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (isEdgeOfTile(mesh, slot, edge)) return polyOfEdgeIn(mesh, slot, edge);
  }
  return -1;
}

function isEdgeOfTile({ tileEdgeStart, tileEdgeCount }: NavMesh, slot: number, edge: number): boolean {
  return edge >= tileEdgeStart[slot] && edge < tileEdgeStart[slot] + tileEdgeCount[slot];
}

/** Returns the polygon of a tile that an edge belongs to: the last one that does not start after it. */
function polyOfEdgeIn({ polyEdgeStart, tilePolyStart, tilePolyCount }: NavMesh, slot: number, edge: number): number {
  let low = tilePolyStart[slot];
  let high = low + tilePolyCount[slot] - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (polyEdgeStart[middle] <= edge) low = middle;
    else high = middle - 1;
  }
  return low;
}
