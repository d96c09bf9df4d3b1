/**
 * Draws the polygons of a NavMesh in an SVG: translucent fills by area, thin lines between polygons, strong
 * lines at walls, dashed lines at tile borders. Above `FEW_POLYGONS` polygons the thin lines are left out.
 *
 * In: a NavMesh and the raster of the level in front of it. Out: SVG markup, one path per area.
 * Cost: O(polygons + cells of the raster).
 * Based on: own.
 * Tried: drawing hidden parts, too; see docs/notes/debug.md.
 */
import type { NavMesh } from '../../mesh/types.ts';
import { areaFill, GROUND_EDGE } from '../palette.ts';
import type { Projection } from './projection.ts';
import { addTriangle, CELL_UNITS, createRaster, isPointVisible } from './raster.ts';
import type { Raster } from './raster.ts';
import { traceLabels } from './trace.ts';
import { runCount, runPath, visibleRuns } from './visible-runs.ts';

/** Maximum number of polygons for which lines between polygons are drawn. */
const FEW_POLYGONS = 12_000;
/** Maximum number of pieces into which a partly hidden edge is cut. */
const MAX_RUNS = 256;
const CELL_PIXELS = CELL_UNITS / 10;

/** A drawn mesh. */
export interface MeshPicture {
  markup: string;
  polyCount: number;
  /** Area ids of the polygons, by decreasing number of polygons. */
  areas: number[];
}

/** Visits each polygon whose lowest corner is below `cutAbove`. */
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

/** Visits the vertices of all drawn polygons. */
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

/** Draws a mesh. Parts that the level hides are left out, except for faint lines at walls. */
export function drawMesh(navMesh: NavMesh, projection: Projection, level: Raster, cutAbove: number): MeshPicture {
  // Without a detail mesh a polygon may lie well below the surface that it represents.
  const share = navMesh.detailTriCount > 0 ? 0.35 : 1;
  const slack = Math.max(share * navMesh.agent.height, 2 * navMesh.cellHeight, 10 / projection.scale);
  const isVisible = (point: readonly number[]): boolean => isPointVisible(level, projection, point, slack);
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
    forEachTriangle(navMesh, poly, (corners) => addTriangle(raster, projection, corners, area, { level, slack }));
    const start = navMesh.polyEdgeStart[poly];
    for (let e = start; e < start + navMesh.polyVertexCount[poly]; e++) {
      const neighbor = navMesh.edgeNeighbor[e];
      const shown = neighbor >= 0 ? inner : neighbor === -1 ? walls : tileBorders;
      if (neighbor >= 0 && neighbor <= poly) continue;
      const [from, to] = endsOfEdge(navMesh, poly, e);
      for (const run of visibleRuns(from, to, runCount(projection, from, to, MAX_RUNS), isVisible)) {
        if (run.isVisible) shown.push(runPath(projection, run));
        else if (neighbor === -1) hiddenWalls.push(runPath(projection, run));
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

/** Style rules of the classes above, in page units. */
export const MESH_STYLE: string =
  `.inner,.wall,.tile,.hidden{fill:none;stroke:${GROUND_EDGE};stroke-linecap:round;stroke-linejoin:round}` +
  '.area{fill-opacity:.55}.inner{stroke-width:6;stroke-opacity:.4}.wall{stroke-width:15;stroke-opacity:.9}' +
  '.hidden{stroke-width:7;stroke-opacity:.22}.tile{stroke-width:10;stroke-opacity:.8;stroke-dasharray:40 30}';

/** Visits the detail triangles of a polygon, or its fan, nine numbers each. */
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

/** Returns the ends of an edge. */
function endsOfEdge(navMesh: NavMesh, poly: number, edge: number): [from: number[], to: number[]] {
  const start = navMesh.polyEdgeStart[poly];
  const next = edge + 1 === start + navMesh.polyVertexCount[poly] ? start : edge + 1;
  const { vertices, edgeVertex } = navMesh;
  const pointAt = (e: number): number[] => [0, 1, 2].map((k) => vertices[3 * edgeVertex[e] + k]);
  return [pointAt(edge), pointAt(next)];
}
