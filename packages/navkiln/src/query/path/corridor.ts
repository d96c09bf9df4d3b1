/** TODO: header. */
import { portalCrossing } from '../../navmesh/crossing.ts';
import type { NavMesh } from '../../navmesh/types.ts';
export type CorridorOutcome = 'complete' | 'unreachable' | 'budget';

/** Make one with `createCorridor` and reuse it. */
export interface Corridor {
  outcome: CorridorOutcome;
  /** polys[0 .. count - 1], dense indices from the start on; arrays may be longer. */
  count: number;
  polys: Int32Array;
  /** crossings[i]: how polys[i] leads to polys[i + 1]; see navmesh/crossing.ts. */
  crossings: Int32Array;
  /** Of the search: over the midpoints of what is crossed, to the end point when it was reached. */
  cost: number;
  /** Entrances of polygons that the search has looked at: without tiles and links, polygons. */
  visitedCount: number;
}

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

/** The crossing of `findCrossing` for polygons that no edge and no portal connects. */
export const NO_CROSSING = -1;

/**
 * How a polygon leads to a neighbour (dense indices): an edge, or the portal that is the widest part of its edge, see
 * navmesh/crossing.ts; -1 when they are no neighbours. Links do not count.
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

/** -1: it is not among them. @internal */
export function lastIndexOf(list: Int32Array, count: number, value: number): number {
  for (let i = count - 1; i >= 0; i--) if (list[i] === value) return i;
  return -1;
}

/** Makes the polygon at `place` the one at `head`, and those after it follow; what comes before is left to be written. @internal */
export function replaceHead(corridor: Corridor, head: number, place: number): void {
  const kept = corridor.count - place;
  reservePolys(corridor, head + kept);
  corridor.polys.copyWithin(head, place, corridor.count);
  corridor.crossings.copyWithin(head, place, corridor.count);
  corridor.count = head + kept;
}

/** Room for `count` polygons; what is there is kept. @internal */
export function reservePolys(corridor: Corridor, count: number): void {
  if (corridor.polys.length >= count) return;
  const { polys, crossings } = corridor;
  const capacity = Math.max(count, 2 * polys.length);
  corridor.polys = new Int32Array(capacity);
  corridor.polys.set(polys);
  corridor.crossings = new Int32Array(capacity);
  corridor.crossings.set(crossings);
}
