/** Positions with known causes, and random ones. Each cause is verified by a bake without it. */
import { createVolumes } from '../../../src/build/voxel/volumes.ts';
import { describe, expect, it } from 'vitest';
import { levelScenes } from '../../../../scenes/src/index.ts';
import { createRandom, nextRandom } from '../../../src/base/data/random.ts';
import { explainPosition } from '../../../src/show/explain/position.ts';
import type { PositionExplanation } from '../../../src/show/explain/cause.ts';
import { recordStages, tileOfPlace } from '../../../src/show/stage/records.ts';
import type { StageRecords } from '../../../src/show/stage/records.ts';
import { slopeDegrees } from '../../../src/show/stage/triangle.ts';
import { findNearest } from '../../../src/query/nearest/nearest.ts';
import { buildNavMesh, buildPreparedTile, prepareTiles } from '../../../src/build/voxel/build.ts';
import type { PreparedTiles } from '../../../src/build/voxel/build-tile.ts';
import type { BuildOptions, TriangleInput } from '../../../src/build/voxel/options.ts';
import { createTileData } from '../../../src/build/voxel/tile.ts';

const SCENES = ['slope-limits', 'stair-limits', 'headroom-limits', 'courtyard', 'dungeon', 'house'];
const sceneOf = (name: string): { input: TriangleInput & { indices: Uint32Array }; options: BuildOptions } => {
  const scene = levelScenes.find((one) => one.name === name)!;
  return { input: scene.create() as TriangleInput & { indices: Uint32Array }, options: scene.options };
};

/** More of them: NAVKILN_PLACES=5000. */
const ROUNDS = Number(process.env['NAVKILN_PLACES'] ?? 20);

const recorded = new Map<PreparedTiles, Map<string, StageRecords>>();
function why(level: PreparedTiles, point: readonly number[]): PositionExplanation {
  const [x, z] = tileOfPlace(level, point);
  let tiles = recorded.get(level);
  if (tiles === undefined) recorded.set(level, (tiles = new Map()));
  let records = tiles.get(`${x},${z}`);
  if (records === undefined) tiles.set(`${x},${z}`, (records = recordStages(level, x, z)));
  return explainPosition(records, point);
}

describe('recordStages', () => {
  it.each([
    ['courtyard', 0],
    ['house', 5],
    ['dungeon', 12],
  ] as const)('equals the bake of %s (tileSize %d)', (name, tileSize) => {
    const { input, options } = sceneOf(name);
    const offset = tileSize > 0 ? 100_000 : 0;
    const positions = Float64Array.from(input.positions, (value, i) => value + (i % 3 === 1 ? 0 : offset));
    const level = prepareTiles({ ...input, positions }, { ...options, tileSize });
    const { tileCountX, tileCountZ } = level.config;
    let compared = 0;
    for (let z = 0; z < tileCountZ; z++) {
      for (let x = 0; x < tileCountX; x++) {
        const records = recordStages(level, x, z);
        const own = createTileData(records.polyMesh, records.detail, level.config, x, z);
        const baked = tileSize > 0 ? buildPreparedTile(level, x, z) : own;
        if (baked === null) {
          expect(own.polyCount).toBe(0);
          continue;
        }
        compared++;
        expect(own).toEqual(baked);
        if (tileSize === 0) {
          const { navMesh, report } = buildNavMesh({ ...input, positions }, options);
          expect([...own.vertices]).toEqual([...navMesh.vertices.subarray(0, own.vertices.length)]);
          expect([
            records.solid.spanCount,
            records.field.spanCount,
            records.field.regionCount,
            records.contours.count,
          ]).toEqual([report.counts.spans, report.counts.walkableSpans, report.counts.regions, report.counts.contours]);
        }
      }
    }
    expect(compared).toBeGreaterThan(0);
  });

  it('refuses unknown tiles', () => {
    const { input, options } = sceneOf('courtyard');
    expect(() => recordStages(prepareTiles(input, options), 1, 0)).toThrow(
      /recordStages: the tile is \[1, 0\]; must be integers from 0 to/,
    );
  });
});

