/**
 * Paths for any radius on random 2D maps of ten kinds.
 *
 * The oracle is the map built for the radius, twice: with walls grown by polygons around the disc, and by polygons inside it. Where the first
 * has a path there is one, where the second has none there is none, and lengths lie between both. Each path is walked: its lines and
 * arcs keep the radius from all walls. Ends without room are moved by a distance between those to both maps, and paths between them are checked, too, as are those
 * without a radius between corners. A clearance with a largest radius gives the same lengths. NAVKILN_CLEARANCE sets the maps per kind, NAVKILN_SEED the first seed; the soak makes 100,000
 * queries. Sparse maps are walked with a falling radius, from ends with just enough room: no path is longer than that for a larger radius,
 * and that for 0 is the exact path of the map. Small radii, down to the least, give the path without a radius, and the polyline stays within the
 * tolerance.
 */
import { describe, expect, it } from 'vitest';
import { createClearance } from '../../src/query/clearance/create.ts';
import { findClearPath2d } from '../../src/query/clearance/find.ts';
import type { ClearPath2d } from '../../src/query/clearance/find.ts';
import type { Clearance } from '../../src/query/clearance/types.ts';
import { validateClearance } from '../../src/query/clearance/validate.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { findNearest2d } from '../../src/query/map/nearest-2d.ts';
import { findPath2d } from '../../src/query/map/path-2d.ts';
import { seeded } from '../unit/meshes.ts';
import { distanceToSegment, ringsInWorld } from '../unit/build/polygon/map-oracle.ts';
import { KINDS, randomMap } from '../unit/build/polygon/random-maps.ts';
import type { Kind } from '../unit/build/polygon/random-maps.ts';

type P = [number, number];
type Segment = readonly [P, P];

const MAPS = Number(process.env.NAVKILN_CLEARANCE ?? 1);
const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const RADII = 2;
const QUERIES = MAPS > 1 ? 40 : 8;
/** Sides of the polygons around discs. */
const SIDES = [8, 32, 128];

/** Returns the distance of two segments. */
function distanceOf([a, b]: Segment, [c, d]: Segment): number {
  const side = (p: P, q: P, r: P): number => (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) return 0;
  return Math.min(
    distanceToSegment(a, c, d),
    distanceToSegment(b, c, d),
    distanceToSegment(c, a, b),
    distanceToSegment(d, a, b),
  );
}

/** Returns how near a path comes to walls: exactly on its lines, at 25 points on each arc. */
function nearestOf(path: ClearPath2d, walls: readonly Segment[]): number {
  let nearest = Infinity;
  const look = (segment: Segment): void => {
    for (const wall of walls) nearest = Math.min(nearest, distanceOf(segment, wall));
  };
  let at = path.points[0];
  for (const { center, start, end, turn } of path.arcs) {
    look([at, start]);
    const [x, y] = [start[0] - center[0], start[1] - center[1]];
    for (let k = 0; k <= 24; k++) {
      const [cos, sin] = [Math.cos((turn * k) / 24), Math.sin((turn * k) / 24)];
      const point: P = [center[0] + x * cos - y * sin, center[1] + x * sin + y * cos];
      look([point, point]);
    }
    at = end;
  }
  look([at, path.points.at(-1)!]);
  return nearest;
}

interface Tally {
  queries: number;
  paths: number;
  undecided: number;
}

