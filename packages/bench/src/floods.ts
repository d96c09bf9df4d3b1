/**
 * Measures queries that find and flood: polygons in a circle, in a box, random points anywhere and in a
 * circle. Every library answers through its public API with the start's polygon known, navkiln also through
 * its kernels, at the same seeded positions. navcat has only boxes and random points. Answers are compared
 * with recast-navigation's where its mesh has the same polygons.
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
import { floods, randomPoints, surroundings } from 'navkiln/kernel';
import {
  DEFAULT_QUERY_FILTER,
  createFindNearestPolyResult,
  findNearestPoly,
  findRandomPoint as navcatRandom,
  findRandomPointAroundCircle as navcatRandomInCircle,
  queryPolygons,
} from 'navcat';
import { bakeForAll } from './contenders.ts';
import type { Contenders } from './contenders.ts';
import { createRandom as createStream } from './harness.ts';
import type { BenchLevel } from './levels.ts';
import { randomPoints as placesOn } from './navkiln.ts';
import type { Point } from './navkiln.ts';
import { addQueryRow, askAll, xyz } from './query-rows.ts';
import type { QueryBenchOptions, QueryRow, QueryTable } from './query-rows.ts';

const RADIUS = 8;
const HALF: Point = [4, 2, 4];
const MAX_POLYS = 8192;
/** Circles that touch an edge within rounding may differ. */
const MAX_DIFFERENT = 0.005;

type Place = ReturnType<typeof findPlaces>[number];

/** The meshes and positions of one level, and state that queries reuse. */
interface Bench extends Contenders {
  table: QueryTable;
  places: readonly Place[];
  seed: number;
  filter: ReturnType<typeof createFilter>;
  flood: ReturnType<typeof floods.createFlood>;
  state: ReturnType<typeof floods.createFloodState>;
  circle: ReturnType<typeof floods.createFloodBounds>;
}

/** Measures all queries on one level. */
export function benchFloods(level: BenchLevel, options: QueryBenchOptions): QueryRow[] {
  const meshes = bakeForAll(level, options.navcat);
  const places = findPlaces(meshes, options);
  const table: QueryTable = {
    level: level.name,
    rounds: options.rounds,
    count: places.length,
    maxDifferent: MAX_DIFFERENT,
    rows: [],
  };
  const circle = floods.createFloodBounds();
  circle.within = 'circle';
  circle.radius = RADIUS;
  const bench: Bench = {
    ...meshes,
    table,
    places,
    seed: options.seed,
    filter: createFilter(),
    flood: floods.createFlood(),
    state: floods.createFloodState(),
    circle,
  };
  benchCircle(bench);
  benchBox(bench);
  benchRandomPoints(bench);
  benchReachable(bench);
  meshes.query.destroy();
  meshes.recastMesh.destroy();
  return table.rows;
}

/** Draws random positions that are on the mesh of every library. */
function findPlaces(
  { mesh, halfExtents, query, navcat }: Contenders,
  { pairs, seed }: QueryBenchOptions,
): {
  point: Point;
  object: ReturnType<typeof xyz>;
  flat: Float64Array;
  poly: number;
  ref: ReturnType<typeof findNearest>['ref'];
  recastRef: number;
  navcatRef: number;
}[] {
  const located = createFindNearestPolyResult();
  return placesOn(mesh, pairs, seed)
    .map((point) => {
      const { poly, ref } = findNearest(mesh, point, { halfExtents });
      if (navcat) findNearestPoly(located, navcat, point, halfExtents, DEFAULT_QUERY_FILTER);
      const recastRef = query.findNearestPoly(xyz(point)).nearestRef;
      const navcatRef = navcat && located.success ? located.nodeRef : -1;
      return { point, object: xyz(point), flat: Float64Array.from(point), poly, ref, recastRef, navcatRef };
    })
    .filter(({ poly, recastRef, navcatRef }) => poly >= 0 && recastRef !== 0 && (!navcat || navcatRef >= 0));
}

function floodCircle({ mesh, filter, flood, state, circle }: Bench, { poly, flat }: Place): void {
  circle.center.set(flat);
  floods.floodInto(flood, state, mesh, filter, poly, flat, circle);
}

