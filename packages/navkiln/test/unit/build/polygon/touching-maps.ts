/**
 * Maps whose floors and walls touch along slanted lines, on integer coordinates, and their exact answers by an own
 * visibility graph.
 *
 * A map on integers has exact answers: what touches is decided by integer arithmetic. The map is then turned, scaled and
 * moved, which rounds its coordinates, and must keep its answers.
 *
 * Walls are the parts of rings with walkable surface on one side. At each corner, the directions between walls form
 * sectors. A path stays in one sector at each corner: walls that touch in a point block.
 */
import type { PolygonMap } from '../../../../src/build/polygon/options.ts';
import { seeded } from '../../meshes.ts';

export type P = [number, number];
type Wall = { a: P; b: P };

/** A map on integers with queries between points on integers. */
export interface TouchingMap {
  floors: P[][];
  obstacles: P[][];
  queries: [P, P][];
}

export const TOUCHING_KINDS = ['floors', 'bricks', 'walls', 'lattice', 'rectangles', 'mixed'] as const;
export type TouchingKind = (typeof TOUCHING_KINDS)[number];

const cross = (a: P, b: P, c: P): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
const dot = (a: P, b: P, c: P): number => (b[0] - a[0]) * (c[0] - a[0]) + (b[1] - a[1]) * (c[1] - a[1]);
const isBetween = (p: P, a: P, b: P): boolean => cross(a, b, p) === 0 && dot(p, a, b) < 0;
const keyOf = ([x, y]: P): string => `${x},${y}`;

/** Makes a map. Slanted directions are pairs of small integers, so corners on slanted sides are integers. */
export function touchingMap(kind: TouchingKind, seed: number): TouchingMap {
  for (let attempt = 0; ; attempt++) {
    const random = seeded(seed * 1000 + attempt);
    const { floors, obstacles } = MAKERS[kind](random);
    if (crosses([...floors, ...obstacles])) continue;
    const made = { floors, obstacles, queries: [] as [P, P][] };
    const points = insidePoints(made, random);
    if (points.length < 2) continue;
    for (let k = 0; k < 6; k++) {
      const from = Math.floor(random() * points.length);
      const to = (from + 1 + Math.floor(random() * (points.length - 1))) % points.length;
      if (keyOf(points[from]) !== keyOf(points[to])) made.queries.push([points[from], points[to]]);
    }
    return made;
  }
}

type Shapes = { floors: P[][]; obstacles: P[][] };
const parallelogram = ([x, y]: P, [ux, uy]: P, [vx, vy]: P): P[] => {
  const ring: P[] = [
    [x, y],
    [x + ux, y + uy],
    [x + ux + vx, y + uy + vy],
    [x + vx, y + vy],
  ];
  return ux * vy - uy * vx < 0 ? ring.reverse() : ring;
};