function tryMap(kind: Kind, seed: number, tally: Tally): void {
  const map = randomMap(kind, seed);
  const { navMesh, report, stages } = buildFromPolygons(map);
  if (navMesh.polyCount === 0) return;
  const random = seeded(7919 * seed + KINDS.indexOf(kind));
  const clearance = createClearance(navMesh);
  expect(validateClearance(clearance), `${kind}, seed ${seed}`).toEqual([]);
  const rings = ringsInWorld(stages.clean, report.frame);
  const walls = rings.flatMap((ring) => ring.map((point, i): Segment => [point, ring[(i + 1) % ring.length]]));
  const xs = walls.map(([[x]]) => x);
  const ys = walls.map(([[, y]]) => y);
  const [minX, maxX, minY, maxY] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const slack = 8 * report.frame.gridSize;
  for (let k = 0; k < RADII; k++) {
    const radius = Math.max(maxX - minX, maxY - minY) * (0.002 + 0.08 * random() ** 2);
    const arcTolerance = 1 / Math.cos(Math.PI / SIDES[Math.floor(random() * SIDES.length)]) - 1;
    const outer = buildFromPolygons(map, { radius: radius + slack, arcTolerance }).navMesh;
    const inner = buildFromPolygons(map, { radius: radius / (1 + arcTolerance) - slack, arcTolerance }).navMesh;
    const bounded = createClearance(navMesh, { maxRadius: radius * (k === 0 ? 1 : 1 + random()) });
    const points: P[] = [];
    for (let tries = 0; tries < 400 && points.length < 2 * QUERIES; tries++) {
      const point: P = [minX + (maxX - minX) * random(), minY + (maxY - minY) * random()];
      const room = Math.min(...walls.map(([a, b]) => distanceToSegment(point, a, b)));
      if (room >= radius * (1 + arcTolerance) + 2 * slack && isInside(walls, point)) points.push(point);
    }
    for (let n = 0; n < 4; n++) {
      const anywhere: P = [
        minX + (maxX - minX) * (1.2 * random() - 0.1),
        minY + (maxY - minY) * (1.2 * random() - 0.1),
      ];
      const place = `${kind}, seed ${seed}, radius ${radius}`;
      const other: P = [minX + (maxX - minX) * random(), minY + (maxY - minY) * random()];
      tryMovedEnds(clearance, [anywhere, other], radius, outer, place);
      const [from, to] = [0, 1].map(() => walls[Math.floor(random() * walls.length)][0]);
      const exact = findPath2d(navMesh, from, to);
      const corners = findClearPath2d(clearance, from, to, 0);
      const cornerName = `${place}, corners ${JSON.stringify([from, to])}`;
      expect(corners.status === 'complete', cornerName).toBe(exact.status === 'complete');
      if (exact.status === 'complete') {
        expect(corners.length, cornerName).toBeLessThanOrEqual(exact.length * (1 + 1e-6) + slack);
      }
      tryMove(
        clearance,
        anywhere,
        radius,
        [inner, outer],
        4 * slack,
        `${kind}, seed ${seed}, radius ${radius}, ${anywhere}`,
      );
    }
    for (let i = 0; i + 1 < points.length; i += 2) {
      const [a, b] = [points[i], points[i + 1]];
      const name = `${kind}, seed ${seed}, radius ${radius}, ${JSON.stringify([a, b])}`;
      const path = findClearPath2d(clearance, a, b, radius);
      const around = findPath2d(outer, a, b, { halfExtents: 2 * slack });
      const inside = findPath2d(inner, a, b, { halfExtents: 2 * slack });
      tally.queries++;
      const same = findClearPath2d(bounded, a, b, radius);
      expect([same.status, same.passage?.width], name).toEqual([path.status, path.passage?.width]);
      expect(Math.abs(same.length - path.length), name).toBeLessThanOrEqual(1e-9 * path.length);
      expect([path.startDistance, path.endDistance], name).toEqual([0, 0]);
      if (around.status === 'complete') {
        expect(path.status, name).toBe('complete');
        expect(path.length, name).toBeLessThanOrEqual(around.length * (1 + 1e-7));
      } else if (inside.status === 'complete') tally.undecided++;
      if (path.status !== 'complete') {
        // Parts of the map that nothing connects have no passage to name.
        expect(path.passage === undefined || path.passage.width < 2 * radius, name).toBe(true);
        continue;
      }
      tally.paths++;
      expect(inside.status, name).toBe('complete');
      expect(path.length, name).toBeGreaterThanOrEqual(inside.length * (1 - 1e-7));
      expect(nearestOf(path, walls), name).toBeGreaterThanOrEqual(radius * (1 - 1e-9));
    }
  }
}

