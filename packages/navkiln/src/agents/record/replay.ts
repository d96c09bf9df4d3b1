/**
 * Repeats a recording: makes the crowd from its state at the start, does each call and each tick, and compares the
 * checks.
 *
 * In: the bytes of a recording, from anyone; a mesh as it was at the start, which the calls of the recording change.
 * Out: the crowd at a tick; the first tick at which a check differs, and where. Damaged bytes throw an Error that names the byte and the
 *   tick.
 * Cost: that of the ticks, plus a check each.
 * Based on: own.
 */
import {
  checkArray,
  checkKeys,
  checkMutable,
  checkObject,
  checkRecord,
  refuse,
  showValue,
} from '../../base/data/refuse.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { QueryFilter } from '../../query/filter.ts';
import { restoreCrowd } from '../crowd/save/save.ts';
import { agentIdOf } from '../crowd/state/ids.ts';
import type { CrowdOptions } from '../crowd/state/options.ts';
import { STATE_FREE } from '../crowd/state/types.ts';
import type { AgentId, Crowd } from '../crowd/state/types.ts';
import { stepCrowd } from '../crowd/step.ts';
import { createWithBehaviors } from './behaviors.ts';
import { crowdCalls } from './calls.ts';
import type { RecordedCall } from './calls.ts';
import { checkState, createCheck } from './check.ts';
import type { Check, CheckKind } from './check.ts';
import { compareDetails, detailOf, readDetails } from './details.ts';
import type { Detail } from './details.ts';
import { EVENT_CALL, EVENT_CHECK, EVENT_NAME, EVENT_STATE, EVENT_TICK, EVENT_TICKS, readCalls } from './recorder.ts';
import type { References } from './recorder.ts';
import { SECTION_EVENTS, readSections } from './sections.ts';
import { createReader, getArgument, getBytes, getString, getValue, getVarint, getWord } from './values.ts';
import type { ByteReader } from './values.ts';

/** A world, as `replay` takes it: `World` of `navkiln/world`, or another record with a mesh. */
export interface ReplayWorld {
  navMesh: NavMesh;
}

/** Options of `replay`. */
export interface ReplayOptions {
  /** The tick to stop at, counted from the start of the recording: whole, 0 or more. Default: the last one. */
  until?: number;
  /** The functions that were given to `createRecorder`. Default: none. */
  calls?: Readonly<Record<string, RecordedCall>>;
  /**
   * What a recording does not contain: agent types, a path index, filters with methods, and behaviors of your own. Default: none, and
   * the filters of the recording.
   */
  crowd?: Pick<CrowdOptions, 'filters' | 'types' | 'behaviors' | 'pathIndex'>;
  /** Largest number of agents (`maxAgents`) of a recording, against files that ask for much memory. Default 20,000. */
  maxAgents?: number;
  /** Largest number of ticks of a recording, against files that ask for much time. Default 10,000,000. */
  maxTicks?: number;
}

const OPTION_KEYS: readonly (keyof ReplayOptions)[] = ['until', 'calls', 'crowd', 'maxAgents', 'maxTicks'];

/** The first check of a recording that the replay does not meet. */
export interface Divergence {
  /** The tick of the check, counted from the start of the recording. */
  tick: number;
  /** The last tick before it at which the checks agreed. The state differs since a tick after that. */
  agreedTick: number;
  /** The first agent that differs; null when the recording has no details of this tick, or when no agent differs. */
  agent: AgentId | null;
  /** Number of agents that differ; 0 without details. */
  agentCount: number;
  /** The fields that differ: columns of `AgentArrays`, `path`, `patrol`, `searches`, `crowd` or `mesh`; empty without details. */
  fields: readonly string[];
  /** All of this as a sentence. */
  message: string;
}

