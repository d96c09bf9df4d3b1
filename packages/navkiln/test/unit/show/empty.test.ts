/** Bakes without a polygon: the reason, its numbers, and that the named remedy gives polygons. */
import { createVolumes } from '../../../src/build/voxel/volumes.ts';
import { describe, expect, it } from 'vitest';
import { agentRemedies, explainEmpty } from '../../../src/show/diagnose/empty/reason.ts';
import { diagnoseBake } from '../../../src/show/diagnose/diagnose.ts';
import { explainEmptySurface } from '../../../src/show/diagnose/empty/surface.ts';
import type { EmptyReason } from '../../../src/base/data/empty-reason.ts';
import { buildFromSurface } from '../../../src/build/surface/build.ts';
import type { SurfaceOptions } from '../../../src/build/surface/options.ts';
import { bakeNavMesh, buildNavMesh } from '../../../src/build/voxel/build.ts';
import type { BuildOptions } from '../../../src/build/voxel/options.ts';
import { flipped, floor, join } from '../build/voxel/levels.ts';
import type { Level } from '../build/voxel/levels.ts';

const mapped = (level: Level, change: (x: number, y: number, z: number) => number[]): Level => ({
  indices: level.indices,
  positions: level.positions.flatMap((_, i) =>
    i % 3 === 0 ? change(...(level.positions.slice(i, i + 3) as [number, number, number])) : [],
  ),
});
const scaled = (level: Level, by: number): Level => mapped(level, (x, y, z) => [x * by, y * by, z * by]);

/** A hall of 6 x 16 with a step, a beam above and a pillar; nothing of it is closed, so that it can be flipped. */
const hall = join(floor(0, 0, 6, 16), floor(1, 3, 3, 7, 0.2), flipped(floor(0, 12, 6, 13, 15)));
/** Floor and ceiling. */
const room = (side: number, height: number): Level =>
  join(floor(0, 0, side, side), flipped(floor(-1, -1, side + 1, side + 1, height)));

type Build = (level: Level, options: BuildOptions) => { polygons: number; reason?: EmptyReason; message: string };

/** The number of polygons; without any, why, in numbers and after the message of the warning. */
function resultOf(
  {
    report,
  }: {
    report: {
      counts: { polygons: number };
      warnings: readonly { code: string; message: string; reason?: EmptyReason }[];
    };
  },
  explain: () => { reason: EmptyReason; message: string },
): ReturnType<Build> {
  const found = report.warnings.find(({ code }) => code === 'empty-result');
  const { polygons } = report.counts;
  if (found === undefined) return { polygons, reason: undefined, message: '' };
  expect(found.reason).toBeUndefined();
  expect(found.message).toMatch(/of navkiln\/debug finds the setting that helps$/);
  const { reason, message } = explain();
  return { polygons, reason, message: `${found.message.slice(0, found.message.lastIndexOf(';'))}; ${message}` };
}

function bake(level: Level, options: BuildOptions): ReturnType<Build> {
  const result = buildNavMesh(level, options);
  return resultOf(result, () => diagnoseBake(level, options, result.navMesh).empty!);
}

function surfaceOf(level: Parameters<typeof buildFromSurface>[0], options: SurfaceOptions = {}): ReturnType<Build> {
  return resultOf(buildFromSurface(level, options), () => explainEmptySurface(level, options));
}

const builders: [name: string, Build][] = [
  ['voxel bake', bake],
  ['tiled bake', (level, options) => bake(level, { tileSize: 12, ...options })],
];

/** The level and options after what the reason names. */
function apply(level: Level, options: BuildOptions, { cause, option = '', value }: EmptyReason): [Level, BuildOptions] {
  if (cause === 'flipped-faces') return [flipped(level), options];
  if (cause === 'wrong-scale') return [scaled(level, value as number), options];
  if (cause === 'wrong-up-axis') {
    const sign = value === -90 ? 1 : -1;
    return [mapped(level, (x, y, z) => [x, sign * z, -sign * y]), options];
  }
  const [group, key] = option.split('.');
  if (key !== undefined) return [level, { ...options, [group]: { ...options.agent, [key]: value } }];
  return [level, { ...options, [option]: value }];
}

