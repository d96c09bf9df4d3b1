/**
 * Measures finding and flooding: polygons in a circle, in a box, random points anywhere and in a circle, each through the API of
 * a user (the start's polygon known) and our kernels, over the same seeded places. Navcat has boxes and random points only.
 * Answers are compared with recast-navigation's own where its mesh has the same polygons.
 */
import {
  createFilter,
  createRandom,
  findNearest,
  findPolysInBox,
  findPolysInCircle,
  findRandomPoint,
  findRandomPointInCircle,
  findReachable,
} from 'navkiln';
import {
  createFlood,
  createFloodBounds,
  createFloodState,
  createGroundSampler,
  createPolyList,
  createRandomHit,
  drawPointInto,
  findPolysInBoxInto,
  floodInto,
  sampleFlood,
  sampleMesh,
} from 'navkiln/kernel';
import {
  DEFAULT_QUERY_FILTER,
  createFindNearestPolyResult,
  findNearestPoly,
  findRandomPoint as navcatRandom,
  findRandomPointAroundCircle as navcatRandomInCircle,
  queryPolygons,
} from 'navcat';
import { bakeForAll } from './contenders.ts';
import { createRandom as createStream, measureInterleaved, ratioOf, spreadOf } from './harness.ts';
import type { Contender } from './harness.ts';
import type { BenchLevel } from './levels.ts';
import { randomPoints } from './navkiln.ts';
import type { Point } from './navkiln.ts';
import type { QueryBenchOptions, QueryRow } from './queries.ts';

const RADIUS = 8;
const HALF: Point = [4, 2, 4];
const MAX_POLYS = 8192;
/** As many answers in a hundred may differ: circles that touch an edge within rounding. */
const MAX_DIFFERENT = 0.005;

