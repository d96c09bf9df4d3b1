/**
 * Finds the passages that the agent's radius closed: where parts of the walkable area were connected before the
 * radius was applied, and are not any more.
 *
 * A constrained Delaunay triangulation gives the widths of its passages: an agent goes from one edge of a triangle
 * to another around their common corner, and the width there is the distance from that corner to the nearest wall
 * across. Edges whose middle is still walkable belong to a part; a part without such an edge is a pocket, and
 * reaches the edges of the triangle that it lies in. Passages are opened again from the widest on, until the parts
 * of each region are connected; passages that connect two parts are the result. So of several passages between two parts,
 * the widest one counts.
 *
 * In: the area before the radius, the mesh after it.
 * Out: positions and widths, the widest first.
 * Cost: nothing where one part is left; otherwise another triangulation.
 * Based on: Douglas Demyen, Efficient Triangulation-Based Pathfinding, 2006, for widths.
 */
import { isOverPoly } from '../../mesh/ground.ts';
import { islandOf } from '../../mesh/islands.ts';
import { mapYSignOf } from '../../mesh/map-plane.ts';
import { plural } from '../../base/data/plural.ts';
import { findTilesNear, tilesNear } from '../../mesh/tiles/tile-grid.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { findWindings, triangulateRings } from '../../base/plane/triangulate.ts';
import type { GridFrame, Rings, Triangulation } from '../../base/plane/types.ts';
import type { PolygonWarning } from './options.ts';

/** A closed passage, in grid cells. */
interface ClosedPassage {
  x: number;
  y: number;
  width: number;
}

/** A passage between two edges of the triangulation. */
interface Passage extends ClosedPassage {
  from: number;
  to: number;
}

/**
 * Returns the warning 'closed-by-radius' with the passages that the agent's radius closed between parts of a map; undefined when there are
 * none. Pass it to `buildFromPolygons` as the option `findClosedPassages`.
 */
export function findClosedPassages(
  clean: Rings,
  mesh: NavMesh,
  { gridSize, originX, originY }: GridFrame,
): Omit<PolygonWarning, 'stage'> | undefined {
  const { radius } = mesh.agent;
  const passages = listClosedPassages(clean, mesh, { gridSize, originX, originY }).map(({ x, y, width }) => ({
    at: [originX + x * gridSize, originY + y * gridSize] as [number, number],
    width: width * gridSize,
  }));
  if (passages.length === 0) return undefined;
  const [{ at, width }] = passages;
  const [x, y] = at.map((value) => Number(value.toPrecision(6)));
  const what = `the radius of ${radius} closes ${plural(passages.length, 'passage')}`;
  return {
    code: 'closed-by-radius',
    count: passages.length,
    where: { at },
    passages,
    message: `${what} between parts of the map; the widest, at [${x}, ${y}], is ${Number(width.toPrecision(4))} wide, an agent needs ${2 * radius}`,
  };
}

/** Finds the closed passages of a mesh that was made from `clean` with a radius. */
function listClosedPassages(clean: Rings, mesh: NavMesh, frame: GridFrame): ClosedPassage[] {
  const { polyCount } = mesh;
  let isOne = true;
  for (let p = 1; p < polyCount; p++) isOne &&= islandOf(mesh, p) === islandOf(mesh, 0);
  if (polyCount === 0 || isOne) return [];
  const triangles = triangulateRings(clean);
  const winding = findWindings(triangles);
  const { origin, next, edgeCount } = triangles;
  const passages: Passage[] = [];
  for (let h = 0; h < 2 * edgeCount; h++) {
    if (winding[h] <= 0) continue;
    // The edge that ends at the corner where h starts.
    const before = next[next[h]];
    if (winding[h ^ 1] <= 0 || winding[before ^ 1] <= 0) continue;
    passages.push({ from: h >> 1, to: before >> 1, ...nearestAcross(triangles, winding, origin[h], next[h]) });
  }
  const needed = (2 * mesh.agent.radius) / frame.gridSize;
  const label = labelEdges(triangles, winding, mesh, frame);
  const pockets = listPockets(mesh, label, frame);
  addPocketPassages(passages, triangles, winding, { pockets, needed });
  return joinParts(passages, Int32Array.from([...label, ...pockets.map(({ part }) => part)]), needed);
}

