/** Shared parts of the crowd scenes: people, their positions, floors with walls. */
import { addBox } from '../builder.ts';
import type { MeshBuilder, Rectangle } from '../builder.ts';
import type { CrowdSceneAgent, CrowdSceneOptions } from './scene.ts';
import { nextInt, nextRange } from '../random.ts';
import type { Random } from '../random.ts';
import type { Point } from '../scene.ts';

export const RADIUS = 0.35;
export const HEIGHT = 1.8;

/** Returns the bake options of levels for people of at most this radius. */
export function crowdOptions(radius: number = RADIUS, cellSize: number = radius / 2): CrowdSceneOptions {
  return { agent: { radius, height: HEIGHT, maxClimb: 0.4, maxSlopeDegrees: 45 }, cellSize, cellHeight: 0.1 };
}

/** Makes a person of usual size with a random speed from 1.3 to 1.6. */
export function person(random: Random, position: Point, group: number): CrowdSceneAgent {
  return {
    position,
    group,
    radius: RADIUS,
    height: HEIGHT,
    maxSpeed: nextRange(random, 1.3, 1.6),
    maxAcceleration: 8,
  };
}

/** Adds a floor with a thickness of one meter. */
export function addGround(builder: MeshBuilder, [x0, z0, x1, z1]: Rectangle, y: number = 0): void {
  addBox(builder, [x0, y - 1, z0], [x1, y, z1]);
}

/** Lists points of a grid in a rectangle, in rows along x, each displaced by up to `jitter`. */
export function gridPoints(
  random: Random,
  [x0, z0, x1, z1]: Rectangle,
  y: number,
  spacing: number,
  jitter: number,
): Point[] {
  const points: Point[] = [];
  const nx = Math.floor((x1 - x0) / spacing + 1e-9);
  const nz = Math.floor((z1 - z0) / spacing + 1e-9);
  const left = x0 + (x1 - x0 - (nx - 1) * spacing) / 2;
  const top = z0 + (z1 - z0 - (nz - 1) * spacing) / 2;
  for (let iz = 0; iz < nz; iz++) {
    for (let ix = 0; ix < nx; ix++) {
      points.push([
        left + ix * spacing + nextRange(random, -jitter, jitter),
        y,
        top + iz * spacing + nextRange(random, -jitter, jitter),
      ]);
    }
  }
  return points;
}

/** Shuffles in place. */
export function shuffle<T>(random: Random, list: T[]): T[] {
  for (let i = list.length - 1; i > 0; i--) {
    const j = nextInt(random, 0, i);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

/** Sorts by distance to a point, nearest first. Stable. */
export function sortByDistance(points: Point[], x: number, z: number): Point[] {
  const distance = (p: Point): number => (p[0] - x) * (p[0] - x) + (p[2] - z) * (p[2] - z);
  return points
    .map((point, i) => ({ point, i, d: distance(point) }))
    .sort((a, b) => a.d - b.d || a.i - b.i)
    .map((e) => e.point);
}
