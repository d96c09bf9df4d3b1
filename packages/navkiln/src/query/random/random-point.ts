/**
 * Random points on the ground: anywhere, anywhere that can be reached from a place, within a walking distance of it, or within
 * a circle around it. Uniform by area seen from above; see ground-sampler.ts.
 *
 * Anywhere: the areas of a mesh are summed once and kept beside it until its tiles change, so that a point costs O(log n) and
 * a look at the tiles' generations; the filter is asked for the polygon that was drawn, and only when it refuses many in a
 * row are those that pass summed up. In a circle: of the polygons it touches as a whole, and again when a point is outside
 * (spread.ts); only where that fails, or would be a waste, they are cut to the circle. From a place: after a flood; for many
 * points of the same flood use the kernels.
 *
 * Based on: own, over Detour's three ways to ask (Mikko Mononen).
 */
import type { RandomSource } from '../../data/random.ts';
import { NULL_REF, refOf } from '../../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';
import { DEFAULT_FILTER, passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createFlood, createFloodBounds, createFloodState, floodInto } from '../flood/flood.ts';
import { createGroundSampler, createRandomHit, drawPointInto, sampleFlood, sampleMesh } from './ground-sampler.ts';
import type { GroundSampler, RandomHit } from './ground-sampler.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { requireRadius } from '../flood/polys-in-circle.ts';
import { setLimit } from '../flood/reachable.ts';
import type { ReachLimit } from '../flood/reachable.ts';
import { sampleSpread } from './spread.ts';
import { locateStart } from '../nearest/start.ts';
import type { StartOptions } from '../nearest/start.ts';

export interface RandomPointOptions extends StartOptions, ReachLimit {
  filter?: QueryFilter;
  /** Only ground that can be reached from here. Default: all ground. */
  from?: PointLike;
}

export interface RandomPointInCircleOptions extends StartOptions {
  filter?: QueryFilter;
}

export interface RandomPoint {
  /** False: there is no such ground. */
  found: boolean;
  /** `NULL_REF` when nothing was found. */
  ref: PolyRef;
  /** On the ground. */
  point: [number, number, number];
}

interface Whole {
  sampler: GroundSampler;
  /** Generation of each tile slot when the areas were summed; 0: free. */
  generations: Uint16Array;
}

/** Draws that the filter may refuse before those that pass are summed up. */
const MAX_REFUSED = 32;

/** Area of the polygons a circle touches, in squares of its radius, beyond which they are cut to it. */
const MAX_WASTE = 50;

const wholes = new WeakMap<NavMesh, Whole>();
const sharedHit = createRandomHit();
const sharedSampler = createGroundSampler();
const start = new Float64Array(3);
const startHit = createNearestHit();
const flood = createFlood();
const state = createFloodState();
const walkBounds = createFloodBounds();
const circleBounds = createFloodBounds();
const circle = new Float64Array(4);

/**
 * A random point of the ground. `random`: what `createRandom(seed)` gives, or a function that returns numbers in [0, 1). With
 * `from`, of what can be reached from the ground nearest to it; with `maxDistance` (walking, world units) or `maxCost`, too,
 * no further than that over the midpoints of edges. Throws a TypeError or RangeError for bad points, limits, refs, numbers.
 */
export function findRandomPoint(mesh: NavMesh, random: RandomSource, options: RandomPointOptions = {}): RandomPoint {
  const filter = options.filter ?? DEFAULT_FILTER;
  setLimit(walkBounds, options, 'findRandomPoint');
  if (options.from === undefined) {
    if (walkBounds.maxCost < Infinity || options.startRef !== undefined) {
      throw new RangeError('findRandomPoint: startRef, maxDistance and maxCost are counted from a point; give `from`');
    }
    drawAnywhere(sharedHit, mesh, filter, random);
    return randomPointOf(mesh, sharedHit);
  }
  readPoint(start, options.from, 'findRandomPoint', 'from');
  locateStart(startHit, mesh, start, options, filter, 'findRandomPoint');
  sharedHit.poly = -1;
  if (startHit.poly >= 0) {
    floodInto(flood, state, mesh, filter, startHit.poly, startHit.point, walkBounds);
    sampleFlood(sharedSampler, mesh, flood, walkBounds, filter);
    drawPointInto(sharedHit, sharedSampler, mesh, filter, random);
    if (sharedHit.poly < 0 && passesFilter(filter, mesh, startHit.poly)) stayAtStart();
  }
  return randomPointOf(mesh, sharedHit);
}

