/**
 * Tiled 2D maps: the mesh of tiles has the area, the paths and the rays of the mesh of one tile.
 *
 * The oracle is the build in one tile. Where a wall crosses the line between tiles, it is bent by half a grid cell at most, so
 * areas agree up to that, and lengths of complete paths up to its square.
 */
import { cutByDiagonals } from '../../src/build/polygon/diagonal/diagonal.ts';
import { describe, expect, it } from 'vitest';
import { findMapScene, mapScenes } from 'navkiln-scenes';
import { createRandom, nextRandom } from '../../src/base/data/random.ts';
import { createWorkspace } from '../../src/base/data/workspace.ts';
import { islandOf } from '../../src/mesh/islands.ts';
import { loadNavMesh } from '../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../src/mesh/file/save.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { findTile } from '../../src/mesh/tiles/tile-grid.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { createPolygonBudget } from '../../src/base/plane/budget.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import { findClosedPassages } from '../../src/build/polygon/closed-passages.ts';
import type { PolygonMap, PolygonOptions } from '../../src/build/polygon/options.ts';
import { tileFromPieces } from '../../src/build/polygon/tile.ts';
import { cutTile } from '../../src/build/polygon/tiles/build-tiles.ts';
import type { TileRun } from '../../src/build/polygon/tiles/build-tiles.ts';
import { segmentsOf, splitIntoTiles } from '../../src/build/polygon/tiles/segments.ts';
import { findNearest2d } from '../../src/query/map/nearest-2d.ts';
import { findPath2d } from '../../src/query/map/path-2d.ts';
import { raycast2d } from '../../src/query/map/raycast-2d.ts';
import { randomMap } from '../unit/build/polygon/random-maps.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const QUERIES = 15;
const MAPS = Number(process.env.NAVKILN_MAPS ?? 4);

/** Returns the area of a mesh. */
function areaOf({ polyCount, polyEdgeStart, polyVertexCount, edgeVertex, vertices }: NavMesh): number {
  let sum = 0;
  for (let p = 0; p < polyCount; p++) {
    const first = polyEdgeStart[p];
    for (let k = 0; k < polyVertexCount[p]; k++) {
      const a = 3 * edgeVertex[first + k];
      const b = 3 * edgeVertex[first + ((k + 1) % polyVertexCount[p])];
      sum += (vertices[a + 2] - vertices[first]) * vertices[b] - vertices[a] * (vertices[b + 2] - vertices[first]);
    }
  }
  return Math.abs(sum) / 2;
}

function islandCount(mesh: NavMesh): number {
  return new Set(Array.from({ length: mesh.polyCount }, (_, p) => islandOf(mesh, p))).size;
}

