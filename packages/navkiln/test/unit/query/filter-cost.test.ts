/** The method `cost` of filters: its record, in all queries, and queries inside of a method. */
import { describe, expect, it } from 'vitest';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { addLink } from '../../../src/mesh/change/links.ts';
import { polyIndexOf } from '../../../src/mesh/ref.ts';
import { createGoalField, beginField, readField, runField } from '../../../src/agents/crowd/search/goal-field.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import { filterMethods } from '../../../src/query/filter.ts';
import type { PathSegment, QueryFilter } from '../../../src/query/filter.ts';
import { findReachable } from '../../../src/query/flood/reachable.ts';
import { findPolysInCircle } from '../../../src/query/flood/polys-in-circle.ts';
import { findIslands } from '../../../src/query/islands.ts';
import { findNearest } from '../../../src/query/nearest/nearest.ts';
import { findPolysInBox } from '../../../src/query/nearest/polys-in-box.ts';
import { findNearestOf } from '../../../src/query/optimal/nearest-of.ts';
import { findOptimalPath } from '../../../src/query/optimal/optimal.ts';
import { findCorridor } from '../../../src/query/path/a-star.ts';
import { createCorridor } from '../../../src/query/path/corridor.ts';
import { findDetailedPath } from '../../../src/query/path/details.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { findMidpointPath } from '../../../src/query/path/midpoints.ts';
import { continuePathSearch, startPathSearch } from '../../../src/query/path/sliced.ts';
import { findRandomPoint, findRandomPointInCircle } from '../../../src/query/random/random-point.ts';
import { raycast } from '../../../src/query/ray/raycast.ts';
import { createSearchState } from '../../../src/query/search-state.ts';
import { moveAlongSurface } from '../../../src/query/walk/slide.ts';
import { findLocalNeighborhood } from '../../../src/query/walk/neighborhood.ts';
import { findDistanceToWall } from '../../../src/query/walk/wall.ts';
import { createRandom } from '../../../src/base/data/random.ts';
import { measureCorridor, searchWorld } from '../agents/crowd/search-worlds.ts';
import { gridTile, meshOf, ringMesh, seeded } from '../meshes.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);

/** Costs that need every field: climbing, entering from another area, leaving to another area, turning. */
function fussy(mesh: NavMesh, { poly, previous, next, from, to, length }: PathSegment): number {
  let cost = length * (1 + (poly % 3));
  if (to[1] > from[1]) cost += 4 * (to[1] - from[1]);
  if (previous >= 0 && mesh.polyArea[previous] !== mesh.polyArea[poly]) cost += 0.5;
  if (next >= 0 && mesh.polyArea[next] !== mesh.polyArea[poly]) cost += 0.25;
  if (previous >= 0 && next >= 0 && (previous + next) % 5 === 0) cost += 1;
  return cost;
}

/** A filter that records copies of all segments. */
function recorder(cost: QueryFilter['cost'] = fussy): { filter: QueryFilter; segments: PathSegment[] } {
  const segments: PathSegment[] = [];
  const filter = createFilter({
    cost: (mesh, segment) => {
      segments.push({ ...segment, from: segment.from.slice(), to: segment.to.slice() });
      return cost!(mesh, segment);
    },
  });
  return { filter, segments };
}

/** Throws unless two polygons are connected by an edge, a portal or a link. */
function expectConnected(mesh: NavMesh, a: number, b: number): void {
  if (a < 0 || b < 0) return;
  const first = mesh.polyEdgeStart[a];
  const found = [...mesh.edgeNeighbor.subarray(first, first + mesh.polyVertexCount[a])];
  for (let l = mesh.polyPortal[a]; l >= 0; l = mesh.portalNext[l]) found.push(mesh.portalPoly[l]);
  for (let h = mesh.polyLink[a]; h >= 0; h = mesh.linkNext[h]) found.push(mesh.linkPoly[h ^ 1]);
  expect(found).toContain(b);
}

