/** Which triangles of double-sided materials count from both sides. */
import { describe, expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../../../src/base/data/random.ts';
import { resolveTwoSided } from '../../../../src/base/data/sides.ts';
import { findIslands } from '../../../../src/query/islands.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { joinParts, part, slab } from './parts.ts';
import type { Part } from './parts.ts';

const SEEDS = Number(process.env['NAVKILN_SIDES'] ?? 60);
const FIRST_SEED = Number(process.env['NAVKILN_SEED'] ?? 1);

/** Marks all triangles as two-sided. Returns the share of each part's triangles that count from both sides. */
function sharesOf(parts: readonly Part[]): number[] {
  const { positions, indices, starts } = joinParts(parts);
  const marks = new Uint8Array(indices.length / 3).fill(1);
  const { twoSided } = resolveTwoSided({ positions, indices, twoSided: marks });
  return parts.map((_, i) => {
    const own = twoSided.subarray(starts[i], starts[i + 1]);
    return own.reduce((sum, mark) => sum + mark, 0) / own.length;
  });
}

/** Bakes parts whose triangles are all double-sided. Returns the area of the mesh. */
function bakedArea(parts: readonly Part[], choice?: boolean): number {
  const { positions, indices } = joinParts(parts);
  const marks = new Uint8Array(indices.length / 3).fill(1);
  const twoSided = choice ?? resolveTwoSided({ positions, indices, twoSided: marks }).twoSided;
  const { navMesh } = buildNavMesh({ positions, indices, twoSided }, { agent: { radius: 0.3 } });
  return findIslands(navMesh).islands.reduce((sum, { area }) => sum + area, 0);
}

describe('double-sided triangles', () => {
  it('of a slab that agents fit into give no mesh inside it', () => {
    const thick = [slab([0, 0, 0], [20, 3, 20])];
    expect(bakedArea(thick)).toBeCloseTo(bakedArea(thick, false), 9);
    expect(bakedArea(thick, true)).toBeGreaterThan(1.9 * bakedArea(thick));
  });

  it('of a slab whose side faces were left out give no mesh inside it', () => {
    const open = [slab([0, 0, 0], [20, 3, 20], { without: ['-x'] })];
    expect(bakedArea(open)).toBeCloseTo(bakedArea(open, false), 9);
  });

  it('of a room that faces inward give mesh on its floor, not on its ceiling', () => {
    const room = [slab([0, 0, 0], [20, 3, 20], { isInward: true }), slab([4, 0, 4], [5, 1, 5])];
    expect(bakedArea(room)).toBeCloseTo(bakedArea(room, false), 9);
    expect(bakedArea(room)).toBeGreaterThan(300);
    expect(bakedArea(room, true)).toBeGreaterThan(1.9 * bakedArea(room));
  });

  it('of a room with a doorway give mesh on its floor, not on its ceiling', () => {
    const room = [slab([0, 0, 0], [20, 3, 20], { isInward: true, without: ['+x'] }), part.plane(30, 0, 10, 10)];
    expect(bakedArea(room)).toBeCloseTo(bakedArea(room, false), 9);
  });

  it('of a cave give mesh on its floor, not in the rock above it', () => {
    const cave = [part.tube(40, 4, 12)];
    expect(bakedArea(cave)).toBeCloseTo(bakedArea(cave, false), 9);
    expect(bakedArea(cave)).toBeGreaterThan(100);
    expect(bakedArea(cave, true)).toBeGreaterThan(1.9 * bakedArea(cave));
  });

  it('of a house without thickness give mesh on the floor that is seen through its door', () => {
    const house = [slab([0, 0, 0], [10, 4, 10], { without: ['-z'] }), slab([4, 0.2, 4], [5, 1, 5])];
    expect(sharesOf(house)).toEqual([1, 0]);
    expect(bakedArea(house)).toBeGreaterThan(1.5 * bakedArea(house, false));
  });

  it('of planes that face down give mesh on their back', () => {
    const floors = [part.plane(0, 0, 10, 10, true), part.plane(10, 0, 10, 10, true)];
    expect(bakedArea(floors, false)).toBe(0);
    expect(bakedArea(floors)).toBeGreaterThan(150);
  });

  it('of a terrain with an overhang give no mesh in the rock above it', () => {
    const terrain = [part.overhang()];
    expect(bakedArea(terrain)).toBeCloseTo(bakedArea(terrain, false), 9);
    expect(bakedArea(terrain, true)).toBeGreaterThan(bakedArea(terrain) + 20);
  });

  it('of a solid that is inside out among others give mesh on its top', () => {
    const mirrored = slab([0, 0, 0], [6, 1, 6], { isInward: true });
    const level = [mirrored, slab([-30, -1, -30], [30, 0, 30])];
    expect(sharesOf(level)).toEqual([1, 0]);
  });

  it('are all of a part with many flipped triangles, and the few of a part with few', () => {
    const many = slab([0, 0, 0], [10, 3, 10]);
    many.indices = many.indices.map((_, i, all) => (i % 9 < 3 ? all[3 * Math.floor(i / 3) + 2 - (i % 3)]! : all[i]!));
    expect(sharesOf([many])).toEqual([1]);
    const few = part.tube(400, 4, 40);
    [few.indices[1], few.indices[2]] = [few.indices[2]!, few.indices[1]!];
    const share = sharesOf([few])[0]! * (few.indices.length / 3);
    expect(share).toBeGreaterThanOrEqual(1);
    expect(share).toBeLessThanOrEqual(4);
  });

  it('of boxes that share a side, an edge or a corner are of solids', () => {
    const boxes = [
      slab([0, 0, 0], [4, 4, 4]),
      slab([4, 0, 0], [8, 4, 4]),
      slab([8, 0, 4], [12, 4, 8]),
      slab([12, 4, 8], [16, 8, 12]),
    ];
    expect(sharesOf(boxes)).toEqual([0, 0, 0, 0]);
  });

  it('of a balcony without thickness that is joined to a house count from both sides, and those of the house do not', () => {
    const balcony = part.quad([10, 3, 0], [10, 3, 10], [14, 3, 10], [14, 3, 0]);
    const down: Part = { ...balcony, indices: [0, 2, 1, 0, 3, 2] };
    const house = slab([0, 3, 0], [10, 6, 10]);
    expect(sharesOf([house, down])).toEqual([0, 1]);
  });

  it('are reported with areas, and cost nothing without marks', () => {
    const { positions, indices } = joinParts([slab([0, 0, 0], [10, 3, 10]), part.plane(30, 0, 4, 4, true)]);
    const { sides } = resolveTwoSided({ positions, indices, twoSided: new Uint8Array(14).fill(1) });
    expect(sides).toEqual({
      partCount: 2,
      oneSidedCount: 1,
      oneSidedArea: 320,
      twoSidedArea: 16,
      keptDownArea: 100,
      turnedUpArea: 16,
      firstKept: expect.any(Number),
    });
    const half = new Uint8Array(14).fill(1, 0, 12);
    expect(resolveTwoSided({ positions, indices, twoSided: half }).sides!.turnedUpArea).toBe(0);
    const broken = { positions: [0, 0, NaN, 1, 0, 0, 0, 0, 1], indices: [0, 1, 2], twoSided: [1] };
    expect(resolveTwoSided(broken).sides!.partCount).toBe(0);
    for (const twoSided of [undefined, true, false]) {
      const level = { positions, indices, ...(twoSided === undefined ? {} : { twoSided }) };
      expect(resolveTwoSided(level)).toBe(level);
    }
  });

  it('are refused with one mark too many', () => {
    expect(() => resolveTwoSided({ ...joinParts([part.plane(0, 0, 1, 1)]), twoSided: [1] })).toThrow(
      /one per triangle/,
    );
  });
});

describe(`the sides of random parts, turned, scaled, moved, mirrored, split at seams and shuffled (${SEEDS} seeds)`, () => {
  it.each(Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i))('seed %i', (seed) => {
    const random = createRandom(seed);
    const between = (min: number, max: number): number => min + (max - min) * nextRandom(random);
    const expected: number[] = [];
    const parts: Part[] = [];
    const add = (shape: Part, share: number): void => {
      // Parts are apart, so that none holds another by chance.
      parts.push(moved(shape, [100 * parts.length, 0, 0]));
      expected.push(share);
    };
    const size = (): [number, number, number] => [between(1, 20), between(1, 20), between(1, 20)];
    add(slab([0, 0, 0], size()), 0);
    const wide = (): number => between(10, 13);
    add(slab([0, 0, 0], [wide(), wide(), wide()], { without: ['-z'] }), 0);
    add(part.plane(0, 0, between(1, 20), between(1, 20), nextRandom(random) < 0.5), 1);
    const [x, y, z] = [between(8, 20), between(8, 20), between(8, 20)];
    parts.push(moved(slab([0, 0, 0], [x, y, z], { isInward: true }), [400, 0, 0]));
    parts.push(moved(slab([x / 4, y / 4, z / 4], [x / 2, y / 2, z / 2]), [400, 0, 0]));
    expected.push(0, 0);
    add(slab([0, 0, 0], size(), { isInward: true }), 1);
    add(part.tube(between(10, 40), between(2, 8), 6 + Math.floor(between(0, 20))), 0);
    // Any turn keeps a closed part, a plane and a room; the rest needs its own up.
    const isAnyTurn = nextRandom(random) < 0.5;
    if (isAnyTurn) {
      parts.pop();
      expected.pop();
    }
    const turn = isAnyTurn
      ? [between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)]
      : [0, between(-1, 1), 0, between(-1, 1)];
    const scale = 10 ** between(-2, 4);
    const offset = scale * between(-1e4, 1e4);
    const level = parts.map((one) => placed(one, turn, scale, offset));
    const mixed = level.map((one) => (nextRandom(random) < 0.5 ? split(one, scale * 1e-7, random) : one));
    expect(sharesOf(mixed)).toEqual(expected);
  });
});

