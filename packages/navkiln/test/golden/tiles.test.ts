/**
 * Levels baked tile by tile. Each tile equals the polygon mesh that Recast makes of all triangles and the
 * tile's box. A whole level equals the result of recast-navigation's tile generator. The tiled mesh is as
 * good as the untiled one, in area, islands and paths. `NAVKILN_TILES=1` takes all tiles of all scenes
 * instead of a few, and 1,000 pairs.
 */
import { createVolumes } from '../../src/build/voxel/volumes.ts';
import { optionsFromSettings } from '../../src/build/voxel/settings.ts';
import type { NavMesh as DetourNavMesh } from 'recast-navigation';
import { generateTiledNavMesh } from 'recast-navigation/generators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../src/base/data/random.ts';
import { areOnOneIsland } from '../../src/mesh/islands.ts';
import { findTile } from '../../src/mesh/tiles/tile-grid.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { buildNavMesh, buildPreparedTile, prepareTiles } from '../../src/build/voxel/build.ts';
import { tileConfig } from '../../src/build/voxel/build-tile-grid.ts';
import type { BuildOptions } from '../../src/build/voxel/options.ts';
import type { Partition } from '../../src/build/voxel/bake-config.ts';
import { createTileData } from '../../src/build/voxel/tile.ts';
import { initOracle } from '../oracle/recast.ts';
import { bakeAgainstRecast } from './against-recast.ts';
import { volumesOver } from './cases.ts';
import { hasObjLevels, objLevel, SCENE_NAMES, sceneLevel } from './levels.ts';
import type { GoldenLevel } from './levels.ts';

const PARTITIONS: readonly Partition[] = ['watershed', 'monotone', 'layers'];
const ALL = process.env['NAVKILN_TILES'] === '1';
const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261121);
/** Number of non-empty tiles compared per bake. */
const MAX_TILES = ALL ? Infinity : 2;
const LEVELS = [
  ...SCENE_NAMES.filter((name) => !/one-cell|two-cells|single-triangle/.test(name)),
  'nav_test',
  'dungeon.obj',
];

function levelOf(name: string): GoldenLevel {
  if (name === 'nav_test') return objLevel('nav_test');
  return name === 'dungeon.obj' ? objLevel('dungeon') : sceneLevel(name);
}

const isMissing = (name: string): boolean => !hasObjLevels && (name === 'nav_test' || name === 'dungeon.obj');

beforeAll(initOracle);

let compared = 0,
  excused = 0;

describe.each(LEVELS)("tiles of %s equal Recast's", (name) => {
  it.skipIf(isMissing(name)).each(PARTITIONS)('%s', { timeout: 600_000 }, async (partition) => {
    const golden = levelOf(name),
      { input, options: own } = golden;
    const marked =
      partition === 'monotone'
        ? { volumes: createVolumes(volumesOver(golden)), medianAreas: true, tessellateAreaEdges: true }
        : {};
    const options: BuildOptions = { ...own, ...marked, ...optionsFromSettings({ partition }), recast: true };
    const level = prepareTiles(input, { ...options, tileSize: own.cellSize! * (partition === 'watershed' ? 48 : 31) });
    const { config } = level;
    const random = createRandom(SEED);
    const tileNumbers = [...Array(config.tileCountX * config.tileCountZ).keys()];
    for (let k = tileNumbers.length - 1; k > 0; k--) {
      const other = Math.floor(nextRandom(random) * (k + 1));
      [tileNumbers[k], tileNumbers[other]] = [tileNumbers[other], tileNumbers[k]];
    }
    let count = 0;
    for (const tileNumber of tileNumbers) {
      const x = tileNumber % config.tileCountX,
        z = (tileNumber - x) / config.tileCountX;
      const tile = buildPreparedTile(level, x, z);
      if (tile === null && !ALL) continue;
      const change = tileConfig(config, x, z, false);
      const verdict = await bakeAgainstRecast(input, options, { change, skipDetail: true });
      if (verdict.excuse) {
        excused++;
        continue;
      }
      expect(verdict.failure, `tile ${x}, ${z}, seed ${SEED}`).toBe(undefined);
      const { polyMesh, detail } = verdict.records;
      expect(polyMesh!.polyCount).toBe(tile?.polyCount ?? 0);
      if (tile !== null) expect(tile).toEqual(createTileData(polyMesh!, detail!, config, x, z));
      compared++;
      if (++count >= MAX_TILES) break;
    }
  });
});

