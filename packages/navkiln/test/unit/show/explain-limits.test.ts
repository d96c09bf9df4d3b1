/** Two rooms with one flaw between them, each of a random size, at a random angle: the flaw is named, measured and located. */
import { describe, expect, it } from 'vitest';
import { seeded } from '../meshes.ts';
import { createRandom, nextRandom } from '../../../src/base/data/random.ts';
import { createLimitExplainer, explainAgentLimits } from '../../../src/show/explain/limits.ts';
import { explainPath } from '../../../src/query/explain/explain.ts';
import { buildNavMesh } from '../../../src/build/voxel/build.ts';
import type { TriangleInput } from '../../../src/build/voxel/options.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const ROUNDS = process.env['NAVKILN_FULL'] ? 60 : 3;
const CELL = 0.2;
const CELL_HEIGHT = 0.1;

type Box = readonly [x0: number, y0: number, z0: number, x1: number, y1: number, z1: number];

interface Turn {
  angle: number;
  x: number;
  z: number;
}

const turned = ({ angle, x, z }: Turn, [px, py, pz]: readonly number[]): [number, number, number] => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [x + c * px - s * pz, py, z + s * px + c * pz];
};

function levelOf(turn: Turn, boxes: readonly Box[], quads: readonly number[][] = []): TriangleInput {
  const positions: number[] = [];
  const indices: number[] = [];
  const addQuad = (corners: readonly (readonly number[])[]): void => {
    const first = positions.length / 3;
    for (const corner of corners) positions.push(...turned(turn, corner));
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  };
  for (const [x0, y0, z0, x1, y1, z1] of boxes) {
    const at = (i: number): number[] => [(i & 1) !== 0 ? x1 : x0, (i & 2) !== 0 ? y1 : y0, (i & 4) !== 0 ? z1 : z0];
    const faces = [2, 6, 7, 3, 0, 1, 5, 4, 0, 2, 3, 1, 4, 5, 7, 6, 0, 4, 6, 2, 1, 3, 7, 5];
    for (let k = 0; k < 24; k += 4) addQuad(faces.slice(k, k + 4).map(at));
  }
  for (const quad of quads) addQuad([0, 3, 6, 9].map((k) => quad.slice(k, k + 3)));
  return { positions, indices };
}

const AT_ORIGIN: Turn = { angle: 0, x: 0, z: 0 };
const FLOOR: Box = [0, -1, 0, 14, 0, 10];
const START = [2, 0, 5];
const END = [12, 0, 5];

/** The wall at x = 7 with a door of a width around z, under a beam. */
const wall = (z: number, width: number, height = 3): Box[] => [
  [6.8, 0, 0, 7.2, 3, z - width / 2],
  [6.8, 0, z + width / 2, 7.2, 3, 10],
  ...(height < 3 ? [[6.8, height, z - width / 2, 7.2, 3, z + width / 2] as const] : []),
];