const MAKERS: Record<TouchingKind, (random: () => number) => Shapes> = {
  /** Parallelograms that are attached to parts of sides of each other. */
  floors(random) {
    const int = intOf(random);
    const slant = (): P => [int(-4, 4), int(-4, 4)];
    const floors: P[][] = [];
    const count = int(2, 7);
    for (let tries = 0; floors.length < count && tries < 60; tries++) {
      if (floors.length === 0) {
        const ring = parallelogram([0, 0], times(slant(), 12), times(slant(), 12));
        if (areaOf(ring) > 0) floors.push(ring);
        continue;
      }
      const base = floors[int(0, floors.length - 1)];
      const k = int(0, base.length - 1);
      const [a, b] = [base[k], base[(k + 1) % base.length]];
      const parts = gcd(Math.abs(b[0] - a[0]), Math.abs(b[1] - a[1]));
      const step: P = [(b[0] - a[0]) / parts, (b[1] - a[1]) / parts];
      const from = int(-6, parts - 1);
      const to = int(Math.max(1, from + 1), parts + 6);
      const start: P = [a[0] + from * step[0], a[1] + from * step[1]];
      const out = times(slant(), 12);
      // To the right of the side, which is outside.
      if (step[0] * out[1] - step[1] * out[0] >= 0) continue;
      const ring = parallelogram(start, times(step, to - from), out);
      if (!floors.some((one) => overlap(one, ring))) floors.push(ring);
    }
    return { floors, obstacles: [] };
  },
  /** Rows of bricks along slanted axes, with joints that do not meet, and gaps. */
  bricks(random) {
    const int = intOf(random);
    const u: P = [int(1, 3), int(-3, 3)];
    const v: P = [-u[1] + int(-1, 1), u[0] + int(0, 1)];
    const floors: P[][] = [];
    const rows = int(2, 4);
    for (let row = 0; row < rows; row++) {
      let at = int(-3, 0);
      const end = int(12, 18);
      while (at < end) {
        const size = int(2, 7);
        if (random() > 0.12)
          floors.push(parallelogram(add(times(u, at), times(v, 4 * row)), times(u, size), times(v, 4)));
        at += size;
      }
    }
    return { floors, obstacles: [] };
  },
  /** A floor, and rows of blocks that touch in parts of their sides or in corners. */
  walls(random) {
    const int = intOf(random);
    const size = 60;
    const obstacles: P[][] = [];
    const rows = int(1, 3);
    for (let row = 0; row < rows; row++) {
      const u: P = [int(-3, 3), int(1, 3)];
      let at: P = [int(10, size - 10), int(0, 20)];
      const count = int(2, 7);
      for (let k = 0; k < count; k++) {
        const long = int(2, 6);
        const side: P = random() < 0.5 ? [u[1], -u[0]] : [-u[1], u[0]];
        const wide = times(side, int(1, 2));
        obstacles.push(parallelogram(at, times(u, long), wide));
        // The next block begins at the end of this one, moved across it.
        at = add(add(at, times(u, long)), random() < 0.5 ? [0, 0] : wide);
      }
    }
    const floor: P[] = [
      [0, 0],
      [size, 0],
      [size, size],
      [0, size],
    ];
    return {
      floors: [floor],
      obstacles: obstacles.filter((ring) => ring.every(([x, y]) => isIn(x, size) && isIn(y, size))),
    };
  },
  /** Blocks on a lattice that touch in sides and corners. */
  lattice(random) {
    const int = intOf(random);
    const cells = 9;
    const obstacles: P[][] = [];
    const taken = new Set<string>();
    for (let k = int(10, 30); k > 0; k--) {
      const [x, y, w, h] = [int(0, cells - 1), int(0, cells - 1), int(1, 3), int(1, 2)];
      const own: P[] = [];
      for (let i = x; i < x + w; i++) for (let j = y; j < y + h; j++) own.push([i, j]);
      if (own.some((cell) => taken.has(keyOf(cell)) || cell[0] >= cells || cell[1] >= cells)) continue;
      for (const cell of own) taken.add(keyOf(cell));
      obstacles.push(parallelogram([4 * x, 4 * y], [4 * w, 0], [0, 4 * h]));
    }
    return { floors: [parallelogram([0, 0], [4 * cells, 0], [0, 4 * cells])], obstacles };
  },
  /** Rectangles that meet in parts of their sides, as floors, with rectangles on them as obstacles. */
  rectangles(random) {
    const int = intOf(random);
    const floors: P[][] = [];
    const count = int(2, 8);
    for (let tries = 0; floors.length < count && tries < 80; tries++) {
      const ring = parallelogram([2 * int(0, 15), 2 * int(0, 15)], [2 * int(2, 8), 0], [0, 2 * int(2, 8)]);
      if (!floors.some((one) => overlap(one, ring))) floors.push(ring);
    }
    const obstacles: P[][] = [];
    for (let k = int(0, 6); k > 0; k--) {
      const ring = parallelogram([2 * int(0, 15), 2 * int(0, 15)], [2 * int(1, 3), 0], [0, 2 * int(1, 3)]);
      if (!obstacles.some((one) => overlap(one, ring))) obstacles.push(ring);
    }
    return { floors, obstacles };
  },
  /**
   * Rooms that overlap or touch themselves in a corner, walls with doors, chains of diamonds that touch in corners, slivers and
   * shapes with a notch, on slanted axes.
   */
  mixed(random) {
    const int = intOf(random);
    const [u, v]: P[] = [
      [int(1, 3), int(-2, 2)],
      [int(-2, 2), int(1, 3)],
    ];
    const rings: P[][] = [];
    /** Counter-clockwise on axes that turn the same way. Slivers that cross others between integers are left out. */
    const put = (to: P[][], ring: P[]): void => {
      const slanted = ring.map(([x, y]) => add(times(u, x), times(v, y)));
      if (crosses([...rings, slanted])) return;
      rings.push(slanted);
      to.push(slanted);
    };
    const box = (x: number, y: number, w: number, h: number): P[] => parallelogram([x, y], [w, 0], [0, h]);
    const floors: P[][] = [];
    for (let k = int(1, 4); k > 0; k--) {
      const [x, y, w, h] = [3 * int(0, 4), 3 * int(0, 4), 3 * int(2, 5), 3 * int(2, 5)];
      if (random() < 0.75) put(floors, box(x, y, w, h));
      else {
        const [mx, my] = [x + w, y + h];
        put(floors, [
          [x, y],
          [mx, y],
          [mx, my],
          [mx + 6, my],
          [mx + 6, my + 6],
          [mx, my + 6],
          [mx, my],
          [x, my],
        ]);
      }
    }
    const obstacles: P[][] = [];
    for (let k = int(0, 4); k > 0; k--) {
      const across = 3 * int(0, 8) - int(0, 1);
      const isFlat = random() < 0.5;
      for (let at = int(-2, 6); at < 24; at += int(0, 2)) {
        const long = int(2, 9);
        put(obstacles, isFlat ? box(at, across, long, 1) : box(across, at, 1, long));
        at += long;
      }
    }
    for (let k = int(0, 2); k > 0; k--) {
      const [dx, dy] = (
        [
          [2, 0],
          [0, 2],
          [1, 1],
          [1, -1],
        ] as P[]
      )[int(0, 3)];
      let [x, y] = [int(1, 20), int(1, 20)];
      for (let left = int(1, 6); left > 0; left--) {
        put(obstacles, [
          [x - 1, y],
          [x, y - 1],
          [x + 1, y],
          [x, y + 1],
        ]);
        x += dx;
        y += dy;
      }
    }
    for (let k = int(0, 3); k > 0; k--) {
      const [x, y, long] = [int(0, 20), int(0, 20), int(4, 15)];
      put(
        obstacles,
        random() < 0.5
          ? [
              [x, y],
              [x + long, y],
              [x + long, y + 1],
            ]
          : [
              [x, y],
              [x + 1, y + long],
              [x, y + long],
            ],
      );
    }
    for (let k = int(0, 2); k > 0; k--) {
      const [x, y, w, h] = [int(0, 18), int(0, 18), int(3, 6), int(2, 6)];
      put(obstacles, [
        [x, y],
        [x + w, y],
        [x + w, y + h],
        [x + w - 1, y + h],
        [x + w - 1, y + 1],
        [x, y + 1],
      ]);
    }
    return { floors, obstacles };
  },
};

