/**
 * The line of a path before or after straightening: over the centers of polygons, over the midpoints of crossings, or
 * pulled tight by the funnel. Tools draw it to show how a search measures paths.
 *
 *     centers     o--c--c--o     start, the center of each polygon between the first and the last, end
 *     midpoints   o-x--x--x-o    start, the midpoint of each crossed edge, portal and link end, end
 *     funnel      o------o--o    start, the corners of the shortest line through the corridor, end
 *
 * In: a mesh and a path on it.
 * Out: points.
 * Cost: linear in the corridor.
 * Based on: own.
 */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { refuse } from '../../base/data/refuse.ts';
import { isLinkCrossing, linkEndOf, otherEnd, setCrossingEnds } from '../../mesh/crossing.ts';
import { setHeight } from '../../mesh/ground.ts';
import { mapYSignOf } from '../../mesh/map-plane.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { createCorridor } from './corridor.ts';
import { pullString } from './funnel.ts';
import { checkPath, loadPath } from './load-path.ts';
import type { CorridorPath } from './load-path.ts';
import { createPathLine } from './path-line.ts';
import { pointsOf } from './result.ts';

/** Kinds of lines through a corridor: over centers of polygons, over midpoints of crossings, or pulled tight. */
export type CorridorLine = 'centers' | 'midpoints' | 'funnel';

type Point3 = [number, number, number];

const LINES: readonly CorridorLine[] = ['centers', 'midpoints', 'funnel'];
const corridor = createCorridor();
const line = createPathLine();
const ends = new Float64Array(6);
const spot = new Float64Array(3);
const from = new Float64Array(3);
const to = new Float64Array(3);

/**
 * Returns the line through the polygons of a path: over their centers, over the midpoints of the edges, portals and
 * links between them, or the shortest one. Points have as many coordinates as those of the path. Only `'midpoints'`
 * and `'funnel'` stay on the walkable surface.
 *
 * Returns null if a polygon of the path was removed or is no longer connected to the next one. An empty path gives an
 * empty line. If two polygons have several connections, the line takes a link if the path has a point at its end, and
 * otherwise the widest portal. Throws a RangeError for an unknown kind of line.
 */
export function getCorridorLine<Point extends [number, number] | [number, number, number]>(
  mesh: NavMesh,
  path: CorridorPath<Point>,
  kind: CorridorLine,
): Point[] | null {
  checkNavMesh('getCorridorLine', mesh);
  checkPath('getCorridorLine', path);
  if (!LINES.includes(kind)) refuse('getCorridorLine', 'kind', kind, "'centers', 'midpoints' or 'funnel'");
  const { points, polys } = path;
  if (polys.length === 0 || points.length === 0) return [];
  const isFlat = points[0].length === 2;
  const sign = mapYSignOf(mesh);
  const corners = points.map((point): Point3 => (isFlat ? [point[0], 0, sign * point[1]] : (point as Point3)));
  if (!loadPath(corridor, mesh, polys, corners)) return null;
  from.set(corners[0]);
  to.set(corners[corners.length - 1]);
  const found = kind === 'funnel' ? pulled(mesh) : traced(mesh, kind === 'centers');
  // Adding 0 turns -0 into 0.
  return found.map(([x, y, z]) => (isFlat ? [x, sign * z + 0] : [x, y, z]) as Point);
}

/** Returns the shortest line through `corridor`. */
function pulled(mesh: NavMesh): Point3[] {
  pullString(line, mesh, corridor, from, to);
  return pointsOf(line.points, line.count);
}

/** Returns the line over centers, or over midpoints of crossings. A link adds both of its ends. */
function traced(mesh: NavMesh, isOverCenters: boolean): Point3[] {
  const { polys, crossings, count } = corridor;
  const points: Point3[] = [[from[0], from[1], from[2]]];
  for (let i = 0; i < count - 1; i++) {
    if (isOverCenters && i > 0) points.push(centerOf(mesh, polys[i]));
    if (isLinkCrossing(crossings[i])) {
      const linkEnd = linkEndOf(crossings[i]);
      points.push(middleOf(mesh.linkAnchors, 6 * linkEnd), middleOf(mesh.linkAnchors, 6 * otherEnd(linkEnd)));
    } else if (!isOverCenters) {
      setCrossingEnds(ends, mesh, polys[i], crossings[i]);
      points.push(middleOf(ends, 0));
    }
  }
  points.push([to[0], to[1], to[2]]);
  return points;
}

/** Returns the mean of a polygon's corners, at the height of its surface. */
function centerOf(mesh: NavMesh, poly: number): Point3 {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const count = mesh.polyVertexCount[poly];
  spot.fill(0);
  for (let e = first; e < first + count; e++) {
    for (let k = 0; k < 3; k++) spot[k] += vertices[3 * edgeVertex[e] + k] / count;
  }
  setHeight(spot, mesh, poly);
  return [spot[0], spot[1], spot[2]];
}

function middleOf(pair: Float64Array, at: number): Point3 {
  return [(pair[at] + pair[at + 3]) / 2, (pair[at + 1] + pair[at + 4]) / 2, (pair[at + 2] + pair[at + 5]) / 2];
}
