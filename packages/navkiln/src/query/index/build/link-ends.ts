/**
 * Adds the ends of links to the corners.
 *
 * A path may come to a link end from anywhere and leave it in any direction, so its cones cover everything that is
 * visible from it. They are spread like the cones of corners. The link itself is not an edge of the graph; searches
 * look it up at its end.
 *
 * In: corners, a mesh with links whose ends are points.
 * Out: link ends as the last corners; `linkSlot`, `linkGeneration`, `linkLength`, `linkPoly` and `linkWays` of the index.
 * Cost: linear in the links, and in the polygons around their ends.
 * Based on: own.
 */
import { sideOfPoints } from '../../../base/math/predicates.ts';
import { linkLength } from '../../../mesh/crossing.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { createPolyList } from '../../nearest/polys-in-box.ts';
import { collectAround } from '../lookup/around.ts';
import { filterOf } from '../sizes.ts';
import { WAY_LONG, WAY_NONE, WAY_SHORT, hasPointEnds, isWayOpen, linkFrom, setLinkScale } from '../links.ts';
import type { PathIndex } from '../types.ts';
import { addCornerTo, addItem, addStart } from './sectors.ts';
import type { Ground, Sectors } from './sectors.ts';

const around = createPolyList();
const point = new Float64Array(3);

/** Writes the links that paths may use into the index. */
export function listLinks(out: PathIndex, mesh: NavMesh): void {
  const filter = filterOf(out);
  const links: number[] = [];
  for (let link = 0; link < mesh.linkCount; link++) {
    if ((isWayOpen(mesh, filter, 2 * link) || isWayOpen(mesh, filter, 2 * link + 1)) && hasPointEnds(mesh, link))
      links.push(link);
  }
  out.linkSlot = Int32Array.from(links);
  out.linkGeneration = Uint16Array.from(links, (link) => mesh.linkGeneration[link]);
  out.linkLength = Float64Array.from(links, (link) => linkLength(mesh, 2 * link));
  const ends = links.flatMap((link) => [2 * link, 2 * link + 1]);
  out.linkPoly = Int32Array.from(ends, (end) => mesh.linkPoly[end]);
  out.linkWays = Uint8Array.from(ends, (end) => (isWayOpen(mesh, filter, end) ? WAY_SHORT : WAY_NONE));
}

/** Adds the link ends of the index to the corners. Their vertices come after the vertices of the mesh. */
export function addLinkEnds(out: Sectors, ground: Ground, { linkSlot, linkPoly }: PathIndex): void {
  const { mesh, filter, xs, ys, zs } = ground;
  for (let end = 0; end < linkPoly.length; end++) {
    const vertex = mesh.vertexCount + end;
    const anchor = 6 * (2 * linkSlot[end >> 1] + (end & 1));
    for (let k = 0; k < 3; k++) point[k] = (mesh.linkAnchors[anchor + k] + mesh.linkAnchors[anchor + 3 + k]) / 2;
    xs[vertex] = point[0];
    ys[vertex] = point[1];
    zs[vertex] = point[2];
    collectAround(around, mesh, filter, linkPoly[end], point);
    const corner = addCornerTo(out, vertex, -1);
    for (let i = 0; i < around.count; i++) {
      const poly = around.polys[i];
      addItem(out, poly, -1);
      const first = mesh.polyEdgeStart[poly];
      const stop = first + mesh.polyVertexCount[poly];
      for (let edge = first; edge < stop; edge++) {
        const a = mesh.edgeVertex[edge];
        const b = mesh.edgeVertex[edge + 1 === stop ? first : edge + 1];
        if (sideOfPoints(xs, zs, vertex, a, b) > 0) addStart(out, corner, poly, -1, a, b);
      }
    }
    out.itemStart[corner + 1] = out.itemCount;
  }
}

/** Makes the ends of the listed links the only corners of an overlay. */
export function placeLinkEnds(out: PathIndex, mesh: NavMesh): void {
  const { linkSlot, linkPoly } = out;
  const count = linkPoly.length;
  out.cornerCount = count;
  out.points = new Float64Array(2 * count);
  out.cornerY = new Float64Array(count);
  out.cornerPoly = linkPoly.slice();
  out.cornerWall = new Float64Array(2 * count);
  out.edgeStart = new Int32Array(count + 1);
  for (let end = 0; end < count; end++) {
    const anchor = 6 * (2 * linkSlot[end >> 1] + (end & 1));
    out.points[2 * end] = mesh.linkAnchors[anchor];
    out.cornerY[end] = mesh.linkAnchors[anchor + 1];
    out.points[2 * end + 1] = mesh.linkAnchors[anchor + 2];
  }
  setLinkScale(out);
}

/**
 * Finds links that are not shorter than the straight line between their ends. Paths need not use them, so that a pair
 * of link ends in a path always means the link.
 */
export function rateLinks(out: PathIndex): void {
  const { cornerCount, linkWays, linkLength, edgeStart, edgeTarget, edgeLength } = out;
  for (let end = 0; end < linkWays.length; end++) {
    const corner = cornerCount - linkWays.length + end;
    const other = linkFrom(out, corner);
    if (other < 0) continue;
    for (let edge = edgeStart[corner]; edge < edgeStart[corner + 1]; edge++) {
      if (edgeTarget[edge] === other && edgeLength[edge] <= linkLength[end >> 1]) linkWays[end] = WAY_LONG;
    }
  }
  setLinkScale(out);
}
