/**
 * Saves, restores and hashes crowds: everything that determines later ticks, and nothing else.
 *
 * Polygons are written as refs to content (content.ts), and crossings relative to their polygon. So the bytes do not depend on
 * dense indices and on how often tiles were rebuilt, and a crowd can be restored on any mesh with the same content. Searches in progress are saved as their start and
 * their progress; restoring repeats them. Previous positions are included; events, and columns that every tick
 * rebuilds, are not. Filters are not saved: the filters of the restored crowd must have the same effect as those of the
 * saved crowd.
 *
 *   offset 0    8 bytes   "nkcrowd" and 0x1a
 *          8    u32       version, 7
 *         12    u32       length in units of 8 bytes
 *         16    u32       checksum: `hashWords` of the words 0 .. 3, then of the words 5 to the end
 *         20    u32       hash of the links of the mesh
 *         24    u32       behaviors: a bit for each of `BEHAVIORS`; then 4 bytes of 0
 *         32    scalars (f64, in the order of `writeScalars`); link traffic; agents (the columns of layout.ts,
 *               for each slot that was ever used, padded with zeros to a multiple of 8); refs of their
 *               polygons; narrow portals; the queue; the search; the fields; the patrols; the corridors; after a
 *               change of the mesh that no tick has followed, the polygons that it touches; hashes of the tiles of
 *               the mesh by rank (u32, padded to a multiple of 8), and their number
 *
 * Restoring first reads and checks everything in another crowd (read.ts, check.ts), so damaged bytes never change the
 * crowd.
 *
 * In: a crowd between two ticks, or bytes. All values are little-endian.
 * Out: bytes, a hash, or the restored crowd.
 * Cost: linear: about 1 KB per agent and 24 bytes per polygon of its corridor.
 * Based on: own.
 */
import { hashWords } from '../../../base/data/hash.ts';
import { refuseType, showValue } from '../../../base/data/refuse.ts';
import { linkQueues } from '../links/link-queue.ts';
import { groups } from '../orders/group-pace.ts';
import { patrols } from '../orders/patrol-step.ts';
import { pursuit } from '../search/pursue.ts';
import { AGENT_LAYOUT } from '../state/layout.ts';
import { syncCorridorStart } from '../state/position.ts';
import { STATE_FREE } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { IN_STEP, NEARLY_IN_STEP, OUT_OF_STEP, writeCorridor } from './corridor.ts';
import { contentHashesOf, nameOfTile, savedLinkOf, savedRefOf } from './content.ts';
import { fingerprintOf, layoutHash } from './fingerprint.ts';
import { meshChanges } from '../follow-mesh.ts';
import { writeNarrow } from './narrow.ts';
import { writePatrols } from './patrols.ts';
import { POLY_ARRAYS, SCALAR_COUNT, readCrowd } from './read.ts';
import { writeFields, writeSearch, writeUnreachable } from './search.ts';
import { HEADER_BYTES, failTape, put, putAll, refOrNone, reserve, shared, tapeOf } from './tape.ts';
import type { Tape } from './tape.ts';
import { changesOf, pendingChanges, takePending } from '../touched.ts';
import { addBehavior } from '../state/behaviors.ts';
import { checkCrowd, checkMutableCrowd } from '../state/check-crowd.ts';

const MAGIC = 'nkcrowd\x1a';
const VERSION = 7;
/** The version of files of 0.1.0: with refs of the mesh as they were, and a fingerprint in place of hashes. */
const MESH_REFS_VERSION = 6;
const CHECKSUM_WORD = 4;
const LINKS_WORD = 5;
const BEHAVIORS_WORD = 6;
/** Behaviors that a crowd is created with, and a field of each. `sampling` and `spacing` are checked by agent. */
const BEHAVIORS = [
  ['traffic', 'keepPlace'],
  ['lanes', 'keepLanes'],
  ['passages', 'takeTurns'],
  ['links', 'useLinks'],
  ['goalFields', 'chooseField'],
  ['shortcuts', 'shortenPath'],
  ['repairs', 'repairPath'],
  ['sleeping', 'markSleepers'],
  ['throttling', 'skipAtEase'],
  ['detours', 'takeDetour'],
] as const;

function expectLittleEndian(caller: string): void {
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1) {
    throw new Error(`${caller}: this machine is big-endian; saved crowds need a little-endian one`);
  }
}

