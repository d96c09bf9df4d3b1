/**
 * Compares two recordings of what should be the same game, such as those of two machines: finds the first tick at which
 * their calls or their crowds differ, and names the call, or the agent and the field.
 *
 * Both are repeated side by side. Different calls show where an order was lost, late or doubled. When the calls are the
 * same, a check of one recording differs from its replay: that machine computed something else, or changed its crowd
 * without the recorder.
 *
 * In: two recordings, and a function that makes the mesh or world of each.
 * Out: the first difference, or null.
 * Cost: that of both replays, and a comparison per tick.
 * Based on: own.
 */
import { checkFunction } from '../../base/data/refuse.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { AgentId, Crowd } from '../crowd/state/types.ts';
import { checkState, createCheck } from './check.ts';
import type { Check } from './check.ts';
import { diffCrowds } from './diff.ts';
import type { CrowdDifference } from './diff.ts';
import { EVENT_CHECK } from './recorder.ts';
import { beginReplay, nextEvent } from './replay.ts';
import type { Divergence, Replay, ReplayOptions, ReplayWorld, ReplayedCall } from './replay.ts';

/** The first difference of two recordings. */
export interface RecordingDifference {
  /**
   * `'start'`: their crowds differ at the start. `'call'`: a call differs. `'crowd'`: the crowds differ after the same calls.
   * `'replay'`: the crowd of one recording, at `side`, was not what its calls give. `'length'`: one is shorter, and equal until it ends.
   */
  kind: 'start' | 'call' | 'crowd' | 'replay' | 'length';
  /** The first tick that differs, counted from the start of the recordings. */
  tick: number;
  /** The recording whose check differs from its replay: 0 or 1; -1 for the other kinds. */
  side: number;
  /** The first agent that differs at that tick, or after a different call; null: none or unknown. */
  agent: AgentId | null;
  /** Its first field that differs; '' when unknown. */
  field: string;
  /** The values of both sides, or the calls, as texts. */
  values: [string, string];
  /** All of this as a sentence. */
  message: string;
}

/** Ticks after a different call within which its effect on agents is looked for. */
const EFFECT_TICKS = 600;
/** Length up to which calls are shown. */
const MOST_SHOWN = 200;

/**
 * Returns the first difference of two recordings, or null. `make` makes the mesh or world of the start; it is called twice, because
 * each replay changes its own. `until` of the options ends the comparison earlier.
 *
 * @throws Error for a recording that is cut off or damaged, with the place, and for another mesh
 */
export function compareRecordings(
  a: Uint8Array,
  b: Uint8Array,
  make: () => NavMesh | ReplayWorld,
  options: ReplayOptions = {},
): RecordingDifference | null {
  checkFunction('compareRecordings', 'make', make);
  const caller = 'compareRecordings';
  const sides = [beginReplay(caller, a, make(), options), beginReplay(caller, b, make(), options)] as const;
  const [left, right] = sides;
  const start = diffCrowds(left.crowd, right.crowd);
  if (start !== null) return ofCrowds('start', 0, start);
  const checks = sides.map(({ crowd }) => createCheck(crowd, 'full')) as [Check, Check];
  const { until = Infinity } = options;
  let call: { tick: number; values: [string, string] } | null = null;
  for (;;) {
    const calls = sides.map(toNextTick) as [ReplayedCall[], ReplayedCall[]];
    const tick = Math.max(left.tick, right.tick);
    call ??= otherCall(calls, sides, tick);
    for (const [side, { divergence }] of sides.entries())
      if (divergence !== null && call === null) return ofReplay(side, divergence, sides);
    if (left.tick !== right.tick) return call === null ? ofLength(sides) : ofCall(call, null);
    const isOther = checkState(checks[0], left.crowd) !== checkState(checks[1], right.crowd);
    const crowds = isOther ? diffCrowds(left.crowd, right.crowd) : null;
    if (call !== null && (hasAgent(crowds) || tick > call.tick + EFFECT_TICKS)) return ofCall(call, crowds);
    if (crowds !== null && call === null) return ofCrowds('crowd', tick, crowds);
    const isOver = sides.every(
      ({ tick: at, tickCount, state }) => at >= tickCount && state.reader.at >= state.reader.end,
    );
    if (isOver || tick >= until) return call === null ? null : ofCall(call, null);
  }
}

