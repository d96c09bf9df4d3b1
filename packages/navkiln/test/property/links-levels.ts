/** Levels for automatic links, and a judge of its own: it samples bodies on links and measures their distance from all triangles. */
import type { AutoLink } from '../../src/build/links/types.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { seeded } from '../unit/meshes.ts';

export interface Level {
  positions: number[];
  indices: number[];
}

/** x0, y0, z0, x1, y1, z1. */
export type Box = readonly [number, number, number, number, number, number];

/** Closed boxes, counter-clockwise from outside. */
export function boxLevel(boxes: readonly Box[]): Level {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [x0, y0, z0, x1, y1, z1] of boxes) {
    const b = positions.length / 3;
    for (const y of [y0, y1]) positions.push(x0, y, z0, x0, y, z1, x1, y, z1, x1, y, z0);
    for (const [p, q, r, s] of [
      [4, 5, 6, 7],
      [3, 2, 1, 0],
      [0, 1, 5, 4],
      [1, 2, 6, 5],
      [2, 3, 7, 6],
      [3, 0, 4, 7],
    ]) {
      indices.push(b + p, b + q, b + r, b + p, b + r, b + s);
    }
  }
  return { positions, indices };
}

/** Platforms at many heights over a floor with a trench, with posts, beams and a slab above. */
export function randomLevel(seed: number): Level {
  const next = seeded(seed);
  const boxes: Box[] = [
    [0, -1, 0, 9, 0, 14],
    [10 + next(), -1, 0, 20, 0.3 * Math.floor(3 * next()), 14],
  ];
  for (let i = 0; i < 7; i++) {
    const x = 17 * next();
    const z = 11 * next();
    const y = 0.4 + 2.4 * next();
    boxes.push([x, -1, z, x + 1.5 + 3 * next(), y, z + 1.5 + 3 * next()]);
  }
  for (let i = 0; i < 6; i++) {
    const x = 20 * next();
    const z = 14 * next();
    boxes.push([x, -1, z, x + 0.1 + 0.3 * next(), 1 + 4 * next(), z + 0.1 + 0.3 * next()]);
  }
  const x = 16 * next();
  const z = 10 * next();
  const y = 2.2 + 2 * next();
  boxes.push([x, y, z, x + 4, y + 0.2, z + 4]);
  return boxLevel(boxes);
}

/** The inputs that the allowances depend on. */
type Scale = Pick<NavMesh, 'agent' | 'cellSize' | 'cellHeight'>;

/** The allowances of the body; those of `packages/navkiln/src/build/links/options.ts`, written again. */
export function bodyOf({ agent, cellSize, cellHeight }: Scale) {
  const { radius, height, maxClimb } = agent;
  return {
    radius,
    height,
    lift: Math.min(maxClimb, height / 2),
    slack: cellHeight / 2,
    margin: 1.2 * radius + 2.2 * cellSize,
    ledgeMargin: 2.2 * (radius + cellSize),
  };
}

/** Returns the position of the feet at share u of the path between two points, by the definition in the documents. */
function feetAt(link: Pick<AutoLink, 'kind' | 'peak'>, a: number[], b: number[], u: number): number[] {
  const d = Math.sqrt((b[0] - a[0]) ** 2 + (b[2] - a[2]) ** 2);
  const top = Math.max(a[1], b[1]) + link.peak;
  let f = u;
  let y: number;
  if (link.kind === 'jump') {
    // A throw, in time: up to the top and down from it, gravity 2.
    const up = Math.sqrt(top - a[1]);
    const down = Math.sqrt(top - b[1]);
    const time = u * (up + down);
    y = top - (time - up) * (time - up);
  } else {
    const [up, down] = [top - a[1], top - b[1]];
    const s = u * (up + d + down);
    f = s <= up ? 0 : s >= up + d ? 1 : (s - up) / d;
    y = s <= up ? a[1] + s : s >= up + d ? top - (s - up - d) : top;
  }
  return [a[0] + f * (b[0] - a[0]), y, a[2] + f * (b[2] - a[2])];
}