function intOf(random: () => number): (low: number, high: number) => number {
  return (low, high) => low + Math.floor(random() * (high - low + 1));
}
const times = ([x, y]: P, k: number): P => [x * k, y * k];
const add = (a: P, b: P): P => [a[0] + b[0], a[1] + b[1]];
const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
const isIn = (value: number, size: number): boolean => value >= 0 && value <= size;
const areaOf = (ring: P[]): number =>
  ring.reduce((sum, [x, y], k) => {
    const [nx, ny] = ring[(k + 1) % ring.length];
    return sum + (x * ny - y * nx) / 2;
  }, 0);

/** Returns whether convex counter-clockwise rings overlap in more than their borders. */
function overlap(one: P[], other: P[]): boolean {
  const isApart = (ring: P[], from: P[]): boolean =>
    ring.some((a, k) => from.every((p) => cross(a, ring[(k + 1) % ring.length], p) <= 0));
  return !isApart(one, other) && !isApart(other, one);
}

/** Returns whether segments cross at a point that is no integer. */
export function crosses(rings: P[][]): boolean {
  const segments = rings.flatMap((ring) => ring.map((a, k): [P, P] => [a, ring[(k + 1) % ring.length]]));
  return segments.some(([a, b], i) =>
    segments.some(([c, d], j) => {
      if (j >= i) return false;
      const [sc, sd, sa, sb] = [cross(a, b, c), cross(a, b, d), cross(c, d, a), cross(c, d, b)];
      if (!(sc * sd < 0 && sa * sb < 0)) return false;
      const u = sa / (sa - sb);
      const [x, y] = [a[0] + u * (b[0] - a[0]), a[1] + u * (b[1] - a[1])];
      return Math.abs(x - Math.round(x)) > 1e-9 || Math.abs(y - Math.round(y)) > 1e-9;
    }),
  );
}

