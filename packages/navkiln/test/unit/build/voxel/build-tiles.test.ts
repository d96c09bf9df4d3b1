/**
 * Baking by tiles: options, single tiles, reports, progress, far levels, bounds, links. golden/tiles.test.ts compares
 * tiles with Recast.
 */
import { createLinks } from '../../../../src/build/voxel/link-list.ts';
import { describe, expect, it } from 'vitest';
import { createWorkspace } from '../../../../src/base/data/workspace.ts';
import { createNavMesh } from '../../../../src/mesh/create.ts';
import { getLink, listLinks } from '../../../../src/mesh/change/links.ts';
import { loadNavMesh } from '../../../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { findTile } from '../../../../src/mesh/tiles/tile-grid.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import type { NavMesh, TileData } from '../../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import {
  bakeNavMesh,
  buildNavMesh,
  buildPreparedTile,
  buildTile,
  prepareTiles,
  resolveBake,
} from '../../../../src/build/voxel/build.ts';
import { sortIntoTiles, tileConfig } from '../../../../src/build/voxel/build-tile-grid.ts';
import { prepareInput } from '../../../../src/build/voxel/input.ts';
import type { BuildOptions, BuildProgress, TriangleInput } from '../../../../src/build/voxel/options.ts';
import { sceneLevel } from '../../../golden/levels.ts';
import { flipped, floor, join, TILE_OPTIONS, tiles } from './levels.ts';

const house = sceneLevel('house'),
  caves = sceneLevel('caves');
const HOUSE: BuildOptions = { ...house.options, tileSize: 4 };

const bytesOf = (mesh: NavMesh): string => Buffer.from(saveNavMesh(mesh)).toString('base64');

/** Returns the content of a mesh regardless of its storage: polygons of each tile, generation by generation. */
function tilesOf(mesh: NavMesh): string[] {
  const out: string[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] === 0) continue;
    const polys = mesh.tilePolyStart[slot],
      text: unknown[] = [];
    const at = (from: number, count: number, array: ArrayLike<number>): number[] =>
      Array.from({ length: count }, (_, k) => array[from + k]);
    for (let p = polys; p < polys + mesh.tilePolyCount[slot]; p++) {
      const portals: number[][] = [];
      for (let l = mesh.polyPortal[p]; l >= 0; l = mesh.portalNext[l]) {
        const other = mesh.portalPoly[l],
          there = mesh.polyTile[other];
        portals.push([
          mesh.tileX[there],
          mesh.tileZ[there],
          other - mesh.tilePolyStart[there],
          ...at(2 * l, 2, mesh.portalSpan),
        ]);
      }
      const across = at(mesh.polyEdgeStart[p], mesh.polyVertexCount[p], mesh.edgeNeighbor);
      text.push(
        mesh.polyArea[p],
        across.map((other) => (other >= 0 ? other - polys : other)),
        portals,
      );
    }
    text.push(at(3 * mesh.tileVertexStart[slot], 3 * mesh.tileVertexCount[slot], mesh.vertices));
    text.push(at(3 * mesh.tileDetailVertexStart[slot], 3 * mesh.tileDetailVertexCount[slot], mesh.detailVertices));
    text.push(at(4 * mesh.tileDetailTriStart[slot], 4 * mesh.tileDetailTriCount[slot], mesh.detailTris));
    out.push(`${mesh.tileX[slot]},${mesh.tileZ[slot]}: ${JSON.stringify(text)}`);
  }
  return out.sort();
}

function emptyMesh(like: NavMesh): NavMesh {
  const { agent, cellSize, cellHeight, origin, tileSize } = like;
  return createNavMesh({ agent, cellSize, cellHeight, origin, tileSize });
}

function bake(input: TriangleInput, options: BuildOptions): NavMesh {
  const { navMesh } = buildNavMesh(input, options);
  expect(validateNavMesh(navMesh)).toEqual([]);
  return navMesh;
}

