/**
 * Reads a saved crowd into a new crowd, and checks every number. Loops are bounded by counts that the bytes can
 * contain, and check.ts verifies everything that ticks rely on.
 *
 * In: the tape of a saved crowd, and the crowd to restore.
 * Out: another crowd with the same mesh, options and filters.
 * Cost: linear in the bytes, plus the cost of the searches that were in progress.
 * Based on: own.
 */
import { createPathCorridor } from '../../corridor/types.ts';
import { readSampled } from '../avoidance/sampled.ts';
import { makeCrowd } from '../make.ts';
import { LAST_TICK } from '../state/clock.ts';
import { FIELD_COUNT, TURN_NONE, TURN_QUEUED } from '../search/record.ts';
import { filterCount } from '../state/filters.ts';
import { AGENT_LAYOUT, clearSlot } from '../state/layout.ts';
import { SAMPLED_NUMBERS, STATE_FREE } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { checkAgents, checkLists, checkOptions } from './check.ts';
import { IN_STEP, NEARLY_IN_STEP, OUT_OF_STEP, readCorridor } from './corridor.ts';
import { layoutHash } from './fingerprint.ts';
import { readNarrow } from './narrow.ts';
import { takePending } from '../touched.ts';
import { readPatrols } from './patrols.ts';
import { CAPACITY, COUNT, WAIT, getIn } from './ranges.ts';
import { readFields, readSearch, readUnreachable } from './search.ts';
import { expectMore, failTape, get, getHandle, getPoly, getWhole, linkFrom, refFrom } from './tape.ts';
import type { Tape } from './tape.ts';

/** The number of scalars at the beginning of the tape. */
export const SCALAR_COUNT = 17;
/** Columns of dense indices; the refs of these polygons are written after the columns. */
export const POLY_ARRAYS = ['poly', 'goalPoly', 'wallPoly'] as const;
/** Columns of refs of polygons. */
export const REF_ARRAYS = ['polyRef', 'goalRef'] as const;
/** `advanceCrowd` never keeps this many ticks of time or more. */
const MOST_TICKS_LEFT = 9;

interface Counts {
  trafficCount: number;
  queueCount: number;
  askedCount: number;
  fieldCount: number;
  step: number;
}

/** Returns the crowd on a tape, for a crowd with these options. */
export function readCrowd(own: Crowd, tape: Tape): Crowd {
  const { mesh, maxAgents, stepSeconds, filters, types, pathIndex } = own;
  const given = filters.slice(0, filterCount(own));
  const options = { maxAgents, stepSeconds, filters: given, types, pathIndex };
  const crowd = makeCrowd(tape.caller, mesh, options, own.behaviors);
  const counts = readScalars(crowd, tape);
  const { slotCount, searches } = crowd;
  readTraffic(crowd, tape, counts.trafficCount);
  readAgents(crowd, tape, counts.step !== OUT_OF_STEP);
  readNarrow(crowd, tape);
  expectMore(tape, counts.queueCount + slotCount, 'searches.queueCount');
  searches.queueCount = counts.queueCount;
  searches.askedCount = counts.askedCount;
  for (let i = 0; i < counts.queueCount; i++) {
    searches.queue[i] = getWhole(tape, `searches.queue[${i}]`, 0, slotCount - 1);
  }
  for (let slot = 0; slot < slotCount; slot++) {
    searches.turn[slot] = getWhole(tape, `searches.turn[${slot}]`, TURN_NONE, TURN_QUEUED);
  }
  checkLists(crowd, tape);
  readSearch(crowd, tape);
  readUnreachable(crowd, tape);
  readFields(crowd, tape, counts.fieldCount);
  readPatrols(crowd, tape);
  for (let slot = 0; slot < slotCount; slot++) {
    crowd.corridors[slot] = createPathCorridor();
    readCorridor(crowd.corridors[slot], mesh, tape, `corridors[${slot}]`);
  }
  if (counts.step === NEARLY_IN_STEP) readChanges(crowd, tape);
  // Changes of this mesh that were noted are not those that the saved crowd has to follow.
  else if (counts.step === OUT_OF_STEP) takePending(crowd, { revision: mesh.revision, polys: undefined });
  if (tape.at !== tape.numbers.length) failTape(tape, 'the end', tape.at, `at ${tape.numbers.length}`);
  checkAgents(crowd, tape, counts.step);
  restoreOwnBehaviors(crowd, tape.caller);
  return crowd;
}

/** Reads the polygons that have changed since the last tick. */
function readChanges(crowd: Crowd, tape: Tape): void {
  const count = getWhole(tape, 'changes.length', 0, tape.numbers.length - tape.at - 1);
  const polys = Array.from({ length: count }, (_, i) => getPoly(tape, crowd.mesh, `changes[${i}]`));
  takePending(crowd, { revision: crowd.mesh.revision, polys });
}

