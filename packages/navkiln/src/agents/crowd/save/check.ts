/**
 * Checks a crowd that was read from bytes for everything that ticks and orders rely on: numbers are finite and in
 * range, indices are valid, and lists have no cycles.
 *
 * In: a crowd that is not in use yet.
 * Out: an Error that names the first number that is wrong.
 * Cost: linear.
 * Based on: own.
 */
import { CORNER_LINK } from '../../corridor/types.ts';
import { setMeshBox } from '../../../mesh/mesh-box.ts';
import { polyIndexOf } from '../../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../../mesh/types.ts';
import { TURN_ASKED, TURN_NONE, TURN_QUEUED } from '../search/record.ts';
import { MAX_PORTALS } from '../nearby/corner-sight.ts';
import { MAX_LEVEL } from '../rest/settled-by.ts';
import { AGENT_LAYOUT } from '../state/layout.ts';
import { agentOptionsOf, resolveAgent } from '../state/options.ts';
import {
  AGENT_AVOID_ONLY,
  AGENT_PASSED_PORTAL,
  AVOID_SAMPLED,
  GOAL_AGENT,
  GOAL_POINT,
  GOAL_VELOCITY,
  MAX_NEIGHBORS,
  MAX_WALLS,
  MODES,
  MODE_PAUSED,
  STATE_AIR,
  STATE_FREE,
  STATE_GROUND,
  STATE_LINK,
  STATE_LOST,
  STATUS_GAVE_UP,
  WAY_POINTS,
  PASSAGE_INSIDE,
} from '../state/types.ts';
import type { AgentArrays, Crowd } from '../state/types.ts';
import {
  AROUND,
  HANDLE,
  LENGTH,
  OPEN_LENGTH,
  PLACE,
  REACH,
  SIZE,
  SQUARE,
  TICK,
  TIME,
  UNIT,
  VELOCITY,
  checkRow,
  wholeRange,
} from './ranges.ts';
import type { Range } from './ranges.ts';
import { OUT_OF_STEP } from './corridor.ts';
import { failTape } from './tape.ts';
import type { Tape } from './tape.ts';

type Column = keyof AgentArrays;

/** Margin for rounding around the box of a mesh, relative to its coordinates. */
const ROUNDING = 1e-6;

/** Columns that `checkOptions` checks as `addAgent` does. */
const OPTION_COLUMNS = [
  'avoidance',
  'filter',
  'layers',
  'mask',
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
  'ownArriveDistance',
] as const satisfies readonly Column[];
/** Columns of dense indices of the mesh, which are read as refs or crossings, and of the points of a patrol (patrols.ts). */
type ReadColumn = 'poly' | 'goalPoly' | 'wallPoly' | 'narrow' | 'patrolPoint';
/** Columns of slots and link ends, whose ranges depend on the crowd (`checkIndices`). */
type IndexColumn = 'group' | 'cornerLinkEnd' | 'linkEnd' | 'queueLinkEnd' | 'neighbors' | 'yieldTo' | 'settledBy';

