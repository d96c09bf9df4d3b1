import { describe, expect, it } from 'vitest';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { addBuiltTile } from '../../../src/mesh/change/tiles.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import {
  bumpTile,
  gridTile,
  lShapeMesh,
  meshOf,
  movedTile,
  rampMesh,
  ringMesh,
  storeysMesh,
  stripMesh,
  tileOf,
  wornMesh,
} from '../meshes.ts';

describe('validateNavMesh', () => {
  it('finds nothing in valid meshes', () => {
    const far = meshOf(
      movedTile(
        gridTile(5, 5, undefined, (x, z) => x * z * 0.1),
        1000,
        -1000,
        100.3,
      ),
    );
    const meshes = [
      lShapeMesh(),
      ringMesh(),
      storeysMesh(),
      rampMesh(),
      stripMesh(50),
      wornMesh(),
      far,
      meshOf(),
      meshOf(tileOf([], [])),
      meshOf(bumpTile()),
    ];
    for (const mesh of meshes) expect(validateNavMesh(mesh)).toEqual([]);
  });

  // Each line: the change, the code that the validator must report, and the field that it must name.
  const cases: [string, (mesh: NavMesh) => void, string, string][] = [
    ['version', (m) => Object.assign(m, { version: 2 }), 'version', 'version'],
    ['radius', (m) => (m.agent.radius = NaN), 'scalar', 'agent.radius'],
    ['map', (m) => (m.mapYSign = 0.5), 'scalar', 'mapYSign'],
    ['tile size', (m) => (m.tileSize = -1), 'scalar', 'tileSize'],
    ['origin', (m) => (m.origin[1] = Infinity), 'scalar', 'origin'],
    ['a short array', (m) => (m.polyFlags = m.polyFlags.slice(0, 3)), 'size', 'polyFlags'],
    ['a count', (m) => (m.edgeCount = -1), 'size', 'edgeCount'],
    ['a count that is too large', (m) => (m.nodeCount = 1e6), 'size', 'bvBounds'],
    ['state', (m) => (m.tileState[0] = 2), 'tile-state', 'tileState[0]'],
    ['generation', (m) => (m.tileGeneration[2] = 0), 'tile-generation', 'tileGeneration[2]'],
    ['a range beyond its pool', (m) => (m.tileVertexCount[2] = 99999), 'tile-range', 'tileVertexStart[2]'],
    ['a negative range', (m) => (m.tilePolyStart[2] = -3), 'tile-range', 'tilePolyStart[2]'],
    ['ranges that overlap', (m) => m.tileEdgeStart[3]--, 'tile-overlap', 'tileEdgeStart[3]'],
    ['two tiles at one position', (m) => setTilePosition(m, 2, 3), 'tile-place', 'tileX[3]'],
    ['a tile far from its square', (m) => (m.tileX[3] = 77), 'tile-place', 'tileX[3]'],
    ['bounds', (m) => (m.tileBounds[6 * 2 + 1] = NaN), 'tile-bounds', 'tileBounds[13]'],
    ['a vertex outside the bounds', (m) => (m.vertices[3 * m.tileVertexStart[2] + 1] = 50), 'tile-bounds', 'vertices['],
    ['a broken free chain', (m) => (m.tileFreeSlot = -1), 'free-slots', 'tileFreeSlot'],
    ['a used slot in the free chain', (m) => (m.tileFreeSlot = 2), 'free-slots', 'tileFreeSlot'],
    ['a cycle in the free chain', (m) => (m.tileX[m.tileFreeSlot] = m.tileFreeSlot), 'free-slots', 'tileX['],
    ['poly tile', (m) => (m.polyTile[m.tilePolyStart[3] + 1] = 2), 'poly-tile', 'polyTile['],
    ['a polygon without corners', (m) => (m.polyVertexCount[m.tilePolyStart[3]] = 2), 'poly-range', 'polyVertexCount['],
    ['an edge start', (m) => m.polyEdgeStart[m.tilePolyStart[3] + 1]++, 'poly-range', 'polyEdgeStart['],
    ['a detail start', (m) => m.polyDetailTriStart[m.tilePolyStart[3] + 1]++, 'poly-range', 'polyDetailTriStart['],
    ['detail count', (m) => m.polyDetailVertexCount[m.tilePolyStart[5]]++, 'poly-range', 'polyDetailVertexCount['],
    ['area 0', (m) => (m.polyArea[m.tilePolyStart[3]] = 0), 'poly-area', 'polyArea['],
    ['area 64', (m) => (m.polyArea[m.tilePolyStart[3]] = 64), 'poly-area', 'polyArea['],
    ['an edge in another tile', (m) => (m.edgeVertex[m.tileEdgeStart[3]] = 0), 'edge-vertex', 'edgeVertex['],
    ['a distant neighbor', (m) => (m.edgeNeighbor[m.tileEdgeStart[3]] = 9999), 'edge-neighbor', 'edgeNeighbor['],
    ['an unknown border side', (m) => (m.edgeNeighbor[m.tileEdgeStart[3]] = -6), 'edge-neighbor', 'edgeNeighbor['],
    ['a one-sided neighbor', (m) => closeOneSide(m, 3), 'not-reciprocal', 'edgeNeighbor['],
    [
      'a clockwise polygon',
      (m) => m.edgeVertex.subarray(m.tileEdgeStart[3]).subarray(0, 4).reverse(),
      'not-convex',
      'edgeVertex[',
    ],
    ['NaN', (m) => (m.vertices[3 * m.tileVertexStart[3]] = NaN), 'not-finite', 'vertices['],
    [
      'NaN in the detail',
      (m) => (m.detailVertices[3 * m.tileDetailVertexStart[5]] = NaN),
      'not-finite',
      'detailVertices[',
    ],
    ['a detail vertex', (m) => (m.detailTris[4 * m.tileDetailTriStart[5]] = 9), 'detail-vertex', 'detailTris['],
    ['node count', (m) => m.tileNodeCount[3]--, 'tree-shape', 'tileNodeCount[3]'],
    ['a skip too far', (m) => (m.bvItem[m.tileNodeStart[3]] = -999), 'tree-shape', 'bvItem['],
    ['a skip too short', (m) => (m.bvItem[m.tileNodeStart[3]] = -3), 'tree-shape', 'bvItem['],
    ['a polygon twice', (m) => copyLeaf(m, 3), 'tree-item', 'bvItem['],
    ['a box too small', (m) => (m.bvBounds[6 * m.tileNodeStart[3] + 3] = 0), 'tree-bounds', 'bvBounds['],
    ['NaN in a box', (m) => (m.bvBounds[6 * m.tileNodeStart[3]] = NaN), 'tree-bounds', 'bvBounds['],
    ['the look-up table', (m) => m.tileHash.fill(-1), 'tile-hash', 'tileNext['],
    ['an island', (m) => (m.polyIsland[m.tilePolyStart[3] + 1] = 7), 'island', 'polyIsland['],
    ['a cycle in the hash table', (m) => m.tileNext.set([2], 2), 'tile-hash', 'tileNext['],
  ];
  for (const [name, spoil, code, where] of cases) {
    it(`names ${name}`, () => {
      const mesh = wornMesh();
      spoil(mesh);
      const found = validateNavMesh(mesh);
      const match = found.find((one) => one.code === code && one.where.startsWith(where));
      expect(match, JSON.stringify(found.slice(0, 4))).toBeDefined();
      expect(match?.message).toContain(where);
    });
  }

  it('rejects stars, which turn left at each corner', () => {
    const corners = [
      [4, 0],
      [1, -3.8],
      [-3.2, -2.4],
      [-3.2, 2.4],
      [1, 3.8],
    ].map(([x, z]) => [x, 0, z]);
    const codesOf = (order: number[]): string[] => {
      const mesh = meshOf();
      addBuiltTile(mesh, tileOf(corners, [{ corners: order }]));
      return validateNavMesh(mesh).map(({ code }) => code);
    };
    expect(codesOf([0, 2, 4, 1, 3])).toEqual(['not-convex']);
    expect(codesOf([4, 3, 2, 1, 0])).toEqual(['not-convex']);
    expect(codesOf([0, 1, 2, 3, 4])).toEqual([]);
  });
});

function setTilePosition(mesh: NavMesh, from: number, to: number): void {
  mesh.tileX[to] = mesh.tileX[from];
  mesh.tileZ[to] = mesh.tileZ[from];
}

/** Turns the first connected edge of a tile into a wall on one side only. */
function closeOneSide(mesh: NavMesh, slot: number): void {
  const first = mesh.tileEdgeStart[slot];
  const end = first + mesh.tileEdgeCount[slot];
  for (let e = first; e < end; e++) {
    if (mesh.edgeNeighbor[e] < 0) continue;
    mesh.edgeNeighbor[e] = -1;
    return;
  }
}

function copyLeaf(mesh: NavMesh, slot: number): void {
  const first = mesh.tileNodeStart[slot];
  const leaves = [];
  for (let n = first; n < first + mesh.tileNodeCount[slot]; n++) if (mesh.bvItem[n] >= 0) leaves.push(n);
  mesh.bvItem[leaves[1]] = mesh.bvItem[leaves[0]];
}