function benchCircle(bench: Bench): void {
  const { table, places, mesh, query } = bench;
  addQueryRow(
    table,
    'circle',
    [
      askAll('navkiln', places, ({ point, ref }) => findPolysInCircle(mesh, point, RADIUS, { startRef: ref })),
      askAll('recast', places, ({ object, recastRef }) =>
        query.findPolysAroundCircle(recastRef, object, RADIUS, { maxPolys: 512 }),
      ),
      askAll('kernel', places, (place) => floodCircle(bench, place)),
    ],
    (i) => {
      const { point, ref, object, recastRef } = places[i];
      const theirs = query.findPolysAroundCircle(recastRef, object, RADIUS, { maxPolys: MAX_POLYS });
      const ours = findPolysInCircle(mesh, point, RADIUS, { startRef: ref });
      const last = theirs.resultCount - 1;
      const [a, b] = [ours.costs[last], theirs.resultCost[last]];
      return ours.polys.length !== last + 1 || Math.abs(a - b) > 1e-4 * (1 + a);
    },
  );
}

function benchBox({ table, places, mesh, query, navcat, filter }: Bench): void {
  const list = surroundings.createPolyList();
  const half = Float64Array.from(HALF);
  addQueryRow(
    table,
    'box',
    [
      askAll('navkiln', places, ({ point }) => findPolysInBox(mesh, point, HALF)),
      askAll('recast', places, ({ object }) => query.queryPolygons(object, xyz(HALF), { maxPolys: 512 })),
      navcat &&
        askAll('navcat', places, ({ point: [x, y, z] }) =>
          queryPolygons(
            navcat,
            [x - HALF[0], y - HALF[1], z - HALF[2], x + HALF[0], y + HALF[1], z + HALF[2]],
            DEFAULT_QUERY_FILTER,
          ),
        ),
      askAll('kernel', places, ({ flat }) => surroundings.findPolysInBoxInto(list, mesh, flat, half, filter)),
    ],
    (i) => {
      const { point, object } = places[i];
      // Recast returns polygons whose bounds overlap the box, so at least as many.
      const theirs = query.queryPolygons(object, xyz(HALF), { maxPolys: MAX_POLYS });
      return findPolysInBox(mesh, point, HALF).length > theirs.polyRefs.length;
    },
  );
}

function benchRandomPoints(bench: Bench): void {
  const { table, places, mesh, query, navcat, filter, flood, circle, seed } = bench;
  const random = createRandom(seed);
  const stream = createStream(seed);
  const everywhere = randomPoints.createGroundSampler();
  const sampler = randomPoints.createGroundSampler();
  const hit = randomPoints.createRandomHit();
  randomPoints.sampleMesh(everywhere, mesh, filter);
  addQueryRow(table, 'random point', [
    askAll('navkiln', places, () => findRandomPoint(mesh, random)),
    askAll('recast', places, () => query.findRandomPoint()),
    navcat && askAll('navcat', places, () => navcatRandom(navcat, DEFAULT_QUERY_FILTER, stream)),
    askAll('kernel', places, () => randomPoints.drawPointInto(hit, everywhere, mesh, filter, random)),
  ]);
  addQueryRow(table, 'random point in circle', [
    askAll('navkiln', places, ({ point, ref }) =>
      findRandomPointInCircle(mesh, random, point, RADIUS, { startRef: ref }),
    ),
    askAll('recast', places, ({ object, recastRef }) =>
      query.findRandomPointAroundCircle(object, RADIUS, { startRef: recastRef }),
    ),
    navcat &&
      askAll('navcat', places, ({ point, navcatRef }) =>
        navcatRandomInCircle(navcat, navcatRef, point, RADIUS, DEFAULT_QUERY_FILTER, stream),
      ),
    askAll('kernel', places, (place) => {
      floodCircle(bench, place);
      randomPoints.sampleFlood(sampler, mesh, flood, circle, filter);
      randomPoints.drawPointInto(hit, sampler, mesh, filter, random);
    }),
  ]);
}

function benchReachable({ table, places, mesh, filter, flood, state }: Bench): void {
  const unbound = floods.createFloodBounds();
  unbound.maxCost = 20;
  addQueryRow(table, 'reachable within 20', [
    askAll('navkiln', places, ({ point, ref }) => findReachable(mesh, point, { startRef: ref, maxCost: 20 })),
    askAll('kernel', places, ({ poly, flat }) => floods.floodInto(flood, state, mesh, filter, poly, flat, unbound)),
  ]);
}