/** Returns whether an agent differs. */
function hasAgent(crowds: CrowdDifference | null): boolean {
  return crowds !== null && crowds.agent !== null;
}

/** Runs a replay over one tick and its check. Returns the calls before it. */
function toNextTick(replayed: Replay): ReplayedCall[] {
  const calls: ReplayedCall[] = [];
  const { tick, state } = replayed;
  const { reader } = state;
  while (replayed.tick === tick && nextEvent(replayed, calls)) {
    // Events without a tick are calls and checks.
  }
  // A check that follows the tick belongs to it.
  if (state.ticksLeft === 0 && reader.at < reader.end && reader.bytes[reader.at] === EVENT_CHECK)
    nextEvent(replayed, null);
  return calls;
}

/** Returns the first call in which two lists differ. */
function otherCall(
  [a, b]: [ReplayedCall[], ReplayedCall[]],
  sides: readonly [Replay, Replay],
  tick: number,
): { tick: number; values: [string, string] } | null {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const values: [string, string] = [textOfCall(a[i], sides[0]), textOfCall(b[i], sides[1])];
    if (values[0] !== values[1]) return { tick, values };
  }
  return null;
}

function textOfCall(call: ReplayedCall | undefined, { state }: Replay): string {
  if (call === undefined) return 'no call';
  const names = ['crowd', 'navMesh', 'world'];
  const args = call.args.map((value) => {
    const reference = state.references.indexOf(value as Crowd);
    return reference >= 0 && value !== undefined ? names[reference] : textOfValue(value);
  });
  return `${call.name}(${args.join(', ')})`;
}

function textOfValue(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) => (ArrayBuffer.isView(part) ? Array.from(part as Uint8Array) : part)) ??
    'undefined'
  );
}

function shorten(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 1)}…` : text;
}

function ofCrowds(kind: 'start' | 'crowd', tick: number, crowds: CrowdDifference): RecordingDifference {
  const { agent, field, values, message } = crowds;
  const when = kind === 'start' ? 'at the start' : `at tick ${tick}, after the same calls`;
  return { kind, tick, side: -1, agent, field, values, message: `the crowds differ ${when}: ${message}` };
}

function ofCall(
  { tick, values }: { tick: number; values: [string, string] },
  crowds: CrowdDifference | null,
): RecordingDifference {
  const shown: [string, string] = [shorten(values[0]), shorten(values[1])];
  const effect = crowds === null ? '' : `; then ${crowds.message}`;
  const message = `the calls before tick ${tick} differ: ${shown[0]} and ${shown[1]}${effect}`;
  return {
    kind: 'call',
    tick,
    side: -1,
    agent: crowds?.agent ?? null,
    field: crowds?.field ?? '',
    values: shown,
    message,
  };
}

function ofReplay(
  side: number,
  { tick, agent, fields, message }: Divergence,
  sides: readonly [Replay, Replay],
): RecordingDifference {
  const other = sides[1 - side].divergence;
  const both = other !== null && other.tick === tick ? 'both recordings differ from their replays here; ' : '';
  const text = `${both}recording ${side + 1}: ${message}`;
  return { kind: 'replay', tick, side, agent, field: fields[0] ?? '', values: ['', ''], message: text };
}

function ofLength([a, b]: readonly [Replay, Replay]): RecordingDifference {
  const tick = Math.min(a.tick, b.tick);
  const values: [string, string] = [`${a.tickCount} ticks`, `${b.tickCount} ticks`];
  const message = `the recordings are equal up to tick ${tick}, where the shorter one ends: ${values.join(' and ')}`;
  return { kind: 'length', tick, side: -1, agent: null, field: '', values, message };
}
