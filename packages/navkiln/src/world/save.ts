/**
 * Saves, restores and hashes a set of characters with its crowd and its targets: everything that decides the
 * future, and what is drawn until the next tick.
 *
 * Polygons below targets are written as refs, so the bytes do not depend on dense indices: a set can be
 * restored on its mesh saved and loaded again. Rows of slots without a character are written as zeros.
 *
 *   offset 0    8 bytes   "nkchars" and 0x1a
 *          8    u32       version, 1
 *         12    u32       length in units of 8 bytes
 *         16    u32       checksum: `hashWords` of the words 0 .. 3, then of the words 5 to the end
 *         20    u32       length of the saved crowd in units of 8 bytes
 *         24    scalars; the columns of characters, for each slot that was ever used; the columns of targets
 *               (all f64); the bytes of `saveCrowd`
 *
 * In: a set between two ticks, or bytes. All values are little-endian.
 * Out: bytes, a hash, or the restored set with its crowd.
 * Cost: that of `saveCrowd`, and about 450 bytes per character.
 * Based on: own.
 */
import { checkRecord, refuseType } from '../data/refuse.ts';
import { hashCrowd, restoreCrowd, saveCrowd } from '../crowd/save/save.ts';
import { HEADER_BYTES, get, put, reserve, shared, tapeOf } from '../crowd/save/tape.ts';
import type { Tape } from '../crowd/save/tape.ts';
import { hashWords } from '../data/hash.ts';
import { polyIndexOf } from '../navmesh/ref.ts';
import type { PolyRef } from '../navmesh/types.ts';
import { isCharacter } from './characters/characters.ts';
import { createTargets, reserveTargetRows } from './targets/targets.ts';
import type { CharacterSet } from './types/characters.ts';
import type { Targets } from './types/targets.ts';

const MAGIC = 'nkchars\x1a';
const VERSION = 1;
const CHECKSUM_WORD = 4;
const CROWD_WORD = 5;
/** The number of scalars before the columns, without the time since the last tick. */
const SCALAR_COUNT = 13;

/** Columns of a set: name, elements per slot. Their order, names and strides are part of the format. */
export const CHARACTER_COLUMNS: readonly (readonly [ColumnOf<CharacterSet>, number])[] = [
  ['id', 1],
  ['mode', 1],
  ['marks', 1],
  ['respawn', 1],
  ['spawn', 3],
  ['lastGround', 3],
  ['walkSpeed', 1],
  ['runSpeed', 1],
  ['acceleration', 1],
  ['deceleration', 1],
  ['gravity', 1],
  ['terminalSpeed', 1],
  ['fallVelocity', 1],
  ['stepOffset', 1],
  ['previousOffset', 1],
  ['stepRate', 1],
  ['facing', 2],
  ['previousFacing', 2],
  ['smoothVelocity', 2],
  ['facePoint', 3],
  ['deadZoneDegrees', 1],
  ['turnRate', 1],
  ['maxTurnDegrees', 1],
  ['wallTicks', 1],
  ['speedFraction', 1],
  ['previousSpeedFraction', 1],
  ['priority', 1],
  ['targetId', 1],
  ['targetDistance', 1],
  ['arriveDistance', 1],
  ['isAiming', 1],
  ['againTick', 1],
];

/** Columns of targets, as above. Of `groundPoly` only its sign is written. */
export const TARGET_COLUMNS: readonly (readonly [ColumnOf<Targets>, number])[] = [
  ['kind', 1],
  ['generation', 1],
  ['position', 3],
  ['character', 1],
  ['ground', 3],
  ['groundPoly', 1],
  ['groundRef', 1],
  ['isAirborne', 1],
  ['isStale', 1],
];

/** Names of the typed arrays of a record. */
type ColumnOf<T> = { [K in keyof T]: T[K] extends ArrayBufferView ? K : never }[keyof T];

/**
 * Returns the state of a set of characters, of its crowd and of its targets as bytes. `restoreCharacters`
 * continues from them exactly as the set itself would have continued. Call it between ticks.
 */
