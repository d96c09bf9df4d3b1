/**
 * A crowd to bytes and back, and its hash: all that decides what happens next, and nothing else.
 *
 * Polygons are written as refs and crossings by their place in their polygon's lists, so that the bytes are the same whatever
 * numbers the mesh has for them: a crowd can be restored on its mesh saved and loaded anew. Of searches under way only where they
 * began and how far they have come is written; restoring does them again, so a crowd goes on from its bytes exactly as it would
 * have without. Positions between ticks (`previous`) are in it, events and what is made anew each tick are not. Filters stay
 * the user's: those of the crowd that is restored must do what those of the saved one did.
 *
 *   offset 0    8 bytes   "nkcrowd" and 0x1a
 *          8    u32       version, 1
 *         12    u32       length in units of 8 bytes
 *         16    u32       checksum: `hashWords` of the words 0 .. 3, then of the words 5 to the end
 *         20    u32       fingerprint of the mesh
 *         24    scalars (f64, in the order of `writeScalars`), link traffic, agents (the arrays of layout.ts, each slot that was
 *               ever used, padded with zeros to the next multiple of 8), refs of their polygons, the queue, the search, the
 *               fields, the corridors
 *
 * Little-endian. Cost: linear; about 0.9 KB and 1 µs an agent.
 *
 * Based on: own.
 */
import { hashWords } from '../data/hash.ts';
import { isLinkCrossing, portalCrossing, portalOf } from '../navmesh/crossing.ts';
import { polyIndexOf, refOf } from '../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../navmesh/types.ts';
import { beginCorridor, runCorridor } from '../query/a-star.ts';
import type { CorridorOutcome } from '../query/a-star.ts';
import { createPathCorridor } from './corridor.ts';
import { reserveCorridor } from './corridor-splice.ts';
import type { PathCorridor } from './corridor.ts';
import { beginField, createGoalField, isFieldOf, runField } from './goal-field.ts';
import { AGENT_LAYOUT } from './layout.ts';
import { BARRED_COUNT, FIELD_TICKS, SEARCH_CORRIDOR } from './search-record.ts';
import { STATE_FREE } from './types.ts';
import type { Crowd } from './types.ts';

const MAGIC = 'nkcrowd\x1a';
const VERSION = 1;
const HEADER_BYTES = 24;
const CHECKSUM_WORD = 4;
const SCALAR_COUNT = 17;
const OUTCOMES: readonly CorridorOutcome[] = ['complete', 'unreachable', 'budget'];
/** Arrays of dense indices: refs of these polygons are written beside them. */
const POLY_ARRAYS = ['poly', 'goalPoly', 'wallPoly'] as const;

/** What is being written or read: one buffer, seen as bytes, words and numbers; `at` counts numbers of 8 bytes. */
interface Tape {
  at: number;
  bytes: Uint8Array;
  words: Uint32Array;
  numbers: Float64Array;
  ints: Int32Array;
  halves: Uint16Array;
}

function tapeOf(buffer: ArrayBuffer): Tape {
  return {
    at: HEADER_BYTES / 8, bytes: new Uint8Array(buffer), words: new Uint32Array(buffer), numbers: new Float64Array(buffer),
    ints: new Int32Array(buffer), halves: new Uint16Array(buffer),
  };
}

/** Grows with the largest crowd that was written. */
let shared = tapeOf(new ArrayBuffer(1024));

/** Room for so many numbers more. */
function reserve(count: number): void {
  if (shared.numbers.length >= shared.at + count) return;
  const larger = tapeOf(new ArrayBuffer(8 * Math.max(shared.at + count, 2 * shared.numbers.length)));
  larger.bytes.set(shared.bytes);
  larger.at = shared.at;
  shared = larger;
}

function put(value: number): void {
  shared.numbers[shared.at] = value;
  // One NaN of all: engines choose others.
  if (value !== value) {
    shared.words[2 * shared.at] = 0;
    shared.words[2 * shared.at + 1] = 0x7ff80000;
  }
  shared.at++;
}

