/**
 * Drops polygons without area that lie between others, so that paths and indexes are exact on meshes with sizes.
 *
 *         Y                     Y              A piece of one mask that is a cell wide may be simplified to a line. The triangle abc is
 *   a-----------c         a-----b-----c        left of it. Vertex b moves into the edge of Y, and X and Z become neighbors of Y.
 *   a-----b-----c   ->      X   |  Z           Y is cut in two if it then has too many vertices.
 *     X   |  Z
 *
 * A polygon stays where its neighbors were connected through it alone.
 *
 * In: PolyMesh. Out: the same, or one with fewer polygons.
 * Cost: linear in the polygons; quadratic in the vertices of those that are dropped.
 * Based on: own.
 */
import type { PolyMesh } from '../types.ts';

/** A polygon that is being changed: its vertices, and the neighbor across the edge from each vertex to the next, as in `PolyMesh.neighbors`. */
interface Ring {
  vertices: number[];
  neighbors: number[];
  /** The polygon whose region and area it has. */
  source: number;
}

/** Polygons that have changed; undefined: dropped. */
type Rings = Map<number, Ring | undefined>;

const WALL = -1;

/** Returns the mesh without the polygons of zero area that can be dropped. */
export function dropFlatPolys(mesh: PolyMesh): PolyMesh {
  const flat: number[] = [];
  const { polys, vertices, maxVerticesPerPoly: size } = mesh;
  for (let p = 0; p < mesh.polyCount; p++) {
    const isPlain = side(vertices, polys[size * p], polys[size * p + 1], polys[size * p + 2]) !== 0;
    if (!isPlain && isFlat(mesh, ringOf(mesh, p).vertices)) flat.push(p);
  }
  if (flat.length === 0) return mesh;
  const rings: Rings = new Map();
  // Dropping one polygon may make it possible to drop another.
  for (let left = flat, before = Infinity; left.length < before;) {
    before = left.length;
    left = left.filter((p) => !drop(mesh, rings, p));
  }
  return pack(mesh, rings);
}

/** Returns the ring of a polygon that was not dropped. Callers may change it. */
function take(mesh: PolyMesh, rings: Rings, p: number): Ring {
  let ring = rings.get(p);
  if (ring === undefined) rings.set(p, (ring = ringOf(mesh, p)));
  return ring;
}

function ringOf({ polys, neighbors, maxVerticesPerPoly: size }: PolyMesh, p: number): Ring {
  let end = size * p;
  while (end < size * p + size && polys[end] >= 0) end++;
  return {
    vertices: [...polys.subarray(size * p, end)],
    neighbors: [...neighbors.subarray(size * p, end)],
    source: p,
  };
}

/** Returns whether all vertices lie on one line. */
function isFlat({ vertices }: PolyMesh, [a, b, ...rest]: number[]): boolean {
  return rest.every((c) => side(vertices, a, b, c) === 0);
}

/** Returns twice the area of a triangle, signed. */
function side(vertices: Int32Array, a: number, b: number, c: number): number {
  const [ax, az] = [vertices[3 * a], vertices[3 * a + 2]];
  return (vertices[3 * b] - ax) * (vertices[3 * c + 2] - az) - (vertices[3 * c] - ax) * (vertices[3 * b + 2] - az);
}

/** Drops a polygon. Returns false where it has to stay. */
function drop(mesh: PolyMesh, rings: Rings, p: number): boolean {
  const { vertices, neighbors } = take(mesh, rings, p);
  const compare = (a: number, b: number): number =>
    mesh.vertices[3 * a] - mesh.vertices[3 * b] || mesh.vertices[3 * a + 2] - mesh.vertices[3 * b + 2];
  const order = [...vertices].sort(compare);
  const count = order.length - 1;
  if (order.some((v, i) => i > 0 && compare(v, order[i - 1]) === 0)) return false;
  // For each segment between consecutive vertices of `order`: the polygons on its two sides.
  const beside: number[][] = Array.from({ length: count }, () => []);
  vertices.forEach((v, k) => {
    const [low, high] = [v, vertices[(k + 1) % vertices.length]].map((one) => order.indexOf(one)).sort((a, b) => a - b);
    for (let i = low; i < high; i++) beside[i].push(neighbors[k]);
  });
  if (beside.some((both) => both.length !== 2) || !isJoined(beside) || !hasRoom(mesh, rings, p)) return false;
  vertices.forEach((a, k) => {
    const poly = neighbors[k];
    if (poly < 0) return;
    const [from, to] = [order.indexOf(vertices[(k + 1) % vertices.length]), order.indexOf(a)];
    const step = from < to ? 1 : -1;
    const ring = take(mesh, rings, poly);
    const at = ring.vertices.findIndex(
      (v, i) => v === order[from] && ring.vertices[(i + 1) % ring.vertices.length] === a && ring.neighbors[i] === p,
    );
    const inserted: number[] = [];
    const beyond: number[] = [];
    for (let i = from; i !== to; i += step) {
      if (i !== from) inserted.push(order[i]);
      const [one, other] = beside[step > 0 ? i : i - 1];
      beyond.push(one === poly ? other : one);
    }
    ring.vertices.splice(at + 1, 0, ...inserted);
    ring.neighbors.splice(at, 1, ...beyond);
  });
  rings.set(p, undefined);
  return true;
}