const cases: [name: string, level: Level, options: BuildOptions, expected: Partial<EmptyReason>, says: RegExp][] = [
  [
    'all faces flipped',
    flipped(hall),
    {},
    { cause: 'flipped-faces', option: 'input.indices', size: [6, 15, 16] },
    /level is 6 × 15 × 16 units, agent radius 0\.4, height 1\.8: faces flipped\? 104 square units face down and 6 up/,
  ],
  [
    'all faces flipped, alone',
    flipped(floor(0, 0, 6, 6)),
    {},
    { cause: 'flipped-faces', option: 'input.indices', facing: { up: 0, down: 36, plusZ: 0, minusZ: 0 } },
    /faces flipped\?.*36 square units face down and 0 up/,
  ],
  [
    'centimeters for meters',
    scaled(hall, 0.01),
    {},
    { cause: 'wrong-scale', option: 'input.positions', value: 100 },
    /0\.06 × 0\.15 × 0\.16 units.*wrong scale\?.*by 100, which gives polygons$/,
  ],
  ['millimeters for meters', scaled(floor(0, 0, 60, 40), 0.001), {}, { cause: 'wrong-scale' }, /wrong scale\?/],
  [
    'z up',
    mapped(hall, (x, y, z) => [x, -z, y]),
    {},
    { cause: 'wrong-up-axis', option: 'input.positions', value: -90 },
    /z up\? .* square units face along \+z and 0 up/,
  ],
  ['-z up', mapped(hall, (x, y, z) => [x, z, -y]), {}, { cause: 'wrong-up-axis', value: 90 }, /-z up\?/],
  [
    'headroom too low',
    room(20, 1.3),
    { bounds: { min: [1, -1, 1], max: [19, 2, 19] } },
    { cause: 'low-headroom', option: 'agent.height' },
    /headroom too low\? set agent\.height to 1\.2 or less, which/,
  ],
  [
    'a radius larger than the room',
    floor(0, 0, 3, 3),
    { agent: { radius: 2 } },
    { cause: 'large-radius', option: 'agent.radius' },
    /radius\? set agent\.radius to 0\.4\d or less, which/,
  ],
  [
    'a beam narrower than the body',
    floor(0, 0, 8, 0.6),
    {},
    { cause: 'large-radius', option: 'agent.radius' },
    /or less/,
  ],
  [
    'a hillside',
    mapped(floor(0, 0, 20, 20), (x, _, z) => [x, 0.8 * x, z]),
    { agent: { maxSlopeDegrees: 30 } },
    { cause: 'too-steep', option: 'agent.maxSlopeDegrees', value: 39 },
    /steeper than 38 degrees, and the limit is 30; set agent\.maxSlopeDegrees to 39, which/,
  ],
  [
    'cells larger than the level',
    floor(0, 0, 8, 6),
    { cellSize: 20 },
    { cause: 'coarse-cells', option: 'cellSize', value: 0.2 },
    /cells too coarse\? they are 20 wide/,
  ],
  [
    'small pieces',
    floor(0, 0, 8, 6),
    { regionMinArea: 1000 },
    { cause: 'small-pieces', option: 'regionMinArea', value: 0 },
    /pieces too small\?/,
  ],
  [
    'a coarse outline',
    floor(0, 0, 8, 6),
    { cellSize: 0.25, cellHeight: 0.2, maxEdgeError: 100 },
    { cause: 'coarse-outlines', option: 'maxEdgeError' },
    /outlines too coarse\?/,
  ],
  [
    'bounds beside it',
    floor(0, 0, 8, 6),
    { bounds: { min: [20, -1, 20], max: [30, 1, 30] } },
    { cause: 'outside-bounds', option: 'bounds' },
    /wrong bounds\?/,
  ],
  [
    'a volume over all',
    floor(0, 0, 8, 6),
    { volumes: createVolumes([{ type: 'box', area: 0, min: [-1, -1, -1], max: [9, 9, 9] }]) },
    { cause: 'cut-by-volumes', option: 'volumes' },
    /volumes of area 0/,
  ],
];

describe.each(builders)('%s', (name, build) => {
  it.each(cases)('%s', (title, level, options, expected, says) => {
    // A tile has a least size in cells.
    if (name === 'tiled bake' && title === 'cells larger than the level') return;
    const { polygons, reason, message } = build(level, options);
    expect(polygons).toBe(0);
    expect(reason).toMatchObject({ ...expected, isTried: true });
    expect(message).toMatch(says);
    const after = build(...apply(level, options, reason!));
    expect(after.polygons).toBeGreaterThan(0);
    expect(after.reason).toBeUndefined();
  });

  it('an empty level, and one without finite corners', () => {
    for (const positions of [[], [NaN, 0, 0, 0, 0, 1, 1, 0, 0]]) {
      const { reason, message } = build(
        { positions, indices: positions.map((_, i) => i).slice(0, positions.length / 3) },
        {},
      );
      expect(reason).toMatchObject({ cause: 'no-triangles', size: [0, 0, 0], triangles: 0, isTried: false });
      expect(message).toContain('no triangles');
    }
  });

  it('areas that are all 0', () => {
    const level = floor(0, 0, 8, 6);
    expect(build({ ...level, areas: [0, 0] }, {}).reason).toMatchObject({ cause: 'no-areas', option: 'input.areas' });
    expect(build({ ...level, areas: [1, 1] }, {}).polygons).toBeGreaterThan(0);
  });

  it('names nothing when no single change helps', () => {
    const wall: Level = { positions: [0, 0, 0, 0, 3, 0, 0, 0, 4], indices: [0, 1, 2] };
    const { reason, message } = build(wall, {});
    expect(reason).toMatchObject({ cause: 'unknown', isTried: false, triangles: 1 });
    expect(Object.keys(reason!)).not.toContain('option');
    expect(message).toMatch(/level is 0 × 3 × 4 units.*none of the tried changes/);
  });

  it('names what is certain when one change is not enough', () => {
    const cliff = mapped(floor(0, 0, 20, 20), (x, _, z) => [x, 2.2 * x, z]);
    const { reason, message } = build(cliff, {});
    expect(reason).toMatchObject({ cause: 'too-steep', value: 66, isTried: false });
    expect(message).toMatch(/set agent\.maxSlopeDegrees to 66$/);
  });
});

