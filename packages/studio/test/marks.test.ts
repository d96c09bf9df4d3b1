/** Lines of queries: solid where they are seen, faint behind what hides them. */
import { GreaterDepth, LessEqualDepth } from 'three';
import type { Material } from 'three';
import { expect, it } from 'vitest';
import { drawn } from '../src/view/drawing.ts';
import { createMarks } from '../src/view/marks.ts';
import { DARK, LIGHT } from '../src/view/palette.ts';

interface LineMaterialLike extends Material {
  dashed: boolean;
  dashSize: number;
  opacity: number;
}

it.each([
  ['light', LIGHT],
  ['dark', DARK],
])('a path is faint behind walls (%s)', (_, palette) => {
  const marks = createMarks([0, 0, 0], palette);
  const path = [
    [0, 0, 0],
    [4, 0, 0],
    [4, 1, 3],
  ] as const;
  marks.line(path, marks.colors.main, { hasHalo: false });
  const materials = marks.list.map((drawing) => (drawn(drawing) as unknown as { material: LineMaterialLike }).material);
  // Dashes of two lines above each other would be a pattern.
  expect(materials.map(({ dashed, depthFunc }) => [dashed, depthFunc])).toEqual([
    [false, LessEqualDepth],
    [false, GreaterDepth],
  ]);
  // Both are drawn at the same points.
  expect(marks.list[1].positions).toBe(marks.list[0].positions);
  expect(materials[0].opacity).toBe(1);
  expect(materials[1].opacity).toBeLessThan(0.5);
});
