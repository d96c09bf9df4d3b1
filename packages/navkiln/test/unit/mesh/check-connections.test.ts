/** Corrupts each field that connects tiles. The validator must name it. */
import { describe, expect, it } from 'vitest';
import { refreshIslands } from '../../../src/mesh/islands.ts';
import { addLink } from '../../../src/mesh/change/links.ts';
import { findTile } from '../../../src/mesh/tiles/tile-grid.ts';
import { addTile, removeTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { TILE, portalsOf, squaresTile, tiledMesh } from './tiled-meshes.ts';

/**
 * Returns four tiles of 2 x 2 or 3 x 3 squares and a distant one, with two links, free portals and current
 * islands.
 */
function joinedMesh(): NavMesh {
  const mesh = tiledMesh();
  const flat = (x: number, z: number, n: number): number =>
    addTile(
      mesh,
      squaresTile(
        x,
        z,
        0,
        n,
        () => true,
        () => 0,
      ),
    );
  flat(0, 0, 2);
  flat(1, 0, 3);
  flat(0, 1, 3);
  flat(1, 1, 2);
  flat(2, 0, 2);
  removeTile(mesh, findTile(mesh, 2, 0));
  flat(5, 5, 1);
  addLink(mesh, { start: [1, 0, 1], end: [TILE * 5 + 1, 0, TILE * 5 + 1] });
  addLink(mesh, { start: [2, 0, 1], end: [TILE + 1, 0, 1], enabled: false });
  refreshIslands(mesh);
  return mesh;
}

/** Returns a polygon of tile (0, 0) with two portals, and its first portal. */
function first(mesh: NavMesh): { poly: number; portal: number } {
  for (let poly = 0; ; poly++) {
    const portals = portalsOf(mesh, poly);
    if (portals.length > 1) return { poly, portal: portals[0] };
  }
}

const cases: [string, (mesh: NavMesh) => void, string, string][] = [
  ['a list that starts out of range', (m) => (m.polyPortal[first(m).poly] = 999), 'portal-list', 'polyPortal['],
  ['a list that continues out of range', (m) => (m.portalNext[first(m).portal] = -7), 'portal-list', 'portalNext['],
  ['a list with a cycle', (m) => (m.portalNext[first(m).portal] = first(m).portal), 'portal-list', 'portalNext['],
  ['a list that is cut off', (m) => (m.polyPortal[first(m).poly] = -1), 'free-portals', 'portal'],
  [
    'an edge of another polygon',
    (m) => (m.portalEdge[first(m).portal] = m.edgeCount - 1),
    'portal-edge',
    'portalEdge[',
  ],
  ['an edge inside the tile', (m) => (m.portalEdge[first(m).portal] = innerEdge(m)), 'portal-edge', 'portalEdge['],
  ['a span below 0', (m) => (m.portalSpan[2 * first(m).portal] = -0.1), 'portal-span', 'portalSpan['],
  ['a span above 1', (m) => (m.portalSpan[2 * first(m).portal + 1] = 1.1), 'portal-span', 'portalSpan['],
  [
    'an empty span',
    (m) => m.portalSpan.fill(0.5, 2 * first(m).portal, 2 * first(m).portal + 2),
    'portal-span',
    'portalSpan[',
  ],
  ['NaN in a span', (m) => (m.portalSpan[2 * first(m).portal] = NaN), 'portal-span', 'portalSpan['],
  ['a shifted span', (m) => (m.portalSpan[2 * first(m).portal] += 0.01), 'portal-place', 'portalSpan['],
  ['a back reference out of range', (m) => (m.portalBack[first(m).portal] = 77), 'portal-back', 'portalBack['],
  [
    'a back reference to another portal',
    (m) => (m.portalBack[first(m).portal] = m.portalNext[first(m).portal]),
    'portal-back',
    'portalBack[',
  ],
  ['no polygon', (m) => (m.portalPoly[first(m).portal] = -1), 'portal-poly', 'portalPoly['],
  ['a polygon of the same tile', (m) => (m.portalPoly[first(m).portal] = first(m).poly), 'portal-poly', 'portalPoly['],
  [
    'a distant polygon',
    (m) => (m.portalPoly[first(m).portal] = m.tilePolyStart[findTile(m, 5, 5)]),
    'portal-poly',
    'portalPoly[',
  ],
  ['another order', swapPortals, 'portal-order', 'portalNext['],
  ['no free portals', (m) => (m.portalFree = -1), 'free-portals', 'portalFree'],
  ['a used portal in the free chain', (m) => (m.portalFree = first(m).portal), 'free-portals', 'portalFree'],
  ['a cycle of free portals', (m) => (m.portalNext[m.portalFree] = m.portalFree), 'free-portals', 'portalNext['],
  ['a free portal that leads somewhere', (m) => (m.portalPoly[m.portalFree] = 0), 'free-portals', 'portalFree'],
  ['a list of link ends that starts out of range', (m) => (m.polyLink[m.linkPoly[0]] = 50), 'link-list', 'polyLink['],
  ['a link end on another polygon', (m) => (m.linkPoly[2] = (m.linkPoly[2] + 1) % 4), 'link-list', 'polyLink['],
  ['a link end missing from its polygon', (m) => (m.polyLink[m.linkPoly[1]] = -1), 'link-poly', 'linkPoly[1]'],
  ['a link end listed twice', (m) => (m.linkNext[1] = 1), 'link-list', 'linkNext[1]'],
  ['an anchor', (m) => (m.linkAnchors[3] = NaN), 'not-finite', 'linkAnchors[3]'],
  ['an invalid flag', (m) => (m.islandsStale = 2), 'islands-stale', 'islandsStale'],
  ['an island without an entry', (m) => (m.islandParent[0] = -1), 'island-parent', 'islandParent[0]'],
  ['an entry that is not an island', (m) => (m.islandParent[1] = 0), 'island-parent', 'islandParent[1]'],
  ['a parent after its child', (m) => (m.islandParent[0] = m.tileNodeStart[1]), 'island-parent', 'islandParent[0]'],
  ['connected surface in separate islands', separate, 'islands-stale', 'islandParent['],
  ['a link that does not unite islands', (m) => (m.linkState[0] &= ~2), 'islands-stale', 'islandParent['],
];

describe('validateNavMesh', () => {
  it('finds nothing in meshes made by addTile and addLink', () => {
    const mesh = joinedMesh();
    expect(validateNavMesh(mesh)).toEqual([]);
    expect(mesh.portalCount).toBe(40);
    expect(mesh.linkPoly.subarray(0, 4).every((poly) => poly >= 0)).toBe(true);
  });

  it.each(cases)('names %s', (_, corrupt, code, where) => {
    const mesh = joinedMesh();
    corrupt(mesh);
    const found = validateNavMesh(mesh);
    expect(
      found.some((one) => one.code === code && one.where.startsWith(where)),
      JSON.stringify(found.slice(0, 4)),
    ).toBe(true);
  });

  it('accepts stale islands', () => {
    const mesh = joinedMesh();
    mesh.linkState[0] &= ~2;
    mesh.islandsStale = 1;
    expect(validateNavMesh(mesh)).toEqual([]);
  });
});

function innerEdge(mesh: NavMesh): number {
  const start = mesh.polyEdgeStart[first(mesh).poly];
  return start + mesh.edgeNeighbor.subarray(start, start + 4).findIndex((other) => other >= 0);
}

function separate(mesh: NavMesh): void {
  const node = mesh.tileNodeStart[1];
  mesh.islandParent[node] = node;
}

function swapPortals(mesh: NavMesh): void {
  const { poly, portal } = first(mesh);
  const second = mesh.portalNext[portal];
  mesh.portalNext[portal] = mesh.portalNext[second];
  mesh.portalNext[second] = portal;
  mesh.polyPortal[poly] = second;
}