/**
 * A random point of the ground strictly within the circle around `center` (seen from above; `radius` above 0, world units) that
 * can be reached, from the ground nearest to the centre, without leaving the circle. Throws as `findRandomPoint` does.
 */
export function findRandomPointInCircle(
  mesh: NavMesh,
  random: RandomSource,
  center: PointLike,
  radius: number,
  options: RandomPointInCircleOptions = {},
): RandomPoint {
  const filter = options.filter ?? DEFAULT_FILTER;
  readPoint(start, center, 'findRandomPointInCircle', 'center');
  requireRadius(radius, 'findRandomPointInCircle');
  locateStart(startHit, mesh, start, options, filter, 'findRandomPointInCircle');
  sharedHit.poly = -1;
  if (startHit.poly >= 0) {
    circle.set(start);
    circle[3] = radius;
    sampleSpread(sharedSampler, state, mesh, filter, startHit.poly, circle);
    // Polygons much larger than the circle are cut to it.
    const isWorthIt = sharedSampler.sums[sharedSampler.count - 1] < MAX_WASTE * radius * radius;
    if (isWorthIt) drawPointInto(sharedHit, sharedSampler, mesh, filter, random);
    if (sharedHit.poly < 0) {
      circleBounds.within = 'circle';
      circleBounds.center.set(start);
      circleBounds.radius = radius;
      floodInto(flood, state, mesh, filter, startHit.poly, startHit.point, circleBounds);
      sampleFlood(sharedSampler, mesh, flood, circleBounds, filter);
      drawPointInto(sharedHit, sharedSampler, mesh, filter, random);
    }
    const dx = startHit.point[0] - start[0];
    const dz = startHit.point[2] - start[2];
    const isInside = dx * dx + dz * dz < radius * radius;
    if (sharedHit.poly < 0 && isInside && passesFilter(filter, mesh, startHit.poly)) stayAtStart();
  }
  return randomPointOf(mesh, sharedHit);
}

/** Of ground without area (or numbers that are not random) there is one point left. */
function stayAtStart(): void {
  sharedHit.poly = startHit.poly;
  sharedHit.point.set(startHit.point);
}

function randomPointOf(mesh: NavMesh, hit: RandomHit): RandomPoint {
  const { poly, point } = hit;
  if (poly < 0) return { found: false, ref: NULL_REF, point: [NaN, NaN, NaN] };
  return { found: true, ref: refOf(mesh, poly), point: [point[0], point[1], point[2]] };
}

function drawAnywhere(out: RandomHit, mesh: NavMesh, filter: QueryFilter, random: RandomSource): void {
  const { sampler } = wholeOf(mesh);
  for (let draw = 0; draw < MAX_REFUSED; draw++) {
    drawPointInto(out, sampler, mesh, filter, random);
    if (out.poly < 0 || passesFilter(filter, mesh, out.poly)) return;
  }
  sampleMesh(sharedSampler, mesh, filter);
  drawPointInto(out, sharedSampler, mesh, filter, random);
}

/** The areas of all polygons, summed anew when tiles have changed. */
function wholeOf(mesh: NavMesh): Whole {
  let whole = wholes.get(mesh);
  if (whole !== undefined && isFresh(mesh, whole.generations)) return whole;
  whole ??= { sampler: createGroundSampler(), generations: new Uint16Array(0) };
  sampleMesh(whole.sampler, mesh, null);
  whole.generations = Uint16Array.from(
    { length: mesh.tileSlotCount },
    (_, t) => mesh.tileState[t] * mesh.tileGeneration[t],
  );
  wholes.set(mesh, whole);
  return whole;
}

function isFresh(mesh: NavMesh, generations: Uint16Array): boolean {
  const { tileState, tileGeneration, tileSlotCount } = mesh;
  if (generations.length !== tileSlotCount) return false;
  for (let slot = 0; slot < tileSlotCount; slot++) {
    if (generations[slot] !== tileState[slot] * tileGeneration[slot]) return false;
  }
  return true;
}
