/**
 * Makes `findPath` skip dead ends of prepared meshes: polygons that lead neither to the end nor to a link (blocks.ts).
 *
 * The search runs as usual for its first nodes, which are enough for near ends. Then the polygons through which it would
 * enter a block without start, end and link are marked as visited at a cost that no route can beat. If the search fails,
 * because a filter or a one-way link closes the way, it starts again without marks, so that the nearest polygon may lie
 * in a dead end.
 *
 * In: a mesh, a search for a corridor. Out: the same corridor.
 * Cost: one write for each dead end, once the search has expanded 1 / 64 of their number; 8 bytes a polygon.
 * Based on: own, over blocks.ts.
 * Tried: waiting for 32 nodes or 1 / 16 of the dead ends. It saves only on towers (bench `any-pairs`).
 */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { QueryFilter } from '../filter.ts';
import { beginCorridor, runCorridor } from '../path/a-star.ts';
import { POLYGON_SEARCH } from '../path/find-path.ts';
import type { SearchState } from '../search-state.ts';
import { withRoom } from '../walk/open-edges.ts';
import { blockUp, findBlocks } from './blocks.ts';
import type { Blocks } from './blocks.ts';
import { isUniform } from './optimal.ts';

/** Nodes that a search expands before dead ends are marked: this number, or a share of the dead ends if that is more. */
const FREE_NODES = 2;
const FREE_SHIFT = 6;

/** A number of nodes that no search expands. */
const UNLIMITED = 0x1fffffff;

/** The dead ends of a mesh, at a revision. */
interface DeadEnds {
  revision: number;
  blocks: Blocks | undefined;
  /** Polygons at which a block is entered from the polygon that connects it to its parent. */
  entrances: Int32Array;
  count: number;
  /** Per block: the last search that opened it. */
  openStamp: Int32Array;
  stamp: number;
}

/** A search that may skip dead ends: its arguments, and whether dead ends are marked. */
interface Skip {
  startPoly: number;
  start: Float64Array;
  isMarked: boolean;
  /** The search runs as usual. */
  isOff: boolean;
}

const prepared = new WeakMap<NavMesh, DeadEnds>();
const skips = new WeakMap<SearchState, Skip>();
const end = new Float64Array(3);

/**
 * Makes `findPath`, `findPathInto` and sliced searches on a mesh skip dead ends, which takes 0.75 of the time on a tower
 * with stairs, 0.9 on levels with rooms, and as long as before on open ones. Paths stay the same. Call it once for a
 * mesh; it follows changes of the mesh. Searches with `maxNodes`, and those over tiles with area costs that differ, run
 * as usual.
 */
export function skipDeadEnds(mesh: NavMesh): void {
  checkNavMesh('skipDeadEnds', mesh);
  if (prepared.has(mesh)) return;
  const none = new Int32Array(0);
  prepared.set(mesh, { revision: NaN, blocks: undefined, entrances: none, count: 0, openStamp: none, stamp: 0 });
  POLYGON_SEARCH.begin = begin;
  POLYGON_SEARCH.run = run;
}

// oxlint-disable-next-line max-params -- kernel: as beginCorridor
function begin(
  state: SearchState,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  startPoint: Float64Array,
  endPoly: number,
  endPoint: Float64Array,
): void {
  beginCorridor(state, mesh, filter, startPoly, startPoint, endPoly, endPoint);
  if (!prepared.has(mesh)) return;
  let skip = skips.get(state);
  if (skip === undefined) {
    skip = { startPoly, start: new Float64Array(3), isMarked: false, isOff: false };
    skips.set(state, skip);
  }
  skip.startPoly = startPoly;
  skip.start.set(startPoint);
  skip.isMarked = false;
  // Over tiles, a polygon has several nodes. A route through a cheap dead end could lead to another node of the same polygon.
  skip.isOff = mesh.portalCount > 0 && !isUniform(filter);
}

