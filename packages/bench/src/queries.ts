/**
 * Measures queries that walk the mesh: raycast, slide, distance to wall, local neighborhood and wall
 * segments. Every library answers through its public API with the start's polygon known, navkiln also through
 * its kernels, over the same seeded starts and ends. recast-navigation has only the first two; answers are
 * compared with its own. navcat's mesh has other polygons.
 */
import {
  createRayHit,
  createSearchState,
  createSlide,
  moveAlongSurfaceInto,
  raycastInto,
  surroundings,
} from 'navkiln/kernel';
import {
  createFilter,
  findDistanceToWall,
  findLocalNeighborhood,
  findNearest,
  getWallSegments,
  moveAlongSurface,
  raycast,
} from 'navkiln';
import {
  DEFAULT_QUERY_FILTER,
  createFindNearestPolyResult,
  findLocalNeighbourhood,
  findNearestPoly,
  getPolyWallSegments,
  moveAlongSurface as navcatMove,
  raycast as navcatRaycast,
} from 'navcat';
import { bakeForAll } from './contenders.ts';
import type { Contenders } from './contenders.ts';
import { createRandom } from './harness.ts';
import type { BenchLevel } from './levels.ts';
import { randomPoints } from './navkiln.ts';
import type { Point } from './navkiln.ts';
import { addQueryRow, askAll, xyz } from './query-rows.ts';
import type { QueryBenchOptions, QueryRow, QueryTable } from './query-rows.ts';

/** A start on all meshes, and the end of a walk from it. */
interface Walk {
  start: Point;
  end: Point;
  poly: number;
  ref: ReturnType<typeof findNearest>['ref'];
  recastRef: number;
  navcatRef: number;
  /** The start in the forms that Recast and the kernels take. */
  startObject: { x: number; y: number; z: number };
  startArray: Float64Array;
}

/** The meshes and walks of one level, and state that queries reuse. */
interface Bench extends Contenders {
  table: QueryTable;
  walks: readonly Walk[];
  filter: ReturnType<typeof createFilter>;
  state: ReturnType<typeof createSearchState>;
}

/** Slides beyond the limits of other libraries, and ties, may differ. */
const MAX_DIFFERENT = 0.02;
const REACH = 4;
/** Distance in x plus z from which two answers differ, in meters. */
const MAX_DISTANCE = 1e-3;

/** Measures all queries on one level. */
export function benchQueries(level: BenchLevel, options: QueryBenchOptions): QueryRow[] {
  const meshes = bakeForAll(level, options.navcat);
  const walks = findWalks(meshes, options);
  const table: QueryTable = {
    level: level.name,
    rounds: options.rounds,
    count: walks.length,
    maxDifferent: MAX_DIFFERENT,
    rows: [],
  };
  const bench: Bench = { ...meshes, table, walks, filter: createFilter(), state: createSearchState() };
  benchRaycast(bench, 'raycast', 1);
  benchRaycast(bench, 'raycast, far', 10);
  benchSlide(bench, 'slide', 1);
  benchSlide(bench, 'slide, a step', 0.03);
  benchWalls(bench);
  meshes.query.destroy();
  meshes.recastMesh.destroy();
  return table.rows;
}

/** Draws random walks whose starts are on the mesh of every library. */
function findWalks({ mesh, halfExtents, query, navcat }: Contenders, { pairs, seed }: QueryBenchOptions): Walk[] {
  const random = createRandom(seed);
  const located = createFindNearestPolyResult();
  const walks = randomPoints(mesh, pairs, seed).map((start): Walk => {
    const end: Point = [start[0] + REACH * (2 * random() - 1), start[1], start[2] + REACH * (2 * random() - 1)];
    const { poly, ref } = findNearest(mesh, start, { halfExtents });
    if (navcat) findNearestPoly(located, navcat, start, halfExtents, DEFAULT_QUERY_FILTER);
    const startObject = xyz(start);
    return {
      start,
      end,
      poly,
      ref,
      recastRef: query.findNearestPoly(startObject).nearestRef,
      navcatRef: navcat && located.success ? located.nodeRef : -1,
      startObject,
      startArray: Float64Array.from(start),
    };
  });
  return walks.filter(({ poly, recastRef, navcatRef }) => poly >= 0 && recastRef !== 0 && (!navcat || navcatRef >= 0));
}

/** Returns the ends of all walks at a share of their length, in the forms that the libraries take. */
function endsAt(
  walks: readonly Walk[],
  share: number,
): { lists: Point[]; objects: ReturnType<typeof xyz>[]; arrays: Float64Array[] } {
  const lists = walks.map(({ start, end }) => [0, 1, 2].map((k) => start[k] + share * (end[k] - start[k])) as Point);
  return { lists, objects: lists.map(xyz), arrays: lists.map((end) => Float64Array.from(end)) };
}