export function benchFloods(level: BenchLevel, options: QueryBenchOptions): QueryRow[] {
  const { mesh, recastMesh, halfExtents, query, navcat } = bakeForAll(level, options.navcat);
  const located = createFindNearestPolyResult();
  const places = randomPoints(mesh, options.pairs, options.seed)
    .map((point) => {
      const { poly, ref } = findNearest(mesh, point, { halfExtents });
      if (navcat) findNearestPoly(located, navcat, point, halfExtents, DEFAULT_QUERY_FILTER);
      const recastRef = query.findNearestPoly(xyz(point)).nearestRef;
      const navcatRef = navcat && located.success ? located.nodeRef : -1;
      return { point, object: xyz(point), flat: Float64Array.from(point), poly, ref, recastRef, navcatRef };
    })
    .filter((one) => one.poly >= 0 && one.recastRef !== 0 && (!navcat || one.navcatRef >= 0));
  const rows: QueryRow[] = [];
  type Place = (typeof places)[number];

  const add = (name: string, contenders: (Contender | undefined)[], differs?: (place: Place) => boolean): void => {
    const there = contenders.filter((one) => one !== undefined);
    const times = measureInterleaved(there, { rounds: options.rounds, warmups: 3 });
    const row: QueryRow = { level: level.name, query: name, compared: 0, different: 0, us: {}, ratios: {} };
    there.forEach((one, k) => {
      row.us[one.name] = (spreadOf(times[k]).median * 1000) / places.length;
      if (k > 0) row.ratios[one.name] = ratioOf(times[0], times[k]);
    });
    if (differs !== undefined) {
      row.compared = places.length;
      row.different = places.filter(differs).length;
      if (row.different > MAX_DIFFERENT * places.length) {
        throw new Error(`${level.name}: ${row.different} of ${places.length} answers of ${name} differ`);
      }
    }
    rows.push(row);
  };
  const all = (name: string, one: (place: Place) => unknown): Contender => ({
    name,
    run: () => {
      for (const place of places) one(place);
    },
  });

  const filter = createFilter();
  const flood = createFlood();
  const state = createFloodState();
  const circle = createFloodBounds();
  circle.within = 'circle';
  circle.radius = RADIUS;
  const floodAt = ({ poly, flat }: Place): void => {
    circle.center.set(flat);
    floodInto(flood, state, mesh, filter, poly, flat, circle);
  };
  add(
    'circle',
    [
      all('navkiln', ({ point, ref }) => findPolysInCircle(mesh, point, RADIUS, { startRef: ref })),
      all('recast', ({ object, recastRef }) =>
        query.findPolysAroundCircle(recastRef, object, RADIUS, { maxPolys: 512 }),
      ),
      all('kernel', floodAt),
    ],
    ({ point, ref, object, recastRef }) => {
      const theirs = query.findPolysAroundCircle(recastRef, object, RADIUS, { maxPolys: MAX_POLYS });
      const ours = findPolysInCircle(mesh, point, RADIUS, { startRef: ref });
      const last = theirs.resultCount - 1;
      const [a, b] = [ours.costs[last], theirs.resultCost[last]];
      return ours.polys.length !== last + 1 || Math.abs(a - b) > 1e-4 * (1 + a);
    },
  );

  const list = createPolyList();
  const half = Float64Array.from(HALF);
  add(
    'box',
    [
      all('navkiln', ({ point }) => findPolysInBox(mesh, point, HALF)),
      all('recast', ({ object }) => query.queryPolygons(object, xyz(HALF), { maxPolys: 512 })),
      navcat &&
        all('navcat', ({ point: [x, y, z] }) =>
          queryPolygons(
            navcat,
            [x - HALF[0], y - HALF[1], z - HALF[2], x + HALF[0], y + HALF[1], z + HALF[2]],
            DEFAULT_QUERY_FILTER,
          ),
        ),
      all('kernel', ({ flat }) => findPolysInBoxInto(list, mesh, flat, half, filter)),
    ],
    ({ point, object }) => {
      // Theirs are those whose bounds overlap: no fewer.
      const theirs = query.queryPolygons(object, xyz(HALF), { maxPolys: MAX_POLYS });
      return findPolysInBox(mesh, point, HALF).length > theirs.polyRefs.length;
    },
  );

  const random = createRandom(options.seed);
  const stream = createStream(options.seed);
  const everywhere = createGroundSampler();
  const sampler = createGroundSampler();
  const hit = createRandomHit();
  sampleMesh(everywhere, mesh, filter);
  add('random point', [
    all('navkiln', () => findRandomPoint(mesh, random)),
    all('recast', () => query.findRandomPoint()),
    navcat && all('navcat', () => navcatRandom(navcat, DEFAULT_QUERY_FILTER, stream)),
    all('kernel', () => drawPointInto(hit, everywhere, mesh, filter, random)),
  ]);
  add('random point in circle', [
    all('navkiln', ({ point, ref }) => findRandomPointInCircle(mesh, random, point, RADIUS, { startRef: ref })),
    all('recast', ({ object, recastRef }) =>
      query.findRandomPointAroundCircle(object, RADIUS, { startRef: recastRef }),
    ),
    navcat &&
      all('navcat', ({ point, navcatRef }) =>
        navcatRandomInCircle(navcat, navcatRef, point, RADIUS, DEFAULT_QUERY_FILTER, stream),
      ),
    all('kernel', (place) => {
      floodAt(place);
      sampleFlood(sampler, mesh, flood, circle, filter);
      drawPointInto(hit, sampler, mesh, filter, random);
    }),
  ]);

  const unbound = createFloodBounds();
  unbound.maxCost = 20;
  add('within a walk of 20', [
    all('navkiln', ({ point, ref }) => findReachable(mesh, point, { startRef: ref, maxCost: 20 })),
    all('kernel', ({ poly, flat }) => floodInto(flood, state, mesh, filter, poly, flat, unbound)),
  ]);
  query.destroy();
  recastMesh.destroy();
  return rows;
}

const xyz = (p: Point): { x: number; y: number; z: number } => ({ x: p[0], y: p[1], z: p[2] });
