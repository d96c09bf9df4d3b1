/**
 * Longitude and latitude <-> metres on a plane around a place: equirectangular, x to the east, y to the north. Lengths are right
 * near the place's latitude; a degree of latitude away, those from west to east are wrong by 1.7 % times its tangent.
 */
import { cosDegrees } from '../math/degrees.ts';
import type { ParsedPoint } from './map.ts';

/** Mean radius of the earth, metres. */
const EARTH_RADIUS = 6371008.8;

/** A plain record: it can be saved beside the mesh. */
export interface MapProjection {
  /** [longitude, latitude] of x = 0, y = 0; degrees. */
  origin: ParsedPoint;
  /** Metres a degree there, to the east and to the north. */
  metersPerDegree: ParsedPoint;
}

/** Around [longitude, latitude]. */
export function createProjection(origin: ParsedPoint): MapProjection {
  const [longitude, latitude] = origin;
  if (!(longitude >= -180 && longitude <= 180 && latitude > -90 && latitude < 90)) {
    throw new RangeError(
      `createProjection: origin is [${longitude}, ${latitude}]; give [longitude, latitude] in degrees, within 180 and below 90`,
    );
  }
  const degree = (EARTH_RADIUS * Math.PI) / 180;
  return { origin: [longitude, latitude], metersPerDegree: [degree * cosDegrees(latitude), degree] };
}

/** [longitude, latitude] in degrees -> [x, y] in metres. */
export function projectPoint({ origin, metersPerDegree }: MapProjection, lonLat: ArrayLike<number>): ParsedPoint {
  return [(lonLat[0] - origin[0]) * metersPerDegree[0], (lonLat[1] - origin[1]) * metersPerDegree[1]];
}

/** [x, y] in metres -> [longitude, latitude] in degrees: how a path becomes a LineString. */
export function unprojectPoint({ origin, metersPerDegree }: MapProjection, point: ArrayLike<number>): ParsedPoint {
  return [origin[0] + point[0] / metersPerDegree[0], origin[1] + point[1] / metersPerDegree[1]];
}