describe('cost of a filter', () => {
  it('gets segments of connected polygons with their true length, in every query', () => {
    const { mesh, spot, random } = searchWorld(SEED);
    const { filter, segments } = recorder();
    const at = (): number[] => [...spot().point];
    const end = Float64Array.from(at());
    const queries: [string, () => void][] = [
      ['findPath', () => findPath(mesh, at(), at(), { filter })],
      ['findMidpointPath', () => findMidpointPath(mesh, at(), at(), { filter })],
      ['findOptimalPath', () => findOptimalPath(mesh, at(), at(), { filter })],
      ['findReachable', () => findReachable(mesh, at(), { filter, maxCost: 20 })],
      ['raycast', () => raycast(mesh, at(), end, { filter, withCost: true })],
      ['findRandomPoint', () => findRandomPoint(mesh, createRandom(3), { from: at(), filter, maxCost: 9 })],
      [
        'goal field',
        () => {
          const field = createGoalField();
          const goal = spot();
          beginField(field, mesh, filter, goal.poly, goal.point);
          runField(field, mesh, filter, Infinity);
        },
      ],
    ];
    for (const [name, query] of queries) {
      segments.length = 0;
      for (let i = 0; i < 20; i++) query();
      expect(segments.length, name).toBeGreaterThan(20);
      for (const { poly, previous, next, from, to, length } of segments) {
        expect(length).toBeCloseTo(Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]), 12);
        expectConnected(mesh, previous, poly);
        expectConnected(mesh, poly, next);
      }
      expect(random()).toBeLessThan(1);
    }
  });

  it('adds up to the cost of corridors, over midpoints', () => {
    let compared = 0;
    for (let seed = SEED; seed < SEED + 12; seed++) {
      const world = searchWorld(seed);
      const { mesh, spot } = world;
      const filter = createFilter({ cost: fussy });
      const corridor = createCorridor();
      const field = createGoalField();
      for (let i = 0; i < 15; i++) {
        const [start, goal] = [spot(), spot()];
        findCorridor(corridor, createSearchState(), mesh, filter, start.poly, start.point, goal.poly, goal.point, 1e9);
        if (corridor.outcome !== 'complete') continue;
        const what = `seed ${seed}, pair ${i}`;
        const { cost, problem } = measureCorridor({ mesh, filter }, corridor, start.point, goal.point);
        expect(problem, what).toBe('');
        // A node of A* stays where its polygon was entered first, so its path may be measured from another midpoint.
        expect(corridor.cost, what).toBeGreaterThan(0);
        if (start.poly === goal.poly) continue;
        beginField(field, mesh, filter, goal.poly, goal.point);
        runField(field, mesh, filter, Infinity);
        expect(readField(corridor, field, mesh, filter, start.poly, start.point), what).toBe(true);
        expect(corridor.cost, what).toBeCloseTo(
          measureCorridor({ mesh, filter }, corridor, start.point, goal.point).cost,
          9,
        );
        expect(corridor.cost, what).toBeLessThanOrEqual(cost + 1e-9);
        compared++;
      }
    }
    console.log(`Corridors with a cost method, seed ${SEED}: ${compared}`);
    expect(compared).toBeGreaterThan(40);
  });

  it('adds up to the cost of floods', () => {
    const { mesh, spot } = searchWorld(SEED + 30);
    const filter = createFilter({ cost: fussy });
    const found = findReachable(mesh, [...spot().point], { filter });
    expect(found.polys.length).toBeGreaterThan(10);
    const polys = found.polys.map((ref) => polyIndexOf(mesh, ref));
    const pointAt = (i: number): Float64Array => found.points.slice(3 * i, 3 * i + 3);
    for (let i = 1; i < polys.length; i++) {
      // Over a link, the segment ends at the link and the polygon is entered behind it.
      if (found.crossings[i] < 0) continue;
      const parent = found.parents[i];
      const from = pointAt(parent);
      const to = pointAt(i);
      const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
      const previous = found.parents[parent] < 0 ? -1 : polys[found.parents[parent]];
      const step = fussy(mesh, { poly: polys[parent], previous, next: polys[i], from, to, length });
      expect(found.costs[i]).toBeLessThanOrEqual(found.costs[parent] + step + 1e-9);
    }
  });

  it('adds up along rays, without gaps, also through corners', () => {
    const mesh = meshOf(gridTile(8, 8, undefined, (x, z) => 0.1 * Math.sin(7 * x + 3 * z)));
    const random = seeded(SEED);
    for (let i = 0; i < 200; i++) {
      const start = i % 3 === 0 ? [0.5, 0, 0.5] : [8 * random(), 0, 8 * random()];
      const end = i % 3 === 0 ? [7.5, 0, 7.5] : [8 * random(), 0, 8 * random()];
      const { filter, segments } = recorder();
      const ray = raycast(mesh, start, end, { filter, withCost: true, withPolys: true });
      expect(segments.map(({ poly }) => poly)).toEqual(ray.polys.map((ref) => polyIndexOf(mesh, ref)));
      segments.forEach((segment, k) => {
        expect(segment.previous).toBe(k > 0 ? segments[k - 1].poly : -1);
        expect(segment.next).toBe(k + 1 < segments.length ? segments[k + 1].poly : -1);
        if (k > 0) expect([...segment.from]).toEqual([...segments[k - 1].to]);
      });
      expect([...segments[segments.length - 1].to]).toEqual(ray.point);
      expect(ray.cost).toBeCloseTo(
        segments.reduce((sum, segment) => sum + fussy(mesh, segment), 0),
        9,
      );
    }
    // With the costs of areas both forms are equal.
    const byLength = raycast(mesh, [0.2, 0, 0.7], [7.7, 0, 6.1], { withCost: true });
    const byMethod = raycast(mesh, [0.2, 0, 0.7], [7.7, 0, 6.1], {
      withCost: true,
      filter: createFilter({ cost: (_, { length }) => length }),
    });
    expect(byMethod.cost).toBeCloseTo(byLength.cost, 9);
  });

  it('makes climbing, turning and entering expensive', () => {
    // A ridge across the way, with a gap at the far side.
    const ridge = meshOf(gridTile(5, 7, undefined, (x, z) => ((x === 2 || x === 3) && z < 6 ? 1 : 0)));
    const climbing = createFilter({
      cost: (_, { from, to, length }) => length + 20 * Math.max(0, to[1] - from[1]),
    });
    const over = findPath(ridge, [0.5, 0, 0.5], [4.5, 0, 0.5]);
    const around = findPath(ridge, [0.5, 0, 0.5], [4.5, 0, 0.5], { filter: climbing });
    expect(Math.max(...over.points.map(([, , z]) => z))).toBeLessThan(2);
    expect(Math.max(...around.points.map(([, , z]) => z))).toBeGreaterThan(5);
    // Down costs nothing extra: the same slope, the other way.
    const hill = meshOf(gridTile(5, 7, undefined, (x, z) => (z < 6 ? 5 - x : 0)));
    const down = findPath(hill, [0.5, 5, 0.5], [4.5, 0, 0.5], { filter: climbing });
    const plain = findPath(hill, [0.5, 5, 0.5], [4.5, 0, 0.5]);
    expect(down.polys).toEqual(plain.polys);
    // Entering area 5 costs once, however long the path is in it.
    const strip = meshOf(gridTile(5, 3, undefined, undefined, (x, z) => (z === 0 && x % 2 === 1 ? 5 : 63)));
    const entering = createFilter({
      cost: (mesh, { previous, poly, length }) =>
        length + (mesh.polyArea[poly] === 5 && previous >= 0 && mesh.polyArea[previous] !== 5 ? 10 : 0),
    });
    const avoided = findPath(strip, [0.5, 0, 0.5], [4.5, 0, 0.5], { filter: entering });
    expect(avoided.polys.some((ref) => strip.polyArea[polyIndexOf(strip, ref)] === 5)).toBe(false);
    // A ring: going around either side is equally long; turning right is not.
    const ring = ringMesh();
    const centerOf = (poly: number): [number, number] => {
      const e = ring.polyEdgeStart[poly];
      const v = 3 * ring.edgeVertex[e];
      return [ring.vertices[v] + 0.5, ring.vertices[v + 2] + 0.5];
    };
    for (const side of [1, -1]) {
      const turning = createFilter({
        cost: (_, { previous, poly, next, length }) => {
          if (previous < 0 || next < 0) return length;
          const [a, b, c] = [previous, poly, next].map(centerOf);
          const turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
          return length + (turn * side > 0 ? 5 : 0);
        },
      });
      const path = findMidpointPath(ring, [0.5, 0, 0.5], [2.5, 0, 2.5], { filter: turning });
      const other = polyIndexOf(ring, path.polys[2]);
      expect(centerOf(other)).toEqual(side > 0 ? [0.5, 2.5] : [2.5, 0.5]);
    }
  });

  it('is refused in its old form', () => {
    const old = ((_: NavMesh, poly: number, length: number) => length * poly) as unknown as QueryFilter['cost'];
    expect(() => createFilter({ cost: old })).toThrow(
      'createFilter: the number of parameters of options.cost is 3; must be 2: cost(mesh, segment)',
    );
    const filter = createFilter();
    filter.cost = old;
    expect(() => findPath(ringMesh(), [0.5, 0, 0.5], [2.5, 0, 2.5], { filter })).toThrow(
      'QueryFilter: the result of cost() is NaN',
    );
  });

  it('allocates nothing that the method does not', () => {
    const mesh = meshOf(gridTile(30, 30, (x, z) => (x * 7 + z * 3) % 5 !== 0 || x % 4 === 0));
    let calls = 0;
    const filter = createFilter({
      cost: () => {
        calls++;
        return 1;
      },
    });
    const state = createSearchState();
    const corridor = createCorridor();
    const start = Float64Array.of(0.5, 0, 1.5);
    const end = Float64Array.of(29.5, 0, 28.5);
    const [a, b] = [start, end].map((point) => findNearest(mesh, point).poly);
    const run = (rounds: number): number => {
      const before = process.memoryUsage().heapUsed;
      for (let i = 0; i < rounds; i++) findCorridor(corridor, state, mesh, filter, a, start, b, end, 1e9);
      return process.memoryUsage().heapUsed - before;
    };
    run(500);
    calls = 0;
    run(1);
    const callCount = calls;
    const grown = [run(100), run(100), run(100), run(100)].map((bytes) => bytes / 100);
    const median = grown.sort((x, y) => x - y)[1];
    expect(callCount).toBeGreaterThan(500);
    // Less than a boxed number a call; a record would be over 100 bytes.
    expect(median / callCount, `bytes a search: ${grown}, ${callCount} calls`).toBeLessThan(4);
  });
});