afterAll(() => {
  if (ALL) console.info(`${compared} tiles equal to Recast's, ${excused} where Recast runs over its own limits`);
  expect(compared).toBeGreaterThan(75);
});

/** Returns the corners of each polygon of a tile in world positions, and what is across each edge. */
function polygonsOf(mesh: NavMesh, slot: number): string[] {
  const start = mesh.tilePolyStart[slot];
  return [...Array(mesh.tilePolyCount[slot]).keys()].map((p) => {
    const edges = [...Array(mesh.polyVertexCount[start + p]).keys()].map((k) => mesh.polyEdgeStart[start + p] + k);
    return edges
      .map((e) => {
        const at = 3 * mesh.edgeVertex[e],
          other = mesh.edgeNeighbor[e];
        return `${[0, 1, 2].map((k) => mesh.vertices[at + k].toFixed(2)).join(' ')} ${other >= 0 ? other - start : other}`;
      })
      .join(', ');
  });
}

function polygonsOfDetour(tile: ReturnType<DetourNavMesh['getTile']>): string[] {
  const sides = [2, 1, 0, 3];
  return [...Array(tile.header()!.polyCount()).keys()].map((p) => {
    const poly = tile.polys(p);
    return [...Array(poly.vertCount()).keys()]
      .map((k) => {
        const at = 3 * poly.verts(k),
          other = poly.neis(k);
        const across = (other & 0x8000) !== 0 ? -2 - sides[(other & 0xf) >> 1] : other - 1;
        return `${[0, 1, 2].map((axis) => tile.verts(at + axis).toFixed(2)).join(' ')} ${across}`;
      })
      .join(', ');
  });
}

describe('a whole level equals generateTiledNavMesh', () => {
  it.skipIf(!hasObjLevels).each([
    ['nav_test', 64],
    ['nav_test', 40],
    ['dungeon.obj', 32],
  ])('%s in tiles of %i cells', async (name, tileCells) => {
    const { input } = levelOf(name);
    const agent = { radius: 0.5, height: 2, maxClimb: 0.75, maxSlopeDegrees: 45 };
    const { navMesh } = buildNavMesh(input, {
      agent,
      cellSize: 0.25,
      cellHeight: 0.25,
      tileSize: tileCells / 4,
      recast: true,
    });
    const result = generateTiledNavMesh(input.positions, input.indices as Uint32Array, {
      cs: 0.25,
      ch: 0.25,
      walkableSlopeAngle: 45,
      walkableHeight: 8,
      walkableClimb: 3,
      walkableRadius: 2,
      tileSize: tileCells,
      maxEdgeLen: 40,
      maxSimplificationError: 1.3,
      minRegionArea: 8,
      mergeRegionArea: 20,
      maxVertsPerPoly: 6,
    });
    if (!result.success) throw new Error(result.error);
    let count = 0;
    for (let i = 0; i < result.navMesh.getMaxTiles(); i++) {
      const tile = result.navMesh.getTile(i),
        header = tile.header();
      if (header === null || header.polyCount() === 0) continue;
      const slot = findTile(navMesh, header.x(), header.y());
      expect(slot, `tile ${header.x()}, ${header.y()}`).toBeGreaterThanOrEqual(0);
      expect(polygonsOf(navMesh, slot), `tile ${header.x()}, ${header.y()}`).toEqual(polygonsOfDetour(tile));
      count++;
    }
    expect(count).toBe(navMesh.tileSlotCount);
    result.navMesh.destroy();
  });
});

