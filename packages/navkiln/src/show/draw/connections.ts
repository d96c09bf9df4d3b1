/**
 * Draws the connections between polygons of a NavMesh as debug geometry: portals between tiles, links, the neighbors of
 * a polygon.
 *
 * In: a mesh. Out: lines.
 * Cost: linear in the drawn elements.
 * Based on: own; portals and arcs look as in Recast's demo (Mikko Mononen).
 */
import { checkOptions } from '../check-options.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { checkHandle, checkKeys } from '../../base/data/refuse.ts';
import { neighborPolysOf } from '../../mesh/tiles/neighbors.ts';
import { polyIndexOf } from '../../mesh/ref.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED, LINK_USED } from '../../mesh/types.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { addLine, createLineList, finishLines, liftOfLines, originOfMesh, rgba, slotsToDraw } from './geometry.ts';
import type { DebugGeometry, DebugGeometryOptions, LineList, Rgba } from './geometry.ts';
import { forEachOutlineLine } from './mesh.ts';
import { areaFill } from '../palette.ts';

const PORTAL: Rgba = rgba('#cc79a7');
const NEIGHBOR: Rgba = rgba('#cc2f8f');
const CLOSED: Rgba = rgba('#999999', 160);
/** Straight segments per arc. */
const ARC_SEGMENTS = 12;
/** Layout of `linkPoints`: two ends of two points each. */
const LINK_STRIDE = 12;
const LINK_END_STRIDE = 6;

const PORTAL_KEYS: readonly (keyof DebugGeometryOptions)[] = ['lift', 'slots'];
const LIFT_KEYS: readonly (keyof DebugGeometryOptions)[] = ['lift'];

/**
 * Draws each portal between tiles once, as an upright frame from the lower side's surface to `maxClimb` above the
 * higher side's surface.
 *
 * @throws RangeError, TypeError for unknown options
 */
export function navMeshPortals(mesh: NavMesh, options: DebugGeometryOptions = {}): DebugGeometry {
  checkNavMesh('navMeshPortals', mesh);
  checkKeys('navMeshPortals', options, PORTAL_KEYS);
  checkOptions('navMeshPortals', options);
  const { portalBack, portalNext, portalPoly } = mesh;
  const lift = liftOfLines(mesh, options);
  const list = createLineList(originOfMesh(mesh));
  const ends = new Float64Array(6);
  const other = new Float64Array(6);
  for (const slot of slotsToDraw(mesh, options)) {
    const start = mesh.tilePolyStart[slot];
    for (let poly = start; poly < start + mesh.tilePolyCount[slot]; poly++) {
      for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = portalNext[portal]) {
        const back = portalBack[portal];
        if (back < portal && options.slots === undefined) continue;
        portalEnds(ends, mesh, poly, portal);
        portalEnds(other, mesh, portalPoly[portal], back);
        // The other side's points run in the opposite direction.
        const low = [Math.min(ends[1], other[4]), Math.min(ends[4], other[1])];
        const high = [Math.max(ends[1], other[4]), Math.max(ends[4], other[1])];
        const rise = lift + mesh.agent.maxClimb;
        const [ax, , az, bx, , bz] = ends;
        addLine(list, [ax, low[0] + lift, az, bx, low[1] + lift, bz], PORTAL, poly);
        addLine(list, [ax, high[0] + rise, az, bx, high[1] + rise, bz], PORTAL, poly);
        addLine(list, [ax, low[0] + lift, az, ax, high[0] + rise, az], PORTAL, poly);
        addLine(list, [bx, low[1] + lift, bz, bx, high[1] + rise, bz], PORTAL, poly);
      }
    }
  }
  return finishLines(list, true);
}

function portalEnds(out: Float64Array, mesh: NavMesh, poly: number, portal: number): void {
  const { vertices, edgeVertex, portalSpan } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const edge = mesh.portalEdge[portal];
  const next = edge + 1 === first + mesh.polyVertexCount[poly] ? first : edge + 1;
  for (let k = 0; k < 3; k++) {
    const a = vertices[3 * edgeVertex[edge] + k];
    const b = vertices[3 * edgeVertex[next] + k];
    out[k] = a + (b - a) * portalSpan[2 * portal];
    out[3 + k] = a + (b - a) * portalSpan[2 * portal + 1];
  }
}