function putAll(values: Float64Array, from: number, to: number): void {
  for (let i = from; i < to; i++) put(values[i]);
}

function expectLittleEndian(caller: string): void {
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1) {
    throw new Error(`${caller}: this machine is big-endian; saved crowds are little-endian. Use another one`);
  }
}

/** The crowd as it is between two ticks. */
export function saveCrowd(crowd: Crowd): Uint8Array {
  expectLittleEndian('saveCrowd');
  write(crowd);
  const out = shared.bytes.slice(0, 8 * shared.at);
  const words = new Uint32Array(out.buffer);
  for (let i = 0; i < 8; i++) out[i] = MAGIC.charCodeAt(i);
  words[2] = VERSION;
  words[3] = out.length / 8;
  words[5] = fingerprintOf(crowd.mesh);
  words[CHECKSUM_WORD] = checksum(words);
  return out;
}

/** 32 bits over all that decides what happens next. Two crowds that do the same have the same; allocates nothing once grown. */
export function hashCrowd(crowd: Crowd): number {
  write(crowd);
  return hashWords(shared.words, HEADER_BYTES / 4, 2 * shared.at, 0);
}

function checksum(words: Uint32Array): number {
  return hashWords(words, CHECKSUM_WORD + 1, words.length, hashWords(words, 0, CHECKSUM_WORD, 0));
}

/**
 * Makes a crowd what it was when it was saved. It must be on a mesh of the same content (tiles, areas, flags, links), and made with
 * the same `maxAgents`, `stepSeconds` and filters. Throws an Error for damaged bytes and another mesh, a RangeError for another
 * crowd; it is as it was then.
 */
export function restoreCrowd(crowd: Crowd, bytes: Uint8Array): void {
  expectLittleEndian('restoreCrowd');
  const tape = checkBytes(crowd, bytes);
  const { mesh, searches } = crowd;
  const scalars = readScalars(crowd, tape);
  const { slotCount } = scalars;
  readTraffic(crowd, tape, scalars.trafficCount);
  readAgents(crowd, tape, slotCount, scalars.isInStep === 1);
  searches.queueCount = scalars.queueCount;
  searches.askedCount = scalars.askedCount;
  searches.landed.tick = -1;
  for (let i = 0; i < scalars.queueCount; i++) searches.queue[i] = get(tape);
  searches.turn.fill(0);
  for (let slot = 0; slot < slotCount; slot++) searches.turn[slot] = get(tape);
  readSearch(crowd, tape);
  readBarred(crowd, tape);
  readFields(crowd, tape, scalars.fieldCount);
  for (let slot = 0; slot < slotCount; slot++) {
    crowd.corridors[slot] ??= createPathCorridor();
    readCorridor(crowd.corridors[slot], mesh, tape);
  }
  crowd.corridors.length = slotCount;
  crowd.events.count = 0;
  crowd.activeCount = 0;
  for (let slot = 0; slot < slotCount; slot++) {
    if (crowd.agents.state[slot] !== STATE_FREE) crowd.active[crowd.activeCount++] = slot;
  }
}

function get(tape: Tape): number {
  return tape.numbers[tape.at++];
}

function getAll(out: Float64Array, tape: Tape): void {
  for (let i = 0; i < out.length; i++) out[i] = get(tape);
}

