/**
 * Computes the fields that a .navmesh file leaves out, and checks those it holds.
 *
 * Ranges follow from counts, since all ranges are consecutive in the order of tiles and polygons. Boxes
 * follow from vertices, lists of portals and link ends from the edges and polygons they name, and islands
 * from portals and links. Checks build on each other: no number is used as an index before it is known to be
 * one.
 *
 * In: a mesh with the saved arrays, holding any numbers, and with its other arrays at their lengths.
 * Out: a mesh without violations; or `expect` is called with false, and it must not return then.
 * Cost: linear in the mesh, O(t log t) in the tiles.
 * Based on: own.
 */
import { linkOf } from '../crossing.ts';
import { AREA_COUNT, MAX_COORDINATE } from '../../base/constants.ts';
import { clearBox, floatAbove, floatBelow, growBox, polyBounds } from '../tiles/bv-tree.ts';
import { isSoundLink } from '../check/link.ts';
import { isWideAt, isWideLink, placesOfWide } from '../link-places.ts';
import { portalFault } from '../check/portal.ts';
import { refreshIslands } from '../islands.ts';
import { ARRAY_FIELDS, RANGE_FIELDS, TYPE_F64 } from '../layout.ts';
import { groupOfPoly } from '../named.ts';
import { decodeGroups } from './named-file.ts';
import { MAX_GENERATION, MAX_POLYS_PER_TILE, MAX_TILE_SLOTS } from '../ref.ts';
import { dentedEdge, isMutual } from '../shape.ts';
import { rehashTiles } from '../tiles/tile-grid.ts';
import type { NavMesh } from '../types.ts';

/** Ends the loading with an error unless `isGood` is true. */
type Expect = (isGood: boolean, field: string, index?: number) => void;

const POLY_RANGES = [
  ['polyEdgeStart', 'polyVertexCount', 'edgeCount'],
  ['polyDetailVertexStart', 'polyDetailVertexCount', 'detailVertexCount'],
  ['polyDetailTriStart', 'polyDetailTriCount', 'detailTriCount'],
] as const;

/** Computes the derived fields of a mesh, and checks the saved ones. `groups`: the named groups of the file. */
export function deriveMesh(mesh: NavMesh, groups: Float64Array, expect: Expect): void {
  const { tileState, tileX, tileZ, tileLayer } = mesh;
  for (const { name, type, isSaved } of ARRAY_FIELDS) {
    // The user may store any number there.
    const limit = name === 'linkUserId' ? Infinity : MAX_COORDINATE;
    if (isSaved && type === TYPE_F64)
      expect(
        (mesh[name] as Float64Array).every((value) => Math.abs(value) < limit),
        name,
      );
  }
  deriveRanges(mesh, expect);
  expect(isChain(tileState, mesh.tileGeneration, mesh.tileFreeSlot, tileX), 'tileFreeSlot');
  expect(isChain(mesh.linkState, mesh.linkGeneration, mesh.linkFree, mesh.linkUserId), 'linkFree');
  decodeGroups(mesh, groups, expect);
  const used: number[] = [];
  const isLeaf = new Uint8Array(mesh.polyCount);
  tileState.forEach((state, slot) => {
    if (state === 0) return;
    used.push(slot);
    deriveBounds(mesh, slot, expect);
    for (let p = 0; p < mesh.tilePolyCount[slot]; p++) checkPoly(mesh, slot, mesh.tilePolyStart[slot] + p, expect);
    deriveTree(mesh, slot, isLeaf, expect);
  });
  // After sorting, each tile is compared with the next one only.
  used.sort((a, b) => {
    const order = tileX[a] - tileX[b] || tileZ[a] - tileZ[b] || tileLayer[a] - tileLayer[b];
    expect(order !== 0 || a === b, 'tileX', a);
    return order;
  });
  rehashTiles(mesh);
  derivePortals(mesh, expect);
  deriveLinkEnds(mesh, expect);
  refreshIslands(mesh);
}