describe('options', () => {
  const room = floor(0, 0, 8, 6);
  it('rounds to whole cells and counts tiles; a border of the radius and three cells', () => {
    const config = resolveBake(room, { cellSize: 0.25, tileSize: 3.1, agent: { radius: 0.6 } });
    expect(config).toMatchObject({
      tileCells: 12,
      borderCells: 6,
      tileCountX: 3,
      tileCountZ: 2,
      widthCells: 32,
      depthCells: 24,
    });
    expect(resolveBake(room, {})).toMatchObject({ tileCells: 0, borderCells: 0, tileCountX: 1, tileCountZ: 1 });
    expect(bake(room, { cellSize: 0.25, tileSize: 3.1 }).tileSize).toBe(3);
    expect(bake(room, { cellSize: 0.25, tileSize: 0 }).tileSize).toBe(0);
    expect(bake(room, { cellSize: 0.25, tileSize: 1000 }).tileSlotCount).toBe(1);
  });
  it.each([
    [{ tileSize: 2 }, /^buildNavMesh: options\.tileSize is 2; must be >= 2\.25, which is 9 cells; or 0 for one tile$/],
    [{ tileSize: 1e-9 }, /options\.tileSize is 1e-9; must be/],
    [{ tileSize: -4 }, /options\.tileSize is -4; must be from 0 to 1e\+30/],
    // Otherwise an infinite number of cells.
    [{ tileSize: Number.MAX_VALUE }, /options\.tileSize is \S+; must be from 0 to 1e\+30/],
    [{ tileSize: NaN }, /options\.tileSize is NaN/],
    [{ tileSize: Infinity }, /options\.tileSize is Infinity/],
    [{ tileSize: '8' as never, links: 3 as never }, /options\.links is 3; must be the result of createLinks/],
    [
      { links: createLinks([{ start: [0, 0, 0], end: [1, 0, 1], area: 99 }]) },
      /^buildNavMesh: options\.links\[0\]\.area is 99; must be/,
    ],
    [{ links: createLinks([{ start: [0, 0, 0] } as never]) }, /^buildNavMesh: options\.links\[0\]\.end is undefined/],
  ] as [BuildOptions, RegExp][])('refuses %o', (options, message) => {
    expect(() => buildNavMesh(room, { cellSize: 0.25, ...options })).toThrow(message);
  });
  it('takes the memory of one tile into account, and of the list of tiles', () => {
    const huge = join(floor(0, 0, 10, 10), floor(1e5, 1e5, 1e5 + 10, 1e5 + 10));
    expect(() => resolveBake(huge, { cellSize: 0.2 })).toThrow(
      /^resolveBake: options\.cellSize is .* set a tileSize; centimeters/,
    );
    expect(resolveBake(huge, { cellSize: 0.2, tileSize: 32 }).tileCountX).toBe(3126);
    expect(() => resolveBake(huge, { cellSize: 0.2, tileSize: 2 })).toThrow(
      /^resolveBake: options\.tileSize is 2, which makes 50005 x 50005 tiles of .*; must be larger/,
    );
    expect(() => resolveBake(huge, { cellSize: 0.2, tileSize: 9000, memoryLimitBytes: 1e9 })).toThrow(
      /must be smaller for the 0\.9313 GiB of memoryLimitBytes$/,
    );
  });
});