const surface: [name: string, level: Level, options: SurfaceOptions, expected: Partial<EmptyReason>][] = [
  [
    'all faces flipped',
    flipped(join(floor(0, 0, 6, 16), floor(1, 3, 3, 7, 0.2))),
    {},
    { cause: 'flipped-faces', size: [6, 0.2, 16] },
  ],
  [
    'millimeters for meters',
    scaled(floor(0, 0, 60, 40), 1e-6),
    {},
    { cause: 'wrong-scale', option: 'input.positions' },
  ],
  ['z up', mapped(hall, (x, y, z) => [x, -z, y]), {}, { cause: 'wrong-up-axis', value: -90 }],
  ['too steep', mapped(floor(0, 0, 20, 20), (x, _, z) => [x, 1.5 * x, z]), {}, { cause: 'too-steep', value: 57 }],
  ['headroom too low', room(20, 1.3), {}, { cause: 'low-headroom', option: 'agent.height' }],
  ['a radius larger than the room', floor(0, 0, 3, 3), { agent: { radius: 2 } }, { cause: 'large-radius' }],
  ['small pieces', floor(0, 0, 3, 3), { islandMinArea: 10 }, { cause: 'small-pieces', option: 'islandMinArea' }],
  ['a coarse tolerance', floor(0, 0, 3, 3), { weldTolerance: 20 }, { cause: 'coarse-weld', option: 'weldTolerance' }],
];

describe('surface build', () => {
  it.each(surface)('%s', (_, level, options, expected) => {
    const before = surfaceOf(level, options);
    expect(before.polygons).toBe(0);
    expect(before.reason).toMatchObject({ ...expected, isTried: true });
    expect(before.message).toMatch(/^the mesh is empty; the level is .* × .*, agent radius .*, which gives polygons$/);
    const [changed, better] = apply(level, options as BuildOptions, before.reason!);
    const after = surfaceOf(changed, better as SurfaceOptions);
    expect(after.polygons).toBeGreaterThan(0);
    expect(after.reason).toBeUndefined();
  });

  it('an empty level, no level, and areas that are all 0', () => {
    for (const level of [{ positions: [] }, []]) {
      expect(surfaceOf(level).reason).toMatchObject({ cause: 'no-triangles', triangles: 0 });
    }
    const { reason } = surfaceOf({ ...floor(0, 0, 3, 3), areas: [0, 0] });
    expect(reason).toMatchObject({ cause: 'no-areas', option: 'input.areas', isTried: true });
  });
});

it('is the same from bakeNavMesh', async () => {
  const { report } = await bakeNavMesh(flipped(hall));
  expect(report.warnings).toEqual(buildNavMesh(flipped(hall)).report.warnings);
});

describe('the number of trials', () => {
  const infinite = {
    size: [1e154, 1, 1e154] as [number, number, number],
    triangles: 2,
    upByDegree: new Float64Array(90),
  };
  const facing = { up: 1, down: 0, plusZ: 0, minusZ: 0 };

  it('is bounded for values of any size', () => {
    let trials = 0;
    const agent = { radius: 1e150, height: 1.8, maxSlopeDegrees: 45 };
    const measures = { ...infinite, facing };
    const { radius, headroom } = agentRemedies(measures, agent, () => {
      trials++;
      return false;
    });
    const { reason } = explainEmpty(measures, agent, [radius, headroom]);
    expect(reason.cause).toBe('unknown');
    expect(trials).toBe(40);
  });

  it('does not try radii larger than the level', () => {
    // The only floor is 3 wide; half of 1e150 would take 500 trials to come down to its size.
    expect(bake(room(3, 2), { agent: { radius: 1e150 }, cellSize: 0.2 }).reason).toMatchObject({
      cause: 'large-radius',
      isTried: true,
    });
  });
});