/** Compares a build in tiles with the build in one tile. */
function compare(name: string, map: PolygonMap, options: PolygonOptions, parts: number): void {
  const one = buildFromPolygons(map, { ...options, tileSize: 0, findClosedPassages });
  const { frame } = one.report;
  if (one.navMesh.polyCount === 0) return;
  const [x0, , z0, x1, , z1] = one.navMesh.tileBounds;
  const extent = Math.max(x1 - x0, z1 - z0);
  const tiled = buildFromPolygons(map, { ...options, tileSize: extent / parts, findClosedPassages });
  const { navMesh } = tiled;
  expect(validateNavMesh(navMesh), name).toEqual([]);
  expect(() => loadNavMesh(saveNavMesh(navMesh)), name).not.toThrow();
  expect(tiled.report.config.tileSize, name).toBe(navMesh.tileSize);
  expect(navMesh.tileSlotCount, name).toBeGreaterThan(1);
  const area = areaOf(one.navMesh);
  const slack = frame.gridSize * (parts + 2) * 2 * extent * 2;
  expect(Math.abs(areaOf(navMesh) - area), name).toBeLessThan(slack);
  expect(islandCount(navMesh), name).toBe(islandCount(one.navMesh));
  // Widths may differ: which corner of a part is measured depends on its pieces.
  const closed = ({ report }: typeof one): number =>
    report.warnings.find(({ code }) => code === 'closed-by-radius')?.count ?? 0;
  expect(closed(tiled), name).toBe(closed(one));
  const random = createRandom(SEED);
  const point = (): [number, number] => [
    x0 + nextRandom(random) * (x1 - x0),
    navMesh.mapYSign * (z0 + nextRandom(random) * (z1 - z0)),
  ];
  for (let k = 0; k < QUERIES; k++) {
    const [from, to] = [point(), point()];
    const label = `${name}: [${from.join(', ')}] to [${to.join(', ')}]`;
    const near = findNearest2d(one.navMesh, from);
    expect(Math.abs(findNearest2d(navMesh, from).distance - near.distance), label).toBeLessThan(8 * frame.gridSize);
    if (!near.isInside || !findNearest2d(one.navMesh, to).isInside) continue;
    const path = findPath2d(navMesh, from, to);
    const known = findPath2d(one.navMesh, from, to);
    expect(path.status, label).toBe(known.status);
    if (known.status === 'complete') {
      expect(Math.abs(path.length - known.length), label).toBeLessThanOrEqual(1e-9 * (known.length + 0.01 * extent));
    }
    const ray = raycast2d(navMesh, from, to);
    const knownRay = raycast2d(one.navMesh, from, to);
    expect(ray.status, label).toBe(knownRay.status);
    expect(Math.hypot(ray.point[0] - knownRay.point[0], ray.point[1] - knownRay.point[1]), label).toBeLessThan(
      1e-4 * extent,
    );
  }
}

describe('2D maps in tiles equal those of one tile', () => {
  it.each(mapScenes.filter(({ name }) => name !== 'coast-map').map((scene) => [scene.name, scene] as const))(
    '%s, both modes and radii',
    (name, { create, radius }) => {
      for (const mode of ['delaunay', 'diagonal'] as const) {
        for (const one of [0, radius])
          compare(`${name}, ${mode}, radius ${one}`, create(), { mode, cutByDiagonals, radius: one }, 5.3);
      }
    },
  );

  it.each(['grid', 'rotated', 'overlapping', 'shared-vertices', 'comb', 'self-crossing', 'nested'] as const)(
    `random maps: %s, seed ${SEED}`,
    (kind) => {
      for (let seed = SEED; seed < SEED + MAPS; seed++) {
        const options = { radius: seed % 2 === 0 ? 0 : 0.05, yAxis: seed % 3 === 0 ? 'down' : 'up' } as const;
        compare(`${kind}, seed ${seed}`, randomMap(kind, seed), options, 1.7 + (seed % 5));
      }
    },
  );

  it('loads where both sides of a portal compute its end with another rounding', () => {
    const map: PolygonMap = {
      polygons: [
        { outline: [[0, 0], [40, 0], [0, 40]] },
        { outline: [[-1.2, 26.9], [36.5, 8], [42, 12.8]] },
      ],
      obstacles: [[[13, 16.4], [35.4, 0.4], [4.2, 35.9]]],
      areas: [
        { name: 'a', outline: [[35.58993769604244, 6.534564990978077], [30.293254761188503, 0.08285738531633223], [35.58993769604244, -8.647334267503291]] },
        { name: 'b', outline: [[26.55194325131278, 4.456968886990552], [30.500837577324106, 0.05169352927087889], [33.464716618020326, -0.25963748501930883], [34.28936644904518, 2.74438598713557]] },
      ],
    }; // oxfmt-ignore
    const { navMesh } = buildFromPolygons(map, { tileSize: 11.080569689199594, yAxis: 'down' });
    expect(validateNavMesh(navMesh)).toEqual([]);
    expect(() => loadNavMesh(saveNavMesh(navMesh))).not.toThrow();
  });

  it('one tile can be built again without the others', () => {
    const { create } = findMapScene('rubble-map');
    const map = create();
    const { navMesh, report } = buildFromPolygons(map, { tileSize: 6 });
    const side = navMesh.tileSize / report.frame.gridSize;
    const clean = buildFromPolygons(map).stages.clean;
    const config = { ...report.config };
    const run = { config, budget: createPolygonBudget(), stage: (_: string, work: () => unknown) => work() } as TileRun;
    const workspace = createWorkspace();
    for (const tile of splitIntoTiles(segmentsOf(clean, 1), side)) {
      const cut = cutTile(run, tile, 'ground', workspace);
      if (cut === undefined || cut.pieces.pieceCount === 0) continue;
      const data = tileFromPieces(cut.pieces, report.frame, 'up', { x: tile.x, y: tile.y, side });
      const slot = findTile(navMesh, data.x, data.z);
      const [from, count] = [3 * navMesh.tileVertexStart[slot], 3 * navMesh.tileVertexCount[slot]];
      expect(data.vertices).toEqual(navMesh.vertices.slice(from, from + count));
    }
  });

  it('save and load', () => {
    const { create, radius } = findMapScene('rubble-map');
    const { navMesh } = buildFromPolygons(create(), { radius, tileSize: 6 });
    const loaded = loadNavMesh(saveNavMesh(navMesh));
    expect(validateNavMesh(loaded)).toEqual([]);
    expect(saveNavMesh(loaded)).toEqual(saveNavMesh(navMesh));
  });
});

