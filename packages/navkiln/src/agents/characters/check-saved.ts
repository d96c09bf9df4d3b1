/**
 * Checks characters and targets that were read from bytes for everything that ticks rely on.
 *
 * In: a character set that is not in use yet, with its crowd.
 * Out: an Error that names the first number that is wrong.
 * Cost: linear.
 * Based on: own.
 */
import {
  HANDLE,
  PLACE,
  POSITIVE,
  SHARE,
  SIZE,
  TICK,
  UNIT,
  VELOCITY,
  checkRow,
  wholeRange,
} from '../crowd/save/ranges.ts';
import type { Range } from '../crowd/save/ranges.ts';
import { failTape } from '../crowd/save/tape.ts';
import type { Tape } from '../crowd/save/tape.ts';
import { MOST_SIZE } from '../crowd/state/limits.ts';
import { isCharacter } from './body/characters.ts';
import { MODE_FREE, MODE_GROUND, RESPAWN_NEAREST, RESPAWN_NONE } from './types/characters.ts';
import type { CharacterSet } from './types/characters.ts';
import { TARGET_CHARACTER, TARGET_FREE } from './types/targets.ts';
import type { Targets } from './types/targets.ts';

/** A rate or a turning speed. Infinity turns within one tick. */
const RATE: Range = { least: Number.MIN_VALUE, most: Infinity };

/** The range of each column of characters; save.ts lists the columns. */
const RANGES = {
  mode: /* @__PURE__ */ wholeRange(MODE_GROUND, MODE_FREE),
  respawn: /* @__PURE__ */ wholeRange(RESPAWN_NEAREST, RESPAWN_NONE),
  spawn: PLACE,
  lastGround: PLACE,
  walkSpeed: SIZE,
  runSpeed: SIZE,
  acceleration: POSITIVE,
  deceleration: POSITIVE,
  gravity: SIZE,
  terminalSpeed: POSITIVE,
  fallVelocity: PLACE,
  stepRate: RATE,
  facing: UNIT,
  previousFacing: UNIT,
  smoothVelocity: VELOCITY,
  facePoint: PLACE,
  deadZoneDegrees: { least: 0, most: 180 },
  turnRate: RATE,
  maxTurnDegrees: RATE,
  speedFraction: SHARE,
  previousSpeedFraction: SHARE,
  priority: SHARE,
  targetId: HANDLE,
  targetDistance: { least: -1, most: MOST_SIZE },
  arriveDistance: SIZE,
  isAiming: /* @__PURE__ */ wholeRange(0, 1),
  againTick: TICK,
} satisfies Partial<Record<keyof CharacterSet, Range>>;

/** The range of each column of targets. */
const TARGET_RANGES = {
  kind: /* @__PURE__ */ wholeRange(TARGET_FREE, TARGET_CHARACTER),
  position: PLACE,
  character: HANDLE,
  ground: PLACE,
  groundPoly: /* @__PURE__ */ wholeRange(-1, Number.MAX_SAFE_INTEGER),
  groundRef: HANDLE,
  isAirborne: /* @__PURE__ */ wholeRange(0, 1),
  isStale: /* @__PURE__ */ wholeRange(0, 1),
} satisfies Partial<Record<keyof Targets, Range>>;

/** Checks the columns of all characters. */
export function checkCharacters(set: CharacterSet, tape: Tape): void {
  const { maxAgents, mesh, slotCount } = set.crowd;
  const { maxClimb } = mesh.agent;
  for (let slot = 0; slot < slotCount; slot++) {
    if (set.id[slot] === 0) continue;
    if (!isCharacter(set, slot)) failTape(tape, `id[${slot}]`, set.id[slot], 'the id of the agent in its slot, or 0');
    for (const [name, range] of namesOf(RANGES))
      checkRow(tape, name, set[name], set[name].length / maxAgents, slot, range);
    // Offsets of the drawn feet are limited to `maxClimb` (characters/body.ts).
    for (const name of ['stepOffset', 'previousOffset'] as const)
      checkRow(tape, name, set[name], 1, slot, { least: -maxClimb, most: maxClimb });
    if (set.runSpeed[slot] < set.walkSpeed[slot])
      failTape(tape, `runSpeed[${slot}]`, set.runSpeed[slot], `at least walkSpeed, ${set.walkSpeed[slot]}`);
  }
}

/** Checks the columns of targets. */
export function checkTargets(targets: Targets, tape: Tape): void {
  let used = 0;
  for (let row = 0; row < targets.rowCount; row++) {
    if (targets.kind[row] !== TARGET_FREE) used++;
    for (const [name, range] of namesOf(TARGET_RANGES))
      checkRow(tape, `targets.${name}`, targets[name], targets[name].length / targets.kind.length, row, range);
  }
  if (used !== targets.count) failTape(tape, 'targets.count', targets.count, `${used}, the number of rows in use`);
}

/** Returns the entries of a table, with typed names. */
function namesOf<T extends object>(table: T): [keyof T, T[keyof T]][] {
  return Object.entries(table) as [keyof T, T[keyof T]][];
}
