/**
 * Bakes of several sizes at once have the bytes, counts and warnings of separate bakes. NAVKILN_FULL: all scenes and the real
 * levels, every partition, whole and in tiles; otherwise one scene each.
 */
import { createLinks } from '../../../../src/build/voxel/link-list.ts';
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { dynamicLayers } from '../../../../src/build/voxel/obstacles/baked-layers.ts';
import { optionsFromSettings } from '../../../../src/build/voxel/settings.ts';
import { describe, expect, it } from 'vitest';
import { createWorkspace } from '../../../../src/base/data/workspace.ts';

import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { buildNavMeshes } from '../../../../src/build/voxel/build-many.ts';

import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { createObstacles } from '../../../../src/build/voxel/obstacles/create-obstacles.ts';
import type { AgentSize, BuildOptions, TriangleInput } from '../../../../src/build/voxel/options.ts';
import type { Partition } from '../../../../src/build/voxel/bake-config.ts';
import { OBJ_NAMES, SCENE_NAMES, hasObjLevels, objLevel, sceneLevel } from '../../../golden/levels.ts';
import { floor } from './levels.ts';

const isFull = process.env.NAVKILN_FULL !== undefined;

/** Radii of 1, 2, 3 and 6 cells, two heights, two climbs, in cells of the level. */
function sizesOf({ cellSize = 0.3, cellHeight = 0.2, agent }: BuildOptions): AgentSize[] {
  const height = agent?.height ?? 1.8;
  const maxClimb = agent?.maxClimb ?? 0.4;
  return [
    { name: 'rat', radius: cellSize, height: height / 2, maxClimb },
    { name: 'human', radius: 2 * cellSize, height, maxClimb },
    { name: 'twin', radius: 2 * cellSize, height, maxClimb },
    { name: 'guard', radius: 3 * cellSize, height, maxClimb },
    { name: 'ogre', radius: 6 * cellSize, height: 1.5 * height, maxClimb: maxClimb + 2 * cellHeight },
    { name: 'point', radius: 0, height, maxClimb },
  ];
}

function compare(name: string, input: TriangleInput, options: BuildOptions): void {
  const { agent, cellSize = 0.3, cellHeight = 0.2 } = options;
  const all = { ...options, cellSize, cellHeight };
  const sizes = sizesOf(all);
  const made = buildNavMeshes(input, all, sizes);
  expect(made.map((one) => one.name)).toEqual(sizes.map((one) => one.name));
  made.forEach(({ navMesh, report }, i) => {
    const { name: size, ...own } = sizes[i];
    const alone = buildNavMesh(input, { ...all, agent: { ...agent, ...own } });
    const isSame = Buffer.compare(Buffer.from(saveNavMesh(navMesh)), Buffer.from(saveNavMesh(alone.navMesh))) === 0;
    expect(isSame, `${name}, ${size}`).toBe(true);
    expect(report.counts, `${name}, ${size}`).toEqual(alone.report.counts);
    expect(report.config, `${name}, ${size}`).toEqual(alone.report.config);
    const told = (warnings: typeof report.warnings): unknown =>
      warnings.map((one) => ({ ...one, message: one.message.replace('buildNavMeshes', 'buildNavMesh') }));
    expect(told(report.warnings), `${name}, ${size}`).toEqual(told(alone.report.warnings));
    if (navMesh.polyCount > 0) expect(validateNavMesh(navMesh)).toEqual([]);
  });
}

const PARTITIONS: readonly Partition[] = ['watershed', 'monotone', 'layers'];
const scenes = isFull ? SCENE_NAMES : ['house'];
const room = floor(0, 0, 8, 6);

describe('buildNavMeshes', () => {
  for (const name of scenes) {
    for (const partition of isFull ? PARTITIONS : (['monotone'] as const)) {
      it(`has the bytes of separate bakes: ${name}, ${partition}`, () => {
        const { input, options } = sceneLevel(name);
        const cellSize = isFull ? options.cellSize : 0.5;
        compare(name, input, { ...options, cellSize, ...optionsFromSettings({ partition }) });
        // Small tiles take long; the room below has some.
        if (isFull)
          compare(`${name} in tiles`, input, {
            ...options,
            cellSize,
            ...optionsFromSettings({ partition }),
            tileSize: 24 * (cellSize ?? 0.3),
          });
      });
    }
  }

  it.runIf(isFull && hasObjLevels)('has the bytes of separate bakes: real levels', () => {
    for (const name of OBJ_NAMES) {
      const { input, options } = objLevel(name);
      for (const partition of PARTITIONS) compare(name, input, { ...options, ...optionsFromSettings({ partition }) });
    }
  });

  it('with volumes, obstacles, bounds, links and a workspace', () => {
    const options: BuildOptions = {
      cellSize: 0.25,
      cellHeight: 0.2,
      volumes: createVolumes([{ type: 'box', min: [1, -1, 1], max: [3, 1, 3], area: 5, name: 'mud' }]),
      obstacles: createObstacles([{ type: 'box', position: [4.5, 0, 2.5], size: [1, 2, 1] }]),
      bounds: { min: [0, -1, 0], max: [7, 3, 6] },
      links: createLinks([{ start: [1, 0, 5], end: [6, 0, 5], bothWays: true }]),
      workspace: createWorkspace(),
    };
    compare('room', room, options);
    compare('room in tiles', room, { ...options, tileSize: 4 });
  });

  it('takes the cells of the smallest size', () => {
    const made = buildNavMeshes(room, {}, [
      { name: 'large', radius: 0.8, height: 2 },
      { name: 'small', radius: 0.4, height: 1 },
    ]);
    for (const { navMesh } of made) expect(navMesh.cellSize).toBe(Math.fround(0.2));
    expect(made.map(({ navMesh }) => navMesh.agent.radius)).toEqual([0.8, 0.4]);
  });

  it('adds automatic links to each mesh', () => {
    const seen: number[] = [];
    const autoLinks = {
      addTo: (_caller: string, _input: unknown, { agent }: BuildOptions) => seen.push(agent!.radius!),
    } as unknown as NonNullable<BuildOptions['autoLinks']>;
    buildNavMeshes(room, { autoLinks }, [
      { name: 'a', radius: 0.4, height: 2 },
      { name: 'b', radius: 0.6, height: 2 },
    ]);
    expect(seen).toEqual([0.4, 0.6]);
  });

  it('refuses invalid sizes', () => {
    const size = { name: 'a', radius: 0.4, height: 2 };
    const refused = (sizes: unknown, message: string, options: BuildOptions = {}): void => {
      expect(() => buildNavMeshes(room, options, sizes as AgentSize[])).toThrow(message);
    };
    refused([], 'buildNavMeshes: sizes.length is 0; must be 1 .. 16');
    refused(undefined, 'buildNavMeshes: sizes is undefined');
    refused([size, size], 'buildNavMeshes: sizes[1].name is "a"; must be a name of its own');
    refused([{ ...size, height: -1 }], 'buildNavMeshes: sizes[0].height is -1; must be a number > 0');
    refused([{ ...size, radius: NaN }], 'buildNavMeshes: sizes[0].radius is NaN; must be a number >= 0');
    refused([{ ...size, climb: 1 }], 'sizes[0].climb');
    refused([{ ...size, maxClimb: -1 }], 'sizes[0].maxClimb');
    refused([size], 'options.dynamic', { dynamic: dynamicLayers, tileSize: 8 });
    refused([{ ...size, radius: 8 }], 'options.tileSize', { tileSize: 4, cellSize: 0.2 });
  });
});