/**
 * Returns the state of a crowd as bytes. `restoreCrowd` continues from them exactly as the crowd itself would
 * have continued, searches in progress included. Call it between ticks.
 */
export function saveCrowd(crowd: Crowd): Uint8Array {
  checkCrowd('saveCrowd', crowd);
  expectLittleEndian('saveCrowd');
  write(crowd);
  const { links, tiles } = contentHashesOf(crowd.mesh);
  const tileNumbers = Math.ceil(tiles.length / 2);
  reserve(tileNumbers + 1);
  shared.numbers[shared.at + tileNumbers - 1] = 0;
  shared.words.set(tiles, 2 * shared.at);
  shared.at += tileNumbers;
  put(tiles.length);
  const out = shared.bytes.slice(0, 8 * shared.at);
  const words = new Uint32Array(out.buffer);
  for (let i = 0; i < 8; i++) out[i] = MAGIC.charCodeAt(i);
  words[2] = VERSION;
  words[3] = out.length / 8;
  words[LINKS_WORD] = links;
  words[BEHAVIORS_WORD] = behaviorsOf(crowd);
  words[CHECKSUM_WORD] = checksum(words);
  return out;
}

/**
 * Returns a hash (32 bits) of everything that determines later ticks of a crowd. Crowds with equal states have equal
 * hashes.
 */
export function hashCrowd(crowd: Crowd): number {
  checkCrowd('hashCrowd', crowd);
  write(crowd);
  return hashWords(shared.words, HEADER_BYTES / 4, 2 * shared.at, 0);
}

/** Returns a bit for each of `BEHAVIORS` that a crowd has. */
function behaviorsOf({ behaviors }: Crowd): number {
  return BEHAVIORS.reduce((bits, [, field], i) => bits + (behaviors[field] === undefined ? 0 : 1 << i), 0);
}

function checksum(words: Uint32Array): number {
  return hashWords(words, CHECKSUM_WORD + 1, words.length, hashWords(words, 0, CHECKSUM_WORD, 0));
}

/**
 * Restores the state that `saveCrowd` returned.
 *
 * The crowd must be on a mesh with the same content (tiles, areas, flags, and links in the same order), however often its
 * tiles were rebuilt, and created with the same
 * `maxAgents`, `stepSeconds`, filters and behaviors. The bytes do not contain a path index. The crowd keeps its own index, and
 * continues exactly as the saved crowd only with the same index. Throws an Error for damaged bytes, for numbers that no
 * crowd can have, and for another mesh. Throws a RangeError for a crowd with other options, and a TypeError when
 * `bytes` is not a Uint8Array. After an error the crowd is unchanged.
 */
export function restoreCrowd(crowd: Crowd, bytes: Uint8Array): void {
  if (!(bytes instanceof Uint8Array)) refuseType('restoreCrowd', 'bytes', bytes, 'a Uint8Array of saveCrowd');
  checkMutableCrowd('restoreCrowd', crowd);
  adoptCrowd(crowd, decodeCrowd(crowd, bytes, 'restoreCrowd'));
}

/**
 * Returns the crowd that the bytes describe, on the mesh and with the options of `crowd`, which does not change. Throws
 * the errors of `restoreCrowd`, in the name of `caller`. @internal
 */
export function decodeCrowd(crowd: Crowd, bytes: Uint8Array, caller: string): Crowd {
  expectLittleEndian(caller);
  return readCrowd(crowd, checkBytes(crowd, bytes, caller));
}

/**
 * Moves the state of another crowd on the same mesh into `crowd`. The other crowd must not be used afterwards.
 * @internal
 */
export function adoptCrowd(crowd: Crowd, from: Crowd): void {
  crowd.tick = from.tick;
  crowd.time.set(from.time);
  crowd.slotCount = from.slotCount;
  crowd.agentCount = from.agentCount;
  crowd.freeSlot = from.freeSlot;
  crowd.searchBudget = from.searchBudget;
  crowd.passingSide = from.passingSide;
  crowd.searchCount = from.searchCount;
  crowd.meshRevision = from.meshRevision;
  crowd.linkTraffic = from.linkTraffic;
  takePending(crowd, pendingChanges.get(from));
  for (const [name] of AGENT_LAYOUT) crowd.agents[name].set(from.agents[name]);
  crowd.corridors = from.corridors;
  crowd.patrols = from.patrols;
  // The next tick finds out whether there are groups.
  crowd.hasGroups = true;
  crowd.sampledParams = from.sampledParams;
  for (const behavior of [groups, patrols, pursuit, linkQueues, meshChanges]) addBehavior(crowd, behavior);
  Object.assign(crowd.searches, from.searches);
  crowd.previousHeading.set(from.agents.heading);
  crowd.events.count = 0;
  crowd.activeCount = 0;
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (crowd.agents.state[slot] !== STATE_FREE) crowd.active[crowd.activeCount++] = slot;
  }
}

