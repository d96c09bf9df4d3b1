/**
 * What connects tiles, checked: portals, link ends of links, islands. Part of `validateNavMesh`, once the tiles
 * themselves are sound.
 *
 * That no opening is missing is not checked. Cost: linear in polygons, portals and links.
 */
import type { Report, ViolationCode } from './report.ts';
import { portalFault } from './portal.ts';
import { islandNode } from '../islands.ts';
import { LINK_ENABLED } from '../types.ts';
import type { NavMesh } from '../types.ts';

export function checkConnections(mesh: NavMesh, report: Report): void {
  let isSound = true;
  const note: Report = (code, field, index) => {
    isSound = false;
    report(code, field, index);
  };
  checkPortals(mesh, note);
  checkLinkEnds(mesh, note);
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

/** What the numbers of portalFault mean. */
const FAULTS: [ViolationCode, string][] = [
  ['portal-list', ''],
  ['portal-edge', 'portalEdge'],
  ['portal-span', 'portalSpan'],
  ['portal-back', 'portalBack'],
  ['portal-poly', 'portalPoly'],
  ['portal-order', 'portalNext'],
  ['portal-place', 'portalSpan'],
];

function checkPortals(mesh: NavMesh, report: Report): void {
  const { portalNext, portalPoly, portalCount } = mesh;
  const isPoly = markPolys(mesh);
  const seen = new Uint8Array(portalCount);
  forEachPoly(mesh, (poly) => {
    let last = -1;
    for (let portal = mesh.polyPortal[poly]; portal !== -1; portal = portalNext[portal]) {
      if (!(portal >= 0 && portal < portalCount) || seen[portal] === 1) {
        report('portal-list', last < 0 ? 'polyPortal' : 'portalNext', last < 0 ? poly : last);
        break;
      }
      seen[portal] = 1;
      last = portal;
      const fault = isPoly[portalPoly[portal]] === 1 ? portalFault(mesh, poly, portal) : 4;
      if (fault > 0) report(...FAULTS[fault], fault === 2 || fault === 6 ? 2 * portal : portal);
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
  if (free > 0 || portal !== -1) report('free-portals', last < 0 ? 'portalFree' : 'portalNext', last);
}

/** Each attached link end is in the list of its polygon, once, and nothing else is. */
function checkLinkEnds(mesh: NavMesh, report: Report): void {
  const { linkPoly, linkNext, linkState, linkAnchors } = mesh;
  const count = 2 * mesh.linkCount;
  const isPoly = markPolys(mesh);
  const seen = new Uint8Array(count);
  forEachPoly(mesh, (poly) => {
    let last = -1;
    for (let linkEnd = mesh.polyLink[poly]; linkEnd !== -1; linkEnd = linkNext[linkEnd]) {
      if (
        !(linkEnd >= 0 && linkEnd < count) ||
        seen[linkEnd] === 1 ||
        linkPoly[linkEnd] !== poly ||
        linkState[linkEnd >> 1] === 0
      ) {
        report('link-list', last < 0 ? 'polyLink' : 'linkNext', last < 0 ? poly : last);
        break;
      }
      seen[linkEnd] = 1;
      last = linkEnd;
    }
  });
  for (let linkEnd = 0; linkEnd < count; linkEnd++) {
    if (linkState[linkEnd >> 1] === 0 || linkPoly[linkEnd] === -1) continue;
    if (seen[linkEnd] === 0 || isPoly[linkPoly[linkEnd]] !== 1) report('link-poly', 'linkPoly', linkEnd);
    for (let k = 6 * linkEnd; k < 6 * linkEnd + 6; k++) {
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
  for (let linkEnd = 0; linkEnd < 2 * mesh.linkCount; linkEnd += 2) {
    const isOpen =
      (mesh.linkState[linkEnd >> 1] & LINK_ENABLED) !== 0 && linkPoly[linkEnd] >= 0 && linkPoly[linkEnd + 1] >= 0;
    if (isOpen) connect(linkPoly[linkEnd], linkPoly[linkEnd + 1]);
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