describe('explainPosition', () => {
  it('explains slopes below and above the limit', () => {
    const { input, options } = sceneOf('slope-limits');
    const level = prepareTiles(input, options);
    const rises = [1.4558809, 2.3094011, 3.8627551, 4, 4.1421213, 6.9282032];
    const found = rises.map((rise, i) => why(level, [i * 5 + 2.25, rise / 2, 8]));
    expect(found.map(({ code }) => code)).toEqual(['walkable', 'walkable', 'walkable', 'slope', 'slope', 'slope']);
    expect(found[4].numbers['slope']).toBeCloseTo(46, 4);
    expect(found[5].numbers['slope']).toBeCloseTo(60, 4);
    expect(found[5].message).toBe('Too steep: slope 60° > 45°.');
    expect(found[0].message).toMatch(
      /^Walkable: polygon \d+, area 63, region \d+ of [\d.]+ m²\.$|^Walkable: polygon \d+, area 1, /,
    );
  });

  it('explains ceilings below and above the height', () => {
    const { input, options } = sceneOf('headroom-limits');
    const level = prepareTiles(input, options);
    const heights = [2.5, 2, 1.9, 1.8, 1.7, 1.2, 1];
    const found = heights.map((_, i) => why(level, [i * 4 + 2, 0, 2]));
    // A floor fills the voxel above it, so one voxel less remains.
    expect(found.map(({ code }) => code)).toEqual([
      'walkable',
      'walkable',
      'walkable',
      'ceiling',
      'ceiling',
      'ceiling',
      'ceiling',
    ]);
    expect(found.slice(3).map(({ numbers }) => Number(numbers['clearance'].toFixed(6)))).toEqual([1.7, 1.6, 1.1, 0.9]);
    expect(found[5].message).toBe('The ceiling is too low: 1.1 m < 1.8 m.');
    expect(found[5].stage).toBe('filter');
  });

  it('explains ledges, borders, the edge, air, solid voxels, volumes, islands', () => {
    // A table of 6 x 6 and 1 m high on a floor of 20 x 20 that lies on a slab; a speck of 1 x 1 far off.
    const box = (a: number[], b: number[]): number[] => {
      const [x, y, z] = a as [number, number, number],
        [u, v, w] = b as [number, number, number];
      const c = [
        [x, y, z],
        [u, y, z],
        [u, y, w],
        [x, y, w],
        [x, v, z],
        [u, v, z],
        [u, v, w],
        [x, v, w],
      ];
      const quads = [
        [4, 7, 6, 5],
        [0, 1, 2, 3],
        [0, 4, 5, 1],
        [1, 5, 6, 2],
        [2, 6, 7, 3],
        [3, 7, 4, 0],
      ];
      return quads.flatMap(([i, j, k, l]) => [i, j, k, i, k, l].flatMap((corner) => c[corner!]));
    };
    const positions = Float32Array.from([
      ...box([0, -1, 0], [20, 0, 20]),
      ...box([7, 0, 7], [13, 1, 13]),
      ...box([30, -1, 0], [32, 0, 2]),
    ]);
    const options: BuildOptions = {
      agent: { radius: 0.5, height: 2, maxClimb: 0.4, maxSlopeDegrees: 45 },
      cellSize: 0.25,
      cellHeight: 0.1,
      regionMinArea: 4,
      volumes: createVolumes([
        { type: 'box', area: 0, min: [1, -1, 1], max: [3, 1, 3] },
        { type: 'box', area: 5, min: [15, -1, 15], max: [17, 1, 17] },
      ]),
    };
    const level = prepareTiles({ positions }, options);
    const at = (...point: number[]): PositionExplanation => why(level, point);
    expect(at(4, 0, 4)).toMatchObject({ code: 'walkable', stage: 'navmesh' });
    expect(at(16, 0, 16).numbers['area']).toBe(5);
    expect(at(10, 1, 10)).toMatchObject({ code: 'walkable' });
    const ledge = at(7.1, 1, 10);
    expect(ledge).toMatchObject({ code: 'ledge', stage: 'filter' });
    expect(ledge.numbers['drop']).toBeCloseTo(1, 5);
    expect(ledge.message).toBe('A ledge: it drops 1 m beside it > climb 0.4 m.');
    expect(Math.abs(ledge.where![1])).toBeLessThan(0.11);
    const border = at(6.8, 0, 10);
    expect(border).toMatchObject({ code: 'near-border', stage: 'erode' });
    expect(border.numbers['distance']).toBeLessThan(0.5);
    expect(Math.abs(border.where![0] - 7)).toBeLessThan(0.26);
    expect(at(0.1, 0, 10)).toMatchObject({ code: 'edge' });
    expect(at(25, 0, 10)).toMatchObject({ code: 'no-triangles' });
    expect(at(10, 5, 10)).toMatchObject({ code: 'no-triangles', numbers: { distance: expect.closeTo(3.9, 5) } });
    expect(at(50, 0, 10)).toMatchObject({ code: 'outside' });
    // The table is hollow.
    expect(at(10, 0, 10)).toMatchObject({ code: 'ceiling', numbers: { clearance: expect.closeTo(0.9, 5) } });
    expect(at(7, 0.45, 10)).toMatchObject({ code: 'slope', numbers: { slope: 90 } });
    expect(at(2, 0, 2)).toMatchObject({ code: 'volume', numbers: { volume: 0 } });
    const speck = at(31, 0, 1);
    expect(speck).toMatchObject({ code: 'region-small', stage: 'regions' });
    expect(speck.numbers['size']).toBeLessThan(4);
    expect(speck.message).toMatch(/too small: 0\.\d+ m² < 4 m²/);
    expect(() => explainPosition(recordStages(level), [NaN, 0, 0])).toThrow(/^explainPosition: point/);
  });

  it.each(SCENES)('explains each position on a triangle of %s that is not on the mesh', (name) => {
    const seed = 20261121;
    const source = createRandom(seed);
    const random = (): number => nextRandom(source);
    const { input, options } = sceneOf(name);
    const level = prepareTiles(input, options);
    const { navMesh } = buildNavMesh(input, options);
    const without: Record<string, PreparedTiles> = {
      slope: prepareTiles(input, { ...options, agent: { ...options.agent, maxSlopeDegrees: 90 } }),
      ceiling: prepareTiles(input, { ...options, filterLowCeilings: false }),
      ledge: prepareTiles(input, { ...options, filterLedges: false }),
      radius: prepareTiles(input, {
        ...options,
        agent: { ...options.agent, radius: 0 },
        cellSize: level.config.cellSize,
      }),
      small: prepareTiles(input, { ...options, regionMinArea: 0 }),
    };
    const { positions, indices } = input;
    const counts: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round++) {
      const t = Math.floor(random() * (indices.length / 3));
      const [u, v] = [random(), random()];
      const [s, r] = u + v > 1 ? [1 - u, 1 - v] : [u, v];
      const corner = (k: number, axis: number): number => positions[3 * indices[3 * t + k] + axis];
      const point = [0, 1, 2].map(
        (axis) => corner(0, axis) + s * (corner(1, axis) - corner(0, axis)) + r * (corner(2, axis) - corner(0, axis)),
      );
      const slope = slopeDegrees(Array.from({ length: 9 }, (_, k) => corner((k / 3) | 0, k % 3)));
      const found = why(level, point);
      const label = `${name}, seed ${seed}, round ${round}: ${JSON.stringify({ point, slope, found })}`;
      counts[found.code] = (counts[found.code] ?? 0) + 1;
      const { cellHeight, walkableClimbCells, agent } = level.config;
      const reach = Math.max(walkableClimbCells, 2) * cellHeight;
      const on = findNearest(navMesh, point, { halfExtents: [1e-9, 1.2 * reach, 1e-9] });
      const onIt = findNearest(navMesh, point, { halfExtents: [1e-9, 1.5 * cellHeight, 1e-9] });
      if (found.code === 'walkable') expect(on.found, label).toBe(true);
      else expect(onIt.found && onIt.isOver && onIt.distance < 1.4 * cellHeight, label).toBe(false);
      const later = (key: string): PositionExplanation => why(without[key], found.place);
      const { numbers } = found;
      switch (found.code) {
        case 'slope':
          expect(numbers['slope'], label).toBeGreaterThan(agent.maxSlopeDegrees - 1e-3);
          break;
        case 'ceiling':
          expect(numbers['clearance'], label).toBeLessThan(numbers['height']);
          expect(later('ceiling').code, label).not.toBe('ceiling');
          break;
        case 'ledge':
        case 'steps':
        case 'edge':
          expect(['ledge', 'steps', 'edge'], label).not.toContain(later('ledge').code);
          if (found.code === 'ledge') expect(numbers['drop'], label).toBeGreaterThan(agent.maxClimb);
          if (found.code === 'steps') expect(numbers['rise'], label).toBeGreaterThan(agent.maxClimb);
          break;
        case 'near-border':
          expect(numbers['distance'], label).toBeLessThan(numbers['radiusInCells']);
          expect(later('radius').code, label).not.toBe('near-border');
          break;
        case 'region-small':
          expect(numbers['cells'], label).toBeLessThan(level.config.regionMinAreaCells);
          expect(later('small').code, label).not.toBe('region-small');
          break;
        case 'outside': {
          // The grid has whole columns, so up to half a column of the level lies beyond it.
          const { boundsMax, cellSize } = level.config;
          expect(Math.max(point[0] - boundsMax[0], point[2] - boundsMax[2]) + cellSize / 2, label).toBeGreaterThan(
            -1e-3,
          );
          break;
        }
        default:
          expect(
            ['walkable', 'buried', 'faces-down', 'degenerate', 'no-region', 'no-outline', 'simplified', 'no-triangles'],
            label,
          ).toContain(found.code);
      }
      // Each position on a triangle has a column.
      if (found.code === 'no-triangles') expect(slope, label).toBeNaN();
    }
    console.log(`${name}: ${JSON.stringify(counts)}`);
    expect(Object.keys(counts).length).toBeGreaterThan(2);
  });
});