function moved({ positions, indices }: Part, by: readonly number[]): Part {
  return { positions: positions.map((value, i) => value + by[i % 3]!), indices };
}

/** Turns a part by a quaternion, scales it and moves it. */
function placed({ positions, indices }: Part, quaternion: readonly number[], scale: number, offset: number): Part {
  const length = Math.sqrt(quaternion.reduce((sum, value) => sum + value * value, 0));
  const [x, y, z, w] = quaternion.map((value) => value / length) as [number, number, number, number];
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  const out = positions.map((_, i) => {
    const at = i - (i % 3);
    const row = rows[i % 3]!;
    return scale * (row[0]! * positions[at]! + row[1]! * positions[at + 1]! + row[2]! * positions[at + 2]!) + offset;
  });
  return { positions: out, indices };
}

/** Gives each triangle corners of its own that are a little off, in any order of triangles. */
function split({ positions, indices }: Part, error: number, random: ReturnType<typeof createRandom>): Part {
  const order = Array.from({ length: indices.length / 3 }, (_, t) => ({ t, key: nextRandom(random) }));
  order.sort((a, b) => a.key - b.key);
  const corners = order.flatMap(({ t }) => [0, 1, 2].map((k) => indices[3 * t + k]!));
  const out = corners.flatMap((corner) =>
    [0, 1, 2].map((axis) => positions[3 * corner + axis]! + error * (nextRandom(random) - 0.5)),
  );
  return { positions: out, indices: corners.map((_, i) => i) };
}
