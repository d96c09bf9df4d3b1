import { describe, expect, it } from 'vitest';
import {
  addBox,
  addColumn,
  addFloor,
  addFrame,
  addPrism,
  addRamp,
  addSector,
  addStairs,
  createBuilder,
  finishMesh,
} from '../src/builder.ts';
import type { MeshBuilder } from '../src/builder.ts';
import { createRandom, nextFloat, nextInt, nextRange, valueNoise } from '../src/random.ts';
import { cosTurn, sinTurn } from '../src/turn.ts';

function solid(add: (builder: MeshBuilder) => void): { volume: number; open: number } {
  const builder = createBuilder();
  add(builder);
  const { positions: p, indices } = finishMesh(builder);
  const edges = new Map<string, number>();
  let volume = 0;
  const corner = (index: number): string => `${p[index * 3]},${p[index * 3 + 1]},${p[index * 3 + 2]}`;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [indices[t], indices[t + 1], indices[t + 2]];
    const at = (v: number): [number, number, number] => [p[v * 3], p[v * 3 + 1], p[v * 3 + 2]];
    const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = [at(a), at(b), at(c)];
    volume += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
    for (const [from, to] of [
      [a, b],
      [b, c],
      [c, a],
    ] as const) {
      edges.set(`${corner(from)}>${corner(to)}`, (edges.get(`${corner(from)}>${corner(to)}`) ?? 0) + 1);
    }
  }
  let open = 0;
  for (const [edge, count] of edges) if (edges.get(edge.split('>').reverse().join('>')) !== count) open++;
  return { volume, open };
}

describe('solids are closed and wound outwards', () => {
  it.each<[string, number, (builder: MeshBuilder) => void]>([
    ['box', 24, (b) => addBox(b, [1, 2, 3], [3, 5, 7])],
    ['prism', 4, (b) => addPrism(b, [0, 0, 0, 4, 2, 0], [0, 0, 0], [1, 1, 1])],
    ['ramp to +x', 6, (b) => addRamp(b, [0, 0, 3, 2], { bottom: 0, low: 0.5, high: 1.5, up: 2 })],
    ['ramp to -x', 6, (b) => addRamp(b, [0, 0, 3, 2], { bottom: 0, low: 0.5, high: 1.5, up: 0 })],
    ['ramp to +z', 6, (b) => addRamp(b, [0, 0, 3, 2], { bottom: 0, low: 0.5, high: 1.5, up: 1 })],
    ['ramp to -z', 6, (b) => addRamp(b, [0, 0, 3, 2], { bottom: 0, low: 0.5, high: 1.5, up: 3 })],
    ['stairs', 5, (b) => addStairs(b, [0, 0, 4, 2], { bottom: 0, low: 0, high: 1, up: 2 }, 4)],
    ['frame', 12 * 2, (b) => addFrame(b, [5, 5], 2, 1, [0, 2])],
    ['column of four sides', 2 * 3, (b) => addColumn(b, [0, 0], 1, [0, 3], 4)],
    [
      'sector of a quarter',
      (9 - 1) * 0.5 * 2,
      (b) =>
        addSector(
          b,
          [0, 0],
          { inner: 1, outer: 3 },
          { angle: 0, bottom: 0, top: 2 },
          { angle: 0.25, bottom: 0, top: 2 },
        ),
    ],
  ])('%s', (_name, volume, add) => {
    const made = solid(add);
    expect(made.volume).toBeCloseTo(volume, 4);
    expect(made.open).toBe(0);
  });

  it.each([0, 1, 2, 3] as const)('ramp and stairs in direction %i rise towards it', (up) => {
    for (const add of [addRamp, addStairs]) {
      const builder = createBuilder();
      if (add === addRamp) addRamp(builder, [0, 0, 4, 2], { bottom: 0, low: 0, high: 2, up });
      else addStairs(builder, [0, 0, 4, 2], { bottom: 0, low: 0, high: 2, up }, 4);
      const { positions } = finishMesh(builder);
      let top = 0;
      for (let i = 0; i < positions.length; i += 3) if (positions[i + 1] > positions[top + 1]) top = i;
      const towards = [
        [-1, 0],
        [0, 1],
        [1, 0],
        [0, -1],
      ][up];
      expect((positions[top] - 2) * towards[0] + (positions[top + 2] - 1) * towards[1]).toBeGreaterThan(0);
    }
  });

  it('floors face up', () => {
    const builder = createBuilder();
    addFloor(builder, [0, 0, 4, 3], 1, 3, 2);
    const { positions: p, indices } = finishMesh(builder);
    let area = 0;
    for (let t = 0; t < indices.length; t += 3) {
      const [a, b, c] = [indices[t] * 3, indices[t + 1] * 3, indices[t + 2] * 3];
      const up = (p[b + 2] - p[a + 2]) * (p[c] - p[a]) - (p[b] - p[a]) * (p[c + 2] - p[a + 2]);
      expect(up).toBeGreaterThan(0);
      area += up / 2;
    }
    expect(area).toBeCloseTo(12, 5);
  });
});

describe('numbers', () => {
  it('turns follow sine and cosine', () => {
    for (let i = -500; i <= 500; i++) {
      expect(Math.abs(sinTurn(i / 77) - Math.sin((i / 77) * 2 * Math.PI))).toBeLessThan(1e-9);
      expect(Math.abs(cosTurn(i / 77) - Math.cos((i / 77) * 2 * Math.PI))).toBeLessThan(1e-9);
    }
    expect([sinTurn(0.25), sinTurn(0.75), cosTurn(0.5)]).toEqual([1, -1, -1]);
  });

  it('random numbers are uniform and in range', () => {
    const random = createRandom(1);
    const bins = new Array<number>(10).fill(0);
    for (let i = 0; i < 10_000; i++) {
      const value = nextFloat(random);
      expect(value >= 0 && value < 1).toBe(true);
      bins[Math.floor(value * 10)]++;
    }
    for (const count of bins) expect(Math.abs(count - 1000)).toBeLessThan(150);
    for (let i = 0; i < 1000; i++) {
      const whole = nextInt(random, -2, 3);
      expect(Number.isInteger(whole) && whole >= -2 && whole <= 3).toBe(true);
      const real = nextRange(random, 5, 6);
      expect(real >= 5 && real < 6).toBe(true);
    }
  });

  it('noise is smooth and between 0 and 1', () => {
    for (let i = 0; i < 500; i++) {
      const [x, z] = [i * 0.37 - 90, i * 0.11 - 20];
      const value = valueNoise(3, x, z);
      expect(value >= 0 && value <= 1).toBe(true);
      expect(Math.abs(valueNoise(3, x + 1e-4, z) - value)).toBeLessThan(1e-3);
    }
  });
});
