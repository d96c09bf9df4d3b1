/** Checks a result of `verifyNavMesh` that a caller passes back. In: a value. Out: nothing, or a TypeError. Based on: own. */
import {
  checkArray,
  checkFinite,
  checkNumbers,
  checkObject,
  checkString,
  refuse,
  refuseType,
} from '../../base/data/refuse.ts';
import type { VerifyResult } from './types.ts';

/** Throws a TypeError unless `result` has fault places, as a `VerifyResult`. */
export function checkPlaces(caller: string, result: Pick<VerifyResult, 'places' | 'spacing'>): void {
  checkObject(caller, 'result', result);
  checkFinite(caller, 'result.spacing', result.spacing);
  checkArray(caller, 'result.places', result.places);
  result.places.forEach((place, i) => {
    const path = `result.places[${i}]`;
    checkObject(caller, path, place);
    checkString(caller, `${path}.kind`, place.kind);
    checkFinite(caller, `${path}.area`, place.area);
    if (place.area < 0) refuse(caller, `${path}.area`, place.area, 'an area >= 0');
    checkNumbers(caller, `${path}.position`, place.position);
    if (place.position.length !== 3) refuseType(caller, `${path}.position`, place.position, '[x, y, z]');
  });
}

/** Throws a TypeError unless `result` also has what trials read. */
export function checkResult(caller: string, result: VerifyResult): void {
  checkPlaces(caller, result);
  checkFinite(caller, 'result.seed', result.seed);
  checkObject(caller, 'result.agent', result.agent);
}
