/** Refuses what is not a crowd. */
import { checkMutable, checkRecord } from '../../../base/data/refuse.ts';

/** Throws a TypeError unless `crowd` is a Crowd. @internal */
export function checkCrowd(caller: string, crowd: unknown): void {
  checkRecord(caller, 'crowd', crowd, 'previousHeading', 'a Crowd');
}

/** Throws a TypeError unless `crowd` is a Crowd that can be changed. @internal */
export function checkMutableCrowd(caller: string, crowd: unknown): void {
  checkCrowd(caller, crowd);
  checkMutable(caller, 'crowd', crowd);
}
