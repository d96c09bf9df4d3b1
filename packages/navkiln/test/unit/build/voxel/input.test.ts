import { describe, expect, it } from 'vitest';
import { cosine } from '../../../../src/base/math/slope.ts';
import { markBySlope, prepareInput } from '../../../../src/build/voxel/input.ts';

/** Flat, facing up; then one facing down, one upright, one without area. */
const positions = [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0];
const indices = [0, 1, 2, 0, 2, 1, 0, 3, 2, 1, 1, 2];

describe('prepareInput', () => {
  it('uses a Float32Array as it is, and rounds other numbers to float32', () => {
    const given = Float32Array.from(positions);
    expect(prepareInput({ positions: given, indices }).positions).toBe(given);
    expect(prepareInput({ positions: [0.1, 0.2, 0.3, 1, 1, 1, 2, 2, 2] }).positions[0]).toBe(Math.fround(0.1));
    expect(prepareInput({ positions: Float64Array.of(0.1, 0, 0, 1, 1, 1, 2, 2, 2) }).positions).toBeInstanceOf(
      Float32Array,
    );
  });

  it('takes a soup without indices', () => {
    const { indices: made, triangleCount } = prepareInput({ positions: positions.slice(0, 9) });
    expect([Array.from(made), triangleCount]).toEqual([[0, 1, 2], 1]);
    expect(prepareInput({ positions: [] }).triangleCount).toBe(0);
  });

  it('leaves triangles with NaN or infinite corners out, with their areas', () => {
    for (const bad of [NaN, Infinity, -Infinity]) {
      const spoiled = [...positions, bad, 0, 0];
      const prepared = prepareInput({
        positions: spoiled,
        indices: [0, 1, 2, 4, 1, 2, 0, 2, 3, 0, 4, 3],
        areas: [1, 2, 3, 4],
      });
      expect(prepared.invalidCount).toBe(2);
      expect(prepared.firstInvalid).toBe(1);
      expect(prepared.triangleCount).toBe(2);
      expect(Array.from(prepared.indices)).toEqual([0, 1, 2, 0, 2, 3]);
      expect(Array.from(prepared.areas!).slice(0, 2)).toEqual([1, 3]);
    }
    // A bad position that no triangle has does no harm.
    expect(prepareInput({ positions: [...positions, NaN, NaN, NaN], indices }).invalidCount).toBe(0);
  });

  it('finds the box around the triangles, less the offset', () => {
    // Neither the last vertex, which no triangle has, nor those of a triangle with NaN count.
    const given = [...positions, 50, 50, NaN, 0, 90, 0, 99, 99, 99].map(
      (value, i) => value + (i % 3 === 0 ? 4096.1 : 0),
    );
    const { min, max, offset, positions: rounded } = prepareInput({ positions: given, indices: [0, 1, 2, 0, 4, 5] });
    expect(offset).toEqual([4096, 0, 0]);
    expect(min).toEqual([rounded[0], 0, 0]);
    expect(max).toEqual([rounded[6], 0, 1]);
    expect(prepareInput({ positions: [NaN, 0, 0, 1, 1, 1, 2, 2, 2] })).toMatchObject({
      triangleCount: 0,
      min: [0, 0, 0],
      max: [0, 0, 0],
    });
  });

  it('takes numbers beyond float32 for infinite', () => {
    expect(prepareInput({ positions: [1e39, 0, 0, 0, 0, 1, 1, 0, 0] }).invalidCount).toBe(1);
  });

  it('does not change its arguments', () => {
    const given = Object.freeze([...positions, NaN, 0, 0]);
    const order = Object.freeze([0, 1, 2, 4, 1, 2]);
    prepareInput({ positions: given, indices: order });
    expect(order).toEqual([0, 1, 2, 4, 1, 2]);
  });

  const bad: [string, unknown, string][] = [
    ['nothing', undefined, 'input is undefined; must be { positions, indices?, areas? }'],
    ['null', null, 'input is null; must be'],
    ['no positions', {}, 'input is an object; must be'],
    ['positions that are no array', { positions: 7 }, 'input.positions'],
    ['four numbers', { positions: [1, 2, 3, 4] }, 'input.positions.length is 4; must be a multiple of 3'],
    ['four indices', { positions, indices: [0, 1, 2, 3] }, 'input.indices.length is 4; must be a multiple of 3'],
    [
      'an index too large',
      { positions, indices: [0, 1, 4] },
      'input.indices[2] is 4; must be a whole number from 0 to 3',
    ],
    ['an index below 0', { positions, indices: [0, 1, 2, 0, -1, 2] }, 'input.indices[4] is -1'],
    ['half an index', { positions, indices: [0.5, 1, 2] }, 'input.indices[0] is 0.5'],
    ['NaN for an index', { positions, indices: [0, 1, NaN] }, 'input.indices[2] is NaN'],
    ['too few areas', { positions, indices, areas: [1] }, 'input.areas.length is 1; must be 4, one area per triangle'],
  ];
  it.each(bad)('refuses %s', (_, input, message) => {
    expect(() => prepareInput(input as never)).toThrow(`prepareInput: ${message}`);
  });
});

describe('markBySlope', () => {
  const areasOf = (maxSlopeDegrees: number, areas?: readonly number[]): number[] => [
    ...markBySlope(prepareInput({ positions, indices, areas }), maxSlopeDegrees).areas,
  ];

  it('marks triangles that face up', () => {
    const prepared = prepareInput({ positions, indices });
    expect([...markBySlope(prepared, 45).areas]).toEqual([63, 0, 0, 0]);
    expect([prepared.degenerateCount, prepared.firstDegenerate]).toEqual([1, 3]);
    expect(markBySlope(prepareInput({ positions, indices }), 45).walkableCount).toBe(1);
  });

  it('gives walkable triangles their area, 0 for none', () => {
    expect(areasOf(45, [7, 8, 9, 10])).toEqual([7, 0, 0, 0]);
    expect(markBySlope(prepareInput({ positions, indices, areas: [0, 1, 1, 1] }), 45).walkableCount).toBe(0);
    for (const area of [64, -1, 0.5, NaN]) {
      expect(() => areasOf(45, [area, 1, 1, 1])).toThrow(
        `markBySlope: input.areas[0] is ${area}; must be a whole number from 0 to 63`,
      );
    }
  });

  it('keeps triangles less steep than the limit, not those as steep', () => {
    const rise = (y: number): number[] => [0, 0, 0, 0, 0, 1, 1, y, 0];
    const isWalkable = (y: number, degrees: number): boolean =>
      markBySlope(prepareInput({ positions: rise(y) }), degrees).walkableCount === 1;
    expect(isWalkable(0.999, 45)).toBe(true);
    expect(isWalkable(1.001, 45)).toBe(false);
    expect(isWalkable(1.7, 60)).toBe(true);
    expect(isWalkable(1.75, 60)).toBe(false);
    expect(isWalkable(50, 89)).toBe(true);
    // 0 degrees: not even flat ground, whose normal does not exceed 1.
    expect(isWalkable(0, 0)).toBe(false);
  });
});

describe('cosine', () => {
  it('is that of the engine to the last places of a float', () => {
    for (let degrees = 0; degrees <= 90; degrees += 0.25) {
      const angle = (degrees / 180) * Math.PI;
      expect(Math.abs(cosine(angle) - Math.cos(angle))).toBeLessThan(1e-15);
    }
  });
});
