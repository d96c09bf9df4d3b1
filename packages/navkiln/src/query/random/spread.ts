/**
 * Samples the polygons that can be reached inside a circle, for random points in it.
 *
 * They are the polygons of a flood within the circle (flood.ts), but in breadth-first order, because costs are not
 * needed. The order does not depend on the order of tiles. Sides are not exact: whether a circle touches an edge within
 * a rounding error does not matter for random points.
 *
 * In: a polygon and a circle.
 * Out: a sampler of whole polygons; points outside the circle are drawn again.
 * Cost: linear in the polygons.
 * Based on: own; breadth-first search, area by the shoelace formula.
 */
import { otherEnd, portalCrossing, setCrossingEnds } from '../../mesh/crossing.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter, passesLinkEnd, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { beginFlood } from '../flood/flood.ts';
import type { FloodState } from '../flood/flood.ts';
import { reserve } from './ground-sampler.ts';
import type { GroundSampler } from './ground-sampler.ts';

/** Both ends of a crossing, xyz each. */
const ends = new Float64Array(6);

/**
 * Kernel. Samples the polygons in a circle. `circle` contains center x, y, z (y is ignored) and radius. A start that
 * does not pass the filter is not sampled, but the search spreads from it.
 */
export function sampleSpread(
  out: GroundSampler,
  state: FloodState,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  circle: Float64Array,
): void {
  refuseInMethod('sampleSpread');
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const x = circle[0];
  const z = circle[2];
  const radiusSq = circle[3] * circle[3];
  beginFlood(state, mesh);
  const { nodeStamp, stamp } = state;
  out.part = 'touching';
  reserve(out, 1);
  out.parts.set(circle);
  out.polys[0] = startPoly;
  out.count = 1;
  nodeStamp[startPoly] = stamp;
  let sum = 0;
  for (let head = 0; head < out.count; head++) {
    const poly = out.polys[head];
    const first = polyEdgeStart[poly];
    const stop = first + polyVertexCount[poly];
    // Reserves memory for one polygon behind each edge.
    reserve(out, out.count + stop - first);
    const { polys } = out;
    let a = 3 * edgeVertex[stop - 1];
    let ax = vertices[a] - x;
    let az = vertices[a + 2] - z;
    let isIn = ax * ax + az * az <= radiusSq;
    let area = 0;
    let e = stop - 1;
    for (let next = first; next < stop; next++) {
      a = 3 * edgeVertex[next];
      const bx = vertices[a] - x;
      const bz = vertices[a + 2] - z;
      const isNextIn = bx * bx + bz * bz <= radiusSq;
      const cross = az * bx - ax * bz;
      area += cross;
      const other = edgeNeighbor[e];
      if (other >= 0 && nodeStamp[other] !== stamp) {
        const ux = bx - ax;
        const uz = bz - az;
        const isTouched =
          isIn ||
          isNextIn ||
          (ax * ux + az * uz < 0 && bx * ux + bz * uz > 0 && cross * cross <= radiusSq * (ux * ux + uz * uz));
        if (isTouched && passesFilter(filter, mesh, other)) {
          nodeStamp[other] = stamp;
          polys[out.count++] = other;
        }
      }
      ax = bx;
      az = bz;
      isIn = isNextIn;
      e = next;
    }
    if (mesh.polyPortal[poly] >= 0) spreadThroughPortals(out, state, mesh, filter, poly, circle);
    if (mesh.polyLink[poly] >= 0) spreadThroughLinks(out, state, mesh, filter, poly, circle);
    if (area > 0 && (head > 0 || passesFilter(filter, mesh, poly))) sum += 0.5 * area;
    out.sums[head] = sum;
  }
}

function spreadThroughPortals(
  out: GroundSampler,
  state: FloodState,
  mesh: NavMesh,
  filter: QueryFilter,
  poly: number,
  circle: Float64Array,
): void {
  for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = mesh.portalNext[portal]) {
    const other = mesh.portalPoly[portal];
    if (state.nodeStamp[other] === state.stamp || !passesFilter(filter, mesh, other)) continue;
    setCrossingEnds(ends, mesh, poly, portalCrossing(portal));
    if (touches(circle)) add(out, state, other);
  }
}

function spreadThroughLinks(
  out: GroundSampler,
  state: FloodState,
  mesh: NavMesh,
  filter: QueryFilter,
  poly: number,
  circle: Float64Array,
): void {
  for (let linkEnd = mesh.polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    if (!passesLinkEnd(filter, mesh, linkEnd)) continue;
    const other = mesh.linkPoly[otherEnd(linkEnd)];
    if (state.nodeStamp[other] === state.stamp || !passesFilter(filter, mesh, other)) continue;
    for (let k = 0; k < 6; k++) ends[k] = mesh.linkAnchors[6 * linkEnd + k];
    if (!touches(circle)) continue;
    for (let k = 0; k < 6; k++) ends[k] = mesh.linkAnchors[6 * otherEnd(linkEnd) + k];
    if (touches(circle)) add(out, state, other);
  }
}

function add(out: GroundSampler, state: FloodState, poly: number): void {
  reserve(out, out.count + 1);
  state.nodeStamp[poly] = state.stamp;
  out.polys[out.count++] = poly;
}

/** Returns whether the segment in `ends` touches the circle. */
function touches(circle: Float64Array): boolean {
  const ax = ends[0] - circle[0];
  const az = ends[2] - circle[2];
  const bx = ends[3] - circle[0];
  const bz = ends[5] - circle[2];
  const radiusSq = circle[3] * circle[3];
  if (ax * ax + az * az <= radiusSq || bx * bx + bz * bz <= radiusSq) return true;
  const ux = bx - ax;
  const uz = bz - az;
  const cross = az * bx - ax * bz;
  return ax * ux + az * uz < 0 && bx * ux + bz * uz > 0 && cross * cross <= radiusSq * (ux * ux + uz * uz);
}
