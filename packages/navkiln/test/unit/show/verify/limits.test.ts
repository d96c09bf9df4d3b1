/**
 * Verdicts on levels whose answer geometry gives: doors, ceilings, steps, ramps and gaps around the limits of an agent, turned by
 * random angles, near the origin and far from it. A verdict may be "not sure" within the margins; outside of them it must be right.
 */
import { describe, expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../../../src/base/data/random.ts';
import { connectFloors } from '../../../../src/show/verify/connections.ts';
import { IS_INSIDE, IS_LOOSE, IS_SURE } from '../../../../src/show/verify/floors.ts';
import { makeGrid } from '../../../../src/show/verify/shapes/grid.ts';
import { setupFor } from '../../../../src/show/verify/setup.ts';
import { readSource } from '../../../../src/show/verify/source.ts';
import { createNavMesh } from '../../../../src/mesh/create.ts';
import { block, quad } from './levels.ts';

const AGENT = { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };
const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261128);
/** More angles: NAVKILN_ANGLES=100. */
const ANGLES = Number(process.env['NAVKILN_ANGLES'] ?? 3);
const PLACES = [1, 1e4, 1e7];

/** A level, and the verdicts of its two places. */
interface Verdict {
  stands: boolean[];
  mayStand: boolean[];
  isJoined: boolean;
  isSeparate: boolean;
}

interface Pose {
  cos: number;
  sin: number;
  offset: number;
}

function move({ cos, sin, offset }: Pose, [x, y, z]: readonly number[]): [number, number, number] {
  return [x * cos + z * sin + offset, y + 3, z * cos - x * sin - 2 * offset];
}

/** Poses at all distances from the origin, at random angles. */
function poses(): Pose[] {
  const random = createRandom(SEED);
  return PLACES.flatMap((offset) =>
    Array.from({ length: ANGLES }, (_, k) => {
      const turn = k === 0 ? 0 : 2 * Math.PI * nextRandom(random);
      return { cos: Math.cos(turn), sin: Math.sin(turn), offset };
    }),
  );
}

/** Judges two places of a level in one pose. */
function judge(parts: number[][], a: readonly number[], b: readonly number[], pose: Pose, cell: number): Verdict {
  const corners = parts.flat(1);
  const positions = new Float64Array(corners.length);
  for (let k = 0; k < corners.length; k += 3) positions.set(move(pose, corners.slice(k, k + 3)), k);
  const mesh = createNavMesh({
    agent: AGENT,
    cellSize: cell,
    cellHeight: cell / 2,
    tileSize: 0,
    origin: [0, 0, 0],
  } as never);
  const source = readSource({ positions });
  const setup = setupFor(mesh, AGENT, {}, source.cellFor);
  const grid = makeGrid(source.min, source.max, { seed: SEED, spacing: cell, maxColumns: 1e6 });
  const floors = source.floorsOn(grid, setup);
  const { sure, loose } = connectFloors(grid, floors, setup);
  const at = (point: readonly number[]): number => {
    const [x, y, z] = move(pose, point);
    const i = Math.round((x - grid.origin[0] - grid.u0) / grid.spacing);
    const j = Math.round((z - grid.origin[2] - grid.v0) / grid.spacing);
    const c = i + j * grid.width;
    let best = -1;
    for (let p = floors.start[c]; p < floors.start[c + 1]; p++) {
      const isNearer =
        best < 0 || Math.abs(floors.y[p] + grid.origin[1] - y) < Math.abs(floors.y[best] + grid.origin[1] - y);
      if (isNearer) best = p;
    }
    return best;
  };
  const ends = [at(a), at(b)];
  const has = (bits: number): boolean[] => ends.map((p) => p >= 0 && (floors.state[p] & bits) === bits);
  return {
    stands: has(IS_SURE),
    mayStand: ends.map((p) => p >= 0 && (floors.state[p] & (IS_LOOSE | IS_INSIDE)) === IS_LOOSE),
    isJoined: has(IS_SURE).every(Boolean) && sure[ends[0]] === sure[ends[1]],
    isSeparate: loose[ends[0]] !== loose[ends[1]],
  };
}

/** Asserts that a verdict of each value flips where geometry says: `yes` where it must be true, `no` where it must not. */
function flips(
  name: string,
  parts: (value: number) => number[][],
  [a, b]: readonly (readonly number[])[],
  verdict: (found: Verdict) => boolean,
  { yes, no, cell = 0.2 }: { yes: number[]; no: number[]; cell?: number },
): void {
  it(name, () => {
    for (const pose of poses()) {
      for (const value of [...yes, ...no]) {
        const found = verdict(judge(parts(value), a, b, pose, cell));
        expect([value, pose, found]).toEqual([value, pose, yes.includes(value)]);
      }
    }
  });
}

const A = [2, 0, 4];
const B = [10, 0, 4];
const floor = quad([0, 0, 0], [12, 0, 0], [12, 0, 8], [0, 0, 8]);