/** A part that crosses no edge at its middle, and one of its corners in grid cells. */
interface Pocket {
  part: number;
  x: number;
  y: number;
}

/** Returns the pockets, sorted by x. */
function listPockets(mesh: NavMesh, label: Int32Array, { gridSize, originX, originY }: GridFrame): Pocket[] {
  const seen = new Set(label);
  const pockets: Pocket[] = [];
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    const part = islandOf(mesh, poly);
    if (seen.has(part)) continue;
    seen.add(part);
    const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[poly]];
    const x = (mesh.vertices[v] - originX) / gridSize;
    const y = (mapYSignOf(mesh) * mesh.vertices[v + 2] - originY) / gridSize;
    pockets.push({ part, x, y });
  }
  return pockets.sort((a, b) => a.x - b.x || a.part - b.part);
}

/** Adds passages from each pocket to the edges of the triangle that it lies in. */
function addPocketPassages(
  passages: Passage[],
  { origin, next, edgeCount, xs, ys }: Triangulation,
  winding: Int32Array,
  { pockets, needed }: { pockets: readonly Pocket[]; needed: number },
): void {
  for (let h = 0; h < 2 * edgeCount && pockets.length > 0; h++) {
    const second = next[h];
    // Visits each triangle once.
    if (winding[h] <= 0 || second < h || next[second] < h) continue;
    const edges = [h, second, next[second]];
    const high = Math.max(...edges.map((edge) => xs[origin[edge]]));
    let i = lowerBound(pockets, Math.min(...edges.map((edge) => xs[origin[edge]])));
    for (; i < pockets.length && pockets[i].x <= high; i++) {
      const { x, y } = pockets[i];
      const isInside = edges.every((edge) => {
        const a = origin[edge];
        const b = origin[edge ^ 1];
        return (xs[b] - xs[a]) * (y - ys[a]) - (ys[b] - ys[a]) * (x - xs[a]) >= 0;
      });
      for (const edge of isInside ? edges : []) {
        if (winding[edge ^ 1] <= 0) continue;
        const a = origin[edge];
        const b = origin[edge ^ 1];
        const width = Math.min(lengthOf(xs[a] - xs[b], ys[a] - ys[b]), needed);
        passages.push({ from: edgeCount + i, to: edge >> 1, width, x: (xs[a] + xs[b]) / 2, y: (ys[a] + ys[b]) / 2 });
      }
    }
  }
}

