/**
 * Records what happens to a crowd: its state at the start, each call that changes it or its mesh, and a check of its
 * state after each tick. `replay` repeats a recording, and `compareRecordings` finds where two of them differ.
 *
 * `Recorder.calls` has the functions of `navkiln/crowd` that change a crowd, and those of `navkiln` that change its mesh.
 * Each does what the function does, and stores its arguments. So the crowd does not know that it is recorded.
 *
 * A recording is a stream of events (`EVENT_*`), each with its numbers (values.ts). Ticks that ran without the recorder
 * are noticed at the next call, by the number of the tick. When that number has gone back, as after `rewindCrowd`, the
 * state of the crowd is stored as a whole.
 *
 * In: a crowd. Out: the bytes of a recording.
 * Cost: 5 bytes a tick, about 30 bytes an order; each check, about a tenth of a tick.
 * Based on: own.
 */
import { checkFunction, checkKeys, checkMutable, checkObject, checkRecord, refuse } from '../../base/data/refuse.ts';
import { saveCrowd } from '../crowd/save/save.ts';
import { checkMutableCrowd } from '../crowd/state/check-crowd.ts';
import { filterCount } from '../crowd/state/filters.ts';
import type { Crowd } from '../crowd/state/types.ts';
import { namesOfBehaviors } from './behaviors.ts';
import { TICK_CALLS, crowdCalls } from './calls.ts';
import type { CrowdCalls, RecordedCall } from './calls.ts';
import { checkState, createCheck } from './check.ts';
import type { Check, CheckKind } from './check.ts';
import { createDetails, noteDetails, writeDetails } from './details.ts';
import type { Details } from './details.ts';
import { SECTION_DETAILS, SECTION_EVENTS, SECTION_HEAD, writeSections } from './sections.ts';
import {
  createWriter,
  putArgument,
  putByte,
  putBytes,
  putString,
  putValue,
  putVarint,
  putWord,
  truncateWriter,
} from './values.ts';
import type { ByteWriter } from './values.ts';

/** One tick, then a check: its hash (4 bytes). */
export const EVENT_TICK = 1;
/** Ticks without checks: their number. */
export const EVENT_TICKS = 2;
/** A check without a tick: its hash. */
export const EVENT_CHECK = 3;
/** The state of the crowd: its length, and the bytes of `saveCrowd`. */
export const EVENT_STATE = 4;
/** The name of the next call that was not named before. */
export const EVENT_NAME = 5;
/** This number and those above it: a call, in the order of their names; then the number of arguments, and these. */
export const EVENT_CALL = 8;

/** References in arguments: the crowd, its mesh, the world. */
export type References = readonly [crowd: Crowd, mesh: unknown, world: unknown];

/** Events are cut into sections of about this many bytes, each with a checksum. */
const BLOCK_BYTES = 1 << 14;
const MOST_TICKS = 1e6;
/** Ticks that `rewindRecording` can go back at least. */
const MARK_COUNT = 1024;

/** Options of `createRecorder`. */
export interface RecorderOptions<Calls extends object = object> {
  /** Further functions to record, by their names: of `navkiln/world`, or your own. `replay` needs the same. Default: none. */
  calls?: Calls;
  /** The world of the crowd's mesh. Calls may have it as an argument. Default: none. */
  world?: object;
  /** Data that the recording keeps for its readers, such as seeds and versions. Default: none. */
  info?: unknown;
  /** Ticks from one check to the next, a whole number from 1 on. Default 1. */
  checkTicks?: number;
  /**
   * What a check covers. `'quick'`: what moves, and a sixteenth of the other fields in turn. `'full'`: all fields each time,
   * at about six times the cost. Default `'quick'`.
   */
  check?: CheckKind;
  /**
   * How many of the last checks are stored with a hash for each agent and field, which name the agent and the field that differ. 0 .. 1e6.
   * Default 300.
   */
  detailedChecks?: number;
}

