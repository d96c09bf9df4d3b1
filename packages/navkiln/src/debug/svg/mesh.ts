/**
 * The polygons of a NavMesh for a picture: translucent fills by area, thin lines between polygons, strong lines along walls,
 * dashed ones along the borders of tiles.
 *
 * in: a NavMesh and the depth of what stands before it. out: SVG markup, one path an area.
 * cost: O(polygons + cells of the raster).
 * Above `FEW_POLYGONS` polygons the thin lines are left out.
 *
 * Tried and lost: all of the mesh over the level as if walls were glass (towns and dungeons cannot be read).
 */
import type { NavMesh } from '../../navmesh/types.ts';
import { areaFill, GROUND_EDGE } from '../palette.ts';
import { pageX, pageY } from './projection.ts';
import type { Projection } from './projection.ts';
import { addTriangle, CELL_UNITS, createRaster, isPointSeen } from './raster.ts';
import type { Raster } from './raster.ts';
import { traceLabels } from './trace.ts';

const FEW_POLYGONS = 12_000;
const CELL_PIXELS = CELL_UNITS / 10;

export interface MeshPicture {
  markup: string;
  polyCount: number;
  /** Area ids that occur, largest ground first. */
  areas: number[];
}

/** Calls back with each polygon of each tile in use whose lowest corner is below `cutAbove`. */
function forEachPoly(navMesh: NavMesh, cutAbove: number, visit: (poly: number) => void): void {
  for (let slot = 0; slot < navMesh.tileSlotCount; slot++) {
    if (navMesh.tileState[slot] === 0) continue;
    const start = navMesh.tilePolyStart[slot];
    const end = start + navMesh.tilePolyCount[slot];
    for (let poly = start; poly < end; poly++) if (lowestCorner(navMesh, poly) < cutAbove) visit(poly);
  }
}

function lowestCorner(navMesh: NavMesh, poly: number): number {
  const start = navMesh.polyEdgeStart[poly];
  let lowest = Infinity;
  for (let e = start; e < start + navMesh.polyVertexCount[poly]; e++) {
    lowest = Math.min(lowest, navMesh.vertices[navMesh.edgeVertex[e] * 3 + 1]);
  }
  return lowest;
}

/** Adds every vertex that is drawn to what `visit` collects. */
export function visitMeshVertices(
  navMesh: NavMesh,
  cutAbove: number,
  visit: (x: number, y: number, z: number) => void,
): void {
  forEachPoly(navMesh, cutAbove, (poly) => {
    const start = navMesh.polyEdgeStart[poly];
    for (let e = start; e < start + navMesh.polyVertexCount[poly]; e++) {
      const at = navMesh.edgeVertex[e] * 3;
      visit(navMesh.vertices[at], navMesh.vertices[at + 1], navMesh.vertices[at + 2]);
    }
  });
}

/** What a level hides is left out, but for a faint line along walls; without a level nothing is hidden. */
export function drawMesh(navMesh: NavMesh, projection: Projection, level: Raster, cutAbove: number): MeshPicture {
  // Without detail triangles a polygon may lie well below the hills it stands for.
  const share = navMesh.detailTriCount > 0 ? 0.35 : 1;
  const slack = Math.max(share * navMesh.agent.height, 2 * navMesh.cellHeight, 10 / projection.scale);
  const seen = (x: number, y: number, z: number): boolean => isPointSeen(level, projection, x, y, z, slack);
  const raster = createRaster(level.width * CELL_PIXELS, level.height * CELL_PIXELS);
  const inner: string[] = [];
  const walls: string[] = [];
  const hiddenWalls: string[] = [];
  const tileBorders: string[] = [];
  const count = new Map<number, number>();
  let polyCount = 0;
  forEachPoly(navMesh, cutAbove, (poly) => {
    polyCount++;
    const area = navMesh.polyArea[poly];
    count.set(area, (count.get(area) ?? 0) + 1);
    forEachTriangle(navMesh, poly, (corners) => addTriangle(raster, projection, corners, 0, area, level, slack));
    const start = navMesh.polyEdgeStart[poly];
    for (let e = start; e < start + navMesh.polyVertexCount[poly]; e++) {
      const neighbor = navMesh.edgeNeighbor[e];
      const target = neighbor >= 0 ? inner : neighbor === -1 ? walls : tileBorders;
      if (neighbor < 0 || neighbor > poly) {
        drawEdge(navMesh, poly, e, projection, seen, target, neighbor === -1 ? hiddenWalls : undefined);
      }
    }
  });
  const areas = [...count.keys()].sort((a, b) => count.get(b)! - count.get(a)! || a - b);
  const fills = traceLabels(raster, 4);
  const markup = [
    ...areas.map((area) => `<path class="area" fill="${areaFill(area)}" d="${(fills.get(area) ?? []).join('')}"/>\n`),
    `<path class="hidden" d="${hiddenWalls.join('')}"/>\n`,
    polyCount <= FEW_POLYGONS ? `<path class="inner" d="${inner.join('')}"/>\n` : '',
    `<path class="tile" d="${tileBorders.join('')}"/>\n`,
    `<path class="wall" d="${walls.join('')}"/>\n`,
  ];
  return { markup: markup.join(''), polyCount, areas };
}

