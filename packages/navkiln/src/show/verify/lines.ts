/**
 * Fault places as lines for `sceneSvg`: a circle with a cross in it, as large as the ground that is missing or too much.
 *
 * In: a result of `verifyNavMesh`. Out: lines. Cost: linear in the places. Based on: own.
 */
import { cosDegrees, sinDegrees } from '../../base/math/degrees.ts';
import { checkPlaces } from './check-result.ts';
import type { FaultPlace, VerifyResult } from './types.ts';

const SIDES = 16;

/** Returns the fault places as lines for `sceneSvg`, named by their kind. */
export function faultLines(
  result: Pick<VerifyResult, 'places' | 'spacing'>,
): { name: string; points: [number, number, number][] }[] {
  checkPlaces('faultLines', result);
  const { places, spacing } = result;
  return places.flatMap(({ kind, position: [x, y, z], area }: FaultPlace) => {
    const isGround = kind === 'uncovered' || kind === 'overreach';
    const radius = Math.max(3 * spacing, isGround ? Math.sqrt(area / Math.PI) : 0);
    const circle = Array.from({ length: SIDES + 1 }, (_, k): [number, number, number] => [
      x + radius * cosDegrees((360 * k) / SIDES),
      y,
      z + radius * sinDegrees((360 * k) / SIDES),
    ]);
    return [
      { name: kind, points: circle },
      { name: kind, points: [circle[2], circle[10]] },
      { name: kind, points: [circle[6], circle[14]] },
    ];
  });
}