const OPTION_KEYS: readonly (keyof RecorderOptions)[] = [
  'calls',
  'world',
  'info',
  'checkTicks',
  'check',
  'detailedChecks',
];

/** A recording in progress. Read any field; change it through functions only. */
export interface Recorder<Calls extends object = object> {
  crowd: Crowd;
  /** The functions to call in place of those of the same name. */
  calls: CrowdCalls & Calls;
  /** Ticks recorded so far. */
  tickCount: number;
  /** Calls recorded so far, without those that only advance the crowd. */
  callCount: number;
  /** How often the state was stored because the crowd was changed without the recorder. */
  restateCount: number;
  /** Bytes of events so far. */
  byteCount: number;
  /** [0]: the tick of the last check, [1]: its hash. Machines that play the same game can exchange both. */
  lastCheck: Uint32Array;
  /** @internal */
  state: RecorderState;
}

/** The length of a recording at the end of a tick of the crowd. */
interface Mark {
  tick: number;
  at: number;
  stringCount: number;
  nameCount: number;
  tickCount: number;
  callCount: number;
}

interface RecorderState {
  head: Uint8Array;
  references: References;
  writer: ByteWriter;
  check: Check;
  checkTicks: number;
  details: Details;
  /** `crowd.tick` at the last event. */
  tick: number;
  /** The number of each name of a call. */
  names: Map<string, number>;
  /** Offsets at which blocks of events begin. */
  blocks: number[];
  /** The length of the recording at the end of the last ticks, for `rewindRecording`. */
  marks: Mark[];
  /** Depth of recorded calls in each other: only the outermost is recorded. */
  depth: number;
}

/**
 * Begins to record a crowd from its present state on. From now on, call the functions of `Recorder.calls` in place of those
 * that they are named after.
 *
 * Throws a TypeError for another crowd and for `info` that is no data, and a RangeError for options that are unknown or
 * out of range.
 */
export function createRecorder<Calls extends object = object>(
  crowd: Crowd,
  options: RecorderOptions<Calls> = {},
): Recorder<Calls> {
  checkMutableCrowd('createRecorder', crowd);
  checkKeys('createRecorder', options, OPTION_KEYS);
  const { calls, world, info, checkTicks = 1, check = 'quick', detailedChecks = 300 } = options;
  if (world !== undefined) checkObject('createRecorder', 'options.world', world);
  checkWhole('checkTicks', checkTicks, 1);
  checkWhole('detailedChecks', detailedChecks, 0);
  if (check !== 'quick' && check !== 'full') refuse('createRecorder', 'options.check', check, "'quick' or 'full'");
  const all = { ...crowdCalls(), ...readCalls('createRecorder', calls) };
  const state: RecorderState = {
    head: headOf(crowd, check, info),
    references: [crowd, crowd.mesh, world],
    writer: createWriter(),
    check: createCheck(crowd, check),
    checkTicks,
    details: createDetails(detailedChecks),
    tick: crowd.tick,
    names: new Map(),
    blocks: [0],
    marks: [],
    depth: 0,
  };
  const lastCheck = new Uint32Array(2);
  const recorder = {
    crowd,
    tickCount: 0,
    callCount: 0,
    restateCount: 0,
    byteCount: 0,
    lastCheck,
    state,
  } as Recorder<Calls>;
  const recorded: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(all))
    recorded[name] = (...args: unknown[]): unknown => recordCall(recorder, name, call as RecordedCall, args);
  recorder.calls = recorded as CrowdCalls & Calls;
  putMark(recorder);
  return recorder;
}

function checkWhole(key: string, value: number, least: number): void {
  if (!(Number.isInteger(value) && value >= least && value <= MOST_TICKS))
    refuse('createRecorder', `options.${key}`, value, `whole, ${least} .. ${MOST_TICKS}`);
}

/** Returns the functions of `options.calls`. Throws a TypeError unless all are functions. @internal */
export function readCalls(caller: string, calls: unknown): Record<string, RecordedCall> {
  if (calls === undefined) return {};
  checkObject(caller, 'options.calls', calls);
  for (const [name, call] of Object.entries(calls as object)) checkFunction(caller, `options.calls.${name}`, call);
  return calls as Record<string, RecordedCall>;
}