export function saveCharacters(set: CharacterSet): Uint8Array {
  checkRecord('saveCharacters', 'set', set, 'smoothVelocity', 'a CharacterSet');
  // First, because both are written to the same tape.
  const crowd = saveCrowd(set.crowd);
  write(set);
  reserve(1);
  put(set.time[0]);
  const own = shared.bytes.subarray(0, 8 * shared.at);
  const out = new Uint8Array(own.length + crowd.length);
  out.set(own);
  out.set(crowd, own.length);
  for (let i = 0; i < MAGIC.length; i++) out[i] = MAGIC.charCodeAt(i);
  const words = new Uint32Array(out.buffer);
  words[2] = VERSION;
  words[3] = out.length / 8;
  words[CROWD_WORD] = crowd.length / 8;
  words[CHECKSUM_WORD] = checksum(words);
  return out;
}

/**
 * Returns a hash (32 bits) of everything that decides the future of a set of characters, of its crowd and of
 * its targets, tick by tick. Equal worlds have equal hashes at equal ticks, at any frame rate.
 */
export function hashCharacters(set: CharacterSet): number {
  checkRecord('hashCharacters', 'set', set, 'smoothVelocity', 'a CharacterSet');
  const crowd = hashCrowd(set.crowd);
  write(set);
  return hashWords(shared.words, HEADER_BYTES / 4, 2 * shared.at, crowd);
}

/**
 * Restores the state that `saveCharacters` returned: the set, its crowd and its targets. Ids of characters and
 * targets are those of the saved state. Events are cleared.
 *
 * The crowd must be on a mesh with the same content, and created with the same `maxAgents`, `stepSeconds` and
 * filters, as for `restoreCrowd`. Throws an Error for damaged bytes and another mesh, and a RangeError for a
 * crowd with other options; everything is then unchanged.
 */
export function restoreCharacters(set: CharacterSet, bytes: Uint8Array): void {
  if (!(bytes instanceof Uint8Array)) refuseType('restoreCharacters', 'bytes', bytes, 'a Uint8Array of saveCharacters');
  checkRecord('restoreCharacters', 'set', set, 'smoothVelocity', 'a CharacterSet');
  const tape = checkBytes(bytes);
  const crowdFrom = bytes.length - 8 * tape.words[CROWD_WORD];
  try {
    restoreCrowd(set.crowd, bytes.subarray(crowdFrom));
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replace(/^restoreCrowd/, 'restoreCharacters');
    throw error;
  }
  read(set, tape);
  set.events.count = 0;
}

function checksum(words: Uint32Array): number {
  return hashWords(words, CHECKSUM_WORD + 1, words.length, hashWords(words, 0, CHECKSUM_WORD, 0));
}

function checkBytes(bytes: Uint8Array): Tape {
  const magic = String.fromCharCode(...bytes.subarray(0, 8));
  if (bytes.length < HEADER_BYTES || magic !== MAGIC) {
    const found = magic === 'nkcrowd\x1a' ? 'a crowd without characters' : `not saved characters`;
    throw new Error(`restoreCharacters: the ${bytes.length} bytes are ${found}; pass the result of saveCharacters`);
  }
  const length = bytes.length - (bytes.length % 8);
  const copy = new Uint8Array(length);
  copy.set(bytes.subarray(0, length));
  const tape = tapeOf(copy.buffer);
  if (tape.words[2] !== VERSION) {
    throw new Error(
      `restoreCharacters: the format version is ${tape.words[2]}; must be ${VERSION}; save the characters again`,
    );
  }
  if (tape.words[3] * 8 !== bytes.length) {
    throw new Error(
      `restoreCharacters: bytes.length is ${bytes.length}; must be ${tape.words[3] * 8}; ` +
        'pass all that saveCharacters returned',
    );
  }
  if (checksum(tape.words) !== tape.words[CHECKSUM_WORD]) {
    throw new Error('restoreCharacters: the checksum does not match; the bytes are damaged');
  }
  if (tape.numbers[tape.at] !== columnsHash()) {
    throw new Error('restoreCharacters: the characters were saved by another version of navkiln; save them again');
  }
  return tape;
}