/** Any point is moved by at least the distance to the map for a smaller radius, and at most by that for a larger one. */
// oxlint-disable-next-line max-params -- a case and its name
function tryMove(
  clearance: Clearance,
  point: P,
  radius: number,
  [inner, outer]: [NavMesh, NavMesh],
  slack: number,
  name: string,
): void {
  const moved = findClearPath2d(clearance, point, point, radius);
  if (inner.polyCount === 0) expect(moved.reason, name).toBe('start-off-mesh');
  else expect(moved.startDistance, name).toBeGreaterThanOrEqual(findNearest2d(inner, point).distance - slack);
  if (outer.polyCount === 0) return;
  expect(moved.status, name).toBe('complete');
  expect(moved.startDistance, name).toBeLessThanOrEqual(findNearest2d(outer, point).distance + slack);
  const maxMove = 0.7 * radius;
  const near = findClearPath2d(clearance, point, point, radius, { maxMove });
  expect(near.startDistance, name).toBe(moved.startDistance <= maxMove ? moved.startDistance : Infinity);
}

/** A path between ends that lie at the radius from walls is no longer than the one for a slightly larger agent. */
function tryMovedEnds(clearance: Clearance, [a, b]: [P, P], radius: number, outer: NavMesh, name: string): void {
  const path = findClearPath2d(clearance, a, b, radius);
  if (path.status !== 'complete' || outer.polyCount === 0) return;
  const [from, to] = [path.points[0], path.points.at(-1)!];
  const around = findPath2d(outer, from, to);
  const moves = around.startDistance + around.endDistance;
  if (around.status !== 'complete' || moves > 0.1 * radius) return;
  expect(path.length, `${name}, moved ends ${JSON.stringify([from, to])}`).toBeLessThanOrEqual(
    around.length * (1 + 1e-7) + 3 * moves + 0.01 * radius,
  );
}

function isInside(walls: readonly Segment[], [x, y]: P): boolean {
  let isIn = false;
  for (const [a, b] of walls) {
    if (a[1] <= y === b[1] <= y) continue;
    const left = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) > 0;
    if (left === b[1] > a[1]) isIn = !isIn;
  }
  return isIn;
}

describe.each(KINDS)('paths for any radius: %s', (kind) => {
  it(`${MAPS} maps from seed ${SEED}`, { timeout: 3_600_000 }, () => {
    const tally: Tally = { queries: 0, paths: 0, undecided: 0 };
    for (let seed = SEED; seed < SEED + MAPS; seed++) tryMap(kind, seed, tally);
    console.info(
      `${kind}, seeds from ${SEED}: ${tally.queries} queries, ${tally.paths} paths, ${tally.undecided} undecided`,
    );
    expect(tally.undecided).toBeLessThanOrEqual(0.05 * tally.queries + 2);
  });
});

/** Stars, or boxes and triangles on a grid, in a box; far from the origin and of odd sizes now and then. */
function sparseMap(seed: number): { outline: P[]; obstacles: P[][] } {
  const random = seeded(seed);
  const scale = random() < 0.3 ? Math.exp(6 * (random() - 0.5)) : 1;
  const offset = random() < 0.2 ? 1e5 * (random() - 0.5) : 0;
  const [width, height] = [60, 40];
  const place = ([x, y]: P): P => [scale * x + offset, scale * y + offset];
  const isGrid = random() < 0.4;
  const grid = random() < 0.5 ? 1 : 0.5;
  const obstacles = Array.from({ length: 1 + Math.floor(random() * 30) }, (): P[] => {
    if (isGrid) {
      const [x, y] = [Math.round((random() * width) / grid) * grid, Math.round((random() * height) / grid) * grid];
      const [w, h] = [(1 + Math.floor(random() * 8)) * grid, (1 + Math.floor(random() * 8)) * grid];
      const corners: P[] = [
        [x, y],
        [x + w, y],
        [x + w, y + h],
        [x, y + h],
      ];
      return random() < 0.7 ? corners : corners.toSpliced(2, 1);
    }
    const [x, y, size] = [random() * width, random() * height, 0.5 + 4 * random()];
    const isStar = random() < 0.4;
    const sides = 3 + Math.floor(random() * 7);
    const turn = 7 * random();
    return Array.from({ length: sides }, (_, i): P => {
      const angle = turn + (2 * Math.PI * i) / sides;
      const far = size * (isStar && i % 2 === 1 ? 0.4 : 1) * (0.7 + 0.3 * random());
      return [x + far * Math.cos(angle), y + far * Math.sin(angle)];
    });
  });
  const outline: P[] = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ];
  return { outline: outline.map(place), obstacles: obstacles.map((ring) => ring.map(place)) };
}

