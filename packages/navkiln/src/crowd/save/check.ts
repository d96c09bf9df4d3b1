/**
 * Checks a crowd that was read from bytes for everything that ticks and orders rely on: numbers are finite and in range, indices name
 * something, lists have no circles.
 *
 * In: a crowd that nobody uses yet.
 * Out: an Error that names the first number that is wrong.
 * Cost: linear.
 * Based on: own.
 */
import { CORNER_LINK } from '../../corridor/types.ts';
import { polyIndexOf } from '../../navmesh/ref.ts';
import type { PolyRef } from '../../navmesh/types.ts';
import { TURN_ASKED, TURN_NONE, TURN_QUEUED } from '../search/record.ts';
import { AGENT_LAYOUT } from '../state/layout.ts';
import { agentOptionsOf, resolveAgent } from '../state/options.ts';
import {
  AGENT_AVOID_ONLY,
  AGENT_REPORTED_BLOCKED,
  AVOID_SAMPLED,
  GOAL_AGENT,
  GOAL_POINT,
  GOAL_VELOCITY,
  MAX_NEIGHBORS,
  MAX_WALLS,
  STATE_AIR,
  STATE_FREE,
  STATE_GROUND,
  STATE_LINK,
  STATE_LOST,
  STATUS_GAVE_UP,
} from '../state/types.ts';
import type { AgentArrays, Crowd } from '../state/types.ts';
import { MAGNITUDE_TEXT, MOST_MAGNITUDE, failTape } from './tape.ts';
import type { Tape } from './tape.ts';

type Column = keyof AgentArrays;

/** Columns that `checkOptions` checks. */
const OPTION_COLUMNS: readonly Column[] = [
  'radius',
  'height',
  'maxSpeed',
  'maxAcceleration',
  'maxTurn',
  'priority',
  'horizon',
  'sampled',
  'separationWeight',
  'queryRange',
  'pathOptimizationRange',
  'arriveDistance',
];
/** Columns of handles: whole numbers that are checked each time they are used. */
const HANDLE_COLUMNS: readonly Column[] = ['polyRef', 'goalRef', 'goalAgent', 'linkRef'];
/** Columns that hold Infinity for what was not measured; never negative. */
const OPEN_COLUMNS: readonly Column[] = ['progressLeft', 'progressFar', 'pathLeft', 'targetDrift'];
/** Columns whose numbers are finite, and of a magnitude with which ticks can compute. */
const FINITE_COLUMNS: readonly (readonly [Column, number])[] = /* @__PURE__ */ AGENT_LAYOUT.filter(
  ([name, Maker]) => Maker === Float64Array && ![...OPTION_COLUMNS, ...HANDLE_COLUMNS, ...OPEN_COLUMNS].includes(name),
).map(([name, , stride]) => [name, stride] as const);
/** The squared length of a heading, a unit vector. */
const HEADING_RANGE = [0.99, 1.01] as const;

/** Checks the options of an agent: what `addAgent` would refuse is refused. */
export function checkOptions({ mesh, agents, filters }: Crowd, tape: Tape, slot: number): void {
  if (agents.avoidance[slot] > AVOID_SAMPLED) {
    failTape(tape, `agents.avoidance[${slot}]`, agents.avoidance[slot], `0 .. ${AVOID_SAMPLED}`);
  }
  try {
    resolveAgent(mesh, filters.length, agentOptionsOf(agents, slot), tape.caller);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new Error(`${what.replace(': options.', `: agents[${slot}].`)}; the bytes are damaged`);
  }
  // 0 stands for the default.
  const range = agents.queryRange[slot];
  if (!(range >= 0)) failTape(tape, `agents.queryRange[${slot}]`, range, '>= 0');
}

