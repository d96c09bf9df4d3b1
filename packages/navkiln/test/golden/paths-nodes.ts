/**
 * Computes the cost of Detour's path in our search, over the node positions that our search leaves behind.
 */
import { setCrossingEnds } from '../../src/mesh/crossing.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { findCorridor } from '../../src/query/path/a-star.ts';
import { createCorridor, findCrossing } from '../../src/query/path/corridor.ts';
import { DEFAULT_FILTER, passesLinkEnd } from '../../src/query/filter.ts';
import { createSearchState } from '../../src/query/search-state.ts';
import { portalsOf } from '../unit/mesh/tiled-meshes.ts';
import { lengthOf } from './detour.ts';
import type { DetourPath } from './detour.ts';

/**
 * Returns the node of `to` when it is entered from `from`: one node per side of the tile. -1 when they are
 * not connected.
 */
function nodeOf(mesh: NavMesh, from: number, to: number): number {
  const first = mesh.polyEdgeStart[from];
  for (let e = first; e < first + mesh.polyVertexCount[from]; e++) if (mesh.edgeNeighbor[e] === to) return to;
  const portal = portalsOf(mesh, from).find((l) => mesh.portalPoly[l] === to);
  if (portal === undefined) return -1;
  const sideOf = (l: number): number => mesh.edgeNeighbor[mesh.portalEdge[l]];
  const side = sideOf(mesh.portalBack[portal]);
  return side === -2 ? to : mesh.polyCount + portalsOf(mesh, to).find((l) => sideOf(l) === side)!;
}

const state = createSearchState();
const corridor = createCorridor();
const ends = new Float64Array(6);

/** Returns the link end at which the link between two polygons is entered, or -1. */
function linkEndBetween(mesh: NavMesh, from: number, to: number): number {
  for (let linkEnd = mesh.polyLink[from]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd])
    if (mesh.linkPoly[linkEnd ^ 1] === to && passesLinkEnd(DEFAULT_FILTER, mesh, linkEnd)) return linkEnd;
  return -1;
}

/**
 * Searches between the same ends and returns the cost of Detour's path. Polygons below 0 are links, which
 * count with their length. A node that the search did not visit is at the middle of its crossing.
 * NaN: not a path.
 */
export function costInNodes(mesh: NavMesh, { polys, startPoint, endPoint, startPoly, endPoly }: DetourPath): number {
  const [start, end] = [Float64Array.from(startPoint), Float64Array.from(endPoint)];
  findCorridor(corridor, state, mesh, DEFAULT_FILTER, startPoly, start, endPoly, end, Infinity);
  const points: number[][] = [startPoint];
  for (let k = 1; k < polys.length; k++) {
    let node: number;
    let middle: number[];
    if (polys[k] < 0) {
      const linkEnd = linkEndBetween(mesh, polys[k - 1], polys[++k]);
      if (linkEnd < 0) return NaN;
      const anchor = mesh.linkAnchors.subarray(6 * linkEnd, 6 * linkEnd + 6);
      points.push([0, 1, 2].map((axis) => (anchor[axis] + anchor[axis + 3]) / 2));
      middle = Array.from(mesh.linkAnchors.subarray(6 * (linkEnd ^ 1), 6 * (linkEnd ^ 1) + 3));
      node = mesh.polyCount + mesh.portalCount + (linkEnd ^ 1);
    } else {
      node = nodeOf(mesh, polys[k - 1], polys[k]);
      setCrossingEnds(ends, mesh, polys[k - 1], findCrossing(mesh, polys[k - 1], polys[k]));
      middle = [0, 1, 2].map((axis) => (ends[axis] + ends[axis + 3]) / 2);
    }
    if (node < 0) return NaN;
    if (state.nodeStamp[node] !== state.stamp) points.push(middle);
    else points.push(Array.from(state.node.subarray(4 * node, 4 * node + 3)));
  }
  return lengthOf([...points, endPoint]);
}
