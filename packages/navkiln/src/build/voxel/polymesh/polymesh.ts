/**
 * Builds the polygon mesh: contours become convex polygons over shared vertices, with their neighbors.
 *
 * Vertices of all contours are welded (same x and z, heights within 2 voxels). Each contour is triangulated
 * and its triangles are merged (polymesh-merge.ts). Vertices that exist only because of a tile's border are
 * removed (polymesh-border.ts).
 *
 * In: ContourSet. Out: PolyMesh, equal to Recast's vertex for vertex and polygon for polygon.
 * Cost: that of triangulation and merging.
 * Based on: Mikko Mononen, Recast (2009), rcBuildPolyMesh.
 */
import { createWorkspace } from '../../../base/data/workspace.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import { buildAdjacency } from './polymesh-adjacency.ts';
import { removeBorderVertices } from './polymesh-border.ts';
import { addPolys } from './polymesh-merge.ts';
import type { PolyMeshProblems, PolyWork, Ring } from './polymesh-merge.ts';
import { takeSlot } from '../memory.ts';
import type { BakeConfig } from '../bake-config.ts';
import { createRecord } from '../records.ts';
import { CONTOUR_BORDER_VERTEX } from '../types.ts';
import type { ContourSet, PolyMesh } from '../types.ts';

/** Vertices of the same x and z are welded when their heights differ by no more than this, voxels. */
const WELD_HEIGHT = 2;

/** Builds the polygon mesh of a contour set. The result shares no memory with a workspace. */
export function buildPolyMesh(
  contours: ContourSet,
  config: BakeConfig,
  problems: PolyMeshProblems = { contoursNotTriangulated: 0 },
  workspace: Workspace = createWorkspace(),
): PolyMesh {
  const { maxVerticesPerPoly: size } = config;
  const {
    start,
    vertices: points,
    count,
    boundsMin,
    boundsMax,
    cellSize,
    cellHeight,
    borderCells,
    maxEdgeErrorCells,
  } = contours;
  // There are fewer triangles than points.
  const total = start[count];
  let buckets = 16;
  while (buckets < total) buckets *= 2;
  const vertices = takeSlot(workspace, 'polymesh.vertices', 3 * total);
  const first = takeSlot(workspace, 'polymesh.firstVertex', buckets).fill(-1);
  const next = takeSlot(workspace, 'polymesh.nextVertex', total);
  const polys = takeSlot(workspace, 'polymesh.polys', total * size);
  const counts = takeSlot(workspace, 'polymesh.counts', total);
  const region = takeSlot(workspace, 'polymesh.region', total);
  const area = takeSlot(workspace, 'polymesh.area', total);
  const firstEdge = takeSlot(workspace, 'polymesh.firstEdge', total).fill(-1);
  const nextEdge = takeSlot(workspace, 'polymesh.nextEdge', 3 * total);
  const work = createRecord((): PolyWork => ({
    size,
    vertices,
    polys,
    counts,
    region,
    area,
    count: 0,
    mayBeStraight: (config.sizes?.length ?? 1) > 1,
    firstEdge,
    nextEdge,
  }));
  const ring = createRecord((): Ring => ({ points, base: 0, count: 0, indices: [], regions: [], areas: [] }));
  const onBorder = new Set<number>();
  let vertexCount = 0;

  for (let c = 0; c < count; c++) {
    const base = start[c];
    const n = start[c + 1] - base;
    if (n < 3) continue;
    for (let i = 0; i < n; i++) {
      const x = points[4 * (base + i)];
      const y = points[4 * (base + i) + 1];
      const z = points[4 * (base + i) + 2];
      // Vertices are hashed by x and z, the newest first.
      const bucket = ((Math.imul(x, 0x8da6b343) + Math.imul(z, 0xcb1ab31f)) >>> 7) & (buckets - 1);
      let v = first[bucket];
      while (
        v !== -1 &&
        (vertices[3 * v] !== x || vertices[3 * v + 2] !== z || Math.abs(vertices[3 * v + 1] - y) > WELD_HEIGHT)
      )
        v = next[v];
      if (v === -1) {
        v = vertexCount++;
        vertices[3 * v] = x;
        vertices[3 * v + 1] = y;
        vertices[3 * v + 2] = z;
        next[v] = first[bucket];
        first[bucket] = v;
      }
      ring.indices[i] = v;
      ring.regions[i] = contours.region[c];
      ring.areas[i] = contours.area[c];
      if ((points[4 * (base + i) + 3] & CONTOUR_BORDER_VERTEX) !== 0) onBorder.add(v);
    }
    ring.base = base;
    ring.count = n;
    if (!addPolys(work, ring)) problems.contoursNotTriangulated++;
  }
  vertexCount -= removeBorderVertices(work, onBorder, vertexCount, problems);

  const { count: polyCount } = work;
  const mesh: PolyMesh = {
    boundsMin,
    boundsMax,
    cellSize,
    cellHeight,
    borderCells,
    maxEdgeErrorCells,
    maxVerticesPerPoly: size,
    vertexCount,
    vertices: vertices.slice(0, 3 * vertexCount),
    polyCount,
    polys: polys.slice(0, polyCount * size),
    neighbors: new Int32Array(polyCount * size).fill(-1),
    region: region.slice(0, polyCount),
    area: area.slice(0, polyCount),
  };
  buildAdjacency(mesh, contours.width, contours.depth);
  return mesh;
}
