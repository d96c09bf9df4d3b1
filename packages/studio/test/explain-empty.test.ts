/** The studio's report of meshes that cover little: the losses of each stage, and the remedy that was tried. */
import { expect, it } from 'vitest';
import { buildNavMesh } from 'navkiln/build';
import { addBox, createBuilder, finishMesh } from '../../scenes/src/builder.ts';
import { explainEmpty } from '../src/bake/explain-empty.ts';

/** A floor of 20 by 20, and pillars a unit apart but for a part of 20 by 4. */
function pillars(): ReturnType<typeof finishMesh> {
  const builder = createBuilder();
  addBox(builder, [0, -0.2, 0], [20, 0, 20]);
  for (let x = 0; x < 20; x++)
    for (let z = 0; z < 16; z++) addBox(builder, [x + 0.35, 0, z + 0.35], [x + 0.65, 3, z + 0.65]);
  return finishMesh(builder);
}

it('names the losses and the radius after which most is covered', () => {
  const level = pillars();
  const options = {};
  const { navMesh, report } = buildNavMesh(level, options);
  expect(report.warnings.map(({ code }) => code)).toEqual(['low-coverage']);
  explainEmpty(report, level, options, navMesh);
  const message = report.warnings[0]?.message ?? '';
  expect(message).toMatch(
    /^the mesh covers [\d.]+ of [\d.]+ square units that are flat enough: .* lie nearer to a wall or drop than 0\.4/,
  );
  const radius = Number(/set agent\.radius ([\d.]+)/.exec(message)![1]);
  const again = buildNavMesh(level, { agent: { radius } });
  expect(again.report.warnings).toEqual([]);
});