function walkWithFallingRadius(seed: number): number {
  const { outline, obstacles } = sparseMap(seed);
  const { navMesh, report, stages } = buildFromPolygons({ polygons: [{ outline }], obstacles });
  if (navMesh.polyCount === 0) return 0;
  const clearance = createClearance(navMesh);
  const walls = ringsInWorld(stages.clean, report.frame).flatMap((ring) =>
    ring.map((point, i): Segment => [point, ring[(i + 1) % ring.length]]),
  );
  const random = seeded(31 * seed + 7);
  const [[minX, minY], , [maxX, maxY]] = outline;
  let queries = 0;
  for (let tries = 0; tries < 25; tries++) {
    const [a, b] = [0, 1].map((): P => [minX + (maxX - minX) * random(), minY + (maxY - minY) * random()]);
    if (!isInside(walls, a) || !isInside(walls, b)) continue;
    const room = Math.min(...walls.flatMap(([p, q]) => [distanceToSegment(a, p, q), distanceToSegment(b, p, q)]));
    const name = `sparse, seed ${seed}, room ${room}, ${JSON.stringify([a, b])}`;
    let last: ClearPath2d | undefined;
    for (const share of [0.999, 0.8, 0.5, 0.2, 0]) {
      queries++;
      const path = findClearPath2d(clearance, a, b, share * room);
      expect([path.startDistance, path.endDistance], name).toEqual([0, 0]);
      if (last?.status === 'complete') {
        expect(path.status, name).toBe('complete');
        expect(path.length, `${name}, share ${share}`).toBeLessThanOrEqual(last.length * (1 + 1e-7));
      }
      if (share === 0) {
        const exact = findPath2d(navMesh, a, b);
        expect(path.status === 'complete', name).toBe(exact.status === 'complete');
        if (exact.status === 'complete') expect(path.length / exact.length, name).toBeCloseTo(1, 6);
      } else if (path.status === 'complete') {
        const nearest = nearestOf(path, walls);
        expect(nearest, name).toBeGreaterThanOrEqual(share * room * (1 - 1e-9) - 8 * report.frame.gridSize);
      }
      last = path;
    }
  }
  return queries;
}

/** Down to the least radius, paths are those without a radius but for turns, and keep the radius; so does the polyline. */
function trySmallRadii(kind: Kind, seed: number): number {
  const map = randomMap(kind, seed);
  const { navMesh, report, stages } = buildFromPolygons(map);
  if (navMesh.polyCount === 0) return 0;
  const clearance = createClearance(navMesh);
  const walls = ringsInWorld(stages.clean, report.frame).flatMap((ring) =>
    ring.map((point, i): Segment => [point, ring[(i + 1) % ring.length]]),
  );
  const coordinates = [0, 1].map((axis) => walls.map(([p]) => p[axis]));
  const low = coordinates.map((list) => Math.min(...list));
  const high = coordinates.map((list) => Math.max(...list));
  const extent = Math.max(high[0] - low[0], high[1] - low[1]);
  const ulp = 2 ** -52 * Math.max(...low.map(Math.abs), ...high.map(Math.abs));
  expect(clearance.gridSize, 'the least radius').toBeLessThanOrEqual(3e-8 * extent);
  const random = seeded(71 * seed + KINDS.indexOf(kind));
  const anyPoint = (): P => low.map((from, axis) => from + (high[axis] - from) * random()) as P;
  let paths = 0;
  for (let tries = 0; tries < 8; tries++) {
    const [a, b] = [anyPoint(), anyPoint()];
    const radius = Math.exp(Math.log(clearance.gridSize) + Math.log((1e-3 * extent) / clearance.gridSize) * random());
    const room = Math.min(...walls.flatMap(([p, q]) => [distanceToSegment(a, p, q), distanceToSegment(b, p, q)]));
    if (!isInside(walls, a) || !isInside(walls, b) || room < 2 * radius) continue;
    const name = `${kind}, seed ${seed}, radius ${radius}, ${JSON.stringify([a, b])}`;
    const arcTolerance = [1e-6, 0.01, 0.1, 1][Math.floor(4 * random())];
    const plain = findPath2d(navMesh, a, b);
    const path = findClearPath2d(clearance, a, b, radius, { arcTolerance });
    if (path.status !== 'complete') {
      expect(plain.status !== 'complete' || path.passage!.width < 2 * radius, name).toBe(true);
      continue;
    }
    paths++;
    expect(plain.status, name).toBe('complete');
    expect(path.length, name).toBeGreaterThanOrEqual(plain.length - 1e-9 * extent);
    const slack = Math.max(1e-9 * radius, 2 * ulp);
    expect(nearestOf(path, walls), name).toBeGreaterThanOrEqual(radius - slack);
    for (let i = 0; i + 1 < path.points.length; i++) {
      const nearest = Math.min(...walls.map((wall) => distanceOf([path.points[i], path.points[i + 1]], wall)));
      expect(nearest, name).toBeGreaterThanOrEqual(radius * (1 - arcTolerance) - slack);
    }
    for (const point of path.points.slice(1, -1)) {
      const away = Math.min(...path.arcs.map(({ center }) => distanceToSegment(point, center, center)));
      expect(away, name).toBeLessThanOrEqual(radius * (1 + arcTolerance) + slack);
    }
    // Where no passage closes, the path turns around the same corners. The narrowest passages are wider than that.
    if (radius < 1e-6 * extent) {
      expect(path.length, name).toBeLessThan(plain.length + 8 * radius * (plain.points.length + 2));
    }
  }
  return paths;
}