function deriveRanges(mesh: NavMesh, expect: Expect): void {
  const { tileState, tileVertexCount, tilePolyCount, polyTile, polyVertexCount, polyArea } = mesh;
  const totals = RANGE_FIELDS.map(({ pool }) => mesh[pool]);
  for (const { pool } of RANGE_FIELDS) mesh[pool] = 0;
  expect(mesh.tileSlotCount <= MAX_TILE_SLOTS, 'tileSlotCount');
  tileState.forEach((state, slot) => {
    const count = tilePolyCount[slot];
    const vertexCount = tileVertexCount[slot];
    const first = mesh.polyCount;
    const end = first + count;
    expect(
      (state === 1 ? mesh.tileGeneration[slot] > 0 : state === 0 && count === 0 && vertexCount === 0) &&
        vertexCount >= 0 &&
        count >= 0 &&
        count <= MAX_POLYS_PER_TILE &&
        end <= totals[1],
      'tileState',
      slot,
    );
    for (const { pool, start } of RANGE_FIELDS) mesh[start][slot] = mesh[pool];
    polyTile.fill(slot, first, end);
    for (const [start, size, pool] of POLY_RANGES) {
      const starts = mesh[start];
      const sizes = mesh[size];
      let at = mesh[pool];
      for (let poly = first; poly < end; poly++) {
        starts[poly] = at;
        at += sizes[poly];
      }
      mesh[pool] = at;
    }
    mesh.vertexCount += vertexCount;
    mesh.polyCount = end;
    mesh.nodeCount += count > 0 ? 2 * count - 1 : 0;
    for (const { pool, start, count: size } of RANGE_FIELDS) mesh[size][slot] = mesh[pool] - mesh[start][slot];
  });
  RANGE_FIELDS.forEach(({ pool }, i) => expect(mesh[pool] === totals[i], pool));
  polyArea.forEach((area, poly) => {
    expect(area > 0 && area < AREA_COUNT && polyVertexCount[poly] > 2, 'polyArea', poly);
  });
}

/** Returns whether the chain of free slots holds each slot that is not retired once, and no other. */
function isChain(state: Uint8Array, generation: Uint16Array, head: number, next: ArrayLike<number>): boolean {
  const isFree = (slot: number): boolean => state[slot] === 0 && generation[slot] < MAX_GENERATION;
  let free = 0;
  for (let slot = 0; slot < state.length; slot++) if (isFree(slot)) free++;
  let slot = head;
  while (isFree(slot) && free-- > 0) slot = next[slot];
  return slot === -1 && free === 0;
}

/** Computes the box of a tile, which must lie in the tile's square. */
function deriveBounds(mesh: NavMesh, slot: number, expect: Expect): void {
  const { tileSize, origin } = mesh;
  if (mesh.tileVertexCount[slot] === 0) return;
  const { tileBounds: box } = mesh;
  const at = 6 * slot;
  clearBox(box, at);
  for (const [points, start, count] of [
    [mesh.vertices, mesh.tileVertexStart, mesh.tileVertexCount],
    [mesh.detailVertices, mesh.tileDetailVertexStart, mesh.tileDetailVertexCount],
  ] as const) {
    for (let i = start[slot]; i < start[slot] + count[slot]; i++) growBox(box, at, points, 3 * i);
  }
  const slack = Math.max(mesh.cellSize, 1e-6 * tileSize);
  for (const k of tileSize > 0 ? [0, 2] : []) {
    const low = origin[k] + (k > 0 ? mesh.tileZ : mesh.tileX)[slot] * tileSize;
    expect(box[at + k] >= low - slack && box[at + k + 3] <= low + tileSize + slack, 'tileX', slot);
  }
}

function checkPoly(mesh: NavMesh, slot: number, poly: number, expect: Expect): void {
  const { edgeVertex, edgeNeighbor, polyIsland, polyTile, detailTris } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const corners = mesh.polyVertexCount[poly];
  for (let e = first; e < first + corners; e++) {
    const vertex = edgeVertex[e] - mesh.tileVertexStart[slot];
    const other = edgeNeighbor[e];
    expect(
      vertex >= 0 &&
        vertex < mesh.tileVertexCount[slot] &&
        (other < 0
          ? other > -6
          : other !== poly &&
            polyTile[other] === slot &&
            (polyIsland[other] === polyIsland[poly]) === (groupOfPoly(mesh, other) === groupOfPoly(mesh, poly)) &&
            isMutual(mesh, poly, e)),
      'edgeNeighbor',
      e,
    );
  }
  expect(dentedEdge(mesh, poly) < 0, 'edgeVertex', first);
  const tri = 4 * mesh.polyDetailTriStart[poly];
  for (let i = tri; i < tri + 4 * mesh.polyDetailTriCount[poly]; i++) {
    expect(i % 4 === 3 || detailTris[i] < corners + mesh.polyDetailVertexCount[poly], 'detailTris', i);
  }
}

