/**
 * Saves, restores and hashes a set of characters with its crowd and its targets: everything that determines later
 * ticks, and the poses drawn until the next tick.
 *
 * Polygons below targets are written as refs, so the bytes do not depend on dense indices, and a set can be restored on
 * a saved and loaded copy of its mesh. Rows of slots without a character are written as zeros.
 *
 *   offset 0    8 bytes   "nkchars" and 0x1a
 *          8    u32       version, 3
 *         12    u32       length in units of 8 bytes
 *         16    u32       checksum: `hashWords` of the words 0 .. 3, then of the words 5 to the end
 *         20    u32       length of the saved crowd in units of 8 bytes
 *         24    8 bytes   0
 *         32    scalars; the columns of characters, for each slot that was ever used; the columns of targets
 *               (all f64); the bytes of `saveCrowd`
 *
 * Restoring first reads and checks everything in another set, so damaged bytes change nothing.
 *
 * In: a set between two ticks, or bytes. All values are little-endian.
 * Out: bytes, a hash, or the restored set with its crowd.
 * Cost: that of `saveCrowd`, and about 450 bytes per character.
 * Based on: own.
 */
import { adoptCrowd, decodeCrowd, hashCrowd, saveCrowd } from '../crowd/save/save.ts';
import { savedRefOf } from '../crowd/save/content.ts';
import { PLACE, getAllIn } from '../crowd/save/ranges.ts';
import {
  HEADER_BYTES,
  expectMore,
  failTape,
  get,
  getWhole,
  put,
  refFrom,
  reserve,
  shared,
  tapeOf,
} from '../crowd/save/tape.ts';
import type { Tape } from '../crowd/save/tape.ts';
import type { Crowd } from '../crowd/state/types.ts';
import { hashWords } from '../../base/data/hash.ts';
import { checkMutable, checkRecord, refuseType, showValue } from '../../base/data/refuse.ts';
import { polyIndexOf } from '../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { checkCharacters, checkTargets } from './check-saved.ts';
import { createCharacters, isCharacter } from './body/characters.ts';
import { createTargets, noTargets, reserveTargetRows } from './targets/targets.ts';
import type { CharacterSet } from './types/characters.ts';
import { TARGET_ROWS } from './types/targets.ts';
import type { Targets } from './types/targets.ts';

const MAGIC = 'nkchars\x1a';
const VERSION = 3;
/** The version whose refs are those of the mesh as it was. */
const MESH_REFS_VERSION = 2;
const CHECKSUM_WORD = 4;
const CROWD_WORD = 5;
/** The number of scalars before the columns, without the time since the last tick. */
const SCALAR_COUNT = 13;
/** `advanceCharacters` never keeps this many ticks of time or more. */
const MOST_TICKS_LEFT = 9;
/** Share of a tick by which rounding may bring the remaining time below 0. */
const LEAST_TIME = 1e-6;

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
  // The crowd is saved first, because both are written to the same tape.
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
 * Returns a hash (32 bits) of everything that determines later ticks of a set of characters, its crowd and its targets.
 * Equal worlds have equal hashes at equal ticks, at any frame rate.
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
 * The crowd must be on a mesh with the same content, and created with the same `maxAgents`, `stepSeconds` and filters,
 * as for `restoreCrowd`. Throws an Error for damaged bytes, for numbers that no character can have, and for another
 * mesh. Throws a RangeError for a crowd with other options, and a TypeError when `bytes` is not a Uint8Array. After an
 * error everything is unchanged.
 */
export function restoreCharacters(set: CharacterSet, bytes: Uint8Array): void {
  if (!(bytes instanceof Uint8Array)) refuseType('restoreCharacters', 'bytes', bytes, 'a Uint8Array of saveCharacters');
  checkRecord('restoreCharacters', 'set', set, 'smoothVelocity', 'a CharacterSet');
  checkMutable('restoreCharacters', 'set', set);
  const whole = checkBytes(bytes);
  const crowdFrom = whole.bytes.length - 8 * whole.words[CROWD_WORD];
  if (!(crowdFrom >= HEADER_BYTES)) failTape(whole, 'the length of the crowd', whole.words[CROWD_WORD], 'less');
  const crowd = decodeCrowd(set.crowd, whole.bytes.subarray(crowdFrom), whole.caller);
  const tape = tapeOf(whole.bytes.slice(0, crowdFrom).buffer, whole.caller);
  tape.hasMeshRefs = whole.words[2] === MESH_REFS_VERSION;
  const other = read(crowd, tape);
  adoptCrowd(set.crowd, crowd);
  adoptCharacters(set, other);
}