function run(state: SearchState, mesh: NavMesh, filter: QueryFilter, maxNodes: number, steps: number): boolean {
  const skip = skips.get(state);
  const ends = prepared.get(mesh);
  const isLimited = maxNodes < mesh.polyCount + mesh.portalCount + 2 * mesh.linkCount;
  if (skip === undefined || ends === undefined || skip.isOff || isLimited)
    return runCorridor(state, mesh, filter, maxNodes, steps);
  // Small integers: V8 may allocate doubles that are passed to a function.
  const last = (state.expandedCount + Math.min(steps, UNLIMITED)) | 0;
  if (!skip.isMarked) {
    if (ends.revision !== mesh.revision) renew(ends, mesh);
    const free = Math.max(FREE_NODES, ends.count >> FREE_SHIFT) - state.expandedCount;
    if (ends.count === 0 || steps < free) return runCorridor(state, mesh, filter, maxNodes, steps);
    if (runCorridor(state, mesh, filter, maxNodes, Math.max(0, free))) return true;
    markEntrances(state, ends, mesh, skip.startPoly);
    skip.isMarked = true;
  }
  const isOver = runCorridor(state, mesh, filter, maxNodes, last - state.expandedCount);
  if (!isOver || state.best >= 0) return isOver;
  for (let k = 0; k < 3; k++) end[k] = state.goal[k];
  const rest = last - state.expandedCount;
  skip.isOff = true;
  beginCorridor(state, mesh, filter, skip.startPoly, skip.start, state.endPoly, end);
  return runCorridor(state, mesh, filter, maxNodes, rest);
}

/** Marks all entrances to blocks that have neither the start, the end nor a link. */
function markEntrances(state: SearchState, ends: DeadEnds, mesh: NavMesh, startPoly: number): void {
  const { entrances, count, openStamp } = ends;
  const { up } = ends.blocks!;
  const { nodeStamp, nodeCost, stamp } = state;
  ends.stamp++;
  openUp(ends, mesh, startPoly);
  openUp(ends, mesh, state.endPoly);
  for (let linkEnd = 0; linkEnd < 2 * mesh.linkCount; linkEnd++) {
    if (mesh.linkPoly[linkEnd] >= 0) openUp(ends, mesh, mesh.linkPoly[linkEnd]);
  }
  for (let i = 0; i < count; i++) {
    const poly = entrances[i];
    // What was visited before may be in the heap.
    if (openStamp[up[poly]] === ends.stamp || nodeStamp[poly] === stamp) continue;
    nodeStamp[poly] = stamp;
    nodeCost[poly] = -1;
  }
}

/** Opens all blocks from a polygon up to the root of its tile's tree. */
function openUp({ blocks, openStamp, stamp }: DeadEnds, mesh: NavMesh, poly: number): void {
  for (let block = blockUp(blocks!, mesh, poly); block >= 0 && openStamp[block] !== stamp;) {
    openStamp[block] = stamp;
    block = blocks!.up[blocks!.top[block]];
  }
}

/** Lists the entrances of all tiles. */
function renew(out: DeadEnds, mesh: NavMesh): void {
  const { edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  out.revision = mesh.revision;
  out.count = 0;
  const blocks = (out.blocks = findBlocks(mesh));
  if (blocks === undefined) return;
  if (out.openStamp.length < mesh.polyCount) out.openStamp = new Int32Array(mesh.polyTile.length);
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const stop = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let poly = mesh.tilePolyStart[slot]; poly < stop; poly++) {
      const block = blockUp(blocks, mesh, poly);
      if (block < 0) continue;
      const top = blocks.top[block];
      const first = polyEdgeStart[poly];
      for (let edge = first; edge < first + polyVertexCount[poly]; edge++) {
        if (edgeNeighbor[edge] !== top) continue;
        out.entrances = withRoom(out.entrances, out.count + 1);
        out.entrances[out.count++] = poly;
        break;
      }
    }
  }
}
