/**
 * Random floors with rooms, doors, lintels and furniture, and sizes of agents for them.
 */
import type { AgentSize, TriangleInput } from '../../src/build/voxel/options.ts';

/** Returns a generator of numbers in 0 .. 1. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Rooms extends TriangleInput {
  width: number;
  depth: number;
}

/** Returns a floor that is divided by walls with doors, again and again, with furniture in what is left. */
export function rooms(r: () => number): Rooms {
  const positions: number[] = [];
  const indices: number[] = [];
  // oxlint-disable-next-line max-params -- two corners
  const box = (x0: number, y0: number, z0: number, x1: number, y1: number, z1: number): void => {
    const first = positions.length / 3;
    for (const y of [y0, y1]) positions.push(x0, y, z0, x1, y, z0, x1, y, z1, x0, y, z1);
    const sides = [
      [4, 7, 6, 5],
      [0, 1, 2, 3],
      [0, 4, 5, 1],
      [1, 5, 6, 2],
      [2, 6, 7, 3],
      [3, 7, 4, 0],
    ];
    for (const [a, b, c, d] of sides) indices.push(...[a, b, c, a, c, d].map((k) => first + k));
  };
  const width = 20 + r() * 20;
  const depth = 20 + r() * 20;
  box(0, -0.2, 0, width, 0, depth);
  const wall = (x0: number, z0: number, x1: number, z1: number): void => {
    const length = Math.hypot(x1 - x0, z1 - z0);
    const door = 0.8 + r() * 2.5;
    const at = 0.3 + r() * (length - door - 0.6);
    const lintel = r() < 0.4 ? 1.9 + r() : 0;
    const part = (from: number, to: number, bottom: number): void => {
      if (x0 === x1) box(x0 - 0.1, bottom, z0 + from, x0 + 0.1, 3.4, z0 + to);
      else box(x0 + from, bottom, z0 - 0.1, x0 + to, 3.4, z0 + 0.1);
    };
    for (const [from, to] of [
      [0, at],
      [at + door, length],
    ])
      if (to - from >= 0.1) part(from, to, 0);
    if (lintel > 0) part(at, at + door, lintel);
  };
  const furnish = (x0: number, z0: number, w: number, d: number): void => {
    const count = Math.floor(r() * 4);
    for (let i = 0; i < count; i++) {
      const a = 0.4 + r() * 1.6;
      const b = 0.4 + r() * 1.6;
      if (w < a + 1 || d < b + 1) continue;
      const x = x0 + r() * (w - a);
      const z = z0 + r() * (d - b);
      box(x, r() < 0.3 ? 1.9 : 0, z, x + a, 0.3 + r() * 2.5, z + b);
    }
  };
  // oxlint-disable-next-line max-params -- two corners and a depth
  const divide = (x0: number, z0: number, x1: number, z1: number, left: number): void => {
    const w = x1 - x0;
    const d = z1 - z0;
    if (left === 0 || Math.max(w, d) < 5 || (left < 3 && r() < 0.1)) return furnish(x0, z0, w, d);
    const share = 0.3 + 0.4 * r();
    if (w > d) {
      const x = x0 + w * share;
      wall(x, z0, x, z1);
      divide(x0, z0, x, z1, left - 1);
      divide(x, z0, x1, z1, left - 1);
    } else {
      const z = z0 + d * share;
      wall(x0, z, x1, z);
      divide(x0, z0, x1, z, left - 1);
      divide(x0, z, x1, z1, left - 1);
    }
  };
  divide(0, 0, width, depth, 4);
  return { positions: new Float32Array(positions), indices: new Uint32Array(indices), width, depth };
}

/** Returns two or three sizes, from small to large. */
export function randomSizes(r: () => number): AgentSize[] {
  const count = 2 + Math.floor(r() * 2);
  let radius = 0.25 + r() * 0.2;
  let height = 1.5 + r() * 0.3;
  return Array.from({ length: count }, (_, i) => {
    const size = { name: `size ${i}`, radius, height };
    radius += 0.2 + r() * 0.5;
    height += r() * 0.8;
    return size;
  });
}