describe('heuristicScale', () => {
  it('0 finds routes that cost less than the smallest area', () => {
    // The row at z = 4 is a belt: a tenth of the length, although no area costs less than 1.
    const mesh = meshOf(gridTile(20, 5));
    const cost: QueryFilter['cost'] = (_, { poly, length }) => length * (poly >= 80 ? 0.1 : 1);
    const [start, end] = [
      [0.5, 0, 0.5],
      [19.5, 0, 0.5],
    ];
    const guided = findPath(mesh, start, end, { filter: createFilter({ cost }) });
    const filter = createFilter({ cost, heuristicScale: 0 });
    const dijkstra = findPath(mesh, start, end, { filter });
    expect(dijkstra.cost).toBeLessThan(guided.cost);
    expect(dijkstra.polys.some((ref) => polyIndexOf(mesh, ref) >= 80)).toBe(true);
    expect(guided.polys.some((ref) => polyIndexOf(mesh, ref) >= 80)).toBe(false);
  });

  it('0 finds paths of the same cost as the default, and partial paths lead towards the end', () => {
    let partial = 0;
    let moved = 0;
    for (let seed = SEED + 60; seed < SEED + 75; seed++) {
      const { mesh, spot, filter } = searchWorld(seed);
      const dijkstra = { ...filter, heuristicScale: 0 };
      for (let i = 0; i < 10; i++) {
        const [start, end] = [[...spot().point], [...spot().point]];
        const toEnd = ([x, y, z]: number[]): number => Math.hypot(x - end[0], y - end[1], z - end[2]);
        const ours = findMidpointPath(mesh, start, end, { filter: dijkstra });
        const theirs = findMidpointPath(mesh, start, end, { filter });
        expect([ours.status, ours.reason]).toEqual([theirs.status, theirs.reason]);
        if (ours.status === 'complete') expect(ours.cost).toBeCloseTo(theirs.cost, 9);
        if (ours.status !== 'partial') continue;
        partial++;
        if (toEnd(ours.points[ours.points.length - 1]) < toEnd(start)) moved++;
      }
    }
    expect(partial).toBeGreaterThan(5);
    expect(moved).toBeGreaterThan(partial / 2);
  });

  it('makes searches smaller above 1, and is refused below 0', () => {
    const mesh = meshOf(gridTile(30, 30, (x, z) => !(x === 15 && z > 3)));
    const count = (heuristicScale: number): number => {
      const search = startPathSearch(mesh, [2.5, 0, 25.5], [27.5, 0, 25.5], {
        filter: createFilter({ heuristicScale }),
      });
      let steps = 0;
      while (continuePathSearch(search, 1) === 'searching') steps++;
      return steps;
    };
    expect(count(0)).toBeGreaterThan(count(0.999));
    expect(count(3)).toBeLessThan(count(0.999));
    expect(() => createFilter({ heuristicScale: -1 })).toThrow('createFilter: options.heuristicScale is -1; must be');
    const filter = createFilter();
    filter.heuristicScale = NaN;
    expect(() => findPath(mesh, [2, 0, 2], [3, 0, 3], { filter })).toThrow('QueryFilter: heuristicScale is NaN');
  });
});