/** Returns whether each segment has a neighbor, and all neighbors stay connected across the segments. */
function isJoined(beside: readonly number[][]): boolean {
  // A border of the tile is a separate neighbor on each segment.
  const nodes = beside.map((pair, i) => pair.map((one) => (one < WALL ? -2 - i : one)));
  if (nodes.some(([a, b]) => a === WALL && b === WALL)) return false;
  const found = new Set([nodes[0][0] === WALL ? nodes[0][1] : nodes[0][0]]);
  for (let size = 0; size < found.size;) {
    size = found.size;
    for (const [a, b] of nodes) {
      if (a === WALL || b === WALL || found.has(a) === found.has(b)) continue;
      found.add(a);
      found.add(b);
    }
  }
  return nodes.flat().every((one) => one === WALL || found.has(one));
}

/** Returns whether each edge has a different neighbor, and neighbors without area, which cannot be cut in two, have room for more vertices. */
function hasRoom(mesh: PolyMesh, rings: Rings, p: number): boolean {
  const { vertices, neighbors } = take(mesh, rings, p);
  const more = vertices.length - 2;
  return neighbors.every((poly, k) => {
    if (poly < 0) return true;
    if (neighbors.indexOf(poly) !== k) return false;
    const ring = take(mesh, rings, poly);
    return ring.vertices.length + more <= mesh.maxVerticesPerPoly || !isFlat(mesh, ring.vertices);
  });
}

/** Returns the mesh of the remaining polygons. Polygons with too many vertices are cut in two. */
function pack(mesh: PolyMesh, rings: Rings): PolyMesh {
  const { maxVerticesPerPoly: size } = mesh;
  // New parts get the next indices. The loop visits them, too.
  const parts = { count: mesh.polyCount };
  for (const [p] of rings) while ((rings.get(p)?.vertices.length ?? 0) > size) cut(mesh, rings, p, parts.count++);
  const place = new Int32Array(parts.count);
  let kept = 0;
  for (let p = 0; p < parts.count; p++) place[p] = rings.has(p) && rings.get(p) === undefined ? -1 : kept++;
  const polys = new Int32Array(kept * size).fill(-1);
  const neighbors = new Int32Array(kept * size).fill(-1);
  const region = new Int32Array(kept);
  const area = new Uint8Array(kept);
  for (let p = 0; p < parts.count; p++) {
    const at = place[p];
    if (at < 0) continue;
    const ring = rings.get(p);
    polys.set(ring?.vertices ?? mesh.polys.subarray(size * p, size * p + size), size * at);
    neighbors.set(ring?.neighbors ?? mesh.neighbors.subarray(size * p, size * p + size), size * at);
    region[at] = mesh.region[ring?.source ?? p];
    area[at] = mesh.area[ring?.source ?? p];
  }
  for (let k = 0; k < neighbors.length; k++) if (neighbors[k] >= 0) neighbors[k] = place[neighbors[k]];
  return { ...mesh, polyCount: kept, polys, neighbors, region, area };
}

/** Cuts a polygon in two, from a vertex within a straight side to a vertex that is not on that side. `other`: the index of the second part. */
function cut(mesh: PolyMesh, rings: Rings, p: number, other: number): void {
  const { vertices, neighbors, source } = take(mesh, rings, p);
  const count = vertices.length;
  const at = (k: number): number => vertices[(k + count) % count];
  const first = Math.max(
    0,
    vertices.findIndex((v, k) => side(mesh.vertices, at(k - 1), v, at(k + 1)) === 0),
  );
  const isOff = (k: number): boolean => side(mesh.vertices, at(first - 1), at(first), at(first + k)) !== 0;
  let best = 2;
  for (let k = 2; k < count - 1; k++)
    if (isOff(k) && (!isOff(best) || Math.abs(2 * k - count) < Math.abs(2 * best - count))) best = k;
  const partOf = (from: number, to: number, closing: number): Ring => {
    const ring: Ring = { vertices: [], neighbors: [], source };
    for (let k = from; k <= to; k++) {
      ring.vertices.push(at(first + k));
      ring.neighbors.push(k < to ? neighbors[(first + k) % count] : closing);
    }
    return ring;
  };
  rings.set(p, partOf(0, best, other));
  const part = partOf(best, count, p);
  rings.set(other, part);
  // Neighbors of the second part now refer to its index.
  part.neighbors.forEach((one, k) => {
    if (one < 0 || one === p) return;
    const ring = take(mesh, rings, one);
    const from = part.vertices[(k + 1) % part.vertices.length];
    const edge = ring.vertices.findIndex((v, i) => v === from && ring.neighbors[i] === p);
    ring.neighbors[edge] = other;
  });
}
