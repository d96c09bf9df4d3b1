/**
 * The order to a group: its agents move in formation and arrive together. group-pace.ts sets their speeds.
 *
 * The formation faces from the middle of the group to its goal. The foremost agents fill the first row, and each row is
 * filled from one side to the other, so that paths cross as little as possible.
 *
 * In: a crowd, ids of agents, a point, options.
 * Out: `group`, and the goals of the agents as set by `moveAgentTo`.
 * Cost: one slide over the surface per agent, and a sort of the agents. Allocates.
 * Based on: own.
 */
import { checkArray, checkKeys, refuse } from '../../../base/data/refuse.ts';
import { readPoint } from '../../../base/math/point.ts';
import type { PointLike } from '../../../base/math/point.ts';
import { createNearestHit, findNearInto } from '../../../query/nearest/nearest.ts';
import { createSearchState } from '../../../query/search-state.ts';
import { createSlide, moveAlongSurfaceInto } from '../../../query/walk/slide.ts';
import { addBehavior } from '../state/behaviors.ts';
import { readAgentSlot } from '../state/ids.ts';
import { MOST_SIZE } from '../state/limits.ts';
import type { AgentId, Crowd } from '../state/types.ts';
import { aimAtPoint, refusalOf } from './orders.ts';
import { groups } from './group-pace.ts';
import { endPatrol } from './patrol-state.ts';
import type { OrderResult } from './result.ts';
import { checkMutableCrowd } from '../state/check-crowd.ts';

/**
 * 'block': a square, with as many rows as agents in a row. 'line': one row. 'column': one agent behind the other.
 * 'keep': each agent keeps its offset from the middle of the group.
 */
export type GroupFormation = 'block' | 'line' | 'column' | 'keep';

/** Options of `moveGroupTo`. */
export interface GroupOptions {
  /** Default 'block'. */
  formation?: GroupFormation;
  /** Distance between agents in the formation, center to center: world units, above 0. Default: 3 times the largest radius. */
  spacing?: number;
}

const GROUP_KEYS: readonly (keyof GroupOptions)[] = ['formation', 'spacing'];
const FORMATIONS: readonly unknown[] = ['block', 'line', 'column', 'keep'] satisfies GroupFormation[];
/** Default `spacing`, in radii. */
const SPACING_RADII = 3;

const requested = new Float64Array(3);
const hit = createNearestHit();
const slide = createSlide();
const slideState = createSearchState();

/** A member, and its offset from the middle of the group: ahead, and to the right. */
interface Member {
  slot: number;
  ahead: number;
  right: number;
}

/**
 * Sends agents to a point in formation. The slowest agent sets the speed, agents with a shorter remaining path slow
 * down, and all arrive at about the same time. A position of the formation beyond a wall is moved to the nearest one
 * that the surface allows. Any other order takes an agent out of its group. The group does not wait for agents that are
 * blocked, paused or lost, or gave up.
 *
 * Returns one result per id, like those of `moveAgentTo`; an id that is listed twice gets 'no-agent' the second time.
 * Throws a TypeError for an invalid point or when `ids` is not an array, and a RangeError for options that are unknown
 * or out of range.
 */
