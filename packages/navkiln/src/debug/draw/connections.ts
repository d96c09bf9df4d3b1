/**
 * What connects the polygons of a NavMesh, as draw lists: portals between tiles, links, the neighbours of one polygon.
 *
 * Cost: linear in what is drawn. Based on: own; portals and arcs look as in Recast's demo (Mikko Mononen).
 */
import { polyIndexOf } from '../../navmesh/ref.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED, LINK_USED } from '../../navmesh/types.ts';
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';
import { addLine, createLineList, finishLines, liftOfLines, originOfMesh, rgba, slotsToDraw } from './list.ts';
import type { DebugGeometry, DebugGeometryOptions, LineList, Rgba } from './list.ts';
import { forEachOutlineLine } from './mesh.ts';
import { areaFill } from '../palette.ts';

const PORTAL: Rgba = rgba('#cc79a7');
const NEIGHBOR: Rgba = rgba('#cc2f8f');
const CLOSED: Rgba = rgba('#999999', 160);
/** Straight pieces of an arc. */
const ARC_PIECES = 12;

/** Openings between tiles: an upright frame each, from the lower side's ground to `maxClimb` above the higher's; each once. */
export function navMeshPortals(mesh: NavMesh, options: DebugGeometryOptions = {}): DebugGeometry {
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
        // From there it runs the other way.
        const low = [Math.min(ends[1], other[4]), Math.min(ends[4], other[1])];
        const high = [Math.max(ends[1], other[4]), Math.max(ends[4], other[1])];
        const rise = lift + mesh.agent.maxClimb;
        const [ax, , az, bx, , bz] = ends;
        addLine(list, ax, low[0] + lift, az, bx, low[1] + lift, bz, PORTAL, poly);
        addLine(list, ax, high[0] + rise, az, bx, high[1] + rise, bz, PORTAL, poly);
        addLine(list, ax, low[0] + lift, az, ax, high[0] + rise, az, PORTAL, poly);
        addLine(list, bx, low[1] + lift, bz, bx, high[1] + rise, bz, PORTAL, poly);
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
 * Links: an arc from start to end in the colour of its area, grey when it is closed or an end has no ground; an arrowhead where
 * it leads; ends that are segments as lines.
 */
export function linksLines(mesh: NavMesh, options: Pick<DebugGeometryOptions, 'lift'> = {}): DebugGeometry {
  const { linkState, linkPoly, linkPoints: p } = mesh;
  const lift = liftOfLines(mesh, options);
  const list = createLineList(originOfMesh(mesh));
  for (let link = 0; link < mesh.linkCount; link++) {
    const state = linkState[link];
    if ((state & LINK_USED) === 0) continue;
    const isOpen = (state & LINK_ENABLED) !== 0 && linkPoly[2 * link] >= 0 && linkPoly[2 * link + 1] >= 0;
    const color = isOpen ? rgba(areaFill(mesh.linkArea[link])) : CLOSED;
    const middles: number[] = [];
    for (const at of [12 * link, 12 * link + 6]) {
      const isPoint = [0, 1, 2].every((k) => p[at + k] === p[at + 3 + k]);
      if (!isPoint) addLine(list, p[at], p[at + 1] + lift, p[at + 2], p[at + 3], p[at + 4] + lift, p[at + 5], color);
      for (let k = 0; k < 3; k++) middles.push(p[at + k] + (p[at + 3 + k] - p[at + k]) / 2 + (k === 1 ? lift : 0));
    }
    addArc(list, middles, color, 0.5 * mesh.agent.radius || 0.2, (state & LINK_BOTH_WAYS) !== 0);
  }
  return finishLines(list, false);
}

/** From the first three numbers to the last three, a quarter of its width high. */
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
  for (let i = 0; i < ARC_PIECES; i++) addLine(list, ...at(i / ARC_PIECES), ...at((i + 1) / ARC_PIECES), color);
  const wide = width || 1;
  for (const [x, y, z, way] of isBothWays
    ? [
        [bx, by, bz, -1],
        [ax, ay, az, 1],
      ]
    : [[bx, by, bz, -1]]) {
    const backX = (way * dx * head) / wide;
    const backZ = (way * dz * head) / wide;
    for (const side of [-0.5, 0.5]) {
      addLine(list, x, y, z, x + backX - side * backZ, y + head, z + backZ + side * backX, color);
    }
  }
}

/** Outlines of the polygons next to one: across its edges, portals and open links. Empty when the ref is stale. */
export function neighborsOfPoly(
  mesh: NavMesh,
  ref: PolyRef,
  options: Pick<DebugGeometryOptions, 'lift'> = {},
): DebugGeometry {
  const lift = liftOfLines(mesh, options);
  const list = createLineList(originOfMesh(mesh));
  const poly = polyIndexOf(mesh, ref);
  if (poly < 0) return finishLines(list, true);
  for (const next of neighborsOf(mesh, poly)) {
    forEachOutlineLine(mesh, next, (_, ax, ay, az, bx, by, bz) => {
      addLine(list, ax, ay + lift, az, bx, by + lift, bz, NEIGHBOR, next);
    });
  }
  return finishLines(list, true);
}

/** Dense indices of the polygons that one can go to from a polygon, each once. */
function neighborsOf(mesh: NavMesh, poly: number): Set<number> {
  const out = new Set<number>();
  const first = mesh.polyEdgeStart[poly];
  for (let e = first; e < first + mesh.polyVertexCount[poly]; e++)
    if (mesh.edgeNeighbor[e] >= 0) out.add(mesh.edgeNeighbor[e]);
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) out.add(mesh.portalPoly[l]);
  for (let linkEnd = mesh.polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    const state = mesh.linkState[linkEnd >> 1];
    const leads = (linkEnd & 1) === 0 || (state & LINK_BOTH_WAYS) !== 0;
    if ((state & LINK_ENABLED) !== 0 && leads && mesh.linkPoly[linkEnd ^ 1] >= 0) out.add(mesh.linkPoly[linkEnd ^ 1]);
  }
  return out;
}