describe('explainAgentLimits', () => {
  const random = createRandom(SEED);
  const between = (low: number, high: number): number => low + nextRandom(random) * (high - low);
  const turns = Array.from({ length: ROUNDS }, (_, i): Turn => ({
    angle: i === 0 ? 0 : between(0, 6.28),
    x: i % 3 === 2 ? 1e5 : between(-5, 5),
    z: between(-5, 5),
  }));
  const ask = (turn: Turn, level: TriangleInput, options = {}, end: number[] = END) =>
    explainAgentLimits(level, options, turned(turn, START), turned(turn, end));
  const isNear = (turn: Turn, at: readonly number[], [x, , z]: readonly number[], most: number): void => {
    const [px, , pz] = turned(turn, [x, 0, z]);
    expect(Math.sqrt((at[0] - px) ** 2 + (at[2] - pz) ** 2), `seed ${SEED}`).toBeLessThan(most);
  };

  it('names a narrow door, and a beam', () => {
    for (const turn of turns) {
      const z = between(2, 8);
      const width = between(0.45, 0.75);
      const narrow = ask(turn, levelOf(turn, [FLOOR, ...wall(z, width)]));
      expect([narrow.limits.length, narrow.areAllNeeded], narrow.message).toEqual([1, false]);
      expect(narrow.limits[0].option).toBe('radius');
      expect(narrow.limits[0].needed).toBeLessThanOrEqual(width / 2);
      expect(narrow.limits[0].needed).toBeGreaterThan(width / 2 - 1.5 * CELL);
      isNear(turn, narrow.limits[0].at, [7, 0, z], 0.5);
      const height = between(0.8, 1.7);
      const low = ask(turn, levelOf(turn, [FLOOR, ...wall(z, 2.5, height)]));
      expect(
        low.limits.map(({ option }) => option),
        low.message,
      ).toEqual(['height']);
      expect(low.limits[0].needed).toBeLessThanOrEqual(height);
      expect(low.limits[0].needed).toBeGreaterThan(height - 2.1 * CELL_HEIGHT);
      isNear(turn, low.limits[0].at, [7, 0, z], 1.5);
    }
  });

  it('names a step, and a ramp', () => {
    for (const turn of turns) {
      const step = between(0.55, 1.2);
      const { limits, message } = ask(turn, levelOf(turn, [FLOOR, [7, 0, 0, 14, step, 10]]), {}, [12, step, 5]);
      expect(
        limits.map(({ option }) => option),
        message,
      ).toEqual(['maxClimb']);
      expect(Math.abs(limits[0].needed - step)).toBeLessThan(2.1 * CELL_HEIGHT);
      isNear(turn, limits[0].at, [7, 0, 5], 2);
      const degrees = between(47, 58);
      const rise = 3 * Math.tan((degrees * Math.PI) / 180);
      const ramp = [[5.5, 0, 0, 8.5, rise, 0, 8.5, rise, 10, 5.5, 0, 10].flatMap((value) => value)];
      const ground: Box[] = [
        [0, -1, 0, 5.5, 0, 10],
        [8.5, -1, 0, 14, rise, 10],
      ];
      // Steep slopes climb more than 0.4 in two cells.
      const steep = ask(turn, levelOf(turn, ground, reversed(ramp)), { agent: { maxClimb: 0.9 } }, [12, rise, 5]);
      expect(
        steep.limits.map(({ option }) => option),
        steep.message,
      ).toEqual(['maxSlopeDegrees']);
      expect(Math.abs(steep.limits[0].needed - degrees)).toBeLessThan(1.001);
      isNear(turn, steep.limits[0].at, [7, 0, 5], 5);
    }
  });

  it('names two flaws of one door, and none where a wall is closed', () => {
    const [turn] = turns;
    const both = ask(turn, levelOf(turn, [FLOOR, ...wall(5, 0.65, 1.25)]));
    expect([both.limits.map(({ option }) => option).sort(), both.areAllNeeded]).toEqual([['height', 'radius'], true]);
    expect(both.message).toMatch(/^There would be a path with .* and together with .*\.$/);
    const closed = ask(turn, levelOf(turn, [FLOOR, [6.8, 0, 0, 7.2, 3, 10]]));
    expect([closed.limits, closed.areAllNeeded]).toEqual([[], false]);
    expect(closed.message).toMatch(/^Even with cellSize 0\.1, .* there would be no path/);
    const open = ask(turn, levelOf(turn, [FLOOR]));
    expect([open.limits, open.message]).toEqual([[], 'There is a path.']);
  });

  it('names cells that are too large for a door', () => {
    const { limits } = ask(AT_ORIGIN, levelOf(AT_ORIGIN, [FLOOR, ...wall(5, 1.5)]), { cellSize: 0.8 });
    expect(limits[0]).toMatchObject({ option: 'cellSize', value: Math.fround(0.8), needed: Math.fround(0.8) / 2 });
  });

  it('cuts large levels around both positions', () => {
    const [turn] = turns;
    const large = levelOf(turn, [
      [-300, -1, -300, 300, 0, 300],
      ...wall(5, 0.6),
      [6.8, 0, -300, 7.2, 3, 0],
      [6.8, 0, 10, 7.2, 3, 300],
    ]);
    if (process.env['NAVKILN_FULL']) expect(ask(turn, large, { tileSize: 32 }).limits[0].option).toBe('radius');
    expect(explainAgentLimits(large, {}, [-290, 0, 0], [290, 0, 0]).message).toMatch(/too far apart/);
  }, 60_000);

  it('completes explainPath', () => {
    const [turn] = turns;
    const level = levelOf(turn, [FLOOR, ...wall(5, 0.7)]);
    const { navMesh } = buildNavMesh(level, {});
    const explainGap = createLimitExplainer(level, {});
    const { message } = explainPath(navMesh, turned(turn, START), turned(turn, END), { explainGap });
    expect(message).toMatch(/There would be a path with radius 0\.[23] instead of 0\.4, past \[/);
  });

  it('never lets explainPath offer a link where it finds a path', () => {
    const random = seeded(7);
    let different = 0;
    for (let i = 0; i < 12; i++) {
      const turn = turns[i % turns.length];
      const [level, other] = [0, 1].map(() => levelOf(turn, [FLOOR, ...wall(3 + 4 * random(), 0.3 + 1.5 * random())]));
      const { navMesh } = buildNavMesh(level, { tileSize: [0, 4, 8][i % 3], regionMinArea: i % 2 === 0 ? 40 : 0 });
      const explainGap = createLimitExplainer(i % 4 === 0 ? level : other);
      const { cause, message } = explainPath(navMesh, turned(turn, START), turned(turn, END), { explainGap });
      expect(message).not.toContain('There is a path');
      if (cause !== 'gap') continue;
      expect(message).not.toContain('A link could connect them');
      if (message.includes('A new bake of this level')) different++;
      else expect(message).toMatch(/There would be a path with|Even with .* there would be no path/);
    }
    expect(different).toBeGreaterThan(2);
  });
});

/** Quads seen from the other side. */
function reversed(quads: readonly number[][]): number[][] {
  return quads.map((quad) => [0, 9, 6, 3].flatMap((k) => quad.slice(k, k + 3)));
}