/** A recording that is repeated. */
export interface Replay {
  /** The crowd at `tick`. It belongs to the replay until that ends. */
  crowd: Crowd;
  /** Ticks since the start of the recording. */
  tick: number;
  /** Ticks of the whole recording. */
  tickCount: number;
  /** Calls of the whole recording. */
  callCount: number;
  /** `options.info` of `createRecorder`. */
  info: unknown;
  /** Number of checks that agreed so far. */
  agreedChecks: number;
  /** [0]: the tick of the last check, [1]: the hash of the crowd there. */
  lastCheck: Uint32Array;
  /** The first check that differs; null: none so far. */
  divergence: Divergence | null;
  /** @internal */
  state: ReplayState;
}

/** A call of a recording. @internal */
export interface ReplayedCall {
  name: string;
  args: unknown[];
}

interface ReplayState {
  caller: string;
  reader: ByteReader;
  names: string[];
  calls: Readonly<Record<string, RecordedCall>>;
  references: References;
  check: Check;
  agreedTick: number;
  details: Map<number, Detail>;
  /** Ticks left of the current event. */
  ticksLeft: number;
}

/**
 * Repeats a recording on a mesh, or on a world, up to a tick. Returns the crowd at that tick, and the first check that
 * differs; `continueReplay` goes on. Without a recording of the world, pass a mesh or world that is as it was at the
 * start of the recording; the calls of the recording change it.
 *
 * @throws Error for bytes that are no recording, cut off or damaged, with the place, and for another mesh; RangeError and
 *   TypeError for options that are unknown or out of range
 */
export function replay(file: Uint8Array, on: NavMesh | ReplayWorld, options: ReplayOptions = {}): Replay {
  const begun = beginReplay('replay', file, on, options);
  const { until = begun.tickCount } = options;
  continueReplay(begun, until);
  return begun;
}

/**
 * Continues a replay up to a tick, counted from the start of the recording. Calls at that tick belong to the next one. Does
 * nothing when the replay is there or beyond. Returns whether ticks are left.
 *
 * @throws Error for damaged bytes; RangeError for a tick that is not whole and 0 or more
 */
export function continueReplay(replayed: Replay, until: number): boolean {
  checkRecord('continueReplay', 'replayed', replayed, 'lastCheck', 'a Replay');
  checkMutable('continueReplay', 'replayed', replayed);
  checkUntil('continueReplay', 'until', until);
  const { state, tickCount } = replayed;
  const { reader } = state;
  while ((replayed.tick < until || until >= tickCount) && nextEvent(replayed, null)) {
    // Each event is one call, one tick or one check.
  }
  // The check of the last tick belongs to it.
  if (state.ticksLeft === 0 && reader.at < reader.end && reader.bytes[reader.at] === EVENT_CHECK)
    nextEvent(replayed, null);
  return replayed.tick < replayed.tickCount;
}

function checkUntil(caller: string, path: string, until: number): void {
  if (!(Number.isInteger(until) && until >= 0))
    refuse(caller, path, until, 'a tick of the recording, whole, 0 or more');
}