/**
 * Draws each link as an arc from start to end, in the color of its area, or gray when it is disabled or an
 * end is off the mesh. Arrowheads show the directions. Ends that are segments are lines.
 *
 * @throws RangeError, TypeError for unknown options
 */
export function linksLines(mesh: NavMesh, options: Pick<DebugGeometryOptions, 'lift'> = {}): DebugGeometry {
  checkNavMesh('linksLines', mesh);
  checkKeys('linksLines', options, LIFT_KEYS);
  checkOptions('linksLines', options);
  const { linkState, linkPoly, linkPoints: p } = mesh;
  const lift = liftOfLines(mesh, options);
  const list = createLineList(originOfMesh(mesh));
  for (let link = 0; link < mesh.linkCount; link++) {
    const state = linkState[link];
    if ((state & LINK_USED) === 0) continue;
    const isOpen = (state & LINK_ENABLED) !== 0 && linkPoly[2 * link] >= 0 && linkPoly[2 * link + 1] >= 0;
    const color = isOpen ? rgba(areaFill(mesh.linkArea[link])) : CLOSED;
    const middles: number[] = [];
    for (const end of [LINK_STRIDE * link, LINK_STRIDE * link + LINK_END_STRIDE]) {
      const isPoint = [0, 1, 2].every((k) => p[end + k] === p[end + 3 + k]);
      if (!isPoint) addLine(list, p.subarray(end, end + 6), color, -1, lift);
      for (let k = 0; k < 3; k++) middles.push(p[end + k] + (p[end + 3 + k] - p[end + k]) / 2 + (k === 1 ? lift : 0));
    }
    addArc(list, middles, color, 0.5 * mesh.agent.radius || 0.2, (state & LINK_BOTH_WAYS) !== 0);
  }
  return finishLines(list, false);
}

/** Adds an arc between two points (ends: six numbers) whose height is a quarter of its width. */
function addArc(list: LineList, ends: readonly number[], color: Rgba, head: number, isBothWays: boolean): void {
  const [ax, ay, az, bx, by, bz] = ends;
  const dx = bx - ax;
  const dz = bz - az;
  const width = Math.sqrt(dx * dx + dz * dz);
  const at = (s: number): [number, number, number] => [
    ax + dx * s,
    ay + (by - ay) * s + width * s * (1 - s),
    az + dz * s,
  ];
  for (let i = 0; i < ARC_SEGMENTS; i++) {
    addLine(list, [...at(i / ARC_SEGMENTS), ...at((i + 1) / ARC_SEGMENTS)], color);
  }
  const wide = width || 1;
  const heads = [[bx, by, bz, -1]];
  if (isBothWays) heads.push([ax, ay, az, 1]);
  for (const [x, y, z, direction] of heads) {
    const backX = (direction * dx * head) / wide;
    const backZ = (direction * dz * head) / wide;
    for (const side of [-0.5, 0.5]) {
      addLine(list, [x, y, z, x + backX - side * backZ, y + head, z + backZ + side * backX], color);
    }
  }
}

/**
 * Draws the outlines of the polygons that can be entered from a polygon: over its edges, portals and open
 * links. Empty when the ref is stale.
 *
 * @throws RangeError, TypeError for unknown options; TypeError when the ref is not a number
 */
export function neighborsOfPoly(
  mesh: NavMesh,
  ref: PolyRef,
  options: Pick<DebugGeometryOptions, 'lift'> = {},
): DebugGeometry {
  checkNavMesh('neighborsOfPoly', mesh);
  checkKeys('neighborsOfPoly', options, LIFT_KEYS);
  checkOptions('neighborsOfPoly', options);
  checkHandle('neighborsOfPoly', 'ref', ref);
  const lift = liftOfLines(mesh, options);
  const list = createLineList(originOfMesh(mesh));
  const poly = polyIndexOf(mesh, ref);
  if (poly < 0) return finishLines(list, true);
  for (const next of neighborPolysOf(mesh, poly)) {
    forEachOutlineLine(mesh, next, (_, ends) => addLine(list, ends, NEIGHBOR, next, lift));
  }
  return finishLines(list, true);
}