/** Returns how deep a capsule on its path from a to b enters the level at most, sampled at `steps` positions. */
export function penetration(
  mesh: Scale,
  level: Level,
  link: Pick<AutoLink, 'kind' | 'peak' | 'distance'>,
  a: number[],
  b: number[],
  steps: readonly number[],
): number {
  const body = bodyOf(mesh);
  const isLedge = link.kind === 'drop' || link.kind === 'climb';
  const margin = isLedge ? body.ledgeMargin : body.margin;
  let deepest = -Infinity;
  const length = Math.sqrt((b[0] - a[0]) ** 2 + (b[2] - a[2]) ** 2);
  for (const u of steps) {
    const feet = feetAt(link, a, b, u);
    const f = Math.sqrt((feet[0] - a[0]) ** 2 + (feet[2] - a[2]) ** 2) / length;
    let low = feet[1] + body.slack;
    if (f * link.distance <= margin) low = Math.max(low, Math.min(a[1], feet[1]) + body.lift);
    if ((1 - f) * link.distance <= margin) low = Math.max(low, Math.min(b[1], feet[1]) + body.lift);
    deepest = Math.max(
      deepest,
      body.radius -
        distanceToLevel(level, feet, low + body.radius, feet[1] + body.height - body.radius, 2 * body.radius),
    );
  }
  return deepest;
}

/** Least distance from an upright segment to all triangles that are nearer than `near`. */
// oxlint-disable-next-line max-params -- kernel
function distanceToLevel(
  { positions: p, indices }: Level,
  [x, , z]: number[],
  low: number,
  high: number,
  near: number,
): number {
  let best = Infinity;
  for (let t = 0; t < indices.length; t += 3) {
    const c = [0, 1, 2].map((k) => indices[t + k] * 3).map((i) => [p[i], p[i + 1], p[i + 2]]);
    if (Math.min(c[0][0], c[1][0], c[2][0]) > x + near || Math.max(c[0][0], c[1][0], c[2][0]) < x - near) continue;
    if (Math.min(c[0][2], c[1][2], c[2][2]) > z + near || Math.max(c[0][2], c[1][2], c[2][2]) < z - near) continue;
    if (Math.min(c[0][1], c[1][1], c[2][1]) > high + near || Math.max(c[0][1], c[1][1], c[2][1]) < low - near) continue;
    // The distance to a triangle is convex along the segment.
    let [from, to] = [low, high];
    for (let i = 0; i < 40; i++) {
      const [s, e] = [from + (to - from) / 3, to - (to - from) / 3];
      if (pointToTriangle([x, s, z], c) < pointToTriangle([x, e, z], c)) to = e;
      else from = s;
    }
    best = Math.min(best, pointToTriangle([x, (from + to) / 2, z], c));
  }
  return best;
}

function minus(a: number[], b: number[]): number[] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function dot(a: number[], b: number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: number[], b: number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Distance of a point from a triangle: to its plane when it projects inside, else to its edges. */
function pointToTriangle(q: number[], [a, b, c]: number[][]): number {
  const normal = cross(minus(b, a), minus(c, a));
  const isInside = [
    [a, b],
    [b, c],
    [c, a],
  ].every(([u, v]) => dot(cross(minus(v, u), minus(q, u)), normal) >= 0);
  if (isInside && dot(normal, normal) > 0) return Math.abs(dot(minus(q, a), normal)) / Math.sqrt(dot(normal, normal));
  return Math.min(
    ...[
      [a, b],
      [b, c],
      [c, a],
    ].map(([u, v]) => {
      const e = minus(v, u);
      const t = Math.min(1, Math.max(0, dot(minus(q, u), e) / dot(e, e)));
      const r = minus(q, [u[0] + t * e[0], u[1] + t * e[1], u[2] + t * e[2]]);
      return Math.sqrt(dot(r, r));
    }),
  );
}

type Point = readonly number[];

export const mix = (p: Point, q: Point, t: number): number[] => p.map((v, k) => v + t * (q[k] - v));

function distanceTo(p: Point, [a, b]: AutoLink['start']): number {
  const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
  const lengthSq = dx * dx + dz * dz;
  const t = lengthSq > 0 ? Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[2] - a[2]) * dz) / lengthSq)) : 0;
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * (b[1] - a[1]), p[2] - a[2] - t * dz);
}

/** Returns how many samples of links, a step apart, are covered by other links, within a distance at both ends, and how many there are. */
export function coverage(
  links: readonly AutoLink[],
  others: readonly AutoLink[],
  near: number,
  step: number,
): [number, number] {
  let covered = 0;
  let count = 0;
  for (const { kind, start, end, width, bothWays } of links) {
    for (let t = 0; t <= 1; t += width > 0 ? Math.min(1, step / width) : 2) {
      const [from, to] = [mix(start[0], start[1], t), mix(end[0], end[1], t)];
      count++;
      const isSame = (other: AutoLink): boolean => {
        if (other.kind !== kind || (bothWays && !other.bothWays)) return false;
        if (distanceTo(from, other.start) < near && distanceTo(to, other.end) < near) return true;
        return other.bothWays && distanceTo(from, other.end) < near && distanceTo(to, other.start) < near;
      };
      if (others.some(isSame)) covered++;
    }
  }
  return [covered, count];
}