/** Reads a recording and makes its crowd, at the start. @internal */
export function beginReplay(
  caller: string,
  file: Uint8Array,
  on: NavMesh | ReplayWorld,
  options: ReplayOptions,
): Replay {
  checkKeys(caller, options, OPTION_KEYS);
  checkObject(caller, 'on', on);
  const { until = 0, maxTicks = 1e7, maxAgents = 20_000 } = options;
  checkUntil(caller, 'options.until', until);
  for (const [key, value] of Object.entries({ maxTicks, maxAgents }))
    if (!(typeof value === 'number' && value >= 0)) refuse(caller, `options.${key}`, value, '0 or more');
  const given = readCalls(caller, options.calls);
  const isWorld = 'navMesh' in on;
  const navMesh = isWorld ? on.navMesh : on;
  checkNavMesh(caller, navMesh);
  const sections = readSections(file, caller);
  const blocks = sections.filter(({ kind }) => kind === SECTION_EVENTS);
  const events = joinBytes(blocks.map(({ bytes }) => bytes));
  const failAt = (at: number, what: string): never => {
    throw new Error(`${caller}: the recording is damaged at byte ${at}: ${what}`);
  };
  const head = createReader(sections[0].bytes, (at, what) => failAt(sections[0].at + at, what));
  const end = sections.at(-1)!;
  const tail = createReader(end.bytes, (at, what) => failAt(end.at + at, what));
  const tickCount = getVarint(tail);
  const callCount = getVarint(tail);
  if (tickCount > maxTicks)
    throw new Error(`${caller}: the recording has ${tickCount} ticks; at most options.maxTicks, ${maxTicks}`);
  const { crowd, check, info } = makeRecorded(caller, head, navMesh, options);
  // Errors name the byte of the file: the block of the byte, and the tick.
  const reader = createReader(events, (at, what) => {
    let start = 0;
    const block = blocks.find(({ bytes }) => (start += bytes.length) > at) ?? blocks.at(-1);
    const place = block === undefined ? at : block.at + at - (start - block.bytes.length);
    return failAt(place, `tick ${replayed.tick}: ${what}`);
  });
  const replayed: Replay = {
    crowd,
    tick: 0,
    tickCount,
    callCount,
    info,
    agreedChecks: 0,
    lastCheck: new Uint32Array(2),
    divergence: null,
    state: {
      caller,
      reader,
      names: [],
      calls: { ...crowdCalls(), ...given },
      references: [crowd, navMesh, isWorld ? on : undefined],
      check: createCheck(crowd, check),
      agreedTick: 0,
      details: readDetails(tail),
      ticksLeft: 0,
    },
  };
  return replayed;
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function makeRecorded(
  caller: string,
  head: ByteReader,
  navMesh: NavMesh,
  { crowd: given = {}, maxAgents: mostAgents = 20_000 }: ReplayOptions,
): { crowd: Crowd; check: CheckKind; info: unknown } {
  checkKeys(caller, given, ['filters', 'types', 'behaviors', 'pathIndex'], 'options.crowd');
  for (const key of ['filters', 'types', 'behaviors'] as const)
    if (given[key] !== undefined) checkArray(caller, `options.crowd.${key}`, given[key]);
  const made = getValue(head, []) as Record<string, unknown> | null;
  const stored = getValue(head, []);
  const info = getValue(head, []);
  const saved = getBytes(head, getVarint(head));
  const { maxAgents, stepSeconds, check, behaviors, typeCount } = typeof made === 'object' && made !== null ? made : {};
  if (typeof maxAgents !== 'number' || typeof stepSeconds !== 'number' || (check !== 'quick' && check !== 'full'))
    head.fail('the head describes no crowd');
  if (maxAgents > mostAgents)
    throw new Error(
      `${caller}: the recording has space for ${maxAgents} agents; at most options.maxAgents, ${mostAgents}`,
    );
  const filters = given.filters ?? (Array.isArray(stored) ? (stored as QueryFilter[]) : undefined);
  if (filters === undefined)
    throw new Error(
      `${caller}: the crowd had ${showValue(stored)} filters with methods, which a recording cannot contain; pass options.crowd.filters`,
    );
  if ((given.types?.length ?? 0) !== typeCount)
    throw new Error(
      `${caller}: the crowd had ${showValue(typeCount)} agent types, which a recording does not contain; pass options.crowd.types`,
    );
  const crowd = inPlace(caller, head, 'the options of the crowd', () =>
    createWithBehaviors(
      navMesh,
      { ...given, filters, maxAgents, stepSeconds },
      Array.isArray(behaviors) ? behaviors : [],
    ),
  );
  inPlace(caller, null, '', () => restoreCrowd(crowd, saved));
  return { crowd, check: check as CheckKind, info };
}

/** Runs a function with values of a recording. Its errors become those of the place. */
function inPlace<T>(caller: string, reader: ByteReader | null, what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (reader !== null) return reader.fail(`${what}: ${message}`);
    throw new Error(`${caller}: the crowd at the start: ${message.replace(/^restoreCrowd: /, '')}`, { cause: error });
  }
}

/**
 * Does the next event: one call, one tick or one check. Returns false at the end of the recording. `out` receives the
 * call. @internal
 */
