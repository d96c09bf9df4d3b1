/**
 * Everything queries rely on, checked: each violation is reported as (code, field, index). `loadNavMesh` stops at the
 * first, `validateNavMesh` collects them. In: any record of the right types, with any numbers in it; out: reports, never
 * a crash. Checks build on each other: where counts or ranges are wrong, what lies within them is not looked at.
 * Cost: O(n) in the mesh, O(t log t) in the tiles.
 */
import { polyBounds } from './bv-tree.ts';
import { ARRAY_FIELDS, RANGE_FIELDS } from './layout.ts';
import { checkPolys } from './check-polys.ts';
import { MAX_GENERATION, MAX_POLYS_PER_TILE, MAX_TILE_SLOTS } from './ref.ts';
import type { NavMesh } from './types.ts';

export type ViolationCode =
  | 'version' | 'scalar' | 'size' | 'tile-state' | 'tile-generation' | 'tile-range' | 'tile-overlap' | 'tile-bounds'
  | 'tile-place' | 'tile-hash' | 'free-slots' | 'poly-tile' | 'poly-range' | 'poly-area' | 'edge-vertex' | 'edge-neighbor'
  | 'not-reciprocal' | 'not-convex' | 'not-finite' | 'detail-vertex' | 'tree-shape' | 'tree-item' | 'tree-bounds' | 'island'
  | 'link' | 'free-links' | 'link-list' | 'link-poly' | 'portal-list' | 'portal-edge' | 'portal-span' | 'portal-back'
  | 'portal-poly' | 'portal-order' | 'portal-place' | 'free-portals' | 'island-parent' | 'islands-stale';

/** `field` is a field's name, `index` the place in it or -1. What a code means is told in validate.ts. */
export type Report = (code: ViolationCode, field: string, index: number) => void;

/** Checks all but the derived look-up table of tiles. */
export function checkNavMesh(mesh: NavMesh, report: Report): void {
  let isSound = true;
  const note: Report = (code, field, index) => {
    isSound = false;
    report(code, field, index);
  };
  checkScalars(mesh, note);
  checkSizes(mesh, note);
  if (!isSound) return;
  checkTiles(mesh, note);
  checkFreeSlots(mesh, note);
  if (!isSound) return;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] === 0) continue;
    isSound = true;
    checkPolys(mesh, slot, note);
    if (isSound) checkTree(mesh, slot, note);
  }
}

function checkScalars(mesh: NavMesh, report: Report): void {
  if (mesh.version !== 1) report('version', 'version', -1);
  const { agent, origin } = mesh;
  const values: [string, number][] = [
    ['agent.radius', agent.radius], ['agent.height', agent.height], ['agent.maxClimb', agent.maxClimb],
    ['agent.maxSlopeDegrees', agent.maxSlopeDegrees], ['cellSize', mesh.cellSize], ['cellHeight', mesh.cellHeight],
    ['tileSize', mesh.tileSize],
  ];
  for (const [name, value] of values) {
    if (!(value >= 0 && value < Infinity)) report('scalar', name, -1);
  }
  if (origin.length !== 3 || !origin.every(Number.isFinite)) report('scalar', 'origin', -1);
}

function checkSizes(mesh: NavMesh, report: Report): void {
  for (const { name, pool, stride } of ARRAY_FIELDS) {
    const count = mesh[pool];
    if (!(Number.isInteger(count) && count >= 0 && count <= 0x7fffffff)) report('size', pool, -1);
    else if (mesh[name].length < count * stride) {
      report('size', name, -1);
    }
  }
  if (mesh.tileSlotCount > MAX_TILE_SLOTS) report('size', 'tileSlotCount', -1);
}