export function moveGroupTo(
  crowd: Crowd,
  ids: readonly AgentId[],
  point: PointLike,
  options: GroupOptions = {},
): OrderResult[] {
  checkMutableCrowd('moveGroupTo', crowd);
  checkArray('moveGroupTo', 'ids', ids);
  checkKeys('moveGroupTo', options, GROUP_KEYS);
  readPoint(requested, point, 'moveGroupTo', 'point');
  const { formation = 'block', spacing } = options;
  if (!FORMATIONS.includes(formation))
    refuse('moveGroupTo', 'options.formation', formation, "'block', 'line', 'column' or 'keep'");
  if (spacing !== undefined && !(typeof spacing === 'number' && spacing > 0 && spacing <= MOST_SIZE))
    refuse('moveGroupTo', 'options.spacing', spacing, `above 0, at most ${MOST_SIZE}`);
  const known = new Set<number>();
  const results = ids.map((id, i): OrderResult => {
    const slot = readAgentSlot(crowd, id, 'moveGroupTo', `ids[${i}]`);
    const answer = known.has(slot) ? 'no-agent' : refusalOf(crowd, slot);
    if (answer === 'accepted') known.add(slot);
    return answer;
  });
  const slots = [...known];
  if (slots.length === 0) return results;
  const { agents, mesh } = crowd;
  // The filter of the first agent decides about the surface for all.
  const filter = crowd.filters[agents.filter[slots[0]]];
  findNearInto(hit, mesh, requested, filter);
  if (hit.poly < 0) return results.map((answer) => (answer === 'accepted' ? 'off-mesh' : answer));
  const { poly } = hit;
  const center = hit.point.slice();
  const { x, z, members } = faceGoal(crowd, slots, center);
  const apart = spacing ?? SPACING_RADII * slots.reduce((most, slot) => Math.max(most, agents.radius[slot]), 0);
  const number = freeGroup(crowd, known);
  for (const { slot, ahead, right } of formation === 'keep' ? members : placesOf(members, formation, apart)) {
    requested[0] = center[0] + ahead * x - right * z;
    requested[1] = center[1];
    requested[2] = center[2] + ahead * z + right * x;
    moveAlongSurfaceInto(slide, slideState, mesh, poly, center, requested, filter);
    endPatrol(crowd, slot);
    aimAtPoint(crowd, slot, slide.polys[slide.count - 1], slide.point);
    agents.group[slot] = number;
  }
  crowd.hasGroups = true;
  addBehavior(crowd, groups);
  return results;
}

/** Returns the direction from the middle of the agents to a point, and the offset of each agent from the middle. */
function faceGoal(
  { agents }: Crowd,
  slots: readonly number[],
  goal: Float64Array,
): { x: number; z: number; members: Member[] } {
  const { position } = agents;
  let midX = 0;
  let midZ = 0;
  for (const slot of slots) {
    midX += position[3 * slot] / slots.length;
    midZ += position[3 * slot + 2] / slots.length;
  }
  let x = goal[0] - midX;
  let z = goal[2] - midZ;
  const length = Math.sqrt(x * x + z * z);
  [x, z] = length > 0 ? [x / length, z / length] : [0, 1];
  const members = slots.map((slot): Member => {
    const dx = position[3 * slot] - midX;
    const dz = position[3 * slot + 2] - midZ;
    return { slot, ahead: dx * x + dz * z, right: dz * x - dx * z };
  });
  return { x, z, members };
}

/** Returns the members with their positions in a formation, the foremost first. */
function placesOf(members: readonly Member[], formation: GroupFormation, apart: number): Member[] {
  const count = members.length;
  const width = formation === 'line' ? count : formation === 'column' ? 1 : Math.ceil(Math.sqrt(count));
  const rows = Math.ceil(count / width);
  const sorted = members.slice().sort((a, b) => b.ahead - a.ahead || a.slot - b.slot);
  const out: Member[] = [];
  for (let row = 0; row < rows; row++) {
    const part = sorted.slice(row * width, (row + 1) * width).sort((a, b) => a.right - b.right || a.slot - b.slot);
    part.forEach(({ slot }, i) =>
      out.push({ slot, ahead: apart * ((rows - 1) / 2 - row), right: apart * (i - (part.length - 1) / 2) }),
    );
  }
  return out;
}

/** Returns the lowest group number that no agent has, except the given members. */
function freeGroup({ agents, slotCount }: Crowd, members: ReadonlySet<number>): number {
  const taken = new Set<number>();
  for (let slot = 0; slot < slotCount; slot++) if (!members.has(slot)) taken.add(agents.group[slot]);
  let number = 1;
  while (taken.has(number)) number++;
  return number;
}