function checkBytes(crowd: Crowd, bytes: Uint8Array): Tape {
  if (bytes.length < HEADER_BYTES + 8 * SCALAR_COUNT || String.fromCharCode(...bytes.subarray(0, 8)) !== MAGIC) {
    throw new Error(`restoreCrowd: these ${bytes.length} bytes are no saved crowd; give what saveCrowd returned`);
  }
  const length = bytes.length - (bytes.length % 8);
  const copy = new Uint8Array(length);
  copy.set(bytes.subarray(0, length));
  const tape = tapeOf(copy.buffer);
  if (tape.words[2] !== VERSION) {
    throw new Error(`restoreCrowd: the crowd was saved as version ${tape.words[2]}, not ${VERSION}; save it anew`);
  }
  if (tape.words[3] * 8 !== bytes.length) {
    throw new Error(`restoreCrowd: there are ${bytes.length} bytes, not ${tape.words[3] * 8}; give all that saveCrowd returned`);
  }
  if (checksum(tape.words) !== tape.words[CHECKSUM_WORD]) {
    throw new Error('restoreCrowd: wrong checksum; the bytes are damaged. Give them as saveCrowd returned them');
  }
  if (tape.words[5] !== fingerprintOf(crowd.mesh)) {
    throw new Error('restoreCrowd: it was saved on a mesh with other tiles, areas, flags or links; restore it on the same one');
  }
  return tape;
}

/** In the order of the file. */
interface Scalars {
  slotCount: number;
  trafficCount: number;
  queueCount: number;
  askedCount: number;
  fieldCount: number;
  isInStep: number;
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
  put(crowd.meshRevision === crowd.mesh.revision ? 1 : 0);
  put(crowd.linkTraffic.length);
  put(searches.queueCount);
  put(searches.askedCount);
  put(searches.fields.length);
}

function readScalars(crowd: Crowd, tape: Tape): Scalars {
  const same = (name: string, value: number, wanted: number): void => {
    if (value === wanted) return;
    throw new RangeError(`restoreCrowd: ${name} is ${wanted}, and was ${value} when it was saved; restore it into a crowd made alike`);
  };
  if (get(tape) !== layoutHash()) throw new Error('restoreCrowd: it was saved by another version of navkiln; save it anew');
  same('maxAgents', get(tape), crowd.maxAgents);
  same('stepSeconds', get(tape), crowd.stepSeconds);
  same('the number of filters', get(tape), crowd.filters.length);
  crowd.tick = get(tape);
  crowd.time[0] = get(tape);
  crowd.slotCount = get(tape);
  crowd.agentCount = get(tape);
  crowd.freeSlot = get(tape);
  crowd.searchBudget = get(tape);
  crowd.passingSide = get(tape);
  crowd.searchCount = get(tape);
  const isInStep = get(tape);
  crowd.meshRevision = crowd.mesh.revision - (isInStep === 1 ? 0 : 1);
  const [trafficCount, queueCount, askedCount, fieldCount] = [get(tape), get(tape), get(tape), get(tape)];
  return { slotCount: crowd.slotCount, trafficCount, queueCount, askedCount, fieldCount, isInStep };
}