/** The range of each other column. */
const RANGES: Readonly<Record<Exclude<Column, (typeof OPTION_COLUMNS)[number] | ReadColumn | IndexColumn>, Range>> = {
  generation: /* @__PURE__ */ wholeRange(1, 0xffff),
  state: /* @__PURE__ */ wholeRange(STATE_GROUND, STATE_AIR),
  goalKind: /* @__PURE__ */ wholeRange(0, GOAL_VELOCITY),
  status: /* @__PURE__ */ wholeRange(0, STATUS_GAVE_UP),
  flags: /* @__PURE__ */ wholeRange(0, 2 * AGENT_PASSED_PORTAL - 1),
  position: PLACE,
  previous: PLACE,
  velocity: VELOCITY,
  heading: UNIT,
  desired: VELOCITY,
  chosen: VELOCITY,
  polyRef: HANDLE,
  goal: PLACE,
  goalRef: HANDLE,
  goalAgent: HANDLE,
  arriveDistance: SIZE,
  modes: /* @__PURE__ */ wholeRange(0, MODES),
  resumeSpeed: SIZE,
  followDistance: REACH,
  patrolBack: /* @__PURE__ */ wholeRange(0, 1),
  patrolTick: TICK,
  corners: PLACE,
  cornerKind: /* @__PURE__ */ wholeRange(0, CORNER_LINK),
  pathLeft: LENGTH,
  sight: AROUND,
  sightPortals: /* @__PURE__ */ wholeRange(0, MAX_PORTALS + 1),
  walls: PLACE,
  wallCount: /* @__PURE__ */ wholeRange(0, MAX_WALLS),
  wallCenter: PLACE,
  neighborCount: /* @__PURE__ */ wholeRange(0, MAX_NEIGHBORS),
  neighborDistanceSq: SQUARE,
  progressTick: TICK,
  progressLeft: OPEN_LENGTH,
  progressFar: OPEN_LENGTH,
  orderTick: TICK,
  retryTick: TICK,
  searchTick: TICK,
  targetDrift: OPEN_LENGTH,
  yieldUntil: TICK,
  yieldPoint: AROUND,
  restPoint: PLACE,
  restTick: TICK,
  settledGap: REACH,
  settledPushes: /* @__PURE__ */ wholeRange(0, MAX_LEVEL),
  way: PLACE,
  wayCount: /* @__PURE__ */ wholeRange(0, WAY_POINTS),
  wayTick: TICK,
  linkRef: HANDLE,
  linkTime: TIME,
  linkDuration: TIME,
  queueTick: TICK,
  linkFrom: PLACE,
  counterTick: TICK,
  narrowAt: PLACE,
  passage: /* @__PURE__ */ wholeRange(0, PASSAGE_INSIDE),
  passageTick: TICK,
};

