/** Causes and remedies: the stage that the options of a bake misused, and the option that repairs it. */
import { describe, expect, it } from 'vitest';
import { explainFaults } from '../../../../src/show/verify/causes/explain-faults.ts';
import type { VerifyResult } from '../../../../src/show/verify/types.ts';
import { verifyNavMesh } from '../../../../src/show/verify/verify.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import type { BuildOptions, TriangleInput } from '../../../../src/build/voxel/options.ts';
import { block, quad } from './levels.ts';

const level: TriangleInput = {
  positions: Float32Array.from([
    ...quad([0, 0, 0], [14, 0, 0], [14, 0, 10], [0, 0, 10]),
    ...block([5, -1, 3], [9, 1, 7]),
    ...block([10, 0, 0], [10.4, 3, 6]),
  ]),
};

function explain(options: BuildOptions, bake: BuildOptions = options): VerifyResult {
  const { navMesh } = buildNavMesh(level, options);
  return explainFaults(level, navMesh, verifyNavMesh(level, navMesh), { bake });
}

describe('explainFaults', () => {
  it('names the size of regions, and the option that keeps them', () => {
    const { places, coverage } = explain({ regionMinArea: 20, regionMergeArea: 0 });
    expect(coverage).toBeLessThan(0.99);
    expect(places[0]).toMatchObject({ kind: 'uncovered', remedy: 'regionMinArea: 0' });
    expect(places[0].cause).toMatch(/^regions: /);
    expect(places[0].position[1]).toBe(1);
  });

  it('names the simplification of outlines', () => {
    const { places } = explain({ maxEdgeError: 3 });
    expect(places.length).toBeGreaterThan(0);
    expect(new Set(places.map(({ kind }) => kind))).toEqual(new Set(['uncovered', 'overreach']));
    for (const { cause, remedy } of places.slice(0, 10)) {
      expect([cause?.slice(0, 9), remedy]).toEqual(['contours:', 'maxEdgeError: 0.1']);
    }
  });

  it('names the rule of Recast that removes stairs', () => {
    const stairs = [quad([0, 0, 0], [4, 0, 0], [4, 0, 4], [0, 0, 4])];
    for (let k = 0; k < 10; k++) stairs.push(block([4 + 0.28 * k, -1, 0], [12, 0.21 * (k + 1), 4]));
    const input = { positions: Float32Array.from(stairs.flat(1)) };
    const bake: BuildOptions = { recast: true };
    const { navMesh } = buildNavMesh(input, bake);
    const result = verifyNavMesh(input, navMesh);
    expect(result.lost).toBeGreaterThan(0.3);
    const lost = explainFaults(input, navMesh, result, { bake }).places.find(({ kind }) => kind === 'lost');
    expect([lost?.cause?.slice(0, 7), lost?.remedy]).toEqual(['filter:', 'recast: false']);
    expect(verifyNavMesh(input, buildNavMesh(input).navMesh)).toMatchObject({ lost: 0, invented: 0 });
  });

  it('explains nothing by settings that do not make the fault', () => {
    const { places } = explain({ regionMinArea: 20, regionMergeArea: 0 }, {});
    expect(places.length).toBeGreaterThan(0);
    for (const place of places) expect(place).toMatchObject({ cause: null, remedy: null });
  });

  it('leaves a result without faults, and places beyond the limit, as they are', () => {
    expect(explain({}).places).toEqual([]);
    const options: BuildOptions = { maxEdgeError: 3 };
    const { navMesh } = buildNavMesh(level, options);
    const result = verifyNavMesh(level, navMesh);
    expect(explainFaults(level, navMesh, result, { bake: options, limit: 0 })).toEqual(result);
    expect(() => explainFaults(level, navMesh, result, { limits: 0 } as never)).toThrow('options.limits is unknown');
  });
});
