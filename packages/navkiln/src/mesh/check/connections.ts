/**
 * Checks what connects tiles: portals, link ends and islands. `validateNavMesh` calls it when the tiles are
 * sound.
 *
 * It does not find missing portals.
 *
 * In: a mesh whose tiles are sound.
 * Out: one report per violation.
 * Cost: linear in polygons, portals and links.
 * Based on: own.
 */
import { linkOf } from '../crossing.ts';
import type { Report, ViolationCode } from './report.ts';
import { portalFault } from './portal.ts';
import { islandNode } from '../islands.ts';
import { isClosedPoly } from '../named.ts';
import { polyIndexOf } from '../ref.ts';
import { linkIndexOf } from '../link-ref.ts';
import { LINK_ENABLED } from '../types.ts';
import type { LinkRef, NavMesh } from '../types.ts';

export function checkConnections(mesh: NavMesh, report: Report): void {
  let isSound = true;
  const note: Report = (code, field, index) => {
    isSound = false;
    report(code, field, index);
  };
  checkPortals(mesh, note);
  checkLinkEnds(mesh, note);
  checkGroups(mesh, note);
  if (isSound) checkIslandParents(mesh, report);
}

/** Calls `visit` for each polygon of each tile. */
function forEachPoly(mesh: NavMesh, visit: (poly: number, slot: number) => void): void {
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) visit(poly, slot);
  }
}

/** Returns an array with 1 for each polygon of a tile and 0 for holes of the pool. */
function markPolys(mesh: NavMesh): Uint8Array {
  const isPoly = new Uint8Array(mesh.polyCount);
  forEachPoly(mesh, (poly) => {
    isPoly[poly] = 1;
  });
  return isPoly;
}

/** Meanings of the numbers that portalFault returns. */
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
  // Portals that no polygon lists are free.
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

/** Checks that each attached link end is in the list of its polygon once, and that lists hold nothing else. */
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
        linkState[linkOf(linkEnd)] === 0
      ) {
        report('link-list', last < 0 ? 'polyLink' : 'linkNext', last < 0 ? poly : last);
        break;
      }
      seen[linkEnd] = 1;
      last = linkEnd;
    }
  });
  for (let linkEnd = 0; linkEnd < count; linkEnd++) {
    if (linkState[linkOf(linkEnd)] === 0 || linkPoly[linkEnd] === -1) continue;
    if (seen[linkEnd] === 0 || isPoly[linkPoly[linkEnd]] !== 1) report('link-poly', 'linkPoly', linkEnd);
    for (let k = 6 * linkEnd; k < 6 * linkEnd + 6; k++) {
      if (!Number.isFinite(linkAnchors[k])) report('not-finite', 'linkAnchors', k);
    }
  }
}

/** Checks that groups hold polygons and links that are there, each in one group, and that disabled ones are closed. */
function checkGroups(mesh: NavMesh, report: Report): void {
  const names = new Set<string>();
  const seen = new Set<number>();
  let polyCount = 0;
  mesh.groups.forEach((group, i) => {
    const isNew = typeof group.name === 'string' && group.name !== '' && !names.has(group.name);
    names.add(group.name);
    polyCount += group.polys.size;
    let isGood = isNew;
    for (const [ref, flags] of group.polys) {
      const poly = polyIndexOf(mesh, ref);
      const isClosed = group.isEnabled ? flags === 0 : mesh.polyFlags[poly] === 0;
      if (poly < 0 || !isClosed || mesh.polyGroup.get(ref) !== group) isGood = false;
    }
    for (const ref of group.links) {
      if (linkIndexOf(mesh, ref as LinkRef) < 0 || seen.has(ref)) isGood = false;
      seen.add(ref);
    }
    if (!isGood) report('group', 'groups', i);
  });
  if (polyCount !== mesh.polyGroup.size) report('group', 'groups', -1);
}

/**
 * Checks that `islandParent` unites exactly the islands that portals and enabled links connect, unless it is
 * stale.
 */
function checkIslandParents(mesh: NavMesh, report: Report): void {
  const { islandParent, islandsStale, portalPoly, portalBack, portalNext, linkPoly, nodeCount } = mesh;
  if (islandsStale !== 0 && islandsStale !== 1) {
    report('islands-stale', 'islandsStale', -1);
    return;
  }
  // Pairs of islands that a portal or link connects.
  const adjacent = new Map<number, Set<number>>();
  const connect = (a: number, b: number): void => {
    if (isClosedPoly(mesh, a) || isClosedPoly(mesh, b)) return;
    adjacent.get(islandNode(mesh, a))?.add(islandNode(mesh, b));
    adjacent.get(islandNode(mesh, b))?.add(islandNode(mesh, a));
  };
  forEachPoly(mesh, (poly) => {
    if (!adjacent.has(islandNode(mesh, poly))) adjacent.set(islandNode(mesh, poly), new Set());
  });
  forEachPoly(mesh, (poly) => {
    for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = portalNext[portal]) {
      if (portal < portalBack[portal]) connect(poly, portalPoly[portal]);
    }
  });
  for (let linkEnd = 0; linkEnd < 2 * mesh.linkCount; linkEnd += 2) {
    const isOpen =
      (mesh.linkState[linkOf(linkEnd)] & LINK_ENABLED) !== 0 && linkPoly[linkEnd] >= 0 && linkPoly[linkEnd + 1] >= 0;
    if (isOpen) connect(linkPoly[linkEnd], linkPoly[linkEnd + 1]);
  }
  for (const ref of mesh.polyGroup.keys()) {
    const poly = polyIndexOf(mesh, ref);
    const first = mesh.polyEdgeStart[poly];
    for (let e = first; e < first + mesh.polyVertexCount[poly]; e++) {
      if (mesh.edgeNeighbor[e] >= 0) connect(poly, mesh.edgeNeighbor[e]);
    }
  }
  let isSound = true;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    const first = mesh.tileNodeStart[slot];
    for (let node = first; node < first + mesh.tileNodeCount[slot]; node++) {
      const parent = islandParent[node];
      const isKnown = islandsStale === 1 || (parent <= node && adjacent.has(parent));
      if (adjacent.has(node) ? parent >= 0 && isKnown : parent === -1) continue;
      isSound = false;
      report('island-parent', 'islandParent', node);
    }
  }
  if (!isSound || islandsStale === 1) return;
  // Parents come before their children, so each chain ends at a root.
  const rootOf = (node: number): number => {
    while (islandParent[node] !== node) node = islandParent[node];
    return node;
  };
  const met = new Uint8Array(nodeCount);
  const rootsMet = new Set<number>();
  for (const seed of adjacent.keys()) {
    if (met[seed] === 1) continue;
    const root = rootOf(seed);
    if (rootsMet.has(root)) report('islands-stale', 'islandParent', seed);
    rootsMet.add(root);
    met[seed] = 1;
    const queue = [seed];
    for (const node of queue) {
      if (rootOf(node) !== root) report('islands-stale', 'islandParent', node);
      for (const next of adjacent.get(node) ?? []) {
        if (met[next] === 1) continue;
        met[next] = 1;
        queue.push(next);
      }
    }
  }
}
