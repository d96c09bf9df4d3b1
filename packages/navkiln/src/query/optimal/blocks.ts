/**
 * Finds dead ends: polygons that only lead back, which an exact search can skip.
 *
 * Polygons are convex, so a shortest path never returns to one it has left. Cut the mesh at each polygon that
 * separates it into parts: the remaining blocks form a tree. A path from one block to another uses only the
 * blocks between them. Each tile has a tree of its own, rooted outside the tile: blocks on its border are
 * always open. A search also opens the blocks that contain a start, a goal or a link, and those up to the
 * root.
 *
 * In: the edges of a tile. They do not change, so filters, portals and links do not matter to the result.
 * Out: blocks, computed at the first query of a tile, and stored with the mesh. With many links all blocks are open.
 * Cost: linear in the tile's edges, once; then two reads for each polygon and search. 8 bytes a polygon.
 * Based on: John Hopcroft, Robert Tarjan, Algorithm 447: efficient algorithms for graph manipulation, 1973.
 * Tried: skipping only polygons with one neighbor. It is slower on levels with dead ends and equal elsewhere (bench
 * `optimal`).
 */
import type { NavMesh } from '../../mesh/types.ts';
import { withRoom } from '../walk/open-edges.ts';

/** Up to this many link ends, each search opens their blocks. */
const MAX_LINK_ENDS = 64;

/** Blocks of a mesh. The number of a block is one of its polygons. */
export interface Blocks {
  /** Per tile slot: the generation that was split, plus 1. */
  tileKnown: Int32Array;
  /** Per polygon: the block that leads up to the root; -1 for polygons in a border block. */
  up: Int32Array;
  /** Per block: the polygon that connects it to its parent in the tree. */
  top: Int32Array;
}

/** By `polyEdgeStart`, which overlays share, and which compaction replaces when it moves tiles. */
const blocksOf = new WeakMap<Int32Array, Blocks>();

/** Per polygon of the tile: its discovery time, and the earliest time that its subtree reaches. */
let discovery: Int32Array = new Int32Array(0);
let low: Int32Array = new Int32Array(0);
/** The path down to the current polygon, the next edge of each polygon, and polygons without a block yet. */
let path: Int32Array = new Int32Array(0);
let nextEdge: Int32Array = new Int32Array(0);
let pending: Int32Array = new Int32Array(0);

/** Returns the blocks of a mesh, with memory for all its polygons. Returns undefined for meshes with many links. */
export function findBlocks(mesh: NavMesh): Blocks | undefined {
  if (2 * mesh.linkCount > MAX_LINK_ENDS) return undefined;
  let blocks = blocksOf.get(mesh.polyEdgeStart);
  if (blocks === undefined) {
    const none = new Int32Array(0);
    blocks = { tileKnown: none, up: none, top: none };
    blocksOf.set(mesh.polyEdgeStart, blocks);
  }
  blocks.tileKnown = withRoom(blocks.tileKnown, mesh.tileGeneration.length);
  blocks.up = withRoom(blocks.up, mesh.polyCount);
  blocks.top = withRoom(blocks.top, mesh.polyCount);
  return blocks;
}

/** Returns the block of a polygon that leads up to the root, or -1. */
export function blockUp(blocks: Blocks, mesh: NavMesh, poly: number): number {
  const slot = mesh.polyTile[poly];
  if (blocks.tileKnown[slot] !== mesh.tileGeneration[slot] + 1) splitTile(blocks, mesh, slot);
  return blocks.up[poly];
}

function splitTile(blocks: Blocks, mesh: NavMesh, slot: number): void {
  const { edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const { up, top } = blocks;
  const start = mesh.tilePolyStart[slot];
  const count = mesh.tilePolyCount[slot];
  blocks.tileKnown[slot] = mesh.tileGeneration[slot] + 1;
  discovery = withRoom(discovery, count);
  low = withRoom(low, count);
  path = withRoom(path, count);
  nextEdge = withRoom(nextEdge, count);
  pending = withRoom(pending, count);
  discovery.fill(0, 0, count);
  let time = 0;
  // Starts at border polygons, as neighbors of one outer polygon that was discovered first; then at all others.
  for (let pass = 0; pass < 2; pass++) {
    for (let root = 0; root < count; root++) {
      if (discovery[root] !== 0 || (pass === 0 && !isOnBorder(mesh, start + root))) continue;
      let depth = 0;
      let pendingCount = 0;
      path[0] = root;
      nextEdge[root] = polyEdgeStart[start + root];
      discovery[root] = ++time;
      low[root] = pass === 0 ? 0 : time;
      pending[pendingCount++] = root;
      while (depth >= 0) {
        const at = path[depth];
        const end = polyEdgeStart[start + at] + polyVertexCount[start + at];
        if (nextEdge[at] < end) {
          const next = edgeNeighbor[nextEdge[at]++];
          if (next <= -2) low[at] = 0;
          if (next < 0) continue;
          const other = next - start;
          if (discovery[other] === 0) {
            path[++depth] = other;
            nextEdge[other] = polyEdgeStart[next];
            discovery[other] = low[other] = ++time;
            pending[pendingCount++] = other;
          } else if ((depth === 0 || other !== path[depth - 1]) && discovery[other] < low[at]) {
            low[at] = discovery[other];
          }
          continue;
        }
        depth--;
        if (depth < 0) break;
        const above = path[depth];
        if (low[at] < low[above]) low[above] = low[at];
        if (low[at] < discovery[above]) continue;
        for (let member = -1; member !== at;) {
          member = pending[--pendingCount];
          up[start + member] = start + at;
        }
        top[start + at] = start + above;
      }
      while (pendingCount > 0) up[start + pending[--pendingCount]] = -1;
    }
  }
}

function isOnBorder(mesh: NavMesh, poly: number): boolean {
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  for (let e = first; e < end; e++) if (mesh.edgeNeighbor[e] <= -2) return true;
  return false;
}