function checkBytes(crowd: Crowd, bytes: Uint8Array, caller: string): Tape {
  if (!(bytes instanceof Uint8Array))
    throw new TypeError(`${caller}: bytes is ${showValue(bytes)}; must be a Uint8Array`);
  if (bytes.length < HEADER_BYTES + 8 * SCALAR_COUNT || String.fromCharCode(...bytes.subarray(0, 8)) !== MAGIC) {
    throw new Error(`${caller}: the ${bytes.length} bytes are not a saved crowd; pass the result of saveCrowd`);
  }
  const length = bytes.length - (bytes.length % 8);
  const copy = new Uint8Array(length);
  copy.set(bytes.subarray(0, length));
  const tape = tapeOf(copy.buffer, caller);
  const version = tape.words[2];
  if (version !== VERSION && version !== MESH_REFS_VERSION) {
    throw new Error(
      `${caller}: the format version is ${version}; must be ${MESH_REFS_VERSION} or ${VERSION}; save the crowd again`,
    );
  }
  if (tape.words[3] * 8 !== bytes.length) {
    const whole = tape.words[3] * 8;
    throw new Error(`${caller}: bytes.length is ${bytes.length}; must be ${whole}; pass all bytes of saveCrowd`);
  }
  if (checksum(tape.words) !== tape.words[CHECKSUM_WORD]) {
    throw new Error(`${caller}: the checksum does not match; the bytes are damaged`);
  }
  checkBehaviors(crowd, tape);
  if (version === VERSION) return checkContent(crowd.mesh, tape);
  tape.hasMeshRefs = true;
  if (tape.words[LINKS_WORD] !== fingerprintOf(crowd.mesh)) {
    throw new Error(
      `${caller}: the crowd was saved on a mesh with other tiles, areas, flags or links; must be the same mesh`,
    );
  }
  return tape;
}

/** Compares the hashes at the end of a tape with those of a mesh. Returns the tape without them. */
function checkContent(mesh: NavMesh, tape: Tape): Tape {
  const { caller, numbers, words } = tape;
  const { links, tiles } = contentHashesOf(mesh);
  const end = numbers.length - 1;
  const count = numbers[end];
  const from = end - Math.ceil(count / 2);
  if (!(Number.isInteger(count) && count >= 0 && from >= HEADER_BYTES / 8 + SCALAR_COUNT))
    failTape(tape, 'the number of tiles', count, 'a count of hashes before it');
  const differs = tiles.findIndex((hash, rank) => rank >= count || hash !== words[2 * from + rank]);
  const rank = differs < 0 ? tiles.length - 1 : differs;
  let fault = '';
  if (tiles.length !== count)
    fault = `the mesh has ${tiles.length} tiles, the saved one ${count}, and they differ ${differs < 0 ? 'after' : 'at'} ${nameOfTile(mesh, rank)}`;
  else if (differs >= 0) fault = `polygons, areas or flags differ in ${nameOfTile(mesh, rank)}`;
  else if (links !== words[LINKS_WORD]) fault = 'links differ, or were added in another order';
  if (fault !== '') throw new Error(`${caller}: ${fault}; must be as in the mesh that the crowd was saved on`);
  return tapeOf(tape.bytes.slice(0, 8 * from).buffer as ArrayBuffer, caller);
}

function checkBehaviors(crowd: Crowd, { words, caller }: Tape): void {
  const differing = words[BEHAVIORS_WORD] ^ behaviorsOf(crowd);
  const names = BEHAVIORS.filter((_, i) => (differing & (1 << i)) !== 0).map(([name]) => name);
  if (names.length > 0)
    throw new Error(
      `${caller}: the crowd was saved with other behaviors (${names.join(', ')}); must be those of the crowd`,
    );
}

