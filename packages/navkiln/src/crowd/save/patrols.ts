/**
 * Saves and restores the routes of patrols.
 *
 * Based on: own.
 */
import type { Crowd } from '../state/types.ts';
import { get, getAll, put, putAll, reserve } from './tape.ts';
import type { Tape } from './tape.ts';

/** Numbers written per route besides its points and waits: slot, number of points, mode. */
const ROUTE_SCALARS = 3;
/** Numbers written per point: xyz and a wait. */
const POINT_NUMBERS = 4;

/** Writes the routes of the agents that patrol to the shared tape, by slot. */
export function writePatrols({ patrols, slotCount }: Crowd): void {
  let count = 0;
  for (let slot = 0; slot < slotCount; slot++) if (patrols[slot]) count++;
  reserve(1);
  put(count);
  for (let slot = 0; count > 0 && slot < slotCount; slot++) {
    const route = patrols[slot];
    if (!route) continue;
    const { points, waits, isLoop } = route;
    reserve(ROUTE_SCALARS + POINT_NUMBERS * waits.length);
    put(slot);
    put(waits.length);
    put(isLoop ? 1 : 0);
    putAll(points, 0, points.length);
    putAll(waits, 0, waits.length);
  }
}

/** Reads what `writePatrols` wrote. */
export function readPatrols({ patrols }: Crowd, tape: Tape): void {
  patrols.length = 0;
  for (let left = get(tape); left > 0; left--) {
    const slot = get(tape);
    const count = get(tape);
    const isLoop = get(tape) === 1;
    const route = { points: new Float64Array(3 * count), waits: new Float64Array(count), isLoop };
    getAll(route.points, tape);
    getAll(route.waits, tape);
    patrols[slot] = route;
  }
}