function readScalars(crowd: Crowd, tape: Tape): Counts {
  const same = (name: string, value: number, wanted: number): void => {
    if (value === wanted) return;
    throw new RangeError(`${tape.caller}: ${name} is ${wanted}; must be ${value}, as when the crowd was saved`);
  };
  if (get(tape) !== layoutHash())
    throw new Error(`${tape.caller}: the crowd was saved by another version of navkiln; save it again`);
  same('crowd.maxAgents', get(tape), crowd.maxAgents);
  same('crowd.stepSeconds', get(tape), crowd.stepSeconds);
  same('crowd.filters.length', get(tape), crowd.filters.length);
  crowd.tick = getWhole(tape, 'tick', 0, LAST_TICK);
  crowd.time[0] = get(tape);
  if (!(crowd.time[0] >= 0 && crowd.time[0] < MOST_TICKS_LEFT * crowd.stepSeconds)) {
    failTape(tape, 'time[0]', crowd.time[0], `at least 0, less than ${MOST_TICKS_LEFT} ticks`);
  }
  crowd.slotCount = getWhole(tape, 'slotCount', 0, crowd.maxAgents);
  crowd.agentCount = getWhole(tape, 'agentCount', 0, crowd.slotCount);
  crowd.freeSlot = getWhole(tape, 'freeSlot', -1, crowd.slotCount - 1);
  crowd.searchBudget = getWhole(tape, 'searchBudget', 1, Number.MAX_VALUE);
  crowd.passingSide = getWhole(tape, 'passingSide', -1, 1);
  crowd.searchCount = getIn(tape, 'searchCount', COUNT);
  const step = getWhole(tape, 'isInStep', OUT_OF_STEP, NEARLY_IN_STEP);
  crowd.meshRevision = crowd.mesh.revision - (step === IN_STEP ? 0 : 1);
  const trafficCount = getHandle(tape, 'linkTraffic.length');
  const queueCount = getWhole(tape, 'searches.queueCount', 0, crowd.slotCount);
  const askedCount = getWhole(tape, 'searches.askedCount', 0, crowd.slotCount);
  const fieldCount = getWhole(tape, 'searches.fields.length', 0, FIELD_COUNT);
  return { trafficCount, queueCount, askedCount, fieldCount, step };
}

function readTraffic(crowd: Crowd, tape: Tape, count: number): void {
  expectMore(tape, 3 * count, 'linkTraffic.length');
  for (let i = 0; i < count; i++) {
    const path = `linkTraffic[${i}]`;
    const ref = linkFrom(tape, crowd.mesh, getHandle(tape, `${path}.ref`));
    const capacity = getIn(tape, `${path}.capacity`, CAPACITY);
    crowd.linkTraffic.push({ ref, capacity, seconds: getIn(tape, `${path}.seconds`, WAIT) });
  }
}

function readAgents(crowd: Crowd, tape: Tape, isInStep: boolean): void {
  const { agents, mesh, slotCount } = crowd;
  for (const [name, , stride] of AGENT_LAYOUT) {
    const array = agents[name];
    const count = slotCount * stride;
    const size = Math.ceil((count * array.BYTES_PER_ELEMENT) / 8);
    expectMore(tape, size, `agents.${name}`);
    if (array instanceof Float64Array) for (let i = 0; i < count; i++) array[i] = tape.numbers[tape.at + i];
    else if (array instanceof Int32Array) for (let i = 0; i < count; i++) array[i] = tape.ints[2 * tape.at + i];
    else if (array instanceof Uint16Array) for (let i = 0; i < count; i++) array[i] = tape.halves[4 * tape.at + i];
    else for (let i = 0; i < count; i++) array[i] = tape.bytes[8 * tape.at + i];
    tape.at += size;
  }
  for (let slot = 0; slot < slotCount; slot++) {
    for (const name of REF_ARRAYS) agents[name][slot] = refFrom(tape, mesh, agents[name][slot]);
    agents.linkRef[slot] = linkFrom(tape, mesh, agents.linkRef[slot]);
  }
  expectMore(tape, POLY_ARRAYS.length * slotCount, 'agents.poly');
  for (const name of POLY_ARRAYS) {
    for (let slot = 0; slot < slotCount; slot++) {
      const poly = getPoly(tape, mesh, `agents.${name}[${slot}]`);
      if (isInStep && agents.state[slot] !== STATE_FREE) agents[name][slot] = poly;
    }
  }
  // Checked before anything else uses them.
  for (let slot = 0; slot < slotCount; slot++) {
    if (agents.state[slot] !== STATE_FREE) {
      checkOptions(crowd, tape, slot);
      continue;
    }
    // `addAgent` expects this of a free slot.
    const next = agents.goalPoly[slot];
    clearSlot(agents, slot);
    agents.goalPoly[slot] = next;
  }
}

/** Makes the parameters of AVOID_SAMPLED from their column. Refuses agents that need a behavior that the crowd does not have. */
function restoreOwnBehaviors({ agents, behaviors, sampledParams, slotCount }: Crowd, caller: string): void {
  for (let slot = 0; slot < slotCount; slot++) {
    if (agents.state[slot] === STATE_FREE) continue;
    if (agents.separationWeight[slot] > 0 && behaviors.keepSpacing === undefined)
      throw new RangeError(
        `${caller}: saved agents have a separationWeight; create the crowd with { behaviors: [spacing] }`,
      );
    const at = SAMPLED_NUMBERS * slot;
    // A crowd without the behavior stores 0.
    const isStored = agents.sampled.subarray(at, at + SAMPLED_NUMBERS).some((value) => value !== 0);
    if (isStored && behaviors.resolveSampled === undefined)
      throw new RangeError(
        `${caller}: saved agents may sample velocities; create the crowd with { behaviors: [sampling] }`,
      );
    const params = behaviors.resolveSampled?.(
      isStored ? readSampled(agents.sampled, at) : {},
      caller,
      `agents.sampled[${slot}]`,
    );
    sampledParams[slot] = params;
    if (params !== undefined) behaviors.storeSampled?.(agents.sampled, at, params);
  }
}