/** Checks the options of an agent, with the same limits as `addAgent`. */
export function checkOptions(crowd: Crowd, tape: Tape, slot: number): void {
  const { agents, filters } = crowd;
  if (agents.avoidance[slot] > AVOID_SAMPLED) {
    failTape(tape, `agents.avoidance[${slot}]`, agents.avoidance[slot], `0 .. ${AVOID_SAMPLED}`);
  }
  if (agents.filter[slot] >= filters.length) {
    failTape(tape, `agents.filter[${slot}]`, agents.filter[slot], `0 .. ${filters.length - 1}`);
  }
  try {
    resolveAgent(crowd, agentOptionsOf(crowd, slot), tape.caller);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new Error(`${what.replace(': options.', `: agents[${slot}].`)}; the bytes are damaged`);
  }
  const speed = agents.maxSpeed[slot];
  const mostSpeed = (agents.modes[slot] & MODE_PAUSED) !== 0 ? 0 : Infinity;
  if (!(speed >= 0 && speed <= mostSpeed)) failTape(tape, `agents.maxSpeed[${slot}]`, speed, `0 .. ${mostSpeed}`);
  // 0 means the default.
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
export function checkAgents(crowd: Crowd, tape: Tape, step: number): void {
  const { agents, slotCount } = crowd;
  const { slot: searching } = crowd.searches.current;
  if (searching >= 0 && crowd.searches.turn[searching] !== TURN_QUEUED) {
    failTape(tape, 'searches.current.slot', searching, 'a slot that waits');
  }
  const box = wideBoxOf(crowd.mesh);
  const followed = step === OUT_OF_STEP ? crowd.mesh.revision : crowd.meshRevision;
  for (let slot = 0; slot < slotCount; slot++) {
    if (agents.state[slot] === STATE_FREE) continue;
    checkNumbers(crowd, tape, slot);
    checkIndices(crowd, tape, slot);
    const { corridor, revision } = crowd.corridors[slot];
    if (revision >= followed && corridor.count < 1) {
      failTape(tape, `corridors[${slot}].count`, corridor.count, 'at least 1');
    }
    if (step !== OUT_OF_STEP) checkPolygons(crowd, tape, slot);
    checkPlaces(crowd, tape, slot, box);
  }
}

/** Checks that the numbers of an agent are in their ranges. */
function checkNumbers({ agents }: Crowd, tape: Tape, slot: number): void {
  for (const [name, , stride] of AGENT_LAYOUT) {
    const range = (RANGES as Partial<Record<Column, Range>>)[name];
    if (range !== undefined) checkRow(tape, `agents.${name}`, agents[name], stride, slot, range);
  }
}

/** Checks the indices of slots and link ends. */
function checkIndices(crowd: Crowd, tape: Tape, slot: number): void {
  const { agents, mesh, slotCount } = crowd;
  const within = (name: Column, index: number, least: number, most: number): void => {
    const value = agents[name][index];
    if (value < least || value > most) failTape(tape, `agents.${name}[${index}]`, value, `${least} .. ${most}`);
  };
  const lastEnd = 2 * mesh.linkCount - 1;
  within('cornerLinkEnd', slot, agents.cornerKind[slot] === CORNER_LINK ? 0 : -1, lastEnd);
  within('linkEnd', slot, agents.state[slot] === STATE_LINK ? 0 : -1, lastEnd);
  within('queueLinkEnd', slot, -1, lastEnd);
  for (let n = MAX_NEIGHBORS * slot; n < MAX_NEIGHBORS * (slot + 1); n++) within('neighbors', n, 0, slotCount - 1);
  within('yieldTo', slot, -1, slotCount - 1);
  within('settledBy', slot, 0, slotCount);
  within('group', slot, 0, crowd.maxAgents);
  if (agents.state[slot] === STATE_LINK && !(agents.linkDuration[slot] > 0)) {
    failTape(tape, `agents.linkDuration[${slot}]`, agents.linkDuration[slot], '> 0');
  }
}

/**
 * Checks that the polygons of an agent are those that its refs name, and that its corridor begins there. Only for a
 * crowd that has followed all changes of its mesh; otherwise the next tick finds all polygons again.
 */
function checkPolygons({ agents, mesh, meshRevision, corridors }: Crowd, tape: Tape, slot: number): void {
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
  if (revision < meshRevision || corridor.count < 1 || corridor.polys[0] !== poly) {
    failTape(
      tape,
      `corridors[${slot}].polys[0]`,
      corridor.count < 1 ? 'none' : corridor.polys[0],
      'the polygon of its agent',
    );
  }
}

/**
 * Checks that both ends of an agent's corridor, and the agent itself when it stands on its polygon, lie within the box
 * around the mesh. For polygons that still exist, this also holds between a change of the mesh and the next tick.
 */
function checkPlaces({ agents, mesh, corridors }: Crowd, tape: Tape, slot: number, box: Float64Array): void {
  const { corridor, refs, position, target } = corridors[slot];
  const isThere = (i: number): boolean => corridor.count > 0 && polyIndexOf(mesh, refs[i] as PolyRef) >= 0;
  const isOnPoly = agents.state[slot] === STATE_GROUND && (agents.flags[slot] & AGENT_AVOID_ONLY) === 0;
  for (let k = 0; k < 3; k++) {
    const range = { least: box[k], most: box[3 + k] };
    if (isThere(0)) checkRow(tape, `corridors[${slot}].position`, position, 1, k, range);
    if (isThere(0) && isOnPoly) checkRow(tape, 'agents.position', agents.position, 1, 3 * slot + k, range);
    if (isThere(corridor.count - 1)) checkRow(tape, `corridors[${slot}].target`, target, 1, k, range);
  }
}

/** Returns the box around a mesh, with a margin for rounding and for bodies at its border. */
function wideBoxOf(mesh: NavMesh): Float64Array {
  const box = new Float64Array(6);
  setMeshBox(box, mesh);
  const room = mesh.agent.radius + mesh.agent.height + ROUNDING * Math.max(...box.map(Math.abs));
  return box.map((value, k) => (k < 3 ? value - room : value + room));
}