describe('buildTile', () => {
  it('gives the tiles of a full bake, byte for byte, in any order', () => {
    const whole = bake(house.input, HOUSE),
      level = prepareTiles(house.input, HOUSE);
    const { tileCountX, tileCountZ } = level.config;
    const single: TileData[] = [];
    for (let z = 0; z < tileCountZ; z++) {
      for (let x = 0; x < tileCountX; x++) {
        const tile = buildPreparedTile(level, x, z);
        expect(tile === null).toBe(findTile(whole, x, z) < 0);
        if (tile !== null) single.push(tile);
      }
    }
    expect(single.length).toBeGreaterThan(10);
    const inOrder = emptyMesh(whole),
      turned = emptyMesh(whole);
    for (const tile of single) addTile(inOrder, tile);
    for (const tile of single.toReversed()) addTile(turned, structuredClone(tile));
    expect(bytesOf(inOrder) === bytesOf(whole)).toBe(true);
    expect(validateNavMesh(turned)).toEqual([]);
    expect(tilesOf(turned)).toEqual(tilesOf(whole));
    const [first] = single;
    expect(buildTile(house.input, { ...HOUSE, workspace: createWorkspace() }, first!.x, first!.z)).toEqual(first);
  });

  it('puts a removed tile back as it was, in a loaded mesh too', () => {
    const whole = bake(caves.input, { ...caves.options, tileSize: 8 }),
      before = tilesOf(whole);
    for (const mesh of [whole, loadNavMesh(saveNavMesh(whole))]) {
      for (const slot of [3, 0, 5]) {
        const [x, z] = [mesh.tileX[slot], mesh.tileZ[slot]];
        removeTile(mesh, slot);
        expect(tilesOf(mesh)).not.toEqual(before);
        expect(addTile(mesh, buildTile(caves.input, { ...caves.options, tileSize: 8 }, x, z)!)).toBe(slot);
        expect(validateNavMesh(mesh)).toEqual([]);
        expect(tilesOf(mesh)).toEqual(before);
      }
    }
  });

  it('an obstacle that comes changes just the tile it is in', () => {
    const room = floor(0, 0, 24, 24),
      options: BuildOptions = { cellSize: 0.25, tileSize: 6, bounds: { min: [0, -1, 0], max: [24, 5, 24] } };
    const wall = floor(2, 2, 3, 4, 1);
    const mesh = bake(room, options),
      changed = bake(join(room, wall), options);
    expect(tilesOf(changed)).not.toEqual(tilesOf(mesh));
    removeTile(mesh, findTile(mesh, 0, 0));
    addTile(mesh, buildTile(join(room, wall), options, 0, 0)!);
    expect(validateNavMesh(mesh)).toEqual([]);
    expect(tilesOf(mesh)).toEqual(tilesOf(changed));
    expect(findPath(mesh, [1, 0, 3], [20, 0, 20]).status).toBe('complete');
  });

  it('returns null for an empty tile, and refuses invalid coordinates and options', () => {
    const level = join(floor(0, 0, 4, 4), floor(20, 20, 24, 24)),
      options: BuildOptions = { cellSize: 0.25, tileSize: 4 };
    expect(buildTile(level, options, 2, 2)).toBe(null);
    for (const [x, z] of [
      [-1, 0],
      [6, 0],
      [0, 6],
      [0, -1],
    ] as const)
      expect(buildTile(level, options, x, z)).toBe(null);
    expect(buildTile(level, options, 0, 0)!.polyCount).toBe(1);
    expect(() => buildTile(level, options, 0.5, 0)).toThrow(
      /^buildTile: tile \(0\.5, 0\) is not on the grid; must be two whole numbers/,
    );
    expect(() => buildTile(level, options, NaN, 0)).toThrow(RangeError);
    expect(() => buildTile(level, { cellSize: 0.25 }, 0, 0)).toThrow(/^buildTile: options\.tileSize is 0/);
    expect(() => buildTile(level, undefined as never, 0, 0)).toThrow(TypeError);
    expect(() => buildTile(level, { ...options, cellSize: -1 }, 0, 0)).toThrow(/options\.cellSize is -1/);
  });

  it('addTile refuses tiles of other settings, and says which', () => {
    const room = floor(0, 0, 24, 24),
      options: BuildOptions = { cellSize: 0.25, cellHeight: 0.125, tileSize: 6 };
    const mesh = bake(room, options);
    removeTile(mesh, 0);
    const before = bytesOf(mesh);
    const others: [TriangleInput, BuildOptions, RegExp][] = [
      [
        room,
        { ...options, cellSize: 0.2, cellHeight: 0.125 },
        /^addTile: tile \(0, 0\) was baked with cellSize 0\.2\d*, the mesh with 0\.25; give/,
      ],
      [room, { ...options, cellHeight: 0.1 }, /cellHeight 0\.1\d*, the mesh with 0\.125/],
      [room, { ...options, tileSize: 8 }, /tileSize 8, the mesh with 6/],
      [room, { ...options, agent: { radius: 0.5 } }, /radius 0\.5, the mesh with 0\.4/],
      [room, { ...options, agent: { maxClimb: 0.3 } }, /maxClimb 0\.3/],
      [floor(-1, 0, 24, 24), options, /origin\[0\] -1, the mesh with 0/],
    ];
    for (const [input, other, message] of others)
      expect(() => addTile(mesh, buildTile(input, other, 0, 0)!)).toThrow(message);
    expect(bytesOf(mesh)).toBe(before);
    addTile(mesh, buildTile(room, options, 0, 0)!);
    // Unknown fields are not refused.
    removeTile(mesh, 0);
    addTile(mesh, { ...buildTile(room, options, 0, 0)!, settings: undefined });
    expect(validateNavMesh(mesh)).toEqual([]);
  });
});

