/**
 * Islands: the connected parts of a mesh, over tiles and links.
 *
 * Two polygons are on one island when edges, portals or links connect them, in either direction of the links. With a
 * filter, only polygons and links that pass count.
 *
 * In: a mesh, a filter.
 * Out: islands, the largest first, and the island of each polygon.
 * Cost: linear in polygons, edges, portals and link ends.
 * Based on: own; a flood from each polygon that has no island yet.
 */
import { checkNavMesh } from '../mesh/check-mesh.ts';
import { linkOf, otherEnd } from '../mesh/crossing.ts';
import { LINK_ENABLED } from '../mesh/types.ts';
import type { NavMesh, PolyRef } from '../mesh/types.ts';
import { refOf } from '../mesh/ref.ts';
import { DEFAULT_FILTER, checkFilter, passesFilter, passesLinkFlags, refuseInMethod } from './filter.ts';
import type { QueryFilter } from './filter.ts';
import { polyGroundArea } from './random/ground-sampler.ts';

/** A set of polygons that edges, portals and links connect. */
export interface Island {
  /** The polygons, in the order of dense indices. */
  polys: PolyRef[];
  /** Area seen from above, square world units. */
  area: number;
  /** Bounding box of the polygons' corners: min xyz, max xyz, world units. */
  bounds: Float64Array;
}

/** Result of `findIslands`. */
export interface Islands {
  /** Sorted by area, the largest first. */
  islands: Island[];
  /**
   * Index into `islands` by dense polygon index, valid until tiles change. -1 for polygons that do not pass
   * the filter and for unused indices.
   */
  islandOfPoly: Int32Array;
}

/** Returns the islands of the polygons that pass the filter; by default, of all polygons that have a flag. */
export function findIslands(mesh: NavMesh, filter: QueryFilter = DEFAULT_FILTER): Islands {
  checkNavMesh('findIslands', mesh);
  checkFilter('findIslands', filter, 'filter');
  refuseInMethod('findIslands');
  const islandOfPoly = new Int32Array(mesh.polyCount).fill(-1);
  const queue = new Int32Array(mesh.polyCount);
  const found: { first: number; island: Island }[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) {
      if (islandOfPoly[poly] >= 0 || !passesFilter(filter, mesh, poly)) continue;
      const count = floodIsland(islandOfPoly, queue, mesh, filter, poly, found.length);
      found.push({ first: found.length, island: islandOf(mesh, queue.subarray(0, count)) });
    }
  }
  found.sort((a, b) => b.island.area - a.island.area || a.first - b.first);
  const rankOf = new Int32Array(found.length);
  found.forEach(({ first }, rank) => {
    rankOf[first] = rank;
  });
  for (let poly = 0; poly < islandOfPoly.length; poly++) {
    if (islandOfPoly[poly] >= 0) islandOfPoly[poly] = rankOf[islandOfPoly[poly]];
  }
  return { islands: found.map(({ island }) => island), islandOfPoly };
}

/** Marks the polygons connected with `seed` and writes them to `queue`. Returns their number. */
// oxlint-disable-next-line max-params -- the flood's arrays are shared by all islands
function floodIsland(
  islandOfPoly: Int32Array,
  queue: Int32Array,
  mesh: NavMesh,
  filter: QueryFilter,
  seed: number,
  island: number,
): number {
  const { edgeNeighbor, linkPoly } = mesh;
  let count = 0;
  const visit = (poly: number): void => {
    if (poly < 0 || islandOfPoly[poly] >= 0 || !passesFilter(filter, mesh, poly)) return;
    islandOfPoly[poly] = island;
    queue[count++] = poly;
  };
  visit(seed);
  for (let at = 0; at < count; at++) {
    const poly = queue[at];
    const end = mesh.polyEdgeStart[poly] + mesh.polyVertexCount[poly];
    for (let e = mesh.polyEdgeStart[poly]; e < end; e++) visit(edgeNeighbor[e]);
    for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = mesh.portalNext[portal]) {
      visit(mesh.portalPoly[portal]);
    }
    for (let linkEnd = mesh.polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
      const link = linkOf(linkEnd);
      if ((mesh.linkState[link] & LINK_ENABLED) === 0 || !passesLinkFlags(filter, mesh, link)) continue;
      visit(linkPoly[otherEnd(linkEnd)]);
    }
  }
  return count;
}

function islandOf(mesh: NavMesh, polys: Int32Array): Island {
  const { vertices, edgeVertex } = mesh;
  const island: Island = { polys: [], area: 0, bounds: new Float64Array(6).fill(Infinity, 0, 3).fill(-Infinity, 3) };
  const { bounds } = island;
  polys.sort();
  for (const poly of polys) {
    island.polys.push(refOf(mesh, poly));
    island.area += polyGroundArea(mesh, poly);
    const end = mesh.polyEdgeStart[poly] + mesh.polyVertexCount[poly];
    for (let e = mesh.polyEdgeStart[poly]; e < end; e++) {
      for (let k = 0; k < 3; k++) {
        const value = vertices[3 * edgeVertex[e] + k];
        if (value < bounds[k]) bounds[k] = value;
        if (value > bounds[3 + k]) bounds[3 + k] = value;
      }
    }
  }
  return island;
}