describe('a query inside a method of a filter', () => {
  const mesh = meshOf(gridTile(6, 6));
  const [a, b] = [
    [0.5, 0, 0.5],
    [5.5, 0, 5.5],
  ];
  const queries: Record<string, (filter?: QueryFilter) => unknown> = {
    findPath: (filter) => findPath(mesh, a, b, { filter }),
    findDetailedPath: (filter) => findDetailedPath(mesh, a, b, { filter }),
    findMidpointPath: (filter) => findMidpointPath(mesh, a, b, { filter }),
    findOptimalPath: (filter) => findOptimalPath(mesh, a, b, { filter }),
    findNearestOf: (filter) => findNearestOf(mesh, a, [b], { filter }),
    startPathSearch: (filter) => startPathSearch(mesh, a, b, { filter }),
    findNearest: (filter) => findNearest(mesh, a, { filter }),
    findPolysInBox: (filter) => findPolysInBox(mesh, a, [1, 1, 1], { filter }),
    findPolysInCircle: (filter) => findPolysInCircle(mesh, a, 2, { filter }),
    findReachable: (filter) => findReachable(mesh, a, { filter }),
    findRandomPoint: (filter) => findRandomPoint(mesh, createRandom(1), { filter }),
    findRandomPointInCircle: (filter) => findRandomPointInCircle(mesh, createRandom(1), a, 2, { filter }),
    raycast: (filter) => raycast(mesh, a, b, { filter, withCost: true }),
    moveAlongSurface: (filter) => moveAlongSurface(mesh, a, b, { filter }),
    findDistanceToWall: (filter) => findDistanceToWall(mesh, a, 3, { filter }),
    findLocalNeighborhood: (filter) => findLocalNeighborhood(mesh, a, 2, { filter }),
    findIslands: (filter) => findIslands(mesh, filter),
  };

  it('is refused, whatever query and method', () => {
    const expected = Object.entries(queries).map(([name, query]) => [name, query()] as const);
    for (const [outer, query] of Object.entries(queries)) {
      for (const [inner, nested] of Object.entries(queries)) {
        let calls = 0;
        const filter = createFilter({ passes: () => calls++ < 0 || nested() !== undefined });
        expect(() => query(filter), `${inner} in ${outer}`).toThrow(
          /: the caller is a method of a filter; must be called outside of queries$/,
        );
        expect(calls).toBe(1);
      }
    }
    // Nothing is left behind.
    for (const [name, result] of expected) expect(queries[name]()).toEqual(result);
    const inCost = createFilter({
      cost: (_, { length }) => {
        raycast(mesh, a, b);
        return length;
      },
    });
    for (const name of ['findPath', 'findMidpointPath', 'findOptimalPath', 'findReachable', 'raycast']) {
      expect(() => queries[name](inCost), name).toThrow('raycast: the caller is a method of a filter');
    }
    for (const [name, result] of expected) expect(queries[name]()).toEqual(result);
  });

  it('is refused even when the method catches the refusal', () => {
    const filter = createFilter({
      passes: () => {
        try {
          findPath(mesh, a, b);
        } catch {
          // Hidden.
        }
        return true;
      },
    });
    expect(() => findPath(mesh, a, b, { filter })).toThrow('findPath: the caller is a method of a filter');
    expect(findPath(mesh, a, b).status).toBe('complete');
  });
});