/** Style rules of the classes above; lengths in page units. */
export const MESH_STYLE: string =
  `.inner,.wall,.tile,.hidden{fill:none;stroke:${GROUND_EDGE};stroke-linecap:round;stroke-linejoin:round}` +
  '.area{fill-opacity:.55}.inner{stroke-width:6;stroke-opacity:.4}.wall{stroke-width:15;stroke-opacity:.9}' +
  '.hidden{stroke-width:7;stroke-opacity:.22}.tile{stroke-width:10;stroke-opacity:.8;stroke-dasharray:40 30}';

/** The detail triangles of a polygon, or its fan: nine numbers each. */
function forEachTriangle(navMesh: NavMesh, poly: number, visit: (corners: number[]) => void): void {
  const vertexCount = navMesh.polyVertexCount[poly];
  const edgeStart = navMesh.polyEdgeStart[poly];
  const put = (corners: number[], local: number): void => {
    const own = local < vertexCount;
    const source = own ? navMesh.vertices : navMesh.detailVertices;
    const index = own
      ? navMesh.edgeVertex[edgeStart + local]
      : navMesh.polyDetailVertexStart[poly] + local - vertexCount;
    corners.push(source[index * 3], source[index * 3 + 1], source[index * 3 + 2]);
  };
  const triCount = navMesh.polyDetailTriCount[poly];
  const total = triCount > 0 ? triCount : vertexCount - 2;
  for (let t = 0; t < total; t++) {
    const corners: number[] = [];
    const at = (navMesh.polyDetailTriStart[poly] + t) * 4;
    for (let k = 0; k < 3; k++) {
      put(corners, triCount > 0 ? navMesh.detailTris[at + k] : k === 0 ? 0 : t + k);
    }
    visit(corners);
  }
}

type Seen = (x: number, y: number, z: number) => boolean;

function pageLength(p: Projection, a: readonly number[], b: readonly number[]): number {
  const dx = pageX(p, b[0], b[2]) - pageX(p, a[0], a[2]);
  const dy = pageY(p, b[0], b[1], b[2]) - pageY(p, a[0], a[1], a[2]);
  return Math.sqrt(dx * dx + dy * dy);
}

/** Cuts an edge into runs that are seen and runs that are not, to about three pixels. */
function drawEdge(
  navMesh: NavMesh,
  poly: number,
  edge: number,
  p: Projection,
  seen: Seen,
  shown: string[],
  hidden: string[] | undefined,
): void {
  const start = navMesh.polyEdgeStart[poly];
  const next = edge + 1 === start + navMesh.polyVertexCount[poly] ? start : edge + 1;
  const [a, b] = [navMesh.edgeVertex[edge] * 3, navMesh.edgeVertex[next] * 3];
  const v = navMesh.vertices;
  const from = [v[a], v[a + 1], v[a + 2]];
  const to = [v[b], v[b + 1], v[b + 2]];
  const steps = Math.max(1, Math.min(256, Math.ceil(pageLength(p, from, to) / 30)));
  const at = (i: number): number[] => from.map((value, axis) => value + ((to[axis] - value) * i) / steps);
  let runStart = 0;
  let runSeen = isSeenAt(seen, at(0.5));
  for (let i = 1; i <= steps; i++) {
    const nowSeen = i < steps ? isSeenAt(seen, at(i + 0.5)) : !runSeen;
    if (nowSeen === runSeen) continue;
    const target = runSeen ? shown : hidden;
    target?.push(segmentPath(p, at(runStart), at(i)));
    runStart = i;
    runSeen = nowSeen;
  }
}

function isSeenAt(seen: Seen, point: readonly number[]): boolean {
  return seen(point[0], point[1], point[2]);
}

function segmentPath(p: Projection, a: readonly number[], b: readonly number[]): string {
  const [x0, y0] = [pageX(p, a[0], a[2]), pageY(p, a[0], a[1], a[2])];
  const [x1, y1] = [pageX(p, b[0], b[2]), pageY(p, b[0], b[1], b[2])];
  return `M${x0} ${y0}l${x1 - x0} ${y1 - y0}`;
}