/** Moves the state of another set into `set`. The other set must not be used afterwards. */
function adoptCharacters(set: CharacterSet, from: CharacterSet): void {
  for (const [name] of CHARACTER_COLUMNS) set[name].set(from[name]);
  set.hasBounds = from.hasBounds;
  set.boundsRevision = from.boundsRevision;
  set.groundRevision = from.groundRevision;
  set.fallLimit = from.fallLimit;
  set.bounds.set(from.bounds);
  set.time.set(from.time);
  // Callers keep a reference to the record of `createTargets`.
  if (set.targets !== null && from.targets === null) Object.assign(set.targets, noTargets());
  else if (set.targets !== null) Object.assign(set.targets, from.targets);
  else set.targets = from.targets;
  set.events.count = 0;
}

function checksum(words: Uint32Array): number {
  return hashWords(words, CHECKSUM_WORD + 1, words.length, hashWords(words, 0, CHECKSUM_WORD, 0));
}

function checkBytes(bytes: Uint8Array): Tape {
  if (!(bytes instanceof Uint8Array)) {
    throw new TypeError(`restoreCharacters: bytes is ${showValue(bytes)}; must be a Uint8Array`);
  }
  const magic = String.fromCharCode(...bytes.subarray(0, 8));
  if (bytes.length < HEADER_BYTES || magic !== MAGIC) {
    const found = magic === 'nkcrowd\x1a' ? 'a crowd without characters' : `not saved characters`;
    throw new Error(`restoreCharacters: the ${bytes.length} bytes are ${found}; pass the result of saveCharacters`);
  }
  const length = bytes.length - (bytes.length % 8);
  const copy = new Uint8Array(length);
  copy.set(bytes.subarray(0, length));
  const tape = tapeOf(copy.buffer, 'restoreCharacters');
  if (tape.words[2] !== VERSION && tape.words[2] !== MESH_REFS_VERSION) {
    throw new Error(
      `restoreCharacters: the format version is ${tape.words[2]}; must be ${MESH_REFS_VERSION} or ${VERSION}; save the characters again`,
    );
  }
  if (tape.words[3] * 8 !== bytes.length) {
    throw new Error(
      `restoreCharacters: bytes.length is ${bytes.length}; must be ${tape.words[3] * 8}; ` +
        'pass all bytes of saveCharacters',
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
  if (knownColumns >= 0) return knownColumns;
  const text = [...CHARACTER_COLUMNS, ...TARGET_COLUMNS].join();
  const words = Uint32Array.from(text, (letter) => letter.charCodeAt(0));
  knownColumns = hashWords(words, 0, text.length, 0);
  return knownColumns;
}

let knownColumns = -1;

/** Writes everything but the header, the time since the last tick and the crowd to `shared`. */
function write(set: CharacterSet): void {
  const { crowd, targets } = set;
  const { mesh } = crowd;
  const { revision } = mesh;
  const { slotCount } = crowd;
  shared.at = HEADER_BYTES / 8;
  reserve(SCALAR_COUNT + columnTotal(CHARACTER_COLUMNS) * slotCount);
  put(columnsHash());
  put(slotCount);
  put(set.hasBounds ? 1 : 0);
  // The next tick has to notice a change of the mesh since the last tick.
  put(set.boundsRevision === revision ? 1 : 0);
  put(set.groundRevision === revision ? 1 : 0);
  put(set.fallLimit);
  for (let k = 0; k < 6; k++) put(set.bounds[k]);
  // A record that never had a target is equal to no record.
  put(targets === null ? 0 : targets.rowCount);
  for (const [name, stride] of CHARACTER_COLUMNS) {
    const array = set[name];
    for (let slot = 0; slot < slotCount; slot++) {
      const isUsed = isCharacter(set, slot);
      for (let i = slot * stride; i < (slot + 1) * stride; i++) put(isUsed ? array[i] : 0);
    }
  }
  if (targets === null || targets.rowCount === 0) return;
  reserve(2 + columnTotal(TARGET_COLUMNS) * targets.rowCount);
  put(targets.count);
  put(targets.revision === revision ? 1 : 0);
  for (const [name, stride] of TARGET_COLUMNS) {
    const array = targets[name];
    for (let i = 0; i < stride * targets.rowCount; i++) {
      const value = name === 'groundRef' ? savedRefOf(mesh, array[i]) : array[i];
      put(name === 'groundPoly' ? signOfGround(targets, mesh, i) : value);
    }
  }
}

/**
 * Returns 0 for a target with a polygon, and -1 when it has none. The polygon may have been removed since the last
 * tick.
 */
function signOfGround({ groundPoly, groundRef }: Targets, mesh: NavMesh, row: number): number {
  return groundPoly[row] >= 0 && polyIndexOf(mesh, groundRef[row] as PolyRef) >= 0 ? 0 : -1;
}

/** Reads a saved set into a new set, and checks it. */
function read(crowd: Crowd, tape: Tape): CharacterSet {
  const { mesh, slotCount } = crowd;
  const set = createCharacters(crowd);
  const revisionOf = (path: string): number => mesh.revision - (getWhole(tape, path, 0, 1) === 1 ? 0 : 1);
  get(tape);
  getWhole(tape, 'the number of slots', slotCount, slotCount);
  set.hasBounds = getWhole(tape, 'hasBounds', 0, 1) === 1;
  set.boundsRevision = revisionOf('boundsRevision');
  set.groundRevision = revisionOf('groundRevision');
  set.fallLimit = get(tape);
  if (!(set.fallLimit >= 0)) failTape(tape, 'fallLimit', set.fallLimit, '>= 0');
  getAllIn(set.bounds, tape, 'bounds', PLACE);
  const rowCount = getWhole(tape, 'targets.rowCount', 0, TARGET_ROWS);
  expectMore(tape, columnTotal(CHARACTER_COLUMNS) * slotCount, 'the number of slots');
  for (const [name, stride] of CHARACTER_COLUMNS) readColumn(set[name], tape, stride * slotCount, name);
  if (rowCount > 0) readTargets(createTargets(set), mesh, tape, rowCount);
  set.time[0] = get(tape);
  if (!(set.time[0] >= -LEAST_TIME * crowd.stepSeconds && set.time[0] < MOST_TICKS_LEFT * crowd.stepSeconds)) {
    failTape(tape, 'time[0]', set.time[0], `at least 0, less than ${MOST_TICKS_LEFT} ticks`);
  }
  if (tape.at !== tape.numbers.length) failTape(tape, 'the end', tape.at, `at ${tape.numbers.length}`);
  checkCharacters(set, tape);
  return set;
}

/** Reads a column. Throws an Error for numbers that its array cannot store. */
function readColumn(
  array: CharacterSet[ColumnOf<CharacterSet>] | Targets[ColumnOf<Targets>],
  tape: Tape,
  count: number,
  name: string,
): void {
  for (let i = 0; i < count; i++) {
    const value = get(tape);
    array[i] = value;
    if (array[i] !== value) failTape(tape, `${name}[${i}]`, value, 'a number that its column can store');
  }
}

function readTargets(targets: Targets, mesh: NavMesh, tape: Tape, rowCount: number): void {
  expectMore(tape, 2 + columnTotal(TARGET_COLUMNS) * rowCount, 'targets.rowCount');
  reserveTargetRows(targets, rowCount);
  targets.rowCount = rowCount;
  targets.count = getWhole(tape, 'targets.count', 0, rowCount);
  targets.revision = mesh.revision - (getWhole(tape, 'targets.revision', 0, 1) === 1 ? 0 : 1);
  for (const [name, stride] of TARGET_COLUMNS) readColumn(targets[name], tape, stride * rowCount, `targets.${name}`);
  for (let row = 0; row < rowCount; row++) {
    targets.groundRef[row] = refFrom(tape, mesh, targets.groundRef[row]);
    if (targets.groundPoly[row] >= 0) targets.groundPoly[row] = polyIndexOf(mesh, targets.groundRef[row] as PolyRef);
  }
  checkTargets(targets, tape);
}

function columnTotal(columns: readonly (readonly [unknown, number])[]): number {
  return columns.reduce((sum, [, stride]) => sum + stride, 0);
}
