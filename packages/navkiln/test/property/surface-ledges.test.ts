/**
 * Paths over stairs with open sides, on surface meshes of radius 0: a walker that knows only the triangles of the level
 * follows each path and climbs no more than the agent. Where the string turned back on the line of an open side, `findPath`
 * went down the side of the stair. NAVKILN_LEDGES sets the number of seeds per kind.
 */
import { describe, expect, it } from 'vitest';
import { randomLevel } from 'navkiln-scenes';
import type { RandomLevelKind } from 'navkiln-scenes';
import { createRandom } from '../../src/base/data/random.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { buildFromSurface } from '../../src/build/surface/build.ts';

const SEEDS = Number(process.env.NAVKILN_LEDGES ?? 0);
const KINDS: RandomLevelKind[] = ['stairs', 'spirals', 'bridges', 'mixed', 'rooms'];
const CASES = [
  ['stairs', 9],
  ['mixed', 12],
  ...KINDS.flatMap((kind) => Array.from({ length: SEEDS }, (_, seed) => [kind, seed + 1] as const)),
] as const;
const PAIRS = 25;
const CELL = 0.5;
/** Distance between two steps of the walker, and how far beside a triangle it still stands on it. */
const STEP = 0.02;
const BESIDE = 1e-4;

type Point = readonly number[];

/** Returns a function that lists the heights of all triangles at a position on which an agent can stand. */
function groundOf(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  least: number,
): (x: number, z: number) => number[] {
  const cells = new Map<string, Point[][]>();
  const cellOf = (value: number): number => Math.floor(value / CELL);
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => positions[3 * indices[i + k] + axis]));
    const [u, v] = [b, c].map((p) => p.map((value, k) => value - a[k]));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    if (!(normal[1] > 0) || normal[1] < least * Math.hypot(...normal)) continue;
    const [xs, zs] = [0, 2].map((k) => [a[k], b[k], c[k]]);
    for (let x = cellOf(Math.min(...xs) - 0.01); x <= cellOf(Math.max(...xs) + 0.01); x++) {
      for (let z = cellOf(Math.min(...zs) - 0.01); z <= cellOf(Math.max(...zs) + 0.01); z++) {
        const list = cells.get(`${x} ${z}`) ?? [];
        cells.set(`${x} ${z}`, list);
        list.push([a, b, c]);
      }
    }
  }
  return (x, z) => {
    const heights: number[] = [];
    for (const [a, b, c] of cells.get(`${cellOf(x)} ${cellOf(z)}`) ?? []) {
      const side = (p: Point, q: Point): number => (q[2] - p[2]) * (x - p[0]) - (q[0] - p[0]) * (z - p[2]);
      const isIn = (p: Point, q: Point): boolean => side(p, q) >= -BESIDE * Math.hypot(q[0] - p[0], q[2] - p[2]);
      if (!isIn(a, b) || !isIn(b, c) || !isIn(c, a)) continue;
      const [wa, wb, wc] = [side(b, c), side(c, a), side(a, b)];
      heights.push((wa * a[1] + wb * b[1] + wc * c[1]) / (wa + wb + wc));
    }
    return heights;
  };
}

/** Returns where a walker cannot follow a line, or ''. */
function faultOf(points: readonly Point[], heightsAt: (x: number, z: number) => number[], climb: number): string {
  let heights = [points[0][1]];
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    const count = Math.max(2, Math.ceil(Math.hypot(b[0] - a[0], b[2] - a[2]) / STEP));
    for (let k = 0; k <= count; k++) {
      const [x, z] = [0, 2].map((axis) => a[axis] + (k / count) * (b[axis] - a[axis]));
      const next = new Set(heightsAt(x, z).filter((y) => heights.some((from) => Math.abs(y - from) <= climb)));
      if (next.size === 0) return `no ground at ${x}, ${z} from heights ${heights.join(' ')}, to corner ${i}`;
      heights = [...next];
    }
  }
  return '';
}

describe('paths along open sides', () => {
  it.each(CASES)('climb no more than the agent: %s, seed %i', (kind, seed) => {
    const { agent, positions, indices } = randomLevel(kind, seed);
    const { navMesh } = buildFromSurface({ positions, indices }, { agent: { ...agent, radius: 0 } });
    const heightsAt = groundOf(positions, indices, Math.cos(((agent.maxSlopeDegrees + 0.01) * Math.PI) / 180));
    const random = createRandom(seed);
    for (let i = 0; i < PAIRS; i++) {
      const [from, to] = [findRandomPoint(navMesh, random), findRandomPoint(navMesh, random)];
      for (const find of [findPath, findOptimalPath]) {
        const path = find(navMesh, from.point, to.point);
        if (path.status !== 'complete') continue;
        // A step of the walker climbs a ramp, too.
        const fault = faultOf(path.points, heightsAt, agent.maxClimb + STEP);
        expect(fault, `${find.name}, pair ${i}: ${from.point} to ${to.point}`).toBe('');
      }
    }
  });
});
