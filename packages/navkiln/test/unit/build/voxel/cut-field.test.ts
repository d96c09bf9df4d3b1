/** Fields that holes are cut out of, compared with those of a bake that cuts the holes out of the solid spans. */
import { describe, expect, it } from 'vitest';
import { REMOVED_Y } from '../../../../src/base/constants.ts';
import { createWorkspace } from '../../../../src/base/data/workspace.ts';
import { cutHoles, spansInHole } from '../../../../src/build/voxel/obstacles/carve.ts';
import { buildCompactField } from '../../../../src/build/voxel/field/compact.ts';
import { resolveConfig } from '../../../../src/build/voxel/config.ts';
import { canCutField, cutField, keepField, restoreField } from '../../../../src/build/voxel/obstacles/cut-field.ts';
import { erodeArea } from '../../../../src/build/voxel/field/erode.ts';
import { filterSpans } from '../../../../src/build/voxel/field/filter.ts';
import { markBySlope, prepareInput } from '../../../../src/build/voxel/input.ts';
import { createObstacles } from '../../../../src/build/voxel/obstacles/create-obstacles.ts';
import type { Obstacle } from '../../../../src/build/voxel/options.ts';
import { rasterize } from '../../../../src/build/voxel/rasterize/rasterize.ts';
import type { CompactField, Heightfield } from '../../../../src/build/voxel/types.ts';
import { validateCompactField } from '../../../../src/build/voxel/validate/compact-field.ts';
import { seeded } from '../../meshes.ts';
import { randomPiece, randomPlacement, SET_OPTIONS, union } from '../../world/levels/level-cases.ts';

const FIRST_SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
/** One seed of each radius; `npm run soak` runs eight. */
const SEED_COUNT = process.env['NAVKILN_LEVEL_EDITS'] === undefined ? 1 : 8;

function randomHoles(random: () => number): Obstacle[] {
  const about = (width: number): number => (random() - 0.5) * width;
  return Array.from({ length: Math.floor(6 * random()) }, () => ({
    type: 'box',
    size: [0.2 + 6 * random(), 0.2 + 3 * random(), 0.2 + 6 * random()],
    position: [about(36), about(4), about(36)],
    rotation: about(360),
  }));
}

/** Returns the first number in which two fields differ, without what later stages add, or undefined. */
function firstDifference(a: CompactField, b: CompactField): string | undefined {
  if (a.spanCount !== b.spanCount) return `${a.spanCount} and ${b.spanCount} spans`;
  const counts = {
    columnStart: a.columnStart.length,
    y: a.spanCount,
    height: a.spanCount,
    area: a.spanCount,
    neighbor: 4 * a.spanCount,
  };
  for (const [name, count] of Object.entries(counts)) {
    const [one, other] = [a, b].map((field) => field[name as keyof typeof counts]);
    for (let i = 0; i < count; i++) if (one[i] !== other[i]) return `${name}[${i}]: ${one[i]} and ${other[i]}`;
  }
  return undefined;
}

/** Returns a field without its removed spans, which nothing may lead to. */
function withoutRemoved(field: CompactField): CompactField {
  const { y, height, area, neighbor, columnStart, spanCount } = field;
  const left = Array.from({ length: spanCount }, (_, i) => i).filter((i) => y[i] !== REMOVED_Y);
  const indexOf = new Map(left.map((i, k) => [i, k]));
  const countBefore = Int32Array.from({ length: spanCount + 1 });
  for (let i = 0; i < spanCount; i++) countBefore[i + 1] = countBefore[i] + (indexOf.has(i) ? 1 : 0);
  const neighborsOf = (i: number): Int32Array => neighbor.slice(4 * i, 4 * i + 4);
  const isLoose = (i: number): boolean => area[i] === 0 && neighborsOf(i).every((a) => a === -1);
  const isKept = (i: number): boolean => neighborsOf(i).every((a) => a === -1 || indexOf.has(a));
  const wrong = Array.from({ length: spanCount }, (_, i) => i).filter((i) => !(indexOf.has(i) ? isKept : isLoose)(i));
  expect(wrong).toEqual([]);
  return {
    ...field,
    spanCount: left.length,
    columnStart: columnStart.map((end) => countBefore[end]),
    y: Uint16Array.from(left, (i) => y[i]),
    height: Uint8Array.from(left, (i) => height[i]),
    area: Uint8Array.from(left, (i) => area[i]),
    neighbor: Int32Array.from(left.flatMap((i) => Array.from(neighborsOf(i), (a) => indexOf.get(a) ?? -1))),
  };
}

describe.each([0, 1, 2, 3, 7])('with a radius of %i cells', (radiusCells) => {
  it.each(Array.from({ length: SEED_COUNT }, (_, k) => FIRST_SEED + k))(
    'equals a bake of the same holes, seed %i',
    (seed) => {
      const random = seeded(1000 * radiusCells + seed);
      const pieces = Array.from({ length: 9 }, () => ({
        piece: randomPiece(random),
        placement: { ...randomPlacement(random), position: [30 * random() - 15, 2 * random(), 30 * random() - 15] },
      }));
      const floor = { positions: [-16, 0, -16, -16, 0, 16, 16, 0, 16, 16, 0, -16], indices: [0, 1, 2, 0, 2, 3] };
      const input = union([...pieces, { piece: floor, placement: {} }]);
      const { tileSize: _, ...options } = SET_OPTIONS;
      const bounds = { min: [-18, -20, -18], max: [18, 20, 18] };
      const agent = { ...options.agent, radius: radiusCells * options.cellSize! };
      const prepared = prepareInput(input, bounds);
      const config = resolveConfig(prepared, { ...options, agent, bounds });
      expect(config.walkableRadiusCells).toBe(radiusCells);
      expect(canCutField(config)).toBe(true);
      const { areas } = markBySlope(prepared, config.maxSlopeDegrees);
      const solidOf = (): Heightfield => {
        const solid = rasterize(prepared.positions, prepared.indices, areas, config, createWorkspace());
        filterSpans(solid, config);
        return solid;
      };
      const workspace = createWorkspace();
      const open = keepField(buildCompactField(solidOf(), config, workspace), radiusCells, workspace);
      const before = structuredClone(open.field);
      let removed = 0;
      for (let round = 0; round < 8; round++) {
        const holes = createObstacles(randomHoles(random)).placed;
        const solid = solidOf();
        cutHoles(solid, holes, config, 0, 0);
        const fresh = buildCompactField(solid, config, createWorkspace());
        erodeArea(fresh, radiusCells, createWorkspace());
        const spans = new Set(holes.flatMap((hole) => [...spansInHole(open.field, hole, config, 0, 0)]));
        const isCut = new Uint8Array(open.field.spanCount);
        for (const i of spans) isCut[i] = 1;
        const cut = withoutRemoved(cutField(open, Int32Array.from(spans), isCut, workspace));
        expect(validateCompactField(cut)).toEqual([]);
        expect(firstDifference(cut, fresh)).toBe(undefined);
        restoreField(open);
        expect(firstDifference(open.field, before)).toBe(undefined);
        removed += spans.size;
      }
      expect(removed).toBeGreaterThan(100);
    },
  );
});
