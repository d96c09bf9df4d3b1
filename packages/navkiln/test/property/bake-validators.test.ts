/**
 * Every stage of every small scene passes its validator, with each partitioning, with volumes and with
 * borders.
 */
import { createVolumes } from '../../src/build/voxel/volumes.ts';
import { optionsFromSettings } from '../../src/build/voxel/settings.ts';
import { describe, expect, it } from 'vitest';
import { levelScenes } from '../../../scenes/src/index.ts';
import type { BakeConfig, Partition } from '../../src/build/voxel/bake-config.ts';
import type { BuildOptions } from '../../src/build/voxel/options.ts';
import type { CompactField } from '../../src/build/voxel/types.ts';
import { validateCompactField } from '../../src/build/voxel/validate/compact-field.ts';
import { validateContourSet } from '../../src/build/voxel/validate/contour-set.ts';
import { validateDetailMesh } from '../../src/build/voxel/validate/detail-mesh.ts';
import { validateHeightfield } from '../../src/build/voxel/validate/heightfield.ts';
import { validatePolyMesh } from '../../src/build/voxel/validate/poly-mesh.ts';
import { volumesOver } from '../golden/cases.ts';
import { sceneLevel } from '../golden/levels.ts';
import { runNavkiln } from '../golden/stages.ts';

/** The most columns per scene. Cells are enlarged until a scene has no more. `npm run soak` sets NAVKILN_FULL. */
const MAX_COLUMNS = process.env.NAVKILN_FULL === undefined ? 6_000 : 40_000;
const PARTITIONS: readonly Partition[] = ['watershed', 'monotone', 'layers'];

/**
 * Without erosion, walls are closer together than simplification may move them. Outlines then cross, in
 * Recast's meshes, too. Everything up to the contours must be valid there, and polygons must still be
 * connected correctly.
 */
const MAY_OVERLAP: readonly string[] = ['not-convex', 'index', 't-junction', 'detail-flipped', 'detail-area'];

function violationsOf(
  name: string,
  change: BuildOptions,
  configChange: Partial<BakeConfig> = {},
  allowed: readonly string[] = [],
): string[] {
  const level = sceneLevel(name);
  const { records: r } = runNavkiln(level.input, { ...level.options, ...change }, configChange);
  const found: string[] = [];
  const note = (stage: string, violations: { where: string; code: string; message: string }[]): void => {
    const bad = violations.filter((one) => (stage !== 'polymesh' && stage !== 'detail') || !allowed.includes(one.code));
    for (const one of bad.slice(0, 3)) found.push(`${stage}: ${one.code}: ${one.message}`);
  };
  note('rasterize', validateHeightfield(r.rasterized!));
  note('filter', validateHeightfield(r.filtered!));
  note('compact', validateCompactField(r.compact!));
  const field: CompactField = {
    ...r.compact!,
    area: r.markedArea!,
    region: r.region!,
    regionCount: r.regionCount!,
    ...(r.distance === undefined ? {} : { distance: r.distance, maxDistance: r.maxDistance! }),
  };
  note('regions', validateCompactField(field));
  note('contours', validateContourSet(r.contours!));
  note('polymesh', validatePolyMesh(r.polyMesh!));
  note('detail', validateDetailMesh(r.detail!, r.polyMesh!));
  return found;
}

/** Returns a cell size at which the scene has few enough columns. */
function coarse(name: string): BuildOptions {
  const level = sceneLevel(name);
  const { cellSize, cellHeight } = level.options;
  let x0 = Infinity,
    x1 = -Infinity,
    z0 = Infinity,
    z1 = -Infinity;
  for (let k = 0; k < level.input.positions.length; k += 3) {
    x0 = Math.min(x0, level.input.positions[k]);
    x1 = Math.max(x1, level.input.positions[k]);
    z0 = Math.min(z0, level.input.positions[k + 2]);
    z1 = Math.max(z1, level.input.positions[k + 2]);
  }
  const columns = ((x1 - x0) * (z1 - z0)) / (cellSize! * cellSize!);
  const factor = Math.max(1, Math.sqrt(columns / MAX_COLUMNS));
  return { cellSize: cellSize! * factor, cellHeight: cellHeight! * Math.min(factor, 2) };
}

describe('every stage of every scene is valid', () => {
  it('has scenes', () => expect(levelScenes.length).toBeGreaterThan(10));

  for (const { name } of levelScenes) {
    it.each(PARTITIONS)(`${name}, %s`, (partition) => {
      const cells = coarse(name);
      expect(violationsOf(name, { ...cells, ...optionsFromSettings({ partition }) })).toEqual([]);
      const rich: BuildOptions = {
        ...cells,
        ...optionsFromSettings({ partition }),
        volumes: createVolumes(volumesOver(sceneLevel(name))),
        tessellateAreaEdges: true,
        medianAreas: true,
        maxVerticesPerPoly: 12,
      };
      expect(violationsOf(name, rich)).toEqual([]);
      const bare = { ...rich, agent: { ...sceneLevel(name).options.agent, radius: 0 }, filterLedges: false };
      expect(violationsOf(name, bare, {}, MAY_OVERLAP)).toEqual([]);
    });
  }

  it.each(PARTITIONS)('a tile with a border, %s', (partition) => {
    const level = sceneLevel('courtyard');
    const bounds = { min: [8, -1, 8], max: [24, 6, 24] };
    const { records: r } = runNavkiln(
      level.input,
      { ...level.options, bounds, ...optionsFromSettings({ partition }) },
      { borderCells: 5 },
    );
    const field: CompactField = { ...r.compact!, area: r.markedArea!, region: r.region!, regionCount: r.regionCount! };
    expect(field.region.some((id) => id > field.regionCount)).toBe(true);
    expect(validateCompactField(field)).toEqual([]);
    expect(validateContourSet(r.contours!)).toEqual([]);
    expect(r.contours!.count).toBeGreaterThan(0);
  });
});