/** Returns the head of a recording: how to make the crowd, its state, and `info`. */
function headOf(crowd: Crowd, check: CheckKind, info: unknown): Uint8Array {
  const w = createWriter();
  const { maxAgents, stepSeconds, types } = crowd;
  const filters = crowd.filters.slice(0, filterCount(crowd));
  const isCustom = filters.some(({ passes, cost }) => passes !== undefined || cost !== undefined);
  putValue(
    w,
    { maxAgents, stepSeconds, check, behaviors: namesOfBehaviors(crowd), typeCount: types.length },
    [],
    'createRecorder',
    'crowd',
  );
  putValue(w, isCustom ? filters.length : filters, [], 'createRecorder', 'crowd.filters');
  putValue(w, info, [], 'createRecorder', 'options.info');
  const saved = saveCrowd(crowd);
  putVarint(w, saved.length);
  putBytes(w, saved);
  return w.bytes.slice(0, w.at);
}

/** Does a call and records it. A call that throws is not recorded. */
function recordCall(recorder: Recorder, name: string, call: RecordedCall, args: unknown[]): unknown {
  const { state, crowd } = recorder;
  const run = call as (...args: unknown[]) => unknown;
  // A call within another is a part of it. Calls of other crowds are none of this recording.
  const isOther = TICK_CALLS.includes(name) || name === 'restoreCrowd' ? args[0] !== crowd : false;
  if (state.depth > 0 || isOther) return run(...args);
  noteTicks(recorder);
  if (TICK_CALLS.includes(name)) {
    const result = run(...args);
    const ticks = noteTicks(recorder);
    noteCheck(recorder, ticks);
    if (ticks > 0) putMark(recorder);
    return result;
  }
  if (name === 'restoreCrowd') {
    const result = run(...args);
    putState(recorder);
    return result;
  }
  const { writer } = state;
  const { at } = writer;
  const strings = writer.strings.length;
  const isNew = !state.names.has(name);
  state.depth++;
  try {
    putCall(state, name, args);
    const result = run(...args);
    recorder.callCount++;
    return result;
  } catch (error) {
    truncateWriter(writer, at, strings);
    if (isNew) state.names.delete(name);
    throw error;
  } finally {
    state.depth--;
    recorder.byteCount = writer.at;
  }
}

function putCall(state: RecorderState, name: string, args: unknown[]): void {
  const { writer, names, references } = state;
  beginEvent(state);
  let number = names.get(name);
  if (number === undefined) {
    number = names.size;
    names.set(name, number);
    putByte(writer, EVENT_NAME);
    putString(writer, name);
  }
  putVarint(writer, EVENT_CALL + number);
  putVarint(writer, args.length);
  args.forEach((value, i) => {
    const time = (value as { maxMs?: number } | null | undefined)?.maxMs;
    if (time !== undefined && name === 'updateWorld')
      refuse(name, `argument ${i} of a recorded call: maxMs`, time, 'left out: times differ; use maxTiles');
    putArgument(writer, value, references, name, `argument ${i} of a recorded call`);
  });
}

/** Records the ticks since the last event, and returns their number. */
function noteTicks(recorder: Recorder): number {
  const { state, crowd } = recorder;
  const count = crowd.tick - state.tick;
  if (count < 0) {
    recorder.restateCount++;
    putState(recorder);
  }
  if (count <= 0) return 0;
  state.tick = crowd.tick;
  recorder.tickCount += count;
  beginEvent(state);
  putByte(state.writer, EVENT_TICKS);
  putVarint(state.writer, count);
  return count;
}

