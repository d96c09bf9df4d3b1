/** validateMove: reasons, slides, corners, allowed lengths and options. */
import { describe, expect, it } from 'vitest';
import { expectNoAllocation } from '../../allocation.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import { NULL_REF } from '../../../src/mesh/ref.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { DEFAULT_FILTER } from '../../../src/query/filter.ts';
import { findNearest } from '../../../src/query/nearest/nearest.ts';
import { createMove, validateMove, validateMoveInto } from '../../../src/query/walk/gate/validate-move.ts';
import type { MoveOptions, MoveResult } from '../../../src/query/walk/gate/validate-move.ts';

/** A room of 10 x 10 with a wall a micrometer thick at x = 5, which ends at y = 8. Plane y is mesh -z. */
const { navMesh: room } = buildFromPolygons({
  polygons: [
    {
      outline: [
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
      ],
    },
  ],
  obstacles: [
    [
      [5, -1],
      [5.000001, -1],
      [5.000001, 8],
      [5, 8],
    ],
  ],
});

function move(from: [number, number], to: unknown, options: MoveOptions, mesh: NavMesh = room): MoveResult {
  const start = findNearest(mesh, [from[0], 0, -from[1]]);
  return validateMove(mesh, start.ref, start.point, to as [number, number, number], options);
}

describe('validateMove', () => {
  it('accepts what a walk within the allowed distance reaches, straight or around the end of a wall', () => {
    expect(move([1, 1], [4, 0, -5], { maxDistance: 5 })).toMatchObject({
      status: 'accepted',
      point: [4, 0, -5],
      distance: 5,
    });
    // 2 * sqrt(1 + 1) around the end of the wall, and its thickness.
    const around = move([4, 7], { x: 6, y: 0, z: -7 }, { maxDistance: 3 });
    expect(around).toMatchObject({ status: 'accepted', point: [6, 0, -7] });
    expect(around.distance).toBeCloseTo(2 * Math.SQRT2, 5);
    expect(move([1, 1], [1, 0, -1], { maxDistance: 0 })).toMatchObject({ status: 'accepted', distance: 0 });
  });

  it('stops at a wall, however thin, and slides along it', () => {
    const slid = move([4, 2], [6, 0, -4], { maxDistance: 3 });
    expect(slid).toMatchObject({ status: 'wall', point: [5, 0, -4] });
    expect(slid.distance).toBeCloseTo(Math.sqrt(2) + 1, 9);
    // The end of the wall is too far.
    expect(move([4, 7], [6, 0, -7], { maxDistance: 2.8 })).toMatchObject({ status: 'wall', point: [5, 0, -7] });
    expect(move([9, 1], [12, 0, 3], { maxDistance: 9 })).toMatchObject({ status: 'wall', point: [10, 0, 0] });
  });

  it('cuts moves that are too far, and answers whatever is no point', () => {
    expect(move([1, 1], [1, 0, -9], { maxDistance: 2 })).toMatchObject({ status: 'too-far', point: [1, 0, -3] });
    expect(move([1, 1], [1, 1e308, -1e308], { maxDistance: 2 })).toMatchObject({
      status: 'too-far',
      point: [1, 0, -3],
    });
    const wrong = [null, undefined, 7, 'x', [], {}, [1, 2], [NaN, 0, 0], [0, 0, Infinity], ['1', '2', '3'], { x: 1 }];
    for (const to of wrong) {
      expect(move([1, 1], to, { maxDistance: 2 })).toMatchObject({ status: 'invalid', point: [1, 0, -1], distance: 0 });
    }
    expect(move([1, 1], [9, 0, -9], { maxDistance: Infinity, maxPolys: 1 }).status).toBe('too-many-polys');
  });

  it('allows a speed for the time that passed, and no time for a clock that jumps', () => {
    const to = [1, 0, -9];
    const walked = (options: MoveOptions): number => move([1, 1], to, options).distance;
    expect(walked({ maxSpeed: 4, seconds: 0.5 })).toBeCloseTo(2, 9);
    for (const seconds of [-1, -Infinity, NaN, 0]) expect(walked({ maxSpeed: 4, seconds })).toBe(0);
    for (const seconds of [1e9, Infinity]) {
      expect(walked({ maxSpeed: 4, seconds })).toBeCloseTo(4, 9);
      expect(walked({ maxSpeed: 4, seconds, maxSeconds: 1.5 })).toBeCloseTo(6, 9);
      expect(walked({ maxSpeed: 4, seconds, maxSeconds: Infinity, maxDistance: 3 })).toBeCloseTo(3, 9);
      expect(walked({ maxSpeed: 0, seconds, maxSeconds: Infinity })).toBe(0);
    }
  });

  it('keeps to the mesh when the last position or its polygon is wrong', () => {
    const { ref } = findNearest(room, [1, 0, -1]);
    const off = validateMove(room, ref, [1e20, 0, 1e20], [1, 0, -1], { maxDistance: 1 });
    expect(off).toMatchObject({ status: 'off-mesh', distance: 0, ref });
    expect(off.point[0]).toBeLessThanOrEqual(10);
    expect(validateMove(room, NULL_REF, [1, 0, -1], [2, 0, -1], { maxDistance: 1 })).toEqual({
      status: 'stale-ref',
      point: [1, 0, -1],
      ref,
      distance: 0,
    });
    expect(validateMove(room, NULL_REF, [99, 0, 0], [2, 0, -1], { maxDistance: 1 })).toEqual({
      status: 'off-mesh',
      point: [99, 0, 0],
      ref: NULL_REF,
      distance: 0,
    });
  });

  it('refuses the mistakes of a server in words', () => {
    const call = (options: unknown) => () => move([1, 1], [2, 0, -2], options as MoveOptions);
    expect(call({})).toThrow(
      /^validateMove: options\.maxDistance is undefined; must be a number >= 0, or give maxSpeed/,
    );
    expect(call(undefined)).toThrow(/^validateMove: options is undefined/);
    expect(call({ maxDistance: NaN })).toThrow('validateMove: options.maxDistance is NaN');
    expect(call({ maxDistance: '3' })).toThrow('validateMove: options.maxDistance is "3"');
    expect(call({ maxSpeed: -1, seconds: 1 })).toThrow('validateMove: options.maxSpeed is -1');
    expect(call({ maxSpeed: 1 })).toThrow('validateMove: options.seconds is undefined');
    expect(call({ maxSpeed: 1, seconds: 1, maxSeconds: NaN })).toThrow('validateMove: options.maxSeconds is NaN');
    expect(call({ maxDistance: 1, maxPolys: 0 })).toThrow('validateMove: options.maxPolys is 0');
    expect(call({ maxDistance: 1, speed: 3 })).toThrow('validateMove: options.speed is unknown');
    expect(() => validateMove(room, 1 as never, [NaN, 0, 0], [0, 0, 0], { maxDistance: 1 })).toThrow(/last is \[NaN/);
  });

  it('does not allocate', () => {
    const out = createMove();
    const { poly } = findNearest(room, [4, 0, -7]);
    const from = Float64Array.of(4, 0, -7);
    const ends = [Float64Array.of(6, 0, -7), Float64Array.of(3, 0, -2), Float64Array.of(1e300, 0, NaN)];
    const run = (count: number): void => {
      for (let i = 0; i < count; i++) validateMoveInto(out, room, poly, from, ends[i % 3], 5, DEFAULT_FILTER);
    };
    expectNoAllocation(run, 3000, 8);
  });
});
