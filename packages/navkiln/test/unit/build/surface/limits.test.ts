/** Surface meshes of numbers at the limits: far corners, tiny and huge lengths, more tiles than a mesh can have. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseObj } from '../../../../src/formats/levels/obj.ts';
import { loadNavMesh } from '../../../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { buildFromSurface } from '../../../../src/build/surface/build.ts';
import { forEachNear } from '../../../../src/build/surface/shapes/near-segments.ts';
import { createWorld } from '../../../../src/world/levels/create.ts';
import { addLevel } from '../../../../src/world/levels/levels.ts';
import { createSurfaceWorld } from '../../../../src/world/levels/surface.ts';

/** A triangle that faces up, with its corner at (x, z). */
const triangle = (x: number, z: number, size: number): number[] => [x, 0, z, x, 0, z + size, x + size, 0, z];

describe('corners far from the origin', () => {
  it('leaves out a triangle at 1e15 and keeps the rest', () => {
    const text = readFileSync(new URL('../../../corpus/levels/far-triangle.obj', import.meta.url), 'utf8');
    const { navMesh, report } = buildFromSurface(parseObj(text));
    expect(navMesh.polyCount).toBe(1);
    expect(report.warnings).toMatchObject([{ code: 'invalid-positions', count: 1, where: { triangle: 1 } }]);
    expect(report.warnings[0].message).toMatch(
      /^1 triangle farther than 1\.98e\+9 from the origin left out, .* weldTolerance of 0\.0018/,
    );
  });

  it.each([1e10, 1e15, 2 ** 53, 1e18, 1e100, 1e300, Number.MAX_VALUE])('ends at %d, in x, y and z', (far) => {
    for (const axis of [0, 1, 2]) {
      for (const sign of [-1, 1]) {
        const level = [...triangle(0, 0, 4), ...triangle(1, 1, 4)];
        level[9 + axis] = sign * far;
        for (const options of [{}, { tileSize: 2 }, { agent: { radius: 0.3 } }, { clearance: true }]) {
          const { navMesh } = buildFromSurface({ positions: level }, options);
          expect(validateNavMesh(navMesh)).toEqual([]);
          expect(navMesh.polyCount).toBeGreaterThan(0);
          expect(saveNavMesh(loadNavMesh(saveNavMesh(navMesh)))).toEqual(saveNavMesh(navMesh));
        }
      }
    }
  });

  it('builds as far out as the weld tolerance allows', () => {
    const { navMesh, report } = buildFromSurface({ positions: triangle(1e9, -1e9, 100) });
    expect(report.warnings).toEqual([]);
    expect(navMesh.polyCount).toBe(1);
  });
});

describe('lengths', () => {
  it.each([1e-31, 1e31, 1e300, 5e-324])('refuses a weldTolerance of %d', (weldTolerance) => {
    expect(() => buildFromSurface({ positions: triangle(0, 0, 1) }, { weldTolerance })).toThrow(
      /^buildFromSurface: options\.weldTolerance is .*; must be a number from 1e-30 to 1e\+30/,
    );
  });

  it('refuses an agent larger than 1e30', () => {
    expect(() => buildFromSurface({ positions: triangle(0, 0, 1) }, { agent: { radius: 1e31 } })).toThrow(
      /^buildFromSurface: options\.agent\.radius is 1e\+31; must be a number from 0 to 1e\+30/,
    );
  });

  it('visits near segments whose cells would be smaller than the steps of their coordinates', () => {
    const at = 1e15;
    const pairs: number[][] = [];
    // Both are one step wide and far away; cells of that size could not be counted.
    const segments = Float64Array.of(1e-20, at, 2e-20, at, 1e-20, at, 2e-20, at, 5, 5, 6, 6);
    forEachNear(segments, 0, { limitBytes: Infinity, usedBytes: 0 }, (i, j) => pairs.push([i, j]) > 0);
    expect(pairs).toEqual([[0, 1]]);
  });
});

describe('tiles', () => {
  it.each([1e5, 1e9])('refuses a triangle %d tiles wide, at once', (size) => {
    expect(() => buildFromSurface({ positions: triangle(0, 0, size) }, { tileSize: 1 })).toThrow(
      /^buildFromSurface: tiles of 1 are too small for the level, .*; use a larger tileSize/,
    );
    for (const create of [createWorld, createSurfaceWorld]) {
      const set = create({ tileSize: 4 });
      expect(() => addLevel(set, { positions: triangle(0, 0, size) })).toThrow(/^addLevel: .* larger tileSize/);
    }
  });

  it('cuts a wall that is wider than the ground to the tiles of the ground', () => {
    const wall = [-1e9, 0, 2, 1e9, 0, 2, 0, 3, 2];
    const { navMesh } = buildFromSurface({ positions: [...triangle(0, 0, 8), ...wall] }, { tileSize: 2 });
    expect(validateNavMesh(navMesh)).toEqual([]);
    expect(navMesh.polyCount).toBeGreaterThan(4);
  });
});