describe('report', () => {
  it('sums times and counts of all tiles', () => {
    const { navMesh, report } = buildNavMesh(house.input, HOUSE),
      { counts } = report;
    let used = 0;
    for (const state of navMesh.tileState) used += state;
    expect([counts.tiles, counts.polygons, counts.vertices]).toEqual([used, navMesh.polyCount, navMesh.vertexCount]);
    expect([counts.detailVertices, counts.detailTriangles]).toEqual([
      navMesh.detailVertexCount,
      navMesh.detailTriCount,
    ]);
    expect(report.stages.map(({ name }) => name)).toEqual(
      buildNavMesh(house.input, house.options).report.stages.map(({ name }) => name),
    );
    expect(report.stages.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThanOrEqual(report.totalMs);
    expect(report.config).toEqual(resolveBake(house.input, HOUSE));
    expect(buildNavMesh(house.input, house.options).report.counts.tiles).toBe(1);
  });

  it('has one warning per code, with the count of all tiles', () => {
    const hole = ['1111111111', '1111111111', '1111 11111', '1111111111', '1111111111'];
    const rows = [...hole, ...hole].map((row) => row + row);
    const options = { ...TILE_OPTIONS, tileSize: 10 };
    const [warning, ...rest] = buildNavMesh(tiles(rows), options).report.warnings;
    expect(rest).toEqual([]);
    expect(warning).toMatchObject({ code: 'polygon-not-triangulated', stage: 'polymesh', count: 4 });
    expect(warning!.message).toContain('4 outlines');
    expect(() => buildNavMesh(tiles(rows), { ...options, strict: true })).toThrow(/\(polygon-not-triangulated, \d\)$/);
  });

  it('empty-result: names the latest stage that emptied a tile', () => {
    const since = (input: TriangleInput, options: BuildOptions = {}): string | undefined => {
      const { navMesh, report } = buildNavMesh(input, { cellSize: 0.25, tileSize: 4, ...options });
      expect([navMesh.tileSlotCount, report.counts.tiles]).toEqual([0, 0]);
      return /after stage (\w+):/.exec(report.warnings.find(({ code }) => code === 'empty-result')!.message)![1];
    };
    expect(since({ positions: [] })).toBe('slope');
    expect(since(flipped(floor(0, 0, 8, 8)))).toBe('slope');
    expect(since(join(floor(0, 0, 1, 9), floor(6, 0, 6.25, 0.25)))).toBe('erode');
    expect(since(floor(0, 0, 8, 6), { bounds: { min: [20, -1, 20], max: [30, 1, 30] } })).toBe('rasterize');
    expect(since(floor(0, 0, 8, 6), { regionMinArea: 0, maxEdgeError: 100, tileSize: 100 })).toBe('contours');
  });

  it('progress tile by tile, empty ones left out', () => {
    const progress: BuildProgress[] = [];
    const level = join(floor(0, 0, 4, 4), floor(20, 20, 24, 24));
    buildNavMesh(level, { cellSize: 0.25, tileSize: 4, onProgress: (one) => progress.push(one) });
    const names = progress.map(({ stage }) => stage);
    expect(names.slice(0, 3)).toEqual(['input', 'slope', 'tile 0, 0']);
    expect(names).toContain('tile 5, 5');
    expect(names).not.toContain('tile 2, 2');
    expect(progress.map(({ done }) => done)).toEqual([...progress.keys()]);
    const last = progress.at(-1)!;
    expect([last.stage, last.done]).toEqual(['', last.total]);
  });
});

describe('bakeNavMesh by tiles', () => {
  it('gives the bytes of buildNavMesh, and yields to the event loop', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const options = { ...caves.options, tileSize: 8 };
    const { navMesh } = await bakeNavMesh(caves.input, options);
    clearInterval(timer);
    expect(bytesOf(navMesh) === bytesOf(buildNavMesh(caves.input, options).navMesh)).toBe(true);
    expect(turns).toBeGreaterThan(0);
  });
  it('can be aborted in the midst of a tile', async () => {
    const controller = new AbortController(),
      seen: string[] = [];
    const onProgress = ({ stage }: BuildProgress): void => {
      seen.push(stage);
      if (seen.length === 6) controller.abort('enough');
    };
    await expect(bakeNavMesh(house.input, { ...HOUSE, signal: controller.signal, onProgress })).rejects.toBe('enough');
    expect(seen.length).toBe(6);
    const fresh = buildNavMesh(house.input, { ...HOUSE, workspace: createWorkspace() }).navMesh;
    expect(bytesOf(buildNavMesh(house.input, HOUSE).navMesh) === bytesOf(fresh)).toBe(true);
  });
});