/** All after the header, into `shared`. */
function write(crowd: Crowd): void {
  const { mesh, agents, searches, slotCount } = crowd;
  shared.at = HEADER_BYTES / 8;
  reserve(SCALAR_COUNT + 3 * crowd.linkTraffic.length);
  writeScalars(crowd);
  for (const { ref, capacity, seconds } of crowd.linkTraffic) {
    put(ref);
    put(capacity);
    put(seconds);
  }
  const isInStep = crowd.meshRevision === mesh.revision;
  for (const [name, , stride] of AGENT_LAYOUT) {
    const array = agents[name];
    const count = slotCount * stride;
    const size = Math.ceil(count * array.BYTES_PER_ELEMENT / 8);
    reserve(size);
    if (array instanceof Float64Array) {
      putAll(array, 0, count);
      continue;
    }
    shared.numbers.fill(0, shared.at, shared.at + size);
    if (array instanceof Int32Array) {
      // What the mesh numbers is written as refs instead; in a free slot it is something else.
      const isDense = isInStep && (name === 'poly' || name === 'goalPoly' || name === 'wallPoly');
      for (let i = 0; i < count; i++) {
        shared.ints[2 * shared.at + i] = isDense && agents.state[i] !== STATE_FREE ? 0 : array[i];
      }
    } else if (array instanceof Uint16Array) {
      for (let i = 0; i < count; i++) shared.halves[4 * shared.at + i] = array[i];
    } else {
      for (let i = 0; i < count; i++) shared.bytes[8 * shared.at + i] = array[i];
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
  reserve(searches.queueCount + slotCount);
  for (let i = 0; i < searches.queueCount; i++) put(searches.queue[i]);
  for (let slot = 0; slot < slotCount; slot++) put(searches.turn[slot]);
  writeSearch(crowd);
  writeBarred(crowd);
  writeFields(crowd);
  for (let slot = 0; slot < slotCount; slot++) writeCorridor(crowd.corridors[slot], mesh);
}

/** -1 for what is no polygon, or was one of a tile that has gone. */
function refOrNone(mesh: NavMesh, poly: number): number {
  if (poly < 0 || poly >= mesh.polyCount) return -1;
  const ref = refOf(mesh, poly);
  return polyIndexOf(mesh, ref) === poly ? ref : -1;
}

function indexOrNone(mesh: NavMesh, ref: number): number {
  return ref < 0 ? -1 : polyIndexOf(mesh, ref as PolyRef);
}

function readTraffic(crowd: Crowd, tape: Tape, count: number): void {
  crowd.linkTraffic.length = 0;
  for (let i = 0; i < count; i++) {
    crowd.linkTraffic.push({ ref: get(tape), capacity: get(tape), seconds: get(tape) });
  }
}

function readAgents(crowd: Crowd, tape: Tape, slotCount: number, isInStep: boolean): void {
  const { agents, mesh } = crowd;
  for (const [name, , stride] of AGENT_LAYOUT) {
    const array = agents[name];
    const count = slotCount * stride;
    if (array instanceof Float64Array) for (let i = 0; i < count; i++) array[i] = tape.numbers[tape.at + i];
    else if (array instanceof Int32Array) for (let i = 0; i < count; i++) array[i] = tape.ints[2 * tape.at + i];
    else if (array instanceof Uint16Array) for (let i = 0; i < count; i++) array[i] = tape.halves[4 * tape.at + i];
    else for (let i = 0; i < count; i++) array[i] = tape.bytes[8 * tape.at + i];
    array.fill(0, count);
    tape.at += Math.ceil(count * array.BYTES_PER_ELEMENT / 8);
  }
  for (const name of POLY_ARRAYS) {
    for (let slot = 0; slot < slotCount; slot++) {
      const ref = get(tape);
      if (isInStep && agents.state[slot] !== STATE_FREE) agents[name][slot] = indexOrNone(mesh, ref);
    }
  }
}

function writeSearch(crowd: Crowd): void {
  const { mesh, searches } = crowd;
  const { current, state } = searches;
  const isLive = current.slot >= 0 && current.revision === mesh.revision;
  reserve(17);
  put(current.slot);
  put(current.kind);
  put(current.field);
  put(current.filter);
  put(isLive ? 1 : 0);
  put(isLive ? refOrNone(mesh, current.startPoly) : -1);
  put(isLive ? refOrNone(mesh, current.goalPoly) : -1);
  putAll(current.start, 0, 3);
  putAll(current.wanted, 0, 3);
  putAll(current.goal, 0, 3);
  put(current.detour + 4 * current.restarts);
  put(isLive && current.kind === SEARCH_CORRIDOR ? state.expandedCount : 0);
}

function readSearch(crowd: Crowd, tape: Tape): void {
  const { mesh, searches } = crowd;
  const { current, state } = searches;
  current.slot = get(tape);
  current.kind = get(tape);
  current.field = get(tape);
  current.filter = get(tape);
  const isLive = get(tape) === 1;
  current.revision = mesh.revision - (isLive ? 0 : 1);
  current.startPoly = indexOrNone(mesh, get(tape));
  current.goalPoly = indexOrNone(mesh, get(tape));
  getAll(current.start, tape);
  getAll(current.wanted, tape);
  getAll(current.goal, tape);
  const packed = get(tape);
  current.detour = packed & 3;
  current.restarts = packed >> 2;
  const expandedCount = get(tape);
  if (!isLive || current.kind !== SEARCH_CORRIDOR) return;
  const filter = crowd.filters[current.filter];
  beginCorridor(state, mesh, filter, current.startPoly, current.start, current.goalPoly, current.goal);
  runCorridor(state, mesh, filter, Infinity, expandedCount);
}

function writeBarred(crowd: Crowd): void {
  const { mesh, searches } = crowd;
  reserve(1 + 3 * BARRED_COUNT);
  put(searches.nextBarred);
  for (const { revision, filter, goalPoly, poly } of searches.barred) {
    const isLive = revision === mesh.revision;
    put(isLive ? filter : -1);
    put(isLive ? refOrNone(mesh, goalPoly) : -1);
    put(isLive ? refOrNone(mesh, poly) : -1);
  }
}

function readBarred(crowd: Crowd, tape: Tape): void {
  const { mesh, searches } = crowd;
  searches.nextBarred = get(tape);
  for (const one of searches.barred) {
    one.filter = get(tape);
    one.goalPoly = indexOrNone(mesh, get(tape));
    one.poly = indexOrNone(mesh, get(tape));
    one.revision = one.filter < 0 ? -1 : mesh.revision;
  }
}

function writeFields(crowd: Crowd): void {
  const { mesh, searches, filters, tick } = crowd;
  const { fields, fieldBegun, fieldUsed } = searches;
  reserve(8 * fields.length);
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i];
    let filter = -1;
    if (field.goalPoly >= 0 && tick - fieldUsed[i] <= FIELD_TICKS) {
      for (let k = filters.length - 1; k >= 0; k--) if (isFieldOf(field, mesh, filters[k], field.goalPoly)) filter = k;
    }
    put(fieldBegun[i]);
    put(fieldUsed[i]);
    put(filter);
    put(filter < 0 ? -1 : refOrNone(mesh, field.goalPoly));
    for (let k = 0; k < 3; k++) put(filter < 0 ? 0 : field.goal[k]);
    put(filter < 0 ? 0 : field.expandedCount);
  }
}

