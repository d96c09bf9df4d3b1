/**
 * The warning `low-coverage`: levels whose losses are known from their measures, for one tile, tiles, and `buildNavMeshes`. The oracle is
 * arithmetic on the level, and `diagnoseBake`, which measures with a pass over all spans.
 */
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { describe, expect, it } from 'vitest';
import { addBox, createBuilder, finishMesh } from '../../../../../scenes/src/builder.ts';
import { levelScenes, randomLevel, RANDOM_LEVEL_KINDS } from '../../../../../scenes/src/index.ts';
import { diagnoseBake } from '../../../../src/show/diagnose/diagnose.ts';
import { buildNavMeshes } from '../../../../src/build/voxel/build-many.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import type { BuildOptions, TriangleInput } from '../../../../src/build/voxel/options.ts';
import type { BuildWarning } from '../../../../src/build/voxel/report.ts';

/** A floor of 20 by 20, and a box in each unit square, but for a part of 20 by 4: `inset` apart, from `bottom` to `top`. */
function hall(inset: number, bottom: number, top: number): TriangleInput {
  const builder = createBuilder();
  addBox(builder, [0, -0.2, 0], [20, 0, 20]);
  for (let x = 0; x < 20; x++)
    for (let z = 0; z < 16; z++)
      addBox(builder, [x + inset, bottom, z + inset], [x + 1 - inset, top + ((x + z) % 2) * 0.55, z + 1 - inset]);
  return finishMesh(builder);
}

const lossOf = (input: TriangleInput, options: BuildOptions = {}): BuildWarning | undefined =>
  buildNavMesh(input, options).report.warnings.find(({ code }) => code === 'low-coverage');

describe('low-coverage', () => {
  const cases: [string, TriangleInput, keyof NonNullable<BuildWarning['losses']>, number][] = [
    // Tables of 0.8 by 0.8, each more than a step higher or lower than the next.
    ['ceilings too low', hall(0.1, 1, 1.2), 'filter', 400 + 320 * 0.8 ** 2],
    // Corridors of 0.7 between pillars of 0.3, whose tops are ledges.
    ['corridors too narrow', hall(0.35, 0, 3), 'erode', 400],
  ];
  for (const [name, input, stage, flat] of cases)
    it.each([0, 4, 12])(`${name}: tiles of %i`, (tileSize) => {
      const warning = lossOf(input, { tileSize })!;
      expect(warning).toMatchObject({ stage, count: 1, message: expect.stringContaining(`most to ${stage}`) });
      const { area, losses } = warning;
      expect(losses!.filter + losses!.erode + losses!.regions).toBeCloseTo(area!, 6);
      expect(Math.max(...Object.values(losses!))).toBe(losses![stage]);
      expect(area!).toBeGreaterThan(0.7 * 0.95 * flat);
      expect(area!).toBeLessThan(1.15 * flat);
      const { meshArea, stages } = diagnoseBake(input, {}, buildNavMesh(input).navMesh);
      expect(Math.abs(area! - (stages!.slope - meshArea))).toBeLessThan(0.1 * flat);
    });

  it('pieces too small: the stage is regions', () => {
    const builder = createBuilder();
    addBox(builder, [0, 0, 0], [20, 0.2, 20]);
    // Platforms of 8 by 8 that nothing joins to the floor.
    for (let x = 0; x < 90; x += 9) for (let z = 22; z < 67; z += 9) addBox(builder, [x, 1, z], [x + 8, 1.2, z + 8]);
    const warning = lossOf(finishMesh(builder), { regionMinArea: 100 })!;
    expect(warning).toMatchObject({ stage: 'regions' });
    // 50 platforms, of which the radius leaves 7.2 by 7.2, and ledges 0.4 less.
    expect(warning.losses!.regions).toBeGreaterThan(50 * 6.6 ** 2);
    expect(warning.losses!.regions).toBeLessThan(50 * 7.4 ** 2);
  });

  it('each size has its own, and strict bakes throw', () => {
    const input = hall(0.35, 0, 3);
    const agent = { height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };
    const meshes = buildNavMeshes(input, {}, [
      { name: 'small', ...agent, radius: 0.1 },
      { name: 'large', ...agent, radius: 0.4 },
    ]);
    const codes = meshes.map(({ report }) => report.warnings.map(({ code }) => code));
    expect(codes[0]).not.toContain('low-coverage');
    expect(codes[1]).toContain('low-coverage');
    expect(() => buildNavMesh(input, { strict: true })).toThrow(
      /^buildNavMesh: .* are lost, most to erode: .* diagnoseBake/,
    );
  });

  it('what volumes cut is not lost', () => {
    const builder = createBuilder();
    addBox(builder, [0, -0.2, 0], [40, 0, 40]);
    const volumes = createVolumes([{ type: 'box', area: 0, min: [-1, -1, -1], max: [36, 1, 41] }]);
    expect(lossOf(finishMesh(builder), { volumes })).toBe(undefined);
  });

  it('scenes and random levels that are covered have none', () => {
    for (const scene of levelScenes.filter(({ name }) => /^house$/.test(name)))
      for (const tileSize of [0, 8]) expect(lossOf(scene.create(), { tileSize })).toBe(undefined);
    for (const kind of RANDOM_LEVEL_KINDS.slice(0, 3)) {
      const level = randomLevel(kind, 1);
      expect(lossOf(level, { agent: level.agent })).toBe(undefined);
    }
  });
});
