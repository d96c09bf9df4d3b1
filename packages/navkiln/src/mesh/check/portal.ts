/**
 * Checks one portal; loading and validating share it.
 *
 * Cost: constant.
 * Based on: own.
 */
import { portalCrossing, setCrossingEnds } from '../crossing.ts';
import { borderBetween, comparePortals } from '../tiles/portals.ts';
import type { NavMesh } from '../types.ts';

const here = new Float64Array(6);
const there = new Float64Array(6);

/**
 * Returns the violation in a portal of a polygon. 0: none; 1: its edge; 2: its span; 3: its reverse portal;
 * 4: its polygon; 5: it is out of order with the next portal; 6: its position differs from that of the
 * reverse portal. The portal must be in the list of `poly` and lead to a polygon of the mesh.
 */
export function portalFault(mesh: NavMesh, poly: number, portal: number): number {
  const { portalEdge, portalSpan, portalPoly, portalBack, portalNext, polyTile, edgeNeighbor, tileX, tileZ } = mesh;
  const edge = portalEdge[portal];
  const inside = edge - mesh.polyEdgeStart[poly];
  const side = -2 - edgeNeighbor[edge];
  if (!(inside >= 0 && inside < mesh.polyVertexCount[poly] && side >= 0)) return 1;
  const low = portalSpan[2 * portal];
  const high = portalSpan[2 * portal + 1];
  if (!(low >= 0 && low < high && high <= 1)) return 2;
  const back = portalBack[portal];
  if (portalBack[back] !== portal || portalPoly[back] !== poly) return 3;
  const other = portalPoly[portal];
  const from = polyTile[poly];
  const to = polyTile[other];
  const isZ = side & 1;
  if (
    edgeNeighbor[portalEdge[back]] !== -2 - (side ^ 2) ||
    tileX[to] - tileX[from] !== (isZ ? 0 : side - 1) ||
    tileZ[to] - tileZ[from] !== (isZ ? 2 - side : 0)
  )
    return 4;
  const next = portalNext[portal];
  if (next >= 0 && !(comparePortals(mesh, portal, next) < 0)) return 5;
  const { along, rounding, slack } = borderBetween(mesh, from, to, side);
  setCrossingEnds(here, mesh, poly, portalCrossing(portal));
  setCrossingEnds(there, mesh, other, portalCrossing(back));
  // Edges face each other, so the right end here is the left end there. Slivers can be turned around.
  const isTurned = (here[along] - here[3 + along]) * (there[along] - there[3 + along]) < 0;
  for (let a = 0; a < 6; a += 3) {
    const b = isTurned ? 3 - a : a;
    if (
      !(Math.abs(here[a + along] - there[b + along]) <= 2 * rounding) ||
      !(Math.abs(here[a + 2 - along] - there[b + 2 - along]) <= slack + rounding)
    )
      return 6;
  }
  return 0;
}