function readFields(crowd: Crowd, tape: Tape, count: number): void {
  const { mesh, searches } = crowd;
  const { fields, fieldBegun, fieldUsed } = searches;
  while (fields.length < count) fields.push(createGoalField());
  fields.length = count;
  for (let i = 0; i < count; i++) {
    const field = fields[i];
    fieldBegun[i] = get(tape);
    fieldUsed[i] = get(tape);
    const filter = get(tape);
    const goalPoly = indexOrNone(mesh, get(tape));
    getAll(goal, tape);
    const expandedCount = get(tape);
    field.goalPoly = -1;
    if (filter < 0) continue;
    beginField(field, mesh, crowd.filters[filter], goalPoly, goal);
    runField(field, mesh, crowd.filters[filter], expandedCount);
  }
}

const goal = new Float64Array(3);

function writeCorridor(c: PathCorridor, mesh: NavMesh): void {
  const { corridor, refs, left } = c;
  const { count, polys, crossings } = corridor;
  const isInStep = c.revision === mesh.revision;
  reserve(11 + 3 * count);
  put(count);
  put(isInStep ? 1 : 0);
  put(OUTCOMES.indexOf(corridor.outcome));
  put(corridor.cost);
  put(corridor.visitedCount);
  putAll(c.position, 0, 3);
  putAll(c.target, 0, 3);
  putAll(refs, 0, count);
  putAll(left, 0, count);
  for (let i = 0; i + 1 < count; i++) put(isInStep ? placeOfCrossing(mesh, polys[i], crossings[i]) : crossings[i]);
}