/** Returns the index of the first pocket at `x` or after. */
function lowerBound(pockets: readonly Pocket[], x: number): number {
  let low = 0;
  let high = pockets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pockets[middle].x < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns for each edge the part that it crosses, or -1. Parts that cross no edge at its middle are left out. */
function labelEdges(
  { origin, xs, ys, edgeCount }: Triangulation,
  winding: Int32Array,
  mesh: NavMesh,
  { gridSize, originX, originY }: GridFrame,
): Int32Array {
  const label = new Int32Array(edgeCount).fill(-1);
  const sign = mapYSignOf(mesh);
  for (let edge = 0; edge < edgeCount; edge++) {
    if (winding[2 * edge] <= 0 || winding[2 * edge + 1] <= 0) continue;
    const a = origin[2 * edge];
    const b = origin[2 * edge + 1];
    spot[0] = originX + ((xs[a] + xs[b]) / 2) * gridSize;
    spot[2] = sign * (originY + ((ys[a] + ys[b]) / 2) * gridSize);
    label[edge] = partAt(mesh, spot);
  }
  return label;
}

const spot = new Float64Array(3);

/** Returns the island of the polygon at a position, or -1. */
function partAt(mesh: NavMesh, point: Float64Array): number {
  const { bvBounds, bvItem, tileBounds, tileNodeStart, tileNodeCount } = mesh;
  findTilesNear(mesh, point, NO_REACH);
  for (let k = 0; k < tilesNear.count; k++) {
    const slot = tilesNear.slots[k];
    const x = point[0] - tileBounds[6 * slot];
    const z = point[2] - tileBounds[6 * slot + 2];
    const end = tileNodeStart[slot] + tileNodeCount[slot];
    for (let node = tileNodeStart[slot]; node < end;) {
      const item = bvItem[node];
      const b = 6 * node;
      const isIn = x >= bvBounds[b] && x <= bvBounds[b + 3] && z >= bvBounds[b + 2] && z <= bvBounds[b + 5];
      if (isIn && item >= 0 && isOverPoly(mesh, item, point)) return islandOf(mesh, item);
      node += isIn || item >= 0 ? 1 : -item;
    }
  }
  return -1;
}

const NO_REACH = new Float64Array(3);

/** Opens passages, widest first, and returns the passages that connect two parts. */
function joinParts(passages: Passage[], label: Int32Array, needed: number): ClosedPassage[] {
  // The first edge of a part stands for all of them.
  const firstOf = new Map<number, number>();
  const parent = Int32Array.from(label, (part, i) => {
    if (part < 0) return i;
    if (!firstOf.has(part)) firstOf.set(part, i);
    return firstOf.get(part)!;
  });
  const closed: ClosedPassage[] = [];
  passages.sort((a, b) => b.width - a.width || a.x - b.x || a.y - b.y);
  // A passage may be wide enough for an agent without leading to another part. Such passages come last.
  for (const isLast of [false, true]) {
    for (const { from, to, x, y, width } of passages) {
      const a = rootOf(parent, from);
      const b = rootOf(parent, to);
      if (a === b) continue;
      const isBetween = label[a] >= 0 && label[b] >= 0;
      if (isBetween && width > needed && !isLast) continue;
      if (isBetween) closed.push({ x, y, width: Math.min(width, needed) });
      const root = Math.min(a, b);
      label[root] = Math.max(label[a], label[b]);
      parent[a] = parent[b] = root;
    }
  }
  return closed;
}

/** Returns the distance from a corner to the nearest wall across half-edge h, and the middle of that line. */
function nearestAcross(mesh: Triangulation, winding: Int32Array, corner: number, h: number): ClosedPassage {
  const { xs, ys, origin, next } = mesh;
  const px = xs[corner];
  const py = ys[corner];
  let width = Infinity;
  let x = px;
  let y = py;
  const offer = (qx: number, qy: number): void => {
    const length = lengthOf(qx - px, qy - py);
    if (length >= width) return;
    width = length;
    x = (px + qx) / 2;
    y = (py + qy) / 2;
  };
  offer(xs[origin[h]], ys[origin[h]]);
  offer(xs[origin[h ^ 1]], ys[origin[h ^ 1]]);
  const open = [h];
  while (open.length > 0) {
    const edge = open.pop()!;
    const a = origin[edge];
    const b = origin[edge ^ 1];
    const dx = xs[b] - xs[a];
    const dy = ys[b] - ys[a];
    const t = ((px - xs[a]) * dx + (py - ys[a]) * dy) / (dx * dx + dy * dy);
    // The nearest point is an end of the edge, which is known.
    if (!(t > 0 && t < 1)) continue;
    const qx = xs[a] + t * dx;
    const qy = ys[a] + t * dy;
    if (lengthOf(qx - px, qy - py) >= width) continue;
    const back = edge ^ 1;
    if (winding[back] <= 0) {
      offer(qx, qy);
      continue;
    }
    const one = next[back];
    const two = next[one];
    offer(xs[origin[two]], ys[origin[two]]);
    open.push(two, one);
  }
  return { x, y, width };
}

function lengthOf(dx: number, dy: number): number {
  return Math.sqrt(dx * dx + dy * dy);
}

function rootOf(parent: Int32Array, i: number): number {
  while (parent[i] !== i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}