function groundArea(mesh: NavMesh): number {
  let sum = 0;
  const { vertices, edgeVertex, polyEdgeStart } = mesh;
  for (let p = 0; p < mesh.polyCount; p++) {
    const start = polyEdgeStart[p],
      n = mesh.polyVertexCount[p];
    for (let k = 0; k < n; k++) {
      const a = 3 * edgeVertex[start + k],
        b = 3 * edgeVertex[start + ((k + 1) % n)];
      sum += (vertices[a + 2] * vertices[b] - vertices[a] * vertices[b + 2]) / 2;
    }
  }
  return Math.abs(sum);
}

describe.each(['dungeon', 'terrain', 'city', 'tower', 'house', 'caves', 'islands', 'courtyard', 'nav_test'])(
  '%s',
  (name) => {
    it.skipIf(isMissing(name))('has a tiled mesh as good as the untiled one', () => {
      const { input, options } = levelOf(name);
      const whole = buildNavMesh(input, options).navMesh;
      const { navMesh: tiled, report } = buildNavMesh(input, { ...options, tileSize: options.cellSize! * 48 });
      expect(validateNavMesh(tiled)).toEqual([]);
      const area = groundArea(tiled) / groundArea(whole);
      const random = createRandom(SEED);
      const randomPoint = (): number[] => {
        const p = Math.floor(nextRandom(random) * whole.polyCount),
          start = whole.polyEdgeStart[p],
          n = whole.polyVertexCount[p];
        const sum = [0, 0, 0];
        for (let k = 0; k < n; k++)
          for (let axis = 0; axis < 3; axis++) sum[axis] += whole.vertices[3 * whole.edgeVertex[start + k] + axis] / n;
        return sum;
      };
      let statuses = 0,
        lengths = 0,
        complete = 0,
        islands = 0,
        worst = 1,
        sumWhole = 0,
        sumTiled = 0;
      const pairs = ALL ? 1000 : 250;
      for (let i = 0; i < pairs; i++) {
        const a = randomPoint(),
          b = randomPoint();
        const one = findPath(whole, a, b),
          other = findPath(tiled, a, b);
        const isConnected = (mesh: NavMesh): number => {
          const from = findNearest(mesh, a),
            to = findNearest(mesh, b);
          return from.found && to.found ? areOnOneIsland(mesh, from.poly, to.poly) : -2;
        };
        if (isConnected(whole) !== isConnected(tiled)) islands++;
        if (one.status !== other.status) statuses++;
        else if (one.status === 'complete' && one.length > 0) {
          complete++;
          const ratio = other.length / one.length;
          sumWhole += one.length;
          sumTiled += other.length;
          if (Math.abs(ratio - 1) > 0.05) lengths++;
          if (one.length > 2) worst = Math.max(worst, ratio, 1 / ratio);
        }
      }
      const summary =
        `${name}: ${report.counts.tiles} tiles, ${whole.polyCount} -> ${tiled.polyCount} polygons, area ` +
        `${area.toFixed(4)}, of ${pairs} pairs other status ${statuses}, other island ${islands}; of ${complete} lengths ` +
        `${lengths} off by 5 %, together ${(sumTiled / sumWhole).toFixed(4)}, worst ${worst.toFixed(2)}`;
      if (ALL) console.info(summary);
      expect(Math.abs(area - 1), summary).toBeLessThan(0.02);
      // A polygon's middle may lie off the simplified outline of the other mesh.
      expect(Math.max(statuses, islands), summary).toBeLessThanOrEqual(pairs / 100);
      expect(complete, summary).toBeGreaterThan(pairs / 10);
      expect(lengths, summary).toBeLessThan(complete / 8);
      expect(Math.abs(sumTiled / sumWhole - 1), summary).toBeLessThan(0.03);
    });
  },
);
