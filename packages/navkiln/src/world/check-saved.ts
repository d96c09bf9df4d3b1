/**
 * Checks characters and targets that were read from bytes for everything that ticks rely on.
 *
 * In: a set that nobody uses yet, with its crowd.
 * Out: an Error that names the first number that is wrong.
 * Cost: linear.
 * Based on: own.
 */
import { MAGNITUDE_TEXT, MOST_MAGNITUDE, failTape } from '../crowd/save/tape.ts';
import type { Tape } from '../crowd/save/tape.ts';
import { isCharacter } from './characters/characters.ts';
import { MODE_FREE, RESPAWN_NONE } from './types/characters.ts';
import type { CharacterSet } from './types/characters.ts';
import { TARGET_CHARACTER, TARGET_FREE } from './types/targets.ts';
import type { Targets } from './types/targets.ts';

/** Columns of positions, lengths and velocities, with their strides. */
const FINITE_COLUMNS = [
  ['spawn', 3],
  ['lastGround', 3],
  ['fallVelocity', 1],
  ['stepOffset', 1],
  ['previousOffset', 1],
  ['facing', 2],
  ['previousFacing', 2],
  ['smoothVelocity', 2],
  ['facePoint', 3],
  ['speedFraction', 1],
  ['previousSpeedFraction', 1],
  ['targetDistance', 1],
] as const;
/** Columns of options: name, whether 0 is allowed, the largest value. */
const RANGES = [
  ['walkSpeed', true, Number.MAX_VALUE],
  ['runSpeed', true, Number.MAX_VALUE],
  ['acceleration', false, Number.MAX_VALUE],
  ['deceleration', false, Number.MAX_VALUE],
  ['gravity', true, Number.MAX_VALUE],
  ['terminalSpeed', false, Number.MAX_VALUE],
  ['stepRate', false, Infinity],
  ['deadZoneDegrees', true, 180],
  ['turnRate', false, Infinity],
  ['maxTurnDegrees', false, Infinity],
  ['priority', true, 1],
  ['arriveDistance', true, Number.MAX_VALUE],
  ['mode', true, MODE_FREE],
  ['respawn', true, RESPAWN_NONE],
  ['isAiming', true, 1],
  ['targetId', true, Number.MAX_SAFE_INTEGER],
] as const;
/** The squared length of a facing, a unit vector. */
const FACING_RANGE = [0.99, 1.01] as const;

/** Checks the columns of all characters. */
export function checkCharacters(set: CharacterSet, tape: Tape): void {
  for (let slot = 0; slot < set.crowd.slotCount; slot++) {
    if (set.id[slot] === 0) continue;
    if (!isCharacter(set, slot)) failTape(tape, `id[${slot}]`, set.id[slot], 'the id of the agent in its slot, or 0');
    for (const [name, stride] of FINITE_COLUMNS) {
      for (let i = stride * slot; i < stride * (slot + 1); i++) {
        const isGood = set[name][i] >= -MOST_MAGNITUDE && set[name][i] <= MOST_MAGNITUDE;
        if (!isGood) failTape(tape, `${name}[${i}]`, set[name][i], MAGNITUDE_TEXT);
      }
    }
    for (const [name, isZeroFine, most] of RANGES) {
      const value = set[name][slot];
      const isGood = value <= most && (isZeroFine ? value >= 0 : value > 0);
      if (!isGood) failTape(tape, `${name}[${slot}]`, value, `${isZeroFine ? '0' : 'above 0'} .. ${most}`);
    }
    for (const name of ['facing', 'previousFacing'] as const) {
      const [x, z] = [set[name][2 * slot], set[name][2 * slot + 1]];
      const lengthSq = x * x + z * z;
      const isUnit = lengthSq >= FACING_RANGE[0] && lengthSq <= FACING_RANGE[1];
      if (!isUnit) failTape(tape, `${name}[${2 * slot}]`, x, 'part of a unit vector');
    }
  }
}

/** Checks the columns of targets. */
export function checkTargets(targets: Targets, tape: Tape): void {
  let used = 0;
  for (let row = 0; row < targets.rowCount; row++) {
    const within = (name: 'kind' | 'groundPoly' | 'isAirborne' | 'isStale', least: number, most: number): void => {
      const value = targets[name][row];
      if (value < least || value > most) failTape(tape, `targets.${name}[${row}]`, value, `${least} .. ${most}`);
    };
    within('kind', TARGET_FREE, TARGET_CHARACTER);
    within('groundPoly', -1, Number.MAX_SAFE_INTEGER);
    within('isAirborne', 0, 1);
    within('isStale', 0, 1);
    if (targets.kind[row] !== TARGET_FREE) used++;
    for (const name of ['position', 'ground'] as const) {
      for (let i = 3 * row; i < 3 * row + 3; i++) {
        const isGood = targets[name][i] >= -MOST_MAGNITUDE && targets[name][i] <= MOST_MAGNITUDE;
        if (!isGood) failTape(tape, `targets.${name}[${i}]`, targets[name][i], MAGNITUDE_TEXT);
      }
    }
    for (const name of ['character', 'groundRef'] as const) {
      const value = targets[name][row];
      if (!(value >= 0 && Number.isSafeInteger(value))) failTape(tape, `targets.${name}[${row}]`, value, 'a handle');
    }
  }
  if (used !== targets.count) failTape(tape, 'targets.count', targets.count, `${used}, the number of rows in use`);
}