function checkTiles(mesh: NavMesh, report: Report): void {
  const used: number[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    const state = mesh.tileState[slot];
    if (state > 1) report('tile-state', 'tileState', slot);
    for (const { pool, start, count } of RANGE_FIELDS) {
      const from = mesh[start][slot];
      const size = mesh[count][slot];
      if (state === 0 ? size !== 0 : from < 0 || size < 0 || (size > 0 && from + size > mesh[pool])) {
        report('tile-range', start, slot);
      }
    }
    if (state === 0) continue;
    used.push(slot);
    if (mesh.tileGeneration[slot] === 0) report('tile-generation', 'tileGeneration', slot);
    if (mesh.tilePolyCount[slot] > MAX_POLYS_PER_TILE) {
      report('tile-range', 'tilePolyCount', slot);
    }
    checkTileBounds(mesh, slot, report);
  }
  for (const { start, count } of RANGE_FIELDS) {
    const starts = mesh[start];
    const counts = mesh[count];
    const order = used.filter((slot) => counts[slot] > 0).sort((a, b) => starts[a] - starts[b]);
    for (let i = 1; i < order.length; i++) {
      const slot = order[i];
      if (starts[slot] < starts[order[i - 1]] + counts[order[i - 1]]) {
        report('tile-overlap', start, slot);
      }
    }
  }
  const { tileX, tileZ, tileLayer } = mesh;
  used.sort((a, b) => tileX[a] - tileX[b] || tileZ[a] - tileZ[b] || tileLayer[a] - tileLayer[b]);
  for (let i = 1; i < used.length; i++) {
    const a = used[i - 1];
    const b = used[i];
    if (tileX[a] === tileX[b] && tileZ[a] === tileZ[b] && tileLayer[a] === tileLayer[b]) {
      report('tile-place', 'tileX', b);
    }
  }
}

function checkTileBounds(mesh: NavMesh, slot: number, report: Report): void {
  const at = 6 * slot;
  const { tileBounds, tileSize, origin } = mesh;
  for (let k = at; k < at + 3; k++) {
    if (!(Number.isFinite(tileBounds[k]) && tileBounds[k + 3] < Infinity && tileBounds[k] <= tileBounds[k + 3])) {
      report('tile-bounds', 'tileBounds', k);
    }
  }
  if (tileSize === 0 || mesh.tileVertexCount[slot] === 0) return;
  const slack = Math.max(mesh.cellSize, 1e-6 * tileSize);
  const x = origin[0] + mesh.tileX[slot] * tileSize;
  const z = origin[2] + mesh.tileZ[slot] * tileSize;
  if (
    !(tileBounds[at] >= x - slack && tileBounds[at + 3] <= x + tileSize + slack &&
      tileBounds[at + 2] >= z - slack && tileBounds[at + 5] <= z + tileSize + slack)
  ) {
    report('tile-place', 'tileX', slot);
  }
}

/** The chain of free slots holds each free slot that is not retired once, and no other. */
function checkFreeSlots(mesh: NavMesh, report: Report): void {
  let free = 0;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] === 0 && mesh.tileGeneration[slot] < MAX_GENERATION) free++;
  }
  let slot = mesh.tileFreeSlot;
  let last = -1;
  for (; free > 0; free--) {
    if (!isFree(mesh, slot)) break;
    last = slot;
    slot = mesh.tileX[slot];
  }
  // Free slots are left over, or the chain goes on (or round) when all have been met.
  if (free > 0 || slot !== -1) report('free-slots', last < 0 ? 'tileFreeSlot' : 'tileX', last);
}

function isFree(mesh: NavMesh, slot: number): boolean {
  return Number.isInteger(slot) && slot >= 0 && slot < mesh.tileSlotCount &&
    mesh.tileState[slot] === 0 && mesh.tileGeneration[slot] < MAX_GENERATION;
}

