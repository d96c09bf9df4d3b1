import { describe, expect, it } from 'vitest';
import { compactMesh } from '../../../src/mesh/tiles/compact.ts';
import { createNavMesh } from '../../../src/mesh/create.ts';
import { areOnOneIsland, refreshIslands } from '../../../src/mesh/islands.ts';
import { addLink } from '../../../src/mesh/change/links.ts';
import { loadNavMesh } from '../../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../../src/mesh/file/save.ts';
import { addTile, removeTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh, TileData } from '../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { AGENT, tileOf } from '../meshes.ts';
import { polyName, portalText, portalsOf, squaresTile, tiledMesh } from './tiled-meshes.ts';

const SIZE = 10;

/**
 * Returns a square tile at x = 0 or 1 whose border with the other is one edge from z = `low` to `high`, at
 * heights `y` to `y2`.
 */
function half(
  x: number,
  low: number,
  high: number,
  y = 0,
  y2 = y,
  options: { shift?: number; offset?: number; layer?: number } = {},
): TileData {
  const { shift = 0, offset = 0, layer = 0 } = options;
  const border = offset + SIZE + shift;
  const back = offset + (x === 0 ? 1 : 2 * SIZE - 1);
  const [z0, z1] = [offset + low, offset + high];
  const vertices =
    x === 0
      ? [
          [back, y, z0],
          [back, y2, z1],
          [border, y2, z1],
          [border, y, z0],
        ]
      : [
          [border, y, z0],
          [border, y2, z1],
          [back, y2, z1],
          [back, y, z0],
        ];
  const tile = tileOf(vertices, [{ corners: [0, 1, 2, 3] }], { x, z: 0, layer });
  tile.edgeNeighbor[x === 0 ? 2 : 0] = x === 0 ? -4 : -2;
  return tile;
}

function pair(
  a: TileData,
  b: TileData,
  options: { cellSize?: number; offset?: number; maxClimb?: number } = {},
): NavMesh {
  const { cellSize = 0.2, offset = 0, maxClimb = AGENT.maxClimb } = options;
  const mesh = createNavMesh({
    agent: { ...AGENT, maxClimb },
    cellSize,
    cellHeight: 0.1,
    tileSize: SIZE,
    origin: [offset, 0, offset],
  });
  addTile(mesh, a);
  addTile(mesh, b);
  expect(validateNavMesh(mesh)).toEqual([]);
  return mesh;
}

function spans(mesh: NavMesh): number[][] {
  return [0, 1].map((poly) => portalsOf(mesh, poly).flatMap((l) => [...mesh.portalSpan.subarray(2 * l, 2 * l + 2)]));
}