function writeScalars(crowd: Crowd): void {
  const { searches } = crowd;
  put(layoutHash());
  put(crowd.maxAgents);
  put(crowd.stepSeconds);
  put(crowd.filters.length);
  put(crowd.tick);
  put(crowd.time[0]);
  put(crowd.slotCount);
  put(crowd.agentCount);
  put(crowd.freeSlot);
  put(crowd.searchBudget);
  put(crowd.passingSide);
  put(crowd.searchCount);
  put(stepOf(crowd));
  put(crowd.linkTraffic.length);
  put(searches.queueCount);
  put(searches.askedCount);
  put(searches.fields.length);
}

/** Returns whether a crowd has followed its mesh: one of `OUT_OF_STEP`, `IN_STEP`, `NEARLY_IN_STEP`. */
function stepOf(crowd: Crowd): number {
  if (crowd.meshRevision === crowd.mesh.revision) return IN_STEP;
  return changesOf(crowd) === undefined ? OUT_OF_STEP : NEARLY_IN_STEP;
}

/** Writes everything after the header to `shared`. */
function write(crowd: Crowd): void {
  const { mesh, agents, searches, slotCount } = crowd;
  shared.at = HEADER_BYTES / 8;
  reserve(SCALAR_COUNT + 3 * crowd.linkTraffic.length);
  writeScalars(crowd);
  for (const { ref, capacity, seconds } of crowd.linkTraffic) {
    put(savedLinkOf(mesh, ref));
    put(capacity);
    put(seconds);
  }
  const step = stepOf(crowd);
  const isInStep = step !== OUT_OF_STEP;
  for (const [name, , stride] of AGENT_LAYOUT) {
    const array = agents[name];
    const count = slotCount * stride;
    const size = Math.ceil((count * array.BYTES_PER_ELEMENT) / 8);
    reserve(size);
    if (name === 'polyRef' || name === 'goalRef' || name === 'linkRef') {
      const saved = name === 'linkRef' ? savedLinkOf : savedRefOf;
      for (let slot = 0; slot < slotCount; slot++) put(saved(mesh, agents[name][slot]));
      continue;
    }
    if (array instanceof Float64Array) {
      putAll(array, 0, count);
      continue;
    }
    shared.numbers.fill(0, shared.at, shared.at + size);
    const { at, ints, halves, bytes } = shared;
    if (array instanceof Int32Array) {
      for (let i = 0; i < count; i++) ints[2 * at + i] = array[i];
      // Dense indices are written as refs, below. In free slots these columns contain other numbers.
      const isDense = isInStep && (name === 'poly' || name === 'goalPoly' || name === 'wallPoly');
      if (name === 'narrow') ints.fill(0, 2 * at, 2 * at + count);
      for (let i = 0; isDense && i < count; i++) if (agents.state[i] !== STATE_FREE) ints[2 * at + i] = 0;
    } else if (array instanceof Uint16Array) {
      for (let i = 0; i < count; i++) halves[4 * at + i] = array[i];
    } else {
      for (let i = 0; i < count; i++) bytes[8 * at + i] = array[i];
    }
    shared.at += size;
  }
  reserve(POLY_ARRAYS.length * slotCount);
  for (const name of POLY_ARRAYS) {
    for (let slot = 0; slot < slotCount; slot++) {
      const poly = agents[name][slot];
      put(isInStep && agents.state[slot] !== STATE_FREE ? refOrNone(mesh, poly) : -1);
    }
  }
  writeNarrow(crowd, isInStep);
  reserve(searches.queueCount + slotCount);
  for (let i = 0; i < searches.queueCount; i++) put(searches.queue[i]);
  for (let slot = 0; slot < slotCount; slot++) put(searches.turn[slot]);
  writeSearch(crowd);
  writeUnreachable(crowd);
  writeFields(crowd);
  writePatrols(crowd);
  for (let slot = 0; slot < slotCount; slot++) {
    syncCorridorStart(crowd, slot);
    writeCorridor(crowd.corridors[slot], mesh, isInStep ? crowd.meshRevision : mesh.revision);
  }
  if (step === NEARLY_IN_STEP) writeChanges(crowd);
}

/** Writes the polygons that have changed since the last tick. */
function writeChanges(crowd: Crowd): void {
  const polys = changesOf(crowd)!;
  reserve(1 + polys.length);
  put(polys.length);
  for (const poly of polys) put(refOrNone(crowd.mesh, poly));
}