/** One depth-first tree over the tile's polygons: subtrees nested, boxes too, each polygon in one leaf. */
function checkTree(mesh: NavMesh, slot: number, report: Report): void {
  const { bvBounds, bvItem, tileBounds } = mesh;
  const first = mesh.tileNodeStart[slot];
  const count = mesh.tileNodeCount[slot];
  const polyStart = mesh.tilePolyStart[slot];
  const polyCount = mesh.tilePolyCount[slot];
  if (count !== (polyCount === 0 ? 0 : 2 * polyCount - 1)) {
    report('tree-shape', 'tileNodeCount', slot);
    return;
  }
  // Node of each polygon, -1: not met yet.
  const leafNode = new Int32Array(polyCount).fill(-1);
  const box = new Float64Array(6);
  // Inner nodes that the node at hand is in, outermost first.
  const path = new Int32Array(count);
  let depth = 0;
  let leaves = 0;
  const end = first + count;
  for (let node = first; node < end; node++) {
    while (depth > 0 && path[depth - 1] - bvItem[path[depth - 1]] <= node) depth--;
    const item = bvItem[node];
    if (depth === 0 && node > first) {
      report('tree-shape', 'bvItem', node);
      return;
    }
    if (depth > 0) {
      const parent = path[depth - 1];
      if (node - Math.min(item, -1) > parent - bvItem[parent]) {
        report('tree-shape', 'bvItem', node);
        return;
      }
      for (let k = 0; k < 3; k++) {
        if (!(bvBounds[6 * node + k] >= bvBounds[6 * parent + k] && bvBounds[6 * node + 3 + k] <= bvBounds[6 * parent + 3 + k])) {
          report('tree-bounds', 'bvBounds', 6 * node + k);
        }
      }
    }
    if (item < 0) {
      if (node - item > end || item > -2) {
        report('tree-shape', 'bvItem', node);
        return;
      }
      path[depth++] = node;
      continue;
    }
    if (item < polyStart || item >= polyStart + polyCount || leafNode[item - polyStart] >= 0) {
      report('tree-item', 'bvItem', node);
      return;
    }
    leafNode[item - polyStart] = node - first;
    leaves++;
    polyBounds(box, 0, mesh, item);
    for (let k = 0; k < 3; k++) {
      const min = tileBounds[6 * slot + k];
      if (!(box[k] - min >= bvBounds[6 * node + k] && box[3 + k] - min <= bvBounds[6 * node + 3 + k])) {
        report('tree-bounds', 'bvBounds', 6 * node + k);
      }
    }
  }
  if (leaves === polyCount) checkIslands(mesh, slot, leafNode, report);
  else report('tree-shape', 'tileNodeStart', slot);
}

/** Each island's name is a subtree that holds just the polygons of that name; neighbours have the same name. */
function checkIslands(mesh: NavMesh, slot: number, leafNode: Int32Array, report: Report): void {
  const { polyIsland, bvItem } = mesh;
  const polyStart = mesh.tilePolyStart[slot];
  const nodeStart = mesh.tileNodeStart[slot];
  const nodeCount = mesh.tileNodeCount[slot];
  const members = new Int32Array(nodeCount);
  for (let i = 0; i < leafNode.length; i++) {
    const island = polyIsland[polyStart + i];
    const size = island >= 0 && island < nodeCount ? Math.max(1, -bvItem[nodeStart + island]) : 0;
    if (leafNode[i] < island || leafNode[i] >= island + size) {
      report('island', 'polyIsland', polyStart + i);
      return;
    }
    members[island]++;
    const first = mesh.polyEdgeStart[polyStart + i];
    for (let e = first; e < first + mesh.polyVertexCount[polyStart + i]; e++) {
      const other = mesh.edgeNeighbor[e];
      if (other < 0 || polyIsland[other] === island) continue;
      report('island', 'polyIsland', polyStart + i);
      return;
    }
  }
  // Where members are counted off leaf by leaf, the subtree must end with the last of them.
  let owner = -1;
  let leavesLeft = 0;
  for (let node = 0; node < nodeCount; node++) {
    let isGood = members[node] === 0 || leavesLeft === 0;
    if (members[node] > 0) {
      owner = node;
      leavesLeft = members[node];
    }
    if (bvItem[nodeStart + node] >= 0) {
      leavesLeft--;
      if (leavesLeft === 0 && node + 1 !== owner + Math.max(1, -bvItem[nodeStart + owner])) isGood = false;
    }
    if (!isGood || leavesLeft < 0) {
      report('island', 'polyIsland', polyStart);
      return;
    }
  }
}