describe('a filter with methods that createFilter has not made', () => {
  it('is refused in a program that creates no filters, since the code for methods is missing', () => {
    const mesh = meshOf(gridTile(2, 1));
    const filter = { ...createFilter(), passes: () => true };
    const ask = (): string => findPath(mesh, [0.5, 0, 0.5], [1.5, 0, 0.5], { filter }).status;
    expect(ask()).toBe('complete');
    const { cost } = filterMethods;
    try {
      Object.assign(filterMethods, { cost: undefined });
      expect(ask).toThrow('findPath: options.filter is an object; must be a QueryFilter');
      expect(findPath(mesh, [0.5, 0, 0.5], [1.5, 0, 0.5]).status).toBe('complete');
    } finally {
      filterMethods.cost = cost;
    }
  });
});

describe('a link with both ends on one polygon', () => {
  it('is taken by findPath as by findOptimalPath, in the first, a middle and the last polygon', () => {
    const mesh = meshOf(gridTile(3, 1));
    for (let x = 0; x < 3; x++) {
      addLink(mesh, { start: [x + 0.2, 0, 0.5], end: [x + 0.8, 0, 0.5], cost: 0.01, bothWays: true });
    }
    const spots = [0.1, 0.9, 1.1, 1.5, 1.9, 2.1, 2.9];
    for (const from of spots) {
      for (const to of spots) {
        const [a, b] = [
          [from, 0, 0.5],
          [to, 0, 0.5],
        ];
        const exact = findOptimalPath(mesh, a, b);
        expect(exact.exact).toBe(true);
        for (const path of [findPath(mesh, a, b), findMidpointPath(mesh, a, b), findDetailedPath(mesh, a, b)]) {
          expect(path.points).toEqual(exact.points);
          expect(path.cost).toBeCloseTo(exact.cost, 12);
          expect(path.polys).toEqual(exact.polys);
        }
      }
    }
    expect(findPath(mesh, [0.1, 0, 0.5], [0.9, 0, 0.5]).points).toEqual([
      [0.1, 0, 0.5],
      [0.2, 0, 0.5],
      [0.8, 0, 0.5],
      [0.9, 0, 0.5],
    ]);
  });

  it('is left where walking is cheaper, closed or one-way, and where the filter excludes it', () => {
    const mesh = meshOf(gridTile(1, 1));
    addLink(mesh, { start: [0.2, 0, 0.5], end: [0.8, 0, 0.5], cost: 0.01, area: 5, flags: 2 });
    const ask = (from: number, to: number, filter = createFilter()): number =>
      findPath(mesh, [from, 0, 0.5], [to, 0, 0.5], { filter }).points.length;
    expect(ask(0.1, 0.9)).toBe(4);
    expect(ask(0.9, 0.1)).toBe(2);
    expect(ask(0.3, 0.5)).toBe(2);
    expect(ask(0.1, 0.9, createFilter({ excludeFlags: 2 }))).toBe(2);
    expect(ask(0.1, 0.9, createFilter({ areaCosts: { 5: 100 } }))).toBe(2);
    const search = startPathSearch(mesh, [0.1, 0, 0.5], [0.9, 0, 0.5]);
    let calls = 0;
    while (continuePathSearch(search, 1) === 'searching') calls++;
    expect(calls).toBeGreaterThan(0);
    expect(findPath(mesh, [0.1, 0, 0.5], [0.9, 0, 0.5], { maxNodes: 1 }).status).toBe('complete');
  });
});