describe('the position of levels', () => {
  it('doubles 100 km out give the same tiles, moved', () => {
    const near = bake({ ...house.input, positions: Float64Array.from(house.input.positions) }, HOUSE);
    const by = [98 * 1024, -1024, -97 * 1024];
    const far = bake(
      { ...house.input, positions: Float64Array.from(house.input.positions, (v, k) => v + by[k % 3]) },
      HOUSE,
    );
    expect([far.polyCount, far.vertexCount, far.detailVertexCount]).toEqual([
      near.polyCount,
      near.vertexCount,
      near.detailVertexCount,
    ]);
    expect(far.edgeNeighbor).toEqual(near.edgeNeighbor);
    expect(far.portalPoly).toEqual(near.portalPoly);
    for (const [a, b] of [
      [far.vertices, near.vertices],
      [far.detailVertices, near.detailVertices],
    ] as const) {
      for (let k = 0; k < b.length; k++) if (b[k] !== 0) expect(Math.abs(a[k] - by[k % 3] - b[k])).toBeLessThan(1e-9);
    }
  });

  it('a wide level in doubles is as exact at its ends as in its middle; float32 positions stay', () => {
    // Four rooms 90 km apart, each of a place that float32 could not tell from the next cell's.
    const corner = 45_000.03;
    const level = join(
      ...[
        [-1, -1],
        [-1, 1],
        [1, -1],
        [1, 1],
      ].map(([sx, sz]) => {
        const x = sx! * corner,
          z = sz! * corner;
        return floor(x, z, x + 6, z + 6);
      }),
    );
    const options: BuildOptions = { cellSize: 0.1, agent: { radius: 0.2 }, tileSize: 64 };
    const mesh = bake(level, options);
    expect(mesh.tileSlotCount).toBeGreaterThanOrEqual(4);
    for (let v = 0; v < mesh.vertexCount; v++) {
      for (const axis of [0, 2]) {
        const value = mesh.vertices[3 * v + axis],
          start = value < 0 ? -corner : corner;
        // Within a cell of where erosion ends.
        expect(value - start).toBeGreaterThan(0.1);
        expect(value - start).toBeLessThan(5.9);
      }
    }
    const config = resolveBake(level, options);
    expect(tileConfig(config, 0, 0, true).offset).not.toEqual(config.offset);
    expect(Math.abs(tileConfig(config, 0, 0, true).boundsMin[0])).toBeLessThan(600);
    expect(tileConfig(config, 0, 0, false).offset).toEqual(config.offset);
  });

  it('vertices on a common border are the same number on both sides', () => {
    const mesh = bake(floor(0.1, 0.2, 50, 40), { cellSize: 0.3, tileSize: 7 }),
      { tileSize, origin } = mesh;
    let checked = 0;
    for (let v = 0; v < mesh.vertexCount; v++) {
      for (const axis of [0, 2]) {
        const place = (mesh.vertices[3 * v + axis] - origin[axis]) / tileSize,
          whole = Math.round(place);
        if (Math.abs(place - whole) > 1e-6) continue;
        expect(mesh.vertices[3 * v + axis]).toBe(origin[axis] + whole * config(mesh) * mesh.cellSize);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(50);
  });
  const config = (mesh: NavMesh): number => Math.round(mesh.tileSize / mesh.cellSize);

  it('bounds cut the surface at the same positions as without tiles', () => {
    const room = floor(0, 0, 40, 40),
      bounds = { min: [3, -1, 5], max: [21, 2, 18] };
    for (const tileSize of [4, 7, 100]) {
      const whole = bake(room, { cellSize: 0.25, bounds }),
        tiled = bake(room, { cellSize: 0.25, bounds, tileSize });
      for (const axis of [0, 2]) {
        const ends = (mesh: NavMesh): number[] => {
          const values = [...mesh.vertices.subarray(0, 3 * mesh.vertexCount)].filter((_, k) => k % 3 === axis);
          return [Math.min(...values), Math.max(...values)];
        };
        expect(ends(tiled)).toEqual(ends(whole));
      }
      expect(findPath(tiled, [4, 0, 6], [20, 0, 17]).status).toBe('complete');
    }
  });

  it('floors above each other are in one tile', () => {
    const mesh = bake(join(floor(0, 0, 12, 12), floor(0, 0, 12, 12, 4), floor(0, 0, 12, 12, 8)), {
      cellSize: 0.25,
      tileSize: 6,
    });
    expect(mesh.tileSlotCount).toBe(4);
    for (const y of [0, 4, 8]) {
      expect(findPath(mesh, [1, y, 1], [11, y, 11]).status).toBe('complete');
      expect(findPath(mesh, [1, y, 1], [11, (y + 4) % 12, 11]).status).not.toBe('complete');
    }
  });
});

it('triangles go to the tiles that their boxes touch, in their order', () => {
  const prepared = prepareInput(caves.input),
    options = { ...caves.options, tileSize: 15 };
  const found = resolveBake(caves.input, options);
  const { start, list } = sortIntoTiles(prepared, found, 'buildNavMesh');
  const { tileCells, borderCells, cellSize, boundsMin, tileCountX, tileCountZ } = found;
  let spare = 0;
  for (let z = 0; z < tileCountZ; z++) {
    for (let x = 0; x < tileCountX; x++) {
      const own = list.subarray(start[x + z * tileCountX], start[x + z * tileCountX + 1]);
      expect(own).toEqual(own.toSorted());
      const has = new Set(own);
      expect(has.size).toBe(own.length);
      for (let t = 0; t < prepared.triangleCount; t++) {
        const isNear = [
          [0, x],
          [2, z],
        ].every(([axis, place]) => {
          const values = [0, 1, 2].map((k) => prepared.positions[3 * prepared.indices[3 * t + k] + axis!]);
          const low = boundsMin[axis!] + (place! * tileCells - borderCells) * cellSize;
          return Math.max(...values) >= low && Math.min(...values) <= low + (tileCells + 2 * borderCells) * cellSize;
        });
        if (isNear) expect(has.has(t)).toBe(true);
        else if (has.has(t)) spare++;
      }
    }
  }
  expect(spare).toBeLessThan(list.length / 10);
});

it('links are there after the bake, whole or by tiles', () => {
  const level = join(floor(0, 0, 8, 8), floor(12, 0, 20, 8));
  for (const tileSize of [0, 4]) {
    const mesh = bake(level, {
      cellSize: 0.25,
      tileSize,
      links: createLinks([{ start: [7, 0, 4], end: [13, 0, 4], userId: 7 }]),
    });
    const [ref] = listLinks(mesh),
      link = getLink(mesh, ref!)!;
    expect([link.userId, link.startPoly === 0, link.endPoly === 0]).toEqual([7, false, false]);
    expect(findPath(mesh, [1, 0, 4], [19, 0, 4]).status).toBe('complete');
    expect(findPath(mesh, [19, 0, 4], [1, 0, 4]).status).not.toBe('complete');
  }
});

it('refuses a level that touches more tiles than a mesh can have, at once', () => {
  const positions = [0, 0, 0, 0, 0, 1e5, 1e5, 0, 0];
  expect(() => buildNavMesh({ positions }, { agent: { radius: 0 }, cellSize: 1, tileSize: 10 })).toThrow(
    /^buildNavMesh: options\.tileSize is 10; must be larger: triangle 0 touches 100000000 tiles, a mesh/,
  );
});

it('refuses a grid of many rows without columns', () => {
  const positions = [-1e15, 0, 0, 1, 0, 2, 1e15, 0, 1];
  expect(() => buildNavMesh({ positions }, { agent: { radius: 0 }, cellSize: 1e4 })).toThrow(
    /^buildNavMesh: options\.cellSize is 10000, which makes 199999995904 x 0 columns/,
  );
});
