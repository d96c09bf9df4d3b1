/**
 * Saves and restores the routes of patrols.
 *
 * Based on: own.
 */
import { ROUTE_BACK, ROUTE_ONCE } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { PASS_OR_WAIT, PLACE, WAIT, getAllIn } from './ranges.ts';
import { expectMore, failTape, getWhole, put, putAll, reserve } from './tape.ts';
import type { Tape } from './tape.ts';

/** Numbers written per route besides its points and waits: slot, number of points, mode. */
const ROUTE_SCALARS = 3;
/** Numbers written per point: xyz and a wait. */
const POINT_NUMBERS = 4;
const LEAST_POINTS = 2;

/** Writes the routes of the agents that patrol to the shared tape, by slot. */
export function writePatrols({ patrols, slotCount }: Crowd): void {
  let count = 0;
  for (let slot = 0; slot < slotCount; slot++) if (patrols[slot]) count++;
  reserve(1);
  put(count);
  for (let slot = 0; count > 0 && slot < slotCount; slot++) {
    const route = patrols[slot];
    if (!route) continue;
    const { points, waits, mode } = route;
    reserve(ROUTE_SCALARS + POINT_NUMBERS * waits.length);
    put(slot);
    put(waits.length);
    put(mode);
    putAll(points, 0, points.length);
    putAll(waits, 0, waits.length);
  }
}

/** Reads the routes from `writePatrols`. */
export function readPatrols({ patrols, slotCount, agents }: Crowd, tape: Tape): void {
  let last = -1;
  for (let left = getWhole(tape, 'patrols.length', 0, slotCount); left > 0; left--) {
    const slot = getWhole(tape, 'the slot of a patrol', last + 1, slotCount - 1);
    last = slot;
    const count = getWhole(tape, `patrols[${slot}].waits.length`, 1, tape.numbers.length);
    expectMore(tape, POINT_NUMBERS * count + 1, `patrols[${slot}].waits.length`);
    const mode = getWhole(tape, `patrols[${slot}].mode`, ROUTE_BACK, ROUTE_ONCE);
    if (mode !== ROUTE_ONCE && count < LEAST_POINTS)
      failTape(tape, `patrols[${slot}].waits.length`, count, `${LEAST_POINTS} or more`);
    const route = { points: new Float64Array(3 * count), waits: new Float64Array(count), mode };
    getAllIn(route.points, tape, `patrols[${slot}].points`, PLACE);
    getAllIn(route.waits, tape, `patrols[${slot}].waits`, mode === ROUTE_ONCE ? PASS_OR_WAIT : WAIT);
    patrols[slot] = route;
  }
  for (let slot = 0; slot < slotCount; slot++) {
    const [point, most] = [agents.patrolPoint[slot], patrols[slot]?.waits.length ?? 0];
    const least = most > 0 ? 1 : 0;
    if (!(point >= least && point <= most)) failTape(tape, `agents.patrolPoint[${slot}]`, point, `${least} .. ${most}`);
  }
}