const areApart = (a: ArrayLike<number>, x: number, z: number): boolean =>
  Math.abs(a[0] - x) + Math.abs(a[2] - z) > MAX_DISTANCE;

function benchRaycast({ table, walks, mesh, query, navcat, filter }: Bench, name: string, share: number): void {
  const hit = createRayHit();
  const { lists, objects, arrays } = endsAt(walks, share);
  addQueryRow(
    table,
    name,
    [
      askAll('navkiln', walks, ({ start, ref }, i) => raycast(mesh, start, lists[i], { startRef: ref })),
      askAll('recast', walks, ({ startObject, recastRef }, i) => query.raycast(recastRef, startObject, objects[i])),
      navcat &&
        askAll('navcat', walks, ({ start, navcatRef }, i) =>
          navcatRaycast(navcat, navcatRef, start, lists[i], DEFAULT_QUERY_FILTER),
        ),
      askAll('kernel', walks, ({ startArray, poly }, i) =>
        raycastInto(hit, mesh, poly, startArray, arrays[i], filter, false),
      ),
    ],
    (i) => {
      const { start, ref, startObject: from, recastRef } = walks[i];
      const t = Math.min(1, query.raycast(recastRef, from, objects[i]).t);
      const ours = raycast(mesh, start, lists[i], { startRef: ref });
      return areApart(ours.point, from.x + t * (objects[i].x - from.x), from.z + t * (objects[i].z - from.z));
    },
  );
}

function benchSlide({ table, walks, mesh, query, navcat, filter, state }: Bench, name: string, share: number): void {
  const slide = createSlide();
  const { lists, objects, arrays } = endsAt(walks, share);
  addQueryRow(
    table,
    name,
    [
      askAll('navkiln', walks, ({ start, ref }, i) => moveAlongSurface(mesh, start, lists[i], { startRef: ref })),
      askAll('recast', walks, ({ startObject, recastRef }, i) =>
        query.moveAlongSurface(recastRef, startObject, objects[i]),
      ),
      navcat &&
        askAll('navcat', walks, ({ start, navcatRef }, i) =>
          navcatMove(navcat, navcatRef, start, lists[i], DEFAULT_QUERY_FILTER),
        ),
      askAll('kernel', walks, ({ startArray, poly }, i) =>
        moveAlongSurfaceInto(slide, state, mesh, poly, startArray, arrays[i], filter),
      ),
    ],
    (i) => {
      const { start, ref, startObject, recastRef } = walks[i];
      const { resultPosition } = query.moveAlongSurface(recastRef, startObject, objects[i]);
      const ours = moveAlongSurface(mesh, start, lists[i], { startRef: ref });
      return areApart(ours.point, resultPosition.x, resultPosition.z);
    },
  );
}

/** Measures distance to a wall, local neighborhood and wall segments. Recast has none of them. */
function benchWalls({ table, walks, mesh, navcat, filter, state }: Bench): void {
  const wall = surroundings.createWallHit();
  addQueryRow(table, 'distance to wall', [
    askAll('navkiln', walks, ({ start, ref }) => findDistanceToWall(mesh, start, REACH, { startRef: ref })),
    askAll('kernel', walks, ({ startArray, poly }) =>
      surroundings.findDistanceToWallInto(wall, state, mesh, poly, startArray, REACH, filter),
    ),
  ]);
  const near = surroundings.createNeighborhood();
  addQueryRow(table, 'local neighborhood', [
    askAll('navkiln', walks, ({ start, ref }) => findLocalNeighborhood(mesh, start, REACH, { startRef: ref })),
    navcat &&
      askAll('navcat', walks, ({ start, navcatRef }) =>
        findLocalNeighbourhood(navcat, navcatRef, start, REACH, DEFAULT_QUERY_FILTER),
      ),
    askAll('kernel', walks, ({ startArray, poly }) =>
      surroundings.findLocalNeighborhoodInto(near, state, mesh, poly, startArray, REACH, filter),
    ),
  ]);
  const segments = surroundings.createWallSegments();
  addQueryRow(table, 'wall segments', [
    askAll('navkiln', walks, ({ ref }) => getWallSegments(mesh, ref)),
    navcat &&
      askAll('navcat', walks, ({ navcatRef }) => getPolyWallSegments(navcat, navcatRef, DEFAULT_QUERY_FILTER, false)),
    askAll('kernel', walks, ({ poly }) => {
      segments.count = 0;
      surroundings.addWallSegments(segments, mesh, poly, filter, false);
    }),
  ]);
}