const box = new Float64Array(6);

/**
 * Checks that the nodes form one tree with a leaf per polygon, computes its boxes, and finds the roots of
 * islands.
 */
function deriveTree(mesh: NavMesh, slot: number, isLeaf: Uint8Array, expect: Expect): void {
  const { bvBounds, bvItem, tileBounds, polyTile, polyIsland, islandParent } = mesh;
  const first = mesh.tileNodeStart[slot];
  const end = first + mesh.tileNodeCount[slot];
  const after = (node: number): number => node + (bvItem[node] < 0 ? -bvItem[node] : 1);
  // Backwards, so that subtrees come before their parents.
  for (let node = end - 1; node >= first; node--) {
    const item = bvItem[node];
    const at = 6 * node;
    if (item < 0) {
      const right = after(node + 1);
      expect(right < end && after(right) === after(node), 'bvItem', node);
      for (let k = 0; k < 3; k++) {
        const other = 6 * right + k;
        bvBounds[at + k] = Math.min(bvBounds[at + 6 + k], bvBounds[other]);
        bvBounds[at + 3 + k] = Math.max(bvBounds[at + 9 + k], bvBounds[other + 3]);
      }
    } else {
      expect(polyTile[item] === slot && isLeaf[item]++ === 0, 'bvItem', node);
      polyBounds(box, 0, mesh, item);
      for (let k = 0; k < 3; k++) {
        const min = tileBounds[6 * slot + k];
        bvBounds[at + k] = floatBelow(box[k] - min);
        bvBounds[at + 3 + k] = floatAbove(box[k + 3] - min);
      }
    }
  }
  expect(first === end || after(first) === end, 'bvItem', first);
  // An island is a subtree whose polygons all carry its name.
  let island = 0;
  let islandEnd = first;
  for (let node = first; node < end; node++) {
    if (bvItem[node] < 0) continue;
    const root = first + polyIsland[bvItem[node]];
    if (node >= islandEnd) {
      expect(root >= islandEnd && root <= node && after(root) > node, 'polyIsland', bvItem[node]);
      island = islandParent[root] = root;
      islandEnd = after(root);
    }
    expect(root === island, 'polyIsland', bvItem[node]);
  }
}

function derivePortals(mesh: NavMesh, expect: Expect): void {
  const { portalEdge, portalBack, portalNext, portalPoly, polyPortal, portalCount } = mesh;
  let portal = 0;
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    const end = mesh.polyEdgeStart[poly] + mesh.polyVertexCount[poly];
    for (let last = -1; portal < portalCount && portalEdge[portal] < end; last = portal++) {
      if (last < 0) polyPortal[poly] = portal;
      else portalNext[last] = portal;
      expect(portalBack[portalBack[portal]] === portal, 'portalBack', portal);
      portalPoly[portalBack[portal]] = poly;
    }
  }
  expect(portal === portalCount, 'portalEdge');
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    for (portal = polyPortal[poly]; portal >= 0; portal = portalNext[portal]) {
      expect(portalFault(mesh, poly, portal) === 0, 'portalSpan', portal);
    }
  }
}

function deriveLinkEnds(mesh: NavMesh, expect: Expect): void {
  const { linkState, linkPoly, linkNext, polyLink } = mesh;
  linkState.forEach((state, link) => {
    if (state === 0) return;
    if (isWideAt(mesh.linkPoints, 12 * link) || isWideLink(mesh, 2 * link)) placesOfWide('loadNavMesh');
    expect(isSoundLink(mesh, link), 'linkState', link);
  });
  linkPoly.forEach((poly, linkEnd) => {
    expect(poly === -1 || (poly < polyLink.length && poly >= 0 && linkState[linkOf(linkEnd)] > 0), 'linkPoly', linkEnd);
    if (poly < 0) return;
    // The lists of a loaded mesh begin with the highest link end.
    linkNext[linkEnd] = polyLink[poly];
    polyLink[poly] = linkEnd;
  });
}