/** Returns whether a point is in a ring; the point is on no ring. */
function isInRing(ring: P[], [x, y]: P): boolean {
  let inside = false;
  ring.forEach((a, k) => {
    const b = ring[(k + 1) % ring.length];
    if (a[1] > y !== b[1] > y && x < a[0] + ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1])) inside = !inside;
  });
  return inside;
}

const isFree = ({ floors, obstacles }: Shapes, p: P): boolean =>
  floors.some((ring) => isInRing(ring, p)) && !obstacles.some((ring) => isInRing(ring, p));

/** Returns some integer points inside the walkable area that are on no ring. */
export function insidePoints(shapes: TouchingMap, random: () => number): P[] {
  const rings = [...shapes.floors, ...shapes.obstacles];
  const all = rings.flat();
  const low = [0, 1].map((axis) => Math.min(...all.map((p) => p[axis])));
  const high = [0, 1].map((axis) => Math.max(...all.map((p) => p[axis])));
  const points: P[] = [];
  for (let tries = 0; tries < 400 && points.length < 12; tries++) {
    const p = low.map((from, axis) => from + Math.floor(random() * (high[axis] - from + 1))) as P;
    const isOn = rings.some((ring) =>
      ring.some((a, k) => {
        const b = ring[(k + 1) % ring.length];
        return keyOf(a) === keyOf(p) || isBetween(p, a, b);
      }),
    );
    if (!isOn && isFree(shapes, p)) points.push(p);
  }
  return points;
}

/** Returns the walls of a map on integers: pieces of rings between corners and crossings with walkable surface on one side. */
export function wallsOf(shapes: Shapes): Wall[] {
  const rings = [...shapes.floors, ...shapes.obstacles];
  const segments = rings.flatMap((ring) => ring.map((a, k): [P, P] => [a, ring[(k + 1) % ring.length]]));
  const points = new Map<string, P>(rings.flat().map((p) => [keyOf(p), p]));
  for (const [a, b] of segments) {
    for (const [c, d] of segments) {
      const [sc, sd, sa, sb] = [cross(a, b, c), cross(a, b, d), cross(c, d, a), cross(c, d, b)];
      if (!(sc * sd < 0 && sa * sb < 0)) continue;
      const u = sa / (sa - sb);
      const p: P = [Math.round(a[0] + u * (b[0] - a[0])), Math.round(a[1] + u * (b[1] - a[1]))];
      points.set(keyOf(p), p);
    }
  }
  const walls = new Map<string, Wall>();
  for (const [a, b] of segments) {
    const on = [...points.values()].filter((p) => isBetween(p, a, b));
    on.sort((p, q) => dot(a, b, p) - dot(a, b, q));
    const chain = [a, ...on, b];
    for (let k = 0; k + 1 < chain.length; k++) {
      const [p, q] = [chain[k], chain[k + 1]];
      const length = Math.hypot(q[0] - p[0], q[1] - p[1]);
      // No ring is as near as that to the middle, and does not run through it.
      const [nx, ny] = [(-1e-5 * (q[1] - p[1])) / length, (1e-5 * (q[0] - p[0])) / length];
      const middle: P = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
      const left = isFree(shapes, [middle[0] + nx, middle[1] + ny]);
      const right = isFree(shapes, [middle[0] - nx, middle[1] - ny]);
      if (left === right) continue;
      // The walkable side is on the left.
      const wall = left ? { a: p, b: q } : { a: q, b: p };
      walls.set(`${keyOf(wall.a)} ${keyOf(wall.b)}`, wall);
    }
  }
  return [...walls.values()];
}

