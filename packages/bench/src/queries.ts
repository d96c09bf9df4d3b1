/**
 * Measures walking: raycast, slide, distance to wall, local neighbourhood and wall segments, each through the API of a user (the
 * start's polygon known) and our kernels, over the same seeded starts and ends. Npm recast-navigation has the first two only.
 * Answers are compared with its own; navcat's mesh has other polygons.
 */
import {
  addWallSegments,
  createNeighborhood,
  createRayHit,
  createSearchState,
  createSlide,
  createWallHit,
  createWallSegments,
  findDistanceToWallInto,
  findLocalNeighborhoodInto,
  moveAlongSurfaceInto,
  raycastInto,
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
import { createRandom, measureInterleaved, ratioOf, spreadOf } from './harness.ts';
import type { Contender, Spread } from './harness.ts';
import type { BenchLevel } from './levels.ts';
import { randomPoints } from './navkiln.ts';
import type { Point } from './navkiln.ts';

export interface QueryRow {
  level: string;
  query: string;
  /** Answers compared with Recast's, and those that differ by more than a millimetre. */
  compared: number;
  different: number;
  us: Record<string, number>;
  ratios: Record<string, Spread>;
}

export interface QueryBenchOptions {
  rounds: number;
  pairs: number;
  seed: number;
  navcat: boolean;
}

interface Walk {
  start: Point;
  end: Point;
  poly: number;
  ref: ReturnType<typeof findNearest>['ref'];
  recastRef: number;
  navcatRef: number;
}

/** As many answers in a hundred may differ: slides beyond the peers' limits, ties. */
const MAX_DIFFERENT = 0.02;
const REACH = 4;

export function benchQueries(level: BenchLevel, options: QueryBenchOptions): QueryRow[] {
  const { mesh, recastMesh, halfExtents, query, navcat } = bakeForAll(level, options.navcat);
  const random = createRandom(options.seed);
  const located = createFindNearestPolyResult();
  const walks = randomPoints(mesh, options.pairs, options.seed).map((start): Walk => {
    const end: Point = [start[0] + REACH * (2 * random() - 1), start[1], start[2] + REACH * (2 * random() - 1)];
    const { poly, ref } = findNearest(mesh, start, { halfExtents });
    if (navcat) findNearestPoly(located, navcat, start, halfExtents, DEFAULT_QUERY_FILTER);
    const recastRef = query.findNearestPoly(xyz(start)).nearestRef;
    return { start, end, poly, ref, recastRef, navcatRef: navcat && located.success ? located.nodeRef : -1 };
  });
  const known = walks.filter(
    ({ poly, recastRef, navcatRef }) => poly >= 0 && recastRef !== 0 && (!navcat || navcatRef >= 0),
  );
  const asObjects = known.map(({ start, recastRef }) => ({ start: xyz(start), recastRef }));
  const flat = known.map(({ start, poly }) => ({ start: Float64Array.from(start), poly }));
  const filter = createFilter();
  const state = createSearchState();
  const rows: QueryRow[] = [];

  const add = (
    name: string,
    contenders: (Contender | undefined)[],
    differs: ((i: number) => boolean) | undefined,
  ): void => {
    const there = contenders.filter((one) => one !== undefined);
    const times = measureInterleaved(there, { rounds: options.rounds, warmups: 3 });
    const row: QueryRow = { level: level.name, query: name, compared: 0, different: 0, us: {}, ratios: {} };
    there.forEach((one, k) => {
      row.us[one.name] = (spreadOf(times[k]).median * 1000) / known.length;
      if (k > 0) row.ratios[one.name] = ratioOf(times[0], times[k]);
    });
    if (differs !== undefined) {
      row.compared = known.length;
      for (let i = 0; i < known.length; i++) if (differs(i)) row.different++;
      if (row.different > MAX_DIFFERENT * known.length) {
        throw new Error(`${level.name}: ${row.different} of ${known.length} answers of ${name} differ`);
      }
    }
    rows.push(row);
  };
  const all = (name: string, one: (walk: Walk) => unknown): Contender => ({
    name,
    run: () => {
      for (const walk of known) one(walk);
    },
  });
  const withNavcat = (one: (mesh: NonNullable<typeof navcat>, walk: Walk) => unknown): Contender | undefined =>
    navcat && all('navcat', (walk) => one(navcat, walk));
  const apart = (a: ArrayLike<number>, x: number, z: number): boolean => Math.abs(a[0] - x) + Math.abs(a[2] - z) > 1e-3;

  const to = ({ start, end }: Walk, share: number): Point =>
    [0, 1, 2].map((k) => start[k] + share * (end[k] - start[k])) as Point;
  const hit = createRayHit();
  for (const [name, share] of [
    ['raycast', 1],
    ['raycast, far', 10],
  ] as const) {
    const list = known.map((walk) => to(walk, share));
    const objects = list.map(xyz);
    const arrays = list.map((end) => Float64Array.from(end));
    add(
      name,
      [
        {
          name: 'navkiln',
          run: () => {
            known.forEach(({ start, ref }, i) => {
              raycast(mesh, start, list[i], { startRef: ref });
            });
          },
        },
        {
          name: 'recast',
          run: () => {
            asObjects.forEach(({ start, recastRef }, i) => {
              query.raycast(recastRef, start, objects[i]);
            });
          },
        },
        navcat && {
          name: 'navcat',
          run: () => {
            known.forEach(({ start, navcatRef }, i) => {
              navcatRaycast(navcat, navcatRef, start, list[i], DEFAULT_QUERY_FILTER);
            });
          },
        },
        {
          name: 'kernel',
          run: () => {
            flat.forEach(({ start, poly }, i) => {
              raycastInto(hit, mesh, poly, start, arrays[i], filter, false);
            });
          },
        },
      ],
      (i) => {
        const { start, recastRef } = asObjects[i];
        const t = Math.min(1, query.raycast(recastRef, start, objects[i]).t);
        const ours = raycast(mesh, known[i].start, list[i], { startRef: known[i].ref });
        return apart(ours.point, start.x + t * (objects[i].x - start.x), start.z + t * (objects[i].z - start.z));
      },
    );
  }

  const slide = createSlide();
  for (const [name, share] of [
    ['slide', 1],
    ['slide, a step', 0.03],
  ] as const) {
    const ends = new Map(known.map((walk) => [walk, to(walk, share)]));
    const endObjects = known.map((walk) => xyz(ends.get(walk)!));
    const endArrays = known.map((walk) => Float64Array.from(ends.get(walk)!));
    const endList = known.map((walk) => ends.get(walk)!);
    add(
      name,
      [
        {
          name: 'navkiln',
          run: () => {
            known.forEach(({ start, ref }, i) => {
              moveAlongSurface(mesh, start, endList[i], { startRef: ref });
            });
          },
        },
        {
          name: 'recast',
          run: () => {
            asObjects.forEach(({ start, recastRef }, i) => {
              query.moveAlongSurface(recastRef, start, endObjects[i]);
            });
          },
        },
        navcat && {
          name: 'navcat',
          run: () => {
            known.forEach(({ start, navcatRef }, i) => {
              navcatMove(navcat, navcatRef, start, endList[i], DEFAULT_QUERY_FILTER);
            });
          },
        },
        {
          name: 'kernel',
          run: () => {
            flat.forEach(({ start, poly }, i) => {
              moveAlongSurfaceInto(slide, state, mesh, poly, start, endArrays[i], filter);
            });
          },
        },
      ],
      (i) => {
        const { start, recastRef } = asObjects[i];
        const { resultPosition } = query.moveAlongSurface(recastRef, start, endObjects[i]);
        const ours = moveAlongSurface(mesh, known[i].start, endList[i], { startRef: known[i].ref });
        return apart(ours.point, resultPosition.x, resultPosition.z);
      },
    );
  }

  const wall = createWallHit();
  add(
    'distance to wall',
    [
      all('navkiln', ({ start, ref }) => findDistanceToWall(mesh, start, REACH, { startRef: ref })),
      {
        name: 'kernel',
        run: () => {
          for (const w of flat) findDistanceToWallInto(wall, state, mesh, w.poly, w.start, REACH, filter);
        },
      },
    ],
    undefined,
  );

  const near = createNeighborhood();
  add(
    'local neighbourhood',
    [
      all('navkiln', ({ start, ref }) => findLocalNeighborhood(mesh, start, REACH, { startRef: ref })),
      withNavcat((other, { start, navcatRef }) =>
        findLocalNeighbourhood(other, navcatRef, start, REACH, DEFAULT_QUERY_FILTER),
      ),
      {
        name: 'kernel',
        run: () => {
          for (const w of flat) findLocalNeighborhoodInto(near, state, mesh, w.poly, w.start, REACH, filter);
        },
      },
    ],
    undefined,
  );

  const segments = createWallSegments();
  add(
    'wall segments',
    [
      all('navkiln', ({ ref }) => getWallSegments(mesh, ref)),
      withNavcat((other, { navcatRef }) => getPolyWallSegments(other, navcatRef, DEFAULT_QUERY_FILTER, false)),
      {
        name: 'kernel',
        run: () => {
          for (const { poly } of flat) {
            segments.count = 0;
            addWallSegments(segments, mesh, poly, filter, false);
          }
        },
      },
    ],
    undefined,
  );
  query.destroy();
  recastMesh.destroy();
  return rows;
}

const xyz = (p: Point): { x: number; y: number; z: number } => ({ x: p[0], y: p[1], z: p[2] });