describe('large maps', () => {
  it('build in tiles when one tile is too small', () => {
    const count = 150;
    const obstacles = Array.from({ length: count * count }, (_, i) => {
      const x = 4 * (i % count);
      const y = 4 * Math.floor(i / count);
      return [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]; // oxfmt-ignore
    });
    const side = 4 * count;
    const outline = [[-2, -2], [side, -2], [side, side], [-2, side]]; // oxfmt-ignore
    const map = { polygons: [{ outline }], obstacles } as unknown as PolygonMap;
    expect(() => buildFromPolygons(map, { tileSize: 0, maxVertices: 3 })).toThrow(
      /a tile has \d+ convex pieces, at most 131072 are allowed; use a tileSize above 0 or leave it out/,
    );
    const { navMesh, report } = buildFromPolygons(map, { maxVertices: 3 });
    expect(navMesh.tileSlotCount).toBeGreaterThan(8);
    expect(report.counts.points).toBe(4 * count * count + 4);
    expect(islandCount(navMesh)).toBe(1);
    expect(areaOf(navMesh)).toBeCloseTo((side + 2) ** 2 - count * count, 3);
  });

  it('refuse tiles that are too many', () => {
    const map = { polygons: [{ outline: [[0, 0], [1000, 0], [1000, 1000], [0, 1000]] }] } as const; // oxfmt-ignore
    expect(() => buildFromPolygons(map, { tileSize: 0.1 })).toThrow(/options\.tileSize is 0\.1; must be at least/);
    expect(() => buildFromPolygons(map, { tileSize: -1 })).toThrow(/options\.tileSize is -1/);
    expect(() => buildFromPolygons(map, { tileSize: 1e9 })).toThrow(/options\.tileSize is 1000000000; must be/);
  });

  it('a radius far larger than the map takes no more time than one that closes it', () => {
    const map = {
      polygons: [
        {
          outline: [
            [0, 0],
            [13, 0],
            [13, 9],
            [0, 9],
          ] as [number, number][],
        },
      ],
    };
    for (const radius of [5, 1e7]) {
      const { navMesh, report } = buildFromPolygons(map, { radius, tileSize: 2.3, mode: 'diagonal', cutByDiagonals });
      expect(navMesh.polyCount).toBe(0);
      expect(report.warnings.map(({ code }) => code)).toEqual(['empty-result']);
    }
  });
});
