/**
 * Random ramps over floors on surface meshes with a radius: every one can be walked from its foot to its top.
 *
 * The floor below ends where the ramp leaves less headroom than the agent's height. That line once cut the ramp above
 * it, too. Ramps are sheets or closed solids, of any slope and direction, some of them on a floor of many triangles,
 * some next to others, and some lead to an upper floor.
 */
import { describe, expect, it } from 'vitest';
import { buildFromSurface } from '../../src/build/surface/build.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { seeded } from '../unit/meshes.ts';

const SEEDS = Number(process.env.NAVKILN_RAMP_SEEDS ?? 20);
/** On the line between two tiles, the ramp's joint was closed where a joint of the floor below it ends. */
const FIXED = [60, 373];

type Point = [x: number, y: number, z: number];

interface Ramp {
  positions: number[];
  /** Positions on the floor before the ramp, on the ramp, and on the floor at its top or at the end of the ramp. */
  before: Point;
  on: Point[];
  after: Point;
  degrees: number;
}

const quad = (a: Point, b: Point, c: Point, d: Point): number[] => [a, b, c, a, c, d].flat();

/** A ramp along z from 0 to `length`, turned and moved, on a floor. */
function randomRamp(seed: number): Ramp {
  const next = seeded(seed);
  const degrees = 12 + 30 * next();
  const slope = Math.tan((degrees * Math.PI) / 180);
  const width = 1.4 + 4 * next();
  const height = 2.6 + 3 * next();
  const length = height / slope;
  const turn = 2 * Math.PI * next();
  const far = [0, 20, 3000][Math.floor(3 * next())];
  const move = [far * (next() - 0.5), far * (next() - 0.5) * 0.1, far * (next() - 0.5)];
  const at = (x: number, y: number, z: number): Point => [
    Math.cos(turn) * x - Math.sin(turn) * z + move[0],
    y + move[1],
    Math.sin(turn) * x + Math.cos(turn) * z + move[2],
  ];
  const positions: number[] = [];
  const face = (...corners: number[][]): void => {
    const [a, b, c, d] = corners.map(([x, y, z]) => at(x, y, z));
    positions.push(...quad(a, b, c, d));
  };
  // A clockwise turn from z to x faces up.
  const floor = (x0: number, z0: number, x1: number, z1: number, y: number): void =>
    face([x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]);
  const parts = next() < 0.5 ? 1 : 4;
  const [low, high] = [-8, length + 8];
  for (let k = 0; k < parts; k++) {
    const [from, to] = [low + ((high - low) * k) / parts, low + ((high - low) * (k + 1)) / parts];
    floor(-8, from, width + 8, to, 0);
  }
  face([0, 0, 0], [0, height, length], [width, height, length], [width, 0, 0]);
  if (next() < 0.5) {
    // The back, and both sides.
    face([0, 0, length], [width, 0, length], [width, height, length], [0, height, length]);
    positions.push(...at(0, 0, 0), ...at(0, 0, length), ...at(0, height, length));
    positions.push(...at(width, 0, 0), ...at(width, height, length), ...at(width, 0, length));
    face([0, 0, 0], [width, 0, 0], [width, 0, length], [0, 0, length]);
  }
  const isJoined = next() < 0.5;
  if (isJoined) floor(-3, length, width + 3, length + 4, height);
  const middle = width / 2;
  return {
    positions,
    before: at(middle, 0, -3),
    on: [0.15, 0.3, 0.45, 0.6, 0.75].map((share) => at(middle, share * height, share * length)),
    after: isJoined ? at(middle, height, length + 2) : at(middle, height - 0.7 * slope, length - 0.7),
    degrees,
  };
}

describe('random ramps', () => {
  it.each([...Array.from({ length: SEEDS }, (_, k) => k + 1), ...FIXED])('are walkable, seed %i', (seed) => {
    const { positions, before, on, after, degrees } = randomRamp(seed);
    const next = seeded(seed + 1e6);
    for (const tileSize of [undefined, 4 + 8 * next()]) {
      const agent = { radius: 0.15 + 0.5 * next(), height: 1.2 + next(), maxClimb: 0.1 + 0.4 * next() };
      const { navMesh } = buildFromSurface({ positions }, { agent, ...(tileSize && { tileSize }) });
      expect(validateNavMesh(navMesh)).toEqual([]);
      const say = `${JSON.stringify(agent)}, ${degrees} degrees, tiles ${tileSize}`;
      const options = { halfExtents: [0.01, 0.05, 0.01] };
      for (const point of on) expect(findNearest(navMesh, point, options).found, `${say}: ${point}`).toBe(true);
      expect(findPath(navMesh, before, after, options).status, say).toBe('complete');
    }
  });
});