/** The directions between two walls at a corner, counter-clockwise. */
interface Sector {
  from: P;
  to: P;
}

/** A turn is counter-clockwise from `from` by less than a full one: returns whether a direction comes no later than another. */
function isWithin({ from, to }: Sector, d: P): boolean {
  const turn = (v: P): number => {
    const [c, s] = [from[0] * v[0] + from[1] * v[1], from[0] * v[1] - from[1] * v[0]];
    if (s === 0) return c > 0 ? 0 : 2;
    return s > 0 ? 1 : 3;
  };
  const [td, tt] = [turn(d), turn(to) === 0 ? 4 : turn(to)];
  if (td !== tt) return td < tt;
  if (td === 0 || td === 2 || td === 4) return true;
  return d[0] * to[1] - d[1] * to[0] >= 0;
}

interface Corner {
  point: P;
  sectors: Sector[];
}

/** Which sectors a straight line between two points uses at its ends, as one number; and when walls block it. */
type Sight = number;
const BLOCKED = -1;
const SECTORS = 64;

/** The visibility graph of walls. */
interface SightGraph {
  corners: Corner[];
  /** Of each pair of corners; lines are tested when a search first needs them, for all searches. */
  sights: Map<number, Sight>;
  see: (p: Corner, q: Corner) => Sight;
}

const minus = (p: P, q: P): P => [p[0] - q[0], p[1] - q[1]];

function sightGraphOf(walls: Wall[]): SightGraph {
  const byKey = new Map<string, Corner>();
  for (const { a, b } of walls) for (const p of [a, b]) byKey.set(keyOf(p), { point: p, sectors: [] });
  for (const { point, sectors } of byKey.values()) {
    // A wall that leaves a corner has the walkable side on its left, so a sector begins there; it ends at one that arrives.
    const leaving = walls.filter(({ a }) => keyOf(a) === keyOf(point)).map(({ b }) => minus(b, point));
    const arriving = walls.filter(({ b }) => keyOf(b) === keyOf(point)).map(({ a }) => minus(a, point));
    for (const from of leaving) {
      const nearest = arriving.reduce((best, to) => (isWithin({ from, to: best }, to) ? to : best));
      sectors.push({ from, to: nearest });
    }
  }
  const corners = [...byKey.values()];
  const see = (from: Corner, to: Corner): Sight => {
    const [p, q] = [from.point, to.point];
    const forward = minus(q, p);
    const backward = minus(p, q);
    const sectorOf = ({ sectors }: Corner, d: P): number =>
      sectors.length === 0 ? 0 : sectors.findIndex((one) => isWithin(one, d));
    const [first, last] = [sectorOf(from, forward), sectorOf(to, backward)];
    if (first < 0 || last < 0) return BLOCKED;
    for (const { a, b } of walls) {
      if (cross(p, q, a) * cross(p, q, b) < 0 && cross(a, b, p) * cross(a, b, q) < 0) return BLOCKED;
    }
    for (const { point, sectors } of corners) {
      if (!isBetween(point, p, q)) continue;
      if (!sectors.some((one) => isWithin(one, forward) && isWithin(one, backward))) return BLOCKED;
    }
    return SECTORS * first + last;
  };
  return { corners, sights: new Map(), see };
}

const graphs = new WeakMap<Wall[], SightGraph>();

