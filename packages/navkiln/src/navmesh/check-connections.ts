/**
 * What connects tiles, checked: portals, hooks of links, islands. All of it is derived, so `loadNavMesh` makes it anew and
 * need not know this file; `validateNavMesh` does, once the tiles themselves are sound.
 *
 * That no opening is missing is not checked. Cost: linear in polygons, portals and links.
 */
import type { Report } from './check.ts';
import { setCrossingEnds, portalCrossing } from './crossing.ts';
import { islandNode } from './islands.ts';
import { borderBetween, comparePortals } from './portals.ts';
import { LINK_ENABLED } from './types.ts';
import type { NavMesh } from './types.ts';

export function checkConnections(mesh: NavMesh, report: Report): void {
  let isSound = true;
  const note: Report = (code, field, index) => {
    isSound = false;
    report(code, field, index);
  };
  checkPortals(mesh, note);
  checkHooks(mesh, note);
  if (isSound) checkIslandParents(mesh, report);
}

/** Calls back for each polygon of each tile. */
function forEachPoly(mesh: NavMesh, visit: (poly: number, slot: number) => void): void {
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) visit(poly, slot);
  }
}

/** 1: a polygon of a tile, not a hole. */
function markPolys(mesh: NavMesh): Uint8Array {
  const isPoly = new Uint8Array(mesh.polyCount);
  forEachPoly(mesh, (poly) => {
    isPoly[poly] = 1;
  });
  return isPoly;
}

function checkPortals(mesh: NavMesh, report: Report): void {
  const { portalNext, portalPoly, portalCount } = mesh;
  const isPoly = markPolys(mesh);
  const seen = new Uint8Array(portalCount);
  let isSound = true;
  const note: Report = (code, field, index) => {
    isSound = false;
    report(code, field, index);
  };
  forEachPoly(mesh, (poly) => {
    let last = -1;
    for (let portal = mesh.polyPortal[poly]; portal !== -1; portal = portalNext[portal]) {
      if (!(portal >= 0 && portal < portalCount) || seen[portal] === 1) {
        note('portal-list', last < 0 ? 'polyPortal' : 'portalNext', last < 0 ? poly : last);
        break;
      }
      seen[portal] = 1;
      last = portal;
      checkPortal(mesh, poly, portal, isPoly, note);
    }
  });
  // What is in no list is free.
  let free = seen.reduce((count, one) => count - one, portalCount);
  let last = -1;
  let portal = mesh.portalFree;
  for (; free > 0 && portal >= 0 && portal < portalCount && seen[portal] === 0 && portalPoly[portal] === -1; free--) {
    seen[portal] = 1;
    last = portal;
    portal = portalNext[portal];
  }
  if (free > 0 || portal !== -1) note('free-portals', last < 0 ? 'portalFree' : 'portalNext', last);
  if (!isSound) return;
  forEachPoly(mesh, (poly) => {
    for (let at = mesh.polyPortal[poly]; at >= 0; at = portalNext[at]) {
      const next = portalNext[at];
      if (next >= 0 && !(comparePortals(mesh, at, next) < 0)) report('portal-order', 'portalNext', at);
      checkEnds(mesh, poly, at, report);
    }
  });
}

/** One portal of a polygon: its numbers name what they should. */
function checkPortal(mesh: NavMesh, poly: number, portal: number, isPoly: Uint8Array, report: Report): void {
  const { portalPoly, portalBack, portalSpan, portalEdge, edgeNeighbor, polyTile, tileX, tileZ } = mesh;
  const edge = portalEdge[portal];
  const first = mesh.polyEdgeStart[poly];
  const isEdge = edge >= first && edge < first + mesh.polyVertexCount[poly] && edgeNeighbor[edge] <= -2;
  if (!isEdge) report('portal-edge', 'portalEdge', portal);
  const low = portalSpan[2 * portal];
  const high = portalSpan[2 * portal + 1];
  if (!(low >= 0 && low < high && high <= 1)) report('portal-span', 'portalSpan', 2 * portal);
  const back = portalBack[portal];
  const isBack = back >= 0 && back < mesh.portalCount && portalBack[back] === portal && portalPoly[back] === poly;
  if (!isBack) report('portal-back', 'portalBack', portal);
  const other = portalPoly[portal];
  if (isPoly[other] !== 1) {
    report('portal-poly', 'portalPoly', portal);
    return;
  }
  if (!isEdge) return;
  const side = -2 - edgeNeighbor[edge];
  const dx = tileX[polyTile[other]] - tileX[polyTile[poly]];
  const dz = tileZ[polyTile[other]] - tileZ[polyTile[poly]];
  if (
    dx !== (side === 0 ? -1 : side === 2 ? 1 : 0) || dz !== (side === 1 ? 1 : side === 3 ? -1 : 0) ||
    (isBack && edgeNeighbor[portalEdge[back]] !== -2 - (side ^ 2))
  ) {
    report('portal-poly', 'portalPoly', portal);
  }
}

const here = new Float64Array(6);
const there = new Float64Array(6);

