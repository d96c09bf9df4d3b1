/**
 * Polygon corridors: the record that searches write and funnels read. `findCrossing` finds the connection of two
 * polygons.
 *
 * Cost: findCrossing is linear in the edges and portals of the polygon.
 * Based on: own; Detour's path of refs (Mikko Mononen, 2009) with a column for crossings.
 */
import { portalCrossing } from '../../mesh/crossing.ts';
import type { NavMesh } from '../../mesh/types.ts';

/** How a search stopped: at the end, after it visited everything reachable, or at its limit of nodes. */
export type CorridorOutcome = 'complete' | 'unreachable' | 'budget';

/** Polygons from start to end. Create it once with `createCorridor` and reuse it. */
export interface Corridor {
  outcome: CorridorOutcome;
  /** Number of polygons; the arrays may be longer. */
  count: number;
  /** Dense indices, from the start to the end. */
  polys: Int32Array;
  /** How polys[i] leads to polys[i + 1]; see mesh/crossing.ts. */
  crossings: Int32Array;
  /** Cost over the midpoints of crossings, up to the end point if the search reached it. */
  cost: number;
  /** Number of nodes (entrances of polygons) that the search visited. Without tiles and links, one node per polygon. */
  visitedCount: number;
}

/** Returns an empty corridor. */
export function createCorridor(): Corridor {
  return {
    outcome: 'complete',
    count: 0,
    polys: new Int32Array(0),
    crossings: new Int32Array(0),
    cost: NaN,
    visitedCount: 0,
  };
}

/** Result of `findCrossing` for polygons that neither an edge nor a portal connects. */
export const NO_CROSSING = -1;

/**
 * Returns how a polygon leads to a neighbor (dense indices): an edge, or the portal that opens the widest
 * part of an edge; see mesh/crossing.ts. Returns `NO_CROSSING` if they are not neighbors. Links are
 * ignored.
 */
export function findCrossing(mesh: NavMesh, from: number, to: number): number {
  const first = mesh.polyEdgeStart[from];
  const end = first + mesh.polyVertexCount[from];
  for (let e = first; e < end; e++) if (mesh.edgeNeighbor[e] === to) return e;
  const { portalPoly, portalNext, portalSpan } = mesh;
  let widest = 0;
  let found = NO_CROSSING;
  for (let l = mesh.polyPortal[from]; l >= 0; l = portalNext[l]) {
    const width = portalSpan[2 * l + 1] - portalSpan[2 * l];
    if (portalPoly[l] !== to || width <= widest) continue;
    widest = width;
    found = portalCrossing(l);
  }
  return found;
}

/** Returns the last index of a value in the first `count` entries, or -1. @internal */
export function lastIndexOf(list: Int32Array, count: number, value: number): number {
  for (let i = count - 1; i >= 0; i--) if (list[i] === value) return i;
  return -1;
}

/**
 * Moves the polygons from index `from` on to index `head`. The caller then writes those before `head`.
 * @internal
 */
export function replaceHead(corridor: Corridor, head: number, from: number): void {
  const kept = corridor.count - from;
  reservePolys(corridor, head + kept);
  corridor.polys.copyWithin(head, from, corridor.count);
  corridor.crossings.copyWithin(head, from, corridor.count);
  corridor.count = head + kept;
}

/** Empties the corridor and reserves memory for `count` polygons. @internal */
export function clearPolys(corridor: Corridor, count: number): void {
  if (corridor.polys.length >= count) return;
  const capacity = Math.max(count, 2 * corridor.polys.length, 32);
  corridor.polys = new Int32Array(capacity);
  corridor.crossings = new Int32Array(capacity);
}

/** Reserves memory for `count` polygons and keeps the current ones. @internal */
export function reservePolys(corridor: Corridor, count: number): void {
  if (corridor.polys.length >= count) return;
  const { polys, crossings } = corridor;
  const capacity = Math.max(count, 2 * polys.length);
  corridor.polys = new Int32Array(capacity);
  corridor.polys.set(polys);
  corridor.crossings = new Int32Array(capacity);
  corridor.crossings.set(crossings);
}