describe('small radii', () => {
  it.each(KINDS)('%s', { timeout: 3_600_000 }, (kind) => {
    let paths = 0;
    for (let seed = SEED; seed < SEED + 3 * MAPS; seed++) paths += trySmallRadii(kind, seed);
    if (MAPS > 1) console.info(`${kind}, small radii, seeds from ${SEED}: ${paths} paths`);
    expect(paths).toBeGreaterThan(0);
  });

  it('below a step of the grid are refused', () => {
    const clearance = createClearance(buildFromPolygons(randomMap('grid', 1)).navMesh);
    const { gridSize } = clearance;
    expect(() => findClearPath2d(clearance, [1, 1], [2, 2], gridSize / 2)).toThrow(
      `findClearPath2d: radius is ${gridSize / 2}; must be 0, or at least ${gridSize}, a step of the map's grid`,
    );
    expect(findClearPath2d(clearance, [1, 1], [1, 1], gridSize).status).toBe('complete');
  });
});

describe('overlapping, seed 5050', () => {
  it('a turn at the last of two points on a wall', () => {
    const map = randomMap('overlapping', 5050);
    const clearance = createClearance(buildFromPolygons(map).navMesh);
    const [a, b]: P[] = [
      [39.26652734258527, 29.362339655433487],
      [28.429154488213385, 64.84315638152816],
    ];
    for (const radius of [2.32, 2.35, 2.3863760213934366]) {
      const outer = buildFromPolygons(map, { radius: radius * (1 + 1e-6), arcTolerance: 0.0003 }).navMesh;
      const { length } = findClearPath2d(clearance, a, b, radius);
      expect(length).toBeLessThanOrEqual(findPath2d(outer, a, b).length);
    }
  });
});

describe('overlapping, seed 92024', () => {
  it('a shorter path around a point of a straight wall', () => {
    const clearance = createClearance(buildFromPolygons(randomMap('overlapping', 92024)).navMesh);
    const path = findClearPath2d(clearance, [48.766114, 45.459257], [31.983472, 71.207181], 4.512971243090372);
    expect(path.length).toBeLessThan(30.8401);
  });
});

describe('comb, seed 92000', () => {
  it('a path that the search does not find among the triangles for a largest radius', () => {
    const radius = 0.20945161771585077;
    const { navMesh } = buildFromPolygons(randomMap('comb', 92000));
    const clearance = createClearance(navMesh, { maxRadius: radius });
    const path = findClearPath2d(clearance, [36.314134052954614, 10.54534666473046], [38.943, 0.44677], radius);
    expect([path.status, path.arcs.length]).toEqual(['complete', 1]);
  });
});

describe('a falling radius on sparse maps', () => {
  it(`${10 * MAPS} maps from seed ${SEED}`, { timeout: 3_600_000 }, () => {
    let queries = 0;
    for (let seed = SEED; seed < SEED + 10 * MAPS; seed++) queries += walkWithFallingRadius(seed);
    console.info(`sparse maps, seeds from ${SEED}: ${queries} queries`);
    expect(queries).toBeGreaterThan(100);
  });
});