/** The opening is in one place, seen from either side. */
function checkEnds(mesh: NavMesh, poly: number, portal: number, report: Report): void {
  const other = mesh.portalPoly[portal];
  const side = -2 - mesh.edgeNeighbor[mesh.portalEdge[portal]];
  const { along, rounding, slack } = borderBetween(mesh, mesh.polyTile[poly], mesh.polyTile[other], side);
  setCrossingEnds(here, mesh, poly, portalCrossing(portal));
  setCrossingEnds(there, mesh, other, portalCrossing(mesh.portalBack[portal]));
  // Edges face each other, so the right end here is the left one there; but slivers may be turned around.
  const isTurned = (here[along] - here[3 + along]) * (there[along] - there[3 + along]) < 0;
  for (let end = 0; end < 2; end++) {
    const a = 3 * end;
    const b = isTurned ? 3 - a : a;
    if (
      !(Math.abs(here[a + along] - there[b + along]) <= 2 * rounding) ||
      !(Math.abs(here[a + 2 - along] - there[b + 2 - along]) <= slack + rounding)
    ) {
      report('portal-place', 'portalSpan', 2 * portal + end);
    }
  }
}

/** Each attached hook is in the list of its polygon, once, and nothing else is. */
function checkHooks(mesh: NavMesh, report: Report): void {
  const { linkPoly, linkNext, linkState, linkAnchors } = mesh;
  const count = 2 * mesh.linkCount;
  const isPoly = markPolys(mesh);
  const seen = new Uint8Array(count);
  forEachPoly(mesh, (poly) => {
    let last = -1;
    for (let hook = mesh.polyLink[poly]; hook !== -1; hook = linkNext[hook]) {
      if (!(hook >= 0 && hook < count) || seen[hook] === 1 || linkPoly[hook] !== poly || linkState[hook >> 1] === 0) {
        report('link-list', last < 0 ? 'polyLink' : 'linkNext', last < 0 ? poly : last);
        break;
      }
      seen[hook] = 1;
      last = hook;
    }
  });
  for (let hook = 0; hook < count; hook++) {
    if (linkState[hook >> 1] === 0 || linkPoly[hook] === -1) continue;
    if (seen[hook] === 0 || isPoly[linkPoly[hook]] !== 1) report('link-poly', 'linkPoly', hook);
    for (let k = 6 * hook; k < 6 * hook + 6; k++) {
      if (!Number.isFinite(linkAnchors[k])) report('not-finite', 'linkAnchors', k);
    }
  }
}

/** The islands of tiles that portals and links connect are those that `islandParent` unites, if it is said to be up to date. */
function checkIslandParents(mesh: NavMesh, report: Report): void {
  const { islandParent, islandsStale, portalPoly, portalBack, portalNext, linkPoly, nodeCount } = mesh;
  if (islandsStale !== 0 && islandsStale !== 1) {
    report('islands-stale', 'islandsStale', -1);
    return;
  }
  // Islands of tiles next to each other.
  const beside = new Map<number, Set<number>>();
  const connect = (a: number, b: number): void => {
    beside.get(islandNode(mesh, a))?.add(islandNode(mesh, b));
    beside.get(islandNode(mesh, b))?.add(islandNode(mesh, a));
  };
  forEachPoly(mesh, (poly) => {
    if (!beside.has(islandNode(mesh, poly))) beside.set(islandNode(mesh, poly), new Set());
  });
  forEachPoly(mesh, (poly) => {
    for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = portalNext[portal]) {
      if (portal < portalBack[portal]) connect(poly, portalPoly[portal]);
    }
  });
  for (let hook = 0; hook < 2 * mesh.linkCount; hook += 2) {
    const isOpen = (mesh.linkState[hook >> 1] & LINK_ENABLED) !== 0 && linkPoly[hook] >= 0 && linkPoly[hook + 1] >= 0;
    if (isOpen) connect(linkPoly[hook], linkPoly[hook + 1]);
  }
  let isSound = true;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    const first = mesh.tileNodeStart[slot];
    for (let node = first; node < first + mesh.tileNodeCount[slot]; node++) {
      const parent = islandParent[node];
      const isKnown = islandsStale === 1 || (parent <= node && beside.has(parent));
      if (beside.has(node) ? parent >= 0 && isKnown : parent === -1) continue;
      isSound = false;
      report('island-parent', 'islandParent', node);
    }
  }
  if (!isSound || islandsStale === 1) return;
  // Parents come first: they end at a root, and each flood meets one that no other has met.
  const rootOf = (node: number): number => {
    while (islandParent[node] !== node) node = islandParent[node];
    return node;
  };
  const met = new Uint8Array(nodeCount);
  const rootsMet = new Set<number>();
  for (const seed of beside.keys()) {
    if (met[seed] === 1) continue;
    const root = rootOf(seed);
    if (rootsMet.has(root)) report('islands-stale', 'islandParent', seed);
    rootsMet.add(root);
    met[seed] = 1;
    const queue = [seed];
    for (const node of queue) {
      if (rootOf(node) !== root) report('islands-stale', 'islandParent', node);
      for (const next of beside.get(node) ?? []) {
        if (met[next] === 1) continue;
        met[next] = 1;
        queue.push(next);
      }
    }
  }
}
