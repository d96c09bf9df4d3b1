/**
 * Explains why a position on a 2D map is not walkable.
 *
 * In: the map, the result of `buildFromPolygons`, a position. Out: a stage, a code, a sentence, numbers.
 * Cost: linear in the map's corners.
 * Based on: own.
 */
import { checkPoints } from '../check-options.ts';
import { checkArray, checkObject, checkRecord } from '../../base/data/refuse.ts';
import { readPoint2d, xOf, yOf } from '../../base/math/point-2d.ts';
import type { PointLike2d } from '../../base/math/point-2d.ts';
import type { PolygonMap, PolygonRing } from '../../build/polygon/options.ts';
import type { Rings } from '../../base/plane/types.ts';
import { meters } from './cause.ts';
import type { Cause } from './cause.ts';
import type { MapBuild } from '../stage/map.ts';
import { segmentDistanceSq } from '../stage/triangle.ts';

/**
 * 'outside' of all outlines, in a 'hole' or an 'obstacle', 'near-border' (within the agent's radius of a
 * wall), or 'walkable'.
 */
export type MapCode = 'walkable' | 'near-border' | 'obstacle' | 'hole' | 'outside';

/** Result of `explainMapPosition`. */
export type MapExplanation = Omit<Cause, 'code'> & { code: MapCode };

/**
 * Explains why a position on a map is not walkable, or which polygon it is on.
 *
 * @param point [x, y] or { x, y } in map units
 */
export function explainMapPosition(map: PolygonMap, build: MapBuild, point: PointLike2d): MapExplanation {
  checkMap('explainMapPosition', map);
  checkRecord(
    'explainMapPosition',
    'build.stages.pieces',
    build?.stages?.pieces,
    'corner',
    'those of a result of buildFromPolygons',
  );
  const [x, y] = readPoint2d(point, 'explainMapPosition', 'point');
  const {
    stages: { clean, pieces },
    report: { frame, config },
  } = build;
  const u = (x - frame.originX) / frame.gridSize;
  const v = (y - frame.originY) / frame.gridSize;
  for (let p = 0; p < pieces.pieceCount; p++) {
    const { start, corner } = pieces;
    let isIn = true;
    for (let i = start[p]; i < start[p + 1] && isIn; i++) {
      const a = corner[i];
      const b = corner[i + 1 < start[p + 1] ? i + 1 : start[p]];
      const [ax, ay] = [pieces.x[a], pieces.y[a]];
      isIn = (pieces.x[b] - ax) * (v - ay) - (pieces.y[b] - ay) * (u - ax) >= 0;
    }
    if (isIn) return { stage: 'tile', code: 'walkable', message: `Walkable: polygon ${p}.`, numbers: { polygon: p } };
  }
  if (isInRings(clean, u, v)) {
    const distance = Math.sqrt(wallDistanceSq(clean, u, v)) * frame.gridSize;
    const { radius } = config.agent;
    const message = `Too close to a wall: ${meters(distance)} < radius ${meters(radius)}.`;
    return { stage: 'offset', code: 'near-border', message, numbers: { distance, radius } };
  }
  const isIn = (ring: PolygonRing): boolean => isInRing(ring, x, y);
  const obstacle = (map.obstacles ?? []).findIndex(isIn);
  if (obstacle >= 0) {
    return { stage: 'clean', code: 'obstacle', message: `In obstacle ${obstacle + 1}.`, numbers: { obstacle } };
  }
  for (const [polygon, { holes = [] }] of map.polygons.entries()) {
    const hole = holes.findIndex(isIn);
    if (hole < 0) continue;
    return {
      stage: 'clean',
      code: 'hole',
      message: `In hole ${hole + 1} of outline ${polygon + 1}.`,
      numbers: { polygon, hole },
    };
  }
  return { stage: 'input', code: 'outside', message: 'Outside all outlines of the map.', numbers: {} };
}

/** Returns whether a point is inside clean rings, by the even-odd rule. */
function isInRings({ ringCount, start, x, y }: Rings, u: number, v: number): boolean {
  let isIn = false;
  for (let r = 0; r < ringCount; r++) {
    const from = start[r];
    const ring = Array.from({ length: start[r + 1] - from }, (_, i) => [x[from + i], y[from + i]]);
    if (isInRing(ring, u, v)) isIn = !isIn;
  }
  return isIn;
}

function isInRing(ring: PolygonRing, x: number, y: number): boolean {
  let isIn = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const ax = xOf(ring[i]);
    const ay = yOf(ring[i]);
    const bx = xOf(ring[j]);
    const by = yOf(ring[j]);
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn;
  }
  return isIn;
}

function wallDistanceSq({ ringCount, start, x, y }: Rings, u: number, v: number): number {
  let best = Infinity;
  for (let r = 0; r < ringCount; r++) {
    for (let i = start[r]; i < start[r + 1]; i++) {
      const j = i + 1 < start[r + 1] ? i + 1 : start[r];
      best = Math.min(best, segmentDistanceSq([x[i], 0, y[i], x[j], 0, y[j]], u, 0, v));
    }
  }
  return best;
}

/** Throws a TypeError unless `map` is a 2D map: rings are arrays of points. */
function checkMap(caller: string, map: PolygonMap): void {
  checkObject(caller, 'map', map);
  checkArray(caller, 'map.polygons', map.polygons);
  map.polygons.forEach((polygon, i) => {
    checkObject(caller, `map.polygons[${i}]`, polygon);
    checkPoints(caller, `map.polygons[${i}].outline`, polygon.outline, 2);
    if (polygon.holes !== undefined) checkArray(caller, `map.polygons[${i}].holes`, polygon.holes);
    polygon.holes?.forEach((ring, k) => checkPoints(caller, `map.polygons[${i}].holes[${k}]`, ring, 2));
  });
  if (map.obstacles !== undefined) checkArray(caller, 'map.obstacles', map.obstacles);
  map.obstacles?.forEach((ring, k) => checkPoints(caller, `map.obstacles[${k}]`, ring, 2));
}