/** Returns the length of the shortest path between points on no wall; Infinity when there is none. */
export function exactLength(walls: Wall[], start: P, end: P): number {
  const graph = graphs.get(walls) ?? sightGraphOf(walls);
  graphs.set(walls, graph);
  const count = graph.corners.length;
  const all = [...graph.corners, { point: start, sectors: [] }, { point: end, sectors: [] }];
  const sightOf = (from: number, to: number): Sight => {
    if (Math.max(from, to) >= count) return graph.see(all[from], all[to]);
    const known = graph.sights.get(from * count + to);
    if (known !== undefined) return known;
    const sight = graph.see(all[from], all[to]);
    graph.sights.set(from * count + to, sight);
    const back = sight < 0 ? sight : SECTORS * (sight % SECTORS) + Math.floor(sight / SECTORS);
    graph.sights.set(to * count + from, back);
    return sight;
  };
  // Dijkstra over corners and their sectors.
  const nodes = all.flatMap(({ sectors }, corner) =>
    Array.from({ length: Math.max(1, sectors.length) }, (_, sector) => ({ corner, sector })),
  );
  const length = nodes.map(() => Infinity);
  const done = nodes.map(() => false);
  const last = nodes.length - 1;
  length[last - 1] = 0;
  for (;;) {
    let best = -1;
    for (let k = 0; k <= last; k++) {
      if (!done[k] && length[k] < Infinity && (best < 0 || length[k] < length[best])) best = k;
    }
    if (best < 0 || best === last) return length[last];
    done[best] = true;
    const { corner, sector } = nodes[best];
    const { point } = all[corner];
    for (let k = 0; k <= last; k++) {
      const node = nodes[k];
      if (done[k] || node.corner === corner) continue;
      const [dx, dy] = minus(all[node.corner].point, point);
      const through = length[best] + Math.sqrt(dx * dx + dy * dy);
      // What is no shorter needs no line.
      if (through < length[k] && sightOf(corner, node.corner) === SECTORS * sector + node.sector) length[k] = through;
    }
  }
}

/** Returns the area between the walls. */
export function exactArea(walls: Wall[]): number {
  return walls.reduce((sum, { a, b }) => sum + (a[0] * b[1] - a[1] * b[0]) / 2, 0);
}

/** Turns, scales and moves points. */
export interface Motion {
  move: (p: P) => P;
  scale: number;
}

/** Returns a motion by any angle, at a scale from 0.01 to 100, and up to 10,000 units away; or at 0.001, and 10,000,000 away. */
export function randomMotion(random: () => number): Motion {
  const angle = 2 * Math.PI * random();
  const isFarthest = random() < 0.1;
  const scale = isFarthest ? 1e-3 : 10 ** (4 * random() - 2);
  const [cos, sin] = [scale * Math.cos(angle), scale * Math.sin(angle)];
  const far = isFarthest ? 2e7 : random() < 0.3 ? 10_000 : 10;
  const [x0, y0] = [far * (random() - 0.5), far * (random() - 0.5)];
  return { scale, move: ([x, y]) => [x0 + cos * x - sin * y, y0 + sin * x + cos * y] };
}

/** Returns a motion by any angle that keeps integers: a product of complex integers. No coordinate is rounded. */
export function exactMotion(random: () => number): Motion {
  const int = (): number => Math.floor(2000 * random()) - 1000;
  const [a, b] = [int(), int() || 1];
  const [x0, y0] = [1000 * int(), 1000 * int()];
  return { scale: Math.hypot(a, b), move: ([x, y]) => [x0 + a * x - b * y, y0 + b * x + a * y] };
}

export interface MovedMap extends PolygonMap {
  polygons: { outline: P[] }[];
  obstacles: P[][];
}

/** Returns the map after a motion. */
export function movedMap({ floors, obstacles }: Shapes, { move }: Motion): MovedMap {
  return {
    polygons: floors.map((ring) => ({ outline: ring.map(move) })),
    obstacles: obstacles.map((ring) => ring.map(move)),
  };
}