export function nextEvent(replayed: Replay, out: ReplayedCall[] | null): boolean {
  const { state, crowd } = replayed;
  const { reader } = state;
  if (state.ticksLeft > 0) {
    state.ticksLeft--;
    doTick(replayed);
    return true;
  }
  if (reader.at >= reader.end) {
    if (replayed.tick < replayed.tickCount) reader.fail(`the events end at this tick of ${replayed.tickCount}`);
    return false;
  }
  const event = getVarint(reader);
  if (event >= EVENT_CALL) {
    doCall(replayed, event - EVENT_CALL, out);
    return true;
  }
  switch (event) {
    case EVENT_TICK:
      doTick(replayed);
      doCheck(replayed, getWord(reader));
      return true;
    case EVENT_TICKS:
      state.ticksLeft = getVarint(reader);
      return true;
    case EVENT_CHECK:
      doCheck(replayed, getWord(reader));
      return true;
    case EVENT_STATE: {
      const bytes = getBytes(reader, getVarint(reader));
      inPlace(state.caller, reader, 'the state of the crowd', () => restoreCrowd(crowd, bytes));
      return true;
    }
    case EVENT_NAME:
      state.names.push(getString(reader));
      return true;
    default:
      return reader.fail(`${event} is no kind of event`);
  }
}

function doTick(replayed: Replay): void {
  const { caller, reader } = replayed.state;
  if (replayed.tick >= replayed.tickCount) reader.fail(`the recording has more ticks than its ${replayed.tickCount}`);
  inPlace(caller, reader, 'a tick throws', () => stepCrowd(replayed.crowd));
  replayed.tick++;
}

function doCall({ state }: Replay, number: number, out: ReplayedCall[] | null): void {
  const { reader, names, calls, references, caller } = state;
  const name = names[number] ?? reader.fail(`call ${number} has no name`);
  if (!Object.hasOwn(calls, name))
    throw new Error(`${caller}: the recording calls ${showValue(name)}; pass this function in options.calls`);
  const count = getVarint(reader);
  if (count > reader.end - reader.at) reader.fail(`a call of ${name} has ${count} arguments`);
  const args = Array.from({ length: count }, () => getArgument(reader, references));
  out?.push({ name, args });
  const run = calls[name] as (...args: unknown[]) => unknown;
  inPlace(caller, reader, `a call of ${name} throws`, () => run(...args));
}

/** Compares a check of the recording with one of the replayed crowd. */
function doCheck(replayed: Replay, hash: number): void {
  const { state, crowd, tick } = replayed;
  if (replayed.divergence !== null) return;
  replayed.lastCheck[0] = tick;
  replayed.lastCheck[1] = checkState(state.check, crowd);
  if (replayed.lastCheck[1] === hash) {
    replayed.agreedChecks++;
    state.agreedTick = tick;
    return;
  }
  const { agreedTick } = state;
  const detail = state.details.get(tick);
  let [slots, fields]: [number[], string[]] = [[], []];
  if (detail !== undefined) ({ slots, fields } = compareDetails(detail, detailOf(state.check, crowd.slotCount, tick)));
  const slot = slots[0] ?? -1;
  const isAgent = slot >= 0 && slot < crowd.slotCount && crowd.agents.state[slot] !== STATE_FREE;
  const agent = isAgent ? agentIdOf(crowd, slot) : null;
  const since = agreedTick + 1 === tick ? '' : `, since a tick after ${agreedTick}`;
  const where =
    detail === undefined
      ? 'the recording has no details of this tick; record with more detailedChecks to see agent and field'
      : `${slot < 0 ? 'no agent' : `agent ${agent ?? 'none'} in slot ${slot}${slots.length > 1 ? ` and ${slots.length - 1} others` : ''}`}: ${fields.join(', ')}`;
  replayed.divergence = {
    tick,
    agreedTick,
    agent,
    agentCount: slots.length,
    fields,
    message: `the replay differs from the recording at tick ${tick}${since}: ${where}`,
  };
}