describe('a door (radius 0.4)', () => {
  const rooms = (width: number): number[][] => [
    floor,
    block([5.9, 0, -0.5], [6.1, 3, 4 - width / 2]),
    block([5.9, 0, 4 + width / 2], [6.1, 3, 8.5]),
  ];
  flips('surely joins rooms when it is wider than a body with margins', rooms, [A, B], (v) => v.isJoined, {
    yes: [1.85, 2.5],
    no: [0, 0.3, 0.6, 0.79],
  });
  flips('surely separates them only when it is narrower than a body less margins', rooms, [A, B], (v) => v.isSeparate, {
    yes: [0],
    no: [0.81, 1, 1.85],
  });
  flips('does so at cells of a quarter radius', rooms, [A, B], (v) => v.isSeparate, {
    yes: [0, 0.15],
    no: [0.81, 1.2],
    cell: 0.1,
  });
  const thin = (width: number): number[][] => [
    floor,
    quad([6, 0, -0.5], [6, 0, 4 - width / 2], [6, 3, 4 - width / 2], [6, 3, -0.5]),
    quad([6, 0, 4 + width / 2], [6, 0, 8.5], [6, 3, 8.5], [6, 3, 4 + width / 2]),
  ];
  flips('in a wall without thickness does the same', thin, [A, B], (v) => v.isSeparate, { yes: [0], no: [0.81, 1.85] });
  flips('in a wall without thickness joins', thin, [A, B], (v) => v.isJoined, { yes: [1.85], no: [0, 0.5, 0.79] });
});

describe('a ceiling (height 1.8)', () => {
  const hall = (height: number): number[][] => [floor, block([4, height, -1], [8, height + 0.3, 9])];
  const under = [6, 0, 4];
  flips('leaves room when it is higher than a body with margins', hall, [under, under], (v) => v.stands[0], {
    yes: [2.01, 2.5],
    no: [0.5, 1.5, 1.79, 1.85, 1.95],
  });
  flips('leaves none when it is lower than a body less margins', hall, [under, under], (v) => !v.mayStand[0], {
    yes: [0.5, 1, 1.5, 1.69],
    no: [1.81, 1.71, 2],
  });
});

describe('a step (climb 0.4)', () => {
  const terrace = (rise: number): number[][] => [floor, block([6, -1, -0.5], [12.5, rise, 8.5])];
  const above = [10, 5, 4];
  flips('surely joins when it is lower than the climb less margins', terrace, [A, above], (v) => v.isJoined, {
    yes: [0, 0.1, 0.29],
    no: [0.31, 0.41, 1],
  });
  flips('surely separates when it is higher than the climb with margins', terrace, [A, above], (v) => v.isSeparate, {
    yes: [0.56, 1, 2.5],
    no: [0, 0.2, 0.41, 0.54],
  });
  const stair = (rise: number): number[][] => [
    quad([0, 0, 0], [4, 0, 0], [4, 0, 8], [0, 0, 8]),
    ...Array.from({ length: 8 }, (_, k) => block([4 + 0.3 * k, -1, 0], [12, rise * (k + 1), 8])),
  ];
  flips('repeated as a stair joins', stair, [A, [10, 2, 4]], (v) => v.isJoined, { yes: [0.1, 0.2, 0.25], no: [0.41] });
});

describe('a ramp (slope 45)', () => {
  const ramp = (degrees: number): number[][] => {
    const rise = 4 * Math.tan((degrees * Math.PI) / 180);
    return [
      quad([0, 0, 0], [4, 0, 0], [4, 0, 8], [0, 0, 8]),
      quad([4, 0, 0], [8, rise, 0], [8, rise, 8], [4, 0, 8]),
      quad([8, rise, 0], [12, rise, 0], [12, rise, 8], [8, rise, 8]),
    ];
  };
  const top = [10, 4, 4];
  flips('surely joins when it is flatter than the limit less a degree', ramp, [A, top], (v) => v.isJoined, {
    yes: [0, 20, 43.9],
    no: [44.1, 45.1, 60, 80],
  });
  flips('surely separates when it is steeper than the limit and a degree', ramp, [A, top], (v) => v.isSeparate, {
    yes: [46.1, 60, 80],
    no: [10, 44.9, 45.9],
  });
});

describe('a gap (cell 0.2)', () => {
  const gap = (width: number): number[][] => [
    quad([0, 0, 0], [6, 0, 0], [6, 0, 8], [0, 0, 8]),
    quad([6 + width, 0, 0], [12, 0, 0], [12, 0, 8], [6 + width, 0, 8]),
  ];
  flips('surely separates when it is wider than three cells', gap, [A, B], (v) => v.isSeparate, {
    yes: [0.65, 1, 2],
    no: [0, 0.1, 0.2, 0.25],
  });
  flips('does not surely join when it is wider than a cell', gap, [A, B], (v) => v.isJoined, {
    yes: [0],
    no: [0.25, 0.5, 1],
  });
});

describe('a solid', () => {
  const inside = [6, 0, 4];
  flips(
    'has no places inside',
    () => [floor, block([4, -1, 2], [8, 4, 6])],
    [inside, A],
    (v) => v.stands[0],
    {
      yes: [],
      no: [1],
    },
  );
  /** A box without its bottom. */
  const hood = (min: number[], max: number[]): number[] => block(min, max).toSpliced(18, 18);
  flips(
    'without a bottom has places below it, and none inside',
    (bottom) => [floor, hood([4, bottom, 2], [8, bottom + 4, 6])],
    [inside, A],
    (v) => v.stands[0],
    { yes: [2.1, 3], no: [-1, 0, 0.1] },
  );
  flips(
    'without a bottom and a side is a room',
    () => [floor, hood([4, 0, 2], [8, 4, 6]).toSpliced(18, 18)],
    [inside, inside],
    (v) => v.stands[0],
    { yes: [1], no: [] },
  );
  const room = (): number[][] => {
    const walls = block([0, 0, 0], [12, 3, 8]);
    // The same box, seen from inside.
    for (let k = 0; k < walls.length; k += 9) {
      const corner = walls.slice(k + 3, k + 6);
      walls.splice(k + 3, 6, ...walls.slice(k + 6, k + 9), ...corner);
    }
    return [walls];
  };
  flips('that faces inward is a room', room, [inside, A], (v) => v.isJoined, { yes: [1], no: [] });
});