/** Records a check after a number of ticks that were just recorded, if one is due. */
function noteCheck(recorder: Recorder, ticks: number): void {
  const { state, crowd } = recorder;
  const { writer } = state;
  recorder.byteCount = writer.at;
  if (ticks === 0 || recorder.tickCount % state.checkTicks !== 0) return;
  const hash = checkState(state.check, crowd);
  recorder.lastCheck[0] = recorder.tickCount;
  recorder.lastCheck[1] = hash;
  // The event of one tick takes two bytes; this one replaces it.
  if (ticks === 1) writer.at -= 2;
  putByte(writer, ticks === 1 ? EVENT_TICK : EVENT_CHECK);
  putWord(writer, hash);
  noteDetails(state.details, state.check, crowd, recorder.tickCount);
  recorder.byteCount = writer.at;
}

function putState(recorder: Recorder): void {
  const { state, crowd } = recorder;
  const saved = saveCrowd(crowd);
  beginEvent(state);
  putByte(state.writer, EVENT_STATE);
  putVarint(state.writer, saved.length);
  putBytes(state.writer, saved);
  state.tick = crowd.tick;
}

/**
 * Forgets what was recorded after the present tick of the crowd, when the crowd has gone back to the end of an earlier tick, as
 * by `rewindCrowd` of `navkiln/rollback`. Call it before the next recorded call. Calls between that tick and the next one are
 * forgotten, too: give them again.
 *
 * Returns false, and forgets nothing, when the tick is more than 1,024 ticks ago, or before the recording.
 */
export function rewindRecording(recorder: Recorder): boolean {
  checkRecord('rewindRecording', 'recorder', recorder, 'lastCheck', 'a Recorder');
  checkMutable('rewindRecording', 'recorder', recorder);
  const { state, crowd } = recorder;
  let last = state.marks.length - 1;
  while (last >= 0 && state.marks[last].tick !== crowd.tick) last--;
  if (last < 0) return false;
  const mark = state.marks[last];
  state.marks.length = last + 1;
  const { writer, names, blocks } = state;
  truncateWriter(writer, mark.at, mark.stringCount);
  for (const [name, number] of names) if (number >= mark.nameCount) names.delete(name);
  for (const [key, at] of writer.seen) if (at >= mark.at) writer.seen.delete(key);
  while (blocks.length > 1 && blocks.at(-1)! > mark.at) blocks.pop();
  state.tick = mark.tick;
  recorder.tickCount = mark.tickCount;
  recorder.callCount = mark.callCount;
  recorder.byteCount = mark.at;
  return true;
}

/** Keeps the length of the recording at the end of a tick. */
function putMark({ state, tickCount, callCount }: Recorder): void {
  const { marks, writer, names, tick } = state;
  if (marks.length >= 2 * MARK_COUNT) marks.splice(0, MARK_COUNT);
  const mark = { tick, at: writer.at, stringCount: writer.strings.length, nameCount: names.size, tickCount, callCount };
  marks.push(mark);
}

/** Begins a block of events when the last one is full. */
function beginEvent({ writer, blocks }: RecorderState): void {
  if (writer.at - blocks.at(-1)! >= BLOCK_BYTES) blocks.push(writer.at);
}

/**
 * Returns the recording so far as bytes. Recording continues; call it again for a longer one.
 *
 * Throws a TypeError unless `recorder` is a Recorder.
 */
export function finishRecording(recorder: Recorder): Uint8Array {
  checkRecord('finishRecording', 'recorder', recorder, 'lastCheck', 'a Recorder');
  checkMutable('finishRecording', 'recorder', recorder);
  noteTicks(recorder);
  const { head, writer, blocks, details } = recorder.state;
  const sections = [{ kind: SECTION_HEAD, bytes: head }];
  blocks.forEach((from, i) => {
    const bytes = writer.bytes.subarray(from, blocks[i + 1] ?? writer.at);
    if (bytes.length > 0) sections.push({ kind: SECTION_EVENTS, bytes });
  });
  const end = createWriter();
  putVarint(end, recorder.tickCount);
  putVarint(end, recorder.callCount);
  writeDetails(end, details);
  sections.push({ kind: SECTION_DETAILS, bytes: end.bytes.slice(0, end.at) });
  return writeSections(sections);
}
