/**
 * Projects longitude and latitude to meters on a plane around a position, and back: equirectangular, x east,
 * y north.
 *
 * Lengths are right near the latitude of the origin. One degree of latitude away, lengths from west to east
 * are off by 1.7 % times the tangent of the latitude.
 *
 * Cost: constant.
 * Based on: the equirectangular projection; own code.
 */
import { checkObject } from '../../base/data/refuse.ts';
import { cosDegrees } from '../../base/math/degrees.ts';
import { readPoint2d } from '../../base/math/point-2d.ts';
import type { PointLike2d } from '../../base/math/point-2d.ts';
import { isRecord } from './json-source.ts';
import type { ParsedPoint } from './map.ts';

/** Mean radius of the earth, meters. */
const EARTH_RADIUS = 6371008.8;

/** A projection, as a plain record: it can be saved next to the mesh. */
export interface MapProjection {
  /** [longitude, latitude] of x = 0, y = 0; degrees. */
  origin: ParsedPoint;
  /** Meters per degree at the origin, to the east and to the north. */
  metersPerDegree: ParsedPoint;
}

/** Creates a projection around [longitude, latitude], degrees. */
export function createProjection(origin: PointLike2d): MapProjection {
  const [longitude, latitude] = readPoint2d(origin, 'createProjection', 'origin');
  if (!(longitude >= -180 && longitude <= 180 && latitude > -90 && latitude < 90)) {
    throw new RangeError(
      `createProjection: origin is [${longitude}, ${latitude}]; must be [longitude, latitude] in degrees, within 180 and below 90`,
    );
  }
  const degree = (EARTH_RADIUS * Math.PI) / 180;
  return { origin: [longitude, latitude], metersPerDegree: [degree * cosDegrees(latitude), degree] };
}

/** Converts [longitude, latitude] or { x: longitude, y: latitude }, degrees, to [x, y] in meters. */
export function projectPoint(projection: MapProjection, lonLat: PointLike2d): ParsedPoint {
  const { origin, metersPerDegree } = readProjection(projection, 'projectPoint');
  const [longitude, latitude] = readPoint2d(lonLat, 'projectPoint', 'lonLat');
  return [(longitude - origin[0]) * metersPerDegree[0], (latitude - origin[1]) * metersPerDegree[1]];
}

/** Converts [x, y] or { x, y } in meters to [longitude, latitude] in degrees, for example a path to a LineString. */
export function unprojectPoint(projection: MapProjection, point: PointLike2d): ParsedPoint {
  const { origin, metersPerDegree } = readProjection(projection, 'unprojectPoint');
  const [x, y] = readPoint2d(point, 'unprojectPoint', 'point');
  return [origin[0] + x / metersPerDegree[0], origin[1] + y / metersPerDegree[1]];
}

/** Returns a projection, checked. */
function readProjection(projection: MapProjection, caller: string): MapProjection {
  checkObject(caller, 'projection', projection);
  readPoint2d(projection.origin, caller, 'projection.origin');
  readPoint2d(projection.metersPerDegree, caller, 'projection.metersPerDegree');
  return projection;
}

/** Returns whether a value is a projection. */
export function isProjection(value: unknown): value is MapProjection {
  return (
    isRecord(value) &&
    [value['origin'], value['metersPerDegree']].every((pair) => {
      return (
        Array.isArray(pair) &&
        pair.length === 2 &&
        pair.every((number) => Number.isFinite(number) && number !== Infinity)
      );
    })
  );
}