describe('portals', () => {
  it('open the overlap of two edges, as exact fractions of each', () => {
    // Edges left of the border run towards -z, edges right of it towards +z.
    expect(spans(pair(half(0, 0, 8), half(1, 2, 10)))).toEqual([
      [0, 0.75],
      [0, 0.75],
    ]);
    expect(spans(pair(half(0, 0, 10), half(1, 2, 4)))).toEqual([
      [0.6, 0.8],
      [0, 1],
    ]);
    expect(spans(pair(half(0, 0, 5), half(1, 5, 10)))).toEqual([[], []]);
    expect(spans(pair(half(0, 0, 5), half(1, 4.999, 10)))[0][0]).toBe(0);
  });

  it.each([0, 0.2])('close gaps that rounding may have caused, cells of %d', (cellSize) => {
    const rounded = Math.fround(7.3);
    expect(spans(pair(half(0, 0, 7.3), half(1, 0, rounded), { cellSize }))).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(spans(pair(half(0, 0, 7.3), half(1, 0, 7.3, 0, 0, { shift: 1e-6 }), { cellSize }))).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(spans(pair(half(0, 0, 7.3), half(1, 7.3 - 1e-7, 10), { cellSize }))).toEqual([[], []]);
    // A gap across the border.
    const shifted = half(1, 0, 10, 0, 0, { shift: 0.1 });
    expect(spans(pair(half(0, 0, 10), shifted, { cellSize: cellSize * 0.5 + 0.1 }))).toEqual([[], []]);
  });

  it('need heights within twice the climb somewhere in the overlap, or lines that cross', () => {
    const isOpen = (b: TileData, maxClimb = 0.4): boolean => spans(pair(half(0, 0, 10), b, { maxClimb }))[0].length > 0;
    expect(isOpen(half(1, 0, 10, 0.8))).toBe(true);
    expect(isOpen(half(1, 0, 10, 0.9))).toBe(false);
    expect(isOpen(half(1, 0, 10, -0.8))).toBe(true);
    expect(isOpen(half(1, 0, 10, 0.5, 5))).toBe(true);
    expect(isOpen(half(1, 0, 10, 5, 0.5))).toBe(true);
    expect(isOpen(half(1, 0, 10, 5, -5))).toBe(true);
    expect(isOpen(half(1, 0, 10, 5, 1))).toBe(false);
    // Heights count in the overlap only.
    expect(isOpen(half(1, 4, 10, 1, 4))).toBe(false);
    expect(isOpen(half(1, 0, 10, 0), 0)).toBe(true);
    expect(isOpen(half(1, 0, 10, 0.1), 0)).toBe(false);
  });

  it('are the same 100 km away', () => {
    const offset = 100_000;
    const far = pair(half(0, 0, 10, 0, 0, { offset }), half(1, 2.5, 5, 0.8, 0.8, { offset }), { offset });
    expect(spans(far)).toEqual([
      [0.5, 0.75],
      [0, 1],
    ]);
  });

  it('open to every layer within reach, without a limit', () => {
    const mesh = pair(half(0, 0, 10), half(1, 0, 1));
    for (let layer = 1; layer < 10; layer++) addTile(mesh, half(1, layer, layer + 1, 0, 0, { layer }));
    addTile(mesh, half(1, 0, 10, 0.5, 0.5, { layer: 10 }));
    addTile(mesh, half(1, 0, 10, 3, 3, { layer: 11 }));
    expect(validateNavMesh(mesh)).toEqual([]);
    expect(portalsOf(mesh, 0).length).toBe(11);
    for (let slot = 1; slot <= 11; slot++) removeTile(mesh, slot);
    expect(portalsOf(mesh, 0)).toEqual([]);
    // Freed portals are used again.
    const { portalCount } = mesh;
    for (let layer = 0; layer < 10; layer++) addTile(mesh, half(1, layer, layer + 1, 0, 0, { layer }));
    expect(mesh.portalCount).toBe(portalCount);
    expect(validateNavMesh(mesh)).toEqual([]);
  });

  it('unite islands, and mark them stale when they close', () => {
    const mesh = pair(half(0, 0, 10), half(1, 0, 4));
    addTile(mesh, half(1, 6, 10, 9, 9, { layer: 1 }));
    expect([areOnOneIsland(mesh, 0, 1), areOnOneIsland(mesh, 0, 2), areOnOneIsland(mesh, 2, 2)]).toEqual([1, 0, 1]);
    // Nothing depends on this one.
    removeTile(mesh, 2);
    expect(areOnOneIsland(mesh, 0, 1)).toBe(1);
    addTile(mesh, half(1, 6, 10, 9, 9, { layer: 1 }));
    removeTile(mesh, 1);
    expect(areOnOneIsland(mesh, 0, 2)).toBe(-1);
    expect(areOnOneIsland(mesh, 2, 2)).toBe(1);
    refreshIslands(mesh);
    expect(areOnOneIsland(mesh, 0, 2)).toBe(0);
    expect(validateNavMesh(mesh)).toEqual([]);
  });

  it('follow their polygons when pools are compacted', () => {
    const mesh = tiledMesh();
    const put = (x: number, n: number): number =>
      addTile(
        mesh,
        squaresTile(
          x,
          0,
          0,
          n,
          () => true,
          () => 0,
        ),
      );
    for (let x = 0; x < 5; x++) put(x, 2 + (x % 2));
    addLink(mesh, { start: [13, 0, 1], end: [50, 0, 2] });
    removeTile(mesh, 0);
    removeTile(mesh, 2);
    put(2, 3);
    for (const isStale of [1, 0]) {
      if (isStale === 0) refreshIslands(mesh);
      const tight = compactMesh(mesh);
      expect(tight.polyCount).toBeLessThan(mesh.polyCount);
      expect(portalText(tight)).toEqual(portalText(mesh));
      const endsOf = (one: NavMesh): string[] => [0, 1].map((linkEnd) => polyName(one, one.linkPoly[linkEnd]));
      expect(endsOf(tight)).toEqual(endsOf(mesh));
      expect(tight.islandsStale).toBe(isStale);
      expect(validateNavMesh(tight)).toEqual([]);
      addTile(
        tight,
        squaresTile(
          0,
          0,
          0,
          4,
          () => true,
          () => 0,
        ),
      );
      expect(validateNavMesh(tight)).toEqual([]);
    }
  });

  it('are rebuilt when a mesh is loaded', () => {
    const mesh = pair(half(0, 0, 8), half(1, 2, 10));
    const loaded = loadNavMesh(saveNavMesh(mesh));
    expect(spans(loaded)).toEqual(spans(mesh));
    expect(areOnOneIsland(loaded, 0, 1)).toBe(1);
    expect(validateNavMesh(loaded)).toEqual([]);
  });

  it('cost time proportional to the portals: long edges next to many short ones', () => {
    const n = 4000;
    const ladder = (x: number): TileData => {
      const border = SIZE;
      const back = x === 0 ? 1 : 2 * SIZE - 1;
      const vertices: number[][] = [];
      const polys: { corners: number[] }[] = [];
      for (let i = 0; i < n; i++) {
        const z0 = (i * SIZE) / n;
        const z1 = z0 + (0.9 * SIZE) / n;
        const v = vertices.length;
        vertices.push([back, 0, z0], [back, 0, z1], [border, 0, z1], [border, 0, z0]);
        polys.push({ corners: x === 0 ? [v, v + 1, v + 2, v + 3] : [v + 3, v + 2, v + 1, v] });
      }
      const tile = tileOf(vertices, polys, { x, z: 0 });
      for (let p = 0; p < n; p++) tile.edgeNeighbor[4 * p + (x === 0 ? 2 : 0)] = x === 0 ? -4 : -2;
      return tile;
    };
    for (const [a, b] of [
      [ladder(0), half(1, 0, 10)],
      [half(0, 0, 10), ladder(1)],
      [ladder(0), ladder(1)],
    ]) {
      const mesh = createNavMesh({ agent: AGENT, cellSize: 0.2, cellHeight: 0.1, tileSize: SIZE });
      addTile(mesh, a);
      addTile(mesh, b);
      expect(mesh.portalCount).toBe(2 * n);
      removeTile(mesh, 0);
      expect(validateNavMesh(mesh)).toEqual([]);
    }
  });
});