/** Checks the free list, the queue and the turns. */
export function checkLists(crowd: Crowd, tape: Tape): void {
  const { agents, searches, slotCount } = crowd;
  const { queue, queueCount, turn } = searches;
  const isUsed = (slot: number): boolean => agents.state[slot] !== STATE_FREE;
  let used = 0;
  for (let slot = 0; slot < slotCount; slot++) if (isUsed(slot)) used++;
  if (used !== crowd.agentCount) failTape(tape, 'agentCount', crowd.agentCount, `${used}, the number of slots in use`);
  let free = 0;
  for (let slot = crowd.freeSlot; slot !== -1; slot = agents.goalPoly[slot]) {
    const isFree = slot >= 0 && slot < slotCount && !isUsed(slot);
    if (!isFree || ++free > slotCount - used) failTape(tape, 'the list of free slots', slot, 'each free slot once');
  }
  if (free !== slotCount - used) failTape(tape, 'the list of free slots', free, `${slotCount - used} slots`);
  const places = new Uint8Array(slotCount);
  for (let i = 0; i < queueCount; i++) {
    if (places[queue[i]] === 1) failTape(tape, `searches.queue[${i}]`, queue[i], 'in the queue once');
    places[queue[i]] = 1;
  }
  let asked = 0;
  for (let slot = 0; slot < slotCount; slot++) {
    if (turn[slot] === TURN_ASKED) asked++;
    const isWrong = (turn[slot] === TURN_QUEUED && places[slot] === 0) || (turn[slot] !== TURN_NONE && !isUsed(slot));
    if (isWrong) failTape(tape, `searches.turn[${slot}]`, turn[slot], `${TURN_NONE} for a slot that does not wait`);
  }
  if (asked !== searches.askedCount) failTape(tape, 'searches.askedCount', searches.askedCount, String(asked));
}

/** Checks the columns of all agents. */
export function checkAgents(crowd: Crowd, tape: Tape, isInStep: boolean): void {
  const { agents, slotCount } = crowd;
  const { slot: searching } = crowd.searches.current;
  if (searching >= 0 && crowd.searches.turn[searching] !== TURN_QUEUED) {
    failTape(tape, 'searches.current.slot', searching, 'a slot that waits');
  }
  for (let slot = 0; slot < slotCount; slot++) {
    if (agents.state[slot] === STATE_FREE) continue;
    checkNumbers(crowd, tape, slot);
    checkIndices(crowd, tape, slot);
    const { corridor, revision } = crowd.corridors[slot];
    if (revision === crowd.mesh.revision && corridor.count < 1) {
      failTape(tape, `corridors[${slot}].count`, corridor.count, 'at least 1');
    }
    if (isInStep) checkPolygons(crowd, tape, slot);
  }
}

function checkNumbers({ agents }: Crowd, tape: Tape, slot: number): void {
  for (const [name, stride] of FINITE_COLUMNS) {
    const array = agents[name];
    for (let i = stride * slot; i < stride * (slot + 1); i++) {
      const isGood = array[i] >= -MOST_MAGNITUDE && array[i] <= MOST_MAGNITUDE;
      if (!isGood) failTape(tape, `agents.${name}[${i}]`, array[i], MAGNITUDE_TEXT);
    }
  }
  for (const name of OPEN_COLUMNS) {
    if (!(agents[name][slot] >= 0)) failTape(tape, `agents.${name}[${slot}]`, agents[name][slot], '>= 0');
  }
  for (const name of HANDLE_COLUMNS) {
    const value = agents[name][slot];
    if (!(value >= 0 && Number.isSafeInteger(value))) failTape(tape, `agents.${name}[${slot}]`, value, 'a handle');
  }
  const [hx, hz] = [agents.heading[2 * slot], agents.heading[2 * slot + 1]];
  const lengthSq = hx * hx + hz * hz;
  if (!(lengthSq >= HEADING_RANGE[0] && lengthSq <= HEADING_RANGE[1])) {
    failTape(tape, `agents.heading[${2 * slot}]`, hx, 'part of a unit vector');
  }
  for (const name of ['followDistance', 'linkTime', 'linkDuration'] as const) {
    if (agents[name][slot] < 0) failTape(tape, `agents.${name}[${slot}]`, agents[name][slot], '>= 0');
  }
}