function readCorridor(c: PathCorridor, mesh: NavMesh, tape: Tape): void {
  const { corridor } = c;
  const count = get(tape);
  const isInStep = get(tape) === 1;
  corridor.outcome = OUTCOMES[get(tape)];
  corridor.cost = get(tape);
  corridor.visitedCount = get(tape);
  getAll(c.position, tape);
  getAll(c.target, tape);
  reserveCorridor(c, count);
  corridor.count = count;
  c.revision = mesh.revision - (isInStep ? 0 : 1);
  const { polys, crossings } = corridor;
  for (let i = 0; i < count; i++) {
    c.refs[i] = get(tape);
    polys[i] = polyIndexOf(mesh, c.refs[i] as PolyRef);
  }
  for (let i = 0; i < count; i++) c.left[i] = get(tape);
  for (let i = 0; i + 1 < count; i++) {
    const crossing = get(tape);
    crossings[i] = isInStep ? crossingAt(mesh, polys[i], crossing) : crossing;
  }
}

/** Edges and portals are counted within their polygon; hooks keep their numbers when a mesh is saved and loaded. */
function placeOfCrossing(mesh: NavMesh, poly: number, crossing: number): number {
  if (crossing >= 0) return crossing - mesh.polyEdgeStart[poly];
  if (isLinkCrossing(crossing)) return crossing;
  const portal = portalOf(crossing);
  let place = 0;
  for (let l = mesh.polyPortal[poly]; l >= 0 && l !== portal; l = mesh.portalNext[l]) place++;
  return portalCrossing(place);
}

function crossingAt(mesh: NavMesh, poly: number, place: number): number {
  if (place >= 0) return mesh.polyEdgeStart[poly] + place;
  if (isLinkCrossing(place)) return place;
  let portal = mesh.polyPortal[poly];
  for (let left = portalOf(place); left > 0; left--) portal = mesh.portalNext[portal];
  return portalCrossing(portal);
}

/** Of what the crowd's record looks like. */
function layoutHash(): number {
  if (knownLayout < 0) {
    knownLayout = 0;
    for (const [name, Maker, stride] of AGENT_LAYOUT) {
      for (let i = 0; i < name.length; i++) word[0] = Math.imul(word[0] ^ name.charCodeAt(i), 0x2127599b) ^ (word[0] >>> 15);
      word[0] = Math.imul(word[0] ^ (stride + 1024 * new Maker(0).BYTES_PER_ELEMENT), 0x2127599b) ^ (word[0] >>> 15);
    }
    knownLayout = word[0];
  }
  return knownLayout;
}

let knownLayout = -1;
const word = new Uint32Array(1);

const fingerprints = new WeakMap<NavMesh, { revision: number; value: number }>();

/** Of a mesh: its tiles, their polygons' areas and flags, a vertex of each, its links. Not of the numbers it gives to things. */
function fingerprintOf(mesh: NavMesh): number {
  const known = fingerprints.get(mesh);
  if (known !== undefined && known.revision === mesh.revision) return known.value;
  const words: number[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    words.push(mesh.tileState[slot], mesh.tileGeneration[slot]);
    if (mesh.tileState[slot] !== 1) continue;
    words.push(mesh.tileX[slot], mesh.tileZ[slot], mesh.tileLayer[slot], mesh.tilePolyCount[slot], mesh.tileVertexCount[slot]);
    const first = mesh.tilePolyStart[slot];
    for (let poly = first; poly < first + mesh.tilePolyCount[slot]; poly++) {
      words.push(mesh.polyArea[poly] + 64 * mesh.polyFlags[poly]);
    }
    const at = 3 * mesh.tileVertexStart[slot];
    if (mesh.tileVertexCount[slot] > 0) words.push(...new Uint32Array(mesh.vertices.slice(at, at + 3).buffer));
  }
  for (let link = 0; link < mesh.linkCount; link++) {
    words.push(mesh.linkState[link], mesh.linkGeneration[link]);
    if (mesh.linkState[link] !== 0) words.push(mesh.linkArea[link], mesh.linkFlags[link]);
  }
  const value = hashWords(Uint32Array.from(words), 0, words.length, 0);
  fingerprints.set(mesh, { revision: mesh.revision, value });
  return value;
}
