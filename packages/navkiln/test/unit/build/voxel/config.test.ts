import { describe, expect, it } from 'vitest';
import { AGENT_DEFAULTS, leastBytes, resolveConfig } from '../../../../src/build/voxel/config.ts';
import { prepareInput } from '../../../../src/build/voxel/input.ts';
import type { BakeConfig } from '../../../../src/build/voxel/bake-config.ts';
import type { AreaVolume, BuildOptions } from '../../../../src/build/voxel/options.ts';
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';

const input = prepareInput({ positions: [0, -1, 0, 0, -1, 8, 10, 3, 0] });
const resolve = (options: BuildOptions = {}): BakeConfig => resolveConfig(input, options);
const f = Math.fround;

describe('resolveConfig', () => {
  it('derives everything from the agent', () => {
    const config = resolve();
    expect(config.agent).toEqual(AGENT_DEFAULTS);
    expect(config.cellSize).toBe(f(0.2));
    expect(config.cellHeight).toBeCloseTo(0.1, 6);
    expect([config.widthCells, config.depthCells]).toEqual([50, 40]);
    expect([config.walkableHeightCells, config.walkableClimbCells, config.walkableRadiusCells]).toEqual([18, 4, 2]);
    expect(config.boundsMin).toEqual([0, -1, 0]);
    expect(config.boundsMax).toEqual([10, 3, 8]);
    expect(config.maxEdgeLengthCells).toBe(40);
    expect(config.maxEdgeErrorCells).toBeCloseTo(1.3, 6);
    expect([config.regionMinAreaCells, config.regionMergeAreaCells]).toEqual([64, 400]);
    expect(config.detailSampleDistance).toBeCloseTo(1.2, 6);
    expect(config.detailMaxError).toBe(config.cellHeight);
    expect([config.partition, config.maxVerticesPerPoly]).toEqual(['watershed', 6]);
    expect(resolve({ agent: { radius: 0, height: 2 } }).cellSize).toBe(f(0.2));
    expect(resolve({ agent: { radius: 0, height: 2 } }).maxEdgeLengthCells).toBe(40);
  });

  it('makes the climb a whole number of voxels, which are a quarter to a half of a cell high', () => {
    for (const radius of [0.2, 0.3, 0.35, 0.4, 1])
      for (const maxClimb of [0.1, 0.25, 0.3, 0.4, 0.45, 0.9]) {
        const { cellSize, cellHeight, walkableClimbCells } = resolve({ agent: { radius, maxClimb } });
        expect(walkableClimbCells * cellHeight).toBeCloseTo(maxClimb < cellSize / 4 ? 0 : maxClimb, 6);
        expect(cellHeight).toBeLessThanOrEqual(f(cellSize / 2) * (1 + 1e-6));
        expect(cellHeight).toBeGreaterThanOrEqual(cellSize / 4 - 1e-6);
      }
    expect(resolve({ agent: { maxClimb: 0 } }).cellHeight).toBe(f(f(0.2) / 2));
  });

  it('counts 0.6 / 0.2 as 3 cells, rounds the body up and the climb down', () => {
    const cells = (radius: number, height: number, maxClimb: number): number[] => {
      const c = resolve({ cellSize: 0.2, cellHeight: 0.2, agent: { radius, height, maxClimb } });
      return [c.walkableRadiusCells, c.walkableHeightCells, c.walkableClimbCells];
    };
    expect(cells(0.6, 0.6, 0.6)).toEqual([3, 3, 3]);
    expect(cells(0.61, 0.61, 0.61)).toEqual([4, 4, 3]);
    expect(cells(0.59, 0.59, 0.59)).toEqual([3, 3, 2]);
    expect(cells(0, 1.8, 0)).toEqual([0, 9, 0]);
    for (let k = 1; k <= 50; k++) expect(cells(0.2 * k, 0.2 * k, 0.2 * k)).toEqual([k, k, k]);
  });

  it('treats undefined as absent', () => {
    expect(resolve({ cellSize: undefined, agent: { radius: undefined }, volumes: undefined })).toEqual(resolve());
  });

  it('bakes within given bounds', () => {
    const config = resolve({ bounds: { min: [1, 0, 1], max: [3.1, 1, 2] }, cellSize: 0.5 });
    expect([config.widthCells, config.depthCells, config.boundsMin]).toEqual([4, 2, [1, 0, 1]]);
    expect(resolveConfig(prepareInput({ positions: [] }), {}).widthCells).toBe(0);
  });

  it("keeps the agent's height and climb within what a span can hold", () => {
    const config = resolve({ agent: { height: 1e9, maxClimb: 1e9 } });
    expect([config.walkableHeightCells, config.walkableClimbCells]).toEqual([8191, 8191]);
  });

  // The options, and the text of the message besides the key and the value.
  const bad: [key: string, options: unknown, value: string, remedy: string][] = [
    ['agent.radius', { agent: { radius: -1 } }, '-1', 'must be >= 0'],
    ['agent.height', { agent: { height: 0 } }, '0', 'must be > 0'],
    ['agent.maxClimb', { agent: { maxClimb: NaN } }, 'NaN', 'must be >= 0'],
    ['agent.maxSlopeDegrees', { agent: { maxSlopeDegrees: 91 } }, '91', 'from 0 to 90'],
    ['cellSize', { cellSize: 0 }, '0', 'must be > 0'],
    ['cellSize', { cellSize: NaN }, 'NaN', 'must be > 0'],
    ['cellHeight', { cellHeight: -0.5 }, '-0.5', 'must be > 0'],
    ['cellHeight', { cellHeight: Infinity }, 'Infinity', 'must be > 0'],
    ['partition', { partition: 'voronoi' }, 'voronoi', "'watershed', monotonePartition or layersPartition"],
    ['maxEdgeLength', { maxEdgeLength: -1 }, '-1', 'must be >= 0'],
    ['maxEdgeError', { maxEdgeError: Infinity }, 'Infinity', 'must be >= 0'],
    ['regionMinArea', { regionMinArea: -4 }, '-4', 'must be >= 0'],
    ['regionMergeArea', { regionMergeArea: NaN }, 'NaN', 'must be >= 0'],
    ['maxVerticesPerPoly', { maxVerticesPerPoly: 2 }, '2', 'from 3 to 12'],
    ['maxVerticesPerPoly', { maxVerticesPerPoly: 13 }, '13', 'from 3 to 12'],
    ['maxVerticesPerPoly', { maxVerticesPerPoly: 4.5 }, '4.5', 'a whole number'],
    ['detailSampleDistance', { detailSampleDistance: -1 }, '-1', 'must be >= 0'],
    ['detailMaxError', { detailMaxError: -1 }, '-1', 'must be >= 0'],
    ['memoryLimitBytes', { memoryLimitBytes: 0 }, '0', 'must be > 0'],
    ['volumes[0].type', { volumes: [{ type: 'ball', area: 1 }] }, 'ball', "'box', 'cylinder' or 'prism'"],
    ['volumes[1].area', { volumes: [box(1), box(64)] }, '64', 'from 0 to 63'],
    ['volumes[0].min', { volumes: [{ ...box(1), min: [0, 0] }] }, '', '3 numbers'],
    ['volumes[0].max[1]', { volumes: [{ ...box(1), max: [0, NaN, 0] }] }, 'NaN', 'a finite number'],
    [
      'volumes[0].radius',
      { volumes: [{ type: 'cylinder', area: 1, center: [0, 0, 0], radius: -1, height: 1 }] },
      '-1',
      'must be >= 0',
    ],
    [
      'volumes[0].height',
      { volumes: [{ type: 'cylinder', area: 1, center: [0, 0, 0], radius: 1, height: NaN }] },
      'NaN',
      'must be >= 0',
    ],
    [
      'volumes[0].outline',
      { volumes: [{ type: 'prism', area: 1, outline: [[0, 0]], minY: 0, maxY: 1 }] },
      '1',
      'must be >= 3',
    ],
    [
      'volumes[0].maxY',
      {
        volumes: [
          {
            type: 'prism',
            area: 1,
            outline: [
              [0, 0],
              [0, 1],
              [1, 0],
            ],
            minY: 0,
            maxY: NaN,
          },
        ],
      },
      'NaN',
      'finite',
    ],
    [
      'volumes[0].outline[2][1]',
      {
        volumes: [
          {
            type: 'prism',
            area: 1,
            outline: [
              [0, 0],
              [0, 1],
              [1, NaN],
            ],
            minY: 0,
            maxY: 1,
          },
        ],
      },
      'NaN',
      'finite',
    ],
    ['bounds', { bounds: { min: [0, 0, 0] } }, '', '{ min: [x, y, z], max: [x, y, z] }'],
    ['bounds.max[1]', { bounds: { min: [0, 0, 0], max: [1, -1, 1] } }, '-1', 'from 0 to 1e+30'],
    ['bounds.min[2]', { bounds: { min: [0, 0, NaN], max: [1, 1, 1] } }, 'NaN', 'from -1e+30'],
    ['bounds', { bounds: null }, 'null', '{ min: [x, y, z], max: [x, y, z] }'],
    ['cellSize', { cellSize: '0.3' }, '0.3', 'must be > 0'],
    ['cellSize', { cellSize: 1e-60 }, '0', 'must be > 0'],
    ['cellHeight', { cellHeight: true }, 'true', 'must be > 0'],
    ['partition', { partition: 'monotone' }, 'monotone', 'monotonePartition'],
    ['volumes', { volumes: [box(1)] }, 'an object', 'the result of createVolumes'],
    ['volumes', { volumes: null }, 'null', 'the result of createVolumes'],
    ['links', { links: [] }, '[]', 'the result of createLinks'],
    ['dynamic', { dynamic: true }, 'true', 'dynamicLayers'],
    ['sizes', { sizes: [] }, '[]', 'the result of createAgentSizes'],
    ['volumes[0].type', { volumes: [null] }, 'undefined', "'box', 'cylinder' or 'prism'"],
    ['volumes[0].area', { volumes: [box(1.5)] }, '1.5', 'a whole number'],
    ['volumes[0].min', { volumes: [{ type: 'box', area: 1 }] }, 'undefined', '3 numbers'],
    ['filterLedges', { filterLedges: 0 }, '0', 'true or false'],
    ['strict', { strict: 'yes' }, 'yes', 'true or false'],
    ['onProgress', { onProgress: 1 }, '1', 'a function'],
    ['workspace', { workspace: 1 }, '1', 'made by createWorkspace()'],
  ];
  function box(area: number): object {
    return { type: 'box', area, min: [0, 0, 0], max: [1, 1, 1] };
  }
  it.each(bad)('refuses an invalid %s with its value and the remedy', (key, options, value, remedy) => {
    let message = '';
    try {
      const { volumes } = options as { volumes: AreaVolume[] };
      if (key.startsWith('volumes[')) createVolumes(volumes);
      else resolve(options as BuildOptions);
    } catch (error) {
      expect(error instanceof RangeError || error instanceof TypeError).toBe(true);
      message = (error as Error).message;
    }
    expect(message).toContain(key.startsWith('volumes[') ? `createVolumes: ${key}` : `resolveConfig: options.${key}`);
    expect(message).toContain(value);
    expect(message).toContain(remedy);
  });

  it('refuses unknown keys and names the known ones', () => {
    expect(() => resolve({ cellsize: 1 } as never)).toThrow(
      /^resolveConfig: options\.cellsize is unknown; known keys: .*\bcellSize\b/,
    );
    expect(() => resolve({ voxels: 1 } as never)).toThrow(/options\.voxels is unknown; known keys: agent, .*cellSize/);
    expect(() => resolve({ agent: { size: 1 } as never })).toThrow(
      /options\.agent\.size is unknown; known keys: radius/,
    );
    expect(() => resolve(null as never)).toThrow(/options is null; must be an object/);
    expect(() => resolve({ agent: 5 as never })).toThrow(/options\.agent is 5; must be an object/);
  });

  it('computes the memory of a grid before anything is allocated', () => {
    const huge = prepareInput({ positions: [0, 0, 0, 0, 0, 1e5, 1e5, 0, 0] });
    let message = '';
    try {
      resolveConfig(huge, { cellSize: 0.1 });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^resolveConfig: options\.cellSize is 0\.1, which makes 1000000 x 1000000 columns/);
    expect(message).toMatch(/set a tileSize; centimeters\? scale by 0\.01$/);
    // The cellSize that it names is one that fits.
    const named = Number(/must be >= ([\d.]+)/.exec(message)![1]);
    expect(() => resolveConfig(huge, { cellSize: named })).not.toThrow();
    expect(() => resolveConfig(huge, { cellSize: named * 0.9 })).toThrow(RangeError);
    // The limit can be set.
    const limit = leastBytes(50, 40, 1000);
    expect(() => resolve({ memoryLimitBytes: limit })).not.toThrow();
    expect(() => resolve({ memoryLimitBytes: limit - 1 })).toThrow(/must be .* for the .* of memoryLimitBytes/);
    // A wide level with little floor takes less than one that is floor all over.
    const corners = [0, 0, 0, 0, 0, 20, 20, 0, 20, 2000, 0, 2000, 2000, 0, 2020, 2020, 0, 2020];
    const bounds = { min: [0, 0, 0], max: [2020, 1, 2020] };
    expect(() => resolveConfig(prepareInput({ positions: corners }), { cellSize: 0.15 })).not.toThrow();
    const covered = [0, 0, 0, 0, 0, 4000, 4000, 0, 0, 4000, 0, 0, 0, 0, 4000, 4000, 0, 4000];
    expect(() => resolveConfig(prepareInput({ positions: covered }), { cellSize: 0.15 })).toThrow(/memory|GiB/);
    expect(() => resolveConfig(prepareInput({ positions: covered }), { cellSize: 0.15, bounds })).toThrow(/GiB/);
    expect(resolveConfig(huge, { cellSize: 0.1, memoryLimitBytes: 1e15 }).widthCells).toBe(1_000_000);
  });
});
