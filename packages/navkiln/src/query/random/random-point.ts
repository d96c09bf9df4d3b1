/**
 * Finds random points on the walkable surface: anywhere, reachable from a position, within a walking distance, or
 * within a circle. Points are uniform by area seen from above; see ground-sampler.ts.
 *
 * Anywhere: the areas of a mesh are summed once and kept until its tiles change. The filter is tested on the polygon
 * drawn; only after many refusals are the passing polygons summed. In a circle: points are drawn from whole polygons
 * that the circle touches (spread.ts). The polygons are clipped to the circle only if that fails or would waste most
 * draws. From a position: a flood runs first. For many points of one flood, use the kernels.
 *
 * In: a mesh, a source of random numbers.
 * Out: a point and its polygon.
 * Cost: O(log n) anywhere, otherwise one flood.
 * Based on: own; the same three queries as Detour's findRandomPoint functions (Mikko Mononen).
 */
import { checkSource } from '../../base/data/random.ts';
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import type { RandomSource } from '../../base/data/random.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { NULL_REF, refOf } from '../../mesh/ref.ts';
import type { SizeLike } from '../../mesh/sizes.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { passesFilter, readFilter, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createFlood, createFloodBounds, createFloodState, floodInto } from '../flood/flood.ts';
import { createGroundSampler, createRandomHit, drawPointInto, sampleFlood, sampleMesh } from './ground-sampler.ts';
import type { GroundSampler, RandomHit } from './ground-sampler.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import { requireRadius } from '../flood/polys-in-circle.ts';
import { setLimit } from '../flood/reachable.ts';
import type { ReachLimit } from '../flood/reachable.ts';
import { sampleSpread } from './spread.ts';
import { locateStart } from '../nearest/start.ts';
import type { StartOptions } from '../nearest/start.ts';

/** Options of `findRandomPoint`. */
export interface RandomPointOptions extends StartOptions, ReachLimit {
  /** Which polygons may be entered. Default: all that have a flag. */
  filter?: QueryFilter;
  /** The agent's size on a mesh with sizes; see `findSize`. Default: that of `filter`. */
  size?: SizeLike;
  /** Draw only points that an agent can reach from this position. Default: anywhere. */
  from?: PointLike;
}

/** Options of `findRandomPointInCircle`. */
export interface RandomPointInCircleOptions extends StartOptions {
  /** Which polygons may be entered. Default: all that have a flag. */
  filter?: QueryFilter;
  /** The agent's size on a mesh with sizes; see `findSize`. Default: that of `filter`. */
  size?: SizeLike;
}

/** Result of `findRandomPoint` and `findRandomPointInCircle`. */
export interface RandomPoint {
  /** Whether there is such a point. Also false when polygon `startRef` no longer exists. */
  found: boolean;
  /** The polygon of the point; `NULL_REF` if none was found. */
  ref: PolyRef;
  /** On the walkable surface; NaN if none was found. */
  point: [number, number, number];
}

/** The sampler of a whole mesh. */
interface Whole {
  sampler: GroundSampler;
  /** The generation of each tile slot when the areas were summed; 0 for free slots. */
  generations: Uint16Array;
}

const RANDOM_POINT_KEYS = ['startRef', 'halfExtents', 'maxDistance', 'maxCost', 'filter', 'size', 'from'];

/** Maximum number of draws that the filter may refuse before the passing polygons are summed. */
const MAX_REFUSED = 32;

/**
 * Area of the polygons that a circle touches, in squares of its radius, above which they are clipped to it.
 */
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
/** Center xyz and radius. */
const circle = new Float64Array(4);

/**
 * Returns a random point on the walkable surface. `random` is a generator from `createRandom(seed)`, or a
 * function that returns numbers in [0, 1).
 *
 * With `from`, the point can be reached from the polygon nearest to it. `maxDistance` (walking, world units) or
 * `maxCost` limits the path to it, measured over the midpoints of edges. `found` is false if there is no such point, or
 * if polygon `startRef` no longer exists. Throws a TypeError for invalid points and a RangeError for invalid limits,
 * unknown options or random numbers outside [0, 1).
 */
export function findRandomPoint(mesh: NavMesh, random: RandomSource, options: RandomPointOptions = {}): RandomPoint {
  checkNavMesh('findRandomPoint', mesh);
  checkSource('findRandomPoint', random);
  refuseInMethod('findRandomPoint');
  checkKeys('findRandomPoint', options, RANDOM_POINT_KEYS);
  const filter = readFilter('findRandomPoint', options, mesh);
  setLimit(walkBounds, options, 'findRandomPoint');
  if (options.from === undefined) {
    if (walkBounds.maxCost < Infinity || options.startRef !== undefined) {
      refuse('findRandomPoint', 'options.from', undefined, 'given with startRef, maxDistance and maxCost');
    }
    drawAnywhere(sharedHit, mesh, filter, random);
    return randomPointOf(mesh, sharedHit);
  }
  readPoint(start, options.from, 'findRandomPoint', 'options.from');
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
 * Returns a random point strictly within a circle, seen from above, that can be reached inside the circle
 * from the polygon nearest to `center`. `radius` is in world units.
 *
 * `found` is false if there is no such point, or if polygon `startRef` no longer exists. Throws a TypeError
 * for an invalid point and a RangeError for an invalid radius, unknown options or random numbers outside [0,
 * 1).
 */
export function findRandomPointInCircle(
  mesh: NavMesh,
  random: RandomSource,
  center: PointLike,
  radius: number,
  options: RandomPointInCircleOptions = {},
): RandomPoint {
  checkSource('findRandomPointInCircle', random);
  checkKeys('findRandomPointInCircle', options, ['startRef', 'halfExtents', 'filter', 'size']);
  const filter = readFilter('findRandomPointInCircle', options, mesh);
  readPoint(start, center, 'findRandomPointInCircle', 'center');
  requireRadius(radius, 'findRandomPointInCircle');
  locateStart(startHit, mesh, start, options, filter, 'findRandomPointInCircle');
  sharedHit.poly = -1;
  if (startHit.poly >= 0) {
    circle.set(start);
    circle[3] = radius;
    sampleSpread(sharedSampler, state, mesh, filter, startHit.poly, circle);
    // Polygons much larger than the circle are clipped to it.
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

/** Sets the hit to the start, which is the only point when the reachable polygons have no area. */
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

/** Returns the sampler of the whole mesh, rebuilt after tiles have changed. */
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