/** Returns a number for the names and strides of all columns. */
function columnsHash(): number {
  const text = [...CHARACTER_COLUMNS, ...TARGET_COLUMNS].join();
  return hashWords(
    Uint32Array.from(text, (letter) => letter.charCodeAt(0)),
    0,
    text.length,
    0,
  );
}

/** Writes everything but the header, the time since the last tick and the crowd to `shared`. */
function write(set: CharacterSet): void {
  const { crowd, targets } = set;
  const { revision } = crowd.mesh;
  const { slotCount } = crowd;
  shared.at = HEADER_BYTES / 8;
  reserve(SCALAR_COUNT + columnTotal(CHARACTER_COLUMNS) * slotCount);
  put(columnsHash());
  put(slotCount);
  put(set.hasBounds ? 1 : 0);
  // A change of the mesh since the last tick is still to be noticed.
  put(set.boundsRevision === revision ? 1 : 0);
  put(set.groundRevision === revision ? 1 : 0);
  put(set.fallLimit);
  for (let k = 0; k < 6; k++) put(set.bounds[k]);
  put(targets === null ? -1 : targets.rowCount);
  for (const [name, stride] of CHARACTER_COLUMNS) {
    const array = set[name];
    for (let slot = 0; slot < slotCount; slot++) {
      const isUsed = isCharacter(set, slot);
      for (let i = slot * stride; i < (slot + 1) * stride; i++) put(isUsed ? array[i] : 0);
    }
  }
  if (targets === null) return;
  reserve(2 + columnTotal(TARGET_COLUMNS) * targets.rowCount);
  put(targets.count);
  put(targets.revision === revision ? 1 : 0);
  for (const [name, stride] of TARGET_COLUMNS) {
    const array = targets[name];
    for (let i = 0; i < stride * targets.rowCount; i++) {
      put(name === 'groundPoly' ? (array[i] < 0 ? -1 : 0) : array[i]);
    }
  }
}

/** Reads what `write` and `saveCharacters` wrote. */
function read(set: CharacterSet, tape: Tape): void {
  const { mesh } = set.crowd;
  const revisionOf = (isInStep: number): number => mesh.revision - (isInStep === 1 ? 0 : 1);
  get(tape);
  const slotCount = get(tape);
  set.hasBounds = get(tape) === 1;
  set.boundsRevision = revisionOf(get(tape));
  set.groundRevision = revisionOf(get(tape));
  set.fallLimit = get(tape);
  for (let k = 0; k < 6; k++) set.bounds[k] = get(tape);
  const rowCount = get(tape);
  for (const [name, stride] of CHARACTER_COLUMNS) {
    const array = set[name];
    for (let i = 0; i < stride * slotCount; i++) array[i] = get(tape);
    array.fill(0, stride * slotCount);
  }
  if (rowCount >= 0) createTargets(set);
  const { targets } = set;
  if (targets !== null) {
    reserveTargetRows(targets, rowCount);
    targets.rowCount = Math.max(0, rowCount);
    targets.count = rowCount < 0 ? 0 : get(tape);
    targets.revision = rowCount < 0 ? -1 : revisionOf(get(tape));
    for (const [name, stride] of TARGET_COLUMNS) {
      const array = targets[name];
      for (let i = 0; i < stride * rowCount; i++) array[i] = get(tape);
      array.fill(0, stride * targets.rowCount);
    }
    for (let row = 0; row < targets.rowCount; row++) {
      if (targets.groundPoly[row] >= 0) targets.groundPoly[row] = polyIndexOf(mesh, targets.groundRef[row] as PolyRef);
    }
  }
  set.time[0] = get(tape);
}

function columnTotal(columns: readonly (readonly [unknown, number])[]): number {
  return columns.reduce((sum, [, stride]) => sum + stride, 0);
}