/** Checks kinds, bits, and the indices of slots and link ends. */
function checkIndices(crowd: Crowd, tape: Tape, slot: number): void {
  const { agents, mesh, slotCount } = crowd;
  const within = (name: Column, index: number, least: number, most: number): void => {
    const value = agents[name][index];
    if (value < least || value > most) failTape(tape, `agents.${name}[${index}]`, value, `${least} .. ${most}`);
  };
  const lastEnd = 2 * mesh.linkCount - 1;
  within('generation', slot, 1, 0xffff);
  within('state', slot, STATE_GROUND, STATE_AIR);
  within('goalKind', slot, 0, GOAL_VELOCITY);
  within('status', slot, 0, STATUS_GAVE_UP);
  within('flags', slot, 0, 2 * AGENT_REPORTED_BLOCKED - 1);
  within('cornerKind', slot, 0, CORNER_LINK);
  within('cornerLinkEnd', slot, agents.cornerKind[slot] === CORNER_LINK ? 0 : -1, lastEnd);
  within('linkEnd', slot, agents.state[slot] === STATE_LINK ? 0 : -1, lastEnd);
  within('queueLinkEnd', slot, -1, lastEnd);
  within('wallCount', slot, 0, MAX_WALLS);
  within('neighborCount', slot, 0, MAX_NEIGHBORS);
  for (let n = MAX_NEIGHBORS * slot; n < MAX_NEIGHBORS * (slot + 1); n++) within('neighbors', n, 0, slotCount - 1);
  within('yieldTo', slot, -1, slotCount - 1);
  within('settledBy', slot, 0, slotCount);
  within('patrolBack', slot, 0, 1);
  if (agents.state[slot] === STATE_LINK && !(agents.linkDuration[slot] > 0)) {
    failTape(tape, `agents.linkDuration[${slot}]`, agents.linkDuration[slot], '> 0');
  }
}

/**
 * Checks that the polygons of an agent are those that its refs name, and that its corridor begins there. Only for a crowd in step with
 * its mesh: otherwise the next tick finds all polygons again.
 */
function checkPolygons({ agents, mesh, corridors }: Crowd, tape: Tape, slot: number): void {
  const poly = agents.poly[slot];
  const state = agents.state[slot];
  const fail = (name: Column, mustBe: string): never =>
    failTape(tape, `agents.${name}[${slot}]`, agents[name][slot], mustBe);
  if (poly >= 0 && polyIndexOf(mesh, agents.polyRef[slot] as PolyRef) !== poly)
    fail('polyRef', 'the ref of its polygon');
  const goalPoly = agents.goalPoly[slot];
  const hasGoal = agents.goalKind[slot] === GOAL_POINT || agents.goalKind[slot] === GOAL_AGENT;
  if (hasGoal && goalPoly >= 0 && polyIndexOf(mesh, agents.goalRef[slot] as PolyRef) !== goalPoly) {
    fail('goalRef', 'the ref of the polygon of its goal');
  }
  const isOnMesh = state === STATE_GROUND || state === STATE_LOST;
  if (isOnMesh && (agents.flags[slot] & AGENT_AVOID_ONLY) !== 0) return;
  if (state === STATE_LOST) {
    if (poly >= 0) fail('poly', 'none for a lost agent');
    return;
  }
  if (poly < 0) {
    if (state === STATE_GROUND) fail('poly', 'a polygon');
    return;
  }
  const { corridor, revision } = corridors[slot];
  if (revision !== mesh.revision || corridor.count < 1 || corridor.polys[0] !== poly) {
    failTape(
      tape,
      `corridors[${slot}].polys[0]`,
      corridor.count < 1 ? 'none' : corridor.polys[0],
      'the polygon of its agent',
    );
  }
}
