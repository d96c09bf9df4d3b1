/**
 * Saves and restores corridors: polygons as refs, crossings relative to their polygon.
 *
 * In: a corridor; a tape.
 * Out: numbers on the tape; the corridor, with every number checked.
 * Cost: linear in the corridor.
 * Based on: own.
 */
import { isLinkCrossing } from '../../../mesh/crossing.ts';
import { polyIndexOf } from '../../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../../mesh/types.ts';
import { NO_CROSSING } from '../../../query/path/corridor.ts';
import type { CorridorOutcome } from '../../../query/path/corridor.ts';
import { reserveCorridor } from '../../corridor/splice.ts';
import type { PathCorridor } from '../../corridor/types.ts';
import { savedRefOf } from './content.ts';
import { crossingAt, localCrossingOf, neighborOver } from './crossing.ts';
import { LENGTH, OPEN_LENGTH, PLACE, getAllIn, getIn } from './ranges.ts';
import { expectMore, failTape, getHandle, getWhole, put, putAll, refFrom, reserve } from './tape.ts';
import type { Tape } from './tape.ts';

/** The outcomes, indexed by the number that is saved. */
const OUTCOMES: readonly CorridorOutcome[] = ['complete', 'unreachable', 'budget'];

/** The numbers of a corridor besides its polygons. */
const SCALAR_COUNT = 11;
/** The largest number of a crossing; the smallest is one below its negative. */
const LAST_CROSSING = 0x7fffffff;

// Whether a crowd or a corridor has followed all changes of the mesh.
/** It has not. */
export const OUT_OF_STEP = 0;
/** It has. */
export const IN_STEP = 1;
/** It has, except for local changes since the last tick (touched.ts). Dense indices are valid. */
export const NEARLY_IN_STEP = 2;

/**
 * Writes a corridor to the shared tape. `last` is the revision that the crowd has followed, or that of the mesh. If the corridor has not followed a change of the mesh yet, its missing
 * crossings are written as `NO_CROSSING`.
 */
export function writeCorridor(c: PathCorridor, mesh: NavMesh, last: number): void {
  const { corridor, refs, left } = c;
  const { count, polys, crossings } = corridor;
  const isCurrent = c.revision === mesh.revision;
  const isInStep = isCurrent || c.revision === last;
  reserve(SCALAR_COUNT + 3 * count);
  put(count);
  put(isCurrent ? IN_STEP : isInStep ? NEARLY_IN_STEP : OUT_OF_STEP);
  put(OUTCOMES.indexOf(corridor.outcome));
  put(corridor.cost);
  put(corridor.visitedCount);
  putAll(c.position, 0, 3);
  putAll(c.target, 0, 3);
  for (let i = 0; i < count; i++) put(savedRefOf(mesh, refs[i]));
  putAll(left, 0, count);
  for (let i = 0; i + 1 < count; i++) {
    const poly = isInStep ? polys[i] : polyIndexOf(mesh, refs[i] as PolyRef);
    // Link ends keep their numbers when a polygon gets another index; edges and portals do not.
    const isThere = poly === polys[i] || (poly >= 0 && isLinkCrossing(crossings[i]));
    put(isThere ? localCrossingOf(mesh, poly, crossings[i]) : NO_CROSSING);
  }
}

/**
 * Reads a corridor from `writeCorridor`. In a corridor that has followed all changes of the mesh, each crossing leads
 * to the next polygon. Any other corridor is repaired before its first use.
 */
export function readCorridor(c: PathCorridor, mesh: NavMesh, tape: Tape, path: string): void {
  const { corridor } = c;
  const count = getWhole(tape, `${path}.count`, 0, tape.numbers.length);
  expectMore(tape, SCALAR_COUNT - 1 + Math.max(0, 3 * count - 1), `${path}.count`);
  const step = getWhole(tape, `${path}.isInStep`, OUT_OF_STEP, NEARLY_IN_STEP);
  const isInStep = step !== OUT_OF_STEP;
  corridor.outcome = OUTCOMES[getWhole(tape, `${path}.outcome`, 0, OUTCOMES.length - 1)];
  corridor.cost = getIn(tape, `${path}.cost`, OPEN_LENGTH);
  corridor.visitedCount = getHandle(tape, `${path}.visitedCount`);
  getAllIn(c.position, tape, `${path}.position`, PLACE);
  getAllIn(c.target, tape, `${path}.target`, PLACE);
  reserveCorridor(c, count);
  corridor.count = count;
  c.revision = mesh.revision - (step === IN_STEP ? 0 : step === NEARLY_IN_STEP ? 1 : 2);
  const { polys, crossings } = corridor;
  for (let i = 0; i < count; i++) {
    c.refs[i] = refFrom(tape, mesh, getHandle(tape, `${path}.refs[${i}]`));
    polys[i] = polyIndexOf(mesh, c.refs[i] as PolyRef);
    if (isInStep && polys[i] < 0) failTape(tape, `${path}.refs[${i}]`, c.refs[i], 'the ref of a polygon');
  }
  // Remaining lengths only decrease along a path, so moving its end keeps all of them in range.
  let before = LENGTH.most;
  for (let i = 0; i < count; i++) {
    c.left[i] = before = getIn(tape, `${path}.left[${i}]`, { least: 0, most: i + 1 < count ? before : 0 });
  }
  for (let i = 0; i + 1 < count; i++) {
    const crossing = getWhole(tape, `${path}.crossings[${i}]`, -LAST_CROSSING - 1, LAST_CROSSING);
    crossings[i] = polys[i] < 0 ? NO_CROSSING : crossingAt(mesh, polys[i], crossing);
    if (isInStep && neighborOver(mesh, crossings[i]) !== polys[i + 1]) {
      failTape(tape, `${path}.crossings[${i}]`, crossing, 'a crossing to the next polygon');
    }
  }
}
